package game

import (
	"slices"

	"angelpost/engine"
)

// Why a seat changed hands.
const (
	TenureStart    = "start"
	TenureTakeover = "takeover" // another player came to it
	TenureBack     = "back"     // its player came back
	TenureResigned = "resigned" // the player resigned; a bot plays on, as in the next two
	TenureAbsent   = "absent"   // its player was out of time too often
	TenureReplaced = "replaced" // the organiser wanted it
)

// A Tenure names the player of a seat from after a line of its game's log on. A single turn
// that a bot takes because time ran out does not count: the log records it.
type Tenure struct {
	Place  int
	Since  int    // 0: from the start
	Player int64  // 0: a bot
	Bot    string // its name; "" a player
	Name   string // as the table knew the player who came; "" a substitute bot
	Why    string
}

// A Share is what one player, or one bot, played of a seat of a game.
type Share struct {
	Player int64  `json:"player,omitempty"` // 0: a bot, or not told (named)
	Bot    string `json:"bot,omitempty"`    // its name
	Name   string `json:"name,omitempty"`   // as the table knew the player; "" a substitute bot
	Turns  int    `json:"turns"`            // completed turns of the seat whose last step the player took
	Held   int    `json:"held"`             // completed turns of the seat since the player first came to it, by anyone
	Left   string `json:"left,omitempty"`   // TenureResigned, TenureAbsent or TenureReplaced: the seat is no longer theirs
}

// A Holder is who has a seat now.
type Holder struct {
	Seat, Place int
	Player      int64 // 0: a bot
	Name        string
}

// Shares returns, by seat from 1 at [0], who played how much of the game. tenures are in
// order.
func (p *Replay) Shares(tenures []Tenure, seats []Holder) [][]Share {
	books := make([]tenureCounter, p.Options.Players+1)
	for _, x := range seats {
		if x.Seat >= 1 && x.Seat < len(books) {
			b := &books[x.Seat]
			b.row, b.owner, b.last = x, -1, -1
			for _, n := range tenures {
				if n.Place == x.Place {
					b.tenures = append(b.tenures, n)
				}
			}
		}
	}
	for _, n := range p.Active {
		l := p.Lines[n-1]
		if l.Seat >= 1 && l.Seat < len(books) {
			books[l.Seat].decides(l)
		}
		for _, e := range p.Events[n] {
			if e.Kind == engine.EvTurnEnded && e.Seat >= 1 && int(e.Seat) < len(books) {
				books[e.Seat].turn(n)
			}
		}
	}
	out := make([][]Share, p.Options.Players)
	for i := range out {
		out[i] = books[i+1].close(p.Step())
	}
	return out
}

// WithoutPlayerIDs returns parts as a record has them: readers with a game's address must
// not learn its players' numbers from it.
func WithoutPlayerIDs(parts [][]Share) [][]Share {
	for _, seat := range parts {
		for i := range seat {
			seat[i].Player = 0
		}
	}
	return parts
}

// A tenureCounter keeps the parts of one seat while the log is gone through.
type tenureCounter struct {
	row     Holder
	tenures []Tenure
	next    int // of the tenures
	turns   int
	shares  []Share
	owner   int // index of the player whose seat it is, -1 no one
	last    int // index of the player or bot who decided last for the seat
}

// upTo opens the tenures that began before line n.
func (b *tenureCounter) upTo(n int) {
	for b.next < len(b.tenures) && b.tenures[b.next].Since < n {
		b.comes(b.tenures[b.next])
		b.next++
	}
}

func (b *tenureCounter) comes(n Tenure) {
	switch {
	case b.owner < 0:
	case b.shares[b.owner].Left != "": // another bot, or another player, instead of a bot
	case n.Bot != "":
		b.shares[b.owner].Left = n.Why
	default:
		b.shares[b.owner].Left = TenureReplaced
	}
	if n.Bot != "" {
		if n.Why == TenureStart {
			b.of(Share{Bot: n.Bot, Name: n.Name})
		}
		return
	}
	b.owner = b.of(Share{Player: n.Player, Name: n.Name})
	b.shares[b.owner].Left, b.shares[b.owner].Name = "", n.Name
}

// of is the index of the part of a player or bot.
func (b *tenureCounter) of(who Share) int {
	i := slices.IndexFunc(b.shares, func(p Share) bool { return p.Player == who.Player && p.Bot == who.Bot })
	if i < 0 {
		i = len(b.shares)
		who.Held = -b.turns
		b.shares = append(b.shares, who)
	}
	return i
}

// decides notes who decided a line.
func (b *tenureCounter) decides(l Line) {
	b.upTo(l.N)
	switch {
	case l.By == ByBot:
		b.last = b.of(Share{Bot: l.Bot})
	case b.owner >= 0:
		b.last = b.owner
	}
}

// turn counts a turn that line n ended.
func (b *tenureCounter) turn(n int) {
	b.upTo(n)
	if b.last >= 0 {
		b.shares[b.last].Turns++
	}
	b.turns++
}

// close are the parts after the whole log of n lines.
func (b *tenureCounter) close(n int) []Share {
	b.upTo(n + 1)
	for i := range b.shares {
		b.shares[i].Held += b.turns
	}
	if b.owner >= 0 && b.shares[b.owner].Player == b.row.Player { // the player may have changed names
		b.shares[b.owner].Name = b.row.Name
	}
	return b.shares
}
