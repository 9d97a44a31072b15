package look

import (
	"context"
	"crypto/subtle"
	"fmt"

	"angelpost/engine/store"
)

// Mutable returns the seat of a mute key's owner, and that player or heir. Older keys work as
// well as the newest: the button in an old letter works for good, as a player who presses it
// expects. A page's key never mutes, valid or not: players may show a page to others by
// mistake, and no one else may stop its owner's letters unnoticed.
func Mutable(tx store.Tx, seats []store.Seat, id, key string) (x *store.Seat, player int64, err error) {
	keys, err := tx.OldKeys(id)
	if err != nil {
		return nil, 0, err
	}
	for _, k := range keys { // all are compared: time tells nothing
		if subtle.ConstantTimeCompare([]byte(k.Mute), []byte(key)) == 1 && key != "" && k.Place >= 1 && k.Place <= len(seats) && k.Player != 0 {
			if y := &seats[k.Place-1]; y.Player == k.Player || y.Heir == k.Player {
				x, player = y, k.Player
			}
		}
	}
	if x == nil {
		return nil, 0, fmt.Errorf("key: %w", store.ErrNotFound)
	}
	return x, player, nil
}

// Muted returns the game's name, and whether the key's owner has muted it. Keys count as for
// Desk.Mute.
func (h *Host) Muted(ctx context.Context, id, key string) (name string, muted bool, err error) {
	err = h.Store.View(ctx, func(tx store.Tx) error {
		row, err := tx.Game(id)
		if err != nil {
			return err
		}
		seats, err := tx.Seats(id)
		if err != nil {
			return err
		}
		x, player, err := Mutable(tx, seats, id, key)
		if err != nil {
			return err
		}
		name, muted = row.Name, x.MutedBy(player)
		return nil
	})
	return name, muted, err
}

// LeagueMutable returns the thread whose letters have that mute key of a league.
func LeagueMutable(tx store.Tx, id, key string) (of store.LeagueThread, err error) {
	threads, err := tx.LeagueThreads(id)
	if err != nil {
		return of, err
	}
	found := false
	for _, t := range threads { // all are compared: time tells nothing
		if subtle.ConstantTimeCompare([]byte(t.Mute), []byte(key)) == 1 && key != "" {
			of, found = t, true
		}
	}
	if !found {
		return of, fmt.Errorf("key: %w", store.ErrNotFound)
	}
	return of, nil
}

// LeagueMuted returns the league's name, and whether the key's owner has muted it. Keys count
// as for Desk.MuteLeague.
func (h *Host) LeagueMuted(ctx context.Context, id, key string) (name string, muted bool, err error) {
	err = h.Store.View(ctx, func(tx store.Tx) error {
		t, err := LeagueMutable(tx, id, key)
		if err != nil {
			return err
		}
		row, err := tx.League(id)
		name, muted = row.Name, t.Muted
		return err
	})
	return name, muted, err
}
