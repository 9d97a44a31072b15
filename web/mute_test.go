package web

import (
	"io"
	"log/slog"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
)

// post sends a form and gives answer and body.
func post(t *testing.T, h http.Handler, path, kind, body string) (*http.Response, string) {
	t.Helper()
	w := httptest.NewRecorder()
	r := httptest.NewRequest("POST", path, strings.NewReader(body))
	r.Header.Set("Content-Type", kind)
	h.ServeHTTP(w, r)
	res := w.Result()
	b, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res, string(b)
}

const (
	urlencoded = "application/x-www-form-urlencoded"
	click      = "List-Unsubscribe=One-Click"
)

// A scanner that follows links in letters changes nothing: only a POST that
// says what RFC 8058 wants mutes, once or many times.
func TestMute(t *testing.T) {
	s := newShelf(t, 3, 20)
	h := handler(s)
	path := "/g/unlisted/" + buttonOf(2) + "/mute"
	for _, method := range []string{"GET", "HEAD", "GET", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"} {
		res, _ := get(t, h, method, path+"?"+click)
		if ok := method == "GET" || method == "HEAD"; ok != (res.StatusCode == http.StatusOK) {
			t.Errorf("%s: %s", method, res.Status)
		}
	}
	for _, bad := range [][2]string{
		{urlencoded, ""}, {urlencoded, "List-Unsubscribe=resign"}, {urlencoded, "x=" + click}, {"text/plain", click}, {"", click},
		{urlencoded, click + "&x=" + strings.Repeat("y", maxForm)}, {"multipart/form-data; boundary=b", "--b"}, {"multipart/form-data", click},
	} {
		if res, body := post(t, h, path, bad[0], bad[1]); res.StatusCode != http.StatusBadRequest || strings.Contains(body, `method="post"`) {
			t.Errorf("%.60q: %s", bad, res.Status)
		}
	}
	if s.mutes != 0 {
		t.Fatalf("muted %d times by what is no click", s.mutes)
	}

	d := page(t, h, path)
	form := d.Find(`form[method="post"]`)
	action, _ := form.Attr("action")
	to, err := url.Parse("http://x" + path)
	if err == nil {
		to, err = to.Parse(action)
	}
	if err != nil || form.Length() != 1 || to.Path != path || form.Find("button").Length() != 1 {
		t.Errorf("the button leads to %v, %v", to, err)
	}
	name, _ := form.Find("input").Attr("name")
	value, _ := form.Find("input").Attr("value")
	for range 2 {
		res, body := post(t, h, path, urlencoded, name+"="+value)
		if res.StatusCode != http.StatusOK || !strings.Contains(body, "You have muted this game") || strings.Contains(body, "<form") {
			t.Errorf("the button: %s\n%s", res.Status, body)
		}
	}
	if page(t, h, path).Find("form").Length() != 0 {
		t.Error("what is muted can be muted")
	}
	var multi strings.Builder
	m := multipart.NewWriter(&multi)
	if err := m.WriteField("List-Unsubscribe", "One-Click"); err != nil {
		t.Fatal(err)
	}
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
	other := "/g/unlisted/" + buttonOf(3)
	if res, _ := post(t, h, other+"/mute", m.FormDataContentType(), multi.String()); res.StatusCode != http.StatusOK {
		t.Errorf("multipart: %s", res.Status)
	}
	for _, p := range []string{other, other + "/view.json"} {
		if res, _ := get(t, h, "GET", p); res.StatusCode != http.StatusNotFound {
			t.Errorf("a key to mute by opens %s: %s", p, res.Status)
		}
	}
	if s.mutes != 3 || len(s.muted) != 2 {
		t.Errorf("%d clicks muted %d seats", s.mutes, len(s.muted))
	}
	for _, p := range []string{"/g/unlisted/wrong/mute", "/g/unlisted/" + keyOf(2) + "/mute", "/g/nowhere/" + buttonOf(2) + "/mute", "/g/unlisted/" + strings.Repeat("x", 4000) + "/mute"} {
		if res, _ := post(t, h, p, urlencoded, click); res.StatusCode != http.StatusNotFound {
			t.Errorf("POST %.60s: %s", p, res.Status)
		}
		if res, _ := get(t, h, "GET", p); res.StatusCode != http.StatusNotFound {
			t.Errorf("GET %.60s: %s", p, res.Status)
		}
	}
}

// What holds of the button for a game's letters holds of that for a league's.
// A site that only reads says where letters can be stopped, and does nothing.
func TestMuteElsewhere(t *testing.T) {
	s := newShelf(t, 2, 5)
	h := Server{Games: s, Leagues: s, Archive: s, Statistics: figures{}, Ratings: strengths{}, Moved: s.Moved, Log: slog.New(slog.DiscardHandler)}.Handler()
	path := "/g/unlisted/" + buttonOf(2) + "/mute"
	asked, body := get(t, h, "GET", path)
	pressed, answer := post(t, h, path, urlencoded, click)
	for _, x := range []struct {
		res  *http.Response
		body string
	}{{asked, body}, {pressed, answer}} {
		if x.res.StatusCode != http.StatusServiceUnavailable || !strings.Contains(x.body, "reply <code>mute</code>") || strings.Contains(x.body, `method="post"`) {
			t.Errorf("%s: %s", x.res.Status, x.body)
		}
	}
	if s.mutes > 0 {
		t.Error("muted")
	}
}

func TestMuteLeague(t *testing.T) {
	s := newShelf(t, 2, 0)
	s.leagues = []*shelvedLeague{tin()}
	h := handler(s)
	path := "/l/tin/" + leagueButton + "/mute"
	for _, method := range []string{"GET", "HEAD", "PUT", "DELETE"} {
		res, _ := get(t, h, method, path+"?"+click)
		if ok := method == "GET" || method == "HEAD"; ok != (res.StatusCode == http.StatusOK) {
			t.Errorf("%s: %s", method, res.Status)
		}
	}
	if res, _ := post(t, h, path, urlencoded, "List-Unsubscribe=leave"); res.StatusCode != http.StatusBadRequest {
		t.Errorf("another form: %s", res.Status)
	}
	for _, p := range []string{"/l/tin/wrong/mute", "/l/none/" + leagueButton + "/mute", "/g/tin/" + leagueButton + "/mute", "/l/tin/" + strings.Repeat("x", 4000) + "/mute", "/l/tin//mute"} {
		for _, res := range []*http.Response{first(get(t, h, "GET", p)), first(post(t, h, p, urlencoded, click))} {
			if res.StatusCode == http.StatusOK {
				t.Errorf("%.60s: %s", p, res.Status)
			}
		}
	}
	if s.mutedLeague {
		t.Fatal("muted by what is no click")
	}
	d := page(t, h, path)
	if text := d.Find("h1, main").Text(); d.Find("form button").Length() != 1 || !strings.Contains(text, "Tin League") || !strings.Contains(text, "You stay in it") || strings.Contains(text, "game?") {
		t.Errorf("the page says %s", text)
	}
	if csp := first(get(t, h, "GET", path)).Header.Get("Content-Security-Policy"); csp != policy("'self'") {
		t.Errorf("policy %q", csp)
	}
	for range 2 {
		res, body := post(t, h, path, urlencoded, click)
		if res.StatusCode != http.StatusOK || !strings.Contains(body, "You have muted this league") || strings.Contains(body, "<form") || strings.Contains(body, "-secret") {
			t.Errorf("the button: %s\n%s", res.Status, body)
		}
	}
	if !s.mutedLeague || page(t, h, path).Find("form").Length() != 0 {
		t.Error("it is not muted")
	}
}

// The page to mute by has a form that goes to the server itself, and gives the key to no one
// else.
func TestMuteHeaders(t *testing.T) {
	h := handler(newShelf(t, 2, 10))
	for want, res := range map[string]*http.Response{
		policy("'self'"): first(get(t, h, "GET", "/g/unlisted/"+buttonOf(1)+"/mute")),
		policy("'none'"): first(post(t, h, "/g/unlisted/"+buttonOf(1)+"/mute", urlencoded, click)),
	} {
		if csp := res.Header.Get("Content-Security-Policy"); csp != want {
			t.Errorf("policy %q, want %q", csp, want)
		}
		if res.Header.Get("Referrer-Policy") != "no-referrer" || res.Header.Get("Cache-Control") != "private, no-store" || !strings.Contains(res.Header.Get("X-Robots-Tag"), "noindex") {
			t.Errorf("headers %v", res.Header)
		}
	}
	if csp := first(get(t, h, "GET", "/g/unlisted/"+keyOf(1)+"/history")).Header.Get("Content-Security-Policy"); csp != policy("'none'") {
		t.Errorf("another page may send forms: %q", csp)
	}
	if _, body := get(t, h, "GET", "/g/unlisted/"+buttonOf(1)+"/mute"); strings.Contains(body, "-secret") {
		t.Error("the page shows the key")
	}
}

func first(r *http.Response, _ string) *http.Response { return r }
