package lettertest

import (
	"slices"
	"strings"
	"testing"

	"angelpost/cmd/internal/mailclient"
	"angelpost/cmd/internal/program"
)

// TestStale answers a notice whose turn is over: what decides nothing is done,
// the rest is not.
func TestStale(t *testing.T) {
	t.Parallel()
	p := program.Start(t, program.DemoArgs(t.TempDir(), "-seats", "human,human", "-seed", strings.Repeat("5a", 32))...)
	mover, other := mailclient.SitDown(t, p)
	old := mover.Last

	// Half a turn first: it is done, and the rest asked.
	half := old.Example[:(len(old.Example)+1)/2]
	if len(half) == len(old.Example) {
		half = old.Legal[:1]
	}
	n := mover.Ask(half...)
	if n.Result != "applied" || len(n.Legal) == 0 {
		t.Fatalf("half a turn: %s, %d legal orders\n%s", n.Result, len(n.Legal), mailclient.Head(n.Text, 40))
	}
	mailclient.Says(t, n, half[0], "Your turn isn't finished")
	for range 30 {
		if len(n.Legal) == 0 {
			break
		}
		orders := n.Example
		if len(orders) == 0 {
			orders = n.Legal[:1]
		}
		n = mover.Ask(orders...)
	}
	if len(n.Legal) > 0 {
		t.Fatalf("the turn does not end:\n%s", mailclient.Head(n.Text, 40))
	}
	step := mailclient.Latest(t, mover.Page)
	other.Wait(1, "turn")

	mailclient.Says(t, mover.Ask("history 1"), "HISTORY", "You, round 1", "at location ")

	mover.Last = old
	n = mover.Ask(old.Legal[0], "status", "say: hello there")
	if n.Result == "applied" {
		t.Errorf("result %s", n.Result)
	}
	mailclient.Says(t, n, old.Legal[0], "about a turn that is over", "First flight: round", "Your message goes to")
	other.Until("the message", func(n mailclient.Received) bool { return strings.Contains(n.Text, "hello there") })
	if now := mailclient.Latest(t, mover.Page); now != step {
		t.Errorf("the game moved from step %d to %d", step, now)
	}
	mailclient.CheckThreads(t, mover)
	mailclient.CheckThreads(t, other)
	p.Stop()
}

// TestAlias writes with a good token from an address nobody knows: the letter
// is held, the registered address asked, and its yes or no decides.
func TestAlias(t *testing.T) {
	t.Parallel()
	p := program.Start(t, program.DemoArgs(t.TempDir(), "-seats", "human,human", "-seed", strings.Repeat("5a", 32))...)
	mover, _ := mailclient.SitDown(t, p)
	delta := mailclient.Stranger(t, p, "delta")
	work := func(order string) mailclient.Received {
		t.Helper()
		n := len(mover.Box)
		delta.Last = mover.Last
		delta.Write(mailclient.Post{Body: order + "\r\n"})
		q := mover.Until("the question", func(x mailclient.Received) bool {
			return slices.ContainsFunc(mover.Box[n:], func(y mailclient.Received) bool { return y.Header.Get("Message-Id") == x.Header.Get("Message-Id") })
		})
		if asked, _, _ := strings.Cut(q.Text, "YOUR MOVE"); !strings.Contains(mailclient.Flatten(asked), order) {
			t.Errorf("the question does not say what the letter wants (%s):\n%s", order, asked)
		}
		mailclient.Says(t, q, delta.Address, "yes")
		return q
	}
	order := mover.Last.Legal[0]
	notice := mover.Last
	step := mailclient.Latest(t, mover.Page)

	mover.Last = work(order)
	if n := mover.Ask("no"); mailclient.Latest(t, mover.Page) != step {
		t.Errorf("a letter thrown away was done:\n%s", mailclient.Head(n.Text, 40))
	}
	mover.Last = notice
	mover.Last = work(order)
	if now := mailclient.Latest(t, mover.Page); now != step {
		t.Fatalf("a letter from an unknown address moved the game from %d to %d", step, now)
	}
	n := mover.Ask("yes")
	if n.Result != "applied" || mailclient.Latest(t, mover.Page) == step {
		t.Fatalf("yes: %s, step %d\n%s", n.Result, mailclient.Latest(t, mover.Page), mailclient.Head(n.Text, 40))
	}
	mailclient.Says(t, n, delta.Address, order)

	// From now on the address is the player's: answers go to both.
	if delta.Read(); len(delta.Box) > 0 {
		t.Errorf("%d letters went to the unknown address", len(delta.Box))
	}
	delta.Last = n
	id := delta.Write(mailclient.Post{Body: "status\r\n"})
	mailclient.Says(t, mover.AnswerTo(id), "First flight: round")
	mailclient.Says(t, delta.AnswerTo(id), "First flight: round")
	p.Stop()
}

// TestStrangerHelp answers `help` from an unknown sender, whom nothing proves, three times a day.
func TestStrangerHelp(t *testing.T) {
	t.Parallel()
	p := program.Start(t, program.DemoArgs(t.TempDir(), "-seats", "human,human", "-seed", strings.Repeat("5a", 32))...)
	mover, _ := mailclient.SitDown(t, p)
	delta := mailclient.Stranger(t, p, "delta")
	to := mailclient.Post{To: p.Values["server"], Body: "help\r\n"}
	mailclient.Says(t, delta.AnswerTo(delta.Write(to)), "Black Angel by e-mail", "Ask a player to send `new game`")
	for range 4 {
		delta.Write(to)
	}
	mover.Settled()
	if delta.Read(); len(delta.Box) != 3 {
		t.Errorf("%d answers to five letters of a stranger, want 3", len(delta.Box))
	}
	p.Stop()
}
