package notice

import (
	"errors"
	"slices"
	"time"

	"angelpost/engine"
	"angelpost/engine/component"
	"angelpost/engine/game"
	"angelpost/engine/incoming"
	"angelpost/engine/order"
)

// Kind is the kind of a letter out (web/API.md, X-Angelpost-Kind).
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
	None    Result = "none"    // the letter did not ask for a change
)

// RendererVersion is written into new messages. A renderer that changes its
// bytes keeps the old way for old versions, or accepts that a repeated letter
// differs.
const RendererVersion = 1

// How subjects of letters about a game are chosen (mail/MAIL.md, Threads).
const (
	SubjectsSteady = "steady" // one for the whole game
	SubjectsNews   = "news"   // each says what happened
)

// A Message is a letter out as stored in the ledger.
type Message struct {
	ID      int64     `json:"id"`
	Kind    Kind      `json:"kind"`
	Version int       `json:"version"`          // RendererVersion when queued
	To      string    `json:"to"`               // one address
	Player  int64     `json:"player,omitempty"` // 0: no one yet
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
	// SubjectsSteady or SubjectsNews; "" before players could choose.
	Subjects string `json:"subjects,omitempty"`
	// The letter does not name its game or league as a list (List-Id).
	Unlisted bool `json:"unlisted,omitempty"`
}

// ShowsBoard reports whether the letter shows the whole board, with a picture in its
// HTML: turn notices, the letter that begins a game, answers with which a turn of the
// reader's begins, and answers to `board` do. Other letters show what is needed for the
// next choice, and a link.
func (m *Message) ShowsBoard() bool {
	switch {
	case m.Answer.Brief, m.Reminds():
		return m.Answer.Wants("board") && !m.Answer.Brief
	case m.Kind == KindTurn, m.Kind == KindStart:
		return true
	case m.Kind == KindAnswer && (m.Answer.Board || m.Since < 0): // or a game has begun
		return true
	}
	return m.Answer.Wants("board")
}

// Announces reports whether the letter tells its reader that their turn has come.
func (m *Message) Announces() bool {
	return m.Kind == KindTurn || m.Kind == KindAnswer && m.Answer.Board
}

// Receipt reports whether a letter is an answer that changed nothing on the board, or only
// brings messages of players. Such a letter has its remarks, answers or messages, and a
// link.
func (m *Message) Receipt() bool {
	if m.Kind == KindInfo && len(m.Answer.Press) > 0 && len(m.Answer.Remarks) == 0 && m.Since == m.Step && !m.ShowsBoard() {
		return true
	}
	if m.Kind != KindAnswer || m.Result == Refused || m.Result == Partial || m.Since != m.Step || m.ShowsBoard() || m.Answer.Wants("legal") {
		return false
	}
	for i := range m.Answer.Lines {
		switch l := &m.Answer.Lines[i]; l.Status {
		case LineWord, LineTried, LineSkipped:
		case LineApplied:
			if len(l.As) > 0 {
				return false // an order
			}
		default:
			return false
		}
	}
	return true
}

// Reminder returns the remark that reminds the letter's reader of a move, or warns that
// the time for it is over; nil if there is none.
func (m *Message) Reminder() *Remark {
	for i := range m.Answer.Remarks {
		switch r := &m.Answer.Remarks[i]; r.Code {
		case TellRunsOut, TellLate, TellReminder, TellNudge:
			return r
		}
	}
	return nil
}

// Reminds reports whether the letter reminds its reader of a move, or warns that the time
// for it is over. The turn notice has shown the board.
func (m *Message) Reminds() bool { return m.Reminder() != nil }

// Wants reports whether the reader asked for a section.
func (a *Answer) Wants(kind string) bool {
	for i := range a.Sections {
		if a.Sections[i].Kind == kind {
			return true
		}
	}
	return false
}

// An Answer is what a letter says besides the position: codes and arguments for the
// catalogue templates/words. It is complete: the renderer looks nothing up.
type Answer struct {
	GameName   string           `json:"game_name,omitempty"`
	Names      []string         `json:"names,omitempty"`   // by seat from 1 at [0]; before the start in invitation order
	Lines      []LineResult     `json:"lines,omitempty"`   // one for each order line of the letter answered
	Remarks    []Remark         `json:"remarks,omitempty"` // in the order of the letter
	Sections   []Section        `json:"sections,omitempty"`
	Press      []incoming.Press `json:"press,omitempty"`
	Sent       []Sent           `json:"sent,omitempty"`       // what the reader's own letter said to others, or noted
	Preview    []string         `json:"preview,omitempty"`    // canonical orders tried on a copy from Step on
	Invite     *Invite          `json:"invite,omitempty"`     // kind invitation
	Visibility string           `json:"visibility,omitempty"` // of the game when written
	Deadlines  []Deadline       `json:"deadlines,omitempty"`  // of the players to move, if the game has a clock
	Event      *Event           `json:"event,omitempty"`      // nil: the letter leaves calendars alone
	Paused     bool             `json:"paused,omitempty"`     // no clock runs
	Brief      bool             `json:"brief,omitempty"`      // the letter shows no position
	First      bool             `json:"first,omitempty"`      // the reader's first game begins
	Board      bool             `json:"board,omitempty"`      // an answer that is the reader's turn notice, too
	// Collected are the answers of letters beyond a bound, oldest first.
	Collected []Answer `json:"collected,omitempty"`
	// Home is the key of the reader's start page: in the letter that begins their first game,
	// and in answers to `link` and `settings`. Turn notices, which people forward, have none.
	Home string `json:"home,omitempty"`
	// Commands end the letter: commands that work when its reader sends them back, by a code
	// of the catalogue that says what each does.
	Commands []Remark `json:"commands,omitempty"`
	Subject  string   `json:"subject,omitempty"` // of the letter answered, for Collected and to know its like by
	League   string   `json:"league,omitempty"`  // name of the league that a letter about no game is about
	Game     string   `json:"game,omitempty"`    // id of what GameName names; in Collected of a daily letter only
	News     *News    `json:"news,omitempty"`    // of Game, to print next to it; nil: no news of turns
	Own      *Own     `json:"own,omitempty"`     // of Game; in Collected of a daily letter only
	// Data is all that is kept about the reader, as JSON that the letter brings as a file.
	Data string `json:"data,omitempty"`
}

// News is which turns of a game a daily letter about several tells.
type News struct {
	Seat    int    `json:"seat"`  // the reader's
	Since   int    `json:"since"` // tell events of lines after this one
	Step    int    `json:"step"`  // up to this one
	PageKey string `json:"page_key,omitempty"`
}

// Own is how the reader of a daily letter about several games comes to one of them.
type Own struct {
	Token   string `json:"token"`              // of the address to which they can answer about it
	PageKey string `json:"page_key,omitempty"` // of their page
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
	LineVoid    Status = "void"    // a wish for a decision that did not come up, or that could not bind
	LineTried   Status = "tried"   // preview
	LineWord    Status = "word"    // a word, done
	LineRefused Status = "refused" // Problem says why
	LineDropped Status = "dropped" // was legal, but its block was refused with another line
	LineUnread  Status = "unread"  // came after the line that was refused
	LineAsked   Status = "asked"   // we ask the writer whether they mean it
	LineSkipped Status = "skipped" // not needed, or not meant; Problem says why
	LineUnmet   Status = "unmet"   // a reservation list of which no die was there: none was reserved
)

// A LineResult is what became of one order line.
type LineResult struct {
	N       int      `json:"n"`            // its place among the letter's order lines, from 1; 0: no line of the letter
	Text    string   `json:"text"`         // as written, cleaned
	As      []string `json:"as,omitempty"` // the canonical orders that it meant
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
	More        []*Problem        `json:"more,omitempty"`        // others of the same line: of a league's file
}

// Error makes a refusal an error: a word that returns one is refused with it, while
// any other error undoes the letter.
func (p *Problem) Error() string { return p.Code + ": " + p.Args["word"] }

// AsProblem returns the Problem that err is or wraps, nil if it is none.
func AsProblem(err error) *Problem {
	var p *Problem
	errors.As(err, &p)
	return p
}

// Refuse returns a Problem. Its arguments come in pairs of name and value.
func Refuse(code string, args ...string) *Problem {
	p := &Problem{Code: code}
	for i := 0; i+1 < len(args); i += 2 {
		if p.Args == nil {
			p.Args = map[string]string{}
		}
		p.Args[args[i]] = args[i+1]
	}
	return p
}

// A Remark is one statement of a letter: a code of the catalogue and its arguments.
// Arguments are names, numbers, orders or addresses, never sentences.
type Remark struct {
	Code string            `json:"code"`
	Args map[string]string `json:"args,omitempty"`
	List []string          `json:"list,omitempty"`
}

// A Section is a word's answer that the renderer writes out from the position at the
// message's Step: "board", "legal", "history" (From), "rules" and "help" (Topic), "status"
// (Games). The sections "hint" (Hint), "plan" (Plan), "standing" (Standing), "rating"
// (Ratings), "settings" (Settings), "amended" (Changes) and those about leagues have all
// their data here.
type Section struct {
	Kind  string      `json:"kind"`
	From  int         `json:"from,omitempty"`
	Topic string      `json:"topic,omitempty"`
	Games []GameState `json:"games,omitempty"`
	Hint  *Hint       `json:"hint,omitempty"` // "hint"
	Plan  *Planned    `json:"plan,omitempty"` // "plan"

	Standing []StandingOrder `json:"standing,omitempty"` // "standing"

	Changes []string `json:"changes,omitempty"` // "amended": lines of a league's file, with - or + before them

	Ratings []PlayerRatings `json:"ratings,omitempty"` // "rating"

	Settings *Settings `json:"settings,omitempty"` // "settings"

	League  *League  `json:"league,omitempty"`  // "league", "schedule", "standings", "season-end", "forfeit"
	Leagues []League `json:"leagues,omitempty"` // "leagues"

	Report *LeagueReport `json:"report,omitempty"` // "report", with League
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
	Game    string       `json:"game"`
	Name    string       `json:"name,omitempty"`
	State   string       `json:"state"` // GameInvited … GameEnded
	Options game.Options `json:"options,omitzero"`
	Round   int          `json:"round,omitempty"`
	ToAct   []string     `json:"to_act,omitempty"`  // names
	Waiting []string     `json:"waiting,omitempty"` // names: invited, not joined
	You     bool         `json:"you,omitempty"`     // the reader must act
	Days    int          `json:"days,omitempty"`    // whole days since the last line
	Legal   []string     `json:"legal,omitempty"`   // for legal without a token
	PageKey string       `json:"page_key,omitempty"`
	Muted   bool         `json:"muted,omitempty"`   // the reader wants no letters about it
	Free    int          `json:"free,omitempty"`    // seats that anyone can take
	Ruling  *Ruling      `json:"ruling,omitempty"`  // the last about it
	Until   string       `json:"until,omitempty"`   // the first deadline of those who must act, in the reader's zone
	Private bool         `json:"private,omitempty"` // it has no page without a key
}

// Sent is a message or note of the reader's own, as it went out.
type Sent struct {
	Kind  string   `json:"kind"`            // say, note, announce
	To    []string `json:"to,omitempty"`    // say: names of those it goes to
	Trial bool     `json:"trial,omitempty"` // in a preview: it was not sent
	Text  string   `json:"text"`
}

// An Invite is what an invitation says of the game.
type Invite struct {
	Organiser  string   `json:"organiser"` // name; "": the host invites
	Players    int      `json:"players"`
	Names      []string `json:"names"` // in invitation order, "" unknown yet
	Rules      string   `json:"rules"`
	Edition    string   `json:"edition"`
	Set        string   `json:"set"`
	Visibility string   `json:"visibility"`
	Commitment string   `json:"commitment"` // hex SHA-256 of the seed
	Expires    string   `json:"expires"`    // date, "2026-11-30"
	Hints      bool     `json:"hints,omitempty"`
	Clock      string   `json:"clock,omitempty"` // as pace.Parse reads it; "" none

	Seat  string `json:"seat,omitempty"`  // whose seat of a running game it is; "" a new game's
	Round int    `json:"round,omitempty"` // that the running game is in
}

// An Input is all that rendering one letter needs: the message and, for letters about a
// game that has begun, what its reader may see.
type Input struct {
	Message    Message
	Options    game.Options     // of the game; zero for letters about no game
	Course     []game.Milestone // kind end: who had how many VP after each turn
	Commitment string           // hex SHA-256 of the seed
	Seed       string           // kind end of a finished game only
	View       *engine.View     // position after Message.Step, redacted for the seat; nil before the start
	Legal      []string         // orders the seat may give now, none if it owes nothing
	Example    []string         // a turn that would work, up to the step that rolls or draws
	Story      []game.Told      // what happened after Message.Since up to Message.Step
	History    []game.Told      // for a section "history": from its line From on
	After      *engine.View     // position after Message.Answer.Preview, nil without
	Collected  []Story          // of the game of each of Message.Answer.Collected that has News, in their order
}

// A Story is what happened in a game, cut to one reader.
type Story struct {
	Set  *component.Set
	Told []game.Told
}

// A Deadline is when a player's time is over.
type Deadline struct {
	Seat int    `json:"seat"`
	Time string `json:"time"`           // in the reader's zone
	Left int64  `json:"left"`           // seconds from the letter's date
	Bank int64  `json:"bank,omitempty"` // seconds of it that are from the bank
	Late bool   `json:"late,omitempty"` // it is over
}

// An Event is what a letter does to its reader's calendar: it sets or moves the deadline of a seat
// there, or ends it.
type Event struct {
	Seat    int   `json:"seat"`
	At      int64 `json:"at"`      // Unix time; 0: it has ended
	Revised int64 `json:"revised"` // Unix time of the change, later with each
}

// A Planned is what a letter says of a plan: codes, and lines of its reader's own.
type Planned struct {
	State  string         `json:"state"`
	Blocks []PlannedBlock `json:"blocks,omitempty"`
}

// States of a Planned.
const (
	PlanKept    = "kept"    // stored; where blocks have a Status, they were tried in the position as it is
	PlanTried   = "tried"   // the same, but not stored
	PlanAsked   = "asked"   // there is this one
	PlanNone    = "none"    // there is none
	PlanDropped = "dropped" // there is none any more
	PlanPlayed  = "played"  // the last block, which fits, was played
	PlanPart    = "part"    // its beginning was played: chance spoke, then a line was refused
	PlanFailed  = "failed"  // no block could be played
	PlanVoid    = "void"    // the position it was made for was taken back
)

// A PlannedBlock is a block of a plan and what came of trying it.
type PlannedBlock struct {
	Guards []string     `json:"guards,omitempty"` // canonical
	Orders []string     `json:"orders"`           // as written
	Status string       `json:"status,omitempty"` // "" not tried
	Guard  string       `json:"guard,omitempty"`  // the first that did not hold
	Lines  []LineResult `json:"lines,omitempty"`  // what became of its orders
	Random string       `json:"chance,omitempty"` // the order that rolls or draws, at which a trial ended
}

// Statuses of a PlannedBlock.
const (
	BlockFits  = "fits"
	BlockGuard = "guard"
	BlockLine  = "line"
)

// PlayerRatings is what a letter tells of a player's ratings: what their page shows
// to everyone.
type PlayerRatings struct {
	Player  int64         `json:"player,omitempty"` // whose page it is; 0 the reader, who has none
	Name    string        `json:"name,omitempty"`
	You     bool          `json:"you,omitempty"`
	Ratings []RatingPlace `json:"ratings,omitempty"` // by kind of game; none: the player is on no list
	Solo    []Solo        `json:"solo,omitempty"`    // only for You: no one else may know it
}

// A Solo is a player's record in solo games at one of Hal's levels. All of them count,
// listed or not, so only the player may see it; public ratings do not include it. From its
// first turn on, a game that the player abandons, resigns, hands on or does not finish
// counts as lost.
//
// Mu is the player's strength on a scale on which Hal at this level has that of a new
// player. Hal does not learn, so Mu depends only on the player's own games.
type Solo struct {
	Rules       string  `json:"rules"`
	Hal         string  `json:"hal"` // level, as options have it
	Games       int     `json:"games"`
	Won         int     `json:"won"`
	Left        int     `json:"left"` // lost without being played to the end
	Played      int     `json:"played"`
	Best        int     `json:"best"`   // most VP, of Played
	VP          float64 `json:"vp"`     // mean of Played
	HalVP       float64 `json:"hal_vp"` // Hal's
	Mu          float64 `json:"mu"`
	Sigma       float64 `json:"sigma"`
	Margin      float64 `json:"margin"`
	Provisional bool    `json:"provisional,omitempty"` // few games (engine/rated)
}

// A RatingPlace is a rating and its place on its list.
type RatingPlace struct {
	Kind  string  `json:"kind"` // its key (engine/rated)
	Games int     `json:"games"`
	Mu    float64 `json:"mu"`
	Sigma float64 `json:"sigma"`
	Place int     `json:"place"` // from 1
	Of    int     `json:"of"`    // people on the list
}

// A Ruling is what the host, a director or an assistant did to a game, with a reason
// that anyone who may see the game may read. The game's own log and result stay as
// they are.
type Ruling struct {
	N      int              `json:"n"` // of the game, from 1
	At     time.Time        `json:"at"`
	By     int64            `json:"-"`             // player; 0: the server's host, or no one
	Who    string           `json:"who,omitempty"` // the ruler's name then; "" the host
	Kind   order.RulingKind `json:"kind"`
	Reason string           `json:"reason"`
	Step   int              `json:"step"` // length of the game's log behind it
	RulingArgs
}

// RulingArgs are what a ruling decided.
type RulingArgs struct {
	Seat   int       `json:"seat,omitempty"`   // extend, replace: whose
	Name   string    `json:"name,omitempty"`   // the player's name then: another may sit there later
	Until  time.Time `json:"until,omitzero"`   // extend: the player's deadline then
	Bot    string    `json:"bot,omitempty"`    // replace: by which bot; "" another player was invited
	To     int       `json:"to,omitempty"`     // rollback: the line whose position the game went back to
	Scores []int     `json:"scores,omitempty"` // adjudicate, correct: by seat
	Game   string    `json:"game,omitempty"`   // replay: the new game
	Code   string    `json:"code,omitempty"`   // why, if the server itself ruled: RulingNoShow, RulingForfeit
	Of     int       `json:"of,omitempty"`     // appeal, uphold: the number of the ruling
}

// Rules reports whether it is a ruling, and not an appeal against one or the answer to
// that.
func (r Ruling) Rules() bool { return r.Kind != order.RuleAppeal && r.Kind != order.RuleUphold }

// Decided returns the rulings without the appeals and the answers to them, which may tell
// of hands: players may read those once the game is over.
func Decided(all []Ruling) []Ruling {
	return slices.DeleteFunc(slices.Clone(all), func(r Ruling) bool { return !r.Rules() })
}

// Public returns the rulings about a game that is over that everyone may read: no appeals before
// they are answered.
func Public(all []Ruling) []Ruling {
	n := len(all)
	for n > 0 && all[n-1].Kind == order.RuleAppeal {
		n--
	}
	return all[:n]
}

// RulingNoShow is the reason for a game that was void and began again: a player never came.
const RulingNoShow = "no-show"
