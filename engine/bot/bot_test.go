package bot_test

import (
	"slices"
	"strings"
	"testing"

	"angelpost/engine"
	"angelpost/engine/bot"
	"angelpost/engine/component"
	"angelpost/engine/order"
	"angelpost/engine/sim"
)

// playOut plays one game and calls at before every choice among two or more, with
// a copy of the position; choose picks the step.
func playOut(t *testing.T, players, n int, choose func(s engine.State, src engine.Random, seat engine.Seat, legal []engine.Step, step int) engine.Step) {
	t.Helper()
	src := engine.NewChance(sim.Seed("bot", n), "")
	s, err := engine.New(component.Default(), engine.Options{Players: players}, src, nil)
	if err != nil {
		t.Fatal(err)
	}
	for step := 0; !s.Finished(); step++ {
		for seat := engine.Seat(1); int(seat) <= players; seat++ {
			legal := s.Legal(seat, nil)
			if len(legal) == 0 {
				continue
			}
			st := legal[0]
			if len(legal) > 1 {
				st = choose(s, src, seat, legal, step)
			}
			if err := s.Apply(seat, st, src, nil); err != nil {
				t.Fatalf("step %d: seat %d: %s: %v", step, seat, order.Print(st), err)
			}
			break
		}
	}
}

func make1(t *testing.T, name, key string) bot.Bot {
	t.Helper()
	b, err := bot.New(name, key)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestGreedyTakesPoints holds that greedy never passes up a step that wins VP
// now. What a step wins is read from the position after it was really taken,
// not from what greedy looks at.
func TestGreedyTakesPoints(t *testing.T) {
	offers := 0
	for n := 1; n <= 40; n++ {
		players := 2 + n%3
		b := make1(t, bot.Greedy, "test")
		playOut(t, players, n, func(s engine.State, src engine.Random, seat engine.Seat, legal []engine.Step, step int) engine.Step {
			wins := func(st engine.Step) int {
				before := s.Project(seat).Players[seat-1].VP
				after := s
				after.Do(seat, st, src, nil)
				if after.Finished() {
					p := after.Project(seat).Players[seat-1]
					return p.Final - p.By[engine.ByAdvanced] - p.By[engine.ByGoods] - before
				}
				return after.Project(seat).Players[seat-1].VP - before
			}
			chosen := b.Choose(s.Project(seat), legal, step)
			best := 0
			for _, st := range legal {
				best = max(best, wins(st))
			}
			if best > 0 {
				offers++
				if got := wins(chosen); got < best {
					t.Errorf("game %d, step %d: %s wins %d VP, something legal %d", n, step, order.Print(chosen), got, best)
				}
			}
			return chosen
		})
	}
	if offers < 100 {
		t.Errorf("only %d steps won VP: the test shows little", offers)
	}
}

// TestDeterministic holds that a choice follows from name, key, step number and
// what is seen alone: a bot made anew for every step goes on as the old one,
// and asking again changes nothing.
func TestDeterministic(t *testing.T) {
	for _, name := range []string{bot.Random, bot.Greedy, bot.Planner + ":200", bot.Planner + ":4000"} {
		old := make1(t, name, "one")
		every := 1
		if strings.HasSuffix(name, ":4000") {
			every = 25 // it thinks longer
		}
		differs := false
		for n := 1; n <= 3; n++ {
			playOut(t, 4, n, func(s engine.State, _ engine.Random, seat engine.Seat, legal []engine.Step, step int) engine.Step {
				if step%every != 0 {
					return legal[step%len(legal)]
				}
				before := s
				v := s.Project(seat)
				a := old.Choose(v, legal, step)
				if b := make1(t, name, "one").Choose(v, legal, step); a != b || old.Choose(s.Project(seat), slices.Clone(legal), step) != a {
					t.Fatalf("%s: step %d: %s and %s", name, step, order.Print(a), order.Print(b))
				}
				if s != before {
					t.Fatalf("%s: step %d: choosing changed the position", name, step)
				}
				differs = differs || make1(t, name, "two").Choose(v, legal, step) != a
				return a
			})
		}
		if !differs {
			t.Errorf("%s: the key makes no difference", name)
		}
	}
}

// TestRandomIsEven holds that every step is as likely as any other.
func TestRandomIsEven(t *testing.T) {
	legal := []engine.Step{{Kind: engine.Reroll}, {Kind: engine.Pass}, {Kind: engine.Done}}
	count := map[engine.Kind]int{}
	b := make1(t, bot.Random, "even")
	if !bot.Blind(b) {
		t.Error("random wants to see something")
	}
	for step := range 30000 {
		count[b.Choose(nil, legal, step).Kind]++
	}
	for k, n := range count {
		if n < 9600 || n > 10400 {
			t.Errorf("kind %d chosen %d of 30000 times", k, n)
		}
	}
	if len(count) != 3 {
		t.Errorf("%d of 3 steps ever chosen", len(count))
	}
}

// TestGreedyPlaysWell holds that greedy plays a decent game: it beats random by
// far, and at each table size it places Missions, takes Advanced tiles and
// loses few VP.
func TestGreedyPlaysWell(t *testing.T) {
	const games = 30
	var greedy, random int
	for n := 1; n <= games; n++ {
		bots := map[engine.Seat]bot.Bot{}
		for seat := engine.Seat(1); seat <= 4; seat++ {
			name := bot.Random
			if (int(seat)+n)%2 == 0 {
				name = bot.Greedy
			}
			bots[seat] = make1(t, name, "well")
		}
		var last engine.State
		playOut(t, 4, n, func(s engine.State, src engine.Random, seat engine.Seat, legal []engine.Step, step int) engine.Step {
			st := bots[seat].Choose(s.Project(seat), legal, step)
			last = s
			last.Do(seat, st, src, nil)
			return st
		})
		for _, p := range last.Project(0).Players {
			vp := p.VP
			if last.Finished() {
				vp = p.Final
			}
			if bot.Blind(bots[p.Seat]) {
				random += vp
			} else {
				greedy += vp
			}
		}
	}
	if greedy < 2*random {
		t.Errorf("greedy %d VP, random %d in %d games: want twice as many at least", greedy, random, games)
	}
}

func TestNew(t *testing.T) {
	_, err := bot.New("clever", "")
	if err == nil || !strings.Contains(err.Error(), "greedy, planner, random") {
		t.Errorf("got %v, want the names there are", err)
	}
}

// TestAdvice holds that a plan can be played as it stands, ends where something
// becomes known or the turn ends, says whether more is to come, and is the same
// whenever it is asked for.
func TestAdvice(t *testing.T) {
	b := make1(t, bot.Planner+":400", "advice").(bot.Adviser)
	plans, several, others := 0, 0, 0
	playOut(t, 3, 5, func(s engine.State, src engine.Random, seat engine.Seat, legal []engine.Step, step int) engine.Step {
		v := s.Project(seat)
		p := b.Advise(v, step)
		if q := b.Advise(s.Project(seat), step); !slices.Equal(p.Steps, q.Steps) || p.Lead != q.Lead {
			t.Fatalf("step %d: two plans: %v, %v", step, p, q)
		}
		if st := b.Choose(v, legal, step); st != p.Steps[0] && len(legal) > 1 {
			t.Errorf("step %d: proposes %s and plays %s", step, order.Print(p.Steps[0]), order.Print(st))
		}
		news := false
		for i, st := range p.Steps {
			if news || !slices.Contains(s.Legal(seat, nil), st) {
				t.Fatalf("step %d: step %d of the plan, %s, cannot be played (news before it: %v)", step, i, order.Print(st), news)
			}
			var tale engine.Tale
			s.Do(seat, st, src, &tale)
			for _, e := range tale.Events {
				news = news || e.New() || e.Kind == engine.EvTurnEnded
			}
		}
		if !news && s.ToAct(seat) || p.Whole && s.ToAct(seat) && s.Project(0).Seat == seat {
			t.Errorf("step %d: the plan stops before %v; whole: %v", step, s.Legal(seat, nil)[0], p.Whole)
		}
		if p.Other == p.Steps[0] || p.Less < 0 {
			t.Errorf("step %d: besides %s it would play %s, %.1f less", step, order.Print(p.Steps[0]), order.Print(p.Other), p.Less)
		}
		plans++
		if len(p.Steps) > 1 {
			several++
		}
		if p.Other.Kind != engine.NoStep {
			others++
		}
		return p.Steps[0]
	})
	if plans < 50 || several < plans/4 || others == 0 {
		t.Errorf("%d plans, %d of several steps, %d with another", plans, several, others)
	}
}

func TestPlannerBudget(t *testing.T) {
	for _, name := range []string{"planner:0", "planner:-1", "planner:10000001", "planner:", "planner:1e3", "planner:9999999999999999999"} {
		if _, err := bot.New(name, ""); err == nil {
			t.Errorf("%s is a bot", name)
		}
	}
}

// TestAdviceAgainstHal holds that the lead expected against Hal is the one over
// all his VP, though the planner chooses by a share of them: in the last two
// rounds it is about what it will be.
func TestAdviceAgainstHal(t *testing.T) {
	b := make1(t, bot.Planner+":400", "advice").(bot.Adviser)
	said, n := 0.0, 0
	for number := range 6 {
		var leads []float64
		s, src := solo(t, number)
		for step := 0; !s.Finished(); step++ {
			v := s.Project(1)
			p := b.Advise(v, step)
			if v.Ending != engine.NotEnded {
				leads = append(leads, p.Lead)
			}
			s.Do(1, p.Steps[0], src, nil)
		}
		v := s.Project(0)
		for _, l := range leads {
			said += l - float64(v.Players[0].Final-v.Players[1].Final)
			n++
		}
	}
	if n < 20 {
		t.Fatalf("%d plans", n)
	}
	if off := said / float64(n); off < -8 || off > 8 {
		t.Errorf("in %d plans near the end the lead is off by %.1f VP in the mean", n, off)
	}
}

func solo(t *testing.T, number int) (engine.State, engine.Random) {
	t.Helper()
	src := engine.NewChance([32]byte{9, byte(number)}, "")
	s, err := engine.New(component.Default(), engine.Options{Players: 1, Hal: engine.Hard}, src, nil)
	if err != nil {
		t.Fatal(err)
	}
	return s, src
}
