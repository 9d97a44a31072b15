package desk_test

import (
	"context"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"angelpost/engine/notice"
)

// checking is a league of six whose first season has been played by bots and ended; its next
// opens a week later, and the server asks players five days before that.
func checking(t *testing.T, names ...string) (o *office, id string, opens time.Time) {
	o = newOffice(t)
	id, err := o.desk.NewLeague(context.Background(), tin+"least: 3\n")
	if err != nil {
		t.Fatal(err)
	}
	if r := o.league(id).State.Rules; r.CheckIn != 5*24*time.Hour {
		t.Fatalf("a new league's check-in is %v", r.CheckIn)
	}
	o.until("2026-11-20")
	o.joins("tin", names...)
	o.until("2026-12-02")
	if got := o.asked(id); got != nil {
		t.Fatalf("before the first season, for which they have just joined, %v are asked", got)
	}
	o.playSeason(id)
	opens, ok := o.league(id).State.Opens()
	if x := o.league(id).State.Season(); !ok || x.Running() {
		t.Fatalf("the season goes on: %+v", x)
	}
	return o, id, opens
}

// playSeason lets bots play a season to its end.
func (o *office) playSeason(id string) {
	for range 40 {
		for _, f := range o.running(id) {
			o.playOut(f.Game)
		}
		if x := o.league(id).State.Season(); !x.Running() {
			return
		}
		o.until(o.now.AddDate(0, 0, 1).Format(time.DateOnly))
	}
}

// asked returns the players who have not answered the check-in question.
func (o *office) asked(id string) (names []string) {
	st := o.league(id).State
	for i := range st.Players {
		if p := &st.Players[i]; p.Silent() {
			for name := range o.box {
				if o.playerOf(name[:len(name)-len("@home.test")]) == p.ID {
					names = append(names, name)
				}
			}
		}
	}
	slices.Sort(names)
	return names
}

// TestCheckInByLetter: before a season players who played no turn lately get one letter. Those who say
// yes play, and so do those on vacation and those who answer with `join league`; those who
// say no or nothing do not, and come back when they say so.
func TestCheckInByLetter(t *testing.T) {
	o, id, opens := checking(t, "ada", "bo", "cy", "di", "eve", "flo")
	o.now = o.now.Add(time.Hour)
	o.write("flo", "vacation "+opens.AddDate(0, 0, -1).Format(time.DateOnly)+" to "+opens.AddDate(0, 0, 8).Format(time.DateOnly))
	if !slices.Contains(remarks(o.last("flo")), notice.SayVacation) {
		t.Fatalf("no vacation: %s", summary(o.last("flo")))
	}
	out := o.until(opens.AddDate(0, 0, -1).Format(time.DateOnly))
	letters := mail(out, notice.AskHere)
	if len(letters) != 5 || letters["flo"].Token != "" {
		t.Fatalf("asked are %v", summaries(out))
	}
	for name, r := range letters {
		if m, _ := told(r, notice.AskHere); m.Args["time"] == "" || m.Args["then"] != "" || m.Args["league"] != "Tin League" {
			t.Errorf("%s reads %+v", name, m)
		}
	}
	answer := func(name, text, code string) {
		t.Helper()
		_, out := o.send(o.letter(at(name), letters[name].Token, text))
		if !slices.Contains(remarks(o.last(name)), code) {
			t.Errorf("%s says %s: %v", name, text, summaries(out))
		}
	}
	answer("ada", "yes", notice.SayHere)
	answer("bo", "no", notice.SayHereNot)
	answer("bo", "yes", notice.SayHere) // on second thoughts
	answer("cy", "no", notice.SayHereNot)
	answer("di", "join league tin", notice.SayHere)
	again := o.until(opens.AddDate(0, 0, 1).Format(time.DateOnly))
	if more := mail(again, notice.AskHere); len(more) != 0 {
		t.Errorf("asked again: %v", summaries(again))
	}
	x := o.league(id).State.Season()
	if x.N != 2 || !x.Running() {
		t.Fatalf("the season has not begun: %+v", x)
	}
	moved, begins := 0, mail(again, notice.TellSeason)
	for name, plays := range map[string]bool{"ada": true, "bo": true, "cy": false, "di": true, "eve": false, "flo": true} {
		s, p := o.league(id).State, o.playerOf(name)
		d := s.Division(p)
		if (d != nil) != plays {
			t.Errorf("%s plays: %v", name, d != nil)
			continue
		}
		// Players that move because of others' silence learn it.
		other := d != nil && !slices.Contains(s.Seasons[0].Divisions[d.N-1].Players, p)
		if said := slices.Contains(remarks(begins[name]), notice.TellDisplaced); said != other {
			t.Errorf("%s plays in another division: %v, and hears so: %v", name, other, said)
		}
		if other {
			moved++
		}
	}
	if moved == 0 {
		t.Error("no one plays in another division")
	}
	if p := o.league(id).State.Player(o.playerOf("eve")); !p.In() {
		t.Error("eve is out of the league")
	}

	o.until(opens.AddDate(0, 0, 20).Format(time.DateOnly)) // the question is long closed
	answer("eve", "yes", notice.SayHere)
	if st := o.league(id).State; st.Player(o.playerOf("eve")).Silent() || !slices.Contains(st.Waiting(), o.playerOf("eve")) {
		t.Error("eve does not wait for the next season")
	}
	if st := o.league(id).State; slices.Contains(st.Waiting(), o.playerOf("cy")) || slices.Contains(st.Candidates(), o.playerOf("cy")) {
		t.Error("cy, who said no, waits for a place")
	}
}

// A player who has not answered when the check-in for a second season begins is no longer in
// the league, hears that once, and can join again. Until then `league` tells who has not
// checked in.
func TestSilentTwiceByLetter(t *testing.T) {
	o, id, opens := checking(t, "ada", "bo", "cy", "di", "eve", "flo")
	check := func(names ...string) []notice.Message {
		out := o.until(opens.AddDate(0, 0, -2).Format(time.DateOnly))
		for _, name := range names {
			o.send(o.letter(at(name), mail(out, notice.AskHere)[name].Token, "yes"))
		}
		return out
	}
	check("ada", "bo", "cy")
	o.write("ada", "league tin")
	for _, s := range o.last("ada").Answer.Sections {
		if s.Kind == "league" && !slices.Equal(s.League.Unanswered, []string{"Di", "Eve", "Flo"}) {
			t.Errorf("%v have not answered", s.League.Unanswered)
		}
	}
	o.until(opens.AddDate(0, 0, 1).Format(time.DateOnly))
	o.write("di", "join league tin")
	o.playSeason(id)
	opens, _ = o.league(id).State.Opens()
	out := check("ada", "bo", "cy")
	told := mail(out, notice.TellTakenOff)
	if len(told) != 2 || told["eve"].League != id || told["flo"].League != id {
		t.Errorf("%v are taken off the list", told)
	}
	st := o.league(id).State
	if st.Player(o.playerOf("eve")).In() || !st.Player(o.playerOf("di")).In() {
		t.Error("in the league are", st.Members())
	}
	o.write("eve", "join league tin")
	if p := o.league(id).State.Player(o.playerOf("eve")); !p.In() || p.Silent() {
		t.Errorf("eve has joined again: %+v", p)
	}
	o.holds(id)
}

// A turn in any game answers: before the server asks players, and afterwards until the season
// begins.
func TestTurnsCheckIn(t *testing.T) {
	o, id, opens := checking(t, "ada", "bo", "cy", "di")
	plays := func(seed byte, name, friend string) { // a turn of each, in either order
		t.Helper()
		o.started(seed, name, friend)
		for range 3 {
			o.plays(name)
			o.plays(friend)
		}
	}
	plays(7, "ada", "zoe")
	out := o.until(opens.AddDate(0, 0, -1).Format(time.DateOnly))
	if letters := mail(out, notice.AskHere); len(letters) != 3 || letters["ada"].Token != "" {
		t.Fatalf("asked are %v", summaries(out))
	}
	plays(8, "bo", "zed")
	o.send(o.letter(at("cy"), mail(out, notice.AskHere)["cy"].Token, "yes"))
	o.until(opens.AddDate(0, 0, 1).Format(time.DateOnly))
	for name, there := range map[string]bool{"ada": true, "bo": true, "cy": true, "di": false} {
		if d := o.league(id).State.Division(o.playerOf(name)); (d != nil) != there {
			t.Errorf("%s plays: %v", name, d != nil)
		}
	}
}

// The director learns that a season cannot begin because too few say that they are there, and
// how many do.
func TestStalledByCheckIn(t *testing.T) {
	o, id, opens := checking(t, "ada", "bo", "cy", "di")
	out := o.until(opens.AddDate(0, 0, -1).Format(time.DateOnly))
	asked := mail(out, notice.AskHere)
	o.send(o.letter(at("ada"), asked["ada"].Token, "yes"))
	o.send(o.letter(at("bo"), asked["bo"].Token, "yes"))
	out = o.until(opens.AddDate(0, 0, 2).Format(time.DateOnly))
	m, ok := told(mail(out, notice.TellStalled)["dora"], notice.TellStalled)
	if !ok || m.Args["n"] != "2" || m.Args["of"] != "3" {
		t.Fatalf("the director reads %+v of %v", m, summaries(out))
	}
	o.send(o.letter(at("cy"), asked["cy"].Token, "yes"))
	o.until(opens.AddDate(0, 0, 3).Format(time.DateOnly))
	if x := o.league(id).State.Season(); x.N != 2 || len(x.Divisions[0].Players) != 3 {
		t.Errorf("%+v", x)
	}
}

// In a Swiss league the server asks players who took no turn in their game whether they play
// the next round; it begins without those who do not answer in time.
func TestRoundCheckInByLetter(t *testing.T) {
	o := newOffice(t)
	id := o.made("name: Tin League\ndirector: dora@home.test\nkind: swiss\ntable: 2\nrounds: 2\nleast: 4\nstart: 2026-12-01\nclock: 3d\ncheck in: 5 days\n")
	o.until("2026-11-20")
	o.joins("tin", "ada", "bo", "cy", "di")
	o.until("2026-12-02")
	var out []notice.Message
	for _, f := range o.running(id) {
		pair := o.pairOf(f, "ada", "bo", "cy", "di")
		for _, name := range pair {
			out = append(out, o.resignsFrom(f.Game, name)...)
		}
	}
	asked := mail(out, notice.AskHere)
	if len(asked) != 4 {
		t.Fatalf("asked are %v", summaries(out))
	}
	for name, r := range asked {
		if m, _ := told(r, notice.AskHere); m.Args["then"] != "round" {
			t.Errorf("%s reads %+v", name, m)
		}
	}
	for _, name := range []string{"ada", "cy", "di"} {
		o.send(o.letter(at(name), asked[name].Token, "yes"))
	}
	if x := o.league(id).State.Season(); x.Round != 1 {
		t.Fatalf("round %d has begun without waiting for bo", x.Round)
	}
	o.until("2026-12-08")
	st := o.league(id).State
	if x := st.Season(); x.Round != 2 {
		t.Fatalf("round %d", x.Round)
	}
	n := 0
	for _, f := range st.Season().Divisions[0].Fixtures {
		if f.Round == 2 {
			n += len(f.Players)
			if slices.Contains(f.Players, o.playerOf("bo")) {
				t.Error("bo plays the round")
			}
		}
	}
	if n != 3 {
		t.Errorf("%d play the round", n)
	}
}

// TestEarlyTurnsCheckIn: the server does not ask players before a ladder's or a solo league's
// round if they played early in the last one, however long it is, or moved by more time.
func TestEarlyTurnsCheckIn(t *testing.T) {
	for _, kind := range []string{"ladder\ntable: 2", "solo"} {
		t.Run(kind[:4], func(t *testing.T) {
			o := newOffice(t)
			o.started(9, "dora", "bot") // a good token
			id := o.made("name: Tin League\ndirector: dora@home.test\nkind: " + kind + "\nrounds: 2\nround: 4 weeks\nleast: 4\nstart: 2026-12-01\nclock: 3d\ncheck in: 5 days\n")
			o.until("2026-11-20")
			names := []string{"ada", "bo", "cy", "di"}
			o.joins("tin", names...)
			o.until("2026-12-02")
			var early []string
			for _, f := range o.running(id)[:len(o.running(id))/2] {
				early = append(early, o.pairOf(f, names...)...)
			}
			for range 2 {
				for _, name := range early {
					o.plays(name)
				}
			}
			if x := o.league(id).State.Season(); len(early) != 2 || x.Round != 1 {
				t.Fatalf("%v have played in round %d", early, x.Round)
			}
			o.write("dora", "extend league tin round 1 by 2 days: a storm")
			asked := mail(o.until("2026-12-27"), notice.AskHere)
			if len(asked) != 2 {
				t.Errorf("%d are asked", len(asked))
			}
			for _, name := range early {
				if asked[name].To != "" {
					t.Errorf("%s is asked", name)
				}
			}
			for _, name := range o.asked(id) {
				if name == at(early[0]) || name == at(early[1]) {
					t.Errorf("%s would not be seated", name)
				}
			}
		})
	}
}

// TestOldTurnsCheckIn: before a season, a turn of ten days ago is a check-in, one of sixteen
// days ago is none.
func TestOldTurnsCheckIn(t *testing.T) {
	o := newOffice(t)
	id := o.made(strings.Replace(tin, "break: 1 week\n", "", 1) + "least: 3\nbreak: 3 weeks\ncheck in: 5 days\n")
	o.until("2026-11-20")
	o.joins("tin", "ada", "bo", "cy")
	o.until("2026-12-02")
	o.playSeason(id)
	opens, _ := o.league(id).State.Opens()
	plays := func(ago int, seed byte, name, friend string) {
		o.until(opens.AddDate(0, 0, -5-ago).Format(time.DateOnly))
		o.started(seed, name, friend)
		for range 3 {
			o.plays(name)
			o.plays(friend)
		}
	}
	plays(16, 7, "bo", "zed")
	plays(10, 8, "ada", "zoe")
	asked := mail(o.until(opens.AddDate(0, 0, -3).Format(time.DateOnly)), notice.AskHere)
	if len(asked) != 2 || asked["ada"].To != "" || asked["bo"].To == "" {
		t.Errorf("asked are %v", slices.Collect(maps.Keys(asked)))
	}
}
