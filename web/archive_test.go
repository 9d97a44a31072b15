package web

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"
	ics "github.com/arran4/golang-ical"

	"angelpost/engine/game"
	"angelpost/engine/store"
)

// The form's fields are the search, and are in the form again; an invalid value gives no page.
func TestArchiveAsks(t *testing.T) {
	s := newShelf(t, 3, 20)
	h := handler(s)
	d := page(t, h, "/games?q=open+tab&state=finished&players=3&rules=advanced&edition=first&ending=spes&from=2026-01-02&to=2026-03-04&player=7&result=won&before=x1")
	want := store.Search{Names: "open tab", State: "finished", Players: 3, Rules: "advanced", Edition: "first", Ending: "spes", Player: 7, Won: "won", Before: "x1", Limit: archivePage,
		From: time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC), To: time.Date(2026, 3, 5, 0, 0, 0, 0, time.UTC)}
	if s.asked != want {
		t.Errorf("asked for %+v", s.asked)
	}
	if v := d.Find("input[name=q]").AttrOr("value", "") + d.Find("select[name=players] [selected]").AttrOr("value", "") + d.Find("input[name=to]").AttrOr("value", ""); v != "open tab32026-03-04" {
		t.Errorf("the form forgets: %q", v)
	}
	for bad, want := range map[string]string{
		"state=private": "state must be one of running, finished", "players=5": "players must be one of 1, 2, 3, 4; 5 is not one of them", "players=x": "players must be one of", "player=0": "player must be a player's number",
		"player=-1": "must be a player's number", "player=07": "must be a player's number", "from=yesterday": "from must be a date like 2026-10-31; yesterday is not one", "from=2026-13-40": "from must be a date like 2026-10-31; 2026-13-40 is not one",
		"to=0001-01-01": "to must be a date", "result=won&player=x": "must be a player's number", "player=7&result=drawn": "result must be one of won, lost", "q=a&q=b": "q is given twice", "q=" + strings.Repeat("a", 101): "q is longer than 100",
		"state=%60%3Cb%3E": "state must be one of",
	} {
		for _, path := range []string{"/games?", "/players/7?"} {
			res, body := get(t, h, "GET", path+bad)
			d, err := goquery.NewDocumentFromReader(strings.NewReader(body))
			if err != nil {
				t.Fatal(err)
			}
			if text := strings.Join(strings.Fields(d.Find("main").Text()), " "); res.StatusCode != http.StatusBadRequest || !strings.Contains(text, want) || strings.Contains(body, "`") || d.Find("main b").Length() > 0 {
				t.Errorf("%s%s: %s %q, want %q", path, bad, res.Status, text, want)
			}
		}
		res, body := get(t, h, "GET", "/games.json?"+bad)
		var no struct{ Error string }
		if err := json.Unmarshal([]byte(body), &no); err != nil || res.StatusCode != http.StatusBadRequest || no.Error == "" {
			t.Errorf("%s: %s, %v, %s", bad, res.Status, err, body)
		}
	}
	for _, path := range []string{"/games?league=none", "/players/99", "/l/none", "/nothing"} {
		if res, body := get(t, h, "GET", path); res.StatusCode != http.StatusNotFound || strings.Contains(body, "game does not exist") {
			t.Errorf("%s: %s\n%s", path, res.Status, body)
		}
	}
}

// The archive lists listed games with their players' pages, leads to older ones
// and shows no key, private game or address.
func TestArchiveLists(t *testing.T) {
	s := newShelf(t, 3, 20)
	s.more = true
	h := handler(s)
	d := page(t, h, "/games?q=open")
	if got := d.Find(".games li > a").Map(func(_ int, a *goquery.Selection) string { return a.AttrOr("href", "") }); len(got) != 1 || got[0] != "/g/listed" {
		t.Errorf("%q is listed", got)
	}
	if next := d.Find("a[rel=next]").AttrOr("href", ""); next != "?before=listed&q=open" {
		t.Errorf("older games at %q", next)
	}
	if who := d.Find(".who a").First(); who.Text() != "Ada" || who.AttrOr("href", "") != "/players/7" {
		t.Errorf("the first player is %q", who.Text())
	}
	var data entriesJSON
	_, body := get(t, h, "GET", "/games.json?q=open")
	if err := json.Unmarshal([]byte(body), &data); err != nil || len(data.Games) != 1 || data.Games[0].Game != "listed" || data.Before != "listed" || len(data.Games[0].Seats) != 3 {
		t.Errorf("%+v: %v", data, err)
	}
	p := page(t, h, "/players/7")
	if p.Find("h1").Text() != "Ada" || !strings.Contains(p.Find(".scores").Text(), "44.5") || p.Find(".games li").Length() != 1 || s.asked.Player != 7 {
		t.Error("the player's page lacks name, means or games")
	}
	for _, path := range []string{"/players/8", "/players/0", "/players/x", "/players/07", "/players/8/player.json", "/players/8/feed.atom"} {
		if res, _ := get(t, h, "GET", path); res.StatusCode != http.StatusNotFound {
			t.Errorf("%s: %s", path, res.Status)
		}
	}
	for _, path := range []string{"/games", "/games.json", "/feed.atom", "/sitemap.xml", "/players/7", "/players/7/player.json", "/players/7/feed.atom"} {
		if _, body := get(t, h, "GET", path); strings.Contains(body, "-secret") || strings.Contains(body, "@") || strings.Contains(body, "unlisted") || strings.Contains(body, "private") {
			t.Errorf("%s shows what is not for everybody", path)
		}
	}
}

func ids(f atomFeed) (out []string) {
	for _, e := range f.Entry {
		out = append(out, e.ID)
	}
	return out
}

// Feeds are Atom: each has an id, a title and a time, and so has each entry; no key is in any.
func TestFeeds(t *testing.T) {
	s := newShelf(t, 2, 60)
	h := s.serve(Server{BaseURL: "https://play.example", Host: "Play.example"})
	for _, path := range []string{"/feed.atom", "/l/tin/feed.atom", "/players/7/feed.atom", "/g/listed/feed.atom", "/g/unlisted/feed.atom", "/g/private/" + keyOf(1) + "/feed.atom", "/g/waiting/feed.atom"} {
		res, body := get(t, h, "GET", path)
		var f atomFeed
		if err := xml.Unmarshal([]byte(body), &f); err != nil || res.Header.Get("Content-Type") != atomKind {
			t.Fatalf("%s: %v, %v", path, err, res.Header)
		}
		if f.ID == "" || f.Title == "" || f.Author.Name == "" || path != "/g/waiting/feed.atom" && len(f.Entry) == 0 {
			t.Errorf("%s: %+v", path, f)
		}
		for _, e := range append(f.Entry, atomEntry{ID: "x", Title: "x", Updated: f.Updated}) {
			if at, err := time.Parse(time.RFC3339, e.Updated); err != nil || e.ID == "" || e.Title == "" || path != "/g/waiting/feed.atom" && at.Before(shelfTime) {
				t.Errorf("%s: %+v", path, e)
			}
		}
		if strings.Contains(body, "-secret") {
			t.Errorf("%s shows a key", path)
		}
		for _, id := range append([]string{f.ID}, ids(f)...) { // RFC 4151: an authority's name and a date, then what it calls the thing
			if !strings.HasPrefix(id, "tag:play.example,2026:") || strings.ContainsAny(id, " <>\"") {
				t.Errorf("%s: the id %s", path, id)
			}
		}
		_, other := get(t, s.serve(Server{BaseURL: "https://play.example", Host: "another.example"}), "GET", path)
		if strings.Contains(other, "tag:play.example") || !strings.Contains(other, "<id>tag:another.example,2026:") {
			t.Errorf("%s: another server has the same ids", path)
		}
	}
	for _, path := range []string{"/g/private/feed.atom", "/g/unlisted/wrong/feed.atom"} {
		if res, _ := get(t, h, "GET", path); res.StatusCode != http.StatusNotFound {
			t.Errorf("%s: %s", path, res.Status)
		}
	}
	a, b := "", ""
	for _, key := range []*string{&a, &b} {
		_, *key = get(t, h, "GET", "/g/private/"+keyOf(1)+"/feed.atom")
	}
	if a != b {
		t.Error("the same news twice is another feed")
	}
}

// Search engines find what its players have made public, and nothing else.
func TestWhatMayBeFound(t *testing.T) {
	h := newShelf(t, 2, 20).serve(Server{BaseURL: "https://play.example"})
	for path, found := range map[string]bool{"/": true, "/games": true, "/g/listed": true, "/g/unlisted": false, "/g/listed/" + keyOf(1): false,
		"/g/listed?at=3": false, "/games?q=x": false, "/players/7": false, "/g/listed/history": false} {
		for range 2 {
			res, body := get(t, h, "GET", path)
			if got := res.Header.Get("X-Robots-Tag") == ""; got != found || strings.Contains(body, `content="noindex`) == found {
				t.Errorf("%s may be found: %v", path, got)
			}
		}
	}
	_, robots := get(t, h, "GET", "/robots.txt")
	_, sitemap := get(t, h, "GET", "/sitemap.xml")
	if !strings.Contains(robots, "Disallow: /g/*/*\n") || !strings.Contains(robots, "Sitemap: https://play.example/sitemap.xml") ||
		!strings.Contains(sitemap, "<loc>https://play.example/g/listed</loc>") || strings.Contains(sitemap, "unlisted") {
		t.Errorf("%s\n%s", robots, sitemap)
	}
}

// A long sitemap is in parts; each game is in one of them, once.
func TestLongSitemap(t *testing.T) {
	s := newShelf(t, 2, 20)
	for i := range 2*siteGames + 3 {
		s.site = append(s.site, fmt.Sprint("g", i))
	}
	h := s.serve(Server{BaseURL: "https://play.example"})
	locations := func(path string) (out []string) {
		t.Helper()
		res, body := get(t, h, "GET", path)
		if res.StatusCode != http.StatusOK || res.Header.Get("Content-Type") != "application/xml" {
			t.Fatalf("%s: %s %s", path, res.Status, res.Header.Get("Content-Type"))
		}
		for _, part := range strings.Split(body, "<loc>https://play.example")[1:] {
			at, _, _ := strings.Cut(part, "<")
			out = append(out, at)
		}
		return out
	}
	parts := locations("/sitemap.xml")
	if len(parts) != 3 {
		t.Fatalf("parts %q", parts)
	}
	var games []string
	for _, p := range parts {
		for _, at := range locations(p) {
			if id, ok := strings.CutPrefix(at, "/g/"); ok {
				games = append(games, id)
			}
		}
	}
	if !slices.Equal(games, s.site) {
		t.Errorf("%d games, want %d", len(games), len(s.site))
	}
	for _, path := range []string{"/sitemaps/none", "/sitemaps/" + strings.Repeat("x", 200), "/sitemaps/"} {
		if res, _ := get(t, h, "GET", path); res.StatusCode != http.StatusNotFound {
			t.Errorf("%s: %s", path, res.Status)
		}
	}
}

// The first page's games are also available as data.
func TestHomeData(t *testing.T) {
	h := handler(newShelf(t, 3, 20))
	var data homeJSON
	_, body := get(t, h, "GET", "/home.json")
	if err := json.Unmarshal([]byte(body), &data); err != nil || len(data.Games) != 1 || data.Games[0].Game != "listed" || len(data.Games[0].Players) != 3 {
		t.Errorf("%+v: %v", data, err)
	}
	if page(t, h, "/").Find(`a[href="/home.json"]`).Length() != 1 {
		t.Error("the page does not lead there")
	}
}

// In a game with a clock a player's page leads to the calendar with their deadline: an
// event that moves, and is off while there is none.
func TestCalendar(t *testing.T) {
	s := newShelf(t, 2, 20)
	g := s.games["private"]
	h := s.serve(Server{BaseURL: "https://play.example", Host: "play.example"})
	path := "/g/private/" + keyOf(1)
	link := func(at string) string {
		return page(t, h, at).Find(`a[href$="/deadline.ics"]`).AttrOr("href", "")
	}
	if link(path) != "" {
		t.Error("a game without a clock has a calendar")
	}
	if res, _ := get(t, h, "GET", path+"/deadline.ics"); res.StatusCode != http.StatusNotFound {
		t.Error(res.Status)
	}
	g.clock = "3d"
	for _, deadlines := range [][]game.Until{nil, {{Seat: 2, At: shelfTime.Add(time.Hour)}}, {{Seat: 2, At: shelfTime.Add(time.Hour)}, {Seat: 1, At: shelfTime.Add(2 * time.Hour)}}} {
		g.deadlines = deadlines
		if got := link(path); got != "./"+keyOf(1)+"/deadline.ics" {
			t.Errorf("the page leads to %q", got)
		}
		res, body := get(t, h, "GET", path+"/deadline.ics")
		if res.StatusCode != http.StatusOK || res.Header.Get("Content-Type") != "text/calendar; charset=utf-8" || !strings.Contains(res.Header.Get("Content-Disposition"), "deadline.ics") || !strings.Contains(res.Header.Get("Cache-Control"), "private") {
			t.Fatalf("%s %v", res.Status, res.Header)
		}
		cal, err := ics.ParseCalendar(strings.NewReader(body))
		if err != nil || len(cal.Events()) != 1 {
			t.Fatal(err)
		}
		e := cal.Events()[0]
		at, _ := e.GetStartAt()
		want := shelfTime
		if len(deadlines) == 2 {
			want = deadlines[1].At
		}
		if !at.Equal(want) || strings.Contains(body, "STATUS:CANCELLED") != (len(deadlines) < 2) || e.Id() != "deadline.private.1@play.example" ||
			e.GetProperty(ics.ComponentPropertyUrl).Value != "https://play.example"+path || strings.Contains(body, "METHOD") || strings.Contains(body, "DTEND") {
			t.Errorf("with %v:\n%s", deadlines, body)
		}
	}
	g.visibility = store.Unlisted
	if link("/g/private") != "" {
		t.Error("the public page has a calendar")
	}
	for _, wrong := range []string{"/g/private/deadline.ics", "/g/private/wrong/deadline.ics"} {
		if res, _ := get(t, h, "GET", wrong); res.StatusCode != http.StatusNotFound {
			t.Errorf("%s: %s", wrong, res.Status)
		}
	}
}
