package engine_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	. "angelpost/engine"
	"angelpost/engine/component"
)

// TestScorer holds the engine's goods and VP, after every step, and its final
// scores against the second scorer's.
func TestScorer(t *testing.T) {
	var saw [MaxPlayers + 1]seen
	t.Cleanup(func() { // what never happened was not compared
		if *gamesFlag < 1000 || *gameFlag > 0 || t.Failed() {
			return
		}
		all := saw[1].plus(saw[2]).plus(saw[3]).plus(saw[4])
		for a := component.Discover; a <= component.Command; a++ {
			if all.hal[a] == 0 {
				t.Errorf("Hal never did %s", a)
			}
		}
		for c, n := range all.card {
			if c > 0 && n == 0 {
				t.Errorf("card %s (M%d) gave nothing in any game", Card(c), (c-1)%20+1)
			}
		}
		for kind, n := range all.advanced {
			if kind > 0 && n == 0 {
				t.Errorf("K%d scored nothing in any game", kind)
			}
		}
		for kind, n := range all.boost {
			if kind > 0 && n == 0 {
				t.Errorf("no B%d was used in any game", kind)
			}
		}
		if all.ending[BySpes] == 0 || all.ending[ByRavagers] == 0 {
			t.Errorf("%d games ended by Spes, %d by Ravagers", all.ending[BySpes], all.ending[ByRavagers])
		}
	})
	eachGame(t, func(t *testing.T, g *randomGame, told *Tale) {
		sc := newScorer(g.set, g.opt)
		sc.saw = &saw[g.players]
		if err := sc.follow(g, told); err != nil {
			g.fatal(t, err)
		}
	})
}

// seen is what happened in games.
type seen struct {
	card     [component.Missions + 1]int // gave something
	advanced [9]int                      // VP by kind
	boost    [5]int                      // used, by kind
	hal      [component.Command + 1]int  // Hal's actions
	ending   [3]int
}

func (a seen) plus(b seen) seen {
	for i, n := range b.card {
		a.card[i] += n
	}
	for i, n := range b.advanced {
		a.advanced[i] += n
	}
	for i, n := range b.hal {
		a.hal[i] += n
	}
	for i, n := range b.boost {
		a.boost[i] += n
	}
	for i, n := range b.ending {
		a.ending[i] += n
	}
	return a
}

// follow plays the game to its end and compares after every step.
func (sc *scorer) follow(g *randomGame, told *Tale) error {
	sc.look(g.s.Project(0))
	for {
		if err := sc.after(&g.s, told.Events); err != nil {
			return err
		}
		told.Events = told.Events[:0]
		more, err := g.next()
		if err != nil {
			return err
		}
		if !more {
			break
		}
		g.do(g.choose(), told)
	}
	if winners := sc.winners(); !slices.Equal(winners, g.s.Winners()) {
		return fmt.Errorf("R8.7: %v win, the second scorer says %v", g.s.Winners(), winners)
	}
	return nil
}

// after takes in what a step told and compares the position it led to.
func (sc *scorer) after(s *State, events []Event) error {
	if err := sc.hear(events); err != nil {
		return err
	}
	if sc.sight {
		sc.hal.comet = slices.ContainsFunc(Facts(s), func(f string) bool {
			return strings.HasPrefix(f, "hex "+sc.hal.at.String()+" ") && strings.Contains(f, "*")
		})
	}
	return sc.compare(s.Project(0))
}

// winners are the seats that win once the game is finished.
func (sc *scorer) winners() (winners []Seat) {
	if sc.solo() && sc.p[1].vp <= sc.p[Hal].vp { // R15.12
		return []Seat{Hal}
	}
	most := 0 // R8.7
	for _, p := range sc.p {
		most = max(most, p.vp)
	}
	for seat := Seat(1); int(seat) <= sc.players; seat++ {
		if sc.p[seat].vp == most {
			winners = append(winners, seat)
		}
	}
	return winners
}

// clone goes on by itself, so that other steps can be tried from here.
func (sc *scorer) clone() *scorer {
	c := *sc
	h := &c.hal
	h.display, h.shop, h.tiles = slices.Clone(h.display), slices.Clone(h.shop), slices.Clone(h.tiles)
	h.cubes, h.dest = slices.Clone(h.cubes), slices.Clone(h.dest)
	c.reached, c.tucks = nil, nil // told to the end after every step
	for i := range c.p {
		c.p[i].offer = slices.Clone(c.p[i].offer)
	}
	return &c
}

// TestScorerBites gives the second scorer another print than the engine has:
// it must disagree, or it would agree with anything.
func TestScorerBites(t *testing.T) {
	for name, print := range map[string]func(*component.Set){
		"rewards": func(s *component.Set) {
			for i := range s.Missions {
				s.Missions[i].Reward.VP++
			}
		},
		"activations": func(s *component.Set) {
			for i, m := range s.Missions {
				if m.Kind == 3 {
					s.Missions[i].Kind = 4
				}
			}
		},
		"neutralization": func(s *component.Set) {
			for i, m := range s.Missions {
				if m.Kind >= 17 {
					s.Missions[i].Kind = 15
				}
			}
		},
		"tiles": func(s *component.Set) {
			for i, tile := range s.Tiles {
				if tile.Effect == component.Ta {
					s.Tiles[i].Effect = component.Tc
				}
			}
		},
		"advanced": func(s *component.Set) {
			for i := range s.Advanced {
				s.Advanced[i] = s.Advanced[i]%8 + 1
			}
		},
		"start": func(s *component.Set) { s.Seats[2][0].Resources = component.Each{} },
	} {
		found := false
		for n := 1; n <= 40 && !found; n++ {
			var told Tale
			g, err := newRandomGame(4, n, &told)
			if err != nil {
				t.Fatal(err)
			}
			set := *g.set
			print(&set)
			found = newScorer(&set, g.opt).follow(g, &told) != nil
		}
		if !found {
			t.Errorf("%s: the second scorer agrees with a game of another print", name)
		}
	}
}

// compare holds what every viewer sees against the scorer's sheets.
func (sc *scorer) compare(v *View) error {
	if sc.sight {
		if sc.halCommanded(v); sc.err != nil {
			return sc.err
		}
	}
	if sc.solo() && v.Finished && sc.final[Hal] != sc.p[Hal].vp { // R15.12
		return fmt.Errorf("R15.12: Hal has %d VP, told %d", sc.p[Hal].vp, sc.final[Hal])
	}
	for i := range v.Players {
		p, q := &sc.p[i+1], &v.Players[i]
		if p.vp != q.VP || p.by != q.By {
			return fmt.Errorf("seat %d has %d VP, %v; the second scorer says %d, %v", i+1, q.VP, q.By, p.vp, p.by)
		}
		if p.toldVP != q.VP || p.toldBy != q.By {
			return fmt.Errorf("seat %d has %d VP, %v; it was told of %d, %v", i+1, q.VP, q.By, p.toldVP, p.toldBy)
		}
		mine := [...]int{p.ships, p.resources, p.debris, p.brk, p.supply, p.station[0], p.station[1], p.station[2]}
		have := [...]int{q.Ships, q.Resources, q.Debris, q.Break, q.RobotSupply, q.Stations[0], q.Stations[1], q.Stations[2]}
		if mine != have {
			return fmt.Errorf("seat %d has ships, resources, Debris, robots %v; the second scorer says %v", i+1, have, mine)
		}
		for cell, c := range q.Grid {
			if c.Tile != p.grid[cell+1] || c.Debris != p.loaded[cell+1] || c.Boost != p.boost[cell+1] {
				return fmt.Errorf("seat %d has %v at %s; the second scorer says %s, Debris %t", i+1, c, Cell(cell+1), p.grid[cell+1], p.loaded[cell+1])
			}
		}
	}
	return nil
}

// The second scorer keeps every player's goods and VP from what was told (the
// uncut events) and what is printed, by RULES.md alone: it shares no line with
// the engine. What an event says was gained, spent or won it does not believe;
// EvGained is read only where it tells which good a player chose.
type scorer struct {
	set       *component.Set
	opt       Options
	players   int
	p         [MaxPlayers + 1]sheet // by seat
	lying     [128]mission          // in Space, by hex
	dice      [3]int                // in the supplies, damaged ones included
	cubes     [3]int                // of them damaged
	neutral   [3]int                // the neutral player's die: value+1
	robotless [3]bool               // the neutral player's robot there has left the game (R13.4)
	damage    [7]int                // Damage by location
	used      Color                 // the die in use
	bought    bool
	boosting
	hal    halTable
	sight  bool // a Command of Hal's is to be looked at
	caught [component.LastRaider + 1][MaxPlayers + 1]int

	advances int
	angel    Hex
	spes     Hex
	ending   Ending
	over     bool

	choice   Tile // a starting tile activated, its choice still to be told
	chooser  Seat
	pushed   Tile // an Advanced tile ejected, its space still to be told
	pusher   Seat
	ejecting bool // the Black Angel has moved, strip 1 still lies
	reached  []Event
	tucks    []Event
	gone     [MaxPlayers + 1][128]bool // ships off strip 1, not yet told
	scores   [MaxPlayers + 1][9]int    // told at the end, by kind of Advanced tile
	goods    [MaxPlayers + 1]int
	final    [MaxPlayers + 1]int
	took     int                 // damaged dice taken, not yet told
	priced   [MaxPlayers + 1]int // tiles and cards paid, not yet accounted for
	saw      *seen
	err      error
}

type mission struct {
	card  Card
	owner Seat
}

// sheet is one player's board and storage.
type sheet struct {
	vp                       int
	by                       [Sources]int
	ships, resources, debris int
	brk, supply              int // robots
	station                  [3]int
	grid                     [10]Tile // by cell
	loaded                   [10]bool // Debris on the tile there
	boost                    [10]bool // boost side up
	offer                    []Card   // drawn to choose from
	beside                   [LastTile + 1]bool
	space                    [3]Tile
	tucked                   [3]int
	hand                     [component.LastRaider + 1]bool
	fleet                    [128]bool // by hex
	dice                     [3][4]int
	rolled                   int
	toldVP                   int
	toldBy                   [Sources]int
}

func newScorer(set *component.Set, opt Options) *scorer {
	players := opt.Players
	sc := &scorer{set: set, opt: opt, players: players, used: None, saw: new(seen)}
	for c := range sc.dice {
		sc.dice[c] = map[int]int{1: 4, 2: 4, 3: 5, 4: 6}[players] // R1.2
	}
	return sc
}

func (sc *scorer) fail(format string, a ...any) {
	if sc.err == nil {
		sc.err = fmt.Errorf(format, a...)
	}
}

// hear takes in all that one step told.
func (sc *scorer) hear(events []Event) error {
	for _, e := range events {
		sc.tell(e)
		if sc.err != nil {
			return fmt.Errorf("event %s: %w", printEvent(e), sc.err)
		}
	}
	sc.settle()
	return sc.err
}

// settle is what may be checked only when a step has told all.
func (sc *scorer) settle() {
	if sc.pushed != 0 {
		if slices.Contains(sc.p[sc.pusher].space[:], 0) {
			sc.fail("R5.3: %s goes beside the board though a space is empty", sc.pushed)
		}
		sc.p[sc.pusher].beside[sc.pushed], sc.pushed = true, 0
	}
	if sc.took != 0 {
		sc.fail("Q6.1: %d more damaged dice taken than told", sc.took)
	}
	for seat, n := range sc.priced {
		if n != 0 {
			sc.fail("seat %d paid %d tiles or cards for nothing", seat, n)
		}
	}
	if sc.ejecting || len(sc.reached) > 0 || len(sc.tucks) > 0 || sc.gone != [MaxPlayers + 1][128]bool{} {
		sc.fail("R6.4: the advance was not told to its end: %v, %v", sc.reached, sc.tucks)
	}
	sc.choice = 0
	if sc.over {
		sc.finish()
	}
}

func (sc *scorer) win(seat Seat, n int, from Source) {
	sc.p[seat].vp += n
	sc.p[seat].by[from] += n
}

// lose takes n VP as far as there are any (Q9.1).
func (sc *scorer) lose(seat Seat, n int) {
	n = min(n, sc.p[seat].vp)
	sc.p[seat].vp -= n
	sc.p[seat].by[ByLoss] -= n
}

func (sc *scorer) gain(seat Seat, g Good, n int) {
	p := &sc.p[seat]
	switch g {
	case Ship:
		p.ships += n
	case Resource:
		p.resources += n
	case Debris:
		p.debris += n
	case Robot: // R1.3
		n = min(n, p.supply)
		p.supply -= n
		p.brk += n
	}
}

func (sc *scorer) spend(seat Seat, g Good, n int) {
	p := &sc.p[seat]
	left := 0
	switch g {
	case Ship:
		p.ships -= n
		left = p.ships
	case Resource:
		p.resources -= n
		left = p.resources
	case Debris:
		p.debris -= n
		left = p.debris
	case Robot:
		p.brk -= n
		p.supply += n
		left = p.brk
	}
	if left < 0 {
		sc.fail("seat %d spends %d %s it has not", seat, n, g)
	}
}

// fromBreak takes a robot from the break room: to a reward, a ship, a Ravager.
func (sc *scorer) fromBreak(seat Seat) {
	if sc.p[seat].brk--; sc.p[seat].brk < 0 {
		sc.fail("seat %d has no robot in the break room", seat)
	}
}

func (sc *scorer) tell(e Event) {
	left := HexAt(sc.angel.Strip()-1, sc.angel.Lane()) // by the Black Angel
	if sc.ejecting && (e.Kind != EvShipLost || e.Hex != left) {
		sc.eject()
	}
	p := &sc.p[0]
	if int(e.Seat) <= sc.seats() {
		p = &sc.p[e.Seat]
	}
	sc.watchTable(e)
	if sc.tellHal(e) {
		return
	}
	switch e.Kind {
	case EvStartGoods: // R2.7, R2.9
		p.brk, p.station, p.supply = 5, [3]int{1, 1, 1}, 8
		p.resources, p.debris, p.ships = 1, 1, 1
		more := sc.set.Seats[e.Seat][0] // R2.11
		if sc.opt.Advanced {
			more = sc.set.Seats[e.Seat][1]
		}
		p.ships += int(more.Ships[sc.opt.Players])
		p.resources += int(more.Resources[sc.opt.Players])
		robots := min(int(more.Robots[sc.opt.Players]), p.supply) // R1.3
		p.brk, p.supply = p.brk+robots, p.supply-robots
		p.debris += int(more.Debris[sc.opt.Players])
		sc.win(e.Seat, 5+int(more.VP[sc.opt.Players]), BySetup)
		p.toldVP, p.toldBy[BySetup] = 5, 5
	case EvStartTile:
		p.grid[e.Cell] = e.Tile
	case EvDrewMission, EvDrewRavager:
		p.hand[e.Card] = true
	case EvOffered:
		sc.offered(e)
	case EvKept, EvNotKept:
		sc.kept(e)
	case EvTurned:
		if !p.boost[e.Cell] || p.grid[e.Cell] != e.Tile {
			sc.fail("R14.1: not boost side up")
		}
		p.boost[e.Cell], sc.turned = false, e.Cell
	case EvBoosted:
		sc.boosted(e)
	case EvActed:
		sc.acted(e)
	case EvUsedCard:
		if e.Card.Color() != sc.hue || sc.pledge != component.NoAction {
			sc.fail("R5.6: a %s die on %s", sc.hue, e.Card)
		}
	case EvCardPlayed, EvDiscarded:
		sc.out(e.Seat, e.Card)
	case EvPaidCard, EvPaidTile:
		sc.priced[e.Seat]++
		if e.Kind == EvPaidCard {
			sc.out(e.Seat, e.Card)
		} else {
			sc.payTile(e.Seat, e.Tile)
		}
	case EvRolled:
		sc.roll(e)
	case EvDieTaken:
		sc.takeDie(e)
	case EvFlipped: // R4.5
		if sc.bought || sc.opt.First {
			sc.fail("R4.5: a bought die is turned")
		}
		sc.spend(e.Seat, Debris, 1)
		sc.value = int(e.Value)
	case EvFlippedOwn: // R17.1
		if !sc.opt.First || p.dice[e.Color][e.Value^2] == 0 {
			sc.fail("R17.1: no such die to turn")
		}
		p.dice[e.Color][e.Value^2]--
		p.dice[e.Color][e.Value]++
		sc.spend(e.Seat, Debris, 1)
	case EvNeutralOut:
		sc.robotless[e.Color] = true
	case EvDieBack:
		if sc.used != e.Color {
			sc.fail("R4.9: %s comes back, %s was used", e.Color, sc.used)
		}
		sc.dice[e.Color]++
		sc.used = None
		sc.win(e.Seat, sc.owed, ByBoost) // Q14.2
		sc.owed = 0
	case EvDiceBack: // R6.1
		sum := 0
		for c := range p.dice {
			for v, n := range p.dice[c] {
				sum += v * n
				sc.dice[c] += n
			}
		}
		p.dice = [3][4]int{}
		if sum != int(e.N) {
			sc.fail("the dice given back show %d", sum)
		}
		sc.lose(e.Seat, sum)
	case EvNeutralBack:
		if sc.neutral[e.Color] != 1 || sc.opt.First && !sc.robotless[e.Color] {
			sc.fail("R13.3: no neutral star")
		}
		sc.neutral[e.Color] = 0
		sc.dice[e.Color]++
	case EvReserved:
		switch {
		case e.Cell != 0: // R14.2
			if e.Cell != sc.free || sc.set.Tiles[p.grid[e.Cell]].For != e.Color {
				sc.fail("R14.2: %s reserves no %s die", p.grid[e.Cell], e.Color)
			}
			sc.free = 0
		case p.rolled > 3: // not the free one of the set-up
			sc.spend(e.Seat, Resource, 1)
		}
	case EvReset: // R6.3
		for cell := range p.loaded {
			if p.loaded[cell] {
				p.loaded[cell] = false
				p.debris++
			}
		}
	case EvRobotMoved:
		d := -1
		if e.Flag {
			d = 1
		}
		p.station[e.Color] += d
		if p.brk -= d; p.brk < 0 || p.station[e.Color] < 0 {
			sc.fail("no such robot")
		}
	case EvActivated:
		sc.activate(e)
	case EvGained:
		sc.chosen(e)
	case EvVP:
		p.toldVP += int(e.N)
		p.toldBy[e.Source] += int(e.N)
	case EvInjected:
		sc.inject(e)
	case EvToSpace:
		if sc.pushed != e.Tile || sc.pusher != e.Seat || p.space[e.Color] != 0 {
			sc.fail("R5.3: not to be put there")
		}
		p.space[e.Color], sc.pushed = e.Tile, 0
	default:
		sc.tellSpace(e, p)
	}
}

// tellSpace is what happens in Space and to Ravagers and Damage, and the end.
func (sc *scorer) tellSpace(e Event, p *sheet) {
	switch e.Kind {
	case EvTookDamaged:
		sc.took--
	case EvRavagerFailed: // R4.7
		if e.Card >= 73 {
			sc.lose(e.Seat, 1)
		}
	case EvTrapped:
		sc.fromBreak(e.Seat)
		sc.caught[e.Card][e.Seat]++
	case EvDestroyed: // R5.7
		p.hand[e.Card] = true
		for seat, n := range sc.caught[e.Card] {
			sc.p[seat].brk += n
		}
		sc.caught[e.Card] = [MaxPlayers + 1]int{}
	case EvDamaged:
		if sc.damage[e.Loc]++; sc.damage[e.Loc] != int(e.N) || e.N > 2 {
			sc.fail("R5.5: location %d has %d Damage", e.Loc, sc.damage[e.Loc])
		}
	case EvDieDamaged:
		if sc.cubes[e.Color]++; sc.cubes[e.Color] > sc.dice[e.Color] {
			sc.fail("R5.5: %d damaged %s dice of %d", sc.cubes[e.Color], e.Color, sc.dice[e.Color])
		}
	case EvCubeRemoved: // R5.4
		left := &sc.damage[e.Loc]
		if e.Loc == 0 {
			left = &sc.cubes[e.Color]
		}
		if *left--; *left < 0 {
			sc.fail("no cube there")
		}
		switch {
		case e.Cell == 0:
			p.debris++
		case p.grid[e.Cell] == 0 || p.grid[e.Cell].Advanced() || p.loaded[e.Cell]:
			sc.fail("R5.4: %s at %s takes no Debris", p.grid[e.Cell], e.Cell)
		default:
			p.loaded[e.Cell] = true
		}
	case EvLaunched:
		sc.spend(e.Seat, Ship, 1)
		sc.fromBreak(e.Seat)
		p.fleet[e.Hex] = true
	case EvMoved:
		if !p.fleet[e.Hex2] {
			sc.fail("no ship there")
		}
		p.fleet[e.Hex2] = false
		p.fleet[e.Hex] = true
	case EvShipLost: // R6.4: with its pilot (Q6.4b)
		if sc.gone[e.Seat][e.Hex] {
			sc.gone[e.Seat][e.Hex] = false
			break
		}
		if !p.fleet[e.Hex] || !sc.ejecting {
			sc.fail("R6.4: no ship is lost there now")
		}
		p.fleet[e.Hex] = false
		p.supply++
	case EvPlaced:
		sc.out(e.Seat, e.Card)
		if sc.lying[e.Hex].card != 0 {
			sc.fail("R5.5: a card lies there")
		}
		sc.fromBreak(e.Seat)
		sc.lying[e.Hex] = mission{e.Card, e.Seat}
		r := sc.set.Missions[e.Card].Reward
		sc.win(e.Seat, int(r.VP), ByReward)
		sc.gain(e.Seat, Ship, int(r.Ships))
		sc.gain(e.Seat, Resource, int(r.Resources))
		sc.gain(e.Seat, Robot, int(r.Robots))
	case EvCollected:
		sc.collect(e.Seat, e.Card)
	case EvAdvanced:
		sc.advances++
		sc.angel, sc.ejecting = e.Hex, true
	case EvNeutralized, EvTucked, EvHalEjected:
		list := &sc.reached
		if e.Kind != EvNeutralized {
			list = &sc.tucks
		}
		i := slices.Index(*list, Event{Kind: e.Kind, Seat: e.Seat, Card: e.Card, Flag: e.Flag})
		if i < 0 {
			sc.fail("R7: not as it should be: %v", *list)
			return
		}
		*list = slices.Delete(*list, i, i+1)
	case EvSpesInSight:
		sc.spes = e.Hex
	case EvTrigger:
		sc.ending = Ending(e.N)
		if sc.ending == BySpes && (sc.spes == 0 || sc.angel != sc.spes) {
			sc.fail("R8.1: the Black Angel is on %s, Spes on %s", sc.angel, sc.spes)
		}
	case EvAdvancedScore:
		sc.scores[e.Seat][e.Value] += int(e.N)
	case EvGoodsScore:
		sc.goods[e.Seat] += int(e.N)
	case EvFinal:
		sc.final[e.Seat] = int(e.N)
	case EvGameOver:
		sc.over = true
	}
}

// out takes a card out of the hand.
func (sc *scorer) out(seat Seat, c Card) {
	if !sc.p[seat].hand[c] {
		sc.fail("%s is not in the hand of seat %d", c, seat)
	}
	sc.p[seat].hand[c] = false
}

// roll takes a die from its supply, undamaged ones first (Q6.1).
func (sc *scorer) roll(e Event) {
	c := e.Color
	if e.Seat == Neutral && sc.opt.First && sc.neutral[c] == 1 && !sc.robotless[c] { // a star rerolled where it lies
		sc.neutral[c] = int(e.Value) + 1
		return
	}
	if sc.dice[c] == sc.cubes[c] {
		sc.cubes[c]--
		sc.took++
		if e.Seat != Neutral && !(sc.solo() && e.Seat == Hal) { // Q13.3, R15.4
			sc.lose(e.Seat, 1)
		}
	}
	if sc.dice[c]--; sc.dice[c] < 0 {
		sc.fail("R1.2: no %s die left", c)
	}
	if e.Seat == Neutral {
		if sc.neutral[c] != 0 {
			sc.fail("R13.3: a second neutral %s die", c)
		}
		sc.neutral[c] = int(e.Value) + 1
		return
	}
	sc.p[e.Seat].dice[c][e.Value]++
	sc.p[e.Seat].rolled++
}

// takeDie is R4.4: one's own, or bought for a resource.
func (sc *scorer) takeDie(e Event) {
	sc.used, sc.bought = e.Color, e.Other != 0
	sc.boosting = boosting{hue: e.Color, value: int(e.Value)}
	if sc.bought && e.Flag {
		sc.fail("R4.4: a reserved die is bought")
	}
	seller := e.Seat
	if e.Other != 0 {
		seller = e.Other
		sc.spend(e.Seat, Resource, 1)
	}
	if seller == Neutral {
		if sc.neutral[e.Color] != int(e.Value)+1 {
			sc.fail("no such neutral die")
		}
		sc.neutral[e.Color] = 0
		return
	}
	if e.Other != 0 && !(sc.solo() && seller == Hal) {
		sc.p[seller].resources++
	}
	if sc.p[seller].dice[e.Color][e.Value]--; sc.p[seller].dice[e.Color][e.Value] < 0 {
		sc.fail("seat %d has no such die", seller)
	}
}

// activate is section 12.
func (sc *scorer) activate(e Event) {
	p := &sc.p[e.Seat]
	if e.Tile == 0 || p.grid[e.Cell] != e.Tile {
		sc.fail("%s lies at %s", p.grid[e.Cell], e.Cell)
		return
	}
	if p.boost[e.Cell] || sc.turned != 0 && sc.turned != e.Cell {
		sc.fail("R14.1: %s is activated, %s was turned", e.Cell, sc.turned)
	}
	sc.turned = 0
	print := sc.set.Tiles[e.Tile]
	if e.Via != 0 { // Td: above or below, left or right, and no such Td again (Q12.1)
		by := sc.set.Tiles[p.grid[e.Via]]
		rows, columns := e.Cell.Row()-e.Via.Row(), e.Cell.Column()-e.Via.Column()
		beside := by.Color == Orange && columns == 0 && rows*rows == 1 || by.Color == Gray && rows == 0 && columns*columns == 1
		if by.Effect != component.Td || !beside || print.Effect == component.Td && print.Color != Green {
			sc.fail("Q12.1: %s at %s activates it", p.grid[e.Via], e.Via)
		}
	}
	switch print.Effect {
	case component.Ta:
		sc.win(e.Seat, 1, ByTile)
	case component.Tb:
		sc.gain(e.Seat, x[print.Color], 1)
	case component.Tc:
		if print.Color == Gray {
			sc.gain(e.Seat, Debris, 1)
		}
	case component.Start:
		sc.choice, sc.chooser = e.Tile, e.Seat
	}
}

// chosen reads from what was gained which half of a starting tile it was.
func (sc *scorer) chosen(e Event) {
	if sc.choice == 0 || sc.chooser != e.Seat || e.Source != ByTile {
		return
	}
	c := sc.set.Tiles[sc.choice].Color
	if e.Good != x[c] && (c != Gray || e.Good != Debris) {
		sc.fail("%s gives no %s", sc.choice, e.Good)
	}
	sc.gain(e.Seat, e.Good, 1)
	sc.choice = 0
}

// inject is R5.2 and R5.3.
func (sc *scorer) inject(e Event) {
	p := &sc.p[e.Seat]
	if e.Tile.Advanced() && e.Slot != 3 && e.Slot != 4 {
		sc.fail("R5.2: the black arrows are row 3 and column 1")
	}
	at := func(k int) Cell { // k-th cell along the arrow
		if e.Slot <= 3 {
			return CellAt(int(e.Slot), k)
		}
		return CellAt(4-k, int(e.Slot)-3)
	}
	tile, loaded, boost := e.Tile, false, sc.opt.Advanced && !e.Tile.Advanced() // R14.1
	for k := 1; k <= 3 && tile != 0; k++ {
		c := at(k)
		tile, p.grid[c] = p.grid[c], tile
		loaded, p.loaded[c] = p.loaded[c], loaded
		boost, p.boost[c] = p.boost[c], boost
	}
	if loaded {
		p.debris++
	}
	switch {
	case tile == 0:
	case tile.Advanced():
		sc.pushed, sc.pusher = tile, e.Seat
	default:
		p.beside[tile] = true
	}
}
