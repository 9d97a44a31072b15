package letter

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Which lines are the author's although they look like quotation, or are there twice, or in
// two pieces.

// How many lines in marked quotation we try as the author's, how many may be, and about how
// many of these we ask if the notice lists them.
const (
	maxTried  = 300
	maxTyped  = 40
	maxListed = 2
	maxOthers = 4 // lines that are neither: words next to orders, or what a program changed
)

// typable reports whether a line in marked quotation has the form of an order.
func (r *reading) typable(l *line) bool {
	return l.depth == 1 && l.why == "" && len(l.text) < maxField && hasWord(l.text) && !barred(l.text)
}

// between finds what the author typed into marked quotation that their program did not end:
// lines that are not the notice's, among lines that are and that follow each other in it. If
// that is not certain, we ask the author about orders, provided that most of the quotation is
// the notice. between reports whether the bound on comparisons holds.
//
// answers is the Message-ID that the letter says it answers. A letter that answers another than
// the notice may quote one that has the author's earlier orders; so may a letter with more than
// one introduction.
func (r *reading) between(answers string) bool {
	if r.says == nil {
		return true
	}
	var typed []int
	tried := 0
	for i := range r.lines {
		if r.repeats[i] == foreign && tried < maxTried && r.typable(&r.lines[i]) {
			if tried++; len(typed) < maxTyped && r.says([]string{r.lines[i].text}) {
				typed = append(typed, i)
			}
		}
	}
	if typed == nil {
		return true
	}
	left, rest := slices.Clone(r.lines), make([]line, 0, len(r.lines)) // without them, and without empty lines
	for _, i := range typed {
		left[i].text = ""
	}
	at := make([]int, 0, len(left)) // by rest: the place in left
	for i, l := range left {
		if l.text != "" {
			rest, at = append(rest, l), append(at, i)
		}
	}
	direct := r.direct(answers)
	mine := make([]bool, len(typed))     // by typed: it is the author's
	near := make([]bool, len(typed))     // it is next to a line of the notice
	fringe := make([][2]int, len(typed)) // the lines of the notice around it
	for _, n := range r.notice.each {
		foundRest, ofRest, ok := n.spans(rest)
		if !ok {
			return false
		}
		found, of := make([]match, len(left)), make([]span, len(left))
		ours, others := 0, 0 // quoted lines that are the notice's, and that are not
		for k, i := range at {
			found[i], of[i] = foundRest[k], ofRest[k]
			switch l := &left[i]; {
			case l.depth != 1 || wordless(l.text):
			case found[i] == repeats:
				ours++
			case !r.introduces(l):
				others++
			}
		}
		sure := direct && others <= maxOthers
		ends := func(i int) bool { // the author's text around i ends here
			return i < 0 || i == len(left) || left[i].depth > 1 || left[i].text != "" && !wordless(left[i].text) && (found[i] == repeats || left[i].depth == 0)
		}
		quotes := func(i int) bool { return i >= 0 && i < len(left) && left[i].depth == 1 && found[i] == repeats }
		for k := 0; k < len(typed); {
			above, below := typed[k]-1, typed[k]+1
			for !ends(above) {
				above--
			}
			for !ends(below) {
				below++
			}
			within := quotes(above) && (quotes(below) && (of[above] == of[below] || of[above].end == of[below].start) ||
				!quotes(below) && n.ends(of[above].end))
			for ; k < len(typed) && typed[k] < below; k++ {
				near[k] = near[k] || others*4 <= ours && (quotes(above) || quotes(below))
				if within && sure {
					mine[k], fringe[k] = true, [2]int{above, below}
				}
			}
		}
	}
	listed := 0 // that may be lists of a notice that lost their bars
	for k, i := range typed {
		if !mine[k] && r.notice.lists(r.lines[i].text) {
			listed++
		}
	}
	for k, i := range typed {
		switch {
		case mine[k] && r.lines[i].depth == 0: // with another
		case mine[k]:
			for j := fringe[k][0] + 1; j < fringe[k][1]; j++ {
				if r.lines[j].depth == 1 && r.lines[j].why == "" {
					r.lines[j].depth, r.repeats[j] = 0, foreign
				}
			}
		case near[k] && (listed <= maxListed || !r.notice.lists(r.lines[i].text)):
			r.why[i], r.unsure[i] = Quote, true
		}
	}
	return true
}

// ends reports whether one of the notice's texts ends with its word at-1.
func (n *Notice) ends(at int) bool { return at == len(n.words) || n.words[at] == noWord }

// introduces reports whether a quoted line looks like one that introduces a letter.
func (r *reading) introduces(l *line) bool {
	s := first(l.text, maxField)
	from, _ := labelled(s)
	return from || l.dated && attributionEnd.in(s) || ruledText.in(s) && original.in(s)
}

// direct reports whether the letter answers the notice and no letter that quotes it: as its
// field says, and no second letter is introduced. A program may introduce one outside its
// quotation or in it.
func (r *reading) direct(answers string) bool {
	if r.notice.MessageID != "" && answers != "" && answers != r.notice.MessageID {
		return false
	}
	introduced, ended := 0, -1
	for i := range r.lines {
		l := &r.lines[i]
		if l.text == "" || l.depth > 1 || i < ended || r.repeats[i] == repeats {
			continue
		}
		n := 0
		if l.depth == 0 {
			n = r.introduction(i)
		} else if r.introduces(l) {
			n = 1
		}
		if n == 0 {
			continue
		}
		if l.depth == 0 && r.byAuthor(r.lines[i:i+n]) || r.name != "" && l.depth == 1 && strings.Contains(strings.ToLower(l.text), strings.ToLower(r.name)) {
			return false
		}
		introduced, ended = introduced+1, i+n
	}
	return introduced <= 1
}

// maxBehind bounds the author's lines after a bar that we offer as orders.
const maxBehind = 20

// behind reports which of the author's own lines after a bar we may offer as orders. Not
// several that repeat the notice's in their order, nor those with the words around its lists:
// they are quoted. If the notice is not known, only a single line.
func (r *reading) behind() []bool {
	found := make([]bool, len(r.lines))
	var at []int
	var said []string
	signed := false
	for i, l := range r.lines {
		if signed = signed || r.why[i] == Signature; signed {
			break
		}
		if r.why[i] != Bar && r.why[i] != "" || l.depth > 0 || r.inSoft[i] || !barred(first(l.text, 3)) {
			continue
		}
		text := withoutBar(l.text)
		if !hasWord(text) || barred(text) {
			continue
		}
		s := strings.Join(words(text), " ")
		if len(at) == maxBehind || s == "example" || s == "end" || s == "legal" {
			return found
		}
		at, said = append(at, i), append(said, s)
	}
	if r.notice == nil && len(at) > 1 {
		at = nil
	}
	for i := range at {
		for j := range i {
			if r.notice.inOrder(said[j], said[i]) {
				at = nil
				break
			}
		}
		if at == nil {
			break
		}
	}
	for _, i := range at {
		found[i] = true
	}
	return found
}

// withoutBar removes the bar before a line.
func withoutBar(s string) string {
	return strings.TrimLeftFunc(s, func(r rune) bool { return isBar(r) || r == ' ' })
}

// again drops what the author wrote below the quotation, if that is what they wrote above it.
func (r *reading) again() {
	var top, bottom []int // the author's lines above all quotation and below it
	quoted := false
	for i, l := range r.lines {
		switch {
		case !hasWord(l.text):
		case r.why[i] == Quote || r.why[i] == OfNotice || r.why[i] == Forward:
			if quoted = true; bottom != nil {
				return
			}
		case r.why[i] != "" || r.closes(l.text):
		case quoted:
			bottom = append(bottom, i)
		default:
			top = append(top, i)
		}
	}
	if len(bottom) == 0 || len(top) != len(bottom) {
		return
	}
	for k, i := range top {
		if !slices.Equal(words(r.lines[i].text), words(r.lines[bottom[k]].text)) {
			return
		}
	}
	for _, i := range bottom {
		r.why[i] = Again
	}
}

// How wide a line is that a program may have broken, in how many pieces, and how many lines
// are tried.
const (
	minBroken = 60
	maxPieces = 3
	maxJoined = 50
)

// goesOn is how a line begins that hardly begins an order.
var goesOn = compile(`(?i)^(to|at|from|in|on|with|for|and|of|leaving|until)\b`)

// join puts together the pieces of an order that the author's program broke: a wide line, and
// the next, which is not an order alone, but is one together with the first.
func (r *reading) join() {
	tried, inPress := 0, false
	for i := 0; r.says != nil && i < len(r.lines) && tried < maxJoined; i++ {
		text := r.lines[i].text
		if text == "" || r.why[i] != "" {
			inPress = false
			continue
		}
		if inPress = inPress || says(text) != nil; inPress || len(text) < minBroken || len(text) > maxField {
			continue
		}
		if i+1 == len(r.lines) || r.lines[i+1].text == "" || r.why[i+1] != "" || r.closes(r.lines[i+1].text) {
			continue
		}
		tried++
		next := r.lines[i+1].text
		begins, _ := utf8.DecodeRuneInString(next)
		if r.says([]string{text}) && !goesOn.in(first(next, 20)) && (unicode.IsUpper(begins) || r.says([]string{next})) {
			continue // each is an order alone
		}
		whole, run := text, text
		for j := i + 1; j < len(r.lines) && j < i+maxPieces && r.lines[j].text != "" && r.why[j] == ""; j++ {
			whole, run = whole+" "+r.lines[j].text, run+r.lines[j].text
			found := ""
			if r.says([]string{whole}) {
				found = whole
			} else if r.says([]string{run}) {
				found = run
			}
			if found != "" {
				r.lines[i].text = found
				for k := i + 1; k <= j; k++ {
					r.why[k] = joinedAbove
				}
				i = j
				break
			}
		}
	}
}
