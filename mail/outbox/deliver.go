package outbox

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/emersion/go-smtp"
)

// compose renders a letter for a connection that is free or will be soon.
func (s *Sender) compose(t *try) {
	t.stage = composing
	s.composing++
	s.spawn(func() func() {
		s.At("claim")
		err := errors.Join(checkAddr(t.From), checkRecipient(t.To))
		bad := err != nil
		var raw []byte
		if !bad {
			raw, err = s.render(t.Letter)
		}
		return func() {
			s.composing--
			if t.raw, t.stage = raw, ready; err == nil {
				return
			}
			s.drop(t)
			switch {
			case s.ctx.Err() != nil: // it may have failed because of that
			case errors.Is(err, ErrDropped):
				s.unread = true // others may have taken its place
			case bad:
				s.fail(t.Letter, err.Error())
			default:
				s.putOff(t.Letter, fmt.Errorf("rendering: %w", err), Delay{})
			}
		}
	})
}

// render keeps one letter's faulty renderer from stopping the post.
func (s *Sender) render(l Letter) (raw []byte, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	return s.Render(s.ctx, l)
}

// drop forgets a letter that waited.
func (s *Sender) drop(t *try) {
	s.waiting = slices.DeleteFunc(s.waiting, func(x *try) bool { return x == t })
	s.passedOver(t)
}

// send gives a letter to the server, on the session that was used last of those
// that are idle, so that those too many become old, or on a new one.
func (s *Sender) send(t *try, now time.Time) {
	s.drop(t)
	t.stage = sending
	s.sending = append(s.sending, t)
	t.uncount = func() {}
	if s.Limits.any() {
		t.uncount = s.limit.note(s.Now(), t.Urgent)
	}
	var sess *session
	if n := len(s.idle); n > 0 {
		sess = s.idle[n-1].session
		s.idle = s.idle[:n-1]
		t.began = now
	} else {
		s.sessions++
	}
	server := s.Server
	s.spawn(func() func() {
		end := s.deliver(t, server, sess)
		return func() { s.delivered(t, end) }
	})
}

// An ending is what came of giving a letter to the server.
type ending struct {
	result result
	reply  string   // to what was accepted
	err    error    // why it was not
	sess   *session // can be used again, once it is reset if the letter was refused; nil: closed
	begun  bool     // the server had taken the MAIL command
}

type result int

const (
	accepted  result = iota
	refused          // for good
	failed           // for now
	outdated         // not given to the server, or Config.Before failed
	begunNot         // the session is of no use any more; it says nothing of the letter
	noServer         // the same, of a new session: that is an outage
	suspected        // the same, and the letter may have provoked it
)

// deliver makes one try of a letter, on a session or, for nil, a new one with
// server.
func (s *Sender) deliver(t *try, server Server, sess *session) ending {
	reused := sess != nil
	if !reused {
		from := time.Now()
		var err error
		if sess, err = server.open(s.ctx); err != nil {
			return ending{result: noServer, err: err}
		}
		sess.at = s.At
		sess.at("connect")
		s.events <- func() {
			t.began = time.Now()
			if !s.timed {
				s.usual = t.began.Sub(from)
			}
		}
	}
	if s.ctx.Err() != nil {
		sess.conn.Close()
		return ending{result: begunNot}
	}
	if ok, _ := s.May(); !ok { // since just now; opening a session takes time
		return ending{result: begunNot, sess: sess}
	}
	ctx, cancel := s.letterContext()
	defer cancel()
	reply, begun, err := sess.send(ctx, t.Letter, t.raw, func(ctx context.Context) error {
		still, err := s.Before(ctx, t.Letter)
		if err != nil || !still {
			return &outdatedError{err}
		}
		return nil
	}, s.mayEnd)

	var refusal *smtp.SMTPError
	errors.As(err, &refusal)
	var old *outdatedError
	switch {
	case err == nil:
		return ending{accepted, reply, nil, sess, true}
	case s.ctx.Err() != nil, errors.Is(err, errMayNot):
		sess.conn.Close()
		return ending{result: begunNot} // broken off: it is still due
	case errors.As(err, &old):
		return ending{outdated, "", old.why, sess, true}
	case !begun && reused && (refusal == nil || speaksOfSession(refusal)):
		sess.close()
		return ending{result: begunNot} // the server had tired of this connection
	case !begun && refusal != nil && speaksOfSession(refusal):
		sess.close()
		return ending{result: suspected, err: fmt.Errorf("smtp: %s: %w", server.Addr, err)}
	case refusal != nil:
		end := ending{failed, "", err, sess, begun}
		if refusal.Code/100 == 5 {
			end.result = refused
		}
		if refusal.Code == 421 {
			sess.conn.Close()
			end.sess = nil
		}
		return end
	}
	sess.conn.Close()
	if ctx.Err() != nil {
		err = fmt.Errorf("gave up after %v: %w", s.LetterTimeout, err)
	}
	return ending{result: failed, err: err, begun: begun}
}

// An outdatedError is that Config.Before did not let a letter go, or why it could not tell.
type outdatedError struct{ why error }

func (*outdatedError) Error() string { return "the letter does not say what it is to say" }

// errMayNot: a letter was broken off before its final dot, which May did not allow in time.
var errMayNot = errors.New("it may not be sent now")

// mayEnd waits until the final dot of a letter may be sent: giving the server the letter may
// have taken longer than what May said before holds.
func (s *Sender) mayEnd(ctx context.Context) error {
	for {
		ok, changed := s.May()
		if ok {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return errMayNot
		}
	}
}

// stopWithin is how long letters that the server is being given when the Sender
// is to stop may still take: what is broken off may be sent twice.
const stopWithin = 2 * time.Second

// letterContext is that of one letter: it ends after LetterTimeout, or soon
// after the Sender's.
func (s *Sender) letterContext() (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(s.ctx), s.LetterTimeout)
	unhook := context.AfterFunc(s.ctx, func() {
		select {
		case <-ctx.Done():
		case <-time.After(stopWithin):
			cancel()
		}
	})
	return ctx, func() {
		unhook()
		cancel()
	}
}

// speaksOfSession holds for replies that any letter would have got.
func speaksOfSession(refusal *smtp.SMTPError) bool {
	switch refusal.Code {
	case 421, 503, 530, 535, 538:
		return true
	}
	return false
}

// delivered goes on from what came of a letter.
func (s *Sender) delivered(t *try, end ending) {
	now := time.Now()
	s.sending = slices.DeleteFunc(s.sending, func(x *try) bool { return x == t })
	s.passedOver(t)
	if !t.began.IsZero() {
		s.noteSpeed(t, now.Sub(t.began), end.result == accepted)
	}
	if end.sess == nil {
		s.sessions--
	}
	switch end.result {
	case accepted, refused, failed: // the server works
		s.failures = 0
		clear(s.suspects)
		s.learn(t, end)
	}
	switch end.result {
	case accepted:
		s.free(end.sess, now)
		if len(s.accepted) == 0 {
			s.flushAt = now.Add(recordDelay)
		}
		s.accepted = append(s.accepted, Accepted{t.ID, s.Now(), end.reply})
		s.unrecorded[t.ID] = true
	case outdated:
		t.uncount()
		s.reset(end.sess)
		s.unread = true
		if end.err != nil && s.ctx.Err() == nil {
			s.putOff(t.Letter, end.err, Delay{})
		}
	case refused, failed:
		if end.sess != nil {
			s.reset(end.sess)
		}
		if end.result == refused {
			s.fail(t.Letter, end.err.Error())
		} else {
			s.putOff(t.Letter, end.err, s.delay(end))
		}
	default:
		t.uncount()
		if end.sess != nil { // it was not used
			s.free(end.sess, now)
		}
		if s.ctx.Err() != nil {
			return
		}
		if end.result != begunNot {
			s.broken(end.err, now)
		}
		if end.result == suspected {
			s.suspects[t.ID] = true
		}
		t.stage, t.began, t.stalled, t.stoodIn = ready, time.Time{}, false, false
		s.waiting = slices.Insert(s.waiting, 0, t)
	}
}

// learn finds out from the ending of a try whether the server takes letters at all. If it
// refuses recipients of two domains for now, in the same words, and takes nothing between, the
// recipients are not to blame; nor are they for its answer to MAIL.
func (s *Sender) learn(t *try, end ending) {
	refusal := new(smtp.SMTPError)
	answered := errors.As(end.err, &refusal)
	switch {
	case end.result == accepted, end.result == refused && (end.begun || refusal.Code == 552): // 552 speaks of the letter's size
		s.refusing = false
		clear(s.refusals)
		s.Round(time.Time{}, nil)
	case !end.begun:
		s.Round(time.Time{}, end.err)
	default:
		answer := "connection"
		if answered {
			answer = fmt.Sprint(refusal.Code, refusal.EnhancedCode)
		}
		first, ok := s.refusals[answer]
		switch {
		case !ok && len(s.refusals) < maxRefusals:
			s.refusals[answer] = firstRefusal{t.domain, s.Now()}
		case ok && first.domain != t.domain, s.refusing:
			s.refusing = true
			s.Round(first.at, end.err)
		}
	}
}

// maxRefusals bounds the answers that are remembered.
const maxRefusals = 100

// A firstRefusal is the first of those alike since the server took a letter.
type firstRefusal struct {
	domain string
	at     time.Time
}

// delay returns what the Queue records about a letter that we will try again.
func (s *Sender) delay(end ending) Delay {
	refusal := new(smtp.SMTPError)
	return Delay{Refused: end.begun && !s.refusing && errors.As(end.err, &refusal), Unsure: errors.Is(end.err, errLost)}
}

// noteSpeed learns from a letter how long letters take, and whose stall.
func (s *Sender) noteSpeed(t *try, took time.Duration, through bool) {
	switch took := min(took, stalledAfter); {
	case !through:
	case s.timed:
		s.usual += (took - s.usual) / 8
	default:
		s.usual, s.timed = took, true
	}
	if took < stalledAfter {
		delete(s.slow, t.recipient)
		return
	}
	if len(s.slow) == maxSlow {
		clear(s.slow)
	}
	s.slow[t.recipient] = true
}

// free keeps a session for the next letter.
func (s *Sender) free(sess *session, now time.Time) {
	if sess.letters >= s.PerConnection || s.stopping {
		s.close(sess)
		return
	}
	s.idle = append(s.idle, idleSession{sess, now.Add(s.IdleFor)})
}

// reset ends a transaction that was refused; then the session is free.
func (s *Sender) reset(sess *session) {
	s.spawn(func() func() {
		err := sess.reset(s.ctx)
		if err != nil {
			sess.conn.Close()
		}
		return func() {
			if err != nil {
				s.sessions--
				return
			}
			s.free(sess, time.Now())
		}
	})
}

// hangUp closes sessions that have been idle for long, or all when stopping.
func (s *Sender) hangUp(now time.Time) {
	s.idle = slices.DeleteFunc(s.idle, func(x idleSession) bool {
		over := s.stopping || !x.until.After(now)
		if over {
			s.close(x.session)
		}
		return over
	})
}

func (s *Sender) close(sess *session) {
	s.spawn(func() func() {
		sess.close()
		return func() { s.sessions-- }
	})
}

// broken notes that no session could be had.
func (s *Sender) broken(err error, now time.Time) {
	again := s.notUntil.After(now) // that was noted of another letter
	if !again {
		s.failures++
		s.notUntil = now.Add(outage(s.failures))
		s.unread = true // outOfWork forgets what waits
	}
	wait := s.notUntil.Sub(now)
	switch {
	case s.sessions == 0: // nor is there one left
		s.Round(time.Time{}, err)
		s.Log.Error("outbox: the mail server cannot be worked with", "err", err, "again_in", wait)
	case !again:
		s.Log.Warn("outbox: no further connection to the mail server", "err", err, "open", s.sessions, "again_in", wait)
	}
}
