package order

import (
	"errors"
	"fmt"
	"strings"

	"angelpost/engine"
	"angelpost/engine/component"
)

// ErrSyntax is returned, wrapped, by Parse for a line that is not canonical.
var ErrSyntax = errors.New("not a canonical order")

// Parse reads a canonical line and nothing else: Print(Parse(x)) is x.
func Parse(line string) (engine.Step, error) {
	if len(line) > MaxLine {
		return engine.Step{}, fmt.Errorf("%w: %d bytes", ErrSyntax, len(line))
	}
	s, ok := parse(strings.Split(line, " "))
	if !ok || Print(s) != line {
		return engine.Step{}, fmt.Errorf("%w: %q", ErrSyntax, line)
	}
	return s, nil
}

// parse builds the step that the words may mean. It checks only what it needs: the caller
// prints the step again to verify that every word was one that Print writes, in its place.
func parse(w []string) (s engine.Step, ok bool) {
	at := func(i int) string {
		if i < len(w) {
			return w[i]
		}
		return ""
	}
	word, arg := w[0], at(1)
	switch word {
	case "discard", "keep":
		s.Kind = engine.Discard
		if word == "keep" {
			s.Kind = engine.Keep
		}
		s.Card, ok = cardName(arg)
	case "decline":
		s.Kind, ok = engine.Decline, true
	case "card":
		s.Kind = engine.PlayCard
		s.Card, ok = cardName(arg)
		if ok {
			s.Slot, ok = slotName(at(3), at(4))
		}
	case "activate":
		s.Kind = engine.Activate
		if s.Cell, ok = cellName(arg); ok {
			ok = parseEffect(&s, w[2:])
		}
	case "flip":
		s.Kind = engine.FlipDie
		if s.Color, ok = colorName(arg); ok {
			s.Value, ok = digit(at(2), 0, 3)
		}
		s.Secure = len(w) > 3
	case "die":
		s.Kind = engine.TakeDie
		if s.Color, ok = colorName(arg); ok {
			s.Value, ok = digit(at(2), 0, 3)
		}
		for i := 3; ok && i < len(w); i++ {
			switch {
			case w[i] == "secure":
				s.Secure = true
			case w[i] == "flip":
				s.Flip = true
			case at(i+1) == "neutral":
				s.Seller = engine.Neutral
				i++
			default:
				var n uint8
				n, ok = digit(at(i+2), 1, engine.MaxPlayers)
				s.Seller = engine.Seat(n)
				i += 2
			}
		}
	case "boost":
		s.Kind = engine.Boost
		if s.Cell, ok = cellName(arg); ok && len(w) > 2 {
			s.Use = engine.AsColor
			s.Color, ok = colorName(at(2))
		}
	case "discover", "repair", "destroy", "command":
		s.Kind, s.Action = engine.Act, actionName(word)
		s.Loc, ok = digit(at(2), 1, 6)
	case "mission":
		s.Kind = engine.UseCard
		s.Card, ok = missionName(arg)
	case "take":
		s.Kind = engine.TakeTiles
		ok = len(w) > 1 && parseTiles(&s, w[1:]) == len(w)-1
	case "inject":
		s.Kind = engine.Inject
		if s.Tile, ok = tileName(arg); ok {
			s.Slot, ok = slotName(at(2), at(3))
		}
		if ok && at(4) == "space" {
			var c engine.Color
			c, ok = colorName(at(5))
			s.Space = 1 + uint8(c)
		}
	case "cube":
		s.Kind = engine.Cube
		if c, is := colorName(arg); is {
			s.Loc, ok = engine.DieLoc+uint8(c), true
		} else {
			s.Loc, ok = digit(arg, 1, 6)
		}
		if ok && at(2) == "on" {
			if s.Cell, ok = cellName(at(3)); ok {
				ok = parseEffect(&s, w[4:])
			}
		}
	case "launch", "ship":
		s.Kind = engine.MoveShip
		ok = parseMove(&s, w)
	case "place":
		s.Kind = engine.Place
		if s.Card, ok = missionName(arg); ok {
			s.To, ok = hexName(at(3))
		}
	case "locations":
		s.Kind = engine.Locations
		for _, a := range w[1:] {
			n, is := digit(a, 1, 6)
			if !is {
				return s, false
			}
			s.Locs |= 1 << (n - 1)
			ok = true
		}
	case "collect":
		s.Kind, ok = engine.Collect, true
		if len(w) > 2 {
			ok = parsePrice(&s, w[2:])
		}
	case "done":
		s.Kind, ok = engine.Done, true
	case "B":
		s.Kind, ok = engine.Reroll, true
	case "reserve":
		s.Kind = engine.Reserve
		if s.Color, ok = colorName(arg); ok {
			s.Value, ok = digit(at(2), 0, 3)
		}
		if ok && len(w) > 3 {
			s.Cell, ok = cellName(at(4))
		}
	case "pass":
		s.Kind, ok = engine.Pass, true
	}
	return s, ok
}

// parseEffect reads what follows a cell: "on 1.1" and the choice.
func parseEffect(s *engine.Step, w []string) (ok bool) {
	if len(w) > 1 && w[0] == "on" {
		if s.Via, ok = cellName(w[1]); !ok {
			return false
		}
		w = w[2:]
	}
	switch {
	case len(w) == 0:
		return true
	case len(w) == 1:
		s.Use = engine.TakeGood
		s.Good, ok = goodName(w[0])
		return ok && s.Good != engine.VP
	case w[0] == "draw":
		s.Use = engine.Draw
		s.Color, ok = colorName(w[1])
	case w[0] == "robot" && len(w) == 3:
		s.Use = engine.ToStation
		if w[1] == "from" {
			s.Use = engine.FromStation
		}
		s.Color, ok = colorName(w[2])
	default:
		s.Use = engine.Move
		ok = parseMove(s, w)
	}
	return ok
}

func parseMove(s *engine.Step, w []string) (ok bool) {
	switch {
	case len(w) == 3 && w[0] == "launch":
		s.To, ok = hexName(w[2])
	case len(w) == 4 && w[0] == "ship":
		if s.From, ok = hexName(w[1]); ok {
			s.To, ok = hexName(w[3])
		}
	}
	return ok
}

// parseTiles reads leading tiles, ascending and each once; it returns how many.
func parseTiles(s *engine.Step, w []string) int {
	n := 0
	for ; n < len(w) && n < len(s.Tiles); n++ {
		t, ok := tileName(w[n])
		if !ok || n > 0 && s.Tiles[n-1] >= t {
			break
		}
		s.Tiles[n] = t
	}
	return n
}

// parsePrice reads the price of an activation: tiles, or one or two cards.
func parsePrice(s *engine.Step, w []string) (ok bool) {
	if n := parseTiles(s, w); n > 0 {
		return n == len(w)
	}
	if s.Card, ok = cardName(w[0]); !ok || len(w) == 1 {
		return ok
	}
	s.Card2, ok = cardName(w[1])
	return ok && len(w) == 2 && s.Card.Ravager() && s.Card2.Ravager() &&
		(s.Card < s.Card2 || s.Card.Hidden() && s.Card2.Hidden())
}

// The names of things, as their String methods write them.

func colorName(w string) (engine.Color, bool) {
	for _, c := range component.Colors {
		if w == c.String() {
			return c, true
		}
	}
	return 0, false
}

func goodName(w string) (engine.Good, bool) {
	for g := engine.Ship; g <= engine.VP; g++ {
		if w == g.String() {
			return g, true
		}
	}
	return 0, false
}

func actionName(w string) component.Action {
	for a := component.Discover; a <= component.Command; a++ {
		if w == a.String() {
			return a
		}
	}
	return component.NoAction
}

// cardName reads a printed number of three digits, or a back.
func cardName(w string) (engine.Card, bool) {
	if w == "ravager" {
		return engine.BackRavager, true
	}
	if c, ok := colorName(w); ok {
		return engine.BackOrange + engine.Card(c), true
	}
	n, ok := number(w)
	return engine.Card(n), ok && len(w) == 3 && n >= 1 && n <= component.LastRaider
}

func missionName(w string) (engine.Card, bool) {
	c, ok := cardName(w)
	return c, ok && !c.Hidden() && !c.Ravager()
}

// tileName reads t12, s2 or a4.
func tileName(w string) (engine.Tile, bool) {
	if len(w) < 2 || w[1] == '0' {
		return 0, false
	}
	n, ok := number(w[1:])
	t := tileOf(w[0], n)
	return t, ok && t != 0
}

// tileOf returns tile number n of a kind: 't', 's' or 'a'; 0 if there is none.
func tileOf(kind byte, n int) engine.Tile {
	switch {
	case n < 1:
	case kind == 't' && n <= component.Tiles:
		return engine.Tile(n)
	case kind == 's' && n <= 3:
		return engine.FirstStart + engine.Tile(n-1)
	case kind == 'a' && n <= component.Advanced:
		return engine.FirstAdvanced + engine.Tile(n-1)
	}
	return 0
}

// maxStrip is the highest running number of a strip a Hex can hold.
const maxStrip = 50

func hexName(w string) (engine.Hex, bool) {
	if len(w) < 2 || w[0] < 'a' || w[0] > 'e' || w[1] == '0' {
		return 0, false
	}
	n, ok := number(w[1:])
	if !ok || n < 1 || n > maxStrip {
		return 0, false
	}
	return engine.HexAt(n, int(w[0]-'a')), true
}

func cellName(w string) (engine.Cell, bool) {
	if len(w) != 3 || w[1] != '.' || w[0] < '1' || w[0] > '3' || w[2] < '1' || w[2] > '3' {
		return 0, false
	}
	return engine.CellAt(int(w[0]-'0'), int(w[2]-'0')), true
}

func slotName(side, n string) (engine.Slot, bool) {
	v, ok := digit(n, 1, 3)
	switch side {
	case "row":
		return engine.Slot(v), ok
	case "column":
		return engine.Slot(v + 3), ok
	}
	return 0, false
}

func digit(w string, low, high byte) (uint8, bool) {
	if len(w) != 1 || w[0] < '0'+low || w[0] > '0'+high {
		return 0, false
	}
	return w[0] - '0', true
}

// number reads up to three decimal digits.
func number(w string) (int, bool) {
	n := 0
	for i := range len(w) {
		if w[i] < '0' || w[i] > '9' {
			return 0, false
		}
		n = n*10 + int(w[i]-'0')
	}
	return n, len(w) >= 1 && len(w) <= 3
}
