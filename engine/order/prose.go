package order

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxLeads bounds the phrases cut off before one order: "OK, so first I'd like to".
const maxLeads = 5

// cutLeads cuts off the phrases with which people announce an order or ask for it, before
// and after it, in any language that the reader knows. With any other word around the order
// on its line, as in "I would like to ... but", the line is prose.
func cutLeads(line string) (rest string, ok bool) {
	rest = line[opening(line):]
	for range maxLeads {
		more, found := cutLead(rest)
		if !found {
			break
		}
		rest, ok = more, true
	}
	for range 2 {
		more, found := cutTail(rest)
		if !found {
			break
		}
		rest, ok = more, true
	}
	return rest, ok
}

// aroundMarks may come between an order and the phrases around it.
const aroundMarks = " ,.;:!-–—、。，：！،\"“”„«»"

// cutLead cuts the longest phrase off the beginning of a line.
func cutLead(line string) (rest string, ok bool) {
	v := wordsOfRemarks()
	var key strings.Builder
	at := 0
	for n := 0; n < maxPhrase; n++ {
		start := at + len(line[at:]) - len(strings.TrimLeft(line[at:], aroundMarks))
		w := line[start:]
		if i := strings.IndexFunc(w, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(",.;:!：、。，！،", r) }); i >= 0 {
			w = w[:i]
		}
		if w == "" {
			break
		}
		first, _ := utf8.DecodeRuneInString(w)
		if unblanked(first) { // it may go on with the order
			if i := strings.IndexFunc(w, func(r rune) bool { return !unblanked(r) }); i > 0 {
				w = w[:i]
			}
		} else if n > 0 {
			key.WriteByte(' ')
		}
		key.WriteString(remarkKey(w))
		at = start + len(w)
		switch s := v.find(key.String()); {
		case s.leads():
			rest, ok = strings.TrimLeft(line[at:], aroundMarks), true
		case n > 0 && s.doubt|s.takeBack != 0: // "option a" is one of several
			ok = false
		}
	}
	if !ok || rest == "" {
		return line, false
	}
	return rest, true
}

// cutTail cuts the longest phrase off the end of a line.
func cutTail(line string) (rest string, ok bool) {
	v := wordsOfRemarks()
	bare := strings.TrimRight(line, aroundMarks)
	at := len(bare)
	for range maxPhrase {
		head := strings.TrimRight(bare[:at], aroundMarks)
		if head == "" {
			break
		}
		at = strings.LastIndexFunc(head, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(",.;:!：、。，！،", r) })
		_, size := utf8.DecodeRuneInString(head[max(at, 0):])
		if at < 0 {
			at = 0
		} else {
			at += size
		}
		last, _ := utf8.DecodeLastRuneInString(head)
		if unblanked(last) {
			if i := strings.LastIndexFunc(head, func(r rune) bool { return !unblanked(r) }); i >= at {
				_, size := utf8.DecodeRuneInString(head[i:])
				at = i + size
			}
		}
		if s := v.find(remarkEntry(bare[at:])); s.leads() || s.idle() && strings.Contains(bare[at:], " ") && strings.Contains(strings.TrimRight(bare[:at], aroundMarks), " ") && !hasTerms(bare[at:]) {
			rest, ok = strings.TrimRight(bare[:at], aroundMarks), true
		}
	}
	if _, last := lastWord(rest); !ok || rest == "" || last == "no" || last == "not" { // "no quiero" is not an order with a courtesy
		return line, false
	}
	return rest, true
}

// lastWord cuts the last word off a line and returns the word's key.
func lastWord(line string) (rest, key string) {
	i := strings.LastIndexByte(line, ' ')
	return line[:max(i, 0)], Key(line[i+1:])
}

var apostrophes = strings.NewReplacer("'", "", "’", "", "‘", "", "´", "", "`", "")

// contracted returns a text's key, with contractions without their apostrophe: "dont".
func contracted(s string) string {
	look(len(s))
	if ascii(s) && strings.IndexByte(s, '\'') < 0 && strings.IndexByte(s, '`') < 0 {
		return Key(s)
	}
	return Key(apostrophes.Replace(s))
}

var (
	// hedges are words of sentences whose orders are not for now, or not the writer's:
	// negations, questions, conditions, the past, wishes, alternatives, and other players'
	// moves.
	hedges = words(Key(`not dont doesnt didnt wont cant cannot couldnt wouldnt shouldnt isnt wasnt havent hasnt never no nor without avoid rather than
		should whether wonder wondering why how could may might maybe perhaps possibly probably think thinking thought considering consider tempted wish wished hoped
		if unless when until once after before suppose assuming provided otherwise case would either or neither versus
		was were had did played took used moved launched chose wanted meant yesterday earlier previously already last ago been
		you your youre youll Hal he she they him her them his their theirs hes shes theyre theyll opponent opponents anyone
		said says wrote asked told suggests suggested recommends recommended
		plays takes wants launches moves buys chooses needs likes does has
		later tomorrow legal illegal possible impossible allowed`))
	// provisos are words that no order has: "from Beta if Beta passes" is a condition, not
	// a player's name.
	provisos = words("if unless when until but because not or instead")
	// tells are hedges that begin a line about something other than the order above it:
	// "was a hard turn", "you were quick", "had fun".
	tells = words(Key(`was were had did played took used moved launched chose wanted yesterday earlier previously already last ago been
		you your youre youll Hal he she they him her them his their theirs hes shes theyre theyll opponent opponents anyone
		said says wrote asked told suggests suggested recommends recommended plays takes wants launches moves buys chooses needs likes does has
		later tomorrow thinking thought wish wished hoped wonder wondering why legal illegal`))
	// others are verbs that are about the writer only right after one of ofOneself.
	others    = words("will is going can gets must plans")
	ofOneself = words("i im id ill ive we my our am is move moves order orders turn here this these it now then so dit das dies hier")
)

// hedged reports whether a line of prose mentions an order without giving it.
func hedged(line string) bool { return hedgedHere(line) || asks(line) || hedgedAbroad(line) }

// hedgedHere reports whether English words make a line hedged.
func hedgedHere(line string) bool {
	before, n := "", 0
	ws := wordsIn(contracted(line))
	for i, w := range ws {
		if w == "her" && i+1 < len(ws) && (ws[i+1] == "er" || ws[i+1] == "kommer") { // Danish and Norwegian for "here is"
			continue
		}
		if hedges[w] || others[w] && n > 0 && !ofOneself[before] || w == "example" && before == "for" {
			return true
		}
		before, n = w, n+1
	}
	return false
}

// provided reports whether a line of orders makes a condition.
func provided(line string) bool {
	return slices.ContainsFunc(wordsIn(Key(cutComment(line))), func(w string) bool { return provisos[w] })
}

// asks reports whether a line is a question.
func asks(line string) bool {
	last, _ := utf8.DecodeLastRuneInString(strings.TrimRight(trim(line), `"”')!*`))
	return strings.ContainsRune(questionMarks, last)
}

// runsOn reports whether a line is not the end of its sentence.
func runsOn(line string) bool {
	last, _ := utf8.DecodeLastRuneInString(strings.TrimRight(trim(line), `"”')`))
	return !strings.ContainsRune(".!。！…", last)
}

// takesBack reports whether a line below an order continues its sentence and says that the
// order is not meant ("if Beta passes", "would be nice", "but I can't"). Later words of a
// line are about other things ("sorry it took so long, I was away").
func takesBack(line string) bool {
	first, rest := cutWord(trim(line))
	if tells[contracted(first)] && !asks(line) {
		return false
	}
	if _, after := cutWord(trim(rest)); !provisos[contracted(first)] {
		line = line[:len(line)-len(after)]
	}
	return hedged(line)
}

// endsItself reports whether a harmless line is a complete sentence that no order
// continues: "Work was crazy", but not "Yesterday I did", nor "Beta will surely".
func endsItself(line string) bool {
	ws := wordsIn(contracted(line))
	n := len(ws)
	return n > 2 && !isVerb(ws[n-1]) && !ofOneself[ws[n-1]] && !prepositions[ws[n-1]] && !hedges[ws[n-1]] && !slices.ContainsFunc(ws, func(w string) bool { return others[w] && w != "is" })
}

// maxHedge bounds the lines of a sentence that are searched for a hedge.
const maxHedge = 6

// hedge reports whether the sentence around orders from..last says that they are not meant.
func (r *letterReader) hedge(from, last int) bool {
	ps := r.passages
	for i := from - 1; i >= 0 && i >= from-maxHedge && ps[i].what == prose && !ps[i].long; i-- {
		line := r.lines[ps[i].line-1]
		colon := strings.HasSuffix(strings.TrimRight(trim(line), "*_"), ":")
		if !runsOn(line) && !asks(line) || (ps[i+1].gap || ps[i+1].apart) && !colon {
			break
		}
		if !hedged(line) || r.harmless && !colon && (endsItself(line) || wordsOfRemarks().chatty(line)) {
			continue
		}
		if hedged(wordsOfRemarks().lessIdioms(line)) {
			return true
		}
	}
	if last+1 < len(ps) && ps[last+1].what == prose && !ps[last+1].long && !ps[last+1].apart && !ps[last+1].gap {
		line := trim(r.lines[ps[last+1].line-1])
		first, _ := utf8.DecodeRuneInString(line)
		return (unicode.IsLower(first) || unicode.IsPunct(first) || unicode.Is(unicode.Lo, first)) && (asks(line) || takesBack(line) && takesBack(wordsOfRemarks().lessIdioms(line)) && !(r.harmless && !hedgedHere(line)))
	}
	return false
}
