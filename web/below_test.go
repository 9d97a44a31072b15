package web

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// addressesIn are the addresses in the attributes of a page.
func addressesIn(t *testing.T, body string) (all []string) {
	t.Helper()
	root, err := html.Parse(strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for n := range root.Descendants() {
		for _, a := range n.Attr {
			if a.Key == "href" || a.Key == "src" || a.Key == "action" || strings.HasPrefix(a.Val, "/") && a.Key != "d" && a.Key != "value" {
				all = append(all, a.Val)
			}
		}
	}
	return all
}

// TestBelowAPath follows all links of all kinds of pages, and those in feeds, of a server whose
// pages are below a path: all lead to something below it, none outside it.
func TestBelowAPath(t *testing.T) {
	s := newShelf(t, 2, 20)
	s.games["private"].clock = "3d"
	s.mine = homeGames()
	h := s.serve(Server{BaseURL: "https://example.org/games/angel", Version: "one"})
	const below = "/games/angel"
	ask := func(at string) *httptest.ResponseRecorder {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest("GET", at, nil))
		return w
	}
	asked := map[string]bool{}
	var follow func(from, at string, on bool)
	follow = func(from, at string, on bool) {
		if asked[at] {
			return
		}
		asked[at] = true
		w := ask(at)
		kind, body := w.Header().Get("Content-Type"), w.Body.String()
		base, err := url.Parse(at)
		if err != nil {
			t.Fatal(err)
		}
		next := func(to string, on bool) {
			u, err := base.Parse(to)
			switch {
			case err != nil:
				t.Errorf("%s has the address %q: %v", at, to, err)
			case u.Scheme == "mailto" || u.Host != "" && u.Host != "example.org":
			case !strings.HasPrefix(u.Path, below+"/"):
				t.Errorf("%s leads to %s", at, to)
			default:
				u.Scheme, u.Host, u.Fragment = "", "", ""
				follow(at, u.String(), on)
			}
		}
		switch to := w.Header().Get("Location"); {
		case to != "":
			next(to, on)
		case w.Code != http.StatusOK && w.Code != http.StatusNotFound && w.Code != http.StatusTooManyRequests:
			t.Errorf("%s, from %s: %d", at, from, w.Code)
		case w.Code == http.StatusNotFound && on: // beyond, the shelf has no more games
			t.Errorf("%s, from %s: there is nothing", at, from)
		case !on:
		case strings.HasPrefix(kind, "text/html"):
			for _, to := range addressesIn(t, body) {
				next(to, false)
			}
		case strings.Contains(kind, "xml"):
			for _, m := range regexp.MustCompile(`(?:href="|<loc>)([^"<]+)`).FindAllStringSubmatch(body, -1) {
				next(m[1], false)
			}
		case strings.Contains(kind, "json"):
			for _, m := range regexp.MustCompile(`"(/[a-z][^"]*)"`).FindAllStringSubmatch(body, -1) {
				next(m[1], false)
			}
		}
	}
	plan := "/g/unlisted/" + keyOf(1) + "/plan"
	for _, at := range append(everyPage(), plan, plan+"/B/", "/g/unlisted/"+keyOf(1)+"/mute", "/g/private/"+keyOf(1)+"/deadline.ics", "/g/listed/") {
		follow("", below+at, true)
	}
	if len(asked) < 150 {
		t.Errorf("it followed only %d addresses", len(asked))
	}
	if w := ask(below); w.Header().Get("Location") != below+"/" {
		t.Errorf("%s leads to %q", below, w.Header().Get("Location"))
	}
	for _, beside := range []string{"/", "/games", "/g/listed", "/games/angelica/", stylePath, "/robots.txt"} {
		if w := ask(beside); w.Code != http.StatusNotFound {
			t.Errorf("%s, beside the path: %d", beside, w.Code)
		}
	}
	robots := ask(below + "/robots.txt").Body.String()
	for path, want := range map[string]bool{"/me/x": false, "/me/x/deadlines.ics": true, "/g/listed": true, "/g/listed/x": false} {
		if crawls(robots, below+path) != want {
			t.Errorf("a crawler may fetch %s: %v", below+path, !want)
		}
	}
	if lost := ask(below + "/nowhere"); lost.Code != http.StatusNotFound || !strings.Contains(lost.Body.String(), `href="`+below+stylePath) {
		t.Errorf("the page for a wrong address: %d", lost.Code)
	}
	post := httptest.NewRequest("POST", below+"/look", strings.NewReader("{}"))
	post.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	if h.ServeHTTP(w, post); !strings.Contains(w.Body.String(), below+stylePath) {
		t.Errorf("/look answers %d without its style", w.Code)
	}
}

// TestLinksWithWhatFollows: links that a mail program took too long, with the sign after them, and
// those with a slash more lead to their page; no address leads out of the server.
func TestLinksWithWhatFollows(t *testing.T) {
	s := newShelf(t, 2, 20)
	for _, base := range []string{"https://play.example", "https://play.example/angel"} {
		h := s.serve(Server{BaseURL: base})
		below := pathOf(base)
		for _, page := range []string{"/", "/games", "/g/unlisted/" + keyOf(1), "/g/unlisted/" + keyOf(1) + "/plan/", "/g/listed?at=3", "/l/tin", "/players/7"} {
			for _, end := range []string{".", ")", ",", ">", "/", ">.", "),", ").", ";", "%3E", "%29.", "//", "!", "'", "”"} {
				if page == "/" && strings.HasPrefix(end, "/") {
					continue // that is a host's name
				}
				at, code := below+page+end, 0
				for range 4 {
					u, err := url.Parse(at)
					if err != nil {
						t.Fatal(err)
					}
					w := httptest.NewRecorder()
					h.ServeHTTP(w, httptest.NewRequest("GET", u.String(), nil))
					if code = w.Code; w.Header().Get("Location") == "" {
						break
					}
					to, err := u.Parse(w.Header().Get("Location"))
					if err != nil || to.Host != "" {
						t.Fatalf("%s leads to %s", at, w.Header().Get("Location"))
					}
					at = to.String()
				}
				if want := below + page; code != http.StatusOK || at != want && at != strings.TrimSuffix(want, "/") {
					if strings.Contains(page, "?") && (end == "/" || end == "//" || end == "”") {
						continue // no program appends these to a query
					}
					t.Errorf("%s leads to %s, %d", below+page+end, at, code)
				}
			}
		}
	}
	h := s.serve(Server{})
	for _, at := range []string{"//evil.example.", "//evil.example/.", "/%2Fevil.example.", `/\evil.example.`, "/.//evil.example/"} {
		w := httptest.NewRecorder()
		r := httptest.NewRequest("GET", "/", nil)
		r.URL = &url.URL{Path: at}
		h.ServeHTTP(w, r)
		if to, err := url.Parse(w.Header().Get("Location")); err != nil || to.Host != "" || strings.HasPrefix(w.Header().Get("Location"), `/\`) {
			t.Errorf("%s leads to %s", at, w.Header().Get("Location"))
		}
	}
}
