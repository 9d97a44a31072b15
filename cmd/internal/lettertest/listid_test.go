package lettertest

import (
	"bytes"
	"context"
	"net/mail"
	"testing"

	"angelpost/cmd/internal/inprocess"
)

// TestNoListIDForEvolution: letters to a player who writes with Evolution go out without a List-Id,
// because of which it would ask before each reply (mail/PROGRAMS.md). They thread and can be muted
// all the same. Other players' letters have it, and each of them can choose otherwise.
func TestNoListIDForEvolution(t *testing.T) {
	h := inprocess.NewHouse(t, 21, nil)
	head := func(person int) mail.Header {
		raw, err := h.Render(context.Background(), h.Latest(person, 0))
		if err != nil {
			t.Fatal(err)
		}
		m, err := mail.ReadMessage(bytes.NewReader(raw))
		if err != nil {
			t.Fatal(err)
		}
		return m.Header
	}
	write := func(person int, text, program string) {
		fields := []string{"From: " + h.People[person].Address, "To: " + inprocess.TokenAddress(h.Latest(person, 0).Token)}
		if program != "" {
			fields = append(fields, "User-Agent: "+program)
		}
		h.Give(h.Write(fields, text))
	}
	has := func(person int, want bool, when string) {
		t.Helper()
		x := head(person)
		if got := x.Get("List-Id") != ""; got != want || x.Get("List-Unsubscribe") == "" || x.Get("References") == "" {
			t.Errorf("%s: List-Id %q, List-Unsubscribe %q, References %q", when, x.Get("List-Id"), x.Get("List-Unsubscribe"), x.Get("References"))
		}
	}
	write(0, "status", "Mozilla Thunderbird")
	has(0, true, "Ann writes with Thunderbird")
	write(0, "status", "Evolution 3.46.4-2")
	has(0, false, "Ann writes with Evolution")
	write(1, "status", "")
	has(1, true, "Bob's program does not say what it is")
	write(0, "listid on", "Evolution 3.46.4-2")
	has(0, true, "Ann wants it")
	write(0, "status", "Evolution 3.46.4-2")
	has(0, true, "Ann wants it, and writes with Evolution again")
	write(1, "list-id off", "")
	has(1, false, "Bob does not want it")
}
