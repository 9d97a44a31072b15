//go:build real

package browsertest

import (
	"strings"
	"testing"

	"angelpost/cmd/internal/mailclient"
	"angelpost/cmd/internal/program"
)

// TestMuteButton opens the unsubscribe address of a letter in Chromium: the
// page asks, its button mutes, and its policy lets the form go.
func TestMuteButton(t *testing.T) {
	p := program.Start(t, program.DemoArgs(t.TempDir(), "-seats", "human,human", "-seed", strings.Repeat("5a", 32))...)
	all := mailclient.Seated(t, p)
	b := open(t, p)
	b.visit(mailclient.OneClick(t, all[1].Box[0]))
	if text := b.eval(`document.querySelector("main").innerText`); !strings.Contains(text, "You stay in it, and the others still wait for you") {
		t.Errorf("the page says %q", text)
	}
	b.shoot("mute")
	all[0].Settled()
	if n := len(all[0].Box); n != 3 {
		t.Errorf("a look at the page caused %d letters", n-3)
	}
	b.follow("main button")
	if text := b.eval(`document.querySelector("main").innerText`); !strings.Contains(text, "You have muted this game") {
		t.Errorf("after the click the page says %q", text)
	}
	b.shoot("muted")
	mailclient.Says(t, all[0].Wait(3, "info"), "Beta has muted this game")
	p.Stop()
}
