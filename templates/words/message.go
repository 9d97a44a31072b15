package words

import (
	"fmt"
	"strconv"
	"strings"

	"golang.org/x/text/feature/plural"
	"golang.org/x/text/language"
)

// A message is one catalogue entry, an ICU MessageFormat pattern cut into pieces. Of the
// format it knows arguments, plural (with =N, and # for the number) and select: what
// golang.org/x/text has of it (feature/plural) chooses the form. No library in reach reads
// the format and lets one message count several things.
type message []piece

type piece struct {
	text string // literal, if arg is ""
	arg  string
	kind kind
	// options are the forms that plural and select choose from, few; other is always there.
	options []option
}

type option struct {
	name string
	text message
}

// option is the form of that name.
func (p *piece) option(name string) (text message, ok bool) {
	for i := range p.options {
		if o := &p.options[i]; o.name == name {
			return o.text, true
		}
	}
	return nil, false
}

// choose is the form of that name, or else other.
func (p *piece) choose(name string) message {
	text, ok := p.option(name)
	if !ok {
		text, _ = p.option("other")
	}
	return text
}

type kind uint8

const (
	plain    kind = iota
	number        // the number that a plural is about
	counting      // plural
	choosing      // select
)

// maxNested bounds how deep forms may stand within forms.
const maxNested = 4

// grammar is what a language needs to choose a plural.
type grammar struct{ tag language.Tag }

func newGrammar(lang string) (grammar, error) {
	tag, err := language.Parse(lang)
	if err != nil {
		return grammar{}, fmt.Errorf("language %q: %w", lang, err)
	}
	return grammar{tag: tag}, nil
}

var formNames = map[plural.Form]string{
	plural.Other: "other", plural.Zero: "zero", plural.One: "one",
	plural.Two: "two", plural.Few: "few", plural.Many: "many",
}

// form is the name of the form of n.
func (g *grammar) form(n int) string {
	return formNames[plural.Cardinal.MatchPlural(g.tag, max(n, -n), 0, 0, 0, 0)]
}

// compile reads a pattern such as "{who} takes {n, plural, one {a ship} other {# ships}}".
func compile(s string) (message, error) {
	p := pattern{s: s}
	m, err := p.message("", 0)
	if err == nil && p.at < len(s) {
		err = fmt.Errorf("a closing brace without its opening one")
	}
	return m, err
}

type pattern struct {
	s  string
	at int
}

// message reads up to the brace that closes it, or to the end. counted is the argument whose
// number replaces #, "" outside of plurals.
func (p *pattern) message(counted string, depth int) (message, error) {
	if depth > maxNested {
		return nil, fmt.Errorf("more than %d forms within each other", maxNested)
	}
	m := message{}
	var text strings.Builder
	flush := func() {
		if text.Len() > 0 {
			m = append(m, piece{text: text.String()})
			text.Reset()
		}
	}
	for p.at < len(p.s) {
		switch c := p.s[p.at]; {
		case c == '}':
			flush()
			return m, nil
		case c == '#' && counted != "":
			flush()
			m = append(m, piece{arg: counted, kind: number})
			p.at++
		case c == '{':
			flush()
			p.at++
			x, err := p.argument(counted, depth)
			if err != nil {
				return nil, err
			}
			m = append(m, x)
		case c == '\'':
			p.quoted(&text, counted != "")
		default:
			text.WriteByte(c)
			p.at++
		}
	}
	flush()
	return m, nil
}

// quoted reads an apostrophe: two are one, one before a brace (or, where it means
// something, #) quotes up to the next, any other is itself.
func (p *pattern) quoted(text *strings.Builder, counted bool) {
	p.at++
	next := byte(0)
	if p.at < len(p.s) {
		next = p.s[p.at]
	}
	switch {
	case next == '\'':
		text.WriteByte('\'')
		p.at++
	case next == '{' || next == '}' || next == '#' && counted:
		for p.at < len(p.s) && p.s[p.at] != '\'' {
			text.WriteByte(p.s[p.at])
			p.at++
		}
		p.at++
	default:
		text.WriteByte('\'')
	}
}

// word reads a name and the blanks around it.
func (p *pattern) word() string {
	p.blanks()
	from := p.at
	for p.at < len(p.s) && !strings.ContainsRune(" \n\t,{}'#", rune(p.s[p.at])) {
		p.at++
	}
	w := p.s[from:p.at]
	p.blanks()
	return w
}

func (p *pattern) blanks() {
	for p.at < len(p.s) && strings.ContainsRune(" \n\t", rune(p.s[p.at])) {
		p.at++
	}
}

// take reads one byte, and reports whether it was there.
func (p *pattern) take(c byte) bool {
	if p.at < len(p.s) && p.s[p.at] == c {
		p.at++
		return true
	}
	return false
}

// argument reads an argument after its opening brace, and its closing one.
func (p *pattern) argument(counted string, depth int) (piece, error) {
	x := piece{arg: p.word()}
	if x.arg == "" {
		return x, fmt.Errorf("an argument without a name")
	}
	if p.take('}') {
		return x, nil
	}
	if !p.take(',') {
		return x, fmt.Errorf("{%s: an opening brace without its closing one", x.arg)
	}
	switch kind := p.word(); kind {
	case "plural":
		x.kind, counted = counting, x.arg
	case "select":
		x.kind = choosing
	default:
		return x, fmt.Errorf("{%s, %s: want plural or select", x.arg, kind)
	}
	if !p.take(',') {
		return x, fmt.Errorf("{%s: a comma is missing", x.arg)
	}
	for {
		name := p.word()
		if name == "" {
			break
		}
		if x.kind == counting && !pluralOption(name) {
			return x, fmt.Errorf("{%s: %q is not a plural form", x.arg, name)
		}
		if _, twice := x.option(name); twice || !p.take('{') {
			return x, fmt.Errorf("{%s: want one form of %s", x.arg, name)
		}
		m, err := p.message(counted, depth+1)
		if err != nil {
			return x, err
		}
		if !p.take('}') {
			return x, fmt.Errorf("{%s: an opening brace without its closing one", x.arg)
		}
		x.options = append(x.options, option{name, m})
	}
	if !p.take('}') {
		return x, fmt.Errorf("{%s: an opening brace without its closing one", x.arg)
	}
	if _, ok := x.option("other"); !ok {
		return x, fmt.Errorf("{%s: no form for other", x.arg)
	}
	return x, nil
}

// pluralOption reports whether a plural may have a form of that name.
func pluralOption(name string) bool {
	if n, ok := strings.CutPrefix(name, "="); ok {
		_, err := strconv.Atoi(n)
		return err == nil
	}
	for _, f := range formNames {
		if name == f {
			return true
		}
	}
	return false
}

// Args give a message its arguments by name: strings, ints, bools or anything
// that prints itself; ok is false for a name there is not.
type Args func(name string) (v any, ok bool)

// Pairs are Args written out: name, value, name, value.
func Pairs(kv ...any) Args {
	return func(name string) (any, bool) {
		for i := 0; i+1 < len(kv); i += 2 {
			if k, _ := kv[i].(string); k == name {
				return kv[i+1], true
			}
		}
		return nil, false
	}
}

// Map are Args from texts; one that is a number can choose a plural.
func Map(m map[string]string) Args {
	return func(name string) (any, bool) {
		s, ok := m[name]
		if n, err := strconv.Atoi(s); err == nil {
			return n, ok
		}
		return s, ok
	}
}

func (m message) append(b []byte, g *grammar, args Args) []byte {
	for i := range m {
		p := &m[i]
		if p.arg == "" {
			b = append(b, p.text...)
			continue
		}
		v, ok := args(p.arg)
		switch {
		case p.kind == counting:
			n, _ := v.(int)
			var exact [24]byte
			form, ok := p.option(string(strconv.AppendInt(append(exact[:0], '='), int64(n), 10)))
			if !ok {
				form = p.choose(g.form(n))
			}
			b = form.append(b, g, args)
		case p.kind == choosing:
			var name [32]byte
			b = p.choose(string(appendValue(name[:0], v))).append(b, g, args)
		case !ok:
			b = append(append(append(b, '{'), p.arg...), '}')
		default:
			b = appendValue(b, v)
		}
	}
	return b
}

func appendValue(b []byte, v any) []byte {
	switch v := v.(type) {
	case string:
		return append(b, v...)
	case int:
		return strconv.AppendInt(b, int64(v), 10)
	case bool:
		return strconv.AppendBool(b, v)
	case fmt.Stringer:
		return append(b, v.String()...)
	}
	return fmt.Append(b, v)
}
