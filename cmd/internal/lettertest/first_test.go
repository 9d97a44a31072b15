package lettertest

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"angelpost/cmd/internal/mailclient"
	"angelpost/cmd/internal/program"
)

// readmesFirstLetter is the letter by which the README starts a game.
func readmesFirstLetter(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("../../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	m := regexp.MustCompile("(?s)Start a game by mail:\n\n```\n(.*?)```").FindSubmatch(text)
	if m == nil {
		t.Fatal("the README starts no game by mail")
	}
	return string(m[1])
}

// TestReadmesFirstLetter: the README's first letter begins a game on a running server where only
// players start games, if it comes from the address in host or one in directors: in a letter of its
// own, or in answer to the answer to help.
func TestReadmesFirstLetter(t *testing.T) {
	t.Parallel()
	p := program.ServeOn(t, "host = \"Alpha@"+program.Domain+"\"\ndirectors = [\"beta@"+program.Domain+"\"]", func(string) {})
	host, director := mailclient.Stranger(t, p, "alpha"), mailclient.Stranger(t, p, "beta")
	gamma, delta := mailclient.Stranger(t, p, "gamma"), mailclient.Stranger(t, p, "delta")
	first := strings.NewReplacer("ann@example.org", gamma.Address, "bob@example.net", delta.Address).Replace(readmesFirstLetter(t))
	begins(t, host, host.AnswerTo(host.Write(mailclient.Post{To: p.Values["server"], Subject: "a game", Body: crlf(first)})), gamma, delta)
	help := director.AnswerTo(director.Write(mailclient.Post{To: p.Values["server"], Subject: "hello", Body: "help\r\n"}))
	mailclient.Says(t, help, "new game")
	director.Last = help
	begins(t, director, director.Ask(first), gamma, delta)
	p.Stop()
}

func crlf(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") }

// begins answers the answer to `new game` until the game has begun.
func begins(t *testing.T, organiser *mailclient.Person, asked mailclient.Received, guests ...*mailclient.Person) {
	t.Helper()
	if asked.Result == "none" { // it asks first: the letter bore no token
		mailclient.Says(t, asked, "Reply `yes`", guests[0].Address)
		organiser.Last = asked
		asked = organiser.Ask("yes")
	}
	mailclient.Answers(t, asked, "applied", "is set up", guests[0].Address)
	game := asked.Header.Get("X-Angelpost-Game")
	of := func(n mailclient.Received) bool { return n.Header.Get("X-Angelpost-Game") == game }
	for _, g := range guests {
		g.Last = g.Until("the invitation", func(n mailclient.Received) bool { return of(n) && n.Kind == "invitation" })
		g.Ask("Yes please!")
	}
	for end := time.Now().Add(time.Minute); ; time.Sleep(50 * time.Millisecond) {
		for _, g := range append(guests, organiser) { // the organiser plays, and may be first
			g.Read()
			if slices.ContainsFunc(g.Box, func(n mailclient.Received) bool { return of(n) && len(n.Legal) > 0 }) {
				return
			}
		}
		if time.Now().After(end) {
			t.Fatalf("%s: no one has to move", game)
		}
	}
}
