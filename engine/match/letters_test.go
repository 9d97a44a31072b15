package match_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"angelpost/engine"
	"angelpost/engine/bot"
	"angelpost/engine/match"
	"angelpost/engine/order"
)

var lettersGames = flag.Int("letters.games", 3, "games of each number of players in TestLettersPerGame")

// A manner is how a correspondent writes.
type manner struct {
	name     string
	lists    bool // a reservation list with each B
	standing bool // standing orders, said with the first letter
	forced   bool // the one legal turn is played for him
}

// A correspondent plays by letters what the greedy bot would, a whole turn to a
// letter as far as he sees it coming: he plays on in his mind, with cards that he
// makes up, and writes down what he did.
type correspondent struct {
	manner
	bot  bot.Bot
	rnd  *rand.Rand
	said bool
}

func newCorrespondent(m manner, seed uint64) *correspondent {
	b, err := bot.New(bot.Greedy, fmt.Sprint("letters ", seed))
	if err != nil {
		panic(err)
	}
	return &correspondent{manner: m, bot: b, rnd: rand.New(rand.NewPCG(seed, 17))}
}

// chance is what he makes up.
type fancy struct{ *rand.Rand }

func (c fancy) Draw(engine.Stream, uint32) uint64 { return c.Uint64() }

// turn is what he writes where he is asked.
func (c *correspondent) turn(v *engine.View, step int) (lines []string) {
	if !c.said {
		c.said = true
		if c.standing {
			lines = append(lines, "always reserve 3, 2 leaving 1", "always keep activation, neutralization", "always discard neutralization, activation", "always activate")
		}
		if c.forced {
			lines = append(lines, "always forced")
		}
	}
	seat := v.Viewer
	s := v.Sample(c.rnd.Uint64)
	news := false
	for n := step; s.ToAct(seat) && s.Project(seat).Turn == v.Turn || n == step; n++ {
		switch s.Asked(seat) {
		case engine.AskReserve, engine.AskKeep, engine.AskDiscard, engine.AskOwner, engine.AskReserveFree:
			if news { // nobody can know
				return lines
			}
		}
		now := s.Project(seat)
		st := c.bot.Choose(now, now.Legal(nil), n)
		line := order.Print(st)
		if c.lists && st.Kind == engine.Reroll {
			line += "\nreserve orange 3, gray 3, green 3, orange 2, gray 2, green 2"
		}
		lines = append(lines, line)
		var tale engine.Tale
		s.Do(seat, st, fancy{c.rnd}, &tale)
		for _, e := range tale.Events {
			news = news || e.New()
			if e.Kind == engine.EvTurnEnded && e.Seat == seat {
				return lines
			}
		}
	}
	return lines
}

// letterCount is what a game took.
type letterCount struct {
	in, out int
	kinds   map[string]int
}

// correspond plays one game by letters to its end.
func correspond(t *testing.T, players int, rules string, game int, m manner) (n letterCount, vp int) {
	t.Helper()
	o := newOffice(t, manyAnswers)
	names := []string{"ada", "bo", "cy", "di"}[:players]
	o.rules = rules
	id := o.started(byte(game), names...)
	n.kinds = map[string]int{}
	people := map[string]*correspondent{}
	answered := map[string]string{} // the letter each has answered last
	for i, name := range names {
		people[name] = newCorrespondent(m, uint64(100*game+i))
	}
	for _, name := range names {
		n.out += len(o.box[at(name)])
	}
	for quiet := 0; quiet < len(names); {
		name := names[0]
		names = append(names[1:], name)
		r := o.last(name)
		if r.Kind == match.KindEnd || answered[name] == r.MessageID {
			quiet++
			continue
		}
		s := o.sheet(r)
		if len(s.Legal) == 0 {
			quiet++
			continue
		}
		quiet = 0
		answered[name] = r.MessageID
		lines := people[name].turn(s.View, r.Step)
		n.kinds["about "+s.View.Decision.String()]++
		out := o.write(name, strings.Join(lines, "\n"))
		n.in++
		n.out += len(out)
		for _, a := range out {
			n.kinds[string(a.Kind)+" "+string(a.Result)]++
			if a.To == at(name) && a.Result == match.Refused {
				t.Logf("%s", summary(a))
			}
		}
		if n.in > 5000 {
			t.Fatal("the game does not end")
		}
	}
	rec := o.record(id, 0)
	if !rec.Finished {
		t.Fatal("nobody must decide, but the game is not over")
	}
	for _, s := range rec.Result.Scores {
		vp += *s.Final
	}
	return n, vp
}

func TestLettersPerGame(t *testing.T) {
	for players := 2; players <= 4; players++ {
		for _, rules := range []string{"base", "advanced"} {
			for _, m := range []manner{{name: "plain"}, {name: "lists", lists: true}, {name: "standing", standing: true}, {name: "standing, forced", standing: true, forced: true}} {
				var sum letterCount
				vp := 0
				sum.kinds = map[string]int{}
				for game := range *lettersGames {
					n, v := correspond(t, players, rules, game+1, m)
					sum.in += n.in
					sum.out += n.out
					vp += v
					for k, c := range n.kinds {
						sum.kinds[k] += c
					}
				}
				t.Logf("%d players, %s, %s: %d in, %d out, vp %d, %v", players, rules, m.name, sum.in / *lettersGames, sum.out / *lettersGames, vp/players / *lettersGames, sum.kinds)
			}
		}
	}
}
