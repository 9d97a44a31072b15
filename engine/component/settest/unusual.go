package settest

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing/fstest"

	"angelpost/engine/component"
)

// Unusual returns a box that no publisher would print and that the rules allow
// all the same: everything that they leave open is drawn at random from a seed.
// Boxes of seeds that are multiples of 8 are the poorest: Space is mostly
// asteroids, the display short.
func Unusual(seed uint64) *component.Set {
	for try := range uint64(100) {
		set, err := component.Load(UnusualFiles(seed+try<<32), fmt.Sprintf("unusual-%d", seed))
		if err == nil {
			return set
		}
		if !strings.Contains(err.Error(), "no hex of any strip") { // which a poor box may lack
			panic(err)
		}
	}
	panic("no box of 100 has hexes of each colour")
}

// UnusualFiles returns the data files of a box that Unusual may load.
func UnusualFiles(seed uint64) fstest.MapFS {
	b := box{rand.New(rand.NewPCG(seed, 28)), seed%8 == 0}
	files := fstest.MapFS{}
	for _, f := range []struct {
		name string
		text func() string
	}{
		{"advanced.txt", b.advanced}, {"board.txt", b.board}, {"hal.txt", b.hal}, {"missions.txt", b.missions},
		{"ravagers.txt", b.ravagers}, {"strips.txt", b.strips}, {"technology.txt", b.technology},
	} {
		files[f.name] = &fstest.MapFile{Data: []byte(f.text())}
	}
	return files
}

// A box draws what is printed in it.
type box struct {
	*rand.Rand
	poor bool
}

func (b box) color() component.Color { return component.Colors[b.IntN(3)] }

// lines joins what line returns for the numbers from first to last.
func lines(first, last int, line func(n int) string) string {
	var text strings.Builder
	for n := first; n <= last; n++ {
		text.WriteString(line(n) + " | ours\n")
	}
	return text.String()
}

func (b box) advanced() string {
	return lines(1, component.Advanced, func(n int) string { return fmt.Sprintf("a%d | K%d", n, 1+b.IntN(8)) })
}

func (b box) board() string {
	locations := []string{"discover orange", "command orange", "repair gray", "command gray", "destroy green", "command green"}
	b.Shuffle(len(locations), func(i, j int) { locations[i], locations[j] = locations[j], locations[i] })
	text := lines(1, 6, func(n int) string { return fmt.Sprintf("location %d | %s", n, locations[n-1]) })
	spaces := component.MinDisplay
	if !b.poor {
		spaces += b.IntN(component.MaxDisplay - component.MinDisplay + 1)
	}
	text += "display | 2 2" + strings.Repeat(" 1", spaces-2) + " | ours\nstart |"
	for _, c := range b.Perm(9)[:3] {
		text += fmt.Sprintf(" %d.%d", c/3+1, c%3+1)
	}
	text += " | ours\nseat 1 | nothing | ours\n"
	return text + lines(2, 4, func(n int) string {
		return fmt.Sprintf("seat %d | %s | %s", n, b.advantage(n), b.advantage(n))
	})
}

// advantage is what a seat gets: as much of a thing for each number of players,
// or for each another number.
func (b box) advantage(seat int) string {
	var gets []string
	if seat > 2 || b.IntN(2) == 0 {
		gets = append(gets, "reserve")
	}
	for _, thing := range []string{"ships", "resources", "robots", "debris", "VP"} {
		switch b.IntN(4) {
		case 0:
			gets = append(gets, fmt.Sprintf("%d %s", b.IntN(12), thing))
		case 1:
			var each []string
			for range 5 - seat {
				each = append(each, fmt.Sprint(b.IntN(5)))
			}
			gets = append(gets, strings.Join(each, "/")+" "+thing)
		}
	}
	if gets == nil {
		return "nothing"
	}
	return strings.Join(gets, " ")
}

func (b box) hal() string {
	things := []string{"ship", "resource", "robot", "debris", "ravager", "technology", "advanced"}
	text := lines(1, len(things), func(n int) string { return fmt.Sprintf("weight %s | %d", things[n-1], 1+b.IntN(20)) })
	halves := [][]string{
		{"command", "discover advanced-first", "discover tiles-only"},
		{"command", "repair 1-6", "repair 6-1"},
		{"command", "destroy 1-6", "destroy 6-1"},
	}
	return text + lines(1, 12, func(n int) string {
		up := b.color()
		low := up.Others()[b.IntN(2)]
		return fmt.Sprintf("card %d | %v %s | %v %s", n, up, halves[up][b.IntN(3)], low, halves[low][b.IntN(3)])
	})
}

func (b box) missions() string {
	return lines(1, component.Missions, func(n int) string {
		var reward []string
		for len(reward) == 0 {
			for _, thing := range []string{"VP", "ships", "resources", "robots"} {
				if b.IntN(3) == 0 {
					reward = append(reward, fmt.Sprintf("%d %s", 1+b.IntN(4), thing))
				}
			}
		}
		tiles := b.color().String()
		if b.IntN(2) == 0 {
			tiles += " " + b.color().String()
		}
		return fmt.Sprintf("%03d M%d | %s | %s", n, (n-1)%20+1, strings.Join(reward, " "), tiles)
	})
}

func (b box) ravagers() string {
	most := 1 + b.IntN(6) // locations that are attacked
	return lines(component.FirstRaider, component.LastRaider, func(n int) string {
		kind := (n-component.FirstRaider)/6 + 1
		text := fmt.Sprintf("%03d V%d | location %d", n, kind, 1+b.IntN(most))
		if kind == 2 {
			text += " | " + b.color().String()
		}
		return text
	})
}

func (b box) strips() string {
	asteroids, comets, icons := b.Float64()/2, b.Float64(), b.Float64()
	if b.poor {
		asteroids = 0.9
	}
	return lines(0, 13, func(n int) string {
		text := fmt.Sprintf("%d %s", n/2+1, []string{"front", "back"}[n%2])
		for range component.Lanes {
			hex := b.color().String()
			if b.Float64() < asteroids {
				hex = "asteroids"
			}
			if b.Float64() < comets {
				hex += " comet"
			}
			for range 3 {
				if b.Float64() < icons/2 {
					hex += " ravager"
				}
			}
			text += " | " + hex
		}
		return text
	})
}

func (b box) technology() string {
	actions := []string{"discover", "repair", "destroy", "command", "command orange", "command gray", "command green"}
	text := lines(1, component.Tiles, func(n int) string {
		boost := fmt.Sprintf("B%d", 1+b.IntN(4))
		switch {
		case boost == "B1":
			boost += " " + actions[b.IntN(len(actions))]
		case b.IntN(3) > 0:
			boost += " " + b.color().String()
		}
		return fmt.Sprintf("t%d | %v T%c | %s", n, component.Color((n-1)/16), 'a'+b.IntN(4), boost)
	})
	return text + lines(1, 3, func(n int) string { return fmt.Sprintf("s%d | %v Tb or Tc", n, component.Color(n-1)) })
}
