package server

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapclient"

	"angelpost/db"
	"angelpost/engine/match/seating"
	"angelpost/engine/store"
	"angelpost/engine/token"
	"angelpost/mail/imapbox"
)

// TestLettersTakenForSpam: a letter in the folder of spam that answers one of ours, and whose
// authentication passed, is moved to the inbox and read. One that nothing proves stays, and is
// listed; all others stay.
func TestLettersTakenForSpam(t *testing.T) {
	s, _, box := boxed(t, `authserv_id = ""`, `authserv_id = "mx.test"`)
	var log bytes.Buffer
	s.log = slog.New(slog.NewTextHandler(&log, nil))
	order := seating.NewGameOrder{Started: true, Players: []seating.NewPlayer{{Address: "ada@home.test", Name: "Ada"}, {Address: "bo@home.test", Name: "Bo"}}}
	if _, err := s.Desk.NewGame(t.Context(), order); err != nil {
		t.Fatal(err)
	}
	due, _, err := s.DB.Due(t.Context(), time.Now().Add(time.Hour), 10)
	if err != nil {
		t.Fatal(err)
	}
	at := slices.IndexFunc(due, func(m db.Outgoing) bool { return m.To == "ada@home.test" })
	var keys []store.TokenKey
	err = s.DB.View(t.Context(), func(tx store.Tx) (err error) {
		keys, err = tx.TokenKeys()
		return err
	})
	if err != nil || at < 0 {
		t.Fatal(at, err)
	}
	const pass, fail = "mx.test; dmarc=pass header.from=home.test", "mx.test; dmarc=fail header.from=home.test"
	mine := due[at].Token
	if err := box.Create("Spam", nil).Wait(); err != nil {
		t.Fatal(err)
	}
	var moved, stay []string
	for _, c := range []struct {
		name, token, found, from, more string
		moved                          bool
	}{
		{name: "proven", token: mine, found: pass, moved: true},
		{name: "in capitals", token: strings.ToUpper(mine), found: pass, moved: true},
		{name: "another address", token: mine, found: "mx.test; dmarc=pass header.from=else.test", from: "ada@else.test", moved: true},
		{name: "lost by a restore", token: keys[0].Seal(token.Slip{Letter: 1 << 20}), found: pass, moved: true},
		{name: "failed", token: mine, found: fail},
		{name: "unknown", token: mine},
		{name: "unreadable", token: mine, found: "mx.test; dmarc"},
		{name: "of another server", token: mine, found: "mx.example; dmarc=pass header.from=home.test"},
		{name: "guessed", token: strings.Repeat("a", token.Size), found: pass},
		{name: "no token", found: pass},
		{name: "a machine", token: mine, found: pass, more: "Auto-Submitted: auto-replied\r\n"},
		{name: "two authors", token: mine, found: pass, from: "ada@home.test, bo@home.test"},
	} {
		if c.from == "" {
			c.from = "ada@home.test"
		}
		to := s.Conf.Plain()
		if c.token != "" {
			to = s.ReplyTo(c.token)
		}
		if c.found != "" {
			c.more += "Authentication-Results: " + c.found + "\r\n"
		}
		text := fmt.Sprintf("%sFrom: Ada <%s>\r\nTo: %s\r\nSubject: %s\r\nDate: %s\r\nMessage-ID: <%s@home.test>\r\n\r\nmy games\r\n",
			c.more, c.from, to, c.name, time.Now().Format(time.RFC1123Z), strings.ReplaceAll(c.name, " ", "."))
		if strings.Contains(c.from, ",") {
			text = strings.Replace(text, "Ada <"+c.from+">", c.from, 1)
		}
		cmd := box.Append("Spam", int64(len(text)), nil)
		_, err := cmd.Write([]byte(text))
		if err = errors.Join(err, cmd.Close()); err != nil {
			t.Fatal(err)
		}
		if _, err := cmd.Wait(); err != nil {
			t.Fatal(err)
		}
		if c.moved {
			moved = append(moved, c.name)
		} else {
			stay = append(stay, c.name)
		}
	}
	s.Box.IdleFor, s.Box.Junk.Every = 50*time.Millisecond, time.Millisecond
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- imapbox.Run(ctx, s.Box, s.fetched) }()
	slices.Sort(moved)
	slices.Sort(stay)
	for end := time.Now().Add(20 * time.Second); !slices.Equal(subjects(t, box, "Angelpost/Done"), moved) || s.box.get(noteJunk) == 0; time.Sleep(50 * time.Millisecond) {
		if time.Now().After(end) {
			t.Errorf("read are %q, want %q", subjects(t, box, "Angelpost/Done"), moved)
			break
		}
	}
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if got := subjects(t, box, "Spam"); !slices.Equal(got, stay) {
		t.Errorf("in the folder of spam are %q, want %q", got, stay)
	}
	if n := strings.Count(log.String(), "nothing proves who wrote it"); n != 4 {
		t.Errorf("the log lists %d letters, want 4:\n%s", n, &log)
	}
	for _, name := range []string{"failed", "unknown", "unreadable", "of.another.server"} {
		if !strings.Contains(log.String(), "message_id="+name+"@home.test") {
			t.Errorf("the log does not list %q:\n%s", name, &log)
		}
	}
	if err := s.lookForTrouble(t.Context()); err != nil {
		t.Fatal(err)
	}
	r, err := s.Status(t.Context())
	if err != nil || r.JunkLeft != 4 || !strings.Contains(strings.Join(r.Lines(), "\n"), "nothing proves who wrote them: 4.") {
		t.Errorf("status: %+v, %v", r, err)
	}
}

// subjects are those of the letters in a folder.
func subjects(t *testing.T, box *imapclient.Client, folder string) (all []string) {
	t.Helper()
	data, err := box.Select(folder, nil).Wait()
	if err != nil {
		t.Fatal(err)
	}
	if data.NumMessages == 0 {
		return nil
	}
	set := imap.SeqSet{}
	set.AddRange(1, data.NumMessages)
	found, err := box.Fetch(set, &imap.FetchOptions{Envelope: true}).Collect()
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range found {
		if m.Envelope != nil {
			all = append(all, m.Envelope.Subject)
		}
	}
	slices.Sort(all)
	return all
}

// TestJunkSetting: it is looked for unless the host switches that off, or names it.
func TestJunkSetting(t *testing.T) {
	for text, want := range map[string]*imapbox.Junk{
		"":                  {},
		`junk = "auto"`:     {},
		`junk = "Werbung"`:  {Folder: "Werbung"},
		`junk = "off"`:      nil,
		`junk = ""`:         nil,
		`junk = "INBOX"`:    nil,
		`folder = "Spiele"`: {},
	} {
		c, err := LoadConfig(writeConfig(t, t.TempDir(), "folder = \"INBOX\"\n", text+"\n", `junk = "auto"`, ""))
		wrong := text == `junk = ""`
		if (err != nil) != wrong || err != nil && !strings.Contains(err.Error(), "imap.junk") {
			t.Errorf("%s: %v", text, err)
		}
		if wrong {
			continue
		}
		if text == `junk = "INBOX"` {
			if err := c.Mailbox(nil).Check(); err == nil {
				t.Errorf("%s: no error", text)
			}
			continue
		}
		if got := c.junk(); (got == nil) != (want == nil) || got != nil && got.Folder != want.Folder {
			t.Errorf("%s: %+v, want %+v", text, got, want)
		}
	}
}
