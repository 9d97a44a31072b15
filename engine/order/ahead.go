package order

import (
	"cmp"
	"slices"
	"strings"
)

// An Ahead is the part of a letter that follows a line `plan`: orders for a future turn, in
// blocks. The first block that can be played will be. It goes on to a line `end plan` or
// the end of the letter, whatever comes between, so orders meant for later are never played
// now.
type Ahead struct {
	Blocks []Block
	Lines  []Item // all its lines, in order: Guards, Clauses and Problems

	below []string // the letter's lines that form it
}

// A Block is one of the turns that a plan has.
type Block struct {
	Guards []Guard  // all of them must hold
	Orders []string // lines as they were written
}

// Problem is the first of the plan's lines that cannot be read, -1: all can.
func (a *Ahead) Problem() int {
	for i, it := range a.Lines {
		if it.Problem != nil || it.Clause != nil && !it.Clause.Readable() {
			return i
		}
	}
	return -1
}

// Otherwise is the line between two of a plan's blocks.
const Otherwise = "else"

// Text is the plan as the lines of a letter, without the first; guards are
// canonical.
func (a *Ahead) Text() (out []string) {
	for i, b := range a.Blocks {
		if i > 0 {
			out = append(out, Otherwise)
		}
		for _, g := range b.Guards {
			out = append(out, g.String())
		}
		out = append(out, b.Orders...)
	}
	return out
}

// ReadAhead reads a plan in the form that Text writes.
func ReadAhead(lines []string) *Ahead {
	var w Word
	r := letterReader{lines: append([]string{"plan"}, lines...), bare: true}
	r.readPlan(&w, "", 0)
	if w.Ahead == nil {
		return &Ahead{}
	}
	return w.Ahead
}

// ends reports whether a line ends a plan.
func ends(line string) bool {
	switch Key(cutComment(line)) {
	case "end plan", "plan end", "end of plan", "end of the plan":
		return true
	}
	return false
}

// readPlan reads the plan that starts at line i; rest is the text after the word `plan`. It
// returns the index of the plan's last line, which comes before the letter's closing. If
// the plan is empty, w gets no Ahead.
func (l *letterReader) readPlan(w *Word, rest string, i int) int {
	r := planReader{n: i + 1}
	rest = strings.TrimLeft(rest, ":： ")
	for _, filler := range []string{"for", "my", "the", "next", "coming", "turn"} {
		if first, more := cutWord(rest); Key(first) == filler {
			rest = trim(strings.TrimLeft(more, ":： "))
		}
	}
	read := func(line string) {
		if trim(cutComment(line)) != "" {
			r.below = append(r.below, trim(line))
		}
		r.line(line)
	}
	read(rest)
	var odd []int // lines of prose, which are passed over if no order follows
	lines := l.lines
	last := i
loop:
	for i++; i < len(lines); i++ {
		r.n = i + 1
		line := lines[i]
		switch {
		case r.n > MaxLines:
			r.fail(line, TooMany, "")
			last = len(lines) - 1
			break loop
		case trim(line) == ">":
			continue
		case Barred(line):
			l.Barred = append(l.Barred, r.n)
			continue
		case trim(cutComment(line)) == "":
			continue
		case l.unticks(i):
			continue
		}
		lines = l.lines // of which a box may be gone
		line = lines[i]
		if _, _, ok := cutGame(line); ok {
			break loop
		}
		switch {
		case ends(line):
			last = i
			break loop
		case !l.bare:
			opens, closes := courtesy(line)
			switch {
			case closes && r.some:
				break loop
			case opens, closes, called(line, l.names) && !readable(readLine(1, line)), marks[Key(line)]:
				l.Passed = append(l.Passed, r.n)
				last = i
				continue
			case longProse(line):
				l.Passed = append(l.Passed, r.n)
				last = i
				continue
			case !r.full && isProse(line):
				if w, _, ok := ReadWord(line); ok && w.Kind == Plan && r.some { // read on its own, so that none is read twice
					break loop
				}
				odd = append(odd, i)
				continue
			}
		}
		for _, k := range append(odd, i) { // in the middle it was meant for something
			r.n = k + 1
			read(lines[k])
		}
		odd, last = nil, i
	}
	if !r.some { // and so it was if there is nothing else
		for _, k := range odd {
			r.n, last = k+1, k
			read(lines[k])
		}
	}
	r.close()
	if r.some {
		w.Ahead = &r.Ahead
	}
	below := func(n int) bool { return n > last+1 } // is read again
	l.Unticked = slices.DeleteFunc(l.Unticked, func(it Item) bool { return below(it.Line) })
	l.Passed, l.Barred = slices.DeleteFunc(l.Passed, below), slices.DeleteFunc(l.Barred, below)
	return last
}

// isProse reports whether a line of a plan is prose that neither is nor looks like a part
// of the plan.
func isProse(line string) bool {
	if first, rest := cutWord(line[opening(line):]); isElse(first) {
		items := readLine(1, rest)
		return trim(rest) != "" && !guardLike(rest) && !readable(items) && !wrong(items)
	}
	if _, ok := isGuard(line); ok {
		return !guardLike(line)
	}
	items := readLine(1, line)
	return !readable(items) && !wrong(items)
}

// wrong reports whether any of items was meant as an order or a word but cannot be read.
func wrong(items []Item) bool {
	return slices.ContainsFunc(items, func(it Item) bool { return it.Problem != nil || it.Clause != nil && it.Clause.like })
}

// A planReader reads the lines of a plan.
type planReader struct {
	Ahead
	n       int // of the line
	block   Block
	clauses int
	size    int
	some    bool // there is something of a plan
	full    bool // a bound was passed
}

func (r *planReader) fail(line, code, word string) {
	r.some = true
	if r.full {
		return
	}
	r.full = code == TooMany
	text := clip(trim(line), MaxLine)
	r.Lines = append(r.Lines, Item{Line: r.n, Text: text, Problem: &Problem{Code: code, Line: r.n, Text: text, Word: clip(word, MaxName)}})
}

// close ends a block.
func (r *planReader) close() {
	if !r.some {
		return
	}
	if len(r.block.Orders) == 0 && r.Problem() < 0 {
		r.fail("", PlanEmpty, "")
	}
	r.Blocks = append(r.Blocks, r.block)
	r.block = Block{}
}

// line reads a line, or the rest of one after `else` or a guard.
func (r *planReader) line(line string) {
	if line = trim(line); line == "" || trim(cutComment(line)) == "" || r.full {
		return
	}
	r.some = true
	if r.size += len(line) + 1; r.size > MaxPlan {
		r.fail(line, TooMany, "")
		return
	}
	bare := line[opening(line):]
	if first, rest := cutWord(bare); isElse(first) {
		if first, more := cutWord(rest); isElse(first) { // "or else"
			rest = more
		}
		if r.close(); len(r.Blocks) == MaxBlocks {
			r.fail(line, TooMany, "")
			return
		}
		r.line(strings.TrimLeft(rest, ",:： "))
		return
	}
	if _, ok := isGuard(line); ok {
		r.guards(line)
		return
	}
	items := readLine(r.n, line)
	if len(items) == 0 { // barred behind a guard, or nothing but marks
		return
	}
	for i := range items {
		it := &items[i]
		if it.Clause != nil {
			it.Word = Word{} // "decline" can only be an order here
			r.clauses++
		} else if it.Problem == nil {
			it.Problem, it.Word = &Problem{Code: PlanWord, Line: r.n, Text: it.Text, Word: it.Word.Kind.String()}, Word{}
		}
	}
	if r.clauses > MaxClauses {
		r.fail(line, TooMany, "")
		return
	}
	r.Lines = append(r.Lines, items...)
	r.block.Orders = append(r.block.Orders, clip(strings.ToValidUTF8(line, "\ufffd"), MaxLine))
}

func isElse(word string) bool {
	switch Key(word) {
	case "else", "otherwise", "or":
		return true
	}
	return false
}

func (r *planReader) guards(line string) {
	if len(r.block.Orders) > 0 {
		r.fail(line, LateGuard, "")
		return
	}
	guards, rest, word, ok := readGuards(line)
	if !ok || len(line) > MaxLine {
		code, none := missing(line)
		if code != "" {
			word = none
		}
		r.fail(line, cmp.Or(code, BadGuard), word)
		return
	}
	if r.block.Guards = append(r.block.Guards, guards...); len(r.block.Guards) > MaxGuards {
		r.fail(line, TooMany, "")
		return
	}
	for i := range guards {
		r.Lines = append(r.Lines, Item{Line: r.n, Text: guards[i].String(), Guard: &guards[i]})
	}
	r.line(rest)
}
