package obey

import (
	"errors"
	"strconv"
	"time"

	"angelpost/engine/incoming"
	"angelpost/engine/match/compete"
	"angelpost/engine/match/replays"
	"angelpost/engine/match/seating"
	"angelpost/engine/match/unit"
	"angelpost/engine/notice"
	"angelpost/engine/store"
)

// bounces marks the addresses that our letters did not reach and tells the
// organisers. Only a report that names a letter of ours counts: anyone can
// write one.
func bounces(u *unit.Unit, list []incoming.Bounce) error {
	for _, b := range list[:min(len(list), 20)] {
		if !b.Permanent || b.MessageID == "" {
			continue
		}
		r, err := u.Tx.MessageByID(b.MessageID)
		if none, err := unit.Missing(err); none || err != nil {
			if err != nil {
				return err
			}
			continue
		}
		if a := u.Address(b.Address); a != "" && a != r.To {
			continue
		}
		if err := Unreached(u, r); err != nil {
			return err
		}
	}
	return nil
}

// Unreached notes that a letter was not delivered.
func Unreached(u *unit.Unit, r notice.Message) error {
	var t *unit.Game
	var err error
	if r.Game != "" {
		if t, err = u.Game(r.Game); errors.Is(err, replays.ErrUnreadable) { // it could not even be rendered
			return nil
		}
		if err != nil {
			return err
		}
	}
	row := u.AddressOf(r.To)
	if row.Bounced.IsZero() {
		row.Bounced = u.At
		u.Check(u.Tx.SaveAddress(row))
	}
	if r.Game == "" {
		return compete.Unreached(u, compete.LeagueID(r.Answer.League), r.Player, row.Bounced)
	}
	x := t.Of(r.Player)
	if x == nil || t.Row.State != store.GameInvited && t.Row.State != store.GameRunning {
		return nil
	}
	if t.Row.State == store.GameInvited && x.Stage == store.SeatInvited {
		x.Stage = store.SeatBounced
	}
	// Told once for each time that the address went dead.
	n := u.Bump("bounce/"+t.Row.ID+"/"+strconv.Itoa(x.Place)+"/"+strconv.FormatInt(r.Player, 10), row.Bounced.Format(time.DateOnly))
	if n > 1 {
		return nil
	}
	if !u.Registered(r.Player) && (t.Row.State == store.GameInvited || x.Heir == r.Player) { // the organiser gave the address
		return seating.TellHelper(u, t, r.Player, notice.TellBounced, notice.TellBouncedAll, "name", x.Name, "address", r.To)
	}
	return seating.TellHelper(u, t, r.Player, notice.TellBounced, notice.TellBouncedAll, "name", x.Name)
}
