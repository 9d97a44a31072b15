package order

import (
	_ "embed"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"
)

// The words of remarks are data: remarks/CODE.txt for each language, with sections of one
// word or phrase a line, where "doubt*" is every word that begins so:
//
//	[take back]  takes back, stops or puts off, also in a signature
//	[doubt]      doubts, supposes, refuses, or asks without a question mark
//	[mild]       a word of [doubt] that is harmless in a clause with a chatty word: "tomorrow"
//	[chatty]     speaks of something other than orders: "dentist", "rain", "grandma"
//	[no]         refuses as a whole line
//	[harmless]   a phrase with such a word in it that doubts nothing, or an everyday word
//	[alone]      puts off, doubts or heads a draft if a remark says nothing else; "~ says"
//	             is the end of a remark that quotes someone, and 0 is any number
//	[around]     announces an order or asks for it, on its line
//
// NAME in a phrase is any name: "don't trust NAME".
//
// remarks/everyday.txt has the most common words of each language, and names the languages.
// The words that are in no other section are harmless. This command makes vocabulary.txt of
// all of them, so that the server has nothing to sort at its start:
//
//	go test ./engine/order -run TestVocabulary -vocabulary
//
// The file has the languages, the number of words of the longest phrase, each sense as nine
// numbers, beginnings after a star, and the keys in order, each with the number of its
// sense.
//
//go:embed vocabulary.txt
var vocabularyText string

// languages is a set of the reader's languages, a bit each.
type languages uint32

// A sense tells in which languages a word or phrase is in which section.
type sense struct{ everyday, harmless, doubt, takeBack, no, alone, around, mild, chatty languages }

// sections are the languages of a sense, in the order of vocabulary.txt.
func (s *sense) sections() [9]*languages {
	return [9]*languages{&s.everyday, &s.harmless, &s.doubt, &s.takeBack, &s.no, &s.alone, &s.around, &s.mild, &s.chatty}
}

// remarkWords are the words of all languages, in order.
type remarkWords struct {
	codes    []string  // the languages', by bit
	longest  int       // of the longest phrase, in words
	capitals languages // that capitalise words other than names
	senses   []sense
	begins   map[string]sense // the meaning of words that begin so
	starts   []uint32         // of each key in vocabularyText
	ends     []uint32
	which    []uint16 // of senses, for each key
}

// wordsOfRemarks reads vocabulary.txt once.
var wordsOfRemarks = sync.OnceValue(func() *remarkWords {
	v := &remarkWords{begins: map[string]sense{}}
	n := strings.Count(vocabularyText, "\n")
	v.starts, v.ends, v.which = make([]uint32, 0, n), make([]uint32, 0, n), make([]uint16, 0, n)
	at := 0
	for line := range strings.Lines(vocabularyText) {
		start := at
		at += len(line)
		key, number, ok := strings.Cut(line[:len(line)-1], "\t")
		switch {
		case !ok && v.codes == nil:
			v.codes = strings.Split(key, " ")
			v.capitals = 1 << slices.Index(v.codes, "de")
		case !ok && v.longest == 0:
			v.longest, _ = strconv.Atoi(key)
		case !ok:
			var s sense
			for i, bits := range strings.Split(key, " ") {
				n, _ := strconv.ParseUint(bits, 16, 32)
				*s.sections()[i] = languages(n)
			}
			v.senses = append(v.senses, s)
		default:
			k, _ := strconv.Atoi(number)
			if stem, ok := strings.CutPrefix(key, "*"); ok {
				v.begins[stem] = v.senses[k]
				continue
			}
			v.starts, v.ends, v.which = append(v.starts, uint32(start)), append(v.ends, uint32(start+len(key))), append(v.which, uint16(k))
		}
	}
	return v
})

// aName replaces a name in the key of a phrase, and nameKey does while that key is made.
const aName, nameKey = "@", "qqq"

// isName reports whether a word may be a name: it has a capital and is in no list.
func (v *remarkWords) isName(keys string, t remarkToken) bool {
	return t.capital && v.find(keys[t.start:t.end]) == (sense{})
}

// nameless returns the key of words, with NAME in place of the names, and the other words.
// ok is false if there are no names among them, or only names.
func (v *remarkWords) nameless(keys string, ws []remarkToken) (key string, others []remarkToken, ok bool) {
	if len(ws) < 2 || !slices.ContainsFunc(ws, func(t remarkToken) bool { return t.capital }) {
		return "", nil, false
	}
	parts := make([]string, len(ws))
	for i, t := range ws {
		if v.isName(keys, t) {
			parts[i] = aName
			continue
		}
		parts[i] = keys[t.start:t.end]
		others = append(others, t)
	}
	return strings.Join(parts, " "), others, len(others) > 0 && len(others) < len(ws)
}

// remarkEntry returns the key of a line of a file: with a star for all words that begin so,
// without blanks in scripts that have none.
func remarkEntry(line string) string {
	key := strings.ReplaceAll(remarkKey(strings.ReplaceAll(line, "NAME", nameKey)), nameKey, aName)
	r, _ := utf8.DecodeRuneInString(key)
	if unblanked(r) {
		key = strings.ReplaceAll(key, " ", "")
	}
	switch {
	case strings.HasPrefix(line, "~"):
		key = "~ " + key
	case strings.HasSuffix(line, "*") && !unblanked(r):
		key += "*"
	}
	return key
}

// find returns the sense of a key, the zero value if no file has it.
func (v *remarkWords) find(key string) sense {
	if i := v.search(key); i < len(v.ends) && v.key(i) == key {
		return v.senses[v.which[i]]
	}
	return sense{}
}

// key is the i-th key, in order.
func (v *remarkWords) key(i int) string { return vocabularyText[v.starts[i]:v.ends[i]] }

// search returns the number of the first key that is not less than key.
func (v *remarkWords) search(key string) int {
	lo, hi := 0, len(v.ends)
	for lo < hi {
		if mid := (lo + hi) / 2; v.key(mid) < key {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}

// beginsPhrase reports whether a phrase of several words begins with a word.
func (v *remarkWords) beginsPhrase(word string) bool {
	i := v.search(word)
	if i < len(v.ends) && v.key(i) == word {
		i++
	}
	if i == len(v.ends) {
		return false
	}
	rest, ok := strings.CutPrefix(v.key(i), word)
	return ok && strings.HasPrefix(rest, " ")
}

// leads reports whether a phrase announces an order or asks for it, and never says anything
// against it: Spanish "luego" is "then", but also "later".
func (s sense) leads() bool { return s.around != 0 && s.around&(s.doubt|s.takeBack|s.no|s.mild) == 0 }

// idle reports whether a phrase says nothing in any language.
func (s sense) idle() bool { return s.harmless != 0 && s.doubt|s.takeBack|s.no|s.mild == 0 }

// spoken returns the languages that have the word at all.
func (s sense) spoken() languages {
	return s.everyday | s.harmless | s.doubt | s.takeBack | s.no | s.alone | s.around | s.mild | s.chatty
}

// languages returns the languages to which most words of the remarks belong: those with at
// least three quarters of the largest count. If that count is three or more and no other
// language has more words than English, the language of orders, it returns English alone.
func (v *remarkWords) languages(remarks []remark) (active languages) {
	var counts [32]int
	most := 0
	for _, m := range remarks {
		for _, t := range m.words {
			if t.joined {
				continue
			}
			langs := v.find(m.keys[t.start:t.end]).spoken()
			for i := range v.codes {
				if langs&(1<<i) != 0 {
					counts[i]++
					most = max(most, counts[i])
				}
			}
		}
	}
	english := slices.Index(v.codes, "en")
	for i := range v.codes {
		if counts[i]*4 >= most*3 && (most < 3 || counts[english] < most || i == english) {
			active |= 1 << i
		}
	}
	return active
}

// maxBeginning bounds the bytes of an entry "doubt*".
const maxBeginning = 32

// phrase returns the number of words and the meaning of the longest phrase with which ws
// begins; 0 if there is none.
func (v *remarkWords) phrase(keys string, ws []remarkToken, active languages) (n int, w weight) {
	key := keys[ws[0].start:ws[0].end]
	if ws[0].joined {
		return 1, v.run(key)
	}
	most := 1 // words of a phrase that may begin here
	for _, particle := range conjunctions {
		if first, ok := strings.CutPrefix(key, particle); ok && len(ws) > 1 && v.beginsPhrase(first) {
			most = min(v.longest, len(ws))
		}
	}
	if len(ws) > 1 && v.isName(keys, ws[0]) {
		most = min(v.longest, len(ws))
	}
	for n = most; n > 0; n-- {
		if phrase, others, ok := v.nameless(keys, ws[:n]); ok {
			if s := v.find(phrase); s != (sense{}) {
				if w, ok := v.means(s, keys, others, active); ok {
					return n, w
				}
			}
		}
		for _, particle := range conjunctions {
			phrase, ok := strings.CutPrefix(keys[ws[0].start:ws[n-1].end], particle)
			if !ok {
				continue
			}
			s := v.find(phrase)
			if s.mild != 0 && n == 1 {
				more, _ := v.begun(phrase)
				s.doubt |= more.doubt
				s.takeBack |= more.takeBack
			}
			if s != (sense{}) {
				if w, ok := v.means(s, keys, ws[:n], active); ok {
					return n, w
				}
			}
		}
	}
	if s, found := v.begun(key); found {
		if w, ok := v.means(s, keys, ws[:1], active); ok {
			return 1, w
		}
	}
	return 0, harmless
}

// begun returns the sense of an entry "doubt*" that matches the beginning of a word.
func (v *remarkWords) begun(key string) (s sense, found bool) {
	for i := range clip(key, maxBeginning) {
		if i < 4 {
			continue
		}
		if s, found = v.begins[key[:i]]; found {
			return s, true
		}
	}
	s, found = v.begins[key]
	return s, found
}

// maxShared bounds the bytes of a word without a chatty meaning that may be an everyday
// word of another language: French "thé" does not mean English "the".
const maxShared = 3

// maxArticle bounds the bytes of a word that counts only in the letter's own languages: "o"
// is "or" in Spanish, and an article in Portuguese.
const maxArticle = 1

// means returns what a word or phrase means in the letter: its meaning in one of the
// letter's languages or, if one of the words is in none of them, in any language. A remark
// of one word may be in any language in which it doubts. ok is false if the phrase is in no
// section.
func (v *remarkWords) means(s sense, keys string, ws []remarkToken, active languages) (w weight, ok bool) {
	if foreign := slices.ContainsFunc(ws, func(t remarkToken) bool {
		return v.find(keys[t.start:t.end]).spoken()&active == 0 && (len(ws) > 1 || t.end-t.start > maxArticle)
	}); foreign {
		active = ^languages(0)
	}
	switch {
	case s.harmless&active != 0 && (len(ws) > 1 || len(keys) > ws[0].end-ws[0].start):
		if slices.ContainsFunc(ws, func(t remarkToken) bool { return v.find(keys[t.start:t.end]).chatty != 0 }) {
			return chatty, true
		}
		return harmless, true
	case s.takeBack&active != 0, s.takeBack != 0 && len(ws) > 1: // a phrase, in any language
		return takesBackAll, true
	case (s.doubt|s.no)&^s.mild&active != 0:
		return doubtful, true
	case (s.doubt|s.no)&active != 0:
		return mild, true
	case s.chatty&active != 0 && (ws[len(ws)-1].end-ws[0].start > maxShared || s.everyday&active&^s.chatty == 0):
		return chatty, true
	}
	return harmless, (s.around|s.harmless|s.mild)&active != 0
}

// maxEnd bounds the words at the end of a remark that are looked up.
const maxEnd = 4

// alone reports whether the whole of a remark, without a PS, is one that doubts only if the
// letter says nothing else, or ends so.
func (v *remarkWords) alone(keys string, ws []remarkToken, active languages) bool {
	if len(ws) == 0 {
		return false
	}
	if v.find(strings.TrimPrefix(strings.TrimPrefix(keys, "p s "), "ps ")).alone != 0 {
		return true
	}
	if phrase, _, ok := v.nameless(keys, ws[:min(len(ws), v.longest)]); ok && len(ws) <= v.longest && v.find(phrase).alone != 0 {
		return true
	}
	for i := max(len(ws)-maxEnd, 0); i < len(ws); i++ {
		if phrase, _, ok := v.nameless(keys, ws[i:]); ok && v.find("~ "+phrase).alone&active != 0 {
			return true
		}
	}
	if last := ws[len(ws)-1]; last.number {
		keys = keys[:last.start] + "0"
	}
	for _, t := range ws[max(len(ws)-maxEnd, 0):] {
		if v.find("~ "+keys[t.start:]).alone&active != 0 {
			return true
		}
	}
	if !ws[len(ws)-1].joined {
		return false
	}
	for i := len(keys); i > 0 && len(keys)-i < 3*2*maxEnd; { // runes
		_, size := utf8.DecodeLastRuneInString(keys[:i])
		if i -= size; v.find("~ "+keys[i:]).alone != 0 {
			return true
		}
	}
	return false
}

// lessIdioms returns a line without the phrases of two words or more that doubt nothing:
// "could be worse".
func (v *remarkWords) lessIdioms(line string) string {
	if len(line) > maxSaid {
		return line
	}
	keys, ws := remarkTokens(line)
	var rest []string
	for i, found := 0, false; i < len(ws); {
		n, w := v.phrase(keys, ws[i:], ^languages(0))
		if found = n > 1 && w <= chatty; !found {
			n = max(n, 1)
			rest = append(rest, keys[ws[i].start:ws[i+n-1].end])
		}
		i += n
	}
	return strings.Join(rest, " ") + line[len(strings.TrimRight(line, aroundMarks+questionMarks)):]
}

// chats reports whether a line of several words is not about orders, and all its words are
// known.
func (v *remarkWords) chats(line string) bool {
	if len(line) > maxSaid {
		return false
	}
	m := remark{text: plainText(line)}
	m.keys, m.words = remarkTokens(m.text)
	return len(m.words) > 1 && v.weigh(m, v.languages([]remark{m})) == harmless
}

// stating are words that occur in sentences but not in orders.
var stating = words(`i im ive you youre we they me us them am is are was were has have had seems seem looks look feel feels ich du wir ihr mich mir ist sind war waren hat habe haben je tu nous vous est sont suis ai avons
	io tu noi voi sono ho hai ha siamo yo tú nosotros es son estoy has hay ik jij wij zijn heb heeft is was eu você nós são estou tem jestem jest są mam masz jag är har jeg er`)

// perTerm is how many words a sentence has at least for each word of orders.
const perTerm = 4

// partOfOrder reports whether a remark may be a part of an order: it has a number, or a
// word of orders without a chatty one next to it, "my ships are cursed", and is not a
// sentence: "I like your ships so much".
func (v *remarkWords) partOfOrder(m remark, active languages) bool {
	terms, all, speaks, states := 0, 0, false, false
	for i := 0; i < len(m.words); {
		t := m.words[i]
		key := m.keys[t.start:t.end]
		if t.number {
			return true
		}
		n, w := v.phrase(m.keys, m.words[i:], active)
		speaks = speaks || w == chatty
		if all++; spelled(key) && !stops[key] && !common[key] || nearVerb(key, 5) && v.find(key) == (sense{}) {
			terms++
		}
		states = states || stating[key]
		i += max(n, 1)
	}
	return terms > 0 && !speaks && !(states && terms*perTerm <= all)
}

// chatty reports whether a line has a chatty word of its language: Hungarian "tó" does not
// mean English "to".
func (v *remarkWords) chatty(line string) bool {
	m := remark{text: clip(line, maxSaid)}
	m.keys, m.words = remarkTokens(m.text)
	active := v.languages([]remark{m})
	return slices.ContainsFunc(m.words, func(t remarkToken) bool {
		return v.find(m.keys[t.start:t.end]).chatty&active != 0
	})
}

// counts reports whether a remark counts in a signature: it is short and asks, begins with
// words that take back, has a phrase that takes back or, if it has few words or no capital
// letter, doubts.
func (v *remarkWords) counts(m remark, active languages) bool {
	most := maxShort
	if m.loose {
		most = maxSigned
	}
	if len(m.words) == 0 || len(m.words) > most || slices.ContainsFunc(companies, func(c string) bool { return strings.HasSuffix(m.keys, c) || c[0] > ' ' && strings.Contains(m.keys, c) }) {
		return false
	}
	if v.find(m.keys).alone != 0 || asks(m.text) {
		return true
	}
	title := !slices.ContainsFunc(m.words, func(t remarkToken) bool { return !t.capital })
	for i := range m.words {
		switch n, w := v.phrase(m.keys, m.words[i:], active); {
		case w == takesBackAll && (i == 0 || n > 1), w >= mild && (len(m.words) <= maxDoubting || len(m.words) > maxShort || !m.words[0].capital) && !(title && len(m.words) > n):
			return true
		}
	}
	return false
}

// companies are ends of company names, which signatures have: "Example Ltd".
var companies = []string{" ltd", " ltda", " gmbh", " srl", " s r l", " a s", " s a", " inc", " llc", " plc", " oy", " ab", " sarl", " sas", " spa", " s p a", " kft", " bv", " b v", " s r o", " z o o",
	" aps", " αε", " ооо", " тов", " בע מ", "有限公司", "株式会社", "주식회사"}

// maxDoubting bounds the words of a line of a signature that may doubt despite a capital
// letter.
const maxDoubting = 3

// announces reports whether the heading above orders only announces them: all of its words
// are those of phrases around orders.
func (v *remarkWords) announces(head string) bool {
	keys, ws := remarkTokens(head)
	for i := 0; i < len(ws); {
		n := min(v.longest, len(ws)-i)
		for ; n > 0; n-- {
			key := keys[ws[i].start:ws[i+n-1].end]
			if s := v.find(key); s.around != 0 || n > 1 && s.harmless != 0 || n == 1 && (announces[key] || around[key] || fillers[key] || courteous[key] || ws[i].number) {
				break
			}
		}
		if n == 0 {
			return false
		}
		i += n
	}
	return true
}

// run weighs a run of a script without blanks.
func (v *remarkWords) run(text string) (w weight) {
	var rest strings.Builder
	speaks := harmless // of something else
	for len(text) > 0 {
		n := longest(text, func(s string) bool {
			f := v.find(s)
			return f.doubt|f.takeBack|f.no|f.harmless|f.around|f.mild|f.chatty != 0
		})
		if n > 0 {
			switch f := v.find(text[:n]); {
			case f.harmless|f.around != 0:
			case f.takeBack != 0:
				w = takesBackAll
			case (f.doubt|f.no)&^f.mild != 0:
				w = max(w, doubtful)
			case f.doubt|f.no != 0:
				w = max(w, mild)
			case f.chatty != 0:
				speaks = chatty
			}
			rest.WriteByte(' ')
		} else {
			_, n = utf8.DecodeRuneInString(text)
			rest.WriteString(text[:n])
		}
		text = text[n:]
	}
	if speaks == chatty && w <= mild {
		return chatty
	}
	for _, part := range wordsIn(rest.String()) {
		for len(part) > 0 && w == harmless {
			n := longest(part, func(s string) bool { return v.find(s).everyday != 0 })
			if n == 0 {
				w = unknown
			}
			part = part[n:]
		}
	}
	return w
}

// maxJoined bounds the runes of a phrase or word of a script without blanks.
const maxJoined = 10

// longest returns the length of the longest beginning of text for which ok holds, 0 if
// there is none.
func longest(text string, ok func(string) bool) (n int) {
	end := 0
	for range maxJoined {
		if end == len(text) {
			break
		}
		_, size := utf8.DecodeRuneInString(text[end:])
		if end += size; ok(text[:end]) {
			n = end
		}
	}
	return n
}

// everyday reports whether a word of a remark is harmless: an everyday word or nearly one, a name, a number,
// laughter, a word of orders. first tells that it begins the remark.
func (v *remarkWords) everyday(word string, t remarkToken, first bool) bool {
	switch {
	case t.number, utf8.RuneCountInString(word) < 2, t.capital && !first, laughs(word):
		return true
	case spelled(word), courteous[word], v.find(word).spoken() != 0:
		return true
	}
	for _, particle := range particles {
		if rest, ok := strings.CutPrefix(word, particle); ok && v.find(rest).spoken() != 0 {
			return true
		}
	}
	for _, article := range elided {
		if rest, ok := strings.CutPrefix(word, article); ok && strings.IndexAny(rest, "aeiouhy") == 0 && len(rest) > 2 && v.find(rest).spoken() != 0 {
			return true
		}
	}
	return v.inflected(word)
}

// minStem is how many letters an inflected word must share with a known one.
const minStem = 6

// inflected reports whether a word is, but for up to two letters at its end, an everyday
// word that doubts nothing: "glaciers", like "glacier".
func (v *remarkWords) inflected(word string) bool {
	at := v.search(word)
	for _, i := range []int{at - 1, at} {
		if i < 0 || i >= len(v.ends) {
			continue
		}
		key, s := v.key(i), v.senses[v.which[i]]
		n := 0
		for n < len(key) && n < len(word) && key[n] == word[n] {
			n++
		}
		if utf8.RuneCountInString(word[:n]) >= minStem && utf8.RuneCountInString(word[n:]) <= 2 && utf8.RuneCountInString(key[n:]) <= 2 && s.everyday|s.harmless != 0 && s.doubt|s.takeBack|s.no|s.mild == 0 {
			return true
		}
	}
	return false
}

// laughs reports whether a word is laughter: haha, jajaja, kkkk, ахаха.
func laughs(word string) bool {
	n := utf8.RuneCountInString(word)
	if n < 3 || n > 40 {
		return false
	}
	var seen []rune
	for _, r := range word {
		if !slices.Contains(seen, r) {
			seen = append(seen, r)
		}
	}
	return len(seen) <= 2 && n >= 2*len(seen)
}

// particles precede words without a blank in Arabic and Hebrew.
var particles = wordsIn("وال بال فال لل ال و ف ب ل ك ה ו ב ל כ ש מ וה שה בה")

// conjunctions precede phrases without a blank in Arabic and Hebrew.
var conjunctions = []string{"", "ו", "ש", "וש", "و", "ف"}

// elided are words that lose their last vowel before another in French and Italian.
var elided = wordsIn("l d j m n s t c qu un all dall dell nell sull coll bell quell quest jusqu lorsqu puisqu quelqu")
