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
	"angelpost/templates/draw"
	"angelpost/templates/words"
)

// WriteComponents writes a page with everything that is printed in a component
// set, drawn and in words, with the mark and the line of each thing. The page
// stands by itself: it needs no other file and has no script, and prints on A4
// and Letter. It fails only as w does.
func WriteComponents(w io.Writer, cat *words.Catalogue, r *component.Report) error {
	p := &components{Voice: cat.For(r.Set, 0, nil), set: r.Set, from: r.Origins}
	return componentsPage(p).Render(context.Background(), w)
}

// components is a component set being told.
type components struct {
	*words.Voice
	set    *component.Set
	from   component.Origins
	silent bool // the drawings have no label: the words are next to them
}

// A thing is one thing of a set: its heading, where it comes from, what it says
// in words and its drawings.
type thing struct {
	name  string
	code  string // that orders use; "" none
	from  component.Origin
	lines []string
	svg   []string
	class string
}

// A chapter is a heading with things of one kind, laid out by their class.
type chapter struct {
	title, note string
	class       string
	things      []thing
}

// id is the chapter's anchor.
func (c *chapter) id() string {
	return strings.ReplaceAll(strings.ReplaceAll(strings.ReplaceAll(strings.ToLower(c.title), ",", ""), "'", ""), " ", "-")
}

// draws are what draws a thing, given its label.
type draws func(b []byte, label string) []byte

// add adds a thing, which stands on the line that key names (component.Fact).
func (p *components) add(c *chapter, key, name string, lines []string, drawings ...draws) {
	x := thing{name: name, from: p.from[key], lines: lines}
	if kind, code, _ := strings.Cut(key, " "); kind == "mission" || kind == "ravager" || kind == "tile" {
		x.code = code
	}
	label := name + ". " + strings.Join(lines, " ")
	if p.silent {
		label = ""
	}
	for _, d := range drawings {
		x.svg = append(x.svg, string(d(nil, label)))
	}
	c.things = append(c.things, x)
}

// componentStyle is the page's style sheet and the outlines of its icons, in it
// because it is one file.
func componentStyle() templ.Component {
	return templ.Raw("<style>" + draw.CSS + componentCSS + "</style>")
}

func (p *components) count() string {
	n := map[component.Mark]int{}
	for _, o := range p.from {
		n[o.Mark]++
	}
	return p.Say("set.count", "known", n[component.Known], "inferred", n[component.Inferred], "ours", n[component.Ours])
}

// title is a thing's name as a heading.
func title(s string) string { return strings.TrimSuffix(words.Sentence(s), ".") }

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
	c := chapter{title: p.Say("set.strips"), note: p.Say("set.strips-note"), class: "strips"}
	sides := [2]string{p.Say("set.front"), p.Say("set.back")}
	for n := range component.MaxStrips {
		for side, key := range [2]string{"front", "back"} {
			var lines []string
			for lane, h := range p.set.Strips[n][side] {
				lines = append(lines, p.Say("set.lane", "lane", string(rune('a'+lane)), "hex", p.hex(h)))
			}
			p.add(&c, "strip "+strconv.Itoa(n+1)+" "+key, p.Say("set.strip", "n", n+1, "side", sides[side]), lines,
				func(b []byte, label string) []byte { return draw.AppendStrip(b, p.set, n, side, label) })
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
	c := chapter{title: p.Say("set.missions", "color", p.Color(color)), class: "cards"}
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
		p.add(&c, "mission "+n.String(), title(p.CardName(n)),
			[]string{p.activity(m, n), p.Say("set.reward", "reward", p.Reward(m.Reward)), tiles}, p.card(n))
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

func (p *components) card(n engine.Card) draws {
	return func(b []byte, label string) []byte { return draw.AppendCard(b, p.set, n, label) }
}

func (p *components) ravagers() chapter {
	c := chapter{title: p.Say("set.ravagers"), note: p.Say("set.ravagers-note"), class: "cards"}
	for n := engine.Card(component.FirstRaider); n <= component.LastRaider; n++ {
		r := p.set.Ravagers[n]
		l := p.set.Locs[r.Location]
		p.add(&c, "ravager "+n.String(), p.CardName(n), []string{p.Say("set.ravager", "loc", int(r.Location),
			"color", p.Color(l.Color), "action", p.Action(l.Action), "effect", p.Card(p.set, n))}, p.card(n))
	}
	return c
}

func (p *components) technology(color component.Color) chapter {
	c := chapter{title: p.Say("set.technology", "color", p.Color(color)), class: "tiles"}
	if color == component.Orange {
		c.note = p.Say("set.technology-note")
	}
	for t := engine.Tile(1); t <= component.Tiles; t++ {
		if p.set.Tiles[t].Color == color {
			p.add(&c, "tile "+t.String(), title(p.TileName(t)), []string{p.Say("set.standard", "effect", p.Tile(p.set, t)),
				p.Say("set.boost", "boost", p.Boost(t))}, p.tile(t, false), p.tile(t, true))
		}
	}
	return c
}

func (p *components) tile(t engine.Tile, boost bool) draws {
	return func(b []byte, label string) []byte { return draw.AppendTile(b, p.set, t, boost, label) }
}

func (p *components) starts() chapter {
	c := chapter{title: p.Say("set.starts"), class: "tiles"}
	for t := engine.FirstStart; t < engine.FirstStart+3; t++ {
		p.add(&c, "tile "+t.String(), title(p.TileName(t)), []string{words.Sentence(p.Tile(p.set, t))}, p.tile(t, false))
	}
	return c
}

func (p *components) advanced() chapter {
	c := chapter{title: p.Say("set.advanced"), note: p.Say("advanced.cap"), class: "tiles"}
	for t := engine.FirstAdvanced; t < engine.FirstAdvanced+component.Advanced; t++ {
		p.add(&c, "tile "+t.String(), title(p.TileName(t)), []string{words.Sentence(p.Tile(p.set, t))}, p.tile(t, false))
	}
	return c
}

func (p *components) hal() chapter {
	c := chapter{title: p.Say("set.hal"), note: p.Say("set.hal-note"), class: "cards"}
	for n, card := range p.set.Hal {
		p.add(&c, "hal card "+strconv.Itoa(n+1), p.Say("set.hal-card", "n", n+1),
			[]string{p.Say("set.upper", "half", p.half(card[0])), p.Say("set.lower", "half", p.half(card[1]))},
			func(b []byte, label string) []byte { return draw.AppendHal(b, p.set, n, label) })
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
		p.add(&c, "weight "+x.key, title(p.Say(x.name)), []string{p.Goods(engine.VP, int(x.vp))})
	}
	return c
}

func (p *components) boards() chapter {
	c := chapter{title: p.Say("set.boards"), class: "wide"}
	for n := 1; n <= 6; n++ {
		l := p.set.Locs[n]
		p.add(&c, "location "+strconv.Itoa(n), p.Say("set.location", "n", n),
			[]string{words.Sentence(p.Say("set.half", "color", p.Color(l.Color), "action", p.Action(l.Action)))},
			func(b []byte, label string) []byte { return draw.AppendLocation(b, p.set, n, label) })
	}
	var costs, cells []string
	for _, n := range p.set.Costs {
		costs = append(costs, strconv.Itoa(int(n)))
	}
	for _, n := range p.set.Start {
		cells = append(cells, strconv.Itoa(int(n/3)+1)+"."+strconv.Itoa(int(n%3)+1))
	}
	p.add(&c, "display", p.Say("set.display"), []string{p.Say("set.display-costs", "costs", strings.Join(costs, ", "))},
		func(b []byte, label string) []byte { return draw.AppendDisplay(b, p.set, label) })
	c.things[len(c.things)-1].class = "broad"
	p.add(&c, "start", p.Say("set.start"), []string{p.Say("set.start-cells", "cells", p.List(cells))},
		func(b []byte, label string) []byte { return draw.AppendGrid(b, p.set, label) })
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
	var players []string // with whom there is as much
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

const componentCSS = `
:root{color-scheme:light dark}
*{box-sizing:border-box}
body{margin:0 auto;padding:16px;max-width:1060px;font:13px/1.35 Helvetica Neue,Arial,Liberation Sans,sans-serif;background:Canvas;color:CanvasText}
h1{font-size:22px;margin:0}
h2{font-size:17px;margin:22px 0 4px;break-after:avoid}
p{margin:4px 0;max-width:75em;overflow-wrap:anywhere}
.things{display:grid;gap:8px;margin:8px 0}
.cards{grid-template-columns:repeat(auto-fill,minmax(min(310px,100%),1fr))}
.tiles{grid-template-columns:repeat(auto-fill,minmax(min(310px,100%),1fr))}
.strips{grid-template-columns:repeat(auto-fill,minmax(min(230px,100%),1fr))}
.wide,.plain{grid-template-columns:repeat(auto-fill,minmax(min(310px,100%),1fr))}
.thing{display:flex;gap:8px;align-items:flex-start;break-inside:avoid;border:1px solid GrayText;border-radius:6px;padding:6px}
.thing h3{font-size:13px;margin:0}
.thing div{min-width:0}
.thing ul{margin:2px 0;padding:0;list-style:none}
.thing .ba{flex:none}
section>p{break-after:avoid}
.cards .ba{width:122px}
.tiles .ba{width:62px}
.strips .ba{width:112px}
.wide .ba{width:150px}
.broad .ba{width:min(330px,60%)}
@media print,(min-width:700px){.broad{grid-column:span 2}}
.from{font-size:11px;margin:2px 0 0}
.mark{font-weight:700;border:1px solid GrayText;border-radius:4px;padding:0 4px;white-space:nowrap}
.known{border:2px solid}
.ours{border-style:dotted}
@page{margin:10mm}
@media print{
body{padding:0;max-width:none;font-size:9.5px;background:none}
.ba{print-color-adjust:exact;-webkit-print-color-adjust:exact}
h2{margin-top:12px}
.things{gap:4px;padding-right:2px}
.cards,.tiles,.wide,.plain{grid-template-columns:repeat(3,minmax(0,1fr))}
.strips{grid-template-columns:repeat(4,minmax(0,1fr))}
.thing{padding:4px;gap:5px}
.thing h3{font-size:10px}
.from{font-size:8px}
.cards .ba{width:88px}
.tiles .ba{width:46px}
.strips .ba{width:82px}
.wide .ba{width:100px}
.broad .ba{width:240px}
}
`
