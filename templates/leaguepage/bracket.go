package leaguepage

import (
	"slices"
	"strconv"
	"strings"

	"angelpost/engine/league"
	"angelpost/templates"
)

// bracket are the rounds of a knock-out, a match at a time: its games are its legs.
func (c *Presenter) bracket(d *league.Division, rounds [][]*league.Fixture) (out []templates.Round) {
	further := map[[2]int64]bool{} // player and round they play in
	for _, f := range d.Fixtures {
		for _, p := range f.Players {
			further[[2]int64{p, int64(f.Round)}] = true
		}
	}
	winners := c.State.Winners(d.Season)
	for _, games := range rounds {
		r := templates.Round{Name: c.round(games[0])}
		for at := 0; at < len(games) && len(r.Games) < gamesShown; {
			end := at + 1
			for end < len(games) && games[end].Match == games[at].Match {
				end++
			}
			m := c.match(games[at:end])
			for i, p := range games[at].Players {
				holder := c.State.Holder(d, p)
				won := further[[2]int64{p, int64(games[at].Round) + 1}] || further[[2]int64{holder, int64(games[at].Round) + 1}]
				if !c.State.Seasons[d.Season-1].Running() && games[at].Round == d.Fixtures[len(d.Fixtures)-1].Round {
					won = slices.Contains(winners, holder)
				}
				if m.Seats[i].Won = won; won {
					m.Seats[i].Note = c.Say("leagues.goes-on")
				}
			}
			r.Games = append(r.Games, m)
			at = end
		}
		out = append(out, r)
	}
	return out
}

// match is a match of a knock-out: one game, or several that are its legs.
func (c *Presenter) match(legs []*league.Fixture) templates.Fixture {
	m := c.fixture(legs[0], c.seat(legs[0]))
	if len(legs) == 1 {
		return m
	}
	m.ID, m.Href, m.Waits, m.Notes, m.Ruling = "", "", "", nil, templates.Link{}
	wins := make([]int, len(legs[0].Players))
	d := &c.State.Seasons[legs[0].Season-1].Divisions[0]
	of := func(leg *league.Fixture, p int64) int { // where in a game is who has a player's place
		return slices.IndexFunc(leg.Players, func(q int64) bool { return c.State.Holder(d, q) == c.State.Holder(d, p) })
	}
	m.Over, m.Void, m.State = true, false, c.Say("leagues.state-played")
	for i := range m.Seats {
		m.Seats[i].Result, m.Seats[i].Note = "", ""
	}
	for i, f := range legs {
		leg := templates.Leg{Name: c.Say("leagues.leg", "n", i+1), Href: c.page(f), ID: anchor(f.ID)}
		if whole := c.fixture(f, ""); f.Result == nil || f.Result.Ruling != "" {
			leg.State, leg.Ruling = whole.State, whole.Ruling
		}
		if f.Result != nil {
			var vp []string
			for _, p := range legs[0].Players {
				if at := of(f, p); at >= 0 {
					vp = append(vp, strconv.Itoa(f.Result.Seats[at].Score))
				}
			}
			leg.Score = strings.Join(vp, " : ")
		}
		if m.Over = m.Over && f.Over(); !f.Over() {
			m.State = c.Say("leagues.state-game")
		}
		for _, x := range c.State.Outcomes(f) {
			if at := of(legs[0], x.Player); at >= 0 && x.Won() {
				wins[at]++
			}
		}
		m.Legs = append(m.Legs, leg)
	}
	for i, n := range wins {
		m.Seats[i].Result = c.Say("leagues.wins", "n", n)
	}
	return m
}
