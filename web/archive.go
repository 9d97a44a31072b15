package web

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"angelpost/engine"
	"angelpost/engine/game"
	"angelpost/engine/match/look"
	"angelpost/engine/notice"
	"angelpost/engine/rated"
	"angelpost/engine/store"
	"angelpost/templates"
	"angelpost/templates/leaguepage"
	"angelpost/templates/words"
)

// Bounds of the archive.
const (
	archivePage = 40 // games on a page
	feedGames   = 40
	siteGames   = 2000 // in a sitemap
	siteLeagues = 500
	maxQuery    = 100 // bytes of what is searched for
)

// Archive provides lists of the games that anyone may find, newest first. Errors are those of
// Games.
type Archive interface {
	// Archive are a page of those that fit a search; more tells that older ones would.
	Archive(ctx context.Context, q store.Search) (games []look.Entry, more bool, err error)
	// Listed are those on the first page.
	Listed(ctx context.Context) ([]look.Listing, error)
	// Tables are those with free seats, at most 50.
	Tables(ctx context.Context) ([]notice.GameState, error)
	// Sitemap are those that have begun, from behind one on; ID and Changed alone.
	// SitemapPages are every size-th of them.
	Sitemap(ctx context.Context, before string, limit int) ([]store.Game, error)
	SitemapPages(ctx context.Context, size int) ([]string, error)
	// Career is what everyone may know of a player.
	Career(ctx context.Context, player int64) (*look.Career, error)
}

// archive lists the games anyone may find, as asked for by its form.
func (s Server) archive(w http.ResponseWriter, r *http.Request) {
	q, form, bad := searchOf(r)
	if bad != nil {
		s.asks(w, r, bad)
		return
	}
	of := ""
	if q.League != "" {
		l, err := s.Leagues.LookLeague(r.Context(), q.League, nil)
		if err != nil {
			s.refuse(w, r, err)
			return
		}
		q.League, of = l.ID, leaguepage.New(s.Words, l).Name()
	}
	entries, more, err := s.Archive.Archive(r.Context(), q)
	if err != nil {
		s.refuse(w, r, err)
		return
	}
	if strings.HasSuffix(r.URL.Path, ".json") {
		s.sendJSON(w, r, openCache, archiveJSON(entries, more))
		return
	}
	f := s.frame(s.Words.Say("archive.title") + " · " + s.Words.Say("page.site"))
	f.Index, f.Script, f.Feed = r.URL.RawQuery == "", scriptPath, "/feed.atom"
	if f.Index {
		w.Header().Del("X-Robots-Tag")
	}
	f.Preview = s.preview(s.Words.Say("archive.title"), "/games", s.Words.Say("page.tagline"))
	withForms(w)
	p := templates.Archive{Frame: f, Form: form, League: templates.Link{Text: of, Href: templates.LeagueHref(q.League)}, Player: q.Player, Games: s.listings(entries), Data: "games.json"}
	if q.Player != 0 {
		switch c, err := s.Archive.Career(r.Context(), q.Player); {
		case errors.Is(err, store.ErrNotFound):
			p.Player = 0 // no one the public may know of
		case err != nil:
			s.refuse(w, r, err)
			return
		default:
			p.Who = words.Clean(c.Name, 40)
		}
	}
	if r.URL.RawQuery != "" {
		p.Data += "?" + form.Encode()
	}
	if more {
		p.Next = nextPage(form, entries)
	}
	s.write(w, r, openCache, templates.ArchivePage(&p))
}

// nextPage is the address of the page behind entries, relative to theirs.
func nextPage(form url.Values, entries []look.Entry) string {
	next := url.Values{}
	for name, v := range form {
		next[name] = v
	}
	next.Set("before", entries[len(entries)-1].ID)
	return "?" + next.Encode()
}

// A badAsk is a part of a search that cannot be: what it is called, what it is, the
// message that says why not, and what it can be.
type badAsk struct{ name, value, key, can string }

// asks says what is wrong with a search.
func (s Server) asks(w http.ResponseWriter, r *http.Request, bad *badAsk) {
	text := s.Words.Say(bad.key, "name", bad.name, "value", strings.ReplaceAll(words.Clean(bad.value, 40), "`", "'"), "can", bad.can)
	s.tell(w, r, http.StatusBadRequest, s.Words.Say("archive.bad"), text, text)
}

// searchOf reads a search from a request; form has its valid fields, bad the first invalid one.
func searchOf(r *http.Request) (q store.Search, form url.Values, bad *badAsk) {
	form = url.Values{}
	in := r.URL.Query()
	wrong := func(name, key string, can ...string) {
		if bad == nil {
			bad = &badAsk{name, in.Get(name), key, strings.Join(can, ", ")}
		}
	}
	get := func(name string, among ...string) string {
		v := in.Get(name)
		switch {
		case len(in[name]) > 1:
			wrong(name, "archive.bad-twice")
		case len(v) > maxQuery:
			wrong(name, "archive.bad-long")
		case v == "":
		case len(among) > 0 && !slices.Contains(among, v):
			wrong(name, "archive.bad-choice", among...)
		default:
			form.Set(name, v)
			return v
		}
		return ""
	}
	date := func(name string) time.Time {
		v := get(name)
		if v == "" {
			return time.Time{}
		}
		t, err := time.Parse(time.DateOnly, v)
		if err != nil || t.Year() < 1970 || t.Year() >= 2500 {
			wrong(name, "archive.bad-date")
		}
		return t
	}
	q.Names = get("q")
	q.State = get("state", store.GameRunning, store.GameFinished, store.GameAbandoned, store.GameCancelled, store.GameAdjudicated, store.GameVoid)
	q.Players, _ = strconv.Atoi(get("players", "1", "2", "3", "4"))
	q.Rules = get("rules", "base", "advanced")
	q.Edition = get("edition", "revised", "first")
	q.Ending = get("ending", "spes", "ravagers")
	q.Before, q.League = get("before"), get("league")
	q.From, q.To = date("from"), date("to")
	if !q.To.IsZero() {
		q.To = q.To.AddDate(0, 0, 1) // that day included
	}
	if n := get("player"); n != "" {
		if q.Player = playerOf(n); q.Player == 0 {
			wrong("player", "archive.bad-number")
		}
		q.Won = get("result", "won", "lost")
	}
	q.Limit = archivePage
	return q, form, bad
}

// playerOf is the player of an address, 0 if it is none's.
func playerOf(s string) int64 {
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil || n < 1 || strconv.FormatInt(n, 10) != s {
		return 0
	}
	return n
}

// listings are entries as pages list them.
func (s Server) listings(entries []look.Entry) []templates.Listing {
	out := make([]templates.Listing, len(entries))
	for i, e := range entries {
		l := templates.Listing{Name: templates.GameName(e.ID, e.Name), State: e.State, Href: templates.GameHref(e.ID), Played: s.Words.Options(e.Options), Begun: e.Started, Ended: e.Ended}
		if e.Ending != "" {
			l.Ending = s.Words.Say("ending." + e.Ending)
		}
		for _, x := range e.Seats {
			l.Seats = append(l.Seats, templates.Seated{Name: words.Clean(x.Name, 40), Href: templates.PlayerHref(x.Player), VP: x.VP, Won: x.Won, Left: x.Left, Scored: e.Ending != ""})
		}
		out[i] = l
	}
	return out
}

// player shows a player's public page.
func (s Server) player(w http.ResponseWriter, r *http.Request) {
	id := playerOf(r.PathValue("player"))
	if id == 0 {
		s.refuse(w, r, store.ErrNotFound)
		return
	}
	q, form, bad := searchOf(r)
	if bad != nil {
		s.asks(w, r, bad)
		return
	}
	career, err := s.Archive.Career(r.Context(), id)
	if err != nil {
		s.refuse(w, r, err)
		return
	}
	q.Player = id
	entries, more, err := s.Archive.Archive(r.Context(), q)
	if err != nil {
		s.refuse(w, r, err)
		return
	}
	ratings, err := s.Ratings.Player(r.Context(), id)
	if err != nil {
		s.refuse(w, r, err)
		return
	}
	leagues, err := s.Leagues.ListedLeaguesOf(r.Context(), id)
	if err != nil {
		s.refuse(w, r, err)
		return
	}
	name := words.Clean(career.Name, 40)
	if strings.HasSuffix(r.URL.Path, ".json") {
		s.sendJSON(w, r, openCache, careerJSON(career, ratings, entries, more, membershipsOf(leagues, id)))
		return
	}
	f := s.frame(name + " · " + s.Words.Say("page.site"))
	f.Script, f.Feed = scriptPath, templates.PlayerHref(id)+"/feed.atom"
	withForms(w)
	f.Preview = s.preview(name, templates.PlayerHref(id), s.Words.Say("page.tagline"))
	p := templates.Player{Frame: f, Name: name, Career: career, Ratings: s.rated(ratings), Games: s.listings(entries), Data: templates.PlayerHref(id) + "/player.json", Reckoned: look.CareerGames, Leagues: leaguepage.Memberships(s.Words, leagues, id)}
	if more {
		p.Next = nextPage(form, entries)
	}
	s.write(w, r, openCache, templates.PlayerPage(&p))
}

type (
	entriesJSON struct {
		Schema int         `json:"schema"`
		Games  []entryJSON `json:"games"`
		Before string      `json:"before,omitempty"` // of the next page
	}
	entryJSON struct {
		Game    string       `json:"game"`
		Name    string       `json:"name"`
		State   string       `json:"state"`
		Options game.Options `json:"options"`
		Lines   int          `json:"lines"`
		Started string       `json:"started"`
		Changed string       `json:"changed"`
		Ended   string       `json:"ended,omitempty"`
		Ending  string       `json:"ending,omitempty"`
		Seats   []seatedJSON `json:"seats"`
	}
	seatedJSON struct {
		Seat   int            `json:"seat"`
		Name   string         `json:"name"`
		Player int64          `json:"player,omitempty"`
		VP     *int           `json:"vp,omitempty"`
		Won    bool           `json:"won,omitempty"`
		Left   bool           `json:"left,omitempty"`
		By     map[string]int `json:"by,omitempty"`
	}
	playerJSON struct {
		Schema   int                `json:"schema"`
		Player   int64              `json:"player"`
		Name     string             `json:"name"`
		Running  int                `json:"running"`
		Finished int                `json:"finished"`
		Won      int                `json:"won"`
		VP       float64            `json:"vp"`
		By       map[string]float64 `json:"by"`
		Days     float64            `json:"days"`
		Lines    float64            `json:"lines"`
		Ratings  []rated.Career     `json:"ratings"`
		Leagues  []membershipJSON   `json:"leagues"`
		Games    []entryJSON        `json:"games"`
		Before   string             `json:"before,omitempty"`
	}
)

func archiveJSON(entries []look.Entry, more bool) entriesJSON {
	out := entriesJSON{Schema: game.Schema, Games: make([]entryJSON, len(entries))}
	for i, e := range entries {
		j := entryJSON{Game: e.ID, Name: e.Name, State: e.State, Options: e.Options, Lines: e.Steps,
			Started: e.Started.Format(time.RFC3339), Changed: e.Changed.Format(time.RFC3339), Ending: e.Ending, Seats: []seatedJSON{}}
		if !e.Ended.IsZero() {
			j.Ended = e.Ended.Format(time.RFC3339)
		}
		for k, x := range e.Seats {
			seat := seatedJSON{Seat: k + 1, Name: x.Name, Player: x.Player, Won: x.Won, Left: x.Left, By: x.By}
			if e.Ending != "" {
				seat.VP = &x.VP
			}
			j.Seats = append(j.Seats, seat)
		}
		out.Games[i] = j
	}
	if more {
		out.Before = entries[len(entries)-1].ID
	}
	return out
}

func careerJSON(c *look.Career, ratings []rated.Career, entries []look.Entry, more bool, leagues []membershipJSON) playerJSON {
	games := archiveJSON(entries, more)
	out := playerJSON{Schema: game.Schema, Player: c.Player, Name: c.Name, Running: c.Running, Finished: c.Finished, Won: c.Won,
		VP: c.VP, By: map[string]float64{}, Days: c.Days, Lines: c.Lines, Ratings: append([]rated.Career{}, ratings...), Leagues: leagues, Games: games.Games, Before: games.Before}
	for k := range engine.Sources {
		out.By[k.String()] = c.By[k]
	}
	return out
}

// siteSpace is what sitemaps.org calls its elements.
const siteSpace = "http://www.sitemaps.org/schemas/sitemap/0.9"

type place struct {
	Loc     string `xml:"loc"`
	LastMod string `xml:"lastmod,omitempty"`
}

// sitemap names the pages that search engines may keep; if they are many, the
// sitemaps that do, each of the games behind one.
func (s Server) sitemap(w http.ResponseWriter, r *http.Request) {
	pages, err := s.Archive.SitemapPages(r.Context(), siteGames)
	if err != nil {
		s.refuse(w, r, err)
		return
	}
	if len(pages) == 0 {
		s.siteFrom(w, r, "")
		return
	}
	index := struct {
		XMLName xml.Name
		Sitemap []place `xml:"sitemap"`
	}{XMLName: xml.Name{Space: siteSpace, Local: "sitemapindex"}, Sitemap: []place{{Loc: s.BaseURL + "/sitemaps/first"}}}
	for _, id := range pages {
		index.Sitemap = append(index.Sitemap, place{Loc: s.BaseURL + "/sitemaps/" + url.PathEscape(id)})
	}
	s.sendXML(w, r, "application/xml", openCache, index)
}

// sitePage is one of several sitemaps.
func (s Server) sitePage(w http.ResponseWriter, r *http.Request) {
	before := r.PathValue("before")
	switch {
	case len(before) > maxID:
		s.refuse(w, r, store.ErrNotFound)
		return
	case before == "first":
		before = ""
	}
	s.siteFrom(w, r, before)
}

func (s Server) siteFrom(w http.ResponseWriter, r *http.Request, before string) {
	games, err := s.Archive.Sitemap(r.Context(), before, siteGames)
	if err != nil {
		s.refuse(w, r, err)
		return
	}
	all := struct {
		XMLName xml.Name
		URL     []place `xml:"url"`
	}{XMLName: xml.Name{Space: siteSpace, Local: "urlset"}}
	if before == "" {
		for _, path := range []string{"/", "/games", "/leagues", "/statistics"} {
			all.URL = append(all.URL, place{Loc: s.BaseURL + path})
		}
		for _, over := range []bool{false, true} {
			leagues, _, err := s.Leagues.ListedLeagues(r.Context(), over, "", siteLeagues)
			if err != nil {
				s.refuse(w, r, err)
				return
			}
			for _, l := range leagues {
				all.URL = append(all.URL, place{s.BaseURL + templates.LeagueHref(l.ID), l.Changed.Format(time.RFC3339)})
			}
		}
	}
	for _, g := range games {
		all.URL = append(all.URL, place{s.BaseURL + templates.GameHref(g.ID), g.Changed.Format(time.RFC3339)})
	}
	s.sendXML(w, r, "application/xml", openCache, all)
}

func (s Server) sendXML(w http.ResponseWriter, r *http.Request, kind, cache string, v any) {
	var b bytes.Buffer
	b.WriteString(xml.Header)
	if err := xml.NewEncoder(&b).Encode(v); err != nil {
		s.Log.ErrorContext(r.Context(), "xml", "pattern", r.Pattern, "error", err)
		s.fail(w, r)
		return
	}
	s.send(w, r, kind, cache, b.Bytes())
}
