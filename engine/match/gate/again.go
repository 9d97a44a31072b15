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

// NoticeAgain sends the last notice of each game that waits for the writer once more, a
// few times a day: with the answer if it is one game.
func NoticeAgain(u *unit.Unit, w *unit.Sender) error {
	if slices.ContainsFunc(w.Answer.Answer.Remarks, func(r notice.Remark) bool { return r.Code == notice.SayNoToken }) {
		return nil
	}
	w.Answer.Say(notice.SayNoToken)
	rows, err := u.Tx.GamesOf(w.ID, true)
	if err != nil {
		return err
	}
	var wait []*unit.Game
	for _, row := range rows[:min(len(rows), 10)] {
		if row.State != store.GameRunning {
			continue
		}
		t, err := u.Game(row.ID)
		if err != nil && !errors.Is(err, replays.ErrUnreadable) {
			return err
		}
		if x := t.Of(w.ID); x != nil && x.Player == w.ID && !x.Unplayed() && t.Replay.State.ToAct(engine.Seat(x.Seat)) {
			wait = append(wait, t)
		}
	}
	if len(wait) == 0 {
		return nil
	}
	ok := Spend(u, Counter(u, "again/"+w.Player.Address), AgainRate)
	if !ok {
		return nil
	}
	w.Answer.Counted = true
	for _, t := range wait {
		x := t.Of(w.ID)
		d := w.Answer
		if len(wait) == 1 && (d.Game == nil || d.Game == t) && d.Confirm == 0 {
			d.Game, d.Place = t, x.Place
		} else {
			d = u.DraftFor(w.ID, t, notice.KindTurn)
		}
		d.Since, d.Again, d.Asked, d.Full, d.Answer.Board = x.Seen, true, true, true, true
		d.Say(notice.SayAgain)
	}
	return nil
}
