package server

import (
	"database/sql"
	"fmt"
	"strings"
	"testing"
	"time"

	"angelpost/cmd/internal/program"
	"angelpost/engine/match/desk"
	"angelpost/engine/match/seating"
	"angelpost/engine/notice"
	"angelpost/engine/rated"
	"angelpost/engine/statistics"
	"angelpost/engine/store"
)

// mostPerGame is how many bytes a finished game takes of the database at most, with its
// players and what its pages show, but without its letters.
const mostPerGame = 16 << 10

// TestRoomOfAGame: games that are over take the room that is promised.
func TestRoomOfAGame(t *testing.T) {
	s := turnServer(t)
	room := func(finished int) int64 {
		t.Helper()
		ledger, err := sql.Open("sqlite3", "file:"+s.Conf.Path(s.Conf.Database)+"?mode=ro&_busy_timeout=5000")
		if err != nil {
			t.Fatal(err)
		}
		defer ledger.Close()
		if n := program.Column(t, ledger, "SELECT count(*) FROM games WHERE state = 'finished'"); n[0] != fmt.Sprint(finished) {
			t.Fatalf("%s games are over, not %d", n, finished)
		}
		_, games := program.Room(t, ledger)
		return games
	}
	empty := room(0)
	letters, games := 0, 0
	for range statistics.Together { // of each kind: fewer are not counted
		for players := 2; players <= 4; players++ {
			games++
			order := seating.NewGameOrder{Started: true, Visibility: store.Listed, Seed: &[32]byte{byte(games)}}
			for _, name := range []string{"ann", "bob", "cat", "dan"}[:players] {
				order.Players = append(order.Players, seating.NewPlayer{Address: name + "@example.org", Name: name})
			}
			id, err := s.Desk.NewGame(t.Context(), order)
			if err != nil {
				t.Fatal(err)
			}
			last := map[int]notice.Message{}
			for over := false; !over; {
				for _, m := range queued(t, s, last) {
					over = over || m.Game == id && m.Kind == notice.KindEnd
				}
				if over {
					break
				}
				letters++
				from, lines := decides(t, s, last)
				h := s.Handle(t.Context(), []Arrival{{Raw: reply(from.To, s.ReplyTo(from.Token), fmt.Sprint(letters), strings.Join(lines, "\r\n")), Received: time.Now()}})
				if h[0].Err != nil || h[0].Outcome != desk.Answered {
					t.Fatalf("%q: %+v", lines, h)
				}
			}
		}
	}
	if n, err := s.Book().Count(t.Context(), func(x statistics.LeftOut) { t.Error(x) }); err != nil || n != games {
		t.Fatalf("%d games are counted: %v", n, err)
	}
	if n, err := s.Ratings().Rate(t.Context(), func(x rated.LeftOut) { t.Error(x) }); err != nil || n != games {
		t.Fatalf("%d games are rated: %v", n, err)
	}
	each := (room(games) - empty) / int64(games)
	t.Logf("%d finished games of 2 to 4 players, %d letters: %d bytes each", games, letters, each)
	if each > mostPerGame {
		t.Errorf("a finished game takes %d bytes, at most %d were promised", each, mostPerGame)
	}
}

// decides returns the letter of a player who has to move, and the turn that it proposes.
func decides(t *testing.T, s *Server, last map[int]notice.Message) (notice.Message, []string) {
	t.Helper()
	for _, m := range last {
		sheet, err := s.Desk.Host().Input(t.Context(), m)
		if err != nil {
			t.Fatal(err)
		}
		if len(sheet.Example) > 0 {
			return m, sheet.Example
		}
		if len(sheet.Legal) > 0 {
			return m, sheet.Legal[:1]
		}
	}
	t.Fatal("no player has to move")
	return notice.Message{}, nil
}
