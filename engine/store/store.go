package store

import (
	"context"
	"errors"
	"fmt"
	"time"

	"angelpost/engine/game"
	"angelpost/engine/incoming"
	"angelpost/engine/notice"
	"angelpost/engine/pace"
	"angelpost/engine/token"
)

// ErrNotFound is returned, wrapped, by Tx methods that look up one row.
var ErrNotFound = errors.New("not found")

// ErrSpoilt says that a letter out is stored and cannot be read any more.
var ErrSpoilt = errors.New("the letter is spoilt")

// ErrGone is returned, wrapped, to the public for a game that was shown once and
// is private now, so that search engines forget it. It is an ErrNotFound. It is never
// returned for a game that was always private or for a revoked key: that would reveal
// that it exists. Those return ErrNotFound.
var ErrGone = fmt.Errorf("no longer shown: %w", ErrNotFound)

// ErrNoStep is returned, wrapped, for a step that a game does not have. It is an
// ErrNotFound.
var ErrNoStep = fmt.Errorf("no such step: %w", ErrNotFound)

// A DB keeps everything. It is safe for concurrent use.
type DB interface {
	// Update runs f in a write transaction, one at a time. An error or panic of f rolls it
	// back. f must not keep tx. Once Update has returned, its writes survive a power loss.
	Update(ctx context.Context, f func(tx Tx) error) error
	// UpdateUnsynced is Update, except that its writes survive only the end of the process,
	// until Sync or the next Update that changes anything returns. A power loss before that
	// undoes all of them.
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

// A Game is a game without its log.
type Game struct {
	ID         string
	State      string
	Name       string // "" or what the organiser called it
	Options    game.Options
	Visibility string
	Raise      string // visibility asked for, waiting for every player's yes; "" none
	Organiser  int64  // player; 0: the command line's
	Seed       string // hex, 32 bytes
	SetHash    string // of the component set it began with; "" before
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
	Sealed     bool      // others still play with the same seed, so no one may learn it
	RematchOf  string    // id of the game whose players it brings together again; "" none
	Revealed   bool      // it is void, and its seed and hands are public, as those of a finished game are
	Finish     int       // which finished game it was, from 1; 0 it is not. SaveGame leaves it alone
	Err        error     // why the row cannot be read; only AllGames has such rows
	Batch      int       // in which the statistics counted it; 0 not yet, -1 it cannot be. SaveGame leaves it alone
}

// Stages of a seat.
const (
	SeatInvited  = "invited"
	SeatOpen     = "open" // free: the first to join gets it
	SeatJoined   = "joined"
	SeatDeclined = "declined"
	SeatBounced  = "bounced"  // the invitation could not be delivered
	SeatExpired  = "expired"  // the invitation lapsed
	SeatResigned = "resigned" // a bot plays on
	SeatReplaced = "replaced" // by a bot, by the organiser
	SeatAbsent   = "absent"   // out of time too often: a bot plays until its player or another comes
)

// A Seat is one player's place in a game.
type Seat struct {
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
	Left     time.Duration // the player's time left when the game was paused, 0: nothing was running
	Revised  time.Time     // when Deadline last changed, in whole seconds, and later with each change: what dates the event in calendars
}

// A Player is a person.
type Player struct {
	ID         int64
	Name       string // "" until given
	Address    string // where letters go
	Registered bool   // has answered a letter from us, or was set up by hand
	Text       bool   // format text
	Every      bool   // notify every
	pace.Settings
	Guessed  bool   // Zone comes from a letter's Date
	Subjects string // notice.SubjectsSteady or SubjectsNews; "" as usual
	ListID   string // "on" or "off": whether letters name their game as a list; "" as usual: on
	Digest   string // time of day of the daily letter, "18:00"; "" news is not collected
	Created  time.Time
}

// An Address is one address we know.
type Address struct {
	Address string
	Player  int64     // 0: no player
	Never   bool      // wants no invitations
	Bounced time.Time // zero: fine
}

// A Token identifies what an answer to one letter is about; it is in the letter's Reply-To.
// AddMessage takes Place, Turn and Confirm from it; the rest comes from the message.
type Token struct {
	Token   string
	Player  int64
	Game    string // "" none
	Place   int    // 0 none
	Turn    int    // turns the seat had completed when it was issued
	Step    int    // log length when it was issued
	Confirm int64  // confirmation that `yes` and `no` decide; 0 none
	Created time.Time
}

// A TokenKey is a key of the MACs in tokens.
type TokenKey struct {
	token.Key
	Since time.Time // it is in use
}

// Kinds of a confirmation.
const (
	ConfirmLost       = "lost"       // a letter is held that answers a turn the database has lost
	ConfirmAlias      = "alias"      // a letter from an unknown address is held
	ConfirmLetter     = "letter"     // a letter is held, for what the mail server found of it cannot be read
	ConfirmGame       = "game"       // new game without a good token
	ConfirmAddress    = "address"    // address add, one of two
	ConfirmRemove     = "remove"     // address remove
	ConfirmVisibility = "visibility" // raise it
	ConfirmAbandon    = "abandon"
	ConfirmJoin       = "join" // an open seat, without a good token
	ConfirmPause      = "pause"
	ConfirmResume     = "resume"
	ConfirmSeat       = "seat"      // a substitute takes a seat over
	ConfirmRule       = "rule"      // rulings of a director's (Lines)
	ConfirmLeague     = "league"    // a word about a league, without a good token
	ConfirmMeant      = "meant"     // lines of a letter that may not have been meant
	ConfirmReplace    = "replace"   // an opponent in a listed game; Lines: what is agreed to (package agreements), and why
	ConfirmTakeBack   = "take-back" // a player's last turn; Lines: what is agreed to (package agreements)
	ConfirmPlace      = "place"     // to take a place that another player has left in a league (Game)
	ConfirmVoid       = "void"      // a director rules (Lines) that a game is void, which nothing takes back
	ConfirmOffice     = "office"    // to a league's director (Game): another (Lines) takes over
	ConfirmForget     = "forget"    // that all that is kept about a player is erased
	ConfirmInTime     = "in-time"   // to an organiser: orders that came in time count, though a bot has played
	ConfirmHere       = "here"      // that a player is there for a league's next season or round (Game)
)

// A Confirm is a question that waits for yes or no.
type Confirm struct {
	ID      int64
	Kind    string
	Player  int64  // who must say it; 0: the holder of the token
	Address string // the address it is about, or that asked
	Game    string
	Letter  int64  // held letter
	Lines   string // JSON of what will be done
	Twin    int64  // the other half of ConfirmAddress, 0 none
	Said    bool   // this half has its yes, its twin still waits
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

// A Letter is a letter in. Raw is only loaded by Tx.Letter.
type Letter struct {
	ID        int64
	MessageID string
	From      string
	Token     string
	Date      time.Time
	BodyHash  string
	Class     incoming.Class
	State     string
	Why       string
	Attempts  int
	Repeats   int   // how often its answer was sent again for a copy
	Answer    int64 // recipe; 0 none
	Received  time.Time
	Raw       []byte
	Condensed bool // Raw is what was kept once it was dealt with
	Unfiled   bool // of AddLetter alone: it is not in the mailbox
}

// States of a letter out.
const (
	OutQueued    = "queued"
	OutSent      = "sent"
	OutFailed    = "failed"    // given up
	OutCollected = "collected" // beyond a bound, waits for the collected letter
	OutMerged    = "merged"    // went out in a collected letter
	OutDigest    = "digest"    // waits for its reader's daily letter
	OutDropped   = "dropped"   // waited until it was true no more; a newer letter may say what it said
)

// A Press is a message or a note kept for those who may read it.
type Press struct {
	ID    int64
	Game  string
	Place int // writer
	To    int // place; 0 all, -1 a private note
	Step  int // log length when written
	Text  string
	At    time.Time

	Writer int64 // the player who then sat at Place
	Reader int64 // and at To, if that is a place
}

// A PressQuery asks for what of a game's press the player at a place may read.
type PressQuery struct {
	Game   string
	Place  int
	Player int64
	Words  string    // with which words of the text begin; "" any
	Before time.Time // only older ones; zero: all
	Limit  int

	Ignored bool // include messages of players that Player ignores
}

// An Ignored is a player whose messages another does not want to read.
type Ignored struct {
	Player int64 // who ignores
	Other  int64
	Name   string // of the other, in the game then
}

// An Appeal is a player's against a ruling.
type Appeal struct {
	Game string
	notice.Ruling
	Against notice.Ruling
}

// A Report is messages that a player has brought to the host.
type Report struct {
	ID       int64
	At       time.Time
	Game     string
	Reporter int64 // told to the host alone
	Player   int64 // whose messages they are
	Name     string
	Reason   string
	Messages []Press // oldest first; of each At, Step, Text and To
}

// An Alarm is trouble of one kind, about which the host gets a letter once a day.
type Alarm struct {
	Kind  string    // notice.AlarmMailbox and so on
	Since time.Time // zero: all is well
	Told  time.Time // when the host had the last letter about it; zero: none yet
	Why   string    // what was found last
}

// Kinds of what falls due.
const (
	DueRemind  = "remind"  // seat Place was silent, or its time is running out
	DueLate    = "late"    // the deadline of seat Place
	DueMissed  = "missed"  // the end of its grace
	DueExpire  = "expire"  // invitations of a game
	DueCollect = "collect" // a collected letter for a player (Ref); Step collectBrief: of short answers
	DueConfirm = "confirm" // a confirmation (Ref) lapses
	DueSeat    = "seat"    // a substitute's time to answer, or another try (Place); Ref: the players asked
	DuePlace   = "place"   // the time to answer of a substitute that a league (Game) asked (Ref)
	DueDigest  = "digest"  // the daily letter of a player (Place); Game: none
	DueBehind  = "behind"  // the database is an older copy, as a letter has shown: tell everyone
	DueUnread  = "unread"  // look whether the game can be read again
	DueNews    = "news"    // news of a league (Game) that waits for a player (Place)
	DueReport  = "report"  // the weekly letter to the director of a league (Game); Ref: since when, in seconds of 1970
	DueReveal  = "reveal"  // the seed of a void game becomes public
	DueErase   = "erase"   // erase a player (Place); Game: none
	DueHeld    = "held"    // the clocks of a player (Place) that we can't reach have stood still: Step 0: for a day, 1: as long as they may; Game: none
	DueTidy    = "tidy"    // pack letters that were dealt with, forget old ones; Game: none
	DueRenamed = "renamed" // tell players a league's (Game) new name; Ref: JSON of what they know and why
	DueUrgent  = "urgent"  // the time of a league's director (Game, Ref) to answer; Step 1: it is over, and others may take over
	DueLeague  = "league"  // something may be due in a league (Game); Step 1: and nothing of the calendar before
)

// Unreached is that a player's mail server refuses our letters for now.
type Unreached struct {
	Player int64
	Since  time.Time // when the first letter that it refused was made
	Until  time.Time // their clocks stand still until then at the latest
	Held   bool      // they do so still
	Why    string    // what the mail server says
}

// StoodIn is the last turn of a seat that a bot played because its time ran out.
type StoodIn struct {
	Game  string
	Place int
	Turn  int       // turns the seat had completed
	Until time.Time // orders that had come by then were in time
	Step  int       // length of the log before the bot played
}

// A Due is something to do at a time.
type Due struct {
	ID    int64
	At    time.Time
	Kind  string
	Game  string // or league
	Place int
	Step  int // log length when it was set; remind only if nothing moved
	Ref   string
}

// A Key is the secret address of a private page. Mute is the one, in List-Unsubscribe, that
// only mutes its game.
type Key struct {
	Key    string
	Mute   string // cannot be derived from Key: readers of the page cannot stop its owner's letters
	Game   string
	Place  int
	Player int64
}

// A League is a league without its log: its file, its secret and what is kept
// to find it by.
type League struct {
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
	Muted  bool   // the player wants only answers about it

	News    string // JSON of what waits for the next letter; "" nothing
	Letters int    // of the season, besides those about games (engine/match/gate)
}

// A Figures is what the finished games of one kind came to (engine/statistics).
type Figures struct {
	Kind    string
	Options game.Options
	Games   int
	Series  []byte // JSON
}

// A Rating is the estimate of a player's strength in games of one kind.
type Rating struct {
	Kind      string
	Player    int64  // 0: a bot
	Bot       string // its name; "" a person
	Name      string // in the player's last game
	Games     int
	Mu, Sigma float64
	Finish    int // of the last game that is in it
}

// A Rated is a player's rating after a game.
type Rated struct {
	Rating              // after it
	Game      string    // as it is read back; "" not everyone may see it any more
	Title     string    // of the game, as it is read back; "" none
	Ended     time.Time // as it is read back
	Place     int       // of the player's seat, from 1
	Seats     int       // how many there were
	Turns, Of int       // turns the player took, turns of the seat
	Left      string    // "walked" or "replaced" if the player left it
}

// A Tx is one transaction. Each consumer names the roles it needs. Methods that look up
// one row return ErrNotFound, wrapped; lists may be empty.
type Tx interface {
	// Part runs f; if it fails or panics, what it did is taken back, and nothing
	// else of the transaction.
	Part(f func() error) error

	People
	Games
	Turns
	Leagues
	Questions
	Inbox
	Outbox
	Dues
	Counters
	Statistics
	Ratings
	Alarms
	Meta
}

// People are players and addresses. Addresses are compared as given: the desk lowers
// their case first.
type People interface {
	Player(id int64) (Player, error)
	AddPlayer(*Player) error // sets ID; its Address becomes known
	SavePlayer(Player) error
	Address(address string) (Address, error)
	SaveAddress(Address) error // inserts or replaces
	Addresses(player int64) ([]Address, error)
	Unwanted(addresses []string) (map[string]bool, error) // those that want no invitations

	PlayersNamed(name string) ([]int64, error)
	ActivePlayers() ([]int64, error)                     // that have a game or a league to come, and that we can write to
	GamesPlayed(player int64) ([]string, error)          // ids of all games in which they ever had a seat, oldest first
	NameIn(game string, player int64, name string) error // changes their name in a game, also in its past
	NameAround(player int64, name string) error          // and wherever else it is kept
	Person(player int64) (map[string]any, error)         // all that is kept of a player, as data
	// Erase erases all of it but their games, which have the pseudonym, and their addresses
	// until their letters from before that time are deleted in the mailbox; not those under an
	// address that another player had, too. mailbox returns the one form that we use for all
	// addresses of a mailbox.
	Erase(player int64, at time.Time, pseudonym string, mailbox func(address string) string) error
	// WasErased reports whether a letter that arrived at a time was from an erased player.
	// EraseAgain has such letters deleted in the mailbox once more.
	WasErased(address string, arrived time.Time) (bool, error)
	EraseAgain(address string, arrived time.Time) error
	Readdress(player int64, address string) error // letters to them that have not gone out go there
}

// Games are games with their seats, logs and rulings.
type Games interface {
	Game(id string) (Game, error)
	AddGame(Game, []Seat) error
	SaveGame(Game) error
	Seats(game string) ([]Seat, error) // by place
	SaveSeat(Seat) error
	RematchOf(game string) (Game, error)             // the newest rematch of a game
	GamesOf(player int64, open bool) ([]Game, error) // open: all invited and running ones, else at most 100 of all; newest first
	Players(ids []int64) (map[int64]Player, error)
	SeatsOf(games []string) (map[string][]Seat, error)
	Games(ids []string) ([]Game, error)                      // those that are there, in any order
	ListedGames(limit int) ([]Game, error)                   // begun ones that anyone may find, the last moved first
	Sitemap(before string, limit int) ([]Game, error)        // listed games that have begun, newest first; ID and Changed alone
	SitemapPages(size int) ([]string, error)                 // every size-th of them
	Archive(Search) ([]Game, error)                          // listed games that have begun, newest first; Before must be known
	GamesCalled(name string, limit int) ([]Game, error)      // case-insensitive, newest first
	OpenGames(limit int) ([]Game, error)                     // listed ones with a free seat, newest first
	AllGames(state, after string, limit int) ([]Game, error) // oldest first, from behind game after, which must be there; state "" any
	Log(game string, after int) ([]game.Line, error)         // lines after that one
	AppendLog(game string, lines []game.Line) error
	AddTenures(game string, tenures []game.Tenure) error
	Tenures(games []string) (map[string][]game.Tenure, error) // in order

	AddRuling(game string, r *notice.Ruling) error                // sets N
	Rulings(game string) ([]notice.Ruling, error)                 // oldest first
	RulingsOf(games []string) (map[string][]notice.Ruling, error) // by game, oldest first
	OpenAppeals() ([]Appeal, error)                               // that no ruling has answered, oldest first
}

// Turns stores what players have written for a game outside its log: plans for coming turns,
// standing orders, messages and notes.
type Turns interface {
	Plans(game string) ([]Plan, error) // by place
	SavePlan(Plan) error               // inserts or replaces; drops one that says nothing

	Standing(game string) ([]Standing, error)
	SaveStanding(Standing) error // inserts or replaces that of its place; without orders there is none

	AddPress(*Press) error
	Press(game string) ([]Press, error)
	Heard(PressQuery) ([]Press, error) // newest first

	Ignores(player int64) ([]Ignored, error) // by name
	Ignore(Ignored) error                    // inserts or replaces
	Unignore(player, other int64) error
	AddReport(*Report) error                          // sets ID
	Reports(after int64, limit int) ([]Report, error) // oldest first, after that one
}

// Leagues are leagues with their logs and the threads of their letters.
type Leagues interface {
	League(id string) (League, error)
	AddLeague(League) error                                          // with an empty log
	DeleteLeague(id string) error                                    // with its log and all that is due in it; letters about it are about no league
	SaveLeague(League) error                                         // Name, Visibility, Over and Changed
	Leagues(after string, limit int) ([]League, error)               // oldest first, from behind league after
	LeaguesOf(player int64) ([]League, error)                        // that the player ever joined; newest first, at most 100
	AddMember(league string, player int64) error                     // records that the player has joined it once
	LeagueLog(league string, after, limit int) ([]LeagueLine, error) // lines after that one; limit -1: all
	LeagueThread(league string, player int64) (LeagueThread, error)
	LeagueThreads(league string) ([]LeagueThread, error)
	SetLeagueThread(league string, t LeagueThread) error
	AppendLeague(league string, lines []LeagueLine) error        // sets Lines and Changed, too
	LeagueGames(league, after string, limit int) ([]Game, error) // oldest first, from behind game after
	// ListedLeagues returns leagues that anyone may find, over or not, newest first. If before
	// is set, only older ones.
	ListedLeagues(over bool, before string, limit int) ([]League, error)
}

// Questions are tokens of letters, keys of games' and players' pages, and questions that wait for a yes or no.
type Questions interface {
	Token(token string) (Token, error)
	LastToken(game string, place int, player int64) (Token, error) // the newest that has no other question
	TokenKeys() ([]TokenKey, error)                                // the one in use first
	AddTokenKey(TokenKey) error                                    // and uses it from now on
	DropTokenKeys(below int64) error                               // those with lower numbers
	Keys(game string) ([]Key, error)
	KeyOf(game string, place int) (Key, error)
	OldKeys(game string) ([]Key, error) // every key there ever was, oldest first
	SetKey(Key) error                   // the old Key of that game and place dies
	HomeKey(player int64) (string, error)
	HomeOf(key string) (player int64, err error)
	SetHomeKey(player int64, key string) error // the old one dies
	Confirm(id int64) (Confirm, error)
	AddConfirm(*Confirm) error // sets ID
	SaveConfirm(Confirm) error
	OpenConfirms(kind, address string) ([]Confirm, error)
}

// Inbox is the letters in.
type Inbox interface {
	AddLetter(*Letter) error                          // sets ID
	SaveLetter(Letter) error                          // all but Raw
	SameBytes(letter int64, raw []byte) (bool, error) // whether it came with these; false once it is forgotten
	Unpacked(limit int) ([]int64, error)              // letters that were dealt with and are stored as they came, oldest first
	Pack(letter int64, text []byte) error             // keeps text of it; nil: all
	// Forget deletes letters in and out from before a time, of each up to limit, and
	// tells how many: not those that wait, and of games under way not each seat's last.
	Forget(before time.Time, limit int) (int, error)
	Letter(id int64) (Letter, error)
	LetterState(id int64) (string, error)
	Blocked(address string) (bool, error)       // by the host: it, or a domain that it is in
	LastLetter(player int64) (time.Time, error) // when the last answered letter came from one of the player's addresses; zero: none ever
	SameLetter(messageID string) ([]Letter, error)
	LikeLetter(from string, date time.Time, token, bodyHash string) ([]Letter, error)
	Letters(state string, limit int) ([]Letter, error) // oldest first, without Raw
}

// Outbox is the letters out.
type Outbox interface {
	AddMessage(r *notice.Message, k Token, state string) error // sets ID and what else Message will return; k is its token
	NextMessage() (id int64, err error)                        // that AddMessage will set
	Message(id int64) (notice.Message, error)
	MessageByID(id string) (notice.Message, error)
	MessageByToken(token string) (notice.Message, error)
	Requeue(id int64, at time.Time) error // a sent message goes out once more
	CollectedFor(address string) ([]notice.Message, error)
	DigestOf(player int64, limit int) ([]notice.Message, error) // what waits for their daily letter, oldest first
	SetOutState(ids []int64, state string) error
	Hurry(now time.Time) error // makes all queued letters due, with times that are not after now
	// Waiting are the queued letters to a player about a game that the mail server cannot have taken,
	// and another one, oldest first.
	Waiting(game string, player, also int64) ([]notice.Message, error)
	Queued(id int64) (bool, error) // whether a letter waits to be sent
	// Unsure reports whether the mail server may have taken a queued letter.
	Unsure(id int64) (bool, error)
	Entered(id int64) (time.Time, error)           // from when a letter's age counts
	Reenter(player, id int64, now time.Time) error // queued letters to a player, and another one: their age counts from now
	Give(id int64) error                           // notes that the mail server is about to be given a queued letter
	Drop(ids []int64, why string) error            // these queued letters
	SayAnew(id int64, a notice.Answer) error       // changes what a queued letter says; not of one that heads a thread
	// Told reports whether a letter to a player at a place of a game has told all that
	// happened in these lines: those after since, up to step.
	Told(game string, place int, player int64, since, step int) (bool, error)
	// Notice is the newest letter that told a player at a place of a game that their turn
	// had come, after they had completed so many, and that the mail server had taken over by
	// a time; ErrNotFound if there is none.
	Notice(game string, place int, player int64, turn int, by time.Time) (notice.Message, error)
}

// Dues stores what falls due at a certain time.
type Dues interface {
	AddDue(*Due) error
	DropDue(id int64) error
	ClearDue(kind, game string, place int) error
	ShiftTimersOf(game string, by time.Duration) error // moves what is due in it, but DueUnread, and the deadlines of its seats
	DuesOf(kind, game string) ([]Due, error)
	DueBefore(now time.Time, limit int) ([]Due, error)
	NextDue() (time.Time, error)                              // zero: nothing
	ShiftSeat(game string, place int, by time.Duration) error // moves what is due of a seat's clock

	// Players that we can't reach, and for how long their clocks have stood still in a year.
	Unreached(player int64) (Unreached, error)
	SaveUnreached(Unreached) error // inserts or replaces
	DropUnreached(player int64) error
	HeldTime(player int64, year int) (time.Duration, error)
	AddHeldTime(player int64, year int, by time.Duration) error

	StoodIn(game string, place int) (StoodIn, error)
	SaveStoodIn(StoodIn) error // inserts or replaces
	DropStoodIn(game string, place int) error
}

// Counters count by key and day ("2026-11-21"), or a part of one ("2026-11-21T14:20").
type Counters interface {
	Count(key, day string) (int, error)
	Sum(key, from, to string) (int, error) // of these days and those between
	Bump(key, day string) (int, error)     // returns the new count
}

// Statistics are the figures of engine/statistics. A finished game is counted in a batch,
// from 1; 0 is not yet.
type Statistics interface {
	Uncounted(after string, limit int) ([]Game, error)          // oldest first, from behind game after
	Counted(batch int, after string, limit int) ([]Game, error) // by batch, then oldest first, from behind a batch's game
	LogsOf(games []string) (map[string][]game.Line, error)
	SetBatch(games []string, from, batch int) (int, error) // of those in batch from; tells how many. -1: they cannot be counted
	RetryUncountable() error                               // queues games whose statistics failed for another attempt: they are in batch 0 again
	CountedVoid() ([]Game, error)                          // games that were counted and are void by now
	UncountVoid() error                                    // they are not
	LastBatch() (int, error)                               // 0: none yet
	Figures(kind string) (Figures, error)
	AllFigures() ([]Figures, error)
	SaveFigures(Figures) error // inserts or replaces
	DropFigures() error        // all
}

// Ratings are those of engine/rated. Every finished game up to Rated is in them as it is
// now; what changes one of these lowers Rated to before it.
type Ratings interface {
	Rated() (finish int, err error)
	LastRated() (finish int, err error)       // of what is rated; 0 none
	RateAnew() error                          // Rated is 0
	Unrate(limit int) (more bool, err error)  // takes back what is rated behind Rated, at most so many finishes
	ToRate(after, limit int) ([]Game, error)  // games finished behind that one, in order
	SaveRated(finish int, rows []Rated) error // what comes behind Rated, which it becomes; rows in order
	RatingsFor(of []Rating) ([]Rating, error) // of the same kinds and whos, as far as there are any
	Rating(kind string, player int64, bot string) (Rating, error)
	RatingKinds() ([]string, error)
	Ratings(kind string, bots bool, skip, limit int) ([]Rating, error) // of people or of bots, by the lower end
	// RatingsNamed are those of people whose name in their last game began so,
	// however its ASCII letters are written, by name.
	RatingsNamed(name string, limit int) ([]Rating, error)
	RatingPlace(r Rating) (place, of int, err error)                              // a player's rank among the people rated in the same kind of game, and how many those are
	RatingsOf(player int64) ([]Rating, error)                                     // by kind
	RatedGames(kind string, player int64, bot string, limit int) ([]Rated, error) // the last first
	// SoloGames returns a player's solo games, newest first: those in which they have the seat,
	// and those in which they gave it to another after the log's first line.
	SoloGames(player int64, limit int) ([]Game, error)
}

// Alarms stores the trouble that we tell the host about.
type Alarms interface {
	Alarms() ([]Alarm, error) // by kind
	SaveAlarm(Alarm) error    // inserts or replaces
	// RaiseAlarm records trouble that happens and is over, such as a jump of the clock. It
	// stays recorded until we have told the host.
	RaiseAlarm(kind, why string, now time.Time) error
}

// Meta is what the database notes about itself and the daemon.
type Meta interface {
	LastHeartbeat() (time.Time, error) // of the heartbeat; zero: never
	Heartbeat(now time.Time) error
	// MailStopped is since when mail does not flow both ways; zero: it does.
	MailStopped() (time.Time, error)
	SetMailStopped(since time.Time) error
	// ShiftTimers moves all that waits for a time: what is due, when open questions
	// lapse, queued letters out with their age, and since when mail does not flow. by may be
	// negative.
	ShiftTimers(by time.Duration) error
	RestoredFrom() (time.Time, error) // this is a copy made then, and players don't know yet; zero: it is none
	AcknowledgeRestore() error        // it is a copy no longer
}
