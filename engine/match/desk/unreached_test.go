package desk_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"angelpost/engine/match/unit"
	"angelpost/engine/notice"
	"angelpost/engine/store"
)

// putsOff is that a letter is refused for now.
func (w *waiting) putsOff(id int64) {
	w.t.Helper()
	if err := w.desk.Refused(context.Background(), id, "451 not now"); err != nil {
		w.t.Fatal(err)
	}
}

// held is how Ada's clocks stand still.
func (w *waiting) held() (x store.Unreached, none bool) {
	w.t.Helper()
	err := w.db.View(context.Background(), func(tx store.Tx) (err error) {
		for player := int64(1); player < 5; player++ {
			if x, err = tx.Unreached(player); err == nil {
				return nil
			}
		}
		return err
	})
	none, err = unit.Missing(err)
	if err != nil {
		w.t.Fatal(err)
	}
	return x, none
}

// TestRefusalForSomeMinutesHoldsNothing: mail servers refuse letters of those they do not know
// for some minutes.
func TestRefusalForSomeMinutesHoldsNothing(t *testing.T) {
	w, id := untold(t, "2d grace 1h")
	before := w.seat(id, 1).Deadline
	w.putsOff(w.queue("ada")[0].ID)
	w.waits(14 * time.Minute)
	w.putsOff(w.queue("ada")[0].ID)
	if x, none := w.held(); !none || !w.seat(id, 1).Deadline.Equal(before) {
		t.Errorf("%+v", x)
	}
}

// TestALetterFromThePlayerEndsIt: the clock stands still from the first letter that was refused
// until the player writes.
func TestALetterFromThePlayerEndsIt(t *testing.T) {
	w, id := untold(t, "2d grace 1h")
	before := w.seat(id, 1).Deadline
	first := w.queue("ada")[0]
	w.waits(time.Hour)
	w.putsOff(first.ID)
	if by := w.seat(id, 1).Deadline.Sub(before); by != 3*day {
		t.Fatalf("her deadline may move by %v", by)
	}
	w.waits(29 * time.Hour)
	told := slices.DeleteFunc(w.queue("bo"), func(m notice.Message) bool { return !hasRemark(m, notice.TellUnreachedHelp) })
	if len(told) != 1 || told[0].Answer.Remarks[0].Args["name"] != "Ada" && told[0].Answer.Remarks[len(told[0].Answer.Remarks)-1].Args["name"] != "Ada" {
		t.Errorf("the organiser reads %+v", told)
	}
	w.writes("ada", first.Token, "status")
	if by := w.seat(id, 1).Deadline.Sub(before); by != 30*time.Hour+time.Minute {
		t.Errorf("her deadline moved by %v", by)
	}
	if _, none := w.held(); !none {
		t.Error("her clock still stands still")
	}
	rows, err := w.db.HeldClocks(context.Background(), 2026, 10)
	if err != nil || len(rows) != 1 || rows[0].Year != 30*time.Hour+time.Minute || !rows[0].Since.IsZero() {
		t.Errorf("the host sees %+v, %v", rows, err)
	}
	w.waits(40 * time.Hour)
	w.putsOff(w.queue("ada")[0].ID)
	if x, none := w.held(); none || !x.Held {
		t.Errorf("refused again: %+v", x)
	}
}

// TestTenDaysAYear: more than ten days of a year a player's clocks do not stand still.
func TestTenDaysAYear(t *testing.T) {
	w, id := untold(t, "2d grace 1h")
	first := w.queue("ada")[0]
	if err := w.db.Update(context.Background(), func(tx store.Tx) error { return tx.AddHeldTime(first.Player, 2026, 9*day) }); err != nil {
		t.Fatal(err)
	}
	before := w.seat(id, 1).Deadline
	w.waits(time.Hour)
	w.putsOff(first.ID)
	if by := w.seat(id, 1).Deadline.Sub(before); by != day {
		t.Errorf("with one day left her deadline moves by %v", by)
	}
	w.waits(30 * time.Hour)
	w.putsOff(first.ID)
	if x, none := w.held(); none || x.Held {
		t.Errorf("after that day: %+v", x)
	}
	if by := w.seat(id, 1).Deadline.Sub(before); by != day {
		t.Errorf("after that day her deadline has moved by %v", by)
	}
}

// TestNothingElseHolds: not a letter given up, not a mute.
func TestNothingElseHolds(t *testing.T) {
	w, id := untold(t, "2d grace 1h")
	before := w.seat(id, 1).Deadline
	first := w.queue("ada")[0]
	w.writes("ada", first.Token, "mute")
	w.waits(time.Hour)
	if err := w.desk.Undeliverable(context.Background(), first.ID); err != nil {
		t.Fatal(err)
	}
	if x, none := w.held(); !none || !w.seat(id, 1).Deadline.Equal(before) {
		t.Errorf("%+v", x)
	}
}

// TestATurnThatBeginsMeanwhile has its whole time from when the player can be reached.
func TestATurnThatBeginsMeanwhile(t *testing.T) {
	w, id := clocked(t, "2d grace 1h")
	w.plays("ada")
	w.writes("bo", w.token(at("ada")), "say: hello") // a letter to her that is refused
	w.writes("bo", w.token(at("bo")), "say: hello")
	hello := w.queue("ada")
	if len(hello) == 0 {
		t.Fatal("she gets no letter")
	}
	w.waits(time.Hour)
	w.putsOff(hello[0].ID)
	if x, none := w.held(); none || !x.Held {
		t.Fatalf("%+v", x)
	}
	for range 3 { // Bo's turn
		last := w.last("bo")
		if own := w.queue("bo"); len(own) > 0 {
			last = own[len(own)-1]
		}
		if rest := w.sheet(last).Example; len(rest) > 0 && !w.seat(id, 2).Deadline.IsZero() {
			w.writes("bo", last.Token, strings.Join(rest, "\n"))
		}
	}
	if left := w.seat(id, 1).Deadline.Sub(w.now); left <= 2*day {
		t.Fatalf("her turn began, and she has %v", left)
	}
	w.waits(20 * time.Hour)
	w.goes(w.queue("ada")[0].ID)
	if left := w.seat(id, 1).Deadline.Sub(w.now); left < 2*day-time.Minute || left > 2*day+time.Minute {
		t.Errorf("now that she can be reached she has %v", left)
	}
}

// TestOutageWhileAPlayerCannotBeReached: no time is given twice.
func TestOutageWhileAPlayerCannotBeReached(t *testing.T) {
	w, id := untold(t, "2d grace 1h")
	begin, before := w.now, w.seat(id, 1).Deadline
	first := w.queue("ada")[0]
	w.waits(time.Hour)
	w.putsOff(first.ID)
	w.waits(time.Hour)
	w.stops()
	w.waits(20 * time.Hour)
	w.flows()
	w.waits(time.Hour)
	w.goes(w.queue("ada")[0].ID)
	if by, took := w.seat(id, 1).Deadline.Sub(before), w.now.Sub(begin); by != took {
		t.Errorf("her deadline moved by %v in %v", by, took)
	}
}
