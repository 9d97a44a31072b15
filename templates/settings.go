package templates

import (
	"angelpost/engine/notice"
	"angelpost/templates/words"
)

// settings lists what the reader has chosen, each with the order that changes it.
func (c *content) settings(s *notice.Settings) {
	sec := c.begin(c.Say("settings.head"))
	sec.say(c.Say("settings.how"))
	for _, text := range settingsLines(c.Catalogue, s, false) {
		sec.add(piece{kind: item, text: text})
	}
}

// settingsLines is a line for each setting; with general, for those that hold for all letters.
func settingsLines(c *words.Catalogue, s *notice.Settings, general bool) (out []string) {
	line := func(key string, args ...any) { out = append(out, c.Say(key, args...)) }
	// list is a line about several things, or one that there are none.
	list := func(key string, of []string) {
		if len(of) == 0 {
			line(key + "-nobody")
			return
		}
		line(key, "list", c.List(cleanNames(of)))
	}
	if name := words.Clean(s.Name, 40); name != "" {
		line("settings.name", "name", name)
	} else {
		line("settings.name-nobody")
	}
	if n := len(s.Addresses); n > 0 {
		addresses := make([]string, n)
		for i, a := range s.Addresses {
			addresses[i] = words.Clean(a, 254)
		}
		line("settings.addresses", "list", c.List(addresses), "first", addresses[0], "n", n)
	}
	line("settings.format", "format", s.Format)
	line("settings.notify", "notify", s.Notify, "time", words.Clean(s.Digest, 5))
	line("settings.subjects", "subjects", s.Subjects)
	line("settings.list-id", "list_id", s.ListID)
	line("settings.zone", "zone", words.Clean(s.Zone, 40), "guessed", s.Guessed)
	if len(s.Quiet) == 2 {
		line("settings.quiet", "from", words.Clean(s.Quiet[0], 5), "to", words.Clean(s.Quiet[1], 5))
	} else {
		line("settings.quiet-nobody")
	}
	reminders := make([]string, len(s.Reminders))
	for i, r := range s.Reminders {
		reminders[i] = c.Say("settings.reminder", "at", r)
	}
	list("settings.reminders", reminders)
	list("settings.vacation", s.Away)
	list("settings.days-off", s.DaysOff)
	if general {
		return out
	}
	line("settings.standing", "n", s.Standing)
	list("settings.muted", s.Muted)
	list("settings.ignored", s.Ignored)
	return out
}
