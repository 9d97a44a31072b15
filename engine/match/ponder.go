package match

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime/debug"

	"angelpost/engine"
)

// Planners take their time, and while they think nobody else is to wait. So
// they never think in a transaction: one that comes to a question which takes
// long ends in it as in an error and is undone, the question is worked out, and
// the transaction is tried anew with the answer. An answer is good for one
// position of one game; if somebody moved meanwhile, that is another question.
// Nothing of a thought is stored. What is not committed was not done, and after
// a crash the letter that asked is handled again, with the same outcome: a bot's
// choice depends on the position, its game and the length of the log alone.

// ErrThink is wrapped by the error that undoes a try of a transaction because
// bots must think first. It never leaves the desk; the Store sees it.
var ErrThink = errors.New("bots must think first")

// A subject is what a question is about.
type subject struct {
	game  string
	step  int         // length of the log
	seat  engine.Seat // whose turn is to be planned; 0: the bots are to play on
	state engine.State
}

// A question is the error that carries it out of the transaction.
type question struct {
	subject
	study *study
	work  func() (answer any, done bool) // does a piece of the work, one choice of a bot's
}

func (q *question) Error() string { return fmt.Sprintf("game %s: %v", q.game, ErrThink) }
func (q *question) Unwrap() error { return ErrThink }

// A study is what the tries of one transaction have in common: the answers found
// so far, and the randomness drawn, so that each draws the same.
type study struct {
	answers map[subject]answer
	drawn   tape
}

type answer struct {
	value any
	err   error
}

func (d *Desk) study() *study {
	return &study{answers: map[subject]answer{}, drawn: tape{from: d.Random}}
}

// ponder answers a question: at once if the answer is known, otherwise with a
// *question as its error. work is called until it says that it is done.
func ponder[T any](s *sitting, about subject, work func() (T, bool)) (T, error) {
	if a, known := s.study.answers[about]; known {
		value, _ := a.value.(T)
		return value, a.err
	}
	var none T
	return none, &question{subject: about, study: s.study, work: func() (any, bool) { return work() }}
}

// asked is the question in which a try has ended; nil: it has ended otherwise.
func asked(err error) *question {
	var q *question
	errors.As(err, &q)
	return q
}

// think does a piece of the work and tells whether the question is answered. A
// panic is an answer, too: it is the fault of what is asked about.
func (q *question) think() (done bool) {
	defer func() {
		if r := recover(); r != nil {
			q.study.answers[q.subject], done = answer{err: fmt.Errorf("panic: %v\n%s", r, debug.Stack())}, true
		}
	}()
	value, done := q.work()
	if done {
		q.study.answers[q.subject] = answer{value: value}
	}
	return done
}

// ponder works a question out, unless ctx ends first. The desk, which the caller
// holds, is free meanwhile.
func (d *Desk) ponder(ctx context.Context, q *question) error {
	d.mu.Unlock()
	defer d.mu.Lock()
	for ctx.Err() == nil {
		if q.think() {
			return nil
		}
	}
	return ctx.Err()
}

// A tape reads from a source, and after rewind the same bytes again before it
// goes on.
type tape struct {
	from  io.Reader
	drawn []byte
	at    int
}

func (t *tape) Read(b []byte) (n int, err error) {
	if t.at == len(t.drawn) {
		n, err = t.from.Read(b)
		t.drawn = append(t.drawn, b[:n]...)
	} else {
		n = copy(b, t.drawn[t.at:])
	}
	t.at += n
	return n, err
}

func (t *tape) rewind() { t.at = 0 }
