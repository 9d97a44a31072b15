package server

import (
	"cmp"
	"context"
	"fmt"
	"hash/crc32"
	"log/slog"
	"net"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"angelpost/db"
	"angelpost/engine/match/desk"
	"angelpost/engine/match/seating"
	"angelpost/engine/notice"
	"angelpost/engine/store"
	"angelpost/mail/dkim"
	"angelpost/mail/letter"
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
	if names := s.needs(letter.OpenHeader(header[0].Raw, s.readOptions()), header[0]); len(names) > 0 {
		t.Errorf("a letter without its body needs %q of DNS, want nothing", names)
	}
}

// sendersServer is a server that checks senders by DNS, with a game of Ada and Bo; begin
// lets letters wait as they do in the running program.
func sendersServer(t *testing.T, dir string, dns func(context.Context, string) ([]string, error)) (s *Server, begin func() (end func())) {
	t.Helper()
	c, err := LoadConfig(writeConfig(t, dir, "check_senders = false", "check_senders = true"))
	if err != nil {
		t.Fatal(err)
	}
	if s, err = Open(t.Context(), c, slog.New(slog.DiscardHandler)); err != nil {
		t.Fatal(err)
	}
	s.checker.TXT = dns
	return s, func() func() { return s.proving.begin(t.Context()) }
}

// hanging is DNS that knows nothing of home.test, and answers nothing else until it is let.
type hanging struct {
	let   chan struct{}
	asked atomic.Int32 // names that hang
}

func (h *hanging) lookup(ctx context.Context, name string) ([]string, error) {
	if !strings.HasSuffix(name, "home.test.") {
		h.asked.Add(1)
		select {
		case <-h.let:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	return nil, &net.DNSError{Name: name, IsNotFound: true}
}

// came is a letter as the mailbox gives it, with a date of its own.
func came(s *Server, from, id, text string) Arrival {
	written := time.Now().Add(time.Duration(crc32.ChecksumIEEE([]byte(id))%3600) * time.Second)
	return Arrival{Received: time.Now(), Raw: fmt.Appendf(nil, "From: %s\r\nTo: %s\r\nSubject: %s\r\nDate: %s\r\nMessage-ID: <%s@test>\r\n\r\n%s\r\n",
		from, s.Conf.Plain(), text, written.Format(time.RFC1123Z), id, text)}
}

// answered returns the Message-IDs that the letters out to an address answer, in the order in
// which these were written.
func answered(t *testing.T, s *Server, to string) (ids []string) {
	t.Helper()
	due, _, err := s.DB.Due(t.Context(), time.Now().Add(time.Hour), 1000)
	if err != nil {
		t.Fatal(err)
	}
	slices.SortFunc(due, func(a, b db.Outgoing) int { return cmp.Compare(a.ID, b.ID) })
	for _, m := range due {
		if id, ok := strings.CutSuffix(m.InReplyTo, "@test"); ok && m.To == to {
			ids = append(ids, id)
		}
	}
	return ids
}

// settled waits until no letter waits.
func settled(t *testing.T, s *Server) {
	t.Helper()
	for limit := time.Now().Add(time.Minute); ; time.Sleep(time.Millisecond) {
		s.proving.mu.Lock()
		n := len(s.proving.lines)
		s.proving.mu.Unlock()
		if n == 0 {
			return
		}
		if time.Now().After(limit) {
			t.Fatalf("letters of %d writers still wait", n)
		}
	}
}

// TestStrangersWaitBesideTheBatch: letters of strangers whose DNS never answers wait, each behind
// the earlier ones of its writer; a player's letter behind a hundred of them in the same batch is
// answered at once. Then all are answered once, in their order.
func TestStrangersWaitBesideTheBatch(t *testing.T) {
	dns := &hanging{let: make(chan struct{})}
	s, begin := sendersServer(t, t.TempDir(), dns.lookup)
	defer s.Close()
	defer begin()()
	order := seating.NewGameOrder{Started: true, Players: []seating.NewPlayer{{Address: "ada@home.test", Name: "Ada"}, {Address: "bo@home.test", Name: "Bo"}}}
	if _, err := s.Desk.NewGame(t.Context(), order); err != nil {
		t.Fatal(err)
	}
	var batch []Arrival
	for i := range 100 {
		batch = append(batch, came(s, fmt.Sprintf("x@evil%d.test", i), fmt.Sprint("x", i), "help"))
	}
	second := came(s, "x@evil0.test", "second", "settings")
	second.HeaderOnly = true // it needs no DNS
	ada := came(s, "ada@home.test", "ada", "help")
	if h := s.Handle(t.Context(), []Arrival{ada}); h[0].Outcome != desk.Proving && h[0].Outcome != desk.Answered {
		t.Fatalf("the first letter of a player's, which asks DNS: %+v", h[0])
	}
	settled(t, s)
	batch = append(batch, second, came(s, "ada@home.test", "again", "help"))
	for i, h := range s.Handle(t.Context(), batch) {
		want := desk.Proving
		if i == len(batch)-1 {
			want = desk.Answered
		}
		if h.Outcome != want || h.Err != nil {
			t.Fatalf("letter %d: %s, not %s; %v", i, h.Outcome, want, h.Err)
		}
	}
	if got := answered(t, s, "ada@home.test"); !slices.Equal(got, []string{"ada", "again"}) {
		t.Errorf("the player has answers to %q", got)
	}
	if !s.Desk.Waits("x@evil0.test") || s.Desk.Waits("ada@home.test") {
		t.Error("the desk does not know whose letters wait")
	}
	if h := s.Handle(t.Context(), batch[:1]); h[0].Outcome != desk.Proving || h[0].Err != nil { // the mailbox offers it again
		t.Errorf("a copy of a letter that waits: %+v", h[0])
	}
	close(dns.let)
	settled(t, s)
	states := map[string]int{}
	err := s.DB.View(t.Context(), func(tx store.Tx) error {
		for id := range int64(1 + len(batch)) {
			state, err := tx.LetterState(1 + id)
			states[state]++
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil || states[store.LetterDone]+states[store.LetterMute] != 1+len(batch) {
		t.Errorf("of %d letters became %v; %v", 1+len(batch), states, err)
	}
}

// TestWaitingLettersSurvive: letters that wait for DNS when the server is killed are answered after
// the next start, once, though the mailbox offers them again.
func TestWaitingLettersSurvive(t *testing.T) {
	dir := t.TempDir()
	dns := &hanging{let: make(chan struct{})}
	s, begin := sendersServer(t, dir, dns.lookup)
	end := begin()
	var batch []Arrival
	for i := range 3 {
		batch = append(batch, came(s, "x@evil.test", fmt.Sprint("x", i), "help"))
	}
	for _, h := range s.Handle(t.Context(), batch) {
		if h.Outcome != desk.Proving || h.Err != nil {
			t.Fatalf("%+v", h)
		}
	}
	end()
	if got := answered(t, s, "x@evil.test"); len(got) > 0 {
		t.Errorf("the server ends, and answers %q", got)
	}
	s.Close()
	s, begin = sendersServer(t, dir, dns.lookup)
	defer s.Close()
	defer begin()()
	s.takeUp(t.Context(), s.Desk.Pending)
	for _, h := range s.Handle(t.Context(), batch) {
		if h.Outcome != desk.Proving || h.Err != nil {
			t.Errorf("a letter that the mailbox offers again: %+v", h)
		}
	}
	close(dns.let)
	settled(t, s)
	for _, h := range s.Handle(t.Context(), batch) {
		if h.Outcome != desk.Silent || h.Err != nil {
			t.Errorf("a letter that was answered is offered again: %+v", h)
		}
	}
	if got := answered(t, s, "x@evil.test"); !slices.Equal(got, []string{"x0", "x1", "x2"}) {
		t.Errorf("answers to %q", got)
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
