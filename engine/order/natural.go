package order

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// People answer letters in everyday words: "Sure, count me in!". What their answer decides
// depends on the letter they answer, which this package does not know (obey/natural.go
// does). It knows what the words mean: they agree, refuse, ask for what one of our words
// does, or ask for nothing. It never guesses: a letter agrees only if all of it is listed
// in natural.txt.

//go:embed natural.txt
var naturalText string

// A Reply is the meaning of a letter in everyday words. If no part of the letter is listed,
// only About and Like are set.
type Reply struct {
	Yes     bool     // it agrees
	OK      bool     // it agrees if we have asked something; if not, it asks for nothing
	No      bool     // it refuses; with Yes, as "I'm still here": it depends on the question
	Nothing bool     // it asks for nothing
	Word    Word     // what it asks for; Kind NoWord if it is nothing
	Line    string   // the line of that word
	Name    string   // what the writer wants to be called
	Orders  []string // the orders that it confirms: "I meant: B"
	About   []string // names of words that it may be about
	Like    bool     // it has words of orders
	Asks    bool     // it has a question mark
}

// Bounds on letters that are replies.
const (
	maxReply      = 400 // bytes
	maxReplyLines = 8   // that are not empty
	maxListed     = 9   // words of a phrase
)

// A meaning is what a phrase says, as bits.
type meaning uint8

const (
	saysYes meaning = 1 << iota
	saysOK
	saysNo
	saysNothing
	saysBefore // orders
	saysFill
	saysName // before a name
	saysWord
)

var naturalSections = map[string]meaning{"yes": saysYes, "ok": saysOK, "no": saysNo, "nothing": saysNothing, "before": saysBefore, "fill": saysFill, "name": saysName}

// A naturalPhrase is what the table knows of one phrase.
type naturalPhrase struct {
	says meaning
	word Word
	line string // of word
}

// A topic is what a message may be about.
type topic struct {
	phrase string
	words  []string
}

type naturalTable struct {
	phrases map[string]naturalPhrase
	topics  []topic
}

// natural reads natural.txt once.
var natural = sync.OnceValue(func() *naturalTable {
	t := &naturalTable{phrases: map[string]naturalPhrase{}}
	var says meaning
	var word Word
	var written string
	var about []string
	for line := range strings.Lines(naturalText) {
		line = trim(line)
		if line == "" || line[0] == '#' {
			continue
		}
		if head, ok := strings.CutSuffix(strings.TrimPrefix(line, "["), "]"); ok && line[0] == '[' {
			says, word, about = naturalSections[head], Word{}, nil
			if name, ok := strings.CutPrefix(head, "= "); ok {
				says, written = saysWord, name
				word, _, _ = ReadWord(name)
			} else if names, ok := strings.CutPrefix(head, "about "); ok {
				about = strings.Split(names, ", ")
			}
			continue
		}
		for _, phrase := range strings.Split(line, ";") {
			key := remarkKey(phrase)
			switch {
			case key == "":
			case about != nil:
				t.topics = append(t.topics, topic{" " + key + " ", about})
			default:
				p := t.phrases[key]
				p.says |= says
				if says == saysWord {
					p.word, p.line = word, written
				}
				t.phrases[key] = p
			}
		}
	}
	return t
})

// ReadReply reads a letter as a reply in everyday words. names are those of the writer and of
// the people they may speak to.
func ReadReply(lines []string, names ...string) Reply {
	r := replyReader{names: map[string]bool{}, only: map[string]bool{}}
	for _, n := range names {
		key := remarkKey(n)
		r.only[key] = true
		for _, w := range wordsIn(key) {
			if utf8.RuneCountInString(w) > 1 {
				r.names[w] = true
			}
		}
	}
	texts, size := 0, 0
	var all strings.Builder
	for _, line := range lines {
		if line = trim(line); line == "" || line == ">" {
			continue
		}
		texts, size = texts+1, size+len(line)
		if texts > maxReplyLines || size > maxReply || isMarked(line) || Barred(line) {
			return Reply{}
		}
		all.WriteString(" " + line)
		r.line(line)
	}
	r.unknown = r.unknown || r.heads && r.Orders == nil // unknown, because the text does not say what to do again
	r.About = about(all.String())
	r.Asks = strings.ContainsAny(all.String(), questionMarks)
	r.Like = hasTerms(all.String())
	r.free = r.free && !slices.ContainsFunc(wordsIn(remarkKey(all.String())), func(w string) bool { return turns[w] })
	r.judge()
	return r.Reply
}

// turns are words after which a refusal is no longer complete.
var turns = words("but unless except until aber sondern mais sauf pero sino ale chyba maar men mas но але")

// about returns the names of words that a text may be about, each once.
func about(text string) (names []string) {
	key := " " + remarkKey(text) + " "
	for _, t := range natural().topics {
		if !strings.Contains(key, t.phrase) {
			continue
		}
		for _, w := range t.words {
			if !slices.Contains(names, w) {
				names = append(names, w)
			}
		}
	}
	return names
}

// A replyReader reads a reply, a line at a time.
type replyReader struct {
	Reply
	names   map[string]bool // words of names
	only    map[string]bool // whole names
	pieces  []naturalPhrase // those that are listed, without the remarks around them
	unknown bool            // something is not listed
	free    bool            // and it follows what refuses
	ordered bool            // there are orders, and a refusal may come next to them
	before  bool            // the last piece says that orders follow
	heads   bool            // and nothing else
}

// sentenceEnds divide a line.
const sentenceEnds = ".!?;:,…。、，！？；：—–¡¿؟،"

// line reads one line.
func (r *replyReader) line(line string) {
	plain := r.before || len(r.Orders) > 0
	if plain && r.order(line) {
		return
	}
	if items := readLine(1, line); readable(items) && items[0].Clause != nil && items[0].Clause.sure {
		r.unknown, r.ordered = true, true
		return
	}
	if w, p, ok := ReadWord(line); ok && p == nil && w.Kind == Name {
		r.Name = w.Text
		return
	}
	if r.only[remarkKey(line)] {
		return
	}
	if thanks(line) && !strings.ContainsAny(line, sentenceEnds[:1]+",;") || line == "" {
		r.pieces = append(r.pieces, naturalPhrase{says: saysNothing})
		return
	}
	mark := len(r.pieces)
	at := 0
	for at < len(line) {
		end := at + strings.IndexAny(line[at:], sentenceEnds)
		if end < at {
			end = len(line)
		}
		asks := end < len(line) && strings.ContainsRune(questionMarks, firstRune(line[end:]))
		if i := strings.Index(line[at:end], " - "); i > 0 {
			end = at + i + 1
		}
		known, rest := r.segment(line, at, end, asks)
		known = known || r.someone(line[:end], at)
		if rest {
			return
		}
		if !known && !r.courteous(line, mark, at) {
			r.unknown = true
			r.free = r.free || len(r.pieces) > 0 && r.pieces[0].says&saysNo != 0
		} else if !known {
			return
		}
		if at = end; at < len(line) {
			_, n := utf8.DecodeRuneInString(line[at:])
			at += n
		}
	}
}

// someone reports whether the rest of a line, from at on, is a name after words that ask
// for nothing: "Fair enough, Bob".
func (r *replyReader) someone(line string, at int) bool {
	if at == 0 || line[at-1] != ',' || slices.ContainsFunc(r.pieces, func(p naturalPhrase) bool { return p.says&saysNothing == 0 }) {
		return false
	}
	name := trim(line[at:])
	return len(wordsIn(name)) == 1 && len(r.pieces) > 0 && unicode.IsUpper(firstRune(name))
}

func firstRune(s string) rune {
	c, _ := utf8.DecodeRuneInString(s)
	return c
}

// courteous reports whether a line is a greeting, a closing or thanks of which only a part
// is listed here. The line must have no listed piece before at.
func (r *replyReader) courteous(line string, mark, at int) bool {
	if len(r.pieces) > mark || at > 0 && r.unknown {
		return false
	}
	opens, closes := courtesy(line)
	if closes || thanks(line) {
		r.pieces = append(r.pieces, naturalPhrase{says: saysNothing})
	}
	return opens || closes || thanks(line)
}

// order takes a line as an order that the writer confirms.
func (r *replyReader) order(line string) bool {
	items := readLine(1, line)
	if !readable(items) || items[0].Clause == nil {
		return false
	}
	r.Orders = append(r.Orders, line)
	return true
}

// segment reads a part of a line, up to a mark. known is false if it is not listed; rest
// reports whether the rest of the line was an order or a name.
func (r *replyReader) segment(line string, at, end int, asks bool) (known, rest bool) {
	var keys []string
	var starts []int
	for i := at; i < end; {
		c, n := utf8.DecodeRuneInString(line[i:end])
		if unicode.IsSpace(c) || strings.ContainsRune("\"“”«»()*_-", c) || picture(c) || unicode.Is(unicode.Variation_Selector, c) {
			i += n
			continue
		}
		k := i + strings.IndexFunc(line[i:end], func(c rune) bool {
			return unicode.IsSpace(c) || strings.ContainsRune("\"“”«»()*_-", c) || picture(c)
		})
		if k < i {
			k = end
		}
		if key := remarkKey(line[i:k]); key != "" {
			keys, starts = append(keys, key), append(starts, i)
		}
		i = k
	}
	t := natural()
	for i := 0; i < len(keys); {
		if r.before && r.order(line[starts[i]:]) {
			return true, true
		}
		var p naturalPhrase
		n := min(len(keys)-i, maxListed)
		for ; n > 0; n-- {
			if p = t.phrases[strings.Join(keys[i:i+n], " ")]; p.says != 0 {
				break
			}
		}
		switch {
		case n == 0 && r.names[keys[i]]:
			i++
			continue
		case n == 0:
			r.before = false
			return false, false
		}
		i += n
		if p.says&saysName != 0 && i < len(keys) {
			if name := trim(line[starts[i]:end]); len(name) <= MaxName {
				r.Name, r.before = name, false
				return true, false
			}
		}
		r.before = p.says&saysBefore != 0
		r.heads = p.says == saysBefore
		if asks && p.says&saysWord == 0 { // "ok?" agrees to nothing
			return false, false
		}
		if p.says&^(saysFill|saysBefore) != 0 {
			r.pieces = append(r.pieces, p)
		}
	}
	return true, false
}

// judge computes the Reply from the pieces.
func (r *replyReader) judge() {
	all, some := meaning(0xff), meaning(0) // of the pieces that decide something
	nothing := len(r.pieces) > 0
	for _, p := range r.pieces {
		nothing = nothing && p.says&saysNothing != 0
		switch {
		case p.says&(saysYes|saysOK|saysNo|saysWord) == 0:
			continue
		case p.says&saysWord == 0:
		case r.Word.Kind == NoWord:
			r.Word, r.Line = p.word, p.line
		case r.Word.Kind != p.word.Kind:
			r.unknown = true
		}
		if p.says&saysYes != 0 { // "ok, do it"
			p.says |= saysOK
		}
		all, some = all&p.says, some|p.says
	}
	refuses := some != 0 && all&saysNo != 0
	switch {
	case r.unknown && refuses && r.free && !r.ordered && !r.Asks && r.Word.Kind == NoWord: // "No, I want to play on!"
		r.No, r.Name, r.Orders = true, "", nil
	case r.unknown, some&saysNo != 0 && some&saysWord != 0 && all&(saysNo|saysWord) == 0:
		r.Word, r.Name, r.Orders = Word{}, "", nil
	default:
		r.Nothing = nothing && r.Name == "" && r.Orders == nil
		r.Yes, r.No = some != 0 && all&saysYes != 0, refuses
		r.OK = some != 0 && !r.Yes && !r.No && all&saysOK != 0
	}
}
