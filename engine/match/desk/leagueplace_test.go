package desk_test

import (
	"slices"
	"testing"

	"angelpost/engine/league"
	"angelpost/engine/notice"
	"angelpost/engine/order"
)

// semifinals is a knock-out of four with a substitute, whose semi-finals have begun; leaver and
// rival play the first.
func semifinals(t *testing.T) (w *waiting, id, game, leaver, rival string) {
	w = &waiting{office: newOffice(t)}
	id = w.made("name: Tin League\ndirector: dora@home.test\nkind: knockout\nstart: 2026-12-01\nclock: 3d\nleast: 4\nsubstitutes: yes\n")
	w.joins("Tin League", "ann", "bob", "cyd", "dan")
	w.ready("zoe")
	w.until("2026-12-02")
	game = w.running(id)[0].Game
	leaver, rival = w.onTurn(game)
	return w, id, game, leaver, rival
}

// wins lets a player win a game of a league by a ruling.
func (w *waiting) wins(game string, player int64) {
	w.t.Helper()
	l := w.league(w.row(game).League)
	r := order.Ruling{Kind: order.RuleAdjudicate, Game: game, Reason: "a test"}
	for _, p := range l.State.Of(game).Players {
		r.Scores = append(r.Scores, order.Scored{Name: l.Names[p], VP: map[bool]int{true: 90, false: 10}[p == player]})
	}
	if _, err := w.desk.Rule(w.t.Context(), r); err != nil {
		w.t.Fatal(err)
	}
	w.deliver()
}

// A player who leaves a knock-out and plays on in a match leaves a place that hangs on it: the
// offer says so, and whoever takes the place hears how the match ends.
func TestPlaceHangsOnAMatch(t *testing.T) {
	for _, won := range []bool{true, false} {
		w, id, game, leaver, rival := semifinals(t)
		ask := mail(w.write(leaver, "leave league tin"), notice.AskPlace)["zoe"]
		if m, _ := told(ask, notice.AskPlace); m.Args["then"] != "match" {
			t.Fatalf("the offer: %s", summary(ask))
		}
		w.has(ask, []string{"is still being played: if it is won, you play from the next round on."})
		_, out := w.send(w.letter(at("zoe"), ask.Token, "yes"))
		w.has(mail(out, notice.SayPlaceTaken)["zoe"], []string{"is still being played: if it is won, you play from the next round on."}, "begin automatically")
		for range 10 { // so that the seat counts
			w.plays(leaver)
			w.plays(rival)
		}
		names := w.league(id).Names
		winner := rival
		if won {
			winner = leaver
		}
		w.wins(game, w.playerOf(winner))
		want, on := "You are out of the knock-out Tin League: "+names[w.playerOf(rival)]+" goes on.", rival
		if won {
			want, on = "You go on to the next round of the knock-out Tin League.", "zoe"
		}
		w.has(w.heard(notice.TellMatch)["zoe"], []string{want, "One other match of round 1 is still open."})
		other := w.running(id)[0]
		w.wins(other.Game, other.Players[0])
		w.until("2026-12-30")
		x := w.league(id).State.Season()
		final := x.Divisions[0].Fixtures[slices.IndexFunc(x.Divisions[0].Fixtures, func(f *league.Fixture) bool { return f.Round == 2 })]
		if !slices.Contains(final.Players, w.playerOf(on)) {
			t.Errorf("%s is not in the final: %v", on, final.Players)
		}
	}
}

// Once a bot plays the seat, nothing can come of the place but for a substitute who finishes
// the game: no one is asked to take it.
func TestPlaceOfABotsSeat(t *testing.T) {
	w, _, _, leaver, _ := semifinals(t)
	w.write("zoe", "substitute tin no")
	w.write(leaver, "resign")
	w.write("zoe", "substitute tin")
	out := w.write(leaver, "leave league tin")
	if asked := mail(out, notice.AskPlace); len(asked) > 0 {
		t.Errorf("%v", summaries(out))
	}
}

// Whoever takes a place on a ladder, with its player's game under way, plays from the next
// round on, and reads no other reason for having no game now.
func TestPlaceOnALadder(t *testing.T) {
	o := newOffice(t)
	id := o.made("name: Rungs\nkind: ladder\ntable: 2\nleast: 4\nrounds: 3\nround: 2 weeks\nstart: 2026-12-01\nclock: 3d\nsubstitutes: yes\n")
	o.joins("rungs", "ada", "bo", "cy", "di")
	o.send(o.letter(at("sue"), "", "substitute rungs"))
	o.write("sue", "yes")
	o.until("2026-12-02")
	ask := mail(o.write("ada", "leave league rungs"), notice.AskPlace)["sue"]
	if m, _ := told(ask, notice.AskPlace); m.Args["then"] != "rounds" {
		t.Fatalf("the offer: %s", summary(ask))
	}
	_, out := o.send(o.letter(at("sue"), ask.Token, "yes"))
	o.has(mail(out, notice.SayPlaceTaken)["sue"], []string{"place in the league Rungs, and play from the next round on."}, "begin automatically", "no opponent was left")
	o.write("sue", "league rungs")
	o.has(o.last("sue"), []string{"you joined after it had begun"})
	o.until("2026-12-30") // the second round begins half a table further down
	if x := o.league(id).State.Season(); x.Round != 3 || !slices.ContainsFunc(x.Divisions[0].Fixtures, func(f *league.Fixture) bool { return f.Round == 3 && slices.Contains(f.Players, o.playerOf("sue")) }) {
		t.Errorf("round %d, and she does not play", x.Round)
	}
}
