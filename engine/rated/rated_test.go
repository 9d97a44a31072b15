package rated_test

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"flag"
	"fmt"
	mathrand "math/rand/v2"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"angelpost/db"
	"angelpost/engine/bot"
	"angelpost/engine/component"
	"angelpost/engine/game"
	"angelpost/engine/match/desk"
	"angelpost/engine/match/seating"
	"angelpost/engine/match/unit"
	"angelpost/engine/notice"
	"angelpost/engine/order"
	"angelpost/engine/rated"
	"angelpost/engine/rating"
	"angelpost/engine/sim"
	"angelpost/engine/store"
)

var games = flag.Int("games", 2000, "how many games the benchmark rates")

var then = time.Date(2026, 11, 22, 9, 0, 0, 0, time.UTC)

// A house is a store with games.
type house struct {
	t     testing.TB
	db    *db.DB
	desk  *desk.Desk
	book  rated.Book
	games int
	left  []string
}

func newHouse(t testing.TB) *house {
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
	return &house{t: t, db: d, desk: desk, book: rated.Book{Host: desk.Host()}}
}

func (h *house) update(f func(tx store.Tx) error) {
	h.t.Helper()
	if err := h.db.Update(context.Background(), f); err != nil {
		h.t.Fatal(err)
	}
}

// rate rates what is to be rated.
func (h *house) rate() int {
	h.t.Helper()
	h.left = nil
	n, err := h.book.Rate(context.Background(), func(x rated.LeftOut) { h.left = append(h.left, x.Game+": "+x.Why.Error()) })
	if err != nil {
		h.t.Fatal(err)
	}
	return n
}

// dump is all that is known, read through the same queries as pages read it.
func (h *house) dump() (out []store.Rating, played []store.Rated) {
	h.t.Helper()
	err := h.db.View(context.Background(), func(tx store.Tx) error {
		kinds, err := tx.RatingKinds()
		if err != nil {
			return err
		}
		for _, kind := range kinds {
			for _, bots := range []bool{false, true} {
				rows, err := tx.Ratings(kind, bots, 0, 1000)
				if err != nil {
					return err
				}
				out = append(out, rows...)
				for _, r := range rows {
					games, err := tx.RatedGames(kind, r.Player, r.Bot, 10000)
					if err != nil {
						return err
					}
					played = append(played, games...)
				}
			}
		}
		return nil
	})
	if err != nil {
		h.t.Fatal(err)
	}
	return out, played
}

// outcome is a result with these final scores and parts.
func outcome(parts [][]game.Share, winner int, scores ...int) string {
	o := game.Outcome{Ending: "spes", Winners: []int{winner}, Parts: parts}
	for i, vp := range scores {
		o.Scores = append(o.Scores, game.Score{Seat: i + 1, Final: &vp, By: map[string]int{"start": vp}})
	}
	b, err := json.Marshal(o)
	if err != nil {
		panic(err)
	}
	return string(b)
}

// anyResult is one of a game of some of 30 people and two bots.
func anyResult(r *mathrand.Rand, players int) string {
	var parts [][]game.Share
	var scores []int
	who := r.Perm(30)
	for i := range players {
		p := game.Share{Player: int64(who[i] + 1), Name: fmt.Sprint("P", who[i]+1), Turns: 9, Held: 9}
		seat := []game.Share{p}
		switch r.IntN(8) {
		case 0:
			seat = []game.Share{{Bot: "greedy", Name: "Bot", Turns: 9, Held: 9}}
		case 1:
			seat[0].Turns, seat[0].Left = 4, []string{game.TenureResigned, game.TenureAbsent, game.TenureReplaced}[r.IntN(3)]
			seat = append(seat, game.Share{Bot: "greedy", Turns: 5, Held: 5})
		case 2:
			seat[0].Turns, seat[0].Left = 4, game.TenureAbsent
			seat = append(seat, game.Share{Bot: "planner:50", Turns: 2, Held: 5}, game.Share{Player: int64(who[i+10] + 1), Name: fmt.Sprint("P", who[i+10]+1), Turns: 3, Held: 3})
		}
		parts = append(parts, seat)
		scores = append(scores, 40+r.IntN(30))
	}
	winner := 1
	if players == 1 {
		scores = append(scores, 50)
		if scores[0] <= 50 {
			winner = 2
		}
	}
	return outcome(parts, winner, scores...)
}

// add stores a finished game, or a running one for an empty result.
func (h *house) add(o game.Options, result string) (id string) {
	h.games++
	id = fmt.Sprintf("game%06d", h.games)
	row := store.Game{ID: id, State: store.GameFinished, Options: o, Visibility: store.Listed, Seed: strings.Repeat("00", 32), Result: result, Created: then, Started: then, Changed: then, Ended: then}
	if result == "" {
		row.State, row.Ended = store.GameRunning, time.Time{}
	}
	h.update(func(tx store.Tx) error { return tx.AddGame(row, nil) })
	return id
}

func options(players int, rules string) game.Options {
	o := game.Options{Players: players, Rules: rules, Edition: "revised", RulesVersion: 1, Set: component.DefaultName}
	if players == 1 {
		o.Hal = "hard"
	}
	return o
}

// TestKinds: games as they are played count by kind, in the order in which
// they were finished; their figures are those of the model.
func TestKinds(t *testing.T) {
	h := newHouse(t)
	alone := func(n int64) []game.Share {
		return []game.Share{{Player: n, Name: fmt.Sprint("P", n), Turns: 9, Held: 9}}
	}
	two := h.add(options(2, "base"), outcome([][]game.Share{alone(1), alone(2)}, 1, 60, 50))
	h.add(options(4, "advanced"), outcome([][]game.Share{alone(1), alone(2), alone(3), {{Bot: "greedy", Name: "Bot", Turns: 9, Held: 9}}}, 2, 50, 60, 50, 10))
	h.add(options(1, "base"), outcome([][]game.Share{alone(1)}, 2, 50, 50))
	h.add(options(2, "base"), "")
	if n := h.rate(); n != 3 || h.left != nil {
		t.Fatalf("%d games rated, left out %q", n, h.left)
	}
	all, played := h.dump()
	got := map[string][]string{}
	for _, x := range all {
		got[x.Kind] = append(got[x.Kind], fmt.Sprintf("%s%s %d", x.Name, map[bool]string{true: "", false: " bot"}[x.Player > 0], x.Games))
	}
	if want := map[string][]string{"2-base": {"P1 1", "P2 1"}, "4-advanced": {"P2 1", "P1 1", "P3 1", "greedy bot 1"}, "solo-base": {"P1 1", "hal:hard bot 1"}}; !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	m := rating.Default()
	seat := func(place int, player int64) rating.Seat {
		return rating.Seat{Place: place, Parts: []rating.Part{{Who: rating.Who{Player: player}, Turns: 9, Held: 9}}}
	}
	want := m.Seats([]rating.Seat{seat(1, 1), seat(2, 2)}, func(rating.Who) rating.Rating { return m.Start })[0].After
	if x := all[0]; x.Mu != want.Mu || x.Sigma != want.Sigma {
		t.Errorf("%+v, want %+v", x, want)
	}
	if x := played[0]; x.Game != two || x.Place != 1 || x.Seats != 2 || x.Turns != 9 || x.Of != 9 || x.Left != "" || !x.Ended.Equal(then) {
		t.Errorf("%+v", x)
	}
	var shared []int
	for _, x := range played {
		if x.Kind == "4-advanced" {
			shared = append(shared, x.Place)
		}
	}
	if !slices.Equal(shared, []int{1, 2, 2, 4}) {
		t.Errorf("places %v", shared)
	}
	if n := h.rate(); n != 0 {
		t.Errorf("%d games rated again", n)
	}
}

// TestAdjudicated: of a game that ended with a result that was given, its log and its
// seats say who played. Damaged games are left out, by name, and keep none of the
// others.
func TestAdjudicated(t *testing.T) {
	h := newHouse(t)
	su := sim.Setup{Set: component.Default(), Options: options(2, "base"), Bots: []string{bot.Random, bot.Random}}
	seed := sim.Seed("adjudicated", 1)
	_, lines, err := su.Play(1, seed)
	if err != nil {
		t.Fatal(err)
	}
	for i := range lines { // seat 2 is a person's, who left in the end
		if lines[i].Seat == 2 && i < len(lines)-40 {
			lines[i].By, lines[i].Bot = game.ByPlayer, ""
		}
	}
	lines = append(slices.Clip(lines[:len(lines)-20]), game.Line{N: len(lines) - 19, Seat: 2, By: game.ByPlayer, Order: "resign"})
	h.add(options(2, "base"), `{"parts":5}`)
	adjudicated := func(id string, lines []game.Line) {
		row := store.Game{ID: id, State: store.GameAdjudicated, Options: su.Options, Visibility: store.Listed, Seed: hex.EncodeToString(seed[:]), SetHash: su.Set.Hash,
			Created: then, Started: then, Changed: then, Ended: then}
		seats := []store.Seat{{Place: 1, Seat: 1, Bot: bot.Random, Name: "Bot"}, {Place: 2, Seat: 2, Player: 7, Name: "Ada"}}
		h.update(func(tx store.Tx) error {
			if err := tx.AddGame(row, seats); err != nil {
				return err
			}
			if err := tx.AppendLog(id, lines); err != nil {
				return err
			}
			if err := tx.AddRuling(id, &notice.Ruling{Kind: order.RuleAdjudicate, Step: len(lines), RulingArgs: notice.RulingArgs{Scores: []int{60, 50}}}); err != nil {
				return err
			}
			return tx.AddTenures(id, []game.Tenure{{Place: 1, Bot: bot.Random, Name: "Bot", Why: game.TenureStart}, {Place: 2, Player: 7, Name: "Ada", Why: game.TenureStart},
				{Place: 2, Since: len(lines), Bot: store.ResignBot, Why: game.TenureResigned}})
		})
	}
	adjudicated("first", lines)
	torn := slices.Clone(lines)
	torn[0].Order = "pass"
	adjudicated("torn", torn)
	adjudicated("second", lines)
	h.add(options(2, "base"), "{}")
	if n := h.rate(); n != 2 || len(h.left) != 3 || !strings.HasPrefix(h.left[0], "game000001: ") || !strings.HasPrefix(h.left[1], "torn: game torn: ") || !strings.HasPrefix(h.left[2], "game000002: ") {
		t.Fatalf("%d games rated, left out %q", n, h.left)
	}
	all, played := h.dump()
	if len(all) != 2 || all[0].Name != "Ada" || all[0].Games != 2 || all[0].Mu >= 25 || len(played) != 4 ||
		played[0].Left != string(rating.Walked) || played[0].Turns == 0 || played[0].Turns >= played[0].Of {
		t.Errorf("%+v, %+v", all, played)
	}
}

// TestRatingsAreWhatGamesMakeThem: however games end, have their results changed or
// corrected, or who may see them, go on again and end anew, and whenever they are rated: the ratings
// are what the games that count make them one after the other, to the last bit,
// and rated anew they are the same.
func TestRatingsAreWhatGamesMakeThem(t *testing.T) {
	h := newHouse(t)
	r := mathrand.New(mathrand.NewPCG(1, 2))
	var ids []string
	change := func(f func(*store.Game)) {
		id := ids[len(ids)-1-min(r.IntN(len(ids)), r.IntN(len(ids)))] // rather a late one
		h.update(func(tx store.Tx) error {
			row, err := tx.Game(id)
			if err != nil {
				return err
			}
			f(&row)
			return tx.SaveGame(row)
		})
	}
	for n := range 600 {
		players := 1 + r.IntN(4)
		if n == 300 {
			for range 450 { // more than fit into one transaction
				ids = append(ids, h.add(options(players, "base"), anyResult(r, players)))
			}
		}
		if len(ids) == 0 {
			ids = append(ids, h.add(options(players, "base"), anyResult(r, players)))
		}
		switch k := r.IntN(12); k {
		case 0, 1, 2, 3, 4:
			ids = append(ids, h.add(options(players, []string{"base", "advanced"}[r.IntN(2)]), anyResult(r, players)))
		case 5:
			change(func(g *store.Game) {
				if g.State == store.GameFinished {
					g.Result = anyResult(r, g.Options.Players)
				}
			})
		case 6, 7:
			change(func(g *store.Game) {
				g.Visibility = []string{store.Private, store.Unlisted, store.Listed, store.Listed}[r.IntN(4)]
			})
		case 8:
			change(func(g *store.Game) { g.State, g.Result = store.GameRunning, "" })
		case 9:
			change(func(g *store.Game) { g.State, g.Result = store.GameFinished, anyResult(r, g.Options.Players) })
		case 10:
			h.rate()
		case 11:
			id := ids[r.IntN(len(ids))]
			h.update(func(tx store.Tx) error {
				row, err := tx.Game(id)
				if err != nil || row.Options.Players == 1 {
					return err
				}
				u := notice.Ruling{Kind: []order.RulingKind{order.RuleCorrect, order.RuleCorrect, order.RuleExtend}[r.IntN(3)], Step: r.IntN(8) / 7}
				for range row.Options.Players {
					u.Scores = append(u.Scores, r.IntN(30))
				}
				return tx.AddRuling(id, &u)
			})
		}
		if n%149 == 148 || n == 599 {
			h.rate()
			all, played := h.dump()
			wantAll, wantPlayed := h.reckon()
			if !reflect.DeepEqual(all, wantAll) || !reflect.DeepEqual(played, wantPlayed) {
				t.Fatalf("after %d changes the ratings are\n%+v\nand the games make them\n%+v", n, all, wantAll)
			}
			if err := h.book.Anew(context.Background()); err != nil {
				t.Fatal(err)
			}
			h.rate()
			if again, games := h.dump(); !reflect.DeepEqual(again, all) || !reflect.DeepEqual(games, played) {
				t.Fatalf("after %d changes the ratings are\n%+v\nand anew\n%+v", n, all, again)
			}
		}
	}
	if all, played := h.dump(); len(all) < 100 || len(played) < 1500 {
		t.Errorf("only %d ratings from %d games", len(all), len(played))
	}
}

// TestRuledGames: a game that is ended by a ruling counts by the result that was
// given, as it is corrected later; one that is made void does not.
func TestRuledGames(t *testing.T) {
	ctx := context.Background()
	h := newHouse(t)
	var ids []string
	for range 2 {
		id, err := h.desk.NewGame(ctx, seating.NewGameOrder{Started: true, Seed: &[32]byte{1}, Organiser: "ada@home.test", Visibility: store.Listed,
			Players: []seating.NewPlayer{{Address: "ada@home.test", Name: "Ada"}, {Address: "bo@home.test", Name: "Bo"}}})
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, id)
	}
	rule := func(line string) {
		t.Helper()
		l := order.ReadLetter([]string{line})
		if len(l.Items) != 1 {
			t.Fatalf("%q: %+v", line, l)
		}
		if _, _, err := h.desk.Rule(ctx, l.Items[0].Word.Rule, true); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
	}
	first := func(want string, n int) {
		t.Helper()
		h.rate()
		all, played := h.dump()
		if len(played) != n || h.left != nil || n > 0 && all[0].Name != want {
			t.Errorf("want %s first of %d: %+v, left out %q", want, n, all, h.left)
		}
	}
	first("", 0)
	rule("adjudicate " + ids[0] + " Ada 50, Bo 40: they agreed")
	first("Ada", 2)
	rule("correct " + ids[0] + " Ada 50, Bo 60: a slip")
	first("Bo", 2)
	rule("adjudicate " + ids[1] + " Ada 70, Bo 40: they agreed")
	h.rate()
	rule("void " + ids[0] + ": it was a test")
	first("Ada", 2)
	rule("void " + ids[1] + ": it was one, too")
	first("", 0)
}

// reckon rates the stored games in a map, without any of the book.
func (h *house) reckon() (all []store.Rating, played []store.Rated) {
	h.t.Helper()
	type key struct {
		kind string
		rating.Who
	}
	now := map[key]store.Rating{}
	m := rating.Default()
	err := h.db.View(context.Background(), func(tx store.Tx) error {
		games, err := tx.AllGames(store.GameFinished, "", 100000)
		slices.SortFunc(games, func(a, b store.Game) int { return a.Finish - b.Finish })
		for i, g := range games {
			if g.Visibility != store.Listed {
				continue
			}
			if g.Finish == 0 || i > 0 && games[i-1].Finish == g.Finish {
				h.t.Errorf("game %s has finish %d", g.ID, g.Finish)
			}
			kind := fmt.Sprint(g.Options.Players, "-", g.Options.Rules)
			var o game.Outcome
			if err := json.Unmarshal([]byte(g.Result), &o); err != nil {
				return err
			}
			rulings, err := tx.Rulings(g.ID)
			if err != nil {
				return err
			}
			for _, r := range rulings {
				for i := range o.Parts {
					if r.Kind == order.RuleCorrect && r.Step == 0 {
						*o.Scores[i].Final = r.Scores[i]
					}
				}
			}
			var seats []rating.Seat
			names := map[rating.Who]string{}
			for i, parts := range o.Parts {
				place := 1
				for _, s := range o.Scores {
					if *s.Final > *o.Scores[i].Final || len(o.Parts) == 1 && s.Seat == 2 && *s.Final == *o.Scores[0].Final {
						place++
					}
				}
				s := rating.Seat{Place: place}
				for _, p := range parts {
					who := rating.Who{Player: p.Player, Bot: p.Bot}
					names[who] = p.Name
					if p.Bot != "" {
						names[who] = p.Bot
					}
					by := rating.Who{}
					if p.Left == game.TenureReplaced {
						by.Player = g.Organiser
					}
					s.Parts = append(s.Parts, rating.Part{Who: who, By: by, Turns: p.Turns, Held: p.Held,
						Left: map[string]rating.Leaving{"": "", game.TenureResigned: rating.Walked, game.TenureAbsent: rating.Walked, game.TenureReplaced: rating.Replaced}[p.Left]})
				}
				seats = append(seats, s)
			}
			if len(seats) == 1 {
				kind = "solo-" + g.Options.Rules
				names[rating.Who{Bot: "hal:hard"}] = "hal:hard"
				seats = append(seats, rating.Seat{Place: 3 - seats[0].Place, Parts: []rating.Part{{Who: rating.Who{Bot: "hal:hard"}, Turns: 5, Held: 5}}})
			}
			changes := m.Seats(seats, func(w rating.Who) rating.Rating {
				if x, ok := now[key{kind, w}]; ok {
					return rating.Rating{Mu: x.Mu, Sigma: x.Sigma}
				}
				return m.Start
			})
			for _, c := range changes {
				if c.Bot == "hal:hard" {
					c.Turns, c.Of = 1, 1
				}
				x := store.Rating{Kind: kind, Player: c.Player, Bot: c.Bot, Name: names[c.Who], Games: now[key{kind, c.Who}].Games + 1, Mu: c.After.Mu, Sigma: c.After.Sigma, Finish: g.Finish}
				now[key{kind, c.Who}] = x
				played = append(played, store.Rated{Rating: x, Game: g.ID, Ended: g.Ended, Place: c.Place, Seats: len(seats), Turns: c.Turns, Of: c.Of, Left: string(c.Left)})
			}
		}
		return err
	})
	if err != nil {
		h.t.Fatal(err)
	}
	for _, x := range now {
		all = append(all, x)
	}
	low := func(x store.Rating) float64 { return x.Mu - 2*x.Sigma }
	slices.SortFunc(all, func(a, b store.Rating) int {
		switch {
		case a.Kind != b.Kind:
			return strings.Compare(a.Kind, b.Kind)
		case (a.Player == 0) != (b.Player == 0):
			return int(min(b.Player, 1) - min(a.Player, 1))
		case low(a) != low(b):
			return map[bool]int{true: -1, false: 1}[low(a) > low(b)]
		case a.Player != b.Player:
			return int(a.Player - b.Player)
		}
		return strings.Compare(a.Bot, b.Bot)
	})
	var sorted []store.Rated
	for _, x := range all {
		for i := len(played) - 1; i >= 0; i-- {
			if p := played[i]; p.Kind == x.Kind && p.Player == x.Player && p.Bot == x.Bot {
				sorted = append(sorted, p)
			}
		}
	}
	return all, sorted
}

// BenchmarkRateAnew rates -games games of 30 people once more.
func BenchmarkRateAnew(b *testing.B) {
	h := newHouse(b)
	r := mathrand.New(mathrand.NewPCG(3, 4))
	h.update(func(tx store.Tx) error {
		for n := range *games {
			players := 1 + n%4
			row := store.Game{ID: fmt.Sprint("game", n), State: store.GameFinished, Options: options(players, "base"), Visibility: store.Listed, Seed: strings.Repeat("00", 32),
				Result: anyResult(r, players), Created: then, Started: then, Changed: then, Ended: then}
			if err := tx.AddGame(row, nil); err != nil {
				return err
			}
		}
		return nil
	})
	h.rate()
	for b.Loop() {
		if err := h.book.Anew(context.Background()); err != nil {
			b.Fatal(err)
		}
		if n := h.rate(); n != *games {
			b.Fatalf("%d games rated, left out %q", n, h.left)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/float64(*games), "µs/game")
}
