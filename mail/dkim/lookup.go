package dkim

import (
	"context"
	"errors"
	"net"
	"strings"
	"time"

	"github.com/hashicorp/golang-lru/v2/simplelru"
)

// Bounds of DNS queries. Letters of known writers and of strangers have separate limits, so no
// stranger's letter delays a query for a player's.
const (
	askFor      = 10 * time.Second // timeout of a query, with its time in the queue
	maxAsking   = 32               // queries at once
	maxWaiting  = 500              // queries under way or in a queue; further ones are dropped
	maxRecord   = 4096             // octets of a record
	maxAnswers  = 2000             // in the cache
	keepAnswer  = time.Hour        // in the cache, if DNS has records
	keepNothing = 10 * time.Minute // if it has none
	keepFailure = time.Minute      // if it did not answer
)

// An answer is what DNS has for a name.
type answer struct {
	records []string
	failed  bool // it did not answer
	until   time.Time
}

// A question is a DNS query for the TXT records of a name.
type question struct {
	name  string
	first bool // for a letter of a known writer
}

// asking is a question under way.
type asking struct {
	question
	ctx  context.Context // ends when it is over
	end  context.CancelFunc
	done chan struct{} // closed when it is over
}

// A line names the queue of one organisation's queries, which run one at a time. If an
// organisation's servers never answer, that delays only its own letters.
type line struct {
	organisation string
	first        bool
}

// lookups are the state of a Checker; its mu guards them.
type lookups struct {
	answers *simplelru.LRU[string, answer]
	under   map[question]*asking
	lines   map[line][]*asking
	waiting map[bool]int // questions under way
	slots   map[bool]chan struct{}
}

func newLookups() *lookups {
	l := &lookups{
		under: map[question]*asking{}, lines: map[line][]*asking{}, waiting: map[bool]int{},
		slots: map[bool]chan struct{}{false: make(chan struct{}, maxAsking), true: make(chan struct{}, maxAsking)},
	}
	l.answers, _ = simplelru.NewLRU[string, answer](maxAnswers, nil) // its only error is a bound below 1
	return l
}

// known returns the cached answer for a name, if it has not expired. The caller holds c.mu.
func (c *Checker) known(name string) (a answer, ok bool) {
	if c.lookups == nil {
		c.lookups = newLookups()
	}
	a, ok = c.answers.Get(name)
	return a, ok && c.Now().Before(a.until)
}

// Ask queries DNS for names. It waits until all queries are over, by an answer or the timeout,
// or until ctx ends; the queries go on even then. first means that the server knows the
// letter's writer.
func (c *Checker) Ask(ctx context.Context, names []string, first bool) {
	var all []<-chan struct{}
	for _, name := range names {
		if done := c.begin(question{name, first}); done != nil {
			all = append(all, done)
		}
	}
	for _, done := range all {
		select {
		case <-done:
		case <-ctx.Done():
			return
		}
	}
}

// begin queues a question, if it is not queued yet, and returns a channel that is closed when
// the query is over. It returns nil if the cache has the answer or the queue is full.
func (c *Checker) begin(q question) <-chan struct{} {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, ok := c.known(q.name); ok {
		return nil
	}
	if a := c.under[q]; a != nil {
		return a.done
	}
	if c.waiting[q.first] >= maxWaiting {
		return nil
	}
	a := &asking{question: q, done: make(chan struct{})}
	a.ctx, a.end = context.WithTimeout(context.Background(), askFor)
	c.under[q] = a
	c.waiting[q.first]++
	l := line{Organisation(q.name), q.first}
	c.lines[l] = append(c.lines[l], a)
	if len(c.lines[l]) == 1 {
		go c.work(l, a)
	}
	return a.done
}

// work runs the queries of a line, of which a is the first, until the line is empty.
func (c *Checker) work(l line, a *asking) {
	for a != nil {
		found, ok := c.resolve(a)
		c.mu.Lock()
		if ok {
			c.answers.Add(a.name, found)
		}
		delete(c.under, a.question)
		c.waiting[a.first]--
		close(a.done)
		a.end()
		if c.lines[l] = c.lines[l][1:]; len(c.lines[l]) > 0 {
			a = c.lines[l][0]
		} else {
			delete(c.lines, l)
			a = nil
		}
		c.mu.Unlock()
	}
}

// resolve queries DNS once there is a slot. It returns false if there was none in time, or if
// the cache has the answer.
func (c *Checker) resolve(a *asking) (found answer, ok bool) {
	c.mu.Lock()
	_, known := c.known(a.name)
	slots := c.slots[a.first]
	c.mu.Unlock()
	if known || a.ctx.Err() != nil {
		return answer{}, false
	}
	select {
	case slots <- struct{}{}:
		defer func() { <-slots }()
	case <-a.ctx.Done():
		return answer{}, false
	}
	// Without the final dot a resolver also tries the name within its search domains. Their
	// records say nothing about the name.
	records, err := c.TXT(a.ctx, a.name+".")
	var dns *net.DNSError
	switch {
	case errors.As(err, &dns) && dns.IsNotFound && a.ctx.Err() == nil:
		records = nil
	case err != nil:
		return answer{failed: true, until: c.Now().Add(keepFailure)}, true
	}
	for _, r := range records {
		if len(r) > maxRecord {
			records = nil
			break
		}
	}
	keep := keepAnswer
	if len(records) == 0 {
		keep = keepNothing
	}
	return answer{records: records, until: c.Now().Add(keep)}, true
}

// lookup returns the cached records of a name, none if DNS has none. Its only error is a
// temporary one: the cache has no answer, or the query failed.
func (c *Checker) lookup(name string) ([]string, error) {
	name = strings.ToLower(name)
	if !askable(name) {
		return nil, nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	a, ok := c.known(name)
	if !ok || a.failed {
		return nil, &net.DNSError{Err: "no answer", Name: name, IsTemporary: true}
	}
	return a.records, nil
}

// askable reports whether a name is valid in a DNS query.
func askable(name string) bool { return domainName.MatchString(name) && len(name) <= 253 }
