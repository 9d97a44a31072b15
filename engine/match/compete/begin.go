package compete

import (
	"errors"
	"strconv"

	"angelpost/engine/league"
	"angelpost/engine/notice"
)

// mayStart returns why nothing can begin now, nil if it can.
func (x *directing) mayStart() error {
	c := x.c
	switch err := c.State.Starts(); {
	case errors.Is(err, league.ErrFew):
		return notice.Refuse(notice.ProblemStartFew, "league", c.Rules().Name, "n", strconv.Itoa(c.State.Present()), "of", strconv.Itoa(c.Rules().Table))
	case errors.Is(err, league.ErrRounds):
		return Problem(c, notice.ProblemStartNone)
	case errors.Is(err, league.ErrOpen):
		return notice.Refuse(notice.ProblemStartOpen, "league", c.Rules().Name, "n", strconv.Itoa(c.State.Season().Round))
	case err != nil && !c.State.Paused.IsZero():
		return Problem(c, notice.ProblemStartPaused)
	case err != nil:
		return Problem(c, notice.ProblemClosed)
	}
	return nil
}

// start begins the next season, or the round that follows, now: in this transaction, unless
// a clock that was set holds up the calendar (hold).
func (x *directing) start() error {
	u, c := x.u, x.c
	running := c.State.Season() != nil && c.State.Season().Running()
	readers, err := readersOf(u, c)
	if err != nil {
		return err
	}
	if err := u.Enter(c, x.line(league.Start)); err != nil {
		return err
	}
	x.concern(readers)
	if running {
		x.tell(notice.TellStarts, "then", "round", "n", strconv.Itoa(c.State.Season().Round+1))
	} else {
		x.tell(notice.TellStarts, "n", strconv.Itoa(len(c.State.Seasons)+1))
	}
	return nil
}
