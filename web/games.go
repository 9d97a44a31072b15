package web

import (
	"context"
	"slices"
	"time"

	"angelpost/engine/game"
	"angelpost/engine/match/look"
	"angelpost/engine/match/turns"
	"angelpost/engine/notice"
	"angelpost/templates/words"
)

// Games is where the pages of a game come from. Without a key the viewer is the public;
// keys are compared in constant time. An error that wraps store.ErrNotFound is a 404,
// whatever the reason. Many goroutines use it at once.
type Games interface {
	// Open opens a game after line at of its log; at -1 is the latest.
	Open(ctx context.Context, id, key string, at int) (*look.GameView, error)
	// Opens reports by a nil error that a key opens a page of a game.
	Opens(ctx context.Context, id, key string) error
	// Record is the record of a game that has begun, cut to the key's holder.
	Record(ctx context.Context, id, key string) (*game.Record, error)
	// Upload plays a record of anywhere again and compares; it stores nothing. A
	// record that cannot be played gives an error that wraps game.ErrRecord.
	Upload(rec *game.Record) (*look.Upload, error)
	// Talk returns the messages of a game that the key's holder may read, newest first: those
	// that have words beginning with the given ones, and are older than before. more reports
	// whether there are older ones that fit.
	Talk(ctx context.Context, id, key, words string, before time.Time, limit int) (said []look.Said, more bool, err error)
	// Plan tries the lines of a turn for the key's holder, of their next if it is not
	// their turn. The view is as the game is now; the Plan is nil if they have no turn
	// left.
	Plan(ctx context.Context, id, key string, lines []string) (*look.GameView, *turns.Plan, error)
	// WhatIf plays a finished game on from the position after line at. One that
	// is not finished is not found.
	WhatIf(ctx context.Context, id, key string, at int, lines []string) (*look.GameView, *turns.WhatIf, error)
	// Home returns the start page of the player who has the key: no hands, no tokens and no
	// keys of games.
	Home(ctx context.Context, key string, now time.Time) (*look.Home, error)
	// Muted returns what the organiser called a game, and whether the owner of the
	// key wants no letters about it. Any key they ever had is good for this.
	Muted(ctx context.Context, id, key string) (name string, muted bool, err error)
}

// ruled is what was ruled about a game, without addresses of people.
func ruled(g *look.GameView) []notice.Ruling {
	out := slices.Clone(g.Rulings)
	for i := range out {
		out[i].Reason = words.WithoutAddresses(out[i].Reason)
	}
	return out
}
