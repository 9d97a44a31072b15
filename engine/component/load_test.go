package component

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"angelpost/engine/cost"
)

func TestOpen(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "My-Box")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	for name, f := range files(t) {
		if err := os.WriteFile(filepath.Join(dir, name), f.Data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	set, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	if set.Name != "My-Box" || set.Hash != Default().Hash {
		t.Errorf("name %q, hash %s", set.Name, set.Hash)
	}
	set.Name = Default().Name
	if !reflect.DeepEqual(set, Default()) {
		t.Error("the same files give another set")
	}
	if err := os.Remove(filepath.Join(dir, fileHal)); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(dir); !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), fileHal) {
		t.Errorf("without hal.txt: %v", err)
	}
	if err := os.Mkdir(filepath.Join(dir, fileHal), 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(dir); err == nil || !strings.Contains(err.Error(), "hal.txt: not a file") {
		t.Errorf("with a folder hal.txt: %v", err)
	}
}

// TestEditors holds that what editors do to text files does no harm, and that
// comments, spacing, case and marks do not make another set of it.
func TestEditors(t *testing.T) {
	for name, edit := range map[string]func(string) string{
		"carriage returns":   func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") },
		"byte order mark":    func(s string) string { return "\ufeff" + s },
		"no last newline":    func(s string) string { return strings.TrimSuffix(s, "\n") },
		"tabs":               func(s string) string { return strings.ReplaceAll(s, " | ", "\t|\t") },
		"upper case":         strings.ToUpper,
		"comment at the end": func(s string) string { return strings.ReplaceAll(s, "| ours", "| ours # our guess") },
		"order of lines": func(s string) string {
			lines := strings.Split(s, "\n")
			slices.Reverse(lines)
			return strings.Join(lines, "\n")
		},
		"marks": func(s string) string { return strings.ReplaceAll(s, "| ours", "| known") },
	} {
		t.Run(name, func(t *testing.T) {
			fsys := files(t)
			for file, f := range fsys {
				fsys[file] = &fstest.MapFile{Data: []byte(edit(string(f.Data)))}
			}
			set, err := Load(fsys, DefaultName)
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(set, Default()) {
				t.Error("another set")
			}
		})
	}
}

func TestHash(t *testing.T) {
	set := accepted(t, fileBoard, "seat 2", "seat 2 | 2 resources | known")
	if set.Seats[2][0].Resources != (Each{2: 2, 3: 2, 4: 2}) || set.Hash == Default().Hash || len(set.Hash) != 64 {
		t.Errorf("seat 2 %+v, hash %s", set.Seats[2], set.Hash)
	}
}

func TestNames(t *testing.T) {
	for _, name := range []string{"", "a/b", "..", "é", strings.Repeat("a", 41), "a b"} {
		if _, err := Load(files(t), name); err == nil {
			t.Errorf("name %q accepted", name)
		}
	}
}

// TestBounds holds that broken and hostile files are refused within bounds.
func TestBounds(t *testing.T) {
	for _, c := range []struct{ name, data, want string }{
		{"too large", strings.Repeat("#\n", maxFile), "missions.txt: larger than 65536 bytes"},
		{"long line", "001 M1 | " + strings.Repeat("x", maxLine) + "\n", "missions.txt:1: C2: longer than 400 bytes"},
		{"bytes", "# fine\n\xff\xfe\x00", "missions.txt:2: C2: not UTF-8"},
		{"empty", "", "missions.txt:1: C2: mission 001 is missing"},
		{"no key", "| 1 VP | orange | ours\n", "missions.txt:1: C2: the line must begin"},
		{"nonsense", strings.Repeat("what is this\n", 1000), "missions.txt:1: C2: the line must end in | and a mark"},
	} {
		t.Run(c.name, func(t *testing.T) {
			fsys := files(t)
			fsys[fileMissions] = &fstest.MapFile{Data: []byte(c.data)}
			_, err := Load(fsys, "hostile")
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Fatalf("got %v, want %s", err, c.want)
			}
			var ps Problems
			if errors.As(err, &ps) && len(ps) > maxProblems || len(err.Error()) > 20_000 {
				t.Errorf("%d problems in %d bytes", len(ps), len(err.Error()))
			}
		})
	}
}

// FuzzLoad feeds a hostile file in the place of each data file: it is refused
// or loads, within bounds, and what loads obeys what the rules rely on.
func FuzzLoad(f *testing.F) {
	names := []string{fileAdvanced, fileBoard, fileHal, fileMissions, fileRavagers, fileStrips, fileTechnology}
	for i, name := range names {
		data := files(f)[name].Data
		f.Add(uint8(i), data)
		f.Add(uint8(i), data[:len(data)/2])
		f.Add(uint8(i), []byte(strings.ReplaceAll(string(data), "1", "4294967296")))
		for _, change := range [][2]string{{"|", "||"}, {"\n", "\r\n\x00"}, {"ours", "OURS # x"}, {"0", "-1"}, {" ", "\u00a0\u202e"}, {"a", strings.Repeat("a", 500)}} {
			f.Add(uint8(i), []byte(strings.Replace(string(data), change[0], change[1], 3)))
		}
	}
	f.Add(uint8(1), []byte("start | ... 1.1 2.2 | ours\nseat | | |\n| | ours\ndisplay||ours"))
	f.Add(uint8(2), []byte("card 0 | | | ours\nweight | ours\ncard 1 | orange command | gray | ours"))
	f.Fuzz(func(t *testing.T, which uint8, data []byte) {
		fsys := files(t)
		fsys[names[int(which)%len(names)]] = &fstest.MapFile{Data: data}
		var set *Set
		var err error
		cost.Within(t, func() { set, err = Load(fsys, "fuzzed") })
		if err != nil {
			if len(err.Error()) > 20_000 {
				t.Errorf("an error of %d bytes", len(err.Error()))
			}
			return
		}
		if len(set.Costs) < MinDisplay || len(set.Costs) > MaxDisplay || set.Start[0] >= set.Start[1] || set.Start[1] >= set.Start[2] || set.Start[2] > 8 {
			t.Errorf("costs %v, start %v", set.Costs, set.Start)
		}
		for n, l := range set.Locs[1:] {
			if l.Action == NoAction || l.Color >= None {
				t.Errorf("location %d is %+v", n+1, l)
			}
		}
		for n := 1; n <= Tiles; n++ {
			k := set.Tiles[n]
			if k.Boost < 1 || k.Boost > 4 || k.For >= None || (k.Boost == 1) != (k.Action != NoAction) || k.Action != NoAction && k.Action != Command && own(k.For) != k.Action {
				t.Errorf("%s is %+v", tileName(n), k)
			}
		}
		for n, card := range set.Hal {
			if card[0].Color == card[1].Color || card[0].Color >= None || card[1].Color >= None {
				t.Errorf("%s is %+v", halName(n+1), card)
			}
		}
		for n := FirstRaider; n <= LastRaider; n++ {
			if r := set.Ravagers[n]; r.Location < 1 || r.Location > 6 || (r.Effect == 2) != (r.Die < None) {
				t.Errorf("card %03d is %+v", n, r)
			}
		}
	})
}
