package rulings

import (
	"slices"
	"strconv"

	"angelpost/engine"
	"angelpost/engine/game"
	"angelpost/engine/league"
	"angelpost/engine/match/leagues"
	"angelpost/engine/match/unit"
	"angelpost/engine/notice"
	"angelpost/engine/order"
)

// Seats converts a result into the seats of a league's log: equal VP share a place (R8.7).
func Seats(f *league.Fixture, vp []int, parts [][]game.Share) []league.Seat {
	seats := make([]league.Seat, len(f.Players))
	for i, id := range f.Players {
		x := league.Seat{Player: id, Score: vp[i], Place: 1}
		for k := range f.Players {
			if vp[k] > vp[i] {
				x.Place++
			}
		}
		if len(f.Players) == 1 && len(vp) > 1 {
			x.Hal = vp[1]
		}
		if i < len(parts) {
			for _, p := range parts[i] {
				if p.Turns > 0 {
					x.Parts = append(x.Parts, league.Part{Player: p.Player, Turns: p.Turns, Left: p.Left != ""})
				}
			}
		}
		seats[i] = x
	}
	return seats
}

// Forfeit is the reason for the end of a game that no longer counts for its league: only one
// person played it, who has won it.
const Forfeit = "forfeit"

// leagueRuled enters a ruling into the log of its game's league, which computes its standings
// from it.
func leagueRuled(u *unit.Unit, t *unit.Game, r notice.Ruling, said order.Ruling) error {
	c, f, err := leagues.Fixture(u, t)
	if c == nil || err != nil {
		return err
	}
	line := league.Line{Kind: league.Ruled, By: r.By, Ruling: string(r.Kind), Text: r.Reason}
	if x := t.BySeat(engine.Seat(r.Seat)); x != nil { // by name: no one may read addresses
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
	for i, name := range t.Names() {
		if i < len(r.Scores) {
			line.Args = append(line.Args, name, strconv.Itoa(r.Scores[i]))
		}
	}
	switch {
	case f != nil && !(f.Void && r.Scores != nil):
		if line.Game = t.Row.ID; r.Scores != nil {
			parts, err := u.Parts(t)
			if err != nil {
				return err
			}
			line.Seats = Seats(f, r.Scores, parts)
		}
	case r.Kind == order.RuleVoid || r.Scores != nil: // it has counted no more before
		return nil
	}
	return u.Enter(c, line)
}

// LeagueAgain enters into a league's log that a game is played again. It reports whether the
// same players can begin now: they still have the fixture's seats, and room for a game.
// Otherwise the league begins the game later.
func LeagueAgain(u *unit.Unit, t *unit.Game, r notice.Ruling) (now bool, err error) {
	c, f, err := leagues.Fixture(u, t)
	if c == nil || err != nil {
		return true, err
	}
	players := slices.Clone(f.Players) // f may be changed in place
	if err := leagueRuled(u, t, r, order.Ruling{}); err != nil {
		return false, err
	}
	next := c.State.Fixture(f.ID)
	return !next.Over() && slices.Equal(next.Players, players) && c.State.Room(next), nil
}

// LeagueBegun enters into a league's log which game replaces one that is played again.
func LeagueBegun(u *unit.Unit, t, next *unit.Game) error {
	if t.Row.League == "" {
		return nil
	}
	c, err := u.League(t.Row.League)
	if err != nil {
		return err
	}
	return u.Enter(c, league.Line{Kind: league.Begun, Fixture: c.State.Of(t.Row.ID).ID, Game: next.Row.ID})
}
