package leaguepage

import (
	"slices"

	"angelpost/engine/league"
	"angelpost/engine/match/look"
	"angelpost/templates"
	"angelpost/templates/words"
)

// PlayedIn is where a player is or was in a season.
type PlayedIn struct {
	Season, Division, Rank int
	Running                bool
}

// maxSeasons bounds the seasons of a league that a player's page tells of.
const maxSeasons = 10

// SeasonsOf returns where a player was in the last seasons of a league, the last first.
func SeasonsOf(l *look.LeagueView, player int64) (out []PlayedIn) {
	for _, x := range tail(l.State.Seasons, maxSeasons) {
		for i := range x.Divisions {
			if !slices.Contains(x.Divisions[i].Players, player) {
				continue
			}
			for _, r := range l.Standings(x.N, i+1) {
				if r.Player == player {
					out = append(out, PlayedIn{x.N, i + 1, r.Rank, x.Running()})
				}
			}
		}
	}
	return out
}

// Memberships returns a player's leagues, as their page lists them.
func Memberships(w *words.Catalogue, all []*look.LeagueView, player int64) (out []templates.Membership) {
	for _, l := range all {
		c, seasons := New(w, l), SeasonsOf(l, player)
		tag, _ := c.Status()
		x := templates.Membership{Name: c.Name(), Href: c.Href(), Tag: tag}
		for _, p := range seasons {
			key := "leagues.in-season"
			if c.divided(p.Season) {
				key = "leagues.in-division"
			}
			x.Seasons = append(x.Seasons, templates.Link{Text: c.Say(key, "season", p.Season, "n", p.Division, "rank", p.Rank), Href: c.Href(p.Season, p.Division)})
		}
		who := l.State.Player(player)
		switch {
		case len(seasons) > 0:
		case slices.Contains(l.State.Waiting(), player):
			x.Text = c.Say("leagues.in-waiting")
		case who != nil && who.Substitute:
			x.Text = c.Say("leagues.in-substitute")
		default:
			x.Text = c.Say("leagues.in-past")
		}
		out = append(out, x)
	}
	return out
}

// Place says where in a league a game belongs.
func Place(c *words.Catalogue, l *look.LeaguePlace) *templates.Place {
	key := "leagues.game-of-season"
	switch l.Kind {
	case league.Divisions:
		key = "leagues.game-of"
	case league.Solo:
		key = "leagues.game-of-week"
	}
	return &templates.Place{League: templates.Link{Text: words.Clean(l.Name, league.MaxName), Href: templates.LeagueHref(l.League)},
		Part: templates.Link{Text: c.Say(key, "season", l.Season, "division", l.Division, "round", l.Round), Href: templates.LeagueHref(l.League, l.Season, l.Division) + "#" + anchor(l.Fixture)}}
}
