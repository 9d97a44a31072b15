package table

import (
	"slices"

	"angelpost/engine"
	"angelpost/engine/component"
	"angelpost/templates/words"
)

// Printed is a Table without a game, for drawings of what is printed in a component set.
// voice must be of that set.
func Printed(voice *words.Voice, set *component.Set) *Table {
	v := &engine.View{Set: set, Options: engine.Options{Hal: engine.Easy}} // comets matter to Hal only
	for n := range v.Locs {
		v.Locs[n].Location = set.Locs[n]
	}
	return &Table{Voice: voice, View: v}
}

// starts reports whether start tiles go to a cell, from 0.
func (t *Table) starts(cell int) bool { return slices.Contains(t.View.Set.Start[:], uint8(cell)) }
