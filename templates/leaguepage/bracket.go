package leaguepage

import (
	"slices"
	"strconv"
	"strings"

	"angelpost/engine/league"
	"angelpost/templates"
)

// bracket returns the rounds of a knock-out, a match at a time: its games are its legs. In a
// tree each match is between the two that it follows from.
func (c *Presenter) bracket(d *league.Division, rounds [][]*league.Fixture) (out []templates.Round, tree bool) {
	further := map[[2]int64]bool{} // player and round they play in
	for _, f := range d.Fixtures {
		for _, p := range f.Players {
			further[[2]int64{p, int64(f.Round)}] = true
		}
	}
	winners := c.State.Winners(d.Season)
	size := c.treeSize(d, rounds)
	for i, games := range rounds {
		r := templates.Round{Name: c.round(games[0])}
		var numbers []int
		for at := 0; at < len(games) && len(r.Games) < gamesShown; {
			end := at + 1
			for end < len(games) && games[end].Match == games[at].Match {
				end++
			}
			m := c.match(games[at:end])
			for i, p := range games[at].Players {
				holder := c.State.Holder(d, p)
				note := "leagues.goes-on"
				won := further[[2]int64{p, int64(games[at].Round) + 1}] || further[[2]int64{holder, int64(games[at].Round) + 1}]
				if !c.State.Seasons[d.Season-1].Running() && games[at].Round == d.Fixtures[len(d.Fixtures)-1].Round {
					won, note = slices.Contains(winners, holder), "leagues.wins-season"
				}
				if m.Seats[i].Won = won; won {
					m.Seats[i].Note = c.Say(note)
				}
			}
			r.Games, numbers = append(r.Games, m), append(numbers, games[at].Match)
			at = end
		}
		if size > 0 {
			r.Name = c.Say("leagues.knockout-round", "n", games[0].Round, "matches", size>>i)
			drawn := make([]templates.Fixture, 0, size>>i)
			for _, n := range folded(size >> i) {
				if at := slices.Index(numbers, n); at >= 0 {
					drawn = append(drawn, r.Games[at])
				} else {
					drawn = append(drawn, templates.Fixture{Vacant: c.Say("leagues.vacant")})
				}
			}
			r.Games = drawn
		}
		out = append(out, r)
	}
	return out, size > 0
}

// folded are the matches of a round from top to bottom of a tree: the winner of the first
// meets that of the last, and so on. n is a power of two.
func folded(n int) []int {
	order := []int{1}
	for len(order) < n {
		var next []int
		for _, m := range order {
			next = append(next, m, 2*len(order)+1-m)
		}
		order = next
	}
	return order
}

// treeSize returns how many matches the first round of a tree has; 0: these rounds do not make
// a tree. More than two may play at a table, some rounds may be missing, and older versions
// made a new draw for each round.
func (c *Presenter) treeSize(d *league.Division, rounds [][]*league.Fixture) int {
	if len(rounds) == 0 || c.RulesOf(d.Season).Table != 2 || rounds[0][0].Round != 1 || len(rounds[0]) > gamesShown {
		return 0
	}
	size := 0
	for _, f := range rounds[0] {
		size = max(size, f.Match)
	}
	if size&(size-1) != 0 {
		return 0
	}
	before := map[int64]int{} // the match of the round before
	for i, games := range rounds {
		now := map[int64]int{}
		for _, f := range games {
			if f.Match < 1 || f.Match > size>>i {
				return 0
			}
			for _, p := range f.Players {
				p = c.State.Holder(d, p)
				now[p] = f.Match
				if from := before[p]; i > 0 && from != f.Match && from != 2*(size>>i)+1-f.Match {
					return 0
				}
			}
		}
		before = now
	}
	return size
}

// match is a match of a knock-out: one game, or several that are its legs.
func (c *Presenter) match(legs []*league.Fixture) templates.Fixture {
	m := c.fixture(legs[0], c.seat(legs[0]))
	if len(legs) == 1 {
		return m
	}
	m.ID, m.Href, m.Waits, m.Notes, m.Ruling = "", "", "", nil, templates.Link{}
	if b, ok := c.State.Bout(legs[0]); ok && b.Decided {
		m.Notes = c.tied(b)
	}
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
