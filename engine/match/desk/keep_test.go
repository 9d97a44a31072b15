package desk_test

import (
	"slices"
	"strings"
	"testing"

	"angelpost/engine/match/desk"
	"angelpost/engine/match/unit"
	"angelpost/engine/notice"
)

// TestKeptLetters: a letter that is stored to be handled later is handled once, and Pending
// lists it until then; no bot plays for its writer meanwhile. Copies of it are not stored;
// another letter with its Message-ID is not kept.
func TestKeptLetters(t *testing.T) {
	w, _ := clocked(t, "3d grace 1d")
	w.conf.Awaits = func(address string) bool { return address == at("ada") }
	w.open()
	c := w.turn("ada")
	keep := func(what string, c unit.Command) int64 {
		t.Helper()
		ids, err := w.desk.Keep(t.Context(), []unit.Command{c})
		if err != nil || len(ids) != 1 {
			t.Fatalf("%s: %v, %v", what, ids, err)
		}
		return ids[0]
	}
	id := keep("a letter", c)
	if id == 0 {
		t.Fatal("a letter is not kept")
	}
	if again := keep("a copy", c); again != id {
		t.Errorf("a copy has row %d, not %d", again, id)
	}
	other := w.letter(at("eve"), "", "help")
	other.MessageID = c.MessageID
	if n := keep("another letter with its Message-ID", other); n != 0 {
		t.Errorf("another letter with its Message-ID is kept as %d", n)
	}
	if p, err := w.desk.Pending(t.Context()); err != nil || len(p) != 1 || p[0].ID != id || p[0].Attempts != 0 {
		t.Errorf("pending: %+v, %v", p, err)
	}
	if got := happened(w.pass(7 * day)); slices.ContainsFunc(got, func(e string) bool { return strings.Contains(e, notice.TellMissed) }) {
		t.Errorf("a bot plays while the player's letter waits: %q", got)
	}
	if got := outcomes(w.desk, c, c); !slices.Equal(got, []string{desk.Answered, desk.Silent}) {
		t.Errorf("the letter and a copy: %q", got)
	}
	if n := keep("a letter that was answered", c); n != 0 {
		t.Errorf("a letter that was answered is kept as %d", n)
	}
	if got := outcomes(w.desk, other); !slices.Equal(got, []string{desk.Held}) {
		t.Errorf("another letter with its Message-ID: %q", got)
	}
}
