package outbox

import (
	"context"
	"errors"
	"strings"
	"time"
)

// Letter is one queued letter to one recipient.
type Letter struct {
	ID        int64
	MessageID string    // for Render; the Sender has no use for it
	From      string    // envelope sender, to which bounces go
	To        string    // envelope recipient
	Made      time.Time // for Before; the Sender has no use for it
	Queued    time.Time // when it was put into the queue; its age counts from here
	Attempts  int       // how often Retry was called for it
	Urgent    bool      // it goes before others if Config.Limits let only few go
}

// Accepted is a letter that the server took responsibility for.
type Accepted struct {
	ID    int64
	At    time.Time
	Reply string // the server's last
}

// Queue is where letters wait. The Sender is its only reader; it calls from
// several goroutines at once. Any error is taken to be passing: the Sender logs
// it and asks again.
type Queue interface {
	// Due returns letters whose time has come at now, the longest due first,
	// at most max of them, none that was reported Sent or Failed, and none to
	// those who are busy; with Config.Limits, all urgent ones before the others. next is when the earliest of those whose time has not
	// come falls due (zero: there are none). It changes
	// nothing: a letter stays due until one of the calls below, so that a
	// crash between loses none. The Sender itself keeps a letter from being
	// taken twice, so there must be one Sender to a Queue.
	Due(ctx context.Context, now time.Time, max int, busy Busy) (due []Letter, next time.Time, err error)
	// Sent records that the server accepted letters, those since the last call.
	// When it returns nil this has been committed for all of them.
	Sent(ctx context.Context, letters []Accepted) error
	// Retry records a failed try: one more attempt, due again at next, because
	// of why.
	Retry(ctx context.Context, id int64, next time.Time, why Delay) error
	// Failed records that the letter will not be tried again, and why; the Queue's
	// owner tells anyone who should know.
	Failed(ctx context.Context, id int64, at time.Time, cause string) error
}

// A Delay is why a letter is tried again.
type Delay struct {
	Cause   string
	Refused bool // for now, and only for its recipient as far as is known
	Unsure  bool // the server may have taken it: the reply to its final dot was lost
}

// Busy lists recipients and domains, in lower case, to which the Sender can send no more
// letters now.
type Busy struct {
	Recipients []string // addresses
	Domains    []string // what follows the last @ of an address
}

// keys are what letters to an address are counted by.
func keys(to string) (recipient, domain string) {
	to = strings.ToLower(to)
	return to, to[strings.LastIndexByte(to, '@')+1:]
}

// Render returns the bytes of a letter, as Compose makes them. The Sender calls it at every
// try; it must return the same bytes each time. After an error, which concerns this letter
// only, the Sender tries the letter again, unless the error is ErrDropped.
type Render func(ctx context.Context, l Letter) ([]byte, error)

// ErrDropped, wrapped in what Render returns, says that the letter waits no more: it was not to be
// sent, or others have taken its place.
var ErrDropped = errors.New("the letter has been dropped")

const (
	firstBackoff = time.Minute
	maxBackoff   = 4 * time.Hour
	// maxRefusing is the longest wait while the server refuses all alike, so that it is noticed
	// when that is over.
	maxRefusing = 30 * time.Minute
)

// Backoff is how long a letter waits after its n-th failed try (n from 1).
func Backoff(n int) time.Duration {
	wait := firstBackoff
	for ; n > 1 && wait < maxBackoff; n-- {
		wait *= 2
	}
	return min(wait, maxBackoff)
}

const maxOutage = 5 * time.Minute

// outage is how long the Sender waits after the n-th failure in a row to get
// a working session.
func outage(n int) time.Duration { return min(Backoff(n)/12, maxOutage) }
