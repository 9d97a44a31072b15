package league

import (
	"slices"
	"testing"
	"time"
)

// formats are files of all formats in which players check in.
var formats = map[Kind]string{
	Divisions: "kind: divisions\ntable: 2\ndivision: 4\nup: 1\nleast: 4\nseason: 6 weeks\n",
	Swiss:     "kind: swiss\ntable: 2\nrounds: 3\nleast: 4\nseason: 6 weeks\n",
	Knockout:  "kind: knockout\ntable: 2\nleast: 4\nseasons: 2\nseason: 6 weeks\n",
	Ladder:    "kind: ladder\ntable: 2\nrounds: 3\nround: 10 days\nleast: 4\n",
	Solo:      "kind: solo\nrounds: 3\nround: 10 days\nleast: 4\n",
}

const checkIn = "break: 3 weeks\nearly: yes\ncheck in: 5 days\n"

// say adds what a player answers.
func (g *runner) say(player int64, no bool) {
	g.t.Helper()
	g.must(Line{Kind: Here, By: player, Player: player, No: no})
}

// seated are the players of the last season, sorted.
func (g *runner) seated() (in []int64) {
	for _, d := range g.s.Season().Divisions {
		in = append(in, d.In()...)
	}
	slices.Sort(in)
	return in
}

// verified reports what of a log would be made otherwise.
func (g *runner) verified() {
	g.t.Helper()
	again, _ := Replay(g.rules, [32]byte{7}, nil)
	if other, err := again.Verify(g.log); err != nil || other != nil {
		g.t.Errorf("lines %v would be made otherwise: %v", other, err)
	}
}

// TestCheckIn: before a season of any format the server asks all players, five days ahead;
// those who do not answer, or say no, are not seated, and newcomers are at the bottom.
func TestCheckIn(t *testing.T) {
	for kind, file := range formats {
		t.Run(string(kind), func(t *testing.T) {
			g := league(t, file+checkIn, 8)
			g.season(stronger)
			if got := g.seated(); len(got) != 8 {
				t.Fatalf("%v play the first season", got)
			}
			opens, _ := g.s.Opens()
			ask := opens.Add(-5 * day)
			g.now = ask.Add(-day)
			g.must(Line{Kind: Join, Player: 9})
			if acts, next := g.s.Due(ask.Add(-1)); acts != nil || !next.Equal(ask) {
				t.Fatalf("%+v is due before, then at %v", acts, next)
			}
			g.now = ask
			g.due()
			var asked []int64
			for i := range g.s.Players {
				if p := &g.s.Players[i]; p.Silent() {
					asked = append(asked, p.ID)
				}
			}
			same(t, "asked", asked, 1, 2, 3, 4, 5, 6, 7, 8)
			if n := g.s.Present(); n != 1 || len(g.s.Waiting()) != 1 || len(g.s.Candidates()) != 1 {
				t.Errorf("%d are there, %v wait", n, g.s.Waiting())
			}
			if by := g.s.CheckIn(g.now); !by.Equal(opens) {
				t.Errorf("they have until %v, and it opens %v", by, opens)
			}
			for _, p := range []int64{1, 3, 4, 6} {
				g.say(p, false)
			}
			g.say(7, true)
			if acts, next := g.s.Due(opens.Add(-1)); acts != nil || !next.Equal(opens) {
				t.Fatalf("%+v is due, then at %v", acts, next)
			}
			g.now = opens
			g.due()
			same(t, "seated", g.seated(), 1, 3, 4, 6, 9)
			last := g.log[slices.IndexFunc(g.log, func(l Line) bool { return l.Kind == Begin && l.At.Equal(opens) })].Divisions
			if in := last[len(last)-1].Players; in[len(in)-1] != 9 {
				t.Errorf("the newcomer is in %v", in)
			}
			g.season(stronger)
			g.verified()
		})
	}
}

// A player who did not answer hears nothing more, says yes later and is at the bottom; one
// who said no gets another question.
func TestCheckInLater(t *testing.T) {
	g := league(t, formats[Divisions]+checkIn, 8)
	g.season(stronger)
	checks := func(yes ...int64) {
		opens, _ := g.s.Opens()
		g.now = opens.Add(-5 * day)
		g.due()
		for _, p := range yes {
			g.say(p, false)
		}
	}
	checks(2, 3, 4, 5, 6)
	g.say(7, true) // 1 and 8 say nothing
	g.season(stronger)
	same(t, "the first division", g.placed(2, 1), 2, 3, 4, 5, 6)
	g.say(1, false)
	if g.s.Division(1) != nil {
		t.Error("a division grows")
	}
	checks(2, 3, 4, 5, 6, 1, 7)
	ask := g.log[slices.IndexFunc(g.log, func(l Line) bool {
		return l.Kind == Ask && l.N > 20 && slices.Contains(l.Players, 7) && !slices.Contains(l.Players, 8)
	})]
	if slices.Contains(ask.Players, 8) {
		t.Errorf("asked again: %v", ask.Players)
	}
	g.season(stronger)
	if got := g.seated(); slices.Contains(got, 8) || !slices.Contains(got, 1) || !slices.Contains(got, 7) {
		t.Errorf("%v play", got)
	}
	if got := g.placed(3, 1); slices.Contains(got, 1) {
		t.Errorf("who was away is in the first division: %v", got)
	}
	g.verified()
}

// A season for which players were asked late waits until they have had their time, and not
// once they have answered.
func TestCheckInLate(t *testing.T) {
	g := league(t, formats[Divisions]+checkIn, 8)
	g.season(stronger)
	opens, _ := g.s.Opens()
	g.now = opens.Add(2 * day) // the server was away
	g.due()
	late := g.now.Add(5 * day)
	if acts, next := g.s.Due(late.Add(-1)); acts != nil || !next.Equal(late) {
		t.Fatalf("%+v is due, then at %v", acts, next)
	}
	for p := range int64(8) {
		g.say(p+1, p == 5)
	}
	g.due()
	if got := g.seated(); len(got) != 7 || len(g.s.Seasons) != 2 {
		t.Errorf("%v play", got)
	}
}

// absentIs is a result in which bots took all turns of some players' seats.
func absentIs(absent ...int64) func([]int64) []Seat {
	return func(players []int64) []Seat {
		seats := stronger(players)
		for i := range seats {
			if seats[i].Parts = []Part{{Player: seats[i].Player, Turns: 20}}; slices.Contains(absent, seats[i].Player) {
				seats[i].Parts[0] = Part{Turns: 20}
			}
		}
		return seats
	}
}

// round plays the games that are open.
func (g *runner) round(result func([]int64) []Seat) {
	g.t.Helper()
	for _, id := range g.open {
		g.must(Line{Kind: Played, Game: id, Seats: result(g.s.Of(id).Players)})
	}
	g.open = nil
	g.due()
}

// TestSwissCheckIn: players whose game of the round ended without a turn of theirs are asked
// once; the round waits for them for the time of the check-in, and no longer than it must.
func TestSwissCheckIn(t *testing.T) {
	g := league(t, formats[Swiss]+checkIn, 6)
	g.due()
	at := g.now
	g.round(absentIs(5, 6))
	if x := g.s.Season(); x.Round != 1 || !g.s.Player(5).Silent() || !g.s.Player(6).Silent() || g.s.Present() != 4 {
		t.Fatalf("round %d, %+v", x.Round, g.s.Players)
	}
	g.say(5, false)
	if acts, next := g.s.Due(at.Add(5*day - 1)); acts != nil || !next.Equal(at.Add(5*day)) {
		t.Fatalf("%+v is due, then at %v", acts, next)
	}
	g.now = at.Add(5 * day)
	g.due()
	playing := func() (in []int64) {
		for _, f := range g.s.Season().Divisions[0].Fixtures {
			if f.Round == g.s.Season().Round {
				in = append(in, f.Players...)
			}
		}
		slices.Sort(in)
		return in
	}
	same(t, "the second round", playing(), 1, 2, 3, 4, 5)
	g.round(absentIs(1, 2, 3, 4, 5))
	if g.s.Present() > 1 {
		t.Fatalf("%d are there", g.s.Present()) // one had a bye
	}
	g.say(6, false)
	g.say(1, false)
	for p := range int64(4) {
		g.say(p+2, true) // so no one need wait
	}
	g.due()
	if x := g.s.Season(); x.Round != 3 {
		t.Fatalf("round %d", x.Round)
	}
	if got := playing(); !slices.Contains(got, 6) || !slices.Contains(got, 1) {
		t.Errorf("%v play the third", got)
	}
	g.season(stronger)
	g.verified()
}

// TestSilentSeasonEnds: a season in which no one is there any more ends, in all formats
// with rounds.
func TestSilentSeasonEnds(t *testing.T) {
	for _, kind := range []Kind{Swiss, Ladder, Solo} {
		t.Run(string(kind), func(t *testing.T) {
			g := league(t, formats[kind]+checkIn, 4)
			g.season(absentIs(1, 2, 3, 4))
			if x := g.s.Season(); x.Running() || x.Round != 1 || len(g.s.Winners(1)) > 0 {
				t.Errorf("it had %d rounds, and %v have won", x.Round, g.s.Winners(1))
			}
			g.verified()
		})
	}
}

// TestRoundCheckIn: ladders and solo leagues ask five days before the round's day, and wait
// for no one.
func TestRoundCheckIn(t *testing.T) {
	for _, kind := range []Kind{Ladder, Solo} {
		t.Run(string(kind), func(t *testing.T) {
			g := league(t, formats[kind]+checkIn, 5)
			g.due()
			begins := g.s.Season().RoundBegan.Add(10 * day)
			g.round(stronger)
			if _, next := g.s.Due(g.now); !next.Equal(begins.Add(-5 * day)) {
				t.Fatalf("next at %v", next)
			}
			g.now = begins.Add(-5 * day)
			g.due()
			if by := g.s.CheckIn(g.now); !by.Equal(begins) {
				t.Errorf("they have until %v", by)
			}
			g.say(2, false)
			g.say(4, false)
			g.now = begins
			g.due()
			var in []int64
			for _, f := range g.s.Season().Divisions[0].Fixtures {
				if f.Round == 2 {
					in = append(in, f.Players...)
				}
			}
			slices.Sort(in)
			if kind == Ladder { // 5 had no game, and the highest sits out
				same(t, "the second round", in, 4, 5)
			} else {
				same(t, "the second round", in, 2, 4)
			}
			g.say(1, false)
			g.season(stronger)
			g.verified()
		})
	}
}

// TestPlayedRoundIsNotAsked: ladders and solo leagues do not ask players whose turns the results of
// the round tell of, though the caller may have forgotten them.
func TestPlayedRoundIsNotAsked(t *testing.T) {
	for _, kind := range []Kind{Ladder, Solo} {
		g := league(t, formats[kind]+checkIn, 4)
		g.due()
		g.round(absentIs(2, 3))
		g.now = g.s.Season().RoundBegan.Add(5 * day)
		acts, _ := g.s.Due(g.now)
		if len(acts) != 1 || acts[0].Line.Kind != Ask {
			t.Fatalf("%s: %+v", kind, acts)
		}
		slices.Sort(acts[0].Line.Players)
		same(t, string(kind), acts[0].Line.Players, 2, 3)
	}
}

// A check-in is no longer than the break, files without the key have none, and a season
// opens no sooner after the last than players have to answer.
func TestCheckInFile(t *testing.T) {
	for file, want := range map[string]time.Duration{"": 0, "check in: 5 days": 5 * day, "check in: 0 days": 0, "break: 1 week\ncheck in: 1 week": 7 * day} {
		if r, err := ParseRules("name: x\n" + file); err != nil || r.CheckIn != want {
			t.Errorf("%q: %v, %v", file, r, err)
		}
	}
	for _, file := range []string{"break: 4 days\ncheck in: 5 days", "check in: 15 days", "check in: yes"} {
		if r, err := ParseRules("name: x\n" + file); err == nil {
			t.Errorf("%q: %v", file, r.CheckIn)
		}
	}
	g := league(t, "table: 2\ndivision: 4\nup: 1\nleast: 4\nseason: 1 week\nbreak: 8 days\ncheck in: 8 days", 4)
	g.due()
	g.now = g.now.Add(50 * day) // the season is long, and its planned break over
	g.season(stronger)
	if at, _ := g.s.Opens(); !at.Equal(g.s.Season().Ended.Add(8 * day)) {
		t.Errorf("the next opens %v after the last", at.Sub(g.s.Season().Ended))
	}
}

// TestCheckInGivenUp: once a file has no check-in, players whom the server has asked are
// seated as before: no one would ask them again. Only who said no to this season sits it out.
func TestCheckInGivenUp(t *testing.T) {
	for kind, file := range formats {
		for _, during := range []bool{false, true} {
			g := league(t, file+checkIn, 8)
			g.season(stronger)
			opens, _ := g.s.Opens()
			g.now = opens.Add(-5 * day)
			g.due()
			without := Line{Kind: Amend, Text: "name: x\ndirector: x@x.test\n" + file + "break: 3 weeks\nearly: yes\ncheck in: 0 days\n"}
			for _, p := range []int64{1, 2, 3, 4} {
				g.say(p, false)
			}
			g.say(7, true)
			if !during {
				g.must(without)
			}
			g.now = opens
			g.due()
			want := []int64{1, 2, 3, 4, 5, 6, 8}
			if during {
				want = []int64{1, 2, 3, 4}
				same(t, string(kind), g.seated(), want...)
				g.must(without)
			} else {
				same(t, string(kind), g.seated(), want...)
			}
			if g.s.Rules.Seasons > 0 { // of a knock-out no third
				continue
			}
			g.season(stronger)
			opens, _ = g.s.Opens()
			g.now = opens
			g.due()
			same(t, string(kind)+", a season later", g.seated(), 1, 2, 3, 4, 5, 6, 7, 8)
			g.verified()
		}
	}
}

// areHere lets all say that they are there who were asked.
func (g *runner) areHere() {
	for _, p := range slices.Clone(g.s.Players) {
		if p.In() && p.Silent() {
			g.say(p.ID, false)
		}
	}
}

// A player who has not answered since before the last season began leaves at the next
// check-in; one who said no, or sat out only a round of it, does not.
func TestSilentTwice(t *testing.T) {
	g := league(t, formats[Ladder]+checkIn, 8)
	checks := func(here ...int64) {
		opens, _ := g.s.Opens()
		g.now = opens.Add(-5 * day)
		g.due()
		for _, p := range here {
			if g.s.Player(p).Silent() {
				g.say(p, false)
			}
		}
	}
	g.season(stronger)
	g.areHere()
	checks(1, 2, 3, 4, 5)
	g.say(6, true) // 7 and 8 say nothing
	g.must(Line{Kind: Join, Player: 9})
	g.season(stronger)
	g.say(8, false)
	checks(1, 2, 3, 4, 5, 9)
	for p, in := range map[int64]bool{6: true, 7: false, 8: true} {
		if g.s.Player(p).In() != in {
			t.Errorf("player %d is in the league: %v", p, !in)
		}
	}
	g.season(stronger)
	checks(1, 2, 3, 4, 5, 9)
	if g.s.Player(6).In() || g.s.Player(8).In() {
		t.Error("6 and 8 have said nothing to the question before the last season")
	}
	g.verified()
}

// A paused league asks no one, and the time to answer stands still; afterwards they
// have as much time as they had.
func TestCheckInPaused(t *testing.T) {
	for kind, file := range formats {
		t.Run(string(kind), func(t *testing.T) {
			g := league(t, file+checkIn, 8)
			g.season(stronger)
			g.areHere() // after the rounds
			opens, _ := g.s.Opens()
			ask := opens.Add(-5 * day)
			g.now = ask.Add(-day)
			g.must(Line{Kind: Pause, Text: "x"})
			if acts, next := g.s.Due(opens.Add(day)); acts != nil || !next.IsZero() {
				t.Fatalf("%+v is due, then at %v", acts, next)
			}
			g.now = opens
			g.must(Line{Kind: Resume, Text: "x"}) // six days later
			ask = ask.Add(6 * day)
			if acts, next := g.s.Due(g.now); acts != nil || !next.Equal(ask) {
				t.Fatalf("%+v is due, then at %v, not %v", acts, next, ask)
			}
			g.now = ask
			g.due()
			g.now = ask.Add(2 * day)
			g.must(Line{Kind: Pause, Text: "x"})
			g.now = ask.Add(12 * day)
			g.must(Line{Kind: Resume, Text: "x"})
			g.due()
			if by := g.s.answered(g.s.members(), g.rules.CheckIn); !by.Equal(ask.Add(15 * day)) {
				t.Errorf("they have until %v, not until %v", by, ask.Add(15*day))
			}
			if acts, next := g.s.Due(ask.Add(15*day - 1)); acts != nil || !next.Equal(ask.Add(15*day)) {
				t.Errorf("%+v is due, then at %v", acts, next)
			}
			for _, p := range []int64{1, 2, 3, 4} {
				g.say(p, false)
			}
			g.season(stronger)
			same(t, "seated", g.seated(), 1, 2, 3, 4)
			g.verified()
		})
	}
}

// Before a first season with a date, players are asked who joined more than two weeks ago.
func TestFirstCheckIn(t *testing.T) {
	g := league(t, formats[Knockout]+"start: 2027-03-01\n"+checkIn, 6)
	opens, _ := g.s.Opens()
	for i, ago := range []int{15, 13} { // before the question
		g.now = opens.Add(-time.Duration(5+ago) * day)
		g.must(Line{Kind: Join, Player: int64(8 - i)})
	}
	g.now = opens.Add(-5 * day)
	g.due()
	for _, p := range []int64{1, 2, 3, 4} {
		g.say(p, false)
	}
	g.season(stronger)
	same(t, "seated", g.seated(), 1, 2, 3, 4, 7) // not 8
	g.verified()
}
