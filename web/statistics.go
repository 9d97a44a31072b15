package web

import (
	"net/http"
	"strings"

	"angelpost/engine/game"
	"angelpost/engine/statistics"
	"angelpost/engine/store"
	"angelpost/templates"
)

type kindJSON struct {
	Schema int `json:"schema"`
	statistics.Kind
}

// statistics shows what the finished games of all kinds came to.
func (s Server) statistics(w http.ResponseWriter, r *http.Request) {
	kinds, err := s.Games.Statistics(r.Context())
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
	k, err := s.Games.StatisticsOf(r.Context(), key)
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
