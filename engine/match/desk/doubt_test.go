package desk_test

import (
	"slices"
	"strings"
	"testing"

	"angelpost/engine/notice"
)

// fate is what became of a line of a letter, as its answer says.
func fate(r notice.Message, text string) notice.Status {
	for _, l := range r.Answer.Lines {
		if l.Text == text {
			return l.Status
		}
	}
	return ""
}

// own is the letter to name among those that went out.
func own(t *testing.T, out []notice.Message, name string) notice.Message {
	t.Helper()
	i := slices.IndexFunc(out, func(r notice.Message) bool { return r.To == at(name) })
	if i < 0 {
		t.Fatalf("no letter to %s", name)
	}
	return out[i]
}

// An order that may be a signature is not played: the answer quotes it, and a yes
// plays it.
func TestSignatureIsAskedAbout(t *testing.T) {
	for _, letter := range []string{
		"status\n\nThanks,\nB", "status\n\nThanks,\nB.", "Enjoy the sunshine,\nB", "Good luck!\nB", "say: good luck\nB", "status\nB",
		"I have no idea what to do.\n\nMit freundlichen Grüßen\nB", "note: he bluffs\nB\n-Ada",
	} {
		o := newOffice(t)
		id := o.started(1, "ada", "bo")
		line := "B"
		if strings.Contains(letter, "B.") {
			line = "B."
		}
		r := own(t, o.write("ada", letter), "ada")
		if got := fate(r, line); got != notice.LineAsked || len(o.record(id, 0).Log) != 0 {
			t.Errorf("%q: %q, %d lines", letter, got, len(o.record(id, 0).Log))
			continue
		}
		i := slices.IndexFunc(r.Answer.Remarks, func(r notice.Remark) bool { return r.Code == notice.AskMeant })
		if i < 0 || !slices.Equal(r.Answer.Remarks[i].List, []string{line}) || r.Result == notice.None {
			t.Errorf("%q: %s, remarks %v", letter, r.Result, r.Answer.Remarks)
			continue
		}
		r = own(t, o.write("ada", "Sure!\n\nyes\n\nThanks,\nAda"), "ada")
		log := o.record(id, 0).Log
		if len(log) == 0 || log[0].Order != "B" || r.Result != notice.Applied {
			t.Errorf("%q: after a yes %v, %s", letter, log, summary(r))
		}
	}
}

// Any text is a name, so the server asks about "name" in a sentence, a list or a file before it
// renames anyone.
func TestNameByChance(t *testing.T) {
	for line, letter := range map[string]string{
		"name you want. I will": "Please tell me the\nLINE\nbe there, I hope.", "+name = Zed": "Here is my change:\n\nLINE", "name: The Long Way": "amned Foo\nLINE\nkind: solo", "Name the price!": "LINE",
	} {
		o := newOffice(t)
		o.started(1, "ada", "bo")
		r := own(t, o.write("ada", strings.ReplaceAll(letter, "LINE", line)), "ada")
		if got := fate(r, line); got != notice.LineAsked {
			t.Errorf("%q: %q, %s", letter, got, summary(r))
		}
	}
	o := newOffice(t)
	o.started(1, "ada", "bo")
	o.write("ada", "Please tell me the\nname: Zed Zander\nbe there, I hope.")
	if r := own(t, o.write("ada", "yes"), "ada"); !slices.Contains(remarks(r), notice.SayName) {
		t.Errorf("after a yes: %s %v", summary(r), r.Answer.Lines)
	}
}

// After a no, silence, or other orders, the server does not play the doubtful orders, and a yes
// comes too late when the turn is over.
func TestDoubtIsNotYes(t *testing.T) {
	o := newOffice(t)
	id := o.started(1, "ada", "bo")
	o.write("ada", "status\nThanks,\nB")
	asked := o.token(at("ada"))
	if r := own(t, o.write("ada", "no"), "ada"); len(o.record(id, 0).Log) != 0 || r.Result == notice.Applied {
		t.Errorf("after a no: %s", summary(r))
	}
	_, out := o.send(o.letter(at("ada"), asked, "yes"))
	if r := own(t, out, "ada"); len(o.record(id, 0).Log) != 0 || r.Result != notice.Refused {
		t.Errorf("a yes after a no: %s", summary(r))
	}
	o.write("ada", "status\nThanks,\nB")
	asked = o.token(at("ada"))
	o.plays("ada")
	n := len(o.record(id, 0).Log)
	_, out = o.send(o.letter(at("ada"), asked, "yes"))
	if r := own(t, out, "ada"); len(o.record(id, 0).Log) != n || r.Result != notice.Refused {
		t.Errorf("a yes after the turn: %s", summary(r))
	}
}

// The answer mentions an initial that could not be an order now, and does not ask about it: it
// is how the writer signs. The writer's own initial below a closing is a signature, which the
// answer does not mention.
func TestInitialsOfWhoseTurnItIsNot(t *testing.T) {
	o := newOffice(t)
	o.started(1, "ada", "bo")
	r := own(t, o.write("bo", "status\n\nCheers,\nB"), "bo")
	if fate(r, "B") != "" || r.Result != notice.None || slices.Contains(remarks(r), notice.AskMeant) {
		t.Errorf("%s: %v, %v", r.Result, r.Answer.Lines, r.Answer.Remarks)
	}
	r = own(t, o.write("ada", "card 087 at row 3\nactivate 3.3 ship\n\nBest regards,\nB\n+49 170 1234567"), "ada")
	if fate(r, "B") != notice.LineSkipped || r.Result != notice.Applied {
		t.Errorf("%s: %v, %v", r.Result, r.Answer.Lines, r.Answer.Remarks)
	}
	for _, bad := range []string{"resign", "undo"} { // possible, so asked about
		if r := own(t, o.write("ada", "status\nThanks\n"+bad), "ada"); fate(r, bad) != notice.LineAsked {
			t.Errorf("%s: %v", bad, r.Answer.Lines)
		}
	}
}

// A turn is played with any text around it, in any language.
func TestTurnAmongProse(t *testing.T) {
	for _, letter := range []string{
		"TURN\n\nMit freundlichen Grüßen\nAnna", "TURN\n\nBest regards\nAnna Alpha\n+49 170 123 45 67\nwww.example.org", "Hi all,\n\nhere is my turn:\n\nTURN",
		"Bonjour à tous,\nvoici mon tour.\n\nTURN\n\nBien cordialement\nA.", "Thanks for waiting!\n\nTURN\n\n" + strings.Repeat("This message is confidential. ", 160),
	} {
		o := newOffice(t)
		id := o.started(1, "ada", "bo")
		out := o.write("ada", strings.ReplaceAll(letter, "TURN", "card 087 at row 3\nactivate 3.3 ship"))
		if r := own(t, out, "ada"); r.Result != notice.Applied || len(o.record(id, 0).Log) != 2 {
			t.Errorf("%q: %s, %v", letter, r.Result, r.Answer.Lines)
		}
	}
}

// The yes to our question counts anywhere in a letter, if the letter says nothing else.
func TestYesAmongCourtesies(t *testing.T) {
	for letter, want := range map[string]bool{
		"yes": true, "Hello,\n\nyes\n\nBest,\nAda": true, "Of course, why not.\nyes": true, "Thanks,\nyes": true, "Danke!\nyes please": true,
		"I would rather not say\nstatus\nThanks,\nyes": false,
	} {
		o := newOffice(t)
		id := o.started(1, "ada", "bo")
		o.send(o.letter("ada@work.test", o.token(at("ada")), "card 087 at row 3"))
		o.write("ada", letter)
		if got := len(o.record(id, 0).Log) == 1; got != want {
			t.Errorf("%q: %v, want %v", letter, got, want)
		}
	}
}

// A10a: an order to end a turn that has already ended is not an error.
func TestDoneBelowTheTurnsEnd(t *testing.T) {
	for _, preview := range []string{"", "preview\n"} {
		o := newOffice(t)
		id := o.started(1, "ada", "bo")
		o.write("ada", "B")
		legal := o.sheet(o.last("ada")).Legal
		i := slices.IndexFunc(legal, func(l string) bool { return strings.HasPrefix(l, "reserve ") })
		if i < 0 || !slices.Contains(legal, "done") {
			t.Fatalf("legal: %q", legal)
		}
		before := len(o.record(id, 0).Log)
		r := own(t, o.write("ada", preview+legal[i]+"\ndone"), "ada")
		if preview != "" {
			if len(o.record(id, 0).Log) != before || r.Result == notice.Refused {
				t.Errorf("a preview: %v", r.Answer.Lines)
			}
			continue
		}
		if len(o.record(id, 0).Log) != before+1 || r.Result != notice.Applied || fate(r, "done") != notice.LineSkipped || r.Answer.Lines[1].Problem == nil {
			t.Errorf("%s: %v", r.Result, r.Answer.Lines)
		}
		// Any other order below the end is still refused, and nothing of a second turn is played.
		o.plays("bo")
		o.write("ada", "B")
		i = slices.IndexFunc(o.sheet(o.last("ada")).Legal, func(l string) bool { return strings.HasPrefix(l, "reserve ") })
		if i < 0 {
			continue
		}
		if r := own(t, o.write("ada", o.sheet(o.last("ada")).Legal[i]+"\npass"), "ada"); fate(r, "pass") != notice.LineRefused {
			t.Errorf("pass below the turn's end: %v", r.Answer.Lines)
		}
	}
}

// A6: a reservation list of which no die is there is not "done". With the B, whose
// roll it could not know, it reserves none and says so; where the dice can be
// seen it is refused and the turn goes on (Q6.2b).
func TestReservationOfNothing(t *testing.T) {
	o := newOffice(t)
	id := o.started(1, "ada", "bo")
	o.write("ada", "B")
	legal := o.sheet(o.last("ada")).Legal
	die := ""
	for _, d := range []string{"orange 0", "orange 1", "orange 2", "orange 3", "gray 0", "gray 1", "gray 2", "gray 3", "green 3"} {
		if !slices.Contains(legal, "reserve "+d) {
			die = d
		}
	}
	n := len(o.record(id, 0).Log)
	r := own(t, o.write("ada", "reserve "+die), "ada")
	if len(o.record(id, 0).Log) != n || r.Result != notice.Refused || fate(r, "reserve "+die) != notice.LineRefused {
		t.Errorf("a die that is seen not to be there: %v", r.Answer.Lines)
	}

	unmet := 0
	for seed := byte(1); seed < 12; seed++ {
		o := newOffice(t)
		o.started(seed, "ada", "bo")
		r := own(t, o.write("ada", "B\nreserve green 3"), "ada")
		l := r.Answer.Lines[1]
		if l.Status == notice.LineUnmet {
			unmet++
			if l.Problem == nil || l.Problem.Code != notice.ProblemNoDie || r.Result != notice.Applied {
				t.Errorf("%s: %+v", r.Result, l)
			}
		} else if l.Status != notice.LineApplied || len(l.As) != 1 || l.As[0] != "reserve green 3" {
			t.Errorf("%+v", l)
		}
	}
	if unmet == 0 || unmet == 11 {
		t.Errorf("%d of 11 lists found nothing", unmet)
	}
}

// Whatever is wrong with a line is named, with one thing that works.
func TestFaultsAreNamed(t *testing.T) {
	for line, want := range map[string]string{
		"inject a1 row 9": "order-slot row 9", "card 087 at column 4": "order-slot column 4", "launch b2 to c5": "order-launch b2",
		"launch to b77": "order-hex b77", "take t99": "order-tile t99", "activate 4.1": "order-cell 4.1", "die gray 5": "order-die 5",
		"destroy 7": "order-location 7", "card 099 at row 1": "order-card 099", "activate 3.3 ship quickly": "order-unreadable quickly",
	} {
		o := newOffice(t)
		o.started(1, "ada", "bo")
		r := own(t, o.write("ada", line), "ada")
		p := r.Answer.Lines[0].Problem
		if p == nil || p.Code+" "+p.Args["word"] != want || !strings.HasPrefix(want, "order-unreadable") && len(p.Suggestions) > 1 {
			t.Errorf("%q: %+v, want %s", line, p, want)
		}
	}
}
