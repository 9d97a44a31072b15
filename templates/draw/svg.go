package draw

import (
	"io"
	"strconv"

	"angelpost/engine"
)

// SVG writes the whole view as one document that stands by itself, style
// sheet included: the table, and below it every player's board. words nil
// means Plain. It fails only as w does.
func SVG(w io.Writer, v *engine.View, words Words) error {
	b := append([]byte(nil), `<svg xmlns="http://www.w3.org/2000/svg" class="ba" viewBox="0 0 720 `...)
	// The height is known only when all is drawn: room is left for it.
	const room = "        "
	at := len(b)
	b = append(append(b, room...), `"><style>`...)
	b = append(append(append(b, CSS...), `</style>`...), defs...)
	y := 0
	part := func(draw func(s *scene), class string) {
		s := newScene(v, orPlain(words))
		defer s.free()
		draw(s)
		b = append(b, `<svg class="`...)
		b = append(append(b, class...), `" width="720" height="`...)
		b = strconv.AppendInt(b, int64(s.height), 10)
		b = append(b, `" y="`...)
		b = strconv.AppendInt(b, int64(y), 10)
		b = append(b, `">`...)
		b = s.svg(b)
		b = append(b, `</svg>`...)
		y += s.height + 8
	}
	part((*scene).table, tipClass(v))
	for i := range v.Players {
		part(func(s *scene) { s.board(&v.Players[i]) }, "sp")
	}
	copy(b[at:at+len(room)], strconv.Itoa(y))
	_, err := w.Write(append(b, "</svg>\n"...))
	return err
}

// defs are the outlines of the icons, once a page.
var defs = func() string {
	b := []byte("<defs>")
	for i, d := range iconPaths {
		b = strconv.AppendInt(append(b, `<path id="ba`...), int64(i), 10)
		b = append(append(append(b, `" d="`...), d...), `"/>`...)
	}
	return string(append(b, "</defs>"...))
}()

// AppendTable appends Space and the frigate as an svg element for a page that
// has CSS. It brings the outlines of all icons with it, ids ba0, ba1, …, once
// for the page. words nil means Plain.
func AppendTable(b []byte, v *engine.View, words Words) []byte {
	return AppendTableSince(b, v, nil, words)
}

// AppendTableSince is AppendTable with what is not as it was in before marked;
// before may be nil.
func AppendTableSince(b []byte, v, before *engine.View, words Words) []byte {
	s := newScene(v, orPlain(words))
	defer s.free()
	s.table()
	s.before = knownIn(before, words, (*scene).table)
	return s.element(b, tipClass(v), defs, TermTable, "")
}

// AppendBoard appends the board of a seat as an svg element for a page that
// has CSS and AppendTable's element; nothing if there is no such seat. words
// nil means Plain.
func AppendBoard(b []byte, v *engine.View, seat engine.Seat, words Words) []byte {
	return AppendBoardSince(b, v, nil, seat, words)
}

// AppendBoardSince is AppendBoard with what is not as it was in before marked;
// before may be nil.
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
	return s.element(b, "sp", "", TermBoard, s.namer.player(seat))
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

// tipClass says where the line with names stands: it depends on the strips.
func tipClass(v *engine.View) string {
	if len(v.Strips) <= 5 {
		return "s5"
	}
	return "s7"
}

// element wraps the scene up.
func (s *scene) element(b []byte, class, head string, t Term, of string) []byte {
	b = append(b, `<svg class="ba" viewBox="0 0 720 `...)
	b = strconv.AppendInt(b, int64(s.height), 10)
	b = append(b, `" role="group" aria-label="`...)
	b = escape(b, s.namer.term(t))
	if of != "" {
		b = escape(append(b, ": "...), of)
	}
	b = append(append(b, `">`...), head...)
	b = append(b, `<g class="`...)
	b = append(append(b, class...), `">`...)
	return append(s.svg(b), `</g></svg>`...)
}

// svg appends the shapes. What is open is remembered, for a thing ends with
// the line that names it where a page has no other way to show it on focus.
func (s *scene) svg(b []byte) []byte {
	var open [8]int
	var name []byte // of the thing that is open
	changed := false
	depth := 0
	for i := range s.shapes {
		sh := &s.shapes[i]
		switch sh.op {
		case opOpen:
			open[depth&7], depth = i, depth+1
			name = s.names[sh.from:sh.to]
			if changed = s.before.changed(name); changed {
				name = append(append(name[:len(name):len(name)], ", "...), s.namer.term(TermChanged)...)
			}
			b = append(b, `<g class="t" tabindex="0" role="img"><title>`...)
			b = escape(b, string(name))
			b = append(b, `</title>`...)
		case opSection:
			open[depth&7], depth = i, depth+1
			b = append(b, `<g role="group" aria-label="`...)
			b = escape(b, string(s.names[sh.from:sh.to]))
			b = append(b, `">`...)
		case opClose:
			depth--
			if at := open[depth&7]; s.shapes[at].op == opOpen {
				if changed {
					b = mark(b, s.shapes[at+1:i])
				}
				b = tip(b, name)
			}
			b = append(b, `</g>`...)
		case opIcon:
			b = append(b, `<use class="p`...)
			b = append(b, sh.paint.class())
			b = attr(b, `" href="#ba`, int16(sh.icon))
			b = append(b, `" transform="translate(`...)
			b = strconv.AppendInt(b, int64(sh.x), 10)
			b = append(b, ' ')
			b = strconv.AppendInt(b, int64(sh.y), 10)
			b = append(b, `)scale(`...)
			b = hundredths(b, int(sh.w))
			b = append(b, `)"/>`...)
		case opBox:
			b = append(b, `<rect class="p`...)
			b = append(b, sh.paint.class())
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

// tipLine is how many letters go into a line of the tip.
const tipLine = 66

// tip appends the name in at most two lines; who wants all has the title.
func tip(b, name []byte) []byte {
	b = append(b, `<g class="tip"><rect/><text>`...)
	if len(name) > tipLine {
		at := tipLine
		for at > tipLine/2 && name[at] != ' ' {
			at--
		}
		for at < len(name) && name[at]&0xc0 == 0x80 { // not within a letter
			at++
		}
		b = escape(b, string(name[:at]))
		b = append(b, `</text><text y="27">`...)
		name = name[at:]
		if len(name) > tipLine {
			at = tipLine
			for at > 0 && name[at]&0xc0 == 0x80 {
				at--
			}
			b = escape(b, string(name[:at]))
			return append(b, "…</text></g>"...)
		}
	}
	b = escape(b, string(name))
	return append(b, `</text></g>`...)
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
