package look

import (
	"context"
	"fmt"

	"angelpost/engine"
	"angelpost/engine/match/turns"
	"angelpost/engine/match/unit"
	"angelpost/engine/store"
)

// Plan tries lines for the player whose page the key opens. If they have nothing to
// decide, the lines are those of their coming turn, tried as if it began now; the Plan
// is nil if there is no such turn. The GameView is of the game as it is. Errors are
// Look's.
func (h *Host) Plan(ctx context.Context, id, key string, lines []string) (g *GameView, plan *turns.Plan, err error) {
	err = h.Store.View(ctx, func(tx store.Tx) error {
		row, err := tx.Game(id)
		if err != nil {
			return err
		}
		seats, err := tx.Seats(id)
		if err != nil {
			return err
		}
		x, err := holder(tx, seats, id, key)
		if err != nil {
			return err
		}
		if g, err = h.view(tx, row, seats, engine.Seat(x.Seat), -1); err != nil {
			return err
		}
		if g.View == nil || row.State != store.GameRunning || x.Bot != "" {
			return nil
		}
		t := &unit.Game{Row: row, Seats: seats, Replay: g.play}
		if plan, err = turns.PlanAny(t, x, lines); plan == nil || err != nil {
			return err
		}
		token, err := tx.LastToken(id, x.Place, x.Player)
		if none, err := unit.Missing(err); none || err != nil {
			return err
		}
		w := &unit.Sender{Player: &store.Player{ID: x.Player}, Token: &token, Game: t, Seat: x}
		if !turns.Open(w) {
			return nil
		}
		plan.Token = token.Token
		letter, err := tx.MessageByToken(token.Token)
		plan.Names = letter.Answer.Names
		return err
	})
	return g, plan, err
}

// WhatIf plays on from the position after line at of a finished game, for anyone who may look
// at it. The GameView is of that position. Besides Look's errors, a game that is not finished
// gives ErrNotFound, wrapped.
func (h *Host) WhatIf(ctx context.Context, id, key string, at int, lines []string) (*GameView, *turns.WhatIf, error) {
	g, err := h.Open(ctx, id, key, at)
	switch {
	case err != nil:
		return nil, nil, err
	case g.State != store.GameFinished || g.whole == nil:
		return nil, nil, fmt.Errorf("game %s is not finished: %w", id, store.ErrNotFound)
	}
	return g, turns.NewWhatIf(g.whole, g.play, lines), nil
}
