package table

import (
	"strconv"

	"github.com/a-h/templ"

	"angelpost/engine"
	"angelpost/templates/draw"
	"angelpost/templates/markup"
)

// hexes are all of Space's. With the boards they are half of a page, so they are written
// without templ, which costs four times as much.
func hexes(t *Table) templ.Component {
	return markup.Component(func(b []byte) []byte {
		for i := range t.View.Strips {
			for lane := range t.View.Strips[i].Hexes {
				b = t.appendHex(b, &t.View.Strips[i].Hexes[lane], at(i, lane))
			}
		}
		return b
	})
}

// appendHex writes a hex, a link where touching it does anything.
func (t *Table) appendHex(b []byte, h *engine.HexView, place string) []byte {
	touches, label := t.hexKeys(h), t.hexLabel(h)
	x, key, ok := t.touched(touches...)
	if ok {
		b = appendMarks(append(b, `<a class="gp`...), x)
		b = markup.Address(b, x.Href)
		b = markup.Attribute(b, "aria-label", named(x.Label, label))
		b = markup.Attribute(b, "data-touch", key)
		b = markup.Attribute(b, "data-k", t.hexKinds(h))
		b = markup.Attribute(b, "data-name", label)
		b = append(append(append(b, `"><g transform="`...), place...), `">`...)
	} else {
		b = append(append(append(b, `<g transform="`...), place...), `" role="img`...)
		b = markup.Attribute(b, "aria-label", label)
		b = append(markup.Attribute(b, "data-k", t.hexKinds(h)), `">`...)
	}
	b = t.appendGround(b, h, touches)
	if ok {
		b = appendUse(b, draw.SymHex, -49, -49, 98, "gl")
	}
	b = t.appendScene(b, h)
	if ok {
		b = appendUse(b, draw.SymHex, -49, -49, 98, "gr")
	}
	b = t.appendThings(append(b, `<g class="u">`...), h, touches)
	if ok && x.Best {
		b = append(b, `<circle class="bub" cx="33" cy="24" r="14"></circle>`...)
		b = appendUse(b, draw.SymCard, 24, 15, 18, "bc")
	}
	b = append(b, `</g></g>`...)
	if ok {
		b = append(b, `</a>`...)
	}
	return b
}

// bareHex is a hex as it is printed.
func bareHex(t *Table, h *engine.HexView) templ.Component {
	return markup.Component(func(b []byte) []byte { return t.appendThings(t.appendScene(t.appendGround(b, h, nil), h), h, nil) })
}

// appendGround writes the bottom layer, and what marks the whole hex.
func (t *Table) appendGround(b []byte, h *engine.HexView, touches []string) []byte {
	b = appendUse(b, draw.SymHex, -58, -58, 116, "hb "+t.ground(h))
	if by := t.hexChanged(h); by != "" {
		b = appendUse(b, draw.SymHex, -51, -51, 102, "ch "+by)
	}
	if t.chosen(touches...) != "" {
		b = appendUse(b, draw.SymHex, -53, -53, 106, "on")
	}
	return b
}

// appendScene writes what turns with the map.
func (t *Table) appendScene(b []byte, h *engine.HexView) []byte {
	s, size := scenery(h)
	switch {
	case t.angel(h):
		return appendUse(b, draw.SymAngel, -50, -50, 100, "")
	case h.Card != 0:
		return b
	case h.Spes:
		return appendUse(b, s, -size/2, -size/2, size, "")
	}
	return appendUse(b, s, -size/2, -size/2+4-min(len(h.Ships), 1)*7, size, "")
}

// appendThings writes what stays upright: the name, card, signs and ships.
func (t *Table) appendThings(b []byte, h *engine.HexView, touches []string) []byte {
	if h.Card != 0 {
		b = t.appendCard(b, h)
	} else {
		if h.At != 0 {
			b = append(append(append(b, ` <text class="nm" x="`...), t.nameX(h)...), `" y="-36">`...)
			b = append(append(b, h.At.String()...), `</text>`...)
		}
		if h.Spes {
			b = markup.Text(append(b, ` <text class="nm" y="46">`...), t.Say("piece.spes"))
			b = append(b, `</text>`...)
		}
		if t.comet(h) {
			b = appendUse(b, draw.SymComet, -41, -16, 18, "")
		}
		if h.Icons > 0 {
			b = appendUse(append(b, `<g fill="#ff5a68">`...), draw.SymRavager, 23, -21, 19, "")
			if h.Icons > 1 {
				b = append(strconv.AppendInt(append(b, ` <text class="nm" x="33" y="12">`...), int64(h.Icons), 10), `</text>`...)
			}
			b = append(b, `</g>`...)
		}
	}
	for i, s := range h.Ships {
		b = append(append(append(b, `<g transform="`...), t.shipAt(h, i)...), `" class="hd `...)
		b = append(b, seat(s)...)
		if s == t.Own() {
			b = append(b, " own"...)
		}
		b = append(appendUse(append(b, `"><g class="v">`...), draw.SymbolOfShip(s), -15, -15, 30, ""), `</g></g>`...)
	}
	if n := t.chosen(touches...); n != "" {
		b = append(append(b, `<circle class="st" cx="-30" cy="26" r="12"></circle> <text class="stt" x="-30" y="31">`...), n...)
		b = append(b, `</text>`...)
	}
	return b
}

// appendCard writes the Mission card on a hex, and whose it is.
func (t *Table) appendCard(b []byte, h *engine.HexView) []byte {
	b = append(append(append(b, `<g class="`...), cardClass(h.Card)...), `"><path class="crd" d="M-42-31H42V16H-42z"></path><path class="cf" d="M-40-13H40V14H-40z"></path><g fill="#0b0f1a">`...)
	b = appendUse(b, cardSymbol(h.Card), -38, -29, 13, "")
	b = append(append(b, `</g> <text class="cn" x="-6" y="-17">`...), h.Card.String()...)
	b = append(append(b, `</text> <text class="cn" x="26" y="-17">`...), h.At.String()...)
	b = markup.AppendKept(append(b, `</text>`...), faceKey{set: t.View.Set, card: h.Card, onMap: true}, func() templ.Component { return mapIcons(t, h.Card) })
	b = append(append(append(b, `</g><g class="hd `...), seat(h.Owner)...), `">`...)
	return append(appendUse(b, draw.SymbolOfRobot(h.Owner), -13, 14, 25, ""), `</g>`...)
}
