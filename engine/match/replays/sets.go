package replays

import (
	"angelpost/engine/component"
	"angelpost/engine/game"
	"angelpost/engine/store"
)

// SetOf is the component set a game is played with: the one of the name its
// options bear and, once it has begun, of the hash it began with. A set that was
// edited since would replay to another game.
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
