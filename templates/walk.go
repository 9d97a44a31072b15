package templates

import (
	"strconv"

	"github.com/a-h/templ"

	"angelpost/engine"
	"angelpost/engine/game"
)

// A Walk is where in a game a page stands, and which way leads to others. A
// page shows the position after line Step, and what happened after line Since.
type Walk struct {
	Step, Latest int
	Since        int // -1: all, the setup included
	Version      string
	ends         []game.Milestone // of turns, and the setup; ascending
}

// NewWalk returns a page's place in a game of this course: since -1 is what is
// usual there. A viewer's present begins after their last turn, the public's a
// round ago; a position of the past shows its last step.
func NewWalk(course []game.Milestone, step, latest, since int, viewer engine.Seat, seats int, present bool) Walk {
	w := Walk{Step: step, Latest: latest, Since: since, ends: course}
	if n := len(course); n > 1 && course[n-1].Seat == 0 { // no turn's end
		w.ends = course[:n-1]
	}
	switch {
	case since >= 0:
	case present:
		w.Since = w.lastTurn(viewer, seats)
	default:
		w.Since = step - 1
	}
	if w.Since >= step { // nothing happened
		w.Since = step - 1
	}
	return w
}

// lastTurn returns the end of the viewer's last turn before which others moved; for
// the public, that of the turn a round ago. In a solo game Hal's turn ends the
// player's.
func (w *Walk) lastTurn(viewer engine.Seat, seats int) int {
	n := len(w.ends)
	if viewer == 0 || seats == 1 {
		return w.ends[max(n-1-seats, 0)].N
	}
	for i := n - 1; i > 0; i-- {
		if w.ends[i].Seat == viewer && w.ends[i].N < w.Latest {
			return w.ends[i].N
		}
	}
	return w.ends[0].N
}

// A way leads to another step; its zero value leads nowhere.
type way struct {
	at, since int
	there     bool
}

func to(at, since int) way { return way{at, since, true} }

// start leads to the set-up.
func (w *Walk) start() way {
	if w.Step == 0 {
		return way{}
	}
	return to(0, -1)
}

// present leads to the latest position.
func (w *Walk) present() way {
	if w.Step == w.Latest {
		return way{}
	}
	return way{there: true, at: -1}
}

// step leads to the step before or after this one.
func (w *Walk) step(by int) way {
	if n := w.Step + by; n >= 0 && n <= w.Latest {
		return to(n, n-1)
	}
	return way{}
}

// turn leads to the end of the turn before or after this step.
func (w *Walk) turn(by int) way { return w.end(by, func(int) bool { return true }) }

// round leads to the end of the round before or after this step.
func (w *Walk) round(by int) way {
	return w.end(by, func(i int) bool { return i+1 == len(w.ends) || w.ends[i+1].Round != w.ends[i].Round })
}

// end leads to the nearest end that counts; the way begins at the one before it.
func (w *Walk) end(by int, counts func(i int) bool) way {
	last, since := way{}, -1
	for i := range w.ends {
		if !counts(i) {
			continue
		}
		n := w.ends[i].N
		if by > 0 && n > w.Step {
			return to(n, since)
		}
		if n < w.Step {
			last = to(n, since)
		}
		since = n
	}
	switch {
	case by < 0:
		return last
	case w.Step < w.Latest: // the turn in progress
		return to(w.Latest, since)
	}
	return way{}
}

// href is the way's address, relative to the game's page.
func (w *Walk) href(to way) templ.SafeURL { return templ.SafeURL(w.address(to)) }

func (w *Walk) address(to way) string {
	if to.at < 0 { // the present has no number: it moves on
		return "?"
	}
	s := "?at=" + strconv.Itoa(to.at)
	if to.since >= 0 && to.since != to.at-1 {
		s += "&since=" + strconv.Itoa(to.since)
	}
	if w.Version != "" {
		s += "&v=" + w.Version
	}
	return s
}
