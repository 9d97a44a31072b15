package clock

import (
	"slices"
	"strings"
	"time"

	"angelpost/engine"
	"angelpost/engine/match/unit"
	"angelpost/engine/notice"
	"angelpost/engine/store"
)

// SetPaused stops all clocks of a game, or restarts them, and tells all players; name is the
// player who decided, "": all agreed.
func SetPaused(u *unit.Unit, t *unit.Game, pause bool, name string) error {
	if err := StopClocks(u, t, pause); err != nil {
		return err
	}
	code := notice.TellResumed
	if pause {
		code = notice.TellPaused
	}
	u.TellAll(t, 0, func(_ *store.Seat, d *unit.Draft) {
		if r := d.Say(code); name != "" {
			r.List = []string{name}
		}
	})
	return nil
}

// StopClocks stops all clocks of a game, or restarts them with the time that was left.
func StopClocks(u *unit.Unit, t *unit.Game, pause bool) error {
	for i := range t.Seats {
		x := &t.Seats[i]
		x.Agreed = strings.Join(slices.DeleteFunc(strings.Fields(x.Agreed), func(a string) bool { return a == store.ConfirmPause || a == store.ConfirmResume }), " ")
		rest := u.RestAt(t, x)
		switch {
		case pause && !x.Deadline.IsZero():
			x.Left = max(rest.Between(u.At.Add(heldFor(u, x.Player)), x.Deadline), time.Minute)
			u.Unschedule(x)
		case !pause && !x.Unplayed():
			is := unit.PendingDecisionOf(t.Replay, engine.Seat(x.Seat))
			left := x.Left
			if left == 0 {
				left = allotted(t.Pace(), is, x.Bank)
			}
			if x.Left = 0; is.Waits {
				if err := schedule(u, x, t.Pace(), rest, left); err != nil {
					return err
				}
				if by := heldFor(u, x.Player); by > 0 {
					shift(u, x, by)
				}
			}
		}
	}
	if t.Row.Paused = (time.Time{}); pause {
		t.Row.Paused = u.At
	}
	return nil
}
