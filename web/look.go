package web

import (
	"bytes"
	"context"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/semaphore"

	"angelpost/engine"
	"angelpost/engine/game"
	"angelpost/engine/match/look"
	"angelpost/engine/store"
	"angelpost/templates"
)

// Anyone can view a record that they have: the page takes a file and shows the whole game in it
// on one page. It stores no part of the record, and gives it no address.

// Bounds of looking at a record: its octets and lines, the octets of all that arrive at
// once, and for how long one may wait for room and for its turn. A client brings one at a
// time; one is decoded and played at a time, and only once it is there: so a slow client
// holds back no one else.
const (
	maxUpload   = 2 << 20
	maxLines    = 4000
	maxArriving = 16 << 20
	lookWait    = 5 * time.Second
)

// uploads are the records that are on their way.
type uploads struct {
	room *semaphore.Weighted // octets

	mu      sync.Mutex
	clients map[netip.Prefix]chan struct{} // closed once the client's record is dealt with
}

func newUploads() *uploads {
	return &uploads{room: semaphore.NewWeighted(maxArriving), clients: map[netip.Prefix]chan struct{}{}}
}

// begin waits until a client has no other record on its way. leave must be called once this one
// is dealt with. It returns the context's error if that ends before.
func (u *uploads) begin(ctx context.Context, client netip.Prefix) (leave func(), err error) {
	for {
		u.mu.Lock()
		other, busy := u.clients[client]
		if !busy {
			mine := make(chan struct{})
			u.clients[client] = mine
			u.mu.Unlock()
			return func() {
				u.mu.Lock()
				delete(u.clients, client)
				u.mu.Unlock()
				close(mine)
			}, nil
		}
		u.mu.Unlock()
		select {
		case <-other:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// errNoRoom is that of a record for which there is no room.
var errNoRoom = errors.New("no room for a record")

// A roomy reader takes room for all that it reads.
type roomyReader struct {
	io.Reader
	room  *semaphore.Weighted
	ctx   context.Context
	taken int64
}

func (r *roomyReader) Read(b []byte) (int, error) {
	n, err := r.Reader.Read(b)
	if n == 0 {
		return 0, err
	}
	ctx, cancel := context.WithTimeout(r.ctx, lookWait)
	defer cancel()
	if r.room.Acquire(ctx, int64(n)) != nil {
		return 0, errNoRoom
	}
	r.taken += int64(n)
	return n, err
}

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
			s.failed(r, "render a page", err)
		}
		s.unkept(w, r, status, "text/html; charset=utf-8", b.Bytes())
	}
	busy := func() {
		w.Header().Set("Retry-After", "10")
		refuse(http.StatusServiceUnavailable, "look.busy")
	}
	wait, cancel := context.WithTimeout(r.Context(), lookWait)
	defer cancel()
	leave, err := s.uploads.begin(wait, s.clientOf(r))
	if err != nil {
		busy()
		return
	}
	defer leave()
	in := &roomyReader{room: s.uploads.room, ctx: r.Context()}
	defer func() { s.uploads.room.Release(in.taken) }()
	file, err := readUpload(w, r, in)
	tooLarge := new(http.MaxBytesError)
	switch {
	case errors.Is(err, errNoRoom):
		busy()
		return
	case errors.As(err, &tooLarge), errors.Is(err, game.ErrTooLarge):
		refuse(http.StatusRequestEntityTooLarge, "look.large")
		return
	case err != nil:
		refuse(http.StatusBadRequest, "look.unreadable")
		return
	}
	turn, cancel := context.WithTimeout(r.Context(), lookWait)
	defer cancel()
	if s.looking.Acquire(turn, 1) != nil {
		busy()
		return
	}
	defer s.looking.Release(1)
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

// readUpload reads the first file of a form, by in. What is refused is read to its end
// all the same, if that is near: a browser shows no answer before.
func readUpload(w http.ResponseWriter, r *http.Request, in *roomyReader) ([]byte, error) {
	if r.ContentLength > maxUpload {
		return nil, &http.MaxBytesError{Limit: maxUpload}
	}
	body := http.MaxBytesReader(w, r.Body, maxUpload)
	defer io.Copy(io.Discard, body)
	kind, params, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil {
		return nil, err
	}
	in.Reader = body
	switch kind {
	case jsonKind:
	case "multipart/form-data":
		part, err := multipart.NewReader(body, params["boundary"]).NextPart()
		if err != nil {
			return nil, err
		}
		in.Reader = part
	default:
		return nil, errors.New("no form")
	}
	return game.TakeRecord(in, maxUpload, maxLines)
}
