// Package statistics counts the results of finished games, by kind: number of players,
// rules, edition, Hal and component set. It counts from the stored logs, each game once,
// whatever its visibility. The data kept does not grow with the number of games.
//
// Games enter in fives of a kind: a reader who compares the figures before and after learns
// the results of five games together, never of a single one, which may be private. So a
// game that becomes void leaves them only when the next five of its kind enter, or when all
// are recounted.
package statistics

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"angelpost/engine/component"
	"angelpost/engine/game"
	"angelpost/engine/match/look"
	"angelpost/engine/sim"
	"angelpost/engine/store"
)

const (
	// Together is how many games of a kind are counted at once, or a multiple.
	Together = 5
	atOnce   = 10 * Together // of a kind, in one transaction
	page     = 50            // games listed at once
	logs     = 10            // read at once: a game's has some 280 lines
)

// A Book is the statistics of a store.
type Book struct{ Host *look.Host }

// A Kind is what the games of one kind came to.
type Kind struct {
	Key     string         `json:"kind"` // as addresses have it
	Options game.Options   `json:"options"`
	Set     *component.Set `json:"-"`
	Figures sim.Figures    `json:"figures"`
}

// A Report is all kinds, as statistics.json and the command print them.
type Report struct {
	Schema int    `json:"schema"`
	Kinds  []Kind `json:"kinds"`
}

// NewReport puts kinds into a report.
func NewReport(kinds []Kind) Report { return Report{game.Schema, append([]Kind{}, kinds...)} }

// kindOf is the kind of a game with these options.
func kindOf(o game.Options) (key string, kind game.Options) {
	o.Hints, o.Open, o.Clock, o.Present, o.Shared = false, false, "", false, false
	parts := []string{fmt.Sprint(o.Players), o.Rules, o.Edition, o.Set}
	if o.Players == 1 {
		parts = append([]string{"1", o.Hal}, parts[1:]...)
	}
	return strings.Join(parts, "-"), o
}

// A LeftOut is a game that cannot be counted, and why.
type LeftOut struct {
	Game string
	Why  error
}

// Kinds are all kinds of which games were counted, by key. Those whose
// component set is not at hand are left out.
func (b Book) Kinds(ctx context.Context) (out []Kind, err error) {
	var rows []store.Figures
	err = b.Host.Store.View(ctx, func(tx store.Tx) error {
		rows, err = tx.AllFigures()
		return err
	})
	for _, r := range rows {
		if k, ok := b.kind(r); ok {
			for i := range k.Figures.Openings { // only Kind, for a single key, tells them
				k.Figures.Openings[i].Games = nil
			}
			out = append(out, k)
		}
	}
	return out, err
}

// Kind is the one of that key; there may be none: an error that wraps
// store.ErrNotFound.
func (b Book) Kind(ctx context.Context, key string) (k Kind, err error) {
	err = b.Host.Store.View(ctx, func(tx store.Tx) error {
		row, err := tx.Figures(key)
		if err != nil {
			return err
		}
		var ok bool
		if k, ok = b.kind(row); !ok {
			return fmt.Errorf("figures of %s: %w", key, store.ErrNotFound)
		}
		return stillListed(tx, &k)
	})
	return k, err
}

// stillListed leaves the games out of a kind's openings that may not be found any more.
func stillListed(tx store.Tx, k *Kind) error {
	listed := map[string]bool{}
	hidden := func(id string) bool { return !listed[id] }
	for i := range k.Figures.Openings {
		o := &k.Figures.Openings[i]
		for _, id := range o.Games {
			if _, known := listed[id]; known {
				continue
			}
			g, err := tx.Game(id)
			if err != nil && !errors.Is(err, store.ErrNotFound) {
				return err
			}
			listed[id] = err == nil && mayBeNamed(g)
		}
		o.Games = slices.DeleteFunc(o.Games, hidden)
	}
	return nil
}

// mayBeNamed reports whether the archive lists a finished game.
func mayBeNamed(g store.Game) bool {
	return g.Visibility == store.Listed && g.State == store.GameFinished
}

func (b Book) kind(r store.Figures) (k Kind, ok bool) {
	s, err := b.series(r)
	if err != nil {
		return k, false
	}
	k = Kind{Key: r.Kind, Options: r.Options, Set: b.Host.Sets()[r.Options.Set], Figures: s.Figures(r.Games)}
	return k, true
}

// series is what was counted of a kind; of an empty row: nothing yet.
func (b Book) series(r store.Figures) (*sim.Series, error) {
	set := b.Host.Sets()[r.Options.Set]
	if set == nil {
		return nil, fmt.Errorf("no component set %.40q here", r.Options.Set)
	}
	s := sim.Setup{Set: set, Options: r.Options}.Series()
	if r.Series == nil {
		return s, nil
	}
	return s, json.Unmarshal(r.Series, s)
}

// Count counts the finished games that are not counted yet, as far as there are fives of a
// kind, and returns how many it counted. It calls report for each game that cannot be
// counted. It may run at the same time as the server and as other calls of Count.
func (b Book) Count(ctx context.Context, report func(LeftOut)) (counted int, err error) {
	waiting := map[string][]store.Game{}
	for after, more := "", true; more; {
		var rows []store.Game
		err := b.Host.Store.View(ctx, func(tx store.Tx) (err error) {
			rows, err = tx.Uncounted(after, page)
			return err
		})
		if err != nil {
			return counted, err
		}
		if more = len(rows) > 0; more {
			after = rows[len(rows)-1].ID
		}
		for _, r := range rows {
			key, _ := kindOf(r.Options)
			waiting[key] = append(waiting[key], r)
		}
		for key, rows := range waiting {
			if n := len(rows); n < Together || more && n < atOnce {
				continue
			}
			n, rest, err := b.add(ctx, key, rows, report)
			if counted += n; err != nil {
				return counted, err
			}
			waiting[key] = rest
		}
	}
	return counted, nil
}

// errOther: another process has counted a game meanwhile.
var errOther = errors.New("counted by another process")

// add counts games of a kind, as many fives as there are, and returns the rest.
func (b Book) add(ctx context.Context, key string, rows []store.Game, report func(LeftOut)) (counted int, rest []store.Game, err error) {
	for len(rows) >= Together {
		now := rows[:min(len(rows)/Together*Together, atOnce)]
		results, bad, err := b.review(ctx, now)
		if err != nil {
			return counted, nil, err
		}
		if len(bad) > 0 {
			if err := b.leaveOut(ctx, bad, 0, report); err != nil {
				return counted, nil, err
			}
			good := make([]store.Game, 0, len(rows))
			for i, r := range rows {
				if i >= len(now) || results[i] != nil {
					good = append(good, r)
				}
			}
			rows = good
			continue
		}
		void := false
		err = b.Host.Store.Update(ctx, func(tx store.Tx) (err error) {
			if void, err = voided(tx, key); err == nil && void {
				return number(tx, now) // the figures follow
			}
			if err != nil {
				return err
			}
			return b.enter(tx, key, now, results)
		})
		if errors.Is(err, errOther) { // who counted them counts the rest, too
			return counted, nil, nil
		}
		if err == nil && void {
			err = b.Recount(ctx, report)
		}
		if err != nil {
			return counted, nil, err
		}
		counted += len(now)
		rows = rows[len(now):]
	}
	return counted, rows, nil
}

// enter adds results to a kind's figures.
func (b Book) enter(tx store.Tx, key string, rows []store.Game, results []*sim.Result) error {
	row, err := tx.Figures(key)
	if errors.Is(err, store.ErrNotFound) {
		_, kind := kindOf(rows[0].Options)
		row, err = store.Figures{Kind: key, Options: kind}, nil
	}
	if err != nil {
		return err
	}
	s, err := b.series(row)
	if err != nil {
		return err
	}
	if err := number(tx, rows); err != nil {
		return err
	}
	for _, r := range results {
		s.Add(r)
	}
	return save(tx, row, s)
}

// number gives games their batch.
func number(tx store.Tx, rows []store.Game) error {
	last, err := tx.LastBatch()
	if err != nil {
		return err
	}
	n, err := tx.SetBatch(ids(rows), 0, last+1)
	if err == nil && n != len(rows) {
		err = errOther
	}
	return err
}

// voided reports whether a game that is void by now is in a kind's figures.
func voided(tx store.Tx, key string) (bool, error) {
	rows, err := tx.CountedVoid()
	return slices.ContainsFunc(rows, func(r store.Game) bool {
		k, _ := kindOf(r.Options)
		return k == key
	}), err
}

func save(tx store.Tx, row store.Figures, s *sim.Series) (err error) {
	row.Games = s.Games()
	if row.Series, err = json.Marshal(s); err != nil {
		return err
	}
	return tx.SaveFigures(row)
}

func ids(rows []store.Game) []string {
	out := make([]string, len(rows))
	for i, r := range rows {
		out[i] = r.ID
	}
	return out
}

// review replays games; the result of one that cannot be is nil.
func (b Book) review(ctx context.Context, rows []store.Game) (results []*sim.Result, bad []LeftOut, err error) {
	for some := range slices.Chunk(rows, logs) {
		var games []look.Finished
		err = b.Host.Store.View(ctx, func(tx store.Tx) (err error) {
			games, err = b.Host.Finished(tx, some)
			return err
		})
		if err != nil {
			return nil, nil, err
		}
		for _, g := range games {
			var r *sim.Result
			why := g.Err
			if why == nil {
				r, why = replay(g)
			}
			if why != nil {
				bad = append(bad, LeftOut{g.ID, why})
			}
			results = append(results, r)
		}
	}
	return results, bad, ctx.Err()
}

// replay replays one game. What is stored may be damaged: that makes it a game
// that cannot be counted, and no end of the program that has it.
func replay(g look.Finished) (r *sim.Result, err error) {
	defer func() {
		if p := recover(); p != nil {
			r, err = nil, fmt.Errorf("panic: %v", p)
		}
	}()
	if r, err = (sim.Setup{Set: g.Set, Options: g.Options}).Review(g.Chance, g.Log); err == nil && g.Listed {
		r.Named = g.ID
	}
	return r, err
}

func (b Book) leaveOut(ctx context.Context, bad []LeftOut, from int, report func(LeftOut)) error {
	games := make([]string, len(bad))
	for i, x := range bad {
		games[i] = x.Game
		report(x)
	}
	return b.Host.Store.Update(ctx, func(tx store.Tx) error {
		_, err := tx.SetBatch(games, from, -1)
		return err
	})
}

// Renew recounts everything if an older program, which counted fewer figures, made any of
// the figures.
func (b Book) Renew(ctx context.Context, report func(LeftOut)) error {
	var rows []store.Figures
	err := b.Host.Store.View(ctx, func(tx store.Tx) (err error) {
		rows, err = tx.AllFigures()
		return err
	})
	if err != nil {
		return err
	}
	for _, r := range rows {
		if s, err := b.series(r); err == nil && s.Older() {
			return b.Recount(ctx, report)
		}
	}
	return nil
}

// Recount counts all counted games again, from the logs: if nothing has changed, the
// figures are the same to the last byte. The old figures stay in place until it has
// finished. Games that cannot be counted wait for Count again.
func (b Book) Recount(ctx context.Context, report func(LeftOut)) error {
	series := map[string]*sim.Series{}
	kinds := map[string]store.Figures{}
	batch, after := 0, ""
	for {
		var rows []store.Game
		err := b.Host.Store.View(ctx, func(tx store.Tx) (err error) {
			rows, err = tx.Counted(batch, after, page)
			return err
		})
		if err != nil {
			return err
		}
		if len(rows) == 0 {
			done, err := b.replace(ctx, batch, after, kinds, series)
			if done || err != nil {
				return err
			}
			continue
		}
		results, bad, err := b.review(ctx, rows)
		if err != nil {
			return err
		}
		for _, x := range bad {
			for _, r := range rows {
				if r.ID == x.Game {
					if err := b.leaveOut(ctx, []LeftOut{x}, r.Batch, report); err != nil {
						return err
					}
				}
			}
		}
		for i, r := range rows {
			if results[i] == nil {
				continue
			}
			key, kind := kindOf(r.Options)
			if series[key] == nil {
				kinds[key] = store.Figures{Kind: key, Options: kind}
				if series[key], err = b.series(kinds[key]); err != nil {
					return err
				}
			}
			series[key].Add(results[i])
		}
		batch, after = rows[len(rows)-1].Batch, rows[len(rows)-1].ID
	}
}

// replace puts new figures in the place of the old ones, unless games have been
// counted behind the last that is in them.
func (b Book) replace(ctx context.Context, batch int, after string, kinds map[string]store.Figures, series map[string]*sim.Series) (done bool, err error) {
	err = b.Host.Store.Update(ctx, func(tx store.Tx) error {
		more, err := tx.Counted(batch, after, 1)
		if err != nil || len(more) > 0 {
			return err
		}
		if err := tx.DropFigures(); err != nil {
			return err
		}
		for key, s := range series {
			if err := save(tx, kinds[key], s); err != nil {
				return err
			}
		}
		done = true
		if err := tx.UncountVoid(); err != nil {
			return err
		}
		return tx.RetryUncountable()
	})
	return done && err == nil, err
}
