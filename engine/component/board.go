package component

import (
	"fmt"
	"slices"
	"strings"
)

// readBoard reads the boards: the locations and the display (C8), the seats'
// advantages (C7) and the starting cells (C9).
func readBoard(set *Set, t *table) {
	locs := t.tally(locationName)
	seats := t.tally(seatName)
	lines := t.tally(func(n int) string { return [...]string{"", "display", "start"}[n] })
	for _, e := range t.rows {
		t.rule = "C8"
		switch {
		case len(e.key) == 2 && e.key[0] == "location":
			readLocation(set, t, locs, e)
		case len(e.key) == 1 && e.key[0] == "display":
			if lines.once(e, 1) {
				readDisplay(set, t, e)
			}
		case len(e.key) == 1 && e.key[0] == "start":
			t.rule = "C9"
			if lines.once(e, 2) {
				readCells(set, t, e)
			}
		case len(e.key) == 2 && e.key[0] == "seat":
			t.rule = "C7"
			readSeat(set, t, seats, e)
		default:
			t.fault(e.line, "%s: want location 1-6, display, start or seat 1-4", quote(e.key))
		}
	}
	t.rule = "C8"
	locs.all(1, 6)
	lines.all(1, 1)
	t.rule = "C9"
	lines.all(2, 2)
	t.rule = "C7"
	seats.all(1, 4)
}

func locationName(n int) string { return fmt.Sprintf("location %d", n) }

func seatName(n int) string { return fmt.Sprintf("seat %d", n) }

// readLocation reads one location (C8): six of them, clockwise, each action of
// each colour once, which is what dice can do (R4.6, R5).
func readLocation(set *Set, t *table, seen *tally, e entry) {
	n, ok := number(e.key[1], "", 6)
	if !ok || n == 0 {
		t.fault(e.line, "%s: want location 1 to location 6", quote(e.key))
		return
	}
	if !seen.once(e, n) || !t.want(e, 1, "action and colour") {
		return
	}
	words := e.fields[0]
	var l Location
	if ok = len(words) == 2; ok {
		var known bool
		l.Action, ok = actionOf(words[0])
		l.Color, known = colorOf(words[1])
		ok = ok && known && (l.Action == Command || l.Action == own(l.Color))
	}
	switch {
	case !ok:
		t.fault(e.line, "location %d: %s: want discover orange, repair gray, destroy green, or command with a colour", n, quote(words))
	case slices.Contains(set.Locs[1:], l):
		t.fault(e.line, "location %d: %v %v is another location already", n, l.Action, l.Color)
	default:
		if n == 3 && l.Color != Gray {
			t.warn(e.line, "location 3 is known to be gray")
		}
		set.Locs[n] = l
	}
}

// readDisplay reads the display's costs (C8): R5.1 lets the first two spaces cost
// 2 and the others 1, and in E3 a 3 takes three tiles that cost 1.
func readDisplay(set *Set, t *table, e entry) {
	if !t.want(e, 1, "costs") {
		return
	}
	words := e.fields[0]
	if len(words) < MinDisplay || len(words) > MaxDisplay {
		t.fault(e.line, "display: want %d to %d spaces, got %d", MinDisplay, MaxDisplay, len(words))
		return
	}
	for i, w := range words {
		want := 1
		if i < 2 {
			want = 2
		}
		if n, ok := number(w, "", 9); !ok || n != want {
			t.fault(e.line, "display: space %d costs %d, not %s", i+1, want, quote([]string{w}))
			return
		}
		set.Costs = append(set.Costs, uint8(want))
	}
}

// readCells reads the highlighted cells (C9): three different ones for three
// tiles (R2.8), row.column with both from 1 to 3.
func readCells(set *Set, t *table, e entry) {
	if !t.want(e, 1, "cells") {
		return
	}
	words := slices.Compact(slices.Sorted(slices.Values(e.fields[0])))
	if len(words) != 3 || len(e.fields[0]) != 3 {
		t.fault(e.line, "start: want three different cells, got %s", quote(e.fields[0]))
		return
	}
	for i, w := range words {
		if len(w) != 3 || w[1] != '.' || w[0] < '1' || w[0] > '3' || w[2] < '1' || w[2] > '3' {
			t.fault(e.line, "start: %s: want row.column, both from 1 to 3", quote([]string{w}))
			return
		}
		set.Start[i] = (w[0]-'1')*3 + w[2] - '1'
	}
}

// readSeat reads a seat's advantage (C7), and after it that by the advanced
// rules if it is another. By R2.11 seats 3 and 4 reserve a die free, and seat 1
// has nothing.
func readSeat(set *Set, t *table, seen *tally, e entry) {
	n, ok := number(e.key[1], "", 4)
	if !ok || n == 0 {
		t.fault(e.line, "%s: want seat 1 to seat 4", quote(e.key))
		return
	}
	if !seen.once(e, n) || len(e.fields) != 2 && !t.want(e, 1, "advantage, and by the advanced rules if it is another") {
		return
	}
	for rules := range set.Seats[n] {
		if rules == len(e.fields) {
			set.Seats[n][rules] = set.Seats[n][0]
			break
		}
		words := e.fields[rules]
		a, ok := advantageOf(n, words)
		switch {
		case !ok:
			t.fault(e.line, "seat %d: %s: want nothing, or reserve, and up to %d each of ship, resource, robot, debris and VP (\"reserve 1 resource 2 VP\", for seat 2 \"3/2/1 VP\" with 2, 3 and 4 players)", n, quote(words), maxGift)
			return
		case n == 1 && a != Advantage{}:
			t.fault(e.line, "seat 1 has no advantage")
			return
		case n >= 3 && !a.Reserve:
			t.fault(e.line, "seat %d: seats 3 and 4 reserve a die free: want reserve", n)
			return
		case n == 2 && a.Reserve:
			t.warn(e.line, "seat 2 reserves a die free; the rulebooks say so of seats 3 and 4")
		}
		set.Seats[n][rules] = a
	}
}

func advantageOf(seat int, words []string) (a Advantage, ok bool) {
	switch {
	case len(words) == 0:
		return a, false
	case words[0] == "reserve":
		a.Reserve = true
		words = words[1:]
	case len(words) == 1 && words[0] == "nothing":
		return a, true
	}
	for ; len(words) >= 2; words = words[2:] {
		if !a.read(seat, words[0], words[1]) {
			return a, false
		}
	}
	return a, len(words) == 0
}

// maxGift bounds what a seat gets of each thing.
const maxGift = 20

// read reads how many of a thing a seat gets, each thing once: one number, or one for each
// number of players for which the seat exists, the lowest first, separated by slashes.
func (a *Advantage) read(seat int, n, what string) (ok bool) {
	var to *Each
	switch what {
	case "ship", "ships":
		to = &a.Ships
	case "resource", "resources":
		to = &a.Resources
	case "robot", "robots":
		to = &a.Robots
	case "debris":
		to = &a.Debris
	case "vp":
		to = &a.VP
	default:
		return false
	}
	words := strings.Split(n, "/")
	with := to[max(seat, 2):]
	if *to != (Each{}) || len(words) != 1 && len(words) != len(with) {
		return false
	}
	for i := range with {
		k, ok := number(words[i%len(words)], "", maxGift)
		if !ok {
			return false
		}
		with[i] = uint8(k)
	}
	return true
}
