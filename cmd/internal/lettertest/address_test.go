package lettertest

import (
	"strings"
	"testing"

	"angelpost/cmd/internal/mailclient"
	"angelpost/cmd/internal/program"
)

// TestAddresses adds an address, confirmed at both sides, and takes the old one
// away: letters then go to the new one, and the last cannot be taken away.
func TestAddresses(t *testing.T) {
	t.Parallel()
	p := program.Start(t, program.DemoArgs(t.TempDir(), "-seats", "human,human", "-seed", "5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a")...)
	all := mailclient.Seated(t, p)
	old, other := all[0], all[1]
	now := mailclient.Stranger(t, p, "delta")

	first := old.Ask("address add " + now.Address)
	mailclient.Answers(t, first, "applied", now.Address, "Reply `yes`")
	question := now.Until("the question", func(mailclient.Received) bool { return true })
	mailclient.Says(t, question, now.Address, "Reply `yes`", "never write to me again")

	// One yes alone does nothing: the address is still unknown.
	now.Last = question
	mailclient.Answers(t, now.Ask("yes"), "applied", "confirmed")
	before := len(now.Box)
	now.Last = first
	now.Write(mailclient.Post{Body: "status\r\n"})
	mailclient.Says(t, old.Until("the question", func(n mailclient.Received) bool { return n.Header.Get("In-Reply-To") == "" && len(old.Box) > 2 }), "Is that you?")
	if now.Read(); len(now.Box) != before {
		t.Errorf("an address confirmed by half was answered:\n%s", mailclient.Head(now.Last.Text, 20))
	}
	old.Last = first
	mailclient.Answers(t, old.Ask("yes"), "applied", "You can now write from "+now.Address)

	// Letters from there count as the player's; answers go where they went, and to the writer.
	now.Last = old.Last
	mailclient.Answers(t, old.AnswerTo(now.Write(mailclient.Post{Body: "status\r\n"})), "none", "First flight: round")

	// The old one goes: the question is put where letters will go.
	old.Write(mailclient.Post{Body: "address remove " + old.Address + "\r\n"})
	question = now.Until("the question", func(n mailclient.Received) bool { return strings.Contains(n.Text, "Should "+old.Address) })
	mailclient.Says(t, question, "Should "+old.Address, "no longer be your address")
	now.Last = question
	mailclient.Answers(t, now.Ask("yes"), "applied", old.Address+" is no longer your address")
	was := len(old.Box)
	mailclient.Answers(t, other.Ask("say: where are you?"), "applied", "Your message goes to Alpha")
	mailclient.Says(t, now.Until("the message", func(n mailclient.Received) bool { return n.Kind == "info" && n.Header.Get("X-Angelpost-Game") != "" }), "where are you?")
	mailclient.Answers(t, now.Ask("address remove "+now.Address), "refused", "your only address")
	mailclient.Answers(t, now.Ask("address add "+other.Address), "refused", "belongs to another player")
	mailclient.Answers(t, now.Ask("status"), "none", "First flight: round")
	if old.Read(); len(old.Box) != was {
		t.Errorf("%d letters to the address that was taken away:\n%s", len(old.Box)-was, mailclient.Head(old.Last.Text, 20))
	}
	p.Stop()
}
