package desk_test

import (
	"context"
	"slices"
	"testing"

	"angelpost/engine/league"
	"angelpost/engine/notice"
)

// TestCloseLeague: a closed league plays its season to the end and begins no other; without a
// season it is over at once. Its players learn why, once.
func TestCloseLeague(t *testing.T) {
	ctx := context.Background()
	for _, runs := range []bool{true, false} {
		o := newOffice(t)
		id := o.made(tin)
		o.joins("tin", "ada", "bo", "cy")
		if runs {
			o.until("2026-12-02")
		}
		if err := o.directs("close league " + id + ": "); err == nil {
			t.Error("closed without a reason")
		}
		if err := o.directs("close league Tin League: Too few of us."); err != nil {
			t.Fatal(err)
		}
		if told := mail(o.deliver(), notice.TellClosing); len(told) != 3 {
			t.Errorf("%d players are told", len(told))
		}
		if err := o.directs("close league " + id + ": Again."); err == nil {
			t.Error("closed twice")
		}
		if o.league(id).Row.Over == runs {
			t.Errorf("a season runs: %v, and the league is over: %v", runs, !runs)
		}
		for range 10 {
			games := o.running(id)
			if len(games) == 0 {
				break
			}
			for _, f := range games {
				o.playOut(f.Game)
			}
		}
		o.until("2027-03-01")
		l := o.league(id)
		want := map[bool]int{true: 1}[runs]
		if x := l.State.Season(); len(l.State.Seasons) != want || !l.Row.Over || x != nil && x.Running() {
			t.Errorf("%d seasons, over %v", len(l.State.Seasons), l.Row.Over)
		}
		lines, err := o.desk.Host().LeagueLines(ctx, id)
		if err != nil || !slices.ContainsFunc(lines, func(x league.Line) bool { return x.Kind == league.Close && x.Text == "Too few of us." }) {
			t.Errorf("the log lacks it: %v", err)
		}
		if _, others, differs, err := o.desk.Host().VerifyLeague(ctx, id); err != nil || len(others)+len(differs) > 0 {
			t.Errorf("verify: %v %v %v", others, differs, err)
		}
		if o.write("di", "join league tin"); len(o.league(id).State.Players) != 3 {
			t.Error("a player joins a league that is over")
		}
	}
}
