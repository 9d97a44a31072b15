package match

import (
	"cmp"
	"slices"
	"strconv"
	"time"

	"angelpost/engine"
	"angelpost/engine/game"
	"angelpost/engine/league"
	"angelpost/engine/notice"
	"angelpost/engine/order"
	"angelpost/engine/store"
)

// The ruler over a game of a league is its director, the first of those its file names.
// Where the director plays, or has played, the assistants rule instead. They rule over
// all games, with the director, when no letter reaches the director, or the director
// wants none or has been silent too long. No one rules over a game of their own.

// silentFor is how long a director must have been silent before the assistants rule
// over their games, too.
const silentFor = 7 * 24 * time.Hour

// ruledBy returns the game over which a player may rule, and the player as its ruler.
// The refusal does not reveal the game to anyone who does not direct its league.
func (s *unit) ruledBy(p *store.Player, id string) (t *table, by ruler, err error) {
	no := notice.Refuse(notice.ProblemRuler, "word", id)
	row, err := s.tx.Game(id)
	if none, err := missing(err); err != nil {
		return nil, by, err
	} else if none || row.League == "" {
		return nil, by, no
	}
	c, err := s.league(row.League)
	if err != nil {
		return nil, by, err
	}
	if yes, err := s.directs(c, p); err != nil {
		return nil, by, err
	} else if !yes {
		return nil, by, no
	}
	if t, err = s.table(id); err != nil {
		return nil, by, err
	}
	sat, err := s.sat(t, p.ID)
	if err != nil {
		return nil, by, err
	}
	if sat {
		return nil, by, notice.Refuse(notice.ProblemOwnGame, "word", id)
	}
	first := s.address(s.Address(c.rules().Directors[0]))
	if first.Player != p.ID {
		rules, err := s.mayRule(t, first.Player)
		if err != nil {
			return nil, by, err
		}
		if rules {
			silent, err := s.silent(c, first.Player)
			if err != nil {
				return nil, by, err
			}
			if !silent {
				return nil, by, notice.Refuse(notice.ProblemAssistant, "word", id)
			}
		}
	}
	return t, ruler{player: p.ID, name: cmp.Or(p.Name, c.rules().Name)}, nil
}

// sat reports whether a player has ever had a seat of a game, or was asked to take
// one.
func (s *unit) sat(t *table, player int64) (bool, error) {
	if player == 0 || t.of(player) != nil {
		return player != 0, nil
	}
	stints, err := s.tx.Tenures([]string{t.row.ID})
	return slices.ContainsFunc(stints[t.row.ID], func(x game.Tenure) bool { return x.Player == player }), err
}

// mayRule reports whether a player named in a league's file, 0 if unknown, can rule
// over a game: letters reach them, they want some, and they never sat there.
func (s *unit) mayRule(t *table, player int64) (bool, error) {
	if player == 0 {
		return false, nil
	}
	if yes := s.reachable(player); !yes {
		return false, nil
	}
	sat, err := s.sat(t, player)
	return !sat, err
}

// silent reports whether a director's last letter to this server and the making of the
// league are both longer ago than silentFor.
func (s *unit) silent(c *leagueUnit, player int64) (bool, error) {
	last, err := s.tx.LastLetter(player)
	if c.row.Created.After(last) {
		last = c.row.Created
	}
	return s.now.Sub(last) > silentFor, err
}

// rulersOf returns those who rule over a game of a league and can be written to: the
// first eligible one, and after each silent one the next.
func (s *unit) rulersOf(t *table) (out []*store.Player, err error) {
	if t.row.League == "" {
		return nil, nil
	}
	c, err := s.league(t.row.League)
	if s.cache.without(t.row.League, err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	for _, a := range c.rules().Directors {
		row := s.address(s.Address(a))
		rules, err := s.mayRule(t, row.Player)
		if err != nil {
			return nil, err
		}
		if !rules {
			continue
		}
		p := s.player(row.Player)
		out = append(out, p)
		if silent, err := s.silent(c, p.ID); err != nil || !silent {
			return out, err
		}
	}
	return out, nil
}

// fixture is what a game of a league is played for, nil if it counts there no
// more.
func (s *unit) fixture(t *table) (*leagueUnit, *league.Fixture, error) {
	if t.row.League == "" {
		return nil, nil, nil
	}
	c, err := s.league(t.row.League)
	if err != nil {
		return nil, nil, err
	}
	f := c.state.Of(t.row.ID)
	if f != nil && f.Game != t.row.ID {
		f = nil
	}
	return c, f, nil
}

// playsAgain reports whether a game can be played again: one of a league only while
// its season runs.
func (s *unit) playsAgain(t *table) (bool, error) {
	c, f, err := s.fixture(t)
	return c == nil || f != nil && c.state.Seasons[f.Season-1].Running(), err
}

// leagueRuled brings a ruling into the log of its game's league, which computes
// its standings from it.
func (s *unit) leagueRuled(t *table, r notice.Ruling, said order.Ruling) error {
	c, f, err := s.fixture(t)
	if c == nil || err != nil {
		return err
	}
	line := league.Line{Kind: league.Ruled, By: r.By, Ruling: string(r.Kind), Text: r.Reason}
	if x := t.bySeat(engine.Seat(r.Seat)); x != nil { // by name: no one may read addresses
		line.Args = append(line.Args, x.Name)
	}
	switch {
	case r.Kind == order.RuleExtend:
		line.Args = append(line.Args, "by", said.Time)
	case r.Kind == order.RuleRollback:
		line.Args = append(line.Args, "to", strconv.Itoa(r.To))
	case r.Bot != "":
		line.Args = append(line.Args, "by", r.Bot)
	}
	for i, name := range t.names() {
		if i < len(r.Scores) {
			line.Args = append(line.Args, name, strconv.Itoa(r.Scores[i]))
		}
	}
	switch {
	case f != nil && !(f.Void && r.Scores != nil):
		if line.Game = t.row.ID; r.Scores != nil {
			parts, err := s.parts(t)
			if err != nil {
				return err
			}
			line.Seats = leagueSeats(f, r.Scores, parts)
		}
	case r.Kind == order.RuleVoid || r.Scores != nil: // it has counted no more before
		return nil
	}
	return s.enter(c, line)
}

// leagueAgain brings into a league's log that a game is played again, and tells
// whether the same players can begin now. Otherwise the league sees to it.
func (s *unit) leagueAgain(t *table, r notice.Ruling) (now bool, err error) {
	c, f, err := s.fixture(t)
	if c == nil || err != nil {
		return true, err
	}
	players := slices.Clone(f.Players) // f may be changed in place
	if err := s.leagueRuled(t, r, order.Ruling{}); err != nil {
		return false, err
	}
	next := c.state.Fixture(f.ID)
	return !next.Over() && slices.Equal(next.Players, players), nil
}

// leagueBegun brings into a league's log by which game another is played again.
func (s *unit) leagueBegun(t, next *table) error {
	if t.row.League == "" {
		return nil
	}
	c, err := s.league(t.row.League)
	if err != nil {
		return err
	}
	return s.enter(c, league.Line{Kind: league.Begun, Fixture: c.state.Of(t.row.ID).ID, Game: next.row.ID})
}

// tellRulers writes to those who rule over a game of a league, and reports whether
// there is one who can be reached.
func (s *unit) tellRulers(t *table, code string, args ...string) (told bool, err error) {
	rulers, err := s.rulersOf(t)
	if err != nil {
		return false, err
	}
	for _, p := range rulers {
		d := s.draftFor(p.ID, t, notice.KindInfo)
		d.say(code, args...)
	}
	return len(rulers) > 0, nil
}

// tellDirectors writes to a league's new directors, except to maker, who appoints them
// (nil: the host): a director who rules by letter needs one of ours to answer.
func (s *unit) tellDirectors(c *leagueUnit, maker *store.Player, before []string) error {
	for i, a := range c.rules().Directors {
		if k := slices.Index(before, a); k >= 0 && (k == 0) == (i == 0) {
			continue
		}
		id, err := s.guest(maker, a)
		switch {
		case err != nil && notice.AsProblem(err) == nil:
			return err
		case err != nil || maker != nil && id == maker.ID: // they want no letters, or have had enough
			continue
		}
		y := s.player(id)
		if maker != nil {
			s.invited(maker.ID, y.Address)
		}
		code := notice.TellDirects
		if i > 0 {
			code = notice.TellAssists
		}
		d := s.tellLeague(c, id, code)
		d.asked = true // muted or not: it gives them an office
		if !y.Registered {
			d.say(notice.TellNever)
		}
	}
	return nil
}
