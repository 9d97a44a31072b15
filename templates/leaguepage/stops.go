package leaguepage

import (
	"strconv"

	"angelpost/engine/league"
	"angelpost/templates"
	"angelpost/templates/words"
)

// Stops returns what stops the league, or one of its divisions (0: all): pauses that have not
// ended, and what closed it.
func (c *Presenter) Stops(division int) (out []league.Line) {
	for _, l := range c.State.Stops {
		if division == 0 || l.Division == 0 || l.Division == division {
			out = append(out, l)
		}
	}
	return out
}

// stopped is Stops for a page.
func (c *Presenter) stopped(division int) (out []templates.News) {
	for _, l := range c.Stops(division) {
		n := c.direction(l)
		n.Text = words.WithoutAddresses(l.Text)
		out = append(out, n)
	}
	return out
}

// direction is what a director did with the league or a part of it.
func (c *Presenter) direction(l league.Line) templates.News {
	key := "leagues.direct-" + l.Kind
	if x := c.State.Season(); l.Kind == league.Close && (x == nil || !x.Running()) {
		key += "-over"
	}
	of := ""
	switch {
	case l.Division > 0:
		of = "division"
	case l.Round > 0:
		of = "round"
	case l.Player != 0:
		of = "player"
	}
	return templates.News{ID: "line-" + strconv.Itoa(l.N), Title: c.Say(key, "of", of, "n", l.Division+l.Round, "name", c.Called(l.Player)), Text: words.WithoutAddresses(l.Text), By: c.by(l.By), At: l.At}
}
