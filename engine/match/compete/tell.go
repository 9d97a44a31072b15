package compete

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"angelpost/engine/league"
	"angelpost/engine/match/seating"
	"angelpost/engine/match/unit"
	"angelpost/engine/notice"
	"angelpost/engine/store"
)

// What a reader is in a league.
const (
	LeaguePlaying = "playing" // in the season that runs
	LeagueWaiting = "waiting" // for the next
	LeagueReady   = "ready"   // to take over a seat
)

// ready returns how many substitutes can take a seat: not those with a place in the only
// division of the season that runs.
func ready(st *league.State) (n int) {
	x := st.Season()
	for _, id := range st.Substitutes() {
		if x == nil || !x.Running() || slices.ContainsFunc(x.Divisions, func(d league.Division) bool { return !slices.Contains(d.In(), id) }) {
			n++
		}
	}
	return n
}

// tale returns what we tell a player about a league; player 0 is a stranger.
func tale(u *unit.Unit, c *unit.League, player int64) *notice.League {
	zone := readerZone(u, player)
	st, r := c.State, c.Rules()
	t := &notice.League{ID: c.Row.ID, Name: r.Name, About: r.About, Kind: string(r.Kind), Page: c.Row.Visibility != store.Private, Over: c.Row.Over,
		Join: r.Join, Full: st.Full(), Least: r.Least, Players: st.Members()}
	t.Ready = ready(st)
	rules, division := r, 1 // those of the season that runs: the file may say otherwise by now
	if x := st.Season(); x != nil && x.Running() {
		rules = x.Rules
		if d := st.Division(player); d != nil {
			division = d.N
		}
	}
	if row, err := seating.Options(u, leagueOptions(rules, division)); err == nil && seating.SeatOptions(&row.Options, rules.Table, rules.Option("hal")) == nil {
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
			t.Rounds, t.RoundOver = rules.Rounds, roundIsOver(x)
		}
		if t.Running && !st.Ending(u.At) {
			t.Ends = unit.When(x.Ends, zone)
		}
		switch at, ok := st.NextRound(); {
		case ok && at.IsZero():
			t.After = true
		case ok && at.After(u.At):
			t.Next = unit.When(at, zone)
		}
	}
	if at, ok := st.Opens(); ok && at.After(u.At) {
		t.Opens = unit.When(at, zone)
	}
	for _, l := range st.Stops {
		if l.Division == 0 || st.Division(player) != nil && st.Division(player).N == l.Division {
			t.Stops = append(t.Stops, notice.LeagueStop{Kind: l.Kind, Division: l.Division, Since: unit.When(l.At, zone), Reason: l.Text})
		}
	}
	return t
}

// roundIsOver reports whether a season's present round has begun and all of its games are over.
func roundIsOver(x *league.Season) bool {
	games := 0
	for _, f := range x.Divisions[0].Fixtures {
		if f.Round == x.Round {
			if games++; !f.Over() {
				return false
			}
		}
	}
	return games > 0
}

// readerZone is unit.ZoneOf for a reader who may be unknown.
func readerZone(u *unit.Unit, player int64) *time.Location {
	if player == 0 {
		return time.UTC
	}
	return u.ZoneOf(player)
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

// gamesInto adds a player's games of the last season to t; only the fixtures in of, if there
// are any.
func gamesInto(u *unit.Unit, c *unit.League, t *notice.League, player int64, of ...int) {
	d := divisionOf(c.State.Season(), player)
	if d == nil {
		return
	}
	names, x, public := u.LeagueNames(c), c.State.Season(), c.State.For(0)
	t.Division = d.N
	for _, f := range d.Fixtures {
		seat := slices.Index(f.Players, player) + 1
		if seat == 0 || len(of) > 0 && !slices.Contains(of, f.ID) {
			continue
		}
		g := notice.LeagueGame{Name: fixtureName(c, f), Game: f.Game, Seat: seat, State: "open", Private: public.Fixture(f.ID).Hidden}
		for _, p := range slices.Concat(f.Players, f.Absent) {
			g.Names = append(g.Names, names[p])
		}
		switch {
		case f.Void:
			g.State = "void"
		case f.Bye:
			if g.State = "bye"; missed(x.Rules, f.Round) {
				g.State = "bye-empty"
			}
		case f.Unneeded:
			g.State = "unneeded"
		case f.Result != nil && f.Result.Ruling == league.Forfeit:
			g.State = "forfeit"
		case f.Result != nil:
			if outcomes := c.State.Outcomes(f); len(outcomes) >= seat {
				g.State, g.Place = "over", outcomes[seat-1].Place
			}
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
	t.Aside = x.Running() && x.Rules.Kind == league.Ladder && t.You == LeaguePlaying && slices.Contains(aside(c), player)
}

// Bounds of the table of a division in a letter. Of a table longer than maxRanks it shows the
// first bestRanks, and nearRanks on either side of the reader.
const (
	maxRanks  = 50
	bestRanks = 20
	nearRanks = 5
	maxGuests = 20
)

// standings adds a division's table to t: the player's own division, or the first.
func standings(u *unit.Unit, c *unit.League, t *notice.League, player int64) {
	x := c.State.Season()
	if x == nil {
		return
	}
	t.Division = 1
	if d := divisionOf(x, player); d != nil {
		t.Division = d.N
	}
	names := u.LeagueNames(c)
	rows, open := c.Ranks(x.N, t.Division), c.State.For(player)
	if open != c.State {
		rows = open.Standings(x.N, t.Division)
	}
	you := slices.IndexFunc(rows, func(r league.Standing) bool { return r.Player == player })
	for i, row := range rows {
		if len(rows) > maxRanks && i >= bestRanks && (you < 0 || i < you-nearRanks || i > you+nearRanks) {
			t.More++
			continue
		}
		t.Table = append(t.Table, rankRow(names, row, player))
	}
	for i := range x.Divisions {
		n := x.Divisions[i].N
		guests := c.GuestsOf(x.N, n)
		if open != c.State {
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
			g.Name = calledIn(u, names, row.Player) // or a director put them there
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

// tellLeague begins or finds the letter to a player about a league.
func tellLeague(u *unit.Unit, c *unit.League, player int64, code string, args ...string) *unit.Draft {
	d := u.DraftOf(player, nil, c, notice.KindInfo)
	d.About(c)
	d.Say(code, append([]string{"league", c.Rules().Name}, args...)...)
	return d
}

// tellSeason tells each player of a season that has begun their division, their opponents and
// the dates, and tells the director all of that.
func tellSeason(u *unit.Unit, c *unit.League) error {
	x, code := c.State.Season(), notice.TellSeason
	if len(x.Divisions) > 1 {
		code = notice.TellSeasonIn
	}
	displaced := c.State.Displaced()
	for _, division := range x.Divisions {
		u.LoadPlayers(division.Players)
		for _, p := range division.Players {
			d := tellLeague(u, c, p, code, "season", strconv.Itoa(x.N), "n", strconv.Itoa(division.N), "of", strconv.Itoa(len(x.Divisions)))
			if slices.Contains(displaced, p) {
				d.Say(notice.TellDisplaced, "league", c.Rules().Name, "n", strconv.Itoa(division.N))
			}
			if !c.Rules().Absences {
				d.Say(notice.TellNoVacation)
			}
			t := tale(u, c, p)
			gamesInto(u, c, t, p)
			d.Answer.Sections = append(slices.DeleteFunc(d.Answer.Sections, func(x notice.Section) bool { // said before it began
				return x.Kind == "league" && x.League.ID == t.ID
			}), notice.Section{Kind: "schedule", League: t})
		}
	}
	return reportSeason(u, c, notice.TellDirectSeason)
}

// schedules updates what letters of this transaction say of games, because games of a season
// that has just begun may have begun since.
func schedules(u *unit.Unit, c *unit.League) {
	for _, d := range u.Drafts {
		for _, s := range d.Answer.Sections {
			if s.Kind == "schedule" && s.League.ID == c.Row.ID && d.Player != 0 {
				aside := s.League.Aside
				s.League.Games = nil
				gamesInto(u, c, s.League, d.Player)
				s.League.Aside = aside
			}
		}
	}
}

// tellChanges tells players which results of the last season, known from letters or tables, a
// line of this transaction has changed.
func tellChanges(u *unit.Unit, c *unit.League) {
	for _, x := range c.Changes() {
		then := cmp.Or(string(x.Now), "stays")
		switch {
		case x.Won:
			then = "won"
		case x.Lost:
			then = "lost"
		case x.Open:
			then = "open"
		}
		args := []string{"season", strconv.Itoa(c.State.Season().N), "was", string(x.Was)}
		if x.Ruling == nil {
			then += "-left"
		} else if args = append(args, "reason", x.Ruling.Text); x.Ruling.Game != "" {
			args = append(args, "game", fixtureName(c, c.State.Of(x.Ruling.Game)))
		}
		tellLeague(u, c, x.Player, notice.TellChanged, append(args, "then", then)...)
	}
}

// tellOutcome adds to the letters about a finished game what its league counts differently from
// the game's table: seats that do not count, and who has the place in the bracket of a player
// who left.
func tellOutcome(u *unit.Unit, c *unit.League, t *unit.Game, f *league.Fixture, holders map[int64]int64) {
	names := u.LeagueNames(c)
	var idle, left, won []string
	var idlers, leavers, winners []int64
	outcomes := c.State.Outcomes(f)
	for _, o := range outcomes {
		switch {
		case !o.Counts:
			idle, idlers = append(idle, names[o.Player]), append(idlers, o.Player)
		case o.Left:
			left, leavers = append(left, names[o.Player]), append(leavers, o.Player)
		case o.Won():
			won, winners = append(won, calledIn(u, names, o.By)), append(winners, o.By)
		}
	}
	if len(outcomes) < 2 { // solo games are compared in their round
		won = nil
	}
	if len(idle) > 0 {
		args := []string{"league", c.Rules().Name, "names", strings.Join(idle, ", "), "n", strconv.Itoa(len(idle)), "who", strings.Join(won, ", ")}
		code := notice.TellIdleWon
		if len(won) == 0 {
			code = notice.TellIdle
		}
		u.TellAll(t, 0, func(x *store.Seat, d *unit.Draft) {
			switch {
			case len(idlers) == 1 && x.Player == idlers[0]:
				d.Say(code, append(args, "then", "you")...)
			case len(won) == 1 && x.Player == winners[0]:
				d.Say(code, append(args, "then", "winner")...)
			default:
				d.Say(code, args...)
			}
		}, idlers...)
	}
	if len(left) > 0 && len(outcomes) > 1 {
		args := []string{"league", c.Rules().Name, "names", strings.Join(left, ", "), "n", strconv.Itoa(len(left))}
		finished := slices.ContainsFunc(outcomes, func(o league.Outcome) bool { return o.Counts && !o.Left })
		u.TellAll(t, 0, func(x *store.Seat, d *unit.Draft) {
			switch {
			case !finished:
				d.Say(notice.TellSeatLeft, append(args, "then", "all")...)
			case len(leavers) == 1 && x.Player == leavers[0]:
				d.Say(notice.TellSeatLeft, append(args, "then", "you")...)
			default:
				d.Say(notice.TellSeatLeft, args...)
			}
		}, leavers...)
	}
	for _, o := range outcomes {
		heir := holders[o.Player]
		if heir == 0 {
			continue
		}
		args := []string{"league", c.Rules().Name, "name", names[o.Player], "who", names[heir]}
		u.TellAll(t, 0, func(x *store.Seat, d *unit.Draft) {
			if x.Player == heir {
				d.Say(notice.TellBracket, append(args, "then", "you")...)
			} else {
				d.Say(notice.TellBracket, args...)
			}
		})
	}
}

// calledIn returns a player's name in a league; a player who is not in it has their own name.
func calledIn(u *unit.Unit, names map[int64]string, id int64) string {
	return cmp.Or(names[id], u.Player(id).Name, store.StandIn(id))
}

// calledAll are the names of players as one text.
func calledAll(u *unit.Unit, names map[int64]string, ids []int64) string {
	var out []string
	for _, id := range ids {
		out = append(out, calledIn(u, names, id))
	}
	return strings.Join(out, ", ")
}

// tellSeasonEnd tells all players how the season ended for them, and what comes next.
func tellSeasonEnd(u *unit.Unit, c *unit.League) error {
	x := c.State.Season()
	records, winners, names := recordsOf(u, c, x.N), c.State.Winners(x.N), u.LeagueNames(c)
	for _, division := range x.Divisions {
		u.LoadPlayers(division.Players)
		rows, in := c.Ranks(x.N, division.N), divisionIn(x, division.N)
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
			won, others := "none", slices.Clone(winners)
			if len(winners) > 0 {
				won = "others"
			}
			if i := slices.Index(winners, row.Player); i >= 0 {
				won, others = "you", slices.Delete(others, i, i+1)
			}
			d := tellLeague(u, c, row.Player, code, "season", strconv.Itoa(x.N), "rank", strconv.Itoa(row.Rank), "n", strconv.Itoa(len(rows)), "in", in,
				"won", won, "w", strconv.Itoa(len(others)), "who", calledAll(u, names, others))
			if n := len(d.Answer.Remarks) - 1; n > 0 { // before what else the letter says: it leads with this
				d.Answer.Remarks = slices.Insert(d.Answer.Remarks[:n:n], 0, d.Answer.Remarks[n])
			}
			t := tale(u, c, row.Player)
			t.Secret, t.Records = c.State.Secret(x.N), records
			standings(u, c, t, row.Player)
			d.Answer.Sections = slices.Insert(d.Answer.Sections, 0, notice.Section{Kind: "season-end", League: t})
		}
	}
	return reportSeason(u, c, notice.TellDirectEnd)
}

// divisionIn is a division for letters, "0" where a season has only one.
func divisionIn(x *league.Season, division int) string {
	if len(x.Divisions) == 1 {
		return "0"
	}
	return strconv.Itoa(division)
}

// recordsOf returns the best of each kind of a season's records, streaks and scores, with all
// players who have it.
func recordsOf(u *unit.Unit, c *unit.League, season int) (out []notice.LeagueRecord) {
	names, r := u.LeagueNames(c), c.State.Records(season)
	add := func(kind string, value int, players ...int64) {
		x := notice.LeagueRecord{Kind: kind, Value: value}
		for _, p := range players {
			x.Names = append(x.Names, names[p])
		}
		out = append(out, x)
	}
	if len(r.Streaks) > 0 {
		var all []int64
		for _, x := range r.Streaks {
			if x.Games == r.Streaks[0].Games {
				all = append(all, x.Player)
			}
		}
		add("streak", r.Streaks[0].Games, all...)
	}
	if len(r.Closest) > 0 {
		add("closest", r.Closest[0].Margin, r.Closest[0].Fixture.Players...)
	}
	if len(r.Highest) > 0 {
		var all []int64
		for _, x := range r.Highest {
			if x.Score == r.Highest[0].Score && !slices.Contains(all, x.Player) {
				all = append(all, x.Player)
			}
		}
		add("highest", r.Highest[0].Score, all...)
	}
	if len(r.Longest) > 0 && r.Longest[0].Lasted >= 24*time.Hour {
		add("longest", int(r.Longest[0].Lasted/(24*time.Hour)), r.Longest[0].Fixture.Players...)
	}
	return out
}

// tellRound tells everyone of a solo league how a round went, and its seed.
func tellRound(u *unit.Unit, c *unit.League, round int) {
	x := c.State.Season()
	i := slices.IndexFunc(c.State.Fixtures, func(f *league.Fixture) bool { return f.Season == x.N && f.Round == round })
	if i < 0 {
		return
	}
	seed, _ := c.State.GameSeed(c.State.Fixtures[i])
	u.LoadPlayers(x.Divisions[0].Players)
	for _, p := range x.Divisions[0].Players {
		d := tellLeague(u, c, p, notice.TellRound, "n", strconv.Itoa(round), "seed", fmt.Sprintf("%x", seed))
		if !x.Running() { // the season's table comes with it
			continue
		}
		t := tale(u, c, p)
		standings(u, c, t, p)
		d.Answer.Sections = append(d.Answer.Sections, notice.Section{Kind: "standings", League: t})
	}
}
