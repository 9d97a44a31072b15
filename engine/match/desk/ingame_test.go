package desk_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"angelpost/engine/match/unit"
	"angelpost/engine/notice"
	"angelpost/engine/order"
	"angelpost/engine/store"
)

// twoGames are two games of ada and bo in which ada is to move, and her last letters about them.
func twoGames(t *testing.T) (o *office, a, b notice.Message) {
	o = newOffice(t)
	for seed := byte(1); ; seed++ {
		id := o.started(seed, "ada", "bo")
		letters := o.of("ada", id)
		if m := letters[len(letters)-1]; m.Kind == notice.KindTurn {
			if a, b = b, m; a.ID != 0 {
				return o, a, b
			}
		}
	}
}

// of are the letters that name got about a game.
func (o *office) of(name, game string) []notice.Message {
	return slices.DeleteFunc(slices.Clone(o.box[at(name)]), func(m notice.Message) bool { return m.Game != game })
}

// harmlessOrder is an order that is legal in a letter's game and reveals nothing.
func (o *office) harmlessOrder(m notice.Message) string {
	o.t.Helper()
	for _, l := range o.sheet(m).Legal {
		if strings.HasPrefix(l, "die ") || strings.HasPrefix(l, "place ") || strings.HasPrefix(l, "command") {
			return l
		}
	}
	return o.sheet(m).Legal[0]
}

func refusals(m notice.Message) (codes []string) {
	for _, l := range m.Answer.Lines {
		if l.Problem != nil {
			codes = append(codes, l.Problem.Code)
		}
	}
	return codes
}

// Orders below "game ID" are played in that game, in answer to whatever letter, if its notice had
// gone out before they were written.
func TestOrdersForAnotherGame(t *testing.T) {
	o, a, b := twoGames(t)
	from := [2]int{len(o.log(a.Game)), len(o.log(b.Game))}
	_, out := o.send(o.letter(at("ada"), a.Token, "game "+b.Game+"\n"+o.harmlessOrder(b)))
	if got := [2]int{len(o.log(a.Game)), len(o.log(b.Game))}; got != [2]int{from[0], from[1] + 1} {
		t.Errorf("orders for one game left logs of %v lines, which had %v", got, from)
	}
	if len(out) != 1 || out[0].Game != b.Game || out[0].Result != notice.Applied {
		t.Errorf("the answer is %v", out)
	}

	o, a, b = twoGames(t)
	from = [2]int{len(o.log(a.Game)), len(o.log(b.Game))}
	_, out = o.send(o.letter(at("ada"), a.Token, o.harmlessOrder(a)+"\n\nGame "+strings.ToUpper(b.Game)+":\n"+o.harmlessOrder(b)+"\n\nthanks\nAda"))
	if got := [2]int{len(o.log(a.Game)), len(o.log(b.Game))}; got != [2]int{from[0] + 1, from[1] + 1} {
		t.Errorf("orders for two games left logs of %v lines, which had %v", got, from)
	}
	if len(out) != 2 || out[0].Game == out[1].Game || out[0].Result != notice.Applied || out[1].Result != notice.Applied || out[0].InReplyTo == "" || out[1].InReplyTo == "" {
		t.Errorf("the answers are %v", out)
	}
	for _, m := range out { // each can be answered about its game
		if m, game := o.reply("ada", m, "board"), m.Game; m.Game != game || !m.Answer.Wants("board") {
			t.Errorf("board answered with %v", m)
		}
	}
}

func (o *office) reply(name string, to notice.Message, text string) notice.Message {
	o.t.Helper()
	o.send(o.letter(at(name), to.Token, text))
	return o.last(name)
}

// A game is not named in vain: of its own game a letter's orders are played as ever, and those for
// a game that the writer does not play are played nowhere.
func TestGamesThatAreNamed(t *testing.T) {
	o, a, b := twoGames(t)
	from := len(o.log(a.Game))
	if o.send(o.letter(at("ada"), a.Token, "game "+a.Game+"\n"+o.harmlessOrder(a))); len(o.log(a.Game)) != from+1 {
		t.Errorf("orders for the letter's own game: %v", summary(o.last("ada")))
	}
	foreign := o.started(50, "cy", "di")
	for _, id := range []string{foreign, "aaaaaaaaaaaaaaa2"} {
		a = o.last("ada")
		from := [3]int{len(o.log(a.Game)), len(o.log(b.Game)), len(o.log(foreign))}
		o.send(o.letter(at("ada"), a.Token, "In game "+id+":\n"+o.sheet(a).Legal[0]))
		m := o.last("ada")
		if got := [3]int{len(o.log(a.Game)), len(o.log(b.Game)), len(o.log(foreign))}; got != from || m.Result != notice.Refused || !slices.Equal(refusals(m), []string{notice.ProblemNotYours}) {
			t.Errorf("orders for game %s, which is not ada's, left logs of %v lines, which had %v: %s", id, got, from, summary(m))
		}
	}
}

// Orders for another game wait for a yes if their writer may not have known its position.
func TestOrdersForAnotherGameAreAsked(t *testing.T) {
	for _, x := range []struct {
		name   string
		change func(*office, *unit.Command, notice.Message)
	}{
		{"written before the notice was accepted", func(o *office, c *unit.Command, b notice.Message) { c.Date = b.Date.Add(-time.Minute) }},
		{"without a date", func(o *office, c *unit.Command, b notice.Message) { c.Date = time.Time{} }},
		{"dated in the future, and received before", func(o *office, c *unit.Command, b notice.Message) {
			c.Date, c.Received = c.Date.Add(time.Hour), b.Date.Add(-time.Minute)
		}},
		{"something was revealed since", func(o *office, c *unit.Command, b notice.Message) {
			for _, l := range o.sheet(b).Example { // up to a roll or a draw
				if o.reply("ada", o.of("ada", b.Game)[len(o.of("ada", b.Game))-1], l); says(o.last("ada").Answer, notice.SayUndoNot) {
					break
				}
			}
		}},
	} {
		o, a, b := twoGames(t)
		c := o.letter(at("ada"), a.Token, "")
		c.Class = ""
		x.change(o, &c, b)
		now := o.of("ada", b.Game)
		m := now[len(now)-1]
		if len(o.sheet(m).Legal) == 0 {
			t.Fatalf("%s: it is not ada's turn any more", x.name)
		}
		line := o.sheet(m).Legal[0]
		c.Lines, c.BodyHash = []string{"game " + b.Game, line}, line
		from := len(o.log(b.Game))
		_, out := o.send(c)
		if len(out) != 1 || out[0].Game != b.Game || !says(out[0].Answer, notice.AskInGame) || !slices.Equal(refusals(out[0]), []string{string(order.DoubtGame)}) || !out[0].ShowsBoard() || len(o.log(b.Game)) != from {
			t.Errorf("%s: answered with %v, %d lines of the log more", x.name, out, len(o.log(b.Game))-from)
			continue
		}
		if m := o.reply("ada", out[0], "yes"); m.Game != b.Game || len(o.log(b.Game)) <= from {
			t.Errorf("%s: after a yes: %s", x.name, summary(m))
		}
	}
}

// What could not be done there anyway is refused with the reason, and what decides nothing needs
// no question.
func TestWordsForAnotherGame(t *testing.T) {
	o, a, b := twoGames(t)
	o.plays("ada") // in b
	from := len(o.log(b.Game))
	m := o.reply("ada", a, "game "+b.Game+"\nplace a1")
	if m.Game != b.Game || !slices.Equal(refusals(m), []string{order.Unreadable}) && m.Result != notice.Refused || says(m.Answer, notice.AskInGame) || len(o.log(b.Game)) != from {
		t.Errorf("an order out of turn: %s", summary(m))
	}
	m = o.reply("ada", a, "game "+b.Game+"\nboard\nsay: hello there")
	if m.Game != b.Game || !m.Answer.Wants("board") || len(m.Answer.Sent) != 1 || says(m.Answer, notice.AskInGame) {
		t.Errorf("words: %s", summary(m))
	}
	if p := o.last("bo"); p.Game != b.Game || len(p.Answer.Press) != 1 {
		t.Errorf("bo was told %s", summary(p))
	}
	m = o.reply("ada", a, "preview\ngame "+b.Game+"\nresign")
	if m.Game != b.Game && m.Game != a.Game || len(o.log(b.Game)) != from {
		t.Errorf("a preview: %s", summary(m))
	}
	m = o.reply("ada", a, "game "+b.Game+"\nresign")
	if m.Game != b.Game || m.Result == notice.Applied || len(o.log(b.Game)) != from {
		t.Errorf("resign: %s", summary(m))
	}
	if o.reply("ada", m, "yes"); len(o.log(b.Game)) == from { // which asks for a yes of its own
		o.write("ada", "yes")
	}
	if len(o.log(b.Game)) == from {
		t.Errorf("resign and yes: %s", summary(o.last("ada")))
	}
}

// A game can be named by its name, too, if no other game of the writer's has that.
func TestGamesByName(t *testing.T) {
	o, a, b := twoGames(t)
	for _, x := range []struct {
		line   string
		called []string // a and b
		at     int      // where the order is played; -1 nowhere
	}{
		{"game First flight", []string{"Second flight", "First Flight"}, 1},
		{"For the game “First flight”:", []string{"Second flight", "First Flight"}, 1},
		{"game Second flight", []string{"Second flight", "First Flight"}, 0},
	} {
		ids := [2]string{a.Game, b.Game}
		for i, id := range ids {
			err := o.db.Update(t.Context(), func(tx store.Tx) error {
				row, err := tx.Game(id)
				if row.Name = x.called[i]; err == nil {
					err = tx.SaveGame(row)
				}
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		from := [2]int{len(o.log(ids[0])), len(o.log(ids[1]))}
		letters := o.of("ada", ids[x.at])
		o.send(o.letter(at("ada"), a.Token, x.line+"\n"+o.harmlessOrder(letters[len(letters)-1])))
		for i, id := range ids {
			if played := len(o.log(id)) > from[i]; played != (i == x.at) {
				t.Errorf("%q: played in the game called %q: %v: %s", x.line, x.called[i], played, summary(o.last("ada")))
			}
		}
	}
}
