package dkim

import (
	"context"
	"errors"
	"net"
	"strings"
	"time"

	"github.com/hashicorp/golang-lru/v2/simplelru"
)

// Bounds of asking DNS. Writers known to the server and strangers have their own each, so no
// stranger's letter delays what a player's needs.
const (
	askFor      = 10 * time.Second // a name is asked for, the wait for its turn included
	maxAsking   = 32               // names at once
	maxWaiting  = 500              // names that are asked for or wait for it
	maxRecord   = 4096             // octets of a record
	maxAnswers  = 2000             // that are kept
	keepAnswer  = time.Hour        // what DNS has
	keepNothing = 10 * time.Minute // what it does not have
	keepFailure = time.Minute      // that it did not answer
)

// An answer is what DNS has for a name.
type answer struct {
	records []string
	failed  bool // it did not say
	until   time.Time
}

// A question is a name that DNS is asked for.
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

// A line is the questions about one organisation's names, which are asked one at a time: an
// organisation whose servers never answer holds up its own letters.
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

// known is what DNS has said of a name lately. c.mu is held.
func (c *Checker) known(name string) (a answer, ok bool) {
	if c.lookups == nil {
		c.lookups = newLookups()
	}
	a, ok = c.answers.Get(name)
	return a, ok && c.Now().Before(a.until)
}

// Ask asks DNS for names and waits until it has answered, the time for that is over or ctx has
// ended. first: for a letter whose writer the server knows. What is asked goes on without ctx.
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

// begin has a question asked; what it returns is closed when that is over, and nil if it is
// answered or too many wait.
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

// work asks the questions of a line, of which a is the first, until there are no more.
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

// resolve asks DNS when there is a slot; false: there was none in time, or the answer is known.
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
	// Without the dot a resolver also asks for the name within its own domains; what these
	// have, or have not, says nothing of the name.
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

// lookup is what is known of a name. Any error is temporary: where there is nothing it finds
// nothing.
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

// askable reports whether a name can be asked for.
func askable(name string) bool { return domainName.MatchString(name) && len(name) <= 253 }
