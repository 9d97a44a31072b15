package server

import (
	"cmp"
	"context"
	"net"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"

	"angelpost/db"
	"angelpost/engine/incoming"
	"angelpost/engine/match/unit"
	"angelpost/engine/store"
	"angelpost/mail/dkim"
	"angelpost/mail/letter"
)

// Where check_senders is set, who wrote a letter is looked up in DNS beside the letters that
// are handled: a letter of which DNS has not said enough is stored and waits, and so do later
// ones of the same writer, but no one else's. After a bounded time it is handled as one of
// which nothing is known. The next start handles those that still wait when the server ends.

const (
	provedIn  = 10 * time.Second // the longest that a letter waits for DNS
	provers   = 500              // strangers whose letters wait; those of more are not looked up
	proveNext = 2 * time.Second  // until a letter is tried again that could not be handled
)

// proving is the letters that wait until DNS has said who wrote them.
type proving struct {
	mu     sync.Mutex
	ctx    context.Context       // nil: none wait, what they need is looked up before they are handled
	lines  map[string][]unproven // by writer, in the order of arrival
	active sync.WaitGroup
}

// An unproven letter is stored, and waits.
type unproven struct {
	id    int64
	names []string // to look up in DNS
	known bool     // its writer is a player
}

// begin lets letters wait until ctx ends, and until the function that it returns is called, which
// returns when none is being handled any more.
func (p *proving) begin(ctx context.Context) (end func()) {
	ctx, stop := context.WithCancel(ctx)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.ctx, p.lines = ctx, map[string][]unproven{}
	return func() {
		p.mu.Lock()
		stop()
		p.mu.Unlock()
		p.active.Wait()
	}
}

// beside reports whether letters can wait.
func (p *proving) beside() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.ctx != nil && p.ctx.Err() == nil
}

// waits reports whether letters of a writer wait.
func (p *proving) waits(from string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.lines[from]) > 0
}

// full reports whether no other stranger's letter is to wait.
func (p *proving) full() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.lines) >= provers
}

// enter has a stored letter wait. handle works off the letters of its writer, of which it is the
// first, beside the caller.
func (p *proving) enter(from string, l unproven, handle func(context.Context, unproven)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.ctx.Err() != nil || slices.ContainsFunc(p.lines[from], func(other unproven) bool { return other.id == l.id }) {
		return // the next start finds it; or it is a copy
	}
	p.lines[from] = append(p.lines[from], l)
	if len(p.lines[from]) > 1 {
		return
	}
	p.active.Go(func() {
		for more := true; more && p.ctx.Err() == nil; {
			handle(p.ctx, l)
			l, more = p.next(from)
		}
	})
}

// next takes out the first letter of a writer and returns the one behind it.
func (p *proving) next(from string) (l unproven, ok bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.lines[from] = p.lines[from][1:]; len(p.lines[from]) > 0 {
		return p.lines[from][0], true
	}
	delete(p.lines, from)
	return unproven{}, false
}

// checking checks letters in by DNS, if the configuration wants that.
func (c *Config) checking(now func() time.Time) *dkim.Checker {
	if !c.CheckSenders {
		return nil
	}
	return &dkim.Checker{TXT: net.DefaultResolver.LookupTXT, Now: now}
}

// provider is the domain that its owner registered, of an address.
func provider(address string) string {
	return dkim.Organisation(address[strings.LastIndexByte(address, '@')+1:])
}

// needs returns what DNS is to be asked for before a letter can be judged. One of which only the
// header was taken cannot be.
func (s *Server) needs(l *letter.Letter, in Arrival) (names []string) {
	if s.checker == nil || in.HeaderOnly || l.From == "" {
		return nil
	}
	defer s.unchecked(l)
	return s.checker.Needs(in.Raw, l.From)
}

// judge notes who wrote a letter, by what DNS has said.
func (s *Server) judge(l *letter.Letter, in Arrival) {
	if s.checker == nil || in.HeaderOnly || l.From == "" {
		return
	}
	defer s.unchecked(l)
	l.Judge(dkim.CheckerID, s.checker.Results(in.Raw, l.From, in.Received))
}

// unchecked recovers from a fault in checking a letter, which would come again with the letter
// after each start.
func (s *Server) unchecked(l *letter.Letter) {
	if p := recover(); p != nil {
		s.log.Error("who wrote a letter cannot be checked", "message_id", l.MessageID, "panic", p, "stack", string(debug.Stack()))
	}
}

// lookUp asks DNS for names and waits for it.
func (s *Server) lookUp(ctx context.Context, names []string, known bool) {
	if len(names) == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, provedIn)
	defer cancel()
	s.checker.Ask(ctx, names, known)
}

// player reports whether a letter is a player's: by its address, or by one of their tokens.
func (s *Server) player(ctx context.Context, from, token string) (is bool) {
	err := s.DB.View(ctx, func(tx store.Tx) error {
		var id int64
		if a, err := tx.Address(from); err == nil {
			id = a.Player
		}
		if t, err := tx.Token(strings.ToLower(token)); id == 0 && err == nil {
			id = t.Player
		}
		if id == 0 {
			return nil
		}
		p, err := tx.Player(id)
		is = p.Registered
		return err
	})
	return err == nil && is
}

// unproven returns what each letter waits for, nil if it does not wait. Before letters can wait
// (proving.begin) it looks up all that they need at once.
func (s *Server) unproven(ctx context.Context, letters []Arrival, read []*letter.Letter, out []Handled) []*unproven {
	wait := make([]*unproven, len(letters))
	beside := s.proving.beside()
	var needed []string
	held := map[string]bool{}
	for i, l := range read {
		if out[i].Err != nil {
			continue
		}
		names, from := s.needs(l, letters[i]), writer(l)
		needed = append(needed, names...)
		behind := held[from] || s.proving.waits(from)
		if !beside || !behind && len(names) == 0 {
			continue
		}
		if known := s.player(ctx, from, l.Token); behind || known || !s.proving.full() {
			held[from], wait[i] = true, &unproven{names: names, known: known}
		}
	}
	if !beside {
		s.lookUp(ctx, needed, true)
	}
	return wait
}

// writer is a letter's author as the desk knows them.
func writer(l *letter.Letter) string { return cmp.Or(NormalizeAddress(l.From), l.From) }

// keep stores the letters that wait. Those that the desk has had, or can't store now, do not.
func (s *Server) keep(ctx context.Context, all []unit.Command, wait []*unproven) {
	var kept []unit.Command
	var of []*unproven
	for i, w := range wait {
		if w != nil {
			kept, of = append(kept, all[i]), append(of, w)
		}
	}
	if len(kept) == 0 {
		return
	}
	ids, err := s.Desk.Keep(ctx, kept)
	for n, w := range of {
		if err == nil {
			w.id = ids[n]
		}
	}
	for i, w := range wait {
		if w != nil && w.id == 0 {
			wait[i] = nil
		}
	}
}

// prove handles a letter that waits, when DNS has answered or its time is over.
func (s *Server) prove(ctx context.Context, w unproven) {
	s.lookUp(ctx, w.names, w.known)
	for ctx.Err() == nil {
		var l store.Letter
		err := s.DB.View(ctx, func(tx store.Tx) (err error) {
			l, err = tx.Letter(w.id)
			return err
		})
		if err == nil {
			err = s.handle(ctx, []Arrival{arrived(l)}, false)[0].Err // the third failure sets it aside
		} else if !db.StorageDown(err) {
			s.log.Error("a stored letter cannot be read and waits for the next start", "letter", store.InID(w.id), "err", err)
			return
		}
		if err == nil {
			return
		}
		select {
		case <-ctx.Done():
		case <-time.After(proveNext):
		}
	}
}

// arrived is a stored letter as it reached the server.
func arrived(l store.Letter) Arrival {
	return Arrival{Raw: l.Raw, HeaderOnly: l.Class == incoming.TooLarge, Received: l.Received}
}
