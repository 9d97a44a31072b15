package inprocess

import (
	"strings"
	"testing"
)

// The second parser must see what it is there for.
func TestReadBack(t *testing.T) {
	good := "From: \"Angelpost\" <a@b.example>\r\nTo: ann@example.org\r\nSubject: First flight: round 1\r\nMessage-ID: <x@y>\r\n" +
		"Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\nHello =C3=A9\r\n"
	if err := readBack([]byte(good), "ann@example.org"); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string][2]string{
		"another field":      {"Message-ID:", "Bcc: x@example.org\r\nMessage-ID:"},
		"a field twice":      {"Message-ID:", "Subject: again\r\nMessage-ID:"},
		"bare LF":            {"round 1", "round\n1"},
		"bare CR":            {"round 1", "round\r1"},
		"NUL":                {"round 1", "round\x001"},
		"eight bits":         {"round 1", "röund"},
		"hidden line":        {"round 1", "=?utf-8?q?a=0D=0ABcc:_x?="},
		"hidden direction":   {"round 1", "=?utf-8?q?=E2=80=AE?="},
		"long line":          {"round 1", strings.Repeat("x", 1000)},
		"long subject":       {"round 1", strings.Repeat("long ", maxSubject/4)},
		"two recipients":     {"ann@example.org", "ann@example.org, bob@example.org"},
		"another recipient":  {"ann@example.org", "bob@example.org"},
		"header ends early":  {"Subject:", "\r\nSubject:"},
		"blank continuation": {"Subject:", " \r\nSubject:"},
		"control in text":    {"Hello", "Hello=1B[31m"},
		"direction in text":  {"Hello", "Hello=E2=80=AE"},
		"element of theirs":  {"text/plain; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n", "text/html\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n<b hostile>"},
	} {
		if err := readBack([]byte(strings.Replace(good, c[0], c[1], 1)), "ann@example.org"); err == nil {
			t.Errorf("%s: nothing is wrong", name)
		}
	}
}
