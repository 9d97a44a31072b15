package db

import (
	"encoding/binary"
	"math/bits"
)

// A deflater writes DEFLATE (RFC 1951) with the fixed codes of its section 3.2.6.
// For texts of some hundred bytes with a dictionary it leaves as little as
// compress/flate does at its best, in less than a third of the time: that clears tables for
// texts of any length, and packs the dictionary, too, each time.
type deflater struct {
	out []byte
	acc uint64 // bits not written yet, the next one lowest
	n   uint   // how many
}

const (
	minCopy  = 4
	maxCopy  = 258
	maxBack  = 32 << 10
	maxTries = 64 // places compared with, so that no text takes long
	hashBits = 12
)

// pack is text packed: one block, then an empty one, whose end is the tail that
// is left out. What stands in dict is referred to.
func pack(text, dict []byte) []byte {
	b := append(append(make([]byte, 0, len(dict)+len(text)), dict...), text...)
	var last [1 << hashBits]int32     // where four bytes with a hash stood last, counted from 1
	before := make([]int32, len(b)+1) // by place: where they stood before
	known := 0                        // places entered
	find := func(i int) (at, n int) {
		if i+minCopy > len(b) {
			return 0, 0
		}
		for ; known < i; known++ {
			h := hash(b[known:])
			before[known+1], last[h] = last[h], int32(known+1)
		}
		end := min(len(b), i+maxCopy)
		p := int(last[hash(b[i:])]) - 1
		for tries := 0; p >= 0 && i-p <= maxBack && tries < maxTries; tries++ {
			if m := alike(b[p:], b[i:end]); m > n {
				at, n = p, m
			}
			p = int(before[p+1]) - 1
		}
		return at, n
	}
	d := deflater{out: make([]byte, 0, len(text)/2+16)}
	d.put(2, 3) // not the last block; fixed codes
	at, n := find(len(dict))
	for i := len(dict); i < len(b); {
		nextAt, next := 0, 0
		if n > 0 && n < maxCopy {
			nextAt, next = find(i + 1)
		}
		if n >= minCopy && n >= next {
			d.copy(n, i-at)
			i += n
			at, n = find(i)
			continue
		}
		d.literal(b[i])
		i++
		if at, n = nextAt, next; n == 0 {
			at, n = find(i)
		}
	}
	d.code(0, 7) // the end of the block
	d.put(0, 3)  // another one, stored
	if d.n > 0 {
		d.put(0, 8-d.n)
	}
	return d.out
}

// hash is of four bytes.
func hash(b []byte) uint32 {
	return binary.LittleEndian.Uint32(b) * 2654435761 >> (32 - hashBits)
}

// alike is how many bytes are the same.
func alike(a, b []byte) (n int) {
	for n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// put writes the low n bits of v, of which no others are set, the lowest first.
func (d *deflater) put(v uint32, n uint) {
	d.acc |= uint64(v) << d.n
	for d.n += n; d.n >= 8; d.n -= 8 {
		d.out = append(d.out, byte(d.acc))
		d.acc >>= 8
	}
}

// code writes a Huffman code of n bits, the highest first.
func (d *deflater) code(v uint32, n uint) { d.put(bits.Reverse32(v)>>(32-n), n) }

func (d *deflater) literal(c byte) {
	if c < 144 {
		d.code(0x30+uint32(c), 8)
	} else {
		d.code(0x190+uint32(c)-144, 9)
	}
}

// copy writes a copy of so many bytes from so far back.
func (d *deflater) copy(length, back int) {
	if length == maxCopy {
		d.code(0xc0+285-280, 8)
	} else {
		symbol, extra, more := stepped(uint32(length-3), 4)
		if symbol += 257; symbol < 280 {
			d.code(symbol-256, 7)
		} else {
			d.code(0xc0+symbol-280, 8)
		}
		d.put(extra, more)
	}
	symbol, extra, more := stepped(uint32(back-1), 2)
	d.code(symbol, 5)
	d.put(extra, more)
}

// stepped is the symbol for a length or distance above the least, and the bits
// that follow it: each power of two has as many symbols as per says.
func stepped(v, per uint32) (symbol, extra uint32, more uint) {
	if v < 2*per {
		return v, 0, 0
	}
	more = uint(bits.Len32(v) - bits.Len32(per))
	return per*uint32(more) + v>>more, v & (1<<more - 1), more
}
