package web

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/PuerkitoBio/goquery"

	"angelpost/engine/component"
	"angelpost/engine/match/look"
)

// with asks with header fields "Name: value".
func with(h http.Handler, method, path string, fields ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, path, nil)
	for _, f := range fields {
		name, value, _ := strings.Cut(f, ": ")
		r.Header.Add(name, value)
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

// everyPage is a page of each kind.
func everyPage() []string {
	own, kind := "/g/unlisted/"+keyOf(1), "/statistics/2-base-revised-"+component.DefaultName
	return []string{"/", "/g/unlisted", own, own + "?at=7", own + "?at=9&since=3", "/g/listed/history", own + "/history", own + "/view.json",
		"/g/listed/view.json?at=4", "/g/listed/record.json", own + "/record.json", own + "/history.json", "/g/listed/history.json",
		"/games", "/games.json", "/players/7", "/players/7/player.json", "/feed.atom", "/players/7/feed.atom", "/sitemap.xml", own + "/feed.atom", "/g/listed/feed.atom",
		"/g/waiting", "/pictures/listed/7/x.png", "/robots.txt", stylePath, iconPath, scriptPath,
		"/leagues", "/leagues.json", "/l/tin", "/l/tin/league.json", "/l/tin/league.txt", "/l/tin/log.json", "/l/tin/feed.atom", "/l/tin/rulings", "/l/tin/rulings.json", "/l/tin/years", "/l/tin/years.json",
		"/l/tin/1", "/l/tin/1/season.json", "/l/tin/1/1", "/l/tin/1/1/division.json", "/ratings", "/ratings.json", "/ratings/2-base", "/ratings/2-base/kind.json", "/home.json", own + "/talk", own + "/talk.json", "/statistics", "/statistics.json", kind, kind + "/kind.json", "/look", table().path, own + "/news.json?since=9", "/g/listed/news.json", "/letter", "/letter.png", "/rules", "/help", "/privacy", "/leagues/run", "/cards", "/cards/tiles", "/me/" + homeKey, "/me/" + homeKey + "/me.json", "/me/" + homeKey + "/news.json?since=9", "/me/" + homeKey + "/feed.atom", "/me/" + homeKey + "/deadlines.ics"}
}

// everyPage leaves nothing out but plans, what one page says twice, and what is
// never kept.
func TestEveryPageIsEvery(t *testing.T) {
	mux, patterns := Server{}.tree()
	there := map[string]bool{
		"GET /g/{id}/{key}/plan/{steps...}": true, "GET /g/{id}/{key}/what-if/{at}/{steps...}": true, "GET /what-if/{id}/{at}/{steps...}": true, // TestPlanPages, TestWhatIfPages
		"GET /sitemaps/{before}":         true,                                    // TestLongSitemap
		"GET /g/{id}/{key}/deadline.ics": true,                                    // TestCalendar
		"GET /host/{key}/{$}":            true, "GET /host/{key}/host.json": true, // TestHostPage of cmd/internal/server: never kept
		"GET /g/{id}/{key}/mute": true, "GET /l/{league}/{key}/mute": true, // TestMute, TestMuteLeague
	}
	for _, path := range everyPage() {
		_, pattern := mux.Handler(httptest.NewRequest("GET", path, nil))
		there[pattern] = true
	}
	for _, p := range patterns {
		if strings.HasPrefix(p, "GET ") && !there[p] {
			t.Errorf("no page of %s", p)
		}
	}
}

// Every page has a tag, under which it is not sent again; it comes compressed
// to clients that accept it, and says the same.
func TestTagsAndCompression(t *testing.T) {
	s := newShelf(t, 2, 40)
	tags := map[string]string{}
	for _, path := range everyPage() {
		h := handler(s) // one client must not ask for all this at once
		plain := with(h, "GET", path)
		tag := plain.Header().Get("ETag")
		if plain.Code != 200 || tag == "" || plain.Header().Get("Vary") != "Accept-Encoding" || plain.Header().Get("Content-Encoding") != "" {
			t.Fatalf("%s: %d, %v", path, plain.Code, plain.Header())
		}
		if other := tags[tag]; other != "" {
			t.Errorf("%s has the tag of %s", path, other)
		}
		tags[tag] = path
		zipped := with(h, "GET", path, "Accept-Encoding: br, gzip;q=0.8")
		body := zipped.Body.Bytes()
		if zipped.Header().Get("Content-Encoding") == "gzip" {
			z, err := gzip.NewReader(bytes.NewReader(body))
			if err == nil {
				body, err = io.ReadAll(z)
			}
			if err != nil {
				t.Fatal(err)
			}
		} else if plain.Body.Len() >= minCompressed && plain.Header().Get("Content-Type") != pngKind {
			t.Errorf("%s is not compressed", path)
		}
		if !bytes.Equal(body, plain.Body.Bytes()) || zipped.Header().Get("ETag") != tag || zipped.Header().Get("Content-Length") != strconv.Itoa(zipped.Body.Len()) {
			t.Errorf("%s, compressed, is another page", path)
		}
		if head := with(h, "HEAD", path); head.Body.Len() > 0 || head.Header().Get("ETag") != tag || head.Header().Get("Content-Length") != plain.Header().Get("Content-Length") {
			t.Errorf("HEAD %s: %d bytes, %v", path, head.Body.Len(), head.Header())
		}
		for _, has := range []string{tag, strings.TrimPrefix(tag, "W/"), `"x", ` + tag, "*"} {
			again := with(h, "GET", path, "If-None-Match: "+has, "Accept-Encoding: gzip")
			if again.Code != 304 || again.Body.Len() > 0 || again.Header().Get("ETag") != tag || again.Header().Get("Cache-Control") != plain.Header().Get("Cache-Control") {
				t.Errorf("%s: %d to who has %s", path, again.Code, has)
			}
		}
		if with(h, "GET", path, `If-None-Match: "other"`).Code != 200 || with(h, "GET", path, "Accept-Encoding: gzip;q=0").Header().Get("Content-Encoding") != "" {
			t.Errorf("%s: an answer to another question", path)
		}
	}
}

// A proxy may keep every public page for two seconds, and no page that a key opened, nor
// what follows from a question that the asker alone has asked.
func TestKeptByProxies(t *testing.T) {
	s := newShelf(t, 2, 40)
	over, _ := finished(t, 2)
	s.games["over"] = over.games["over"]
	h := handler(s)
	open := 0
	for _, path := range everyPage() {
		cache := with(h, "GET", path).Header().Get("Cache-Control")
		private := strings.Contains(path, "keyof") || strings.Contains(path, "-secret") || strings.Contains(path, homeKey)
		shared := strings.Contains(cache, "public") || strings.Contains(cache, "s-maxage")
		switch {
		case private && (shared || !strings.HasPrefix(cache, "private")):
			t.Errorf("%s: a proxy may keep what a key opened: %q", path, cache)
		case cache == openCache:
			open++
		case shared && cache != openForever:
			t.Errorf("%s: %q", path, cache)
		}
	}
	if open < 20 {
		t.Errorf("only %d pages may be kept", open)
	}
	for path, method := range map[string]string{"/g/none": "GET", "/nothing": "GET", "/g/unlisted/" + strings.Repeat("z", 26): "GET", "/look": "POST"} {
		if cache := with(h, method, path).Header().Get("Cache-Control"); strings.Contains(cache, "public") || strings.Contains(cache, "s-maxage") {
			t.Errorf("%s %s: %q", method, path, cache)
		}
	}
}

// Only an address with the stamp of log and program may be kept forever, and never the present
// of a running game.
func TestForeverByStampOnly(t *testing.T) {
	s := newShelf(t, 2, 40)
	over, _ := finished(t, 2)
	s.games["over"] = over.games["over"]
	h := s.serve(Server{Version: "one"})
	for _, path := range everyPage() {
		cache := with(h, "GET", path).Header().Get("Cache-Control")
		asset := path == stylePath || path == iconPath || path == scriptPath || path == table().path
		if strings.Contains(cache, "immutable") != asset || (strings.Contains(path, "keyof") || strings.Contains(path, homeKey)) != strings.HasPrefix(cache, "private") {
			t.Errorf("%s: %q", path, cache)
		}
	}
	stampOf := func(h http.Handler, path string) string {
		d, err := goquery.NewDocumentFromReader(with(h, "GET", path).Body)
		if err != nil {
			t.Fatal(err)
		}
		stamp := d.Find("input[name=v]").AttrOr("value", "")
		for _, href := range d.Find(".ways a, .tale a").Map(func(_ int, a *goquery.Selection) string { return a.AttrOr("href", "") }) {
			if stamp == "" || !strings.HasSuffix(href, "&v="+stamp) {
				t.Errorf("%s: %q without the stamp %q", path, href, stamp)
			}
		}
		return stamp
	}
	own := "/g/unlisted/" + keyOf(1)
	for path, want := range map[string]string{
		own + "?at=7&v=" + stampOf(h, own):                         ownForever,
		own + "/view.json?at=7&v=" + stampOf(h, own):               ownForever,
		own + "?at=40&v=" + stampOf(h, own):                        ownCache,
		own + "?v=" + stampOf(h, own):                              ownCache,
		"/g/unlisted?at=7&since=2&v=" + stampOf(h, "/g/unlisted"):  openForever,
		"/g/over?at=7&v=" + stampOf(h, "/g/over"):                  openForever,
		"/g/over?v=" + stampOf(h, "/g/over"):                       openForever,
		"/g/over/history?v=" + stampOf(h, "/g/over"):               openForever,
		"/g/unlisted/" + keyOf(2) + "?at=7&v=" + stampOf(h, own):   "",
		"/g/unlisted?at=7&v=x":                                     "",
		"/g/unlisted?at=7&v=" + stampOf(h, "/g/unlisted") + "&v=x": "",
		"/g/listed/view.json?at=7&v=" + stampOf(h, "/g/unlisted"):  "",
		"/g/waiting?v=x": "",
	} {
		w := with(h, "GET", path)
		if want != "" && (w.Code != 200 || w.Header().Get("Cache-Control") != want) {
			t.Errorf("%s: %d, %q, want %q", path, w.Code, w.Header().Get("Cache-Control"), want)
		}
		if want == "" && (w.Code != 302 || strings.Contains(w.Header().Get("Location"), "v=") || strings.Contains(w.Header().Get("Location"), "-secret")) {
			t.Errorf("%s: %d to %q", path, w.Code, w.Header().Get("Location"))
		}
	}
	was := stampOf(h, own)
	if other := s.serve(Server{Version: "two"}); stampOf(other, own) == was {
		t.Error("another program has the same stamp")
	}
	s.games["unlisted"].game = playGame(t, 2, 41)
	if stampOf(h, own) == was || with(h, "GET", own+"?at=7&v="+was).Code != 302 {
		t.Error("the stamp of a log that has grown still holds")
	}
}

// asked counts how often a game was looked up: an answer can be sent again without a lookup.
type asked struct {
	Games
	n    atomic.Int64
	hold chan struct{} // nil: at once
}

func (a *asked) Open(ctx context.Context, id, key string, at int) (*look.GameView, error) {
	a.n.Add(1)
	if a.hold != nil {
		<-a.hold
	}
	return a.Games.Open(ctx, id, key, at)
}

// the very same, until anything has changed.
func TestKeptUntilAnythingMoves(t *testing.T) {
	s := newShelf(t, 2, 20)
	s.still = true
	games := &asked{Games: s}
	h := s.serve(Server{Games: games})
	own := "/g/unlisted/" + keyOf(1)
	want := with(h, "GET", own).Body.String()
	tag := with(h, "GET", own).Header().Get("ETag")
	if with(h, "GET", own, "If-None-Match: "+tag).Code != 304 || with(h, "HEAD", own).Code != 200 || with(h, "GET", own).Body.String() != want || games.n.Load() != 1 {
		t.Errorf("the same page was looked up %d times", games.n.Load())
	}
	for _, other := range []string{own + "?at=3", "/g/unlisted", "/g/unlisted/" + keyOf(2), own + "/view.json"} {
		if n := games.n.Load(); with(h, "GET", other).Body.String() == want || games.n.Load() != n+1 {
			t.Errorf("%s is answered with another page", other)
		}
	}
	for _, path := range everyPage() {
		if a, b := with(h, "GET", path), with(h, "GET", path); !reflect.DeepEqual(a.Header(), b.Header()) {
			t.Errorf("%s: the second answer has other fields:\n%v\n%v", path, a.Header(), b.Header())
		}
	}
	s.moved++
	delete(s.games, "unlisted")
	if code := with(h, "GET", own).Code; code != 404 {
		t.Errorf("%d for a game that has gone", code)
	}
	if n := games.n.Load(); with(h, "GET", own).Code != 404 || games.n.Load() != n+1 {
		t.Error("that nothing is there was kept")
	}
}

func TestKeptIsBounded(t *testing.T) {
	k := newPageCache()
	body := make([]byte, 1<<20)
	for i := range 20 {
		k.keep(pageKey{path: fmt.Sprint(i)}, 1, newAnswer("x", openCache, body, false))
	}
	sum := 0
	for i := range 20 {
		if a := k.find(pageKey{path: fmt.Sprint(i)}, 1); a != nil {
			sum += len(a.body)
		}
	}
	if sum > keptRoom || sum < keptRoom/2 || k.find(pageKey{path: "19"}, 1) == nil {
		t.Errorf("%d bytes are kept", sum)
	}
	for i := range 4000 { // an address takes room, too
		k.keep(pageKey{path: "long", query: fmt.Sprintf("%8000d", i)}, 1, newAnswer("x", openCache, nil, false))
	}
	if n := k.answers.Len(); n*8000 > keptRoom || n*9000 < keptRoom/2 {
		t.Errorf("%d long addresses are kept", n)
	}
	k.keep(pageKey{path: "19"}, 1, newAnswer("x", openCache, body, false))
	k.keep(pageKey{path: "late"}, 0, newAnswer("x", openCache, body, false)) // begun before the others
	if k.find(pageKey{path: "late"}, 1) != nil || k.find(pageKey{path: "19"}, 2) != nil {
		t.Error("what is out of date is kept")
	}
}

// One client may ask for so much and no more; others, and this machine, may.
func TestPace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := handler(newShelf(t, 2, 10))
		for i := range rateBurst {
			if w := from(h, here, "/robots.txt"); w.Code != 200 {
				t.Fatalf("question %d: %d", i, w.Code)
			}
		}
		for _, path := range []string{"/", "/g/unlisted", "/g/unlisted/view.json", stylePath} {
			if w := from(h, here, path); w.Code != 429 || w.Header().Get("Retry-After") == "" {
				t.Errorf("%s: %d", path, w.Code)
			}
		}
		if from(h, "203.0.113.9:1", "/").Code != 200 || from(h, "127.0.0.1:1", "/", "203.0.113.10").Code != 200 {
			t.Error("another client is slowed down, too")
		}
		for range rateBurst + 10 {
			if from(h, "127.0.0.1:1", "/robots.txt").Code != 200 {
				t.Fatal("this machine is slowed down")
			}
		}
		time.Sleep(time.Second)
		for i := range ratePerSecond {
			if w := from(h, here, "/robots.txt"); w.Code != 200 {
				t.Errorf("question %d a second later: %d", i, w.Code)
			}
		}
	})
}
