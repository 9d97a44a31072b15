package replays

import (
	"errors"
	"fmt"

	"angelpost/engine/league"
	"angelpost/engine/store"
)

// leaguesKept is how many leagues a cache keeps replayed; one of 2,000 players is
// a few MB.
const leaguesKept = 500

// Without reports whether an error is about one league only. Then the caller skips that league,
// and the server's log says so.
func (c *Cache) Without(league string, err error) bool {
	if !errors.Is(err, store.ErrLeague) {
		return false
	}
	c.Log.Error("a league is passed over", "league", league, "err", err)
	return true
}

// League replays a league as the transaction sees it. The result is shared and
// must be cloned before anything is added.
func (h *Cache) League(tx store.Tx, row store.League) (*league.State, error) {
	h.mu.Lock()
	known := h.leagues[row.Key()]
	h.mu.Unlock()
	if known != nil && known.Lines == row.Lines {
		return known, nil
	}
	state, after := known, 0
	if known != nil && known.Lines < row.Lines { // the log has grown since
		state, after = known.Clone(), known.Lines
	} else {
		var err error
		if state, err = row.Begin(); err != nil {
			return nil, err
		}
	}
	lines, err := tx.LeagueLog(row.ID, after, -1)
	if err != nil {
		return nil, err
	}
	for _, l := range lines {
		line, err := l.Parse()
		if err != nil {
			return nil, fmt.Errorf("league %s: %w: %w", row.ID, store.ErrLeague, err)
		}
		if err := state.Add(line); err != nil {
			return nil, fmt.Errorf("league %s: the stored log does not replay: %w: %w", row.ID, store.ErrLeague, err)
		}
	}
	return state, nil
}

// KeepLeague caches the state of a league that is committed. It must not change any more.
func (h *Cache) KeepLeague(row store.League, state *league.State) {
	id := row.Key()
	h.mu.Lock()
	defer h.mu.Unlock()
	if old := h.leagues[id]; old != nil && old.Lines > state.Lines {
		return
	}
	if h.leagues == nil || len(h.leagues) >= leaguesKept && h.leagues[id] == nil {
		h.leagues = map[string]*league.State{}
	}
	h.leagues[id] = state
}

// DropLeagues drops the cached state of all leagues, because their rows have changed, and not
// by lines of their logs.
func (h *Cache) DropLeagues() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.leagues = nil
}
