package letter

import (
	"fmt"
	"hash/fnv"
	"io"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"angelpost/engine/incoming"

	"golang.org/x/net/html/charset"
	"golang.org/x/text/unicode/norm"
)

// A line is one line of a letter's text. Depth counts the quotation marks (or HTML quote
// elements) around it; why is set if HTML itself says that it is not the author's; soft marks
// the first line of quotation whose end nothing marks.
type line struct {
	text  string // cleaned
	depth int
	why   Why
	soft  bool

	struck bool   // something in it is struck through,
	left   string // and this is not; cleaned
	faint  bool   // something in it has the colour of its ground

	dated bool // lookAhead: there is a date or a time of day in it,
	named bool // and an address, our name or the author's

	// What lookAhead found below it.
	marked bool  // the next line with text, this one if it has any, is marked quotation
	block  block // of header fields, from this line on
	any    anyBlock
}

// utf8Text decodes bytes of a charset. Without a (known) charset they are
// UTF-8 if valid, else windows-1252, which is what such letters mostly are.
func utf8Text(b []byte, label string) string {
	look(len(b))
	label = strings.ToLower(strings.Trim(label, ` "'`))
	switch label {
	case "", "us-ascii", "ascii", "utf-8", "utf8", "unknown-8bit", "iso-8859-1", "x-unknown":
		if utf8.Valid(b) { // also the letters that say Latin-1 and are not
			return string(b)
		}
		if strings.HasPrefix(label, "utf") {
			return strings.ToValidUTF8(string(b), "\uFFFD")
		}
		label = "windows-1252"
	}
	text, ok := charsetText(b, label)
	if !ok && utf8.Valid(b) {
		return string(b)
	}
	if !ok {
		text, _ = charsetText(b, "windows-1252")
	}
	return text
}

// charsetReader decodes RFC 2047 words of any charset.
func charsetReader(label string, r io.Reader) (io.Reader, error) {
	b, err := io.ReadAll(io.LimitReader(r, MaxHeader))
	if err != nil {
		return nil, fmt.Errorf("encoded word: %w", err)
	}
	return strings.NewReader(utf8Text(b, label)), nil
}

// clean puts a line into the form in which it is handed on: NFC, without
// invisible characters, white space as single spaces, none at the ends.
func clean(s string) string {
	look(len(s))
	if isClean(s) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	space := false
	for _, r := range s {
		switch {
		case unicode.IsSpace(r), r == '\u00A0', r == '\u2007', r == '\u202F', r == '\u3164':
			space = true
			continue
		case unicode.Is(unicode.Cf, r), unicode.IsControl(r), r == '\uFEFF', r == '\u034F', r == '\u00AD':
			continue // zero-width, soft hyphens, directions; iOS quotes begin with one
		case unicode.Is(unicode.Variation_Selector, r):
			continue
		}
		if space && b.Len() > 0 {
			b.WriteByte(' ')
		}
		space = false
		b.WriteRune(r)
	}
	return norm.NFC.String(b.String())
}

// isClean recognises ASCII that is clean already, as most lines are.
func isClean(s string) bool {
	before := byte(' ')
	for i := range len(s) {
		if c := s[i]; c < ' ' || c > '~' || c == ' ' && before == ' ' {
			return false
		}
		before = s[i]
	}
	return s == "" || before != ' '
}

// readText finds the text of a letter: text/plain if there is any, else HTML.
// trouble is TooLarge or Broken, or empty.
func readText(top *part) (text []line, trouble incoming.Class) {
	text, trouble, _ = openText(top)
	return text, trouble
}

// openText is readText, and says whether what makes a letter Broken is that it is encrypted.
func openText(top *part) (text []line, trouble incoming.Class, sealed bool) {
	top.leaves(func(p *part) {
		switch p.typ {
		case "application/pgp-encrypted", "application/pkcs7-mime", "application/x-pkcs7-mime":
			sealed = true
		}
	})
	room := fullRoom()
	t := textOf(top, &room)
	if t.blank && !t.large { // then what looks like a file is the letter
		top.leaves(func(p *part) { p.alone = true })
		room.lines = MaxLines
		if alone := textOf(top, &room); !alone.blank || alone.large {
			t = alone
		}
	}
	if t.large || len(t.lines) > MaxLines {
		return nil, incoming.TooLarge, false
	}
	if t.lines == nil && (sealed || !t.found) {
		return nil, incoming.Broken, sealed
	}
	text, armored := unarmored(t.lines)
	if armored && !slices.ContainsFunc(text, func(l line) bool { return l.depth == 0 && hasWord(l.text) }) {
		return nil, incoming.Broken, true
	}
	return text, "", false
}

// aText is what was found to read in a part.
type aText struct {
	lines []line
	said  uint64 // key, once computed
	blank bool   // there is not a letter or digit to read
	html  bool
	tells bool // it is HTML, and how the author's own text is shown says more than its words
	found bool // there was a part with text, be it empty
	large bool
}

// key is the same for texts of the same words.
func (t *aText) key() uint64 {
	if t.said == 0 {
		h := fnv.New64a()
		for _, l := range t.lines {
			for _, w := range words(l.text) {
				h.Write([]byte(w))
				h.Write([]byte{' '})
			}
		}
		t.said = h.Sum64()
	}
	return t.said
}

// room is what the text of a letter may still take, all its parts together.
type room struct{ octets, lines int }

func fullRoom() room { return room{MaxText, MaxLines} }

// takes reports whether a part of so many octets is read.
func (r *room) takes(b []byte) bool {
	r.octets -= len(b)
	return r.octets >= 0 && r.lines >= 0
}

// holds reports whether there was room for the lines of a part.
func (r *room) holds(lines []line) bool {
	r.lines -= len(lines)
	return r.lines >= 0
}

// textOf reads a part: of alternatives the plain one unless it is blank, of
// others all that is inline, one after the other. room is how many octets of
// decoded text may still be read of the letter.
func textOf(p *part, room *room) aText {
	if p.kids == nil {
		return leafText(p, room)
	}
	all := aText{blank: true}
	for i, k := range p.kids {
		if p.typ == "multipart/signed" && i > 0 || p.typ == "multipart/related" && i > 0 && all.found {
			break
		}
		if p.typ == "multipart/alternative" && !all.html && !all.blank {
			if needsHTML(all.lines) {
				if t := textOf(k, room); !t.blank || t.large {
					t.found = true
					all = t
				}
			} else if lines := tellingHTML(k); lines != nil {
				all.lines, all.html, all.said = lines, true, 0
			} else {
				all.lines = mend(all.lines, k)
			}
			break // the plain one is there
		}
		t := textOf(k, room)
		all.found, all.large = all.found || t.found, all.large || t.large
		switch {
		case t.blank:
			if all.lines == nil {
				all.lines = t.lines
			}
		case all.blank:
			all.lines, all.blank, all.html, all.tells, all.said = t.lines, false, t.html, t.tells, t.said
		case p.typ == "multipart/alternative":
			if all.html && !t.html && !all.tells {
				all.lines, all.html, all.tells, all.said = t.lines, false, false, t.said
			}
		case all.key() == t.key(): // the same twice, in a part that should be an alternative
		default:
			all.lines = append(append(all.lines, line{}), t.lines...)
			all.said = all.said*31 + t.said
		}
	}
	return all
}

func leafText(p *part, room *room) aText {
	plain, isHTML := p.typ == "text/plain" || p.typ == "text/markdown", p.typ == "text/html"
	if p.alone && (p.typ == "application/ms-tnef" || p.typ == "application/vnd.ms-tnef") {
		return tnefLines(p, room)
	}
	if !plain && !isHTML || p.attached() {
		return aText{blank: true}
	}
	b := p.decoded()
	if !room.takes(b) {
		return aText{blank: true, found: true, large: true}
	}
	t := aText{found: true, html: isHTML}
	if isHTML {
		label := p.params["charset"]
		if label == "" || strings.EqualFold(label, "us-ascii") {
			// Its guesses are those of utf8Text; any other is what a <meta> says.
			if _, name, _ := charset.DetermineEncoding(b[:min(len(b), 1024)], "text/html"); name != "windows-1252" && name != "utf-8" {
				label = name
			}
		}
		w := htmlText(utf8Text(b, label), false)
		t.lines, t.tells = w.lines, w.telling
	} else {
		s := utf8Text(b, p.params["charset"])
		t.lines = plainLines(s, strings.EqualFold(p.params["format"], "flowed"), strings.EqualFold(p.params["delsp"], "yes"))
	}
	t.large = !room.holds(t.lines)
	t.blank = !slices.ContainsFunc(t.lines, func(l line) bool { return hasWord(l.text) })
	return t
}

// tellingHTML returns the lines of a part that is HTML next to a plain text of the same, if the
// plain text may say less: it cannot show struck-through text or boxes, and shows what is
// hidden.
func tellingHTML(p *part) []line {
	room := fullRoom()
	if t := textOf(p, &room); t.html && t.tells && !t.blank && !t.large {
		return t.lines
	}
	return nil
}

// tnefLines reads the text of an Outlook letter that was sent as winmail.dat.
func tnefLines(p *part, room *room) aText {
	b := p.decoded()
	if !room.takes(b) {
		return aText{blank: true} // mostly attachments
	}
	plain, html := tnefText(b)
	t := aText{found: plain+html != ""}
	if hasWord(plain) {
		t.lines = plainLines(plain, false, false)
	} else {
		t.lines, t.html = htmlLines(html), true
	}
	t.large = !room.holds(t.lines)
	t.blank = !slices.ContainsFunc(t.lines, func(l line) bool { return hasWord(l.text) })
	return t
}

// needsHTML reports whether a text only says that one must read it as HTML.
func needsHTML(lines []line) bool {
	n := 0
	said := false
	for _, l := range lines {
		if l.text != "" {
			n += len(l.text)
			said = said || htmlWord.in(first(l.text, maxField))
		}
		if n > 400 {
			return false
		}
	}
	return said
}

var htmlWord = compile(`(?i)\bhtml\b`)

// `mend` joins the lines of a plain text that its program broke, if the letter's HTML has them
// in one.
func mend(torn []line, p *part) []line {
	long := func(i int) bool {
		return i+1 < len(torn) && torn[i].depth == 0 && len(torn[i].text) >= 55 && torn[i+1].depth == 0 && torn[i+1].text != ""
	}
	i := 0
	for i < len(torn) && !long(i) {
		i++
	}
	if i == len(torn) {
		return torn
	}
	room := fullRoom()
	t := textOf(p, &room)
	if !t.html || t.large {
		return torn
	}
	whole := make(map[string]bool, len(t.lines))
	for _, l := range t.lines {
		if l.depth == 0 {
			whole[l.text] = true
		}
	}
	out := make([]line, 0, len(torn))
	for i := 0; i < len(torn); i++ {
		l := torn[i]
		if long(i) && !whole[l.text] {
			joined := l.text
			for j := i + 1; j < len(torn) && j <= i+3 && torn[j].depth == 0 && torn[j].text != ""; j++ {
				if joined += " " + torn[j].text; whole[joined] {
					look(len(joined))
					l.text, i = joined, j
					break
				}
			}
		}
		out = append(out, l)
	}
	return out
}

// plainLines splits plain text into lines, joining the soft breaks of
// format=flowed (RFC 3676).
func plainLines(s string, flowed, delsp bool) []line {
	var lines []line
	var para strings.Builder // the paragraph being joined
	depth := -1              // its depth; -1: there is none
	indented := false        // within a letter that is quoted by tabs
	flush := func() {
		if depth >= 0 {
			lines = append(lines, newLine(para.String(), depth))
		}
		para.Reset()
		depth = -1
	}
	for len(s) > 0 && len(lines) <= MaxLines {
		var raw string
		raw, s, _ = strings.Cut(s, "\n")
		if indented = indented && (raw == "\r" || raw == "" || raw[0] == '\t') || indents(raw, s); indented {
			raw = ">" + strings.TrimPrefix(raw, "\t")
		}
		d, text := unquoteMarks(strings.ReplaceAll(strings.TrimSuffix(raw, "\r"), "\r", " "))
		if d != depth || text == "-- " {
			flush()
		}
		soft := flowed && strings.HasSuffix(text, " ") && text != "-- "
		if depth < 0 && !soft { // as most are
			lines = append(lines, newLine(text, d))
			continue
		}
		depth = d
		if soft && delsp {
			text = text[:len(text)-1]
		}
		para.WriteString(text)
		if !soft {
			flush()
		}
	}
	flush()
	return lines
}

// indents reports whether a letter begins with a line, its header before its text, that is quoted
// by a tab before each line: mailx and GNU Mailutils do that for "~m". Empty lines may have no tab.
func indents(line, rest string) bool {
	fields, from := 0, false
	for n := 0; n < 8 && strings.HasPrefix(line, "\t"); n++ {
		author, ok := labelled(line[1:])
		if from = from || author; ok {
			fields++
		}
		line, rest, _ = strings.Cut(rest, "\n")
	}
	return from && fields >= 3
}

// newLine is a line of raw text; marks that invisible characters hid count,
// too.
func newLine(raw string, depth int) line {
	d, text := unquoteMarks(clean(raw))
	return line{text: strings.TrimLeft(text, " "), depth: depth + d}
}

// unquoteMarks counts and removes the ">" before a line, and one space. Some
// programs put the writer's initials before each, "AB>".
func unquoteMarks(s string) (depth int, rest string) {
	rest = s
	for {
		t := strings.TrimLeft(rest, " \t\u00A0\uFEFF\u200B")
		if i := strings.IndexByte(first(t, 4), '>'); i > 0 && 'A' <= t[0] && t[0] <= 'Z' && !strings.ContainsFunc(t[:i], func(r rune) bool { return r < 'A' || r > 'z' }) {
			t = t[i:]
		}
		if !strings.HasPrefix(t, ">") {
			break
		}
		depth++
		rest = t[1:]
	}
	return depth, strings.TrimPrefix(rest, " ")
}

// hasWord reports whether s has a letter or a digit.
func hasWord(s string) bool {
	look(len(s))
	return strings.IndexFunc(s, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) >= 0
}
