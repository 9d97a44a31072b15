package engine_test

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	. "angelpost/engine"
	"angelpost/engine/bot"
	"angelpost/engine/component"
	"angelpost/engine/component/settest"
	"angelpost/engine/game"
	"angelpost/engine/order"
)

var freezeFlag = flag.Bool("freeze", false, "play and freeze the games of TestFixtures that have no file yet")

// fixtureGames is how many games are frozen.
const fixtureGames = 68

// A plan is a game to be frozen: its options, who plays, and its name, from
// which its seed and all choices follow.
type plan struct {
	name    string
	options game.Options
	bots    []string // by seat
	people  bool     // who take steps back, resign and are replaced
	as      string   // the game whose seed and bots it has; "": its own
	series  string   // of its seed
	rolled  bool     // a ruling takes it back, across turns, at some of its lines
}

// series are the seeds, where not the usual ones, of a game that the Ravagers end
// and of games in which Missions are used that seldom are: M6, M11 and M12.
var series = map[string]string{"1-base-first-hard-1": " 2", "3-base-first-3": " 2", "3-advanced-revised-3": " 14"}

// strengths are those of the players, in turn.
var strengths = [...]string{bot.Random, bot.Greedy, bot.Planner + ":300", bot.Planner + ":1500"}

// fixturePlans are all combinations of players, rules, edition and Hal's level:
// of each with several players two games of bots and one of people, of each
// solo game one of a bot, and of two a combination with people; then one that a
// ruling takes back across turns, three whose course depends on the version of the rules,
// each under both, and one with another component set.
func fixturePlans() (plans []plan) {
	for players := MaxPlayers; players >= 1; players-- {
		for _, rules := range []string{"base", "advanced"} {
			for _, edition := range []string{"revised", "first"} {
				levels := []string{""}
				if players == 1 {
					levels = []string{"easy", "standard", "hard", "extreme"}
				}
				for k, hal := range levels {
					games := 3
					if players == 1 {
						games = 2 - (k+len(rules)+len(edition))%2
					}
					for gameID := 1; gameID <= games; gameID++ {
						p := plan{
							name:    strings.ReplaceAll(fmt.Sprintf("%d-%s-%s-%s-%d", players, rules, edition, hal, gameID), "--", "-"),
							options: game.Options{Players: players, Rules: rules, Edition: edition, RulesVersion: 1, Set: component.DefaultName, Hal: hal},
						}
						for seat := range players {
							p.bots = append(p.bots, strengths[(len(plans)+seat*(1+len(plans)/4%3))%len(strengths)])
						}
						p.series = series[p.name]
						p.people = gameID == games && games > 1
						if players == 1 && hal == "easy" { // a match for Hal
							p.bots[0] = bot.Planner
						}
						plans = append(plans, p)
					}
				}
			}
		}
	}
	plans = append(plans, plan{
		name:    "3-advanced-rolled-back",
		options: game.Options{Players: 3, Rules: "advanced", Edition: "revised", RulesVersion: 1, Set: component.DefaultName},
		bots:    []string{strengths[0], strengths[1], strengths[2]},
		people:  true,
		rolled:  true,
	}, plan{ // Q5.5f
		name:    "4-base-revised-nothing-drawn",
		options: game.Options{Players: 4, Rules: "base", Edition: "revised", RulesVersion: 1, Set: component.DefaultName},
		bots:    []string{bot.Greedy, bot.Greedy, bot.Greedy, bot.Greedy},
		series:  " 28",
	}, plan{ // the same in Hal's Command
		name:    "1-base-revised-standard-nothing-drawn",
		options: game.Options{Players: 1, Rules: "base", Edition: "revised", RulesVersion: 1, Set: component.DefaultName, Hal: "standard"},
		bots:    []string{bot.Random},
		series:  " 648",
	}, plan{ // Q3.3b
		name:    "4-advanced-revised-not-asked",
		options: game.Options{Players: 4, Rules: "advanced", Edition: "revised", RulesVersion: 1, Set: component.DefaultName},
		bots:    []string{bot.Greedy, bot.Greedy, bot.Greedy, bot.Greedy},
		series:  " 100",
	}, plan{
		name:    "2-base-" + settest.SecondName,
		options: game.Options{Players: 2, Rules: "base", Edition: "revised", RulesVersion: 1, Set: settest.SecondName},
		bots:    []string{strengths[2], strengths[1]},
	})
	for old, name := range map[string]string{
		"4-base-revised-nothing-drawn": "4-base-revised-all-drawn", "1-base-revised-standard-nothing-drawn": "1-base-revised-standard-all-drawn",
		"4-advanced-revised-not-asked": "4-advanced-revised-asked",
	} {
		p := plans[slices.IndexFunc(plans, func(p plan) bool { return p.name == old })]
		p.name, p.as, p.options.RulesVersion = name, old, 2
		plans = append(plans, p)
	}
	return plans
}

// freezeGames plays the games that have no file. What is frozen stays: a file
// is never written over.
func freezeGames(t *testing.T) {
	t.Helper()
	if err := os.MkdirAll(fixtureDir, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, p := range fixturePlans() {
		name := filepath.Join(fixtureDir, p.name+".json")
		if _, err := os.Stat(name); err == nil {
			continue
		}
		rec := p.play(t)
		file, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
		if err != nil {
			t.Fatal(err)
		}
		if err := rec.Write(file); err != nil {
			t.Fatal(err)
		}
		if err := file.Close(); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(fixtureDir, p.name+".txt"), []byte(courseOf(t, rec)), 0o644); err != nil {
			t.Fatal(err)
		}
		t.Logf("%s: %d lines, %v", p.name, len(rec.Log), rec.Result.Scores)
	}
}

// courseOf is the course of a game just played.
func courseOf(t *testing.T, rec *game.Record) string {
	t.Helper()
	f := fixture{rec: rec, unknown: true}
	if d := f.replay(settest.Named(rec.Set)); d != nil {
		t.Fatal(d)
	}
	return strings.Join(f.course, "\n") + "\n"
}

// A table is a game being played to be frozen.
type table struct {
	plan
	t     *testing.T
	rng   *rand.Rand
	rec   *game.Record // its log is the game's
	game  *game.Game
	bots  []bot.Bot
	away  []bool // a bot plays for an absent player
	force []int  // numbers of the lines in force
}

// play plays the game. Where several seats may decide any goes first.
func (p plan) play(t *testing.T) *game.Record {
	t.Helper()
	as := cmp.Or(p.as, p.name)
	seed := sha256.Sum256([]byte("frozen game " + as + p.series))
	set := settest.Named(p.options.Set)
	g := &table{plan: p, t: t, rng: rand.New(rand.NewPCG(uint64(seed[0]), uint64(seed[1]))), away: make([]bool, p.options.Players)}
	g.rec = &game.Record{
		Schema: game.RecordSchema, Game: p.name, Options: p.options, Set: set.Name, SetHash: set.Hash,
		Commitment: Commitment(seed), Seed: hex.EncodeToString(seed[:]),
	}
	for seat, name := range p.bots {
		b, err := bot.New(name, as+strconv.Itoa(seat))
		if err != nil {
			t.Fatal(err)
		}
		g.bots = append(g.bots, b)
		if g.away[seat] = !p.people; p.people {
			name = [...]string{"Ada", "Bo", "Cy", "Di"}[seat]
			g.rec.Entropy = append(g.rec.Entropy, [...]string{"moon", "", "żółw", "a b"}[seat])
		}
		g.rec.Names = append(g.rec.Names, name)
	}
	if p.people {
		for _, place := range DrawSeats(NewChance(seed, strings.Join(g.rec.Entropy, "\n")), p.options.Players) {
			g.rec.Invited = append(g.rec.Invited, place+1)
		}
	}
	g.open(set)
	for !g.game.Finished() {
		if p.people {
			g.happen(set)
		}
		g.step()
	}
	rec := g.game.Record(0)
	if len(rec.Log) != len(g.rec.Log) {
		t.Fatalf("%s: %d lines, played %d", p.name, len(rec.Log), len(g.rec.Log))
	}
	return rec
}

// open plays the log so far again.
func (g *table) open(set *component.Set) {
	var err error
	if g.game, err = game.Open(set, g.rec, -1); err != nil {
		g.t.Fatalf("%s: %v", g.name, err)
	}
}

// step is the next decision.
func (g *table) step() {
	public := g.game.View(0)
	seat := public.ToAct[g.rng.IntN(len(public.ToAct))]
	v := g.game.View(seat)
	legal := v.Legal(nil)
	by := game.ByPlayer
	if g.away[seat-1] {
		by = game.ByBot
	}
	st := g.bots[seat-1].Choose(v, legal, g.game.Steps())
	if g.people { // no person plays like one bot all the time
		var some []Step
		switch g.rng.IntN(12) {
		case 0:
			some = legal
		case 1, 2, 3, 4:
			for _, l := range legal {
				if wants(eager, l) {
					some = append(some, l)
				}
			}
		}
		if len(some) > 0 {
			st = some[g.rng.IntN(len(some))]
		}
	}
	if _, err := g.game.Do(seat, by, st); err != nil {
		g.t.Fatalf("%s: %s: %v", g.name, order.Print(st), err)
	}
	g.rec.Log = slices.Clip(g.game.Log())
	g.force = append(g.force, g.game.Steps())
}

// happen lets people take steps back, where the rules allow it, and leave.
func (g *table) happen(set *component.Set) {
	n := len(g.rec.Log)
	add := func(seat int, by game.By, text string) bool {
		log := g.rec.Log
		g.rec.Log = append(slices.Clip(log), game.Line{N: n + 1, Seat: seat, By: by, Order: text})
		if game, err := game.Open(set, g.rec, -1); err == nil {
			g.game = game
			return true
		}
		g.rec.Log = log
		return false
	}
	leaver := 1 + n%g.options.Players
	switch {
	case g.rolled && slices.Contains([]int{50, 130, 131, 210}, n):
		at := len(g.force) * 2 / 3
		if to := g.force[at]; add(0, game.ByDirector, "rollback "+strconv.Itoa(to)) {
			g.force = g.force[:at+1]
		}
	case n == 60:
		if add(leaver, game.ByPlayer, "resign") {
			g.away[leaver-1], g.bots[leaver-1] = true, g.bot(bot.Greedy)
		}
	case n == 90:
		if add(leaver, game.ByOrganiser, fmt.Sprintf("replace seat %d by bot", leaver)) {
			g.away[leaver-1], g.bots[leaver-1] = true, g.bot(bot.Greedy)
		}
	case n == 120:
		if add(leaver, game.ByOrganiser, fmt.Sprintf("replace seat %d by player", leaver)) {
			g.away[leaver-1] = false
		}
	case len(g.force) > 3 && g.rng.IntN(8) == 0: // the last step, or the last three
		back := 2 + 2*g.rng.IntN(2)
		to := g.force[len(g.force)-back]
		if add(g.rec.Log[n-1].Seat, game.ByPlayer, "undo "+strconv.Itoa(to)) {
			g.force = g.force[:len(g.force)-back+1]
		}
	}
}

func (g *table) bot(name string) bot.Bot {
	b, err := bot.New(name, g.name)
	if err != nil {
		g.t.Fatal(err)
	}
	return b
}
