package secrecytest

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"
	"time"

	"angelpost/cmd/internal/server"
	"angelpost/engine/game"
	"angelpost/engine/league"
	"angelpost/engine/match/desk"
	"angelpost/engine/store"
)

// fillLeague stores a league of so many players with so many results, its
// running games and their seats among them.
func fillLeague(t *testing.T, s *server.Server, id, file string, players, results int) *league.State {
	t.Helper()
	rules, err := league.ParseRules(file)
	if err != nil {
		t.Fatal(err)
	}
	state, err := league.Replay(rules, [32]byte{0x5e}, nil)
	if err != nil {
		t.Fatal(err)
	}
	var lines []store.LeagueLine
	var games []*league.Fixture
	now := stageTime
	add := func(l league.Line) {
		t.Helper()
		l.N, l.At = state.Lines+1, now
		if err := state.Add(l); err != nil {
			t.Fatal(err)
		}
		args, err := json.Marshal(l)
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, store.LeagueLine{N: l.N, At: l.At, Kind: l.Kind, Args: string(args)})
	}
	err = s.DB.Update(context.Background(), func(tx store.Tx) error {
		for i := range players {
			p := store.Player{Name: fmt.Sprint("Voyager ", id, " ", i), Address: fmt.Sprintf("%s%d@players.example", id, i), Created: now}
			if err := tx.AddPlayer(&p); err != nil {
				return err
			}
			add(league.Line{Kind: league.Join, Player: p.ID})
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for done := 0; ; {
		acts, next := state.Due(now)
		for _, a := range acts {
			if a.Line.Kind == league.Begun {
				a.Line.Game = fmt.Sprintf("%sgame%06d", id, a.Fixture.ID)
				games = append(games, a.Fixture)
			}
			add(a.Line)
		}
		switch {
		case len(acts) > 0:
			continue
		case len(games) == 0:
			now = next
			continue
		case done == results:
		default:
			f := games[done]
			seats := make([]league.Seat, len(f.Players))
			for i, p := range f.Players {
				seats[i] = league.Seat{Player: p, Place: i + 1, Score: 90 - 7*i}
			}
			add(league.Line{Kind: league.Played, Game: f.Game, Seats: seats})
			done++
			continue
		}
		break
	}
	err = s.DB.Update(context.Background(), func(tx store.Tx) error {
		row := store.League{ID: id, Name: rules.Name, File: file, Secret: "5e" + strings.Repeat("00", 31), Visibility: rules.Visibility, Created: stageTime, Changed: now}
		if err := tx.AddLeague(row); err != nil {
			return err
		}
		for _, f := range games {
			g := store.Game{ID: f.Game, Name: f.Game, State: store.GameRunning, Visibility: rules.Visibility, Options: game.Options{Players: len(f.Players), Rules: "base", Edition: "revised"}, League: id,
				Seed: strings.Repeat("01", 32), Created: now, Started: now, Changed: now}
			var seats []store.Seat
			for i, p := range f.Players {
				seats = append(seats, store.Seat{Place: i + 1, Seat: i + 1, Player: p, Name: fmt.Sprint("p", p), Stage: store.SeatJoined, Deadline: now.Add(time.Duration(f.ID) * time.Minute)})
			}
			if f.Over() {
				g.State, g.Ended = store.GameFinished, now
			}
			if err := tx.AddGame(g, seats); err != nil {
				return err
			}
		}
		return tx.AppendLeague(id, lines)
	})
	if err != nil {
		t.Fatal(err)
	}
	return state
}

// TestLeaguesFromTheDatabase asks for pages of stored leagues: what is listed,
// unlisted and private is shown as such, and how long the pages of a large one
// take is told (web/SPEED.md). With -soak it has 150 divisions.
func TestLeaguesFromTheDatabase(t *testing.T) {
	g, _ := recordedGameOf(t, 0, 0)
	x := newServer(t, g, g.real(0))
	players, results := 140, 60
	if *pagesSoak {
		players, results = 2100, 900
	}
	state := fillLeague(t, x.s, "large", "name: Large\ndivision: 14\nat once: 2\nclock: 3d\nleast: 14\n", players, results)
	for _, v := range []string{store.Unlisted, store.Private} {
		fillLeague(t, x.s, v, "name: Small "+v+"\nleast: 7\ndirector: ann@players.example\nvisibility: "+v+"\n", 7, 2)
	}
	handler := func() http.Handler {
		moved := uint64(0)
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { // of the desk that x.s has by now
			restless(x.s, &moved).Handler().ServeHTTP(w, r)
		})
	}
	ask := func(h http.Handler, path string) (int, string) {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest("GET", path, nil))
		return w.Code, w.Body.String()
	}
	h := handler()
	for path, want := range map[string]int{"/l/large": 200, "/l/unlisted": 200, "/l/unlisted/1/1": 200, "/l/private": 404, "/l/private/1": 404, "/l/private/1/1": 404, "/l/private/rulings": 404, "/l/private/feed.atom": 404,
		"/l/private/league.json": 404, "/l/private/league.txt": 404, "/l/private/log.json": 404, "/l/private/1/season.json": 404, "/l/private/1/1/division.json": 404, "/games?league=private": 404,
		fmt.Sprintf("/players/%d", state.Players[0].ID): 200, fmt.Sprintf("/players/%d", state.Players[0].ID+int64(players)): 404} {
		code, body := ask(handler(), path)
		if code != want || strings.Contains(body, "@players") || code == 200 && strings.Contains(path, "/l/") && !strings.Contains(body, "Voyager") {
			t.Errorf("%s: %d, want %d, and names without addresses", path, code, want)
		}
	}
	for _, path := range []string{"/leagues", "/leagues.json", "/sitemap.xml"} {
		if _, body := ask(h, path); !strings.Contains(body, "/l/large") || strings.Contains(body, "/l/unlisted") || strings.Contains(body, "/l/private") {
			t.Errorf("%s lists what it should not, or not what it should", path)
		}
	}
	if _, body := ask(h, "/games?league=large"); !strings.Contains(body, "/g/largegame") {
		t.Error("the archive does not find the league's games")
	}
	divisions := len(state.Season().Divisions)
	if divisions < players/14-1 {
		t.Fatalf("%d divisions", divisions)
	}
	fresh, known, kept := x.s.Desk, x.s.Desk, restless(x.s, nil).Handler()
	for _, path := range []string{"/leagues", "/l/large", "/l/large?q=9", "/l/large/1", fmt.Sprintf("/l/large/1/%d", divisions/2), fmt.Sprintf("/l/large/1/%d/division.json", divisions/2), "/l/large/league.json", "/l/large/feed.atom"} {
		took := func(n int, h http.Handler, before func()) time.Duration {
			var sum time.Duration
			for range n {
				before()
				runtime.GC()
				begin := time.Now()
				if code, _ := ask(h, path); code != http.StatusOK {
					t.Fatalf("%s: %d", path, code)
				}
				sum += time.Since(begin)
			}
			return (sum / time.Duration(n)).Round(10 * time.Microsecond)
		}
		cold := took(3, h, func() {
			var err error
			if fresh, err = desk.New(known.Config); err != nil {
				t.Fatal(err)
			}
			x.s.Desk = fresh
		})
		moved := took(10, h, func() { x.s.Desk = known })
		ask(kept, path)
		warm := took(10, kept, func() {})
		_, body := ask(kept, path)
		t.Logf("%s: %d bytes; %v the log replayed, %v something moved, %v kept", path, len(body), cold, moved, warm)
		if len(body) > heavyPage && !strings.HasSuffix(path, ".json") {
			t.Errorf("%s has %d bytes", path, len(body))
		}
	}
}
