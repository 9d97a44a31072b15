package desk_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"angelpost/engine/component"
	"angelpost/engine/game"
	"angelpost/engine/match/look"
	"angelpost/engine/notice"
	"angelpost/engine/order"
	"angelpost/engine/store"
)

// publicly is a game as anyone with its address sees it.
func (o *office) publicly(id string) *look.GameView {
	o.t.Helper()
	g, err := o.desk.Host().Open(context.Background(), id, "", -1)
	if err != nil {
		o.t.Fatal(err)
	}
	return g
}

// TestVoidGameIsRevealed: before a director makes a game void, the server tells them that
// nothing can undo it and that its seed will be public. It is public once no one can appeal any
// more and no appeal is open; until then its record says why it can't be verified, and
// afterwards it can.
func TestVoidGameIsRevealed(t *testing.T) {
	o := newOffice(t)
	for _, name := range []string{"dora", "al"} {
		o.started(9, name, "bot") // a good token
	}
	id := o.made(strings.ReplaceAll(tin, "director: dora@home.test", "director: dora@home.test\nassistant: al@home.test"))
	o.joins("tin", "ann", "bob", "cid")
	o.until("2026-12-02")
	f := o.running(id)[0]
	pair := o.pairOf(f, "ann", "bob", "cid")
	o.plays(strings.ToLower(o.publicly(f.Game).Names[o.publicly(f.Game).View.ToAct[0]-1]))

	out := o.write("dora", "void "+f.Game+": the dice are loaded")
	asked, ok := told(o.last("dora"), notice.AskVoid)
	if !ok || asked.Args["then"] != "secret" || asked.Args["n"] != "14" || len(out) != 1 || !o.row(f.Game).Ended.IsZero() {
		t.Fatalf("dora is not asked first: %v", summaries(out))
	}
	out = o.write("dora", "yes")
	for _, name := range pair {
		if said, ok := told(mail(out, notice.RuledVoid)[name], notice.TellReveal); !ok || said.Args["time"] == "" {
			t.Errorf("%s is not told when the seed becomes public: %v", name, summaries(out))
		}
	}
	hidden := func(when, why string) {
		t.Helper()
		rec := o.record(f.Game, 0)
		if _, err := game.Verify(rec, component.Default()); rec.Seed != "" || !errors.Is(err, game.ErrRecord) || !strings.Contains(err.Error(), why) || strings.Contains(err.Error(), "running") {
			t.Errorf("%s: seed %q, %v", when, rec.Seed, err)
		}
		if g := o.publicly(f.Game); g.Seed != "" || len(g.View.Players[0].Cards) > 0 {
			t.Errorf("%s the page has the seed %q, or a hand", when, g.Seed)
		}
	}
	hidden("at once", "the game is void")

	o.due(13 * 24 * time.Hour)
	o.write(pair[0], "appeal "+f.Game+": I had a wonderful hand")
	if got := o.publicly(f.Game).Rulings; len(got) != 1 || got[0].Kind != order.RuleVoid {
		t.Errorf("an appeal is public before it is answered: %+v", got)
	}
	o.due(30 * 24 * time.Hour)
	hidden("while an appeal is open", "the game is void")
	o.decides("al", "uphold "+f.Game+": they are not, but they did not play on")
	if got := o.publicly(f.Game).Rulings; len(got) != 3 {
		t.Errorf("when it is answered: %+v", got)
	}
	o.due(time.Minute)

	rec := o.record(f.Game, 0)
	if diff, err := game.Verify(rec, component.Default()); err != nil || diff != nil || rec.Ended != "void" || rec.Seed != o.row(f.Game).Seed {
		t.Errorf("the record: %v, %v, ended %q, seed %q", diff, err, rec.Ended, rec.Seed)
	}
	hands := 0
	g := o.publicly(f.Game)
	for _, p := range g.View.Players {
		hands += len(p.Cards)
	}
	if g.Seed != rec.Seed || hands == 0 {
		t.Errorf("the page has the seed %q and %d cards in hands", g.Seed, hands)
	}
	for name, change := range map[string]func(*game.Record){
		"an order": func(r *game.Record) { r.Log[0].Told = append(slices.Clone(r.Log[0].Told), "die gray 1") },
		"the end":  func(r *game.Record) { r.Ended = "abandoned" },
	} {
		changed := *rec
		changed.Log = slices.Clone(rec.Log)
		change(&changed)
		if diff, err := game.Verify(&changed, component.Default()); diff == nil {
			t.Errorf("%s is changed, and the record is right: %v", name, err)
		}
	}

	// Nothing takes it back.
	for _, line := range []string{"void", "rollback %s to 0", "correct %s Ann 1, Bob 2", "resume %s"} {
		line = strings.Replace(line, "void", "void %s", 1)
		if o.write("dora", strings.Replace(line, "%s", f.Game, 1)+": x"); o.last("dora").Result != notice.Refused {
			t.Errorf("%s: %s", line, summary(o.last("dora")))
		}
	}
	o.verified()
}

// TestVoidSoloGame: the seed of a void game of a solo round is public when everyone has played.
func TestVoidSoloGame(t *testing.T) {
	o := newOffice(t)
	id := o.made("name: Tin League\ndirector: dora@home.test\nkind: solo\nrounds: 1\nround: 4 weeks\nstart: 2026-12-01\nseasons: 1\n")
	o.joins("tin", "ada", "bo", "eve")
	o.until("2026-12-02")
	games := o.running(id)
	if len(games) != 3 {
		t.Fatalf("%+v", games)
	}
	_, out := o.ruled("void " + games[0].Game + ": it hung")
	if said, ok := told(out[0], notice.TellReveal); !ok || said.Args["then"] != "round" {
		t.Errorf("%v", summaries(out))
	}
	seed := o.row(games[0].Game).Seed
	o.due(15 * 24 * time.Hour)
	for i, f := range games[1:] {
		if row := o.row(games[0].Game); o.row(f.Game).State == store.GameRunning && row.SeedPublic() {
			t.Errorf("the seed is public while %d others play", 2-i)
		}
		o.playOut(f.Game)
	}
	if g := o.publicly(games[0].Game); g.Seed != seed {
		t.Errorf("everyone has played, and the page has the seed %q", g.Seed)
	}
	if diff, err := game.Verify(o.record(games[0].Game, 0), component.Default()); err != nil || diff != nil {
		t.Errorf("%v, %v", diff, err)
	}
}
