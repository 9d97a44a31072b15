package web

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"angelpost/engine/match/look"
	"angelpost/engine/match/turns"
	"angelpost/engine/order"
	"angelpost/engine/store"
	"angelpost/templates"
)

// A plan is in the address alone: each line a segment, its blanks written as
// "_", and a slash at the end so that links go on from there.

// maxPlan bounds the lines of a plan in an address, in bytes.
const maxPlan = 4 << 10

// planned returns the path of a request's plan; ok is false if it cannot be one. Without its
// last slash it redirects to the address with it. file is the name of the same as data.
func planned(w http.ResponseWriter, r *http.Request, file string) (path string, data, ok bool) {
	path = r.PathValue("steps")
	if rest, is := strings.CutSuffix(path, file); is && (rest == "" || strings.HasSuffix(rest, "/")) {
		path, data = rest, true
	}
	if path != "" && !strings.HasSuffix(path, "/") {
		w.Header().Set("Cache-Control", never)
		http.Redirect(w, r, r.URL.EscapedPath()+"/", http.StatusPermanentRedirect)
		return "", false, false
	}
	return path, data, true
}

func tooMuch(r *http.Request, lines []string) bool {
	return len(r.PathValue("steps")) > maxPlan || len(r.URL.RawQuery) > maxPlan || len(lines) > turns.MaxPlan
}

// plan shows a turn being planned. It redirects players with nothing to decide to
// their page.
func (s Server) plan(w http.ResponseWriter, r *http.Request) {
	path, data, ok := planned(w, r, "plan.json")
	if !ok {
		return
	}
	at := templates.ReadPlan(path)
	tries := at.Tries()
	id, key := r.PathValue("id"), r.PathValue("key")
	if tooMuch(r, append(at.Lines, at.Earlier...)) || len(tries) >= order.MaxBlocks || len(id) > maxID || len(key) > maxID {
		s.refuse(w, r, store.ErrNoStep)
		return
	}
	g, plan, err := s.Games.Plan(r.Context(), id, key, at.Lines)
	if err == nil && plan != nil && !plan.Ahead && len(tries) > 0 { // now there is one try alone
		at.Given, at.Lines, at.Begun = templates.PlanLines(path)
		at.Earlier, tries = nil, nil
		g, plan, err = s.Games.Plan(r.Context(), id, key, at.Lines)
	}
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
	for _, x := range tries {
		_, earlier, err := s.Games.Plan(r.Context(), id, key, x.Lines)
		if err != nil {
			s.refuse(w, r, err)
			return
		}
		if earlier == nil || !earlier.Ahead || earlier.Refused != nil || x.Begun != "" || len(earlier.Steps)+len(earlier.Last) == 0 {
			// The board has changed since: the page of that try says so.
			w.Header().Set("Cache-Control", never)
			http.Redirect(w, r, home+"/plan/"+templates.PlanPath(x.Segments()...), http.StatusSeeOther)
			return
		}
		templates.GiveEarlier(plan, earlier, x.Given)
	}
	added := templates.Added(r.URL.Query())
	if line, ok := templates.Given(added, order.Context{Names: plan.Names, Now: g.Names, View: g.View}); ok && !data && (plan.Ahead || !templates.IsCondition(line)) {
		if !slices.Contains(at.Given, line) {
			at.Given = append(at.Given, line)
		}
		w.Header().Set("Cache-Control", never)
		http.Redirect(w, r, home+"/plan/"+templates.PlanPath(at.Segments()...)+templates.AtBesides, http.StatusSeeOther)
		return
	}
	templates.Give(plan, at.Given)
	now := *g
	now.View, now.Legal = plan.Board, nil
	p := s.about(&now, key)
	p.Before, p.Frame.Script = g.View, scriptPath
	newsOf(&p.Frame, g, home+"/news.json", home)
	p.Title = s.Words.Say("plan.title") + " · " + p.Game
	p.Data = "plan.json"
	page := templates.NewPlan(p, plan, at, home, s.ReplyTo(plan.Token))
	if s.PostRoom != nil {
		page.Post(func(mailto string) string { return s.PostRoom(g.ID, int(plan.View.Viewer), mailto) })
	}
	if data {
		s.sendPlan(w, r, g, plan, at.Begun, page)
		return
	}
	page.Title = page.Tab()
	page.Wrong(added)
	withForms(w)
	s.write(w, r, cacheOf(r), templates.ShowPlan(page))
}

// whatIf shows a finished game played on otherwise.
func (s Server) whatIf(w http.ResponseWriter, r *http.Request) {
	path, data, ok := planned(w, r, "what-if.json")
	if !ok {
		return
	}
	given, lines, begun := templates.PlanLines(path)
	lines = append(given, lines...) // it has no letter
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
	p.Voice = s.Words.For(other.View.Set, 0, g.Names) // its reader moves for everyone, and is no one
	p.Before, p.Frame.Script = g.View, scriptPath
	p.Title = s.Words.Say("what-if.title") + " · " + p.Game
	p.Data = "what-if.json"
	page := templates.NewWhatIf(p, other, len(lines), begun, at, home+"?at="+strconv.Itoa(at))
	page.Title = page.Tab()
	s.write(w, r, cacheOf(r), templates.ShowPlan(page))
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
