package match

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// A Pace is how much time the players of a game have. The zero Pace is no clock
// at all.
type Pace struct {
	Turn      time.Duration // for each turn of one's own, minPace to maxPace; 0: no clock
	Bank      time.Duration // beside it for the whole game, at the start
	Increment time.Duration // what a turn played adds to what is left of the bank
	Most      time.Duration // of which there never is more
	Grace     time.Duration // between the deadline and what it brings about
}

// Bounds of a Pace.
const (
	minPace  = time.Hour
	maxPace  = 60 * 24 * time.Hour
	maxBank  = 365 * 24 * time.Hour
	maxGrace = 30 * 24 * time.Hour
)

// errPace is what ParsePace says of everything that it cannot read.
var errPace = errors.New(`not like "3 days", "3d bank 10d" or "2d bank 5d +12h max 10d grace 1d"`)

// ParsePace reads a pace as players write it: the time for a turn, then, in any
// order, "bank TIME", "+TIME", "max TIME" and "grace TIME", where TIME is like
// "3d", "36 hours" or "1 week". "none" is no clock. Without "max" the bank never
// grows beyond what it was at the start, without "grace" it is half a turn's
// time and at most a day.
func ParsePace(s string) (p Pace, err error) {
	words := paceWords(s)
	if len(words) == 1 && (words[0] == "none" || words[0] == "no") {
		return Pace{}, nil
	}
	given := map[*time.Duration]bool{}
	to := &p.Turn
	for i := 0; i < len(words); i++ {
		switch w := words[i]; w {
		case "bank":
			to = &p.Bank
		case "+", "plus":
			to = &p.Increment
		case "max", "most":
			to = &p.Most
		case "grace":
			to = &p.Grace
		case "a", "per", "turn", "of", "and", "with", "at", "each", "time":
		default:
			n, err := strconv.Atoi(w)
			i++
			if err != nil || n < 0 || n > 1_000_000 || i == len(words) || to == nil || given[to] {
				return Pace{}, errPace
			}
			unit := paceUnits[strings.TrimSuffix(words[i], "s")]
			if unit == 0 || n > int(2*maxBank/unit) { // more would overflow
				return Pace{}, errPace
			}
			*to, given[to] = time.Duration(n)*unit, true
			to = nil
		}
	}
	if !given[&p.Turn] || to != nil {
		return Pace{}, errPace
	}
	if !given[&p.Most] {
		p.Most = p.Bank
	}
	if !given[&p.Grace] {
		p.Grace = min(p.Turn/2, 24*time.Hour)
	}
	for _, b := range []struct {
		what         string
		is, min, max time.Duration
	}{
		{"turn", p.Turn, minPace, maxPace}, {"bank", p.Bank, 0, p.Most}, {"+", p.Increment, 0, p.Turn},
		{"max", p.Most, p.Bank, maxBank}, {"grace", p.Grace, 0, maxGrace},
	} {
		if b.is < b.min || b.is > b.max {
			return Pace{}, fmt.Errorf("%s: %s is not between %s and %s", b.what, span(b.is), span(b.min), span(b.max))
		}
	}
	return p, nil
}

var paceUnits = map[string]time.Duration{
	"m": time.Minute, "min": time.Minute, "minute": time.Minute, "h": time.Hour, "hour": time.Hour,
	"d": 24 * time.Hour, "day": 24 * time.Hour, "w": 7 * 24 * time.Hour, "week": 7 * 24 * time.Hour,
}

// paceWords are the words, numbers and plus signs of a pace.
func paceWords(s string) (out []string) {
	kind := func(r rune) int {
		switch {
		case unicode.IsDigit(r):
			return 1
		case unicode.IsLetter(r):
			return 2
		case r == '+':
			return 3
		}
		return 0
	}
	last := 0
	for _, r := range strings.ToLower(s) {
		k := kind(r)
		switch {
		case k == 0 && (unicode.IsSpace(r) || r == ',' || r == '.'):
		case k == 0:
			return []string{"", ""} // nothing that is a pace
		case k == last && k != 3:
			out[len(out)-1] += string(r)
		default:
			out = append(out, string(r))
		}
		last = k
	}
	return out
}

// String is the pace as ParsePace reads it, "none" for no clock.
func (p Pace) String() string {
	if p.Turn == 0 {
		return "none"
	}
	s := span(p.Turn)
	if p.Bank > 0 || p.Most > 0 {
		s += " bank " + span(p.Bank)
	}
	if p.Increment > 0 {
		s += " +" + span(p.Increment)
	}
	if p.Most != p.Bank {
		s += " max " + span(p.Most)
	}
	return s + " grace " + span(p.Grace)
}

// span is a length of time in the largest unit that measures it, to the minute.
func span(d time.Duration) string {
	switch {
	case d%(24*time.Hour) == 0:
		return strconv.Itoa(int(d/(24*time.Hour))) + "d"
	case d%time.Hour == 0:
		return strconv.Itoa(int(d/time.Hour)) + "h"
	}
	return strconv.Itoa(int(d/time.Minute)) + "m"
}

// aside is the time for what the game waits for out of turn.
func (p Pace) aside() time.Duration { return min(p.Turn, 24*time.Hour) }

// spend is what is in a bank when a turn is done and so much time was left, the
// bank included.
func (p Pace) spend(bank, left time.Duration) time.Duration {
	return min(min(bank, left)+p.Increment, p.Most)
}

// reminderWords are when players can be reminded: when half of their time is
// gone, a day and three hours before its end.
var reminderWords = []string{"half", "day", "hours"}

// reminders are how long before a deadline a player is reminded who has so much
// time, at those of reminderWords that are wanted ("" all), but never soon after
// another.
func reminders(allotted time.Duration, wanted string) (out []time.Duration) {
	last := allotted
	for i, before := range []time.Duration{allotted / 2, 24 * time.Hour, 3 * time.Hour} {
		if wanted != "" && !slices.Contains(strings.Fields(wanted), reminderWords[i]) {
			continue
		}
		if last-before >= min(allotted/4, 12*time.Hour) {
			out, last = append(out, before), before
		}
	}
	return out
}
