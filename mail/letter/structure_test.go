package letter

import (
	"strings"
	"testing"

	"angelpost/engine/incoming"
)

// What programs make of a few lines: each letter says "status" and "legal", or as much as its
// row says.
func TestStructures(t *testing.T) {
	mixed := "Content-Type: multipart/mixed; boundary=b"
	base64Of := "Content-Transfer-Encoding: base64"
	ics := "--b\nContent-Type: text/calendar; method=REPLY\nContent-Disposition: attachment; filename=a.ics\n\nMETHOD:REPLY\n--b--\n"
	tests := []struct {
		name   string
		header []string
		body   string
		want   string
	}{
		{"base64 in padded pieces", []string{base64Of}, "c3RhdHVzCg==\nbGVnYWwK\nbm90ZTogeAo=\n", "status/legal/note: x"},
		{"base64 in padded pieces on one line", []string{base64Of}, "c3RhdHVzCg==bGVnYWwK", "status/legal"},
		{"base64 and a footer", []string{base64Of}, "c3RhdHVzCg==\n_____\nlist footer\n", "status"},
		{"a calendar attached to an answer", []string{mixed, "In-Reply-To: <n@play.example>"}, "--b\n\nstatus\n" + ics, "status"},
		{"a bare type", []string{"Content-Type: text"}, "status\nlegal\n", "status/legal"},
		{"markdown", []string{"Content-Type: text/markdown; charset=utf-8"}, "status\n\n**legal**\n", "status/legal"},
		{"charset in HTML's meta only", []string{"Content-Type: text/html"}, "<html><head><meta charset=koi8-r></head><p>note: \xd0\xd2\xc9\xd7\xc5\xd4", "note: привет"},
		{"cp932", []string{"Content-Type: text/plain; charset=cp932"}, "note: \x83\x65\x83\x58\x83\x67", "note: テスト"},
		{"cp850", []string{"Content-Type: text/plain; charset=cp850"}, "note: Gr\x81\xe1e", "note: Grüße"},
		{"cp437", []string{"Content-Type: text/plain; charset=cp437"}, "note: Gr\x81\xe1e", "note: Grüße"},
		{"cp852", []string{"Content-Type: text/plain; charset=cp852"}, "note: \x88\xa2d\x88", "note: łódł"},
		{"UTF-7", []string{"Content-Type: text/plain; charset=utf-7"}, "note: Gr+APwA3w-e 1+-1", "note: Grüße 1+1"},
		{"HZ", []string{"Content-Type: text/plain; charset=hz-gb-2312"}, "note: ~{VPND~}", "note: 中文"},
		{"ISO-2022-KR", []string{"Content-Type: text/plain; charset=iso-2022-kr"}, "\x1b$)Cnote: \x0eGQ1[\x0f", "note: 한글"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			l := Read(mailOf(tt.body, append([]string{fromAnna}, tt.header...)...), Options{})
			if got := strings.Join(l.Orders, "/"); got != tt.want || l.Kind != incoming.Orders {
				t.Errorf("%s %q, want %q", l.Kind, got, tt.want)
			}
		})
	}
	if l := Read(mailOf("--b\n\nAnna has accepted\n"+ics, fromAnna, mixed), Options{}); l.Kind != incoming.Calendar {
		t.Errorf("an attached reply that answers nothing: %s", l.Kind)
	}
}
