package desk_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"angelpost/engine/incoming"
	"angelpost/engine/match/desk"
	"angelpost/engine/match/unit"
	"angelpost/engine/notice"
	"angelpost/engine/store"
)

// bounced marks the address of a player as one that letters do not reach.
func (o *office) bounced(name string) {
	o.t.Helper()
	_, _ = o.send(unit.Command{Class: incoming.Bounced, MessageID: fmt.Sprint("bounce", o.n, "@home.test"), Received: o.now, Date: o.now, Raw: []byte("x"),
		Bounced: []incoming.Bounce{{MessageID: o.last(name).MessageID, Address: at(name), Permanent: true}}})
}

// dead reports whether a player's address is marked.
func (o *office) dead(name string) (dead bool) {
	o.t.Helper()
	view(o.t.(*testing.T), o, func(tx store.Tx) error {
		a, err := tx.Address(at(name))
		dead = !a.Bounced.IsZero()
		return err
	})
	return dead
}

// TestForgedLetterIsNoSignOfLife: forging a dead address does not make the server
// ask it to take seats again.
func TestForgedLetterIsNoSignOfLife(t *testing.T) {
	o := newOffice(t)
	o.started(9, "ada", "bot")
	if o.bounced("ada"); !o.dead("ada") {
		t.Fatal("the address is not marked")
	}
	c := o.letter(at("ada"), "", "status")
	c.AuthFailed = true
	if o.send(c); !o.dead("ada") {
		t.Error("a forged letter says that the address lives")
	}
	if o.write("ada", "status"); o.dead("ada") {
		t.Error("who writes is still marked")
	}
}

// TestForgedCopiesAreNotAnswered: letters whose sender is forged make the server
// write to that address only so often a day, whatever is wrong with them.
func TestForgedCopiesAreNotAnswered(t *testing.T) {
	o := newOffice(t)
	o.started(9, "ada", "bot")
	told := len(o.box[at("ada")])
	for i := range 20 {
		c := o.letter(at("ada"), "", fmt.Sprint("status ", i))
		c.AuthFailed, c.MessageID = true, "one@evil.test"
		o.send(c)
	}
	if n := len(o.box[at("ada")]) - told; n > 3 {
		t.Errorf("%d letters to somebody who wrote none", n)
	}
}

// TestPlaceLeftTwice: a player leaves, joins and leaves again. The
// server asks one substitute at a time to take the place, and each once.
func TestPlaceLeftTwice(t *testing.T) {
	o := newOffice(t)
	id := o.made(tin)
	o.joins("tin", "ada", "bo", "cy")
	for _, name := range []string{"sue", "sam", "sid"} {
		if err := o.desk.JoinLeague(context.Background(), id, at(name), ""); err != nil {
			t.Fatal(err)
		}
		o.deliver()
		o.write(name, "leave tin\nsubstitute tin")
	}
	o.until("2026-12-02")
	f := o.running(id)[0]
	var out string
	for _, name := range []string{"ada", "bo", "cy"} {
		if !slices.Contains(f.Players, o.playerOf(name)) {
			out = name
		}
	}
	asked := map[string]int{}
	count := func(letters []notice.Message) {
		for name := range mail(letters, notice.AskPlace) {
			asked[name]++
		}
	}
	count(o.write(out, "leave tin"))
	count(o.due(24 * time.Hour))
	count(o.write(out, "join league tin"))
	count(o.write(out, "leave tin"))
	count(o.due(25 * time.Hour)) // the first question's time is over
	if asked["sue"] != 1 || asked["sam"] != 1 || asked["sid"] != 0 {
		t.Errorf("asked: %v", asked)
	}
	if count(o.due(24 * time.Hour)); asked["sid"] != 0 {
		t.Errorf("sid is asked while sam may still answer: %v", asked)
	}
}

// TestCorrectWhatIsAnnulled: the result of a game that no longer counts in its league,
// because its player left too early, is corrected without it.
func TestCorrectWhatIsAnnulled(t *testing.T) {
	o := newOffice(t)
	o.started(9, "dora", "bot")
	id := o.made(tin + "substitutes: no\n")
	o.joins("tin", "ada", "bo", "cy")
	o.until("2026-12-02")
	f := o.running(id)[0]
	var gone string
	for _, name := range []string{"ada", "bo", "cy"} {
		if slices.Contains(f.Players, o.playerOf(name)) {
			gone = name
		}
	}
	o.write(gone, "leave tin")
	if o.due(time.Minute); !o.league(id).State.Fixture(f.ID).Void {
		t.Fatal("it still counts")
	}
	o.playOut(f.Game)
	if state := o.row(f.Game).State; state != store.GameFinished && state != store.GameAdjudicated {
		t.Fatal(state)
	}
	var names []string
	for _, x := range o.seats(f.Game) {
		names = append(names, x.Name+" 50")
	}
	line := strings.Join(names, ", ") + ": a mistake"
	if out := o.decides("dora", "correct "+f.Game+" "+line); len(mail(out, notice.SayRuled)) != 1 {
		t.Errorf("%v", summaries(out))
	}
	if f := o.league(id).State.Fixture(f.ID); !f.Void || f.Result != nil {
		t.Errorf("it counts again: %+v", f)
	}
}

// TestDirectorsInvitationsAreBounded: a league director invites no more strangers a
// day than a game organiser.
func TestDirectorsInvitationsAreBounded(t *testing.T) {
	o := newOffice(t, manyAnswers)
	o.started(9, "dora", "bot")
	id := o.made(strings.Replace(tin, "division: 3", "division: 4", 1))
	o.joins("tin", "ada", "bo", "cy", "di")
	o.until("2026-12-02")
	strangers := 0
	for i, f := range append(o.running(id), o.running(id)...) {
		name := o.seats(f.Game)[i/2%2].Name
		for k := range 15 {
			out := o.decides("dora", fmt.Sprintf("replace %s %s by s%d-%d@far.test: perhaps you", f.Game, name, i, k))
			for _, r := range out {
				if strings.HasSuffix(r.To, "@far.test") {
					strangers++
				}
			}
		}
	}
	if strangers == 0 || strangers > 20 {
		t.Errorf("%d letters to strangers in a day", strangers)
	}
}

// TestLongTables: a letter of a large league has the best of its table and the
// reader's neighbours, not all players.
func TestLongTables(t *testing.T) {
	o := newOffice(t)
	id := o.made("name: Solo\ndirector: dora@home.test\nkind: solo\nstart: 2026-12-01\nrounds: 1\nround: 7 days\nseasons: 1\n")
	o.started(9, "ada", "bot")
	o.write("ada", "join league solo")
	for i := range 60 {
		if err := o.desk.JoinLeague(context.Background(), id, at(fmt.Sprint("p", i)), fmt.Sprint("P", i)); err != nil {
			t.Fatal(err)
		}
	}
	o.deliver()
	o.until("2026-12-02")
	out := o.write("ada", "standings solo")
	tale := section(t, out[0], "standings").League
	table := tale.Table
	if n := len(table); n > 50 || n+tale.More != 61 || !slices.ContainsFunc(table, func(r notice.LeagueRank) bool { return r.You }) {
		t.Errorf("%d rows, %d more", n, tale.More)
	}
}

// TestOldTokenRulesNothing: a director's old letter may have been forwarded far. With the token
// of a turn that is over no one rules, and a word about a league needs a yes first.
func TestOldTokenRulesNothing(t *testing.T) {
	o := newOffice(t)
	id := o.made(tin)
	o.started(9, "dora", "bot")
	old := o.token(at("dora"))
	o.plays("dora")
	o.joins("tin", "ada", "bo", "cy")
	o.until("2026-12-02")
	f := o.running(id)[0]
	_, out := o.send(o.letter(at("dora"), old, "void "+f.Game+": x"))
	if len(out) != 1 || problemOf(out[0]) != notice.ProblemTurnOver || o.row(f.Game).State != store.GameRunning {
		t.Errorf("%v", summaries(out))
	}
	for _, c := range [][2]string{{"announce tin: hello", notice.AskSure}, {"join league tin", notice.AskLeague}} {
		line := c[0]
		_, out = o.send(o.letter(at("dora"), old, line))
		if len(out) != 1 || len(mail(out, c[1])) != 1 {
			t.Errorf("%q: %v", line, summaries(out))
		}
	}
	if out := o.write("dora", "yes"); len(mail(out, notice.SayLeagueJoined)) != 1 {
		t.Errorf("%v", summaries(out))
	}
	if out := o.decides("dora", "void "+f.Game+": x"); len(mail(out, notice.SayRuled)) != 1 {
		t.Errorf("%v", summaries(out))
	}
}

// TestNotYetSeated: a substitute who has not yet accepted a seat, and a director who rules over
// the game, can't act in the seat and can't see its cards.
func TestNotYetSeated(t *testing.T) {
	w, _, game := replaced(t, "sue")
	first, _ := w.onTurn(game)
	w.plays(first)
	first, _ = w.onTurn(game)
	out := w.resigns(first)
	ask := mail(out, notice.AskSeat)["sue"]
	if ask.Token == "" {
		t.Fatalf("%v", summaries(out))
	}
	ruler := mail(append(out, w.box[at("dora")]...), notice.TellDirects)["dora"]
	before := w.row(game)
	words := []string{"plan\nend turn", "plan none", "always forced", "never reserve", "standing", "forget 1", "link", "board", "history", "history 1", "legal", "hint", "say hello", "note hello",
		"back", "resign", "undo", "abandon", "pause", "resume", "visibility: private", "rematch", "preview\nend turn", "name Eve", "status", "extend Ann by 2 days", "remind Ann", "replace Ann by bot", "cancel"}
	for name, token := range map[string]string{"sue": ask.Token, "dora": ruler.Token} {
		for _, text := range words {
			_, out := w.send(w.letter(at(name), token, text))
			for _, r := range out {
				sheet := w.sheet(r)
				if r.Game == game && (r.Seat != 0 || r.PageKey != "" || len(sheet.Legal) > 0) {
					t.Errorf("%s, %q: %s sees seat %d", name, text, r.To, r.Seat)
				}
				if r.To != at(name) {
					t.Errorf("%s, %q: %s", name, text, summary(r))
				}
				for _, x := range r.Answer.Sections {
					own := x.Kind == "link" && !slices.ContainsFunc(x.Games, func(g notice.GameState) bool { return g.Game == game })
					if x.Kind != "status" && x.Kind != "legal" && !own {
						t.Errorf("%s, %q: %+v", name, text, x)
					}
				}
			}
		}
	}
	if after := w.row(game); after.Steps != before.Steps || after.State != before.State {
		t.Errorf("%+v, was %+v", after, before)
	}
}

// TestPrivateStaysPrivate: once a player has joined a private league, no amended file makes its
// players public, not even one that leaves the visibility out.
func TestPrivateStaysPrivate(t *testing.T) {
	ctx := context.Background()
	o := newOffice(t)
	id := o.made(tin + "visibility: private\n")
	if err := o.desk.JoinLeague(ctx, id, at("ada"), "Ada"); err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{tin, tin + "visibility: listed\n", tin + "visibility: unlisted\n"} {
		var p desk.LeagueProblem
		if _, err := o.desk.AmendLeague(ctx, id, file, true); !errors.As(err, &p) || p.Code != notice.ProblemAmend {
			t.Errorf("%v", err)
		}
		if l, err := o.desk.Host().LookLeague(ctx, id, nil); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("%+v, %v", l, err)
		}
	}
	if _, err := o.desk.AmendLeague(ctx, id, tin+"visibility: private\nseason: 5 weeks\n", true); err == nil {
		t.Error("a key twice")
	}
	if _, err := o.desk.AmendLeague(ctx, id, strings.Replace(tin, "4 weeks", "5 weeks", 1)+"visibility: private\n", true); err != nil {
		t.Error(err)
	}
}
