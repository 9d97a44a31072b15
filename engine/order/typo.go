package order

import (
	"slices"
	"strings"

	"angelpost/engine"
)

// Bounds on the search for what a mistyped line was meant for.
const (
	maxTypoWords = 2   // unknown words of a line that are corrected
	maxTypoLikes = 4   // words that may replace one of them
	maxTypoLine  = 120 // bytes of a line
)

// Typos returns the orders that a clause was probably meant for and that Match does not
// find: those with the fewest letters changed, added, left out or swapped. The candidates
// are the legal orders as we print them, extras such as "undo" that the position allows,
// and every accepted spelling of a legal order, with its words corrected one by one. A
// digit counts as two letters. One result is a proposal, several are a choice, and none is
// played before the writer agrees. Typos returns nothing for a question, a condition, or
// text that is far from any order.
func Typos(c Clause, legal []engine.Step, ctx Context, extras ...string) []string {
	line := c.Text
	if len(line) > maxTypoLine || asks(line) || provided(line) {
		return nil
	}
	steps, p := Match(c, legal, ctx)
	if len(steps) > 0 || p == nil || p.Code == Ambiguous {
		return nil
	}
	line, _ = cutLeads(line)
	s := typoSearch{written: []string{typoKey(line)}, least: maxWidth}
	if p.Code == NotLegal {
		s.written = append(s.written, typoKey(Print(p.Step)))
	}
	for _, step := range legal[:min(len(legal), maxCompare)] {
		s.hold(Print(step), ctx)
	}
	for _, line := range extras {
		s.hold(line, ctx)
	}
	if !c.Readable() {
		s.words(line, legal, ctx)
		for _, h := range heard(line) { // dictation writes another word that sounds alike
			s.spell(h, 1, legal, ctx)
		}
	}
	return s.found
}

// A typoSearch collects the orders that are nearest to what was written.
type typoSearch struct {
	written []string // as written, and as it was read
	found   []string // at the distance least, at most MaxChoices
	least   int
	row     [3][maxWidth + 1]int
}

// hold compares an order as we print it with what was written.
func (s *typoSearch) hold(line string, ctx Context) {
	for _, spelled := range []string{line, ctx.Spell(line)} {
		key := typoKey(spelled)
		for _, w := range s.written {
			if d, ok := s.edits(w, key, typos(min(len(w), len(key)))); ok {
				s.add(line, d)
			}
		}
		if spelled == line && !strings.Contains(line, " seat ") && !strings.Contains(line, " 0") {
			return
		}
	}
}

func (s *typoSearch) add(line string, d int) {
	switch {
	case d > s.least:
		return
	case d < s.least:
		s.found, s.least = nil, d
	}
	if len(s.found) < MaxChoices && !slices.Contains(s.found, line) {
		s.found = append(s.found, line)
	}
}

// words corrects the line's unknown words and keeps what then reads as orders, if the first
// of them is legal.
func (s *typoSearch) words(line string, legal []engine.Step, ctx Context) {
	type word struct {
		tok   tok
		likes []like
	}
	var unknown []word
	for _, t := range lex(line) {
		if t.kind != wordTok || spelled(t.s) || prepositions[t.s] || fillers[t.s] || ctx.names(t.s) {
			continue
		}
		if likes := likesOf(t.s, ctx); len(likes) > 0 {
			unknown = append(unknown, word{t, likes})
		}
	}
	if len(unknown) == 0 || len(unknown) > maxTypoWords {
		return
	}
	var mend func(line string, k, d int)
	mend = func(line string, k, d int) {
		if k < 0 {
			s.spell(line, d, legal, ctx)
			return
		}
		mend(line, k-1, d) // the word may be a beginning of one
		for _, l := range unknown[k].likes {
			mend(line[:unknown[k].tok.start]+l.word+line[unknown[k].tok.end:], k-1, d+l.edits)
		}
	}
	mend(line, len(unknown)-1, 0)
}

// spell adds a line of corrected words if it reads as orders, the first of them legal.
func (s *typoSearch) spell(line string, d int, legal []engine.Step, ctx Context) {
	if d == 0 || d > s.least {
		return
	}
	items := readLine(1, line)
	if !readable(items) || !sure(lex(line)) || slices.ContainsFunc(items, func(it Item) bool { return it.Clause == nil }) {
		return
	}
	steps, p := Match(*items[0].Clause, legal, ctx)
	switch {
	case len(items) > 1 && (p == nil || len(steps) > 0):
		s.add(trim(line), d)
	case len(items) == 1 && p != nil && p.Code == Ambiguous:
		for _, c := range p.Choices {
			s.add(Print(c), d)
		}
	case len(items) == 1 && len(steps) == 1:
		s.add(Print(steps[0]), d)
	}
}

// A like is a word of orders that may have been meant by another word.
type like struct {
	word  string
	edits int
}

// likesOf returns the words nearest to one that no order has.
func likesOf(w string, ctx Context) (out []like) {
	var s typoSearch
	s.least = maxWidth
	hold := func(words []string) {
		for _, to := range words {
			if d, ok := s.edits(w, to, 1+min(len(w), len(to))/6); ok {
				s.add(to, d)
			}
		}
	}
	hold(orderWords)
	for _, n := range ctx.Names {
		hold(wordsIn(Key(clip(n, MaxName))))
	}
	for _, f := range s.found[:min(len(s.found), maxTypoLikes)] {
		out = append(out, like{f, s.least})
	}
	return out
}

// names reports whether a folded word is one of a player's name.
func (c Context) names(w string) bool {
	return slices.ContainsFunc(c.Names, func(n string) bool { return slices.Contains(wordsIn(Key(clip(n, MaxName))), w) })
}

// orderWords are all words of orders of three letters and more, sorted.
var orderWords = func() (all []string) {
	for w := range vocabulary {
		all = append(all, w)
	}
	for w := range synonyms {
		all = append(all, w)
	}
	for _, v := range verbs {
		all = append(all, v.name)
	}
	for _, c := range colorWords {
		all = append(all, c.name)
	}
	all = append(all, starWord)
	all = slices.DeleteFunc(all, func(w string) bool { return len(w) < 3 })
	slices.Sort(all)
	return slices.Compact(all)
}()

// typoKey is a line's key with its numbers' leading zeros cut off.
func typoKey(line string) string {
	ws := wordsIn(Key(clip(line, maxTypoLine)))
	for i, w := range ws {
		if short := strings.TrimLeft(w, "0"); short != "" && short != w && short[0] >= '0' && short[0] <= '9' {
			ws[i] = short
		}
	}
	return clip(strings.Join(ws, " "), maxWidth)
}

// typos returns the largest number of edits between a line of n bytes and what it was meant
// to be.
func typos(n int) int {
	switch {
	case n < 4:
		return 0
	case n < 8:
		return 1
	case n < 16:
		return 2
	}
	return 3
}

// edits counts the letters to change, add, leave out or swap with their neighbour to turn a
// into b; a digit counts as two. ok is false if they are equal, or if there are more edits
// than most or than a match already found.
func (s *typoSearch) edits(a, b string, most int) (n int, ok bool) {
	if most = min(most, s.least); most == 0 || len(a)-len(b) > most || len(b)-len(a) > most || a == b {
		return 0, false
	}
	weigh := func(c byte) int {
		if c >= '0' && c <= '9' {
			return 2
		}
		return 1
	}
	before, last, row := s.row[0][:len(b)+1], s.row[1][:len(b)+1], s.row[2][:len(b)+1]
	for j := range last {
		last[j] = 0
		if j > 0 {
			last[j] = last[j-1] + weigh(b[j-1])
		}
	}
	for i := range len(a) {
		low, high := max(0, i-most), min(len(b), i+most+1) // further from the diagonal are too many
		look(high - low)
		if row[low] = maxWidth; low == 0 {
			row[0] = last[0] + weigh(a[i])
		}
		for j := low; j < high; j++ {
			d := last[j]
			if a[i] != b[j] {
				d = min(d+max(weigh(a[i]), weigh(b[j])), row[j]+weigh(b[j]), last[j+1]+weigh(a[i]))
				if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
					d = min(d, before[j-1]+max(weigh(a[i]), weigh(b[j])))
				}
			}
			row[j+1] = d
		}
		if high < len(b) {
			row[high+1] = maxWidth
		}
		before, last, row = last, row, before
	}
	return last[len(b)], last[len(b)] <= most
}
