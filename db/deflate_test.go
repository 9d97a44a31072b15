package db

import (
	"bytes"
	"compress/flate"
	"math/rand/v2"
	"strings"
	"testing"
)

// Whatever is packed is unpacked again, with the dictionary it was packed with.
func TestPack(t *testing.T) {
	check := func(text, dict []byte) (size int) {
		t.Helper()
		packed, err := pack(text, dict)
		if err != nil {
			t.Fatal(err)
		}
		got, err := unpack(packed, dict)
		if err != nil || !bytes.Equal(got, text) {
			t.Errorf("%d bytes with a dictionary of %d became %d: %v", len(text), len(dict), len(got), err)
		}
		return len(packed)
	}
	all := make([]byte, 256)
	for i := range all {
		all[i] = byte(i)
	}
	check(nil, nil)
	check(all, nil)
	check(all, usual)
	check(usual, usual)
	for n := range 600 { // copies of every length
		check(bytes.Repeat([]byte{'a'}, n), nil)
		check([]byte(strings.Repeat("ab", n/2)+"c"), usual)
	}
	for back := 1; back < 40_000; back = back*5/4 + 1 { // and from every distance
		dict := append([]byte("what stands in front"), bytes.Repeat([]byte{0}, back)...)
		check([]byte("x what stands in front x"), dict)
	}
	rnd := rand.New(rand.NewPCG(3, 4))
	for range 100 {
		random := func(most int) []byte {
			b := make([]byte, 0, most)
			for n := rnd.IntN(most); len(b) < n; {
				if from := rnd.IntN(len(b) + 1); rnd.IntN(3) > 0 && from < len(b) {
					b = append(b, b[from:min(len(b), from+rnd.IntN(400))]...)
				} else {
					b = append(b, byte(rnd.IntN(1<<rnd.IntN(9))))
				}
			}
			return b
		}
		check(random(40_000), random(3000))
	}

	// An answer's is no larger than compress/flate makes it.
	text := []byte(`{"names":["Ann","Bo"],"lines":[{"n":1,"text":"a1","as":["a1"],"status":"applied"},{"n":2,"text":"die orange flip","as":["die orange flip"],` +
		`"status":"applied"},{"n":3,"text":"ravager","as":["card ravager at row 3"],"status":"applied"}],"remarks":[{"code":"turn-done"}],"visibility":"unlisted"}`)
	var b bytes.Buffer
	w, err := flate.NewWriterDict(&b, flate.BestCompression, usual)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(text); err != nil {
		t.Fatal(err)
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	if n := check(text, usual); n > b.Len()-len(tail)+2 {
		t.Errorf("%d bytes of %d, compress/flate %d", n, len(text), b.Len()-len(tail))
	}
}

func BenchmarkPack(b *testing.B) {
	text := []byte(`{"names":["Ann","Bo"],"lines":[{"n":1,"text":"a1","as":["a1"],"status":"applied"}],"remarks":[{"code":"turn-done"}],"visibility":"unlisted"}`)
	for b.Loop() {
		pack(text, usual)
	}
}
