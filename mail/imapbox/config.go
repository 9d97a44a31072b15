package imapbox

import (
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"slices"
	"time"

	"angelpost/mail/internal/wire"
	"angelpost/mail/login"
)

// Config says which mailbox is watched and how. Addr, TLS, User and PasswordFile or Secret
// must be set. For the other fields the comment gives the default.
type Config struct {
	Addr         string // host:port
	TLS          string // "tls", "starttls" or "none" (this machine only)
	CAFile       string // PEM file of trusted roots; the system's
	User         string
	PasswordFile string       // its first line is the password; read at each login
	Secret       login.Secret // instead of PasswordFile
	Folder       string       // "INBOX"
	Folders      Folders

	// Tenure is the right to use the mailbox. Run claims the mailbox by a letter in
	// Folders.Claim, and ends when another server's claim counts. Nil: Run ignores other
	// servers.
	Tenure *Tenure

	MaxLetter int64         // octets above which only the header is fetched; 5 MiB
	Poll      time.Duration // time between looks at the folder without IDLE; 30 s
	IdleFor   time.Duration // the longest IDLE; 1 min
	Command   time.Duration // how long one command may take; 1 min
	Backoff   time.Duration // first wait before another connection; 1 s
	Retry     time.Duration // first wait before a letter is offered again; 1 min
	Pause     time.Duration // first wait for all letters after ErrNotNow; 5 s

	// The watcher calls Round with nil after each pass over the folder, and with the
	// error when a pass fails and it will try again. Round must not block; it may be nil.
	Round func(err error)

	// The watcher calls Looking when a pass over the folder begins. It calls the function
	// that Looking returned once the pass is complete: the Handler has got all letters that
	// were in the folder at the beginning, and did not answer ErrNotNow. A value on Ask makes
	// the watcher look at once. Both may be nil.
	Looking func() (done func())
	Ask     <-chan struct{}

	// The watcher calls IdleLate with false when Run begins, and with true when it finds that
	// the server's IDLE does not report letters and stops using it. Nil: it calls nothing.
	IdleLate func(late bool)

	// Junk says how to find letters for this server in the spam folder. Nil: they stay there.
	Junk *Junk

	// The watcher calls Quota every hour with the percentage of the quota that the mailbox
	// uses, or Unknown. It may be nil.
	Quota func(percent int)

	// The watcher calls Certificate with the server's certificate at each connection, once it
	// has verified it. It may be nil.
	Certificate func(*x509.Certificate)

	// Owed lists up to most letters, oldest first, that did not come through the mailbox but
	// will be filed in Folders.Done. After each pass the watcher puts them there and calls
	// Paid with their IDs. Nil: there are none.
	Owed func(ctx context.Context, most int) ([]Owed, error)
	Paid func(ctx context.Context, ids []int64) error

	Log *slog.Logger // slog.Default
	// Dial replaces the TCP dialler, for tests.
	Dial func(ctx context.Context, network, addr string) (net.Conn, error)
	// The watcher calls At as it passes each fault point, for tests: "fetch", it has fetched
	// letters and handled none of them; "file", it is about to move handled letters; "filed",
	// it has moved them; "owed", one letter of Owed is in Folders.Done; "paid", it has called
	// Paid. Nil: it calls nothing.
	At func(point string)
}

// Folders names the folders in which letters are filed, with "/" between levels whatever the
// server's own separator is. The watcher creates missing folders. The comments give the
// defaults.
type Folders struct {
	Done     string // "Angelpost/Done"
	Failed   string // "Angelpost/Failed"
	TooLarge string // "Angelpost/Too large"
	Claim    string // "Angelpost/Claim"; for claims only
}

// Disposition is the folder for a letter that has been handled.
type Disposition uint8

const (
	Done     Disposition = iota // the server acted on it, answered it or rightly ignored it
	Failed                      // set aside for a person to check
	TooLarge                    // refused because of its size
)

func (f Folders) of(d Disposition) string {
	switch d {
	case Done:
		return f.Done
	case TooLarge:
		return f.TooLarge
	}
	return f.Failed
}

// Fetched is one letter as the server gave it.
type Fetched struct {
	UIDValidity uint32 // with UID only a hint for logs: never a key
	UID         uint32
	Size        int64 // RFC822.SIZE: octets of the whole letter
	Raw         []byte
	// HeaderOnly reports that the letter is larger than Config.MaxLetter, and that Raw is
	// only its header, cut off at 64 KiB.
	HeaderOnly   bool
	InternalDate time.Time // when the mail server received it
}

// Handler handles the letters of one fetch, oldest first, and returns a Verdict for each, in
// the same order. A Verdict without an error means that the effects of the letter are
// committed. Run calls the Handler from one goroutine, and may pass letters that it has
// already handled.
type Handler func(ctx context.Context, letters []Fetched) []Verdict

// A Verdict is the outcome for one letter. If Err is set, the letter stays in the folder, Run
// offers it again later, and To is ignored.
type Verdict struct {
	To  Disposition
	Err error
}

// ErrNotNow, wrapped in a Verdict's Err, says that the Handler can't handle any letter for
// now, for example because the disk is full. All letters then wait, for Config.Pause at
// first.
var ErrNotNow = errors.New("letters cannot be dealt with for the moment")

// Each returns a Handler that calls one for each letter, until ctx ends.
func Each(one func(ctx context.Context, letter Fetched) (Disposition, error)) Handler {
	return func(ctx context.Context, letters []Fetched) []Verdict {
		out := make([]Verdict, len(letters))
		for i, l := range letters {
			if out[i].Err = ctx.Err(); out[i].Err == nil {
				out[i].To, out[i].Err = one(ctx, l)
			}
		}
		return out
	}
}

const (
	maxHeader  = 64 << 10 // bytes to read of the header of an oversized letter
	batchCount = 50       // letters in one batch
	batchBytes = 8 << 20  // bytes in one fetch, unless a single letter has more
	maxBackoff = 5 * time.Minute
)

func (c Config) wire() wire.Server {
	return wire.Server{Addr: c.Addr, TLS: c.TLS, CAFile: c.CAFile, Dial: c.Dial, Certificate: c.Certificate}
}

// Check reports whether c is usable, without touching the network.
func (c Config) Check() error {
	_, err := c.complete()
	return err
}

// complete checks c and returns it with its defaults filled in.
func (c Config) complete() (Config, error) {
	if err := c.wire().Check(); err != nil {
		return c, fmt.Errorf("imap: %w", err)
	}
	if c.Secret == nil && c.PasswordFile != "" {
		c.Secret = login.File(c.PasswordFile)
	}
	if c.User == "" || c.Secret == nil {
		return c, errors.New("imap: it needs user, and password_file, password_command or [oauth]")
	}
	setDefault(&c.Folder, "INBOX")
	setDefault(&c.Folders.Done, "Angelpost/Done")
	setDefault(&c.Folders.Failed, "Angelpost/Failed")
	setDefault(&c.Folders.TooLarge, "Angelpost/Too large")
	setDefault(&c.Folders.Claim, "Angelpost/Claim")
	setDefault(&c.MaxLetter, 5<<20)
	setDefault(&c.Poll, 30*time.Second)
	setDefault(&c.IdleFor, time.Minute)
	setDefault(&c.Command, time.Minute)
	setDefault(&c.Backoff, time.Second)
	setDefault(&c.Retry, time.Minute)
	setDefault(&c.Pause, 5*time.Second)
	if c.At == nil {
		c.At = func(string) {}
	}
	if c.Round == nil {
		c.Round = func(error) {}
	}
	if c.IdleLate == nil {
		c.IdleLate = func(bool) {}
	}
	if c.Looking == nil {
		c.Looking = func() func() { return func() {} }
	}
	if c.Log == nil {
		c.Log = slog.Default()
	}
	for _, d := range []Disposition{Done, Failed, TooLarge} {
		if c.Folders.of(d) == c.Folder {
			return c, fmt.Errorf("imap: letters cannot be filed in %s, which is watched", c.Folder)
		}
	}
	if c.Folders.Claim == c.Folder {
		return c, fmt.Errorf("imap: %s is watched, no claim can be kept there", c.Folder)
	}
	if c.Junk != nil && slices.Contains([]string{c.Folder, c.Folders.Done, c.Folders.Failed, c.Folders.TooLarge, c.Folders.Claim}, c.Junk.Folder) {
		return c, fmt.Errorf("imap: %s is not a folder of spam", c.Junk.Folder)
	}
	return c, nil
}

func setDefault[T comparable](field *T, value T) {
	var zero T
	if *field == zero {
		*field = value
	}
}
