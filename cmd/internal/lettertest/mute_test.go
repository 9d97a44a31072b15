package lettertest

import (
	"strings"
	"testing"

	"angelpost/cmd/internal/mailclient"
	"angelpost/cmd/internal/program"
)

// TestMute ends the letters about a game by one click (RFC 8058): a scanner
// changes nothing, the click resigns nothing, and playing brings the letters
// back.
func TestMute(t *testing.T) {
	t.Parallel()
	p := program.Start(t, program.DemoArgs(t.TempDir(), "-seats", "human,human", "-seed", strings.Repeat("5a", 32))...)
	all := mailclient.Seated(t, p)
	organiser, guest := all[0], all[1]
	playUntil := func(done func() bool) { // the organiser plays each decision
		t.Helper()
		for range 20 {
			if done() {
				return
			}
			orders := organiser.Last.Example
			if len(orders) == 0 {
				orders = organiser.Last.Legal[:min(1, len(organiser.Last.Legal))]
			}
			organiser.Ask(orders...)
		}
		t.Fatal("it never came to that")
	}
	oldAddress := mailclient.OneClick(t, guest.Box[0])
	step := mailclient.Latest(t, organiser.Page)
	for range 2 {
		for _, method := range []string{"GET", "HEAD"} {
			if body, status := mailclient.Request(t, method, oldAddress, ""); status != 200 || method == "GET" && !strings.Contains(body, "<form") {
				t.Errorf("%s: %d", method, status)
			}
		}
	}
	if _, status := mailclient.Request(t, "POST", oldAddress, "resign=yes"); status != 400 {
		t.Errorf("a POST that says something else: %d", status)
	}
	n := guest.Ask("link") // the page's first address dies, the first letter's button does not
	if mailclient.OneClick(t, n) == oldAddress {
		t.Error("link gave the same address")
	}
	if organiser.Read(); len(organiser.Box) != 1 {
		t.Errorf("the organiser has %d letters: a look muted something", len(organiser.Box))
	}

	for range 3 {
		if body, status := mailclient.Request(t, "POST", oldAddress, "List-Unsubscribe=One-Click"); status != 200 || !strings.Contains(body, "You have muted this game") {
			t.Errorf("the click: %d\n%s", status, body)
		}
	}
	mailclient.Says(t, organiser.Wait(1, "info"), "Beta has muted this game", "replace Beta by bot")
	mailclient.Answers(t, organiser.Ask("say to beta: hello?"), "applied", "Beta has muted this game")
	mailclient.Answers(t, organiser.Ask("remind Beta"), "refused")
	before := len(guest.Box)
	playUntil(func() bool { return len(organiser.Last.Legal) == 0 })
	mailclient.Says(t, organiser.Ask("status"), "waiting for Beta") // not resigned
	organiser.Settled()
	if guest.Read(); len(guest.Box) != before {
		t.Errorf("%d letters to whom wants none:\n%s", len(guest.Box)-before, mailclient.Head(guest.Last.Text, 20))
	}

	// The guest opens their page, answers their last letter, and plays: no more silence.
	if body, status := mailclient.Get(t, mailclient.PageIn(t, n)); status != 200 || !strings.Contains(body, "possible orders") {
		t.Errorf("his page: %d", status)
	}
	back := guest.Ask("unmute")
	mailclient.Answers(t, back, "applied", "You get letters about this game again", "WHAT HAPPENED")
	if len(back.Legal) == 0 {
		t.Errorf("the letter does not say what is to be decided:\n%s", mailclient.Head(back.Text, 40))
	}
	// The other address in the header takes a letter whose subject is the word.
	mailclient.Answers(t, guest.AnswerTo(guest.Write(mailclient.Post{Subject: "mute", Body: "\r\n"})), "applied", "You have muted this game")
	orders := back.Example
	if len(orders) == 0 {
		orders = back.Legal[:1]
	}
	mailclient.Answers(t, guest.Ask(orders...), "applied", "You get letters about this game again")
	if now := mailclient.Latest(t, organiser.Page); now <= step {
		t.Errorf("the game stands at %d, was at %d", now, step)
	}
	organiser.Settled()
	for _, x := range []*mailclient.Person{organiser, guest} {
		for _, n := range x.Box {
			if strings.Contains(n.Text, "resigned") || strings.Contains(n.Text, "bot plays") {
				t.Errorf("somebody was resigned:\n%s", mailclient.Head(n.Text, 30))
			}
		}
	}
	p.Stop()
}
