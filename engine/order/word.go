package order

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// WordKind is a word around the turn (ORDERS.md 7).
type WordKind uint8

// The words, with the fields of Word they use.
const (
	NoWord  WordKind = iota
	Preview          // try the letter's lines only
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
	Notify // Arg: every or mine
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
	Always    // Standing: "always" or "never" and what is to be done whenever it is asked
	Standings // "standing": the writer's standing orders
	Forget    // N: the number of a standing order, 0 for all
	Plan      // Ahead; Arg "none" drops what was planned, without either it is asked for
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
	AmendLeague // Text: the lines of the file it shall have
	Rating      // Name: whose; "" the writer's own
	Never       // never to be written to again by this server
)

var wordNames = [...]string{"", "preview", "undo", "status", "board", "history", "legal", "rules", "help", "say", "note", "name",
	"join", "decline", "resign", "format", "notify", "link", "rematch", "new game", "remind", "replace", "cancel", "abandon",
	"address", "mute", "unmute", "yes", "no", "hint", "back", "zone", "vacation", "days off", "extend", "reminders", "quiet", "pause", "resume", "games", "always", "standing", "forget", "plan", "rule",
	"leagues", "league", "standings", "join league", "leave league", "substitute", "new league", "announce", "amend", "rating", "never"}

// String is the word as it is written.
func (k WordKind) String() string {
	if int(k) < len(wordNames) {
		return wordNames[k]
	}
	return ""
}

// A Word is a word with its arguments. Texts and names are as written, blanks
// around them and control characters removed; NFC is the caller's to make.
type Word struct {
	Kind WordKind
	N    int
	Name string
	Text string
	Arg  string
	To   []string // names; nil: everybody
	Game Options

	Standing Standing
	Ahead    *Ahead
	Rule     Ruling
}

// Options are the lines below "new game"; what is not given is "".
type Options struct {
	Players    []string // addresses, Anyone, "bot", or "bot:" and the name of a bot, which need not exist
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

// MaxName bounds a name, in bytes, and so does a word of entropy (web/API.md).
const MaxName = 64

// MaxPlayers bounds the players and addressees named in one line.
const MaxPlayers = 16

// alone are the words without an argument.
var alone = map[WordKind]bool{Preview: true, Status: true, Board: true, Legal: true, Link: true, Undo: true, Refuse: true,
	Resign: true, Rematch: true, Cancel: true, Abandon: true, Mute: true, Unmute: true, Yes: true, No: true, Hint: true, Back: true, Pause: true, Resume: true, Games: true, Leagues: true}

// short words may be shortened to three letters or more: nothing is decided by them.
var short = []WordKind{Preview, Status, Board, History, Legal, Rules, Help}

// wordKind finds the word that a folded word of a line names.
func wordKind(s string) WordKind {
	for k := Preview; k < Never; k++ {
		if s == wordNames[k] && k != Rule { // a ruling has words of its own
			return k
		}
	}
	switch s {
	case "days":
		return DaysOff
	case "holiday", "holidays":
		return Vacation
	case "leave":
		return LeaveLeague
	case "substitutes":
		return Substitute
	case "ratings":
		return Rating
	case "log":
		return History
	case "rule":
		return Rules
	}
	for _, k := range short {
		if len(s) >= 3 && strings.HasPrefix(wordNames[k], s) {
			return k
		}
	}
	return NoWord
}

// ReadWord reads a line, or a part of one between semicolons, as a word. ok is
// false if it is none. The text of a say or note that goes on below the line
// and the options of a new game are ReadLetter's to add.
func ReadWord(line string) (w Word, p *Problem, ok bool) {
	line = trim(line[opening(line):])
	first, rest := cutWord(line)
	if key := Key(line); key == "new game" || key == "newgame" {
		return Word{Kind: NewGame}, nil, true
	} else if key == "open game" || key == "opengame" {
		return Word{Kind: NewGame, Game: Options{Seats: 2}}, nil, true
	} else if key == "new league" || key == "newleague" {
		return Word{Kind: NewLeague}, nil, true
	} else if key == "never write to me again" || key == "never write to me" {
		return Word{Kind: Never}, nil, true
	}
	if r, p, ok := ReadRuling(line); ok {
		return Word{Kind: Rule, Rule: r}, p, true
	}
	if w.Kind = wordKind(Key(first)); Key(first) == wordNames[Never] {
		w.Kind = Always
	}
	bad := func(code, word string) (Word, *Problem, bool) {
		return w, &Problem{Code: code, Text: clip(line, MaxLine), Word: clip(word, MaxLine)}, true
	}
	switch w.Kind {
	case NoWord:
		return w, nil, false
	case Say, Note:
		return sayOrNote(w.Kind, line, rest)
	case Always:
		if w.Standing, ok = ParseStanding(line); !ok {
			return bad(BadStanding, trim(rest))
		}
		return w, nil, true
	case Name:
		w.Text = trim(strings.TrimLeft(rest, ":= "))
		return nonempty(w, w.Text, line)
	case Plan:
		w.Text = rest
		switch Key(rest) {
		case "none", "off", "forget", "drop", "nothing", "cancel", "no":
			w.Text, w.Arg = "", "none"
		}
		return w, nil, true
	case Announce:
		name, text, ok := strings.Cut(strings.Replace(rest, "：", ":", 1), ":")
		if w.Name, w.Text = leagueName(name), trim(text); !ok || w.Name == "" {
			return w, &Problem{Code: NoColon, Text: clip(line, MaxLine)}, true
		}
		return nonempty(w, w.Name, line)
	case Join:
		rest = trim(strings.TrimLeft(rest, ":"))
		if league, name := cutWord(rest); Key(league) == League.String() {
			return joinLeague(name, line)
		}
		w.Name, w.Text = rest, ""
		if i := strings.IndexByte(rest, ','); i >= 0 {
			w.Name, w.Text = trim(rest[:i]), trim(rest[i+1:])
		} else if i := strings.LastIndexFunc(rest, unicode.IsSpace); i >= 0 {
			_, n := utf8.DecodeRuneInString(rest[i:])
			w.Name, w.Text = trim(rest[:i]), trim(rest[i+n:])
		}
		if len(w.Name) > MaxName || len(w.Text) > MaxName {
			return bad(LongText, "")
		}
		return w, nil, true
	}
	if join, name := cutWord(rest); w.Kind == League && Key(join) == Join.String() && trim(name) != "" { // as the command line has it
		return joinLeague(name, line)
	}
	rest = trim(strings.Trim(cutComment(rest), ":.!?,; \t"))
	if alone[w.Kind] {
		if k := Key(rest); k != "" && k != "please" && k != "thanks" {
			if w.Kind == No || w.Kind == Board || w.Kind == Legal || w.Kind == Refuse { // "no mission" is an order
				return Word{}, nil, false
			}
			return bad(BadWord, rest)
		}
		return w, nil, true
	}
	words := wordsIn(rest)
	switch w.Kind {
	case League, LeagueTable, LeaveLeague, Substitute, AmendLeague:
		return leagueWord(w, words, line)
	case Rating:
		if w.Name = strings.Join(skip(words, "of", "for"), " "); w.Name != "" {
			return nonempty(w, w.Name, line)
		}
	case History:
		words = skip(words, "from", "since", "line", "step")
		if len(words) == 0 {
			return w, nil, true
		}
		n, err := strconv.Atoi(words[0])
		if err != nil || n < 0 || n > 1<<20 || len(words) > 1 {
			return bad(BadWord, rest)
		}
		w.N = n
	case Standings:
		switch words = skip(words, "orders", "order"); {
		case len(words) == 0:
		case len(words) == 1 && Key(words[0]) == "none":
			w.Kind = Forget
		default:
			return bad(BadWord, rest)
		}
	case Forget:
		words = skip(words, "standing", "order", "number")
		if len(words) == 1 && Key(words[0]) == "all" {
			return w, nil, true
		}
		if len(words) == 1 {
			w.N, _ = strconv.Atoi(words[0])
		}
		if w.N < 1 || w.N > 1<<20 {
			return bad(BadWord, rest)
		}
	case Rules, Help:
		w.Text = clip(rest, MaxName)
	case Format:
		w.Arg = choice(rest, "text", "html")
	case Notify:
		w.Arg = choice(rest, "every", "mine")
	case Remind:
		w.Name = rest
		return nonempty(w, rest, line)
	case Vacation:
		words = skip(words, "from")
		switch {
		case len(words) == 0:
		case len(words) == 1 && (Key(words[0]) == "off" || Key(words[0]) == "none"):
			w.Arg = "off"
		case len(words) == 1:
			w.Text, w.Arg = words[0], words[0]
		case len(words) == 2:
			w.Text, w.Arg = words[0], words[1]
		case len(words) == 3 && (Key(words[1]) == "to" || words[1] == "-" || words[1] == "–"):
			w.Text, w.Arg = words[0], words[2]
		default:
			return bad(BadWord, rest)
		}
		if len(w.Text)+len(w.Arg) > MaxName {
			return bad(BadWord, rest)
		}
	case Reminders:
		if len(words) == 0 {
			return bad(BadWord, rest)
		}
		w.Text = clip(strings.Join(words, " "), MaxName)
	case Quiet:
		words = partsOf(strings.Join(skip(words, "hours", "from"), " "), func(r rune) bool { return r == ' ' || r == '-' || r == '–' })
		switch {
		case len(words) == 1 && (Key(words[0]) == "none" || Key(words[0]) == "off"):
		case len(words) == 2:
			w.Text, w.Arg = words[0], words[1]
		case len(words) == 3 && Key(words[1]) == "to":
			w.Text, w.Arg = words[0], words[2]
		default:
			return bad(BadWord, rest)
		}
		if len(w.Text)+len(w.Arg) > MaxName {
			return bad(BadWord, rest)
		}
	case DaysOff:
		if words = skip(words, "off"); len(words) == 0 {
			return bad(BadWord, rest)
		}
		w.Text = clip(strings.Join(words, " "), MaxName)
	case Extend:
		if i := strings.LastIndex(rest, " by "); i > 0 {
			w.Name, w.Text = trim(rest[:i]), clip(trim(rest[i+4:]), MaxName)
		}
		if w.Text == "" {
			return bad(BadWord, rest)
		}
		return nonempty(w, w.Name, line)
	case Zone:
		w.Text = strings.Join(words, "_")
		return nonempty(w, w.Text, line)
	case Replace:
		i := strings.LastIndex(strings.ToLower(rest), " by ")
		j := strings.LastIndex(strings.ToLower(rest), " with ")
		switch {
		case i > 0 && len(strings.ToLower(rest)) == len(rest):
			w.Name, w.Arg = trim(rest[:i]), address(rest[i+4:])
		case j > 0 && len(strings.ToLower(rest)) == len(rest):
			w.Name, w.Arg = trim(rest[:j]), address(rest[j+6:])
		}
	case Address:
		if len(words) > 1 {
			w.Arg, w.Text = choice(words[0], "add", "remove"), address(strings.Join(words[1:], " "))
		}
		if w.Text == "" || w.Text == Anyone || IsBot(w.Text) {
			return bad(BadWord, rest)
		}
	}
	if w.Arg == "" && (w.Kind == Format || w.Kind == Notify || w.Kind == Replace || w.Kind == Address) {
		return bad(BadWord, rest)
	}
	return w, nil, true
}

// sayOrNote reads the head of a press text or a note. What is meant for one
// player must never reach all for want of a colon, so the colon is demanded
// wherever an addressee might be meant.
func sayOrNote(k WordKind, line, rest string) (Word, *Problem, bool) {
	w := Word{Kind: k}
	rest = trim(rest)
	colon := strings.IndexAny(rest, ":：")
	switch {
	case strings.HasPrefix(rest, ":") || strings.HasPrefix(rest, "："):
		_, n := utf8.DecodeRuneInString(rest)
		w.Text = trim(rest[n:])
		return w, nil, true
	case k == Note && colon < 0:
		w.Text = rest
		return w, nil, true
	case k == Say && colon >= 0:
		names := rest[:colon]
		if to, after := cutWord(names); Key(to) == "to" { // "say all: hello" does without
			names = after
		}
		for _, n := range splitNames(names) {
			if w.To = append(w.To, n); len(w.To) > MaxPlayers || len(n) > MaxName {
				return w, &Problem{Code: LongText, Text: clip(line, MaxLine)}, true
			}
		}
		if everybody(w.To) {
			w.To = nil
		} else if len(w.To) == 0 {
			return w, &Problem{Code: NoAddressee, Text: clip(line, MaxLine)}, true
		}
		_, n := utf8.DecodeRuneInString(rest[colon:])
		w.Text = trim(rest[colon+n:])
		return w, nil, true
	}
	return w, &Problem{Code: NoColon, Text: clip(line, MaxLine)}, true
}

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

// Anyone is one of Options.Players who is not known yet: the first to join.
const Anyone = "open"

// IsBot reports whether one of Options.Players is a bot.
func IsBot(player string) bool { return player == "bot" || strings.HasPrefix(player, "bot:") }

// aBot is the bot that was written, as "bot", "a bot", "bot:planner" or, as
// letters show it, "Bot (planner)"; "" if it is none. A number below nothing is
// not one above.
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

// address is a bot, or the address in what was written: bare, in angle
// brackets, or followed by the link a mail client made of it; "" if there is
// none. Whether mail can go there is not looked at.
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
	if i := strings.IndexByte(s, '#'); i >= 0 {
		return s[:i]
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
