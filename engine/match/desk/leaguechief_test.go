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

// sure writes a line as a director and answers our question with yes.
func (o *office) sure(name, line string) []notice.Message {
	o.t.Helper()
	out := o.write(name, line)
	if said := remarks(o.last(name)); !slices.Contains(said, notice.AskSure) && !slices.Contains(said, notice.AskVoid) || len(out) != 1 {
		o.t.Fatalf("%q: %s", line, summary(o.last(name)))
	}
	return o.write(name, "yes")
}

// refuses fails unless each line of a player is refused for that reason, and the league is
// as it was.
func (o *office) refuses(name, id string, lines map[string]string) {
	o.t.Helper()
	for line, want := range lines {
		before := o.league(id).State.Lines
		o.write(name, line)
		if got := problemOf(o.last(name)); got != want || o.league(id).State.Lines != before {
			o.t.Errorf("%s, %q: %q, not %q\n%s", name, line, got, want, summary(o.last(name)))
		}
	}
}

// TestStartSeason: a director begins the next season before its day and with fewer players
// than its file asks for; each gets one letter.
func TestStartSeason(t *testing.T) {
	o := newOffice(t)
	id := o.made(tin + "least: 6\nclose: 2 days\n")
	o.joins("tin", "ada")
	o.write("dora", "settings")
	if got := problemOf(o.write("ada", "start league tin: me")[0]); got != notice.ProblemDirector {
		t.Errorf("a player: %q", got)
	}
	o.refuses("dora", id, map[string]string{"start league Tin League: all are here": notice.ProblemStartFew, "start league tin": order.NoReason})
	o.joins("tin", "bo", "cy")
	o.write("dora", "start league Tin League: all are here")
	out := o.due(time.Hour)
	l := o.league(id)
	if len(l.State.Seasons) != 1 || !l.State.Season().Began.Equal(o.now) {
		t.Fatalf("%d seasons", len(l.State.Seasons))
	}
	told := mail(out, notice.TellStarts)
	if len(told) != 3 {
		t.Errorf("%d are told", len(told))
	}
	for name, m := range told {
		if r := m.Answer.Remarks; r[0].Args["reason"] != "all are here" || !slices.Contains(remarks(m), notice.TellSeason) {
			t.Errorf("%s: %v", name, r)
		}
	}
	if again := mail(o.until("2026-12-02"), notice.TellSeason); len(again) > 0 || len(o.league(id).State.Seasons) != 1 {
		t.Error("the season begins twice")
	}
	o.holds(id)
}

// TestStartRound: the next round begins now where no result decides who meets.
func TestStartRound(t *testing.T) {
	o := newOffice(t)
	id := o.made(strings.NewReplacer("division: 3\n", "kind: ladder\nrounds: 3\nround: 7 days\n", "up: 1\n", "", "down: 1\n", "", "at once: 1", "at once: 3", "season: 4 weeks\n", "").Replace(tin))
	o.joins("tin", "ada", "bo", "cy", "di")
	o.until("2026-12-02")
	if n := o.league(id).State.Season().Round; n != 1 {
		t.Fatalf("round %d", n)
	}
	o.write("dora", "start league tin: on with it")
	out := o.due(time.Hour)
	if n := o.league(id).State.Season().Round; n != 2 || len(mail(out, notice.TellStarts)) != 4 {
		t.Errorf("round %d, %d are told", n, len(mail(out, notice.TellStarts)))
	}
	o.roundAlone(id)
	began := o.league(id).State.Season().RoundBegan
	o.until("2026-12-08")
	if n := o.league(id).State.Season().Round; n != 2 {
		t.Errorf("round %d on the third's old day", n)
	}
	// More time for the round moves the next.
	ends := o.league(id).State.Season().Ends
	if out = o.write("dora", "extend league tin round 2 by 2 days: a storm"); mail(out, notice.TellLeagueExtended)["ada"].Answer.Remarks[0].Args["then"] != "later" {
		t.Errorf("%s", summary(out[0]))
	}
	s := o.league(id).State.Season()
	if !s.RoundBegan.Equal(began.Add(48*time.Hour)) || !s.Ends.Equal(ends.Add(48*time.Hour)) {
		t.Errorf("the round began on %v, before %v", s.RoundBegan, began)
	}
	o.until("2026-12-10")
	if n := o.league(id).State.Season().Round; n != 2 {
		t.Errorf("round %d before its new day", n)
	}
	o.until("2026-12-13")
	if n := o.league(id).State.Season().Round; n != 3 {
		t.Errorf("round %d after its new day", n)
	}
	o.refuses("dora", id, map[string]string{"start league tin: once more": notice.ProblemStartNone})
	o.holds(id)

	swiss := o.made(strings.NewReplacer("Tin", "Gold", "division: 3\n", "kind: swiss\nrounds: 3\nround: 7 days\n", "up: 1\n", "", "down: 1\n", "", "start: 2026-12-01", "start: 2026-12-15").Replace(tin))
	o.joins("gold", "ada", "bo", "cy", "di")
	o.until("2026-12-16")
	o.refuses("dora", swiss, map[string]string{"start league gold: on with it": notice.ProblemStartOpen})
	for _, f := range o.running(swiss) {
		o.playOut(f.Game)
	}
	o.write("dora", "start league gold: on with it")
	if o.due(time.Hour); o.league(swiss).State.Season().Round != 2 {
		t.Errorf("round %d", o.league(swiss).State.Season().Round)
	}
	o.holds(swiss)
}

// roundAlone holds that while two rounds are under way, what is directed about one stops,
// starts and moves the clocks of its games alone.
func (o *office) roundAlone(id string) {
	o.t.Helper()
	clocks := func() (of map[int]map[string]time.Time) {
		of = map[int]map[string]time.Time{}
		all := o.clocked(id)
		for _, f := range o.running(id) {
			if of[f.Round] == nil {
				of[f.Round] = map[string]time.Time{}
			}
			for key, x := range all {
				if strings.HasPrefix(key, f.Game) {
					of[f.Round][key] = x.Deadline
				}
			}
		}
		return of
	}
	was := clocks()
	if len(was[1]) == 0 || len(was[2]) == 0 {
		o.t.Fatalf("the rounds that run: %v", was)
	}
	for _, round := range []int{1, 2} {
		other := 3 - round
		for _, line := range []string{"pause league tin round %d: a storm", "resume league tin round %d: it is over", "extend league tin round %d by 3 hours: a flood"} {
			line = fmt.Sprintf(line, round)
			before := clocks()
			o.write("dora", line)
			if r := o.last("dora"); r.Result != notice.Applied {
				o.t.Errorf("%q: %s", line, summary(r))
			}
			after := clocks()
			if maps.Equal(after[round], before[round]) {
				o.t.Errorf("%q does nothing to the clocks of round %d", line, round)
			}
			if !maps.Equal(after[other], before[other]) {
				o.t.Errorf("%q changes the clocks of round %d: %v, before %v", line, other, after[other], before[other])
			}
		}
	}
}

// TestRenameLeague: the name changes, the id and the addresses stay, and both are taken
// wherever a league or one of its games is named.
func TestRenameLeague(t *testing.T) {
	o := newOffice(t)
	id := six(o)
	game := o.running(id)[0].Game
	o.write("dora", "rename league Tin League to Zinc & Söhne: the sponsor")
	l := o.league("zinc & SÖHNE")
	out := o.due(time.Hour)
	told := mail(out, notice.TellRenamed)
	if len(told) != 6 || told["ada"].Answer.Remarks[0].Args["league"] != "Zinc & Söhne" || told["ada"].Answer.Remarks[0].Args["old"] != "Tin League" {
		t.Errorf("%d are told: %+v", len(told), told["ada"].Answer.Remarks)
	}
	if l.Row.ID != id || l.Row.Name != "Zinc & Söhne" || l.State.Rules.Name != "Zinc & Söhne" || o.league("Tin League").Row.ID != id {
		t.Errorf("%+v", l.Row)
	}
	for _, name := range []string{"Zinc & Söhne 1.1.1", "zinc sohne 1.1.1", "Tin League 1.1.1", game} {
		if got, err := o.desk.Host().GameID(context.Background(), name); err != nil || got != game {
			t.Errorf("%q: %q, %v", name, got, err)
		}
	}
	for _, name := range []string{"Zinc & Söhne", "zinc", "tin league", "\"Zinc & Söhne\""} {
		if out := o.write("ada", "standings "+name); problemOf(out[0]) != "" {
			t.Errorf("%q: %s", name, problemOf(out[0]))
		}
	}
	// Its file, as it is printed now, can be amended; no other league takes either name.
	if _, err := o.desk.AmendLeague(context.Background(), id, l.State.Rules.String()+"about: More.\n", true); err != nil {
		t.Error(err)
	}
	for _, name := range []string{"Tin League", "Zinc & Söhne"} {
		if _, err := o.desk.NewLeague(context.Background(), strings.NewReplacer("Tin League", name, "2026-12-01", "2027-01-01").Replace(tin)); err == nil {
			t.Errorf("another league is called %s", name)
		}
	}
	other := o.made(strings.NewReplacer("Tin League", "Iron League", "2026-12-01", "2027-01-01").Replace(tin))
	o.refuses("dora", other, map[string]string{
		"rename league Iron League to Tin League":   notice.ProblemLeagueName,
		"rename league Iron League to zinc, sohne":  notice.ProblemLeagueName,
		"rename league Iron League to Iron League":  notice.ProblemLeagueName,
		"rename league Iron League to ???":          notice.ProblemLeagueName,
		"rename league Iron League to Cup, Two":     notice.ProblemLeagueWords,
		"rename league Nowhere League to Somewhere": notice.ProblemLeague,
	})
	if o.write("dora", "rename league Zinc & Söhne to Tin League"); o.league(id).Row.Name != "Tin League" {
		t.Error("it can't be undone")
	}
	o.holds(id)
}

// TestDeleteLeague: a league that has never begun is gone once its director has confirmed it;
// one that has been played is archived, and can be restored.
func TestDeleteLeague(t *testing.T) {
	o := newOffice(t)
	id := o.made(tin)
	o.joins("tin", "ada", "bo", "cy")
	o.write("dora", "settings")
	old := o.last("ada")
	w, _, _ := order.ReadDirection("delete league tin: a mistake")
	if _, err := o.desk.DirectLeague(context.Background(), w, false); err == nil {
		t.Error("the host need not be sure")
	}
	out := o.sure("dora", "delete league Tin League: a mistake")
	if told := mail(out, notice.TellDeleted); len(told) != 3 || told["ada"].League != "" {
		t.Errorf("%d are told: %+v", len(told), told["ada"])
	}
	if _, err := o.desk.Host().League(context.Background(), id); err == nil {
		t.Fatal("it is there")
	}
	if in := o.sheet(old); len(in.Message.Answer.Remarks) == 0 { // an old letter about it
		t.Errorf("%+v", in)
	}
	if out := o.write("ada", "mute"); problemOf(out[0]) != notice.ProblemNoGame {
		t.Errorf("%s", summary(out[0]))
	}
	o.until("2026-12-05") // none of it falls due
	// Another of its name is another: old letters are none of its.
	o.now = o.now.Add(time.Hour)
	again := o.made(strings.Replace(tin, "2026-12-01", "2026-12-20", 1))
	if l := o.league(again); again != id || len(l.State.Players) != 0 {
		t.Fatalf("%s has %d players", again, len(l.State.Players))
	}
	view(t, o, func(tx store.Tx) error {
		m, err := tx.Message(old.ID)
		if m.League != "" || m.Token != old.Token {
			t.Errorf("an old letter is about %q", m.League)
		}
		return err
	})
	o.joins("tin", "ada", "bo", "cy")
	o.until("2026-12-21")
	o.refuses("dora", id, map[string]string{"delete league tin: no": notice.ProblemSeasonRuns})
	for o.league(id).State.Season().Running() {
		for _, f := range o.running(id) {
			o.playOut(f.Game)
		}
		o.due(0)
	}
	out = o.write("dora", "delete league tin: it is history")
	if told := mail(out, notice.TellArchived); len(told) != 3 {
		t.Errorf("%d are told", len(told))
	}
	l := o.league(id)
	if !l.State.Archived() || !l.Row.Over || l.Row.Visibility != store.Unlisted {
		t.Errorf("%+v", l.Row)
	}
	for _, s := range o.write("ada", "leagues")[0].Answer.Sections {
		if len(s.Leagues) > 0 {
			t.Error("it is in the list")
		}
	}
	if n := len(o.until("2027-03-01")); n > 0 || len(o.league(id).State.Seasons) != 1 {
		t.Errorf("%d letters about an archived league", n)
	}
	out = o.write("dora", "resume league tin: we miss it")
	if l = o.league(id); l.State.Closed || l.Row.Over || l.Row.Visibility != store.Listed || len(mail(out, notice.TellLeagueResumed)) != 3 {
		t.Errorf("%+v: %s", l.Row, summary(out[0]))
	}
	if opens, ok := l.State.Opens(); !ok || !opens.After(o.now) {
		t.Errorf("it opens on %v", opens)
	}
	o.until("2027-04-01")
	if len(o.league(id).State.Seasons) != 2 {
		t.Error("no second season")
	}
	o.holds(id)
}

// TestAddPlayer: a director lets a player in against the file; a stranger gets a question.
func TestAddPlayer(t *testing.T) {
	o := newOffice(t)
	id := o.made(tin + "join: list\nadmit: ada@home.test\n")
	o.joins("tin", "ada")
	o.write("dora", "settings")
	o.started(1, "dora", "bo")
	out := o.write("dora", "add bo@home.test to league Tin League: he asked me")
	if m := mail(out, notice.TellEnlisted); len(m) != 1 || m["bo"].Answer.Remarks[0].Args["reason"] != "he asked me" {
		t.Errorf("%d are told: %s", len(m), summary(out[0]))
	}
	in := func(name string) bool {
		p := o.league(id).State.Player(o.playerOf(name))
		return p != nil && p.In()
	}
	if !in("bo") {
		t.Fatal("bo is not in it")
	}
	if got := problemOf(o.write("dora", "add Bo to league tin")[0]); got != notice.ProblemThere {
		t.Errorf("twice: %q", got)
	}
	out = o.write("dora", "add cy@home.test to league tin: a friend")
	if asked := mail(out, notice.AskEnlist); len(asked) != 1 || in("cy") || !slices.Contains(remarks(o.last("dora")), notice.SayLeagueInvited) {
		t.Errorf("%s", summary(out[0]))
	}
	if o.write("cy", "yes"); !in("cy") {
		t.Error("cy's yes does nothing")
	}
	if got := problemOf(o.write("ada", "add di@home.test to league tin")[0]); got != notice.ProblemDirector {
		t.Errorf("a player: %q", got)
	}
	o.refuses("dora", id, map[string]string{"add nobody to league tin": notice.ProblemAddress, "add bo+x@home.test to league tin": notice.ProblemThere})
	o.holds(id)
}

// TestExpel: a player is removed from the league and from their games, learns why, and can't
// come back unless a director lets them in.
func TestExpel(t *testing.T) {
	o := newOffice(t)
	id := six(o)
	o.write("gus", "substitute tin") // so that we ask them to take the place
	o.write("gus", "yes")
	bad := o.running(id)[0].Players[0]
	rude := strings.ToLower(o.league(id).Names[bad])
	games := 1
	if got := problemOf(o.write("ann", "expel "+rude+" from league tin: rude")[0]); got != notice.ProblemHead {
		t.Errorf("an assistant: %q", got)
	}
	out := o.sure("dora", "expel "+rude+" from league tin: rude")
	told := mail(out, notice.TellExpelled)
	if len(told) != 3 || told[rude].Answer.Remarks[0].Args["then"] != "you" || told[rude].Answer.Remarks[0].Args["reason"] != "rude" { // the division
		t.Errorf("%d are told: %s", len(told), summary(told[rude]))
	}
	if games == 0 || len(mail(out, notice.TellExpelledGame)) != games {
		t.Errorf("%d opponents of %d are told", len(mail(out, notice.TellExpelledGame)), games)
	}
	game := ""
	for key, x := range o.clocked(id) {
		if x.Player == bad {
			game, _, _ = strings.Cut(key, " ")
			if x.Bot == "" {
				t.Errorf("%s: the seat is still theirs", key)
			}
		}
	}
	p := o.league(id).State.Player(bad)
	if p.In() || !p.Expelled {
		t.Fatalf("%+v", p)
	}
	for line, want := range map[string]string{"back": notice.ProblemSeatBot, "B": notice.ProblemSeatPlayed} { // the director took the seat, and gives it back
		if o.from(game, rude, line); o.refused(rude) != want {
			t.Errorf("%q of the expelled player: %s", line, summary(o.last(rude)))
		}
	}
	o.refuses(rude, id, map[string]string{"join league tin": notice.ProblemExpelled, "substitute tin": notice.ProblemExpelled})
	if out = o.write("dora", "add "+rude+" to league tin: sorry"); len(mail(out, notice.TellEnlisted)) != 1 || mail(out, notice.TellEnlisted)[rude].Answer.Remarks[0].Args["then"] != "back" {
		t.Errorf("%s", summary(out[0]))
	}
	if p = o.league(id).State.Player(bad); !p.In() || p.Expelled || o.league(id).State.Division(p.ID) == nil {
		t.Errorf("%+v", p)
	}
	o.refuses("dora", id, map[string]string{"expel Nobody from league tin: why": order.NoName})
	o.holds(id)
}

// TestMovePlayer: the next season has a player in the division that the director chose.
func TestMovePlayer(t *testing.T) {
	o := newOffice(t)
	id := six(o)
	low := o.league(id).State.Season().Divisions[1].Players[2]
	name := o.league(id).Names[low]
	o.write("dora", "move "+name+" to division 2 of league tin: first thought")
	out := o.write("dora", "move "+name+" to division 1 of league tin: too strong")
	if told := mail(out, notice.TellMoves); len(told) != 1 || told[strings.ToLower(name)].Answer.Remarks[0].Args["n"] != "1" {
		t.Errorf("%s", summary(out[0]))
	}
	o.refuses("dora", id, map[string]string{
		"move " + name + " to division 3 of league tin: why": notice.ProblemDivision,
		"move Nobody to division 1 of league tin: why":       order.NoName,
	})
	for n := 0; o.league(id).State.Season().Running() && n < 100; n++ {
		for _, f := range o.running(id) {
			o.playOut(f.Game)
		}
		o.due(0)
	}
	out = o.until("2027-01-20")
	s := o.league(id).State.Season()
	if s.N != 2 || len(s.Divisions) != 2 || !slices.Contains(s.Divisions[0].Players, low) || len(s.Divisions[0].Players) != 3 {
		t.Fatalf("season %d: %v and %v, not %d above", s.N, s.Divisions[0].Players, s.Divisions[1].Players, low)
	}
	if slices.Contains(remarks(mail(out, notice.TellSeasonIn)[strings.ToLower(name)]), notice.TellDisplaced) {
		t.Error("the moved player is told that others have left")
	}
	if l := o.lastLine(id, league.Transfer); l.Division != 1 || l.Text != "too strong" {
		t.Errorf("%+v", l)
	}
	o.holds(id)
}

// TestAssistantsLeaveTheCalendar: where the games are the director's to rule over, an assistant
// moves no round's end either, and stops no division.
func TestAssistantsLeaveTheCalendar(t *testing.T) {
	o := newOffice(t)
	id := o.made(strings.NewReplacer("director: dora@home.test\n", "director: dora@home.test\nassistant: ann@home.test\n",
		"division: 3\n", "kind: ladder\nrounds: 3\nround: 7 days\n", "up: 1\n", "", "down: 1\n", "", "season: 4 weeks\n", "").Replace(tin))
	o.joins("tin", "ada", "bo", "cy")
	o.until("2026-12-02")
	o.write("dora", "settings") // the director is there
	o.write("ann", "settings")
	ends := o.league(id).State.Season().Ends
	o.refuses("ann", id, map[string]string{"extend league tin round 1 by 30 days: x": notice.ProblemHead})
	if s := o.league(id).State.Season(); !s.Ends.Equal(ends) {
		t.Errorf("the season's end moved from %v to %v", ends, s.Ends)
	}
}
