package order

import (
	"slices"
	"strings"

	"angelpost/engine"
	"angelpost/engine/component"
)

// Codes of Problems: keys of the catalogue. The comment after each lists the fields of the
// Problem that it sets besides Code, Line and Text.
const (
	Unreadable = "order-unreadable" // Word: the first that no order has there; Choices: legal lines most like it
	TooLong    = "order-too-long"   // the line is longer than MaxLine
	TooMany    = "order-too-many"   // more clauses than MaxClauses, or lines than MaxLines
	Ambiguous  = "order-ambiguous"  // Choices: everything legal it may mean
	NotLegal   = "order-not-legal"  // Step: how it was read; Choices: legal steps most like it
	Incomplete = "order-incomplete" // names no single step and fits none that is legal; Choices as before
	NoSlot     = "order-slot"       // Word: a row or column that does not exist, as written
	NoHex      = "order-hex"        // the same of a hex
	NoTile     = "order-tile"       // of a tile
	NoCell     = "order-cell"       // of a cell of the grid
	NoValue    = "order-die"        // of a die's value
	NoLocation = "order-location"   // of a location
	NoCard     = "order-card"       // of a card
	LaunchFrom = "order-launch"     // Word: the hex that the ship should start from
	NoName     = "name-unknown"     // Word: no one here has this name
	TwoNames   = "name-ambiguous"   // Word: the beginning of more than one name

	// Of text around the orders; none of these keeps an order from being played.
	Unsaid  = "say-rest"       // below a message that ended before it
	Unread  = "closing-unread" // it is below a closing, and cannot be read
	NoOrder = "no-order"       // it is directly below an order and is not an order: ignored

	NoColon     = "say-colon"     // "say to NAME" or "note" without its colon: no message is sent
	NoAddressee = "say-to"        // "say to" with its colon, but without a name
	NoText      = "text-empty"    // a text or name is missing
	LongText    = "text-too-long" // the text is longer than MaxText; none of it is kept
	BadWord     = "word-argument" // Word: an argument the word cannot have
	BadStanding = "standing-bad"  // Word: what follows "always" or "never" and cannot be a standing order
	NoGameID    = "ruling-game"   // Word: a word that rules over a game, without the game's id
	NoReason    = "ruling-reason" // Word: the same, without a reason
	NoReport    = "report-reason" // a report without a name or a reason
	LostLine    = "new-game-line" // an option of new game without "new game" before it; Word: the option
	BadOption   = "new-game-option"
	SeatsOption = "new-game-seats" // `players` has a number, which `seats` takes

	// In a plan; of the last two outside of one, too.
	PlanWord  = "plan-word"       // Word: a word that is not an order
	PlanEmpty = "plan-empty"      // a block without orders
	BadGuard  = "guard-bad"       // Word: the first that no guard has there
	LateGuard = "order-guard"     // a guard behind orders of its block, or outside of a plan
	LostElse  = "order-otherwise" // "else" outside of a plan
)

// A Problem is why a line was not taken: a code and its arguments, no sentence.
type Problem struct {
	Code    string
	Line    int           // of the letter, from 1
	Text    string        // the clause as written
	Word    string        // the word at fault
	Of      WordKind      // the word that was refused with it; NoWord: an order was
	Step    engine.Step   // how it was read; NoStep if not as one step
	Choices []engine.Step // at most MaxChoices
}

// Error names the problem for a log; players get the catalogue's sentence.
func (p *Problem) Error() string { return p.Code + ": " + p.Text }

// MaxChoices bounds the steps a Problem offers.
const MaxChoices = 12

// Context is what a clause is read in.
type Context struct {
	Names []string     // the players' names by seat, from index 0 for seat 1, as the writer read them; may be nil
	Now   []string     // their names now, where Names are older: they count only for a name that Names do not know
	View  *engine.View // of the player who writes, as the steps are legal; may be nil
}

// Seat finds the player of a name as written: a seat ("seat 3"), the whole
// name, or a beginning that only one name has. Case and accents do not matter.
func (c Context) Seat(name string) (engine.Seat, *Problem) {
	seat, p := c.seat(name)
	if p != nil && p.Code == NoName && c.Now != nil {
		if seat, q := (Context{Names: c.Now}).seat(name); q == nil {
			return seat, nil
		}
	}
	return seat, p
}

func (c Context) seat(name string) (engine.Seat, *Problem) {
	key := Key(name)
	if n := strings.TrimPrefix(strings.TrimPrefix(key, "seat "), "player "); n != key || len(key) == 1 {
		if v, ok := digit(n, 1, engine.MaxPlayers); ok && (c.Names == nil || int(v) <= max(len(c.Names), int(engine.Hal))) {
			return engine.Seat(v), nil
		}
	}
	if len(c.Names) == 1 && key == "hal" {
		return engine.Hal, nil
	}
	found := engine.Seat(0)
	code := NoName
	for i, n := range c.Names {
		k := Key(n)
		switch {
		case key == "":
		case k == key:
			return engine.Seat(i + 1), nil
		case mayBe(k, key):
			if found != 0 {
				code = TwoNames
			}
			found = engine.Seat(i + 1)
		}
	}
	if found != 0 && code == NoName {
		return found, nil
	}
	return 0, &Problem{Code: code, Word: name}
}

// Match reads a clause against the steps that are legal now. One meaning is that step. A
// clause that repeats how to begin an action under way ("destroy 2 4" once Destroy is
// chosen) is neither a step nor a Problem. A reservation list yields its first die that is
// legal.
//
// A word spelled out beats a word's beginning, and a clause that leaves out nothing of a
// canonical line means that line: "die gray 2" is the player's own die of the standard area
// if there is one, even if another could be bought. A clause means a flip only if it names
// one, and a reservation never means a boost.
//
// Given the list from which a step was already chosen, Match tells whether a clause repeats
// that step (ORDERS.md 1).
func Match(c Clause, legal []engine.Step, ctx Context) ([]engine.Step, *Problem) {
	problem := func(code string) *Problem {
		return &Problem{Code: code, Line: c.Line, Text: c.Text, Word: c.word}
	}
	if c.code != "" {
		p := problem(c.code)
		switch c.code {
		case Unreadable:
			p.Choices = nearest(c, nil, legal)
		case TooLong, TooMany:
		default: // there is one thing to correct
			p.Choices = nearest(c, nil, legal)
			word, _ := cutWord(c.Text[opening(c.Text):])
			like := slices.IndexFunc(p.Choices, func(s engine.Step) bool { return strings.HasPrefix(Print(s), Key(word)+" ") })
			like = max(like, 0)
			p.Choices = p.Choices[min(like, len(p.Choices)):min(like+1, len(p.Choices))]
		}
		return nil, p
	}
	readings := append([]reading(nil), c.readings...)
	for i := range readings {
		r := &readings[i]
		if r.seller != "" {
			seat, p := ctx.Seat(r.seller)
			if p != nil {
				p.Line, p.Text = c.Line, c.Text
				return nil, p
			}
			r.step.Seller = seat
		}
		if ctx.View != nil && ctx.View.Viewer == r.step.Seller {
			r.step.Seller = 0
		}
	}
	groups := [][]reading{readings}
	if c.list {
		groups = groups[:0]
		for i := range readings {
			groups = append(groups, readings[i:i+1])
		}
	}
	for _, g := range groups {
		switch found := find(g, legal, ctx); len(found) {
		case 0:
		case 1:
			return found, nil
		default:
			p := problem(Ambiguous)
			p.Choices = found[:min(len(found), MaxChoices)]
			return nil, p
		}
	}
	if c.next != engine.NoStep && c.begun(legal, ctx) {
		return nil, nil
	}
	p := problem(Incomplete)
	if s, ok := understood(readings, legal, ctx); ok {
		p.Code, p.Step = NotLegal, s
	}
	p.Choices = nearest(c, readings, legal)
	return nil, p
}

// begun reports whether the action that the clause names, and to which the next clause adds
// a detail, is under way.
func (c Clause) begun(legal []engine.Step, ctx Context) bool {
	if v := ctx.View; c.next == engine.Collect {
		if v == nil {
			return false
		}
		using := v.Using
		if len(v.Owed) > 0 && v.Owed[0].Ask == engine.AskOwner {
			using = v.Owed[0].Card
		}
		for _, r := range c.readings {
			if r.step.Card == using && using != 0 {
				return true
			}
		}
		return false
	}
	for _, s := range legal {
		if s.Kind == c.next {
			return true
		}
	}
	return false
}

// Choose matches a wish once its moment has come. It skips a wish that has become
// impossible. For a reservation list that finds no die it returns `Done`: the player
// reserves none (Q6.2b). ok is false if the server must ask the player after all.
func (c Clause) Choose(legal []engine.Step, ctx Context) (step engine.Step, ok bool) {
	found, p := Match(c, legal, ctx)
	if len(found) == 1 {
		return found[0], true
	}
	if c.list && p != nil && p.Code != Ambiguous {
		for _, s := range legal {
			if s.Kind == engine.Done {
				return s, true
			}
		}
	}
	return engine.Step{}, false
}

// Ends reports whether the clause only says to stop here.
func (c Clause) Ends() bool {
	return c.Readable() && !c.list && !slices.ContainsFunc(c.readings, func(r reading) bool { return r.step.Kind != engine.Done })
}

// List reports whether the clause is a reservation list, and whether one for a
// boost: those come first (Q6.2b).
func (c Clause) List() (list, boost bool) {
	return c.list, c.list && c.readings[0].has&hasCell != 0
}

// find returns the legal steps the readings may mean, by the best of: a reading
// spelled out that is the whole step; readings spelled out; any reading.
func find(rs []reading, legal []engine.Step, ctx Context) []engine.Step {
	var whole, spelled, any []engine.Step
	look(len(rs) * len(legal))
	for _, s := range legal {
		best := 0
		for i := range rs {
			r := &rs[i]
			if !r.fits(s, ctx) {
				continue
			}
			rank := 1
			if !r.prefix {
				if rank = 2; r.step == s && r.sure() && r.complete() {
					rank = 3
				}
			}
			best = max(best, rank)
		}
		switch best {
		case 3:
			whole = append(whole, s)
			fallthrough
		case 2:
			spelled = append(spelled, s)
			fallthrough
		case 1:
			any = append(any, s)
		}
	}
	switch {
	case len(whole) > 0:
		return whole
	case len(spelled) > 0:
		return spelled
	}
	return any
}

// sure reports whether no word of the reading has another reading.
func (r *reading) sure() bool {
	if _, ok := single(r.colors); r.has&hasColor != 0 && !ok {
		return false
	}
	if _, ok := single(r.spaces); r.has&hasSpace != 0 && !ok {
		return false
	}
	if r.has&hasUse != 0 && r.step.Use == engine.TakeGood && r.goods != 1<<r.step.Good ||
		r.uses&(r.uses-1) != 0 && r.step.Use != engine.TakeGood {
		return false
	}
	for _, l := range r.tiles {
		if l.kind == 0 && !(l.n > component.Advanced) {
			return false
		}
	}
	return true
}

// fits reports whether the legal step s agrees with every detail named.
func (r *reading) fits(s engine.Step, ctx Context) bool {
	w, has := r.step, r.has
	if s.Kind != w.Kind || s.Flip != w.Flip || s.Kind == engine.Reserve && (s.Cell != 0) != (has&hasCell != 0) {
		return false
	}
	if has&hasCard != 0 && !(s.Card == w.Card && s.Card2 == w.Card2 || w.Card.Hidden() && s.Card.Back() == w.Card && s.Card2 == 0) {
		return false
	}
	if has&hasSlot != 0 && s.Slot != w.Slot || has&hasCell != 0 && s.Cell != w.Cell || has&hasVia != 0 && s.Via != w.Via ||
		has&hasValue != 0 && s.Value != w.Value || has&hasSeller != 0 && s.Seller != w.Seller || has&hasBuy != 0 && s.Seller == 0 ||
		has&hasSecure != 0 && s.Secure != w.Secure || has&hasAction != 0 && s.Action != w.Action || has&hasLoc != 0 && s.Loc != w.Loc ||
		has&hasLocs != 0 && s.Locs != w.Locs || has&hasFrom != 0 && s.From != w.From || has&hasTo != 0 && s.To != w.To {
		return false
	}
	if has&hasSpace != 0 && (s.Space == 0 || r.spaces>>(s.Space-1)&1 == 0) {
		return false
	}
	if has&hasTile != 0 && !r.tiles[0].is(s.Tile) || has&hasTiles != 0 && !sameTiles(r.tiles, s.Tiles) {
		return false
	}
	if has&hasUse != 0 {
		switch {
		case s.Use == engine.NoUse: // the one thing the tile gives, named all the same
			if r.uses>>engine.TakeGood&1 == 0 || !ctx.gives(s, r.goods) {
				return false
			}
		case r.uses>>s.Use&1 == 0 || s.Use == engine.TakeGood && r.goods>>s.Good&1 == 0:
			return false
		}
	}
	return has&hasColor == 0 || r.colors>>s.Color&1 != 0
}

// gives reports whether a tile without a choice gives one of the goods named,
// by the writer's own grid; false if that cannot be seen.
func (c Context) gives(s engine.Step, goods uint8) bool {
	v, cell := c.View, s.Cell
	if s.Via != 0 {
		cell = s.Via
	}
	if v == nil || v.Set == nil || cell == 0 || cell > 9 || v.Viewer == 0 || int(v.Viewer) > len(v.Players) {
		return false
	}
	tile := v.Players[v.Viewer-1].Grid[cell-1].Tile
	if int(tile) >= len(v.Set.Tiles) {
		return false
	}
	good := engine.NoGood
	switch k := v.Set.Tiles[tile]; {
	case k.Effect == component.Ta:
		good = engine.VP
	case k.Effect == component.Tb:
		good = [...]engine.Good{engine.Ship, engine.Resource, engine.Robot, engine.NoGood}[k.Color&3]
	case k.Effect == component.Tc && k.Color == engine.Gray:
		good = engine.Debris
	}
	return good != engine.NoGood && goods>>good&1 != 0
}

// sameTiles reports whether the words name exactly the tiles of ts.
func sameTiles(ls []loose, ts [3]engine.Tile) bool {
	n := 0
	for n < 3 && ts[n] != 0 {
		n++
	}
	if n != len(ls) {
		return false
	}
	for _, order := range [][3]int{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}} {
		all := true
		for i, l := range ls {
			all = all && order[i] < n && l.is(ts[order[i]])
		}
		if all {
			return true
		}
	}
	return false
}

// understood returns the one step that the readings name, with the details that the
// position settles. Readings of a kind that the game asks for now come first.
func understood(rs []reading, legal []engine.Step, ctx Context) (engine.Step, bool) {
	asked := [32]bool{}
	for _, s := range legal {
		asked[s.Kind&31] = true
	}
	for _, now := range []bool{true, false} {
		for i := range rs {
			r := rs[i]
			if asked[r.step.Kind&31] != now {
				continue
			}
			if r.step.Kind == engine.Act && r.has&hasLoc == 0 {
				r.step.Loc = ctx.location(r.step.Action)
			}
			if r.step.Kind == engine.Place && r.has&hasTo == 0 && ctx.View != nil {
				r.step.To = ctx.View.Ship
			}
			if !r.sure() || r.has&hasBuy != 0 && r.step.Seller == 0 {
				continue
			}
			if s, err := Parse(Print(r.step)); err == nil && s == r.step && r.complete() {
				return s, true
			}
		}
	}
	return engine.Step{}, false
}

// complete reports whether the reading names the details that a step of its kind needs,
// because zero is a valid value of some of them.
func (r *reading) complete() bool {
	var need fields
	switch r.step.Kind {
	case engine.TakeDie, engine.FlipDie, engine.Reserve:
		need = hasColor | hasValue
	case engine.Boost:
		need = hasCell
	case engine.Cube:
		need = hasLoc
	case engine.MoveShip:
		need = hasFrom | hasTo
	}
	switch r.step.Use {
	case engine.Move:
		need |= hasFrom | hasTo
	case engine.ToStation, engine.FromStation, engine.Draw, engine.AsColor:
		need |= hasColor
	}
	return r.has&need == need
}

// location is the only location of an action, or the one of the die in use.
func (c Context) location(a component.Action) uint8 {
	found := uint8(0)
	if c.View == nil {
		return 0
	}
	for n := uint8(1); n <= 6; n++ {
		l := c.View.Locs[n]
		if l.Action != a {
			continue
		}
		if l.Color == c.View.Die.Color {
			return n
		}
		if found != 0 {
			return 0
		}
		found = n
	}
	return found
}
