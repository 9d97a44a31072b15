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
	var seen struct{ opened, closed, kept, lost, usable, useless int }
	for game := range 120 {
		rng := rand.New(rand.NewPCG(7, uint64(game)))
		src := NewChance(sha256.Sum256(fmt.Appendf(nil, "legality/%d", game)), "")
		set := component.Default()
		if game%3 == 0 {
			set = BenchSet()
		}
		s, err := New(set, Options{Players: 2 + game%3}, src, nil)
		if err != nil {
			t.Fatal(err)
		}
		for step := 0; !s.finished && step < 3000; step++ {
			if s.ask == AskTurn && s.seat != 0 && s.p[s.seat-1].ndebts == 0 {
				poor := impoverish(s, rng)
				o := oracle{t: t, s: &poor, seat: poor.seat, src: src}
				o.dice(&seen.usable, &seen.useless)
				o.cards(&seen.opened, &seen.closed, &seen.kept, &seen.lost)
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
	if seen.opened < 100 || seen.closed < 100 || seen.kept < 100 || seen.lost < 20 || seen.usable < 1000 || seen.useless < 1000 {
		t.Errorf("the positions are too much alike: %+v", seen)
	}
}

// impoverish takes most goods and dice from everybody, so that the last pair
// is near; what is taken is not accounted for.
func impoverish(s State, rng *rand.Rand) State {
	for i := range s.players {
		p := &s.p[i]
		own := Seat(i+1) == s.seat
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
				p.grid[i].tile = Tile(1 + rng.IntN(component.Tiles))
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
}

// dice tries every die there is, turned or not, on every action and Mission.
func (o *oracle) dice(usable, useless *int) {
	legal := o.s.Legal(o.seat, nil)
	p := &o.s.p[o.seat-1]
	try := func(st Step) {
		after := *o.s
		after.Do(o.seat, st, o.src, nil)
		var uses []Step
		for loc := uint8(1); loc <= 6; loc++ {
			if at := o.s.set.Locs[loc]; at.Color == st.Color { // R4.6
				uses = append(uses, Step{Kind: Act, Action: at.Action, Loc: loc})
			}
		}
		for i, c := range o.s.card {
			if c == 0 || c.Color() != st.Color || !o.s.set.Missions[c].Activation() || after.dieValue == 0 {
				continue
			}
			if o.s.owner[i] == o.seat || o.s.fleet[o.seat-1]>>i&1 == 1 { // R5.6
				uses = append(uses, Step{Kind: UseCard, Card: c})
			}
		}
		listed := after.Legal(o.seat, nil)
		any := false
		for _, use := range uses {
			done := after
			if q := &done.p[o.seat-1]; use.Kind == Act && q.missions() == 1 && o.s.set.Ravagers[done.topmost(use.Loc)].Effect == 3 {
				q.hand, done.nrav[use.Loc-1] = 0, 0 // V3 takes the only card: Do would not, were the action illegal
			}
			done.Do(o.seat, use, o.src, nil)
			in := slices.Contains(listed, use)
			can := o.something(&done, in)
			if can != in {
				o.t.Errorf("die %s %d (flip %v, seller %d), then action %d or card %s: by its consequences legal: %v, listed: %v",
					st.Color, st.Value, st.Flip, st.Seller, use.Loc, use.Card, can, !can)
			}
			any = any || can
		}
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
	if p.debris > 0 {
		each(&p.std, Step{Kind: TakeDie, Flip: true})
		each(&p.sec, Step{Kind: TakeDie, Flip: true, Secure: true})
	}
	if p.resources > 0 {
		for q := range o.s.players {
			if Seat(q+1) != o.seat {
				each(&o.s.p[q].std, Step{Kind: TakeDie, Seller: Seat(q + 1)})
			}
		}
	}
}

// something tells whether an activation can be carried out once the action has
// begun, whatever the Ravager takes first; what it may take is compared if the
// action is listed.
func (o *oracle) something(s *State, compare bool) bool {
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
	any := slices.ContainsFunc(legal, func(st Step) bool { return st.Kind == TakeDie })
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
		case st.Use == Draw && any: // a card more takes nothing away
			want = true
		case st.Use == Draw: // what it draws must not decide
			after.spendActivation(st)
			want = opens(&after, o.seat, o.src)
		default:
			after.Do(o.seat, st, o.src, nil)
			want = after.pair(o.seat) || !any && opens(&after, o.seat, o.src)
		}
		if want != slices.Contains(listed, st) {
			o.t.Errorf("after the card: %+v: by its consequences legal: %v, listed: %v", st, want, !want)
		}
	}
	dice := slices.ContainsFunc(listed, func(st Step) bool { return st.Kind == TakeDie })
	if dice != any {
		o.t.Errorf("after the card: dice listed: %v, pair possible: %v", dice, any)
	}
}

// opens tells whether some of the remaining activations, none of which draws,
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
