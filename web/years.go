package web

import (
	"net/http"
	"strings"

	"angelpost/engine/game"
	"angelpost/engine/league"
	"angelpost/engine/store"
	"angelpost/templates"
	"angelpost/templates/leaguepage"
)

type (
	yearsJSON struct {
		Schema    int            `json:"schema"`
		League    string         `json:"league"`
		Champions []championJSON `json:"champions"`
		Players   []allTimeJSON  `json:"players"`
		From      int            `json:"from,omitempty"` // of the next page
		Pairs     []meetingJSON  `json:"pairs"`
		Streaks   []streakJSON   `json:"streaks"`
		Closest   []recordJSON   `json:"closest"`
		Highest   []recordJSON   `json:"highest"`
		Longest   []recordJSON   `json:"longest"`
	}
	championJSON struct {
		Season  int     `json:"season"`
		Ended   string  `json:"ended"`
		Winners []int64 `json:"winners"`
	}
	allTimeJSON struct {
		Player  int64  `json:"player"`
		Name    string `json:"name"`
		Titles  int    `json:"titles"`
		Points  string `json:"points"`
		Seasons int    `json:"seasons"`
		Played  int    `json:"played"`
		Won     int    `json:"won"`
		Joined  string `json:"joined,omitempty"`
		Left    string `json:"left,omitempty"`
	}
	meetingJSON struct {
		Players [2]int64 `json:"players"`
		Games   int      `json:"games"`
		Ahead   int      `json:"ahead"`
		Behind  int      `json:"behind"`
	}
	streakJSON struct {
		Player int64  `json:"player"`
		Games  int    `json:"games"`
		From   string `json:"from"`
		To     string `json:"to"`
		Going  bool   `json:"going"`
	}
	recordJSON struct {
		Season  int     `json:"season"`
		Fixture int     `json:"fixture"`
		Game    string  `json:"game"`
		Players []int64 `json:"players"`
		Player  int64   `json:"player,omitempty"`
		Value   int     `json:"value"`
	}
)

// leagueYears shows a league through all its seasons.
func (s Server) leagueYears(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	from, ok := number(q, "from")
	var of int64
	if asked, there := q["of"]; there && ok {
		of = playerOf(asked[0])
		ok = of > 0 && len(asked) == 1
	}
	if !ok {
		s.refuse(w, r, store.ErrNotFound)
		return
	}
	c, ok := s.seen(w, r, leaguepage.WantsYears)
	if !ok {
		return
	}
	y := c.Years(max(from, 0), of)
	if y == nil {
		s.refuse(w, r, store.ErrNotFound)
		return
	}
	if strings.HasSuffix(r.URL.Path, ".json") {
		s.sendJSON(w, r, openCache, yearsData(c, y))
		return
	}
	p := c.YearsPage(y)
	p.Frame = s.framed(w, r, c, p.Title, c.Href()+"/years")
	s.write(w, r, openCache, templates.YearsPage(p))
}

// yearsData is a league through all its seasons as data.
func yearsData(c *leaguepage.Presenter, y *leaguepage.Years) yearsJSON {
	out := yearsJSON{Schema: game.Schema, League: c.ID, Champions: []championJSON{}, Players: []allTimeJSON{}, Pairs: []meetingJSON{}, Streaks: []streakJSON{}}
	for _, x := range c.State.Seasons {
		if !x.Running() {
			out.Champions = append(out.Champions, championJSON{x.N, rfc(x.Ended), append([]int64{}, c.State.Winners(x.N)...)})
		}
	}
	for _, x := range y.Table {
		out.Players = append(out.Players, allTimeJSON{x.Player.ID, c.Called(x.Player.ID), x.Titles, x.Points.String(), x.Seasons, x.Played, x.Won, rfc(x.Player.Joined), rfc(x.Player.Left)})
	}
	if next := y.From + len(y.Table); next < y.All {
		out.From = next
	}
	for _, x := range y.Pairs {
		out.Pairs = append(out.Pairs, meetingJSON{[2]int64{x.A, x.B}, x.Games, x.Ahead, x.Behind})
	}
	for _, x := range y.Records.Streaks {
		out.Streaks = append(out.Streaks, streakJSON{x.Player, x.Games, rfc(x.From), rfc(x.To), x.Going})
	}
	records := func(all []league.Record, value func(league.Record) int) []recordJSON {
		list := []recordJSON{}
		for _, x := range all {
			list = append(list, recordJSON{x.Fixture.Season, x.Fixture.ID, x.Fixture.Game, x.Fixture.Players, x.Player, value(x)})
		}
		return list
	}
	out.Closest = records(y.Records.Closest, func(x league.Record) int { return x.Margin })
	out.Highest = records(y.Records.Highest, func(x league.Record) int { return x.Score })
	out.Longest = records(y.Records.Longest, func(x league.Record) int { return int(x.Lasted.Seconds()) })
	return out
}
