package server

import (
	"testing"

	"angelpost/cmd/internal/mailclient"
)

// TestLookAlikeByMail asks for names by mail that look like another player's and the
// server's: they are refused with one that is free.
func TestLookAlikeByMail(t *testing.T) {
	h := newInProcess(t, 3, nil)
	bob := h.people[1] // in a game with Ann and Cyd
	token := h.latest(1, 0).Token
	for _, c := range []struct{ name, refusal string }{
		{"Аnn", "Another player is called Аnn, or has a name that looks like it; `Аnn 2` is free."}, // Cyrillic
		{"A nn", "Another player is called A nn, or has a name that looks like it; `A nn 2` is free."},
		{"HaI", "`HaI` cannot be a name here; `Pilot` can."},
	} {
		_, out := h.sends(string(h.write([]string{"From: " + bob.address, "To: " + tokenAddress(token)}, "name "+c.name)))
		if len(out) != 1 {
			t.Fatalf("%q: %d letters", c.name, len(out))
		}
		mailclient.Says(t, mailclient.ReadNotice(t, out[0]), c.refusal)
	}
	_, out := h.sends(string(h.write([]string{"From: " + bob.address, "To: " + tokenAddress(token)}, "name Аnn 2")))
	if len(out) != 1 {
		t.Fatalf("%d letters", len(out))
	}
	mailclient.Says(t, mailclient.ReadNotice(t, out[0]), "You are now called Аnn 2.")
}
