package desk_test

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"angelpost/engine/incoming"
	"angelpost/engine/match/unit"
	"angelpost/engine/notice"
)

// A stranger who asks for help, tables or leagues and replies to the answer gets
// through on that very day: they begin a game.
func TestStrangerAnswers(t *testing.T) {
	for _, first := range []string{"help", "games", "leagues", "new game\nplayers: bo@home.test\nrules: mild"} {
		o := newOffice(t)
		if _, out := o.send(o.letter(at("eve"), "", first)); len(out) != 1 {
			t.Fatalf("%q: %d letters", first, len(out))
		}
		out := o.write("eve", "new game\nplayers: bo@home.test\nrules: advanced")
		if len(out) != 1 || !slices.Contains(remarks(out[0]), notice.AskNew) {
			t.Fatalf("after %q: %v", first, summaries(out))
		}
		out = o.write("eve", "yes")
		if i := slices.IndexFunc(out, func(r notice.Message) bool { return r.To == at("bo") }); i < 0 || out[i].Answer.Invite.Rules != "advanced" {
			t.Errorf("after %q and yes: %v", first, summaries(out))
		}
	}
}

// The question shows each thing that a yes agrees to.
func TestStrangerIsAskedAll(t *testing.T) {
	o := newOffice(t)
	out := o.write("eve", "new game\nplayers: bo@home.test\nseats: 3\nrules: advanced\nedition: first\nset: crossing\nvisibility: listed\nclock: 3 days bank 6 days\nhints: no\nname: Night")
	if len(out) != 1 {
		t.Fatalf("%d letters", len(out))
	}
	i := slices.IndexFunc(out[0].Answer.Remarks, func(r notice.Remark) bool { return r.Code == notice.AskNew })
	if i < 0 {
		t.Fatalf("%v", summaries(out))
	}
	got := out[0].Answer.Remarks[i]
	want := map[string]string{"name": "Night", "free": "1", "players": "3", "rules": "advanced", "edition": "first", "set": "crossing", "visibility": "listed", "clock": "3d bank 6d grace 1d", "hints": "false", "hal": ""}
	if !maps.Equal(got.Args, want) || !slices.Equal(got.List, []string{"bo@home.test"}) {
		t.Errorf("asked %v with %q, want %v", got.Args, got.List, want)
	}
}

// The server answers a stranger only a few times a day, answers no one else because
// of their letters, and they can stop all letters.
func TestStrangerAnswersAreBounded(t *testing.T) {
	o := newOffice(t)
	o.send(o.letter(at("eve"), "", "help"))
	told := o.token(at("eve"))
	if _, out := o.send(o.letter(at("mallory"), told, "help")); len(out) != 0 {
		t.Errorf("by the letter of another: %v", summaries(out))
	}
	answers := 0
	for range 10 {
		_, out := o.send(o.letter(at("eve"), told, "games"))
		answers += len(out)
	}
	if answers != 4 {
		t.Errorf("%d answers more on one day", answers)
	}
	if _, out := o.send(o.letter(at("eve"), told, "nice, thank you")); len(out) != 0 {
		t.Errorf("to idle talk: %v", summaries(out))
	}

	o = newOffice(t)
	o.send(o.letter(at("eve"), "", "help"))
	if out := o.write("eve", "never write to me again"); len(out) != 0 {
		t.Errorf("never: %v", summaries(out))
	}
	if _, out := o.send(o.letter(at("eve"), "", "help")); len(out) != 0 {
		t.Errorf("after never: %v", summaries(out))
	}
}

// A stranger's answer in which "name" is part of a sentence gives them no name.
func TestStrangerNamedBySentence(t *testing.T) {
	for letter, want := range map[string]bool{"yes\nname Gil": true, "yes\n\nPlease tell me the\nname you want. I will\nbe there": false} {
		o := newOffice(t)
		o.made(strings.Replace(tin, "Tin", "Iron", 1))
		o.deliver()
		o.send(o.letter("gil@far.test", "", "join league Iron League"))
		o.write("gil@far.test", letter)
		r := o.last("gil@far.test")
		i := slices.IndexFunc(r.Answer.Remarks, func(r notice.Remark) bool { return r.Code == notice.SayLeagueJoined })
		if i < 0 {
			t.Fatalf("%q: %s", letter, summary(r))
		}
		name := r.Answer.Remarks[i].Args["name"]
		if got := name == "Gil"; got != want || strings.Contains(name, "want") {
			t.Errorf("%q: called %q, %v", letter, name, r.Answer.Remarks[i].Args)
		}
	}
}

// A stranger's mistyped wish for no more letters is not done unasked: their question stays open.
func TestStrangersNeverMistyped(t *testing.T) {
	for letter, want := range map[string]int{"nevr write to me again": 1, "never write to me again": 0} {
		o := newOffice(t)
		o.write("eve", "new game\nplayers: bo@home.test")
		o.write("eve", letter)
		if out := o.write("eve", "help"); len(out) != want {
			t.Errorf("%q: %v", letter, summaries(out))
		}
	}
}

// A stranger who asks for no more letters, in everyday words, gets none: neither an answer to
// that nor to later letters. If no token and no DMARC proves that they wrote it, the letter has
// no effect.
func TestStrangerUnsubscribes(t *testing.T) {
	help := func(o *office) bool {
		_, out := o.send(o.letter("eve@far.test", "", "help"))
		return len(out) > 0
	}
	for _, said := range []string{"unsubscribe", "Please stop sending me this.\n\nEve", "mute", "never write to me again"} {
		for first, begin := range map[string]string{"a first letter": helloFriend, "help": "help", "a question": "new game\nplayers: bo@home.test"} {
			o := newOffice(t)
			if out := o.write("eve@far.test", begin); len(out) != 1 {
				t.Fatalf("%s: %v", first, summaries(out))
			}
			if out := o.write("eve@far.test", said); len(out) != 0 {
				t.Errorf("%q in answer to the answer to %s: %v", said, first, summaries(out))
			}
			if help(o) {
				t.Errorf("%q in answer to the answer to %s: letters go on", said, first)
			}
		}
		for proven, want := range map[bool]bool{true: false, false: true} {
			o := newOffice(t)
			l := o.letter("eve@far.test", "", said)
			l.AuthPassed = proven
			if _, out := o.send(l); len(out) != 0 {
				t.Errorf("%q in a first letter, proven %v: %v", said, proven, summaries(out))
			}
			if got := help(o); got != want {
				t.Errorf("%q in a first letter, proven %v: letters go on %v", said, proven, got)
			}
		}
	}
}

// A letter from an address with letters beyond ASCII before its @ does nothing. Its writer
// learns why, once in 90 days, if the letter answers one that we sent or wants something.
func TestWriterBeyondASCII(t *testing.T) {
	const jurgen = "jürgen@x.test"
	o := newOffice(t)
	id := o.started(1, "ada", "bo")
	write := func(token, text string, change func(*unit.Command)) []notice.Message {
		l := o.letter("", token, text)
		l.Foreign, l.AuthPassed = jurgen, true
		if change != nil {
			change(&l)
		}
		_, out := o.send(l)
		return out
	}
	token := o.token(at("ada"))
	for why, change := range map[string]func(*unit.Command){
		"forged":    func(c *unit.Command) { c.AuthFailed = true },
		"a list's":  func(c *unit.Command) { c.Class = incoming.List },
		"a machine": func(c *unit.Command) { c.Class = incoming.Auto },
	} {
		if out := write(token, "B", change); len(out) != 0 {
			t.Errorf("%s: %v", why, summaries(out))
		}
	}
	if out := write("", "Please send me your price list", nil); len(out) != 0 {
		t.Errorf("a letter that wants nothing of us: %v", summaries(out))
	}
	out := write(token, "B", nil)
	if len(out) != 1 || out[0].To != jurgen || !slices.Contains(remarks(out[0]), notice.SayBeyondASCII) || out[0].Game != "" {
		t.Fatalf("orders with a player's token: %v", summaries(out))
	}
	if n := len(o.record(id, 0).Log); n != 0 {
		t.Errorf("%d orders were played", n)
	}
	if out := write(token, "B", nil); len(out) != 0 {
		t.Errorf("the second letter: %v", summaries(out))
	}
	o.now = o.now.Add(91 * 24 * time.Hour)
	if out = write("", "help", nil); len(out) != 1 {
		t.Errorf("after 91 days: %v", summaries(out))
	}
	if _, err := o.db.Block(t.Context(), jurgen, o.now); err != nil {
		t.Fatal(err)
	}
	o.now = o.now.Add(91 * 24 * time.Hour)
	if out := write("", "help", nil); len(out) != 0 {
		t.Errorf("blocked: %v", summaries(out))
	}
	if _, err := o.db.Unblock(t.Context(), jurgen); err != nil {
		t.Fatal(err)
	}
	if out = write("", "help", nil); len(out) != 1 {
		t.Fatalf("no longer blocked: %v", summaries(out))
	}
	write(out[0].Token, "unsubscribe", nil)
	o.now = o.now.Add(91 * 24 * time.Hour)
	if out := write("", "help", nil); len(out) != 0 {
		t.Errorf("after unsubscribe: %v", summaries(out))
	}
}
