package order

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// The rest of a letter decides whether its orders are meant, anywhere in the letter. The
// writer's own text is weighed as a whole:
//
//	harmless   greetings, closings, names, signatures, everyday words
//	unknown    a word that is in no list of everyday words: we ask about steps that cannot
//	           be undone, and play the rest
//	doubtful   a question mark, or words that take back, doubt, put off, suppose or refuse:
//	           nothing is played before a yes
//
// Messages, comments, links, addresses and quotation do not count. In a signature only
// short lines that take back, doubt or ask count, and what follows "PS": slogans and
// disclaimers are full of words that would be doubtful elsewhere. The words are data
// (remarkwords.go).

// A weight is what a text means for the orders next to it.
type weight uint8

const (
	harmless weight = iota
	chatty          // of a word: it speaks of something other than orders
	unknown
	mild // of a word: doubtful, but not in a chatty clause
	doubtful
	takesBackAll // doubtful, and so plain that it counts in a signature, too
)

// A remark is a paragraph of the writer's own text.
type remark struct {
	line   int // the first, from 1
	text   string
	keys   string // of its words, with blanks between them
	words  []remarkToken
	active languages // that it may be written in: the letter's, or both that and its own
	signed bool      // it is in the signature
	loose  bool      // in a paragraph there that nothing shows to be one
	polite bool      // a greeting or a closing: unknown words in it are fine
	listed bool      // one that is listed
	no     bool      // a lone "no" or the like below orders
	heads  string    // its last sentence, if that ends with a colon above orders: "Old version:"
}

// maxRemark bounds what an answer quotes of a remark, in bytes.
const maxRemark = 80

// maxRemarks bounds the bytes of a letter's remarks that are weighed. Longer ones count as
// if they had unknown words.
const maxRemarks = 2 << 10

// maxParagraph bounds the bytes of lines that are weighed together.
const maxParagraph = 2 << 10

// maxShort bounds the words of a line of a signature that may take back, and maxSigned
// those of a paragraph that nothing proves to be a signature.
const maxShort, maxSigned = 8, 60

// A verdict is what a letter says besides its orders, weighed.
type verdict struct {
	worst   weight
	said    string // by these words
	remarks []remark
}

// weighed weighs what the letter says besides its orders. end is the letter's closing.
func (r *letterReader) weighed(end int) verdict {
	remarks := r.remarks(end)
	v := wordsOfRemarks()
	worst, said := harmless, ""
	besides := false // something but a lone "no" doubts the orders
	size := 0
	for i := range remarks {
		if size += len(remarks[i].text); size > maxRemarks {
			if m := remarks[len(remarks)-1]; !m.signed {
				worst, said, besides = unknown, clip(trim(m.text), maxRemark), true
			}
			remarks = remarks[:i]
			break
		}
		m := &remarks[i]
		m.text = plainText(m.text)
		m.keys, m.words = remarkTokens(m.text)
	}
	letters := v.languages(remarks)
	for i := range remarks {
		m := &remarks[i]
		m.active = letters
		if own := v.languages(remarks[i : i+1]); own&letters == 0 {
			m.active |= own
		}
		w := v.weigh(*m, m.active)
		switch {
		case m.no:
			w = takesBackAll
		case m.heads != "" && w < doubtful && !v.announces(m.heads):
			w = doubtful
		}
		if r.Back == 0 && (w == takesBackAll || v.find(m.keys).no&m.active != 0) {
			r.Back = m.line
		}
		switch {
		case m.signed && !v.counts(*m, m.active):
			continue
		case m.polite && w == unknown:
			continue
		case m.no && Key(trim(m.text)) == "no", v.find(m.keys).no&m.active != 0:
			r.No = m.line
		case w > harmless:
			besides = true
		}
		switch {
		case w > worst:
			worst, said = w, clip(trim(m.text), maxRemark)
		}
	}
	if besides {
		r.No = 0
	}
	return verdict{worst, said, remarks}
}

// `beside` marks the items that the letter's remarks concern.
func (r *letterReader) beside(v verdict) {
	worst, said := v.worst, v.said
	switch worst {
	case harmless:
		return
	case unknown:
		r.strange(v)
	}
	r.Items = slices.DeleteFunc(r.Items, func(it Item) bool { // the answer quotes it already, so it doesn't have to report it as text without an order
		quoted := it.Problem != nil && it.Problem.Code == NoOrder && trim(it.Text) == said
		if quoted {
			r.Passed = append(r.Passed, it.Line)
		}
		return quoted
	})
	slices.Sort(r.Passed)
	for i := range r.Items {
		it := &r.Items[i]
		if it.Word.Kind == Yes && worst == takesBackAll {
			it.Doubt, it.Beside = DoubtBeside, said
		}
		if it.Problem != nil || it.Doubt != "" || it.Clause != nil && !it.Clause.Readable() || it.Clause == nil && (it.Word.Kind == NoWord || !it.Word.Changes() || speaks(it.Word)) {
			continue
		}
		it.Beside = said
		switch final := it.Clause == nil && vocables[it.Word.Kind].final; {
		case worst == takesBackAll, final, worst == doubtful && (it.Clause != nil || plays(it.Word.Kind)):
			it.Doubt = DoubtBeside
		}
	}
}

// maxStrangers bounds the paragraphs of a signature that is known by its repetition.
const maxStrangers = 8

// strange lists the paragraphs with unknown words, if all of them are below the orders.
func (r *letterReader) strange(v verdict) {
	last := 0
	for i := range r.passages {
		if r.passages[i].what < prose {
			last = r.passages[i].line
		}
	}
	for _, m := range v.remarks {
		if w := wordsOfRemarks().weigh(m, m.active); w != unknown || m.signed || m.polite {
			continue
		}
		if r.Strange = append(r.Strange, m.keys); m.line < last || len(r.Strange) > maxStrangers {
			r.Strange = nil
			return
		}
	}
}

// Familiar removes the doubt from the items if the letter has unknown words only in its
// signature.
func (l *Letter) Familiar() {
	for i := range l.Items {
		if it := &l.Items[i]; it.Beside != "" {
			if it.Beside = ""; it.Doubt == DoubtBeside {
				it.Doubt = ""
			}
		}
	}
}

// AnswersNo makes the lone "no" next to the orders the answer to the server's question,
// with line as its text. It then doubts nothing.
func (l *Letter) AnswersNo(line string) {
	l.Familiar()
	l.Items = slices.DeleteFunc(l.Items, func(it Item) bool { return it.Line == l.No })
	at := slices.IndexFunc(l.Items, func(it Item) bool { return it.Line > l.No })
	if at < 0 {
		at = len(l.Items)
	}
	l.Items = slices.Insert(l.Items, at, Item{Line: l.No, Text: clip(line, MaxLine), Word: Word{Kind: No}})
}

// plays reports whether a word plays a turn, or takes one back. A question next to any
// other word, such as join or vacation, does not put it in doubt.
func plays(k WordKind) bool {
	return k == Plan || k == Undo || k == Always || k == TakeBack
}

// speaks reports whether remarks next to a word cannot take it back: it is an answer or a
// setting, or has text of its own, such as a message, a ruling, a league's file or a new
// game.
func speaks(w Word) bool {
	switch v := vocables[w.Kind]; {
	case w.Kind == Yes || w.Kind == No || w.Kind == Never, v.group == ForTalk && !v.final:
		return true
	default:
		return v.below != nothing
	}
}

// takesBackLine reports whether a line begins with a phrase of at least two words that
// takes back: "cancel that, please".
func takesBackLine(line string) bool {
	if len(line) > maxSaid || lines[Key(line)] != nil {
		return false
	}
	keys, ws := remarkTokens(line)
	if len(ws) < 2 || ws[0].joined {
		return false
	}
	if n, w := wordsOfRemarks().phrase(keys, ws, ^languages(0)); n < 2 || w != takesBackAll {
		return false
	}
	items := readLine(1, line)
	return !readable(items) || items[0].Clause == nil // "I pass" is an order
}

// isSaying reports whether a line that begins as a standing order is a listed phrase: "never a dull
// moment".
func isSaying(line string) bool {
	first, _ := cutWord(clip(line, maxBeginning))
	if key := Key(first); key != "always" && key != "never" || len(line) > maxSaid {
		return false
	}
	w, p, ok := ReadWord(line)
	keys, _ := remarkTokens(line)
	return ok && w.Kind == Always && p != nil && wordsOfRemarks().find(keys).idle()
}

// remarks returns the paragraphs of the writer's own text.
func (r *letterReader) remarks(end int) (all []remark) {
	ps := r.passages
	signed := r.signature(end)
	open := false // the last remark goes on
	loose := false
	size := 0
	for i := range ps {
		p := &ps[i]
		if i == 0 || p.apart || p.gap {
			loose = !r.signsParagraph(i)
		}
		disclaimer := p.long && signs(r.lines[p.line-1])
		if p.what >= prose && i < signed && !disclaimer {
			size += len(r.lines[p.line-1])
		}
		if size > maxRemarks { // it is more than is weighed
			return append(all, remark{line: p.line, text: r.lines[p.line-1]})
		}
		text := cutComment(clip(r.lines[p.line-1], 2*maxRemarks))
		goesOn := open && !p.apart && !p.gap
		open = false
		if i+1 >= signed && postscript(text) { // what follows belongs to it
			for signed = i + 1; signed < len(ps) && !ps[signed].apart && !ps[signed].gap; signed++ {
			}
		}
		switch {
		case p.typed, p.what == whole && p.items[0].Problem != nil && asks(text): // it may be no word at all
			all = append(all, remark{line: p.line, text: text, polite: true})
		case r.heads(i) != "" && (p.what == asking || p.what == message && strings.HasSuffix(trim(p.items[0].Word.Text), ":")): // "history:", "say I do this:"
			all = append(all, remark{line: p.line, text: text, heads: r.heads(i)})
		case p.what == message && strings.HasPrefix(strings.ToLower(trim(text)), "say,"): // "say, for argument's sake, I did this"
			all = append(all, remark{line: p.line, text: text})
		case p.aside != "":
			all = append(all, remark{line: p.line, text: p.aside})
		case (p.what <= asking && !p.sure || p.what == message && strings.Contains(trim(text), " ")) && len(text) <= maxSaid && r.headsDraft(text), p.what == ordering && r.trails(i):
			if at := tailOf(text); at > 0 {
				text = text[at:]
			}
			all = append(all, remark{line: p.line, text: text, polite: true})
		case r.refuses(i):
			all = append(all, remark{line: p.line, text: text, no: true})
		case p.what == greeting || p.what == closing:
			all = append(all, remark{line: p.line, text: text, polite: true, listed: true, signed: i > end})
		case p.what != prose && !(p.what == faulty && len(p.items) > 0 && p.items[0].Clause != nil) && !(p.what == deciding && p.items[0].Problem != nil):
		case i >= signed, disclaimer:
			all = append(all, remark{line: p.line, text: text, signed: true, loose: loose})
		case r.politeByPlace(i):
			all = append(all, remark{line: p.line, text: text, polite: true})
		case goesOn:
			last := &all[len(all)-1]
			last.text += " " + text
			last.heads = r.heads(i)
			open = len(last.text) < maxParagraph
		default:
			all = append(all, remark{line: p.line, text: text, heads: r.heads(i)})
			open = true
		}
	}
	return all
}

// headsDraft reports whether a line that was read as an order is only the heading of a
// draft: "to do:".
func (r *letterReader) headsDraft(line string) bool {
	keys, ws := remarkTokens(line)
	return wordsOfRemarks().alone(keys, ws, 0)
}

// trails reports whether a line of orders has text after a mark or a name, which may have
// been read as a part of the name.
func (r *letterReader) trails(i int) bool {
	text := cutComment(r.lines[r.passages[i].line-1])
	return len(text) <= maxSaid && tailOf(text) > 0
}

// tailOf returns the index of the text after a mark or a name, 0 if there is none.
func tailOf(line string) int {
	at := 0
	start := opening(line)
	for _, mark := range []string{"(", "（", " - ", " – ", " — ", "...", "…", ", ", ". "} {
		if i := strings.Index(line[start:], mark); i > 0 && (at == 0 || start+i < at) {
			at = start + i
		}
	}
	if i := strings.Index(line, " from "); i > 0 { // "from Carla not convinced": names have capitals
		name, rest := cutWord(line[i+len(" from "):])
		if first, _ := utf8.DecodeRuneInString(trim(rest)); unicode.IsLetter(first) && !unicode.IsUpper(first) && (at == 0 || i < at) {
			at = i + len(" from ") + len(name)
		}
	}
	return at
}

// politeByPlace reports whether prose is a greeting or a closing by its place: the letter's
// first line if it is short and a paragraph of its own, or the line above or before the
// author's name.
func (r *letterReader) politeByPlace(i int) bool {
	ps := r.passages
	line := r.lines[ps[i].line-1]
	if len(line) > maxSaid {
		return false
	}
	ws := wordsIn(Key(line))
	if ps[i].what != prose || len(ws) == 0 || len(ws) > maxPhrase || r.heads(i) != "" {
		return false
	}
	if i == 0 {
		return i+1 < len(ps) && (ps[1].apart || ps[1].what != prose)
	}
	if i+1 < len(ps) && ps[i+1].what == name {
		return true
	}
	last := ws[len(ws)-1]
	return len(ws) > 1 && len(last) > 1 && slices.Contains(r.names, last)
}

// heads returns the last sentence of passage i if it ends with a colon and orders follow
// it.
func (r *letterReader) heads(i int) string {
	ps := r.passages
	text := strings.TrimRight(r.lines[ps[i].line-1], "*_ ")
	if i+1 == len(ps) || !ps[i+1].order() || len(text) > maxSaid || !strings.HasSuffix(text, ":") && !strings.HasSuffix(text, "：") {
		return ""
	}
	return text[strings.LastIndexAny(text, ".!…")+1:]
}

// refuses reports whether passage i is a lone "no" or "stop" below orders to which it
// hardly belongs, or "cancel", which is a word about the whole game.
func (r *letterReader) refuses(i int) bool {
	ps := r.passages
	p := &ps[i]
	if p.what > deciding || len(p.items) == 0 {
		return false
	}
	line := trim(r.lines[p.line-1])
	key := Key(line)
	if _, word := lastWord(key); word == "no" && len(p.items) == 1 && key != word { // "haha no"
		key = word
	}
	if key == "no" && !ascii(line) { // "nö"
		return true
	}
	if i == 0 || !slices.ContainsFunc(ps[:i], func(p passage) bool { return p.what == ordering && p.items[0].Clause != nil }) {
		return false
	}
	last := p.items[len(p.items)-1]
	switch {
	case len(p.items) == 1 && last.Word.Kind == Cancel:
		return true
	case len(p.items) > 1: // "inject a12 row 3. stop!"
		key = Key(last.Text)
		return (key == "no" || key == "stop") && strings.HasSuffix(line, "!")
	case key == "no":
		return true
	case key != "stop":
		return false
	}
	above := ps[i-1]
	return p.apart || strings.ToUpper(line) == line || strings.HasSuffix(line, "!") || above.what == ordering && above.bare
}

// postscript reports whether a line adds something below the signature.
func postscript(line string) bool {
	first, rest := cutWord(trim(line))
	switch strings.ReplaceAll(Key(first), " ", "") {
	case "ps", "pps", "nb", "edit", "update", "correction", "btw":
		return true
	case "p":
		second, _ := cutWord(rest)
		return Key(second) == "s"
	}
	return false
}

// signature returns the index of the first passage of the letter's signature: the text
// below the closing or the author's name, or a last paragraph that looks like one. It
// returns len(passages) if there is none.
func (r *letterReader) signature(end int) int {
	ps := r.passages
	if end < len(ps) {
		return end + 1
	}
	last := -1
	for i, p := range ps {
		if p.what < prose || p.what == preceding {
			last = i
		}
	}
	for i := last + 1; i < len(ps); i++ {
		switch {
		case r.ruled == i && i > 0:
			return i
		case ps[i].what == name:
			return i + 1
		}
		if !ps[i].apart && !ps[i].gap {
			continue
		}
		if r.signsParagraph(i) {
			return i
		}
	}
	return len(ps)
}

// signsParagraph reports whether the paragraph that begins with passage i has the author's name
// or a line that shows that it is a signature.
func (r *letterReader) signsParagraph(i int) bool {
	ps := r.passages
	for k := i; k < len(ps) && (k == i || !ps[k].apart && !ps[k].gap); k++ {
		if ps[k].what == name || signs(r.lines[ps[k].line-1]) {
			return true
		}
	}
	return false
}

// signs reports whether a line in a letter's last paragraphs is typical of a signature: an
// address, a phone number, a slogan in quotation marks, a program's footer, a disclaimer.
func signs(line string) bool {
	line = trim(clip(line, maxSaid))
	if strings.Contains(line, "://") || strings.Contains(line, "www.") || strings.ContainsRune(line, '@') && address(line) != "" {
		return true
	}
	first, _ := utf8.DecodeRuneInString(line)
	digits := 0
	for _, c := range line {
		if unicode.IsDigit(c) {
			digits++
		}
	}
	if digits >= 6 || len(line) > 12 && strings.ContainsRune("\"“„«»‚‘”「『", first) {
		return true
	}
	key := " " + Key(line)
	return slices.ContainsFunc(disclaimers, func(s string) bool { return strings.Contains(key, s) })
}

// disclaimers are beginnings of words that footers and disclaimers use in the reader's
// languages.
var disclaimers = func() (all []string) {
	for _, w := range wordsIn(`android iphone ipad outlook yahoo samsung galaxy thunderbird smartphone confidential disclaimer intended privileged vertraulich confidentiel confidencial riservat confidenziale poufn vertrouwelijk
		konfidentiel konfidensiel konfidentiell fortrolig luottamuksell duvern dovern bizalmas εμπιστευτικ конфиденциал конфіденц gizlidir سرية סודי 機密 保密 机密 기밀
		gdpr rgpd dsgvo liability haftung virus viren brevity offerta oferta офертой imprim stampar ausdrucken afdrukken drukowa utskrift
		addressee recipient empfänger destinataire destinatari adresat ontvanger geadresseerd mottagare mottaker modtager vastaanottaj adresát címzett alıcı παραλήπτ адресат адресату отримувач получател المرسل נמען לנמען 宛先 受信者 收件人 수신인 수신자`) {
		w = Key(w)
		if r, _ := utf8.DecodeRuneInString(w); r < 0x3000 {
			w = " " + w
		}
		all = append(all, w)
	}
	return append(all, received...)
}()

// received are phrases of disclaimers about unintended recipients, and about printing.
var received = []string{" received it in error", " received this", " got it in error", " print this", " named person", " recu par erreur", " recibido por error", " ricevuto per errore", " recebido por engano", " recebeu por engano",
	" primit din gre", " irrtumlich erhalten", " ongeluk ontvangen", " personne nommee", " decline toute responsabilite", " responsabilidad por", " constitute a"}

// questionMarks are those of all scripts. After Greek letters a semicolon is one, too.
const questionMarks = "?？؟՞⁇⁈⁉‽¿﹖❓❔፧꘏꛷⸮"

// hesitant are emoji that take back or doubt.
const hesitant = "😬🤔🧐✋🛑⏸⏳⌛🚫❌🙅🤷⛔👎🤨😕✖🙈🫤🤦😟🥴"

// plainText is a text without its links and addresses.
func plainText(text string) string {
	return strings.Join(slices.DeleteFunc(wordsIn(text), func(part string) bool {
		return strings.Contains(part, "://") || strings.HasPrefix(part, "www.") || strings.Contains(strings.Trim(part, "@"), "@")
	}), " ")
}

// weigh returns what a remark means for the letter's orders. active are the languages that
// the letter may be written in.
func (v *remarkWords) weigh(m remark, active languages) (w weight) {
	text := m.text
	if strings.ContainsAny(text, questionMarks) || strings.ContainsAny(text, hesitant) || greekQuestion(text) {
		return doubtful
	}
	ws := m.words
	if v.alone(m.keys, ws, active) {
		return doubtful
	}
	if len(ws) > 1 && len(ws) <= maxCondition && ws[1].capital {
		first := v.find(m.keys[ws[0].start:ws[0].end])
		if first.doubt != 0 || first.alone != 0 && len(ws) == 2 { // "om Bob passar", "看Bob"
			return doubtful
		}
	}
	if len(ws) == 0 && (strings.Contains(text, "…") || strings.Contains(text, "...")) {
		return doubtful
	}
	strange, known := 0, 0
	var here clause
	for i := 0; i < len(ws); {
		if ws[i].starts {
			w, strange = here.close(w, strange)
			here = clause{}
		}
		here.words++
		n, weighs := v.phrase(m.keys, ws[i:], active)
		switch {
		case m.polite && n <= 1 && (m.listed || len(ws) > 1 && ws[i].end-ws[i].start > maxArticle) && courteous[m.keys[ws[i].start:ws[i].end]]:
		case weighs >= doubtful:
			w = max(w, weighs)
		case weighs == mild:
			here.mild = true
		case weighs == chatty:
			here.chatty = true
			known++
		case weighs == unknown:
			here.strange++
		case n == 0 && v.everyday(m.keys[ws[i].start:ws[i].end], ws[i], i == 0):
			known++
			here.named = here.named || ws[i].capital && !ws[i].starts && ws[i].end-ws[i].start >= minName && active&v.capitals == 0 && v.find(m.keys[ws[i].start:ws[i].end]) == (sense{})
		case n == 0:
			here.strange++
		}
		i += max(n, 1)
	}
	w, strange = here.close(w, strange)
	if strange > 0 && strange*maxStrange > known {
		w = max(w, unknown)
	}
	return w
}

// A clause is a part of a remark between two marks. A chatty clause, "my children never
// find their shoes", is not about the orders: its mild doubts do not count, and it may have
// strange words. Mild doubts do not count in a clause about another player either: "Carla
// never loses".
type clause struct {
	chatty, mild, named bool
	words, strange      int // words: phrases count once
}

// minName is the least number of bytes of a name.
const minName = 3

// minNamed is the least number of words of a clause about another player.
const minNamed = 4

// close adds the weight of the clause to w and strange.
func (c clause) close(w weight, strange int) (weight, int) {
	switch {
	case c.chatty:
		return w, strange
	case c.mild && !(c.named && c.words >= minNamed):
		w = max(w, doubtful)
	}
	return w, strange + c.strange
}

// maxStrange is how many everyday words one strange word needs around it for a remark to be
// harmless all the same.
const maxStrange = 3

// maxCondition bounds the words of a condition that its first word and a name reveal.
const maxCondition = 4

func greekQuestion(text string) bool {
	bare := strings.TrimRight(text, " .!")
	if !strings.HasSuffix(bare, ";") && !strings.Contains(bare, "\u037e") {
		return false
	}
	return strings.ContainsFunc(bare, func(r rune) bool { return unicode.Is(unicode.Greek, r) })
}

// A remarkToken is a word of a remark: the place of its key in the remark's keys, and how
// it is written.
type remarkToken struct {
	start, end int
	capital    bool
	number     bool
	joined     bool // of a script without blanks: the word is a run of it
	starts     bool // a clause
}

// clauseMarks end clauses.
const clauseMarks = ".,!?…;:()–—。、，！？；：（）،؛؟\n"

// remarkTokens cuts a text into words. keys has their keys, with blanks between them.
func remarkTokens(text string) (keys string, all []remarkToken) {
	var b strings.Builder
	look(len(text))
	starts := true
	text = apostrophes.Replace(text)
	for len(text) > 0 {
		end := strings.IndexFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) })
		if end == 0 {
			r, size := utf8.DecodeRuneInString(text)
			starts = starts || strings.ContainsRune(clauseMarks, r) || strings.HasPrefix(text, " - ")
			text = text[size:]
			continue
		}
		if end < 0 {
			end = len(text)
		}
		part := text[:end]
		text = text[end:]
		for len(part) > 0 {
			first, _ := utf8.DecodeRuneInString(part)
			asian := unblanked(first)
			cut := strings.IndexFunc(part, func(r rune) bool { return unblanked(r) != asian })
			if cut < 0 {
				cut = len(part)
			}
			run := part[:cut]
			part = part[cut:]
			key := remarkKey(run)
			if key == "" {
				continue
			}
			if n := len(all); asian && n > 0 && all[n-1].joined && !starts { // blanks say nothing there
				b.WriteString(key)
				all[n-1].end = b.Len()
				continue
			}
			if b.Len() > 0 {
				b.WriteByte(' ')
			}
			t := remarkToken{start: b.Len(), end: b.Len() + len(key), joined: asian, starts: starts, capital: unicode.IsUpper(first), number: strings.ContainsFunc(run, unicode.IsDigit)}
			b.WriteString(key)
			all = append(all, t)
			starts = false
		}
	}
	return b.String(), all
}

// unblanked reports whether a rune belongs to a script that puts no blanks between words, or
// joins particles to them.
func unblanked(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul) || r == 'ー'
}

// remarkKey returns the form of a text in which remarks are compared: a key without the
// diacritics of Greek, Cyrillic and Arabic letters, which people leave out.
func remarkKey(s string) string {
	key := contracted(s)
	if ascii(key) {
		return key
	}
	return lessMarks.Replace(key)
}

func ascii(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

var lessMarks = strings.NewReplacer("ά", "α", "έ", "ε", "ή", "η", "ί", "ι", "ϊ", "ι", "ΐ", "ι", "ό", "ο", "ύ", "υ", "ϋ", "υ", "ΰ", "υ", "ώ", "ω", "ς", "σ",
	"ё", "е", "أ", "ا", "إ", "ا", "آ", "ا", "ة", "ه", "ى", "ي")
