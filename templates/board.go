package templates

import (
	"strconv"
	"strings"

	"angelpost/engine"
	"angelpost/engine/component"
	"angelpost/templates/draw"
	"angelpost/templates/words"
)

// board shows Space, the frigate, what is for sale, the reader's own board and hand, and each
// other player in a line. It leaves out what is empty.
func (c *content) board() {
	v := c.sheet.View
	if v == nil || !c.sheet.Message.ShowsBoard() {
		return
	}
	p, first := own(v), len(c.sections)
	s := c.begin(c.Say("board.space"))
	s.add(piece{kind: picture, only: onlyHTML}, piece{kind: pre, only: onlyText, text: draw.Map(v)},
		piece{kind: strips, only: onlyHTML, lines: c.strips()}, piece{kind: prose, only: onlyText, text: c.Say("board.legend", "hal", strconv.FormatBool(v.Options.Hal != engine.NoHal))}, piece{kind: prose, text: c.course()})
	c.fleets(s)
	if missions := spaceMissions(c.Voice, v); len(missions) > 0 {
		s.add(piece{kind: list, only: onlyHTML, lines: missions},
			piece{kind: prose, only: onlyText, text: c.Say("board.missions-all", "list", strings.Join(missions, " "))})
	}

	s = c.begin(c.Say("board.frigate"))
	s.add(piece{kind: prose, text: c.locations(s), spare: true})
	s.say(c.supply())
	c.sale(s)

	if p != nil {
		c.cards(p)
		s = c.begin(c.Say("board.yours"))
		s.say(c.goodsLine(p) + " " + c.diceLine(p) + " " + c.robotsLine(p))
		s.add(piece{kind: grid, only: onlyHTML}, piece{kind: list, only: onlyText, lines: ownRows(c.Voice, p)})
		more := strings.Join(outside(c.Voice, p), " ")
		s.add(piece{kind: prose, only: onlyText, text: strings.TrimSpace(ownColumns(c.Voice, p) + " " + more)},
			piece{kind: prose, only: onlyHTML, text: more})
	}
	s = c.begin(c.Say("board.others"))
	var others []string
	var brief []string
	for i := range v.Players {
		if q := &v.Players[i]; !c.You(q.Seat) {
			others = append(others, c.other(q, true))
			brief = append(brief, c.other(q, false))
		}
	}
	if n := v.Neutral; n != nil && len(n.Dice) > 0 {
		others = append(others, c.Say("letter.neutral-line", "dice", dice(c.Voice, n.Dice)))
		brief = append(brief, others[len(others)-1])
	}
	s.add(piece{kind: list, only: onlyHTML, lines: others}, piece{kind: list, only: onlyText, lines: brief})
	if c.sheet.Message.Answer.Wants("board") { // the text part has every board whole
		for i := range c.sections[first:] {
			for k := range c.sections[first+i].pieces {
				if p := &c.sections[first+i].pieces[k]; p.kind != pre && p.only == both {
					p.only = onlyHTML
				} else if p.kind != pre && p.only == onlyText {
					p.only, p.kind, p.text = onlyHTML, prose, ""
				}
			}
		}
		c.begin(c.Say("board.whole")).add(piece{kind: pre, only: onlyText, text: draw.Text(v, c.Voice)})
	}
	for i := range c.sections[first:] {
		for k := range c.sections[first+i].pieces {
			c.sections[first+i].pieces[k].dense = true
		}
	}
}

// alt is what the picture shows, in two sentences: the letter's text has the rest.
func (c *content) alt() string { return c.Say("board.alt") }

// list adds entries of a list.
func (s *section) list(items []string) {
	if len(items) > 0 {
		s.add(piece{kind: list, lines: items})
	}
}

// strips say what is printed on Space, strip by strip: without the picture nothing else
// in the HTML does.
func (c *content) strips() (out []string) {
	v := c.sheet.View
	for i := range v.Strips {
		var hexes []string
		for _, h := range v.Strips[i].Hexes {
			s := h.At.String()[:1]
			switch {
			case h.Spes:
				s += " Spes"
			case h.Asteroid:
				s += " –"
			default:
				s += " " + c.Color(h.Color)
			}
			if h.Comet && v.Options.Hal != engine.NoHal { // it is Hal's alone (R15.10)
				s += " " + c.Say("board.with-comet")
			}
			if h.Icons > 0 {
				s += " " + c.Say("board.with-icons", "n", h.Icons)
			}
			hexes = append(hexes, s)
		}
		out = append(out, c.Say("board.strip", "strip", v.Strips[i].Number, "list", strings.Join(hexes, ", ")))
	}
	return out
}

// course says where the Black Angel and Spes are.
func (c *content) course() string {
	v := c.sheet.View
	if v.SpesHex != 0 {
		return c.Say("board.spes", "angel", v.BlackAngel.String(), "spes", v.SpesHex.String())
	}
	return c.Say("board.course", "angel", v.BlackAngel.String(), "strip", v.SpesToken)
}

// fleets say where the players' ships are, the reader's with the hexes they touch. The
// map of the text part shows the others'.
func (c *content) fleets(s *section) {
	v := c.sheet.View
	at := map[engine.Seat][]engine.Hex{}
	icons := map[engine.Hex]bool{}
	for i := range v.Strips {
		for _, h := range v.Strips[i].Hexes {
			icons[h.At] = h.Icons > 0
			for _, seat := range h.Ships {
				if n := len(at[seat]); n == 0 || at[seat][n-1] != h.At { // two of one player on a hex
					at[seat] = append(at[seat], h.At)
				}
			}
		}
	}
	var others []string
	for i := range v.Players {
		seat := v.Players[i].Seat
		if hexes := at[seat]; len(hexes) > 0 && !c.You(seat) {
			others = append(others, c.Say("board.fleet", "name", c.Name(seat), "hexes", c.Hexes(hexes)))
		}
	}
	if v.Viewer != 0 {
		for _, h := range at[v.Viewer] {
			near := draw.Touching(v, h)
			var attacks []engine.Hex
			for _, n := range near {
				if icons[n] {
					attacks = append(attacks, n)
				}
			}
			s.say(c.Say("board.your-ship", "hex", h.String(), "near", c.Hexes(near), "n", len(attacks), "icons", c.Hexes(attacks)))
		}
	}
	if len(others) > 0 {
		s.add(piece{kind: prose, only: onlyHTML, text: c.Say("board.fleets", "list", strings.Join(others, "; "))})
	}
}

// spaceMissions are the Mission cards in Space.
func spaceMissions(v *words.Voice, view *engine.View) []string {
	var out []string
	for i := range view.Strips {
		for _, h := range view.Strips[i].Hexes {
			if h.Card != 0 {
				out = append(out, v.Say("board.mission", "hex", h.At.String(), "color", v.Color(h.Card.Color()), "number", h.Card.String(), "owner", v.Who(h.Owner), "you", v.You(h.Owner),
					"effect", v.CardShort(h.Card)))
			}
		}
	}
	return out
}

// locations tells the locations with the Damage and the Ravagers there, and names those
// that have neither.
func (c *content) locations(to *section) (neither string) {
	view := c.sheet.View
	var out, quiet []string
	for n := 1; n <= 6; n++ {
		l := &view.Locs[n]
		if l.Action == component.NoAction {
			continue
		}
		name := c.Say("board.location", "loc", n, "action", c.Action(l.Action), "color", c.Color(l.Color))
		if l.Damage == 0 && len(l.Ravagers) == 0 {
			quiet = append(quiet, name)
			continue
		}
		var state []string
		if l.Damage > 0 {
			state = append(state, c.Say("table.damage", "n", l.Damage))
		}
		if k := len(l.Ravagers); k > 0 {
			top := l.Ravagers[k-1]
			state = append(state, c.Say("board.ravager", "card", top.Card.String(), "effect", c.CardShort(top.Card)))
			var under, robots []string
			for _, r := range l.Ravagers[:k-1] {
				under = append(under, r.Card.String())
			}
			var held [engine.Neutral + 1]int
			for _, r := range l.Ravagers {
				for _, seat := range r.Robots {
					held[seat]++
				}
			}
			for seat, n := range held {
				if n > 0 {
					robots = append(robots, c.Say("board.held-of", "you", c.You(engine.Seat(seat)), "name", c.Who(engine.Seat(seat)), "n", n))
				}
			}
			if len(under) > 0 {
				state = append(state, c.Say("board.under", "cards", c.List(under)))
			}
			if len(robots) > 0 {
				state = append(state, c.Say("board.held", "list", c.List(robots)))
			}
		}
		out = append(out, name+": "+strings.Join(state, "; ")+".")
	}
	to.list(out)
	if len(quiet) == 0 {
		return ""
	}
	return c.Say("board.quiet", "list", strings.Join(quiet, ", "))
}

// supply counts the dice that can be rolled.
func (c *content) supply() string {
	var out []string
	for i, s := range c.sheet.View.Supply {
		out = append(out, c.Say("board.supply-of", "color", c.Color(engine.Color(i)), "n", s.Dice, "damaged", s.Damaged))
	}
	return c.Say("board.supply", "list", strings.Join(out, ", "))
}

// sale tells the tiles one may take, and their costs.
func (c *content) sale(to *section) {
	v := c.sheet.View
	var tiles, advanced []string
	for i, t := range v.Display {
		if t != 0 && i < len(v.Set.Costs) {
			tiles = append(tiles, c.Say("board.tile", "tile", c.tileShort(t, v.Options.Advanced), "cost", int(v.Set.Costs[i])))
		}
	}
	for _, t := range v.Slots {
		if t != 0 {
			advanced = append(advanced, c.tileShort(t, false))
		}
	}
	for _, x := range []struct {
		key   string
		tiles []string
	}{{"board.display", tiles}, {"board.advanced", advanced}} {
		if len(x.tiles) > 0 {
			to.add(piece{kind: prose, only: onlyHTML, text: c.Say(x.key)}, piece{kind: list, only: onlyHTML, lines: x.tiles},
				piece{kind: prose, only: onlyText, text: c.Say(x.key) + " " + strings.Join(x.tiles, "; ") + "."}) // whose lines are few
		}
	}
}

// tileShort is a tile's number, colour and effect.
func (c *content) tileShort(t engine.Tile, boost bool) string { return shortTile(c.Voice, t, boost) }

func shortTile(v *words.Voice, t engine.Tile, boost bool) string {
	s := t.String()
	if color := v.TileColor(t); color != "" {
		s += " " + color
	}
	if effect := v.TileEffect(t, boost); effect != "" {
		s += ": " + effect
	}
	return s
}

// cards tells the cards in the reader's hand: the effect, what placing them earns and the
// tiles they bring.
func (c *content) cards(p *engine.PlayerView) {
	s := c.begin(c.Say("letter.hand"))
	var out []string
	var ravagers []engine.Card
	for _, card := range p.Cards {
		if card.Ravager() {
			ravagers = append(ravagers, card)
			continue
		}
		out = append(out, c.CardLine(card))
	}
	if len(ravagers) > 0 {
		out = append(out, c.RavagerLine(ravagers))
	}
	if len(out) == 0 {
		s.say(c.Say("board.no-cards"))
	}
	s.list(out)
}

func (c *content) diceLine(p *engine.PlayerView) string {
	if len(p.Standard)+len(p.Secure) == 0 {
		return c.Say("board.no-dice")
	}
	all := dice(c.Voice, p.Standard)
	if len(p.Secure) > 0 {
		if all != "" {
			all += "; "
		}
		all += c.Say("letter.reserved", "dice", dice(c.Voice, p.Secure))
	}
	return c.Say("board.dice", "dice", all)
}

func (c *content) robotsLine(p *engine.PlayerView) string {
	return c.Say("board.robots", "break", p.Break, "orange", p.Stations[0], "gray", p.Stations[1], "green", p.Stations[2])
}

// ownRows are the rows of a grid: the card in the row's slot, and the tiles.
func ownRows(v *words.Voice, p *engine.PlayerView) []string {
	var out []string
	for r := range 3 {
		var tiles []string
		for k := range 3 {
			cell := p.Grid[r*3+k]
			if cell.Tile == 0 {
				continue
			}
			s := engine.CellAt(r+1, k+1).String() + " " + shortTile(v, cell.Tile, cell.Boost)
			if cell.Debris {
				s += " (" + v.Say("table.debris") + ")"
			}
			tiles = append(tiles, s)
		}
		if p.Rows[r] != 0 || len(tiles) > 0 {
			s := slot(v, p.Rows[r], "table.row", r)
			if p.Rows[r] != 0 && len(tiles) > 0 {
				s += ";"
			} else if len(tiles) > 0 {
				s += ":"
			}
			out = append(out, strings.TrimSpace(s+" "+strings.Join(tiles, "; "))+".")
		}
	}
	return out
}

// outside tells what has left a grid: Advanced tiles on coloured spaces, ejected tiles and
// tucked cards.
func outside(v *words.Voice, p *engine.PlayerView) (out []string) {
	var spaces, ejected, tucked []string
	for i, t := range p.Spaces {
		if t != 0 {
			spaces = append(spaces, v.Say("letter.spaces-item", "color", v.Color(engine.Color(i)), "tile", shortTile(v, t, false)))
		}
	}
	for _, t := range p.Ejected {
		ejected = append(ejected, shortTile(v, t, false))
	}
	for i, cards := range p.Tucked {
		if len(cards) > 0 {
			tucked = append(tucked, v.Color(engine.Color(i))+" "+numbers(cards))
		}
	}
	for _, x := range []struct {
		key   string
		items []string
	}{{"letter.spaces", spaces}, {"letter.ejected", ejected}, {"letter.tucked", tucked}} {
		if len(x.items) > 0 {
			out = append(out, v.Say(x.key)+": "+strings.Join(x.items, "; ")+".")
		}
	}
	return out
}

// numbers are cards by their numbers.
func numbers(cards []engine.Card) string {
	out := make([]string, len(cards))
	for i, c := range cards {
		out[i] = c.String()
	}
	return strings.Join(out, ", ")
}

// ownColumns are the cards in a player's slots below the columns, "" none.
func ownColumns(v *words.Voice, p *engine.PlayerView) string {
	var out []string
	for i, card := range p.Columns {
		if card != 0 {
			out = append(out, slot(v, card, "table.column", i))
		}
	}
	if len(out) == 0 {
		return ""
	}
	return words.Sentence(strings.Join(out, "; "))
}

// other is a player's goods, hand, dice and tiles in a line, the tiles perhaps by colour.
func (c *content) other(p *engine.PlayerView, colors bool) string {
	view := c.sheet.View
	if isHal(view, p) {
		return words.Sentence(c.Name(p.Seat) + ": " + halText(c.Voice, view, p))
	}
	var has []string
	for _, g := range []struct {
		good engine.Good
		n    int
	}{{engine.Resource, p.Resources}, {engine.Debris, p.Debris}, {engine.Ship, p.Ships}, {engine.Robot, p.Break}} {
		if g.n > 0 {
			has = append(has, c.Goods(g.good, g.n))
		}
	}
	if n := p.Hand[0] + p.Hand[1] + p.Hand[2]; n > 0 {
		has = append(has, c.Say("board.missions", "n", n))
	}
	if p.Ravagers > 0 {
		has = append(has, c.Say("board.ravagers", "n", p.Ravagers))
	}
	diced := ""
	if len(p.Standard)+len(p.Secure) > 0 {
		diced = " " + c.diceLine(p)
	}
	var tiles [4]int // by colour, then Advanced
	for _, cell := range p.Grid {
		switch {
		case cell.Tile == 0:
		case cell.Tile.Advanced():
			tiles[3]++
		case int(cell.Tile) < len(view.Set.Tiles) && view.Set.Tiles[cell.Tile].Color <= engine.Green:
			tiles[view.Set.Tiles[cell.Tile].Color]++
		}
	}
	if !colors {
		return c.Say("board.other-brief", "seat", int(p.Seat), "name", c.Name(p.Seat), "goods", strings.Join(has, ", "), "dice", diced)
	}
	var list []string
	for i, n := range tiles[:3] {
		if n > 0 {
			list = append(list, strconv.Itoa(n)+" "+c.Color(engine.Color(i)))
		}
	}
	if tiles[3] > 0 {
		list = append(list, c.Say("board.tiles-advanced", "n", tiles[3]))
	}
	return c.Say("board.other", "name", c.Name(p.Seat), "goods", strings.Join(has, ", "), "dice", diced,
		"tiles", strings.Join(list, ", "))
}
