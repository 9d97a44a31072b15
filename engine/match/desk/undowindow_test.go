package desk_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"angelpost/engine/notice"
	"angelpost/templates"
	"angelpost/templates/words"
)

// shown is a letter as its reader sees it: text and HTML, with single blanks.
func (o *office) shown(r notice.Message) (text, html string) {
	o.t.Helper()
	l, err := templates.Render(words.English(), o.sheet(r), templates.Site{})
	if err != nil {
		o.t.Fatal(err)
	}
	return strings.Join(strings.Fields(l.Text), " "), strings.Join(strings.Fields(l.HTML), " ")
}

// undoSaid is what a letter says about how long undo works.
func undoSaid(r notice.Message) string {
	for _, x := range r.Answer.Remarks {
		switch x.Code {
		case notice.SayUndoUntil, notice.SayUndoNext, notice.SayUndoNot, notice.SayTakeBack:
			return strings.TrimSpace(x.Code + " " + x.Args["n"] + " " + x.Args["names"])
		}
	}
	return ""
}

// Within a turn the answer says what undo takes back and until when, in text and HTML,
// and so it does.
func TestUndoWindow(t *testing.T) {
	o := newOffice(t)
	id := o.started(1, "ada", "bo")
	r := own(t, o.write("ada", "card 087 at row 3\n3.3 ship"), "ada")
	if got := undoSaid(r); got != "undo-until 2" {
		t.Errorf("%q", got)
	}
	text, html := o.shown(r)
	if !strings.Contains(text, "`undo` takes back your last 2 steps until you end your turn or reveal dice or cards.") {
		t.Errorf("%s", text)
	}
	if !strings.Contains(html, "takes back your last 2 steps until you end your turn or reveal dice or cards.") {
		t.Errorf("%s", html)
	}
	r = own(t, o.write("ada", "undo"), "ada")
	if undoSaid(r) != "" || !strings.HasSuffix(o.logged(id), "undo 0") {
		t.Errorf("after undo: %q, %s", undoSaid(r), o.logged(id))
	}
}

// With a clock the answer says in the player's zone when their time runs out; a player who is
// late gets no time.
func TestUndoWindowWithAClock(t *testing.T) {
	w, id := clocked(t, "3d")
	w.write("ada", "zone Asia/Tokyo")
	r := own(t, w.write("ada", "card 087 at row 3"), "ada")
	tokyo, err := time.LoadLocation("Asia/Tokyo")
	if err != nil {
		t.Fatal(err)
	}
	at := w.seat(id, 1).Deadline.In(tokyo).Format("Mon 2 Jan, 15:04 MST")
	want := "takes back your last step until you end your turn, reveal dice or cards, or run out of time (" + at + ")."
	if text, html := w.shown(r); !strings.Contains(text, want) || !strings.Contains(html, want) {
		t.Errorf("%q is not in %s", want, text)
	}
	w.now = w.seat(id, 1).Deadline.Add(time.Minute)
	r = own(t, w.write("ada", "activate 3.3 ship"), "ada")
	if text, _ := w.shown(r); !strings.Contains(text, "takes back your last 2 steps until you end your turn or reveal dice or cards.") {
		t.Errorf("when late: %s", text)
	}
}

// If undo cannot help any more, the answer says so, or says nothing.
func TestUndoWindowIsOver(t *testing.T) {
	o := newOffice(t)
	id := o.started(1, "ada", "bo")
	r := own(t, o.write("ada", "B"), "ada")
	if text, _ := o.shown(r); undoSaid(r) != "undo-not" || !strings.Contains(text, "`undo` can't take back what you have played.") {
		t.Errorf("after dice: %q, %s", undoSaid(r), text)
	}
	if r := own(t, o.write("ada", "undo"), "ada"); fate(r, "undo") != notice.LineRefused {
		t.Errorf("undo: %s", summary(r))
	}
	for n := range 3 { // said of the first turns only
		o.plays("ada")
		r = o.last("ada")
		if i := slices.IndexFunc(r.Answer.Remarks, func(r notice.Remark) bool { return r.Code == notice.SayTakeBack }); i >= 0 != (n < 2) {
			t.Errorf("turn %d: %s", n, summary(r))
		}
		log := o.logged(id)
		if o.write("ada", "undo"); o.logged(id) != log {
			t.Errorf("turn %d: an undo after the turn: %s", n, o.logged(id))
		}
		o.plays("bo")
	}
}

// A step outside of the player's own turn can be taken back until another player moves.
func TestUndoWindowOutsideOfTheTurn(t *testing.T) {
	o := newOffice(t)
	id := o.started(3, "ada", "bo", "cy")
	r := own(t, o.write("cy", "done"), "cy")
	if text, _ := o.shown(r); undoSaid(r) != "undo-next 1 Ada" || !strings.Contains(text, "until the next move of Ada.") {
		t.Errorf("%q, %s", undoSaid(r), text)
	}
	log := o.logged(id)
	if r := own(t, o.write("cy", "undo"), "cy"); fate(r, "undo") != notice.LineApplied || o.logged(id) == log {
		t.Errorf("undo: %s", summary(r))
	}
	o.write("cy", "done")
	o.write("ada", "B")
	if r := own(t, o.write("cy", "undo"), "cy"); fate(r, "undo") == notice.LineApplied {
		t.Errorf("undo after Ada's move: %s", summary(r))
	}
}
