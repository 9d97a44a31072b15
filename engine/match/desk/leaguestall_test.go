package desk_test

import (
	"context"
	"maps"
	"testing"

	"angelpost/engine/component"
	"angelpost/engine/match/unit"
	"angelpost/engine/notice"
)

// The director hears once, on the day, of a season that cannot begin, and what the letter
// says works: with a smaller `least` it begins.
func TestDirectorHearsOfStall(t *testing.T) {
	o := newOffice(t)
	id := o.made(tin + "least: 4\n")
	o.joins("tin", "ada", "bo", "cy")
	stalls := func(out []notice.Message) (n int) {
		for _, r := range out {
			if m, ok := told(r, notice.TellStalled); ok {
				if n++; r.To != at("dora") || m.Args["n"] != "3" || m.Args["of"] != "4" || m.Args["season"] != "1" {
					t.Errorf("%s: %+v", r.To, m)
				}
			}
		}
		return n
	}
	if n := stalls(o.until("2026-11-30")); n != 0 {
		t.Errorf("%d letters before the day", n)
	}
	if n := stalls(o.until("2026-12-02")); n != 1 {
		t.Errorf("%d letters on the day", n)
	}
	out := o.write("cy", "leave league tin")
	out = append(out, o.write("cy", "join league tin")...)
	if n := stalls(append(out, o.until("2026-12-09")...)); n != 0 {
		t.Errorf("%d letters more", n)
	}
	if _, err := o.desk.AmendLeague(context.Background(), id, tin+"least: 3\n", true); err != nil {
		t.Fatal(err)
	}
	o.until("2026-12-10")
	if x := o.league(id).State.Season(); x == nil || !x.Running() {
		t.Error("the season has not begun with what the letter says")
	}
}

// The director hears once a week of a game that can't begin, as its set is no longer on the server; it
// begins once that is back.
func TestDirectorHearsOfAGameThatCannotBegin(t *testing.T) {
	var sets map[string]*component.Set
	o := newOffice(t, func(c *unit.Config) {
		c.Sets = maps.Clone(c.Sets)
		c.Sets["old"] = component.Default()
		sets = c.Sets
	})
	id := o.made(tin + "set: old\n")
	o.joins("tin", "ada", "bo", "cy")
	old := sets["old"]
	delete(sets, "old")
	told := tells(o.until("2026-12-05"), notice.TellUnbegun)
	if len(told) != 1 || told[0].To != at("dora") {
		t.Fatalf("%v", summaries(told))
	}
	o.has(told[0], []string{"The game Tin League 1.1.1 of the league Tin League should have begun and can't"})
	if n := len(o.running(id)); n != 0 {
		t.Fatalf("%d games have begun", n)
	}
	if told := tells(o.until("2026-12-12"), notice.TellUnbegun); len(told) != 1 {
		t.Errorf("in the second week: %v", summaries(told))
	}
	sets["old"] = old
	o.until("2026-12-13")
	if n := len(o.running(id)); n == 0 {
		t.Error("no game begins with its set")
	}
}
