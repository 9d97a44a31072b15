package words

import (
	"strings"
	"sync"

	"angelpost/engine"
	"angelpost/engine/component"
)

// Goods of Mission cards by colour (section 10): X, the second ones of M3 and M4, the price Y,
// what M9-M11 pay in addition, and M14's other two.
var (
	goodX = [3]engine.Good{engine.Ship, engine.Resource, engine.Robot}
	goodB = [3]engine.Good{engine.Resource, engine.Ship, engine.Resource}
	goodC = [3]engine.Good{engine.Robot, engine.Robot, engine.Ship}
	price = [3]string{"good.technology", "good.debris", "good.ravager"}
	third = [3]engine.Good{engine.Resource, engine.Robot, engine.Ship}
	rests = [3][2]engine.Good{{engine.Resource, engine.Robot}, {engine.Ship, engine.Robot}, {engine.Ship, engine.Resource}}
)

// CardName is a card as one names it: "orange Mission 013", "a Ravager card".
func (v *Voice) CardName(c engine.Card) string {
	switch {
	case c == 0:
		return v.Say("term.none")
	case c == engine.BackRavager:
		return v.Say("card.back-ravager")
	case c.Hidden():
		return v.Say("card.back", "color", v.Color(c.Color()), "vowel", c.Color() == engine.Orange)
	case c.Ravager():
		return v.Say("card.ravager", "number", c.String())
	}
	return v.Say("card.mission", "number", c.String(), "color", v.Color(c.Color()))
}

// Card is what a Mission or Ravager card does, in a few words, without
// reward and tile colours (draw.Words); "" for backs.
func (v *Voice) Card(set *component.Set, c engine.Card) string {
	switch {
	case set == nil || c == 0 || c > component.LastRaider:
		return ""
	case c.Ravager():
		return v.ravager(set.Ravagers[c])
	}
	return v.mission(set.Missions[c])
}

func (v *Voice) mission(m component.Mission) string { return v.missionSaid(m, false) }

// missionSaid is what a Mission does; short is in fewer words, where there are any.
func (v *Voice) missionSaid(m component.Mission, short bool) string {
	if m.Kind < 1 || m.Kind > 20 || m.Color > component.Green {
		return ""
	}
	c, x := m.Color, goodX[m.Color]
	args := func(name string) (any, bool) {
		switch name {
		case "x":
			return v.Goods(x, 1), true
		case "x2":
			return v.Goods(x, 2), true
		case "x3":
			return v.Goods(x, 3), true
		case "y":
			return v.Say(price[c], "n", 1), true
		case "y2":
			return v.Say(price[c], "n", 2), true
		case "a", "b":
			var pair [2]engine.Good
			switch m.Kind {
			case 3:
				pair = [2]engine.Good{goodX[c], goodB[c]}
			case 4:
				pair = [2]engine.Good{goodX[c], goodC[c]}
			case 14:
				pair = rests[c]
			case 9, 10, 11:
				pair[0] = third[m.Kind-9]
			}
			if name == "a" {
				return v.Goods(pair[0], 1), true
			}
			return v.Goods(pair[1], 1), true
		case "other":
			return v.Color(c.Others()[(m.Kind-17)%2]), true
		}
		return nil, false
	}
	if short && !m.Activation() {
		return v.SayArgs("mission.s"+itoa(int(m.Kind)), args)
	}
	return v.SayArgs(missionKeys[m.Kind], args)
}

var missionKeys = func() (k [21]string) {
	for i := range k {
		k[i] = "mission.m" + itoa(i)
	}
	return k
}()

func (v *Voice) ravager(r component.Ravager) string {
	if r.Effect < 1 || r.Effect > 5 {
		return ""
	}
	return v.Say("ravager.v"+itoa(int(r.Effect)), "next", int(r.Location)%6+1,
		"color", v.Color(r.Die), "vowel", r.Die == engine.Orange)
}

// CardText explains a card to a reader without the box: what it does, what
// placing it earns, the tiles it brings.
func (v *Voice) CardText(c engine.Card) string {
	return v.printed(printKey{card: c}, func() string { return v.cardText(c) })
}

func (v *Voice) cardText(c engine.Card) string {
	effect := v.Card(v.set, c)
	switch {
	case effect == "":
		return ""
	case c.Ravager():
		return v.Say("card.explain-ravager", "loc", int(v.set.Ravagers[c].Location), "effect", effect)
	}
	m := v.set.Missions[c]
	key := "card.explain-neutralization"
	if m.Activation() {
		key = "card.explain-activation"
	}
	return v.Say(key, "color", v.Color(m.Color), "vowel", m.Color == engine.Orange, "effect", effect) + " " +
		v.Say("card.explain-reward", "reward", v.Reward(m.Reward), "tiles", v.tileColors(m))
}

// tileColors are the colours of the tiles that a Mission brings.
func (v *Voice) tileColors(m component.Mission) string {
	tiles := v.Color(m.Tiles[0])
	if m.Tiles[1] <= component.Green {
		tiles = v.Say("term.and", "a", tiles, "b", v.Color(m.Tiles[1]))
	}
	return tiles
}

// CardLine is a Mission card of the hand in a line: its number and colour, what it does,
// what placing it earns, the tiles it brings.
func (v *Voice) CardLine(c engine.Card) string {
	effect := v.Card(v.set, c)
	if effect == "" || c.Ravager() {
		return Sentence(v.CardName(c))
	}
	m := v.set.Missions[c]
	key := "card.line-neutralization"
	if m.Activation() {
		key = "card.line-activation"
	}
	return v.Say(key, "number", c.String(), "color", v.Color(m.Color), "effect", v.missionSaid(m, true),
		"reward", v.Reward(m.Reward), "tiles", v.Say("card.line-tiles", "tiles", v.tileColors(m)))
}

// RavagerLine is the same of the Ravager cards of a hand, whose numbers alone differ.
func (v *Voice) RavagerLine(cards []engine.Card) string {
	numbers := make([]string, len(cards))
	for i, c := range cards {
		numbers[i] = c.String()
	}
	return v.Say("card.line-ravagers", "n", len(cards), "numbers", v.List(numbers))
}

// CardShort is what a card in Space or on top at a location does, in fewer words than
// Card.
func (v *Voice) CardShort(c engine.Card) string {
	return v.printed(printKey{card: c, short: true}, func() string { return v.cardShort(c) })
}

func (v *Voice) cardShort(c engine.Card) string {
	effect := v.Card(v.set, c)
	switch {
	case effect == "":
		return ""
	case c.Ravager():
		r := v.set.Ravagers[c]
		return v.Say("ravager.s"+itoa(int(r.Effect)), "next", int(r.Location)%6+1, "color", v.Color(r.Die), "vowel", r.Die == engine.Orange)
	case v.set.Missions[c].Activation():
		return effect
	}
	return v.Say("card.short-neutralization", "effect", v.missionSaid(v.set.Missions[c], true))
}

// CardWord is what a card says on itself: what a Mission does each time, or what a
// Ravager on top of a location does before the action there.
func (v *Voice) CardWord(c engine.Card) string {
	switch {
	case c == 0 || c > component.LastRaider:
		return ""
	case c.Ravager():
		r := v.set.Ravagers[c]
		if r.Effect < 1 || r.Effect > 5 {
			return ""
		}
		return v.Say("piece.trap-"+itoa(int(r.Effect)), "next", int(r.Location)%6+1, "color", v.Color(r.Die), "vowel", r.Die == engine.Orange)
	}
	return v.missionSaid(v.set.Missions[c], true)
}

// TileWord is what a tile does, in a word or two; boost means that its boost side is up.
func (v *Voice) TileWord(t engine.Tile, boost bool) string {
	if t.Advanced() {
		if k := v.set.Advanced[t-engine.FirstAdvanced+1]; k >= 1 && k <= 8 {
			return v.Say("tile-word.k" + itoa(int(k)))
		}
		return ""
	}
	k := v.tile(t)
	switch {
	case k.Color > component.Green:
		return ""
	case boost && k.Boost >= 1 && k.Boost <= 4:
		return v.Say("tile-word.b"+itoa(int(k.Boost)), "color", v.Color(k.For), "action", v.Action(k.Action))
	case k.Effect == component.Start:
		return v.Say("tile-word.start-" + k.Color.String())
	case k.Effect > component.Td:
		return ""
	}
	return v.Say(wordKeys[k.Color][k.Effect])
}

// wordKeys are tileKeys for the tile itself.
var wordKeys = func() (k [3][4]string) {
	for c := range k {
		for e := range k[c] {
			k[c][e] = "tile-word" + strings.TrimPrefix(tileKeys[c][e], "tile")
		}
	}
	return k
}()

// Reward is what placing a Mission earns.
func (v *Voice) Reward(r component.Reward) string {
	var out []string
	for _, g := range []struct {
		good engine.Good
		n    uint8
	}{{engine.VP, r.VP}, {engine.Ship, r.Ships}, {engine.Resource, r.Resources}, {engine.Robot, r.Robots}} {
		if g.n > 0 {
			out = append(out, v.Goods(g.good, int(g.n)))
		}
	}
	return v.List(out)
}

// TileName is a tile as one names it: "gray tile t12", "Advanced tile a4".
func (v *Voice) TileName(t engine.Tile) string {
	switch {
	case t == 0:
		return v.Say("term.none")
	case t.Advanced():
		return v.Say("tile.advanced", "number", t.String())
	}
	return v.Say("tile.technology", "number", t.String(), "color", v.Color(v.tile(t).Color))
}

// tile is the print of a Technology tile.
func (v *Voice) tile(t engine.Tile) component.Tile {
	if t < 1 || int(t) >= len(v.set.Tiles) {
		return component.Tile{Color: component.None}
	}
	return v.set.Tiles[t]
}

var tileKeys = [3][4]string{
	{"tile.ta", "tile.tb-orange", "tile.tc-orange", "tile.td-orange"},
	{"tile.ta", "tile.tb-gray", "tile.tc-gray", "tile.td-gray"},
	{"tile.ta", "tile.tb-green", "tile.tc-green", "tile.td-green"},
}

// Tile is what a tile does, in a few words (draw.Words).
func (v *Voice) Tile(set *component.Set, t engine.Tile) string {
	switch {
	case set == nil || t == 0 || t > engine.LastTile:
		return ""
	case t.Advanced():
		if k := set.Advanced[t-engine.FirstAdvanced+1]; k >= 1 && k <= 8 {
			return v.Advanced(k)
		}
		return ""
	}
	k := set.Tiles[t]
	switch {
	case k.Color > component.Green:
		return ""
	case k.Effect == component.Start:
		return v.Say("term.or", "a", v.Say(tileKeys[k.Color][component.Tb]), "b", v.Say(tileKeys[k.Color][component.Tc]))
	case k.Effect > component.Td:
		return ""
	}
	return v.Say(tileKeys[k.Color][k.Effect])
}

// Advanced is what the Advanced tiles of a kind (1-8, K1-K8) score.
func (v *Voice) Advanced(kind uint8) string { return v.Say("advanced.k" + itoa(int(kind))) }

// Boost is the boost printed on the other side of a Technology tile; "" if it
// has none.
func (v *Voice) Boost(t engine.Tile) string {
	k := v.tile(t)
	if k.Boost < 1 || k.Boost > 4 {
		return ""
	}
	return v.Say("tile.b"+itoa(int(k.Boost)), "color", v.Color(k.For), "vowel", k.For == engine.Orange,
		"action", v.Action(k.Action))
}

// BoostSide is what the boost side of a Technology tile does, and its other
// side, in a few words (draw.Words).
func (v *Voice) BoostSide(set *component.Set, t engine.Tile) string {
	boost := v.Boost(t)
	if set == nil || boost == "" {
		return v.Tile(set, t)
	}
	return v.Say("tile.boost", "boost", boost, "effect", v.Tile(set, t))
}

// TileColor is the word for a Technology tile's colour, "" for other tiles.
func (v *Voice) TileColor(t engine.Tile) string {
	if k := v.tile(t); k.Color <= component.Green {
		return v.Color(k.Color)
	}
	return ""
}

// TileEffect is what a tile does, in fewer words than Tile; boost means that its boost side may
// be up: then it describes both sides.
func (v *Voice) TileEffect(t engine.Tile, boost bool) string {
	if t.Advanced() {
		if v.Tile(v.set, t) == "" {
			return ""
		}
		return v.Say("tile-short.k" + itoa(int(v.set.Advanced[t-engine.FirstAdvanced+1])))
	}
	k := v.tile(t)
	effect := ""
	switch {
	case k.Color > component.Green || k.Effect > component.Td && k.Effect != component.Start:
		return ""
	case k.Effect == component.Start:
		effect = v.Say("term.or", "a", v.Say(shortKeys[k.Color][component.Tb]), "b", v.Say(shortKeys[k.Color][component.Tc]))
	default:
		effect = v.Say(shortKeys[k.Color][k.Effect])
	}
	if boost && k.Boost >= 1 && k.Boost <= 4 {
		return v.Say("tile-short.boost", "boost", v.Say("tile-short.b"+itoa(int(k.Boost)), "color", v.Color(k.For), "action", v.Action(k.Action)), "effect", effect)
	}
	return effect
}

// shortKeys are tileKeys in fewer words.
var shortKeys = func() (k [3][4]string) {
	for c := range k {
		for e := range k[c] {
			k[c][e] = "tile-short" + strings.TrimPrefix(tileKeys[c][e], "tile")
		}
	}
	return k
}()

// TileText names a tile and explains it.
func (v *Voice) TileText(t engine.Tile) string { return v.TileSide(t, false) }

// TileSide is TileText of a tile that may lie boost side up (R14.1): it
// explains both sides.
func (v *Voice) TileSide(t engine.Tile, boost bool) string {
	return v.printed(printKey{tile: t, boost: boost}, func() string {
		s, e := v.TileName(t), v.Tile(v.set, t)
		if boost {
			e = v.BoostSide(v.set, t)
		}
		if e != "" {
			s += " (" + e + ")"
		}
		return s
	})
}

// A printKey is what a text about a print depends on besides the set and the catalogue.
type printKey struct {
	words *Catalogue
	set   *component.Set
	card  engine.Card
	short bool // of the card
	tile  engine.Tile
	boost bool // of the tile
}

// prints are texts about cards and tiles. Catalogues and component sets are read
// once, when the server starts.
var prints sync.Map // printKey -> string

// printed is what say says, once for each print.
func (v *Voice) printed(key printKey, say func() string) string {
	key.words, key.set = v.Catalogue, v.set
	if s, ok := prints.Load(key); ok {
		return s.(string)
	}
	s := say()
	prints.Store(key, s)
	return s
}

// Location is what one does at location n, in a few words.
func (v *Voice) Location(set *component.Set, n int) string {
	if set == nil || n < 1 || n > 6 || set.Locs[n].Action == component.NoAction {
		return ""
	}
	return v.Say("action-does." + set.Locs[n].Action.String())
}

// Player is a seat's name (draw.Words).
func (v *Voice) Player(seat engine.Seat) string {
	if seat < 1 || seat > engine.MaxPlayers {
		return ""
	}
	return v.names[seat]
}

// Half is a half of a Hal card in words: "gray repair, from 1 to 6".
func (v *Voice) Half(card, half int) string {
	if card < 1 || card > len(v.set.Hal) || half < 0 || half > 1 {
		return ""
	}
	h := v.set.Hal[card-1][half]
	text := v.Say("hal.half", "color", v.Color(h.Color), "action", v.Action(h.Action))
	key := ""
	switch {
	case h.Action == component.Discover && h.Mod:
		key = "hal.tiles-only"
	case h.Action == component.Discover:
		key = "hal.advanced-first"
	case h.Action == component.Command || h.Action == component.NoAction:
		return text
	case h.Mod:
		key = "hal.down"
	default:
		key = "hal.up"
	}
	return text + ", " + v.Say(key)
}

// HalWhy is why Hal gains vp, for which reason of the rules and how many things.
func (v *Voice) HalWhy(reason uint8, n, vp int) string {
	if reason < 1 || reason >= engine.HalReasons {
		return ""
	}
	goods := [...]engine.Good{engine.HalShip: engine.Ship, engine.HalResource: engine.Resource, engine.HalRobot: engine.Robot, engine.HalDebris: engine.Debris}
	what := ""
	if int(reason) < len(goods) {
		what = v.Goods(goods[reason], n)
	}
	why := v.Say("hal."+itoa(int(reason)), "n", n, "goods", what)
	if reason <= engine.HalAdvanced && n > 0 {
		why = v.Say("hal.worth", "why", why, "n", n, "each", vp/n)
	}
	return why
}

// Pile is a deck's name.
func (v *Voice) Pile(p engine.Pile) string {
	if p >= engine.Piles {
		return v.Say("term.none")
	}
	return v.Say(pileKeys[p])
}

var pileKeys = [engine.Piles]string{
	"pile.orange", "pile.gray", "pile.green", "pile.ravager",
	"pile.technology-orange", "pile.technology-gray", "pile.technology-green", "pile.hal",
}

func tileList(v *Voice, tiles []engine.Tile) string {
	var out []string
	for _, t := range tiles {
		if t != 0 {
			out = append(out, v.TileName(t))
		}
	}
	return v.List(out)
}

func locList(v *Voice, locs uint8) (string, int) {
	var out []string
	for n := range 6 {
		if locs>>n&1 == 1 {
			out = append(out, itoa(n+1))
		}
	}
	return v.List(out), len(out)
}

// itoa for the small numbers of keys.
func itoa(n int) string {
	if n >= 0 && n < 10 {
		return string(rune('0' + n))
	}
	return itoa(n/10) + string(rune('0'+n%10))
}
