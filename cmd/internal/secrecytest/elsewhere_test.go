package secrecytest

import (
	"net/url"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"
)

// TestNothingFromElsewhere: letters and pages load nothing from another place
// and lead nowhere but to this server's pages and to an answer; what runs in a
// page is a file of this server.
func TestNothingFromElsewhere(t *testing.T) {
	g, rnd := recordedGameOf(t, 0, 12)
	x, first := newSecrecyHarness(t, g, g.real(0), 1)
	n := g.playsLast / 2
	viewer := g.open(t, n).View(0).ToAct[0]
	x.put(g.real(n))
	out := x.ask(viewer, g.questions(t, viewer, n, g.swapped(t, viewer, n, true, rnd), rnd))
	out["first letter"] = first[0].raw
	x.pages(out, viewer, n, n/2, true)
	links := 0
	for name, b := range out {
		text := string(b.([]byte))
		if strings.HasPrefix(name, "GET") {
			_, text, _ = strings.Cut(text, "\r\n\r\n")
			if i := strings.Index(text, "<!"); i >= 0 {
				text = text[i:]
			}
		} else {
			text = readable(t, b.([]byte))
		}
		doc, err := goquery.NewDocumentFromReader(strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		if n := doc.Find("script:not([src]), iframe, object, embed, video, audio, base, meta[http-equiv]").Length(); n > 0 {
			t.Errorf("%s: %d elements that load or run something", name, n)
		}
		for _, attr := range []string{"src", "href", "action", "srcset", "background", "poster", "ping", "data"} {
			doc.Find("[" + attr + "]").Each(func(_ int, e *goquery.Selection) {
				to, _ := e.Attr(attr)
				links++
				u, err := url.Parse(to)
				switch {
				case err != nil:
					t.Errorf("%s: %s=%q", name, attr, to)
				case u.Scheme == "mailto" || u.Scheme == "cid" && attr == "src":
				case u.Scheme == "" && u.Host == "" && strings.HasPrefix(name, "GET"):
				case u.Scheme == "https" && u.Host == "play.example" && attr == "href" && (!strings.HasPrefix(name, "GET") || strings.HasSuffix(name, ".atom")):
				default:
					t.Errorf("%s: %s=%q leads elsewhere", name, attr, to)
				}
			})
		}
		if strings.Contains(strings.ReplaceAll(text, "url(#", ""), "url(") || strings.Contains(text, "@import") {
			t.Errorf("%s: a style loads something", name)
		}
	}
	if links < 50 {
		t.Errorf("only %d links looked at", links)
	}
}
