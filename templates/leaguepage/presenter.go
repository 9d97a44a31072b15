// Package leaguepage makes what the pages of a league show out of a league as anyone may
// see it: names, sentences, links, rows. It knows nothing of requests.
package leaguepage

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"angelpost/engine/component"
	"angelpost/engine/game"
	"angelpost/engine/league"
	"angelpost/engine/match/look"
	"angelpost/engine/store"
	"angelpost/templates"
	"angelpost/templates/words"
)

// A Presenter words what pages say of one league.
type Presenter struct {
	*words.Catalogue
	*look.LeagueView
	here map[int]bool    // fixtures that are on the page itself
	ones map[[2]int]bool // divisions, by season, of which each round has one game
}

// New returns the presenter of a league, in the words of a catalogue.
func New(c *words.Catalogue, l *look.LeagueView) *Presenter {
	return &Presenter{Catalogue: c, LeagueView: l, here: map[int]bool{}, ones: map[[2]int]bool{}}
}

// Href returns the address of the league, its season n or a division of that.
func (c *Presenter) Href(n ...int) string { return templates.LeagueHref(c.ID, n...) }

// Name returns what the league is called.
func (c *Presenter) Name() string { return words.Clean(c.LeagueInfo.Name, league.MaxName) }

// Person returns a player, with the link to their page if the league is listed.
func (c *Presenter) Person(id int64) templates.Person {
	p := templates.Person{Name: c.Called(id)}
	if c.Listed && id > 0 {
		p.Href = templates.PlayerHref(id)
	}
	return p
}

// Called returns what a player is called.
func (c *Presenter) Called(id int64) string {
	if name := words.Clean(c.Names[id], 40); name != "" {
		return name
	}
	return store.StandIn(id)
}

func (c *Presenter) everybody(ids []int64) (names []string) {
	for _, id := range ids {
		names = append(names, c.Called(id))
	}
	return names
}

func (c *Presenter) season(n int) string { return c.Say("leagues.season", "n", n) }

// RulesOf returns the rules by which a season is played.
func (c *Presenter) RulesOf(season int) *league.Rules { return c.State.Seasons[season-1].Rules }

// divided reports whether a season has divisions that are called so.
func (c *Presenter) divided(season int) bool { return c.RulesOf(season).Kind == league.Divisions }

// division is what a division is called.
func (c *Presenter) division(season, n int) string {
	if c.divided(season) {
		return c.Say("leagues.division", "n", n)
	}
	return c.Say("leagues.whole")
}

// Description returns what is played, in a line.
func (c *Presenter) Description() string {
	r := c.Rules
	divisions := 1
	if x := c.State.Season(); x != nil {
		divisions = len(x.Divisions)
	}
	parts := []string{c.Say("leagues.kind-"+string(r.Kind), "n", divisions, "table", r.Table, "rounds", r.Rounds)}
	return strings.Join(append(parts, c.Say("leagues.players", "n", c.State.Members()), c.options()), " · ")
}

// options are those of the games, in a line.
func (c *Presenter) options() string {
	o := game.Options{Players: c.Rules.Table, Rules: "base", Edition: "revised", Set: cmp.Or(c.Rules.Option("set"), component.DefaultName), Hal: c.Rules.Option("hal")}
	if x := c.Rules.Option("rules"); x != "" {
		o.Rules = x
	}
	if x := c.Rules.Option("edition"); x != "" {
		o.Edition = x
	}
	if x := c.Rules.Option("clock"); x != "" && x != "none" {
		o.Clock = x
	}
	if o.Players == 1 && o.Hal == "" {
		o.Hal = "standard"
	}
	return c.Options(o)
}

// Status returns how far the league is: a tag and a sentence.
func (c *Presenter) Status() (tag, state string) {
	x := c.State.Season()
	switch {
	case x == nil && c.Over:
		return c.Say("leagues.tag-over"), c.Say("leagues.state-over", "n", 0)
	case x == nil:
		return c.Say("leagues.tag-waiting"), c.Say("leagues.state-waiting", "n", len(c.State.Waiting()))
	case x.Running():
		played, games := tally(x.Divisions)
		tag = c.Say("leagues.tag-running", "n", x.N)
		if !c.State.Paused.IsZero() {
			tag = c.Say("leagues.tag-paused")
		}
		return tag, c.Say("leagues.state-running", "n", x.N, "played", played, "games", games)
	case c.Over:
		return c.Say("leagues.tag-over"), c.Say("leagues.state-over", "n", x.N)
	}
	return c.Say("leagues.tag-between"), c.Say("leagues.state-between", "n", x.N, "waiting", len(c.State.Waiting()))
}

// tally is how many games are over, of how many.
func tally(all []league.Division) (played, games int) {
	for i := range all {
		p, g := all[i].Tally()
		played, games = played+p, games+g
	}
	return played, games
}

// open reports whether players can still join.
func (c *Presenter) open() bool {
	x := c.State.Season()
	last := x != nil && c.Rules.Seasons > 0 && x.N >= c.Rules.Seasons
	return !c.Over && !last
}

// join says how to join, nil if no one can; to is where letters go.
func (c *Presenter) join(to string) *templates.JoinLeague {
	if !c.open() || c.State.Full() {
		return nil
	}
	text := c.Say("leagues.join-"+c.Rules.Join, "id", c.ID)
	switch x := c.State.Season(); {
	case x != nil && x.Running():
		text += " " + c.Say("leagues.join-late")
	case x == nil && c.Rules.Start.IsZero():
		text += " " + c.Say("leagues.join-when-full", "n", c.Rules.Least, "have", len(c.State.Waiting()))
	}
	return &templates.JoinLeague{Title: c.Say("leagues.join-title"), Text: text, Mail: templates.MailTo(to, c.Name(), []string{"join league " + c.ID})}
}

// dates are what comes next, and since when what is.
func (c *Presenter) dates() (out []templates.Date) {
	add := func(at time.Time, key string, n int) {
		if !at.IsZero() {
			next := key != "date-began" && key != "date-ended" && key != "date-round"
			out = append(out, templates.Date{Text: c.Say("leagues."+key, "n", n), At: at, Next: next})
		}
	}
	x := c.State.Season()
	if x == nil {
		add(c.Rules.Start, "date-begins", 1)
		if !c.Rules.Start.IsZero() {
			add(c.Rules.Start.Add(-c.Rules.Close), "date-closes", 1)
		}
		return out
	}
	add(x.Began, "date-began", x.N)
	if x.Running() {
		if x.Round > 1 {
			add(x.RoundBegan, "date-round", x.Round)
		}
		if at, ok := c.State.NextRound(); ok {
			add(at, "date-round-next", x.Round+1)
		}
		add(x.Ends, "date-ends", x.N)
	} else {
		add(x.Ended, "date-ended", x.N)
	}
	if at, ok := c.State.Opens(); ok && c.open() {
		add(at, "date-next", x.N+1)
	}
	return out
}

// game is what a fixture is called.
func (c *Presenter) game(f *league.Fixture) string {
	switch {
	case c.RulesOf(f.Season).Kind == league.Solo:
		return c.Say("leagues.week-name", "round", f.Round)
	case f.Match > 0 && c.RulesOf(f.Season).BestOf > 1:
		return c.Say("leagues.match-name-game", "round", f.Round, "match", f.Match, "leg", f.Leg)
	case f.Match > 0:
		return c.Say("leagues.match-name", "round", f.Round, "match", f.Match)
	}
	if c.single(f) {
		return c.round(f)
	}
	return c.Say("leagues.game-name", "round", f.Round, "table", f.Table)
}

// single reports whether each round of a fixture's division has one game.
func (c *Presenter) single(f *league.Fixture) bool {
	at := [2]int{f.Season, f.Division}
	one, known := c.ones[at]
	if !known {
		one = c.divided(f.Season)
		for _, x := range c.State.Seasons[f.Season-1].Divisions[f.Division-1].Fixtures {
			one = one && x.Table == 1
		}
		c.ones[at] = one
	}
	return one
}

// seat is what a fixture is called within its round.
func (c *Presenter) seat(f *league.Fixture) string {
	if f.Match > 0 {
		return c.Say("leagues.match", "n", f.Match)
	}
	return c.Say("leagues.table", "n", f.Table)
}

// round is what a fixture's round is called.
func (c *Presenter) round(f *league.Fixture) string {
	if c.RulesOf(f.Season).Kind == league.Solo {
		return c.Say("leagues.week", "n", f.Round)
	}
	return c.Say("leagues.round", "n", f.Round)
}

// page returns the address of a fixture's game, "" if no one may look at it.
func (c *Presenter) page(f *league.Fixture) string {
	if c.Games[f.Game].Shown {
		return templates.GameHref(f.Game)
	}
	return ""
}

func anchor(f int) string { return "g" + strconv.Itoa(f) }

// at is the address of a fixture: on the page itself, of its game, or of its
// division.
func (c *Presenter) at(id int) string {
	f := c.State.Fixture(id)
	if c.here[id] {
		return "#" + anchor(id)
	}
	if at := c.page(f); at != "" {
		return at
	}
	return c.Href(f.Season, f.Division) + "#" + anchor(id)
}

// fixture is a game of the schedule, called name.
func (c *Presenter) fixture(f *league.Fixture, name string) templates.Fixture {
	out := templates.Fixture{ID: anchor(f.ID), Name: name, Href: c.page(f), Over: f.Over(), Void: f.Void, At: f.Ended, State: c.Say("leagues.state-to-begin")}
	g, begun := c.Games[f.Game]
	switch {
	case f.Void:
		out.State = c.Say("leagues.state-void")
	case f.Bye:
		out.State = c.Say("leagues.state-bye")
	case f.Unneeded:
		out.State = c.Say("leagues.state-unneeded")
	case f.Result != nil && f.Result.Ruling != "":
		out.State = c.Say("leagues.state-" + f.Result.Ruling)
	case f.Result != nil:
		out.State = c.Say("leagues.state-played")
	case f.Hidden:
		out.State = c.Say("leagues.state-hidden")
	case begun && g.State == store.GameRunning:
		c.waiting(&out, f, g)
	case f.Game != "":
		out.State = c.Say("leagues.state-game")
	}
	if r := c.ruling(f); r > 0 {
		out.Ruling = templates.Link{Text: c.Say("leagues.ruling"), Href: c.Href() + "/rulings#r" + strconv.Itoa(r)}
	}
	outcomes := c.State.Outcomes(f)
	bout, knockout := c.State.Bout(f)
	single := knockout && bout.Decided && c.RulesOf(f.Season).BestOf < 2
	if single {
		out.Notes = append(out.Notes, c.tied(bout)...)
	}
	for i, p := range f.Players {
		seat := templates.FixtureSeat{Who: c.Person(p)}
		if i < len(outcomes) {
			o := outcomes[i]
			x := o.Seat
			seat.Won = o.Won() && len(f.Players) > 1
			if single && bout.By != league.ByPoints { // of those who tied, those who go on
				seat.Won = seat.Won && slices.Contains(bout.On, c.State.Holder(&c.State.Seasons[f.Season-1].Divisions[f.Division-1], p))
			}
			if o.By != p {
				seat.Who = c.Person(o.By)
			}
			key := "leagues.result"
			switch {
			case seat.Won:
				key = "leagues.result-first"
			case c.RulesOf(f.Season).Kind == league.Solo:
				key = "leagues.result-hal"
			}
			seat.Result = c.Say(key, "vp", x.Score, "hal", x.Hal)
			seat.Note = c.parts(o)
		}
		out.Seats = append(out.Seats, seat)
	}
	if n := len(f.Earlier); n > 0 {
		out.Notes = append(out.Notes, c.Say("leagues.earlier", "n", n))
	}
	if len(f.Absent) > 0 {
		out.Notes = append(out.Notes, c.Say("leagues.absent", "names", c.List(c.everybody(f.Absent))))
	}
	return out
}

// tied says what decided a match of a knock-out that was tied.
func (c *Presenter) tied(b league.Bout) (notes []string) {
	if b.By == league.ByScore || b.By == league.ByDraw {
		notes = append(notes, c.Say("leagues.tied", "by", b.By, "names", c.List(c.everybody(b.On))))
	}
	return notes
}

// waiting fills in which players a running game waits for, and until when.
func (c *Presenter) waiting(out *templates.Fixture, f *league.Fixture, g look.GamePulse) {
	out.State = c.Say("leagues.state-game")
	switch {
	case !g.Shown: // how a private game goes is its players'
	case g.Paused:
		out.State = c.Say("leagues.state-paused")
	case len(g.Deadlines) == 0:
		out.Waits, out.Until = c.Say("leagues.waits-unknown"), g.Changed
	default:
		var names []string
		for _, d := range g.Deadlines {
			if d.Seat >= 1 && d.Seat <= len(f.Players) {
				names = append(names, c.Called(f.Players[d.Seat-1]))
			}
			if out.Until.IsZero() || d.At.Before(out.Until) {
				out.Until = d.At
			}
		}
		out.Waits = c.Say("leagues.waits", "names", c.List(names))
	}
}

// ruling is the line of the last ruling about a fixture, 0 if there is none.
func (c *Presenter) ruling(f *league.Fixture) (line int) {
	for _, r := range c.State.Rulings {
		if r.Fixture == f.ID || r.Game != "" && (r.Game == f.Game || slices.Contains(f.Earlier, r.Game)) {
			line = r.N
		}
	}
	return line
}

// parts tells whose seat it was, who else took turns of it, and whether it counts.
func (c *Presenter) parts(x league.Outcome) string {
	turns := map[int64]int{}
	var others []int64
	for _, p := range x.Parts {
		if p.Player != x.Player && p.Turns > 0 {
			if turns[p.Player] == 0 {
				others = append(others, p.Player)
			}
			turns[p.Player] += p.Turns
		}
	}
	var said []string
	if x.By != x.Player {
		said = append(said, c.Say("leagues.part-for", "name", c.Called(x.Player)))
	}
	for _, p := range others {
		if p == 0 {
			said = append(said, c.Say("leagues.part-bot", "n", turns[p]))
		} else {
			said = append(said, c.Say("leagues.part-other", "name", c.Called(p), "n", turns[p]))
		}
	}
	if !x.Counts {
		said = append(said, c.Say("leagues.part-idle"))
	}
	return strings.Join(said, ", ")
}

// decimals is how many places behind the point figures have on pages.
const decimals = 3

// figure is a number as a decimal: 4.5, 0.932, −1.
func figure(r league.Rational) string {
	return strings.Replace(r.Decimal(decimals), "-", "−", 1)
}

// exact is the fraction that a figure rounds, "" if it is the number itself.
func (c *Presenter) exact(r league.Rational) string {
	if r.Exact(decimals) {
		return ""
	}
	return c.Say("leagues.exactly", "n", strings.Replace(r.String(), "-", "−", 1))
}

// path leads from a league's page to those above it.
func (c *Presenter) path(more ...templates.Link) []templates.Link {
	return append([]templates.Link{{Text: c.Say("leagues.title"), Href: "/leagues"}}, more...)
}

// named is what a game is called on the pages of the league.
func (c *Presenter) named(f *league.Fixture) string {
	if c.divided(f.Season) {
		return c.division(f.Season, f.Division) + ", " + lowered(c.game(f))
	}
	return c.game(f)
}

func lowered(s string) string {
	if s == "" {
		return s
	}
	return strings.ToLower(s[:1]) + s[1:]
}
