package look

import (
	"angelpost/engine"
	"angelpost/engine/component"
	"angelpost/engine/game"
	"angelpost/engine/match/replays"
	"angelpost/engine/store"
)

// A Finished is a stored game that is over, to review from its log: all of it is public now.
type Finished struct {
	ID      string
	Options game.Options
	Listed  bool // anyone may find it
	Set     *component.Set
	Chance  engine.Random // what it drew from
	Log     []game.Line
	Err     error // why it cannot be reviewed
}

// Finished fetches games that are over with their logs, in two queries.
func (h *Host) Finished(tx store.Tx, rows []store.Game) ([]Finished, error) {
	ids := make([]string, len(rows))
	for i, r := range rows {
		ids[i] = r.ID
	}
	seats, err := tx.SeatsOf(ids)
	if err != nil {
		return nil, err
	}
	logs, err := tx.LogsOf(ids)
	if err != nil {
		return nil, err
	}
	out := make([]Finished, len(rows))
	for i, r := range rows {
		f := Finished{ID: r.ID, Options: r.Options, Listed: r.Visibility == store.Listed, Log: logs[r.ID]}
		var head game.Header
		if f.Set, f.Err = h.games.SetOf(r); f.Err == nil {
			head, f.Err = replays.Header(r, seats[r.ID])
		}
		if f.Err == nil {
			f.Chance = h.games.ChanceOf(head)()
		}
		out[i] = f
	}
	return out, nil
}
