package web

import (
	"net/http"
	"net/url"
	"strings"
	"time"

	"angelpost/engine/game"
	"angelpost/engine/match/look"
	"angelpost/engine/store"
	"angelpost/templates"
)

// talkPage is how many messages are on a page of talk.
const talkPage = 40

type talkJSON struct {
	Schema   int        `json:"schema"`
	Game     string     `json:"game"`
	Viewer   int        `json:"viewer"`
	Messages []saidJSON `json:"messages"`
	Before   string     `json:"before,omitempty"` // of the next page
}

type saidJSON struct {
	At   string   `json:"at"`
	Step int      `json:"step"`
	From string   `json:"from"`
	To   []string `json:"to"`
	Note bool     `json:"note,omitempty"`
	Text string   `json:"text"`
}

// talk shows the messages of a game that the key's holder may read.
func (s Server) talk(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	about, before, ok := q.Get("q"), time.Time{}, len(q["q"]) <= 1 && len(q["before"]) <= 1
	if b := q.Get("before"); b != "" {
		var err error
		before, err = time.Parse(momentForm, b)
		ok = ok && err == nil
	}
	if !ok || len(about) > maxQuery {
		s.refuse(w, r, store.ErrNoStep)
		return
	}
	g, err := s.look(r)
	if err != nil {
		s.refuse(w, r, err)
		return
	}
	key := r.PathValue("key")
	said, more, err := s.Games.Talk(r.Context(), g.ID, key, about, before, talkPage)
	if err != nil {
		s.refuse(w, r, err)
		return
	}
	p := &templates.Talk{Page: s.about(g, key), About: about, Said: said}
	p.Data, p.Home = "talk.json", "../"+url.PathEscape(key)
	next := url.Values{}
	if about != "" {
		next.Set("q", about)
		p.Data += "?" + next.Encode()
	}
	if more {
		next.Set("before", said[len(said)-1].At.UTC().Format(momentForm))
		p.Next = "?" + next.Encode()
	}
	if strings.HasSuffix(r.URL.Path, ".json") {
		s.sendJSON(w, r, ownCache, talkData(g, p, next.Get("before")))
		return
	}
	p.Title = s.Words.Say("talk.title") + " · " + p.Game
	withForms(w)
	s.write(w, r, ownCache, templates.TalkPage(p))
}

// momentForm is a time as an address of older talk has it: as exact as it is kept.
const momentForm = "2006-01-02T15:04:05.000Z"

func talkData(g *look.GameView, p *templates.Talk, before string) talkJSON {
	out := talkJSON{Schema: game.Schema, Game: g.ID, Messages: make([]saidJSON, len(p.Said)), Before: before}
	if g.View != nil {
		out.Viewer = int(g.View.Viewer)
	}
	for i, x := range p.Said {
		out.Messages[i] = saidJSON{x.At.UTC().Format(time.RFC3339), x.Step, x.From, append([]string{}, x.To...), x.Note, x.Text}
	}
	return out
}
