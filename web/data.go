package web

import (
	"encoding/json"
	"net/http"

	"angelpost/engine"
	"angelpost/engine/game"
	"angelpost/engine/notice"
	"angelpost/engine/store"
)

// The pages' JSON besides view.json and record.json; API.md describes all of it.

type historyJSON struct {
	Schema int             `json:"schema"`
	Game   string          `json:"game"`
	Viewer int             `json:"viewer"`
	Step   int             `json:"step"`
	Lines  []lineJSON      `json:"lines"`
	Course []milestoneJSON `json:"course"`

	Rulings []rulingTold `json:"rulings,omitempty"`
}

type rulingTold struct {
	notice.Ruling
	Text string `json:"text"`
}

type lineJSON struct {
	game.Told
	Text string `json:"text"`
}

type milestoneJSON struct {
	N     int              `json:"n"`
	Round int              `json:"round"`
	Seat  int              `json:"seat"`
	By    []map[string]int `json:"by"`
}

// historyData serves what the history's page tells.
func (s Server) historyData(w http.ResponseWriter, r *http.Request) {
	g, err := s.look(r)
	if err == nil && (g.View == nil || g.Step != g.Latest) {
		err = store.ErrNotFound
	}
	if err != nil {
		s.refuse(w, r, err)
		return
	}
	cache, done := s.cacheFor(w, r, g)
	if done {
		return
	}
	voice := s.about(g, r.PathValue("key")).Voice
	out := historyJSON{Schema: game.Schema, Game: g.ID, Viewer: int(g.View.Viewer), Step: g.Step, Lines: []lineJSON{}}
	for _, t := range g.Story(-1) {
		out.Lines = append(out.Lines, lineJSON{t, voice.Told(&t)})
	}
	out.Course = courseData(g.Course())
	rulings := ruled(g)
	for _, u := range rulings {
		out.Rulings = append(out.Rulings, rulingTold{u, voice.Ruling(u, rulings)})
	}
	s.sendJSON(w, r, cache, out)
}

func courseData(course []game.Milestone) (out []milestoneJSON) {
	for _, m := range course {
		j := milestoneJSON{N: m.N, Round: m.Round, Seat: int(m.Seat)}
		for _, by := range m.By {
			sources := map[string]int{}
			for s := range engine.Sources {
				sources[s.String()] = by[s]
			}
			j.By = append(j.By, sources)
		}
		out = append(out, j)
	}
	return out
}

func (s Server) sendJSON(w http.ResponseWriter, r *http.Request, cache string, v any) {
	body, err := json.Marshal(v)
	if err != nil {
		s.Log.ErrorContext(r.Context(), "json", "pattern", r.Pattern, "error", err)
		s.fail(w, r)
		return
	}
	s.send(w, r, jsonKind, cache, append(body, '\n'))
}
