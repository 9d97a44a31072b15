package web

import (
	"net/http"
	"net/http/httptest"
	"testing"
)

// TestFormerAddress: links to an address that the pages had before lead to where they are now, with
// all that they name; what a mail program posts there is done there.
func TestFormerAddress(t *testing.T) {
	s := Server{BaseURL: "https://play.example.org", FormerURLs: []string{"https://old.example.net", "http://older.example.net:8080/games/"}}
	h := s.leading(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(http.StatusTeapot) }))
	for _, c := range []struct{ method, url, to string }{
		{"GET", "https://old.example.net/g/abc/key?since=3", "https://play.example.org/g/abc/key?since=3"},
		{"HEAD", "https://OLD.example.net/feed.atom", "https://play.example.org/feed.atom"},
		{"GET", "http://older.example.net:8080/games/g/a%2Fb", "https://play.example.org/g/a%2Fb"},
		{"GET", "https://old.example.net//evil.example/x", "https://play.example.org/evil.example/x"},
		{"GET", "http://older.example.net:8080/elsewhere", ""},
		{"POST", "https://old.example.net/g/abc/key/mute", ""},
		{"GET", "https://play.example.org/g/abc", ""},
	} {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest(c.method, c.url, nil))
		if to := w.Header().Get("Location"); to != c.to || (c.to == "") != (w.Code == http.StatusTeapot) || c.to != "" && w.Code != http.StatusMovedPermanently {
			t.Errorf("%s %s: %d, %q, want %q", c.method, c.url, w.Code, to, c.to)
		}
	}
}
