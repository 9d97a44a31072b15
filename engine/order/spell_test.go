package order_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"angelpost/engine"
	"angelpost/engine/component"
	"angelpost/engine/order"
)

func TestSpell(t *testing.T) {
	ctx := order.Context{Names: []string{"Alpha", "Beta", "Zoë O'Neil", "Bot 3"}}
	for line, want := range map[string]string{
		"die orange 1 from seat 2":                    "die orange 1 from Beta",
		"die orange 0 from seat 3 flip":               "die orange star from Zoë O'Neil flip",
		"die gray 0 from seat 4":                      "die gray star from Bot 3",
		"die gray 0 from neutral":                     "die gray star from neutral",
		"die gray 2 from seat 1":                      "die gray 2 from Alpha",
		"die green 0":                                 "die green star",
		"die green 0 secure flip":                     "die green star secure flip",
		"flip green 0 secure":                         "flip green star secure",
		"reserve gray 0":                              "reserve gray star",
		"reserve gray 0 boost 2.1":                    "reserve gray star boost 2.1",
		"reserve gray 3, orange 0, gray 0 boost 2.1":  "reserve gray 3, orange star, gray star boost 2.1",
		"reserve gray 3, orange 0":                    "reserve gray 3, orange star",
		"always reserve gray 0, orange, 0 leaving 1":  "always reserve gray star, orange, star leaving 1",
		"if die gray 0 from seat 2":                   "if die gray star from Beta",
		"unless ship b4 of seat 3":                    "unless ship b4 of Zoë O'Neil",
		"if resources of seat 4 at least 2":           "if resources of Bot 3 at least 2",
		"if ravagers 3 at most 0":                     "if ravagers 3 at most 0",
		"if debris of seat 2 at most 0":               "if debris of Beta at most 0",
		"card 013 at row 2":                           "card 013 at row 2",
		"die green 0 from seat 2 and then something ": "die green 0 from seat 2 and then something ",
		"from seat 2":                                 "from seat 2",
		"":                                            "",
	} {
		if got := ctx.Spell(line); got != want {
			t.Errorf("%q is spelled %q, want %q", line, got, want)
		}
	}
}

// nasty are names that could be taken for something else, each beside others.
var nasty = [][]string{
	{"Flip", "Beta", "Gamma", "Delta"},
	{"Beta secure", "Ann from Rome", "the Great", "May Gray"},
	{"3", "12", "seat 2", "Seat 4"},
	{"Hal", "hal 9000", "Player 1", "Player 4"},
	{"Ann", "Anna", "Jo Ann", "ann"},
	{"Zoë", "zoe", "Žoe", "Z"},
	{"", "Beta", "Béta", ""},
	{"a|b", "c;d", "e#f", "g, h"},
	{"J. R.", "A/B", "O'Neil", "Bob's"},
	{"Star", "B", "neutral", "me"},
	{"mission", "die", "Done", "Pass"},
	{"Thanks", "Regards", "Cheers Bob", "Best"},
	{"Бета", "Бётa", "ベータ", "β"},
	{"a\u0301nn", "\u202eBob", "Bo\u200bb", "\u00a0Bob\u00a0"},
	{" Bob", "Bob ", "Bo  b", "Bob\n"},
	{"x3", "2.1", "b4", "t12"},
	{"and", "then", "else", "if"},
	{"First Flight", "Last Round", "Ship of b4", "at least 2"},
	{"undo", "help", "say", "plan"},
	{"Hal"}, {"Ann"}, {"Ha"},
}

// sales are the orders of which Spell changes something, those of one position together.
func sales(players int) (legal [3][]engine.Step) {
	for _, c := range component.Colors {
		for v := range uint8(4) {
			for _, flip := range []bool{false, true} {
				for _, seller := range []engine.Seat{0, 1, 2, 3, 4, engine.Neutral} {
					if int(seller) <= max(players, 2) || seller == engine.Neutral {
						legal[0] = append(legal[0], engine.Step{Kind: engine.TakeDie, Color: c, Value: v, Seller: seller, Flip: flip})
					}
				}
				legal[0] = append(legal[0], engine.Step{Kind: engine.TakeDie, Color: c, Value: v, Secure: true, Flip: flip})
				legal[1] = append(legal[1], engine.Step{Kind: engine.FlipDie, Color: c, Value: v, Secure: flip})
			}
			legal[2] = append(legal[2], engine.Step{Kind: engine.Reserve, Color: c, Value: v}, engine.Step{Kind: engine.Reserve, Color: c, Value: v, Cell: 4})
		}
	}
	return legal
}

// readAs reads one line of a letter among all orders about dice.
func readAs(line string, legal []engine.Step, ctx order.Context) (engine.Step, error) {
	items := order.ReadLetter([]string{line}).Items
	if len(items) != 1 || items[0].Clause == nil || items[0].Doubt != "" || items[0].Problem != nil {
		return engine.Step{}, fmt.Errorf("%q is read as %+v", line, items)
	}
	steps, p := order.Match(*items[0].Clause, legal, ctx)
	if p != nil || len(steps) != 1 {
		return engine.Step{}, fmt.Errorf("%q is read as %v, %v", line, steps, p)
	}
	return steps[0], nil
}

// sameAgain holds that orders, guards and lists as spelled are read as they were.
func sameAgain(t *testing.T, ctx order.Context, some func() bool) {
	t.Helper()
	for _, legal := range sales(len(ctx.Names)) {
		for _, s := range legal {
			if !some() {
				continue
			}
			line := ctx.Spell(order.Print(s))
			if got, err := readAs(line, legal, ctx); err != nil || got != s {
				t.Fatalf("of %q, %q is spelled %q and read as %q: %v", ctx.Names, order.Print(s), line, order.Print(got), err)
			}
		}
	}
	for seat := 1; seat <= max(len(ctx.Names), 2); seat++ {
		for _, guard := range []string{"if die gray 0 from seat %d", "if ship b4 of seat %d", "unless resources of seat %d at most 0"} {
			guard = fmt.Sprintf(guard, seat)
			a := order.ReadAhead([]string{ctx.Spell(guard), "pass"})
			if len(a.Blocks) != 1 || len(a.Blocks[0].Guards) != 1 {
				t.Fatalf("of %q, %q is spelled %q and read as %+v", ctx.Names, guard, ctx.Spell(guard), a)
			}
			if g, p := a.Blocks[0].Guards[0].Named(ctx); p != nil || g.String() != guard {
				t.Fatalf("of %q, %q is spelled %q and read as %q", ctx.Names, guard, ctx.Spell(guard), g)
			}
		}
	}
	for _, standing := range []string{"always reserve gray 0, 0, orange leaving 1"} {
		if s, ok := order.ParseStanding(ctx.Spell(standing)); !ok || s.String() != standing {
			t.Fatalf("%q is read as %q", ctx.Spell(standing), s)
		}
	}
}

func always() bool { return true }

func TestSpelledIsReadBack(t *testing.T) {
	for _, names := range nasty {
		sameAgain(t, order.Context{Names: names}, always)
	}
	words := strings.Fields("Ann Anna Beta Bot Flip Gray Hal Jo Zoë die from green of on secure seat star the neutral 1 2 3 b4 x ' - . O'Neil say")
	r := rand.New(rand.NewPCG(15, 1))
	for range 300 {
		names := make([]string, 1+r.IntN(4))
		for i := range names {
			for range 1 + r.IntN(3) {
				names[i] += words[r.IntN(len(words))] + strings.Repeat(" ", r.IntN(2))
			}
			names[i] = strings.TrimSpace(names[i])
		}
		sameAgain(t, order.Context{Names: names}, func() bool { return r.IntN(6) == 0 })
	}
}

// Names that could mean something else are never printed.
func TestUnsureNames(t *testing.T) {
	fine := map[string]bool{"Gamma": true, "Delta": true, "O'Neil": true, "Bob's": true, "ベータ": true, "β": true, "a\u0301nn": true, "Бета": true, "Бётa": true,
		"Regards": true, "Cheers Bob": true, "Best": true, "First Flight": true}
	for i, names := range nasty {
		for seat, name := range names {
			line := fmt.Sprintf("die gray 2 from seat %d", seat+1)
			got := order.Context{Names: names}.Spell(line)
			if may := fine[name] || i == 0 && name == "Beta" || len(names) == 1 && name == "Ann"; (got != line) != may {
				t.Errorf("of %q, %q is printed as %q", names, line, got)
			}
		}
	}
	if got := (order.Context{Names: []string{"Ann"}}).Spell("die gray 2 from seat 2"); got != "die gray 2 from Hal" {
		t.Error(got)
	}
}

// A name means its bearer in the letter answered; one that is not there, today's.
func TestNamesOfThen(t *testing.T) {
	ctx := order.Context{Names: []string{"Alpha", "Beta", "Gamma"}, Now: []string{"Beta", "Alpha", "Delta"}}
	for name, want := range map[string]engine.Seat{"Alpha": 1, "Beta": 2, "Gamma": 3, "Delta": 3, "seat 3": 3} {
		if got, p := ctx.Seat(name); p != nil || got != want {
			t.Errorf("%s is seat %d, want %d: %v", name, got, want, p)
		}
	}
	if _, p := ctx.Seat("Epsilon"); p == nil || p.Code != order.NoName {
		t.Error(p)
	}
}

func TestSeated(t *testing.T) {
	ctx := order.Context{Names: []string{"Alpha", "Beta Max", "Gamma", "B"}}
	for line, want := range map[string]string{
		"die gray 2 from Beta":                                  "die gray 2 from seat 2",
		"Buy gamma's gray 2; 4":                                 "Buy from seat 3 gray 2; 4",
		"die gray star from B flip; discover at 4":              "die gray star from seat 4 flip; discover at 4",
		"die gray 2 from beta max, die orange 1 from Gamma # x": "die gray 2 from seat 2, die orange 1 from seat 3 # x",
		"die gray 2 from neutral":                               "die gray 2 from neutral",
		"card 013 at row 2":                                     "card 013 at row 2",
		"hello Beta":                                            "hello Beta",
	} {
		if got, p := ctx.Seated(line); got != want || p != nil {
			t.Errorf("%q becomes %q, %v, want %q", line, got, p, want)
		}
	}
	if got, p := ctx.Seated("die gray 2 from Delta"); p == nil || p.Code != order.NoName || got != "die gray 2 from Delta" {
		t.Error(got, p)
	}
}

func FuzzSpell(f *testing.F) {
	for _, n := range nasty {
		f.Add(n[0], n[len(n)/2], n[len(n)-1])
	}
	f.Add("Zoë O’Neil", "Bot 1", "Bot 12")
	f.Fuzz(func(t *testing.T, a, b, c string) {
		for _, ctx := range []order.Context{{Names: []string{a, b, c}}, {Names: []string{a}}} {
			if len(a)+len(b)+len(c) > 500 {
				return
			}
			n := 0
			sameAgain(t, ctx, func() bool { n++; return n%7 == 0 })
			line, p := ctx.Seated("die gray 2 from " + b + "; die " + component.Colors[0].String() + " star from " + a)
			if again, q := ctx.Seated(line); p == nil && (again != line || q != nil) {
				t.Fatalf("%q, then %q: %v", line, again, q)
			}
		}
	})
}
