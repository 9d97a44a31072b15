package web

import (
	"bytes"
	"image/png"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"angelpost/engine/store"
)

// TestHomeWithoutGames: the first page helps when there is no game at all.
func TestHomeWithoutGames(t *testing.T) {
	s := newShelf(t, 2, 4)
	clear(s.games)
	doc := page(t, handler(s), "/")
	if src, _ := doc.Find(".hero img").Attr("src"); src != table().path {
		t.Errorf("the picture is %s", src)
	}
	for _, want := range []string{"/rules", "/cards", "/help", "/leagues", "/games", "/ratings", "/statistics", "/letter", "#begin"} {
		if doc.Find(`main a[href="`+want+`"]`).Length() == 0 {
			t.Errorf("the page does not lead to %s", want)
		}
	}
	if doc.Find("#join").Length() > 0 || !strings.Contains(doc.Find("#begin").Text(), "No game has a free seat right now.") {
		t.Error("a part of the page is for tables that there are not")
	}
	begin := doc.Find("#begin a.btn")
	if begin.Length() != 3 {
		t.Errorf("%d ways to begin", begin.Length())
	}
	for i, want := range []string{"body=open%20game%0D%0Aseats%3A%203", "body=new%20game%0D%0Aplayers%3A%20%0D%0A", "body=new%20game%0D%0Ahal%3A%20standard"} {
		if href, _ := begin.Eq(i).Attr("href"); !strings.HasPrefix(href, "mailto:angel@play.example?subject=Start%20a%20game&") || !strings.Contains(href, want) {
			t.Errorf("way %d: %s", i, href)
		}
	}
}

// TestHomePicture: the first page shows a public game that runs, and leads to it.
func TestHomePicture(t *testing.T) {
	h := handler(newShelf(t, 3, 40))
	doc := page(t, h, "/")
	src, _ := doc.Find(".hero img").Attr("src")
	if res, body := get(t, h, "GET", src); res.StatusCode != http.StatusOK || !strings.HasPrefix(src, "/pictures/listed/") {
		t.Errorf("%s: %s", src, res.Status)
	} else if c, err := png.DecodeConfig(strings.NewReader(body)); err != nil || c.Width == 0 {
		t.Errorf("%s is not a picture: %v", src, err)
	} else if w, _ := doc.Find(".hero img").Attr("width"); w != strconv.Itoa(c.Width) {
		t.Errorf("the page says %s wide, the picture is %d", w, c.Width)
	}
	if href, _ := doc.Find(".hero figcaption a").Attr("href"); href != "/g/listed" {
		t.Errorf("it leads to %s", href)
	}
}

// TestHomePictureIsSettled: it is of a game with something on its table, if there is one.
func TestHomePictureIsSettled(t *testing.T) {
	s := newShelf(t, 2, 4)
	first := *s.games[store.Listed]
	clear(s.games)
	for id, round := range map[string]int{"a": 1, "b": 2, "c": settledRound, "d": settledRound + 3} {
		g := first
		g.round = round
		s.games[id] = &g
	}
	for _, want := range []string{"c", "d", "b", "a"} {
		if href, _ := page(t, handler(s), "/").Find(".hero figcaption a").Attr("href"); href != "/g/"+want {
			t.Errorf("it leads to %s, want %s", href, want)
		}
		delete(s.games, want)
	}
}

// TestGamesToWatch: the first page offers six games to watch, those that run first, and
// leads to all of them.
func TestGamesToWatch(t *testing.T) {
	s := newShelf(t, 2, 4)
	for i, state := range []string{store.GameVoid, store.GameFinished, store.GameCancelled, store.GameFinished, store.GameVoid, store.GameFinished, store.GameFinished} {
		g := *s.games[store.Listed]
		g.name, g.state = state+strconv.Itoa(i), state
		s.games["g"+strconv.Itoa(i)] = &g
	}
	doc := page(t, handler(s), "/")
	shown := doc.Find("#watch .games a")
	var names []string
	for i := range shown.Length() {
		names = append(names, strings.TrimRight(shown.Eq(i).Text(), "0123456789"))
	}
	if got, want := strings.Join(names, ", "), "Open table, finished, finished, finished, finished"; len(names) != 6 || !strings.HasPrefix(got, want) {
		t.Errorf("to watch: %s", got)
	}
	if doc.Find(`#watch > p a[href="/games"]`).Length() != 1 {
		t.Error("it does not lead to the others")
	}
}

// TestSampleLetter: the sample is a letter as we send them, with its picture, and orders
// that are legal in it.
func TestSampleLetter(t *testing.T) {
	h := handler(newShelf(t, 2, 4))
	doc := page(t, h, "/")
	if text := doc.Find("#letter pre").First().Text(); !strings.Contains(text, "| example") || len(text) < 500 {
		t.Errorf("the letter begins %q", text)
	}
	if reply := doc.Find("#letter .reply").Text(); !strings.HasPrefix(reply, "card ") {
		t.Errorf("the reply is %q", reply)
	}
	res, letter := get(t, h, "GET", "/letter")
	if csp := res.Header.Get("Content-Security-Policy"); !strings.Contains(csp, "style-src 'unsafe-inline'") || strings.Contains(csp, "script") {
		t.Errorf("policy %q", csp)
	}
	if !strings.Contains(letter, `src="/letter.png"`) || strings.Contains(letter, "cid:") || strings.Contains(letter, "mailto:") {
		t.Error("the letter leads elsewhere")
	}
	_, picture := get(t, h, "GET", "/letter.png")
	if _, err := png.Decode(bytes.NewReader([]byte(picture))); err != nil {
		t.Error(err)
	}
}
