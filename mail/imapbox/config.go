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

// Config says which mailbox is watched and how. Addr, TLS, User and
// PasswordFile or Secret must be set; zero values of the rest mean what stands beside
// them.
type Config struct {
	Addr         string // host:port
	TLS          string // "tls", "starttls" or "none" (this machine only)
	CAFile       string // PEM roots; the system's
	User         string
	PasswordFile string       // its first line is the password; read at each login
	Secret       login.Secret // instead of PasswordFile
	Folder       string       // "INBOX"
	Folders      Folders

	// Tenure is the right to the mailbox: Run claims it, by a letter in Folders.Claim, and
	// ends when another server's claim counts. Nil: other servers are not looked for.
	Tenure *Tenure

	MaxLetter int64         // octets above which only the header is fetched; 5 MiB
	Poll      time.Duration // how often to look without IDLE; 30 s
	IdleFor   time.Duration // the longest IDLE; 1 min
	Command   time.Duration // watchdog of one command; 1 min
	Backoff   time.Duration // first wait before a new connection; 1 s
	Retry     time.Duration // first wait before a letter is offered again; 1 min
	Pause     time.Duration // first wait of all letters after ErrNotNow; 5 s

	// The watcher calls Round with nil after each pass over the folder, and with the
	// error when a pass fails and it will try again. Round must not block; it may be nil.
	Round func(err error)

	// Looking is called when a pass over the folder begins, and what it returns when the pass is
	// done and all letters that lay there have been offered to the Handler, which could work. Ask
	// has the watcher look at once. Both may be nil.
	Looking func() (done func())
	Ask     <-chan struct{}

	// IdleLate is called with false when Run begins, and with true when the server's IDLE is found
	// not to tell of letters, and is not used any more; nil for none.
	IdleLate func(late bool)

	// Junk is how letters in the folder of spam are found; nil: they stay there.
	Junk *Junk

	// Quota gets, every hour, how much of its quota the mailbox uses, in percent, or Unknown;
	// nil for none.
	Quota func(percent int)

	// Certificate is told the server's certificate at each connection, once it was
	// checked; nil for none.
	Certificate func(*x509.Certificate)

	// Owed lists letters, the oldest first, that did not come by the mailbox and are to be
	// in Folders.Done all the same; the watcher puts them there after each pass and calls
	// Paid with those it has put. Nil: there are none.
	Owed func(ctx context.Context, most int) ([]Owed, error)
	Paid func(ctx context.Context, ids []int64) error

	Log *slog.Logger // slog.Default
	// Dial replaces the TCP dialler, for tests.
	Dial func(ctx context.Context, network, addr string) (net.Conn, error)
	// At is told each fault point as it is passed, for tests: "fetch", letters
	// have been fetched and none of them handled; "file", handled ones are about
	// to be moved; "filed", they have been;
	// "owed", one of Owed is in Folders.Done; "paid", Paid has been called. Nil for none.
	At func(point string)
}

// Folders names where letters are filed, "/" between levels whatever the
// server's own sign is. They are created when missing. Zero values mean what
// stands beside them.
type Folders struct {
	Done     string // "Angelpost/Done"
	Failed   string // "Angelpost/Failed"
	TooLarge string // "Angelpost/Too large"
	Claim    string // "Angelpost/Claim"; no letters are filed there
}

// Disposition is where a letter goes once it has been dealt with.
type Disposition uint8

const (
	Done     Disposition = iota // applied, answered or rightly passed over
	Failed                      // set aside for a person to look at
	TooLarge                    // refused for its size
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
	UIDValidity uint32 // with UID a hint for logs, never a key
	UID         uint32
	Size        int64 // RFC822.SIZE: octets of the whole letter
	Raw         []byte
	// HeaderOnly says that the letter is above Config.MaxLetter and Raw holds
	// its header, or the first 64 KiB of it.
	HeaderOnly   bool
	InternalDate time.Time // when the server got it
}

// Handler deals with the letters of one fetch, oldest first, and returns for
// each, in the same order, what became of it: without an error once what it did
// with that letter has been committed. It is called from one goroutine and may
// be given letters it has already dealt with.
type Handler func(ctx context.Context, letters []Fetched) []Verdict

// A Verdict is what became of one letter. With Err the letter stays where it
// is and is offered again later, and To means nothing.
type Verdict struct {
	To  Disposition
	Err error
}

// ErrNotNow, wrapped in a Verdict's Err, says that no letter can be dealt with
// for the moment, and that it is no letter's fault: the disk is full, say. All
// letters wait then, for Config.Pause at first.
var ErrNotNow = errors.New("letters cannot be dealt with for the moment")

// Each is a Handler that takes letters one at a time, until ctx ends.
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
	maxHeader  = 64 << 10 // octets of the header of an oversized letter
	batchCount = 50       // letters asked for at once
	batchBytes = 8 << 20  // octets of them, unless one has more
	maxBackoff = 5 * time.Minute
)

func (c Config) wire() wire.Server {
	return wire.Server{Addr: c.Addr, TLS: c.TLS, CAFile: c.CAFile, Dial: c.Dial, Certificate: c.Certificate}
}

// Check says whether c can be used at all, without touching the network.
func (c Config) Check() error {
	_, err := c.complete()
	return err
}

// complete checks c and fills in its defaults.
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
