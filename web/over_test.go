package web

import (
	"image/png"
	"strconv"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"angelpost/engine/store"
)

// TestGameOver: the page of a finished game begins with the podium, says how it came about, and
// leads to its players, other games, a rematch and a picture.
func TestGameOver(t *testing.T) {
	s, g := finished(t, 3)
	h := handler(s)
	v, err := s.Open(t.Context(), "over", "", -1)
	if err != nil {
		t.Fatal(err)
	}
	v.People = []int64{7, 0, 8}
	d := page(t, s.serve(Server{Games: one{s, v}}), "/g/over")
	places := d.Find("#over .podium li")
	if places.Length() != 3 || places.First().Find(".n").Text() != "1st" {
		t.Fatalf("the podium: %s", places.Text())
	}
	winner := g.View(0).Winners[0]
	if name := places.First().Find("b").Text(); name != names[winner-1] {
		t.Errorf("%s is first, won by %s", name, names[winner-1])
	}
	last := 1000
	places.Each(func(_ int, e *goquery.Selection) {
		n, _, _ := strings.Cut(e.Find(".vp").Text(), " ")
		vp, err := strconv.Atoi(n)
		if err != nil || vp > last {
			t.Errorf("%s after %d VP: %v", e.Text(), last, err)
		}
		last = vp
	})
	for _, want := range []string{"/players/7", "/players/8", "/ratings", "/games?state=finished", "./over/history", "/#begin", "#scores"} {
		if d.Find(`#over a[href="`+want+`"]`).Length() != 1 {
			t.Errorf("no link to %s", want)
		}
	}
	if d.Find("#scores table").Length() != 1 || d.Find("#over .turnings li").Length() == 0 {
		t.Error("the points or the turning points are missing")
	}
	share := d.Find(`#over a[href^="/pictures/over/"]`).AttrOr("href", "")
	_, body := get(t, h, "GET", share)
	if _, err := png.DecodeConfig(strings.NewReader(body)); err != nil {
		t.Errorf("%s: %v", share, err)
	}
	own := page(t, h, "/g/over/"+keyOf(1))
	if href := own.Find(`#over a[href^="mailto:"]`).AttrOr("href", ""); !strings.HasPrefix(href, "mailto:angel+") || !strings.HasSuffix(href, "body=rematch%0D%0A") {
		t.Errorf("the rematch: %q", href)
	}
	for _, path := range []string{"/g/over?at=9", "/g/over/" + keyOf(1) + "?at=9"} {
		if page(t, h, path).Find("#over").Length() != 0 {
			t.Errorf("%s is not over yet", path)
		}
	}
}

// TestOpenGameLeadsToJoin: the page of a listed game with free seats has a button that takes one.
func TestOpenGameLeadsToJoin(t *testing.T) {
	s := newShelf(t, 2, 4)
	v, err := s.Open(t.Context(), "waiting", "", -1)
	if err != nil {
		t.Fatal(err)
	}
	v.Free, v.Visibility = 2, store.Listed
	d := page(t, s.serve(Server{Games: one{s, v}}), "/g/waiting")
	if href := d.Find("main a.btn").AttrOr("href", ""); !strings.HasSuffix(href, "body=join%20waiting%0D%0A") || !strings.Contains(d.Find("main").Text(), "2 seats are free.") {
		t.Errorf("%q: %s", href, d.Find("main").Text())
	}
	v.Visibility = store.Unlisted
	if page(t, s.serve(Server{Games: one{s, v}}), "/g/waiting").Find("main a.btn").Length() != 0 {
		t.Error("an unlisted game is offered to all")
	}
}
