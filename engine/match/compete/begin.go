package compete

import (
	"errors"
	"strconv"
	"time"

	"angelpost/engine/league"
	"angelpost/engine/match/unit"
	"angelpost/engine/notice"
	"angelpost/engine/order"
)

// regret is how long a director can take back a start or a new name, before many letters tell
// it.
const regret = time.Hour

// mayStart returns why nothing can begin now, nil if it can.
func (x *directing) mayStart() error {
	c := x.c
	_, at := c.State.Starting()
	switch {
	case x.word.Direct.No && at.IsZero():
		return Problem(c, notice.ProblemNotStarting)
	case x.word.Direct.No:
		return nil
	case !at.IsZero():
		return notice.Refuse(notice.ProblemStarting, "league", c.Rules().Name, "time", x.when(at))
	}
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

// start begins the next season, or the next round, once the director has had time to take it
// back. We tell the players only when it begins.
func (x *directing) start() error {
	u, c, no := x.u, x.c, x.word.Direct.No
	of, n := "season", len(c.State.Seasons)+1
	was, _ := c.State.Opens()
	if s := c.State.Season(); s != nil && s.Running() {
		of, n = "round", s.Round+1
		was, _ = c.State.NextRound()
	}
	line := x.line(league.Start)
	if line.No = no; !no {
		line.Later = int(regret / time.Second)
	}
	if err := u.Enter(c, line); err != nil {
		return err
	}
	then, back := "start", order.Direction{Kind: order.DirectStart, No: true}
	if no {
		then, back = "start-no", order.Direction{Kind: order.DirectStart}
	}
	_, at := c.State.Starting()
	if no {
		if at, _ = c.State.Opens(); of == "round" {
			at, _ = c.State.NextRound()
		}
	}
	x.changes(then, x.undoing(back), "of", of, "n", strconv.Itoa(n), "was", x.when(was), "now", x.when(at), "players", strconv.Itoa(c.State.Present()))
	return nil
}

// tellStarts tells all players that what a director's line has started begins.
func tellStarts(u *unit.Unit, c *unit.League, line *league.Line, round int) error {
	x := &directing{u: u, c: c, word: order.Word{Direct: &order.Direction{Kind: order.DirectStart}, Text: line.Text}, of: map[int64][]told{}}
	if line.By != 0 {
		x.p = u.Player(line.By)
	}
	readers, err := readersOf(u, c)
	if err != nil {
		return err
	}
	x.concern(readers)
	if round > 0 {
		x.tell(notice.TellStarts, "then", "round", "n", strconv.Itoa(round))
	} else {
		x.tell(notice.TellStarts, "n", strconv.Itoa(len(c.State.Seasons)))
	}
	return nil
}
