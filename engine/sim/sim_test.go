package sim

import (
	"crypto/sha256"
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"angelpost/engine"
	"angelpost/engine/bot"
	"angelpost/engine/game"
)

func TestSeed(t *testing.T) {
	if got, want := Seed("a run", 12), sha256.Sum256([]byte("a run/12")); got != want {
		t.Errorf("seed %x, want %x", got, want)
	}
}

// names are the bots, the planner on a small budget.
var names = []string{bot.Greedy, bot.Planner + ":100", bot.Random}

// TestPlay holds that a game is a function of its setup and seed, and that its
// record is one that verify accepts, with the same scores and hash.
func TestPlay(t *testing.T) {
	for k := range 16 { // every number of players with all rules and editions
		players := 1 + k%4
		for _, name := range []string{names[k%3], names[(k+1)%3]} {
			su := setup(players, name)
			su.Options.Rules, su.Options.Edition = []string{"base", "advanced"}[k/4%2], []string{"revised", "first"}[k/8]
			if players == 1 {
				su.Options.Hal = []string{"easy", "standard", "hard", "extreme"}[k/4]
			}
			r, lines, err := su.Play(7, Seed("play", 7))
			if err != nil {
				t.Fatal(err)
			}
			again, _, err := su.Play(7, Seed("play", 7))
			if err != nil || !reflect.DeepEqual(r, again) {
				t.Errorf("%d %s: played twice, two results (%v)", players, name, err)
			}
			rec, err := su.Record(7, Seed("play", 7), lines)
			if err != nil {
				t.Fatal(err)
			}
			if diff, err := game.Verify(rec, su.Set); err != nil || diff != nil {
				t.Errorf("%d %s: verify: %v, %v", players, name, diff, err)
			}
			if rec.Result.LogHash != r.LogHash || rec.Seed != r.Seed || rec.Result.Ending != r.Ending ||
				!reflect.DeepEqual(rec.Result.Winners, r.Winners) || !reflect.DeepEqual(rec.Result.Scores, r.Scores) {
				t.Errorf("%d %s: result %+v, record's %+v", players, name, r, rec.Result)
			}
			checkResult(t, r)
		}
	}
}

func checkResult(t *testing.T, r *Result) {
	t.Helper()
	best := 0
	for i, s := range r.Scores {
		sum := 0
		for _, n := range s.By {
			sum += n
		}
		if s.Seat != i+1 || s.Final == nil || sum != *s.Final {
			t.Errorf("game %d: score %+v", r.Game, s)
			continue
		}
		best = max(best, *s.Final)
	}
	for _, w := range r.Winners {
		if *r.Scores[w-1].Final != best {
			t.Errorf("game %d: seat %d wins with less than %d", r.Game, w, best)
		}
	}
	if len(r.Winners) == 0 || r.Rounds < 5 || r.Turns < max(r.Players, 2)*(r.Rounds-1) || r.Turns > max(r.Players, 2)*r.Rounds {
		t.Errorf("game %d: winners %v, %d rounds, %d turns", r.Game, r.Winners, r.Rounds, r.Turns)
	}
}

// TestDecisions counts again, from the log, the steps that were chosen among
// two or more.
func TestDecisions(t *testing.T) {
	su := setup(4, bot.Random)
	r, _, err := su.Play(1, Seed("replay", 1))
	if err != nil {
		t.Fatal(err)
	}
	m, want := finished(t, bot.Random), 0
	m.walk(t, func(s *engine.State, _ engine.Random, seat engine.Seat, _ engine.Step) {
		if len(s.Legal(seat, nil)) > 1 {
			want++
		}
	})
	if r.Decisions != want || want < 50 {
		t.Errorf("%d decisions, counted again %d", r.Decisions, want)
	}
}

// TestCost holds what replay and search are built on: a step allocates nothing,
// a legal list at most itself.
func TestCost(t *testing.T) {
	m := finished(t, bot.Random)
	at := positions(t, m)
	src := engine.NewChance(m.seed, "")
	i := 0
	if n := testing.AllocsPerRun(2*len(at), func() {
		s := at[i]
		s.Do(m.seats[i], m.steps[i], src, nil)
		i = (i + 1) % len(at)
	}); n != 0 {
		t.Errorf("a step allocates %v times", n)
	}
	if n := testing.AllocsPerRun(2*len(at), func() {
		list = at[i].Legal(m.seats[i], make([]engine.Step, 0, 256))
		i = (i + 1) % len(at)
	}); n > 1 {
		t.Errorf("a legal list allocates %v times", n)
	}
}

// TestDefaultSetPlaysWell is the simulation that RULES.md section C asks of the
// set that is ours, by quick games: they end in time and in both ways, a
// placement draws one or two Ravagers, no seat has far the better of it, every
// kind of card and tile comes into play. TestTunedSet says more.
func TestDefaultSetPlaysWell(t *testing.T) {
	const games = 60
	byRavagers := 0
	for players := 2; players <= 4; players++ {
		su := setup(players, bot.Greedy)
		sum := su.Summary()
		placed, attacks := 0, 0
		kinds := map[string]bool{}
		for i := 1; i <= games; i++ {
			r, lines, err := su.Play(i, Seed("well", i))
			if err != nil {
				t.Fatal(err)
			}
			checkResult(t, r)
			sum.Add(r)
			for _, l := range lines {
				word, _, _ := strings.Cut(l.Order, " ")
				kinds[word] = true
				if word != "place" {
					continue
				}
				placed++
				for _, told := range l.Told {
					if strings.HasPrefix(told, "ravager ") {
						attacks++
					}
				}
			}
		}
		if per := float64(attacks) / float64(placed); per < 1 || per > 2.2 {
			t.Errorf("%d players: %.2f Ravagers a placement, want 1 to 2.2", players, per)
		}
		byRavagers += sum.Endings["ravagers"]
		if sum.Rounds < 8 || sum.Rounds > 30 {
			t.Errorf("%d players: %v rounds a game", players, sum.Rounds)
		}
		all := 0
		for _, s := range sum.Seats {
			all += s.sum
		}
		for _, s := range sum.Seats {
			if fair := float64(all) / float64(games*players); s.Mean < 0.8*fair || s.Mean > 1.2*fair {
				t.Errorf("%d players: seat %d has %.1f VP, the mean is %.1f", players, s.Seat, s.Mean, fair)
			}
		}
		for _, word := range []string{"card", "activate", "die", "discover", "repair", "destroy", "command", "mission", "take", "inject", "cube", "ship", "launch", "place", "locations", "collect", "B", "reserve", "done"} {
			if !kinds[word] {
				t.Errorf("%d players: nobody ever says %q", players, word)
			}
		}
	}
	if byRavagers == 0 || byRavagers > 3*games/2 {
		t.Errorf("%d of %d games ended because the Ravagers ran out", byRavagers, 3*games)
	}
}

// TestSummary holds means, extremes and shared victories on made-up results.
func TestSummary(t *testing.T) {
	su := setup(2, bot.Random)
	sum := su.Summary()
	result := func(rounds, a, b int, ending string, winners ...int) *Result {
		return &Result{Rounds: rounds, Turns: 2 * rounds, Decisions: 1, Ending: ending, Winners: winners,
			Scores: []game.Score{{Seat: 1, Final: &a}, {Seat: 2, Final: &b}}}
	}
	sum.Add(result(10, 20, 30, "spes", 2))
	sum.Add(result(11, 25, 25, "ravagers", 1, 2))
	sum.Add(result(12, 22, 21, "spes", 1))
	sum.SetHash = "-"
	got, err := json.Marshal(sum)
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"games":3,"players":2,"rules":"base","edition":"revised","bots":["random","random"],"set":"crossing","set_hash":"-","rounds":11,"turns":22,"decisions":1,` +
		`"endings":{"ravagers":1,"spes":2},"seats":[{"seat":1,"bot":"random","wins":2,"mean":22.33,"min":20,"max":25},{"seat":2,"bot":"random","wins":2,"mean":25.33,"min":21,"max":30}]}`
	if string(got) != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// TestRefuses holds that what cannot be played is an error, not a panic.
func TestRefuses(t *testing.T) {
	seven := setup(4, bot.Random)
	seven.Options.Players, seven.Bots = 7, make([]string, 7)
	unknown := setup(3, "clever")
	few := setup(3, bot.Random)
	few.Bots = few.Bots[:2]
	for name, su := range map[string]Setup{"seven players": seven, "an unknown bot": unknown, "too few bots": few} {
		if _, _, err := su.Play(1, Seed("", 1)); err == nil {
			t.Errorf("%s: played", name)
		}
	}
	if err := seven.Playable(); err == nil {
		t.Error("seven players: playable")
	}
	if err := few.Playable(); err != nil {
		t.Errorf("three players: %v", err)
	}
}
