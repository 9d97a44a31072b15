package unit

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"angelpost/engine/league"
	"angelpost/engine/match/replays"
	"angelpost/engine/store"
)

// A League is a league in a unit of work.
type League struct {
	Row    store.League
	State  *league.State
	own    bool          // the state is this transaction's alone
	was    *league.State // before the transaction's first line
	alters bool          // a line of it may change results that players know: a ruling, or a player who comes or goes
	lines  []league.Line // added in it
	Moved  bool          // what falls due may be something else by now

	names  replays.Register             // of its players, loaded at first use
	ranked map[[3]int][]league.Standing // by length of the log, season and division
	guests map[[3]int][]league.Standing // the same
}

// Rules returns the rules of the league's present file.
func (c *League) Rules() *league.Rules { return c.State.Rules }

// League loads a league once.
func (u *Unit) League(id string) (*League, error) {
	for _, c := range u.Leagues {
		if c.Row.ID == id {
			return c, nil
		}
	}
	row, err := u.Tx.League(id)
	if err != nil {
		return nil, fmt.Errorf("league %s: %w", id, err)
	}
	c := &League{Row: row}
	if c.State, err = u.Replays.League(u.Tx, row); err != nil {
		return nil, err
	}
	u.Leagues = append(u.Leagues, c)
	return c, nil
}

// DeleteLeague deletes a league and its timers.
func (u *Unit) DeleteLeague(c *League) {
	u.Check(u.Tx.DeleteLeague(c.Row.ID))
	u.Leagues = slices.DeleteFunc(u.Leagues, func(x *League) bool { return x == c })
}

// Enter appends a line to a league's log. If the line is not possible, it returns an error and
// changes nothing.
func (u *Unit) Enter(c *League, l league.Line) error {
	if !c.own {
		c.was, c.State, c.own = c.State, c.State.Clone(), true
	}
	l.N, l.At = c.State.Lines+1, u.At
	known := len(c.State.Players)
	if err := c.State.Add(l); err != nil {
		return fmt.Errorf("league %s: %w", c.Row.ID, err)
	}
	for _, p := range c.State.Players[known:] {
		u.Check(u.Tx.AddMember(c.Row.ID, p.ID))
	}
	c.lines, c.Moved = append(c.lines, l), true
	switch l.Kind {
	case league.Ruled, league.Leave, league.Expel, league.Join, league.Takeover, league.Forfeit:
		c.alters = true
	}
	return nil
}

// Changes returns what players know of the last season that a ruling, or a player who came or
// left, has changed in this transaction; each change once.
func (c *League) Changes() (all []league.Change) {
	if c.alters {
		all = league.Changes(c.was, c.State)
		c.was = c.State.Clone()
	}
	c.alters = false
	return all
}

// Before returns the league as it was before this transaction, or at the last call of Changes.
func (c *League) Before() *league.State {
	if c.was == nil {
		return c.State
	}
	return c.was
}

// AppendOrLog is Enter for lines that no letter asks for: an impossible line only goes to the
// server's log.
func (u *Unit) AppendOrLog(c *League, l league.Line) bool {
	err := u.Enter(c, l)
	if err != nil {
		u.Log.Error("a league cannot go on", "league", c.Row.ID, "err", err)
	}
	return err == nil
}

// CloseLeagues writes the leagues' new lines.
func (u *Unit) CloseLeagues() error {
	for _, c := range u.Leagues {
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
		u.Check(u.Tx.AppendLeague(c.Row.ID, rows))
		c.Row.Lines, c.Row.Changed = c.State.Lines, u.At
		c.lines = nil
		u.Check(u.Tx.SaveLeague(c.Row))
	}
	return nil
}

// lineArgs is a line's JSON without what has its own column.
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

// LeagueNames returns the names of a league's players in it.
func (u *Unit) LeagueNames(c *League) map[int64]string {
	if c.names.Names == nil {
		c.names = u.Replays.Registered(c.Row)
	}
	if n := len(c.names.Names); n < len(c.State.Players) {
		var ids []int64
		for _, p := range c.State.Players[n:] {
			ids = append(ids, p.ID)
		}
		u.LoadPlayers(ids)
	}
	c.names = c.names.Enrolled(c.State.Players, func(id int64) string { return u.Players[id].Name }, u.Replays.Namer)
	return c.names.Names
}

// NameIn returns a person's name in a league: for its players the one in its tables, where
// equal names have numbers; "" if they have given no name.
func (u *Unit) NameIn(c *League, p *store.Player) string {
	if p.Name == "" {
		return ""
	}
	return cmp.Or(u.LeagueNames(c)[p.ID], p.Name)
}

// KeepNames caches the registers of a committed unit, or none if a player's name has
// changed.
func (u *Unit) KeepNames() {
	renamed := false
	for id, p := range u.Players {
		old, known := u.Loaded[id]
		renamed = renamed || known && old.Name != p.Name
	}
	if renamed {
		u.Replays.ForgetNames()
		return
	}
	for _, c := range u.Leagues {
		if c.names.Names != nil {
			u.Replays.KeepRegister(c.Row, c.names)
		}
	}
}

// Ranks returns the standings of a division, cached in the unit of work.
func (c *League) Ranks(season, division int) []league.Standing {
	return c.once(&c.ranked, (*league.State).Standings, season, division)
}

// GuestsOf returns the guests of a division, cached in the unit of work.
func (c *League) GuestsOf(season, division int) []league.Standing {
	return c.once(&c.guests, (*league.State).Guests, season, division)
}

func (c *League) once(known *map[[3]int][]league.Standing, compute func(*league.State, int, int) []league.Standing, season, division int) []league.Standing {
	key := [3]int{c.State.Lines, season, division}
	if rows, ok := (*known)[key]; ok {
		return rows
	}
	if *known == nil {
		*known = map[[3]int][]league.Standing{}
	}
	(*known)[key] = compute(c.State, season, division)
	return (*known)[key]
}
