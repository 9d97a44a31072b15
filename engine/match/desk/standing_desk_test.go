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
	"angelpost/engine/store"
)

// TestStandingOrdersAnswer plays advanced games in which ada has standing orders: no one asks
// her again as long as they hold, she learns each step they made, which is hers in the log, and
// no one else learns more than the step.
func TestStandingOrdersAnswer(t *testing.T) {
	t.Parallel()
	did := map[string]int{}
	for gameID := range 3 {
		o := newOffice(t, manyAnswers)
		o.rules = "advanced"
		id := o.started(byte(40+gameID), "ada", "bo", "cy")
		people := map[string]*correspondent{
			"ada": newCorrespondent(manner{standing: []string{"always reserve 3, 2, 1, 0", "always keep activation, neutralization", "always discard neutralization, activation, ravager", "always forced"}}, 1),
			"bo":  newCorrespondent(manner{}, 2), "cy": newCorrespondent(manner{}, 3),
		}
		last := false
		told := map[string]int{}
		o.correspond(id, people, func(r notice.Message) {
			s := o.sheet(r)
			for _, l := range r.Answer.Lines {
				if l.Status == notice.LineAlways {
					did[strings.Fields(l.Text)[1]]++
					told[l.As[0]]++
				}
			}
			for _, m := range r.Answer.Remarks {
				if strings.HasPrefix(m.Code, "standing") && r.To != at("ada") && !strings.HasPrefix(m.Code, "standing-tip") {
					t.Errorf("%s is told of a standing order: %s", r.To, summary(r))
				}
				switch m.Code {
				case notice.TellStanding:
					did[strings.Fields(m.Args["order"])[1]]++
					told[m.Args["did"]]++
				case notice.TellOffLast:
					last = true
				}
			}
			if r.To != at("ada") || s.View == nil {
				return
			}
			switch d := s.View.Decision; d {
			case engine.AskReserve:
				if !last && s.View.Players[s.View.Viewer-1].Resources > 0 && !slices.ContainsFunc(s.Legal, func(l string) bool { return strings.Contains(l, "boost") }) {
					t.Errorf("game %d: ada is asked what to reserve: %s", gameID, summary(r))
				}
			case engine.AskKeep, engine.AskDiscard, engine.AskRavagerDiscard:
				t.Errorf("game %d: ada is asked for %s: %s", gameID, d, summary(r))
			case engine.AskTurn:
				if len(s.Legal) == 1 {
					t.Errorf("game %d: ada is asked for the only thing she can do: %s", gameID, summary(r))
				}
			}
		})
		seat := 0
		rec := o.record(id, 0)
		for i, name := range rec.Names {
			if name == "Ada" {
				seat = i + 1
			}
		}
		for _, l := range rec.Log {
			if l.Seat == seat && l.By != game.ByPlayer {
				t.Errorf("game %d: ada's line %d is by %s", gameID, l.N, l.By)
			}
			if l.Seat == seat {
				told[l.Order]--
			}
		}
		for line, n := range told {
			if n > 0 {
				t.Errorf("game %d: ada is told of %q, %d times more than it was played", gameID, line, n)
			}
		}
	}
	for _, what := range []string{"reserve", "keep", "forced"} {
		if did[what] < 4 {
			t.Errorf("%v: the test shows little", did)
		}
	}
}

// TestStandingOrdersAreSecret plays a game twice, in one of them with a standing
// order that is never asked: the letters of the others are the same to the last
// byte.
func TestStandingOrdersAreSecret(t *testing.T) {
	var letters [2][]string
	for run, line := range []string{"standing", "never keep 031"} {
		o := newOffice(t, manyAnswers)
		id := o.started(9, "ada", "bo", "cy")
		people := map[string]*correspondent{
			"ada": newCorrespondent(manner{standing: []string{line}}, 1), "bo": newCorrespondent(manner{}, 2), "cy": newCorrespondent(manner{}, 3),
		}
		o.correspond(id, people, func(r notice.Message) {
			if r.To != at("ada") {
				letters[run] = append(letters[run], r.To+" "+picture(o.sheet(r)))
			}
		})
	}
	for i := range letters[0] {
		if i < len(letters[1]) && letters[0][i] != letters[1][i] {
			t.Errorf("letter %d is:\n%s", i, difference(letters[0][i], letters[1][i]))
			break
		}
	}
	if len(letters[0]) < 40 || !slices.Equal(letters[0], letters[1]) {
		t.Errorf("%d and %d letters, and they are not the same", len(letters[0]), len(letters[1]))
	}
}

// TestAnyStandingOrders plays games in which all players give standing orders at
// random all the time: whatever they are, games end as their logs say.
func TestAnyStandingOrders(t *testing.T) {
	t.Parallel()
	off := map[string]int{}
	for game := range 4 {
		o := newOffice(t, manyAnswers)
		o.rules = []string{"base", "advanced"}[game%2]
		names := []string{"ada", "bo", "cy", "di"}[:1+game%4]
		id := o.started(byte(60+game), names...)
		rnd := rand.New(rand.NewPCG(uint64(game), 3))
		some := func() string {
			n := func(k int) int { return 1 + rnd.IntN(k) }
			color := []string{"orange", "gray", "green"}[rnd.IntN(3)]
			return []string{
				fmt.Sprintf("always reserve %s, %d leaving %d", color, rnd.IntN(4), n(2)), fmt.Sprintf("always reserve %s %d, 3, 2", color, n(3)),
				fmt.Sprintf("always reserve 3, 2, 1 boost %d.%d", n(3), n(3)), "never reserve", "always activate", "never activate",
				fmt.Sprintf("always activate %03d", n(60)), fmt.Sprintf("always activate %03d with t%d", n(60), n(48)), fmt.Sprintf("never activate %03d", n(60)),
				fmt.Sprintf("always keep %s, activation", color), fmt.Sprintf("never keep %03d, %03d", n(60), n(60)),
				fmt.Sprintf("always discard %03d, %03d, %03d", n(60), n(60), n(60)), fmt.Sprintf("always discard %s neutralization", color),
				fmt.Sprintf("never discard %s", color), "always discard ravager", "always forced", "never forced", fmt.Sprintf("forget %d", n(20)), "standing none",
			}[rnd.IntN(19)]
		}
		people := map[string]*correspondent{}
		for i, name := range names {
			people[name] = newCorrespondent(manner{standing: []string{some(), some(), some()}}, uint64(i))
		}
		o.correspond(id, people, func(r notice.Message) {
			for _, name := range names { // in a fixed order, so that the run does not vary
				c := people[name]
				c.said, c.standing = rnd.IntN(2) == 0, []string{some(), some()}
			}
			for _, m := range r.Answer.Remarks {
				off[m.Code]++
			}
			for _, s := range r.Answer.Sections {
				if len(s.Standing) > 20 {
					t.Errorf("%d standing orders", len(s.Standing))
				}
			}
		})
	}
	for _, code := range []string{notice.TellStanding, notice.SayStandingGone, notice.SayStandingNone, notice.TellOffHand, notice.TellOffLast} {
		if off[code] == 0 {
			t.Errorf("nobody was told %s; %v", code, off)
		}
	}
}

// rows are the standing orders stored for a game.
func (o *office) rows(id string) (out []store.Standing) {
	o.t.Helper()
	err := o.db.View(context.Background(), func(tx store.Tx) (err error) {
		out, err = tx.Standing(id)
		return err
	})
	if err != nil {
		o.t.Fatal(err)
	}
	return out
}

// Standing orders end with the player who gave them, and with the game.
func TestStandingOrdersEnd(t *testing.T) {
	for how, lines := range map[string]string{"resign": "resign", "replace": "replace Bo by bot", "abandon": "abandon"} {
		o := newOffice(t)
		id := o.started(1, "ada", "bo")
		o.write("ada", "always forced")
		o.write("bo", "never reserve\nalways keep activation")
		if rows := o.rows(id); len(rows) != 2 {
			t.Fatalf("%s: stored %+v", how, rows)
		}
		switch how {
		case "resign":
			o.resigns("bo")
		case "replace":
			o.write("ada", lines)
		case "abandon":
			o.write("ada", lines)
			o.write("bo", "yes")
		}
		want := 1
		if how == "abandon" {
			want = 0
		}
		if rows := o.rows(id); len(rows) != want || want == 1 && rows[0].Place != 1 {
			t.Errorf("%s: stored %+v", how, rows)
		}
	}
	// A game played to its end leaves none.
	o := newOffice(t, manyAnswers)
	id := o.started(2, "ada", "bo")
	o.correspond(id, map[string]*correspondent{"ada": newCorrespondent(manner{standing: []string{"never reserve"}}, 1), "bo": newCorrespondent(manner{}, 2)}, func(notice.Message) {})
	if rows := o.rows(id); len(rows) != 0 {
		t.Errorf("a game that is over: stored %+v", rows)
	}
}

// A bot that keeps the seat of a player out of time disarms their orders, and they
// hear so when they are back.
func TestStandingOrdersOfTheAbsent(t *testing.T) {
	o := newOffice(t)
	o.clock = "1 day"
	o.started(1, "ada", "bo", "cy")
	o.write("ada", "always forced\nalways keep activation")
	for range 200 {
		if o.due(12 * time.Hour); o.last("ada").Kind == notice.KindEnd {
			t.Fatal("the game is over")
		}
		if slices.ContainsFunc(o.last("ada").Answer.Remarks, func(r notice.Remark) bool { return r.Code == notice.TellAbsent }) {
			break
		}
	}
	o.write("ada", "back")
	o.write("ada", "standing")
	r := o.last("ada")
	if len(r.Answer.Sections) != 1 || len(r.Answer.Sections[0].Standing) != 2 {
		t.Fatalf("%s", summary(r))
	}
	for _, s := range r.Answer.Sections[0].Standing {
		if s.Off != notice.TellOffBot {
			t.Errorf("%q is off: %q", s.Line, s.Off)
		}
	}
	o.write("ada", "always forced\nstanding")
	if r := o.last("ada"); r.Answer.Sections[0].Standing[0].Off != "" || r.Answer.Sections[0].Standing[1].Off == "" {
		t.Errorf("written anew: %s", summary(r))
	}
}

// What a player takes back is not done again by the order that did it.
func TestStandingOrderTakenBack(t *testing.T) {
	taken := 0
	for game := range 12 {
		o := newOffice(t, manyAnswers)
		o.rules = "advanced"
		id := o.started(byte(game), "ada", "bo")
		people := map[string]*correspondent{"ada": newCorrespondent(manner{standing: []string{"always keep activation, neutralization"}}, 1), "bo": newCorrespondent(manner{}, 2)}
		for range 12 {
			name := "ada"
			if !wanted(o.sheet(o.last("ada")).View) {
				name = "bo"
			}
			s := o.sheet(o.last(name))
			o.write(name, strings.Join(people[name].turn(s.View, s.Message.Step), "\n"))
			r := o.last("ada")
			if name != "ada" || !slices.ContainsFunc(r.Answer.Lines, func(l notice.LineResult) bool { return l.Status == notice.LineAlways }) {
				continue
			}
			before := len(o.record(id, 0).Log)
			o.write("ada", "undo")
			r = o.last("ada")
			if r.Result == notice.Refused { // another had moved
				continue
			}
			taken++
			if log := o.record(id, 0).Log; len(log) != before+1 || !strings.HasPrefix(log[before].Order, "undo") {
				t.Errorf("game %d: after the undo there are %d lines, before it %d", game, len(log), before)
			}
			if !slices.ContainsFunc(r.Answer.Remarks, func(m notice.Remark) bool { return m.Code == notice.TellOffUndone }) || o.sheet(r).View.Decision != engine.AskKeep {
				t.Errorf("game %d: %s", game, summary(r))
			}
			break
		}
	}
	if taken < 3 {
		t.Errorf("%d orders were taken back: the test shows little", taken)
	}
}
