package replays

import (
	"angelpost/engine/component"
	"angelpost/engine/game"
	"angelpost/engine/store"
)

// SetOf returns the component set of a game: the one with the name in its options and, once the
// game has begun, with the hash that it began with. With an edited set the log would replay to
// another game.
func (c *Cache) SetOf(row store.Game) (*component.Set, error) {
	set := c.Sets[row.Options.Set]
	switch {
	case set == nil:
		return nil, &game.WrongSet{Name: row.Options.Set, Hash: row.SetHash}
	case row.SetHash != "" && row.SetHash != set.Hash:
		return nil, &game.WrongSet{Name: row.Options.Set, Hash: row.SetHash, Here: set.Hash}
	}
	return set, nil
}
