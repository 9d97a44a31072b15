package letters

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"angelpost/engine/order"
	"angelpost/mail/letter"
)

// aLetter is one of those that are kept.
type aLetter struct {
	file, text, body string
	notice           *letter.Notice
}

func keptLetters(t *testing.T) (all []aLetter) {
	t.Helper()
	files, err := filepath.Glob("testdata/*.html")
	if err != nil || len(files) < 20 {
		t.Fatal(files, err)
	}
	for _, f := range files {
		html, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(strings.TrimSuffix(f, ".html") + ".txt")
		if err != nil {
			t.Fatal(err)
		}
		_, body, _ := strings.Cut(string(html), "<body")
		_, body, _ = strings.Cut(body, ">")
		body, _, _ = strings.Cut(body, "</body>")
		all = append(all, aLetter{f, string(text), body, letter.NewNotice(string(text), letter.HTMLText(string(html)), letter.ShownText(string(html)))})
	}
	return all
}

// quotations are those of programs that mark them with one element.
func quotations(above, html string) map[string]string {
	by := "Angelpost &lt;post@play.example&gt; wrote:"
	return map[string]string{
		"iOS":    above + `<div><br><blockquote type="cite">On 21 Nov 2026, at 08:12, ` + by + `<br><br></blockquote></div><blockquote type="cite"><div dir="ltr">` + html + `</div></blockquote>`,
		"Proton": above + `<div class="protonmail_quote">On Saturday, November 21st, 2026 at 8:12 AM, ` + by + `<br><blockquote class="protonmail_quote" type="cite">` + html + `</blockquote></div>`,
		"Gmail":  above + `<div class="gmail_quote"><div class="gmail_attr">On Sat, Nov 21, 2026 at 8:12 AM ` + by + `<br></div><blockquote class="gmail_quote">` + html + `</blockquote></div>`,
	}
}

func readHTML(html string, n *letter.Notice) *letter.Letter {
	raw := "From: Ann <ann@example.org>\nTo: post@play.example\nMIME-Version: 1.0\nContent-Type: text/html; charset=utf-8\n\n" + html
	return letter.Read([]byte(raw), letter.Options{Notice: n, Says: order.Says})
}

// Orders that someone types into the quotation of any kind of letter, wherever they can see
// them there, are read or asked about.
func TestTypedIntoQuotation(t *testing.T) {
	ends := regexp.MustCompile(`</div>|</p>|</td>|<br>|</h2>|</li>`)
	want := []string{"card 013 at row 2", "die gray 2"}
	exact, asked, unseen := 0, 0, 0
	for _, x := range keptLetters(t) {
		spots := ends.FindAllStringIndex(x.body, -1)
		for k := 0; k < len(spots); k += max(1, len(spots)/7) {
			at := spots[k][0]
			if strings.Count(x.body[:at], "<blockquote") > strings.Count(x.body[:at], "</blockquote") {
				continue // into a player's message that we quote
			}
			typed := x.body[:at] + "<div><br></div><div>" + strings.Join(want, "</div><div>") + "</div>" + x.body[at:]
			for program, html := range quotations("", typed) {
				l := readHTML(html, x.notice)
				doubts := slices.ContainsFunc(order.ReadLetter(l.Text).Items, func(it order.Item) bool { return it.Doubt != "" })
				switch {
				case slices.Equal(l.Orders, want):
					exact++
				case len(l.Orders) == 0 && doubts:
					asked++
				case len(l.Orders) == 0 && !strings.Contains(letter.ShownText(html), want[1]):
					unseen++ // in the preview, or a line of no height
				default:
					t.Errorf("%s, %s, at %q: %q", program, x.file, x.body[max(0, at-60):min(len(x.body), at+60)], l.Text)
				}
			}
		}
	}
	t.Logf("%d exactly, %d asked about, %d that no one can see", exact, asked, unseen)
	if exact < 500 || asked*50 > exact || unseen*3 > exact {
		t.Errorf("%d exactly, %d asked about, %d that no one can see", exact, asked, unseen)
	}
}

// Nothing in the quotation of a letter of ours is read as its reader's, be it the one that they
// answer or another.
func TestQuotedLettersAreNotTyped(t *testing.T) {
	all := keptLetters(t)
	for i, x := range all {
		for _, j := range []int{0, 1, 2, 5, 11} {
			known := all[(i+j)%len(all)]
			for program, html := range quotations("<div>B</div>", x.body) {
				if l := readHTML(html, known.notice); !slices.Equal(l.Orders, []string{"B"}) {
					t.Errorf("%s quoted by %s, %s answered: %q", x.file, program, known.file, l.Orders)
				}
			}
			plain := fmt.Sprintf("From: Ann <ann@example.org>\nTo: post@play.example\n\nB\n\nOn Sat, Nov 21, 2026 at 8:12 AM Angelpost <post@play.example> wrote:\n> %s\n", strings.ReplaceAll(x.text, "\n", "\n> "))
			if l := letter.Read([]byte(plain), letter.Options{Notice: known.notice, Says: order.Says}); !slices.Equal(l.Orders, []string{"B"}) {
				t.Errorf("%s quoted in plain text, %s answered: %q", x.file, known.file, l.Orders)
			}
		}
	}
}
