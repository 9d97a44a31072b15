package web

import (
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"
)

// TestSkipLinks: readers who hear a page, or go through it by keys, jump to the move, the
// choices, the map, the boards and what happened; and the replay's controls come before the
// pieces on the table.
func TestSkipLinks(t *testing.T) {
	s := newShelf(t, 2, 40)
	for path, want := range map[string]string{
		"/g/listed":                        "#main #desk-name #space #others #tale",
		"/g/listed?at=20":                  "#main #desk-name #space #others #tale",
		"/g/listed/" + keyOf(1):            "#main #desk-name #orders #space #own #others #tale",
		"/g/listed/" + keyOf(1) + "?at=20": "#main #desk-name #space #own #others #tale",
	} {
		_, body := get(t, handler(s), "GET", path)
		doc, err := goquery.NewDocumentFromReader(strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		stops := doc.Find(`a[href], button, input:not([type=hidden]), summary, [tabindex="0"]`)
		var links []string
		for i := range stops.Length() {
			href := stops.Eq(i).AttrOr("href", "")
			if !strings.HasPrefix(href, "#") {
				break
			}
			if links = append(links, href); doc.Find(href).Length() != 1 {
				t.Errorf("%s: %s leads nowhere", path, href)
			}
		}
		if got := strings.Join(links, " "); got != want {
			t.Errorf("%s: skip links %s, want %s", path, got, want)
		}
		all := doc.Find("*")
		if ways, pieces := all.IndexOfSelection(doc.Find(".ways a").First()), all.IndexOfSelection(doc.Find("#space [data-board]").First()); ways < 0 || pieces < 0 || ways > pieces {
			t.Errorf("%s: the replay is element %d, the first piece %d", path, ways, pieces)
		}
		if start := doc.Find(`.ways a[data-way="start"]`); start.AttrOr("href", "") == "" {
			t.Errorf("%s: no way to the start", path)
		}
		if end := doc.Find(`.ways a[data-way="end"]`); strings.Contains(path, "at=") && end.AttrOr("href", "") == "" {
			t.Errorf("%s: no way to the end", path)
		}
	}
}
