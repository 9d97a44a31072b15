package words

import (
	"slices"

	"angelpost/engine"
	"angelpost/engine/component"
	"angelpost/engine/game"
)

// Hal's turn follows the player's last step, and its events are among that step's. The log
// shows it as his own turn, with a line for each thing that a player can check: the card and
// the half he does, the die, what he takes and what that is worth, and what follows from it.

// halBegins is where Hal's turn begins among the events of another seat's
// step; -1 where it does not.
func halBegins(t *game.Told) int {
	at := slices.IndexFunc(t.Events, func(e engine.Event) bool {
		return e.Kind == engine.EvHalCard || e.Kind == engine.EvDiceBack && e.Seat == engine.Hal && t.Seat != int(engine.Hal)
	})
	if at > 0 && t.Events[at-1].Kind == engine.EvShuffled { // his cards, for the one he reveals
		at--
	}
	return at
}

// BeforeHal returns the events of a line without those of Hal's turn, if that follows.
func BeforeHal(t *game.Told) []engine.Event {
	if at := halBegins(t); at >= 0 {
		return t.Events[:at]
	}
	return t.Events
}

// halTurn tells Hal's turn.
func (v *Voice) halTurn(t *game.Told, events []engine.Event) Turn {
	out := Turn{Seat: engine.Hal, Head: v.Head(engine.Hal, 0)}
	events = slices.Clone(events)
	from, die, half := 0, uint8(0), component.Half{}
	line := func(to int) {
		if text := v.Events(events[from:to]); text != "" {
			out.Lines = append(out.Lines, TurnLine{Text: Sentence(text), Undone: t.Undone})
		}
		from = to
	}
	for i, e := range events {
		switch e.Kind {
		case engine.EvDieTaken:
			die = e.Value
		case engine.EvHalChose:
			half = v.set.Hal[e.N-1][e.Cause-1]
		case engine.EvActed: // Damage there lowers the die (R4.7); the half says how he takes things
			events[i].Flag = int16(die) > e.N
			if half.Mod {
				events[i].Cause = 1
			}
		}
		switch e.Kind {
		case engine.EvHalChose, engine.EvActed, engine.EvHalBack, engine.EvVP:
			line(i + 1)
		case engine.EvAdvanced:
			line(i)
		case engine.EvTurnEnded:
			out.Round = int(e.N)
			out.Head = v.Head(engine.Hal, out.Round)
		}
	}
	line(len(events))
	return out
}

// halKey returns the message of an event of Hal's turn that differs from a player's, because it
// gives the reason; "" for others.
func (v *Voice) halKey(e engine.Event) string {
	switch {
	case e.Kind == engine.EvDieTaken && e.Other == 0:
		return "event.hal-die"
	case e.Kind == engine.EvDieTaken:
		return "event.hal-die-bought"
	case e.Kind == engine.EvActed && e.Loc <= 6 && v.set.Locs[e.Loc].Action == component.Command:
		return "event.hal-commands"
	case e.Kind == engine.EvActed && e.N > 0:
		return "event.hal-acted"
	case e.Kind == engine.EvActed:
		return "event.hal-acted-none"
	case e.Kind == engine.EvTileTaken:
		return "event.hal-tile-taken"
	case e.Kind == engine.EvDiceBack:
		return "event.hal-rolls"
	case e.Kind == engine.EvTookDamaged:
		return "event.hal-took-damaged"
	case e.Kind == engine.EvPlaced:
		return "event.hal-placed"
	}
	return ""
}
