package match_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"angelpost/engine"
	"angelpost/engine/bot"
	"angelpost/engine/match"
	"angelpost/engine/order"
)

// A manner is how a correspondent writes.
type manner struct {
	lists    bool     // a reservation list with each B
	standing []string // what he says with his first letter
}

// A correspondent plays by letters what the greedy bot would, a whole turn to a
// letter as far as he sees it coming: he plays on in his mind, with cards that he
// makes up, and writes down what he did. He writes when the game waits for him.
type correspondent struct {
	manner
	bot      bot.Bot
	rnd      *rand.Rand
	said     bool
	answered string // the letter he answered last
}

func newCorrespondent(m manner, seed uint64) *correspondent {
	b, err := bot.New(bot.Greedy, fmt.Sprint("letters ", seed))
	if err != nil {
		panic(err)
	}
	return &correspondent{manner: m, bot: b, rnd: rand.New(rand.NewPCG(seed, 17))}
}

// fancy is the chance that he makes up.
type fancy struct{ *rand.Rand }

func (c fancy) Draw(engine.Stream, uint32) uint64 { return c.Uint64() }

// wanted tells whether the game waits for the reader of a letter.
func wanted(v *engine.View) bool {
	return slices.Contains(v.ToAct, v.Viewer) && (v.Seat == 0 || v.Seat == v.Viewer || v.Decision == engine.AskReserveFree)
}

// turn is what he writes where he is asked.
func (c *correspondent) turn(v *engine.View, step int) (lines []string) {
	if !c.said {
		c.said, lines = true, append(lines, c.standing...)
	}
	s := v.Sample(c.rnd.Uint64)
	return append(lines, c.imagine(&s, v.Viewer, step)...)
}

// imagine plays on for a seat until its turn is over or nobody can know more.
func (c *correspondent) imagine(s *engine.State, seat engine.Seat, step int) (lines []string) {
	news, turn := false, s.Project(0).Turn
	for n := step; s.ToAct(seat) && s.Project(0).Turn == turn; n++ {
		switch s.Asked(seat) {
		case engine.AskReserve, engine.AskKeep, engine.AskDiscard, engine.AskOwner:
			if news {
				return lines
			}
		}
		v := s.Project(seat)
		st := c.bot.Choose(v, v.Legal(nil), n)
		lines = append(lines, order.Print(st))
		if c.lists && st.Kind == engine.Reroll {
			lines = append(lines, "reserve orange 3, gray 3, green 3, orange 2, gray 2, green 2")
		}
		var tale engine.Tale
		s.Do(seat, st, fancy{c.rnd}, &tale)
		for _, e := range tale.Events {
			if news = news || e.New(); e.Kind == engine.EvTurnEnded && e.Seat == seat {
				return lines
			}
		}
	}
	return lines
}

// correspond plays a game by letters to its end, and shows every letter out. It
// tells how many letters in there were.
func (o *office) correspond(id string, people map[string]*correspondent, seen func(match.Recipe)) (in int) {
	o.t.Helper()
	var names []string
	for name := range people {
		names = append(names, name)
	}
	slices.Sort(names)
	for quiet := 0; quiet < len(names); in++ {
		name := names[0]
		names = append(names[1:], name)
		c, r := people[name], o.last(name)
		s := o.sheet(r)
		if c.answered == r.MessageID || s.View == nil || s.View.Finished || !wanted(s.View) {
			quiet++
			in--
			continue
		}
		quiet, c.answered = 0, r.MessageID
		for _, a := range o.write(name, strings.Join(c.turn(s.View, r.Step), "\n")) {
			seen(a)
		}
		if in > 5000 {
			o.t.Fatal("the game does not end")
		}
	}
	if rec := o.record(id, 0); !rec.Finished {
		o.t.Fatal("nobody must decide, but the game is not over")
	}
	err := o.desk.Host().VerifyAll(context.Background(), func(c match.Check) error {
		if c.Difference != nil || c.Err != nil {
			o.t.Errorf("verify: %+v", c)
		}
		return nil
	})
	if err != nil {
		o.t.Error(err)
	}
	return in
}
