package look

import (
	"fmt"

	"angelpost/engine"
	"angelpost/engine/game"
)

// An Upload is a record from any source, replayed.
type Upload struct {
	View       *engine.View // at its end
	Course     []game.Milestone
	Story      []game.Told
	Difference *game.Difference // what of it is not as the rules have it; nil: all is
}

// Upload replays a record and compares; it stores nothing. A record that cannot be replayed
// gives an error that wraps game.ErrRecord.
func (h *Host) Upload(rec *game.Record) (*Upload, error) {
	set := h.games.Sets[rec.Set]
	if set == nil {
		return nil, fmt.Errorf("%w: no component set %.40q here", game.ErrRecord, rec.Set)
	}
	wrong, err := game.Verify(rec, set)
	if err != nil {
		return nil, err
	}
	played, err := game.Open(set, rec, -1)
	if err != nil {
		return nil, err
	}
	v, story := played.View(0), played.Story(0, -1)
	return &Upload{View: v, Story: story, Course: game.Course(story, len(v.Players)), Difference: wrong}, nil
}
