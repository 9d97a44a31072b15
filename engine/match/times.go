package match

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// What players say about their own time: the zone they live in, when their clocks
// stand still, and when they want to be reminded; and what an organiser gives to
// another.

// setZone sets the time zone in which its writer is told times.
func (s *sitting) setZone(c *saying) error {
	zone, err := time.LoadLocation(c.word.Text)
	if err != nil || c.word.Text == "Local" {
		c.refuse(ProblemZone, "word", c.word.Text)
		return nil
	}
	old := restOf(c.w.PlayerRow)
	c.w.Zone = zone.String()
	c.done()
	c.w.answer.say(SayZone, "time", when(s.now, zone))
	return s.reschedule(c.w.PlayerRow, old, false)
}

// vacation tells the writer's holidays, adds one that is still to come, or ends
// them from tomorrow on. Deadlines ahead are put off by them; one that is over
// is not.
func (s *sitting) vacation(c *saying) error {
	w := c.w
	old := restOf(w.PlayerRow)
	today, _ := dayOf(s.now.In(old.zone).Format(time.DateOnly))
	budget := max(s.VacationDays, 0)
	list := old.away
	switch {
	case c.word.Arg == "":
	case c.word.Text == "": // off
		list = until(list, today.AddDate(0, 0, 1))
	default:
		from, err := dayOf(c.word.Text)
		to, err2 := dayOf(c.word.Arg)
		if err != nil || err2 != nil || from.Before(today) || to.Before(from) || to.After(today.AddDate(1, 0, 0)) {
			c.refuse(ProblemDay, "word", strings.TrimSpace(c.word.Text+" "+c.word.Arg))
			return nil
		}
		list = withHoliday(list, holiday{from.Format(time.DateOnly), to.Format(time.DateOnly)}, today)
		for year := from.Year(); year <= to.Year(); year++ {
			if daysIn(list, year) > budget || len(list) > maxHolidays {
				c.refuse(ProblemVacation, "n", fmt.Sprint(budget), "left", fmt.Sprint(max(budget-daysIn(old.away, year), 0)), "year", fmt.Sprint(year))
				return nil
			}
		}
	}
	if c.word.Arg != "" {
		c.done()
		w.Away = holidays(list)
	}
	said := w.answer.say(SayVacation, "n", fmt.Sprint(max(budget-daysIn(list, today.Year()), 0)), "year", fmt.Sprint(today.Year()))
	for _, h := range list {
		if h.to >= today.Format(time.DateOnly) {
			said.List = append(said.List, h.from+" – "+h.to)
		}
	}
	if len(said.List) > 0 {
		if err := s.sayPresent(w); err != nil {
			return err
		}
	}
	return s.reschedule(w.PlayerRow, old, true)
}

// sayPresent names the writer's games in which no vacation counts.
func (s *sitting) sayPresent(w *writer) error {
	rows, err := s.tx.GamesOf(w.ID, true)
	if err != nil {
		return err
	}
	var names []string
	for _, row := range rows {
		if row.Options.Present && !slices.Contains(names, cmp.Or(row.Name, row.ID)) {
			names = append(names, cmp.Or(row.Name, row.ID))
		}
	}
	if len(names) > 0 {
		w.answer.say(SayPresent).List = names
	}
	return nil
}

// listOf are the words of a list as players write it, in lower case.
func listOf(s string) []string {
	return strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return r == ' ' || r == ',' || r == '+' || r == '&' })
}

// daysOff sets the days of the week on which the writer's clocks stand still. It
// is done so often only: otherwise every day could be one, when it comes.
func (s *sitting) daysOff(c *saying) error {
	w := c.w
	old := restOf(w.PlayerRow)
	var names []string
	for _, word := range listOf(c.word.Text) {
		day := weekday(word)
		switch {
		case word == "and" || word == "none":
			continue
		case day < 0:
			c.refuse(ProblemDays, "word", c.word.Text, "n", fmt.Sprint(maxDaysOff))
			return nil
		}
		if name := strings.ToLower(day.String()[:3]); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if len(names) > maxDaysOff {
		c.refuse(ProblemDays, "word", c.word.Text, "n", fmt.Sprint(maxDaysOff))
		return nil
	}
	if days := strings.Join(names, " "); days != w.DaysOff {
		key := "days/" + strconv.FormatInt(w.ID, 10)
		n := 0
		for d := range daysOffFor {
			before, err := s.tx.Count(key, s.now.AddDate(0, 0, -d).Format(time.DateOnly))
			if err != nil {
				return err
			}
			n += before
		}
		if n >= maxDaysOffSet {
			c.refuse(ProblemDaysMany, "n", strconv.Itoa(maxDaysOffSet), "days", strconv.Itoa(daysOffFor))
			return nil
		}
		if _, err := s.tx.Bump(key, s.day()); err != nil {
			return err
		}
		w.DaysOff = days
	}
	c.done()
	w.answer.say(SayDaysOff).List = names
	return s.reschedule(w.PlayerRow, old, true)
}

// maxQuiet bounds the quiet hours of a day, in minutes.
const maxQuiet = 16 * 60

// setQuiet sets the hours in which no reminder of the writer's falls, and no
// deadline that is set from now on.
func (s *sitting) setQuiet(c *saying) error {
	w := c.w
	old := restOf(w.PlayerRow)
	from, to := minuteOf(c.word.Text), minuteOf(c.word.Arg)
	switch {
	case c.word.Text == "":
		w.Quiet = ""
		w.answer.say(SayNoQuiet)
	case from < 0 || to < 0 || from == to || (to-from+24*60)%(24*60) > maxQuiet:
		c.refuse(ProblemQuiet, "word", c.word.Text+" "+c.word.Arg, "n", strconv.Itoa(maxQuiet/60))
		return nil
	default:
		clock := func(minute int) string { return time.Unix(int64(minute)*60, 0).UTC().Format("15:04") }
		w.Quiet = clock(from) + "-" + clock(to)
		w.answer.say(SayQuiet, "from", clock(from), "to", clock(to))
	}
	c.done()
	return s.reschedule(w.PlayerRow, old, false)
}

// setReminders sets when the writer is reminded.
func (s *sitting) setReminders(c *saying) error {
	w := c.w
	old := restOf(w.PlayerRow)
	wanted := slices.DeleteFunc(listOf(c.word.Text), func(word string) bool { return word == "and" })
	switch {
	case len(wanted) == 1 && wanted[0] == "all":
		wanted = reminderWords
	case len(wanted) == 1 && wanted[0] == "none":
		wanted = nil
	case len(wanted) == 0 || slices.ContainsFunc(wanted, func(word string) bool { return !slices.Contains(reminderWords, word) }):
		c.refuse(ProblemReminder, "word", c.word.Text)
		return nil
	}
	if w.Reminders = strings.Join(wanted, " "); len(wanted) == 0 {
		w.Reminders = "none"
	}
	c.done()
	w.answer.say(SayReminders).List = wanted
	return s.reschedule(w.PlayerRow, old, false)
}

// extend gives another player of the organiser's game more time.
func (s *sitting) extend(c *saying) error {
	if !s.organises(c) {
		return nil
	}
	t := c.w.table
	x, err := s.guestNamed(c)
	if x == nil || err != nil {
		return err
	}
	if x.Player == c.w.ID && !x.Deadline.IsZero() {
		c.refuse(ProblemOwnClock)
		return nil
	}
	if p, err := s.giveTime(t, x, c.word.Text); p != nil || err != nil {
		c.line.Status, c.line.Problem = LineRefused, p
		return err
	}
	c.done()
	if err := s.sayTime(c.w.answer, SayExtended, x.Deadline, "name", x.Name); err != nil {
		return err
	}
	d, err := s.draftFor(x.Player, t, KindInfo)
	if err != nil {
		return err
	}
	who := c.w.shown()
	if err := s.sayTime(d, TellExtended, x.Deadline, "name", who); err != nil {
		return err
	}
	for i := range t.seats { // tellAll leaves but one out
		y := &t.seats[i]
		if y.nobody() || y.Player == x.Player || y.Player == c.w.ID {
			continue
		}
		d, err := s.draftFor(y.Player, t, KindInfo)
		if err != nil {
			return err
		}
		if err := s.sayTime(d, TellExtendAll, x.Deadline, "name", x.Name, "who", who); err != nil {
			return err
		}
	}
	return nil
}

// giveTime puts a seat's deadline off by a time as it was written.
func (s *sitting) giveTime(t *table, x *SeatRow, text string) (*Problem, error) {
	by, err := ParsePace(text)
	switch {
	case err != nil || by.Turn == 0 || by != (Pace{Turn: by.Turn, Grace: by.Grace}):
		return &Problem{Code: ProblemExtend, Args: map[string]string{"word": text}}, nil
	case x.Deadline.IsZero():
		return &Problem{Code: ProblemNoClock, Args: map[string]string{"word": x.Name}}, nil
	}
	rest, err := s.restAt(t, x)
	if err != nil {
		return nil, err
	}
	return nil, s.schedule(x, t.pace(), rest, rest.between(s.now, x.Deadline)+by.Turn)
}
