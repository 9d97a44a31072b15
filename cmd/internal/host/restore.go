package host

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"angelpost/cmd/internal/cli"
	"angelpost/cmd/internal/hook"
	"angelpost/cmd/internal/server"
	"angelpost/mail/imapbox"
	"angelpost/mail/letter"
)

// RunRestore is the main function of restore.
func RunRestore(args []string, stdout, stderr io.Writer) int {
	fs := cli.Flags("restore", "", stderr)
	path := cli.ConfigFlag(fs)
	since := fs.String("since", "", "read letters again that arrived after this `TIME`, as in 2026-11-25 or 2026-11-25T18:00:00Z")
	all := fs.Bool("all", false, "also those that name no address of this server: only if no other one files letters there")
	if code := cli.Parse(fs, args, 0); code != cli.GoOn {
		return code
	}
	from, err := parseSince(*since)
	if err != nil {
		return cli.Exit(stderr, "restore", err)
	}
	n, err := restore(*path, from, *all, stderr)
	if err != nil {
		return cli.Exit(stderr, "restore", cli.BadEnvironment(err))
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
	return cli.ExitYes
}

// parseSince reads a day (UTC) or a time.
func parseSince(s string) (time.Time, error) {
	for _, form := range []string{time.DateOnly, time.RFC3339} {
		if t, err := time.Parse(form, s); err == nil {
			return t, nil
		}
	}
	return time.Time{}, cli.BadUsage("-since %.40q: want a day or a time, as in 2026-11-25 or 2026-11-25T18:00:00Z: when the backup was made", s)
}

// restored counts filed letters that the database does not know.
type restored struct {
	moved     int // back into the inbox
	elsewhere int // stay where they are: none of their addresses is this server's
	nameless  int // stay where they are: nothing identifies them
}

// restore moves the letters that the database does not know back into the inbox. What it
// has forgotten, because keep_days are over, it does not know either: that stays.
func restore(path string, since time.Time, all bool, stderr io.Writer) (n restored, err error) {
	ctx, stop := cli.UntilStopped()
	defer stop()
	s, err := server.Beside(ctx, path, stderr)
	if err != nil {
		return n, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	if kept := hook.Wall().AddDate(0, 0, -s.Conf.KeepDays); since.Before(kept) {
		since = kept
		fmt.Fprintf(stderr, "letters from before %s stay in Angelpost/Done: the database keeps none that are older (keep_days = %d), so it cannot say whether they were read\n",
			kept.UTC().Format("2006-01-02 15:04 MST"), s.Conf.KeepDays)
	}
	n.moved, err = imapbox.Unfile(ctx, s.Box, since, func(f imapbox.Filed) (bool, error) {
		id := letter.OpenHeader(f.Header, letter.Options{})
		if id.MessageID == "" && (id.Date.IsZero() || id.From == "") {
			n.nameless++
			return false, nil
		}
		unknown, err := server.Unknown(ctx, s.DB, f)
		if unknown && !all && !names(s.Conf, f.Header) {
			n.elsewhere++
			return false, err
		}
		return unknown, err
	})
	return n, err
}

// names reports whether a letter's header names an address of the server's.
func names(c *server.Config, header []byte) bool {
	return slices.ContainsFunc(letter.Recipients(header), c.Own)
}
