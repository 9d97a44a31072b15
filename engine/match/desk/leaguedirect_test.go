package desk_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"angelpost/engine/league"
	"angelpost/engine/notice"
	"angelpost/engine/order"
	"angelpost/engine/store"
)

// directs does what a line says about a league, as the host at the command line.
func (o *office) directs(line string) error {
	o.t.Helper()
	w, p, ok := order.ReadDirection(line)
	if !ok {
		o.t.Fatalf("%q is no direction", line)
	}
	if p != nil {
		return fmt.Errorf("%s: %s", line, p.Code)
	}
	_, err := o.desk.DirectLeague(context.Background(), w, true)
	return err
}

// holds fails if a league's log does not give the league, or a game's the game.
func (o *office) holds(id string) {
	o.t.Helper()
	o.verified()
	if _, others, differs, err := o.desk.Host().VerifyLeague(context.Background(), id); err != nil || len(others)+len(differs) > 0 {
		o.t.Errorf("verify: %v %v %v", others, differs, err)
	}
}

// clocked are all seats of a league's running games, by game and player.
func (o *office) clocked(id string) map[string]store.Seat {
	o.t.Helper()
	out := map[string]store.Seat{}
	view(o.t.(*testing.T), o, func(tx store.Tx) error {
		for _, f := range o.running(id) {
			seats, err := tx.Seats(f.Game)
			if err != nil {
				return err
			}
			for _, x := range seats {
				out[f.Game+" "+x.Name] = x
			}
		}
		return nil
	})
	return out
}

// lastLine is the last line of a league's log of a kind.
func (o *office) lastLine(id, kind string) (last league.Line) {
	o.t.Helper()
	lines, err := o.desk.Host().LeagueLines(context.Background(), id)
	if err != nil {
		o.t.Fatal(err)
	}
	for _, l := range lines {
		if l.Kind == kind {
			last = l
		}
	}
	return last
}

// six is a league of two divisions of three, with a director who does not play and an
// assistant.
func six(o *office) string {
	id := o.made(strings.Replace(tin, "director: dora@home.test\n", "director: dora@home.test\nassistant: ann@home.test\n", 1))
	o.deliver()
	o.joins("tin", "ada", "bo", "cy", "di", "eve", "fay")
	o.until("2026-12-02")
	o.write("dora", "settings") // she has not been silent
	if n := len(o.league(id).State.Season().Divisions); n != 2 {
		o.t.Fatalf("%d divisions", n)
	}
	return id
}

// TestExtendLeague: a director gives more time to a league, a division, a round or a
// player, for one reason, and each player who has to move gets one letter.
func TestExtendLeague(t *testing.T) {
	o := newOffice(t)
	id := six(o)
	first := o.league(id).State.Season().Divisions[0].Players
	mover := ""
	for _, x := range o.clocked(id) {
		if !x.Deadline.IsZero() {
			mover = x.Name
		}
	}
	for _, c := range []struct{ part, time string }{{"", "2 days"}, {" division 1", "1 day"}, {" round 1", "12h"}, {" player " + strings.ToUpper(mover), "3 days"}} {
		before := o.clocked(id)
		out := o.write("dora", "extend league Tin League"+c.part+" by "+c.time+": the server\nwas down")
		told := mail(out, notice.TellLeagueExtended)
		moved := map[string]bool{}
		for key, x := range o.clocked(id) {
			was := before[key]
			in := !was.Deadline.IsZero()
			switch {
			case c.part == " division 1":
				in = in && slices.Contains(first, x.Player)
			case strings.HasPrefix(c.part, " player"):
				in = in && x.Name == mover
			}
			if later := x.Deadline.After(was.Deadline); later != in {
				t.Errorf("%q: %s has until %v, before %v", c.part, key, x.Deadline, was.Deadline)
			}
			if in {
				moved[strings.ToLower(x.Name)] = true
			}
		}
		if len(moved) == 0 || len(told) != len(moved) || len(out) != len(moved)+1 {
			t.Errorf("%q: %d are told, %d letters, %d have more time", c.part, len(told), len(out), len(moved))
		}
		for name, m := range told {
			if !moved[name] {
				t.Errorf("%q: %s gets a letter", c.part, name)
			}
			if r := m.Answer.Remarks; r[0].Args["reason"] != "the server was down" || r[0].Args["time"] != c.time || len(r) < 2 || r[1].Code != notice.TellLeagueUntil {
				t.Errorf("%q: %+v", c.part, r)
			}
		}
		if l := o.lastLine(id, league.Extend); l.Text != "the server was down" || !slices.Equal(l.Args, []string{"by", c.time}) || l.By == 0 {
			t.Errorf("%q: %+v", c.part, l)
		}
	}
	for line, want := range map[string]string{
		"extend league Tin League by 2 days":                       order.NoReason,
		"extend league Tin League by nothing: why":                 notice.ProblemExtend,
		"extend league Tin League division 7 by 2 days: why":       notice.ProblemNoGames,
		"extend league Tin League player Nobody by 2 days: why":    order.NoName,
		"extend league Tin by 2 days: " + strings.Repeat("x", 500): order.LongText,
	} {
		lines := o.league(id).State.Lines
		if got := problemOf(o.write("dora", line)[0]); got != want || o.league(id).State.Lines != lines {
			t.Errorf("%.60s: %q, not %q", line, got, want)
		}
	}
	if got := problemOf(o.write("ada", "extend league Tin League by 2 days: me")[0]); got != notice.ProblemDirector {
		t.Errorf("a player: %q", got)
	}
	o.holds(id)
}

// TestPauseLeague: while a league is paused no time runs and nothing begins; afterwards
// everything is later by as long.
func TestPauseLeague(t *testing.T) {
	o := newOffice(t)
	id := six(o)
	ends := o.league(id).State.Season().Ends
	if got := problemOf(o.write("ann", "pause league tin: hm")[0]); got != notice.ProblemHead {
		t.Errorf("an assistant: %q", got)
	}
	// The server asks about a fresh letter.
	o.send(o.letter(at("dora"), "", "pause league tin: a storm"))
	if !slices.Contains(remarks(o.last("dora")), notice.AskLeague) {
		t.Fatalf("%s", summary(o.last("dora")))
	}
	out := o.write("dora", "yes")
	if told := mail(out, notice.TellLeaguePaused); len(told) != 6 || len(out) != 7 || told["ada"].Answer.Remarks[0].Args["then"] != "all" {
		t.Errorf("%d are told, %d letters", len(told), len(out))
	}
	o.write("ada", "league tin")
	if stops := o.last("ada").Answer.Sections[0].League.Stops; len(stops) != 1 || stops[0].Kind != league.Pause || stops[0].Reason != "a storm" || stops[0].Since == "" {
		t.Errorf("%+v", stops)
	}
	for _, again := range []string{"pause league tin: again", "pause league tin: a storm", "pause league tin: again\n\npause league tin: again", "pause league tin round 1: again"} {
		out := o.write("dora", again)
		if got := problemOf(out[0]); got != notice.ProblemNoGames || len(mail(out, notice.TellLeaguePaused)) > 0 || len(out) != 1 {
			t.Errorf("%q: %q, %d letters", again, got, len(out))
		}
	}
	running := len(o.running(id))
	o.playOut(o.running(id)[0].Game)
	at := o.lastLine(id, league.Pause).At
	o.until("2026-12-22")
	if n := len(o.running(id)); n != running-1 {
		t.Errorf("%d games of %d, and others begin", n, running)
	}
	for key, x := range o.clocked(id) {
		if !x.Deadline.IsZero() || x.Bot != "" && x.Stage == store.SeatAbsent {
			t.Errorf("the time of %s runs", key)
		}
	}
	out = o.write("dora", "resume league tin: it is over!")
	told := mail(out, notice.TellLeagueResumed)
	if len(told) != 6 || told["ada"].Answer.Remarks[0].Args["reason"] != "it is over!" {
		t.Errorf("%d are told: %+v", len(told), told["ada"].Answer.Remarks)
	}
	if got, want := o.league(id).State.Season().Ends, ends.Add(o.lastLine(id, league.Resume).At.Sub(at)); !got.Equal(want) {
		t.Errorf("the season ends on %v, not %v", got, want)
	}
	o.due(0)
	if n := len(o.running(id)); n != running && n != running+1 {
		t.Errorf("%d games run after the pause, %d before it", n, running)
	}
	if !slices.ContainsFunc(slices.Collect(maps.Values(o.clocked(id))), func(x store.Seat) bool { return x.Deadline.After(o.now) }) {
		t.Error("no clock runs again")
	}
	o.holds(id)

	// A division's pause stops nothing else, and what players paused themselves stays.
	l := o.league(id)
	low := map[int64]bool{}
	for _, x := range o.clocked(id) {
		if slices.Contains(l.State.Season().Divisions[1].Players, x.Player) {
			low[x.Player] = true
		}
	}
	if out = o.write("dora", "pause league tin division 2: a party"); len(low) == 0 || len(mail(out, notice.TellLeaguePaused)) != 3 {
		t.Errorf("%s", summary(out[0]))
	}
	for key, x := range o.clocked(id) {
		if low[x.Player] && !x.Deadline.IsZero() {
			t.Errorf("the time of %s runs", key)
		}
	}
	if err := o.directs("resume league tin-league player " + l.State.Rules.Name + ": why"); err == nil {
		t.Error("resumed for no one")
	}
	if err := o.directs("resume league tin-league: why"); err != nil {
		t.Error(err)
	}
	o.holds(id)
}

// TestPauseBetweenSeasons: the next season opens as much later as the pause has lasted.
func TestPauseBetweenSeasons(t *testing.T) {
	o := newOffice(t)
	id := o.made(tin)
	o.joins("tin", "ada", "bo", "cy")
	if err := o.directs("pause league tin-league: not yet"); err != nil {
		t.Fatal(err)
	}
	o.until("2026-12-05")
	if n := len(o.league(id).State.Seasons); n != 0 {
		t.Fatal("a season begins during a pause")
	}
	paused := o.lastLine(id, league.Pause).At
	if err := o.directs("resume league tin-league: now"); err != nil {
		t.Fatal(err)
	}
	l := o.league(id)
	if opens, _ := l.State.Opens(); !opens.Equal(l.State.Rules.Start.Add(o.now.Sub(paused).Truncate(time.Millisecond))) {
		t.Errorf("it opens on %v", opens)
	}
	o.until("2027-01-10")
	if n := len(o.league(id).State.Seasons); n != 1 {
		t.Errorf("%d seasons", n)
	}
	o.holds(id)
}

// TestDirectOwnGames: directors do not rule over games in which they play: these are skipped,
// and the answer says so. An assistant can do it for the director's games.
func TestDirectOwnGames(t *testing.T) {
	o := newOffice(t)
	id := o.made(strings.Replace(tin, "director: dora@home.test\n", "director: dora@home.test\nassistant: ann@home.test\n", 1))
	o.deliver()
	o.joins("tin", "ada", "bo", "dora")
	o.until("2026-12-02")
	o.write("dora", "settings")
	own := 0
	var mine *league.Fixture
	for _, f := range o.running(id) {
		if x := f; slices.Contains(f.Players, playerOf(t, o, "dora")) {
			own, mine = own+1, x
		}
	}
	if own == 0 {
		t.Fatal("the director plays nowhere")
	}
	o.write("dora", "pause league tin: a storm")
	skipped := slices.ContainsFunc(o.last("dora").Answer.Remarks, func(r notice.Remark) bool {
		return r.Code == notice.SaySkipped && len(r.List) == own && strings.HasPrefix(r.List[0], "Tin League 1.1.")
	})
	if !skipped {
		t.Errorf("%s", summary(o.last("dora")))
	}
	paused := func() (yes bool) {
		view(t, o, func(tx store.Tx) error {
			g, err := tx.Game(mine.Game)
			yes = !g.Paused.IsZero()
			return err
		})
		return yes
	}
	if paused() {
		t.Error("the director pauses a game of their own")
	}
	if out := o.write("ann", "pause league tin player Dora: a storm"); !paused() {
		t.Errorf("the assistant cannot: %s", summary(out[0]))
	}
	o.holds(id)
}

// TestResumeOfAPart: what was paused for a division or a player goes on for it alone, and
// each player concerned gets one letter.
func TestResumeOfAPart(t *testing.T) {
	for _, part := range []string{"division 2", "player "} {
		o := newOffice(t)
		id := six(o)
		if part == "player " {
			for _, x := range o.clocked(id) {
				if !x.Deadline.IsZero() {
					part = "player " + x.Name
				}
			}
		}
		stopped := func() (n int) {
			for _, x := range o.clocked(id) {
				if x.Deadline.IsZero() {
					n++
				}
			}
			return n
		}
		before := stopped()
		paused := mail(o.write("dora", "pause league tin "+part+": a party"), notice.TellLeaguePaused)
		if stopped() == before || len(paused) == 0 {
			t.Fatalf("%s: %d clocks stand, %d did; %d are told", part, stopped(), before, len(paused))
		}
		resumed := mail(o.write("dora", "resume league tin "+part+": it is over"), notice.TellLeagueResumed)
		if stopped() != before || len(resumed) != len(paused) {
			t.Errorf("%s: %d clocks stand, %d did before; %d are told, %d were", part, stopped(), before, len(resumed), len(paused))
		}
		o.holds(id)
	}
}
