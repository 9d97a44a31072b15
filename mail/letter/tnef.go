package letter

import (
	"encoding/binary"
	"strings"
	"unicode/utf16"
)

// Outlook may send a letter as one application/ms-tnef part, winmail.dat ([MS-OXTNEF]):
// records of level, attribute, length, data and checksum. Its text is an attribute of
// its own, or one of the MAPI properties in another.
const (
	tnefSignature = 0x223E9F78
	tnefBody      = 0x0002800C
	tnefProps     = 0x00069003
	propBody      = 0x1000
	propHTML      = 0x1013
)

// A tnefReader reads little-endian values; past the end it is bad and gives zeros.
type tnefReader struct {
	b   []byte
	bad bool
}

func (r *tnefReader) take(n uint32) []byte {
	if r.bad || uint64(n) > uint64(len(r.b)) {
		r.bad = true
		return nil
	}
	out := r.b[:n]
	r.b = r.b[n:]
	return out
}

func (r *tnefReader) u16() uint16 {
	b := r.take(2)
	if b == nil {
		return 0
	}
	return binary.LittleEndian.Uint16(b)
}

func (r *tnefReader) u32() uint32 {
	b := r.take(4)
	if b == nil {
		return 0
	}
	return binary.LittleEndian.Uint32(b)
}

// tnefText returns the text in a TNEF part, or its HTML.
func tnefText(b []byte) (plain, html string) {
	look(len(b))
	r := tnefReader{b: b}
	if r.u32() != tnefSignature {
		return "", ""
	}
	r.u16()
	for !r.bad && len(r.b) > 0 {
		level := r.take(1)
		id := r.u32()
		data := r.take(r.u32())
		r.u16()
		if r.bad || level[0] != 1 {
			break // level 2: attachments follow
		}
		switch id {
		case tnefBody:
			plain = utf8Text(trimNUL(data), "")
		case tnefProps:
			p, h := tnefProperties(data)
			if plain == "" {
				plain = p
			}
			html = h
		}
	}
	return plain, html
}

// tnefSizes are the octets of the values of fixed size, by type.
var tnefSizes = map[uint16]uint32{0x02: 4, 0x03: 4, 0x04: 4, 0x05: 8, 0x06: 8, 0x07: 8, 0x0A: 4, 0x0B: 4, 0x14: 8, 0x40: 8, 0x48: 16}

func tnefProperties(b []byte) (plain, html string) {
	r := tnefReader{b: b}
	for n := r.u32(); n > 0 && !r.bad; n-- {
		typ, id := r.u16(), r.u16()
		if id >= 0x8000 { // named
			r.take(16)
			if r.u32() == 0 {
				r.u32()
			} else {
				r.padded()
			}
		}
		count, many := uint32(1), typ&0x1000 != 0
		kind := typ &^ 0x1000
		size, fixed := tnefSizes[kind]
		if many || !fixed {
			count = r.u32()
		}
		for ; count > 0 && !r.bad; count-- {
			if fixed {
				r.take(size)
				continue
			}
			v := r.padded()
			text := utf8Text(trimNUL(v), "")
			if kind == 0x1F {
				text = utf16Text(v)
			}
			switch id {
			case propBody:
				plain = text
			case propHTML:
				html = text
			}
		}
	}
	return plain, html
}

// padded takes a length and as many octets, filled up to a multiple of four.
func (r *tnefReader) padded() []byte {
	n := r.u32()
	v := r.take(n)
	r.take(min(-n&3, uint32(len(r.b))))
	return v
}

func trimNUL(b []byte) []byte { return []byte(strings.TrimRight(string(b), "\x00")) }

func utf16Text(b []byte) string {
	u := make([]uint16, len(b)/2)
	for i := range u {
		u[i] = binary.LittleEndian.Uint16(b[2*i:])
	}
	return strings.TrimRight(string(utf16.Decode(u)), "\x00")
}
