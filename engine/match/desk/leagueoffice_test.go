package desk_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"angelpost/engine/league"
	"angelpost/engine/notice"
)

// stalled makes a league whose season can't begin, and about which its director, dora, has a
// letter; ann and abe are her assistants.
func (o *office) stalled(more string) string {
	id := o.made(strings.Replace(tin, "director: dora@home.test\n", "director: dora@home.test\nassistant: ann@home.test, abe@home.test\n", 1) + "take over: 5 days\n" + more)
	o.deliver()
	o.joins("tin", "ada")
	for _, name := range []string{"dora", "ann", "abe"} {
		o.write(name, "settings")
	}
	return id
}

// TestTakeOver: an assistant takes over from a director who has left something urgent
// unanswered; the director learns it and has two days to refuse.
func TestTakeOver(t *testing.T) {
	o := newOffice(t)
	id := o.stalled("")
	o.refuses("ann", id, map[string]string{"take over league Tin League": notice.ProblemTakeOver})
	o.refuses("dora", id, map[string]string{"take over league tin": notice.ProblemInOffice})
	o.refuses("ada", id, map[string]string{"take over league tin": notice.ProblemDirector})
	if told := mail(o.until("2026-12-02"), notice.TellStalled); told["dora"].To == "" {
		t.Fatal("the director does not hear that the season can't begin")
	}
	if early := mail(o.until("2026-12-05"), notice.TellMayTakeOver); len(early) > 0 {
		t.Error("the assistants hear of it at once")
	}
	o.refuses("ann", id, map[string]string{"take over league tin": notice.ProblemTakeOver})
	told := mail(o.until("2026-12-07"), notice.TellMayTakeOver)
	if len(told) != 2 || told["ann"].To == "" || told["abe"].To == "" {
		t.Fatalf("%d assistants hear of it", len(told))
	}
	if c := told["ann"].Answer.Commands; len(c) != 1 || c[0].Code != notice.CommandTakeOver || c[0].Args["league"] != "Tin League" {
		t.Errorf("%+v", c)
	}
	out := o.write("ann", o.printed("ann", notice.CommandTakeOver))
	asked := mail(out, notice.AskOffice)
	if len(asked) != 1 || asked["dora"].Answer.Remarks[0].Args["name"] == "" || !slices.Contains(remarks(o.last("ann")), notice.SayOfficeAsked) {
		t.Fatalf("%s", summary(o.last("ann")))
	}
	o.refuses("abe", id, map[string]string{"take over league tin": notice.ProblemOfficeAsked})

	// Dora refuses; that is an answer, too.
	if out = o.write("dora", "no"); !slices.Contains(remarks(o.last("dora")), notice.SayOfficeKept) || len(mail(out, notice.TellOfficeKept)) != 1 {
		t.Errorf("%s", summary(o.last("dora")))
	}
	o.until("2026-12-10")
	if d := o.league(id).State.Rules.Directors; d[0] != "dora@home.test" {
		t.Errorf("she refused: %v", d)
	}
	o.refuses("ann", id, map[string]string{"take over league tin": notice.ProblemTakeOver})
	o.holds(id)
}

// TestTakenOver: without a refusal the assistant is the director after two days, or as soon
// as the director agrees, and the director an assistant.
func TestTakenOver(t *testing.T) {
	for _, agrees := range []bool{false, true} {
		o := newOffice(t)
		id := o.stalled("")
		o.until("2026-12-08")
		o.write("ann", "take over league tin")
		var out []notice.Message
		if agrees {
			out = o.write("dora", "yes")
		} else {
			at := o.now
			o.due(0)
			o.now = at.Add(47 * time.Hour)
			if out = o.due(0); len(mail(out, notice.TellOffice)) > 0 {
				t.Error("two days are not over")
			}
			o.now = at.Add(48*time.Hour + time.Minute)
			out = o.due(0)
		}
		told := mail(out, notice.TellOffice)
		then := func(name string) string {
			for _, r := range told[name].Answer.Remarks {
				if r.Code == notice.TellOffice {
					return r.Args["then"]
				}
			}
			return "nothing"
		}
		if len(told) != 3 || then("ann") != "you" || then("dora") != "was" || then("abe") != "" {
			t.Errorf("agrees %v: %d are told: %s %s", agrees, len(told), then("ann"), then("dora"))
		}
		if d := o.league(id).State.Rules.Directors; !slices.Equal(d, []string{"ann@home.test", "dora@home.test", "abe@home.test"}) {
			t.Errorf("agrees %v: %v", agrees, d)
		}
		if l := o.lastLine(id, league.Amend); l.By != o.playerOf("ann") {
			t.Errorf("%+v", l)
		}
		o.write("ann", "rename league tin to Zinc League")
		if o.league(id).Row.Name != "Zinc League" {
			t.Error("the new director can't direct")
		}
		o.holds(id)
	}
}

// TestOfficeRefused: a director refuses in natural words, also in answer to another of our
// letters; once the office has changed hands, a late answer does nothing and says so.
func TestOfficeRefused(t *testing.T) {
	for _, text := range []string{"refuse", "Refuse!", "no", "decline", "Hi,\n\nrefuse\n\nDora"} {
		for _, other := range []bool{false, true} {
			if other && text == "decline" { // says nothing without a question
				continue
			}
			o := newOffice(t)
			id := o.stalled("")
			o.until("2026-12-08")
			older := o.last("dora").Token
			o.write("ann", "take over league tin")
			token := o.last("dora").Token
			if other {
				token = older
			}
			_, out := o.send(o.letter(at("dora"), token, text))
			if len(mail(out, notice.TellOfficeKept)) != 1 || !slices.Contains(remarks(o.last("dora")), notice.SayOfficeKept) {
				t.Errorf("%q, to another letter: %v: %s", text, other, summary(o.last("dora")))
			}
			o.until("2026-12-11")
			if d := o.league(id).State.Rules.Directors; d[0] != "dora@home.test" {
				t.Errorf("%q: %v", text, d)
			}
		}
	}

	o := newOffice(t)
	id := o.stalled("")
	o.until("2026-12-08")
	o.write("ann", "take over league tin")
	question := o.last("dora").Token
	file := strings.ReplaceAll(o.league(id).State.Rules.String(), "director: dora@home.test", "director: abe@home.test")
	if _, err := o.desk.AmendLeague(context.Background(), id, file, true); err != nil { // the host
		t.Fatal(err)
	}
	o.send(o.letter(at("dora"), question, "yes"))
	if r := o.last("dora"); problemOf(r) != notice.ProblemLapsed || r.Result == notice.Applied || slices.Contains(remarks(r), notice.SayYes) {
		t.Errorf("a yes that does nothing: %s", summary(r))
	}
	if d := o.league(id).State.Rules.Directors; d[0] != "abe@home.test" {
		t.Errorf("%v", d)
	}
}

// TestNoTakeOver: any letter of the director is an answer, and the file can rule it out.
func TestNoTakeOver(t *testing.T) {
	o := newOffice(t)
	id := o.stalled("")
	o.until("2026-12-02")
	o.write("dora", "settings")
	if told := mail(o.until("2026-12-20"), notice.TellMayTakeOver); len(told) > 0 {
		t.Error("she has answered")
	}
	o.refuses("ann", id, map[string]string{"take over league tin": notice.ProblemTakeOver})

	o = newOffice(t)
	id = o.made(strings.Replace(tin, "director: dora@home.test\n", "director: dora@home.test\nassistant: ann@home.test\ntake over: 0 days\n", 1))
	o.deliver()
	o.joins("tin", "ada")
	o.write("ann", "settings")
	if told := mail(o.until("2026-12-20"), notice.TellMayTakeOver); len(told) > 0 {
		t.Error("the file rules it out")
	}
	o.refuses("ann", id, map[string]string{"take over league tin": notice.ProblemNoTakeOver})

	// ... also where no letter reaches her.
	o.bounced("dora")
	o.refuses("ann", id, map[string]string{"take over league tin": notice.ProblemNoTakeOver})
	if d := o.league(id).State.Rules.Directors; d[0] != "dora@home.test" {
		t.Errorf("%v", d)
	}

	// A director with an unreachable address gets no question.
	o = newOffice(t)
	id = o.stalled("")
	o.bounced("dora")
	if out := o.write("ann", "take over league tin"); len(mail(out, notice.AskOffice)) > 0 || o.league(id).State.Rules.Directors[0] != "ann@home.test" {
		t.Errorf("%s", summary(out[0]))
	}
	o.holds(id)
}
