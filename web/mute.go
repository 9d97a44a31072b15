package web

import (
	"bytes"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"net/url"

	"angelpost/templates"
)

// The one address that takes a POST: it ends the letters about a game for the
// key's owner, as RFC 8058 wants it of the address in a List-Unsubscribe field.
// It moves no game and opens no page. To GET and HEAD it only says what the
// button would do: whoever looks through letters for links changes nothing.

const (
	oneClickName, oneClickValue = "List-Unsubscribe", "One-Click" // RFC 8058, section 3.2
	maxForm                     = 4 << 10                         // of a POST's body, in bytes
)

// askMute shows what muting does, and the button.
func (s Server) askMute(w http.ResponseWriter, r *http.Request) {
	name, muted, err := s.Games.Muted(r.Context(), muteOf(r), r.PathValue("key"))
	if err != nil {
		s.refuse(w, r, err)
		return
	}
	// The one page with a form: to itself.
	w.Header().Set("Content-Security-Policy", policy("'self'"))
	s.showMute(w, r, name, muted)
}

// mute mutes, once or many times.
func (s Server) mute(w http.ResponseWriter, r *http.Request) {
	if !oneClick(r.Header.Get("Content-Type"), http.MaxBytesReader(w, r.Body, maxForm)) {
		s.say(w, r, http.StatusBadRequest, "page.not-found", "page.read-only")
		return
	}
	id, key := muteOf(r), r.PathValue("key")
	err := s.Games.Mute(r.Context(), id, key)
	var name string
	if err == nil {
		name, _, err = s.Games.Muted(r.Context(), id, key)
	}
	if err != nil {
		s.refuse(w, r, err)
		return
	}
	s.showMute(w, r, name, true)
}

// muteOf is the request's game; "" where nothing shall be looked up.
func muteOf(r *http.Request) string {
	if id := r.PathValue("id"); len(id) <= maxID && len(r.PathValue("key")) <= maxID {
		return id
	}
	return ""
}

func (s Server) showMute(w http.ResponseWriter, r *http.Request, name string, muted bool) {
	game := title(s.Words, r.PathValue("id"), name)
	s.write(w, r, never, templates.MutePage(s.frame(game+" · "+s.Words.Say("page.site")), game, muted, oneClickName, oneClickValue))
}

// oneClick tells whether a form, of either kind, says what RFC 8058 has mail
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
