package words

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

var (
	departureHead = regexp.MustCompile(`(?m)^\*\*(D\d+)\.`)
	departureSum  = regexp.MustCompile(`\d{1,3}(?:,\d{3})+|\b\d{2,3}\b|\b2 lapsed`)
)

// `rules departures` tells of every departure that engine/DEPARTURES.md lists, with
// figures that are in its table.
func TestDeparturesAreTheDocuments(t *testing.T) {
	text, err := os.ReadFile("../../engine/DEPARTURES.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(text), "<!-- figures -->")
	rows := map[string]string{} // by number
	last := ""
	for _, line := range strings.Split(table, "\n") {
		if n, _, ok := strings.Cut(strings.TrimPrefix(line, "| "), ":"); ok && strings.HasPrefix(n, "D") {
			last = n
		}
		if last != "" {
			rows[last] += line + "\n"
		}
	}
	var listed []string
	for _, m := range departureHead.FindAllStringSubmatch(string(text), -1) {
		listed = append(listed, m[1])
	}
	v := voice(0)
	topic := called(v.topics, "departures")
	if topic == nil || strings.Join(topic.Rules, " ") != strings.Join(listed, " ") || len(listed) < 12 {
		t.Fatalf("the page lists %v, the topic %+v", listed, topic)
	}
	for _, n := range listed {
		_, often, ok := strings.Cut(v.Say("rule."+n), "How often")
		if !ok {
			t.Errorf("%s does not say how often", n)
		}
		sums := departureSum.FindAllString(often, -1)
		if len(sums) == 0 && n != "D9" {
			t.Errorf("%s has no figure", n)
		}
		for _, sum := range sums {
			figure, _, _ := strings.Cut(strings.ReplaceAll(sum, ",", ""), " ")
			if figure != "10000" && !regexp.MustCompile(`[ |]`+figure+`[ |]`).MatchString(rows[n]) {
				t.Errorf("%s: %s is not in the table: %s", n, sum, rows[n])
			}
		}
	}
}
