package templates

import (
	"context"
	"io"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/a-h/templ"

	"angelpost/engine"
	"angelpost/engine/game"
	"angelpost/engine/notice"
	"angelpost/engine/rated"
	"angelpost/engine/store"
	"angelpost/templates/table"
	"angelpost/templates/words"
)

// A Frame is what every page has around it.
type Frame struct {
	*words.Catalogue
	Style  string // address of the style sheet
	Icon   string // address of the icon
	Script string // address of the page's script; "" if it has none
	Feed   string // address of the page's feed; "" if it has none
	News   string // address that says what has happened since the page was made; "" nothing will
	NewsTo string // where the news is
	Title  string
	Index  bool // search engines may list it

	Siblings []Link // to the host's other servers

	Preview *Preview // nil for pages that a key opened
}

// A Preview is what other places show of a link to a page (Open Graph).
type Preview struct {
	Title, Text   string
	URL           string // of the page; "" if the server does not know its own address
	Picture       string // address of a PNG; "" if there is none
	Width, Height int    // of the picture
}

// A Listing is a game on the first page, in the archive or in a feed.
type Listing struct {
	Name, State  string
	Href         string
	Round        int      // on the first page
	Players      []string // on the first page
	Played       string   // what is played, in one line
	Ending       string   // in words
	Begun, Ended time.Time
	Seats        []Seated
}

// Seated is a player of a Listing.
type Seated struct {
	Name   string
	Href   string // "" without a page
	VP     int
	Won    bool
	Left   bool // they were gone when the game ended
	Scored bool
}

// about returns the players, and how far the game is.
func (g Listing) about(c *words.Catalogue) string {
	s := c.List(g.Players) + ". "
	if c.Has("page.state-" + g.State) {
		return s + c.Say("page.state-"+g.State)
	}
	return s + words.Sentence(c.Say("page.round", "n", g.Round))
}

// A Page is a game's page: a position as one viewer may see it.
type Page struct {
	Frame
	*words.Voice
	Game      string // what it is called
	State     string // store.GameInvited …
	Names     []string
	Joined    []bool          // before the start
	Deadlines []game.Until    // of players to move, in the present
	Paused    bool            // no clock runs
	Parts     [][]game.Share  // by seat who played how much
	League    *Place          // nil: not a league game
	Rulings   []notice.Ruling // in the order in which they were made
	View      *engine.View    // nil before the start
	Before    *engine.View    // what is not as it was in it is marked; nil: nothing is
	Walk      Walk
	Course    []game.Milestone // of the history
	Loose     bool             // the game's steps have no addresses
	Legal     []string         // of the viewer, now
	Reply     string           // mailto: link that answers the viewer's last letter; ""
	Hint      string           // the same, asking for a hint; ""
	Plan      string           // address at which the viewer plans their turn, now or to come; ""
	Ahead     []string         // what they have planned for the coming one, as lines of a letter
	WhatIf    string           // address at which the finished game is played on from here; ""
	Told      []game.Told      // what happened between Walk.Since and Walk.Step
	Tale      []words.Turn     // the same, or the whole game, line by line
	Played    string           // what is played, in one line
	Pace      string           // before the start: how much time a turn has; "" any
	Public    string           // address of the page that everyone may see; "" if there is none
	Home      string           // address of the game's page, from its other pages; "" on itself
	History   string           // address of the history
	Talk      string           // address of the messages; "" if the viewer may not read them
	Record    string           // address of the record
	People    []int64          // by seat the players whose pages anyone may see; 0 none
	Rematch   string           // mailto: link that asks for another game, at the end; "" if there is none
	Share     string           // address of a picture of the end; "" if no one else may see it
	Join      string           // mailto: link that takes a free seat; "" if there is none
	Free      int              // seats that it can take
	Calendar  string           // address of the viewer's deadlines as a calendar; "" if none run
	Data      string           // address of the page's JSON; "" if it has none
	Commit    string
	Seed      string
}

// now reports whether the position is the latest.
func (p *Page) now() bool { return p.Walk.Step == p.Walk.Latest }

// Status is the line under a game's name.
func (p *Page) Status() string {
	v := p.View
	switch {
	case p.State == store.GameCancelled || p.State == store.GameAbandoned || p.State == store.GameAdjudicated || p.State == store.GameVoid:
		return p.Voice.Say("status-line."+p.State, "name", p.Game)
	case v == nil:
		var waiting []string
		for i, n := range p.Names {
			if i < len(p.Joined) && !p.Joined[i] {
				waiting = append(waiting, p.place(n))
			}
		}
		return p.Voice.Say("unbegun.status", "waiting", p.Voice.List(waiting))
	case v.Finished:
		return victory(p.Voice, v) + p.ending()
	}
	s := p.Voice.Say("page.round", "n", v.Round)
	if v.Round == 0 {
		s = p.Voice.Say("page.setup")
	}
	s += ". "
	if v.LastRound {
		s += p.Voice.Say("letter.last-round") + p.ending() + " "
	}
	if v.Ending != engine.NotEnded && !v.LastRound {
		s += p.Voice.Say("letter.trigger", "ending", p.Voice.Say("ending."+v.Ending.String())) + " "
	}
	asked := p.Asked(v.Seat, v.Asked)
	if p.You(v.Seat) {
		asked = ""
	}
	if len(v.ToAct) > 1 || len(v.ToAct) == 1 && (asked == "" || v.ToAct[0] != v.Seat) {
		s += p.Voice.Say("letter.waiting", "names", p.Whose(v.ToAct)) + " "
	}
	return strings.TrimSpace(s + words.Sentence(asked))
}

// sits reports whether the seat of index i is taken, before the start.
func (p *Page) sits(i int) bool { return i < len(p.Joined) && p.Joined[i] }

// seated is how many seats are taken, before the start.
func (p *Page) seated() (n int) {
	for i := range p.Names {
		if p.sits(i) {
			n++
		}
	}
	return n
}

// place is what a seat is called before the start.
func (p *Page) place(name string) string {
	if name = words.Clean(name, 40); name == "" {
		return p.Voice.Say("invite.unknown")
	}
	return name
}

// wrong says where a verified record differs from what it should be.
func (p *Page) wrong(d *game.Difference) string {
	key := "look.wrong"
	switch {
	case d.Field == game.FieldChecksum:
		key = "look.wrong-checksum"
	case d.Line == 0:
		key = "look.wrong-head"
	}
	return p.Voice.Say(key, "line", d.Line, "field", d.Field)
}

// ending tells what brought the end.
func (p *Page) ending() string {
	if p.View.Ending == engine.NotEnded {
		return ""
	}
	return " " + p.Voice.Say("ending."+p.View.Ending.String())
}

// planWord is what planning is called: of the turn that is on, or of the one to come.
func (p *Page) planWord() string {
	if p.View.Decision == engine.NoDecision {
		return "ahead.start"
	}
	return "plan.start"
}

// deskHead says which players must move, or how the game ended.
func (p *Page) deskHead() string {
	v := p.View
	switch {
	case v.Finished && p.now() && len(p.Course) > 0: // gameOver says who won
		return p.Voice.Say("desk.final")
	case v.Finished:
		return strings.TrimSuffix(victory(p.Voice, v), ".")
	case !p.now():
		return p.Voice.Say("desk.past", "step", p.Walk.Step)
	case v.Decision != engine.NoDecision:
		return p.Voice.Say("desk.ask-"+v.Decision.String(), "name", p.Voice.Player(v.Viewer))
	case p.acts(v.Viewer):
		return p.Voice.Say("desk.yours", "name", p.Voice.Player(v.Viewer))
	case len(v.ToAct) > 0:
		return p.Voice.Say("desk.waiting", "names", p.Whose(v.ToAct))
	}
	return p.Voice.Say("page.round", "n", v.Round)
}

// mailbox is the address that takes the viewer's orders; "" if they have no letter to answer.
func (p *Page) mailbox() string {
	to, _, _ := strings.Cut(strings.TrimPrefix(p.Reply, "mailto:"), "?")
	if to, err := url.PathUnescape(to); err == nil {
		return to
	}
	return ""
}

// question returns what the viewer must decide, in a sentence or two, if these orders are
// legal; "" if nothing.
func (p *Page) question(legal []string) string {
	begins := func(word string) bool {
		return slices.ContainsFunc(legal, func(line string) bool { return strings.HasPrefix(line, word) })
	}
	if p.View.Decision == engine.AskTurn && len(legal) == 1 && legal[0] == onlyB {
		return p.Voice.Say("decision.turn-b")
	}
	if p.View.Decision == engine.AskTurn && begins("die ") && begins("B") {
		if begins("card ") {
			return p.Decision(p.View)
		}
		return p.Voice.Say("desk.turn-die")
	}
	return p.Decision(p.View)
}

// many makes "you win" of "you wins".
func many(v *words.Voice, seats []engine.Seat) int {
	if len(seats) == 1 && v.You(seats[0]) {
		return 2
	}
	return len(seats)
}

// seats are the players, the viewer first.
func (p *Page) seats() []engine.Seat {
	var out []engine.Seat
	n := len(p.View.Players)
	first := max(int(p.View.Viewer), 1)
	for i := range n {
		out = append(out, engine.Seat((first-1+i)%n+1))
	}
	return out
}

// made is a component of what f appends: markup that is safe already.
func made(f func(b []byte) []byte) templ.Component {
	return templ.ComponentFunc(func(_ context.Context, w io.Writer) error {
		b := scratch.Get().(*[]byte)
		defer scratch.Put(b)
		*b = f((*b)[:0])
		_, err := w.Write(*b)
		return err
	})
}

var scratch = sync.Pool{New: func() any { b := make([]byte, 0, 96<<10); return &b }}

// table is the position, drawn as on a table.
func (p *Page) table() *table.Table {
	t := &table.Table{Voice: p.Voice, View: p.View, Before: p.Before, Last: p.Last(p.Told)}
	if p.now() && len(p.Legal) > 0 && p.Plan != "" {
		touches := p.Touches()
		t.Touch = func(key string) (Touch, bool) { x, ok := touches[key]; return x, ok }
	}
	return t
}

// acts reports whether the game waits for a seat.
func (p *Page) acts(seat engine.Seat) bool {
	for _, s := range p.View.ToAct {
		if s == seat {
			return true
		}
	}
	return false
}

func (p *Page) legal() []group { return groups(p.Voice, p.Legal) }

// Viewer is the seat the page is for; 0 the public.
func (p *Page) Viewer() engine.Seat {
	if p.View == nil {
		return 0
	}
	return p.View.Viewer
}

func codeParts(text string) []string { return strings.Split(text, "`") }

// escape appends text as HTML.
func escape(b []byte, s string) []byte {
	from := 0
	for i := range len(s) {
		var as string
		switch s[i] {
		case '<':
			as = "&lt;"
		case '>':
			as = "&gt;"
		case '&':
			as = "&amp;"
		case '"':
			as = "&#34;"
		case '\'':
			as = "&#39;"
		default:
			continue
		}
		b = append(append(b, s[from:i]...), as...)
		from = i + 1
	}
	return append(b, s[from:]...)
}

// shared says who played how much of each seat that several played.
func (p *Page) shared() (out []string) {
	for i, parts := range p.Parts {
		if len(parts) < 2 {
			continue
		}
		var list []string
		for _, x := range parts {
			key := "page.shared-part"
			if x.Left != "" {
				key = "page.shared-left"
			}
			list = append(list, p.Voice.Say(key, "who", p.whoPlayed(x), "n", x.Turns))
		}
		out = append(out, p.Voice.Say("page.shared", "name", p.Name(engine.Seat(i+1)), "list", strings.Join(list, ", ")))
	}
	return out
}

func (p *Page) whoPlayed(x game.Share) string {
	switch {
	case x.Bot == store.ResignBot:
		return p.Voice.Say("page.shared-bot")
	case x.Bot != "":
		return p.Voice.Say("page.shared-bot-named", "bot", rated.BotName(x.Bot))
	case x.Name == "":
		return p.Voice.Say("page.shared-former")
	}
	return words.Clean(x.Name, 40)
}

// A Muting is what the page says that ends letters about a game or a league.
type Muting struct {
	Name         string // of the game or league
	League       bool
	Muted        bool   // the muting has happened
	Field, Value string // what the button sends
}

// word returns the key for a game or the one for a league.
func (m Muting) word(game, league string) string {
	if m.League {
		return league
	}
	return game
}
