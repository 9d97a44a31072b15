package league

import (
	"fmt"
	"slices"
	"strconv"
	"time"
)

// A file that is new is read more strictly than one that a league has had for years, and
// that must go on being read: ParseNew also finds what fits together in no league.

// Odd is a warning about a file: what is allowed, but seldom meant.
type Odd string

// The warnings.
const (
	OddClock Odd = "clock" // games without a clock may never end, and no season then
	OddLeast Odd = "least" // fewer players than a division may begin a season
	OddShort Odd = "short" // players who use their clocks do not finish in a season
	OddMove  Odd = "move"  // more than half of a division goes up or down
)

// ParseNew is ParseRules for a new file. The rules are there though something is wrong
// with the file, as far as they could be read. now is when the league is made. old are the
// rules of one that is there already: its start may have passed, and what does not fit
// together in them may stay.
func ParseNew(text string, now time.Time, old *Rules) (*Rules, error) {
	r, seen, bad := parse(text)
	if r == nil {
		return nil, bad
	}
	for _, e := range bad { // told already
		delete(seen, e.Key)
		if e.Code == BadValue && (e.Key == "table" || e.Key == "division" || e.Key == "kind") {
			return r, bad
		}
	}
	found := r.impossible(seen, now)
	if old != nil {
		stays := old.impossible(seen, now)
		found = slices.DeleteFunc(found, func(e FileError) bool {
			return e.Key == "start" || slices.ContainsFunc(stays, func(s FileError) bool { return s.Key == e.Key && s.Value == e.Value })
		})
	}
	bad = append(bad, found...)
	if s, err := ParseRules(sample); err == nil && old == nil && r.Name == s.Name && slices.Equal(r.Directors, s.Directors) {
		bad = append(bad, FileError{Line: seen["name"], Code: AsSample, Key: "name", Value: r.Name})
	}
	if len(bad) == 0 {
		return r, nil
	}
	sortErrors(bad)
	return r, bad
}

// impossible is what the file says that fits together in no league.
func (r *Rules) impossible(seen map[string]int, now time.Time) (bad FileErrors) {
	wrong := func(name, value string, can ...string) {
		bad = append(bad, FileError{Line: seen[name], Code: BadValue, Key: name, Value: value, Can: can})
	}
	if seen["start"] > 0 && !r.Start.IsZero() && r.Start.Before(now.Truncate(day)) {
		wrong("start", r.Start.Format(time.DateOnly), now.Add(7*day).Format(time.DateOnly), "when full")
	}
	if seen["least"] > 0 && r.Least < 2 && r.Kind != Solo {
		wrong("least", strconv.Itoa(r.Least), fmt.Sprintf("2 to %d", MaxPlayers))
	}
	if seen["most"] > 0 && r.Most > 0 && r.Most < r.Least {
		wrong("most", strconv.Itoa(r.Most), fmt.Sprintf("%d to %d", r.Least, MaxPlayers), "no limit")
	}
	if seen["substitutes"] > 0 && r.Substitutes && r.Kind == Solo {
		wrong("substitutes", "yes", "no")
	}
	if r.Kind != Divisions {
		return bad
	}
	small := slices.Min(r.Sizes)
	if small < r.Table && (seen["division"] > 0 || seen["table"] > 0) {
		if seen["division"] > 0 {
			wrong("division", list(r.Sizes), fmt.Sprintf("%d to %d", r.Table, MaxSize))
		} else {
			wrong("table", strconv.Itoa(r.Table), fmt.Sprintf("2 to %d", small))
		}
	}
	at := "up"
	if seen[at] == 0 {
		at = "down"
	}
	switch said := seen[at] > 0; {
	case said && r.Up != r.Down:
		wrong("down", strconv.Itoa(r.Down), strconv.Itoa(r.Up))
	case said && r.Up+r.Down > small:
		wrong(at, strconv.Itoa(r.Up), fmt.Sprintf("0 to %d", small/2))
	}
	return bad
}

// Odd are the warnings about a file. turn is the time for a turn, 0 without a clock.
func (r *Rules) Odd(turn time.Duration) (odd []Odd) {
	if turn == 0 {
		odd = append(odd, OddClock)
	} else if r.Season < 20*turn && (r.Kind == Divisions || r.Kind == Swiss || r.Kind == Knockout) {
		odd = append(odd, OddShort)
	}
	if r.Kind == Divisions && r.Least < r.Sizes[0] {
		odd = append(odd, OddLeast)
	}
	if r.Kind == Divisions && r.Up+r.Down > slices.Min(r.Sizes)/2+1 {
		odd = append(odd, OddMove)
	}
	return odd
}

// LineOf is the line of a file on which a key stands first, 0 if it does not.
func LineOf(text, name string) int {
	_, seen, _ := parse(text)
	return seen[name]
}
