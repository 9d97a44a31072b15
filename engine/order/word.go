package order

import (
	"strings"
	"unicode"
)

// WordKind is a word around the turn (ORDERS.md 7); the table vocables has a row for each.
type WordKind uint8

// The words, with the fields of Word they use.
const (
	NoWord  WordKind = iota
	Preview          // try the letter's lines only
	InGame           // Name: the id of the game that what follows is for
	Undo
	Status
	Board
	History // N: from that log line; 0: from the last turn
	Legal
	Rules  // Text: topic or number; "" for the list
	Help   // Text: a word; "" for all
	Say    // To, Text
	Note   // Text
	Name   // Text: the name wanted
	Join   // Name, Text: the word of entropy, untouched but for blanks around it
	Refuse // "decline" alone: an invitation; the same line is a Clause too, for an owner's activation
	Resign
	Format // Arg: text or html
	Notify // Arg: NotifyEvery, NotifyMine or NotifyDigest
	Link
	Rematch
	NewGame // Game
	Remind  // Name
	Replace // Name, Arg: a bot or an address, see Options.Players
	Cancel
	Abandon
	Address // Arg: add or remove; Text: the address
	Mute    // no more letters about the game but answers
	Unmute
	Yes
	No
	Hint // the planner's proposal for the writer's turn
	Back // takes the writer's own seat up again
	Zone // Text: name of the writer's time zone
	// Vacation: Text "" asks, Arg "off" ends it, otherwise the first day, Arg the last.
	Vacation
	DaysOff   // Text: days of the week, "" for none
	Extend    // Name, Text: by how much time
	Reminders // Text: which
	Quiet     // Text: from when, Arg: to when, both "" for never
	Pause
	Resume
	Games     // those at which seats are free
	Always    // Standing: "always" or "never" and what to do whenever the game asks for it
	Standings // "standing": the writer's standing orders
	Forget    // N: the number of a standing order, 0 for all
	Plan      // Ahead; Arg "none" drops the plan; without either, the writer wants to see the plan
	Rule      // Rule: rules over a game
	// Words about leagues; Name: the league's.
	Leagues     // the list of them
	League      // how one stands
	LeagueTable // of the writer's division in it
	JoinLeague  // Text: what the writer wants to be called
	LeaveLeague //
	Substitute  // Arg: "no" takes it back
	NewLeague   // Text: the lines of its file
	Announce    // Text
	AmendLeague // Text: the lines of the new file
	Direct      // Direct; Text: why
	Rating      // Name: whose; "" the writer's own
	// Words about what players choose for themselves, and about each other.
	Settings // all of it
	Subjects // Arg: steady or news
	ListID   // Arg: On or Off
	Ignore   // Name: a player whose messages the writer does not want to read
	Unignore // Name: the same; "" all
	TakeBack // the writer's last turn, if all others agree
	Report   // Name, Text: why; brings a player's messages to the host

	Never // this server must never write to the writer again

	// Words about what the server keeps of the writer.
	MyData   // all of it, in a letter
	ForgetMe // all of it but their games is erased
)

// A Word is a word with its arguments. Texts and names are as written, blanks
// around them and control characters removed; NFC is the caller's to make.
type Word struct {
	Kind WordKind
	N    int
	Name string
	Text string
	Arg  string
	To   []string // names; nil: everyone
	Game Options

	Standing Standing
	Ahead    *Ahead
	Rule     Ruling
	Direct   *Direction
}

// Options are the lines below "new game"; what is not given is "".
type Options struct {
	Players    []string // addresses, Anyone, "bot", or "bot:" and the name of a bot, which may not exist
	Seats      int      // how many, those not named being for Anyone; 0: as many as players
	Rules      string   // base or advanced
	Edition    string   // revised or first
	Hal        string   // Hal's level where he plays: the word of data
	Set        string   // a component set's name
	Visibility string   // private, unlisted or listed
	Hints      string   // yes or no
	Clock      string   // the time to play in, as it was written
	Name       string
	Bad        bool // a line of it could not be read: this is not the game that was meant
}

// What Notify may say.
const (
	NotifyEvery  = "every"
	NotifyMine   = "mine"
	NotifyDigest = "digest" // Text: the hour, "" as before
)

// MaxName bounds a name, in bytes, and so does a word of entropy (web/API.md).
const MaxName = 64

// MaxPlayers bounds the players and addressees named in one line.
const MaxPlayers = 16

// splitNames cuts a list of names at commas, ampersands and "and".
func splitNames(s string) (names []string) {
	look(len(s))
	for _, part := range partsOf(s, func(r rune) bool { return r == ',' || r == '&' || r == ';' }) {
		for {
			i := strings.Index(part, " and ")
			if i < 0 {
				break
			}
			if n := trim(part[:i]); n != "" {
				names = append(names, n)
			}
			part = part[i+5:]
		}
		part = strings.TrimPrefix(trim(part), "and ")
		if n := trim(part); n != "" {
			names = append(names, n)
		}
	}
	return names
}

func nonempty(w Word, text, line string) (Word, *Problem, bool) {
	switch {
	case text == "":
		return w, &Problem{Code: NoText, Text: clip(line, MaxLine)}, true
	case len(text) > MaxName:
		return w, &Problem{Code: LongText, Text: clip(line, MaxLine)}, true
	}
	return w, nil, true
}

// choice is the one of the values that s names or begins, "" if none or several.
func choice(s string, values ...string) string {
	found, key := "", Key(s)
	for _, v := range values {
		if key == v {
			return v
		}
		if key != "" && strings.HasPrefix(v, key) {
			if found != "" {
				return ""
			}
			found = v
		}
	}
	return found
}

// Arguments of ListID.
const (
	On  = "on"
	Off = "off"
)

// Anyone is an Options.Players entry for a player who is not known yet: the first to join.
const Anyone = "open"

// IsBot reports whether one of Options.Players is a bot.
func IsBot(player string) bool { return player == "bot" || strings.HasPrefix(player, "bot:") }

// aBot returns the bot that s names, as "bot", "a bot", "bot:planner" or, as letters show
// it, "Bot (planner)"; "" if it names none. A negative number must not lose its sign.
func aBot(s string) string {
	if strings.ContainsRune(s, '@') {
		return ""
	}
	words := skip(wordsIn(Key(strings.ReplaceAll(s, ":-", ":minus "))), "a")
	if len(words) == 0 || words[0] != "bot" {
		return ""
	}
	return clip(strings.Join(words, ":"), MaxName)
}

// address returns a bot, or the address in the text: bare, in angle brackets, or followed
// by the link that a mail client made of it; "" if there is none. It does not check whether
// mail can reach it.
func address(s string) string {
	s = trim(s)
	if b := aBot(s); b != "" {
		return b
	}
	if k := Key(s); k == Anyone || k == "anyone" || k == "open seat" {
		return Anyone
	}
	for _, part := range partsOf(s, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune("<>\"'()[]", r) }) {
		part = strings.TrimPrefix(part, "mailto:")
		part = strings.Trim(part, ".,;")
		if i := strings.IndexByte(part, '@'); i > 0 && i < len(part)-1 && strings.Count(part, "@") == 1 && len(part) <= 254 {
			return part
		}
	}
	return ""
}

// trim takes blanks of any width off both ends and control characters out.
func trim(s string) string {
	look(len(s))
	s = strings.Map(func(r rune) rune {
		switch {
		case r == '\t' || r == '\u00a0':
			return ' '
		case unicode.IsControl(r) || r == '\ufeff' || r == '\u200b':
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, "\ufffd"))
	return strings.TrimSpace(s)
}

// cutWord cuts the first word off, at a blank or a colon.
func cutWord(s string) (word, rest string) {
	s = trim(s)
	i := strings.IndexFunc(s, func(r rune) bool { return unicode.IsSpace(r) || r == ':' || r == '：' })
	if i < 0 {
		return strings.TrimRight(s, ".!?;,"), ""
	}
	return s[:i], s[i:]
}

func cutComment(s string) string {
	look(len(s))
	for i := range len(s) {
		if s[i] == '#' && comments(s, i) {
			return s[:i]
		}
	}
	return s
}

func skip(words []string, fill ...string) []string {
	for len(words) > 0 {
		hit := false
		for _, f := range fill {
			hit = hit || Key(words[0]) == f
		}
		if !hit {
			break
		}
		words = words[1:]
	}
	return words
}

func everybody(names []string) bool {
	return len(names) == 1 && (Key(names[0]) == "all" || Key(names[0]) == "everybody" || Key(names[0]) == "everyone")
}
