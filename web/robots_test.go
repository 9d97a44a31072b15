package web

import (
	"net/http"
	"regexp"
	"strings"
	"testing"
)

// crawls reports whether robots.txt lets a crawler ask for a path (RFC 9309 section 2.2.2): the
// longest rule that fits decides, and of two of one length the one that allows.
func crawls(robots, path string) bool {
	allowed, longest := true, -1
	for line := range strings.Lines(robots) {
		name, rule, _ := strings.Cut(strings.TrimSpace(line), ": ")
		if name != "Allow" && name != "Disallow" {
			continue
		}
		expr := "^" + strings.ReplaceAll(regexp.QuoteMeta(rule), `\*`, ".*")
		if strings.HasSuffix(rule, "$") {
			expr = strings.TrimSuffix(expr, `\$`) + "$"
		}
		if regexp.MustCompile(expr).MatchString(path) && (len(rule) > longest || len(rule) == longest && name == "Allow") {
			allowed, longest = name == "Allow", len(rule)
		}
	}
	return allowed
}

// TestCalendarsMayBeFetched: robots.txt lets what subscribes for a person fetch all calendars and
// feeds, below keys too, and no other page with a key; none of them ends up in search results.
func TestCalendarsMayBeFetched(t *testing.T) {
	s := newShelf(t, 2, 20)
	s.games["private"].clock = "3d"
	h := s.serve(Server{BaseURL: "https://play.example"})
	_, robots := get(t, h, "GET", "/robots.txt")
	fill := strings.NewReplacer("{id}", "private", "{league}", "tin", "{player}", "7", "{steps...}", "B/", "{at}", "1", "{$}", "")
	subscriptions := 0
	for _, p := range Patterns() {
		method, path, _ := strings.Cut(p, " ")
		if method != http.MethodGet {
			continue
		}
		key := keyOf(1)
		if strings.HasPrefix(path, "/me/") {
			key = homeKey
		}
		at := strings.ReplaceAll(fill.Replace(path), "{key}", key)
		subscription := strings.HasSuffix(path, ".ics") || strings.HasSuffix(path, ".atom")
		if got := crawls(robots, at); subscription && !got || !subscription && strings.Contains(path, "{key}") && got {
			t.Errorf("a crawler may fetch %s: %v", at, got)
		}
		if !subscription {
			continue
		}
		subscriptions++
		if !strings.Contains(path, "{key}") {
			at = strings.ReplaceAll(at, "private", "listed")
		}
		res, _ := get(t, h, "GET", at)
		if res.StatusCode != http.StatusOK || !strings.Contains(res.Header.Get("X-Robots-Tag"), "noindex") {
			t.Errorf("%s: %s, X-Robots-Tag %q", at, res.Status, res.Header.Get("X-Robots-Tag"))
		}
	}
	if subscriptions < 7 {
		t.Errorf("only %d calendars and feeds", subscriptions)
	}
	for path, want := range map[string]bool{"/": true, "/g/listed": true, "/games?q=x": false, "/g/listed/history": false} {
		if crawls(robots, path) != want {
			t.Errorf("a crawler may fetch %s: %v", path, !want)
		}
	}
}
