package desk_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"angelpost/engine/league"
	"angelpost/engine/match/rulings"
	"angelpost/engine/notice"
	"angelpost/engine/order"
	"angelpost/engine/rated"
	"angelpost/engine/store"
)

// pairOf are the players of a fixture, by name.
func (o *office) pairOf(f *league.Fixture, names ...string) (pair []string) {
	o.t.Helper()
	for _, id := range f.Players {
		for _, name := range names {
			if o.playerOf(name) == id {
				pair = append(pair, name)
			}
		}
	}
	return pair
}

// from answers the last letter of a game that name got.
func (o *office) from(game, name, text string) []notice.Message {
	o.t.Helper()
	for _, r := range slices.Backward(o.box[at(name)]) {
		if r.Game == game && r.Token != "" {
			_, out := o.send(o.letter(at(name), r.Token, text))
			return out
		}
	}
	o.t.Fatalf("%s has no letter about %s", name, game)
	return nil
}

// leaving is a league of three at tables of two, one of whose games is being
// played; left and other play it.
func leaving(t *testing.T) (o *office, id string, f *league.Fixture, left, other string) {
	o = newOffice(t)
	id = o.made(tin)
	o.joins("tin", "ada", "bo", "cy")
	o.until("2026-12-02")
	f = o.running(id)[0]
	pair := o.pairOf(f, "ada", "bo", "cy")
	return o, id, f, pair[0], pair[1]
}

// ratingOf returns how far a player's rating is from where all begin; ok is false if
// they have none.
func (o *office) ratingOf(name string) (by float64, ok bool) {
	o.t.Helper()
	b := rated.Book{Host: o.desk.Host()}
	if _, err := b.Rate(context.Background(), func(x rated.LeftOut) { o.t.Errorf("%s is not rated: %v", x.Game, x.Why) }); err != nil {
		o.t.Fatal(err)
	}
	all, err := b.Player(context.Background(), o.playerOf(name))
	if err != nil {
		o.t.Fatal(err)
	}
	if len(all) == 0 {
		return 0, false
	}
	return all[0].History[0].Change, true
}

// TestUncountedGameGoesOn: a player who leaves at tables of two takes all their games out of
// the league. All players concerned learn it; the game in progress goes on, ends when the
// leaver stops playing, and counts for their rating.
func TestUncountedGameGoesOn(t *testing.T) {
	o, id, f, left, other := leaving(t)
	letters := o.write(left, "leave league tin")
	if r := o.last(left); !slices.ContainsFunc(letters, func(r notice.Message) bool {
		said, ok := told(r, notice.SayLeagueLeft)
		return ok && r.To == at(left) && said.Args["then"] == "annul"
	}) {
		t.Errorf("who leaves is not told what that means: %s", summary(r))
	}
	said := mail(letters, notice.TellForfeit)
	if len(said) != 2 { // the other two
		t.Fatalf("%d were told: %v", len(said), summaries(letters))
	}
	for name, r := range said {
		if m, _ := told(r, notice.TellForfeit); m.Args["then"] != "annul" {
			t.Errorf("%s reads %+v", name, m)
		}
		if games := section(t, r, "forfeit").League.Games; len(games) != 1 || games[0].State != "void" {
			t.Errorf("%s reads of the games %+v", name, games)
		}
	}
	uncounted := mail(letters, notice.TellUncounted)
	if len(uncounted) != 2 || uncounted[other].Game != f.Game || uncounted[left].Game != f.Game {
		t.Fatalf("at the table: %v", summaries(letters))
	}
	if now := o.league(id).State.Fixture(f.ID); !now.Void || o.row(f.Game).State != store.GameRunning {
		t.Fatalf("%+v, %s", now, o.row(f.Game).State)
	}

	letters = o.resignsFrom(f.Game, left)
	ended := mail(letters, notice.TellForfeited)
	if len(ended) != 2 || ended[other].Kind != notice.KindEnd || ended[other].Game != f.Game {
		t.Fatalf("of the end: %v", summaries(letters))
	}
	row := o.row(f.Game)
	if row.State != store.GameAdjudicated {
		t.Fatalf("it is %s", row.State)
	}
	if now := o.league(id).State.Fixture(f.ID); !now.Void || now.Result != nil {
		t.Errorf("it counts in the league: %+v", now)
	}
	if up, _ := o.ratingOf(other); up <= 0 {
		t.Errorf("%s has won, and her rating changes by %g", other, up)
	}
	if down, _ := o.ratingOf(left); down >= 0 {
		t.Errorf("%s has left, and his rating changes by %g", left, down)
	}
	if letters := o.due(40 * 24 * time.Hour); len(mail(letters, notice.AskSeat)) > 0 {
		t.Error("a substitute is asked")
	}
	o.verified()
	if _, _, differs, err := o.desk.Host().VerifyLeague(context.Background(), id); err != nil || len(differs) > 0 {
		t.Error(differs, err)
	}
}

// TestUncountedGameEnds: where a bot already plays for the leaver, the game ends at
// once, and no one wins by leaving a league while the other is gone. Two people may
// agree to end it; before, its director alone could.
func TestUncountedGameEnds(t *testing.T) {
	o, _, f, left, other := leaving(t)
	o.resignsFrom(f.Game, left)
	if letters := o.write(left, "leave league tin"); len(mail(letters, notice.TellForfeited)) != 2 || len(mail(letters, notice.TellUncounted)) > 0 {
		t.Errorf("%v", summaries(letters))
	}
	if row := o.row(f.Game); row.State != store.GameAdjudicated {
		t.Errorf("it is %s", row.State)
	}
	seat := slices.IndexFunc(o.seats(f.Game), func(x store.Seat) bool { return x.Player == o.playerOf(other) })
	won := o.seats(f.Game)[seat].Seat
	view(t, o, func(tx store.Tx) error {
		all, err := tx.Rulings(f.Game)
		if len(all) != 1 || all[0].Kind != order.RuleAdjudicate || all[0].Code != rulings.Forfeit || all[0].Scores[won-1] != 1 || all[0].Scores[2-won] != 0 {
			t.Errorf("%+v", all)
		}
		return err
	})

	o, _, f, left, other = leaving(t)
	o.resignsFrom(f.Game, other)
	o.write(left, "leave league tin")
	if row := o.row(f.Game); row.State != store.GameRunning {
		t.Errorf("who leaves while the other is gone: it is %s", row.State)
	}

	o, _, f, left, other = leaving(t)
	if out := o.from(f.Game, other, "abandon"); out[0].Answer.Lines[0].Problem == nil || out[0].Answer.Lines[0].Problem.Code != notice.ProblemLeagueGame {
		t.Errorf("a game that counts is abandoned: %v", summaries(out))
	}
	o.write(left, "leave league tin")
	o.from(f.Game, other, "abandon")
	if o.write(left, "yes"); o.row(f.Game).State != store.GameAbandoned {
		t.Errorf("all agree: %s, %s", o.row(f.Game).State, summary(o.last(left)))
	}
}

// TestGamesOfWhoLeft: at tables of three what has begun goes on and counts; the others
// play the rest without the leaver, and hear so.
func TestGamesOfWhoLeft(t *testing.T) {
	o := newOffice(t)
	id := o.made(strings.Replace(tin, "table: 2\ndivision: 3", "table: 3\ndivision: 4", 1))
	o.joins("tin", "ada", "bo", "cy", "di")
	o.until("2026-12-02")
	f := o.running(id)[0]
	pair := o.pairOf(f, "ada", "bo", "cy", "di")
	letters := o.write(pair[0], "leave league tin")
	for name, r := range mail(letters, notice.TellForfeit) {
		if m, _ := told(r, notice.TellForfeit); m.Args["then"] != "" {
			t.Errorf("%s reads %+v", name, m)
		}
		for _, g := range section(t, r, "forfeit").League.Games {
			if want := map[bool]string{true: "running", false: "open"}[g.Game == f.Game]; g.State != want {
				t.Errorf("%s reads of %s %s, want %s", name, g.Name, g.State, want)
			}
		}
	}
	if len(mail(letters, notice.TellForfeit)) != 3 || len(mail(letters, notice.TellUncounted)) > 0 {
		t.Errorf("%v", summaries(letters))
	}
	o.playOut(f.Game)
	if now := o.league(id).State.Fixture(f.ID); now.Void || now.Result == nil {
		t.Errorf("what had begun does not count: %+v", now)
	}
}

// TestSealedRoundGoesNotBack: all games of a round of a solo league have one seed. So
// neither its director nor the host lets anyone play on who has seen what comes:
// no game goes back, is played again or goes to another player.
func TestSealedRoundGoesNotBack(t *testing.T) {
	o := newOffice(t)
	o.started(3, "dora", "bot")
	id := o.made("name: Hal's Weeks\nkind: solo\nrounds: 2\nround: 1 week\nstart: 2026-12-01\nseasons: 1\nleast: 2\ndirector: dora@home.test\nassistant: eve@home.test")
	o.joins("hal", "ada", "bo", "eve")
	o.until("2026-12-02")
	games := o.running(id)
	if len(games) != 3 {
		t.Fatalf("%+v", games)
	}
	for _, f := range games {
		o.plays(o.pairOf(f, "ada", "bo", "eve")[0])
	}
	game := games[0].Game // Ada's
	for _, line := range []string{"rollback " + game + " to 0: x", "replay " + game + ": x", "replace " + game + " Ada by cy@home.test: x"} {
		before := o.row(game).Steps
		if _, code := o.rule(line); code != notice.ProblemSealed {
			t.Errorf("the host: %s: %q", line, code)
		}
		if o.write("dora", line); o.refused("dora") != notice.ProblemSealed {
			t.Errorf("the director: %s: %s", line, summary(o.last("dora")))
		}
		if row := o.row(game); row.Steps != before || row.State != store.GameRunning {
			t.Errorf("%s: the game has %d steps and is %s", line, row.Steps, row.State)
		}
	}
	o.ruled("replace " + game + " Ada by bot: gone")
	if o.row(game).State != store.GameFinished {
		t.Errorf("a bot does not play on: %s", o.row(game).State)
	}
	for _, f := range games[1:] {
		o.playOut(f.Game)
	}
	if o.row(game).Sealed {
		t.Fatal("the round is not over")
	}
	if _, code := o.rule("replay " + game + ": x"); code != notice.ProblemSealed {
		t.Errorf("once all know its seed: %q", code)
	}
}
