package letters

import (
	"regexp"
	"strings"
	"testing"
)

// What mail programs make of our letters (mail/PROGRAMS.md): they show hidden text, run links
// together that have no white space between them, and hide the bar.
func TestWhatProgramsShow(t *testing.T) {
	_, kept, posts := everyKind(t)
	hidden := regexp.MustCompile(`display: ?none|visibility: ?hidden|max-height: ?0|\shidden[ >]`)
	together := regexp.MustCompile(`</(a|button)><(a|button)\b`)
	for i, p := range posts {
		if s := hidden.FindString(p.html); s != "" {
			t.Errorf("%s hides text: %s", kept[i], s)
		}
		if s := together.FindString(p.html); s != "" {
			t.Errorf("%s has no white space between buttons: %s", kept[i], s)
		}
		for line := range strings.Lines(p.text) {
			if strings.Contains(line, `"|"`) {
				t.Errorf("%s depends on a bar: %s", kept[i], line)
			}
			if strings.Contains(line, "%2B") && strings.Contains(strings.SplitN(line, "?", 2)[0], "%2B") {
				t.Errorf("%s has an encoded plus in an address: %s", kept[i], line)
			}
		}
	}
}
