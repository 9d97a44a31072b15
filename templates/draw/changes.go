package draw

import (
	"hash/maphash"

	"angelpost/engine"
)

// What has changed between two Views is found by what things are called: a
// thing's name says all that can be seen of it, so that one which was called
// so before is as it was. This knows nothing of how things are drawn.

// known counts things by their names, hashed; nil knows everything.
type known map[uint64]int

var nameSeed = maphash.MakeSeed()

// knownIn is what things are called in an earlier view; nil if there is none.
func knownIn(before *engine.View, words Words, draw func(s *scene)) known {
	if before == nil {
		return nil
	}
	s := newScene(before, orPlain(words))
	defer s.free()
	draw(s)
	out := make(known, len(s.shapes)/4)
	for i := range s.shapes {
		if sh := &s.shapes[i]; sh.op == opOpen {
			out[maphash.Bytes(nameSeed, s.names[sh.from:sh.to])]++
		}
	}
	return out
}

// changed reports whether a thing of this name is one more than there were.
func (k known) changed(name []byte) bool {
	if k == nil {
		return false
	}
	h := maphash.Bytes(nameSeed, name)
	if k[h] == 0 {
		return true
	}
	k[h]--
	return false
}

// outlined appends the outline, of a class if it has one, of a thing of which these are the
// shapes: a hex's edge, or a box around anything else.
func outlined(b []byte, class string, shapes []shape) []byte {
	if len(shapes) == 0 {
		return b
	}
	if sh := &shapes[0]; sh.op == opIcon && sh.icon == iconHex {
		b = append(b, `<use `...)
		if class != "" {
			b = append(append(append(b, `class="`...), class...), `" `...)
		}
		b = attr(b, `href="#ba`, int16(sh.icon))
		return placed(b, sh.x, sh.y, int(sh.w)-4)
	}
	x0, y0, x1, y1 := bounds(shapes)
	b = append(b, `<rect `...)
	if class != "" {
		b = append(append(append(b, `class="`...), class...), `" `...)
	}
	b = attr(b, `x="`, x0)
	b = attr(b, `" y="`, y0)
	b = attr(b, `" width="`, x1-x0)
	b = attr(b, `" height="`, y1-y0)
	return append(b, `"/>`...)
}

// bounds is a box around shapes, a little wider.
func bounds(shapes []shape) (x0, y0, x1, y1 int16) {
	if len(shapes) == 0 {
		return 0, 0, 0, 0
	}
	x0, y0, x1, y1 = int16(width), int16(1<<14), int16(0), int16(0)
	for i := range shapes {
		sh := &shapes[i]
		l, t, r, u := sh.x, sh.y, sh.x, sh.y
		switch sh.op {
		case opIcon:
			l, t, r, u = sh.x-sh.w/2, sh.y-sh.w/2, sh.x+sh.w/2, sh.y+sh.w/2
		case opBox:
			r, u = sh.x+sh.w, sh.y+sh.h
		case opText:
			w := int16(13 * len(sh.s)) // as wide as its font may be
			l, t, u = sh.x-w/2, sh.y-11, sh.y+11
			switch sh.align {
			case left:
				l = sh.x
			case right:
				l = sh.x - w
			}
			r = l + w
		}
		x0, y0, x1, y1 = min(x0, l), min(y0, t), max(x1, r), max(y1, u)
	}
	return max(x0-2, 2), max(y0-2, 2), min(x1+2, width-2), y1 + 2
}
