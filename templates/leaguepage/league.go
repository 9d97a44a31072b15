package leaguepage

import (
	"cmp"
	"net/url"
	"slices"
	"strings"
	"time"

	"angelpost/engine/league"
	"angelpost/engine/match/look"
	"angelpost/engine/order"
	"angelpost/templates"
	"angelpost/templates/words"
)

// A List is a part of the leagues that anyone may find, newest first.
type List struct {
	Leagues []*look.LeagueView
	Over    bool // those that are over; else the others
	First   bool // none of them is younger
	More    bool // there are older ones
}

// Page returns what the list's page shows; to is where letters go. Its frame is left to
// the caller.
func (l List) Page(c *words.Catalogue, to string) *templates.Leagues {
	p := &templates.Leagues{}
	var joined, running, past []templates.LeagueLine
	for _, x := range l.Leagues {
		one := New(c, x)
		tag, state := one.Status()
		line := templates.LeagueLine{Name: one.Name(), Href: one.Href(), Tag: tag, State: state, What: one.Description()}
		if j := one.join(to); j != nil {
			line.Join = j.Mail
		}
		one.stand(&line)
		switch x := x.State.Season(); {
		case l.Over:
			past = append(past, line)
		case x != nil && x.Running():
			running = append(running, line)
		default:
			joined = append(joined, line)
		}
	}
	for _, g := range []templates.LeagueGroup{{Title: c.Say("leagues.open"), Leagues: joined}, {Title: c.Say("leagues.running"), Leagues: running}, {Title: c.Say("leagues.over"), Leagues: past}} {
		if len(g.Leagues) > 0 {
			p.Groups = append(p.Groups, g)
		}
	}
	if !l.Over && l.First {
		p.Sample = league.Sample()
		p.Make = templates.MailTo(to, order.NewLeague.String(), leagueLetter(p.Sample))
	}
	data := "/leagues.json"
	if l.Over {
		p.Links = append(p.Links, templates.Link{Text: c.Say("leagues.present"), Href: "/leagues"})
		data += "?over=yes"
	} else {
		p.Links = append(p.Links, templates.Link{Text: c.Say("leagues.past"), Href: "/leagues?over=yes"})
	}
	p.Links = append(p.Links, templates.Link{Text: c.Say("page.data"), Href: data}, templates.Link{Text: c.Say("archive.all"), Href: "/games"})
	if l.More {
		next := url.Values{"before": {l.Leagues[len(l.Leagues)-1].ID}}
		if l.Over {
			next.Set("over", "yes")
		}
		p.Next = "?" + next.Encode()
	}
	return p
}

// stand adds to a line of a list how its league stands: how many games of the season are over, who
// leads, and what comes next.
func (c *Presenter) stand(line *templates.LeagueLine) {
	for _, d := range c.dates() {
		if d.Next {
			line.Next = &d
			break
		}
	}
	x := c.State.Season()
	if x == nil {
		return
	}
	line.Done, line.Games = tally(x.Divisions)
	for _, r := range c.Leaders() {
		line.Lead = append(line.Lead, c.standing(&x.Divisions[0], r, !x.Running()))
	}
	if len(x.Divisions) > 1 {
		line.Where = c.division(x.N, x.Divisions[0].N)
	}
}

// leagueLetter are the lines of a letter that makes a league like a sample, whose
// writer directs it.
func leagueLetter(sample string) []string {
	lines := []string{order.NewLeague.String()}
	for line := range strings.Lines(sample) {
		line, _, _ = strings.Cut(line, "#")
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "director:") {
			lines = append(lines, line)
		}
	}
	return lines
}

// LeaguePage returns what a league's page shows, with the players that match the visitor's
// search q, and how long games have waited by now. to is where letters go. Of its frame only
// the title is set.
func (c *Presenter) LeaguePage(q, to string, now time.Time) *templates.League {
	_, status := c.Status()
	p := &templates.League{Path: c.path(), Name: c.Name(), Status: status, About: words.WithoutAddresses(c.Rules.About), RulingsHref: c.Href() + "/rulings"}
	p.Title, p.Stops = c.Name(), c.stopped(0)
	if x := c.State.Season(); x != nil {
		p.Season, p.SeasonHref = c.season(x.N), c.Href(x.N)
		p.Divisions = c.cards(x, 0, firstShown)
		if n := len(x.Divisions); n > firstShown {
			p.More = c.Say("leagues.more-divisions", "n", n)
			p.Find = c.find(x, c.Href(), q)
		}
		if x.Running() {
			p.Hanging = c.hanging(running(x), now)
		}
	}
	p.Join, p.Dates = c.join(to), c.dates()
	p.Results = c.results(0)
	for _, l := range tail(c.State.Said, newsShown) {
		p.Said = append(p.Said, c.announcement(l))
	}
	for _, l := range tail(c.State.Rulings, newsShown) {
		p.Rulings = append(p.Rulings, c.decision(l))
	}
	p.Champions = c.champions()
	p.Rules, p.File, p.Proof = c.rules(), c.Rules.String(), c.proof()
	if len(c.State.Seasons) > 0 {
		p.Years = c.Href() + "/years"
	}
	p.Links = []templates.Link{{Text: c.Say("page.data"), Href: c.Href() + "/league.json"}, {Text: c.Say("leagues.file-get"), Href: c.Href() + "/league.txt"}, {Text: c.Say("leagues.log"), Href: c.Href() + "/log.json"},
		{Text: c.Say("leagues.all"), Href: "/leagues"}}
	return p
}

// running are a season's games that have begun and are not over.
func running(x *league.Season) (out []*league.Fixture) {
	for _, d := range x.Divisions {
		for _, f := range d.Fixtures {
			if f.Game != "" && !f.Over() {
				out = append(out, f)
			}
		}
	}
	return out
}

// latest returns the games of a season that ended last, newest first; of season 0, of any
// season.
func latest(s *league.State, season, n int) []*league.Fixture {
	var out []*league.Fixture
	for _, f := range s.Fixtures {
		if f.Result != nil && (season == 0 || f.Season == season) {
			out = append(out, f)
		}
	}
	slices.SortStableFunc(out, func(a, b *league.Fixture) int { return cmp.Compare(b.Result.Line, a.Result.Line) })
	return out[:min(len(out), n)]
}

// results are the latest games of a season; of season 0, of any.
func (c *Presenter) results(season int) (out []templates.Fixture) {
	for _, f := range latest(c.State, season, newsShown) {
		out = append(out, c.fixture(f, c.named(f)))
	}
	return out
}

// Recent returns the games of a league that ended last, newest first, at most n.
func Recent(s *league.State, n int) (games []string) {
	for _, f := range latest(s, 0, n) {
		games = append(games, f.Game)
	}
	return games
}

// maxRunning bounds the running games that the league's page looks through.
const maxRunning = 1000

// Wants returns the games that the league's page tells of.
func Wants(s *league.State) (games []string) {
	return wants(s, s.Season(), 0)
}

// SeasonWants returns the games that the page of season n tells of.
func SeasonWants(n int) func(*league.State) []string {
	return func(s *league.State) []string {
		if n < 1 || n > len(s.Seasons) {
			return nil
		}
		return wants(s, &s.Seasons[n-1], n)
	}
}

func wants(s *league.State, x *league.Season, results int) (games []string) {
	if x != nil && x.Running() {
		for _, f := range rowsOf(running(x), 0, maxRunning) {
			games = append(games, f.Game)
		}
	}
	for _, f := range latest(s, results, newsShown) {
		games = append(games, f.Game)
	}
	return games
}

// champions are who won the seasons that are over, the last first.
func (c *Presenter) champions() (out []templates.Champion) {
	for _, x := range tail(c.State.Seasons, rulingsPage) {
		if x.Running() {
			continue
		}
		one := templates.Champion{Season: c.season(x.N), Href: c.Href(x.N), Players: c.firsts(x.N)}
		if len(one.Players) == 0 {
			one.Players = []templates.Person{{Name: c.Say("leagues.no-winner")}}
		}
		out = append(out, one)
	}
	return out
}

// firsts returns who has won a season.
func (c *Presenter) firsts(season int) (out []templates.Person) {
	for _, p := range c.State.Winners(season) {
		out = append(out, c.Person(p))
	}
	return out
}
