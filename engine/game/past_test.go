package game

import (
	"reflect"
	"slices"
	"testing"

	"angelpost/engine"
)

// The past, found from the stops, is what replaying from the start gives, for
// every viewer, lines taken back included.
func TestPastIsTheReplay(t *testing.T) {
	for players := 2; players <= 4; players++ {
		g := randomGame(t, players, 5)
		undos := 0
		for n := range g.Steps() + 1 {
			if n > 0 && g.Log()[n-1].Meta() {
				undos++
			}
			want, err := g.Play.At(n)
			if err != nil {
				t.Fatal(err)
			}
			got, err := g.Play.Past(n)
			if err != nil {
				t.Fatal(err)
			}
			if got.State != want.State || !slices.Equal(got.Active, want.Active) {
				t.Fatalf("%d players, line %d: another position", players, n)
			}
			if !got.Over() {
				t.Fatalf("line %d of a finished game hides something", n)
			}
			got.Open = false // as it was shown while the game ran
			for viewer := engine.Seat(0); int(viewer) <= players; viewer++ {
				if !reflect.DeepEqual(got.Story(viewer, -1), want.Story(viewer, -1)) {
					t.Fatalf("line %d, viewer %d: another story", n, viewer)
				}
			}
		}
		if undos == 0 {
			t.Fatal("nothing is taken back")
		}
	}
}

// A finished game opens fully: at every step every viewer sees every hand. A
// running one shows only the viewer's.
func TestFinishedGameOpens(t *testing.T) {
	g := randomGame(t, 3, 9)
	shown := 0
	for n := 0; n < g.Steps(); n += 7 {
		p, err := g.Play.Past(n)
		if err != nil {
			t.Fatal(err)
		}
		open, then := p.View(0), p.State.Project(0)
		for i := range open.Players {
			own := p.State.Project(engine.Seat(i + 1)).Players[i]
			if !slices.Equal(open.Players[i].Cards, own.Cards) || open.Players[i].Rows != own.Rows {
				t.Fatalf("line %d: seat %d is not open", n, i+1)
			}
			if then.Players[i].Cards != nil {
				t.Fatalf("line %d: while it ran, the public saw the hand of seat %d", n, i+1)
			}
			shown += len(own.Cards)
		}
	}
	if shown == 0 {
		t.Fatal("no hand was ever full")
	}
	running, err := g.Play.At(g.Steps() / 2)
	if err != nil {
		t.Fatal(err)
	}
	p, err := running.Past(running.Step() - 20)
	if err != nil || p.Over() || p.View(1).Players[1].Cards != nil {
		t.Fatalf("the past of a running game is open: %v", err)
	}
}
