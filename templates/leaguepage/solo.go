package leaguepage

import (
	"cmp"
	"encoding/hex"
	"slices"
	"strconv"

	"angelpost/engine/league"
	"angelpost/templates"
)

// weeks are the rounds of a solo league: who did how well in the same game.
func (c *Presenter) weeks(rows []league.Standing, rounds [][]*league.Fixture) (out []templates.Week) {
	worth := map[int]league.Term{} // by fixture
	for _, r := range rows {
		for _, t := range r.Points.Terms {
			worth[t.Fixture] = t
		}
	}
	for _, games := range rounds {
		games = slices.Clone(games)
		over := 0
		for _, f := range games {
			if f.Over() {
				over++
			}
		}
		w := templates.Week{Name: c.round(games[0]), State: c.Say("leagues.week-state", "played", over, "games", len(games))}
		if seed, shared := c.State.GameSeed(games[0]); shared && over == len(games) && c.Games[games[0].Game].Shown {
			w.Seed = hex.EncodeToString(seed[:])
		}
		place := func(f *league.Fixture) int { return cmp.Or(worth[f.ID].Place, len(games)+1) }
		slices.SortStableFunc(games, func(a, b *league.Fixture) int { return place(a) - place(b) })
		for _, f := range rowsOf(games, 0, rowsShown) {
			x := c.fixture(f, "")
			row := templates.WeekRow{ID: x.ID, Who: x.Seats[0].Who, Href: x.Href, State: x.State, Note: x.Seats[0].Note}
			if f.Result != nil {
				s := f.Result.Seats[0]
				row.VP, row.Hal = strconv.Itoa(s.Score), strconv.Itoa(s.Hal)
			}
			if t, ok := worth[f.ID]; ok {
				row.Rank, row.Points = strconv.Itoa(t.Place), figure(t.Value)
			}
			w.Rows = append(w.Rows, row)
		}
		out = append(out, w)
	}
	return out
}
