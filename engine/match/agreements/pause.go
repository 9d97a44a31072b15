package agreements

import (
	"slices"

	"angelpost/engine/match/clock"
	"angelpost/engine/match/unit"
	"angelpost/engine/notice"
	"angelpost/engine/order"
	"angelpost/engine/store"
)

// A game with a clock can be paused and resumed, by its organiser or by all its players.
// Meanwhile no time runs; players may move all the same.

// Pause obeys pause and resume.
func Pause(u *unit.Unit, c *unit.Call) error {
	w, t := c.Sender, c.Sender.Game
	pause := c.Word.Kind == order.Pause
	kind, ask := store.ConfirmPause, notice.AskPause
	if !pause {
		kind, ask = store.ConfirmResume, notice.AskResume
	}
	switch {
	case t == nil:
		return notice.Refuse(notice.ProblemNoGame)
	case !t.Running() || t.Pace().Turn == 0 || t.Row.Paused.IsZero() != pause:
		return notice.Refuse(notice.ProblemNotNow, "word", c.Word.Kind.String())
	case t.Row.Organiser == w.ID && !(pause && w.Seat != nil && u.Past(w.Seat.Deadline)): // no one pauses their own delay alone
		c.Done()
		return clock.SetPaused(u, t, pause, w.Shown())
	case w.Seat == nil || w.Seat.Player != w.ID || w.Seat.Bot != "":
		return notice.Refuse(w.Unseated())
	case w.Seat.HasAgreed(kind):
		return notice.Refuse(notice.ProblemSpent, "names", unagreed(t, kind))
	}
	c.Done()
	first := !slices.ContainsFunc(t.Seats, func(x store.Seat) bool { return x.HasAgreed(kind) })
	if err := Agree(u, w, kind); err != nil || !first || t.Row.Paused.IsZero() != pause {
		return err
	}
	askOthers(u, w, kind, ask, "name", w.Seat.Name)
	return nil
}
