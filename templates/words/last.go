package words

import (
	"angelpost/engine"
	"angelpost/engine/game"
)

// lastKeys are what a player did, in a few words, the most telling first.
var lastKeys = []struct {
	kind engine.EventKind
	key  string
}{
	{engine.EvPlaced, "last.placed"},
	{engine.EvUsedCard, "last.used"},
	{engine.EvDiceBack, "last.rolled"},
	{engine.EvDestroyed, "last.destroyed"},
	{engine.EvCubeRemoved, "last.repaired"},
	{engine.EvTileTaken, "last.took"},
	{engine.EvMoved, "last.moved"},
	{engine.EvLaunched, "last.launched"},
	{engine.EvPassed, "last.passed"},
}

// Last is the most telling thing that each seat did in its last turn, in a few words; ""
// for seats that did nothing worth it.
func (v *Voice) Last(told []game.Told) (out [engine.MaxPlayers + 1]string) {
	for _, d := range v.deeds(told) {
		if d.seat < 1 || d.seat > engine.MaxPlayers {
			continue
		}
		for _, k := range lastKeys {
			if e := of(d.events, k.kind, d.seat); e != nil {
				out[d.seat] = v.SayArgs(k.key, func(name string) (any, bool) {
					switch name {
					case "number":
						return e.Card.String(), true
					case "code":
						return e.Tile.String(), true
					}
					return v.eventArg(e, name)
				})
				break
			}
		}
	}
	return out
}

// of is the last event of a kind that a seat brought about; nil if there is none.
func of(events []engine.Event, kind engine.EventKind, seat engine.Seat) *engine.Event {
	for i := len(events) - 1; i >= 0; i-- {
		if e := &events[i]; e.Kind == kind && (e.Seat == seat || e.Seat == 0) {
			return e
		}
	}
	return nil
}
