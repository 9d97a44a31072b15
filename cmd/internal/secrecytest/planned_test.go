package secrecytest

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"angelpost/cmd/internal/mailclient"
	"angelpost/engine"
	"angelpost/engine/component"
	"angelpost/engine/game"
	"angelpost/engine/order"
	"angelpost/engine/sim"
)

// planStage is a game of three that has begun, and every seat's token.
func planStage(t *testing.T, viewer engine.Seat) (x *secrecyHarness, tokens []string) {
	t.Helper()
	o := game.Options{Players: 3, Rules: "base", Edition: "revised", RulesVersion: game.RulesVersion, Set: component.DefaultName}
	x = newServer(t, &recordedGame{set: component.Default(), head: game.Header{Options: o, Seed: sim.Seed("planned", 3), Names: stageNames[:3]}}, &alternative{})
	x.newGame(true, x.saga.head.Names)
	x.findKeys()
	tokens = make([]string, 4)
	x.collect(outputs{}, viewer, tokens)
	return x, tokens
}

func (x *secrecyHarness) view(seat engine.Seat) *engine.View {
	x.t.Helper()
	g, err := x.s.Desk.Host().Open(context.Background(), x.game, x.keys[seat], -1)
	if err != nil {
		x.t.Fatal(err)
	}
	return g.View
}

// TestPlansAreSecret: what anyone else gets, by mail, on pages, as data and as a
// record, is the same to the last byte whether or not a player has planned a turn
// that is not played, before their turn comes and after.
func TestPlansAreSecret(t *testing.T) {
	for viewer := engine.Seat(0); viewer <= 3; viewer++ {
		t.Run(fmt.Sprint(viewer), func(t *testing.T) {
			x, tx := planStage(t, viewer)
			y, ty := planStage(t, viewer)
			planner := x.view(0).Seat%3 + 1
			if planner == viewer {
				planner = planner%3 + 1
			}
			x.send(planner, tx[planner], "plan", "if round at least 999", "B", "else", "if vp at least 999", "pass")
			y.send(planner, ty[planner], "plan none")
			if g, err := x.s.Desk.Host().Open(context.Background(), x.game, x.keys[planner], -1); err != nil || len(g.Own.Ahead) != 6 {
				t.Fatalf("planned is %q, %v", g.Own.Ahead, err)
			}
			rnd := rand.New(rand.NewPCG(1, uint64(viewer)))
			compare := func(n int, a, b outputs) {
				t.Helper()
				x.pages(a, viewer, n, n/2, true)
				y.pages(b, viewer, n, n/2, true)
				x.export(a, viewer)
				y.export(b, viewer)
				x.position(a, viewer)
				y.position(b, viewer)
				if d := differ(a, b); len(d) > 0 {
					t.Fatalf("line %d:\n%s", n, strings.Join(d, "\n"))
				}
			}
			a, b := outputs{}, outputs{}
			x.collect(a, viewer, tx)
			y.collect(b, viewer, ty)
			compare(0, a, b)
			for turn, n := x.view(0).Turn, 0; x.view(0).Turn <= turn+3 && n < 60; n++ {
				seat := x.view(0).ToAct[0]
				legal := x.view(seat).Legal(nil)
				line := order.Print(legal[rnd.IntN(len(legal))])
				a, b := outputs{}, outputs{}
				x.send(seat, tx[seat], line)
				y.send(seat, ty[seat], line)
				n := x.collect(a, viewer, tx)
				if m := y.collect(b, viewer, ty); m != n {
					t.Fatalf("%d lines, in the other world %d", n, m)
				}
				compare(n, a, b)
			}
			if g, err := x.s.Desk.Host().Open(context.Background(), x.game, x.keys[planner], -1); err != nil || g.Own.Ahead != nil {
				t.Errorf("his turn came, and still planned is %q, %v", g.Own.Ahead, err)
			}
		})
	}
}

// TestPlanLetters: a plan is read whole however it comes, nothing of it is
// played, and nothing that is quoted becomes one.
func TestPlanLetters(t *testing.T) {
	lines := []string{"plan", "if tile t12 and b4 free", "B", "else", "unless last round", "pass"}
	want := []string{"plan", "if tile t12", "if hex b4 free", "B", "else", "unless last round", "pass"}
	x, tokens := planStage(t, 0)
	seat := x.view(0).Seat%3 + 1
	said := []string{"On Sun, 1 Nov 2026 at 12:00, Angelpost <angel@play.example> wrote:"}
	original := []string{"-----Original Message-----", "From: Angelpost <angel@play.example>", "Sent: Sunday, 1 November 2026 12:00", "To: Bo <bo@players.example>", "Subject: Friday", ""}
	for name, c := range map[string]struct {
		above, below []string // of what is quoted
		quoted       string   // how
		want         []string
	}{
		"plain":       {lines, nil, "", want},
		"apart":       {strings.Split(strings.Join(lines, "\n\n"), "\n"), nil, "", want},
		"above":       {append(slices.Clone(lines), "", "Cheers,"), nil, ">", want},
		"below":       {nil, lines, ">", want},
		"outlook":     {lines, nil, "original", want},
		"signed":      {append(slices.Clone(lines), "", "-- ", "Bo", "else", "B"), nil, "", want},
		"ended":       {append(slices.Clone(lines), "end plan", "status"), nil, "", want},
		"within":      {[]string{"plan", "B", "", "status"}, nil, "", nil},
		"only quoted": {nil, nil, ">", nil},
		"unreadable":  {[]string{"plan", "if pigs fly", "B"}, nil, "", nil},
	} {
		t.Run(name, func(t *testing.T) {
			// What is answered has these very lines, behind bars.
			x.send(seat, tokens[seat], "plan none")
			x.collect(outputs{}, seat, tokens)
			x.send(seat, tokens[seat], append([]string{"preview"}, lines...)...)
			var notice []string
			for _, l := range x.read(seat) {
				notice, tokens[seat] = strings.Split(strings.TrimSpace(mailclient.ReadNotice(t, l.raw).Text), "\n"), l.token
			}
			if !slices.ContainsFunc(notice, func(l string) bool { return strings.TrimSpace(l) == "| else" }) {
				t.Fatalf("the answer does not say the plan: %q", notice)
			}
			letter := slices.Clone(c.above)
			switch c.quoted {
			case ">":
				letter = append(append(letter, ""), said...)
				for _, l := range notice {
					letter = append(letter, "> "+l)
				}
			case "original":
				letter = slices.Concat(letter, []string{""}, original, notice)
			}
			before := x.view(seat).Turn
			x.send(seat, tokens[seat], append(append(letter, ""), c.below...)...)
			x.collect(outputs{}, seat, tokens)
			got, err := x.s.Desk.Host().Open(context.Background(), x.game, x.keys[seat], -1)
			if err != nil || !slices.Equal(got.Own.Ahead, c.want) {
				t.Errorf("planned is %q, want %q, %v", got.Own.Ahead, c.want, err)
			}
			if v := x.view(seat); v.Turn != before || v.Decision != engine.NoDecision {
				t.Error("something was played")
			}
		})
	}
}
