//go:build real

package browsertest

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"angelpost/cmd/internal/mailclient"
	"angelpost/cmd/internal/program"
)

// paints is how often each page is opened.
const paints = 11

// TestFirstPaint tells when Chromium shows the first of a page's content, from the server
// on the same machine, in milliseconds after it was asked for (web/SPEED.md). The aim
// is 100; that there is such a moment is held, and when is not.
func TestFirstPaint(t *testing.T) {
	p := program.Start(t, program.DemoArgs(t.TempDir(), "-seed", strings.Repeat("5a", 32))...)
	firstNotice(t, mailclient.DemoClients(t, p, 1)[0])
	b := open(t, p)
	for _, page := range [][2]string{{"a game's page", p.Values["page1"]}, {"the planner", p.Values["page1"] + "/plan/"}, {"the first page", p.Values["http"] + "/"}, {"cards", p.Values["http"] + "/cards/missions"}, {"rules", p.Values["http"] + "/rules"}} {
		name, url := page[0], page[1]
		took := make([]float64, 0, paints)
		for range paints {
			b.visit(url)
			ms, err := strconv.ParseFloat(b.until("the first paint", `String((performance.getEntriesByName("first-contentful-paint")[0] || {}).startTime || "")`), 64)
			if err != nil || ms <= 0 {
				t.Fatalf("%s: first paint after %v: %v", name, ms, err)
			}
			took = append(took, ms)
		}
		first := took[0]
		slices.Sort(took)
		t.Logf("%s: %.0f ms at first, %.0f in the median, %.0f at most", name, first, took[paints/2], took[paints-1])
	}
}
