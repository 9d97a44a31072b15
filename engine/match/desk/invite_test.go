package desk_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"angelpost/engine/match/seating"
	"angelpost/engine/match/unit"
	"angelpost/engine/notice"
)

func TestInvitationsAreBounded(t *testing.T) {
	o := newOffice(t)
	o.started(1, "ada", "bo")
	codes := map[string]int{}
	for i := range 25 {
		out := o.write("ada", fmt.Sprintf("new game\nplayers: guest%d@home.test", i))
		for _, r := range out {
			if r.To == at("ada") && r.Result == notice.Refused {
				codes[r.Answer.Lines[0].Problem.Code]++
			}
		}
	}
	if codes[notice.ProblemMany] != 5 {
		t.Errorf("refused: %v", codes)
	}
	for i := range 4 {
		out := o.write("bo", "new game\nplayers: victim@home.test")
		if refused := out[0].Result == notice.Refused; refused != (i == 3) {
			t.Errorf("invitation %d of one address: %s", i+1, summary(out[0]))
		}
	}
}

// An address that never answers is left alone after six letters in thirty days, no
// matter who causes them; one that has answered is not.
func TestWhoNeverAnswersIsLeftAlone(t *testing.T) {
	o := newOffice(t)
	o.started(1, "ada", "bo")
	letters := map[int]int{} // to the victim, by day
	for day := range 75 {
		for i, name := range []string{"ada", "bo", "ada"} {
			to := []string{"victim@home.test", "victim+x@home.test", "Victim@home.test"}[i]
			_, out := o.send(o.letter(at(name), o.box[at(name)][0].Token, "new game\nplayers: "+to))
			for _, r := range out {
				if strings.HasPrefix(r.To, "victim") {
					letters[day]++
				}
				if r.To == at(name) && day < 20 && (r.Result == notice.Refused) != (day >= 2) {
					t.Errorf("day %d: %s", day, summary(r))
				}
			}
		}
		o.due(24 * time.Hour)
	}
	sum := func(from, to int) (n int) {
		for d := from; d < to; d++ {
			if letters[d] > 3 {
				t.Errorf("%d letters on day %d", letters[d], d)
			}
			n += letters[d]
		}
		return n
	}
	for d := range 75 - 30 {
		if n := sum(d, d+30); n > 6 {
			t.Errorf("%d letters in the 30 days from day %d", n, d)
		}
	}
	if n := sum(0, 75); n < 12 {
		t.Errorf("%d letters in 75 days: hardly anybody could be invited", n)
	}
	o.write("victim", "decline") // the victim is there: they may be invited like others
	_, out := o.send(o.letter(at("bo"), o.box[at("bo")][0].Token, "new game\nplayers: victim@home.test"))
	if len(out) != 2 {
		t.Errorf("somebody who has answered cannot be invited: %s", summary(out[0]))
	}
}

func TestWhoMayStartGames(t *testing.T) {
	for start, want := range map[string][2]bool{"anyone": {true, true}, "known": {false, true}, "list": {false, false}} {
		o := newOffice(t, func(c *unit.Config) { c.Start, c.List = start, []string{"lea@home.test"} })
		o.started(1, "ada", "bo")
		_, out := o.send(o.letter("new@home.test", "", "new game\nplayers: bo@home.test"))
		if asked := slices.Contains(remarks(out[0]), notice.AskNew); asked != want[0] {
			t.Errorf("start %s: a stranger gets %s", start, summary(out[0]))
		}
		out = o.write("ada", "new game\nplayers: bo@home.test")
		if created := out[0].Result == notice.Applied; created != want[1] {
			t.Errorf("start %s: a player gets %s", start, summary(out[0]))
		}
		_, out = o.send(o.letter("lea@home.test", "", "new game\nplayers: bo@home.test"))
		if asked := slices.Contains(remarks(out[0]), notice.AskNew); asked != (start != "known") {
			t.Errorf("start %s: one of the list gets %s", start, summary(out[0]))
		}
	}
}

// A player who made a game hears once that no one came, whether they have a seat
// in it or not, and whatever became of that.
func TestWhoInvitedIsToldThatNobodyCame(t *testing.T) {
	for name, c := range map[string]struct {
		players []string
		answer  string // of ada
		told    []string
	}{
		"he has no seat":            {[]string{"bo", "cy"}, "", []string{"ada"}},
		"he never answered himself": {[]string{"ada", "bo"}, "", []string{"ada"}},
		"he joined":                 {[]string{"ada", "bo"}, "join Ada", []string{"ada"}},
		"he declined":               {[]string{"ada", "bo", "cy"}, "decline", []string{"ada"}},
		"nobody made it":            {[]string{"bo", "cy"}, "nobody", nil},
	} {
		t.Run(name, func(t *testing.T) {
			o := newOffice(t)
			n := seating.NewGameOrder{Organiser: at("ada")}
			if c.answer == "nobody" {
				n.Organiser = ""
			}
			for _, p := range c.players {
				n.Players = append(n.Players, seating.NewPlayer{Address: at(p)})
			}
			id, err := o.desk.NewGame(context.Background(), n)
			if err != nil {
				t.Fatal(err)
			}
			o.deliver()
			if n.Organiser != "" && c.answer != "" {
				o.write("ada", c.answer)
			}
			var told []string
			for range 3 {
				for _, r := range o.due(7 * 24 * time.Hour) {
					for _, m := range r.Answer.Remarks {
						if m.Code == notice.TellExpired {
							told = append(told, strings.TrimSuffix(r.To, "@home.test"))
						}
					}
				}
			}
			if !slices.Equal(told, c.told) {
				t.Errorf("%q are told, want %q", told, c.told)
			}
			if _, err := o.desk.Host().Open(context.Background(), id, "", -1); err != nil {
				t.Error(err)
			}
		})
	}
}
