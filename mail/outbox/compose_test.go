package outbox

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net/mail"
	"strings"
	"testing"
	"time"

	"github.com/emersion/go-message"
	_ "github.com/emersion/go-message/charset"
	"github.com/google/go-cmp/cmp"
)

func sample() Message {
	return Message{
		From:        Address{"Angelpost", "angelpost@example.org"},
		ReplyTo:     "angelpost+abcdefghijklmnopqrstuvwxyz234567@example.org",
		To:          Address{"Zoë \"Z\" Ångström", "zoe@example.net"},
		Subject:     "Black Angel, round 3: your turn – Zoë",
		Date:        time.Date(2026, 11, 21, 8, 0, 0, 0, time.FixedZone("CET", 3600)),
		MessageID:   "g1.17.abc@example.org",
		InReplyTo:   "g1.16.abc@example.org",
		References:  []string{"g1.1.abc@example.org", "g1.16.abc@example.org"},
		ListID:      "g1.angelpost.example.org",
		Unsubscribe: []string{"https://play.example.org/g/g1/abcdefghijklmnopqrstuvwxyz/mute", "mailto:angelpost+abcdefghijklmnopqrstuvwxyz234567@example.org?subject=mute"},
		Headers:     map[string]string{"X-Angelpost-Seat": "2", "X-Angelpost-Game": "g1", "X-Angelpost-Kind": "turn"},
		Text: "It is your turn.\r\n\n| legal\n| mission orange 0 1 2 " + strings.Repeat("and so on ", 40) + "\n| end\n" +
			"trailing blank \n.\nFrom here = there\n" + strings.Repeat("é", 300) + "\n\tcafé ☕\n",
		HTML:     "<p>It is <b>your</b> turn.<img src=\"cid:board@angelpost\" alt=\"x\"></p>",
		Pictures: []Picture{{ID: "board@angelpost", Name: "board.png", Data: bytes.Repeat([]byte("\x89PNG\r\n.\r\n"), 300)}},
	}
}

// part is one leaf of a letter as a parser reads it.
type part struct{ Type, Body string }

// readStd walks a letter with the standard library alone.
func readStd(t *testing.T, contentType, encoding string, body io.Reader) (parts []part) {
	t.Helper()
	mediaType, params, err := mime.ParseMediaType(contentType)
	if err != nil {
		t.Fatalf("%q: %v", contentType, err)
	}
	if strings.HasPrefix(mediaType, "multipart/") {
		r := multipart.NewReader(body, params["boundary"])
		for {
			p, err := r.NextRawPart()
			if err == io.EOF {
				return parts
			}
			if err != nil {
				t.Fatal(err)
			}
			parts = append(parts, readStd(t, p.Header.Get("Content-Type"), p.Header.Get("Content-Transfer-Encoding"), p)...)
		}
	}
	switch encoding {
	case "quoted-printable":
		body = quotedprintable.NewReader(body)
	case "base64":
		body = base64.NewDecoder(base64.StdEncoding, body)
	default:
		t.Fatalf("encoding %q", encoding)
	}
	raw, err := io.ReadAll(body)
	if err != nil {
		t.Fatal(err)
	}
	return []part{{mediaType, string(raw)}}
}

// readEntity walks a letter with go-message.
func readEntity(t *testing.T, e *message.Entity) (parts []part) {
	t.Helper()
	err := e.Walk(func(path []int, e *message.Entity, err error) error {
		if err != nil {
			return err
		}
		mediaType, _, err := e.Header.ContentType()
		if err != nil || strings.HasPrefix(mediaType, "multipart/") {
			return err
		}
		raw, err := io.ReadAll(e.Body)
		parts = append(parts, part{mediaType, string(raw)})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return parts
}

func TestComposedLetterReadsBackByTwoParsers(t *testing.T) {
	for _, c := range []struct {
		name string
		edit func(*Message)
		want []string
	}{
		{"text, HTML, picture", func(*Message) {}, []string{"text/plain", "text/html", "image/png"}},
		{"text and HTML", func(m *Message) { m.Pictures = nil }, []string{"text/plain", "text/html"}},
		{"text alone", func(m *Message) { m.HTML, m.Pictures = "", nil }, []string{"text/plain"}},
		{"text and event", func(m *Message) { m.HTML, m.Pictures, m.Calendar = "", nil, sampleCalendar() }, []string{"text/plain", "text/calendar"}},
		{"all", func(m *Message) { m.Calendar = sampleCalendar() }, []string{"text/plain", "text/html", "image/png", "text/calendar"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := sample()
			c.edit(&m)
			raw, err := Compose(m)
			if err != nil {
				t.Fatal(err)
			}
			for i, line := range strings.Split(strings.TrimSuffix(string(raw), "\r\n"), "\r\n") {
				whole := strings.HasPrefix(line, "List-Unsubscribe: ") && strings.Count(line, " ") == 1 // an address cannot be folded
				if len(line) > 78 && !whole || !isPrintable(strings.ReplaceAll(line, "\t", "")) {
					t.Fatalf("line %d of the raw letter: %q", i+1, line)
				}
			}

			std, err := mail.ReadMessage(bytes.NewReader(raw))
			if err != nil {
				t.Fatal(err)
			}
			h := std.Header
			var decoder mime.WordDecoder
			subject, err := decoder.DecodeHeader(h.Get("Subject"))
			if err != nil || subject != m.Subject {
				t.Errorf("subject %q, %v", subject, err)
			}
			to, err := h.AddressList("To")
			if err != nil || len(to) != 1 || to[0].Name != m.To.Name || to[0].Address != m.To.Addr {
				t.Errorf("to %v, %v", to, err)
			}
			if date, err := h.Date(); err != nil || !date.Equal(m.Date) {
				t.Errorf("date %v, %v", date, err)
			}
			for name, want := range map[string]string{
				"Message-ID": "<g1.17.abc@example.org>", "In-Reply-To": "<g1.16.abc@example.org>",
				"References": "<g1.1.abc@example.org> <g1.16.abc@example.org>",
				"Reply-To":   m.ReplyTo, "List-Id": "<g1.angelpost.example.org>",
				"List-Unsubscribe":      "<" + strings.Join(m.Unsubscribe, ">, <") + ">",
				"List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
				"Auto-Submitted":        "auto-generated", "MIME-Version": "1.0",
				"X-Angelpost-Game": "g1", "X-Angelpost-Seat": "2", "X-Angelpost-Kind": "turn",
			} {
				if got := h.Get(name); got != want {
					t.Errorf("%s: %q, want %q", name, got, want)
				}
			}
			if strings.Contains(string(raw), "flowed") {
				t.Error("the text part is flowed")
			}

			contents := map[string]string{
				"text/plain": strings.ReplaceAll(strings.ReplaceAll(m.Text, "\r\n", "\n"), "\n", "\r\n"),
				"text/html":  m.HTML + "\r\n",
			}
			if len(m.Pictures) > 0 {
				contents["image/png"] = string(m.Pictures[0].Data)
			}
			if m.Calendar != nil {
				contents["text/calendar"] = m.Calendar.Text
			}
			var want []part
			for _, mediaType := range c.want {
				want = append(want, part{mediaType, contents[mediaType]})
			}
			got := readStd(t, h.Get("Content-Type"), h.Get("Content-Transfer-Encoding"), std.Body)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("net/mail and mime/multipart: %s", diff)
			}
			entity, err := message.Read(bytes.NewReader(raw))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, readEntity(t, entity)); diff != "" {
				t.Errorf("go-message: %s", diff)
			}
		})
	}
}

func TestSameMessageSameBytes(t *testing.T) {
	first, err := Compose(sample())
	if err != nil {
		t.Fatal(err)
	}
	for range 20 {
		again, _ := Compose(sample())
		if !bytes.Equal(first, again) {
			t.Fatal("composed twice, the bytes differ")
		}
	}
}

func TestHeaderCannotBeInjected(t *testing.T) {
	evil := "x\r\nBcc: victim@example.org\r\n\r\nbody"
	for name, edit := range map[string]func(*Message){
		"from address":     func(m *Message) { m.From.Addr = "a@b.example\r\nBcc: c@d.example" },
		"to address":       func(m *Message) { m.To.Addr = "a@b.example, c@d.example" },
		"to with brackets": func(m *Message) { m.To.Addr = "x <a@b.example>" },
		"beyond ASCII":     func(m *Message) { m.To.Addr = "zoë @b.example" },
		"reply-to":         func(m *Message) { m.ReplyTo = "a@b.example\n" },
		"NUL in address":   func(m *Message) { m.To.Addr = "a\x00@b.example" },
		"message-id":       func(m *Message) { m.MessageID = "a@b>\r\nBcc: x" },
		"no message-id":    func(m *Message) { m.MessageID = "" },
		"list-id":          func(m *Message) { m.ListID = evil },
		"unsubscribe":      func(m *Message) { m.Unsubscribe[1] = "mailto:a@b.example>\r\nBcc: x" },
		"two in one":       func(m *Message) { m.Unsubscribe[0] = "https://a.example>,<https://b.example" },
		"header name":      func(m *Message) { m.Headers = map[string]string{"X-Angelpost-A: b\r\nBcc": "x"} },
		"foreign header":   func(m *Message) { m.Headers = map[string]string{"Bcc": "a@b.example"} },
		"header value":     func(m *Message) { m.Headers = map[string]string{"X-Angelpost-A": evil} },
		"picture id":       func(m *Message) { m.Pictures[0].ID = evil },
		"picture name":     func(m *Message) { m.Pictures[0].Name = evil },
		"no date":          func(m *Message) { m.Date = time.Time{} },
		"no text":          func(m *Message) { m.Text = "" },
		"long local part":  func(m *Message) { m.ReplyTo = strings.Repeat("a", 65) + "@example.org" },
		"picture, no HTML": func(m *Message) { m.HTML = "" },
	} {
		m := sample()
		edit(&m)
		if raw, err := Compose(m); err == nil {
			t.Errorf("%s was accepted:\n%s", name, raw[:min(len(raw), 400)])
		}
	}
	m := sample()
	m.Subject, m.To.Name, m.From.Name = evil, evil, evil
	raw, err := Compose(m)
	if err != nil {
		t.Fatal(err)
	}
	msg, err := mail.ReadMessage(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	if msg.Header.Get("Bcc") != "" {
		t.Error("a header was injected through a name or the subject")
	}
	if got, want := msg.Header.Get("Subject"), "x Bcc: victim@example.org body"; got != want {
		t.Errorf("subject %q, want %q", got, want)
	}
}

// A letter whose Message-ID is not valid is answered all the same: the id is repeated if that
// is safe, and left out if it is not.
func TestForeignIdentifiers(t *testing.T) {
	for id, repeated := range map[string]bool{
		"1@[10.0.0.1]": true, "no-at-sign": true, "a..b@c": true, `"a"@c`: true, strings.Repeat("x", maxToken): true,
		"a b@c": false, "a@b>\r\nBcc: x@y": false, "a\x00@b": false, "é@b": false, "a<b@c": false, "=?utf-8?q?=0D=0A?=@c": false,
		strings.Repeat("x", maxToken+1): false,
	} {
		m := sample()
		m.InReplyTo, m.References = id, []string{"g1.1.abc@example.org", id}
		raw, err := Compose(m)
		if err != nil {
			t.Errorf("%q: %v", id, err)
			continue
		}
		msg, err := mail.ReadMessage(bytes.NewReader(raw))
		if err != nil {
			t.Fatal(err)
		}
		reply, refs := "", "<g1.1.abc@example.org>"
		if repeated {
			reply, refs = "<"+id+">", refs+" <"+id+">"
		}
		if h := msg.Header; h.Get("In-Reply-To") != reply || h.Get("References") != refs || h.Get("Bcc") != "" {
			t.Errorf("%q: In-Reply-To %q, References %q", id, h.Get("In-Reply-To"), h.Get("References"))
		}
	}
}

func TestReferencesKeepFirstAndLatest(t *testing.T) {
	m := sample()
	m.References = nil
	for i := range 100 {
		m.References = append(m.References, fmt.Sprintf("%d@example.org", i))
	}
	raw, err := Compose(m)
	if err != nil {
		t.Fatal(err)
	}
	msg, err := mail.ReadMessage(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	refs := strings.Fields(msg.Header.Get("References"))
	if len(refs) != maxReferences || refs[0] != "<0@example.org>" || refs[maxReferences-1] != "<99@example.org>" {
		t.Errorf("%d references, %v", len(refs), refs)
	}
}

// FuzzFreeText: whatever people choose, the letter has the header it should
// have, and name and subject come back cleaned but otherwise whole.
func FuzzFreeText(f *testing.F) {
	for _, s := range []string{"", "plain", "=?utf-8?q?spoof?=", "a\r\nb: c", "é\xff\x00", strings.Repeat("long ", 100), strings.Repeat("☕", 200), "\u202eevil", `"\`, strings.Repeat("w", 500)} {
		f.Add(s, s)
	}
	f.Fuzz(func(t *testing.T, free, text string) {
		m := sample()
		m.Subject, m.To.Name, m.Text = free, free, text+"."
		raw, err := Compose(m)
		if err != nil {
			t.Fatal(err)
		}
		msg, err := mail.ReadMessage(bytes.NewReader(raw))
		if err != nil {
			t.Fatal(err)
		}
		if len(msg.Header) != 17 {
			t.Fatalf("%d headers: %v", len(msg.Header), msg.Header)
		}
		var decoder mime.WordDecoder
		subject, err := decoder.DecodeHeader(msg.Header.Get("Subject"))
		if err != nil || subject != clean(free) {
			t.Errorf("subject %q, want %q (%v)", subject, clean(free), err)
		}
		to, err := msg.Header.AddressList("To")
		if err != nil || len(to) != 1 || to[0].Address != m.To.Addr || to[0].Name != clean(free) {
			t.Errorf("to %v, %v, want name %q", to, err, clean(free))
		}
		parts := readStd(t, msg.Header.Get("Content-Type"), "", msg.Body)
		if len(parts) != 3 {
			t.Errorf("%d parts", len(parts))
		}
	})
}
