package templates

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"angelpost/engine"
	"angelpost/engine/order"
	"angelpost/templates/words"
)

// Conditions and standing orders are put together from lists: no one must know how they
// are written. What the lists give is one line, which Given reads.

// Added is the line that a form of a plan's page gives.
func Added(form url.Values) string {
	var parts []string
	for _, s := range form["add"] {
		if s != "" {
			parts = append(parts, s)
		}
	}
	return strings.Join(parts, " ")
}

// An addForm is a line to be put together: a choice from each list, then perhaps a number.
type addForm struct {
	id, label string
	lists     []addList
	number    bool
}

// An addList is a list to choose from.
type addList struct {
	label  string
	groups []addGroup
}

type addGroup struct {
	label string
	items []addItem
}

// An addItem is what is written, and how people read it.
type addItem struct{ value, text string }

// conditionForms put conditions together: what is there, and what is so many.
func (x *PlanPage) conditionForms() []addForm {
	whether := addList{x.Voice.Say("add.whether"), []addGroup{{items: []addItem{
		{"if", x.Voice.Say("add.if")}, {"unless", x.Voice.Say("add.unless")}}}}}
	compared := addList{x.Voice.Say("add.compared"), []addGroup{{items: []addItem{
		{"at least", x.Voice.Say("add.least")}, {"at most", x.Voice.Say("add.most")}}}}}
	return []addForm{
		{"fact", x.Voice.Say("add.fact"), []addList{whether, {x.Voice.Say("add.fact-what"), x.facts()}}, false},
		{"count", x.Voice.Say("add.count"), []addList{whether, {x.Voice.Say("add.count-what"), x.counts()}, compared}, true},
	}
}

// guards make items of conditions: without their first word, and without the number.
func (x *PlanPage) guardItems(list ...order.Guard) (out []addItem) {
	bare := func(s string) string {
		s, _, _ = strings.Cut(strings.TrimPrefix(s, "if "), " at least ")
		return s
	}
	for _, g := range list {
		value := bare(g.String())
		item := addItem{value, bare(x.Voice.Spell(g.String()))}
		if len(out) == 0 || out[len(out)-1] != item {
			out = append(out, item)
		}
	}
	return out
}

// facts are what may be there or not.
func (x *PlanPage) facts() (out []addGroup) {
	v := x.View
	add := func(key string, list ...order.Guard) {
		if len(list) > 0 {
			out = append(out, addGroup{x.Voice.Say(key), x.guardItems(list...)})
		}
	}
	var tiles, free, ships, missions []order.Guard
	for _, t := range append(append(v.Display[:len(v.Display):len(v.Display)], v.Slots[:]...), v.TopTile[:]...) {
		if t != 0 {
			tiles = append(tiles, order.Guard{Fact: order.TileThere, Tile: t})
		}
	}
	for i := range v.Strips {
		for _, h := range v.Strips[i].Hexes {
			if !h.Asteroid && !h.Spes {
				free = append(free, order.Guard{Fact: order.HexFree, Hex: h.At})
			}
			if h.Card != 0 {
				missions = append(missions, order.Guard{Fact: order.InSpace, Card: h.Card})
			}
			for _, s := range h.Ships {
				ships = append(ships, order.Guard{Fact: order.ShipThere, Hex: h.At, Seat: x.other0(s)})
			}
		}
	}
	if p := own(v); p != nil {
		for _, c := range p.Cards {
			if !c.Ravager() {
				missions = append(missions, order.Guard{Fact: order.InSpace, Card: c})
			}
		}
	}
	add("add.round", order.Guard{Fact: order.LastRound})
	for i := range v.Players {
		s := v.Players[i].Seat
		out = append(out, addGroup{x.Voice.Say("add.dice", "name", x.Voice.Name(s), "you", x.You(s)), x.guardItems(diceOf(x.other0(s))...)})
	}
	if v.Neutral != nil {
		add("add.dice-neutral", diceOf(engine.Neutral)...)
	}
	add("add.tiles", tiles...)
	add("add.missions", missions...)
	add("add.ships", ships...)
	add("add.hexes", free...)
	return out
}

// other0 is a seat as conditions name it: the reader's is 0.
func (x *PlanPage) other0(s engine.Seat) engine.Seat {
	if s == x.View.Viewer {
		return 0
	}
	return s
}

// diceOf are all dice that a seat may have.
func diceOf(s engine.Seat) (out []order.Guard) {
	for c := engine.Orange; c <= engine.Green; c++ {
		for value := range uint8(4) {
			out = append(out, order.Guard{Fact: order.DieThere, Color: c, Value: value, Seat: s})
		}
	}
	return out
}

// counts are what there is a number of.
func (x *PlanPage) counts() (out []addGroup) {
	v := x.View
	for i := range v.Players {
		s := v.Players[i].Seat
		var list []order.Guard
		for f := order.Resources; f <= order.VP; f++ {
			list = append(list, order.Guard{Fact: f, Seat: x.other0(s)})
		}
		out = append(out, addGroup{x.Voice.Name(s), x.guardItems(list...)})
	}
	var rooms []order.Guard
	for n := range uint8(6) {
		rooms = append(rooms, order.Guard{Fact: order.Damage, Loc: n + 1}, order.Guard{Fact: order.Ravagers, Loc: n + 1})
	}
	return append(out, addGroup{x.Voice.Say("table.frigate"), x.guardItems(rooms...)},
		addGroup{x.Voice.Say("add.course"), x.guardItems(order.Guard{Fact: order.Round}, order.Guard{Fact: order.Angel})})
}

// standingForms put standing orders together, one for each decision that they answer.
func (x *PlanPage) standingForms() []addForm {
	say := x.Voice.Say
	whole := func(lines ...string) []addGroup { // which say themselves what they are
		var items []addItem
		for _, l := range lines {
			items = append(items, addItem{l, l})
		}
		return []addGroup{{items: items}}
	}
	item := func(value, text string) addItem { return addItem{value, text} }
	colors := func() (out []addItem) {
		for c := engine.Orange; c <= engine.Green; c++ {
			out = append(out, item(c.String(), x.Voice.Color(c)))
		}
		return out
	}
	// Dice: of a colour and value, of any value, or of any colour.
	dice := []addGroup{{say("add.any-die"), colors()}}
	for value := 3; value >= 0; value-- {
		dice[0].items = append(dice[0].items, item(strconv.Itoa(value), x.Voice.Spell("reserve " + strconv.Itoa(value))[len("reserve "):]))
	}
	var each addGroup
	for c := engine.Orange; c <= engine.Green; c++ {
		for value := 3; value >= 0; value-- {
			each.items = append(each.items, item(fmt.Sprint(c, " ", value), x.Voice.Die(c, uint8(value))))
		}
	}
	each.label = say("add.one-die")
	dice = append(dice, each)
	// Cards: kinds of them, or one.
	kinds := addGroup{label: say("add.any-card"), items: colors()}
	for _, kind := range []struct{ word, any, one string }{
		{"activation", "add.activation", "add.activation-color"},
		{"neutralization", "add.neutralization", "add.neutralization-color"},
	} {
		kinds.items = append(kinds.items, item(kind.word, say(kind.any)))
		for c := engine.Orange; c <= engine.Green; c++ {
			kinds.items = append(kinds.items, item(c.String()+" "+kind.word, say(kind.one, "color", x.Voice.Color(c))))
		}
	}
	cards := []addGroup{kinds}
	for c := engine.Orange; c <= engine.Green; c++ {
		one := addGroup{label: say("add.one-card", "color", x.Voice.Color(c))}
		for n := range 20 {
			card := engine.Card(int(c)*20 + n + 1)
			one.items = append(one.items, item(card.String(), card.String()+" "+x.Voice.CardShort(card)))
		}
		cards = append(cards, one)
	}
	which := []addGroup{{items: []addItem{item("", say("add.any-mission"))}}}
	paying := []addGroup{{items: []addItem{item("", say("add.any-payment"))}}}
	if p := own(x.View); p != nil {
		for _, c := range spaceCards(x.View, p.Seat) {
			which[0].items = append(which[0].items, item(c.String(), x.Voice.CardName(c)))
		}
		for _, cell := range p.Grid {
			if cell.Tile != 0 && !cell.Tile.Advanced() {
				paying[0].items = append(paying[0].items, item("with "+cell.Tile.String(), say("add.with", "what", cell.Tile.String())))
			}
		}
		for _, c := range p.Cards {
			paying[0].items = append(paying[0].items, item("with "+c.String(), say("add.with", "what", x.Voice.CardName(c))))
		}
	}
	leaving := []addGroup{{items: []addItem{item("", say("add.leaving-none"))}}}
	for n := 1; n <= 3; n++ {
		leaving[0].items = append(leaving[0].items, item("leaving "+strconv.Itoa(n), say("add.leaving", "n", n)))
	}
	do := addList{say("add.what-to-do"), nil}
	with := func(lines ...string) addList { l := do; l.groups = whole(lines...); return l }
	return []addForm{
		{"answer", say("add.answer"), []addList{with("never reserve", "always forced", "never forced", "always activate", "never activate")}, false},
		{"reserving", say("add.reserving"), []addList{with("always reserve"), {say("add.die"), dice}, {say("add.left"), leaving}}, false},
		{"cards", say("add.cards"), []addList{with("always keep", "never keep", "always discard", "never discard"), {say("add.card"), cards}}, false},
		{"activating", say("add.activating"), []addList{with("always activate", "never activate"), {say("add.mission"), which}, {say("add.payment"), paying}, {say("add.left"), leaving}}, false},
	}
}

// spaceCards are the Mission cards of a seat in Space.
func spaceCards(v *engine.View, seat engine.Seat) (out []engine.Card) {
	for i := range v.Strips {
		for _, h := range v.Strips[i].Hexes {
			if h.Card != 0 && h.Owner == seat {
				out = append(out, h.Card)
			}
		}
	}
	return out
}

// wrongLine is the line that could not be read, as it may be shown.
func (x *PlanPage) wrongLine() string { return words.Clean(x.wrong, maxEcho) }
