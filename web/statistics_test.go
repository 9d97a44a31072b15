package web

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"angelpost/engine/component"
	"angelpost/engine/statistics"
)

// The statistics name each kind of game, lead to its figures and plot them; the page's data say
// the same.
func TestStatistics(t *testing.T) {
	h := handler(newShelf(t, 2, 20))
	key := "2-base-revised-" + component.DefaultName
	d := page(t, h, "/statistics")
	row := d.Find(".kinds tbody tr")
	if a := row.Find("a"); row.Length() != 1 || a.AttrOr("href", "") != "/statistics/"+key || !strings.Contains(a.Text(), "2 players") || row.Find("td").First().Text() != "5" {
		t.Errorf("kinds: %q", row.Text())
	}
	d = page(t, h, "/statistics/"+key)
	if n := d.Find("figure svg").Length(); n < 15 {
		t.Errorf("%d plots", n)
	}
	first := 0
	d.Find(".openings table").First().Find("tbody tr").Each(func(_ int, tr *goquery.Selection) {
		if td := strings.Fields(tr.Find("td").First().Text()); len(td) > 0 {
			n := 0
			json.Unmarshal([]byte(td[0]), &n)
			first += n
		}
	})
	if first != 10 {
		t.Errorf("%d players opened five games of two", first)
	}
	var all statistics.Report
	_, body := get(t, h, "GET", "/statistics.json")
	if err := json.Unmarshal([]byte(body), &all); err != nil || len(all.Kinds) != 1 || all.Kinds[0].Key != key || all.Kinds[0].Figures.Games != 5 {
		t.Errorf("%+v: %v", all, err)
	}
	var one kindJSON
	_, body = get(t, h, "GET", "/statistics/"+key+"/kind.json")
	if err := json.Unmarshal([]byte(body), &one); err != nil || one.Schema != 1 || len(one.Figures.Openings) == 0 || len(one.Figures.Seats) != 2 {
		t.Errorf("%+v: %v", one, err)
	}
	if page(t, h, "/statistics/"+key).Find(`a[href="/games?edition=revised&players=2&rules=base&state=finished"]`).Length() != 1 {
		t.Error("the openings do not lead to games of the kind")
	}
	d.Find(".openings tbody tr").Each(func(_ int, tr *goquery.Selection) {
		if a := tr.Find("td a"); a.Length() != 1 || a.AttrOr("href", "") != "/g/listed" {
			t.Errorf("an opening does not lead to its game: %q", tr.Text())
		}
	})
	for _, path := range []string{"/statistics/5-base", "/statistics/" + strings.Repeat("x", 200), "/statistics/" + key + "/kind.js", "/statistics/x/kind.json"} {
		if res, _ := get(t, h, "GET", path); res.StatusCode != http.StatusNotFound {
			t.Errorf("%s: %s", path, res.Status)
		}
	}
	for path, most := range map[string]int{"/statistics": 60_000, "/statistics/" + key: 150_000} {
		if _, body := get(t, h, "GET", path); len(body) > most || len(compressed([]byte(body))) > 30_000 {
			t.Errorf("%s has %d bytes, %d compressed", path, len(body), len(compressed([]byte(body))))
		}
	}
}
