package desk_test

import (
	"context"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"angelpost/engine/game"
	"angelpost/engine/incoming"
	"angelpost/engine/league"
	"angelpost/engine/match/look"
	"angelpost/engine/match/seating"
	"angelpost/engine/match/unit"
	"angelpost/engine/notice"
	"angelpost/engine/order"
	"angelpost/engine/store"
)

// rule lets the host rule; code is why it cannot be.
func (o *office) rule(line string) (done notice.Ruling, code string) {
	o.t.Helper()
	r, p, ok := order.ReadRuling(line)
	if !ok || p != nil {
		o.t.Fatalf("%q is no ruling: %+v", line, p)
	}
	o.now = o.now.Add(time.Minute)
	done, _, err := o.desk.Rule(context.Background(), r, true)
	if p := notice.AsProblem(err); p != nil {
		return done, p.Code
	} else if err != nil {
		o.t.Fatalf("%q: %v", line, err)
	}
	return done, ""
}

// ruled is rule that must be done; it returns the letters that came of it.
func (o *office) ruled(line string) (notice.Ruling, []notice.Message) {
	o.t.Helper()
	done, code := o.rule(line)
	if code != "" {
		o.t.Fatalf("%q is refused: %s", line, code)
	}
	return done, o.deliver()
}

// row is what is stored of a game.
func (o *office) row(id string) (row store.Game) {
	o.t.Helper()
	err := o.db.View(context.Background(), func(tx store.Tx) (err error) {
		row, err = tx.Game(id)
		return err
	})
	if err != nil {
		o.t.Fatal(err)
	}
	return row
}

// log is what is stored of a game's.
func (o *office) log(id string) (log []game.Line) {
	o.t.Helper()
	err := o.db.View(context.Background(), func(tx store.Tx) (err error) {
		log, err = tx.Log(id, 0)
		return err
	})
	if err != nil {
		o.t.Fatal(err)
	}
	return log
}

// told reports whether a letter has a remark, and returns it.
func told(r notice.Message, code string) (notice.Remark, bool) {
	i := slices.IndexFunc(r.Answer.Remarks, func(m notice.Remark) bool { return m.Code == code })
	if i < 0 {
		return notice.Remark{}, false
	}
	return r.Answer.Remarks[i], true
}

// allTold checks that each of names got one letter with a code and the reason.
func (o *office) allTold(out []notice.Message, code, reason string, names ...string) {
	o.t.Helper()
	var to []string
	for _, r := range out {
		if _, ok := told(r, code); !ok {
			continue
		}
		if why, ok := told(r, notice.TellRuledHost); !ok || why.Args["reason"] != reason {
			o.t.Errorf("%s is told %s, but not why: %+v", r.To, code, r.Answer.Remarks)
		}
		to = append(to, strings.TrimSuffix(r.To, "@home.test"))
	}
	if !slices.Equal(to, names) {
		o.t.Errorf("%s is told to %v, want %v; letters: %v", code, to, names, summaries(out))
	}
}

func summaries(out []notice.Message) (all []string) {
	for _, r := range out {
		all = append(all, summary(r))
	}
	return all
}

// A rollback across turns: all players get a letter with a token for the new position. Letters
// to positions taken back play nothing, neither at once nor when the same turn comes again;
// times start again, and chance is what it was.
func TestRollbackAtTheDesk(t *testing.T) {
	w, id := clocked(t, "3d bank 5d +1d max 5d grace 1d")
	w.plays("ada")
	w.plays("bo")
	to := w.row(id).Steps
	then := w.sheet(w.last("ada")).View
	w.write("bo", "never activate")
	w.due(2 * day) // some of her bank is gone by now
	w.plays("ada")
	lost := w.last("bo") // of a turn that will be taken back
	w.plays("bo")
	w.plays("ada")
	gone := w.last("bo") // the same turn of Bo's comes again
	before := w.log(id)
	bank := w.seat(id, 1).Bank

	w.now = w.now.Add(day)
	done, out := w.ruled("rollback " + id + " to " + strconv.Itoa(to) + ": a misread letter")
	if done.To != to || done.Kind != order.RuleRollback || done.N != 1 {
		t.Errorf("ruled %+v", done)
	}
	w.allTold(out, notice.RuledRollback, "a misread letter", "ada", "bo")
	if off, ok := told(w.last("bo"), notice.TellOffRolled); !ok || off.Args["order"] != "never activate" {
		t.Errorf("his standing order holds: %+v", w.last("bo").Answer.Remarks)
	}
	ada := w.last("ada")
	if ada.Kind != notice.KindTurn || ada.Step != len(before)+1 {
		t.Errorf("Ada gets %s of step %d", ada.Kind, ada.Step)
	}
	if v := w.sheet(ada).View; !reflect.DeepEqual(v.ToAct, then.ToAct) || v.Round != then.Round || !reflect.DeepEqual(v.Players, then.Players) {
		t.Error("the position is not the one before")
	}
	if d := ada.Answer.Deadlines; len(d) != 1 || d[0].Seat != 1 || time.Duration(d[0].Left)*time.Second < 3*day+bank-time.Hour {
		t.Errorf("she is given %+v, with a bank of %v", d, bank)
	}
	if x := w.seat(id, 2); !x.Deadline.IsZero() {
		t.Error("his clock runs")
	}

	old := func(name string, r notice.Message) {
		t.Helper()
		steps := w.row(id).Steps
		_, out := w.send(w.letter(at(name), r.Token, strings.Join(w.sheet(w.last(name)).Legal, "\n")))
		if len(out) != 1 || out[0].Result != notice.Refused || w.row(id).Steps != steps {
			t.Errorf("a letter of before the rollback: %v", summaries(out))
		}
		if _, out := w.send(w.letter(at(name), r.Token, "plan\npass")); len(out) != 1 || out[0].Result != notice.Refused {
			t.Errorf("a plan of before the rollback: %v", summaries(out))
		} else if said, ok := told(out[0], notice.SayRolled); !ok || said.Args["n"] != strconv.Itoa(to) || problemOf(out[0]) != notice.ProblemRolled || slices.Contains(remarks(out[0]), notice.SayTurnOver) {
			t.Errorf("a plan, which does not say that there was a rollback: %v", summaries(out))
		}
		if _, out := w.send(w.letter(at(name), r.Token, "B\nresign\nalways reserve 3")); len(remarks(out[0])) != 1 || !slices.Contains(remarks(out[0]), notice.SayRolled) || out[0].Result != notice.Refused {
			t.Errorf("orders, which do not say so: %v", summaries(out))
		}
		w.send(w.letter(at(name), r.Token, "say: hello")) // it decides nothing, so the server sends it
	}
	old("bo", lost)
	old("bo", gone)

	// The same orders again.
	for _, l := range before[to:] {
		if l.By == game.ByPlayer {
			name := []string{"ada", "bo"}[l.Seat-1]
			if slices.Contains(w.sheet(w.last(name)).Legal, l.Order) {
				w.write(name, l.Order)
			}
		}
	}
	after := w.log(id)
	var again []game.Line
	for _, l := range after[len(before)+1:] {
		l.N -= len(before) + 1 - to
		again = append(again, l)
	}
	if want := before[to:]; !reflect.DeepEqual(again, want) {
		t.Errorf("the same orders gave\n%+v\nthe first time\n%+v", again, want)
	}
	if l := after[len(before)]; l.Order != "rollback "+strconv.Itoa(to) || l.By != game.ByDirector || l.Seat != 0 {
		t.Errorf("logged as %+v", l)
	}
	old("bo", gone) // it is that turn again
	w.plays("bo")

	g, err := w.desk.Host().Open(context.Background(), id, w.last("ada").PageKey, -1)
	if err != nil {
		t.Fatal(err)
	}
	if rulings := g.Rulings; len(rulings) != 1 || rulings[0].Reason != "a misread letter" || rulings[0].To != to || rulings[0].Who != "" || rulings[0].Step != len(before)+1 {
		t.Errorf("rulings %+v", rulings)
	}
	w.verified()
}

// verified replays every stored game.
func (o *office) verified() {
	o.t.Helper()
	err := o.desk.Host().VerifyAll(context.Background(), func(c look.Check) error {
		if c.Err != nil || c.Difference != nil {
			o.t.Errorf("game %s: %v %v", c.Game, c.Err, c.Difference)
		}
		return nil
	})
	if err != nil {
		o.t.Error(err)
	}
}

// More time, a pause and its end, another player: each with its reason to all.
func TestRulingsOnTime(t *testing.T) {
	w, id := clocked(t, "3d grace 1d")
	until := w.seat(id, 1).Deadline
	done, out := w.ruled("extend " + id + " Ada by 2 days: the mail was down")
	if !done.Until.Equal(until.Add(2*day)) || !w.seat(id, 1).Deadline.Equal(done.Until) || done.Seat != 1 || done.Name != "Ada" {
		t.Errorf("her time ended %v and ends %+v", until, done)
	}
	w.allTold(out, notice.RuledExtend, "the mail was down", "ada")
	w.allTold(out, notice.RuledExtendAll, "the mail was down", "bo")

	_, out = w.ruled("pause " + id + ": Easter")
	w.allTold(out, notice.RuledPause, "Easter", "ada", "bo")
	if !w.seat(id, 1).Deadline.IsZero() {
		t.Error("her clock runs in a pause")
	}
	if _, code := w.rule("pause " + id + ": Easter"); code != notice.ProblemNotNow {
		t.Errorf("paused twice: %q", code)
	}
	if _, code := w.rule("extend " + id + " Ada by 2 days: x"); code != notice.ProblemNoClock {
		t.Errorf("more time in a pause: %q", code)
	}
	w.due(30 * day)
	_, out = w.ruled("resume " + id + ": on we go")
	w.allTold(out, notice.RuledResume, "on we go", "ada", "bo")
	if left := w.seat(id, 1).Deadline.Sub(w.now); left < 4*day || left > 5*day {
		t.Errorf("she has %v left", left)
	}

	_, out = w.ruled("replace " + id + " Ada by bot: she asked for it")
	w.allTold(out, notice.TellOut, "she asked for it", "ada")
	w.allTold(out, notice.TellReplaced, "she asked for it", "bo")
	if l := w.record(id, 0).Log[0]; l.Order != "replace seat 1 by bot" || l.By != game.ByDirector {
		t.Errorf("logged as %+v", l)
	}
	_, out = w.ruled("replace " + id + " Ada by cy@home.test: he likes to")
	w.allTold(out, notice.RuledAsked, "he likes to", "bo")
	w.write("cy", "join Cy")
	if x := w.seat(id, 1); x.Name != "Cy" || x.Bot != "" {
		t.Errorf("the seat is %+v", x)
	}
	w.verified()
}

// A game ends by a ruling, with a result or void, or is played again.
func TestRulingsOnTheEnd(t *testing.T) {
	o := newOffice(t)
	id := o.started(1, "ada", "bo", "bot")
	o.now = o.now.Add(time.Hour)
	if _, code := o.rule("adjudicate " + id + " Ada 88, Bo 70: x"); code != notice.ProblemScores {
		t.Errorf("a seat without a score: %q", code)
	}
	done, out := o.ruled("adjudicate " + id + " Bo 70, Bot 66, Ada 88: Bo has agreed")
	o.allTold(out, notice.RuledAdjudicate, "Bo has agreed", "ada", "bo")
	if row := o.row(id); row.State != store.GameAdjudicated || row.Result != "" || !row.Ended.Equal(o.now) || !slices.Equal(done.Scores, []int{88, 70, 66}) {
		t.Errorf("%+v, %+v", row, done)
	}
	r := o.last("ada")
	if list, _ := told(r, notice.RuledAdjudicate); r.Kind != notice.KindEnd || !slices.Equal(list.List, []string{"Ada 88", "Bo 70", "Bot 66"}) {
		t.Errorf("she reads %s, %v", r.Kind, list)
	}
	if s := o.sheet(r); len(s.Legal) > 0 || s.View.ToAct != nil || s.Seed != "" {
		t.Errorf("the letter has legal orders, or the seed: %v %q", s.Legal, s.Seed)
	}
	if out := o.write("ada", "pass"); out[0].Result != notice.Refused {
		t.Errorf("she plays on: %v", summaries(out))
	}
	for line, want := range map[string]string{
		"adjudicate " + id + " Bo 70, Bot 66, Ada 88: x": notice.ProblemOff, "rollback " + id + " to 0: x": notice.ProblemOff, "pause " + id + ": x": notice.ProblemOff,
		"extend " + id + " Ada by 2 days: x": notice.ProblemOff, "replace " + id + " Ada by bot: x": notice.ProblemOff,
	} {
		if _, code := o.rule(line); code != want {
			t.Errorf("%q: %q, want %q", line, code, want)
		}
	}
	_, out = o.ruled("correct " + id + " Bo 71, Bot 66, Ada 88: a slip")
	o.allTold(out, notice.RuledCorrect, "a slip", "ada", "bo")

	done, out = o.ruled("replay " + id + ": nobody is content")
	o.allTold(out, notice.RuledReplay, "nobody is content", "ada", "bo")
	if o.row(id).State != store.GameVoid || done.Game == "" || done.Game == id {
		t.Fatalf("%s, replayed as %q", o.row(id).State, done.Game)
	}
	old, next := o.row(id), o.row(done.Game)
	if next.State != store.GameRunning || next.Seed == old.Seed || !reflect.DeepEqual(next.Options, old.Options) || next.Visibility != old.Visibility || next.Organiser != old.Organiser {
		t.Errorf("the new game is %+v", next)
	}
	if r := o.last("ada"); r.Game != next.ID || r.Kind != notice.KindTurn {
		t.Errorf("her last letter is %s of game %s", r.Kind, r.Game)
	}
	o.write("ada", o.sheet(o.last("ada")).Legal[0])
	if n := o.row(next.ID).Steps; n == 0 {
		t.Error("the new game cannot be played")
	}
	for _, word := range []string{"replay", "void"} {
		if _, code := o.rule(word + " " + id + ": x"); code != notice.ProblemNotNow {
			t.Errorf("%s of a game that was played again: %q", word, code)
		}
	}
	if _, code := o.rule("correct " + id + " Bo 71, Bot 66, Ada 88: x"); code != notice.ProblemNotNow {
		t.Errorf("a void game has a result: %q", code)
	}
	_, out = o.ruled("void " + next.ID + ": enough")
	o.allTold(out, notice.RuledVoid, "enough", "ada", "bo")
	o.verified()

	open, err := o.desk.NewGame(context.Background(), seating.NewGameOrder{Organiser: at("ada"), Players: []seating.NewPlayer{{Address: at("ada")}, {Address: at("cy")}}})
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{"void", "replay", "rollback to 0", "pause", "adjudicate Ada 1, Cy 2"} {
		word, rest, _ := strings.Cut(line, " ")
		if _, code := o.rule(word + " " + open + " " + rest + ": x"); code != notice.ProblemUnbegun {
			t.Errorf("%s before the start: %q", line, code)
		}
	}
}

// A game that was played to its end keeps its result in its log; one that is void
// has no winner, and it cannot go back, for its seed is known.
func TestRulingsOnAFinishedGame(t *testing.T) {
	o := newOffice(t)
	id := o.started(2, "ada", "bot:greedy")
	for range 500 {
		if o.row(id).State != store.GameRunning {
			break
		}
		(&waiting{office: o}).plays("ada")
	}
	o.shows(id, store.Listed)
	row := o.row(id)
	if row.State != store.GameFinished {
		t.Fatal("it does not end")
	}
	if _, code := o.rule("rollback " + id + " to 3: x"); code != notice.ProblemOver {
		t.Errorf("rolled back: %q", code)
	}
	end := o.last("ada")
	was := o.sheet(end)
	_, out := o.ruled("correct " + id + " Ada 1, Bot 2: x")
	o.allTold(out, notice.RuledCorrect, "x", "ada")
	if now := o.row(id); now.Result != row.Result || now.State != row.State {
		t.Errorf("%+v", now)
	}
	won := func() int {
		n := 0
		for _, q := range []string{"won", "lost"} {
			all, _, err := o.desk.Host().Archive(context.Background(), store.Search{Player: (&waiting{office: o}).seat(id, 1).Player, Won: q, Limit: 10})
			if err != nil {
				t.Fatal(err)
			}
			n += len(all)
		}
		return n
	}
	if won() != 1 {
		t.Fatal("she has neither won nor lost")
	}
	o.ruled("void " + id + ": a bot with a fault")
	if now := o.row(id); now.State != store.GameVoid || now.Result != row.Result || !now.Ended.Equal(row.Ended) {
		t.Errorf("%+v", now)
	}
	if won() != 0 {
		t.Error("a void game is won or lost")
	}
	if !reflect.DeepEqual(o.sheet(end), was) {
		t.Error("the letter of the end is another now")
	}
	if rec := o.record(id, 0); rec.Result == nil || rec.Seed == "" {
		t.Error("the record of what was played is gone")
	}
}

// No one rules by mail over a game outside the leagues they direct, its organiser
// and players least of all; and no answer reports whether there is such a
// game.
func TestNobodyElseRules(t *testing.T) {
	o := newOffice(t)
	id := o.started(1, "ada", "bo")
	o.started(3, "eve", "bot") // knows the id
	before := o.row(id)
	var said []string
	for _, name := range []string{"ada", "bo", "eve"} {
		for _, game := range []string{id, "abcdefghijklmnop"} {
			for _, line := range []string{"extend GAME Ada by 2 days", "pause GAME", "resume GAME", "replace GAME Bo by bot", "replace GAME Bo by eve@home.test",
				"adjudicate GAME Ada 1, Bo 0", "void GAME", "replay GAME", "rollback GAME to 0", "correct GAME Ada 1, Bo 0"} {
				o.started(9, name, "bot") // a good token
				out := o.write(name, strings.ReplaceAll(line, "GAME", game)+": because I say so")
				if len(out) != 1 || out[0].To != at(name) || out[0].Result != notice.Refused {
					t.Fatalf("%s writes %q: %v", name, line, summaries(out))
				}
				p := out[0].Answer.Lines[0].Problem
				if p == nil || p.Code != notice.ProblemRuler || p.Args["word"] != game {
					t.Errorf("%s writes %q: %+v", name, line, p)
				}
				said = append(said, p.Code)
			}
		}
	}
	if after := o.row(id); !reflect.DeepEqual(before, after) || len(said) != 60 {
		t.Errorf("the game is\n%+v, was\n%+v", after, before)
	}
	out := o.write("ada", "preview\nvoid "+id+": x")
	if p := out[0].Answer.Lines[1].Problem; p == nil || p.Code != notice.ProblemPreview {
		t.Errorf("a ruling in a preview: %+v", p)
	}
	_, out = o.send(o.letter(at("ada"), "", "void "+id+": x"))
	if len(out) == 0 || out[0].Result != notice.Refused || out[0].Answer.Lines[0].Problem.Code != notice.ProblemRuler {
		t.Errorf("a ruling without a token: %v", summaries(out))
	}
}

// A league's director rules by letter over its games, an assistant where the
// director plays, and the standings follow; anyone else is refused.
func TestDirectorRules(t *testing.T) {
	o := newOffice(t)
	for _, name := range []string{"dora", "al", "eve"} {
		o.started(9, name, "bot") // a good token
	}
	id := o.made(strings.ReplaceAll(tin, "director: dora@home.test", "director: dora@home.test\nassistant: al@home.test, ann@home.test") + "place: joined\n")
	o.joins("Tin League", "ann", "bob", "dora")
	o.until("2026-12-02")
	var dora, other *league.Fixture // one of dora's games, and one without her
	for i := 0; i < 10 && (dora == nil || other == nil); i++ {
		dora, other = nil, nil
		for _, f := range o.running(id) {
			if slices.Contains(f.Players, (&waiting{office: o}).seat(f.Game, 1).Player) && o.sitsIn(f.Game, "dora") {
				dora = f
			} else {
				other = f
			}
		}
		if dora != nil && other == nil {
			o.playOut(dora.Game)
		} else if other != nil {
			break
		}
	}
	if other == nil {
		t.Fatal("no game without Dora")
	}
	try := func(name, line string) (notice.Message, []notice.Message) {
		t.Helper()
		out := o.decides(name, line)
		for _, r := range out {
			if r.To == at(name) && r.InReplyTo != "" {
				return r, out
			}
		}
		t.Fatalf("%s writes %q and is not answered: %v", name, line, summaries(out))
		return notice.Message{}, nil
	}
	refused := func(name, line, want string) {
		t.Helper()
		before := o.row(other.Game)
		r, _ := try(name, line)
		if p := r.Answer.Lines[0].Problem; r.Result != notice.Refused || p == nil || p.Code != want {
			t.Errorf("%s writes %q: %s %+v, want %s", name, line, r.Result, p, want)
		}
		if !reflect.DeepEqual(o.row(other.Game), before) {
			t.Errorf("%s's %q changed the game", name, line)
		}
	}
	refused("bob", "void "+other.Game+": x", notice.ProblemRuler)
	refused("eve", "void "+other.Game+": x", notice.ProblemRuler)
	refused("ann", "void "+other.Game+": x", notice.ProblemOwnGame) // an assistant in their own game
	refused("al", "void "+other.Game+": x", notice.ProblemAssistant)

	before := o.row(other.Game)
	for what, c := range map[string]unit.Command{
		"forged":                       {From: at("dora"), Token: o.token(at("dora")), AuthFailed: true},
		"with a player's token":        {From: at("dora"), Token: o.token(at("bob"))},
		"by a player with hers":        {From: at("bob"), Token: o.token(at("dora"))},
		"by a stranger with hers":      {From: at("mallory"), Token: o.token(at("dora"))},
		"without a token":              {From: at("dora")},
		"by an automaton in her name":  {From: at("dora"), Token: o.token(at("dora")), Class: incoming.Auto},
		"with a token that never was":  {From: at("dora"), Token: "aaaaaaaaaaaaaaaaaaaaaaaaaa"},
		"of another server's director": {From: at("zoe"), Token: ""},
	} {
		l := o.letter(c.From, c.Token, "void "+other.Game+": x")
		l.AuthFailed = c.AuthFailed
		if c.Class != "" {
			l.Class = c.Class
		}
		_, out := o.send(l)
		if !reflect.DeepEqual(o.row(other.Game), before) {
			t.Errorf("a ruling %s is done: %v", what, summaries(out))
		}
	}
	o.write("dora", "no") // to the question about Mallory's address

	answer, out := try("dora", "adjudicate "+other.Game+" Ann 50, Bob 70: Ann is away and both agree")
	if answer.Result != notice.Applied {
		t.Fatalf("Dora is refused: %+v", answer.Answer.Lines[0].Problem)
	}
	for _, name := range []string{"ann", "bob"} {
		r := mail(out, notice.RuledAdjudicate)[name]
		if why, _ := told(r, notice.TellRuled); why.Args["who"] != "Dora" || why.Args["reason"] != "Ann is away and both agree" {
			t.Errorf("%s is told %+v", name, r.Answer.Remarks)
		}
	}
	state := o.league(id).State
	f := state.Fixture(other.ID)
	if f.Result == nil || f.Result.Ruling != league.Adjudicate || len(state.Rulings) != 1 || state.Rulings[0].Text != "Ann is away and both agree" {
		t.Fatalf("the league has %+v, rulings %+v", f.Result, state.Rulings)
	}
	score := func() (out []int) {
		for _, seat := range o.league(id).State.Fixture(other.ID).Result.Seats {
			out = append(out, seat.Score, seat.Place)
		}
		return out
	}
	bob := slices.Index([]string{"Ann", "Bob"}, (&waiting{office: o}).seat(other.Game, 1).Name) // which seat is whose
	if want := [][]int{{50, 2, 70, 1}, {70, 1, 50, 2}}[bob]; !slices.Equal(score(), want) {
		t.Errorf("scores and places %v, want %v", score(), want)
	}
	first := func() int64 { return o.league(id).State.Standings(1, 1)[0].Player }
	if x := o.league(id).State.Player(first()); x == nil || first() != o.playerOf("bob") {
		t.Errorf("player %d leads, not Bob", first())
	}
	try("dora", "correct "+other.Game+" ann 90, bob@home.test 70: a slip of mine")
	if want := [][]int{{90, 1, 70, 2}, {70, 2, 90, 1}}[bob]; !slices.Equal(score(), want) || first() != o.playerOf("ann") {
		t.Errorf("scores and places %v, want %v; player %d leads", score(), want, first())
	}
	for _, u := range o.league(id).State.Rulings {
		if strings.Contains(strings.Join(u.Args, " "), "@") {
			t.Errorf("an address stands in the league's log: %v", u.Args)
		}
	}

	o.sure("dora", "replay "+other.Game+": Bob does not agree")
	r := o.last("dora")
	again := o.league(id).State.Fixture(other.ID)
	if again.Game != "" {
		t.Error("its players have begun their next games, and may play one at once")
	}
	hers := 0
	for _, f := range o.running(id) {
		if !slices.ContainsFunc(f.Players, func(p int64) bool { return slices.Contains(again.Players, p) }) {
			continue
		}
		if !o.sitsIn(f.Game, "dora") {
			o.playOut(f.Game)
			continue
		}
		hers++ // a game of Dora's: Al rules over it
		r, _ := try("dora", "void "+f.Game+": x")
		if p := r.Answer.Lines[0].Problem; p == nil || p.Code != notice.ProblemOwnGame {
			t.Errorf("Dora rules over her own game: %+v", p)
		}
		if out := o.sure("al", "void "+f.Game+": both are away"); len(mail(out, notice.SayRuled)) != 1 {
			t.Errorf("her assistant may not: %v", summaries(out))
		}
		if !o.league(id).State.Fixture(f.ID).Void {
			t.Error("the game counts")
		}
	}
	again = o.league(id).State.Fixture(other.ID)
	if r.Result != notice.Applied || again.Game == other.Game || again.Game == "" || again.Result != nil || !slices.Equal(again.Earlier, []string{other.Game}) {
		t.Fatalf("%+v, %+v", r.Answer.Lines, again)
	}
	if row := o.row(again.Game); row.League != id || row.State != store.GameRunning {
		t.Errorf("%+v", row)
	}
	o.playOut(again.Game)
	if f := o.league(id).State.Fixture(other.ID); f.Result == nil || f.Result.Ruling != "" {
		t.Errorf("the game played again counts as %+v", f.Result)
	}
	many := 0 // each is a letter to everyone at the table
	for range 25 {
		r, _ := try("dora", "extend "+again.Game+" Ann by 1 hour: x")
		if r.Answer.Lines[0].Problem.Code == notice.ProblemMany {
			many++
		}
	}
	if many < 5 || many > 6 {
		t.Errorf("%d of 25 rulings on a day were too many", many)
	}
	if hers == 0 {
		t.Error("Dora plays in no game")
	}
	if lines, others, differs, err := o.desk.Host().VerifyLeague(context.Background(), id); err != nil || len(others)+len(differs) > 0 {
		t.Errorf("%d lines, %v, %v, %v", lines, others, differs, err)
	}
	o.verified()
}

// sitsIn reports whether a player has a seat in a game.
func (o *office) sitsIn(id, name string) bool {
	o.t.Helper()
	for place := 1; place <= o.row(id).Options.Players; place++ {
		if (&waiting{office: o}).seat(id, place).Player == o.playerOf(name) {
			return true
		}
	}
	return false
}

// playerOf returns the id of the player with an address.
func (o *office) playerOf(name string) (id int64) {
	o.t.Helper()
	err := o.db.View(context.Background(), func(tx store.Tx) error {
		row, err := tx.Address(at(name))
		id = row.Player
		return err
	})
	if err != nil {
		o.t.Fatal(err)
	}
	return id
}
