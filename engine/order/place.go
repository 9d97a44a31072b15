package order

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// The meaning of a line depends on its place. "B" alone is an order that cannot be taken
// back; "B" below "Thanks," is how Bob signs. So each line of a letter has a place, and
// short lines are trusted in some places only:
//
//	place                                  short line   any other line
//	the only text, greetings apart         trusted      trusted
//	directly after orders, or before one
//	  that is not short                    trusted      trusted
//	after prose, a message or a word       in doubt     trusted
//	last, an empty line before it, and
//	  nothing spelled out                  in doubt
//	last, and the author's initial         in doubt
//	below the letter's closing             in doubt     in doubt
//	  and the author's initial             a signature
//	`name` next to prose, or with
//	  more after it than a name            in doubt     in doubt
//	in a sentence that asks, denies,
//	  supposes or tells (prose.go)         in doubt     in doubt
//
// A line is short if it says no more than a letter, a number or a word, or nothing spelled
// out ("di green"): see sure. A line in doubt is never obeyed before we have asked its
// writer. Lines that may be quotation (Perhaps) are always in doubt. Words that change
// nothing never are.
//
// Prose above the first order and below the last is skipped, unless it looks like a
// misspelled order: we always report that. We also report, once, text directly below a
// message or an order. remark.go weighs what prose says about the orders.
//
// A line longer than MaxLine, such as a disclaimer, is prose in any place, and keeps no
// order from being played, unless it begins with an order (longProse).

// A Doubt is why a line may not have been meant: the code of a Problem.
type Doubt string

// The doubts.
const (
	DoubtClosing Doubt = "doubt-closing" // it is below a closing
	DoubtProse   Doubt = "doubt-prose"   // after prose
	DoubtMessage Doubt = "doubt-message" // after a message or a note
	DoubtWord    Doubt = "doubt-word"    // after words that are not orders
	DoubtName    Doubt = "doubt-name"    // it may be a person's name or initials
	DoubtQuoted  Doubt = "doubt-quoted"  // it may be quotation
	DoubtUnseen  Doubt = "doubt-unseen"  // its text has the colour of its background
	DoubtBar     Doubt = "doubt-bar"     // it came after a |
	DoubtHedged  Doubt = "doubt-hedged"  // its sentence asks, denies, supposes or tells
	DoubtTypo    Doubt = "doubt-typo"    // it is mistyped: Item.Meant has what it was probably meant for
	DoubtGame    Doubt = "doubt-game"    // it is for another game than the letter it answers, so its writer may not know the position there
	DoubtBeside  Doubt = "doubt-beside"  // the letter takes it back, doubts it or puts it off: `Item.Beside`
)

// what a passage of a letter is.
type what uint8

const (
	ordering  what = iota // steps, undo
	planning              // a plan with its lines
	deciding              // a word that changes something
	asking                // a word that does not
	message               // say, note, announce, with the text
	whole                 // a word with its own lines below it: never in doubt
	faulty                // unreadable, but meant for an order
	prose                 // unreadable
	greeting              //
	closing               //
	name                  // the author's
	preceding             // preview: a separate letter follows it
)

// A passage is a line of a letter, or several that belong together.
type passage struct {
	line  int // the first, from 1
	what  what
	items []Item
	sure  bool   // it is not short
	bare  bool   // it has no word spelled out
	long  bool   // prose that is longer than any order
	near  bool   // prose of one word that is nearly a verb
	brief bool   // prose of a few words that is not a sentence or a name
	terms bool   // one of these few words is a word of orders
	comma bool   // it ends with a comma
	apart bool   // an empty line precedes it
	gap   bool   // quotation precedes it
	aside string // a remark in parentheses after it
	typed bool   // its items are what it was probably mistyped for
}

// judge determines the kind of a passage whose line was read as orders and words.
func (p *passage) judge(line string) {
	p.comma = strings.HasSuffix(trim(line), ",")
	p.what = asking
	for _, it := range p.items {
		c := it.Clause
		switch {
		case c != nil && !c.Readable():
			p.what, p.near, p.brief = prose, c.near || sounds(line), brief(line)
			p.terms = p.brief && hasTerms(line)
			if c.like || heads(Key(line)) || beginsOrder(line) {
				p.what, p.sure = faulty, true
			}
			return
		case c != nil, it.Word.Kind == Undo:
			p.what = ordering
			p.sure = p.sure || c != nil && c.sure
		case p.what == ordering:
		case it.Word.Kind == Preview && len(p.items) == 1:
			p.what = preceding
		case it.Problem != nil || it.Word.Changes():
			p.what = deciding
			p.sure = p.sure || !lone(line)
		}
	}
	p.bare = unspelled(line)
}

// heads reports whether a line is nearly a word that changes the meaning of the orders
// around it, so that they must not be played as if the line were prose.
func heads(key string) bool {
	return nearly(key, Preview.String()) || nearly(key, Plan.String()) || len(key) > 3 && nearly(key, Undo.String())
}

// brief reports whether a line is as short as most orders, and written like them: without a
// capital and a full stop.
func brief(line string) bool {
	line = trim(line[opening(line):])
	first, _ := utf8.DecodeRuneInString(line)
	last, _ := utf8.DecodeLastRuneInString(line)
	return unicode.IsLower(first) && len(wordsIn(line)) <= 4 && !strings.ContainsRune(".!?:;,…)”", last)
}

// lone reports whether a line is one word, said politely or not.
func lone(line string) bool {
	ws := wordsIn(Key(cutComment(line)))
	return len(slices.DeleteFunc(ws, func(w string) bool { return w == "please" || w == "thanks" })) < 2
}

// sure reports whether a plan says too much to be a short line.
func (a *Ahead) sure() bool {
	return slices.ContainsFunc(a.Lines, func(it Item) bool { return it.Guard != nil || it.Clause != nil && it.Clause.sure })
}

// place is the second pass: it decides which items are in doubt, skips prose, and collects
// the items.
func (r *letterReader) place() {
	ps := r.passages
	end := r.signed()
	for i := range ps[:min(end, len(ps))] {
		r.mend(i)
	}
	first, last, read := len(ps), -1, false
	rs := runs(ps)
	for i := range ps {
		r.doubt(i, end, rs)
	}
	said := r.weighed(end)
	if r.harmless = said.worst == harmless; r.harmless {
		for i := range ps { // checked again: harmless prose does not require a question
			if p := &ps[i]; p.what <= deciding && (p.items[0].Doubt == DoubtProse || p.items[0].Doubt == DoubtClosing || p.items[0].Doubt == DoubtHedged) {
				for k := range p.items {
					p.items[k].Doubt = ""
				}
				r.doubt(i, end, rs)
			}
		}
	}
	for i := range ps {
		p := &ps[i]
		if p.what <= planning && p.items[0].Doubt == "" {
			first, last = min(first, i), i
		}
		read = read || p.what <= whole
	}
	none := last < 0 && !r.resigns()
	over := func(i int) bool { // prose that is passed over
		p := &ps[i]
		return p.what == prose && (p.long || read && !r.tried(i, none) && (i < first || i > last))
	}
	for i := 0; i < len(ps); i++ {
		p := &ps[i]
		switch {
		case p.what >= greeting && p.what != preceding, // all of it below a closing, but what can be an order
			i > end && p.what == deciding && p.items[0].Problem != nil,
			p.what == prose && i > end:
			r.Passed = append(r.Passed, p.line)
			continue
		case i > end && p.what == faulty && p.items[0].Problem == nil:
			p.items = []Item{r.told(p.line, Unread)}
		case over(i):
			switch {
			case i > 0 && ps[i-1].what == message:
				r.Items = append(r.Items, r.told(p.line, Unsaid))
			case last >= 0 && i == last+1 && !p.apart && len(p.items) > 0:
				r.Items = append(r.Items, r.told(p.line, NoOrder))
			default:
				r.Passed = append(r.Passed, p.line)
			}
			for i+1 < len(ps) && over(i+1) { // said once
				i++
				r.Passed = append(r.Passed, ps[i].line)
			}
			continue
		}
		r.Items = append(r.Items, p.items...)
	}
	slices.Sort(r.Passed)
	r.beside(said)
}

// `mend` makes passage i an item in doubt if it is a mistyped word that changes something: a
// separate line of prose, or a word that cannot be read.
func (r *letterReader) mend(i int) {
	ps := r.passages
	p := &ps[i]
	switch {
	case p.what == prose && !p.long && (i == 0 || p.apart || ps[i-1].what != prose) && (i+1 == len(ps) || ps[i+1].apart || ps[i+1].what != prose):
	case p.what == deciding && len(p.items) == 1 && p.items[0].Problem != nil:
	case p.what == faulty && len(p.items) == 1 && p.items[0].Clause != nil:
	default:
		return
	}
	if r.tries++; r.tries > maxMistyped {
		return
	}
	if it, ok := mistyped(r.lines[p.line-1]); ok && !(vocables[it.Word.Kind].below != nothing && p.line < len(r.lines) && trim(r.lines[p.line]) != "") {
		// Without the lines below it the word would say less than was meant.
		it.Line = p.line
		*p = passage{line: p.line, what: deciding, items: []Item{it}, sure: true, apart: p.apart, gap: p.gap, typed: true}
	}
}

// signed returns the index of the closing above the signature, len(passages) if there is
// none. A closing at the beginning of a letter, "Thanks for waiting!", closes nothing if
// orders follow it that cannot be a signature.
func (r *letterReader) signed() int {
	last := -1 // that cannot be a signature
	for i, p := range r.passages {
		if p.what <= planning && p.sure || p.what == message || p.what == whole || r.spelledAlone(i) {
			last = i
		}
	}
	something := false // above
	for i, p := range r.passages {
		if p.what == closing && (something || i > last) {
			return i
		}
		something = something || p.what <= faulty
	}
	return len(r.passages)
}

// A run tells which passages surround a passage.
type run struct {
	last       int  // the last of the orders that follow it directly, itself if there are none
	orders     int  // the first of the orders that it follows directly, itself if there are none
	ordersSure bool // one of them is sure
	words      int  // the first of the orders and words that it follows without an empty line
	wordsSure  bool
	belowSure  bool // one of the orders that follow it directly is sure
	names      int  // the first of the names and previews that it follows directly
	opens      bool // only greetings, names and previews are above it
	later      bool // only prose and names are below it
}

func (p passage) order() bool { return p.what <= planning || p.what == faulty }

// runs finds the run of each passage, in two walks.
func runs(ps []passage) []run {
	rs := make([]run, len(ps))
	for i := range ps {
		look(1)
		u := &rs[i]
		u.orders, u.words, u.names, u.opens = i, i, i, true
		if i == 0 {
			continue
		}
		above, before := ps[i-1], rs[i-1]
		sure := above.order() && above.sure
		if above.order() || above.what == preceding {
			u.orders, u.ordersSure = before.orders, before.ordersSure || sure
		}
		if above.what <= asking && !ps[i].apart {
			u.words, u.wordsSure = before.words, before.wordsSure || sure
		}
		if above.what == name || above.what == preceding {
			u.names = before.names
		}
		u.opens = before.opens && (above.what == greeting || above.what == name || above.what == preceding)
	}
	for i := len(ps) - 1; i >= 0; i-- {
		look(1)
		u := &rs[i]
		u.last = i
		if u.later = true; i+1 < len(ps) {
			below := ps[i+1]
			if below.order() {
				u.last = rs[i+1].last
			}
			u.belowSure = below.order() && (below.sure || rs[i+1].belowSure)
			u.later = rs[i+1].later && (below.what == prose || below.what == name)
		}
	}
	return rs
}

// doubt sets the reason why passage i may not be meant, if there is one. end is the index
// of the letter's closing.
func (r *letterReader) doubt(i, end int, rs []run) {
	ps := r.passages
	p := &ps[i]
	if p.what > deciding || p.items[0].Doubt != "" {
		return
	}
	set := func(d Doubt) {
		for k := range p.items {
			p.items[k].Doubt = d
		}
	}
	run := rs[i]
	signs := p.what == ordering && p.bare && run.later && initials(r.lines[p.line-1], r.names)
	switch {
	case i > end && signs:
		*p = passage{line: p.line, what: name}
		return
	case i > end:
		set(DoubtClosing)
		return
	}
	if r.hedge(run.orders, run.last) || p.what == deciding && asks(r.lines[p.line-1]) && p.items[0].Problem == nil ||
		p.what == ordering && (asks(r.lines[p.line-1]) || provided(strings.Replace(r.lines[p.line-1], p.aside, "", 1))) { // the aside is weighed
		set(DoubtHedged)
		return
	}
	if r.lostName(i) {
		set(DoubtProse)
		return
	}
	from, sure := run.orders, p.sure || run.ordersSure || run.belowSure
	if p.what == deciding {
		from, sure = run.words, p.sure || run.wordsSure || run.belowSure
	}
	if p.what == ordering && p.bare && from < i && (p.apart && run.later || signs) {
		set(DoubtName)
		return
	}
	if sure {
		return
	}
	if from = rs[from].names; rs[from].opens {
		if p.comma && p.bare && i+1 < len(ps) && ps[i+1].what == prose { // "Don," and then a sentence
			set(DoubtName)
		}
		return
	}
	if r.harmless && (r.spelledAlone(i) && !r.wraps(from) || ps[from-1].what == prose && !ps[from-1].long && r.isB(i) && !strings.HasSuffix(trim(r.lines[ps[from-1].line-1]), ",")) {
		return
	}
	switch ps[from-1].what {
	case closing:
		set(DoubtClosing)
	case message:
		set(DoubtMessage)
	case deciding, asking, whole:
		set(DoubtWord)
	default:
		set(DoubtProse)
	}
}

// spelledAlone reports whether passage i is one spelled-out word that is a complete order,
// and neither a name nor an answer: "pass".
func (r *letterReader) spelledAlone(i int) bool {
	p := &r.passages[i]
	if len(p.items) != 1 || p.items[0].Problem != nil {
		return false
	}
	line, _ := cutLeads(cutComment(r.lines[p.line-1]))
	key := Key(line)
	return p.what == ordering && !p.bare && len(key) > 3 && !stops[key] && isVerb(key) || p.what == deciding && p.items[0].Word.Kind == Resign && lone(line)
}

// isB reports whether passage i is B alone, and the author's known name does not have that
// initial.
func (r *letterReader) isB(i int) bool {
	line, _ := cutLeads(cutComment(r.lines[r.passages[i].line-1]))
	return slices.ContainsFunc(r.names, func(n string) bool { return n != "" }) && Key(line) == "b" && !slices.ContainsFunc(r.names, func(n string) bool {
		return strings.HasPrefix(n, "b") || strings.Contains(n, " b")
	})
}

// minWrapped is the least length, in bytes, of lines that a mail program wraps.
const minWrapped = 50

// wraps reports whether a mail program may have wrapped a sentence before passage i.
func (r *letterReader) wraps(i int) bool {
	above := r.lines[r.passages[i-1].line-1]
	return !r.passages[i].apart && len(above) >= minWrapped && runsOn(above)
}

// nameGoesOn are words that continue a sentence after "name"; a name begins with a capital
// letter.
var nameGoesOn = words("is of the you your a an that for")

// lostName reports whether passage i has the word `name` by chance: in a wrapped sentence,
// in a list or in a file. Any text can be a name, so the lines around it have to tell.
func (r *letterReader) lostName(i int) bool {
	p := &r.passages[i]
	k := slices.IndexFunc(p.items, func(it Item) bool { return it.Word.Kind == Name })
	if k < 0 {
		return false
	}
	odd := func(p *passage) bool {
		return p.what == prose || p.what == faulty || len(p.items) > 0 && (p.items[0].Doubt != "" || p.items[0].Problem != nil)
	}
	if i > 0 && !p.apart && odd(&r.passages[i-1]) || i+1 < len(r.passages) && !r.passages[i+1].apart && odd(&r.passages[i+1]) {
		return true
	}
	line, text := trim(r.lines[p.line-1]), p.items[k].Word.Text
	_, rest := cutWord(p.items[k].Text)
	first, more := cutWord(text)
	n := len(wordsIn(text))
	return strings.HasPrefix(line, "+") || strings.HasPrefix(line, "-") || strings.HasPrefix(strings.TrimLeft(rest, ": "), "=") ||
		n > 4 || n > 2 && strings.HasSuffix(text, ".") || strings.HasSuffix(text, "!") || strings.HasSuffix(text, "?") ||
		len(trim(more)) > 1 && nameGoesOn[first]
}

// tried reports whether passage i, which is prose, was nevertheless meant as an order: one
// word that is nearly a verb right above or below an order, or a few words that are not a
// sentence, in a letter without any order, or right below one and with a word of orders
// among them. none says that there is no order.
func (r *letterReader) tried(i int, none bool) bool {
	ps := r.passages
	below := i > 0 && (ps[i-1].what == ordering || ps[i-1].what == faulty) && !ps[i].apart
	above := i+1 < len(ps) && ps[i+1].what == ordering && !ps[i+1].apart
	return ps[i].near && (below || above) && !wordsOfRemarks().chats(r.lines[ps[i].line-1]) || ps[i].brief && (below && ps[i].terms || none)
}

// resigns reports whether the letter resigns. Other words in it are then a farewell, not an
// order.
func (r *letterReader) resigns() bool {
	return slices.ContainsFunc(r.passages, func(p passage) bool {
		return p.what == deciding && p.items[0].Word.Kind == Resign && p.items[0].Problem == nil
	})
}

// told returns the report about a line that was not read, although its writer meant
// something by it.
func (r *letterReader) told(line int, code string) Item {
	text := clip(trim(r.lines[line-1]), MaxLine)
	return Item{Line: line, Text: text, Problem: &Problem{Code: code, Line: line, Text: text}}
}
