package match

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"time"

	"angelpost/engine/league"
	"angelpost/engine/notice"
	"angelpost/engine/store"
)

// What a reader is in a league.
const (
	LeaguePlaying = "playing" // in the season that runs
	LeagueWaiting = "waiting" // for the next
	LeagueReady   = "ready"   // to take over a seat
)

// tale returns what a player is told of a league; player 0 is a stranger.
func (s *unit) tale(c *leagueUnit, player int64) *notice.League {
	zone := s.readerZone(player)
	st, r := c.state, c.rules()
	t := &notice.League{ID: c.row.ID, Name: r.Name, About: r.About, Kind: string(r.Kind), Page: c.row.Visibility != store.Private, Over: c.row.Over,
		Join: r.Join, Least: r.Least, Players: st.Members()}
	if row, err := s.options(leagueOptions(r, 1)); err == nil && seatOptions(&row.Options, r.Table, r.Option("hal")) == nil {
		t.Options = row.Options
	}
	if p := st.Player(player); p != nil {
		switch {
		case st.Division(player) != nil:
			t.You = LeaguePlaying
		case p.In():
			t.You = LeagueWaiting
		case p.Substitute:
			t.You = LeagueReady
		}
	}
	if x := st.Season(); x != nil {
		t.Season, t.Running, t.Round, t.Divisions = x.N, x.Running(), x.Round, len(x.Divisions)
		if r.Kind != league.Divisions && r.Kind != league.Knockout {
			t.Rounds = r.Rounds
		}
		if t.Running {
			t.Ends = when(x.Ends, zone)
		}
		switch at, ok := st.NextRound(); {
		case ok && at.IsZero():
			t.After = true
		case ok && at.After(s.now):
			t.Next = when(at, zone)
		}
	}
	if at, ok := st.Opens(); ok && at.After(s.now) {
		t.Opens = when(at, zone)
	}
	return t
}

// readerZone is zoneOf for a reader who may be unknown.
func (s *unit) readerZone(player int64) *time.Location {
	if player == 0 {
		return time.UTC
	}
	return s.zoneOf(player)
}

// divisionOf is a player's division in a season, nil if they are in none.
func divisionOf(x *league.Season, player int64) *league.Division {
	if x == nil {
		return nil
	}
	for i := range x.Divisions {
		if slices.Contains(x.Divisions[i].Players, player) {
			return &x.Divisions[i]
		}
	}
	return nil
}

// gamesInto puts a player's games of the last season into a tale; of some
// fixtures, if they are given.
func (s *unit) gamesInto(c *leagueUnit, t *notice.League, player int64, of ...int) {
	d := divisionOf(c.state.Season(), player)
	if d == nil {
		return
	}
	names := s.leagueNames(c)
	t.Division = d.N
	for _, f := range d.Fixtures {
		seat := slices.Index(f.Players, player) + 1
		if seat == 0 || len(of) > 0 && !slices.Contains(of, f.ID) {
			continue
		}
		g := notice.LeagueGame{Name: fixtureName(c, f), Game: f.Game, Seat: seat, State: "open"}
		for _, p := range slices.Concat(f.Players, f.Absent) {
			g.Names = append(g.Names, names[p])
		}
		switch {
		case f.Void:
			g.State = "void"
		case f.Bye:
			g.State = "bye"
		case f.Unneeded:
			g.State = "unneeded"
		case f.Result != nil && f.Result.Ruling == league.Forfeit:
			g.State = "forfeit"
		case f.Result != nil:
			g.State, g.Place = "over", f.Result.Seats[seat-1].Place
			for _, x := range f.Result.Seats {
				g.VP = append(g.VP, x.Score)
			}
			if len(f.Players) == 1 {
				g.VP = append(g.VP, f.Result.Seats[0].Hal)
			}
		case f.Game != "":
			g.State = "running"
		}
		t.Games = append(t.Games, g)
	}
	x := c.state.Season()
	t.Aside = x.Running() && x.Rules.Kind == league.Ladder && t.You == LeaguePlaying && slices.Contains(c.aside(), player)
}

// Bounds of the table of a division in a letter: of a longer one than maxRanks there
// are the first bestRanks and nearRanks around the reader on either side.
const (
	maxRanks  = 50
	bestRanks = 20
	nearRanks = 5
	maxGuests = 20
)

// standings puts a division's table into a tale: the player's own division, or
// the first.
func (s *unit) standings(c *leagueUnit, t *notice.League, player int64) {
	x := c.state.Season()
	if x == nil {
		return
	}
	t.Division = 1
	if d := divisionOf(x, player); d != nil {
		t.Division = d.N
	}
	names := s.leagueNames(c)
	rows, open := c.ranks(x.N, t.Division), c.state.For(player)
	if open != c.state {
		rows = open.Standings(x.N, t.Division)
	}
	you := slices.IndexFunc(rows, func(r league.Standing) bool { return r.Player == player })
	for i, row := range rows {
		if len(rows) > maxRanks && i >= bestRanks && (you < 0 || i < you-nearRanks || i > you+nearRanks) {
			t.More++
			continue
		}
		t.Table = append(t.Table, notice.LeagueRank{Rank: row.Rank, Name: names[row.Player], Points: row.Points.Value.Decimal(pointPlaces),
			Played: row.Played, Games: row.Games, Move: string(row.Move), You: row.Player == player, Left: row.Left})
	}
	for i := range x.Divisions {
		n := x.Divisions[i].N
		guests := c.guestsOf(x.N, n)
		if open != c.state {
			guests = open.Guests(x.N, n)
		}
		for _, row := range guests {
			g := notice.LeagueRank{Name: names[row.Player], Points: row.Points.Value.Decimal(pointPlaces), Played: row.Played, Games: row.Games, You: row.Player == player}
			if n != t.Division {
				g.Division = n
			}
			if g.Division > 0 && !g.You {
				continue
			}
			if g.Name == "" { // a director put them there
				p := s.player(row.Player)
				g.Name = cmp.Or(p.Name, "Player "+strconv.FormatInt(row.Player, 10))
			}
			t.Guests = append(t.Guests, g)
		}
	}
	slices.SortStableFunc(t.Guests, func(a, b notice.LeagueRank) int { return cmp.Compare(yours(b), yours(a)) })
	t.Guests = t.Guests[:min(len(t.Guests), maxGuests)]
}

func yours(r notice.LeagueRank) int { return map[bool]int{true: 1}[r.You] }

// pointPlaces is how many decimals of points letters show, as pages do; pages and
// data have the exact fraction, too.
const pointPlaces = 3

// ranks are the standings of a division, computed once in a unit of work.
func (c *leagueUnit) ranks(season, division int) []league.Standing {
	return c.once(&c.ranked, (*league.State).Standings, season, division)
}

// guestsOf are the guests of a division, computed once in a unit of work.
func (c *leagueUnit) guestsOf(season, division int) []league.Standing {
	return c.once(&c.guests, (*league.State).Guests, season, division)
}

func (c *leagueUnit) once(known *map[[3]int][]league.Standing, compute func(*league.State, int, int) []league.Standing, season, division int) []league.Standing {
	key := [3]int{c.state.Lines, season, division}
	if rows, ok := (*known)[key]; ok {
		return rows
	}
	if *known == nil {
		*known = map[[3]int][]league.Standing{}
	}
	(*known)[key] = compute(c.state, season, division)
	return (*known)[key]
}

// tellLeague begins or finds the letter to a player about a league.
func (s *unit) tellLeague(c *leagueUnit, player int64, code string, args ...string) *draft {
	d := s.draftOf(player, nil, c, notice.KindInfo)
	d.about(c)
	d.say(code, append([]string{"league", c.rules().Name}, args...)...)
	return d
}

// tellSeason tells all players of a season that has begun in which division they play,
// against whom, and when.
func (s *unit) tellSeason(c *leagueUnit) {
	x, code := c.state.Season(), notice.TellSeason
	if len(x.Divisions) > 1 {
		code = notice.TellSeasonIn
	}
	for _, division := range x.Divisions {
		s.loadPlayers(division.Players)
		for _, p := range division.Players {
			d := s.tellLeague(c, p, code, "season", strconv.Itoa(x.N), "n", strconv.Itoa(division.N), "of", strconv.Itoa(len(x.Divisions)))
			if !c.rules().Absences {
				d.say(notice.TellNoVacation)
			}
			t := s.tale(c, p)
			s.gamesInto(c, t, p)
			d.answer.Sections = append(slices.DeleteFunc(d.answer.Sections, func(x notice.Section) bool { // said before it began
				return x.Kind == "league" && x.League.ID == t.ID
			}), notice.Section{Kind: "schedule", League: t})
		}
	}
}

// tellSeasonEnd tells all players how the season ended for them, and what comes.
func (s *unit) tellSeasonEnd(c *leagueUnit) {
	x := c.state.Season()
	for _, division := range x.Divisions {
		s.loadPlayers(division.Players)
		rows := c.ranks(x.N, division.N)
		for _, row := range rows {
			if row.Left {
				continue
			}
			code := notice.TellSeasonEnd
			switch row.Move {
			case league.Up:
				code = notice.TellSeasonUp
			case league.Down:
				code = notice.TellSeasonDown
			}
			d := s.tellLeague(c, row.Player, code, "season", strconv.Itoa(x.N), "rank", strconv.Itoa(row.Rank), "n", strconv.Itoa(len(rows)))
			t := s.tale(c, row.Player)
			t.Secret = c.state.Secret(x.N)
			s.standings(c, t, row.Player)
			d.answer.Sections = append(d.answer.Sections, notice.Section{Kind: "season-end", League: t})
		}
	}
}

// tellRound tells everybody of a solo league how a round went, and its seed.
func (s *unit) tellRound(c *leagueUnit, round int) {
	x := c.state.Season()
	i := slices.IndexFunc(c.state.Fixtures, func(f *league.Fixture) bool { return f.Season == x.N && f.Round == round })
	if i < 0 {
		return
	}
	seed, _ := c.state.GameSeed(c.state.Fixtures[i])
	s.loadPlayers(x.Divisions[0].Players)
	for _, p := range x.Divisions[0].Players {
		d := s.tellLeague(c, p, notice.TellRound, "n", strconv.Itoa(round), "seed", fmt.Sprintf("%x", seed))
		if !x.Running() { // the season's table comes with it
			continue
		}
		t := s.tale(c, p)
		s.standings(c, t, p)
		d.answer.Sections = append(d.answer.Sections, notice.Section{Kind: "standings", League: t})
	}
}
