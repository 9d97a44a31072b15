package order

import (
	"strconv"

	"angelpost/engine"
	"angelpost/engine/component"
)

// Print returns the canonical line of a step, as package engine lists it next to each Kind.
// A step that no rule knows (a Kind or Use out of range) prints as "".
func Print(s engine.Step) string { return string(Append(nil, s)) }

// Append appends Print(s) to b.
func Append(b []byte, s engine.Step) []byte {
	switch s.Kind {
	case engine.Discard:
		return str(b, "discard ", s.Card.String())
	case engine.Keep:
		return str(b, "keep ", s.Card.String())
	case engine.Decline:
		return str(b, "decline")
	case engine.PlayCard:
		return str(b, "card ", s.Card.String(), " at ", s.Slot.String())
	case engine.Activate:
		return effect(str(b, "activate ", s.Cell.String()), s)
	case engine.FlipDie:
		b = str(b, "flip ", s.Color.String(), " ", strconv.Itoa(int(s.Value)))
		if s.Secure {
			b = str(b, " secure")
		}
		return b
	case engine.TakeDie:
		b = str(b, "die ", s.Color.String(), " ", strconv.Itoa(int(s.Value)))
		switch s.Seller {
		case 0:
		case engine.Neutral:
			b = str(b, " from neutral")
		default:
			b = str(b, " from seat ", strconv.Itoa(int(s.Seller)))
		}
		if s.Secure {
			b = str(b, " secure")
		}
		if s.Flip {
			b = str(b, " flip")
		}
		return b
	case engine.Boost:
		b = str(b, "boost ", s.Cell.String())
		if s.Use == engine.AsColor {
			b = str(b, " ", s.Color.String())
		}
		return b
	case engine.Act:
		return str(b, s.Action.String(), " at ", strconv.Itoa(int(s.Loc)))
	case engine.UseCard:
		return str(b, "mission ", s.Card.String())
	case engine.TakeTiles:
		return tiles(str(b, "take"), s.Tiles)
	case engine.Inject:
		b = str(b, "inject ", s.Tile.String(), " ", s.Slot.String())
		if s.Space != 0 {
			b = str(b, " space ", component.Color(s.Space-1).String())
		}
		return b
	case engine.Cube:
		b = str(b, "cube ")
		if s.Loc >= engine.DieLoc {
			b = str(b, component.Color(s.Loc-engine.DieLoc).String())
		} else {
			b = str(b, strconv.Itoa(int(s.Loc)))
		}
		if s.Cell != 0 {
			b = effect(str(b, " on ", s.Cell.String()), s)
		}
		return b
	case engine.MoveShip:
		return move(b, s)
	case engine.Place:
		return str(b, "place ", s.Card.String(), " at ", s.To.String())
	case engine.Locations:
		b = str(b, "locations")
		for n := range 6 {
			if s.Locs>>n&1 != 0 {
				b = append(b, ' ', '1'+byte(n))
			}
		}
		return b
	case engine.Collect:
		b = str(b, "collect")
		if s.Tiles[0] != 0 || s.Card != 0 {
			b = tiles(str(b, " with"), s.Tiles)
			for _, c := range [2]engine.Card{s.Card, s.Card2} {
				if c != 0 {
					b = str(b, " ", c.String())
				}
			}
		}
		return b
	case engine.Done:
		return str(b, "done")
	case engine.Reroll:
		return str(b, "B")
	case engine.Reserve:
		b = str(b, "reserve ", s.Color.String(), " ", strconv.Itoa(int(s.Value)))
		if s.Cell != 0 {
			b = str(b, " boost ", s.Cell.String())
		}
		return b
	case engine.Pass:
		return str(b, "pass")
	}
	return b
}

// effect appends the choice made within a tile's effect (section 12).
func effect(b []byte, s engine.Step) []byte {
	if s.Via != 0 {
		b = str(b, " on ", s.Via.String())
	}
	switch s.Use {
	case engine.TakeGood:
		if s.Good <= engine.VP {
			b = str(b, " ", s.Good.String())
		}
	case engine.Move:
		b = move(append(b, ' '), s)
	case engine.ToStation:
		b = str(b, " robot to ", s.Color.String())
	case engine.FromStation:
		b = str(b, " robot from ", s.Color.String())
	case engine.Draw:
		b = str(b, " draw ", s.Color.String())
	}
	return b
}

func move(b []byte, s engine.Step) []byte {
	if s.From == 0 {
		return str(b, "launch to ", s.To.String())
	}
	return str(b, "ship ", s.From.String(), " to ", s.To.String())
}

func tiles(b []byte, ts [3]engine.Tile) []byte {
	for _, t := range ts {
		if t != 0 {
			b = str(b, " ", t.String())
		}
	}
	return b
}

func str(b []byte, parts ...string) []byte {
	for _, p := range parts {
		b = append(b, p...)
	}
	return b
}
