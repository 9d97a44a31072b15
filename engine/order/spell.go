package order

import (
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"angelpost/engine"
)

// Spell returns a canonical line in the form that people read: players by their names
// instead of "seat 2", and "star" for a die's 0. It knows orders, lists of reservations,
// guards and standing orders; it returns any other line unchanged.
//
// It uses a name only if a Context with the same Names is sure to read it as that seat's;
// the others stay "seat 2".
func (c Context) Spell(line string) string {
	if !strings.Contains(line, " 0") && !strings.Contains(line, " seat ") || !canonical(line) {
		return line
	}
	in := strings.Split(line, " ")
	out := in[:0:0]
	for i := 0; i < len(in); i++ {
		w := in[i]
		switch {
		case i > 0 && strings.TrimSuffix(w, ",") == "0" && in[i-1] != "most" && in[i-1] != "least":
			w = starWord + w[1:]
		case w == "seat" && i+1 < len(in):
			i++
			n, _ := digit(in[i], 1, engine.MaxPlayers)
			w = c.called(engine.Seat(n))
		}
		out = append(out, w)
	}
	return strings.Join(out, " ")
}

// starWord is the face 0 of a die as people read it.
const starWord = "star"

// canonical reports whether a line is one that this package prints.
func canonical(line string) bool {
	if _, err := Parse(line); err == nil {
		return true
	}
	if s, ok := ParseStanding(line); ok {
		return s.String() == line
	}
	if _, ok := isGuard(line); ok {
		g, rest, _, ok := readGuards(line)
		return ok && rest == "" && len(g) == 1 && g[0].who == "" && g[0].String() == line
	}
	dice, ok := strings.CutPrefix(line, "reserve ")
	dice, boost, boosted := strings.Cut(dice, " boost ")
	for _, die := range strings.Split(dice, ", ") {
		if boosted {
			die += " boost " + boost
		}
		_, err := Parse("reserve " + die)
		ok = ok && err == nil
	}
	return ok
}

// called returns the name of a seat's player for use in orders, "seat 2" if the name could
// mean anything else.
func (c Context) called(seat engine.Seat) string {
	plain := "seat " + strconv.Itoa(int(seat))
	if len(c.Names) == 1 && seat == engine.Hal {
		return "Hal"
	}
	if seat < 1 || int(seat) > len(c.Names) {
		return plain
	}
	name := c.Names[seat-1]
	if !nameLike(name) || c.alike(seat) || !c.readBack(name, seat) {
		return plain
	}
	return name
}

// nameLike reports whether a name consists of words without a meaning in orders and
// letters, and of characters that survive between a letter and its answer.
func nameLike(name string) bool {
	if len(name) > MaxName {
		return false
	}
	letters, gap := false, true
	for _, r := range name {
		switch {
		case unicode.IsLetter(r):
			letters = true
		case unicode.IsDigit(r), unicode.Is(unicode.Mn, r) && !gap:
		case (r == ' ' || r == '-' || r == '\'' || r == '’') && !gap:
		default:
			return false
		}
		gap = r == ' '
	}
	if !letters || gap {
		return false
	}
	return !slices.ContainsFunc(wordsIn(Key(name)), ownWord)
}

// ownWord reports whether a folded word is one of the language: of orders, of guards or
// of letters.
func ownWord(w string) bool {
	if slices.ContainsFunc(lex(w), func(t tok) bool { return t.kind != wordTok && t.kind != numTok }) { // b4, x3
		return true
	}
	return spelled(w) || synonyms[w] != "" || fillers[w] || prepositions[w] || reserved[w] || idle[w] || asides[w] ||
		quantities[w] != NoFact || firsts[w] != nil
}

// asides are words of the language that are in no table.
var asides = words("seat player neutral hal me myself my own mine you star stars all everyone to and or then else if unless not no any " +
	"least most more less fewer than last round end plan new open game please thanks zero one two three")

// alike reports whether the name of a seat could be taken for another's, or another's
// for a beginning of it.
func (c Context) alike(seat engine.Seat) bool {
	key := Key(c.Names[seat-1])
	for i, name := range c.Names {
		k := Key(name)
		if i+1 != int(seat) && (k == key || mayBe(k, key) || k != "" && mayBe(key, k)) {
			return true
		}
	}
	return len(c.Names) == 1 && mayBe("hal", key)
}

// mayBe reports whether key, as written, may mean the player whose name has the key of: it
// is the beginning of that key, or of a word in it.
func mayBe(of, key string) bool { return strings.HasPrefix(of, key) || strings.Contains(of, " "+key) }

// readBack reports whether orders and guards with the name are read as the seat's.
func (c Context) readBack(name string, seat engine.Seat) bool {
	want := engine.Step{Kind: engine.TakeDie, Color: engine.Orange, Value: 1, Flip: true}
	items := ReadLetter([]string{"die orange 1 from " + name + " flip"}).Items
	if len(items) != 1 || items[0].Clause == nil || items[0].Doubt != "" || len(items[0].Clause.readings) != 1 {
		return false
	}
	r := items[0].Clause.readings[0]
	if found, p := c.Seat(r.seller); r.step != want || p != nil || found != seat {
		return false
	}
	guards, rest, _, ok := readGuards("if resources of " + name + " at least 2")
	if !ok || rest != "" || len(guards) != 1 || guards[0].N != 2 {
		return false
	}
	g, p := guards[0].Named(Context{Names: c.Names})
	return p == nil && g.Seat == seat
}

// Named returns why the players that a clause names cannot be found, nil if they can.
func (c Clause) Named(ctx Context) *Problem {
	for _, r := range c.readings {
		if r.seller == "" {
			continue
		}
		if _, p := ctx.Seat(r.seller); p != nil {
			p.Line, p.Text = c.Line, c.Text
			return p
		}
	}
	return nil
}

// Seat puts seats in place of names in the plan's orders, as Seated does, if it can still
// be read as a whole then.
func (a *Ahead) Seat(ctx Context) {
	seated := Ahead{Blocks: slices.Clone(a.Blocks)}
	for i := range seated.Blocks {
		b := &seated.Blocks[i]
		b.Orders = slices.Clone(b.Orders)
		for k, line := range b.Orders {
			b.Orders[k], _ = ctx.Seated(line)
		}
	}
	if again := ReadAhead(seated.Text()); again.Problem() < 0 && len(again.Blocks) == len(a.Blocks) {
		a.Blocks = seated.Blocks
	}
}

// Seated returns a line of orders with "from seat 2" in place of the names that players
// have in c, so that it keeps its meaning if they change their names. It returns a line
// that it cannot read so unchanged.
func (c Context) Seated(line string) (string, *Problem) {
	clauses := Expand(line)
	for _, clause := range clauses {
		if p := clause.Named(c); p != nil {
			return line, p
		}
	}
	plain := strings.ToValidUTF8(line, "\ufffd")
	end := len(plain) + 1
	var want []reading
	for i := len(clauses) - 1; i >= 0; i-- {
		for _, r := range slices.Backward(clauses[i].readings) {
			if r.seller != "" {
				seat, _ := c.Seat(r.seller)
				if r.end < end { // readings of one clause may share the name
					plain, end = plain[:r.from]+"from seat "+strconv.Itoa(int(seat))+plain[r.end:], r.from
				}
				r.step.Seller = seat
			}
			want = append(want, r.unplaced())
		}
	}
	if end > len(line) || len(plain) > MaxLine {
		return line, nil
	}
	var got []reading
	for _, clause := range slices.Backward(Expand(plain)) {
		for _, r := range slices.Backward(clause.readings) {
			got = append(got, r.unplaced())
		}
	}
	if !reflect.DeepEqual(got, want) {
		return line, nil
	}
	return plain, nil
}

// unplaced returns the reading without the place and spelling of its player's name.
func (r reading) unplaced() reading {
	r.seller, r.from, r.end = "", 0, 0
	return r
}
