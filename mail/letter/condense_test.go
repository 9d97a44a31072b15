package letter

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestCondense: what a player wrote is kept, in UTF-8 and once; what they quote of our
// letter, traces, signatures and attachments are not.
func TestCondense(t *testing.T) {
	notice := "It is your move in Friday.\n\nYour orders so far: none at all.\n| card 013 at row 2\n| B\nGood luck with all of it."
	raw := "Received: by mx; now\r\nDKIM-Signature: v=1; b=abc\r\nFrom: Ann <ann@example.org>\r\nSubject: Re: Friday\r\nX-Mailer: x\r\nMIME-Version: 1.0\r\n" +
		"Content-Type: multipart/mixed; boundary=m\r\n\r\n--m\r\nContent-Type: text/plain; charset=iso-8859-1\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n" +
		"card 013 at row 2\r\nGr=FC=DFe\r\n\r\n> It is your move in Friday.\r\n>\r\n> Your orders so far: none at all.\r\n> | card 013 at row 2\r\n> | B\r\n> Good luck with all of it.\r\n> and this is from another letter of yours\r\n" +
		"--m\r\nContent-Type: image/png\r\nContent-Disposition: attachment; filename=x.png\r\nContent-Transfer-Encoding: base64\r\n\r\nAAAA\r\n--m--\r\n"
	want := "From: Ann <ann@example.org>\nSubject: Re: Friday\n\ncard 013 at row 2\nGrüße\n\n[5 lines of our letter out7]\n> and this is from another letter of yours\n[attachment: image/png, 4 octets]\n"
	if got := string(Condense([]byte(raw), NewNotice(notice), "out7")); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got := string(Condense([]byte(raw), nil, "")); !strings.Contains(got, "> Your orders so far: none at all.\n") || strings.Contains(got, "our letter") {
		t.Errorf("without the notice:\n%s", got)
	}
	for _, raw := range []string{"", "\r\n", "x", "From: a\r\n", "Subject: " + strings.Repeat("ü", 5000) + "\r\n\r\n"} {
		if got := Condense([]byte(raw), nil, ""); len(got) > 2000 {
			t.Errorf("%.20q: %d bytes", raw, len(got))
		}
	}
}

// TestCondenseCorpus: every letter of the test data can be condensed, to no more than it
// was, and what its author wrote is in it.
func TestCondenseCorpus(t *testing.T) {
	n := 0
	err := filepath.WalkDir("testdata", func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".eml") {
			return err
		}
		raw, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		n++
		got := string(Condense(raw, nil, "out1"))
		for _, line := range Read(raw, Options{}).Text {
			line = strings.TrimSpace(strings.TrimPrefix(line, Perhaps))
			if line != "" && line != Gap && got != "" && !strings.Contains(got, line) {
				t.Errorf("%s: %q is lost in\n%s", path, line, got)
			}
		}
		return nil
	})
	if err != nil || n == 0 {
		t.Errorf("%d letters, %v", n, err)
	}
	t.Logf("%d letters", n)
}
