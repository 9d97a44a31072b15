package look

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"angelpost/engine"
	"angelpost/engine/game"
	"angelpost/engine/match/replays"
	"angelpost/engine/match/unit"
	"angelpost/engine/store"
)

// An Entry is a game in the archive, as anyone may see it.
type Entry struct {
	ID, Name, State         string
	Options                 game.Options
	Steps                   int
	Started, Changed, Ended time.Time
	Ending                  string
	Private                 bool // its page needs a key; on a start page alone
	Seats                   []Seated
}

// Seated is one seat of an Entry.
type Seated struct {
	Name   string
	Player int64 // 0: a bot
	VP     int   // once finished
	Won    bool
	Left   bool           // Player was gone when it ended, voluntarily or not
	By     map[string]int // VP by source, once finished
}

// Archive returns the games that all their players have made public, newest first; more reports
// whether there are older ones. A Before that names no game gives ErrNotFound, wrapped.
func (h *Host) Archive(ctx context.Context, q store.Search) (out []Entry, more bool, err error) {
	limit := q.Limit
	q.Limit++
	err = h.Store.View(ctx, func(tx store.Tx) error {
		rows, err := tx.Archive(q)
		if err != nil {
			return err
		}
		if more = len(rows) > limit; more {
			rows = rows[:limit]
		}
		out, err = entries(tx, rows)
		return err
	})
	return out, more, err
}

// Sitemap returns the listed games that have begun, newest first, starting after game before;
// only ID and Changed are set.
func (h *Host) Sitemap(ctx context.Context, before string, limit int) (out []store.Game, err error) {
	err = h.Store.View(ctx, func(tx store.Tx) error {
		out, err = tx.Sitemap(before, limit)
		return err
	})
	return out, err
}

// SitemapPages returns every size-th game of the whole Sitemap.
func (h *Host) SitemapPages(ctx context.Context, size int) (out []string, err error) {
	err = h.Store.View(ctx, func(tx store.Tx) error {
		out, err = tx.SitemapPages(size)
		return err
	})
	return out, err
}

func entries(tx store.Tx, rows []store.Game) ([]Entry, error) {
	ids := make([]string, len(rows))
	for i, r := range rows {
		ids[i] = r.ID
	}
	seats, err := tx.SeatsOf(ids)
	if err != nil {
		return nil, err
	}
	out := make([]Entry, 0, len(rows))
	for _, r := range rows {
		e, err := entry(r, seats[r.ID])
		if err == nil { // or it is damaged, and its own page says so
			out = append(out, e)
		}
	}
	return out, nil
}

func entry(r store.Game, seats []store.Seat) (Entry, error) {
	if err := replays.Seated(r, seats); err != nil {
		return Entry{}, err
	}
	e := Entry{ID: r.ID, Name: r.Name, State: r.State, Options: r.Options, Steps: r.Steps,
		Started: r.Started, Changed: r.Changed, Ended: r.Ended, Private: r.Visibility == store.Private, Seats: make([]Seated, len(seats))}
	t := unit.Game{Row: r, Seats: seats}
	for i, name := range t.Names() {
		e.Seats[i].Name = name
	}
	for _, x := range seats {
		if x.Seat > 0 {
			e.Seats[x.Seat-1].Player = x.Player
			e.Seats[x.Seat-1].Left = x.Player != 0 && x.Bot != ""
		}
	}
	if r.Result == "" {
		return e, nil
	}
	var o game.Outcome
	if err := json.Unmarshal([]byte(r.Result), &o); err != nil {
		return e, fmt.Errorf("result of game %s: %w", r.ID, err)
	}
	e.Ending = o.Ending
	for _, s := range o.Scores {
		if s.Seat > len(e.Seats) { // Hal
			e.Seats = append(e.Seats, Seated{Name: s.Name})
		}
		if s.Seat < 1 || s.Seat > len(e.Seats) {
			return e, fmt.Errorf("result of game %s: seat %d", r.ID, s.Seat)
		}
		x := &e.Seats[s.Seat-1]
		if x.By = s.By; s.Final != nil {
			x.VP = *s.Final
		}
		x.Won = r.State != store.GameVoid && slices.Contains(o.Winners, s.Seat)
	}
	return e, nil
}

// CareerGames bounds the games from which a Career is computed.
const CareerGames = 300

// A Career is what anyone may know about a player: their listed games, computed from the newest
// CareerGames of them.
type Career struct {
	Player   int64
	Name     string // in their newest game
	Running  int
	Finished int
	Won      int
	By       [engine.Sources]float64 // mean VP of a finished game
	VP       float64                 // its sum
	Days     float64                 // a finished game took, mean
	Lines    float64                 // of its log, mean
}

// Career computes a player's career. A player without a listed game who was in no listed league
// gives ErrNotFound.
func (h *Host) Career(ctx context.Context, player int64) (*Career, error) {
	all, _, err := h.Archive(ctx, store.Search{Player: player, Limit: CareerGames})
	if err != nil {
		return nil, err
	}
	c := &Career{Player: player}
	if player != 0 && len(all) == 0 {
		leagues, err := h.ListedLeaguesOf(ctx, player)
		if err != nil {
			return nil, err
		}
		if len(leagues) > 0 {
			err = h.Store.View(ctx, func(tx store.Tx) error {
				names, err := h.playerNames(tx, leagues[0].State)
				c.Name = names[player]
				return err
			})
		}
		if err != nil {
			return nil, err
		}
	}
	if player == 0 || len(all) == 0 && c.Name == "" {
		return nil, fmt.Errorf("player %d: %w", player, store.ErrNotFound)
	}
	for _, e := range all {
		i := slices.IndexFunc(e.Seats, func(s Seated) bool { return s.Player == player })
		if i < 0 {
			continue
		}
		s := &e.Seats[i]
		if c.Name == "" {
			c.Name = s.Name
		}
		switch e.State {
		case store.GameRunning:
			c.Running++
		case store.GameFinished:
			c.Finished++
			if s.Won && !s.Left {
				c.Won++
			}
			for k := range engine.Sources {
				c.By[k] += float64(s.By[k.String()])
			}
			c.VP += float64(s.VP)
			c.Days += e.Ended.Sub(e.Started).Hours() / 24
			c.Lines += float64(e.Steps)
		}
	}
	if n := float64(c.Finished); n > 0 {
		for k := range c.By {
			c.By[k] /= n
		}
		c.VP, c.Days, c.Lines = c.VP/n, c.Days/n, c.Lines/n
	}
	return c, nil
}
