package match

import (
	"context"

	"angelpost/engine/component"
	"angelpost/engine/game"
	"angelpost/engine/store"
)

// setOf is the component set a game is played with: the one of the name its
// options bear and, once it has begun, of the hash it began with. A set that was
// edited since would replay to another game.
func (c *cache) setOf(row store.Game) (*component.Set, error) {
	set := c.Sets[row.Options.Set]
	switch {
	case set == nil:
		return nil, &game.WrongSet{Name: row.Options.Set, Hash: row.SetHash}
	case row.SetHash != "" && row.SetHash != set.Hash:
		return nil, &game.WrongSet{Name: row.Options.Set, Hash: row.SetHash, Here: set.Hash}
	}
	return set, nil
}

// Stranded tells the first game of those not yet over whose component set is
// not at hand, and why; "" if all can be played on.
func (h *Host) Stranded(ctx context.Context) (game string, why error, err error) {
	err = h.Store.View(ctx, func(tx store.Tx) error {
		for _, state := range []string{store.GameInvited, store.GameRunning} {
			for after := ""; ; {
				rows, err := tx.AllGames(state, after, 100)
				if err != nil {
					return err
				}
				for _, row := range rows {
					if row.Err != nil { // it waits for its host, whatever its set
						continue
					}
					if _, why = h.games.setOf(row); why != nil {
						game = row.ID
						return nil
					}
				}
				if len(rows) == 0 {
					break
				}
				after = rows[len(rows)-1].ID
			}
		}
		return nil
	})
	return game, why, err
}
