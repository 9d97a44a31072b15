package order

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A Ruling is a line from the host or a director: the word, the game's id and, after
// a colon, a reason that all players read. The id sets its words apart from the
// players' own.
type Ruling struct {
	Kind   RulingKind
	Game   string   // its id, or what a league calls it: "Iron League 1.1.3"
	Name   string   // RuleExtend, RuleReplace: the player
	Time   string   // RuleExtend: by how much, as written
	Heir   string   // RuleReplace: a bot or an address, see Options.Players
	Scores []Scored // RuleAdjudicate, RuleCorrect
	To     int      // RuleRollback: the line of the log
	Reason string
}

// Scored is the score that a ruling gives a player.
type Scored struct {
	Name string
	VP   int
}

// RulingKind is the word of a ruling.
type RulingKind string

// The rulings.
const (
	RuleExtend     RulingKind = "extend"
	RulePause      RulingKind = "pause"
	RuleResume     RulingKind = "resume"
	RuleReplace    RulingKind = "replace"
	RuleAdjudicate RulingKind = "adjudicate"
	RuleVoid       RulingKind = "void"
	RuleReplay     RulingKind = "replay"
	RuleRollback   RulingKind = "rollback"
	RuleCorrect    RulingKind = "correct"

	RuleAppeal RulingKind = "appeal" // a player asks others to look at the last ruling
	RuleUphold RulingKind = "uphold" // they have checked it, and it stays in force
)

// RulingKinds are all of them.
var RulingKinds = []RulingKind{RuleExtend, RulePause, RuleResume, RuleReplace, RuleAdjudicate, RuleVoid, RuleReplay, RuleRollback, RuleCorrect, RuleAppeal, RuleUphold}

// Bounds of a ruling.
const (
	MaxReason = 400  // bytes
	MaxVP     = 9999 // of a score given, and -MaxVP at least
	gameID    = 16   // characters of a game's id
)

// IsGameID reports whether s could be the id of a game.
func IsGameID(s string) bool {
	return len(s) == gameID && strings.Trim(s, "abcdefghijklmnopqrstuvwxyz234567") == ""
}

// gameIn returns the game with which words begin, by its id or by the league's name for it,
// in quotation marks or not, and how many of the words that takes; 0: they do not begin
// with one.
func gameIn(words []string) (game string, n int) {
	const marks = "\"'`“”„‘’«»,.;"
	if len(words) == 0 {
		return "", 0
	}
	if id := strings.ToLower(strings.Trim(words[0], marks)); IsGameID(id) {
		return id, 1
	}
	for i, w := range words {
		if i > 0 && IsGameNumber(strings.Trim(w, marks)) {
			name := strings.Trim(strings.Join(words[:i+1], " "), marks+" ")
			return name, i + 1
		}
	}
	return "", 0
}

// IsGameNumber reports whether s could be the number of a league's game: "1.1.3" is the
// third of the first division, or round, of the first season.
func IsGameNumber(s string) bool {
	parts := strings.Split(s, ".")
	return len(parts) == 3 && !slices.ContainsFunc(parts, func(p string) bool {
		return p == "" || len(p) > 4 || strings.Trim(p, "0123456789") != ""
	})
}

// shared reports whether players have the word of the ruling, too: then only the id tells
// them apart.
func (k RulingKind) shared() bool {
	return k == RuleExtend || k == RulePause || k == RuleResume || k == RuleReplace
}

// ReadRuling reads a line as a ruling. ok is false if it is something else. A reason may
// continue below the line: ReadLetter adds that.
func ReadRuling(line string) (r Ruling, p *Problem, ok bool) {
	line = trim(line[opening(line):])
	head, reason := cutReason(line)
	words := wordsIn(head)
	if len(words) == 0 {
		return r, nil, false
	}
	first := Key(strings.TrimRight(words[0], ":："))
	if words = words[1:]; first == "roll" && len(words) > 0 && Key(words[0]) == "back" {
		first, words = string(RuleRollback), words[1:]
	}
	for _, k := range RulingKinds {
		if string(k) == first {
			r.Kind = k
		}
	}
	if r.Kind == "" {
		return r, nil, false
	}
	bad := func(code, word string) (Ruling, *Problem, bool) {
		return r, &Problem{Code: code, Text: clip(line, MaxLine), Word: clip(word, MaxLine)}, true
	}
	words = skip(words, "game")
	n := 0
	if r.Game, n = gameIn(words); n == 0 {
		if r.Kind.shared() {
			return r, nil, false
		}
		return bad(NoGameID, first)
	}
	rest := trim(strings.Trim(strings.Join(words[n:], " "), ",.;"))
	if p := r.read(rest); p != "" {
		return bad(p, rest)
	}
	switch r.Reason = reason; {
	case reason == "":
		return bad(NoReason, first)
	case len(reason) > MaxReason:
		return bad(LongText, "")
	}
	return r, nil, true
}

// read reads the text between the id and the reason. It returns the code of what is wrong.
func (r *Ruling) read(rest string) (problem string) {
	switch r.Kind {
	case RuleExtend:
		r.Name, r.Time = cutTime(rest)
		if r.Name == "" || r.Time == "" || Key(r.Name) == "by" {
			return BadWord
		}
	case RuleReplace:
		lower := strings.ToLower(rest)
		if len(lower) != len(rest) {
			return BadWord
		}
		i, n := strings.LastIndex(lower, " by "), 4
		if j := strings.LastIndex(lower, " with "); i < 0 {
			i, n = j, 6
		}
		if i < 0 {
			return BadWord
		}
		r.Name, r.Heir = trim(rest[:i]), address(rest[i+n:])
		if r.Name == "" || r.Heir == "" || r.Heir == Anyone {
			return BadWord
		}
	case RuleAdjudicate, RuleCorrect:
		for _, part := range splitNames(rest) {
			s, ok := scored(part)
			if !ok || len(r.Scores) == MaxPlayers {
				return BadWord
			}
			r.Scores = append(r.Scores, s)
		}
		if len(r.Scores) == 0 {
			return BadWord
		}
	case RuleRollback:
		words := skip(wordsIn(rest), "to", "step", "line", "the", "position", "after")
		if len(words) != 1 {
			return BadWord
		}
		n, err := strconv.Atoi(words[0])
		if err != nil || n < 0 || n > 1<<20 {
			return BadWord
		}
		r.To = n
	default:
		if rest != "" {
			return BadWord
		}
	}
	if len(r.Name) > MaxName || len(r.Time) > MaxName {
		return LongText
	}
	return ""
}

// cutReason cuts a line at the colon before the reason: the first with a blank or the
// line's end after it, because addresses and the names of bots have colons, too; if there
// is none, the first colon.
func cutReason(line string) (head, reason string) {
	look(len(line))
	first := -1
	for i, c := range line {
		if c != ':' && c != '：' {
			continue
		}
		n := utf8.RuneLen(c)
		next, _ := utf8.DecodeRuneInString(line[i+n:])
		if i+n == len(line) || unicode.IsSpace(next) || c == '：' {
			return line[:i], trim(line[i+n:])
		}
		if first < 0 {
			first = i
		}
	}
	if first < 0 {
		return line, ""
	}
	return line[:first], trim(line[first+1:])
}

// cutTime cuts "Ada by 2 days", "Ada 2 days" or "Ada 36h" before the time.
func cutTime(s string) (name, time string) {
	if i := strings.LastIndex(s, " by "); i > 0 {
		return trim(s[:i]), trim(s[i+4:])
	}
	words := wordsIn(s)
	i := len(words)
	for i > 1 {
		last := strings.TrimRight(words[i-1], ",")
		digits := strings.TrimLeft(last, "0123456789")
		switch {
		case digits != last && digits != "": // 36h
			i--
			continue
		case i > 2 && digits == last && isNumber(words[i-2]): // 2 days
			i -= 2
			continue
		}
		break
	}
	return strings.Join(words[:i], " "), strings.Join(words[i:], " ")
}

func isNumber(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

// scored reads "Ada 88".
func scored(s string) (out Scored, ok bool) {
	i := strings.LastIndexFunc(s, func(r rune) bool { return unicode.IsSpace(r) || r == '=' })
	if i < 0 {
		return out, false
	}
	_, n := utf8.DecodeRuneInString(s[i:])
	vp, err := strconv.Atoi(s[i+n:])
	out = Scored{trim(strings.TrimRight(s[:i], "= \u00a0")), vp}
	return out, err == nil && out.Name != "" && len(out.Name) <= MaxName && vp >= -MaxVP && vp <= MaxVP
}

// String is the ruling as ReadRuling reads it.
func (r Ruling) String() string {
	s := string(r.Kind) + " " + r.Game
	switch r.Kind {
	case RuleExtend:
		s += " " + r.Name + " by " + r.Time
	case RuleReplace:
		s += " " + r.Name + " by " + r.Heir
	case RuleAdjudicate, RuleCorrect:
		for i, x := range r.Scores {
			if i > 0 {
				s += ","
			}
			s += " " + x.Name + " " + strconv.Itoa(x.VP)
		}
	case RuleRollback:
		s += " to " + strconv.Itoa(r.To)
	}
	return s + ": " + r.Reason
}
