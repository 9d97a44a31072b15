package clock

import (
	"errors"
	"slices"
	"time"

	"angelpost/engine"
	"angelpost/engine/match/leagues"
	"angelpost/engine/match/replays"
	"angelpost/engine/match/unit"
	"angelpost/engine/notice"
	"angelpost/engine/store"
)

// While a player's mail server refuses our letters for now, they may not know that it is
// their turn, so their clocks stand still: their deadlines are moved as far as that may last, and
// back by the rest when a letter goes through, or they write. After a refusal for good, a mute or a
// delay that the player has chosen, nothing stands still.
const (
	maxHeld     = 3 * 24 * time.Hour  // in a row
	maxHeldYear = 10 * 24 * time.Hour // of a player in a year
	tellHeld    = 24 * time.Hour      // until we tell the other players
	heldFrom    = 15 * time.Minute    // mail servers that do not know us refuse letters for some minutes
)

const ( // Step of store.DueHeld
	heldTell = iota
	heldEnd
)

// Refused notes that a player's mail server has refused a letter for now.
func Refused(u *unit.Unit, id int64, why string) error {
	r, err := u.Tx.Message(id)
	if err != nil || r.Player == 0 || u.Player(r.Player).Address != r.To {
		return err
	}
	if _, err := u.Tx.Unreached(r.Player); !errors.Is(err, store.ErrNotFound) {
		return err
	}
	since, err := u.Tx.Entered(id)
	if err != nil || u.At.Sub(since) < heldFrom {
		return err
	}
	used, err := u.Tx.HeldTime(r.Player, since.Year())
	if err != nil {
		return err
	}
	x := store.Unreached{Player: r.Player, Since: since, Until: since.Add(min(maxHeld, max(maxHeldYear-used, 0))), Held: true, Why: why}
	if !x.Until.After(u.At) { // nothing is left
		x.Until, x.Held = since, false
	}
	u.Check(u.Tx.SaveUnreached(x))
	if !x.Held {
		return nil
	}
	for step, at := range map[int]time.Time{heldTell: since.Add(tellHeld), heldEnd: x.Until} {
		if step == heldEnd || at.Before(x.Until) {
			u.Check(u.Tx.AddDue(&store.Due{At: at, Kind: store.DueHeld, Place: int(r.Player), Step: step}))
		}
	}
	return eachClock(u, r.Player, func(_ *unit.Game, s *store.Seat) error {
		shift(u, s, x.Until.Sub(since))
		return nil
	})
}

// Reached notes that a player can be reached.
func Reached(u *unit.Unit, player int64) error {
	x, err := u.Tx.Unreached(player)
	if none, err := unit.Missing(err); none || err != nil {
		return err
	}
	u.Check(u.Tx.DropUnreached(player))
	if !x.Held {
		return u.Tx.Reenter(player, 0, u.At) // they have had what time they may
	}
	return letGo(u, x, u.At)
}

// letGo has the clocks of a player go on.
func letGo(u *unit.Unit, x store.Unreached, at time.Time) error {
	u.Check(u.Tx.ClearDue(store.DueHeld, "", int(x.Player)))
	if at.After(x.Until) {
		at = x.Until
	}
	u.Check(u.Tx.AddHeldTime(x.Player, x.Since.Year(), at.Sub(x.Since)))
	u.Check(u.Tx.Reenter(x.Player, 0, u.At))
	return eachClock(u, x.Player, func(_ *unit.Game, s *store.Seat) error {
		shift(u, s, at.Sub(x.Until))
		return nil
	})
}

// HeldDue is what falls due while the clocks of a player stand still.
func HeldDue(u *unit.Unit, row store.Due) error {
	x, err := u.Tx.Unreached(int64(row.Place))
	if none, err := unit.Missing(err); none || err != nil || !x.Held {
		return err
	}
	if row.Step == heldEnd {
		x.Held = false
		u.Check(u.Tx.SaveUnreached(x))
		return letGo(u, x, x.Until)
	}
	return eachClock(u, x.Player, func(t *unit.Game, s *store.Seat) error { return tellUnreached(u, t, s, x) })
}

// tellUnreached tells the others at the table that a player cannot be reached, and who can decide
// about that how.
func tellUnreached(u *unit.Unit, t *unit.Game, s *store.Seat, x store.Unreached) error {
	if _, err := leagues.TellRulers(u, t, notice.TellUnreachedRuler, "name", s.Name, "game", t.Row.ID); err != nil {
		return err
	}
	u.TellAll(t, s.Player, func(y *store.Seat, d *unit.Draft) {
		code := notice.TellUnreached
		if y.Player == t.Row.Organiser {
			code = notice.TellUnreachedHelp
		}
		u.SayTime(d, code, x.Until, "name", s.Name, "from", unit.When(x.Since, u.ZoneOf(d.Player)))
	})
	return nil
}

// eachClock does something with each seat of a player that has a deadline.
func eachClock(u *unit.Unit, player int64, do func(*unit.Game, *store.Seat) error) error {
	rows, err := u.Tx.GamesOf(player, true)
	if err != nil {
		return err
	}
	for _, row := range rows {
		if row.Options.Clock == "" || row.State != store.GameRunning {
			continue
		}
		t, err := u.Game(row.ID)
		if errors.Is(err, replays.ErrUnreadable) {
			continue
		}
		if err != nil {
			return err
		}
		s := t.Of(player)
		if s == nil || s.Player != player || s.Deadline.IsZero() {
			continue
		}
		if err := do(t, s); err != nil {
			return err
		}
	}
	return nil
}

// shift moves a seat's deadline, and what is due of its clock.
func shift(u *unit.Unit, s *store.Seat, by time.Duration) {
	s.Deadline = s.Deadline.Add(by)
	u.Check(u.Tx.ShiftSeat(s.Game, s.Place, by))
}

// heldFor is how long the clocks of a player stand still yet.
func heldFor(u *unit.Unit, player int64) time.Duration {
	x, err := u.Tx.Unreached(player)
	if none, err := unit.Missing(err); none || err != nil || !x.Held {
		u.Check(err)
		return 0
	}
	return max(x.Until.Sub(u.At), 0)
}

// Waited is how much later than it was made a letter goes that tells a player first of the
// decision that they have a deadline for; 0 if that is not so, or too little to count.
func Waited(u *unit.Unit, t *unit.Game, s *store.Seat, r *notice.Message) (time.Duration, error) {
	if s.Player != r.Player || s.Deadline.IsZero() || u.Past(s.Deadline) {
		return 0, nil
	}
	k, err := u.Tx.Token(r.Token)
	if err != nil {
		return 0, err
	}
	is := unit.PendingDecisionOf(t.Replay, engine.Seat(s.Seat))
	if !is.Waits || k.Turn != t.Replay.Turns[s.Seat] {
		return 0, nil
	}
	whole := allotted(t.Pace(), is, s.Bank)
	if !slices.ContainsFunc(r.Answer.Deadlines, func(d notice.Deadline) bool {
		return d.Seat == s.Seat && time.Duration(d.Left)*time.Second+time.Minute >= whole
	}) {
		return 0, nil // it reminds them
	}
	since, err := u.Tx.Entered(r.ID)
	if late := u.At.Sub(since); err == nil && late > heldFrom {
		return late, nil
	}
	return 0, err
}

// GiveBack moves a seat's deadline by the time that the letter waited which tells of it.
func GiveBack(u *unit.Unit, s *store.Seat, by time.Duration) {
	if by > 0 {
		shift(u, s, by)
		u.Check(u.Tx.Reenter(s.Player, 0, u.At)) // so that it counts once
	}
}
