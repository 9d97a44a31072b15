package component

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// TestBuiltInHash holds the built-in set as games are played with it. Records
// bear its hash; after a change all frozen games must be frozen again.
func TestBuiltInHash(t *testing.T) {
	const want = "15b0d1dace20209736dc5280352e1e04b6194131a4f999f19d24b89b85ef0f23"
	if got := Default(); got.Hash != want || got.Name != DefaultName {
		t.Errorf("the built-in set is called %q and has the hash %s, want %s", got.Name, got.Hash, want)
	}
	if ws := BuiltIn(DefaultName).Warnings; len(ws) > 0 {
		t.Errorf("warnings: %v", ws)
	}
	if BuiltIn("nothing") != nil || BuiltIn("") != nil {
		t.Error("a built-in set of any name")
	}
}

// typed writes the data files of a set from its Facts alone.
func typed(s *Set) fstest.MapFS {
	fields := map[string][]string{}
	var things []string
	for _, f := range s.Facts() {
		if fields[f.Thing] == nil {
			things = append(things, f.Thing)
		}
		fields[f.Thing] = append(fields[f.Thing], f.Value)
	}
	out := map[string]string{}
	for _, thing := range things {
		kind, key, _ := strings.Cut(thing, " ")
		file, n, values := "", 0, fields[thing]
		fmt.Sscanf(strings.TrimLeft(key, "0"), "%d", &n)
		switch kind {
		case "mission":
			file, key = fileMissions, fmt.Sprintf("%s M%d", key, s.Missions[n].Kind)
		case "ravager":
			file, key = fileRavagers, fmt.Sprintf("%s V%d", key, s.Ravagers[n].Effect)
			values[0] = "location " + values[0]
		case "tile":
			file = fileAdvanced
			if key[0] == 't' {
				fmt.Sscanf(key, "t%d", &n)
				file, values[0] = fileTechnology, s.Tiles[n].Color.String()+" "+values[0]
			}
		case "strip":
			file = fileStrips
		case "weight":
			file, key = fileHal, thing
		case "hal":
			file = fileHal
		default:
			file, key = fileBoard, thing
		}
		out[file] += key + " | " + strings.Join(values, " | ") + " | known\n"
	}
	out[fileTechnology] += "s1 | orange Tb or Tc | known\ns2 | gray Tb or Tc | known\ns3 | green Tb or Tc | known\n"
	fsys := fstest.MapFS{}
	for file, text := range out {
		fsys[file] = &fstest.MapFile{Data: []byte(text)}
	}
	return fsys
}

// TestFacts holds that Facts leave nothing out: the set that is typed in from
// them is the same one.
func TestFacts(t *testing.T) {
	for _, set := range []*Set{
		Default(),
		accepted(t, fileMissions, "013 M13", "013 M13 | 1 ship 1 robot | green | ours"),
		accepted(t, fileBoard, "display", "display | 2 2 1 1 1 | ours"),
		accepted(t, fileBoard, "seat 4", "seat 4 | reserve | ours"),
		accepted(t, fileBoard, "seat 3", "seat 3 | reserve 1 VP | ours"),
		accepted(t, fileBoard, "seat 2", "seat 2 | 1/2/1 resources 2/1/0 VP | nothing | ours"),
		accepted(t, fileBoard, "seat 2", "seat 2 | reserve 1 ship 0/2/1 robots 2 debris | 1 robot | ours"),
		accepted(t, fileTechnology, "t1 ", "t1 | orange Ta | B1 repair | ours"),
		accepted(t, fileTechnology, "t1 ", "t1 | orange Ta | B1 command gray | ours"),
		accepted(t, fileTechnology, "t2 ", "t2 | orange Ta | B4 green | ours"),
		accepted(t, fileMissions, "013 M13", "013 M13 | 1 ship 3 VP 2 robots | green | ours"),
		accepted(t, fileStrips, "1 front", "1 front | asteroids comet ravager | orange ravager ravager ravager | gray | green | green | ours"),
	} {
		again, err := Load(typed(set), set.Name)
		if err != nil {
			t.Fatal(err)
		}
		if again.Hash = set.Hash; !reflect.DeepEqual(set, again) {
			t.Error("another set")
		}
	}
}

// TestOrigins holds that every thing has a line of its own with a mark, and
// that each mark and each comment is that line's.
func TestOrigins(t *testing.T) {
	r := BuiltIn(DefaultName)
	lines := map[string][]string{}
	for name, f := range files(t) {
		lines[name] = strings.Split(string(f.Data), "\n")
	}
	things := map[string]bool{"tile s1": true, "tile s2": true, "tile s3": true}
	for _, f := range r.Set.Facts() {
		things[f.Thing] = true
	}
	if len(things) != len(r.Origins) {
		t.Errorf("%d things, %d origins", len(things), len(r.Origins))
	}
	var known []string
	for thing := range things {
		o := r.Origins[thing]
		if o.Line < 1 || o.Line > len(lines[o.File]) {
			t.Errorf("%s: %+v", thing, o)
			continue
		}
		line := fold(lines[o.File][o.Line-1])
		want := "| " + string(o.Mark)
		if o.Note != "" {
			want += " # " + o.Note
		}
		if !strings.HasSuffix(line, want) {
			t.Errorf("%s: %q does not end in %q", thing, line, want)
		}
		if o.Mark == Known {
			known = append(known, thing)
		}
	}
	slices.Sort(known)
	// RULES.md section C says of these that they are known, of nothing else.
	if want := []string{"mission 019", "ravager 073", "seat 1", "tile s1", "tile s2", "tile s3", "tile t34"}; !slices.Equal(known, want) {
		t.Errorf("known: %v, want %v", known, want)
	}
}

func TestDiff(t *testing.T) {
	for _, c := range []struct{ file, old, new, want string }{
		{fileMissions, "013 M13", "013 M13 | 2 resource | orange green | known", "mission 013 reward: 2 VP -> 2 resources"},
		{fileMissions, "002 M2", "002 M2 | 2 resource | gray orange | ours", "mission 002 tiles: gray -> gray orange"},
		{fileRavagers, "061 V1", "061 V1 | location 1 | known", ""},
		{fileBoard, "seat 2", "seat 2 | nothing | ours", "seat 2 advantage: 1/3/1 resources 2/1/1 VP | 1/3/3 resources 2/1/1 VP -> nothing"},
		{fileBoard, "seat 3", "seat 3 | reserve | reserve 0/1 VP | ours", "seat 3 advantage: reserve 1/0 resource 3 VP | reserve 0/1 resource 4/3 VP -> reserve | reserve 0/1 VP"},
		{fileBoard, "start", "start | 1.1 2.2 3.2 | ours", "start cells: 1.1 2.2 3.3 -> 1.1 2.2 3.2"},
		{fileBoard, "display", "display | 2 2 1 1 1 | ours", "display costs: 2 2 1 1 1 1 -> 2 2 1 1 1"},
		{fileHal, "weight robot", "weight robot | 3 | ours", "weight robot VP: 1 -> 3"},
		{fileStrips, "2 front", "2 front | orange ravager | gray | asteroids | green ravager | orange comet | ours",
			"strip 2 front lane a: orange -> orange ravager\nstrip 2 front lane b: gray ravager -> gray"},
	} {
		if got := strings.Join(Diff(Default(), accepted(t, c.file, c.old, c.new)), "\n"); got != c.want {
			t.Errorf("%s: got %q, want %q", c.new, got, c.want)
		}
	}
}

// TestCheck holds that every fault of every file is told, also when others
// cannot be read.
func TestCheck(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "box")
	if err := os.CopyFS(dir, Files()); err != nil {
		t.Fatal(err)
	}
	write := func(file, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(fileMissions, "nothing\n")
	write(fileHal, "weight ship | 99 | ours\n")
	r, err := Check(dir)
	if err != nil || r.Set != nil {
		t.Fatalf("%v, %v", r.Set, err)
	}
	count := map[string]int{}
	for _, p := range r.Faults {
		count[p.File]++
	}
	if want := map[string]int{fileMissions: 61, fileHal: 19}; !reflect.DeepEqual(count, want) {
		t.Errorf("faults %v, want %v", count, want)
	}
	if _, err := Open(dir); err == nil || strings.Count(err.Error(), "\n") != maxNamed || !strings.HasSuffix(err.Error(), "and 60 more; angelpost components check names them all") {
		t.Errorf("Open: %v", err)
	}

	if err := os.Remove(filepath.Join(dir, fileStrips)); err != nil {
		t.Fatal(err)
	}
	r, err = Check(dir)
	if !errors.Is(err, fs.ErrNotExist) || len(r.Faults) != 80 {
		t.Errorf("without strips.txt: %v, %d faults", err, len(r.Faults))
	}
	if err := os.Symlink("/dev/zero", filepath.Join(dir, fileStrips)); err != nil {
		t.Fatal(err)
	}
	if _, err = Check(dir); err == nil || !strings.Contains(err.Error(), "strips.txt: not a file") {
		t.Errorf("with strips.txt a device: %v", err)
	}
	write(fileMissions, strings.Repeat("?\n", maxFile/2))
	if r, _ = Check(dir); len(r.Faults) != maxProblems {
		t.Errorf("%d faults, want %d at most", len(r.Faults), maxProblems)
	}
	for _, name := range []string{"with blank", "..", strings.Repeat("d/", 3000) + "deep"} {
		if r, err := Check(filepath.Join(dir, name)); err == nil || r.Set != nil {
			t.Errorf("%.20q: %v", name, r)
		}
	}
}
