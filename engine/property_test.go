package engine_test

import (
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	. "angelpost/engine"
	"angelpost/engine/bot"
	"angelpost/engine/component"
	"angelpost/engine/component/settest"
	"angelpost/engine/order"
)

var (
	gamesFlag = flag.Int("games", 400, "random games per number of players in every property test")
	gameFlag  = flag.Int("game", 0, "play this one random game only, with the number that a failure names")
)

// benchSet is one for all games.
var benchSet = sync.OnceValue(BenchSet)

// swarmSet is the usual set with Ravagers all over Space, and green Missions
// that take two of them in place of M1-M4: full locations, the end by Ravagers
// and that price are rare without.
var swarmSet = sync.OnceValue(func() *component.Set {
	set := *component.Default()
	set.Name = "swarm"
	for i := range set.Strips {
		for side := range set.Strips[i] {
			for lane := range set.Strips[i][side] {
				if h := &set.Strips[i][side][lane]; h.Color != None {
					h.Ravagers = 1
				}
			}
		}
	}
	for n := 41; n <= 44; n++ {
		set.Missions[n].Kind = 8
	}
	return &set
})

// oddSets are unusual boxes that the check accepts.
var oddSets = sync.OnceValue(func() (sets [32]*component.Set) {
	for i := range sets {
		sets[i] = settest.Unusual(uint64(i))
	}
	return sets
})

// maxSteps bounds a random game.
const maxSteps = 5000

// A habit is how a seat of a random game chooses. All but the hasty seldom
// reroll unasked, or games would be short and poor.
type habit uint8

const (
	uniform habit = iota // any step
	byKind               // any kind of step, then any step of that kind
	busy                 // seldom stops, declines or passes
	eager                // to bring Missions into Space and to use them
	curious              // to discover, Advanced tiles above all
	hasty                // rerolls whenever it may, mostly
	greedy               // the bot of that name
)

// habitOf makes the slow greedy and the hasty rare.
var habitOf = [20]habit{greedy, hasty, uniform, uniform, uniform, byKind, byKind, byKind, busy, busy, busy,
	eager, eager, eager, eager, eager, eager, curious, curious, curious}

// A randomGame is a game between habits. Its players and number are its seed:
// chance, habits and choices follow from them.
type randomGame struct {
	players, n int
	opt        Options
	set        *component.Set
	src        *Chance
	rng        *rand.Rand
	habit      [MaxPlayers + 1]habit
	bots       [MaxPlayers + 1]bot.Bot

	s     State
	seat  Seat   // who chooses now
	legal []Step // what it may
	log   []move
}

type move struct {
	seat Seat
	step Step
}

func newRandomGame(players, n int, t *Tale) (*randomGame, error) {
	name := fmt.Sprintf("random game %d/%d", players, n)
	g := &randomGame{
		players: players, n: n, set: component.Default(), opt: optionsOf(players, n),
		src: NewChance(sha256.Sum256([]byte(name)), ""), rng: rand.New(rand.NewPCG(uint64(players), uint64(n))),
	}
	switch n % 8 {
	case 0:
		g.set = benchSet()
	case 2, 4:
		g.set = swarmSet()
	case 6:
		g.set = oddSets()[n/32%32] // each by all options
	}
	for seat := 1; seat <= players; seat++ {
		g.habit[seat] = habitOf[g.rng.IntN(len(habitOf))]
		if g.habit[seat] == greedy {
			b, err := bot.New(bot.Greedy, name)
			if err != nil {
				return nil, err
			}
			g.bots[seat] = b
		}
	}
	var err error
	g.s, err = New(g.set, g.opt, g.src, t)
	return g, err
}

// optionsOf goes through all options with n.
func optionsOf(players, n int) Options {
	o := Options{Players: players, Advanced: n/8%2 == 1, First: n/16%2 == 1}
	if players == 1 {
		o.Hal = Easy + Level(n%4)
	}
	return o
}

// seats is how many take turns: with one player Hal does too.
func (g *randomGame) seats() int { return max(g.players, 2) }

// next picks who chooses now; false when the game is over.
func (g *randomGame) next() (bool, error) {
	if g.s.Finished() {
		return false, nil
	}
	if len(g.log) == maxSteps {
		return false, fmt.Errorf("%d steps and no end", maxSteps)
	}
	g.seat = 0
	some := 0
	for seat := Seat(1); int(seat) <= g.players; seat++ {
		if g.s.ToAct(seat) {
			if some++; g.rng.IntN(some) == 0 {
				g.seat = seat
			}
		}
	}
	if g.seat == 0 {
		return false, fmt.Errorf("the game is not over and nobody can decide")
	}
	g.legal = g.s.Legal(g.seat, g.legal[:0])
	if len(g.legal) == 0 {
		return false, fmt.Errorf("seat %d has nothing legal, asked %s", g.seat, g.s.Asked(g.seat))
	}
	return true, nil
}

// choose takes one of the legal steps by the seat's habit.
func (g *randomGame) choose() Step {
	any := func(ok func(Step) bool) (st Step) {
		n := 0
		for _, l := range g.legal {
			if ok(l) {
				if n++; g.rng.IntN(n) == 0 {
					st = l
				}
			}
		}
		return st
	}
	idle := func(k Kind) bool { return k == Reroll || k == Pass }
	h := g.habit[g.seat]
	var st Step
	switch odd := g.rng.IntN(8) == 0; {
	case h == greedy:
		st = g.bots[g.seat].Choose(g.s.Project(g.seat), g.legal, len(g.log))
	case odd:
	case h == uniform:
		st = any(func(st Step) bool { return !idle(st.Kind) })
	case h == byKind:
		k := g.kind()
		st = any(func(st Step) bool { return st.Kind == k && !idle(k) })
	case h == hasty:
		st = any(func(st Step) bool { return st.Kind == Reroll })
	case h == eager || h == curious:
		st = any(func(st Step) bool { return wants(h, st) })
		fallthrough
	case h == busy:
		if st.Kind == NoStep {
			st = any(func(st Step) bool { return !idle(st.Kind) && st.Kind != Done && st.Kind != Decline })
		}
	}
	if st.Kind == NoStep {
		st = g.legal[g.rng.IntN(len(g.legal))]
	}
	return st
}

// wants is what the eager and the curious take first.
func wants(h habit, st Step) bool {
	switch {
	case st.Kind == Act:
		return h == eager && st.Action == component.Command || h == curious && st.Action == component.Discover
	case h == eager:
		return st.Kind == Place || st.Kind == UseCard || st.Kind == Collect || st.Kind == MoveShip
	}
	return st.Kind == TakeTiles && slices.ContainsFunc(st.Tiles[:], Tile.Advanced)
}

// kind is one of the kinds of step that are listed.
func (g *randomGame) kind() (k Kind) {
	var seen uint64
	n := 0
	for _, l := range g.legal {
		if seen>>l.Kind&1 == 0 {
			seen |= 1 << l.Kind
			if n++; g.rng.IntN(n) == 0 {
				k = l.Kind
			}
		}
	}
	return k
}

// do takes a step, which must be listed.
func (g *randomGame) do(st Step, t *Tale) {
	g.log = append(g.log, move{g.seat, st})
	g.s.Do(g.seat, st, g.src, t)
}

// fatal stops the test with the game's seed and its last steps.
func (g *randomGame) fatal(t *testing.T, err error) {
	t.Helper()
	for _, m := range g.log[max(0, len(g.log)-8):] {
		t.Logf("%d: %s", m.seat, order.Print(m.step))
	}
	t.Fatalf("step %d: %v\nrepeat: go test ./engine -run '%s' -game %d", len(g.log), err, t.Name(), g.n)
}

// eachGame plays the random games of 1 to 4 players, each number of
// players by itself.
func eachGame(t *testing.T, play func(t *testing.T, g *randomGame, told *Tale)) {
	t.Parallel()
	for players := 1; players <= MaxPlayers; players++ {
		t.Run(fmt.Sprint(players), func(t *testing.T) {
			t.Parallel()
			first, last := 1, *gamesFlag
			if *gameFlag > 0 {
				first, last = *gameFlag, *gameFlag
			}
			for n := first; n <= last; n++ {
				var told Tale
				g, err := newRandomGame(players, n, &told)
				if err != nil {
					t.Fatal(err)
				}
				play(t, g, &told)
			}
		})
	}
}

// goesOn reports whether the game has a next step, which g.legal and g.seat then tell.
func (g *randomGame) goesOn(t *testing.T) bool {
	t.Helper()
	more, err := g.next()
	if err != nil {
		g.fatal(t, err)
	}
	return more
}

// TestPropertyGames plays random games and holds every position, and every step
// listed there, to what RULES.md says is always so. What costs much is looked
// at in one position of a few.
func TestPropertyGames(t *testing.T) {
	eachGame(t, func(t *testing.T, g *randomGame, told *Tale) {
		w := watch{g: g}
		for {
			if err := w.position(told.Events[w.heard:]); err != nil {
				g.fatal(t, err)
			}
			w.heard = len(told.Events)
			more, err := g.next()
			if err != nil {
				g.fatal(t, err)
			}
			if !more {
				break
			}
			if err := w.listed(); err != nil {
				g.fatal(t, err)
			}
			st := g.choose()
			again := g.s
			if err := again.Apply(g.seat, st, g.src, nil); err != nil {
				g.fatal(t, fmt.Errorf("%s is listed and refused: %w", order.Print(st), err))
			}
			var before *View
			if st.Kind == Place || g.rng.IntN(8) == 0 {
				before = g.s.Project(g.seat)
			}
			seat := g.seat
			if g.do(st, told); g.s != again {
				g.fatal(t, errors.New("Apply and Do differ, or the tale makes a difference"))
			}
			if before == nil {
				continue
			}
			if err := w.promised(before, st, seat, told.Events[w.heard:]); err != nil {
				g.fatal(t, err)
			}
			if st.Kind != Place {
				continue
			}
			if err := w.placed(before, st, told.Events[w.heard:]); err != nil {
				g.fatal(t, err)
			}
		}
		if err := w.end(told.Events); err != nil {
			g.fatal(t, err)
		}
	})
}

// TestPropertySpes holds R6.5: players who only ever reroll reach Spes, with 7
// strips by the 10th advance, with 5 by the 7th. Alone the Ravagers may come
// first, by Hal's Commands.
func TestPropertySpes(t *testing.T) {
	eachGame(t, func(t *testing.T, g *randomGame, told *Tale) {
		if g.n > 50 {
			return
		}
		w := watch{g: g}
		for g.goesOn(t) {
			st := g.legal[0]
			if has(g.legal, Reroll) {
				st = Step{Kind: Reroll}
			}
			g.do(st, told)
		}
		for _, e := range told.Events {
			w.hear(e)
		}
		if w.trigger != BySpes && !(g.opt.Players == 1 && w.trigger == ByRavagers) {
			g.fatal(t, fmt.Errorf("ended by %q", w.trigger))
		}
		if err := w.end(told.Events); err != nil {
			g.fatal(t, err)
		}
	})
}
