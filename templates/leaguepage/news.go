package leaguepage

import (
	"slices"
	"strconv"
	"time"

	"angelpost/engine/league"
	"angelpost/templates"
	"angelpost/templates/words"
)

// News returns what happened in a league: its last n seasons, results, rulings, pauses and the
// like, and announcements, each newest first.
func (c *Presenter) News(n int) (out []templates.News) {
	add := func(id, title, text, href string, at time.Time) {
		out = append(out, templates.News{ID: id, Title: title, Text: text, Href: href, At: at})
	}
	for _, x := range tail(c.State.Seasons, n) {
		id := strconv.Itoa(x.N)
		add("season-"+id, c.Say("leagues.news-begun", "n", x.N), c.Say("leagues.players", "n", players(x)), c.Href(x.N), x.Began)
		if !x.Running() {
			var won []string
			for _, p := range c.firsts(x.N) {
				won = append(won, p.Name)
			}
			text := c.Say("leagues.news-no-winner")
			if len(won) > 0 {
				text = c.Say("leagues.news-over-text", "names", c.List(won))
			}
			add("end-"+id, c.Say("leagues.news-over", "n", x.N), text, c.Href(x.N), x.Ended)
		}
	}
	for _, g := range latest(c.State, 0, n) {
		var who []string
		for _, x := range c.State.Outcomes(g) {
			who = append(who, c.Called(x.By)+" "+c.Say("leagues.result", "vp", x.Score))
		}
		href := c.page(g)
		if href == "" {
			href = c.Href(g.Season, g.Division) + "#" + anchor(g.ID)
		}
		add("game-"+strconv.Itoa(g.ID), c.named(g), c.List(who), href, g.Ended)
	}
	for _, u := range tail(c.State.Rulings, n) {
		x := c.decision(u)
		add("line-"+strconv.Itoa(u.N), x.Title, x.Text, c.Href()+"/rulings#"+x.ID, u.At)
	}
	for _, l := range tail(c.State.Directs, n) {
		x := c.direction(l)
		add(x.ID, x.Title, x.Text, c.Href(), x.At)
	}
	for _, l := range tail(c.State.Said, n) {
		add("line-"+strconv.Itoa(l.N), c.Say("leagues.news-said", "name", c.sayer(l.By)), words.WithoutAddresses(l.Text), c.Href(), l.At)
	}
	return out
}

// players are how many a season has.
func players(x league.Season) (n int) {
	for _, d := range x.Divisions {
		n += len(d.Players)
	}
	return n
}

func (c *Presenter) sayer(id int64) string {
	if id == 0 {
		return c.Say("leagues.host")
	}
	return c.Called(id)
}

func (c *Presenter) by(id int64) string {
	if id == 0 {
		return c.Say("leagues.ruled-host")
	}
	return c.Say("leagues.ruled-by", "name", c.Called(id))
}

func (c *Presenter) announcement(l league.Line) templates.News {
	return templates.News{Title: words.WithoutAddresses(l.Text), By: c.by(l.By), At: l.At}
}

// decided is what a ruling did, and to which game.
func (c *Presenter) decided(l league.Ruling) string {
	key := "leagues.ruling-" + l.Ruling
	if !c.Has(key) {
		key = "leagues.ruling-other"
	}
	what := c.Say(key)
	if f := c.ruled(l); f != nil {
		return c.Say("leagues.ruling-about", "what", what, "game", lowered(c.named(f)))
	}
	return what
}

// ruled is the fixture that a ruling is about, nil if there is none.
func (c *Presenter) ruled(l league.Ruling) *league.Fixture {
	if f := c.State.Of(l.Game); f != nil {
		return f
	}
	return c.State.Fixture(l.Fixture)
}

func (c *Presenter) decision(l league.Ruling) templates.News {
	n := templates.News{ID: "r" + strconv.Itoa(l.N), Title: c.decided(l), Text: words.WithoutAddresses(l.Text), By: c.by(l.By), At: l.At}
	if f := c.ruled(l); f != nil {
		n.Href = c.Href(f.Season, f.Division) + "#" + anchor(f.ID)
	}
	return n
}

// Rulings returns a page of rulings, the last first: those before line before of the
// log, if it is not negative. next is the before of the next page, 0 if there is none.
func (c *Presenter) Rulings(before int) (shown []league.Ruling, next int) {
	all := slices.Clone(c.State.Rulings)
	if before >= 0 {
		all = slices.DeleteFunc(all, func(u league.Ruling) bool { return u.N >= before })
	}
	if shown = tail(all, rulingsPage); len(all) > rulingsPage {
		next = shown[len(shown)-1].N
	}
	return shown, next
}

// RulingsPage returns what the page of such rulings shows. Of its frame it has the title
// alone.
func (c *Presenter) RulingsPage(shown []league.Ruling, next int) *templates.Rulings {
	path := c.Href() + "/rulings"
	p := &templates.Rulings{Path: c.path(templates.Link{Text: c.Name(), Href: c.Href()}),
		Status: c.Say("leagues.rulings-status", "n", len(c.State.Rulings)), Links: []templates.Link{{Text: c.Say("page.data"), Href: path + ".json"}}}
	p.Title = c.Name() + ", " + lowered(c.Say("leagues.rulings"))
	for _, u := range shown {
		p.Rulings = append(p.Rulings, c.decision(u))
	}
	if next > 0 {
		p.Next = "?before=" + strconv.Itoa(next)
	}
	return p
}
