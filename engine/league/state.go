package league

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"
)

// A State is how a league stands after its lines. It is changed by Add only;
// readers change nothing in it.
type State struct {
	Rules   *Rules
	Lines   int       // that there are
	Last    time.Time // of the last of them
	Players []Player  // all who ever joined or were ready to substitute, in that order
	Seasons []Season
	Said    []Line // announcements
	Rulings []Ruling
	Closed  bool        // no further season begins
	Stops   []Line      // what stops it: pauses of all or of a division that have not ended, and what closed it
	Directs []Line      // what directors did with all games or a part of them, and with the calendar
	Paused  time.Time   // since when nothing begins; zero: all goes on
	Pauses  []time.Time // when clocks of some games, or of all, were stopped
	// Fixtures of all seasons; the one with ID n is at index n-1.
	Fixtures []*Fixture

	seed   [32]byte
	asked  [2]int           // the season and round (0: before it) of the last check-in
	told   map[int][32]byte // of seasons, instead of the seed
	player map[int64]int    // its place in Players
	game   map[string]*Fixture
	later  time.Duration // how much later the next season opens, for pauses between seasons
	starts time.Time     // since when the next season or round is to begin, whatever its date; zero: on its date
	placed map[int64]int // to which division players go in the next season
	in     int           // players who are in the league
	ready  int           // to take over seats
}

// A Player is a player of a league.
type Player struct {
	ID         int64
	Joined     time.Time     // last; zero: only a substitute
	Left       time.Time     // zero: has not
	Substitute bool          // is ready to take over seats
	Since      time.Time     // ready as substitute
	Asked      time.Time     // whether they are there, and have not said yes since; zero: they are
	Declined   bool          // they have said no to that
	Expelled   bool          // they can't come back by themselves
	paused     time.Duration // for how long the league was, since then
}

// In reports whether the player is in the league: plays, or waits for the next season.
func (p Player) In() bool { return !p.Joined.IsZero() && p.Left.IsZero() }

// A Season is one run of a league.
type Season struct {
	N          int    // from 1
	Rules      *Rules // by which it is played
	Began      time.Time
	Ends       time.Time // as planned
	Ended      time.Time // zero: it runs
	Round      int       // begun last, 0 none (divisions have all rounds at once)
	RoundBegan time.Time
	Counting   int        // the version of the rules by which its seats and tie-breaks count
	Divisions  []Division // from the top; one in all leagues but of kind Divisions
	// Commitment is the SHA-256 of the season's secret, in hexadecimal; known
	// from the beginning, except to readers without the secret (ReplayTold).
	Commitment string

	placed map[int64]int // players with the divisions that the director chose for them
}

// Running reports whether the season goes on.
func (x *Season) Running() bool { return x.Ended.IsZero() }

// A Division is a group of players who play each other.
type Division struct {
	N        int // 1 is the top
	Season   int
	Players  []int64 // as they were placed, and who came later; in a ladder as they stand, the highest first
	Left     []Gone  // players who left during the season; they are in Players, too
	Fixtures []*Fixture
	Design   Design // of the schedule it began with

	climbed []climb // ladder: what Players comes from
}

// Gone is a player who left a division.
type Gone struct {
	Player  int64
	At      time.Time
	To      int64 // who has taken the place, 0 no one
	Settled bool  // games the player had not begun are lost
	Annuls  bool  // the player's games that are not over count for no one if no one takes the place

	paused time.Duration // for how long the league was, since then
}

// gone returns how a player left the division, nil if they did not.
func (d *Division) gone(player int64) *Gone {
	for i := range d.Left {
		if d.Left[i].Player == player {
			return &d.Left[i]
		}
	}
	return nil
}

// In are the players who have not left, in the order of Players.
func (d *Division) In() []int64 {
	var in []int64
	for _, p := range d.Players {
		if d.gone(p) == nil {
			in = append(in, p)
		}
	}
	return in
}

// A Fixture is one game of the schedule.
type Fixture struct {
	ID       int // from 1, in the order of the schedule
	Season   int
	Division int
	Round    int
	Table    int      // in its round and division, from 1
	Match    int      // knock-out: which match of the round, from 1
	Leg      int      // knock-out: which game of the match, from 1
	Players  []int64  // in the order of seats
	Absent   []int64  // players who left before it began; they come last and are not in Players
	Game     string   // "": has not begun
	Earlier  []string // games of it that no longer count
	Began    time.Time
	Ended    time.Time
	Result   *Result
	Hidden   bool // it has a result, which is still secret (State.For)
	Bye      bool // one player sits out and has what that is worth
	Void     bool // counts for no one: by a ruling, or a player left it too early
	Unneeded bool // its match was decided before

	seats []int64 // whose they are, also of Absent
	asked bool    // we have asked its silent players whether they are there
}

// Tally is how many games of the division are over, of how many: byes, games that do not count,
// and games that their match no longer needs are none.
func (d *Division) Tally() (over, games int) {
	for _, f := range d.Fixtures {
		if f.Bye || f.Void || f.Unneeded {
			continue
		}
		if games++; f.Over() {
			over++
		}
	}
	return over, games
}

// Stands says in a word how it stands, for data.
func (f *Fixture) Stands() string {
	switch {
	case f.Void:
		return "void"
	case f.Bye:
		return "bye"
	case f.Unneeded:
		return "unneeded"
	case f.Result != nil:
		return "over"
	case f.Hidden:
		return "hidden"
	case f.Game != "":
		return "running"
	}
	return "open"
}

// Over reports whether nothing is to come of it.
func (f *Fixture) Over() bool { return f.Void || f.Bye || f.Unneeded || f.Result != nil || f.Hidden }

// A Result is how a game ended.
type Result struct {
	Seats  []Seat // in the order of Fixture.Players
	Ruling string // Adjudicate, Correct or Forfeit, or "" as it was played
	Line   int    // of the log
}

// A Ruling is what a director decided.
type Ruling struct {
	Line
	Season, Division int // of its game; 0: of none that is the league's
}

// Replay makes the state of a league of its lines. An error names the line that
// cannot be.
func Replay(r *Rules, seed [32]byte, lines []Line) (*State, error) {
	return newState(r, seed, nil).replayed(lines)
}

// ReplayTold is Replay for callers who do not know the seed but know the secrets of
// seasons, which the server publishes at their end (Secret). The result is the same as with
// the seed, except for what is drawn in other seasons.
func ReplayTold(r *Rules, secrets map[int][32]byte, lines []Line) (*State, error) {
	told := maps.Clone(secrets)
	if told == nil {
		told = map[int][32]byte{}
	}
	return newState(r, [32]byte{}, told).replayed(lines)
}

func newState(r *Rules, seed [32]byte, told map[int][32]byte) *State {
	return &State{Rules: r, seed: seed, told: told, player: map[int64]int{}, game: map[string]*Fixture{}}
}

func (s *State) replayed(lines []Line) (*State, error) {
	for _, l := range lines {
		if err := s.Add(l); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// Season is the last season, nil before the first.
func (s *State) Season() *Season {
	if len(s.Seasons) == 0 {
		return nil
	}
	return &s.Seasons[len(s.Seasons)-1]
}

// running is the season that runs, nil if none does.
func (s *State) running() *Season {
	if x := s.Season(); x != nil && x.Running() {
		return x
	}
	return nil
}

// Fixture is fixture id, nil if there is none.
func (s *State) Fixture(id int) *Fixture {
	if id < 1 || id > len(s.Fixtures) {
		return nil
	}
	return s.Fixtures[id-1]
}

// Of is the fixture that a game is played for, or was, nil if the game is none
// of the league's.
func (s *State) Of(game string) *Fixture { return s.game[game] }

// Full reports whether the league has as many players as its file lets in.
func (s *State) Full() bool { return s.Rules.Most > 0 && s.in >= s.Rules.Most }

// Members is how many players are in the league.
func (s *State) Members() int { return s.in }

// Present returns how many of them are there, that is, not silent since the last check-in.
func (s *State) Present() (n int) {
	for i := range s.Players {
		if p := &s.Players[i]; p.In() && !p.Silent() {
			n++
		}
	}
	return n
}

// Player returns a player of the league, nil if id never was one.
func (s *State) Player(id int64) *Player {
	if i, ok := s.player[id]; ok {
		return &s.Players[i]
	}
	return nil
}

// Division returns where a player plays in the running season, nil if they do not.
func (s *State) Division(player int64) *Division {
	x := s.running()
	if x == nil {
		return nil
	}
	for i := range x.Divisions {
		if d := &x.Divisions[i]; slices.Contains(d.Players, player) && d.gone(player) == nil {
			return d
		}
	}
	return nil
}

// Waiting are those who are in the league and there, and not in the season that runs, in
// the order they joined.
func (s *State) Waiting() []int64 {
	plays := map[int64]bool{}
	if x := s.running(); x != nil {
		for _, d := range x.Divisions {
			for _, p := range d.In() {
				plays[p] = true
			}
		}
	}
	var w []int64
	for _, p := range s.byJoined() {
		if !plays[p.ID] && !p.Silent() {
			w = append(w, p.ID)
		}
	}
	return w
}

// members are the numbers of the players who are in the league.
func (s *State) members() (in []int64) {
	for i := range s.Players {
		if s.Players[i].In() {
			in = append(in, s.Players[i].ID)
		}
	}
	return in
}

// byJoined are the players who are in the league in the order they joined.
func (s *State) byJoined() []Player {
	var in []Player
	for _, p := range s.Players {
		if p.In() {
			in = append(in, p)
		}
	}
	slices.SortStableFunc(in, func(a, b Player) int { return a.Joined.Compare(b.Joined) })
	return in
}

// Substitutes are those who are ready to take over a seat, who was ready first
// first.
func (s *State) Substitutes() []int64 {
	if !s.Rules.TakesSubstitutes() {
		return nil
	}
	var in []Player
	for _, p := range s.Players {
		if p.Substitute {
			in = append(in, p)
		}
	}
	slices.SortStableFunc(in, func(a, b Player) int { return a.Since.Compare(b.Since) })
	var ids []int64
	for _, p := range in {
		ids = append(ids, p.ID)
	}
	return ids
}

// Errors of Add.
var (
	ErrNumber  = errors.New("the line's number is not the next")
	ErrKind    = errors.New("no kind of line")
	ErrPlayer  = errors.New("the player cannot do that now")
	ErrFull    = errors.New("the league is full")
	ErrSeason  = errors.New("no season for that")
	ErrFixture = errors.New("no fixture for that")
	ErrResult  = errors.New("no result of that game")
	ErrTables  = errors.New("no tables of these players")
	ErrFile    = errors.New("no file of this league")
)

// Add goes on with one line. With an error, which is one of this package's and
// names the line, nothing has changed.
func (s *State) Add(l Line) error {
	err := ErrKind
	if do, ok := adders[l.Kind]; l.N != s.Lines+1 {
		err = ErrNumber
	} else if ok {
		err = do(s, l)
	}
	if err != nil {
		return fmt.Errorf("line %d (%s): %w", l.N, l.Kind, err)
	}
	if slices.Contains(directs, l.Kind) {
		s.Directs = append(s.Directs, l)
	}
	s.Lines, s.Last = l.N, l.At
	return nil
}

// directs are the kinds of lines that are directors' decisions about no player alone.
var directs = []string{Extend, Pause, Resume, Start, Close, Archive}

var adders = map[string]func(*State, Line) error{
	Join: (*State).join, Leave: (*State).leave, Substitute: (*State).substitute,
	Begin: (*State).begin, NextRound: (*State).nextRound, End: (*State).end,
	Takeover: (*State).takeover, Forfeit: (*State).forfeit, Amend: (*State).amend, Begun: (*State).begun, Played: (*State).played, Ruled: (*State).ruled,
	Extend: (*State).extend, Pause: (*State).pause, Resume: (*State).resume, Start: (*State).start, Close: (*State).close, Archive: (*State).close,
	Expel: (*State).expel, Transfer: (*State).transfer, Ask: (*State).ask, Here: (*State).answer, Announce: func(s *State, l Line) error { s.Said = append(s.Said, l); return nil },
}

// meet is the entry of a player, made if there is none.
func (s *State) meet(id int64) *Player {
	if _, ok := s.player[id]; !ok {
		s.player[id] = len(s.Players)
		s.Players = append(s.Players, Player{ID: id})
	}
	return s.Player(id)
}

func (s *State) join(l Line) error {
	if p := s.Player(l.Player); l.Player <= 0 || p != nil && (p.In() || p.Expelled && l.By == l.Player) {
		return ErrPlayer
	}
	if s.in >= MaxPlayers {
		return ErrFull
	}
	p := s.Player(l.Player)
	expelled := p != nil && p.Expelled
	s.comes(l.Player, l.At)
	s.enter(l.Player)
	if d := s.lastOf(l.Player); expelled && d != nil && s.Rules.Kind == Divisions {
		if s.placed == nil {
			s.placed = map[int64]int{}
		}
		s.placed[l.Player] = d.N
	}
	return nil
}

// lastOf is the division of the last season in which a player has lost a place that no one
// took, nil if there is none.
func (s *State) lastOf(player int64) *Division {
	if x := s.Season(); x != nil {
		for i := range x.Divisions {
			if g := x.Divisions[i].gone(player); g != nil && g.To == 0 {
				return &x.Divisions[i]
			}
		}
	}
	return nil
}

// comes adds a player to the league, goes removes them.
func (s *State) comes(id int64, at time.Time) {
	p := s.meet(id)
	p.Joined, p.Left, p.Expelled = at, time.Time{}, false
	p.here()
	s.in++
}

func (s *State) goes(p *Player, at time.Time) {
	p.Left = at
	s.stands(p, false)
	s.in--
}

// enter adds a player who has just joined to the running season, if it still takes
// them.
func (s *State) enter(player int64) {
	switch d, back := s.comesInto(player); {
	case back:
		d.Left = slices.DeleteFunc(d.Left, func(g Gone) bool { return g.Player == player })
	case d != nil:
		d.add(player)
	}
}

// Takes reports whether the running season still takes a player who joins now, and
// whether they get back the place that they left.
func (s *State) Takes(player int64) (takes, back bool) {
	d, back := s.comesInto(player)
	return d != nil, back
}

// comesInto returns the division of the running season that a player who joins enters, nil
// if there is none. They return to a place that they left and no one took, or take a new
// one if rounds are paired one by one.
func (s *State) comesInto(player int64) (into *Division, back bool) {
	x := s.running()
	if x == nil {
		return nil, false
	}
	r := x.Rules
	for i := range x.Divisions {
		d := &x.Divisions[i]
		if g := d.gone(player); g != nil && g.To == 0 && (!g.Settled || r.Kind == Ladder || r.Kind == Solo) {
			return d, true
		}
	}
	d := &x.Divisions[0]
	open := false
	switch r.Kind {
	case Swiss:
		open = 2*x.Round < r.Rounds
	case Ladder, Solo:
		open = x.Round < r.Rounds
	}
	if open && !slices.Contains(d.Players, player) {
		return d, false
	}
	return nil, false
}

// add puts a player at the end of a division.
func (d *Division) add(player int64) {
	d.Players = append(d.Players, player)
	d.climbed = append(d.climbed, climb{player: player})
}

func (s *State) substitute(l Line) error {
	can := s.Rules.Substitutes || s.Rules.Kind == Solo // which took them once: such lines say nothing now
	if l.Player <= 0 || !can && !l.No {
		return ErrPlayer
	}
	if p := s.Player(l.Player); !l.No && s.ready >= MaxPlayers && (p == nil || !p.Substitute) {
		return ErrFull
	}
	p := s.meet(l.Player)
	if p.Expelled && !l.No {
		return ErrPlayer
	}
	if p.Substitute == l.No {
		p.Since = l.At
	}
	s.stands(p, !l.No)
	return nil
}

// stands notes whether a player is ready to take over seats.
func (s *State) stands(p *Player, ready bool) {
	if p.Substitute != ready {
		p.Substitute = ready
		s.ready += map[bool]int{true: 1, false: -1}[ready]
	}
}

// amend changes the file. A season that runs goes on by the one it began with.
func (s *State) amend(l Line) error {
	r, err := ParseRules(l.Text)
	if err != nil || r.Kind != s.Rules.Kind {
		return ErrFile
	}
	s.Rules = r
	if s.running() == nil {
		s.unasked()
	}
	return nil
}

// rulesOf are the rules by which a season is played.
func (s *State) rulesOf(season int) *Rules { return s.Seasons[season-1].Rules }
