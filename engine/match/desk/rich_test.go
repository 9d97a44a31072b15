package desk_test

import (
	"slices"
	"testing"
	"time"

	"angelpost/engine/game"
	"angelpost/engine/incoming"
	"angelpost/engine/match/desk"
	"angelpost/engine/match/unit"
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

// Orders that the writer struck out or did not tick are not played, and one remark says so.
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
	if got := remarked(r, notice.SayUnticked); !slices.Equal(got, []string{"resign", "buy milk"}) {
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

// The server plays an order after a bar, or an invisible one, only after a yes.
func TestMarkedOrdersWaitForAYes(t *testing.T) {
	for letter, line := range map[string]string{"?| card 087 at row 3\n?| activate 3.3 ship": "activate 3.3 ship", "?~ B": "B"} {
		o := newOffice(t)
		id := o.started(1, "ada", "bo")
		r := own(t, o.write("ada", letter), "ada")
		if fate(r, line) != notice.LineAsked || len(o.record(id, 0).Log) != 0 || !slices.Contains(append(remarked(r, notice.AskMeant), remarked(r, notice.AskWord)...), line) {
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

// A reaction to a player's message goes to its writer as one short line, once; the player who reacted
// gets no answer, and nothing is played.
func TestReactions(t *testing.T) {
	for _, tt := range []struct {
		name string
		to   func(o *office, from string) unit.Command
		text string
	}{
		{"Gmail's", func(o *office, from string) unit.Command {
			c := o.letter(from, o.token(from), "")
			c.Class, c.Reaction = incoming.Reaction, "🎉"
			return c
		}, "🎉"},
		{"to our From address", func(o *office, from string) unit.Command {
			c := o.letter(from, "", "")
			c.Class, c.Reaction, c.InReplyTo = incoming.Reaction, "🎉", o.box[from][len(o.box[from])-1].MessageID
			return c
		}, "🎉"},
		{"thanks", func(o *office, from string) unit.Command { return o.letter(from, o.token(from), "Thanks!\n\nBo\n>") }, "Thanks!"},
		{"GG", func(o *office, from string) unit.Command { return o.letter(from, o.token(from), "GG") }, "GG"},
		{"a thumb", func(o *office, from string) unit.Command { return o.letter(from, o.token(from), "👍") }, "👍"},
		{"thanks without a token", func(o *office, from string) unit.Command {
			c := o.letter(from, "", "thx :)")
			c.InReplyTo = o.box[from][len(o.box[from])-1].MessageID
			return c
		}, "thx :)"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			o := newOffice(t)
			id := o.started(1, "ada", "bo", "cy")
			o.write("ada", "say to bo: good luck")
			outcome, out := o.send(tt.to(o, at("bo")))
			if got := said(out, "ada"); got != "Bo>Ada: "+tt.text || len(out) != 1 || outcome != desk.Silent {
				t.Fatalf("%s: Ada reads %q, %d letters", outcome, got, len(out))
			}
			if r := own(t, out, "ada"); !r.Receipt() || r.Kind != notice.KindInfo {
				t.Errorf("it is a %s, short %v", r.Kind, r.Receipt())
			}
			o.now = o.now.Add(48 * time.Hour)
			if outcome, out := o.send(tt.to(o, at("bo"))); len(out) != 0 || outcome != desk.Silent {
				t.Errorf("once more: %s, %d letters", outcome, len(out))
			}
			if len(o.record(id, 0).Log) != 0 {
				t.Error("something was played")
			}
		})
	}
}

// A reaction to a letter without a player's message has no recipient. A typed one from a player
// to move gets a short answer, once; it may have been meant as a move.
func TestReactionsToNoOne(t *testing.T) {
	o := newOffice(t)
	o.started(1, "ada", "bo")
	c := o.letter(at("ada"), o.token(at("ada")), "")
	c.Class, c.Reaction = incoming.Reaction, "👍"
	if outcome, out := o.send(c); outcome != desk.Silent || len(out) != 0 {
		t.Errorf("a reaction to a turn notice: %s, %d letters", outcome, len(out))
	}
	if out := o.write("bo", "Thanks!"); len(out) != 0 {
		t.Errorf("thanks of whom the game does not wait for: %d letters", len(out))
	}
	out := o.write("ada", "Thanks!")
	if r := own(t, out, "ada"); len(out) != 1 || !r.Answer.Brief || !slices.Contains(remarks(r), notice.SayWords) {
		t.Errorf("thanks for a move to make: %v, brief %v", remarks(r), r.Answer.Brief)
	}
	if out := o.write("ada", "Thanks!"); len(out) != 0 {
		t.Errorf("thanks for that answer: %d letters", len(out))
	}
	for _, forged := range []unit.Command{{AuthFailed: true}, {From: at("mallory")}, {From: at("bo")}, {AuthIllegible: "x"}} {
		o.write("bo", "say: hello")
		c := o.letter(at("ada"), o.token(at("ada")), "")
		c.Class, c.Reaction, c.AuthFailed, c.AuthIllegible = incoming.Reaction, "👍", forged.AuthFailed, forged.AuthIllegible
		if forged.From != "" {
			c.From = forged.From
		}
		if outcome, out := o.send(c); outcome != desk.Silent || len(out) != 0 {
			t.Errorf("%+v: %s, %d letters", forged, outcome, len(out))
		}
	}
}

// A reaction does not count as a yes: the question stays open, and the server says so once to
// the player who reacted.
func TestReactionIsNoYes(t *testing.T) {
	for _, text := range []string{"", "Thanks!", "👍", "✅", "Great!"} {
		o := newOffice(t)
		id := o.started(1, "ada", "bo")
		o.write("ada", "status\nThanks,\nB")
		asked := o.token(at("ada"))
		for n := range 2 {
			c := o.letter(at("ada"), asked, text)
			if text == "" {
				c.Class, c.Reaction = incoming.Reaction, "👍"
			}
			_, out := o.send(c)
			if len(out) != 1-n || len(out) > 0 && (!slices.Equal(remarks(out[0]), []string{notice.AskYesWord}) || !out[0].Answer.Brief) || len(o.record(id, 0).Log) != 0 {
				t.Fatalf("%q, %d: %d letters, %v", text, n, len(out), out)
			}
		}
		if o.write("ada", "yes"); len(o.record(id, 0).Log) == 0 {
			t.Errorf("%q: a yes after it does nothing", text)
		}
	}
}
