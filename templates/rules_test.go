package templates

import (
	"context"
	"strings"
	"testing"

	"github.com/a-h/templ"
)

// TestRuleLinks: what names a rule leads to it, an error among it; a4 leads to the tile only
// where no hex can be meant.
func TestRuleLinks(t *testing.T) {
	render := func(c templ.Component) string {
		var b strings.Builder
		if err := c.Render(context.Background(), &b); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	const text = "`R4.1` is not possible (R4.1, Q5.5a, R99.9): 045 and a4."
	if got, want := render(say(text)), `<code>R4.1</code> is not possible (<a href="/rules#R4.1">R4.1</a>, <a href="/rules#Q5.5a">Q5.5a</a>, R99.9): 045 and a4.`; got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
	if got := render(explained(text)); !strings.HasSuffix(got, `: <a href="/cards/missions#045">045</a> and <a href="/cards/tiles#a4">a4</a>.`) {
		t.Errorf("%s", got)
	}
}
