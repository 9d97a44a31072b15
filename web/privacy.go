package web

import (
	"net/http"

	"angelpost/templates"
)

// privacy says what the server keeps about people.
func (s Server) privacy(w http.ResponseWriter, r *http.Request) {
	title := s.Words.Say("privacy.title")
	p := &templates.PrivacyView{Frame: s.frame(title + " · " + s.Words.Say("page.site"))}
	if s.Privacy != nil {
		p.Privacy = s.Privacy()
	}
	p.Index, p.Preview = r.URL.RawQuery == "", s.preview(title, r.URL.Path, s.Words.Say("privacy.lead"))
	if p.Index {
		w.Header().Del("X-Robots-Tag")
	}
	s.write(w, r, openCache, templates.PrivacyPage(p))
}
