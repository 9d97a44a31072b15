package pace

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// Settings are what a player has told the server about time, as they are stored.
type Settings struct {
	Zone      string // as ParseZone reads it; "" UTC
	DaysOff   string // days of the week on which the player's clocks stand still: "sat sun"
	Away      string // vacations: "2026-12-24/2027-01-02 2027-08-01/2027-08-14"
	Reminders string // words of ReminderWords; "" all, "none"
	Quiet     string // hours without deadlines and reminders: "22:00-07:00"; "" none
}

// A Calendar says when a player's clocks stand still: on whole days, from midnight to
// midnight in the player's time zone, that are vacation or a weekly day off.
type Calendar struct {
	Zone *time.Location
	off  [7]bool // by time.Weekday
	Away []Vacation

	Reminders string // Settings.Reminders
	quiet     [2]int // minutes of the day between which no deadline falls; equal: none
}

// A Vacation lasts from one day to another, both included, as time.DateOnly.
type Vacation struct{ From, To string }

// Bounds of a Calendar.
const (
	MaxDaysOff   = 3  // a week
	MaxVacations = 20 // kept, old ones dropped first

	MaxDaysOffChanges = 3  // changes of them
	DaysOffEvery      = 30 // in so many days
)

// NewCalendar returns the calendar of a player with these settings. Settings that
// cannot be read are ignored.
func NewCalendar(p Settings) Calendar {
	r := Calendar{Zone: time.UTC, Reminders: p.Reminders}
	if from, to, ok := strings.Cut(p.Quiet, "-"); ok {
		r.quiet = [2]int{ParseMinute(from), ParseMinute(to)}
	}
	if zone, err := ParseZone(p.Zone); err == nil {
		r.Zone = zone
	}
	for _, word := range strings.Fields(p.DaysOff) {
		if day := ParseWeekday(word); day >= 0 {
			r.off[day] = true
		}
	}
	for _, word := range strings.Fields(p.Away) {
		if from, to, ok := strings.Cut(word, "/"); ok {
			r.Away = append(r.Away, Vacation{from, to})
		}
	}
	return r
}

// ParseWeekday returns the day of the week whose English name begins like the word
// ("sat", "saturdays"), or -1.
func ParseWeekday(word string) time.Weekday {
	for d := time.Sunday; d <= time.Saturday; d++ {
		if name := strings.ToLower(d.String()); len(word) >= 3 && strings.HasPrefix(name, strings.TrimSuffix(strings.ToLower(word), "s")) {
			return d
		}
	}
	return -1
}

// dayOff reports whether the clock stands still on a day.
func (c Calendar) dayOff(day time.Time) bool {
	date := day.Format(time.DateOnly)
	return c.off[day.Weekday()] || slices.ContainsFunc(c.Away, func(h Vacation) bool { return h.From <= date && date <= h.To })
}

// ParseMinute returns the minute of the day of a time like "7", "22:00" or "0730", or
// -1.
func ParseMinute(s string) int {
	for _, layout := range []string{"15:04", "15", "1504", "15.04"} {
		if at, err := time.Parse(layout, s); err == nil {
			return at.Hour()*60 + at.Minute()
		}
	}
	return -1
}

// FormatMinute returns a minute of the day as ParseMinute reads it: "07:30".
func FormatMinute(minute int) string {
	return fmt.Sprintf("%02d:%02d", minute/60, minute%60)
}

// NextAt returns the next time after at when clocks in the player's zone show that minute
// of the day; when they skip it, soon after.
func (c Calendar) NextAt(at time.Time, minute int) time.Time {
	here := at.In(c.Zone)
	for day := here.Day(); ; day++ {
		next := time.Date(here.Year(), here.Month(), day, minute/60, minute%60, 0, 0, c.Zone)
		if next.After(at) {
			return next.In(at.Location())
		}
	}
}

// AfterQuietHours returns at, or the end of the quiet hours at falls into.
func (c Calendar) AfterQuietHours(at time.Time) time.Time {
	here := at.In(c.Zone)
	minute, from, to := here.Hour()*60+here.Minute(), c.quiet[0], c.quiet[1]
	day := here.Day()
	switch {
	case from < 0 || to < 0 || from == to:
		return at
	case from < to && (minute < from || minute >= to), from > to && minute < from && minute >= to:
		return at
	case from > to && minute >= from: // they end tomorrow
		day++
	}
	end := time.Date(here.Year(), here.Month(), day, to/60, to%60, 0, 0, c.Zone).In(at.Location())
	if end.Before(at) { // the clocks went back: this hour comes twice
		return at
	}
	return end
}

// BeforeQuietHours returns at, or the beginning of the quiet hours at falls into.
func (c Calendar) BeforeQuietHours(at time.Time) time.Time {
	if c.AfterQuietHours(at).Equal(at) {
		return at
	}
	here, day := at.In(c.Zone), at.In(c.Zone).Day()
	if minute := here.Hour()*60 + here.Minute(); minute < c.quiet[0] { // they began yesterday
		day--
	}
	return time.Date(here.Year(), here.Month(), day, c.quiet[0]/60, c.quiet[0]%60, 0, 0, c.Zone).In(at.Location())
}

// walk calls each for what is left of the day of from, then for each day after it, and
// says whether the clock stands still in it, until each returns false.
func (c Calendar) walk(from time.Time, each func(begin, end time.Time, rests bool) bool) {
	for at := from.In(c.Zone); ; {
		next := time.Date(at.Year(), at.Month(), at.Day()+1, 0, 0, 0, 0, c.Zone)
		for !next.After(at) { // the clocks skip midnight
			next = next.Add(time.Hour)
		}
		if !each(at, next, c.dayOff(at)) {
			return
		}
		at = next
	}
}

// After returns when d has passed on the player's clock.
func (c Calendar) After(from time.Time, d time.Duration) (at time.Time) {
	at = from
	c.walk(from, func(begin, end time.Time, rests bool) bool {
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

// Between returns how much time passes on the player's clock; 0 if to is not after
// from.
func (c Calendar) Between(from, to time.Time) (d time.Duration) {
	if !to.After(from) {
		return 0
	}
	c.walk(from, func(begin, end time.Time, rests bool) bool {
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

// ParseDay reads a day as players write it, 2026-12-24, of the years 2000 to 2999.
func ParseDay(s string) (time.Time, error) {
	day, err := time.Parse(time.DateOnly, s)
	if err != nil || day.Year() < 2000 || day.Year() > 2999 {
		return time.Time{}, fmt.Errorf("%q is not a day like 2026-12-24", s)
	}
	return day, nil
}

// VacationDays returns how many days of a year are vacation.
func VacationDays(list []Vacation, year int) (n int) {
	for _, h := range list {
		from, err := ParseDay(h.From)
		to, err2 := ParseDay(h.To)
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

// AddVacation returns the list with one more vacation, in order, with overlapping ones
// joined, and without those that ended before the year before today.
func AddVacation(list []Vacation, h Vacation, today time.Time) (out []Vacation) {
	list = append(slices.Clone(list), h)
	slices.SortFunc(list, func(a, b Vacation) int { return strings.Compare(a.From, b.From) })
	old := fmt.Sprint(today.Year() - 1)
	for _, h := range list {
		switch last := len(out) - 1; {
		case h.To < old:
		case last >= 0 && h.From <= out[last].To:
			out[last].To = max(out[last].To, h.To)
		default:
			out = append(out, h)
		}
	}
	return out
}

// CutVacations returns the list without day and all days after it.
func CutVacations(list []Vacation, day time.Time) (out []Vacation) {
	before := day.AddDate(0, 0, -1).Format(time.DateOnly)
	for _, h := range list {
		if h.From <= before {
			out = append(out, Vacation{h.From, min(h.To, before)})
		}
	}
	return out
}

// FormatVacations returns the list as Settings.Away stores it.
func FormatVacations(list []Vacation) string {
	words := make([]string, len(list))
	for i, h := range list {
		words[i] = h.From + "/" + h.To
	}
	return strings.Join(words, " ")
}
