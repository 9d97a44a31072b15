package server

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"angelpost/engine/incoming"
	"angelpost/engine/match/desk"
	"angelpost/engine/store"
)

// `letter resend|drop|replay`: what a host does about a single letter, also beside a
// server at work. Each prints the letter as it is then.

// errNo is why a letter cannot be dealt with so, which the exit code 1 tells.
type errNo string

func (e errNo) Error() string { return string(e) }

// dealing is the main function of a command that deals with one letter.
func dealing(name string, do func(ctx context.Context, s *Server, in bool, id int64) error) func([]string, io.Writer, io.Writer) int {
	return func(args []string, stdout, stderr io.Writer) int {
		fs := flags("letter "+name, "ID", stderr)
		path := configFlag(fs)
		asJSON := fs.Bool("json", false, "print JSON")
		if code := parse(fs, args, 1); code != goOn {
			return code
		}
		in, id, err := letterID(fs.Arg(0))
		if err != nil {
			return exit(stderr, "letter "+name, err)
		}
		ctx, stop := untilStopped()
		defer stop()
		s, err := beside(ctx, *path, stderr)
		if err != nil {
			return exit(stderr, "letter "+name, err)
		}
		defer s.Close()
		err = do(ctx, s, in, id)
		var row letterRow
		if err == nil {
			row, err = s.letterRow(ctx, in, id)
		}
		var no errNo
		switch {
		case errors.Is(err, store.ErrNotFound):
			err = failure{exitNo, fmt.Errorf("there is no letter %s", fs.Arg(0))}
		case errors.As(err, &no):
			err = failure{exitNo, err}
		}
		if err == nil {
			err = printSurvey(stdout, letterList{1, []letterRow{row}}, *asJSON)
		}
		return exit(stderr, "letter "+name, err)
	}
}

func (s *Server) letterRow(ctx context.Context, in bool, id int64) (row letterRow, err error) {
	if !in {
		p, err := s.DB.Posted(ctx, id)
		return rowOut(p), err
	}
	err = s.DB.View(ctx, func(tx store.Tx) error {
		l, err := tx.Letter(id)
		row = rowIn(l)
		return err
	})
	return row, err
}

func resendLetter(ctx context.Context, s *Server, in bool, id int64) error {
	if in {
		return errNo("a letter in is not sent; see angelpost letter replay")
	}
	if _, err := s.DB.Posted(ctx, id); err != nil {
		return err
	}
	done, err := s.DB.Resend(ctx, id, s.time.now())
	if err == nil && !done {
		err = errNo("it goes out, or went out, in another letter")
	}
	return err
}

const droppedWhy = "dropped by the host"

func dropLetter(ctx context.Context, s *Server, in bool, id int64) error {
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
func replayLetter(ctx context.Context, s *Server, in bool, id int64) error {
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
	return together(ctx, s.Desk.Think, func(ctx context.Context) error {
		for {
			h := s.Handle(ctx, []Arrival{{Raw: l.Raw, HeaderOnly: l.Class == incoming.TooLarge, Received: l.Received}})[0]
			if h.Err == nil && h.Outcome != desk.Thinking {
				break
			}
			if h.Err != nil {
				if ctx.Err() != nil || s.Desk.StorageDown(h.Err) {
					return h.Err
				}
				continue // the third failure sets it aside
			}
			if err := s.thinking(ctx, id); err != nil {
				return err
			}
			break
		}
		row, err := s.letterRow(ctx, true, id)
		if err == nil && row.State == store.LetterAside {
			err = errNo("it failed again and is set aside; the lines above say why")
		}
		return err
	})
}

// thinking waits until a letter that bots think about is done.
func (s *Server) thinking(ctx context.Context, id int64) error {
	for {
		row, err := s.letterRow(ctx, true, id)
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
