package engine

import (
	"errors"

	"angelpost/engine/component"
)

// New sets up a game (section 2) and tells it. It fails for options the rules
// cannot play.
func New(set *component.Set, o Options, src Random, t *Tale) (State, error) {
	return State{}, errors.New("the rules are being written")
}

// Legal appends the steps seat may take now to buf, in the order in which they
// are listed to players; none if seat owes no decision.
func (s *State) Legal(seat Seat, buf []Step) []Step { return buf }

// Apply takes a step if it is legal, drawing chance from src and telling what
// happened to t (which may be nil). An illegal step changes nothing and returns
// an *Illegal.
func (s *State) Apply(seat Seat, step Step, src Random, t *Tale) error { return nil }

// Do is Apply for a step that Legal has just listed for seat, unchecked.
func (s *State) Do(seat Seat, step Step, src Random, t *Tale) {}

// Project is what viewer may see; 0 is the public.
func (s *State) Project(viewer Seat) *View { return &View{} }

// Legal appends the viewer's own legal steps: the very list State.Legal gives.
func (v *View) Legal(buf []Step) []Step { return buf }

// Gain is the VP the viewer wins (or loses) at once by a legal step, as far as
// no chance decides it.
func (v *View) Gain(step Step) int { return 0 }

// ToAct tells whether seat owes a decision (R3.3).
func (s *State) ToAct(seat Seat) bool { return false }

// Finished reports whether the game is over and scored.
func (s *State) Finished() bool { return s.finished }

// New reports whether the event is new information in the sense of ORDERS.md
// 1: what it tells came from chance and could not be known before.
func (e Event) New() bool {
	switch e.Kind {
	case EvRolled, EvDrewMission, EvRefilled, EvAttack, EvOverflow, EvTileAppeared:
		return true
	}
	return false
}

// Illegal is why a step was refused.
type Illegal struct {
	Rule string // number in RULES.md, "R4.1"
	Code string // catalogue key of the reason, "slot-taken"
	Seat Seat
	Step Step
}

func (e *Illegal) Error() string { return e.Rule + " " + e.Code }
