package desk_test

import (
	"slices"
	"strings"
	"testing"

	"angelpost/engine/notice"
)

// asksBeside are the lines that an answer asks about for what else the letter says.
func asksBeside(r notice.Message) []string {
	for _, m := range r.Answer.Remarks {
		if m.Code == notice.AskBeside || m.Code == notice.AskMeant {
			return m.List
		}
	}
	return nil
}

// Words that take back, doubt or put off an order, anywhere in a letter, keep all of it from
// being played until its writer says yes.
func TestTakenBackIsAsked(t *testing.T) {
	for _, letter := range []string{
		"B\nwait", "B\n\nwait", "hold on\n\nB", "B\n\nscratch that", "B\nignore that", "B\ncancel that", "B\nforget that", "B\n\nnever mind",
		"B\n\nGeht das?", "B\n\nEst-ce possible ?", "B\n\nМожно?", "B\nnein warte", "B\n\nподожди", "B\n待って", "B\n\n🤔", "DRAFT\n\nB", "Next turn:\nB", "in theory:\nB", "I would B",
		"B\n\nThanks,\nAda\nPS: wait for Bo first",
	} {
		o := newOffice(t)
		id := o.started(1, "ada", "bo")
		r := own(t, o.write("ada", letter), "ada")
		if n := len(o.record(id, 0).Log); n != 0 {
			t.Errorf("%q plays %d steps", letter, n)
			continue
		}
		if strings.HasPrefix(letter, "I would") {
			continue // not an order at all
		}
		if got := asksBeside(r); !slices.Equal(got, []string{"B"}) {
			t.Errorf("%q: asked about %q, %v", letter, got, remarks(r))
			continue
		}
		o.write("ada", "yes")
		if log := o.record(id, 0).Log; len(log) == 0 || log[0].Order != "B" {
			t.Errorf("%q: after a yes %v", letter, log)
		}
	}
}

// Next to words that are in no list, what undo can take back is played, and the rest waits.
func TestStrangeWordsHoldWhatIsFinal(t *testing.T) {
	o := newOffice(t)
	id := o.started(1, "ada", "bo")
	r := own(t, o.write("ada", "B\n\nfrobnicate the quux"), "ada")
	if n := len(o.record(id, 0).Log); n != 0 || !slices.Equal(asksBeside(r), []string{"B"}) {
		t.Errorf("%d steps, asked about %q", n, asksBeside(r))
	}
	o = newOffice(t)
	id = o.started(1, "ada", "bo")
	r = own(t, o.write("ada", "card 087 at row 3\nactivate 3.3 ship\n\nfrobnicate the quux"), "ada")
	if n := len(o.record(id, 0).Log); n == 0 || asksBeside(r) != nil || r.Answer.Remarks[0].Code != notice.SayBeside {
		t.Errorf("%d steps, asked about %q, %v", n, asksBeside(r), remarks(r))
	}
	// The end of a turn waits, its start is played.
	o = newOffice(t)
	id = o.started(1, "ada", "bo")
	turn := o.sheet(o.last("ada")).Example
	r = own(t, o.write("ada", strings.Join(turn, "\n")+"\n\nfrobnicate the quux"), "ada")
	log := o.record(id, 0).Log
	held := asksBeside(r)
	if len(log) == 0 || len(held) == 0 || len(log)+len(held) != len(turn) || !slices.Equal(held, turn[len(log):]) {
		t.Errorf("%d of %d lines played, asked about %q", len(log), len(turn), held)
	}
	o.write("ada", "yes")
	if n := len(o.record(id, 0).Log); n < len(turn) {
		t.Errorf("%d lines after a yes", n)
	}
}

// The server asks once about a signature that is in no list, and then knows it.
func TestSignatureIsKnownAgain(t *testing.T) {
	o := newOffice(t)
	id := o.started(1, "ada", "bo")
	const sign = "\n\nFrobnicator in Residence\nQuux Labs"
	if r := own(t, o.write("ada", "B"+sign), "ada"); asksBeside(r) == nil {
		t.Errorf("a new signature: %v", remarks(r))
	}
	if r := own(t, o.write("ada", "B"+sign), "ada"); asksBeside(r) != nil || len(o.record(id, 0).Log) == 0 {
		t.Errorf("the same again: %v", remarks(r))
	}
}

// A letter that only takes back answers a question with no; without one, undo is proposed.
func TestLoneTakeBack(t *testing.T) {
	o := newOffice(t)
	id := o.started(1, "ada", "bo")
	o.write("ada", "B\nwait")
	r := own(t, o.write("ada", "no, scratch that"), "ada")
	if len(o.record(id, 0).Log) != 0 || !slices.Contains(remarks(r), notice.SayNo) {
		t.Errorf("in answer to a question: %v", remarks(r))
	}
	o = newOffice(t)
	id = o.started(1, "ada", "bo")
	o.write("ada", "card 087 at row 3")
	r = own(t, o.write("ada", "scratch that"), "ada")
	if !slices.Contains(remarks(r), notice.AskWord) {
		t.Fatalf("below an order: %v, %v", remarks(r), r.Answer.Lines)
	}
	o.write("ada", "yes")
	if log := o.record(id, 0).Log; len(log) == 0 || !strings.HasPrefix(log[len(log)-1].Order, "undo") {
		t.Errorf("after a yes: %v", log)
	}
}

// A preview tries what is in doubt, because it plays nothing.
func TestPreviewTriesWhatIsInDoubt(t *testing.T) {
	o := newOffice(t)
	id := o.started(1, "ada", "bo")
	r := own(t, o.write("ada", "preview\ncard 087 at row 3\n\nWhat would that cost?"), "ada")
	if n := len(o.record(id, 0).Log); n != 0 || !slices.Equal(r.Answer.Preview, []string{"card 087 at row 3"}) {
		t.Errorf("%d steps, tried %q, %v", n, r.Answer.Preview, r.Answer.Lines)
	}
}

// Orders that could not be played anyway are refused with the reason, whatever the letter says
// besides.
func TestDoubtfulLetterToAnOldNotice(t *testing.T) {
	o := newOffice(t)
	id := o.started(1, "ada", "bo")
	old := o.token(at("ada"))
	o.plays("ada")
	n := len(o.record(id, 0).Log)
	_, out := o.send(o.letter(at("ada"), old, "B\n\nor should I wait?"))
	r := own(t, out, "ada")
	if len(o.record(id, 0).Log) != n || !slices.Contains(remarks(r), notice.SayTurnOver) || asksBeside(r) != nil {
		t.Errorf("%v, %v", remarks(r), r.Answer.Lines)
	}
}
