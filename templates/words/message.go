package words

import (
	"fmt"
	"strconv"
	"strings"

	"golang.org/x/text/feature/plural"
	"golang.org/x/text/language"
)

// A message is one catalogue entry, cut into pieces.
type message []piece

type piece struct {
	text  string // literal, if arg is ""
	arg   string
	kind  byte      // 0: the argument itself; '#' by number; '?' by truth
	forms []message // of '#', as many as the language has; of '?', two
}

// grammar is what a language needs to choose a plural.
type grammar struct {
	tag   language.Tag
	forms []plural.Form
}

var formNames = map[string]plural.Form{
	"other": plural.Other, "zero": plural.Zero, "one": plural.One,
	"two": plural.Two, "few": plural.Few, "many": plural.Many,
}

func newGrammar(lang string, names []string) (grammar, error) {
	tag, err := language.Parse(lang)
	if err != nil {
		return grammar{}, fmt.Errorf("language %q: %w", lang, err)
	}
	g := grammar{tag: tag}
	for _, n := range names {
		f, ok := formNames[n]
		if !ok {
			return grammar{}, fmt.Errorf("plural form %q: want one of zero, one, two, few, many, other", n)
		}
		g.forms = append(g.forms, f)
	}
	if len(g.forms) == 0 {
		return grammar{}, fmt.Errorf("language %q names no plural forms", lang)
	}
	return g, nil
}

// form is the index of the form of n; the last one if the catalogue has none
// for it.
func (g *grammar) form(n int) int {
	f := plural.Cardinal.MatchPlural(g.tag, max(n, -n), 0, 0, 0, 0)
	for i, have := range g.forms {
		if have == f {
			return i
		}
	}
	return len(g.forms) - 1
}

// compile reads "{who} takes {n} {n#ship|ships}".
func (g grammar) compile(s string) (message, error) {
	var m message
	for s != "" {
		at := strings.IndexByte(s, '{')
		if at < 0 {
			at = len(s)
		}
		if strings.IndexByte(s[:at], '}') >= 0 {
			return nil, fmt.Errorf("a closing brace without its opening one")
		}
		if at > 0 {
			m = append(m, piece{text: s[:at]})
			s = s[at:]
			continue
		}
		end := strings.IndexByte(s, '}')
		if end < 0 || strings.IndexByte(s[1:end], '{') >= 0 {
			return nil, fmt.Errorf("an opening brace without its closing one")
		}
		p, err := g.piece(s[1:end])
		if err != nil {
			return nil, err
		}
		m, s = append(m, p), s[end+1:]
	}
	return m, nil
}

func (g grammar) piece(s string) (piece, error) {
	i := strings.IndexAny(s, "#?")
	if i < 0 {
		if s == "" {
			return piece{}, fmt.Errorf("an argument without a name")
		}
		return piece{arg: s}, nil
	}
	p := piece{arg: s[:i], kind: s[i]}
	for _, f := range strings.Split(s[i+1:], "|") {
		p.forms = append(p.forms, message{{text: f}})
	}
	want := 2
	if p.kind == '#' {
		want = len(g.forms)
	}
	if p.arg == "" || len(p.forms) != want {
		return piece{}, fmt.Errorf("{%s}: want a name and %d forms", s, want)
	}
	return p, nil
}

// Args give a message its arguments by name: strings, ints, bools or anything
// that prints itself; ok is false for a name there is not.
type Args func(name string) (v any, ok bool)

// Pairs are Args written out: name, value, name, value.
func Pairs(kv ...any) Args {
	return func(name string) (any, bool) {
		for i := 0; i+1 < len(kv); i += 2 {
			if kv[i] == name {
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
	for _, p := range m {
		if p.arg == "" {
			b = append(b, p.text...)
			continue
		}
		v, ok := args(p.arg)
		switch {
		case !ok && p.kind == 0:
			b = append(append(append(b, '{'), p.arg...), '}')
		case p.kind == '#':
			n, _ := v.(int)
			b = p.forms[g.form(n)].append(b, g, args)
		case p.kind == '?':
			if yes, _ := v.(bool); yes {
				b = p.forms[0].append(b, g, args)
			} else {
				b = p.forms[1].append(b, g, args)
			}
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
	case fmt.Stringer:
		return append(b, v.String()...)
	}
	return fmt.Append(b, v)
}
