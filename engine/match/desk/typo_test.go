package desk_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"angelpost/engine/incoming"
	"angelpost/engine/match/gate"
	"angelpost/engine/notice"
	"angelpost/engine/store"
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

// Several orders are listed to choose from, and prose is not a typo: a yes plays nothing.
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

// A yes to a mistyped plan would take all other doubtful lines into the plan: then the server
// proposes nothing.
func TestMistypedPlanIsProposedAlone(t *testing.T) {
	for letter, want := range map[string]string{
		"paln\n3.3 ship": notice.AskWord,
		"paln\n3.3 ship\n\nThanks,\n\ncard 087 at row 3": notice.SayHowMeant,
		"paln\n3.3 ship\n\nThanks,\n\nresign":            notice.SayHowMeant,
		"resgin\n\npaln\n3.3 ship":                       notice.SayHowMeant,
	} {
		o := newOffice(t)
		id := o.started(1, "ada", "bo")
		r := own(t, o.write("ada", letter), "ada")
		if said := remarks(r); !slices.Contains(said, want) {
			t.Errorf("%q: %s", letter, summary(r))
		}
		if o.write("ada", "yes"); want == notice.SayHowMeant && (o.ahead(id, "ada") != "" || o.logged(id) != "") {
			t.Errorf("%q: a yes plans %q and plays %q", letter, o.ahead(id, "ada"), o.logged(id))
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

// The correction of a line uses nothing that dice or cards have yet to reveal.
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

// The server proposes a mistyped word that changes something, and carries it out after a yes,
// not before. If the word needs a yes itself, it asks again after that yes.
func TestMistypedWordIsProposed(t *testing.T) {
	word := func(letter, proposed string, others ...string) (*office, string, notice.Message) {
		t.Helper()
		o := newOffice(t)
		id := o.started(1, append([]string{"ada", "bo"}, others...)...)
		r := own(t, o.write("ada", letter), "ada")
		i := slices.IndexFunc(r.Answer.Remarks, func(r notice.Remark) bool { return r.Code == notice.AskWord })
		if i < 0 || strings.Join(r.Answer.Remarks[i].List, " / ") != proposed {
			t.Fatalf("%q: %s, %+v", letter, summary(r), r.Answer.Remarks)
		}
		return o, id, r
	}
	o, id, _ := word("resgin", "resign")
	if o.seats(id)[0].Bot != "" {
		t.Fatal("resigned without a yes")
	}
	if r := own(t, o.write("ada", "yes"), "ada"); r.Result != notice.Applied || o.seats(id)[0].Bot == "" {
		t.Errorf("resign: %s", summary(r))
	}
	o, id, _ = word("resgin", "resign")
	if o.write("ada", "no"); o.seats(id)[0].Bot != "" {
		t.Error("resigned after a no")
	}
	o, _, _ = word("vacaton 2 weeks", "vacation 2 weeks")
	if r := own(t, o.write("ada", "yes"), "ada"); r.Result != notice.Applied || !slices.Contains(remarks(r), notice.SayVacation) {
		t.Errorf("vacation: %s", summary(r))
	}
	o, _, _ = word("alwyas keep 031", "always keep 031")
	if r := own(t, o.write("ada", "yes"), "ada"); r.Result != notice.Applied {
		t.Errorf("always: %s", summary(r))
	}
	o, id, r := word("card 087 at row 3\nabadon", "abandon")
	if o.logged(id) != "card 087 at row 3" {
		t.Errorf("orders beside it: %s, %q", summary(r), o.logged(id))
	}
	r = own(t, o.write("ada", "yes"), "ada")
	if o.record(id, 0).Result != nil || !slices.Contains(remarks(o.last("bo")), notice.AskAbandon) {
		t.Errorf("abandon: %s, the others are told %v", summary(r), remarks(o.last("bo")))
	}

	o, id, _ = word("paln\nif round at least 1\n3.3 shpi\nesle\npass", "plan / if round at least 1 / 3.3 ship / else / pass", "cy") // whose move it is
	if o.logged(id) != "" || o.ahead(id, "ada") != "" {
		t.Error("a plan is played or kept without a yes")
	}
	if o.write("ada", "yes"); o.ahead(id, "ada") != "plan; if round at least 1; 3.3 ship; else; pass" || o.logged(id) != "" {
		t.Errorf("plan: %q", o.ahead(id, "ada"))
	}
}

// A player who writes to an address without a token gets a question as well.
func TestMistypedWordWithoutAToken(t *testing.T) {
	o := newOffice(t)
	id := o.made(tin)
	o.joins(id, "ada", "bo")
	_, out := o.send(o.forge("ada", "leav league "+id))
	r := own(t, out, "ada")
	if !slices.Contains(remarks(r), notice.AskWord) {
		t.Fatalf("%s", summary(r))
	}
	r = own(t, o.write("ada", "yes"), "ada")
	if !slices.Contains(remarks(r), notice.SayLeagueLeft) && !slices.Contains(remarks(o.last("ada")), notice.AskLeague) {
		t.Errorf("%s, %v", summary(r), remarks(r))
	}
}

// TestMistypedWordsAreAskedAFewTimes: anyone may write without a token, so the number of
// questions is limited; each can be answered.
func TestMistypedWordsAreAskedAFewTimes(t *testing.T) {
	o := newOffice(t)
	id := o.made(tin)
	o.joins(id, "ada", "bo")
	asked := 0
	for n := range 8 {
		c := o.forge("ada", "leav league "+id+strings.Repeat(" ", n))
		c.MessageID = fmt.Sprintf("<%d@forged.test>", n)
		_, out := o.send(c)
		for _, r := range out {
			if slices.Contains(remarks(r), notice.AskWord) {
				asked++
				if r.Token == "" || r.Answer.Collected != nil {
					t.Errorf("letter %d asks what no yes can answer: %s", n, summary(r))
				}
			}
		}
	}
	err := o.db.View(context.Background(), func(tx store.Tx) error {
		open, err := tx.OpenConfirms(store.ConfirmMeant, at("ada"))
		if asked != gate.AskRate.Day || len(open) != asked {
			t.Errorf("asked %d times, and %d questions are open, want %d", asked, len(open), gate.AskRate.Day)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// An encrypted letter has another answer than one that cannot be read for other reasons.
func TestSealedLetter(t *testing.T) {
	o := newOffice(t)
	o.started(1, "ada", "bo")
	for sealed, want := range map[bool]string{true: notice.SaySealed, false: notice.SayBroken} {
		c := o.letter(at("ada"), o.token(at("ada")), fmt.Sprint(sealed))
		c.Class, c.Lines, c.Sealed = incoming.Broken, nil, sealed
		if _, out := o.send(c); !slices.Contains(remarks(own(t, out, "ada")), want) {
			t.Errorf("sealed %v: %v", sealed, remarks(own(t, out, "ada")))
		}
	}
}
