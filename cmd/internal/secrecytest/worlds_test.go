package secrecytest

import (
	"cmp"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"angelpost/engine"
	"angelpost/engine/component"
	"angelpost/engine/game"
	"angelpost/engine/order"
)

// A thing is a card by its number, a tile by its number above 100, or a card of
// Hal's by its number above 200: what can lie hidden in a pile or a hand.
type thing int

func ofCard(c engine.Card) thing { return thing(c) }
func ofTile(t engine.Tile) thing { return 100 + thing(t) }
func ofHal(n int) thing          { return 200 + thing(n) }

// pileOf is the pile a thing comes from, three of Missions, the Ravagers, three
// of Technology, Hal's as the engine numbers them, and the Advanced tiles; -1
// for what is never shuffled.
func pileOf(set *component.Set, x thing) int {
	switch {
	case x >= 1 && x <= 60:
		return int(x-1) / 20
	case x >= 61 && x <= 90:
		return 3
	case x > 100 && x <= 100+component.Tiles:
		return 4 + int(set.Tiles[x-100].Color)
	case x >= ofTile(engine.FirstAdvanced) && x <= ofTile(engine.LastTile):
		return advancedPile
	case x > 200:
		return int(engine.PileHal)
	}
	return -1
}

const (
	advancedPile = int(engine.Piles)
	piles        = advancedPile + 1
	halCards     = 12
)

var pileStreams = [piles]engine.Stream{
	engine.StreamMissionOrange, engine.StreamMissionGray, engine.StreamMissionGreen, engine.StreamRavager,
	engine.StreamTileOrange, engine.StreamTileGray, engine.StreamTileGreen, engine.StreamHal, engine.StreamAdvanced,
}

// A shuffling is one order that chance gave a pile.
type shuffling struct {
	line, event int     // where it is told; line 0, event -1: in the set-up
	order       []thing // bottom first
}

// A recordedGame is a whole game as nobody at the table knows it.
type recordedGame struct {
	set       *component.Set
	head      game.Header
	lines     []game.Line
	events    [][]engine.Event // by line, [0] of the set-up; nothing cut
	shuffled  [piles][]shuffling
	playsLast int           // the last line before the game is over
	steps     []engine.Step // by line, from [1] on; of Kind 0 where a line is no step
	here      *game.Game    // at line hereAt, to look at only
	hereAt    int
	learnt    [engine.MaxPlayers + 1]learning // by viewer
}

// A learning is what a viewer has come to know up to a line, without what they
// see there: for each thing, the shuffling from which on they no longer see it.
type learning struct {
	lines int // told: those before this one
	until map[thing]int
	gen   [piles]int
}

// newRecordedGame plays a game to its end, taking one step in undo back. With 0 it takes
// none back, and the player on turn comes before those who merely owe something,
// as in a game by mail, where forced steps follow at once.
func newRecordedGame(t testing.TB, head game.Header, h habit, undo int, rnd *rand.Rand) *recordedGame {
	t.Helper()
	g := &recordedGame{set: component.Default(), head: head}
	fatal := func(err error) {
		if err != nil {
			t.Helper()
			t.Fatal(err)
		}
	}
	m, err := game.New(g.set, head)
	fatal(err)
	for !m.Finished() {
		act := m.View(0).ToAct
		seat := act[rnd.IntN(len(act))]
		if v := m.View(0); undo == 0 && slices.Contains(act, v.Seat) {
			seat = v.Seat
		}
		events, err := m.Do(seat, game.ByPlayer, h.choose(m.View(seat).Legal(nil), rnd))
		fatal(err)
		news := slices.ContainsFunc(events, func(e engine.Event) bool { return e.New() || e.Kind == engine.EvTurnEnded })
		if !news && !m.Finished() && undo > 0 && rnd.IntN(undo) == 0 { // taken back
			n := m.Steps()
			to := n - 1
			for _, told := range slices.Backward(m.Story(0, -1)[:n]) {
				if !told.Undone && !strings.HasPrefix(told.Order, "undo ") {
					to = told.N
					break
				}
			}
			rec := m.Record(0)
			rec.Seed, rec.Log = fmt.Sprintf("%x", head.Seed), append(slices.Clone(m.Log()),
				game.Line{N: n + 1, Seat: int(seat), By: game.ByPlayer, Order: "undo " + strconv.Itoa(to)})
			m, err = game.Open(g.set, rec, -1)
			fatal(err)
		}
	}
	g.lines = slices.Clone(m.Log())
	for _, told := range m.Story(0, -1) {
		g.events = append(g.events, told.Events)
	}
	g.playsLast = len(g.lines) - 1
	g.steps = make([]engine.Step, 1+len(g.lines))
	for i, l := range g.lines {
		if st, err := order.Parse(l.Order); err == nil {
			g.steps[i+1] = st
		} else if !strings.HasPrefix(l.Order, "undo ") {
			t.Fatalf("%q: %v", l.Order, err)
		}
	}
	g.deal(t)
	return g
}

// A habit is what the players of a saga rather do, so that piles run out; the
// first kind of step that is legal counts.
type habit []func(engine.Step) bool

func goesOn(st engine.Step) bool {
	return st.Kind != engine.Reroll && st.Kind != engine.Pass && st.Kind != engine.Done && st.Kind != engine.Decline
}

// habits are: drawing Missions, flying, and none.
var habits = []habit{
	{func(st engine.Step) bool { return st.Use == engine.Draw }, goesOn},
	{func(st engine.Step) bool {
		return st.Kind == engine.Place || st.Kind == engine.MoveShip || st.Action == component.Command || st.Use == engine.Move || st.Good == engine.Ship && st.Use == engine.TakeGood
	}, goesOn},
	{},
}

// choose takes a legal step by a habit, or any.
func (h habit) choose(legal []engine.Step, rnd *rand.Rand) engine.Step {
	if rnd.IntN(8) > 0 {
		for _, want := range h {
			if some := slices.DeleteFunc(slices.Clone(legal), func(st engine.Step) bool { return !want(st) }); len(some) > 0 {
				return some[rnd.IntN(len(some))]
			}
		}
	}
	return legal[rnd.IntN(len(legal))]
}

// open is the game after line n.
func (g *recordedGame) open(t testing.TB, n int) *game.Game {
	t.Helper()
	m, err := game.Open(g.set, &game.Record{
		Schema: game.RecordSchema, Game: g.head.Game, Options: g.head.Options, Set: g.set.Name, Seed: fmt.Sprintf("%x", g.head.Seed),
		Entropy: g.head.Entropy, Names: g.head.Names, Log: g.lines,
	}, n)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// look is the game after line n, to look at only.
func (g *recordedGame) look(t testing.TB, n int) *game.Game {
	t.Helper()
	if g.here == nil || g.hereAt != n {
		g.here, g.hereAt = g.open(t, n), n
	}
	return g.here
}

// deal finds out every order a pile was ever shuffled into, and holds against
// what was drawn that it is right.
func (g *recordedGame) deal(t testing.TB) {
	t.Helper()
	chance := engine.NewChance(g.head.Seed, strings.Join(g.head.Entropy, "\n"))
	var drawn [piles]uint32
	shuffle := func(p, line, event int, items []thing) []thing {
		for i := len(items) - 1; i > 0; i-- {
			j := chance.Draw(pileStreams[p], drawn[p]) % uint64(i+1)
			drawn[p]++
			items[i], items[j] = items[j], items[i]
		}
		g.shuffled[p] = append(g.shuffled[p], shuffling{line, event, items})
		return slices.Clone(items)
	}
	var left [piles][]thing // what lies there still, the top last
	var last [piles]thing   // the last of a pile, drawn before a shuffle and told after it
	for p, items := range g.all() {
		left[p] = shuffle(p, 0, -1, items)
	}
	left[3] = left[3][:g.ravagers()]
	for n, events := range g.events {
		for i, e := range events {
			if e.Kind == engine.EvShuffled {
				p := int(e.Pile)
				last[p] = 0
				if len(left[p]) == 1 {
					last[p] = left[p][0]
				} else if len(left[p]) > 1 {
					t.Fatalf("line %d shuffles pile %d, in which lie %v", n, p, left[p])
				}
				left[p] = shuffle(p, n, i, g.discarded(t, n, i, last[p]))
			}
			if !drawsFrom(e) {
				continue
			}
			for _, x := range named(e) {
				p := pileOf(g.set, x)
				if p == advancedPile { // shuffled but once
					continue
				}
				if x == last[p] {
					last[p] = 0
					continue
				}
				for p >= 4 && p < int(engine.PileHal) && len(g.shuffled[p]) == 1 && len(left[p]) > 0 && left[p][len(left[p])-1] != x { // the display of the set-up is not told
					left[p] = left[p][:len(left[p])-1]
				}
				if k := len(left[p]) - 2; e.Kind == engine.EvOffered && k >= 0 && left[p][k] == x { // the two are told by number
					left[p][k], left[p][k+1] = left[p][k+1], left[p][k]
				}
				if len(left[p]) == 0 || left[p][len(left[p])-1] != x {
					t.Fatalf("line %d draws %d from pile %d, whose top is not that: %v", n, x, p, left[p])
				}
				left[p] = left[p][:len(left[p])-1]
			}
		}
	}
}

// ravagers is how many of them come into the game (R2.6).
func (g *recordedGame) ravagers() int {
	return 30 - 6*(engine.MaxPlayers-max(g.head.Options.Players, 2))
}

// discarded is what event i of line n shuffles: what nobody sees after the
// line, and what was drawn from it within the line, but for what was still on
// the table or in the pile.
func (g *recordedGame) discarded(t testing.TB, n, i int, last thing) []thing {
	t.Helper()
	p := int(g.events[n][i].Pile)
	items := map[thing]bool{}
	for _, x := range g.all()[p] {
		items[x] = true
	}
	m := g.look(t, n)
	for seat := engine.Seat(1); int(seat) <= g.head.Options.Players; seat++ {
		for _, x := range things(m.View(seat)) {
			delete(items, x)
		}
	}
	if p == 3 {
		for _, x := range g.shuffled[3][0].order[g.ravagers():] {
			delete(items, x)
		}
	}
	drawn := map[thing]bool{}
	for _, e := range g.events[n][i+1:] {
		for _, x := range named(e) {
			switch {
			case pileOf(g.set, x) != p || drawn[x]:
			case drawsFrom(e):
				items[x], drawn[x] = true, true
			default:
				delete(items, x)
			}
		}
	}
	delete(items, last)
	return slices.Sorted(maps.Keys(items))
}

// all is what each pile can hold, in ascending order.
func (g *recordedGame) all() (out [piles][]thing) {
	for x := thing(1); x <= ofHal(halCards); x++ {
		if p := pileOf(g.set, x); p >= 0 {
			out[p] = append(out[p], x)
		}
	}
	return out
}

// drawsFrom tells the events that take the top of a pile.
func drawsFrom(e engine.Event) bool {
	switch e.Kind {
	case engine.EvDrewMission, engine.EvOffered, engine.EvDrewRavager, engine.EvAttack, engine.EvOverflow, engine.EvTileAppeared, engine.EvRefilled, engine.EvHalCard, engine.EvHalDrew:
		return true
	}
	return false
}

// named is the things an event names, backs left out.
func named(e engine.Event) (out []thing) {
	if e.Card != 0 && !e.Card.Hidden() {
		out = append(out, ofCard(e.Card))
	}
	if e.Tile != 0 {
		out = append(out, ofTile(e.Tile))
	}
	if e.Kind == engine.EvHalCard {
		out = append(out, ofHal(int(e.N)))
	}
	return out
}

// things is all that a View shows of piles and hands.
func things(v *engine.View) (out []thing) {
	cards := func(list ...engine.Card) {
		for _, c := range list {
			if c != 0 && !c.Hidden() {
				out = append(out, ofCard(c))
			}
		}
	}
	tiles := func(list ...engine.Tile) {
		for _, x := range list {
			if x != 0 {
				out = append(out, ofTile(x))
			}
		}
	}
	for _, s := range v.Strips {
		for _, h := range s.Hexes {
			cards(h.Card)
		}
	}
	for _, l := range v.Locs {
		for _, r := range l.Ravagers {
			cards(r.Card)
		}
	}
	for _, p := range v.Players {
		cards(p.Cards...)
		cards(p.Rows[:]...)
		cards(p.Columns[:]...)
		for _, list := range p.Tucked {
			cards(list...)
		}
		for _, c := range p.Grid {
			tiles(c.Tile)
		}
		tiles(p.Spaces[:]...)
		tiles(p.Ejected...)
	}
	tiles(v.Display...)
	tiles(v.Slots[:]...)
	tiles(v.TopTile[:]...)
	tiles(v.ToInject...)
	for _, d := range v.Owed {
		cards(d.Card, d.Card2)
	}
	return out
}

// A alternative is a saga up to a line, told anew with other hidden things: its
// viewer cannot have noticed any difference so far. What comes after the line
// is another future. The saga itself is the world in which nothing is moved.
type alternative struct {
	lines []game.Line
	moved int // things that lie elsewhere at the end
	fixed [engine.StreamHal + 1][]uint64
	other bool // what follows the fixed draws is another seed's
	swap  map[thing]thing
}

// chance is what the world's game draws from.
func (w *alternative) chance(seed [32]byte, message string) engine.Random {
	r := otherChance{alternative: w, after: engine.NewChance(seed, message)}
	if w.other {
		seed[0] ^= 0x55
		r.after = engine.NewChance(seed, message)
	}
	return r
}

type otherChance struct {
	*alternative
	after *engine.Chance
}

func (f otherChance) Draw(s engine.Stream, k uint32) uint64 {
	if int(k) < len(f.fixed[s]) {
		return f.fixed[s][k]
	}
	return f.after.Draw(s, k)
}

// real is the world of the saga as it was, its log up to line n.
func (g *recordedGame) real(n int) *alternative { return &alternative{lines: g.lines[:n]} }

// seen tells from which shuffling of its pile on a viewer no longer sees each
// thing, up to line n: 0 if they never do.
func (g *recordedGame) seen(t testing.TB, viewer engine.Seat, n int) map[thing]int {
	k := &g.learnt[viewer]
	if k.until == nil || k.lines > n+1 {
		*k = learning{until: map[thing]int{}}
		g.note(k.until, k.gen, things(g.look(t, 0).View(viewer)))
	}
	for ; k.lines <= n; k.lines++ {
		if st := g.steps[k.lines]; st.Kind != 0 {
			if g.lines[k.lines-1].Seat != int(viewer) {
				st = st.Masked()
			}
			for _, c := range []engine.Card{st.Card, st.Card2} {
				if c != 0 && !c.Hidden() {
					g.note(k.until, k.gen, []thing{ofCard(c)})
				}
			}
		}
		for _, e := range g.events[k.lines] {
			if e.Kind == engine.EvShuffled {
				k.gen[e.Pile]++
			}
			g.note(k.until, k.gen, named(e.For(viewer)))
		}
	}
	out := maps.Clone(k.until)
	g.note(out, k.gen, things(g.look(t, n).View(viewer)))
	return out
}

// note notes that things are seen since the shufflings gen.
func (g *recordedGame) note(until map[thing]int, gen [piles]int, seen []thing) {
	for _, x := range seen {
		if p := pileOf(g.set, x); p >= 0 {
			until[x] = gen[p] + 1
		}
	}
}

// swapped is another world for viewer up to line n. Ravagers stay where they
// are if ravagers is false.
func (g *recordedGame) swapped(t testing.TB, viewer engine.Seat, n int, ravagers bool, rnd *rand.Rand) *alternative {
	t.Helper()
	seen := g.seen(t, viewer, n)
	w := &alternative{other: true, swap: map[thing]thing{}}
	for p := range piles {
		for _, x := range g.all()[p] {
			w.swap[x] = x
		}
	}
	// redeal gives the things of one shuffling new places among themselves, as
	// far as the viewer does not see them from now on.
	redeal := func(p, gen int) {
		s := g.shuffled[p][gen]
		var free, to []thing
		for _, x := range s.order {
			if seen[x] <= gen && (p != 3 || ravagers) {
				free, to = append(free, x), append(to, w.swap[x])
			}
		}
		rnd.Shuffle(len(to), func(i, k int) { to[i], to[k] = to[k], to[i] })
		for i, x := range free {
			w.swap[x] = to[i]
		}
		w.fixed[pileStreams[p]] = append(w.fixed[pileStreams[p]], drawsOf(s.order, w.swap)...)
	}
	for p := range piles {
		redeal(p, 0)
	}
	var gen [piles]int
	for i, events := range g.events[:n+1] {
		line := game.Line{}
		if i > 0 {
			line = g.lines[i-1]
			if st := g.steps[i]; st.Kind != 0 {
				line.Order = order.Print(w.step(st))
			}
			line.Told = nil
		}
		var said []string
		for _, e := range events {
			if e.Kind == engine.EvShuffled {
				gen[e.Pile]++
				redeal(int(e.Pile), gen[e.Pile])
			}
			if s, ok := order.Told(w.event(e)); ok {
				said = append(said, s)
			}
		}
		if i > 0 {
			line.Told = said
			w.lines = append(w.lines, line)
		}
	}
	chance := engine.NewChance(g.head.Seed, strings.Join(g.head.Entropy, "\n"))
	for s := range w.fixed {
		s := engine.Stream(s)
		used := 0
		switch {
		case slices.Contains(pileStreams[:], s):
			continue
		case s >= engine.StreamDieOrange:
			for _, events := range g.events[:n+1] {
				for _, e := range events {
					if e.Kind == engine.EvRolled && engine.StreamDieOrange+engine.Stream(e.Color) == s {
						used++
					}
				}
			}
		default: // of the set-up alone
			used = 16
		}
		for k := range used {
			w.fixed[s] = append(w.fixed[s], chance.Draw(s, uint32(k)))
		}
	}
	for x, y := range w.swap {
		if x != y {
			w.moved++
		}
	}
	return w
}

// drawsOf is what chance must give so that a shuffle ends in an order, each
// thing swapped.
func drawsOf(want []thing, swap map[thing]thing) (draws []uint64) {
	items := make([]thing, len(want))
	for i, x := range want {
		items[i] = swap[x]
	}
	order := slices.Clone(items)
	slices.SortFunc(items, cmp.Compare)
	for i := len(items) - 1; i > 0; i-- {
		j := slices.Index(items[:i+1], order[i])
		draws = append(draws, uint64(j))
		items[i], items[j] = items[j], items[i]
	}
	return draws
}

// step is a step as it is in this world.
func (w *alternative) step(st engine.Step) engine.Step {
	st.Card = w.card(st.Card)
	if st.Card2 != 0 {
		st.Card2 = w.card(st.Card2)
		st.Card, st.Card2 = min(st.Card, st.Card2), max(st.Card, st.Card2)
	}
	return st
}

func (w *alternative) card(c engine.Card) engine.Card {
	if c == 0 || c.Hidden() {
		return c
	}
	return engine.Card(w.swap[ofCard(c)])
}

func (w *alternative) event(e engine.Event) engine.Event {
	e.Card = w.card(e.Card)
	return e
}
