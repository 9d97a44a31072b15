package web

import (
	"container/list"
	"math"
	"net/http"
	"net/netip"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// How often one client may ask for a game or with a key that is not there: so
// many at once, then one every so often. Beyond that it gets nothing, not even
// with a right key: a guess that fits does not tell.
const (
	guessBurst = 30
	guessEvery = 10 * time.Second
	maxClients = 10_000 // remembered; the one asked by longest ago is forgotten first
)

// guesses counts what each client asked for in vain. It holds only those that
// have a request under way or a debt.
type guesses struct {
	mu      sync.Mutex
	clients map[netip.Prefix]*list.Element
	recent  list.List // of *guesser, the last to ask in front
}

type guesser struct {
	from   netip.Prefix
	budget *rate.Limiter
	asking int // requests under way: each may turn out to be a guess
}

// begin asks whether a client may ask now; if not, wait is when to come again,
// and end is nil. Otherwise end must be called once it is known whether it
// asked in vain.
func (g *guesses) begin(from netip.Prefix, now time.Time) (end func(vain bool), wait time.Duration) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.clients == nil {
		g.clients = map[netip.Prefix]*list.Element{}
	}
	e := g.clients[from]
	if e == nil {
		e = g.recent.PushFront(&guesser{from: from, budget: rate.NewLimiter(rate.Every(guessEvery), guessBurst)})
		g.clients[from] = e
		if g.recent.Len() > maxClients {
			g.forget(g.recent.Back())
		}
	}
	g.recent.MoveToFront(e)
	c := e.Value.(*guesser)
	if left := c.budget.TokensAt(now) - float64(c.asking); left < 1 {
		return nil, time.Duration((1 - left) * float64(guessEvery))
	}
	c.asking++
	return func(vain bool) {
		g.mu.Lock()
		defer g.mu.Unlock()
		c.asking--
		if vain {
			c.budget.AllowN(now, 1)
		}
		if c.asking == 0 && c.budget.TokensAt(now) >= guessBurst && g.clients[from] == e {
			g.forget(e)
		}
	}, 0
}

func (g *guesses) forget(e *list.Element) {
	delete(g.clients, e.Value.(*guesser).from)
	g.recent.Remove(e)
}

// clientOf is where a request comes from: its address, of IPv6 the network of
// 64 bits that one subscriber has. From a reverse proxy on this machine it is
// the last entry of X-Forwarded-For, which the proxy has added.
func clientOf(r *http.Request) netip.Prefix {
	at := addressIn(r.RemoteAddr)
	if at.IsLoopback() {
		if all := r.Header.Values("X-Forwarded-For"); len(all) > 0 {
			entries := strings.Split(all[len(all)-1], ",")
			if told := addressIn(strings.TrimSpace(entries[len(entries)-1])); told.IsValid() {
				at = told
			}
		}
	}
	bits := 64
	if at.Is4() {
		bits = 32
	}
	p, err := at.Prefix(bits)
	if err != nil { // no address: all such are one
		return netip.Prefix{}
	}
	return p
}

// addressIn reads an IP address with or without a port.
func addressIn(s string) netip.Addr {
	at, err := netip.ParseAddr(strings.Trim(s, "[]"))
	if err != nil {
		with, err := netip.ParseAddrPort(s)
		if err != nil {
			return netip.Addr{}
		}
		at = with.Addr()
	}
	return at.Unmap().WithZone("")
}

// guessable lets a handler answer only clients that have not guessed too much.
func (s Server) guessable(next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		end, wait := s.guesses.begin(clientOf(r), time.Now())
		if end == nil {
			w.Header().Set("Retry-After", strconv.Itoa(int(math.Ceil(wait.Seconds()))))
			s.say(w, r, http.StatusTooManyRequests, "page.too-many", "page.too-many-text")
			return
		}
		rec, _ := w.(*recorder)
		defer func() { end(rec != nil && rec.vain) }()
		next(w, r)
	}
}
