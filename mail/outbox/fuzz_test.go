package outbox

import (
	"bytes"
	"mime"
	"net/mail"
	"slices"
	"strings"
	"testing"

	"angelpost/engine/cost"
)

// FuzzHeader: with any text in any field, the letter is refused, or it has the header it should
// have, line for line, and no other recipient.
func FuzzHeader(f *testing.F) {
	for _, s := range []string{"a@b.example", "a@b.example\r\nBcc: c@d.example", "a@b.example, c@d.example", "x <a@b.example>", "a@[10.0.0.1]", "a..b@c", "\"a b\"@c.example",
		"a@b>\r\n <c@d", "=?utf-8?q?=0D=0ABcc:_x?=", "a(b)@c.example", "a@b@c", "\x00", "a@" + strings.Repeat("b", 300), "Zoë", "\u202e", "x\r\n.\r\n", "X-Angelpost-Kind: y"} {
		f.Add(s, s, s)
	}
	f.Fuzz(func(t *testing.T, address, id, name string) {
		m := sample()
		m.From.Name, m.To, m.ReplyTo = name, Address{Name: name, Addr: address}, address
		m.Subject, m.MessageID, m.InReplyTo, m.References = name, "g1@"+id, id, []string{id, "a@b"}
		m.ListID, m.Headers["X-Angelpost-Result"], m.Pictures[0].ID, m.Pictures[0].Name = id, name, id, name
		m.Unsubscribe[0] += id
		for _, edit := range []func(){
			func() {}, // and then the right value in one after the other, so that the others are checked
			func() { m.Unsubscribe = sample().Unsubscribe },
			func() { m.Headers["X-Angelpost-Result"], m.Pictures[0].Name = "applied", "board.png" },
			func() { m.MessageID, m.ListID, m.Pictures[0].ID = "g1@b", "b.example", "g1@b" },
			func() { m.To.Addr, m.ReplyTo = "zoe@example.net", "a@b.example" },
		} {
			edit()
			var raw []byte
			var err error
			cost.Within(t, func() { raw, err = Compose(m) })
			if err == nil {
				readHeader(t, m, raw)
			}
		}
		if raw, err := Compose(m); err != nil {
			t.Errorf("nothing is wrong any more, but %v\n%s", err, raw)
		}
	})
}

// readHeader reads a composed letter's header as the wire has it.
func readHeader(t *testing.T, m Message, raw []byte) {
	t.Helper()
	head, _, ok := bytes.Cut(raw, []byte("\r\n\r\n"))
	if !ok {
		t.Fatalf("no end of the header: %q", raw)
	}
	var names []string
	for line := range strings.SplitSeq(string(head), "\r\n") {
		if len(line) > 998 || !isPrintable(line) || strings.TrimSpace(line) == "" {
			t.Fatalf("header line %q", line)
		}
		if line[0] != ' ' {
			name, _, _ := strings.Cut(line, ":")
			names = append(names, name)
		}
	}
	want := []string{"From", "Reply-To", "To", "Subject", "Date", "Message-ID", "In-Reply-To", "References", "List-Id", "List-Unsubscribe", "List-Unsubscribe-Post", "Auto-Submitted",
		"X-Angelpost-Game", "X-Angelpost-Kind", "X-Angelpost-Result", "X-Angelpost-Seat", "MIME-Version", "Content-Type"}
	if !isForeignID(m.InReplyTo) {
		want = slices.DeleteFunc(want, func(s string) bool { return s == "In-Reply-To" })
	}
	if !slices.Equal(names, want) {
		t.Fatalf("header fields %q, want %q", names, want)
	}
	msg, err := mail.ReadMessage(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	for name, addr := range map[string]string{"From": m.From.Addr, "To": m.To.Addr, "Reply-To": m.ReplyTo} {
		if list, err := msg.Header.AddressList(name); err != nil || len(list) != 1 || list[0].Address != addr {
			t.Fatalf("%s is read as %v, %v; want %s", name, list, err, addr)
		}
	}
	if s, err := new(mime.WordDecoder).DecodeHeader(msg.Header.Get("Subject")); err != nil || s != clean(m.Subject) {
		t.Fatalf("subject %q, %v; want %q", s, err, clean(m.Subject))
	}
}
