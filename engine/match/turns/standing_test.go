package turns

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"angelpost/engine"
	"angelpost/engine/bot"
	"angelpost/engine/component"
	"angelpost/engine/game"
	"angelpost/engine/match/unit"
	"angelpost/engine/notice"
	"angelpost/engine/order"
	"angelpost/engine/store"
)

// standingWith are the standing orders of lines, made in a position.
func standingWith(t *testing.T, p *game.Replay, seat engine.Seat, lines ...string) *Standing {
	t.Helper()
	st := &Standing{}
	for _, line := range lines {
		s, ok := order.ParseStanding(line)
		if !ok {
			t.Fatalf("%q is no standing order", line)
		}
		c := &unit.Call{Sender: &unit.Sender{Answer: &unit.Draft{}}, Word: order.Word{Kind: order.Always, Standing: s}, Line: &notice.LineResult{}}
		if st.add(c, p.State.Project(seat)); c.Line.Problem != nil {
			t.Fatalf("%q is refused: %+v", line, c.Line.Problem)
		}
	}
	return st
}

// positions plays games of random steps and shows each decision before it is
// made, until it has been shown enough.
func positions(t *testing.T, rules string, asked engine.Decision, enough int, see func(p *game.Replay, seat engine.Seat) bool) {
	t.Helper()
	seen := 0
	for gameID := range 200 {
		p, err := game.NewReplay(component.Default(), game.Options{Players: 2 + gameID%3, Rules: rules, Edition: "revised", RulesVersion: game.RulesVersion, Set: component.DefaultName}, game.Header{Seed: [32]byte{byte(gameID), 77}}.Chance)
		if err != nil {
			t.Fatal(err)
		}
		rnd := rand.New(rand.NewPCG(uint64(gameID), 5))
		greedy, err := bot.New(bot.Greedy, "positions")
		if err != nil {
			t.Fatal(err)
		}
		for !p.State.Finished() {
			seat := p.ToAct()[rnd.IntN(len(p.ToAct()))]
			legal := p.State.Legal(seat, nil)
			if p.State.Asked(seat) == asked && see(p, seat) {
				if seen++; seen == enough {
					return
				}
			}
			st := legal[rnd.IntN(len(legal))]
			if rnd.IntN(4) > 0 {
				st = greedy.Choose(p.State.Project(seat), legal, p.Step())
			}
			for _, l := range legal { // Missions, and others that use them
				if c := l.Card; l.Kind == engine.Place || l.Kind == engine.UseCard && rnd.IntN(3) > 0 && p.State.Project(seat).Set.Missions[c].Kind > 4 {
					st = l
				}
			}
			if _, err := p.Do(seat, game.ByBot, st); err != nil {
				t.Fatal(err)
			}
		}
	}
	t.Fatalf("%s was asked %d times only", asked, seen)
}

// TestStandingChoices tries each kind of standing order in positions that raise its question:
// it chooses what it names, or nothing.
func TestStandingChoices(t *testing.T) {
	got := func(p *game.Replay, seat engine.Seat, lines ...string) string {
		t.Helper()
		st := standingWith(t, p, seat, lines...)
		step, at, ok := st.choose(p, seat)
		if !ok {
			step, at, ok = st.forced(p, seat)
		}
		if !ok {
			return "asked"
		}
		if !slices.Contains(p.State.Legal(seat, nil), step) {
			t.Fatalf("%q chooses %q, which is not legal", lines, order.Print(step))
		}
		if at >= len(st.Orders) {
			t.Fatalf("%q: order %d", lines, at)
		}
		return order.Print(step)
	}
	want := func(what, got, want string) {
		t.Helper()
		if got != want {
			t.Errorf("%s: %s, want %s", what, got, want)
		}
	}
	t.Run("owner", func(t *testing.T) {
		positions(t, "base", engine.AskOwner, 9, func(p *game.Replay, seat engine.Seat) bool {
			v := p.State.Project(seat)
			legal := p.State.Legal(seat, nil)
			card := v.Owed[0].Card
			ways := legal[:len(legal)-1] // the last is decline
			if !v.LastRound {
				want("never", got(p, seat, "never activate"), "decline")
				want("never this one", got(p, seat, "always activate", fmt.Sprintf("never activate %s", card)), "decline")
				want("always this one", got(p, seat, "never activate", fmt.Sprintf("always activate %s", card)), map[bool]string{true: order.Print(ways[0]), false: "asked"}[len(ways) == 1])
			} else {
				want("never in the last round", got(p, seat, "never activate"), "asked")
			}
			want("another card", got(p, seat, fmt.Sprintf("always activate %03d", card%60+1)), "asked")
			for _, w := range ways {
				if with := strings.TrimPrefix(order.Print(w), "collect"); with != "" {
					want("with"+with, got(p, seat, fmt.Sprintf("always activate %s%s", card, with)), order.Print(w))
				}
			}
			if g := gainOf(&p.State, after(p, seat, ways[0]), seat); g.Ships < 0 || g.Resources < 0 || g.Debris < 0 || g.Robots < 0 {
				want("leaving 9", got(p, seat, fmt.Sprintf("always activate %s leaving 9", card)), "asked")
			}
			return true
		})
	})
	t.Run("reserve", func(t *testing.T) {
		positions(t, "base", engine.AskReserve, 60, func(p *game.Replay, seat engine.Seat) bool {
			v := p.State.Project(seat)
			me := v.Players[seat-1]
			var best, star string
			for _, s := range p.State.Legal(seat, nil) {
				if s.Kind == engine.Reserve && s.Value == 3 && best == "" {
					best = order.Print(s)
				}
				if s.Kind == engine.Reserve && s.Value == 0 && star == "" {
					star = order.Print(s)
				}
			}
			none := func(line string) string {
				if line == "" {
					return "done"
				}
				return line
			}
			want("never", got(p, seat, "always reserve 3", "never reserve"), "done")
			if v.LastRound {
				want("in the last round", got(p, seat, "always reserve 3"), "asked")
				return true
			}
			want("3", got(p, seat, "never reserve", "always reserve 3"), none(best))
			want("0", got(p, seat, "always reserve 0"), none(star))
			if me.Resources == 1 {
				want("leaving 1", got(p, seat, "always reserve 3 leaving 1"), "asked")
			}
			return true
		})
	})
	t.Run("boost", func(t *testing.T) {
		boosts := 0
		positions(t, "advanced", engine.AskReserve, 150, func(p *game.Replay, seat engine.Seat) bool {
			v := p.State.Project(seat)
			paid, free := "", map[engine.Cell]string{}
			for _, s := range p.State.Legal(seat, nil) {
				if s.Kind == engine.Reserve && s.Cell != 0 && (free[s.Cell] == "" || s.Value > free[s.Cell][len(free[s.Cell])-len(" boost 2.1")-1]-'0') {
					free[s.Cell] = order.Print(s)
				} else if s.Kind == engine.Reserve && s.Cell == 0 {
					paid = order.Print(s)
				}
			}
			if v.LastRound || len(free) != 1 {
				return false
			}
			boosts++
			for cell, line := range free {
				want("boost", got(p, seat, "always reserve 0, 1, 2", fmt.Sprintf("always reserve 3, 2, 1, 0 boost %s", cell)), line)
				if paid != "" { // no order covers that
					want("boost alone", got(p, seat, fmt.Sprintf("always reserve 3 boost %s", cell)), want3(line))
				}
			}
			return true
		})
		if boosts == 0 {
			t.Error("no boost reserved anything")
		}
	})
	t.Run("keep", func(t *testing.T) {
		positions(t, "advanced", engine.AskKeep, 60, func(p *game.Replay, seat engine.Seat) bool {
			d := p.State.Project(seat).Owed[0]
			keep := func(c engine.Card) string { return order.Print(engine.Step{Kind: engine.Keep, Card: c}) }
			want("the lower", got(p, seat, fmt.Sprintf("always keep %s", d.Card)), keep(d.Card))
			want("the other", got(p, seat, fmt.Sprintf("always keep %s, %s", d.Card2, d.Card)), keep(d.Card2))
			want("not the lower", got(p, seat, fmt.Sprintf("never keep %s", d.Card)), keep(d.Card2))
			want("neither", got(p, seat, fmt.Sprintf("never keep %s, %s", d.Card, d.Card2)), "asked")
			want("its colour", got(p, seat, fmt.Sprintf("always keep %s", d.Card.Back())), keep(d.Card))
			kind := func(c engine.Card) bool { return component.Default().Missions[c].Activation() }
			switch {
			case kind(d.Card) && !kind(d.Card2):
				want("activation", got(p, seat, "always keep activation"), keep(d.Card))
				want("neutralization", got(p, seat, "always keep neutralization"), keep(d.Card2))
			case kind(d.Card) && kind(d.Card2):
				want("activation", got(p, seat, "always keep activation"), keep(d.Card))
				want("neutralization", got(p, seat, "always keep neutralization"), "asked")
			}
			return true
		})
	})
	t.Run("discard", func(t *testing.T) {
		for _, asked := range []engine.Decision{engine.AskDiscard, engine.AskRavagerDiscard} {
			positions(t, "base", asked, 30, func(p *game.Replay, seat engine.Seat) bool {
				legal := p.State.Legal(seat, nil)
				if len(legal) < 2 {
					return false
				}
				last := legal[len(legal)-1]
				want("by number", got(p, seat, fmt.Sprintf("always discard %s", last.Card)), order.Print(last))
				want("by back", got(p, seat, fmt.Sprintf("always discard %s", legal[0].Card.Back())), order.Print(legal[0]))
				if len(legal) <= order.MaxWish {
					var but []string
					for _, s := range legal[1:] {
						but = append(but, s.Card.String())
					}
					want("all but one", got(p, seat, "never discard "+strings.Join(but, ", ")), order.Print(legal[0]))
				}
				return true
			})
		}
	})
	t.Run("forced", func(t *testing.T) {
		positions(t, "base", engine.AskTurn, 400, func(p *game.Replay, seat engine.Seat) bool {
			if legal := p.State.Legal(seat, nil); len(legal) == 1 {
				want("forced", got(p, seat, "always forced"), order.Print(legal[0]))
				return true
			}
			want("free", got(p, seat, "always forced"), "asked")
			return true
		})
	})
}

// TestStandingOrderBetweenLines sends letters that draw two cards by a tile and
// go on: with an order that says which is kept the whole letter is played.
func TestStandingOrderBetweenLines(t *testing.T) {
	positions(t, "advanced", engine.AskA1, 25, func(p *game.Replay, seat engine.Seat) bool {
		legal := p.State.Legal(seat, nil)
		i := slices.IndexFunc(legal, func(s engine.Step) bool { return s.Kind == engine.Activate && s.Use == engine.Draw })
		if i < 0 {
			return false
		}
		then := p.Copy()
		if _, err := then.Do(seat, game.ByPlayer, legal[i]); err != nil {
			t.Fatal(err)
		}
		if then.State.Asked(seat) != engine.AskKeep {
			return false
		}
		keep := then.State.Legal(seat, nil)[1]
		if _, err := then.Do(seat, game.ByPlayer, keep); err != nil {
			t.Fatal(err)
		}
		next := then.State.Legal(seat, nil)
		lines := []string{order.Print(legal[i]), order.Print(next[len(next)-1])}
		for _, st := range []*Standing{nil, standingWith(t, p, seat, fmt.Sprintf("always keep %s", keep.Card))} {
			tab := &unit.Game{Replay: p, Moved: map[int]bool{}}
			aheadOf(tab).standing = map[int]*Standing{int(seat): st}
			for i := range p.Options.Players {
				tab.Seats = append(tab.Seats, store.Seat{Place: i + 1, Seat: i + 1})
			}
			b, err := newBlock(tab, tab.Place(int(seat)), nil, tab.Replay.Step(), order.ReadLetter(lines).Items, false)
			if err != nil {
				t.Fatal(err)
			}
			var got []notice.Status
			for _, l := range b.Lines {
				got = append(got, l.Status)
			}
			want := []notice.Status{notice.LineApplied, notice.LineRefused}
			if st != nil {
				want = []notice.Status{notice.LineApplied, notice.LineAlways, notice.LineApplied}
			}
			if len(got) < len(want) || !slices.Equal(got[:len(want)], want) {
				t.Errorf("%q: %v, want %v", lines, got, want)
			}
			if b.Keep(); st != nil && st.Orders[0].Last == 0 {
				t.Error("the order does not know what it did")
			}
			tab.Replay = p
		}
		return true
	})
}

// want3 is a reservation line if its die shows a 3, else the answer that leaves the paid
// reservation open.
func want3(line string) string {
	if strings.Contains(line, " 3 boost") {
		return line
	}
	return "asked"
}

func after(p *game.Replay, seat engine.Seat, step engine.Step) *engine.State {
	s := p.State
	s.Do(seat, step, nil, nil)
	return &s
}

// TestStandingOrdersAreDisarmed plays games in which a seat has orders about all
// it has: each is disarmed the moment that what it was made for is otherwise, for
// that reason, and not before.
func TestStandingOrdersAreDisarmed(t *testing.T) {
	seen := map[string]int{}
	for gameID := range 30 {
		p, err := game.NewReplay(component.Default(), game.Options{Players: 2 + gameID%3, Rules: []string{"base", "advanced"}[gameID%2], Edition: "revised", RulesVersion: game.RulesVersion, Set: component.DefaultName}, game.Header{Seed: [32]byte{byte(gameID), 78}}.Chance)
		if err != nil {
			t.Fatal(err)
		}
		greedy, err := bot.New(bot.Greedy, "disarmed")
		if err != nil {
			t.Fatal(err)
		}
		rnd := rand.New(rand.NewPCG(uint64(gameID), 5))
		const seat = engine.Seat(1)
		st := &Standing{}
		why := map[string]func(v *engine.View) string{} // by line: what the view says of it
		for !p.State.Finished() {
			v := p.State.Project(seat)
			st.watch(p, seat)
			for _, o := range st.Orders {
				want := why[o.Line](v)
				if o.Off != want {
					t.Fatalf("game %d, line %d: %q is off: %q, want %q", gameID, p.Step(), o.Line, o.Off, want)
				}
				seen[o.Off]++
			}
			st.Orders = slices.DeleteFunc(st.Orders, func(o standingOrder) bool { return o.Off != "" })
			if len(st.Untold) > maxUntold {
				t.Fatalf("%d remarks wait", len(st.Untold))
			}
			if len(st.Orders) == 0 || rnd.IntN(12) == 0 {
				st = &Standing{}
				for line, f := range ordersOf(v) {
					if why[line] = f; len(st.Orders) < maxStanding && f(v) == "" {
						made := standingWith(t, p, seat, line)
						st.Orders = append(st.Orders, made.Orders...)
					}
				}
			}
			who := p.ToAct()[0]
			legal := p.State.Legal(who, nil)
			step := legal[rnd.IntN(len(legal))]
			if rnd.IntN(3) > 0 {
				step = greedy.Choose(p.State.Project(who), legal, p.Step())
			}
			if _, err := p.Do(who, game.ByBot, step); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, code := range []string{"", notice.TellOffCard, notice.TellOffPaid, notice.TellOffHand, notice.TellOffBoost, notice.TellOffRobots, notice.TellOffLast} {
		if seen[code] < 5 {
			t.Errorf("%q happened %d times only", code, seen[code])
		}
	}
	t.Log(seen)
}

// ordersOf are standing orders about what the viewer has, each with what a later
// view says of it.
func ordersOf(v *engine.View) map[string]func(*engine.View) string {
	out := map[string]func(*engine.View) string{}
	unless := func(code string, holds func(*engine.View) bool) func(*engine.View) string {
		return func(v *engine.View) string {
			if !holds(v) {
				return code
			}
			return ""
		}
	}
	me := func(v *engine.View) *engine.PlayerView { return &v.Players[v.Viewer-1] }
	inSpace := func(v *engine.View, c engine.Card) (here bool) {
		for _, strip := range v.Strips {
			for _, h := range strip.Hexes {
				here = here || h.Card == c && h.Owner == v.Viewer
			}
		}
		return here || len(v.Owed) > 0 && v.Owed[0].Card == c && v.Owed[0].Ask == engine.AskOwner
	}
	for c := engine.Card(1); c <= component.Missions; c++ {
		if inSpace(v, c) {
			out[fmt.Sprintf("always activate %s", c)] = unless(notice.TellOffCard, func(v *engine.View) bool { return inSpace(v, c) })
		}
	}
	for i, cell := range me(v).Grid {
		if cell.Tile == 0 || cell.Tile.Advanced() {
			continue
		}
		out[fmt.Sprintf("always activate with %s", cell.Tile)] = unless(notice.TellOffPaid, func(v *engine.View) bool { return me(v).Grid[i].Tile == cell.Tile })
		if cell.Boost && v.Set.Tiles[cell.Tile].Boost == 4 {
			line := fmt.Sprintf("always reserve 3 boost %s", engine.Cell(i+1))
			out[line] = func(v *engine.View) string {
				switch now := me(v).Grid[i]; {
				case now.Tile != cell.Tile || !now.Boost:
					return notice.TellOffBoost
				case v.LastRound:
					return notice.TellOffLast
				}
				return ""
			}
		}
	}
	for _, c := range me(v).Cards {
		out[fmt.Sprintf("always discard %s", c)] = unless(notice.TellOffHand, func(v *engine.View) bool { return slices.Contains(me(v).Cards, c) })
	}
	for c := engine.Orange; c <= engine.Green; c++ {
		if me(v).Stations[c] == 0 {
			continue
		}
		out[fmt.Sprintf("always reserve %s 3", c)] = func(v *engine.View) string {
			switch {
			case me(v).Stations[c] == 0:
				return notice.TellOffRobots
			case v.LastRound:
				return notice.TellOffLast
			}
			return ""
		}
	}
	out["never activate"] = unless(notice.TellOffLast, func(v *engine.View) bool { return !v.LastRound })
	out["never reserve"] = func(*engine.View) string { return "" }
	out["always keep activation"] = func(*engine.View) string { return "" }
	return out
}
