package desk_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"angelpost/engine/match/desk"
	"angelpost/engine/match/unit"
	"angelpost/engine/notice"
	"angelpost/engine/store"
)

// forgotten has a player forgotten, and what was written by that.
func (o *office) forgotten(name string) []notice.Message {
	o.t.Helper()
	if o.write(name, "forget me"); !slices.Contains(remarks(o.last(name)), notice.AskForget) {
		o.t.Fatal(summary(o.last(name)))
	}
	out := o.write(name, "yes")
	if len(mail(out, notice.SayForgotten)) != 1 {
		o.t.Fatal(summaries(out))
	}
	return out
}

// contradict are the sentences of letters about a game that is over which say that it goes on.
func (o *office) contradict(letters []notice.Message) (wrong []string) {
	o.t.Helper()
	goesOn := []string{notice.TellResigned, notice.SayResigned, notice.TellExpelledGame, notice.TellAbsent, notice.TellAbsentAll, notice.TellSeatOpen,
		notice.TellSeatNobody, notice.TellAbsentHelp, notice.TellUncounted, notice.AskSeat}
	for _, r := range letters {
		for _, code := range remarks(r) {
			if r.Game != "" && o.row(r.Game).State != store.GameRunning && slices.Contains(goesOn, code) || code == notice.TellSeatRuler {
				wrong = append(wrong, r.To+" "+code)
			}
		}
	}
	return wrong
}

// TestGoneWithTheGame: if a game ends because a player leaves it, by any word, no letter says that
// it goes on, and the server asks neither substitutes nor the director to fill the seat.
func TestGoneWithTheGame(t *testing.T) {
	for name, leaves := range map[string]func(o *office, name, game string) []notice.Message{
		"forgotten": func(o *office, name, game string) []notice.Message { return o.forgotten(name) },
		"erased by the host": func(o *office, name, game string) []notice.Message {
			if _, err := o.desk.ErasePlayer(context.Background(), at(name), false); err != nil {
				o.t.Fatal(err)
			}
			return o.deliver()
		},
		"resigned": func(o *office, name, game string) []notice.Message {
			o.from(game, name, "resign")
			return o.write(name, "yes")
		},
		"expelled": func(o *office, name, game string) []notice.Message {
			return o.sure("dora", "expel "+name+" from league tin: it had to be")
		},
		"left": func(o *office, name, game string) []notice.Message {
			o.write(name, "leave league tin")
			o.from(game, name, "resign")
			return o.write(name, "yes")
		},
	} {
		for _, last := range []bool{false, true} { // a bot plays the other seat already
			o := newOffice(t)
			o.started(9, "dora", "bot")
			o.started(9, "zoe", "bot")
			file := tin
			if !last {
				file += "substitutes: no\n"
			}
			id := o.made(file)
			o.joins("tin", "ada", "bo", "cy")
			if o.write("zoe", "substitute tin"); last {
				o.write("zoe", "yes")
			}
			o.until("2026-12-02")
			f := o.running(id)[0]
			pair := o.pairOf(f, "ada", "bo", "cy")
			if last {
				o.ruled("replace " + f.Game + " " + pair[1] + " by bot: away")
			}
			out := leaves(o, pair[0], f.Game)
			if !last && (name == "resigned" || name == "expelled") { // the other plays on, for the league: a director may let them in again
				continue
			}
			if o.row(f.Game).State == store.GameRunning {
				t.Fatalf("%s: the game runs", name)
			}
			if wrong := o.contradict(out); len(wrong) > 0 {
				t.Errorf("%s, %v: %v\n%s", name, last, wrong, strings.Join(summaries(out), "\n"))
			}
			if len(mail(out, notice.AskSeat)) > 0 {
				t.Errorf("%s, %v: a substitute got a question: %v", name, last, summaries(out))
			}
			got := map[string]int{}
			for _, r := range out {
				if slices.Contains(remarks(r), notice.TellStarted) { // that is another game
					continue
				}
				if got[r.To]++; got[r.To] > 1 && r.To != at("dora") && r.To != at(pair[0]) {
					t.Errorf("%s, %v: %s hears of one act in %d letters: %v", name, last, r.To, got[r.To], summaries(out))
				}
			}
		}
	}
}

// TestOneLetterForTwoGames: a player who shares several games with one who leaves all of them by one
// act gets one letter; it has the page and the reply address of each.
func TestOneLetterForTwoGames(t *testing.T) {
	for name, leaves := range map[string]func(o *office) []notice.Message{
		"forgotten": func(o *office) []notice.Message { return o.forgotten("wil") },
		"erased by the host": func(o *office) []notice.Message {
			if _, err := o.desk.ErasePlayer(context.Background(), at("wil"), false); err != nil {
				o.t.Fatal(err)
			}
			return o.deliver()
		},
	} {
		o := newOffice(t)
		var games []string
		for i := range 3 {
			games = append(games, o.started(byte(i+1), "cy", "wil", "bo")) // cy moves first
		}
		out := leaves(o)
		got := map[string][]notice.Message{}
		for _, r := range out {
			got[r.To] = append(got[r.To], r)
		}
		together := got[at("bo")]
		if len(together) != 1 || len(together[0].Answer.Collected) != 3 {
			t.Errorf("%s: bo gets %v", name, summaries(got[at("bo")]))
			continue
		}
		text, _ := o.shown(together[0])
		for _, a := range together[0].Answer.Collected {
			if !slices.Contains(games, a.Game) || a.Own == nil || a.Own.Token == "" || a.Own.PageKey == "" || !slices.ContainsFunc(a.Remarks, func(m notice.Remark) bool { return m.Code == notice.TellResigned }) {
				t.Errorf("%s: %+v", name, a)
			}
		}
		if !strings.Contains(text, "This letter is about several of your games.") || strings.Count(text, "Wil ") < 3 {
			t.Errorf("%s: %s", name, text)
		}
		a := together[0].Answer.Collected[1]
		if _, answers := o.send(o.letter(at("bo"), a.Own.Token, "status")); len(answers) != 1 || answers[0].Game != a.Game {
			t.Errorf("%s: a reply about one of them: %v", name, summaries(answers))
		}
		if wrong := o.contradict(out); len(wrong) > 0 {
			t.Errorf("%s: %v", name, wrong)
		}
	}
}

// TestNothingAfterTheLastLetter: a player who asked to be forgotten gets no letter after the
// one that confirms it, even if their games end by it and others write.
func TestNothingAfterTheLastLetter(t *testing.T) {
	o := newOffice(t)
	o.started(1, "wilhelmina", "bot") // ends at once
	ends := o.started(2, "wilhelmina", "bo")
	o.started(3, "bo", "wilhelmina", "cy")
	o.write("wilhelmina", "notify every")
	out := o.forgotten("wilhelmina")
	o.from(ends, "bo", "say: we will miss you")
	out = append(out, o.from(ends, "bo", "resign")...) // and it ends
	out = append(out, o.write("cy", "new game\nplayers: wilhelmina@home.test")...)
	out = append(out, o.due(20*time.Minute)...)
	out = append(out, o.due(2*time.Hour)...)
	out = append(out, o.due(10*time.Minute)...)
	var got []string
	for _, r := range append(out, o.deliver()...) {
		if r.To == at("wilhelmina") {
			got = append(got, summary(r))
		}
	}
	if len(got) != 1 {
		t.Errorf("%d letters:\n%s", len(got), strings.Join(got, "\n"))
	}
	o.filed(at("wilhelmina"))
}

// TestErasedName: the name of an erased player is in no ruling, no word of a director and no result
// that everyone can read, no matter who wrote it, or in which capitals; finished games stay in the tables.
func TestErasedName(t *testing.T) {
	o := newOffice(t)
	o.started(9, "dora", "bot")
	id := o.made(tin + "substitutes: no\n")
	o.joins("tin", "wilhelmina", "bo", "cy")
	o.until("2026-12-02")
	played := ""
	for _, f := range o.running(id) {
		if slices.Contains(f.Players, o.playerOf("wilhelmina")) {
			played = f.Game
		}
	}
	for played == "" { // the others begin
		o.playOut(o.running(id)[0].Game)
		o.due(time.Hour)
		for _, f := range o.running(id) {
			if slices.Contains(f.Players, o.playerOf("wilhelmina")) {
				played = f.Game
			}
		}
	}
	o.write("dora", "settings")
	o.write("dora", "extend "+played+" "+o.publicly(played).Names[o.publicly(played).View.ToAct[0]-1]+" by 2 days: a word for Wilhelmina")
	o.write("dora", "pause "+played+": Wilhelmina is ill, and wilhelmina's letters bounce")
	o.write("dora", "resume "+played+": she is well")
	o.sure("dora", "announce tin: Wilhelmina is well again.")
	o.playOut(played)
	over := func() (n int) {
		for _, f := range o.league(id).State.Fixtures {
			if f.Result != nil && !f.Void {
				n++
			}
		}
		return n
	}
	before := over()
	o.write("bo", "status")
	o.forgotten("wilhelmina")
	o.due(2 * time.Hour)
	o.filed(at("wilhelmina"))
	// The archive's index keeps words until it is merged, and questions to others the names that they read.
	if found := slices.DeleteFunc(o.everywhere("wilhelmina"), func(row string) bool {
		return others(row) || strings.HasPrefix(row, "names_seg") || strings.HasPrefix(row, "confirms.lines")
	}); len(found) > 0 {
		t.Errorf("left: %s", strings.Join(found, "\n"))
	}
	said := 0
	for _, r := range o.publicly(played).Rulings {
		if strings.Contains(r.Reason+r.Name, "Former player") {
			said++
		}
	}
	if said != 2 {
		t.Errorf("%d rulings name the pseudonym: %+v", said, o.publicly(played).Rulings)
	}
	if after := over(); before == 0 || after != before {
		t.Errorf("the league's tables had %d games that were over, and have %d", before, after)
	}
	if _, _, differs, err := o.desk.Host().VerifyLeague(context.Background(), id); err != nil || len(differs) > 0 {
		t.Error(differs, err)
	}
	o.verified()
}

// TestForgottenSubstitute: the server offers no seat to a substitute who is forgotten.
func TestForgottenSubstitute(t *testing.T) {
	o := newOffice(t)
	o.started(9, "dora", "bot")
	o.started(9, "zoe", "bot")
	id := o.made(tin)
	o.joins("tin", "ada", "bo", "cy")
	o.write("zoe", "substitute tin")
	o.write("zoe", "yes")
	o.forgotten("zoe")
	o.due(2 * time.Hour)
	if subs := o.league(id).State.Substitutes(); len(subs) > 0 {
		t.Errorf("substitutes: %v", subs)
	}
}

// TestErasedIsNotReadAgain: letters of an erased player that turn up again, after a restore or in a
// mailbox that was put back, are neither stored nor answered, and go from the mailbox once more;
// what someone writes from that address later is a new letter.
func TestErasedIsNotReadAgain(t *testing.T) {
	o := newOffice(t)
	o.started(1, "wilhelmina", "bo")
	var old []unit.Command
	for _, text := range []string{"help", "status", "new game\nplayers: cy@home.test"} {
		old = append(old, o.letter(at("wilhelmina"), "", text))
	}
	o.forgotten("wilhelmina")
	o.due(2 * time.Hour)
	o.filed(at("wilhelmina"))
	ctx := context.Background()
	o.desk.Handle(ctx, old, func(i int, outcome string, err error) {
		if outcome != desk.Silent || err != nil {
			t.Errorf("letter %d of a batch: %s, %v", i, outcome, err)
		}
	})
	if outcome, err := o.desk.HandleOne(ctx, old[0]); outcome != desk.Silent || err != nil {
		t.Errorf("alone: %s, %v", outcome, err)
	}
	if out := o.deliver(); len(out) > 0 {
		t.Errorf("answers: %v", summaries(out))
	}
	if found := slices.DeleteFunc(o.everywhere(at("wilhelmina")), func(row string) bool { return strings.HasPrefix(row, "erased.") }); len(found) > 0 {
		t.Errorf("stored: %s", strings.Join(found, "\n"))
	}
	o.filed(at("wilhelmina"))
	if outcome, err := o.desk.HandleOne(ctx, o.letter(at("wilhelmina"), "", "help")); outcome != desk.Answered || err != nil {
		t.Errorf("a new letter: %s, %v", outcome, err)
	}
}
