//go:build real

package browsertest

import (
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/chromedp/chromedp"

	"angelpost/cmd/internal/program"
)

// TestComponentsInABrowser looks at the page of a component set in Chromium: it
// asks for nothing, fits a telephone and a desk, no drawing is without size or
// spills over its edge, and it prints on A4 and Letter.
func TestComponentsInABrowser(t *testing.T) {
	file := filepath.Join(t.TempDir(), "set.html")
	if _, code := program.Output(t, "components", "print", "-o", file); code != program.ExitYes {
		t.Fatalf("print: %d", code)
	}
	b := open(t, &program.Process{Values: map[string]string{"http": "file://"}})
	for _, width := range []int64{360, 1280} {
		b.do("a window", chromedp.EmulateViewport(width, 800))
		b.visit((&url.URL{Scheme: "file", Path: file}).String())
		if wide := b.eval(`(() => { const d = document.scrollingElement, w = d.clientWidth;
			return [...document.querySelectorAll("body *")].filter(e => !e.closest("svg") && e.getBoundingClientRect().right > w + 1).map(e => e.localName + "." + e.className).slice(0, 5).join(", ") })()`); wide != "" {
			t.Errorf("%d wide: beyond the edge: %s", width, wide)
		}
		if bad := b.eval(`[...document.querySelectorAll("svg[role=img]")].filter(s => { const v = s.viewBox.baseVal, r = s.getBoundingClientRect();
			return r.width < 40 || [...s.querySelectorAll("rect, text, use")].some(e => { const c = e.getBoundingClientRect();
				return c.left < r.left - 2 || c.right > r.right + 2 || c.top < r.top - 3 || c.bottom > r.bottom + 3 }) }).map(s => s.getAttribute("aria-label")).slice(0, 5).join("; ")`); bad != "" {
			t.Errorf("%d wide: drawings that spill: %s", width, bad)
		}
	}
	for name, paper := range map[string]chromedp.PDFOption{"a4": chromedp.PDFPaper(chromedp.PaperA4), "letter": chromedp.PDFPaper(chromedp.PaperLetter)} {
		pdf := ask(b, "print", chromedp.PrintToPDF(paper))
		if err := os.WriteFile(filepath.Join(b.shots, "chromium-components-"+name+".pdf"), pdf, 0o600); err != nil {
			t.Fatal(err)
		}
		if n := len(regexp.MustCompile(`/Type\s*/Page\b`).FindAll(pdf, -1)); n < 6 || n > 14 {
			t.Errorf("%s: %d pages", name, n)
		}
	}
}
