package web

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"angelpost/engine/game"
	"angelpost/engine/match/look"
	"angelpost/engine/notice"
	"angelpost/engine/rated"
	"angelpost/engine/store"
	"angelpost/templates"
	"angelpost/templates/calendar"
	"angelpost/templates/leaguepage"
	"angelpost/templates/words"
)

// mine opens the start page that a request's key names.
func (s Server) mine(w http.ResponseWriter, r *http.Request) *look.Home {
	key := r.PathValue("key")
	if len(key) > maxID {
		s.refuse(w, r, store.ErrNotFound)
		return nil
	}
	h, err := s.Games.Home(r.Context(), key, s.Now().Truncate(24*time.Hour)) // so that the same page has the same tag
	if err != nil {
		s.refuse(w, r, err)
		return nil
	}
	return h
}

// me shows a player's start page.
func (s Server) me(w http.ResponseWriter, r *http.Request) {
	h := s.mine(w, r)
	if h == nil {
		return
	}
	solo, err := s.Ratings.Solo(r.Context(), h.Player, s.Now().Truncate(24*time.Hour))
	if err != nil {
		s.refuse(w, r, err)
		return
	}
	if strings.HasSuffix(r.URL.Path, ".json") {
		data := meData(h)
		data.Solo = append(data.Solo, solo...)
		s.sendJSON(w, r, ownCache, data)
		return
	}
	ratings, err := s.Ratings.Player(r.Context(), h.Player)
	if err != nil {
		s.refuse(w, r, err)
		return
	}
	f := s.frame(s.Words.Say("me.title-nobody") + " · " + s.Words.Say("page.site"))
	own := "./" + url.PathEscape(r.PathValue("key")) + "/"
	f.Script, f.Feed = scriptPath, own+"feed.atom"
	f.News, f.NewsTo = own+"news.json?since="+homeState(h), "./"+url.PathEscape(r.PathValue("key"))
	m := templates.NewMe(f, h, s.LetterTo)
	m.Solo, m.Over, m.Leagues, m.Ratings = solo, s.listings(h.Over), leaguepage.Memberships(s.Words, h.Leagues, h.Player), s.rated(ratings)
	for i, e := range h.Over {
		if e.Private {
			m.Over[i].Href = ""
		}
	}
	m.Calendar, m.Data = own+"deadlines.ics", own+"me.json"
	switch _, err := s.Archive.Career(r.Context(), h.Player); {
	case err == nil:
		m.Public = templates.PlayerHref(h.Player)
	case !errors.Is(err, store.ErrNotFound):
		s.refuse(w, r, err)
		return
	}
	s.write(w, r, ownCache, templates.MePage(m))
}

// homeState returns a hash of the open games on a start page, which changes when a player has
// moved. It covers only what that page shows, nothing hidden.
func homeState(h *look.Home) string {
	sum := sha256.New()
	for _, g := range h.Games {
		fmt.Fprintln(sum, g.ID, g.State, g.Step, g.Paused)
	}
	return hex.EncodeToString(sum.Sum(nil)[:6])
}

// myNews answers start pages that ask every 30 seconds whether they are still true.
func (s Server) myNews(w http.ResponseWriter, r *http.Request) {
	h := s.mine(w, r)
	if h == nil {
		return
	}
	out := homeNewsJSON{Schema: game.Schema, Latest: homeState(h)}
	if since := r.URL.Query().Get("since"); since != "" && since != out.Latest {
		out.Text = s.Words.Say("newsbar.home")
	}
	s.sendJSON(w, r, ownCache, out)
}

// myDeadlines is a calendar of all the player's deadlines. A game without one has its last
// called off, so that it leaves the calendar.
func (s Server) myDeadlines(w http.ResponseWriter, r *http.Request) {
	h := s.mine(w, r)
	if h == nil {
		return
	}
	var events []calendar.Event
	for _, g := range h.Games {
		if g.Options.Clock == "" || g.Seat == 0 {
			continue
		}
		e := calendar.Event{UID: calendar.UID(g.ID, g.Seat, s.Host), Revised: cmp.Or(g.Revised, g.Since, h.Created), At: g.Deadline}
		e.Title, e.Text = templates.EventOf(s.Words, templates.GameName(g.ID, g.Name))
		if g.Public && s.BaseURL != "" {
			e.URL = s.BaseURL + templates.GameHref(g.ID)
		}
		events = append(events, e)
	}
	if len(events) == 0 { // a calendar must have something in it
		events = append(events, calendar.Event{UID: "deadline.none@" + s.Host, Revised: h.Created, Title: s.Words.Say("me.event-none")})
	}
	text, err := calendar.Calendar(s.Words.Say("me.calendar-name"), events)
	if err != nil {
		s.Log.ErrorContext(r.Context(), "calendar", "pattern", r.Pattern, "error", err)
		s.fail(w, r)
		return
	}
	s.send(w, r, "text/calendar; charset=utf-8", ownCache, []byte(text))
}

// myFeed tells whose move it is in the player's games, newest first.
func (s Server) myFeed(w http.ResponseWriter, r *http.Request) {
	h := s.mine(w, r)
	if h == nil {
		return
	}
	f := atomFeed{ID: s.tag("home", strconv.FormatInt(h.Player, 10)), Title: s.Words.Say("me.title-nobody")}
	frame := s.frame("")
	for i := range h.Games {
		g := &h.Games[i]
		at := g.Since
		if at.IsZero() {
			at = h.Created
		}
		text := templates.MyNews(frame, g, templates.GameName(g.ID, g.Name))
		e := atomEntry{ID: s.tag("home", g.ID, strconv.Itoa(g.Step)), Title: text, Updated: at.UTC().Format(time.RFC3339), Content: atomText{"text", text}}
		if g.Public {
			e.Link = &atomLink{Href: s.BaseURL + templates.GameHref(g.ID)}
		}
		f.Entry = append(f.Entry, e)
	}
	slices.SortStableFunc(f.Entry, func(a, b atomEntry) int { return cmp.Compare(b.Updated, a.Updated) })
	s.sendFeed(w, r, ownCache, f, "", h.Created)
}

type (
	homeNewsJSON struct {
		Schema int    `json:"schema"`
		Latest string `json:"latest"`
		Text   string `json:"text"` // in a sentence; "" nothing has happened
	}
	meJSON struct {
		Schema   int              `json:"schema"`
		Player   int64            `json:"player"`
		Name     string           `json:"name"`
		Games    []myGameJSON     `json:"games"`
		Over     []entryJSON      `json:"over"`
		Leagues  []membershipJSON `json:"leagues"`
		Solo     []rated.Solo     `json:"solo"`
		Settings *notice.Settings `json:"settings"`
	}
	myGameJSON struct {
		Game     string       `json:"game"`
		Name     string       `json:"name"`
		State    string       `json:"state"`
		Options  game.Options `json:"options"`
		Seat     int          `json:"seat"`
		Round    int          `json:"round"`
		ToAct    []string     `json:"to_act"`
		You      bool         `json:"you"`
		Since    string       `json:"since,omitempty"`
		Deadline string       `json:"deadline,omitempty"`
		Paused   bool         `json:"paused,omitempty"`
		Muted    bool         `json:"muted,omitempty"`
	}
)

// meData is a start page as data.
func meData(h *look.Home) meJSON {
	out := meJSON{Schema: game.Schema, Player: h.Player, Name: words.Clean(h.Name, 40), Games: []myGameJSON{}, Over: archiveJSON(h.Over, false).Games, Leagues: membershipsOf(h.Leagues, h.Player), Solo: []rated.Solo{}, Settings: h.Settings}
	stamp := func(t time.Time) string {
		if t.IsZero() {
			return ""
		}
		return t.UTC().Format(time.RFC3339)
	}
	for _, g := range h.Games {
		out.Games = append(out.Games, myGameJSON{g.ID, g.Name, g.State, g.Options, g.Seat, g.Round, append([]string{}, g.ToAct...), g.You, stamp(g.Since), stamp(g.Deadline), g.Paused, g.Muted})
	}
	return out
}
