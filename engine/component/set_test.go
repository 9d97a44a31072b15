package component

import (
	"errors"
	"io/fs"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
)

// files is a copy of the built-in set's data files that a test may change.
func files(t testing.TB) fstest.MapFS {
	t.Helper()
	out := fstest.MapFS{}
	names, err := fs.Glob(Files(), "*.txt")
	if err != nil || len(names) != 7 {
		t.Fatalf("embedded files: %v, %v", names, err)
	}
	for _, name := range names {
		data, err := fs.ReadFile(Files(), name)
		if err != nil {
			t.Fatal(err)
		}
		out[name] = &fstest.MapFile{Data: data}
	}
	return out
}

func fold(s string) string { return strings.Join(strings.Fields(s), " ") }

// change replaces the one line of a file that begins with old by new ("" takes
// it away) and returns the line's number. Spacing does not count.
func change(t testing.TB, fsys fstest.MapFS, file, old, new string) int {
	t.Helper()
	at := lineOf(t, fsys, file, old)
	lines := strings.Split(string(fsys[file].Data), "\n")
	lines[at-1] = new
	fsys[file] = &fstest.MapFile{Data: []byte(strings.Join(lines, "\n"))}
	return at
}

// lineOf is the number of the one line that begins with prefix, or for "end"
// of the last line.
func lineOf(t testing.TB, fsys fstest.MapFS, file, prefix string) int {
	t.Helper()
	lines := strings.Split(strings.TrimSuffix(string(fsys[file].Data), "\n"), "\n")
	if prefix == "end" {
		return len(lines)
	}
	at := 0
	for i, l := range lines {
		if strings.HasPrefix(fold(l), prefix) {
			if at > 0 {
				t.Fatalf("%s: two lines begin with %q", file, prefix)
			}
			at = i + 1
		}
	}
	if at == 0 {
		t.Fatalf("%s: no line begins with %q", file, prefix)
	}
	return at
}

// An edit is one changed line and what the check must say about it.
type edit struct {
	file, old, new string
	want           string // part of the fault's text
	at             string // where: "" the changed line, "end" the last, else the line that begins so
}

// refused applies each edit to the default set and wants exactly the fault it
// names, at its file and line, under the rule.
func refused(t *testing.T, rule string, edits []edit) {
	t.Helper()
	for _, e := range edits {
		fsys := files(t)
		line := change(t, fsys, e.file, e.old, e.new)
		if e.at != "" {
			line = lineOf(t, fsys, e.file, e.at)
		}
		_, err := Load(fsys, "edited")
		var ps Problems
		if !errors.As(err, &ps) {
			t.Errorf("%s: %q for %q: got %v, want a fault", e.file, e.new, e.old, err)
			continue
		}
		found := false
		for _, p := range ps {
			found = found || p.File == e.file && p.Line == line && p.Rule == rule && strings.Contains(p.Text, e.want)
		}
		if !found {
			t.Errorf("%s: %q for %q: want %s:%d: %s: …%s…, got\n%v", e.file, e.new, e.old, e.file, line, rule, e.want, ps)
		}
		if prefix := e.file + ":" + strconv.Itoa(line) + ": " + rule + ": "; !strings.Contains(err.Error(), prefix) {
			t.Errorf("the error does not name %q:\n%v", prefix, err)
		}
	}
}

// warned applies each edit to the built-in set, which draws no warnings, and
// wants the set to load with the warning that the edit names.
func warned(t *testing.T, rule string, edits []edit) {
	t.Helper()
	for _, e := range edits {
		fsys := files(t)
		line := change(t, fsys, e.file, e.old, e.new)
		if e.at != "" {
			line = lineOf(t, fsys, e.file, e.at)
		}
		if _, err := Load(fsys, "edited"); err != nil {
			t.Errorf("%s: %q for %q: %v", e.file, e.new, e.old, err)
			continue
		}
		r, err := load(fsys, "edited")
		if err != nil {
			t.Fatal(err)
		}
		if !slices.ContainsFunc(r.Warnings, func(p Problem) bool {
			return p.File == e.file && p.Line == line && p.Rule == rule && strings.Contains(p.Text, e.want)
		}) {
			t.Errorf("%s: %q for %q: want %s:%d: %s: …%s…, got\n%v", e.file, e.new, e.old, e.file, line, rule, e.want, r.Warnings)
		}
	}
}

// accepted applies an edit that the rules allow.
func accepted(t *testing.T, file, old, new string) *Set {
	t.Helper()
	fsys := files(t)
	change(t, fsys, file, old, new)
	set, err := Load(fsys, "edited")
	if err != nil {
		t.Fatalf("%s: %q for %q: %v", file, new, old, err)
	}
	return set
}

func TestComponents(t *testing.T) {
	set := Default()

	t.Run("C1", func(t *testing.T) {
		refused(t, "C1", []edit{
			{fileStrips, "1 front", "1 front | orange | green | pink | gray | asteroids | ours", `lane c: "pink"`, ""},
			{fileStrips, "1 front", "1 front | orange | green | gray | asteroids | ours", "want 5 fields", ""},
			{fileStrips, "1 front", "8 front | orange | green | asteroids | gray | asteroids | ours", `"8 front"`, ""},
			{fileStrips, "1 front", "0 back | orange | green | asteroids | gray | asteroids | ours", `"0 back"`, ""},
			{fileStrips, "1 front", "1 back | orange | green | asteroids | gray | asteroids | ours", "strip 1 front is missing", "end"},
			{fileStrips, "2 back", "", "strip 2 back is missing", "end"},
		})
		warned(t, "C1", []edit{
			{fileStrips, "1 front", "1 front | orange | orange | orange comet | gray | gray comet | ours", "3 orange hexes", ""},
			{fileStrips, "1 front", "1 front | orange | orange | green | gray | asteroids | ours", "usually exactly one has the comet, not 0", ""},
			{fileStrips, "1 front", "1 front | orange comet | orange comet | green | gray | asteroids | ours", "usually exactly one has the comet, not 2", ""},
			{fileStrips, "1 front", "1 front | orange comet | green | green comet | gray | asteroids | ours", "a comet on the only orange hex", ""},
			{fileStrips, "1 front", "1 front | orange | green | asteroids ravager | gray | asteroids | ours", "lane c: asteroids with more on them", ""},
			{fileStrips, "1 front", "1 front | orange | green | asteroids comet | gray | asteroids | ours", "lane c: asteroids with more on them", ""},
			{fileStrips, "1 front", "1 front | orange ravager ravager | green | asteroids | gray | asteroids | ours", "lane a: 2 Ravager icons", ""},
			{fileStrips, "6 back", "6 back | asteroids | asteroids | asteroids | asteroids | asteroids | ours", "a wall of asteroids", ""},
		})
		for text, change := range map[string]*strings.Replacer{
			"0 Ravager icons":  strings.NewReplacer("ravager", ""),
			"54 Ravager icons": strings.NewReplacer("ravager", "", "orange", "orange ravager", "gray", "gray ravager", "green", "green ravager"),
		} {
			fsys := files(t)
			data := ""
			for line := range strings.Lines(string(fsys[fileStrips].Data)) {
				if !strings.HasPrefix(line, "#") {
					line = change.Replace(line)
				}
				data += line
			}
			fsys[fileStrips] = &fstest.MapFile{Data: []byte(data)}
			r, err := load(fsys, "icons")
			at := lineOf(t, fsys, fileStrips, "end")
			if err != nil || r.Set == nil || len(r.Warnings) != 1 || r.Warnings[0].Line != at || !strings.HasPrefix(r.Warnings[0].Text, text) {
				t.Errorf("%v, %v, %v, want %s", err, r.Faults, r.Warnings, text)
			}
		}
		fsys := files(t)
		fsys[fileStrips] = &fstest.MapFile{Data: []byte(strings.ReplaceAll(string(fsys[fileStrips].Data), "| green", "| gray"))}
		want := "strips.txt:" + strconv.Itoa(lineOf(t, fsys, fileStrips, "end")) + ": C1: no hex of any strip is green"
		if _, err := Load(fsys, "colourless"); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
		for side, lanes := range sidesOf(set) {
			icons := 0
			for _, h := range lanes {
				icons += int(h.Ravagers)
			}
			if icons < 1 || icons > 2 {
				t.Errorf("side %s has %d Ravager icons, want 1 or 2", sideName(side), icons)
			}
		}
	})

	t.Run("C2", func(t *testing.T) {
		refused(t, "C2", []edit{
			{fileMissions, "001 M1", "001 M1 | 0 VP | orange | ours", "reward", ""},
			{fileMissions, "001 M1", "001 M1 | 10 VP | orange | ours", "reward", ""},
			{fileMissions, "001 M1", "001 M1 | 1 ship 1 ship | orange | ours", "reward", ""},
			{fileMissions, "001 M1", "001 M1 | 1 debris | orange | ours", "reward", ""},
			{fileMissions, "001 M1", "001 M1 | 1 | orange | ours", "reward", ""},
			{fileMissions, "001 M1", "001 M1 | | orange | ours", "reward", ""},
			{fileMissions, "001 M1", "001 M1 | 1 VP | | ours", "tile colours", ""},
			{fileMissions, "001 M1", "001 M1 | 1 VP | orange gray green | ours", "tile colours", ""},
			{fileMissions, "001 M1", "001 M1 | 1 VP | none | ours", "tile colours", ""},
			{fileMissions, "001 M1", "001 M2 | 1 VP | orange | ours", "mission 001 is M1", ""},
			{fileMissions, "001 M1", "001 | 1 VP | orange | ours", "want a card number", ""},
			{fileMissions, "001 M1", "061 M1 | 1 VP | orange | ours", "want a card number", ""},
			{fileMissions, "002 M2", "001 M1 | 1 VP | orange | ours", "mission 001 stands already on line 14", ""},
			{fileMissions, "060 M20", "", "mission 060 is missing", "end"},
			{fileMissions, "001 M1", "001 M1 | 1 VP | orange", "known, inferred or ours", ""},
			{fileMissions, "001 M1", "001 M1 | 1 VP | orange | guess", "known, inferred or ours", ""},
			{fileMissions, "001 M1", "001 M1 | 1 VP | orange | ours | ours", "want 2 fields", ""},
		})
		warned(t, "C2", []edit{
			{fileMissions, "001 M1", "001 M1 | 3 VP | orange | ours", "reward", ""},
			{fileMissions, "001 M1", "001 M1 | 1 VP 1 ship | orange | ours", "reward", ""},
			{fileMissions, "001 M1", "001 M1 | 2 robot 1 ship | orange | ours", "reward", ""},
			{fileMissions, "019 M19", "019 M19 | 1 VP | gray orange | ours", "no orange card", "020 M20"},
			{fileMissions, "001 M1", "001 M1 | 3 ship 2 VP | orange | ours", "more than 1 or 2 VP", ""},
		})
		tiles := [None]int{}
		for n, m := range set.Missions[1:] {
			if int(m.Color) != n/20 || int(m.Kind) != n%20+1 || m.Activation() != (m.Kind <= 12) {
				t.Errorf("card %03d is %v M%d", n+1, m.Color, m.Kind)
			}
			for _, c := range m.Tiles {
				if c != None {
					tiles[c]++
				}
			}
			// Ours: cards whose one activation, or ejection, wins 3 VP or more bear
			// one unit of reward, the others two.
			strong := m.Kind == 6 || m.Kind >= 8 && m.Kind <= 12 || m.Kind >= 15
			if units := m.Reward.VP + m.Reward.Robots + m.Reward.Resources + m.Reward.Ships; (units == 1) != strong {
				t.Errorf("card %03d (M%d) has a reward of %d", n+1, m.Kind, units)
			}
		}
		if tiles[Orange] != tiles[Gray] || tiles[Gray] != tiles[Green] {
			t.Errorf("tile colours %v: want as many of each", tiles)
		}
	})

	t.Run("C3", func(t *testing.T) {
		refused(t, "C3", []edit{
			{fileTechnology, "t2 ", "t2 | orange Te | B2 | ours", "want orange and Ta", ""},
			{fileTechnology, "t2 ", "t2 | gray Ta | B2 | ours", "want orange and Ta", ""},
			{fileTechnology, "t2 ", "t2 | orange Ta | B5 | ours", "boost", ""},
			{fileTechnology, "t2 ", "t2 | orange Ta | B0 | ours", "boost", ""},
			{fileTechnology, "t2 ", "t2 | orange Ta | B2 command | ours", "boost", ""},
			{fileTechnology, "t1 ", "t1 | orange Ta | B1 | ours", "boost", ""},
			{fileTechnology, "t1 ", "t1 | orange Ta | B1 repair orange | ours", "boost", ""},
			{fileTechnology, "t1 ", "t1 | orange Ta | | ours", "boost", ""},
			{fileTechnology, "t2 ", "t49 | orange Ta | B2 | ours", "want a tile number", ""},
			{fileTechnology, "t2 ", "t0 | orange Ta | B2 | ours", "want a tile number", ""},
			{fileTechnology, "t48 ", "", "tile t48 is missing", "end"},
			{fileTechnology, "s2 ", "s2 | orange Tb or Tc | ours", "want gray Tb or Tc", ""},
			{fileTechnology, "s2 ", "s4 | gray Tb or Tc | ours", "want a tile number", ""},
			{fileTechnology, "s2 ", "s0 | gray Tb or Tc | ours", "want a tile number", ""},
			{fileTechnology, "s3 ", "", "tile s3 is missing", "end"},
		})
		warned(t, "C3", []edit{
			{fileTechnology, "t2 ", "t2 | orange Tb | B2 | ours", "line 17 has this effect with this boost, too", "t6 "},
			{fileTechnology, "t13 ", "t13 | orange Td | B1 discover | ours", "a third orange tile with B1 discover", ""},
			{fileTechnology, "t2 ", "t2 | orange Ta | B2 gray | ours", "for gray dice", ""},
			{fileTechnology, "t1 ", "t1 | orange Ta | B1 repair | ours", "for gray dice", ""},
			{fileTechnology, "t1 ", "t1 | orange Ta | B1 command green | ours", "for green dice", ""},
			{fileTechnology, "t34 ", "t34 | green Ta | B2 orange | ours", "for orange dice", ""},
		})
		known := Tile{Color: Green, Effect: Ta, Boost: 2, For: Green}
		if !slices.Contains(set.Tiles[1:], known) {
			t.Error("no green tile of 1 VP counts a green die as 3")
		}
		count := map[Tile]int{}
		for n, tile := range set.Tiles[1:] {
			if n < Tiles && int(tile.Color) != n/16 || n >= Tiles && (tile.Effect != Start || int(tile.Color) != n-Tiles) {
				t.Errorf("%s is %+v", tileName(n+1), tile)
			}
			tile.Action = NoAction
			count[tile]++
		}
		if len(count) != 3*4*4+3 {
			t.Errorf("%d kinds of tile, want every effect with every boost once in each colour, and a starting tile", len(count))
		}
	})

	t.Run("C4", func(t *testing.T) {
		refused(t, "C4", []edit{
			{fileAdvanced, "a3 ", "a3 | K9 | ours", "want K1-K8", ""},
			{fileAdvanced, "a3 ", "a3 | K0 | ours", "want K1-K8", ""},
			{fileAdvanced, "a3 ", "a3 | | ours", "want K1-K8", ""},
			{fileAdvanced, "a3 ", "a17 | K2 | ours", "want a tile number a1-a16", ""},
			{fileAdvanced, "a3 ", "a1 | K2 | ours", "tile a3 is missing", "end"},
		})
		warned(t, "C4", []edit{
			{fileAdvanced, "a3 ", "a3 | K1 | ours", "a third K1", ""},
		})
		var kinds [9]int
		for _, k := range set.Advanced[1:] {
			kinds[k]++
		}
		if kinds != [9]int{0, 2, 2, 2, 2, 2, 2, 2, 2} {
			t.Errorf("copies by kind: %v", kinds)
		}
	})

	t.Run("C5", func(t *testing.T) {
		refused(t, "C5", []edit{
			{fileRavagers, "062 V1", "062 V1 | location 7 | ours", "want location 1 to location 6", ""},
			{fileRavagers, "062 V1", "062 V1 | 2 | ours", "want location 1 to location 6", ""},
			{fileRavagers, "062 V1", "062 V2 | location 2 | ours", "ravager 062 is V1", ""},
			{fileRavagers, "062 V1", "060 V1 | location 2 | ours", "want a card number 061-090", ""},
			{fileRavagers, "062 V1", "091 V1 | location 2 | ours", "want a card number 061-090", ""},
			{fileRavagers, "062 V1", "062 V1 | location 2 | gray | ours", "want 1 fields", ""},
			{fileRavagers, "067 V2", "067 V2 | location 1 | ours", "want 2 fields", ""},
			{fileRavagers, "067 V2", "067 V2 | location 1 | red | ours", "want orange, gray or green", ""},
			{fileRavagers, "090 V5", "", "ravager 090 is missing", "end"},
		})
		warned(t, "C5", []edit{
			{fileRavagers, "062 V1", "062 V1 | location 1 | ours", "line 11 attacks location 1, too", ""},
			{fileRavagers, "067 V2", "067 V2 | location 1 | orange | ours", "location 1's own colour", ""},
			{fileRavagers, "072 V2", "072 V2 | location 6 | orange | ours", "a third V2 card whose die is orange", ""},
			{fileRavagers, "073 V3", "073 V3 | location 2 | ours", "attacks location 2, too", "074 V3"},
		})
		for n := FirstRaider; n <= LastRaider; n++ {
			r := set.Ravagers[n]
			if int(r.Effect) != (n-61)/6+1 || int(r.Location) != (n-61)%6+1 || (r.Die != None) != (r.Effect == 2) {
				t.Errorf("card %03d is %+v", n, r)
			}
			if r.Effect == 3 && set.Locs[r.Location].Action == Discover {
				return // known
			}
		}
		t.Error("no V3 card attacks Discover")
	})

	t.Run("C6", func(t *testing.T) {
		refused(t, "C6", []edit{
			{fileHal, "weight ship", "weight ship | 21 | ours", "want 1 to 20", ""},
			{fileHal, "weight ship", "weight ship | x | ours", "want 1 to 20", ""},
			{fileHal, "weight debris", "weight debris | 0 | ours", "want 1 to 20", ""},
			{fileHal, "weight ship", "weight rocket | 1 | ours", "gains no such thing", ""},
			{fileHal, "weight ship", "", "weight ship is missing", "end"},
			{fileHal, "weight ship", "wait ship | 1 | ours", "want weight and a thing, or card and a number", ""},
			{fileHal, "card 1 ", "card 1 | orange command | orange command | ours", "both halves are orange", ""},
			{fileHal, "card 1 ", "card 1 | orange command | gray repair | ours", "half", ""},
			{fileHal, "card 1 ", "card 1 | orange command | gray destroy 1-6 | ours", "half", ""},
			{fileHal, "card 1 ", "card 1 | orange command tiles-only | gray repair 1-6 | ours", "half", ""},
			{fileHal, "card 1 ", "card 1 | orange | gray repair 1-6 | ours", "half", ""},
			{fileHal, "card 1 ", "card 13 | orange command | gray repair 1-6 | ours", "want card 1 to card 12", ""},
			{fileHal, "card 12 ", "", "card 12 is missing", "end"},
		})
		warned(t, "C6", []edit{
			{fileHal, "card 1 ", "card 1 | orange discover advanced-first | green command | ours", "a third card with orange above green", "card 4 "},
			{fileHal, "card 1 ", "card 1 | orange command | gray command | ours", "more than 4 halves orange command", "card 10 "},
			{fileHal, "card 1 ", "card 1 | orange discover advanced-first | gray repair 6-1 | ours", "more than 2 halves gray repair", "card 8 "},
		})
		w := set.Weights
		if got, want := [7]uint8{w.Ship, w.Resource, w.Robot, w.Debris, w.Ravager, w.Technology, w.Advanced}, [7]uint8{1, 1, 1, 1, 1, 1, 1}; got != want {
			t.Errorf("weights %v, want %v", got, want)
		}
		pairs, halves := map[[2]Color]int{}, map[Half]int{}
		for _, card := range set.Hal {
			pairs[[2]Color{card[0].Color, card[1].Color}]++
			halves[card[0]]++
			halves[card[1]]++
		}
		for _, up := range Colors {
			for _, low := range up.Others() {
				if n := pairs[[2]Color{up, low}]; n != 2 {
					t.Errorf("%v above %v on %d cards, want 2", up, low, n)
				}
			}
			for _, h := range []Half{{up, own(up), false}, {up, own(up), true}} {
				if halves[h] != 2 || halves[Half{Color: up, Action: Command}] != 4 {
					t.Errorf("halves of %v: %v", up, halves)
				}
			}
		}
	})

	t.Run("C7", func(t *testing.T) {
		refused(t, "C7", []edit{
			{fileBoard, "seat 1", "seat 1 | 1 resource | ours", "seat 1 has no advantage", ""},
			{fileBoard, "seat 3", "seat 3 | 1 resource | ours", "want reserve", ""},
			{fileBoard, "seat 1", "seat 1 | 1 VP | ours", "seat 1 has no advantage", ""},
			{fileBoard, "seat 1", "seat 1 | 0/0/1 VP | ours", "seat 1 has no advantage", ""},
			{fileBoard, "seat 2", "seat 2 | 1/1 VP | ours", "with 2, 3 and 4 players", ""},
			{fileBoard, "seat 2", "seat 2 | 1/1/1/1 VP | ours", "with 2, 3 and 4 players", ""},
			{fileBoard, "seat 2", "seat 2 | 1//1 VP | ours", "with 2, 3 and 4 players", ""},
			{fileBoard, "seat 2", "seat 2 | 1/1/21 VP | ours", "with 2, 3 and 4 players", ""},
			{fileBoard, "seat 4", "seat 4 | reserve 1/1 VP | ours", "up to 20 each", ""},
			{fileBoard, "seat 4", "seat 4 | reserve 21 resource | ours", "up to 20 each", ""},
			{fileBoard, "seat 4", "seat 4 | reserve 21 VP | ours", "up to 20 each", ""},
			{fileBoard, "seat 4", "seat 4 | reserve 1 VP 1 VP | ours", "up to 20 each", ""},
			{fileBoard, "seat 4", "seat 4 | reserve 1 VP 1 | ours", "up to 20 each", ""},
			{fileBoard, "seat 4", "seat 4 | reserve nothing | ours", "up to 20 each", ""},
			{fileBoard, "seat 4", "seat 4 | reserve 1 card | ours", "up to 20 each", ""},
			{fileBoard, "seat 4", "seat 4 | | ours", "up to 20 each", ""},
			{fileBoard, "seat 4", "seat 4 | ours", "want 1 fields", ""},
			{fileBoard, "seat 4", "seat 4 | reserve | reserve | reserve | ours", "by the advanced rules if it is another", ""},
			{fileBoard, "seat 4", "seat 4 | reserve | | ours", "up to 20 each", ""},
			{fileBoard, "seat 4", "seat 4 | reserve | 1 VP | ours", "want reserve", ""},
			{fileBoard, "seat 1", "seat 1 | nothing | 1 VP | ours", "seat 1 has no advantage", ""},
			{fileBoard, "seat 4", "seat 5 | reserve | ours", "want seat 1 to seat 4", ""},
			{fileBoard, "seat 4", "", "seat 4 is missing", "end"},
		})
		warned(t, "C7", []edit{
			{fileBoard, "seat 2", "seat 2 | reserve | ours", "seat 2 reserves a die free", ""},
		})
		for n, want := range [5][2]Advantage{
			2: {{Resources: Each{2: 1, 3: 3, 4: 1}, VP: Each{2: 2, 3: 1, 4: 1}}, {Resources: Each{2: 1, 3: 3, 4: 3}, VP: Each{2: 2, 3: 1, 4: 1}}},
			3: {{Resources: Each{3: 1}, VP: Each{3: 3, 4: 3}, Reserve: true}, {Resources: Each{4: 1}, VP: Each{3: 4, 4: 3}, Reserve: true}},
			4: {{Resources: Each{4: 1}, VP: Each{4: 3}, Reserve: true}, {Resources: Each{4: 2}, VP: Each{4: 3}, Reserve: true}},
		} {
			if set.Seats[n] != want {
				t.Errorf("seat %d: %+v, want %+v", n, set.Seats[n], want)
			}
		}
		for _, text := range []string{"reserve 2 resources 3 VP", "reserve 3 VP 2 resources"} {
			set := accepted(t, fileBoard, "seat 4", "seat 4 | "+text+" | ours")
			if want := (Advantage{Resources: Each{4: 2}, VP: Each{4: 3}, Reserve: true}); set.Seats[4] != [2]Advantage{want, want} || set.Seats[4][0].text(4) != "reserve 2 resources 3 VP" {
				t.Errorf("%q is %+v", text, set.Seats[4])
			}
		}
		for text, want := range map[string]Advantage{
			"2/1/0 resources 3/0/10 VP": {Resources: Each{2: 2, 3: 1}, VP: Each{2: 3, 4: 10}},
			"0/0/1 resource 2 VP":       {Resources: Each{4: 1}, VP: Each{2: 2, 3: 2, 4: 2}},
		} {
			set := accepted(t, fileBoard, "seat 2", "seat 2 | "+text+" | ours")
			if set.Seats[2] != [2]Advantage{want, want} || set.Seats[2][0].text(2) != text {
				t.Errorf("%q is %+v, %q", text, set.Seats[2], set.Seats[2][0].text(2))
			}
		}
		two := accepted(t, fileBoard, "seat 3", "seat 3 | reserve 1 VP | reserve 1/2 VP | ours").Seats[3]
		if want := [2]Advantage{{Reserve: true, VP: Each{3: 1, 4: 1}}, {Reserve: true, VP: Each{3: 1, 4: 2}}}; two != want {
			t.Errorf("by both rules %+v", two)
		}
	})

	t.Run("C8", func(t *testing.T) {
		refused(t, "C8", []edit{
			{fileBoard, "location 2", "location 2 | discover orange | ours", "another location already", ""},
			{fileBoard, "location 2", "location 2 | repair orange | ours", "want discover orange", ""},
			{fileBoard, "location 2", "location 2 | command | ours", "want discover orange", ""},
			{fileBoard, "location 2", "location 7 | command orange | ours", "want location 1 to location 6", ""},
			{fileBoard, "location 2", "", "location 2 is missing", "end"},
			{fileBoard, "display", "display | 2 1 1 1 1 1 | ours", "space 2 costs 2", ""},
			{fileBoard, "display", "display | 2 2 1 1 3 1 | ours", "space 5 costs 1", ""},
			{fileBoard, "display", "display | 2 2 1 | ours", "want 5 to 8 spaces, got 3", ""},
			{fileBoard, "display", "display | 2 2 1 1 | ours", "want 5 to 8 spaces, got 4", ""},
			{fileBoard, "display", "display | 2 2 1 1 1 1 1 1 1 | ours", "want 5 to 8 spaces", ""},
			{fileBoard, "display", "", "display is missing", "end"},
			{fileBoard, "display", "bridge | 1 | ours", `"bridge"`, ""},
		})
		swapped := files(t)
		change(t, swapped, fileBoard, "location 5", "location 5 | repair gray | ours")
		line := change(t, swapped, fileBoard, "location 3", "location 3 | destroy green | ours")
		r, err := load(swapped, "swapped")
		if err != nil || r.Set == nil || r.Set.Locs[3].Action != Destroy || len(r.Warnings) == 0 || r.Warnings[0].Line != line || !strings.Contains(r.Warnings[0].Text, "known to be gray") {
			t.Errorf("location 3 is green: %v, %v, %v", err, r.Faults, r.Warnings)
		}
		want := [7]Location{1: {Discover, Orange}, 2: {Command, Orange}, 3: {Repair, Gray}, 4: {Command, Gray}, 5: {Destroy, Green}, 6: {Command, Green}}
		if set.Locs != want || !slices.Equal(set.Costs, []uint8{2, 2, 1, 1, 1, 1}) {
			t.Errorf("locations %v, costs %v", set.Locs, set.Costs)
		}
		if long := accepted(t, fileBoard, "display", "display | 2 2 1 1 1 1 1 1 | ours"); len(long.Costs) != 8 {
			t.Errorf("costs %v", long.Costs)
		}
	})

	t.Run("C9", func(t *testing.T) {
		refused(t, "C9", []edit{
			{fileBoard, "start", "start | 1.1 2.2 | ours", "three different cells", ""},
			{fileBoard, "start", "start | 1.1 2.2 1.1 | ours", "three different cells", ""},
			{fileBoard, "start", "start | 1.1 2.2 3.4 | ours", `"3.4"`, ""},
			{fileBoard, "start", "start | 1.1 2.2 0.3 | ours", `"0.3"`, ""},
			{fileBoard, "start", "start | 1.1 2.2 33 | ours", `"33"`, ""},
			{fileBoard, "start", "", "start is missing", "end"},
		})
		if set.Start != [3]uint8{0, 4, 8} {
			t.Errorf("start %v, want the diagonal", set.Start)
		}
		if other := accepted(t, fileBoard, "start", "start | 3.1 1.3 2.2 | known"); other.Start != [3]uint8{2, 4, 6} {
			t.Errorf("start %v, want 1.3, 2.2, 3.1", other.Start)
		}
	})
}

func sidesOf(set *Set) (out [sides][Lanes]Hex) {
	for i := range out {
		out[i] = set.Strips[i/2][i%2]
	}
	return out
}
