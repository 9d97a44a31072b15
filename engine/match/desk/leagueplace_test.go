package desk_test

import (
	"slices"
	"testing"
	"time"

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
	if _, _, err := w.desk.Rule(w.t.Context(), r, true); err != nil {
		w.t.Fatal(err)
	}
	w.deliver()
}

// A player who leaves a knock-out and plays on in a match leaves a place that hangs on it: the
// offer says so, and the player who takes the place hears how the match ends.
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
// the game: the server asks no one to take it.
func TestPlaceOfABotsSeat(t *testing.T) {
	w, _, _, leaver, _ := semifinals(t)
	w.write("zoe", "substitute tin no")
	w.resigns(leaver)
	w.write("zoe", "substitute tin")
	out := w.write(leaver, "leave league tin")
	if asked := mail(out, notice.AskPlace); len(asked) > 0 {
		t.Errorf("%v", summaries(out))
	}
}

// A player who takes a place on a ladder, with its leaver's game under way, plays from the next
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

// While a league is paused, neither the week in which a place waits for a substitute runs, nor
// the time that one has to answer: a substitute asked before can take it afterwards.
func TestPlaceWaitsInAPause(t *testing.T) {
	o := newOffice(t)
	id := o.made(tin + "substitutes: yes\n")
	o.started(9, "dora", "bot")
	o.joins("tin", "ada", "bo", "cy", "di", "eve", "flo")
	for _, name := range []string{"sue", "zoe"} {
		o.send(o.letter(at(name), "", "substitute tin"))
		o.write(name, "yes")
	}
	o.until("2026-12-02")
	ask := mail(o.write("ada", "leave league tin"), notice.AskPlace)["sue"]
	o.until("2026-12-03")
	o.write("dora", "pause league tin: a storm")
	if out := o.until("2026-12-12"); len(mail(out, notice.AskPlace))+len(tells(out, notice.TellForfeit)) > 0 {
		t.Errorf("in the pause: %v", summaries(out))
	}
	o.write("dora", "resume league tin: the sun")
	if out := o.until("2026-12-12"); len(tells(out, notice.TellForfeit)) > 0 {
		t.Errorf("at its end: %v", summaries(out))
	}
	if _, out := o.send(o.letter(at("sue"), ask.Token, "yes")); len(mail(out, notice.SayPlaceTaken)) != 1 {
		t.Errorf("%v", summaries(out))
	}
	if o.league(id).State.Division(o.playerOf("sue")) == nil {
		t.Error("she has no place")
	}

	// If no one takes a place, it is lost a week of play after its player left.
	o.write("bo", "leave league tin")
	o.until("2026-12-15")
	o.write("dora", "pause league tin: a storm")
	o.until("2027-01-20")
	o.write("dora", "resume league tin: the sun")
	if out := o.until("2027-01-21"); len(tells(out, notice.TellForfeit)) > 0 {
		t.Errorf("too early: %v", summaries(out))
	}
	if out := o.until("2027-01-27"); len(tells(out, notice.TellForfeit)) == 0 {
		t.Errorf("it is not lost: %v", summaries(out))
	}
}

// A place with no games left by the time of the answer is no longer available.
func TestPlaceTooLate(t *testing.T) {
	o := newOffice(t)
	id := o.made("name: Rungs\nkind: ladder\ntable: 2\nleast: 4\nrounds: 2\nround: 1 week\nstart: 2026-12-01\nclock: 3d\nsubstitutes: yes\n")
	o.joins("rungs", "ada", "bo", "cy", "di")
	o.send(o.letter(at("sue"), "", "substitute rungs"))
	o.write("sue", "yes")
	o.until("2026-12-07")
	o.due(time.Hour)
	ask := mail(o.write("ada", "leave league rungs"), notice.AskPlace)["sue"]
	o.until("2026-12-09")
	if x := o.league(id).State.Season(); x.Round != 2 || !x.Running() {
		t.Fatalf("round %d", x.Round)
	}
	r, out := o.send(o.letter(at("sue"), ask.Token, "yes"))
	if len(mail(out, notice.SayPlaceTaken)) > 0 || o.league(id).State.Division(o.playerOf("sue")) != nil {
		t.Errorf("%v %v", r, summaries(out))
	}
	if got := problemOf(o.last("sue")); got != notice.ProblemPlaceGone {
		t.Errorf("she is told %q", got)
	}
}
