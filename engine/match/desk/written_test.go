package desk_test

import (
	"flag"
	"math/rand/v2"
	"strings"
	"testing"

	"angelpost/engine/notice"
)

// whole has tests that take a sample by default take all of it, as .ci/run does.
var whole = flag.Bool("whole", false, "take no samples")

// sample is all, or part by default.
func sample(part, all int) int {
	if *whole {
		return all
	}
	return part
}

// TestNobodyWaitsUnwritten plays games in which players act on their letters alone: a player to
// move without a letter would stop the game forever. They like the Mission cards of others, so
// that what an owner owes (Q3.3) often falls due with their own turn.
func TestNobodyWaitsUnwritten(t *testing.T) {
	t.Parallel()
	both := 0 // letters that begin a turn and ask first what is owed
	for game := range sample(2, 10) {
		o := newOffice(t, manyAnswers)
		names := []string{"ada", "bo", "cy", "di"}[:2+game%3]
		id := o.started(byte(40+game), names...)
		rnd := rand.New(rand.NewPCG(2, uint64(game)))
		for asked := true; asked; {
			asked = false
			for _, name := range names {
				r := o.last(name)
				s := o.sheet(r)
				if r.Kind == notice.KindEnd || len(s.Legal) == 0 {
					continue
				}
				if r.Kind == notice.KindTurn && len(s.View.Owed) > 0 {
					both++
				}
				asked = true
				o.write(name, fond(s.Legal, rnd))
			}
		}
		if rec := o.record(id, 0); !rec.Finished {
			t.Errorf("game %d: nobody is asked after line %d, but the game is not over", game, len(rec.Log))
		}
	}
	if both == 0 {
		t.Error("no turn began with something owed: the test shows nothing")
	}
}

// fond is a legal order, one that places, uses or collects if there is any.
func fond(legal []string, rnd *rand.Rand) string {
	for _, verb := range []string{"place ", "collect", "mission ", "command ", "launch ", "ship ", "die "} {
		var some []string
		for _, l := range legal {
			if strings.HasPrefix(l, verb) {
				some = append(some, l)
			}
		}
		if len(some) > 0 {
			return some[rnd.IntN(len(some))]
		}
	}
	return legal[rnd.IntN(len(legal))]
}
