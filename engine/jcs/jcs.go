// Package jcs gives JSON documents one canonical form, so that a checksum can cover all of
// a document: the JSON Canonicalization Scheme (RFC 8785), which other programs implement
// too. It accepts only whole numbers that any reader of JSON holds exactly. It refuses
// other numbers, duplicate keys, and texts that are not Unicode.
package jcs

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// maxDepth bounds objects and lists within each other.
const maxDepth = 32

// maxWhole is the largest whole number that a double holds exactly with all below.
const maxWhole = 1<<53 - 1

// Transform is the canonical form of a document. It takes memory and time in
// proportion to the document, but for sorting the members of an object.
func Transform(doc []byte) ([]byte, error) {
	switch {
	case !utf8.Valid(doc): // encoding/json would replace it
		return nil, errors.New("it is not UTF-8")
	case !json.Valid(doc):
		var v json.RawMessage
		return nil, json.Unmarshal(doc, &v) // says where
	}
	s := scanner{in: doc, out: make([]byte, 0, len(doc))}
	err := s.value(0)
	return s.out, err
}

// Checksum is the hexadecimal SHA-256 of an object's canonical form.
func Checksum(doc []byte) (string, error) {
	form, err := Transform(doc)
	sum := sha256.Sum256(form)
	return hex.EncodeToString(sum[:]), err
}

// A scanner writes a document that json.Valid accepts in canonical form.
type scanner struct{ in, out []byte }

// next is the octet that the next token begins with.
func (s *scanner) next() byte {
	s.in = bytes.TrimLeft(s.in, " \t\r\n")
	return s.in[0]
}

// take passes over the next token, which is one octet, and writes it.
func (s *scanner) take() {
	s.out = append(s.out, s.next())
	s.in = s.in[1:]
}

func (s *scanner) value(depth int) error {
	if depth > maxDepth {
		return fmt.Errorf("more than %d objects and lists within each other", maxDepth)
	}
	switch s.next() {
	case '{':
		return s.object(depth)
	case '[':
		return s.list(depth)
	case '"':
		text, err := s.text()
		s.out = appendText(s.out, text)
		return err
	}
	word := s.in
	if i := bytes.IndexAny(word, " \t\r\n,]}"); i >= 0 {
		word = word[:i]
	}
	s.in = s.in[len(word):]
	s.out = append(s.out, word...)
	switch w := string(word); w {
	case "true", "false", "null":
		return nil
	default:
		n, err := strconv.ParseInt(w, 10, 64)
		if err != nil || w == "-0" || max(n, -n) > maxWhole {
			return fmt.Errorf("number %.40s: want a whole one below 2^53", w)
		}
		return nil
	}
}

func (s *scanner) list(depth int) error {
	s.take()
	for s.next() != ']' {
		if s.next() == ',' {
			s.take()
		}
		if err := s.value(depth + 1); err != nil {
			return err
		}
	}
	s.take()
	return nil
}

// A member is a member of an object and its place in the scanner's out.
type member struct {
	key      string
	from, to int
}

func (s *scanner) object(depth int) error {
	s.take()
	start := len(s.out)
	var members []member
	for s.next() != '}' {
		if s.next() == ',' {
			s.in = s.in[1:]
			s.next()
		}
		m := member{from: len(s.out)}
		var err error
		if m.key, err = s.text(); err != nil {
			return err
		}
		s.out = appendText(s.out, m.key)
		s.take() // the colon
		if err := s.value(depth + 1); err != nil {
			return err
		}
		m.to = len(s.out)
		members = append(members, m)
	}
	byKey := func(a, b member) int { return compare(a.key, b.key) }
	if !slices.IsSortedFunc(members, byKey) {
		slices.SortFunc(members, byKey)
	}
	sorted := make([]byte, 0, len(s.out)-start+len(members))
	for i, m := range members {
		if i > 0 {
			if m.key == members[i-1].key {
				return fmt.Errorf("key %.60q is there twice", m.key)
			}
			sorted = append(sorted, ',')
		}
		sorted = append(sorted, s.out[m.from:m.to]...)
	}
	s.out = append(s.out[:start], sorted...)
	s.take()
	return nil
}

// compare orders keys as RFC 8785 does, by UTF-16.
func compare(a, b string) int {
	if ascii(a) && ascii(b) {
		return strings.Compare(a, b)
	}
	return slices.Compare(utf16.Encode([]rune(a)), utf16.Encode([]rune(b)))
}

func ascii(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// text passes over a text and is what it says.
func (s *scanner) text() (string, error) {
	end := s.quoted()
	quoted := s.in[:end]
	s.in = s.in[end:]
	if bytes.IndexByte(quoted, '\\') < 0 {
		return string(quoted[1 : end-1]), nil
	}
	if halfPair(quoted) {
		return "", errors.New("half of a surrogate pair in a text")
	}
	var text string
	err := json.Unmarshal(quoted, &text)
	return text, err
}

// quoted is the length of the text that comes next, its quotes included.
func (s *scanner) quoted() int {
	end := 1
	for s.in[end] != '"' {
		if s.in[end] == '\\' {
			end++
		}
		end++
	}
	return end + 1
}

// halfPair reports whether a quoted text escapes half of a surrogate pair, which
// encoding/json would replace.
func halfPair(quoted []byte) bool {
	for i := 0; i < len(quoted); i++ {
		if quoted[i] != '\\' {
			continue
		}
		if i++; quoted[i] != 'u' {
			continue
		}
		if r := escaped(quoted[i:]); utf16.IsSurrogate(r) {
			if i += 6; i >= len(quoted) || quoted[i-1] != '\\' || utf16.DecodeRune(r, escaped(quoted[i:])) == utf8.RuneError {
				return true
			}
		}
	}
	return false
}

// escaped is the code unit of an escape that begins with its "u"; 0 if it is none.
func escaped(b []byte) rune {
	if len(b) < 5 || b[0] != 'u' {
		return 0
	}
	n, _ := strconv.ParseUint(string(b[1:5]), 16, 16)
	return rune(n)
}

const hexadecimal = "0123456789abcdef"

// appendText writes a text as RFC 8785 has it: only what must be escaped is.
func appendText(b []byte, text string) []byte {
	b = append(b, '"')
	for i := range len(text) {
		switch c := text[i]; {
		case c == '"' || c == '\\':
			b = append(b, '\\', c)
		case c >= ' ':
			b = append(b, c)
		default:
			if k := strings.IndexByte("\b\t\n\f\r", c); k >= 0 {
				b = append(b, '\\', "btnfr"[k])
			} else {
				b = append(b, '\\', 'u', '0', '0', hexadecimal[c>>4], hexadecimal[c&15])
			}
		}
	}
	return append(b, '"')
}

// Unmarshal decodes a document into v, which must say all that it says: v encodes
// to the same canonical form again. A key that v does not know, one that is
// missing, one in capitals, an empty value where v leaves the key out: all are
// errors, which name the place.
func Unmarshal(doc []byte, v any) error {
	is, err := Transform(doc)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(doc, v); err != nil {
		if wrong := new(json.UnmarshalTypeError); errors.As(err, &wrong) {
			return fmt.Errorf("%s cannot be of the kind %s", clip(wrong.Field, maxName), wrong.Value)
		}
		return err
	}
	back, err := json.Marshal(v)
	if err != nil {
		return err
	}
	want, err := Transform(back)
	if err != nil || bytes.Equal(want, is) {
		return err
	}
	switch d := diff(want, is); {
	case d.Want == "":
		return fmt.Errorf("%s is unknown, or empty where it is left out", d.Path)
	case d.Got == "":
		return fmt.Errorf("%s is missing", d.Path)
	default:
		return fmt.Errorf("%s cannot be %s", d.Path, d.Got)
	}
}

// A Difference is the first place where two documents differ, by the order of keys.
type Difference struct {
	Path      string // as in log[3].told[0]
	Want, Got string // a value there, "an object" or "a list"; "" where there is none
}

// Diff is the first difference of two documents, nil if they say the same.
func Diff(want, got []byte) (*Difference, error) {
	a, err := Transform(want)
	if err != nil {
		return nil, err
	}
	b, err := Transform(got)
	if err != nil || bytes.Equal(a, b) {
		return nil, err
	}
	return diff(a, b), nil
}

// diff compares two canonical forms, side by side: that needs no memory.
func diff(want, got []byte) *Difference {
	d, _, _ := differ(want, got)
	if d != nil {
		d.Path = strings.TrimPrefix(d.Path, ".")
	}
	return d
}

// differ compares the values that a and b begin with, and returns what is behind
// them if they are the same. The path of a difference is that from them on.
func differ(a, b []byte) (d *Difference, restA, restB []byte) {
	if a[0] != b[0] || a[0] != '{' && a[0] != '[' {
		x, y := len(a)-len(skip(a)), len(b)-len(skip(b))
		if !bytes.Equal(a[:x], b[:y]) {
			return &Difference{"", name(a[:x]), name(b[:y])}, nil, nil
		}
		return nil, a[x:], b[y:]
	}
	open, a, b := a[0], a[1:], b[1:]
	for i := 0; ; i++ {
		endA, endB := a[0] == '}' || a[0] == ']', b[0] == '}' || b[0] == ']'
		if endA && endB {
			return nil, a[1:], b[1:]
		}
		if i > 0 && !endA {
			a = a[1:] // the comma
		}
		if i > 0 && !endB {
			b = b[1:]
		}
		at := "[" + strconv.Itoa(i) + "]"
		if open == '{' {
			var keyA, keyB string
			if !endA {
				keyA, a = key(a)
			}
			if !endB {
				keyB, b = key(b)
			}
			switch order := compare(keyA, keyB); {
			case endB || !endA && order < 0:
				endB, at = true, "."+step(keyA)
			case endA || order > 0:
				endA, at = true, "."+step(keyB)
			default:
				at = "." + step(keyA)
			}
		}
		switch {
		case endB:
			return &Difference{at, name(a[:len(a)-len(skip(a))]), ""}, nil, nil
		case endA:
			return &Difference{at, "", name(b[:len(b)-len(skip(b))])}, nil, nil
		}
		if d, a, b = differ(a, b); d != nil {
			d.Path = at + d.Path
			return d, nil, nil
		}
	}
}

// key is the key that a canonical form begins with, and what is behind its colon.
func key(b []byte) (string, []byte) {
	s := scanner{in: b}
	text, _ := s.text()
	return text, s.in[1:]
}

// skip is what is behind the value that a canonical form begins with.
func skip(b []byte) []byte {
	depth := 0
	for {
		switch b[0] {
		case '"':
			s := scanner{in: b}
			b = s.in[s.quoted():]
		case '{', '[':
			depth++
			b = b[1:]
		case '}', ']':
			depth--
			b = b[1:]
		case ',', ':':
			b = b[1:]
		default:
			n := bytes.IndexAny(b, ",]}")
			if n < 0 {
				n = len(b)
			}
			b = b[n:]
		}
		if depth == 0 {
			return b
		}
	}
}

// step is a key in a path.
func step(key string) string {
	if len(key) > 40 || strings.ContainsFunc(key, func(r rune) bool { return r <= ' ' || r > '~' || r == '.' || r == '"' }) {
		return strconv.Quote(clip(key, 40))
	}
	return key
}

// maxName bounds a value quoted in an error, in octets.
const maxName = 100

// name returns a value as errors quote it.
func name(form []byte) string {
	switch form[0] {
	case '{':
		return "an object"
	case '[':
		return "a list"
	}
	return clip(string(form[:min(len(form), maxName+1)]), maxName)
}

func clip(s string, most int) string {
	if len(s) > most {
		s = strings.ToValidUTF8(s[:most], "") + "…"
	}
	return s
}
