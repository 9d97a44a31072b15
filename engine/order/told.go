package order

import (
	"strconv"

	"angelpost/engine"
)

// PileName returns a deck's name in view.json and in the log's lines of chance.
func PileName(p engine.Pile) string {
	if p < engine.Piles {
		return pileNames[p]
	}
	return ""
}

var pileNames = [engine.Piles]string{
	"mission/orange", "mission/gray", "mission/green", "ravager",
	"technology/orange", "technology/gray", "technology/green", "hal",
}

// Told returns the compact line that a log keeps of an event: every outcome of chance, and
// every gain, loss and final count of VP, so that verify can find differences. ok is false
// for events that follow from the order alone. For an event cut by Event.For it shows a
// card's back: "mission orange".
func Told(e engine.Event) (line string, ok bool) {
	b := make([]byte, 0, 32)
	switch e.Kind {
	case engine.EvShuffled:
		b = str(b, "shuffled ", PileName(e.Pile))
	case engine.EvRolled:
		if e.Seat == engine.Neutral {
			b = str(b, "neutral ")
		}
		b = str(b, e.Color.String(), " die ", strconv.Itoa(int(e.Value)))
	case engine.EvHalCard:
		b = str(b, "hal card ", strconv.Itoa(int(e.N)))
	case engine.EvHalDrew:
		b = str(b, "hal mission ", e.Card.String())
	case engine.EvDrewMission, engine.EvOffered:
		b = str(b, "mission ", e.Card.String())
	case engine.EvDrewRavager:
		if b = str(b, "hand ravager"); !e.Card.Hidden() {
			b = str(b, " ", e.Card.String())
		}
	case engine.EvStartTile:
		b = str(b, "start ", e.Tile.String(), " at ", e.Cell.String())
	case engine.EvNothingToDraw:
		b = str(b, "no mission ", e.Color.String())
	case engine.EvRefilled:
		b = str(b, "advanced ", e.Tile.String(), " at ", strconv.Itoa(int(e.N)))
	case engine.EvAttack:
		b = str(b, "ravager ", e.Card.String(), " at ", strconv.Itoa(int(e.Loc)))
	case engine.EvOverflow:
		b = str(b, "overflow ", e.Card.String())
	case engine.EvTileAppeared:
		b = str(b, "tile ", e.Tile.String())
	case engine.EvVP:
		b = str(b, "vp seat ", strconv.Itoa(int(e.Seat)), " ")
		if e.N >= 0 {
			b = append(b, '+')
		}
		b = str(b, strconv.Itoa(int(e.N)))
		if e.Source < engine.Sources {
			b = str(b, " ", e.Source.String())
		}
	case engine.EvFinal:
		b = str(b, "final seat ", strconv.Itoa(int(e.Seat)), " ", strconv.Itoa(int(e.N)))
	default:
		return "", false
	}
	return string(b), true
}
