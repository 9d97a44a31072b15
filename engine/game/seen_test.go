package game

import (
	"math/rand/v2"
	"slices"
	"testing"

	"angelpost/engine"
	"angelpost/engine/component"
)

// TestSeen compares the fingerprints of logs with what each viewer may read of them: at
// every turn of some games two steps are tried, those that differ in what is hidden
// above all.
func TestSeen(t *testing.T) {
	var same, differ, hidden int
	for n := range uint64(6) {
		rnd := rand.New(rand.NewPCG(n, 7))
		players := 2 + int(n)%3
		m, err := New(component.Default(), Header{Game: "g", Options: Options{Players: players, Rules: "base", Edition: "revised", RulesVersion: RulesVersion}, Seed: [32]byte{byte(n)}})
		if err != nil {
			t.Fatal(err)
		}
		for !m.Finished() && m.Steps() < 150 {
			seat := m.View(0).ToAct[0]
			legal := m.View(seat).Legal(nil)
			step := legal[rnd.IntN(len(legal))]
			other := legal[rnd.IntN(len(legal))]
			if i := slices.IndexFunc(legal, func(s engine.Step) bool { return s != step && s.Masked() == step.Masked() }); i >= 0 {
				other = legal[i]
			}
			p, q := m.Play.Copy(), m.Play.Copy()
			for x, s := range map[*Replay]engine.Step{p: step, q: other} {
				if _, err := x.Do(seat, ByPlayer, s); err != nil {
					t.Fatal(err)
				}
			}
			at := p.Step()
			for viewer := engine.Seat(0); int(viewer) <= players; viewer++ {
				read := func(x *Replay) string {
					l := x.Redact(x.Lines[at-1], viewer)
					return string(HashLine(nil, l))
				}
				alike := read(p) == read(q)
				if got := p.Seen(viewer, at) == q.Seen(viewer, at); got != alike {
					t.Fatalf("game %d, viewer %d: %q and %q have the same fingerprint: %v", n, viewer, read(p), read(q), got)
				}
				if p.Seen(viewer, at-1) != m.Play.Seen(viewer, at-1) {
					t.Fatalf("game %d, viewer %d: the fingerprint of the lines before has changed", n, viewer)
				}
				switch {
				case !alike:
					differ++
				case p.Lines[at-1].Order != q.Lines[at-1].Order:
					hidden++
				default:
					same++
				}
			}
			if _, err := m.Do(seat, ByPlayer, step); err != nil {
				t.Fatal(err)
			}
		}
		past, err := m.Play.Past(m.Steps() / 2)
		if err != nil || past.Seen(1, past.Step()) != m.Play.Seen(1, past.Step()) || past.Seen(1, past.Step()) == 0 {
			t.Errorf("the past has another fingerprint: %v", err)
		}
	}
	if same == 0 || differ == 0 || hidden == 0 {
		t.Errorf("%d pairs the same, %d different, %d different in hidden things only", same, differ, hidden)
	}
	t.Log(same, differ, hidden)
}
