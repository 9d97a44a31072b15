package engine_test

import (
	"math"
	"testing"

	. "angelpost/engine"
)

// The draws of web/API.md (Chance) for the seed 00 01 … 1f, as an
// implementation in another language gives them.
func TestChanceToTheByte(t *testing.T) {
	var seed [32]byte
	for i := range seed {
		seed[i] = byte(i)
	}
	if got, want := Commitment(seed), "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"; got != want {
		t.Errorf("the commitment is %s, want %s", got, want)
	}
	for _, c := range []struct {
		message string
		stream  Stream
		k       uint32
		want    uint64
	}{
		{"", StreamSeats, 0, 0xb07dd220aa0a5e15},
		{"", StreamDieOrange, 0, 0x02ce6b6bfbfe8077},
		{"", StreamDieOrange, 1, 0x5ffa7157b23dac7e},
		{"", StreamMissionGray, 1234567890, 0x64df3436479f448b},
		{"pi\nété", StreamSeats, 0, 0xcdf856771a800fb6},
		{"pi\nété", StreamDieOrange, 0, 0x7ff8afc54e26d4f8},
		{"pi\nété", StreamDieOrange, 1, 0xc59fa862ec1d7f65},
		{"pi\nété", StreamMissionGray, 1234567890, 0x58956985cfc46ca2},
	} {
		chance := NewChance(seed, c.message)
		for range 2 { // the same draw is always the same
			if got := chance.Draw(c.stream, c.k); got != c.want {
				t.Errorf("%q: draw %d of %s is %x, want %x", c.message, c.k, c.stream, got, c.want)
			}
		}
	}
}

// Values from 2^64 - (2^64 mod m) on are rejected and the next draw taken; for
// a die m is 6 and the last four values are.
func TestChanceRejects(t *testing.T) {
	for _, c := range []struct {
		draws []uint64
		want  string
	}{
		{[]uint64{math.MaxUint64, 3}, "orange 2"},
		{[]uint64{math.MaxUint64 - 3, math.MaxUint64 - 2, 4}, "orange 3"},
		{[]uint64{math.MaxUint64 - 4}, "orange 3"}, // the last value taken: 5 below 6
	} {
		s, err := ParsePosition("seat 1 dice -\nseat 1 resources 0\nseat 1 stations 1 0 0")
		if err != nil {
			t.Fatal(err)
		}
		src := &scripted{next: map[Stream][]uint64{StreamDieOrange: c.draws}}
		if err := s.Apply(1, Step{Kind: Reroll}, src, nil); err != nil {
			t.Fatal(err)
		}
		if got := fact(t, s, "seat 1 dice"); got != c.want {
			t.Errorf("draws %v roll %s, want %s", c.draws, got, c.want)
		}
		if left := len(src.next[StreamDieOrange]); left != 0 {
			t.Errorf("%d of the draws %v were not taken", left, c.draws)
		}
	}
}
