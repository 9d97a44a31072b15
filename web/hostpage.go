package web

import (
	"net/http"
	"strings"

	"angelpost/engine/store"
	"angelpost/templates"
)

// overview shows the host the state of the server. Its address ends with a slash, so that links
// within it can leave out the key; nothing keeps it.
func (s Server) overview(w http.ResponseWriter, r *http.Request) {
	key := r.PathValue("key")
	if s.Overview == nil || len(key) > maxID {
		s.refuse(w, r, store.ErrNotFound)
		return
	}
	p, err := s.Overview(r.Context(), key)
	if err != nil {
		s.refuse(w, r, err)
		return
	}
	if strings.HasSuffix(r.URL.Path, ".json") {
		s.sendJSON(w, r, never, p.JSON)
		return
	}
	p.Frame = s.frame(s.Words.Say("hostpage.title") + " · " + s.Words.Say("page.site"))
	s.write(w, r, never, templates.HostOverview(p))
}
