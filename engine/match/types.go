// Package match holds games under way: their records, who sits where, and the
// desk that turns letters in into steps and letters out.
//
// A game is its seed, its options and its log (Record). Nothing here edits a
// position; it is replayed from the log. The desk takes one Command at a time
// and does all that follows from it in one transaction of the Store it was
// given: the log lines, the tokens, and the letters to write, as Recipes.
// In a game with a clock it also says by when whom the game waits for must move,
// and what becomes of a turn that does not come; time in which the server is away
// is nobody's.
//
// What players have said beforehand is done without a letter: plans for a coming
// turn and standing orders, which nobody else ever sees. Whoever rules over a game,
// a league's director or the server's host, does so by Rulings, each with a reason
// that everybody who sees the game may read; the log only grows by them. Who came to
// a seat when is a Stint, and who played how much of it a Part. The games of a
// league are begun, and their results and rulings noted, in the log from which
// engine/league computes.
//
// A Recipe and the stored log together always render to the same bytes: it
// holds codes and arguments, never sentences, and nothing that may change
// later is looked up when it is rendered (Host.Sheet).
//
// Only this package and the rules themselves hold an engine.State. What leaves
// it is cut to a viewer: Views, legal orders of that viewer, events through
// engine.Event.For. Time, chance and names of things are injected (Config).
package match

import (
	"time"

	"angelpost/engine"
)

// Kind is the kind of a letter out (CONTRACT.md, X-Angelpost-Kind).
type Kind string

// The kinds.
const (
	KindInvitation Kind = "invitation"
	KindStart      Kind = "start"
	KindTurn       Kind = "turn"
	KindAnswer     Kind = "answer"
	KindInfo       Kind = "info"
	KindEnd        Kind = "end"
)

// Result says what became of the letter answered (X-Angelpost-Result).
type Result string

// The results.
const (
	Applied Result = "applied" // something was changed and every line was understood
	Partial Result = "partial" // something was changed, something refused
	Refused Result = "refused" // nothing was changed, something was refused
	None    Result = "none"    // nothing was to be changed
)

// RendererVersion is written into new recipes. A renderer that changes its
// bytes keeps the old way for old versions, or accepts that a repeated letter
// differs.
const RendererVersion = 1

// A Recipe is a letter out as it stands in the ledger.
type Recipe struct {
	ID      int64     `json:"id"`
	Kind    Kind      `json:"kind"`
	Version int       `json:"version"`          // RendererVersion when queued
	To      string    `json:"to"`               // one address
	Player  int64     `json:"player,omitempty"` // 0: nobody yet
	Game    string    `json:"game,omitempty"`   // "" for letters about no game
	Seat    int       `json:"seat"`             // 0: not seated (yet)
	Since   int       `json:"since"`            // tell events of lines after this one; -1: the setup too
	Step    int       `json:"step"`             // the position shown: after this line
	Result  Result    `json:"result"`
	Token   string    `json:"token,omitempty"` // "" if it cannot be answered
	PageKey string    `json:"page_key,omitempty"`
	League  string    `json:"league,omitempty"`   // id of the one that a letter about no game is about
	MuteKey string    `json:"mute_key,omitempty"` // there with PageKey, or League
	Format  string    `json:"format,omitempty"`   // "text": no HTML part
	Answer  Answer    `json:"answer"`
	Date    time.Time `json:"date"`
	// RFC 5322 identifiers, without angle brackets.
	MessageID  string   `json:"message_id"`
	InReplyTo  string   `json:"in_reply_to,omitempty"`
	Thread     string   `json:"thread,omitempty"`     // our letter that heads the thread; "" if this one does
	References []string `json:"references,omitempty"` // Thread and InReplyTo
}

// An Answer is what a letter says beside the position: codes and arguments for
// the catalogue templates/words. It is complete: nothing in it is looked up.
type Answer struct {
	GameName   string       `json:"game_name,omitempty"`
	Names      []string     `json:"names,omitempty"`   // by seat from 1 at [0]; before the start in invitation order
	Lines      []LineResult `json:"lines,omitempty"`   // one for each order line of the letter answered
	Remarks    []Remark     `json:"remarks,omitempty"` // in the order they are said
	Sections   []Section    `json:"sections,omitempty"`
	Press      []Press      `json:"press,omitempty"`
	Preview    []string     `json:"preview,omitempty"`    // canonical orders tried on a copy from Step on
	Invite     *Invite      `json:"invite,omitempty"`     // kind invitation
	Visibility string       `json:"visibility,omitempty"` // of the game when written
	Deadlines  []Deadline   `json:"deadlines,omitempty"`  // of whom the game waits for, if it has a clock
	Paused     bool         `json:"paused,omitempty"`     // no clock runs
	// Collected are the answers of letters beyond the daily bound, oldest first.
	Collected []Answer `json:"collected,omitempty"`
	Subject   string   `json:"subject,omitempty"` // of the letter answered, for Collected and to know its like by
	League    string   `json:"league,omitempty"`  // name of the league that a letter about no game is about
}

// Status says what became of one line.
type Status string

// The statuses.
const (
	LineApplied Status = "applied" // played; As is what was logged
	LinePassed  Status = "passed"  // already played this turn, passed over
	LineForced  Status = "forced"  // the desk played the only possible step
	LineAlways  Status = "always"  // a standing order, Text, did it; As is what was logged
	LineWish    Status = "wish"    // a wish that bound; As is what was logged
	LineVoid    Status = "void"    // a wish that was not asked for or could not bind
	LineTried   Status = "tried"   // preview
	LineWord    Status = "word"    // a word, done
	LineRefused Status = "refused" // Problem says why
	LineDropped Status = "dropped" // was legal, but its block was refused with another line
	LineUnread  Status = "unread"  // came after the line that was refused
	LineAsked   Status = "asked"   // the writer is asked whether he means it
)

// A LineResult is what became of one order line.
type LineResult struct {
	N       int      `json:"n"`            // its place among the letter's order lines, from 1; 0: no line of the letter
	Text    string   `json:"text"`         // as written, cleaned
	As      []string `json:"as,omitempty"` // canonical orders it stood for
	Status  Status   `json:"status"`
	Problem *Problem `json:"problem,omitempty"`
}

// A Problem is why a line was refused: a code of the catalogue, the number of
// the rule if it was one, how the line was read, and what would work.
type Problem struct {
	Code        string            `json:"code"`
	Rule        string            `json:"rule,omitempty"` // "R4.1"
	Read        string            `json:"read,omitempty"` // how the line was understood, canonical
	Args        map[string]string `json:"args,omitempty"`
	Candidates  []string          `json:"candidates,omitempty"`  // it could be any of these
	Suggestions []string          `json:"suggestions,omitempty"` // legal now
}

// A Remark is one thing to be said: a code of the catalogue and its arguments.
// Arguments are names, numbers, orders or addresses, never sentences.
type Remark struct {
	Code string            `json:"code"`
	Args map[string]string `json:"args,omitempty"`
	List []string          `json:"list,omitempty"`
}

// A Section is a word's answer that the renderer writes out from the position
// at the recipe's Step: "board", "legal", "history" (From), "rules" and "help"
// (Topic), "status" (Games). "hint" (Hint), "plan" (Plan), "standing" (Standing),
// "rating" (Ratings), "amended" (Changes) and what is told of leagues are all there.
type Section struct {
	Kind  string      `json:"kind"`
	From  int         `json:"from,omitempty"`
	Topic string      `json:"topic,omitempty"`
	Games []GameState `json:"games,omitempty"`
	Hint  *Hint       `json:"hint,omitempty"` // "hint"
	Plan  *Planned    `json:"plan,omitempty"` // "plan"

	Standing []StandingOrder `json:"standing,omitempty"` // "standing"

	Changes []string `json:"changes,omitempty"` // "amended": lines of a league's file, with - or + before them

	Ratings []RatingTale `json:"ratings,omitempty"` // "rating"

	League  *LeagueTale  `json:"league,omitempty"`  // "league", "schedule", "standings", "season-end", "forfeit"
	Leagues []LeagueTale `json:"leagues,omitempty"` // "leagues"
}

// A StandingOrder is what a player has said once for all.
type StandingOrder struct {
	N    int    `json:"n"`
	Line string `json:"line"`          // canonical
	Off  string `json:"off,omitempty"` // why it is disarmed, a Remark's code; "" armed
}

// A Hint is a turn that the planner proposes, with what it expects.
type Hint struct {
	Orders []string `json:"orders"`          // canonical, up to what chance decides
	Whole  bool     `json:"whole,omitempty"` // they are the whole turn
	VP     int      `json:"vp"`              // of the reader now
	Lead   int      `json:"lead"`            // VP ahead of the others' average, or Hal, at the end, as expected
	Other  string   `json:"other,omitempty"` // the best other order to begin with, "" none
	Less   int      `json:"less,omitempty"`  // VP that Other is expected to cost
}

// GameState is one line of status.
type GameState struct {
	Game    string   `json:"game"`
	Name    string   `json:"name,omitempty"`
	State   string   `json:"state"` // GameInvited … GameEnded
	Options Options  `json:"options,omitzero"`
	Round   int      `json:"round,omitempty"`
	ToAct   []string `json:"to_act,omitempty"`  // names
	Waiting []string `json:"waiting,omitempty"` // names: invited, not joined
	You     bool     `json:"you,omitempty"`     // the reader must act
	Days    int      `json:"days,omitempty"`    // whole days since the last line
	Legal   []string `json:"legal,omitempty"`   // for legal without a token
	PageKey string   `json:"page_key,omitempty"`
	Muted   bool     `json:"muted,omitempty"`  // the reader wants no letters about it
	Free    int      `json:"free,omitempty"`   // seats that anybody can take
	Ruling  *Ruling  `json:"ruling,omitempty"` // the last about it
	Until   string   `json:"until,omitempty"`  // the first deadline of those who must act, in the reader's zone
}

// Press is a message from player to player.
type Press struct {
	From string `json:"from"`         // name
	To   string `json:"to,omitempty"` // name; "" to all
	Text string `json:"text"`
}

// An Invite is what an invitation says of the game.
type Invite struct {
	Organiser  string   `json:"organiser"` // name
	Players    int      `json:"players"`
	Names      []string `json:"names"` // in invitation order, "" unknown yet
	Rules      string   `json:"rules"`
	Edition    string   `json:"edition"`
	Set        string   `json:"set"`
	Visibility string   `json:"visibility"`
	Commitment string   `json:"commitment"` // hex SHA-256 of the seed
	Expires    string   `json:"expires"`    // date, "2026-11-30"
	Hints      bool     `json:"hints,omitempty"`
	Clock      string   `json:"clock,omitempty"` // a Pace; "" none
}

// Class is what a letter in is, as mail/letter read it (CONTRACT.md, read).
type Class string

// The classes. Only orders, empty and too_large are ever answered.
const (
	ClassOrders   Class = "orders"
	ClassAuto     Class = "auto"
	ClassBounce   Class = "bounce"
	ClassList     Class = "list"
	ClassCalendar Class = "calendar"
	ClassReceipt  Class = "receipt"
	ClassEmpty    Class = "empty"
	ClassTooLarge Class = "too_large"
	ClassBroken   Class = "broken"
)

// A Command is one letter in, already read.
type Command struct {
	From       string    // address of the writer
	Name       string    // display name he gave, "" if none
	Token      string    // from the address it came to, or the subject tag; "" if none
	Class      Class     // "" is ClassOrders
	MessageID  string    // without angle brackets; "" if it had none
	Date       time.Time // as the letter says; zero if it does not
	InReplyTo  string    // the Message-ID it answers, without angle brackets; "" if it says none
	BodyHash   string    // hex SHA-256 of the decoded body
	Subject    string
	Lines      []string   // order lines, cleaned of quotes and footers
	Press      []PressOut // texts of say, if the reader took them out of Lines
	Barred     int        // lines dropped because of their bar
	Quoted     int        // listed orders that lost their bar but stand inside the quotation
	AuthFailed bool       // the receiving server found DMARC or DKIM failed
	Bounced    []Bounce   // ClassBounce
	Received   time.Time
	Raw        []byte // the whole letter as fetched, or its header if too large
}

// PressOut is one say of a letter: To is a name, "" for all.
type PressOut struct{ To, Text string }

// A Bounce is one failed recipient of a delivery report (RFC 3464).
type Bounce struct {
	Address   string
	MessageID string // of our letter, "" if the report does not say
	Permanent bool
	Status    string // "5.1.1"
}

// By is who wrote a log line.
type By string

// The writers.
const (
	ByPlayer    By = "player"
	ByBot       By = "bot"
	ByOrganiser By = "organiser"
	ByDirector  By = "director"
	ByClock     By = "clock"
)

// A Sheet is all a renderer needs for one letter: the recipe and, for letters
// about a game under way, what its reader may see.
type Sheet struct {
	Recipe     Recipe
	Options    Options      // of the game; zero for letters about no game
	Commitment string       // hex SHA-256 of the seed
	Seed       string       // kind end of a finished game only
	View       *engine.View // position after Recipe.Step, cut to the seat; nil before the start
	Legal      []string     // orders the seat may give now, none if it owes nothing
	Example    []string     // a turn that would work, up to the step that rolls or draws
	Story      []Told       // what happened after Recipe.Since up to Recipe.Step
	History    []Told       // for a section "history": from its line From on
	After      *engine.View // position after Recipe.Answer.Preview, nil without
}

// Told is one log line with what followed from it, cut to a viewer.
type Told struct {
	N      int            `json:"n"` // 0: the setup
	Seat   int            `json:"seat"`
	By     By             `json:"by,omitempty"`
	Order  string         `json:"order"`
	Undone bool           `json:"undone,omitempty"` // a later undo took it back
	Events []engine.Event `json:"-"`
}
