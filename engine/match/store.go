package match

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// ErrNotFound is returned, wrapped, by Tx methods that look up one row.
var ErrNotFound = errors.New("not found")

// ErrGone is returned, wrapped, to the public for a game that was shown once and
// is private now: a search engine then forgets it. It tells nobody anything who
// did not know the game's address; of a game that was always private, and of a
// key that was revoked, it would, so those are as if they had never been. It is
// an ErrNotFound.
var ErrGone = fmt.Errorf("no longer shown: %w", ErrNotFound)

// ErrNoStep is returned, wrapped, for a step that a game does not have. It is an
// ErrNotFound.
var ErrNoStep = fmt.Errorf("no such step: %w", ErrNotFound)

// A Store keeps everything. It is safe for concurrent use.
type Store interface {
	// Update runs f in the one write transaction there is at a time. An error
	// or panic of f undoes all of it. f must not keep tx. What was done survives
	// a power loss once Update has returned.
	Update(ctx context.Context, f func(tx Tx) error) error
	// UpdateUnsynced is Update but that what was done survives only the end of
	// the process, until Sync or the next Update that changes anything returns. A
	// power loss before that takes it back as a whole.
	UpdateUnsynced(ctx context.Context, f func(tx Tx) error) error
	Sync() error
	// View runs f on one unchanging snapshot; writing methods fail in it.
	View(ctx context.Context, f func(tx Tx) error) error
}

// States of a game.
const (
	GameInvited   = "invited"
	GameRunning   = "running"
	GameFinished  = "finished"
	GameCancelled = "cancelled" // before the first turn, or the invitations lapsed
	GameAbandoned = "abandoned" // all agreed

	// By a ruling.
	GameAdjudicated = "adjudicated" // ended with a result that was given
	GameVoid        = "void"        // counts nowhere, whatever came of it
)

// Visibilities of a game, least first.
const (
	Private  = "private"
	Unlisted = "unlisted"
	Listed   = "listed"
)

// A GameRow is a game without its log.
type GameRow struct {
	ID         string
	State      string
	Name       string // "" or what the organiser called it
	Options    Options
	Visibility string
	Raise      string // visibility asked for, waiting for every player's yes; "" none
	Organiser  int64  // player; 0: the command line's
	Seed       string // hex, 32 bytes
	SetHash    string // of the component set it began with; "" before, and where nobody noted it
	Mixed      bool   // the players' entropies are mixed in; not for games started at once
	Steps      int    // length of the log
	Result     string // JSON of Result once finished
	Created    time.Time
	Started    time.Time // zero before
	Changed    time.Time // of the last line
	Ended      time.Time // zero before
	Paused     time.Time // since when no clock runs; zero: they do
	Shown      bool      // it was not private once
	League     string    // whose game it is; "" none's
	Sealed     bool      // others still play with the same seed: it is told to nobody
	Finish     int       // which finished game it was, from 1; 0 it is not. SaveGame leaves it alone
	Batch      int       // in which the statistics counted it; 0 not yet, -1 it cannot be. SaveGame leaves it alone
}

// Stages of a seat.
const (
	SeatInvited  = "invited"
	SeatOpen     = "open" // nobody's yet: whoever joins gets it
	SeatJoined   = "joined"
	SeatDeclined = "declined"
	SeatBounced  = "bounced"  // the invitation could not be delivered
	SeatExpired  = "expired"  // the invitation lapsed
	SeatResigned = "resigned" // a bot plays on
	SeatReplaced = "replaced" // by a bot, by the organiser
	SeatAbsent   = "absent"   // out of time too often: a bot plays until its player or another comes
)

// A SeatRow is one player's place in a game.
type SeatRow struct {
	Game    string
	Place   int    // in invitation order, from 1
	Seat    int    // from 1 once started, 0 before
	Player  int64  // 0: a bot
	Heir    int64  // player invited to take the seat over; 0 none
	Bot     string // name of the bot that plays, "" a player does
	Stage   string
	Name    string // shown to the others
	Entropy string // word given when joining
	Seen    int    // log lines told so far; -1: not even the setup
	Thread  string // Message-ID that heads the thread of this game and player
	Agreed  string // "abandon" or a visibility agreed to
	Muted   int64  // player who wants no letters about the game but answers; 0 none

	// With a clock (Pace).
	Deadline time.Time     // by which what the game waits for must be done; zero: it does not wait
	Bank     time.Duration // left of it
	Missed   int           // turns in a row that a bot played for want of time
	Left     time.Duration // of his time when the game was paused, 0: nothing was running
}

// A PlayerRow is a person.
type PlayerRow struct {
	ID         int64
	Name       string // "" until given
	Address    string // where letters go
	Registered bool   // has answered a letter of ours, or was set up by hand
	Text       bool   // format text
	Every      bool   // notify every
	Zone       string // IANA name of the time zone in which times are told; "" UTC
	DaysOff    string // days of the week on which his clocks stand still: "sat sun"
	Reminders  string // which of "half day hours" he wants, "" all, "none"
	Quiet      string // hours in which no deadline of his falls: "22:00-07:30"; "" none
	Away       string // holidays on which they do, in order: "2026-12-24/2027-01-02"
	Created    time.Time
}

// An AddressRow is one address we know.
type AddressRow struct {
	Address string
	Player  int64     // 0: nobody's
	Never   bool      // wants no invitations
	Bounced time.Time // zero: fine
}

// A TokenRow is what one letter's Reply-To stands for. AddRecipe takes Place,
// Turn and Confirm from it; the rest is the recipe's.
type TokenRow struct {
	Token   string
	Player  int64
	Game    string // "" none
	Place   int    // 0 none
	Turn    int    // turns the seat had completed when it was issued
	Step    int    // log length when it was issued
	Confirm int64  // confirmation that `yes` and `no` decide; 0 none
	Created time.Time
}

// Kinds of a confirmation.
const (
	ConfirmAlias      = "alias"      // a letter from an unknown address is held
	ConfirmGame       = "game"       // new game without a good token
	ConfirmAddress    = "address"    // address add, one of two
	ConfirmRemove     = "remove"     // address remove
	ConfirmVisibility = "visibility" // raise it
	ConfirmAbandon    = "abandon"
	ConfirmJoin       = "join" // an open seat, without a good token
	ConfirmPause      = "pause"
	ConfirmResume     = "resume"
	ConfirmSeat       = "seat"   // a substitute takes a seat over
	ConfirmLeague     = "league" // a word about a league, without a good token
	ConfirmPlace      = "place"  // to take a place that somebody has left in a league (Game)
)

// A ConfirmRow is a question that waits for yes or no.
type ConfirmRow struct {
	ID      int64
	Kind    string
	Player  int64  // who must say it; 0: whoever holds the token
	Address string // the address it is about, or that asked
	Game    string
	Letter  int64  // held letter
	Lines   string // JSON of what will be done
	Twin    int64  // the other half of ConfirmAddress, 0 none
	Said    bool   // yes was said, its twin still waits
	Open    bool
	Expires time.Time
	Created time.Time
}

// States of a letter in.
const (
	LetterNew   = "new"   // stored, not applied yet
	LetterDone  = "done"  // applied and answered
	LetterMute  = "mute"  // rightly not answered; Why says the class
	LetterHeld  = "held"  // waits for a confirmation, or an equal Message-ID with another body
	LetterAside = "aside" // failed three times
)

// A LetterRow is a letter in. Raw is only loaded by Tx.Letter.
type LetterRow struct {
	ID        int64
	MessageID string
	From      string
	Token     string
	Date      time.Time
	BodyHash  string
	Class     Class
	State     string
	Why       string
	Attempts  int
	Repeats   int   // how often its answer was sent again for a copy
	Answer    int64 // recipe; 0 none
	Received  time.Time
	Raw       []byte
}

// States of a letter out.
const (
	OutQueued    = "queued"
	OutSent      = "sent"
	OutFailed    = "failed"    // given up
	OutCollected = "collected" // beyond the day's bound, waits for the collected letter
	OutMerged    = "merged"    // went out in a collected letter
)

// A PressRow is a message or a note kept for those who may read it.
type PressRow struct {
	ID    int64
	Game  string
	Place int // writer
	To    int // place; 0 all, -1 a private note
	Step  int // log length when written
	Text  string
	At    time.Time

	Writer int64 // the player who then sat at Place; 0: nobody knows
	Reader int64 // and at To, if that is a place
}

// A HeardQuery asks for what of a game's press the player at a place may read.
type HeardQuery struct {
	Game   string
	Place  int
	Player int64
	Words  string    // with which words of the text begin; "" any
	Before time.Time // only older ones; zero: all
	Limit  int
}

// Kinds of what falls due.
const (
	DueRemind  = "remind"  // seat Place was silent, or its time is running out
	DueLate    = "late"    // the deadline of seat Place
	DueMissed  = "missed"  // the end of its grace
	DueExpire  = "expire"  // invitations of a game
	DueCollect = "collect" // a collected letter for an address (Ref)
	DueConfirm = "confirm" // a confirmation (Ref) lapses
	DueSeat    = "seat"    // a substitute's time to answer, or another try (Place); Ref: those who were asked
	DuePlace   = "place"   // the answer of a substitute whom a league (Game) asked (Ref)
	DueLeague  = "league"  // something may be due in a league (Game); Step 1: and nothing of the calendar before
)

// A DueRow is something to do at a time.
type DueRow struct {
	ID    int64
	At    time.Time
	Kind  string
	Game  string // or league
	Place int
	Step  int // log length when it was set; remind only if nothing moved
	Ref   string
}

// A KeyRow is a private page's address, and with it the address that mutes its
// game and does nothing else, which stands in List-Unsubscribe.
type KeyRow struct {
	Key    string
	Mute   string // not to be had from Key: who reads the page cannot end its owner's letters
	Game   string
	Place  int
	Player int64
}

// A LeagueRow is a league without its log: its file, its secret and what is kept
// to find it by.
type LeagueRow struct {
	ID         string // for addresses and words: letters, digits and hyphens
	Name       string
	File       string // as league.ParseRules reads it
	Secret     string // hex, 32 bytes; never told, what is made of it is
	Visibility string // Private, Unlisted or Listed, as that of its games
	Over       bool   // no season comes any more
	Lines      int    // length of the log
	Created    time.Time
	Changed    time.Time // of the last line
}

// A LeagueLine is one line of a league's log as it is stored; league.Line is
// what it says.
type LeagueLine struct {
	N    int // from 1
	At   time.Time
	By   int64 // player; 0: the server, or its host
	Kind string
	Args string // JSON
}

// A LeagueThread is the thread of a player's letters about a league.
type LeagueThread struct {
	Player int64
	Season int    // whose thread it is; 0: no season has begun
	Head   string // Message-ID of the letter that heads it
	Mute   string // key of the address that mutes the league; "" there is none yet
	Muted  bool   // he wants no letters about it but answers
}

// A FiguresRow is what the finished games of one kind came to (engine/statistics).
type FiguresRow struct {
	Kind    string
	Options Options
	Games   int
	Series  []byte // JSON
}

// A RatingRow is what is believed of somebody's strength in games of one kind.
type RatingRow struct {
	Kind      string
	Player    int64  // 0: a bot
	Bot       string // its name; "" a person
	Name      string // in his last game
	Games     int
	Mu, Sigma float64
	Finish    int // of the last game that is in it
}

// A RatedRow is what a game made of somebody's rating.
type RatedRow struct {
	RatingRow           // after it
	Game      string    // as it is read back; "" not everybody may see it any more
	Title     string    // of the game, as it is read back; "" none
	Ended     time.Time // as it is read back
	Place     int       // of his seat, from 1
	Seats     int       // how many there were
	Turns, Of int       // that he took, that his seat had
	Left      string    // "walked" or "replaced" if he left it
}

// Tx is what the desk does with a store inside one transaction. Methods that
// look up one row return ErrNotFound, wrapped; lists may be empty.
type Tx interface {
	// Part runs f; if it fails or panics, what it did is taken back, and nothing
	// else of the transaction.
	Part(f func() error) error

	// Players and addresses. Addresses are compared as given: the desk lowers
	// their case first.
	Player(id int64) (PlayerRow, error)
	AddPlayer(*PlayerRow) error // sets ID; its Address becomes known
	SavePlayer(PlayerRow) error
	Address(address string) (AddressRow, error)
	SaveAddress(AddressRow) error // inserts or replaces
	DropAddress(address string) error
	Addresses(player int64) ([]AddressRow, error)
	Unwanted(addresses []string) (map[string]bool, error) // those that want no invitations

	// Games.
	Game(id string) (GameRow, error)
	AddGame(GameRow, []SeatRow) error
	SaveGame(GameRow) error
	Seats(game string) ([]SeatRow, error) // by place
	SaveSeat(SeatRow) error
	GamesOf(player int64, open bool) ([]GameRow, error) // open: invited and running only; youngest first, at most 100
	Players(ids []int64) (map[int64]PlayerRow, error)
	SeatsOf(games []string) (map[string][]SeatRow, error)
	Games(ids []string) ([]GameRow, error)                      // those that are there, in any order
	ListedGames(limit int) ([]GameRow, error)                   // begun ones that anybody may find, the last moved first
	Sitemap(before string, limit int) ([]GameRow, error)        // listed games that have begun, the youngest first; ID and Changed alone
	SitemapPages(size int) ([]string, error)                    // every size-th of them
	Archive(Search) ([]GameRow, error)                          // listed games that have begun, the youngest first; Before must be known
	OpenGames(limit int) ([]GameRow, error)                     // listed ones with a free seat, the youngest first
	AllGames(state, after string, limit int) ([]GameRow, error) // oldest first, from behind game after; state "" any
	Log(game string, after int) ([]Line, error)                 // lines after that one
	AppendLog(game string, lines []Line) error
	AddStints(game string, stints []Stint) error
	Stints(games []string) (map[string][]Stint, error) // in order

	// Leagues.
	League(id string) (LeagueRow, error)
	AddLeague(LeagueRow) error                                       // with an empty log
	SaveLeague(LeagueRow) error                                      // Name, Visibility, Over and Changed
	Leagues(after string, limit int) ([]LeagueRow, error)            // oldest first, from behind league after
	LeaguesOf(player int64) ([]LeagueRow, error)                     // that he ever joined; youngest first, at most 100
	AddMember(league string, player int64) error                     // he has joined it once
	LeagueLog(league string, after, limit int) ([]LeagueLine, error) // lines after that one; limit -1: all
	LeagueThread(league string, player int64) (LeagueThread, error)
	LeagueThreads(league string) ([]LeagueThread, error)
	SetLeagueThread(league string, t LeagueThread) error
	AppendLeague(league string, lines []LeagueLine) error           // sets Lines and Changed, too
	LeagueGames(league, after string, limit int) ([]GameRow, error) // oldest first, from behind game after
	// ListedLeagues are those that anybody may find, over or not, the youngest
	// first; older ones than before, if that is one.
	ListedLeagues(over bool, before string, limit int) ([]LeagueRow, error)

	// Rulings.
	AddRuling(game string, r *Ruling) error                // sets N
	Rulings(game string) ([]Ruling, error)                 // oldest first
	RulingsOf(games []string) (map[string][]Ruling, error) // by game, oldest first

	// Tokens, keys, confirmations.
	Token(token string) (TokenRow, error)
	LastToken(game string, place int, player int64) (TokenRow, error) // the youngest that asks nothing else
	Keys(game string) ([]KeyRow, error)
	KeyOf(game string, place int) (KeyRow, error)
	OldKeys(game string) ([]KeyRow, error) // every key there ever was, oldest first
	SetKey(KeyRow) error                   // the old Key of that game and place dies
	Confirm(id int64) (ConfirmRow, error)
	AddConfirm(*ConfirmRow) error // sets ID
	SaveConfirm(ConfirmRow) error
	OpenConfirms(kind, address string) ([]ConfirmRow, error)

	// Plans for coming turns.
	Plans(game string) ([]PlanRow, error) // by place
	SavePlan(PlanRow) error               // inserts or replaces; drops one that says nothing

	// Letters in.
	AddLetter(*LetterRow) error // sets ID
	SaveLetter(LetterRow) error // all but Raw
	Letter(id int64) (LetterRow, error)
	LetterState(id int64) (string, error)
	LastLetter(player int64) (time.Time, error) // when the last came from one of his addresses that was answered; zero: none ever
	SameLetter(messageID string) ([]LetterRow, error)
	LikeLetter(from string, date time.Time, token, bodyHash string) ([]LetterRow, error)
	Letters(state string, limit int) ([]LetterRow, error) // oldest first, without Raw

	// Letters out.
	AddRecipe(r *Recipe, k TokenRow, state string) error // sets ID and what else Recipe will give back; k is its token
	Recipe(id int64) (Recipe, error)
	RecipeByMessageID(id string) (Recipe, error)
	RecipeByToken(token string) (Recipe, error)
	Requeue(id int64, at time.Time) error // a sent recipe goes out once more
	CollectedFor(address string) ([]Recipe, error)
	SetOutState(ids []int64, state string) error

	// Press and notes.
	AddPress(*PressRow) error
	Press(game string) ([]PressRow, error)
	Heard(HeardQuery) ([]PressRow, error) // the youngest first

	// What players have said once for all.
	Standing(game string) ([]StandingRow, error)
	SaveStanding(StandingRow) error // inserts or replaces that of its place; without orders there is none

	// Counters by key and day ("2026-11-21").
	Count(key, day string) (int, error)
	Bump(key, day string) (int, error) // returns the new count

	// What is due.
	AddDue(*DueRow) error
	DropDue(id int64) error
	ClearDue(kind, game string, place int) error
	DuesOf(kind, game string) ([]DueRow, error)
	DueBefore(now time.Time, limit int) ([]DueRow, error)
	NextDue() (time.Time, error) // zero: nothing

	// Statistics. A finished game is counted in a batch, from 1; 0 is not yet.
	Uncounted(after string, limit int) ([]GameRow, error)          // oldest first, from behind game after
	Counted(batch int, after string, limit int) ([]GameRow, error) // by batch, then oldest first, from behind a batch's game
	LogsOf(games []string) (map[string][]Line, error)
	SetBatch(games []string, from, batch int) (int, error) // of those in batch from; tells how many. -1: they cannot be counted
	TryUncountable() error                                 // they are in batch 0 again
	CountedVoid() ([]GameRow, error)                       // games that were counted and are void by now
	UncountVoid() error                                    // they are not
	LastBatch() (int, error)                               // 0: none yet
	Figures(kind string) (FiguresRow, error)
	AllFigures() ([]FiguresRow, error)
	SaveFigures(FiguresRow) error // inserts or replaces
	DropFigures() error           // all

	// Ratings (engine/rated). Every finished game up to Rated is in them as it is
	// now; what changes one that is lowers Rated to before it.
	Rated() (finish int, err error)
	LastRated() (finish int, err error)             // of what is rated; 0 none
	RateAnew() error                                // Rated is 0
	Unrate(limit int) (more bool, err error)        // takes back what is rated behind Rated, at most so many finishes
	ToRate(after, limit int) ([]GameRow, error)     // games finished behind that one, in order
	SaveRated(finish int, rows []RatedRow) error    // what comes behind Rated, which it becomes; rows in order
	RatingsFor(of []RatingRow) ([]RatingRow, error) // of the same kinds and whos, as far as there are any
	Rating(kind string, player int64, bot string) (RatingRow, error)
	RatingKinds() ([]string, error)
	Ratings(kind string, bots bool, skip, limit int) ([]RatingRow, error) // of people or of bots, by the lower end
	// RatingsNamed are those of people whose name in their last game began so,
	// however its ASCII letters are written, by name.
	RatingsNamed(name string, limit int) ([]RatingRow, error)
	RatingPlace(r RatingRow) (place, of int, err error)                              // where a person stands among the people of his kind, and how many those are
	RatingsOf(player int64) ([]RatingRow, error)                                     // by kind
	RatedGames(kind string, player int64, bot string, limit int) ([]RatedRow, error) // the last first

	// The daemon at work.
	LastBeat() (time.Time, error) // of the heartbeat; zero: never
	Beat(now time.Time) error
	// PutOff moves all that waits for a time: what is due, when open questions
	// lapse, queued letters out with their age. by may be negative.
	PutOff(by time.Duration) error
	Copied() (time.Time, error) // this is a copy made then, and nobody was told yet; zero: it is none
	Settle() error              // it is a copy no longer
}
