package match

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// A rest is when a player's clock stands still: whole days, from midnight to
// midnight in his zone, on which he is away or that he has off every week.
type rest struct {
	zone *time.Location
	off  [7]bool // by time.Weekday
	away []holiday

	reminders string // PlayerRow.Reminders
	quiet     [2]int // minutes of the day between which no deadline falls; the same: none
}

// A holiday is from one day to another, both included, as DateOnly.
type holiday struct{ from, to string }

// Bounds of a rest.
const (
	maxDaysOff  = 3  // a week
	maxHolidays = 20 // kept, old ones dropped first

	maxDaysOffSet = 3  // changes of them
	daysOffFor    = 30 // in so many days
)

// restOf is a player's rest, as stored (PlayerRow.Away, DaysOff).
func restOf(p *PlayerRow) rest {
	r := rest{zone: time.UTC, reminders: p.Reminders}
	if from, to, ok := strings.Cut(p.Quiet, "-"); ok {
		r.quiet = [2]int{minuteOf(from), minuteOf(to)}
	}
	if zone, err := time.LoadLocation(p.Zone); err == nil {
		r.zone = zone
	}
	for _, word := range strings.Fields(p.DaysOff) {
		if day := weekday(word); day >= 0 {
			r.off[day] = true
		}
	}
	for _, word := range strings.Fields(p.Away) {
		if from, to, ok := strings.Cut(word, "/"); ok {
			r.away = append(r.away, holiday{from, to})
		}
	}
	return r
}

// weekday is the day that a word begins like, in English, -1 if none: "sat".
func weekday(word string) time.Weekday {
	for d := time.Sunday; d <= time.Saturday; d++ {
		if name := strings.ToLower(d.String()); len(word) >= 3 && strings.HasPrefix(name, strings.TrimSuffix(strings.ToLower(word), "s")) {
			return d
		}
	}
	return -1
}

// rests tells whether the clock stands still on a day.
func (r rest) rests(day time.Time) bool {
	date := day.Format(time.DateOnly)
	return r.off[day.Weekday()] || slices.ContainsFunc(r.away, func(h holiday) bool { return h.from <= date && date <= h.to })
}

// minuteOf is the minute of the day of a time like "7", "22:00" or "0730", -1 if
// it is none.
func minuteOf(s string) int {
	for _, layout := range []string{"15:04", "15", "1504", "15.04"} {
		if at, err := time.Parse(layout, s); err == nil {
			return at.Hour()*60 + at.Minute()
		}
	}
	return -1
}

// awake is a time, or the end of the quiet hours it falls into.
func (r rest) awake(at time.Time) time.Time {
	here := at.In(r.zone)
	minute, from, to := here.Hour()*60+here.Minute(), r.quiet[0], r.quiet[1]
	day := here.Day()
	switch {
	case from < 0 || to < 0 || from == to:
		return at
	case from < to && (minute < from || minute >= to), from > to && minute < from && minute >= to:
		return at
	case from > to && minute >= from: // they end tomorrow
		day++
	}
	end := time.Date(here.Year(), here.Month(), day, to/60, to%60, 0, 0, r.zone).In(at.Location())
	if end.Before(at) { // the hour comes twice
		return at
	}
	return end
}

// asleep is a time, or the begin of the quiet hours it falls into.
func (r rest) asleep(at time.Time) time.Time {
	if r.awake(at).Equal(at) {
		return at
	}
	here, day := at.In(r.zone), at.In(r.zone).Day()
	if minute := here.Hour()*60 + here.Minute(); minute < r.quiet[0] { // they began yesterday
		day--
	}
	return time.Date(here.Year(), here.Month(), day, r.quiet[0]/60, r.quiet[0]%60, 0, 0, r.zone).In(at.Location())
}

// walk goes from a time day by day and calls each with the part of the day that
// is left and whether the clock stands still in it, until each returns false.
func (r rest) walk(from time.Time, each func(begin, end time.Time, rests bool) bool) {
	for at := from.In(r.zone); ; {
		next := time.Date(at.Year(), at.Month(), at.Day()+1, 0, 0, 0, 0, r.zone)
		for !next.After(at) { // a midnight that there is not
			next = next.Add(time.Hour)
		}
		if !each(at, next, r.rests(at)) {
			return
		}
		at = next
	}
}

// after is when so much time is over for the player.
func (r rest) after(from time.Time, d time.Duration) (at time.Time) {
	at = from
	r.walk(from, func(begin, end time.Time, rests bool) bool {
		switch left := end.Sub(begin); {
		case rests:
		case left >= d:
			at, d = begin.Add(d), 0
			return false
		default:
			d -= left
		}
		return true
	})
	return at.In(from.Location())
}

// between is how much time passes for the player from one time to another;
// nothing if that is before.
func (r rest) between(from, to time.Time) (d time.Duration) {
	if !to.After(from) {
		return 0
	}
	r.walk(from, func(begin, end time.Time, rests bool) bool {
		if end.After(to) {
			end = to
		}
		if !rests {
			d += end.Sub(begin)
		}
		return end.Before(to)
	})
	return d
}

// dayOf reads a day as players write it: 2026-12-24.
func dayOf(s string) (time.Time, error) {
	day, err := time.Parse(time.DateOnly, s)
	if err != nil || day.Year() < 2000 || day.Year() > 2999 {
		return time.Time{}, fmt.Errorf("%q is no day", s)
	}
	return day, nil
}

// daysIn counts the days of holidays in a year.
func daysIn(list []holiday, year int) (n int) {
	for _, h := range list {
		from, err := dayOf(h.from)
		to, err2 := dayOf(h.to)
		if err != nil || err2 != nil {
			continue
		}
		for ; !from.After(to) && from.Year() <= year; from = from.AddDate(0, 0, 1) {
			if from.Year() == year {
				n++
			}
		}
	}
	return n
}

// withHoliday is the list with a holiday more, in order, without overlaps, and without
// what ended before the year before a day.
func withHoliday(list []holiday, h holiday, today time.Time) (out []holiday) {
	list = append(slices.Clone(list), h)
	slices.SortFunc(list, func(a, b holiday) int { return strings.Compare(a.from, b.from) })
	old := fmt.Sprint(today.Year() - 1)
	for _, h := range list {
		switch last := len(out) - 1; {
		case h.to < old:
		case last >= 0 && h.from <= out[last].to:
			out[last].to = max(out[last].to, h.to)
		default:
			out = append(out, h)
		}
	}
	return out
}

// until is the list without the days from one on.
func until(list []holiday, day time.Time) (out []holiday) {
	before := day.AddDate(0, 0, -1).Format(time.DateOnly)
	for _, h := range list {
		if h.from <= before {
			out = append(out, holiday{h.from, min(h.to, before)})
		}
	}
	return out
}

func holidays(list []holiday) string {
	words := make([]string, len(list))
	for i, h := range list {
		words[i] = h.from + "/" + h.to
	}
	return strings.Join(words, " ")
}
