package clock

import (
	"strconv"
	"time"

	"angelpost/engine"
	"angelpost/engine/game"
	"angelpost/engine/match/turns"
	"angelpost/engine/match/unit"
	"angelpost/engine/notice"
	"angelpost/engine/store"
)

// Tick updates the timers of a running game. Without a clock there is one: a reminder,
// RemindAfter the game began to wait for a player.
func Tick(u *unit.Unit, t *unit.Game) error {
	pace := t.Pace()
	for i := range t.Seats {
		x := &t.Seats[i]
		if x.Seat == 0 {
			continue
		}
		if pace.Turn > 0 {
			if err := tick(u, t, x, pace); err != nil {
				return err
			}
			continue
		}
		waits := t.Running() && !x.Unplayed() && t.Replay.Waits(engine.Seat(x.Seat))
		was := t.Waited[x.Place]
		if was && (!waits || t.Moved[x.Place]) {
			u.Check(u.Tx.ClearDue(store.DueRemind, t.Row.ID, x.Place))
		}
		if waits && (!was || t.Moved[x.Place]) {
			due := &store.Due{At: u.At.Add(u.RemindAfter), Kind: store.DueRemind, Game: t.Row.ID, Place: x.Place, Step: t.Replay.Step()}
			u.Check(u.Tx.AddDue(due))
		}
	}
	return nil
}

// RemindDue reminds a player who has been silent.
func RemindDue(u *unit.Unit, row store.Due) error {
	t, err := u.Game(row.Game)
	if err != nil {
		return err
	}
	x := t.Place(row.Place)
	if x == nil || !t.Running() || x.Unplayed() || !t.Replay.Waits(engine.Seat(x.Seat)) {
		return nil
	}
	if row.Ref == givenUp {
		giveUp(u, t, x)
		return nil
	}
	lost := time.Time{} // when the game is, if nothing comes
	if t.Row.Visibility == store.Listed && x.Deadline.IsZero() && t.Alone() {
		lost = u.At.Add(maxIdle)
		u.Check(u.Tx.AddDue(&store.Due{At: lost, Kind: store.DueRemind, Game: t.Row.ID, Place: x.Place, Ref: givenUp}))
	}
	if x.MutedBy(x.Player) {
		return nil
	}
	d := u.DraftFor(x.Player, t, notice.KindTurn)
	d.Since, d.Again = x.Seen, true
	if !x.Deadline.IsZero() {
		zone := u.ZoneOf(x.Player)
		rest := u.RestAt(t, x)
		then, err := afterGrace(u, t, x)
		if err != nil {
			return err
		}
		u.SayTime(d, notice.TellRunsOut, x.Deadline, append(then, "next", unit.When(rest.After(x.Deadline, t.Pace().Grace), zone))...)
		return nil
	}
	args := []string{"days", strconv.Itoa(int(u.RemindAfter / (24 * time.Hour)))}
	if !lost.IsZero() {
		args = append(args, "then", "lost", "date", lost.Format(time.DateOnly))
	}
	d.Say(notice.TellReminder, args...)
	return nil
}

// How long after the reminder a listed game of one player and bots waits for the player, if it
// has no clock. Then the player counts as resigned: otherwise no one would ever lose such a
// game.
const (
	maxIdle = 60 * 24 * time.Hour
	givenUp = "given-up" // store.Due.Ref
)

func giveUp(u *unit.Unit, t *unit.Game, x *store.Seat) {
	if t.Row.Visibility != store.Listed || !t.Alone() { // by now
		return
	}
	d := u.DraftFor(x.Player, t, notice.KindInfo)
	d.Asked = true // muted or not: their rating is at stake
	d.Say(notice.TellGivenUp)
	x.Bot, x.Stage = store.ResignBot, store.SeatResigned
	turns.NowPlays(u, t, x, game.ByClock, game.TenureAbsent)
}
