package templates

import (
	"strings"

	"angelpost/engine"
	"angelpost/engine/component"
	"angelpost/engine/match/turns"
)

// does tells what an order does for certain, then what chance decides, and what happens
// after that whatever it decides; "" if its own words say it all.
func (x *PlanPage) does(o turns.Option) string {
	parts := x.effects(o)
	if o.Draws {
		parts = append(parts, x.chances(o.Chances)...)
		if after := x.happens(o.Then, o.After, engine.Seat(o.Seat)); len(after) > 0 {
			parts = append(parts, x.Voice.Say("does.after", "what", strings.Join(after, ", ")))
		}
	}
	return strings.Join(parts, ", ")
}

// actKeys say what an action does with its value.
var actKeys = [...]string{component.Discover: "does.discover", component.Command: "does.command", component.Repair: "does.repair", component.Destroy: "does.destroy"}

func (x *PlanPage) effects(o turns.Option) (parts []string) {
	if strings.HasPrefix(o.Order, "die ") || strings.HasPrefix(o.Order, "flip ") {
		return nil // its words name the price
	}
	v := x.Voice
	add := func(key string, args ...any) { parts = append(parts, v.Say(key, args...)) }
	if strings.HasPrefix(o.Order, "card ") && o.Works > 0 {
		add("does.works", "n", o.Works)
	}
	if len(o.Fits) > 0 {
		cards := make([]string, len(o.Fits))
		for i, c := range o.Fits {
			cards[i] = c.String()
		}
		add("does.fits", "n", len(cards), "cards", v.List(cards))
	}
	own := engine.Seat(o.Seat)
	for _, e := range o.Events {
		if e.Kind == engine.EvActed && e.Seat == own {
			if key := actKeys[x.View.Locs[e.Loc].Action]; e.N > 0 {
				add(key, "n", int(e.N))
			} else {
				add("does.star")
			}
		}
	}
	return append(parts, x.happens(o.Gain, o.Events, own)...)
}

// happens tells of events what they bring the seat and change for others.
func (x *PlanPage) happens(gain turns.Gain, events []engine.Event, own engine.Seat) (parts []string) {
	v := x.Voice
	add := func(key string, args ...any) { parts = append(parts, v.Say(key, args...)) }
	if g := x.gain(gain); g != "" {
		parts = append(parts, g)
	}
	for _, e := range events {
		switch e.Kind {
		case engine.EvEjected:
			if e.Seat == own {
				add("does.ejects", "tile", e.Tile.String())
			}
		case engine.EvToSpace:
			add("does.space", "tile", e.Tile.String(), "color", v.Color(e.Color))
		case engine.EvTrapped:
			add("does.caught")
		case engine.EvFreed:
			if e.Seat != own {
				add("does.frees", "name", v.Name(e.Seat))
			}
		case engine.EvPaid:
			if e.Other != engine.Neutral && e.Cause == 0 {
				add("does.other-gets", "name", v.Name(e.Other), "goods", v.Goods(engine.Resource, 1))
			}
		case engine.EvGained:
			if e.Seat != own && e.N > 0 {
				add("does.other-gets", "name", v.Name(e.Seat), "goods", v.Goods(e.Good, int(e.N)))
			}
		case engine.EvVP:
			if e.Seat != own && e.Source != engine.ByAdvanced && e.Source != engine.ByGoods {
				if e.N > 0 {
					add("does.other-gets", "name", v.Name(e.Seat), "goods", v.Goods(engine.VP, int(e.N)))
				} else if e.N < 0 {
					add("does.other-loses", "name", v.Name(e.Seat), "goods", v.Goods(engine.VP, -int(e.N)))
				}
			}
		case engine.EvShipLost:
			add("does.ship-lost", "name", v.Who(e.Seat), "you", v.You(e.Seat))
		case engine.EvAdvanced:
			add("does.angel", "hex", e.Hex.String())
		case engine.EvTrigger:
			add("does.end")
		case engine.EvTileDropped:
			add("does.dropped", "tile", e.Tile.String())
		case engine.EvTurnEnded:
			if e.Seat == own {
				add("does.turn-ends")
			}
		case engine.EvGameOver:
			add("does.over")
		}
	}
	return parts
}

// chances say what chance decides, one after the other; dice are rolled together.
func (x *PlanPage) chances(events []engine.Event) (parts []string) {
	var dice []string
	for i, e := range events {
		if e.Kind != engine.EvRolled {
			parts = append(parts, x.then(e))
			continue
		}
		key := "does.dice"
		if e.Seat == engine.Neutral {
			key = "does.neutral-dice"
		}
		dice = append(dice, x.Voice.Say(key, "n", int(e.N), "color", x.Voice.Color(e.Color)))
		if i == len(events)-1 || events[i+1].Kind != engine.EvRolled {
			parts, dice = append(parts, x.Voice.Say("does.then-roll", "dice", x.Voice.List(dice))), nil
		}
	}
	return parts
}

// then says what chance decides, as far as that is known.
func (x *PlanPage) then(e engine.Event) string {
	v := x.Voice
	left := func(p engine.Pile) int { return x.View.Decks[p].Left + x.View.Decks[p].Discarded }
	switch e.Kind {
	case engine.EvDrewMission, engine.EvOffered:
		return v.Say("does.then-draw", "n", int(e.N), "color", v.Color(e.Color), "left", left(engine.PileOrange+engine.Pile(e.Color)))
	case engine.EvRefilled:
		return v.Say("does.then-advanced")
	case engine.EvAttack:
		switch most := int(e.Value); {
		case most == 0:
			return v.Say("does.then-ravagers-none")
		case most > int(e.N):
			return v.Say("does.then-ravagers-perhaps", "n", most)
		}
		return v.Say("does.then-ravagers", "n", int(e.N))
	case engine.EvTileAppeared:
		if e.Tile != 0 {
			return v.Say("does.then-known", "tile", e.Tile.String())
		}
		return v.Say("does.then-tile", "color", v.Color(e.Color))
	case engine.EvHalCard:
		return v.Say("does.then-hal")
	}
	return ""
}
