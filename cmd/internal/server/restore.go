package server

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"angelpost/cmd/internal/hook"
	"angelpost/db"
	"angelpost/engine/store"
	"angelpost/mail/imapbox"
	"angelpost/mail/letter"
)

// A letter that another server has filed shows a database that does not know it to be an
// older copy. So many of the youngest are looked at, at the start, and those too that came
// a little before it last was at work: mail servers say when in whole seconds.
const (
	filedLook  = 50
	filedEarly = time.Minute
)

// behind reports whether the mailbox holds letters that were read after the database says
// that its server last was at work: then the database is an older copy of the one that was.
// While the mailbox cannot be reached nothing is known; letters that answer lost ones will
// show it later.
func (s *Server) behind(ctx context.Context) (bool, error) {
	if s.tenure == nil {
		return false, nil
	}
	var last time.Time
	err := s.DB.View(ctx, func(tx store.Tx) (err error) {
		last, err = tx.LastHeartbeat()
		return err
	})
	if err != nil || last.IsZero() {
		return false, err
	}
	reach, cancel := context.WithTimeout(ctx, claimWait)
	defer cancel()
	filed, err := imapbox.Newest(reach, s.box, last.Add(-filedEarly), filedLook)
	if err != nil {
		s.log.Warn("could not look whether the database is an older copy", "err", err)
		return false, nil
	}
	for _, f := range filed {
		if letter.OpenHeader(f.Header, letter.Options{Address: s.Conf.Address}).Token == "" {
			continue // it may be of a server that watches another folder of this account
		}
		if unknown, err := unknown(ctx, s.DB, f); unknown || err != nil {
			return unknown, err
		}
	}
	return false, nil
}

func runRestore(args []string, stdout, stderr io.Writer) int {
	fs := flags("restore", "", stderr)
	path := configFlag(fs)
	since := fs.String("since", "", "read letters again that arrived after this `TIME`, as in 2026-11-25 or 2026-11-25T18:00:00Z")
	all := fs.Bool("all", false, "also those that name no address of this server: only if no other one files letters there")
	if code := parse(fs, args, 0); code != goOn {
		return code
	}
	from, err := parseSince(*since)
	if err != nil {
		return exit(stderr, "restore", err)
	}
	n, err := restore(*path, from, *all, stderr)
	if err != nil {
		return exit(stderr, "restore", badEnvironment(err))
	}
	for _, left := range []struct {
		n    int
		what string
	}{
		{n.elsewhere, "name no address of this server, so they may be another server's (-all takes them, too)"},
		{n.nameless, "have neither a Message-ID nor a date, so nothing says whether they were read"},
	} {
		if left.n > 0 {
			fmt.Fprintf(stderr, "left in Angelpost/Done: %d, which %s\n", left.n, left.what)
		}
	}
	fmt.Fprintf(stdout, "letters=%d\n", n.moved)
	return exitYes
}

// parseSince reads a day (UTC) or a time.
func parseSince(s string) (time.Time, error) {
	for _, form := range []string{time.DateOnly, time.RFC3339} {
		if t, err := time.Parse(form, s); err == nil {
			return t, nil
		}
	}
	return time.Time{}, badUsage("-since %.40q: want a day or a time, as in 2026-11-25 or 2026-11-25T18:00:00Z: when the backup was made", s)
}

// restored counts filed letters that the database does not know.
type restored struct {
	moved     int // back into the inbox
	elsewhere int // stay: they name no address of this server
	nameless  int // stay: they have nothing to be known by
}

// restore moves the letters that the database does not know back into the inbox. What it
// has forgotten, because keep_days are over, it does not know either: that stays.
func restore(path string, since time.Time, all bool, stderr io.Writer) (n restored, err error) {
	ctx, stop := untilStopped()
	defer stop()
	s, err := beside(ctx, path, stderr)
	if err != nil {
		return n, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	if kept := hook.Wall().AddDate(0, 0, -s.Conf.KeepDays); since.Before(kept) {
		since = kept
		fmt.Fprintf(stderr, "letters from before %s stay in Angelpost/Done: the database keeps none that are older (keep_days = %d), so it cannot say whether they were read\n",
			kept.UTC().Format("2006-01-02 15:04 MST"), s.Conf.KeepDays)
	}
	n.moved, err = imapbox.Unfile(ctx, s.box, since, func(f imapbox.Filed) (bool, error) {
		id := letter.OpenHeader(f.Header, letter.Options{})
		if id.MessageID == "" && (id.Date.IsZero() || id.From == "") {
			n.nameless++
			return false, nil
		}
		unknown, err := unknown(ctx, s.DB, f)
		if unknown && !all && !s.Conf.names(f.Header) {
			n.elsewhere++
			return false, err
		}
		return unknown, err
	})
	return n, err
}

// names reports whether a letter's header names an address of the server's.
func (c *Config) names(header []byte) bool {
	return slices.ContainsFunc(letter.Recipients(header), c.own)
}

// unknown reports whether a database has never read a filed letter; false if nothing can
// tell.
func unknown(ctx context.Context, d *db.DB, f imapbox.Filed) (bool, error) {
	l := letter.OpenHeader(f.Header, letter.Options{}) // as the letter was read
	if l.MessageID == "" {
		if l.Date.IsZero() || l.From == "" {
			return false, nil
		}
		there, err := d.LetterFrom(ctx, l.From, l.Date)
		return !there, err
	}
	none := false
	err := d.View(ctx, func(tx store.Tx) error {
		same, err := tx.SameLetter(l.MessageID)
		none = len(same) == 0
		return err
	})
	return none, err
}
