package look

import (
	"fmt"

	"angelpost/engine/game"
	"angelpost/engine/match/replays"
	"angelpost/engine/store"
)

// Parts returns, by seat from 1 at [0], who played how much of a game that has begun, in the
// order in which they came to it. Turns that were taken back do not count, nor do Hal's.
func (h *Host) Parts(tx store.Tx, game string) ([][]game.Share, error) {
	row, err := tx.Game(game)
	if err != nil {
		return nil, err
	}
	if row.Started.IsZero() {
		return nil, fmt.Errorf("game %s has not begun: %w", game, store.ErrNotFound)
	}
	seats, err := tx.Seats(game)
	if err != nil {
		return nil, err
	}
	tenures, err := tx.Tenures([]string{game})
	if err != nil {
		return nil, err
	}
	p, err := h.games.Replay(tx, row, seats)
	if err != nil {
		return nil, err
	}
	return p.Shares(tenures[game], replays.Holders(seats)), nil
}
