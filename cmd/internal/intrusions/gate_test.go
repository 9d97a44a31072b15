package intrusions

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"angelpost/cmd/internal/inprocess"
	"angelpost/cmd/internal/mailclient"
	"angelpost/cmd/internal/server"
	"angelpost/engine/match/desk"
	"angelpost/engine/match/seating"
	"angelpost/engine/match/unit"
	"angelpost/engine/order"
	"angelpost/engine/store"
)

// sends hands a letter in and returns what goes out because of it, as it is sent.
func sends(h *inprocess.House, raw string) (to []string, out [][]byte) {
	h.T.Helper()
	ctx := context.Background()
	for _, d := range h.Handle(ctx, []server.Arrival{{Raw: []byte(raw), Received: h.Now}}) {
		if d.Err != nil || d.Outcome == desk.SetAside {
			h.T.Fatalf("%s, %v:\n%.2000s", d.Outcome, d.Err, raw)
		}
	}
	due, _, err := h.DB.Due(ctx, h.Now, 100)
	if err != nil {
		h.T.Fatal(err)
	}
	for _, d := range due {
		raw, err := h.Render(ctx, d.Message)
		if err != nil {
			h.T.Fatal(err)
		}
		if err := h.DB.Sent(ctx, d.ID); err != nil {
			h.T.Fatal(err)
		}
		to, out = append(to, d.To), append(out, raw)
	}
	return to, out
}

// TestAmplification writes every word a stranger may write, in letters from the
// shortest that can be read to one with much in it: what goes out has at most ten
// times their octets.
func TestAmplification(t *testing.T) {
	h := inprocess.NewHouse(t, 1, func(h *inprocess.House, c *unit.Config) { c.Start = "anyone" })
	ctx := context.Background()
	var open string
	for i := range 40 { // so that lists are long
		id, err := h.Desk.NewGame(ctx, seating.NewGameOrder{
			Organiser: "host@guests.example", Name: fmt.Sprint("A game with a long name, number ", i), Visibility: store.Listed,
			Players: []seating.NewPlayer{{Address: "host@guests.example", Name: "Hosta"}, {Address: order.Anyone}},
		})
		if err != nil {
			t.Fatal(err)
		}
		open = id
	}
	if _, err := h.Desk.NewLeague(ctx, "name: The Long Way\nvisibility: listed\n"); err != nil {
		t.Fatal(err)
	}
	h.Collect()
	words := []string{"help", "help say", "help www.example.org", "games", "leagues", "join " + open, "join aaaaaaaaaaaaaaaa",
		"join league The Long Way", "substitute The Long Way", "join league Nowhere",
		"new game", "new game\r\nplayers: a@guests.example, b@guests.example\r\nname: " + strings.Repeat("x", 200) + "\r\nrules: advanced", "new game\r\nplayers: ,"}
	n := 0
	for _, word := range words {
		var sizes []int
		answered := 0
		for fill := 0; fill <= 6400; fill = max(50, 2*fill) {
			h.Now = h.Now.Add(25 * time.Hour)
			n++
			from := fmt.Sprintf("s%d@guests.example", n)
			raw := "From: " + from + "\r\n\r\n" + word + "\r\n"
			if fill > 0 {
				raw = fmt.Sprintf("From: %s\r\nTo: %s\r\nMessage-ID: <%d@x>\r\nX-Fill: %s\r\n\r\n%s\r\n", from, inprocess.Address, n, strings.Repeat("x", fill), word)
			}
			to, out := sends(h, raw)
			if len(out) > 1 || len(out) == 1 && to[0] != from {
				t.Fatalf("%q: %d letters, to %v", word, len(out), to)
			}
			sizes = append(sizes, 0)
			if len(out) == 1 {
				answered++
				sizes[len(sizes)-1] = len(out[0])
				if len(out[0]) > 10*len(raw) {
					t.Errorf("%q: %d octets for %d", word, len(out[0]), len(raw))
				}
			}
		}
		t.Logf("%.20q: %v", word, sizes)
		if answered < 3 {
			t.Errorf("%q: hardly ever answered", word)
		}
	}
}

// TestForgedFlood floods a player's mailbox with words in the player's name, as mail:
// three short answers come, the player's own order is answered with the position, and
// an hour later one letter has the rest.
func TestForgedFlood(t *testing.T) {
	h := newIntruder(t, 2, nil)
	x := h.Turn(1)
	dan := h.People[3] // whose letters have pictures
	if x.Who != dan {
		h.move(1)
		x = h.Turn(1)
	}
	var short [][]byte
	for i := range 90 {
		word := []string{"status", "rules 013", "legal", "help say"}[i%4]
		to, out := sends(h.House, fmt.Sprintf("From: dan@example.org\r\nTo: %s\r\nMessage-ID: <f%d@x>\r\n\r\n%s\r\n", inprocess.Address, i, word))
		short = append(short, out...)
		if len(to) > 0 && to[0] != dan.Address {
			t.Fatalf("a letter to %v", to)
		}
	}
	if len(short) != 3 {
		t.Fatalf("%d answers to 90 forged letters", len(short))
	}
	shows := func(raw []byte) bool {
		n := mailclient.ReadNotice(t, raw)
		return bytes.Contains(raw, []byte("image/png")) || strings.Contains(n.Text, "YOUR ORDERS") || strings.Contains(n.Text, "YOUR MOVE") || strings.Contains(n.Text, " VP, ")
	}
	for i, want := range []string{"round", "013", "| "} {
		if n := mailclient.ReadNotice(t, short[i]); shows(short[i]) || !strings.Contains(n.Text, want) || len(short[i]) > 20_000 {
			t.Errorf("answer %d has %d octets:\n%s", i, len(short[i]), n.Text)
		}
	}
	_, out := sends(h.House, string(h.Write([]string{"From: " + dan.Address, "To: " + inprocess.TokenAddress(x.Last.Token)}, x.Legal[0])))
	if len(out) == 0 || mailclient.ReadNotice(t, out[0]).Result != "applied" || !shows(out[0]) {
		t.Fatalf("the player's own order: %d letters", len(out))
	}
	h.Now = h.Now.Add(2 * time.Hour)
	if _, err := h.Desk.Due(context.Background()); err != nil {
		t.Fatal(err)
	}
	due, _, err := h.DB.Due(context.Background(), h.Now, 10)
	if err != nil || len(due) != 1 {
		t.Fatalf("%d letters later, %v", len(due), err)
	}
	raw, err := h.Render(context.Background(), due[0].Message)
	if err != nil {
		t.Fatal(err)
	}
	if n := mailclient.ReadNotice(t, raw); shows(raw) || !strings.Contains(mailclient.Flatten(n.Text), "someone else uses your address") {
		t.Errorf("collected:\n%s", n.Text)
	}
}
