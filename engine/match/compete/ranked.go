package compete

import (
	"slices"
	"strconv"

	"angelpost/engine/league"
	"angelpost/engine/match/unit"
	"angelpost/engine/notice"
)

// tellTable adds to the letters about a finished game its players' ranks, and what is still
// open: in a knock-out who goes on, in a solo league who still plays the round. For a ladder
// tellLadder does that.
func tellTable(u *unit.Unit, c *unit.League, t *unit.Game, f *league.Fixture, kind notice.Kind) {
	x := &c.State.Seasons[f.Season-1]
	if !x.Running() {
		return
	}
	rows := c.Ranks(x.N, f.Division)
	for _, p := range f.Players {
		player := p
		// The player who finished the game in their place, or who has taken the place without
		// the game.
		p = c.State.Holder(&x.Divisions[f.Division-1], p)
		if p != player && t.Of(p) == nil && x.Rules.Kind == league.Knockout {
			tellBout(u, c, u.DraftOf(p, nil, c, notice.KindInfo), f, p)
			continue
		}
		i := slices.IndexFunc(rows, func(r league.Standing) bool { return r.Player == p && !r.Left })
		if y := t.Of(p); y == nil || y.Player != p || i < 0 { // they have left
			continue
		}
		d, tells := u.DraftFor(p, t, kind), tale(u, c, p)
		switch x.Rules.Kind {
		case league.Knockout:
			tellBout(u, c, d, f, p)
		case league.Solo:
			d.Say(notice.TellSoloOpen, "league", c.Rules().Name, "n", strconv.Itoa(f.Round), "open", strconv.Itoa(open(x, f)))
		case league.Divisions, league.Swiss:
			tellRank(c, d, rows[i], len(rows), x, f)
		}
		if slices.ContainsFunc(d.Answer.Remarks, func(r notice.Remark) bool { return r.Code == notice.TellNextRound }) {
			tells.Next = "" // another remark says it
		}
		standings(u, c, tells, p)
		d.Answer.Sections = append(d.Answer.Sections, notice.Section{Kind: "standings", League: tells})
	}
}

// toCome returns how many games of a player in a fixture's division are not over. Games that
// bots have played count as over here, although Standing.Played leaves them out.
func toCome(x *league.Season, f *league.Fixture, player int64) (n int) {
	for _, g := range x.Divisions[f.Division-1].Fixtures {
		if !g.Over() && slices.Contains(g.Players, player) {
			n++
		}
	}
	return n
}

// open returns how many games of a fixture's division are not over, or of its round if there
// are rounds.
func open(x *league.Season, f *league.Fixture) (n int) {
	for _, g := range x.Divisions[f.Division-1].Fixtures {
		if !g.Over() && (x.Rules.Kind == league.Divisions || g.Round == f.Round) {
			n++
		}
	}
	return n
}

// tellRank tells a player their rank in a table, and which games are to come. A Swiss league's
// later rounds have none yet.
func tellRank(c *unit.League, d *unit.Draft, row league.Standing, of int, x *league.Season, f *league.Fixture) {
	args := []string{"league", c.Rules().Name, "in", divisionIn(x, f.Division), "rank", strconv.Itoa(row.Rank), "of", strconv.Itoa(of),
		"points", row.Points.Value.Decimal(pointPlaces), "mine", strconv.Itoa(toCome(x, f, row.Player)), "open", strconv.Itoa(open(x, f))}
	if x.Rules.Kind == league.Swiss && x.Round < x.Rules.Rounds {
		args = append(args, "then", "round", "n", strconv.Itoa(f.Round), "rounds", strconv.Itoa(x.Rules.Rounds-x.Round))
	}
	d.Say(notice.TellRanked, args...)
}

// tellBout tells a player who goes on after a game of a knock-out, or that a ruling comes too
// late to change that.
func tellBout(u *unit.Unit, c *unit.League, d *unit.Draft, f *league.Fixture, player int64) {
	b, ok := c.State.Bout(f)
	if !ok {
		return
	}
	names := u.LeagueNames(c)
	then := "out"
	switch yours := slices.Contains(b.On, player); {
	case b.Late:
		then = "late"
	case !b.Decided:
		then = "open"
	case len(b.On) == 0:
		then = "none"
	case yours && b.Final:
		then = "won"
	case yours:
		then = "on"
	case b.Final:
		then = "lost"
	}
	name := ""
	if len(b.On) == 1 && (then == "out" || then == "lost") {
		division := &c.State.Seasons[f.Season-1].Divisions[f.Division-1]
		for _, p := range f.Players {
			if p != b.On[0] && c.State.Holder(division, p) == b.On[0] {
				then, name = then+"-heir", names[p]
			}
		}
	}
	d.Say(notice.TellMatch, "league", c.Rules().Name, "then", then, "name", name, "n", strconv.Itoa(b.Round), "who", calledAll(u, names, b.On),
		"left", strconv.Itoa(b.Left), "open", strconv.Itoa(b.Open))
	if !b.Late && (b.By == league.ByScore || b.By == league.ByDraw) {
		d.Say(notice.TellMatchTied, "then", b.By)
	}
}
