package web

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"mime"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/a-h/templ"

	"angelpost/engine"
	"angelpost/engine/component"
	"angelpost/engine/game"
	"angelpost/engine/match/look"
	"angelpost/engine/match/replays"
	"angelpost/engine/order"
	"angelpost/engine/store"
	"angelpost/templates"
	"angelpost/templates/calendar"
	"angelpost/templates/leaguepage"
	"angelpost/templates/words"
)

// maxID bounds ids and keys that are looked up at all, in bytes.
const maxID = 128

// look opens the game that a request names.
func (s Server) look(r *http.Request) (*look.GameView, error) {
	id, key := r.PathValue("id"), r.PathValue("key")
	at, ok := number(r.URL.Query(), "at")
	switch {
	case len(id) > maxID || len(key) > maxID:
		return nil, store.ErrNotFound
	case !ok:
		return nil, store.ErrNoStep
	}
	return s.Games.Open(r.Context(), id, key, at)
}

// number returns the N of ?name=N, -1 without; ok is false if it is not a number.
func number(q url.Values, name string) (n int, ok bool) {
	given, there := q[name]
	if !there {
		return -1, true
	}
	if len(given) != 1 {
		return 0, false
	}
	return step(given[0])
}

// step is the number of a step as an address has it.
func step(s string) (n int, ok bool) {
	if len(s) > 7 || s == "" || s[0] == '+' || s[0] == '-' {
		return 0, false
	}
	n, err := strconv.Atoi(s)
	return n, err == nil
}

func (s Server) frame(title string) templates.Frame {
	f := templates.Frame{Catalogue: s.Words, Style: stylePath, Icon: iconPath, Title: title}
	if s.Siblings != nil {
		f.Siblings = s.Siblings()
	}
	return f
}

func (s Server) game(w http.ResponseWriter, r *http.Request) {
	g, err := s.look(r)
	if err != nil {
		s.refuse(w, r, err)
		return
	}
	cache, done := s.cacheFor(w, r, g)
	if done {
		return
	}
	p, err := s.page(r, g)
	if err != nil {
		s.refuse(w, r, err)
		return
	}
	if key := r.PathValue("key"); key != "" && g.View != nil && g.State == store.GameRunning && g.Step == g.Latest {
		p.Ahead = g.Own.Ahead
		decides := g.View.Decision != engine.NoDecision
		if decides {
			to := s.ReplyTo(g.Own.Token)
			p.Reply = templates.MailTo(to, p.Game, nil)
			if g.Options.Hints && to != "" {
				p.Hint = templates.MailTo(to, p.Game, []string{"hint"})
			}
		}
		if decides || g.View.TurnToCome() {
			p.Plan = "./" + url.PathEscape(key) + "/plan/"
		}
	}
	if clocked(g, r.PathValue("key")) && g.State == store.GameRunning {
		p.Calendar = "./" + url.PathEscape(r.PathValue("key")) + "/" + calendar.FileName
	}
	if g.State == store.GameFinished && g.View != nil {
		p.WhatIf = whatIfOf(g, r.PathValue("key"))
		s.atEnd(r, g, p)
	}
	if g.Free > 0 && g.Visibility == store.Listed {
		p.Free, p.Join = g.Free, templates.MailTo(s.LetterTo, p.Game, []string{"join " + g.ID})
	}
	withForms(w)
	p.Preview = s.previewOf(r, g, "/g/"+url.PathEscape(g.ID), p)
	if g.Visibility == store.Listed && r.PathValue("key") == "" && r.URL.RawQuery == "" { // its players have made it public
		p.Index = true
		w.Header().Del("X-Robots-Tag")
	}
	s.write(w, r, cache, templates.GamePage(p))
}

// atEnd adds what the page of a finished game leads to: its players, a rematch and a picture.
func (s Server) atEnd(r *http.Request, g *look.GameView, p *templates.Page) {
	p.Course, p.People = g.Course(), g.People
	if g.Visibility != store.Private {
		p.Share = s.pictureOf(g)
	}
	if key := r.PathValue("key"); key != "" && r.URL.RawQuery == "" {
		p.Rematch = templates.MailTo(s.ReplyTo(g.Own.Token), p.Game, []string{"rematch"})
	}
}

// clocked reports whether the holder of a key can have a deadline in the game.
func clocked(g *look.GameView, key string) bool {
	return key != "" && g.Options.Clock != "" && g.View != nil && g.View.Viewer > 0
}

// deadline serves the deadline of the key's holder as a calendar, to be read once or
// subscribed to. Without a deadline it says that the last one is off: a calendar must
// hold something.
func (s Server) deadline(w http.ResponseWriter, r *http.Request) {
	g, err := s.look(r)
	key := r.PathValue("key")
	if err == nil && !clocked(g, key) {
		err = store.ErrNotFound
	}
	if err != nil {
		s.refuse(w, r, err)
		return
	}
	seat := int(g.View.Viewer)
	e := calendar.Event{UID: calendar.UID(g.ID, seat, s.Host), Revised: cmp.Or(g.Own.Revised, g.Changed)}
	e.Title, e.Text = templates.EventOf(s.Words, templates.GameName(g.ID, g.Name))
	for _, d := range g.Deadlines {
		if d.Seat == seat {
			e.At = d.At
		}
	}
	if s.BaseURL != "" {
		e.URL = s.BaseURL + templates.GameHref(g.ID) + "/" + url.PathEscape(key)
	}
	text, err := e.File()
	if err != nil {
		s.Log.ErrorContext(r.Context(), "calendar", "game", g.ID, "error", err)
		s.fail(w, r)
		return
	}
	w.Header().Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": calendar.FileName}))
	s.send(w, r, "text/calendar; charset=utf-8", ownCache, []byte(text))
}

// cacheOf returns how long a game's page may be cached: what a key opened, only by
// the client that asked.
func cacheOf(r *http.Request) string {
	if r.PathValue("key") != "" {
		return ownCache
	}
	return openCache
}

// stamp is in the addresses of a game's pages that may be cached forever: a hash of its log as
// redacted for the viewer, and of the program. It is "" if there are none.
func (s Server) stamp(g *look.GameView) string {
	if s.Version == "" || g.View == nil {
		return ""
	}
	return sum(g.Tag() + " " + s.Version)
}

// cacheFor returns how long a page of g may be cached if its address has the current stamp. If
// the stamp is another, it redirects to the address without it, and done is true. Pages that
// may still change, such as the present one with the address for answers, have no stamp.
func (s Server) cacheFor(w http.ResponseWriter, r *http.Request, g *look.GameView) (cache string, done bool) {
	q := r.URL.Query()
	stamps, given := q["v"]
	if !given {
		return cacheOf(r), false
	}
	stamp := s.stamp(g)
	switch {
	case len(stamps) != 1 || stamp == "" || stamps[0] != stamp:
		q.Del("v")
		w.Header().Set("Location", "?"+q.Encode())
		w.Header().Set("Cache-Control", "no-store")
		w.WriteHeader(http.StatusFound)
		return "", true
	case g.Step == g.Latest && !g.View.Revealed:
		return cacheOf(r), false
	case r.PathValue("key") != "":
		return ownForever, false
	}
	return openForever, false
}

// withForms lets a page's forms go to the server itself.
func withForms(w http.ResponseWriter) { w.Header().Set("Content-Security-Policy", policy("'self'")) }

// page arranges what a game's page shows: the position after ?at=N, and what
// happened after ?since=M.
func (s Server) page(r *http.Request, g *look.GameView) (*templates.Page, error) {
	key := r.PathValue("key")
	p := s.about(g, key)
	// Addresses are relative or without the key: what is copied from the page
	// shows it only where nothing else would do.
	last := url.PathEscape(g.ID)
	if key != "" {
		last = url.PathEscape(key)
		if g.Visibility != store.Private {
			p.Public = "../" + url.PathEscape(g.ID)
		}
	}
	if g.View == nil {
		return p, nil
	}
	p.Data, p.Feed = "./"+last+"/view.json", "./"+last+"/feed.atom"
	if key != "" {
		p.Talk = "./" + last + "/talk"
	}
	newsOf(&p.Frame, g, "./"+last+"/news.json", "./"+last)
	if p.History = "./" + last + "/history"; g.Step != g.Latest {
		p.Data += "?at=" + strconv.Itoa(g.Step)
		if g.View.Revealed {
			p.Data += "&open=1"
		}
	}
	q := r.URL.Query()
	since, ok := number(q, "since")
	if !ok || since > g.Step {
		return nil, store.ErrNoStep
	}
	p.Walk = templates.NewWalk(g.Course(), g.Step, g.Latest, since, g.View.Viewer, g.View.Options.Players, len(q["at"]) == 0)
	p.Walk.Version = s.stamp(g)
	p.Told = g.Story(p.Walk.Since)
	p.Tale = p.Story(p.Told)
	var err error
	p.Before, err = g.Before(p.Walk.Since)
	return p, err
}

// about is what all pages of a game say of it.
func (s Server) about(g *look.GameView, key string) *templates.Page {
	var set *component.Set
	viewer := engine.Seat(0)
	if g.View != nil {
		set, viewer = g.View.Set, g.View.Viewer
	}
	p := &templates.Page{
		Voice: s.Words.For(set, viewer, g.Names), Game: templates.GameName(g.ID, g.Name), State: g.State, Names: g.Names, Joined: g.Joined,
		View: g.View, Legal: g.Legal, Played: s.Words.Options(g.Options), Commit: g.Commitment, Seed: g.Seed, Rulings: ruled(g),
	}
	if o := g.Options; g.View == nil && o.Clock != "" {
		p.Pace, o.Clock = s.Words.Pace(o.Clock), ""
		p.Played = s.Words.Options(o)
	}
	p.Frame = s.frame(p.Game + " · " + s.Words.Say("page.site"))
	p.Frame.Script = scriptPath
	if g.Step == g.Latest {
		p.Deadlines, p.Paused, p.Parts = g.Deadlines, g.Paused, g.Parts
	}
	if g.League != nil {
		p.League = leaguepage.Place(s.Words, g.League)
	}
	return p
}

// history tells the whole of a game.
func (s Server) history(w http.ResponseWriter, r *http.Request) {
	g, err := s.look(r)
	if err == nil && (g.View == nil || g.Step != g.Latest) {
		err = store.ErrNotFound // it has no steps of its own
	}
	if err != nil {
		s.refuse(w, r, err)
		return
	}
	cache, done := s.cacheFor(w, r, g)
	if done {
		return
	}
	key := r.PathValue("key")
	p := s.about(g, key)
	p.Home = "../" + url.PathEscape(g.ID)
	if key != "" {
		p.Home = "../" + url.PathEscape(key)
		if g.Visibility != store.Private {
			p.Public = "../../" + url.PathEscape(g.ID) + "/history"
		}
	}
	p.Record, p.Data = "record.json", "history.json"
	newsOf(&p.Frame, g, "news.json", "history")
	story := g.Story(-1)
	p.Course = g.Course()
	p.Walk = templates.NewWalk(p.Course, g.Step, g.Latest, -1, g.View.Viewer, g.View.Options.Players, true)
	p.Walk.Version = s.stamp(g)
	p.Tale = p.Story(story)
	p.Preview = s.previewOf(r, g, "/g/"+url.PathEscape(g.ID)+"/history", p)
	s.write(w, r, cache, templates.HistoryPage(p))
}

// record serves a game's record as a file.
func (s Server) record(w http.ResponseWriter, r *http.Request) {
	id, key := r.PathValue("id"), r.PathValue("key")
	if len(id) > maxID || len(key) > maxID {
		s.refuse(w, r, store.ErrNotFound)
		return
	}
	rec, err := s.Games.Record(r.Context(), id, key)
	if err != nil {
		s.refuse(w, r, err)
		return
	}
	var b bytes.Buffer
	if err := rec.Write(&b); err != nil {
		s.refuse(w, r, err)
		return
	}
	w.Header().Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": "angelpost-" + id + ".json"}))
	s.send(w, r, jsonKind, cacheOf(r), b.Bytes())
}

// json serves view.json.
func (s Server) json(w http.ResponseWriter, r *http.Request) {
	g, err := s.look(r)
	if err != nil {
		s.refuse(w, r, err)
		return
	}
	cache, done := s.cacheFor(w, r, g)
	if done {
		return
	}
	s.sendJSON(w, r, cache, g.JSON(len(r.URL.Query()["open"]) > 0))
}

const jsonKind = "application/json"

// missing answers every address there is nothing at.
func (s Server) missing(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		s.say(w, r, http.StatusMethodNotAllowed, "page.not-found", "page.read-only")
		return
	}
	s.refuse(w, r, store.ErrNotFound)
}

// failed logs what went wrong with a page, if someone still waits for it.
func (s Server) failed(r *http.Request, what string, err error) {
	if !errors.Is(r.Context().Err(), context.Canceled) {
		s.Log.ErrorContext(r.Context(), what, "pattern", r.Pattern, "error", err)
	}
}

// refuse answers an error: 404 for what is not there, 410 for a game that anyone could see once
// and whose players have made it private since, 503 for one whose stored rows cannot be read,
// 500 for the rest, whose reason is only in the log.
func (s Server) refuse(w http.ResponseWriter, r *http.Request, err error) {
	if errors.Is(err, replays.ErrUnreadable) { // the host knows
		w.Header().Set("Retry-After", "3600")
		s.say(w, r, http.StatusServiceUnavailable, "page.unreadable", "page.unreadable-text")
		return
	}
	if !errors.Is(err, store.ErrNotFound) {
		s.failed(r, "a page failed", err)
		s.fail(w, r)
		return
	}
	if errors.Is(err, store.ErrGone) {
		s.say(w, r, http.StatusGone, "page.gone", "page.gone-text")
		return
	}
	if rec, ok := w.(*recorder); ok && rec.keyLimited && !errors.Is(err, store.ErrNoStep) {
		if wait := s.keyLimiter.wait(s.clientOf(r), time.Now()); wait > 0 {
			s.tooMany(w, r, wait, "page.too-many", "page.too-many-text")
			return
		}
	}
	text, causes := "page.not-found-text", []string{"lost.cut", "lost.renewed", "lost.private"}
	switch {
	case r.PathValue("id") == "" && r.PathValue("key") == "": // not the address of a game or a start page
		text, causes = "page.not-found-other", []string{"lost.spelt"}
	case r.PathValue("id") == "":
		text, causes = "page.not-found-other", causes[:2]
	}
	if s.elsewhere(r) != "" {
		text, causes = "page.elsewhere", nil
	}
	s.tell(w, r, http.StatusNotFound, s.Words.Say("page.not-found"), s.Words.Say(text), s.Words.Say("page.not-found"), causes...)
}

// elsewhere is the address of the page at the server of the host whose game it is of; "" if that
// is none but this one.
func (s Server) elsewhere(r *http.Request) string {
	if s.Elsewhere == nil {
		return ""
	}
	at := s.Elsewhere(r.PathValue("id"))
	if at == "" {
		return ""
	}
	return at + r.URL.EscapedPath()
}

func (s Server) fail(w http.ResponseWriter, r *http.Request) {
	s.say(w, r, http.StatusInternalServerError, "page.error", "page.error-text")
}

// say answers without a game.
func (s Server) say(w http.ResponseWriter, r *http.Request, status int, head, text string) {
	s.tell(w, r, status, s.Words.Say(head), s.Words.Say(text), s.Words.Say(head))
}

// tell answers without a game: with a page of that head and text and of what may be wrong, or
// in JSON if the request is for JSON.
func (s Server) tell(w http.ResponseWriter, r *http.Request, status int, head, text, short string, causes ...string) {
	kind, body := "text/html; charset=utf-8", []byte(nil)
	if strings.HasSuffix(r.URL.Path, ".json") {
		kind = jsonKind
		body, _ = json.Marshal(struct { // two plain fields: it cannot fail
			Schema int    `json:"schema"`
			Error  string `json:"error"`
		}{game.Schema, short})
		body = append(body, '\n')
	} else {
		var b bytes.Buffer
		withForms(w)
		m := &templates.Missing{Frame: s.frame(head), Text: text, Causes: causes}
		if status == http.StatusNotFound {
			m.Elsewhere = s.elsewhere(r)
			if r.PathValue("id") == "" && r.PathValue("key") == "" {
				m.Meant, m.Asked = s.meant(r.URL.Path)
			}
		}
		if err := templates.MissingPage(m).Render(r.Context(), &b); err != nil {
			s.failed(r, "render a page", err)
		}
		body = b.Bytes()
	}
	s.unkept(w, r, status, kind, body)
}

// meant returns the pages whose addresses are much like a path that leads nowhere, and the word
// of it that may name a game or a player; "" none.
func (s Server) meant(path string) (pages []templates.Link, word string) {
	parts := strings.FieldsFunc(strings.ToLower(path), func(r rune) bool { return r == '/' })
	if len(parts) == 0 {
		return nil, ""
	}
	for _, p := range []struct{ path, name string }{
		{"games", "archive.title"}, {"leagues", "leagues.title"}, {"ratings", "rating.title"}, {"statistics", "statistics.title"},
		{"rules", "nav.rules"}, {"cards", "nav.cards"}, {"help", "nav.help"}, {"look", "look.title"}, {"privacy", "privacy.link"},
	} {
		if alike(parts[0], p.path) {
			pages = append(pages, templates.Link{Text: s.Words.Say(p.name), Href: "/" + p.path})
		}
	}
	if last := parts[len(parts)-1]; len(pages) == 0 || len(parts) > 1 {
		word = words.Clean(strings.Map(func(r rune) rune {
			if r == '-' || r == '_' || r == '+' {
				return ' '
			}
			return r
		}, last), 40)
	}
	return pages, word
}

// alike reports whether a word is another one, or begins with it, but for a letter in four.
func alike(a, b string) bool {
	if len(a) < 3 || len(a) > 40 {
		return false
	}
	if strings.HasPrefix(b, a) || strings.HasPrefix(a, b) {
		return true
	}
	return order.Distance(a, b) <= max(1, (len(b)+1)/4)
}

// unkept answers with something that must not be cached.
func (s Server) unkept(w http.ResponseWriter, r *http.Request, status int, kind string, body []byte) {
	h, body := w.Header(), s.withPath(kind, body)
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Type", kind)
	h.Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	if r.Method != http.MethodHead {
		w.Write(body)
	}
}

var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// write renders a page whole before its first byte leaves, so that a failure
// is still an answer.
func (s Server) write(w http.ResponseWriter, r *http.Request, cache string, page templ.Component) {
	b := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(b)
	b.Reset()
	if err := page.Render(r.Context(), b); err != nil {
		s.failed(r, "render a page", err)
		s.fail(w, r)
		return
	}
	s.send(w, r, "text/html; charset=utf-8", cache, b.Bytes())
}
