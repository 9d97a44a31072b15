package order

import (
	"slices"
	"strings"

	"angelpost/engine"
	"angelpost/engine/component"
)

// Messages: say, note, announce. A text that begins on the word's own line continues below
// it, because mail programs wrap long lines: up to an empty line or the first line that
// reads as an order. If the word is alone on its line, and a line "end" follows further
// down, the text is everything between them.

// message adds its text to a say, a note or an announcement at line i, and
// returns the text's last line.
func (r *letterReader) message(item *Item, i int) (last int) {
	w, n := &item.Word, i+1
	var text []string
	size := len(w.Text)
	take := func(line string) {
		if size += len(line) + 1; size <= MaxText {
			text = append(text, line)
		}
	}
	if w.Text != "" {
		text = append(text, w.Text)
	}
	if end := r.end(i); w.Text == "" && item.Problem == nil && end > 0 {
		for i++; i < end; i++ {
			if line := r.lines[i]; Barred(line) || isMarked(line) {
				take("")
			} else {
				take(trim(line))
			}
		}
	} else {
		for i+1 < len(r.lines) && size <= MaxText && r.goesOn(r.lines[i+1]) {
			i++
			take(trim(r.lines[i]))
		}
	}
	w.Text = strings.Trim(strings.Join(text, "\n"), "\n ")
	switch {
	case item.Problem != nil:
	case size > MaxText:
		item.Problem = &Problem{Code: LongText, Line: n, Text: item.Text}
	case w.Text == "":
		item.Problem = &Problem{Code: NoText, Line: n, Text: item.Text}
	}
	return i
}

// end is the line that ends a text begun at line i, 0 if there is none before
// another message begins.
func (r *letterReader) end(i int) int {
	if r.ends == nil {
		r.ends = make([]int, len(r.lines))
		for k := len(r.lines) - 1; k > 0; k-- {
			switch line := r.lines[k]; {
			case len(line) > MaxLine:
			case endsText[Key(line)]:
				r.ends[k-1] = k
				continue
			case begins(line):
				continue
			}
			r.ends[k-1] = r.ends[k]
		}
	}
	return r.ends[i]
}

var endsText = map[string]bool{"end": true, "end say": true, "end message": true, "end note": true, "end announce": true, "end announcement": true, "end of message": true}

// begins reports whether a line begins a message, with the colon it needs.
func begins(line string) bool {
	w, p, ok := ReadWord(line)
	return ok && p == nil && (w.Kind == Say || w.Kind == Announce || w.Kind == Note && strings.ContainsAny(line, ":："))
}

// goesOn reports whether a line continues the message above it.
func (r *letterReader) goesOn(line string) bool {
	if trim(line) == "" || Barred(line) || len(line) > MaxText || isMarked(line) {
		return false
	}
	opens, closes := courtesy(line)
	if opens || closes || called(line, r.names) || marks[Key(line)] {
		return !marks[Key(line)]
	}
	if ReadsAsOrder(line) {
		return false
	}
	if _, rest, ok := cutGame(line); ok && rest == "" {
		return false
	}
	items := readLine(1, line)
	if !readable(items) {
		return true
	}
	// A word alone on its line ends it: "status", but not "name of the game".
	return !lone(line) && !slices.ContainsFunc(items, func(it Item) bool { return it.Clause != nil || it.Word.Kind == NewGame })
}

// ReadsAsOrder reports whether a line of a message reads as orders, as a plan or as another
// message: its readers would learn the writer's intentions. A "no" or "done" reveals
// nothing, and a question is not an order.
func ReadsAsOrder(line string) bool {
	line = trim(line)
	if line == "" || strings.ContainsAny(line, "?？") {
		return false
	}
	if len(line) > MaxLine { // a list of orders is one as far as it goes
		line = clip(line, MaxLine)
		return ReadsAsOrder(line[:max(strings.LastIndexAny(line, ";,"), 0)])
	}
	if guards(line) || begins(line) {
		return true
	}
	w, p, ok := ReadWord(line)
	switch {
	case !ok || p != nil:
	case w.Kind == Always:
		return true
	case w.Kind == Plan:
		rest := trim(strings.TrimLeft(w.Text, ":："))
		for first, more := cutWord(rest); Key(first) == Plan.String(); first, more = cutWord(rest) {
			rest = trim(strings.TrimLeft(more, ":："))
		}
		return rest == "" && w.Arg == "" || guards(rest) || ReadsAsOrder(rest)
	}
	items := readLine(1, line)
	if len(items) == 1 && items[0].Clause != nil && !items[0].Clause.Readable() {
		c := items[0].Clause // nearly an order
		return c.like && c.few
	}
	if unspelled(line) && !initialB(line) { // "A." gives nothing away, "B." does
		return false
	}
	steps := 0
	for _, it := range items {
		if it.Problem != nil {
			return false
		}
		if it.Clause != nil && !it.Clause.idle() {
			steps++
		}
	}
	return steps > 0
}

// initialB reports whether the line says B, the one step that is a letter.
func initialB(line string) bool {
	return slices.ContainsFunc(lex(line), func(t tok) bool { return t.s == "b" })
}

// idle reports whether the clause only says to stop.
func (c Clause) idle() bool {
	return !slices.ContainsFunc(c.readings, func(r reading) bool { return r.step.Kind != engine.Done && r.step.Kind != engine.Decline })
}

// guards reports whether a line is made of conditions of a plan.
func guards(line string) bool {
	if _, ok := isGuard(line); !ok || len(line) > MaxLine {
		return false
	}
	_, _, _, ok := readGuards(line)
	return ok
}

// guardLike reports whether a line was meant as a condition: it is one, or an order follows
// its colon.
func guardLike(line string) bool {
	if _, ok := isGuard(line); !ok {
		return false
	}
	look(len(line))
	_, rest, _ := strings.Cut(strings.Replace(line, "：", ":", 1), ":")
	return guards(line) || trim(rest) != "" && readable(readLine(1, rest))
}

// CardsNamed returns the cards that a line names by their numbers: three digits as printed,
// or fewer after a word such as card.
func CardsNamed(line string) (out []engine.Card) {
	word := ""
	for _, t := range lex(strings.ReplaceAll(line, "#", " ")) {
		if t.kind == numTok && t.n >= 1 && t.n <= component.LastRaider && (t.digits == 3 || numbered[word]) {
			out = append(out, engine.Card(t.n))
		}
		word = t.s
	}
	return out
}

var numbered = words("card cards mission missions ravager ravagers play discard keep place m")
