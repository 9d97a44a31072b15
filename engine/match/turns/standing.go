package turns

import (
	"cmp"
	"encoding/json"
	"log/slog"
	"slices"
	"strconv"

	"angelpost/engine"
	"angelpost/engine/game"
	"angelpost/engine/match/unit"
	"angelpost/engine/notice"
	"angelpost/engine/order"
	"angelpost/engine/store"
)

// A standing order says what to do whenever its player faces the same decision again
// (order.Standing). It counts as the player's own step: at once if no letter decides, and
// between the lines of a letter for what it leaves open. What a letter says, wishes included,
// always goes first.
//
// Of the orders about one decision those go first that name most: the card, or the tile whose
// boost is used. "never" excludes cards; if one possibility is left, the server plays it. If
// the orders leave more than one, or none is legal, the player decides as if there were no
// orders.
//
// An order is made for a position. When that has changed, the server disarms it and tells its
// player:
//
//   - the Mission it names was theirs in Space and is gone from there;
//   - a tile that it pays with has moved or is gone, or a card is;
//   - it discards cards by their numbers and the last of them has left their hand;
//   - the tile whose boost it uses is gone or turned;
//   - it names dice of a colour for which they have no standing robot any more;
//   - the last round has begun, in which neither a reservation nor
//     goods saved by "never activate" are of use;
//   - what it did was taken back, or a ruling took the game back;
//   - a bot has kept their seat meanwhile.
//
// Then the player decides again, until they send the order again. No one else ever sees their
// orders, only the steps. The orders are gone when the player leaves the seat or the game is
// over.

// maxStanding bounds the standing orders of a seat, maxUntold the remarks on them not
// yet told, maxTips how often a game mentions them to a player without any, at most
// once a day.
const (
	maxStanding = 20
	maxUntold   = 12
	maxTips     = 2
)

// A Standing is the decoded form of a store.Standing.
type Standing struct {
	Next   int             `json:"next,omitempty"` // number of the last order made
	Orders []standingOrder `json:"orders,omitempty"`
	Untold []notice.Remark `json:"untold,omitempty"` // for their next letter
	Tips   int             `json:"tips,omitempty"`

	row    store.Standing
	stored string
}

// A standingOrder is a standing order with its state.
type standingOrder struct {
	N      int    `json:"n"`
	Line   string `json:"line"` // canonical
	Ground ground `json:"ground,omitzero"`
	Last   int    `json:"last,omitempty"` // line of the log that it made last
	Off    string `json:"off,omitempty"`  // why it is disarmed, a Remark's code

	order.Standing `json:"-"`
}

// A ground is the position for which a standing order was made. Parts that do not exist yet are
// watched from the moment they do.
type ground struct {
	Card   bool        `json:"card,omitempty"`   // its Mission is in Space and belongs to the player
	Held   bool        `json:"held,omitempty"`   // a card it discards by number is in hand
	Paid   bool        `json:"paid,omitempty"`   // they have what it pays with
	Cells  [2]int      `json:"cells,omitempty"`  // cells of the tiles that it pays with, 0 if off the board
	Boost  engine.Tile `json:"boost,omitempty"`  // the tile whose boost it uses
	Colors uint8       `json:"colors,omitempty"` // of its dice's, those for which a robot stands, by bit
}

// openStanding decodes a row. It leaves out orders that cannot be read any more, and logs them,
// so that no game stops for them.
func openStanding(row store.Standing, log *slog.Logger) *Standing {
	st := &Standing{}
	if err := json.Unmarshal([]byte(row.Orders), st); err != nil {
		log.Error("standing orders cannot be read", "game", row.Game, "place", row.Place, "err", err)
		st = &Standing{}
	}
	st.row, st.stored = row, row.Orders
	st.Orders = slices.DeleteFunc(st.Orders, func(o standingOrder) bool {
		_, ok := order.ParseStanding(o.Line)
		if !ok {
			log.Error("a standing order cannot be read", "game", row.Game, "place", row.Place, "order", o.Line)
		}
		return !ok
	})
	for i := range st.Orders {
		st.Orders[i].Standing, _ = order.ParseStanding(st.Orders[i].Line)
	}
	return st
}

// text encodes the orders for the store.
func (st *Standing) text() (string, error) {
	if st.Next == 0 && len(st.Orders)+len(st.Untold)+st.Tips == 0 {
		return "", nil
	}
	b, err := json.Marshal(st)
	return string(b), err
}

// readStanding reads the standing orders of a table once.
func readStanding(u *unit.Unit, t *unit.Game) error {
	if aheadOf(t).standing != nil {
		return nil
	}
	aheadOf(t).standing = map[int]*Standing{}
	rows, err := u.Tx.Standing(t.Row.ID)
	if err != nil {
		return err
	}
	for _, row := range rows {
		aheadOf(t).standing[row.Place] = openStanding(row, u.Log)
	}
	return nil
}

// StandingOf are the standing orders of a seat's player.
func StandingOf(u *unit.Unit, t *unit.Game, x *store.Seat) (*Standing, error) {
	if err := readStanding(u, t); err != nil {
		return nil, err
	}
	st := aheadOf(t).standing[x.Place]
	if st == nil || st.row.Player != x.Player {
		stored := ""
		if st != nil {
			stored = st.stored
		}
		st = &Standing{row: store.Standing{Game: t.Row.ID, Place: x.Place, Player: x.Player}, stored: stored}
		aheadOf(t).standing[x.Place] = st
	}
	return st, nil
}

// SaveStanding writes back what has changed. It deletes the orders of a seat that was left, or
// of a game that is over.
func SaveStanding(u *unit.Unit, t *unit.Game) error {
	if t.Replay != nil && !t.Running() {
		if err := readStanding(u, t); err != nil {
			return err
		}
	}
	for place, st := range aheadOf(t).standing {
		x := t.Place(place)
		text := ""
		if t.Running() && x != nil && x.Player == st.row.Player && (x.Bot == "" || x.Stage == store.SeatAbsent) {
			var err error
			if text, err = st.text(); err != nil {
				return err
			}
		}
		if text == st.stored {
			continue
		}
		st.row.Orders = text
		u.Check(u.Tx.SaveStanding(st.row))
	}
	return nil
}

// doStanding takes one step by a standing order, if choose chooses one, and reports
// whether it did.
func doStanding(u *unit.Unit, t *unit.Game, choose func(*Standing, *game.Replay, engine.Seat) (engine.Step, int, bool)) (moved bool, err error) {
	for i := range t.Seats {
		x := &t.Seats[i]
		if x.Seat == 0 || x.Player == 0 {
			continue
		}
		st, err := StandingOf(u, t, x)
		if err != nil {
			return false, err
		}
		if len(st.Orders) == 0 {
			continue
		}
		seat := engine.Seat(x.Seat)
		if x.Bot != "" {
			st.DisarmAll(notice.TellOffBot)
			continue
		}
		st.watch(t.Replay, seat)
		step, at, ok := choose(st, t.Replay, seat)
		if !ok {
			continue
		}
		turns := t.Replay.Turns[seat]
		if _, err := t.Replay.Do(seat, game.ByPlayer, step); err != nil {
			return false, err
		}
		if p := t.Pace(); t.Replay.Turns[seat] > turns && !t.Pending[x.Place].Own && t.Row.Paused.IsZero() { // their clock never ran
			x.Bank = p.BankAfter(x.Bank, p.Turn+x.Bank)
		}
		if u.ReplyTo(x.Player, t) != nil { // it goes on with what their letter did
			t.Moved[x.Place] = true
		}
		o := &st.Orders[at]
		o.Last = t.Replay.Step()
		st.tell(notice.TellStanding, "n", strconv.Itoa(o.N), "order", o.Line, "did", order.Print(step))
		return true, nil
	}
	return false, nil
}

// tell keeps a remark for the player's next letter; if there are too many, it drops the oldest.
func (st *Standing) tell(code string, args ...string) {
	r := notice.Remark{Code: code, Args: map[string]string{}}
	for i := 0; i+1 < len(args); i += 2 {
		r.Args[args[i]] = args[i+1]
	}
	if len(st.Untold) == maxUntold { // they have read none of them for long
		st.Untold = slices.Delete(st.Untold, 0, 1)
	}
	st.Untold = append(st.Untold, r)
}

// disarm disarms an order and adds a remark.
func (st *Standing) disarm(o *standingOrder, why string) {
	if o.Off == "" {
		o.Off = why
		st.tell(why, "n", strconv.Itoa(o.N), "order", o.Line)
	}
}

// DisarmAll disarms every order, for that reason.
func (st *Standing) DisarmAll(why string) {
	for i := range st.Orders {
		st.disarm(&st.Orders[i], why)
	}
}

// watch disarms the orders whose position has changed.
func (st *Standing) watch(p *game.Replay, seat engine.Seat) {
	if st == nil || len(st.Orders) == 0 {
		return
	}
	v := p.State.Project(seat)
	for i := range st.Orders {
		o := &st.Orders[i]
		if o.Off != "" {
			continue
		}
		if o.Last > 0 && !slices.Contains(p.Active, o.Last) {
			st.disarm(o, notice.TellOffUndone)
			continue
		}
		if why := o.broken(v); why != "" {
			st.disarm(o, why)
			continue
		}
		o.Ground.grow(o.groundIn(v))
	}
}

// groundIn is the ground of an order in a position.
func (o *standingOrder) groundIn(v *engine.View) (g ground) {
	me := &v.Players[v.Viewer-1]
	switch o.About {
	case order.Activating:
		for _, strip := range v.Strips {
			for _, h := range strip.Hexes {
				g.Card = g.Card || o.Card != 0 && h.Card == o.Card && h.Owner == v.Viewer
			}
		}
		g.Paid = true
		for i, t := range o.Paid.Tiles[:len(g.Cells)] {
			at := 0
			for c, cell := range me.Grid {
				if t != 0 && cell.Tile == t {
					at = c + 1
				}
			}
			g.Cells[i] = at
			g.Paid = g.Paid && (t == 0 || at > 0 || slices.Contains(me.Ejected, t))
		}
		for _, c := range []engine.Card{o.Paid.Card, o.Paid.Card2} {
			g.Paid = g.Paid && (c == 0 || c.Hidden() || slices.Contains(me.Cards, c))
		}
	case order.Discarding:
		for _, w := range o.Cards {
			g.Held = g.Held || w.Card != 0 && slices.Contains(me.Cards, w.Card)
		}
	case order.Reserving:
		if o.Boost != 0 {
			if cell := me.Grid[o.Boost-1]; cell.Boost && cell.Tile < engine.FirstAdvanced && v.Set.Tiles[cell.Tile].Boost == reservingBoost {
				g.Boost = cell.Tile
			}
		}
		for _, d := range o.Dice {
			if d.Color <= engine.Green && me.Stations[d.Color] > 0 {
				g.Colors |= 1 << d.Color
			}
		}
	}
	return g
}

// reservingBoost is the number of boost B4.
const reservingBoost = 4

// grow adds what exists now and did not before.
func (g *ground) grow(now ground) {
	if now.Paid && !g.Paid {
		g.Cells = now.Cells
	}
	g.Card, g.Held, g.Paid = g.Card || now.Card, g.Held || now.Held, g.Paid || now.Paid
	g.Colors |= now.Colors
	if g.Boost == 0 {
		g.Boost = now.Boost
	}
}

// broken returns why an order's position has changed, "" if it has not.
func (o *standingOrder) broken(v *engine.View) string {
	was, is := o.Ground, o.groundIn(v)
	asked := len(v.Owed) > 0 && v.Owed[0].Ask == engine.AskOwner && v.Owed[0].Card == o.Card // though it may have left Space (Q5.6)
	byNumber := !slices.ContainsFunc(o.Cards, func(w order.Want) bool { return w.Card == 0 || w.Card.Hidden() })
	switch {
	case was.Card && !is.Card && !asked:
		return notice.TellOffCard
	case was.Paid && (!is.Paid || was.Cells != is.Cells):
		return notice.TellOffPaid
	case was.Held && !is.Held && byNumber && !o.Never:
		return notice.TellOffHand
	case was.Boost != 0 && was.Boost != is.Boost:
		return notice.TellOffBoost
	case was.Colors&^is.Colors != 0:
		return notice.TellOffRobots
	case v.LastRound && (o.About == order.Reserving && !o.Never || o.About == order.Activating && o.Never):
		return notice.TellOffLast
	}
	return ""
}

// forced returns the seat's only legal step, if a standing order of its player plays forced
// steps, and the index of that order.
func (st *Standing) forced(p *game.Replay, seat engine.Seat) (step engine.Step, at int, ok bool) {
	at = slices.IndexFunc(st.Orders, func(o standingOrder) bool { return o.Off == "" && o.About == order.Forced })
	if at < 0 {
		return step, 0, false
	}
	legal := p.State.Legal(seat, nil)
	if len(legal) != 1 {
		return step, 0, false
	}
	return legal[0], at, true
}

// choose returns the step of the armed orders for the seat's present decision, and the index of
// the order that decides. ok is false if the player must decide.
func (st *Standing) choose(p *game.Replay, seat engine.Seat) (step engine.Step, at int, ok bool) {
	asked := p.State.Asked(seat)
	if st == nil || len(st.Orders) == 0 || asked == engine.NoDecision {
		return step, 0, false
	}
	legal := p.State.Legal(seat, nil)
	v := p.State.Project(seat)
	switch asked {
	case engine.AskOwner:
		step, at, ok = st.owner(&p.State, v, legal)
	case engine.AskReserve:
		step, at, ok = st.reserve(v, legal)
	case engine.AskKeep:
		step, at, ok = st.card(order.Keeping, v, legal)
	case engine.AskDiscard, engine.AskRavagerDiscard:
		step, at, ok = st.card(order.Discarding, v, legal)
	}
	return step, at, ok
}

// armed lists the orders about a decision that may act in a position.
func (st *Standing) armed(about order.About, v *engine.View) (out []int) {
	for i := range st.Orders {
		if o := &st.Orders[i]; o.Off == "" && o.About == about && o.broken(v) == "" {
			out = append(out, i)
		}
	}
	return out
}

// owner answers an owner's activation.
func (st *Standing) owner(now *engine.State, v *engine.View, legal []engine.Step) (step engine.Step, at int, ok bool) {
	card := v.Owed[0].Card
	at = -1
	for _, i := range st.armed(order.Activating, v) {
		if c := st.Orders[i].Card; c == card || c == 0 && at < 0 {
			at = i
			if c != 0 {
				break
			}
		}
	}
	if at < 0 {
		return step, 0, false
	}
	o := &st.Orders[at]
	if o.Never {
		return engine.Step{Kind: engine.Decline}, at, true
	}
	var ways []engine.Step
	for _, s := range legal {
		if s.Kind == engine.Collect && o.pays(s) && o.leaves(now, v.Viewer, s) {
			ways = append(ways, s)
		}
	}
	if len(ways) == 0 || len(ways) > 1 && o.Paid.Kind == engine.NoStep {
		return step, 0, false
	}
	return ways[0], at, true // backs: the lowest number, as they are listed
}

// pays reports whether a payment is the one that the order names.
func (o *standingOrder) pays(s engine.Step) bool {
	if o.Paid.Kind == engine.NoStep {
		return true
	}
	is := func(want, c engine.Card) bool { return want == c || want.Hidden() && want == c.Back() }
	return s.Tiles == o.Paid.Tiles && is(o.Paid.Card, s.Card) && is(o.Paid.Card2, s.Card2)
}

// leaves reports whether a payment leaves the amount of each good that the order wants to keep.
func (o *standingOrder) leaves(now *engine.State, seat engine.Seat, s engine.Step) bool {
	if o.Leaving == 0 {
		return true
	}
	then := *now
	then.Do(seat, s, nil, nil)
	paid, left := gainOf(now, &then, seat), then.Standing(seat)
	for _, n := range [][2]int{{paid.Ships, left.Ships}, {paid.Resources, left.Resources}, {paid.Robots, left.Break}, {paid.Debris, left.Debris}} {
		if n[0] < 0 && n[1] < o.Leaving {
			return false
		}
	}
	return true
}

// reserve answers a reservation after a roll: boosts first, like wishes (Q6.2b). It reserves
// nothing if no wanted die is available.
func (st *Standing) reserve(v *engine.View, legal []engine.Step) (step engine.Step, at int, ok bool) {
	orders := st.armed(order.Reserving, v)
	slices.SortStableFunc(orders, func(i, j int) int { return cmp.Compare(st.Orders[j].Boost, st.Orders[i].Boost) })
	said := map[engine.Cell]bool{}
	for _, i := range orders {
		o := &st.Orders[i]
		if o.Never {
			return engine.Step{Kind: engine.Done}, i, true
		}
		if o.Boost == 0 && v.Players[v.Viewer-1].Resources <= o.Leaving {
			continue
		}
		said[o.Boost], at = true, i
		for _, d := range o.Dice {
			for _, s := range legal { // the highest value
				if s.Kind == engine.Reserve && s.Cell == o.Boost && d.Wants(s.Color, s.Value) && (!ok || s.Value > step.Value) {
					step, ok = s, true
				}
			}
			if ok {
				return step, i, true
			}
		}
	}
	for _, s := range legal {
		if s.Kind == engine.Reserve && !said[s.Cell] {
			return step, 0, false
		}
	}
	return engine.Step{Kind: engine.Done}, at, len(said) > 0
}

// card chooses the card to keep or discard.
func (st *Standing) card(about order.About, v *engine.View, legal []engine.Step) (step engine.Step, at int, ok bool) {
	wants := func(o *standingOrder, c engine.Card) bool {
		return slices.ContainsFunc(o.Cards, func(w order.Want) bool { return w.Wants(c) })
	}
	orders := st.armed(about, v)
	left := slices.Clone(legal)
	for _, i := range orders {
		if o := &st.Orders[i]; o.Never {
			left, at = slices.DeleteFunc(left, func(s engine.Step) bool { return wants(o, s.Card) }), i
		}
	}
	for _, i := range orders {
		o := &st.Orders[i]
		if o.Never {
			continue
		}
		for _, w := range o.Cards {
			for _, s := range left { // the lowest number, as they are listed
				if w.Wants(s.Card) {
					return s, i, true
				}
			}
		}
	}
	if len(left) == 1 && len(legal) > 1 {
		return left[0], at, true
	}
	return step, 0, false
}
