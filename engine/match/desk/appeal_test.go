package desk_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"angelpost/engine/notice"
	"angelpost/engine/order"
	"angelpost/engine/store"
	"angelpost/templates/words"
)

// appeals are those that wait for an answer.
func (o *office) appeals() (all []store.Appeal) {
	o.t.Helper()
	err := o.db.View(context.Background(), func(tx store.Tx) (err error) {
		all, err = tx.OpenAppeals()
		return err
	})
	if err != nil {
		o.t.Fatal(err)
	}
	return all
}

// alarms are the host's.
func (o *office) alarms() []store.Alarm {
	o.t.Helper()
	all, err := o.db.Alarms(context.Background())
	if err != nil {
		o.t.Fatal(err)
	}
	return all
}

// printed is a command that the newest letter to someone with it ends with, as it is printed.
func (o *office) printed(name, code string) string {
	o.t.Helper()
	for _, r := range slices.Backward(o.box[at(name)]) {
		for _, c := range r.Answer.Commands {
			if c.Code == code {
				line := words.English().SayArgs("command."+code+"-line", func(name string) (any, bool) {
					x, ok := c.Args[name]
					return x, ok
				})
				return strings.Join(append([]string{line}, c.List...), "\n")
			}
		}
	}
	o.t.Fatalf("no letter to %s ends with %s", name, code)
	return ""
}

// A player appeals against a director's ruling. The assistant, who otherwise has no game to
// rule over, gets the appeal and answers it; the director gets the answer, too. Its text is
// public only when the game is over.
func TestAppeal(t *testing.T) {
	o := newOffice(t)
	for _, name := range []string{"dora", "al", "eve"} {
		o.started(9, name, "bot") // a good token
	}
	id := o.made(strings.ReplaceAll(tin, "director: dora@home.test", "director: dora@home.test\nassistant: al@home.test") + "place: joined\n")
	o.joins("Tin League", "ann", "bob", "cid")
	o.until("2026-12-02")
	f := o.running(id)[0]
	g, pair := f.Game, o.pairOf(f, "ann", "bob", "cid")
	one, two := pair[0], pair[1]
	answer := func(name, line string) (notice.Message, []notice.Message) {
		t.Helper()
		out := o.decides(name, line)
		i := slices.IndexFunc(out, func(r notice.Message) bool { return r.To == at(name) && r.InReplyTo != "" })
		if i < 0 {
			t.Fatalf("%s writes %q and is not answered: %v", name, line, summaries(out))
		}
		return out[i], out
	}
	refused := func(name, line, want string) {
		t.Helper()
		if r, _ := answer(name, line); r.Result != notice.Refused || problemOf(r) != want {
			t.Errorf("%s writes %q: %s %s, want %s", name, line, r.Result, problemOf(r), want)
		}
	}
	shown := func() (kinds []order.RulingKind) {
		t.Helper()
		v, err := o.desk.Host().Open(context.Background(), g, "", -1)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range v.Rulings {
			kinds = append(kinds, r.Kind)
		}
		return kinds
	}

	refused(one, "appeal "+g+": nobody ruled", notice.ProblemNoAppeal)
	answer("dora", "pause "+g+": Bob is ill")
	refused("eve", "appeal "+g+": not hers", notice.ProblemNotSat)
	refused(one, "appeal "+strings.Repeat("a", 16)+": no game", notice.ProblemNotSat)
	refused(one, "appeal "+g, order.NoReason)
	refused("al", "uphold "+g+": nobody asked", notice.ProblemAssistant)

	r, out := answer(one, "appeal "+g+": he plays elsewhere, and I hold the orange cards")
	if said, ok := told(r, notice.SayAppealed); !ok || r.Result != notice.Applied || len(said.List) != 1 {
		t.Fatalf("Ann appeals: %s %+v", r.Result, r.Answer.Remarks)
	}
	for _, r := range out {
		if r.To != at(one) && r.To != at("al") && r.To != at("dora") {
			t.Errorf("%s hears of the appeal: %s", r.To, summary(r))
		}
	}
	if heard, ok := told(o.last("dora"), notice.TellAppealed); !ok || heard.Args["kind"] != "pause" || heard.Args["host"] != "false" || len(heard.List) != 1 || len(o.last("dora").Answer.Commands) > 0 {
		t.Errorf("the director who ruled hears %+v", o.last("dora").Answer)
	}
	if al := o.last("al").Answer.Commands; len(al) != 1 || al[0].Code != notice.CommandUphold {
		t.Errorf("the assistant can send %+v", al)
	}
	if heard, ok := told(o.last("al"), notice.TellAppeal); !ok || heard.Args["by"] == "" || heard.Args["kind"] != "pause" || heard.Args["why"] != "Bob is ill" || !strings.HasPrefix(heard.Args["reason"], "he plays") {
		t.Errorf("the assistant hears %+v", o.last("al").Answer.Remarks)
	}
	refused(one, "appeal "+g+": again", notice.ProblemNoAppeal)
	if all := o.appeals(); len(all) != 1 || all[0].Game != g || all[0].Against.Kind != order.RulePause || all[0].By != o.playerOf(one) {
		t.Errorf("open: %+v", all)
	}
	if got := shown(); !slices.Equal(got, []order.RulingKind{order.RulePause}) {
		t.Errorf("while the game runs its page shows %v", got)
	}

	// The director who made the ruling cannot answer; the assistant, who may not make other
	// rulings, can, by either word.
	refused("dora", "uphold "+g+": I was right", notice.ProblemOwnAppeal)
	refused("dora", "resume "+g+": I have thought again", notice.ProblemOwnAppeal)
	o.write("al", o.printed("al", notice.CommandUphold)) // nothing takes it back, so we say so and ask
	if text, _ := o.shown(o.last("al")); len(o.appeals()) != 1 || !strings.Contains(text, "against `pause` in the game "+g+": that ruling holds, and they can't appeal against it again.") {
		t.Errorf("the assistant confirms: %s", text)
	}
	_, out = answer("al", o.printed("al", notice.CommandUphold)) // as our letter has it
	if said, ok := told(o.last(one), notice.TellUpheld); !ok || said.Args["reason"] != "I have checked the ruling, and it stands" || said.Args["kind"] != "pause" || len(out) != 3 {
		t.Errorf("Ann hears %+v; letters: %v", o.last(one).Answer.Remarks, summaries(out))
	}
	if _, ok := told(o.last("dora"), notice.TellUpheld); !ok {
		t.Errorf("the director hears %+v", o.last("dora").Answer.Remarks)
	}
	if all := o.appeals(); len(all) != 0 {
		t.Errorf("still open: %+v", all)
	}
	refused("al", "resume "+g+": x", notice.ProblemAssistant)

	answer("dora", "resume "+g+": he is well")
	answer(two, "appeal "+g+": I am not")
	if r, _ := answer("al", "pause "+g+": indeed"); r.Result != notice.Applied {
		t.Errorf("another ruling as the answer: %s %s", r.Result, problemOf(r))
	}
	if said, ok := told(o.last("dora"), notice.TellOverruled); !ok || said.Args["kind"] != "resume" || said.Args["word"] != "pause" || said.Args["reason"] != "indeed" {
		t.Errorf("the director hears %+v", o.last("dora").Answer.Remarks)
	}
	if all := o.appeals(); len(all) != 0 {
		t.Errorf("a ruling does not answer: %+v", all)
	}

	// After two weeks no more; and all is public once the game is over.
	o.now = o.now.Add(15 * 24 * time.Hour)
	refused(one, "appeal "+g+": too late", notice.ProblemNoAppeal)
	o.sure("dora", "void "+g+": enough")
	if got := shown(); !slices.Equal(got, []order.RulingKind{"pause", "appeal", "uphold", "resume", "appeal", "pause", "void"}) {
		t.Errorf("afterwards its page shows %v", got)
	}

	// A player can appeal once the game is over; a letter of before that is good for it.
	if r, _ := answer(two, "appeal "+g+": it was nearly won"); r.Result != notice.Applied {
		t.Errorf("an appeal after the end: %s %s", r.Result, problemOf(r))
	}

	if all := o.alarms(); len(all) != 0 {
		t.Errorf("directors look at it, but the host has %+v", all)
	}

	// The host's ruling goes to the host, because no director overrules the host.
	other := o.running(id)[0]
	o.ruled("pause " + other.Game + ": the server moves")
	if r, _ := answer(o.pairOf(other, "ann", "bob", "cid")[0], "appeal "+other.Game+": how long?"); !slices.Contains(remarks(r), notice.SayAppealedHost) {
		t.Errorf("an appeal against the host's ruling: %+v", r.Answer.Remarks)
	}
	if all := o.alarms(); len(all) != 1 || all[0].Kind != notice.AlarmAppeal || all[0].Why != other.Game {
		t.Errorf("the host has %+v", all)
	}
	refused("al", "uphold "+other.Game+": x", notice.ProblemAssistant)
	refused("dora", "uphold "+other.Game+": x", notice.ProblemOwnAppeal)
	mine := o.started(11, "fay", "gus")
	o.ruled("replace " + mine + " gus by bot: wait")
	if r, _ := answer("fay", "appeal "+mine+": why?"); !slices.Contains(remarks(r), notice.SayAppealedHost) {
		t.Errorf("an appeal to the host: %+v", r.Answer.Remarks)
	}
	if _, out := o.ruled("uphold " + mine + ": because"); len(out) != 1 || !slices.Contains(remarks(out[0]), notice.TellUpheldHost) {
		t.Errorf("the host's answer: %v", summaries(out))
	}
	if _, code := o.rule("appeal " + mine + ": as host"); code != notice.ProblemNotNow {
		t.Errorf("the host appeals: %q", code)
	}
}

// TestAppealAgainstTheOnlyDirector: where no other director is left to look at a ruling, the
// appeal goes to the host, whose answer the director can't give.
func TestAppealAgainstTheOnlyDirector(t *testing.T) {
	o := newOffice(t)
	id := o.made(tin)
	o.joins("tin", "ada", "bo", "cy", "di", "eve", "fay")
	o.until("2026-12-02")
	o.write("dora", "settings")
	f := o.running(id)[0]
	one := strings.ToLower(o.league(id).Names[f.Players[0]])
	o.write("dora", "pause "+f.Game+": a test")
	if out := o.write(one, "appeal "+f.Game+": why?"); !slices.ContainsFunc(out, func(r notice.Message) bool {
		return r.To == at(one) && slices.Contains(remarks(r), notice.SayAppealedHost)
	}) {
		t.Errorf("%s appeals: %v", one, summaries(out))
	}
	if all := o.appeals(); len(all) != 1 || all[0].Game != f.Game {
		t.Errorf("the host has %+v", all)
	}
	if all := o.alarms(); len(all) != 1 || all[0].Why != f.Game {
		t.Errorf("the host has the alarms %+v", all)
	}
	if heard, ok := told(o.last("dora"), notice.TellAppealed); !ok || heard.Args["host"] != "true" {
		t.Errorf("the director hears %+v", o.last("dora").Answer.Remarks)
	}
	if o.write("dora", "uphold "+f.Game+": I was right"); problemOf(o.last("dora")) != notice.ProblemOwnAppeal {
		t.Errorf("the director answers: %+v", o.last("dora").Answer.Remarks)
	}
	if _, out := o.ruled("uphold " + f.Game + ": she was"); len(mail(out, notice.TellUpheldHost)) != 2 {
		t.Errorf("the host's answer: %v", summaries(out))
	}
}

// TestTakeOverAfterAppeal: an appeal that the director has to answer is urgent, and the
// assistant takes over with the line that our letter prints.
func TestTakeOverAfterAppeal(t *testing.T) {
	o := newOffice(t)
	id := o.made(strings.ReplaceAll(tin, "director: dora@home.test", "director: dora@home.test\nassistant: al@home.test") + "take over: 5 days\n")
	o.joins("Tin League", "ann", "bob", "cid")
	for _, name := range []string{"dora", "al"} {
		o.write(name, "settings")
	}
	o.until("2026-12-02")
	f := o.running(id)[0]
	pair := o.pairOf(f, "ann", "bob", "cid")
	o.write("dora", "pause "+f.Game+": Bob is ill")
	o.write(pair[0], "appeal "+f.Game+": he is not")
	o.write("al", "resume "+f.Game+": he is not")
	if told := mail(o.until("2026-12-09"), notice.TellMayTakeOver); len(told) > 0 {
		t.Fatal("the first appeal was the assistant's to answer")
	}
	o.write("dora", "settings")
	out := o.write(pair[1], "appeal "+f.Game+": I am")
	if len(mail(out, notice.TellAppeal)) != 1 || mail(out, notice.TellAppeal)["dora"].To == "" {
		t.Fatalf("the director does not hear of the appeal: %v", summaries(out))
	}
	if told := mail(o.until("2026-12-15"), notice.TellMayTakeOver); len(told) != 1 || told["al"].To == "" {
		t.Fatalf("%d assistants may take over", len(told))
	}
	out = o.write("al", o.printed("al", notice.CommandTakeOver))
	if len(mail(out, notice.AskOffice)) != 1 || !slices.Contains(remarks(o.last("al")), notice.SayOfficeAsked) {
		t.Errorf("the printed line: %s", summary(o.last("al")))
	}
	o.until("2026-12-18")
	if d := o.league(id).State.Rules.Directors; d[0] != "al@home.test" {
		t.Errorf("the director is %v", d)
	}
}
