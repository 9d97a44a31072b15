package words

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"angelpost/engine/component"
)

// `rules C1` to `rules C9` print what the game's own set has: they name the set, and where
// it has one value otherwise, that number and no other reads otherwise, but not as a rule.
func TestBoxIsTheGamesSet(t *testing.T) {
	rules := func(set *component.Set) (out [10][]string) {
		for n := 1; n <= 9; n++ {
			out[n] = English().For(set, 0, nil).Rules(fmt.Sprint("C", n))
		}
		return out
	}
	own := component.Default()
	was := rules(own)
	for n := 1; n <= 9; n++ {
		if !strings.Contains(was[n][1], own.Name) || len(was[n]) < 3 {
			t.Errorf("C%d says %q", n, was[n])
		}
	}
	try := func(what string, n int, change func(*component.Set)) {
		t.Helper()
		set := *own
		set.Costs = slices.Clone(own.Costs)
		change(&set)
		for k, now := range rules(&set) {
			if k > 0 && slices.Equal(now, was[k]) == (k == n) || k > 0 && now[0] != was[k][0] {
				t.Errorf("with another %s C%d says %q, with the built-in set %q", what, k, now, was[k])
			}
		}
	}
	next := func(c component.Color) component.Color { return (c + 1) % 3 }
	for i := range own.Strips {
		for side := range 2 {
			for lane := range 5 {
				at := fmt.Sprint("hex ", i, side, lane)
				try("colour of "+at, 1, func(s *component.Set) { s.Strips[i][side][lane].Color = next(s.Strips[i][side][lane].Color) })
				try("comet of "+at, 1, func(s *component.Set) { s.Strips[i][side][lane].Comet = !s.Strips[i][side][lane].Comet })
				try("icons of "+at, 1, func(s *component.Set) { s.Strips[i][side][lane].Ravagers++ })
			}
		}
	}
	for i := 1; i <= component.Missions; i++ {
		try(fmt.Sprint("reward ", i), 2, func(s *component.Set) { s.Missions[i].Reward.Ships += 2 })
		try(fmt.Sprint("tile ", i), 2, func(s *component.Set) { s.Missions[i].Tiles[0] = next(s.Missions[i].Tiles[0]) })
		try(fmt.Sprint("second tile ", i), 2, func(s *component.Set) {
			if tiles := &s.Missions[i].Tiles; tiles[1] == component.None {
				tiles[1] = component.Gray
			} else {
				tiles[1] = component.None
			}
		})
	}
	for i := 1; i <= component.Tiles; i++ {
		try(fmt.Sprint("effect ", i), 3, func(s *component.Set) { s.Tiles[i].Effect = (s.Tiles[i].Effect + 1) % component.Start })
		try(fmt.Sprint("boost ", i), 3, func(s *component.Set) { s.Tiles[i].Boost = s.Tiles[i].Boost%4 + 1 })
		try(fmt.Sprint("dice of boost ", i), 3, func(s *component.Set) { s.Tiles[i].For = next(s.Tiles[i].For) })
		if own.Tiles[i].Boost == 1 {
			try(fmt.Sprint("action of boost ", i), 3, func(s *component.Set) { s.Tiles[i].Action = s.Tiles[i].Action%component.Command + 1 })
		}
	}
	for i := 1; i <= component.Advanced; i++ {
		try(fmt.Sprint("kind ", i), 4, func(s *component.Set) { s.Advanced[i] = s.Advanced[i]%8 + 1 })
	}
	for i := component.FirstRaider; i <= component.LastRaider; i++ {
		try(fmt.Sprint("location of ", i), 5, func(s *component.Set) { s.Ravagers[i].Location = s.Ravagers[i].Location%6 + 1 })
		if own.Ravagers[i].Effect == 2 {
			try(fmt.Sprint("die of ", i), 5, func(s *component.Set) { s.Ravagers[i].Die = next(s.Ravagers[i].Die) })
		}
	}
	for i, weight := range []func(*component.Set) *uint8{
		func(s *component.Set) *uint8 { return &s.Weights.Ship }, func(s *component.Set) *uint8 { return &s.Weights.Resource },
		func(s *component.Set) *uint8 { return &s.Weights.Robot }, func(s *component.Set) *uint8 { return &s.Weights.Debris },
		func(s *component.Set) *uint8 { return &s.Weights.Ravager }, func(s *component.Set) *uint8 { return &s.Weights.Technology },
		func(s *component.Set) *uint8 { return &s.Weights.Advanced },
	} {
		try(fmt.Sprint("weight ", i), 6, func(s *component.Set) { *weight(s) += 2 })
	}
	for i := range own.Hal {
		for half := range 2 {
			try(fmt.Sprint("half ", i, half), 6, func(s *component.Set) { s.Hal[i][half].Color = next(s.Hal[i][half].Color) })
			if own.Hal[i][half].Action != component.Command {
				try(fmt.Sprint("manner ", i, half), 6, func(s *component.Set) { s.Hal[i][half].Mod = !s.Hal[i][half].Mod })
			}
		}
	}
	for seat := 2; seat <= 4; seat++ {
		for rules := range 2 {
			for players := seat; players <= 4; players++ {
				at := fmt.Sprint(" of seat ", seat, " of ", players, ", rules ", rules)
				a := func(s *component.Set) *component.Advantage { return &s.Seats[seat][rules] }
				try("ships"+at, 7, func(s *component.Set) { a(s).Ships[players]++ })
				try("resources"+at, 7, func(s *component.Set) { a(s).Resources[players]++ })
				try("robots"+at, 7, func(s *component.Set) { a(s).Robots[players]++ })
				try("Debris"+at, 7, func(s *component.Set) { a(s).Debris[players]++ })
				try("VP"+at, 7, func(s *component.Set) { a(s).VP[players]++ })
				try("reservation"+at, 7, func(s *component.Set) { a(s).Reserve = !a(s).Reserve })
			}
		}
	}
	for i := 1; i <= 6; i++ {
		try(fmt.Sprint("location ", i), 8, func(s *component.Set) { s.Locs[i] = s.Locs[i%6+1] })
	}
	try("display", 8, func(s *component.Set) { s.Costs = append(s.Costs, 1) })
	for i := range own.Costs {
		try(fmt.Sprint("cost ", i), 8, func(s *component.Set) { s.Costs[i] = 3 - s.Costs[i] })
	}
	for i := range own.Start {
		try(fmt.Sprint("cell ", i), 9, func(s *component.Set) { s.Start[i] = 7 - s.Start[i]%2 })
	}
}
