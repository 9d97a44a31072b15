package seating

import (
	"strings"

	"angelpost/engine/match/unit"
	"angelpost/engine/notice"
	"angelpost/engine/store"
)

// Expire cancels a game whose invitations lapsed.
func Expire(u *unit.Unit, row store.Due) error {
	t, err := u.Game(row.Game)
	if err != nil {
		return err
	}
	if row.Place != 0 {
		return heirLapses(u, t, t.Place(row.Place))
	}
	if t.Row.State != store.GameInvited {
		return nil
	}
	var silent, absent []string
	for i := range t.Seats {
		x := &t.Seats[i]
		switch x.Stage {
		case store.SeatInvited, store.SeatOpen:
			x.Stage = store.SeatExpired
			silent = append(silent, x.Name)
		case store.SeatJoined:
		default:
			absent = append(absent, x.Name)
		}
	}
	args := []string{"names", strings.Join(silent, ", ")}
	if len(silent) == 0 { // all know who has declined, but not that no one has come instead
		args = []string{"names", strings.Join(absent, ", "), "then", "vacant"}
	}
	u.TellAll(t, 0, func(_ *store.Seat, d *unit.Draft) { d.Say(notice.TellExpired, args...) })
	if x := t.Of(t.Row.Organiser); x == nil || x.Stage != store.SeatJoined && x.Stage != store.SeatBounced { // not among those just told
		u.TellOrganiser(t, 0, notice.TellExpired, args...)
	}
	u.Over(t, store.GameCancelled)
	return nil
}

// heirLapses ends an invitation to take a seat over.
func heirLapses(u *unit.Unit, t *unit.Game, x *store.Seat) error {
	if x == nil || x.Heir == 0 || !t.Running() {
		return nil
	}
	p := u.Player(x.Heir)
	x.Heir = 0
	return tellOfferer(u, t, 0, notice.TellHeirExpired, "name", x.Name, "address", p.Address)
}
