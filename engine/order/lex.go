package order

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// tokKind tells what a token looks like.
type tokKind uint8

const (
	wordTok  tokKind = iota // a folded word
	numTok                  // up to three digits: n
	cellTok                 // 2.1: n is the Cell
	codeTok                 // a letter and a number, b4 or t12: s is the letter
	timesTok                // x3 or 3x
	sepTok                  // a comma, a colon, "and", "then"
	breakTok                // the end of a clause: a semicolon, a full stop
)

// A tok is a piece of a line: its folded text and its place in the line.
type tok struct {
	kind       tokKind
	s          string
	n          int
	digits     int // numTok: how many were written
	start, end int
}

// accents maps accented Latin letters, and variants of quotes, dashes and arrows, to plain
// text. It is a table because engine uses only the standard library.
var accents = func() map[rune]string {
	m := map[rune]string{}
	for to, from := range map[string]string{
		"a": "àáâãäåāăą", "c": "çćĉċč", "d": "ďđð", "e": "èéêëēĕėęě", "g": "ĝğġģ", "h": "ĥħ",
		"i": "ìíîïĩīĭįı", "j": "ĵ", "k": "ķ", "l": "ĺļľŀł", "n": "ñńņňŋ", "o": "òóôõöøōŏő",
		"r": "ŕŗř", "s": "śŝşšș", "t": "ţťŧț", "u": "ùúûüũūŭůűų", "w": "ŵ", "y": "ýÿŷ", "z": "źżž",
		"ss": "ß", "ae": "æ", "oe": "œ", "th": "þ", "x": "×", "'": "‘’‚‛´`′ʼ", "-": "‐‑‒–—―−", "to": "→⇒➔➜⟶",
	} {
		for _, r := range from {
			m[r] = to
		}
	}
	return m
}()

// lowerASCII has the lower case of each ASCII character at the character's index.
var lowerASCII = func() string {
	b := make([]byte, utf8.RuneSelf)
	for i := range b {
		b[i] = byte(unicode.ToLower(rune(i)))
	}
	return string(b)
}()

// fold returns the rune in lower case without accents, in ASCII if it has a plain form; ""
// for marks without width.
func fold(r rune) string {
	switch {
	case r < utf8.RuneSelf:
		return lowerASCII[r : r+1]
	case r >= 0xff01 && r <= 0xff5e: // full width forms
		return fold(r - 0xfee0)
	case unicode.IsSpace(r), unicode.Is(unicode.Zs, r):
		return " "
	case unicode.In(r, unicode.Mn, unicode.Cf):
		return ""
	}
	r = unicode.ToLower(r)
	if s, ok := accents[r]; ok {
		return s
	}
	return string(r)
}

// fillers add no meaning anywhere in a line.
var fillers = map[string]bool{
	"the": true, "an": true, "please": true, "pls": true, "i": true, "ill": true, "i'll": true, "now": true,
	"number": true, "nr": true, "num": true, "let's": true, "also": true,
}

// opening skips what may precede the text of a line: blanks, bullets, a number or letter of
// a list ("1. ", "2) ", "b) "). It returns the index of the text.
func opening(line string) int {
	i := 0
	for i < len(line) {
		look(1)
		r, n := utf8.DecodeRuneInString(line[i:])
		if !strings.ContainsRune("-*+•·▪▫◦‣⁃●○■□–—", r) && fold(r) != " " && fold(r) != "" && r != '\t' {
			break
		}
		i += n
	}
	j := i
	for j < len(line) && j < i+2 && line[j] >= '0' && line[j] <= '9' {
		j++
	}
	switch {
	case j == i && j+1 < len(line) && line[j+1] == ')' && (line[j]|32) == 'b' && strings.Trim(line[j+2:], " .!") == "":
		return i // B itself
	case j == i && j+1 < len(line) && line[j+1] == ')' && (line[j]|32) >= 'a' && (line[j]|32) <= 'z':
		return j + 2
	case j > i && j+1 < len(line) && (line[j] == ')' || line[j] == '.') && (line[j+1] < '0' || line[j+1] > '9'):
		return j + 1
	}
	return i
}

// Barred reports whether a line comes after a | or is quoted. Such a line is never an order
// (ORDERS.md 3).
func Barred(line string) bool {
	for _, r := range line {
		switch look(1); {
		case strings.ContainsRune("|>│┃¦∣｜", r):
			return true
		case fold(r) != " " && fold(r) != "" && r != '\t' && !strings.ContainsRune("-*+•·▪▫◦‣⁃●○■□–—", r):
			return false
		}
	}
	return false
}

// lex cuts a line of orders into tokens, without its comment.
func lex(line string) []tok {
	look(len(line))
	var toks []tok
	var b strings.Builder // the folded word under way
	start := 0
	flush := func(end int) {
		if b.Len() > 0 {
			toks = classify(toks, b.String(), start, end)
			b.Reset()
		}
	}
	put := func(k tokKind, s string, at, end int) {
		flush(at)
		toks = append(toks, tok{kind: k, s: s, start: at, end: end})
	}
	for i := opening(line); i < len(line); {
		r, n := utf8.DecodeRuneInString(line[i:])
		next := i + n
		f := fold(r)
		switch {
		case r == '#' && comments(line, i):
			flush(i)
			return toks
		case r == '#':
			flush(i)
		case r == '@' && i > 0 && (isBlank(line[next:]) || isBlank(line[i-1:i])):
			put(wordTok, "at", i, next)
		case unicode.Is(unicode.So, r) && r != '★' && r != '☆': // a picture
			flush(i)
		case f == "to": // an arrow
			put(wordTok, "to", i, next)
		case r == '>' && i > 0 && (line[i-1] == '-' || line[i-1] == '='):
			put(wordTok, "to", i, next)
		case r == '.' && b.Len() > 0 && isDigit(line, i-1) && isDigit(line, next):
			b.WriteByte('.')
		case r == '.' && abbreviation(b.String()):
			flush(i)
		case f == ";" || f == "!" || r == '…' || r == '.' && (next == len(line) || isBlank(line[next:])):
			put(breakTok, f, i, next)
		case f == "," || f == ":" || f == "&" || f == "+":
			put(sepTok, f, i, next)
		case f == "":
		case strings.Contains(" \t\r\n-._*/=()[]{}<\"“”„«»", f):
			flush(i)
		case f == "'" && !inWord(line, i, next):
			flush(i)
		case f == "|": // no order has one
			put(wordTok, f, i, next)
		default:
			if b.Len() == 0 {
				start = i
			}
			b.WriteString(f)
		}
		i = next
	}
	flush(len(line))
	return toks
}

// comments reports whether the # at i begins a comment. It does not in "card #062".
func comments(line string, i int) bool {
	if !isDigit(line, i+1) {
		return true
	}
	before := wordsIn(Key(clip(line, i)))
	return len(before) == 0 || !numbers[before[len(before)-1]]
}

// numbers are words after which # is a number sign.
var numbers = words("card cards mission missions ravager ravagers tile tiles row column col location loc play discard keep place")

func isDigit(s string, i int) bool {
	return i >= 0 && i < len(s) && s[i] >= '0' && s[i] <= '9'
}

func isBlank(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return fold(r) == " " || r == '\t' || strings.ContainsRune("\"'”’)", r)
}

// inWord reports whether the apostrophe between a and b joins two letters.
func inWord(line string, a, b int) bool {
	before, _ := utf8.DecodeLastRuneInString(line[:a])
	after, _ := utf8.DecodeRuneInString(line[b:])
	return unicode.IsLetter(before) && unicode.IsLetter(after)
}

func abbreviation(w string) bool {
	switch w {
	case "no", "nr", "num", "col", "loc", "locs", "seq":
		return true
	}
	return false
}

// classify appends the tokens of one folded word, cutting it where letters and
// digits meet: "row2", "t12", "3x".
func classify(toks []tok, w string, start, end int) []tok {
	if c, ok := cellName(w); ok {
		return append(toks, tok{kind: cellTok, s: w, n: int(c), start: start, end: end})
	}
	add := func(k tokKind, s string, n int) {
		toks = append(toks, tok{kind: k, s: s, n: n, digits: len(s), start: start, end: end})
	}
	cut := strings.IndexFunc(w, func(r rune) bool { return r < '0' || r > '9' })
	if cut < 0 {
		if n, ok := number(w); ok {
			add(numTok, w, n)
		} else {
			add(wordTok, w, 0)
		}
		return toks
	}
	if cut > 0 {
		n, ok := number(w[:cut])
		switch {
		case ok && w[cut:] == "x":
			add(timesTok, "x", n)
		case ok && letters(w[cut:]):
			add(numTok, w[:cut], n)
			add(wordTok, w[cut:], 0)
		default:
			add(wordTok, w, 0)
		}
		return toks
	}
	cut = strings.IndexFunc(w, func(r rune) bool { return r >= '0' && r <= '9' })
	if cut < 0 {
		switch {
		case w == "and" || w == "then":
			add(sepTok, ",", 0)
		case !fillers[w]:
			add(wordTok, w, 0)
		}
		return toks
	}
	n, ok := number(w[cut:])
	switch {
	case !ok || !letters(w[:cut]):
		add(wordTok, w, 0)
	case w[:cut] == "x":
		add(timesTok, "x", n)
	case cut == 1 && strings.Contains("abcdets", w[:1]):
		add(codeTok, w[:1], n)
	default:
		add(wordTok, w[:cut], 0)
		add(numTok, w[cut:], n)
	}
	return toks
}

func letters(w string) bool {
	for _, r := range w {
		if !unicode.IsLetter(r) {
			return false
		}
	}
	return true
}

// Key returns the form of a text in which names are compared: folded letters and digits,
// with one blank between words.
func Key(s string) string {
	look(len(s))
	var b strings.Builder
	b.Grow(len(s))
	gap := false
	for _, r := range s {
		if r < utf8.RuneSelf {
			c := lowerASCII[r]
			if (c < 'a' || c > 'z') && (c < '0' || c > '9') {
				gap = true
				continue
			}
			if gap && b.Len() > 0 {
				b.WriteByte(' ')
			}
			gap = false
			b.WriteByte(c)
			continue
		}
		f := fold(r)
		for _, c := range f {
			if !unicode.IsLetter(c) && !unicode.IsDigit(c) {
				gap = true
				continue
			}
			if gap && b.Len() > 0 {
				b.WriteByte(' ')
			}
			gap = false
			b.WriteRune(c)
		}
	}
	return b.String()
}
