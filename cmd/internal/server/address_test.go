package server

import "testing"

// TestAddresses adds an address, confirmed at both sides, and takes the old one
// away: letters then go to the new one, and the last cannot be taken away.
func TestAddresses(t *testing.T) {
	p := start(t, demoArgs(t.TempDir(), "-seats", "human,human", "-seed", "5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a")...)
	all := seated(t, p)
	old, other := all[0], all[1]
	now := stranger(t, p, "delta")

	first := old.ask("address add " + now.address)
	answers(t, first, "applied", now.address, "Answer `yes`")
	question := now.until("the question", func(received) bool { return true })
	says(t, question, now.address, "Answer `yes`", "never write to me again")

	// One yes alone does nothing: the address is still unknown.
	now.last = question
	answers(t, now.ask("yes"), "applied", "confirmed")
	before := len(now.box)
	now.last = first
	now.write(post{body: "status\r\n"})
	says(t, old.until("the question", func(n received) bool { return n.header.Get("In-Reply-To") == "" && len(old.box) > 2 }), "Is that you?")
	if now.read(); len(now.box) != before {
		t.Errorf("an address confirmed by half was answered:\n%s", head(now.last.text, 20))
	}
	old.last = first
	answers(t, old.ask("yes"), "applied", "You can now write from "+now.address)

	// Letters from there count as the player's; answers go where they went.
	now.last = old.last
	answers(t, old.answerTo(now.write(post{body: "status\r\n"})), "none", "First flight: round")

	// The old one goes: the question is put where letters will go.
	old.write(post{body: "address remove " + old.address + "\r\n"})
	question = now.until("the question", func(n received) bool { return len(now.box) > before && n.kind == "answer" })
	says(t, question, "Shall "+old.address, "no longer count as yours")
	now.last = question
	answers(t, now.ask("yes"), "applied", old.address+" no longer counts as yours")
	was := len(old.box)
	answers(t, other.ask("say: where are you?"), "applied", "Your message goes to Alpha")
	says(t, now.until("the message", func(n received) bool { return n.kind == "info" && n.header.Get("X-Angelpost-Game") != "" }), "where are you?")
	answers(t, now.ask("address remove "+now.address), "refused", "your only address")
	answers(t, now.ask("address add "+other.address), "refused", "belongs to another player")
	answers(t, now.ask("status"), "none", "First flight: round")
	if old.read(); len(old.box) != was {
		t.Errorf("%d letters to the address that was taken away:\n%s", len(old.box)-was, head(old.last.text, 20))
	}
	p.stop()
}
