package league

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"
)

// A clone goes on as its original would have, which stays as it was, whatever
// happens in a league.
func TestClone(t *testing.T) {
	for seed := range 12 {
		g := &runner{t: t, rand: rand.New(rand.NewPCG(uint64(seed), 6))}
		r, err := ParseRules(g.file())
		if err != nil {
			t.Fatal(err)
		}
		g.rules = r
		fresh := func(lines []Line) *State {
			t.Helper()
			s, err := Replay(r, [32]byte{byte(seed)}, lines)
			if err != nil {
				t.Fatal(err)
			}
			return s
		}
		g.s = fresh(nil)
		t.Run(fmt.Sprintf("%d-%s", seed, r.Kind), func(t *testing.T) {
			g.t = t
			g.run()
			s := fresh(nil)
			for i, l := range g.log {
				c := s.Clone()
				if err := c.Add(l); err != nil {
					t.Fatal(err)
				}
				if i%17 == 3 && !reflect.DeepEqual(s, fresh(g.log[:i])) {
					t.Fatalf("line %d (%s) shows in the original", l.N, l.Kind)
				}
				s = c
			}
			if !reflect.DeepEqual(s, g.s) {
				t.Error("the last clone is another state")
			}
		})
	}
}
