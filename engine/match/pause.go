package match

import (
	"slices"
	"strings"
	"time"

	"angelpost/engine"
	"angelpost/engine/notice"
	"angelpost/engine/order"
	"angelpost/engine/store"
)

// A game with a clock can be paused, by its organiser or by all who play in it,
// and so it goes on. Meanwhile no time runs; players may go on all the same.

// pauseWord obeys pause and resume.
func (s *unit) pauseWord(c *call) error {
	w, t := c.w, c.w.table
	pause := c.word.Kind == order.Pause
	kind, ask := store.ConfirmPause, notice.AskPause
	if !pause {
		kind, ask = store.ConfirmResume, notice.AskResume
	}
	switch {
	case t == nil:
		return notice.Refuse(notice.ProblemNoGame)
	case !t.running() || t.pace().Turn == 0 || t.row.Paused.IsZero() != pause:
		return notice.Refuse(notice.ProblemNotNow, "word", c.word.Kind.String())
	case t.row.Organiser == w.ID && !(pause && w.seat != nil && s.past(w.seat.Deadline)): // no one pauses their own delay alone
		c.done()
		return s.setPaused(t, pause, w.shown())
	case w.seat == nil || w.seat.Player != w.ID || w.seat.Bot != "":
		return notice.Refuse(notice.ProblemSeat)
	case w.seat.HasAgreed(kind):
		return notice.Refuse(notice.ProblemSpent, "names", t.unagreed(kind))
	}
	c.done()
	first := !slices.ContainsFunc(t.seats, func(x store.Seat) bool { return x.HasAgreed(kind) })
	if err := s.agree(w, kind); err != nil || !first || t.row.Paused.IsZero() != pause {
		return err
	}
	s.askOthers(w, kind, ask, "name", w.seat.Name)
	return nil
}

// setPaused stops all clocks of a game, or lets them go on, and tells all players; name
// is the player who decided, "": all agreed.
func (s *unit) setPaused(t *table, pause bool, name string) error {
	if err := s.stopClocks(t, pause); err != nil {
		return err
	}
	code := notice.TellResumed
	if pause {
		code = notice.TellPaused
	}
	if pause && t.row.League != "" { // a season ends with its last game
		n := s.bump("paused/"+t.row.ID, s.day())
		if n == 1 {
			if _, err := s.tellRulers(t, notice.TellPausedRuler, "game", t.row.ID, "names", strings.Join(t.names(), ", ")); err != nil {
				return err
			}
		}
	}
	s.tellAll(t, 0, func(_ *store.Seat, d *draft) {
		if r := d.say(code); name != "" {
			r.List = []string{name}
		}
	})
	return nil
}

// stopClocks stops all clocks of a game, or lets them go on with the time that
// was left.
func (s *unit) stopClocks(t *table, pause bool) error {
	for i := range t.seats {
		x := &t.seats[i]
		x.Agreed = strings.Join(slices.DeleteFunc(strings.Fields(x.Agreed), func(a string) bool { return a == store.ConfirmPause || a == store.ConfirmResume }), " ")
		rest := s.restAt(t, x)
		switch {
		case pause && !x.Deadline.IsZero():
			x.Left = max(rest.Between(s.now, x.Deadline), time.Minute)
			s.unschedule(x)
		case !pause && !x.Unplayed():
			is := pendingDecisionOf(t.play, engine.Seat(x.Seat))
			left := x.Left
			if left == 0 {
				left = allotted(t.pace(), is, x.Bank)
			}
			if x.Left = 0; is.waits {
				if err := s.schedule(x, t.pace(), rest, left); err != nil {
					return err
				}
			}
		}
	}
	if t.row.Paused = (time.Time{}); pause {
		t.row.Paused = s.now
	}
	return nil
}
