package look

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"angelpost/engine/game"
	"angelpost/engine/league"
	"angelpost/engine/match/compete"
	"angelpost/engine/store"
)

// The public view of a league, for pages and their data. It has names and numbers of players,
// never an address.

// A LeagueInfo is a league without its log.
type LeagueInfo struct {
	ID, Name   string
	Listed     bool // anyone may find it
	Over       bool // no season comes any more
	Lines      int
	Created    time.Time
	Changed    time.Time
	Rules      *league.Rules // without addresses
	Commitment string        // hex SHA-256 of the league's seed
	Directors  []string      // names, "" where unknown; none: the host directs it
}

// A LeagueView is a league as anyone may see it.
type LeagueView struct {
	LeagueInfo
	State *league.State        // not to be changed
	Names map[int64]string     // of all who ever were in it; in a list of leagues, of its leaders
	Games map[string]GamePulse // those that the caller asks for
	host  *Host
}

// maxRanked is how many tables of divisions a Host keeps; one is about 100 KB.
const maxRanked = 128

// A rankedKey identifies a division's table at a length of its league's log.
type rankedKey struct {
	league                  string
	lines, season, division int
}

// Standings returns a division's table (league.State.Standings), cached until the league
// changes. Callers must not change it.
func (l *LeagueView) Standings(season, division int) []league.Standing {
	if l.host == nil {
		return l.State.Standings(season, division)
	}
	key := rankedKey{l.ID, l.State.Lines, season, division}
	h := l.host
	h.mu.Lock()
	rows, ok := h.ranked[key]
	h.mu.Unlock()
	if ok {
		return rows
	}
	rows = l.State.Standings(season, division)
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.ranked == nil || len(h.ranked) >= maxRanked {
		h.ranked = map[rankedKey][]league.Standing{}
	}
	h.ranked[key] = rows
	return rows
}

// A GamePulse says how far a game of a league is.
type GamePulse struct {
	State     string
	Shown     bool // it has a public page
	Steps     int
	Changed   time.Time
	Deadlines []game.Until // of players to move, by seat, if it has a clock
	Paused    bool
}

// LookLeague returns a league that anyone may see, with the games that want names. A private
// one gives ErrNotFound, like one that is not there.
func (h *Host) LookLeague(ctx context.Context, id string, want func(*league.State) []string) (l *LeagueView, err error) {
	err = h.Store.View(ctx, func(tx store.Tx) error {
		row, err := compete.LeagueRow(tx, id)
		if err != nil {
			return err
		}
		if row.Visibility == store.Private {
			return fmt.Errorf("league %s is private: %w", id, store.ErrNotFound)
		}
		if l, err = h.leagueLook(tx, row); err != nil || want == nil {
			return err
		}
		if l.Names, err = h.playerNames(tx, l.State); err != nil {
			return err
		}
		if l.Games, err = pulses(tx, want(l.State)); err != nil {
			return err
		}
		l.Directors, err = h.directors(tx, row)
		return err
	})
	return l, err
}

// ListedLeagues returns the leagues that anyone may find, newest first: those that are over, or
// those that are not. If before is set, only older ones.
func (h *Host) ListedLeagues(ctx context.Context, over bool, before string, limit int) (out []*LeagueView, more bool, err error) {
	err = h.Store.View(ctx, func(tx store.Tx) error {
		rows, err := tx.ListedLeagues(over, before, limit+1)
		if err != nil {
			return err
		}
		if more = len(rows) > limit; more {
			rows = rows[:limit]
		}
		if out, err = h.leagueLooks(tx, rows); err != nil {
			return err
		}
		for _, l := range out {
			var ids []int64
			for _, r := range l.Leaders() {
				ids = append(ids, r.Player)
			}
			rows, err := tx.Players(ids)
			if err != nil {
				return err
			}
			l.Names = h.games.NamesIn(l.State, func(id int64) string { return rows[id].Name })
		}
		return nil
	})
	return out, more, err
}

// leaders is how many players a list of leagues names of each.
const leaders = 3

// Leaders returns the first players of the season's first division; none before a game of it is
// over.
func (l *LeagueView) Leaders() []league.Standing {
	x := l.State.Season()
	if x == nil || len(x.Divisions) == 0 || !slices.ContainsFunc(x.Divisions[0].Fixtures, (*league.Fixture).Over) {
		return nil
	}
	rows := l.Standings(x.N, x.Divisions[0].N)
	return rows[:min(len(rows), leaders)]
}

// ListedLeaguesOf returns the listed leagues in which a player is or was, newest first.
func (h *Host) ListedLeaguesOf(ctx context.Context, player int64) (out []*LeagueView, err error) {
	err = h.Store.View(ctx, func(tx store.Tx) error {
		rows, err := tx.LeaguesOf(player)
		if err != nil {
			return err
		}
		out, err = h.leagueLooks(tx, slices.DeleteFunc(rows, func(r store.League) bool { return r.Visibility != store.Listed }))
		return err
	})
	return out, err
}

// leagueLook returns a league of the transaction, without its players' names.
func (h *Host) leagueLook(tx store.Tx, row store.League) (*LeagueView, error) {
	s, err := h.games.League(tx, row)
	if err != nil {
		return nil, err
	}
	h.games.KeepLeague(row, s)
	open := *s.For(0)
	open.Rules, open.Seasons = openRules(s.Rules), slices.Clone(open.Seasons)
	for i := range open.Seasons {
		open.Seasons[i].Rules = openRules(open.Seasons[i].Rules)
	}
	l := &LeagueView{host: h, State: &open, LeagueInfo: LeagueInfo{ID: row.ID, Name: row.Name, Listed: row.Visibility == store.Listed, Over: row.Over, Lines: row.Lines,
		Created: row.Created, Changed: row.Changed, Rules: open.Rules, Commitment: row.Commitment()}}
	return l, nil
}

// openRules returns a league's rules without addresses.
func openRules(r *league.Rules) *league.Rules {
	open := *r
	open.Directors, open.Admitted = nil, nil
	return &open
}

func (h *Host) leagueLooks(tx store.Tx, rows []store.League) (out []*LeagueView, err error) {
	for _, r := range rows {
		l, err := h.leagueLook(tx, r)
		if h.games.Without(r.ID, err) {
			continue
		}
		if err != nil {
			return nil, err
		}
		out = append(out, l)
	}
	return out, nil
}

// playerNames returns the names that a league has for its players, and for all others who
// played on one of their seats or ruled.
func (h *Host) playerNames(tx store.Tx, s *league.State) (map[int64]string, error) {
	var ids, others []int64
	for _, p := range s.Players {
		ids = append(ids, p.ID)
	}
	note := func(id int64) {
		if id > 0 && s.Player(id) == nil {
			others = append(others, id)
		}
	}
	for _, f := range s.Fixtures {
		if f.Result == nil {
			continue
		}
		for _, x := range f.Result.Seats {
			for _, p := range x.Parts {
				note(p.Player)
			}
		}
	}
	for _, l := range s.Rulings {
		note(l.By)
	}
	for _, l := range s.Said {
		note(l.By)
	}
	rows, err := tx.Players(append(ids, others...))
	names := h.games.NamesIn(s, func(id int64) string { return rows[id].Name })
	for _, id := range others {
		names[id] = rows[id].Name
	}
	return names, err
}

// directors returns the names of a league's directors, whose addresses are in its file.
func (h *Host) directors(tx store.Tx, row store.League) (names []string, err error) {
	s, err := h.games.League(tx, row)
	if err != nil {
		return nil, err
	}
	for _, address := range s.Rules.Directors {
		name := ""
		a, err := tx.Address(address)
		if err == nil && a.Player != 0 {
			var p store.Player
			p, err = tx.Player(a.Player)
			name = p.Name
		}
		if err != nil && !errors.Is(err, store.ErrNotFound) {
			return nil, err
		}
		names = append(names, name)
	}
	return names, nil
}

// pulses returns how far games are.
func pulses(tx store.Tx, ids []string) (map[string]GamePulse, error) {
	rows, err := tx.Games(ids)
	if err != nil {
		return nil, err
	}
	var run []string
	for _, r := range rows {
		if r.State == store.GameRunning {
			run = append(run, r.ID)
		}
	}
	seats, err := tx.SeatsOf(run)
	out := make(map[string]GamePulse, len(rows))
	for _, r := range rows {
		i := info(r, seats[r.ID])
		out[r.ID] = GamePulse{State: r.State, Shown: r.Visibility != store.Private && !r.Sealed, Steps: r.Steps, Changed: r.Changed, Deadlines: i.Deadlines, Paused: i.Paused}
	}
	return out, err
}

// LeagueLog returns lines of the log of a league that anyone may see, starting after line
// after, without addresses; more reports whether there are others. It ends before a result that
// players don't know yet (league.State.For).
func (h *Host) LeagueLog(ctx context.Context, id string, after, limit int) (out []league.Line, more bool, err error) {
	err = h.Store.View(ctx, func(tx store.Tx) error {
		row, err := tx.League(id)
		if err == nil && row.Visibility == store.Private {
			err = fmt.Errorf("league %s is private: %w", id, store.ErrNotFound)
		}
		if err != nil {
			return err
		}
		rows, err := tx.LeagueLog(id, after, limit+1)
		if err != nil {
			return err
		}
		if more = len(rows) > limit; more {
			rows = rows[:limit]
		}
		state, err := h.games.League(tx, row)
		if err != nil {
			return err
		}
		for _, r := range rows {
			l, err := r.Parse()
			if err != nil {
				return err
			}
			if l.Kind == league.Amend {
				rules, err := league.ParseRules(l.Text)
				if err != nil {
					return fmt.Errorf("league %s, line %d: %w", id, l.N, err)
				}
				l.Text = openRules(rules).String()
			}
			out = append(out, l)
		}
		if open := state.For(0).Open(out); len(open) < len(out) {
			out, more = open, false
		}
		return nil
	})
	return out, more, err
}

// A LeaguePlace is where in a league a game belongs.
type LeaguePlace struct {
	League, Name            string
	Kind                    league.Kind
	Season, Division, Round int
	Fixture                 int
}

// leaguePlace returns a game's place in its league, nil if it has no league that anyone may
// see.
func (h *Host) leaguePlace(tx store.Tx, row store.Game) (*LeaguePlace, error) {
	if row.League == "" {
		return nil, nil
	}
	l, err := tx.League(row.League)
	if err != nil || l.Visibility == store.Private {
		return nil, err
	}
	s, err := h.games.League(tx, l)
	if h.games.Without(l.ID, err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	h.games.KeepLeague(l, s)
	f := s.Of(row.ID)
	if f == nil {
		return nil, nil
	}
	return &LeaguePlace{League: l.ID, Name: l.Name, Kind: s.Rules.Kind, Season: f.Season, Division: f.Division, Round: f.Round, Fixture: f.ID}, nil
}
