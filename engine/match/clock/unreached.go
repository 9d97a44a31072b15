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

// While a player's mail server refuses our letters for now, the player may not know that it is
// their turn. So their clocks stand still: we move their deadlines by the longest time that
// this may last, and back by the rest when a letter goes through, or when they write. Clocks do
// not stand still after a permanent refusal, a mute or a delay that the player has chosen.
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

// Refused records that a player's mail server has refused a letter for now.
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

// Reached records that letters reach a player again.
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

// letGo restarts the clocks of a player.
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

// HeldDue handles the timer of a player whose clocks stand still.
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

// tellUnreached tells the other players of a game that we can't reach a player, and who can
// decide what.
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

// eachClock calls do for each seat of a player that has a deadline.
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

// shift moves a seat's deadline and its other timers.
func shift(u *unit.Unit, s *store.Seat, by time.Duration) {
	s.Deadline = s.Deadline.Add(by)
	u.Check(u.Tx.ShiftSeat(s.Game, s.Place, by))
}

// heldFor returns how much longer the clocks of a player stand still.
func heldFor(u *unit.Unit, player int64) time.Duration {
	x, err := u.Tx.Unreached(player)
	if none, err := unit.Missing(err); none || err != nil || !x.Held {
		u.Check(err)
		return 0
	}
	return max(x.Until.Sub(u.At), 0)
}

// Waited returns how long a letter has waited that is the first to tell a player about their
// decision with a deadline; 0 for other letters, or if the time is too short to count.
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

// GiveBack moves a seat's deadline by the time that the letter about it waited.
func GiveBack(u *unit.Unit, s *store.Seat, by time.Duration) {
	if by > 0 {
		shift(u, s, by)
		u.Check(u.Tx.Reenter(s.Player, 0, u.At)) // so that it counts once
	}
}
