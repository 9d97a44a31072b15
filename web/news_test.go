package web

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
)

// TestNews: the small address says who has moved since a line, to everyone who may see the game,
// and pages of running games ask for it.
func TestNews(t *testing.T) {
	s := newShelf(t, 2, 40)
	h := handler(s)
	ask := func(path string) (n newsJSON) {
		t.Helper()
		res, body := get(t, h, "GET", path)
		if err := json.Unmarshal([]byte(body), &n); err != nil || res.StatusCode != http.StatusOK {
			t.Fatalf("%s: %s, %v", path, res.Status, err)
		}
		return n
	}
	own := "/g/private/" + keyOf(1)
	if n := ask(own + "/news.json?since=40"); n.Latest != 40 || len(n.Moved) != 0 || n.Text != "" {
		t.Errorf("at once: %+v", n)
	}
	log := s.games["private"].game.Log()
	n := ask(own + "/news.json?since=39")
	if len(n.Moved) != 1 || n.Moved[0] != s.games["private"].names[log[39].Seat-1] || !strings.Contains(n.Text, n.Moved[0]+" moved:") {
		t.Errorf("a step later: %+v", n)
	}
	if n := ask(own + "/news.json?since=0"); len(n.Moved) != 2 {
		t.Errorf("since the start: %+v", n)
	}
	for path, status := range map[string]int{"/g/private/news.json?since=1": 404, own + "/news.json?since=41": 404, own + "/news.json?since=x": 404, "/g/private/nokey/news.json": 404, "/g/listed/news.json?since=3": 200} {
		if res, _ := get(t, h, "GET", path); res.StatusCode != status {
			t.Errorf("%s: %s", path, res.Status)
		}
	}
	for path, want := range map[string]string{own: "./" + keyOf(1) + "/news.json?since=40", own + "?at=7": "./" + keyOf(1) + "/news.json?since=40", "/g/listed": "./listed/news.json?since=40", own + "/history": "news.json?since=40"} {
		bar := page(t, h, path).Find("#news")
		if from := bar.AttrOr("data-from", ""); from != want || bar.Text() != "" || bar.AttrOr("role", "") != "status" {
			t.Errorf("%s asks %q and says %q", path, from, bar.Text())
		}
	}
	over, _ := finished(t, 2)
	if page(t, over.serve(Server{}), "/g/over").Find("#news").Length() != 0 {
		t.Error("a finished game asks for news")
	}
}

// A client that has the answer gets it again only when someone has moved.
func TestNewsHasATag(t *testing.T) {
	s := newShelf(t, 2, 40)
	h := handler(s)
	const path = "/g/listed/news.json?since=40"
	first := with(h, "GET", path)
	tag := first.Header().Get("ETag")
	if again := with(h, "GET", path, "If-None-Match: "+tag); again.Code != http.StatusNotModified || again.Body.Len() != 0 {
		t.Errorf("nothing has happened: %d, %d bytes", again.Code, again.Body.Len())
	}
	if first.Body.Len() > 200 {
		t.Errorf("%d bytes", first.Body.Len())
	}
}
