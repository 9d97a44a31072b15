package web

import (
	"context"
	"net/http"
	"strings"

	"angelpost/engine/game"
	"angelpost/engine/statistics"
	"angelpost/engine/store"
	"angelpost/templates"
)

// Statistics is what finished games came to. Errors are those of Games.
type Statistics interface {
	// Kinds are those of all kinds of games.
	Kinds(ctx context.Context) ([]statistics.Kind, error)
	// Kind is that of one.
	Kind(ctx context.Context, key string) (statistics.Kind, error)
}

type kindJSON struct {
	Schema int `json:"schema"`
	statistics.Kind
}

// statistics shows what the finished games of all kinds came to.
func (s Server) statistics(w http.ResponseWriter, r *http.Request) {
	kinds, err := s.Statistics.Kinds(r.Context())
	if err != nil {
		s.refuse(w, r, err)
		return
	}
	if strings.HasSuffix(r.URL.Path, ".json") {
		s.sendJSON(w, r, openCache, statistics.NewReport(kinds))
		return
	}
	f := s.indexed(w, r, s.Words.Say("statistics.title"))
	s.write(w, r, openCache, templates.StatisticsPage(&templates.Statistics{Frame: f, Kinds: kinds, Data: "/statistics.json"}))
}

// kind shows what the finished games of one kind came to.
func (s Server) kind(w http.ResponseWriter, r *http.Request) {
	key := r.PathValue("kind")
	if len(key) > maxID {
		s.refuse(w, r, store.ErrNotFound)
		return
	}
	k, err := s.Statistics.Kind(r.Context(), key)
	if err != nil {
		s.refuse(w, r, err)
		return
	}
	if strings.HasSuffix(r.URL.Path, ".json") {
		s.sendJSON(w, r, openCache, kindJSON{game.Schema, k})
		return
	}
	f := s.indexed(w, r, s.Words.Say("statistics.title"))
	s.write(w, r, openCache, templates.KindPage(&templates.KindOfGame{Frame: f, Kind: k, Data: templates.KindHref(key) + "/kind.json"}))
}

// indexed is the frame of a page that search engines may list.
func (s Server) indexed(w http.ResponseWriter, r *http.Request, title string) templates.Frame {
	f := s.frame(title + " · " + s.Words.Say("page.site"))
	f.Index, f.Preview = true, s.preview(title, r.URL.EscapedPath(), s.Words.Say("page.tagline"))
	w.Header().Del("X-Robots-Tag")
	return f
}
