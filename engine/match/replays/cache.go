// Package replays replays stored games and leagues, caches those used last, and turns a queued
// notice.Message into the input of its renderer. A game that cannot be read or does not replay
// gives an ErrUnreadable, even after a panic of its reader: no stored game can stop the server.
package replays

import (
	"fmt"
	"log/slog"
	"sync"
	"time"

	"angelpost/engine"
	"angelpost/engine/component"
	"angelpost/engine/game"
	"angelpost/engine/league"
	"angelpost/engine/match/naming"
	"angelpost/engine/store"
)

// hostKeeps is how many replayed games a Host keeps; one is about 100 KB.
const hostKeeps = 64

// A Config is what a cache needs. All but Chance must be there.
type Config struct {
	Sets        map[string]*component.Set // by name
	Now         func() time.Time
	Namer       *naming.Namer
	StorageDown func(error) bool // reports whether an error is the machine's, as when the disk is full
	Log         *slog.Logger
	Chance      func(seed [32]byte, message string) engine.Random // Config.Chance
}

// A Cache replays stored games and leagues, and keeps those used last. Its results are shared:
// copy them before you change them. It is safe for concurrent use.
type Cache struct {
	Config
	mu    sync.Mutex
	games map[string]*game.Replay // by id, as of their length
	used  []string                // ids, least recently used first

	leagues   map[string]*league.State // by store.League.Key, as of their length
	registers map[string]Register      // by store.League.Key

	spoiltDay string          // the last on which a game could not be read
	spoilt    map[string]bool // games that the host has had a letter about on that day
}

// New returns an empty cache.
func New(c Config) *Cache {
	return &Cache{Config: c, games: map[string]*game.Replay{}}
}

// ChanceOf returns the source of chance of a stored game.
func (c *Cache) ChanceOf(h game.Header) game.Chance {
	if c.Chance == nil {
		return h.Chance
	}
	return func() engine.Random { return c.Chance(h.Seed, h.Message()) }
}

// Keep caches a game that is committed. It must not change any more.
func (h *Cache) Keep(id string, p *game.Replay) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if old := h.games[id]; old != nil && old.Step() > p.Step() {
		return
	}
	h.games[id] = p
	for i, u := range h.used {
		if u == id {
			h.used = append(h.used[:i], h.used[i+1:]...)
			break
		}
	}
	h.used = append(h.used, id)
	if len(h.used) > hostKeeps {
		delete(h.games, h.used[0])
		h.used = h.used[1:]
	}
}

func (h *Cache) kept(id string) *game.Replay {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.games[id]
}

// Replay replays a started game to the end of its log as the transaction sees
// it. The result is shared and must be copied before it goes on.
func (h *Cache) Replay(tx store.Tx, row store.Game, seats []store.Seat) (p *game.Replay, err error) {
	err = h.Reading(row.ID, func() error {
		if err := Seated(row, seats); err != nil {
			return err
		}
		p, err = h.replayed(tx, row, seats)
		return err
	})
	return p, err
}

func (h *Cache) replayed(tx store.Tx, row store.Game, seats []store.Seat) (*game.Replay, error) {
	p := h.kept(row.ID)
	if p != nil && p.Step() == row.Steps {
		return p, nil
	}
	if p != nil && p.Step() < row.Steps { // the game went on: catch up
		p = p.Copy()
	} else {
		set, err := h.SetOf(row)
		if err != nil {
			return nil, fmt.Errorf("game %s: %w", row.ID, err)
		}
		head, err := Header(row, seats)
		if err != nil {
			return nil, err
		}
		if p, err = game.NewReplay(set, row.Options, h.ChanceOf(head)); err != nil {
			return nil, fmt.Errorf("game %s: %w", row.ID, err)
		}
	}
	lines, err := tx.Log(row.ID, p.Step())
	if err != nil {
		return nil, err
	}
	for i, l := range lines {
		if l.N != p.Step()+i+1 {
			return nil, fmt.Errorf("game %s: the stored log has line %d in place of line %d", row.ID, l.N, p.Step()+i+1)
		}
	}
	if err := p.ReplayAll(lines, len(lines)); err != nil {
		return nil, fmt.Errorf("game %s: the stored log does not replay: %w", row.ID, err)
	}
	if p.Step() != row.Steps {
		return nil, fmt.Errorf("game %s: the stored log has %d lines of %d", row.ID, p.Step(), row.Steps)
	}
	return p, nil
}

// Header returns what a record says of a stored game besides its log.
func Header(row store.Game, seats []store.Seat) (game.Header, error) {
	seed, err := game.ParseSeed(row.Seed)
	if err != nil {
		return game.Header{}, fmt.Errorf("game %s: %w", row.ID, err)
	}
	h := game.Header{Game: row.ID, Options: row.Options, Seed: seed, Names: make([]string, len(seats))}
	if row.Mixed {
		h.Invited = make([]int, len(seats))
	}
	for i, x := range seats { // by place: invitation order
		at := i
		if x.Seat > 0 {
			at = x.Seat - 1
		}
		h.Names[at] = x.Name
		if row.Mixed {
			h.Entropy = append(h.Entropy, x.Entropy)
			h.Invited[at] = x.Place
		}
	}
	return h, nil
}

// Holders returns the seats of a game in the form that Replay's parts need.
func Holders(seats []store.Seat) []game.Holder {
	out := make([]game.Holder, len(seats))
	for i, x := range seats {
		out[i] = game.Holder{Seat: x.Seat, Place: x.Place, Player: x.Player, Name: x.Name}
	}
	return out
}
