package templates

import (
	"net/url"
	"strconv"
	"time"

	"github.com/a-h/templ"
)

// What the pages of leagues show, in words already.

// LeagueHref is the address of a league, its season n or a division of that.
func LeagueHref(id string, n ...int) string {
	at := "/l/" + url.PathEscape(id)
	for _, x := range n {
		at += "/" + strconv.Itoa(x)
	}
	return at
}

// A Link leads somewhere.
type Link struct{ Text, Href string }

// A PageLink leads to another page of the same kind.
type PageLink struct {
	Link
	N    int
	Here bool // to this one
}

// A Person is a player as leagues name them.
type Person struct{ Name, Href string }

// A Date is when something happens.
type Date struct {
	Text string
	At   time.Time
	Next bool // it is to come
}

// A Fact is a thing and what there is to say of it.
type Fact struct{ Name, Text string }

// Leagues are the leagues anyone may find.
type Leagues struct {
	Frame
	Groups []LeagueGroup
	Next   string // address of the next page; ""
	Links  []Link
	Sample string // file of a league, with comments; "" where none is shown
	Make   string // mailto: of a letter that makes one
}

// A LeagueGroup are leagues that are equally far.
type LeagueGroup struct {
	Title   string
	Leagues []LeagueLine
}

// A LeagueLine is a league in a list.
type LeagueLine struct {
	Name, Href string
	Tag        string // how far it is, in a word or two
	State      string // the same in a sentence
	What       string // what is played
	Join       string // mailto: link; ""

	Done, Games int        // games of the season that are over, of how many; 0 between seasons
	Lead        []Standing // who leads, or led, its first division
	Where       string     // that division's name; "" there is but one
	Next        *Date      // what comes next; nil: no date is set for it
}

// A League is a league's page.
type League struct {
	Frame
	Path               []Link
	Name, Status       string
	Stops              []News // what stops it, and since when
	About              string
	Find               *Find // nil: it is small
	Season, SeasonHref string
	Divisions          []DivisionCard
	More               string // how many divisions are not here; ""
	Champions          []Champion
	Join               *JoinLeague // nil: no one can
	Dates              []Date
	Hanging            []Fixture
	Results            []Fixture
	Said, Rulings      []News
	Years              string // address of the page through the years; "" before the first season
	RulingsHref        string
	Rules              []Fact
	File               string
	Proof              []Fact
	Links              []Link
}

// JoinLeague says how to join.
type JoinLeague struct{ Title, Text, Mail string }

// A Champion is who won a past season.
type Champion struct {
	Season, Href string
	Players      []Person
}

// Find is the form that finds a player's division, and what it found.
type Find struct {
	Action, Asked string
	Found         []Found
}

// Found is where a player is.
type Found struct {
	Who        Person
	Text, Href string
}

// A Season is a season's page.
type Season struct {
	Frame
	Path         []Link
	Name, Status string
	Stops        []News
	Find         *Find
	Pages        []PageLink
	Divisions    []DivisionCard
	Dates        []Date
	Hanging      []Fixture // games that wait longest
	Results      []Fixture // the games that ended last, newest first
	Links        []Link
}

// A DivisionCard is a division in short.
type DivisionCard struct {
	Name, Href, State string
	Rows              []Standing
	More              string // how many players are not here; ""
}

// A Division is a division's page.
type Division struct {
	Frame
	Path         []Link
	Name, Status string
	Stops        []News
	Pages        []PageLink
	Standings    *Standings
	More         []PageLink // of the standings, if they are long
	Guests       []Guest
	Hanging      []Fixture
	Cross        *Cross
	Weeks        []Week     // of a solo league, instead of Rounds
	Other        []PageLink // other rounds, if not all are here
	Rounds       []Round
	Bracket      bool // rounds stand side by side where there is room
	Tree         bool // each match is between the two that it follows from
	Design       []Fact
	Links        []Link
}

// Standings are a table of players, the first first.
type Standings struct {
	Title   string
	Points  string   // what those are called
	Columns []string // of tie-breaks
	Rows    []Standing
	Notes   []Note
}

// A Note is a line below a table; Way is what it explains, "" nothing.
type Note struct{ Way, Text string }

// A Standing is a player's row.
type Standing struct {
	ID      string // of the element
	Rank    string
	Who     Person
	Note    string // that they left …; ""
	Played  string // of how many games: 4/6
	Points  string
	Figures []string
	Way     string // up, down or ""
	Moves   string // the same in words
	Why     []Figure
	Open    bool   // Why is
	More    string // address at which Why is; "" here
}

func (r Standing) mark() string { return wayMark(r.Way) }

func wayMark(way string) string {
	switch way {
	case "up":
		return "▲"
	case "down":
		return "▼"
	}
	return ""
}

// A Figure is what one figure is made of.
type Figure struct {
	Name, Value string
	Exact       string // what Value rounds, in words; ""
	Decides     string // that it ranks them behind the player above; ""
	Terms       []Term
	Note        string
}

// A Guest is a substitute in games of a division.
type Guest struct {
	Who Person
	Figure
}

// A Term is a part of a Figure, and what it is for.
type Term struct{ Value, Exact, Text, About, Href string }

// A Cross is a table of everyone against everyone.
type Cross struct {
	Title, About string
	Rows         []CrossRow
}

// A CrossRow is one player against everyone, in the order of the rows.
type CrossRow struct {
	Who   Person
	Cells [][]CrossGame
}

// A CrossGame is one game of two players.
type CrossGame struct{ Text, Title, Href string }

// A Round is a round of games.
type Round struct {
	Name  string
	Games []Fixture
	More  string // how many games are not here; ""
}

// A Week is a round of a solo league: the same game for everyone.
type Week struct {
	Name, State string
	Seed        string // of its games, once everyone has played; ""
	Rows        []WeekRow
}

// A WeekRow is how a player did in a Week.
type WeekRow struct {
	ID, Rank    string
	Who         Person
	Href        string // of their game; ""
	VP, Hal     string
	Points      string
	State, Note string
}

// A Fixture is a game of a league.
type Fixture struct {
	ID         string // of the element
	Name, Href string
	State      string
	Over, Void bool
	Late       bool // a player's time is over
	Timed      bool // it has a clock
	Ruling     Link // "" none
	Seats      []FixtureSeat
	Legs       []Leg  // games of a match
	Waits      string // player to move; ""
	Until      time.Time
	At         time.Time // when it ended
	Notes      []string
	Vacant     string // why there is an empty place of a tree instead of a game; ""
}

// A Leg is a game of a match.
type Leg struct {
	ID         string // of the element
	Name, Href string
	Score      string // "63 : 50"; ""
	State      string // "": over
	Ruling     Link   // "" none
}

// A FixtureSeat is a seat of a Fixture.
type FixtureSeat struct {
	Who    Person
	Result string // "88 VP"; ""
	Won    bool
	Note   string
}

// A Membership is a player in a league.
type Membership struct {
	Name, Href string
	Tag        string // how far the league is
	Seasons    []Link // where they are or were, the last first
	Text       string // without seasons
}

// A Place is where in a league a game belongs.
type Place struct{ League, Part Link }

// News is an announcement, a ruling or another event.
type News struct {
	ID, Title, Text, Href, By string
	At                        time.Time
}

// Rulings are what a league's director decided.
type Rulings struct {
	Frame
	Path    []Link
	Status  string
	Rulings []News
	Next    string
	Links   []Link
}

// attr is an attribute, none without a value.
func attr(name, value string) templ.Attributes {
	if value == "" {
		return nil
	}
	return templ.Attributes{name: value}
}
