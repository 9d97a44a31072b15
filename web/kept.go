package web

import (
	"container/list"
	"net/http"
	"sync"
)

// keptRoom bounds the answers that are kept, in bytes of their bodies and of the
// addresses they were made for, which whoever asks makes as long as he likes;
// keptEach is what else one takes.
const (
	keptRoom = 8 << 20
	keptEach = 1 << 10
)

// kept are answers made not long ago. One is good as long as nothing at all has
// changed since it was begun (Games.Moved): who may see it included. It is
// asked for by the address, key and all, that it was made for.
type kept struct {
	mu    sync.Mutex
	room  int
	moved uint64 // all are of then
	all   map[keptKey]*list.Element
	used  list.List // of *keptAnswer, the last used first
}

type keptKey struct {
	path, query string
	zipped      bool
}

type keptAnswer struct {
	key keptKey
	*answer
}

// size is how much of the room it takes.
func (a *keptAnswer) size() int { return len(a.body) + len(a.key.path) + len(a.key.query) + keptEach }

func newKept() *kept { return &kept{room: keptRoom, all: map[keptKey]*list.Element{}} }

func (k *kept) find(key keptKey, moved uint64) *answer {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.moved != moved {
		return nil
	}
	e := k.all[key]
	if e == nil {
		return nil
	}
	k.used.MoveToFront(e)
	return e.Value.(*keptAnswer).answer
}

// keep keeps an answer that was begun when Moved said so much.
func (k *kept) keep(key keptKey, moved uint64, a *answer) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if moved < k.moved || k.all[key] != nil && moved == k.moved {
		return
	}
	if moved > k.moved {
		k.moved, k.room = moved, keptRoom
		clear(k.all)
		k.used.Init()
	}
	e := &keptAnswer{key, a}
	k.all[key] = k.used.PushFront(e)
	for k.room -= e.size(); k.room < 0; {
		old := k.used.Remove(k.used.Back()).(*keptAnswer)
		delete(k.all, old.key)
		k.room += old.size()
	}
}

func keyOfRequest(r *http.Request) keptKey {
	return keptKey{r.URL.EscapedPath(), r.URL.RawQuery, takesGzip(r)}
}

// keeping answers from what is kept, and has next's answer kept.
func (s Server) keeping(next http.HandlerFunc) http.HandlerFunc {
	next = bounded(next)
	return func(w http.ResponseWriter, r *http.Request) {
		moved := s.Games.Moved()
		if a := s.kept.find(keyOfRequest(r), moved); a != nil {
			a.serve(w, r)
			return
		}
		if rec, ok := w.(*recorder); ok {
			rec.keep = func(a *answer) { s.kept.keep(keyOfRequest(r), moved, a) }
		}
		next(w, r)
	}
}

// send answers with a body of a kind; cache says how long it may be kept.
func (s Server) send(w http.ResponseWriter, r *http.Request, kind, cache string, body []byte) {
	a := newAnswer(kind, cache, body, takesGzip(r) && kind != pngKind)
	for _, name := range []string{"Content-Security-Policy", "Content-Disposition", "X-Robots-Tag", "Cross-Origin-Resource-Policy"} {
		a.header[name] = w.Header()[name] // nil: it is not sent
	}
	if rec, ok := w.(*recorder); ok && rec.keep != nil && cache != never {
		rec.keep(a)
	}
	a.serve(w, r)
}
