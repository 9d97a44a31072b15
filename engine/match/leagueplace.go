package match

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"angelpost/engine/league"
	"angelpost/engine/notice"
	"angelpost/engine/store"
)

// A player who leaves a league while its season runs leaves a place in it: the games
// they have not begun. The server asks the substitutes who play nowhere in the season,
// then those who wait for the next, one after the other, to take it. If no one does in
// time, what the place had to play is lost (league.Forfeit). Games they have begun are
// the games' own affair.

// answerFor is how long a substitute has to say whether they take a place.
const answerFor = 48 * time.Hour

// whenLost says for letters what comes when no one takes the place of a player who left
// a division; nothing: what has not begun is lost, the rest goes on and counts.
func (c *leagueUnit) whenLost(d *league.Division, player int64) []string {
	if d != nil && c.state.Annuls(d, player) {
		return []string{"then", "annul"}
	}
	return nil
}

// leftLeague tells the others of a player's division, and the director, that the player
// has left, and looks for a replacement.
func (s *unit) leftLeague(c *leagueUnit, player int64, d *league.Division) error {
	names := s.leagueNames(c)
	director := s.directorOf(c)
	then := c.whenLost(d, player)
	if director != 0 && director != player {
		d := s.tellLeague(c, director, notice.TellLeft, append(then, "name", names[player])...)
		d.asked = true // muted or not: it is their league
	}
	if d == nil {
		return nil
	}
	s.loadPlayers(d.In())
	for _, p := range d.In() {
		if p == director {
			continue
		}
		s.tellLeague(c, p, notice.TellLeft, append(then, "name", names[player])...)
	}
	return s.seekPlace(c, player, nil)
}

// directorOf is the first of those who direct a league who can be written to, 0 if
// there is none.
func (s *unit) directorOf(c *leagueUnit) int64 {
	for _, a := range c.rules().Directors {
		row := s.address(s.Address(a))
		if row.Player == 0 {
			continue
		}
		if yes := s.reachable(row.Player); yes {
			return row.Player
		}
	}
	return 0
}

// openPlace returns the division in which a player who has left has a place not yet
// taken, nil if there is none any more.
func (c *leagueUnit) openPlace(left int64) *league.Division {
	x := c.state.Season()
	if x == nil || !x.Running() {
		return nil
	}
	for i := range x.Divisions {
		for _, g := range x.Divisions[i].Left {
			if g.Player == left && g.To == 0 && !g.Settled {
				return &x.Divisions[i]
			}
		}
	}
	return nil
}

// worthAsking reports whether anything is left to play in a place: of games that
// have begun a substitute takes the seat, not the place.
func (c *leagueUnit) worthAsking(d *league.Division, left int64) bool {
	games, rounds := c.state.ToCome(d, left)
	return games > 0 || rounds
}

// seekPlace asks the next substitute whether they take a place.
func (s *unit) seekPlace(c *leagueUnit, left int64, asked []int64) error {
	d := c.openPlace(left)
	if d == nil || !c.rules().Substitutes || !c.worthAsking(d, left) {
		return nil
	}
	rows, err := s.tx.DuesOf(store.DuePlace, c.row.ID)
	if err != nil {
		return err
	}
	for _, row := range rows { // they have left before, and a substitute may still answer
		if of, _, err := placeRead(row.Ref); of == left || err != nil {
			return err
		}
	}
	for _, id := range c.state.Candidates() {
		if slices.Contains(asked, id) || divisionOf(c.state.Season(), id) != nil {
			continue
		}
		free := s.reachable(id)
		if asked = append(asked, id); !free {
			continue
		}
		s.askPlace(c, d, left, id, asked)
		return nil
	}
	return nil
}

// offerPlaces asks a player who has just begun to wait for the next season to take a
// free place that all other candidates have declined.
func (s *unit) offerPlaces(c *leagueUnit, player int64) error {
	x := c.state.Season()
	if x == nil || !x.Running() || !c.rules().Substitutes || !slices.Contains(c.state.Waiting(), player) || divisionOf(x, player) != nil {
		return nil
	}
	rows, err := s.tx.DuesOf(store.DuePlace, c.row.ID)
	if err != nil {
		return err
	}
	for i := range x.Divisions {
		for _, g := range x.Divisions[i].Left {
			asks := false // another substitute; then the player waits their turn
			for _, row := range rows {
				left, _, err := placeRead(row.Ref)
				if err != nil {
					return err
				}
				asks = asks || left == g.Player
			}
			if g.To == 0 && !g.Settled && !asks && c.worthAsking(&x.Divisions[i], g.Player) {
				others := slices.DeleteFunc(c.state.Candidates(), func(id int64) bool { return id == player })
				s.askPlace(c, &x.Divisions[i], g.Player, player, append(others, player))
				return nil
			}
		}
	}
	return nil
}

// reachable reports whether letters reach a player who wants some.
func (s *unit) reachable(player int64) bool {
	p := s.player(player)
	a := s.address(p.Address)
	if !a.Bounced.IsZero() {
		return false
	}
	none := s.wantsNone(p.Address)
	return !none
}

func (s *unit) askPlace(c *leagueUnit, d *league.Division, left, id int64, asked []int64) {
	names := s.leagueNames(c)
	p := s.player(id)
	due := &store.Due{At: s.now.Add(answerFor), Kind: store.DuePlace, Game: c.row.ID, Ref: placeWritten(left, asked)}
	s.check(s.tx.AddDue(due))
	zone := s.zoneOf(id)
	q := &store.Confirm{Kind: store.ConfirmPlace, Player: id, Address: p.Address, Game: c.row.ID, Lines: strconv.FormatInt(left, 10)}
	games, _ := c.state.ToCome(d, left)
	args := []string{"league", c.rules().Name, "name", names[left], "n", strconv.Itoa(games), "time", when(due.At, zone)}
	then := ""
	if games == 0 {
		then = "rounds"
	}
	if in := c.state.Player(id); in.In() {
		then = strings.Trim("waits-"+then, "-")
	}
	if then != "" {
		args = append(args, "then", then)
	}
	l := s.ask(p.Address, id, nil, q, notice.AskPlace, args...)
	l.about(c)
}

// placeWritten encodes for a due row the player who left a place and those asked to
// take it.
func placeWritten(left int64, asked []int64) string {
	out := []string{strconv.FormatInt(left, 10)}
	for _, id := range asked {
		out = append(out, strconv.FormatInt(id, 10))
	}
	return strings.Join(out, " ")
}

func placeRead(ref string) (left int64, asked []int64, err error) {
	for i, word := range strings.Fields(ref) {
		id, err := strconv.ParseInt(word, 10, 64)
		if err != nil {
			return 0, nil, fmt.Errorf("place in a league: %w", err)
		}
		if i == 0 {
			left = id
		} else {
			asked = append(asked, id)
		}
	}
	return left, asked, nil
}

// placeDue is the end of a substitute's time to answer.
func (s *unit) placeDue(row store.Due) error {
	c, err := s.league(row.Game)
	if err != nil {
		return err
	}
	left, asked, err := placeRead(row.Ref)
	if err != nil {
		return err
	}
	return s.seekPlace(c, left, asked)
}

// placeYes and placeNo are placeSaid.
func (s *unit) placeYes(w *writer, q store.Confirm) error { return s.placeSaid(w, q, true) }
func (s *unit) placeNo(w *writer, q store.Confirm) error  { return s.placeSaid(w, q, false) }

// placeSaid is a substitute's answer; a yes can come too late.
func (s *unit) placeSaid(w *writer, q store.Confirm, yes bool) error {
	c, left, err := s.placeAsked(q)
	if err != nil {
		return err
	}
	rows, err := s.tx.DuesOf(store.DuePlace, c.row.ID)
	if err != nil {
		return err
	}
	d := c.openPlace(left)
	busy := divisionOf(c.state.Season(), w.ID) != nil // since they were asked: this place is the next's
	for _, row := range rows {
		of, asked, err := placeRead(row.Ref)
		if err != nil {
			return err
		}
		if of != left || d == nil || len(asked) == 0 || (!yes || busy) && asked[len(asked)-1] != w.ID {
			continue
		}
		s.check(s.tx.DropDue(row.ID))
		if !yes || busy {
			if err := s.seekPlace(c, left, asked); err != nil {
				return err
			}
			break
		}
	}
	if !yes {
		return nil
	}
	if busy || d == nil {
		return s.placeGone(w, q)
	}
	return s.placeTaken(w, c, left)
}

// placeAsked is the league, and the player who left it, that a question is about.
func (s *unit) placeAsked(q store.Confirm) (*leagueUnit, int64, error) {
	c, err := s.league(q.Game)
	if err != nil {
		return nil, 0, err
	}
	left, err := strconv.ParseInt(q.Lines, 10, 64)
	if err != nil {
		return nil, 0, fmt.Errorf("place in a league: %w", err)
	}
	return c, left, nil
}

// placeGone is why a substitute cannot have a place any more that they were offered.
func (s *unit) placeGone(w *writer, q store.Confirm) error {
	c, left, err := s.placeAsked(q)
	if err != nil {
		return err
	}
	names := s.leagueNames(c)
	p := c.problem(notice.ProblemPlaceGone)
	p.Args["name"] = names[left]
	x := c.state.Season()
	if x == nil || !x.Running() {
		p.Code = notice.ProblemPlaceOver
		return p
	}
	if d := divisionOf(x, left); d != nil {
		for _, g := range d.Left {
			switch {
			case g.Player != left:
			case g.To == w.ID:
				p.Code = notice.ProblemPlaceYour
				return p
			case g.To != 0:
				p.Code, p.Args["who"] = notice.ProblemPlaceHeir, names[g.To]
				return p
			}
		}
		if c.state.Division(left) == d {
			p.Code, p.Args["who"] = notice.ProblemPlaceHeir, names[left]
			return p
		}
	}
	switch {
	case divisionOf(x, w.ID) != nil:
		p.Code = notice.ProblemPlaceBusy
	case c.openPlace(left) != nil: // they have said no
		return notice.Refuse(notice.ProblemLapsed)
	}
	return p
}

// placeTaken gives a place in a league to a substitute.
func (s *unit) placeTaken(w *writer, c *leagueUnit, left int64) error {
	if err := s.enter(c, league.Line{Kind: league.Takeover, By: w.ID, Player: w.ID, For: left}); err != nil {
		return err
	}
	s.check(s.tx.AddMember(c.row.ID, w.ID))
	names := s.leagueNames(c)
	t := s.tale(c, w.ID)
	s.gamesInto(c, t, w.ID)
	w.answer.about(c)
	w.answer.say(notice.SayPlaceTaken, "league", c.rules().Name, "name", names[left])
	w.answer.answer.Sections = append(w.answer.answer.Sections, notice.Section{Kind: "schedule", League: t})
	for _, p := range divisionOf(c.state.Season(), left).In() {
		if p == w.ID {
			continue
		}
		s.tellLeague(c, p, notice.TellPlaceTaken, "name", names[w.ID], "old", names[left])
	}
	return nil
}

// unreachedIn tells who directs a league, once for each time that an address went
// dead, that letters do not reach one of its players.
func (s *unit) unreachedIn(id string, player int64, since time.Time) error {
	if id == "" {
		return nil
	}
	c, err := s.league(id)
	if none, err := missing(err); none || err != nil {
		if s.cache.without(id, err) {
			return nil
		}
		return err
	}
	p := c.state.Player(player)
	director := s.directorOf(c)
	if p == nil || !p.In() && !p.Substitute || director == 0 || director == player {
		return nil
	}
	n := s.bump("bounce/league/"+id+"/"+strconv.FormatInt(player, 10), since.Format(time.DateOnly))
	if n > 1 {
		return nil
	}
	names := s.leagueNames(c)
	d := s.tellLeague(c, director, notice.TellUnreached, "name", names[player])
	d.asked = true // muted or not: no one else can help
	return nil
}
