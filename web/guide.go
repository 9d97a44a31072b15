package web

import (
	"net/http"

	"angelpost/engine/league"
	"angelpost/templates"
)

// guide shows how to run a league.
func (s Server) guide(w http.ResponseWriter, r *http.Request) {
	title := s.Words.Say("league.run")
	p := &templates.Guide{Frame: s.frame(title + " · " + s.Words.Say("page.site")), Parts: league.Guide()}
	p.Preview = s.preview(title, templates.GuideHref, s.Words.Say("page.tagline"))
	s.write(w, r, openCache, templates.GuidePage(p))
}
