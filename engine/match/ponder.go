package match

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime/debug"

	"angelpost/engine"
)

// Planners take their time, and while they think no one else should wait. So they never
// think in a transaction: one that comes to a question which takes long ends in it as
// in an error and is undone, the question is worked out, and the transaction is tried
// anew with the answer. An answer is good for one position of one game; if a player
// moved meanwhile, that is another question. Nothing of a thought is stored. What is
// not committed was not done, and after a crash the letter that asked is handled again,
// with the same outcome: a bot's choice depends on the position, its game and the
// length of the log alone.

// ErrThink is wrapped by the error that undoes a try of a transaction because
// bots must think first. It never leaves the desk; the Store sees it.
var ErrThink = errors.New("bots must think first")

// A jobKey is what a question is about.
type jobKey struct {
	game  string
	step  int         // length of the log
	seat  engine.Seat // plan this seat's turn; 0: play the bots on
	state engine.State
}

// A pendingJob is the error that carries it out of the transaction.
type pendingJob struct {
	jobKey
	attempt *attempt
	work    func() (answer any, done bool) // does a piece of the work, one choice of a bot's
}

func (q *pendingJob) Error() string { return fmt.Sprintf("game %s: %v", q.game, ErrThink) }
func (q *pendingJob) Unwrap() error { return ErrThink }

// A attempt is what the tries of one transaction have in common: the answers found
// so far, and the randomness drawn, so that each draws the same.
type attempt struct {
	answers map[jobKey]answer
	drawn   replayReader
}

type answer struct {
	value any
	err   error
}

func (d *env) newAttempt() *attempt {
	return &attempt{answers: map[jobKey]answer{}, drawn: replayReader{from: d.Random}}
}

// ponder answers a question: at once if the answer is known, otherwise with a
// *question as its error. work is called until it says that it is done.
func ponder[T any](s *unit, about jobKey, work func() (T, bool)) (T, error) {
	if a, known := s.attempt.answers[about]; known {
		value, _ := a.value.(T)
		return value, a.err
	}
	var none T
	return none, &pendingJob{jobKey: about, attempt: s.attempt, work: func() (any, bool) { return work() }}
}

// pendingFrom is the question in which a try has ended; nil: it has ended otherwise.
func pendingFrom(err error) *pendingJob {
	var q *pendingJob
	errors.As(err, &q)
	return q
}

// think does a piece of the work and reports whether the question is answered. A
// panic is an answer, too: it is the fault of what is asked about.
func (q *pendingJob) think() (done bool) {
	defer func() {
		if r := recover(); r != nil {
			q.attempt.answers[q.jobKey], done = answer{err: fmt.Errorf("panic: %v\n%s", r, debug.Stack())}, true
		}
	}()
	value, done := q.work()
	if done {
		q.attempt.answers[q.jobKey] = answer{value: value}
	}
	return done
}

// await works a question out, unless ctx ends first. The desk, which the caller
// holds, is free meanwhile.
func (d *Desk) await(ctx context.Context, q *pendingJob) error {
	d.mu.Unlock()
	defer d.mu.Lock()
	for ctx.Err() == nil {
		if q.think() {
			return nil
		}
	}
	return ctx.Err()
}

// A replayReader reads from a source, and after rewind the same bytes again before it
// goes on.
type replayReader struct {
	from  io.Reader
	drawn []byte
	at    int
}

func (t *replayReader) Read(b []byte) (n int, err error) {
	if t.at == len(t.drawn) {
		n, err = t.from.Read(b)
		t.drawn = append(t.drawn, b[:n]...)
	} else {
		n = copy(b, t.drawn[t.at:])
	}
	t.at += n
	return n, err
}

func (t *replayReader) rewind() { t.at = 0 }
