package templates

import "time"

// Years is the page of a league through all its seasons.
type Years struct {
	Frame
	Path      []Link
	Status    string
	Champions []Champion
	Players   []AllTime
	Pages     []PageLink // of Players, if there is more than one
	Meetings  *Meetings  // nil: no two have met
	Records   []RecordList
	Links     []Link
}

// An AllTime is a player's line in the all-time table.
type AllTime struct {
	Rank                         int
	Who                          Person
	Seasons, Titles, Played, Won int
	Points                       string
	Joined, Left                 time.Time // zero: never was a member; has not left
	Against                      string    // address of the player's record against the others
}

// Meetings are how players did against each other.
type Meetings struct {
	Title string
	All   string // address of those of all players, if these are one player's
	Pairs []Meeting
}

// A Meeting is how two players did against each other.
type Meeting struct {
	A, B                 Person
	Games, Ahead, Behind int
}

// A RecordList is a kind of record.
type RecordList struct {
	Title string
	Lines []RecordLine
}

// A RecordLine is one record: what it was, whose, and in which game.
type RecordLine struct {
	What, Game, Href string
	Who              []Person
	From, To         time.Time // of a run; zero for a game
}
