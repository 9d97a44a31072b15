package server

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

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
	if code := parse(fs, args, 0); code != goOn {
		return code
	}
	from, err := parseSince(*since)
	if err != nil {
		return exit(stderr, "restore", err)
	}
	n, err := restore(*path, from, stderr)
	if err != nil {
		return exit(stderr, "restore", badEnvironment(err))
	}
	fmt.Fprintf(stdout, "letters=%d\n", n)
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

// restore moves the letters that the database does not know back into the inbox.
func restore(path string, since time.Time, stderr io.Writer) (n int, err error) {
	ctx, stop := untilStopped()
	defer stop()
	s, err := beside(ctx, path, stderr)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	return imapbox.Unfile(ctx, s.box, since, func(f imapbox.Filed) (bool, error) { return unknown(ctx, s.DB, f) })
}

// unknown reports whether a database has never read a filed letter.
func unknown(ctx context.Context, d *db.DB, f imapbox.Filed) (bool, error) {
	id := letter.OpenHeader(f.Header, letter.Options{}).MessageID // as the letter was read
	if id == "" {
		return false, nil
	}
	none := false
	err := d.View(ctx, func(tx store.Tx) error {
		same, err := tx.SameLetter(id)
		none = len(same) == 0
		return err
	})
	return none, err
}
