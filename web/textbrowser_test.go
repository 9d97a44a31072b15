package web

import (
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"
	"golang.org/x/net/html"
)

// pagesAsText are pages of all kinds, planned turns among them.
func pagesAsText(t *testing.T) map[string]*goquery.Document {
	t.Helper()
	s := newShelf(t, 2, 20)
	s.games["private"].clock = "3d"
	s.mine = homeGames()
	h := s.serve(Server{})
	own := "/g/unlisted/" + keyOf(1)
	pages := map[string]*goquery.Document{}
	for _, at := range append(everyPage(), own+"/plan/", own+"/plan/B/", own+"/plan/die_orange_0_flip/", own+"/mute", "/g/listed", "/g/private/"+keyOf(1)) {
		head, body := get(t, h, "GET", at)
		if !strings.HasPrefix(head.Header.Get("Content-Type"), "text/html") {
			continue
		}
		d, err := goquery.NewDocumentFromReader(strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		pages[at] = d
	}
	over, _ := finished(t, 3)
	for _, at := range []string{"/g/over", "/g/over/" + keyOf(1)} {
		pages[at] = page(t, handler(over), at)
	}
	if len(pages) < 30 {
		t.Fatalf("only %d pages", len(pages))
	}
	return pages
}

// TestLinksAreApart: links and buttons next to each other have white space between them, or are in
// elements that begin a line, so that programs without our style don't run them together.
func TestLinksAreApart(t *testing.T) {
	pairs := 0
	for at, d := range pagesAsText(t) {
		touching := ""
		var walk func(n *html.Node)
		walk = func(n *html.Node) {
			if n.Type == html.TextNode {
				if n.Data != "" {
					touching = ""
				}
				return
			}
			presses := n.Type == html.ElementNode && (n.Data == "a" || n.Data == "button")
			if n.Type == html.ElementNode && slices.Contains(beginsLine, n.Data) {
				touching = ""
			}
			if presses && touching != "" {
				t.Errorf("%s: nothing is between %q and %q", at, touching, goquery.NewDocumentFromNode(n).Text())
			}
			for c := n.FirstChild; c != nil; c = c.NextSibling {
				walk(c)
			}
			if n.Type == html.ElementNode && slices.Contains(beginsLine, n.Data) {
				touching = ""
			}
			if presses {
				pairs++
				touching = goquery.NewDocumentFromNode(n).Text() + " "
			}
		}
		walk(d.Nodes[0])
	}
	if pairs < 500 {
		t.Errorf("the pages have only %d links and buttons", pairs)
	}
}

// beginsLine are the elements that begin and end a line in programs without our style.
var beginsLine = strings.Fields("address article aside blockquote body br caption dd details div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr html label legend li main nav ol option p pre section select summary table tbody td textarea tfoot th thead tr ul")

// TestMailLinksSayWhatTheyWrite: w3m hands its mail program only the address, and others leave the
// text out. So the page of a mailto: link shows each line that the link writes.
func TestMailLinksSayWhatTheyWrite(t *testing.T) {
	written := map[string]bool{}
	for at, d := range pagesAsText(t) {
		text := strings.Join(strings.Fields(d.Text()), " ")
		d.Find(`a[href^="mailto:"]`).Each(func(_ int, a *goquery.Selection) {
			u, err := url.Parse(a.AttrOr("href", ""))
			if err != nil {
				t.Fatal(err)
			}
			for line := range strings.Lines(u.Query().Get("body")) {
				line = strings.TrimSpace(line)
				first, _, _ := strings.Cut(line, " ")
				written[first] = true
				if !strings.Contains(text, strings.Join(strings.Fields(line), " ")) {
					t.Errorf("%s: the link %q writes %q, which the page does not show", at, a.Text(), line)
				}
			}
		})
	}
	for _, first := range []string{"join", "rematch", "hint", "status", "new", "hal:", "die"} {
		if !written[first] {
			t.Errorf("no link writes %q", first)
		}
	}
}

// TestNoButtonIsDead: without scripts each button of a page belongs to a form, which it sends. The
// planner's "Copy" is made by the script that it needs.
func TestNoButtonIsDead(t *testing.T) {
	boxes := 0
	for at, d := range pagesAsText(t) {
		d.Find("button, input[type=button], [onclick]").Each(func(_ int, b *goquery.Selection) {
			if b.Closest("form").Length() == 0 || b.AttrOr("type", "submit") != "submit" {
				t.Errorf("%s: nothing happens at %q without scripts", at, b.Text())
			}
		})
		boxes += d.Find("textarea[data-copy]").Length()
		if d.Find("#copy").Length() > 0 {
			t.Errorf("%s has the button that copies, without scripts", at)
		}
	}
	if boxes == 0 {
		t.Error("no page has orders to copy")
	}
}
