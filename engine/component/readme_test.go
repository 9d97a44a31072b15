package component

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestReadme holds that the lines README.md shows for a file can be typed in as
// they stand there, and that every file and kind of line is shown.
func TestReadme(t *testing.T) {
	b, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	heading := regexp.MustCompile("^\\*\\*`(\\w+\\.txt)`\\*\\*")
	file := ""
	var shown []string
	for line := range strings.Lines(string(b)) {
		if m := heading.FindStringSubmatch(line); m != nil {
			file = m[1]
		}
		if strings.HasPrefix(line, "## Playing") {
			file = ""
		}
		text, ok := strings.CutPrefix(strings.TrimSuffix(line, "\n"), "    ")
		key, _, bar := strings.Cut(text, "|")
		if file == "" || !ok || !bar {
			continue
		}
		fsys := files(t)
		change(t, fsys, file, strings.TrimSpace(key)+" |", text)
		set, err := Load(fsys, "readme")
		if err != nil {
			t.Errorf("%s: %q: %v", file, text, err)
			continue
		}
		if diff := Diff(Default(), set); len(diff) > 1 {
			t.Errorf("%s: %q changes %v", file, text, diff)
		}
		shown = append(shown, file)
	}
	if n := len(slices.Compact(slices.Clone(shown))); n != 7 || len(shown) < 17 {
		t.Errorf("lines of %d files, %d lines", n, len(shown))
	}
}
