package league

import "slices"

// A climb is an event that changes the order of a ladder: a player joined at its end, or
// took another's place, or a game ended.
type climb struct {
	player, instead int64
	fixture         *Fixture
}

// reclimb computes the order of a ladder again after the result of fixture f has changed.
// The players of a table share out their places by their results; players with equal
// results keep their order.
func (s *State) reclimb(d *Division, f *Fixture) {
	at := slices.IndexFunc(d.climbed, func(c climb) bool { return f != nil && c.fixture == f })
	switch {
	case f == nil:
	case at < 0 && f.Result != nil:
		d.climbed = append(d.climbed, climb{fixture: f})
	case at >= 0 && f.Result == nil:
		d.climbed = slices.Delete(d.climbed, at, at+1)
	}
	var order []int64
	for _, c := range d.climbed {
		switch {
		case c.fixture != nil:
			s.climb(c.fixture, order)
		case c.instead != 0:
			order[slices.Index(order, c.instead)] = c.player
			order = append(order, c.instead)
		default:
			order = append(order, c.player)
		}
	}
	d.Players = order
}

func (s *State) climb(f *Fixture, order []int64) {
	var places []int
	c := slices.DeleteFunc(s.entrants(f), func(e entrant) bool { return e.away })
	for _, e := range c {
		places = append(places, slices.Index(order, e.player))
	}
	slices.Sort(places)
	slices.SortStableFunc(c, func(a, b entrant) int { return slices.Index(order, a.player) - slices.Index(order, b.player) })
	slices.SortStableFunc(c, func(a, b entrant) int { return b.beats(a) })
	for i, e := range c {
		order[places[i]] = e.player
	}
}

// pairLadder returns the tables of a ladder's round: neighbours play, in the second
// round others than in the first. Players with enough games already sit out, and so
// does a player left over alone.
func (s *State) pairLadder(d *Division, k, round, atOnce int) (tables [][]int64) {
	busy := s.busy()
	var in []int64
	for _, p := range s.here(d) {
		if busy[p] < atOnce {
			in = append(in, p)
		}
	}
	cut := func(n int) {
		n = min(n, len(in))
		if n > 1 {
			tables = append(tables, in[:n])
		}
		in = in[n:]
	}
	if round%2 == 0 && len(in) > 2 { // two would both be left over alone
		cut(k / 2)
	}
	for len(in) > 0 {
		cut(k)
	}
	return tables
}
