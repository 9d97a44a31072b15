package compete

import (
	"cmp"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"angelpost/engine/league"
	"angelpost/engine/match/leagues"
	"angelpost/engine/match/replays"
	"angelpost/engine/match/unit"
	"angelpost/engine/notice"
	"angelpost/engine/store"
)

// What we tell the director of a league: at once what needs them; everything else once a week
// while a season runs, if there is any news; and a full report when a season begins and ends.
// Each of these letters ends with commands that work when they are sent back.

// Bounds of a director's letters.
const (
	reportEvery  = 7 * 24 * time.Hour
	maxUrgent    = 10 // letters a day about a league that need its director; the weekly one has the rest
	maxReported  = 10 // of each kind of thing, in one letter
	maxCommands  = 3  // of each kind
	maxTables    = 10
	maxTableRows = 10
	longAfter    = 7 * 24 * time.Hour // that nothing has happened in a game, or its clock's time for a turn
)

// urge finds or begins the letter to a league's director about something that needs them;
// nil: no letter reaches a director, or they have had enough today.
func urge(u *unit.Unit, c *unit.League, code string, args ...string) *unit.Draft {
	director := leagues.DirectorOf(u, c)
	if director == 0 {
		u.Log.Warn("a league needs its director, who cannot be reached", "league", c.Row.ID, "of", code)
		return nil
	}
	return urgeOne(u, c, director, code, args...)
}

// urgeOne is urge for one of a league's directors.
func urgeOne(u *unit.Unit, c *unit.League, director int64, code string, args ...string) *unit.Draft {
	if u.Bump("urgent/"+c.Row.ID, u.Day()) > maxUrgent {
		return nil
	}
	u.Check(leagues.Needs(u, c, director))
	d := tellLeague(u, c, director, code, args...)
	d.Asked = true // muted or not: it is their league
	return d
}

// scheduleReport keeps a row for the next weekly report while a season runs, and none
// otherwise.
func scheduleReport(u *unit.Unit, c *unit.League) error {
	rows, err := u.Tx.DuesOf(store.DueReport, c.Row.ID)
	x := c.State.Season()
	runs := x != nil && x.Running()
	switch {
	case err != nil || runs == (len(rows) > 0):
	case runs:
		nextReport(u, c)
	default:
		u.Check(u.Tx.ClearDue(store.DueReport, c.Row.ID, 0))
	}
	return err
}

func nextReport(u *unit.Unit, c *unit.League) {
	u.Check(u.Tx.AddDue(&store.Due{At: u.At.Add(reportEvery), Kind: store.DueReport, Game: c.Row.ID, Ref: strconv.FormatInt(u.At.Unix(), 10)}))
}

// ReportDue sends the weekly report, if there is anything to say.
func ReportDue(u *unit.Unit, row store.Due) error {
	c, err := u.League(row.Game)
	if err != nil {
		return err
	}
	if x := c.State.Season(); x == nil || !x.Running() {
		return nil
	}
	since, err := strconv.ParseInt(row.Ref, 10, 64)
	if err != nil {
		return err
	}
	nextReport(u, c)
	director := leagues.DirectorOf(u, c)
	if director == 0 {
		return nil
	}
	r, news, err := report(u, c, director, time.Unix(since, 0))
	if err != nil || !news {
		return err
	}
	sendReport(u, c, director, notice.TellWeek, r)
	return nil
}

// reportSeason tells the director that a season has begun or ended, with everything.
func reportSeason(u *unit.Unit, c *unit.League, code string) error {
	director, x := leagues.DirectorOf(u, c), c.State.Season()
	if director == 0 {
		return nil
	}
	r, _, err := report(u, c, director, x.Began)
	if err != nil {
		return err
	}
	if r.First = x.Running(); !r.First {
		r.Longest, r.Ended = nil, 0
		for i := range x.Divisions {
			over, _ := x.Divisions[i].Tally()
			r.Ended += over
		}
	}
	sendReport(u, c, director, code, r)
	return nil
}

func sendReport(u *unit.Unit, c *unit.League, director int64, code string, r *notice.LeagueReport) {
	x := c.State.Season()
	players := 0
	for i := range x.Divisions {
		players += len(x.Divisions[i].In())
	}
	subs := "yes"
	if !c.Rules().TakesSubstitutes() {
		subs = "no"
	}
	d := tellLeague(u, c, director, code, "subs", subs, "season", strconv.Itoa(x.N), "n", strconv.Itoa(players), "of", strconv.Itoa(len(x.Divisions)), "open", strconv.Itoa(r.Open))
	t := tale(u, c, director)
	if code == notice.TellDirectEnd {
		t.Records = recordsOf(u, c, x.N)
	}
	d.Answer.Sections = append(d.Answer.Sections, notice.Section{Kind: "report", League: t, Report: r})
	name := c.Rules().Name
	for i, w := range r.Late {
		for _, p := range w.Names[:min(len(w.Names), 1)] {
			if i < maxCommands {
				d.Offer(notice.CommandExtend, "league", name, "name", p)
			}
		}
	}
	for _, w := range r.Paused[:min(len(r.Paused), maxCommands)] {
		d.Offer(notice.CommandResume, "game", w.Game)
	}
	if (len(r.Absent) > 0 || placeFree(x)) && x.Running() && c.Rules().TakesSubstitutes() {
		d.Offer(notice.CommandSubstitutes, "league", name)
	}
	switch code {
	case notice.TellDirectSeason:
		d.Offer(notice.CommandWelcome, "league", name, "season", strconv.Itoa(x.N))
	case notice.TellDirectEnd:
		d.Offer(notice.CommandThanks, "league", name, "season", strconv.Itoa(x.N))
		if !c.Row.Over {
			d.Offer(notice.CommandClose, "league", name)
		}
	}
	d.Offer(notice.CommandStandings, "league", name)
}

// placeFree reports whether a substitute could still take a place of a season.
func placeFree(x *league.Season) bool {
	return slices.ContainsFunc(x.Divisions, func(d league.Division) bool {
		return slices.ContainsFunc(d.Left, func(g league.Gone) bool { return g.To == 0 && !g.Settled })
	})
}

// report has the news of the season that runs, or has just ended, as far as its director may
// see it. news reports whether there is more than the tables, and than players who were already
// without an address or a check-in.
func report(u *unit.Unit, c *unit.League, director int64, since time.Time) (r *notice.LeagueReport, news bool, err error) {
	r, x := &notice.LeagueReport{}, c.State.Season()
	names := u.LeagueNames(c)
	var ids []string
	of := map[string]*league.Fixture{}
	for i := range x.Divisions {
		for _, g := range x.Divisions[i].Left {
			if g.At.After(since) && len(r.Left) < maxReported {
				r.Left = append(r.Left, names[g.Player])
			}
		}
		for _, f := range x.Divisions[i].Fixtures {
			switch {
			case !f.Over() && f.Game == "":
				r.Open++
			case !f.Over():
				r.Open++
				ids, of[f.Game] = append(ids, f.Game), f
			case f.Ended.After(since) && f.Result != nil:
				r.Ended++
			}
		}
	}
	for _, l := range c.State.Rulings {
		if l.Season == x.N {
			r.Rulings++
		}
	}
	if err := reportGames(u, c, r, ids, of); err != nil {
		return nil, false, err
	}
	news = r.Ended+len(r.Late)+len(r.Absent)+len(r.Paused)+len(r.Longest)+len(r.Left) > 0
	for _, p := range c.State.Players {
		if !p.In() {
			continue
		}
		if p.Silent() && !p.Declined && len(r.Silent) < maxReported {
			r.Silent = append(r.Silent, names[p.ID])
			news = news || p.Asked.After(since)
		}
		if a := u.AddressOf(u.Player(p.ID).Address); !a.Bounced.IsZero() && len(r.Bounced) < maxReported {
			r.Bounced = append(r.Bounced, names[p.ID])
			news = news || a.Bounced.After(since)
		}
	}
	open := c.State.For(director)
	for i := range x.Divisions {
		n := x.Divisions[i].N
		if i == maxTables {
			r.More = len(x.Divisions) - maxTables
			break
		}
		rows := c.Ranks(x.N, n)
		if open != c.State {
			rows = open.Standings(x.N, n)
		}
		t := notice.LeagueTable{Division: n, More: max(0, len(rows)-maxTableRows)}
		for _, row := range rows[:len(rows)-t.More] {
			t.Rows = append(t.Rows, rankRow(names, row, director))
		}
		r.Tables = append(r.Tables, t)
	}
	return r, news, nil
}

// reportGames adds the news of games that are being played.
func reportGames(u *unit.Unit, c *unit.League, r *notice.LeagueReport, ids []string, of map[string]*league.Fixture) error {
	rows, err := u.Tx.Games(ids)
	if err != nil {
		return err
	}
	seats, err := u.Tx.SeatsOf(ids)
	if err != nil {
		return err
	}
	slices.SortStableFunc(rows, func(a, b store.Game) int { return cmp.Or(a.Changed.Compare(b.Changed), of[a.ID].ID-of[b.ID].ID) })
	add := func(to *[]notice.LeagueWait, w notice.LeagueWait) {
		if len(*to) < maxReported {
			*to = append(*to, w)
		}
	}
	for _, row := range rows {
		w := notice.LeagueWait{Game: fixtureName(c, of[row.ID]), Days: int(u.At.Sub(row.Changed) / (24 * time.Hour))}
		var late, absent, waits []string
		for _, x := range seats[row.ID] {
			switch {
			case x.Player != 0 && x.Bot != "":
				absent = append(absent, x.Name)
			case x.Missed > 0 || !x.Deadline.IsZero() && x.Deadline.Before(u.At):
				late = append(late, x.Name)
			}
			if !x.Deadline.IsZero() {
				waits = append(waits, x.Name)
			}
		}
		if len(late) > 0 {
			add(&r.Late, notice.LeagueWait{Game: w.Game, Names: late})
		}
		if len(absent) > 0 {
			add(&r.Absent, notice.LeagueWait{Game: w.Game, Names: absent})
		}
		switch {
		case !row.Paused.IsZero():
			add(&r.Paused, notice.LeagueWait{Game: w.Game, Days: int(u.At.Sub(row.Paused) / (24 * time.Hour))})
		case u.At.Sub(row.Changed) >= max(longAfter, (&unit.Game{Row: row}).Pace().Turn):
			if w.Names = waits; len(waits) == 0 && len(r.Longest) < maxReported { // it has no clock
				t, err := u.Game(row.ID)
				if err != nil && !errors.Is(err, replays.ErrUnreadable) {
					return err
				}
				if err == nil && t.Replay != nil {
					w.Names = split(t.NamesOf(t.Replay.State.Project(0).ToAct))
				}
			}
			add(&r.Longest, w)
		}
	}
	return nil
}

// split splits a list of names that has commas between them.
func split(names string) []string {
	if names == "" {
		return nil
	}
	return strings.Split(names, ", ")
}

// rankRow is a row of a table for letters.
func rankRow(names map[int64]string, row league.Standing, reader int64) notice.LeagueRank {
	return notice.LeagueRank{Rank: row.Rank, Name: names[row.Player], Points: row.Points.Value.Decimal(pointPlaces),
		Played: row.Played, Games: row.Games, Move: string(row.Move), You: row.Player == reader, Left: row.Left, Unplayed: row.Unplayed}
}
