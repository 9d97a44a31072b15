package templates

import (
	"context"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/a-h/templ"

	"angelpost/engine"
	"angelpost/engine/component"
	"angelpost/templates/table"
	"angelpost/templates/words"
)

// WriteComponents writes a page with everything that is printed in a component set, as pictures
// and in words, with each thing's mark and line. The page is self-contained: it needs no other
// file, has no script, and prints on A4 and Letter. style is the pages' style sheet. The only
// errors are w's.
func WriteComponents(w io.Writer, cat *words.Catalogue, r *component.Report, style string) error {
	return componentsPage(newComponents(cat.For(r.Set, 0, nil), r.Set, r.Origins), style).Render(context.Background(), w)
}

// components is the page of a component set.
type components struct {
	*words.Voice
	set   *component.Set
	from  component.Origins
	table *table.Table
}

func newComponents(v *words.Voice, set *component.Set, from component.Origins) *components {
	return &components{Voice: v, set: set, from: from, table: table.Printed(v, set)}
}

// A thing is one thing of a set: its heading, where it comes from, what it says
// in words and its drawings.
type thing struct {
	name  string
	code  string // that orders use; "" none
	from  component.Origin
	lines []string
	drawn []templ.Component
	class string
}

// A chapter is a heading with things of one kind, laid out by their class.
type chapter struct {
	title, note string
	class       string
	part        string // of the pages that draw the pieces; "" none
	things      []thing
}

// id is the chapter's anchor.
func (c *chapter) id() string {
	return strings.ReplaceAll(strings.ReplaceAll(strings.ReplaceAll(strings.ToLower(c.title), ",", ""), "'", ""), " ", "-")
}

// drawnAt is the address of a thing's drawing.
func (c *chapter) drawnAt(x thing) string {
	if x.code != "" {
		return CardHref(x.code)
	}
	return PiecesHref(c.part) + "#" + c.id()
}

// told is what a thing says, in one text.
func (x thing) told() string {
	out := make([]string, len(x.lines))
	for i, l := range x.lines {
		out[i] = words.Sentence(l)
	}
	return strings.Join(out, " ")
}

// add adds a thing whose line in the set's file key names (component.Fact).
func (p *components) add(c *chapter, key, name string, lines []string, drawn ...templ.Component) {
	x := thing{name: name, from: p.from[key], lines: lines, drawn: drawn}
	if kind, code, _ := strings.Cut(key, " "); kind == "mission" || kind == "ravager" || kind == "tile" {
		x.code = code
	}
	c.things = append(c.things, x)
}

// componentStyle is the page's style sheet, in it because it is one file.
func componentStyle(style string) templ.Component {
	return templ.Raw("<style>" + style + componentCSS + "</style>")
}

func (p *components) count() string {
	n := map[component.Mark]int{}
	for _, o := range p.from {
		n[o.Mark]++
	}
	return p.Say("set.count", "known", n[component.Known], "inferred", n[component.Inferred], "ours", n[component.Ours])
}

func (p *components) mark(m component.Mark) string {
	switch m {
	case component.Known:
		return p.Say("set.known")
	case component.Inferred:
		return p.Say("set.inferred")
	}
	return p.Say("set.ours")
}

// place is where a thing stands, and the comment there, which is anyone's text.
func (p *components) place(o component.Origin) string {
	s := p.Say("set.place", "file", o.File, "line", o.Line)
	if note := words.Clean(o.Note, 200); note != "" {
		s += ": " + note
	}
	return s
}

func (p *components) chapters() []chapter {
	out := []chapter{p.strips()}
	for _, c := range component.Colors {
		out = append(out, p.missions(c))
	}
	out = append(out, p.ravagers())
	for _, c := range component.Colors {
		out = append(out, p.technology(c))
	}
	return append(out, p.starts(), p.advanced(), p.hal(), p.weights(), p.boards(), p.seats())
}

func (p *components) strips() chapter {
	c := chapter{title: p.Say("set.strips"), note: p.Say("set.strips-note"), part: partBoards, class: "strips"}
	sides := [2]string{p.Say("set.front"), p.Say("set.back")}
	for n := range component.MaxStrips {
		for side, key := range [2]string{"front", "back"} {
			var lines []string
			for lane, h := range p.set.Strips[n][side] {
				lines = append(lines, p.Say("set.lane", "lane", string(rune('a'+lane)), "hex", p.hex(h)))
			}
			p.add(&c, "strip "+strconv.Itoa(n+1)+" "+key, p.Say("set.strip", "n", n+1, "side", sides[side]), lines,
				table.Strip(p.table, n, side, ""))
		}
	}
	return c
}

func (p *components) hex(h component.Hex) string {
	parts := []string{p.Color(h.Color)}
	if h.Color == component.None {
		parts[0] = p.Say("set.asteroids")
	}
	if h.Comet {
		parts = append(parts, p.Say("set.comet"))
	}
	for range h.Ravagers {
		parts = append(parts, p.Say("set.icon"))
	}
	return strings.Join(parts, ", ")
}

func (p *components) missions(color component.Color) chapter {
	c := chapter{title: p.Say("set.missions", "color", p.Color(color)), part: partMissions, class: "cards"}
	if color == component.Orange {
		c.note = p.Say("set.missions-note")
	}
	for n := engine.Card(1); n <= component.Missions; n++ {
		m := p.set.Missions[n]
		if m.Color != color {
			continue
		}
		tiles := p.Say("set.tile-one", "a", p.Color(m.Tiles[0]))
		if m.Tiles[1] != component.None {
			tiles = p.Say("set.tile-two", "a", p.Color(m.Tiles[0]), "b", p.Color(m.Tiles[1]))
		}
		p.add(&c, "mission "+n.String(), words.Heading(p.CardName(n)),
			[]string{p.activity(m, n), p.Say("set.reward", "reward", p.Reward(m.Reward)), tiles}, table.Stamp(p.table, n))
	}
	return c
}

// activity is what a Mission does, and when.
func (p *components) activity(m component.Mission, n engine.Card) string {
	effect := p.Card(p.set, n)
	if m.Activation() {
		return p.Say("set.activation", "effect", effect)
	}
	return p.Say("set.neutralization", "effect", effect)
}

func (p *components) ravagers() chapter {
	c := chapter{title: p.Say("set.ravagers"), note: p.Say("set.ravagers-note"), part: partBoards, class: "cards"}
	for n := engine.Card(component.FirstRaider); n <= component.LastRaider; n++ {
		r := p.set.Ravagers[n]
		l := p.set.Locs[r.Location]
		p.add(&c, "ravager "+n.String(), p.CardName(n), []string{p.Say("set.ravager", "loc", int(r.Location),
			"color", p.Color(l.Color), "action", p.Action(l.Action), "effect", p.Card(p.set, n))}, table.Raider(p.table, n))
	}
	return c
}

func (p *components) technology(color component.Color) chapter {
	c := chapter{title: p.Say("set.technology", "color", p.Color(color)), part: partTiles, class: "tiles"}
	if color == component.Orange {
		c.note = p.Say("set.technology-note")
	}
	for t := engine.Tile(1); t <= component.Tiles; t++ {
		if p.set.Tiles[t].Color == color {
			p.add(&c, "tile "+t.String(), words.Heading(p.TileName(t)), []string{p.Say("set.standard", "effect", p.Tile(p.set, t)),
				p.Say("set.boost", "boost", p.Boost(t))}, table.Tile(p.table, t, false), table.Tile(p.table, t, true))
		}
	}
	return c
}

func (p *components) starts() chapter {
	c := chapter{title: p.Say("set.starts"), part: partTiles, class: "tiles"}
	for t := engine.FirstStart; t < engine.FirstStart+3; t++ {
		p.add(&c, "tile "+t.String(), words.Heading(p.TileName(t)), []string{words.Sentence(p.Tile(p.set, t))}, table.Tile(p.table, t, false))
	}
	return c
}

func (p *components) advanced() chapter {
	c := chapter{title: p.Say("set.advanced"), note: p.Say("advanced.cap"), part: partTiles, class: "tiles"}
	for t := engine.FirstAdvanced; t < engine.FirstAdvanced+component.Advanced; t++ {
		p.add(&c, "tile "+t.String(), words.Heading(p.TileName(t)), []string{words.Sentence(p.Tile(p.set, t))}, table.Tile(p.table, t, false))
	}
	return c
}

func (p *components) hal() chapter {
	c := chapter{title: p.Say("set.hal"), note: p.Say("set.hal-note"), part: partBoards, class: "cards"}
	for n, card := range p.set.Hal {
		p.add(&c, "hal card "+strconv.Itoa(n+1), p.Say("set.hal-card", "n", n+1),
			[]string{p.Say("set.upper", "half", p.half(card[0])), p.Say("set.lower", "half", p.half(card[1]))},
			table.HalCard(p.table, n, ""))
	}
	return c
}

func (p *components) half(h component.Half) string {
	key := ""
	switch {
	case h.Action == component.Command:
		return p.Say("set.half", "color", p.Color(h.Color), "action", p.Action(h.Action))
	case h.Action == component.Discover && h.Mod:
		key = "set.tiles-only"
	case h.Action == component.Discover:
		key = "set.advanced-first"
	case h.Mod:
		key = "set.descending"
	default:
		key = "set.ascending"
	}
	return p.Say("set.half-manner", "color", p.Color(h.Color), "action", p.Action(h.Action), "manner", p.Say(key))
}

func (p *components) weights() chapter {
	c := chapter{title: p.Say("set.weights"), class: "plain"}
	w := p.set.Weights
	for _, x := range []struct {
		key, name string
		vp        uint8
	}{
		{"ship", "set.weight-ship", w.Ship}, {"resource", "set.weight-resource", w.Resource}, {"robot", "set.weight-robot", w.Robot},
		{"debris", "set.weight-debris", w.Debris}, {"ravager", "set.weight-ravager", w.Ravager},
		{"technology", "set.weight-technology", w.Technology}, {"advanced", "set.weight-advanced", w.Advanced},
	} {
		p.add(&c, "weight "+x.key, words.Heading(p.Say(x.name)), []string{p.Goods(engine.VP, int(x.vp))})
	}
	return c
}

func (p *components) boards() chapter {
	c := chapter{title: p.Say("set.boards"), part: partBoards, class: "wide"}
	for n := 1; n <= 6; n++ {
		l := p.set.Locs[n]
		p.add(&c, "location "+strconv.Itoa(n), p.Say("set.location", "n", n),
			[]string{words.Sentence(p.Say("set.half", "color", p.Color(l.Color), "action", p.Action(l.Action)))},
			table.Room(p.table, n))
	}
	var costs, cells []string
	for _, n := range p.set.Costs {
		costs = append(costs, strconv.Itoa(int(n)))
	}
	for _, n := range p.set.Start {
		cells = append(cells, strconv.Itoa(int(n/3)+1)+"."+strconv.Itoa(int(n%3)+1))
	}
	p.add(&c, "display", p.Say("set.display"), []string{p.Say("set.display-costs", "costs", strings.Join(costs, ", "))},
		table.Display(p.table, ""))
	c.things[len(c.things)-1].class = "broad"
	p.add(&c, "start", p.Say("set.start"), []string{p.Say("set.start-cells", "cells", p.List(cells))},
		table.Start(p.table, ""))
	return c
}

func (p *components) seats() chapter {
	c := chapter{title: p.Say("set.seats"), class: "plain"}
	for n := 1; n <= 4; n++ {
		lines := []string{words.Sentence(p.advantage(n, p.set.Seats[n][0]))}
		if a := p.set.Seats[n][1]; a != p.set.Seats[n][0] {
			lines = append(lines, words.Sentence(p.Say("set.seat-advanced", "gets", p.advantage(n, a))))
		}
		p.add(&c, "seat "+strconv.Itoa(n), p.Say("set.seat", "n", n), lines)
	}
	return c
}

func (p *components) advantage(seat int, a component.Advantage) string {
	var gets []string
	if a.Reserve {
		gets = append(gets, p.Say("set.seat-reserve"))
	}
	gets = p.each(gets, seat, engine.Ship, a.Ships)
	gets = p.each(gets, seat, engine.Resource, a.Resources)
	gets = p.each(gets, seat, engine.Robot, a.Robots)
	gets = p.each(gets, seat, engine.Debris, a.Debris)
	gets = p.each(gets, seat, engine.VP, a.VP)
	if gets == nil {
		gets = []string{p.Say("set.seat-nothing")}
	}
	return p.List(gets)
}

// each appends how much of a good a seat gets, told for each number of players if
// it depends on that.
func (p *components) each(gets []string, seat int, g engine.Good, n component.Each) []string {
	with := n[max(seat, 2):]
	if slices.Max(with) == slices.Min(with) {
		if with[0] > 0 {
			gets = append(gets, p.Goods(g, int(with[0])))
		}
		return gets
	}
	var players []string // the player counts with the same amount
	for i, k := range with {
		players = append(players, strconv.Itoa(max(seat, 2)+i))
		if i+1 < len(with) && with[i+1] == k {
			continue
		}
		if k > 0 {
			gets = append(gets, p.Say("set.seat-with", "goods", p.Goods(g, int(k)), "players", p.List(players)))
		}
		players = nil
	}
	return gets
}

// componentCSS is what the pages' style sheet has not: marks, and three things a line on
// paper.
const componentCSS = `
.from{font-size:.75rem;margin:2px 0 0;color:var(--soft)}
.mark{font-weight:700;border:1px solid;border-radius:4px;padding:0 4px;white-space:nowrap}
.known{border:2px solid}
.ours{border-style:dotted}
.thing ul{margin:2px 0;padding:0;list-style:none;font-size:.92rem}
@media print{
body{font-size:8pt;background:none}
main{padding:0}
.chapter{border:0;padding:0;break-inside:auto}
h1{font-size:16pt}
h2{font-size:11pt;break-after:avoid}
h3{font-size:8.5pt}
.chapter>p{break-after:avoid}
.things{break-before:avoid;gap:4px;grid-template-columns:repeat(3,minmax(0,1fr))}
.strips{grid-template-columns:repeat(4,minmax(0,1fr))}
.thing{padding:4px;gap:6px;break-inside:avoid;border:1px solid #999;border-radius:6px}
.thing .drawn{zoom:.6}
.thing ul,.thing p{font-size:7.5pt;line-height:1.25}
.from{font-size:6.5pt}
}
`
