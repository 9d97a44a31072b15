package component

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A Mark says where a line of a data file comes from.
type Mark string

// The marks. Inferred follows from what is known in public without having been
// read off a box; Ours was made up by the set's author.
const (
	Known    Mark = "known"
	Inferred Mark = "inferred"
	Ours     Mark = "ours"
)

var marks = []Mark{Known, Inferred, Ours}

// An Origin is the line that defines a thing of a set.
type Origin struct {
	File string
	Line int // from 1
	Mark Mark
	Note string // the comment at its end, as it was written
}

// Origins are the lines of a set's things, by the names Facts gives them.
type Origins map[string]Origin

// A Fact is one value printed in a box: "mission 013", "reward", "1 VP". The
// values are written as the data files want them.
type Fact struct{ Thing, Field, Value string }

// Facts are all values of a set that another set may have otherwise, in the
// order of RULES.md's component tables. Every set has the same things and
// fields.
func (s *Set) Facts() []Fact {
	var out []Fact
	add := func(thing, field, value string) { out = append(out, Fact{thing, field, value}) }
	for n := range sides {
		for lane, h := range s.Strips[n/2][n%2] {
			add(stripName(n+1), "lane "+string(rune('a'+lane)), h.text())
		}
	}
	for n := 1; n <= Missions; n++ {
		m := s.Missions[n]
		add(cardName(n), "reward", m.Reward.text())
		add(cardName(n), "tiles", tilesText(m.Tiles))
	}
	for n := 1; n <= Tiles; n++ {
		t := s.Tiles[n]
		add(tileName(n), "effect", "T"+effectNames[t.Effect][1:])
		boost := "B" + strconv.Itoa(int(t.Boost))
		if t.Boost == 1 {
			boost += " " + t.Action.String()
		}
		if t.For != t.Color && (t.Boost != 1 || t.Action == Command) {
			boost += " " + t.For.String()
		}
		add(tileName(n), "boost", boost)
	}
	for n := 1; n <= Advanced; n++ {
		add(advancedName(n), "kind", "K"+strconv.Itoa(int(s.Advanced[n])))
	}
	for n := FirstRaider; n <= LastRaider; n++ {
		r := s.Ravagers[n]
		add(cardName(n), "location", strconv.Itoa(int(r.Location)))
		if r.Effect == 2 {
			add(cardName(n), "die", r.Die.String())
		}
	}
	w := s.Weights
	for i, vp := range [...]uint8{w.Ship, w.Resource, w.Robot, w.Debris, w.Ravager, w.Technology, w.Advanced} {
		add(weightName(i+1), "VP", strconv.Itoa(int(vp)))
	}
	for n, card := range s.Hal {
		add(halName(n+1), "upper", card[0].text())
		add(halName(n+1), "lower", card[1].text())
	}
	for n := 1; n <= 4; n++ {
		gets := s.Seats[n][0].text(n)
		if a := s.Seats[n][1]; a != s.Seats[n][0] {
			gets += " | " + a.text(n)
		}
		add(seatName(n), "advantage", gets)
	}
	for n := 1; n <= 6; n++ {
		add(locationName(n), "action", s.Locs[n].Action.String()+" "+s.Locs[n].Color.String())
	}
	var costs, cells []string
	for _, c := range s.Costs {
		costs = append(costs, strconv.Itoa(int(c)))
	}
	for _, c := range s.Start {
		cells = append(cells, fmt.Sprintf("%d.%d", c/3+1, c%3+1))
	}
	add("display", "costs", strings.Join(costs, " "))
	add("start", "cells", strings.Join(cells, " "))
	return out
}

// Diff names the values that two sets have differently, each in a line:
// "mission 013 reward: 1 VP -> 2 resources". Where a thing comes from does not
// count.
func Diff(a, b *Set) []string {
	var out []string
	was, is := a.Facts(), b.Facts()
	for i, f := range is {
		if f != was[i] {
			out = append(out, fmt.Sprintf("%s %s: %s -> %s", f.Thing, f.Field, was[i].Value, f.Value))
		}
	}
	return out
}

func (h Hex) text() string {
	s := h.Color.String()
	if h.Color == None {
		s = "asteroids"
	}
	if h.Comet {
		s += " comet"
	}
	return s + strings.Repeat(" ravager", int(h.Ravagers))
}

func (r Reward) text() string {
	var out []string
	for _, g := range []struct {
		n    uint8
		name string
	}{{r.VP, "VP"}, {r.Ships, "ship"}, {r.Resources, "resource"}, {r.Robots, "robot"}} {
		if g.n > 0 {
			out = append(out, plural(g.n, g.name))
		}
	}
	return strings.Join(out, " ")
}

func plural(n uint8, name string) string {
	s := strconv.Itoa(int(n)) + " " + name
	if n > 1 && name != "VP" && name != "debris" {
		s += "s"
	}
	return s
}

func tilesText(tiles [2]Color) string {
	if tiles[1] == None {
		return tiles[0].String()
	}
	return tiles[0].String() + " " + tiles[1].String()
}

func (h Half) text() string {
	s := h.Color.String() + " " + h.Action.String()
	if h.Action == Command {
		return s
	}
	manner := 0
	if h.Mod {
		manner = 1
	}
	return s + " " + halMods[h.Action][manner]
}

// text is the advantage of a seat as its line has it.
func (a Advantage) text(seat int) string {
	var out []string
	if a.Reserve {
		out = append(out, "reserve")
	}
	out = a.Ships.text(out, seat, "ship")
	out = a.Resources.text(out, seat, "resource")
	out = a.Robots.text(out, seat, "robot")
	out = a.Debris.text(out, seat, "debris")
	out = a.VP.text(out, seat, "VP")
	if out == nil {
		return "nothing"
	}
	return strings.Join(out, " ")
}

// text appends how much a seat gets, if anything.
func (e Each) text(out []string, seat int, name string) []string {
	with := e[max(seat, 2):]
	most := slices.Max(with)
	if most == 0 {
		return out
	}
	text := plural(most, name)
	if slices.Min(with) < most {
		var each []string
		for _, n := range with {
			each = append(each, strconv.Itoa(int(n)))
		}
		text = strings.Join(each, "/") + text[strings.Index(text, " "):]
	}
	return append(out, text)
}
