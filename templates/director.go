package templates

import (
	"angelpost/engine/league"
	"angelpost/engine/notice"
	"angelpost/engine/order"
	"angelpost/templates/words"
)

// Letters to the directors of leagues.

// commands ends a letter with commands that its reader can send back.
func (c *content) commands(all []notice.Remark) {
	if len(all) == 0 {
		return
	}
	s := c.begin(c.Say("command.title"))
	s.say(c.Say("command.about"))
	for _, r := range all {
		args := func(name string) (any, bool) {
			x, ok := r.Args[name]
			return words.Clean(x, order.MaxReason+100), ok
		}
		key := "command." + words.Clean(r.Code, 40)
		lines := []string{c.SayArgs(key+"-line", args)}
		for _, l := range r.List { // the lines of a league's file
			lines = append(lines, words.Clean(l, league.MaxFile))
		}
		s.add(piece{kind: prose, text: c.SayArgs(key, args), dense: true}, piece{kind: orders, lines: lines})
		if url := MailTo(c.site.ReplyTo, c.subject, lines); url != "" && len(url) <= maxMail {
			s.add(piece{kind: link, only: onlyHTML, text: c.Say("command.mail"), url: url})
		}
	}
}

// report is what a league's director reads of its season.
func (c *content) report(t *notice.League, r *notice.LeagueReport) {
	s := c.begin(c.Say("report.head", "season", t.Season, "league", leagueName(t)))
	if t.Running {
		key := "report.games"
		if r.First {
			key += "-first"
		}
		s.say(c.Say(key, "ended", r.Ended, "open", r.Open))
		if t.Round > 0 && t.Rounds > 0 {
			s.say(c.Say("league.round", "round", t.Round, "rounds", t.Rounds, "over", t.RoundOver))
		}
		if t.Next != "" {
			s.say(c.Say("league.next-round", "time", c.when(t.Next)))
		}
		if t.Ends != "" {
			s.say(c.Say("league.ends", "time", c.when(t.Ends)))
		}
		if t.Ready > 0 {
			s.say(c.Say("league.ready", "n", t.Ready))
		}
	} else {
		s.say(c.Say("report.season", "season", t.Season, "ended", r.Ended, "rulings", r.Rulings))
		c.nextSeason(s, t)
	}
	c.leagueLink(s, t)
	c.waits("report.late", r.Late)
	c.waits("report.absent", r.Absent)
	c.waits("report.longest", r.Longest)
	c.waits("report.paused", r.Paused)
	if len(r.Left)+len(r.Bounced)+len(r.Silent) > 0 {
		s := c.begin(c.Say("report.players"))
		for _, x := range []struct {
			key   string
			names []string
		}{{"report.left", r.Left}, {"report.bounced", r.Bounced}, {"report.silent", r.Silent}} {
			if len(x.names) > 0 {
				s.say(c.Say(x.key, "names", c.List(cleanNames(x.names))))
			}
		}
	}
	for _, table := range r.Tables {
		head := c.Say("report.table")
		switch {
		case t.Kind == string(league.Ladder):
			head = c.Say("league.head-ladder")
		case t.Divisions > 1:
			head = c.Say("report.table-division", "n", table.Division)
		}
		s := c.begin(head)
		for i := range table.Rows {
			s.add(piece{kind: item, text: c.leagueRank(t.Kind, &table.Rows[i])})
		}
		if table.More > 0 {
			s.say(c.Say("league.row-more", "n", table.More))
		}
	}
	if r.More > 0 {
		c.begin("").say(c.Say("report.more", "n", r.More))
	}
	c.records(t)
}

// waits lists games, each with the players that a report is about.
func (c *content) waits(kind string, all []notice.LeagueWait) {
	if len(all) == 0 {
		return
	}
	s := c.begin(c.Say(kind))
	if key := kind + "-about"; c.Has(key) {
		s.say(c.Say(key))
	}
	for i := range all {
		w := &all[i]
		names := "none"
		if len(w.Names) > 0 {
			names = c.List(cleanNames(w.Names))
		}
		s.add(piece{kind: item, text: c.Say(kind+"-line", "game", words.Clean(w.Game, 100), "names", names, "n", w.Days)})
	}
}

// nextSeason says what comes after a season.
func (c *content) nextSeason(s *section, t *notice.League) {
	switch {
	case t.Over:
		s.say(c.Say("league.next-none"))
	case t.Opens != "":
		s.say(c.Say("league.next", "time", c.when(t.Opens)))
	default:
		s.say(c.Say("league.next-players", "least", t.Least))
	}
}

// records tells the records of a season that is over.
func (c *content) records(t *notice.League) {
	if len(t.Records) == 0 {
		return
	}
	s := c.begin(c.Say("league.head-records"))
	for i := range t.Records {
		s.add(piece{kind: item, text: c.leagueRecord(&t.Records[i])})
	}
	if u := c.site.League(t.ID); u != "" && t.Page {
		s.add(piece{kind: link, text: c.Say("league.years"), url: u + "/years"})
	}
}
