package leaguepage

import (
	"strconv"
	"strings"
	"time"

	"angelpost/engine/league"
	"angelpost/templates"
	"angelpost/templates/words"
)

// rules are a league's file in words.
func (c *Presenter) rules() (out []templates.Fact) {
	r := c.Rules
	fact := func(key string, said ...string) {
		out = append(out, templates.Fact{Name: c.Say("leagues.rule-" + key), Text: strings.Join(said, " ")})
	}
	say := func(key string, args ...any) string { return c.Say("leagues.about-"+key, args...) }
	switch r.Kind {
	case league.Divisions:
		var sizes []string
		for _, n := range r.Sizes {
			sizes = append(sizes, strconv.Itoa(n))
		}
		kind := say("divisions", "size", strings.Join(sizes, ", "), "table", r.Table)
		if r.Games > 0 {
			fact("kind", kind, say("games", "n", r.Games))
		} else {
			fact("kind", kind, say("meetings", "n", r.Meetings))
		}
	case league.Knockout:
		fact("kind", say("knockout", "table", r.Table, "n", r.BestOf, "advance", r.Advance))
	default:
		fact("kind", say(string(r.Kind), "table", r.Table, "rounds", r.Rounds, "time", c.days(r.Round)))
	}
	game := c.options() + "."
	for i, clock := range r.Clocks {
		if clock != "" {
			game += " " + say("clock", "n", i+1, "clock", c.Pace(clock))
		}
	}
	fact("game", game)
	fact("once", say("once", "n", r.AtOnce))
	seasons := say("endless")
	if r.Seasons > 0 {
		seasons = say("seasons", "n", r.Seasons)
	}
	if r.Seasons == 1 {
		fact("season", say("season-whole", "time", c.days(r.Season)), seasons)
	} else {
		season := say("season", "time", c.days(r.Season), "break", c.days(r.Break))
		if r.Early {
			season += " " + say("early")
		}
		if r.CheckIn > 0 {
			season += " " + say("check-in", "time", c.days(r.CheckIn))
		}
		fact("season", season, seasons)
	}
	c.pointRules(fact, say)
	var ties []string
	for _, t := range r.Ties {
		ties = append(ties, say("tie-"+string(t)))
	}
	fact("ties", ties...)
	if r.Kind == league.Divisions {
		if r.Up+r.Down > 0 {
			fact("moves", say("move", "up", r.Up, "down", r.Down))
		} else {
			fact("moves", say("no-move"))
		}
	}
	joining := []string{say("join-" + r.Join)}
	if r.Close > 0 && r.Seasons != 1 {
		joining = append(joining, say("close", "time", c.days(r.Close)))
	}
	if r.Most > 0 {
		joining = append(joining, say("most", "n", r.Most))
	}
	fact("join", joining...)
	missing := say("no-absences")
	if r.Absences {
		missing = say("absences")
	}
	if r.TakesSubstitutes() {
		missing += " " + say("missed", "n", r.Missed) + " " + say("substitutes", "id", c.ID)
	} else {
		missing += " " + say("missed-bots", "n", r.Missed)
	}
	fact("missing", missing)
	director := c.Say("leagues.hosted")
	if len(c.Directors) > 0 {
		var names []string
		nameless := 0
		for _, n := range c.Directors {
			if n = words.Clean(n, 40); n == "" {
				nameless++
			} else {
				names = append(names, n)
			}
		}
		if nameless > 0 {
			names = append(names, c.Say("leagues.directed-nameless", "n", nameless))
		}
		director = c.Say("leagues.directed", "names", c.List(names))
	}
	fact("director", director)
	return out
}

// pointRules tell what places are worth.
func (c *Presenter) pointRules(fact func(string, ...string), say func(string, ...any) string) {
	var all []string
	for n := league.MaxTable; n >= 1; n-- {
		p := c.Rules.Points[n]
		if p == nil {
			continue
		}
		var list []string
		for _, x := range p {
			list = append(list, strconv.Itoa(x))
		}
		key := "points"
		if n == 1 {
			key = "points-solo"
		}
		all = append(all, say(key, "n", n, "list", strings.Join(list, ", ")))
	}
	if len(all) > 0 {
		fact("points", append(all, say("shared"))...)
	}
}

func (c *Presenter) days(d time.Duration) string {
	return c.Say("time.days", "n", int(d/(24*time.Hour)))
}

// proof is what lots and seeds can be checked by.
func (c *Presenter) proof() (out []templates.Fact) {
	add := func(key string, n int, text string) {
		if text != "" {
			out = append(out, templates.Fact{Name: c.Say("leagues.proof-"+key, "n", n), Text: text})
		}
	}
	add("league", 0, c.Commitment)
	for _, x := range tail(c.State.Seasons, cardsShown) {
		add("season", x.N, x.Commitment)
		add("secret", x.N, c.State.Secret(x.N))
	}
	return out
}
