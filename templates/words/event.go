package words

import "angelpost/engine"

// eventKeys are the messages of events by kind.
var eventKeys = [engine.EventKinds]string{
	engine.EvShuffled: "event.shuffled", engine.EvRolled: "event.rolled", engine.EvDrewMission: "event.drew-mission",
	engine.EvDrewRavager: "event.drew-ravager", engine.EvStartTile: "event.start-tile", engine.EvStartGoods: "event.start-goods",
	engine.EvOffered: "event.offered", engine.EvKept: "event.kept", engine.EvNotKept: "event.not-kept",
	engine.EvHalStarts: "event.hal-starts", engine.EvHalCard: "event.hal-card", engine.EvHalNoDie: "event.hal-no-die",
	engine.EvHalChose: "event.hal-chose", engine.EvHalBack: "event.hal-back", engine.EvHalDrew: "event.hal-drew",
	engine.EvHalDropped: "event.hal-dropped", engine.EvHalEjected: "event.hal-ejected", engine.EvClosedUp: "event.closed-up",
	engine.EvTurned: "event.turned", engine.EvFlippedOwn: "event.flipped-own", engine.EvBoosted: "event.boosted",
	engine.EvNothingToDraw: "event.nothing-to-draw", engine.EvCardPlayed: "event.card-played", engine.EvActivated: "event.activated",
	engine.EvGained: "event.gained", engine.EvSpent: "event.spent", engine.EvVP: "event.vp", engine.EvRobotMoved: "event.robot-moved",
	engine.EvNeutralOut: "event.neutral-out", engine.EvDieTaken: "event.die-taken", engine.EvPaid: "event.paid",
	engine.EvFlipped: "event.flipped", engine.EvActed: "event.acted", engine.EvRavagerEffect: "event.ravager-effect",
	engine.EvRavagerFailed: "event.ravager-failed", engine.EvTrapped: "event.trapped", engine.EvDiscarded: "event.discarded",
	engine.EvTileTaken: "event.tile-taken", engine.EvRefilled: "event.refilled", engine.EvInjected: "event.injected",
	engine.EvEjected: "event.ejected", engine.EvToSpace: "event.to-space", engine.EvCubeRemoved: "event.cube-removed",
	engine.EvLaunched: "event.launched", engine.EvMoved: "event.moved", engine.EvPlaced: "event.placed", engine.EvAttack: "event.attack",
	engine.EvOverflow: "event.overflow", engine.EvDamaged: "event.damaged", engine.EvDieDamaged: "event.die-damaged",
	engine.EvNoDamage: "event.no-damage", engine.EvTileAppeared: "event.tile-appeared", engine.EvTileDropped: "event.tile-dropped",
	engine.EvUsedCard: "event.used-card", engine.EvCollected: "event.collected", engine.EvPaidTile: "event.paid-tile",
	engine.EvPaidCard: "event.paid-card", engine.EvOwes: "event.owes", engine.EvDeclined: "event.declined", engine.EvLapsed: "event.lapsed",
	engine.EvDestroyed: "event.destroyed", engine.EvFreed: "event.freed", engine.EvDieBack: "event.die-back",
	engine.EvDiceBack: "event.dice-back", engine.EvTookDamaged: "event.took-damaged", engine.EvNeutralBack: "event.neutral-back",
	engine.EvReserved: "event.reserved", engine.EvReset: "event.reset", engine.EvAdvanced: "event.advanced",
	engine.EvShipLost: "event.ship-lost", engine.EvNeutralized: "event.neutralized", engine.EvTucked: "event.tucked",
	engine.EvFlippedStrip: "event.flipped-strip", engine.EvSpesInSight: "event.spes-in-sight", engine.EvPassed: "event.passed",
	engine.EvTrigger: "event.trigger-spes", engine.EvLastRound: "event.last-round", engine.EvTurnEnded: "event.turn-ended",
	engine.EvAdvancedScore: "event.advanced-score", engine.EvGoodsScore: "event.goods-score", engine.EvFinal: "event.final",
	engine.EvGameOver: "event.game-over",
}

// eventKey is the message that tells e.
func (v *Voice) eventKey(e engine.Event) string {
	if v.solo && e.Seat == engine.Hal {
		if key := v.halKey(e); key != "" {
			return key
		}
	}
	switch e.Kind {
	case engine.EvActivated:
		if e.Cause == 1 && e.Via == 0 {
			return "event.activated-debris"
		}
	case engine.EvVP:
		switch {
		case e.N < 0:
			return "event.vp-lost"
		case e.Cause != 0:
			return "event.vp-hal"
		}
	case engine.EvDieTaken:
		if e.Other != 0 {
			return "event.die-bought"
		}
	case engine.EvPaid:
		if e.Other == engine.Neutral || e.Cause == 1 {
			return "event.paid-neutral"
		}
	case engine.EvCubeRemoved:
		if e.Loc == 0 {
			return "event.cube-removed-die"
		}
	case engine.EvBoosted:
		if int(e.Tile) < len(v.set.Tiles) {
			if k := v.set.Tiles[e.Tile].Boost; k == 2 || k == 3 { // the die is another now
				return "event.boosted-die"
			}
		}
	case engine.EvMoved:
		if e.Hex == e.Hex2 {
			return "event.stayed"
		}
	case engine.EvReserved:
		if e.Cell != 0 {
			return "event.reserved-free"
		}
	case engine.EvUsedCard:
		if e.Other != e.Seat {
			return "event.used-card-of"
		}
	case engine.EvDiceBack:
		if e.N == 0 {
			return "event.dice-back-none"
		}
	case engine.EvTrigger:
		if e.N == int16(engine.ByRavagers) {
			return "event.trigger-ravagers"
		}
	}
	if e.Kind >= engine.EventKinds || eventKeys[e.Kind] == "" {
		return "event." + itoa(int(e.Kind))
	}
	return eventKeys[e.Kind]
}

// Event tells an event, already cut to the reader, as a clause without a full
// stop.
func (v *Voice) Event(e engine.Event) string {
	return v.SayArgs(v.eventKey(e), func(name string) (any, bool) { return v.eventArg(&e, name) })
}

// quiet events get no words, because another one next to them implies them.
func (v *Voice) quiet(e engine.Event) bool {
	if v.solo && e.Seat == engine.Hal && e.Kind == engine.EvDiceBack {
		return false
	}
	switch e.Kind {
	case engine.EvDieBack, engine.EvTurnEnded, engine.EvPaid: // a bought die says what it cost
		return true
	case engine.EvVP:
		return e.N == 0 || e.Source == engine.ByAdvanced || e.Source == engine.ByGoods
	case engine.EvAdvancedScore, engine.EvGoodsScore, engine.EvDiceBack:
		return e.N == 0
	}
	return false
}

func (v *Voice) eventArg(e *engine.Event, name string) (any, bool) {
	switch name {
	case "who":
		return v.Who(e.Seat), true
	case "you":
		return v.You(e.Seat), true
	case "other":
		return v.Who(e.Other), true
	case "otheryou":
		return v.You(e.Other), true
	case "card":
		return v.CardName(e.Card), true
	case "effect":
		if e.Kind == engine.EvAdvancedScore {
			return v.Advanced(e.Value), true
		}
		return v.Card(v.set, e.Card), true
	case "tile":
		return v.TileText(e.Tile), true
	case "tilename":
		return v.TileName(e.Tile), true
	case "upper":
		return v.Half(int(e.N), 0), true
	case "lower":
		return v.Half(int(e.N), 1), true
	case "half":
		return v.Half(int(e.N), int(e.Cause)-1), true
	case "first":
		return e.Cause == 1, true
	case "why":
		why := v.HalWhy(e.Cause, int(e.Value), int(e.N))
		if e.Source == engine.ByReward && e.Cause <= engine.HalRobot {
			why = v.Say("hal.reward", "why", why)
		}
		return why, true
	case "manner":
		if e.Loc > 6 {
			return "", true
		}
		key := "hal.takes-" + v.set.Locs[e.Loc].Action.String()
		if e.Cause != 0 {
			key += "-other"
		}
		return v.Say(key), true
	case "activation":
		return int(e.Card) < len(v.set.Missions) && v.set.Missions[e.Card].Activation(), true
	case "cardcolor":
		return v.Color(e.Card.Color()), true
	case "boost":
		return v.Boost(e.Tile), true
	case "color":
		return v.Color(e.Color), true
	case "vowel":
		return e.Color == engine.Orange, true
	case "die":
		return v.Die(e.Color, e.Value), true
	case "cell":
		return e.Cell.String(), true
	case "slot":
		return e.Slot.String(), true
	case "loc":
		return int(e.Loc), true
	case "action":
		if e.Loc > 6 {
			return "", true
		}
		return v.Action(v.set.Locs[e.Loc].Action), true
	case "hex":
		return e.Hex.String(), true
	case "hex2":
		return e.Hex2.String(), true
	case "goods":
		return v.Goods(e.Good, int(e.N)), true
	case "n":
		return int(max(e.N, -e.N)), true
	case "pile":
		return v.Pile(e.Pile), true
	case "flag":
		return e.Flag, true
	}
	return nil, false
}

// Events tells events that follow from one another as one text of clauses; a
// subject is not repeated. Events that say nothing new are left out.
func (v *Voice) Events(events []engine.Event) string {
	b := make([]byte, 0, 160)
	var e *engine.Event
	args := func(name string) (any, bool) { return v.eventArg(e, name) }
	subject, kind := engine.Seat(0), engine.NoEvent // of the last clause
	for i := range events {
		e = &events[i]
		if v.quiet(*e) {
			continue
		}
		m, ok := v.messages[v.eventKey(*e)]
		if !ok {
			continue
		}
		own := len(m) > 1 && m[0].arg == "who" && e.Seat != 0
		more, short := v.more[v.eventKey(*e)]
		switch {
		case len(b) == 0:
		case short && own && subject == e.Seat && kind == e.Kind:
			b, m = append(b, ", "...), more
		case own && subject == e.Seat:
			b = append(b, ", "...)
			m = m[1:]
			if t := m[0].text; t != "" && t[0] == ' ' {
				b = b[:len(b)-1] // the piece brings the blank
			}
		default:
			b = append(b, "; "...)
		}
		b = m.append(b, &v.grammar, args)
		if subject, kind = 0, e.Kind; own {
			subject = e.Seat
		}
	}
	return string(b)
}
