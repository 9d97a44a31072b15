// Package pace says how much time players have: the time control of a game (Control),
// and a player's calendar (Calendar), which says when that player's clocks stand still.
// It is pure: it knows no clock, no game and no letter.
package pace

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// A Control is the time control of a game. The zero Control means no clock.
type Control struct {
	Turn      time.Duration // for each own turn, minTurn to maxTurn; 0: no clock
	Bank      time.Duration // extra time for the whole game, at its start
	Increment time.Duration // what each turn played adds to the bank
	Most      time.Duration // upper limit of the bank
	Grace     time.Duration // between a missed deadline and its consequences
}

// Bounds of a Control.
const (
	minTurn  = time.Hour
	maxTurn  = 60 * 24 * time.Hour
	maxBank  = 365 * 24 * time.Hour
	maxGrace = 30 * 24 * time.Hour
)

// errSyntax is Parse's error for everything it cannot read.
var errSyntax = errors.New(`not like "3 days", "3d bank 10d" or "2d bank 5d +12h max 10d grace 1d"`)

// Parse reads a time control as players write it: the time for a turn, then, in any order,
// "bank TIME", "+TIME", "max TIME" and "grace TIME", where TIME is like "3d", "36 hours" or
// "1 week". "none" means no clock. The defaults: max is what the bank has at the start;
// grace is half a turn's time, at most a day.
func Parse(s string) (p Control, err error) {
	words := tokens(s)
	if len(words) == 1 && (words[0] == "none" || words[0] == "no") {
		return Control{}, nil
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
				return Control{}, errSyntax
			}
			unit := units[strings.TrimSuffix(words[i], "s")]
			if unit == 0 || n > int(2*maxBank/unit) { // more would overflow
				return Control{}, errSyntax
			}
			*to, given[to] = time.Duration(n)*unit, true
			to = nil
		}
	}
	if !given[&p.Turn] || to != nil {
		return Control{}, errSyntax
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
		{"turn", p.Turn, minTurn, maxTurn}, {"bank", p.Bank, 0, p.Most}, {"+", p.Increment, 0, p.Turn},
		{"max", p.Most, p.Bank, maxBank}, {"grace", p.Grace, 0, maxGrace},
	} {
		if b.is < b.min || b.is > b.max {
			return Control{}, fmt.Errorf("%s: %s is not between %s and %s", b.what, span(b.is), span(b.min), span(b.max))
		}
	}
	return p, nil
}

var units = map[string]time.Duration{
	"m": time.Minute, "min": time.Minute, "minute": time.Minute, "h": time.Hour, "hour": time.Hour,
	"d": 24 * time.Hour, "day": 24 * time.Hour, "w": 7 * 24 * time.Hour, "week": 7 * 24 * time.Hour,
}

// tokens splits a time control into words, numbers and plus signs.
func tokens(s string) (out []string) {
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
			return []string{"", ""} // no time control has such a character
		case k == last && k != 3:
			out[len(out)-1] += string(r)
		default:
			out = append(out, string(r))
		}
		last = k
	}
	return out
}

// String returns the time control as Parse reads it, "none" for no clock.
func (c Control) String() string {
	if c.Turn == 0 {
		return "none"
	}
	s := span(c.Turn)
	if c.Bank > 0 || c.Most > 0 {
		s += " bank " + span(c.Bank)
	}
	if c.Increment > 0 {
		s += " +" + span(c.Increment)
	}
	if c.Most != c.Bank {
		s += " max " + span(c.Most)
	}
	return s + " grace " + span(c.Grace)
}

// span returns a duration in the largest unit that divides it, down to minutes.
func span(d time.Duration) string {
	switch {
	case d%(24*time.Hour) == 0:
		return strconv.Itoa(int(d/(24*time.Hour))) + "d"
	case d%time.Hour == 0:
		return strconv.Itoa(int(d/time.Hour)) + "h"
	}
	return strconv.Itoa(int(d/time.Minute)) + "m"
}

// OutOfTurn returns the time for a decision that is not part of an own turn.
func (c Control) OutOfTurn() time.Duration { return min(c.Turn, 24*time.Hour) }

// BankAfter returns what a bank holds after a turn at whose end left remained, the bank
// included.
func (c Control) BankAfter(bank, left time.Duration) time.Duration {
	return min(min(bank, left)+c.Increment, c.Most)
}

// ReminderWords name when players can be reminded: when half of their time is gone, a
// day and three hours before a deadline.
var ReminderWords = []string{"half", "day", "hours"}

// Reminders returns how long before a deadline to remind a player who was given allotted
// time, at those of ReminderWords that are wanted ("" all), but never soon after
// another.
func Reminders(allotted time.Duration, wanted string) (out []time.Duration) {
	last := allotted
	for i, before := range []time.Duration{allotted / 2, 24 * time.Hour, 3 * time.Hour} {
		if wanted != "" && !slices.Contains(strings.Fields(wanted), ReminderWords[i]) {
			continue
		}
		if last-before >= min(allotted/4, 12*time.Hour) {
			out, last = append(out, before), before
		}
	}
	return out
}
