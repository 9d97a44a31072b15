package templates

import (
	"strings"
	"time"

	"angelpost/engine/match/look"
	"angelpost/engine/rated"
	"angelpost/engine/store"
	"angelpost/templates/words"
)

// A Me is a player's start page.
type Me struct {
	Frame
	Home     *look.Home
	Yours    []MyGame // their move
	Theirs   []MyGame // others' move
	Unbegun  []MyGame
	Over     []Listing
	Leagues  []Membership
	Ratings  []Rated
	Solo     []rated.Solo
	Public   string // address of the player's public page; "" if there is none
	Calendar string
	Data     string
	Asks     []Link // mailto: links of letters that need no token
}

// A MyGame is an open game on it.
type MyGame struct {
	Name, Href string // "" if its page needs a key
	Status     string
	Played     string
	Since      time.Time
	Deadline   time.Time
	Next       time.Time // the first of other players; zero none
}

// NewMe arranges a start page. to is the address that anyone may write to.
func NewMe(f Frame, h *look.Home, to string) *Me {
	m := &Me{Frame: f, Home: h}
	for _, g := range h.Games {
		x := MyGame{Name: GameName(g.ID, g.Name), Played: f.Options(g.Options), Since: g.Since, Deadline: g.Deadline, Status: f.status(&g)}
		if g.Public {
			x.Href = GameHref(g.ID)
		}
		for _, at := range g.Others {
			if x.Next.IsZero() || at.Before(x.Next) {
				x.Next = at
			}
		}
		switch {
		case g.State == store.GameInvited:
			m.Unbegun = append(m.Unbegun, x)
		case g.You:
			m.Yours = append(m.Yours, x)
		default:
			m.Theirs = append(m.Theirs, x)
		}
	}
	for _, a := range []struct{ key, line string }{{"me.ask-status", "status"}, {"me.ask-link", "link"}, {"me.ask-settings", "settings"}, {"me.ask-leagues", "leagues"}} {
		if href := mailFirst(to, f.Say(a.key), []string{a.line}); href != "" {
			m.Asks = append(m.Asks, Link{Text: f.Say(a.key), Href: href})
		}
	}
	return m
}

// asked are the lines of the letters to ask for.
func (m *Me) asked() string {
	lines := make([]string, len(m.Asks))
	for i, a := range m.Asks {
		lines[i] = "`" + strings.Join(mailedLines(a.Href), "` `") + "`"
	}
	return strings.Join(lines, ", ")
}

// title is what the page is called.
func (m *Me) title() string {
	if name := words.Clean(m.Home.Name, 40); name != "" {
		return m.Say("me.title", "name", name)
	}
	return m.Say("me.title-nobody")
}

// status says how far a game is and who must move.
func (f Frame) status(g *look.HomeGame) string {
	var parts []string
	if g.Round > 0 {
		parts = append(parts, f.Say("me.round", "n", g.Round))
	}
	names := cleanNames(g.ToAct)
	switch {
	case g.Unreadable:
		parts = append(parts, f.Say("me.unreadable"))
	case g.State == store.GameInvited && g.Waiting != "":
		parts = append(parts, f.Say("me.waits", "names", words.Clean(g.Waiting, 200)))
	case g.You && len(names) == 1:
		parts = append(parts, f.Say("me.waits-you"))
	case len(names) > 0:
		parts = append(parts, f.Say("me.waits", "names", f.List(names)))
	}
	if g.Paused {
		parts = append(parts, f.Say("me.paused"))
	}
	if g.Muted {
		parts = append(parts, f.Say("me.muted"))
	}
	return strings.Join(parts, " ")
}

// MyNews says in one line how a game of a start page stands, for feeds.
func MyNews(f Frame, g *look.HomeGame, name string) string {
	return name + ": " + f.status(g)
}
