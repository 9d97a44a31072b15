package match

import (
	"context"
	"fmt"
	"strconv"

	"angelpost/engine/component"
)

// A WrongSet is the error about a game whose component set is not at hand, or
// about a set of that name which is another one.
type WrongSet struct {
	Name string // of the game's set
	Hash string // of the game's set; "" if it is not known
	Here string // hash of the set of that name that is at hand; "" if none is
}

func (e *WrongSet) Error() string {
	s := fmt.Sprintf("it was begun with the component set %.40q", e.Name)
	if e.Hash != "" {
		s += fmt.Sprintf(" (hash %.64q)", e.Hash)
	}
	if e.Here == "" {
		return s + ", which is not at hand"
	}
	return s + ", but the set of that name here has the hash " + strconv.Quote(e.Here)
}

// setOf is the component set a game is played with: the one of the name its
// options bear and, once it has begun, of the hash it began with. A set that was
// edited since would replay to another game.
func (c *Config) setOf(row GameRow) (*component.Set, error) {
	set := c.Sets[row.Options.Set]
	switch {
	case set == nil:
		return nil, &WrongSet{Name: row.Options.Set, Hash: row.SetHash}
	case row.SetHash != "" && row.SetHash != set.Hash:
		return nil, &WrongSet{Name: row.Options.Set, Hash: row.SetHash, Here: set.Hash}
	}
	return set, nil
}

// fits tells whether set is the one the record was played with. A record from
// which the hash was left out goes by the name.
func (r *Record) fits(set *component.Set) error {
	switch {
	case set == nil || set.Name != r.Set:
		return fmt.Errorf("%w that can be played here: %w", ErrRecord, &WrongSet{Name: r.Set, Hash: r.SetHash})
	case r.SetHash != "" && r.SetHash != set.Hash:
		return fmt.Errorf("%w that can be played here: %w", ErrRecord, &WrongSet{Name: r.Set, Hash: r.SetHash, Here: set.Hash})
	}
	return nil
}

// Stranded tells the first game of those not yet over whose component set is
// not at hand, and why; "" if all can be played on.
func (h *Host) Stranded(ctx context.Context) (game string, why error, err error) {
	err = h.Store.View(ctx, func(tx Tx) error {
		for _, state := range []string{GameInvited, GameRunning} {
			for after := ""; ; {
				rows, err := tx.AllGames(state, after, 100)
				if err != nil {
					return err
				}
				for _, row := range rows {
					if _, why = h.setOf(row); why != nil {
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
