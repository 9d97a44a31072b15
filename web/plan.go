package web

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"angelpost/engine/match/look"
	"angelpost/engine/match/turns"
	"angelpost/engine/store"
	"angelpost/templates"
)

// A plan is in the address alone: each line a segment, its blanks written as
// "_", and a slash at the end so that links go on from there.

// maxPlan bounds the lines of a plan in an address, in bytes.
const maxPlan = 4 << 10

// planned are the lines of a request's plan; ok is false for an address that
// can be none. Without its last slash it is told where that is.
// file is the name under which the same lies as data.
// begun is the beginning of an order with which the address ends.
func planned(w http.ResponseWriter, r *http.Request, file string) (lines []string, begun string, data, ok bool) {
	path := r.PathValue("steps")
	if rest, is := strings.CutSuffix(path, file); is && (rest == "" || strings.HasSuffix(rest, "/")) {
		path, data = rest, true
	}
	if path != "" && !strings.HasSuffix(path, "/") {
		w.Header().Set("Cache-Control", never)
		http.Redirect(w, r, r.URL.EscapedPath()+"/", http.StatusPermanentRedirect)
		return nil, "", false, false
	}
	lines, begun = templates.PlanLines(path)
	return lines, begun, data, true
}

func tooMuch(r *http.Request, lines []string) bool {
	return len(r.PathValue("steps")) > maxPlan || len(lines) > turns.MaxPlan
}

// plan shows a turn being planned. It redirects players with nothing to decide to
// their page.
func (s Server) plan(w http.ResponseWriter, r *http.Request) {
	lines, begun, data, ok := planned(w, r, "plan.json")
	if !ok {
		return
	}
	id, key := r.PathValue("id"), r.PathValue("key")
	if tooMuch(r, lines) || len(id) > maxID || len(key) > maxID {
		s.refuse(w, r, store.ErrNoStep)
		return
	}
	g, plan, err := s.Games.Plan(r.Context(), id, key, lines)
	if err != nil {
		s.refuse(w, r, err)
		return
	}
	home := "/g/" + url.PathEscape(id) + "/" + url.PathEscape(key)
	if plan == nil {
		if data {
			home += "/view.json"
		}
		w.Header().Set("Cache-Control", never)
		http.Redirect(w, r, home, http.StatusSeeOther)
		return
	}
	now := *g
	now.View, now.Legal = plan.Board, nil
	p := s.about(&now, key)
	p.Before, p.Frame.Script = g.View, scriptPath
	newsOf(&p.Frame, g, home+"/news.json", home)
	p.Title = s.Words.Say("plan.title") + " · " + p.Game
	p.Data = "plan.json"
	page := templates.NewPlan(p, plan, len(lines), begun, home, s.ReplyTo(plan.Token))
	if data {
		s.sendPlan(w, r, g, plan, page)
		return
	}
	s.write(w, r, cacheOf(r), templates.ShowPlan(page))
}

// whatIf shows a finished game played on otherwise.
func (s Server) whatIf(w http.ResponseWriter, r *http.Request) {
	lines, begun, data, ok := planned(w, r, "what-if.json")
	if !ok {
		return
	}
	id, key := r.PathValue("id"), r.PathValue("key")
	at, ok := step(r.PathValue("at"))
	if !ok || tooMuch(r, lines) || len(id) > maxID || len(key) > maxID {
		s.refuse(w, r, store.ErrNoStep)
		return
	}
	g, other, err := s.Games.WhatIf(r.Context(), id, key, at, lines)
	if err != nil {
		s.refuse(w, r, err)
		return
	}
	if data {
		s.sendWhatIf(w, r, g, other)
		return
	}
	home := "/g/" + url.PathEscape(id)
	if key != "" {
		home += "/" + url.PathEscape(key)
	}
	then := *g
	then.View, then.Legal, then.State = other.View, nil, store.GameRunning
	if other.View.Finished {
		then.State = store.GameFinished
	}
	p := s.about(&then, key)
	p.Before, p.Frame.Script = g.View, scriptPath
	p.Title = s.Words.Say("what-if.title") + " · " + p.Game
	p.Data = "what-if.json"
	s.write(w, r, cacheOf(r), templates.ShowPlan(templates.NewWhatIf(p, other, len(lines), begun, at, home+"?at="+strconv.Itoa(at))))
}

// whatIfOf is where a finished game is played on from the position shown, seen
// from its page.
func whatIfOf(g *look.GameView, key string) string {
	at := "/" + strconv.Itoa(g.Step) + "/"
	if key == "" {
		return "/what-if/" + url.PathEscape(g.ID) + at
	}
	return "./" + url.PathEscape(key) + "/what-if" + at
}
