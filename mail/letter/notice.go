package letter

import (
	"slices"
	"strings"
	"unicode"
)

// A Notice is the text of a letter that we sent, prepared for recognising it in the letters
// that quote it. It is read-only once made and may be shared.
//
// It is a stream of words. A bar is its own word, so that a bare line and the same line after a
// bar differ.
type Notice struct {
	words []int32
	bol   []bool           // words[i] begins a line
	ids   map[string]int32 // word -> its number in words
	at    []int            // where words are: those with number n at[from[n]:from[n+1]]
	from  []int
	plain map[string]bool    // lines without a word, as drawn
	bare  map[string][]place // barred lines without the bar, as words, and where they are
	texts int                // begun
	each  []*Notice          // of each text alone

	// MessageID is that of the letter, without angle brackets; "" if it is not known.
	MessageID string
}

// A place is where a line is: in which text of the notice, and the words above it.
type place struct{ text, words int }

// NewNotice prepares the texts of a notice: its text/plain and, where clients
// quote it instead, the text of its HTML (HTMLText, and ShownText).
func NewNotice(texts ...string) *Notice {
	n := newNotice(texts...)
	if n.each = []*Notice{n}; len(texts) > 1 {
		n.each = nil
		for _, t := range texts {
			n.each = append(n.each, newNotice(t))
		}
	}
	return n
}

func newNotice(texts ...string) *Notice {
	n := &Notice{ids: make(map[string]int32, 1000), plain: map[string]bool{}, bare: map[string][]place{}}
	for _, t := range texts {
		for _, l := range plainLines(t, false, false) {
			n.add(l.text)
		}
		n.words, n.bol = append(n.words, noWord), append(n.bol, true) // no line runs from one text into the next
		n.texts++
	}
	n.index()
	return n
}

// index finds out where each word occurs.
func (n *Notice) index() {
	n.from = make([]int, len(n.ids)+2)
	for _, w := range n.words {
		if w != noWord {
			n.from[w+2]++
		}
	}
	for w := 2; w < len(n.from); w++ {
		n.from[w] += n.from[w-1]
	}
	n.at = make([]int, len(n.words))
	for i, w := range n.words {
		if w != noWord { // from[w+1] grows from where w begins to where w+1 does
			n.at[n.from[w+1]] = i
			n.from[w+1]++
		}
	}
}

// ParseNotice prepares a notice from the letter in which it was sent, or from
// its bare text.
func ParseNotice(raw []byte) *Notice {
	if h, body, whole := parseHeader(raw, MaxHeader); whole && h.has("from") && h.has("mime-version", "content-type", "message-id", "date") {
		var texts []string
		parse(h, body).leaves(func(p *part) {
			room := fullRoom()
			switch t := leafText(p, &room); {
			case !t.found || t.large:
			case t.html:
				html := utf8Text(p.decoded(), p.params["charset"])
				texts = append(texts, HTMLText(html), ShownText(html))
			default:
				texts = append(texts, joined(t.lines))
			}
		})
		n := NewNotice(texts...)
		n.MessageID = messageID(h.get("message-id"))
		return n
	}
	return NewNotice(utf8Text(raw[:min(len(raw), MaxText)], ""))
}

// HTMLText returns the text of an HTML body as clients may quote it: with its
// title, what is hidden and the alternative texts of pictures.
func HTMLText(s string) string { return joined(htmlText(s, true).lines) }

// ShownText returns the text of an HTML body that its readers see.
func ShownText(s string) string { return joined(htmlText(s, false).lines) }

func joined(lines []line) string {
	var b strings.Builder
	for _, l := range lines {
		b.WriteString(l.text + "\n")
	}
	return b.String()
}

// noWord is the number of a word that the notice does not have.
const noWord = int32(-1)

func (n *Notice) add(text string) {
	ws := words(text)
	if len(ws) == 0 {
		if text != "" {
			n.plain[text] = true
		}
		return
	}
	if ws[0] == "|" {
		s := strings.Join(ws[1:], " ")
		n.bare[s] = append(n.bare[s], place{n.texts, len(n.words)})
	}
	for i, w := range ws {
		id, ok := n.ids[w]
		if !ok {
			id = int32(len(n.ids))
			n.ids[w] = id
		}
		n.words, n.bol = append(n.words, id), append(n.bol, i == 0)
	}
}

// lists reports whether a line is a barred line of the notice without the bar.
func (n *Notice) lists(s string) bool { return len(n.bare[strings.Join(words(s), " ")]) > 0 }

// inOrder reports whether a barred line of the notice, a, is above another, b.
func (n *Notice) inOrder(a, b string) bool {
	from, to := n.bare[a], n.bare[b]
	if len(from) == 0 || len(to) == 0 {
		return false
	}
	first := map[int]int{}
	for _, p := range from {
		if _, ok := first[p.text]; !ok {
			first[p.text] = p.words
		}
	}
	return slices.ContainsFunc(to, func(p place) bool { at, ok := first[p.text]; return ok && at < p.words })
}

// choices returns the lines in marked quotation that are barred lines of the
// notice without the bar.
func (n *Notice) choices(lines []line) []string {
	var bare []string
	for _, l := range lines {
		if n != nil && l.depth > 0 && len(bare) < MaxOrders && n.lists(l.text) {
			bare = append(bare, l.text)
		}
	}
	return bare
}

// number turns words into their numbers.
func (n *Notice) number(ws []string) []int32 {
	ids := make([]int32, len(ws))
	for i, w := range ws {
		id, ok := n.ids[w]
		if !ok {
			id = noWord
		}
		ids[i] = id
	}
	return ids
}

// isBar reports whether r is one of the strokes that clients and people use
// for a bar.
func isBar(r rune) bool {
	switch r {
	case '|', '¦', '│', '┃', '❘', '∣', '｜', 'ǀ':
		return true
	}
	return false
}

// words splits a line into words: runs of letters and digits in lower case,
// and bars. Addresses that clients add behind links and pictures are left out.
func words(s string) []string {
	look(len(s))
	s = strings.ToLower(withoutLinks(s))
	ws := make([]string, 0, 12)
	start := -1
	for i, r := range s {
		if 'a' <= r && r <= 'z' || '0' <= r && r <= '9' { // as most are
			if start < 0 {
				start = i
			}
			continue
		}
		if inWord(r) && !isBar(r) { // ǀ is a letter to Unicode
			if start < 0 {
				start = i
			}
			continue
		}
		if start >= 0 {
			ws = append(ws, s[start:i])
			start = -1
		}
		if isBar(r) {
			ws = append(ws, "|")
		}
	}
	if start >= 0 {
		ws = append(ws, s[start:])
	}
	return ws
}

func inWord(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.Mn, r)
}

// Roundcube makes footnotes of the links in what it quotes, and lists them at the end.
var (
	footnote = compile(` \[\d{1,3}\]`)
	noted    = compile(`^\[\d{1,3}\] \S+$`)
)

// listsLinks reports whether lines begin with the heading of such a list.
func listsLinks(lines []line) bool {
	return len(lines) > 2 && lines[0].text == "Links:" && strings.Trim(lines[1].text, "-") == "" && noted.in(first(lines[2].text, maxField))
}

// wordless reports whether a line has no words.
func wordless(s string) bool {
	look(len(s))
	if len(s) < maxField && noted.in(s) && isLink(s[strings.IndexByte(s, ' ')+1:]) {
		return true
	}
	return strings.IndexFunc(withoutLinks(s), func(r rune) bool { return inWord(r) || isBar(r) }) < 0
}

// maxLink bounds the addresses that withoutLinks looks for.
const maxLink = 600

// withoutLinks removes "<https://…>", "[https://…]", "<mailto:…>",
// "[image: …]" and "[cid:…]".
func withoutLinks(s string) string {
	if !strings.ContainsAny(s, "<[") {
		return s
	}
	var b strings.Builder
	ends := map[byte]int{} // where the next ">" and "]" are, so far as looked for
	kept := 0              // up to here s is in b
	for i := 0; i < len(s); i++ {
		if s[i] != '<' && s[i] != '[' || !isLink(s[i+1:]) {
			continue
		}
		shut := byte('>')
		if s[i] == '[' {
			shut = ']'
		}
		if end, ok := ends[shut]; !ok || end < i {
			look(len(s) - i)
			if end = strings.IndexByte(s[i:], shut); end < 0 {
				end = len(s)
			} else {
				look(i + end - len(s)) // no further than there
				end += i
			}
			ends[shut] = end
		}
		if end := ends[shut]; end < min(len(s), i+maxLink) {
			b.WriteString(s[kept:i])
			kept, i = end+1, end
		}
	}
	return b.String() + s[kept:]
}

// isLink reports whether s begins as what mail programs put into brackets.
func isLink(s string) bool {
	for _, scheme := range [...]string{"http", "mailto:", "image:", "cid:"} {
		if len(s) >= len(scheme) && strings.EqualFold(s[:len(scheme)], scheme) {
			return true
		}
	}
	return false
}

// barred reports whether a line has a bar before it or in it: no order has one.
func barred(s string) bool { return strings.IndexFunc(s, isBar) >= 0 }

// wrapped is how many lines of a letter one line of the notice, or one run of
// its lines, may be spread over.
const wrapped = 40

// A match says how surely a line repeats the notice.
type match uint8

const (
	foreign match = iota
	maybe         // so short that it counts only within quotation
	repeats
)

// repeats finds the lines of a letter that repeat lines of the notice.
//
// A run of lines counts if its words are those of whole notice lines, bars included: so lines
// may have been joined or broken at other places, but a part of a line alone is the player's. A
// run that begins after a quotation mark may begin anywhere, for clients that break a long line
// mark only its beginning. Fewer than three words count only next to other lines of the notice,
// in its order: "done" or "B" is an order though a line of the notice may read so.
//
// Both texts are strangers' in part, and what repeats itself again and again
// could be compared without end: ok is false if MaxCompared was not enough.
func (n *Notice) repeats(lines []line) (found []match, ok bool) {
	found, _, ok = n.spans(lines)
	return found, ok
}

// A span is which of the notice's words the run of lines repeats in which a line is.
type span struct{ start, end int }

// spans is repeats, with what the lines that do repeat.
func (n *Notice) spans(lines []line) (found []match, of []span, ok bool) {
	found, of = make([]match, len(lines)), make([]span, len(lines))
	if n == nil {
		return found, of, true
	}
	left := MaxCompared
	ws := make([][]int32, len(lines))
	next := make([]int, len(lines)) // the next line with words
	for i := len(lines) - 1; i >= 0; i-- {
		ws[i] = n.number(words(footnote.re.ReplaceAllString(lines[i].text, "")))
		if len(ws[i]) == 0 && n.plain[lines[i].text] {
			found[i] = repeats
		}
		if next[i] = i + 1; i+1 < len(lines) && len(ws[i+1]) == 0 {
			next[i] = next[i+1]
		}
	}
	defer func() { look(MaxCompared - left) }()
	type run struct{ from, to, start, end int } // lines [from,to), words [start,end)
	var runs []run
	last := 0
	for i := 0; i < len(lines); {
		if len(ws[i]) == 0 || ws[i][0] == noWord {
			i++
			continue
		}
		w := ws[i][0]
		spots := n.at[n.from[w]:n.from[w+1]]
		if last < len(n.words) && n.words[last] == w { // as a rule it goes on where the line before ended
			if to, end := n.follow(ws, i, last, &left); to > i {
				runs = append(runs, run{i, to, last, end})
				last, i = end, to
				continue
			}
		}
		anywhere := lines[i].depth > 0 && i+1 < len(lines) && lines[i+1].depth == 0 && len(ws[i]) >= 3 && !barred(first(lines[i].text, 3))
		// The notice may have the same words in several places: best is where
		// the next line goes on.
		best, rank := run{}, 0
		for _, at := range spots {
			if left--; left < 0 {
				return nil, nil, false
			}
			if !anywhere && !n.bol[at] {
				continue
			}
			to, end := n.follow(ws, i, at, &left)
			if to == i {
				continue
			}
			r := 1
			if after := next[to-1]; after < len(ws) && end+len(ws[after]) <= len(n.words) {
				if left -= len(ws[after]); slices.Equal(ws[after], n.words[end:end+len(ws[after])]) {
					r = 2
				}
			}
			if r > rank {
				best, rank = run{i, to, at, end}, r
			}
		}
		if rank == 0 {
			i++
			continue
		}
		runs = append(runs, best)
		last, i = best.end, best.to
	}
	for k := 0; k < len(runs); {
		// What is contiguous in the notice belongs together, whatever was
		// written in between, unless a client marked one and not the other.
		m := k + 1
		for m < len(runs) && runs[m].start == runs[m-1].end &&
			(lines[runs[m].from].depth > 0) == (lines[runs[m-1].to-1].depth > 0) {
			m++
		}
		count := runs[m-1].end - runs[k].start
		for ; k < m; k++ {
			for i := runs[k].from; i < runs[k].to; i++ {
				of[i] = span{runs[k].start, runs[k].end}
				switch {
				case len(ws[i]) == 0:
				case count >= 3 || barred(lines[i].text) || lines[i].depth > 0:
					found[i] = repeats
				default:
					found[i] = maybe
				}
			}
		}
	}
	return found, of, true
}

// follow compares lines from i on with the notice from word at on. It returns
// the end of the run if it ends with a line of the notice, else i. It takes what
// it compared from left.
func (n *Notice) follow(ws [][]int32, i, at int, left *int) (to, end int) {
	for j := i; j < len(ws) && j < i+wrapped; j++ {
		if len(ws[j]) == 0 || len(ws[j]) > len(n.words)-at {
			return i, 0
		}
		for k, w := range ws[j] {
			*left--
			if n.words[at+k] != w || w == noWord {
				return i, 0
			}
		}
		at += len(ws[j])
		if at == len(n.words) || n.bol[at] {
			return j + 1, at
		}
	}
	return i, 0
}
