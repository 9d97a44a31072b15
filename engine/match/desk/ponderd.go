package desk

import (
	"context"

	"angelpost/engine/match/unit"
)

// await works a question out, unless ctx ends first. The desk, which the caller
// holds, is free meanwhile.
func (d *Desk) await(ctx context.Context, q *unit.PendingJob) error {
	d.mu.Unlock()
	defer d.mu.Lock()
	for ctx.Err() == nil {
		if q.Think() {
			return nil
		}
	}
	return ctx.Err()
}
