package order

import (
	"slices"
	"strings"

	"angelpost/engine"
)

// A Letter is what a player's lines say, in the order written.
type Letter struct {
	Items    []Item
	Barred   []int  // lines after a | or a quote mark, from 1: ignored
	Unticked []Item // ignored lines with a box that is not ticked: Line, and Text without the box
	Back     int    // the first line that takes back or refuses but is not an order, 0 if there is none
	// Strange has the paragraphs below the orders, as keys, whose unknown words are the
	// only reason why Items have a `Beside`. If the writer's earlier letters had them too,
	// they are a signature: see Familiar.
	Strange []string

	// No is the line of a lone "no" next to the orders, in any language, if it is the only
	// thing that doubts them. 0: there is none.
	No     int
	Passed []int // greetings, closings, names and prose around the orders, from 1: skipped
}

// An Item is one thing a letter says: exactly one of a Word, a Clause, a Guard or a
// Problem. Only "decline" is both a Word and a Clause, and the game decides which. Guards
// occur only in an Ahead.
type Item struct {
	Line    int    // from 1
	Last    int    // of a message that goes on below Line: its last line; else 0
	Text    string // as written, at most MaxLine bytes
	Word    Word   // Kind NoWord if it is none
	Clause  *Clause
	Guard   *Guard
	Problem *Problem
	Doubt   Doubt    // why it may not be meant, so that we ask the writer first; "" no doubt
	Meant   []string // of DoubtTypo: the lines that it was probably meant for
	// `Beside` quotes what else the letter says that is not harmless (remark.go): ask
	// before a step that cannot be undone and, with DoubtBeside, before any step. "" if
	// there is nothing.
	Beside string
}

// ReadLetter reads the text of a letter as its author wrote it, empty lines included
// (package mail/letter's Text). Lines that begin with Perhaps, Unseen or Behind are in
// doubt (doubted.go). Words and steps may come in any order. names are the author's names:
// with them the author may sign the letter.
func ReadLetter(lines []string, names ...string) Letter {
	r := letterReader{lines: lines}
	for _, n := range names {
		n = Key(n)
		first, _, _ := strings.Cut(n, " ")
		r.names = append(r.names, n, first)
	}
	r.read()
	r.place()
	r.askDoubted()
	return r.Letter
}

// Says reports whether a letter's text has an order or a word that is not in doubt.
func Says(lines []string) bool {
	return slices.ContainsFunc(ReadLetter(lines).Items, func(it Item) bool {
		return it.Doubt == "" && it.Problem == nil && (it.Clause == nil || it.Clause.Readable())
	})
}

// ReadLines reads lines that are only orders, as a program writes them: they have no
// courtesies or prose, and none is in doubt.
func ReadLines(lines []string) Letter {
	r := letterReader{lines: lines, bare: true}
	r.read()
	for _, p := range r.passages {
		r.Items = append(r.Items, p.items...)
	}
	return r.Letter
}

// A letterReader reads a letter in two passes: first what each line is, then what it may
// mean in its place (place.go).
type letterReader struct {
	Letter
	lines    []string
	names    []string // keys of the author's names, and of their first words
	bare     bool
	copied   bool // lines is a copy, without the text that is not part of an order
	passages []passage
	doubted  []Item // of lines with a mark, except those after a |
	behind   []Item // of these
	empty    bool   // an empty line was passed since the last passage
	gap      bool   // and so was quotation
	clauses  int
	ends     []int // by line: the next one that ends a message; 0 unknown
	tries    int   // lines for which a mistyped word was looked for
	plans    int   // that we corrected, or could not correct
	ruled    int   // the passage below the first line of dashes, 0 if there is none
	harmless bool  // what the letter says besides orders says nothing against them
}

// add adds a passage that begins with line i.
func (r *letterReader) add(i int, what what, items ...Item) *passage {
	r.passages = append(r.passages, passage{line: i + 1, what: what, items: items, apart: r.empty, gap: r.gap})
	r.empty, r.gap = false, false
	return &r.passages[len(r.passages)-1]
}

// reads makes the pass read line i as rest, what is left of it.
func (r *letterReader) reads(i int, rest string) {
	if !r.copied {
		r.copied, r.lines = true, slices.Clone(r.lines)
	}
	r.lines[i] = rest
}

// fail adds a line that is not allowed.
func (r *letterReader) fail(i int, code, word string) *passage {
	text := clip(trim(r.lines[i]), MaxLine)
	return r.add(i, faulty, Item{Line: i + 1, Text: text, Problem: &Problem{Code: code, Line: i + 1, Text: text, Word: word}})
}

// read is the first pass.
func (r *letterReader) read() {
	var game *Item // the new game whose options may follow
	texts := 0     // lines that are not empty
	for i := 0; i < len(r.lines); i++ {
		n, line := i+1, r.lines[i]
		switch {
		case trim(line) == ">": // the author did not write the text that was there
			r.gap = true
			continue
		case r.unsure(n, line):
			continue
		case Barred(line):
			r.Barred = append(r.Barred, n)
			continue
		case trim(line) == "":
			r.empty = true
			continue
		case trim(cutComment(line)) == "":
			continue
		}
		if r.unticks(i) {
			continue
		}
		line = r.lines[i]
		if texts++; texts > MaxLines {
			r.fail(i, TooMany, "")
			return
		}
		key, value, ok := option(line)
		if !(ok && game != nil) && !r.bare && longProse(line) {
			game = nil
			r.add(i, prose).long = true
			continue
		}
		if ok && (game != nil || key != "name" && key != "rules") {
			if game == nil {
				r.fail(i, LostLine, key).what = deciding
				continue
			}
			parts := []string{value}
			for key == "players" && i+1 < len(r.lines) && i+1 < MaxLines && continues(parts[len(parts)-1], r.lines[i+1]) {
				i++
				parts = append(parts, r.lines[i])
			}
			if p := game.Word.Game.set(key, strings.Join(parts, " ")); p != nil {
				p.Line, p.Text = n, clip(line, MaxLine)
				game.Word.Game.Bad = true
				r.add(n-1, whole, Item{Line: n, Text: p.Text, Problem: p})
			}
			continue
		}
		game = nil
		if id, rest, ok := cutGame(line); ok {
			r.add(i, preceding, Item{Line: n, Text: clip(trim(line), MaxLine), Word: Word{Kind: InGame, Name: id}})
			if rest == "" {
				continue
			}
			line = rest
			r.reads(i, rest)
		}
		if !r.bare {
			if r.courtesy(i) {
				continue
			}
			if key := Key(line); key == "ps" || key == "p s" || key == "pps" || key == "p p s" {
				r.add(i, closing)
				continue
			}
			if !begins(line) && takesBackLine(line) || isSaying(line) { // "ignore that" does not mean a player called That
				r.add(i, prose)
				continue
			}
			if rest, ok := heading(line); ok {
				if trim(rest) == "" {
					r.add(i, prose)
					continue
				}
				line = rest
			}
		}
		if !r.bare && r.plans < maxPlans && nearly(Key(line), Plan.String()) {
			if last := r.planTyped(i); last > i {
				i = last
				continue
			}
		}
		if w, _, ok := ReadWord(line); ok && w.Kind == Plan {
			item := Item{Line: n, Text: clip(trim(line), MaxLine), Word: w}
			last := i
			if w.Arg == "" {
				item.Word.Text = ""
				last = r.readPlan(&item.Word, w.Text, i)
				if a := item.Word.Ahead; !r.bare && a != nil && a.Problem() >= 0 {
					r.meanPlan(&item, a)
				}
			}
			p := r.add(i, planning, item)
			p.sure = last > i || item.Word.Ahead == nil || item.Word.Ahead.sure()
			i = last
			continue
		}
		if w, p, ok := ReadWord(line); ok && vocables[w.Kind].line {
			item := Item{Line: n, Text: clip(trim(line), MaxLine), Word: w, Problem: p}
			kind := deciding
			if vocables[w.Kind].asks {
				kind = asking
			}
			switch vocables[w.Kind].below {
			case file:
				item.Word.Text, i = fileBelow(r.lines, i)
				kind = whole
			case options:
				kind = whole
			case text:
				i = r.message(&item, i)
				item.Last = i + 1
				kind = message
			case reason:
				kind = whole
				if p == nil {
					i = r.reason(&item, i)
				}
			}
			if item.Problem != nil {
				item.Word, item.Problem.Line = Word{}, n
			}
			added := r.add(n-1, kind, item)
			if added.sure = true; w.Kind == NewGame && item.Problem == nil {
				game = &added.items[0]
			}
			continue
		}
		if !r.bare {
			if rest, ok := cutListed(line); ok {
				line = rest
			}
		}
		items := readLine(n, line)
		aside := ""
		if !r.bare && !readable(items) {
			if said, note, ok := said(n, line); ok {
				items, aside = said, note
			}
		}
		if !r.bare {
			if said, ok := r.wrapped(i, line, readable(items)); ok {
				items = said
				i++
			}
		}
		if len(items) == 0 && (strings.ContainsAny(line, hesitant+questionMarks+"…") || strings.HasPrefix(trim(line), "...")) {
			r.add(i, prose)
			continue
		}
		if len(items) == 0 { // nothing but marks
			if r.ruled == 0 && len(trim(line)) > 1 && strings.Trim(trim(line), "-_—–=*~ ") == "" {
				r.ruled = len(r.passages)
			}
			continue
		}
		if first, rest := cutWord(line[opening(line):]); isElse(first) && Key(first) != "or" && (r.bare || trim(rest) == "" || readable(readLine(n, rest))) {
			r.fail(i, LostElse, "")
			continue
		} else if r.bare && guards(line) || guardLike(line) {
			r.fail(i, LateGuard, "")
			continue
		}
		p := r.add(n-1, ordering, items...)
		p.judge(line)
		if p.aside = aside; aside == "" && p.what == ordering && strings.ContainsAny(line, hesitant) {
			p.aside = line
		}
		for _, it := range items {
			if it.Clause != nil && p.what != prose {
				r.clauses++
			}
		}
		if r.clauses > MaxClauses {
			r.passages = r.passages[:len(r.passages)-1]
			r.fail(i, TooMany, "")
			return
		}
	}
}

// wrapped reads line i together with the next one if a mail program broke an order in two:
// "card 062 at" and "row 3". whole says that line i can be read alone. The next one must
// not be readable alone, unless line i ends with a word that needs a continuation.
func (r *letterReader) wrapped(i int, line string, whole bool) ([]Item, bool) {
	if i+1 >= len(r.lines) || len(line)+len(r.lines[i+1]) > MaxLine {
		return nil, false
	}
	next := r.lines[i+1]
	if trim(next) == "" || Barred(next) || strings.HasPrefix(next, Perhaps) || opening(next) > len(next)-len(strings.TrimLeft(next, " \t")) {
		return nil, false
	}
	toks := lex(line)
	if len(toks) == 0 {
		return nil, false
	}
	last := toks[len(toks)-1]
	hangs := last.kind == wordTok && (prepositions[last.s] && last.s != "a" || sides[last.s] && len(last.s) > 1)
	first, _ := cutWord(next)
	if key := Key(first); provided(next) || !hangs && (!sides[key] && !prepositions[key] || key == "a") && whole || !hangs && readable(readLine(1, next)) {
		return nil, false
	}
	if _, _, ok := ReadWord(next); ok {
		return nil, false
	}
	glues := []string{" ", ""}
	if whole {
		glues = glues[:1]
	}
	for _, glue := range glues {
		joined := trim(line) + glue + trim(next)
		if items := readLine(i+1, joined); len(items) == 1 && readable(items) && items[0].Clause != nil && items[0].Clause.sure {
			return items, true
		}
	}
	return nil, false
}

// planTyped reads the plan below line i, a misspelled `plan`, and returns the plan's last
// line; i if there is none, or one that cannot be read.
func (r *letterReader) planTyped(i int) (last int) {
	passed, barred, left := len(r.Passed), len(r.Barred), len(r.Unticked)
	item := Item{Line: i + 1, Text: clip(trim(r.lines[i]), MaxLine), Word: Word{Kind: Plan}}
	last = r.readPlan(&item.Word, "", i)
	if a := item.Word.Ahead; a == nil || last == i || !r.meanPlan(&item, a) {
		r.Passed, r.Barred, r.Unticked = r.Passed[:passed], r.Barred[:barred], r.Unticked[:left]
		return i
	}
	r.add(i, planning, item).sure = true
	return last
}

// meanPlan turns an item into a mistyped plan if it is clear what the writer meant.
func (r *letterReader) meanPlan(it *Item, a *Ahead) bool {
	below, ok := a.below, true
	if r.plans++; a.Problem() >= 0 {
		if ok = r.plans <= maxPlans; ok {
			below, ok = mendPlan(a.below)
		}
	}
	if ok {
		it.Doubt, it.Meant = DoubtTypo, append([]string{Plan.String()}, below...)
	}
	return ok
}

// reason adds the lines that continue the reason of a ruling or a direction, and returns
// the last of them.
func (r *letterReader) reason(item *Item, i int) (last int) {
	why := &item.Word.Rule.Reason
	if item.Word.Kind == Direct {
		why = &item.Word.Text
	}
	lines := []string{*why}
	for i+1 < len(r.lines) && i+1 < MaxLines && goesOn(r.lines[i+1]) {
		i++
		lines = append(lines, trim(r.lines[i]))
	}
	if *why = strings.Join(lines, " "); len(*why) > MaxReason {
		item.Problem = &Problem{Code: LongText, Line: item.Line, Text: item.Text}
	}
	return i
}

// courtesy skips a greeting, a closing, the author's name, and the fences of a list that
// lost their bars.
func (r *letterReader) courtesy(i int) bool {
	line := r.lines[i]
	opens, closes := courtesy(line)
	switch {
	case (opens || closes) && saysB(line, r.names):
		return false
	case closes:
		r.add(i, closing)
	case opens:
		r.add(i, greeting)
	case marks[Key(line)] && !strings.HasSuffix(trim(line), ":"):
		r.Passed = append(r.Passed, i+1) // nothing else: what it fences stays together
	case called(line, r.names) && !readable(readLine(1, line)):
		r.add(i, name)
	default:
		return false
	}
	return true
}

// saysB reports whether a courtesy is a sentence before the order B: "Thanks! B". Bob signs
// "Thanks, B".
func saysB(line string, names []string) bool {
	head, ok := strings.CutSuffix(strings.TrimRight(trim(line), ".! "), "B")
	head = strings.TrimRight(head, " ")
	return ok && head != "" && strings.ContainsAny(head[len(head)-1:], "!.") && !initials("B", names)
}

// readable reports whether there are items and all of them can be read.
func readable(items []Item) bool {
	return len(items) > 0 && !slices.ContainsFunc(items, func(it Item) bool { return it.Problem != nil || it.Clause != nil && !it.Clause.Readable() })
}

// longProse reports whether a line is prose because of its length: it is longer than orders
// may be, and does not begin like an order, a message, a plan or a ruling. Disclaimers are
// such lines.
func longProse(line string) bool {
	if len(line) <= MaxLine {
		return false
	}
	switch w, p, ok := ReadWord(line); {
	case !ok:
	case w.Kind == Say, w.Kind == Note, w.Kind == Announce:
		return p != nil && p.Code == NoColon
	case w.Kind == Rule:
		return w.Rule.Game == ""
	case w.Kind == Direct:
		return p != nil && p.Code != NoReason && p.Code != LongText
	case w.Kind == Plan:
		line = w.Text
	default: // of few words: maybe a name that is too long, which we report
		return len(wordsIn(line)) > maxCourtesy
	}
	return !startsOrder(line)
}

// goesOn reports whether a line can only continue the prose above it: mail clients wrap
// long lines.
func goesOn(line string) bool {
	if trim(line) == "" || Barred(line) || isMarked(line) {
		return false
	}
	if _, _, ok := ReadWord(line); ok {
		return false
	}
	if _, _, ok := option(line); ok {
		return false
	}
	opens, closes := courtesy(line)
	return !opens && !closes && !slices.ContainsFunc(readLine(1, line), func(it Item) bool { return it.Problem != nil || it.Clause == nil || it.Clause.Readable() })
}

// readLine reads a line of orders and words without arguments. If a part of it cannot be
// read, none of its orders count.
func readLine(n int, line string) (items []Item) {
	if len(line) > MaxLine {
		for _, c := range Expand(line) { // one, or none where it is barred
			c.Line = n
			items = append(items, Item{Line: n, Text: c.Text, Clause: &c})
		}
		return items
	}
	parts := partsOf(cutComment(line), func(r rune) bool { return r == ';' || r == '；' })
	for k, part := range parts {
		w, p, ok := ReadWord(part)
		if ok {
			it := Item{Line: n, Text: clip(trim(part), MaxLine), Word: w, Problem: p}
			if p != nil {
				it.Word, p.Line = Word{}, n
			} else if w.Kind == Refuse {
				it.Clause = &Expand("decline")[0]
				it.Clause.Line, it.Clause.Text = n, it.Text
			}
			items = append(items, it)
			continue
		}
		for _, c := range Expand(part) {
			if c.Line = n; !c.Readable() {
				c.Text = clip(trim(line), MaxLine)
				for j := range parts { // next to an order, prose is not an order
					c.like = c.like || j != k && says(parts[j])
				}
				return []Item{{Line: n, Text: c.Text, Clause: &c}}
			}
			items = append(items, Item{Line: n, Text: c.Text, Clause: &c})
		}
	}
	return items
}

// says reports whether a part of a line is a step other than Done.
func says(part string) bool {
	cs := Expand(part)
	return len(cs) > 0 && !slices.ContainsFunc(cs, func(c Clause) bool { return !c.Readable() || c.idle() })
}

// option reads "key: value" with one of new game's keys.
func option(line string) (key, value string, ok bool) {
	line = trim(line[opening(line):])
	i := strings.IndexAny(line, ":：")
	if i < 0 {
		return "", "", false
	}
	switch key = Key(line[:i]); key {
	case "player":
		key = "players"
	case "players", "rules", "edition", "hal", "set", "visibility", "hints", "clock", "seats", "name":
	default:
		return "", "", false
	}
	return key, trim(strings.TrimLeft(line[i:], ":： ")), true
}

// continues reports whether a line continues the list of players that ends in value: mail
// clients wrap long lines.
func continues(value, next string) bool {
	if _, _, ok := option(next); ok || trim(next) == "" || Barred(next) || isMarked(next) {
		return false
	}
	return strings.HasSuffix(strings.TrimRight(trim(value), " "), ",") || strings.HasPrefix(trim(next), ",")
}

// set sets one option. If a key occurs more than once, the last line counts.
func (o *Options) set(key, value string) *Problem {
	bad := &Problem{Code: BadOption, Word: key}
	pick := func(to *string, values ...string) *Problem {
		v := choice(cutComment(value), values...)
		if v == "" {
			return bad
		}
		*to = v
		return nil
	}
	switch key {
	case "players":
		var players []string
		for _, part := range partsOf(value, func(r rune) bool { return r == ',' || r == ';' || r == '，' }) {
			if trim(part) == "" {
				continue
			}
			if v := trim(part); len(v) == 1 && v[0] >= '2' && v[0] <= '4' {
				return &Problem{Code: SeatsOption, Word: v}
			}
			a := address(part)
			if players = append(players, a); a == "" || len(players) > MaxPlayers {
				return &Problem{Code: BadOption, Word: clip(trim(part), MaxName)}
			}
		}
		if len(players) == 0 {
			return bad
		}
		o.Players = players
	case "rules":
		return pick(&o.Rules, "base", "advanced")
	case "edition":
		return pick(&o.Edition, "revised", "first")
	case "hal":
		p := pick(&o.Hal, "easy", "standard", engine.Difficult, "extreme", "hard")
		o.Hal = engine.LevelNamed(o.Hal).String()
		return p
	case "visibility":
		return pick(&o.Visibility, "private", "unlisted", "listed")
	case "hints":
		return pick(&o.Hints, "yes", "no")
	case "seats":
		v := trim(cutComment(value))
		if len(v) != 1 || v[0] < '2' || v[0] > '4' {
			return bad
		}
		o.Seats = int(v[0] - '0')
	case "clock":
		v := trim(cutComment(value))
		if v == "" || len(v) > MaxName {
			return bad
		}
		o.Clock = v
	case "set":
		v := trim(cutComment(value))
		if v == "" || len(v) > MaxName || strings.Trim(strings.ToLower(v), "abcdefghijklmnopqrstuvwxyz0123456789-") != "" {
			return bad
		}
		o.Set = v
	case "name":
		if value == "" || len(value) > MaxName {
			return bad
		}
		o.Name = value
	}
	return nil
}
