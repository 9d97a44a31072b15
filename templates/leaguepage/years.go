package leaguepage

import (
	"strconv"
	"time"

	"angelpost/engine/league"
	"angelpost/templates"
)

// Bounds of a league's page through the years.
const (
	YearsRows  = 100 // players of the all-time table on a page
	yearsPairs = 20  // pairs of all players
	yearsOf    = 200 // opponents of one
)

// Years is a league through all its seasons, as its page and its data tell it.
type Years struct {
	Table   []league.Career // from behind the first From on, at most YearsRows
	From    int
	All     int // players in the whole table
	Of      int64
	Pairs   []league.Pair  // of Of, if that is a player; else those who met most often
	Met     map[int64]bool // players who have met any other
	Records league.Records
}

// WantsYears returns the games that the page through the years tells of.
func WantsYears(s *league.State) (games []string) {
	r := s.Records(0)
	for _, list := range [][]league.Record{r.Longest, r.Closest, r.Highest} {
		for _, x := range list {
			games = append(games, x.Fixture.Game)
		}
	}
	return games
}

// Years sums the league up; nil if it has no player of, or not so many players as from.
func (c *Presenter) Years(from int, of int64) *Years {
	all := c.State.AllTime(c.State.Standings)
	if from > 0 && from >= len(all) || of != 0 && c.State.Player(of) == nil {
		return nil
	}
	y := &Years{Table: rowsOf(all, from, YearsRows), From: from, All: len(all), Of: of, Pairs: c.State.Pairs(0), Met: map[int64]bool{}, Records: c.State.Records(0)}
	for _, x := range y.Pairs {
		y.Met[x.A], y.Met[x.B] = true, true
	}
	most := yearsPairs
	if of != 0 {
		y.Pairs, most = c.State.Pairs(of), yearsOf
	}
	y.Pairs = y.Pairs[:min(len(y.Pairs), most)]
	return y
}

// YearsPage returns what the page through the years shows. Of its frame it has the title
// alone.
func (c *Presenter) YearsPage(y *Years) *templates.Years {
	path := c.Href() + "/years"
	p := &templates.Years{Path: c.path(templates.Link{Text: c.Name(), Href: c.Href()}), Status: c.Say("leagues.years-status", "seasons", len(c.State.Seasons), "players", y.All),
		Champions: c.champions(), Links: []templates.Link{{Text: c.Say("page.data"), Href: path + ".json"}, {Text: c.Name(), Href: c.Href()}}}
	p.Title = c.Name() + ", " + lowered(c.Say("leagues.years"))
	for i, x := range y.Table {
		line := templates.AllTime{Rank: y.From + i + 1, Who: c.Person(x.Player.ID), Seasons: x.Seasons, Titles: x.Titles, Played: x.Played, Won: x.Won, Points: figure(x.Points), Joined: x.Player.Joined, Left: x.Player.Left}
		if y.Met[x.Player.ID] {
			line.Against = path + "?of=" + strconv.FormatInt(x.Player.ID, 10) + "#against"
		}
		p.Players = append(p.Players, line)
	}
	if y.All > YearsRows {
		for at := 0; at < y.All; at += YearsRows {
			l := templates.PageLink{Link: templates.Link{Text: strconv.Itoa(at+1) + "–" + strconv.Itoa(min(at+YearsRows, y.All)), Href: path}, Here: at == y.From}
			if at > 0 {
				l.Href += "?from=" + strconv.Itoa(at)
			}
			p.Pages = append(p.Pages, l)
		}
	}
	if len(y.Pairs) > 0 {
		p.Meetings = &templates.Meetings{Title: c.Say("leagues.years-against")}
		if y.Of != 0 {
			p.Meetings.Title, p.Meetings.All = c.Say("leagues.years-of", "name", c.Called(y.Of)), path+"#against"
		}
	}
	for _, x := range y.Pairs {
		p.Meetings.Pairs = append(p.Meetings.Pairs, templates.Meeting{A: c.Person(x.A), B: c.Person(x.B), Games: x.Games, Ahead: x.Ahead, Behind: x.Behind})
	}
	p.Records = c.records(y.Records)
	return p
}

// records are the lists of records that are not empty.
func (c *Presenter) records(r league.Records) (out []templates.RecordList) {
	line := func(x league.Record, what string, who ...int64) templates.RecordLine {
		l := templates.RecordLine{What: what, Game: c.season(x.Fixture.Season) + ", " + lowered(c.named(x.Fixture)), Href: c.page(x.Fixture)}
		if l.Href == "" {
			l.Href = c.Href(x.Fixture.Season, x.Fixture.Division) + "#" + anchor(x.Fixture.ID)
		}
		for _, p := range who {
			l.Who = append(l.Who, c.Person(p))
		}
		return l
	}
	lists := make([]templates.RecordList, 4)
	for i, key := range []string{"leagues.years-streaks", "leagues.years-closest", "leagues.years-highest", "leagues.years-longest"} {
		lists[i].Title = c.Say(key)
	}
	for _, x := range r.Streaks {
		what := c.Say("leagues.years-streak", "n", x.Games)
		if x.Going {
			what = c.Say("leagues.years-streak-going", "n", x.Games)
		}
		lists[0].Lines = append(lists[0].Lines, templates.RecordLine{What: what, Who: []templates.Person{c.Person(x.Player)}, From: x.From, To: x.To})
	}
	for _, x := range r.Closest {
		lists[1].Lines = append(lists[1].Lines, line(x, c.Say("leagues.years-margin", "n", x.Margin), x.Fixture.Players...))
	}
	for _, x := range r.Highest {
		lists[2].Lines = append(lists[2].Lines, line(x, c.Say("leagues.result", "vp", x.Score), x.Player))
	}
	for _, x := range r.Longest {
		lists[3].Lines = append(lists[3].Lines, line(x, c.Say("leagues.years-days", "n", int(x.Lasted/(24*time.Hour))), x.Fixture.Players...))
	}
	for _, l := range lists {
		if len(l.Lines) > 0 {
			out = append(out, l)
		}
	}
	return out
}
