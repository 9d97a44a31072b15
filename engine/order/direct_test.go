package order

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestDirections: what directors write about a whole league, in the forms that they use, and
// back as we print it.
func TestDirections(t *testing.T) {
	for line, want := range map[string]string{
		"extend league Iron League by 2 days: the server was down":            "extend league Iron League by 2 days",
		"Pause league \"Iron League\" division 2: a storm":                    "pause league Iron League division 2",
		"resume league iron-league player Ann: she is back":                   "resume league iron-league player Ann",
		"close league Iron League: no one has time":                           "close league Iron League",
		"start league Iron League: all are here":                              "start league Iron League",
		"delete league Iron League: a mistake":                                "delete league Iron League",
		"rename league Iron League to Steel League":                           "rename league Iron League to Steel League",
		"rename league Iron League to Road to Rio: the host asked for it":     "rename league \"Iron League\" to \"Road to Rio\"",
		"rename league \"Road to Rio\" to \"Road to Roma\"":                   "rename league \"Road to Rio\" to \"Road to Roma\"",
		"add ann@example.org to league Iron League":                           "add ann@example.org to league Iron League",
		"add league Iron League player ann@example.org: welcome":              "add ann@example.org to league Iron League",
		"expel Ann Lee from league Iron League: she is two people":            "expel Ann Lee from league Iron League",
		"expel player Ann from league Iron League: rude":                      "expel Ann from league Iron League",
		"expel \"Ann\" from league 'Iron League': rude":                       "expel Ann from league Iron League",
		"expel league Iron League player Ann: rude":                           "expel Ann from league Iron League",
		"move Ann to division 2 of league Iron League: she asked for it":      "move Ann to division 2 of league Iron League",
		"Move Ann to division 2 in league Iron League: she asked for it":      "move Ann to division 2 of league Iron League",
		"move league Iron League player Ann to division 1: she is too strong": "move Ann to division 1 of league Iron League",
	} {
		w, p, ok := ReadDirection(line)
		if !ok || p != nil {
			t.Errorf("%q: %v %+v", line, ok, p)
			continue
		}
		if got := w.Direct.String(w.Name); got != want {
			t.Errorf("%q reads as %q, not %q", line, got, want)
		}
		again, p, ok := ReadDirection(want + ": why")
		if !ok || p != nil || *again.Direct != *w.Direct || again.Name != w.Name {
			t.Errorf("%q printed reads as %+v %+v", want, again.Direct, p)
		}
	}
	for line, code := range map[string]string{
		"expel Ann from league Iron League":                              NoReason,
		"delete league Iron League":                                      NoReason,
		"start league Iron League":                                       NoReason,
		"move Ann to the top of league Iron League: why":                 BadWord,
		"move Ann to division x of league Iron League: why":              BadWord,
		"rename league Iron League: why":                                 BadWord,
		"expel league Iron League: why":                                  BadWord,
		"add league Iron League":                                         BadWord,
		"rename league Iron League to " + strings.Repeat("x", MaxName+1): LongText,
	} {
		if _, p, ok := ReadDirection(line); !ok || p == nil || p.Code != code {
			t.Errorf("%.60q: %v %+v, not %s", line, ok, p, code)
		}
	}
	for _, line := range []string{"add 2 robots", "move ship 3 to 12", "start the league", "move 2 to the league of nations: yes", "extend league Iron League 1.1.3 by 2 days: why", "delete", "add me"} {
		if w, _, ok := ReadDirection(line); ok {
			t.Errorf("%q is a direction: %+v", line, w.Direct)
		}
	}
}

// TestDirectionsAreDocumented: ORDERS.md has each direction, written so that it is read as that.
func TestDirectionsAreDocumented(t *testing.T) {
	b, err := os.ReadFile("ORDERS.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, ok := strings.Cut(string(b), "**What directors say of a whole league**")
	if section, _, _ = strings.Cut(section, "\n## "); !ok {
		t.Fatal("ORDERS.md has no such part")
	}
	said := map[DirectionKind]bool{}
	appeal := false
	for _, m := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(section, -1) {
		line := strings.Join(strings.Fields(m[1]), " ")
		if w, p, ok := ReadDirection(line); ok && p == nil {
			said[w.Direct.Kind] = true
		}
		appeal = appeal || strings.HasPrefix(line, "appeal GAME: ")
	}
	for _, k := range DirectionKinds() {
		if !said[k] {
			t.Errorf("ORDERS.md does not say how to write %q", k)
		}
	}
	if !appeal {
		t.Error("ORDERS.md does not name appeal")
	}
}
