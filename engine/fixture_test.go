package engine_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	. "angelpost/engine"
	"angelpost/engine/component"
	"angelpost/engine/component/settest"
	"angelpost/engine/game"
	"angelpost/engine/order"
)

const fixtureDir = "testdata/games"

// A fixture is a whole finished game that was frozen: its record as export
// writes it, and its course. testdata/games/README.md says more.
type fixture struct {
	name    string
	rec     *game.Record
	course  []string // by line of the log, from 0 for the set-up
	saw     seen     // in the replay
	unknown bool     // the course is still to be found: the game is being frozen
}

// TestFixtures replays every frozen game and holds each line, the position
// after it, the result and the second scorer's account to what was frozen. What
// a change alters first is named by game and line.
func TestFixtures(t *testing.T) {
	names := fixtureNames(t)
	if *freezeFlag {
		freezeGames(t)
		names = fixtureNames(t)
	}
	has := map[string]int{}
	var games []*fixture
	for _, name := range names {
		f := readFixture(t, name)
		games = append(games, f)
		o := f.rec.Options
		has[fmt.Sprint(o.Players, o.Rules, o.Edition, o.Hal)]++
		has[f.rec.Result.Ending]++
		has["set "+o.Set]++
		for _, l := range f.rec.Log {
			word, _, _ := strings.Cut(l.Order, " ")
			has[word]++
		}
	}
	t.Run("game", func(t *testing.T) {
		for _, f := range games {
			t.Run(f.name, func(t *testing.T) {
				t.Parallel()
				set := f.set(t)
				if d := f.replay(set); d != nil {
					t.Fatalf("%s/%s: %v", fixtureDir, f.name, d)
				}
				if d, err := game.Verify(f.rec, set); d != nil || err != nil {
					t.Fatalf("%s/%s: verify: %v, %v", fixtureDir, f.name, d, err)
				}
			})
		}
	})
	if t.Failed() {
		return
	}
	var saw seen
	for _, f := range games {
		saw = saw.plus(f.saw)
	}
	kinds := [13]int{} // M1-M12, in all colours
	for c, n := range saw.card {
		if kind := (c-1)%20 + 1; c > 0 && kind < len(kinds) {
			kinds[kind] += n
		}
	}
	for what, counts := range map[string][]int{
		"M": kinds[1:], "K": saw.advanced[1:], "B": saw.boost[1:], "action of Hal's ": saw.hal[component.Discover:],
	} {
		for i, n := range counts {
			if n == 0 {
				t.Errorf("no %s%d in any game", what, i+1)
			}
		}
	}
	if len(names) != fixtureGames {
		t.Errorf("%d games, want %d", len(names), fixtureGames)
	}
	for _, p := range fixturePlans() {
		if o := p.options; has[fmt.Sprint(o.Players, o.Rules, o.Edition, o.Hal)] == 0 {
			t.Errorf("no game of %+v", o)
		}
	}
	for _, what := range []string{"spes", "ravagers", "set " + component.DefaultName, "set " + settest.SecondName, "undo", "rollback", "resign", "replace", "pass"} {
		if has[what] == 0 {
			t.Errorf("no game has %q", what)
		}
	}
}

func fixtureNames(t *testing.T) (names []string) {
	t.Helper()
	files, err := filepath.Glob(fixtureDir + "/*.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		names = append(names, strings.TrimSuffix(filepath.Base(f), ".json"))
	}
	return names
}

func readFixture(t *testing.T, name string) *fixture {
	t.Helper()
	file, err := os.Open(filepath.Join(fixtureDir, name+".json"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	rec, err := game.ReadRecord(file)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	if rec.Result == nil {
		t.Fatalf("%s: the game is not finished", name)
	}
	text := readText(t, filepath.Join(fixtureDir, name+".txt"))
	return &fixture{name: name, rec: rec, course: strings.Split(strings.TrimSuffix(text, "\n"), "\n")}
}

// set is the set that the game was played with.
func (f *fixture) set(t *testing.T) *component.Set {
	t.Helper()
	set := settest.Named(f.rec.Set)
	if set == nil || set.Hash != f.rec.SetHash {
		t.Fatalf("%s: set %s %s is not at hand: a set that games were played with is never edited", f.name, f.rec.Set, f.rec.SetHash)
	}
	return set
}

// A difference is the first thing in which a replay is not what was frozen.
type difference struct {
	line  int    // of the log; 0 is the set-up
	order string // and whose
	what  string
	was   string
	is    string
}

func (d *difference) Error() string {
	return fmt.Sprintf("line %d, %s: %s\n was %s\n is  %s", d.line, d.order, d.what, d.was, d.is)
}

// replay plays the log afresh and is nil if all is as it was frozen. set is the
// game's, or in tests another with its name and hash.
func (f *fixture) replay(set *component.Set) *difference {
	r, d := f.begin(set)
	for n := 0; d == nil; n++ {
		if d = r.position(n); d != nil || n == len(f.rec.Log) {
			break
		}
		d = r.line(n + 1)
	}
	if d == nil {
		d = r.finish()
	}
	return d
}

// at is the game after line n.
func (f *fixture) at(set *component.Set, n int) (frame, Random, *difference) {
	r, d := f.begin(set)
	for k := 1; k <= n && d == nil; k++ {
		d = r.line(k)
	}
	if d != nil {
		return frame{}, nil, d
	}
	return r.frame, r.src, nil
}

// A frame is the game after a line in force, and the second scorer of it.
type frame struct {
	line int
	s    State
	sc   *scorer
}

// A replay goes on by the rules alone. Package match, which wrote the record,
// plays beside it.
type replay struct {
	*fixture
	set  *component.Set
	src  Random
	told Tale
	frame
	force   []frame // those that an undo can go back to, the present one last
	figures []string
	match   *game.Game
}

func (r *replay) differs(line int, what, was, is string) *difference {
	order := "the set-up"
	if line > 0 {
		order = fmt.Sprintf("seat %d: %s", r.rec.Log[line-1].Seat, r.rec.Log[line-1].Order)
	}
	return &difference{line, order, what, was, is}
}

func (f *fixture) begin(set *component.Set) (*replay, *difference) {
	r := &replay{fixture: f, set: set}
	o := f.rec.Options.Engine()
	seed, err := game.ParseSeed(f.rec.Seed)
	if err != nil {
		return r, r.differs(0, "seed", "readable", err.Error())
	}
	r.src = NewChance(seed, strings.Join(f.rec.Entropy, "\n"))
	if r.s, err = New(set, o, r.src, &r.told); err != nil {
		return r, r.differs(0, "options", "played", err.Error())
	}
	if r.match, err = game.Open(set, f.rec, 0); err != nil {
		return r, r.differs(0, "record", "opens", err.Error())
	}
	r.sc = newScorer(set, o)
	r.sc.look(r.s.Project(0))
	return r, r.scored(0)
}

// scored lets the second scorer hear what was told and compare.
func (r *replay) scored(n int) *difference {
	if err := r.sc.after(&r.s, r.told.Events); err != nil {
		return r.differs(n, "second scorer", "agrees", err.Error())
	}
	r.frame.line = n
	r.force = append(r.force, r.frame)
	return nil
}

// line plays line n.
func (r *replay) line(n int) *difference {
	l := r.rec.Log[n-1]
	word, arg, _ := strings.Cut(l.Order, " ")
	switch word {
	case "undo", "rollback": // the lines after TO are out of force
		to, err := strconv.Atoi(arg)
		i := slices.IndexFunc(r.force, func(f frame) bool { return f.line == to })
		if err != nil || i < 0 {
			return r.differs(n, "order", "legal", "there is no such line")
		}
		r.force = r.force[:i+1]
		r.frame = r.force[i]
	case "resign", "replace":
	default:
		step, err := order.Parse(l.Order)
		if err != nil {
			return r.differs(n, "order", "understood", err.Error())
		}
		if is := order.Print(step); is != l.Order {
			return r.differs(n, "order", l.Order, is)
		}
		r.told.Events = nil
		if err := r.s.Apply(Seat(l.Seat), step, r.src, &r.told); err != nil {
			return r.differs(n, "order", "legal", err.Error())
		}
		if is := toldLines(r.told.Events); !slices.Equal(is, l.Told) {
			return r.differs(n, "told", strings.Join(l.Told, "; "), strings.Join(is, "; "))
		}
		r.sc = r.sc.clone()
		if d := r.scored(n); d != nil {
			return d
		}
		_, err = r.match.Do(Seat(l.Seat), l.By, step)
		if err != nil {
			return r.differs(n, "order, to package match", "legal", err.Error())
		}
		return nil
	}
	var err error
	if r.match, err = game.Open(r.set, r.rec, n); err != nil {
		return r.differs(n, "order, to package match", "legal", err.Error())
	}
	return nil
}

// position holds the position after line n to the course, and what package
// match shows to it: to every seat now and then, to one at each line.
func (r *replay) position(n int) *difference {
	var is string
	is, r.figures = courseLine(n, &r.s, r.figures)
	if r.unknown {
		r.course = append(r.course, is)
	}
	if n >= len(r.course) {
		return r.differs(n, "course", "at its end", is)
	}
	if r.course[n] != is {
		return r.differs(n, "course", r.course[n], is)
	}
	viewers := Seat(len(r.figures) + 1)
	for viewer := range viewers {
		if n%16 != 0 && !r.s.Finished() && viewer != Seat(n)%viewers {
			continue
		}
		if !reflect.DeepEqual(r.match.View(viewer), r.s.Project(viewer)) {
			return r.differs(n, fmt.Sprintf("what seat %d sees, by package match", viewer), "the position", "another")
		}
	}
	return nil
}

// finish holds the result to the position, and to the second scorer.
func (r *replay) finish() *difference {
	end := len(r.rec.Log)
	if len(r.course) != end+1 {
		return r.differs(end, "course", fmt.Sprintf("%d lines", len(r.course)), fmt.Sprintf("%d lines", end+1))
	}
	was, err := json.Marshal(r.rec.Result)
	if err != nil {
		return r.differs(end, "result", "JSON", err.Error())
	}
	is, err := json.Marshal(r.match.Record(0).Result)
	if err != nil || string(is) != string(was) {
		return r.differs(end, "result", string(was), string(is))
	}
	r.saw = *r.sc.saw
	second := game.Outcome{Ending: r.sc.ending.String(), LogHash: r.rec.Result.LogHash}
	for _, seat := range r.sc.winners() {
		second.Winners = append(second.Winners, int(seat))
	}
	for i, s := range r.rec.Result.Scores {
		p := &r.sc.p[i+1]
		s.Final, s.VP, s.By = &p.vp, p.vp-p.by[ByAdvanced]-p.by[ByGoods], map[string]int{}
		for src := range Sources {
			s.By[src.String()] = p.by[src]
		}
		second.Scores = append(second.Scores, s)
	}
	if is, err = json.Marshal(second); err != nil || string(is) != string(was) {
		return r.differs(end, "result, by the second scorer", string(was), string(is))
	}
	return nil
}

// courseLine tells how many steps each seat that must decide may choose from
// after line n, and the figures of the seats for which they are not as before:
// VP, ships, resources, Debris, robots in the break room, Mission and Ravager
// cards in hand.
func courseLine(n int, s *State, before []string) (line string, figures []string) {
	line = fmt.Sprint(n)
	v := s.Project(0)
	for _, seat := range v.ToAct {
		line += fmt.Sprintf(" seat %d of %d", seat, len(s.Legal(seat, nil)))
	}
	for i, p := range v.Players {
		now := fmt.Sprint(p.VP, p.Ships, p.Resources, p.Debris, p.Break, p.Hand[0]+p.Hand[1]+p.Hand[2], p.Ravagers)
		if figures = append(figures, now); before == nil || before[i] != now {
			line += fmt.Sprintf("; %d: %s", i+1, now)
		}
	}
	return line, figures
}

func toldLines(events []Event) []string {
	lines := []string{}
	for _, e := range events {
		if l, ok := order.Told(e); ok {
			lines = append(lines, l)
		}
	}
	return lines
}

// TestFixturesBite alters frozen games: by another print, which stands for a
// changed rule, and in what is stored. The first line that is not as it was
// must be named, and what of it.
func TestFixturesBite(t *testing.T) {
	order := func(word string) func(game.Line) bool {
		return func(l game.Line) bool { return strings.HasPrefix(l.Order, word+" ") }
	}
	tells := func(l game.Line) bool { return len(l.Told) > 0 }
	for _, c := range []struct {
		name  string
		alter func(f *fixture, s *component.Set, n int)
		first func(game.Line) bool // the line n
		what  string
	}{
		{"a reward of another VP", func(_ *fixture, s *component.Set, _ int) {
			for i := range s.Missions {
				s.Missions[i].Reward.VP++
			}
		}, order("place"), "told"},
		{"a die that was not rolled", func(f *fixture, _ *component.Set, n int) { f.rec.Log[n-1].Told[0] += "1" }, tells, "told"},
		{"an order not understood", func(f *fixture, _ *component.Set, n int) { f.rec.Log[n-1].Order = "die gold 4" }, order("die"), "order"},
		{"an order not legal", func(f *fixture, _ *component.Set, n int) { f.rec.Log[n-1].Order = "die orange 3 from seat 4 flip" }, order("die"), "order"},
		{"another number of legal steps", func(f *fixture, _ *component.Set, n int) {
			f.course[n] = strings.Replace(f.course[n], " of ", " of 1", 1)
		}, order("die"), "course"},
		{"a line too many", func(f *fixture, _ *component.Set, n int) { f.course = append(f.course, "") }, nil, "course"},
		{"an undo too far", func(f *fixture, _ *component.Set, n int) { f.rec.Log[n-1].Order = "undo 9999" }, order("undo"), "order"},
		{"another result", func(f *fixture, _ *component.Set, _ int) { f.rec.Result.Scores[0].VP++ }, nil, "result"},
		{"another winner", func(f *fixture, _ *component.Set, _ int) { f.rec.Result.Winners = []int{4} }, nil, "result"},
	} {
		t.Run(c.name, func(t *testing.T) {
			tried := 0
			for _, name := range fixtureNames(t) {
				f := readFixture(t, name)
				n := len(f.rec.Log)
				if c.first != nil {
					n = 1 + slices.IndexFunc(f.rec.Log, c.first)
				}
				if n == 0 || f.rec.Options.Players == 1 || tried == 8 { // Hal's reward comes in the line of others
					continue
				}
				tried++
				set := *f.set(t)
				c.alter(f, &set, n)
				if d := f.replay(&set); d == nil || d.line != n || d.what != c.what || !strings.Contains(d.Error(), fmt.Sprintf("line %d, ", n)) {
					t.Errorf("%s: line %d is altered, told: %v", name, n, d)
				}
			}
			if tried == 0 {
				t.Error("no game is altered by it")
			}
		})
	}
}
