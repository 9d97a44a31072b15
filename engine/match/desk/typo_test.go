package desk_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"angelpost/engine/notice"
)

// logged are the orders of a game's log as others see them.
func (o *office) logged(id string) string {
	var log []string
	for _, l := range o.record(id, 0).Log {
		log = append(log, strings.Replace(l.Order, "ravager", "087", 1))
	}
	return strings.Join(log, "; ")
}

// A line that is nearly a legal order is proposed as that order, and a yes plays the
// whole letter with it; nothing is played before.
func TestTypoIsProposed(t *testing.T) {
	for _, c := range []struct{ letter, proposed, log string }{
		{"crad 087 at row 3\nactivate 3.3 ship", "card 087 at row 3", "card 087 at row 3; activate 3.3 ship"},
		{"card 087 at row 3\nactivate 3.3 shpi", "activate 3.3 ship", "card 087 at row 3; activate 3.3 ship"},
		{"crad 087 at row 3: 3.3 shpi", "card 087 at row 3: 3.3 ship", "card 087 at row 3; activate 3.3 ship"},
		{"Hi all,\nI'd like to paly 87 at row 3, please\n3.3 ship\n\nThanks,\nAda", "card 087 at row 3", "card 087 at row 3; activate 3.3 ship"},
		{"card 087 at rwo 3; activte 3.3 ship", "card 087 at row 3; activate 3.3 ship", "card 087 at row 3; activate 3.3 ship"},
		{"crad 087 at row 3\nactivate 3.3 shpi", "card 087 at row 3; activate 3.3 ship", "card 087 at row 3; activate 3.3 ship"},
	} {
		o := newOffice(t)
		id := o.started(1, "ada", "bo")
		r := own(t, o.write("ada", c.letter), "ada")
		i := slices.IndexFunc(r.Answer.Remarks, func(r notice.Remark) bool { return r.Code == notice.AskTypo })
		if i < 0 || len(o.record(id, 0).Log) != 0 {
			t.Errorf("%q: %s, %d lines", c.letter, summary(r), len(o.record(id, 0).Log))
			continue
		}
		if got := strings.Join(r.Answer.Remarks[i].List, "; "); got != c.proposed {
			t.Errorf("%q: proposes %q", c.letter, got)
		}
		r = own(t, o.write("ada", "yes"), "ada")
		if got := o.logged(id); got != c.log || r.Result != notice.Applied {
			t.Errorf("%q: after a yes %q, %s", c.letter, got, summary(r))
		}
	}
}

// Several orders are listed to choose from, and prose is no typo: a yes plays nothing.
func TestWhatIsNotProposed(t *testing.T) {
	for letter, listed := range map[string]int{
		"card 087 at row 3\nactivate 3.3 shpi\nfrobnicate the zoo 3": 1, "crad 087 at row 3\nzzz 12 12": 1, "preview\ncrad 087 at row 3": 1, "What a game!": 0, "Past midnight": 0,
		"die blue 1": 0, "crad 087 at row 3?": 0,
	} {
		o := newOffice(t)
		id := o.started(1, "ada", "bo")
		r := own(t, o.write("ada", letter), "ada")
		got := 0
		for _, l := range r.Answer.Lines {
			if l.Problem != nil {
				got += len(l.Problem.Candidates)
			}
		}
		if slices.Contains(remarks(r), notice.AskTypo) || got != listed {
			t.Errorf("%q: %d listed, %s", letter, got, summary(r))
		}
		o.write("ada", "yes")
		if n := len(o.record(id, 0).Log); n != 0 {
			t.Errorf("%q: a yes plays %d", letter, n)
		}
	}
}

// A letter that was only to be tried plays nothing, however that is written.
func TestPreviewMistyped(t *testing.T) {
	o := newOffice(t)
	id := o.started(1, "ada", "bo")
	r := own(t, o.write("ada", "prevew\n\ncard 087 at row 3"), "ada")
	if !slices.Contains(remarks(r), notice.AskTypo) {
		t.Errorf("%s", summary(r))
	}
	r = own(t, o.write("ada", "yes"), "ada")
	if len(r.Answer.Preview) == 0 || o.logged(id) != "" {
		t.Errorf("%s, plays %q", summary(r), o.logged(id))
	}
}

// Nor does a mistyped "plan" make a turn of a plan.
func TestPlanMistyped(t *testing.T) {
	o := newOffice(t)
	id := o.started(1, "ada", "bo")
	for _, line := range []string{"paln", "pla", "plann", "plam"} {
		if r := own(t, o.write("ada", line+"\n\ncard 087 at row 3"), "ada"); o.logged(id) != "" {
			t.Fatalf("%s: %s, plays %q", line, summary(r), o.logged(id))
		}
	}
}

// However odd the lines around it, a mistyped one is proposed or not, and nothing fails.
func TestOddLinesAroundTypos(t *testing.T) {
	odd := []string{"# zzz", "- > crad 087 at row 3", "- | crad 087 at row 3", "1) crad 087 at row 3", "...", "undo", "undoo", "; ;", "crad 087 at row 3; undo; 3.3 shpi", "if t12: crad 087 at row 3", "else crad 087 at row 3", "crad", "> ", "?> crad 087 at row 3",
		"crad 087 at row 3 # note", "say: crad 087 at row 3", "keep 31", "reserve gray 3", strings.Repeat("crad 087 at row 3; ", 12)}
	o := newOffice(t)
	id := o.started(1, "ada", "bo")
	for i, a := range odd {
		for _, b := range []string{odd[(i+1)%len(odd)], odd[(i+7)%len(odd)], "crad 087 at row 3"} {
			o.write("ada", a+"\n"+b+"\n3.3 shpi")
			if log := o.logged(id); strings.Contains(log, "card") {
				t.Fatalf("%q, %q plays %s", a, b, log)
			}
		}
	}
}

// What chance has yet to show is not looked at to mend a line.
func TestTypoBelowChance(t *testing.T) {
	o := newOffice(t)
	id := o.started(1, "ada", "bo")
	r := own(t, o.write("ada", "B\nreserv gary 3"), "ada")
	if slices.Contains(remarks(r), notice.AskTypo) || len(o.record(id, 0).Log) != 0 {
		t.Errorf("%s", summary(r))
	}
}

// Whatever letter of a legal turn is wrong, a yes plays the turn, and nothing is played
// that was not written or agreed to.
func TestTurnsMistyped(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	asked := 0
	for range 25 {
		o := newOffice(t)
		id := o.started(1, "ada", "bo")
		lines := []string{"card 087 at row 3", "activate 3.3 ship"}
		k := rng.IntN(2)
		b := []byte(lines[k])
		i := rng.IntN(4)
		if rng.IntN(2) == 0 {
			b[i], b[i+1] = b[i+1], b[i]
		} else {
			b[i] = byte('a' + rng.IntN(26))
		}
		want := strings.Join(lines, "; ")
		lines[k] = string(b)
		r := own(t, o.write("ada", strings.Join(lines, "\n")), "ada")
		if slices.Contains(remarks(r), notice.AskTypo) {
			if asked++; len(o.record(id, 0).Log) != 0 {
				t.Fatalf("%q is played before it is agreed to", lines)
			}
			o.write("ada", "yes")
		}
		if got := o.logged(id); got != "" && got != want {
			t.Errorf("%q: plays %q", lines, got)
		}
	}
	if asked < 12 {
		t.Errorf("asked %d times", asked)
	}
}
