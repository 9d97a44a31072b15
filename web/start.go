package web

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"angelpost/engine/game"
	"angelpost/engine/match/look"
	"angelpost/engine/notice"
	"angelpost/engine/store"
	"angelpost/templates"
	"angelpost/templates/draw"
	"angelpost/templates/words"
)

// home is the first page: what this is, how to begin, and the games anyone may watch.
func (s Server) home(w http.ResponseWriter, r *http.Request) {
	listed, err := s.Archive.Listed(r.Context())
	if err != nil {
		s.refuse(w, r, err)
		return
	}
	open, err := s.Archive.Tables(r.Context())
	if err != nil {
		s.refuse(w, r, err)
		return
	}
	if strings.HasSuffix(r.URL.Path, ".json") {
		s.sendJSON(w, r, openCache, homeData(listed, open))
		return
	}
	h := templates.Home{Frame: s.frame(s.Words.Say("start.title") + " · " + s.Words.Say("page.site")), Begin: templates.Beginnings(s.Words, s.LetterTo), Sample: s.samples()}
	for _, g := range listed {
		l := templates.Listing{Name: templates.GameName(g.ID, g.Name), State: g.State, Round: g.Round, Href: templates.GameHref(g.ID)}
		for _, n := range g.Names {
			l.Players = append(l.Players, words.Clean(n, 40))
		}
		h.Games = append(h.Games, l)
	}
	for _, t := range open {
		name := templates.GameName(t.Game, t.Name)
		one := templates.OpenTable{Name: name, Free: t.Free, Players: t.Options.Players, Join: templates.MailTo(s.LetterTo, name, []string{"join " + t.Game})}
		for _, n := range t.ToAct {
			one.Seated = append(one.Seated, words.Clean(n, 40))
		}
		if t.Options.Clock != "" {
			one.Pace, t.Options.Clock = s.Words.Pace(t.Options.Clock), ""
		}
		one.Played = s.Words.Options(t.Options)
		h.Tables = append(h.Tables, one)
	}
	if h.Picture, err = s.homePicture(r.Context(), h.Games, listed); err != nil {
		s.refuse(w, r, err)
		return
	}
	h.Index, h.Preview = true, s.preview(s.Words.Say("page.site"), "/", s.Words.Say("page.tagline"))
	w.Header().Del("X-Robots-Tag")
	s.write(w, r, openCache, templates.HomePage(&h))
}

// settledRound is when a table has filled enough to be the picture of the first page.
const settledRound = 4

// homePicture is that of the running game that moved last among those in settledRound or
// later, else of the one furthest on, or of a table as a game begins.
func (s Server) homePicture(ctx context.Context, games []templates.Listing, listed []look.Listing) (templates.HomePicture, error) {
	var running []int
	for i, l := range listed {
		if l.State == store.GameRunning && l.Round > 0 {
			running = append(running, i)
		}
	}
	slices.SortStableFunc(running, func(a, b int) int {
		return min(listed[b].Round, settledRound) - min(listed[a].Round, settledRound)
	})
	for _, i := range running {
		l := listed[i]
		g, err := s.Games.Open(ctx, l.ID, "", -1)
		if errors.Is(err, store.ErrNotFound) || err == nil && g.View == nil { // it has changed since the list was read
			continue
		}
		if err != nil {
			return templates.HomePicture{}, err
		}
		p := templates.HomePicture{Name: games[i].Name, Href: games[i].Href, Src: s.pictureOf(g), Alt: s.Words.Say("start.picture", "name", games[i].Name, "n", l.Round),
			About: s.Words.Say("start.picture-players", "names", s.Words.List(games[i].Players), "n", l.Round)}
		p.Width, p.Height = draw.PreviewSize(g.View)
		return p, nil
	}
	t := table()
	return templates.HomePicture{Src: t.path, Alt: s.Words.Say("start.picture-none"), Width: t.width, Height: t.height}, nil
}

// pictureOf is the address of a game's picture at the step shown.
func (s Server) pictureOf(g *look.GameView) string {
	stamp := s.stamp(g)
	if stamp == "" {
		stamp = "now"
	}
	return "/pictures/" + url.PathEscape(g.ID) + "/" + strconv.Itoa(g.Step) + "/" + stamp + ".png"
}

// letter shows the sample as mail programs do. Letters have their styles in them.
func (s Server) letter(w http.ResponseWriter, r *http.Request) {
	l := s.samples()
	if l == nil {
		s.refuse(w, r, store.ErrNotFound)
		return
	}
	w.Header().Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
	s.send(w, r, "text/html; charset=utf-8", openCache, []byte(l.Letter.HTML))
}

// letterPicture is the board in the sample.
func (s Server) letterPicture(w http.ResponseWriter, r *http.Request) {
	l := s.samples()
	if l == nil {
		s.refuse(w, r, store.ErrNotFound)
		return
	}
	s.send(w, r, pngKind, openCache, draw.Preview(l.View))
}

type (
	homeJSON struct {
		Schema int           `json:"schema"`
		Games  []listingJSON `json:"games"`
		Open   []openJSON    `json:"open"`
	}
	openJSON struct {
		Game    string       `json:"game"`
		Name    string       `json:"name"`
		Options game.Options `json:"options"`
		Players []string     `json:"players"`
		Free    int          `json:"free"`
	}
	listingJSON struct {
		Game    string   `json:"game"`
		Name    string   `json:"name"`
		State   string   `json:"state"`
		Round   int      `json:"round"`
		Players []string `json:"players"`
	}
)

func homeData(listed []look.Listing, open []notice.GameState) homeJSON {
	out := homeJSON{Schema: game.Schema, Games: make([]listingJSON, len(listed)), Open: make([]openJSON, len(open))}
	for i, t := range open {
		out.Open[i] = openJSON{t.Game, t.Name, t.Options, append([]string{}, t.ToAct...), t.Free}
	}
	for i, g := range listed {
		out.Games[i] = listingJSON{g.ID, g.Name, g.State, g.Round, append([]string{}, g.Names...)}
	}
	return out
}
