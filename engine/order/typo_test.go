package order_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode"

	"angelpost/engine"
	"angelpost/engine/component"
	"angelpost/engine/cost"
	"angelpost/engine/order"
)

// typosOf are the orders that a line alone is proposed to be.
func typosOf(line string) (out []string) {
	legal, ctx := position()
	for _, it := range order.ReadLetter([]string{line}).Items {
		if it.Clause != nil && it.Doubt == "" {
			out = append(out, order.Typos(*it.Clause, legal, ctx, "undo")...)
		}
	}
	return out
}

func TestTypos(t *testing.T) {
	for _, c := range []struct{ line, want string }{
		{"crad 013 at row 2", "card 013 at row 2"},
		{"card 031 at row 2", "card 013 at row 2"},
		{"diee gray 2", "die gray 2"},
		{"dei gray 2", "die gray 2"},
		{"die gary 2", "die gray 2"},
		{"die grya 2 form Bobb", ""},
		{"die grene 1 form Bob", "die green 1 from seat 2"},
		{"dieorange 1 from neutral", "die orange 1 from neutral"},
		{"luanch to b4", "launch to b4"},
		{"lanch b4", "launch to b4"},
		{"snd c4 to b5", "ship c4 to b5"},
		{"purchsae green 1 from Bob", "die green 1 from seat 2"},
		{"crad 013 at row 2: 2.1 resorce, 1.1", "card 013 at row 2: 2.1 resource, 1.1"},
		{"Please kepe 31", "keep 031"},
		{"I'd like to lanuch to b4", "launch to b4"},
		{"undoo", "undo"},
		{"unod", "undo"},
		{"passs", "pass"},
		{"misison 027", "place 027 at b4"},
		{"repiar at 3", "repair at 3"},
		{"reapir 3", "repair 3"},
		{"ship c4 to b6", "ship c4 to b5"},
		{"keep 030", ""},
		{"launch to b6", "launch to b4; launch to b5"},
		{"die gray 2", ""},
		{"luanch to b4?", ""},
		{"luanch to b4 if Bob passes", ""},
		{"xx", ""},
		{"Anna", ""},
		{"Dana", ""},
	} {
		if got := strings.Join(typosOf(c.line), "; "); got != c.want {
			t.Errorf("%q: %q, want %q", c.line, got, c.want)
		}
	}
}

// Text that gives no order is never taken for a mistyped one.
func TestProseIsNoTypo(t *testing.T) {
	for _, s := range notMeant {
		for _, line := range strings.Split(strings.ReplaceAll(s, "§", "wait for Beta's move"), " / ") {
			if got := typosOf(line); len(got) > 0 {
				t.Errorf("%q: %q", line, got)
			}
		}
	}
	for _, line := range []string{
		"I will be away next week.", "Nice move!", "What a game", "see you on Friday", "Sorry for the delay", "good luck everyone", "Past midnight here", "Done with work now",
		"Die Karten sind gemischt", "der Würfel ist grau", "Pass auf dich auf", "Je passe mon tour demain", "Ship it!", "Dune is a good film", "kept you waiting", "+49 170 123 45 67",
		"2026-11-21", "Bob", "Ann Berg", "Die", "Dan", "Keep calm", "Cardiff, Wales", "Anna from Dover",
	} {
		if got := typosOf(line); len(got) > 0 {
			t.Errorf("%q: %q", line, got)
		}
	}
}

// mistyped changes, drops, doubles or swaps a letter of a line.
func mistyped(rng *rand.Rand, line string) string {
	b := []byte(line)
	for {
		i := rng.IntN(len(b))
		if b[i] < 'a' || b[i] > 'z' {
			continue
		}
		switch rng.IntN(4) {
		case 0:
			b[i] = byte('a' + rng.IntN(26))
		case 1:
			b = slices.Delete(b, i, i+1)
		case 2:
			b = slices.Insert(b, i, b[i])
		case 3:
			if i+1 < len(b) {
				b[i], b[i+1] = b[i+1], b[i]
			}
		}
		return string(b)
	}
}

// Of orders with one letter wrong, nearly all are read all the same or proposed.
func TestEveryOrderMistyped(t *testing.T) {
	legal, ctx := position()
	rng := rand.New(rand.NewPCG(1, 2))
	read, proposed, listed, missed := 0, 0, 0, 0
	for _, s := range legal {
		line := order.Print(s)
		for range 40 {
			if line == "B" {
				break
			}
			wrong := mistyped(rng, line)
			l := order.ReadLetter([]string{wrong})
			if len(l.Items) != 1 || l.Items[0].Clause == nil {
				missed++
				continue
			}
			if steps, _ := order.Match(*l.Items[0].Clause, legal, ctx); len(steps) > 0 {
				read++
				continue
			}
			switch got := order.Typos(*l.Items[0].Clause, legal, ctx); {
			case slices.Equal(got, []string{line}):
				proposed++
			case slices.Contains(got, line):
				listed++
			default:
				missed++
			}
		}
	}
	t.Logf("read %d, proposed %d, listed %d, missed %d", read, proposed, listed, missed)
	if missed*20 > proposed+listed {
		t.Errorf("missed %d of %d", missed, proposed+listed+missed)
	}
}

// In positions of whole games of one to four players an order with a letter of a word wrong
// is never played as another one, and nearly always proposed as what it was meant for.
func TestTyposOfRandomGames(t *testing.T) {
	set := component.Default()
	read, proposed, listed, astray, missed := 0, 0, 0, 0, 0
	for game := range 16 {
		options := optionsOf(game)
		rng := rand.New(rand.NewPCG(uint64(game), 23))
		chance := engine.NewChance([32]byte{byte(game), 2}, "")
		s, err := engine.New(set, options, chance, nil)
		if err != nil {
			t.Fatal(err)
		}
		names := []string{"Ann Lee", "Bob", "Zoë", "Orange Joe"}[:options.Players]
		for !s.Finished() {
			seat := engine.Seat(1)
			for !s.ToAct(seat) {
				seat++
			}
			legal := s.Legal(seat, nil)
			ctx := order.Context{Names: names, View: s.Project(seat)}
			step := legal[rng.IntN(len(legal))]
			line := order.Print(step)
			if ws := strings.Fields(line); len(ws[0]) >= 4 {
				k := rng.IntN(len(ws))
				if strings.Trim(ws[k], "abcdefghijklmnopqrstuvwxyz") != "" || len(ws[k]) < 3 {
					k = 0
				}
				ws[k] = mistyped(rng, ws[k])
				wrong := strings.Join(ws, " ")
				for _, it := range order.ReadLetter([]string{wrong}).Items {
					if it.Clause == nil {
						continue
					}
					found, p := order.Match(*it.Clause, legal, ctx)
					typos := order.Typos(*it.Clause, legal, ctx)
					switch {
					case len(found) == 1 && found[0] != step:
						t.Errorf("game %d: %q for %q is read as %s", game, wrong, line, prints(found))
					case len(found) > 0 || p == nil || p.Code == order.Ambiguous:
						read++
					case slices.Equal(typos, []string{line}):
						proposed++
					case slices.Contains(typos, line):
						listed++
					case len(typos) == 1:
						astray++
					default:
						missed++
					}
				}
			}
			s.Do(seat, legal[rng.IntN(len(legal))], chance, nil)
		}
	}
	t.Logf("read %d, proposed %d, listed %d, astray %d, missed %d", read, proposed, listed, astray, missed)
	if n := proposed + listed + astray + missed; proposed*10 < n*9 || astray*50 > n {
		t.Errorf("of %d, %d are proposed, %d go astray", n, proposed, astray)
	}
}

func FuzzTypos(f *testing.F) {
	for _, l := range strings.Split(table, "|") {
		f.Add(strings.Replace(strings.TrimSpace(l), "a", "e", 1))
	}
	f.Add("crad 013 at row 2: 2.1 resorce, 1.1; purchsae green 1 from Bbo")
	f.Add("I'd like to lanuch to b4, thanks")
	legal, ctx := position()
	f.Fuzz(func(t *testing.T, line string) {
		if strings.ContainsFunc(line, unicode.IsControl) {
			return // a letter's lines have none
		}
		for _, c := range order.Expand(line) {
			cost.Within(t, func() {
				for _, proposed := range order.Typos(c, legal, ctx, "undo") {
					for _, it := range order.ReadLines([]string{proposed}).Items {
						if it.Problem != nil || it.Clause != nil && !it.Clause.Readable() {
							t.Fatalf("%q is proposed as %q, which cannot be read", line, proposed)
						}
					}
				}
			})
		}
	})
}
