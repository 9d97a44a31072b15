package match

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"angelpost/engine/notice"
	"angelpost/engine/pace"
	"angelpost/engine/store"
)

// What players say about their own time: the zone they live in, when their clocks
// stand still, and when they want to be reminded; and what an organiser gives to
// another.

// setZone sets the time zone in which its writer is told times.
func (s *unit) setZone(c *call) error {
	zone, err := time.LoadLocation(c.word.Text)
	if err != nil || c.word.Text == "Local" {
		return notice.Refuse(notice.ProblemZone, "word", c.word.Text)
	}
	old := pace.NewCalendar(c.w.Settings)
	c.w.Zone = zone.String()
	c.done()
	c.w.answer.say(notice.SayZone, "time", when(s.now, zone))
	return s.reschedule(c.w.Player, old, false)
}

// vacation answers with the writer's holidays, adds one that is still to come, or
// ends them from tomorrow on. Deadlines ahead are put off by them; one that has
// passed is not.
func (s *unit) vacation(c *call) error {
	w := c.w
	old := pace.NewCalendar(w.Settings)
	today, _ := pace.ParseDay(s.now.In(old.Zone).Format(time.DateOnly))
	budget := max(s.VacationDays, 0)
	list, years := old.Away, []int{today.Year()}
	without, others, err := s.withoutVacation(w.ID)
	if err != nil {
		return err
	}
	switch {
	case c.word.Arg == "":
	case c.word.Text == "": // off
		list = pace.CutVacations(list, today.AddDate(0, 0, 1))
	default:
		from, err := pace.ParseDay(c.word.Text)
		to, err2 := pace.ParseDay(c.word.Arg)
		if err != nil || err2 != nil || from.Before(today) || to.Before(from) || to.After(today.AddDate(1, 0, 0)) {
			return notice.Refuse(notice.ProblemDay, "word", strings.TrimSpace(c.word.Text+" "+c.word.Arg))
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
	if c.word.Arg != "" {
		c.done()
		w.Away = pace.FormatVacations(list)
	}
	said := w.answer.say(notice.SayVacation)
	for _, h := range list {
		if h.To >= today.Format(time.DateOnly) {
			said.List = append(said.List, h.From+" – "+h.To)
		}
	}
	if next := today.Year() + 1; c.word.Text == "" && pace.VacationDays(old.Away, next) > 0 {
		years = append(years, next)
	}
	for _, year := range years {
		w.answer.say(notice.SayDaysLeft, "n", fmt.Sprint(max(budget-pace.VacationDays(list, year), 0)), "year", fmt.Sprint(year))
	}
	if len(without) > 0 {
		w.answer.say(notice.SayPresent).List = without
	}
	return s.reschedule(w.Player, old, true)
}

// withoutVacation returns the leagues a player is in that allow no vacation, and
// whether they have other games, or play in other leagues, that do.
func (s *unit) withoutVacation(player int64) (leagues []string, others bool, err error) {
	games, err := s.tx.GamesOf(player, true)
	if err != nil {
		return nil, false, err
	}
	ids := make([]string, len(games))
	for i, row := range games {
		ids[i] = row.ID
	}
	seats, err := s.tx.SeatsOf(ids)
	if err != nil {
		return nil, false, err
	}
	rows, err := s.tx.LeaguesOf(player)
	if err != nil {
		return nil, false, err
	}
	without := func(name string) {
		if !slices.Contains(leagues, name) {
			leagues = append(leagues, name)
		}
	}
	for _, row := range games {
		if slices.ContainsFunc(seats[row.ID], func(x store.Seat) bool { return x.Player == player && x.Stage == store.SeatResigned }) {
			continue
		}
		if !row.Options.Present {
			others = true
			continue
		}
		i := slices.IndexFunc(rows, func(l store.League) bool { return l.ID == row.League })
		if i < 0 { // a substitute's game
			without(cmp.Or(row.Name, row.ID))
		} else {
			without(rows[i].Name)
		}
	}
	for _, row := range rows {
		c, err := s.league(row.ID)
		if s.cache.without(row.ID, err) || err == nil && row.Over {
			continue
		}
		if err != nil {
			return nil, false, err
		}
		switch p := c.state.Player(player); {
		case p == nil || !p.In():
		case c.rules().Absences:
			others = true
		default:
			without(row.Name)
		}
	}
	return leagues, others, nil
}

// listOf are the words of a list as players write it, in lower case.
func listOf(s string) []string {
	return strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return r == ' ' || r == ',' || r == '+' || r == '&' })
}

// daysOff sets the days of the week on which the writer's clocks stand still. It
// is done so often only: otherwise every day could be one, when it comes.
func (s *unit) daysOff(c *call) error {
	w := c.w
	old := pace.NewCalendar(w.Settings)
	var names []string
	for _, word := range listOf(c.word.Text) {
		day := pace.ParseWeekday(word)
		switch {
		case word == "and" || word == "none":
			continue
		case day < 0:
			return notice.Refuse(notice.ProblemDays, "word", c.word.Text, "n", fmt.Sprint(pace.MaxDaysOff))
		}
		if name := strings.ToLower(day.String()[:3]); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if len(names) > pace.MaxDaysOff {
		return notice.Refuse(notice.ProblemDays, "word", c.word.Text, "n", fmt.Sprint(pace.MaxDaysOff))
	}
	if days := strings.Join(names, " "); days != w.DaysOff {
		key := "days/" + strconv.FormatInt(w.ID, 10)
		n := 0
		for d := range pace.DaysOffEvery {
			before := s.counted(key, s.now.AddDate(0, 0, -d).Format(time.DateOnly))
			n += before
		}
		if n >= pace.MaxDaysOffChanges {
			return notice.Refuse(notice.ProblemDaysMany, "n", strconv.Itoa(pace.MaxDaysOffChanges), "days", strconv.Itoa(pace.DaysOffEvery))
		}
		s.bump(key, s.day())
		w.DaysOff = days
	}
	c.done()
	w.answer.say(notice.SayDaysOff).List = names
	return s.reschedule(w.Player, old, true)
}

// maxQuiet bounds the quiet hours of a day, in minutes.
const maxQuiet = 16 * 60

// setQuiet sets the hours in which no reminder of the writer's falls, and no
// deadline that is set from now on.
func (s *unit) setQuiet(c *call) error {
	w := c.w
	old := pace.NewCalendar(w.Settings)
	from, to := pace.ParseMinute(c.word.Text), pace.ParseMinute(c.word.Arg)
	switch {
	case c.word.Text == "":
		w.Quiet = ""
		w.answer.say(notice.SayNoQuiet)
	case from < 0 || to < 0 || from == to || (to-from+24*60)%(24*60) > maxQuiet:
		return notice.Refuse(notice.ProblemQuiet, "word", c.word.Text+" "+c.word.Arg, "n", strconv.Itoa(maxQuiet/60))
	default:
		clock := func(minute int) string { return time.Unix(int64(minute)*60, 0).UTC().Format("15:04") }
		w.Quiet = clock(from) + "-" + clock(to)
		w.answer.say(notice.SayQuiet, "from", clock(from), "to", clock(to))
	}
	c.done()
	return s.reschedule(w.Player, old, false)
}

// setReminders sets when the writer is reminded.
func (s *unit) setReminders(c *call) error {
	w := c.w
	old := pace.NewCalendar(w.Settings)
	wanted := slices.DeleteFunc(listOf(c.word.Text), func(word string) bool { return word == "and" })
	switch {
	case len(wanted) == 1 && wanted[0] == "all":
		wanted = pace.ReminderWords
	case len(wanted) == 1 && wanted[0] == "none":
		wanted = nil
	case len(wanted) == 0 || slices.ContainsFunc(wanted, func(word string) bool { return !slices.Contains(pace.ReminderWords, word) }):
		return notice.Refuse(notice.ProblemReminder, "word", c.word.Text)
	}
	if w.Reminders = strings.Join(wanted, " "); len(wanted) == 0 {
		w.Reminders = "none"
	}
	c.done()
	w.answer.say(notice.SayReminders).List = wanted
	return s.reschedule(w.Player, old, false)
}

// extend gives another player of the organiser's game more time.
func (s *unit) extend(c *call) error {
	if !s.organises(c) {
		return nil
	}
	t := c.w.table
	x := s.guestNamed(c)
	if x == nil {
		return nil
	}
	if x.Player == c.w.ID && !x.Deadline.IsZero() {
		return notice.Refuse(notice.ProblemOwnClock)
	}
	if err := s.giveTime(t, x, c.word.Text); err != nil {
		return err
	}
	c.done()
	s.sayTime(c.w.answer, notice.SayExtended, x.Deadline, "name", x.Name)
	d := s.draftFor(x.Player, t, notice.KindInfo)
	who := c.w.shown()
	s.sayTime(d, notice.TellExtended, x.Deadline, "name", who)
	for i := range t.seats { // tellAll leaves but one out
		y := &t.seats[i]
		if y.Unplayed() || y.Player == x.Player || y.Player == c.w.ID {
			continue
		}
		d := s.draftFor(y.Player, t, notice.KindInfo)
		s.sayTime(d, notice.TellExtendAll, x.Deadline, "name", x.Name, "who", who)
	}
	return nil
}

// giveTime puts a seat's deadline off by a time as it was written.
func (s *unit) giveTime(t *table, x *store.Seat, text string) error {
	by, err := pace.Parse(text)
	switch {
	case err != nil || by.Turn == 0 || by != (pace.Control{Turn: by.Turn, Grace: by.Grace}):
		return notice.Refuse(notice.ProblemExtend, "word", text)
	case x.Deadline.IsZero():
		return notice.Refuse(notice.ProblemNoClock, "word", x.Name)
	}
	rest := s.restAt(t, x)
	return s.schedule(x, t.pace(), rest, rest.Between(s.now, x.Deadline)+by.Turn)
}
