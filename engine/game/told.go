package game

import "angelpost/engine"

// By is who wrote a log line.
type By string

// The writers.
const (
	ByPlayer    By = "player"
	ByBot       By = "bot"
	ByOrganiser By = "organiser"
	ByDirector  By = "director"
	ByClock     By = "clock"
)

var everyBy = []By{ByPlayer, ByBot, ByOrganiser, ByDirector, ByClock}

// Told is one log line with what followed from it, redacted for a viewer.
type Told struct {
	N      int            `json:"n"` // 0: the setup
	Seat   int            `json:"seat"`
	By     By             `json:"by,omitempty"`
	Order  string         `json:"order"`
	Undone bool           `json:"undone,omitempty"` // a later undo took it back
	Events []engine.Event `json:"-"`
}
