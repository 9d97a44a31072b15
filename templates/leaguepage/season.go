package leaguepage

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"angelpost/engine/league"
	"angelpost/templates"
)

// SeasonPage returns what a season's page shows: its divisions after the first from of them,
// the players that match the visitor's search q, and how long games have waited by now. Of its
// frame only the title is set.
func (c *Presenter) SeasonPage(x *league.Season, from int, q string, now time.Time) *templates.Season {
	n := x.N
	p := &templates.Season{Name: c.season(n), Path: c.path(templates.Link{Text: c.Name(), Href: c.Href()}), Divisions: c.cards(x, from, cardsShown)}
	p.Title = c.Name() + ", " + lowered(c.season(n))
	played, games := tally(x.Divisions)
	p.Status = c.Say("leagues.state-running", "n", n, "played", played, "games", games)
	if x.Running() {
		p.Stops = c.stopped(0)
		p.Hanging = c.hanging(running(x), now)
	}
	if n == len(c.State.Seasons) {
		p.Dates = c.dates()
	}
	p.Results = c.results(n)
	if !x.Running() {
		p.Status = c.Say("leagues.season-over", "games", games)
	}
	if len(x.Divisions) > cardsShown {
		p.Find = c.find(x, c.Href(n), q)
		for at := 0; at < len(x.Divisions); at += cardsShown {
			l := templates.PageLink{Link: templates.Link{Text: c.Say("leagues.divisions-from", "from", at+1, "to", min(at+cardsShown, len(x.Divisions))), Href: c.Href(n)}, Here: at == from}
			if at > 0 {
				l.Href += "?from=" + strconv.Itoa(at)
			}
			p.Pages = append(p.Pages, l)
		}
	}
	p.Links = []templates.Link{{Text: c.Say("page.data"), Href: c.Href(n) + "/season.json"}}
	if from > 0 {
		p.Links[0].Href += "?from=" + strconv.Itoa(from)
	}
	for _, m := range []int{n - 1, n + 1} {
		if m >= 1 && m <= len(c.State.Seasons) {
			p.Links = append(p.Links, templates.Link{Text: c.season(m), Href: c.Href(m)})
		}
	}
	return p
}

// Divisions returns the divisions on such a page, and behind how many the next page
// begins; 0 if there is none.
func Divisions(x *league.Season, from int) (shown []league.Division, next int) {
	if from+cardsShown < len(x.Divisions) {
		next = from + cardsShown
	}
	return rowsOf(x.Divisions, from, cardsShown), next
}

// cards are divisions in short.
func (c *Presenter) cards(x *league.Season, from, many int) (out []templates.DivisionCard) {
	for i := range rowsOf(x.Divisions, from, many) {
		d := &x.Divisions[from+i]
		played, games := tally(x.Divisions[from+i : from+i+1])
		card := templates.DivisionCard{Name: c.division(x.N, d.N), Href: c.Href(x.N, d.N), State: c.Say("leagues.division-state", "players", len(d.Players), "played", played, "games", games)}
		rows := c.Standings(x.N, d.N)
		for _, r := range rowsOf(rows, 0, cardRows) {
			card.Rows = append(card.Rows, c.standing(d, r, !x.Running()))
		}
		if n := len(rows) - cardRows; n > 0 {
			card.More = c.Say("leagues.more-players", "n", n)
		}
		out = append(out, card)
	}
	return out
}

// maxFound bounds the players that are found.
const maxFound = 40

// find is the form that finds a player, and who was found by it.
func (c *Presenter) find(x *league.Season, action, q string) *templates.Find {
	f := &templates.Find{Action: action, Asked: q}
	if q == "" {
		return f
	}
	looked := strings.Fields(strings.ToLower(q))
	for i := range x.Divisions {
		d := &x.Divisions[i]
		for _, p := range d.Players {
			if len(f.Found) < maxFound && fits(strings.ToLower(c.Called(p)), looked) {
				f.Found = append(f.Found, templates.Found{Who: c.Person(p), Text: c.division(x.N, d.N), Href: c.Href(x.N, d.N) + "#p" + strconv.FormatInt(p, 10)})
			}
		}
	}
	return f
}

// fits reports whether each word asked for begins one of the name's.
func fits(name string, asked []string) bool {
	has := strings.Fields(name)
	for _, a := range asked {
		if !slices.ContainsFunc(has, func(n string) bool { return strings.HasPrefix(n, a) }) {
			return false
		}
	}
	return true
}
