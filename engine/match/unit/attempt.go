package unit

import (
	"errors"
	"fmt"
	"io"
	"runtime/debug"

	"angelpost/engine"
)

// UnlessPanic runs f and turns a panic into an error.
func UnlessPanic(f func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v\n%s", r, debug.Stack())
		}
	}()
	return f()
}

// Planners take their time, and while they think no one else should wait. So they never think
// in a transaction: if one needs the answer to a question that takes long, it ends with an
// error and is rolled back. The question is answered outside, and then the transaction runs
// again with the answer. An answer is good for one position of one game; if a player moved
// meanwhile, the question is another. We store no thoughts. An uncommitted letter had no
// effect, and after a crash we handle it again, with the same outcome: a bot's choice depends
// only on the position, its game and the length of the log.

// ErrThink is wrapped by the error that undoes a try of a transaction because
// bots must think first. It never leaves the desk; the Store sees it.
var ErrThink = errors.New("bots must think first")

// A JobKey identifies a question.
type JobKey struct {
	Game  string
	Step  int         // length of the log
	Seat  engine.Seat // plan this seat's turn; 0: play the bots on
	State engine.State
}

// A PendingJob is the error that carries a question out of the transaction.
type PendingJob struct {
	JobKey
	attempt *Attempt
	work    func() (answer any, done bool) // does a piece of the work, one choice of a bot's
}

func (q *PendingJob) Error() string { return fmt.Sprintf("game %s: %v", q.Game, ErrThink) }

func (q *PendingJob) Unwrap() error { return ErrThink }

// An Attempt is shared by all tries of one transaction: it has the answers found so far, and
// the random bytes drawn, so that each try draws the same.
type Attempt struct {
	answers map[JobKey]answer
	Drawn   replayReader
}

type answer struct {
	value any
	err   error
}

// NewAttempt returns an attempt that knows no answers and has drawn nothing.
func (d *Env) NewAttempt() *Attempt {
	return &Attempt{answers: map[JobKey]answer{}, Drawn: replayReader{from: d.Random}}
}

// Ponder answers a question: at once if the answer is known, otherwise with a *PendingJob as
// its error. PendingJob.Think calls work until work reports an answer.
func Ponder[T any](u *Unit, about JobKey, work func() (T, bool)) (T, error) {
	if a, known := u.Attempt.answers[about]; known {
		value, _ := a.value.(T)
		return value, a.err
	}
	var none T
	return none, &PendingJob{JobKey: about, attempt: u.Attempt, work: func() (any, bool) { return work() }}
}

// PendingFrom returns the question with which a try has ended, nil if it has ended in another
// way.
func PendingFrom(err error) *PendingJob {
	var q *PendingJob
	errors.As(err, &q)
	return q
}

// Think does a piece of the work and reports whether the question is answered. A panic is an
// answer, too: the question caused it.
func (q *PendingJob) Think() (done bool) {
	defer func() {
		if r := recover(); r != nil {
			q.attempt.answers[q.JobKey], done = answer{err: fmt.Errorf("panic: %v\n%s", r, debug.Stack())}, true
		}
	}()
	value, done := q.work()
	if done {
		q.attempt.answers[q.JobKey] = answer{value: value}
	}
	return done
}

// A replayReader reads from a source; after Rewind it returns the same bytes again before it
// continues.
type replayReader struct {
	from  io.Reader
	drawn []byte
	at    int
}

// Read returns the bytes read before Rewind, then reads from the source.
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

// Rewind makes Read start again at the first byte.
func (t *replayReader) Rewind() { t.at = 0 }
