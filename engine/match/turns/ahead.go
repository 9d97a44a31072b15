package turns

import "angelpost/engine/match/unit"

// A game goes on without letters as far as it can: bots play, and so do players' plans and
// standing orders.

// maxAhead bounds the steps taken without a letter in one transaction, in case plans
// and standing orders never come to an end.
const maxAhead = 200

// PlayAhead lets a running game go on without letters until a player must write or it
// is over.
func PlayAhead(u *unit.Unit, t *unit.Game) error {
	for range maxAhead {
		if err := letBotsPlay(u, t); err != nil {
			return err
		}
		if t.Replay.State.Finished() {
			return nil
		}
		moved, err := saidBefore(u, t)
		if err != nil || !moved {
			return err
		}
	}
	u.Log.Error("a game plays on and on without letters", "game", t.Row.ID)
	return nil
}

// saidBefore takes one step by a plan or a standing order, and reports whether there was any.
func saidBefore(u *unit.Unit, t *unit.Game) (moved bool, err error) {
	if moved, err = playPlan(u, t); moved || err != nil { // what is meant for this turn comes first
		return moved, err
	}
	if moved, err = doStanding(u, t, (*Standing).choose); moved || err != nil {
		return moved, err
	}
	return doStanding(u, t, (*Standing).forced)
}
