package web

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"

	"angelpost/engine"
	"angelpost/engine/component"
	"angelpost/engine/match/look"
	"angelpost/engine/store"
	"angelpost/templates"
	"angelpost/templates/draw"
)

// What other places show of a link (Open Graph): only for public pages. A page that a key
// opened has none, so that no part of it is on a chat's servers.

const pngKind = "image/png"

// preview is that of the public page at a path, without a picture of its own:
// the table as a game begins.
func (s Server) preview(title, path, text string) *templates.Preview {
	p := &templates.Preview{Title: title, Text: text}
	if s.BaseURL != "" {
		p.URL = s.BaseURL + path
		t := table()
		p.Picture, p.Width, p.Height = s.BaseURL+t.path, t.width, t.height
	}
	return p
}

// previewOf is that of a game's public page at a path; nil for any that a key
// opened.
func (s Server) previewOf(r *http.Request, g *look.GameView, path string, page *templates.Page) *templates.Preview {
	if r.PathValue("key") != "" || g.Visibility == store.Private {
		return nil
	}
	if len(r.URL.Query()["at"]) > 0 {
		path += "?at=" + strconv.Itoa(g.Step)
	}
	p := s.preview(page.Game, path, strings.TrimSpace(page.Status()+" "+page.Played))
	if stamp := s.stamp(g); stamp != "" && p.URL != "" {
		p.Picture = s.BaseURL + "/pictures/" + url.PathEscape(g.ID) + "/" + strconv.Itoa(g.Step) + "/" + stamp + ".png"
		p.Width, p.Height = draw.PreviewSize(g.View)
	}
	return p
}

// picture serves the picture of a game after a line as everyone may see it. Its address has the
// log's stamp. With an older stamp it still answers, because a past position never changes, but
// the answer may not be cached.
func (s Server) picture(w http.ResponseWriter, r *http.Request) {
	id := r.PathValue("id")
	at, ok := step(r.PathValue("at"))
	stamp, isPNG := strings.CutSuffix(r.PathValue("file"), ".png")
	if !ok || !isPNG || len(id) > maxID {
		s.refuse(w, r, store.ErrNotFound)
		return
	}
	g, err := s.Games.Open(r.Context(), id, "", at)
	if err == nil && g.View == nil {
		err = store.ErrNotFound
	}
	if err != nil {
		s.refuse(w, r, err)
		return
	}
	cache := openCache
	if stamp != "" && stamp == s.stamp(g) {
		cache = openForever
	}
	w.Header().Set("Cross-Origin-Resource-Policy", "cross-origin")
	s.send(w, r, pngKind, cache, draw.Preview(g.View))
}

// A stock is a picture that is always the same.
type stock struct {
	path          string
	body          []byte
	width, height int
}

// table is a table as a game of four begins.
var table = sync.OnceValue(func() stock {
	s, err := engine.New(component.Default(), engine.Options{Players: engine.MaxPlayers}, engine.NewChance([32]byte{}, ""), nil)
	if err != nil {
		panic("web: the built-in set makes no game: " + err.Error())
	}
	v := s.Project(0)
	t := stock{body: draw.Preview(v)}
	t.path = "/table-" + sum(string(t.body)) + ".png"
	t.width, t.height = draw.PreviewSize(v)
	return t
})

func (s Server) tablePicture(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cross-Origin-Resource-Policy", "cross-origin")
	s.send(w, r, pngKind, openForever, table().body)
}
