package templates

import (
	"net/url"
	"strconv"
	"strings"
	"time"

	"angelpost/engine"
	"angelpost/engine/match/look"
	"angelpost/engine/store"
	"angelpost/templates/words"
)

// GameHref returns the address of a game's public page.
func GameHref(id string) string { return "/g/" + url.PathEscape(id) }

// An Archive is a page of the games anyone may find.
type Archive struct {
	Frame
	Form   url.Values // the search as the visitor entered it
	League Link       // whose games to list; "" all
	Player int64      // whose games to list; 0 all
	Who    string     // the player's name
	Games  []Listing
	Next   string // address of the next page; "" if this is the last
	Data   string
}

// A Player is the page of a player.
type Player struct {
	Frame
	Name     string
	Career   *look.Career
	Ratings  []Rated
	Reckoned int // with how many games at most
	Leagues  []Membership
	Games    []Listing
	Next     string
	Data     string
}

// choices are what a field of the archive's form may be, with their messages.
var archiveChoices = []struct {
	name, label string
	values      [][2]string // value and message
}{
	{"state", "archive.state", [][2]string{{store.GameRunning, "archive.running"}, {store.GameFinished, "archive.finished"}, {store.GameAbandoned, "archive.abandoned"}, {store.GameCancelled, "archive.cancelled"},
		{store.GameAdjudicated, "archive.adjudicated"}, {store.GameVoid, "archive.void"}}},
	{"players", "page.players", [][2]string{{"1", "archive.solo"}, {"2", ""}, {"3", ""}, {"4", ""}}},
	{"rules", "archive.rules", [][2]string{{"base", "options.rules-base"}, {"advanced", "options.rules-advanced"}}},
	{"edition", "archive.edition", [][2]string{{"revised", "options.edition-revised"}, {"first", "options.edition-first"}}},
	{"ending", "archive.ending", [][2]string{{"spes", "ending.spes"}, {"ravagers", "ending.ravagers"}}},
}

// About tells a listing in a few sentences.
func About(c *words.Catalogue, g Listing) string {
	var names []string
	for _, x := range g.Seats {
		names = append(names, result(c, x))
	}
	return strings.TrimSpace(c.List(names) + ". " + g.Played + ". " + g.Ending)
}

// result is a player of a game that may be over.
func result(c *words.Catalogue, x Seated) string {
	s := x.Name
	switch {
	case x.Won:
		s = c.Say("archive.won", "name", x.Name, "vp", x.VP)
	case x.Scored:
		s = c.Say("archive.scored", "name", x.Name, "vp", x.VP)
	}
	if x.Left && x.Scored {
		s = c.Say("archive.left", "result", s)
	}
	return s
}

// iso is a time as <time> has it, for the script that tells it in the reader's zone.
func iso(t time.Time) string { return t.UTC().Format(time.RFC3339) }

// until is when something ended that began at from: without the date, if that is the same.
func until(c *words.Catalogue, from, t time.Time) string {
	if from.UTC().Format(time.DateOnly) == t.UTC().Format(time.DateOnly) {
		return t.UTC().Format("15:04") + " UTC"
	}
	return c.When(t)
}

// means are a player's VP by source that are not 0.
func (p *Player) means() (out []mean) {
	for s := range engine.Sources {
		if v := p.Career.By[s]; v != 0 {
			out = append(out, mean{p.Say("source." + s.String()), tenths(v)})
		}
	}
	return append(out, mean{p.Say("page.total"), tenths(p.Career.VP)})
}

type mean struct{ Source, VP string }

func tenths(v float64) string { return minus(strconv.FormatFloat(v, 'f', 1, 64)) }

// units is a whole number as a table of a page has it.
func units(n int) string { return minus(strconv.Itoa(n)) }

// minus gives a number the sign that people write.
func minus(number string) string { return strings.Replace(number, "-", "−", 1) }
