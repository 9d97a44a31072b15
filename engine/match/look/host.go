// Package look is the read side: games at any step, archives, leagues and plans, for
// pages, letters and the command line. What leaves it is redacted for its viewer; it
// writes nothing.
package look

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"angelpost/engine"
	"angelpost/engine/component"
	"angelpost/engine/game"
	"angelpost/engine/league"
	"angelpost/engine/match/replays"
	"angelpost/engine/match/unit"
	"angelpost/engine/notice"
	"angelpost/engine/order"
	"angelpost/engine/store"
)

// A Host opens games at any step for any seat, and returns what that seat may see. It is safe
// for concurrent use and only reads.
type Host struct {
	Store store.DB
	games *replays.Cache

	mu     sync.Mutex
	tags   map[tagKey][sha256.Size]byte
	ranked map[rankedKey][]league.Standing // of leagues that pages have shown
}

// New returns the host of a store's games, which reads them from games.
func New(s store.DB, c *replays.Cache) *Host { return &Host{Store: s, games: c} }

// A GameView is a game at one step, for one viewer.
type GameView struct {
	GameInfo
	Names  []string
	Viewer engine.Seat
	Step   int
	Latest int
	View   *engine.View   // nil before the start; of a finished game, every hand is open at every step
	Legal  []string       // only at the latest step of a running game
	Parts  [][]game.Share // only at the latest step; without the players' numbers
	Own    Own            // only at the latest step, and for the holder of a key
	play   *game.Replay   // at Step
	whole  *game.Replay   // at Latest
	host   *Host          // that keeps tags; nil of a game in memory
}

// GameInfo is what anyone with access to a game may know about it.
type GameInfo struct {
	ID, State, Name, Visibility string
	Options                     game.Options
	Commitment                  string
	Seed                        string // finished games only
	Created, Started, Changed   time.Time
	Ended                       time.Time
	Joined                      []bool  // by place, before the start
	Free                        int     // seats that anyone can take, before the start
	People                      []int64 // by seat the players, of a game that anyone may find; 0 a bot
	Deadlines                   []game.Until
	Paused                      bool // no clock runs
	League                      *LeaguePlace
	Rulings                     []notice.Ruling
}

// Open opens game id after line at (-1: the latest). The viewer is the holder of key, without a
// key the public, which cannot open a private game. A wrong key, a missing game and a missing
// step give ErrNotFound, wrapped.
func (h *Host) Open(ctx context.Context, id, key string, at int) (g *GameView, err error) {
	err = h.Store.View(ctx, func(tx store.Tx) error {
		row, seats, err := h.games.Stored(tx, id)
		if err != nil {
			return err
		}
		viewer, err := viewerOf(tx, row, seats, key)
		if err != nil {
			return err
		}
		if g, err = h.view(tx, row, seats, viewer, at); err != nil || key == "" || g.View == nil || g.Step != g.Latest {
			return err
		}
		for i := range seats {
			if engine.Seat(seats[i].Seat) == viewer {
				g.Own, err = ownOf(tx, &seats[i])
			}
		}
		return err
	})
	return g, err
}

// Opens reports by a nil error that a key opens a page of a game.
func (h *Host) Opens(ctx context.Context, id, key string) error {
	return h.Store.View(ctx, func(tx store.Tx) error {
		seats, err := tx.Seats(id)
		if err != nil {
			return err
		}
		_, err = holder(tx, seats, id, key)
		return err
	})
}

// viewerOf returns the viewer of a game with a key: its holder, without a key the public, which
// cannot open a private game.
func viewerOf(tx store.Tx, row store.Game, seats []store.Seat, key string) (engine.Seat, error) {
	switch {
	case key == "" && row.Visibility == store.Private && row.Shown:
		return 0, fmt.Errorf("game %s: %w", row.ID, store.ErrGone)
	case key == "" && row.Visibility == store.Private:
		return 0, fmt.Errorf("game %s is private: %w", row.ID, store.ErrNotFound)
	case key == "":
		return 0, nil
	}
	x, err := holder(tx, seats, row.ID, key)
	if err != nil {
		return 0, err
	}
	return engine.Seat(x.Seat), nil
}

// holder returns the seat whose page the key opens.
func holder(tx store.Tx, seats []store.Seat, id, key string) (*store.Seat, error) {
	keys, err := tx.Keys(id)
	if err != nil {
		return nil, err
	}
	var found *store.Seat
	for _, k := range keys { // all are compared: time tells nothing
		if subtle.ConstantTimeCompare([]byte(k.Key), []byte(key)) == 1 && k.Place >= 1 && k.Place <= len(seats) && seats[k.Place-1].Player == k.Player {
			found = &seats[k.Place-1]
		}
	}
	if found == nil {
		return nil, fmt.Errorf("key: %w", store.ErrNotFound)
	}
	return found, nil
}

func (h *Host) view(tx store.Tx, row store.Game, seats []store.Seat, viewer engine.Seat, at int) (*GameView, error) {
	t := &unit.Game{Row: row, Seats: seats}
	g := &GameView{GameInfo: info(row, seats), Names: t.Names(), Viewer: viewer, Latest: row.Steps, Step: at, host: h}
	var err error
	if g.League, err = h.leaguePlace(tx, row); err != nil {
		return nil, err
	}
	if at < 0 {
		g.Step = row.Steps
	}
	if g.Step > row.Steps {
		return nil, fmt.Errorf("step %d of game %s: %w", at, row.ID, store.ErrNoStep)
	}
	if g.Rulings, err = tx.Rulings(row.ID); err != nil {
		return nil, err
	}
	if t.Running() || row.Sealed { // appeals may tell of hands, and of what comes in other games of the round
		g.Rulings = notice.Decided(g.Rulings)
	}
	g.Rulings = notice.Public(g.Rulings)
	if row.Started.IsZero() {
		return g, nil
	}
	p, err := h.games.Replay(tx, row, seats)
	if err != nil {
		return nil, err
	}
	h.games.Keep(row.ID, p)
	if err := g.show(opened(row, p)); err != nil {
		return nil, err
	}
	if g.Step == g.Latest {
		tenures, err := tx.Tenures([]string{row.ID})
		if err != nil {
			return nil, err
		}
		g.Parts = game.WithoutPlayerIDs(p.Shares(tenures[row.ID], replays.Holders(seats)))
	}
	return g, nil
}

// opened returns the whole game with nothing hidden, if its seed is public.
func opened(row store.Game, p *game.Replay) *game.Replay {
	if !row.SeedPublic() || p.Over() {
		return p
	}
	p = p.Copy()
	p.Open = true
	return p
}

// show sets the position at the view's step from the whole game.
func (g *GameView) show(p *game.Replay) (err error) {
	if g.play, err = p.Past(g.Step); err != nil {
		return err
	}
	g.whole = p
	g.View = g.play.View(g.Viewer)
	g.Legal = []string{}
	if g.Step == g.Latest && g.State == store.GameRunning {
		g.Legal = game.LegalOrders(g.View)
	}
	return nil
}

// ViewOf returns a game in memory after line at (-1: the latest), as its viewer sees
// it, for tests, which have games without a store. A nil game has not begun; a line that
// it does not have gives ErrNoStep, wrapped.
func ViewOf(g *game.Game, about GameInfo, names []string, viewer engine.Seat, at int) (*GameView, error) {
	v := &GameView{GameInfo: about, Names: names, Viewer: viewer}
	if g == nil {
		return v, nil
	}
	v.Latest, v.Step = g.Steps(), at
	if at < 0 {
		v.Step = v.Latest
	}
	if v.Step > v.Latest {
		return nil, fmt.Errorf("step %d of game %s: %w", at, about.ID, store.ErrNoStep)
	}
	return v, v.show(g.Play)
}

func info(row store.Game, seats []store.Seat) GameInfo {
	i := GameInfo{
		ID: row.ID, State: row.State, Name: row.Name, Visibility: row.Visibility, Options: row.Options,
		Created: row.Created, Started: row.Started, Changed: row.Changed, Ended: row.Ended,
	}
	if seed, err := game.ParseSeed(row.Seed); err == nil {
		i.Commitment = engine.Commitment(seed)
		if row.SeedPublic() {
			i.Seed = row.Seed
		}
	}
	i.Paused = row.State == store.GameRunning && !row.Paused.IsZero()
	for _, x := range seats {
		if x.Stage == store.SeatOpen && row.State == store.GameInvited {
			i.Free++
		}
		if row.Visibility == store.Listed && x.Seat > 0 && x.Seat <= len(seats) {
			if i.People == nil {
				i.People = make([]int64, len(seats))
			}
			i.People[x.Seat-1] = x.Player
		}
		i.Joined = append(i.Joined, x.Stage != store.SeatInvited && x.Stage != store.SeatOpen)
		if !x.Deadline.IsZero() && row.State == store.GameRunning {
			i.Deadlines = append(i.Deadlines, game.Until{Seat: x.Seat, At: x.Deadline})
		}
	}
	return i
}

// Story returns the events after line since up to the view's step, redacted for its viewer;
// since -1 begins with the setup.
func (g *GameView) Story(since int) []game.Told {
	if g.play == nil {
		return nil
	}
	return g.play.Story(g.Viewer, since)
}

// Before returns the position after an earlier line, redacted for the view's viewer; nil for -1
// and before the start.
func (g *GameView) Before(n int) (*engine.View, error) {
	if g.play == nil || n < 0 {
		return nil, nil
	}
	p, err := g.whole.Past(n)
	if err != nil {
		return nil, err
	}
	return p.View(g.Viewer), nil
}

// JSON returns view.json. For a past step it has what was legal then, and the other hands as
// the viewer saw them then, unless they want a finished game's open ones. Before the start its
// view is null.
func (g *GameView) JSON(open bool) *game.ViewJSON {
	if g.View == nil {
		return &game.ViewJSON{
			Schema: game.Schema, Game: g.ID, Viewer: int(g.Viewer), ToAct: []int{}, Legal: []string{},
			Options: g.Options, Scores: []game.Score{}, Winners: []int{},
		}
	}
	view := g.View
	if g.play.Open && !open {
		view = g.play.State.Project(g.Viewer)
	}
	v := game.NewViewJSON(view, g.ID, g.Options, g.Names, g.Step, g.Latest)
	if g.Step == g.Latest {
		v.Deadlines, v.Paused = g.Deadlines, g.Paused
		if g.View.Finished {
			v.Parts = g.Parts
		}
	}
	if g.Step == g.Latest && g.State != store.GameRunning { // broken off: no more decisions
		v.ToAct, v.Legal = []int{}, []string{}
	}
	return v
}

// Own is what only the holder of a game's key has.
type Own struct {
	Token string   // of their newest letter about the game, with which they can answer; "" if there is none
	Ahead []string // what they have planned for their coming turn, as the lines of a letter

	Revised time.Time // when their deadline last changed; zero: they have had none
}

func ownOf(tx store.Tx, x *store.Seat) (own Own, err error) {
	token, err := tx.LastToken(x.Game, x.Place, x.Player)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return own, err
	}
	own.Token, own.Revised = token.Token, x.Revised
	rows, err := tx.Plans(x.Game)
	for _, r := range rows {
		if r.Place == x.Place && r.Player == x.Player && r.Lines != "" {
			own.Ahead = append([]string{order.Plan.String()}, strings.Split(r.Lines, "\n")...)
		}
	}
	return own, err
}

// Course returns the milestones of the whole game, whatever the view's step; nil before the
// start.
func (g *GameView) Course() []game.Milestone {
	if g.whole == nil {
		return nil
	}
	return g.whole.Course()
}

// Export returns the record of a stored game redacted for a viewer; everything once it is
// finished.
func (h *Host) Export(ctx context.Context, id string, viewer engine.Seat) (*game.Record, error) {
	return h.export(ctx, id, func(store.Tx, store.Game, []store.Seat) (engine.Seat, error) { return viewer, nil })
}

// Record is Export for the holder of this key.
func (h *Host) Record(ctx context.Context, id, key string) (*game.Record, error) {
	return h.export(ctx, id, func(tx store.Tx, row store.Game, seats []store.Seat) (engine.Seat, error) {
		return viewerOf(tx, row, seats, key)
	})
}

func (h *Host) export(ctx context.Context, id string, who func(store.Tx, store.Game, []store.Seat) (engine.Seat, error)) (rec *game.Record, err error) {
	err = h.Store.View(ctx, func(tx store.Tx) error {
		row, seats, err := h.games.Stored(tx, id)
		if err != nil {
			return err
		}
		viewer, err := who(tx, row, seats)
		if err != nil {
			return err
		}
		if row.Started.IsZero() {
			return fmt.Errorf("game %s has not begun: %w", id, store.ErrNotFound)
		}
		if int(viewer) > row.Options.Players {
			return fmt.Errorf("seat %d of game %s: %w", viewer, id, store.ErrNotFound)
		}
		p, err := h.games.Replay(tx, row, seats)
		if err != nil {
			return err
		}
		head, err := replays.Header(row, seats)
		if err != nil {
			return err
		}
		if rec = opened(row, p).Record(head, viewer); row.Sealed {
			rec.Seed = ""
		}
		if row.Broken() {
			rec.BrokenOff(row.State)
		}
		if rec.Result != nil {
			tenures, err := tx.Tenures([]string{id})
			if err != nil {
				return err
			}
			rec.Result.Parts = game.WithoutPlayerIDs(p.Shares(tenures[id], replays.Holders(seats)))
		}
		rec.Seal()
		return nil
	})
	return rec, err
}

// A Check is the result of VerifyAll for one game.
type Check struct {
	Game, State string
	Lines       int
	Difference  *game.Difference
	Err         error
}

// VerifyAll replays every stored game that has begun and calls report for each.
func (h *Host) VerifyAll(ctx context.Context, report func(Check) error) error {
	for after := ""; ; {
		var games []store.Game
		var checks []Check
		err := h.Store.View(ctx, func(tx store.Tx) (err error) {
			if games, err = tx.AllGames("", after, 100); err != nil {
				return err
			}
			ids := make([]string, len(games))
			for i, g := range games {
				ids[i] = g.ID
			}
			seats, err := tx.SeatsOf(ids)
			if err != nil {
				return err
			}
			for _, g := range games {
				if g.Started.IsZero() && g.Err == nil {
					continue
				}
				c := Check{Game: g.ID, State: g.State, Lines: g.Steps}
				c.Err = h.games.Reading(g.ID, func() (err error) {
					c.Difference, err = h.check(tx, g, seats[g.ID])
					return err
				})
				checks = append(checks, c)
			}
			return nil
		})
		if err != nil {
			return err
		}
		for _, c := range checks {
			if err := report(c); err != nil {
				return err
			}
		}
		if len(games) == 0 {
			return nil
		}
		after = games[len(games)-1].ID
	}
}

func (h *Host) check(tx store.Tx, row store.Game, seats []store.Seat) (*game.Difference, error) {
	if row.Err != nil {
		return nil, row.Err
	}
	if err := replays.Seated(row, seats); err != nil {
		return nil, err
	}
	set, err := h.games.SetOf(row)
	if err != nil {
		return nil, err
	}
	head, err := replays.Header(row, seats)
	if err != nil {
		return nil, err
	}
	lines, err := tx.Log(row.ID, 0)
	if err != nil {
		return nil, err
	}
	return game.VerifyLog(set, head, lines)
}

// Input returns all that a renderer needs for a letter out. The same message gives the same
// input at any later time.
func (h *Host) Input(ctx context.Context, r notice.Message) (sheet *notice.Input, err error) {
	if r.Game == "" {
		sheet = &notice.Input{Message: r}
		return sheet, h.games.Collect(sheet, func(id string, seat int) (store.Game, *game.Replay, error) { return h.replay(ctx, id, seat) })
	}
	row, p, err := h.replay(ctx, r.Game, r.Seat)
	if err != nil {
		return nil, err
	}
	return h.games.Input(r, row, p)
}

// replay returns a game and its whole replay, nil before it has begun or without a seat.
func (h *Host) replay(ctx context.Context, id string, seat int) (row store.Game, p *game.Replay, err error) {
	err = h.Store.View(ctx, func(tx store.Tx) (err error) {
		if row, err = tx.Game(id); err != nil || row.Started.IsZero() || seat == 0 {
			return err
		}
		seats, err := tx.Seats(id)
		if err != nil {
			return err
		}
		if p, err = h.games.Replay(tx, row, seats); err != nil {
			return err
		}
		h.games.Keep(row.ID, p)
		return nil
	})
	return row, p, err
}

// Stranded returns the first running game whose component set is missing, and why; "" if all
// can go on.
func (h *Host) Stranded(ctx context.Context) (game string, why error, err error) {
	err = h.Store.View(ctx, func(tx store.Tx) error {
		for _, state := range []string{store.GameInvited, store.GameRunning} {
			for after := ""; ; {
				rows, err := tx.AllGames(state, after, 100)
				if err = errors.Join(err, ctx.Err()); err != nil {
					return err
				}
				for _, row := range rows {
					if row.Err != nil { // it waits for its host, whatever its set
						continue
					}
					if _, why = h.games.SetOf(row); why != nil {
						game = row.ID
						return nil
					}
				}
				if len(rows) == 0 {
					break
				}
				after = rows[len(rows)-1].ID
			}
		}
		return nil
	})
	return game, why, err
}

// Sets returns the available component sets, by name. Callers must not change them.
func (h *Host) Sets() map[string]*component.Set { return h.games.Sets }
