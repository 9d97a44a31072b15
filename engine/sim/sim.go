// Package sim plays whole games with bots, for statistics, tests and
// benchmarks. It is pure: a game's result follows from its Setup and seed
// alone. What it plays is what people play: the same legal lists, the same
// log, the same hash (web/API.md, sim).
package sim

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"angelpost/engine"
	"angelpost/engine/bot"
	"angelpost/engine/component"
	"angelpost/engine/game"
	"angelpost/engine/order"
)

// maxSteps bounds a game. Ten advances end the longest; ten thousand steps are
// ten times what random play needs.
const maxSteps = 10_000

// A Setup is what the games of one run have in common.
type Setup struct {
	Set     *component.Set
	Options game.Options
	Bots    []string // by seat, as many as players
}

// Seed is the seed of game i (from 1) of the run s: SHA-256(s "/" i).
func Seed(s string, i int) [32]byte {
	return sha256.Sum256([]byte(s + "/" + strconv.Itoa(i)))
}

// A Result is a finished game, one line of web/API.md's sim.
type Result struct {
	Schema    int          `json:"schema"`
	Game      int          `json:"game"` // from 1
	Seed      string       `json:"seed"` // hex
	Players   int          `json:"players"`
	Rounds    int          `json:"rounds"`
	Turns     int          `json:"turns"`
	Decisions int          `json:"decisions"` // steps chosen among two or more
	Ending    string       `json:"ending"`
	Scores    []game.Score `json:"scores"`
	Winners   []int        `json:"winners"`
	LogHash   string       `json:"log_sha256"`

	// Named is the id of a game that openings may name; "" for those of a run.
	Named string `json:"-"`

	uses    tally
	opening [][]string // by seat
}

// Playable tells why the rules do not play games with these options, nil if
// they do. It does not look at the bots.
func (su Setup) Playable() error {
	_, err := engine.New(su.Set, su.Options.Engine(), engine.NewChance([32]byte{}, ""), nil)
	return err
}

// Play plays the game with that seed, number i of its run, and returns its
// result and its log. No entropy is mixed in, seats are as listed. Where
// several seats owe a decision the lowest goes first. It fails for options
// the rules do not play and for bots there are not.
func (su Setup) Play(i int, seed [32]byte) (*Result, []game.Line, error) {
	bots, err := su.bots(seed)
	if err != nil {
		return nil, nil, err
	}
	src := engine.NewChance(seed, "")
	var tale engine.Tale
	s, err := engine.New(su.Set, su.Options.Engine(), src, &tale)
	if err != nil {
		return nil, nil, fmt.Errorf("game %d: set up: %w", i, err)
	}
	k := counter{set: su.Set, solo: su.Options.Players == 1, uses: newTally()}
	for _, e := range tale.Events {
		k.count(e)
	}
	r := &Result{Schema: game.Schema, Game: i, Seed: hex.EncodeToString(seed[:]), Players: su.Options.Players}
	lines := make([]game.Line, 0, 1024)
	r.Decisions, err = run(&s, src, bots, &tale, func(seat engine.Seat, step engine.Step) {
		l := game.Line{N: len(lines) + 1, Seat: int(seat), By: game.ByBot, Bot: su.Bots[seat-1], Order: order.Print(step), Told: []string{}}
		for _, e := range tale.Events {
			k.count(e)
			if told, ok := order.Told(e); ok {
				l.Told = append(l.Told, told)
			}
		}
		lines = append(lines, l)
	})
	if err != nil {
		return nil, nil, fmt.Errorf("game %d: seed %s: %w", i, r.Seed, err)
	}
	r.close(&s, &k, su.names(), lines)
	return r, lines, nil
}

// close writes down how a game ended.
func (r *Result) close(s *engine.State, k *counter, names []string, log []game.Line) {
	v := s.Project(0)
	r.Rounds, r.Turns, r.Ending = v.Round, v.Turn, v.Ending.String()
	for _, w := range s.Winners() {
		r.Winners = append(r.Winners, int(w))
	}
	r.Scores = game.Scores(v, names)
	r.LogHash = game.LogHash(log)
	r.uses, r.opening = k.uses, k.opening[1:1+r.Players]
}

// Review is the Result of a game that was played and stored: log is its whole
// log, src what it drew from. Lines that were taken back count for nothing. It
// fails where the log is not legal, or ends before the game does.
func (su Setup) Review(src engine.Random, log []game.Line) (*Result, error) {
	var tale engine.Tale
	s, err := engine.New(su.Set, su.Options.Engine(), src, &tale)
	if err != nil {
		return nil, fmt.Errorf("set up: %w", err)
	}
	k := counter{set: su.Set, solo: su.Options.Players == 1, uses: newTally()}
	r := &Result{Schema: game.Schema, Players: su.Options.Players}
	legal := make([]engine.Step, 0, 256)
	count := func() {
		for _, e := range tale.Events {
			k.count(e)
		}
		tale.Events = tale.Events[:0]
	}
	count()
	for _, n := range game.InForce(log) {
		l := log[n-1]
		step, err := order.Parse(l.Order)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		if l.Seat < 1 || l.Seat > su.Options.Players {
			return nil, fmt.Errorf("line %d: seat %d does not play", n, l.Seat)
		}
		seat := engine.Seat(l.Seat)
		if legal = s.Legal(seat, legal[:0]); len(legal) > 1 {
			r.Decisions++
		}
		if err := s.Apply(seat, step, src, &tale); err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		count()
	}
	if !s.Finished() {
		return nil, errors.New("the log ends before the game does")
	}
	r.close(&s, &k, nil, log)
	return r, nil
}

// Record is a game that Play has played, as export writes it. The log is
// replayed with every step checked, so that a record is never wrong.
func (su Setup) Record(i int, seed [32]byte, lines []game.Line) (*game.Record, error) {
	g, err := game.New(su.Set, game.Header{Game: "sim-" + strconv.Itoa(i), Options: su.Options, Seed: seed, Names: su.names()})
	if err != nil {
		return nil, fmt.Errorf("game %d: %w", i, err)
	}
	for _, l := range lines {
		step, err := order.Parse(l.Order)
		if err != nil {
			return nil, fmt.Errorf("game %d: line %d: %w", i, l.N, err)
		}
		if _, err := g.DoBot(engine.Seat(l.Seat), l.Bot, step); err != nil {
			return nil, fmt.Errorf("game %d: line %d: %s: %w", i, l.N, l.Order, err)
		}
	}
	return g.Record(0), nil
}

// bots are the players of the game with that seed, by seat. They know the
// game's name, not its seed's draws.
func (su Setup) bots(seed [32]byte) ([]bot.Bot, error) {
	if len(su.Bots) != su.Options.Players {
		return nil, fmt.Errorf("%d bots for %d players", len(su.Bots), su.Options.Players)
	}
	name := engine.Commitment(seed)
	out := make([]bot.Bot, len(su.Bots))
	for k, kind := range su.Bots {
		b, err := bot.New(kind, name+"/"+strconv.Itoa(k+1))
		if err != nil {
			return nil, err
		}
		out[k] = b
	}
	return out, nil
}

// names are the players' names, by seat.
func (su Setup) names() []string {
	out := make([]string, len(su.Bots))
	for k, kind := range su.Bots {
		out[k] = kind + " " + strconv.Itoa(k+1)
	}
	return out
}

// run lets bots play s to its end and calls each after every step, when t, if
// there is one, holds what the step told. It returns how many steps were chosen
// among two or more.
func run(s *engine.State, src engine.Random, bots []bot.Bot, t *engine.Tale, each func(engine.Seat, engine.Step)) (decisions int, err error) {
	legal := make([]engine.Step, 0, 256)
	for n := 0; !s.Finished(); n++ {
		seat := toAct(s, len(bots))
		if seat == 0 || n == maxSteps {
			return decisions, fmt.Errorf("step %d: the game does not end", n)
		}
		legal = s.Legal(seat, legal[:0])
		if len(legal) == 0 {
			return decisions, fmt.Errorf("step %d: seat %d has nothing to choose", n, seat)
		}
		step := legal[0]
		if len(legal) > 1 {
			decisions++
			b := bots[seat-1]
			if bot.Blind(b) {
				step = b.Choose(nil, legal, n)
			} else if step = b.Choose(s.Project(seat), legal, n); !slices.Contains(legal, step) {
				return decisions, fmt.Errorf("step %d: the bot of seat %d chose a step that is not legal: %s", n, seat, order.Print(step))
			}
		}
		if t != nil {
			t.Events = t.Events[:0]
		}
		s.Do(seat, step, src, t)
		if each != nil {
			each(seat, step)
		}
	}
	return decisions, nil
}

func toAct(s *engine.State, players int) engine.Seat {
	for seat := engine.Seat(1); int(seat) <= players; seat++ {
		if s.ToAct(seat) {
			return seat
		}
	}
	return 0
}
