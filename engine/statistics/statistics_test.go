package statistics_test

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"angelpost/db"
	"angelpost/engine/bot"
	"angelpost/engine/component"
	"angelpost/engine/game"
	"angelpost/engine/match/desk"
	"angelpost/engine/match/unit"
	"angelpost/engine/sim"
	"angelpost/engine/statistics"
	"angelpost/engine/store"
)

var then = time.Date(2026, 11, 22, 9, 0, 0, 0, time.UTC)

// A house is a store with finished games, and what they came to by kind.
type house struct {
	t      *testing.T
	db     *db.DB
	book   statistics.Book
	series map[string]*sim.Series
	games  int
	left   []statistics.LeftOut
}

func newHouse(t *testing.T) *house {
	t.Helper()
	d, err := db.Open(context.Background(), filepath.Join(t.TempDir(), "a.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	set := component.Default()
	desk, err := desk.New(unit.Config{Store: d, Sets: map[string]*component.Set{set.Name: set}, Set: set.Name, Now: func() time.Time { return then }, Random: rand.Reader})
	if err != nil {
		t.Fatal(err)
	}
	return &house{t: t, db: d, book: statistics.Book{Host: desk.Host()}, series: map[string]*sim.Series{}}
}

func (h *house) update(f func(tx store.Tx) error) {
	h.t.Helper()
	if err := h.db.Update(context.Background(), f); err != nil {
		h.t.Fatal(err)
	}
}

// play stores a finished game of some players; spoil may change it first. What
// is counted is counted as key's.
func (h *house) play(players int, rules string, spoil func(*store.Game, []game.Line) []game.Line) (id string) {
	h.t.Helper()
	h.games++
	id = fmt.Sprintf("game%03d", h.games)
	su := sim.Setup{Set: component.Default(), Options: game.Options{Players: players, Rules: rules, Edition: "revised", RulesVersion: 1, Set: component.DefaultName, Hints: h.games%2 == 0}}
	if players == 1 {
		su.Options.Hal = "hard"
	}
	for range players {
		su.Bots = append(su.Bots, bot.Random)
	}
	seed := sim.Seed("statistics", h.games)
	r, lines, err := su.Play(h.games, seed)
	if err != nil {
		h.t.Fatal(err)
	}
	row := store.Game{ID: id, State: store.GameFinished, Options: su.Options, Visibility: []string{store.Private, store.Unlisted, store.Listed}[h.games%3],
		Seed: hex.EncodeToString(seed[:]), SetHash: su.Set.Hash, Result: "{}", Created: then, Started: then, Changed: then, Ended: then}
	if spoil != nil {
		lines = spoil(&row, lines)
	}
	var seats []store.Seat
	for i := range players {
		seats = append(seats, store.Seat{Game: id, Place: i + 1, Seat: i + 1, Stage: store.SeatJoined, Name: fmt.Sprint("P", i)})
	}
	h.update(func(tx store.Tx) error {
		if err := tx.AddGame(row, seats); err != nil {
			return err
		}
		return tx.AppendLog(id, lines)
	})
	if row.Visibility == store.Listed {
		r.Named = id
	}
	if spoil == nil {
		key := fmt.Sprintf("%d-%s-revised-%s", players, rules, su.Set.Name)
		if h.series[key] == nil {
			h.series[key] = sim.Setup{Set: su.Set, Options: su.Options}.Series()
		}
		h.series[key].Add(r)
	}
	return id
}

func (h *house) count() int {
	h.t.Helper()
	h.left = nil
	n, err := h.book.Count(context.Background(), func(x statistics.LeftOut) { h.left = append(h.left, x) })
	if err != nil {
		h.t.Fatal(err)
	}
	return n
}

// stored is all figures, as the database has them.
func (h *house) stored() (rows []store.Figures) {
	h.t.Helper()
	err := h.db.View(context.Background(), func(tx store.Tx) (err error) {
		rows, err = tx.AllFigures()
		return err
	})
	if err != nil {
		h.t.Fatal(err)
	}
	return rows
}

func (h *house) recount() {
	h.t.Helper()
	if err := h.book.Recount(context.Background(), func(x statistics.LeftOut) { h.left = append(h.left, x) }); err != nil {
		h.t.Fatal(err)
	}
}

func asJSON(t *testing.T, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// Finished games are counted once each, in fives of a kind, as they end; what
// is counted is what the games came to when they were played, and counting
// anew gives the same bytes.
func TestCount(t *testing.T) {
	h := newHouse(t)
	for range 4 {
		h.play(2, "base", nil)
	}
	if n := h.count(); n != 0 || len(h.stored()) != 0 {
		t.Errorf("of four games %d are counted: a single one shows", n)
	}
	for range 3 {
		h.play(3, "advanced", nil)
		h.play(2, "base", nil)
	}
	if n := h.count(); n != 5 {
		t.Errorf("of seven and three %d are counted", n)
	}
	for range 3 {
		h.play(2, "base", nil)
		h.play(3, "advanced", nil)
	}
	for range 5 {
		h.play(1, "base", nil)
	}
	if n := h.count(); n != 15 {
		t.Errorf("of ten, six and five %d more are counted", n)
	}
	for range 4 {
		h.play(3, "advanced", nil)
	}
	if n := h.count(); n != 5 || h.count() != 0 {
		t.Errorf("of ten more %d are counted", n)
	}
	kinds, err := h.book.Kinds(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	set := component.DefaultName
	if len(kinds) != 3 || kinds[0].Key != "1-hard-base-revised-"+set || kinds[0].Figures.Games != 5 {
		t.Fatalf("kinds %+v", kinds)
	}
	h.series["1-hard-base-revised-"+set] = h.series["1-base-revised-"+set]
	for _, k := range kinds {
		one, err := h.book.Kind(context.Background(), k.Key)
		if a, b := asJSON(t, one.Figures), asJSON(t, h.series[k.Key].Figures(k.Figures.Games)); err != nil || a != b {
			t.Errorf("%s: %v, counted\n%s\nplayed\n%s", k.Key, err, a, b)
		}
		for i := range one.Figures.Openings {
			one.Figures.Openings[i].Games = nil
		}
		if asJSON(t, one) != asJSON(t, k) {
			t.Errorf("%s alone is not as among all", k.Key)
		}
	}
	if _, err := h.book.Kind(context.Background(), "4-base-revised-"+set); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("a kind nobody played: %v", err)
	}
	h.play(2, "base", nil) // waits for four more
	was := h.stored()
	h.recount()
	if now := h.stored(); !reflect.DeepEqual(was, now) {
		t.Errorf("counted anew\n%s\nwas\n%s", asJSON(t, now), asJSON(t, was))
	}
	if n := h.count(); n != 0 || len(h.left) > 0 {
		t.Errorf("%d counted twice, %v left out", n, h.left)
	}
}

// A game that does not replay is left out and named, once; the others are
// counted all the same, and it is tried again when all are counted anew.
func TestLeftOut(t *testing.T) {
	h := newHouse(t)
	short := h.play(2, "base", func(_ *store.Game, l []game.Line) []game.Line { return l[:len(l)-1] })
	other := h.play(2, "base", func(r *store.Game, l []game.Line) []game.Line { r.SetHash = "ff"; return l })
	lost := h.play(2, "base", func(r *store.Game, l []game.Line) []game.Line { r.Seed = strings.Repeat("00", 32); return l })
	torn := h.play(2, "base", func(_ *store.Game, l []game.Line) []game.Line { l[len(l)-1].N += 5; return l })
	for range 4 {
		h.play(2, "base", nil)
	}
	if n := h.count(); n != 0 {
		t.Errorf("%d counted", n)
	}
	h.play(2, "base", nil)
	var games []string
	for _, x := range h.left {
		games = append(games, x.Game)
	}
	if !slices.Equal(games, []string{short, other, lost, torn}) {
		t.Errorf("left out %v", h.left)
	}
	if n := h.count(); n != 5 || len(h.left) != 0 {
		t.Errorf("%d counted, %v named again", n, h.left)
	}
	h.recount()
	if n := h.count(); n != 0 || len(h.left) != 0 {
		t.Errorf("%d counted, left out %v: fewer than five are not looked at", n, h.left)
	}
	h.play(2, "base", nil)
	h.play(2, "base", nil)
	if h.count(); len(h.left) != 4 {
		t.Errorf("left out after all were counted anew: %v", h.left)
	}
}

// openedIn are the games that the openings of a kind name, by moves.
func (h *house) openedIn(kind string) map[string][]string {
	h.t.Helper()
	k, err := h.book.Kind(context.Background(), kind)
	if err != nil {
		h.t.Fatal(err)
	}
	out := map[string][]string{}
	for _, o := range k.Figures.Openings {
		if len(o.Games) > 0 {
			out[strings.Join(o.Moves, " ")] = o.Games
		}
	}
	return out
}

// Openings name the latest games that anyone may find, as long as anyone may, and
// also where an older program, which named none, counted.
func TestOpenedIn(t *testing.T) {
	h := newHouse(t)
	for range 15 {
		h.play(2, "base", nil)
	}
	h.count()
	kind := "2-base-revised-" + component.DefaultName
	named := h.openedIn(kind)
	all := map[string]bool{}
	for moves, games := range named {
		if len(games) > 3 || !slices.IsSortedFunc(games, func(a, b string) int { return strings.Compare(b, a) }) {
			t.Errorf("%s: %v", moves, games)
		}
		for _, id := range games {
			all[id] = true
		}
	}
	if ids := slices.Sorted(maps.Keys(all)); !slices.Equal(ids, []string{"game002", "game005", "game008", "game011", "game014"}) {
		t.Errorf("games %v are named", ids)
	}
	row := h.stored()[0]
	series := regexp.MustCompile(`,"games":\[[^]]*\]|"[^" ]+ [^" ]+ [^" ]+":\{[^}]*\},?`).ReplaceAllString(string(row.Series), "")
	row.Series = []byte(strings.ReplaceAll(strings.Replace(series, `"version":2,`, "", 1), "},}", "}}"))
	h.update(func(tx store.Tx) error { return tx.SaveFigures(row) })
	if n := len(h.openedIn(kind)); n != 0 {
		t.Fatalf("figures of an older program name the games of %d openings", n)
	}
	renew := func() {
		t.Helper()
		if err := h.book.Renew(context.Background(), func(x statistics.LeftOut) { t.Error(x) }); err != nil {
			t.Fatal(err)
		}
	}
	renew()
	if now := h.openedIn(kind); !reflect.DeepEqual(now, named) {
		t.Errorf("renewed, openings name\n%v\nbefore\n%v", now, named)
	}
	h.update(func(tx store.Tx) error {
		g, err := tx.Game("game008")
		if err != nil {
			return err
		}
		g.Visibility = store.Private
		return tx.SaveGame(g)
	})
	for moves, games := range h.openedIn(kind) {
		if slices.Contains(games, "game008") {
			t.Errorf("%s names a private game", moves)
		}
	}
	was := asJSON(t, h.stored())
	if renew(); asJSON(t, h.stored()) != was {
		t.Error("what this program counted is counted anew")
	}
}

// A store that another process uses meanwhile.
type shared struct {
	*db.DB
	between func()
}

func (s *shared) Update(ctx context.Context, f func(store.Tx) error) error {
	if g := s.between; g != nil {
		s.between = nil
		g()
	}
	return s.DB.Update(ctx, f)
}

// What another process counts meanwhile is not counted twice, and not lost by
// counting anew.
func TestCountedBeside(t *testing.T) {
	h := newHouse(t)
	two := &shared{DB: h.db}
	set := component.Default()
	desk, err := desk.New(unit.Config{Store: two, Sets: map[string]*component.Set{set.Name: set}, Set: set.Name, Now: func() time.Time { return then }, Random: rand.Reader})
	if err != nil {
		t.Fatal(err)
	}
	beside := statistics.Book{Host: desk.Host()}
	ignore := func(statistics.LeftOut) {}
	for range 5 {
		h.play(2, "base", nil)
	}
	two.between = func() { h.count() }
	if n, err := beside.Count(context.Background(), ignore); n != 0 || err != nil {
		t.Errorf("%d counted twice, %v", n, err)
	}
	two.between = func() {
		for range 5 {
			h.play(2, "base", nil)
		}
		h.count()
	}
	if err := beside.Recount(context.Background(), ignore); err != nil {
		t.Fatal(err)
	}
	rows := h.stored()
	if len(rows) != 1 || rows[0].Games != 10 {
		t.Fatalf("figures %+v", rows)
	}
	if a, b := string(rows[0].Series), asJSON(t, h.series["2-base-revised-"+set.Name]); a != b {
		t.Errorf("counted\n%s\nplayed\n%s", a, b)
	}
}

// A game that is void leaves the figures only when five others of its kind come:
// no one learns its outcome from them.
func TestVoidGame(t *testing.T) {
	h := newHouse(t)
	var first string
	for range 5 {
		first = h.play(2, "base", nil)
	}
	h.count()
	before := asJSON(t, h.stored())
	h.update(func(tx store.Tx) error {
		row, err := tx.Game(first)
		if err != nil {
			return err
		}
		row.State = store.GameVoid
		return tx.SaveGame(row)
	})
	for range 4 {
		h.play(2, "base", nil)
	}
	if n := h.count(); n != 0 || asJSON(t, h.stored()) != before {
		t.Errorf("%d games are counted, or the figures are others", n)
	}
	for range 5 {
		h.play(3, "base", nil)
	}
	if n := h.count(); n != 5 || asJSON(t, h.stored()[:1]) != before {
		t.Errorf("%d games of another kind are counted, or the figures of the first are others", n)
	}
	h.play(2, "base", nil)
	n := h.count()
	after := h.stored()
	if n != 5 || len(after) != 2 || after[0].Games != 9 || after[1].Games != 5 {
		t.Errorf("%d games are counted: %d and %d in the figures", n, after[0].Games, after[1].Games)
	}
	h.recount()
	if asJSON(t, h.stored()) != asJSON(t, after) {
		t.Error("counted anew the figures are others")
	}
}
