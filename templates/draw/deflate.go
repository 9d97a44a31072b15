package draw

import (
	"encoding/binary"
	"hash/adler32"
	"math/bits"
	"slices"
)

// A deflater writes rows of pixels as a zlib stream (RFC 1950, RFC 1951). It
// looks for what it repeats in two places only, in the row above and where the
// same four bytes stood last, and that is where flat pictures repeat
// themselves: compress/zlib takes three times as long for a sixth less.
type deflater struct {
	last   [1 << hashBits]int32 // where four bytes with a hash stood last, plus 1
	tokens []uint32             // literals, and copies as 1<<31 | length-minCopy << 16 | distance-1
	out    []byte
	acc    uint64 // bits not written yet
	n      uint   // how many
}

const (
	minCopy    = 4
	maxCopy    = 258
	maxBack    = 32 << 10
	endOfBlock = 256
	hashBits   = 13
)

// zlib appends rows, each of pitch bytes, to out as a zlib stream.
func (d *deflater) zlib(out, rows []byte, pitch int) []byte {
	d.find(rows, pitch)
	d.out = append(out, 0x78, 0x5e)
	d.write()
	d.out = binary.BigEndian.AppendUint32(d.out, adler32.Checksum(rows))
	out, d.out = d.out, nil
	return out
}

// find makes rows tokens.
func (d *deflater) find(b []byte, pitch int) {
	clear(d.last[:])
	tokens := d.tokens[:0]
	i := 0
	for i+8 <= len(b) {
		four := binary.LittleEndian.Uint32(b[i:])
		slot := &d.last[four*2654435761>>(32-hashBits)]
		last := int(*slot) - 1
		*slot = int32(i + 1)
		from, n := i-pitch, 0
		if from >= 0 {
			n = alike(b, from, i)
		}
		if n < 16 && last >= 0 && i-last <= maxBack {
			if m := alike(b, last, i); m > n {
				from, n = last, m
			}
		}
		if n < minCopy {
			tokens = append(tokens, uint32(b[i]))
			i++
			continue
		}
		tokens = append(tokens, 1<<31|uint32(n-minCopy)<<16|uint32(i-from-1))
		i += n
	}
	for ; i < len(b); i++ {
		tokens = append(tokens, uint32(b[i]))
	}
	d.tokens = tokens
}

// alike is how many bytes are the same from i and from j on, at most maxCopy.
// There are at least 8 from j on, and i is before it.
func alike(b []byte, i, j int) int {
	p, q := b[i:], b[j:]
	q = q[:min(len(q), maxCopy)]
	n := 0
	for ; n+8 <= len(q); n += 8 {
		if x := binary.LittleEndian.Uint64(p[n:]) ^ binary.LittleEndian.Uint64(q[n:]); x != 0 {
			return n + bits.TrailingZeros64(x)/8
		}
	}
	for n < len(q) && p[n] == q[n] {
		n++
	}
	return n
}

// Codes of lengths and distances, RFC 1951 section 3.2.5.
var (
	lengthCode [maxCopy + 1]uint16 // by length
	lengthBase [286]uint16         // by code
	lengthMore [286]uint8          // by code: bits that follow
	farCode    [512]uint8          // by distance-1, from 256 on by that divided by 128
	farBase    [30]uint16
	farMore    [30]uint8
)

func init() {
	length := 3
	for code := 257; code < 285; code++ {
		more := max(0, (code-261)/4)
		lengthBase[code], lengthMore[code] = uint16(length), uint8(more)
		for range 1 << more {
			lengthCode[length] = uint16(code)
			length++
		}
	}
	lengthBase[285], lengthCode[maxCopy] = maxCopy, 285
	far := 0
	for code := range farBase {
		more := max(0, code/2-1)
		farBase[code], farMore[code] = uint16(far), uint8(more)
		for range 1 << more {
			if far < 256 {
				farCode[far] = uint8(code)
			} else {
				farCode[256+far>>7] = uint8(code)
			}
			far++
		}
	}
}

func farCodeOf(far uint32) uint8 {
	if far < 256 {
		return farCode[far]
	}
	return farCode[256+far>>7]
}

// write writes the tokens as one block with codes of its own.
func (d *deflater) write() {
	var texts [286]int
	var fars [30]int
	texts[endOfBlock] = 1
	for _, t := range d.tokens {
		if t>>31 == 0 {
			texts[t]++
			continue
		}
		texts[lengthCode[t>>16&0xff+minCopy]]++
		fars[farCodeOf(t&0xffff)]++
	}
	text, far := codesOf(texts[:]), codesOf(fars[:])
	d.acc, d.n = 0, 0
	d.put(1, 1)                 // the last block
	d.put(2, 2)                 // with codes of its own
	d.put(uint64(286-257), 5)   // for all texts
	d.put(uint64(30-1), 5)      // and all distances
	d.put(uint64(19-4), 4)      // their lengths, 0 to 15, in four bits each:
	for i := range uint64(19) { // 16, 17, 18 are not used, and stand first
		d.put([]uint64{0, 4}[min(i/3, 1)], 3)
	}
	for _, c := range slices.Concat(text, far) {
		d.put(uint64(bits.Reverse8(c.len)>>4), 4)
	}
	// What a copy of each length takes, with the bits that follow its code.
	var copies [maxCopy + 1]code
	for n := minCopy; n <= maxCopy; n++ {
		from := lengthCode[n]
		c := text[from]
		copies[n] = code{c.bits | (uint32(n)-uint32(lengthBase[from]))<<c.len, c.len + lengthMore[from]}
	}
	out, acc, n := d.out, d.acc, d.n
	for _, t := range d.tokens {
		if t>>31 == 0 {
			c := text[t]
			acc |= uint64(c.bits) << n
			n += uint(c.len)
		} else {
			c := copies[t>>16&0xff+minCopy]
			acc |= uint64(c.bits) << n
			n += uint(c.len)
			back := t & 0xffff
			from := farCodeOf(back)
			f := far[from]
			if n >= 32 {
				out = binary.LittleEndian.AppendUint32(out, uint32(acc))
				acc >>= 32
				n -= 32
			}
			acc |= (uint64(f.bits) | uint64(back-uint32(farBase[from]))<<f.len) << n
			n += uint(f.len + farMore[from])
		}
		if n >= 32 {
			out = binary.LittleEndian.AppendUint32(out, uint32(acc))
			acc >>= 32
			n -= 32
		}
	}
	d.out, d.acc, d.n = out, acc, n
	c := text[endOfBlock]
	d.put(uint64(c.bits), uint(c.len))
	for ; d.n > 0; d.n -= min(d.n, 8) {
		d.out = append(d.out, byte(d.acc))
		d.acc >>= 8
	}
}

// put writes the low n bits of v, n at most 15.
func (d *deflater) put(v uint64, n uint) {
	d.acc |= v << d.n
	if d.n += n; d.n >= 32 {
		d.out = binary.LittleEndian.AppendUint32(d.out, uint32(d.acc))
		d.acc >>= 32
		d.n -= 32
	}
}

// A code is a Huffman code, its first bit lowest.
type code struct {
	bits uint32
	len  uint8
}

// codesOf are codes of at most 15 bits for symbols that occur so often. At
// least two symbols get one, so that the code is complete.
func codesOf(often []int) []code {
	codes := make([]code, len(often))
	often = slices.Clone(often)
	for i := 0; i < 2; i++ {
		often[i] = max(often[i], 1)
	}
	for !lengths(codes, often) { // too long: let the counts be more alike
		for i, n := range often {
			often[i] = (n + 1) / 2
		}
	}
	var count, next [17]uint16
	for _, c := range codes {
		count[c.len]++
	}
	count[0] = 0
	for n := 1; n < 16; n++ {
		next[n+1] = (next[n] + count[n]) << 1
	}
	for i, c := range codes {
		if c.len > 0 {
			codes[i].bits = uint32(bits.Reverse16(next[c.len]) >> (16 - c.len))
			next[c.len]++
		}
	}
	return codes
}

// lengths finds the lengths of Huffman's codes. It reports whether none is
// longer than 15.
func lengths(codes []code, often []int) bool {
	type node struct{ n, left, right int }
	var nodes []node // leaves by n, then what joins two of those before
	for i, n := range often {
		if n > 0 {
			nodes = append(nodes, node{n, -1, i})
		}
	}
	slices.SortFunc(nodes, func(a, b node) int { return a.n - b.n })
	leaves := len(nodes)
	leaf, joined := 0, leaves
	least := func() int {
		if leaf < leaves && (joined == len(nodes) || nodes[leaf].n <= nodes[joined].n) {
			leaf++
			return leaf - 1
		}
		joined++
		return joined - 1
	}
	for len(nodes) < 2*leaves-1 {
		a := least()
		b := least()
		nodes = append(nodes, node{nodes[a].n + nodes[b].n, a, b})
	}
	depth := make([]uint8, len(nodes))
	for i := len(nodes) - 1; i >= 0; i-- {
		if n := nodes[i]; n.left >= 0 {
			depth[n.left], depth[n.right] = depth[i]+1, depth[i]+1
		} else if codes[n.right].len = depth[i]; depth[i] > 15 {
			return false
		}
	}
	return true
}
