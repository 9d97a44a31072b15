package outbox

import (
	"bytes"
	"math/rand/v2"
	"mime/quotedprintable"
	"strings"
	"testing"
)

// The encoding is the standard library's, for any text.
func TestQuotedPrintable(t *testing.T) {
	same := func(text string) {
		t.Helper()
		var got, want bytes.Buffer
		got.WriteString("before")
		quotedPrintable(&got, text)
		w := quotedprintable.NewWriter(&want)
		if _, err := w.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if got.String() != "before"+want.String() {
			t.Errorf("%q\nbecame %q\nwant   %q", text, got.String()[6:], want.String())
		}
	}
	// Around the end of a line every piece at every place.
	pieces := []string{"x", " ", "\t", "=", "é", "\n", ".", "\x7f", "\x00", "x ", " \n", "\t\n", "==", "= ", "xx"}
	for n := 70; n < 80; n++ {
		for _, a := range pieces {
			for _, b := range pieces {
				for _, c := range pieces {
					same(strings.Repeat("y", n) + a + b + c)
					same(strings.Repeat("=", n/3) + strings.Repeat("z", n%3) + a + b + c + "\n")
				}
			}
		}
	}
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		var text strings.Builder
		for range rnd.IntN(400) {
			if rnd.IntN(3) == 0 {
				text.WriteString(pieces[rnd.IntN(len(pieces))])
			} else {
				text.WriteByte(byte('!' + rnd.IntN(94)))
			}
		}
		same(text.String())
	}
	same("")
}

func BenchmarkQuotedPrintable(b *testing.B) {
	text := strings.Repeat("<td style=\"color:#123456\">Nebula – 3 cubes of débris, and a ship</td>\n", 400)
	var out bytes.Buffer
	b.Run("ours", func(b *testing.B) {
		for b.Loop() {
			out.Reset()
			quotedPrintable(&out, text)
		}
	})
	b.Run("std", func(b *testing.B) {
		for b.Loop() {
			out.Reset()
			w := quotedprintable.NewWriter(&out)
			w.Write([]byte(text))
			w.Close()
		}
	})
}
