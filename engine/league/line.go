package league

import "time"

// The kinds of lines.
const (
	Join       = "join"       // Player joins
	Leave      = "leave"      // Player leaves; with No, they have not answered two check-ins
	Substitute = "substitute" // Player is ready to take over seats; with No, no longer
	Begin      = "season"     // a season begins with Divisions
	NextRound  = "round"      // a round of the season begins with Tables
	Takeover   = "takeover"   // Player takes over the place of For, and what For has not begun
	Forfeit    = "forfeit"    // Player has left and no one takes the place: games not begun are lost
	Begun      = "game"       // Fixture is played as Game
	Played     = "result"     // Game ended with Seats
	Ruled      = "ruling"     // the director decided Ruling about Game, or its Fixture, because of Text
	End        = "end"        // the season is over
	Ask        = "ask"        // the server asks Players whether they are there; with Fixture, because they took no turn in its game
	Here       = "here"       // Player is there; with No, not this time
	Announce   = "announce"   // the director announces Text to all
	Close      = "close"      // the league ends with the season that runs, or now, because of Text
	Extend     = "extend"     // more time to move, because of Text: in Division, in Round, for Player, or in all games
	Pause      = "pause"      // the clocks of the same games stop; of all games: nothing begins either
	Resume     = "resume"     // they go on
	Amend      = "file"       // the file is Text from the next season on
	Start      = "start"      // what comes next begins now, because of Text: the next season, or the round that follows
	Expel      = "expel"      // Player is taken out, because of Text, and can't come back by themselves
	Transfer   = "move"       // Player plays in Division in the next season, because of Text
	Archive    = "archive"    // no further season begins, and no list shows the league, because of Text
)

// The rulings. Those that are not here change nothing in a league and are kept
// for all to see.
const (
	Void       = "void"       // the game counts for no one and is not played again
	Again      = "replay"     // the game counts for no one and its fixture is played again
	Adjudicate = "adjudicate" // the game is ended with Seats
	Correct    = "correct"    // the game's result is Seats
)

// A Line is one thing that happened in a league. Its JSON is what is kept.
type Line struct {
	N       int       `json:"n"` // from 1, without a gap
	At      time.Time `json:"at"`
	By      int64     `json:"by,omitempty"` // player; 0: the server or its host
	Kind    string    `json:"kind"`
	Player  int64     `json:"player,omitempty"`
	For     int64     `json:"for,omitempty"`
	Players []int64   `json:"players,omitempty"` // of Ask
	No      bool      `json:"no,omitempty"`
	Fixture int       `json:"fixture,omitempty"`
	Game    string    `json:"game,omitempty"`
	Seats   []Seat    `json:"seats,omitempty"`
	Ruling  string    `json:"ruling,omitempty"`
	Args    []string  `json:"args,omitempty"` // of a ruling, as its director wrote it
	Text    string    `json:"text,omitempty"`

	Division int `json:"division,omitempty"` // of Extend, Pause and Resume; 0: all; of Transfer
	Round    int `json:"round,omitempty"`    // of Extend, Pause and Resume; 0: all
	Later    int `json:"later,omitempty"`    // of Extend: by how many seconds the round's end is later

	Divisions []Plan    `json:"divisions,omitempty"` // of Begin, from the top
	Counting  int       `json:"counting,omitempty"`  // of Begin: how the season counts
	Tables    []Pairing `json:"tables,omitempty"`    // of NextRound
}

// A Plan is the players of a division and their tables.
type Plan struct {
	Players []int64   `json:"players"` // as they were placed
	Tables  []Pairing `json:"tables,omitempty"`
}

// A Pairing is one scheduled game.
type Pairing struct {
	Round   int     `json:"round"`
	Players []int64 `json:"players"`         // in the order of seats; one alone has a bye, but in solo leagues
	Match   int     `json:"match,omitempty"` // of a knock-out's round, from 1
	Leg     int     `json:"leg,omitempty"`   // which game of that match, from 1
}

// A Seat is how one seat of a game ended. Places are shared by equals: 1, 2, 2, 4.
type Seat struct {
	Player int64  `json:"player"` // whose the seat was by the fixture
	Place  int    `json:"place"`  // from 1
	Score  int    `json:"score"`
	Hal    int    `json:"hal,omitempty"`   // Hal's score in a solo game
	Parts  []Part `json:"parts,omitempty"` // who took its turns, each player once; empty: Player took all of them
}

// A Part is how many turns of a seat a player took.
type Part struct {
	Player int64 `json:"player"` // 0: bots
	Turns  int   `json:"turns"`
	Left   bool  `json:"left,omitempty"` // the player no longer held the seat at the end
}
