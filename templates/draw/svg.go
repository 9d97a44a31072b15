package draw

import (
	"strconv"

	"angelpost/engine"
)

// defs are the outlines of the icons, once a page.
var defs = func() string {
	b := []byte("<defs>")
	for i, d := range iconPaths {
		b = strconv.AppendInt(append(b, `<path id="ba`...), int64(i), 10)
		b = append(append(append(b, `" d="`...), d...), `"/>`...)
	}
	return string(append(b, "</defs>"...))
}()

// AppendTableSince appends Space and the frigate as an svg element for a page that
// has CSS, with what is not as it was in before marked; before may be nil. It brings
// the outlines of all icons with it, ids ba0, ba1, …, once for the page. words nil
// means Plain.
func AppendTableSince(b []byte, v, before *engine.View, words Words) []byte {
	s := newScene(v, orPlain(words))
	defer s.free()
	s.table()
	s.before = knownIn(before, words, (*scene).table)
	return s.element(b, "n", defs, TermTable, "")
}

// AppendBoardSince appends the board of a seat as an svg element for a page that
// has CSS and AppendTableSince's element, with what is not as it was in before
// marked; before may be nil. It appends nothing if there is no such seat. words nil
// means Plain.
func AppendBoardSince(b []byte, v, before *engine.View, seat engine.Seat, words Words) []byte {
	p := boardOf(v, seat)
	if p == nil {
		return b
	}
	s := newScene(v, orPlain(words))
	defer s.free()
	s.board(p)
	if q := boardOf(before, seat); q != nil {
		s.before = knownIn(before, words, func(s *scene) { s.board(q) })
	}
	return s.element(b, "p"+num(int(seat))+"n", "", TermBoard, s.namer.player(seat))
}

func boardOf(v *engine.View, seat engine.Seat) *engine.PlayerView {
	if v == nil {
		return nil
	}
	for i := range v.Players {
		if v.Players[i].Seat == seat {
			return &v.Players[i]
		}
	}
	return nil
}

func orPlain(w Words) Words {
	if w == nil {
		return Plain
	}
	return w
}

// element wraps the scene up. The ids of its things begin with id.
func (s *scene) element(b []byte, id, head string, t Term, of string) []byte {
	b = append(b, `<svg class="ba" viewBox="0 0 720 `...)
	b = strconv.AppendInt(b, int64(s.height), 10)
	b = append(b, `" role="group" aria-label="`...)
	b = escape(b, s.namer.term(t))
	if of != "" {
		b = escape(append(b, ": "...), of)
	}
	b = append(append(b, `">`...), head...)
	b = append(b, `<g aria-hidden="true">`...)
	b = append(s.svg(b), `</g>`...)
	return append(s.things(b, id), `</svg>`...)
}

// svg appends what is seen, changes marked.
func (s *scene) svg(b []byte) []byte {
	at, changed, framed := 0, false, -1
	for i := range s.shapes {
		sh := &s.shapes[i]
		switch sh.op {
		case opOpen:
			at = i
			if changed = s.before.changed(s.names[sh.from:sh.to]); changed {
				sh.op = opChanged
			}
		case opClose:
			if changed {
				b, changed = outlined(b, "n", s.shapes[at+1:i]), false
			}
		case opIcon:
			b = append(b, `<use class="p`...)
			b = append(b, sh.paint.class())
			b = attr(b, `" href="#ba`, int16(sh.icon))
			b = placed(b, sh.x, sh.y, int(sh.w))
		case opBox:
			if i == framed {
				continue
			}
			b = append(append(b, `<rect class="p`...), sh.paint.class())
			if i+1 < len(s.shapes) && sh.frames(&s.shapes[i+1]) { // one rect for both
				framed = i + 1
				in := &s.shapes[framed]
				b[len(b)-1] = in.paint.class()
				b = append(append(b, " q"...), sh.paint.class())
				b = attr(b, ` w`, in.x-sh.x)
			}
			b = attr(b, `" x="`, sh.x)
			b = attr(b, `" y="`, sh.y)
			b = attr(b, `" width="`, sh.w)
			b = attr(b, `" height="`, sh.h)
			if sh.r > 0 {
				b = attr(b, `" rx="`, int16(sh.r))
			}
			b = append(b, `"/>`...)
		case opText:
			b = append(b, `<text class="p`...)
			b = append(b, sh.paint.class())
			b = append(b, [...]string{"", " l", " r"}[sh.align]...)
			b = attr(b, `" x="`, sh.x)
			b = attr(b, `" y="`, sh.y+baseline)
			b = append(b, `">`...)
			b = append(escape(b, sh.s), `</text>`...)
		}
	}
	return b
}

// things appends what can be pointed at, in front of what is seen: each a link
// to what it says, which shows where it is pointed at, has the focus or is the
// address's fragment. So it needs no script on devices without a pointer.
func (s *scene) things(b []byte, id string) []byte {
	n := 0
	for i := 0; i < len(s.shapes); i++ {
		sh := &s.shapes[i]
		switch sh.op {
		case opSection:
			b = append(b, `<g role="group" aria-label="`...)
			b = escape(b, string(s.names[sh.from:sh.to]))
			b = append(b, `">`...)
		case opOpen, opChanged:
			end := i + 1
			for s.shapes[end].op != opClose {
				end++
			}
			n++
			b = s.thing(b, sh, s.shapes[i+1:end], id, n)
			i = end
		case opClose:
			b = append(b, `</g>`...)
		}
	}
	return b
}

// tipRoom is how high a tip is in units, as in the style sheet, and tipAbove how far down its
// thing must be for it to stand above.
const (
	tipRoom  = 300
	tipAbove = 190
)

func (s *scene) thing(b []byte, sh *shape, shapes []shape, id string, n int) []byte {
	link := func(b []byte) []byte { return strconv.AppendInt(append(b, id...), int64(n), 10) }
	b = link(append(b, `<a href="#`...))
	b = link(append(b, `" aria-labelledby="`...))
	b = append(b, `">`...)
	b = outlined(b, "", shapes)
	b = link(append(b, `<foreignObject id="`...))
	_, top, _, bottom := bounds(shapes)
	if top >= tipAbove {
		b = attr(b, `" y="`, top-tipRoom-6)
	} else {
		b = attr(b, `" class="u" y="`, bottom+6)
	}
	b = append(b, `"><div><p><b>`...)
	b = escape(b, string(s.names[sh.from:sh.to]))
	if sh.op == opChanged {
		b = escape(append(b, ", "...), s.namer.term(TermChanged))
	}
	b = append(b, `</b> `...)
	b = escape(b, string(s.names[sh.to:sh.until]))
	return append(b, `</p></div></foreignObject></a>`...)
}

// frames reports whether the next shape fills a box but for a border, so that both
// are one rectangle with a stroke. It is drawn along the edge, half outside.
func (sh *shape) frames(in *shape) bool {
	w := in.x - sh.x
	return in.op == opBox && (w == 2 || w == 3 || w == 5) && in.y-sh.y == w && sh.w-in.w == 2*w && sh.h-in.h == 2*w
}

func placed(b []byte, x, y int16, size int) []byte {
	b = attr(b, `" transform="translate(`, x)
	b = attr(b, ` `, y)
	b = append(b, `)scale(`...)
	b = hundredths(b, size)
	return append(b, `)"/>`...)
}

func attr(b []byte, name string, v int16) []byte {
	return strconv.AppendInt(append(b, name...), int64(v), 10)
}

// hundredths appends v/100.
func hundredths(b []byte, v int) []byte {
	if v >= 100 {
		b = strconv.AppendInt(b, int64(v/100), 10)
		v %= 100
	}
	if v == 0 {
		return b
	}
	b = append(b, '.', '0'+byte(v/10))
	if v%10 != 0 {
		b = append(b, '0'+byte(v%10))
	}
	return b
}

// escape appends s as XML text or attribute value. What XML cannot carry has
// been taken out by clean.
func escape(b []byte, s string) []byte {
	from := 0
	for i := range len(s) {
		var e string
		switch s[i] {
		case '<':
			e = "&lt;"
		case '>':
			e = "&gt;"
		case '&':
			e = "&amp;"
		case '"':
			e = "&#34;"
		default:
			continue
		}
		b = append(append(b, s[from:i]...), e...)
		from = i + 1
	}
	return append(b, s[from:]...)
}
