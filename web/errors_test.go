package web

import (
	"net/http"
	"strings"
	"testing"
)

// TestMissingHelps: a page that is not there says what may be wrong and leads on.
func TestMissingHelps(t *testing.T) {
	s := newShelf(t, 2, 4)
	for path, want := range map[string]string{
		"/nowhere": "mistyped", "/g/nogame": "cut the link in two", "/g/private": "made the game private", "/me/nokey": "only the newest works", "/players/99": "mistyped",
	} {
		h := handler(s)
		res, body := get(t, h, "GET", path)
		if res.StatusCode != http.StatusNotFound || !strings.Contains(body, want) {
			t.Errorf("%s: %s, not %q", path, res.Status, want)
		}
		if csp := res.Header.Get("Content-Security-Policy"); !strings.Contains(csp, "form-action 'self'") {
			t.Errorf("%s: its form goes nowhere: %s", path, csp)
		}
		for _, to := range []string{`href="/"`, `href="/games"`, `href="/rules"`, `href="/help"`, `action="/games"`} {
			if !strings.Contains(body, to) {
				t.Errorf("%s does not lead to %s", path, to)
			}
		}
	}
}

// TestListsSayHowMany: a list of games says how many it has, and whether there are more.
func TestListsSayHowMany(t *testing.T) {
	s := newShelf(t, 2, 4)
	for _, path := range []string{"/games", "/players/7"} {
		s.more = false
		if said := page(t, handler(s), path).Find("main .count").Text(); !strings.HasPrefix(strings.TrimSpace(said), "1 game") || strings.Contains(said, "older") {
			t.Errorf("%s: %q", path, said)
		}
		s.more = true
		if said := page(t, handler(s), path).Find("main .count").Text(); !strings.Contains(said, "older ones") {
			t.Errorf("%s, with more: %q", path, said)
		}
	}
}
