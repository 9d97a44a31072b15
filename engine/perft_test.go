package engine_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	. "angelpost/engine"
)

var updatePerft = flag.Bool("update-perft", false, "write testdata/perft.txt anew")

// TestPerft counts the sequences of legal steps, up to four deep, from fixed
// positions of games by all options: a wall against changes of what is legal
// that nobody meant. testdata/perft.txt has a line a position; those of the
// bench set hold however the default set is tuned.
func TestPerft(t *testing.T) {
	var got []string
	for players := 1; players <= MaxPlayers; players++ {
		for k := range 4 {
			o := Options{Players: players, Advanced: k%2 == 1, First: k/2 == 1}
			if players == 1 {
				o.Hal = Easy + Level(k)
			}
			for _, steps := range []int{0, 29, 61} {
				s, src := position(t, o, steps)
				rules, edition := "base", "revised"
				if o.Advanced {
					rules = "advanced"
				}
				if o.First {
					edition = "first"
				}
				line := fmt.Sprintf("%d %s %s after %d:", players, rules, edition, steps)
				for depth := 1; depth <= 4; depth++ {
					line += fmt.Sprintf(" %d", perft(&s, src, depth))
				}
				got = append(got, line)
			}
		}
	}
	if *updatePerft {
		if err := os.WriteFile("testdata/perft.txt", []byte(strings.Join(got, "\n")+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want := strings.Split(strings.TrimSpace(readText(t, "testdata/perft.txt")), "\n")
	for i, line := range got {
		if i >= len(want) || want[i] != line {
			t.Errorf("counted %q, want %q", line, slices.Concat(want, []string{""})[min(i, len(want))])
		}
	}
	if len(want) != len(got) {
		t.Errorf("%d positions, want %d", len(got), len(want))
	}
}

// position is a game of the bench set some random steps old, in which somebody
// has a choice.
func position(t *testing.T, o Options, steps int) (State, Random) {
	t.Helper()
	src := NewChance(seedOf("perft", o.Players), "")
	s, err := New(benchSet(), o, src, nil)
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(uint64(o.Players), 3))
	for n := 0; ; n++ {
		for seat := Seat(1); int(seat) <= o.Players; seat++ {
			if legal := s.Legal(seat, nil); len(legal) > 0 {
				if n >= steps && len(legal) > 1 {
					return s, src
				}
				st := legal[rng.IntN(len(legal))]
				for range 3 { // few rerolls, or the game is soon over
					if st.Kind == Reroll {
						st = legal[rng.IntN(len(legal))]
					}
				}
				s.Do(seat, st, src, nil)
				break
			}
		}
		if s.Finished() {
			t.Fatalf("%+v: over after %d steps", o, n)
		}
	}
}

// perft counts the sequences of depth steps, the lowest seat that must decide
// going first.
func perft(s *State, src Random, depth int) (n int) {
	for seat := Seat(1); seat <= MaxPlayers; seat++ {
		legal := s.Legal(seat, nil)
		if len(legal) == 0 {
			continue
		}
		if depth == 1 {
			return len(legal)
		}
		for _, st := range legal {
			next := *s
			next.Do(seat, st, src, nil)
			n += perft(&next, src, depth-1)
		}
		return n
	}
	return 0
}
