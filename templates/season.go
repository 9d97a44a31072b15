package templates

import (
	"slices"
	"strconv"

	"angelpost/engine/league"
	"angelpost/engine/match/compete"
	"angelpost/engine/notice"
	"angelpost/engine/order"
	"angelpost/templates/words"
)

// Leagues, as letters tell of them.

// leagueName is a league's name, to be shown.
func leagueName(t *notice.League) string { return words.Clean(t.Name, 60) }

// leagues lists leagues.
func (c *content) leagues(tales []notice.League) {
	s := c.begin(c.Say("league.title"))
	if len(tales) == 0 {
		s.say(c.Say("league.none"))
		return
	}
	s.say(c.Say("league.how"))
	for i := range tales {
		t := &tales[i]
		text := c.Say(leagueLine(t), "name", leagueName(t), "n", t.Players, "least", t.Least, "season", t.Season, "next", t.Season+1, "time", c.when(t.Opens))
		if you := c.leagueYou(t); you != "" {
			text += " " + you
		} else if t.Full && !t.Over {
			text += " " + c.Say("league.full")
		} else if key := "league.join-" + t.Join; c.Has(key) && !t.Over {
			text += " " + c.Say(key)
		}
		s.add(piece{kind: item, text: text})
		c.leagueLink(s, t)
	}
}

// leagueLine returns the key of the line about a league.
func leagueLine(t *notice.League) string {
	switch {
	case t.Over:
		return "league.line-over"
	case t.Running:
		return "league.line-running"
	case t.Opens != "":
		return "league.line-opens"
	}
	return "league.line-few"
}

// leagueYou says what the reader is in a league, "" if they are not in it.
func (c *content) leagueYou(t *notice.League) string {
	switch t.You {
	case compete.LeaguePlaying, compete.LeagueWaiting, compete.LeagueReady:
		return c.Say("league.you-" + t.You)
	}
	return ""
}

// maxUnanswered bounds the players that a letter lists who have not checked in.
const maxUnanswered = 20

func (c *content) leagueLink(s *section, t *notice.League) {
	if u := c.site.League(t.ID); u != "" && t.Page {
		s.add(piece{kind: link, text: c.Say("league.page"), url: u})
	}
}

// league adds sections about one league: its state, the reader's games, a table, depending on
// kind.
func (c *content) league(kind string, t *notice.League) {
	if kind != "forfeit" { // it may come in a letter that has this already
		c.leagueStands(kind, t)
	}
	c.leagueTables(kind, t)
}

// leagueStands tells how a league stands and when it goes on.
func (c *content) leagueStands(kind string, t *notice.League) {
	s := c.begin(leagueName(t))
	if kind == "league" {
		s.say(words.Clean(t.About, 500))
		s.say(c.Say(leagueLine(t), "name", leagueName(t), "n", t.Players, "least", t.Least, "season", t.Season, "next", t.Season+1, "time", c.when(t.Opens)))
		if o := c.Options(t.Options); o != "" {
			s.say(c.Say("league.options", "options", o))
		}
		s.say(c.leagueYou(t))
		if n := len(t.Unanswered); n > 0 {
			s.say(c.Say("league.unanswered", "n", n, "names", c.List(cleanNames(t.Unanswered[:min(n, maxUnanswered)])), "more", max(0, n-maxUnanswered)))
		}
	}
	if kind == "schedule" {
		if o := c.Options(t.Options); o != "" {
			s.say(c.Say("league.options", "options", o))
		}
		if t.Ready > 0 {
			s.say(c.Say("league.ready", "n", t.Ready))
		}
	}
	for _, x := range t.Stops {
		s.say(c.Say("league.stop-"+x.Kind, "n", x.Division, "time", words.Clean(x.Since, 40), "reason", words.Stopped(words.Clean(x.Reason, order.MaxReason))))
	}
	if t.Running && t.Round > 0 && t.Rounds > 0 {
		s.say(c.Say("league.round", "round", t.Round, "rounds", t.Rounds, "over", t.RoundOver))
	}
	switch {
	case !t.Running:
	case t.Next != "":
		s.say(c.Say("league.next-round", "time", c.when(t.Next)))
	case t.After:
		s.say(c.Say("league.next-round-after"))
	}
	if t.Aside {
		s.say(c.Say("league.aside"))
	}
	if t.Kind == string(league.Ladder) && (kind == "league" || kind == "schedule") {
		s.say(c.Say("league.ladder"))
	}
	if t.Ends != "" {
		s.say(c.Say("league.ends", "time", c.when(t.Ends)))
	}
	if kind == "season-end" {
		c.nextSeason(s, t)
	}
	switch {
	case kind != "league" || t.Over:
	case t.Full && (t.You == "" || t.You == compete.LeagueReady):
		s.say(c.Say("league.full"))
	case t.You == "" || t.You == compete.LeagueReady:
		s.say(c.Say("league.join-how", "name", leagueName(t)))
	case t.You == compete.LeagueWaiting:
		s.say(c.Say("league.leave-how", "name", leagueName(t)))
	}
	c.leagueLink(s, t)
	if u := c.site.League(t.ID); u != "" && t.Page && t.Divisions > 1 && kind != "schedule" {
		for n := 1; n <= min(t.Divisions, maxDivisionLinks); n++ {
			if n != t.Division {
				s.add(piece{kind: link, text: c.Say("league.page-division", "n", n), url: u + "/" + strconv.Itoa(t.Season) + "/" + strconv.Itoa(n)})
			}
		}
	}
}

// leagueTables tells of the reader's games, and has a table.
func (c *content) leagueTables(kind string, t *notice.League) {
	if len(t.Games) > 0 {
		key := "league.head-schedule"
		if kind == "forfeit" {
			key = "league.head-forfeit"
		}
		s := c.begin(c.Say(key))
		for i := range t.Games {
			s.add(piece{kind: item, text: c.leagueGame(&t.Games[i])})
			if u := c.site.Page(t.Games[i].Game, ""); u != "" && t.Page && t.Games[i].State == "over" && !t.Games[i].Private {
				s.add(piece{kind: link, text: c.Say("page.public-name"), url: u})
			}
		}
	}
	if len(t.Table) > 0 {
		head := c.Say("league.head-table")
		if t.Kind == string(league.Ladder) {
			head = c.Say("league.head-ladder")
		} else if t.Divisions > 1 {
			head = c.Say("league.head-table-division", "n", t.Division)
		}
		s := c.begin(head)
		for i := range t.Table {
			s.add(piece{kind: item, text: c.leagueRank(t.Kind, &t.Table[i])})
		}
		if t.More > 0 {
			s.say(c.Say("league.row-more", "n", t.More))
		}
	}
	if len(t.Guests) > 0 {
		s := c.begin(c.Say("league.head-guests"))
		s.say(c.Say("league.guests"))
		for i := range t.Guests {
			s.add(piece{kind: item, text: c.leagueGuest(t.Kind, &t.Guests[i])})
		}
	}
	c.records(t)
	if t.Secret != "" {
		s := c.begin("")
		s.add(piece{kind: prose, text: c.Say("league.secret", "secret", words.Clean(t.Secret, 64)), small: true})
	}
}

// recordWords has the sentence of each kind of notice.LeagueRecord.
var recordWords = map[string]string{"streak": "league.record-streak", "closest": "league.record-closest", "highest": "league.record-highest", "longest": "league.record-longest"}

// leagueRecord is one record of a season.
func (c *content) leagueRecord(r *notice.LeagueRecord) string {
	key := recordWords[r.Kind]
	if r.Kind == "closest" && len(r.Names) == 1 {
		key = "league.record-closest-alone"
	}
	return c.Say(key, "names", c.List(cleanNames(r.Names)), "holders", len(r.Names), "n", r.Value)
}

// maxDivisionLinks bounds the divisions to which a letter leads.
const maxDivisionLinks = 10

// leagueGame is one of the reader's games.
func (c *content) leagueGame(g *notice.LeagueGame) string {
	name := words.Clean(g.Name, 100)
	if len(g.Names) == 1 { // against Hal
		key := "league.game-alone-" + g.State
		if len(g.VP) == 2 {
			return c.Say(key, "game", name, "vp", g.VP[0], "hal", g.VP[1])
		}
		return c.Say(key, "game", name)
	}
	names := cleanNames(g.Names)
	var scores []string
	for i, vp := range g.VP {
		if i < len(names) {
			scores = append(scores, c.Say("league.score", "name", names[i], "vp", vp))
		}
	}
	if g.Seat >= 1 && g.Seat <= len(names) {
		names = slices.Delete(names, g.Seat-1, g.Seat)
	}
	return c.Say("league.game-"+g.State, "game", name, "seat", g.Seat, "names", c.List(names), "place", g.Place, "scores", c.List(scores))
}

// leagueRank is one row of a table.
func (c *content) leagueRank(kind string, r *notice.LeagueRank) string {
	key := "league.row"
	switch kind {
	case string(league.Ladder):
		key = "league.row-ladder"
	case string(league.Knockout):
		key = "league.row-knockout"
	}
	if r.You {
		key += "-you"
	}
	text := c.Say(key, "rank", strconv.Itoa(r.Rank), "name", words.Clean(r.Name, 40), "points", points(r.Points), "played", r.Played, "games", r.Games)
	switch {
	case r.Left:
		text += ", " + c.Say("league.row-left")
	case r.Unplayed:
		text += ", " + c.Say("league.row-unplayed")
	case r.Move == "up" || r.Move == "down":
		text += ", " + c.Say("league.row-"+r.Move)
	}
	return words.Sentence(text)
}

// points are points for a message: a whole number chooses a plural.
func points(s string) any {
	if n, err := strconv.Atoi(s); err == nil {
		return n
	}
	return words.Clean(s, 20)
}

// leagueGuest is what a substitute has from games of a division.
func (c *content) leagueGuest(kind string, r *notice.LeagueRank) string {
	key := "league.guest"
	if kind == string(league.Ladder) {
		key = "league.guest-ladder"
	}
	if r.You {
		key += "-you"
	}
	text := c.Say(key, "name", words.Clean(r.Name, 40), "points", points(r.Points), "played", r.Played)
	if r.Division > 0 {
		text += ", " + c.Say("league.guest-division", "n", r.Division)
	}
	return words.Sentence(text)
}
