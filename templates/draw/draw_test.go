package draw

import (
	"bytes"
	"flag"
	"fmt"
	"image"
	"image/png"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"angelpost/engine"
	"angelpost/engine/component"
	"angelpost/engine/component/settest"
)

var update = flag.Bool("update", false, "write the golden files anew")

// samples are views by hand and views of random games, by players and viewers.
func samples(t testing.TB) map[string]*engine.View {
	views := map[string]*engine.View{
		"nothing":     {},
		"four-start":  makeView(4, 1, 0),
		"three-late":  makeView(3, 2, 8),
		"two-neutral": makeView(2, 0, 3),
	}
	for players := 2; players <= 4; players++ {
		for i, v := range randomGame(t, engine.Options{Players: players}, uint64(players)) {
			views[fmt.Sprintf("random-%d-%d", players, i)] = v
		}
	}
	for _, o := range []engine.Options{{Players: 1, Hal: engine.Hard, First: true}, {Players: 1, Hal: engine.Easy, Advanced: true}, {Players: 4, Advanced: true}} {
		for i, v := range randomGame(t, o, 9) {
			if i%3 == 0 {
				views[fmt.Sprintf("other-%d-%v-%d", o.Players, o.Advanced, i)] = v
			}
		}
	}
	for box := range uint64(3) {
		for i, v := range playRandom(t, settest.Unusual(box), engine.Options{Players: 1 + int(box)*3/2, Advanced: box != 1, Hal: engine.Easy * engine.Level(1-min(box, 1))}, 5) {
			if i%3 == 0 {
				views[fmt.Sprintf("unusual-%d-%d", box, i)] = v
			}
		}
	}
	return views
}

func randomGame(t testing.TB, o engine.Options, seed uint64) []*engine.View {
	return playRandom(t, component.Default(), o, seed)
}

// playRandom plays one game at random and takes a view every now and then,
// from every seat and the public's in turn; the last one is of the end.
func playRandom(t testing.TB, set *component.Set, o engine.Options, seed uint64) []*engine.View {
	r := rand.New(rand.NewPCG(seed, 7))
	chance := engine.NewChance([32]byte{byte(seed), byte(o.Players)}, "")
	s, err := engine.New(set, o, chance, nil)
	if err != nil {
		t.Fatal(err)
	}
	var views []*engine.View
	var buf []engine.Step
	for n := 0; !s.Finished(); n++ {
		if n > 20000 {
			t.Fatal("the game does not end")
		}
		for seat := engine.Seat(1); int(seat) <= o.Players; seat++ {
			if buf = s.Legal(seat, buf[:0]); len(buf) > 0 {
				s.Do(seat, buf[r.IntN(len(buf))], chance, nil)
				break
			}
		}
		if n%40 == 0 {
			views = append(views, s.Project(engine.Seat(n/40%(o.Players+1))))
		}
	}
	return append(views, s.Project(1))
}

// ids are the names of everything in a view that has one.
func ids(v *engine.View) []string {
	var out []string
	card := func(c engine.Card) {
		if c != 0 && !c.Hidden() {
			out = append(out, c.String())
		}
	}
	tile := func(t engine.Tile) {
		if t != 0 {
			out = append(out, t.String())
		}
	}
	for _, s := range v.Strips {
		for _, h := range s.Hexes {
			out = append(out, h.At.String())
			card(h.Card)
		}
	}
	for _, l := range v.Locs {
		for _, r := range l.Ravagers {
			card(r.Card)
		}
	}
	for _, ts := range [][]engine.Tile{v.Display, v.Slots[:], v.TopTile[:]} {
		for _, t := range ts {
			tile(t)
		}
	}
	for i := range v.Players {
		p := &v.Players[i]
		for _, cs := range [][]engine.Card{p.Cards, p.Rows[:], p.Columns[:], p.Tucked[0], p.Tucked[1], p.Tucked[2]} {
			for _, c := range cs {
				card(c)
			}
		}
		for _, c := range p.Grid {
			tile(c.Tile)
		}
		for _, ts := range [][]engine.Tile{p.Spaces[:], p.Ejected} {
			for _, t := range ts {
				tile(t)
			}
		}
	}
	return out
}

// wordsOf splits text into what could be names of things.
func wordsOf(text string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" \n,;:()", r) }) {
		set[w] = true
	}
	return set
}

func TestEverythingIsNamedInText(t *testing.T) {
	for name, v := range samples(t) {
		text := wordsOf(Text(v, nil))
		for _, id := range ids(v) {
			if !text[id] {
				t.Errorf("%s: %s is not in the text", name, id)
			}
		}
	}
}

func TestTextIsForNarrowTerminals(t *testing.T) {
	for name, v := range samples(t) {
		text := Text(v, nil)
		checkText(t, name, text)
		if strings.IndexFunc(text, func(r rune) bool { return r > '~' }) >= 0 {
			t.Errorf("%s: not ASCII", name)
		}
	}
}

func checkText(t *testing.T, name, text string) {
	t.Helper()
	if len(text) > 32<<10 {
		t.Errorf("%s: %d bytes", name, len(text))
	}
	if !strings.HasSuffix(text, "\n") || !utf8.ValidString(text) {
		t.Errorf("%s: no text of lines: %q", name, text)
	}
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if n := utf8.RuneCountInString(line); n > Columns {
			t.Errorf("%s: %d columns: %s", name, n, line)
		}
		if strings.Contains(line, "|") || strings.HasSuffix(line, " ") {
			t.Errorf("%s: bar or blank: %q", name, line)
		}
	}
}

func TestPNGHasSixteenColoursAndIsSmall(t *testing.T) {
	for name, v := range samples(t) {
		b := PNG(v)
		if !bytes.Equal(b, PNG(v)) {
			t.Errorf("%s: drawn twice, two pictures", name)
		}
		if len(b) > 40<<10 {
			t.Errorf("%s: %d bytes", name, len(b))
		}
		m, err := png.Decode(bytes.NewReader(b))
		if err != nil {
			t.Fatal(name, err)
		}
		p, ok := m.(*image.Paletted)
		if !ok || len(p.Palette) > 16 {
			t.Errorf("%s: no palette of 16", name)
		}
		if m.Bounds().Dx() != width {
			t.Errorf("%s: %v", name, m.Bounds())
		}
	}
}

// What a View of a broken program could hold must not break a letter.
func TestNonsenseDoesNotPanic(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	n := func(max int) int { return r.IntN(max+3) - 1 }
	for i := range 60 {
		v := makeView(4, r.IntN(5), r.IntN(12))
		if i%3 == 0 {
			v.Set = nil
		}
		for s := range v.Strips {
			for l := range v.Strips[s].Hexes {
				v.Strips[s].Hexes[l] = engine.HexView{
					At: engine.Hex(n(255)), Color: engine.Color(n(255)), Asteroid: n(2) > 0, Spes: n(9) > 8, Comet: n(2) > 0,
					Icons: n(9), Card: engine.Card(n(255)), Owner: engine.Seat(n(255)),
					Ships: []engine.Seat{engine.Seat(n(255)), engine.Seat(n(5)), 1}[:r.IntN(4)],
				}
			}
		}
		v.Strips = append(v.Strips, v.Strips...)[:r.IntN(15)]
		for l := range v.Locs {
			v.Locs[l].Damage, v.Locs[l].Color, v.Locs[l].Action = n(5), engine.Color(n(255)), component.Action(n(255))
			for range r.IntN(6) {
				v.Locs[l].Ravagers = append(v.Locs[l].Ravagers, engine.TrapView{Card: engine.Card(n(255)), Robots: make([]engine.Seat, r.IntN(20))})
			}
		}
		for c := range 3 {
			v.Supply[c] = engine.SupplyView{Dice: n(40), Damaged: n(40)}
			v.TopTile[c] = engine.Tile(n(255))
		}
		for range r.IntN(20) {
			v.Display = append(v.Display, engine.Tile(n(255)))
			v.ToInject = append(v.ToInject, engine.Tile(n(255)))
		}
		v.Die, v.Using, v.Acting, v.Left = engine.DieView{Color: engine.Color(n(4)), Value: uint8(n(255))}, engine.Card(n(255)), uint8(n(9)), n(5)
		v.Neutral = &engine.NeutralView{Dice: make([]engine.DieView, r.IntN(9))}
		for p := range v.Players {
			q := &v.Players[p]
			q.Seat = engine.Seat(n(255))
			q.VP, q.Resources, q.Debris = n(1<<20), -n(1<<20), n(1<<20)
			for range r.IntN(40) {
				q.Standard = append(q.Standard, engine.DieView{Color: engine.Color(n(255)), Value: uint8(n(255))})
				q.Ejected = append(q.Ejected, engine.Tile(n(255)))
				q.Cards = append(q.Cards, engine.Card(n(255)))
				q.Tucked[0] = append(q.Tucked[0], engine.Card(n(255)))
			}
			for c := range q.Grid {
				q.Grid[c] = engine.CellView{Tile: engine.Tile(n(255)), Debris: n(2) > 0, Boost: n(2) > 0}
			}
			q.Rows[0], q.Columns[0], q.Spaces[0] = engine.Card(n(255)), engine.Card(n(255)), engine.Tile(n(255))
		}
		PNG(v)
		Preview(v)
		checkText(t, "nonsense", Text(v, nil))
	}
}

// hostile are names as a player might choose them, and a catalogue gone wrong.
type hostile struct{ plain }

func (hostile) Player(s engine.Seat) string {
	return []string{"", "| B", "<script>alert(1)</script>\"'&", "\u202eevil\x00\x1b[2J\xff" + strings.Repeat("W", 4000), "\n\n> quoted"}[s%5]
}
func (hostile) Card(*component.Set, engine.Card) string {
	return strings.Repeat("]]>|", 1000)
}

func TestHostileNamesStayNames(t *testing.T) {
	v := makeView(4, 1, 3)
	text := Text(v, hostile{})
	checkText(t, "hostile", text)
	if strings.ContainsAny(text, "\u202e\x00\x1b") {
		t.Errorf("passed on: %q", text)
	}
	if !strings.Contains(text, "<script>") || strings.Contains(text, strings.Repeat("W", maxName+1)) {
		t.Error("text is not markup, and names have a bound")
	}
	for _, line := range strings.Split(text, "\n") {
		if strings.HasPrefix(line, ">") {
			t.Errorf("looks like a quotation: %q", line)
		}
	}
}

// A picture without its colours must still tell apart what differs only in
// colour.
func TestColourNeverCarriesMeaningAlone(t *testing.T) {
	shapes := func(v *engine.View) string {
		var b strings.Builder
		for _, draw := range []func(s *scene){(*scene).letter, (*scene).preview} {
			b.WriteString(colourless(v, draw))
		}
		return b.String()
	}
	was := shapes(makeView(2, 1, 3))
	for name, change := range map[string]func(v *engine.View){
		"hex":      func(v *engine.View) { h := freeHex(v); h.Color = (h.Color + 1) % 3 },
		"ship":     func(v *engine.View) { freeHex(v).Ships = []engine.Seat{2} },
		"owner":    func(v *engine.View) { h := freeHex(v); h.Card, h.Owner = 1, 2 },
		"card":     func(v *engine.View) { h := freeHex(v); h.Card, h.Owner = 21, 1 },
		"damage":   func(v *engine.View) { v.Locs[1].Damage ^= 1 },
		"robot":    func(v *engine.View) { v.Locs[1].Ravagers[0].Robots = []engine.Seat{2} },
		"Ravagers": func(v *engine.View) { v.Locs[2].Ravagers = v.Locs[2].Ravagers[:1] },
		"room":     func(v *engine.View) { v.Locs[1].Color = engine.Green },
		"action":   func(v *engine.View) { v.Locs[1].Action = component.Repair },
		"die":      func(v *engine.View) { d := &v.Players[0].Standard[0]; d.Color = (d.Color + 1) % 3 },
		"star":     func(v *engine.View) { v.Players[0].Standard[0].Value ^= 1 },
		"secure": func(v *engine.View) {
			p := &v.Players[0]
			p.Standard, p.Secure = nil, append(p.Secure, p.Standard...)
		},
		"back":    func(v *engine.View) { v.Players[0].Rows[0] = engine.BackGreen },
		"slot":    func(v *engine.View) { v.Players[0].Rows[0] = engine.BackRavager },
		"boost":   func(v *engine.View) { c := &v.Players[0].Grid[1]; c.Boost = !c.Boost },
		"debris":  func(v *engine.View) { c := &v.Players[0].Grid[1]; c.Debris = !c.Debris },
		"token":   func(v *engine.View) { v.SpesToken = 0 },
		"angel":   func(v *engine.View) { v.BlackAngel = v.Strips[0].Hexes[2].At },
		"comet":   func(v *engine.View) { v.Options.Hal = engine.Hard; freeHex(v).Comet = true },
		"icon":    func(v *engine.View) { h := freeHex(v); h.Icons ^= 1 },
		"spes":    func(v *engine.View) { h := freeHex(v); h.Spes, h.Color = true, engine.None },
		"station": func(v *engine.View) { v.Players[0].Stations[1]++ },
		"ends":    func(v *engine.View) { v.Decks[engine.PileRavager].Left-- },
		"points":  func(v *engine.View) { v.Players[1].VP++ },
	} {
		v := makeView(2, 1, 3)
		change(v)
		if shapes(v) == was {
			t.Errorf("%s: only the colour differs", name)
		}
	}
}

// colourless are the shapes that draw draws, without their paints.
func colourless(v *engine.View, draw func(s *scene)) string {
	s := newScene(v)
	defer s.free()
	draw(s)
	var b strings.Builder
	for _, sh := range s.shapes {
		sh.paint = 0
		fmt.Fprintln(&b, sh)
	}
	return b.String()
}

func freeHex(v *engine.View) *engine.HexView {
	for s := range v.Strips {
		for l := range v.Strips[s].Hexes {
			if h := &v.Strips[s].Hexes[l]; h.Color <= engine.Green && h.Card == 0 && len(h.Ships) == 0 {
				return h
			}
		}
	}
	panic("no free hex")
}

func TestNothingIsDrawnBesideThePaper(t *testing.T) {
	for name, v := range samples(t) {
		for _, draw := range []func(s *scene){(*scene).letter, (*scene).preview} {
			s := newScene(v)
			draw(s)
			for _, sh := range s.shapes {
				x, y, w, h := int(sh.x), int(sh.y), int(sh.w), int(sh.h)
				switch sh.op {
				case opSymbol:
					m := maskOf(sh.symbol, sh.w)
					left, right := 0, 0
					for _, r := range slices.Concat(m.layers...) {
						left, right = min(left, int(r.x)), max(right, int(r.x+r.n))
					}
					x, y, w, h = x+left, y+m.rows[0], right-left, m.rows[1]-m.rows[0]
				case opText:
					w, h = 12*len(sh.s), fontSize
					y -= h / 2
					x -= [...]int{w / 2, 0, w}[sh.align]
				}
				if x < 0 || y < 0 || x+w > width || y+h > s.height {
					t.Errorf("%s: %+v of %d", name, sh, s.height)
				}
			}
			s.free()
		}
	}
}

// Every shape of a picture must be seen against what it is painted on, the
// Black Angel on Spes as well.
func TestNothingIsPaintedInItsOwnGround(t *testing.T) {
	views := []*engine.View{makeView(4, 1, 0), makeView(3, 1, 8), makeView(2, 1, 3)}
	views[1].BlackAngel = views[1].SpesHex
	for _, v := range views {
		for _, draw := range []func(s *scene){(*scene).letter, (*scene).preview} {
			s := newScene(v)
			draw(s)
			picture := make([]canvas, s.height/bandRows+1)
			for k := range picture {
				picture[k].begin(k * bandRows)
			}
			was := slices.Clone(picture)
			for k := range s.shapes {
				for n := range picture {
					picture[n].paint(&s.shapes[k])
				}
				if k > 0 && slices.Equal(picture, was) {
					t.Errorf("cannot be seen: %+v", s.shapes[k])
				}
				copy(was, picture)
			}
			s.free()
		}
	}
}

// Letters of a picture are made for ASCII only, and are as high as the layout assumes.
func TestLayoutHolds(t *testing.T) {
	for c, l := range letters() {
		for _, r := range l.runs {
			if r.y < -ascent || r.y >= descent {
				t.Errorf("the letter %q reaches to row %d", rune(c), r.y)
			}
		}
	}
	for name, v := range samples(t) {
		s := newScene(v)
		s.letter()
		for _, sh := range s.shapes {
			for _, r := range sh.s {
				if r < ' ' || r > '~' {
					t.Errorf("%s: a picture has no letter %q", name, r)
				}
			}
		}
		s.free()
	}
}

func TestSymbolsAreWhole(t *testing.T) {
	ids := map[string]bool{}
	for i := range symbols {
		x, box := &symbols[i], boxes[i]
		if x.id == "" || ids[x.id] {
			t.Errorf("symbol %d has the id %q of another", i, x.id)
		}
		ids[x.id] = true
		more := max(box[2], box[3]) / 20
		point := func(px, py float32) {
			if px < box[0]-more || px > box[0]+box[2]+more || py < box[1]-more || py > box[1]+box[3]+more {
				t.Errorf("%s reaches %v %v", x.id, px, py)
			}
		}
		for _, l := range x.layers {
			open, points := 0, 0
			outline(l.d, func(x, y float32) { open++; points++; point(x, y) }, func(x, y float32) { points++; point(x, y) },
				func(_, _, _, _, x, y float32) { points++; point(x, y) }, func() { open-- })
			if points < 3 || open != 0 {
				t.Errorf("%s: %d points, %d parts not closed", x.id, points, open)
			}
		}
		if len(x.layers) == 0 {
			t.Errorf("%s is empty", x.id)
		}
	}
}

func TestTermsHaveKeys(t *testing.T) {
	seen := map[string]bool{}
	for i := range Terms {
		k := Term(i).Key()
		if k == "" || seen[k] {
			t.Errorf("term %d has the key %q of another", i, k)
		}
		seen[k] = true
	}
}

func TestGolden(t *testing.T) {
	for _, g := range []struct {
		name string
		v    *engine.View
	}{{"four", makeView(4, 1, 0)}, {"three", makeView(3, 0, 8)}, {"two", makeView(2, 2, 3)}} {
		golden(t, g.name+".txt", []byte(Text(g.v, nil)))
		golden(t, g.name+".png", PNG(g.v))
	}
	solo := randomGame(t, engine.Options{Players: 1, Hal: engine.Hard, Advanced: true}, 3)[2]
	golden(t, "solo.txt", []byte(Text(solo, nil)))
	golden(t, "solo.png", PNG(solo))
	golden(t, "preview.png", Preview(makeView(3, 0, 8)))
}

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if filepath.Ext(name) == ".png" { // compressed as this Go does: the pixels count
		got, want = pixels(t, got), pixels(t, want)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s differs: look at it after go test ./templates/draw -update", name)
	}
}

func pixels(t *testing.T, b []byte) []byte {
	t.Helper()
	m, err := png.Decode(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	return m.(*image.Paletted).Pix
}

// Pools and masks are shared by all who draw.
func TestManyDrawAtOnce(t *testing.T) {
	views := []*engine.View{makeView(4, 1, 0), makeView(3, 2, 8), makeView(2, 2, 3)}
	var want [3][2]string
	all := func(v *engine.View) [2]string {
		return [2]string{string(PNG(v)), Text(v, nil)}
	}
	for i, v := range views {
		want[i] = all(v)
	}
	var wg sync.WaitGroup
	for g := range 4 {
		wg.Go(func() {
			for i := range 6 {
				if k := (g + i) % 3; all(views[k]) != want[k] {
					t.Errorf("view %d drawn differently beside others", k)
				}
			}
		})
	}
	wg.Wait()
}

func BenchmarkPNG(b *testing.B) {
	v := makeView(4, 1, 0)
	b.ReportAllocs()
	for b.Loop() {
		PNG(v)
	}
}

func BenchmarkText(b *testing.B) {
	v := makeView(4, 1, 0)
	b.ReportAllocs()
	for b.Loop() {
		Text(v, nil)
	}
}

// The kinds of boosts look different, and none like a standard side.
func TestBoostsAreToldApartWithoutColour(t *testing.T) {
	seen := map[string]int{}
	for boost := range 5 {
		v := makeView(2, 1, 3)
		set := *v.Set
		set.Tiles[4].Boost = max(uint8(boost), 1)
		v.Set = &set
		shapes := colourless(v, func(s *scene) { s.tile(0, 0, engine.CellView{Tile: 4, Boost: boost > 0}) })
		if other, same := seen[shapes]; same {
			t.Errorf("B%d looks like B%d", boost, other)
		}
		seen[shapes] = boost
	}
}

// PNG is Pictures.PNG with no bands kept from other pictures.
func PNG(v *engine.View) []byte {
	s := newScene(v)
	defer s.free()
	s.letter()
	return s.png(nil)
}
