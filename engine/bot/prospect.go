package bot

import (
	"math/bits"

	"angelpost/engine"
	"angelpost/engine/component"
)

// factors are what a player's prospects are judged by, see prospects: each part
// of them begins where the one before ends.
const (
	ofGoods = 0
	ofCards = ofGoods + 25
	ofTiles = ofCards + 12
	ofSpace = ofTiles + 12
	factors = ofSpace + 8
)

// halShare is how much of Hal's VP counts against the player's: his luck is so
// great that, counted in full, it would drown what the player can do.
const halShare = 0.3

// A judge values positions: how many more VP a player may still win, by a linear
// model of plain facts about the player, fitted to whole games (TestFit). Its
// weights depend on how much of the game is left.
type judge struct {
	set     *component.Set
	players int // 1: solo, against Hal in seat 2

	// What was expected of each seat at last: within a turn most positions leave
	// the others as they were, and much of the bot's own part.
	sky  engine.Sky
	last [engine.MaxPlayers]expected
}

// expected is what was made of a Standing, under a judge's Sky.
type expected struct {
	known    bool
	standing engine.Standing
	facts    [factors]float32
	value    float32
}

// weightsOf returns the weights for a seat. A solo player is judged as one of two:
// what wins VP is much the same, and weights fitted to solo games let them last,
// which Hal wins by.
func (j *judge) weightsOf(seat engine.Seat) *[factors][phases]float32 {
	if j.players == 1 && seat != engine.Hal {
		return &byFactor[2]
	}
	return &byFactor[j.players]
}

// byFactor are the weights, those of one factor side by side.
var byFactor = func() (by [len(weights)][factors][phases]float32) {
	for players := range weights {
		for phase := range phases {
			for i, w := range weights[players][phase] {
				by[players][i][phase] = w
			}
		}
	}
	return by
}()

// phases of the weights: their base, their part that grows with the share of
// advances still to come, and what is added once the end is triggered and in
// the last round.
const phases = 4

// outlook returns the balance of a position for seat: its expected VP at the end,
// less the mean of the others'.
func (j *judge) outlook(s *engine.State, seat engine.Seat) float32 {
	sky := s.Sky()
	own, others := float32(0), float32(0)
	seats := max(j.players, 2)
	for q := engine.Seat(1); int(q) <= seats; q++ {
		e := j.expect(s, &sky, q)
		if q == seat {
			own = e
		} else {
			others += e
		}
	}
	if j.players == 1 {
		return own - float32(others*halShare)
	}
	return own - others/float32(seats-1)
}

// expect is the VP a player will have at the end, as expected.
func (j *judge) expect(s *engine.State, sky *engine.Sky, seat engine.Seat) float32 {
	x := s.Standing(seat)
	if s.Finished() {
		return float32(x.VP)
	}
	if *sky != j.sky {
		j.sky = *sky
		for i := range j.last {
			j.last[i].known = false
		}
	}
	last := &j.last[seat-1]
	if !last.known || x != last.standing {
		was := &last.standing
		if !last.known {
			was = nil
		}
		j.prospects(&x, sky, seat, was, &last.facts)
		last.known, last.standing, last.value = true, x, j.reckon(&last.facts, sky, seat, s.Final(seat))
	}
	return last.value
}

// `reckon` returns the VP to expect from the facts, plus those already certain.
func (j *judge) reckon(f *[factors]float32, sky *engine.Sky, seat engine.Seat, final int) float32 {
	share, weights := share(sky), j.weightsOf(seat)
	var sum [phases]float32
	for i, n := range f { // products are rounded, so that no machine fuses them with the sum
		if n != 0 {
			w := &weights[i]
			sum[0] += float32(n * w[0])
			sum[1] += float32(n * w[1])
		}
	}
	e := float32(final) + sum[0] + float32(share*sum[1])
	if !sky.Ending {
		return e
	}
	for i, n := range f {
		sum[2] += float32(n * weights[i][2])
		sum[3] += float32(n * weights[i][3])
	}
	e += sum[2]
	if sky.Last {
		e += sum[3]
	}
	return e
}

// share is the part of the game's advances still to come, 1 at its start.
func share(sky *engine.Sky) float32 {
	return float32(sky.Advances) / float32(sky.Strips+sky.Strips/2)
}

// A sheet is where facts are written down, one behind the other.
type sheet struct {
	facts *[factors]float32
	n     int
}

func (w *sheet) put(n int) {
	w.facts[w.n] = float32(n)
	w.n++
}

// ends holds that a part of the facts is complete.
func (w *sheet) ends(n int) {
	if w.n != n {
		panic("as many factors as weights")
	}
}

// prospects writes down the facts that decide a player's prospects. If was is not nil, f
// already has the facts for it, under the same Sky.
func (j *judge) prospects(x *engine.Standing, sky *engine.Sky, seat engine.Seat, was *engine.Standing, f *[factors]float32) {
	j.goods(x, sheet{f, ofGoods})
	grid := was == nil || x.Grid != was.Grid
	hand := was == nil || x.Hand != was.Hand || x.Tucked != was.Tucked
	if grid || hand || x.Slots != was.Slots || x.Ravagers != was.Ravagers {
		j.cards(x, sky, seat, sheet{f, ofCards})
	}
	if grid || x.Spaces != was.Spaces || x.Ejected != was.Ejected || x.Tucked != was.Tucked {
		j.tiles(x, sheet{f, ofTiles})
	}
	if hand || x.Fleet != was.Fleet {
		j.space(x, sky, seat, sheet{f, ofSpace})
	}
}

// goods are what is in storage, the robots and the dice.
func (j *judge) goods(x *engine.Standing, w sheet) {
	w.put(1)
	w.put(min(x.VP, 3)) // VP do not fall below 0
	for _, n := range [...]int{x.Resources, x.Debris, x.Ships, x.Break} {
		w.put(n)
		w.put(min(n, 1))
		w.put(min(n, 3))
	}
	w.put(1 - min(x.Supply, 1))
	w.put(x.Supply)

	stations, manned := 0, 0
	for _, n := range x.Stations {
		stations += int(n)
		manned += min(int(n), 2)
	}
	w.put(stations)
	w.put(manned)
	var std, sec [4]int
	colours := 0
	for c := range 3 {
		usable := false
		for v := range 4 {
			std[v] += int(x.Standard[c][v])
			sec[v] += int(x.Secure[c][v])
			usable = usable || v > 0 && x.Standard[c][v]+x.Secure[c][v] > 0
		}
		if usable {
			colours++
		}
	}
	for v := range 4 {
		w.put(std[v])
	}
	w.put(sec[0] + sec[1])
	w.put(sec[2] + sec[3])
	w.put(colours)

	w.ends(ofCards)
}

// cards are the hand and what it could activate.
func (j *judge) cards(x *engine.Standing, sky *engine.Sky, seat engine.Seat, w sheet) {
	var own [3]int // own cards in Space
	for m := sky.Cards; m != 0; m &= m - 1 {
		if k := bits.TrailingZeros64(m); sky.Owner[k] == seat {
			own[sky.Card[k].Color()]++
		}
	}
	gains, prices, steady, growing, colours := 0, 0, 0, 0, 0
	for c := range engine.None {
		of := x.Hand & cardsOf(c)
		if of != 0 {
			colours++
		}
		for ; of != 0; of &= of - 1 {
			m := &j.set.Missions[bits.TrailingZeros64(of)]
			other := c.Others()
			switch {
			case m.Kind <= 4:
				gains++
			case m.Kind <= 12:
				prices++
			case m.Kind <= 16:
				steady++
			case m.Kind <= 18:
				growing += own[other[m.Kind-17]]
			default:
				growing += x.Tucked[other[m.Kind-19]]
			}
		}
	}
	n := bits.OnesCount64(x.Hand)
	w.put(n)
	w.put(max(n-6, 0))
	w.put(colours)
	w.put(gains)
	w.put(prices)
	w.put(steady)
	w.put(growing)
	ravs := bits.OnesCount32(x.Ravagers)
	w.put(ravs)
	w.put(min(ravs, 2))

	empty, first, second := 0, 0, 0
	for slot, card := range x.Slots {
		if card != 0 {
			continue
		}
		empty++
		var by [3]int
		all := 0
		for k := range 3 {
			at := slot*3 + k
			if slot >= 3 {
				at = k*3 + slot - 3
			}
			t := x.Grid[at].Tile
			if t == 0 || t.Advanced() {
				continue
			}
			gives := [...]int{component.Ta: 10, component.Tb: 8, component.Tc: 5, component.Td: 7, component.Start: 9}[j.set.Tiles[t].Effect]
			by[j.set.Tiles[t].Color] += gives
			all += gives
		}
		best := 0
		if ravs > 0 {
			best = all
		}
		for c := range engine.None {
			if x.Hand&cardsOf(c) != 0 {
				best = max(best, by[c])
			}
		}
		if best > first {
			first, second = best, first
		} else {
			second = max(second, best)
		}
	}
	w.put(empty)
	w.put(first)
	w.put(second)
	w.ends(ofTiles)
}

// tiles are the grid and the Advanced tiles.
func (j *judge) tiles(x *engine.Standing, w sheet) {
	var by [5]int
	var colour [6][3]int // in each row and column
	advanced, debris, boosts := 0, 0, 0
	for at, c := range x.Grid {
		if c.Debris {
			debris++
		}
		switch {
		case c.Tile == 0:
		case c.Tile.Advanced():
			advanced++
		default:
			k := &j.set.Tiles[c.Tile]
			by[k.Effect]++
			colour[at/3][k.Color]++
			colour[3+at%3][k.Color]++
			if c.Boost {
				boosts++
			}
		}
	}
	for _, n := range by {
		w.put(n)
	}
	pairs := 0
	for _, line := range colour {
		for _, n := range line {
			pairs += n * (n - 1) / 2
		}
	}
	w.put(pairs)
	w.put(debris)
	w.put(boosts)
	w.put(advanced)
	onSpaces, tucked := 0, 0
	for c, t := range x.Spaces {
		if t != 0 {
			onSpaces++
			tucked += x.Tucked[c]
		}
	}
	w.put(onSpaces)
	w.put(tucked)
	w.put(bits.OnesCount64(x.Ejected))
	w.ends(ofSpace)
}

// space are the player's cards and ships there.
func (j *judge) space(x *engine.Standing, sky *engine.Sky, seat engine.Seat, w sheet) {
	gains, prices, lost, sure, berths, guests := 0, 0, 0, 0, 0, 0
	for m := sky.Cards; m != 0; m &= m - 1 {
		k := bits.TrailingZeros64(m)
		card := &j.set.Missions[sky.Card[k]]
		mine, here := sky.Owner[k] == seat, x.Fleet>>k&1 == 1
		switch {
		case card.Activation():
			switch {
			case mine && card.Kind <= 4:
				gains++
			case mine:
				prices++
			case here:
				guests++
			}
		case k/component.Lanes >= sky.Advances: // never ejected
			if mine {
				lost++
			}
		default:
			other := card.Color.Others()
			vp := 3
			switch {
			case card.Kind <= 14:
				vp = 2
			case card.Kind <= 16:
			case card.Kind <= 18:
				vp = 3 * j.ownOf(sky, seat, other[card.Kind-17])
			default:
				vp = 3 * x.Tucked[other[card.Kind-19]]
			}
			if mine {
				sure += vp
			} else if here {
				berths += vp
			}
		}
	}
	w.put(gains)
	w.put(prices)
	w.put(lost)
	w.put(sure)
	w.put(berths)
	w.put(guests)
	w.put(bits.OnesCount64(x.Fleet))
	sites := 0
	for c := range engine.None {
		if x.Hand&cardsOf(c) != 0 {
			sites += bits.OnesCount64(x.Fleet & sky.Free[c])
		}
	}
	w.put(sites)
	w.ends(factors)
}

// ownOf counts a player's cards of a colour in Space.
func (j *judge) ownOf(sky *engine.Sky, seat engine.Seat, c engine.Color) int {
	n := 0
	for m := sky.Cards; m != 0; m &= m - 1 {
		if k := bits.TrailingZeros64(m); sky.Owner[k] == seat && sky.Card[k].Color() == c {
			n++
		}
	}
	return n
}
