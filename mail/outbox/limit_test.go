package outbox

import (
	"slices"
	"testing"
	"time"
)

// TestLimit holds which letters may go: never more than the server takes in any minute and
// any day, urgent ones at once, the others spread, and a tenth of the day's for urgent ones.
func TestLimit(t *testing.T) {
	start := time.Date(2026, 11, 25, 12, 0, 0, 0, time.UTC)
	l := limit{Limits: Limits{PerMinute: 10, PerDay: 100}}
	var sent []time.Time
	within := func(now time.Time, d time.Duration) (n int) {
		for _, s := range sent {
			if now.Sub(s) < d {
				n++
			}
		}
		return n
	}
	ordinary := 0
	now := start
	for now.Before(start.Add(72 * time.Hour)) {
		wait := l.wait(now, false)
		if l.wait(now, true) > wait {
			t.Fatalf("at %v an urgent letter waits longer", now)
		}
		if wait > 0 {
			now = now.Add(wait)
			if l.wait(now, false) > 0 {
				t.Fatalf("at %v the wait was too short", now)
			}
		}
		l.note(now, false)
		sent = append(sent, now)
		ordinary++
		if n := within(now, time.Minute); n > 10 {
			t.Fatalf("%d in a minute", n)
		}
		if n := within(now, 24*time.Hour); n > 90 {
			t.Fatalf("%d ordinary letters in a day: none are left to urgent ones", n)
		}
		now = now.Add(time.Second)
	}
	if ordinary < 150 {
		t.Errorf("only %d ordinary letters in three days", ordinary)
	}
	if l.wait(now, true) > 0 {
		t.Error("an urgent letter waits")
	}
	urgent, undo := 0, func() {}
	for l.wait(now, true) == 0 || l.wait(now, true) <= time.Minute {
		now = now.Add(l.wait(now, true))
		undo = l.note(now, true)
		sent = append(sent, now)
		if urgent++; urgent > 100 {
			t.Fatal("urgent letters are not limited")
		}
	}
	if n := within(now, 24*time.Hour); n != 100 || urgent < 10 {
		t.Errorf("%d letters in a day, %d of them urgent", n, urgent)
	}
	// A letter that the server was not given does not count.
	undo()
	if l.wait(now, true) > time.Minute {
		t.Error("a letter that was not sent counts")
	}
	// A clock that is set back a year holds letters for a day at most.
	if wait := l.wait(now.AddDate(-1, 0, 0), true); wait > 24*time.Hour {
		t.Errorf("wait %v", wait)
	}
	none := limit{}
	if none.any() {
		t.Error("no limits are limits")
	}
}

// TestLimitOfLettersNotGiven: an ordinary letter that the server was not given, because it had
// closed an idle connection, is not held as if it had gone.
func TestLimitOfLettersNotGiven(t *testing.T) {
	now := time.Date(2026, 11, 25, 12, 0, 0, 0, time.UTC)
	l := limit{Limits: Limits{PerDay: 10, Sent: slices.Repeat([]time.Time{now.Add(-time.Hour)}, 5)}}
	undo := l.note(now, false)
	if l.wait(now, false) == 0 {
		t.Fatal("half of the day's letters are gone, and ordinary ones are not spread")
	}
	undo()
	if wait := l.wait(now, false); wait > 0 {
		t.Errorf("the letter that was not given must wait %v", wait)
	}
	l.note(now, false)
	later := now.Add(5 * time.Hour)
	undo = l.note(later, false)
	l.note(later.Add(time.Second), false) // on another connection
	undo()
	if l.wait(later.Add(time.Minute), false) == 0 {
		t.Error("the other letter that went does not count")
	}
}

// TestLimitAfterRestart holds that what was sent before the start counts.
func TestLimitAfterRestart(t *testing.T) {
	now := time.Date(2026, 11, 25, 12, 0, 0, 0, time.UTC)
	l := limit{Limits: Limits{PerDay: 2, Sent: []time.Time{now.Add(-23 * time.Hour), now.Add(-time.Hour)}}}
	if wait := l.wait(now, true); wait != time.Hour {
		t.Errorf("wait %v, want an hour", wait)
	}
}
