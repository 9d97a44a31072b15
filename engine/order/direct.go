package order

import (
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
	Round    int    // extend, pause, resume: only of it, 0 all
	Player   string // add, expel, move: the player; extend, pause, resume: only theirs, "" all
	Time     string // extend: by how much, as written
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
)

// directions says how each is written; the reason of all that have one is after a colon.
var directions = map[DirectionKind]struct {
	parts  bool // it may be about a part of the league
	reason bool // it needs one
}{
	DirectExtend: {parts: true, reason: true},
	DirectPause:  {parts: true, reason: true},
	DirectResume: {parts: true, reason: true},
	DirectClose:  {reason: true},
}

// maxVerb is longer than the word of any direction.
const maxVerb = 12

// ReadDirection reads a line as a direction. ok is false if it is none. A reason may go on
// below the line: that is ReadLetter's to add.
func ReadDirection(line string) (w Word, p *Problem, ok bool) {
	end := strings.IndexByte(line[:min(len(line), maxVerb)], ' ')
	if end < 0 {
		return w, nil, false
	}
	kind := DirectionKind(strings.ToLower(line[:end]))
	row, known := directions[kind]
	if !known {
		return w, nil, false
	}
	first, rest := cutWord(line[end:])
	if Key(first) != "league" {
		return w, nil, false
	}
	rest, reason := cutReason(rest)
	words := wordsIn(rest)
	if len(words) == 0 || slices.ContainsFunc(words, func(w string) bool { return IsGameNumber(strings.Trim(w, ".,;\"'`")) }) {
		return w, nil, false // a game's ruling
	}
	w = Word{Kind: Direct, Text: reason, Direct: &Direction{Kind: kind}}
	d := w.Direct
	bad := func(code, word string) (Word, *Problem, bool) {
		return w, &Problem{Code: code, Text: clip(line, MaxLine), Word: clip(word, MaxLine)}, true
	}
	if kind == DirectExtend {
		if rest, d.Time = cutTime(rest); d.Time == "" {
			return bad(BadWord, rest)
		}
	}
	if row.parts {
		rest = d.part(strings.TrimRight(rest, ",;. "))
	}
	w.Name = trim(strings.Trim(rest, "\"'`“”„‘’«»,.; "))
	switch {
	case len(w.Name) > MaxName || len(d.Player) > MaxName || len(d.Time) > MaxName || len(reason) > MaxReason:
		return bad(LongText, "")
	case w.Name == "":
		return bad(BadWord, rest)
	case row.reason && reason == "":
		return bad(NoReason, string(kind)+" league")
	}
	return w, nil, true
}

// part reads from the end of what stands behind a league's name which part of the league
// is meant, and returns the name.
func (d *Direction) part(rest string) string {
	words := wordsIn(rest)
	if n := len(words); n > 2 {
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
	return s
}
