package web

import (
	"bytes"
	"context"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"net/url"

	"angelpost/templates"
)

// The addresses that take a POST from a letter: they end the letters about a game,
// or a league, for the key's owner, as RFC 8058 wants it of the address in a
// List-Unsubscribe field. That moves no game, withdraws no player and opens no page. To
// GET and HEAD it only says what the button would do: a scanner that follows links in
// letters changes nothing.

const (
	oneClickName, oneClickValue = "List-Unsubscribe", "One-Click" // RFC 8058, section 3.2
	maxForm                     = 4 << 10                         // of a POST's body, in bytes
)

// A Muter takes what the button says. Errors are those of Games.
type Muter interface {
	// Mute ends the letters about a game for the owner of the key.
	Mute(ctx context.Context, id, key string) error
	// MuteLeague does so for the letters about a league.
	MuteLeague(ctx context.Context, id, key string) error
}

// A muting is what a request is about.
type muting struct {
	id, key string // "" to look nothing up
	league  bool
}

func mutingOf(r *http.Request) muting {
	m := muting{id: r.PathValue("id"), key: r.PathValue("key")}
	if m.id == "" {
		m.id, m.league = r.PathValue("league"), true
	}
	if len(m.id) > maxID || len(m.key) > maxID {
		m.id, m.key = "", ""
	}
	return m
}

// muted is what it is called, and whether the key's owner has muted it.
func (s Server) muted(r *http.Request, m muting) (name string, muted bool, err error) {
	if m.league {
		return s.Leagues.LeagueMuted(r.Context(), m.id, m.key)
	}
	name, muted, err = s.Games.Muted(r.Context(), m.id, m.key)
	return templates.GameName(m.id, name), muted, err
}

// askMute shows what muting does, and the button.
func (s Server) askMute(w http.ResponseWriter, r *http.Request) {
	if s.muteElsewhere(w, r) {
		return
	}
	m := mutingOf(r)
	name, muted, err := s.muted(r, m)
	if err != nil {
		s.refuse(w, r, err)
		return
	}
	// The one page with a form: to itself.
	w.Header().Set("Content-Security-Policy", policy("'self'"))
	s.showMute(w, r, m, name, muted)
}

// mute mutes, once or many times.
func (s Server) mute(w http.ResponseWriter, r *http.Request) {
	if !oneClick(r.Header.Get("Content-Type"), http.MaxBytesReader(w, r.Body, maxForm)) {
		s.say(w, r, http.StatusBadRequest, "page.not-found", "page.read-only")
		return
	}
	if s.muteElsewhere(w, r) {
		return
	}
	m := mutingOf(r)
	mute := s.Muter.Mute
	if m.league {
		mute = s.Muter.MuteLeague
	}
	err := mute(r.Context(), m.id, m.key)
	var name string
	if err == nil {
		name, _, err = s.muted(r, m)
	}
	if err != nil {
		s.refuse(w, r, err)
		return
	}
	s.showMute(w, r, m, name, true)
}

// muteElsewhere tells that this site takes no click, if it has no Muter.
func (s Server) muteElsewhere(w http.ResponseWriter, r *http.Request) bool {
	if s.Muter == nil {
		s.say(w, r, http.StatusServiceUnavailable, "page.mute-elsewhere", "page.mute-elsewhere-text")
	}
	return s.Muter == nil
}

func (s Server) showMute(w http.ResponseWriter, r *http.Request, m muting, name string, muted bool) {
	p := templates.Muting{Name: name, League: m.league, Muted: muted, Field: oneClickName, Value: oneClickValue}
	s.write(w, r, never, templates.MutePage(s.frame(name+" · "+s.Words.Say("page.site")), p))
}

// oneClick reports whether a form, of either kind, says what RFC 8058 has mail
// programs say.
func oneClick(contentType string, body io.Reader) bool {
	b, err := io.ReadAll(body)
	if err != nil {
		return false
	}
	kind, params, err := mime.ParseMediaType(contentType)
	if err != nil {
		return false
	}
	switch kind {
	case "application/x-www-form-urlencoded":
		form, err := url.ParseQuery(string(b))
		return err == nil && form.Get(oneClickName) == oneClickValue
	case "multipart/form-data":
		form, err := multipart.NewReader(bytes.NewReader(b), params["boundary"]).ReadForm(maxForm)
		return err == nil && len(form.Value[oneClickName]) > 0 && form.Value[oneClickName][0] == oneClickValue
	}
	return false
}
