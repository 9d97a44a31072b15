package web

import (
	"container/list"
	"math"
	"net/http"
	"net/netip"
	"strconv"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// How often one client may ask for anything: so many at once, then so many a
// second. Walking through a game by a key held down stays below it. This
// machine itself may ask as often as it likes; a proxy on it tells its clients
// apart (clientOf).
const (
	paceBurst     = 300
	pacePerSecond = 20
)

// pace counts what each client asks for; the one asked by longest ago is
// forgotten first.
type pace struct {
	mu      sync.Mutex
	clients map[netip.Prefix]*list.Element
	recent  list.List // of *paced, the last to ask in front
}

type paced struct {
	from   netip.Prefix
	budget *rate.Limiter
}

// wait is how long a client must wait before it may ask; 0 if it may now.
func (p *pace) wait(from netip.Prefix, now time.Time) time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.clients == nil {
		p.clients = map[netip.Prefix]*list.Element{}
	}
	e := p.clients[from]
	if e == nil {
		e = p.recent.PushFront(&paced{from, rate.NewLimiter(pacePerSecond, paceBurst)})
		p.clients[from] = e
		if p.recent.Len() > maxClients {
			old := p.recent.Remove(p.recent.Back()).(*paced)
			delete(p.clients, old.from)
		}
	}
	p.recent.MoveToFront(e)
	budget := e.Value.(*paced).budget
	if budget.AllowN(now, 1) {
		return 0
	}
	return time.Duration((1 - budget.TokensAt(now)) / pacePerSecond * float64(time.Second))
}

// paced lets next answer only clients that do not ask too often.
func (s Server) paced(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if from := clientOf(r); from.IsValid() && !from.Addr().IsLoopback() {
			if wait := s.pace.wait(from, time.Now()); wait > 0 {
				w.Header().Set("Retry-After", strconv.Itoa(max(1, int(math.Ceil(wait.Seconds())))))
				s.say(w, r, http.StatusTooManyRequests, "page.too-often", "page.too-often-text")
				return
			}
		}
		next.ServeHTTP(w, r)
	})
}
