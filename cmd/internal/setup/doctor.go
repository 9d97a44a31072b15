// Package setup implements the commands that set up a server: init, login, dkim, and doctor,
// which reports what is still wrong.
package setup

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"angelpost/cmd/internal/cli"
	"angelpost/cmd/internal/server"
	"angelpost/db"
	"angelpost/db/replica"
	"angelpost/engine/match/look"
	"angelpost/engine/store"
	"angelpost/mail/imapbox"
	"angelpost/mail/letter"
	"angelpost/mail/lmtp"
	"angelpost/mail/outbox"
)

// A complaint is why a check failed, and what the host can do about it.
type complaint struct {
	err  error
	mend string
	warn bool // only a warning: the server works without it
}

// RunDoctor is the main function of doctor.
func RunDoctor(args []string, stdout, stderr io.Writer) int {
	fs := cli.Flags("doctor", "", stderr)
	path := cli.ConfigFlag(fs)
	wait := fs.Duration("wait", time.Minute, "how long to wait for the letter it writes to itself")
	if code := cli.Parse(fs, args, 0); code != cli.GoOn {
		return code
	}
	c, err := server.LoadConfig(*path)
	if err != nil {
		return cli.Exit(stderr, "doctor", err)
	}
	ctx, stop := cli.UntilStopped()
	defer stop()
	quiet := slog.New(slog.DiscardHandler)
	box := c.Mailbox(quiet)
	healthy := true
	check := func(name, good string, f func(ctx context.Context) *complaint) bool {
		ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
		if name == "address" || name == "former" {
			ctx, cancel = context.WithTimeout(ctx, *wait)
		}
		defer cancel()
		if p := f(ctx); p != nil && p.warn {
			fmt.Fprintf(stdout, "%s=warn %s. %s\n", name, cli.OneLine(p.err), p.mend)
			return true
		} else if p != nil {
			healthy = false
			fmt.Fprintf(stdout, "%s=fail %s. %s\n", name, cli.OneLine(p.err), p.mend)
			return false
		}
		fmt.Fprintf(stdout, "%s=ok %s\n", name, good)
		return true
	}
	made := cli.Exists(c.Path(c.Database))
	opened := check("database", c.Path(c.Database), func(ctx context.Context) *complaint {
		if !made {
			box = c.Unclaimed(box)
			return unmade(c.Path(c.Database))
		}
		d, err := db.OpenToRead(ctx, c.Path(c.Database))
		if err == nil {
			box, err = c.Claiming(ctx, box, d)
			return complain(errors.Join(err, d.Close()), c.MendDatabase())
		}
		if db.Damaged(err) {
			return complain(err, c.MendDatabase())
		}
		return complain(err, "The folder must exist and be writable by this user.")
	})
	if opened && made {
		check("file", "SQLite finds no damage", func(ctx context.Context) *complaint { return checkFile(ctx, c) })
		check("games", "all stored games can be read", func(ctx context.Context) *complaint { return checkGames(ctx, c, quiet) })
	}
	check("backup", c.Path(c.Backup.Folder), func(context.Context) *complaint {
		b := c.Backups()
		if b.Folder == "" {
			return &complaint{errors.New("the server makes no daily backups"), "Set backup.folder, or copy the database with `angelpost backup`.", true}
		}
		return complain(b.Trouble(time.Now()), "The log of `angelpost serve` says why. "+c.MendBackup(nil))
	})
	if c.Replica.Litestream != "" {
		check("replica", c.Path(c.Replica.Litestream), func(ctx context.Context) *complaint { return checkReplica(ctx, c) })
	}

	check("privacy", "/privacy names "+c.Privacy.Host+" and "+c.Privacy.Contact, func(context.Context) *complaint { return checkPrivacy(c) })
	if c.Set != "" || len(c.Sets) > 0 {
		check("sets", strings.Join(append([]string{c.Set}, c.Sets...), " "), func(context.Context) *complaint {
			_, _, err := c.OpenSets()
			return complain(err, "`angelpost components check` lists every fault of a directory.")
		})
	}
	if err := c.Files(); err != nil {
		check("password", "", func(context.Context) *complaint {
			return complain(err, "The first line of such a file is the password.")
		})
	}
	for _, f := range c.Secrets() {
		mode, yes, err := exposed(f.Path)
		switch {
		case err != nil: // the password check has reported it
		case yes:
			fmt.Fprintf(stdout, "password=warn %s: other users of this machine may read %s (mode %s). chmod 600 %[2]s\n", f.Key, f.Path, mode)
		default:
			fmt.Fprintf(stdout, "password=ok %s\n", f.Path)
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
	if mailbox {
		good, wrong := checkNotice(ctx, box, noticeWait)
		check("notice", good, func(context.Context) *complaint { return wrong })
		facts, err := survey(ctx, box)
		check("uidplus", "the mail server can delete single letters", func(context.Context) *complaint { return checkDeleting(facts, err) })
		if box.Junk != nil && err == nil {
			good, wrong := checkJunk(c, facts)
			check("junk", good, func(context.Context) *complaint { return wrong })
		}
		if facts.Used != imapbox.Unknown {
			check("quota", fmt.Sprintf("the mailbox uses %d %%", facts.Used), func(context.Context) *complaint { return checkQuota(facts) })
		}
	}
	sends := check("smtp", c.SMTP.Addr, func(ctx context.Context) *complaint {
		return complain(c.OutboxServer().Try(ctx), "Check smtp.addr, smtp.tls, smtp.user and the password file.")
	})
	if p := checkTokens(c); p != nil {
		check("tokens", "", func(context.Context) *complaint { return p })
	}
	var itself []byte // the letter that doctor wrote to itself, as it arrived
	if mailbox && sends {
		check("address", c.Address, func(ctx context.Context) (p *complaint) {
			itself, p = writeToItself(ctx, c, box, c.Address)
			return p
		})
		for _, former := range c.Former {
			check("former", former, func(ctx context.Context) *complaint {
				_, p := writeToItself(ctx, c, box, former)
				if p != nil {
					p.mend = "Players still answer letters from there. Have its mail delivered into this mailbox, or take it out of former_addresses."
				}
				return p
			})
		}
	} else {
		healthy = false
		fmt.Fprintln(stdout, "address=fail It needs mailbox and smtp. Fix those first.")
	}
	checkDNS(ctx, c, net.DefaultResolver, itself, func(name, found string, wrong *complaint) {
		check(name, found, func(context.Context) *complaint { return wrong })
	})
	good, wrong := checkSenders(ctx, c, net.DefaultResolver)
	check("senders", good, func(context.Context) *complaint { return wrong })
	// Until `angelpost serve` runs, nothing answers at its addresses.
	serves := listening(ctx, c.HTTP.Addr)
	started := func(p *complaint) *complaint {
		if p != nil && !serves {
			return &complaint{errors.New("the server does not run yet"), "Start `angelpost serve`, then run doctor again.", true}
		}
		return p
	}
	if c.LMTP.Addr != "" {
		check("lmtp", c.LMTP.Addr, func(ctx context.Context) *complaint {
			for _, to := range append([]string{c.Plain()}, c.FormerPlain()...) {
				if err := lmtp.Try(ctx, c.LmtpAddr(), to); err != nil {
					return started(complain(fmt.Errorf("%s: %w", to, err), "Start `angelpost serve`, which takes letters there; if it runs, restart it: it has other addresses."))
				}
			}
			return nil
		})
	}
	check("url", c.HTTP.BaseURL, func(ctx context.Context) *complaint {
		_, err := leadsTo(ctx, c.HTTP.BaseURL)
		return started(complain(err, "Start `angelpost serve`, and make your web server pass http.base_url on to http.addr, with its path as it is."))
	})
	for _, former := range c.HTTP.Former {
		check("former", former, func(ctx context.Context) *complaint {
			at, err := leadsTo(ctx, former)
			if base := strings.TrimRight(c.HTTP.BaseURL, "/"); err == nil && !strings.HasPrefix(at, base+"/") {
				err = fmt.Errorf("it leads to %s, not to base_url", at)
			}
			return started(complain(err, "Links in older letters lead there. Have your web server pass it on to http.addr, with its host and path as they are, or take it out of http.former_urls."))
		})
	}
	for _, of := range c.Siblings {
		check("sibling", of.Shard+" at "+of.URL, func(ctx context.Context) *complaint { return checkSibling(ctx, c, of) })
	}
	if !healthy {
		return cli.ExitNo
	}
	return cli.ExitYes
}

const (
	noticeSoon = 5 * time.Second // a server that reports a letter later than this gets a warning
	noticeWait = 15 * time.Second
)

// checkNotice measures how long the mail server takes to report a new letter, and waits for
// most.
func checkNotice(ctx context.Context, box imapbox.Config, most time.Duration) (good string, wrong *complaint) {
	ctx, cancel := context.WithTimeout(ctx, 2*noticeWait)
	defer cancel()
	switch after, err := imapbox.Notice(ctx, box, most); {
	case errors.Is(err, imapbox.ErrNoIdle):
		return "the mail server has no IDLE: the server looks every 30 seconds", nil
	case errors.Is(err, imapbox.ErrNotTold):
		return "", &complaint{fmt.Errorf("the mail server advertises IDLE, but did not tell of a new letter within %v", most), server.SetIdle + ". Until then it looks every 30 seconds.", true}
	case err != nil:
		return "", &complaint{err, "Run doctor again.", true}
	case after > noticeSoon:
		return "", &complaint{fmt.Errorf("the mail server told of a new letter after %v", after.Round(time.Second)), server.SetIdle + ".", true}
	default:
		return fmt.Sprintf("the mail server told of a new letter after %.1f s", after.Seconds()), nil
	}
}

func survey(ctx context.Context, box imapbox.Config) (imapbox.Facts, error) {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	f, err := imapbox.Survey(ctx, box)
	if err != nil {
		f.Used = imapbox.Unknown
	}
	return f, err
}

// checkDeleting warns about servers without UIDPLUS, which can only expunge all letters in a
// folder that are flagged as deleted.
func checkDeleting(f imapbox.Facts, err error) *complaint {
	if err != nil {
		return &complaint{err, "Run doctor again.", true}
	}
	if f.UIDPlus {
		return nil
	}
	return &complaint{errors.New("the mail server has no UIDPLUS: when the server deletes letters (keep_days, `forget me`), those go, too, that others have flagged as deleted in the same folder"),
		"Flag no letters in the server's folders that you want to keep.", true}
}

// checkJunk reports what happens to letters that the mail server takes for spam.
func checkJunk(c *server.Config, f imapbox.Facts) (good string, wrong *complaint) {
	switch named := c.Mailbox(nil).Junk.Folder; {
	case f.Junk == "" && named != "":
		return "", &complaint{fmt.Errorf("the mailbox has no folder %s", named), "Check imap.junk.", true}
	case f.Junk == "":
		return "the server finds no folder of spam; if there is one, name it in imap.junk", nil
	case !c.Checks():
		return "the server lists letters in " + f.Junk + " that answer its own, and moves none: nothing proves who wrote them", nil
	default:
		return "the server moves letters from " + f.Junk + " to the inbox if they answer its own and it is proven who wrote them", nil
	}
}

func checkQuota(f imapbox.Facts) *complaint {
	switch err := fmt.Errorf("the mailbox uses %d %% of its quota", f.Used); {
	case f.Used >= 100:
		return complain(err, "No letters reach the server any more. Ask your provider for more room, or set a lower keep_days.")
	case f.Used >= server.NearlyFull:
		return &complaint{err, "Ask your provider for more room, or set a lower keep_days.", true}
	}
	return nil
}

// notArrived returns why the letter that doctor wrote to itself did not arrive. used returns
// the percentage of the quota that the mailbox uses.
func notArrived(ctx context.Context, c *server.Config, err error, used func() int) *complaint {
	if !errors.Is(err, context.DeadlineExceeded) {
		return complain(err, "Check [imap].")
	}
	if c.LMTP.Addr != "" {
		ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
		defer cancel()
		closed := new(net.OpError)
		if errors.As(lmtp.Try(ctx, c.LmtpAddr(), c.Plain()), &closed) && closed.Op == "dial" {
			return &complaint{errors.New("the letter was sent, but did not arrive: the server takes letters by LMTP at " + c.LMTP.Addr + ", and only while it runs"),
				"Start `angelpost serve`, then run doctor again. Your mail server delivers the letter once it can.", true}
		}
	}
	if errors.Is(err, imapbox.ErrBrokeOff) {
		return complain(fmt.Errorf("the letter was sent, and the connection to the mailbox broke off each time doctor looked: %w", err), "Run doctor again. If it stays like that, the log of the mail server says why.")
	}
	if used := used(); used >= 100 {
		return complain(fmt.Errorf("the letter was sent, but did not arrive: the mailbox is full (%d %% of its quota)", used), "Ask your provider for more room, or set a lower keep_days.")
	}
	return complain(errors.New("the letter was sent, but did not arrive in the mailbox"), "Deliver plus addresses (or the whole domain) into this mailbox; check the spam folder.")
}

// leadsTo requests a page of the site at an address, and returns its URL after redirects.
func leadsTo(ctx context.Context, address string) (at string, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, strings.TrimRight(address, "/")+"/robots.txt", nil)
	if err != nil {
		return "", err
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return "", err
	}
	res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return "", fmt.Errorf("it answers %s", res.Status)
	}
	return res.Request.URL.String(), nil
}

// listening reports whether a program listens on an address of this machine.
func listening(ctx context.Context, addr string) bool {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", addr)
	if err == nil {
		conn.Close()
	}
	return err == nil
}

// checkTokens warns if the mail address is too long for whole tokens.
func checkTokens(c *server.Config) *complaint {
	if c.WholeTokens() {
		return nil
	}
	return &complaint{fmt.Errorf("the address %s leaves too little room for tokens", c.Address), "After a restore, the server won't recognise answers to letters that it sent after the copy was made. Use an address with fewer characters before the @.", true}
}

// unmade reports that the database does not exist yet. The first start of the server makes
// it, so unmade also checks that the folder is writable.
func unmade(path string) *complaint {
	f, err := os.CreateTemp(filepath.Dir(path), ".doctor-*")
	if err != nil {
		return complain(err, "The folder must exist and be writable by this user.")
	}
	if err := errors.Join(f.Close(), os.Remove(f.Name())); err != nil {
		return complain(err, "The folder must exist and be writable by this user.")
	}
	return &complaint{fmt.Errorf("there is no file %s yet", path), "The first start of the server makes it. If you had one, see `database` in the configuration.", true}
}

// checkFile has SQLite look for damage in the database.
func checkFile(ctx context.Context, c *server.Config) *complaint {
	d, err := db.OpenAsIs(ctx, c.Path(c.Database))
	if err == nil {
		err = errors.Join(d.Check(ctx), d.Close())
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return &complaint{errors.New("the file is too large to check now"), "`angelpost backup` checks it, however long that takes.", true}
	}
	return complain(err, c.MendDatabase())
}

// maxSpoilt is how many damaged games doctor names at most.
const maxSpoilt = 5

// checkGames reads and replays every stored game.
func checkGames(ctx context.Context, c *server.Config, log *slog.Logger) *complaint {
	s, err := server.OpenWith(ctx, c, log, db.OpenToRead)
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
			"`angelpost verify -all` says why. If a game is played by a version of the rules that this program does not know, install the release that served it last, or a later one. If a game's log is damaged: "+c.MendDatabase())
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return &complaint{errors.New("too many games to check now"), "`angelpost verify -all` reads all of them.", true}
	}
	return complain(err, c.MendDatabase())
}

func complain(err error, mend string) *complaint {
	if err == nil {
		return nil
	}
	return &complaint{err: err, mend: mend}
}

// arrived waits for a letter with a Message-ID and returns its bytes. It looks in the mailbox
// and, if letters may also come by LMTP, among the letters that the server has stored.
func arrived(ctx context.Context, c *server.Config, box imapbox.Config, id string) ([]byte, error) {
	var boxed, found []byte
	parts := []func(context.Context) error{func(ctx context.Context) error {
		f, err := imapbox.Await(ctx, box, id)
		boxed = f.Raw
		return err
	}}
	if c.LMTP.Addr != "" {
		parts = append(parts, func(ctx context.Context) (err error) {
			found, err = stored(ctx, c, id)
			return err
		})
	}
	err := server.Together(ctx, parts...)
	switch {
	case boxed != nil:
		return boxed, nil
	case found != nil:
		return found, nil
	}
	return nil, err
}

// stored waits for a letter with a Message-ID in the server's database, until ctx ends.
func stored(ctx context.Context, c *server.Config, id string) (raw []byte, err error) {
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

// writeToItself sends a letter to one of the server's addresses, with a token, and looks for
// it in the mailbox. Nothing else proves that replies will arrive with their token.
func writeToItself(ctx context.Context, c *server.Config, box imapbox.Config, pattern string) (got []byte, p *complaint) {
	token := strings.ToLower(rand.Text()) // base32, like all tokens
	id := "doctor." + token + "@" + c.Host()
	m := outbox.Message{
		From: outbox.Address{Addr: c.Plain()}, To: outbox.Address{Addr: strings.Replace(pattern, "{token}", token, 1)},
		Subject: "Angelpost writes to itself", Date: time.Now(), MessageID: id,
		Headers: map[string]string{"X-Angelpost-Kind": "info"},
		Text:    "This letter checks that answers reach the server. You can delete it.\n",
	}
	raw, err := outbox.Compose(m)
	if err != nil {
		return got, complain(err, "Check address.")
	}
	signer, err := c.Signer()
	if err == nil && signer != nil {
		raw, err = signer.Sign(raw)
	}
	if err != nil {
		return nil, complain(err, "Check [dkim].")
	}
	if err := outbox.SendOne(ctx, c.OutboxServer(), outbox.Letter{From: c.Plain(), To: m.To.Addr}, raw); err != nil {
		return got, complain(err, "The server must accept letters from and to the address with a token in it.")
	}
	got, err = arrived(ctx, c, box, id)
	if err != nil {
		ctx = context.WithoutCancel(ctx)
		return got, notArrived(ctx, c, err, func() int { f, _ := survey(ctx, box); return f.Used })
	}
	if l := letter.Open(got, letter.Options{Address: c.Address, Former: c.Former}); l.Token != token {
		return got, complain(errors.New("the letter arrived, but its token was lost on the way"), "The mail server must keep the address with its token in To or Delivered-To.")
	}
	return got, nil
}

// checkReplica checks that Litestream is running and has copied everything, and that the
// replica can be restored.
func checkReplica(ctx context.Context, c *server.Config) *complaint {
	d, err := db.OpenToRead(ctx, c.Path(c.Database))
	if err != nil {
		return complain(err, "See database.")
	}
	defer d.Close()
	r, err := c.NewReplica(d, replica.Config{Patience: 5 * time.Second, Log: slog.New(slog.DiscardHandler)})
	if err == nil {
		r.GoOn = false
		err = r.Wait(ctx)
		r.Close()
	}
	if err == nil {
		return tryReplica(ctx, c)
	}
	return complain(err, "Litestream must run on this machine, with its socket enabled at this path, and list the database in its configuration by its full path.")
}

// tryReplica restores the replica: even if Litestream has copied everything, the copies may
// be unreadable.
func tryReplica(ctx context.Context, c *server.Config) *complaint {
	switch err := c.RestoreReplica(ctx); {
	case errors.Is(err, exec.ErrNotFound):
		return &complaint{errors.New("it has everything; whether it can be restored was not tried"), "Have `litestream` in the PATH of doctor.", true}
	case errors.Is(err, server.ErrNoRoom):
		return &complaint{errors.New("it has everything; whether it can be restored was not tried: the disk of the database has too little room"), "Try `litestream restore` on another disk.", true}
	case errors.Is(err, context.DeadlineExceeded):
		return &complaint{errors.New("it has everything, and is too large to restore now"), "Try `litestream restore` yourself.", true}
	default:
		return complain(err, "A machine that takes over, or a restore, could not read it. If Litestream's configuration is not /etc/litestream.yml, set LITESTREAM_CONFIG. If the replica is damaged, stop the server and Litestream, move the replica away, remove what Litestream keeps next to the database (-litestream), and start both: Litestream copies all of it again.")
	}
}

// checkPrivacy warns if the privacy page does not say who runs the server, or how long the
// replica is kept.
func checkPrivacy(c *server.Config) *complaint {
	if c.Privacy.Copies == 0 && c.Copied() {
		return &complaint{errors.New("the page /privacy does not say for how long the replica is kept"), "Set privacy.copies_days.", true}
	}
	if c.Privacy.Host != "" && c.Privacy.Contact != "" {
		return nil
	}
	return &complaint{errors.New("the page /privacy lacks your name, or an address for questions"), "Set privacy.host and privacy.contact.", true}
}

// exposed reports whether other users of this machine may read a file, and returns its mode
// in octal. The file's group may read it if another user owns the file: then this user needs
// the group.
func exposed(path string) (mode string, yes bool, err error) {
	i, err := os.Stat(path)
	if err != nil {
		return "", false, err
	}
	others := fs.FileMode(0o044)
	if s, ok := i.Sys().(*syscall.Stat_t); ok && int(s.Uid) != os.Geteuid() {
		others = 0o004
	}
	return fmt.Sprintf("%04o", i.Mode().Perm()), i.Mode().Perm()&others != 0, nil
}
