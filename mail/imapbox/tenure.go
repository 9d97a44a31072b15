package imapbox

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"time"
)

// A Term is the claim of one server on a mailbox, as the server remembers it.
type Term struct {
	Instance string // random; another one wherever a copy of the database is started
	Epoch    int64  // of all claims on a mailbox the one with the highest counts
	Waited   bool   // the server before has had the time to stop
}

// A Tenant is what a server says of itself and remembers, for NewTenure.
type Tenant struct {
	Database string // its name (letters and digits), which all its copies share and no other database has
	Key      []byte // what its claims are authenticated with, which all its copies share; none: no claim is
	Place    string // what a person is told of the server, ASCII, one line
	Was      Term   // the last Term that Keep was given; the zero Term: none
	Here     bool   // that was for this very file on this machine since it was started: Was can still go on
	Unused   bool   // no server has ever worked on the database, so none can work on a copy
	// Standby says that another machine may take over while this one cannot reach the
	// mailbox: then May says no for that time.
	Standby bool

	Look time.Duration // how old the last look at the claims may be; 10 s
	Wait time.Duration // from a claim that replaces another until it is used; 20 s

	Keep func(Term) error // remembers a Term durably; nil: nothing is remembered
	// Delivered is told that so many letters came by post into the folder of claims; nil for none.
	Delivered func(letters int)
	At        func(point string) // is told each fault point, for tests: see Tenure; nil for none
	Log       *slog.Logger       // slog.Default
}

// A Tenure is a server's right to work on a mailbox. The watcher of the mailbox sees to
// it: it makes the claim, looks whether it still counts, and ends when it does not. All
// that reads letters or sends them asks May before each. It is safe for concurrent use.
//
// Its fault points: "raise", a new claim is remembered and not in the mailbox yet;
// "raised", it is; "waited", the server before has had its time, and this is remembered.
type Tenure struct {
	Tenant
	ask chan struct{} // someone waits for a look

	mu      sync.Mutex
	term    Term
	from    time.Time // not before
	looked  time.Time // when the watcher last began a look that found our claim to count
	away    bool      // the mailbox could not be reached when it was last tried
	doubt   bool      // the claims have changed since
	lost    *Claimed
	changed chan struct{} // closed when May may answer otherwise
}

const (
	lookFor  = 10 * time.Second
	waitFor  = 20 * time.Second
	maxEpoch = 1 << 53 // a claim with a higher one is of a version without epochs
)

const _ = uint64(waitFor - 2*lookFor) // or the new server would begin while the old one may still rely on its look

// NewTenure returns the Tenure of a server that has not claimed its mailbox yet.
func NewTenure(x Tenant) *Tenure {
	setDefault(&x.Look, lookFor)
	setDefault(&x.Wait, waitFor)
	if x.Keep == nil {
		x.Keep = func(Term) error { return nil }
	}
	if x.Delivered == nil {
		x.Delivered = func(int) {}
	}
	if x.At == nil {
		x.At = func(string) {}
	}
	if x.Log == nil {
		x.Log = slog.Default()
	}
	return &Tenure{Tenant: x, ask: make(chan struct{}, 1), changed: make(chan struct{})}
}

// May reports whether the server may read and send letters now. If not, changed is closed
// when that may have become otherwise; a look at the claims is on its way if that is what
// lacks. A nil Tenure always may.
func (t *Tenure) May() (ok bool, changed <-chan struct{}) {
	if t == nil {
		return true, nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	now := time.Now()
	switch {
	case t.lost != nil || now.Before(t.from):
	case !t.looked.IsZero() && now.Sub(t.looked) < t.Look && !t.doubt:
		return true, nil
	case t.away && !t.Standby && !t.doubt && (t.begun() || t.Here && t.Was.Waited): // that had the mailbox before, or has it
		return true, nil
	default:
		select {
		case t.ask <- struct{}{}:
		default:
		}
	}
	return false, t.changed
}

// Lost is the claim that has replaced ours; nil: none has.
func (t *Tenure) Lost() *Claimed {
	if t == nil {
		return nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.lost
}

// update changes the Tenure and tells those that wait.
func (t *Tenure) update(f func()) {
	t.mu.Lock()
	defer t.mu.Unlock()
	f()
	close(t.changed)
	t.changed = make(chan struct{})
}

// saw notes that our claim counted at a time.
func (t *Tenure) saw(at time.Time) {
	t.update(func() { t.looked, t.away, t.doubt = at, false, false })
}

// stale reports whether the watcher should look again, before anyone has to wait for it.
func (t *Tenure) stale() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return time.Since(t.looked) >= t.Look/2
}

// claimLooks is after how many times Look the watcher looks at the claims with nothing to do.
const claimLooks = 15

// overdue reports whether the watcher should look although no one needs it: a server that has
// been replaced is to say so.
func (t *Tenure) overdue() bool {
	if t == nil {
		return false
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	return time.Since(t.looked) >= claimLooks*t.Look
}

// begun reports whether a claim has been made.
func (t *Tenure) begun() bool { return t.term.Instance != "" }

// ours reports whether a claim is this server's.
func (t *Tenure) ours(l claimed) bool {
	return l.id == t.Database && l.instance == t.term.Instance && (l.proven || len(t.Key) == 0)
}

// mac authenticates a claim of this database on a folder.
func (t *Tenure) mac(instance string, epoch int64, folder string) string {
	if len(t.Key) == 0 {
		return ""
	}
	mac := hmac.New(sha256.New, t.Key)
	fmt.Fprintf(mac, "%q %q %d %q", t.Database, instance, epoch, folder)
	return hex.EncodeToString(mac.Sum(nil))
}

// wrote reports whether a server with this database, or a copy of it, has written a claim. What others
// write stops it, too, but they must not choose its epoch: a number near the end of all numbers
// would leave none for the servers that come later.
func (t *Tenure) wrote(l claimed) bool {
	return t != nil && len(t.Key) > 0 && l.id == t.Database && hmac.Equal([]byte(l.mac), []byte(t.mac(l.instance, l.epoch, l.folder)))
}

// next chooses the Term of a server that starts and finds these claims, the one that
// counts first; or it is a *Claimed.
func (t *Tenure) next(claims []claimed, take bool) (Term, *Claimed) {
	epoch, known := t.Was.Epoch, t.Was.Instance != ""
	if epoch > maxEpoch { // an older version has followed someone's; such a claim never counts
		epoch, known = 0, false
	}
	for _, l := range claims {
		if l.proven {
			epoch = max(epoch, l.epoch)
		}
	}
	if len(claims) > 0 {
		first := claims[0]
		same := known && first.id == t.Database && first.instance == t.Was.Instance
		switch {
		case same && t.Here:
			return t.Was, nil
		case take:
			known = false
		case first.id != t.Database:
			return Term{}, &Claimed{}
		case known && !same && first.epoch >= t.Was.Epoch,
			!same && first.epoch > epoch: // it isn't followed, so ours would not count
			return Term{}, &Claimed{Copy: true}
		}
	}
	if known && t.Here {
		return t.Was, nil
	}
	return Term{Instance: strings.ToLower(rand.Text()), Epoch: min(epoch, maxEpoch-1) + 1, Waited: t.Unused && len(claims) == 0}, nil
}

// start begins a Term: it is remembered before anyone else can see it, or a server that
// dies in between would take its own claim for another's.
func (t *Tenure) start(term Term) error {
	if term != t.Was {
		if err := t.Keep(term); err != nil {
			return fmt.Errorf("imap: the claim on the mailbox: %w", err)
		}
		t.At("raise")
	}
	t.update(func() {
		t.term = term
		if !term.Waited {
			t.from = time.Now().Add(t.Wait)
			time.AfterFunc(t.Wait, func() { t.update(func() {}) })
		}
	})
	return nil
}

// yield notes that another claim counts. It is remembered as well: a server that is started
// again while the mailbox is away must not send on the strength of a term that is over.
func (t *Tenure) yield(to *Claimed, term Term) error {
	t.update(func() { t.lost = to })
	if term.Waited {
		term.Waited = false
		if err := t.Keep(term); err != nil {
			t.Log.Error("imapbox: that the mailbox is another server's now is not remembered", "err", err)
		}
	}
	return to
}

// left is how long the server before still has.
func (t *Tenure) left() time.Duration {
	t.mu.Lock()
	defer t.mu.Unlock()
	return time.Until(t.from)
}

// waited notes that the server before has had its time.
func (t *Tenure) waited() error {
	if t.term.Waited {
		return nil
	}
	t.term.Waited = true
	if err := t.Keep(t.term); err != nil {
		return fmt.Errorf("imap: the claim on the mailbox: %w", err)
	}
	t.At("waited")
	return nil
}

// Term returns the claim that the server makes; the zero Term before the mailbox was
// reached for the first time.
func (t *Tenure) Term() Term {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.term
}

// Left returns for how long a server that has replaced another's claim must wait yet.
func (t *Tenure) Left() time.Duration { return max(0, t.left()) }

// Hears reports whether the mailbox has answered lately: it was not away when the watcher last
// tried, and that is not longer ago than Look. If it is, the watcher looks again, for a connection
// that has gone silent says nothing by itself.
func (t *Tenure) Hears() bool {
	if t == nil {
		return true
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.away && time.Since(t.looked) < t.Look {
		return true
	}
	select {
	case t.ask <- struct{}{}:
	default:
	}
	return false
}
