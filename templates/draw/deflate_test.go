package draw

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"io"
	"math/bits"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// Of the pieces a flat picture is made of, long and short, far and near, and of
// what it never holds, every zlib reader gets back what went in.
func TestDeflate(t *testing.T) {
	for name, b := range deflateSamples() {
		d := new(deflater)
		for range 2 { // a deflater is used again
			var list []*band
			for part := range slices.Chunk(b, 361*500) {
				p := d.pack(part, 361)
				list = append(list, &p)
			}
			r, err := zlib.NewReader(bytes.NewReader(appendZlib(nil, list)))
			if err != nil {
				t.Fatal(name, err)
			}
			got, err := io.ReadAll(r)
			if err != nil || !bytes.Equal(got, b) {
				t.Errorf("%s: %d bytes became %d: %v", name, len(b), len(got), err)
			}
		}
	}
}

func deflateSamples() map[string][]byte {
	r := rand.New(rand.NewPCG(1, 2))
	random := make([]byte, 100_000)
	for i := range random {
		random[i] = byte(r.Uint32())
	}
	skewed := make([]byte, 1<<20) // codes would be longer than 15 bits
	for i := range skewed {
		skewed[i] = byte(bits.TrailingZeros32(r.Uint32()|1<<31)) * 7
	}
	far := slices.Concat(random[:300], bytes.Repeat([]byte{1}, maxBack-300), random[:300], random[:40_000], random[:300])
	return map[string][]byte{
		"nothing": nil, "a byte": {7}, "seven bytes": random[:7], "eight bytes": random[:8],
		"one colour": make([]byte, 400_000), "random": random, "skewed": skewed, "far": far,
	}
}

// The codes are about those that suit the samples best.
func TestCodesSuit(t *testing.T) {
	var texts [286]int
	var far [30]int
	for _, v := range samples(t) {
		e := new(encoder)
		s := newScene(v, nil)
		s.table()
		e.sort(s)
		for i := range s.bands() {
			count(e.band(s, i), &texts, &far)
		}
		texts[endOfBlock]++
	}
	for name, c := range map[string]struct {
		often []int
		codes []code
	}{"texts": {texts[:], textCodes[:]}, "distances": {far[:], farCodes[:]}} {
		spent, best, room := 0, 0, 0
		lengths := huffman(c.often)
		var digits strings.Builder
		for i, n := range c.often {
			spent += n * int(c.codes[i].len)
			best += n * lengths[i]
			room += 1 << 15 >> c.codes[i].len
			fmt.Fprintf(&digits, "%x", lengths[i])
			if c.codes[i].len == 0 {
				t.Errorf("%s: %d has no code", name, i)
			}
		}
		if room != 1<<15 {
			t.Errorf("the codes for %s are not complete: %d", name, room)
		}
		if spent > best*102/100 {
			t.Errorf("%s: %d bits, with these lengths %d:\n%s", name, spent, best, &digits)
		}
	}
}

// count reads a band and counts what it is made of.
func count(b *band, texts *[286]int, far *[30]int) {
	bit := 0
	read := func(n int) (v int) {
		for i := range n {
			v |= int(b.bits[bit/8]>>(bit%8)&1) << i
			bit++
		}
		return v
	}
	symbol := func(codes []code) int {
		for v, n := 0, 0; ; {
			v |= read(1) << n
			n++
			for i, c := range codes {
				if int(c.len) == n && int(c.bits) == v {
					return i
				}
			}
		}
	}
	for bit < b.n {
		text := symbol(textCodes[:])
		texts[text]++
		if text > endOfBlock {
			if text < 285 {
				read(max(0, (text-261)/4))
			}
			f := symbol(farCodes[:])
			far[f]++
			read(int(farMore[f]))
		}
	}
}

// huffman are the lengths of the best codes, at most 15 and of every symbol one.
func huffman(often []int) []int {
	often = slices.Clone(often)
	for i := range often {
		often[i]++
	}
	for {
		type tree struct {
			n       int
			symbols []int
		}
		var trees []tree
		for i, n := range often {
			trees = append(trees, tree{n, []int{i}})
		}
		lengths := make([]int, len(often))
		for len(trees) > 1 {
			slices.SortStableFunc(trees, func(a, b tree) int { return b.n - a.n })
			a, b := trees[len(trees)-1], trees[len(trees)-2]
			both := tree{a.n + b.n, slices.Concat(a.symbols, b.symbols)}
			for _, s := range both.symbols {
				lengths[s]++
			}
			trees = append(trees[:len(trees)-2], both)
		}
		if slices.Max(lengths) <= 15 {
			return lengths
		}
		for i, n := range often {
			often[i] = (n + 1) / 2
		}
	}
}
