package sim

import (
	"encoding/json"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"angelpost/engine/bot"
	"angelpost/engine/game"
)

// TestSpread holds figures worked out by hand.
func TestSpread(t *testing.T) {
	d := dist{}
	for _, v := range []int{-3, 1, 1, 2, 9} {
		d[v]++
	}
	got := d.spread()
	want := Spread{N: 5, Mean: 2, SD: 4.36, Min: -3, P5: -3, P25: 1, Median: 1, P75: 2, P95: 9, Max: 9}
	h := got.Histogram
	got.Histogram = Histogram{}
	if a, b := asJSON(t, got), asJSON(t, want); a != b {
		t.Errorf("got  %s\nwant %s", a, b)
	}
	if h.From != -3 || h.Width != 1 || !slices.Equal(h.Counts, []int{1, 0, 0, 0, 2, 1, 0, 0, 0, 0, 0, 0, 1}) {
		t.Errorf("histogram %+v", h)
	}
	d[1000] = 3
	if h := d.spread().Histogram; h.From != -50 || h.Width != 50 || len(h.Counts) != 22 || h.Counts[0] != 1 || h.Counts[1] != 4 || h.Counts[21] != 3 {
		t.Errorf("wide histogram %+v", h)
	}
	if s := (dist{}).spread(); s.N != 0 || len(s.Histogram.Counts) != 0 {
		t.Errorf("of nothing: %+v", s)
	}
}

// TestRate holds Wilson's interval against published values.
func TestRate(t *testing.T) {
	for _, c := range []struct {
		part      float64
		n         int
		low, high float64
	}{{5, 10, 0.2366, 0.7634}, {0, 10, 0, 0.2775}, {10, 10, 0.7225, 1}, {2500, 10000, 0.2416, 0.2586}, {0, 0, 0, 1}} {
		if r := RateOf(c.part, c.n); math.Abs(r.Low-c.low) > 1e-4 || math.Abs(r.High-c.high) > 1e-4 {
			t.Errorf("%v of %d: %+v, want %v to %v", c.part, c.n, r, c.low, c.high)
		}
	}
}

// reported are setups that between them know every rule.
func reported() []Setup {
	duel, four, solo := setup(2, bot.Greedy, bot.Random), setup(4, bot.Greedy), setup(1, bot.Greedy)
	four.Options.Rules, four.Options.Edition = "advanced", "first"
	solo.Options.Rules, solo.Options.Hal = "advanced", "standard"
	return []Setup{duel, four, solo}
}

// TestReportAgreesWithLogs counts again, from the text of the games' logs.
func TestReportAgreesWithLogs(t *testing.T) {
	const games = 4
	for _, su := range reported() {
		series := su.Series()
		again := map[string]int{} // "group thing way"
		by := map[string]int{}    // told VP by seat and source
		var leads, turns []int
		wins := make([]float64, 4)
		for i := 1; i <= games; i++ {
			r, lines, err := su.Play(i, Seed("report", i))
			if err != nil {
				t.Fatal(err)
			}
			series.Add(r)
			recount(again, by, lines)
			turns = append(turns, r.Turns)
			for _, w := range r.Winners {
				wins[w-1] += 1 / float64(len(r.Winners))
			}
			var vp []int
			for _, s := range r.Scores {
				vp = append(vp, *s.Final)
			}
			if su.Options.Players > 1 {
				slices.Sort(vp)
				slices.Reverse(vp)
			}
			leads = append(leads, vp[0]-vp[1])
		}
		f := series.Figures(games)
		counted := 0
		for group, uses := range f.Uses {
			for _, u := range uses {
				for way, n := range u.Times {
					if want, ok := again[group+" "+u.Thing+" "+way]; ok || recounted[group+" "+way] || recounted[group+" "+u.Thing] {
						counted++
						if n != want {
							t.Errorf("%d players: %s %s %s: %d, counted again %d", f.Players, group, u.Thing, way, n, want)
						}
					}
				}
			}
		}
		if counted < 200 {
			t.Errorf("%d players: only %d counts were counted again", f.Players, counted)
		}
		for _, s := range f.Seats {
			for source, mean := range s.By {
				want := by[strconv.Itoa(s.Seat)+" "+source]
				if source == "start" { // told before the first line
					continue
				}
				if math.Abs(mean-float64(want)/games) > 0.005 {
					t.Errorf("%d players: seat %d %s: %v VP a game, told %d in %d games", f.Players, s.Seat, source, mean, want, games)
				}
			}
			if math.Abs(s.Win.Share-wins[s.Seat-1]/games) > 1e-4 {
				t.Errorf("%d players: seat %d wins %v, counted again %v of %d", f.Players, s.Seat, s.Win, wins[s.Seat-1], games)
			}
		}
		slices.Sort(leads)
		slices.Sort(turns)
		if f.Lead.Min != leads[0] || f.Lead.Max != leads[games-1] || f.Turns.Min != turns[0] || f.Turns.Median != turns[1] {
			t.Errorf("%d players: leads %v, report %+v; turns %v, report %+v", f.Players, leads, f.Lead, turns, f.Turns)
		}
	}
}

// recounted are the groups' ways, and things of play, that recount counts all of.
var recounted = map[string]bool{
	"missions placed": true, "missions played": true, "missions used": true, "ravagers played": true,
	"locations acted": true, "technology taken": true, "advanced taken": true, "technology injected": true, "play sequence B": true,
	"play pass": true, "play sequence A": true, "play flip": true, "play flip before the die": true, "play launch": true,
}

var vpTold = regexp.MustCompile(`^vp seat (\d) ([+-]\d+) (\w+)$`)

// recount reads orders and what was told.
func recount(n, by map[string]int, lines []game.Line) {
	for _, l := range lines {
		w := strings.Fields(l.Order)
		switch w[0] {
		case "place":
			n["missions "+w[1]+" placed"]++
		case "card":
			if w[1] > "060" {
				n["ravagers "+w[1]+" played"]++
			} else {
				n["missions "+w[1]+" played"]++
			}
		case "mission":
			n["missions "+w[1]+" used"]++
		case "take":
			for _, tile := range w[1:] {
				if tile[0] == 'a' {
					n["advanced "+tile+" taken"]++
				} else {
					n["technology "+tile+" taken"]++
				}
			}
		case "inject":
			if w[1][0] == 't' {
				n["technology "+w[1]+" injected"]++
			}
		case "B":
			n["play sequence B times"]++
		case "pass":
			n["play pass times"]++
		case "flip":
			n["play flip before the die times"]++
		case "die":
			n["play sequence A times"]++
			if w[len(w)-1] == "flip" {
				n["play flip times"]++
			}
		case "discover", "repair", "destroy", "command":
			n["locations "+map[string]string{"1": "1 discover orange", "2": "2 command orange", "3": "3 repair gray",
				"4": "4 command gray", "5": "5 destroy green", "6": "6 command green"}[w[2]]+" acted"]++
		}
		for i, word := range w {
			if word == "launch" && w[i+1] == "to" {
				n["play launch times"]++
			}
		}
		for _, told := range l.Told {
			if m := vpTold.FindStringSubmatch(told); m != nil {
				vp, _ := strconv.Atoi(m[2])
				by[m[1]+" "+m[3]] += vp
			}
		}
	}
}

// TestReport holds what a report says of all runs together, and that neither
// the order of the games nor how they are shared out changes a byte.
func TestReport(t *testing.T) {
	var runs, back []Figures
	for _, su := range reported() {
		a, b := su.Series(), su.Series()
		var results []*Result
		for i := 1; i <= 3; i++ {
			r, _, err := su.Play(i, Seed("report", i))
			if err != nil {
				t.Fatal(err)
			}
			results = append(results, r)
			a.Add(r)
		}
		for _, r := range slices.Backward(results) {
			b.Add(r)
		}
		runs, back = append(runs, a.Figures(3)), append(back, b.Figures(3))
	}
	set := reported()[0].Set
	r := NewReport(set, "report", true, runs)
	if a, b := asJSON(t, r), asJSON(t, NewReport(set, "report", true, back)); a != b {
		t.Error("the order of the games shows in the report")
	}
	for _, u := range r.Unused {
		times, known := 0, false
		for _, f := range runs {
			known = known || slices.Contains(f.Unused, u)
			for _, use := range f.Uses[u.Group] {
				if use.Thing == u.Thing {
					times += use.Times[u.Way]
				}
			}
		}
		if times > 0 || !known {
			t.Errorf("%+v is used %d times, known to a run: %v", u, times, known)
		}
	}
	if len(r.Unused) == 0 || len(r.Unused) >= len(runs[0].Unused) {
		t.Errorf("%d things are used in no run, %d not in the first", len(r.Unused), len(runs[0].Unused))
	}
	for group, want := range map[string][3]bool{"boosts": {false, true, true}, "hal_cards": {false, false, true}, "missions": {true, true, true}} {
		for i, f := range runs {
			if got := f.Uses[group] != nil; got != want[i] {
				t.Errorf("run %d has %s: %v", i, group, got)
			}
		}
	}
	if f := reported()[0].Series().Figures(5); f.Games != 0 || len(f.Unused) != 0 {
		t.Errorf("no games yet: %+v", f)
	}
}

func asJSON(t *testing.T, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
