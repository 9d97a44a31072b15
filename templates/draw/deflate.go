package draw

import (
	"encoding/binary"
	"hash/adler32"
	"math/bits"
	"slices"
)

// A deflater writes rows of pixels as DEFLATE (RFC 1951). It looks for what it
// repeats in two places only, in the row above and where the same four bytes
// stood last, and that is where flat pictures repeat themselves; and its codes
// are fixed. compress/zlib takes many times as long for a fifth less.
type deflater struct {
	last [1 << hashBits]int32 // where four bytes with a hash stood last, counted from the first rows ever
	from int32                // where the rows begin, counted so
	bitWriter
}

const (
	minCopy    = 4
	maxCopy    = 258
	maxBack    = 32 << 10
	endOfBlock = 256
	hashBits   = 12
)

// A band is rows of pixels, packed: bits that may follow the header of a block
// and other bands, for they refer to no row of theirs.
type band struct {
	bits string
	n    int    // how many bits
	sum  uint32 // Adler-32 of the rows
	size int    // of the rows, bytes
}

// pack makes rows, each of pitch bytes, a band.
func (d *deflater) pack(rows []byte, pitch int) band {
	d.reset(d.out, 2*len(rows)) // no byte takes more than 15 bits, no copy, of 4 or more, than 48
	d.find(rows, pitch)
	n := 8*d.at + int(d.n)
	return band{bits: string(d.bytes()), n: n, sum: adler32.Checksum(rows), size: len(rows)}
}

// find writes rows as literals and copies.
func (d *deflater) find(b []byte, pitch int) {
	if d.from > 1<<30 {
		clear(d.last[:])
		d.from = 0
	}
	from := d.from + 1 // 0 is nowhere
	d.from += int32(len(b))
	w := d.bitWriter
	i := 0
	for i+8 <= len(b) {
		next := binary.LittleEndian.Uint64(b[i:])
		slot := &d.last[uint32(next)*2654435761>>(32-hashBits)]
		last := int(*slot - from)
		*slot = int32(i) + from
		at, n := i-pitch, 0
		if at >= 0 {
			if n = bits.TrailingZeros64(next^binary.LittleEndian.Uint64(b[at:])) / 8; n == 8 {
				n = alike(b, at, i)
			}
		}
		if n < 16 && last >= 0 && i-last <= maxBack {
			m := bits.TrailingZeros64(next^binary.LittleEndian.Uint64(b[last:])) / 8
			if m == 8 {
				m = alike(b, last, i)
			}
			if m > n {
				at, n = last, m
			}
		}
		if n < minCopy {
			c := textCodes[b[i]]
			w.put(uint64(c.bits), uint(c.len))
			i++
			continue
		}
		w.copy(n, i-at)
		i += n
	}
	for ; i < len(b); i++ {
		c := textCodes[b[i]]
		w.put(uint64(c.bits), uint(c.len))
	}
	d.bitWriter = w
}

// alike is how many bytes are the same from i and from j on, at most maxCopy.
// i is before j.
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

// A bitWriter writes bits to out, the lowest first.
type bitWriter struct {
	out []byte // there is room for 8 bytes more than is written
	at  int    // bytes written
	acc uint64 // bits not written yet
	n   uint   // how many, fewer than 8
}

// reset begins anew, with room for so many bytes; old may be used for it.
func (w *bitWriter) reset(old []byte, room int) {
	*w = bitWriter{out: old}
	if len(old) < room+8 {
		w.out = make([]byte, room+8)
	}
}

// put writes the low n bits of v, of which no others are set; n is at most 56.
func (w *bitWriter) put(v uint64, n uint) {
	w.acc |= v << (w.n & 7)
	w.n += n
	binary.LittleEndian.PutUint64(w.out[w.at:], w.acc)
	w.at += int(w.n >> 3)
	w.acc >>= w.n &^ 7
	w.n &= 7
}

// copy writes a copy of a length from so far back.
func (w *bitWriter) copy(length, back int) {
	c := copies[length]
	far := uint(back - 1)
	code := farCode[256+far>>7&255]
	if far < 256 {
		code = farCode[far]
	}
	f := farCodes[code]
	w.put(uint64(c.bits)|(uint64(f.bits)|uint64(far-uint(farBase[code]))<<f.len)<<c.len, uint(c.len+f.len+farMore[code]))
}

// band writes a band behind what is there.
func (w *bitWriter) band(b *band) {
	s, n := b.bits, b.n
	for ; n >= 32; s, n = s[4:], n-32 {
		w.put(uint64(s[0])|uint64(s[1])<<8|uint64(s[2])<<16|uint64(s[3])<<24, 32)
	}
	for ; n > 0; s, n = s[1:], n-8 {
		w.put(uint64(s[0]), uint(min(n, 8)))
	}
}

// bytes is all that is written, the last byte filled with zeros.
func (w *bitWriter) bytes() []byte { return w.out[:w.at+int(w.n+7)/8] }

// appendZlib appends bands to out as a zlib stream (RFC 1950).
func appendZlib(out []byte, bands []*band) []byte {
	room := 400
	for _, b := range bands {
		room += len(b.bits)
	}
	out = slices.Grow(out, room+8)
	w := bitWriter{out: out[:cap(out)], at: len(out)}
	w.put(0x78, 8)
	w.put(0x5e, 8)
	w.put(1, 1)                 // the last block
	w.put(2, 2)                 // with codes of its own
	w.put(286-257, 5)           // for all texts
	w.put(30-1, 5)              // and all distances
	w.put(19-4, 4)              // their lengths, 0 to 15, in four bits each:
	for i := range uint64(19) { // 16, 17, 18 are not used, and stand first
		w.put([]uint64{0, 4}[min(i/3, 1)], 3)
	}
	for _, codes := range [][]code{textCodes[:], farCodes[:]} {
		for _, c := range codes {
			w.put(uint64(bits.Reverse8(c.len)>>4), 4)
		}
	}
	sum := uint32(1)
	for _, b := range bands {
		w.band(b)
		sum = joined(sum, b.sum, b.size)
	}
	w.put(uint64(textCodes[endOfBlock].bits), uint(textCodes[endOfBlock].len))
	return binary.BigEndian.AppendUint32(w.bytes(), sum)
}

// joined is the Adler-32 of bytes whose is a and, behind them, n whose is b.
func joined(a, b uint32, n int) uint32 {
	const mod = 65521
	low := (a&0xffff + b&0xffff + mod - 1) % mod
	high := (uint64(a>>16) + uint64(b>>16) + uint64(a&0xffff+mod-1)*uint64(n%mod)) % mod
	return uint32(high)<<16 | low
}

// A code is a Huffman code and what follows it, its first bit lowest.
type code struct {
	bits uint32
	len  uint8
}

// The lengths of the codes for texts and for distances, a hexadecimal digit
// each: those that suit the pictures of many games best (TestCodesSuit).
const (
	textLengths = "5e78bbbb8edddebeeeeeeeeeeeeeeeee7e57eae978cbecea8e74e8e989eaeeaebeee7ee9eeeeeeabce98e7ee8eeeeeeabedeee7e9aeeeeebce889ee69aeeee8c9e78e89969eebebbee88ee9a86eeeeaedeceeeeeee9eeeecdebaeeeeeee8eeabdeeeeeeebeee9eeceeceeeeeeeeeeaecbeeaaee8baeaee6eeeaecbbcbeecdee7ee4455556555655665677677889986"
	farLengths  = "6ca877677746555617564646679ccc"
)

// Codes of texts, of copies of a length with the bits that follow, and of
// distances, RFC 1951 section 3.2.5.
var (
	textCodes [286]code
	copies    [maxCopy + 1]code
	farCodes  [30]code
	farCode   [512]uint8 // by distance-1, from 256 on by that divided by 128
	farBase   [30]uint16 // the least distance-1
	farMore   [30]uint8  // bits that follow
)

func init() {
	assign(textCodes[:], textLengths)
	assign(farCodes[:], farLengths)
	length := 3
	for symbol := 257; symbol < 285; symbol++ {
		more := max(0, (symbol-261)/4)
		for i := range uint32(1) << more {
			c := textCodes[symbol]
			copies[length] = code{c.bits | i<<c.len, c.len + uint8(more)}
			length++
		}
	}
	copies[maxCopy] = textCodes[285]
	far := 0
	for symbol := range farCodes {
		more := max(0, symbol/2-1)
		farBase[symbol], farMore[symbol] = uint16(far), uint8(more)
		for range 1 << more {
			if far < 256 {
				farCode[far] = uint8(symbol)
			} else {
				farCode[256+far>>7] = uint8(symbol)
			}
			far++
		}
	}
}

// assign gives symbols the codes that follow from their lengths.
func assign(codes []code, digits string) {
	var count, next [17]uint16
	for i := range digits {
		n := digits[i] - '0'
		if n > 9 {
			n = digits[i] - 'a' + 10
		}
		codes[i].len = n
		count[n]++
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
}
