package notice

import "angelpost/engine/game"

// A League is what a letter tells of a league: names, numbers and codes, and
// times in the reader's zone.
type League struct {
	ID        string       `json:"id"`
	Name      string       `json:"name"`
	About     string       `json:"about,omitempty"`
	Kind      string       `json:"kind"` // league.Kind
	Page      bool         `json:"page,omitempty"`
	Options   game.Options `json:"options,omitzero"`  // of its games, in the first division
	Over      bool         `json:"over,omitempty"`    // no season comes any more
	Season    int          `json:"season,omitempty"`  // the last that has begun
	Running   bool         `json:"running,omitempty"` // it goes on
	Round     int          `json:"round,omitempty"`
	Rounds    int          `json:"rounds,omitempty"`    // where there are any
	Next      string       `json:"next,omitempty"`      // date of the next round
	RoundOver bool         `json:"roundOver,omitempty"` // all games of the round are over
	After     bool         `json:"after,omitempty"`     // the next round begins when all games of this one are over
	Aside     bool         `json:"aside,omitempty"`     // the reader has no game in this round
	Ends      string       `json:"ends,omitempty"`      // date, as planned
	Opens     string       `json:"opens,omitempty"`     // date of the next season; "": when there are enough players
	Players   int          `json:"players"`             // who are in it
	Least     int          `json:"least,omitempty"`     // the players that a season needs to begin
	Full      bool         `json:"full,omitempty"`      // no one else can join
	Join      string       `json:"join"`                // who may: anyone, known, list
	You       string       `json:"you,omitempty"`       // the reader: Playing, Waiting, Ready
	Division  int          `json:"division,omitempty"`
	Divisions int          `json:"divisions,omitempty"`
	Games     []LeagueGame `json:"games,omitempty"`  // the reader's, of the season
	Table     []LeagueRank `json:"table,omitempty"`  // of the division
	More      int          `json:"more,omitempty"`   // rows that are left out of it
	Guests    []LeagueRank `json:"guests,omitempty"` // substitutes in games of the division, and the reader in others
	Ready     int          `json:"ready,omitempty"`  // its substitutes
	Secret    string       `json:"secret,omitempty"`

	Unanswered []string `json:"unanswered,omitempty"` // players who have not said whether they are there

	Records []LeagueRecord `json:"records,omitempty"` // of the season that is over
	Stops   []LeagueStop   `json:"stops,omitempty"`   // why it does not go on
}

// A LeagueStop is a pause of a league or of the reader's division, or what closed it.
type LeagueStop struct {
	Kind     string `json:"kind"` // league.Pause, Close or Archive
	Division int    `json:"division,omitempty"`
	Since    string `json:"since"` // date
	Reason   string `json:"reason"`
}

// A LeagueReport is what the director of a league reads of it: weekly, and at the beginning
// and the end of a season.
type LeagueReport struct {
	First   bool          `json:"first,omitempty"` // of the season
	Ended   int           `json:"ended,omitempty"` // games since the last report
	Open    int           `json:"open,omitempty"`  // games that are not over
	Late    []LeagueWait  `json:"late,omitempty"`  // players who are out of time, or whose last turns a bot played
	Absent  []LeagueWait  `json:"absent,omitempty"`
	Paused  []LeagueWait  `json:"paused,omitempty"`
	Longest []LeagueWait  `json:"longest,omitempty"` // games in which nothing has happened for longest
	Left    []string      `json:"left,omitempty"`    // players who have left since the last report
	Bounced []string      `json:"bounced,omitempty"` // players to whose addresses letters bounce
	Silent  []string      `json:"silent,omitempty"`  // players who have not yet answered the check-in with yes
	Rulings int           `json:"rulings,omitempty"` // of the season
	Tables  []LeagueTable `json:"tables,omitempty"`
	More    int           `json:"more,omitempty"` // divisions that are left out
}

// A LeagueWait is a game and the players that a report mentions.
type LeagueWait struct {
	Game  string   `json:"game"` // as it is called
	Names []string `json:"names,omitempty"`
	Days  int      `json:"days,omitempty"` // since anything happened in it
}

// A LeagueTable is a division of a report.
type LeagueTable struct {
	Division int          `json:"division"`
	Rows     []LeagueRank `json:"rows"`
	More     int          `json:"more,omitempty"` // rows that are left out
}

// A LeagueRecord is an outstanding game or run of a season.
type LeagueRecord struct {
	Kind  string   `json:"kind"`  // streak, closest, highest or longest
	Value int      `json:"value"` // games; VP between the best two; VP; days
	Names []string `json:"names"` // whose it is
}

// A LeagueGame is one game of a schedule.
type LeagueGame struct {
	Name  string   `json:"name"`           // as the game is called
	Game  string   `json:"game,omitempty"` // its id; "": it has not begun
	Names []string `json:"names"`          // by seat; then those who did not come
	Seat  int      `json:"seat,omitempty"` // the reader's
	State string   `json:"state"`          // open, running, over, forfeit (won because no one else came) or void
	VP    []int    `json:"vp,omitempty"`   // by seat; in a solo game, Hal's are last
	Place int      `json:"place,omitempty"`

	Private bool `json:"private,omitempty"` // it has no page without a key
}

// A LeagueRank is one row of a table.
type LeagueRank struct {
	Rank     int    `json:"rank"`
	Name     string `json:"name"`
	Points   string `json:"points"` // as a decimal
	Played   int    `json:"played"`
	Games    int    `json:"games"`
	Move     string `json:"move,omitempty"` // up or down
	You      bool   `json:"you,omitempty"`
	Left     bool   `json:"left,omitempty"`
	Unplayed bool   `json:"unplayed,omitempty"` // games are over, and the player played none of them
	Division int    `json:"division,omitempty"` // of a guest, where it is not the table's
}
