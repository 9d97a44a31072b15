package order

import (
	"slices"
	"strconv"
	"strings"

	"angelpost/engine"
)

// A Fact is what a Guard asks about.
type Fact uint8

// The facts, with the fields of Guard they use and the canonical text of each.
// All of them are public.
const (
	NoFact    Fact = iota
	DieThere       // Color, Value, Secure, Seat   "die gray 2", "die gray 2 secure", "die gray 2 from seat 3", "die gray 2 from neutral"
	TileThere      // Tile: in the display or an Advanced slot   "tile t12"
	HexFree        // Hex: in sight, without a Mission card or Spes   "hex b4 free"
	ShipThere      // Hex, Seat                    "ship b4", "ship b4 of seat 3"
	InSpace        // Card                         "mission 027"
	Damage         // Loc                          "damage 3 at least 1"
	Ravagers       // Loc: Ravager cards there     "ravagers 3 at most 0"
	Resources      // Seat                         "resources at least 2", "resources of seat 3 at most 1"
	Debris         // Seat
	Ships          // Seat: in storage
	Robots         // Seat: in the break room
	VP             // Seat
	Round          //                              "round at least 5"
	Angel          // strip of the Black Angel     "angel at least 6"
	LastRound      //                              "last round"
)

var factNames = [...]string{"", "die", "tile", "hex", "ship", "mission", "damage", "ravagers", "resources", "debris", "ships", "robots", "vp", "round", "angel", "last round"}

// counted reports whether the fact is a number.
func (f Fact) counted() bool { return f >= Damage && f <= Angel }

// owned reports whether the number is of what a player has.
func (f Fact) owned() bool { return f >= Resources && f <= VP }

// located reports whether the number is of a location.
func (f Fact) located() bool { return f == Damage || f == Ravagers }

// A Guard is a condition of a plan: a public fact that must hold, or must not. Guards with
// the same fields are the same condition.
type Guard struct {
	Unless bool
	Fact   Fact
	Color  engine.Color
	Value  uint8
	Secure bool
	Seat   engine.Seat // 0: the viewer; Neutral too, of a die
	Tile   engine.Tile
	Hex    engine.Hex
	Card   engine.Card
	Loc    uint8
	Most   bool // counted: at most N; otherwise at least
	N      int  // from 0 to 999

	who string // the name of Seat as written, until Named has found it
}

// String is the canonical text: "if tile t12", "unless damage 3 at least 1".
func (g Guard) String() string {
	b := []byte("if ")
	if g.Unless {
		b = []byte("unless ")
	}
	b = append(b, factNames[g.Fact]...)
	of := " of "
	switch g.Fact {
	case DieThere:
		b = str(b, " ", g.Color.String(), " ", strconv.Itoa(int(g.Value)))
		if g.Secure {
			b = str(b, " secure")
		}
		of = " from "
	case TileThere:
		b = str(b, " ", g.Tile.String())
	case HexFree:
		b = str(b, " ", g.Hex.String(), " free")
	case ShipThere:
		b = str(b, " ", g.Hex.String())
	case InSpace:
		b = str(b, " ", g.Card.String())
	}
	if g.Fact.located() {
		b = str(b, " ", strconv.Itoa(int(g.Loc)))
	}
	switch {
	case g.who != "":
		b = str(b, of, g.who)
	case g.Seat == engine.Neutral:
		b = str(b, of, "neutral")
	case g.Seat != 0:
		b = str(b, of, "seat ", strconv.Itoa(int(g.Seat)))
	}
	if g.Fact.counted() {
		if g.Most {
			b = str(b, " at most ", strconv.Itoa(g.N))
		} else {
			b = str(b, " at least ", strconv.Itoa(g.N))
		}
	}
	return string(b)
}

// Named returns the guard with the seat of the player whose name the writer used.
func (g Guard) Named(c Context) (Guard, *Problem) {
	if g.who != "" {
		seat, p := c.Seat(g.who)
		if p != nil {
			return g, p
		}
		g.Seat, g.who = seat, ""
	}
	if c.View != nil && g.Seat == c.View.Viewer {
		g.Seat = 0
	}
	return g, nil
}

// Holds reports whether the condition, with its Unless, is met in what the viewer sees.
func (g Guard) Holds(v *engine.View) bool { return g.fact(v) != g.Unless }

func (g Guard) fact(v *engine.View) bool {
	switch g.Fact {
	case DieThere:
		dice := []engine.DieView(nil)
		if g.Seat == engine.Neutral {
			if v.Neutral != nil {
				dice = v.Neutral.Dice
			}
		} else if p := g.player(v); p != nil {
			if dice = p.Standard; g.Secure {
				dice = p.Secure
			}
		}
		for _, d := range dice {
			if d.Color == g.Color && d.Value == g.Value {
				return true
			}
		}
		return false
	case TileThere:
		for _, t := range v.Display {
			if t == g.Tile {
				return true
			}
		}
		for _, t := range v.Slots {
			if t == g.Tile {
				return true
			}
		}
		return false
	case LastRound:
		return v.LastRound
	case HexFree, ShipThere, InSpace:
		return g.inSpace(v)
	}
	n, ok := g.count(v)
	return ok && (g.Most && n <= g.N || !g.Most && n >= g.N)
}

// player returns the player the guard is about, nil if the seat is empty.
func (g Guard) player(v *engine.View) *engine.PlayerView {
	seat := g.Seat
	if seat == 0 {
		seat = v.Viewer
	}
	if seat < 1 || int(seat) > len(v.Players) {
		return nil
	}
	return &v.Players[seat-1]
}

func (g Guard) inSpace(v *engine.View) bool {
	for i := range v.Strips {
		for j := range v.Strips[i].Hexes {
			h := &v.Strips[i].Hexes[j]
			switch {
			case g.Fact == InSpace:
				if h.Card == g.Card {
					return true
				}
			case h.At != g.Hex:
			case g.Fact == HexFree:
				return h.Card == 0 && !h.Spes
			default:
				seat := g.Seat
				if seat == 0 {
					seat = v.Viewer
				}
				for _, s := range h.Ships {
					if s == seat {
						return true
					}
				}
				return false
			}
		}
	}
	return false
}

// count returns the number of a counted fact; ok is false if there is none.
func (g Guard) count(v *engine.View) (n int, ok bool) {
	switch {
	case g.Fact.located():
		if g.Loc < 1 || int(g.Loc) >= len(v.Locs) {
			return 0, false
		}
		l := &v.Locs[g.Loc]
		if g.Fact == Ravagers {
			return len(l.Ravagers), true
		}
		return l.Damage, true
	case g.Fact == Round:
		return v.Round, true
	case g.Fact == Angel:
		return v.BlackAngel.Strip(), true
	}
	p := g.player(v)
	if p == nil {
		return 0, false
	}
	switch g.Fact {
	case Resources:
		return p.Resources, true
	case Debris:
		return p.Debris, true
	case Ships:
		return p.Ships, true
	case Robots:
		return p.Break, true
	case VP:
		return p.VP, true
	}
	return 0, false
}

// isGuard reports whether a line begins with the word of a guard, and whether that is
// "unless".
func isGuard(line string) (unless, ok bool) {
	first, _ := cutWord(line[opening(line):])
	switch Key(first) {
	case "if":
		return false, true
	case "unless":
		return true, true
	}
	return false, false
}

// readGuards reads a line of guards: "if tile t12 and hex b4 free". rest is the text after
// a colon or "then". If the line cannot be read, word is the first word at fault.
func readGuards(line string) (guards []Guard, rest, word string, ok bool) {
	look(len(line))
	line = clip(strings.ToValidUTF8(line, "\ufffd"), MaxLine)
	line = cutComment(line[opening(line):])
	unless, _ := isGuard(line)
	if i := strings.IndexAny(line, ":："); i >= 0 {
		line, rest = line[:i], strings.TrimLeft(line[i:], ":：")
	}
	p := reader{line: line}
	for _, t := range lex(line) {
		if t.kind == sepTok && strings.EqualFold(line[t.start:t.end], "then") {
			line, rest = line[:t.start], line[t.end:]
			break
		}
		if t.kind != wordTok || !idle[t.s] {
			p.toks = append(p.toks, t)
		}
	}
	p.line = line
	if len(p.toks) > 0 {
		p.i++ // if, unless
	}
	for {
		start := p.i
		g := Guard{Unless: unless}
		ok := p.guard(&g)
		if ok && g.anybodys(p.toks[start:p.i]) {
			p.i, ok = start, false
		}
		if !ok {
			if t := p.at(0); p.i < len(p.toks) && t.s != "" {
				word = t.s
			} else if start < len(p.toks) {
				word = p.toks[start].s
			}
			return nil, "", word, false
		}
		guards = append(guards, g)
		for p.i < len(p.toks) && p.at(0).kind == breakTok {
			p.i++
		}
		if p.i == len(p.toks) {
			break
		}
		if p.at(0).kind != sepTok {
			return nil, "", p.at(0).s, false
		}
		p.i++
	}
	if unless && len(guards) > 1 { // all of them, or any? We must not guess
		return nil, "", "and", false
	}
	return guards, rest, "", true
}

// anybodys reports whether a guard says "any" die or ship although a guard without an owner
// means the viewer's: the viewer must name the owner.
func (g Guard) anybodys(toks []tok) bool {
	return (g.Fact == DieThere || g.Fact == ShipThere) && g.Seat == 0 && g.who == "" &&
		slices.ContainsFunc(toks, func(t tok) bool { return t.s == "any" })
}

// idle are words that add no meaning in a guard.
var idle = map[string]bool{"is": true, "are": true, "there": true, "there's": true, "still": true, "yet": true, "has": true, "have": true, "a": true}

var quantities = map[string]Fact{"resource": Resources, "resources": Resources, "debris": Debris, "ship": Ships, "ships": Ships,
	"robot": Robots, "robots": Robots, "vp": VP, "points": VP, "round": Round, "angel": Angel}

// guard reads one condition. If there is none, it leaves the reader at the word at fault,
// as far as it can tell.
func (p *reader) guard(g *Guard) bool {
	not := func() {
		for p.word("not", "no") {
			g.Unless = !g.Unless
		}
	}
	not()
	p.words("my", "own", "black", "any")
	t := p.at(0)
	switch {
	case p.word("last"):
		g.Fact = LastRound
		return p.word("round")
	case p.word("damage", "damaged"):
		g.Fact = Damage
		return p.place(g) && p.compare(g, true)
	case p.word("ravager", "ravagers"):
		g.Fact = Ravagers
		p.words("cards", "card")
		return p.place(g) && p.compare(g, true)
	case p.word("location", "loc"):
		n, ok := p.digit(1, 6)
		if g.Loc = n; !ok {
			return false
		}
		not()
		switch {
		case p.word("damage", "damaged"):
			g.Fact = Damage
		case p.word("ravagers", "ravager", "ravaged"):
			g.Fact = Ravagers
		default:
			return false
		}
		return p.compare(g, true)
	case p.word("hex"):
		h, ok := p.hex()
		g.Hex = h
		if ok {
			not()
		}
		return ok && p.free(g)
	case t.kind == codeTok && t.s >= "a" && t.s <= "e" && p.bareHex(g):
		return true
	case p.word("tile", "tiles", "advanced", "adv", "technology"), t.kind == codeTok:
		p.i = p.i - btoi(t.kind != codeTok)
		l, ok := p.tile()
		if !ok || l.kind == 0 && l.n == 0 {
			return false
		}
		g.Fact, g.Tile = TileThere, l.tile()
		not()
		p.words("tile", "in", "on", "display", "for", "sale", "left", "available", "slot", "slots")
		return true
	case p.word("mission", "card"):
		c, ok := p.card()
		if !ok || c.Hidden() || c.Ravager() {
			return false
		}
		g.Fact, g.Card = InSpace, c
		not()
		p.words("in", "space")
		return true
	}
	if t.kind == wordTok && (t.s == "ship" || t.s == "ships") && p.shipAt(g) {
		return true
	}
	if p.compared() { // "at least 2 resources of Bob"
		start := p.i
		if p.compare(g, false) {
			if f := quantities[p.at(0).s]; p.at(0).kind == wordTok && f != NoFact {
				p.i++
				g.Fact = f
				return p.owner(g)
			}
		}
		p.i = max(p.i, start)
		return false
	}
	if f := quantities[t.s]; t.kind == wordTok && f != NoFact {
		p.i++
		g.Fact = f
		if f == Angel {
			p.words("at", "on", "strip")
			if p.at(0).s == "least" || p.at(0).s == "most" {
				p.i--
			}
		}
		return p.owner(g) && p.compare(g, f.owned())
	}
	return p.dieThere(g)
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// place reads the location of a number that is counted at a location.
func (p *reader) place(g *Guard) bool {
	p.words("at", "on", "in", "location", "loc", "of")
	n, ok := p.digit(1, 6)
	g.Loc = n
	return ok
}

// free reads what a condition says about a hex.
func (p *reader) free(g *Guard) bool {
	g.Fact = HexFree
	switch {
	case p.word("free", "empty", "open", "unoccupied"):
		return true
	case p.word("taken", "occupied", "full", "covered"):
		g.Unless = !g.Unless
		return true
	}
	return false
}

// bareHex reads "b4 free". Without a word after it, a4 is a tile.
func (p *reader) bareHex(g *Guard) bool {
	start, unless := p.i, g.Unless
	h, ok := p.hex()
	g.Hex = h
	for ok && p.word("not") {
		g.Unless = !g.Unless
	}
	if ok && p.free(g) {
		return true
	}
	p.i = start
	*g = Guard{Unless: unless}
	return false
}

// shipAt reads "ship at b4 of Bob".
func (p *reader) shipAt(g *Guard) bool {
	start := p.i
	p.i++
	p.words("at", "on", "in", "hex")
	h, ok := p.hex()
	if !ok {
		p.i = start
		return false
	}
	g.Fact, g.Hex = ShipThere, h
	return p.owner(g)
}

// owner reads the owner, if the condition names one.
func (p *reader) owner(g *Guard) bool {
	if !g.Fact.owned() && g.Fact != ShipThere || !p.word("of", "from") {
		return true
	}
	r := reading{}
	if !p.seller(&r) || r.step.Seller == engine.Neutral {
		return false
	}
	g.Seat, g.who = r.step.Seller, clip(r.seller, MaxName)
	return true
}

// compared reports whether a comparison comes next.
func (p *reader) compared() bool {
	t := p.at(0)
	if t.kind == wordTok && (t.s == "at" || t.s == "more" || t.s == "less" || t.s == "fewer") {
		return true
	}
	return t.kind == numTok && p.at(1).s == "or"
}

// compare reads how to compare a number: "at least 2", "2 or more", "more than 1". If may
// is set, no comparison means "at least 1".
func (p *reader) compare(g *Guard, may bool) bool {
	number := func() bool {
		t := p.at(0)
		if t.kind != numTok {
			return false
		}
		p.i++
		g.N = t.n
		return true
	}
	start := p.i
	switch {
	case p.word("at"):
		switch {
		case p.word("least"):
		case p.word("most"):
			g.Most = true
		default:
			return false
		}
		return number()
	case p.word("more"):
		ok := p.word("than") && number()
		g.N++
		return ok && g.N <= 999
	case p.word("less", "fewer"):
		ok := p.word("than") && number()
		g.Most = true
		g.N--
		return ok && g.N >= 0
	case number():
		if p.word("or") {
			switch {
			case p.word("more", "better", "higher"):
				return true
			case p.word("less", "fewer", "lower"):
				g.Most = true
				return true
			}
		}
		p.i = start
		return false
	}
	g.N = 1
	return may
}

// dieThere reads a die as orders name it.
func (p *reader) dieThere(g *Guard) bool {
	start := p.i
	p.words("die", "dice")
	r := reading{step: engine.Step{Kind: engine.TakeDie}}
	for r.has&hasBuy == 0 && !r.step.Flip && p.dieDetail(&r) {
	}
	c, one := single(r.colors)
	if r.has&(hasColor|hasValue) != hasColor|hasValue || !one || r.has&hasBuy != 0 || r.step.Flip {
		p.i = start
		return false
	}
	*g = Guard{Unless: g.Unless, Fact: DieThere, Color: c, Value: r.step.Value, Secure: r.step.Secure, Seat: r.step.Seller, who: clip(r.seller, MaxName)}
	for p.word("not") {
		g.Unless = !g.Unless
	}
	p.words("left", "available")
	return !g.Secure || g.Seat == 0 && g.who == ""
}
