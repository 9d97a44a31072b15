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

// TestBuiltInHashes holds the embedded sets as they were first played with.
// Records bear these hashes: a set with other values is another set, with
// another name.
func TestBuiltInHashes(t *testing.T) {
	want := map[string]string{
		"crossing": "42b0f3c6938d3882902a5cd71a21e4bfea604752bfbef6a9e66d35851d592bba",
		"ours":     "565ed0927c5a21cfa3964f32ff8b52d0aedf41e470dd0697479612cea42776d8",
		"passage":  "cfe31ce8310f80650739a5e211e1e1f46cdef6d8ae1bde43b59bca94bbb678e7",
		"voyage":   "9f78cae30d6b4688b945249810f040b3c5d7d58d96a11380bb312a89e08d295d",
	}
	names := BuiltInNames()
	if len(names) != len(want) || names[0] != DefaultName || Default().Name != DefaultName {
		t.Errorf("built in are %v, the default set is %q", names, Default().Name)
	}
	for _, name := range names {
		if got := BuiltIn(name).Set; got.Hash != want[name] || got.Name != name {
			t.Errorf("the set %q is called %q and has the hash %s, want %s: games were played with it, so it is never changed", name, got.Name, got.Hash, want[name])
		}
	}
	if BuiltIn("nothing") != nil {
		t.Error("a built-in set of any name")
	}
}

// TestVoyage holds what the second set changes of the first one: seats, Ravager
// icons and Hal's weights (BALANCE.md).
func TestVoyage(t *testing.T) {
	voyage := BuiltIn(voyageName).Set
	icons := 0
	for _, lines := range sidesOf(voyage) {
		for _, h := range lines {
			icons += int(h.Ravagers)
		}
	}
	if icons != 26 {
		t.Errorf("%d Ravager icons", icons)
	}
	for _, line := range Diff(oldest(), voyage) {
		was, is, _ := strings.Cut(line[strings.Index(line, ": ")+2:], " -> ")
		switch thing, _, _ := strings.Cut(line, " "); thing {
		case "seat", "weight":
		case "strip":
			if strings.TrimSuffix(was, " ravager") != strings.TrimSuffix(is, " ravager") {
				t.Errorf("more than an icon: %s", line)
			}
		default:
			t.Error(line)
		}
	}
}

// TestPassage holds that the third set changes nothing of the second one but what
// seats get.
func TestPassage(t *testing.T) {
	changed := Diff(BuiltIn(voyageName).Set, BuiltIn(passageName).Set)
	for _, line := range changed {
		if !strings.HasPrefix(line, "seat ") {
			t.Error(line)
		}
	}
	if len(changed) == 0 {
		t.Error("nothing")
	}
}

// TestCrossing holds that the default set is the third one but for a resource more
// for each seat behind the first, with three players by the base rules and with four
// by the advanced ones.
func TestCrossing(t *testing.T) {
	changed := Diff(BuiltIn(passageName).Set, Default())
	want := []string{
		"seat 2 advantage: 1/2/1 resources 2/1/1 VP | 1/3/2 resources 2/1/1 VP -> 1/3/1 resources 2/1/1 VP | 1/3/3 resources 2/1/1 VP",
		"seat 3 advantage: reserve 3 VP | reserve 4/3 VP -> reserve 1/0 resource 3 VP | reserve 0/1 resource 4/3 VP",
		"seat 4 advantage: reserve 1 resource 3 VP -> reserve 1 resource 3 VP | reserve 2 resources 3 VP",
	}
	if !slices.Equal(changed, want) {
		t.Errorf("%q, want %q", changed, want)
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
		oldest(),
		accepted(t, fileMissions, "013 M13", "013 M13 | 1 ship 1 robot | green | ours"),
		accepted(t, fileBoard, "display", "display | 2 2 1 | ours"),
		accepted(t, fileBoard, "seat 4", "seat 4 | reserve | ours"),
		accepted(t, fileBoard, "seat 3", "seat 3 | reserve 1 VP | ours"),
		accepted(t, fileBoard, "seat 2", "seat 2 | 1/2/1 resources 2/1/0 VP | nothing | ours"),
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
	r := BuiltIn(OldestName)
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
	if want := []string{"mission 019", "ravager 073", "seat 1", "seat 3", "tile s1", "tile s2", "tile s3", "tile t34"}; !slices.Equal(known, want) {
		t.Errorf("known: %v, want %v", known, want)
	}
}

func TestDiff(t *testing.T) {
	for _, c := range []struct{ file, old, new, want string }{
		{fileMissions, "013 M13", "013 M13 | 2 resource | orange green | known", "mission 013 reward: 2 VP -> 2 resources"},
		{fileMissions, "002 M2", "002 M2 | 2 resource | gray orange | ours", "mission 002 tiles: gray -> gray orange"},
		{fileRavagers, "061 V1", "061 V1 | location 1 | known", ""},
		{fileBoard, "seat 2", "seat 2 | nothing | ours", "seat 2 advantage: 1 resource -> nothing"},
		{fileBoard, "seat 3", "seat 3 | reserve | reserve 0/1 VP | ours", "seat 3 advantage: reserve -> reserve | reserve 0/1 VP"},
		{fileBoard, "start", "start | 1.1 2.2 3.2 | ours", "start cells: 1.1 2.2 3.3 -> 1.1 2.2 3.2"},
		{fileBoard, "display", "display | 2 2 1 1 1 | ours", "display costs: 2 2 1 1 1 1 -> 2 2 1 1 1"},
		{fileHal, "weight robot", "weight robot | 3 | ours", "weight robot VP: 1 -> 3"},
		{fileStrips, "2 front", "2 front | orange | gray ravager | asteroids | green | orange comet | ours",
			"strip 2 front lane a: orange ravager -> orange\nstrip 2 front lane b: gray -> gray ravager"},
	} {
		if got := strings.Join(Diff(oldest(), accepted(t, c.file, c.old, c.new)), "\n"); got != c.want {
			t.Errorf("%s: got %q, want %q", c.new, got, c.want)
		}
	}
}

// TestCheck holds that every fault of every file is told, also when others
// cannot be read.
func TestCheck(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "box")
	if err := os.CopyFS(dir, os.DirFS("set")); err != nil {
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
