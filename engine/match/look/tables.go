package look

import (
	"context"

	"angelpost/engine/match/seating"
	"angelpost/engine/notice"
	"angelpost/engine/store"
)

// Tables returns the listed games with free seats, newest first, at most 50; ToAct names the
// players at the table so far.
func (h *Host) Tables(ctx context.Context) (out []notice.GameState, err error) {
	err = h.Store.View(ctx, func(tx store.Tx) error {
		out, err = seating.OpenTables(tx)
		return err
	})
	return out, err
}
