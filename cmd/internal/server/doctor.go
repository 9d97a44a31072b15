package server

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"time"

	"angelpost/db"
	"angelpost/engine/match/look"
	"angelpost/engine/store"
	"angelpost/mail/imapbox"
	"angelpost/mail/letter"
	"angelpost/mail/lmtp"
	"angelpost/mail/outbox"
)

// A complaint is a check's failure and what the host can do about it.
type complaint struct {
	err  error
	mend string
	warn bool // it works all the same
}

func runDoctor(args []string, stdout, stderr io.Writer) int {
	fs := flags("doctor", "", stderr)
	path := configFlag(fs)
	wait := fs.Duration("wait", time.Minute, "how long to wait for the letter it writes to itself")
	if code := parse(fs, args, 0); code != goOn {
		return code
	}
	c, err := LoadConfig(*path)
	if err != nil {
		return exit(stderr, "doctor", err)
	}
	ctx, stop := untilStopped()
	defer stop()
	quiet := slog.New(slog.DiscardHandler)
	box := c.mailbox(quiet)
	healthy := true
	check := func(name, good string, f func(ctx context.Context) *complaint) bool {
		ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
		if name == "address" {
			ctx, cancel = context.WithTimeout(ctx, *wait)
		}
		defer cancel()
		if p := f(ctx); p != nil && p.warn {
			fmt.Fprintf(stdout, "%s=warn %s. %s\n", name, oneLine(p.err), p.mend)
			return true
		} else if p != nil {
			healthy = false
			fmt.Fprintf(stdout, "%s=fail %s. %s\n", name, oneLine(p.err), p.mend)
			return false
		}
		fmt.Fprintf(stdout, "%s=ok %s\n", name, good)
		return true
	}
	opened := check("database", c.Path(c.Database), func(ctx context.Context) *complaint {
		d, err := db.OpenToRead(ctx, c.Path(c.Database))
		if err == nil {
			box, err = c.claiming(ctx, box, d)
			return complain(errors.Join(err, d.Close()), c.mendDatabase())
		}
		if db.Damaged(err) {
			return complain(err, c.mendDatabase())
		}
		return complain(err, "The folder must exist and be writable by this user.")
	})
	if opened {
		check("file", "SQLite finds no damage", func(ctx context.Context) *complaint { return c.checkFile(ctx) })
		check("games", "all stored games can be read", func(ctx context.Context) *complaint { return c.checkGames(ctx, quiet) })
	}
	check("backup", c.Path(c.Backup.Folder), func(context.Context) *complaint {
		b := c.backups()
		if b.folder == "" {
			return &complaint{errors.New("the server makes no daily backups"), "Set backup.folder, or copy the database with `angelpost backup`.", true}
		}
		return complain(b.trouble(time.Now()), "The log of `angelpost serve` says why. "+c.mendBackup(nil))
	})
	if c.Replica.Litestream != "" {
		check("replica", c.Path(c.Replica.Litestream), c.checkReplica)
	}

	check("privacy", "/privacy names "+c.Privacy.Host+" and "+c.Privacy.Contact, func(context.Context) *complaint { return c.checkPrivacy() })
	if c.Set != "" || len(c.Sets) > 0 {
		check("sets", strings.Join(append([]string{c.Set}, c.Sets...), " "), func(context.Context) *complaint {
			_, _, err := c.openSets()
			return complain(err, "`angelpost components check` lists every fault of a directory.")
		})
	}
	if err := c.files(); err != nil {
		check("password", "", func(context.Context) *complaint {
			return complain(err, "The first line of such a file is the password.")
		})
	}
	for _, f := range c.secrets() {
		mode, yes, err := exposed(f.path)
		switch {
		case err != nil: // told before
		case yes:
			fmt.Fprintf(stdout, "password=warn %s: other users of this machine may read %s (mode %s). chmod 600 %[2]s\n", f.key, f.path, mode)
		default:
			fmt.Fprintf(stdout, "password=ok %s\n", f.path)
		}
	}
	mailbox := check("mailbox", c.IMAP.User+" at "+c.IMAP.Addr, func(ctx context.Context) *complaint {
		err := imapbox.Check(ctx, box)
		claimed, rival := new(imapbox.Claimed), new(imapbox.Rival)
		switch {
		case errors.As(err, &rival) && rival.Ours:
			return &complaint{err, "Make sure that it is not running; this warning goes when this server restarts.", true}
		case errors.As(err, &rival):
			return &complaint{err, "`angelpost serve` takes the mailbox over from it, and it stops.", true}
		case errors.As(err, &claimed) && claimed.Copy:
			return complain(err, "If that one is stopped for good, start this one with `angelpost serve -take`.")
		case errors.As(err, &claimed):
			return complain(err, "Or start this one with `angelpost serve -take`.")
		}
		return complain(err, "Check imap.addr, imap.tls, imap.user and the password file; some providers require an app password.")
	})
	sends := check("smtp", c.SMTP.Addr, func(ctx context.Context) *complaint {
		return complain(c.outboxServer().Try(ctx), "Check smtp.addr, smtp.tls, smtp.user and the password file.")
	})
	var itself []byte // the letter, as it arrived
	if mailbox && sends {
		check("address", c.Address, func(ctx context.Context) (p *complaint) {
			itself, p = c.writeToItself(ctx, box)
			return p
		})
	} else {
		healthy = false
		fmt.Fprintln(stdout, "address=fail It needs mailbox and smtp. Fix those first.")
	}
	c.checkDNS(ctx, net.DefaultResolver, itself, func(name, found string, wrong *complaint) {
		check(name, found, func(context.Context) *complaint { return wrong })
	})
	good, wrong := c.checkSenders(ctx, net.DefaultResolver)
	check("senders", good, func(context.Context) *complaint { return wrong })
	// Before serve runs no one answers there.
	serves := listening(ctx, c.HTTP.Addr)
	started := func(p *complaint) *complaint {
		if p != nil && !serves {
			return &complaint{errors.New("the server does not run yet"), "Start `angelpost serve`, then run doctor again.", true}
		}
		return p
	}
	if c.LMTP.Addr != "" {
		check("lmtp", c.LMTP.Addr, func(ctx context.Context) *complaint {
			return started(complain(lmtp.Try(ctx, c.lmtpAddr(), c.Plain()), "Start `angelpost serve`, which takes letters there."))
		})
	}
	check("url", c.HTTP.BaseURL, func(ctx context.Context) *complaint {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, strings.TrimRight(c.HTTP.BaseURL, "/")+"/robots.txt", nil)
		if err == nil {
			var res *http.Response
			if res, err = http.DefaultClient.Do(req); err == nil {
				res.Body.Close()
				if res.StatusCode != http.StatusOK {
					err = fmt.Errorf("it answers %s", res.Status)
				}
			}
		}
		return started(complain(err, "Start `angelpost serve`, and make your web server pass http.base_url on to http.addr."))
	})
	if !healthy {
		return exitNo
	}
	return exitYes
}

// listening reports whether a program listens at an address of this machine.
func listening(ctx context.Context, addr string) bool {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", addr)
	if err == nil {
		conn.Close()
	}
	return err == nil
}

// mendDatabase says what to do about a damaged database.
func (c *Config) mendDatabase() string {
	return fmt.Sprintf("Stop the server. Move %s and the files %[1]s-wal and %[1]s-shm to another folder and keep them. Copy your newest backup to %[1]s and start the server.", c.Path(c.Database))
}

// checkFile has SQLite look for damage in the database.
func (c *Config) checkFile(ctx context.Context) *complaint {
	d, err := db.OpenAsIs(ctx, c.Path(c.Database))
	if err == nil {
		err = errors.Join(d.Check(ctx), d.Close())
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return &complaint{errors.New("the file is too large to check now"), "`angelpost backup` checks it, however long that takes.", true}
	}
	return complain(err, c.mendDatabase())
}

// maxSpoilt bounds how many games doctor names.
const maxSpoilt = 5

// checkGames reads and replays every stored game.
func (c *Config) checkGames(ctx context.Context, log *slog.Logger) *complaint {
	s, err := openWith(ctx, c, log, db.OpenToRead)
	if err != nil {
		return complain(err, "`angelpost verify -all` needs them, too.")
	}
	defer s.Close()
	n, names := 0, []string{}
	err = s.Desk.Host().VerifyAll(ctx, func(g look.Check) error {
		if g.Err != nil || g.Difference != nil {
			if n++; n <= maxSpoilt {
				names = append(names, g.Game)
			}
		}
		return ctx.Err()
	})
	if n > 0 {
		spoilt := strings.Join(names, ", ")
		if n > maxSpoilt {
			spoilt += fmt.Sprintf(" and %d more", n-maxSpoilt)
		}
		return complain(fmt.Errorf("cannot be read, or differ from what was played: %s", spoilt),
			"`angelpost verify -all` says why. If a game's log is damaged: "+c.mendDatabase())
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return &complaint{errors.New("too many games to check now"), "`angelpost verify -all` reads all of them.", true}
	}
	return complain(err, c.mendDatabase())
}

func complain(err error, mend string) *complaint {
	if err == nil {
		return nil
	}
	return &complaint{err: err, mend: mend}
}

// arrived waits for a letter with a Message-ID and returns its bytes. It looks
// into the mailbox and, where letters may come past it, at what the server has
// stored.
func (c *Config) arrived(ctx context.Context, box imapbox.Config, id string) ([]byte, error) {
	var boxed, stored []byte
	parts := []func(context.Context) error{func(ctx context.Context) error {
		f, err := imapbox.Await(ctx, box, id)
		boxed = f.Raw
		return err
	}}
	if c.LMTP.Addr != "" {
		parts = append(parts, func(ctx context.Context) (err error) {
			stored, err = c.stored(ctx, id)
			return err
		})
	}
	err := together(ctx, parts...)
	switch {
	case boxed != nil:
		return boxed, nil
	case stored != nil:
		return stored, nil
	}
	return nil, err
}

// stored waits for a letter in the ledger, until ctx ends.
func (c *Config) stored(ctx context.Context, id string) (raw []byte, err error) {
	d, err := db.Open(ctx, c.Path(c.Database))
	if err != nil {
		return nil, err
	}
	defer d.Close()
	for err == nil && raw == nil {
		err = d.View(ctx, func(tx store.Tx) error {
			same, err := tx.SameLetter(id)
			if err != nil || len(same) == 0 {
				return err
			}
			l, err := tx.Letter(same[0].ID)
			raw = l.Raw
			return err
		})
		select {
		case <-ctx.Done():
			return raw, ctx.Err()
		case <-time.After(200 * time.Millisecond):
		}
	}
	return raw, err
}

// oneLine keeps a line of output a line.
func oneLine(err error) string {
	return strings.TrimRight(strings.Join(strings.Fields(err.Error()), " "), ".")
}

// writeToItself sends a letter to a token address and looks for it in the
// mailbox: the only proof that answers will arrive with their token.
func (c *Config) writeToItself(ctx context.Context, box imapbox.Config) (got []byte, p *complaint) {
	token := strings.ToLower(rand.Text()) // base32, as all tokens
	id := "doctor." + token + "@" + c.host()
	m := outbox.Message{
		From: outbox.Address{Addr: c.Plain()}, To: outbox.Address{Addr: strings.Replace(c.Address, "{token}", token, 1)},
		Subject: "Angelpost writes to itself", Date: time.Now(), MessageID: id,
		Headers: map[string]string{"X-Angelpost-Kind": "info"},
		Text:    "This letter checks that answers reach the server. You can delete it.\n",
	}
	raw, err := outbox.Compose(m)
	if err != nil {
		return got, complain(err, "Check address.")
	}
	signer, err := c.signer()
	if err == nil && signer != nil {
		raw, err = signer.Sign(raw)
	}
	if err != nil {
		return nil, complain(err, "Check [dkim].")
	}
	if err := outbox.SendOne(ctx, c.outboxServer(), outbox.Letter{From: c.Plain(), To: m.To.Addr}, raw); err != nil {
		return got, complain(err, "The server must accept letters from and to the address with a token in it.")
	}
	got, err = c.arrived(ctx, box, id)
	if err != nil {
		if errors.Is(err, context.DeadlineExceeded) {
			err = errors.New("the letter was sent, but did not arrive in the mailbox")
		}
		return got, complain(err, "Deliver plus addresses (or the whole domain) into this mailbox; check the spam folder.")
	}
	if l := letter.Open(got, letter.Options{Address: c.Address}); l.Token != token {
		return got, complain(errors.New("the letter arrived, but its token was lost on the way"), "The mail server must keep the address with its token in To or Delivered-To.")
	}
	return got, nil
}
