package web

import (
	"context"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"angelpost/engine/game"
	"angelpost/engine/rated"
	"angelpost/engine/store"
	"angelpost/templates"
)

// Ratings is what is believed of people and bots. Errors are those of Games.
type Ratings interface {
	// Kinds are those of all kinds of games, with so many people of each.
	Kinds(ctx context.Context, people int) ([]rated.Kind, error)
	// Kind is that of one, from behind so many of its people.
	Kind(ctx context.Context, key string, skip int) (rated.Kind, error)
	// Player is one person's.
	Player(ctx context.Context, player int64) ([]rated.Career, error)
	// Solo is what one person's solo games came to by now, for that person alone.
	Solo(ctx context.Context, player int64, now time.Time) ([]rated.Solo, error)
}

const (
	ratingsTop = 10        // people of a kind on the page of all kinds
	maxSkip    = 1_000_000 // people before a page's first
)

type ratingKindJSON struct {
	Schema int `json:"schema"`
	rated.Kind
}

// ratings shows the strongest of all kinds.
func (s Server) ratings(w http.ResponseWriter, r *http.Request) {
	kinds, err := s.Ratings.Kinds(r.Context(), ratingsTop)
	if err != nil {
		s.refuse(w, r, err)
		return
	}
	if strings.HasSuffix(r.URL.Path, ".json") {
		s.sendJSON(w, r, openCache, rated.NewReport(kinds))
		return
	}
	title := s.Words.Say("rating.title")
	f := s.frame(title + " · " + s.Words.Say("page.site"))
	f.Preview = s.preview(title, "/ratings", s.Words.Say("page.tagline"))
	s.write(w, r, openCache, templates.RatingsPage(&templates.Ratings{Frame: f, Kinds: kinds, Data: "/ratings.json"}))
}

// ratingKind shows a page of those who played one kind.
func (s Server) ratingKind(w http.ResponseWriter, r *http.Request) {
	key, skip := r.PathValue("kind"), 0
	if from := r.URL.Query().Get("from"); from != "" {
		n, err := strconv.Atoi(from)
		if err != nil || n < 1 || n > maxSkip {
			s.refuse(w, r, store.ErrNotFound)
			return
		}
		skip = n - 1
	}
	if len(key) > maxID {
		s.refuse(w, r, store.ErrNotFound)
		return
	}
	k, err := s.Ratings.Kind(r.Context(), key, skip)
	if err != nil {
		s.refuse(w, r, err)
		return
	}
	if strings.HasSuffix(r.URL.Path, ".json") {
		s.sendJSON(w, r, openCache, ratingKindJSON{game.Schema, k})
		return
	}
	title := s.Words.Say("rating.title")
	f := s.frame(title + " · " + s.Words.Say("page.site"))
	f.Preview = s.preview(title, templates.RatingHref(key), s.Words.Say("page.tagline"))
	p := templates.RatingKind{Frame: f, Kind: k, Data: templates.RatingHref(key) + "/kind.json"}
	from := func(n int) string { return templates.RatingHref(key) + "?from=" + strconv.Itoa(n) }
	if skip > 0 {
		p.Prev = from(max(skip-rated.PageSize, 0) + 1)
	}
	if k.More {
		p.Next = from(skip + len(k.People) + 1)
	}
	s.write(w, r, openCache, templates.RatingKindPage(&p))
}

// rated returns a player's ratings as their page shows them.
func (s Server) rated(all []rated.Career) (out []templates.Rated) {
	for _, c := range all {
		r := templates.Rated{Career: c}
		for _, g := range slices.Backward(c.History) {
			r.Games = append(r.Games, templates.RatedGame{Game: g, Name: templates.GameName(g.Game, g.Name), Href: templates.GameHref(g.Game), At: g.Ended})
		}
		out = append(out, r)
	}
	return out
}
