package templates

import (
	"net/url"
	"strconv"
	"time"

	"angelpost/engine/notice"
	"angelpost/engine/rated"
	"angelpost/engine/rating"
	"angelpost/templates/draw"
	"angelpost/templates/words"
)

// Ratings is the page of players by strength, by kind of game.
type Ratings struct {
	Frame
	Kinds []rated.Kind // each with the first of its people
	Data  string
}

// A RatingKind is the page of one kind.
type RatingKind struct {
	Frame
	Kind       rated.Kind
	Data       string
	Prev, Next string // addresses of more people; "" none
}

// A Rated is a player's rating in one kind of game, and their games.
type Rated struct {
	rated.Career
	Games []RatedGame // the last first
}

// A RatedGame is one game of them.
type RatedGame struct {
	rated.Game
	Name, Href string
	At         time.Time
}

// RatingHref is the address of the ratings of a kind of game.
func RatingHref(kind string) string { return "/ratings/" + url.PathEscape(kind) }

// kindName is a kind in words.
func kindName(c *words.Catalogue, players int, rules string) string {
	if players == 1 {
		return c.Say("rating.solo") + " · " + c.Say("options.rules-"+rules)
	}
	return c.Say("options.players", "n", players) + " · " + c.Say("options.rules-"+rules)
}

func (f Frame) kindName(players int, rules string) string {
	return kindName(f.Catalogue, players, rules)
}

// ratings tells of people's ratings, as their pages do.
func (c *content) ratings(tales []notice.PlayerRatings) {
	for _, t := range tales {
		name := words.Clean(t.Name, 40)
		key := "rating.whose"
		if t.You {
			key = "rating.yours"
		}
		s := c.begin(c.Say(key, "name", name))
		if len(t.Ratings) == 0 {
			s.say(c.Say("rating.not-yet"))
		}
		for _, r := range t.Ratings {
			players, rules, ok := rated.ParseKind(r.Kind)
			if !ok {
				continue
			}
			x := rating.Rating{Mu: r.Mu, Sigma: r.Sigma}
			text := c.Say("rating.line", "kind", kindName(c.Catalogue, players, rules), "rating", tenths(x.Mu)+" ± "+tenths(x.Margin()), "low", tenths(x.Low()),
				"games", r.Games, "place", r.Place, "n", r.Of)
			if r.Games < rated.Few {
				text += " " + c.Say("rating.line-provisional")
			}
			s.add(piece{kind: item, text: text})
		}
		if c.site.BaseURL != "" && t.Player != 0 {
			s.add(piece{kind: link, text: c.Say("rating.page"), url: c.site.BaseURL + PlayerHref(t.Player)})
		}
	}
	s := &c.sections[len(c.sections)-1]
	s.add(piece{kind: prose, small: true, text: c.Say("rating.about-letter", "few", rated.Few)})
	if c.site.BaseURL != "" {
		s.add(piece{kind: link, text: c.Say("rating.everybody"), url: c.site.BaseURL + "/ratings"})
	}
	for _, t := range tales {
		if len(t.Solo) == 0 {
			continue
		}
		s := c.begin(c.Say("rating.solo-yours"))
		for _, x := range t.Solo {
			s.add(piece{kind: item, text: soloLine(c.Catalogue, x)})
		}
		s.add(piece{kind: prose, small: true, text: soloAbout(c.Catalogue)})
	}
}

// believed is a rating in figures: "27.1 ± 5.3".
func believed(r rated.Rating) string { return tenths(r.Mu) + " ± " + tenths(r.Margin) }

// botName is a bot in words.
func (f Frame) botName(r rated.Rating) string {
	if level, hal := rated.HalLevel(r.Bot); hal {
		return f.Say("rating.hal", "level", f.Say("options.hal-"+level))
	}
	return f.Say("rating.bot", "bot", rated.BotName(r.Bot))
}

// PlayerHref returns the address of a player's page, "" for 0, which means none.
func PlayerHref(player int64) string {
	if player == 0 {
		return ""
	}
	return "/players/" + strconv.FormatInt(player, 10)
}

// gained is a change with its sign.
func gained(v float64) string {
	if s := tenths(v); v >= 0.05 {
		return "+" + s
	} else if v > -0.05 {
		return "0.0"
	} else {
		return s
	}
}

// took says how much of their seat the player took, "" if all of it.
func (f Frame) took(g RatedGame) string {
	switch {
	case g.Left == string(rating.Walked):
		return f.Say("rating.left-walked", "turns", g.Turns, "of", g.Of)
	case g.Left == string(rating.Replaced):
		return f.Say("rating.left-replaced", "turns", g.Turns, "of", g.Of)
	case g.Turns < g.Of:
		return f.Say("rating.part", "turns", g.Turns, "of", g.Of)
	}
	return ""
}

// appendRating plots a rating's history.
func (f Frame) appendRating(r *Rated) func(b []byte) []byte {
	return func(b []byte) []byte {
		points := make([]draw.RatingPoint, len(r.History))
		for i, g := range r.History {
			points[i] = draw.RatingPoint{Mean: g.Mu, Margin: 2 * g.Sigma}
		}
		label := f.Say("rating.plot", "kind", f.kindName(r.Players, r.Rules))
		return draw.AppendRating(b, label, points, r.Rating.Games-len(points)+1)
	}
}
