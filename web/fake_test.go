package web

import (
	"cmp"
	"context"
	"crypto/subtle"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"angelpost/engine"
	"angelpost/engine/bot"
	"angelpost/engine/component"
	"angelpost/engine/game"
	"angelpost/engine/league"
	"angelpost/engine/match/look"
	"angelpost/engine/match/replays"
	"angelpost/engine/match/turns"
	"angelpost/engine/match/unit"
	"angelpost/engine/notice"
	"angelpost/engine/rated"
	"angelpost/engine/sim"
	"angelpost/engine/statistics"
	"angelpost/engine/store"
)

// shelf are games in memory, each with a key for every seat: "keyof1" …
type shelf struct {
	mu    sync.Mutex
	games map[string]*shelved
	err   error // what Listed and Look fail with
	muted map[string]bool
	moved uint64 // grows with every question, unless still
	still bool
	asked store.Search // of the archive
	more  bool         // the archive has older games
	site  []string     // games of the sitemap; nil: the listed one
	mutes int          // calls of Mute with a known key

	tables []notice.GameState
	ahead  map[string][]string // by game and key
	mine   []look.HomeGame     // on Ada's start page
	cupboard
}

type shelved struct {
	parts      [][]game.Share
	game       *game.Game // nil: it has not begun
	names      []string
	letter     []string // names in the letter that a plan answers
	name       string
	visibility string
	state      string // "": it runs
	round      int    // 0: 3
	rulings    []notice.Ruling
	clock      string
	deadlines  []game.Until
}

func keyOf(seat engine.Seat) string { return fmt.Sprintf("keyof%d-secret", seat) }

func (s *shelf) Moved() uint64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.still {
		s.moved++
	}
	return s.moved
}

// serve is the pages of a server, of which with has what the shelf does not.
func (s *shelf) serve(with Server) http.Handler {
	if with.Games == nil {
		with.Games = s
	}
	if with.Moved == nil {
		with.Moved = s.Moved
	}
	if with.Log == nil {
		with.Log = slog.New(slog.DiscardHandler)
	}
	with.Archive, with.Leagues, with.Statistics, with.Ratings, with.Muter = s, s, figures{}, strengths{}, s
	with.LetterTo, with.ReplyTo = "angel@play.example", func(token string) string { return "angel+" + token + "@play.example" }
	return with.Handler()
}

func (s *shelf) Open(_ context.Context, id, key string, at int) (*look.GameView, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	g := s.games[id]
	switch {
	case s.err != nil:
		return nil, s.err
	case g == nil, key == "" && g.visibility == store.Private:
		return nil, fmt.Errorf("game %q: %w", id, store.ErrNotFound)
	}
	viewer := engine.Seat(0)
	for seat := engine.Seat(1); int(seat) <= len(g.names); seat++ {
		if subtle.ConstantTimeCompare([]byte(key), []byte(keyOf(seat))) == 1 {
			viewer = seat
		}
	}
	if key != "" && viewer == 0 {
		return nil, fmt.Errorf("key: %w", store.ErrNotFound)
	}
	about := look.GameInfo{ID: id, Visibility: g.visibility, Created: shelfTime, Changed: shelfTime, Name: g.name, State: store.GameRunning, Commitment: strings.Repeat("ab", 32), Rulings: g.rulings}
	if id == "listed" {
		about.League = &look.LeaguePlace{League: "tin", Name: "Tin League", Kind: league.Divisions, Season: 1, Division: 1, Round: 2, Fixture: 2}
	}
	if g.game == nil {
		about.State, about.Joined = store.GameInvited, make([]bool, len(g.names))
		return look.ViewOf(nil, about, g.names, viewer, at)
	}
	about.Options.Hints = id == "unlisted"
	about.Options.Clock, about.Deadlines = g.clock, g.deadlines
	if g.game.Finished() {
		about.State, about.Seed = store.GameFinished, strings.Repeat("cd", 32)
	}
	v, err := look.ViewOf(g.game, about, g.names, viewer, at)
	if err == nil && v.Step == v.Latest {
		v.Parts = g.parts
		if key != "" {
			v.Own = look.Own{Token: "tokentoken", Ahead: s.ahead[id+key]}
		}
	}
	return v, err
}

func (s *shelf) Talk(ctx context.Context, id, key, words string, before time.Time, limit int) (said []look.Said, more bool, err error) {
	if _, err := s.Open(ctx, id, key, -1); err != nil {
		return nil, false, err
	}
	for i := range 100 {
		x := look.Said{At: shelfTime.Add(-time.Duration(i) * time.Hour), Step: i % 10, From: "Ada", Seat: "Ada", Text: fmt.Sprintf("word%d <b>&", i)}
		switch i % 4 {
		case 1:
			x.To = []string{"Bo"}
		case 2:
			x.Note = true
		case 3:
			x.From = ""
		}
		if (before.IsZero() || x.At.Before(before)) && strings.HasPrefix(x.Text, words) {
			said = append(said, x)
		}
	}
	if len(said) > limit {
		return said[:limit], true, nil
	}
	return said, false, nil
}

func (s *shelf) Sitemap(_ context.Context, before string, limit int) ([]store.Game, error) {
	if s.site == nil {
		return []store.Game{{ID: "listed", Changed: shelfTime}}, nil
	}
	for i, id := range s.site {
		if before == "" || before == id {
			var out []store.Game
			if before != "" {
				i++
			}
			for _, id := range s.site[i:min(len(s.site), i+limit)] {
				out = append(out, store.Game{ID: id, Changed: shelfTime})
			}
			return out, nil
		}
	}
	return nil, store.ErrNotFound
}

func (s *shelf) SitemapPages(_ context.Context, size int) (out []string, err error) {
	for i := size; i <= len(s.site); i += size {
		out = append(out, s.site[i-1])
	}
	return out, nil
}

// ratings are those of a shelf, where Ada has the id 7.
func ratings(kind string, players int) rated.Kind {
	one := func(r rated.Rating) rated.Rating {
		r.Margin, r.Low, r.Provisional = 2*r.Sigma, r.Mu-2*r.Sigma, r.Games < rated.Few
		return r
	}
	k := rated.Kind{Key: kind, Players: players, Rules: "base", People: []rated.Rating{
		one(rated.Rating{Player: 7, Name: "Ada <b>", Mu: 27.14, Sigma: 2.5, Games: 12}), one(rated.Rating{Player: 8, Name: "Bo", Mu: 23, Sigma: 5, Games: 3})},
		Bots: []rated.Rating{one(rated.Rating{Bot: "planner:2000", Name: "planner:2000", Mu: 30, Sigma: 1, Games: 40})}}
	if players == 1 {
		k.Bots = append(k.Bots, one(rated.Rating{Bot: rated.HalBot("hard"), Name: "hal:hard", Mu: 24, Sigma: 1, Games: 40}))
	}
	return k
}

// strengths are the ratings of a shelf's players.
type strengths struct{}

func (strengths) Kinds(context.Context, int) ([]rated.Kind, error) {
	return []rated.Kind{ratings("2-base", 2), ratings("solo-base", 1)}, nil
}

func (strengths) Kind(_ context.Context, kind string, skip int) (k rated.Kind, err error) {
	if kind != "2-base" || skip > 200 {
		return k, store.ErrNotFound
	}
	k = ratings(kind, 2)
	k.Skipped, k.More = skip, skip < 200
	return k, nil
}

func (strengths) Solo(_ context.Context, player int64, _ time.Time) ([]rated.Solo, error) {
	if player != 7 {
		return nil, nil
	}
	return []rated.Solo{{Rules: "base", Hal: "hard", Games: 12, Won: 7, Left: 1, Played: 11, Best: 93, VP: 71.25, HalVP: 66, Mu: 27.1, Sigma: 1.5, Margin: 3}}, nil
}

func (strengths) Player(_ context.Context, player int64) ([]rated.Career, error) {
	if player != 7 {
		return nil, nil
	}
	c := rated.Career{Key: "2-base", Players: 2, Rules: "base", Rating: ratings("2-base", 2).People[0]}
	for n := range 12 {
		mu := 25 + float64(n)/6 + float64(n%3)/2
		c.History = append(c.History, rated.Game{Game: fmt.Sprint("game", n), Name: "Voyage", Ended: time.Date(2026, 11, n+1, 9, 0, 0, 0, time.UTC), Mu: mu, Sigma: 8 - float64(n)/2,
			Change: 0.5, Place: 1 + n%2, Seats: 2, Turns: 9 - n%2, Of: 9, Left: map[bool]string{true: "walked"}[n == 11]})
	}
	return []rated.Career{c}, nil
}

// figures are the statistics of a shelf.
type figures struct{}

func (f figures) Kinds(context.Context) ([]statistics.Kind, error) {
	k, err := f.Kind(context.Background(), "2-base-revised-"+component.DefaultName)
	return []statistics.Kind{k}, err
}

func (figures) Kind(_ context.Context, key string) (k statistics.Kind, err error) {
	o := game.Options{Players: 2, Rules: "base", Edition: "revised", Set: component.DefaultName}
	if key != "2-base-revised-"+o.Set {
		return k, store.ErrNotFound
	}
	su := sim.Setup{Set: component.Default(), Options: o, Bots: []string{bot.Random, bot.Random}}
	series := su.Series()
	for i := range 5 {
		r, _, err := su.Play(i, sim.Seed("shelf", i))
		if err != nil {
			return k, err
		}
		r.Named = "listed"
		series.Add(r)
	}
	k = statistics.Kind{Key: key, Options: o, Set: su.Set, Figures: series.Figures(5)}
	k.Figures.Bots = nil
	for i := range k.Figures.Seats {
		k.Figures.Seats[i].Bot = ""
	}
	return k, nil
}

func (s *shelf) Record(ctx context.Context, id, key string) (*game.Record, error) {
	l, err := s.Open(ctx, id, key, -1)
	if err != nil {
		return nil, err
	}
	if l.View == nil {
		return nil, store.ErrNotFound
	}
	return s.games[id].game.Record(l.View.Viewer), nil
}

func (s *shelf) Upload(rec *game.Record) (*look.Upload, error) {
	sets := map[string]*component.Set{component.DefaultName: component.Default()}
	return look.New(nil, replays.New(replays.Config{Sets: sets})).Upload(rec)
}

// Archive answers with the listed games; of the search it obeys only the player.
func (s *shelf) Archive(_ context.Context, q store.Search) (out []look.Entry, more bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked = q
	for id, g := range s.games {
		if g.visibility != store.Listed || g.game == nil || q.Before != "" {
			continue
		}
		e := look.Entry{ID: id, Name: g.name, State: store.GameRunning, Started: shelfTime, Changed: shelfTime.Add(time.Hour), Options: game.Options{Players: len(g.names), Rules: "base", Edition: "revised"}}
		for i, n := range g.names {
			e.Seats = append(e.Seats, look.Seated{Name: n, Player: int64(i + 7)})
		}
		out = append(out, e)
	}
	return out, s.more, s.err
}

func (s *shelf) Career(_ context.Context, player int64) (*look.Career, error) {
	if player != 7 {
		return nil, store.ErrNotFound
	}
	return &look.Career{Player: 7, Name: s.games["listed"].names[0], Finished: 4, Won: 1, VP: 44.5, Days: 12}, nil
}

var shelfTime = time.Date(2026, 11, 21, 8, 0, 0, 0, time.UTC)

func (s *shelf) Tables(context.Context) ([]notice.GameState, error) { return s.tables, nil }

func (s *shelf) Listed(context.Context) ([]look.Listing, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []look.Listing
	for _, id := range slices.Sorted(maps.Keys(s.games)) {
		if g := s.games[id]; g.visibility == store.Listed {
			out = append(out, look.Listing{ID: id, Name: g.name, State: cmp.Or(g.state, store.GameRunning), Round: cmp.Or(g.round, 3), Names: g.names})
		}
	}
	return out, s.err
}

func (s *shelf) Plan(ctx context.Context, id, key string, lines []string) (*look.GameView, *turns.Plan, error) {
	g, err := s.Open(ctx, id, key, -1)
	if err != nil || g.View == nil {
		return g, nil, err
	}
	p, err := turns.PlanIn(s.games[id].game, g.View.Viewer, lines)
	if p != nil {
		p.Token, p.Names = "tokentoken", s.games[id].letter
	}
	return g, p, err
}

func (s *shelf) WhatIf(ctx context.Context, id, key string, at int, lines []string) (*look.GameView, *turns.WhatIf, error) {
	g, err := s.Open(ctx, id, key, at)
	switch {
	case err != nil:
		return nil, nil, err
	case s.games[id].game == nil || !s.games[id].game.Finished():
		return nil, nil, store.ErrNotFound
	}
	w, err := turns.WhatIfIn(s.games[id].game, at, lines)
	return g, w, err
}

// buttonOf is the key that mutes for a seat: no page's.
func buttonOf(seat engine.Seat) string { return fmt.Sprintf("muteof%d-secret", seat) }

func (s *shelf) owner(id, key string) (string, bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	g := s.games[id]
	if s.err != nil || g == nil {
		return "", false, errors.Join(s.err, store.ErrNotFound)
	}
	for seat := engine.Seat(1); int(seat) <= len(g.names); seat++ {
		if key == buttonOf(seat) {
			name := fmt.Sprint(id, seat)
			return name, s.muted[name], nil
		}
	}
	return "", false, store.ErrNotFound
}

func (s *shelf) Opens(ctx context.Context, id, key string) error {
	if key == "" {
		return store.ErrNotFound
	}
	_, err := s.Open(ctx, id, key, -1)
	return err
}

func (s *shelf) Muted(_ context.Context, id, key string) (string, bool, error) {
	_, muted, err := s.owner(id, key)
	return "", muted, err
}

func (s *shelf) Mute(_ context.Context, id, key string) error {
	name, _, err := s.owner(id, key)
	if err == nil {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.mutes++
		s.muted[name] = true
	}
	return err
}

var names = []string{"Ada", "Bo", "Cy", "Di"}

// newShelf holds a game of each visibility after steps lines, and one that has
// not begun.
func newShelf(t testing.TB, players, steps int) *shelf {
	t.Helper()
	s := &shelf{games: map[string]*shelved{}, muted: map[string]bool{}}
	s.leagues = []*shelvedLeague{tin()}
	for i, visibility := range []string{store.Private, store.Unlisted, store.Listed} {
		g := playGame(t, players, steps)
		s.games[visibility] = &shelved{game: g, names: names[:players], name: []string{"", "Friday", "Open table"}[i], visibility: visibility}
	}
	s.games["waiting"] = &shelved{names: []string{"Ada", ""}, visibility: store.Unlisted}
	return s
}

func playGame(t testing.TB, players, steps int) *game.Game {
	t.Helper()
	g, err := game.New(component.Default(), game.Header{
		Game:    "test",
		Options: game.Options{Players: players, Rules: "base", Edition: "revised", RulesVersion: game.RulesVersion, Set: component.DefaultName},
		Names:   names[:players],
		Seed:    [32]byte{7},
	})
	if err != nil {
		t.Fatal(err)
	}
	rnd := rand.New(rand.NewPCG(3, uint64(players)))
	var buf []engine.Step
	for !g.Finished() && g.Steps() < steps {
		act := g.View(0).ToAct
		seat := act[rnd.IntN(len(act))]
		buf = g.View(seat).Legal(buf[:0])
		if _, err := g.Do(seat, game.ByPlayer, buf[rnd.IntN(len(buf))]); err != nil {
			t.Fatal(err)
		}
	}
	return g
}

// playGreedy plays a whole game as bots do; it is longer than one at random.
func playGreedy(t testing.TB, players int) *game.Game {
	t.Helper()
	g := playGame(t, players, 0)
	b, err := bot.New(bot.Greedy, "page")
	if err != nil {
		t.Fatal(err)
	}
	var buf []engine.Step
	for !g.Finished() {
		seat := g.View(0).ToAct[0]
		v := g.View(seat)
		buf = v.Legal(buf[:0])
		if _, err := g.Do(seat, game.ByBot, b.Choose(v, buf, g.Steps())); err != nil {
			t.Fatal(err)
		}
	}
	return g
}

// logger writes a server's log where a test can read it.
func logger(b *strings.Builder) *slog.Logger { return slog.New(slog.NewTextHandler(b, nil)) }

// homeKey opens Ada's start page.
const homeKey = "homeofada-secret"

func (s *shelf) Home(_ context.Context, key string, now time.Time) (*look.Home, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err != nil {
		return nil, s.err
	}
	if subtle.ConstantTimeCompare([]byte(key), []byte(homeKey)) != 1 {
		return nil, fmt.Errorf("key: %w", store.ErrNotFound)
	}
	h := &look.Home{Player: 7, Name: "Ada <b>", Created: shelfTime, Games: s.mine, Settings: unit.Settings(&store.Player{ID: 7, Name: "Ada <b>"}, now)}
	return h, nil
}
