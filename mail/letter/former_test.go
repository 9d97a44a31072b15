package letter

import (
	"testing"

	"angelpost/engine/incoming"
)

// TestFormerAddress: answers to letters from an address that the server had before have a token
// like others, bounces name it, and letters from there are the server's own.
func TestFormerAddress(t *testing.T) {
	o := Options{Address: "games+{token}@new.example", Former: []string{"angelpost+{token}@old.example", "{token}@older.example"}}
	const token = "k7q2m4n6p3r5s7tbucvdwexfgh"
	for to, want := range map[string]string{
		"games+" + token + "@new.example":     token,
		"Angelpost+" + token + "@old.example": token,
		token + "@older.example":              token,
		"other+" + token + "@old.example":     "",
		"angelpost@old.example":               "",
	} {
		l := Read([]byte("From: ann@example.org\nTo: "+to+"\nSubject: Re: Your turn\nMessage-ID: <1@example.org>\n\nB\n"), o)
		if l.Token != want || l.Kind != incoming.Orders {
			t.Errorf("to %s: token %q, %s", to, l.Token, l.Kind)
		}
	}
	if l := Read([]byte("From: angelpost@old.example\nTo: games@new.example\nSubject: Your turn\nMessage-ID: <2@old.example>\n\nB\n"), o); l.Kind == incoming.Orders {
		t.Errorf("from the server itself: %s", l.Kind)
	}
}
