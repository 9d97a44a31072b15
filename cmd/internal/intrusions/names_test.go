package intrusions

import (
	"testing"

	"angelpost/cmd/internal/inprocess"
	"angelpost/cmd/internal/mailclient"
)

// TestLookAlikeByMail asks for names by mail that look like another player's and the
// server's: they are refused with one that is free.
func TestLookAlikeByMail(t *testing.T) {
	h := inprocess.NewHouse(t, 3, nil)
	bob := h.People[1] // in a game with Ann and Cyd
	token := h.Latest(1, 0).Token
	for _, c := range []struct{ name, refusal string }{
		{"Аnn", "Another player is called Аnn, or has a name that looks like it; `Аnn 2` is free."}, // Cyrillic
		{"A nn", "Another player is called A nn, or has a name that looks like it; `A nn 2` is free."},
		{"HaI", "`HaI` can't be a name here; `Pilot` can."},
	} {
		_, out := sends(h, string(h.Write([]string{"From: " + bob.Address, "To: " + inprocess.TokenAddress(token)}, "name "+c.name)))
		if len(out) != 1 {
			t.Fatalf("%q: %d letters", c.name, len(out))
		}
		mailclient.Says(t, mailclient.ReadNotice(t, out[0]), c.refusal)
	}
	_, out := sends(h, string(h.Write([]string{"From: " + bob.Address, "To: " + inprocess.TokenAddress(token)}, "name Аnn 2")))
	if len(out) != 1 {
		t.Fatalf("%d letters", len(out))
	}
	mailclient.Says(t, mailclient.ReadNotice(t, out[0]), "You are now called Аnn 2.")
}
