package desk_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"angelpost/engine/notice"
	"angelpost/engine/store"
)

// has fails if a letter as its reader sees it lacks a sentence, or has one that it must not.
func (o *office) has(r notice.Message, want []string, not ...string) {
	o.t.Helper()
	text, _ := o.shown(r)
	for _, w := range want {
		if !strings.Contains(text, w) {
			o.t.Errorf("the letter to %s lacks %q:\n%s", r.To, w, text)
		}
	}
	for _, n := range not {
		if strings.Contains(text, n) {
			o.t.Errorf("the letter to %s says %q:\n%s", r.To, n, text)
		}
	}
}

// TestHistoryAfterTheEnd: `history` shows what is new, and of a game that is over all of it,
// as we say when someone sends orders for it.
func TestHistoryAfterTheEnd(t *testing.T) {
	o := newOffice(t)
	id := o.started(9, "ada")
	o.write("ada", "history")
	o.has(o.last("ada"), []string{"Nothing has happened yet."})
	o.plays("ada")
	o.write("ada", "history")
	o.has(o.last("ada"), []string{"Nothing has happened since then. `history 1` shows the game from its beginning."}, "Nothing has happened yet")
	o.finishes("ada", id)
	for _, ask := range []string{"history", "history 1"} {
		o.write("ada", ask)
		o.has(o.last("ada"), []string{"You, round 1", "Final scoring", "The game is over."}, "Nothing has happened")
	}
	o.write("ada", "B")
	o.has(o.last("ada"), []string{"`history` shows it"})
}

// TestAnswersOutOfTime: a question that has been answered, or was open until long ago, or
// is about something that is no longer so, is refused by what is true of it.
func TestAnswersOutOfTime(t *testing.T) {
	o, id, opens := checking(t, "ada", "bo", "cy", "di", "eve", "flo")
	o.send(o.letter(at("ada"), "", "leave league tin"))
	question := o.last("ada").Token
	o.send(o.letter(at("ada"), question, "yes"))
	o.now = o.now.Add(time.Minute)
	o.send(o.letter(at("ada"), question, "yes"))
	if got := problemOf(o.last("ada")); got != notice.ProblemAnswered {
		t.Errorf("answered a minute ago: %q", got)
	}
	o.has(o.last("ada"), []string{"You have already answered that question"}, "too old", "too late")

	o.send(o.letter(at("bo"), "", "leave league tin"))
	question = o.last("bo").Token
	o.until(opens.AddDate(0, 2, 0).Format(time.DateOnly))
	o.send(o.letter(at("bo"), question, "yes"))
	if got := problemOf(o.last("bo")); got != notice.ProblemLate || !o.league(id).State.Player(o.playerOf("bo")).In() {
		t.Errorf("two months late: %q", got)
	}
	o.has(o.last("bo"), []string{"Your answer came too late: we could only wait until "}, "already answered", "too old")

	// A stranger gets the same answer.
	o.send(o.letter(at("new"), "", "join league tin, New"))
	question = o.last("new").Token
	o.now = o.now.AddDate(0, 1, 0)
	o.due(0)
	o.send(o.letter(at("new"), question, "no"))
	o.has(o.last("new"), []string{"Your answer came too late: we could only wait until "}, "already answered")
}

// TestAmendedClock: a clock that an amendment changes is that of the next season; games of
// the season that runs begin with the one it began with, and the letter says so.
func TestAmendedClock(t *testing.T) {
	for _, file := range []string{tin, "name: Tin League\ndirector: dora@home.test\nkind: ladder\ntable: 2\nrounds: 2\nround: 2 weeks\nleast: 3\nstart: 2026-12-01\nbreak: 1 week\nclock: 3d\n"} {
		o := newOffice(t)
		id := o.made(file)
		o.deliver()
		o.joins("tin", "ada", "bo", "cy")
		o.until("2026-12-02")
		old := o.running(id)
		o.write("dora", amends(strings.Replace(file, "clock: 3d", "clock: 9d", 1)+"check in: 0 days\n"))
		if !slices.Contains(remarks(o.last("dora")), notice.SayAmended) {
			t.Fatalf("%s", summary(o.last("dora")))
		}
		o.has(o.last("dora"), []string{"We have changed the rules of the league Tin League, from its next season on.", "+ clock: 9d"})
		o.write("ada", "league tin")
		o.has(o.last("ada"), []string{"3 days a turn"}, "9 days a turn")
		clocks := func() (in map[int]map[string]bool) {
			in = map[int]map[string]bool{}
			for _, f := range o.league(id).State.Fixtures {
				if f.Game == "" {
					continue
				}
				if in[f.Season] == nil {
					in[f.Season] = map[string]bool{}
				}
				in[f.Season][o.row(f.Game).Options.Clock] = true
			}
			return in
		}
		o.playSeason(id)
		if n := len(clocks()[1]); n != 1 || len(o.league(id).State.Fixtures) <= len(old) {
			t.Errorf("games of the season that ran have %d clocks", n)
		}
		for range 60 {
			if len(o.running(id)) > 0 {
				break
			}
			o.until(o.now.AddDate(0, 0, 1).Format(time.DateOnly))
		}
		if all := clocks(); len(all[2]) != 1 || !all[1]["3d grace 1d"] || !all[2]["9d grace 1d"] {
			t.Errorf("clocks by season: %v", all)
		}
		for _, r := range o.box[at("ada")] {
			if m, ok := told(r, notice.TellSeason); ok {
				o.has(r, []string{map[string]string{"1": "3 days a turn", "2": "9 days a turn"}[m.Args["season"]]})
			}
		}
	}
}

// TestSoloPlayersHaveNames: a player of solo games has a name in letters and league, even if
// they have given us none.
func TestSoloPlayersHaveNames(t *testing.T) {
	o := newOffice(t)
	id := o.made("name: Hal League\nkind: solo\nrounds: 1\nround: 2 weeks\nleast: 2\nstart: 2026-12-01\ndirector: dora@home.test\n")
	for _, name := range []string{"ada", "bo"} {
		o.send(o.letter(at(name), "", "join league hal"))
		o.write(name, "yes")
	}
	o.until("2026-12-02")
	names := o.league(id).Names
	same := func() {
		t.Helper()
		for _, f := range o.running(id) {
			if x := o.seats(f.Game)[0]; x.Name != names[x.Player] || x.Name == "" {
				t.Errorf("%s is %q in the game, %q in the league", f.Game, x.Name, names[x.Player])
			}
		}
	}
	same()
	ada, bo := store.StandIn(o.player("ada")), store.StandIn(o.player("bo"))
	o.has(o.last("ada"), []string{"1 " + ada + " 5 VP, 2 Hal 5 VP", "You have no name here yet and are called " + ada + "."}, "the others")
	o.has(o.last("bo"), []string{"1 " + bo + " 5 VP, 2 Hal 5 VP", "You have no name here yet and are called " + bo + "."})
	o.write("bo", "name Bo")
	names = o.league(id).Names
	same()
	o.write("ada", "league hal")
	o.has(o.last("ada"), []string{ada + " (you)", "Bo: 0 points"}, bo)

	o.send(o.letter(at("cy"), "", "new game")) // alone, outside a league
	o.has(o.last("cy"), []string{"You play alone."}, "the others")
	o.write("cy", "yes")
	cy := store.StandIn(o.player("cy"))
	o.has(o.last("cy"), []string{"1 " + cy + " 5 VP, 2 Hal 5 VP", "are called " + cy}, "the others see")
}
