package web

import (
	"bytes"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"strings"
	"time"

	"angelpost/engine"
	"angelpost/engine/game"
	"angelpost/engine/match/look"
	"angelpost/engine/store"
	"angelpost/templates"
)

// Anyone can look at a record they have: the page takes a file and shows the whole
// game in it on one page. It stores nothing of it, and gives it no address.

// Bounds of looking at a record: its octets and lines, how many may arrive at
// once, and for how long one may wait for that and for its turn: one is decoded
// and played at a time.
const (
	maxUpload   = 2 << 20
	maxLines    = 4000
	maxArriving = 4
	lookWait    = 5 * time.Second
)

// askRecord shows the form that takes a record.
func (s Server) askRecord(w http.ResponseWriter, r *http.Request) {
	withForms(w)
	f := s.frame(s.Words.Say("look.title") + " · " + s.Words.Say("page.site"))
	s.write(w, r, openCache, templates.AskRecordPage(f, ""))
}

// showRecord shows the record that a form brings.
func (s Server) showRecord(w http.ResponseWriter, r *http.Request) {
	withForms(w)
	data := strings.HasSuffix(r.URL.Path, ".json")
	refuse := func(status int, key string, args ...any) {
		text := s.Words.Say(key, args...)
		if data {
			s.tell(w, r, status, text, text, text)
			return
		}
		f := s.frame(s.Words.Say("look.title") + " · " + s.Words.Say("page.site"))
		var b bytes.Buffer
		if err := templates.AskRecordPage(f, text).Render(r.Context(), &b); err != nil {
			s.Log.ErrorContext(r.Context(), "render a page", "pattern", r.Pattern, "error", err)
		}
		s.unkept(w, r, status, "text/html; charset=utf-8", b.Bytes())
	}
	enter := func(room chan struct{}) bool {
		wait := time.NewTimer(lookWait)
		defer wait.Stop()
		select {
		case room <- struct{}{}:
			return true
		case <-wait.C:
		case <-r.Context().Done():
		}
		w.Header().Set("Retry-After", "10")
		refuse(http.StatusServiceUnavailable, "look.busy")
		return false
	}
	if !enter(s.arriving) {
		return
	}
	defer func() { <-s.arriving }()
	file, err := readUpload(w, r)
	tooLarge := new(http.MaxBytesError)
	switch {
	case errors.As(err, &tooLarge), errors.Is(err, game.ErrTooLarge):
		refuse(http.StatusRequestEntityTooLarge, "look.large")
		return
	case err != nil:
		refuse(http.StatusBadRequest, "look.unreadable")
		return
	}
	if !enter(s.looking) {
		return
	}
	defer func() { <-s.looking }()
	rec, err := game.ReadRecord(bytes.NewReader(file))
	if err != nil {
		refuse(http.StatusBadRequest, "look.unreadable")
		return
	}
	x, err := s.Games.Upload(rec)
	if later := new(engine.UnknownVersion); errors.As(err, &later) {
		refuse(http.StatusBadRequest, "look.version", "version", later.Version, "known", engine.Version)
		return
	}
	if err != nil {
		refuse(http.StatusBadRequest, "look.unplayable")
		return
	}
	if data {
		s.sendJSON(w, r, never, lookedAt(rec, x))
		return
	}
	p := &templates.Page{
		Voice: s.Words.For(x.View.Set, 0, rec.Names), Game: s.Words.Say("look.title"), State: store.GameFinished, Names: rec.Names,
		View: x.View, Played: s.Words.Options(rec.Options), Commit: rec.Commitment, Seed: rec.Seed,
		Course: x.Course, Loose: true,
	}
	if !x.View.Finished {
		p.State = store.GameRunning
	}
	p.Frame = s.frame(p.Game + " · " + s.Words.Say("page.site"))
	p.Walk = templates.NewWalk(x.Course, len(rec.Log), len(rec.Log), -1, 0, rec.Options.Players, true)
	p.Tale = p.Story(x.Story)
	s.write(w, r, never, templates.RecordPage(p, x.Difference))
}

type lookJSON struct {
	Schema   int             `json:"schema"`
	Right    bool            `json:"right"` // all is as the rules have it
	Differs  *differsJSON    `json:"differs"`
	Position *game.ViewJSON  `json:"position"` // at its end
	Course   []milestoneJSON `json:"course"`
}

type differsJSON struct {
	Line  int    `json:"line"` // 0: before the first
	Field string `json:"field"`
	Want  string `json:"want"`
	Got   string `json:"got"`
}

// lookedAt is what the page about a record shows, as data.
func lookedAt(rec *game.Record, x *look.Upload) lookJSON {
	out := lookJSON{Schema: game.Schema, Right: x.Difference == nil, Course: courseData(x.Course),
		Position: game.NewViewJSON(x.View, rec.Game, rec.Options, rec.Names, len(rec.Log), len(rec.Log))}
	if d := x.Difference; d != nil {
		out.Differs = &differsJSON{d.Line, d.Field, d.Want, d.Got}
	}
	return out
}

// readUpload reads the first file of a form. What is refused is read to its end
// all the same, if that is near: a browser shows no answer before.
func readUpload(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	if r.ContentLength > maxUpload {
		return nil, &http.MaxBytesError{Limit: maxUpload}
	}
	body := http.MaxBytesReader(w, r.Body, maxUpload)
	defer io.Copy(io.Discard, body)
	kind, params, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil {
		return nil, err
	}
	var file io.Reader = body
	switch kind {
	case jsonKind:
	case "multipart/form-data":
		part, err := multipart.NewReader(body, params["boundary"]).NextPart()
		if err != nil {
			return nil, err
		}
		file = part
	default:
		return nil, errors.New("no form")
	}
	return game.TakeRecord(file, maxUpload, maxLines)
}
