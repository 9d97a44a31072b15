package web

import (
	"net/http"
	"net/http/httptest"
	"testing"
)

// TestFormerAddress: links to an address that the pages had before lead to where they are now,
// with all that they name; the server handles what a mail program posts there, because the
// program follows no redirects. Host and path may have been others, or the path alone.
func TestFormerAddress(t *testing.T) {
	const here = "served" // at the path that follows
	for _, c := range []struct{ base, method, url, to string }{
		{"https://play.example.org", "GET", "https://old.example.net/g/abc/key?since=3", "https://play.example.org/g/abc/key?since=3"},
		{"https://play.example.org", "HEAD", "https://OLD.example.net/feed.atom", "https://play.example.org/feed.atom"},
		{"https://play.example.org", "GET", "https://old.example.net", "https://play.example.org/"},
		{"https://play.example.org", "GET", "http://older.example.net:8080/games/g/a%2Fb", "https://play.example.org/g/a%2Fb"},
		{"https://play.example.org", "GET", "http://older.example.net:8080/games", "https://play.example.org/"},
		{"https://play.example.org", "GET", "http://older.example.net:8080/games?x=1", "https://play.example.org/?x=1"},
		{"https://play.example.org", "GET", "http://older.example.net:8080/gamesx/g", here + "/gamesx/g"},
		{"https://play.example.org", "GET", "https://old.example.net//evil.example/x", "https://play.example.org/evil.example/x"},
		{"https://play.example.org", "GET", "http://older.example.net:8080/elsewhere", here + "/elsewhere"},
		{"https://play.example.org", "POST", "https://old.example.net/g/abc/key/mute", here + "/g/abc/key/mute"},
		{"https://play.example.org", "POST", "http://older.example.net:8080/games/g/abc/key/mute", here + "/g/abc/key/mute"},
		{"https://play.example.org", "GET", "https://play.example.org/g/abc", here + "/g/abc"},
		{"https://play.example.org/angelpost", "GET", "https://old.example.net/g/abc?x=1", "https://play.example.org/angelpost/g/abc?x=1"},
		{"https://play.example.org/angelpost", "POST", "https://old.example.net/g/a%2Fb/key/mute", here + "/angelpost/g/a%2Fb/key/mute"},
		{"https://play.example.org/angelpost", "POST", "http://older.example.net:8080/games/g/abc/key/mute", here + "/angelpost/g/abc/key/mute"},
		{"https://play.example.org/angelpost", "GET", "https://play.example.org/angelpost/g/abc", here + "/angelpost/g/abc"},
		{"https://old.example.net/angelpost", "GET", "https://old.example.net/g/abc", "https://old.example.net/angelpost/g/abc"},
		{"https://old.example.net/angelpost", "GET", "https://old.example.net/angelpost/g/abc", here + "/angelpost/g/abc"},
		{"https://old.example.net/angelpost", "POST", "https://old.example.net/g/abc/key/mute", here + "/angelpost/g/abc/key/mute"},
		{"http://older.example.net:8080", "GET", "http://older.example.net:8080/games/g/abc", "http://older.example.net:8080/g/abc"},
		{"http://older.example.net:8080", "GET", "http://older.example.net:8080/g/abc", here + "/g/abc"},
	} {
		s := Server{BaseURL: c.base, path: pathOf(c.base), FormerURLs: []string{"https://old.example.net", "http://older.example.net:8080/games/"}}
		w := httptest.NewRecorder()
		at := ""
		s.leading(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { at = here + r.URL.EscapedPath() })).
			ServeHTTP(w, httptest.NewRequest(c.method, c.url, nil))
		if to := w.Header().Get("Location"); at+to != c.to || to != "" && w.Code != http.StatusMovedPermanently {
			t.Errorf("%s %s, now at %s: %d, %q, want %q", c.method, c.url, c.base, w.Code, at+to, c.to)
		}
	}
}
