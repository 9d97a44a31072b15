package web

import (
	"context"
	"math"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/hashicorp/golang-lru/v2/simplelru"
	"golang.org/x/time/rate"
)

// How often one client may ask for anything: so many at once, then so many a
// second. Walking through a game by a key held down stays below it. This
// machine itself may ask as often as it likes; a proxy on it tells its clients
// apart (clientOf).
const (
	rateBurst     = 300
	ratePerSecond = 20
)

const maxClients = 10_000 // remembered by one limiter; the one seen longest ago is forgotten first

// A limiter is a rate limiter with a budget for each key.
type limiter[K comparable] struct {
	every time.Duration // one more request
	burst int

	mu      sync.Mutex
	budgets *simplelru.LRU[K, *rate.Limiter]
}

func newLimiter[K comparable](every time.Duration, burst int) *limiter[K] {
	budgets, _ := simplelru.NewLRU[K, *rate.Limiter](maxClients, nil) // its only error is a bound below 1
	return &limiter[K]{every: every, burst: burst, budgets: budgets}
}

// wait counts a request, or returns how long to wait before there may be one.
func (l *limiter[K]) wait(key K, now time.Time) time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	b, ok := l.budgets.Get(key)
	if !ok {
		b = rate.NewLimiter(rate.Every(l.every), l.burst)
		l.budgets.Add(key, b)
	}
	if b.AllowN(now, 1) {
		return 0
	}
	return max(1, time.Duration((1-b.TokensAt(now))*float64(l.every)))
}

// rateLimited lets next answer only clients that do not ask too often. A client that
// has used up its budget and holds a right key has the key's own budget as well: it may
// share an address with others who guess.
func (s Server) rateLimited(next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if from := s.clientOf(r); from.IsValid() && !from.Addr().IsLoopback() {
			now := time.Now()
			wait := s.rateLimiter.wait(from, now)
			if wait > 0 && s.holdsKey(r) {
				wait = s.keyRateLimiter.wait(r.PathValue("id")+r.PathValue("league")+"/"+r.PathValue("key"), now)
			}
			if wait > 0 {
				s.tooMany(w, r, wait, "page.too-often", "page.too-often-text")
				return
			}
		}
		next(w, r)
	}
}

// holdsKey reports whether the key in a request's address is right.
func (s Server) holdsKey(r *http.Request) bool {
	key := r.PathValue("key")
	if key == "" {
		return false
	}
	ctx, cancel := context.WithTimeout(r.Context(), workTimeout)
	defer cancel()
	var err error
	switch league := r.PathValue("league"); {
	case league != "":
		_, _, err = s.Leagues.LeagueMuted(ctx, league, key)
	case strings.HasSuffix(r.Pattern, "/mute"):
		_, _, err = s.Games.Muted(ctx, r.PathValue("id"), key)
	default:
		err = s.Games.Opens(ctx, r.PathValue("id"), key)
	}
	return err == nil
}

// tooMany refuses a request for now.
func (s Server) tooMany(w http.ResponseWriter, r *http.Request, wait time.Duration, head, text string) {
	w.Header().Set("Retry-After", strconv.Itoa(int(math.Ceil(wait.Seconds()))))
	s.say(w, r, http.StatusTooManyRequests, head, text)
}
