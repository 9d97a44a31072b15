package component

import (
	"fmt"
	"slices"
)

const perColor = Missions / 3 // Mission cards of a colour

// readMissions reads the Mission cards (C2): every number once (R1.4) with its
// kind (section 10), a reward of robots, resources, ships or VP (R5.5 step 2) and
// 1 or 2 tile colours (R5.5 step 4). The one known card, orange, has 1 VP and
// tiles orange, gray.
func readMissions(set *Set, t *table) {
	seen := t.tally(cardName)
	for _, e := range t.rows {
		n, ok := number(e.key[0], "", Missions)
		if !ok || n == 0 || len(e.key) != 2 {
			t.fault(e.line, "%s: want a card number 001-060 and a kind M1-M20", quote(e.key))
			continue
		}
		if !seen.once(e, n) || !t.want(e, 2, "reward, tile colours") {
			continue
		}
		m := &set.Missions[n]
		m.Color = Color((n - 1) / perColor)
		m.Kind = uint8((n-1)%perColor + 1)
		if k, ok := number(e.key[1], "m", perColor); !ok || k != int(m.Kind) {
			t.fault(e.line, "%s is M%d, not %s", cardName(n), m.Kind, quote(e.key[1:]))
		}
		if m.Reward, ok = rewardOf(e.fields[0]); !ok {
			t.fault(e.line, "%s: reward %s: want 1 to %d each of VP, ship, resource, robot (\"2 VP\", \"1 ship 1 robot\")", cardName(n), quote(e.fields[0]), maxReward)
		} else if r := m.Reward; r.VP > 2 || r.VP > 0 && r.goods() > 0 || r.goods() > 2 {
			t.warn(e.line, "%s: the reward is more than 1 or 2 VP, or 1 or 2 goods", cardName(n))
		}
		if m.Tiles, ok = tileColors(e.fields[1]); !ok {
			t.fault(e.line, "%s: tile colours %s: want one or two of orange, gray, green", cardName(n), quote(e.fields[1]))
		}
	}
	known := Mission{Color: Orange, Reward: Reward{VP: 1}, Tiles: [2]Color{Orange, Gray}}
	if seen.all(1, Missions) && !slices.ContainsFunc(set.Missions[1:perColor+1], func(m Mission) bool {
		m.Kind = 0
		return m == known
	}) {
		t.warn(seen.lines[perColor], "no orange card has the reward 1 VP and tiles orange then gray, as one is known to")
	}
}

// cardName is what Facts call a Mission or Ravager card.
func cardName(n int) string {
	if n >= FirstRaider {
		return fmt.Sprintf("ravager %03d", n)
	}
	return fmt.Sprintf("mission %03d", n)
}

// goods is how many ships, resources and robots a reward is.
func (r Reward) goods() int { return int(r.Ships) + int(r.Resources) + int(r.Robots) }

// maxReward bounds a reward of each thing.
const maxReward = 9

// rewardOf reads pairs of number and thing, each thing once.
func rewardOf(words []string) (Reward, bool) {
	var r Reward
	if len(words) == 0 || len(words)%2 != 0 {
		return r, false
	}
	for i := 0; i < len(words); i += 2 {
		n, ok := number(words[i], "", maxReward)
		if !ok || n == 0 {
			return r, false
		}
		var to *uint8
		switch words[i+1] {
		case "vp":
			to = &r.VP
		case "ship", "ships":
			to = &r.Ships
		case "resource", "resources":
			to = &r.Resources
		case "robot", "robots":
			to = &r.Robots
		default:
			return r, false
		}
		if *to != 0 {
			return r, false
		}
		*to = uint8(n)
	}
	return r, true
}

func tileColors(words []string) ([2]Color, bool) {
	out := [2]Color{None, None}
	if len(words) == 0 || len(words) > 2 {
		return out, false
	}
	for i, w := range words {
		c, ok := colorOf(w)
		if !ok {
			return out, false
		}
		out[i] = c
	}
	return out, true
}

// readRavagers reads the Ravager cards (C5): every number once (R1.4) with the
// effect of its block and, on V2, a die colour (section 11), and a location. It
// is usual that a block attacks each location once and that the die is of
// another colour than its location, two of each; known is that a V3 card attacks
// Discover.
func readRavagers(set *Set, t *table) {
	const block = 6
	var at [6][7]int   // line by effect and location
	var dice [None]int // V2 cards by colour
	seen := t.tally(cardName)
	for _, e := range t.rows {
		n, ok := number(e.key[0], "", LastRaider)
		if !ok || n < FirstRaider || len(e.key) != 2 {
			t.fault(e.line, "%s: want a card number 061-090 and an effect V1-V5", quote(e.key))
			continue
		}
		r := &set.Ravagers[n]
		*r = Ravager{Effect: uint8((n-FirstRaider)/block + 1), Die: None}
		fields, what := 1, "location"
		if r.Effect == 2 {
			fields, what = 2, "location, die colour"
		}
		if !seen.once(e, n) || !t.want(e, fields, what) {
			continue
		}
		if v, ok := number(e.key[1], "v", 5); !ok || v != int(r.Effect) {
			t.fault(e.line, "%s is V%d, not %s", cardName(n), r.Effect, quote(e.key[1:]))
		}
		loc, ok := locationOf(e.fields[0])
		if !ok {
			t.fault(e.line, "%s: %s: want location 1 to location 6", cardName(n), quote(e.fields[0]))
			continue
		}
		r.Location = uint8(loc)
		if first := at[r.Effect][loc]; first != 0 {
			t.warn(e.line, "%s: the V%d card of line %d attacks location %d, too", cardName(n), r.Effect, first, loc)
		}
		at[r.Effect][loc] = e.line
		if r.Effect != 2 {
			continue
		}
		if len(e.fields[1]) == 1 {
			r.Die, _ = colorOf(e.fields[1][0])
		}
		switch {
		case r.Die == None:
			t.fault(e.line, "%s: die %s: want orange, gray or green", cardName(n), quote(e.fields[1]))
			continue
		case set.Locs[loc].Action != NoAction && set.Locs[loc].Color == r.Die:
			t.warn(e.line, "%s: the die is %v, which is location %d's own colour", cardName(n), r.Die, loc)
		}
		if dice[r.Die]++; dice[r.Die] > 2 {
			t.warn(e.line, "%s: a third V2 card whose die is %v; usually each colour has two", cardName(n), r.Die)
		}
	}
	if seen.all(FirstRaider, LastRaider) && !slices.ContainsFunc(set.Ravagers[FirstRaider:], func(r Ravager) bool {
		return r.Effect == 3 && set.Locs[r.Location].Action == Discover
	}) {
		t.warn(t.last, "no V3 card attacks Discover, as one is known to")
	}
}

func locationOf(words []string) (int, bool) {
	if len(words) != 2 || words[0] != "location" {
		return 0, false
	}
	n, ok := number(words[1], "", 6)
	return n, ok && n > 0
}
