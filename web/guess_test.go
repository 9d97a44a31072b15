package web

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
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

// asked counts how often a game was looked up.
type asked struct {
	Games
	n    atomic.Int64
	hold chan struct{} // nil: at once
}

func (a *asked) Look(ctx context.Context, id, key string, at int) (*Game, error) {
	a.n.Add(1)
	if a.hold != nil {
		<-a.hold
	}
	return a.Games.Look(ctx, id, key, at)
}

func (a *asked) Muted(ctx context.Context, id, key string) (string, bool, error) {
	a.n.Add(1)
	return a.Games.Muted(ctx, id, key)
}

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

// Who guesses is answered 30 times, then once in ten seconds, and nothing is
// looked up for him in between: a right key gets the same answer as a wrong one.
func TestGuessing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		games := &asked{Games: newShelf(t, 2, 20)}
		h := Server{Games: games, Log: slog.New(slog.DiscardHandler)}.Handler()
		paths := []string{wrong, wrong + "/view.json", "/g/none", "/g/none/view.json", "/g/private", "/g/none/key", wrong + "/mute", right + "/mute"}
		for i := range guessBurst {
			if w := from(h, here, paths[i%len(paths)]); w.Code != 404 {
				t.Fatalf("guess %d: %d", i, w.Code)
			}
		}
		looked := games.n.Load()
		for _, path := range append(paths, right, right+"/view.json", "/g/unlisted/"+buttonOf(1)+"/mute", "/g/unlisted") {
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
		if games.n.Load() != looked {
			t.Error("something was looked up for one who may not ask")
		}
		// Others, and what is no game, go on.
		for remote, path := range map[string]string{"198.51.100.8:1": right, "[2001:db8::1]:1": wrong, here: "/"} {
			if w := from(h, remote, path); w.Code == 429 {
				t.Errorf("%s, %s: 429", remote, path)
			}
		}
		time.Sleep(guessEvery)
		if w := from(h, here, right); w.Code != 200 {
			t.Errorf("after a while: %d", w.Code)
		}
		if w := from(h, here, wrong); w.Code != 404 {
			t.Errorf("one guess after a while: %d", w.Code)
		}
		if w := from(h, here, right); w.Code != 429 {
			t.Errorf("after that one: %d", w.Code)
		}
		time.Sleep(guessBurst * guessEvery)
		for i := range guessBurst + 1 {
			if w := from(h, here, wrong); w.Code != 404 && i < guessBurst || w.Code != 429 && i == guessBurst {
				t.Fatalf("after a long while, guess %d: %d", i, w.Code)
			}
		}
	})
}

// Whoever asks for what is there may ask as often as he likes, also for a step
// that is not there yet, and is not remembered.
func TestReadersAreNotSlowedDown(t *testing.T) {
	s := Server{Games: newShelf(t, 2, 20), Words: words.English(), Log: slog.New(slog.DiscardHandler)}
	s.guesses = &guesses{}
	h := s.guard(s.guessable(s.game))
	mux := http.NewServeMux()
	mux.Handle("GET /g/{id}/{key}", h)
	for i := range 500 {
		path, want := right, 200
		if i%2 == 1 {
			path, want = right+"?at="+[]string{"999", "x"}[i/2%2], 404
		}
		if w := from(mux, here, path); w.Code != want {
			t.Fatalf("request %d: %d", i, w.Code)
		}
	}
	if n := s.guesses.recent.Len(); n != 0 || len(s.guesses.clients) != 0 {
		t.Errorf("%d clients are remembered", n)
	}
}

// Guesses made all at once are no more than guesses made one by one.
func TestGuessingInParallel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		games := &asked{Games: newShelf(t, 2, 20), hold: make(chan struct{})}
		h := Server{Games: games, Log: slog.New(slog.DiscardHandler)}.Handler()
		var wait sync.WaitGroup
		var refused atomic.Int64
		for range 200 {
			wait.Go(func() {
				if from(h, here, wrong).Code == 429 {
					refused.Add(1)
				}
			})
		}
		synctest.Wait()
		close(games.hold)
		wait.Wait()
		if n := games.n.Load(); n != guessBurst || refused.Load() != 200-guessBurst {
			t.Errorf("%d looked up, %d refused", n, refused.Load())
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
		{"198.51.100.7:4711", []string{"203.0.113.9"}, "198.51.100.7/32"}, // not from this machine: what he says does not count
		{"127.0.0.1:4711", nil, "127.0.0.1/32"},
		{"[::1]:4711", nil, "::/64"},
		{"127.0.0.1:4711", []string{"203.0.113.9"}, "203.0.113.9/32"},
		{"[::1]:4711", []string{"203.0.113.9"}, "203.0.113.9/32"},
		{"127.0.0.1:1", []string{"10.0.0.1, 203.0.113.9"}, "203.0.113.9/32"}, // only the last entry is the proxy's
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
		if got := clientOf(r).String(); got != c.want {
			t.Errorf("%s %q: %s, want %s", c.remote, c.forwarded, got, c.want)
		}
	}
}

// However many ask, no more than so many are remembered; who asked last is.
func TestGuessersAreBounded(t *testing.T) {
	var g guesses
	now := time.Now()
	client := func(i int) netip.Prefix {
		return netip.MustParsePrefix(fmt.Sprintf("2001:db8:%x:%x::/64", i>>16, i&0xffff))
	}
	for i := range 3 * maxClients {
		end, _ := g.begin(client(i), now)
		end(true)
		if end, _ := g.begin(client(0), now); end != nil {
			end(true)
		}
	}
	if g.recent.Len() != maxClients || len(g.clients) != maxClients {
		t.Errorf("%d and %d are remembered", g.recent.Len(), len(g.clients))
	}
	if end, wait := g.begin(client(0), now); end != nil || wait <= 0 || wait > guessEvery {
		t.Errorf("one who guesses all the time may go on: %v", wait)
	}
	if end, _ := g.begin(client(1), now); end == nil {
		t.Error("one forgotten may not ask")
	}
	// A request that outlives its client's place changes nothing of another's.
	end, _ := g.begin(client(2), now)
	for i := range maxClients {
		e, _ := g.begin(client(10+i), now)
		e(true)
	}
	end(true)
	if g.recent.Len() != maxClients || len(g.clients) != maxClients {
		t.Errorf("%d and %d are remembered", g.recent.Len(), len(g.clients))
	}
}
