package desk

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"time"

	"angelpost/engine/match/obey"
	"angelpost/engine/match/unit"
	"angelpost/engine/notice"
	"angelpost/engine/store"
)

// How many letters may wait for bots: in total, fewer than Pending lists, so that it finds all
// of them after a crash; and from one sender. Letters beyond that get an answer, but are not
// applied.
const (
	maxWaiting = 500
	maxBehind  = 20
)

// A waiting letter is one that bots must think about before it can be applied, or a later one
// from the same sender. It is stored, so a crash loses nothing.
type waiting struct {
	c       unit.Command
	letter  store.Letter
	attempt *unit.Attempt
	open    *unit.PendingJob // nil: a try comes next
	failed  bool             // and this is another attempt
}

// A queue holds the waiting letters. Senders take turns, after each choice of a bot, so that no
// one waits long because another asks for much. The letters of one sender keep their order.
// Desk.mu guards it.
type queue struct {
	letters map[string][]*waiting // by sender, in their order
	senders []string              // whose turn it is
	n       int
	changed *sync.Cond // there may be more to do
}

func newRoom(mu *sync.Mutex) queue {
	return queue{letters: map[string][]*waiting{}, changed: sync.NewCond(mu)}
}

// enter adds a letter.
func (r *queue) enter(w *waiting) {
	from := w.c.From
	w.c.Raw = nil // it is stored
	if len(r.letters[from]) == 0 {
		r.senders = append(r.senders, from)
	}
	r.letters[from] = append(r.letters[from], w)
	r.n++
	r.changed.Broadcast()
}

// next removes the sender whose turn it is, and returns their first letter.
func (r *queue) next() *waiting {
	from := r.senders[0]
	r.senders = r.senders[1:]
	return r.letters[from][0]
}

// back ends the turn of w's sender: if w has been applied, their next letter is first.
func (r *queue) back(w *waiting, done bool) {
	from := w.c.From
	if done {
		r.letters[from] = r.letters[from][1:]
		r.n--
	}
	if len(r.letters[from]) == 0 {
		delete(r.letters, from)
	} else {
		r.senders = append(r.senders, from)
		r.changed.Broadcast()
	}
}

// receive handles one letter. stored is its row if it was stored already.
func (d *Desk) receive(ctx context.Context, c unit.Command, stored *store.Letter) (id int64, outcome string, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	w := &waiting{c: c, attempt: d.NewAttempt()}
	if stored != nil {
		w.letter = *stored
	} else if w.letter, outcome, err = d.take(ctx, c); err != nil || outcome != "" {
		return w.letter.ID, outcome, err
	}
	id = w.letter.ID
	w.c.Stored = id
	if len(d.room.letters[c.From]) == 0 {
		outcome, err = d.finish(ctx, c, w.letter, w.attempt)
		if w.open = unit.PendingFrom(err); w.open == nil {
			return id, outcome, err
		}
	}
	if d.room.n >= maxWaiting || len(d.room.letters[c.From]) >= maxBehind {
		return id, Answered, d.turnAway(ctx, c, w.letter)
	}
	if err := d.Store.Sync(); err != nil {
		return id, StillFail, fmt.Errorf("store letter: %w", err)
	}
	d.room.enter(w)
	return id, Thinking, nil
}

// turnAway answers a letter for which there is no room.
func (d *Desk) turnAway(ctx context.Context, c unit.Command, l store.Letter) error {
	return d.update(ctx, func(u *unit.Unit) error {
		u.Command, u.Letter = c, &l
		if err := obey.TellWriter(u, notice.SayBusy); err != nil {
			return err
		}
		if err := obey.Close(u); err != nil {
			return err
		}
		l.State, l.Why = store.LetterDone, "too many wait for bots"
		u.Check(u.Tx.SaveLetter(l))
		return nil
	})
}

// rouse wakes the thinkers after their context has ended.
func (d *Desk) rouse() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.room.changed.Broadcast()
}

// Think handles the letters that Handle has left to it, until ctx ends. It runs at the same
// time as Handle, on half of the machine's processors, and calls Config.Thought after each
// letter that is finished. The next start takes up those that are not when ctx ends, and does
// not count the attempt.
func (d *Desk) Think(ctx context.Context) error {
	stop := context.AfterFunc(ctx, d.rouse)
	defer stop()
	var all sync.WaitGroup
	for range max(1, runtime.GOMAXPROCS(0)/2) {
		all.Go(func() { d.thinker(ctx) })
	}
	all.Wait()
	d.mu.Lock()
	defer d.mu.Unlock()
	var left []store.Letter
	for _, of := range d.room.letters {
		for _, w := range slices.Backward(of) { // of copies the first has the fewest attempts, and the last word
			if !w.failed { // its attempt is uncounted already, or must count
				left = append(left, w.letter)
			}
		}
	}
	d.giveBack(ctx, left...)
	return nil
}

func (d *Desk) thinker(ctx context.Context) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for ctx.Err() == nil {
		if len(d.room.senders) == 0 {
			d.room.changed.Wait()
			continue
		}
		w := d.room.next()
		d.room.back(w, d.attend(ctx, w))
	}
}

// attend gives a waiting letter its turn: a piece of thinking, or a try. It reports whether the
// letter is finished.
func (d *Desk) attend(ctx context.Context, w *waiting) (done bool) {
	if w.open != nil {
		d.mu.Unlock()
		answered := w.open.Think()
		d.mu.Lock()
		if answered {
			w.open = nil
		}
		return false
	}
	var outcome string
	var err error
	if w.failed {
		w.failed, w.attempt = false, d.NewAttempt()
		w.letter, outcome, err = d.take(ctx, w.c)
	}
	if err == nil && outcome == "" {
		outcome, err = d.finish(ctx, w.c, w.letter, w.attempt)
		if w.open = unit.PendingFrom(err); w.open != nil {
			return false
		}
	}
	if err != nil && ctx.Err() != nil {
		return false // the next start finds it
	}
	if err != nil {
		w.failed = true
		if d.StorageDown(err) {
			d.mu.Unlock()
			select {
			case <-ctx.Done():
			case <-time.After(storagePause):
			}
			d.mu.Lock()
		}
		return false
	}
	d.Thought(w.c, outcome)
	return true
}

// storagePause is how long a letter waits when the storage is down.
const storagePause = 2 * time.Second

// await computes the answer to a question, unless ctx ends first. It releases the desk, which
// the caller holds, meanwhile.
func (d *Desk) await(ctx context.Context, q *unit.PendingJob) error {
	d.mu.Unlock()
	defer d.mu.Lock()
	for ctx.Err() == nil {
		if q.Think() {
			return nil
		}
	}
	return ctx.Err()
}
