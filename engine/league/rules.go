// Package league computes leagues: pairings, standings, promotion and relegation. It is
// pure: no clock, no input or output, no game. A league is the text of its file (Rules), a
// secret seed of 32 bytes and a log of lines. Replay turns them into a State, the same
// State on every machine. Players are numbers here and games are ids, both from the caller.
//
// The log records the schedules themselves (Line.Divisions, Line.Tables), so a later
// version of this package may pair better without changing what has been published. Verify
// reports whether this version would still make the same pairings.
package league

import "time"

// A Kind is how a league is played.
type Kind string

// The kinds.
const (
	Divisions Kind = "divisions" // each player meets all others in their division
	Swiss     Kind = "swiss"     // players with similar results meet
	Knockout  Kind = "knockout"  // beaten players are out
	Ladder    Kind = "ladder"    // who beats those above takes their place
	Solo      Kind = "solo"      // the same games against Hal for all
)

// A Tie is what decides between players who have equally many points.
type Tie string

// The tie-breaks. Each is better the higher, but for BotTurns.
const (
	Share    Tie = "share"    // the player's scores as shares of the winners' scores, summed
	Head     Tie = "head"     // results between the players who are equal, if there are at most MaxDivision of them: players beaten minus players who beat them
	Berger   Tie = "berger"   // the points of those beaten, and half of those drawn with (Sonneborn-Berger)
	Wins     Tie = "wins"     // games won; a shared win is shared
	BotTurns Tie = "botturns" // turns that a bot played in the player's seats
	Lot      Tie = "lot"      // drawn when the season ends
	// Points is the name of a Figure of points, not a tie-break.
	Points Tie = "points"
)

// An Option is one line of the file that says how games are played, as `new
// game` knows it.
type Option struct{ Key, Value string }

// Rules are a league's file, read. ParseRules makes them; code that changes one
// asks Check.
type Rules struct {
	Name       string
	About      string
	Directors  []string // addresses; the first is the director, the others are assistants
	Visibility string   // listed, unlisted or private
	// TakeOver is how long the director may leave unanswered what needs them before another
	// director may take over; whole days, 0: no one may.
	TakeOver time.Duration

	Kind     Kind
	Table    int    // players at a table, 2 to MaxTable; 1 in solo leagues
	Sizes    []int  // of divisions from the top; the last counts for all below
	Games    int    // of a player in a season, at least; 0: as Meetings says (divisions)
	Meetings int    // of two players in a season, at least as far as the schedule allows (divisions)
	Rounds   int    // of a season (swiss, ladder, solo)
	BestOf   int    // games of a match, odd (knockout)
	Advance  int    // players of a table who go on (knockout)
	Leftover string // "smaller" tables or a "bye" for those who are left over (swiss)
	AtOnce   int    // games of a player in this league at a time

	Start     time.Time     // of the first season, midnight UTC; zero: when the director says so
	Season    time.Duration // from the beginning of a season to its end as planned, whole days
	Break     time.Duration // from there to the next season, whole days
	Early     bool          // the break begins when the season's last game has ended, not when that was planned
	CheckIn   time.Duration // before a season, and before a round for those silent in the last, in which players say that they are there; whole days, no more than Break; 0: no question
	Round     time.Duration // from round to round at least, whole days (swiss, ladder, solo)
	Close     time.Duration // before a season, from when on who joins waits for the next, whole days
	Seasons   int           // 0: one after the other without end
	Least     int           // the players that a season needs to begin
	Most      int           // the limit of players, after which no one else can join; 0: there is no limit
	Placement string        // of newcomers: "joined", in the order they joined, or "lot"
	Up, Down  int           // of each division go up and down after a season

	Points [MaxTable + 1][]int // by players at the table, then by place; Points[1] in solo leagues by place in the week
	Ties   []Tie               // ends with Lot

	Absences    bool // players may be absent (vacation)
	Substitutes bool // as the file has it: TakesSubstitutes
	Missed      int  // turns by a bot in a row after which a seat is open

	Join     string   // who may join: anyone, known or list
	Admitted []string // addresses, with Join list

	Options []Option // of the games, in the file's order, each key once
	Clocks  []string // by division from the top, "": as Options has it

	said [MaxTable + 1][]int // while it is read: points as the file has them
}

// Bounds.
const (
	MaxTable    = 4                   // players at a table
	MaxSize     = 40                  // of a division, as the file has it
	MaxDivision = MaxSize + MaxSize/2 // players in a division: the lowest may have half more than its size
	MaxGames    = 60                  // of a player in a season
	MaxPlayers  = 5000                // in a league
	MaxRounds   = 60                  // in a season
	MaxFile     = 1 << 14             // bytes of a file
)

// TakesSubstitutes reports whether other players may take over a seat, or the games of players who
// leave. In a solo league no one can: each player's games are compared with the others'.
func (r *Rules) TakesSubstitutes() bool { return r.Substitutes && r.Kind != Solo }

// Clock is the clock of the games of a division from 1, "" none.
func (r *Rules) Clock(division int) string {
	if i := division - 1; i >= 0 && i < len(r.Clocks) && r.Clocks[i] != "" {
		return r.Clocks[i]
	}
	return r.Option("clock")
}

// Option is the value of an option of the games, "" if the file has none.
func (r *Rules) Option(key string) string {
	for _, o := range r.Options {
		if o.Key == key {
			return o.Value
		}
	}
	return ""
}

// Size is how many players division n from 1 should have.
func (r *Rules) Size(n int) int { return r.Sizes[min(n, len(r.Sizes))-1] }
