package league

import (
	"testing"
	"time"
)

// The break begins when the last game has ended where the file says so, and on the planned
// day where it does not, as in files older than that key. A season begins at least a day
// after the last one ended.
func TestEarly(t *testing.T) {
	planned := func(x *Season) time.Time { return x.Began.Add((42 + 7) * day) }
	for file, opens := range map[string]func(*Season) time.Time{
		"break: 1 week":              planned,
		"break: 1 week\nearly: no":   planned,
		"break: 1 week\nearly: yes":  func(x *Season) time.Time { return x.Ended.Add(7 * day) },
		"break: 0 days\nearly: yes":  func(x *Season) time.Time { return x.Ended.Add(day) },
		"break: 14 days\nearly: yes": func(x *Season) time.Time { return x.Ended.Add(14 * day) },
	} {
		g := league(t, "kind: divisions\ntable: 2\ndivision: 3\nup: 1\nleast: 3\nseason: 6 weeks\n"+file, 3)
		g.due()
		x := g.s.Season()
		if at, ok := g.s.Opens(); !ok || !at.Equal(x.Ends.Add(x.Rules.Break)) {
			t.Errorf("%q: while it runs, the next is planned for %v", file, at)
		}
		g.season(stronger)
		want := opens(g.s.Season())
		if at, ok := g.s.Opens(); !ok || !at.Equal(want) {
			t.Errorf("%q: the next season opens %v, not %v", file, at, want)
		}
		if acts, _ := g.s.Due(want.Add(-1)); len(acts) > 0 {
			t.Errorf("%q: before that %+v is due", file, acts)
		}
		if acts, _ := g.s.Due(want); len(acts) != 1 || acts[0].Line.Kind != Begin {
			t.Errorf("%q: then %+v is due", file, acts)
		}
	}
}
