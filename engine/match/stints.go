package match

import (
	"fmt"
	"slices"
	"strconv"

	"angelpost/engine"
)

// Why a seat changed hands.
const (
	StintStart    = "start"
	StintTakeover = "takeover" // another player came to it
	StintBack     = "back"     // its player came back
	StintResigned = "resigned" // by his own will a bot plays on, as in the next two
	StintAbsent   = "absent"   // its player was out of time too often
	StintReplaced = "replaced" // the organiser wanted it
)

// A Stint is who plays a seat from behind a line of its game's log on. That a
// bot takes a single turn for want of time is none: the log says so.
type Stint struct {
	Place  int
	Since  int    // 0: from the start
	Player int64  // 0: a bot, or a player whom nobody noted then
	Bot    string // its name; "" a player
	Name   string // as the table knew who came; "" a bot that stands in
	Why    string
}

// A Part is what one player, or one bot, played of a seat of a game.
type Part struct {
	Player int64  `json:"player,omitempty"` // 0: a bot, or a player whom nobody noted
	Bot    string `json:"bot,omitempty"`    // its name
	Name   string `json:"name,omitempty"`   // as the table knew him; "" a bot that stood in
	Turns  int    `json:"turns"`            // completed turns of the seat that he took: the last step of his own
	Held   int    `json:"held"`             // completed turns of the seat since he first came to it, whoever took them
	Left   string `json:"left,omitempty"`   // StintResigned, StintAbsent or StintReplaced: it is his no more
}

// nowPlays notes that a seat is from now on its row's player's or bot's: a line
// of the log, and a stint.
func (s *sitting) nowPlays(t *table, x *SeatRow, by By, why string) {
	text := "replace seat " + strconv.Itoa(x.Seat) + " by player"
	switch {
	case why == StintResigned && by == ByPlayer:
		text = "resign"
	case x.Bot != "":
		text = "replace seat " + strconv.Itoa(x.Seat) + " by " + asking(x.Bot)
	}
	t.play.note(engine.Seat(x.Seat), by, text)
	t.stints = append(t.stints, t.stint(x, why))
}

// stint is one that begins behind the last line of the log.
func (t *table) stint(x *SeatRow, why string) Stint {
	n := Stint{Place: x.Place, Since: t.play.step(), Player: x.Player, Bot: x.Bot, Name: x.Name, Why: why}
	if n.Bot != "" {
		if n.Player != 0 {
			n.Name = "" // of the player who left
		}
		n.Player = 0
	}
	return n
}

// parts are those of a game in this sitting.
func (s *sitting) parts(t *table) ([][]Part, error) {
	stored, err := s.tx.Stints([]string{t.row.ID})
	if err != nil {
		return nil, err
	}
	return t.play.parts(append(stored[t.row.ID], t.stints...), t.seats), nil
}

// Parts are, by seat from 1 at [0], who played how much of a game that has
// begun, in the order in which they came to it. Turns that were taken back do
// not count, nor do Hal's.
func (h *Host) Parts(tx Tx, game string) ([][]Part, error) {
	row, err := tx.Game(game)
	if err != nil {
		return nil, err
	}
	if row.Started.IsZero() {
		return nil, fmt.Errorf("game %s has not begun: %w", game, ErrNotFound)
	}
	seats, err := tx.Seats(game)
	if err != nil {
		return nil, err
	}
	stints, err := tx.Stints([]string{game})
	if err != nil {
		return nil, err
	}
	p, err := h.play(tx, row, seats)
	if err != nil {
		return nil, err
	}
	return p.parts(stints[game], seats), nil
}

// parts are Parts from the stints so far, which are in order.
func (p *play) parts(stints []Stint, seats []SeatRow) [][]Part {
	books := make([]partBook, p.options.Players+1)
	for _, x := range seats {
		if x.Seat >= 1 && x.Seat < len(books) {
			b := &books[x.Seat]
			b.row = x
			for _, n := range stints {
				if n.Place == x.Place {
					b.stints = append(b.stints, n)
				}
			}
		}
	}
	for _, n := range p.active {
		l := p.lines[n-1]
		if l.Seat >= 1 && l.Seat < len(books) {
			books[l.Seat].decides(l)
		}
		for _, e := range p.events[n] {
			if e.Kind == engine.EvTurnEnded && e.Seat >= 1 && int(e.Seat) < len(books) {
				books[e.Seat].turn(n)
			}
		}
	}
	out := make([][]Part, p.options.Players)
	for i := range out {
		out[i] = books[i+1].close(p.step())
	}
	return out
}

// named are parts as a record has them: who knows a game's address need not
// learn by what number its players go elsewhere.
func named(parts [][]Part) [][]Part {
	for _, seat := range parts {
		for i := range seat {
			seat[i].Player = 0
		}
	}
	return parts
}

// A partBook keeps the parts of one seat while the log is gone through.
type partBook struct {
	row    SeatRow
	stints []Stint
	next   int // of the stints
	turns  int
	parts  []Part
	owner  int // index of the player whose seat it is, -1 nobody's
	last   int // index of who decided last for the seat
	begun  bool
}

// upTo opens the stints that began before line n.
func (b *partBook) upTo(n int) {
	if !b.begun {
		b.begun, b.owner, b.last = true, -1, -1
		if len(b.stints) == 0 || b.stints[0].Since > 0 { // nobody noted who began
			b.comes(Stint{Player: b.row.Player, Bot: b.row.Bot, Name: b.row.Name, Why: StintStart})
		}
	}
	for b.next < len(b.stints) && b.stints[b.next].Since < n {
		b.comes(b.stints[b.next])
		b.next++
	}
}

func (b *partBook) comes(n Stint) {
	switch {
	case b.owner < 0:
	case b.parts[b.owner].Left != "": // another bot, or another player, instead of a bot
	case n.Bot != "":
		b.parts[b.owner].Left = n.Why
	default:
		b.parts[b.owner].Left = StintReplaced
	}
	if n.Bot != "" {
		if n.Why == StintStart {
			b.of(Part{Bot: n.Bot, Name: n.Name})
		}
		return
	}
	b.owner = b.of(Part{Player: n.Player, Name: n.Name})
	b.parts[b.owner].Left, b.parts[b.owner].Name = "", n.Name
}

// of is the index of the part of a player or bot.
func (b *partBook) of(who Part) int {
	i := slices.IndexFunc(b.parts, func(p Part) bool { return p.Player == who.Player && p.Bot == who.Bot })
	if i < 0 {
		i = len(b.parts)
		who.Held = -b.turns
		b.parts = append(b.parts, who)
	}
	return i
}

// decides notes who decided a line.
func (b *partBook) decides(l Line) {
	b.upTo(l.N)
	switch {
	case l.By == ByBot:
		b.last = b.of(Part{Bot: l.Bot})
	case b.owner >= 0:
		b.last = b.owner
	}
}

// turn counts a turn that line n ended.
func (b *partBook) turn(n int) {
	b.upTo(n)
	if b.last >= 0 {
		b.parts[b.last].Turns++
	}
	b.turns++
}

// close are the parts after the whole log of n lines.
func (b *partBook) close(n int) []Part {
	b.upTo(n + 1)
	for i := range b.parts {
		b.parts[i].Held += b.turns
	}
	if b.owner >= 0 && b.parts[b.owner].Player == b.row.Player { // he may call himself otherwise by now
		b.parts[b.owner].Name = b.row.Name
	}
	return b.parts
}
