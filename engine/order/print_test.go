package order_test

import (
	"strings"
	"testing"

	"angelpost/engine"
	"angelpost/engine/component"
	"angelpost/engine/order"
)

// every yields each step that some position of some component
// set could list, over the full ranges of its fields.
func every(yield func(engine.Step)) {
	type step = engine.Step
	const lastStrip = 17 // R6.5: 7 strips and 10 advances
	missions := func(f func(engine.Card)) {
		for c := engine.Card(1); c <= component.Missions; c++ {
			f(c)
		}
	}
	cards := func(f func(engine.Card)) {
		for c := engine.Card(1); c <= component.LastRaider; c++ {
			f(c)
		}
	}
	backs := func(f func(engine.Card)) {
		cards(f)
		for c := engine.BackOrange; c <= engine.BackRavager; c++ {
			f(c)
		}
	}
	moves := func(s step, lastStrip int, f func(step)) {
		for to := engine.HexAt(1, 0); to <= engine.HexAt(lastStrip, 4); to++ {
			s.From, s.To = 0, to
			f(s)
			for from := engine.HexAt(1, 0); from <= engine.HexAt(lastStrip, 4); from++ {
				s.From = from
				f(s)
			}
		}
	}
	effects := func(s step) {
		for via := engine.Cell(0); via <= 9; via++ {
			s.Via = via
			yield(s)
			for g := engine.Ship; g <= engine.Debris; g++ {
				u := s
				u.Use, u.Good = engine.TakeGood, g
				yield(u)
			}
			u := s
			u.Use = engine.Move
			moves(u, 3, yield)
			for _, c := range component.Colors {
				for _, use := range []engine.Use{engine.ToStation, engine.FromStation, engine.Draw} {
					u := s
					u.Use, u.Color = use, c
					yield(u)
				}
			}
		}
	}
	for _, k := range []engine.Kind{engine.Decline, engine.Done, engine.Reroll, engine.Pass} {
		yield(step{Kind: k})
	}
	backs(func(c engine.Card) {
		yield(step{Kind: engine.Discard, Card: c})
		yield(step{Kind: engine.Keep, Card: c})
		yield(step{Kind: engine.Collect, Card: c})
		for slot := engine.Slot(1); slot <= 6; slot++ {
			yield(step{Kind: engine.PlayCard, Card: c, Slot: slot})
		}
	})
	for cell := engine.Cell(1); cell <= 9; cell++ {
		effects(step{Kind: engine.Activate, Cell: cell})
		yield(step{Kind: engine.Boost, Cell: cell})
		for _, c := range component.Colors {
			yield(step{Kind: engine.Boost, Cell: cell, Use: engine.AsColor, Color: c})
		}
	}
	for _, c := range component.Colors {
		for v := range uint8(4) {
			for cell := engine.Cell(0); cell <= 9; cell++ {
				yield(step{Kind: engine.Reserve, Color: c, Value: v, Cell: cell})
			}
			for _, secure := range []bool{false, true} {
				for _, flip := range []bool{false, true} {
					yield(step{Kind: engine.TakeDie, Color: c, Value: v, Secure: secure, Flip: flip})
				}
				yield(step{Kind: engine.FlipDie, Color: c, Value: v, Secure: secure})
			}
			for seller := engine.Seat(1); seller <= engine.Neutral; seller++ {
				yield(step{Kind: engine.TakeDie, Color: c, Value: v, Seller: seller})
			}
		}
	}
	for loc := uint8(1); loc <= 6; loc++ {
		for a := component.Discover; a <= component.Command; a++ {
			yield(step{Kind: engine.Act, Action: a, Loc: loc})
		}
	}
	missions(func(c engine.Card) {
		yield(step{Kind: engine.UseCard, Card: c})
		for to := engine.HexAt(1, 0); to <= engine.HexAt(lastStrip, 4); to++ {
			yield(step{Kind: engine.Place, Card: c, To: to})
		}
	})
	for a := engine.Tile(1); a <= engine.LastTile; a++ {
		for b := engine.Tile(0); b <= engine.LastTile; b++ {
			for c := engine.Tile(0); c <= engine.LastTile; c++ {
				if b != 0 && b <= a || c != 0 && (b == 0 || c <= b) {
					continue
				}
				yield(step{Kind: engine.TakeTiles, Tiles: [3]engine.Tile{a, b, c}})
				if c == 0 {
					yield(step{Kind: engine.Collect, Tiles: [3]engine.Tile{a, b}})
				}
			}
		}
		for slot := engine.Slot(1); slot <= 6; slot++ {
			for space := range uint8(4) {
				yield(step{Kind: engine.Inject, Tile: a, Slot: slot, Space: space})
			}
		}
	}
	for loc := uint8(1); loc < engine.DieLoc+3; loc++ {
		yield(step{Kind: engine.Cube, Loc: loc})
		for cell := engine.Cell(1); cell <= 9; cell++ {
			effects(step{Kind: engine.Cube, Loc: loc, Cell: cell})
		}
	}
	moves(step{Kind: engine.MoveShip}, lastStrip, yield)
	for locs := uint8(1); locs < 64; locs++ {
		yield(step{Kind: engine.Locations, Locs: locs})
	}
	yield(step{Kind: engine.Collect})
	yield(step{Kind: engine.Collect, Card: engine.BackRavager, Card2: engine.BackRavager})
	for a := engine.Card(component.FirstRaider); a <= component.LastRaider; a++ {
		for b := a + 1; b <= component.LastRaider; b++ {
			yield(step{Kind: engine.Collect, Card: a, Card2: b})
		}
	}
}

func TestEveryStepSurvivesPrintAndParse(t *testing.T) {
	n, failed := 0, 0
	kinds := map[engine.Kind]int{}
	every(func(s engine.Step) {
		n++
		kinds[s.Kind]++
		line := order.Print(s)
		got, err := order.Parse(line)
		switch {
		case err != nil:
			t.Errorf("%+v prints %q: %v", s, line, err)
		case got != s:
			t.Errorf("%q is read as %+v, was %+v", line, got, s)
		default:
			return
		}
		if failed++; failed > 10 {
			t.FailNow()
		}
	})
	for k := engine.Discard; k <= engine.Pass; k++ {
		if kinds[k] == 0 {
			t.Errorf("no step of kind %d was tried", k)
		}
	}
	t.Logf("%d steps", n)
}

func TestMaskedStepsPrintBacks(t *testing.T) {
	for _, c := range []struct{ order, masked string }{
		{"card 033 at row 2", "card gray at row 2"},
		{"card 075 at column 1", "card ravager at column 1"},
		{"discard 075", "discard ravager"},
		{"discard 013", "discard orange"},
		{"keep 041", "keep green"},
		{"collect with 013", "collect with orange"},
		{"collect with 064 071", "collect with ravager ravager"},
		{"collect with t12 t30", "collect with t12 t30"},
		{"place 027 at b4", "place 027 at b4"},
		{"mission 027", "mission 027"},
	} {
		s, err := order.Parse(c.order)
		if err != nil {
			t.Fatal(err)
		}
		if got := order.Print(s.Masked()); got != c.masked {
			t.Errorf("%s masked prints %q, want %q", c.order, got, c.masked)
		}
		if m, err := order.Parse(c.masked); err != nil || m != s.Masked() {
			t.Errorf("%q is read as %+v, %v", c.masked, m, err)
		}
	}
}

func TestParseRefusesWhatPrintNeverWrites(t *testing.T) {
	for _, line := range []string{
		"", " ", "| die gray 2", "Die gray 2", "die gray 2 ", " die gray 2", "die  gray 2", "die grey 2",
		"die gray 4", "die gray 02", "die gray 2 flip secure", "die gray 2 from seat 5", "die gray 2 from seat 0",
		"die gray 2 secure secure", "die gray 2 from", "b", "card 13 at row 2", "card 000 at row 1", "card 091 at row 1",
		"card 013 at row 4", "card 013 row 2", "mission 061", "mission gray", "place 061 at b4", "place 027 at f4",
		"place 027 at b04", "flip", "flip gray", "flip gray 4", "flip gray 0 secure secure", "flip gray 0 from seat 2", "boost", "boost 2.4", "boost 2.1 none", "boost 2.1 as gray", "reserve gray 3 boost", "reserve gray 3 2.1", "boost 2.1 gray gray", "place 027 at b51", "activate 2.4", "activate 2.1 on", "activate 2.1 vp",
		"activate 2.1 robot to", "activate 2.1 draw", "cube 0", "cube 7", "cube 3 on", "cube 3 resource",
		"take", "take t12 t12", "take t30 t12", "take t0", "take t49", "take s4", "take a17", "take t1 t2 t3 t4",
		"inject t12 row 2 space", "inject t12 row 2 space none", "locations", "locations 4 2", "locations 2 2",
		"collect with", "collect with 013 014", "collect with 071 064", "collect with t12 013", "command", "command at 7",
		"command at", "ship c4 to", "launch", "launch to c0", "done.", "reserve gray", "keep", strings.Repeat("x", 1000),
	} {
		if s, err := order.Parse(line); err == nil {
			t.Errorf("%q is read as %+v", line, s)
		}
	}
}

func TestTold(t *testing.T) {
	for _, c := range []struct {
		e      engine.Event
		viewer engine.Seat
		want   string
	}{
		{engine.Event{Kind: engine.EvRolled, Seat: 2, Color: engine.Orange, Value: 3}, 1, "orange die 3"},
		{engine.Event{Kind: engine.EvRolled, Seat: engine.Neutral, Color: engine.Gray}, 1, "neutral gray die 0"},
		{engine.Event{Kind: engine.EvDrewMission, Seat: 2, Card: 13}, 2, "mission 013"},
		{engine.Event{Kind: engine.EvDrewMission, Seat: 2, Card: 13}, 1, "mission orange"},
		{engine.Event{Kind: engine.EvOffered, Seat: 2, Card: 13}, 2, "mission 013"},
		{engine.Event{Kind: engine.EvOffered, Seat: 2, Card: 13}, 1, "mission orange"},
		{engine.Event{Kind: engine.EvDrewRavager, Seat: 2, Card: 75}, 2, "hand ravager 075"},
		{engine.Event{Kind: engine.EvDrewRavager, Seat: 2, Card: 75}, 0, "hand ravager"},
		{engine.Event{Kind: engine.EvStartTile, Seat: 2, Tile: engine.FirstStart, Cell: 5}, 0, "start s1 at 2.2"},
		{engine.Event{Kind: engine.EvAttack, Card: 75, Loc: 3}, 0, "ravager 075 at 3"},
		{engine.Event{Kind: engine.EvOverflow, Card: 80}, 0, "overflow 080"},
		{engine.Event{Kind: engine.EvTileAppeared, Tile: 12}, 0, "tile t12"},
		{engine.Event{Kind: engine.EvRefilled, Tile: engine.FirstAdvanced + 3, N: 2}, 0, "advanced a4 at 2"},
		{engine.Event{Kind: engine.EvShuffled, Pile: engine.PileGray}, 0, "shuffled mission/gray"},
		{engine.Event{Kind: engine.EvNothingToDraw, Color: engine.Gray}, 0, "no mission gray"},
		{engine.Event{Kind: engine.EvVP, Seat: 2, N: 3, Source: engine.ByActivation}, 0, "vp seat 2 +3 activation"},
		{engine.Event{Kind: engine.EvVP, Seat: 2, N: -1, Source: engine.ByLoss}, 0, "vp seat 2 -1 loss"},
		{engine.Event{Kind: engine.EvFinal, Seat: 2, N: 48}, 0, "final seat 2 48"},
	} {
		if got, ok := order.Told(c.e.For(c.viewer)); !ok || got != c.want {
			t.Errorf("%+v tells seat %d %q, want %q", c.e, c.viewer, got, c.want)
		}
	}
	for k := engine.NoEvent; k < engine.EventKinds; k++ {
		if e := (engine.Event{Kind: k}); e.New() {
			if _, ok := order.Told(e); !ok {
				t.Errorf("event kind %d is new information and untold", k)
			}
		}
	}
	if _, ok := order.Told(engine.Event{Kind: engine.EvGained}); ok {
		t.Error("a gain of goods is told")
	}
}
