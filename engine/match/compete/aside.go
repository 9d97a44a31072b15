package compete

import (
	"slices"
	"strconv"

	"angelpost/engine/league"
	"angelpost/engine/match/unit"
	"angelpost/engine/notice"
)

// aside returns the players of the season who have no game in its present round: players with a
// bye, and in a ladder also those who already play as many games as they may. It leaves out
// players who have lost in a knock-out.
func aside(c *unit.League) (out []int64) {
	x := c.State.Season()
	d := &x.Divisions[0]
	in := map[int64]bool{} // its players
	for _, f := range d.Fixtures {
		if f.Round != x.Round {
			continue
		}
		for _, p := range f.Players {
			if in[p] = true; f.Bye {
				out = append(out, p)
			}
		}
	}
	if x.Rules.Kind == league.Ladder {
		out = append(out, slices.DeleteFunc(d.In(), func(p int64) bool { return in[p] })...)
	}
	return out
}

// missed reports whether a bye in a round is that of a player whose opponent did not come
// through: of a knock-out at tables of two only the first draw has others.
func missed(r *league.Rules, round int) bool {
	return r.Kind == league.Knockout && r.Table == 2 && round > 1
}

// tellAside tells players who have no game in the round that has begun. The others learn of the
// round from the letter about their game.
func tellAside(u *unit.Unit, c *unit.League) {
	x := c.State.Season()
	all := aside(c)
	u.LoadPlayers(all)
	code := notice.TellBye
	if x.Rules.Kind == league.Ladder {
		code = notice.TellAside
	}
	for _, p := range all {
		args := []string{"n", strconv.Itoa(x.Round)}
		if missed(x.Rules, x.Round) {
			args = append(args, "then", "empty")
		}
		d := tellLeague(u, c, p, code, args...)
		if at, ok := c.State.NextRound(); ok && at.After(u.At) {
			zone := u.ZoneOf(p)
			d.Say(notice.TellNextRound, "time", unit.When(at, zone))
		}
	}
}
