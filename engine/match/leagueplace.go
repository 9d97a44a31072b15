package match

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"angelpost/engine/league"
)

// Whoever leaves a league while its season runs leaves his place in it: the games
// that he has not begun. The substitutes who play nowhere in the season, then those
// who wait for the next, are asked one after the other whether they take it. If none does in time, what the place
// had to play is lost (league.Forfeit). Games that he has begun are the games'
// own affair.

// answerFor is how long a substitute has to say whether he takes a place.
const answerFor = 48 * time.Hour

// whenLost says for letters what comes when nobody takes the place of who has left
// a division; nothing: what has not begun is lost, the rest goes on and counts.
func (c *contest) whenLost(d *league.Division, player int64) []string {
	if d != nil && c.state.Annuls(d, player) {
		return []string{"then", "annul"}
	}
	return nil
}

// leftLeague tells the others of somebody's division that he has left, and the
// director, and looks for somebody else.
func (s *sitting) leftLeague(c *contest, player int64, d *league.Division) error {
	names, err := s.leagueNames(c)
	if err != nil {
		return err
	}
	director, err := s.directorOf(c)
	if err != nil {
		return err
	}
	then := c.whenLost(d, player)
	if director != 0 && director != player {
		d, err := s.tellLeague(c, director, TellLeft, append(then, "name", names[player])...)
		if err != nil {
			return err
		}
		d.asked = true // muted or not: it is his league
	}
	if d == nil {
		return nil
	}
	if err := s.loadPlayers(d.In()); err != nil {
		return err
	}
	for _, p := range d.In() {
		if p == director {
			continue
		}
		if _, err := s.tellLeague(c, p, TellLeft, append(then, "name", names[player])...); err != nil {
			return err
		}
	}
	return s.seekPlace(c, player, nil)
}

// directorOf is the first of those who direct a league who can be written to, 0 if
// there is none.
func (s *sitting) directorOf(c *contest) (int64, error) {
	for _, a := range c.rules().Directors {
		row, err := s.address(s.Address(a))
		if err != nil {
			return 0, err
		}
		if row.Player == 0 {
			continue
		}
		if yes, err := s.reachable(row.Player); yes || err != nil {
			return row.Player, err
		}
	}
	return 0, nil
}

// openPlace is the division in which a player who has left has a place that
// nobody has yet, nil if there is none any more.
func (c *contest) openPlace(left int64) *league.Division {
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

// seekPlace asks the next substitute whether he takes a place.
func (s *sitting) seekPlace(c *contest, left int64, asked []int64) error {
	d := c.openPlace(left)
	if d == nil || !c.rules().Substitutes {
		return nil
	}
	rows, err := s.tx.DuesOf(DuePlace, c.row.ID)
	if err != nil {
		return err
	}
	for _, row := range rows { // he has left before, and somebody may still answer
		if of, _, err := placeRead(row.Ref); of == left || err != nil {
			return err
		}
	}
	for _, id := range c.state.Candidates() {
		if slices.Contains(asked, id) || divisionOf(c.state.Season(), id) != nil {
			continue
		}
		free, err := s.reachable(id)
		if err != nil {
			return err
		}
		if asked = append(asked, id); !free {
			continue
		}
		return s.askPlace(c, d, left, id, asked)
	}
	return nil
}

// offerPlaces asks somebody who has just come to wait for the next season whether he
// takes a place that is free and that all others who could be asked have declined.
func (s *sitting) offerPlaces(c *contest, player int64) error {
	x := c.state.Season()
	if x == nil || !x.Running() || !c.rules().Substitutes || !slices.Contains(c.state.Waiting(), player) || divisionOf(x, player) != nil {
		return nil
	}
	rows, err := s.tx.DuesOf(DuePlace, c.row.ID)
	if err != nil {
		return err
	}
	for i := range x.Divisions {
		for _, g := range x.Divisions[i].Left {
			asks := false // somebody else; then he comes in his turn
			for _, row := range rows {
				left, _, err := placeRead(row.Ref)
				if err != nil {
					return err
				}
				asks = asks || left == g.Player
			}
			if g.To == 0 && !g.Settled && !asks {
				others := slices.DeleteFunc(c.state.Candidates(), func(id int64) bool { return id == player })
				return s.askPlace(c, &x.Divisions[i], g.Player, player, append(others, player))
			}
		}
	}
	return nil
}

// reachable tells whether letters reach a player, and he wants some.
func (s *sitting) reachable(player int64) (bool, error) {
	p, err := s.player(player)
	if err != nil {
		return false, err
	}
	a, err := s.address(p.Address)
	if err != nil || !a.Bounced.IsZero() {
		return false, err
	}
	none, err := s.wantsNone(p.Address)
	return !none, err
}

func (s *sitting) askPlace(c *contest, d *league.Division, left, id int64, asked []int64) error {
	names, err := s.leagueNames(c)
	if err != nil {
		return err
	}
	p, err := s.player(id)
	if err != nil {
		return err
	}
	games := 0
	for _, f := range d.Fixtures {
		if f.Game == "" && !f.Over() && slices.Contains(f.Players, left) {
			games++
		}
	}
	due := &DueRow{At: s.now.Add(answerFor), Kind: DuePlace, Game: c.row.ID, Ref: placeWritten(left, asked)}
	if err := s.tx.AddDue(due); err != nil {
		return err
	}
	zone, err := s.zoneOf(id)
	if err != nil {
		return err
	}
	q := &ConfirmRow{Kind: ConfirmPlace, Player: id, Address: p.Address, Game: c.row.ID, Lines: strconv.FormatInt(left, 10)}
	args := []string{"league", c.rules().Name, "name", names[left], "n", strconv.Itoa(games), "time", when(due.At, zone)}
	if in := c.state.Player(id); in.In() {
		args = append(args, "then", "waits")
	}
	l, err := s.ask(p.Address, id, nil, q, AskPlace, args...)
	if err == nil {
		l.about(c)
	}
	return err
}

// placeWritten keeps in a due row whose place it is and who was asked.
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
func (s *sitting) placeDue(row DueRow) error {
	c, err := s.contest(row.Game)
	if err != nil {
		return err
	}
	left, asked, err := placeRead(row.Ref)
	if err != nil {
		return err
	}
	return s.seekPlace(c, left, asked)
}

// placeSaid is a substitute's answer.
func (s *sitting) placeSaid(w *writer, q ConfirmRow, yes bool) error {
	c, err := s.contest(q.Game)
	if err != nil {
		return err
	}
	left, err := strconv.ParseInt(q.Lines, 10, 64)
	if err != nil {
		return fmt.Errorf("place in a league: %w", err)
	}
	rows, err := s.tx.DuesOf(DuePlace, c.row.ID)
	if err != nil {
		return err
	}
	d := c.openPlace(left)
	busy := divisionOf(c.state.Season(), w.ID) != nil
	if busy && yes { // he has another place meanwhile: this one is the next's
		yes = false
		w.answer.say(SayLapsed)
	}
	for _, row := range rows {
		of, asked, err := placeRead(row.Ref)
		if err != nil {
			return err
		}
		if of != left || d == nil || len(asked) == 0 || !yes && asked[len(asked)-1] != w.ID {
			continue
		}
		if err := s.tx.DropDue(row.ID); err != nil {
			return err
		}
		if !yes {
			return s.seekPlace(c, left, asked)
		}
	}
	switch {
	case !yes:
		return nil
	case d == nil:
		w.answer.say(SayLapsed)
		return nil
	}
	if err := s.enter(c, league.Line{Kind: league.Takeover, By: w.ID, Player: w.ID, For: left}); err != nil {
		return err
	}
	if err := s.tx.AddMember(c.row.ID, w.ID); err != nil {
		return err
	}
	names, err := s.leagueNames(c)
	if err != nil {
		return err
	}
	t, err := s.tale(c, w.ID)
	if err != nil {
		return err
	}
	if err := s.gamesInto(c, t, w.ID); err != nil {
		return err
	}
	w.answer.about(c)
	w.answer.say(SayPlaceTaken, "league", c.rules().Name, "name", names[left])
	w.answer.answer.Sections = append(w.answer.answer.Sections, Section{Kind: "schedule", League: t})
	for _, p := range divisionOf(c.state.Season(), left).In() {
		if p == w.ID {
			continue
		}
		if _, err := s.tellLeague(c, p, TellPlaceTaken, "name", names[w.ID], "old", names[left]); err != nil {
			return err
		}
	}
	return nil
}

// unreachedIn tells who directs a league, once for each time that an address went
// dead, that letters do not reach one of its players.
func (s *sitting) unreachedIn(id string, player int64, since time.Time) error {
	if id == "" {
		return nil
	}
	c, err := s.contest(id)
	if none, err := missing(err); none || err != nil {
		if s.without(id, err) {
			return nil
		}
		return err
	}
	p := c.state.Player(player)
	director, err := s.directorOf(c)
	if p == nil || !p.In() && !p.Substitute || director == 0 || director == player || err != nil {
		return err
	}
	n, err := s.tx.Bump("bounce/league/"+id+"/"+strconv.FormatInt(player, 10), since.Format(time.DateOnly))
	if err != nil || n > 1 {
		return err
	}
	names, err := s.leagueNames(c)
	if err != nil {
		return err
	}
	d, err := s.tellLeague(c, director, TellUnreached, "name", names[player])
	if err != nil {
		return err
	}
	d.asked = true // muted or not: nobody else can help
	return nil
}
