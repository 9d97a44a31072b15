package desk_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"angelpost/engine/match/seating"
	"angelpost/engine/match/unit"
	"angelpost/engine/notice"
	"angelpost/engine/store"
)

const day = 24 * time.Hour

// waiting is an office with one of everything that waits: a reminder, an
// invitation's end, a question's and a collected letter.
type waiting struct {
	*office
	invited string // a game
}

func newWaiting(t *testing.T, begin ...time.Time) *waiting {
	w := &waiting{office: newOffice(t, func(c *unit.Config) { c.AnswersPerDay, c.Start = 1, "anyone" })}
	for _, w.now = range begin {
	}
	w.beat()
	w.started(1, "ada", "bo")
	id, err := w.desk.NewGame(context.Background(), seating.NewGameOrder{
		Organiser: at("ada"), Players: []seating.NewPlayer{{Address: at("ada")}, {Address: at("cy")}},
	})
	if err != nil {
		t.Fatal(err)
	}
	w.invited = id
	w.deliver()
	w.write("ada", "join")                                             // her answer of the day
	w.send(w.letter(at("dan"), "", "new game\nplayers: bo@home.test")) // asked back
	w.write("bo", "status")
	w.write("bo", "status") // beyond the bound: collected
	w.pass(time.Hour)
	return w
}

func (w *waiting) beat() {
	w.t.Helper()
	if _, err := w.desk.Beat(context.Background()); err != nil {
		w.t.Fatal(err)
	}
}

// An event is a letter that was written after the server had worked so long.
type event struct {
	after time.Duration
	what  string // the recipient, and the code of the remark
}

// pass lets the server work for d and tells what it wrote, and when.
func (w *waiting) pass(d time.Duration) (events []event) {
	w.t.Helper()
	ctx := context.Background()
	for begin, end := w.now, w.now.Add(d); w.now.Before(end); {
		next, err := w.desk.NextDue(ctx)
		if err != nil {
			w.t.Fatal(err)
		}
		if w.now = end; !next.IsZero() && next.Before(end) {
			w.now = next
		}
		// A heart that beat all the time: only the last beat counts.
		if err := w.db.Update(ctx, func(tx store.Tx) error { return tx.Heartbeat(w.now) }); err != nil {
			w.t.Fatal(err)
		}
		for _, what := range w.settle() {
			events = append(events, event{w.now.Sub(begin), what})
		}
	}
	return events
}

func (w *waiting) told() (told []string) {
	for _, r := range w.deliver() {
		what := string(r.Kind)
		if said := r.Answer.Remarks; len(said) > 0 {
			what = said[len(said)-1].Code
		}
		told = append(told, strings.TrimSuffix(r.To, "@home.test")+" "+what)
	}
	return told
}

// jump sets the system's clock while the server is at work.
func (w *waiting) jump(by time.Duration) (told []string) {
	w.t.Helper()
	if err := w.desk.Skip(context.Background(), by, func() { w.now = w.now.Add(by) }); err != nil {
		w.t.Fatal(err)
	}
	return w.settle()
}

// settle does what is due at this moment, and tells what was written.
func (w *waiting) settle() (told []string) {
	w.t.Helper()
	w.beat()
	if _, err := w.desk.Due(context.Background()); err != nil {
		w.t.Fatal(err)
	}
	return w.told()
}

// away is the server not at work for d.
func (w *waiting) away(d time.Duration) []string {
	w.t.Helper()
	w.open()
	w.now = w.now.Add(d)
	return w.settle()
}

// TestNothingHappensByAJump sets the clock in every way, and leaves the server
// unattended: nothing is reminded, expired, collected or lapsed by that, and
// what the players then get they get in the order and after the time they would
// have got it anyway.
func TestNothingHappensByAJump(t *testing.T) {
	both := func(d time.Duration) func(*waiting) []string {
		return func(w *waiting) []string { return append(w.jump(d), w.jump(-d)...) }
	}
	jump := func(d time.Duration) func(*waiting) []string {
		return func(w *waiting) []string { return w.jump(d) }
	}
	away := func(d time.Duration) func(*waiting) []string {
		return func(w *waiting) []string { return w.away(d) }
	}
	run := func(t *testing.T, by func(*waiting) []string) (events []event, said []string) {
		w := newWaiting(t)
		if by != nil {
			said = by(w)
		}
		events = w.pass(16 * day)
		if open := openQuestions(w); open != 0 {
			t.Errorf("%d questions never lapsed", open)
		}
		return events, said
	}
	want, _ := run(t, nil)
	var codes []string
	for _, e := range want {
		codes = append(codes, e.what)
	}
	for _, code := range []string{notice.TellReminder, notice.TellExpired, notice.SayCollected} {
		if !slices.ContainsFunc(codes, func(s string) bool { return strings.HasSuffix(s, code) }) {
			t.Fatalf("without a jump there is no %q: %v", code, want)
		}
	}
	for name, c := range map[string]struct {
		by   func(*waiting) []string
		told int // how often the organiser gets another day
	}{
		"a minute forward":                {jump(time.Minute), 0},
		"three days forward":              {jump(3 * day), 1},
		"three days back":                 {jump(-3 * day), 1},
		"a year forward":                  {jump(366 * day), 1},
		"a year back":                     {jump(-366 * day), 1},
		"forward and right again":         {both(3 * day), 2},
		"back and right again":            {both(-3 * day), 2},
		"a year forward and right again":  {both(366 * day), 2},
		"a year back and right again":     {both(-366 * day), 2},
		"to the beginning and back again": {both(-56 * 365 * day), 2},
		"away for an hour":                {away(time.Hour), 0},
		"away for a week":                 {away(7 * day), 1},
		"away for a year":                 {away(366 * day), 1},
		"away, and started in the past":   {away(-3 * day), 1},
		"started in the past, then right": {func(w *waiting) []string { return append(w.away(-366*day), w.jump(366*day)...) }, 2},
	} {
		t.Run(name, func(t *testing.T) {
			got, said := run(t, c.by)
			if len(said) != c.told || slices.ContainsFunc(said, func(s string) bool { return s != "ada "+notice.TellPutOff }) {
				t.Errorf("by the jump itself: %q, want %d times that the invitations hold until another day", said, c.told)
			}
			if len(got) != len(want) {
				t.Fatalf("afterwards\n%v, want\n%v", got, want)
			}
			for i, e := range got {
				if e != want[i] {
					t.Errorf("%v, want %v", e, want[i])
				}
			}
		})
	}
}

func openQuestions(w *waiting) (n int) {
	w.t.Helper()
	err := w.db.View(context.Background(), func(tx store.Tx) error {
		for _, name := range []string{"dan"} {
			rows, err := tx.OpenConfirms(store.ConfirmGame, at(name))
			if err != nil {
				return err
			}
			n += len(rows)
		}
		return nil
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return n
}

// TestSummerTime passes the days on which the clocks change, as a server in that
// zone sees them: no one notices.
func TestSummerTime(t *testing.T) {
	for _, zone := range []string{"Europe/Berlin", "America/New_York"} {
		there, err := time.LoadLocation(zone)
		if err != nil {
			t.Fatal(err)
		}
		for _, begin := range []time.Time{
			time.Date(2027, 3, 12, 12, 0, 0, 0, time.UTC), // both changes are within 16 days
			time.Date(2027, 10, 24, 12, 0, 0, 0, time.UTC),
		} {
			_, before := begin.In(there).Zone()
			if _, after := begin.Add(16 * day).In(there).Zone(); before == after {
				t.Fatalf("%s: the clocks do not change after %v", zone, begin)
			}
			want := newWaiting(t, begin).pass(16 * day)
			got := newWaiting(t, begin.In(there)).pass(16 * day)
			if !slices.Equal(got, want) || len(want) < 3 {
				t.Errorf("%s after %v:\n%v, in UTC\n%v", zone, begin, got, want)
			}
		}
	}
}

// TestTheNewDayIsTold: the organiser reads the same day as the one on which the invitations
// then end.
func TestTheNewDayIsTold(t *testing.T) {
	w := newWaiting(t)
	w.away(7 * day)
	r := w.last("ada")
	until := r.Answer.Remarks[0].Args["date"]
	begin := w.now
	for _, e := range w.pass(30 * day) {
		if e.what == "ada "+notice.TellExpired {
			if ended := begin.Add(e.after).Format(time.DateOnly); ended != until {
				t.Errorf("told %s, ended %s", until, ended)
			}
			return
		}
	}
	t.Error("the invitations never ended")
}

// TestALetterPutOffIsNotLate sets the clock back by a year while a letter waits
// to be tried again.
func TestALetterPutOffIsNotLate(t *testing.T) {
	for _, by := range []time.Duration{-366 * day, 366 * day} {
		t.Run(fmt.Sprint(by), func(t *testing.T) {
			w := newWaiting(t)
			ctx := context.Background()
			w.desk.HandleOne(ctx, w.letter(at("eve"), "", "help"))
			due, _, err := w.db.Due(ctx, w.now, 10)
			if err != nil || len(due) != 1 {
				t.Fatalf("%d letters, %v", len(due), err)
			}
			if err := w.db.Retry(ctx, due[0].ID, w.now.Add(4*time.Hour), "later", false); err != nil {
				t.Fatal(err)
			}
			if err := w.desk.Skip(ctx, by, func() { w.now = w.now.Add(by) }); err != nil {
				t.Fatal(err)
			}
			for after, want := range map[time.Duration]int{4*time.Hour - time.Minute: 0, 4 * time.Hour: 1} {
				due, _, err := w.db.Due(ctx, w.now.Add(after), 10)
				n := 0
				for _, o := range due {
					n += o.Tries
					if age := w.now.Sub(o.Queued); o.Tries > 0 && age > time.Minute {
						t.Errorf("a letter of this minute is %v old", age)
					}
				}
				if err != nil || n != want {
					t.Errorf("after %v: %d letters are tried again, want %d, %v", after, n, want, err)
				}
			}
		})
	}
}
