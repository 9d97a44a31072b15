package letter

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// However a client quotes the notice and wherever between its lines a player
// writes, the reader finds their orders, all of them and nothing else.
func TestAnyQuotation(t *testing.T) {
	notice := strings.Split(strings.TrimRight(readFile(t, "testdata/notice.txt"), "\n"), "\n")
	known := NewNotice(strings.Join(notice, "\n"))
	var listed []string
	for _, l := range notice {
		if bare, ok := strings.CutPrefix(l, "| "); ok && bare != "example" && bare != "end" {
			listed = append(listed, bare)
		}
	}
	styles := []struct{ name, intro, mark string }{
		{"marked", "On Sat, Nov 21, 2026 at 08:12, Angelpost <a@play.example> wrote:\n", "> "},
		{"marked without a space", "Angelpost wrote on 2026-11-21:\n", ">"},
		{"marked and not introduced", "", "> "},
		{"twice marked", "> On 21 Nov 2026, Angelpost <a@play.example> wrote:\n", "> > "},
		{"header block", "From: Angelpost\nSent: Saturday\nTo: Anna\nSubject: your turn\n\n", ""},
		{"original message", "-----Original Message-----\n\n", ""},
		{"indented", "On Sat, Nov 21, 2026 at 08:12, Angelpost <a@play.example> wrote:\n\n", "   "},
		{"not at all", "", ""},
	}
	rapid.Check(t, func(t *rapid.T) {
		style := rapid.SampledFrom(styles).Draw(t, "style")
		width := rapid.SampledFrom([]int{50, 66, 72, 78, 1000}).Draw(t, "width")
		unmarked := rapid.Bool().Draw(t, "only the beginning of a broken line is marked")
		from := rapid.IntRange(0, len(notice)-8).Draw(t, "quoted from")
		to := rapid.IntRange(from+4, len(notice)).Draw(t, "quoted to")
		var body strings.Builder
		var want []string
		// No more orders than a turn has, else they outnumber what is quoted.
		write := func(max int) {
			for range rapid.IntRange(0, max).Draw(t, "orders") {
				o := rapid.SampledFrom(listed).Draw(t, "order")
				want = append(want, o)
				fmt.Fprintln(&body, o)
			}
		}
		above := rapid.Bool().Draw(t, "above only")
		if above {
			write(5)
			fmt.Fprintln(&body)
		}
		body.WriteString(style.intro)
		for _, l := range notice[from:to] {
			if !above && rapid.IntRange(0, 9).Draw(t, "here") == 0 {
				write(2)
			}
			for i, piece := range strings.Split(strings.TrimRight(wrap(l, width), "\n"), "\n") {
				if i > 0 && unmarked {
					fmt.Fprintln(&body, piece)
				} else {
					fmt.Fprintln(&body, style.mark+piece)
				}
			}
		}
		if !above {
			fmt.Fprintln(&body)
			write(5)
		}
		l := withOrWithout(mailOf(body.String(), fromAnna), known, listed)
		if !reflect.DeepEqual(l.Orders, want) {
			t.Fatalf("orders %q\nwant   %q\ndropped %v of\n%s", l.Orders, want, l.Dropped, body.String())
		}
	})
}

// withOrWithout reads a letter as the server does: with the notice only if it
// is needed.
func withOrWithout(raw []byte, known *Notice, orders []string) *Letter {
	l := Open(raw, Options{})
	if !l.NeedsNotice(func(line string) bool { return slices.Contains(orders, line) }) {
		known = nil
	}
	return l.Answering(known)
}

// The same of letters in HTML alone.
func TestAnyHTMLQuotation(t *testing.T) {
	_, html := noticeParts(t)
	blocks := strings.Split(strings.NewReplacer("</p>", "</p>\x00", "</h1>", "</h1>\x00", "</h2>", "</h2>\x00", "</pre>", "</pre>\x00", "</table>", "</table>\x00").Replace(strings.Join(html[:], "")), "\x00")
	known := NewNotice(readFile(t, "testdata/notice.txt"), HTMLText(readFile(t, "testdata/notice.html")))
	orders := append([]string{"B", "resign", "done"}, turn...)
	gmail := `<div class="gmail_attr">On Sat, 21 Nov 2026, Angelpost wrote:<br></div>`
	styles := []struct {
		name, intro, open, shut string // open and shut enclose each quoted stretch
		line                    string
	}{
		{"Gmail", `<div dir="ltr"><div class="gmail_quote">` + gmail, `<blockquote class="gmail_quote">`, "</blockquote>", "<div>%s</div>"},
		{"Apple Mail", "", `<blockquote type="cite"><div>`, "</div></blockquote>", "<div>%s</div>"},
		{"Thunderbird", `<div class="moz-cite-prefix">On 21/11/2026 08:12, Angelpost wrote:<br></div>`, `<blockquote type="cite">`, "</blockquote>", "<p>%s</p>"},
		{"Outlook", `<div style="border:none;border-top:solid #E1E1E1 1.0pt"><p class="MsoNormal"><b>Von:</b> Angelpost<br><b>Gesendet:</b> Samstag<br><b>An:</b> Anna<br><b>Betreff:</b> Your turn</p></div>`, "", "", `<p class="MsoNormal"><span style="color:red">%s</span></p>`},
		{"Outlook on the web", `<div id="appendonsend"></div><hr><div id="divRplyFwdMsg"><b>From:</b> Angelpost<br><b>Sent:</b> Saturday<br><b>Subject:</b> Your turn</div>`, "", "", `<div class="elementToProof">%s</div>`},
		{"Yahoo", `<div id="ydp1yahoo_quoted_1"><div>On Saturday, November 21, 2026, Angelpost &lt;a@play.example&gt; wrote:</div>`, "", "", `<div dir="ltr">%s</div>`},
		{"unknown", "", "", "", "<p>%s</p>"},
	}
	rapid.Check(t, func(t *rapid.T) {
		style := rapid.SampledFrom(styles).Draw(t, "style")
		var body strings.Builder
		var want []string
		write := func(max int) {
			for range rapid.IntRange(0, max).Draw(t, "orders") {
				o := rapid.SampledFrom(orders).Draw(t, "order")
				want = append(want, o)
				fmt.Fprintf(&body, style.line, o)
			}
		}
		above := rapid.Bool().Draw(t, "above only")
		if above {
			write(5)
		}
		body.WriteString(style.intro + style.open)
		for _, b := range blocks {
			if !above && rapid.IntRange(0, 5).Draw(t, "here") == 0 {
				body.WriteString(style.shut)
				write(2)
				body.WriteString(style.open)
			}
			body.WriteString(b)
		}
		body.WriteString(style.shut)
		if !above {
			write(5)
		}
		l := withOrWithout(mailOf(body.String(), fromAnna, "Content-Type: text/html"), known, orders)
		if !reflect.DeepEqual(l.Orders, want) {
			t.Fatalf("orders %q\nwant   %q\ndropped %v of\n%s", l.Orders, want, l.Dropped, body.String())
		}
	})
}
