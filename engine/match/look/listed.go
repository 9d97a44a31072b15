package look

import (
	"context"
	"errors"

	"angelpost/engine/match/replays"
	"angelpost/engine/match/unit"
	"angelpost/engine/store"
)

// maxListed bounds the list of games for everyone.
const maxListed = 50

// A Listing is a game that anyone may find.
type Listing struct {
	ID, Name, State string
	Round           int // 0 unless it is running
	Names           []string
}

// Listed returns the games that all their players have made public, last moved first, at most
// 50.
func (h *Host) Listed(ctx context.Context) (out []Listing, err error) {
	err = h.Store.View(ctx, func(tx store.Tx) error {
		rows, err := tx.ListedGames(maxListed)
		if err != nil {
			return err
		}
		ids := make([]string, len(rows))
		for i, r := range rows {
			ids[i] = r.ID
		}
		seats, err := tx.SeatsOf(ids)
		if err != nil {
			return err
		}
		for _, r := range rows {
			if replays.Seated(r, seats[r.ID]) != nil {
				continue
			}
			t := unit.Game{Row: r, Seats: seats[r.ID]}
			l := Listing{ID: r.ID, Name: r.Name, State: r.State, Names: t.Names()}
			if r.State == store.GameRunning {
				p, err := h.games.Replay(tx, r, seats[r.ID])
				if errors.Is(err, replays.ErrUnreadable) {
					continue
				}
				if err != nil {
					return err
				}
				h.games.Keep(r.ID, p)
				l.Round = p.State.Project(0).Round
			}
			out = append(out, l)
		}
		return nil
	})
	return out, err
}
