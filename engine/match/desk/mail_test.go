package desk_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"angelpost/engine/match/unit"
	"angelpost/engine/store"
)

// stops notes that mail does not flow since now, and flows that it does again.
func (w *waiting) stops() {
	w.t.Helper()
	if err := w.desk.MailStops(context.Background(), w.now); err != nil {
		w.t.Fatal(err)
	}
}

func (w *waiting) flows() time.Duration {
	w.t.Helper()
	away, err := w.desk.MailFlows(context.Background())
	if err != nil {
		w.t.Fatal(err)
	}
	return away
}

// works lets the server work for d, and beat, while mail does not flow: pass would wait forever
// for what falls due.
func (w *waiting) works(d time.Duration) (told []string) {
	w.t.Helper()
	for end := w.now.Add(d); w.now.Before(end); {
		w.now = w.now.Add(min(10*time.Minute, end.Sub(w.now)))
		told = append(told, w.settle()...)
	}
	return told
}

// TestNothingFallsDueWithoutMail: mail stops for 50 hours, the clock has two days. No one is
// played for, nothing is written meanwhile, and afterwards everything that waits has the time
// that it had.
func TestNothingFallsDueWithoutMail(t *testing.T) {
	w, id := clocked(t, "2d grace 1h")
	w.pass(time.Hour)
	before := w.seat(id, 1).Deadline
	w.stops()
	w.now = w.now.Add(time.Minute)
	w.stops() // again: the first failure counts
	if told := w.works(50*time.Hour - time.Minute); len(told) > 0 {
		t.Fatalf("while mail does not flow: %q", told)
	}
	if !w.desk.WaitsForMail() {
		t.Error("nothing waits for mail")
	}
	if away := w.flows(); away != 50*time.Hour {
		t.Errorf("mail did not flow for %v", away)
	}
	if told := w.told(); !slices.Equal(told, []string{"ada time-moved"}) {
		t.Errorf("afterwards: %q", told)
	}
	if x := w.seat(id, 1); x.Deadline.Sub(before) != 50*time.Hour || x.Missed != 0 {
		t.Errorf("her deadline moved by %v, and a bot played %d turns", x.Deadline.Sub(before), x.Missed)
	}
	if got := happened(w.pass(2 * day)); len(got) == 0 || got[len(got)-1] != "48h0m0s bo turn-missed-all" {
		t.Errorf("then her time goes on: %q", got)
	}
}

// TestShortTroubleMovesNothing: less than a quarter of an hour without mail is none.
func TestShortTroubleMovesNothing(t *testing.T) {
	w, id := clocked(t, "2d grace 1h")
	before := w.seat(id, 1).Deadline
	w.stops()
	w.works(14 * time.Minute)
	if away := w.flows(); away != 0 || len(w.told()) > 0 || !w.seat(id, 1).Deadline.Equal(before) {
		t.Errorf("14 minutes moved %v", away)
	}
}

// TestOutageAndRestart: what a gap has moved is not moved once more, and a restart does not
// forget since when mail does not flow.
func TestOutageAndRestart(t *testing.T) {
	w, id := clocked(t, "2d grace 1h")
	before := w.seat(id, 1).Deadline
	w.stops()
	w.works(5 * time.Hour)
	w.away(20 * time.Hour)
	w.works(5 * time.Hour)
	w.flows()
	if by := w.seat(id, 1).Deadline.Sub(before); by != 30*time.Hour {
		t.Errorf("after 30 hours without mail, 20 of them without the server, her deadline moved by %v", by)
	}
}

// TestLettersOfAnOutageGoAtOnce: what was written meanwhile does not wait for as long again.
func TestLettersOfAnOutageGoAtOnce(t *testing.T) {
	w, _ := clocked(t, "2d grace 1h")
	w.stops()
	w.now = w.now.Add(time.Hour)
	c := w.letter(at("ada"), w.token(at("ada")), "status")
	if _, err := w.desk.HandleOne(context.Background(), c); err != nil {
		t.Fatal(err)
	}
	w.works(0)
	w.now = w.now.Add(9 * time.Hour)
	w.flows()
	due, _, err := w.db.Due(context.Background(), w.now, 10)
	if err != nil || len(due) != 2 || !due[0].Queued.Equal(w.now.Truncate(time.Millisecond)) {
		t.Errorf("%v, %d letters are due: %+v", err, len(due), due)
	}
}

// TestMailboxIsReadFirst: no turn is played before the mailbox was read once after the
// deadline; the order that lay there is in time.
func TestMailboxIsReadFirst(t *testing.T) {
	var looked time.Time
	asked := 0
	w, id := clocked(t, "2d")
	w.conf.Flowed = func(at time.Time) bool {
		asked++
		return !looked.Before(at)
	}
	w.open()
	token := w.token(at("ada"))
	example := w.sheet(w.last("ada")).Example
	if told := w.works(3 * day); len(told) > 0 || asked == 0 {
		t.Fatalf("without a look at the mailbox: %q, asked for one %d times", told, asked)
	}
	c := w.letter(at("ada"), token, strings.Join(example, "\n"))
	c.Received = w.now.Add(-2 * day)
	if outcome, _ := w.send(c); outcome != "answered" || w.last("ada").Result != "applied" {
		t.Errorf("the order in time: %s, %s", outcome, summary(w.last("ada")))
	}
	if x := w.seat(id, 1); x.Missed != 0 {
		t.Error("a bot played for her")
	}
	looked = w.now
	if told := w.settle(); len(told) == 0 {
		t.Error("what is left of her turn is not played once the mailbox has been looked at")
	}
}

// TestTidiesWithoutMail: what concerns no player goes on.
func TestTidiesWithoutMail(t *testing.T) {
	w := &waiting{office: newOffice(t, func(c *unit.Config) { c.Flowed = func(time.Time) bool { return false } })}
	w.beat()
	if err := w.desk.Tidies(context.Background()); err != nil {
		t.Fatal(err)
	}
	w.stops()
	w.now = w.now.Add(2 * time.Hour)
	next := func() (at time.Time) {
		if err := w.db.View(context.Background(), func(tx store.Tx) error {
			rows, err := tx.DuesOf(store.DueTidy, "")
			if len(rows) == 1 {
				at = rows[0].At
			}
			return err
		}); err != nil {
			t.Fatal(err)
		}
		return at
	}
	w.now = next().Add(time.Minute)
	if _, err := w.desk.Due(context.Background()); err != nil {
		t.Fatal(err)
	}
	if !next().After(w.now) {
		t.Error("the desk has not tidied")
	}
}

// TestDeadlinesAreRightBeforeTheFirstLetterGoes: what was moved for a letter that was about to go
// is not moved again if the server did not take it.
func TestDeadlinesAreRightBeforeTheFirstLetterGoes(t *testing.T) {
	w, id := clocked(t, "2d grace 1h")
	before := w.seat(id, 1).Deadline
	w.stops()
	w.works(20 * time.Hour)
	if err := w.desk.MailCatchesUp(context.Background()); err != nil {
		t.Fatal(err)
	}
	if by := w.seat(id, 1).Deadline.Sub(before); by != 20*time.Hour {
		t.Errorf("the deadline moved by %v", by)
	}
	if since, err := w.desk.MailStopped(context.Background()); err != nil || !since.Equal(w.now) {
		t.Errorf("mail flows: %v %v", since, err)
	}
	w.works(5 * time.Hour)
	w.flows()
	if by := w.seat(id, 1).Deadline.Sub(before); by != 25*time.Hour {
		t.Errorf("then the deadline moved by %v", by)
	}
}
