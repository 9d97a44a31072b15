package templates

import (
	"cmp"
	"context"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/a-h/templ"

	"angelpost/engine"
	"angelpost/engine/component"
	"angelpost/engine/sim"
	"angelpost/templates/draw"
	"angelpost/templates/words"
)

// WriteReport writes a report as one page that needs nothing else and has no
// script; set is the one that was played.
func WriteReport(w io.Writer, c *words.Catalogue, set *component.Set, r *sim.Report) error {
	return reportPage(&report{Voice: c.For(set, 0, nil), set: set, Report: r}).Render(context.Background(), w)
}

// report is a Report with what its page says.
type report struct {
	*words.Voice
	set *component.Set
	*sim.Report
	brief bool // a page that is to load fast, not a file
}

// A figure is a plot with its heading.
type figure struct {
	title, note string
	more        string // what is striking
	svg         string
}

func (r *report) figure(title, note string, draw func(b []byte, title string) []byte) figure {
	return figure{title: title, note: note, svg: string(draw(nil, title))}
}

func (r *report) games() (played, wanted int) {
	for _, f := range r.Runs {
		played += f.Games
		wanted += f.Wanted
	}
	return played, wanted
}

func (r *report) title() string {
	n, _ := r.games()
	return r.Say("sim.title", "games", n)
}

func (r *report) part() string {
	n, all := r.games()
	return r.Say("sim.part", "games", n, "wanted", all)
}

func (r *report) word(s string) string { return r.Say("sim-word." + s) }

func (r *report) run(f *sim.Figures) string {
	if f.Players == 1 {
		return r.Say("sim.solo-run", "level", r.word(f.Hal), "rules", r.word(f.Rules), "edition", r.word(f.Edition))
	}
	return r.Say("sim.run", "n", f.Players, "rules", r.word(f.Rules), "edition", r.word(f.Edition))
}

// short is a run's name next to a plot.
func (r *report) short(f *sim.Figures) string {
	who := r.Say("sim.players", "n", f.Players)
	if f.Players == 1 {
		who = r.Say("term.hal") + " " + r.word(f.Hal)
	}
	if f.Edition == "first" {
		return r.Say("sim.short-first", "who", who, "rules", r.word(f.Rules))
	}
	return r.Say("sim.short", "who", who, "rules", r.word(f.Rules))
}

func anchor(i int) string { return "setup" + strconv.Itoa(i+1) }

func (r *report) played(f *sim.Figures) string {
	var bots []string
	for _, b := range f.Bots {
		if !slices.Contains(bots, b) {
			bots = append(bots, b)
		}
	}
	return r.Say("sim.games-of", "games", f.Games, "bots", r.List(bots))
}

func spread(label string, s sim.Spread) draw.RangeRow {
	return draw.RangeRow{Label: label, Min: s.Min, P5: s.P5, P25: s.P25, Median: s.Median, P75: s.P75, P95: s.P95, Max: s.Max, Mean: s.Mean}
}

// overview are the plots of all runs together; with one run they are among its
// own.
func (r *report) overview() []figure {
	ranges := func(title, note string, of func(f *sim.Figures) sim.Spread) figure {
		var rows []draw.RangeRow
		for i := range r.Runs {
			rows = append(rows, spread(r.short(&r.Runs[i]), of(&r.Runs[i])))
		}
		return r.figure(title, note, func(b []byte, title string) []byte { return draw.AppendRanges(b, title, rows) })
	}
	out := []figure{r.endings(r.Runs)}
	if level := r.levels(); level.svg != "" {
		out = append(out, level)
	}
	return append(out,
		ranges(r.Say("sim.turns"), r.Say("sim.turns-note"), func(f *sim.Figures) sim.Spread { return f.Turns }),
		ranges(r.Say("sim.decisions"), r.Say("sim.decisions-note"), func(f *sim.Figures) sim.Spread { return f.Decisions }),
		ranges(r.Say("sim.winner"), r.Say("sim.winner-note"), func(f *sim.Figures) sim.Spread { return f.Places[0] }),
		ranges(r.Say("sim.lead-vp"), r.Say("sim.lead-note"), func(f *sim.Figures) sim.Spread { return f.Lead }))
}

func (r *report) endings(runs []sim.Figures) figure {
	var rows []draw.StackRow
	for i := range runs {
		row := draw.StackRow{Label: r.short(&runs[i])}
		for _, e := range runs[i].Endings {
			row.Parts = append(row.Parts, 100*e.Share)
		}
		rows = append(rows, row)
	}
	names := []string{r.Say("sim.spes"), r.Say("sim.ravagers")}
	return r.figure(r.Say("sim.endings"), r.Say("sim.endings-note"), func(b []byte, title string) []byte {
		return draw.AppendStack(b, title, names, rows, " %")
	})
}

// levels are the player's victories by Hal's level; nothing without solo games.
func (r *report) levels() figure {
	var rows []draw.RateRow
	for i := range r.Runs {
		if f := &r.Runs[i]; f.Players == 1 {
			w := f.Seats[0].Win
			rows = append(rows, draw.RateRow{Label: r.short(f), Share: w.Share, Low: w.Low, High: w.High})
		}
	}
	if rows == nil {
		return figure{}
	}
	return r.figure(r.Say("sim.level"), r.Say("sim.level-note"), func(b []byte, title string) []byte { return draw.AppendRates(b, title, rows) })
}

func (r *report) seat(f *sim.Figures, s sim.SeatFigures) string {
	if f.Players == 1 && s.Seat == int(engine.Hal) {
		return r.Say("sim.hal", "level", r.word(f.Hal))
	}
	if s.Bot == "" {
		return r.Say("sim.seat-alone", "n", s.Seat)
	}
	return r.Say("sim.seat", "n", s.Seat, "bot", s.Bot)
}

// figures are the plots of one run.
func (r *report) figures(f *sim.Figures) []figure {
	var wins []draw.RateRow
	var scores []draw.HistRow
	var places []draw.RangeRow
	var sources []draw.StackRow
	var names []string
	for s := range engine.Sources {
		names = append(names, r.Say("source."+s.String()))
	}
	for _, s := range f.Seats {
		name := r.seat(f, s)
		win := draw.RateRow{Label: name, Share: s.Win.Share, Low: s.Win.Low, High: s.Win.High}
		if f.Players > 1 {
			win.Fair = 1 / float64(f.Players)
		}
		wins = append(wins, win)
		scores = append(scores, draw.HistRow{Label: name, From: s.VP.Histogram.From, Width: s.VP.Histogram.Width, Counts: s.VP.Histogram.Counts, Median: s.VP.Median})
		row := draw.StackRow{Label: name}
		for s2 := range engine.Sources {
			row.Parts = append(row.Parts, s.By[s2.String()])
		}
		sources = append(sources, row)
	}
	for i, p := range f.Places {
		places = append(places, spread(r.Say("sim.place", "n", i+1), p))
	}
	places = append(places, spread(r.Say("sim.lead-vp"), f.Lead))
	if f.Players > 2 {
		places = append(places, spread(r.Say("sim.gap"), f.Gap))
	}
	out := []figure{
		r.figure(r.Say("sim.wins"), r.Say("sim.wins-note"), func(b []byte, title string) []byte { return draw.AppendRates(b, title, wins) }),
		r.figure(r.Say("sim.scores"), r.Say("sim.scores-note"), func(b []byte, title string) []byte { return draw.AppendHistograms(b, title, scores) }),
		r.figure(r.Say("sim.sources"), r.Say("sim.sources-note"), func(b []byte, title string) []byte {
			return draw.AppendStack(b, title, names, sources, "")
		}),
		r.figure(r.Say("sim.places"), r.Say("sim.places-note"), func(b []byte, title string) []byte { return draw.AppendRanges(b, title, places) }),
		r.histogram(r.Say("sim.rounds"), f.Rounds),
		r.histogram(r.Say("sim.turns"), f.Turns),
		r.histogram(r.Say("sim.decisions"), f.Decisions),
	}
	if len(r.Runs) == 1 {
		out = append([]figure{r.endings(r.Runs)}, out...)
	}
	return append(out, r.uses(f)...)
}

// histogram plots one spread, with its mean and deviation in words.
func (r *report) histogram(title string, s sim.Spread) figure {
	two := func(v float64) string { return strconv.FormatFloat(v, 'f', 2, 64) }
	note := r.Say("sim.spread", "mean", two(s.Mean), "sd", two(s.SD), "low", s.Min, "high", s.Max)
	rows := []draw.HistRow{{Label: r.Say("sim.games"), From: s.Histogram.From, Width: s.Histogram.Width, Counts: s.Histogram.Counts, Median: s.Median}}
	return r.figure(title, note, func(b []byte, title string) []byte { return draw.AppendHistograms(b, title, rows) })
}

// uses are the plots of what comes into play.
func (r *report) uses(f *sim.Figures) []figure {
	location := func(u sim.Use, _ string) string { return r.location(u.Thing) }
	start := sim.Figures{Games: f.Games, Uses: map[string][]sim.Use{"technology": f.Uses["technology"][component.Tiles:]}}
	out := []figure{
		r.bars(f, "locations", []string{"acted"}, r.Say("sim.locations"), r.Say("sim.locations-note"), location),
		r.bars(&start, "technology", []string{"activated"}, r.Say("sim.starting"), r.Say("sim.starting-note"), func(u sim.Use, _ string) string {
			n, _ := strconv.Atoi(u.Thing[1:])
			return r.TileName(engine.FirstStart + engine.Tile(n-1))
		}),
	}
	if f.Uses["boosts"] != nil {
		out = append(out, r.bars(f, "boosts", []string{"used", "turned"}, r.Say("sim.boosts"), r.Say("sim.boosts-note"), func(u sim.Use, way string) string {
			return r.Say(boostKeys[way], "n", u.Thing[1:])
		}))
	}
	if f.Players == 1 {
		out = append(out, r.bars(f, "locations", []string{"hal"}, r.Say("sim.hal", "level", r.word(f.Hal))+": "+r.Say("sim.locations"), r.Say("sim.locations-hal-note"), location))
	}
	thing := func(u sim.Use, _ string) string { return r.thing(u.Thing) }
	out = append(out, r.bars(f, "play", []string{"times"}, r.Say("sim.play"), r.Say("sim.play-note"), thing))
	if f.Players == 1 {
		out = append(out,
			r.bars(f, "hal_vp", []string{"vp"}, r.Say("sim.hal-vp"), r.Say("sim.hal-vp-note"), thing),
			r.bars(f, "hal_cards", []string{"upper", "lower"}, r.Say("sim.hal-cards"), r.Say("sim.hal-cards-note"), func(u sim.Use, way string) string {
				return r.Say("sim.hal-card", "n", u.Thing, "half", r.Say("sim-way."+way))
			}))
	}
	for _, g := range []struct {
		group, title string
		ways, brief  []string // brief: where there is little room
	}{
		{"missions", r.Say("sim.missions"), []string{"placed", "activated", "neutralized", "played"}, []string{"placed", "activated"}},
		{"ravagers", r.Say("sim.ravager-cards"), []string{"attacked", "effect", "destroyed"}, []string{"destroyed"}},
		{"technology", r.Say("sim.technology"), []string{"taken", "activated", "boosted"}, []string{"taken"}},
		{"advanced", r.Say("sim.advanced"), []string{"taken", "vp"}, []string{"taken"}},
	} {
		if r.brief {
			g.ways = g.brief
		}
		for _, way := range g.ways {
			if p := r.many(f, g.group, g.title, way); p.svg != "" {
				out = append(out, p)
			}
		}
	}
	return out
}

var boostKeys = map[string]string{"used": "sim.boost-used", "turned": "sim.boost-turned"}

// thing is the word for something that the report names in English.
func (r *report) thing(name string) string {
	return r.Say("sim-thing." + strings.ReplaceAll(strings.ReplaceAll(strings.ToLower(name), "'", ""), " ", "-"))
}

func (r *report) location(name string) string {
	n, _ := strconv.Atoi(name[:1])
	l := r.set.Locs[n]
	return r.Say("sim.location", "n", n, "action", r.Action(l.Action), "color", r.Color(l.Color))
}

// bars plots a few things below each other, the most used first, times a game.
func (r *report) bars(f *sim.Figures, group string, ways []string, title, note string, name func(u sim.Use, way string) string) figure {
	var rows []draw.BarRow
	for _, u := range f.Uses[group] {
		for _, way := range ways {
			n, ok := u.Times[way]
			if !ok {
				continue
			}
			rows = append(rows, draw.BarRow{Label: name(u, way), Value: float64(n) / float64(max(f.Games, 1)), Mark: n == 0})
		}
	}
	slices.SortStableFunc(rows, func(a, b draw.BarRow) int { return cmp.Compare(b.Value, a.Value) })
	return r.figure(title, note, func(b []byte, title string) []byte { return draw.AppendBars(b, title, rows, "") })
}

// many plots the things of a group side by side, the most used first, and
// names those that lie far from the others (Tukey's fences).
func (r *report) many(f *sim.Figures, group, title, way string) figure {
	var bars []draw.UseBar
	for _, u := range f.Uses[group] {
		n, ok := u.Times[way]
		if !ok || group == "technology" && u.Thing[0] == 's' { // in every game from the start
			continue
		}
		bar := draw.UseBar{Label: u.Thing, Value: 100 * float64(n) / float64(max(f.Games, 1)), Color: engine.None}
		bar.Title, bar.Color = r.explain(group, u.Thing)
		bars = append(bars, bar)
	}
	if bars == nil {
		return figure{}
	}
	slices.SortStableFunc(bars, func(a, b draw.UseBar) int { return cmp.Compare(b.Value, a.Value) })
	high, low := bars[len(bars)/4].Value, bars[len(bars)-1-len(bars)/4].Value
	reach := 1.5 * (high - low)
	var out, never []string
	for i := range bars {
		u := &bars[i]
		u.Mark = u.Value == 0 || u.Value > high+reach || u.Value < low-reach
		switch {
		case u.Value == 0:
			never = append(never, u.Label)
		case u.Mark:
			out = append(out, u.Label+" ("+strconv.FormatFloat(u.Value, 'f', 1, 64)+")")
		}
		u.Title += ": " + strconv.FormatFloat(u.Value, 'f', 1, 64)
	}
	note := r.Say("sim.per-hundred", "way", r.Say("sim-way."+way))
	if way == "vp" {
		note = r.Say("sim.per-hundred-vp")
	}
	p := r.figure(title+": "+r.Say("sim-way."+way), words.Sentence(note), func(b []byte, title string) []byte { return draw.AppendUses(b, title, bars) })
	switch {
	case out != nil:
		p.more = r.Say("sim.out", "things", strings.Join(out, ", "))
	case never == nil:
		p.more = r.Say("sim.even")
	}
	if never != nil {
		p.more = strings.TrimSpace(p.more + " " + r.Say("sim.never", "things", strings.Join(never, ", ")))
	}
	return p
}

// explain is a card or tile in words, with its colour.
func (r *report) explain(group, name string) (string, engine.Color) {
	n, _ := strconv.Atoi(strings.TrimLeft(name, "ta"))
	switch {
	case group == "missions" || group == "ravagers":
		c := engine.Card(n)
		return name + " (" + r.Card(r.set, c) + ")", c.Color()
	case group == "advanced":
		return name + " (" + r.Tile(r.set, engine.FirstAdvanced+engine.Tile(n-1)) + ")", engine.None
	}
	t := engine.Tile(n)
	text := r.Tile(r.set, t)
	if boost := r.Boost(t); boost != "" {
		text += "; " + boost
	}
	return name + " (" + text + ")", r.set.Tiles[t].Color
}

// unused says in words what no one used, one thing per line.
func (r *report) unused(list []sim.Unused) []string {
	var things []string
	ways := map[string][]string{}
	for _, u := range list {
		thing := u.Thing
		switch u.Group {
		case "play":
			thing = r.thing(thing)
		case "locations":
			thing = r.location(thing)
		}
		thing = r.Say("sim-group."+u.Group, "thing", thing)
		if ways[thing] == nil {
			things = append(things, thing)
		}
		ways[thing] = append(ways[thing], r.Say("sim-way."+u.Way))
	}
	for i, thing := range things {
		things[i] = r.Say("sim.unused-item", "thing", thing, "way", r.Either(ways[thing]))
	}
	return things
}

func reportStyle() templ.Component {
	return templ.Raw("<style>" + reportCSS + draw.ChartCSS + "</style>")
}

const reportCSS = `:root{color-scheme:light dark;--paper:var(--sheet);--ground:#f6f7f9;--sheet:#fff;--ink:#1a2230;--soft:#5a6576;--line:#dde2e9;--accent:#1c5bb8;--box:#cfe0f7;--bar:#7d9fcf;--orange:#d96b00;--gray:#6f7c8e;--green:#1d8a53;--ravager:#b3202c}
@media screen and (prefers-color-scheme:dark){:root{--ground:#0f131a;--sheet:#181e27;--ink:#e7ebf1;--soft:#9aa6b7;--line:#2d3642;--accent:#8bb8ff;--box:#27446d;--bar:#5f86bd;--orange:#ff9d45;--gray:#aab6c6;--green:#4cc98a;--ravager:#ff6b75}}
*{box-sizing:border-box}
body{margin:0 auto;padding:24px 20px 48px;max-width:1560px;background:var(--ground);color:var(--ink);font:16px/1.5 Helvetica Neue,Arial,Liberation Sans,Roboto,sans-serif}
h1{font-size:1.7rem;line-height:1.2;margin:0 0 .4rem}
h2{font-size:1.3rem;line-height:1.3;margin:2.6rem 0 .3rem;padding-top:.8rem;border-top:2px solid var(--line)}
h3{font-size:1rem;margin:0}
p,ul{margin:.3rem 0}
a{color:var(--accent)}
.soft{color:var(--soft);font-size:.88rem}
.hash{overflow-wrap:anywhere}
.stopped{border-left:4px solid var(--ravager);padding-left:10px;font-weight:700}
.never{columns:18rem;column-gap:2.2rem;padding-left:1.2rem;font-size:.92rem}
nav ul{columns:22rem;column-gap:2.2rem;padding-left:1.2rem}
.plots{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,330px),1fr));gap:18px;margin-top:14px;align-items:start}
figure{margin:0;padding:14px 16px;background:var(--sheet);border:1px solid var(--line);border-radius:8px;min-width:0}
.chart{margin-top:8px}
@media print{body{padding:0;max-width:none;background:none;font-size:10pt}.plots{display:block}figure{break-inside:avoid;border:0;padding:0;margin:0 0 14px}h2{border:0}section[id]:not(#setup1)>h2{break-before:page}nav{display:none}}
`
