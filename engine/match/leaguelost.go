package match

import (
	"errors"
	"slices"

	"angelpost/engine/league"
	"angelpost/engine/notice"
	"angelpost/engine/order"
	"angelpost/engine/store"
)

// When a player has left a league and no one takes their place, its log says what
// becomes of their games (league.Forfeit), and all those concerned are told. Games they
// have begun go on and count; a bot or a substitute plays what they do not. Only at
// tables of two may none of their games count any more (league.State.Annuls). One of
// these that is running goes on as a game of its own, for those who like; it ends once
// only one person plays it, who has won: so no one takes back a rating loss, and no one
// plays for nothing.

// RulingForfeit is why a game ended that counts for its league no more: only one
// person played it, who has won it.
const RulingForfeit = "forfeit"

// placeLost records that a player's place is lost, and tells all players of their
// division what becomes of the games.
func (s *unit) placeLost(c *leagueUnit, l league.Line) (bool, error) {
	d := c.openPlace(l.Player)
	if d == nil {
		s.appendOrLog(c, l)
		return false, nil
	}
	then := c.whenLost(d, l.Player)
	var counted []int // their games that have counted so far
	for _, f := range d.Fixtures {
		if slices.Contains(f.Players, l.Player) && !f.Void {
			counted = append(counted, f.ID)
		}
	}
	if !s.appendOrLog(c, l) {
		return false, nil
	}
	names := s.leagueNames(c)
	s.tellForfeit(c, l.Player, counted, append(then, "name", names[l.Player]))
	for _, id := range counted {
		f := c.state.Fixture(id)
		if !f.Void || f.Game == "" {
			continue
		}
		t, err := s.table(f.Game)
		if errors.Is(err, ErrUnreadable) { // it goes on as it is
			continue
		}
		if err != nil {
			return false, err
		}
		if err := s.countsNoMore(t, names[l.Player]); err != nil {
			return false, err
		}
	}
	return true, nil
}

// tellForfeit tells all players of a division that the place of one who left is lost,
// and those who had games with that player what becomes of each.
func (s *unit) tellForfeit(c *leagueUnit, left int64, counted []int, args []string) {
	d := divisionOf(c.state.Season(), left)
	s.loadPlayers(d.In())
	for _, p := range d.In() {
		letter := s.tellLeague(c, p, notice.TellForfeit, args...)
		if len(counted) == 0 {
			continue
		}
		tale := s.tale(c, p)
		s.gamesInto(c, tale, p, counted...)
		if len(tale.Games) > 0 {
			letter.asked = true // muted or not: it is about their games
			letter.answer.Sections = append(letter.answer.Sections, notice.Section{Kind: "forfeit", League: tale})
		}
	}
}

// countsNoMore tells the players of a game that is being played that its league
// counts it no more, or ends it.
func (s *unit) countsNoMore(t *table, name string) error {
	if !t.running() {
		return nil
	}
	if err := s.forfeited(t); err != nil || !t.running() {
		return err
	}
	s.tellAll(t, 0, func(_ *store.Seat, d *draft) {
		d.asked = true // muted or not
		d.say(notice.TellUncounted, "name", name)
	})
	return nil
}

// counts reports whether a game is one that counts for a league.
func (s *unit) counts(t *table) (bool, error) {
	_, f, err := s.fixture(t)
	if errors.Is(err, store.ErrLeague) {
		return true, nil
	}
	return f != nil && !f.Void, err
}

// forfeited ends a game that no longer counts for its league once only one person plays
// it, unless that person has left the league too.
func (s *unit) forfeited(t *table) error {
	if !t.running() || t.row.League == "" || len(t.seats) < 2 {
		return nil
	}
	var winner, gone *store.Seat
	for i := range t.seats {
		switch x := &t.seats[i]; {
		case x.Unplayed():
			gone = x
		case winner != nil:
			return nil
		default:
			winner = x
		}
	}
	if winner == nil {
		return nil
	}
	if yes, err := s.counts(t); yes || err != nil {
		return err
	}
	c, err := s.league(t.row.League)
	if err != nil {
		return err
	}
	if p := c.state.Player(winner.Player); p != nil && !p.Left.IsZero() {
		return nil
	}
	scores := make([]int, len(t.seats))
	scores[winner.Seat-1] = 1
	r := &rule{s: s, t: t, end: true, done: notice.Ruling{At: s.now, Kind: order.RuleAdjudicate, RulingArgs: notice.RulingArgs{
		Seat: gone.Seat, Name: gone.Name, Scores: scores, Code: RulingForfeit}}}
	s.breakOff(t, store.GameAdjudicated)
	r.says(notice.TellForfeited, "name", gone.Name, "who", winner.Name)
	return r.settle()
}
