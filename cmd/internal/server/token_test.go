package server

import (
	"slices"
	"strings"
	"testing"
)

// TestStale answers a notice whose turn is over: what decides nothing is done,
// the rest is not.
func TestStale(t *testing.T) {
	p := start(t, demoArgs(t.TempDir(), "-seats", "human,human", "-seed", strings.Repeat("5a", 32))...)
	mover, other := sitDown(t, p)
	old := mover.last

	// Half a turn first: it is done, and the rest asked.
	half := old.example[:(len(old.example)+1)/2]
	if len(half) == len(old.example) {
		half = old.legal[:1]
	}
	n := mover.ask(half...)
	if n.result != "applied" || len(n.legal) == 0 {
		t.Fatalf("half a turn: %s, %d legal orders\n%s", n.result, len(n.legal), head(n.text, 40))
	}
	says(t, n, half[0], "Your turn goes on")
	for range 30 {
		if len(n.legal) == 0 {
			break
		}
		orders := n.example
		if len(orders) == 0 {
			orders = n.legal[:1]
		}
		n = mover.ask(orders...)
	}
	if len(n.legal) > 0 {
		t.Fatalf("the turn does not end:\n%s", head(n.text, 40))
	}
	step := latest(t, mover.page)
	other.wait(1, "turn")

	says(t, mover.ask("history 1"), "HISTORY", "You, round 1", "at location ")

	mover.last = old
	n = mover.ask(old.legal[0], "status", "say: hello there")
	if n.result == "applied" {
		t.Errorf("result %s", n.result)
	}
	says(t, n, old.legal[0], "belongs to a turn that is over", "First flight: round", "Your message goes to")
	other.until("the message", func(n received) bool { return strings.Contains(n.text, "hello there") })
	if now := latest(t, mover.page); now != step {
		t.Errorf("the game moved from step %d to %d", step, now)
	}
	checkThreads(t, mover)
	checkThreads(t, other)
	p.stop()
}

// TestAlias writes with a good token from an address nobody knows: the letter
// is held, the registered address asked, and its yes or no decides.
func TestAlias(t *testing.T) {
	p := start(t, demoArgs(t.TempDir(), "-seats", "human,human", "-seed", strings.Repeat("5a", 32))...)
	mover, _ := sitDown(t, p)
	delta := stranger(t, p, "delta")
	work := func(order string) received {
		t.Helper()
		n := len(mover.box)
		delta.last = mover.last
		delta.write(post{body: order + "\r\n"})
		q := mover.until("the question", func(x received) bool {
			return slices.ContainsFunc(mover.box[n:], func(y received) bool { return y.header.Get("Message-Id") == x.header.Get("Message-Id") })
		})
		if asked, _, _ := strings.Cut(q.text, "WHAT YOU MUST DECIDE"); !strings.Contains(flatten(asked), order) {
			t.Errorf("the question does not say what the letter wants (%s):\n%s", order, asked)
		}
		says(t, q, delta.address, "yes")
		return q
	}
	order := mover.last.legal[0]
	notice := mover.last
	step := latest(t, mover.page)

	mover.last = work(order)
	if n := mover.ask("no"); latest(t, mover.page) != step {
		t.Errorf("a letter thrown away was done:\n%s", head(n.text, 40))
	}
	mover.last = notice
	mover.last = work(order)
	if now := latest(t, mover.page); now != step {
		t.Fatalf("a letter from an unknown address moved the game from %d to %d", step, now)
	}
	n := mover.ask("yes")
	if n.result != "applied" || latest(t, mover.page) == step {
		t.Fatalf("yes: %s, step %d\n%s", n.result, latest(t, mover.page), head(n.text, 40))
	}
	says(t, n, delta.address, order)

	// From now on the address is the player's; answers still go to the registered one.
	delta.last = n
	id := delta.write(post{body: "status\r\n"})
	says(t, mover.answerTo(id), "First flight: round")
	if delta.read(); len(delta.box) > 0 {
		t.Errorf("%d letters went to the unknown address", len(delta.box))
	}
	p.stop()
}

// TestStrangerHelp answers `help` from an unknown sender once a day.
func TestStrangerHelp(t *testing.T) {
	p := start(t, demoArgs(t.TempDir(), "-seats", "human,human", "-seed", strings.Repeat("5a", 32))...)
	mover, _ := sitDown(t, p)
	delta := stranger(t, p, "delta")
	to := post{to: p.values["server"], body: "help\r\n"}
	says(t, delta.answerTo(delta.write(to)), "Black Angel by e-mail", "You are in no game here")
	delta.write(to)
	mover.settled()
	if delta.read(); len(delta.box) != 1 {
		t.Errorf("%d answers to two letters of a stranger, want 1", len(delta.box))
	}
	p.stop()
}
