package letter

import (
	"slices"
	"strings"
	"testing"
)

// Files that someone attached are named; those that mail programs add, and pictures in the
// text, are not.
func TestFilesAreNamed(t *testing.T) {
	part := func(head, body string) string { return "--m\n" + head + "\n\n" + body + "\n" }
	text := part("Content-Type: text/plain", "B")
	for name, c := range map[string]struct {
		parts string
		want  []string
	}{
		"none":                   {text, nil},
		"a text":                 {text + part("Content-Type: text/plain\nContent-Disposition: attachment; filename=\"orders.txt\"", "resign"), []string{"orders.txt"}},
		"a picture":              {text + part("Content-Type: image/jpeg; name=\"IMG 1.jpg\"\nContent-Disposition: attachment", "x"), []string{"IMG 1.jpg"}},
		"an encoded name":        {text + part("Content-Type: application/pdf\nContent-Disposition: attachment;\n filename*=UTF-8''Z%C3%BCge.pdf", "x"), []string{"Züge.pdf"}},
		"an older encoding":      {text + part("Content-Type: application/pdf; name=\"=?UTF-8?Q?Z=C3=BCge.pdf?=\"", "x"), []string{"Züge.pdf"}},
		"no name":                {text + part("Content-Type: application/pdf", "x"), []string{"application/pdf"}},
		"a letter":               {text + part("Content-Type: message/rfc822", "Subject: x\n\nresign"), []string{"message/rfc822"}},
		"the same twice":         {text + part("Content-Type: a/b; name=x", "1") + part("Content-Type: a/b; name=x", "2"), []string{"x"}},
		"a logo in the text":     {text + part("Content-Type: image/png; name=logo.png\nContent-ID: <a@b>", "x") + part("Content-Type: image/png\nContent-Disposition: inline; filename=\"l.png\"", "x"), nil},
		"signatures and cards":   {text + part("Content-Type: application/pgp-signature; name=\"signature.asc\"", "x") + part("Content-Type: text/vcard; name=\"anna.vcf\"\nContent-Disposition: attachment", "x"), nil},
		"HTML beside the text":   {text + part("Content-Type: text/html", "<p>B"), nil},
		"many":                   {text + strings.Repeat(part("Content-Type: a/b; name=x", "1"), 3) + manyFiles(part), []string{"x", "0", "1", "2", "3", "4", "5", "6", "7", "8"}},
		"a name without its end": {text + part("Content-Type: a/b; name="+strings.Repeat("x", 3000), "1"), []string{strings.Repeat("x", maxFileName-1) + "…"}},
	} {
		l := Read([]byte("From: a@b.test\nTo: angelpost@play.test\nMessage-ID: <1@b.test>\nContent-Type: multipart/mixed; boundary=m\n\n"+c.parts+"--m--\n"), Options{Address: "angelpost+{token}@play.test"})
		if !slices.Equal(l.Files, c.want) {
			t.Errorf("%s: named %q, want %q", name, l.Files, c.want)
		}
		if !slices.Equal(l.Text, []string{"B"}) {
			t.Errorf("%s: read %q", name, l.Text)
		}
	}
}

func manyFiles(part func(head, body string) string) (all string) {
	for i := range 20 {
		all += part("Content-Type: a/b; name="+string(rune('0'+i)), "x")
	}
	return all
}

// A letter without a token tells whether it leads to the web.
func TestLinks(t *testing.T) {
	for body, want := range map[string]bool{
		"How do I play?": false, "See https://a.test/": true, "www.a.test has it": true, "HTTP://A.TEST": true, "write to a@b.test": false,
		"<html xmlns=\"http://www.w3.org/TR/REC-html40\"><p>How do I play?": false,
		"<p><a href=\"mailto:a@b.test\">a@b.test</a> asks":                  false,
		"<p><a href=\"https://a.test\">Hi</a>":                              true, "<p>Hi<img src = //a.test/x>": true, "<p>Hi<img src='cid:x'>": false,
	} {
		kind := "text/plain"
		if strings.HasPrefix(body, "<") {
			kind = "text/html"
		}
		if l := Read([]byte("From: a@b.test\nContent-Type: "+kind+"\n\n"+body+"\n"), Options{}); l.Linked != want {
			t.Errorf("%q: linked is %v", body, l.Linked)
		}
	}
}

// A reading reports whether the server is among the letter's recipients.
func TestAddressed(t *testing.T) {
	for head, want := range map[string]bool{
		"To: angelpost@play.test": true, "Cc: x@y.test, Angelpost <ANGELPOST@play.test>": true, "To: angelpost+aaaaaaaaaaaaaaaaaaaaaaaaaa@play.test": true,
		"To: x@y.test": false, "Bcc: angelpost@play.test": false, "To: undisclosed-recipients:;\nDelivered-To: angelpost@play.test": false,
	} {
		if l := Read([]byte("From: a@b.test\n"+head+"\n\nHi\n"), Options{Address: "angelpost+{token}@play.test"}); l.Addressed != want {
			t.Errorf("%q: addressed is %v", head, l.Addressed)
		}
	}
}
