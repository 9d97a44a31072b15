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
	if t.comet(h) {
		say("hex-comet")
	}
	if h.Icons > 0 {
		say("hex-ravagers", "n", h.Icons)
	}
	if h.Card != 0 {
		say("hex-card", "card", t.CardName(h.Card), "owner", t.Name(h.Owner), "you", t.You(h.Owner), "effect", t.CardShort(h.Card))
	}
	for _, s := range h.Ships {
		say("hex-ship", "owner", t.Name(s), "you", t.You(s))
	}
	if t.hexChanged(h) != "" {
		say("changed")
	}
	return t.Say("piece.hex", "hex", h.At.String(), "list", strings.Join(list, ", "))
}

// roomLabel names a location, its Damage and what a Ravager does there.
func (t *Table) roomLabel(n int) string {
	l := &t.View.Locs[n]
	state := []string{t.Say("piece.room-well")}
	if l.Damage > 0 {
		state[0] = t.Say("piece.room-damage", "n", l.Damage)
	}
	if k := len(l.Ravagers); k > 0 {
		top := l.Ravagers[k-1].Card
		state = append(state, t.Say("piece.room-top", "card", top.String(), "effect", t.CardShort(top)))
	}
	return t.Say("piece.room", "n", n, "action", t.Action(l.Action), "color", t.Color(l.Color), "does", t.Location(t.View.Set, n), "state", strings.Join(state, " "))
}

// trapLabel names a Ravager card at a location, and whose robots are caught on it.
func (t *Table) trapLabel(r engine.TrapView, top bool) string {
	key := "piece.ravager-below"
	if top {
		key = "piece.ravager-top"
	}
	return t.Say(key, "card", t.CardName(r.Card), "effect", t.CardWord(r.Card), "caught", len(r.Robots) > 0, "names", t.Whose(r.Robots))
}

// cardLabel names a card and all that is printed on it.
func (t *Table) cardLabel(c engine.Card) string {
	name, text := words.Heading(t.CardName(c)), t.CardText(c)
	if text == "" {
		return words.Sentence(name)
	}
	return t.Say("piece.card-mission", "card", name, "text", text)
}

// slotLabel names a slot next to or below a grid, and the card in it.
func (t *Table) slotLabel(kind string, i int, c engine.Card) string {
	slot := words.Heading(t.Say("piece."+kind, "n", i+1))
	if c == 0 {
		return t.Say("piece.slot-empty", "slot", slot)
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

// displayLabel names a tile for sale on space i, from 0, of the display.
func (t *Table) displayLabel(i int, tile engine.Tile) string {
	return t.Say("piece.display-tile", "place", i+1, "tile", t.TileSide(tile, t.boosted(tile)), "n", t.cost(i))
}

// advancedLabel names the Advanced tile in slot i, from 0.
func (t *Table) advancedLabel(i int, tile engine.Tile) string {
	return t.Say("piece.advanced-tile", "place", i+1, "tile", t.TileSide(tile, false), "n", advancedCost)
}

func (t *Table) dieLabel(s engine.Seat, d engine.DieView, reserved bool) string {
	if s == engine.Neutral {
		return t.Say("piece.neutral-die", "die", t.Die(d.Color, d.Value))
	}
	return t.Say("piece.die", "die", t.Die(d.Color, d.Value), "reserved", reserved)
}

// boosted reports whether a tile of display or stack is boost side up (R2.3).
func (t *Table) boosted(tile engine.Tile) bool {
	return t.View.Options.Advanced && tile != 0 && !tile.Advanced()
}

// advancedCost is what an Advanced tile costs (R5.1).
const advancedCost = 2

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

// topChanged reports whether the top Ravager of a location is another than before.
func (t *Table) topChanged(n int) bool {
	top := func(v *engine.View) engine.Card {
		if l := v.Locs[n].Ravagers; len(l) > 0 {
			return l[len(l)-1].Card
		}
		return 0
	}
	return t.Before != nil && top(t.View) != top(t.Before)
}

// stackLabel names the tile on top of a stack.
func (t *Table) stackLabel(c engine.Color, tile engine.Tile, pile engine.DeckView) string {
	if tile == 0 {
		return t.Say("piece.stack-empty", "color", t.Color(c), "used", pile.Discarded)
	}
	return t.Say("piece.stack", "tile", t.TileSide(tile, t.boosted(tile)), "n", max(pile.Left-1, 0), "used", pile.Discarded)
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
	}{{"piece.supply-robots", p.RobotSupply}, {"piece.pilots", p.Pilots}, {"piece.on-missions", p.OnCards}, {"piece.caught", p.Trapped}} {
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

// ejectedCodes are the tiles' numbers and colours.
func (t *Table) ejectedCodes(p *engine.PlayerView) string {
	out := make([]string, len(p.Ejected))
	for i, x := range p.Ejected {
		out[i] = strings.TrimSuffix(x.String()+" "+t.TileColor(x), " ")
	}
	return strings.Join(out, ", ")
}

// spaceLabel names the Advanced tile on a scoring space.
func (t *Table) spaceLabel(p *engine.PlayerView, c engine.Color) string {
	return t.Say("piece.space-tile", "color", t.Color(c), "tile", t.TileText(p.Spaces[c]))
}

// ejectedList are their names.
func (t *Table) ejectedList(p *engine.PlayerView) string {
	out := make([]string, len(p.Ejected))
	for i, x := range p.Ejected {
		out[i] = t.TileName(x)
	}
	return strings.Join(out, ", ")
}

// missionWord is what a Mission says on itself, as a heading.
func (t *Table) missionWord(c engine.Card) string {
	return words.Heading(t.CardWord(c))
}

// tuckedLabel names the cards under a scoring space.
func (t *Table) tuckedLabel(p *engine.PlayerView, c engine.Color) string {
	cards := p.Tucked[c]
	out := make([]string, len(cards))
	for i, x := range cards {
		out[i] = t.CardName(x)
	}
	return t.Say("piece.tucked", "n", len(cards), "color", t.Color(c), "cards", t.List(out))
}

// inUse describes what the player does with the die in use, as everyone sees it; "" if there is
// none.
func (t *Table) inUse() string {
	v := t.View
	if v.Die.Color > engine.Green {
		return ""
	}
	list := []string{t.Die(v.Die.Color, v.Die.Value)}
	say := func(key string, kv ...any) { list = append(list, t.Say(key, kv...)) }
	if v.Acting != 0 {
		say("piece.in-use-room", "n", int(v.Acting))
	}
	if v.Using != 0 {
		say("piece.in-use-card", "card", t.CardName(v.Using))
	}
	if v.Ship != 0 {
		say("piece.in-use-ship", "hex", v.Ship.String())
	}
	if v.Left > 0 {
		say("piece.in-use-left", "n", v.Left)
	}
	if len(v.ToInject) > 0 {
		tiles := make([]string, len(v.ToInject))
		for i, x := range v.ToInject {
			tiles[i] = t.TileName(x)
		}
		say("piece.in-use-inject", "tiles", t.List(tiles))
	}
	return t.Say("piece.in-use", "list", strings.Join(list, ", "))
}

// named returns the name of a link: what touching the piece does, and what the piece is if that
// does not say it.
func named(does, piece string) string {
	if strings.Contains(strings.ToLower(does), strings.ToLower(piece)) {
		return does
	}
	return words.Sentence(does) + " " + words.Sentence(piece)
}
