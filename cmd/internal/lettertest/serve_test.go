package lettertest

import (
	"strings"
	"testing"

	"angelpost/cmd/internal/mailclient"
	"angelpost/cmd/internal/program"
)

// TestManyAnswers writes more letters a day than are answered: those beyond are
// obeyed all the same, and answered at once if they move the game.
func TestManyAnswers(t *testing.T) {
	t.Parallel()
	p := program.ServeOn(t, "answers_per_day = 4", func(config string) {
		if out, code := program.Output(t, "new", "-config", config, "-started", "-organiser", "alpha@"+program.Domain, "-seed", strings.Repeat("5a", 32),
			"-player", "alpha@"+program.Domain, "-player", "beta@"+program.Domain); code != program.ExitYes {
			t.Fatalf("new: %d %s", code, out)
		}
	})
	alpha, beta := mailclient.Stranger(t, p, "alpha"), mailclient.Stranger(t, p, "beta")
	mover, other := alpha, beta
	alpha.Until("the start", func(mailclient.Received) bool { return true })
	beta.Until("the start", func(mailclient.Received) bool { return true })
	if len(alpha.Last.Legal) == 0 {
		mover, other = beta, alpha
	}
	notice := mover.Last
	page := strings.Replace(mailclient.PageIn(t, notice), "http://127.0.0.1:1", p.Values["http"], 1)
	step := mailclient.Latest(t, page)
	for range 4 {
		mover.Ask("status")
	}
	if now := mailclient.Latest(t, page); now != step {
		t.Fatalf("status moved the game from %d to %d", step, now)
	}
	mover.Write(mailclient.Post{Body: "status\r\n"})
	mover.Write(mailclient.Post{Body: strings.Join(notice.Example, "\r\n") + "\r\n"})
	for other.Ask("status"); mailclient.Latest(t, page) == step; {
		other.Ask("legal") // letters are read in the order they came: two answers are enough
		if len(other.Box) > 4 {
			t.Fatal("the letter beyond the bound was not obeyed")
		}
	}
	if mover.Read(); len(mover.Box) != 6 || mover.Last.Result != "applied" {
		t.Errorf("%d letters came, want the start, 4 answers and the one to the orders", len(mover.Box))
	}
	mailclient.Filed(t, p, mover.N+other.N)
	p.Stop()
}

// TestAnyoneMayStart lets an unknown sender start a game, once they have confirmed
// it, and an invited one be left in peace.
func TestAnyoneMayStart(t *testing.T) {
	t.Parallel()
	p := program.ServeOn(t, `start = "anyone"`, func(string) {})
	gamma, delta, alpha := mailclient.Stranger(t, p, "gamma"), mailclient.Stranger(t, p, "delta"), mailclient.Stranger(t, p, "alpha")
	want := mailclient.Post{To: p.Values["server"], Body: "new game\r\nplayers: " + gamma.Address + "\r\n"}
	question := delta.AnswerTo(delta.Write(want))
	mailclient.Answers(t, question, "none", "asks for a new game", gamma.Address, "Reply `yes`")
	question = delta.AnswerTo(delta.Write(want)) // in the place of the first
	alpha.AnswerTo(alpha.Write(mailclient.Post{To: p.Values["server"], Body: "help\r\n"}))
	if delta.Read(); len(delta.Box) != 2 {
		t.Errorf("%d letters to somebody unknown, want 2", len(delta.Box))
	}
	// Only the sender can confirm it.
	alpha.Last = question
	alpha.Write(mailclient.Post{Body: "yes\r\n"})
	delta.Last = question
	mailclient.Answers(t, delta.Ask("yes"), "applied", "is set up", gamma.Address)
	inv := gamma.Wait(0, "invitation")
	mailclient.Says(t, inv, "never write to me again")
	gamma.Last = inv
	mailclient.Answers(t, gamma.Ask("never write to me again"), "applied", "won't write to you again")
	n := delta.Ask("new game", "players: "+gamma.Address)
	mailclient.Answers(t, n, "refused", "does not want letters from this server")
	mailclient.Answers(t, delta.Ask("status"), "none", "YOUR GAMES")
	if alpha.Read(); len(alpha.Box) != 1 {
		t.Errorf("%d letters to somebody who is in no game, want the help alone", len(alpha.Box))
	}
	p.Stop()
}
