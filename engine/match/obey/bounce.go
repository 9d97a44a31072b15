package obey

import (
	"errors"
	"strconv"
	"time"

	"angelpost/engine/incoming"
	"angelpost/engine/match/replays"
	"angelpost/engine/match/seating"
	"angelpost/engine/match/unit"
	"angelpost/engine/notice"
	"angelpost/engine/store"
)

// bounces marks the addresses that our letters did not reach and tells the organisers. Anyone
// can forge a report, so it counts only if it names one of our letters: by its Message-ID, or
// by its token and recipient.
func bounces(u *unit.Unit, list []incoming.Bounce) error {
	for _, b := range list[:min(len(list), 20)] {
		if !b.Permanent {
			continue
		}
		to := u.Address(b.Address)
		r, ok, err := reported(u, b.MessageID, to)
		if err != nil {
			return err
		}
		if !ok || to != "" && to != r.To {
			continue
		}
		if err := unreached(u, r, false); err != nil {
			return err
		}
	}
	return nil
}

// reported finds the letter that a report is about, one that we sent: by its Message-ID, or, if
// the report names the recipient, by the token of the incoming letter.
func reported(u *unit.Unit, id, to string) (r notice.Message, ok bool, err error) {
	if id != "" {
		r, err = u.Tx.MessageByID(id)
		if none, err := unit.Missing(err); err != nil || !none {
			return r, err == nil, err
		}
	}
	if u.Command.Token == "" || to == "" {
		return r, false, nil
	}
	r, err = u.Tx.MessageByToken(u.Command.Token)
	none, err := unit.Missing(err)
	return r, err == nil && !none, err
}

// Unreached notes that the recipient's mail server refused a letter.
func Unreached(u *unit.Unit, r notice.Message) error { return unreached(u, r, true) }

// unreached records that a letter was not delivered. If only a report says so, we tell the
// organiser after the second one, because mailboxes may work again. For an invitation we tell
// them at once, because no second letter may follow it.
func unreached(u *unit.Unit, r notice.Message, certain bool) error {
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
		return nil // the weekly letter to a league's director has it
	}
	x := t.Of(r.Player)
	if x == nil || t.Row.State != store.GameInvited && t.Row.State != store.GameRunning {
		return nil
	}
	if t.Row.State == store.GameInvited && x.Stage == store.SeatInvited {
		x.Stage = store.SeatBounced
	}
	// Told once for each time that the address went dead.
	name := "bounce/" + t.Row.ID + "/" + strconv.Itoa(x.Place) + "/" + strconv.FormatInt(r.Player, 10)
	since := row.Bounced.Format(time.DateOnly)
	n := u.Bump(name, since)
	if !certain && n < 2 && t.Row.State == store.GameRunning && x.Heir != r.Player {
		return nil
	}
	if n = u.Bump(name+"/told", since); n > 1 {
		return nil
	}
	if !u.Registered(r.Player) && (t.Row.State == store.GameInvited || x.Heir == r.Player) { // the organiser gave the address
		return seating.TellHelper(u, t, r.Player, notice.TellBounced, notice.TellBouncedAll, "name", x.Name, "address", r.To)
	}
	return seating.TellHelper(u, t, r.Player, notice.TellBounced, notice.TellBouncedAll, "name", x.Name)
}
