package outbox

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"time"
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

	// May reports whether a letter may go now. The Sender calls it before each, from several
	// goroutines. If the answer is no, changed is closed when it is time to call again. Nil:
	// always.
	May func() (ok bool, changed <-chan struct{})

	// Before reports whether a letter is still true. The Sender calls it, from several
	// goroutines, when the server has accepted the recipient and before it gets the letter. If
	// not, the Sender reads the Queue again. Nil: it is.
	Before func(ctx context.Context, l Letter) (still bool, err error)

	Limits Limits

	Connections   int // at most
	PerConnection int
	IdleFor       time.Duration
	LetterTimeout time.Duration
	GiveUp        time.Duration

	// At gets the name of each fault point that a letter passes, for tests, possibly from
	// several goroutines at once. "claim": a letter has been taken from the queue; "connect": a
	// session has been opened; "mail", "rcpt", "data": the server has taken that command;
	// "body": half of the letter is written; "dot": the server has taken the letter, which is
	// not recorded yet; "sent": it is. Nil for none.
	At func(point string)

	// Round gets nil when the server has taken a letter, or refused one for good. It gets an
	// error that says why the server takes none: the Sender has no session and cannot open one,
	// the server refuses MAIL, or it refuses recipients of two domains for now in the same
	// words. since is when that began, by Now; zero: just now. A temporary refusal of one
	// recipient does not count. Round must not block; nil for none.
	Round func(since time.Time, err error)

	Now func() time.Time // the clock that rows are written with; nil: time.Now
	Log *slog.Logger     // nil: slog.Default
}

// Bounds of what goes on at once.
const (
	connections  = 40        // Config.Connections, unless it says otherwise
	brisk        = 2         // letters under way that have not stalled, each on its connection
	perDomain    = 2         // letters to one domain that have not stalled
	composers    = 2         // letters being rendered
	ahead        = 2         // letters rendered for connections that are not free yet
	batch        = 64        // letters read from the Queue at once
	maxHave      = 4 * batch // letters in memory, beyond which none are read that could not go
	longestSleep = time.Minute
	maxSlow      = 1000 // recipients remembered for having stalled
)

// When a letter has stalled: see patience.
const (
	stalledAfter  = time.Second            // and does not count towards its domain's letters
	stoodInAfter  = 250 * time.Millisecond // when another connection may be opened for others
	leastPatience = 10 * time.Millisecond
)

// A Sender works off one Queue. Its fields belong to the goroutine of Run. Other goroutines
// render, talk to the server and write to the Queue; they pass changes to the fields to Run as
// events.
type Sender struct {
	Config
	ctx      context.Context // of Run
	events   chan func()
	reload   chan Server
	running  int // goroutines that have an event to send yet
	stopping bool
	barred   <-chan struct{} // nil: letters may be sent; else until it is closed they may not

	waiting   []*try // read from the Queue and not with the server, in the order in which they go
	sending   []*try // the server is being given them
	composing int

	sessions int // open, opening or closing
	idle     []idleSession

	unread  bool      // the Queue may have letters that could go
	readAt  time.Time // when to read it again if nothing happens
	reading int       // how often letters were passed over when it was read

	accepted   []Accepted // to be recorded
	flushAt    time.Time  // when they must not wait for more
	recording  bool
	unrecorded map[int64]bool // what became of these letters is not recorded yet: they are due still

	limit limit
	held  bool // letters wait for it

	failures int                     // to get a session, in a row
	notUntil time.Time               // no new session before
	refusals map[string]firstRefusal // for now, since the server took a letter, by what it said
	refusing bool                    // the recipients are not to blame
	suspects map[int64]bool          // letters whose MAIL was answered as if the server were down, and nothing was sent since

	stallAt time.Time       // when the next letter will have stalled
	usual   time.Duration   // how long a letter takes, of late; before the first, opening a session
	timed   bool            // a letter has gone through
	slow    map[string]bool // recipients whose last letter stalled
}

// A try is one try of one letter.
type try struct {
	Letter
	recipient, domain string // in lower case

	stage   stage
	raw     []byte
	read    int       // Sender.reading, when it was read
	began   time.Time // to be given to the server; zero while its connection is being opened
	stalled bool      // it does not count towards its domain's letters
	stoodIn bool      // nor towards the brisk ones
	uncount func()    // takes back that it counts for the limits
}

type stage int

const (
	waiting stage = iota
	composing
	ready
	sending
)

type idleSession struct {
	*session
	until time.Time
}

// New returns a Sender for c, or why there cannot be one.
func New(c Config) (*Sender, error) {
	if err := c.Server.Check(); err != nil {
		return nil, err
	}
	if c.Queue == nil || c.Render == nil {
		return nil, errors.New("outbox: a Sender needs a Queue and a Render")
	}
	if c.Round == nil {
		c.Round = func(time.Time, error) {}
	}
	if c.At == nil {
		c.At = func(string) {}
	}
	setDefault(&c.Connections, connections)
	setDefault(&c.PerConnection, 50)
	setDefault(&c.IdleFor, 10*time.Second)
	setDefault(&c.LetterTimeout, 3*time.Minute)
	setDefault(&c.GiveUp, 5*24*time.Hour)
	if c.May == nil {
		c.May = func() (bool, <-chan struct{}) { return true, nil }
	}
	if c.Before == nil {
		c.Before = func(context.Context, Letter) (bool, error) { return true, nil }
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Log == nil {
		c.Log = slog.Default()
	}
	return &Sender{
		Config:     c,
		events:     make(chan func()),
		reload:     make(chan Server, 1),
		unread:     true,
		unrecorded: map[int64]bool{},
		suspects:   map[int64]bool{},
		refusals:   map[string]firstRefusal{},
		slow:       map[string]bool{},
		limit:      limit{Limits: c.Limits},
	}, nil
}

// Reload has s log in as server says from the next session on, at once if it
// waits for the mail server. Its address must be the same.
func (s *Sender) Reload(server Server) {
	for {
		select {
		case s.reload <- server:
			return
		case <-s.reload: // an earlier one that Run has not seen
		}
	}
}

func setDefault[T int | time.Duration](field *T, value T) {
	if *field <= 0 {
		*field = value
	}
}

// Run sends letters until ctx ends, then returns nil. It must be called once.
func (s *Sender) Run(ctx context.Context) error {
	s.ctx = ctx
	done, wake := ctx.Done(), s.Wake
	for {
		s.schedule(time.Now())
		if s.stopping && s.running == 0 {
			return nil
		}
		timer := time.NewTimer(time.Until(s.nextMoment()))
		select {
		case <-done:
			s.stopping, s.waiting = true, nil
			done, wake = nil, nil
		case <-wake:
			s.unread = true
		case s.Server = <-s.reload:
			s.failures, s.notUntil, s.unread = 0, time.Time{}, true
		case event := <-s.events:
			event()
		case <-s.barred:
		case <-timer.C:
		}
		timer.Stop()
	}
}

// spawn does work on a goroutine of its own, and then what it returns on that
// of Run.
func (s *Sender) spawn(work func() (event func())) {
	s.running++
	go func() {
		event := work()
		s.events <- func() {
			s.running--
			event()
		}
	}()
}

// schedule starts all that can be started now.
func (s *Sender) schedule(now time.Time) {
	s.noteStalled(now)
	s.hangUp(now)
	s.flush(now)
	if s.stopping {
		return
	}
	if !now.Before(s.readAt) {
		s.unread, s.readAt = true, now.Add(longestSleep)
	}
	if s.notUntil.After(now) && len(s.idle)+len(s.sending) == 0 {
		s.outOfWork(now)
		return
	}
	for {
		room, space := s.fill(now)
		if !space || !s.unread {
			return
		}
		s.read(now, room)
	}
}

// nextMoment is when schedule has something to do if nothing else happens.
func (s *Sender) nextMoment() time.Time {
	next := time.Now().Add(longestSleep)
	sooner := func(t time.Time) {
		if t.Before(next) {
			next = t
		}
	}
	for _, x := range s.idle {
		sooner(x.until)
	}
	sooner(s.stallAt)
	if len(s.accepted) > 0 && !s.recording {
		sooner(s.flushAt)
	}
	if s.notUntil.After(time.Now()) {
		sooner(s.notUntil)
	}
	if !s.stopping {
		sooner(s.readAt)
	}
	return next
}

// patience is how long a letter may be with the server before it has stalled, if
// so many have already. From the second one on that is half as long for each, so
// that many at once do not hold the others up one after the other; but it is
// thrice as long as letters take usually if that is more, so that a server that
// is slow is not taken for one that stalls.
func (s *Sender) patience(first time.Duration, stalled int) time.Duration {
	if stalled >= 2 {
		first >>= stalled
	}
	return min(max(first, 3*s.usual, leastPatience), stalledAfter)
}

// noteStalled finds out which letters have stalled at now, and when the next will
// have.
func (s *Sender) noteStalled(now time.Time) {
	s.stallAt = now.Add(longestSleep)
	domains, all := map[string]int{}, 0
	for _, t := range s.sending {
		if t.stalled {
			domains[t.domain]++
		}
		if t.stoodIn {
			all++
		}
	}
	over := func(t *try, first time.Duration, stalled int) bool {
		end := t.began.Add(s.patience(first, stalled))
		if end.After(now) && end.Before(s.stallAt) {
			s.stallAt = end
		}
		return !end.After(now)
	}
	byAge := slices.SortedStableFunc(slices.Values(s.sending), func(a, b *try) int { return a.began.Compare(b.began) })
	for _, t := range byAge {
		if t.began.IsZero() {
			continue
		}
		if !t.stalled && over(t, stalledAfter, domains[t.domain]) {
			t.stalled = true
			domains[t.domain]++
			s.passedOver(t)
		}
		if !t.stoodIn && over(t, stoodInAfter, all) {
			t.stoodIn = true
			all++
		}
	}
}

// A room is what letters under way leave to others.
type room struct {
	recipients map[string]bool // have a letter under way
	domains    map[string]int  // how many have not stalled
	sessions   int             // may take a letter now
}

func (s *Sender) room(now time.Time) *room {
	r := &room{recipients: map[string]bool{}, domains: map[string]int{}}
	free := brisk
	for _, t := range s.sending {
		r.recipients[t.recipient] = true
		if !t.stalled {
			r.domains[t.domain]++
		}
		if !t.stoodIn {
			free--
		}
	}
	have := len(s.idle)
	if !s.notUntil.After(now) {
		have += s.Connections - s.sessions
	}
	if len(s.unrecorded) < 2*maxUnrecorded {
		r.sessions = max(0, min(free, have))
	}
	return r
}

// takes reports whether a letter could be sent now, which then takes some of
// the room.
func (r *room) takes(t *try) bool {
	if r.sessions == 0 || r.recipients[t.recipient] || r.domains[t.domain] >= perDomain {
		return false
	}
	r.sessions--
	r.recipients[t.recipient] = true
	r.domains[t.domain]++
	return true
}

// inOrder are the letters that wait, those last that may harm others: whose
// recipient's last letter stalled, and those that may themselves have provoked
// the last outage.
func (s *Sender) inOrder() []*try {
	last := func(t *try) bool { return s.slow[t.recipient] || s.suspects[t.ID] }
	order := slices.DeleteFunc(slices.Clone(s.waiting), last)
	for _, t := range s.waiting {
		if last(t) {
			order = append(order, t)
		}
	}
	if s.Limits.any() {
		slices.SortStableFunc(order, func(a, b *try) int {
			switch {
			case a.Urgent == b.Urgent:
				return 0
			case a.Urgent:
				return -1
			}
			return 1
		})
	}
	return order
}

// fill sends what is ready and can go, and has rendered what can go next. It
// returns the room that is left then, and whether more letters could be used.
func (s *Sender) fill(now time.Time) (left *room, space bool) {
	s.hold(now)
	order := s.inOrder()
	left = s.room(now)
	s.barred = nil
	for _, t := range order {
		if t.stage == ready && !s.limited(now, t) && left.takes(t) {
			if ok, changed := s.May(); !ok {
				s.barred = changed
				return left, false
			}
			s.send(t, now)
		}
	}
	spare := ahead
	for _, t := range order {
		switch {
		case t.stage == sending: // since just now
			continue
		case left.takes(t):
		case spare > 0 && !left.recipients[t.recipient]:
			spare--
			left.recipients[t.recipient] = true
		default:
			continue
		}
		if t.stage == waiting && s.composing < min(composers, s.Connections) {
			s.compose(t)
		}
	}
	return left, left.sessions > 0 || spare > 0
}

// read reads more letters from the Queue: all that are due if they are few, and otherwise only
// those that could go now and for which there is room, at most one for each recipient.
func (s *Sender) read(now time.Time, left *room) {
	have := map[int64]bool{}
	var busy Busy
	for _, t := range slices.Concat(s.waiting, s.sending) {
		have[t.ID] = true
		busy.Recipients = append(busy.Recipients, t.recipient)
	}
	for id := range s.unrecorded {
		have[id] = true
	}
	var due []Letter
	s.unread = true
	if len(have) < maxHave {
		due, s.unread = s.due(now, batch+len(have), Busy{})
	}
	if s.unread {
		for domain, n := range left.domains {
			if n >= perDomain {
				busy.Domains = append(busy.Domains, domain)
			}
		}
		due, s.unread = s.due(now, batch+len(s.unrecorded), busy)
		s.reading++
	}
	held := false
	for _, l := range due {
		if !have[l.ID] {
			t := &try{Letter: l, read: s.reading}
			t.recipient, t.domain = keys(l.To)
			if s.limited(now, t) { // and so are those after it, for urgent ones come first
				s.unread, held = false, true
				break
			}
			s.waiting = append(s.waiting, t)
		}
	}
	s.noteHeld(held || s.held && len(due)+len(s.waiting)+len(s.sending) > 0)
}

// due asks the Queue for letters, and sets when to ask again; more tells that
// there may be more of them now.
func (s *Sender) due(now time.Time, most int, busy Busy) (due []Letter, more bool) {
	at := s.Now()
	due, next, err := s.Queue.Due(s.ctx, at, most, busy)
	s.readAt = now.Add(longestSleep)
	if err != nil {
		if s.ctx.Err() == nil {
			s.Log.Error("outbox: cannot read the queue", "err", err)
		}
		s.readAt = now.Add(5 * time.Second)
		return nil, false
	}
	if wait := next.Sub(at); !next.IsZero() && wait < longestSleep {
		s.readAt = now.Add(max(wait, time.Millisecond))
	}
	return due, len(due) >= most
}

// passedOver sees to it that the Queue is read again if letters were passed
// over because of one that holds them up no longer.
func (s *Sender) passedOver(t *try) {
	if t.read < s.reading {
		s.unread = true
	}
}

// outOfWork waits for the mail server with nothing in hand. It gives up, when it
// reads the Queue, letters that are too old.
func (s *Sender) outOfWork(now time.Time) {
	s.waiting = nil
	if !s.unread {
		return
	}
	due, _ := s.due(now, batch+len(s.unrecorded), Busy{})
	s.unread = false
	if s.readAt.After(s.notUntil) {
		s.readAt = s.notUntil
	}
	for _, l := range due {
		if s.tooOld(l, s.Now()) && !s.unrecorded[l.ID] {
			s.fail(l, "no mail server could be reached in time")
		}
	}
}

func (s *Sender) tooOld(l Letter, now time.Time) bool { return now.Sub(l.Queued) >= s.GiveUp }
