//go:build real

package season

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/emersion/go-smtp"

	"angelpost/cmd/internal/mailclient"
	"angelpost/engine/match/seating"
	"angelpost/engine/store"
)

// clocked begins a game with a clock between Ann, whose turn it is, and Bob.
func (w *testServer) clocked(clock string) (id string, ann, bob *townsman) {
	w.t.Helper()
	id, err := w.s.Desk.NewGame(w.t.Context(), seating.NewGameOrder{
		Started: true, Seed: &[32]byte{1}, Clock: clock, Organiser: "bob@b.example",
		Players: []seating.NewPlayer{{Address: "ann@a.example", Name: "Ann"}, {Address: "bob@b.example", Name: "Bob"}},
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return id, &townsman{name: "Ann", address: "ann@a.example"}, &townsman{name: "Bob", address: "bob@b.example"}
}

// pass lets time pass as until does, but waits for no letter.
func (w *testServer) pass(d time.Duration) {
	w.t.Helper()
	for end := w.now().Add(d); w.now().Before(end); {
		townTime.Store(min(end.UnixNano(), w.now().Add(10*time.Minute).UnixNano()))
		if _, err := w.s.Desk.Beat(w.t.Context()); err != nil {
			w.t.Fatal(err)
		}
		for range 2 {
			w.s.Prod()
		}
	}
}

// within waits in real time until something holds.
func (w *testServer) within(d time.Duration, what string, holds func() bool) {
	w.t.Helper()
	for end := time.Now().Add(d); !holds(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			w.t.Fatalf("it never came to this: %s", what)
		}
		w.s.Prod()
	}
}

func (w *testServer) seat(game string, place int) (x store.Seat) {
	w.t.Helper()
	err := w.s.DB.View(context.Background(), func(tx store.Tx) error {
		seats, err := tx.Seats(game)
		if err == nil {
			x = seats[place-1]
		}
		return err
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return x
}

// stopped reports whether the server knows that mail does not flow.
func (w *testServer) stopped() bool {
	since, err := w.s.Desk.MailStopped(w.t.Context())
	return err == nil && !since.IsZero()
}

// TestServerThatTakesNoLetters: the mail server answers 421 to everything for 50 hours, the
// clock has two days. No bot plays for a player who has never been told; afterwards one
// letter comes, up to date.
func TestServerThatTakesNoLetters(t *testing.T) {
	w := openTown(t, true, "")
	w.post.fails(func(string, string) error {
		return &smtp.SMTPError{Code: 421, EnhancedCode: smtp.EnhancedCode{4, 3, 2}, Message: "no service"}
	})
	id, ann, _ := w.clocked("2d grace 1h")
	began := w.now()
	w.within(20*time.Second, "the server knows that mail does not flow", w.stopped)
	w.pass(50 * time.Hour)
	if n := w.post.count(); n > 0 {
		t.Fatalf("%d letters went out", n)
	}
	w.post.fails(nil)
	w.within(time.Minute, "mail flows", func() bool { return !w.stopped() })
	w.within(time.Minute, "all letters have gone", func() bool { return w.waits() == 0 })
	if x := w.seat(id, 1); x.Missed != 0 || x.Deadline.Sub(began) < 98*time.Hour {
		t.Errorf("a bot played %d turns for her, and she has until %v", x.Missed, x.Deadline.Sub(began))
	}
	got := w.fetch(ann)
	if len(got) != 1 || got[0].Kind != "turn" && got[0].Kind != "start" || len(got[0].Legal) == 0 {
		for _, n := range got {
			t.Error(n.Header.Get("Message-Id"), n.Header.Get("To"), n.Text[:200])
		}
		t.Fatalf("%d letters", len(got))
	}
	until := w.seat(id, 1).Deadline.UTC().Format("Mon 2 Jan, 15:04")
	if !strings.Contains(got[0].Text, until) {
		t.Errorf("it does not say %s:\n%s", until, got[0].Text)
	}
	if n := w.replies(ann, got[0], got[0].Example...); n.Result != "applied" {
		t.Errorf("her turn: %s", n.Text)
	}
}

// waits is how many letters are queued.
func (w *testServer) waits() (n int) {
	w.t.Helper()
	if err := w.ledger.QueryRow("SELECT count(*) FROM out WHERE state = 1").Scan(&n); err != nil {
		w.t.Fatal(err)
	}
	return n
}

// TestMailboxThatCannotBeReached: the mailbox is away for 52 hours, and an order lies in it that
// came 48 hours before the deadline. It is in time, and no bot plays.
func TestMailboxThatCannotBeReached(t *testing.T) {
	w := openTown(t, true, "")
	id, ann, _ := w.clocked("2d")
	w.settle()
	first := w.fetch(ann)[0]
	deadline := w.seat(id, 1).Deadline
	w.line.set(true)
	w.within(20*time.Second, "the server knows that mail does not flow", w.stopped)
	w.give(ann, w.letter(ann, replyTo(t, first), first.Header.Get("Message-Id"), first.Example...))
	w.pass(52 * time.Hour)
	if x := w.seat(id, 1); x.Missed != 0 || !x.Deadline.Equal(deadline) {
		t.Fatalf("while the mailbox is away: a bot played %d turns, the deadline moved by %v", x.Missed, x.Deadline.Sub(deadline))
	}
	w.line.set(false)
	w.within(time.Minute, "mail flows", func() bool { return !w.stopped() })
	w.settle()
	if got := w.fetch(ann); !slices.ContainsFunc(got, func(n mailclient.Received) bool { return n.Result == "applied" }) {
		t.Errorf("her order, which came in time, is not among %d letters", len(got))
	}
	if x := w.seat(id, 1); x.Missed != 0 || x.Deadline.Sub(deadline) < 52*time.Hour {
		t.Errorf("a bot played %d turns for her, the deadline moved by %v", x.Missed, x.Deadline.Sub(deadline))
	}
}

// TestNothingToSendIsNoOutage: a server that sends nothing for days tries whether it could. While
// it could not, no time runs out.
func TestNothingToSendIsNoOutage(t *testing.T) {
	w := openTown(t, true, "")
	id, ann, _ := w.clocked("2d")
	n := w.letter(ann, replyTo(t, w.answer(ann)), "", "reminders none")
	w.give(ann, n)
	w.settle()
	w.pass(47 * time.Hour)
	if w.stopped() {
		t.Error("nothing to send is taken for an outage")
	}
	w.post.fails(func(string, string) error { panic("no letter is sent") })
	w.post.stop()
	w.pass(2 * time.Hour)
	w.within(20*time.Second, "the server knows that mail does not flow", w.stopped)
	w.pass(5 * time.Hour)
	if x := w.seat(id, 1); x.Missed != 0 {
		t.Error("a bot played for her while no letter could have told her")
	}
}

// refuses has the mail server refuse one recipient for now.
func (w *testServer) refuses(who string) {
	w.post.fails(func(verb, to string) error {
		if verb == "rcpt" && to == who {
			return &smtp.SMTPError{Code: 451, EnhancedCode: smtp.EnhancedCode{4, 3, 0}, Message: "not now"}
		}
		return nil
	})
}

// TestPlayerWhoCannotBeReached: one recipient is refused for 50 hours, the clock has two days. Her
// clock stands still, the others hear of it, and then one letter comes to her.
func TestPlayerWhoCannotBeReached(t *testing.T) {
	w := openTown(t, true, "")
	w.refuses("ann@a.example")
	id, ann, bob := w.clocked("2d grace 1h")
	w.within(20*time.Second, "Bob has his letter", func() bool { return w.post.count() == 1 })
	w.pass(50 * time.Hour)
	if w.stopped() {
		t.Error("one recipient is taken for an outage")
	}
	if x := w.seat(id, 1); x.Missed != 0 {
		t.Fatal("a bot played for her, who was never told")
	}
	told := w.fetch(bob)
	if len(told) != 2 || !strings.Contains(strings.Join(strings.Fields(told[1].Text), " "), "We can't reach Ann since ") {
		t.Errorf("Bob has %d letters: %s", len(told), told[len(told)-1].Text)
	}
	status, err := w.s.Status(t.Context())
	if err != nil || len(status.Held) != 1 || status.Held[0].Name != "Ann" {
		t.Errorf("the host sees %+v, %v", status.Held, err)
	}
	w.post.fails(nil)
	for end := w.now().Add(5 * time.Hour); w.post.count() < 3 && w.now().Before(end); {
		w.pass(10 * time.Minute)
	}
	w.within(20*time.Second, "all letters have gone", func() bool { return w.waits() == 0 })
	got := w.fetch(ann)
	if len(got) != 1 || len(got[0].Legal) == 0 {
		t.Fatalf("%d letters to her", len(got))
	}
	if x := w.seat(id, 1); x.Deadline.Sub(w.now()) < 47*time.Hour || x.Deadline.Sub(w.now()) > 48*time.Hour {
		t.Errorf("she has %v", x.Deadline.Sub(w.now()))
	}
	until := w.seat(id, 1).Deadline.UTC().Format("Mon 2 Jan, 15:04")
	if !strings.Contains(got[0].Text, until) {
		t.Errorf("it does not say %s:\n%s", until, got[0].Text)
	}
}

// TestPlayerWhoCannotBeReachedForLong: her clock stands still for three days, no longer.
func TestPlayerWhoCannotBeReachedForLong(t *testing.T) {
	w := openTown(t, true, "")
	w.refuses("ann@a.example")
	id, _, _ := w.clocked("2d grace 1h")
	w.within(20*time.Second, "Bob has his letter", func() bool { return w.post.count() == 1 })
	w.pass((72 + 48) * time.Hour)
	if x := w.seat(id, 1); x.Missed != 0 {
		t.Error("a bot played for her in the three days, or her two")
	}
	for end := w.now().Add(6 * time.Hour); w.seat(id, 1).Missed == 0 && w.now().Before(end); { // on a busy machine a look at the mailbox takes longer
		w.pass(10 * time.Minute)
	}
	if x := w.seat(id, 1); x.Missed != 1 {
		t.Errorf("then a bot played %d turns for her", x.Missed)
	}
}
