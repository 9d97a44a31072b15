package web

import (
	"bytes"
	"math"
	"net/http"
	"sync"

	"github.com/hashicorp/golang-lru/v2/simplelru"
)

// keptRoom bounds the answers kept, in bytes of their bodies and of the addresses
// they were made for, which clients make as long as they like; keptEach is what
// else one takes.
const (
	keptRoom = 8 << 20
	keptEach = 1 << 10
)

// A pageCache keeps answers made not long ago, the last used longest. One is good
// as long as nothing at all has changed since it was begun (Server.Moved), who may
// see it included. Its key is the whole address, secret key and all, that it was
// made for. It is safe for concurrent use.
type pageCache struct {
	mu      sync.Mutex
	moved   uint64 // when all the answers were made
	room    int    // bytes left
	answers *simplelru.LRU[pageKey, *answer]
}

type pageKey struct {
	path, query string
	zipped      bool
}

// size is how much of the room an answer takes.
func (k pageKey) size(a *answer) int { return len(a.body) + len(k.path) + len(k.query) + keptEach }

func newPageCache() *pageCache {
	c := &pageCache{room: keptRoom}
	// Bounded by bytes and not by number; its only error is a bound below 1.
	c.answers, _ = simplelru.NewLRU(math.MaxInt, func(k pageKey, a *answer) { c.room += k.size(a) })
	return c
}

// find returns the answer kept for key, nil if there is none as of moved.
func (c *pageCache) find(key pageKey, moved uint64) *answer {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.moved != moved {
		return nil
	}
	a, _ := c.answers.Get(key)
	return a
}

// keep keeps an answer that was begun when Moved said so much.
func (c *pageCache) keep(key pageKey, moved uint64, a *answer) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if moved < c.moved || moved == c.moved && c.answers.Contains(key) {
		return
	}
	if moved > c.moved {
		c.moved = moved
		c.answers.Purge()
	}
	c.answers.Add(key, a)
	for c.room -= key.size(a); c.room < 0; {
		c.answers.RemoveOldest()
	}
}

func keyOfRequest(r *http.Request) pageKey {
	return pageKey{r.URL.EscapedPath(), r.URL.RawQuery, takesGzip(r)}
}

// keeping answers from what is kept, and has next's answer kept.
func (s Server) keeping(next http.HandlerFunc) http.HandlerFunc {
	next = bounded(next)
	return func(w http.ResponseWriter, r *http.Request) {
		moved := s.Moved()
		if a := s.cache.find(keyOfRequest(r), moved); a != nil {
			a.serve(w, r)
			return
		}
		if rec, ok := w.(*recorder); ok {
			rec.keep = func(a *answer) { s.cache.keep(keyOfRequest(r), moved, a) }
		}
		next(w, r)
	}
}

// send answers with a body of a kind; cache says how long it may be kept. The body is
// the caller's again afterwards.
func (s Server) send(w http.ResponseWriter, r *http.Request, kind, cache string, body []byte) {
	body = s.withPath(kind, body)
	a := newAnswer(kind, cache, body, takesGzip(r) && kind != pngKind)
	for _, name := range []string{"Content-Security-Policy", "Content-Disposition", "X-Robots-Tag", "Cross-Origin-Resource-Policy"} {
		a.header[name] = w.Header()[name] // nil: it is not sent
	}
	if rec, ok := w.(*recorder); ok && rec.keep != nil && cache != never {
		if !a.zipped {
			a.body = bytes.Clone(body)
		}
		rec.keep(a)
	}
	a.serve(w, r)
}
