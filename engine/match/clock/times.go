package clock

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"angelpost/engine/match/gate"
	"angelpost/engine/match/leagues"
	"angelpost/engine/match/seating"
	"angelpost/engine/match/unit"
	"angelpost/engine/notice"
	"angelpost/engine/pace"
	"angelpost/engine/store"
)

// The words with which players set their own time: their time zone, when their clocks stand
// still, and when they want reminders; and the one with which an organiser gives time to
// another.

// SetZone sets the time zone in which we tell the writer times.
func SetZone(u *unit.Unit, c *unit.Call) error {
	zone, err := pace.ParseZone(c.Word.Text)
	if err != nil {
		return notice.Refuse(notice.ProblemZone, "word", c.Word.Text)
	}
	old := pace.NewCalendar(c.Sender.Settings)
	c.Sender.Zone, c.Sender.Guessed = zone.String(), false
	c.Sender.Answer.Unsay(notice.SayZoneGuessed)
	c.Done()
	c.Sender.Answer.Say(notice.SayZone, "time", unit.When(u.At, zone))
	if err := gate.ScheduleDigest(u, c.Sender.Player); err != nil {
		return err
	}
	return reschedule(u, c.Sender.Player, old, false)
}

// GuessZone sets the zone of a writer who has not named one to that of their letter's
// Date, and says so.
func GuessZone(u *unit.Unit, w *unit.Sender) error {
	guess := pace.GuessZone(u.Command.Date)
	if w.Zone != "" || guess == "" {
		return nil
	}
	old := pace.NewCalendar(w.Settings)
	w.Zone, w.Guessed = guess, true
	w.Answer.Say(notice.SayZoneGuessed, "zone", guess)
	if err := gate.ScheduleDigest(u, w.Player); err != nil {
		return err
	}
	return reschedule(u, w.Player, old, false)
}

// span returns how many days "2 weeks" or "10 days" are; 0 if the text is not like that, or is
// longer than a year.
func span(number, of string) int {
	n, err := strconv.Atoi(number)
	if err != nil || n < 1 || n > 366 {
		return 0
	}
	switch strings.TrimSuffix(strings.ToLower(of), "s") {
	case "day":
		return n
	case "week":
		return 7 * n
	}
	return 0
}

// Vacation answers with the writer's holidays, adds one that is still to come, or
// ends them from tomorrow on. Deadlines ahead are put off by them; one that has
// passed is not.
func Vacation(u *unit.Unit, c *unit.Call) error {
	w := c.Sender
	old := pace.NewCalendar(w.Settings)
	today, _ := pace.ParseDay(u.At.In(old.Zone).Format(time.DateOnly))
	budget := max(u.VacationDays, 0)
	list, years := old.Away, []int{today.Year()}
	without, others, err := leagues.WithoutVacation(u, w.ID)
	if err != nil {
		return err
	}
	switch {
	case c.Word.Arg == "":
	case c.Word.Text == "": // off
		list = pace.CutVacations(list, today.AddDate(0, 0, 1))
	default:
		from, err := pace.ParseDay(c.Word.Text)
		to, err2 := pace.ParseDay(c.Word.Arg)
		if n := span(c.Word.Text, c.Word.Arg); n > 0 {
			from, to, err, err2 = today, today.AddDate(0, 0, n-1), nil, nil
		}
		if err != nil || err2 != nil || from.Before(today) || to.Before(from) || to.After(today.AddDate(1, 0, 0)) {
			return notice.Refuse(notice.ProblemDay, "word", strings.TrimSpace(c.Word.Text+" "+c.Word.Arg))
		}
		if len(without) > 0 && !others {
			return notice.Refuse(notice.ProblemNoHoliday, "league", strings.Join(without, ", "))
		}
		list, years = pace.AddVacation(list, pace.Vacation{From: from.Format(time.DateOnly), To: to.Format(time.DateOnly)}, today), nil
		for year := from.Year(); year <= to.Year(); year++ {
			if pace.VacationDays(list, year) > budget || len(list) > pace.MaxVacations {
				return notice.Refuse(notice.ProblemVacation, "n", fmt.Sprint(budget), "left", fmt.Sprint(max(budget-pace.VacationDays(old.Away, year), 0)), "year", fmt.Sprint(year))
			}
			years = append(years, year)
		}
	}
	if c.Word.Arg != "" {
		c.Done()
		w.Away = pace.FormatVacations(list)
	}
	said := w.Answer.Say(notice.SayVacation)
	for _, h := range list {
		if h.To >= today.Format(time.DateOnly) {
			said.List = append(said.List, h.From+" – "+h.To)
		}
	}
	if next := today.Year() + 1; c.Word.Text == "" && pace.VacationDays(old.Away, next) > 0 {
		years = append(years, next)
	}
	for _, year := range years {
		w.Answer.Say(notice.SayDaysLeft, "n", fmt.Sprint(max(budget-pace.VacationDays(list, year), 0)), "year", fmt.Sprint(year))
	}
	if len(without) > 0 {
		w.Answer.Say(notice.SayPresent).List = without
	}
	return reschedule(u, w.Player, old, true)
}

// listOf splits a list as players write it into words, in lower case.
func listOf(s string) []string {
	return strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return r == ' ' || r == ',' || r == '+' || r == '&' })
}

// DaysOff sets the days of the week on which the writer's clocks stand still. The writer can
// change them only so often: otherwise they could declare each day off as it comes.
func DaysOff(u *unit.Unit, c *unit.Call) error {
	w := c.Sender
	old := pace.NewCalendar(w.Settings)
	var names []string
	for _, word := range listOf(c.Word.Text) {
		day := pace.ParseWeekday(word)
		switch {
		case word == "and" || word == "none":
			continue
		case day < 0:
			return notice.Refuse(notice.ProblemDays, "word", c.Word.Text, "n", fmt.Sprint(pace.MaxDaysOff))
		}
		if name := strings.ToLower(day.String()[:3]); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if len(names) > pace.MaxDaysOff {
		return notice.Refuse(notice.ProblemDays, "word", c.Word.Text, "n", fmt.Sprint(pace.MaxDaysOff))
	}
	if days := strings.Join(names, " "); days != w.DaysOff {
		key := "days/" + strconv.FormatInt(w.ID, 10)
		n := 0
		for d := range pace.DaysOffEvery {
			before := u.Counted(key, u.At.AddDate(0, 0, -d).Format(time.DateOnly))
			n += before
		}
		if n >= pace.MaxDaysOffChanges {
			return notice.Refuse(notice.ProblemDaysMany, "n", strconv.Itoa(pace.MaxDaysOffChanges), "days", strconv.Itoa(pace.DaysOffEvery))
		}
		u.Bump(key, u.Day())
		w.DaysOff = days
	}
	c.Done()
	w.Answer.Say(notice.SayDaysOff).List = names
	return reschedule(u, w.Player, old, true)
}

// maxQuiet bounds the quiet hours of a day, in minutes.
const maxQuiet = 16 * 60

// SetQuiet sets the hours in which the writer gets no reminders and, for deadlines set from now
// on, no deadlines.
func SetQuiet(u *unit.Unit, c *unit.Call) error {
	w := c.Sender
	old := pace.NewCalendar(w.Settings)
	from, to := pace.ParseMinute(c.Word.Text), pace.ParseMinute(c.Word.Arg)
	switch {
	case c.Word.Text == "":
		w.Quiet = ""
		w.Answer.Say(notice.SayNoQuiet)
	case from < 0 || to < 0 || from == to || (to-from+24*60)%(24*60) > maxQuiet:
		return notice.Refuse(notice.ProblemQuiet, "word", c.Word.Text+" "+c.Word.Arg, "n", strconv.Itoa(maxQuiet/60))
	default:
		clock := pace.FormatMinute
		w.Quiet = clock(from) + "-" + clock(to)
		w.Answer.Say(notice.SayQuiet, "from", clock(from), "to", clock(to))
	}
	c.Done()
	return reschedule(u, w.Player, old, false)
}

// SetReminders sets when the writer gets reminders.
func SetReminders(u *unit.Unit, c *unit.Call) error {
	w := c.Sender
	old := pace.NewCalendar(w.Settings)
	wanted := slices.DeleteFunc(listOf(c.Word.Text), func(word string) bool { return word == "and" })
	switch {
	case len(wanted) == 1 && wanted[0] == "all":
		wanted = pace.ReminderWords
	case len(wanted) == 1 && wanted[0] == "none":
		wanted = nil
	case len(wanted) == 0 || slices.ContainsFunc(wanted, func(word string) bool { return !slices.Contains(pace.ReminderWords, word) }):
		return notice.Refuse(notice.ProblemReminder, "word", c.Word.Text)
	}
	if w.Reminders = strings.Join(wanted, " "); len(wanted) == 0 {
		w.Reminders = "none"
	}
	c.Done()
	w.Answer.Say(notice.SayReminders).List = wanted
	return reschedule(u, w.Player, old, false)
}

// Extend gives another player of the organiser's game more time.
func Extend(u *unit.Unit, c *unit.Call) error {
	if !seating.Organises(u, c) {
		return nil
	}
	t := c.Sender.Game
	x := seating.GuestNamed(u, c)
	if x == nil {
		return nil
	}
	if x.Player == c.Sender.ID && !x.Deadline.IsZero() {
		return notice.Refuse(notice.ProblemOwnClock)
	}
	by, err := TimeGiven(c.Word.Text)
	if err != nil {
		return err
	}
	if err := GiveTime(u, t, x, by); err != nil {
		return err
	}
	c.Done()
	u.SayTime(c.Sender.Answer, notice.SayExtended, x.Deadline, "name", x.Name)
	d := u.DraftFor(x.Player, t, notice.KindInfo)
	who := c.Sender.Shown()
	u.SayTime(d, notice.TellExtended, x.Deadline, "name", who)
	for i := range t.Seats { // unit.TellAll leaves but one out
		y := &t.Seats[i]
		if y.Unplayed() || y.Player == x.Player || y.Player == c.Sender.ID {
			continue
		}
		d := u.DraftFor(y.Player, t, notice.KindInfo)
		u.SayTime(d, notice.TellExtendAll, x.Deadline, "name", x.Name, "who", who)
	}
	return nil
}

// leastLeft is the least time that a player keeps when time is taken back, if they had that
// much.
const leastLeft = 24 * time.Hour

// GiveTime moves a seat's deadline by some time, or moves it back.
func GiveTime(u *unit.Unit, t *unit.Game, x *store.Seat, by time.Duration) error {
	if x.Deadline.IsZero() {
		return notice.Refuse(notice.ProblemNoClock, "word", x.Name)
	}
	rest := u.RestAt(t, x)
	left := rest.Between(u.At, x.Deadline)
	if by < 0 {
		by = max(by, min(0, leastLeft-left))
	}
	return schedule(u, x, t.Pace(), rest, left+by)
}

// TimeChanged reads the time by which a director extends a deadline; a minus sign takes time
// back.
func TimeChanged(text string) (time.Duration, error) {
	rest, less := strings.CutPrefix(strings.Replace(text, "−", "-", 1), "-")
	by, err := TimeGiven(rest)
	if less {
		by = -by
	}
	return by, err
}

// Reversed returns the text of the opposite change, in the form of TimeChanged.
func Reversed(text string) string {
	rest, less := strings.CutPrefix(strings.Replace(text, "−", "-", 1), "-")
	if less {
		return rest
	}
	return "-" + rest
}

// TimeGiven reads the time by which a deadline is extended.
func TimeGiven(text string) (time.Duration, error) {
	by, err := pace.Parse(text)
	if err != nil || by.Turn == 0 || by != (pace.Control{Turn: by.Turn, Grace: by.Grace}) {
		return 0, notice.Refuse(notice.ProblemExtend, "word", text)
	}
	return by.Turn, nil
}
