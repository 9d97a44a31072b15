package look

import (
	"context"
	"errors"
	"slices"
	"time"

	"angelpost/engine"
	"angelpost/engine/game"
	"angelpost/engine/match/replays"
	"angelpost/engine/match/unit"
	"angelpost/engine/notice"
	"angelpost/engine/store"
)

// Bounds of a start page.
const (
	homeOver = 12 // games that are over
	homeOpen = 40 // games that run, each of which is replayed
)

// A Home is what a player's start page shows. It has no hands, no tokens and no keys of games:
// its address reveals to others only which games the player has.
type Home struct {
	Player   int64
	Name     string
	Created  time.Time
	Games    []HomeGame // that are open, the player's move first, then by deadline
	More     int        // open games beyond Games, none with a nearer deadline
	Over     []Entry    // the last that ended
	Settings *notice.Settings
	Leagues  []*LeagueView
}

// A HomeGame is an open game of the player's.
type HomeGame struct {
	ID, Name, State string
	Public          bool // its page needs no key
	Options         game.Options
	Seat            int
	Step            int
	Round           int      // 0 before the start
	ToAct           []string // names of players to move
	Waiting         string   // before the start: names of players who have not joined
	You             bool     // the player must move
	Since           time.Time
	Deadline        time.Time   // the player's; zero none
	Revised         time.Time   // when it last changed
	Others          []time.Time // deadlines of the other players
	Paused, Muted   bool
	Unreadable      bool // it can't be replayed now
}

// Home returns the start page that a key opens. A key that does not fit gives ErrNotFound,
// wrapped.
func (h *Host) Home(ctx context.Context, key string, now time.Time) (*Home, error) {
	var out *Home
	err := h.Store.View(ctx, func(tx store.Tx) error {
		id, err := tx.HomeOf(key)
		if err != nil {
			return err
		}
		p, err := tx.Player(id)
		if err != nil {
			return err
		}
		out = &Home{Player: id, Name: p.Name, Created: p.Created, Settings: unit.Settings(&p, now)}
		if err := h.homeGames(tx, out); err != nil {
			return err
		}
		rows, err := tx.LeaguesOf(id)
		if err != nil {
			return err
		}
		out.Leagues, err = h.leagueLooks(tx, slices.DeleteFunc(rows, func(r store.League) bool { return r.Visibility == store.Private })) // whose pages no one sees
		return err
	})
	return out, err
}

func (h *Host) homeGames(tx store.Tx, out *Home) error {
	open, err := tx.GamesOf(out.Player, true)
	if err != nil {
		return err
	}
	ids := make([]string, len(open))
	for i, r := range open {
		ids[i] = r.ID
	}
	seats, err := tx.SeatsOf(ids)
	if err != nil {
		return err
	}
	deadline := func(r store.Game) (at time.Time) {
		for _, x := range seats[r.ID] {
			if x.Player == out.Player {
				at = x.Deadline
			}
		}
		return at
	}
	slices.SortStableFunc(open, func(a, b store.Game) int { return sooner(deadline(a), deadline(b)) })
	for i, r := range open {
		if len(out.Games) == homeOpen {
			out.More = len(open) - i
			break
		}
		g, err := h.homeGame(tx, out.Player, r, seats[r.ID])
		if err != nil {
			return err
		}
		if g.Seat != 0 || r.State == store.GameInvited { // or the player has left it
			out.Games = append(out.Games, g)
		}
	}
	slices.SortStableFunc(out.Games, func(a, b HomeGame) int {
		if a.You != b.You {
			return map[bool]int{true: -1, false: 1}[a.You]
		}
		return sooner(a.Deadline, b.Deadline)
	})
	over, err := tx.GamesOf(out.Player, false)
	if err != nil {
		return err
	}
	over = slices.DeleteFunc(over, func(r store.Game) bool { return r.State == store.GameRunning || r.State == store.GameInvited })
	slices.SortStableFunc(over, func(a, b store.Game) int { return b.Ended.Compare(a.Ended) })
	out.Over, err = entries(tx, over[:min(len(over), homeOver)])
	return err
}

// sooner compares deadlines; zero, which means none, comes last.
func sooner(a, b time.Time) int {
	if a.IsZero() != b.IsZero() {
		return map[bool]int{true: 1, false: -1}[a.IsZero()]
	}
	return a.Compare(b)
}

// homeGame is one open game of a player's.
func (h *Host) homeGame(tx store.Tx, player int64, r store.Game, seats []store.Seat) (HomeGame, error) {
	g := HomeGame{ID: r.ID, Name: r.Name, State: r.State, Public: r.Visibility != store.Private, Options: r.Options, Step: r.Steps, Since: r.Changed, Paused: !r.Paused.IsZero()}
	if err := replays.Seated(r, seats); err != nil {
		g.Unreadable = true
		return g, nil
	}
	t := &unit.Game{Row: r, Seats: seats}
	bot := false
	for i := range seats {
		x := &seats[i]
		if x.Player == player {
			g.Seat, g.Muted, g.Deadline, bot = max(x.Seat, x.Place), x.MutedBy(player), x.Deadline, x.Bot != ""
			g.Revised = x.Revised
		} else if !x.Deadline.IsZero() {
			g.Others = append(g.Others, x.Deadline)
		}
	}
	if r.State == store.GameInvited {
		g.Waiting = t.WaitingFor()
		return g, nil
	}
	p, err := h.games.Replay(tx, r, seats)
	if errors.Is(err, replays.ErrUnreadable) {
		g.Unreadable = true
		return g, nil
	}
	if err != nil {
		return g, err
	}
	h.games.Keep(r.ID, p)
	v := p.State.Project(0)
	g.Round = v.Round
	for _, s := range v.ToAct {
		g.ToAct = append(g.ToAct, t.Names()[s-1])
	}
	g.You = g.Seat > 0 && !bot && slices.Contains(v.ToAct, engine.Seat(g.Seat))
	return g, nil
}
