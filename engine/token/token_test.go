package token_test

import (
	"math"
	"regexp"
	"strings"
	"testing"

	"angelpost/engine/token"
)

func keys() []token.Key {
	return []token.Key{{N: 1, Key: [32]byte{1}}, {N: 2, Key: [32]byte{2}}, {N: 18, Key: [32]byte{3}}} // two share their four bits
}

func TestOpen(t *testing.T) {
	slips := []token.Slip{{}, {Letter: 1, Game: token.Game("abc"), Place: 3, Turn: 7, Step: 212, Seen: 0xdeadbeef, Salt: 0x1234}}
	for _, k := range keys() {
		for _, s := range slips {
			text := k.Seal(s)
			if len(text) != token.Size || !regexp.MustCompile(`^[a-z2-7]+$`).MatchString(text) {
				t.Errorf("%q has %d characters", text, len(text))
			}
			got, by, ok := token.Open(text, keys())
			if !ok || got != s || by.N != k.N {
				t.Errorf("%+v of key %d: %+v of key %d, %v", s, k.N, got, by.N, ok)
			}
			for i := range text { // any other character anywhere
				other := byte('a')
				if text[i] == other {
					other = 'b'
				}
				if _, _, ok := token.Open(text[:i]+string(other)+text[i+1:], keys()); ok {
					t.Fatalf("a token with another character %d is taken", i)
				}
			}
		}
	}
	text := keys()[0].Seal(slips[1])
	for _, bad := range []string{"", "a", text[1:], text + "a", strings.ToUpper(text), text[:26], strings.Repeat("a", token.Size), strings.Repeat("\n", token.Size), text[:40] + strings.Repeat("\r\n", 4)} {
		if _, _, ok := token.Open(bad, keys()); ok {
			t.Errorf("%q is taken", bad)
		}
	}
	if _, _, ok := token.Open(text, keys()[1:]); ok {
		t.Error("a token of a key that is gone is taken")
	}
}

func TestSlipsTooLarge(t *testing.T) {
	k := keys()[0]
	got, _, ok := token.Open(k.Seal(token.Slip{Letter: math.MaxInt64, Game: math.MaxUint32, Place: 99, Turn: 1000, Step: 1 << 20}), keys())
	if want := (token.Slip{Letter: math.MaxUint32, Game: 1<<24 - 1, Place: 15, Turn: 255, Step: 1<<16 - 1}); !ok || got != want {
		t.Errorf("%+v, %v", got, ok)
	}
	if got, _, ok := token.Open(k.Seal(token.Slip{Letter: -1, Place: -1, Turn: -1, Step: -1}), keys()); !ok || got != (token.Slip{}) {
		t.Errorf("below zero: %+v, %v", got, ok)
	}
}
