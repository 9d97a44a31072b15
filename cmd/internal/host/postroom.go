package host

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"angelpost/cmd/internal/cli"
	"angelpost/cmd/internal/server"
	"angelpost/engine/incoming"
	"angelpost/engine/match/desk"
	"angelpost/engine/store"
)

// `letter resend|drop|replay`: what a host can do with a single letter, also while the
// server runs. Each prints the letter as it is afterwards.

// errNo is why a command cannot do that with a letter. The exit code is then 1.
type errNo string

func (e errNo) Error() string { return string(e) }

// dealing is the main function of a command that deals with one letter.
func dealing(name string, do func(ctx context.Context, s *server.Server, in bool, id int64) error) func([]string, io.Writer, io.Writer) int {
	return func(args []string, stdout, stderr io.Writer) int {
		fs := cli.Flags("letter "+name, "ID", stderr)
		path := cli.ConfigFlag(fs)
		asJSON := fs.Bool("json", false, "print JSON")
		yes := fs.Bool("yes", false, "of drop: do it, although nothing brings a letter back that came in")
		if code := cli.Parse(fs, args, 1); code != cli.GoOn {
			return code
		}
		in, id, err := letterID(fs.Arg(0))
		if err == nil && in && name == "drop" && !*yes {
			err = cli.AnsweredNo(fmt.Errorf("nothing brings a letter back that came in and was dropped; to drop %s, add -yes", fs.Arg(0)))
		}
		if err != nil {
			return cli.Exit(stderr, "letter "+name, err)
		}
		ctx, stop := cli.UntilStopped()
		defer stop()
		s, err := server.Beside(ctx, *path, stderr)
		if err != nil {
			return cli.Exit(stderr, "letter "+name, err)
		}
		defer s.Close()
		err = do(ctx, s, in, id)
		var row server.LetterRow
		if err == nil {
			row, err = s.LetterRow(ctx, in, id)
		}
		var no errNo
		switch {
		case errors.Is(err, store.ErrNotFound):
			err = cli.AnsweredNo(fmt.Errorf("there is no letter %s", fs.Arg(0)))
		case errors.As(err, &no):
			err = cli.AnsweredNo(err)
		}
		if err == nil && name == "drop" && !in {
			tellBack(fs, "letter resend", fs.Arg(0))
		}
		if err == nil {
			err = printSurvey(stdout, server.LetterList{Schema: 1, Letters: []server.LetterRow{row}, More: []string{}}, *asJSON)
		}
		return cli.Exit(stderr, "letter "+name, err)
	}
}

func resendLetter(ctx context.Context, s *server.Server, in bool, id int64) error {
	if in {
		return errNo("a letter in is not sent; see angelpost letter replay")
	}
	if _, err := s.DB.Posted(ctx, id); err != nil {
		return err
	}
	done, err := s.DB.Resend(ctx, id, s.Now())
	if err == nil && !done {
		err = errNo("it goes out, or went out, in another letter")
	}
	return err
}

const droppedWhy = "dropped by the host"

func dropLetter(ctx context.Context, s *server.Server, in bool, id int64) error {
	if !in {
		if _, err := s.DB.Posted(ctx, id); err != nil {
			return err
		}
		done, err := s.DB.Drop(ctx, id, droppedWhy)
		if err == nil && !done {
			err = errNo("it does not wait to be sent")
		}
		return err
	}
	return s.DB.Update(ctx, func(tx store.Tx) error {
		l, err := tx.Letter(id)
		if err != nil {
			return err
		}
		if l.State != store.LetterAside {
			return errNo("it is not set aside")
		}
		l.State, l.Why = store.LetterMute, droppedWhy
		return tx.SaveLetter(l)
	})
}

// thoughtEvery is how often replay looks whether bots have thought about its letter.
const thoughtEvery = 50 * time.Millisecond

// replayLetter has the desk handle a letter that was set aside as if it came now.
func replayLetter(ctx context.Context, s *server.Server, in bool, id int64) error {
	if !in {
		return errNo("a letter out is not replayed; see angelpost letter resend")
	}
	var l store.Letter
	err := s.DB.View(ctx, func(tx store.Tx) (err error) {
		l, err = tx.Letter(id)
		return err
	})
	switch {
	case err != nil:
		return err
	case l.State != store.LetterAside:
		return errNo("it is not set aside")
	case l.Raw == nil:
		return errNo("its text is no longer stored")
	}
	if err := s.Desk.Replay(ctx, id); err != nil {
		return err
	}
	return server.Together(ctx, s.Desk.Think, func(ctx context.Context) error {
		for {
			h := s.Handle(ctx, []server.Arrival{{Raw: l.Raw, HeaderOnly: l.Class == incoming.TooLarge, Received: l.Received}})[0]
			if h.Err == nil && h.Outcome != desk.Thinking {
				break
			}
			if h.Err != nil {
				if ctx.Err() != nil || s.Desk.StorageDown(h.Err) {
					return h.Err
				}
				continue // the third failure sets it aside
			}
			if err := thinking(ctx, s, id); err != nil {
				return err
			}
			break
		}
		row, err := s.LetterRow(ctx, true, id)
		if err == nil && row.State == store.LetterAside {
			err = errNo("it failed again and is set aside; the lines above say why")
		}
		return err
	})
}

// thinking waits until bots have thought about a letter and its row has left LetterNew.
func thinking(ctx context.Context, s *server.Server, id int64) error {
	for {
		row, err := s.LetterRow(ctx, true, id)
		if err != nil || row.State != store.LetterNew {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(thoughtEvery):
		}
	}
}
