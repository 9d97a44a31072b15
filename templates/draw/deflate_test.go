package draw

import (
	"bytes"
	"compress/zlib"
	"io"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"
)

// Of the pieces a flat picture is made of, long and short, far and near, and of
// what it never holds, every zlib reader gets back what went in.
func TestDeflate(t *testing.T) {
	for name, b := range deflateSamples() {
		var d deflater
		var list []*band
		for part := range slices.Chunk(b, 361*500) {
			list = append(list, d.compress(part))
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
	far := slices.Concat(random[:300], bytes.Repeat([]byte{1}, 32<<10-300), random[:300], random[:40_000], random[:300])
	return map[string][]byte{
		"nothing": nil, "a byte": {7}, "seven bytes": random[:7], "eight bytes": random[:8],
		"one colour": make([]byte, 400_000), "random": random, "skewed": skewed, "far": far,
	}
}
