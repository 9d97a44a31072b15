package match

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"angelpost/engine/game"
	"angelpost/engine/league"
	"angelpost/engine/notice"
	"angelpost/engine/order"
	"angelpost/engine/store"
)

// A League is a league as it stands, for people who may see all of it but its
// secret and its addresses.
type League struct {
	Row   store.League
	State *league.State    // not to be changed
	Names map[int64]string // what its players are called in it
}

// leagueRow is a league by its id or its name, in whatever case; ErrNotFound, wrapped,
// if there is none.
func leagueRow(tx store.Tx, name string) (store.League, error) {
	row, err := tx.League(name)
	if id := leagueID(name); errors.Is(err, store.ErrNotFound) && id != "" && id != name {
		return tx.League(id)
	}
	return row, err
}

// contestNamed is league by id or name.
func (s *unit) contestNamed(name string) (*leagueUnit, error) {
	row, err := leagueRow(s.tx, name)
	if err != nil {
		return nil, fmt.Errorf("league %s: %w", name, err)
	}
	return s.league(row.ID)
}

// League is a league as it is stored; ErrNotFound, wrapped, if there is none.
// Whether anybody may see it says Row.Visibility.
func (h *Host) League(ctx context.Context, id string) (l *League, err error) {
	err = h.Store.View(ctx, func(tx store.Tx) error {
		row, err := leagueRow(tx, id)
		if err != nil {
			return err
		}
		l, err = h.opened(tx, row)
		return err
	})
	return l, err
}

// Leagues are all leagues, the oldest first, at most 500.
func (h *Host) Leagues(ctx context.Context) ([]*League, error) {
	return h.leaguesBy(ctx, func(tx store.Tx) ([]store.League, error) { return tx.Leagues("", maxLeagues) })
}

// LeagueIDs are the ids of all leagues, whether they can be replayed or not.
func (h *Host) LeagueIDs(ctx context.Context) (ids []string, err error) {
	err = h.Store.View(ctx, func(tx store.Tx) error {
		rows, err := tx.Leagues("", maxLeagues)
		for _, r := range rows {
			ids = append(ids, r.ID)
		}
		return err
	})
	return ids, err
}

// LeaguesOf are the leagues that a player ever was in, the youngest first, at
// most 100.
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
			if h.games.without(row.ID, err) {
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
	state, err := h.games.league(tx, row)
	if err != nil {
		return nil, err
	}
	h.games.keepLeague(row.ID, state)
	ids := make([]int64, len(state.Players))
	for i, p := range state.Players {
		ids[i] = p.ID
	}
	rows, err := tx.Players(ids)
	if err != nil {
		return nil, err
	}
	return &League{Row: row, State: state, Names: h.games.namesIn(state, func(id int64) string { return rows[id].Name })}, nil
}

// LeagueID is the id of a league by that or its name, though it cannot be replayed.
func (h *Host) LeagueID(ctx context.Context, name string) (id string, err error) {
	err = h.Store.View(ctx, func(tx store.Tx) error {
		row, err := leagueRow(tx, name)
		id = row.ID
		return err
	})
	return id, err
}

// LeagueLines are a league's log as it is stored.
func (h *Host) LeagueLines(ctx context.Context, id string) (out []league.Line, err error) {
	err = h.Store.View(ctx, func(tx store.Tx) error {
		row, err := leagueRow(tx, id)
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

// A LeagueProblem is why a league could not be made or changed.
type LeagueProblem struct {
	*notice.Problem
	Whom string // address of the player whom that is about, as it was given; ""
}

func (p LeagueProblem) Error() string { return p.Code + ": " + p.Args["word"] + p.Args["league"] }

// NewLeague makes a league of a file, as the host. What is wrong with the file is
// a league.FileErrors or a LeagueProblem, wrapped.
func (d *Desk) NewLeague(ctx context.Context, file string) (id string, err error) {
	if _, err := league.ParseRules(file); err != nil {
		return "", err
	}
	return id, d.leagues(ctx, func(s *unit) error {
		c, err := s.makeLeague(file, nil)
		if c != nil {
			id = c.row.ID
		}
		return err
	})
}

// AmendLeague gives a league another file from its next season on, as the host. Its
// name and kind stay.
func (d *Desk) AmendLeague(ctx context.Context, id, file string) error {
	if _, err := league.ParseRules(file); err != nil {
		return err
	}
	return d.leagues(ctx, func(s *unit) error {
		c, err := s.contestNamed(id)
		if err != nil {
			return err
		}
		_, err = s.amendLeague(c, file, nil)
		return err
	})
}

// JoinLeague takes a player into a league as the host, even if its file does not let
// them in, and tells them.
func (d *Desk) JoinLeague(ctx context.Context, id, address, name string) error {
	return d.leaguesOf(ctx, address, func(s *unit) error {
		c, err := s.contestNamed(id)
		if err != nil {
			return err
		}
		player, err := s.guest(nil, address)
		if err != nil {
			return err
		}
		x := s.players[player]
		if in := c.state.Player(player); in != nil && in.In() {
			return c.problem(notice.ProblemMember)
		}
		draft := s.draftFor(player, nil, notice.KindInfo)
		if err := s.joinLeague(c, x, name, "", draft); err != nil {
			return err
		}
		if !x.Registered {
			draft.say(notice.TellNever)
		}
		return nil
	})
}

// LeaveLeague takes a player out of a league as the host, and tells them.
func (d *Desk) LeaveLeague(ctx context.Context, id, address string) error {
	return d.leagueWordOf(ctx, address, order.Word{Kind: order.LeaveLeague, Name: id})
}

// SubstituteLeague records that a player is, or no longer is, ready to take over seats
// of a league.
func (d *Desk) SubstituteLeague(ctx context.Context, id, address string, no bool) error {
	w := order.Word{Kind: order.Substitute, Name: id}
	if no {
		w.Arg = "no"
	}
	return d.leagueWordOf(ctx, address, w)
}

// leagueWordOf does what a player could have written.
func (d *Desk) leagueWordOf(ctx context.Context, address string, w order.Word) error {
	return d.leaguesOf(ctx, address, func(s *unit) error {
		c, err := s.contestNamed(w.Name)
		if err != nil {
			return err
		}
		w.Name = c.row.ID
		row := s.address(s.Address(address))
		if row.Player == 0 {
			return c.problem(notice.ProblemNoMember)
		}
		p := s.player(row.Player)
		draft := s.draftFor(p.ID, nil, notice.KindInfo)
		return s.leagueDo(p, w, "", draft)
	})
}

// AnnounceLeague tells all players of a league something, as the host.
func (d *Desk) AnnounceLeague(ctx context.Context, id, text string) error {
	return d.leagues(ctx, func(s *unit) error {
		c, err := s.contestNamed(id)
		if err != nil {
			return err
		}
		return s.announce(c, nil, text, nil)
	})
}

// leagues does something with leagues, as the host, in one transaction; a problem
// undoes it.
func (d *Desk) leagues(ctx context.Context, f func(*unit) error) error {
	return d.leaguesOf(ctx, "", f)
}

// leaguesOf is leagues for what concerns the player of an address.
func (d *Desk) leaguesOf(ctx context.Context, address string, f func(*unit) error) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.update(ctx, func(s *unit) error {
		s.byHost = true
		err := f(s)
		if p := notice.AsProblem(err); p != nil {
			return LeagueProblem{p, address}
		}
		if err != nil {
			return err
		}
		return s.close()
	})
}

// VerifyLeague replays a league's stored log and compares its results with those
// of its stored games. What differs is told, a line each; others are the lines of
// the log whose divisions or tables this version would make otherwise.
func (h *Host) VerifyLeague(ctx context.Context, id string) (lines int, others []int, differs []string, err error) {
	err = h.Store.View(ctx, func(tx store.Tx) error {
		row, err := leagueRow(tx, id)
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

// differsFrom tells how a league's result differs from its game's, "" if it does
// not.
func differsFrom(state *league.State, g store.Game) string {
	f := state.Of(g.ID)
	switch {
	case f == nil:
		return fmt.Sprintf("game=%s is no game of the league's log", g.ID)
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
