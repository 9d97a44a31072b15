package web

import (
	"net/http"
	"strconv"

	"angelpost/engine"
	"angelpost/engine/game"
	"angelpost/engine/match/look"
	"angelpost/engine/store"
	"angelpost/templates"
	"angelpost/templates/words"
)

// newsJSON says what has happened in a game since a line of its log.
type newsJSON struct {
	Schema int      `json:"schema"`
	Latest int      `json:"latest"`
	Moved  []string `json:"moved"` // names of players, in the order of their last lines
	Text   string   `json:"text"`  // in a sentence; "" nothing has happened
}

// news answers pages that ask every 30 seconds whether they are still true. SPEED.md says why
// they ask, and why for this.
func (s Server) news(w http.ResponseWriter, r *http.Request) {
	since, ok := number(r.URL.Query(), "since")
	g, err := s.look(r)
	if err == nil && (!ok || since > g.Latest || g.Step != g.Latest) {
		err = store.ErrNoStep
	}
	if err != nil {
		s.refuse(w, r, err)
		return
	}
	out := newsJSON{Schema: game.Schema, Latest: g.Latest, Moved: []string{}}
	if since >= 0 && since < g.Latest && g.View != nil {
		out.Moved, out.Text = s.moved(s.about(g, r.PathValue("key")).Voice, g.View.Finished, g.Story(since))
	}
	s.sendJSON(w, r, cacheOf(r), out)
}

// newsOf has a page of a running game ask an address for news, which is on the page to.
func newsOf(f *templates.Frame, g *look.GameView, from, to string) {
	if g.State == store.GameRunning && g.View != nil {
		f.News, f.NewsTo = from+"?since="+strconv.Itoa(g.Latest), to
	}
}

// moved says who has moved in a story, the last player last.
func (s Server) moved(v *words.Voice, over bool, story []game.Told) (names []string, text string) {
	names = []string{}
	seen := map[int]bool{}
	for i := len(story) - 1; i >= 0; i-- {
		t := &story[i]
		if t.Seat == 0 || t.Undone || seen[t.Seat] {
			continue
		}
		seen[t.Seat] = true
		names = append([]string{v.Name(engine.Seat(t.Seat))}, names...)
	}
	switch {
	case over:
		return names, s.Words.Say("newsbar.over")
	case len(names) == 0:
		return names, s.Words.Say("newsbar.changed")
	}
	return names, s.Words.Say("newsbar.moved", "names", s.Words.List(names))
}
