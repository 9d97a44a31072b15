package look

import (
	"context"
	"encoding/json"
	"fmt"

	"angelpost/engine/game"
	"angelpost/engine/league"
	"angelpost/engine/match/compete"
	"angelpost/engine/store"
)

// A League is the state of a league, for people who may see all of it except its secret and its
// addresses.
type League struct {
	Row   store.League
	State *league.State    // not to be changed
	Names map[int64]string // what its players are called in it
}

// LeagueMeant returns a league by its id, its name or a part that fits no other, ignoring case;
// ErrNotFound, wrapped, if there is none.
func LeagueMeant(tx store.Tx, name string) (store.League, error) {
	return compete.LeagueMeant(tx, name)
}

// League returns a league as stored; ErrNotFound, wrapped, if there is none. Row.Visibility
// says whether anyone may see it.
func (h *Host) League(ctx context.Context, id string) (l *League, err error) {
	err = h.Store.View(ctx, func(tx store.Tx) error {
		row, err := LeagueMeant(tx, id)
		if err != nil {
			return err
		}
		l, err = h.opened(tx, row)
		return err
	})
	return l, err
}

// Leagues returns all leagues, oldest first, at most 500.
func (h *Host) Leagues(ctx context.Context) ([]*League, error) {
	return h.leaguesBy(ctx, func(tx store.Tx) ([]store.League, error) { return tx.Leagues("", compete.MaxLeagues) })
}

// LeagueIDs returns the ids of all leagues, even of those that cannot be replayed.
func (h *Host) LeagueIDs(ctx context.Context) (ids []string, err error) {
	err = h.Store.View(ctx, func(tx store.Tx) error {
		rows, err := tx.Leagues("", compete.MaxLeagues)
		for _, r := range rows {
			ids = append(ids, r.ID)
		}
		return err
	})
	return ids, err
}

// LeaguesOf returns the leagues that a player ever was in, newest first, at most 100.
func (h *Host) LeaguesOf(ctx context.Context, player int64) ([]*League, error) {
	return h.leaguesBy(ctx, func(tx store.Tx) ([]store.League, error) { return tx.LeaguesOf(player) })
}

func (h *Host) leaguesBy(ctx context.Context, of func(store.Tx) ([]store.League, error)) (out []*League, err error) {
	err = h.Store.View(ctx, func(tx store.Tx) error {
		rows, err := of(tx)
		if err != nil {
			return err
		}
		for _, row := range rows {
			l, err := h.opened(tx, row)
			if h.games.Without(row.ID, err) {
				continue
			}
			if err != nil {
				return err
			}
			out = append(out, l)
		}
		return nil
	})
	return out, err
}

func (h *Host) opened(tx store.Tx, row store.League) (*League, error) {
	state, err := h.games.League(tx, row)
	if err != nil {
		return nil, err
	}
	h.games.KeepLeague(row, state)
	ids := make([]int64, len(state.Players))
	for i, p := range state.Players {
		ids[i] = p.ID
	}
	rows, err := tx.Players(ids)
	if err != nil {
		return nil, err
	}
	return &League{Row: row, State: state, Names: h.games.NamesIn(state, func(id int64) string { return rows[id].Name })}, nil
}

// GameID returns the id of a game by its id or its name in a league, "Iron League 1.1.3";
// ErrNotFound, wrapped, if there is none.
func (h *Host) GameID(ctx context.Context, name string) (id string, err error) {
	err = h.Store.View(ctx, func(tx store.Tx) error {
		id, err = compete.GameNamed(tx, name, func(id string) (*league.State, error) {
			row, err := tx.League(id)
			if err != nil {
				return nil, err
			}
			return h.games.League(tx, row)
		})
		if err == nil && id == "" {
			err = fmt.Errorf("game %s: %w", name, store.ErrNotFound)
		}
		return err
	})
	return id, err
}

// LeagueID returns the id of a league by its id or its name, even if it cannot be replayed.
func (h *Host) LeagueID(ctx context.Context, name string) (id string, err error) {
	err = h.Store.View(ctx, func(tx store.Tx) error {
		row, err := LeagueMeant(tx, name)
		id = row.ID
		return err
	})
	return id, err
}

// LeagueLines returns a league's log as stored.
func (h *Host) LeagueLines(ctx context.Context, id string) (out []league.Line, err error) {
	err = h.Store.View(ctx, func(tx store.Tx) error {
		row, err := LeagueMeant(tx, id)
		if err != nil {
			return err
		}
		out, err = leagueLines(tx, row.ID)
		return err
	})
	return out, err
}

func leagueLines(tx store.Tx, id string) (out []league.Line, err error) {
	rows, err := tx.LeagueLog(id, 0, -1)
	if err != nil {
		return nil, err
	}
	for _, r := range rows {
		l, err := r.Parse()
		if err != nil {
			return nil, fmt.Errorf("league %s: %w", id, err)
		}
		out = append(out, l)
	}
	return out, nil
}

// VerifyLeague replays a league's stored log and compares its results with those of its stored
// games. differs has a line for each difference; others are the lines of the log whose
// divisions or tables this version would compute differently.
func (h *Host) VerifyLeague(ctx context.Context, id string) (lines int, others []int, differs []string, err error) {
	err = h.Store.View(ctx, func(tx store.Tx) error {
		row, err := LeagueMeant(tx, id)
		if err != nil {
			return err
		}
		id := row.ID
		state, err := row.Begin()
		if err != nil {
			return err
		}
		log, err := leagueLines(tx, id)
		if err != nil {
			return err
		}
		if others, err = state.Verify(log); err != nil {
			return fmt.Errorf("league %s: %w", id, err)
		}
		lines = state.Lines
		for after := ""; ; {
			games, err := tx.LeagueGames(id, after, 100)
			if err != nil {
				return err
			}
			for _, g := range games {
				if d := differsFrom(state, g); d != "" {
					differs = append(differs, d)
				}
			}
			if len(games) < 100 {
				return nil
			}
			after = games[len(games)-1].ID
		}
	})
	return lines, others, differs, err
}

// differsFrom describes how a league's result differs from its game's, "" if it does not.
func differsFrom(state *league.State, g store.Game) string {
	f := state.Of(g.ID)
	switch {
	case f == nil:
		return fmt.Sprintf("game=%s is not a game of the league's log", g.ID)
	case f.Game != g.ID || f.Void || f.Result != nil && f.Result.Ruling != "" || g.State != store.GameFinished:
		return ""
	case f.Result == nil:
		return fmt.Sprintf("game=%s has ended, but not in the league's log", g.ID)
	}
	var o game.Outcome
	if err := json.Unmarshal([]byte(g.Result), &o); err != nil {
		return fmt.Sprintf("game=%s: %v", g.ID, err)
	}
	for i, x := range f.Result.Seats {
		if i >= len(o.Scores) || o.Scores[i].Final == nil || *o.Scores[i].Final != x.Score {
			return fmt.Sprintf("game=%s seat=%d has another score than the league's log, %d", g.ID, i+1, x.Score)
		}
	}
	return ""
}
