package words

import (
	"slices"
	"strings"

	"angelpost/engine"
	"angelpost/engine/component"
)

// box are the values that the voice's component set has for C1 to C9: what the rules leave
// to the set. The first line says whose they are, the others are items.
func (v *Voice) box(n int) []string {
	values := []struct {
		key   string
		items func() []string
	}{
		{"box.strips", v.boxStrips}, {"box.missions", v.boxMissions}, {"box.set", v.boxTechnology},
		{"box.set", v.boxAdvanced}, {"box.set", v.boxRavagers}, {"box.set", v.boxHal},
		{"box.set", v.boxSeats}, {"box.set", v.boxBoards}, {"box.set", v.boxStart},
	}
	if n < 1 || n > len(values) {
		return nil
	}
	out := []string{v.Say(values[n-1].key, "set", v.set.Name)}
	for _, item := range values[n-1].items() {
		out = append(out, "- "+item)
	}
	return out
}

// boxStrips are C1: both sides of each strip.
func (v *Voice) boxStrips() (out []string) {
	side := func(hexes [5]component.Hex) string {
		var list []string
		for _, h := range hexes {
			word := v.Say("box.asteroids")
			if h.Color != component.None {
				word = v.Color(h.Color)
			}
			if h.Comet {
				word += "*"
			}
			list = append(list, word+strings.Repeat("!", int(h.Ravagers)))
		}
		return strings.Join(list, ", ")
	}
	for i, s := range v.set.Strips {
		out = append(out, v.Say("box.strip", "n", i+1, "front", side(s[0]), "back", side(s[1])))
	}
	return out
}

// byColor are the texts of things 1 to n by their colour, an item each.
func (v *Voice) byColor(n int, of func(i int) (component.Color, string)) (out []string) {
	var lists [len(component.Colors)][]string
	for i := 1; i <= n; i++ {
		if c, text := of(i); c <= component.Green {
			lists[c] = append(lists[c], text)
		}
	}
	for _, c := range component.Colors {
		out = append(out, v.Say("box.of", "what", v.Color(c), "list", strings.Join(lists[c], "; ")))
	}
	return out
}

// boxMissions are C2: what placing each card earns, and the tiles it brings.
func (v *Voice) boxMissions() []string {
	return v.byColor(component.Missions, func(i int) (component.Color, string) {
		m := v.set.Missions[i]
		return m.Color, v.Say("box.mission", "card", engine.Card(i).String(), "reward", v.Reward(m.Reward), "tiles", v.tileColors(m))
	})
}

// boxTechnology are C3: the kinds of each tile's two sides.
func (v *Voice) boxTechnology() []string {
	return v.byColor(component.Tiles, func(i int) (component.Color, string) {
		t := v.set.Tiles[i]
		boost := "B" + itoa(int(t.Boost))
		if t.Boost == 1 {
			boost += " " + v.Action(t.Action)
		}
		if t.For != t.Color {
			boost += " " + v.Color(t.For)
		}
		return t.Color, engine.Tile(i).String() + " T" + "abcd"[t.Effect:t.Effect+1] + " " + boost
	})
}

// boxAdvanced are C4: which tiles are of each kind.
func (v *Voice) boxAdvanced() (out []string) {
	for kind := 1; kind <= 8; kind++ {
		var list []string
		for i, k := range v.set.Advanced {
			if int(k) == kind {
				list = append(list, (engine.FirstAdvanced + engine.Tile(i) - 1).String())
			}
		}
		if len(list) > 0 {
			out = append(out, v.Say("box.of", "what", "K"+itoa(kind), "list", v.List(list)))
		}
	}
	return out
}

// boxRavagers are C5: where each card attacks, and which die a V2 damages.
func (v *Voice) boxRavagers() (out []string) {
	var lists [6][]string
	for n := component.FirstRaider; n <= component.LastRaider; n++ {
		r := v.set.Ravagers[n]
		key := "box.ravager"
		if r.Effect == 2 {
			key = "box.ravager-die"
		}
		lists[r.Effect] = append(lists[r.Effect], v.Say(key, "card", engine.Card(n).String(), "loc", int(r.Location), "color", v.Color(r.Die)))
	}
	for effect, list := range lists {
		if len(list) > 0 {
			out = append(out, v.Say("box.of", "what", "V"+itoa(effect), "list", strings.Join(list, "; ")))
		}
	}
	return out
}

// boxHal are C6: what things are worth to Hal, and his cards.
func (v *Voice) boxHal() []string {
	w := v.set.Weights
	out := []string{v.Say("box.weights", "ship", int(w.Ship), "resource", int(w.Resource), "robot", int(w.Robot), "debris", int(w.Debris),
		"ravager", int(w.Ravager), "technology", int(w.Technology), "advanced", int(w.Advanced))}
	for n := 1; n <= len(v.set.Hal); n++ {
		out = append(out, v.Say("box.hal", "n", n, "upper", v.Half(n, 0), "lower", v.Half(n, 1)))
	}
	return out
}

// boxSeats are C7: what the later seats get, by number of players and rules.
func (v *Voice) boxSeats() (out []string) {
	for players := 2; players <= engine.MaxPlayers; players++ {
		var gets [2][]string // by rules
		for rules := range gets {
			for seat := 2; seat <= players; seat++ {
				a := v.set.Seats[seat][rules]
				var list []string
				if a.Reserve {
					list = append(list, v.Say("box.reserve"))
				}
				for _, g := range []struct {
					good engine.Good
					each component.Each
				}{{engine.Ship, a.Ships}, {engine.Resource, a.Resources}, {engine.Robot, a.Robots}, {engine.Debris, a.Debris}, {engine.VP, a.VP}} {
					if n := int(g.each[players]); n > 0 {
						list = append(list, v.Goods(g.good, n))
					}
				}
				if len(list) == 0 {
					list = append(list, v.Say("box.nothing"))
				}
				gets[rules] = append(gets[rules], v.Say("box.seat", "n", seat, "list", v.List(list)))
			}
		}
		base, advanced := strings.Join(gets[0], "; "), strings.Join(gets[1], "; ")
		if slices.Equal(gets[0], gets[1]) {
			out = append(out, v.Say("box.seats", "n", players, "list", base))
			continue
		}
		out = append(out, v.Say("box.seats-base", "n", players, "list", base), v.Say("box.seats-advanced", "n", players, "list", advanced))
	}
	return out
}

// boxBoards are C8: the locations and the display.
func (v *Voice) boxBoards() (out []string) {
	for n := 1; n < len(v.set.Locs); n++ {
		l := v.set.Locs[n]
		out = append(out, v.Say("box.location", "n", n, "action", v.Action(l.Action), "color", v.Color(l.Color)))
	}
	costs := make([]string, len(v.set.Costs))
	for i, c := range v.set.Costs {
		costs[i] = itoa(int(c))
	}
	return append(out, v.Say("box.display", "n", len(costs), "costs", v.List(costs)))
}

// boxStart are C9: where the starting tiles lie.
func (v *Voice) boxStart() []string {
	var cells []string
	for _, at := range v.set.Start {
		cells = append(cells, engine.Cell(at+1).String())
	}
	return []string{v.Say("box.start", "cells", v.List(cells))}
}
