package imapbox_test

import (
	"bytes"
	"context"
	"sync"
	"time"

	"angelpost/mail/imapbox"
)

// A ledger is a Handler that recognises letters by their content, as the server does.
type ledger struct {
	mu      sync.Mutex
	offered map[string]int // how often, by text without trace headers
	// before, if set, may delay or fail a letter before the ledger records it.
	before func(text string) error
}

func (l *ledger) handle(ctx context.Context, letters []imapbox.Fetched) []imapbox.Verdict {
	out := make([]imapbox.Verdict, len(letters))
	for i, f := range letters {
		text := string(f.Raw)
		if at := bytes.Index(f.Raw, []byte("From: ")); at >= 0 { // relays add their headers above
			text = text[at:]
		}
		if l.before != nil {
			out[i].Err = l.before(text)
		}
		if out[i].Err == nil {
			l.mu.Lock()
			if l.offered == nil {
				l.offered = map[string]int{}
			}
			l.offered[text]++
			l.mu.Unlock()
		}
	}
	return out
}

// lacks returns the names of letters that the ledger has not recorded.
func (l *ledger) lacks(letters map[string]string) (names []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for name, text := range letters {
		if l.offered[text] == 0 {
			names = append(names, name)
		}
	}
	return names
}

// count returns how many different letters the ledger has recorded, and how often in total.
func (l *ledger) count() (different, all int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, n := range l.offered {
		all += n
	}
	return len(l.offered), all
}

// until waits until the ledger has recorded all of the letters, for limit at most, and
// returns those that it lacks.
func (l *ledger) until(letters map[string]string, limit time.Duration) (lacking []string) {
	for deadline := time.Now().Add(limit); ; time.Sleep(10 * time.Millisecond) {
		if lacking = l.lacks(letters); len(lacking) == 0 || time.Now().After(deadline) {
			return lacking
		}
	}
}
