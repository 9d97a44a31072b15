package web

import (
	"cmp"
	"net/http"
	"slices"
	"strings"
	"time"

	"angelpost/engine/game"
	"angelpost/engine/league"
	"angelpost/engine/match/look"
	"angelpost/engine/store"
	"angelpost/templates"
	"angelpost/templates/leaguepage"
	"angelpost/templates/words"
)

// The JSON of leagues; API.md describes it.

type (
	leaguesJSON struct {
		Schema  int          `json:"schema"`
		Leagues []leagueJSON `json:"leagues"`
		Before  string       `json:"before,omitempty"`
	}
	leagueJSON struct {
		League     string      `json:"league"`
		Name       string      `json:"name"`
		Kind       league.Kind `json:"kind"`
		State      string      `json:"state"`
		Players    int         `json:"players"`
		Waiting    int         `json:"waiting"`
		Season     int         `json:"season"`
		Created    string      `json:"created"`
		Changed    string      `json:"changed"`
		Commitment string      `json:"commitment"`
		Lines      int         `json:"lines"`
		Path       string      `json:"path"`
		Stops      []stopJSON  `json:"stops,omitempty"`
	}
	stopJSON struct {
		Kind     string `json:"kind"` // pause, close or archive
		Division int    `json:"division,omitempty"`
		Since    string `json:"since"`
		By       int64  `json:"by"`
		Reason   string `json:"reason"`
	}
	wholeLeagueJSON struct {
		Schema int `json:"schema"`
		leagueJSON
		File    string             `json:"file"`
		Seasons []leagueSeasonJSON `json:"seasons"`
		Members []memberJSON       `json:"members"`
	}
	memberJSON struct {
		Player     int64  `json:"player"`
		Name       string `json:"name"`
		Joined     string `json:"joined,omitempty"`
		Left       string `json:"left,omitempty"`
		Substitute bool   `json:"substitute,omitempty"`
		CheckIn    string `json:"check_in,omitempty"`
	}
	leagueSeasonJSON struct {
		Season     int     `json:"season"`
		Began      string  `json:"began"`
		Ends       string  `json:"ends"`
		Ended      string  `json:"ended,omitempty"`
		Round      int     `json:"round,omitempty"`
		Divisions  int     `json:"divisions"`
		Counting   int     `json:"counting,omitempty"`
		Winners    []int64 `json:"winners,omitempty"`
		Commitment string  `json:"commitment"`
		Secret     string  `json:"secret,omitempty"`
	}
	seasonDataJSON struct {
		Schema int    `json:"schema"`
		League string `json:"league"`
		leagueSeasonJSON
		Tables []tableJSON `json:"tables"`
		From   int         `json:"from,omitempty"` // of the next page
	}
	tableJSON struct {
		Division  int       `json:"division"`
		Standings []rowJSON `json:"standings"`
	}
	rowJSON struct {
		Player int64           `json:"player"`
		Name   string          `json:"name"`
		Rank   int             `json:"rank"`
		Games  int             `json:"games"`
		Played int             `json:"played"`
		Points league.Rational `json:"points"`
		Move   league.Move     `json:"move,omitempty"`
		Left   bool            `json:"left,omitempty"`
		Bots   bool            `json:"bots,omitempty"`
		Terms  []termJSON      `json:"terms,omitempty"`
		Ties   []figureJSON    `json:"ties,omitempty"`
	}
	figureJSON struct {
		Of      league.Tie      `json:"of"`
		Value   league.Rational `json:"value"`
		Decides bool            `json:"decides,omitempty"`
		Terms   []termJSON      `json:"terms,omitempty"`
	}
	termJSON struct {
		Fixture  int              `json:"fixture"`
		Opponent int64            `json:"opponent,omitempty"`
		Place    int              `json:"place,omitempty"`
		Shared   int              `json:"shared,omitempty"`
		Score    int              `json:"score,omitempty"`
		Best     int              `json:"best,omitempty"`
		Turns    int              `json:"turns,omitempty"`
		All      int              `json:"all,omitempty"`
		Left     bool             `json:"left,omitempty"`
		Worth    *league.Rational `json:"worth,omitempty"`
		Value    league.Rational  `json:"value"`
	}
	divisionJSON struct {
		Schema    int           `json:"schema"`
		League    string        `json:"league"`
		Season    int           `json:"season"`
		Division  int           `json:"division"`
		Players   []int64       `json:"players"`
		Left      []goneJSON    `json:"left,omitempty"`
		Pairing   pairingJSON   `json:"pairing"`
		Standings []rowJSON     `json:"standings"`
		Guests    []guestJSON   `json:"guests,omitempty"`
		Games     []fixtureJSON `json:"games"`
		Stops     []stopJSON    `json:"stops,omitempty"`
	}
	guestJSON struct {
		Player int64           `json:"player"`
		Name   string          `json:"name"`
		Games  int             `json:"games"`
		Points league.Rational `json:"points"`
		Terms  []termJSON      `json:"terms"`
	}
	goneJSON struct {
		Player int64  `json:"player"`
		At     string `json:"at"`
		To     int64  `json:"to,omitempty"`
	}
	pairingJSON struct {
		Games    [2]int `json:"games"`
		Meetings [2]int `json:"meetings"`
		Seats    [2]int `json:"seats"`
		Exact    bool   `json:"exact"`
	}
	fixtureJSON struct {
		Fixture   int          `json:"fixture"`
		Round     int          `json:"round"`
		Table     int          `json:"table"`
		Match     int          `json:"match,omitempty"`
		Leg       int          `json:"leg,omitempty"`
		Players   []int64      `json:"players"`
		Absent    []int64      `json:"absent,omitempty"`
		Game      string       `json:"game,omitempty"`
		Shown     bool         `json:"shown,omitempty"`
		Earlier   []string     `json:"earlier,omitempty"`
		State     string       `json:"state"`
		Deadlines []game.Until `json:"deadlines,omitempty"`
		Began     string       `json:"began,omitempty"`
		Ended     string       `json:"ended,omitempty"`
		Ruling    string       `json:"ruling,omitempty"`
		Seats     []seatJSON   `json:"seats,omitempty"`
	}
	seatJSON struct {
		league.Seat
		Place int   `json:"place"`
		By    int64 `json:"by,omitempty"`   // who finished it, if not its player
		Bots  bool  `json:"bots,omitempty"` // it does not count
	}
	rulingsJSON struct {
		Schema  int          `json:"schema"`
		League  string       `json:"league"`
		Rulings []rulingJSON `json:"rulings"`
		Before  int          `json:"before,omitempty"`
	}
	rulingJSON struct {
		Line    int      `json:"line"`
		At      string   `json:"at"`
		By      int64    `json:"by,omitempty"`
		Name    string   `json:"name,omitempty"`
		Ruling  string   `json:"ruling"`
		Args    []string `json:"args,omitempty"`
		Reason  string   `json:"reason"`
		Game    string   `json:"game,omitempty"`
		Fixture int      `json:"fixture,omitempty"`
	}
	logJSON struct {
		Schema int           `json:"schema"`
		League string        `json:"league"`
		Lines  []league.Line `json:"lines"`
		After  int           `json:"after,omitempty"` // of the next page
	}
)

// rfc is a time as data has it, "" for none.
func rfc(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}

// leagueLine is a league in a list of them.
func (s Server) leagueLine(c *leaguepage.Presenter) leagueJSON {
	out := leagueJSON{League: c.ID, Name: c.Name(), Kind: c.Rules.Kind, State: "waiting", Created: rfc(c.Created), Changed: rfc(c.Changed), Commitment: c.Commitment, Lines: c.Lines,
		Players: c.State.Members(), Waiting: len(c.State.Waiting()), Path: s.path + c.Href(), Stops: stopsOf(c, 0)}
	if x := c.State.Season(); x != nil {
		if out.Season, out.State = x.N, "between"; x.Running() {
			out.State = "running"
		}
	}
	if c.Over {
		out.State = "over"
	}
	return out
}

// stopsOf are the stops of a league or a division (0: all).
func stopsOf(c *leaguepage.Presenter, division int) (out []stopJSON) {
	for _, l := range c.Stops(division) {
		out = append(out, stopJSON{l.Kind, l.Division, rfc(l.At), l.By, words.WithoutAddresses(l.Text)})
	}
	return out
}

func (s Server) leaguesData(all []*look.LeagueView, more bool) leaguesJSON {
	out := leaguesJSON{Schema: game.Schema, Leagues: make([]leagueJSON, len(all))}
	for i, l := range all {
		out.Leagues[i] = s.leagueLine(leaguepage.New(s.Words, l))
	}
	if more {
		out.Before = all[len(all)-1].ID
	}
	return out
}

func (s Server) leagueData(c *leaguepage.Presenter) wholeLeagueJSON {
	out := wholeLeagueJSON{Schema: game.Schema, leagueJSON: s.leagueLine(c), File: c.Rules.String(), Seasons: []leagueSeasonJSON{}, Members: []memberJSON{}}
	for i := range c.State.Seasons {
		out.Seasons = append(out.Seasons, seasonLine(c, &c.State.Seasons[i]))
	}
	for _, p := range c.State.Players {
		out.Members = append(out.Members, memberJSON{p.ID, c.Called(p.ID), rfc(p.Joined), rfc(p.Left), p.Substitute, checkIn(p)})
	}
	return out
}

// checkIn returns the state of a player's check-in: "asked" without an answer, "no", or "" if
// they are there.
func checkIn(p league.Player) string {
	switch {
	case !p.In() || !p.Silent():
		return ""
	case p.Declined:
		return "no"
	}
	return "asked"
}

func seasonLine(c *leaguepage.Presenter, x *league.Season) leagueSeasonJSON {
	return leagueSeasonJSON{Season: x.N, Began: rfc(x.Began), Ends: rfc(x.Ends), Ended: rfc(x.Ended), Round: x.Round, Divisions: len(x.Divisions), Counting: x.Counting, Winners: c.State.Winners(x.N), Commitment: x.Commitment, Secret: c.State.Secret(x.N)}
}

func seasonData(c *leaguepage.Presenter, x *league.Season, from int) seasonDataJSON {
	out := seasonDataJSON{Schema: game.Schema, League: c.ID, leagueSeasonJSON: seasonLine(c, x)}
	shown, next := leaguepage.Divisions(x, from)
	for _, d := range shown {
		out.Tables = append(out.Tables, tableJSON{d.N, standingsData(c, x.N, d.N, false)})
	}
	out.From = next
	return out
}

// standingsData are standings, whole with what each figure is made of.
func standingsData(c *leaguepage.Presenter, season, division int, whole bool) []rowJSON {
	out := []rowJSON{}
	for _, r := range c.Standings(season, division) {
		row := rowJSON{Player: r.Player, Name: c.Called(r.Player), Rank: r.Rank, Games: r.Games, Played: r.Played, Points: r.Points.Value, Move: r.Move, Left: r.Left, Bots: r.Unplayed}
		if whole {
			row.Terms = termsOf(r.Points.Terms)
		}
		for _, f := range r.Ties {
			j := figureJSON{Of: f.Of, Value: f.Value, Decides: f.Decides}
			if whole {
				j.Terms = termsOf(f.Terms)
			}
			row.Ties = append(row.Ties, j)
		}
		out = append(out, row)
	}
	return out
}

func termsOf(all []league.Term) (out []termJSON) {
	for _, t := range all {
		j := termJSON{Fixture: t.Fixture, Opponent: t.Opponent, Place: t.Place, Shared: t.Shared, Score: t.Score, Best: t.Best, Turns: t.Turns, All: t.All, Left: t.Left, Value: t.Value}
		if t.Worth.Sign() != 0 {
			j.Worth = &t.Worth
		}
		out = append(out, j)
	}
	return out
}

func divisionData(c *leaguepage.Presenter, d *league.Division) divisionJSON {
	g := d.Design
	out := divisionJSON{Schema: game.Schema, League: c.ID, Season: d.Season, Division: d.N, Players: d.Players, Standings: standingsData(c, d.Season, d.N, true), Games: []fixtureJSON{},
		Pairing: pairingJSON{[2]int{g.Games.Min, g.Games.Max}, [2]int{g.Meetings.Min, g.Meetings.Max}, [2]int{g.Seats.Min, g.Seats.Max}, g.Exact}}
	if c.State.Seasons[d.Season-1].Running() {
		out.Stops = stopsOf(c, d.N)
	}
	for _, r := range c.State.Guests(d.Season, d.N) {
		out.Guests = append(out.Guests, guestJSON{r.Player, c.Called(r.Player), r.Games, r.Points.Value, termsOf(r.Points.Terms)})
	}
	for _, l := range d.Left {
		out.Left = append(out.Left, goneJSON{l.Player, rfc(l.At), l.To})
	}
	for _, f := range d.Fixtures {
		out.Games = append(out.Games, fixtureData(c, f))
	}
	return out
}

func fixtureData(c *leaguepage.Presenter, f *league.Fixture) fixtureJSON {
	out := fixtureJSON{Fixture: f.ID, Round: f.Round, Table: f.Table, Match: f.Match, Leg: f.Leg, Players: f.Players, Absent: f.Absent, Game: f.Game, Earlier: f.Earlier,
		State: f.Stands(), Began: rfc(f.Began), Ended: rfc(f.Ended)}
	p, begun := c.Games[f.Game]
	out.Shown = begun && p.Shown
	switch out.State {
	case "over":
		out.Ruling = f.Result.Ruling
		for _, o := range c.State.Outcomes(f) {
			j := seatJSON{Seat: o.Seat, Place: o.Place, Bots: !o.Counts}
			if o.By != o.Player {
				j.By = o.By
			}
			out.Seats = append(out.Seats, j)
		}
	case "running":
		if out.Shown {
			out.Deadlines = p.Deadlines
		}
	}
	return out
}

// rulings tells what the director decided, the last first.
func (s Server) rulings(w http.ResponseWriter, r *http.Request) {
	before, ok := number(r.URL.Query(), "before")
	if !ok {
		s.refuse(w, r, store.ErrNotFound)
		return
	}
	c, ok := s.seen(w, r, func(*league.State) []string { return nil })
	if !ok {
		return
	}
	shown, next := c.Rulings(before)
	if strings.HasSuffix(r.URL.Path, ".json") {
		out := rulingsJSON{Schema: game.Schema, League: c.ID, Rulings: []rulingJSON{}, Before: next}
		for _, u := range shown {
			j := rulingJSON{Line: u.N, At: rfc(u.At), By: u.By, Ruling: u.Ruling, Reason: words.WithoutAddresses(u.Text), Game: u.Game, Fixture: u.Fixture}
			if u.By != 0 {
				j.Name = c.Called(u.By)
			}
			for _, a := range u.Args {
				j.Args = append(j.Args, words.WithoutAddresses(a))
			}
			out.Rulings = append(out.Rulings, j)
		}
		s.sendJSON(w, r, openCache, out)
		return
	}
	p := c.RulingsPage(shown, next)
	p.Frame = s.framed(w, r, c, p.Title, c.Href()+"/rulings")
	s.write(w, r, openCache, templates.RulingsPage(p))
}

// linesPage bounds the lines of a log that are sent at once.
const linesPage = 1000

// leagueLog serves a league's log, of which all else is computed.
func (s Server) leagueLog(w http.ResponseWriter, r *http.Request) {
	after, ok := number(r.URL.Query(), "after")
	if !ok {
		s.refuse(w, r, store.ErrNotFound)
		return
	}
	c, ok := s.seen(w, r, nil)
	if !ok {
		return
	}
	lines, more, err := s.Leagues.LeagueLog(r.Context(), c.ID, max(after, 0), linesPage)
	if err != nil {
		s.refuse(w, r, err)
		return
	}
	out := logJSON{Schema: game.Schema, League: c.ID, Lines: []league.Line{}}
	for _, l := range lines {
		if l.Kind != league.Amend {
			l.Text = words.WithoutAddresses(l.Text)
		}
		l.Args = slices.Clone(l.Args)
		for i, a := range l.Args {
			l.Args[i] = words.WithoutAddresses(a)
		}
		out.Lines = append(out.Lines, l)
	}
	if more {
		out.After = lines[len(lines)-1].N
	}
	s.sendJSON(w, r, openCache, out)
}

// leagueFile serves a league's file, without addresses.
func (s Server) leagueFile(w http.ResponseWriter, r *http.Request) {
	c, ok := s.seen(w, r, func(*league.State) []string { return nil })
	if !ok {
		return
	}
	w.Header().Set("Content-Disposition", `attachment; filename="`+words.Clean(strings.Map(plainRune, c.ID), 60)+`.txt"`)
	s.send(w, r, "text/plain; charset=utf-8", openCache, []byte(c.Rules.String()))
}

// plainRune drops what a file is not called.
func plainRune(r rune) rune {
	if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' {
		return r
	}
	return -1
}

// leagueFeed tells what happened in a league: results, rulings, seasons, what
// its director said.
func (s Server) leagueFeed(w http.ResponseWriter, r *http.Request) {
	c, ok := s.seen(w, r, func(x *league.State) []string { return leaguepage.Recent(x, feedGames) })
	if !ok {
		return
	}
	f := atomFeed{ID: s.tag("league", c.ID), Title: c.Name(), Link: []atomLink{{Href: s.BaseURL + c.Href()}}}
	for _, n := range c.News(feedGames) {
		f.Entry = append(f.Entry, atomEntry{ID: s.tag("league", c.ID, n.ID), Title: n.Title, Updated: rfc(n.At), Link: &atomLink{Href: s.BaseURL + n.Href}, Content: atomText{"text", n.Text}})
	}
	slices.SortStableFunc(f.Entry, func(a, b atomEntry) int { return cmp.Compare(b.Updated, a.Updated) })
	f.Entry = f.Entry[:min(len(f.Entry), feedGames)]
	s.sendFeed(w, r, openCache, f, c.Href()+"/feed.atom", c.Created)
}

type membershipJSON struct {
	League  string         `json:"league"`
	Name    string         `json:"name"`
	Waiting bool           `json:"waiting,omitempty"`
	Seasons []playedInJSON `json:"seasons"`
}

type playedInJSON struct {
	Season   int  `json:"season"`
	Division int  `json:"division"`
	Rank     int  `json:"rank"`
	Running  bool `json:"running,omitempty"`
}

// membershipsOf returns a player's leagues, with their ranks in the last seasons.
func membershipsOf(all []*look.LeagueView, player int64) []membershipJSON {
	out := []membershipJSON{}
	for _, l := range all {
		m := membershipJSON{League: l.ID, Name: words.Clean(l.LeagueInfo.Name, league.MaxName), Seasons: []playedInJSON{}, Waiting: slices.Contains(l.State.Waiting(), player)}
		for _, p := range leaguepage.SeasonsOf(l, player) {
			m.Seasons = append(m.Seasons, playedInJSON(p))
		}
		out = append(out, m)
	}
	return out
}
