package engine

import (
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"angelpost/engine/component"
)

// Which cards, activations, dice and actions are legal is decided ahead of
// their consequences (Q3.1, Q4.7), by short cuts. Here the consequences
// decide: positions of random play, made poor so that little is possible, are
// played on by brute force, and the legal lists must say the same.
func TestPropertyLegality(t *testing.T) {
	var seen struct{ opened, closed, kept, lost, usable, useless, boosts, flips int }
	for game := range 144 {
		rng := rand.New(rand.NewPCG(7, uint64(game)))
		src := NewChance(sha256.Sum256(fmt.Appendf(nil, "legality/%d", game)), "")
		set := component.Default()
		if game%3 == 0 {
			set = BenchSet()
		}
		opt := Options{Players: 1 + game%4, Advanced: game/4%2 == 1, First: game/8%3 == 2}
		if opt.Players == 1 {
			opt.Hal = Easy
		}
		s, err := New(set, opt, src, nil)
		if err != nil {
			t.Fatal(err)
		}
		for step := 0; !s.finished && step < 3000; step++ {
			if s.ask == AskTurn && s.seat != 0 && s.p[s.seat-1].ndebts == 0 {
				poor := impoverish(s, rng)
				o := oracle{t: t, s: &poor, seat: poor.seat, src: src}
				o.dice(&seen.usable, &seen.useless)
				seen.boosts += o.boosts
				o.cards(&seen.opened, &seen.closed, &seen.kept, &seen.lost)
				seen.flips += o.flips
				if t.Failed() {
					t.Fatalf("game %d, step %d\n%s", game, step, Drawing(&poor))
				}
			}
			seat, legal := Seat(0), []Step(nil)
			for q := Seat(1); q <= Seat(s.players); q++ {
				if l := s.Legal(q, nil); len(l) > 0 {
					seat, legal = q, l
				}
			}
			st := legal[rng.IntN(len(legal))]
			if st.Kind == Reroll && rng.IntN(4) > 0 {
				st = legal[rng.IntN(len(legal))]
			}
			s.Do(seat, st, src, nil)
		}
	}
	t.Logf("%+v", seen)
	if seen.opened < 100 || seen.closed < 100 || seen.kept < 100 || seen.lost < 20 || seen.usable < 1000 || seen.useless < 1000 || seen.boosts < 1000 || seen.flips < 1000 {
		t.Errorf("the positions are too much alike: %+v", seen)
	}
}

// impoverish takes most goods and dice from every player, so that the last pair
// is near; what is taken is not accounted for.
func impoverish(s State, rng *rand.Rand) State {
	for c := range s.neutralDie {
		s.neutralDie[c] = 0
		if s.neutralSeat && rng.IntN(6) == 0 {
			s.neutralDie[c] = uint8(1 + rng.IntN(4))
		}
	}
	for i := range s.lastSeat() {
		p := &s.p[i]
		own := i+1 == s.seat
		for c := range p.std {
			for v := range p.std[c] {
				p.std[c][v], p.sec[c][v] = 0, 0
				if rng.IntN(12+v) <= 1-min(v, 1) { // stars above all
					p.std[c][v] = 1
				}
				if own && rng.IntN(20) == 0 {
					p.sec[c][v] = 1
				}
			}
		}
		if !own {
			continue
		}
		p.resources, p.debris, p.ships = uint16(rng.IntN(2)), uint16(rng.IntN(2)), uint16(rng.IntN(2))
		p.brk = uint8(rng.IntN(3))
		for p.missions() > 3 {
			p.hand &= p.hand - 1
		}
		for i := range p.grid { // more to activate
			if p.grid[i].tile == 0 && rng.IntN(2) == 0 {
				p.grid[i] = cell{tile: Tile(1 + rng.IntN(component.Tiles)), boost: s.advanced && rng.IntN(3) > 0}
			}
		}
		p.slot = [6]Card{}
	}
	for l := range s.rav { // more effects to reckon with
		if card := component.FirstRaider + Card(rng.IntN(30)); s.set.Ravagers[card].Location == uint8(l+1) || rng.IntN(3) == 0 {
			s.rav[l][0], s.nrav[l] = card, 1
		}
	}
	if rng.IntN(2) == 0 { // a ship where a star might place a card
		s.fleet[s.seat-1] |= 1 << rng.IntN(5*int(s.nstrips))
	}
	if rng.IntN(2) == 0 {
		s.damage, s.damaged = [6]uint8{}, [3]uint8{}
	}
	if rng.IntN(2) == 0 {
		s.display, s.slots = [component.MaxDisplay]Tile{}, [4]Tile{}
	}
	return s
}

type oracle struct {
	t    *testing.T
	s    *State
	seat Seat
	src  Random

	boosts, flips int  // looked at
	idle          bool // the die may be used for nothing (R17.1)
}

// dice tries every die there is, turned or not, on every action and Mission.
func (o *oracle) dice(usable, useless *int) {
	legal := o.s.Legal(o.seat, nil)
	p := &o.s.p[o.seat-1]
	try := func(st Step) {
		after := *o.s
		after.Do(o.seat, st, o.src, nil)
		any := o.useful(&after, st)
		if any != slices.Contains(legal, st) {
			o.t.Errorf("die %s %d (flip %v, seller %d): by its consequences legal: %v, listed: %v", st.Color, st.Value, st.Flip, st.Seller, any, !any)
		}
		if any {
			*usable++
		} else {
			*useless++
		}
	}
	each := func(dice *[3][4]uint8, st Step) {
		for c := range dice {
			for v, n := range dice[c] {
				if n > 0 {
					st.Color, st.Value = Color(c), uint8(v)
					try(st)
				}
			}
		}
	}
	each(&p.std, Step{Kind: TakeDie})
	each(&p.sec, Step{Kind: TakeDie, Secure: true})
	if p.debris > 0 && !o.s.first {
		each(&p.std, Step{Kind: TakeDie, Flip: true})
		each(&p.sec, Step{Kind: TakeDie, Flip: true, Secure: true})
	}
	if p.resources > 0 {
		for seller := Seat(1); seller <= o.s.lastSeat(); seller++ {
			if seller != o.seat {
				each(&o.s.p[seller-1].std, Step{Kind: TakeDie, Seller: seller})
			}
		}
		for c, v := range o.s.neutralDie {
			if v > 0 {
				try(Step{Kind: TakeDie, Color: Color(c), Value: v - 1, Seller: Neutral})
			}
		}
	}
}

// flipped compares the flips of the first edition with what is left after them
// (R17.1).
func (o *oracle) flipped(s *State) {
	listed := s.Legal(o.seat, nil)
	any := s.pair(o.seat)
	p := &s.p[o.seat-1]
	for _, secure := range []bool{false, true} {
		area := p.std
		if secure {
			area = p.sec
		}
		for c := range area {
			for v := range uint8(4) {
				if area[c][v] == 0 || p.debris == 0 {
					continue
				}
				o.flips++
				st := Step{Kind: FlipDie, Color: Color(c), Value: v, Secure: secure}
				after := *s
				after.Do(o.seat, st, o.src, nil)
				want := after.pair(o.seat)
				if !any {
					want = s.ask == AskA1 && (want || opens(&after, o.seat, o.src))
				}
				if want != slices.Contains(listed, st) {
					o.t.Errorf("flip %s %d (secure %t): by its consequences legal: %v, listed: %v", st.Color, v, secure, want, !want)
				}
			}
		}
	}
}

// useful reports whether the die taken by st can do anything, as it lies or after
// any boosts of the grid, and compares on the way what is listed.
func (o *oracle) useful(s *State, st Step) (any bool) {
	var uses []Step
	for loc := uint8(1); loc <= 6; loc++ {
		if at := s.set.Locs[loc]; at.Color == s.hue && (s.pledges == 0 || at.Action == s.pledge) { // R4.6, Q14.2
			uses = append(uses, Step{Kind: Act, Action: at.Action, Loc: loc})
		}
	}
	for i, c := range s.card {
		if c == 0 || c.Color() != s.hue || !s.set.Missions[c].Activation() || s.dieValue == 0 || s.pledges > 0 {
			continue
		}
		if s.owner[i] == o.seat || s.fleet[o.seat-1]>>i&1 == 1 { // R5.6
			uses = append(uses, Step{Kind: UseCard, Card: c})
		}
	}
	listed := s.Legal(o.seat, nil)
	for _, use := range uses {
		done := *s
		if q := &done.p[o.seat-1]; use.Kind == Act && q.missions() == 1 && s.set.Ravagers[done.topmost(use.Loc)].Effect == 3 {
			q.hand, done.nrav[use.Loc-1] = 0, 0 // V3 takes the only card: Do would not, were the action illegal
		}
		o.idle = s.first && s.dieValue > 0
		done.Do(o.seat, use, o.src, nil)
		in := slices.Contains(listed, use)
		can := o.something(&done, in)
		if can != in {
			o.t.Errorf("die %s %d (flip %v, seller %d), now %s %d, then action %d or card %s: by its consequences legal: %v, listed: %v",
				st.Color, st.Value, st.Flip, st.Seller, s.hue, s.dieValue, use.Loc, use.Card, can, !can)
		}
		any = any || can
	}
	for i, on := range s.p[o.seat-1].grid { // R14.2
		t := s.set.Tiles[min(int(on.tile), component.Tiles)]
		if !on.boost || t.For != s.hue {
			continue
		}
		var ways []Step
		switch b := (Step{Kind: Boost, Cell: Cell(i + 1)}); {
		case t.Boost == 1 && (s.pledges == 0 || s.pledge == t.Action), t.Boost == 2 && s.dieValue < 3:
			ways = append(ways, b)
		case t.Boost == 3 && s.pledges == 0:
			for _, c := range t.For.Others() {
				ways = append(ways, Step{Kind: Boost, Cell: Cell(i + 1), Use: AsColor, Color: c})
			}
		}
		for _, way := range ways {
			o.boosts++
			next := *s
			next.Do(o.seat, way, o.src, nil)
			can := o.useful(&next, st)
			if can != slices.Contains(listed, way) {
				o.t.Errorf("die %s %d (flip %v, seller %d), now %s %d, then boost %s %s: by its consequences legal: %v, listed: %v",
					st.Color, st.Value, st.Flip, st.Seller, s.hue, s.dieValue, way.Cell, way.Color, can, !can)
			}
			any = any || can
		}
	}
	for _, l := range listed {
		if l.Kind == Boost && !s.p[o.seat-1].grid[l.Cell-1].boost {
			o.t.Errorf("boost %s is listed", l.Cell)
		}
	}
	return any
}

// something reports whether an activation can be carried out once the action has
// begun, whatever the Ravager takes first; what it may take is compared if the
// action is listed.
func (o *oracle) something(s *State, compare bool) bool {
	switch { // the first edition: though nothing may come of it (R17.1)
	case s.seat != o.seat || s.turn != o.s.turn: // nothing came of it
		return o.idle
	case s.first && s.dieValue > 0 && s.ask != AskShip && s.ask != AskRavagerDiscard:
		return true
	}
	if s.ask == AskRavagerDiscard {
		p := &s.p[o.seat-1]
		var cards []Card
		if s.set.Ravagers[s.topmost(s.loc)].Effect == 3 {
			cards = bitCards(p.hand, 0)
		} else {
			cards = bitCards(uint64(p.ravs), 61)
		}
		some := false
		listed := s.Legal(o.seat, nil)
		for _, c := range cards {
			next := *s
			next.Do(o.seat, Step{Kind: Discard, Card: c}, o.src, nil)
			can := o.something(&next, compare)
			if some = some || can; compare && can != slices.Contains(listed, Step{Kind: Discard, Card: c}) {
				o.t.Errorf("discarding %s at %d: by its consequences legal: %v, listed: %v", c, s.loc, can, !can)
			}
		}
		return some
	}
	if s.left == 0 && s.ask != AskPlace { // R4.6, R4.7: nothing but Command in its star form
		return false
	}
	if s.ask == AskPlace && s.p[o.seat-1].brk == 0 { // no robot for the reward (R5.5)
		return false
	}
	return slices.ContainsFunc(s.Legal(o.seat, nil), func(st Step) bool { return st.Kind != Done })
}

// cards tries every card at every slot and every activation after it.
func (o *oracle) cards(opened, closed, kept, lost *int) {
	s := o.s
	legal := s.Legal(o.seat, nil)
	any := s.pair(o.seat)
	if s.first {
		o.flipped(s)
	}
	p := &s.p[o.seat-1]
	for _, card := range append(bitCards(p.hand, 0), bitCards(uint64(p.ravs), 61)...) {
		for slot := Slot(1); slot <= 6; slot++ {
			st := Step{Kind: PlayCard, Card: card, Slot: slot}
			after := *s
			after.Do(o.seat, st, o.src, nil)
			var want bool
			switch {
			case any: // Q3.1b
				if want = after.pair(o.seat); want {
					*kept++
				} else {
					*lost++
				}
			default: // Q3.1a
				if want = opens(&after, o.seat, o.src); want {
					*opened++
				} else {
					*closed++
				}
			}
			if want != slices.Contains(legal, st) {
				o.t.Errorf("card %s at %s: by its consequences legal: %v, listed: %v", card, slot, want, !want)
			}
			if want {
				o.activations(&after, any)
			}
		}
	}
}

// activations compares what may be activated after a card with what it leads to.
func (o *oracle) activations(s *State, any bool) {
	listed := s.Legal(o.seat, nil)
	for _, st := range s.activations(o.seat, nil) {
		after := *s
		var want bool
		switch {
		case st.Use == Draw: // a card more takes nothing away; what it draws must not decide
			after.spendActivation(st)
			q := &after.p[o.seat-1] // but the tiles are turned (Q14.1)
			q.grid[st.Cell-1].boost = false
			if st.Via != 0 {
				q.grid[st.Via-1].boost = false
			}
			want = any && after.pair(o.seat) || !any && opens(&after, o.seat, o.src)
		default:
			after.Do(o.seat, st, o.src, nil)
			want = after.pair(o.seat) || !any && opens(&after, o.seat, o.src)
		}
		if want != slices.Contains(listed, st) {
			o.t.Errorf("after the card: %+v: by its consequences legal: %v, listed: %v", st, want, !want)
		}
	}
	if s.first {
		o.flipped(s)
		return
	}
	dice := slices.ContainsFunc(listed, func(st Step) bool { return st.Kind == TakeDie })
	if dice != any {
		o.t.Errorf("after the card: dice listed: %v, pair possible: %v", dice, any)
	}
}

// opens reports whether some of the remaining activations, none of which draws,
// make a pair possible.
func opens(s *State, seat Seat, src Random) bool {
	for _, st := range s.activations(seat, nil) {
		if st.Use == Draw {
			continue
		}
		next := *s
		next.Do(seat, st, src, nil)
		if next.pair(seat) || opens(&next, seat, src) {
			return true
		}
	}
	return false
}
