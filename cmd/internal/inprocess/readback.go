package inprocess

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net/mail"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html"
)

// ourFields are the header fields that the server's letters may have, each at most once.
var ourFields = []string{
	"From", "Reply-To", "To", "Subject", "Date", "Message-ID", "In-Reply-To", "References", "List-Id", "List-Unsubscribe",
	"List-Unsubscribe-Post", "Auto-Submitted", "X-Angelpost-Game", "X-Angelpost-Kind", "X-Angelpost-Recipe", "X-Angelpost-Result",
	"X-Angelpost-Seat", "X-Angelpost-Step", "MIME-Version", "Content-Type", "Content-Transfer-Encoding",
}

// maxSubject bounds a subject as a reader sees it.
const maxSubject = 160

// readBack reads one of the server's letters as a stranger would, octet by octet and with
// the standard library. It returns an error for what no such letter may have: lines that
// are broken or too long, unknown or repeated header fields, encoded words that hide control
// characters, more than one recipient, or HTML elements that a player wrote.
func readBack(raw []byte, to string) error {
	var errs []error
	wrong := func(format string, args ...any) { errs = append(errs, fmt.Errorf(format, args...)) }
	lines := strings.Split(string(raw), "\r\n")
	for i, line := range lines {
		if len(line) > 998 {
			wrong("line %d has %d octets", i+1, len(line))
		}
		for _, c := range []byte(line) {
			if c > '~' && line == "To: "+to { // by SMTPUTF8 (RFC 6531)
				continue
			}
			if c < ' ' && c != '\t' || c > '~' {
				wrong("line %d holds the octet %#x: %.100q", i+1, c, line)
				break
			}
		}
	}
	var seen []string
	for i, line := range lines {
		if line == "" {
			break
		}
		name, _, ok := strings.Cut(line, ":")
		switch {
		case line[0] == ' ' || line[0] == '\t':
			if strings.TrimSpace(line) == "" || i == 0 {
				wrong("header line %d is blank", i+1)
			}
		case !ok || !slices.Contains(ourFields, name):
			wrong("header line %d is not ours: %.100q", i+1, line)
		case slices.Contains(seen, name):
			wrong("header field %s is there twice", name)
		default:
			seen = append(seen, name)
		}
	}
	m, err := mail.ReadMessage(bytes.NewReader(raw))
	if err != nil {
		return errors.Join(append(errs, err)...)
	}
	for name, values := range m.Header {
		for _, v := range values {
			d, err := new(mime.WordDecoder).DecodeHeader(v)
			if err != nil || !shown(d, false) {
				wrong("%s reads %.200q, %v", name, d, err)
			}
			if name == "Subject" && utf8.RuneCountInString(d) > maxSubject {
				wrong("a subject of %d characters: %.200q", utf8.RuneCountInString(d), d)
			}
		}
	}
	for _, name := range []string{"From", "To", "Reply-To"} {
		list, err := m.Header.AddressList(name)
		switch {
		case name == "Reply-To" && errors.Is(err, mail.ErrHeaderNotPresent):
		case err != nil || len(list) != 1:
			wrong("%s %q: %v", name, m.Header.Get(name), err)
		case name == "To" && list[0].Address != to:
			wrong("To %s, not %s", list[0].Address, to)
		}
	}
	if err := readParts(m.Header.Get("Content-Type"), m.Header.Get("Content-Transfer-Encoding"), m.Body); err != nil {
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// readParts walks a letter's parts.
func readParts(contentType, encoding string, body io.Reader) error {
	kind, params, err := mime.ParseMediaType(contentType)
	if err != nil {
		return fmt.Errorf("type %q: %w", contentType, err)
	}
	if strings.HasPrefix(kind, "multipart/") {
		r := multipart.NewReader(body, params["boundary"])
		for {
			p, err := r.NextRawPart()
			if err == io.EOF {
				return nil
			}
			if err != nil {
				return err
			}
			for name := range p.Header {
				if !strings.HasPrefix(name, "Content-") {
					return fmt.Errorf("a part has the field %q", name)
				}
			}
			if err := readParts(p.Header.Get("Content-Type"), p.Header.Get("Content-Transfer-Encoding"), p); err != nil {
				return err
			}
		}
	}
	switch encoding {
	case "quoted-printable":
		body = quotedprintable.NewReader(body)
	case "base64":
		body = base64.NewDecoder(base64.StdEncoding, body)
	default:
		return fmt.Errorf("%s in %q", kind, encoding)
	}
	b, err := io.ReadAll(body)
	switch {
	case err != nil:
		return err
	case kind == "image/png":
		return nil
	case kind != "text/plain" && kind != "text/html":
		return fmt.Errorf("a part of type %s", kind)
	case !shown(string(b), true):
		return fmt.Errorf("%s has something no one can see: %.300q", kind, firstHidden(string(b)))
	case kind == "text/html":
		return readElements(b)
	}
	return nil
}

// elementMark is the attribute by which tests know an element they wrote.
const elementMark = "hostile"

// readElements looks for elements that a player wrote.
func readElements(page []byte) error {
	z := html.NewTokenizer(bytes.NewReader(page))
	for {
		switch z.Next() {
		case html.ErrorToken:
			return nil
		case html.StartTagToken, html.SelfClosingTagToken:
			t := z.Token()
			for _, a := range t.Attr {
				if a.Key == elementMark || strings.HasPrefix(a.Key, "on") {
					return fmt.Errorf("an element of a player's: %s", t)
				}
			}
			if t.Data == "script" || t.Data == "iframe" || t.Data == "form" {
				return fmt.Errorf("an element %s", t)
			}
		}
	}
}

// shown reports whether a text has only characters that are seen as what they
// are; lines may be broken in a body.
func shown(s string, lines bool) bool {
	return utf8.ValidString(s) && strings.IndexFunc(s, func(r rune) bool { return hidden(r) && !(lines && (r == '\n' || r == '\r')) }) < 0
}

func hidden(r rune) bool {
	return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || r == '\u2028' || r == '\u2029' || r == '\u200b' || r == '\ufeff'
}

// firstHidden is the surroundings of the first such character.
func firstHidden(s string) string {
	i := strings.IndexFunc(s, func(r rune) bool { return hidden(r) && r != '\n' && r != '\r' })
	return s[max(i-60, 0):min(max(i, 0)+60, len(s))]
}
