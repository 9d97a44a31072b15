package table

import (
	"strconv"
	"strings"

	"github.com/a-h/templ"

	"angelpost/engine"
	"angelpost/templates/draw"
)

// What a page has four times or more, and what it has by the dozen. It is written without
// templ, as the hexes are.

// grid is a player's tiles with the slots beside and below them, and the way each pushes.
func grid(t *Table, p *engine.PlayerView) templ.Component {
	return markup(func(b []byte) []byte {
		b = append(b, `<div class="gr3">`...)
		for r := range 3 {
			b = appendIcon(t.appendSlot(b, p, "row", r, p.Rows[r]), draw.SymArrow, "ar")
			for i := r * 3; i < r*3+3; i++ {
				c := p.Grid[i]
				b = t.appendTile(b, t.cellKinds(c), c, t.cellClass(p, i), t.cellLabel(i, c), t.ownKey(p, engine.Cell(i+1).String()))
			}
		}
		b = append(b, `</div><div class="gr3 cs"><span></span><span></span>`...)
		for range 3 {
			b = appendIcon(b, draw.SymArrow, "ar up")
		}
		b = append(b, `<span></span><span></span>`...)
		for k := range 3 {
			b = t.appendSlot(b, p, "column", k, p.Columns[k])
		}
		return append(b, `</div>`...)
	})
}

// appendSlot writes where a card is played.
func (t *Table) appendSlot(b []byte, p *engine.PlayerView, kind string, i int, c engine.Card) []byte {
	class := "slot"
	if c != 0 {
		class += " f " + cardClass(c)
	}
	b, slot := t.open(b, kind, changedClass(class, t.slotChanged(p, kind, i)), t.slotLabel(kind, i, c), t.ownKey(p, kind+" "+strconv.Itoa(i+1)))
	switch {
	case c != 0:
		b = appendIcon(b, cardSymbol(c), "")
		if !c.Hidden() {
			b = append(b, c.String()...)
		}
	case p.Seat == t.Own():
		b = append(appendText(append(b, `<span aria-hidden="true">`...), t.Say("piece."+kind, "n", i+1)), `</span>`...)
	}
	return slot.close(b)
}

// tile is a tile as it lies there, or its empty space.
func tile(t *Table, kinds string, on engine.CellView, more, label string, keys ...string) templ.Component {
	return markup(func(b []byte) []byte { return t.appendTile(b, kinds, on, more, label, keys...) })
}

func (t *Table) appendTile(b []byte, kinds string, on engine.CellView, more, label string, keys ...string) []byte {
	x := on.Tile
	if x == 0 {
		if _, ok := t.touch(keys...); ok {
			b, empty := t.open(b, kinds, "tile e "+more, label, keys...)
			return empty.close(b)
		}
		b = append(append(b, `<span class="`...), strings.TrimSpace("tile e "+strings.TrimSpace(more))...)
		return append(b, `"></span>`...)
	}
	b, full := t.open(b, kinds, t.tileClass(x, on)+more, label, keys...)
	b = appendKept(b, faceKey{words: t.Catalogue, set: t.View.Set, tile: x, boost: on.Boost}, func() templ.Component { return tileFace(t, x, on.Boost) })
	if on.Debris {
		b = appendIcon(b, draw.SymDebris, "dbr")
	}
	return full.close(b)
}

// die is a die of a seat, its face up. Where the viewer may take it, it is a link.
func die(t *Table, s engine.Seat, d engine.DieView, reserved bool) templ.Component {
	return markup(func(b []byte) []byte {
		b, p := t.open(b, t.dieKind(s, reserved), changedClass("dg", t.dieChanged(s, d, reserved)), t.dieLabel(s, d, reserved), t.die(s, d, reserved))
		b = appendIcon(b, draw.SymbolOfDie(d), "die co "+class(d.Color))
		if reserved {
			b = appendIcon(b, draw.SymLock, "lk")
		}
		b = p.close(b)
		if x, ok := t.touch(t.flip(s, d, reserved)); ok && !t.same(x, s, d, reserved) {
			b = append(b, `<a class="dg flip go`...)
			if x.Best {
				b = append(b, " best"...)
			}
			b = attribute(b, "href", string(templ.URL(x.Href)))
			b = append(attribute(b, "aria-label", x.Label), `" data-k="standard goods">`...)
			b = appendIcon(appendIcon(b, draw.SymArrow, "sm"), draw.SymbolOfDie(d.Opposite()), "die co "+class(d.Color))
			b = append(b, `</a>`...)
		}
		return b
	})
}

// crew is where another player's robots are.
func crew(t *Table, p *engine.PlayerView) templ.Component {
	return markup(func(b []byte) []byte {
		b = attribute(append(b, `<li><span class="cw" role="img`...), "aria-label", t.crewLabel(p))
		b = append(b, `" data-k="robots">`...)
		pair := func(s draw.Symbol, class string, n int) {
			b = append(appendIcon(append(b, `<span class="pr">`...), s, class), `<b>`...)
			b = append(strconv.AppendInt(b, int64(n), 10), `</b></span>`...)
		}
		pair(draw.SymbolOfRobot(p.Seat), "hd "+seat(p.Seat), p.Break)
		for c := engine.Orange; c <= engine.Green; c++ {
			pair(draw.SymbolOfColor(c), "co "+class(c), p.Stations[c])
		}
		if p.Pilots > 0 {
			pair(draw.SymShip, "", p.Pilots)
		}
		if p.OnCards > 0 {
			pair(draw.SymCard, "", p.OnCards)
		}
		if p.Trapped > 0 {
			pair(draw.SymRavager, "rd", p.Trapped)
		}
		return append(b, `</span></li>`...)
	})
}
