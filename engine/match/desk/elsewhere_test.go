package desk_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"angelpost/engine/match/unit"
	"angelpost/engine/notice"
	"angelpost/engine/order"
)

// TestLettersForAnotherServer: a letter for another server of the host does nothing, and its
// writer learns the right address, three times a day at most; a letter with a token of this
// server's is this server's, and what a machine or the other server wrote is not answered.
func TestLettersForAnotherServer(t *testing.T) {
	o := newOffice(t, func(c *unit.Config) {
		c.Own = func(a string) bool { return strings.HasSuffix(a, "@angelpost.test") || a == "angelpost@west.test" }
	})
	id := o.started(1, "ada", "bo")
	west := &unit.Elsewhere{Address: "angelpost@west.test", URL: "https://west.test"}
	sent := func(from, token, text string, change ...func(*unit.Command)) []notice.Message {
		t.Helper()
		c := o.letter(from, token, text)
		c.Elsewhere, c.Raw = west, []byte(strings.Repeat("a", 2000))
		for _, f := range change {
			f(&c)
		}
		_, out := o.send(c)
		return out
	}
	token := o.token(at("ada"))
	lines := len(o.log(id))
	for _, from := range []string{at("ada"), at("stranger")} {
		for n := range 5 {
			out := sent(from, "", "resign\nnew game\nplayers: ann@home.test, bot")
			if n >= 3 {
				if len(out) != 0 {
					t.Errorf("letter %d of %s: %v", n, from, summaries(out))
				}
				continue
			}
			if len(out) != 1 || out[0].To != from || out[0].Result != notice.Refused || len(out[0].Answer.Press) > 0 {
				t.Fatalf("letter %d of %s: %v", n, from, summaries(out))
			}
			r := out[0].Answer.Remarks[0]
			if r.Code != notice.SayElsewhere || r.Args["address"] != west.Address || r.Args["url"] != west.URL {
				t.Errorf("%s: %+v", from, r)
			}
		}
	}
	if len(o.log(id)) != lines {
		t.Error("something was played")
	}
	// Three more if they are surely theirs, whatever anyone wrote in their name.
	out := sent(at("ada"), "", "status", func(c *unit.Command) { c.AuthPassed = true })
	if len(out) != 1 || !slices.Contains(remarks(out[0]), notice.SayElsewhere) || out[0].Game != "" {
		t.Errorf("a proven letter: %v", summaries(out))
	}
	// The token decides.
	out = sent(at("ada"), token, "status")
	if len(out) != 1 || slices.Contains(remarks(out[0]), notice.SayElsewhere) || out[0].Game != id {
		t.Errorf("with a token: %v", summaries(out))
	}
	o.now = o.now.Add(48 * time.Hour)
	for what, change := range map[string]func(*unit.Command){
		"the other server": func(c *unit.Command) { c.From = west.Address },
		"a machine":        func(c *unit.Command) { c.Class = "auto" },
		"a list":           func(c *unit.Command) { c.Class = "list" },
		"a bounce":         func(c *unit.Command) { c.Class = "bounce" },
		"a forger":         func(c *unit.Command) { c.From, c.AuthFailed = at("stranger"), true },
	} {
		if out := sent(at("bo"), "", "status", change); len(out) != 0 {
			t.Errorf("%s: %v", what, summaries(out))
		}
	}
	if out := sent(at("bo"), "", "status", func(c *unit.Command) { c.Raw = []byte("x") }); len(out) != 1 {
		t.Errorf("bo: %v", summaries(out))
	}
}

// TestTokenOfAnotherServer: a token of another server's letter, put into this server's address,
// opens nothing here. Its writer, known here or not, learns which servers may have written that
// letter, at most a few times a day; if there are no other servers, they get no answer.
func TestTokenOfAnotherServer(t *testing.T) {
	o := newOffice(t)
	id := o.started(1, "ada", "bo")
	lines := len(o.log(id))
	others := []string{"angelpost@west.test", "angelpost@north.test"}
	sent := func(from string, others []string, change ...func(*unit.Command)) []notice.Message {
		t.Helper()
		c := o.letter(from, "k7q2m4n6p3r5s7tbucvdwexf", "resign")
		c.Others, c.Raw = others, []byte(strings.Repeat("a", 2000))
		for _, f := range change {
			f(&c)
		}
		_, out := o.send(c)
		return out
	}
	for _, from := range []string{at("ada"), at("stranger")} {
		heard := 0
		for n := range 8 {
			out := sent(from, others)
			if len(out) == 0 {
				continue
			}
			heard++
			at := slices.IndexFunc(out[0].Answer.Remarks, func(r notice.Remark) bool { return r.Code == notice.SayWhoseToken })
			if len(out) != 1 || out[0].To != from || at < 0 || out[0].Answer.Remarks[at].Args["address"] != strings.Join(others, ", ") {
				t.Errorf("letter %d of %s: %v", n, from, summaries(out))
			}
		}
		if heard == 0 || heard == 8 || from == at("stranger") && heard != 3 { // a player's is one of their answers
			t.Errorf("%s was answered %d times", from, heard)
		}
	}
	if len(o.log(id)) != lines {
		t.Error("something was played")
	}
	o.now = o.now.Add(48 * time.Hour)
	if out := sent(at("stranger"), others, func(c *unit.Command) { c.Class = "auto" }); len(out) != 0 {
		t.Errorf("a machine: %v", summaries(out))
	}
	if out := sent(at("stranger"), nil); len(out) != 0 {
		t.Errorf("without other servers: %v", summaries(out))
	}
	if out := sent(at("bo"), nil); len(out) != 1 || slices.Contains(remarks(out[0]), notice.SayWhoseToken) {
		t.Errorf("without other servers: %v", summaries(out))
	}
}

// TestShardBeginsGames: a server's name begins the ids of its games, and all that reads them
// still does.
func TestShardBeginsGames(t *testing.T) {
	o := newOffice(t, func(c *unit.Config) { c.Shard = "west" })
	seen := map[string]bool{}
	for n := range 5 {
		id := o.started(byte(n), "ada", "bo")
		if !strings.HasPrefix(id, "west") || !order.IsGameID(id) || seen[id] {
			t.Errorf("%q", id)
		}
		seen[id] = true
	}
}
