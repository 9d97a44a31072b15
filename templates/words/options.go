package words

import (
	"strconv"
	"strings"
	"time"

	"angelpost/engine/component"
	"angelpost/engine/game"
	"angelpost/engine/notice"
	"angelpost/engine/pace"
)

// Options says what is played, in one line: "Advanced rules · first edition ·
// solo against Hal (difficult)". A set is named where it is not the built-in one;
// "" for the options of no game.
func (c *Catalogue) Options(o game.Options) string {
	if o.Players < 1 {
		return ""
	}
	word := func(kind, code string) string {
		if key := "options." + kind + "-" + code; c.Has(key) {
			return c.Say(key)
		}
		return Clean(code, maxName)
	}
	parts := []string{word("rules", o.Rules), word("edition", o.Edition)}
	if o.Players == 1 {
		parts = append(parts, c.Say("options.solo", "level", word("hal", o.Hal)))
	} else {
		parts = append(parts, c.Say("options.players", "n", o.Players))
	}
	if o.Set != component.DefaultName {
		parts = append(parts, c.Say("options.set", "set", Clean(o.Set, maxName)))
	}
	if o.Clock != "" {
		parts = append(parts, c.Pace(o.Clock))
	}
	return strings.Join(parts, " · ")
}

// Table says of a game with free seats what is played, who sits there, and how
// to join.
func (c *Catalogue) Table(name string, g *notice.GameState) string {
	names := make([]string, len(g.ToAct))
	for i, n := range g.ToAct {
		names[i] = Clean(n, maxName)
	}
	key := "tables.line"
	if len(names) == 0 {
		key = "tables.line-empty"
	}
	return c.Say(key, "name", name, "options", c.Options(g.Options), "names", c.List(names), "free", g.Free, "id", Clean(g.Game, maxName))
}

// Pace says how much time a game's players have (pace.Control).
func (c *Catalogue) Pace(clock string) string {
	p, err := pace.Parse(clock)
	if err != nil || p.Turn == 0 {
		return Clean(clock, maxName)
	}
	s := c.Say("time.turn", "turn", c.Span(p.Turn))
	if p.Most > 0 {
		s += ", " + c.Say("time.pace-bank", "bank", c.Span(p.Bank))
	}
	if p.Increment > 0 {
		s += ", " + c.Say("time.pace-each", "more", c.Span(p.Increment), "most", c.Span(p.Most))
	}
	return s
}

// Span is a length of time in days, hours or minutes: the two largest of them
// that are not nothing.
func (c *Catalogue) Span(d time.Duration) string {
	d = max(d, 0).Round(time.Minute)
	var parts []string
	for _, u := range []struct {
		key  string
		unit time.Duration
	}{{"time.days", 24 * time.Hour}, {"time.hours", time.Hour}, {"time.minutes", time.Minute}} {
		if n := int(d / u.unit); n > 0 && len(parts) < 2 {
			parts = append(parts, c.Say(u.key, "n", n))
			d -= time.Duration(n) * u.unit
		} else if len(parts) > 0 {
			break
		}
	}
	if len(parts) == 0 {
		return c.Say("time.minutes", "n", 0)
	}
	return c.List(parts)
}

// Moment is a moment as people say it, "Sat 5 Dec, 20:06 CET", of one stored as
// "2026-12-05 20:06 CET" or "2026-12-05 20:06 Sao Paulo", or a day, "Sat 5 Dec 2026", of "2026-12-05"; anything else comes
// out as it is.
func (c *Catalogue) Moment(stored string) string {
	if day, err := time.Parse(time.DateOnly, stored); err == nil {
		return c.Say("time.day", "weekday", int(day.Weekday()), "day", day.Day(), "month", int(day.Month()), "year", day.Year())
	}
	const form = "2006-01-02 15:04"
	if len(stored) < len(form)+2 {
		return stored
	}
	clock, zone := stored[:len(form)], strings.TrimSpace(stored[len(form):])
	at, err := time.Parse(form, clock)
	if err != nil || zone == "" {
		return stored
	}
	if last := zone[len(zone)-1]; last >= 'a' && last <= 'z' { // no zone's letters end so
		zone = c.Say("time.of-place", "place", zone)
	}
	return c.Say("time.moment", "weekday", int(at.Weekday()), "day", at.Day(), "month", int(at.Month()), "clock", at.Format("15:04"), "zone", zone)
}

// When is a moment on a page, "5 Dec 2026, 20:06 UTC"; a script tells it in the reader's zone.
func (c *Catalogue) When(t time.Time) string {
	return c.Say("time.when", "date", c.Date(t), "clock", t.UTC().Format("15:04"))
}

// Date is a day on a page, "5 Dec 2026".
func (c *Catalogue) Date(t time.Time) string {
	t = t.UTC()
	return c.Say("time.date", "day", t.Day(), "month", int(t.Month()), "year", strconv.Itoa(t.Year()))
}

// OptionTopics are the topics of `rules` that tell what the options change.
func OptionTopics(o game.Options) []string {
	var out []string
	if o.Rules == "advanced" {
		out = append(out, "boosts")
	}
	if o.Edition == "first" {
		out = append(out, "editions")
	}
	if o.Players == 1 {
		out = append(out, "hal")
	}
	return out
}
