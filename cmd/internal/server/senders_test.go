package server

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"angelpost/engine/match/seating"
	"angelpost/engine/notice"
	"angelpost/mail/dkim"
)

// TestCheckSenders: with check_senders a signed letter is proven, an altered one is refused
// and its writer told, one of which DNS says nothing now is as without the check; all of
// these whichever way they come.
func TestCheckSenders(t *testing.T) {
	dir := t.TempDir()
	c, err := LoadConfig(writeConfig(t, dir, "check_senders = false", "check_senders = true"))
	if err != nil {
		t.Fatal(err)
	}
	key := filepath.Join(dir, "ada.pem")
	if err := dkim.Create(key); err != nil {
		t.Fatal(err)
	}
	signer, err := dkim.Load("home.test", "post", key)
	if err != nil {
		t.Fatal(err)
	}
	s, err := Open(t.Context(), c, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	dns := txt{signer.Name(): signer.Record(), "_dmarc.home.test": "v=DMARC1; p=reject"}
	s.checker.TXT = dns.lookup
	order := seating.NewGameOrder{Started: true, Players: []seating.NewPlayer{{Address: "ada@home.test", Name: "Ada"}, {Address: "bo@home.test", Name: "Bo"}}}
	if _, err := s.Desk.NewGame(t.Context(), order); err != nil {
		t.Fatal(err)
	}
	due, _, err := s.DB.Due(t.Context(), time.Now().Add(time.Hour), 10)
	if err != nil || len(due) == 0 {
		t.Fatal(len(due), err)
	}
	seen := due[len(due)-1].ID
	n := 0
	// said sends a letter of Ada's and returns what the letters out say that it causes.
	said := func(unfiled bool, change func(raw string) string) (codes string) {
		t.Helper()
		n++
		raw := fmt.Sprintf("From: Ada <ada@home.test>\r\nTo: %s\r\nSubject: data %d\r\nDate: %s\r\nMessage-ID: <%d@home.test>\r\n\r\nmy data\r\n",
			c.Plain(), n, time.Now().Add(time.Duration(n)*time.Second).Format(time.RFC1123Z), n)
		for _, h := range s.Handle(t.Context(), []Arrival{{Raw: []byte(change(raw)), Received: time.Now(), Unfiled: unfiled}}) {
			if h.Err != nil {
				t.Fatal(h.Err)
			}
		}
		out, _, err := s.DB.Due(t.Context(), time.Now().Add(time.Hour), 100)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range out {
			if m.ID <= seen {
				continue
			}
			seen = m.ID
			for _, r := range m.Answer.Remarks {
				codes += r.Code + " "
			}
			for _, l := range m.Answer.Lines {
				if l.Problem != nil {
					codes += l.Problem.Code + " "
				}
			}
		}
		return codes
	}
	sign := func(raw string) string {
		b, err := signer.Sign([]byte(raw))
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	for _, unfiled := range []bool{false, true} {
		if got := said(unfiled, sign); !strings.Contains(got, notice.SayDataSent) {
			t.Errorf("a signed letter: %s", got)
		}
		if got := said(unfiled, func(raw string) string { return strings.Replace(sign(raw), "my data", "forget me", 1) }); !strings.Contains(got, notice.SayAuth) {
			t.Errorf("an altered letter: %s", got)
		}
	}
	if got := said(false, func(raw string) string { return "Return-Path: <x@evil.test>\r\n" + raw }); !strings.Contains(got, notice.SayAuth) {
		t.Errorf("a forged letter: %s", got)
	}
	s.checker = &dkim.Checker{Now: time.Now, TXT: txt{signer.Name(): "timeout", "_dmarc.home.test": "timeout"}.lookup}
	if got := said(false, sign); !strings.Contains(got, notice.ProblemToken) {
		t.Errorf("a letter while DNS does not answer: %s", got)
	}
	s.checker.TXT = func(context.Context, string) ([]string, error) { panic("a fault") }
	if got := said(false, sign); !strings.Contains(got, notice.ProblemToken) {
		t.Errorf("a letter whose check panics: %s", got)
	}
	header := []Arrival{{Raw: []byte(sign("From: ada@home.test\r\n\r\nHello\r\n")[:200]), HeaderOnly: true}}
	if found := s.checked(t.Context(), header); found[0] != "" {
		t.Errorf("a letter without its body: %s", found[0])
	}
}

// txt is DNS with TXT records.
type txt map[string]string

func (z txt) lookup(_ context.Context, name string) ([]string, error) {
	switch found, ok := z[strings.TrimSuffix(name, ".")]; {
	case !ok:
		return nil, &net.DNSError{Name: name, Err: "no such host", IsNotFound: true}
	case found == "timeout":
		return nil, &net.DNSError{Name: name, Err: "timeout", IsTimeout: true}
	default:
		return []string{found}, nil
	}
}
