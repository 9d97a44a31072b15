package clock

import (
	"angelpost/engine/match/turns"
	"angelpost/engine/match/unit"
	"angelpost/engine/notice"
)

// Rewound restarts the clocks of a game that has gone back to an earlier position. All players
// to move there get their full time again. Banks keep what is left of them now, because no
// record has what they held at that position.
func Rewound(u *unit.Unit, t *unit.Game) error {
	for i := range t.Seats {
		x := &t.Seats[i]
		u.Unschedule(x)
		if x.Player != 0 {
			st, err := turns.StandingOf(u, t, x)
			if err != nil {
				return err
			}
			st.DisarmAll(notice.TellOffRolled)
		}
		x.Missed, x.Left = 0, 0
		t.Waited[x.Place], t.Pending[x.Place] = false, unit.PendingDecision{}
	}
	return nil
}
