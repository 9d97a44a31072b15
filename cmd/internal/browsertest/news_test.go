//go:build real

package browsertest

import (
	"strings"
	"testing"
	"time"

	"angelpost/cmd/internal/mailclient"
	"angelpost/cmd/internal/program"
)

// TestNewsInChromium: a page that others' moves made untrue says so in its title and in a bar, and
// stays as it is until the bar's link is followed; so does a half-made plan.
func TestNewsInChromium(t *testing.T) {
	p := program.Start(t, program.DemoArgs(t.TempDir(), "-seats", "human,bot", "-seed", strings.Repeat("3c", 32))...)
	alpha := mailclient.DemoClients(t, p, 1)[0]
	alpha.Style = mailclient.WholeTurn
	var turn mailclient.Received
	for deadline := time.Now().Add(patience); len(turn.Legal) == 0; time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("no turn came")
		}
		for _, n := range alpha.Fetch() {
			if len(n.Legal) > 0 {
				turn = n
			}
		}
	}
	pages := []string{p.Values["page1"], p.Values["page1"] + "/plan/" + planOf(t, p.Values["page1"]) + "/"}
	tabs := make([]*browser, len(pages))
	before := make([]string, len(pages))
	const shown = `document.querySelector("main").outerHTML`
	for i, url := range pages {
		tabs[i] = open(t, p)
		tabs[i].visit(url)
		before[i] = tabs[i].eval(shown)
		if said := tabs[i].eval(`document.getElementById("news").textContent`); said != "" {
			t.Errorf("%s says %q at once", url, said)
		}
	}
	was, _ := mailclient.Get(t, p.Values["page1"]+"/view.json")
	alpha.Answer(turn)
	for deadline := time.Now().Add(patience); ; time.Sleep(50 * time.Millisecond) {
		if now, _ := mailclient.Get(t, p.Values["page1"]+"/view.json"); now != was {
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("nothing moved")
		}
	}
	for i, b := range tabs {
		// Half a minute passes.
		b.eval(`{ const now = Date.now; Date.now = () => now() + 31000; document.dispatchEvent(new Event("visibilitychange")); "" }`)
		said := b.until("the news", `document.getElementById("news").textContent`)
		if !strings.Contains(said, " moved: Show") {
			t.Errorf("%s: the bar says %q", pages[i], said)
		}
		if title := b.eval(`document.title`); !strings.Contains(title, " moved: · ") {
			t.Errorf("%s: the title is %q", pages[i], title)
		}
		if b.eval(shown) != before[i] || b.eval(`location.href`) != pages[i] {
			t.Errorf("%s was replaced", pages[i])
		}
		b.follow("#news a")
		if now := b.eval(`location.pathname`); !strings.HasSuffix(pages[0], now) {
			t.Errorf("%s leads to %s", pages[i], now)
		}
		if b.eval(shown) == before[i] {
			t.Errorf("%s is as it was", pages[i])
		}
	}
}
