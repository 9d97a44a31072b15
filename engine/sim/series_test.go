package sim

import (
	"encoding/json"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"angelpost/engine"
	"angelpost/engine/bot"
	"angelpost/engine/game"
)

// A stored game reviewed comes to what it came to when it was played, lines
// taken back or not.
func TestReview(t *testing.T) {
	for _, su := range reported() {
		for i := range 3 {
			seed := Seed("review", i)
			want, lines, err := su.Play(0, seed)
			if err != nil {
				t.Fatal(err)
			}
			taken := slices.IndexFunc(lines, func(l game.Line) bool { return len(l.Told) == 0 && l.N > 20 })
			undone := slices.Insert(slices.Clone(lines), taken+1, game.Line{Seat: lines[taken].Seat, Order: "undo " + strconv.Itoa(taken)}, lines[taken],
				game.Line{Seat: 1, Order: "resign"})
			for i := range undone {
				undone[i].N = i + 1
			}
			for _, log := range [][]game.Line{lines, undone} {
				got, err := su.Review(engine.NewChance(seed, ""), log)
				if err != nil {
					t.Fatal(err)
				}
				if got.LogHash != game.LogHash(log) {
					t.Error("the log has another hash")
				}
				got.LogHash, got.Seed = want.LogHash, want.Seed
				for i := range got.Scores {
					got.Scores[i].Name = want.Scores[i].Name
				}
				if !reflect.DeepEqual(got, want) {
					t.Errorf("%d players, game %d, %d lines: got\n%+v\nwant\n%+v", su.Options.Players, i, len(log), got, want)
				}
			}
			if _, err := su.Review(engine.NewChance(seed, ""), lines[:len(lines)-1]); err == nil {
				t.Error("a game without its end is counted")
			}
			if _, err := su.Review(engine.NewChance(Seed("other", i), ""), lines); err == nil {
				t.Error("a game of another seed is counted")
			}
		}
	}
}

var acts = regexp.MustCompile(`^(?:.* at ([1-6])|(mission) \d+|(B)|(pass))$`)

// Openings are what the log says, counted again from its text; a series goes on
// from what was written of it.
func TestOpenings(t *testing.T) {
	su := setup(3, bot.Random)
	half, whole := su.Series(), su.Series()
	want, last := map[string]int{}, map[string][]string{}
	seen := map[string]bool{}
	for i := range 40 {
		r, lines, err := su.Play(i, Seed("openings", i))
		if err != nil {
			t.Fatal(err)
		}
		if i%2 == 0 {
			r.Named = "game" + strconv.Itoa(i)
		}
		whole.Add(r)
		if i == 20 {
			b, err := json.Marshal(half)
			if err != nil {
				t.Fatal(err)
			}
			half = su.Series()
			if err := json.Unmarshal(b, half); err != nil {
				t.Fatal(err)
			}
		}
		half.Add(r)
		var turns [4][]string
		for _, l := range lines {
			m := acts.FindStringSubmatch(l.Order)
			if m == nil {
				continue
			}
			turns[l.Seat] = append(turns[l.Seat], m[1]+m[2]+m[3]+m[4])
		}
		for seat := 1; seat <= 3; seat++ {
			for k := range min(3, len(turns[seat])) {
				moves := strings.Join(turns[seat][:k+1], " ")
				if want[moves]++; r.Named != "" && !slices.Contains(last[moves], r.Named) {
					last[moves] = slices.Insert(last[moves], 0, r.Named)
				}
				seen[turns[seat][k]] = true
			}
		}
	}
	if a, b := asJSON(t, half), asJSON(t, whole); a != b {
		t.Errorf("taken up in the middle:\n%s\n%s", a, b)
	}
	got := map[string]int{}
	for _, o := range whole.Figures(40).Openings {
		moves := strings.Join(o.Moves, " ")
		got[moves] = o.Times
		if games := last[moves]; !slices.Equal(o.Games, games[:min(3, len(games))]) {
			t.Errorf("%s names %v, of %v", moves, o.Games, games)
		}
	}
	if !maps.Equal(got, want) {
		t.Errorf("got\n%v\nwant\n%v", got, want)
	}
	if len(seen) < 7 {
		t.Errorf("only %v were opened with", seen)
	}
}
