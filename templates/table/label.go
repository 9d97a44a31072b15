package table

import (
	"slices"
	"strings"

	"angelpost/engine"
	"angelpost/templates/words"
)

// What pieces are called. A name says what is there and what it does.

// hexLabel names a hex and all that is on it.
func (t *Table) hexLabel(h *engine.HexView) string {
	var list []string
	say := func(key string, kv ...any) { list = append(list, t.Say("piece."+key, kv...)) }
	switch {
	case h.Spes:
		say("hex-spes")
	case h.Asteroid || h.Color > engine.Green:
		say("hex-rocks")
	default:
		say([...]string{"hex-planet", "hex-station", "hex-fleet"}[h.Color])
	}
	if h.At != 0 && h.At == t.View.BlackAngel {
		say("hex-angel")
	}
	if h.Comet {
		say("hex-comet")
	}
	if h.Icons > 0 {
		say("hex-ravagers", "n", h.Icons)
	}
	if h.Card != 0 {
		say("hex-card", "card", t.CardName(h.Card), "owner", t.Who(h.Owner), "effect", t.CardShort(h.Card))
	}
	if len(h.Ships) > 0 {
		say("hex-ships", "n", len(h.Ships), "names", t.Whose(h.Ships))
	}
	if t.hexChanged(h) != "" {
		say("changed")
	}
	return t.Say("piece.hex", "hex", h.At.String(), "list", strings.Join(list, ", "))
}

// roomLabel names a location, its Damage and Ravagers.
func (t *Table) roomLabel(n int) string {
	l := &t.View.Locs[n]
	state := []string{t.Say("piece.room-well")}
	if l.Damage > 0 {
		state[0] = t.Say("piece.room-damage", "n", l.Damage)
	}
	if k := len(l.Ravagers); k > 0 {
		top := l.Ravagers[k-1].Card
		state = append(state, t.Say("piece.room-top", "card", top.String(), "effect", t.CardShort(top)))
		var below []string
		for _, r := range l.Ravagers[:k-1] {
			below = append(below, r.Card.String())
		}
		if len(below) > 0 {
			state = append(state, t.Say("piece.room-below", "cards", t.List(below)))
		}
		for _, r := range l.Ravagers {
			if len(r.Robots) > 0 {
				state = append(state, t.Say("piece.room-caught", "card", r.Card.String(), "names", t.Whose(r.Robots)))
			}
		}
	}
	return t.Say("piece.room", "n", n, "action", t.Action(l.Action), "color", t.Color(l.Color), "does", t.Location(t.View.Set, n), "state", strings.Join(state, " "))
}

// cardLabel names a card and all that is printed on it.
func (t *Table) cardLabel(c engine.Card) string {
	text := t.CardText(c)
	if text == "" {
		return words.Sentence(t.CardName(c))
	}
	return t.Say("piece.card-mission", "card", words.Sentence(t.CardName(c)), "text", text)
}

// slotLabel names a slot beside or below a grid, and the card in it.
func (t *Table) slotLabel(kind string, i int, c engine.Card) string {
	slot := words.Sentence(t.Say("piece."+kind, "n", i+1))
	slot = strings.TrimSuffix(slot, ".")
	if c == 0 {
		return t.Say("piece.slot-empty", "slot", slot, "kind", kind)
	}
	return t.Say("piece.slot-card", "slot", slot, "card", t.CardName(c))
}

// cellLabel names a cell of a grid, and the tile on it.
func (t *Table) cellLabel(i int, c engine.CellView) string {
	cell := engine.Cell(i + 1).String()
	if c.Tile == 0 {
		return t.Say("piece.cell-empty", "cell", cell)
	}
	return t.Say("piece.cell", "cell", cell, "tile", t.TileSide(c.Tile, c.Boost), "debris", c.Debris, "boost", c.Boost)
}

// displayLabel names a tile for sale.
func (t *Table) displayLabel(tile engine.Tile, cost int) string {
	return t.Say("piece.display-tile", "tile", words.Sentence(t.TileSide(tile, t.boosted(tile))), "n", cost)
}

func (t *Table) dieLabel(d engine.DieView, reserved bool) string {
	return t.Say("piece.die", "die", t.Die(d.Color, d.Value), "reserved", reserved)
}

// boosted reports whether a tile of display or stack lies boost side up (R2.3).
func (t *Table) boosted(tile engine.Tile) bool {
	return t.View.Options.Advanced && tile != 0 && !tile.Advanced()
}

// cost of display space i, from 0 (C8).
func (t *Table) cost(i int) int {
	if i >= len(t.View.Set.Costs) {
		return 1
	}
	return int(t.View.Set.Costs[i])
}

// codes are the numbers of cards, for a corner.
func codes(cards []engine.Card) string {
	out := make([]string, len(cards))
	for i, c := range cards {
		out[i] = c.String()
	}
	return strings.Join(out, ", ")
}

// hexChanged is the class of the player who changed a hex; "" if nothing changed there.
func (t *Table) hexChanged(h *engine.HexView) string {
	was := hexOf(t.Before, h.At)
	if t.Before == nil || h.At == 0 {
		return ""
	}
	if was == nil {
		return "s0" // Space went on
	}
	for _, s := range h.Ships {
		if !slices.Contains(was.Ships, s) {
			return seat(s)
		}
	}
	angel := h.At == t.View.BlackAngel && h.At != t.Before.BlackAngel
	switch {
	case h.Card != was.Card && h.Card != 0:
		return seat(h.Owner)
	case h.Card != was.Card || len(h.Ships) != len(was.Ships) || angel:
		return "s0"
	}
	return ""
}

func hexOf(v *engine.View, at engine.Hex) *engine.HexView {
	if v == nil {
		return nil
	}
	for i := range v.Strips {
		for lane := range v.Strips[i].Hexes {
			if h := &v.Strips[i].Hexes[lane]; h.At == at && at != 0 {
				return h
			}
		}
	}
	return nil
}

// topChanged reports whether another Ravager lies on top of a location than before.
func (t *Table) topChanged(n int) bool {
	top := func(v *engine.View) engine.Card {
		if l := v.Locs[n].Ravagers; len(l) > 0 {
			return l[len(l)-1].Card
		}
		return 0
	}
	return t.Before != nil && top(t.View) != top(t.Before)
}

// ahead is how many advances the Black Angel needs to reach Spes; 0 while it is out of sight.
func ahead(v *engine.View) int {
	angel, spes := -1, -1
	for i := range v.Strips {
		for _, h := range v.Strips[i].Hexes {
			if h.At != 0 && h.At == v.BlackAngel {
				angel = i
			}
			if h.Spes {
				spes = i
			}
		}
	}
	if angel < 0 || spes < 0 {
		return 0
	}
	return spes - angel
}

// stackLabel names the tile on top of a stack.
func (t *Table) stackLabel(c engine.Color, tile engine.Tile, left int) string {
	if tile == 0 {
		return t.Say("piece.stack-empty", "color", t.Color(c))
	}
	return t.Say("piece.stack", "color", t.Color(c), "tile", t.TileSide(tile, t.boosted(tile)), "n", max(left-1, 0))
}

func (t *Table) goodsLabel(p *engine.PlayerView) string {
	return t.Say("piece.goods", "ships", t.Goods(engine.Ship, p.Ships), "resources", t.Goods(engine.Resource, p.Resources), "debris", t.Goods(engine.Debris, p.Debris))
}

// crewLabel tells where a player's robots are.
func (t *Table) crewLabel(p *engine.PlayerView) string {
	list := []string{t.Say("piece.break-robots", "n", p.Break)}
	for c, n := range p.Stations {
		list = append(list, t.Say("piece.station", "n", n, "color", t.Color(engine.Color(c))))
	}
	for _, x := range []struct {
		key string
		n   int
	}{{"piece.pilots", p.Pilots}, {"piece.on-missions", p.OnCards}, {"piece.caught", p.Trapped}} {
		if x.n > 0 {
			list = append(list, t.Say(x.key, "n", x.n))
		}
	}
	return strings.Join(list, ", ")
}

// worth is what things are worth to Hal (C6).
func (t *Table) worth() string {
	w := &t.View.Set.Weights
	var list []string
	for _, x := range []struct {
		key string
		n   uint8
	}{{"ship", w.Ship}, {"resource", w.Resource}, {"robot", w.Robot}, {"debris", w.Debris}, {"ravager", w.Ravager}, {"technology", w.Technology}, {"advanced", w.Advanced}} {
		list = append(list, t.Say("piece.worth-"+x.key, "n", int(x.n)))
	}
	return t.List(list)
}

func (t *Table) ejectedList(p *engine.PlayerView) string {
	out := make([]string, len(p.Ejected))
	for i, x := range p.Ejected {
		out[i] = x.String()
		if c := t.TileColor(x); c != "" {
			out[i] += " " + c
		}
	}
	return strings.Join(out, ", ")
}

// missionWord is what a Mission says on itself, as a sentence without its point.
func (t *Table) missionWord(c engine.Card) string {
	return strings.TrimSuffix(words.Sentence(t.CardWord(c)), ".")
}
