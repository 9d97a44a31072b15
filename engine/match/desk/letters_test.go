package desk_test

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"angelpost/engine"
	"angelpost/engine/bot"
	"angelpost/engine/component"
	"angelpost/engine/match/look"
	"angelpost/engine/notice"
	"angelpost/engine/order"
)

// A manner is how a correspondent writes.
type manner struct {
	lists    bool     // a reservation list with each B
	plans    int      // how many times they think their next turn through before planning it
	bot      string   // how they play; "" greedy
	standing []string // what they say with their first letter
}

// A correspondent plays by letters what a bot would, a whole turn to a letter as far
// as they see it coming: they play on in their mind, with cards they make up, and
// write down what they did. They write when the game waits for them.
type correspondent struct {
	manner
	own, others bot.Bot // how they play, and what they think others do
	rnd         *rand.Rand
	said        bool
	answered    string // the letter they answered last
}

func newCorrespondent(m manner, seed uint64) *correspondent {
	others, err := bot.New(bot.Greedy, fmt.Sprint("letters ", seed))
	if err != nil {
		panic(err)
	}
	own := others
	if m.bot != "" {
		if own, err = bot.New(m.bot, fmt.Sprint("letters ", seed)); err != nil {
			panic(err)
		}
	}
	return &correspondent{manner: m, own: own, others: others, rnd: rand.New(rand.NewPCG(seed, 17))}
}

// fancy is the randomness a correspondent makes up.
type fancy struct{ *rand.Rand }

func (c fancy) Draw(engine.Stream, uint32) uint64 { return c.Uint64() }

// wanted reports whether the game waits for the reader of a letter.
func wanted(v *engine.View) bool {
	return slices.Contains(v.ToAct, v.Viewer) && (v.Seat == 0 || v.Seat == v.Viewer || v.Options.Players == 1 || v.Decision == engine.AskReserveFree)
}

// turn returns what the correspondent writes when asked.
func (c *correspondent) turn(v *engine.View, step int) (lines []string) {
	if !c.said {
		c.said, lines = true, append(lines, c.standing...)
	}
	s := v.Sample(c.rnd.Uint64)
	lines = append(lines, c.imagine(&s, v.Viewer, step)...)
	if plan := c.plan(v, step); len(plan) > 0 {
		lines = append(append(lines, "plan"), plan...)
	}
	return lines
}

// plan returns what the correspondent would do with their next turn: of the turns
// they reach by playing on with made-up cards, those that need none of these, the
// likeliest first.
func (c *correspondent) plan(v *engine.View, step int) (lines []string) {
	seat := v.Viewer
	turns := map[string]int{}
	for range c.plans {
		s := v.Sample(c.rnd.Uint64)
		c.imagine(&s, seat, step)
		n := step + 100
		for ; !s.Finished() && !(s.Asked(seat) == engine.AskTurn && s.Project(0).Turn > v.Turn); n++ {
			who := s.Project(0).ToAct[0]
			now := s.Project(who)
			s.Do(who, c.others.Choose(now, now.Legal(nil), n), fancy{c.rnd}, nil)
		}
		if s.Finished() || s.Project(0).Turn > v.Turn+len(v.Players) {
			continue
		}
		unknown := func(line string) bool {
			st, err := order.Parse(line)
			mine := err != nil || st.Card == 0 || st.Kind == engine.UseCard || slices.Contains(v.Players[seat-1].Cards, st.Card)
			return !mine
		}
		if turn := c.imagine(&s, seat, n); len(turn) > 0 && !slices.ContainsFunc(turn, unknown) {
			turns[strings.Join(turn, "\n")]++
		}
	}
	var blocks []string
	for turn := range turns {
		blocks = append(blocks, turn)
	}
	slices.SortFunc(blocks, func(a, b string) int { return cmp.Or(turns[b]-turns[a], strings.Compare(a, b)) })
	if len(blocks) == 0 {
		return nil
	}
	return strings.Split(strings.Join(blocks[:min(len(blocks), 6)], "\nelse\n"), "\n")
}

// keeps reports whether a standing order says which card the correspondent keeps.
func (c *correspondent) keeps() bool {
	return slices.ContainsFunc(c.standing, func(line string) bool { return strings.HasPrefix(line, "always keep") })
}

// imagine plays on for a seat until its turn is over or no one can know more.
func (c *correspondent) imagine(s *engine.State, seat engine.Seat, step int) (lines []string) {
	news, turn := false, s.Project(0).Turn
	for n := step; s.ToAct(seat) && s.Project(0).Turn == turn; n++ {
		v := s.Project(seat)
		switch s.Asked(seat) {
		case engine.AskKeep:
			if news && c.keeps() { // whichever that will be
				s.Do(seat, v.Legal(nil)[0], fancy{c.rnd}, nil)
				continue
			}
			fallthrough
		case engine.AskReserve, engine.AskDiscard, engine.AskOwner:
			if news {
				return lines
			}
		}
		st := c.own.Choose(v, v.Legal(nil), n)
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
func (o *office) correspond(id string, people map[string]*correspondent, seen func(notice.Message)) (in int) {
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
	err := o.desk.Host().VerifyAll(context.Background(), func(c look.Check) error {
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

// letterCount is what games took.
type letterCount struct {
	games, players        int
	turns, in, out, vp    int
	planned, played, said int // plans kept and played, steps of standing orders
}

func (n *letterCount) play(t *testing.T, rules string, game int, m manner) {
	t.Helper()
	o := newOffice(t, manyAnswers)
	o.rules = rules
	names := []string{"ada", "bo", "cy", "di"}[:n.players]
	id := o.started(byte(game), names...)
	people := map[string]*correspondent{}
	for i, name := range names {
		people[name] = newCorrespondent(m, uint64(100*game+i))
		n.out += len(o.box[at(name)])
	}
	n.games++
	n.in += o.correspond(id, people, func(r notice.Message) {
		n.out++
		s := o.sheet(r)
		if r.Kind == notice.KindEnd && r.To == at("ada") {
			n.turns += s.View.Turn
		}
		for _, s := range r.Answer.Sections {
			if s.Plan != nil && s.Plan.State == notice.PlanKept {
				n.planned++
			} else if s.Plan != nil && s.Plan.State == notice.PlanPlayed {
				n.played++
			}
		}
		for _, m := range r.Answer.Remarks {
			if m.Code == notice.TellStanding {
				n.said++
			}
		}
		for _, l := range r.Answer.Lines {
			if l.Status == notice.LineAlways {
				n.said++
			}
		}
	})
	for _, s := range o.record(id, 0).Result.Scores {
		n.vp += *s.Final
	}
}

// row is a line of the table in LETTERS.md.
func (n *letterCount) row(rules, name string) string {
	per := func(k int) float64 { return float64(k) / float64(n.games) }
	return fmt.Sprintf("| %d | %s | %s | %.1f | %.1f | %.1f | %.1f | %.1f | %.1f | %.1f |", n.players, rules, name,
		per(n.turns), per(n.in), per(n.out), per(n.planned), per(n.played), per(n.said), per(n.vp)/float64(n.players))
}

// choices plays games between bots and counts turns: all, those that can begin in one way only,
// and those of them without another choice.
func choices(t *testing.T, players int, rules string, games int, name string) (turns, one, only int) {
	t.Helper()
	b, err := bot.New(name, "choices")
	if err != nil {
		t.Fatal(err)
	}
	for game := range games {
		src := fancy{rand.New(rand.NewPCG(uint64(game), 23))}
		s, err := engine.New(component.Default(), engine.Options{Players: players, Advanced: rules == "advanced"}, src, nil)
		if err != nil {
			t.Fatal(err)
		}
		free := true // in the turn under way there was something to choose
		for n := 0; !s.Finished(); n++ {
			seat := s.Project(0).ToAct[0]
			v := s.Project(seat)
			legal := v.Legal(nil)
			if v.Decision == engine.AskTurn && v.Seat == seat {
				turns++
				if free = len(legal) > 1; !free {
					one++
					only++
				}
			} else if v.Seat == seat && v.Decision != engine.AskOwner && len(legal) > 1 && !free {
				free = true
				only--
			}
			s.Do(seat, b.Choose(v, legal, n), src, nil)
		}
	}
	return turns, one, only
}

var (
	lettersGames = flag.Int("letters.games", 0, "games of each kind in TestLettersPerGame, which then tries all rules and styles; 0: a few")
	lettersBot   = flag.String("letters.bot", bot.Greedy, "how they play; what others will do they always guess to be greedy")
)

// TestLettersPerGame plays games by letters with people who answer each question, and with
// people who plan their next turn in the same letter and use all standing orders that they can:
// those need fewer letters by a third.
func TestLettersPerGame(t *testing.T) {
	t.Parallel()
	said := []string{"always reserve 3, 2 leaving 1", "always keep activation, neutralization", "always discard neutralization, activation", "always activate"}
	all := append(slices.Clone(said), "always forced")
	styles := []struct {
		name string
		manner
	}{
		{"plain", manner{}}, {"lists", manner{lists: true}}, {"standing", manner{standing: said}},
		{"standing, forced", manner{standing: all}}, {"lists, plans", manner{lists: true, plans: 8}}, {"standing, forced, plans", manner{standing: all, plans: 8}},
	}
	games := *lettersGames
	if games == 0 {
		games, styles = 1, slices.Delete(styles, 1, len(styles)-1)
	}
	for players := 2; players <= 4; players++ {
		var plain, best letterCount
		for _, rules := range []string{"base", "advanced"} {
			if *lettersGames == 0 && (rules == "advanced") != (players == 3) {
				continue
			}
			if games := *lettersGames; games > 0 {
				turns, one, only := choices(t, players, rules, games, *lettersBot)
				t.Logf("%d players, %s: of %d turns %d began with one thing to do, %d had no choice at all", players, rules, turns, one, only)
			}
			for i, m := range styles {
				n := letterCount{players: players}
				m.manner.bot = *lettersBot
				for game := range games {
					n.play(t, rules, game+1, m.manner)
				}
				t.Log(n.row(rules, m.name))
				switch i {
				case 0:
					plain.in, plain.out, plain.turns = plain.in+n.in, plain.out+n.out, plain.turns+n.turns
				case len(styles) - 1:
					best.in, best.out, best.turns = best.in+n.in, best.out+n.out, best.turns+n.turns
				}
			}
		}
		if 3*best.out*plain.turns > 2*plain.out*best.turns || 3*best.in*plain.turns > 2*plain.in*best.turns { // by turns: few games are not alike
			t.Errorf("%d players: %d letters in and %d out in %d turns with planning, %d and %d in %d without",
				players, best.in, best.out, best.turns, plain.in, plain.out, plain.turns)
		}
	}
}
