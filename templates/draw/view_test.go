package draw

import (
	"math/rand/v2"

	"angelpost/engine"
	"angelpost/engine/component"
)

// testSet is a set with plausible print, for views made by hand.
func testSet() *component.Set {
	r := rand.New(rand.NewPCG(1, 2))
	set := &component.Set{Name: "test", Costs: []uint8{2, 2, 1, 1, 1, 1}}
	for i := 1; i <= component.Missions; i++ {
		m := &set.Missions[i]
		m.Color, m.Kind = component.Color((i-1)/20), uint8((i-1)%20+1)
		m.Reward = component.Reward{VP: uint8(i % 3), Ships: uint8(i % 2)}
		m.Tiles = [2]component.Color{component.Color(i % 3), component.Color(i % 4)}
	}
	for i := component.FirstRaider; i <= component.LastRaider; i++ {
		k := i - component.FirstRaider
		set.Ravagers[i] = component.Ravager{Effect: uint8(k/6 + 1), Location: uint8(k%6 + 1), Die: component.None}
	}
	for i := 1; i <= component.Tiles; i++ {
		set.Tiles[i] = component.Tile{Color: component.Color((i - 1) / 16), Effect: uint8((i - 1) / 4 % 4), Boost: uint8((i-1)%4 + 1), For: component.Color((i - 1) / 16)}
	}
	for i := range 3 {
		set.Tiles[component.Tiles+1+i] = component.Tile{Color: component.Color(i), Effect: component.Start}
	}
	for i := 1; i <= component.Advanced; i++ {
		set.Advanced[i] = uint8((i-1)/2 + 1)
	}
	for s := range set.Strips {
		for side := range 2 {
			for lane := range 5 {
				h := component.Hex{Color: component.Color(r.IntN(4))}
				if h.Color != component.None {
					h.Comet, h.Ravagers = r.IntN(4) == 0, uint8(r.IntN(3)/2)
				}
				set.Strips[s][side][lane] = h
			}
		}
	}
	for i, a := range []component.Action{component.Discover, component.Command, component.Repair, component.Command, component.Destroy, component.Command} {
		set.Locs[i+1] = component.Location{Action: a, Color: []component.Color{0, 0, 1, 1, 2, 2}[i]}
	}
	return set
}

// makeView is a busy game of the given number of players seen by viewer, some
// advances old.
func makeView(players, viewer, advances int) *engine.View {
	r := rand.New(rand.NewPCG(uint64(players), uint64(advances)))
	set := testSet()
	strips := 7
	if players == 2 {
		strips = 5
	}
	v := &engine.View{
		Viewer: engine.Seat(viewer), Set: set, Options: engine.Options{Players: players},
		Round: advances*2 + 1, Turn: (advances*2+1)*players - 1, Seat: 2, ToAct: []engine.Seat{2},
		BlackAngel: engine.HexAt(advances+1+strips/2, 2), AdvancedLeft: 8,
		Die: engine.DieView{Color: engine.None}, LastRound: advances > 5,
	}
	if advances > 0 {
		v.Die, v.Acting, v.Left, v.ToInject = engine.DieView{Color: engine.Gray, Value: 2}, 3, 2, []engine.Tile{12, engine.LastTile}
	}
	if advances < strips {
		v.SpesToken = strips
	} else {
		v.SpesHex = engine.HexAt(2*strips, 2)
	}
	mission, raider := engine.Card(1), engine.Card(component.FirstRaider)
	nextMission := func(c engine.Color) engine.Card {
		mission++
		return engine.Card(int(c)*20 + int(mission)%20 + 1)
	}
	nextRaider := func() engine.Card { raider++; return raider - 1 }
	for i := range strips {
		s := engine.StripView{Number: advances + 1 + i}
		for lane := range 5 {
			print := set.Strips[i][i&1][lane]
			h := &s.Hexes[lane]
			*h = engine.HexView{At: engine.HexAt(s.Number, lane), Color: print.Color, Asteroid: print.Color == engine.None, Comet: print.Comet, Icons: int(print.Ravagers)}
			if h.At == v.SpesHex {
				h.Spes, h.Asteroid, h.Color, h.Comet, h.Icons = true, false, engine.None, false, 0
			}
			if h.Color != engine.None && r.IntN(4) == 0 {
				h.Card, h.Owner = nextMission(h.Color), engine.Seat(1+r.IntN(players))
				h.Comet, h.Icons = false, 0
			}
			if !h.Asteroid && r.IntN(3) == 0 {
				h.Ships = []engine.Seat{engine.Seat(1 + r.IntN(players))}
				if r.IntN(2) == 0 && int(h.Ships[0]) < players {
					h.Ships = append(h.Ships, h.Ships[0]+1)
				}
			}
		}
		v.Strips = append(v.Strips, s)
	}
	for i := 1; i <= 6; i++ {
		l := engine.LocView{Location: set.Locs[i], Damage: i % 3}
		for range i % 4 {
			t := engine.TrapView{Card: nextRaider()}
			for s := range r.IntN(players + 1) {
				t.Robots = append(t.Robots, engine.Seat(s+1))
			}
			l.Ravagers = append(l.Ravagers, t)
		}
		v.Locs[i] = l
	}
	for c := range 3 {
		v.Supply[c] = engine.SupplyView{Dice: 3 + c%2, Damaged: c}
		v.TopTile[c] = engine.Tile(c*16 + 9)
		v.Decks[c] = engine.DeckView{Left: 12 + c, Discarded: c}
		v.Decks[int(engine.PileTileOrange)+c] = engine.DeckView{Left: 11, Discarded: 1}
	}
	v.Decks[engine.PileRavager] = engine.DeckView{Left: 17, Discarded: 2}
	v.Display = []engine.Tile{3, 20, 0, 40, 7, 29}
	v.Slots = [4]engine.Tile{engine.FirstAdvanced, engine.FirstAdvanced + 7, 0, engine.LastTile}
	if players == 2 {
		v.Neutral = &engine.NeutralView{Robots: [3]bool{true, false, true}, Dice: []engine.DieView{{Color: 0, Value: 0}, {Color: 1, Value: 3}}}
	}
	for s := 1; s <= players; s++ {
		p := engine.PlayerView{
			Seat: engine.Seat(s), VP: 3 + 9*s, Resources: s, Debris: 2 * s, Ships: s % 3, Break: 4 - s%2, Stations: [3]int{1, 2, s % 3},
			RobotSupply: 4, Pilots: 2, OnCards: 1, Trapped: s % 2,
			Standard: []engine.DieView{{Color: 0, Value: 0}, {Color: 0, Value: 3}, {Color: 1, Value: 1}, {Color: 2, Value: 2}},
			Secure:   []engine.DieView{{Color: 2, Value: 0}},
			Hand:     [3]int{2, 1, 1}, Ravagers: s % 3,
			Rows: [3]engine.Card{0, engine.BackGray, 0}, Columns: [3]engine.Card{engine.BackRavager, 0, engine.BackOrange},
			Spaces:  [3]engine.Tile{0, engine.FirstAdvanced + engine.Tile(s), 0},
			Ejected: []engine.Tile{engine.Tile(s), 33, engine.FirstAdvanced + 11},
		}
		if s == viewer {
			p.Rows[1], p.Columns = 22, [3]engine.Card{64, 0, 3}
			p.Cards = []engine.Card{11, 18, 33, 52}
			for range p.Ravagers {
				p.Cards = append(p.Cards, nextRaider())
			}
		}
		for c := range 3 {
			for range (s + c) % 3 {
				p.Tucked[c] = append(p.Tucked[c], nextMission(engine.Color(c)))
			}
		}
		tiles := []engine.Tile{engine.FirstStart, engine.Tile(4 + s), 21, 0, engine.FirstStart + 1, 46, engine.FirstAdvanced + 9, 13, engine.FirstStart + 2}
		for i, t := range tiles {
			p.Grid[i] = engine.CellView{Tile: t, Debris: t != 0 && i%4 == s%4 && !t.Advanced(), Boost: i == 7 && s == 2}
		}
		v.Players = append(v.Players, p)
	}
	return v
}
