package component

import "fmt"

// weightNames are the things Hal's gains are counted by, in the order of
// Set.Weights.
var weightNames = [...]string{"ship", "resource", "robot", "debris", "ravager", "technology", "advanced"}

// halMods are the words for the manner of a half, Mod false and Mod true.
var halMods = map[Action][2]string{
	Discover: {"advanced-first", "tiles-only"},
	Repair:   {"1-6", "6-1"},
	Destroy:  {"1-6", "6-1"},
}

// readHal reads Hal's weights, 1 VP at least for each thing (R15.2), and his
// twelve cards (R1.4): two halves of different colours (R15.3), each an action of
// its colour. It is usual that each ordered pair of colours is on two cards, and
// that of a colour's eight halves four are Command and two its other action in
// each manner.
func readHal(set *Set, t *table) {
	w := &set.Weights
	weights := [...]*uint8{&w.Ship, &w.Resource, &w.Robot, &w.Debris, &w.Ravager, &w.Technology, &w.Advanced}
	named := t.tally(weightName)
	cards := t.tally(halName)
	var pairs [None][None]int
	var halves [None][Command + 1][2]int
	for _, e := range t.rows {
		switch {
		case len(e.key) == 2 && e.key[0] == "weight":
			readWeight(t, named, weights[:], e)
		case len(e.key) == 2 && e.key[0] == "card":
			n, ok := number(e.key[1], "", len(set.Hal))
			if !ok || n == 0 {
				t.fault(e.line, "%s: want card 1 to card %d", quote(e.key), len(set.Hal))
				continue
			}
			if !cards.once(e, n) || !t.want(e, 2, "upper half, lower half") {
				continue
			}
			card, ok := &set.Hal[n-1], true
			for i := range card {
				var good bool
				if card[i], good = halfOf(e.fields[i]); !good {
					t.fault(e.line, "card %d: half %s: want a colour and command, or orange discover advanced-first (tiles-only), gray repair 1-6 (6-1), green destroy 1-6 (6-1)", n, quote(e.fields[i]))
				}
				ok = ok && good
			}
			if ok {
				countHal(t, e, n, card, &pairs, &halves)
			}
		default:
			t.fault(e.line, "%s: want weight and a thing, or card and a number", quote(e.key))
		}
	}
	named.all(1, len(weightNames))
	cards.all(1, len(set.Hal))
}

// halName is what Facts call one of Hal's cards.
func halName(n int) string { return fmt.Sprintf("hal card %d", n) }

func weightName(n int) string { return "weight " + weightNames[n-1] }

func readWeight(t *table, seen *tally, weights []*uint8, e entry) {
	for i, name := range weightNames {
		if e.key[1] != name {
			continue
		}
		if !seen.once(e, i+1) || !t.want(e, 1, "VP") {
			return
		}
		n, ok := 0, false
		if len(e.fields[0]) == 1 {
			n, ok = number(e.fields[0][0], "", 20)
		}
		if !ok || n == 0 {
			t.fault(e.line, "weight %s: %s: want 1 to 20", name, quote(e.fields[0]))
		}
		*weights[i] = uint8(n)
		return
	}
	t.fault(e.line, "%s: Hal gains no such thing", quote(e.key))
}

func halfOf(words []string) (Half, bool) {
	if len(words) < 2 {
		return Half{}, false
	}
	c, known := colorOf(words[0])
	a, ok := actionOf(words[1])
	h := Half{Color: c, Action: a}
	if !known || !ok {
		return h, false
	}
	if a == Command {
		return h, len(words) == 2
	}
	if a != own(c) || len(words) != 3 {
		return h, false
	}
	h.Mod = words[2] == halMods[a][1]
	return h, h.Mod || words[2] == halMods[a][0]
}

// countHal counts a card's colours and halves; as there are twelve cards and
// every number must be there, none too many means none too few.
func countHal(t *table, e entry, n int, card *[2]Half, pairs *[None][None]int, halves *[None][Command + 1][2]int) {
	up, low := card[0].Color, card[1].Color
	if up == low {
		t.fault(e.line, "card %d: both halves are %v", n, up)
		return
	}
	if pairs[up][low]++; pairs[up][low] > 2 {
		t.warn(e.line, "card %d: a third card with %v above %v", n, up, low)
	}
	for _, h := range card {
		limit, manner := 2, 0
		if h.Action == Command {
			limit = 4
		}
		if h.Mod {
			manner = 1
		}
		count := &halves[h.Color][h.Action][manner]
		if *count++; *count > limit {
			t.warn(e.line, "card %d: more than %d halves %v %v of this manner", n, limit, h.Color, h.Action)
		}
	}
}
