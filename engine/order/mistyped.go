package order

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// In lines that cannot be read we look for words that change something, and for plans: we
// propose the nearest one, and a `yes` confirms it. Prose must not match by chance, so
// everything else on the line has to be right.

// Bounds on the corrections we look for in one letter.
const (
	maxMistyped = 8 // lines for which a word is looked for
	maxPlans    = 2 // plans
	maxPlanned  = 3 // lines of a plan
)

// wordsNearby are ordinary words and names that are nearly words of letters.
var wordsNearby = words(nearby)

// argumentWords are the words that may follow a word which changes something.
var argumentWords = func() (all []string) {
	for w := range words(`league season on off to from until html text every mine digest add remove steady news none all hours orders weeks week days day write again`) {
		all = append(all, w)
	}
	slices.Sort(all)
	return all
}()

// changing are the first words of words that change something, and changingLines those that
// are whole lines; sorted.
var changing, changingLines []string

// listChanging makes both from the table of words.
func listChanging() {
	for w, v := range firsts {
		switch v.kind {
		case Yes, No, Undo, Preview, Plan: // Typos knows them, or no yes could mean them
		default:
			if !v.asks {
				changing = append(changing, w)
			}
		}
	}
	for w := range lines {
		changingLines = append(changingLines, w)
	}
	changing = append(changing, "rule")
	slices.Sort(changing)
	slices.Sort(changingLines)
}

// mistyped looks for the one word that a line was probably meant to be, as in `resgin` or
// "please resign". It returns that word's item, with the corrected line as Meant. ok is
// false if there is no such word, or more than one.
func mistyped(line string) (it Item, ok bool) {
	line, polite := cutLeads(cutComment(line))
	line = unmarked(trim(line))
	if polite {
		if len(line) <= maxTypoLine && vocableOf(Key(line)) != nil {
			if w, p, ok := ReadWord(line); ok && p == nil && w.Changes() {
				return Item{Text: line, Word: w, Doubt: DoubtTypo, Meant: []string{line}}, true
			}
		}
	}
	if len(line) > maxTypoLine || asks(line) || provided(line) || vocableOf(Key(line)) != nil { // `quiet` lacks its hours, and is no `quit`
		return it, false
	}
	s := typoSearch{least: maxWidth}
	read := func(mended string, d int) {
		if w, p, ok := ReadWord(mended); ok && p == nil && w.Changes() && w.Kind != Refuse {
			s.add(mended, d)
		} else if ok && p != nil {
			s.argument(mended, d)
		}
	}
	key := Key(line)
	for _, l := range changingLines {
		if d, ok := s.edits(key, l, 1+min(len(l), len(key))/8); ok && !wordsNearby[key] {
			read(l, d)
		}
	}
	first, rest := cutWord(line)
	typed := Key(first)
	if len(typed) <= 5 && capital(first) {
		return it, false // Jon, Nate, Lina
	}
	if v := vocableOf(typed); v != nil { // it is the rest that cannot be read
		if _, p, ok := ReadWord(line); !ok || p == nil || v.asks {
			return it, false
		}
		read(line, 0)
	} else if len(typed) >= 3 && !wordsNearby[typed] && !spelled(typed) {
		for _, w := range changing {
			if d, ok := s.edits(typed, w, 1+min(len(w), len(typed))/7); ok && !nearerOrder(typed, rest, d) {
				read(w+rest, d)
			}
		}
	}
	if len(s.found) != 1 {
		return it, false
	}
	w, _, _ := ReadWord(s.found[0])
	return Item{Text: clip(s.found[0], MaxLine), Word: w, Doubt: DoubtTypo, Meant: s.found}, true
}

// capital reports whether a word is capitalised like a name.
func capital(w string) bool {
	w = strings.TrimLeftFunc(w, unicode.IsPunct)
	r, n := utf8.DecodeRuneInString(w)
	return unicode.IsUpper(r) && strings.ToUpper(w[n:]) != w[n:]
}

// argument corrects one of the words after a word that changes something.
func (s *typoSearch) argument(line string, d int) {
	first, rest := cutWord(line)
	if always := Key(first) == "always" || Key(first) == "never"; always {
		s.standing(line, d)
		return
	}
	for _, t := range lex(rest)[:min(len(lex(rest)), maxPhrase)] {
		if t.kind != wordTok || slices.Contains(argumentWords, t.s) {
			continue
		}
		for _, w := range argumentWords {
			var near typoSearch
			near.least = maxWidth
			n, ok := near.edits(t.s, w, 1+min(len(w), len(t.s))/6)
			if !ok || len(w) < 3 {
				continue
			}
			mended := first + rest[:t.start] + w + rest[t.end:]
			if said, p, ok := ReadWord(mended); ok && p == nil && said.Changes() {
				s.add(mended, d+n)
			}
		}
	}
}

// standing corrects the words of a standing order.
func (s *typoSearch) standing(line string, d int) {
	unknown := 0
	for _, t := range slices.Backward(lex(line)) {
		if t.kind != wordTok || spelled(t.s) || fillers[t.s] || prepositions[t.s] || t.s == "always" || t.s == "never" || standingWords[t.s] {
			continue
		}
		if unknown++; unknown > maxTypoWords {
			return
		}
		likes := likesOf(t.s, Context{})
		for _, w := range standingNames {
			var near typoSearch
			near.least = maxWidth
			if n, ok := near.edits(t.s, w, 1+min(len(w), len(t.s))/6); ok && (len(likes) == 0 || n <= likes[0].edits) {
				likes = append([]like{{w, n}}, likes...)
			}
		}
		if len(likes) == 0 {
			return
		}
		best := likes[0]
		for _, l := range likes {
			if n := line[:t.start] + l.word + line[t.end:]; l.edits <= best.edits {
				if _, ok := ParseStanding(n); ok {
					s.add(n, d+l.edits)
				}
			}
		}
		line, d = line[:t.start]+best.word+line[t.end:], d+best.edits
	}
	if _, ok := ParseStanding(line); ok && unknown > 0 {
		s.add(line, d)
	}
}

// standingWords are words of standing orders that no other order has.
var (
	standingNames = wordsIn("activate activation any decline discard forced keep leaving neutralization reserve")
	standingWords = words(strings.Join(standingNames, " "))
)

// nearerOrder reports whether a line with one word corrected is an order at most d letters
// away.
func nearerOrder(first, rest string, d int) bool {
	for _, l := range likesOf(first, Context{}) {
		items := readLine(1, l.word+rest)
		if l.edits <= d && readable(items) && items[0].Clause != nil {
			return true
		}
	}
	return false
}

// planWords are the words of a plan that no order has.
var planWords = words("if unless else otherwise and then at least most from of free not no more than damage ravagers resources debris ships robots points round angel last hex tile mission ship die neutral")

// mendPlan corrects the lines below `plan` if one or more cannot be read. ok is false if no
// single correction is nearest.
func mendPlan(below []string) (mended []string, ok bool) {
	mended = slices.Clone(below)
	for range maxPlanned {
		bad := badLine(mended)
		if bad < 0 {
			return mended, !slices.Equal(mended, below)
		}
		s := typoSearch{least: maxWidth}
		s.planLine(mended[bad])
		if len(s.found) != 1 {
			return nil, false
		}
		if mended[bad] = s.found[0]; badLine(mended) == bad {
			return nil, false
		}
	}
	return mended, badLine(mended) < 0
}

// badLine is the first of the lines below `plan` that cannot be read, -1 if all can.
func badLine(below []string) int {
	a := ReadAhead(below)
	if bad := a.Problem(); bad >= 0 {
		return min(max(a.Lines[bad].Line-2, 0), len(below)-1)
	}
	return -1
}

// maxTries bounds the corrections that are tried for a plan's line.
const maxTries = 200

// planLine corrects one or two words of a plan's line so that the line can be read.
func (s *typoSearch) planLine(line string) {
	if len(line) > maxTypoLine {
		return
	}
	tries := 0
	var mend func(line string, from, d, more int)
	mend = func(line string, from, d, more int) {
		for k, t := range lex(line) {
			if k < from || t.kind == numTok || t.end-t.start < 2 {
				continue
			}
			for _, l := range s.planLikes(Key(line[t.start:t.end]), k == 0) {
				if tries++; tries > maxTries || d+l.edits > s.least {
					continue
				}
				next := line[:t.start] + l.word + line[t.end:]
				if ofPlan(next) {
					s.add(next, d+l.edits)
				} else if more > 0 {
					mend(next, k+1, d+l.edits, more-1)
				}
			}
		}
	}
	mend(line, 0, 0, maxTypoWords-1)
}

// ofPlan reports whether a line can be read somewhere in a plan.
func ofPlan(line string) bool {
	return ReadAhead([]string{line, "pass"}).Problem() < 0 || ReadAhead([]string{"pass", line, "pass"}).Problem() < 0
}

// planLikes returns the words of plans and orders that are nearest to an unknown word.
func (s *typoSearch) planLikes(w string, first bool) (out []like) {
	if planWords[w] || spelled(w) || fillers[w] {
		return nil
	}
	for p := range planWords {
		var near typoSearch
		near.least = maxWidth
		if n, ok := near.edits(w, p, 1+min(len(w), len(p))/6); ok && (len(w) > 2 || first) {
			out = append(out, like{p, n})
		}
	}
	out = append(out, likesOf(w, Context{})...)
	slices.SortFunc(out, func(a, b like) int {
		if a.edits != b.edits {
			return a.edits - b.edits
		}
		return strings.Compare(a.word, b.word)
	})
	return out[:min(len(out), 2*maxTypoLikes)]
}
