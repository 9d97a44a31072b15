package server

import (
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/emersion/go-imap/v2"

	"angelpost/cmd/internal/mailclient"
	"angelpost/engine/match/unit"
	"angelpost/engine/store"
	"angelpost/mail/mailhost"
)

// TestErasedInTheMailbox: the letters of an erased player are deleted in the
// mailbox, once; not those that came later.
func TestErasedInTheMailbox(t *testing.T) {
	dir := t.TempDir()
	host, err := mailhost.Start(mailhost.Config{Dir: filepath.Join(dir, "mail"), Accounts: []string{"angelpost"}, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	defer host.Close()
	if err := os.WriteFile(filepath.Join(dir, "password"), []byte("demo\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	c, err := LoadConfig(writeConfig(t, dir, "imap.example.org:993", host.IMAPAddr(), `"tls"  `, `"none" `, `user = "angelpost@example.org"`, `user = "angelpost"`))
	if err != nil {
		t.Fatal(err)
	}
	s, err := Open(t.Context(), c, slog.New(slog.NewTextHandler(t.Output(), nil)))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	box := mailclient.Login(t, host.IMAPAddr(), "angelpost", "demo")
	defer box.Close()
	box.Create("Angelpost/Done", nil).Wait() // it may be there
	for i, from := range []string{"ada@home.test", "bo@home.test", "ada@home.test"} {
		text := fmt.Sprintf("From: %s\r\nSubject: hello\r\n\r\nx\r\n", from)
		cmd := box.Append("Angelpost/Done", int64(len(text)), &imap.AppendOptions{Time: time.Now().Add(time.Duration(i-1) * time.Hour)})
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
	err = s.DB.Update(t.Context(), func(tx store.Tx) error {
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
