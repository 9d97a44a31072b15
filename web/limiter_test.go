package web

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/PuerkitoBio/goquery"

	"angelpost/templates/words"
)

// from asks as a client at an address; "X-Forwarded-For" lines may follow it.
func from(h http.Handler, remote, path string, forwarded ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest("GET", path, nil)
	r.RemoteAddr = remote
	for _, f := range forwarded {
		r.Header.Add("X-Forwarded-For", f)
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

const (
	right = "/g/unlisted/keyof1-secret"
	wrong = "/g/unlisted/wrong"
	here  = "198.51.100.7:4711"
)

// Guesses are answered 30 times, then once in ten seconds; right addresses are,
// all the time, for others may have guessed who come from the same place.
func TestGuessing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newShelf(t, 2, 20).serve(Server{})
		vain := []string{wrong, wrong + "/view.json", "/g/none", "/g/none/view.json", "/g/private", "/g/none/key", wrong + "/mute", right + "/mute"}
		good := []string{right, right + "/view.json", "/g/unlisted/" + buttonOf(1) + "/mute", "/g/unlisted", "/"}
		for i := range keyBurst {
			if w := from(h, here, vain[i%len(vain)]); w.Code != 404 {
				t.Fatalf("guess %d: %d", i, w.Code)
			}
		}
		for _, path := range vain {
			w := from(h, here, path)
			if w.Code != 429 {
				t.Errorf("%s: %d", path, w.Code)
			}
			if s, err := strconv.Atoi(w.Header().Get("Retry-After")); err != nil || s < 1 || s > 10 {
				t.Errorf("%s: Retry-After %q", path, w.Header().Get("Retry-After"))
			}
			if w.Header().Get("Cache-Control") != "no-store" || !strings.Contains(w.Header().Get("X-Robots-Tag"), "noindex") {
				t.Errorf("%s: headers %v", path, w.Header())
			}
			if strings.HasSuffix(path, "view.json") {
				var e struct {
					Schema int
					Error  string
				}
				if err := json.Unmarshal(w.Body.Bytes(), &e); err != nil || e.Schema != 1 || e.Error == "" {
					t.Errorf("%s: %q, %v", path, w.Body, err)
				}
				continue
			}
			d, err := goquery.NewDocumentFromReader(w.Body)
			if err != nil || !strings.Contains(d.Text(), words.English().Say("page.too-many-text")) {
				t.Errorf("%s: says %q, %v", path, d.Text(), err)
			}
		}
		for _, path := range good {
			if w := from(h, here, path); w.Code != 200 {
				t.Errorf("%s, where others guessed: %d", path, w.Code)
			}
		}
		for remote, path := range map[string]string{"198.51.100.8:1": right, "[2001:db8::1]:1": wrong} {
			if w := from(h, remote, path); w.Code == 429 {
				t.Errorf("%s, %s: 429", remote, path)
			}
		}
		time.Sleep(keyEvery)
		if w := from(h, here, wrong); w.Code != 404 {
			t.Errorf("one guess after a while: %d", w.Code)
		}
		if w := from(h, here, wrong); w.Code != 429 {
			t.Errorf("after that one: %d", w.Code)
		}
		time.Sleep(keyBurst * keyEvery)
		for i := range keyBurst + 1 {
			if w := from(h, here, wrong); w.Code != 404 && i < keyBurst || w.Code != 429 && i == keyBurst {
				t.Fatalf("after a long while, guess %d: %d", i, w.Code)
			}
		}
	})
}

// Readers of what is there, also of a step that is not there yet, do not guess.
func TestReadersDoNotGuess(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newShelf(t, 2, 20).serve(Server{})
		for i := range 500 {
			path, want := right, 200
			if i%2 == 1 {
				path, want = right+"?at="+[]string{"999", "x"}[i/2%2], 404
			}
			if w := from(h, here, path); w.Code != want {
				t.Fatalf("request %d: %d", i, w.Code)
			}
			time.Sleep(time.Second / ratePerSecond)
		}
	})
}

// A right key opens its page however many wrong ones are tried from the same
// address, at once or one after the other. It has a budget of its own.
func TestFloodOfGuesses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newShelf(t, 2, 20).serve(Server{})
		var wait sync.WaitGroup
		var refused atomic.Int64
		const guesses = 2 * rateBurst
		for range guesses {
			wait.Go(func() {
				if from(h, here, wrong).Code == 429 {
					refused.Add(1)
				}
			})
		}
		wait.Wait()
		if n := refused.Load(); n != guesses-keyBurst {
			t.Errorf("%d of %d guesses were refused", n, guesses)
		}
		if w := from(h, here, "/"); w.Code != 429 {
			t.Errorf("a client that asks too often is told %d", w.Code)
		}
		for path, want := range map[string]int{right: 200, right + "/view.json": 200, "/g/unlisted/" + buttonOf(1) + "/mute": 200, "/l/tin/" + leagueButton + "/mute": 200,
			wrong: 429, "/g/none/keyof1-secret": 429, right + "/mute": 429, "/g/unlisted/" + buttonOf(1): 429, "/l/tin/wrong/mute": 429} {
			if w := from(h, here, path); w.Code != want {
				t.Errorf("%s: %d, want %d", path, w.Code, want)
			}
		}
		for range rateBurst {
			from(h, here, right)
		}
		if w := from(h, here, right); w.Code != 429 {
			t.Errorf("a key that asks too often is told %d", w.Code)
		}
		if w := from(h, here, "/g/unlisted/"+keyOf(2)); w.Code != 200 {
			t.Errorf("another key is told %d", w.Code)
		}
		time.Sleep(time.Second)
		for _, path := range []string{right, "/"} {
			if w := from(h, here, path); w.Code != 200 {
				t.Errorf("%s after a second: %d", path, w.Code)
			}
		}
	})
}

func TestClientOf(t *testing.T) {
	for _, c := range []struct {
		remote    string
		forwarded []string
		want      string
	}{
		{"198.51.100.7:4711", nil, "198.51.100.7/32"},
		{"[2001:db8:1:2:3:4:5:6]:1", nil, "2001:db8:1:2::/64"},
		{"[2001:db8:1:2:ffff::]:1", nil, "2001:db8:1:2::/64"},
		{"[::ffff:198.51.100.7]:1", nil, "198.51.100.7/32"},
		{"[fe80::1%eth0]:1", nil, "fe80::/64"},
		{"198.51.100.7:4711", []string{"203.0.113.9"}, "198.51.100.7/32"}, // not from this machine: the client's claim does not count
		{"127.0.0.1:4711", nil, "127.0.0.1/32"},
		{"[::1]:4711", nil, "::1/128"},
		{"127.0.0.1:4711", []string{"203.0.113.9"}, "203.0.113.9/32"},
		{"[::1]:4711", []string{"203.0.113.9"}, "203.0.113.9/32"},
		{"127.0.0.1:1", []string{"10.0.0.1, 203.0.113.9"}, "203.0.113.9/32"},  // only the last entry is the proxy's
		{"127.0.0.1:1", []string{"203.0.113.9, 127.0.0.1"}, "203.0.113.9/32"}, // two proxies, one behind the other
		{"127.0.0.1:1", []string{"127.0.0.1, ::1"}, "127.0.0.1/32"},
		{"127.0.0.1:1", []string{"10.0.0.1", "10.0.0.2 , 203.0.113.9"}, "203.0.113.9/32"},
		{"127.0.0.1:1", []string{"203.0.113.9:5555"}, "203.0.113.9/32"},
		{"127.0.0.1:1", []string{"[2001:db8::9]:5555"}, "2001:db8::/64"},
		{"127.0.0.1:1", []string{"2001:db8::9"}, "2001:db8::/64"},
		{"127.0.0.1:1", []string{"unknown"}, "127.0.0.1/32"},
		{"127.0.0.1:1", []string{"203.0.113.9,"}, "127.0.0.1/32"},
		{"@", nil, "invalid Prefix"},
	} {
		r := httptest.NewRequest("GET", "/", nil)
		r.RemoteAddr = c.remote
		for _, f := range c.forwarded {
			r.Header.Add("X-Forwarded-For", f)
		}
		s := Server{TrustedProxies: thisMachine}
		if got := s.clientOf(r).String(); got != c.want {
			t.Errorf("%s %q: %s, want %s", c.remote, c.forwarded, got, c.want)
		}
	}
}

// The server trusts the proxies that are named, and no others.
func TestTrustedProxies(t *testing.T) {
	named := []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("192.0.2.1/32"), netip.MustParsePrefix("2001:db8:1::/48")}
	for _, c := range []struct {
		trusted           []netip.Prefix
		remote, forwarded string
		want              string
	}{
		{named, "10.1.2.3:1", "203.0.113.9", "203.0.113.9/32"},
		{named, "[::ffff:10.1.2.3]:1", "203.0.113.9", "203.0.113.9/32"},
		{named, "192.0.2.1:1", "203.0.113.9", "203.0.113.9/32"},
		{named, "192.0.2.2:1", "203.0.113.9", "192.0.2.2/32"},
		{named, "[2001:db8:1::5]:1", "203.0.113.9", "203.0.113.9/32"},
		{named, "[2001:db8:2::5]:1", "203.0.113.9", "2001:db8:2::/64"},
		{named, "127.0.0.1:1", "203.0.113.9", "127.0.0.1/32"},                                // it is not named
		{named, "10.1.2.3:1", "203.0.113.9, 192.0.2.1, 10.9.9.9", "203.0.113.9/32"},          // three, one behind the other
		{named, "10.1.2.3:1", "203.0.113.9, 192.0.2.2, 10.9.9.9", "192.0.2.2/32"},            // the second is a client that writes what it likes
		{named, "10.1.2.3:1", "1.1.1.1, 203.0.113.9", "203.0.113.9/32"},                      // the client wrote the first entry
		{named, "10.1.2.3:1", "10.0.0.1, 203.0.113.9, nonsense, 10.0.0.2", "10.0.0.2/32"},    // as far as it can be read
		{named, "10.1.2.3:1", strings.Repeat("10.0.0.1,", 1500) + "10.0.0.2", "10.0.0.1/32"}, // all are proxies
		{[]netip.Prefix{}, "127.0.0.1:1", "203.0.113.9", "127.0.0.1/32"},
	} {
		r := httptest.NewRequest("GET", "/", nil)
		r.RemoteAddr = c.remote
		r.Header.Set("X-Forwarded-For", c.forwarded)
		s := Server{TrustedProxies: c.trusted}
		if got := s.clientOf(r).String(); got != c.want {
			t.Errorf("%s %.60q: %s, want %s", c.remote, c.forwarded, got, c.want)
		}
	}
	// Such as the Handler has without any.
	h := newShelf(t, 2, 20).serve(Server{})
	for i := range 2 * keyBurst {
		if w := from(h, "127.0.0.1:1", wrong, fmt.Sprintf("203.0.113.%d", i)); w.Code != 404 {
			t.Errorf("a client's only guess, by a proxy: %d", w.Code)
		}
		if w := from(h, here, wrong, fmt.Sprintf("203.0.113.%d", i)); (w.Code == 429) != (i >= keyBurst) {
			t.Errorf("guess %d of a client that writes X-Forwarded-For: %d", i, w.Code)
		}
	}
}

// However many ask, no more than so many are remembered; the last to ask are.
func TestLimitersAreBounded(t *testing.T) {
	l := newLimiter[int](keyEvery, keyBurst)
	now := time.Now()
	for i := range 3 * maxClients {
		l.wait(i, now)
		l.wait(0, now)
	}
	if n := l.budgets.Len(); n != maxClients {
		t.Errorf("%d are remembered", n)
	}
	if wait := l.wait(0, now); wait <= 0 || wait > keyEvery {
		t.Errorf("one who guesses all the time may go on: %v", wait)
	}
}
