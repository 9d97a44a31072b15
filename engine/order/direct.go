package order

import (
	"maps"
	"slices"
	"strconv"
	"strings"
)

// A Direction is a line from a league's director about the league or a part of it. The
// word "league" in it sets it apart from what players write. The league is Word.Name, the
// reason Word.Text.
type Direction struct {
	Kind     DirectionKind
	Division int    // extend, pause, resume: only of it, 0 all; move: to it
	No       bool   // start, take over: not, after all; move: to no division but where the table puts them
	Round    int    // extend, pause, resume: only of it, 0 all
	Player   string // add, expel, move: the player; extend, pause, resume: only theirs, "" all
	Time     string // extend: by how much, as written; with a minus sign it is taken back
	To       string // rename: the new name
}

// DirectionKind is the word of a direction.
type DirectionKind string

// The directions.
const (
	DirectExtend DirectionKind = "extend"
	DirectPause  DirectionKind = "pause"
	DirectResume DirectionKind = "resume"
	DirectClose  DirectionKind = "close"
	DirectStart  DirectionKind = "start"
	DirectRename DirectionKind = "rename"
	DirectDelete DirectionKind = "delete"
	DirectAdd    DirectionKind = "add"
	DirectExpel  DirectionKind = "expel"
	DirectMove   DirectionKind = "move"

	DirectTakeOver DirectionKind = "take over"
)

// directions says how each is written. A reason is after a colon.
var directions = map[DirectionKind]struct {
	parts    bool   // it may be about a part of the league
	player   string // it is about a player, who may come before this word and the league
	optional bool   // it needs no reason
	no       bool   // "no" at the end takes it back
}{
	DirectExtend: {parts: true},
	DirectPause:  {parts: true},
	DirectResume: {parts: true},
	DirectClose:  {},
	DirectStart:  {no: true},
	DirectRename: {optional: true},
	DirectDelete: {},
	DirectAdd:    {player: "to", optional: true},
	DirectExpel:  {player: "from"},
	DirectMove:   {player: "of"},

	DirectTakeOver: {optional: true, no: true},
}

// DirectionKinds are all directions.
func DirectionKinds() []DirectionKind { return slices.Sorted(maps.Keys(directions)) }

// ReadDirection reads a line as a direction. ok is false if it is something else. A reason
// may continue below the line: ReadLetter adds that.
func ReadDirection(line string) (w Word, p *Problem, ok bool) {
	end := 0
	var kind DirectionKind
	for k := range directions {
		if n := len(k); n < len(line) && line[n] == ' ' && strings.EqualFold(line[:n], string(k)) {
			kind, end = k, n
		}
	}
	if end == 0 {
		return w, nil, false
	}
	row := directions[kind]
	w = Word{Kind: Direct, Direct: &Direction{Kind: kind}}
	d := w.Direct
	rest, reason := cutReason(line[end:])
	words := wordsIn(rest)
	i := slices.IndexFunc(words, func(w string) bool { return Key(w) == "league" })
	switch {
	case i < 0 || i > 0 && row.player == "" || i == len(words)-1:
		return Word{}, nil, false
	case i > 1 && slices.Contains([]string{row.player, "in", "of"}, Key(words[i-1])): // expel Ann from league Winter Cup
		who := words[:i-1]
		if len(who) > 1 && Key(who[0]) == "player" {
			who = who[1:]
		}
		words = slices.Concat(words[i+1:], []string{"player"}, who)
	case i > 0:
		return Word{}, nil, false
	default:
		words = words[1:]
	}
	if row.parts && slices.ContainsFunc(words, func(w string) bool { return IsGameNumber(strings.Trim(w, ".,;\"'`")) }) {
		return Word{}, nil, false // a game's ruling
	}
	rest, w.Text = strings.Join(words, " "), reason
	bad := func(code, word string) (Word, *Problem, bool) {
		return w, &Problem{Code: code, Text: clip(line, MaxLine), Word: clip(word, MaxLine)}, true
	}
	if kind == DirectExtend {
		if rest, d.Time = cutTime(rest); d.Time == "" {
			return bad(BadWord, rest)
		}
	}
	rest = strings.TrimRight(rest, ",;. ")
	if words := wordsIn(rest); row.no && len(words) > 1 && Key(words[len(words)-1]) == "no" {
		d.No, rest = true, strings.Join(words[:len(words)-1], " ")
	}
	if kind == DirectRename {
		if rest, d.To, ok = named(rest); !ok {
			return bad(BadWord, rest)
		}
	}
	if kind == DirectMove {
		words := wordsIn(rest)
		for n := range max(0, len(words)-2) {
			if Key(words[n]) != "to" || Key(words[n+1]) != "division" {
				continue
			}
			k, err := strconv.Atoi(words[n+2])
			if d.No = Key(words[n+2]) == "none"; d.No || err == nil && k > 0 && k < 1<<20 {
				d.Division, rest = k, strings.Join(slices.Concat(words[:n:n], words[n+3:]), " ")
				break
			}
		}
	}
	if row.parts || row.player != "" {
		rest = d.part(rest, row.parts)
	}
	w.Name, d.Player = unquoted(rest), unquoted(d.Player)
	switch {
	case max(len(w.Name), len(d.Player), len(d.Time), len(d.To)) > MaxName || len(reason) > MaxReason:
		return bad(LongText, "")
	case w.Name == "" || row.player != "" && d.Player == "" || kind == DirectMove && d.Division == 0 && !d.No || kind == DirectRename && d.To == "":
		return bad(BadWord, rest)
	case !row.optional && !d.No && reason == "":
		return bad(NoReason, string(kind)+" league")
	}
	return w, nil, true
}

// unquoted returns a name without the quotation marks around it.
func unquoted(name string) string { return trim(strings.Trim(name, "\"'`“”„‘’«»,.; ")) }

// named splits "Iron League to Steel League" into two names: at the first "to", or at one
// next to a quotation mark.
func named(text string) (old, name string, ok bool) {
	words := wordsIn(text)
	at := -1
	for i := 1; i < len(words)-1; i++ {
		if Key(words[i]) != "to" {
			continue
		}
		before, after := "x"+words[i-1], words[i+1]+"x"
		if quoted := unquoted(before) != before || unquoted(after) != after; at < 0 || quoted {
			at = i
		}
	}
	if at < 0 {
		return "", "", false
	}
	return unquoted(strings.Join(words[:at], " ")), unquoted(strings.Join(words[at+1:], " ")), true
}

// part reads which part of the league, or which player, a direction names. It looks at the
// end of rest, the text after the word, and returns what is left: the league's name.
func (d *Direction) part(rest string, divisions bool) string {
	words := wordsIn(rest)
	if n := len(words); n > 2 && divisions {
		k, err := strconv.Atoi(words[n-1])
		of := map[string]*int{"division": &d.Division, "round": &d.Round}[Key(words[n-2])]
		if err == nil && k > 0 && k < 1<<20 && of != nil {
			*of = k
			return strings.Join(words[:n-2], " ")
		}
	}
	for i := len(words) - 2; i > 0; i-- {
		if Key(words[i]) == "player" {
			d.Player = strings.Join(words[i+1:], " ")
			return strings.Join(words[:i], " ")
		}
	}
	return rest
}

// String is the direction about a league as ReadDirection reads it, without its reason.
func (d *Direction) String(league string) string {
	if d == nil {
		return ""
	}
	switch d.Kind {
	case DirectAdd:
		return "add " + d.Player + " to league " + league
	case DirectExpel:
		return "expel " + d.Player + " from league " + league
	case DirectMove:
		to := strconv.Itoa(d.Division)
		if d.No {
			to = "none"
		}
		return "move " + d.Player + " to division " + to + " of league " + league
	case DirectRename:
		if strings.Contains(" "+Key(league)+" "+Key(d.To)+" ", " to ") {
			return `rename league "` + league + `" to "` + d.To + `"`
		}
		return "rename league " + league + " to " + d.To
	}
	s := string(d.Kind) + " league " + league
	switch {
	case d.Division > 0:
		s += " division " + strconv.Itoa(d.Division)
	case d.Round > 0:
		s += " round " + strconv.Itoa(d.Round)
	case d.Player != "":
		s += " player " + d.Player
	}
	if d.Time != "" {
		s += " by " + d.Time
	}
	if d.No {
		s += " no"
	}
	return s
}
