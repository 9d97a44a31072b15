package clock

import (
	"angelpost/engine/match/turns"
	"angelpost/engine/match/unit"
	"angelpost/engine/notice"
)

// Rewound lets a game go on that has gone back to an earlier position. All players to move
// there get their time anew; of banks there is what is left now, for no record tells what
// there was then.
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
