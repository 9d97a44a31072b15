package templates

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"angelpost/engine"
	"angelpost/engine/component"
	"angelpost/templates/words"
)

func componentPage(t *testing.T, r *component.Report) string {
	t.Helper()
	var b bytes.Buffer
	if err := WriteComponents(&b, words.English(), r, ".map{}"); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestComponentsPage holds that the page of a set has everything, names the line of each thing,
// and needs no other file.
func TestComponentsPage(t *testing.T) {
	r := component.BuiltIn(component.DefaultName)
	page := componentPage(t, r)
	for _, bad := range []string{"<script", "src=", "http:", "@import", "url("} {
		if strings.Contains(strings.ReplaceAll(page, "url(#", ""), bad) {
			t.Errorf("the page has %q", bad)
		}
	}
	if m := regexp.MustCompile(`\[[a-z]+\.[a-z0-9-]+\]`).FindString(page); m != "" {
		t.Errorf("a message is missing: %s", m)
	}
	for thing, o := range r.Origins {
		at := fmt.Sprintf(`<span class="mark %s">%s</span> %s, line %d`, o.Mark, o.Mark, o.File, o.Line)
		n := strings.Count(page, at+"<") + strings.Count(page, at+":")
		if n != 1 {
			t.Errorf("%s: %q stands there %d times, want once", thing, at, n)
		}
	}
	for what, n := range map[string]int{`class="map strip"`: 14, `class="stamp `: 60 + 30, `class="tile o"`: 16 + 1, `class="tile g boost"`: 16,
		`class="tile k"`: 16, `class="halves"`: 12, `class="rooms one"`: 6, `class="tile e`: 6 + 9, `class="tile e st"`: 3} {
		if k := strings.Count(page, what); k != n {
			t.Errorf("%d drawings with %s, not %d", k, what, n)
		}
	}
	v := words.English().For(r.Set, 0, nil)
	for n := engine.Card(1); n <= component.LastRaider; n++ {
		if !strings.Contains(page, v.Card(r.Set, n)) {
			t.Errorf("card %v is not told", n)
		}
	}
	for n := engine.Tile(1); n <= component.Tiles; n++ {
		if !strings.Contains(page, "Boost side: "+v.Boost(n)+".") || !strings.Contains(page, "Standard side: "+v.Tile(r.Set, n)+".") {
			t.Errorf("tile %v is not told", n)
		}
	}
	for _, want := range []string{
		"7 known, 39 inferred, 156 ours", r.Set.Hash,
		"<h3>Orange Mission 019</h3><ul><li>When it is ejected: its owner, and any other player with a ship on it, gains 3 VP per gray Mission card tucked under their own board.</li><li>Placing it earns 1 VP.</li><li>New tiles: orange, then gray.</li></ul>",
		"<h3>Strip 1 front</h3><ul><li>a: green, comet</li><li>b: gray, comet, Ravager icon</li><li>c: asteroids</li>",
		"Upper half: orange discover, Advanced first.", "Upper half: gray repair, locations 6 to 1.",
		"<h3>Seat 2</h3><ul><li>1 resource with 2 players, 3 resources with 3 players, 1 resource with 4 players, 2 VP with 2 players and 1 VP with 3 and 4 players.</li>" +
			"<li>By the advanced rules: 1 resource with 2 players, 3 resources with 3 and 4 players, 2 VP with 2 players and 1 VP with 3 and 4 players.</li>",
		"<h3>Seat 3</h3><ul><li>May reserve a die free, 1 resource with 3 players and 3 VP.</li>" +
			"<li>By the advanced rules: may reserve a die free, 1 resource with 4 players, 4 VP with 3 players and 3 VP with 4 players.</li>",
		"from the left: 2, 2, 1, 1, 1, 1.", "are on 1.1, 2.2 and 3.3", "board.txt, line 13: known: 3 is gray",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
}

// TestComponentsPageUnusual holds that the page tells all of a box that has what
// the usual one has not.
func TestComponentsPageUnusual(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "odd")
	if err := os.CopyFS(dir, component.Files()); err != nil {
		t.Fatal(err)
	}
	for _, c := range [][3]string{
		{"strips.txt", "1 back  | green comet          | gray ravager         | asteroids            |", "1 back | green comet | gray ravager ravager | asteroids comet ravager |"},
		{"technology.txt", "t1  | orange Ta | B1 discover |", "t1 | orange Ta | B1 command green |"},
		{"technology.txt", "t2  | orange Ta | B2          |", "t2 | orange Ta | B2 gray |"},
		{"missions.txt", "001 M1  | 1 resource 1 robot |", "001 M1 | 3 VP 2 resources |"},
		{"board.txt", "seat 2 | 1/3/1 resources 2/1/1 VP   | 1/3/3 resources 2/1/1 VP     |", "seat 2 | reserve 1 ship 0/1/1 robots 2 debris | nothing |"},
	} {
		name := filepath.Join(dir, c[0])
		b, err := os.ReadFile(name)
		if err != nil || !strings.Contains(string(b), c[1]) {
			t.Fatalf("%s: %v, no %q", c[0], err, c[1])
		}
		if err := os.WriteFile(name, []byte(strings.Replace(string(b), c[1], c[2], 1)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	r, err := component.Check(dir)
	if err != nil || r.Set == nil {
		t.Fatal(err, r.Faults)
	}
	page := componentPage(t, r)
	for _, want := range []string{
		"<li>b: gray, Ravager icon, Ravager icon</li><li>c: asteroids, comet, Ravager icon</li>",
		"Boost side: 2 VP when a green die does command.", "Boost side: a gray die counts as 3.",
		"<li>Placing it earns 3 VP and 2 resources.</li>",
		"<h3>Seat 2</h3><ul><li>May reserve a die free, 1 ship, 1 robot with 3 and 4 players and 2 Debris.</li><li>By the advanced rules: nothing.</li>",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
}

// TestComponentsPageEscapes holds that text in a comment stays text, and that a writer's error
// is returned.
func TestComponentsPageEscapes(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "box")
	if err := os.CopyFS(dir, component.Files()); err != nil {
		t.Fatal(err)
	}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(path, regexp.MustCompile(`(?m)\| ours.*$`).ReplaceAll(b, []byte("| ours # <script>alert(1)</script> \u202e\"'&")), 0o600)
	})
	if err != nil {
		t.Fatal(err)
	}
	r, err := component.Check(dir)
	if err != nil || r.Set == nil {
		t.Fatalf("%v %v", err, r.Faults)
	}
	page := componentPage(t, r)
	if strings.Contains(page, "<script") || strings.Contains(page, "\u202e") || !strings.Contains(page, "&lt;script&gt;alert(1)") {
		t.Error("a comment is not escaped")
	}
	if err := WriteComponents(full{}, words.English(), r, ""); !errors.Is(err, io.ErrShortWrite) {
		t.Errorf("a full disk: %v", err)
	}
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, io.ErrShortWrite }
