package web

import (
	"net/http"
	"strings"
	"testing"

	"angelpost/templates"
	"angelpost/templates/words"
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

// TestGameElsewhere: a game on another server leads there, with its whole address; a game on
// this server stays, and every page names the other servers.
func TestGameElsewhere(t *testing.T) {
	s := newShelf(t, 2, 4)
	site := Server{}
	site.Elsewhere = func(game string) string {
		if strings.HasPrefix(game, "we") {
			return "https://west.example.org"
		}
		return ""
	}
	site.Siblings = func() []templates.Link {
		return []templates.Link{{Text: "west.example.org", Href: "https://west.example.org"}}
	}
	h := s.serve(site)
	for path, there := range map[string]string{
		"/g/weabc": "/g/weabc", "/g/weabc/key%2f%22/history": "/g/weabc/key%2f%22/history", "/g/other": "", "/me/wekey": "", "/nowhere": "",
	} {
		res, body := get(t, h, "GET", path)
		if res.StatusCode != http.StatusNotFound {
			t.Errorf("%s: %s", path, res.Status)
		}
		if led := strings.Contains(body, `class="btn" href="https://west.example.org`+there+`"`); led != (there != "") {
			t.Errorf("%s leads to another server: %v\n%s", path, led, body)
		}
		if !strings.Contains(body, `<a href="https://west.example.org">west.example.org</a>`) {
			t.Errorf("%s does not name the other server", path)
		}
	}
	if res, body := get(t, h, "GET", "/"); res.StatusCode != http.StatusOK || !strings.Contains(body, "west.example.org") {
		t.Errorf("%s\n%s", res.Status, body)
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

// The page of what is missing guesses from the address what was meant: a page of the site, or a name.
func TestMeant(t *testing.T) {
	s := Server{Words: words.English()}
	for path, want := range map[string][2]string{
		"/leage":           {"/leagues", ""},
		"/Rating":          {"/ratings", ""},
		"/rulebook":        {"", "rulebook"},
		"/player/ada-byte": {"", "ada byte"},
		"/games/friday":    {"/games", "friday"},
		"/x":               {"", "x"},
		"/":                {"", ""},
	} {
		pages, word := s.meant(path)
		first := ""
		if len(pages) > 0 {
			first = pages[0].Href
		}
		if first != want[0] || word != want[1] || len(pages) > 1 {
			t.Errorf("%s: %v, %q; want %q", path, pages, word, want)
		}
	}
}
