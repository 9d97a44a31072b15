package web

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"

	"angelpost/engine/league"
)

// TestYearsOfALeague: 60 players and 20 seasons fit on a page, which has the titles, the
// table, one player's record against the others and the records, as its data has them.
func TestYearsOfALeague(t *testing.T) {
	s := newShelf(t, 2, 4)
	big := played("big", "name: Big League\ntable: 4\ndivision: 12\nup: 2\nseasons: 20\nleast: 12\n", 60, 100_000)
	s.leagues = append(s.leagues, big)
	h := handler(s)
	if n := len(big.look.State.Seasons); n != 20 {
		t.Fatalf("%d seasons", n)
	}
	_, body := get(t, h, "GET", "/l/big/years")
	if n := len(body); n > 150<<10 {
		t.Errorf("%d bytes", n)
	}
	d := page(t, h, "/l/big/years")
	if rows, titles := d.Find("#all-time tbody tr").Length(), d.Find("#champions li").Length(); rows != 60 || titles != 20 || d.Find("#against tbody tr").Length() != 20 {
		t.Errorf("%d players, %d champions, %d pairs", rows, titles, d.Find("#against tbody tr").Length())
	}
	var titles []string
	d.Find("main ol").Each(func(_ int, e *goquery.Selection) { titles = append(titles, e.Parent().Find("h2").Text()) })
	if want := []string{"Longest winning streaks", "Closest games", "Highest scores", "Longest games"}; !slices.Equal(titles, want) {
		t.Errorf("records %q, want %q", titles, want)
	}
	var data yearsJSON
	_, text := get(t, h, "GET", "/l/big/years.json?of=7")
	if err := json.Unmarshal([]byte(text), &data); err != nil || len(data.Players) != 60 || len(data.Champions) != 20 || len(data.Pairs) == 0 || len(data.Closest) != league.TopRecords {
		t.Fatalf("%d players, %v", len(data.Players), err)
	}
	for i, row := range d.Find("#all-time tbody tr").EachIter() {
		joined, err := time.Parse(time.RFC3339, data.Players[i].Joined)
		if err != nil || !strings.Contains(row.Find("td").Last().Text(), joined.UTC().Format("2 Jan 2006")) {
			t.Errorf("row %d: joined %v, the page says %q", i+1, joined, row.Text())
		}
	}
	if len(data.Longest) != league.TopRecords || len(data.Highest) != league.TopRecords || len(data.Streaks) == 0 {
		t.Errorf("%d longest, %d highest, %d streaks", len(data.Longest), len(data.Highest), len(data.Streaks))
	}
	ada := page(t, h, "/l/big/years?of=7")
	if rows := ada.Find("#against tbody tr"); rows.Length() != len(data.Pairs) || !strings.Contains(rows.First().Text(), strconv.Itoa(data.Pairs[0].Games)) || !strings.Contains(ada.Find("#against h2").Text(), "Ada Lovelace") {
		t.Errorf("Ada against the others: %q", rows.Text())
	}
	for _, p := range data.Pairs {
		if p.Players[0] != 7 || p.Ahead+p.Behind > p.Games {
			t.Errorf("%+v", p)
		}
	}
}
