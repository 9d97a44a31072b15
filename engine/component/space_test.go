package component

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/fstest"
)

// TestGeometry measures instead of counting: hexes of a chevron board are
// neighbours when their middles lie one width apart. Lane p stands p columns
// from the tip and half a hex further away per column.
func TestGeometry(t *testing.T) {
	middle := func(h int) (x, y float64) {
		p := float64(h%Lanes - Tip)
		return p * math.Sqrt(3) / 2, float64(h/Lanes) + math.Abs(p)/2
	}
	for n := 1; n <= MaxStrips; n++ {
		b := BoardOf(n)
		for h := range MaxHexes {
			var want uint64
			for k := range n * Lanes {
				x1, y1 := middle(h)
				x2, y2 := middle(k)
				if d := math.Hypot(x1-x2, y1-y2); h < n*Lanes && math.Abs(d-1) < 0.01 {
					want |= 1 << k
				}
			}
			if b.Mask[h] != want {
				t.Errorf("%d strips: neighbours of hex %d: %035b, measured %035b", n, h, b.Mask[h], want)
			}
		}
	}
}

// drawn makes sides of drawings, one a strip side, "o" orange, "y" gray, "n"
// green, "." asteroids.
func drawn(pictures ...string) (strips [MaxStrips][2][Lanes]Hex) {
	for i, p := range pictures {
		for lane, r := range p {
			strips[i/2][i%2][lane] = Hex{Color: Color(strings.IndexRune("oyn.", r))}
		}
	}
	return strips
}

func same(n int, picture string) (out []string) {
	for range n {
		out = append(out, picture)
	}
	return out
}

// TestWays draws sets that bar the way, and sets that only seem to.
func TestWays(t *testing.T) {
	open := same(sides, "ooyyn")
	with := func(at int, pictures ...string) []string {
		out := append([]string(nil), open...)
		copy(out[at:], pictures)
		return out
	}
	for _, c := range []struct {
		name     string
		pictures []string
		side     int // at fault
		want     string
		threes   bool // proved at once
	}{
		{"nothing in the way", open, 0, "", true},
		{"a side of asteroids", with(3, "....."), 3, "a wall of asteroids", false},
		{"two half walls that meet", with(0, "...yn", "ooyyn", "oo..."), 0, "asteroids cut lane d off", false},
		{"two half walls on one strip never meet", with(0, "..oyn", "ooy.."), 0, "", true},
		{"a corner cut off", with(0, "o.yyn", "ooyyn", ".ooyn"), 0, "asteroids cut lane a off", false},
		{"a wall along lane d that never closes", with(0, "oon.y", "ooyyn", "oon.y", "ooyyn", "oon.y"), 0, "", false},
		{"a wall along lane d from end to end", same(sides, "oon.y"), 0, "asteroids cut lane e off", false},
		{"the tip in asteroids everywhere", same(sides, "oo.yn"), 0, "", false},
		{"a Black Angel among asteroids", with(0, "o...n", "ooyyn"), 0, "", true},
		{"green on two strips", append(append([]string{}, same(10, "ooyy.")...), same(4, "ooyyn")...), 0, "there is no green hex", false},
		{"green on three strips", append(append([]string{}, same(8, "ooyy.")...), same(6, "ooyyn")...), 0, "", true},
		{"green on three strips, on one side each", append(append([]string{}, same(8, "ooyy.")...), "ooyyn", "ooyy.", "ooyyn", "ooyy.", "ooyyn", "ooyy."), 0, "there is no green hex", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			strips := drawn(c.pictures...)
			side, text := ways(&strips)
			if (text == "") != (c.want == "") || !strings.Contains(text, c.want) || side != c.side {
				t.Errorf("strip %s: %q, want %q at strip %s", sideName(side), text, c.want, sideName(c.side))
			}
			if got := waysByThrees(rowsOf(&strips)); got != c.threes {
				t.Errorf("three strips at a time prove it: %v, want %v", got, c.threes)
			}
		})
	}
}

func rowsOf(strips *[MaxStrips][2][Lanes]Hex) *[sides]row {
	var rows [sides]row
	for i := range rows {
		rows[i] = rowOf(&strips[i/2][i%2])
	}
	return &rows
}

// TestWaysByThrees holds that what the quick argument accepts is true on every
// board, on random sets with few and many asteroids.
func TestWaysByThrees(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	accepted, refused, wrong := 0, 0, 0
	for try := 0; accepted < 20 || refused < 20; try++ {
		var strips [MaxStrips][2][Lanes]Hex
		for s := range strips {
			for up := range strips[s] {
				for lane := range strips[s][up] {
					strips[s][up][lane].Color = Color(rng.IntN(3))
				}
				if rng.IntN(4) <= try%3 {
					strips[s][up][rng.IntN(Lanes)].Color = None
				}
			}
		}
		rows := rowsOf(&strips)
		quick := waysByThrees(rows)
		if quick && accepted < 20 {
			accepted++
			for n := 5; n <= 7; n += 2 + accepted/4 {
				if side, text := waysByBoards(rows, n); text != "" {
					t.Fatalf("%v\naccepted by threes, but strip %s: %s", strips, sideName(side), text)
				}
			}
		}
		if !quick && refused < 20 {
			refused++
			if _, text := waysByBoards(rows, 5); text != "" {
				wrong++
			}
		}
	}
	if wrong == 0 {
		t.Error("no random set was really barred: the test shows nothing")
	}
}

// TestDefaultSpace looks at boards the default set can show, all of them for
// C1's last constraint.
func TestDefaultSpace(t *testing.T) {
	set := Default()
	rows := rowsOf(&set.Strips)
	if !waysByThrees(rows) {
		t.Error("the default set is not proved at once; loading takes long")
	}
	for _, n := range []int{5, 7} {
		if side, text := waysByBoards(rows, n); text != "" {
			t.Errorf("%d strips: strip %s: %s", n, sideName(side), text)
		}
	}
	rng := rand.New(rand.NewPCG(3, 4))
	icons, hexes := 0, 0
	for range 20000 {
		n := 5 + 2*rng.IntN(2)
		var free, ravagers uint64
		for pos, s := range rng.Perm(MaxStrips)[:n] {
			for lane, h := range set.Strips[s][rng.IntN(2)] {
				at := uint64(1) << (pos*Lanes + lane)
				if h.Color != None {
					free |= at
				}
				if h.Ravagers > 0 {
					ravagers |= at
				}
			}
		}
		for h := range n * Lanes {
			if free>>h&1 == 1 {
				icons += bits.OnesCount64(BoardOf(n).Mask[h] & ravagers)
				hexes++
			}
		}
	}
	// On an empty board; cards and the Spes token hide some.
	if mean := float64(icons) / float64(hexes); mean < 1.75 || mean > 2.25 {
		t.Errorf("a placement on an empty board draws %.2f Ravagers, want about two", mean)
	}
}

// TestSlowProof loads a set that only the trial of all boards finds open, and one
// that it warns of.
func TestSlowProof(t *testing.T) {
	set := func(walls int) *Report {
		t.Helper()
		text := ""
		for side := range sides {
			hexes := "orange ravager | orange comet | gray | gray comet ravager | green"
			if side%2 == 0 && side < 2*walls {
				hexes = "orange ravager | orange comet | green | asteroids | gray"
			}
			text += sideName(side) + " | " + hexes + " | ours\n"
		}
		fsys := files(t)
		fsys[fileStrips] = &fstest.MapFile{Data: []byte(text)}
		r, err := load(fsys, "drawn")
		if err != nil || r.Set == nil {
			t.Fatal(err, r.Faults)
		}
		return r
	}
	three := set(3)
	if len(three.Warnings) > 0 {
		t.Error(three.Warnings)
	}
	if waysByThrees(rowsOf(&three.Set.Strips)) {
		t.Error("the quick proof accepts this set too: it does not show the slow one")
	}
	five := set(5)
	if len(five.Warnings) != 1 || !strings.HasPrefix(five.Warnings[0].String(), "strips.txt:1: C1: strip 1 front: asteroids cut lane e off") {
		t.Errorf("got %v", five.Warnings)
	}
}
