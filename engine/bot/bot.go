// Package bot holds players made of code. A bot sees what a person in its seat
// sees, a View and the legal steps, and chooses one of them.
//
// Bots keep nothing between two choices: a choice depends on the bot's key, the
// number of steps taken and what it sees, on nothing else. So a game goes on
// after a restart as it would have gone on without, and no bot touches the
// game's own chance.
package bot

import (
	"fmt"
	"strconv"
	"strings"

	"angelpost/engine"
	"angelpost/engine/component"
)

// A Bot chooses steps. It may be used by several goroutines at once.
type Bot interface {
	// Choose returns one of the legal steps, of which there must be at least
	// one, as the seat v.Viewer. step is the number of steps taken in the game
	// so far. v is not kept; a Blind bot takes nil.
	Choose(v *engine.View, legal []engine.Step, step int) engine.Step
}

// The bots' names.
const (
	Random  = "random"  // any legal step, all alike
	Greedy  = "greedy"  // the step that wins most VP now, or else a sensible one
	Planner = "planner" // thinks a whole turn ahead; "planner:N" with a budget of N positions a choice
)

// Names are the bots there are, in alphabetical order.
func Names() []string { return []string{Greedy, Planner, Random} }

// New makes the bot of that name. Bots with one name and one key choose alike.
func New(name, key string) (Bot, error) {
	seed := hash(name + "/" + key)
	if n, ok := strings.CutPrefix(name, Planner+":"); ok {
		nodes, err := strconv.Atoi(n)
		if err != nil || nodes < 1 || nodes > MaxNodes {
			return nil, fmt.Errorf("planner:%.20q: want 1 to %d positions", n, MaxNodes)
		}
		return planner{seed, nodes}, nil
	}
	switch name {
	case Random:
		return random{seed}, nil
	case Greedy:
		return greedy{seed}, nil
	case Planner:
		return planner{seed, DefaultNodes}, nil
	}
	return nil, fmt.Errorf("no bot is called %.40q; there are %s", name, strings.Join(Names(), ", "))
}

// Blind reports whether the bot ignores the View, so that the caller doesn't have to make
// one.
func Blind(b Bot) bool {
	_, blind := b.(random)
	return blind
}

// hash is FNV-1a.
func hash(s string) uint64 {
	h := uint64(14695981039346656037)
	for i := range len(s) {
		h = (h ^ uint64(s[i])) * 1099511628211
	}
	return h
}

// dice are a bot's own: number n of a seed, by SplitMix64.
func dice(seed uint64, n int) uint64 {
	z := seed + (uint64(n)+1)*0x9e3779b97f4a7c15
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

type random struct{ seed uint64 }

func (b random) Choose(_ *engine.View, legal []engine.Step, step int) engine.Step {
	return legal[dice(b.seed, step)%uint64(len(legal))]
}

// greedy takes the step that wins most VP at once; among those that win
// equally much, none included, the one it thinks worth most; among equals of
// these any.
type greedy struct{ seed uint64 }

func (b greedy) Choose(v *engine.View, legal []engine.Step, step int) engine.Step {
	s := v.Known()
	return legal[b.choose(&s, v.Set, v.Viewer, legal, step)]
}

// choose returns the number of the step that seat takes. What seat cannot see does not
// affect the choice.
func (b greedy) choose(s *engine.State, set *component.Set, seat engine.Seat, legal []engine.Step, step int) int {
	if len(legal) == 1 {
		return 0
	}
	var m mind
	m.look(s, set, seat)
	var room [64]int
	best := room[:0]
	most, top := 0, 0 // VP at once, and worth
	for i := range legal {
		gain := s.Gain(seat, &legal[i])
		if most > 0 && gain < most {
			continue
		}
		w := m.worth(&legal[i]) + gain*point
		switch {
		case len(best) == 0 || gain > most || w > top:
			best, top = append(best[:0], i), w
		case w == top:
			best = append(best, i)
		}
		most = max(most, gain)
	}
	return best[dice(b.seed, step)%uint64(len(best))]
}
