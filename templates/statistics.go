package templates

import (
	"cmp"
	"net/url"
	"slices"
	"strconv"

	"angelpost/engine/sim"
	"angelpost/engine/statistics"
	"angelpost/engine/store"
	"angelpost/templates/draw"
)

// A Statistics is the page of what all kinds of games came to.
type Statistics struct {
	Frame
	Kinds []statistics.Kind
	Data  string
}

// A KindOfGame is the page of what the games of one kind came to.
type KindOfGame struct {
	Frame
	Kind statistics.Kind
	Data string
}

// KindHref is the address of a kind's page.
func KindHref(key string) string { return "/statistics/" + url.PathEscape(key) }

// A setOfKinds is all kinds that play one component set.
type setOfKinds struct {
	*report
	kinds []statistics.Kind // the ones played most first
}

// sets are the kinds by component set, the set played most first.
func (p *Statistics) sets() []setOfKinds {
	var out []setOfKinds
	for _, k := range p.Kinds {
		i := slices.IndexFunc(out, func(s setOfKinds) bool { return s.Set == k.Options.Set })
		if i < 0 {
			i = len(out)
			out = append(out, setOfKinds{report: p.reportOf(k)})
		}
		out[i].kinds = append(out[i].kinds, k)
	}
	for i := range out {
		s := &out[i]
		slices.SortStableFunc(s.kinds, func(a, b statistics.Kind) int { return cmp.Compare(b.Figures.Games, a.Figures.Games) })
		s.Runs = nil
		for _, k := range s.kinds {
			s.Runs = append(s.Runs, k.Figures)
		}
	}
	slices.SortStableFunc(out, func(a, b setOfKinds) int { return cmp.Compare(b.count(), a.count()) })
	return out
}

// reportOf is a report of one kind.
func (f Frame) reportOf(k statistics.Kind) *report {
	return &report{Voice: f.For(k.Set, 0, nil), set: k.Set, Report: &sim.Report{Set: k.Options.Set, Runs: []sim.Figures{k.Figures}}, brief: true}
}

func (s *setOfKinds) count() (n int) {
	for _, k := range s.kinds {
		n += k.Figures.Games
	}
	return n
}

// count is how many games are in all kinds.
func (p *Statistics) count() (n int) {
	for _, k := range p.Kinds {
		n += k.Figures.Games
	}
	return n
}

func percent(v float64) string { return strconv.FormatFloat(100*v, 'f', 0, 64) + " %" }

// between is an interval of shares.
func between(r sim.Rate) string {
	return strconv.FormatFloat(100*r.Low, 'f', 0, 64) + "–" + strconv.FormatFloat(100*r.High, 'f', 0, 64) + " %"
}

// openingsShown bounds the openings of two turns on a page.
const openingsShown = 12

// openings are those of so many turns, the commonest first.
func (r *report) openings(turns int) (out []sim.Opening) {
	for _, o := range r.Runs[0].Openings {
		if len(o.Moves) == turns && len(out) < openingsShown {
			out = append(out, o)
		}
	}
	return out
}

// move says what a turn of an opening was used for.
func (r *report) move(what string) string {
	if what[0] >= '1' && what[0] <= '6' {
		return r.location(what)
	}
	return r.Say(moveKeys[what])
}

var moveKeys = map[string]string{"mission": "statistics.move-mission", "B": "statistics.move-b", "pass": "statistics.move-pass"}

// opened is a part of all who opened.
func (r *report) opened(o sim.Opening) string {
	all := 0
	for _, x := range r.Runs[0].Openings {
		if len(x.Moves) == len(o.Moves) {
			all += x.Times
		}
	}
	return percent(float64(o.Times) / float64(all))
}

// plots are all plots of a kind, the openings' among the first.
func (r *report) plots() []figure {
	return slices.Insert(r.figures(&r.Runs[0]), 2, r.opening())
}

// opening plots who won by first turn.
func (r *report) opening() figure {
	var rows []draw.RateRow
	for _, o := range r.openings(1) {
		rows = append(rows, draw.RateRow{Label: r.move(o.Moves[0]), Share: o.Win.Share, Low: o.Win.Low, High: o.Win.High, Fair: 1 / float64(r.Runs[0].Players)})
	}
	return r.figure(r.Say("statistics.opening-wins"), r.Say("sim.wins-note"), func(b []byte, title string) []byte { return draw.AppendRates(b, title, rows) })
}

// turns is how many first turns an opening is.
func (r *report) turns(n int) string {
	if n == 1 {
		return r.Say("statistics.turn")
	}
	return r.Say("statistics.turns", "n", n)
}

// counted says how many games are counted; "" none.
func (p *Statistics) counted() string {
	if len(p.Kinds) == 0 {
		return ""
	}
	return p.Say("statistics.all", "n", p.count())
}

// games is the address of the public games of the kind that are over.
func (p *KindOfGame) games() string {
	o := p.Kind.Options
	return "/games?" + url.Values{"state": {store.GameFinished}, "players": {strconv.Itoa(o.Players)}, "rules": {o.Rules}, "edition": {o.Edition}}.Encode()
}
