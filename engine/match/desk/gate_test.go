package desk_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"angelpost/engine/match/desk"
	"angelpost/engine/match/unit"
	"angelpost/engine/notice"
	"angelpost/engine/store"
)

// forge is a letter that anyone could have written in a player's name.
func (o *office) forge(name, text string) unit.Command { return o.letter(at(name), "", text) }

// Letters with a forged From that ask for words use up nothing that the player
// needs: the server answers the player as if there were none.
func TestForgedWordsSilenceNobody(t *testing.T) {
	o := newOffice(t)
	o.started(1, "ada", "bo")
	again := o.token(at("ada"))
	answers := 0
	o.now = o.now.Add(55 * time.Minute) // the flood goes on into the next hour of the clock
	begin := o.now
	for i := range 90 {
		l := o.forge("ada", []string{"status", "help", "legal"}[i%3]+strings.Repeat(" ", i))
		o.now = begin.Add(time.Duration(i) * 10 * time.Second)
		_, out := o.send(l)
		for _, r := range out {
			answers++
			if s := o.sheet(r); r.To != at("ada") || !r.Answer.Brief || len(s.Legal)+len(s.Story)+len(s.Example) > 0 {
				t.Errorf("the answer is not short: %+v", r)
			}
		}
	}
	if answers != 3 {
		t.Errorf("%d answers to forged letters in an hour, want 3", answers)
	}

	// Everything of the player's own is carried out and answered at once.
	for i, text := range []string{"card 087 at row 3", "status", "frobnicate 1", "undo", "new game\nplayers: cy@home.test"} {
		_, out := o.send(o.letter(at("ada"), again, text))
		if !slices.ContainsFunc(out, func(r notice.Message) bool { return r.To == at("ada") && !r.Answer.Brief && r.Answer.Collected == nil }) {
			t.Errorf("letter %d, %q, was not answered: %v", i, text, summaries(out))
		}
	}
	// So is a letter without a token that passed DMARC, in full.
	for range 5 {
		l := o.forge("ada", "status")
		l.AuthPassed = true
		if _, out := o.send(l); len(out) != 1 || out[0].Answer.Brief || out[0].Game == "" {
			t.Errorf("a letter that passed DMARC: %v", summaries(out))
		}
	}

	// What was beyond the three comes in one letter, once.
	out := o.due(2 * time.Hour)
	if len(out) != 1 || !out[0].Answer.Brief || !slices.Contains(remarks(out[0]), notice.SayCollectedBrief) {
		t.Fatalf("collected: %v", summaries(out))
	}
	if n := len(out[0].Answer.Collected); n != 3 { // each word once
		t.Errorf("%d answers were collected, want 3", n)
	}
	if out := o.due(48 * time.Hour); len(out) != 0 {
		t.Errorf("collected twice: %v", summaries(out))
	}
}

// A flood that goes on for a day causes three letters in any hour.
func TestForgedWordsInALongFlood(t *testing.T) {
	o := newOffice(t)
	o.started(1, "ada", "bo")
	o.write("ada", "status")
	var sent []time.Time
	for i := range 24 * 30 {
		o.now = o.now.Add(time.Minute) // and one by forge
		l := o.forge("ada", fmt.Sprintf("rules %d", i))
		_, out := o.send(l)
		out = append(out, o.due(0)...)
		for _, r := range out {
			sent = append(sent, o.now)
			if n := len(r.Answer.Collected); n > 20 {
				t.Errorf("%d answers in one letter", n)
			}
		}
	}
	for i := 3; i < len(sent); i++ {
		if gap := sent[i].Sub(sent[i-3]); gap < time.Hour {
			t.Errorf("four letters in %v", gap)
		}
	}
	if len(sent) < 24 {
		t.Errorf("%d letters in a day", len(sent))
	}
}

// Nothing else that an unproven letter can be is a way around that.
func TestWaysAroundTheBudget(t *testing.T) {
	t.Parallel()
	n := 0
	for name, letter := range map[string]func(o *office, first unit.Command) unit.Command{
		"no token": func(o *office, _ unit.Command) unit.Command { return o.forge("ada", "status") },
		"an unknown token": func(o *office, _ unit.Command) unit.Command {
			return o.letter(at("ada"), strings.Repeat("a", 26), "status")
		},
		"another player's token": func(o *office, _ unit.Command) unit.Command {
			return o.letter(at("ada"), o.token(at("bo")), "status")
		},
		"orders": func(o *office, _ unit.Command) unit.Command { return o.forge("ada", "B") },
		"other nonsense each time": func(o *office, _ unit.Command) unit.Command {
			n++
			return o.forge("ada", fmt.Sprint("frobnicate ", n))
		},
		"a new game": func(o *office, _ unit.Command) unit.Command {
			return o.forge("ada", "new game\nplayers: bo@home.test")
		},
		"a league":           func(o *office, _ unit.Command) unit.Command { return o.forge("ada", "join league Nowhere") },
		"the page's address": func(o *office, _ unit.Command) unit.Command { return o.forge("ada", "link") },
		"nothing":            func(o *office, _ unit.Command) unit.Command { return o.forge("ada", "") },
		"all of a Message-ID": func(o *office, first unit.Command) unit.Command {
			l := o.forge("ada", "status")
			l.MessageID = first.MessageID
			n++
			l.BodyHash = fmt.Sprintf("%064x", n)
			return l
		},
		"found to be forged": func(o *office, _ unit.Command) unit.Command {
			l := o.forge("ada", "status")
			l.AuthFailed = true
			return l
		},
		"copies that took another way": func(o *office, first unit.Command) unit.Command { n++; first.Raw = fmt.Append(nil, n); return first },
	} {
		t.Run(name, func(t *testing.T) {
			o := newOffice(t)
			id := o.started(1, "ada", "bo")
			again := o.token(at("ada"))
			first := o.forge("ada", "help")
			_, out := o.send(first)
			letters := len(out)
			for range 40 {
				_, out := o.send(letter(o, first))
				letters += len(out)
				o.now = o.now.Add(-50 * time.Second)
			}
			if letters > 9 { // three of each kind
				t.Errorf("%d letters", letters)
			}
			for _, text := range []string{"frobnicate the quux", "new game\nplayers: dan@home.test", "address add ada@work.test", "status", "card 087 at row 3"} {
				_, out := o.send(o.letter(at("ada"), again, text))
				if !slices.ContainsFunc(out, func(r notice.Message) bool { return r.To == at("ada") }) {
					t.Errorf("the player's own %q is not answered", text)
				}
				for _, r := range out {
					for _, l := range r.Answer.Lines {
						if l.Problem != nil && l.Problem.Code == notice.ProblemMany {
							t.Errorf("the player's own %q is refused: %s", text, summary(r))
						}
					}
				}
			}
			if n := len(o.record(id, 0).Log); n != 1 {
				t.Errorf("%d lines were played, want the player's one", n)
			}
		})
	}
}

// Orders that are carried out are answered at once, however many answers the day
// has had; what changes nothing waits.
func TestAppliedOrdersAreAlwaysAnswered(t *testing.T) {
	o := newOffice(t, func(c *unit.Config) { c.AnswersPerDay = 2 })
	o.started(1, "ada", "bo")
	for i, text := range []string{"card 087 at row 3", "undo", "card 087 at row 3", "undo\nfrobnicate 1", "status", "undo"} {
		out := o.write("ada", text)
		want := i != 3 && i != 4
		if got := len(out) == 1; got != want {
			t.Errorf("letter %d, %q: answered %v", i, text, got)
		}
	}
}

// A letter whose answer waits changes no page's address.
func TestLinkThatWaits(t *testing.T) {
	o := newOffice(t)
	id := o.started(1, "ada", "bo")
	for range 3 {
		o.send(o.forge("ada", "status"))
	}
	key := o.last("ada").PageKey
	for range 10 {
		o.send(o.forge("ada", "link"))
	}
	if _, err := o.desk.Host().Open(t.Context(), id, key, -1); err != nil {
		t.Errorf("the page is gone: %v", err)
	}
}

// strangers writes a letter from each of many addresses and counts the answers.
func (o *office) strangers(text string, addresses ...string) (n int) {
	o.t.Helper()
	for _, a := range addresses {
		l := o.letter(a, "", text)
		o.now = o.now.Add(-59 * time.Second)
		_, out := o.send(l)
		for _, r := range out {
			if r.To != a {
				o.t.Errorf("a letter to %s for one of %s", r.To, a)
			}
			n++
		}
	}
	return n
}

// Forged addresses draw few letters: at one domain, under it, and all over the
// world, whatever they ask for; the next hour and the next day bring no more than
// their own.
func TestBackscatterIsBounded(t *testing.T) {
	t.Parallel()
	of := func(n int, format string) (all []string) {
		for i := range n {
			all = append(all, fmt.Sprintf(format, i))
		}
		return all
	}
	registrable := func(host string) string {
		labels := strings.Split(host, ".")
		return strings.Join(labels[max(0, len(labels)-2):], ".")
	}
	for _, c := range []struct {
		name, text, addresses string
		hour, day             int
	}{
		{"one domain", "help", "%d@victim.test", 10, 30},
		{"one domain, a new game", "new game\nplayers: x@else.test", "%d@victim.test", 10, 30},
		{"one domain, leagues", "leagues", "%d@victim.test", 10, 30},
		{"its hosts", "games", "u@%d.victim.test", 10, 30},
		{"one mailbox", "help", "u+%d@victim.test", 3, 3},
		{"many domains", "help", "u@%d.test", 30, 120},
	}[sample(3, 0):] {
		t.Run(c.name, func(t *testing.T) {
			o := newOffice(t, func(x *unit.Config) { x.Start, x.Domain = "anyone", registrable })
			o.now = o.now.Truncate(24 * time.Hour).Add(8 * time.Hour)
			hour := o.strangers(c.text, of(200, c.addresses)...)
			if hour != c.hour {
				t.Errorf("%d letters in an hour, want %d", hour, c.hour)
			}
			day := hour
			for i := range 6 {
				o.now = o.now.Add(time.Hour + 20*time.Minute)
				day += o.strangers(c.text, of(31, fmt.Sprintf("%d.", i)+c.addresses)...)
			}
			if c.name == "one mailbox" { // these were six more
				day -= 6 * 3
			}
			if day != c.day {
				t.Errorf("%d letters in a day, want %d", day, c.day)
			}
			// It does not include a player's own letters, and strangers whose letters are
			// proven.
			o.started(1, "ada", "bo")
			if out := o.write("ada", "new game\nplayers: new@victim.test"); len(out) != 2 {
				t.Errorf("a player's invitation: %v", summaries(out))
			}
			l := o.letter("proven@victim.test", "", "help")
			l.AuthPassed = true
			if _, out := o.send(l); len(out) != 1 {
				t.Errorf("a stranger who passed DMARC: %v", summaries(out))
			}
		})
	}
}

// An answer to a stranger is shortened until it is in proportion to the letter, or
// not written; then its question is not put either, and nothing counts as written.
func TestAnswersToStrangersAreInProportion(t *testing.T) {
	weight := func(s *notice.Input) (int, error) {
		n := 100
		if s.Message.Format != "text" {
			n += 2000
		}
		for _, x := range s.Message.Answer.Sections {
			n += 300 + 50*len(x.Games)
		}
		return n, nil
	}
	o := newOffice(t, func(c *unit.Config) { c.Start, c.Weigh = "anyone", weight })
	o.started(1, "ada", "bo")
	for i := range 9 {
		o.send(o.letter(at("ada"), o.box[at("ada")][0].Token, fmt.Sprint("open game\nname: Table ", i)))
		o.now = o.now.Add(9 * time.Hour)
	}
	for _, c := range []struct {
		octets   int
		format   string
		sections int
	}{{9, "none", 0}, {10, "text", 0}, {39, "text", 0}, {40, "text", 1}, {239, "text", 1}, {240, "", 1}} {
		l := o.letter(fmt.Sprintf("s%d@d%d.test", c.octets, c.octets), "", "help")
		l.Raw = make([]byte, c.octets)
		outcome, out := o.send(l)
		switch {
		case c.format == "none":
			if len(out) != 0 || outcome != desk.Silent {
				t.Errorf("%d octets: %s %v", c.octets, outcome, summaries(out))
			}
		case len(out) != 1 || out[0].Format != c.format || len(out[0].Answer.Sections) != c.sections:
			t.Errorf("%d octets: %+v", c.octets, out)
		}
	}
	// A list is cut before it is left out.
	l := o.letter("games@d.test", "", "games")
	l.Raw = make([]byte, 55)
	if _, out := o.send(l); len(out) != 1 || len(out[0].Answer.Sections) != 1 || len(out[0].Answer.Sections[0].Games) != 2 {
		t.Errorf("the list: %+v", out)
	}
	l = o.letter("ask@d.test", "", "new game\nplayers: bo@home.test")
	l.Raw = l.Raw[:5]
	if _, out := o.send(l); len(out) != 0 {
		t.Errorf("a question: %v", summaries(out))
	}
	var open []store.Confirm
	if err := o.db.View(t.Context(), func(tx store.Tx) (err error) {
		open, err = tx.OpenConfirms(store.ConfirmGame, "ask@d.test")
		return err
	}); err != nil || len(open) != 0 {
		t.Errorf("a question is open that was not put: %v %v", open, err)
	}
	if _, out := o.send(o.letter("ask@d.test", "", "help")); len(out) != 0 { // 4 octets
		t.Errorf("help: %v", summaries(out))
	}
	l = o.letter("ask@d.test", "", "help")
	l.Raw = make([]byte, 500)
	if _, out := o.send(l); len(out) != 1 {
		t.Error("what was not answered counts as an answer")
	}
}

// A stranger with a question gets one answer to a no, and a few more that the question is no
// longer open, in proportion to the letter.
func TestStrangerSaysNoAgainAndAgain(t *testing.T) {
	weighed := 0
	o := newOffice(t, func(c *unit.Config) {
		c.Start, c.Weigh = "anyone", func(*notice.Input) (int, error) { weighed++; return 1, nil }
	})
	o.send(o.letter(at("eve"), "", "new game\nplayers: bo@home.test"))
	token, answers := o.token(at("eve")), 0
	for range 20 {
		_, out := o.send(o.letter(at("eve"), token, "no"))
		answers += len(out)
	}
	if answers == 0 || answers > 5 || weighed != answers+1 {
		t.Errorf("%d answers, %d weighed", answers, weighed)
	}
}
