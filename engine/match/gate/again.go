package gate

import (
	"errors"
	"slices"

	"angelpost/engine"
	"angelpost/engine/match/replays"
	"angelpost/engine/match/unit"
	"angelpost/engine/notice"
	"angelpost/engine/store"
)

// NoticeAgain tells the writer to reply to one of our letters, and sends the last notices of
// their games once more, a few times a day: that of their only game with the answer, otherwise
// that of each game that waits for them.
func NoticeAgain(u *unit.Unit, w *unit.Sender) error {
	if slices.ContainsFunc(w.Answer.Answer.Remarks, func(r notice.Remark) bool { return r.Code == notice.SayNoToken }) {
		return nil
	}
	w.Answer.Say(notice.SayNoToken, "again", "none")
	said := len(w.Answer.Answer.Remarks) - 1
	own, wait, err := gamesAgain(u, w.ID)
	if err != nil {
		return err
	}
	d := w.Answer
	if len(own) == 1 && (d.Game == nil || d.Game == own[0]) && d.Confirm == 0 {
		wait = own
	}
	if len(wait) == 0 || !Spend(u, Counter(u, "again/"+w.Player.Address), AgainRate) {
		return nil
	}
	w.Answer.Counted = true
	again := "one"
	for _, t := range wait {
		x, d := t.Of(w.ID), w.Answer
		if len(wait) == 1 && (d.Game == nil || d.Game == t) && d.Confirm == 0 {
			d.Game, d.Place = t, x.Place
		} else {
			d, again = u.DraftFor(w.ID, t, notice.KindTurn), "each"
		}
		d.Since, d.Again, d.Asked, d.Full, d.Answer.Board = x.Seen, true, true, true, true
		d.Say(notice.SayAgain)
	}
	w.Answer.Answer.Remarks[said].Args["again"] = again
	return nil
}

// gamesAgain returns the running games in which a player has a seat, and those of them that
// wait for the player.
func gamesAgain(u *unit.Unit, player int64) (own, wait []*unit.Game, err error) {
	rows, err := u.Tx.GamesOf(player, true)
	if err != nil {
		return nil, nil, err
	}
	for _, row := range rows[:min(len(rows), 10)] {
		if row.State != store.GameRunning {
			continue
		}
		t, err := u.Game(row.ID)
		if err != nil && !errors.Is(err, replays.ErrUnreadable) {
			return nil, nil, err
		}
		if x := t.Of(player); x != nil && x.Player == player && !x.Unplayed() && t.Replay != nil {
			own = append(own, t)
			if t.Replay.State.ToAct(engine.Seat(x.Seat)) {
				wait = append(wait, t)
			}
		}
	}
	return own, wait, nil
}
