package web

import (
	"context"
	"net/http"
	"strings"

	"angelpost/engine/league"
	"angelpost/engine/match/look"
	"angelpost/engine/store"
	"angelpost/templates"
	"angelpost/templates/leaguepage"
	"angelpost/templates/words"
)

// Leagues is where the pages of leagues come from. Errors are those of Games.
type Leagues interface {
	// LookLeague is a league that anyone may look at, with the games that want names.
	// One that is not there and a private one are not found.
	LookLeague(ctx context.Context, id string, want func(*league.State) []string) (*look.LeagueView, error)
	// ListedLeagues returns leagues that anyone may find, over or not, newest first; more
	// reports whether there are older ones.
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

// leagues lists the leagues anyone may find.
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
	p := leaguepage.List{Leagues: all, Over: over, First: before == "", More: more}.Page(s.Words, s.LetterTo)
	p.Frame = f
	s.write(w, r, openCache, templates.LeaguesPage(p))
}

// seen opens the league that a request names; ok is false if it has been
// answered.
func (s Server) seen(w http.ResponseWriter, r *http.Request, want func(*league.State) []string) (c *leaguepage.Presenter, ok bool) {
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
		to := strings.TrimSuffix(templates.LeagueHref(l.ID)+"/"+rest, "/")
		if r.URL.RawQuery != "" {
			to += "?" + r.URL.RawQuery
		}
		http.Redirect(w, r, to, http.StatusMovedPermanently)
		return nil, false
	}
	return leaguepage.New(s.Words, l), true
}

// framed returns the frame of a league's page at a path. Search engines may list the page if
// they may list the league and the request has no query.
func (s Server) framed(w http.ResponseWriter, r *http.Request, c *leaguepage.Presenter, title, path string) templates.Frame {
	f := s.frame(title + " · " + s.Words.Say("page.site"))
	f.Script, f.Feed = scriptPath, c.Href()+"/feed.atom"
	_, state := c.Status()
	f.Preview = s.preview(title, path, state)
	if r.URL.RawQuery == "" && c.Listed {
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
	c, ok := s.seen(w, r, leaguepage.Wants)
	if !ok {
		return
	}
	if strings.HasSuffix(r.URL.Path, ".json") {
		s.sendJSON(w, r, openCache, s.leagueData(c))
		return
	}
	p := c.LeaguePage(q, s.LetterTo, s.Now())
	p.Frame = s.framed(w, r, c, p.Title, c.Href())
	withForms(w)
	s.write(w, r, openCache, templates.LeaguePage(p))
}

// leagueSeason shows the divisions of a season.
func (s Server) leagueSeason(w http.ResponseWriter, r *http.Request) {
	n, ok := step(r.PathValue("season"))
	from, fits := number(r.URL.Query(), "from")
	if !ok || !fits {
		s.refuse(w, r, store.ErrNotFound)
		return
	}
	from, q := max(from, 0), sought(r)
	c, ok := s.seen(w, r, leaguepage.SeasonWants(n))
	if !ok {
		return
	}
	if n < 1 || n > len(c.State.Seasons) || from >= len(c.State.Seasons[n-1].Divisions) {
		s.refuse(w, r, store.ErrNotFound)
		return
	}
	x := &c.State.Seasons[n-1]
	if strings.HasSuffix(r.URL.Path, ".json") {
		s.sendJSON(w, r, openCache, seasonData(c, x, from))
		return
	}
	p := c.SeasonPage(x, from, q, s.Now())
	p.Frame = s.framed(w, r, c, p.Title, c.Href(n))
	withForms(w)
	s.write(w, r, openCache, templates.SeasonPage(p))
}

// leagueDivision shows a division.
func (s Server) leagueDivision(w http.ResponseWriter, r *http.Request) {
	ask, ok := askOf(r)
	if !ok {
		s.refuse(w, r, store.ErrNotFound)
		return
	}
	c, ok := s.seen(w, r, ask.Wants)
	if !ok {
		return
	}
	d := ask.In(c.State)
	if d == nil {
		s.refuse(w, r, store.ErrNotFound)
		return
	}
	if strings.HasSuffix(r.URL.Path, ".json") {
		s.sendJSON(w, r, openCache, divisionData(c, d))
		return
	}
	p := c.DivisionPage(ask, s.Now())
	if p == nil {
		s.refuse(w, r, store.ErrNotFound)
		return
	}
	p.Frame = s.framed(w, r, c, p.Title, c.Href(d.Season, d.N))
	s.write(w, r, openCache, templates.DivisionPage(p))
}

// askOf reads which part of a division a request wants.
func askOf(r *http.Request) (ask leaguepage.Ask, ok bool) {
	q := r.URL.Query()
	var fits [4]bool
	ask.Season, fits[0] = step(r.PathValue("season"))
	ask.Division, fits[1] = step(r.PathValue("division"))
	ask.From, fits[2] = number(q, "from")
	ask.Round, fits[3] = number(q, "round")
	ask.From, ask.Round = max(ask.From, 0), max(ask.Round, 0)
	ok = fits == [4]bool{true, true, true, true}
	if of, there := q["of"]; there && ok {
		ask.Of = playerOf(of[0])
		ok = ask.Of > 0 && len(of) == 1
	}
	return ask, ok
}
