package table

import (
	"strconv"
	"strings"

	"github.com/a-h/templ"

	"angelpost/engine"
	"angelpost/engine/component"
	"angelpost/templates/draw"
	"angelpost/templates/markup"
	"angelpost/templates/touch"
)

// What a page has four times or more, and what it has by the dozen. It is written without
// templ, as the hexes are.

// grid is a player's tiles with the slots next to and below them, and the way each pushes.
func grid(t *Table, p *engine.PlayerView) templ.Component {
	return markup.Component(func(b []byte) []byte {
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
		b = append(markup.Text(append(b, `<span aria-hidden="true">`...), t.Say("piece."+kind, "n", i+1)), `</span>`...)
	}
	return slot.close(b)
}

// tile is a tile with the side that faces up, or its empty space.
func tile(t *Table, kinds string, on engine.CellView, more, label string, keys ...string) templ.Component {
	return markup.Component(func(b []byte) []byte { return t.appendTile(b, kinds, on, more, label, keys...) })
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
	b = markup.AppendKept(b, faceKey{words: t.Catalogue, set: t.View.Set, tile: x, boost: on.Boost}, func() templ.Component { return tileFace(t, x, on.Boost) })
	if on.Debris {
		b = appendIcon(b, draw.SymDebris, "dbr")
	}
	return full.close(b)
}

// die is a die of a seat, its face up. If the viewer may take it, it is a link.
func die(t *Table, s engine.Seat, d engine.DieView, reserved bool) templ.Component {
	return markup.Component(func(b []byte) []byte {
		b, p := t.open(b, t.dieKind(s, reserved), changedClass("dg", t.dieChanged(s, d, reserved)), t.dieLabel(s, d, reserved), t.die(s, d, reserved))
		b = appendIcon(b, draw.SymbolOfDie(d), "die co "+class(d.Color))
		if reserved {
			b = appendIcon(b, draw.SymLock, "lk")
		}
		b = p.close(b)
		if x, ok := t.touch(t.flip(s, d, reserved)); ok && !t.same(x, s, d, reserved) {
			b = append(b, ` <a class="dg flip go`...)
			if x.Best {
				b = append(b, " best"...)
			}
			b = markup.Address(b, x.Href)
			b = append(markup.Attribute(b, "aria-label", x.Label), `" data-k="standard goods">`...)
			b = appendIcon(appendIcon(b, draw.SymArrow, "sm"), draw.SymbolOfDie(d.Opposite()), "die co "+class(d.Color))
			b = append(b, `</a>`...)
		}
		return b
	})
}

// crew is where another player's robots are.
func crew(t *Table, p *engine.PlayerView) templ.Component {
	return markup.Component(func(b []byte) []byte {
		b = markup.Attribute(append(b, `<li><span class="cw" role="img`...), "aria-label", t.crewLabel(p))
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

// mini is a number of cards of one back.
func mini(n int, class, label, kind string) templ.Component {
	return markup.Component(func(b []byte) []byte {
		if n == 0 {
			return b
		}
		b = append(append(append(b, `<span class="mini `...), class...), `" role="img`...)
		b = append(markup.Attribute(markup.Attribute(b, "aria-label", label), "data-k", kind), `">`...)
		return append(strconv.AppendInt(b, int64(n), 10), `</span>`...)
	})
}

// room is a location: its action, its Damage, the Ravagers on it.
func room(t *Table, n int) templ.Component {
	return markup.Component(func(b []byte) []byte {
		l := &t.View.Locs[n]
		if l.Action == component.NoAction {
			return b
		}
		number := strconv.Itoa(n)
		b = append(append(append(append(b, `<li class="room `...), class(l.Color)...), " l"...), number...)
		if int(t.View.Acting) == n {
			b = append(b, " at"...)
		}
		b, head := t.open(append(b, `">`...), t.roomKinds(n), changedClass("rh", t.roomChanged(n)), t.roomLabel(n), touch.Room(uint8(n)))
		b = append(append(append(b, `<b class="pl">`...), number...), `</b><span class="name">`...)
		b = append(markup.Text(b, t.Action(l.Action)), `</span><span class="dm">`...)
		for i := range 2 {
			switch {
			case i < l.Damage:
				b = append(appendIcon(append(b, `<i class="x">`...), draw.SymDamage, "rd"), `</i>`...)
			case i == 1:
				b = append(b, `<i>−1</i>`...)
			default:
				b = append(b, `<i></i>`...)
			}
		}
		b = appendIcon(head.close(append(b, `</span>`...)), draw.SymbolOfAction(l.Action), "gh")
		b = markup.Text(append(b, `<p class="does" aria-hidden="true">`...), t.Say("piece.does-"+l.Action.String()))
		b = append(b, `</p>`...)
		if k := len(l.Ravagers); k > 0 {
			b = append(b, `<p class="rv">`...)
			for i, r := range l.Ravagers {
				kinds, class := "ravager-card", "rc u"
				if i == k-1 {
					kinds, class = "ravagers", changedClass("rc t", t.topChanged(n))
				}
				b = t.appendRavager(b, kinds, class, r, i == k-1)
			}
			b = append(b, `</p>`...)
		}
		return append(b, `</li>`...)
	})
}

// appendRavager writes a Ravager card at a location, and the robots on it.
func (t *Table) appendRavager(b []byte, kinds, class string, r engine.TrapView, top bool) []byte {
	b, card := t.open(b, kinds, class, t.trapLabel(r, top), r.Card.String())
	b = append(appendIcon(b, draw.SymRavager, ""), r.Card.String()...)
	if top {
		b = append(markup.Text(append(b, `<span>`...), t.CardWord(r.Card)), `</span>`...)
	}
	for _, s := range r.Robots {
		b = append(appendIcon(append(b, `<span class="rob">`...), draw.SymbolOfRobot(s), "hd "+seat(s)), `</span>`...)
	}
	return card.close(b)
}
