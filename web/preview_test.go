package web

import (
	"bytes"
	"image/png"
	"log/slog"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"angelpost/templates/draw"
)

const base = "https://play.example"

// properties are a page's og: fields.
func properties(t *testing.T, h http.Handler, path string) map[string]string {
	t.Helper()
	w := with(h, "GET", path)
	if w.Code != 200 {
		t.Fatalf("%s: %d", path, w.Code)
	}
	d, err := goquery.NewDocumentFromReader(w.Body)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	d.Find(`meta[property^="og:"]`).Each(func(_ int, m *goquery.Selection) {
		out[m.AttrOr("property", "")] = m.AttrOr("content", "")
	})
	return out
}

// What other places show of a link: public pages say it with a picture of what everyone may
// see, pages of a key say nothing.
func TestPreviews(t *testing.T) {
	s := newShelf(t, 2, 40)
	over, _ := finished(t, 2)
	s.games["over"] = over.games["over"]
	log := slog.New(slog.DiscardHandler)
	h := s.serve(Server{Log: log, BaseURL: base, Version: "one"})
	pictures := map[string]string{}
	for path, title := range map[string]string{
		"/": "Angelpost", "/games": "", "/players/7": "Ada", "/g/unlisted": "Friday", "/g/listed": "Open table", "/g/listed?at=7": "Open table",
		"/g/listed/history": "Open table", "/g/over": "", "/g/waiting": "",
	} {
		p := properties(t, h, path)
		if p["og:title"] == "" || title != "" && p["og:title"] != title || p["og:description"] == "" || p["og:url"] != base+path {
			t.Errorf("%s: %q", path, p)
		}
		at, ok := strings.CutPrefix(p["og:image"], base+"/")
		if !ok {
			t.Fatalf("%s: the picture is at %q", path, p["og:image"])
		}
		w := with(h, "GET", "/"+at, "Accept-Encoding: gzip")
		if w.Code != 200 || w.Header().Get("Content-Type") != pngKind || w.Header().Get("Cache-Control") != openForever || w.Header().Get("Content-Encoding") != "" || w.Body.Len() > 40<<10 {
			t.Errorf("%s: %d, %v, %d bytes", at, w.Code, w.Header(), w.Body.Len())
		}
		pictures[path] = w.Body.String()
		m, err := png.DecodeConfig(w.Body)
		if err != nil || strconv.Itoa(m.Width) != p["og:image:width"] || strconv.Itoa(m.Height) != p["og:image:height"] {
			t.Errorf("%s: %v, %v, %q", path, m, err, p)
		}
	}
	if g := s.games["listed"].game; pictures["/g/listed"] != string(draw.Preview(g.View(0))) || pictures["/g/listed"] != pictures["/g/listed/history"] || pictures["/g/listed"] == pictures["/g/listed?at=7"] {
		t.Error("the picture is not of the position shown, as everybody sees it")
	}

	for _, path := range []string{"/g/private/" + keyOf(1), "/g/listed/" + keyOf(1), "/g/listed/" + keyOf(2) + "?at=7", "/g/listed/" + keyOf(1) + "/history", "/g/over/" + keyOf(1)} {
		w := with(h, "GET", path)
		if w.Code != 200 || bytes.Contains(w.Body.Bytes(), []byte("og:")) || bytes.Contains(w.Body.Bytes(), []byte(`name="description"`)) {
			t.Errorf("%s: %d, has a preview", path, w.Code)
		}
	}

	// The address changes with the log and the program; what does not fit is not kept.
	was := properties(t, h, "/g/unlisted")["og:image"]
	other := s.serve(Server{Log: log, BaseURL: base, Version: "two"})
	if properties(t, other, "/g/unlisted")["og:image"] == was {
		t.Error("another program draws under the same address")
	}
	s.games["unlisted"].game = playGame(t, 2, 41)
	if properties(t, h, "/g/unlisted")["og:image"] == was {
		t.Error("another position is drawn under the same address")
	}
	if w := with(h, "GET", strings.TrimPrefix(was, base)); w.Code != 200 || w.Header().Get("Cache-Control") != openCache || !strings.Contains(was, "/40/") {
		t.Errorf("the past's picture: %d, %q", w.Code, w.Header().Get("Cache-Control"))
	}
	for _, path := range []string{"/pictures/private/7/x.png", "/pictures/waiting/0/x.png", "/pictures/listed/99999/x.png", "/pictures/listed/-1/x.png",
		"/pictures/listed/7/x", "/pictures/" + keyOf(1) + "/7/x.png", "/pictures/none/7/x.png"} {
		if w := with(h, "GET", path); w.Code != 404 {
			t.Errorf("%s: %d", path, w.Code)
		}
	}
	for name := range properties(t, handler(s), "/g/listed") {
		if name == "og:url" || strings.HasPrefix(name, "og:image") {
			t.Errorf("%s of a server that does not know its address", name)
		}
	}
}
