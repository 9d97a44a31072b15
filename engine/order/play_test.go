package order_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"angelpost/engine"
	"angelpost/engine/component"
	"angelpost/engine/order"
)

// sloppy are lines a person may write for a step instead of its canonical one.
func sloppy(line string, names []string) []string {
	w := strings.Fields(line)
	out := []string{"* " + strings.ToUpper(line) + ".", strings.ReplaceAll(line, " at ", " "), strings.Replace(line, " ", ": ", 1)}
	short := append([]string(nil), w...)
	for i, s := range short {
		if len(s) > 4 && i == 0 {
			short[i] = s[:4]
		}
	}
	out = append(out, strings.Join(short, " "))
	switch w[0] {
	case "card":
		out = append(out, fmt.Sprintf("play %s in %s%s", strings.TrimLeft(w[1], "0"), w[3][:1], w[4]), "mission "+strings.Join(w[1:], " "))
		if w[1] > "060" || w[3] == "column" { // 'c2' is a hex too
			out = out[:len(out)-1]
		}
	case "activate":
		out = append(out, strings.Join(w[1:], " "), strings.Replace(line, " to ", " -> ", 1), strings.ReplaceAll(line, " on ", " via "))
	case "die":
		out = append(out, "use the "+w[2]+" "+strings.Join(append([]string{w[1]}, w[3:]...), " "))
		if len(w) > 4 && w[4] == "seat" {
			out = append(out, "buy "+w[1]+" "+w[2]+" from "+append(names, "Hal")[w[5][0]-'1'])
		}
	case "discover", "repair", "destroy", "command":
		out = append(out, w[0], "Let's "+w[0])
	case "mission":
		out = append(out, "use card "+w[1], "activate mission "+w[1])
	case "take":
		slices.Reverse(w[1:])
		out = append(out, strings.Join(w, ", "), strings.ReplaceAll(line, " t", " "))
	case "inject":
		out = append(out, strings.Join(w[1:], " "), "insert tile "+strings.Join(w[1:], " "))
	case "cube":
		out = append(out, "remove "+line, strings.ReplaceAll(line, " on ", " onto "))
	case "launch", "ship":
		out = append(out, strings.ReplaceAll(line, " to ", "–"), "my "+line)
	case "place":
		out = append(out, "mission "+w[1], "place "+strings.TrimLeft(w[1], "0"))
	case "locations":
		slices.Reverse(w[1:])
		out = append(out, "loc "+strings.Join(w[1:], "+"), "at "+strings.Join(w[1:], " and "))
	case "reserve":
		out = append(out, strings.Join(append([]string{"reserve", w[2], w[1]}, w[3:]...), " "))
	case "flip":
		out = append(out, "turn my "+strings.Join(w[1:], " "), line+" to "+string('0'+(w[2][0]-'0')^2))
	case "boost":
		out = append(out, strings.Replace(line, " "+w[1]+" ", " "+w[1]+" as ", 1), "use "+line)
	}
	return out
}

// named are the words of a line that a step must bear to be what it means.
func named(line string) (out []string) {
	for _, w := range strings.Fields(line) {
		if strings.ContainsAny(w, "0123456789") || w == "flip" || w == "boost" || w == "secure" || w == "orange" || w == "gray" || w == "green" || w == "launch" {
			out = append(out, w)
		}
	}
	return out
}

// optionsOf goes through all numbers of players and options.
func optionsOf(game int) engine.Options {
	o := engine.Options{Players: 1 + game%4, Advanced: game/4%2 == 1, First: game/8%2 == 1}
	if o.Players == 1 {
		o.Hal = engine.Easy
	}
	return o
}

// Written sloppily a listed step is itself or asked back, never another; and
// with a word left out it is at most a step that bears every word that stands.
func TestSloppyLinesAreNeverAnotherStep(t *testing.T) {
	set := component.Default()
	asked, taken := 0, 0
	for game := range 40 {
		options := optionsOf(game)
		players := options.Players
		rng := rand.New(rand.NewPCG(uint64(game), 11))
		chance := engine.NewChance([32]byte{byte(game), 1}, "")
		s, err := engine.New(set, options, chance, nil)
		if err != nil {
			t.Fatal(err)
		}
		names := []string{"Ann Lee", "Bob", "Zoë", "Orange Joe"}[:players]
		for !s.Finished() {
			seat := engine.Seat(1)
			for !s.ToAct(seat) {
				seat++
			}
			legal := s.Legal(seat, nil)
			ctx := order.Context{Names: names, View: s.Project(seat)}
			for range min(len(legal), 4) {
				step := legal[rng.IntN(len(legal))]
				line := order.Print(step)
				for _, l := range sloppy(line, names) {
					cs := order.Expand(l)
					if len(cs) == 0 || !cs[len(cs)-1].Readable() {
						t.Fatalf("game %d: %q for %q is not read: %+v", game, l, line, cs)
					}
					found, p := order.Match(cs[0], legal, ctx)
					switch {
					case p == nil && len(found) == 1 && found[0] == step:
						taken++
					case p != nil && p.Code == order.Ambiguous && (slices.Contains(p.Choices, step) || len(p.Choices) == order.MaxChoices):
						asked++
					default:
						t.Fatalf("game %d: %q for %q is read as %s, %+v", game, l, line, prints(found), p)
					}
				}
				w := strings.Fields(line)
				drop := rng.IntN(len(w))
				l := strings.Join(slices.Delete(w, drop, drop+1), " ")
				for _, c := range order.Expand(l) {
					found, _ := order.Match(c, legal, ctx)
					for _, f := range found {
						have := strings.Fields(order.Print(f))
						for _, n := range named(c.Text) {
							if !slices.Contains(have, n) && !slices.Contains(have, "t"+n) && !slices.Contains(have, "a"+n) && !slices.Contains(have, "0"+n) {
								t.Fatalf("game %d: %q is read as %q", game, l, order.Print(f))
							}
						}
					}
				}
			}
			s.Do(seat, legal[rng.IntN(len(legal))], chance, nil)
		}
	}
	if taken < 20*asked {
		t.Errorf("%d lines taken, %d asked back", taken, asked)
	}
}

// In whole games of one to four players every listed step prints as a line of
// its own, is read back as itself, and is what the forgiving reader finds for
// that line among all that is legal there.
func TestEveryListedStepOfRandomGames(t *testing.T) {
	set := component.Default()
	kinds := map[engine.Kind]bool{}
	lists := 0
	for game := range 60 {
		options := optionsOf(game)
		players := options.Players
		rng := rand.New(rand.NewPCG(uint64(game), 7))
		chance := engine.NewChance([32]byte{byte(game)}, "")
		var tale engine.Tale
		s, err := engine.New(set, options, chance, &tale)
		if err != nil {
			t.Fatal(err)
		}
		names := []string{"Ann", "Bob", "Zoë", "Card 13"}[:players]
		var legal []engine.Step
		for !s.Finished() {
			var seat engine.Seat
			for n := engine.Seat(1); int(n) <= players; n++ {
				if s.ToAct(n) && (seat == 0 || rng.IntN(3) == 0) {
					seat = n
				}
			}
			if seat == 0 {
				t.Fatalf("game %d: nobody can decide", game)
			}
			legal = s.Legal(seat, legal[:0])
			if len(legal) == 0 {
				t.Fatalf("game %d: seat %d has nothing legal", game, seat)
			}
			lists++
			lines := map[string]bool{}
			ctx := order.Context{Names: names}
			if lists%2 == 0 {
				ctx.View = s.Project(seat)
			}
			for _, step := range legal {
				line := order.Print(step)
				if back, err := order.Parse(line); err != nil || back != step {
					t.Fatalf("game %d: %q of %+v is read as %+v, %v", game, line, step, back, err)
				}
				if lines[line] {
					t.Fatalf("game %d: %q is listed twice", game, line)
				}
				lines[line] = true
				if lists%2 != 0 {
					continue
				}
				kinds[step.Kind] = true
				cs := order.Expand(line)
				if len(cs) != 1 {
					t.Fatalf("game %d: %q is %d clauses", game, line, len(cs))
				}
				found, p := order.Match(cs[0], legal, ctx)
				if p != nil || len(found) != 1 || found[0] != step {
					t.Fatalf("game %d: %q is matched to %s, %v", game, line, prints(found), p)
				}
			}
			s.Do(seat, legal[rng.IntN(len(legal))], chance, &tale)
		}
		for _, e := range tale.Events {
			for viewer := engine.Seat(0); int(viewer) <= players; viewer++ {
				cut := e.For(viewer)
				line, ok := order.Told(cut)
				if e.New() && (!ok || line == "") {
					t.Fatalf("game %d: %+v is new and told as %q", game, e, line)
				}
			}
		}
	}
	for k := engine.Discard; k <= engine.Reserve; k++ {
		if !kinds[k] && k != engine.Decline { // rare at random
			t.Errorf("no step of kind %d was listed in %d lists", k, lists)
		}
	}
}
