package server

import (
	"bytes"
	"errors"
	"fmt"
	"testing"
	"time"

	"angelpost/engine/match/desk"
	"angelpost/engine/match/seating"
	"angelpost/engine/notice"
	"angelpost/mail/outbox"
)

// What is rendered before it is committed is what the database renders.
func TestAheadHasTheSameBytes(t *testing.T) {
	s := aheadServer(t)
	kinds := map[notice.Kind]int{}
	last := map[int]notice.Message{}
	n := 0
	compare := func() {
		t.Helper()
		due, _, err := s.DB.Due(t.Context(), time.Now().Add(time.Minute), 100)
		if err != nil || len(due) == 0 {
			t.Fatalf("%d letters, %v", len(due), err)
		}
		for _, r := range due {
			want, err := s.Render(t.Context(), r.Message)
			if err != nil {
				t.Fatal(err)
			}
			kinds[r.Kind]++
			// Asked for as the outbox does; the second time nothing is kept of it.
			if got := s.ahead.take(r.MessageID); !bytes.Equal(got, want) {
				t.Errorf("letter %d, %s: %d octets were made of it before, %d now", r.ID, r.Kind, len(got), len(want))
			}
			got, err := queue{s}.render(t.Context(), outbox.Letter{ID: r.ID, MessageID: r.MessageID})
			if err != nil || !bytes.Equal(got, want) {
				t.Errorf("letter %d, %s, again: %v", r.ID, r.Kind, err)
			}
			sheet, err := s.Desk.Host().Input(t.Context(), r.Message)
			if err != nil {
				t.Fatal(err)
			}
			got, err = s.write(sheet, func() []byte { return nil }) // its picture failed when it was begun
			if err != nil || !bytes.Equal(got, want) {
				t.Errorf("letter %d, %s, its picture drawn again: %v", r.ID, r.Kind, err)
			}
		}
	}
	write := func(r notice.Message, lines string) {
		t.Helper()
		n++
		if h := s.Handle(t.Context(), []Arrival{{Raw: reply(r.To, s.ReplyTo(r.Token), fmt.Sprint("ahead", n), lines), Received: time.Now()}}); h[0].Outcome != desk.Answered {
			t.Fatalf("%+v", h)
		}
		compare()
		queued(t, s, last)
	}
	if _, err := s.Desk.NewGame(t.Context(), seating.NewGameOrder{Players: []seating.NewPlayer{{Address: "ann@example.org", Name: "Ann"}, {Address: "bob@example.org"}}}); err != nil {
		t.Fatal(err)
	}
	compare()
	queued(t, s, last)
	last = startFour(t, s, 3)
	for range 12 {
		r, order := decider(t, s, last)
		write(r, order)
	}
	r, order := decider(t, s, last)
	write(r, "preview "+order+"\nlegal\nboard\nhistory")
	write(r, "say B\u00e9la \xff writes\nno such order")
	write(r, "format text\nstatus\nhelp")
	if len(kinds) < 3 {
		t.Errorf("letters of few kinds: %v", kinds)
	}
	s.ahead.mu.Lock()
	defer s.ahead.mu.Unlock()
	if len(s.ahead.letters) != 4 { // those at the start of the second game
		t.Errorf("%d letters are kept that have been asked for", len(s.ahead.letters))
	}
}

func aheadServer(t *testing.T) *Server {
	t.Helper()
	s := turnServer(t)
	s.ahead = newAhead(s.write)
	return s
}

// A letter that cannot be rendered is left to the sender, and there is a
// bound to what is kept for nobody.
func TestAheadGivesUp(t *testing.T) {
	a := newAhead(func(s *notice.Input, _ func() []byte) ([]byte, error) {
		if s == nil {
			panic("no sheet")
		}
		return []byte(s.Message.MessageID), nil
	})
	a.begin("panics", nil, func() (*notice.Input, error) { return nil, nil })
	a.begin("fails", nil, func() (*notice.Input, error) { return nil, errors.New("no game") })
	for _, id := range []string{"panics", "fails", "unknown"} {
		if raw := a.take(id); raw != nil {
			t.Errorf("%s: %q", id, raw)
		}
	}
	sheet := func(id string) func() (*notice.Input, error) {
		return func() (*notice.Input, error) { return &notice.Input{Message: notice.Message{MessageID: id}}, nil }
	}
	for i := range maxEarly + 2 {
		a.begin("taken back", nil, sheet(fmt.Sprint(i)))
		a.begin(fmt.Sprint(i), nil, sheet(fmt.Sprint(i)))
	}
	if raw := a.take("taken back"); string(raw) != fmt.Sprint(maxEarly+1) {
		t.Errorf("told of twice: %q", raw)
	}
	a.begin("last", nil, sheet("last"))
	if a.room() || len(a.letters) != maxEarly || a.take(fmt.Sprint(maxEarly)) != nil {
		t.Errorf("%d letters are kept", len(a.letters))
	}
	for _, e := range a.letters {
		e.since = e.since.Add(-2 * earlyFor)
	}
	for i := range 2 {
		a.begin("late"+fmt.Sprint(i), nil, sheet("late"))
	}
	if len(a.letters) != 2 || a.take("late1") == nil {
		t.Errorf("of old letters %d are kept", len(a.letters))
	}
}
