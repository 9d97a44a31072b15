package words

import (
	"slices"
	"strings"

	"angelpost/engine"
	"angelpost/engine/component"
)

// Step says what an order means, as an infinitive.
func (v *Voice) Step(s engine.Step) string {
	args := func(name string) (any, bool) { return v.stepArg(&s, name) }
	return v.SayArgs(stepKey(s), args)
}

// Begin says what the beginning of an order means, and what the player chooses next. part is
// what it names last, by package touch.
func (v *Voice) Begin(part string, s engine.Step) string {
	return v.SayArgs("begin."+part, func(name string) (any, bool) { return v.stepArg(&s, name) })
}

// Short is Step where a heading says how the order begins: "row 2", "to c9".
func (v *Voice) Short(s engine.Step) string {
	args := func(name string) (any, bool) { return v.stepArg(&s, name) }
	switch {
	case s.Use != engine.NoUse && s.Kind != engine.Boost:
		return strings.TrimPrefix(v.use(&s), ": ")
	case v.Has("short." + stepName(s)):
		return v.SayArgs("short."+stepName(s), args)
	}
	return v.Step(s)
}

func stepName(s engine.Step) string { return strings.TrimPrefix(stepKey(s), "step.") }

func stepKey(s engine.Step) string {
	switch s.Kind {
	case engine.Discard:
		return "step.discard"
	case engine.Keep:
		return "step.keep"
	case engine.Decline:
		return "step.decline"
	case engine.PlayCard:
		return "step.card"
	case engine.Activate:
		if s.Via != 0 {
			return "step.activate-via"
		}
		return "step.activate"
	case engine.FlipDie:
		return "step.flip"
	case engine.TakeDie:
		switch {
		case s.Seller != 0:
			return "step.die-buy"
		case s.Flip:
			return "step.die-flip"
		}
		return "step.die"
	case engine.Boost:
		if s.Use == engine.AsColor {
			return "step.boost-color"
		}
		return "step.boost"
	case engine.Act:
		return "step.act"
	case engine.UseCard:
		return "step.mission"
	case engine.TakeTiles:
		return "step.take"
	case engine.Inject:
		if s.Space != 0 {
			return "step.inject-space"
		}
		return "step.inject"
	case engine.Cube:
		switch {
		case s.Via != 0:
			return "step.cube-on-via"
		case s.Cell != 0:
			return "step.cube-on"
		}
		return "step.cube"
	case engine.MoveShip:
		if s.From == 0 {
			return "step.launch"
		}
		return "step.ship"
	case engine.Place:
		return "step.place"
	case engine.Locations:
		return "step.locations"
	case engine.Collect:
		if s.Card != 0 || s.Tiles[0] != 0 {
			return "step.collect-with"
		}
		return "step.collect"
	case engine.Done:
		return "step.done"
	case engine.Reroll:
		return "step.b"
	case engine.Reserve:
		if s.Cell != 0 {
			return "step.reserve-boost"
		}
		return "step.reserve"
	case engine.Pass:
		return "step.pass"
	}
	return "step." + itoa(int(s.Kind))
}

func (v *Voice) stepArg(s *engine.Step, name string) (any, bool) {
	switch name {
	case "card":
		return v.CardName(s.Card), true
	case "slot":
		return s.Slot.String(), true
	case "cell":
		return s.Cell.String(), true
	case "via":
		return s.Via.String(), true
	case "use":
		return v.use(s), true
	case "die":
		return v.Die(s.Color, s.Value), true
	case "vowel":
		return s.Color == engine.Orange, true
	case "color":
		return v.Color(s.Color), true
	case "other":
		return int(s.Value ^ 2), true
	case "secure":
		return s.Secure, true
	case "seller":
		return v.Who(s.Seller), true
	case "action":
		return v.Action(s.Action), true
	case "loc":
		return int(s.Loc), true
	case "tile":
		return v.TileName(s.Tile), true
	case "tiles":
		return tileList(v, s.Tiles[:]), true
	case "n":
		return slices.Index(append(s.Tiles[:], 0), 0), true
	case "space":
		return v.Color(engine.Color(s.Space - 1)), true
	case "place":
		if s.Loc >= engine.DieLoc {
			return v.Say("step.at-dice", "color", v.Color(component.Color(s.Loc-engine.DieLoc))), true
		}
		return v.Say("step.at-location", "loc", int(s.Loc)), true
	case "from":
		return s.From.String(), true
	case "to":
		return s.To.String(), true
	case "locs":
		_, n := locList(v, s.Locs)
		return n, true
	case "list":
		if s.Kind == engine.Locations {
			l, _ := locList(v, s.Locs)
			return l, true
		}
		return v.payment(s), true
	}
	return nil, false
}

func (v *Voice) payment(s *engine.Step) string {
	if s.Tiles[0] != 0 {
		return tileList(v, s.Tiles[:])
	}
	var out []string
	for _, c := range []engine.Card{s.Card, s.Card2} {
		if c != 0 {
			out = append(out, v.CardName(c))
		}
	}
	return v.List(out)
}

// use is the choice made within a tile's effect, led in by a colon.
func (v *Voice) use(s *engine.Step) string {
	switch s.Use {
	case engine.TakeGood:
		return v.Say("step.use-good", "goods", v.Goods(s.Good, 1))
	case engine.Move:
		if s.From == 0 {
			return v.Say("step.use-launch", "to", s.To.String())
		}
		return v.Say("step.use-ship", "from", s.From.String(), "to", s.To.String())
	case engine.ToStation:
		return v.Say("step.use-to", "color", v.Color(s.Color))
	case engine.FromStation:
		return v.Say("step.use-from", "color", v.Color(s.Color))
	case engine.Draw:
		return v.Say("step.use-draw", "color", v.Color(s.Color), "vowel", s.Color == engine.Orange)
	}
	return ""
}

// Group is the heading under which a legal order is listed.
func (v *Voice) Group(s engine.Step) string { return v.Say(groupOf(s)) }

// Subgroup is the heading under which an order is listed where those of its
// Group are many: it names the first choice, a card, a die's colour, a ship.
// It is Group where there is no such choice.
func (v *Voice) Subgroup(s engine.Step) string {
	key := groupOf(s) + "-of"
	if !v.Has(key) {
		return v.Group(s)
	}
	return v.SayArgs(key, func(name string) (any, bool) { return v.stepArg(&s, name) })
}

// groupOf is the key of Group: orders of one key stand together.
func groupOf(s engine.Step) string {
	switch s.Kind {
	case engine.Discard:
		return "group.discard"
	case engine.Keep:
		return "group.keep"
	case engine.Decline:
		return "group.decline"
	case engine.PlayCard:
		return "group.card"
	case engine.Activate:
		return "group.activate"
	case engine.FlipDie:
		return "group.flip"
	case engine.TakeDie:
		switch {
		case s.Seller != 0:
			return "group.die-buy"
		case s.Flip:
			return "group.die-flip"
		}
		return "group.die"
	case engine.Boost:
		return "group.boost"
	case engine.Act:
		return "group.act"
	case engine.UseCard:
		return "group.mission"
	case engine.TakeTiles:
		return "group.take"
	case engine.Inject:
		return "group.inject"
	case engine.Cube:
		if s.Cell != 0 {
			return "group.cube-on"
		}
		return "group.cube"
	case engine.MoveShip:
		if s.From == 0 {
			return "group.launch"
		}
		return "group.ship"
	case engine.Place:
		return "group.place"
	case engine.Locations:
		return "group.locations"
	case engine.Collect:
		return "group.collect"
	case engine.Done:
		return "group.done"
	case engine.Reroll:
		return "group.b"
	case engine.Reserve:
		if s.Cell != 0 {
			return "group.reserve-boost"
		}
		return "group.reserve"
	case engine.Pass:
		return "group.pass"
	}
	return "group.done"
}
