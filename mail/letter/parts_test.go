package letter

import (
	"encoding/base64"
	"encoding/binary"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"angelpost/engine/incoming"
)

// record is a TNEF attribute, property a MAPI property of variable size.
func record(id uint32, data []byte) []byte {
	b := binary.LittleEndian.AppendUint32([]byte{1}, id)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(data)))
	return append(append(b, data...), 0, 0)
}

func property(typ, id uint16, v []byte) []byte {
	b := binary.LittleEndian.AppendUint16(nil, typ)
	b = binary.LittleEndian.AppendUint16(b, id)
	b = binary.LittleEndian.AppendUint32(b, 1)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(v)))
	return append(append(b, v...), make([]byte, -len(v)&3)...)
}

func tnef(records ...[]byte) string {
	b := binary.LittleEndian.AppendUint32(nil, tnefSignature)
	b = append(b, 1, 0)
	for _, r := range records {
		b = append(b, r...)
	}
	return base64.StdEncoding.EncodeToString(b) + "\n"
}

// The text is found inside any wrapping.
func TestWhereTheTextIs(t *testing.T) {
	text := lines(turn...)
	wide := utf16.Encode([]rune(text))
	var le []byte
	for _, u := range wide {
		le = binary.LittleEndian.AppendUint16(le, u)
	}
	props := func(p ...[]byte) []byte {
		b := binary.LittleEndian.AppendUint32(nil, uint32(len(p)+1))
		b = append(b, 0x03, 0, 0x17, 0, 1, 0, 0, 0) // a fixed one before
		for _, x := range p {
			b = append(b, x...)
		}
		return record(tnefProps, b)
	}
	long := "card 013 at row 2 and then the orange die two and after that command at 4 and keep 031"
	at := strings.LastIndex(long[:72], " ")
	ms := "application/ms-tnef; name=winmail.dat"
	for name, c := range map[string]struct {
		body string
		want []string
	}{
		"inline with a file's name":   {"Content-Type: text/plain; charset=utf-8\nContent-Disposition: inline; filename=\"reply.txt\"\n\n" + text, turn},
		"bare text":                   {"Content-Type: text\n\n" + text, turn},
		"Markdown":                    {"Content-Type: text/markdown; charset=utf-8\n\n**" + strings.Join(turn, "**\n**") + "**\n", turn},
		"TNEF, body":                  {"Content-Type: " + ms + "\nContent-Transfer-Encoding: base64\n\n" + tnef(record(tnefBody, []byte(text+"\x00"))), turn},
		"TNEF, Unicode property":      {"Content-Type: " + ms + "\nContent-Transfer-Encoding: base64\n\n" + tnef(props(property(0x1F, propBody, le))), turn},
		"TNEF, HTML property":         {"Content-Type: " + ms + "\nContent-Transfer-Encoding: base64\n\n" + tnef(props(property(0x102, propHTML, []byte("<div>"+strings.Join(turn, "</div><div>")+"</div>")))), turn},
		"plain part that asks for it": {alternative(part1(utf8Plain, "", "This message needs an HTML-capable mail program. Please view it as HTML.\n"), part1(utf8HTML, "", divs(turn...))), turn},
		"torn line":                   {alternative(part1(utf8Plain, "", long[:at]+"\n"+long[at+1:]+"\nkeep 031\n"), part1(utf8HTML, "", divs(long, "keep 031"))), []string{long, "keep 031"}},
		"two long lines that are two": {alternative(part1(utf8Plain, "", long+"\n"+long+"\n"), part1(utf8HTML, "", divs(long, long))), []string{long, long}},
		"charset in the meta only":    {"Content-Type: text/html\n\n<html><head><meta charset=\"windows-1251\"></head><body><div>card 013</div><div>say \xef\xf0\xe8\xe2\xe5\xf2</div></body></html>", []string{"card 013", "say привет"}},
		"code fence":                  {part1(utf8Plain, "", "```\n"+text+"```\n"), turn},
		"attached file, and a text":   {"Content-Type: multipart/mixed; boundary=b\n\n--b\n" + part1(utf8Plain, "", text) + "--b\nContent-Type: text/plain\nContent-Disposition: inline; filename=old.txt\n\ncommand at 7\n--b--\n", turn},
	} {
		if l := Read([]byte(head("z", "")+c.body), Options{}); !slices.Equal(l.Orders, c.want) {
			t.Errorf("%s: %s, orders %q", name, l.Kind, l.Orders)
		}
	}
}

// A winmail.dat with nothing but RTF is not read: it is answered with how to write instead. Outlook
// sends a plain text next to it, or one of the forms above in it.
func TestTNEFOfRTFOnly(t *testing.T) {
	rtf := binary.LittleEndian.AppendUint32(nil, 1)
	rtf = append(rtf, property(0x102, 0x1009, []byte("\x10\x00\x00\x00\x04\x00\x00\x00MELA\x00\x00\x00\x00pass"))...)
	only := "Content-Type: application/ms-tnef; name=winmail.dat\nContent-Transfer-Encoding: base64\n\n" + tnef(record(tnefProps, rtf))
	if l := Read([]byte(head("z", "")+only), Options{}); l.Kind != incoming.Broken || !l.Answer || l.Sealed || len(l.Orders) > 0 {
		t.Errorf("%s, answer %v, orders %q", l.Kind, l.Answer, l.Orders)
	}
	beside := "Content-Type: multipart/mixed; boundary=b\n\n--b\n" + part1(utf8Plain, "", lines(turn...)) + "\n--b\n" + only + "\n--b--\n"
	if l := Read([]byte(head("z", "")+beside), Options{}); !slices.Equal(l.Orders, turn) {
		t.Errorf("next to a text: %s, orders %q", l.Kind, l.Orders)
	}
}

// No TNEF makes the reader fail.
func FuzzTNEF(f *testing.F) {
	raw, _ := base64.StdEncoding.DecodeString(strings.TrimSpace(tnef(record(tnefBody, []byte("x")), record(tnefProps, property(0x1F, propBody, []byte("a\x00"))))))
	f.Add(raw)
	f.Add(append(raw[:6:6], record(tnefProps, []byte{255, 255, 255, 255, 0x03, 0x10, 1, 0, 255, 255, 255, 255})...))
	f.Fuzz(func(t *testing.T, b []byte) {
		if plain, html := tnefText(b); len(plain)+len(html) > 6*len(b) {
			t.Errorf("%d octets of text from %d", len(plain)+len(html), len(b))
		}
	})
}
