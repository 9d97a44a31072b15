package desk_test

import (
	"slices"
	"testing"

	"angelpost/engine/game"
	"angelpost/engine/notice"
)

// remarked is the list of the remark of that code.
func remarked(r notice.Message, code string) []string {
	for _, m := range r.Answer.Remarks {
		if m.Code == code {
			return m.List
		}
	}
	return nil
}

// What its writer struck out or did not tick is not done, and they are told once.
func TestLeftOut(t *testing.T) {
	o := newOffice(t)
	id := o.started(1, "ada", "bo")
	c := o.letter(at("ada"), o.token(at("ada")), "[ ] resign\n[x] card 087 at row 3\n[ ] buy milk\n☑ activate 3.3 ship")
	c.Struck = []string{"undo", "so far"}
	_, out := o.send(c)
	r := own(t, out, "ada")
	if log := o.record(id, 0).Log; len(log) != 2 || r.Result != notice.Applied {
		t.Errorf("%d lines, %s", len(log), summary(r))
	}
	if got := remarked(r, notice.SayUnticked); !slices.Equal(got, []string{"[ ] resign", "[ ] buy milk"}) {
		t.Errorf("unticked %q", got)
	}
	if got := remarked(r, notice.SayStruck); !slices.Equal(got, []string{"undo"}) {
		t.Errorf("struck %q", got)
	}
	r = own(t, o.write("ada", "☐ resign"), "ada")
	if len(o.record(id, 0).Log) != 2 || !slices.Contains(remarks(r), notice.SayUnticked) || fate(r, "☐ resign") != "" {
		t.Errorf("%s: %v", summary(r), remarks(r))
	}
}

// An order behind a bar, and one that no one can see, wait for a yes.
func TestMarkedOrdersWaitForAYes(t *testing.T) {
	for letter, line := range map[string]string{"?| card 087 at row 3\n?| activate 3.3 ship": "activate 3.3 ship", "?~ B": "B"} {
		o := newOffice(t)
		id := o.started(1, "ada", "bo")
		r := own(t, o.write("ada", letter), "ada")
		if fate(r, line) != notice.LineAsked || len(o.record(id, 0).Log) != 0 || !slices.Contains(remarked(r, notice.AskMeant), line) {
			t.Errorf("%q: %v, %v", letter, r.Answer.Lines, r.Answer.Remarks)
		}
		o.write("ada", "yes")
		if log := o.record(id, 0).Log; !slices.ContainsFunc(log, func(l game.Line) bool { return l.Order == line }) {
			t.Errorf("%q: after a yes %v", letter, log)
		}
	}
	o := newOffice(t)
	id := o.started(1, "ada", "bo")
	r := own(t, o.write("ada", "?| B\ncard 087 at row 3\nactivate 3.3 ship"), "ada")
	if log := o.record(id, 0).Log; len(log) != 2 || slices.Contains(remarks(r), notice.AskMeant) {
		t.Errorf("beside orders %v, %v", log, remarks(r))
	}
}
