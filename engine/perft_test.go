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
	"angelpost/engine/order"
)

var updatePerft = flag.Bool("update-perft", false, "write testdata/perft.txt anew")

// TestPerft counts the sequences of legal steps, up to four deep, from fixed
// positions: a wall against changes of what is legal that no one meant. Up to
// three deep every sequence is played, and the second scorer must agree after
// each of its steps. testdata/perft.txt has a line a position: those of games
// with the bench set by all options, and some of the frozen games.
func TestPerft(t *testing.T) {
	var got []string
	count := func(at string, s *State, sc *scorer, src Random) {
		var counts [4]int
		if err := perft(s, sc, src, counts[:]); err != nil {
			t.Errorf("%s: %v", at, err)
		}
		line := at + ":"
		for _, n := range counts {
			line += fmt.Sprintf(" %d", n)
		}
		got = append(got, line)
	}
	for players := 1; players <= MaxPlayers; players++ {
		for k := range 4 {
			o := Options{Players: players, Advanced: k%2 == 1, First: k/2 == 1}
			if players == 1 {
				o.Hal = Easy + Level(k)
			}
			for _, steps := range []int{0, 29, 61} {
				s, sc, src := position(t, o, steps)
				rules, edition := "base", "revised"
				if o.Advanced {
					rules = "advanced"
				}
				if o.First {
					edition = "first"
				}
				count(fmt.Sprintf("%d %s %s after %d", players, rules, edition, steps), &s, sc, src)
			}
		}
	}
	want := strings.Split(strings.TrimSpace(readText(t, "testdata/perft.txt")), "\n")
	if *updatePerft {
		want = slices.Concat(got, fixturePositions(t))
	}
	for _, line := range want[min(len(got), len(want)):] {
		at, _, _ := strings.Cut(line, ":")
		var name string
		var n int
		if _, err := fmt.Sscanf(at, "game %s after line %d", &name, &n); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		f := readFixture(t, name)
		fr, src, d := f.at(f.set(t), n)
		if d != nil {
			t.Fatalf("%s: %v", name, d)
		}
		count(at, &fr.s, fr.sc, src)
	}
	if *updatePerft {
		want = got
		if err := os.WriteFile("testdata/perft.txt", []byte(strings.Join(got, "\n")+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for i, line := range got {
		if i >= len(want) || want[i] != line {
			t.Errorf("counted %q, want %q", line, slices.Concat(want, []string{""})[min(i, len(want))])
		}
	}
	if len(want) != len(got) {
		t.Errorf("%d positions, want %d", len(got), len(want))
	}
}

// position is a game of the bench set some random steps old, in which a player
// has a choice, and the second scorer of it.
func position(t *testing.T, o Options, steps int) (State, *scorer, Random) {
	t.Helper()
	src := NewChance(seedOf("perft", o.Players), "")
	var told Tale
	s, err := New(benchSet(), o, src, &told)
	if err != nil {
		t.Fatal(err)
	}
	sc := newScorer(benchSet(), o)
	sc.look(s.Project(0))
	rng := rand.New(rand.NewPCG(uint64(o.Players), 3))
	for n := 0; ; n++ {
		if err := sc.after(&s, told.Events); err != nil {
			t.Fatalf("%+v: step %d: %v", o, n, err)
		}
		for seat := Seat(1); int(seat) <= o.Players; seat++ {
			if legal := s.Legal(seat, nil); len(legal) > 0 {
				if n >= steps && len(legal) > 1 {
					return s, sc, src
				}
				st := legal[rng.IntN(len(legal))]
				for range 3 { // few rerolls, or the game is soon over
					if st.Kind == Reroll {
						st = legal[rng.IntN(len(legal))]
					}
				}
				told.Events = told.Events[:0]
				s.Do(seat, st, src, &told)
				break
			}
		}
		if s.Finished() {
			t.Fatalf("%+v: over after %d steps", o, n)
		}
	}
}

// perft counts the sequences of 1, 2, … len(counts) steps, the lowest seat that
// must decide going first. All but the last steps are played and held against
// the second scorer.
func perft(s *State, sc *scorer, src Random, counts []int) error {
	for seat := Seat(1); seat <= MaxPlayers; seat++ {
		legal := s.Legal(seat, nil)
		if len(legal) == 0 {
			continue
		}
		counts[0] += len(legal)
		if len(counts) == 1 {
			return nil
		}
		for _, st := range legal {
			var told Tale
			next, account := *s, sc.clone()
			next.Do(seat, st, src, &told)
			if err := account.after(&next, told.Events); err != nil {
				return fmt.Errorf("seat %d: %s: %w", seat, order.Print(st), err)
			}
			if err := perft(&next, account, src, counts[1:]); err != nil {
				return fmt.Errorf("seat %d: %s, %w", seat, order.Print(st), err)
			}
		}
		return nil
	}
	return nil
}

// fixturePositions are a position of every fourth frozen game, from its middle
// on the first with a choice of many, but not too many to try.
func fixturePositions(t *testing.T) (out []string) {
	for i, name := range fixtureNames(t) {
		if i%4 != 0 {
			continue
		}
		f := readFixture(t, name)
		for n := len(f.rec.Log) / 2; n < len(f.rec.Log); n++ {
			fr, src, d := f.at(f.set(t), n)
			if d != nil {
				t.Fatalf("%s: %v", name, d)
			}
			var counts [4]int
			if err := perft(&fr.s, fr.sc, src, counts[:3]); err != nil {
				t.Fatalf("%s after line %d: %v", name, n, err)
			}
			if counts[0] > 5 && counts[2] > 300 && counts[2] < 3000 {
				out = append(out, fmt.Sprintf("game %s after line %d:", name, n))
				break
			}
		}
	}
	return out
}
