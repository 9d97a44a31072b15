package desk_test

import (
	"context"
	"strings"
	"testing"

	"angelpost/engine/notice"
)

// joined returns what a player reads on joining a league.
func (o *office) joined(name, line string) notice.Remark {
	o.t.Helper()
	o.write(name, line)
	if _, ok := told(o.last(name), notice.AskLeague); ok {
		o.write(name, "yes")
	}
	for i := len(o.box[at(name)]) - 1; i >= 0; i-- {
		if m, ok := told(o.box[at(name)][i], notice.SayLeagueJoined); ok {
			return m
		}
	}
	return notice.Remark{}
}

// TestLateEntry: players who join while a season of divisions runs hear that they
// wait, until when and in which place. If someone leaves, the league asks those who
// wait to take the place; and in the next season the lowest division has them all.
func TestLateEntry(t *testing.T) {
	o := newOffice(t)
	id := o.made(tin)
	o.joins("tin", "ada", "bo", "cy")
	o.until("2026-12-02")
	if m := o.joined("di", "join league tin, Di"); m.Args["then"] != "waits" || m.Args["n"] != "1" || m.Args["season"] != "1" || m.Args["time"] != "2027-01-05 00:00 UTC" {
		t.Fatalf("Di reads %+v", m)
	}
	if m := o.joined("ed", "join league tin, Ed"); m.Args["n"] != "2" {
		t.Errorf("Ed reads %+v", m)
	}
	var out string // a player who has not begun
	for _, name := range []string{"ada", "bo", "cy"} {
		if len(o.pairOf(o.running(id)[0], name)) == 0 {
			out = name
		}
	}
	asked := mail(o.write(out, "leave league tin"), notice.AskPlace)
	if m, _ := told(asked["di"], notice.AskPlace); len(asked) != 1 || m.Args["then"] != "waits" || m.Args["n"] != "2" {
		t.Fatalf("who is asked for the place: %+v", asked)
	}
	asked = mail(o.write("di", "no"), notice.AskPlace)
	if len(asked) != 1 || asked["ed"].To == "" {
		t.Fatalf("who is asked next: %+v", asked)
	}
	o.write("ed", "no")
	if asked = mail(o.write("flo", "join league tin, Flo"), notice.AskPlace); len(asked) > 0 { // has not said yes yet
		t.Fatalf("%+v", asked)
	}
	asked = mail(o.write("flo", "yes"), notice.AskPlace)
	if len(asked) != 1 || asked["flo"].To == "" {
		t.Fatalf("who comes when all have declined is not asked: %+v", asked)
	}
	if _, letters := o.send(o.letter(at("flo"), asked["flo"].Token, "yes")); len(mail(letters, notice.SayPlaceTaken)) != 1 {
		t.Fatalf("%v", summaries(letters))
	}
	if x := o.league(id).State; x.Division(o.playerOf("flo")) == nil || x.Division(o.playerOf("di")) != nil {
		t.Error("Flo does not play, or Di does")
	}
	if m := o.joined(out, "join league tin"); m.Args["then"] != "waits" {
		t.Errorf("whose place another has: %+v", m)
	}
	for range 3 {
		for _, f := range o.running(id) {
			o.playOut(f.Game)
		}
		o.due(0)
	}
	o.until("2027-01-06")
	if x := o.league(id).State.Season(); x.N != 2 || len(x.Divisions) != 2 || len(x.Divisions[0].Players)+len(x.Divisions[1].Players) != 6 {
		t.Errorf("the next season: %+v", x)
	}

	// Players who left get their place back while no one has it.
	o = newOffice(t)
	o.made(tin + "substitutes: yes\n")
	o.joins("tin", "ada", "bo", "cy", "di")
	o.until("2026-12-02")
	if m := o.joined("ed", "join league tin, Ed"); m.Args["then"] != "waits" {
		t.Fatalf("%+v", m)
	}
	o.write("ada", "leave league tin")
	if m := o.joined("ada", "join league tin"); m.Args["then"] != "back" {
		t.Errorf("Ada reads %+v", m)
	}
}

// TestFullLeague: a league takes no more players than its file says, until one leaves; a
// director can add more, and letters, list and page don't ask others to join.
func TestFullLeague(t *testing.T) {
	o := newOffice(t)
	id := o.made(tin + "least: 3\nmost: 4\n")
	o.deliver()
	o.joins("tin", "ada", "bo", "cy", "di")
	o.refuses("dora", id, map[string]string{"join league tin": notice.ProblemFull})
	o.send(o.letter(at("ed"), "", "join league tin, Ed"))
	if got := problemOf(o.last("ed")); got != notice.ProblemFull {
		t.Errorf("a fifth: %q", got)
	}
	o.write("dora", "leagues")
	o.has(o.last("dora"), []string{"It is full: no one else can join before a player leaves"}, "You can join")
	o.write("dora", "league tin")
	o.has(o.last("dora"), []string{"It is full"}, "reply `join league")
	o.write("dora", "add eve@home.test to league tin") // who has never written
	o.write("eve", "yes")
	if n := o.league(id).State.Members(); n != 5 {
		t.Errorf("a director adds a fifth: %d", n)
	}
	o.write("eve", "leave league tin")
	o.refuses("dora", id, map[string]string{"join league tin": notice.ProblemFull})
	o.write("di", "leave league tin")
	o.joins("tin", "dora")
	o.send(o.letter(at("sue"), "", "substitute tin")) // first on the list
	o.write("sue", "yes")
	o.until("2026-12-02")
	o.write("cy", "leave league tin") // a place that is free gets its player back, though the league is full
	o.joins("tin", "ed")
	if !o.league(id).State.Full() {
		t.Fatal("it is not full")
	}
	o.write("cy", "join league tin")
	if o.league(id).State.Division(o.playerOf("cy")) == nil {
		t.Errorf("cy does not get back: %s", summary(o.last("cy")))
	}
	for file, bad := range map[string]bool{"least: 5\nmost: 4\n": true, "most: 1\n": true, "least: 5\nmost: 5\n": false} {
		file = strings.Replace(strings.Replace(tin, "Tin", "Zinc", 1), "2026-12-01", "when full", 1) + file
		if _, err := o.desk.NewLeague(t.Context(), file); bad != (err != nil) {
			t.Errorf("%q: %v", file, err)
		}
	}
}

// TestLateInTheLastSeason: no one joins a league to wait for a season that never
// comes. They can be substitutes; where rounds are paired one by one they play.
func TestLateInTheLastSeason(t *testing.T) {
	o := newOffice(t)
	id := o.made(tin + "seasons: 1\n")
	o.joins("tin", "ada", "bo", "cy")
	o.until("2026-12-02")
	o.started(9, "di", "bot")
	if o.write("di", "join league tin"); o.refused("di") != notice.ProblemLastSeason {
		t.Errorf("%s", summary(o.last("di")))
	}
	if o.write("ada", "join league tin"); o.refused("ada") != notice.ProblemMember {
		t.Errorf("%s", summary(o.last("ada")))
	}
	if o.write("di", "substitute tin"); len(o.league(id).State.Substitutes()) != 1 {
		t.Errorf("%s", summary(o.last("di")))
	}
	if err := o.desk.JoinLeague(context.Background(), id, at("ed"), "Ed"); err != nil {
		t.Fatal(err)
	}
	o.deliver()
	if m, _ := told(o.last("ed"), notice.SayLeagueJoined); m.Args["then"] != "final" {
		t.Errorf("whom the host lets in: %+v", m)
	}

	o = newOffice(t)
	o.made("name: Hal's Weeks\nkind: solo\nrounds: 3\nround: 1 week\nstart: 2026-12-01\nseasons: 1\nleast: 2")
	o.joins("hal", "ada", "bo")
	o.until("2026-12-02")
	if m := o.joined("cy", "join league hal, Cy"); m.Args["then"] != "soon" {
		t.Errorf("Cy reads %+v", m)
	}
	if o.write("di", "substitute hal"); o.refused("di") != notice.ProblemNoSubstitute {
		t.Errorf("a solo league takes a substitute: %s", summary(o.last("di")))
	}
	o.until("2026-12-16")
	if o.write("di", "join league hal, Di"); !strings.Contains(summary(o.last("di")), notice.ProblemLastSeason) {
		t.Errorf("in the last round: %s", summary(o.last("di")))
	}
}
