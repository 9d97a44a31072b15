package desk_test

import (
	"strings"
	"testing"

	"angelpost/engine/notice"
)

// TestLadderTold: ladder players read how it works, when the next round begins,
// whether they play in this one, and after a game how far it took them.
func TestLadderTold(t *testing.T) {
	o := newOffice(t)
	id := o.made("name: Rungs\nkind: ladder\ntable: 2\nleast: 3\nrounds: 2\nround: 1 week\nstart: 2026-12-01\nclock: 3d\n")
	names := []string{"ada", "bo", "cy"}
	o.joins("rungs", names...)
	begun := mail(o.until("2026-12-02"), notice.TellSeason)
	for i, name := range names {
		tale := section(t, begun[name], "schedule").League
		if tale.Next == "" || !strings.HasPrefix(tale.Next, "2026-12-08") || tale.Aside != (i == 2) || len(tale.Games) != 1-i/2 {
			t.Errorf("%s: %+v", name, tale)
		}
	}
	order := func() (out []string) {
		l := o.league(id)
		for _, p := range l.State.Seasons[0].Divisions[0].In() {
			out = append(out, strings.ToLower(l.Names[p]))
		}
		return out
	}
	before := order()
	o.playOut(o.running(id)[0].Game)
	after := order()
	at := func(order []string, name string) string {
		for i, n := range order {
			if n == name {
				return string(rune('1' + i))
			}
		}
		return ""
	}
	for _, name := range names[:2] {
		told := false
		for _, r := range o.box[name+"@home.test"] {
			for i, said := range r.Answer.Remarks {
				want := map[int]string{-1: notice.TellClimbs, 0: notice.TellStays, 1: notice.TellFalls}[strings.Compare(at(after, name), at(before, name))]
				if said.Code != want {
					continue
				}
				told = true
				if said.Args["old"] != at(before, name) || said.Args["rank"] != at(after, name) || said.Args["n"] != "3" || r.Kind != notice.KindEnd {
					t.Errorf("%s, from %v to %v: %s", name, before, after, summary(r))
				}
				if next := r.Answer.Remarks[i+1:]; len(next) == 0 || next[0].Code != notice.TellNextRound || !strings.HasPrefix(next[0].Args["time"], "2026-12-08") {
					t.Errorf("%s does not hear when he plays next: %s", name, summary(r))
				}
			}
		}
		if !told {
			t.Errorf("%s is not told, from %v to %v", name, before, after)
		}
	}
	o.write("ada", "league rungs")
	if tale := section(t, o.last("ada"), "league").League; tale.Aside || tale.Next == "" || len(tale.Table) != 3 {
		t.Errorf("%+v", tale)
	}
	second := mail(o.until("2026-12-09"), notice.TellAside)                                                                    // the first of the ladder is left over
	if got := second[order()[0]]; len(second) != 1 || got.Answer.Remarks[0].Args["n"] != "2" || len(got.Answer.Remarks) != 1 { // the last round
		t.Errorf("%d are told that the second round began without them", len(second))
	}
}

// TestByeTold: a player who sits out a round hears so, in the season's letter and later.
func TestByeTold(t *testing.T) {
	o := newOffice(t)
	id := o.made("name: Swiss\nkind: swiss\ntable: 2\nleast: 3\nrounds: 2\nround: 1 day\nstart: 2026-12-01\nclock: 3d\n")
	names := []string{"ada", "bo", "cy"}
	o.joins("swiss", names...)
	begun := mail(o.until("2026-12-02"), notice.TellSeason)
	byes := 0
	for _, name := range names {
		tale := section(t, begun[name], "schedule").League
		if len(tale.Games) != 1 || !tale.After || tale.Next != "" {
			t.Fatalf("%s: %+v", name, tale)
		}
		if tale.Games[0].State == "bye" {
			byes++
		}
	}
	if byes != 1 {
		t.Errorf("%d sit out the first round", byes)
	}
	for _, f := range o.running(id) {
		o.playOut(f.Game)
	}
	told := 0
	o.until("2026-12-08")
	for _, name := range names {
		told += len(mail(o.box[at(name)], notice.TellBye))
	}
	if round := o.league(id).State.Season().Round; told != 1 || round != 2 {
		t.Errorf("%d are told in round %d", told, round)
	}
}
