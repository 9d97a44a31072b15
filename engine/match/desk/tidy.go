package desk

import (
	"context"
	"time"

	"angelpost/engine/match/unit"
	"angelpost/engine/store"
)

// Letters that have been handled are packed, and deleted when their time is over.

// How often letters are packed and deleted, how soon again if there are more, and how many at a
// time: meanwhile no one gets an answer.
const (
	tidyEvery    = time.Hour
	tidyMore     = time.Minute
	packTogether = 50
	forgetOnce   = 500
)

// Keeps returns for how long letters are kept.
func (d *Desk) Keeps() time.Duration {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.KeepLetters
}

// Tidies schedules the packing and deleting of letters.
func (d *Desk) Tidies(ctx context.Context) error {
	return d.Store.Update(ctx, func(tx store.Tx) error {
		rows, err := tx.DuesOf(store.DueTidy, "")
		if err != nil || len(rows) > 0 {
			return err
		}
		return tx.AddDue(&store.Due{At: d.Now().Add(tidyMore), Kind: store.DueTidy})
	})
}

// tidy packs and deletes some letters.
func tidy(u *unit.Unit, _ store.Due) error {
	ids, err := u.Tx.Unpacked(packTogether)
	if err != nil {
		return err
	}
	for _, id := range ids {
		l, err := u.Tx.Letter(id)
		if err != nil {
			return err
		}
		var text []byte
		if u.Condense != nil {
			text = u.Condense(l)
		}
		if err := u.Tx.Pack(id, text); err != nil {
			return err
		}
	}
	n, err := u.Tx.Forget(u.At.Add(-u.KeepLetters), forgetOnce)
	if err != nil {
		return err
	}
	again := tidyEvery
	if len(ids) == packTogether || n == forgetOnce {
		again = tidyMore
	}
	return u.Tx.AddDue(&store.Due{At: u.At.Add(again), Kind: store.DueTidy})
}
