package unit

import (
	"fmt"
	"io"
	"log/slog"
	"net/mail"
	"strings"
	"time"

	"angelpost/engine"
	"angelpost/engine/component"
	"angelpost/engine/incoming"
	"angelpost/engine/match/replays"
	"angelpost/engine/notice"
	"angelpost/engine/store"
	"angelpost/engine/token"
)

// A Command is one letter in, already read.
type Command struct {
	Stored     int64          // number of its row, once it has one
	From       string         // address of the writer
	Foreign    string         // if From is "" because of letters beyond ASCII before its @: the address
	Name       string         // display name they gave, "" if none
	Token      string         // from the address it came to, or the subject tag; "" if none
	Also       []string       // tokens of other addresses that it came to, not Token
	Class      incoming.Class // "" is incoming.Orders
	MessageID  string         // without angle brackets; "" if it had none
	Date       time.Time      // as the letter says; zero if it does not
	InReplyTo  string         // the Message-ID it answers, without angle brackets; "" if it says none
	BodyHash   string         // hex SHA-256 of the decoded body
	Subject    string
	Program    string   // the mail program that wrote it, as it calls itself; "" if it does not say
	Lines      []string // what the author wrote, line by line (mail/letter's Text)
	Barred     int      // lines dropped because of their bar
	Struck     []string // lines of the author's that are struck through
	Reaction   string   // of a letter of class incoming.Reaction: the emoji
	Sealed     bool     // of a Broken letter: it is encrypted
	Quoted     int      // listed orders that lost their bar but stand inside the quotation
	AuthFailed bool     // the receiving server found DMARC or DKIM failed
	AuthPassed bool     // it found that DMARC passed
	Authentic  bool     // it found that DMARC, or DKIM of the author's own domain, passed
	// AuthIllegible is the beginning of the field in which it says what it found, if
	// that cannot be read.
	AuthIllegible string
	Bounced       []incoming.Bounce   // of a letter of class incoming.Bounced
	Complaint     *incoming.Complaint // of a letter of class incoming.Complained
	Received      time.Time
	Raw           []byte   // the whole letter as fetched, or its header if too large
	Unfiled       bool     `json:"-"` // it did not come by the mailbox
	Aside         bool     // our address stands neither in To nor in Cc
	Linked        bool     // it has no token, and an address of the web
	Files         []string // names of its files, which are not read
	// Elsewhere is set if the letter is for another server of the same host: it came to the
	// wrong one.
	Elsewhere *Elsewhere `json:"-"`
	Others    []string   `json:"-"` // addresses of the other servers of the host, some of them if there are many
}

// Elsewhere is another server of the same host.
type Elsewhere struct {
	Address string // where players write
	URL     string // of its pages
}

// A Config is what a Desk needs. Store, Sets, Now and Random must be
// there; New fills in the rest.
type Config struct {
	Store  store.DB
	Sets   map[string]*component.Set // by name
	Set    string                    // of new games that name none; default the built-in one
	Now    func() time.Time
	Random io.Reader // for seeds, tokens, keys and ids; crypto/rand's

	// Chance is what games draw from, nil: from their seeds (engine.NewChance).
	// It is there for the test of secrecy, which gives one stored game other
	// hidden cards and another future under the same seed; nothing else may set
	// it, for such a game cannot be verified.
	Chance func(seed [32]byte, message string) engine.Random

	// Drafting is called for each letter out before the transaction that queues it is
	// committed, even if it never is, so that the letter can be rendered meanwhile; nil: it
	// is not. view makes the View of the letter's Input, at any time; nil: it has none, or
	// is text only, or shows another position. What Drafting returns, which may be nil, is
	// called once the letter is queued: r is the message as the store will give it, and
	// sheet makes the Input that Host.Input will make, at any time. If the same Message-ID
	// comes twice, only the last may be committed. Both must return at once.
	Drafting func(view func() *engine.View) (drafted func(r notice.Message, sheet func() (*notice.Input, error)))

	// Adviser is the bot whose plan a hint shows, a bot.Adviser; default
	// bot.Planner.
	Adviser string

	// TokenRoom is how many characters an address has for a token; 0: as many as needed.
	TokenRoom int
	// Host is the right side of Message-IDs.
	Host string
	// Shard begins the ids of new games, which tell the servers of one host apart; "" for a
	// host with one.
	Shard string
	// NFC normalises names and words of entropy; nil leaves them as they are.
	NFC func(string) string
	// Knows reports whether `rules` or `help`, the word, has an answer to a topic; nil
	// knows them all.
	Knows func(word, topic string) bool
	// Skeleton makes names that look alike equal (Unicode TS 39); nil leaves them as
	// they are.
	Skeleton func(string) string
	// Address brings an address into the one form in which it is compared, ""
	// if it is none; nil lowers its case.
	Address func(string) string
	// StorageDown reports whether an error of the store is the machine's, as when the
	// disk is full: no letter is blamed for it. nil knows none.
	StorageDown func(error) bool
	// Domain is the domain in which a host's owner can make up names, as example.org
	// is of mail.example.org; nil: the host itself.
	Domain func(host string) string
	// Weigh tells how many octets a letter has as it is sent, for the bound on answers
	// to strangers; nil: they are not weighed.
	Weigh func(*notice.Input) (int, error)
	// Own tells the addresses of the host's servers: they are never written to.
	Own func(address string) bool

	// Provider is the domain whose owner provides an address: example.org of x@fbl.example.org.
	// Nil: the whole domain of the address.
	Provider func(address string) string

	Policy

	InviteFor time.Duration // until an invitation lapses; default 14 days

	// Condense returns what to keep of a letter in that was dealt with; nil: all of it. It
	// must not fail. Nil: letters are packed whole.
	Condense func(store.Letter) []byte

	// Flowed reports whether every letter that had arrived at a time has been handed in, and
	// letters could be sent then; if that is not known it sees to it that it will be. Nil: it is so.
	// It must not call the desk.
	Flowed func(at time.Time) bool
	// Awaits reports whether a letter of an address was stored by Desk.Keep and waits; nil: none
	// does.
	Awaits func(address string) bool

	// Thought hears what became of a letter whose outcome was Thinking, and of those of
	// its sender that waited for it. It must not call the desk.
	Thought func(c Command, outcome string)
	Log     *slog.Logger
}

// A Policy is the part of a desk's Config that may change while it runs.
type Policy struct {
	Start string   // who may start games: "anyone" (default), "known", "list"
	List  []string // for "list"

	Directors []string // addresses of those who may make leagues by mail; nil: no one
	HostMail  string   // the host's own address; "" not known
	Friends   []string // addresses, and domains whose letters pass DMARC, of people that the host knows
	Reporters []string // addresses whose abuse reports count
	Checked   bool     // letters in are checked: those of a stranger that do not pass DMARC may be anyone's

	RemindAfter   time.Duration // of silence; default 4 days
	AnswersPerDay int           // to an address, UTC; the rest is collected, but for orders carried out; default 60
	KeepLetters   time.Duration // letters are kept so long; default 400 days
	VacationDays  int           // of a player in a calendar year; default 30, below 0: none
	Contact       string        // address to ask about the data that we keep; "" none
	HoldNews      time.Duration // for which news of a league waits for another letter; default a week, below 0: it does not
}

// Filled returns p with its defaults.
func (p Policy) Filled() Policy {
	if p.RemindAfter == 0 {
		p.RemindAfter = 4 * 24 * time.Hour
	}
	if p.AnswersPerDay == 0 {
		p.AnswersPerDay = 60
	}
	if p.KeepLetters == 0 {
		p.KeepLetters = 400 * 24 * time.Hour
	}
	if p.VacationDays == 0 {
		p.VacationDays = 30
	}
	if p.HoldNews == 0 {
		p.HoldNews = 7 * 24 * time.Hour
	}
	return p
}

// PlainAddress returns an address in lower case, "" if it is not valid.
func PlainAddress(s string) string {
	a, err := mail.ParseAddress(s)
	if err != nil || len(a.Address) > 254 || strings.ContainsAny(a.Address, "\r\n\"<> ") {
		return ""
	}
	return strings.ToLower(a.Address)
}

// RandomText returns n random bytes as text.
func (u *Unit) RandomText(n int) string {
	b := make([]byte, n)
	if _, err := io.ReadFull(&u.Attempt.Drawn, b); err != nil {
		u.Check(fmt.Errorf("randomness: %w", err))
		return ""
	}
	return token.Coding.EncodeToString(b)
}

// An Env is what all units of a desk share.
type Env struct {
	Config
	Replays     *replays.Cache
	Substitutes Substitutes
	Waits       func(address string) bool // reports whether a letter of an address is stored and waits, for bots or outside the desk
}

// Substitutes are what comes to a seat of a league's game whose player is gone; in a
// game of no league nothing does.
type Substitutes interface {
	// StepsIn returns the player with which the game starts again if the player of the seat
	// never came; 0: it goes on.
	StepsIn(*Unit, *Game, *store.Seat) (player int64, err error)
	// NoShow starts the game again with that player; false: it goes on.
	NoShow(*Unit, *Game, *store.Seat) (begun bool, err error)
	// Vacated sees to a seat whose player has resigned or is absent for good.
	Vacated(*Unit, *Game, *store.Seat) error
	// Declined sees to a vacant seat whose heir has said no.
	Declined(*Unit, *Game, *store.Seat) error
}

// Begin returns a unit of work. Everything in it happens at one moment.
func (d *Env) Begin(tx store.Tx, c Command, l *store.Letter) *Unit {
	return &Unit{Env: d, Log: d.Log, Tx: tx, At: d.Now().UTC().Truncate(time.Second), Command: c, Letter: l, Players: map[int64]*store.Player{}, Loaded: map[int64]store.Player{}, Attempt: d.NewAttempt()}
}
