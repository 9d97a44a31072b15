package compete

import (
	"strings"

	"angelpost/engine/league"
	"angelpost/engine/match/naming"
	"angelpost/engine/match/unit"
	"angelpost/engine/notice"
	"angelpost/engine/order"
)

// Close ends a league, as the host: with the season that runs, or at once where none
// does. All its players are told why. Its pages stay.
func Close(u *unit.Unit, c *unit.League, reason string) error {
	reason = naming.Unlinked(naming.Clean(u.NFC(reason), false))
	switch {
	case reason == "":
		return notice.Refuse(order.NoReason, "word", "close")
	case len(reason) > order.MaxReason:
		return notice.Refuse(order.LongText)
	}
	if _, ok := c.State.Opens(); !ok {
		return Problem(c, notice.ProblemClosed)
	}
	readers, err := readersOf(u, c)
	if err != nil {
		return err
	}
	if err := u.Enter(c, league.Line{Kind: league.Close, Text: reason}); err != nil {
		return err
	}
	args := []string{"reason", strings.TrimRight(reason, ".")}
	if x := c.State.Season(); x != nil && x.Running() {
		args = append(args, "then", "season")
	} else {
		c.Row.Over = true
	}
	for _, id := range readers {
		tellLeague(u, c, id, notice.TellClosing, args...)
	}
	return nil
}
