package turns

import (
	"fmt"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"angelpost/engine"
	"angelpost/engine/game"
	"angelpost/engine/match/unit"
	"angelpost/engine/notice"
	"angelpost/engine/order"
	"angelpost/engine/store"
)

// A plan is a turn tried out on the player's page: lines as in a letter, read like a letter
// with preview. None of it is stored.

// MaxPlan bounds the lines of a plan.
const MaxPlan = order.MaxClauses

// A Plan is the result of trying a plan's lines.
type Plan struct {
	View     *engine.View       // the position after Steps, cut to the planner
	Board    *engine.View       // View, and with Last all that Last does for certain
	Steps    []Tried            // in the order they were taken
	Options  []Option           // what is legal next, in the rules' order; none where the plan ends
	Last     string             // the order that rolls or draws, with which the plan ends: not taken; "" none
	Forced   int                // of Steps and Last, how many at the end no line asked for: nothing else is possible
	May      []May              // what Last may bring
	Sure     Option             // Last, with what it does before chance decides
	Lists    []Reservation      // what may be reserved after Last, the sequence B
	Wishes   []string           // other lines, kept for later decisions
	Used     int                // lines up to the last that was taken, or had been before
	Passed   int                // of them, those that had been played before
	Refused  *notice.LineResult // the first line that could not be taken: Steps are none
	Undo     bool               // there is something to take back before the first step
	Complete bool               // the planner has nothing left to decide
	Token    string             // token that the letter must have; "" if none is good now
	Names    []string           // of the players, in the letter with the Token: those that an answer is read with
	Ahead    bool               // of the turn to come, as if it began now: it is for a letter's line "plan"
	Guards   []string           // Ahead: public facts that the steps rely on, as guards of that plan
	Earlier  [][]string         // Ahead: the tries before this one, as Block gives them
	Standing []string           // standing orders that the letter gives besides
}

// A Tried is a step of a plan.
type Tried struct {
	game.Told      // as the planner sees it, without a number
	Line      int  // the plan's line that asked for it, from 1; 0: it was the only one possible
	Gain      Gain // of the seat that took it
}

// An Option is a step that a plan can go on with. What chance decides is not in it.
type Option struct {
	Seat    int
	Order   string
	Draws   bool           // it rolls or draws
	Gain    Gain           // of the seat
	Events  []engine.Event // what happens, as far as the player may know it
	Chances []engine.Event // Draws: what chance then decides, in this order: Kind, Seat, Color, Tile and N, how often; of attacks, Value: how often at most
	Then    Gain           // Draws: what the seat gains after that all the same
	After   []engine.Event // Draws: what happens after that all the same
	Works   int            // of a card played: how many tiles it can activate then
	Fits    []engine.Card  // of a move: the Mission cards that can be placed then
}

// First returns the first event that chance decides; NoEvent if the player can't tell that it
// decides any.
func (o *Option) First() engine.EventKind {
	if len(o.Chances) == 0 {
		return engine.NoEvent
	}
	return o.Chances[0].Kind
}

// A Gain is by how much what a player holds has grown: VP, resources, Debris and
// ships in storage, robots in the break room and in workstations, tiles wherever
// they are, Ravager cards in the hand.
type Gain struct{ VP, Resources, Debris, Ships, Robots, Tiles, Ravagers int }

// A May is one thing that chance may bring.
type May struct {
	Kind        engine.EventKind
	Seat        engine.Seat  // of a die: its owner
	Color       engine.Color // of a die, of a Mission card; None otherwise
	Least, Most int          // how often, as far as was tried
}

// Plus is both together.
func (g Gain) Plus(h Gain) Gain {
	return Gain{g.VP + h.VP, g.Resources + h.Resources, g.Debris + h.Debris, g.Ships + h.Ships, g.Robots + h.Robots,
		g.Tiles + h.Tiles, g.Ravagers + h.Ravagers}
}

func gainOf(before, after *engine.State, seat engine.Seat) Gain {
	a, b := before.Standing(seat), after.Standing(seat)
	return Gain{
		VP: b.VP - a.VP, Resources: b.Resources - a.Resources, Debris: b.Debris - a.Debris, Ships: b.Ships - a.Ships,
		Robots: b.Robots() - a.Robots(), Tiles: after.Tiles(seat) - before.Tiles(seat),
		Ravagers: bits.OnesCount32(b.Ravagers) - bits.OnesCount32(a.Ravagers),
	}
}

// A Reservation is a list of dice to reserve one of, the most wanted first
// (Q6.2b).
type Reservation struct {
	Boost  string   // cell of the tile that pays for it; "": 1 resource does
	Dice   []string // all it may name: "gray 3"
	Wanted []string // what it names so far
}

// Line is the list as an order; "" if it names nothing.
func (r Reservation) Line() string {
	if len(r.Wanted) == 0 {
		return ""
	}
	return "reserve " + strings.Join(r.Wanted, ", ") + r.suffix()
}

func (r Reservation) suffix() string {
	if r.Boost == "" {
		return ""
	}
	return " boost " + r.Boost
}

// read takes an order that Line has written.
func (r *Reservation) read(line string) bool {
	dice, ok := strings.CutPrefix(line, "reserve ")
	if ok && r.Boost != "" {
		dice, ok = strings.CutSuffix(dice, r.suffix())
	}
	if !ok || r.Wanted != nil {
		return false
	}
	wanted := strings.Split(dice, ", ")
	for i, d := range wanted {
		if !slices.Contains(r.Dice, d) || slices.Contains(wanted[:i], d) {
			return false
		}
	}
	r.Wanted = wanted
	return true
}

// Text is the plan as the lines of a letter.
func (p *Plan) Text() []string {
	out, own := slices.Clone(p.Standing), p.Block()
	if !p.Ahead {
		return append(out, own...)
	}
	tries := p.Earlier
	if len(own) > 0 {
		tries = append(slices.Clip(tries), own)
	}
	for i, t := range tries {
		if i == 0 {
			out = append(out, order.Plan.String())
		} else {
			out = append(out, order.Otherwise)
		}
		out = append(out, t...)
	}
	return out
}

// Block is the plan's orders as the lines of a letter, below its conditions; none without
// a step.
func (p *Plan) Block() (out []string) {
	if p.Ahead && len(p.Steps)+len(p.Last) > 0 {
		out = slices.Clone(p.Guards)
	}
	for _, s := range p.Steps {
		out = append(out, written(s.Order))
	}
	if p.Last != "" {
		out = append(out, p.Last)
	}
	return append(out, p.Later()...)
}

// Later returns the lines for later decisions.
func (p *Plan) Later() []string {
	var out []string
	for _, r := range p.Lists {
		if l := r.Line(); l != "" {
			out = append(out, l)
		}
	}
	return append(out, p.Wishes...)
}

// written is a log line as a player writes it.
func written(order string) string {
	if word, _, _ := strings.Cut(order, " "); word == "undo" {
		return word
	}
	return order
}

// PlanAny tries lines of the seat's turn now, or of its turn to come; nil if it
// has none.
func PlanAny(t *unit.Game, x *store.Seat, lines []string) (*Plan, error) {
	seat := engine.Seat(x.Seat)
	if t.Replay.State.ToAct(seat) {
		return tryPlan(t, x, lines)
	}
	play, ok := t.Replay.AsIf(seat)
	if !ok {
		return nil, nil
	}
	shadow := *t
	shadow.Replay = play
	p, err := tryPlan(&shadow, x, lines)
	if err != nil {
		return nil, err
	}
	p.Ahead, p.Guards = true, p.pins(play.State.Project(seat))
	return p, nil
}

// pins returns, as guards in the order of the steps, the public facts of v that the steps rely
// on and that other players may change.
func (p *Plan) pins(v *engine.View) (out []string) {
	lines := make([]string, 0, len(p.Steps)+1)
	for _, s := range p.Steps {
		lines = append(lines, s.Order)
	}
	if p.Last != "" {
		lines = append(lines, p.Last)
	}
	for _, line := range lines {
		st, err := order.Parse(line)
		if err != nil {
			continue
		}
		for _, g := range pinsOf(st) {
			if text := g.String(); g.Holds(v) && len(out) < order.MaxGuards && !slices.Contains(out, text) {
				out = append(out, text)
			}
		}
	}
	return out
}

// pinsOf are the facts that a step may rely on.
func pinsOf(st engine.Step) (out []order.Guard) {
	switch st.Kind {
	case engine.TakeDie:
		if !st.Secure { // no one else can take those
			out = append(out, order.Guard{Fact: order.DieThere, Color: st.Color, Value: st.Value, Seat: st.Seller})
		}
	case engine.Act:
		out = append(out, order.Guard{Fact: order.Ravagers, Loc: st.Loc, Most: true})
	case engine.UseCard:
		out = append(out, order.Guard{Fact: order.InSpace, Card: st.Card})
	case engine.TakeTiles:
		for _, t := range st.Tiles {
			if t != 0 {
				out = append(out, order.Guard{Fact: order.TileThere, Tile: t})
			}
		}
	case engine.Cube:
		if st.Loc < engine.DieLoc {
			out = append(out, order.Guard{Fact: order.Damage, Loc: st.Loc, N: 1})
		}
	case engine.Place:
		out = append(out, order.Guard{Fact: order.HexFree, Hex: st.To})
	case engine.Locations:
		for n := range uint8(6) {
			if st.Locs>>n&1 != 0 {
				out = append(out, order.Guard{Fact: order.Ravagers, Loc: n + 1, N: 1})
			}
		}
	}
	return out
}

// tryPlan tries lines like a letter that contains them, but without a token.
func tryPlan(t *unit.Game, x *store.Seat, lines []string) (*Plan, error) {
	seat := engine.Seat(x.Seat)
	_, undo := t.Replay.Undoable(seat)
	p := &Plan{Undo: undo}
	items := order.ReadLines(lines).Items
	w := &unit.Sender{Player: &store.Player{ID: x.Player}, Game: t, Seat: x}
	for _, it := range items {
		if !Orderly(w, it) {
			p.Refused = &notice.LineResult{N: it.Line, Text: it.Text, Status: notice.LineRefused, Problem: notice.Refuse(notice.ProblemPreview, "word", it.Word.Kind.String())}
			p.View = t.Replay.State.Project(seat)
			p.Board = p.View
			return p, nil
		}
	}
	b, err := newBlock(t, x, nil, t.Replay.Step(), items, true)
	if err != nil {
		return nil, err
	}
	q := t.Replay.Copy()
	p.View = q.State.Project(seat)
	p.Board = p.View
	for i := range b.Lines {
		switch l := &b.Lines[i]; l.Status {
		case notice.LineRefused:
			p.Refused = l
			return p, nil
		case notice.LinePassed, notice.LineTried, notice.LineSkipped:
			p.Used = max(p.Used, l.N)
		}
	}
	p.Passed = b.passed
	for i, line := range b.steps {
		before, from := q.State, q.Step()
		if err := q.Replay(game.Line{Seat: x.Seat, By: game.ByPlayer, Order: line}); err != nil {
			return nil, fmt.Errorf("plan %q: %w", line, err)
		}
		s := Tried{Line: b.asked[i], Gain: gainOf(&before, &q.State, seat)}
		s.Seat, s.By, s.Order, s.Events = x.Seat, game.ByPlayer, line, game.RedactEvents(q.Events[from+1], seat, false)
		p.Steps = append(p.Steps, s)
	}
	p.View = q.State.Closed(seat)
	p.Board = p.View
	p.Last = b.chance
	for _, n := range b.asked {
		if p.Forced++; n != 0 {
			p.Forced = 0
		}
	}
	if p.Last == "" {
		p.Options = choices(q, p.View, nil)
		p.Complete = len(p.Options) == 0
	} else {
		step, err := order.Parse(p.Last)
		if err != nil {
			return nil, fmt.Errorf("plan %q: %w", p.Last, err)
		}
		p.May, p.Lists = mayBring(p.View, step)
		p.Sure = Option{Seat: x.Seat, Order: p.Last, Draws: true}
		if board := p.Sure.certain(p.View, step); board != nil {
			p.Board = board.Closed(seat)
			if p.Sure.First() == engine.EvRolled {
				unrolled(p.Board)
			}
			for i := range p.Board.Players { // hands that are hidden are counted all the same
				if q := &p.Board.Players[i]; q.Seat != seat {
					q.Hand, q.Ravagers = p.View.Players[i].Hand, p.View.Players[i].Ravagers
				}
			}
		}
	}
	for _, line := range b.kept(items) {
		read := false
		for i := range p.Lists {
			read = read || p.Lists[i].read(line)
		}
		if !read {
			p.Wishes = append(p.Wishes, line)
		}
	}
	return p, nil
}

// choices appends the legal steps of a seat, and what each gives.
func choices(p *game.Replay, v *engine.View, out []Option) []Option {
	seat := v.Viewer
	for _, st := range p.State.Legal(seat, nil) {
		after := p.State
		var tale engine.Tale
		after.Do(seat, st, p.Src, &tale)
		o := Option{Seat: int(seat), Order: order.Print(st)}
		for _, e := range tale.Events {
			o.Draws = o.Draws || e.New()
		}
		if o.Draws {
			o.certain(v, st)
			out = append(out, o)
			continue
		}
		o.Gain, o.Events = gainOf(&p.State, &after, seat), game.RedactEvents(tale.Events, seat, false)
		if st.Kind == engine.PlayCard || st.Kind == engine.MoveShip {
			o.follow(&after)
		}
		out = append(out, o)
	}
	return out
}

// certain fills in what a step does whatever chance decides, by taking the step in a position
// that has only what the viewer knows, nothing hidden. It returns that position after the step;
// nil if the viewer can't tell that chance decides anything.
func (o *Option) certain(v *engine.View, step engine.Step) *engine.State {
	known := v.Known()
	after := known
	var tale engine.Tale
	after.Do(v.Viewer, step, nil, &tale)
	if tale.Before == nil {
		return nil
	}
	told := game.RedactEvents(tale.Events, v.Viewer, false)
	o.Events, o.Chances, o.After = told[:tale.Sure:tale.Sure], tale.Chance, told[tale.Sure:]
	o.Gain, o.Then = gainOf(&known, tale.Before, v.Viewer), gainOf(tale.Before, tale.Then, v.Viewer)
	return tale.Then
}

// unrolled removes from a board, which shows them as stars, the dice that B rolls: all of the
// viewer's, and the stars of the neutral player, who has returned the dice it had (R13.3).
func unrolled(board *engine.View) {
	board.Players[board.Viewer-1].Standard = nil
	if n := board.Neutral; n != nil {
		n.Dice = slices.DeleteFunc(n.Dice, func(d engine.DieView) bool { return d.Value == 0 })
	}
}

// follow adds what the seat may do after a step.
func (o *Option) follow(after *engine.State) {
	var cells [10]bool
	for _, st := range after.Legal(engine.Seat(o.Seat), nil) {
		switch {
		case st.Kind == engine.Activate && !cells[st.Cell]:
			cells[st.Cell] = true
			o.Works++
		case st.Kind == engine.Place && !slices.Contains(o.Fits, st.Card):
			o.Fits = append(o.Fits, st.Card)
		}
	}
}

// kept returns the lines that answer decisions which the block did not reach.
func (b *Block) kept(items []order.Item) (out []string) {
	for _, it := range items {
		if it.Clause == nil || !it.Clause.Wish {
			continue
		}
		for _, l := range b.Lines {
			if l.N == it.Line && l.Text == it.Text && l.Problem == nil && (l.Status == notice.LineVoid || l.Status == notice.LineUnread) {
				out = append(out, it.Text)
				break
			}
		}
	}
	return out
}

// maySamples is how many positions mayBring tries.
const maySamples = 24

// mayBring returns what chance may bring by a step, and what can then be reserved. It takes the
// step in sample positions that fit what the viewer knows, with sample dice: it never uses the
// game's own chance.
func mayBring(v *engine.View, step engine.Step) (out []May, lists []Reservation) {
	var tale engine.Tale
	count := make([][maySamples]int, 0, 8) // by May and sample
	deal := engine.NewChance([32]byte{}, "")
	k := uint32(0)
	for n := range maySamples {
		s := v.Sample(func() uint64 { k++; return deal.Draw(engine.StreamSeats, k) })
		tale.Events = tale.Events[:0]
		s.Do(v.Viewer, step, engine.NewChance([32]byte{byte(n + 1)}, ""), &tale)
		for _, e := range tale.Events {
			if !e.New() || e.Kind == engine.EvOverflow { // it does nothing
				continue
			}
			m := May{Kind: e.Kind, Color: engine.None}
			switch e.Kind {
			case engine.EvRolled:
				m.Seat, m.Color = e.Seat, e.Color
			case engine.EvDrewMission, engine.EvOffered, engine.EvHalDrew:
				m.Color = e.Card.Color()
			}
			i := slices.Index(out, m)
			if i < 0 {
				i = len(out)
				out, count = append(out, m), append(count, [maySamples]int{})
			}
			count[i][n]++
		}
		for _, st := range s.Legal(v.Viewer, nil) {
			if st.Kind == engine.Reserve {
				lists = reservable(lists, st)
			}
		}
	}
	for i := range out {
		out[i].Least, out[i].Most = slices.Min(count[i][:]), slices.Max(count[i][:])
	}
	slices.SortStableFunc(lists, func(a, b Reservation) int { return strings.Compare(b.Boost, a.Boost) }) // boosts first
	for _, r := range lists {
		slices.SortStableFunc(r.Dice, func(a, b string) int { return int(b[len(b)-1]) - int(a[len(a)-1]) }) // the highest first
	}
	return out, lists
}

// reservable adds to lists every die of a step's colour, whatever it shows.
func reservable(lists []Reservation, st engine.Step) []Reservation {
	boost := ""
	if st.Cell != 0 {
		boost = st.Cell.String()
	}
	i := slices.IndexFunc(lists, func(r Reservation) bool { return r.Boost == boost })
	if i < 0 {
		i = len(lists)
		lists = append(lists, Reservation{Boost: boost})
	}
	die := func(value int) string { return st.Color.String() + " " + strconv.Itoa(value) }
	if slices.Contains(lists[i].Dice, die(0)) {
		return lists
	}
	for value := range 4 {
		lists[i].Dice = append(lists[i].Dice, die(value))
	}
	return lists
}

// PlanIn tries lines for a seat of a game replayed from its record, as Host.Plan does
// for a stored one: for tests, which have games without a store.
func PlanIn(g *game.Game, seat engine.Seat, lines []string) (*Plan, error) {
	t := tableOf(g)
	return PlanAny(t, t.BySeat(seat), lines)
}

// tableOf is the game as the desk sees it.
func tableOf(g *game.Game) *unit.Game {
	t := &unit.Game{Row: store.Game{State: store.GameRunning, Options: g.Head.Options}, Replay: g.Play}
	for i, name := range g.Head.Names {
		t.Seats = append(t.Seats, store.Seat{Place: i + 1, Seat: i + 1, Player: int64(i + 1), Name: name})
	}
	return t
}
