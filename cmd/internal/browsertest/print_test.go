//go:build real

package browsertest

import (
	"encoding/json"
	"encoding/xml"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/chromedp/chromedp"
)

// A sheet is a page of paper and the words on it, in points, as pdftotext -bbox
// tells them.
type sheet struct {
	Width  float64 `xml:"width,attr"`
	Height float64 `xml:"height,attr"`
	Words  []struct {
		Text string  `xml:",chardata"`
		XMin float64 `xml:"xMin,attr"`
		YMin float64 `xml:"yMin,attr"`
		XMax float64 `xml:"xMax,attr"`
		YMax float64 `xml:"yMax,attr"`
	} `xml:"word"`
}

// printable is the text of a page that belongs on paper.
const printable = `(of => { const all = [], walk = document.createTreeWalker(of, NodeFilter.SHOW_TEXT);
	while (walk.nextNode()) { const p = walk.currentNode.parentElement;
		if (p.checkVisibility() && getComputedStyle(p).clipPath != "inset(50%)" && !p.closest("select, textarea, title, .sr, .hidden, .skip, .skips")) all.push(walk.currentNode.data) }
	return all.join(" ") })`

// boxes are what is printed in each box of a table that no sheet may cut; the first two,
// where they are, belong on the first two sheets: the address and the player's board.
const boxes = `JSON.stringify([".on-paper", "#own", ".desk", ".room", ".stamp", ".opp"].flatMap((s, i) => [...document.querySelectorAll(s)].map(e => ({Text: ` + printable + `(e), Early: i < 2}))))`

// printed prints the page on A4 and reads the paper: it says what the page says,
// none of it over the edge, on no more sheets than it needs.
func (b *browser) printed(name string) {
	b.t.Helper()
	b.eval(`document.activeElement.blur(); ""`)
	b.media("print")
	said := strings.Fields(b.eval(printable + `(document.body)`))
	var whole []struct {
		Text  string
		Early bool
	}
	if err := json.Unmarshal([]byte(b.eval(boxes)), &whole); err != nil {
		b.t.Fatal(err)
	}
	b.media("")
	pdf := ask(b, "print", chromedp.PrintToPDF(chromedp.PDFPaper(chromedp.PaperA4)))
	file := filepath.Join(b.shots, "chromium-"+name+".pdf")
	if err := os.WriteFile(file, pdf, 0o644); err != nil {
		b.t.Fatal(err)
	}
	raw, err := exec.Command("pdftotext", "-bbox", file, "-").Output()
	if err != nil {
		b.t.Fatalf("pdftotext of poppler-utils: %v", err)
	}
	var paper struct {
		Sheets []sheet `xml:"body>doc>page"`
	}
	if err := xml.Unmarshal(raw, &paper); err != nil {
		b.t.Fatal(err)
	}
	var there strings.Builder
	var sheets []string
	for i, s := range paper.Sheets {
		last := i == len(paper.Sheets)-1
		picture := name == "letter" && !last // may fill a sheet, and has no words
		if !picture && (len(s.Words) == 0 || len(s.Words) < 20 && !last) {
			b.wrong("sheet %d is all but blank", i+1)
		}
		from := there.Len()
		for _, w := range s.Words {
			there.WriteString(strings.ToLower(w.Text) + " ")
			if w.XMin < 10 || w.YMin < 10 || w.XMax > s.Width-10 || w.YMax > s.Height-10 {
				b.wrong("sheet %d: %q at %.0f, %.0f is over the edge", i+1, w.Text, w.XMin, w.YMin)
			}
		}
		sheets = append(sheets, there.String()[from:])
	}
	if n := len(paper.Sheets); n == 0 || n > 5 && n > len(said)/125 {
		b.wrong("%d words are printed on %d sheets", len(said), n)
	}
	for _, box := range whole {
		on := slices.IndexFunc(sheets, func(s string) bool {
			return !slices.ContainsFunc(strings.Fields(strings.ToLower(box.Text)), func(w string) bool { return !strings.Contains(s, w) })
		})
		if on < 0 || box.Early && on > 1 {
			b.wrong("on sheet %d of %d is %.120q", on+1, len(sheets), box.Text)
		}
	}
	var missing []string
	for _, w := range said {
		if !strings.Contains(there.String(), strings.ToLower(w)) { // a style may print it in capitals
			missing = append(missing, w)
		}
	}
	if len(missing)*50 > len(said) {
		b.wrong("%d of %d words are not printed: %q", len(missing), len(said), missing[:min(len(missing), 40)])
	}
}
