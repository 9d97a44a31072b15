package outbox

import (
	"bytes"
	"errors"
	"fmt"
	"net/mail"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	lineLength   = 76  // octets a header line is folded at (RFC 5322 says 78)
	maxToken     = 512 // octets of an unfoldable identifier or value (the line limit is 998)
	maxAddress   = 254 // octets of an addr-spec (RFC 5321 section 4.5.3.1.3 less the brackets)
	maxLocalPart = 64  // RFC 5321 section 4.5.3.1.1
	maxFreeText  = 512 // octets of a subject or name that are kept
)

// field writes one header field, folded before blanks.
func field(out *bytes.Buffer, name, value string) {
	line := name + ":"
	for _, word := range strings.Split(value, " ") {
		// A value may bring folds of its own ("\r\n " before a parameter).
		last := line[strings.LastIndexByte(line, '\n')+1:]
		if len(last)+1+len(word) > lineLength && strings.TrimSpace(last) != "" && last != name+":" && word != "" {
			line += "\r\n"
		}
		line += " " + word
	}
	out.WriteString(line + "\r\n")
}

// quotedName makes text the inside of a quoted-string.
var quotedName = strings.NewReplacer(`\`, `\\`, `"`, `\"`)

// header is the address in a header field. check says whether it may be there.
func (a Address) header(check func(string) error) (string, error) {
	if err := check(a.Addr); err != nil {
		return "", err
	}
	name := clean(a.Name)
	switch {
	case name == "":
		return a.Addr, nil
	case isPrintable(name) && !strings.Contains(name, "=?") && len(name) <= lineLength:
		return `"` + quotedName.Replace(name) + `" <` + a.Addr + ">", nil
	}
	return encodeWords(name) + " <" + a.Addr + ">", nil
}

// checkAddr accepts exactly one bare addr-spec in ASCII.
func checkAddr(addr string) error {
	if len(addr) > maxAddress || !isPrintable(addr) || strings.ContainsAny(addr, " <>,;:\"()[]\\") {
		return fmt.Errorf("%q is not a plain mail address", addr)
	}
	parsed, err := mail.ParseAddress(addr)
	if err != nil || parsed.Address != addr {
		return fmt.Errorf("%q is not a plain mail address", addr)
	}
	if strings.LastIndexByte(addr, '@') > maxLocalPart {
		return fmt.Errorf("the local part of %q is longer than %d octets", addr, maxLocalPart)
	}
	return nil
}

// checkRecipient accepts what checkAddr does, and letters beyond ASCII before the @ (RFC 6531).
func checkRecipient(addr string) error {
	at := strings.LastIndexByte(addr, '@')
	if isPrintable(addr) || at < 0 {
		return checkAddr(addr)
	}
	local := addr[:at]
	bad := func(r rune) bool {
		return r == utf8.RuneError || unicode.IsSpace(r) || unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r)
	}
	parsed, err := mail.ParseAddress(addr)
	if len(addr) > maxAddress || strings.ContainsFunc(local, bad) || strings.ContainsAny(local, " <>,;:\"()[]\\") || err != nil || parsed.Address != addr {
		return fmt.Errorf("%q is not a mail address", addr)
	}
	if len(local) > maxLocalPart {
		return fmt.Errorf("the local part of %q is longer than %d octets", addr, maxLocalPart)
	}
	return checkAddr("x" + addr[at:])
}

// identifier puts a msg-id into its angle brackets.
func identifier(id string) (string, error) {
	left, right, ok := strings.Cut(id, "@")
	if !ok || len(id) > maxToken || !isDotAtom(left) || !isDotAtom(right) {
		return "", fmt.Errorf("%q is not an identifier left@right", id)
	}
	return "<" + id + ">", nil
}

// isForeignID reports whether we may repeat a Message-ID from another program. Many are not
// valid identifiers by RFC 5322 ("1@[10.0.0.1]", "x", "a..b@c"); their writers want an answer
// all the same, and mail clients compare ids octet by octet.
func isForeignID(id string) bool {
	return id != "" && len(id) <= maxToken && isPrintable(id) && !strings.ContainsAny(id, " <>") && !strings.Contains(id, "=?")
}

// clean makes one line of what a person may have written: controls, marks that
// turn the direction of writing and every kind of blank become one blank,
// broken UTF-8 a replacement mark.
func clean(text string) string {
	text = strings.ToValidUTF8(text, "\uFFFD")
	text = strings.Join(strings.FieldsFunc(text, func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r)
	}), " ")
	if len(text) > maxFreeText {
		cut := maxFreeText
		for !utf8.RuneStart(text[cut]) {
			cut--
		}
		text = text[:cut] + "…"
	}
	return text
}

// encodeText writes unstructured text: as it is when that is safe, otherwise
// wholly in encoded words (RFC 2047), so that no blanks get lost.
func encodeText(text string) string {
	text = clean(text)
	if isPrintable(text) && !strings.Contains(text, "=?") && longestWord(text) < lineLength-len("Subject: ") {
		return text
	}
	return encodeWords(text)
}

// encodeWords writes text as UTF-8 "Q" words of at most 75 octets, none of
// which ends within a character (RFC 2047 sections 2 and 5).
func encodeWords(text string) string {
	const open, shut, room = "=?utf-8?q?", "?=", 60
	var words []string
	var word strings.Builder
	for _, r := range text {
		piece := encodeRune(r)
		if word.Len()+len(piece) > room {
			words = append(words, open+word.String()+shut)
			word.Reset()
		}
		word.WriteString(piece)
	}
	words = append(words, open+word.String()+shut)
	return strings.Join(words, " ")
}

func encodeRune(r rune) string {
	switch {
	case r == ' ':
		return "_"
	case r < utf8.RuneSelf && (unicode.IsLetter(r) || unicode.IsDigit(r)):
		return string(r)
	}
	var out strings.Builder
	for _, b := range []byte(string(r)) {
		fmt.Fprintf(&out, "=%02X", b)
	}
	return out.String()
}

func longestWord(text string) int {
	longest := 0
	for _, word := range strings.Fields(text) {
		longest = max(longest, len(word))
	}
	return longest
}

// isPrintable holds for printable ASCII, blanks within included.
func isPrintable(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}

func isDotAtom(s string) bool {
	for _, atom := range strings.Split(s, ".") {
		if atom == "" {
			return false
		}
		for i := range len(atom) {
			if !isAlnum(atom[i]) && !strings.ContainsRune("!#$%&'*+-/=?^_`{|}~", rune(atom[i])) {
				return false
			}
		}
	}
	return true
}

func isFieldName(s string) bool {
	if len(s) > lineLength/2 {
		return false
	}
	for i := range len(s) {
		if !isAlnum(s[i]) && s[i] != '-' {
			return false
		}
	}
	return s != ""
}

func isFileName(s string) bool {
	for i := range len(s) {
		if !isAlnum(s[i]) && s[i] != '-' && s[i] != '.' {
			return false
		}
	}
	return s != "" && len(s) < lineLength/2
}

func isAlnum(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// ValidAddr returns why Compose or the Sender cannot write to addr, or nil. Callers check this
// before they register an address.
func ValidAddr(addr string) error {
	if addr == "" {
		return errors.New("the address is empty")
	}
	return checkAddr(addr)
}
