package outbox

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"math"
	"slices"
	"sync"
	"time"

	"github.com/emersion/go-smtp"
)

// Config is what a Sender needs. Server, Queue and Render must be set; zero
// values of the rest mean the defaults named in the package comment.
type Config struct {
	Server Server
	Queue  Queue
	Render Render
	// Wake tells the Sender that letters may have been queued; it should be
	// buffered, and a send on it should never block. Nil: the Sender still
	// asks once a minute.
	Wake <-chan struct{}

	Connections   int
	PerConnection int
	IdleFor       time.Duration
	LetterTimeout time.Duration
	GiveUp        time.Duration

	// At is told each fault point as it is passed, for tests; it may be called
	// from several goroutines at once. "claim": a worker has taken a letter;
	// "connect": a session has been opened; "mail", "rcpt", "data": the server
	// has taken that command; "body": half of the letter is written; "dot": the
	// server has taken the letter, which is not recorded yet; "sent": it is.
	// Nil for none.
	At func(point string)

	Now func() time.Time // the clock that rows are written with; nil: time.Now
	Log *slog.Logger     // nil: slog.Default
}

// Sender works off one Queue.
type Sender struct {
	Config
	work  chan Letter
	ready chan rendered
	sent  chan Accepted // not recorded yet
	free  chan struct{} // a worker has finished with a letter, and more may be due
	ended chan struct{} // a worker has ended a try

	workers sync.WaitGroup

	mu       sync.Mutex
	busy     map[int64]bool // handed to a worker, or sent and not yet recorded
	trying   int            // workers that are giving the server a letter
	standIns int            // workers for those that a letter holds up
	more     bool           // the Queue had more to give than was asked for
	failures int            // to get a session, in a row
	notUntil time.Time      // no new session before
	suspects map[int64]bool // their MAIL was answered as if the server were down, and nothing was sent since
}

// New returns a Sender for c, or why there cannot be one.
func New(c Config) (*Sender, error) {
	if err := c.Server.Check(); err != nil {
		return nil, err
	}
	if c.Queue == nil || c.Render == nil {
		return nil, errors.New("outbox: a Sender needs a Queue and a Render")
	}
	if c.At == nil {
		c.At = func(string) {}
	}
	setDefault(&c.Connections, 2)
	setDefault(&c.PerConnection, 50)
	setDefault(&c.IdleFor, 10*time.Second)
	setDefault(&c.LetterTimeout, 3*time.Minute)
	setDefault(&c.GiveUp, 5*24*time.Hour)
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Log == nil {
		c.Log = slog.Default()
	}
	return &Sender{
		Config: c,
		work:   make(chan Letter),
		ready:  make(chan rendered),
		sent:   make(chan Accepted, maxUnrecorded),
		free:   make(chan struct{}, 1),
		ended:  make(chan struct{}, 1),
		busy:   make(map[int64]bool),

		suspects: make(map[int64]bool),
	}, nil
}

func setDefault[T int | time.Duration](field *T, value T) {
	if *field <= 0 {
		*field = value
	}
}

// longestSleep bounds a sleep, so that a jump of the clock or a letter queued
// by another process is noticed.
const longestSleep = time.Minute

// Run sends letters until ctx ends, then returns nil. It must be called once.
func (s *Sender) Run(ctx context.Context) error {
	var recorder sync.WaitGroup
	for range s.Connections {
		s.workers.Go(func() { s.prepare(ctx) })
		s.workers.Go(func() { s.serve(ctx, nil) })
	}
	recorder.Go(func() { s.recordAccepted(ctx) })
	defer recorder.Wait()
	defer close(s.sent)
	defer s.workers.Wait()
	for {
		pause := s.handOut(ctx)
		timer := time.NewTimer(pause)
		select {
		case <-ctx.Done():
		case <-s.Wake:
		case <-s.free:
		case <-timer.C:
		}
		timer.Stop()
		if ctx.Err() != nil {
			return nil
		}
	}
}

// handOut gives due letters to the workers and returns how long there will be
// nothing to do unless something happens.
func (s *Sender) handOut(ctx context.Context) time.Duration {
	now := s.Now()
	if wait := s.pausedFor(now); wait > 0 {
		s.failTooOld(ctx, now)
		return min(wait, longestSleep)
	}
	// Taken before Due is asked: a letter under way then may be sent and
	// recorded before its turn in this list comes.
	underWay := s.underWay()
	due, next, err := s.Queue.Due(ctx, now, batch+len(underWay))
	if err != nil {
		if ctx.Err() == nil {
			s.Log.Error("outbox: cannot read the queue", "err", err)
		}
		return 5 * time.Second
	}
	s.suspectsLast(due)
	s.mu.Lock()
	s.more = len(due) >= batch+len(underWay)
	s.mu.Unlock()
	for _, l := range due {
		if underWay[l.ID] {
			continue
		}
		s.take(l.ID)
		select {
		case s.work <- l:
		case <-ctx.Done():
			return 0
		}
		if s.pausedFor(s.Now()) > 0 {
			return 0 // the server is gone: look at the pause first
		}
	}
	if next.IsZero() {
		return longestSleep
	}
	return max(0, min(next.Sub(now), longestSleep))
}

// batch is how many letters to ask for beyond those under way.
const batch = 64

// underWay returns the letters that are with the workers; only the goroutine of
// Run adds to them.
func (s *Sender) underWay() map[int64]bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return maps.Clone(s.busy)
}

// suspectsLast puts letters that may themselves have provoked the last outage
// behind the others, which would wait for ever otherwise.
func (s *Sender) suspectsLast(due []Letter) {
	s.mu.Lock()
	defer s.mu.Unlock()
	slices.SortStableFunc(due, func(a, b Letter) int {
		switch {
		case s.suspects[a.ID] == s.suspects[b.ID]:
			return 0
		case s.suspects[b.ID]:
			return -1
		}
		return 1
	})
}

// failTooOld gives up, during an outage, what nobody wants any more.
func (s *Sender) failTooOld(ctx context.Context, now time.Time) {
	underWay := s.underWay()
	due, _, err := s.Queue.Due(ctx, now, batch+len(underWay))
	if err != nil {
		return // handOut will see and log it
	}
	for _, l := range due {
		if s.tooOld(l, now) && !underWay[l.ID] {
			s.fail(ctx, l, "no mail server could be reached in time")
		}
	}
}

func (s *Sender) tooOld(l Letter, now time.Time) bool { return now.Sub(l.Queued) >= s.GiveUp }

func (s *Sender) take(id int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.busy[id] = true
}

// done gives a letter back that may still be due.
func (s *Sender) done(id int64) {
	s.mu.Lock()
	delete(s.busy, id)
	s.mu.Unlock()
	poke(s.free)
}

// recorded forgets a letter that is due no longer.
func (s *Sender) recorded(id int64) {
	s.mu.Lock()
	delete(s.busy, id)
	more := s.more
	s.mu.Unlock()
	if more {
		poke(s.free)
	}
}

func poke(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// try counts workers that are giving the server a letter.
func (s *Sender) try(n int) {
	s.mu.Lock()
	s.trying += n
	s.mu.Unlock()
	if n < 0 {
		poke(s.ended)
	}
}

func (s *Sender) isTrying() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.trying > 0
}

func (s *Sender) pausedFor(now time.Time) time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	// A clock set back must not stretch the pause.
	return min(s.notUntil.Sub(now), maxOutage)
}

// A rendered letter is one that is about to be sent.
type rendered struct {
	Letter
	raw []byte
}

// prepare renders letters while others are being sent.
func (s *Sender) prepare(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case l := <-s.work:
			s.At("claim")
			raw, ok := s.compose(ctx, l)
			if !ok {
				s.done(l.ID)
				continue
			}
			select {
			case <-ctx.Done():
				return
			case s.ready <- rendered{l, raw}:
			}
		}
	}
}

const (
	stalled     = 5 * time.Second // of a letter that the server is being given
	maxStandIns = 4
)

// standIn has another worker beside one that a letter holds up for longer than
// stalled, until end is called, if there are not too many already.
func (s *Sender) standIn(ctx context.Context) (end func()) {
	over := make(chan struct{})
	timer := time.AfterFunc(stalled, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		select {
		case <-over:
			return
		default:
		}
		if s.standIns == maxStandIns {
			return
		}
		s.standIns++
		s.workers.Go(func() { // the worker that waits is one of them still: its end needs s.mu
			s.serve(ctx, over)
			s.mu.Lock()
			s.standIns--
			s.mu.Unlock()
		})
	})
	return func() {
		timer.Stop()
		s.mu.Lock()
		close(over)
		s.mu.Unlock()
	}
}

// serve is one worker: it owns one connection. It ends with ctx, or when over is
// closed.
func (s *Sender) serve(ctx context.Context, over <-chan struct{}) {
	var sess *session
	hangUp := func() {
		if sess != nil {
			sess.close()
			sess = nil
		}
	}
	defer hangUp()
	for {
		var idle <-chan time.Time
		var timer *time.Timer
		if sess != nil {
			timer = time.NewTimer(s.IdleFor)
			idle = timer.C
		}
		select {
		case <-ctx.Done():
			return
		case <-over:
			return
		case <-idle:
			hangUp()
		case l := <-s.ready:
			sess = s.deliver(ctx, sess, l)
			if sess != nil && sess.letters >= s.PerConnection {
				hangUp()
			}
		}
		if timer != nil {
			timer.Stop()
		}
	}
}

// compose makes the bytes of a letter, or says what became of it.
func (s *Sender) compose(ctx context.Context, l Letter) (raw []byte, ok bool) {
	if err := errors.Join(checkAddr(l.From), checkAddr(l.To)); err != nil {
		s.fail(ctx, l, err.Error())
		return nil, false
	}
	raw, err := s.render(ctx, l)
	if err != nil {
		s.putOff(ctx, l, fmt.Errorf("rendering: %w", err))
		return nil, false
	}
	return raw, true
}

// deliver makes one try of a letter and returns the session if it can still be
// used. A letter that was accepted is the recorder's.
func (s *Sender) deliver(ctx context.Context, sess *session, r rendered) *session {
	l := r.Letter
	accepted := false
	defer func() {
		if !accepted {
			s.done(l.ID)
		}
	}()
	reused := sess != nil
	if !reused {
		if sess = s.connect(ctx); sess == nil {
			return nil
		}
	}
	letterCtx, cancel := context.WithTimeout(ctx, s.LetterTimeout)
	defer cancel()
	s.try(1)
	defer s.try(-1)
	defer s.standIn(ctx)()
	reply, begun, err := sess.send(letterCtx, l, r.raw)

	var refusal *smtp.SMTPError
	errors.As(err, &refusal)
	switch {
	case err == nil:
		s.working()
		accepted = true
		s.sent <- Accepted{l.ID, s.Now(), reply}
		return sess
	case ctx.Err() != nil:
		sess.conn.Close()
		return nil // broken off: it is still due
	case !begun && reused && (refusal == nil || speaksOfSession(refusal)):
		sess.close()
		return nil // the server had tired of this connection: still due, on a new one
	case !begun && refusal != nil && speaksOfSession(refusal):
		sess.close()
		s.broken(ctx, fmt.Errorf("smtp: %s: %w", s.Server.Addr, err))
		s.suspect(l.ID)
		return nil
	case refusal != nil:
		s.working()
		if refusal.Code/100 == 5 {
			s.fail(ctx, l, err.Error())
		} else {
			s.putOff(ctx, l, err)
		}
		if refusal.Code == 421 || sess.reset(ctx) != nil {
			sess.conn.Close()
			return nil
		}
		return sess
	}
	sess.conn.Close()
	if letterCtx.Err() != nil {
		err = fmt.Errorf("gave up after %v: %w", s.LetterTimeout, err)
	}
	s.putOff(ctx, l, err)
	return nil
}

// speaksOfSession holds for replies that any letter would have got.
func speaksOfSession(refusal *smtp.SMTPError) bool {
	switch refusal.Code {
	case 421, 503, 530, 535, 538:
		return true
	}
	return false
}

// connect opens a session or, after noting the outage, returns nil.
func (s *Sender) connect(ctx context.Context) *session {
	if s.pausedFor(s.Now()) > 0 {
		return nil // another worker has just found the server gone
	}
	sess, err := s.Server.open(ctx)
	if err != nil {
		s.broken(ctx, err)
		return nil
	}
	sess.at = s.At
	sess.at("connect")
	return sess
}

func (s *Sender) broken(ctx context.Context, err error) {
	if ctx.Err() != nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.Now()
	if s.notUntil.After(now) {
		return // the other worker has noted it
	}
	s.failures++
	wait := outage(s.failures)
	s.notUntil = now.Add(wait)
	s.Log.Error("outbox: the mail server cannot be worked with", "err", err, "again_in", wait)
}

func (s *Sender) working() {
	s.mu.Lock()
	s.failures = 0
	clear(s.suspects)
	s.mu.Unlock()
}

func (s *Sender) suspect(id int64) {
	s.mu.Lock()
	s.suspects[id] = true
	s.mu.Unlock()
}

// render keeps one letter's faulty renderer from stopping the post.
func (s *Sender) render(ctx context.Context, l Letter) (raw []byte, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	return s.Render(ctx, l)
}

func (s *Sender) putOff(ctx context.Context, l Letter, cause error) {
	now := s.Now()
	if s.tooOld(l, now) {
		s.fail(ctx, l, fmt.Sprintf("given up after %v: %v", s.GiveUp, cause))
		return
	}
	next := now.Add(Backoff(l.Attempts + 1))
	s.Log.Warn("outbox: letter put off", "letter", l.ID, "attempt", l.Attempts+1, "next", next, "err", cause)
	s.record(ctx, l.ID, maxRecords, func(ctx context.Context) error { return s.Queue.Retry(ctx, l.ID, next, cause.Error()) })
}

func (s *Sender) fail(ctx context.Context, l Letter, cause string) {
	s.Log.Error("outbox: letter failed", "letter", l.ID, "attempts", l.Attempts+1, "cause", cause)
	at := s.Now()
	s.record(ctx, l.ID, maxRecords, func(ctx context.Context) error { return s.Queue.Failed(ctx, l.ID, at, cause) })
}

// maxUnrecorded bounds how many accepted letters wait for their record while
// as many are being recorded: those may go out again after a crash.
const maxUnrecorded = 8

// recordDelay is how long a record waits at most for letters that are being
// sent, to be made with theirs.
const recordDelay = 10 * time.Millisecond

// recordAccepted records what was accepted, several letters at once while others
// are being sent, until the workers have ended. It does not go on before the
// Queue has taken a record, for a letter that is sent and still due would be
// sent again.
func (s *Sender) recordAccepted(ctx context.Context) {
	for a := range s.sent {
		group := s.gather(a)
		s.record(ctx, a.ID, math.MaxInt, func(ctx context.Context) error { return s.Queue.Sent(ctx, group) })
		for _, a := range group {
			s.At("sent")
			s.recorded(a.ID)
		}
	}
}

// gather waits for letters to be recorded with a, as long as there are some to
// wait for.
func (s *Sender) gather(a Accepted) []Accepted {
	group := []Accepted{a}
	late := time.NewTimer(recordDelay)
	defer late.Stop()
	for len(group) < maxUnrecorded {
		trying := s.isTrying() // asked first: who has ended since has sent
		select {
		case a, ok := <-s.sent:
			if !ok {
				return group
			}
			group = append(group, a)
			continue
		default:
		}
		if !trying {
			return group
		}
		select {
		case a, ok := <-s.sent:
			if !ok {
				return group
			}
			group = append(group, a)
		case <-s.ended:
		case <-late.C:
			return group
		}
	}
	return group
}

const (
	firstRecordPause = time.Second
	maxRecordPause   = 30 * time.Second
	maxRecords       = 10 // tries, of what does little harm if it is not recorded
	lastRecord       = 3 * time.Second
)

// record has a result written down, of one letter or of the first of several:
// until it is, they are due and would be tried again at once. When ctx ends it
// makes one last try of lastRecord.
func (s *Sender) record(ctx context.Context, id int64, tries int, write func(context.Context) error) {
	pause := firstRecordPause
	for ; tries > 0 && ctx.Err() == nil; tries-- {
		err := write(ctx)
		if err == nil {
			return
		}
		if ctx.Err() == nil {
			s.Log.Error("outbox: cannot write to the queue", "letter", id, "again_in", pause, "err", err)
		}
		sleep(ctx, pause)
		pause = min(2*pause, maxRecordPause)
	}
	if ctx.Err() == nil {
		return
	}
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), lastRecord)
	defer cancel()
	if err := write(last); err != nil {
		s.Log.Error("outbox: what became of a letter was not recorded: it will be tried again", "letter", id, "err", err)
	}
}

func sleep(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	}
}
