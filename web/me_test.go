package web

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"

	"angelpost/engine/game"
	"angelpost/engine/match/look"
	"angelpost/engine/store"
)

// homeGames are two running games, in one of which Ada must move, and one that has not begun.
func homeGames() []look.HomeGame {
	o := game.Options{Players: 2, Rules: "base", Edition: "revised", Clock: "3d grace 1d"}
	return []look.HomeGame{
		{ID: "turnturnturn", Name: "Friday <b>", State: store.GameRunning, Public: true, Options: o, Seat: 1, Step: 40, Round: 4, ToAct: []string{"Ada <b>"}, You: true, Since: shelfTime, Deadline: shelfTime.Add(50 * time.Hour)},
		{ID: "waitwaitwait", Name: "Secret", State: store.GameRunning, Options: o, Seat: 2, Step: 9, Round: 2, ToAct: []string{"Bo"}, Since: shelfTime.Add(-time.Hour), Others: []time.Time{shelfTime.Add(9 * time.Hour), shelfTime.Add(7 * time.Hour)}, Muted: true},
		{ID: "newnewnewnew", Name: "Slow", State: store.GameInvited, Public: true, Options: o, Seat: 1, Waiting: "Cy"},
	}
}

// TestMe: a player's start page shows their games, their move first, deadlines, settings and
// prepared letters; its address is in none of its links to elsewhere.
func TestMe(t *testing.T) {
	s := newShelf(t, 2, 4)
	s.mine = homeGames()
	h := handler(s)
	doc := page(t, h, "/me/"+homeKey)
	for what, want := range map[string]string{
		"h1": "Ada <b>: start page", "#yours": "Waiting for you.", "#yours .late time": shelfTime.Add(50*time.Hour).UTC().Format("2 Jan 2006, 15:04") + " UTC",
		"#theirs": "Round 2. Waiting for Bo. You have muted it.", "#theirs time:last-of-type": "UTC", "#unbegun": "Waiting for Cy.", "#settings": "Time zone: UTC",
		"#solo": "Hal (difficult) · Base game: 7 of 12 won, 1 not played to the end. Strength: 27.1 ± 3.0. On average you have 71.2 VP and Hal has 66.0; your best is 93.",
	} {
		if text := strings.Join(strings.Fields(doc.Find(what).Text()), " "); !strings.Contains(text, want) {
			t.Errorf("%s: %q, want %q", what, text, want)
		}
	}
	if n := doc.Find("#theirs a").Length(); n != 0 {
		t.Errorf("a private game has %d links", n)
	}
	if href, _ := doc.Find("#yours a").Attr("href"); href != "/g/turnturnturn" {
		t.Errorf("the public game is at %s", href)
	}
	for i, word := range []string{"status", "link", "settings", "leagues"} {
		if href, _ := doc.Find("#ask a").Eq(i).Attr("href"); !strings.HasPrefix(href, "mailto:angel@play.example?subject=") || !strings.HasSuffix(href, "&body="+word+"%0D%0A") {
			t.Errorf("%s: %s", word, href)
		}
	}
	doc.Find("a").Each(func(_ int, e *goquery.Selection) {
		if href, _ := e.Attr("href"); strings.Contains(href, homeKey) && !strings.HasPrefix(href, "./") {
			t.Errorf("%s has the key", href)
		}
	})
	res, body := get(t, h, "GET", "/me/"+homeKey)
	if res.Header.Get("Cache-Control") != ownCache || res.Header.Get("X-Robots-Tag") == "" || strings.Contains(body, "og:") {
		t.Errorf("%v", res.Header)
	}
}

// TestMeData: the start page as data, as a feed and as a calendar.
func TestMeData(t *testing.T) {
	s := newShelf(t, 2, 4)
	h := handler(s)
	_, empty := get(t, h, "GET", "/me/"+homeKey+"/deadlines.ics")
	if strings.Count(empty, "BEGIN:VEVENT") != 1 || !strings.Contains(empty, "STATUS:CANCELLED") {
		t.Errorf("without games: %s", empty)
	}
	s.mine = homeGames()
	var data meJSON
	_, body := get(t, h, "GET", "/me/"+homeKey+"/me.json")
	if err := json.Unmarshal([]byte(body), &data); err != nil || data.Player != 7 || len(data.Games) != 3 || !data.Games[0].You || data.Games[0].Deadline == "" || data.Games[1].Deadline != "" || data.Settings == nil || len(data.Solo) != 1 || data.Solo[0].Won != 7 {
		t.Errorf("%s: %v", body, err)
	}
	_, ics := get(t, h, "GET", "/me/"+homeKey+"/deadlines.ics")
	if strings.Count(ics, "BEGIN:VEVENT") != 3 || strings.Count(ics, "STATUS:CANCELLED") != 2 || !strings.Contains(ics, "DTSTART:"+shelfTime.Add(50*time.Hour).UTC().Format("20060102T150405Z")) {
		t.Errorf("%s", ics)
	}
	_, feed := get(t, h, "GET", "/me/"+homeKey+"/feed.atom")
	if strings.Count(feed, "<entry>") != 3 || !strings.Contains(feed, "Friday &lt;b&gt;: Round 4. Waiting for you.") {
		t.Errorf("%s", feed)
	}
	for name, text := range map[string]string{"calendar": ics, "feed": feed, "data": body} {
		if strings.Contains(text, homeKey) {
			t.Errorf("the %s has the key", name)
		}
	}
}

// TestMeNews: a start page asks whether it is still true, and learns when a game goes on.
func TestMeNews(t *testing.T) {
	s := newShelf(t, 2, 4)
	s.mine = homeGames()
	h := handler(s)
	bar := page(t, h, "/me/"+homeKey).Find("#news")
	from, _ := bar.Attr("data-from")
	to, _ := bar.Attr("data-to")
	if to != "./"+homeKey {
		t.Errorf("the bar leads to %q", to)
	}
	ask := func() (out homeNewsJSON) {
		_, body := get(t, h, "GET", "/me/"+strings.TrimPrefix(from, "./"))
		if err := json.Unmarshal([]byte(body), &out); err != nil || strings.Contains(body, homeKey) {
			t.Fatalf("%s: %s %v", from, body, err)
		}
		return out
	}
	was := ask()
	if was.Text != "" || was.Latest == "" {
		t.Errorf("at once: %+v", was)
	}
	s.mine[1].Step++
	if now := ask(); now.Text != "Your games have changed:" || now.Latest == was.Latest {
		t.Errorf("after a move: %+v", now)
	}
	if res, _ := get(t, h, "GET", "/me/wrong/news.json"); res.StatusCode != http.StatusNotFound {
		t.Errorf("a wrong key: %s", res.Status)
	}
}

// TestMeNeedsItsKey: a wrong key is like one that never was, and guesses are limited.
func TestMeNeedsItsKey(t *testing.T) {
	h := handler(newShelf(t, 2, 4))
	for i := range keyBurst + 5 {
		for _, end := range []string{"", "/me.json", "/deadlines.ics", "/feed.atom"}[i%4 : i%4+1] {
			want := http.StatusNotFound
			if i >= keyBurst {
				want = http.StatusTooManyRequests
			}
			if res, _ := get(t, h, "GET", "/me/wrong"+end); res.StatusCode != want {
				t.Errorf("guess %d: %s", i, res.Status)
			}
		}
	}
	if res, _ := get(t, h, "GET", "/me/"+homeKey); res.StatusCode != http.StatusOK {
		t.Errorf("a right key: %s", res.Status)
	}
}
