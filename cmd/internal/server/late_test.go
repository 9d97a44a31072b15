package server

import (
	"flag"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"angelpost/engine/match/desk"
	"angelpost/engine/match/seating"
	"angelpost/engine/notice"
)

// soaking is set by make soak.
var soaking = flag.Bool("soak", false, "assert speed and memory, too")

// A cost is what turns took.
type cost struct {
	time   time.Duration
	octets uint64 // allocated
}

func (c *cost) add(d cost) {
	c.time += d.time
	c.octets += d.octets
}

// TestLateTurns plays a game of four by letters of one order each and weighs
// what it costs to read such a letter, apply it and render what it causes: the
// 200th takes no more than 1.2 times as long as the 10th, which soak asserts. Late
// positions have more to show, so the bound of the octets allocated is wider: it
// is there to notice what grows with a game's length.
func TestLateTurns(t *testing.T) {
	games := 1
	if *soaking {
		games = 5
	}
	var early, late cost
	for seed := range games {
		costs := turnCosts(t, byte(seed+1), 210)
		for i := range 20 {
			early.add(costs[i])
			late.add(costs[190+i])
		}
	}
	n := 20 * games
	t.Logf("letters 1 to 20: %v, %d octets each; letters 191 to 210: %v, %d octets", early.time/time.Duration(n), early.octets/uint64(n), late.time/time.Duration(n), late.octets/uint64(n))
	if ratio := float64(late.octets) / float64(early.octets); ratio > 1.5 {
		t.Errorf("late turns allocate %.2f times what early ones do", ratio)
	}
	if ratio := float64(late.time) / float64(early.time); *soaking && ratio > 1.2 {
		t.Errorf("late turns take %.2f times what early ones do", ratio)
	}
}

// turnCosts plays n letters of a game and returns what each cost. Nothing is
// collected meanwhile: a collection empties the pools, and the letter after it
// would pay for filling them, most of a megabyte.
func turnCosts(t *testing.T, seed byte, n int) (costs []cost) {
	t.Helper()
	s := turnServer(t)
	last := startFour(t, s, seed)
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	for len(costs) < n {
		r, order := decider(t, s, last)
		raw := reply(r.To, s.ReplyTo(r.Token), fmt.Sprint(len(costs)), order)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		begin := time.Now()
		h := s.Handle(t.Context(), []Arrival{{Raw: raw, Received: begin}})
		took := time.Since(begin)
		if h[0].Err != nil || h[0].Outcome != desk.Answered {
			t.Fatalf("%+v", h)
		}
		out := queued(t, s, last)
		begin = time.Now()
		for _, r := range out {
			if _, err := s.Render(t.Context(), r); err != nil {
				t.Fatal(err)
			}
		}
		took += time.Since(begin)
		runtime.ReadMemStats(&after)
		costs = append(costs, cost{time: took, octets: after.TotalAlloc - before.TotalAlloc})
	}
	return costs
}

// turnServer is a server in this process for games of many letters.
func turnServer(t *testing.T) *Server {
	t.Helper()
	path := filepath.Join(t.TempDir(), "angelpost.toml")
	text := strings.Replace(strings.ReplaceAll(ConfigTemplate, "%[1]s", path), "answers_per_day = 60", "answers_per_day = 10000", 1)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	c, err := LoadConfig(path)
	if err != nil {
		t.Fatal(err)
	}
	s, err := Open(t.Context(), c, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// startFour starts a game of four, and returns their letters by seat.
func startFour(t *testing.T, s *Server, seed byte) (last map[int]notice.Message) {
	t.Helper()
	order := seating.NewGameOrder{Started: true, Seed: &[32]byte{seed}}
	for _, name := range []string{"ann", "bob", "cat", "dan"} {
		order.Players = append(order.Players, seating.NewPlayer{Address: name + "@example.org", Name: name})
	}
	if _, err := s.Desk.NewGame(t.Context(), order); err != nil {
		t.Fatal(err)
	}
	last = map[int]notice.Message{}
	queued(t, s, last)
	return last
}

// queued takes what is queued, as if it had been sent, and notes each seat's
// last letter.
func queued(t *testing.T, s *Server, last map[int]notice.Message) (out []notice.Message) {
	t.Helper()
	due, _, err := s.DB.Due(t.Context(), time.Now().Add(time.Minute), 100)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range due {
		if err := s.DB.Sent(t.Context(), r.ID); err != nil {
			t.Fatal(err)
		}
		last[r.Seat] = r.Message
		out = append(out, r.Message)
	}
	return out
}

// reply is a letter of one order.
func reply(from, to, id, order string) []byte {
	return fmt.Appendf(nil, "From: %s\r\nTo: %s\r\nDate: %s\r\nMessage-ID: <%s@example.org>\r\nSubject: Re: turn\r\n\r\n%s\r\n",
		from, to, time.Now().Format(time.RFC1123Z), id, order)
}

// decider returns a notice to a player who must decide, with a legal order: the next
// of the example turn.
func decider(t *testing.T, s *Server, last map[int]notice.Message) (notice.Message, string) {
	t.Helper()
	for seat := 1; seat <= 4; seat++ {
		sheet, err := s.Desk.Host().Input(t.Context(), last[seat])
		if err != nil {
			t.Fatal(err)
		}
		if len(sheet.Example) > 0 {
			return last[seat], sheet.Example[0]
		}
	}
	t.Fatal("the game is over too early")
	return notice.Message{}, ""
}
