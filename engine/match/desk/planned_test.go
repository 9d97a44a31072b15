package desk_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"angelpost/engine"
	"angelpost/engine/game"
	"angelpost/engine/notice"
	"angelpost/engine/order"
	"angelpost/engine/store"
)

// planOf is what a letter says of its reader's plan, nil if nothing.
func planOf(r notice.Message) *notice.Planned {
	for _, s := range r.Answer.Sections {
		if s.Plan != nil {
			return s.Plan
		}
	}
	return nil
}

func planned(r notice.Message) string {
	p := planOf(r)
	if p == nil {
		return ""
	}
	var b strings.Builder
	b.WriteString(p.State)
	for i, x := range p.Blocks {
		fmt.Fprintf(&b, "; %d %s", i+1, x.Status)
		if x.Guard != "" {
			fmt.Fprintf(&b, " %s", x.Guard)
		}
		for _, l := range x.Lines {
			if l.Problem != nil {
				fmt.Fprintf(&b, " %q %s", l.Text, l.Problem.Code)
			}
		}
	}
	return b.String()
}

// A plan is kept, tried when the turn comes, played, and reported in the next letter; no other
// player sees it before.
func TestPlanIsPlayedWhenTheTurnComes(t *testing.T) {
	o := newOffice(t)
	id := o.started(1, "ada", "bo")
	o.plays("ada")
	if got := planned(o.write("ada", "plan\nif last round\nB\nelse\nB reserve gray 3")[0]); got != "kept; 1 guard if last round; 2 fits" {
		t.Errorf("%s", got)
	}
	if got := planned(o.write("ada", "plan")[0]); got != "asked; 1 guard if last round; 2 fits" {
		t.Errorf("%s", got)
	}
	n, letters := len(o.record(id, 0).Log), len(o.box[at("ada")])
	o.plays("bo")
	var hers []string
	for _, l := range o.record(id, 0).Log[n:] {
		if l.Seat == 1 {
			hers = append(hers, string(l.By)+" "+l.Order)
		}
	}
	if got := strings.Join(hers, "; "); got != "player B; player done" { // no gray 3 was rolled
		t.Errorf("played: %s", got)
	}
	wantParts(t, "by a plan", o.parts(id), "Ada 2/2", "Bo 1/1") // it is her turn, as by a letter
	if len(o.box[at("ada")]) != letters {
		t.Errorf("told at once: %s", summary(o.last("ada")))
	}
	o.plays("bo")
	if got := planned(o.last("ada")); got != `played; 1 guard if last round; 2 fits "reserve gray 3" reserve-none` || o.last("ada").Kind != notice.KindTurn {
		t.Errorf("%s\n%s", got, summary(o.last("ada")))
	}
	if got := planned(o.write("ada", "plan")[0]); got != "none" {
		t.Errorf("%s", got)
	}
}

// turnOf is a whole random turn of a player, as their page plans it now, up to
// where chance speaks.
func (o *office) turnOf(id, name string, rnd *rand.Rand) []string {
	o.t.Helper()
	var lines []string
	for {
		_, p, err := o.desk.Host().Plan(context.Background(), id, o.last(name).PageKey, lines)
		if err != nil || p == nil || p.Refused != nil {
			o.t.Fatalf("%q: %+v, %v", lines, p, err)
		}
		if p.Last != "" || len(p.Options) == 0 || p.Complete {
			p.Ahead = false
			return p.Text()
		}
		if len(p.Steps) > 0 && p.Forced > 0 {
			for _, s := range p.Steps[len(p.Steps)-p.Forced:] {
				lines = append(lines, s.Order)
			}
		}
		lines = append(lines, p.Options[rnd.IntN(len(p.Options))].Order)
	}
}

func orders(log []game.Line) (out []string) {
	for _, l := range log {
		out = append(out, fmt.Sprint(l.Seat, " ", l.By, " ", l.Order, " ", l.Told))
	}
	return out
}

// A plan of a legal turn has the same result as the turn sent when it falls due, even after
// blocks whose conditions do not hold, and saves a letter.
func TestPlanIsTheTurnSent(t *testing.T) {
	for n := range byte(4) {
		rnd := rand.New(rand.NewPCG(7, uint64(n)))
		sent, ahead := newOffice(t, manyAnswers), newOffice(t, manyAnswers)
		names := []string{"ada", "bo", "cy"}[:2+n%2]
		id := sent.started(n, names...)
		other := ahead.started(n, names...)
		both := func(name, text string) {
			sent.write(name, text)
			ahead.write(name, text)
		}
		played := 0
		for round := range 6 {
			who, before := names[(round+1)%len(names)], names[round%len(names)]
			sent.setUp(names...)
			ahead.setUp(names...)
			for _, name := range names { // what was left of the turn before
				if len(sent.sheet(sent.last(name)).Legal) > 0 && name != before {
					both(name, strings.Join(sent.sheet(sent.last(name)).Example, "\n"))
				}
			}
			// The turn before, in the game in which the next is sent.
			var letters []string
			for range 20 {
				s := sent.sheet(sent.last(before))
				if len(s.Example) == 0 || s.View.Seat != s.View.Viewer {
					break
				}
				letters = append(letters, strings.Join(s.Example, "\n"))
				sent.write(before, letters[len(letters)-1])
			}
			if v := sent.sheet(sent.last(who)).View; len(letters) == 0 || v.Seat != v.Viewer || v.Decision != engine.AskTurn {
				continue
			}
			turn := sent.turnOf(id, who, rnd)
			sent.write(who, strings.Join(turn, "\n"))
			// And in the one in which it is planned.
			kept := ahead.write(who, "plan\nif last round\npass\nelse\nmission 060\nelse\n"+strings.Join(turn, "\n"))
			if got := planned(kept[0]); !strings.HasPrefix(got, notice.PlanKept) {
				t.Fatalf("%q: %s", turn, summary(kept[0]))
			}
			for _, l := range letters {
				ahead.write(before, l)
			}
			a, b := orders(sent.record(id, 0).Log), orders(ahead.record(other, 0).Log)
			if !slices.Equal(a, b) {
				t.Fatalf("game %d, turn %q: sent\n%s\nplanned\n%s", n, turn, strings.Join(a, "\n"), strings.Join(b, "\n"))
			}
			played++
		}
		if played == 0 {
			t.Errorf("game %d: only %d turns", n, played)
		}
	}
}

// setUp lets all players answer what the game asks before the first turn.
func (o *office) setUp(names ...string) {
	o.t.Helper()
	for _, name := range names {
		if s := o.sheet(o.last(name)); s.View.Decision == engine.AskReserveFree {
			o.write(name, "done")
		}
	}
}

// ahead is what a player has planned.
func (o *office) ahead(id, name string) string {
	o.t.Helper()
	g, err := o.desk.Host().Open(context.Background(), id, o.last(name).PageKey, -1)
	if err != nil {
		o.t.Fatal(err)
	}
	return strings.Join(g.Own.Ahead, "; ")
}

// Which turn a plan is for, and whose letter may bring one.
func TestPlanIsForTheTurnToCome(t *testing.T) {
	o := newOffice(t, manyAnswers)
	id := o.started(1, "ada", "bo")
	first := o.token(at("ada"))

	// It is her turn: what she wrote before she knew is played at once.
	example := o.sheet(o.last("ada")).Example
	out := o.write("ada", "plan\nif last round\npass\nelse\n"+strings.Join(example, "\n"))
	if got := planned(out[0]); got != "played; 1 guard if last round; 2 fits" || o.ahead(id, "ada") != "" {
		t.Fatalf("%s\n%s", got, summary(out[0]))
	}
	// And while she plays it, it is for the next.
	if v := o.sheet(o.last("ada")).View; v.Seat != 1 {
		t.Fatalf("her turn is over: %+v", v.ToAct)
	}
	out = o.write("ada", "plan\nB")
	if got := planned(out[0]); got != "kept; 1 fits" || o.ahead(id, "ada") != "plan; B" {
		t.Errorf("%s", summary(out[0]))
	}
	// With the rest of her turn, too; and if that could not be played.
	out = o.write("ada", "pass\nplan\nB; reserve none")
	if got := planned(out[0]); !strings.HasPrefix(got, "kept") || o.ahead(id, "ada") != "plan; B; reserve none" {
		t.Errorf("%s", summary(out[0]))
	}
	n := len(o.record(id, 0).Log)
	o.plays("ada")
	out = o.write("ada", "preview\nplan\nB") // only tried
	if got := planned(out[0]); got != "tried; 1 fits" || o.ahead(id, "ada") != "plan; B; reserve none" {
		t.Errorf("%s", summary(out[0]))
	}
	out = o.write("ada", "preview\nplan none")
	if problemOf(out[0]) != notice.ProblemPreview || o.ahead(id, "ada") == "" {
		t.Errorf("%s", summary(out[0]))
	}
	// The letter of the turn that is over will do.
	if _, out = o.send(o.letter(at("ada"), first, "plan\nB")); planned(out[0]) != "kept; 1 fits" {
		t.Errorf("%s", summary(out[0]))
	}
	// But not none, nor another's; nor another player's hand.
	_, out = o.send(o.letter(at("ada"), "", "plan\npass"))
	if problemOf(out[0]) != notice.ProblemToken {
		t.Errorf("%s", summary(out[0]))
	}
	o.send(o.letter(at("bo"), o.token(at("ada")), "plan\npass"))
	o.send(o.letter(at("eve"), o.token(at("ada")), "plan\npass"))
	o.send(o.letter(at("ada"), o.token(at("bo")), "plan\npass"))
	if got := o.ahead(id, "ada"); got != "plan; B" {
		t.Errorf("planned is %s", got)
	}
	if len(o.record(id, 0).Log) <= n {
		t.Error("nothing was played")
	}
	// What cannot be read is refused, and the old one stays.
	out = o.write("ada", "plan\nif die gray 2 from Xavier\nB")
	if !slices.Contains(remarks(out[0]), notice.SayNotPlanned) || o.ahead(id, "ada") != "plan; B" {
		t.Errorf("%s", summary(out[0]))
	}
	// Two turns later her first letter is too old.
	o.plays("bo")
	o.plays("ada")
	o.plays("bo")
	if _, out = o.send(o.letter(at("ada"), first, "plan\nB")); problemOf(out[0]) != notice.ProblemTurnOver {
		t.Errorf("%s", summary(out[0]))
	}
}

// A letter may play a turn and plan the next, though bots must think between them; and a player
// who answers the letter of a turn that the plan has played learns that.
func TestPlanAcrossBots(t *testing.T) {
	for _, names := range [][]string{{"ada", "bot:planner:200"}, {"ada"}, {"ada", "bot", "bo"}} {
		o := newOffice(t)
		id := o.started(2, names...)
		var people []string
		for _, name := range names {
			if !strings.HasPrefix(name, "bot") {
				people = append(people, name)
			}
		}
		o.setUp(people...)
		for range 10 { // until it is her turn
			if v := o.sheet(o.last("ada")).View; v.Seat == v.Viewer && v.Decision == engine.AskTurn {
				break
			}
			o.plays(people[len(people)-1])
		}
		seat := int(o.last("ada").Seat)
		var hers []string
		old := o.token(at("ada"))
		out := o.write("ada", "B\nreserve none\nplan\nif last round\npass\nelse\nB\nreserve none")
		if names[len(names)-1] == "bo" {
			o.plays("bo")
		}
		for _, l := range o.record(id, 0).Log {
			if l.Seat == seat && l.By == game.ByPlayer {
				hers = append(hers, l.Order)
			}
		}
		if got := strings.Join(hers[max(0, len(hers)-4):], "; "); got != "B; done; B; done" || o.plans(id) > 1 || o.ahead(id, "ada") != "" {
			t.Errorf("%q: %s\n%s", names, got, summary(o.last("ada")))
		}
		if names[len(names)-1] != "bo" {
			if got := planned(out[0]); got != "played; 1 guard if last round; 2 fits" {
				t.Errorf("%q: %s", names, got)
			}
			continue
		}
		if _, out := o.send(o.letter(at("ada"), old, "B")); planned(out[0]) != "played; 1 guard if last round; 2 fits" || problemOf(out[0]) != notice.ProblemTurnOver {
			t.Errorf("%s", summary(out[0]))
		}
	}
}

// Nothing fits: the turn waits as always, and the letter says why.
func TestPlanThatFails(t *testing.T) {
	o := newOffice(t)
	id := o.started(1, "ada", "bo")
	o.plays("ada")
	o.write("ada", "plan\nif round at least 99\nB\nelse\nunless resources at least 0\nB\nelse\npass")
	n := len(o.box[at("ada")])
	o.plays("bo")
	r := o.last("ada")
	if got := planned(r); len(o.box[at("ada")]) != n+1 || r.Kind != notice.KindTurn ||
		got != `failed; 1 guard if round at least 99; 2 guard unless resources at least 0; 3 line "pass" illegal` {
		t.Errorf("%s\n%s", got, summary(r))
	}
	if s := o.sheet(r); s.View.Decision != engine.AskTurn || o.ahead(id, "ada") != "" {
		t.Error("her turn does not wait for her")
	}
	// It is gone: the next turn has none.
	o.plays("ada")
	o.plays("bo")
	if got := planned(o.last("ada")); got != "" {
		t.Errorf("%s", got)
	}
}

// Plans follow each other in one transaction; each player gets one letter, and those who want
// it at once get it at once.
func TestPlansFollowEachOther(t *testing.T) {
	o := newOffice(t)
	id := o.started(3, "ada", "bo", "cy")
	o.setUp("ada", "bo", "cy")
	o.write("cy", "notify every")
	bo, cy := len(o.box[at("bo")]), len(o.box[at("cy")])
	o.write("bo", "plan\nB\nreserve none")
	o.write("cy", "plan\nB\nreserve none")
	n := len(o.record(id, 0).Log)
	o.plays("ada")
	var hers []string
	for _, l := range o.record(id, 0).Log[n:] {
		if l.Seat > 1 {
			hers = append(hers, fmt.Sprint(l.Seat, " ", l.By, " ", l.Order))
		}
	}
	if got := strings.Join(hers, "; "); got != "2 player B; 2 player done; 3 player B; 3 player done" {
		t.Errorf("%s", got)
	}
	if n := len(o.box[at("bo")]) - bo; n != 1 { // the answer to Bo's plan
		t.Errorf("%d letters to Bo", n)
	}
	if n, r := len(o.box[at("cy")])-cy, o.last("cy"); n != 2 || r.Kind != notice.KindInfo || planned(r) != "played; 1 fits" {
		t.Errorf("%d letters to Cy, the last\n%s", n, summary(r))
	}
	o.plays("ada")
	if got := planned(o.last("bo")); got != "played; 1 fits" {
		t.Errorf("%s\n%s", got, summary(o.last("bo")))
	}
}

// Dice or cards are revealed in the middle of a plan: what was played stays, and the turn waits
// for the rest.
func TestPlanPlayedInPart(t *testing.T) {
	o := newOffice(t)
	id := o.started(1, "ada", "bo")
	o.plays("ada")
	o.write("ada", "plan\nB\npass\nelse\npass")
	n := len(o.record(id, 0).Log)
	o.plays("bo")
	r := o.last("ada")
	p := planOf(r)
	if p == nil || p.State != notice.PlanPart || len(p.Blocks) != 1 || r.Kind != notice.KindTurn {
		t.Fatalf("%s", summary(r))
	}
	if l := o.record(id, 0).Log[n:]; l[len(l)-1].Order != "B" {
		t.Errorf("%+v", l)
	}
}

// A plan ends with the seat, with the game, and with what it was made for.
func TestPlanIsDropped(t *testing.T) {
	o := newOffice(t)
	id := o.started(1, "ada", "bo", "cy")
	o.setUp("ada", "bo", "cy")
	o.plays("ada")
	o.write("ada", "plan\nB")
	// Taken back to before it was made.
	if _, _, err := o.desk.Rule(context.Background(), order.Ruling{Kind: order.RuleRollback, Game: id, To: len(o.record(id, 0).Log) - 3, Reason: "a mistake"}, true); err != nil {
		t.Fatal(err)
	}
	o.deliver()
	if got := planned(o.last("ada")); got != notice.PlanVoid || o.ahead(id, "ada") != "" {
		t.Errorf("%s\n%s", got, summary(o.last("ada")))
	}
	// Another plays the seat.
	o.plays("ada")
	o.write("ada", "plan\nB")
	o.resigns("ada")
	if n := o.plans(id); n != 0 {
		t.Errorf("%d plans are left", n)
	}
	// Taken back by herself.
	id = o.started(1, "ada", "bo")
	o.write("ada", "card 087 at row 3")
	o.write("ada", "plan\nB")
	o.write("ada", "undo")
	if got := planned(o.last("ada")); got != notice.PlanVoid || o.ahead(id, "ada") != "" {
		t.Errorf("%s\n%s", got, summary(o.last("ada")))
	}
	// The game is over.
	o.write("bo", "plan\nB")
	if n := o.plans(id); n != 1 {
		t.Errorf("%d plans", n)
	}
	o.write("ada", "abandon")
	o.write("bo", "yes")
	if n := o.plans(id); n != 0 {
		t.Errorf("%d plans are left", n)
	}
}

// plans counts what is stored of plans.
func (o *office) plans(id string) (n int) {
	o.t.Helper()
	err := o.db.View(context.Background(), func(tx store.Tx) error {
		rows, err := tx.Plans(id)
		n = len(rows)
		return err
	})
	if err != nil {
		o.t.Fatal(err)
	}
	return n
}

// Whose plan is played has no deadline, and gains what a turn gains.
func TestPlanNeedsNoClock(t *testing.T) {
	w, id := clocked(t, "3d bank 2d +12h max 5d grace 1d")
	w.plays("ada")
	bank := w.seat(id, 1).Bank
	w.write("ada", "plan\nB\nreserve none")
	w.plays("bo")
	ada, bo := w.seat(id, 1), w.seat(id, 2)
	if !ada.Deadline.IsZero() || ada.Bank != bank+12*time.Hour || bo.Deadline.IsZero() || bo.Deadline.Sub(w.now) < 5*day {
		t.Errorf("%+v\n%+v", ada, bo)
	}
}

// A player who has a plan gets no tip to make one.
func TestPlannersNeedNoTip(t *testing.T) {
	for plan, want := range map[string]bool{"": true, "\nplan\nB": false} {
		o := newOffice(t)
		o.started(1, "ada", "bo")
		o.write("ada", "B"+plan)
		r := o.write("ada", "done")[0]
		tip := slices.ContainsFunc(r.Answer.Remarks, func(m notice.Remark) bool { return m.Code == notice.SayPlanAhead })
		if done := slices.ContainsFunc(r.Answer.Remarks, func(m notice.Remark) bool { return m.Code == notice.SayDone }); !done || tip != want {
			t.Errorf("with %q: turn over %v, told of plans %v\n%s", plan, done, tip, summary(r))
		}
	}
}
