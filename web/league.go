package web

import (
	"cmp"
	"context"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"angelpost/engine/league"
	"angelpost/engine/match/look"
	"angelpost/engine/order"
	"angelpost/engine/store"
	"angelpost/templates"
	"angelpost/templates/words"
)

// Leagues is where the pages of leagues come from. Errors are those of Games.
type Leagues interface {
	// LookLeague is a league that anybody may look at, with the games that want names.
	// One that is not there and a private one are not found.
	LookLeague(ctx context.Context, id string, want func(*league.State) []string) (*look.LeagueView, error)
	// ListedLeagues are those anybody may find, over or not, the youngest first; more
	// tells that there are older ones.
	ListedLeagues(ctx context.Context, over bool, before string, limit int) (all []*look.LeagueView, more bool, err error)
	// ListedLeaguesOf are those of them in which a player is or was.
	ListedLeaguesOf(ctx context.Context, player int64) ([]*look.LeagueView, error)
	// LeagueLog are lines of the log of such a league, from behind one on; more tells
	// that there are others.
	LeagueLog(ctx context.Context, id string, after, limit int) (lines []league.Line, more bool, err error)
	// LeagueMuted is for leagues, also for private ones, what Games.Muted is for games.
	LeagueMuted(ctx context.Context, id, key string) (name string, muted bool, err error)
}

// leaguesPage bounds a list of leagues.
const leaguesPage = 40

// leagues lists the leagues anybody may find.
func (s Server) leagues(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	over, before := q.Get("over") != "", q.Get("before")
	if len(before) > maxID {
		s.refuse(w, r, store.ErrNotFound)
		return
	}
	all, more, err := s.Leagues.ListedLeagues(r.Context(), over, before, leaguesPage)
	if err != nil {
		s.refuse(w, r, err)
		return
	}
	if strings.HasSuffix(r.URL.Path, ".json") {
		s.sendJSON(w, r, openCache, s.leaguesData(all, more))
		return
	}
	f := s.frame(s.Words.Say("leagues.title") + " · " + s.Words.Say("page.site"))
	f.Preview = s.preview(s.Words.Say("leagues.title"), "/leagues", s.Words.Say("leagues.about"))
	f.Script = scriptPath
	if r.URL.RawQuery == "" {
		f.Index = true
		w.Header().Del("X-Robots-Tag")
	}
	p := &templates.Leagues{Frame: f}
	var joined, running, past []templates.LeagueLine
	for _, l := range all {
		c := s.leaguePresenter(l)
		tag, state := c.Status()
		line := templates.LeagueLine{Name: c.name(), Href: c.href(), Tag: tag, State: state, What: c.Description()}
		if j := c.join(s.LetterTo); j != nil {
			line.Join = j.Mail
		}
		x := l.State.Season()
		switch {
		case over:
			past = append(past, line)
		case x != nil && x.Running():
			running = append(running, line)
		default:
			joined = append(joined, line)
		}
	}
	for _, g := range []templates.LeagueGroup{{Title: s.Words.Say("leagues.open"), Leagues: joined}, {Title: s.Words.Say("leagues.running"), Leagues: running}, {Title: s.Words.Say("leagues.over"), Leagues: past}} {
		if len(g.Leagues) > 0 {
			p.Groups = append(p.Groups, g)
		}
	}
	if !over && before == "" {
		p.Sample = league.Sample()
		p.Make = templates.MailTo(s.LetterTo, order.NewLeague.String(), leagueLetter(p.Sample))
	}
	data := "/leagues.json"
	if over {
		p.Links = append(p.Links, templates.Link{Text: s.Words.Say("leagues.present"), Href: "/leagues"})
		data += "?over=yes"
	} else {
		p.Links = append(p.Links, templates.Link{Text: s.Words.Say("leagues.past"), Href: "/leagues?over=yes"})
	}
	p.Links = append(p.Links, templates.Link{Text: s.Words.Say("page.data"), Href: data}, templates.Link{Text: s.Words.Say("archive.all"), Href: "/games"})
	if more {
		next := url.Values{"before": {all[len(all)-1].ID}}
		if over {
			next.Set("over", "yes")
		}
		p.Next = "?" + next.Encode()
	}
	s.write(w, r, openCache, templates.LeaguesPage(p))
}

// leagueLetter are the lines of a letter that makes a league like a sample, whose
// writer directs it.
func leagueLetter(sample string) []string {
	lines := []string{order.NewLeague.String()}
	for line := range strings.Lines(sample) {
		line, _, _ = strings.Cut(line, "#")
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "director:") {
			lines = append(lines, line)
		}
	}
	return lines
}

// seen opens the league that a request names; ok is false if it has been
// answered.
func (s Server) seen(w http.ResponseWriter, r *http.Request, want func(*league.State) []string) (c *leaguePresenter, ok bool) {
	id := r.PathValue("league")
	if len(id) > maxID {
		s.refuse(w, r, store.ErrNotFound)
		return nil, false
	}
	l, err := s.Leagues.LookLeague(r.Context(), id, want)
	if err != nil {
		s.refuse(w, r, err)
		return nil, false
	}
	if l.ID != id { // its name, or its id in capitals
		_, rest, _ := strings.Cut(strings.TrimPrefix(r.URL.EscapedPath(), "/l/"), "/")
		to := strings.TrimSuffix(leagueHref(l.ID)+"/"+rest, "/")
		if r.URL.RawQuery != "" {
			to += "?" + r.URL.RawQuery
		}
		http.Redirect(w, r, to, http.StatusMovedPermanently)
		return nil, false
	}
	return s.leaguePresenter(l), true
}

// framed is the frame of a league's page at a path; found reports whether search
// engines may list it, if they may the league.
func (s Server) framed(w http.ResponseWriter, c *leaguePresenter, title, path string, found bool) templates.Frame {
	f := s.frame(title + " · " + s.Words.Say("page.site"))
	f.Script, f.Feed = scriptPath, c.href()+"/feed.atom"
	_, state := c.Status()
	f.Preview = s.preview(title, path, state)
	if found && c.Listed {
		f.Index = true
		w.Header().Del("X-Robots-Tag")
	}
	return f
}

// sought returns what the visitor searches for, "" nothing.
func sought(r *http.Request) string {
	q := r.URL.Query().Get("q")
	if len(q) > maxQuery {
		return ""
	}
	return words.Clean(q, maxQuery)
}

// league shows a league.
func (s Server) league(w http.ResponseWriter, r *http.Request) {
	q := sought(r)
	c, ok := s.seen(w, r, wantsOf)
	if !ok {
		return
	}
	if strings.HasSuffix(r.URL.Path, ".json") {
		s.sendJSON(w, r, openCache, c.data())
		return
	}
	f := s.framed(w, c, c.name(), c.href(), r.URL.RawQuery == "")
	withForms(w)
	_, status := c.Status()
	p := &templates.League{Frame: f, Path: s.path(), Name: c.name(), Status: status, About: without(c.Rules.About), RulingsHref: c.href() + "/rulings"}
	if x := c.State.Season(); x != nil {
		p.Season, p.SeasonHref = c.season(x.N), c.href(x.N)
		p.Divisions = c.cards(x, 0, firstShown)
		if n := len(x.Divisions); n > firstShown {
			p.More = c.Say("leagues.more-divisions", "n", n)
			p.Find = c.find(x, c.href(), q)
		}
		if x.Running() {
			p.Hanging = c.hanging(running(x), s.Now())
		}
	}
	p.Join, p.Dates = c.join(s.LetterTo), c.dates()
	for _, e := range c.latest(newsShown) {
		p.Results = append(p.Results, c.fixture(e, c.named(e)))
	}
	for _, l := range tail(c.State.Said, newsShown) {
		p.Said = append(p.Said, c.announcement(l))
	}
	for _, l := range tail(c.State.Rulings, newsShown) {
		p.Rulings = append(p.Rulings, c.decision(l))
	}
	p.Champions = c.champions()
	p.Rules, p.File, p.Proof = c.rules(), c.Rules.String(), c.proof()
	p.Links = []templates.Link{{Text: c.Say("page.data"), Href: c.href() + "/league.json"}, {Text: c.Say("leagues.file-get"), Href: c.href() + "/league.txt"}, {Text: c.Say("leagues.log"), Href: c.href() + "/log.json"},
		{Text: c.Say("leagues.all"), Href: "/leagues"}}
	s.write(w, r, openCache, templates.LeaguePage(p))
}

// path leads from a league's page to those above it.
func (s Server) path(more ...templates.Link) []templates.Link {
	return append([]templates.Link{{Text: s.Words.Say("leagues.title"), Href: "/leagues"}}, more...)
}

// tail are the last n, the last first.
func tail[T any](all []T, n int) []T {
	out := slices.Clone(all[max(0, len(all)-n):])
	slices.Reverse(out)
	return out
}

// running are a season's games that have begun and are not over.
func running(x *league.Season) (out []*league.Fixture) {
	for _, d := range x.Divisions {
		for _, f := range d.Fixtures {
			if f.Game != "" && !f.Over() {
				out = append(out, f)
			}
		}
	}
	return out
}

// latest are the games that ended last, the youngest first.
func latest(s *league.State, n int) []*league.Fixture {
	var out []*league.Fixture
	for _, f := range s.Fixtures {
		if f.Result != nil {
			out = append(out, f)
		}
	}
	slices.SortStableFunc(out, func(a, b *league.Fixture) int { return cmp.Compare(b.Result.Line, a.Result.Line) })
	return out[:min(len(out), n)]
}

func (c *leaguePresenter) latest(n int) []*league.Fixture { return latest(c.State, n) }

// named is what a game is called on the pages of the league.
func (c *leaguePresenter) named(f *league.Fixture) string {
	if c.divided(f.Season) {
		return c.division(f.Season, f.Division) + ", " + lowered(c.game(f))
	}
	return c.game(f)
}

func lowered(s string) string {
	if s == "" {
		return s
	}
	return strings.ToLower(s[:1]) + s[1:]
}

// maxRunning bounds the running games that the league's page looks through.
const maxRunning = 1000

// wantsOf are the games that the league's page tells of.
func wantsOf(s *league.State) (games []string) {
	if x := s.Season(); x != nil && x.Running() {
		for _, f := range rowsOf(running(x), 0, maxRunning) {
			games = append(games, f.Game)
		}
	}
	for _, f := range latest(s, newsShown) {
		games = append(games, f.Game)
	}
	return games
}

// cards are divisions in short.
func (c *leaguePresenter) cards(x *league.Season, from, many int) (out []templates.DivisionCard) {
	for i := range rowsOf(x.Divisions, from, many) {
		d := &x.Divisions[from+i]
		played, games := tally(x.Divisions[from+i : from+i+1])
		card := templates.DivisionCard{Name: c.division(x.N, d.N), Href: c.href(x.N, d.N), State: c.Say("leagues.division-state", "players", len(d.Players), "played", played, "games", games)}
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
func (c *leaguePresenter) find(x *league.Season, action, q string) *templates.Find {
	f := &templates.Find{Action: action, Asked: q}
	if q == "" {
		return f
	}
	looked := strings.Fields(strings.ToLower(q))
	for i := range x.Divisions {
		d := &x.Divisions[i]
		for _, p := range d.Players {
			if len(f.Found) < maxFound && fits(strings.ToLower(c.called(p)), looked) {
				f.Found = append(f.Found, templates.Found{Who: c.Person(p), Text: c.division(x.N, d.N), Href: c.href(x.N, d.N) + "#p" + strconv.FormatInt(p, 10)})
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

// champions are who won the seasons that are over, the last first.
func (c *leaguePresenter) champions() (out []templates.Champion) {
	for _, x := range tail(c.State.Seasons, rulingsPage) {
		if x.Running() {
			continue
		}
		out = append(out, templates.Champion{Season: c.season(x.N), Href: c.href(x.N), Players: c.firsts(x.N)})
	}
	return out
}

// firsts returns who is first in the top division.
func (c *leaguePresenter) firsts(season int) (out []templates.Person) {
	for _, r := range c.Standings(season, 1) {
		if r.Rank == 1 {
			out = append(out, c.Person(r.Player))
		}
	}
	return out
}

func (c *leaguePresenter) by(id int64) string {
	if id == 0 {
		return c.Say("leagues.ruled-host")
	}
	return c.Say("leagues.ruled-by", "name", c.called(id))
}

func (c *leaguePresenter) announcement(l league.Line) templates.News {
	return templates.News{Title: without(l.Text), By: c.by(l.By), At: l.At}
}

// decided is what a ruling did, and to which game.
func (c *leaguePresenter) decided(l league.Ruling) string {
	key := "leagues.ruling-" + l.Ruling
	if !c.Has(key) {
		key = "leagues.ruling-other"
	}
	what := c.Say(key)
	if f := c.ruled(l); f != nil {
		return c.Say("leagues.ruling-about", "what", what, "game", lowered(c.named(f)))
	}
	return what
}

// ruled is the fixture that a ruling is about, nil if there is none.
func (c *leaguePresenter) ruled(l league.Ruling) *league.Fixture {
	if f := c.State.Of(l.Game); f != nil {
		return f
	}
	return c.State.Fixture(l.Fixture)
}

func (c *leaguePresenter) decision(l league.Ruling) templates.News {
	n := templates.News{ID: "r" + strconv.Itoa(l.N), Title: c.decided(l), Text: without(l.Text), By: c.by(l.By), At: l.At}
	if f := c.ruled(l); f != nil {
		n.Href = c.href(f.Season, f.Division) + "#" + anchor(f.ID)
	}
	return n
}

// seasonPage shows the divisions of a season.
func (s Server) leagueSeason(w http.ResponseWriter, r *http.Request) {
	n, ok := step(r.PathValue("season"))
	from, fits := number(r.URL.Query(), "from")
	if !ok || !fits {
		s.refuse(w, r, store.ErrNotFound)
		return
	}
	from, q := max(from, 0), sought(r)
	c, ok := s.seen(w, r, func(*league.State) []string { return nil })
	if !ok {
		return
	}
	if n < 1 || n > len(c.State.Seasons) || from >= len(c.State.Seasons[n-1].Divisions) {
		s.refuse(w, r, store.ErrNotFound)
		return
	}
	x := &c.State.Seasons[n-1]
	if strings.HasSuffix(r.URL.Path, ".json") {
		s.sendJSON(w, r, openCache, c.seasonData(x, from))
		return
	}
	title := c.name() + ", " + lowered(c.season(n))
	p := &templates.Season{Frame: s.framed(w, c, title, c.href(n), r.URL.RawQuery == ""), Name: c.season(n),
		Path: s.path(templates.Link{Text: c.name(), Href: c.href()}), Divisions: c.cards(x, from, cardsShown)}
	withForms(w)
	played, games := tally(x.Divisions)
	p.Status = c.Say("leagues.state-running", "n", n, "played", played, "games", games)
	if !x.Running() {
		p.Status = c.Say("leagues.season-over", "games", games)
	}
	if len(x.Divisions) > cardsShown {
		p.Find = c.find(x, c.href(n), q)
		for at := 0; at < len(x.Divisions); at += cardsShown {
			l := templates.PageLink{Link: templates.Link{Text: c.Say("leagues.divisions-from", "from", at+1, "to", min(at+cardsShown, len(x.Divisions))), Href: c.href(n)}, Here: at == from}
			if at > 0 {
				l.Href += "?from=" + strconv.Itoa(at)
			}
			p.Pages = append(p.Pages, l)
		}
	}
	p.Links = []templates.Link{{Text: c.Say("page.data"), Href: c.href(n) + "/season.json"}}
	if from > 0 {
		p.Links[0].Href += "?from=" + strconv.Itoa(from)
	}
	for _, m := range []int{n - 1, n + 1} {
		if m >= 1 && m <= len(c.State.Seasons) {
			p.Links = append(p.Links, templates.Link{Text: c.season(m), Href: c.href(m)})
		}
	}
	s.write(w, r, openCache, templates.SeasonPage(p))
}

// leagueDivision shows a division.
func (s Server) leagueDivision(w http.ResponseWriter, r *http.Request) {
	ask, ok := askOf(r)
	if !ok {
		s.refuse(w, r, store.ErrNotFound)
		return
	}
	data := strings.HasSuffix(r.URL.Path, ".json")
	c, ok := s.seen(w, r, ask.wants)
	if !ok {
		return
	}
	d := divisionOf(c.State, ask)
	if d == nil {
		s.refuse(w, r, store.ErrNotFound)
		return
	}
	x := &c.State.Seasons[ask.season-1]
	if data {
		s.sendJSON(w, r, openCache, c.divisionData(x, d))
		return
	}
	all := c.Standings(ask.season, ask.division)
	rounds, last := roundsOf(d, ask.round)
	if ask.from >= len(all) && ask.from > 0 || ask.round > last {
		s.refuse(w, r, store.ErrNotFound)
		return
	}
	for _, games := range rounds {
		for _, f := range rowsOf(games, 0, gamesShown) {
			c.here[f.ID] = true
		}
	}
	name, title := c.season(x.N), c.name()+", "+lowered(c.season(x.N))
	if c.divided(x.N) {
		name = c.division(x.N, d.N)
		title += ", " + lowered(name)
	}
	p := &templates.Division{Frame: s.framed(w, c, title, c.href(x.N, d.N), r.URL.RawQuery == ""), Name: name,
		Path: s.path(templates.Link{Text: c.name(), Href: c.href()}, templates.Link{Text: c.season(x.N), Href: c.href(x.N)})}
	played, games := tally(x.Divisions[d.N-1 : d.N])
	p.Status = c.Say("leagues.division-state", "players", len(d.Players), "played", played, "games", games)
	if len(all) > 0 {
		p.Standings = c.standings(d, rowsOf(all, ask.from, rowsShown), ask, !x.Running())
	}
	p.Guests = c.guests(ask.season, ask.division)
	if x.Running() {
		p.Hanging = c.hanging(d.Fixtures, s.Now())
	}
	switch x.Rules.Kind {
	case league.Solo:
		p.Weeks = c.weeks(all, rounds)
	case league.Knockout:
		p.Rounds, p.Bracket = c.bracket(d, all, rounds), true
	case league.Ladder:
		p.Rounds = c.schedule(rounds)
	default:
		p.Rounds, p.Cross = c.schedule(rounds), c.crossTable(ask.season, ask.division, all)
	}
	p.Design = c.design(d)
	p.Pages = c.pagesOf(x, d)
	p.More = c.rowPages(len(all), ask)
	if len(rounds) < last {
		p.Other = c.roundPages(d, rounds)
	}
	p.Links = []templates.Link{{Text: c.Say("page.data"), Href: c.href(x.N, d.N) + "/division.json"}}
	s.write(w, r, openCache, templates.DivisionPage(p))
}

// askOf reads what of a division is asked for.
func askOf(r *http.Request) (ask divisionAsk, ok bool) {
	q := r.URL.Query()
	var fits [4]bool
	ask.season, fits[0] = step(r.PathValue("season"))
	ask.division, fits[1] = step(r.PathValue("division"))
	ask.from, fits[2] = number(q, "from")
	ask.round, fits[3] = number(q, "round")
	ask.from, ask.round = max(ask.from, 0), max(ask.round, 0)
	ok = fits == [4]bool{true, true, true, true}
	if of, there := q["of"]; there && ok {
		ask.of = playerOf(of[0])
		ok = ask.of > 0 && len(of) == 1
	}
	return ask, ok
}

func divisionOf(s *league.State, ask divisionAsk) *league.Division {
	if ask.season < 1 || ask.season > len(s.Seasons) || ask.division < 1 || ask.division > len(s.Seasons[ask.season-1].Divisions) {
		return nil
	}
	return &s.Seasons[ask.season-1].Divisions[ask.division-1]
}

// wants are the games that a division's page tells of.
func (ask divisionAsk) wants(s *league.State) (games []string) {
	if d := divisionOf(s, ask); d != nil {
		for _, f := range d.Fixtures {
			if f.Game != "" {
				games = append(games, f.Game)
			}
		}
	}
	return games
}

// pagesOf leads to the divisions beside one.
func (c *leaguePresenter) pagesOf(x *league.Season, d *league.Division) (out []templates.PageLink) {
	all := len(x.Divisions)
	for _, n := range []int{1, d.N - 2, d.N - 1, d.N, d.N + 1, d.N + 2, all} {
		if n < 1 || n > all || slices.ContainsFunc(out, func(l templates.PageLink) bool { return l.N == n }) {
			continue
		}
		out = append(out, templates.PageLink{N: n, Link: templates.Link{Text: c.division(x.N, n), Href: c.href(x.N, n)}, Here: n == d.N})
	}
	return out
}

// rowPages lead to all players of long standings.
func (c *leaguePresenter) rowPages(players int, ask divisionAsk) (out []templates.PageLink) {
	for at := 0; players > rowsShown && at < players; at += rowsShown {
		l := templates.PageLink{Link: templates.Link{Text: c.Say("leagues.places", "from", at+1, "to", min(at+rowsShown, players)), Href: "?from=" + strconv.Itoa(at)}, Here: at == ask.from}
		out = append(out, l)
	}
	return out
}

// roundPages lead to all rounds of a long schedule.
func (c *leaguePresenter) roundPages(d *league.Division, shown [][]*league.Fixture) (out []templates.PageLink) {
	for _, f := range d.Fixtures {
		if len(out) == 0 || out[len(out)-1].N < f.Round {
			out = append(out, templates.PageLink{N: f.Round, Link: templates.Link{Text: c.round(f), Href: "?round=" + strconv.Itoa(f.Round) + "#schedule"}, Here: len(shown) > 0 && shown[0][0].Round == f.Round})
		}
	}
	return out
}

// seatsOf are the seats of a game that is over, none of one that is not.
func seatsOf(f *league.Fixture) []league.Seat {
	if f.Result == nil {
		return nil
	}
	return f.Result.Seats
}
