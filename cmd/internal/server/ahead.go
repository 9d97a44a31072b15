package server

import (
	"runtime"
	"sync"
	"time"

	"angelpost/engine/notice"
)

// An ahead renders letters while the desk still writes what led to them and the disk
// takes it. It is a cache: what is missing here is rendered from the database, and
// has the same bytes. Its keys are Message-IDs, which are random, so no one ever asks
// for a letter whose transaction failed. It is safe for concurrent use.
type ahead struct {
	write func(*notice.Input, func() []byte) ([]byte, error)
	slots chan struct{} // of the processors

	mu      sync.Mutex
	letters map[string]*early // by Message-ID
}

// An early letter is one that no one has asked for yet.
type early struct {
	since time.Time
	done  chan struct{}
	raw   []byte // once it is done; nil if that failed
}

const (
	maxEarly = 32               // letters kept; one has some 65 KB
	earlyFor = 10 * time.Second // at least, once there is no room
)

func newAhead(write func(sheet *notice.Input, picture func() []byte) ([]byte, error)) *ahead {
	return &ahead{write: write, slots: make(chan struct{}, runtime.GOMAXPROCS(0)), letters: map[string]*early{}}
}

// begin begins to render a letter, if there is room. Its picture may have been
// begun; nil: it was not. It returns at once.
func (a *ahead) begin(id string, picture func() []byte, sheet func() (*notice.Input, error)) {
	a.mu.Lock()
	defer a.mu.Unlock()
	delete(a.letters, id) // what was told of it before was not committed
	if a.full() {
		return
	}
	e := &early{since: time.Now(), done: make(chan struct{})}
	a.letters[id] = e
	go func() {
		defer close(e.done)
		a.slots <- struct{}{}
		defer func() {
			<-a.slots
			if recover() != nil {
				e.raw = nil // the next attempt to render it says what is wrong
			}
		}()
		if sheet, err := sheet(); err == nil {
			e.raw, _ = a.write(sheet, picture) // likewise
		}
	}()
}

// room reports whether a letter may be begun.
func (a *ahead) room() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return !a.full()
}

// full reports whether there is no room, even without letters that no one has asked
// for in earlyFor. a.mu is held.
func (a *ahead) full() bool {
	if len(a.letters) < maxEarly {
		return false
	}
	now := time.Now()
	for id, e := range a.letters {
		if now.Sub(e.since) > earlyFor {
			delete(a.letters, id)
		}
	}
	return len(a.letters) >= maxEarly
}

// take is the bytes of a letter that was begun, which are forgotten; nil: it was
// not, or it failed.
func (a *ahead) take(id string) []byte {
	a.mu.Lock()
	e := a.letters[id]
	delete(a.letters, id)
	a.mu.Unlock()
	if e == nil {
		return nil
	}
	<-e.done
	return e.raw
}
