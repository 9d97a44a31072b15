package match

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"angelpost/engine/league"
	"angelpost/engine/store"
)

// A league is its file, its secret and its log (engine/league). The desk adds
// lines to the log, in the transaction in which what they say happens, and does
// what they make due: it begins games as long as their players have room, and
// seasons when the calendar says so.
//
// Dates of a calendar are days, which no time without the server moves: a season
// that should have begun meanwhile begins when the server is back, and all that
// follows from its beginning is so much later. But neither that nor a clock that
// is set makes it begin at once: it waits as long again as the gap was, a day at
// most, in which a wrong clock can be mended (hold).

// Bounds of leagues.
const (
	maxLeagues   = 500 // on one server
	maxMade      = 3   // by one director a day
	maxAnnounced = 3   // of one league a day
	maxComeAndGo = 6   // words a day with which a player joins or leaves one, or is its substitute
	maxTogetherL = 20  // games of a league that begin in one transaction
	maxActs      = 10_000
)

// A leagueUnit is a league in a unit of work.
type leagueUnit struct {
	row   store.League
	state *league.State
	own   bool          // the state is this transaction's alone
	lines []league.Line // added in it
	moved bool          // what falls due may be something else by now

	names  register                     // of its players, once they are asked for
	ranked map[[3]int][]league.Standing // by length of the log, season and division
	guests map[[3]int][]league.Standing // the same
}

func (c *leagueUnit) rules() *league.Rules { return c.state.Rules }

// league loads a league once.
func (s *unit) league(id string) (*leagueUnit, error) {
	for _, c := range s.contests {
		if c.row.ID == id {
			return c, nil
		}
	}
	row, err := s.tx.League(id)
	if err != nil {
		return nil, fmt.Errorf("league %s: %w", id, err)
	}
	c := &leagueUnit{row: row}
	if c.state, err = s.cache.league(s.tx, row); err != nil {
		return nil, err
	}
	s.contests = append(s.contests, c)
	return c, nil
}

// enter adds a line to a league's log. An error is about a line that cannot be;
// nothing has changed then.
func (s *unit) enter(c *leagueUnit, l league.Line) error {
	if !c.own {
		c.state, c.own = c.state.Clone(), true
	}
	l.N, l.At = c.state.Lines+1, s.now
	if err := c.state.Add(l); err != nil {
		return fmt.Errorf("league %s: %w", c.row.ID, err)
	}
	c.lines, c.moved = append(c.lines, l), true
	return nil
}

// appendOrLog is enter for lines that no letter asks for: a line it cannot enter goes
// to the server's log, and holds up nothing else.
func (s *unit) appendOrLog(c *leagueUnit, l league.Line) bool {
	err := s.enter(c, l)
	if err != nil {
		s.Log.Error("a league cannot go on", "league", c.row.ID, "err", err)
	}
	return err == nil
}

// closeLeagues writes the leagues' new lines.
func (s *unit) closeLeagues() error {
	for _, c := range s.contests {
		if len(c.lines) == 0 {
			continue
		}
		rows := make([]store.LeagueLine, len(c.lines))
		for i, l := range c.lines {
			var err error
			if rows[i], err = storedLine(l); err != nil {
				return err
			}
		}
		s.check(s.tx.AppendLeague(c.row.ID, rows))
		c.row.Lines, c.row.Changed = c.state.Lines, s.now
		c.lines = nil
		s.check(s.tx.SaveLeague(c.row))
	}
	return nil
}

// lineArgs is a line's JSON without what is stored beside it.
type lineArgs struct {
	league.Line
	N    *int       `json:"n,omitempty"`
	At   *time.Time `json:"at,omitempty"`
	By   *int64     `json:"by,omitempty"`
	Kind *string    `json:"kind,omitempty"`
}

func storedLine(l league.Line) (store.LeagueLine, error) {
	args, err := json.Marshal(lineArgs{Line: l})
	if err != nil {
		return store.LeagueLine{}, fmt.Errorf("line %d of a league: %w", l.N, err)
	}
	return store.LeagueLine{N: l.N, At: l.At, By: l.By, Kind: l.Kind, Args: string(args)}, nil
}

// leaguesKept is how many leagues a cache keeps replayed; one of 2,000 players is
// a few MB.
const leaguesKept = 500

// without reports whether an error is about one league only, which is then passed
// over and the log of the server says so.
func (c *cache) without(league string, err error) bool {
	if !errors.Is(err, store.ErrLeague) {
		return false
	}
	c.Log.Error("a league is passed over", "league", league, "err", err)
	return true
}

// league replays a league as the transaction sees it. The result is shared and
// must be cloned before anything is added.
func (h *cache) league(tx store.Tx, row store.League) (*league.State, error) {
	h.mu.Lock()
	known := h.leagues[row.ID]
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

// keepLeague remembers the state of a league that is committed. It must not be
// changed any more.
func (h *cache) keepLeague(id string, state *league.State) {
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

// advanceLeague does what is due in a league, as far as one transaction goes: the rest
// is a row that falls due at once.
func (s *unit) advanceLeague(c *leagueUnit) error {
	hold, err := s.hold(c)
	if err != nil {
		return err
	}
	begun, again := 0, time.Time{}
	for range maxActs {
		acts, next := c.state.Due(s.now)
		done := false
		for _, a := range acts {
			switch {
			case calendar(a) && !hold.IsZero():
				again = hold
				continue
			case a.Line.Kind == league.Begun && begun == maxTogetherL:
				again = s.now
				continue
			case a.Line.Kind == league.Begun:
				begun++
			}
			ok, err := s.act(c, a)
			switch {
			case err != nil:
				return err
			case !ok: // a set that is not there, say: later, perhaps
				again = s.now.Add(time.Hour)
				continue
			}
			done = true
		}
		if done && again.IsZero() {
			continue
		}
		if again.IsZero() || !next.IsZero() && next.Before(again) {
			again = next
		}
		break
	}
	c.moved = false
	if err := s.roundsOver(c); err != nil {
		return err
	}
	s.check(s.tx.ClearDue(store.DueLeague, c.row.ID, 0))
	if again.IsZero() {
		return nil
	}
	s.check(s.tx.AddDue(&store.Due{At: again, Kind: store.DueLeague, Game: c.row.ID, Step: held(again.Equal(hold))}))
	return nil
}

// calendar reports whether an act is one of the calendar's.
func calendar(a league.Act) bool {
	return a.Line.Kind == league.Begin || a.Line.Kind == league.NextRound
}

// held is DueRow.Step of a row of a league.
func held(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

// hold is up to when nothing of the calendar may be done; zero: it may.
func (s *unit) hold(c *leagueUnit) (time.Time, error) {
	rows, err := s.tx.DuesOf(store.DueLeague, c.row.ID)
	for _, r := range rows {
		if r.Step == held(true) && r.At.After(s.now) {
			return r.At, err
		}
	}
	return time.Time{}, err
}

// leagueDue does what a day of the calendar brings.
func (s *unit) leagueDue(row store.Due) error {
	c, err := s.league(row.Game)
	if err != nil {
		return err
	}
	return s.advanceLeague(c)
}

// leaguePutOff sees to a league whose row was moved because the server was away,
// or its clock set: its days stay what they were.
func (s *unit) leaguePutOff(row store.Due, by time.Duration) error {
	c, err := s.league(row.Game)
	if err != nil {
		return err
	}
	s.check(s.tx.ClearDue(store.DueLeague, row.Game, 0))
	acts, next := c.state.Due(s.now)
	again := store.Due{At: next, Kind: store.DueLeague, Game: row.Game}
	before, _ := c.state.Due(s.now.Add(-by))
	switch {
	case by > 0 && slices.ContainsFunc(acts, calendar) && !slices.ContainsFunc(before, calendar):
		again.At, again.Step = s.now.Add(min(by, 24*time.Hour)), held(true)
	case len(acts) > 0:
		again.At = s.now
	}
	if again.At.IsZero() {
		return nil
	}
	s.check(s.tx.AddDue(&again))
	return nil
}

// act does one thing that is due in a league; false: it cannot be done now.
func (s *unit) act(c *leagueUnit, a league.Act) (bool, error) {
	switch a.Line.Kind {
	case league.Begun:
		return s.beginFixture(c, a)
	case league.Forfeit:
		return s.placeLost(c, a.Line)
	case league.Begin:
		if !s.appendOrLog(c, a.Line) {
			return false, nil
		}
		if _, rounds := c.state.NextRound(); rounds { // it is told with its first
			return true, nil
		}
		s.tellSeason(c)
		return true, nil
	case league.NextRound:
		if !s.appendOrLog(c, a.Line) {
			return false, nil
		}
		if c.state.Season().Round == 1 {
			s.tellSeason(c)
			return true, nil
		}
		s.tellAside(c)
		return true, nil
	case league.End:
		if !s.appendOrLog(c, a.Line) {
			return false, nil
		}
		if err := s.roundsOver(c); err != nil { // before its end is told
			return false, err
		}
		r := c.rules()
		c.row.Over = r.Seasons > 0 && len(c.state.Seasons) >= r.Seasons
		s.tellSeasonEnd(c)
		return true, nil
	}
	return s.appendOrLog(c, a.Line), nil
}
