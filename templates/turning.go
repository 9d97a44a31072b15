package templates

import (
	"cmp"
	"slices"

	"angelpost/engine"
	"angelpost/engine/game"
	"angelpost/templates/words"
)

// A Turning is a point at which a game turned: another player led at the end of a round, or a
// turn brought more VP than any other.
type Turning struct {
	Round int
	Text  string
	From  int // the line of the log after which the turn or the round began
	To    int // the line that ended it
}

// minGain is what the best turn of a game must bring to be a turning point, in VP.
const minGain = 4

// turnings are the turning points of a course, in order, as letters and pages tell them. The
// lead counts everything that a player has, in the last round the final scoring too, so the
// last to lead has won.
func turnings(v *words.Voice, course []game.Milestone) (out []Turning) {
	rounds := roundEnds(course)
	leader := engine.Seat(0)
	for i, m := range rounds {
		now := leads(&m)
		if now == 0 || m.Round == 0 {
			continue
		}
		if leader != 0 && now != leader {
			out = append(out, Turning{m.Round, words.Heading(v.Say("course.lead", "who", v.Who(now))), rounds[i-1].N, m.N})
		}
		leader = now
	}
	best, gain, by := -1, minGain-1, engine.Seat(0)
	for i := 1; i < len(course); i++ {
		m := &course[i]
		if s := m.Seat; s > 0 && inPlay(m, s)-inPlay(&course[i-1], s) > gain {
			best, gain, by = i, inPlay(m, s)-inPlay(&course[i-1], s), s
		}
	}
	if best >= 0 {
		out = append(out, Turning{course[best].Round, words.Heading(v.Say("course.gain", "who", v.Who(by), "n", gain)), course[best-1].N, course[best].N})
	}
	slices.SortStableFunc(out, func(a, b Turning) int { return cmp.Compare(a.Round, b.Round) })
	return out
}

// roundEnds are the milestones at which a round ended, the setup before them and the last one
// behind.
func roundEnds(course []game.Milestone) (out []game.Milestone) {
	for i, m := range course {
		if i+1 == len(course) || course[i+1].Round != m.Round {
			out = append(out, m)
		}
	}
	return out
}

// inPlay is a player's VP without the final scoring, which belongs to no turn.
func inPlay(m *game.Milestone, seat engine.Seat) int {
	by := &m.By[seat-1]
	return m.VP(seat) - by[engine.ByAdvanced] - by[engine.ByGoods]
}

// leads is the seat with most VP; 0: several have as many.
func leads(m *game.Milestone) (seat engine.Seat) {
	most := -1
	for s := engine.Seat(1); int(s) <= len(m.By); s++ {
		switch vp := m.VP(s); {
		case vp > most:
			most, seat = vp, s
		case vp == most:
			seat = 0
		}
	}
	return seat
}
