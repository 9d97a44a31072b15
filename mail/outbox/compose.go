package outbox

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"maps"
	"mime/quotedprintable"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// Address is a person or mailbox: a name as a reader sees it and an addr-spec
// (RFC 5322 section 3.4.1) in ASCII, at most 254 octets.
type Address struct {
	Name string
	Addr string
}

// Picture is shown within the HTML part, which names it as "cid:" + ID.
type Picture struct {
	ID   string // Content-ID without angle brackets, e.g. "board@angelpost"
	Name string // file name a client offers, e.g. "board.png"
	Data []byte // a PNG
}

// Message is a letter before it has bytes. Text is needed; HTML and Pictures
// may be absent. Texts are UTF-8 with "\n" or "\r\n" between lines.
type Message struct {
	From    Address
	ReplyTo string // addr-spec that has the token; empty for none
	To      Address
	Subject string
	Date    time.Time // fixed when the letter was queued; written in UTC
	// MessageID is an identifier of the form "left@right", without angle
	// brackets; so should InReplyTo and References be, but other people's
	// programs made them: what cannot be repeated safely is left out.
	MessageID  string
	InReplyTo  string
	References []string
	ListID     string // e.g. "game.angelpost.example.org"; empty for none
	// Unsubscribe are addresses at which the reader can end such letters (RFC
	// 2369); at an https or http one, a single POST does it (RFC 8058).
	Unsubscribe []string
	Headers     map[string]string // names must begin with "X-Angelpost-"
	Text        string
	HTML        string
	Pictures    []Picture
	Calendar    *Calendar // nil: none
	Data        *Data     // nil: none
}

const headerPrefix = "X-Angelpost-"

// maxReferences bounds the References header; the first and the latest of a
// longer thread are kept, which is what clients thread by.
const maxReferences = 20

// Compose writes m as an Internet message (RFC 5322, 2045-2049, 2387) with CRLF line ends:
// multipart/alternative of text/plain and, if there is HTML, text/html. HTML with pictures is
// in a multipart/related. Without HTML it is a text/plain letter. If there are a Calendar or
// Data, a multipart/mixed holds them and the rest.
//
// The same Message always gives the same bytes. Compose removes control characters from text
// that a person may have chosen (names, subject), and encodes it. If something could break the
// header, it leaves it out if another's program chose it (identifiers of letters answered), and
// returns an error if this program did (addresses, its own identifiers, header names and
// values). Lines of Text arrive as they are, however long: quoted-printable folds them for
// transport only.
func Compose(m Message) ([]byte, error) {
	if m.Text == "" {
		return nil, errors.New("compose: a letter needs a text part")
	}
	if m.HTML == "" && len(m.Pictures) > 0 {
		return nil, errors.New("compose: a picture needs an HTML part that shows it")
	}
	var out bytes.Buffer
	room := 4096 + 5*(len(m.Text)+len(m.HTML))/4
	for _, p := range m.Pictures {
		room += 7 * len(p.Data) / 5
	}
	out.Grow(room)
	if err := writeHeader(&out, m); err != nil {
		return nil, fmt.Errorf("compose: %w", err)
	}
	if m.Calendar == nil && m.Data == nil {
		err := writeBody(&out, m)
		return out.Bytes(), err
	}
	mixed := boundary(m.MessageID, "mixed")
	field(&out, "Content-Type", fmt.Sprintf("multipart/mixed;\r\n boundary=%q", mixed))
	out.WriteString("\r\n--" + mixed + "\r\n")
	if err := writeBody(&out, m); err != nil {
		return nil, err
	}
	out.WriteString("\r\n")
	if m.Calendar != nil {
		out.WriteString("--" + mixed + "\r\n")
		if err := writeCalendar(&out, m.Calendar); err != nil {
			return nil, fmt.Errorf("compose: %w", err)
		}
	}
	if m.Data != nil {
		out.WriteString("--" + mixed + "\r\n")
		if err := writeData(&out, m.Data); err != nil {
			return nil, fmt.Errorf("compose: %w", err)
		}
	}
	out.WriteString("--" + mixed + "--\r\n")
	return out.Bytes(), nil
}

// writeBody writes what the recipient reads: text alone, or text and HTML.
func writeBody(out *bytes.Buffer, m Message) error {
	if m.HTML == "" {
		writeText(out, "text/plain", m.Text)
		return nil
	}
	outer := boundary(m.MessageID, "alternative")
	field(out, "Content-Type", fmt.Sprintf("multipart/alternative;\r\n boundary=%q", outer))
	out.WriteString("\r\n--" + outer + "\r\n")
	writeText(out, "text/plain", m.Text)
	out.WriteString("\r\n--" + outer + "\r\n")
	if len(m.Pictures) == 0 {
		writeText(out, "text/html", m.HTML)
	} else if err := writeRelated(out, m); err != nil {
		return fmt.Errorf("compose: %w", err)
	}
	out.WriteString("\r\n--" + outer + "--\r\n")
	return nil
}

func writeHeader(out *bytes.Buffer, m Message) error {
	from, err := m.From.header(checkAddr)
	if err != nil {
		return fmt.Errorf("header From: %w", err)
	}
	to, err := m.To.header(checkRecipient)
	if err != nil {
		return fmt.Errorf("header To: %w", err)
	}
	if m.Date.IsZero() {
		return errors.New("header Date: the time is missing")
	}
	id, err := identifier(m.MessageID)
	if err != nil {
		return fmt.Errorf("header Message-ID: %w", err)
	}

	field(out, "From", from)
	if m.ReplyTo != "" {
		if err := checkAddr(m.ReplyTo); err != nil {
			return fmt.Errorf("header Reply-To: %w", err)
		}
		field(out, "Reply-To", m.ReplyTo)
	}
	field(out, "To", to)
	field(out, "Subject", encodeText(m.Subject))
	field(out, "Date", m.Date.UTC().Format("Mon, 02 Jan 2006 15:04:05 -0700"))
	field(out, "Message-ID", id)
	if isForeignID(m.InReplyTo) {
		field(out, "In-Reply-To", "<"+m.InReplyTo+">")
	}
	var refs []string
	for _, ref := range m.References {
		if isForeignID(ref) {
			refs = append(refs, "<"+ref+">")
		}
	}
	if len(refs) > maxReferences {
		refs = append([]string{refs[0]}, refs[len(refs)-maxReferences+1:]...)
	}
	if len(refs) > 0 {
		field(out, "References", strings.Join(refs, " "))
	}
	if m.ListID != "" {
		if len(m.ListID) > maxToken || !isDotAtom(m.ListID) {
			return fmt.Errorf("header List-Id: %q is not a dotted name", m.ListID)
		}
		field(out, "List-Id", "<"+m.ListID+">")
	}
	if err := unsubscribe(out, m.Unsubscribe); err != nil {
		return err
	}
	field(out, "Auto-Submitted", "auto-generated")
	for _, name := range slices.Sorted(maps.Keys(m.Headers)) {
		value := m.Headers[name]
		if !strings.HasPrefix(name, headerPrefix) || !isFieldName(name) {
			return fmt.Errorf("header name %q: want %s and letters, digits or hyphens", name, headerPrefix)
		}
		if !isPrintable(value) || len(value) > maxToken {
			return fmt.Errorf("header %s: its value is not printable ASCII of at most %d octets", name, maxToken)
		}
		field(out, name, value)
	}
	field(out, "MIME-Version", "1.0")
	return nil
}

func unsubscribe(out *bytes.Buffer, at []string) error {
	if len(at) == 0 {
		return nil
	}
	post := false
	quoted := make([]string, len(at))
	for i, u := range at {
		if len(u) > maxToken || !isPrintable(u) || strings.ContainsAny(u, " <>,") {
			return fmt.Errorf("header List-Unsubscribe: %.60q is not a plain address", u)
		}
		quoted[i] = "<" + u + ">"
		post = post || strings.HasPrefix(u, "https:") || strings.HasPrefix(u, "http:")
	}
	field(out, "List-Unsubscribe", strings.Join(quoted, ", "))
	if post {
		field(out, "List-Unsubscribe-Post", "List-Unsubscribe=One-Click")
	}
	return nil
}

func writeText(out *bytes.Buffer, mediaType, text string) {
	field(out, "Content-Type", mediaType+"; charset=utf-8")
	field(out, "Content-Transfer-Encoding", "quoted-printable")
	out.WriteString("\r\n")
	text = strings.ReplaceAll(text, "\r\n", "\n")
	if !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	text = strings.ReplaceAll(strings.ReplaceAll(text, "\r", ""), "\x00", "")
	if !utf8.ValidString(text) {
		text = strings.ToValidUTF8(text, "\uFFFD")
	}
	w := quotedprintable.NewWriter(out)
	_, _ = io.WriteString(w, text) // a bytes.Buffer takes everything
	_ = w.Close()
}

func writeRelated(out *bytes.Buffer, m Message) error {
	inner := boundary(m.MessageID, "related")
	field(out, "Content-Type", fmt.Sprintf("multipart/related; type=\"text/html\";\r\n boundary=%q", inner))
	out.WriteString("\r\n--" + inner + "\r\n")
	writeText(out, "text/html", m.HTML)
	out.WriteString("\r\n")
	for _, p := range m.Pictures {
		id, err := identifier(p.ID)
		if err != nil {
			return fmt.Errorf("picture: %w", err)
		}
		if !isFileName(p.Name) {
			return fmt.Errorf("picture: file name %q: want letters, digits, dots or hyphens", p.Name)
		}
		out.WriteString("--" + inner + "\r\n")
		field(out, "Content-Type", fmt.Sprintf("image/png; name=%q", p.Name))
		field(out, "Content-Transfer-Encoding", "base64")
		field(out, "Content-ID", id)
		field(out, "Content-Disposition", fmt.Sprintf("inline; filename=%q", p.Name))
		out.WriteString("\r\n")
		writeBase64(out, p.Data)
	}
	out.WriteString("--" + inner + "--\r\n")
	return nil
}

// boundary cannot occur in a part: neither quoted-printable nor base64 ever
// writes "=_" (RFC 2045 section 6.7 recommends it for that).
func boundary(messageID, level string) string {
	sum := sha256.Sum256([]byte(level + "\n" + messageID))
	return "=_" + hex.EncodeToString(sum[:16])
}
