package letter

import (
	"strings"
	"testing"

	"angelpost/engine/incoming"
)

// What programs and people are known to write, one letter each that is understood exactly:
// in what the author writes, and in what they quote.
func TestHabits(t *testing.T) {
	notice := NewNotice(readFile(t, "testdata/notice.txt"), HTMLText(readFile(t, "testdata/notice.html")))
	plain, _ := noticeParts(t)
	whole := strings.Join(plain[:], "")
	topic := strings.TrimPrefix(subject, "Re: ")
	text := func(s string) string { return part1(utf8Plain, "", s) }
	htmlPart := func(s string) string { return part1(utf8HTML, "quoted-printable", "<html><body>"+s+"</body></html>") }
	mixed := func(parts ...string) string {
		return "Content-Type: multipart/mixed; boundary=mm\n\n--mm\n" + strings.Join(parts, "\n--mm\n") + "\n--mm--\n"
	}
	related := func(parts ...string) string {
		return "Content-Type: multipart/alternative; boundary=mm\n\n--mm\n" + strings.Join(parts, "\n--mm\n") + "\n--mm--\n"
	}
	notes := func(sent, respond, to, topicLabel, date string) string {
		return "Angelpost <" + server + ">\n" + sent + "\n21/11/2026 08:12\n" + respond + "\n" + server + "\n\n\n" + to + "\nAnna Berg <anna@example.org>\ncc\n\n" + topicLabel + "\n" + topic + "\n\n\n\n" + whole
	}
	cut := func(s string) (out string) { // hard, with no mark at all behind the first piece
		for _, l := range strings.Split(strings.TrimRight(s, "\n"), "\n") {
			out += wrap(l, 40)
			_ = l
		}
		return out
	}
	for name, c := range map[string]struct {
		body string
		want []string
	}{
		"numbered list":              {text("1. card 013 at row 2\n2. die gray 0 flip\n"), []string{"1. card 013 at row 2", "2. die gray 0 flip"}},
		"numbered with brackets":     {text("1) card 013 at row 2\n2) die gray 0 flip\n"), []string{"1) card 013 at row 2", "2) die gray 0 flip"}},
		"numbered list in HTML":      {htmlPart("<ol><li>card 013 at row 2</li><li>die gray 0 flip</li></ol>"), half},
		"bullets in HTML":            {htmlPart("<ul><li>card 013 at row 2<li>die gray 0 flip</ul>"), half},
		"table":                      {htmlPart("<table><tr><td>card 013 at row 2</td></tr><tr><td>die gray 0 flip</td></tr></table>"), half},
		"table of words":             {htmlPart("<table><tr><td>card</td><td>013</td><td>at row 2</td></tr><tr><td>die</td><td>gray 0</td><td>flip</td></tr></table>"), half},
		"table of Markdown":          {text("| card 013 at row 2 |\n"), nil}, // after a bar
		"code fence":                 {text("```\ncard 013 at row 2\ndie gray 0 flip\n```\n"), half},
		"code fence with a language": {text("```text\ncard 013 at row 2\ndie gray 0 flip\n```\n"), half},
		"inline code":                {text("`card 013 at row 2`\n`die gray 0 flip`\n"), half},
		"bold in Markdown":           {text("**card 013 at row 2**\n__die gray 0 flip__\n"), half},
		"bold bullets":               {text("- **card 013 at row 2**\n* *die gray 0 flip*\n"), []string{"- **card 013 at row 2**", "* *die gray 0 flip*"}},
		"PGP key below":              {text("card 013 at row 2\ndie gray 0 flip\n\n-----BEGIN PGP PUBLIC KEY BLOCK-----\n\nmDMEZ\n=ab12\n-----END PGP PUBLIC KEY BLOCK-----\n"), half},
		"italics in HTML":            {htmlPart("<p><b>card 013</b> at <i>row 2</i></p><p><code>die gray 0 flip</code></p>"), half},
		"AMP before HTML":            {related(text("card 013 at row 2\ndie gray 0 flip\n"), "Content-Type: text/x-amp-html; charset=utf-8\n\n<!doctype html><html amp4email><body>pass</body></html>\n", htmlPart("<div>card 013 at row 2</div><div>die gray 0 flip</div>")), half},
		"AMP and HTML only":          {related("Content-Type: text/x-amp-html; charset=utf-8\n\n<!doctype html><html amp4email><body>pass</body></html>\n", htmlPart("<div>card 013 at row 2</div><div>die gray 0 flip</div>")), half},
		"PGP signed inline":          {text("-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\ncard 013 at row 2\ndie gray 0 flip\n- -- \nAnna\n-----BEGIN PGP SIGNATURE-----\nVersion: GnuPG v2\n\niQEzBAEBCAAdFiEE+Qq2/abcdEF\n=ab12\n-----END PGP SIGNATURE-----\n"), half},
		"footer as a second part":    {mixed(text("card 013 at row 2\ndie gray 0 flip\n"), text("_______________________________________________\nBoardgames mailing list\nBoardgames@lists.example.org\n")), half},
		"disclaimer as second part":  {mixed(text("card 013 at row 2\ndie gray 0 flip\n"), htmlPart("<p>This e-mail and any attachments are confidential and intended only for the named recipient.</p>")), half},
		"lone tracking glyph":        {text("card 013 at row 2\ndie gray 0 flip\n\nᐧ\n"), half},
		"tracking picture":           {htmlPart("<div>card 013 at row 2</div><div>die gray 0 flip</div><img src=\"https://t.example/x.gif\" width=1 height=1>"), half},
		"C> before quoted lines":     {text("card 013 at row 2\ndie gray 0 flip\n\nAngelpost wrote on 21 Nov 2026 08:12:\n" + prefix("C> ", whole)), half},
		"Lotus, please respond to":   {text("card 013 at row 2\ndie gray 0 flip\n\n\n\n" + notes("Sent by: Angelpost", "Please respond to", "To", "Subject", "")), half},
		"Lotus, German":              {text("card 013 at row 2\ndie gray 0 flip\n\n\n\n" + notes("Gesendet von: Angelpost", "Bitte antworten an", "An", "Thema", "")), half},
		"Lotus, French":              {text("card 013 at row 2\ndie gray 0 flip\n\n\n\n" + notes("Envoyé par : Angelpost", "Veuillez répondre à", "Pour", "Objet", "")), half},
		"Zoho":                       {text("card 013 at row 2\ndie gray 0 flip\n\n---- On Sat, 21 Nov 2026 08:12:00 +0100 Angelpost <" + server + "> wrote ----\n\n" + whole), half},
		"Windows Mail, Russian":      {text("card 013 at row 2\ndie gray 0 flip\n\nОтправлено из Почты для Windows\n\nОт: Angelpost\nОтправлено: 21 ноября 2026 г. в 8:12\nКому: Anna Berg\nТема: " + topic + "\n\n" + whole), half},
		"Live Mail, Russian":         {text("card 013 at row 2\ndie gray 0 flip\n\nFrom: Angelpost\nSent: Saturday, November 21, 2026 8:12 AM\nTo: Anna Berg\nSubject: " + topic + "\n\n" + whole), half},
		"wrapped without marks":      {text("card 013 at row 2\ndie gray 0 flip\n\nOn 21 Nov 2026, Angelpost wrote:\n" + cut(prefix("> ", whole))), half},
		"several answers a day":      {text("die gray 0 flip\n\nOn Sat, Nov 21, 2026 at 9:01 AM Anna Berg <anna@example.org> wrote:\n\n> card 013 at row 2\n>\n> On Sat, Nov 21, 2026 at 8:12 AM Angelpost <" + server + "> wrote:\n>\n" + prefix("> > ", whole)), half[1:]},
	} {
		for known, n := range map[string]*Notice{"known": notice, "unknown": nil} {
			o, said := understood(head("z", "")+c.body, c.want, n)
			if o != exact && (known == "known" || o == wrong) {
				t.Errorf("%s, notice %s: outcome %d, %s", name, known, o, said)
			}
		}
	}
}

// What is encrypted within the text is answered as what cannot be read.
func TestEncryptedInline(t *testing.T) {
	seal := "-----BEGIN PGP MESSAGE-----\n\nhQEMA2abc/def\n=ab12\n-----END PGP MESSAGE-----\n"
	for body, want := range map[string]incoming.Class{seal: incoming.Broken, "status\n\n" + seal: incoming.Orders, "-----BEGIN PGP MESSAGE-----\n": incoming.Broken} {
		if l := Read([]byte(head("z", "")+part1(utf8Plain, "", body)), Options{}); l.Kind != want || !l.Answer {
			t.Errorf("%q: %s", body, l.Kind)
		}
	}
}
