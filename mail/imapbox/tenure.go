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

// A Term is the claim of one server on a mailbox, as that server remembers it.
type Term struct {
	Instance string // random; a copy of the database that starts elsewhere gets another one
	Epoch    int64  // the claim with the highest epoch counts
	Waited   bool   // the server before has had time to stop
}

// A Tenant is what a server knows about itself, for NewTenure.
type Tenant struct {
	Database string // its name (letters and digits): copies share it, other databases don't
	Key      []byte // authenticates its claims; copies share it; none: claims have no MAC
	Place    string // describes the server to people, in one line of ASCII
	Was      Term   // the last Term that Keep got; the zero Term if none
	Here     bool   // Was is of this very file, on this machine, since its last boot: continue it
	Unused   bool   // no server has ever used the database, so none can be using a copy
	// Standby says that another machine may take over while this one cannot reach the
	// mailbox. For that time May returns false.
	Standby bool

	Look time.Duration // how old the last look at the claims may be; 10 s
	Wait time.Duration // how long a server waits that replaces another's claim; 20 s

	Keep func(Term) error // stores a Term durably; nil: nothing is stored
	// The watcher calls Delivered with the number of letters that it found in the folder of
	// claims although they were delivered by mail. It may be nil.
	Delivered func(letters int)
	At        func(point string) // called at each fault point, for tests: see Tenure; may be nil
	Log       *slog.Logger       // slog.Default
}

// A Tenure is a server's right to use a mailbox. The watcher of the mailbox maintains it: it
// writes the claim, looks whether it still counts, and stops if it does not. Code that reads
// letters or sends them calls May before each. A Tenure is safe for concurrent use.
//
// Its fault points: "raise", a new claim is stored but not in the mailbox yet; "raised", it
// is in the mailbox; "waited", the server before has had time to stop, and that is stored.
type Tenure struct {
	Tenant
	ask chan struct{} // someone waits for a look

	mu      sync.Mutex
	term    Term
	from    time.Time // May returns false before this time
	looked  time.Time // when the watcher began the last look that found that our claim counts
	away    bool      // the last attempt to reach the mailbox failed
	doubt   bool      // the claims have changed since the last look
	lost    *Claimed
	changed chan struct{} // closed when the answer of May may have changed
}

const (
	lookFor  = 10 * time.Second
	waitFor  = 20 * time.Second
	maxEpoch = 1 << 53 // a claim with a higher epoch counts as one without
)

const _ = uint64(waitFor - 2*lookFor) // else the new server could begin while the old one still relies on its last look

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

// May reports whether the server may read and send letters now. If not, changed closes when
// the answer may have changed; if only a recent look at the claims is missing, May requests
// one. A nil Tenure always permits.
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
	case t.away && !t.Standby && !t.doubt && (t.begun() || t.Here && t.Was.Waited): // it had the mailbox before, or has it
		return true, nil
	default:
		select {
		case t.ask <- struct{}{}:
		default:
		}
	}
	return false, t.changed
}

// Lost returns the claim that has replaced ours, or nil.
func (t *Tenure) Lost() *Claimed {
	if t == nil {
		return nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.lost
}

// update changes the Tenure and wakes everyone who waits for a change.
func (t *Tenure) update(f func()) {
	t.mu.Lock()
	defer t.mu.Unlock()
	f()
	close(t.changed)
	t.changed = make(chan struct{})
}

// saw records that our claim counted at a time.
func (t *Tenure) saw(at time.Time) {
	t.update(func() { t.looked, t.away, t.doubt = at, false, false })
}

// stale reports whether the watcher should look again before anyone has to wait for it.
func (t *Tenure) stale() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return time.Since(t.looked) >= t.Look/2
}

// claimLooks times Look is the time between looks at the claims when the watcher is idle.
const claimLooks = 15

// overdue reports whether even an idle watcher should look, so that a server that has been
// replaced notices and reports it.
func (t *Tenure) overdue() bool {
	if t == nil {
		return false
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	return time.Since(t.looked) >= claimLooks*t.Look
}

// begun reports whether the server has made a claim.
func (t *Tenure) begun() bool { return t.term.Instance != "" }

// ours reports whether a claim is this server's.
func (t *Tenure) ours(l claimed) bool {
	return l.id == t.Database && l.instance == t.term.Instance && (l.proven || len(t.Key) == 0)
}

// mac returns the MAC, in hexadecimal, for a claim of this database on a folder.
func (t *Tenure) mac(instance string, epoch int64, folder string) string {
	if len(t.Key) == 0 {
		return ""
	}
	mac := hmac.New(sha256.New, t.Key)
	fmt.Fprintf(mac, "%q %q %d %q", t.Database, instance, epoch, folder)
	return hex.EncodeToString(mac.Sum(nil))
}

// wrote reports whether a server with this database, or a copy of it, wrote a claim. A claim
// by anyone else also stops this server, but must not choose its epoch: the highest number
// would leave none for later servers.
func (t *Tenure) wrote(l claimed) bool {
	return t != nil && len(t.Key) > 0 && l.id == t.Database && hmac.Equal([]byte(l.mac), []byte(t.mac(l.instance, l.epoch, l.folder)))
}

// next chooses the Term of a server that starts and finds these claims, the one that counts
// first. With take it may replace any claim. It returns a *Claimed if the server must not
// start.
func (t *Tenure) next(claims []claimed, take bool) (Term, *Claimed) {
	epoch, known := t.Was.Epoch, t.Was.Instance != ""
	if epoch > maxEpoch { // an older version followed someone else's epoch; such a claim never counts
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
			!same && first.epoch > epoch: // we don't follow that epoch, so our claim would not count
			return Term{}, &Claimed{Copy: true}
		}
	}
	if known && t.Here {
		return t.Was, nil
	}
	return Term{Instance: strings.ToLower(rand.Text()), Epoch: min(epoch, maxEpoch-1) + 1, Waited: t.Unused && len(claims) == 0}, nil
}

// start begins a Term. It stores the Term before anyone else can see it: a server that dies
// in between would otherwise take its own claim for another server's.
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

// yield records that another claim counts, and also stores it: a server that starts again
// while the mailbox is away must not send letters because of a Term that is over.
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

// left returns for how long this server must still wait for the one before; it is negative
// once the time is over.
func (t *Tenure) left() time.Duration {
	t.mu.Lock()
	defer t.mu.Unlock()
	return time.Until(t.from)
}

// waited records that the server before has had time to stop.
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

// Term returns the server's claim; the zero Term before the server has reached the mailbox
// for the first time.
func (t *Tenure) Term() Term {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.term
}

// Left returns for how long a server that has replaced another's claim must still wait.
func (t *Tenure) Left() time.Duration { return max(0, t.left()) }

// Hears reports whether the mailbox has answered recently: the watcher's last attempt to
// reach it succeeded, and its last look at the claims is not older than Look. If not, Hears
// requests a look, because a connection that has gone silent causes no error.
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
