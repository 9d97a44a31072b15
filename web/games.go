package web

import (
	"context"
	"slices"
	"time"

	"angelpost/engine"
	"angelpost/engine/game"
	"angelpost/engine/match/look"
	"angelpost/engine/match/turns"
	"angelpost/engine/notice"
	"angelpost/engine/rated"
	"angelpost/engine/statistics"
	"angelpost/engine/store"
)

// Games is where pages come from. It is used by many goroutines at once.
type Games interface {
	// Moved is a number that grows whenever anything may have changed that any
	// other method tells. What another process changes it knows two seconds later.
	Moved() uint64
	// Look opens a game after line at of its log; at -1 is the latest. Without
	// a key the viewer is the public. Keys are compared in constant time. An
	// error that wraps store.ErrNotFound is a 404, whatever the reason.
	Look(ctx context.Context, id, key string, at int) (*Game, error)
	// Opens reports whether a key opens a page of a game; store.ErrNotFound if not.
	Opens(ctx context.Context, id, key string) error
	// Record is the record of a game that has begun, cut to who holds the key.
	Record(ctx context.Context, id, key string) (*game.Record, error)
	// Upload plays a record of anywhere again and compares; it stores nothing. A
	// record that cannot be played gives an error that wraps game.ErrRecord.
	Upload(rec *game.Record) (*Upload, error)
	// Talk is what the key's holder may read of what was said in a game, the
	// youngest first: what has words that begin with those asked for, and is older
	// than before. more tells that there is older talk that fits.
	Talk(ctx context.Context, id, key, words string, before time.Time, limit int) (said []look.Said, more bool, err error)
	// Archive are games anybody may find, the youngest first; more tells that
	// older ones would fit. It is asked for a page or a sitemap at a time.
	Archive(ctx context.Context, q store.Search) (games []look.Entry, more bool, err error)
	// Sitemap are those games, the youngest first, from behind one on; ID and
	// Changed alone. SitemapPages are every size-th of them.
	Sitemap(ctx context.Context, before string, limit int) ([]store.Game, error)
	SitemapPages(ctx context.Context, size int) ([]string, error)
	// Career is what everybody may know of a player.
	Career(ctx context.Context, player int64) (*look.Career, error)
	// Statistics are what finished games came to, by kind; StatisticsOf is one kind's.
	Statistics(ctx context.Context) ([]statistics.Kind, error)
	StatisticsOf(ctx context.Context, kind string) (statistics.Kind, error)
	// Ratings are what is believed of people and bots, by kind, with so many people
	// of each; RatingsOf is one kind's, from behind so many of its people;
	// PlayerRatings are one person's.
	Ratings(ctx context.Context, people int) ([]rated.Kind, error)
	RatingsOf(ctx context.Context, kind string, skip int) (rated.Kind, error)
	PlayerRatings(ctx context.Context, player int64) ([]rated.Career, error)
	// Listed are the games anybody may find, the youngest first.
	Listed(ctx context.Context) ([]Listing, error)
	// Tables are the listed games with free seats, at most 50.
	Tables(ctx context.Context) ([]Table, error)
	// ReplyTo is the address, token included, at which the key's holder can
	// answer now; "" if there is none. It is called only while they must decide.
	ReplyTo(ctx context.Context, id, key string) (string, error)
	// Ahead returns what the key's holder has planned for their coming turn, as lines
	// of a letter.
	Ahead(ctx context.Context, id, key string) ([]string, error)
	// Plan tries the lines of a turn for the key's holder, of their next if it is not
	// their turn. The Game is as it is now; the Plan is nil if they have no turn left.
	Plan(ctx context.Context, id, key string, lines []string) (*Game, *Plan, error)
	// WhatIf plays a finished game on from the position after line at. One that
	// is not finished is not found.
	WhatIf(ctx context.Context, id, key string, at int, lines []string) (*Game, *turns.WhatIf, error)
	// Muted returns what the organiser called a game, and whether the owner of the
	// key wants no letters about it. Any key they ever had is good for this.
	Muted(ctx context.Context, id, key string) (name string, muted bool, err error)
	// Mute ends the letters about the game for the owner of the key.
	Mute(ctx context.Context, id, key string) error
	Leagues
}

// A Listing is a game on the first page.
type Listing struct {
	ID, Name, State string
	Round           int
	Players         []string
}

// A Table is a game with free seats.
type Table struct {
	ID, Name string
	State    notice.GameState
	Address  string // to which a letter with its join goes
}

// A Game is a position of a game, cut to one viewer.
type Game struct {
	ID, Name, State string
	Names           []string // by seat; before the start in invitation order
	Joined          []bool   // before the start, as Names
	Options         game.Options
	Deadlines       []game.Until   // of whom it waits for now, if it has a clock
	Paused          bool           // no clock runs
	Parts           [][]game.Share // by seat who played how much; only at the latest step
	League          *look.LeaguePlace
	Rulings         []notice.Ruling
	Listed          bool // anybody may find it
	Private         bool // no one without a key may look
	Step, Latest    int
	Log             string       // hash of the whole log, as cut to the viewer, and of all else a page tells
	View            *engine.View // nil before the start
	Legal           []string     // orders the viewer may give; only at the latest step
	Created         time.Time
	Changed         time.Time // of the last line
	Commitment      string    // hex SHA-256 of the seed
	Seed            string    // once it is published
	// Story is what happened after a line up to Step, cut to the viewer; -1
	// begins with the set-up.
	Story func(since int) []game.Told
	// Before is the position after a line before Step, as View; nil at -1.
	Before func(n int) (*engine.View, error)
	// Course is how the whole game went, whatever Step is.
	Course func() []game.Milestone
	// JSON is view.json, ready to be encoded; open shows the hands of a game
	// that is over at every step of it.
	JSON func(open bool) any
}

// ruled is what was ruled about the game, without addresses of people.
func (g *Game) ruled() []notice.Ruling {
	out := slices.Clone(g.Rulings)
	for i := range out {
		out[i].Reason = without(out[i].Reason)
	}
	return out
}

// A Plan is a turn tried out.
type Plan struct {
	*turns.Plan
	ReplyTo string // address, token included, for the letter; "" if there is none
}
