package sim

import (
	"testing"

	"angelpost/engine"
	"angelpost/engine/bot"
	"angelpost/engine/component"
	"angelpost/engine/game"
	"angelpost/engine/order"
)

func setup(players int, bots ...string) Setup {
	su := Setup{Set: component.Default(), Options: game.Options{
		Players: players, Rules: "base", Edition: "revised", RulesVersion: game.RulesVersion, Set: component.DefaultName,
	}}
	for k := range players {
		su.Bots = append(su.Bots, bots[k%len(bots)])
	}
	return su
}

// BenchmarkRandomGames plays four-player games of random choices, set-up and
// chance included, every step from the legal list that a player would get.
// games/s and decisions/s are on one core; decisions are steps chosen among
// two or more.
func BenchmarkRandomGames(b *testing.B) { randomGames(b, setup(4, bot.Random)) }

// BenchmarkAdvancedGames are such games by the advanced rules.
func BenchmarkAdvancedGames(b *testing.B) {
	su := setup(4, bot.Random)
	su.Options.Rules = "advanced"
	randomGames(b, su)
}

// BenchmarkSoloGames are such games against Hal, standard.
func BenchmarkSoloGames(b *testing.B) {
	su := setup(1, bot.Random)
	su.Options.Hal = engine.Standard.String()
	randomGames(b, su)
}

func randomGames(b *testing.B, su Setup) {
	b.ReportAllocs()
	decisions, games := 0, 0
	for b.Loop() {
		games++
		seed := Seed("bench", games)
		bots, err := su.bots(seed)
		if err != nil {
			b.Fatal(err)
		}
		src := engine.NewChance(seed, "")
		s, err := engine.New(su.Set, su.Options.Engine(), src, nil)
		if err != nil {
			b.Fatal(err)
		}
		n, err := run(&s, src, bots, nil, nil)
		if err != nil {
			b.Fatal(err)
		}
		decisions += n
	}
	b.ReportMetric(float64(games)/b.Elapsed().Seconds(), "games/s")
	b.ReportMetric(float64(decisions)/b.Elapsed().Seconds(), "decisions/s")
}

// BenchmarkDecisions plays the same games from positions already set up, so
// that decisions/s tells what choosing, checking and applying cost; shuffling
// the decks, all by HMAC, takes a quarter of a random game.
func BenchmarkDecisions(b *testing.B) {
	type start struct {
		seed  [32]byte
		state engine.State
		bots  []bot.Bot
	}
	su := setup(4, bot.Random)
	starts := make([]start, 64)
	for i := range starts {
		at := &starts[i]
		at.seed = Seed("decisions", i)
		var err error
		if at.state, err = engine.New(su.Set, su.Options.Engine(), engine.NewChance(at.seed, ""), nil); err != nil {
			b.Fatal(err)
		}
		if at.bots, err = su.bots(at.seed); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportAllocs()
	decisions, games := 0, 0
	for b.Loop() {
		at := &starts[games%len(starts)]
		games++
		s := at.state
		n, err := run(&s, engine.NewChance(at.seed, ""), at.bots, nil, nil)
		if err != nil {
			b.Fatal(err)
		}
		decisions += n
	}
	b.ReportMetric(float64(decisions)/b.Elapsed().Seconds(), "decisions/s")
}

// BenchmarkLoggedGames plays the same games with everything that a stored game
// needs: log lines, what chance told, scores, hash.
func BenchmarkLoggedGames(b *testing.B) {
	for _, name := range names {
		b.Run(name, func(b *testing.B) {
			su := setup(4, name)
			b.ReportAllocs()
			games := 0
			for b.Loop() {
				games++
				if _, _, err := su.Play(games, Seed("bench", games)); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(games)/b.Elapsed().Seconds(), "games/s")
		})
	}
}

// moves is one finished game: which seat took which step, with its text.
type moves struct {
	seed  [32]byte
	seats []engine.Seat
	steps []engine.Step
	lines []game.Line
}

func finished(tb testing.TB, name string) moves {
	tb.Helper()
	m := moves{seed: Seed("replay", 1)}
	_, lines, err := setup(4, name).Play(1, m.seed)
	if err != nil {
		tb.Fatal(err)
	}
	m.lines = lines
	for _, l := range lines {
		step, err := order.Parse(l.Order)
		if err != nil {
			tb.Fatal(err)
		}
		m.seats = append(m.seats, engine.Seat(l.Seat))
		m.steps = append(m.steps, step)
	}
	return m
}

// BenchmarkReplay replays a finished four-player game from the text of its log:
// each line parsed, held against the legal list, applied and told.
func BenchmarkReplay(b *testing.B) {
	for _, name := range names {
		b.Run(name, func(b *testing.B) {
			m := finished(b, name)
			b.ReportAllocs()
			for b.Loop() {
				src := engine.NewChance(m.seed, "")
				s, err := engine.New(component.Default(), engine.Options{Players: 4}, src, nil)
				if err != nil {
					b.Fatal(err)
				}
				var tale engine.Tale
				for _, l := range m.lines {
					step, err := order.Parse(l.Order)
					if err != nil {
						b.Fatal(err)
					}
					tale.Events = tale.Events[:0]
					if err := s.Apply(engine.Seat(l.Seat), step, src, &tale); err != nil {
						b.Fatal(err)
					}
				}
				if !s.Finished() {
					b.Fatal("the game is not over")
				}
			}
			b.ReportMetric(float64(len(m.lines)), "lines")
		})
	}
}

// walk calls at before every step of the game.
func (m moves) walk(tb testing.TB, at func(s *engine.State, src engine.Random, seat engine.Seat, step engine.Step)) {
	src := engine.NewChance(m.seed, "")
	s, err := engine.New(component.Default(), engine.Options{Players: 4}, src, nil)
	if err != nil {
		tb.Fatal(err)
	}
	for i, step := range m.steps {
		at(&s, src, m.seats[i], step)
		s.Do(m.seats[i], step, src, nil)
	}
}

// positions are a game's positions, each with the step taken there.
func positions(tb testing.TB, m moves) []engine.State {
	var out []engine.State
	m.walk(tb, func(s *engine.State, _ engine.Random, _ engine.Seat, _ engine.Step) { out = append(out, *s) })
	return out
}

// BenchmarkStep applies the steps of a game one by one.
func BenchmarkStep(b *testing.B) {
	m := finished(b, bot.Random)
	at := positions(b, m)
	src := engine.NewChance(m.seed, "")
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		s := at[i]
		s.Do(m.seats[i], m.steps[i], src, nil)
		i = (i + 1) % len(at)
	}
}

// BenchmarkLegal lists the legal steps of the positions of a game: into a new
// list each time, and into the caller's.
func BenchmarkLegal(b *testing.B) {
	m := finished(b, bot.Random)
	at := positions(b, m)
	b.Run("new", func(b *testing.B) {
		b.ReportAllocs()
		i := 0
		for b.Loop() {
			list = at[i].Legal(m.seats[i], make([]engine.Step, 0, 256))
			i = (i + 1) % len(at)
		}
	})
	b.Run("reused", func(b *testing.B) {
		b.ReportAllocs()
		i := 0
		buf := make([]engine.Step, 0, 256)
		for b.Loop() {
			buf = at[i].Legal(m.seats[i], buf[:0])
			i = (i + 1) % len(at)
		}
	})
}

var list []engine.Step
