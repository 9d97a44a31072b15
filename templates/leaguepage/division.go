package leaguepage

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"angelpost/engine/league"
	"angelpost/engine/store"
	"angelpost/templates"
)

// Bounds of a division's page. The rest is on further pages.
const (
	rowsShown   = 60  // players
	termsShown  = 500 // parts of figures that are shown at once
	gamesShown  = 80  // of a schedule
	crossShown  = 16  // players of a cross table
	waitsShown  = 5   // games that wait longest
	cardRows    = 8   // of a division in short
	cardsShown  = 24  // divisions on a page
	firstShown  = 6   // on the league's
	newsShown   = 6   // of a kind on the league's page
	rulingsPage = 40
)

// An Ask says which part of a division a visitor wants to see.
type Ask struct {
	Season, Division int
	From             int   // players to leave out
	Round            int   // 0: the present one, if not all are shown
	Of               int64 // whose figures are open; 0 no one's
}

// In returns the division of a league that a visitor wants to see, nil if there is none.
func (ask Ask) In(s *league.State) *league.Division {
	if ask.Season < 1 || ask.Season > len(s.Seasons) || ask.Division < 1 || ask.Division > len(s.Seasons[ask.Season-1].Divisions) {
		return nil
	}
	return &s.Seasons[ask.Season-1].Divisions[ask.Division-1]
}

// Wants returns the games that a division's page tells of.
func (ask Ask) Wants(s *league.State) (games []string) {
	if d := ask.In(s); d != nil {
		for _, f := range d.Fixtures {
			if f.Game != "" {
				games = append(games, f.Game)
			}
		}
	}
	return games
}

// rowsOf returns at most many of all, starting at from.
func rowsOf[T any](all []T, from, many int) []T {
	from = min(from, len(all))
	return all[from:min(from+many, len(all))]
}

// tail are the last n, the last first.
func tail[T any](all []T, n int) []T {
	out := slices.Clone(all[max(0, len(all)-n):])
	slices.Reverse(out)
	return out
}

// roundsOf are the rounds of a division that are shown: all, or one if they
// have many games.
func roundsOf(d *league.Division, round int) (out [][]*league.Fixture, all int) {
	by := map[int][]*league.Fixture{}
	present := 0
	for _, f := range d.Fixtures {
		all = max(all, f.Round)
		by[f.Round] = append(by[f.Round], f)
		if !f.Over() && (present == 0 || f.Round < present) {
			present = f.Round
		}
	}
	first, last := 1, all
	if len(d.Fixtures) > gamesShown || round > 0 {
		if round == 0 {
			round = present
		}
		if round == 0 {
			round = all
		}
		first, last = round, min(round, all)
	}
	for n := first; n <= last; n++ {
		if len(by[n]) > 0 {
			out = append(out, by[n])
		}
	}
	return out, all
}

// DivisionPage returns what a division's page shows, as asked, by the clock at now; nil if
// there is no such page. Of its frame it has the title alone.
func (c *Presenter) DivisionPage(ask Ask, now time.Time) *templates.Division {
	d := ask.In(c.State)
	if d == nil {
		return nil
	}
	x := &c.State.Seasons[ask.Season-1]
	all := c.Standings(ask.Season, ask.Division)
	rounds, last := roundsOf(d, ask.Round)
	if ask.From >= len(all) && ask.From > 0 || ask.Round > last {
		return nil
	}
	for _, games := range rounds {
		for _, f := range rowsOf(games, 0, gamesShown) {
			c.here[f.ID] = true
		}
	}
	p := &templates.Division{Name: c.season(x.N), Path: c.path(templates.Link{Text: c.Name(), Href: c.Href()}, templates.Link{Text: c.season(x.N), Href: c.Href(x.N)})}
	p.Title = c.Name() + ", " + lowered(c.season(x.N))
	if c.divided(x.N) {
		p.Name = c.division(x.N, d.N)
		p.Title += ", " + lowered(p.Name)
	}
	played, games := tally(x.Divisions[d.N-1 : d.N])
	p.Status = c.Say("leagues.division-state", "players", len(d.Players), "played", played, "games", games)
	if len(all) > 0 {
		p.Standings = c.standings(d, rowsOf(all, ask.From, rowsShown), ask, !x.Running())
	}
	p.Guests = c.guests(ask.Season, ask.Division)
	if x.Running() {
		p.Stops = c.stopped(d.N)
		p.Hanging = c.hanging(d.Fixtures, now)
	}
	switch x.Rules.Kind {
	case league.Solo:
		p.Weeks = c.weeks(all, rounds)
	case league.Knockout:
		p.Bracket = true
		p.Rounds, p.Tree = c.bracket(d, rounds)
	case league.Ladder:
		p.Rounds = c.schedule(rounds)
	default:
		p.Rounds, p.Cross = c.schedule(rounds), c.crossTable(ask.Season, ask.Division, all)
	}
	p.Design = c.design(d)
	p.Pages = c.pagesOf(x, d)
	p.More = c.rowPages(len(all), ask)
	if len(rounds) < last {
		p.Other = c.roundPages(d, rounds)
	}
	p.Links = []templates.Link{{Text: c.Say("page.data"), Href: c.Href(x.N, d.N) + "/division.json"}}
	return p
}

// standings are a division's table: of the players in rows, as asked.
func (c *Presenter) standings(d *league.Division, rows []league.Standing, ask Ask, over bool) *templates.Standings {
	t := &templates.Standings{Title: c.Say("leagues.standings"), Points: c.Say("leagues.points")}
	ties, lots := c.RulesOf(ask.Season).Ties, drawn(rows)
	if c.RulesOf(ask.Season).Kind == league.Knockout {
		t.Points = c.Say("leagues.points-knockout")
	}
	for _, tie := range ties {
		if tie != league.Lot || lots {
			t.Columns = append(t.Columns, c.Say("leagues.tie-"+string(tie)))
		}
	}
	terms := 0
	for _, r := range rows {
		terms += len(r.Points.Terms)
		for _, f := range r.Ties {
			terms += len(f.Terms)
		}
	}
	ways := map[string]bool{}
	for _, r := range rows {
		row := c.standing(d, r, over)
		for _, f := range r.Ties {
			if f.Of != league.Lot || lots {
				row.Figures = append(row.Figures, c.value(f))
			}
		}
		if terms <= termsShown || ask.Of == r.Player {
			row.Why, row.Open = c.why(r, t.Points), ask.Of == r.Player
		} else {
			row.More = c.Href(ask.Season, ask.Division) + "?of=" + strconv.FormatInt(r.Player, 10) + "#p" + strconv.FormatInt(r.Player, 10)
			if ask.From > 0 {
				row.More = strings.Replace(row.More, "#", "&from="+strconv.Itoa(ask.From)+"#", 1)
			}
		}
		ways[row.Way] = true
		t.Rows = append(t.Rows, row)
	}
	for _, way := range []string{"up", "down"} {
		if ways[way] {
			key := "leagues.note-" + way
			if over {
				key = "leagues.noted-" + way
			}
			t.Notes = append(t.Notes, templates.Note{Way: way, Text: c.Say(key)})
		}
	}
	switch {
	case c.RulesOf(ask.Season).Kind == league.Ladder:
		t.Notes = append(t.Notes, templates.Note{Text: c.Say("leagues.about-standing")})
	case len(ties) > 0:
		var names []string
		for _, tie := range ties {
			names = append(names, c.Say("leagues.tie-"+string(tie)))
		}
		t.Notes = append(t.Notes, templates.Note{Text: c.Say("leagues.about-ties", "ties", c.List(names))})
	}
	return t
}

// drawn reports whether a lot decided anything.
func drawn(rows []league.Standing) bool {
	for _, r := range rows {
		for _, f := range r.Ties {
			if f.Of == league.Lot && f.Decides {
				return true
			}
		}
	}
	return false
}

// standing is a player's row without its tie-breaks.
func (c *Presenter) standing(d *league.Division, r league.Standing, over bool) templates.Standing {
	row := templates.Standing{ID: "p" + strconv.FormatInt(r.Player, 10), Rank: strconv.Itoa(r.Rank), Who: c.Person(r.Player), Played: strconv.Itoa(r.Played) + "/" + strconv.Itoa(r.Games), Points: figure(r.Points.Value), Way: string(r.Move)}
	tense := "moves-"
	if over {
		tense = "went-"
	}
	switch r.Move {
	case league.Up:
		row.Moves = c.Say("leagues."+tense+"up", "n", d.N-1)
	case league.Down:
		row.Moves = c.Say("leagues."+tense+"down", "n", d.N+1)
	}
	switch {
	case r.Left:
		row.Note = c.Say("leagues.left")
	case r.Unplayed:
		row.Note = c.Say("leagues.unplayed")
	}
	for _, g := range d.Left {
		if g.To == r.Player {
			row.Note = c.Say("leagues.substitute", "name", c.Called(g.Player))
		}
	}
	return row
}

func (c *Presenter) value(f league.Figure) string { return figure(f.Value) }

// why is what a player's figures are made of.
func (c *Presenter) why(r league.Standing, points string) (out []templates.Figure) {
	for _, f := range append([]league.Figure{r.Points}, r.Ties...) {
		if f.Of == league.Lot && !f.Decides {
			continue
		}
		w := templates.Figure{Name: c.Say("leagues.tie-" + string(f.Of)), Value: c.value(f), Exact: c.exact(f.Value)}
		if f.Of == league.Points {
			w.Name = points
		}
		if f.Decides && f.Of != league.Points {
			w.Decides = c.Say("leagues.decides")
		}
		for _, t := range f.Terms {
			w.Terms = append(w.Terms, c.term(f.Of, t))
		}
		switch {
		case f.Of == league.Lot:
			w.Note = c.Say("leagues.lot-drawn")
		case len(f.Terms) == 0:
			w.Note = c.Say("leagues.nothing")
		}
		out = append(out, w)
	}
	return out
}

// guests are the substitutes in games of a division, with what that earned them.
func (c *Presenter) guests(season, division int) (out []templates.Guest) {
	for _, r := range rowsOf(c.State.Guests(season, division), 0, rowsShown) {
		g := templates.Guest{Who: c.Person(r.Player), Figure: templates.Figure{Value: c.points(r.Points.Value), Exact: c.exact(r.Points.Value)}}
		for _, t := range r.Points.Terms {
			g.Terms = append(g.Terms, c.term(league.Points, t))
		}
		out = append(out, g)
	}
	return out
}

// points is a number of points with the word.
func (c *Presenter) points(r league.Rational) string {
	if n, err := strconv.Atoi(r.String()); err == nil {
		return c.Say("leagues.guest-points", "points", n)
	}
	return c.Say("leagues.guest-points", "points", figure(r))
}

// term is what one game, or one player met in it, adds to a figure.
func (c *Presenter) term(of league.Tie, t league.Term) templates.Term {
	out := templates.Term{Value: figure(t.Value), Exact: c.exact(t.Value)}
	var about []string
	f := c.State.Fixture(t.Fixture)
	if f != nil {
		out.Href = c.at(f.ID)
		out.Text = c.game(f)
	}
	switch of {
	case league.Points:
		switch {
		case f != nil && f.Bye:
			about = append(about, c.Say("leagues.term-bye"))
		case t.Shared > 1:
			about = append(about, c.Say("leagues.place-shared", "n", t.Place, "with", t.Shared))
		case t.Place > 0:
			about = append(about, c.Say("leagues.place", "n", t.Place))
		}
	case league.Share:
		about = append(about, c.Say("leagues.term-share", "score", t.Score, "best", t.Best))
	case league.Head, league.Berger:
		about = append(about, c.Called(t.Opponent))
	}
	if t.Left {
		about = append(about, c.Say("leagues.term-left"))
	}
	if t.All > 0 && t.Turns < t.All && of != league.BotTurns {
		about = append(about, c.Say("leagues.term-part", "turns", t.Turns, "all", t.All))
	}
	out.About = strings.Join(about, ", ")
	return out
}

// crossTable returns a table of each player's games against each other, nil if it would be too
// wide.
func (c *Presenter) crossTable(season, division int, rows []league.Standing) *templates.Cross {
	if len(rows) > crossShown || len(rows) < 2 {
		return nil
	}
	t := &templates.Cross{Title: c.Say("leagues.cross-title"), About: c.Say("leagues.cross-about")}
	for i, duels := range c.State.Cross(season, division) {
		row := templates.CrossRow{Who: c.Person(rows[i].Player)}
		for j, games := range duels {
			var cell []templates.CrossGame
			for _, d := range games {
				x := templates.CrossGame{Text: "·", Title: c.game(c.State.Fixture(d.Fixture)) + ": " + c.Say("leagues.cross-open"), Href: c.at(d.Fixture)}
				if d.Place > 0 {
					x.Title = c.game(c.State.Fixture(d.Fixture)) + ": " + c.Say("leagues.cross-ahead", "name", c.Called(rows[i].Player), "place", d.Place, "other", c.Called(rows[j].Player), "place2", d.Other)
					switch {
					case d.Place < d.Other:
						x.Text = "+"
					case d.Place > d.Other:
						x.Text = "−"
					default:
						x.Text = "="
					}
				}
				cell = append(cell, x)
			}
			row.Cells = append(row.Cells, cell)
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// schedule are rounds of games.
func (c *Presenter) schedule(rounds [][]*league.Fixture) (out []templates.Round) {
	if len(rounds) > 0 && c.single(rounds[0][0]) {
		r := templates.Round{}
		for _, games := range rounds {
			r.Games = append(r.Games, c.fixture(games[0], c.round(games[0])))
		}
		return []templates.Round{r}
	}
	for _, games := range rounds {
		r := templates.Round{Name: c.round(games[0])}
		for _, f := range rowsOf(games, 0, gamesShown) {
			r.Games = append(r.Games, c.fixture(f, c.seat(f)))
		}
		if n := len(games) - gamesShown; n > 0 {
			r.More = c.Say("leagues.more-games", "n", n)
		}
		out = append(out, r)
	}
	return out
}

// design is how equal the pairing is.
func (c *Presenter) design(d *league.Division) []templates.Fact {
	if len(d.Fixtures) == 0 || !c.divided(d.Season) && c.RulesOf(d.Season).Kind != league.Swiss {
		return nil
	}
	key := "leagues.design-found"
	if d.Design.Exact {
		key = "leagues.design-exact"
	}
	out := []templates.Fact{{Name: c.Say("leagues.design-about"), Text: c.Say(key)}}
	for _, x := range []struct {
		key string
		r   league.Range
	}{{"leagues.design-games", d.Design.Games}, {"leagues.design-meetings", d.Design.Meetings}, {"leagues.design-seats", d.Design.Seats}} {
		text := strconv.Itoa(x.r.Min)
		if x.r.Max > x.r.Min {
			text = c.Say("leagues.range", "min", x.r.Min, "max", x.r.Max)
		}
		out = append(out, templates.Fact{Name: c.Say(x.key), Text: text})
	}
	return out
}

// hanging returns the running games that wait longest: by when a player's time is
// over, then those without a clock that moved longest ago.
func (c *Presenter) hanging(all []*league.Fixture, now time.Time) (out []templates.Fixture) {
	for _, f := range all {
		g, begun := c.Games[f.Game]
		if !begun || f.Over() || !g.Shown || g.Paused || g.State != store.GameRunning {
			continue
		}
		x := templates.Fixture{Name: c.named(f), Href: c.page(f)}
		c.waiting(&x, f, g)
		if x.Late = len(g.Deadlines) > 0 && x.Until.Before(now); x.Late {
			x.State = c.Say("leagues.state-late")
		}
		x.Timed = len(g.Deadlines) > 0
		out = append(out, x)
	}
	slices.SortStableFunc(out, func(a, b templates.Fixture) int {
		if a.Timed != b.Timed {
			return map[bool]int{true: -1, false: 1}[a.Timed]
		}
		return a.Until.Compare(b.Until)
	})
	return out[:min(len(out), waitsShown)]
}

// pagesOf returns links to a division, the first, the last, and the two before and after it.
func (c *Presenter) pagesOf(x *league.Season, d *league.Division) (out []templates.PageLink) {
	all := len(x.Divisions)
	for _, n := range []int{1, d.N - 2, d.N - 1, d.N, d.N + 1, d.N + 2, all} {
		if n < 1 || n > all || slices.ContainsFunc(out, func(l templates.PageLink) bool { return l.N == n }) {
			continue
		}
		out = append(out, templates.PageLink{N: n, Link: templates.Link{Text: c.division(x.N, n), Href: c.Href(x.N, n)}, Here: n == d.N})
	}
	return out
}

// rowPages lead to all players of long standings.
func (c *Presenter) rowPages(players int, ask Ask) (out []templates.PageLink) {
	for at := 0; players > rowsShown && at < players; at += rowsShown {
		l := templates.PageLink{Link: templates.Link{Text: c.Say("leagues.places", "from", at+1, "to", min(at+rowsShown, players)), Href: "?from=" + strconv.Itoa(at)}, Here: at == ask.From}
		out = append(out, l)
	}
	return out
}

// roundPages lead to all rounds of a long schedule.
func (c *Presenter) roundPages(d *league.Division, shown [][]*league.Fixture) (out []templates.PageLink) {
	for _, f := range d.Fixtures {
		if len(out) == 0 || out[len(out)-1].N < f.Round {
			out = append(out, templates.PageLink{N: f.Round, Link: templates.Link{Text: c.round(f), Href: "?round=" + strconv.Itoa(f.Round) + "#schedule"}, Here: len(shown) > 0 && shown[0][0].Round == f.Round})
		}
	}
	return out
}
