package turns

import (
	"math/rand/v2"
	"testing"

	"angelpost/engine"
	"angelpost/engine/game"
	"angelpost/engine/order"
)

// What a choice does whatever chance decides is all said: it is tried with many deals of the
// cards, tiles and dice that the player can't see, and what happens in each of them is among
// what the choice tells. Two things are not: that a deck is shuffled, which is part of the
// draw from it, and what Hal does in a turn, which is one thing for chance.
func TestAllThatIsCertainIsTold(t *testing.T) {
	for name, o := range planGames {
		t.Run(name, func(t *testing.T) {
			c := &certainty{T: t, rnd: rand.New(rand.NewPCG(15, uint64(o.Players)))}
			for n := range byte(5) {
				g := planGame(t, o, n+50)
				for !g.Finished() {
					acting := g.Play.ToAct()
					seat := acting[c.rnd.IntN(len(acting))]
					v := g.View(seat)
					if c.rnd.IntN(5) == 0 || v.LastRound {
						plan, err := PlanIn(g, seat, nil)
						if err != nil {
							t.Fatal(err)
						}
						for _, o := range plan.Options {
							if o.Draws {
								c.holds(plan.View, o)
							}
						}
					}
					legal := v.Legal(nil)
					if _, err := g.Do(seat, game.ByPlayer, legal[c.rnd.IntN(len(legal))]); err != nil {
						t.Fatal(err)
					}
				}
			}
			t.Logf("%d choices, %d events after chance, %d choices with more than one thing for chance, %d that end the game", c.choices, c.after, c.chains, c.ends)
			if c.choices < 100 || c.after < 100 || c.chains < 10 {
				t.Error("too little is tried")
			}
		})
	}
}

type certainty struct {
	*testing.T
	rnd                          *rand.Rand
	choices, after, chains, ends int
}

func (c *certainty) holds(v *engine.View, o Option) {
	step, err := order.Parse(o.Order)
	if err != nil {
		c.Fatal(err)
	}
	c.choices++
	c.after += len(o.After)
	if len(o.Chances) > 1 {
		c.chains++
	}
	said := map[engine.Event]int{}
	for _, e := range append(o.Events[:len(o.Events):len(o.Events)], o.After...) {
		said[e]++
		if e.Kind == engine.EvGameOver {
			c.ends++
		}
	}
	for _, e := range o.Chances {
		n := int(e.N)
		e.N, e.Value = 0, 0
		if e.Kind == engine.EvDrewMission || e.Kind == engine.EvOffered {
			e.Card, e.Color = engine.BackOrange+engine.Card(e.Color), 0
		}
		if e.Kind == engine.EvTileAppeared {
			e.Tile, e.Color = 0, 0
		}
		said[e] += n
	}
	const few, many = 12, 150
	common := c.common(v, step, few, nil)
	for e, n := range common {
		if n > said[e] { // by chance, or always?
			common = c.common(v, step, many, common)
			break
		}
	}
	for e, n := range common {
		if n > said[e] && e.Kind != engine.EvShuffled {
			c.Errorf("%q always does %d of %+v, of which it says %d; it says %+v, then %+v, then %+v", o.Order, n, e, said[e], o.Events, o.Chances, o.After)
		}
	}
}

// common returns the events that happen in each of n deals. Of events that chance decides it
// keeps what is known before, as bound says.
func (c *certainty) common(v *engine.View, step engine.Step, n int, bound map[engine.Event]int) map[engine.Event]int {
	for range n {
		s := v.Sample(c.rnd.Uint64)
		var tale engine.Tale
		s.Do(v.Viewer, step, engine.NewChance([32]byte{byte(c.rnd.Uint32()), byte(c.rnd.Uint32()), byte(c.rnd.Uint32())}, ""), &tale)
		has := map[engine.Event]int{}
		for _, e := range game.RedactEvents(tale.Events, v.Viewer, false) {
			if v.Options.Hal != engine.NoHal && (e.Kind == engine.EvHalCard || e.Kind == engine.EvDiceBack && e.Seat == engine.Hal) {
				break
			}
			switch {
			case e.Kind == engine.EvRefilled:
				e.N = 0
				fallthrough
			case e.New():
				e.Card, e.Value, e.Tile = e.Card.Back(), 0, 0
				if e.Kind == engine.EvAttack || e.Kind == engine.EvOverflow {
					e.Card, e.Loc = 0, 0
				}
			}
			has[e]++
		}
		if bound == nil {
			bound = has
		}
		for e, n := range bound {
			bound[e] = min(n, has[e])
		}
	}
	return bound
}
