package web

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"

	"angelpost/engine"
	"angelpost/engine/game"
	"angelpost/engine/match/look"
	"angelpost/engine/notice"
	"angelpost/engine/store"
	"angelpost/templates/words"
)

// get asks a handler and gives answer and body.
func get(t testing.TB, h http.Handler, method, path string) (*http.Response, string) {
	t.Helper()
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(method, path, nil))
	res := w.Result()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res, string(body)
}

func page(t testing.TB, h http.Handler, path string) *goquery.Document {
	t.Helper()
	res, body := get(t, h, "GET", path)
	if res.StatusCode != http.StatusOK {
		t.Fatalf("%s: %s", path, res.Status)
	}
	body = strings.ReplaceAll(body, "<kbd>[</kbd>", "<kbd></kbd>") // a key, not a code
	if i := strings.Index(body, "["); i >= 0 {
		t.Errorf("%s: a code is unknown: %q", path, body[i:min(len(body), i+60)])
	}
	if i := strings.Index(body, "`"); i >= 0 { // those of the catalogue are marks
		t.Errorf("%s: a backtick: %q", path, body[max(0, i-60):min(len(body), i+60)])
	}
	d, err := goquery.NewDocumentFromReader(strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func handler(s *shelf) http.Handler {
	return s.serve(Server{})
}

func TestWhoMaySee(t *testing.T) {
	s := newShelf(t, 3, 60)
	for path, want := range map[string]int{
		"/":                         200,
		"/g/listed":                 200,
		"/g/unlisted":               200,
		"/g/private":                404,
		"/g/private/keyof2-secret":  200,
		"/g/unlisted/keyof2-secret": 200,
		"/g/waiting":                200,
		"/g/unlisted/wrong":         404,
		"/g/unlisted/keyof9-secret": 404,
		"/g/unlisted/" + strings.Repeat("k", 200): 404,
		"/g/" + strings.Repeat("k", 200):          404,
		"/g/none":                                 404,
		"/g/":                                     404,
		"/g":                                      404,
		"/g/unlisted/keyof2-secret/more":          404,
		"/g/unlisted?at=0":                        200,
		"/g/unlisted?at=60":                       200,
		"/g/unlisted?at=61":                       404,
		"/g/unlisted?at=-1":                       404,
		"/g/unlisted?at=%2B1":                     404,
		"/g/unlisted?at=":                         404,
		"/g/unlisted?at=x":                        404,
		"/g/unlisted?at=99999999999999999999":     404,
		"/g/unlisted?at=1&at=2":                   404,
		"/g/%2e%2e/x":                             404,
		"/g/a%2Fb":                                404,
		"/favicon.ico":                            404,
		"/style.css":                              404,
		stylePath:                                 200,
		iconPath:                                  200,
		"/robots.txt":                             200,
	} {
		h := handler(s) // who asks for so much that is not there is slowed down
		for _, suffix := range []string{"", "/view.json"} {
			if suffix != "" && (!strings.HasPrefix(path, "/g/") || strings.Contains(path, "?") || path == "/g/" || want == 404 && strings.Count(path, "/") > 3) {
				continue
			}
			for _, method := range []string{"GET", "HEAD"} {
				res, body := get(t, h, method, path+suffix)
				if res.StatusCode != want {
					t.Errorf("%s %s%s: %d, want %d", method, path, suffix, res.StatusCode, want)
				}
				if method == "HEAD" && strings.HasSuffix(path+suffix, "view.json") && body != "" {
					t.Errorf("HEAD %s: %d bytes", path, len(body))
				}
			}
		}
	}
}

// What is not there and what is hidden look alike.
func TestMissingTellsNothing(t *testing.T) {
	h := handler(newShelf(t, 2, 20))
	_, want := get(t, h, "GET", "/g/none")
	for _, path := range []string{"/g/private", "/g/private/wrong", "/g/unlisted/wrong", "/g/unlisted?at=999"} {
		if _, got := get(t, h, "GET", path); got != want {
			t.Errorf("%s does not look like a game that is not there", path)
		}
	}
	res, body := get(t, h, "GET", "/g/private/wrong/view.json")
	var e struct {
		Schema int
		Error  string
	}
	if err := json.Unmarshal([]byte(body), &e); err != nil || e.Schema != 1 || e.Error == "" || res.Header.Get("Content-Type") != "application/json" {
		t.Errorf("%q: %v", body, err)
	}
}

func TestHeaders(t *testing.T) {
	h := handler(newShelf(t, 2, 20))
	for _, path := range []string{"/", "/g/unlisted", "/g/private/keyof1-secret", "/g/none", "/g/listed/view.json", stylePath} {
		res, _ := get(t, h, "GET", path)
		csp := res.Header.Get("Content-Security-Policy")
		if !strings.Contains(csp, "default-src 'none'") || !strings.Contains(csp, "frame-ancestors 'none'") || strings.Contains(csp, "unsafe") || strings.Count(csp, "script") != 1 || !strings.Contains(csp, "script-src 'self';") {
			t.Errorf("%s: CSP %q", path, csp)
		}
		for name, want := range map[string]string{"Referrer-Policy": "no-referrer", "X-Content-Type-Options": "nosniff", "X-Frame-Options": "DENY"} {
			if got := res.Header.Get(name); got != want {
				t.Errorf("%s: %s %q", path, name, got)
			}
		}
		if robots := res.Header.Get("X-Robots-Tag"); strings.HasPrefix(path, "/g/") && !strings.Contains(robots, "noindex") {
			t.Errorf("%s: X-Robots-Tag %q", path, robots)
		}
		if cache := res.Header.Get("Cache-Control"); strings.HasPrefix(path, "/g/") && !strings.Contains(cache, "no-store") && !strings.Contains(cache, "no-cache") && cache != openCache ||
			strings.Contains(path, "keyof") && !strings.Contains(cache, "private") {
			t.Errorf("%s: Cache-Control %q", path, cache)
		}
	}
}

// Nothing but the address that mutes (TestMute) takes more than a question.
func TestOnlyReads(t *testing.T) {
	h := handler(newShelf(t, 2, 20))
	for _, method := range []string{"POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"} {
		for _, path := range []string{"/", "/g/unlisted", "/g/unlisted/view.json", "/g/unlisted/" + keyOf(1), "/g/unlisted/mute", "/nowhere"} {
			if res, _ := get(t, h, method, path); res.StatusCode != http.StatusMethodNotAllowed {
				t.Errorf("%s %s: %s", method, path, res.Status)
			}
		}
	}
}

// toMove is a key of a seat that must decide in the shelf's unlisted game.
func toMove(s *shelf) engine.Seat { return s.games["unlisted"].game.View(0).ToAct[0] }

func TestPlayersPage(t *testing.T) {
	s := newShelf(t, 3, 100)
	h := handler(s)
	seat := toMove(s)
	g := s.games["unlisted"].game
	d := page(t, h, "/g/unlisted/"+keyOf(seat))
	if n := d.Find(".space, .fr, .own-board, .opp").Length(); n != 2+3 {
		t.Errorf("%d boards are drawn", n)
	}
	if d.Find("[data-k][aria-label]").Length() < 100 {
		t.Error("little has a name")
	}
	// Every legal order, exactly.
	var listed []string
	d.Find(".orders code").Each(func(_ int, c *goquery.Selection) { listed = append(listed, c.Text()) })
	want := map[string]bool{}
	for _, l := range game.LegalOrders(g.View(seat)) {
		want[spelled(names, []string{l})[0]] = true
	}
	for _, l := range listed {
		if !want[l] {
			t.Errorf("%q is listed", l)
		}
		delete(want, l)
	}
	if len(want) > 0 {
		t.Errorf("not listed: %v", want)
	}
	// The player's hand, in words.
	v := words.English().For(g.View(seat).Set, seat, names)
	hand := map[string]bool{}
	d.Find(".stamp").Each(func(_ int, c *goquery.Selection) {
		name, _ := c.Attr("data-name")
		hand[name+c.AttrOr("aria-label", "")] = true
	})
	for _, c := range g.View(seat).Players[seat-1].Cards {
		if !slices.ContainsFunc(slices.Collect(maps.Keys(hand)), func(name string) bool { return strings.Contains(name, v.CardText(c)) }) {
			t.Errorf("card %v is not explained", c)
		}
	}
	// The whole history, each line with its position.
	steps := map[string]bool{}
	page(t, h, "/g/unlisted/"+keyOf(seat)+"/history").Find(".history a").Each(func(_ int, a *goquery.Selection) {
		href, _ := a.Attr("href")
		steps[href] = true
	})
	for n := 1; n <= g.Steps(); n++ {
		if !steps["../"+keyOf(seat)+"?at="+strconv.Itoa(n)] {
			t.Errorf("no link to step %d", n)
		}
	}
	// The answer goes to the token's address, and says nothing yet.
	mail, _ := d.Find(".desk .btn.b").Attr("href")
	u, err := url.Parse(mail)
	if err != nil || u.Scheme != "mailto" {
		t.Fatalf("reply link %q: %v", mail, err)
	}
	if to, _ := url.PathUnescape(u.Opaque); to != "angel+tokentoken@play.example" {
		t.Errorf("reply to %q", to)
	}
	if hint, _ := d.Find(".desk .acts a").Last().Attr("href"); hint != mail+"&body=hint%0D%0A" {
		t.Errorf("a hint is asked for at %q", hint)
	}
	if d.Find("script:not([src])").Length() > 0 || d.Find("form:not([method=get])").Length() > 0 || d.Find("[style]").Length() > 0 {
		t.Error("the page has a script or a style that its policy forbids, or a form that is no question")
	}
}

// What another player's page and the public page must not tell.
func TestNobodySeesAnothersCards(t *testing.T) {
	s := newShelf(t, 3, 100)
	h := handler(s)
	g := s.games["unlisted"].game
	for viewer := engine.Seat(0); viewer <= 3; viewer++ {
		path := "/g/unlisted"
		if viewer > 0 {
			path += "/" + keyOf(viewer)
		}
		for _, p := range []string{path, path + "/view.json", path + "?at=80"} {
			_, body := get(t, h, "GET", p)
			if viewer == 0 && strings.Contains(body, `class="hand"`) || strings.Contains(body, "tokentoken") && viewer != toMove(s) {
				t.Errorf("%s shows a hand or a token", p)
			}
			if strings.Contains(body, "-secret") && viewer == 0 {
				t.Errorf("%s shows a key", p)
			}
		}
		_, body := get(t, h, "GET", path)
		for other := engine.Seat(1); other <= 3; other++ {
			if other == viewer {
				continue
			}
			open := map[engine.Card]bool{} // seen by all: in Space, tucked, at the frigate, told in the history
			for _, turn := range words.English().For(g.View(0).Set, 0, names).Story(g.Story(0, -1)) {
				for _, l := range turn.Lines {
					for c := engine.Card(1); c <= 90; c++ {
						open[c] = open[c] || strings.Contains(l.Text+l.Order, c.String())
					}
				}
			}
			for _, c := range g.View(other).Players[other-1].Cards {
				if !open[c] && strings.Contains(body, ">"+c.String()+"<") {
					t.Errorf("viewer %d sees %v of seat %d", viewer, c, other)
				}
			}
		}
	}
}

// Addresses on a page that may be handed on hold no key; a player's own page
// names it only where it leads to itself.
func TestLinksHoldNoKey(t *testing.T) {
	s := newShelf(t, 3, 40)
	h := handler(s)
	for _, path := range []string{"/", "/g/unlisted", "/g/listed?at=3", "/g/waiting"} {
		if _, body := get(t, h, "GET", path); strings.Contains(body, "-secret") {
			t.Errorf("%s shows a key", path)
		}
	}
	d := page(t, h, "/g/unlisted/"+keyOf(1))
	base, _ := url.Parse("http://x/g/unlisted/" + keyOf(1))
	found := map[string]bool{}
	d.Find("a[href]").Each(func(_ int, a *goquery.Selection) {
		href, _ := a.Attr("href")
		u, err := base.Parse(href)
		if err != nil {
			t.Fatalf("%q: %v", href, err)
		}
		found[u.Path] = true
		if strings.Contains(href, "-secret") && !strings.HasSuffix(href, "/view.json") && !strings.HasSuffix(href, "/history") && !strings.HasSuffix(href, "/talk") && !strings.HasSuffix(href, "/plan/") {
			t.Errorf("the key stands in %q", href)
		}
	})
	for _, want := range []string{"/g/unlisted", "/g/unlisted/" + keyOf(1), "/g/unlisted/" + keyOf(1) + "/view.json"} {
		if !found[want] {
			t.Errorf("no link to %s", want)
		}
	}
	private := page(t, h, "/g/private/"+keyOf(1))
	private.Find("a[href]").Each(func(_ int, a *goquery.Selection) {
		if href, _ := a.Attr("href"); strings.HasPrefix(href, "..") {
			t.Errorf("a private game's page leads to %q", href)
		}
	})
}

func TestThePast(t *testing.T) {
	s := newShelf(t, 3, 40)
	h := handler(s)
	seat := toMove(s)
	d := page(t, h, "/g/unlisted/"+keyOf(seat)+"?at=7")
	if d.Find(".past").Length() != 1 || d.Find(".orders").Length() != 0 || d.Find(".ask").Length() != 0 {
		t.Error("the past offers orders, or does not say that it is past")
	}
	for _, want := range []string{"?at=6", "?at=8", "?"} {
		if d.Find(`.steps a[href="`+want+`"]`).Length() == 0 {
			t.Errorf("no link %s", want)
		}
	}
	var v struct{ Step, Latest, Viewer int }
	_, body := get(t, h, "GET", "/g/unlisted/"+keyOf(seat)+"/view.json?at=7")
	if err := json.Unmarshal([]byte(body), &v); err != nil || v.Step != 7 || v.Latest != 40 || v.Viewer != int(seat) {
		t.Errorf("%+v, %v", v, err)
	}
}

func TestHostileNames(t *testing.T) {
	evil := "<img src=x onerror=alert(1)>\r\n\u202e\"'{{"
	s := newShelf(t, 2, 40)
	for _, g := range s.games {
		g.name, g.names = evil, []string{evil, evil}
	}
	h := handler(s)
	for _, path := range []string{"/", "/g/unlisted", "/g/waiting", "/g/private/keyof1-secret"} {
		_, body := get(t, h, "GET", path)
		if strings.Contains(body, "<img src=x") || strings.Contains(body, "\u202e") || !strings.Contains(body, "&lt;img") {
			t.Errorf("%s: markup came through", path)
		}
	}
}

func TestFailuresAreAnswers(t *testing.T) {
	var log strings.Builder
	s := newShelf(t, 2, 10)
	h := s.serve(Server{Log: logger(&log)})
	s.err = errors.New("the disk is gone")
	for _, path := range []string{"/", "/g/unlisted/keyof1-secret", "/g/unlisted/keyof1-secret/view.json"} {
		res, body := get(t, h, "GET", path)
		if res.StatusCode != 500 || strings.Contains(body, "disk") {
			t.Errorf("%s: %s, %q", path, res.Status, body)
		}
	}
	if !strings.Contains(log.String(), "the disk is gone") {
		t.Error("the log does not say why")
	}
	h = s.serve(Server{Games: panics{}, Log: logger(&log)})
	if res, _ := get(t, h, "GET", "/g/x/keyof1-secret"); res.StatusCode != 500 {
		t.Errorf("a panic is answered %s", res.Status)
	}
	if !strings.Contains(log.String(), "boom") {
		t.Error("the log does not tell of the panic")
	}
	if strings.Contains(log.String(), "-secret") {
		t.Error("a key stands in the log")
	}
}

type panics struct{ Games }

func (panics) Open(context.Context, string, string, int) (*look.GameView, error) { panic("boom") }

func TestLogHoldsNoKeys(t *testing.T) {
	var log strings.Builder
	h := newShelf(t, 2, 10).serve(Server{Log: logger(&log)})
	for _, path := range []string{"/g/unlisted/keyof1-secret", "/g/unlisted/keyof1-secret/view.json", "/g/unlisted/keyof1-secret/x", "/g/unlisted/muteof1-secret/mute", "/g/unlisted/wrong-secret?at=2", "/x-secret"} {
		get(t, h, "GET", path)
	}
	if strings.Contains(log.String(), "-secret") {
		t.Errorf("a key stands in the log:\n%s", log.String())
	}
	if n := strings.Count(log.String(), "msg=request"); n != 6 {
		t.Errorf("%d requests are logged, want 6", n)
	}
}

// A real server on a real port stops when its context ends.
func TestServeStops(t *testing.T) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() {
		done <- Serve(ctx, ln, newShelf(t, 2, 10).serve(Server{}), slog.New(slog.DiscardHandler))
	}()
	res, err := http.Get("http://" + ln.Addr().String() + "/g/unlisted")
	if err != nil {
		t.Fatal(err)
	}
	io.Copy(io.Discard, res.Body)
	res.Body.Close()
	if res.StatusCode != 200 {
		t.Error(res.Status)
	}
	cancel()
	select {
	case err := <-done:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(time.Minute):
		t.Fatal("the server does not stop")
	}
	ln, err = net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ln.Close()
	if err := Serve(context.Background(), ln, (&shelf{}).serve(Server{}), slog.New(slog.DiscardHandler)); err == nil {
		t.Error("a closed listener is no failure")
	}
}

func BenchmarkPage(b *testing.B) {
	for name, gameID := range map[string]*game.Game{"middle": playGame(b, 4, 100), "end": playGreedy(b, 4)} {
		s := &shelf{games: map[string]*shelved{"x": {game: gameID, names: names, visibility: store.Unlisted}}}
		g, err := s.Open(context.Background(), "x", keyOf(1), -1)
		if err != nil {
			b.Fatal(err)
		}
		fixed := s.serve(Server{Games: one{s, g}})
		b.Run(name, func(b *testing.B) {
			n := 0
			for b.Loop() {
				w := httptest.NewRecorder()
				r := httptest.NewRequest("GET", "/g/x/k", nil)
				r.RemoteAddr = "127.0.0.1:1" // is not slowed down
				fixed.ServeHTTP(w, r)
				if n = w.Body.Len(); w.Code != 200 {
					b.Fatal(w.Code)
				}
			}
			b.ReportMetric(float64(n), "bytes")
			b.ReportMetric(float64(g.Latest), "lines")
		})
	}
}

// one is a position found already.
type one struct {
	*shelf
	g *look.GameView
}

func (o one) Open(context.Context, string, string, int) (*look.GameView, error) { return o.g, nil }

// TestHomeListsFreeSeats: people without a game find those that look for
// players, and takes a seat by a click and a letter.
func TestHomeListsFreeSeats(t *testing.T) {
	s := newShelf(t, 2, 4)
	s.tables = []notice.GameState{{Game: "abcdefghijklmnop", Name: "Friday <b>", Free: 2, ToAct: []string{"Ann"},
		Options: game.Options{Players: 3, Rules: "base", Edition: "revised", Set: "my-box", Clock: "3d grace 1d"}}}
	_, body := get(t, handler(s), "GET", "/")
	for _, want := range []string{
		"<h3>Friday &lt;b&gt;</h3>", "Base game · revised edition · 3 players · component set my-box</dd>", "<dd>3 days a turn</dd>", "2 of 3 seats free", `<span class="chair taken">Ann</span>`,
		`href="mailto:angel@play.example?subject=Re%3A%20Friday%20%3Cb%3E&amp;body=join%20abcdefghijklmnop%0D%0A"`,
	} {
		if !strings.Contains(body, want) {
			t.Errorf("%q is not in\n%s", want, body)
		}
	}
	if _, data := get(t, handler(s), "GET", "/home.json"); !strings.Contains(data, `"open":[{"game":"abcdefghijklmnop","name":"Friday \u003cb\u003e","options":{`) || !strings.Contains(data, `"players":["Ann"],"free":2}]`) {
		t.Errorf("as data: %s", data)
	}
	s.tables = nil
	if _, body := get(t, handler(s), "GET", "/"); strings.Contains(body, "chair") || !strings.Contains(body, "No game has a free seat right now.") {
		t.Error("without open games the page does not say so")
	}
}

// TestNoOneIsANumber: games and players without a name are called something, on every page and in
// every feed.
func TestNoOneIsANumber(t *testing.T) {
	s := newShelf(t, 2, 20)
	for _, g := range s.games {
		g.name, g.names = "", []string{store.StandIn(1), store.StandIn(2)}
	}
	s.mine = homeGames()
	for i := range s.mine {
		s.mine[i].Name = ""
	}
	for _, l := range s.leagues {
		l.look.Names = nil
	}
	h := handler(s)
	numbered := regexp.MustCompile(`\bPlayer \d|\bGame (?:[a-z2-7]{16}|private|unlisted|listed|waiting|g\d)\b`)
	named := 0
	for _, at := range append(everyPage(), "/g/private/"+keyOf(1)+"/deadline.ics", "/games.csv", "/games.json") {
		_, body := get(t, h, "GET", at)
		if number := numbered.FindStringIndex(body); number != nil {
			t.Errorf("%s: %q", at, body[max(0, number[0]-80):min(len(body), number[1]+40)])
		}
		for id := range s.games {
			named += strings.Count(body, store.GameName(id))
		}
	}
	if named < 20 {
		t.Errorf("games are named %d times", named)
	}
}
