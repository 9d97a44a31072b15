package engine

import "angelpost/engine/component"

// BenchSet is the component set of the rule tests: its print is as regular as
// can be, so that a position can be read without a table. It is not a real game.
//
//   - Missions: card n is kind M((n-1)%20+1); reward 1 VP; one tile colour, its own.
//   - Ravagers: as C5; V2's dice for locations 1-6: gray green orange green orange gray.
//   - Technology: t1-t16 orange, t17-t32 gray, t33-t48 green, effects Ta Tb Tc Td
//     and again; boosts B1 for the first four of a colour, then B2, B3, B4.
//   - Advanced tiles: a1 a2 are K1, a3 a4 K2, and so on.
//   - Hal: weights 1 to 7 in their order (ship, resource, robot, Debris, Ravager,
//     Technology, Advanced); cards as halCards lists them.
//   - Every strip on both sides: orange, orange with comet, gray, green, green
//     with comet; no icons, no asteroids.
//
// A position that needs another print says so (hex, back, print).
func BenchSet() *component.Set {
	s := &component.Set{Name: "bench"}
	for n := 1; n <= 60; n++ {
		c := component.Color((n - 1) / 20)
		s.Missions[n] = component.Mission{Color: c, Kind: uint8((n-1)%20 + 1), Reward: component.Reward{VP: 1}, Tiles: [2]component.Color{c, None}}
	}
	v2 := [6]component.Color{Gray, Green, Orange, Green, Orange, Gray}
	for n := 61; n <= 90; n++ {
		s.Ravagers[n] = component.Ravager{Effect: uint8((n-61)/6 + 1), Location: uint8((n-61)%6 + 1), Die: None}
		if n >= 67 && n <= 72 {
			s.Ravagers[n].Die = v2[n-67]
		}
	}
	own := [3]component.Action{component.Discover, component.Repair, component.Destroy}
	for n := 1; n <= 48; n++ {
		c := component.Color((n - 1) / 16)
		t := component.Tile{Color: c, Effect: uint8((n - 1) % 4), Boost: uint8((n-1)%16/4 + 1), For: c}
		if t.Boost == 1 {
			t.Action = own[c]
			if n%2 == 0 {
				t.Action = component.Command
			}
		}
		s.Tiles[n] = t
	}
	for c := range component.Colors {
		s.Tiles[49+c] = component.Tile{Color: component.Color(c), Effect: component.Start}
	}
	for n := 1; n <= 16; n++ {
		s.Advanced[n] = uint8((n + 1) / 2)
	}
	for i := range s.Strips {
		for side := range 2 {
			s.Strips[i][side] = [5]component.Hex{{Color: Orange}, {Color: Orange, Comet: true}, {Color: Gray}, {Color: Green}, {Color: Green, Comet: true}}
		}
	}
	s.Locs = [7]component.Location{
		1: {Action: component.Discover, Color: Orange}, 2: {Action: component.Command, Color: Orange},
		3: {Action: component.Repair, Color: Gray}, 4: {Action: component.Command, Color: Gray},
		5: {Action: component.Destroy, Color: Green}, 6: {Action: component.Command, Color: Green},
	}
	s.Costs = []uint8{2, 2, 1, 1, 1, 1}
	for n, a := range [5]component.Advantage{2: {Resources: component.Each{2: 1, 3: 1, 4: 1}}, 3: {Reserve: true}, 4: {Resources: component.Each{4: 1}, Reserve: true}} {
		s.Seats[n] = [2]component.Advantage{a, a}
	}
	s.Start = [3]uint8{0, 4, 8}
	w := &s.Weights
	w.Ship, w.Resource, w.Robot, w.Debris, w.Ravager, w.Technology, w.Advanced = 1, 2, 3, 4, 5, 6, 7
	for i, c := range halCards {
		for k, h := range c {
			s.Hal[i][k] = component.Half{Color: h.c, Action: own[h.c], Mod: h.mod}
			if h.command {
				s.Hal[i][k].Action = component.Command
			}
		}
	}
	return s
}

// halCards are the upper and lower halves of the bench's Hal cards 1-12: the
// colour, whether it is Command, and the manner of the colour's own action
// (Discover false "Advanced first", Repair and Destroy false 1-6).
var halCards = [12][2]struct {
	c       component.Color
	command bool
	mod     bool
}{
	{{Orange, false, false}, {Gray, true, false}},
	{{Orange, false, true}, {Gray, false, false}},
	{{Orange, true, false}, {Green, false, false}},
	{{Orange, true, false}, {Green, true, false}},
	{{Gray, false, false}, {Orange, true, false}},
	{{Gray, false, true}, {Orange, false, false}},
	{{Gray, true, false}, {Green, false, true}},
	{{Gray, true, false}, {Green, true, false}},
	{{Green, false, false}, {Orange, true, false}},
	{{Green, false, true}, {Orange, false, true}},
	{{Green, true, false}, {Gray, false, true}},
	{{Green, true, false}, {Gray, true, false}},
}
