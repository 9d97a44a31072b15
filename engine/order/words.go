package order

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A vocable is a row of the table of words: all that the language knows about a word.
// engine/match/obey/words.go says what the desk does with it, and the catalogue has its
// text in `help`.
type vocable struct {
	kind  WordKind
	group Group    // under which help lists it
	name  string   // as it is written
	also  []string // first words that also mean it
	whole []string // whole lines, as Key, that mean it and no other word
	means []string // lines, as Key, that mean it in everyday words

	short bool // three letters of it are enough, because it decides nothing
	asks  bool // obeying it neither changes nor sends anything
	line  bool // its arguments are free text, which may contain semicolons
	below below
	final bool // no other word takes back all that it does

	// read reads the text after the word; nil: no text may follow. ok is false if the line
	// is an order or prose, not this word.
	read func(args) (w Word, p *Problem, ok bool)
	// order says that with more text after it the line may be an order: "no mission".
	order bool
}

// Group is a group of words, as `help` lists them.
type Group uint8

// The groups, in the order in which they are listed.
const (
	NoGroup   Group = iota
	ForPlay         // the turn, and questions about it
	ForTalk         // messages, and the letters we send
	ForTime         // clocks
	ForGame         // games that begin and end
	ForLeague       // leagues
	ForHost         // what organisers and directors do
)

var groups = [...]string{"", "play", "talk", "time", "game", "league", "host"}

// String returns the group's name as written after `help`.
func (g Group) String() string {
	if int(g) < len(groups) {
		return groups[g]
	}
	return ""
}

// Group is the group in which help lists the word.
func (k WordKind) Group() Group {
	if int(k) < len(vocables) {
		return vocables[k].group
	}
	return NoGroup
}

// below is what may follow a word on the lines below its own.
type below uint8

const (
	nothing below = iota
	text          // the rest of a message
	file          // a league's file
	options       // of a new game
	reason        // the rest of a ruling's
)

// Asks returns the words about play whose answer changes nothing.
func Asks() (names []string) {
	for _, v := range vocables {
		if v.group == ForPlay && v.asks {
			names = append(names, v.name)
		}
	}
	return names
}

// vocables has a row for each WordKind, in their order.
var vocables = [...]vocable{
	{kind: NoWord},

	{kind: Preview, group: ForPlay, name: "preview", short: true, asks: true},
	{kind: InGame, group: ForPlay, name: "game", asks: true}, // cutGame: it may follow other words
	{kind: Undo, group: ForPlay, name: "undo"},
	{kind: Status, group: ForPlay, name: "status", short: true, asks: true},
	{kind: Board, group: ForPlay, name: "board", short: true, asks: true, order: true},
	{kind: History, group: ForPlay, name: "history", also: []string{"log"}, short: true, asks: true, read: readHistory},
	{kind: Legal, group: ForPlay, name: "legal", short: true, asks: true, order: true},
	{kind: Rules, group: ForPlay, name: "rules", also: []string{"rule"}, short: true, asks: true, read: readTopic},
	{kind: Help, group: ForPlay, name: "help", short: true, asks: true, read: readTopic},
	{kind: Say, group: ForTalk, name: "say", line: true, below: text, read: readMessage},
	{kind: Note, group: ForTalk, name: "note", line: true, below: text, read: readMessage},
	{kind: Name, group: ForTalk, name: "name", line: true, read: readOwnName},
	{kind: Join, group: ForGame, name: "join", line: true, read: readJoin},
	{kind: Refuse, group: ForGame, name: "decline", final: true, order: true},
	{kind: Resign, group: ForGame, name: "resign", final: true, means: []string{"i resign", "i quit", "i want to resign", "i want to quit", "i would like to resign",
		"i d like to resign", "i m resigning", "quit", "quit game", "quit the game", "leave game", "leave the game", "leave this game", "i want to leave", "i want to leave the game", "i want to leave this game", "i m quitting",
		"i give up", "i surrender", "i concede", "concede", "surrender", "give up", "drop out", "i drop out"}},
	{kind: Format, group: ForTalk, name: "format", read: oneOf("text", "html")},
	{kind: Notify, group: ForTalk, name: "notify", read: readNotify},
	{kind: Link, group: ForTalk, name: "link", final: true},
	{kind: Rematch, group: ForGame, name: "rematch"},
	{kind: NewGame, group: ForGame, name: "new game", whole: []string{"new game", "newgame", "open game", "opengame"}, line: true, below: options, read: readNewGame},
	{kind: Remind, group: ForHost, name: "remind", line: true, read: readName},
	{kind: Replace, group: ForHost, name: "replace", final: true, line: true, read: readReplace},
	{kind: Cancel, group: ForHost, name: "cancel", final: true},
	{kind: Abandon, group: ForGame, name: "abandon", final: true},
	{kind: Address, group: ForTalk, name: "address", line: true, read: readAddress},
	{kind: Mute, group: ForTalk, name: "mute", read: readMute, means: []string{"unsubscribe", "unsubscribe me", "please unsubscribe", "please unsubscribe me", "unsubscribe please",
		"stop sending me this", "stop sending me these", "please stop sending me this", "please stop sending me these", "stop sending me these emails", "stop sending me these mails", "stop sending me emails", "please stop sending me emails", "stop sending me mail",
		"stop emailing me", "please stop emailing me", "stop writing to me", "please stop writing to me", "stop writing me", "stop these emails", "stop these mails", "please stop these emails", "please stop these mails", "stop spamming me",
		"no more emails", "no more mails", "no more emails please", "no more mails please", "remove me", "please remove me", "remove me from this list", "remove me from your list", "please remove me from your list", "take me off this list", "opt out"}},
	{kind: Unmute, group: ForTalk, name: "unmute", read: readMute},
	{kind: Yes, group: ForTalk, name: "yes"},
	{kind: No, group: ForTalk, name: "no", also: []string{"refuse"}, order: true},
	{kind: Hint, group: ForPlay, name: "hint", asks: true},
	{kind: Back, group: ForTime, name: "back"},
	{kind: Zone, group: ForTime, name: "zone", read: readZone},
	{kind: Vacation, group: ForTime, name: "vacation", also: []string{"holiday", "holidays"}, read: readVacation},
	{kind: DaysOff, group: ForTime, name: "days off", also: []string{"days"}, read: readDaysOff},
	{kind: Extend, group: ForHost, name: "extend", line: true, read: readExtend},
	{kind: Reminders, group: ForTime, name: "reminders", read: readReminders},
	{kind: Quiet, group: ForTime, name: "quiet", read: readQuiet},
	{kind: Pause, group: ForTime, name: "pause"},
	{kind: Resume, group: ForTime, name: "resume"},
	{kind: Games, group: ForGame, name: "games", asks: true},
	{kind: Always, group: ForPlay, name: "always", also: []string{"never"}, read: readAlways},
	{kind: Standings, group: ForPlay, name: "standing", asks: true, read: readStandings},
	{kind: Forget, group: ForPlay, name: "forget", read: readForget},
	{kind: Plan, group: ForPlay, name: "plan", line: true, read: readPlanWord},
	{kind: Rule, group: ForHost, name: "rule", line: true, below: reason}, // ReadRuling: a ruling has words of its own

	{kind: Leagues, group: ForLeague, name: "leagues", asks: true},
	{kind: League, group: ForLeague, name: "league", line: true, asks: true, read: readLeague},
	{kind: LeagueTable, group: ForLeague, name: "standings", line: true, asks: true, read: readLeague},
	{kind: JoinLeague, group: ForLeague, name: "join league", line: true}, // "join" reads it
	{kind: LeaveLeague, group: ForLeague, name: "leave league", final: true, also: []string{"leave"}, line: true, read: readLeague},
	{kind: Substitute, group: ForLeague, name: "substitute", also: []string{"substitutes"}, line: true, read: readLeague},
	{kind: NewLeague, group: ForLeague, name: "new league", whole: []string{"new league", "newleague"}, line: true, below: file, read: readNothing},
	{kind: Announce, group: ForLeague, name: "announce", line: true, below: text, read: readAnnouncement},
	{kind: AmendLeague, group: ForLeague, name: "amend", line: true, below: file, read: readLeague},
	{kind: Direct, group: ForLeague, name: "direct", line: true, below: reason}, // ReadDirection: a direction has words of its own
	{kind: Rating, group: ForGame, name: "rating", also: []string{"ratings", "statistics"}, line: true, asks: true, read: readWhose},

	{kind: Settings, group: ForTalk, name: "settings", asks: true},
	{kind: Subjects, group: ForTalk, name: "subjects", read: oneOf("steady", "news")},
	{kind: ListID, group: ForTalk, name: "listid", also: []string{"list-id"}, read: oneOf(On, Off)},
	{kind: Ignore, group: ForTalk, name: "ignore", line: true, read: readIgnore},
	{kind: Unignore, group: ForTalk, name: "unignore", line: true, read: readIgnore},
	{kind: TakeBack, group: ForPlay, name: "take back", whole: []string{"take back", "takeback", "take back please", "please take back"}, line: true, read: readNothing},
	{kind: Report, group: ForTalk, name: "report", line: true, read: readReport},

	{kind: Never, group: ForTalk, name: "never", whole: []string{"never write to me again", "never write to me"}, line: true, read: readNothing},

	{kind: MyData, group: ForTalk, name: "my data", whole: []string{"my data", "mydata", "my data please"}, line: true, read: readNothing},
	{kind: ForgetMe, group: ForTalk, name: "forget me", whole: []string{"forget me", "forgetme", "forget me please", "please forget me"}, line: true, read: readNothing},
}

// lines and firsts find a word by its whole line and by its first word.
var lines, firsts map[string]*vocable

func init() { // the readers read words themselves, within a plan say
	lines, firsts = map[string]*vocable{}, map[string]*vocable{}
	for i := range vocables {
		v := &vocables[i]
		for _, key := range v.whole {
			lines[key] = v
		}
		for _, key := range v.means {
			lines[key] = v
		}
		for _, name := range v.also {
			firsts[Key(name)] = v
		}
		if v.name != "" && v.whole == nil && v.kind != Rule && v.kind != Direct && v.kind != InGame {
			firsts[v.name] = v
		}
	}
	listChanging()
}

// vocableOf finds the word that a line's first word names, nil if none does.
func vocableOf(key string) *vocable {
	if v := firsts[key]; v != nil {
		return v
	}
	for i := range vocables {
		if v := &vocables[i]; v.short && len(key) >= 3 && strings.HasPrefix(v.name, key) {
			return v
		}
	}
	return nil
}

// String is the word as it is written.
func (k WordKind) String() string {
	if int(k) < len(vocables) {
		return vocables[k].name
	}
	return ""
}

// Changes reports whether obeying the word changes or sends anything.
func (w Word) Changes() bool {
	switch w.Kind {
	case NoWord:
		return false
	case Plan:
		return w.Arg != "" || w.Ahead != nil
	case Vacation:
		return w.Text != "" || w.Arg != ""
	}
	return !vocables[w.Kind].asks
}

// ReadWord reads a line, or a part of one between semicolons, as a word. ok is false if it
// is not a word. ReadLetter adds the lines below that continue it.
func ReadWord(line string) (w Word, p *Problem, ok bool) {
	line = unmarked(trim(line[opening(line):]))
	if v := lines[Key(line)]; v != nil {
		a := args{vocable: v, line: line}
		if v.read == nil || v.kind == Mute {
			w := a.word()
			if v.kind == Mute {
				w.Arg = Unsubscribe
			}
			return w, nil, true
		}
		return v.read(a)
	}
	if game, rest, ok := cutGame(line); ok && rest == "" {
		return Word{Kind: InGame, Name: game}, nil, true
	}
	if w, p, ok := ReadDirection(line); ok {
		return w, p, true
	}
	if r, p, ok := ReadRuling(line); ok {
		return Word{Kind: Rule, Rule: r}, p, true
	}
	first, rest := cutWord(line)
	v := vocableOf(Key(first))
	if v == nil { // a name of two words: "list id"
		second, after := cutWord(rest)
		if v, rest = firsts[Key(first)+" "+Key(second)], after; v == nil {
			return Word{}, nil, false
		}
	}
	a := args{vocable: v, line: line, rest: rest}
	if v.read != nil {
		return v.read(a)
	}
	if rest := a.plain(); Key(rest) != "" && Key(rest) != "please" && Key(rest) != "thanks" {
		if v.order {
			return Word{}, nil, false
		}
		return a.bad(rest)
	}
	return a.word(), nil, true
}

// unmarked returns a line without the marks in which our letters print a command.
func unmarked(line string) string {
	for _, m := range [][2]string{{"`", "`"}, {"‘", "’"}, {"“", "”"}, {"\"", "\""}, {"'", "'"}} {
		if in, ok := strings.CutPrefix(line, m[0]); ok {
			if in, ok = strings.CutSuffix(strings.TrimRight(in, ".,; "), m[1]); ok && in != "" && !strings.Contains(in, m[0]) {
				return trim(in)
			}
		}
	}
	return line
}

// args has the text after a word.
type args struct {
	*vocable
	line string // whole
	rest string // after the word, as written
}

func (a args) word() Word { return Word{Kind: a.kind} }

// plain returns the rest without a comment and without marks around it.
func (a args) plain() string { return trim(strings.Trim(cutComment(a.rest), ":.!?,; \t")) }

// words returns the words of the plain rest, after skipping any of fill.
func (a args) words(fill ...string) []string { return skip(wordsIn(a.plain()), fill...) }

// refuse returns the Problem of a line that names the word and cannot be read.
func (a args) refuse(code, word string) (Word, *Problem, bool) {
	return a.word(), &Problem{Code: code, Text: clip(a.line, MaxLine), Word: clip(word, MaxLine), Of: a.kind}, true
}

// bad refuses an argument.
func (a args) bad(arg string) (Word, *Problem, bool) { return a.refuse(BadWord, arg) }

// named returns a word that needs a name, which must not be too long.
func (a args) named(w Word, name string) (Word, *Problem, bool) {
	w.Kind = a.kind
	return nonempty(w, name, a.line)
}

// Arguments of `mute` (Word.Arg): all of the writer's games, or other words, which may mean
// more than the letter's game.
const (
	AllGames    = "all"
	Unsubscribe = "unsubscribe"
)

// readMute reads what mute is about: the letter's game, or all games.
func readMute(a args) (Word, *Problem, bool) {
	w := a.word()
	switch key := Key(a.plain()); key {
	case "", "please", "thanks":
	case "all", "all games", "everything":
		w.Arg = AllGames
	default:
		return a.bad(a.plain())
	}
	return w, nil, true
}

func readNothing(a args) (Word, *Problem, bool) { return a.word(), nil, true }

func readNewGame(a args) (Word, *Problem, bool) {
	w := a.word()
	if strings.HasPrefix(Key(a.line), "open") {
		w.Game.Seats = 2
	}
	return w, nil, true
}

func readTopic(a args) (Word, *Problem, bool) {
	w := a.word()
	w.Text = clip(a.plain(), MaxName)
	return w, nil, true
}

func readHistory(a args) (Word, *Problem, bool) {
	w, words := a.word(), a.words("from", "since", "line", "step")
	if len(words) == 0 {
		return w, nil, true
	}
	n, err := strconv.Atoi(words[0])
	if err != nil || n < 0 || n > 1<<20 || len(words) > 1 {
		return a.bad(a.plain())
	}
	w.N = n
	return w, nil, true
}

// readMessage reads the head of a press text or a note. A message for one player must never
// reach all because a colon is missing, so the colon is required wherever the line may name
// an addressee.
func readMessage(a args) (Word, *Problem, bool) {
	w := a.word()
	rest := trim(a.rest)
	colon := strings.IndexAny(rest, ":：")
	switch {
	case strings.HasPrefix(rest, ":") || strings.HasPrefix(rest, "："):
		_, n := utf8.DecodeRuneInString(rest)
		w.Text = trim(rest[n:])
		return w, nil, true
	case a.kind == Note && colon < 0:
		w.Text = rest
		return w, nil, true
	case a.kind == Say && colon >= 0:
		names := rest[:colon]
		if to, after := cutWord(names); Key(to) == "to" { // "say all: hello" does without
			names = after
		}
		for _, n := range splitNames(names) {
			if w.To = append(w.To, n); len(w.To) > MaxPlayers || len(n) > MaxName {
				return w, &Problem{Code: LongText, Text: clip(a.line, MaxLine)}, true
			}
		}
		if everybody(w.To) {
			w.To = nil
		} else if len(w.To) == 0 {
			return w, &Problem{Code: NoAddressee, Text: clip(a.line, MaxLine)}, true
		}
		_, n := utf8.DecodeRuneInString(rest[colon:])
		w.Text = trim(rest[colon+n:])
		return w, nil, true
	}
	return w, &Problem{Code: NoColon, Text: clip(a.line, MaxLine)}, true
}

func readAnnouncement(a args) (Word, *Problem, bool) {
	w := a.word()
	name, text, ok := strings.Cut(strings.Replace(a.rest, "：", ":", 1), ":")
	if w.Name, w.Text = leagueName(name), trim(text); !ok || w.Name == "" {
		return w, &Problem{Code: NoColon, Text: clip(a.line, MaxLine)}, true
	}
	return a.named(w, w.Name)
}

func readOwnName(a args) (Word, *Problem, bool) {
	w := Word{Text: trim(strings.TrimLeft(a.rest, ":= "))}
	if strings.Trim(Key(w.Text), "`.\"'“” ") == "your name" { // our own sentence, sent back
		return Word{}, nil, false
	}
	return a.named(w, w.Text)
}

func readName(a args) (Word, *Problem, bool) {
	w := Word{Name: a.plain()}
	return a.named(w, w.Name)
}

// readIgnore reads the player whose messages to hide or to show again. Ignoring no one
// shows everyone again.
func readIgnore(a args) (Word, *Problem, bool) {
	w := Word{Name: a.plain()}
	switch Key(w.Name) {
	case "nobody", "no one", "none":
		return Word{Kind: Unignore}, nil, true
	case "all", "everybody", "everyone":
		if a.kind == Unignore {
			return a.word(), nil, true
		}
	}
	return a.named(w, w.Name)
}

// readReport reads whose messages the writer reports, and why.
func readReport(a args) (Word, *Problem, bool) {
	w := a.word()
	name, why, ok := strings.Cut(strings.Replace(a.rest, "：", ":", 1), ":")
	if w.Name, w.Text = trim(name), trim(why); !ok || w.Name == "" || w.Text == "" {
		return a.refuse(NoReport, "")
	}
	if len(w.Text) > MaxReason {
		return a.refuse(LongText, "")
	}
	return a.named(w, w.Name)
}

func readWhose(a args) (Word, *Problem, bool) {
	w := a.word()
	if w.Name = strings.Join(a.words("of", "for"), " "); w.Name != "" {
		return a.named(w, w.Name)
	}
	return w, nil, true
}

func readJoin(a args) (Word, *Problem, bool) {
	w := a.word()
	rest := trim(strings.TrimLeft(a.rest, ":"))
	if league, name := cutWord(rest); Key(league) == "league" {
		return joinLeague(name, a.line)
	}
	w.Name = rest
	if i := strings.IndexByte(rest, ','); i >= 0 {
		w.Name, w.Text = trim(rest[:i]), trim(rest[i+1:])
	} else if i := strings.LastIndexFunc(rest, unicode.IsSpace); i >= 0 {
		_, n := utf8.DecodeRuneInString(rest[i:])
		w.Name, w.Text = trim(rest[:i]), trim(rest[i+n:])
	}
	if len(w.Name) > MaxName || len(w.Text) > MaxName {
		_, p, ok := a.refuse(LongText, "")
		return w, p, ok
	}
	return w, nil, true
}

// oneOf reads one of some values, or the beginning of one.
func oneOf(values ...string) func(args) (Word, *Problem, bool) {
	return func(a args) (Word, *Problem, bool) {
		w := a.word()
		if w.Arg = choice(a.plain(), values...); w.Arg == "" {
			return a.bad(a.plain())
		}
		return w, nil, true
	}
}

// readNotify reads when the writer wants letters; only a daily letter has an hour.
func readNotify(a args) (Word, *Problem, bool) {
	w, words := a.word(), a.words()
	if len(words) == 0 {
		return a.bad(a.plain())
	}
	w.Arg = choice(words[0], NotifyEvery, NotifyMine, NotifyDigest)
	hour := skip(words[1:], "at")
	if w.Arg == "" || len(hour) > 1 || len(hour) == 1 && (w.Arg != NotifyDigest || len(hour[0]) > MaxName) {
		return a.bad(a.plain())
	}
	if len(hour) == 1 {
		w.Text = hour[0]
	}
	return w, nil, true
}

// botNames are the names of bots: "bot: planner" is a bot's name, not a reason.
var botNames = words("planner greedy")

// readReplace reads which player is replaced, by which address and, after a colon, why.
func readReplace(a args) (Word, *Problem, bool) {
	w, rest := a.word(), a.plain()
	if head, reason, ok := strings.Cut(strings.Replace(rest, "：", ": ", 1), ": "); ok && !(strings.HasSuffix(Key(head), " bot") && botNames[Key(reason)]) {
		rest, w.Text = head, trim(reason)
	}
	if len(w.Text) > MaxReason {
		return a.refuse(LongText, "")
	}
	lower := strings.ToLower(rest)
	if len(lower) == len(rest) {
		for _, by := range []string{" by ", " with "} {
			if i := strings.LastIndex(lower, by); i > 0 && w.Name == "" {
				w.Name, w.Arg = trim(rest[:i]), address(rest[i+len(by):])
			}
		}
	}
	if w.Arg == "" {
		_, p, ok := a.bad(rest)
		return w, p, ok
	}
	return w, nil, true
}

func readAddress(a args) (Word, *Problem, bool) {
	w, words := a.word(), a.words()
	if len(words) > 1 {
		w.Arg, w.Text = choice(words[0], "add", "remove"), address(strings.Join(words[1:], " "))
	}
	if w.Text == "" || w.Text == Anyone || IsBot(w.Text) || w.Arg == "" {
		return a.bad(a.plain())
	}
	return w, nil, true
}

func readExtend(a args) (Word, *Problem, bool) {
	w, rest := a.word(), a.plain()
	if i := strings.LastIndex(rest, " by "); i > 0 {
		w.Name, w.Text = trim(rest[:i]), clip(trim(rest[i+4:]), MaxName)
	}
	if w.Text == "" {
		return a.bad(rest)
	}
	return a.named(w, w.Name)
}

func readZone(a args) (Word, *Problem, bool) {
	w := Word{Text: strings.Join(a.words(), "_")}
	return a.named(w, w.Text)
}

func readVacation(a args) (Word, *Problem, bool) {
	w, words := a.word(), a.words("from")
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
		return a.bad(a.plain())
	}
	if len(w.Text)+len(w.Arg) > MaxName {
		return a.bad(a.plain())
	}
	return w, nil, true
}

func readDaysOff(a args) (Word, *Problem, bool) {
	w, words := a.word(), a.words("off")
	if len(words) == 0 {
		return a.bad(a.plain())
	}
	w.Text = clip(strings.Join(words, " "), MaxName)
	return w, nil, true
}

func readReminders(a args) (Word, *Problem, bool) {
	w, words := a.word(), a.words()
	if len(words) == 0 {
		return a.bad(a.plain())
	}
	w.Text = clip(strings.Join(words, " "), MaxName)
	return w, nil, true
}

func readQuiet(a args) (Word, *Problem, bool) {
	w := a.word()
	words := partsOf(strings.Join(a.words("hours", "from"), " "), func(r rune) bool { return r == ' ' || r == '-' || r == '–' })
	switch {
	case len(words) == 1 && (Key(words[0]) == "none" || Key(words[0]) == "off"):
	case len(words) == 2:
		w.Text, w.Arg = words[0], words[1]
	case len(words) == 3 && Key(words[1]) == "to":
		w.Text, w.Arg = words[0], words[2]
	default:
		return a.bad(a.plain())
	}
	if len(w.Text)+len(w.Arg) > MaxName {
		return a.bad(a.plain())
	}
	return w, nil, true
}

func readAlways(a args) (Word, *Problem, bool) {
	w := a.word()
	var ok bool
	if w.Standing, ok = ParseStanding(a.line); !ok {
		if code, none := missing(a.line); code != "" {
			return a.refuse(code, none)
		}
		return a.refuse(BadStanding, trim(a.rest))
	}
	return w, nil, true
}

func readStandings(a args) (Word, *Problem, bool) {
	w := a.word()
	switch words := a.words("orders", "order"); {
	case len(words) == 0:
	case len(words) == 1 && Key(words[0]) == "none":
		w.Kind = Forget
	default:
		return a.bad(a.plain())
	}
	return w, nil, true
}

func readForget(a args) (Word, *Problem, bool) {
	w, words := a.word(), a.words("standing", "order", "number")
	if len(words) == 1 && Key(words[0]) == "all" {
		return w, nil, true
	}
	if len(words) == 1 {
		w.N, _ = strconv.Atoi(words[0])
	}
	if w.N < 1 || w.N > 1<<20 {
		return a.bad(a.plain())
	}
	return w, nil, true
}

func readPlanWord(a args) (Word, *Problem, bool) {
	w := a.word()
	w.Text = a.rest
	switch Key(a.rest) {
	case "none", "off", "forget", "drop", "nothing", "cancel", "no":
		w.Text, w.Arg = "", "none"
	}
	return w, nil, true
}

// readLeague reads the league that a word is about. Without a name, some words ask for the
// list; others do not count as words, because prose may end with them.
func readLeague(a args) (Word, *Problem, bool) {
	w := a.word()
	if join, name := cutWord(a.rest); w.Kind == League && Key(join) == "join" && trim(name) != "" { // as the command line has it
		return joinLeague(name, a.line)
	}
	return leagueWord(w, a.words(), a.line)
}
