package order

import "strings"

// An Ahead is what stands below a line `plan`: orders for a turn to come, in
// blocks of which the first will be played that can be. It goes on to a line
// `end plan` or the letter's end, whatever lies between: what was meant for
// later is never played now.
type Ahead struct {
	Blocks []Block
	Lines  []Item // every line of it, in order: Guards, Clauses and Problems
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

// Text is the plan as the lines of a letter, without the first; guards are
// canonical.
func (a *Ahead) Text() (out []string) {
	for i, b := range a.Blocks {
		if i > 0 {
			out = append(out, "else")
		}
		for _, g := range b.Guards {
			out = append(out, g.String())
		}
		out = append(out, b.Orders...)
	}
	return out
}

// ReadAhead reads what Text has written.
func ReadAhead(lines []string) *Ahead {
	var w Word
	var l Letter
	l.readPlan(&w, "", append([]string{"plan"}, lines...), 0)
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

// readPlan reads the plan that line i begins, of which rest stands behind the
// word, and returns the index of its last line. w has none if there is nothing
// of it.
func (l *Letter) readPlan(w *Word, rest string, lines []string, i int) int {
	r := planReader{n: i + 1}
	rest = strings.TrimLeft(rest, ":： ")
	for _, filler := range []string{"for", "my", "the", "next", "coming", "turn"} {
		if first, more := cutWord(rest); Key(first) == filler {
			rest = trim(strings.TrimLeft(more, ":： "))
		}
	}
	r.line(rest)
	signed := false
	for i++; i < len(lines); i++ {
		r.n = i + 1
		line := lines[i]
		switch {
		case r.n > MaxLines:
			r.fail(line, TooMany, "")
			i = len(lines)
		case Barred(line):
			l.Barred = append(l.Barred, r.n)
		case trim(cutComment(line)) == "":
		case ends(line):
			i++
			r.close()
			return r.give(w, i-1)
		default:
			if l.passes(lines, r.n, readLine(r.n, line), &signed) {
				continue
			}
			r.line(line)
		}
	}
	r.close()
	return r.give(w, min(i, len(lines))-1)
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

func (r *planReader) give(w *Word, last int) int {
	if r.some {
		w.Ahead = &r.Ahead
	}
	return last
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

// line reads a line, or the rest of one behind `else` or a guard.
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
		r.fail(line, BadGuard, word)
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
