package unit

import (
	"cmp"
	"strings"
	"time"

	"angelpost/engine/notice"
	"angelpost/engine/order"
	"angelpost/engine/pace"
	"angelpost/engine/store"
)

// Settings returns a player's settings for all letters, at a time.
func Settings(p *store.Player, at time.Time) *notice.Settings {
	calendar := pace.NewCalendar(p.Settings)
	s := &notice.Settings{
		Name: p.Name, Format: "html", Notify: notifyOf(p), Digest: p.Digest, Subjects: subjectsOf(p), ListID: cmp.Or(p.ListID, order.On),
		Zone: calendar.Zone.String(), Guessed: p.Guessed, DaysOff: strings.Fields(p.DaysOff), Reminders: remindersOf(p),
	}
	if p.Text {
		s.Format = "text"
	}
	if from, to, ok := strings.Cut(p.Quiet, "-"); ok {
		s.Quiet = []string{from, to}
	}
	today := at.In(calendar.Zone).Format(time.DateOnly)
	for _, h := range calendar.Away {
		if h.To >= today {
			s.Away = append(s.Away, h.From+" – "+h.To)
		}
	}
	return s
}

// notifyOf returns a player's `notify` setting.
func notifyOf(p *store.Player) string {
	switch {
	case p.Digest != "":
		return order.NotifyDigest
	case p.Every:
		return order.NotifyEvery
	}
	return order.NotifyMine
}

// subjectsOf returns a player's `subjects` setting.
func subjectsOf(p *store.Player) string {
	if p.Subjects == "" {
		return notice.SubjectsSteady
	}
	return p.Subjects
}

// remindersOf returns the reminders that a player gets.
func remindersOf(p *store.Player) []string {
	switch p.Reminders {
	case "":
		return pace.ReminderWords
	case "none":
		return nil
	}
	return strings.Fields(p.Reminders)
}
