// Package table shows a position as HTML: Space, the frigate, the Technology for sale, the
// players' boards and the hand, as on a table.
//
// It is a pure function of what one viewer may see. Every piece has a name in words, which
// screen readers say and tips show, and is a link exactly where touching it does something.
// The drawings are draw's symbols: a page needs draw.Sheet once, and the style sheet.
package table

import (
	"slices"
	"strconv"
	"strings"

	"angelpost/engine"
	"angelpost/engine/component"
	"angelpost/templates/draw"
	"angelpost/templates/touch"
	"angelpost/templates/words"
)

// A Table is a position as its viewer sees it.
type Table struct {
	*words.Voice
	View   *engine.View
	Before *engine.View                         // what is not as it was in it is marked; nil: nothing is
	Touch  func(key string) (touch.Touch, bool) // of the piece that a key names; nil: none does anything
	Chosen func(key string) int                 // the number of the step that used a piece; 0 or nil: none
	Last   [engine.MaxPlayers + 1]string        // what each seat did last, in a few words
	Main   bool                                 // the table is the page's reason to be, and not one of many
}

// touch is what touching a piece does, of the first key that does anything.
func (t *Table) touch(keys ...string) (touch.Touch, bool) {
	x, _, ok := t.touched(keys...)
	return x, ok
}

// touched is touch, and the key that does it.
func (t *Table) touched(keys ...string) (touch.Touch, string, bool) {
	if t.Touch != nil {
		for _, k := range keys {
			if x, ok := t.Touch(k); ok && k != "" {
				return x, k, true
			}
		}
	}
	return touch.Touch{}, "", false
}

// chosen is the number of the step that used a piece, as text; "" if none did.
func (t *Table) chosen(keys ...string) string {
	if t.Chosen != nil {
		for _, k := range keys {
			if n := t.Chosen(k); n > 0 && k != "" {
				return strconv.Itoa(n)
			}
		}
	}
	return ""
}

// player is a seat's board; nil if there is no such seat.
func player(v *engine.View, s engine.Seat) *engine.PlayerView {
	if v == nil {
		return nil
	}
	if i := slices.IndexFunc(v.Players, func(p engine.PlayerView) bool { return p.Seat == s }); i >= 0 {
		return &v.Players[i]
	}
	return nil
}

// Own is the viewer's seat, 0 for the public.
func (t *Table) Own() engine.Seat {
	if player(t.View, t.View.Viewer) == nil {
		return 0
	}
	return t.View.Viewer
}

// Others are the seats but for the viewer's, beginning with the one after it.
func (t *Table) Others() []engine.Seat {
	var out []engine.Seat
	n := len(t.View.Players)
	for i := range n {
		s := engine.Seat((int(t.View.Viewer)+i)%n + 1)
		if s != t.Own() {
			out = append(out, s)
		}
	}
	return out
}

// hal reports whether a seat is Hal's, who has no board (R15.1).
func (t *Table) hal(s engine.Seat) bool {
	return t.View.Options.Hal != engine.NoHal && s == engine.Hal
}

// acts reports whether the game waits for a seat.
func (t *Table) acts(s engine.Seat) bool { return slices.Contains(t.View.ToAct, s) }

// vp is what a player has, once the game is over with the final scoring.
func (t *Table) vp(p *engine.PlayerView) int {
	if t.View.Finished {
		return p.Final
	}
	return p.VP
}

// die is the key of a die of a seat.
func (t *Table) die(s engine.Seat, d engine.DieView, reserved bool) string {
	if s == t.Own() {
		s = 0
	}
	return touch.Die(d.Color, d.Value, s, reserved)
}

// flip is the key of the link that turns a die.
func (t *Table) flip(s engine.Seat, d engine.DieView, reserved bool) string {
	if s == t.Own() {
		s = 0
	}
	return touch.Flip(d.Color, d.Value, s, reserved)
}

// same reports whether a die itself has the link that turns it.
func (t *Table) same(x touch.Touch, s engine.Seat, d engine.DieView, reserved bool) bool {
	y, ok := t.touch(t.die(s, d, reserved))
	return ok && y.Href == x.Href
}

func (t *Table) colorOf(tile engine.Tile) engine.Color {
	if tile.Advanced() || int(tile) >= len(t.View.Set.Tiles) {
		return engine.None
	}
	return t.View.Set.Tiles[tile].Color
}

// class of a colour, of which the style sheet makes three shades; "k" without one.
func class(c engine.Color) string {
	if c > engine.Green {
		return "k"
	}
	return [...]string{"o", "g", "n"}[c]
}

// seat is the class of a player's colour.
func seat(s engine.Seat) string {
	if s < 1 || s > engine.MaxPlayers {
		return "s0"
	}
	return "s" + strconv.Itoa(int(s))
}

// cardClass is a card's: its colour's, or a Ravager's.
func cardClass(c engine.Card) string {
	if c.Ravager() {
		return "r"
	}
	return class(c.Color())
}

// cardSymbol is a card's sign: its colour's, or a Ravager's.
func cardSymbol(c engine.Card) draw.Symbol {
	if c.Ravager() {
		return draw.SymRavager
	}
	return draw.SymbolOfColor(c.Color())
}

func (t *Table) mission(c engine.Card) *component.Mission {
	if c == 0 || c > component.Missions {
		return nil
	}
	return &t.View.Set.Missions[c]
}

// sells reports whether any of the Technology or the decks may be touched, trades whether
// any of another player's dice may: on a phone they are folded if not.
func (t *Table) sells() bool {
	for _, x := range slices.Concat(t.View.Display[:], t.View.Slots[:]) {
		if t.touches(touch.Tile(x)) {
			return true
		}
	}
	for c := engine.Orange; c <= engine.Green; c++ {
		if t.touches(touch.Deck(c)) {
			return true
		}
	}
	return false
}

func (t *Table) trades(p *engine.PlayerView) bool {
	for reserved, dice := range map[bool][]engine.DieView{false: p.Standard, true: p.Secure} {
		for _, d := range dice {
			if _, ok := t.touch(t.die(p.Seat, d, reserved), t.flip(p.Seat, d, reserved)); ok {
				return true
			}
		}
	}
	return false
}

// touches reports whether touching a piece does anything.
func (t *Table) touches(key string) bool { _, ok := t.touch(key); return ok }

// ownKey is the key of a piece on a board: only the viewer's own are touched.
func (t *Table) ownKey(p *engine.PlayerView, key string) string {
	if p.Seat != t.Own() {
		return ""
	}
	return key
}

// tileClass is the class of a tile with the side that faces up.
func (t *Table) tileClass(x engine.Tile, on engine.CellView) string {
	s := "tile " + class(t.colorOf(x))
	if on.Debris {
		s += " d"
	}
	if on.Boost {
		s += " boost"
	}
	return s
}

// changedClass marks what is not as it was.
func changedClass(s string, changed bool) string {
	if changed {
		return s + " ch"
	}
	return s
}

// name is what a piece is called, and that it is not as it was.
func (t *Table) name(class, label string) string {
	if strings.HasSuffix(class, " ch") {
		return label + " (" + t.Say("piece.changed") + ")"
	}
	return label
}

// cellClass marks the cells of a grid that are not as they were.
func (t *Table) cellClass(p *engine.PlayerView, i int) string {
	was := player(t.Before, p.Seat)
	return changedClass("", was != nil && was.Grid[i] != p.Grid[i])
}

func (t *Table) slotChanged(p *engine.PlayerView, kind string, i int) bool {
	was := player(t.Before, p.Seat)
	if kind == "row" {
		return was != nil && was.Rows[i] != p.Rows[i]
	}
	return was != nil && was.Columns[i] != p.Columns[i]
}

func (t *Table) goodsChanged(p *engine.PlayerView) bool {
	was := player(t.Before, p.Seat)
	return was != nil && (was.Ships != p.Ships || was.Resources != p.Resources || was.Debris != p.Debris)
}

func (t *Table) dieChanged(s engine.Seat, d engine.DieView, reserved bool) bool {
	was := player(t.Before, s)
	switch {
	case was == nil:
		return false
	case reserved:
		return !slices.Contains(was.Secure, d)
	}
	return !slices.Contains(was.Standard, d)
}

func (t *Table) roomChanged(n int) bool {
	return t.Before != nil && t.Before.Locs[n].Damage != t.View.Locs[n].Damage
}

// newForSale reports whether a tile was not for sale before.
func (t *Table) newForSale(x engine.Tile) bool {
	return t.Before != nil && x != 0 && !slices.Contains(t.Before.Display, x) && !slices.Contains(t.Before.Slots[:], x)
}
