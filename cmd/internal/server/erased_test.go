package server

import (
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"testing"
	"time"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapclient"

	"angelpost/cmd/internal/mailclient"
	"angelpost/cmd/internal/program"
	"angelpost/db"
	"angelpost/engine/match/unit"
	"angelpost/engine/store"
	"angelpost/mail/imapbox"
	"angelpost/mail/mailhost"
	"angelpost/templates"
)

// TestErasedInTheMailbox: the letters of an erased player are deleted in the
// mailbox, once; not those that came later.
func TestErasedInTheMailbox(t *testing.T) {
	s, host, box := boxed(t)
	for i, from := range []string{"ada@home.test", "bo@home.test", "ada@home.test"} {
		filed(t, box, from, time.Now().Add(time.Duration(i-1)*time.Hour))
	}
	err := s.DB.Update(t.Context(), func(tx store.Tx) error {
		p := store.Player{Address: "ada@home.test", Name: "Ada", Created: time.Now()}
		if err := tx.AddPlayer(&p); err != nil {
			return err
		}
		return tx.Erase(p.ID, time.Now(), "Former player 1", unit.Mailbox)
	})
	if err != nil {
		t.Fatal(err)
	}
	s.forgetErased(t.Context())
	if left, err := s.DB.Erased(t.Context()); len(left) > 0 || err != nil {
		t.Errorf("still to do: %v %v", left, err)
	}
	if got, err := box.Select("Angelpost/Done", nil).Wait(); err != nil || got.NumMessages != 2 {
		t.Errorf("%+v %v", got, err)
	}
	host.Close()
	err = s.DB.Update(t.Context(), func(tx store.Tx) error {
		p := store.Player{Address: "cy@home.test", Name: "Cy", Created: time.Now()}
		if err := tx.AddPlayer(&p); err != nil {
			return err
		}
		return tx.Erase(p.ID, time.Now(), "Former player 2", unit.Mailbox)
	})
	if err != nil {
		t.Fatal(err)
	}
	s.forgetErased(t.Context())
	if left, err := s.DB.Erased(t.Context()); len(left) != 1 || left[0].Address != "cy@home.test" || err != nil {
		t.Errorf("forgotten while the mailbox was away: %v %v", left, err)
	}
}

// TestRestoreLeavesErased: restore takes a letter that the database does not know, but none of an
// erased player's from before.
func TestRestoreLeavesErased(t *testing.T) {
	s, _, _ := boxed(t)
	now := time.Now()
	err := s.DB.Update(t.Context(), func(tx store.Tx) error {
		p := store.Player{Address: "ada@home.test", Name: "Ada", Created: now}
		if err := tx.AddPlayer(&p); err != nil {
			return err
		}
		return tx.Erase(p.ID, now, "Former player 1", unit.Mailbox)
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []struct {
		head    string
		arrived time.Time
		want    bool
	}{
		{"From: Ada <ADA@home.test>\r\nMessage-ID: <1@home.test>\r\n\r\n", now.Add(-time.Hour), false},
		{"From: Ada <ada@home.test>\r\nDate: Fri, 27 Nov 2026 10:00:00 +0000\r\n\r\n", now.Add(-time.Hour), false},
		{"From: Ada <ada@home.test>\r\nMessage-ID: <2@home.test>\r\n\r\n", now.Add(time.Hour), true},
		{"From: Bo <bo@home.test>\r\nMessage-ID: <3@home.test>\r\n\r\n", now.Add(-time.Hour), true},
	} {
		if got, err := Unknown(t.Context(), s.DB, imapbox.Filed{Header: []byte(x.head), Arrived: x.arrived}); err != nil || got != x.want {
			t.Errorf("%q: %v, %v", x.head, got, err)
		}
	}
}

// TestServerWipes: a server at work overwrites what was erased, and says when that is done.
func TestServerWipes(t *testing.T) {
	var config string
	p := program.ServeOn(t, "", func(c string) { config = c })
	p.Says(regexp.MustCompile("nothing of what was erased is left"))
	d, err := db.Open(t.Context(), filepath.Join(filepath.Dir(config), "games.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	if yes, err := d.Wiping(t.Context()); err != nil || yes {
		t.Errorf("still to do: %v, %v", yes, err)
	}
	p.Stop()
}

// boxed is a server with a mailbox of its own, and a client of that.
func boxed(t *testing.T, change ...string) (*Server, *mailhost.Host, *imapclient.Client) {
	t.Helper()
	dir := t.TempDir()
	host, err := mailhost.Start(mailhost.Config{Dir: filepath.Join(dir, "mail"), Accounts: []string{"angelpost"}, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { host.Close() })
	if err := os.WriteFile(filepath.Join(dir, "password"), []byte("demo\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	c, err := LoadConfig(writeConfig(t, dir, append([]string{"imap.example.org:993", host.IMAPAddr(), `"tls"  `, `"none" `, `user = "angelpost@example.org"`, `user = "angelpost"`}, change...)...))
	if err != nil {
		t.Fatal(err)
	}
	s, err := Open(t.Context(), c, slog.New(slog.NewTextHandler(t.Output(), nil)))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	box := mailclient.Login(t, host.IMAPAddr(), "angelpost", "demo")
	t.Cleanup(func() { box.Close() })
	box.Create("Angelpost/Done", nil).Wait() // it may be there
	return s, host, box
}

// filed files a letter in the folder of letters that are done, as if it had come at a time.
func filed(t *testing.T, box *imapclient.Client, from string, at time.Time) {
	t.Helper()
	text := fmt.Sprintf("From: %s\r\nSubject: hello\r\n\r\nx\r\n", from)
	cmd := box.Append("Angelpost/Done", int64(len(text)), &imap.AppendOptions{Time: at})
	if _, err := cmd.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
}

// TestOldFiledLettersGo: what has been in the folder of letters that are done for longer than
// keep_days says is deleted there, and nothing else.
func TestOldFiledLettersGo(t *testing.T) {
	s, _, box := boxed(t, "keep_days = 400", "keep_days = 90")
	now := time.Now()
	for _, days := range []int{399, 91, 89, 1} {
		filed(t, box, "ada@home.test", now.AddDate(0, 0, -days))
	}
	if n, err := s.forgetOld(t.Context()); n != 2 || err != nil {
		t.Errorf("%d letters are deleted, %v", n, err)
	}
	if got, err := box.Select("Angelpost/Done", nil).Wait(); err != nil || got.NumMessages != 2 {
		t.Errorf("%+v %v", got, err)
	}
}

// TestPrivacyIsConfigured: what the page about data says is what the configuration has.
func TestPrivacyIsConfigured(t *testing.T) {
	s, _, _ := boxed(t, "keep_days = 400", "keep_days = 90")
	s.Conf.Privacy = privacyConfig{Host: "Ada", Contact: "ada@example.org", Note: "The proxy logs for a week."}
	s.Conf.Backup.Folder, s.Conf.Backup.Daily, s.Conf.Backup.Weekly = "backups", 5, 3
	want := templates.Privacy{Host: "Ada", Contact: "ada@example.org", Note: "The proxy logs for a week.", Keep: 90, Copies: 26, Mail: s.Conf.Plain()}
	if got := s.privacy(); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	told := s.Conf.Privacy
	told.Host = "Grace"
	s.told.Store(&told) // as a reload does
	s.Conf.Backup.Folder, s.Conf.Replica.Litestream = "", "socket"
	want.Host, want.Copies = "Grace", 0 // no one knows for how long the replica is kept
	if got := s.privacy(); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	told.Copies = 60
	s.told.Store(&told)
	if want.Copies = 60; s.privacy() != want {
		t.Errorf("%+v, want %+v", s.privacy(), want)
	}
}
