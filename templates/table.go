package templates

import (
	"strings"

	"github.com/a-h/templ"

	"angelpost/engine"
	"angelpost/engine/component"
	"angelpost/templates/draw"
	"angelpost/templates/markup"
	"angelpost/templates/words"
)

// dice are dice as words: "orange 2, gray star".
func dice(v *words.Voice, d []engine.DieView) string {
	out := make([]string, len(d))
	for i, x := range d {
		out[i] = v.Die(x.Color, x.Value)
	}
	return strings.Join(out, ", ")
}

// playerText is a player's goods, hand and dice in one line.
func playerText(v *words.Voice, view *engine.View, p *engine.PlayerView) string {
	if isHal(view, p) {
		return halText(v, view, p)
	}
	all := dice(v, p.Standard)
	if len(p.Secure) > 0 {
		all = strings.TrimPrefix(all+"; "+v.Say("letter.reserved", "dice", dice(v, p.Secure)), "; ")
	}
	if all == "" {
		all = v.Say("letter.no-dice")
	}
	return v.Say("letter.other-line", "vp", p.VP, "resources", v.Goods(engine.Resource, p.Resources),
		"debris", v.Goods(engine.Debris, p.Debris), "ships", v.Goods(engine.Ship, p.Ships),
		"orange", p.Hand[0], "gray", p.Hand[1], "green", p.Hand[2], "ravagers", p.Ravagers, "robots", p.Break, "dice", all)
}

// isHal reports whether a seat is Hal's, who has no board, hand or goods (R15.1).
func isHal(view *engine.View, p *engine.PlayerView) bool {
	return view.Options.Hal != engine.NoHal && p.Seat == engine.Hal
}

// halText is what Hal has: VP, robots, dice, cards.
func halText(v *words.Voice, view *engine.View, p *engine.PlayerView) string {
	all := dice(v, p.Standard)
	if all == "" {
		all = v.Say("letter.no-dice")
	}
	d := view.Decks[engine.PileHal]
	w := &view.Set.Weights
	return v.Say("letter.hal-line", "vp", p.VP, "dice", all, "orange", p.Stations[0], "gray", p.Stations[1], "green", p.Stations[2],
		"cards", p.OnCards, "left", d.Left, "discarded", d.Discarded) + " " +
		v.Say("letter.hal-worth", "ship", int(w.Ship), "resource", int(w.Resource), "robot", int(w.Robot), "debris", int(w.Debris),
			"ravager", int(w.Ravager), "technology", int(w.Technology), "advanced", int(w.Advanced))
}

// tiles are the tiles of a player's grid, cell by cell.
func tiles(v *words.Voice, p *engine.PlayerView) []string {
	var out []string
	for i, c := range p.Grid {
		if c.Tile == 0 {
			continue
		}
		s := engine.Cell(i+1).String() + ": " + v.TileSide(c.Tile, c.Boost)
		if c.Debris {
			s += ", " + v.Say("table.debris")
		}
		out = append(out, s)
	}
	return out
}

// hand tells the cards of the reader's hand, with all that is printed on them.
func hand(v *words.Voice, p *engine.PlayerView) []string {
	var out []string
	for _, c := range p.Cards {
		out = append(out, v.Say("piece.card-mission", "card", words.Heading(v.CardName(c)), "text", v.CardText(c)))
	}
	return out
}

// onBoard lists what is on, at and next to a player's grid.
func onBoard(v *words.Voice, p *engine.PlayerView) []string {
	out := tiles(v, p)
	for _, side := range []struct {
		key   string
		cards [3]engine.Card
	}{{"piece.row", p.Rows}, {"piece.column", p.Columns}} {
		for i, c := range side.cards {
			if c != 0 {
				out = append(out, v.Say("piece.slot-card", "slot", v.Say(side.key, "n", i+1), "card", v.CardName(c)))
			}
		}
	}
	return append(out, beside(v, p)...)
}

// inAll tells a player's goods, dice and robots.
func (p *Page) inAll(q *engine.PlayerView) []string {
	out := []string{playerText(p.Voice, p.View, q)}
	if !isHal(p.View, q) {
		out = append(out, robots(p.Voice, q))
	}
	return out
}

// wordList is a list of such texts below its name; nothing if it is empty.
func wordList(title string, items [][]passage) templ.Component {
	return markup.Component(func(b []byte) []byte {
		if len(items) == 0 {
			return b
		}
		b = append(markup.Text(append(b, `<h3>`...), title), `</h3><ul>`...)
		for _, i := range items {
			b = append(appendLinked(append(b, `<li>`...), i), `</li>`...)
		}
		return append(b, `</ul>`...)
	})
}

// linked parts texts where they name cards and tiles, which lead to their explanations;
// with hexes, a4 is a hex. Only the pieces of the built-in set are explained.
func (p *Page) linked(texts []string, hexes bool) [][]passage {
	if p.View.Set.Name != component.DefaultName {
		return plain(texts)
	}
	out := make([][]passage, len(texts))
	for i, s := range texts {
		out[i] = passages(s, true)
		for k := range out[i] {
			if x := &out[i][k]; hexes && strings.HasPrefix(x.text, "a") {
				x.href = ""
			}
		}
	}
	return out
}

func plain(texts []string) [][]passage {
	out := make([][]passage, len(texts))
	for i, s := range texts {
		out[i] = []passage{{text: s}}
	}
	return out
}

// robots tells where a player's robots are.
func robots(v *words.Voice, p *engine.PlayerView) string {
	s := v.Say("letter.robots", "break", p.Break, "orange", p.Stations[0], "gray", p.Stations[1], "green", p.Stations[2], "supply", p.RobotSupply)
	if p.Pilots+p.OnCards+p.Trapped > 0 {
		s += " " + v.Say("letter.robots-away", "pilots", p.Pilots, "cards", p.OnCards, "trapped", p.Trapped)
	}
	return s
}

// missions are the Mission cards in Space, in words.
func missions(v *words.Voice, view *engine.View) []string {
	var out []string
	for i := range view.Strips {
		for _, h := range view.Strips[i].Hexes {
			if h.Card == 0 {
				continue
			}
			s := v.Say("table.mission", "hex", h.At.String(), "card", v.CardName(h.Card), "owner", v.Who(h.Owner),
				"effect", words.Sentence(v.Card(view.Set, h.Card)))
			if len(h.Ships) > 0 {
				s += " " + words.Sentence(v.Say("table.ships", "names", v.Whose(h.Ships)))
			}
			out = append(out, s)
		}
	}
	return out
}

// frigate tells the six locations.
func frigate(v *words.Voice, view *engine.View) []string {
	var out []string
	for n := 1; n <= 6; n++ {
		l := &view.Locs[n]
		if l.Action == component.NoAction {
			continue
		}
		var state []string
		if l.Damage > 0 {
			state = append(state, v.Say("table.damage", "n", l.Damage))
		}
		if k := len(l.Ravagers); k > 0 {
			top := l.Ravagers[k-1].Card
			state = append(state, v.Say("table.ravagers", "n", k, "card", top.String(), "effect", v.Card(view.Set, top)))
		}
		if len(state) == 0 {
			state = append(state, v.Say("table.quiet"))
		}
		out = append(out, v.Say("table.location", "loc", n, "action", v.Action(l.Action), "color", v.Color(l.Color),
			"does", v.Location(view.Set, n), "state", words.Sentence(strings.Join(state, "; "))))
	}
	return out
}

// neighbours lists for each hex the hexes that it touches (rule C1). That depends only on where
// the first strip is and how many there are, so it is cached.
func neighbours(v *words.Voice, view *engine.View) templ.Component {
	if len(view.Strips) == 0 {
		return templ.NopComponent
	}
	key := mapKey{v.Catalogue, view.Strips[0].Hexes[0].At, len(view.Strips)}
	return markup.Kept(key, func() templ.Component {
		var out []string
		for i := range view.Strips {
			for _, h := range view.Strips[i].Hexes {
				near := draw.Touching(view, h.At)
				list := make([]string, len(near))
				for k, n := range near {
					list[k] = n.String()
				}
				out = append(out, v.Say("piece.touching", "hex", h.At.String(), "list", v.List(list)))
			}
		}
		return wordList(v.Say("piece.map"), plain(out))
	})
}

// A mapKey is what the names of all hexes depend on.
type mapKey struct {
	words *words.Catalogue
	first engine.Hex
	size  int
}

// shop tells the tiles one may take, and their costs.
func shop(v *words.Voice, view *engine.View) []string {
	var out []string
	for i, t := range view.Display {
		if t != 0 && i < len(view.Set.Costs) {
			out = append(out, v.Say("table.tile", "tile", v.TileSide(t, view.Options.Advanced), "cost", int(view.Set.Costs[i])))
		}
	}
	for _, t := range view.Slots {
		if t != 0 {
			out = append(out, v.Say("table.tile", "tile", v.TileText(t), "cost", 2))
		}
	}
	return out
}

// A gridRow is a row of a player's grid with the slot at its left.
type gridRow struct {
	Slot  string
	Cells [3]gridCell
}

type gridCell struct {
	Name  string // "t12 orange"
	Color string // "" for Advanced and empty ones
	Text  string // what it does, and Debris on it
}

func gridOf(v *words.Voice, set *component.Set, p *engine.PlayerView) (rows [3]gridRow, below [3]string) {
	for r := range 3 {
		rows[r].Slot = slot(v, p.Rows[r], "table.row", r)
		below[r] = slot(v, p.Columns[r], "table.column", r)
		for k := range 3 {
			cell := p.Grid[r*3+k]
			g := gridCell{}
			if cell.Tile != 0 {
				g = gridCell{Name: cell.Tile.String(), Text: v.TileEffect(cell.Tile, cell.Boost)}
				if !cell.Tile.Advanced() && int(cell.Tile) < len(set.Tiles) {
					g.Color = set.Tiles[cell.Tile].Color.String()
					g.Name += " " + v.TileColor(cell.Tile)
				}
				if cell.Debris {
					g.Text += "; " + v.Say("table.debris")
				}
			}
			rows[r].Cells[k] = g
		}
	}
	return rows, below
}

func slot(v *words.Voice, card engine.Card, key string, n int) string {
	s := v.Say(key, "n", n+1)
	if card != 0 {
		return s + ": " + v.CardName(card)
	}
	return s
}

// `beside` lists what is next to a player's grid: coloured spaces, ejected tiles, tucked cards.
func beside(v *words.Voice, p *engine.PlayerView) []string {
	var out []string
	var spaces, ejected, tucked []string
	for i, t := range p.Spaces {
		if t != 0 {
			spaces = append(spaces, v.Say("letter.spaces-item", "color", v.Color(engine.Color(i)), "tile", v.TileText(t)))
		}
	}
	for _, t := range p.Ejected {
		ejected = append(ejected, v.TileText(t))
	}
	for _, cards := range p.Tucked {
		for _, card := range cards {
			tucked = append(tucked, v.CardName(card))
		}
	}
	for _, x := range []struct {
		key   string
		items []string
	}{{"letter.spaces", spaces}, {"letter.ejected", ejected}, {"letter.tucked", tucked}} {
		if len(x.items) > 0 {
			out = append(out, v.Say(x.key)+": "+strings.Join(x.items, ", ")+".")
		}
	}
	return out
}

// tileColor is a pale ground of a colour, on which dark text is legible.
func tileColor(color string) string {
	switch color {
	case "orange":
		return "#ffe3c7"
	case "gray":
		return "#e4e8ee"
	case "green":
		return "#d3f0df"
	}
	return "transparent"
}

func tileClass(color string) string {
	switch color {
	case "orange":
		return "t0"
	case "gray":
		return "t1"
	case "green":
		return "t2"
	}
	return "t"
}

// A scoreRow is what every player has from one source.
type scoreRow struct {
	Name string
	VP   []int
}

// scoreRows are the sources that gave anyone anything.
func scoreRows(v *words.Voice, view *engine.View) []scoreRow {
	var out []scoreRow
	for s := range engine.Sources {
		row, any := scoreRow{Name: v.Say("source." + s.String())}, false
		for _, p := range view.Players {
			row.VP = append(row.VP, p.By[s])
			any = any || p.By[s] != 0
		}
		if any {
			out = append(out, row)
		}
	}
	return out
}

// total is a player's VP, the final ones once the game is over.
func total(view *engine.View, p engine.PlayerView) int {
	if view.Finished {
		return p.Final
	}
	return p.VP
}
