package sim

import (
	"slices"

	"angelpost/engine"
)

// A Summary is what a run's games have in common: the last line of
// web/API.md's sim. Means are rounded to hundredths.
type Summary struct {
	Games     int            `json:"games"`
	Players   int            `json:"players"`
	Rules     string         `json:"rules"`
	Edition   string         `json:"edition"`
	Hal       string         `json:"hal,omitempty"`
	Bots      []string       `json:"bots"` // by seat
	Set       string         `json:"set"`
	SetHash   string         `json:"set_hash"`
	Rounds    float64        `json:"rounds"`    // mean
	Turns     float64        `json:"turns"`     // mean
	Decisions float64        `json:"decisions"` // mean
	Endings   map[string]int `json:"endings"`
	Seats     []SeatSummary  `json:"seats"`

	rounds, turns, decisions int
}

// A SeatSummary is how one seat fared.
type SeatSummary struct {
	Seat int     `json:"seat"`
	Bot  string  `json:"bot"`
	Wins int     `json:"wins"` // shared victories included
	Mean float64 `json:"mean"` // final VP
	Min  int     `json:"min"`
	Max  int     `json:"max"`

	sum int
}

// Summary starts a summary of no games.
func (su Setup) Summary() *Summary {
	s := &Summary{Players: su.Options.Players, Rules: su.Options.Rules, Edition: su.Options.Edition, Hal: su.Options.Hal, Bots: su.Bots, Set: su.Set.Name, SetHash: su.Set.Hash, Endings: map[string]int{}}
	for k, kind := range su.Bots {
		s.Seats = append(s.Seats, SeatSummary{Seat: k + 1, Bot: kind})
	}
	if su.Options.Players == 1 {
		s.Seats = append(s.Seats, SeatSummary{Seat: int(engine.Hal), Bot: "hal " + su.Options.Hal})
	}
	return s
}

// Add counts a game.
func (s *Summary) Add(r *Result) {
	s.Games++
	s.rounds += r.Rounds
	s.turns += r.Turns
	s.decisions += r.Decisions
	s.Endings[r.Ending]++
	s.Rounds, s.Turns, s.Decisions = mean(s.rounds, s.Games), mean(s.turns, s.Games), mean(s.decisions, s.Games)
	for i := range s.Seats {
		seat, final := &s.Seats[i], *r.Scores[i].Final
		if s.Games == 1 {
			seat.Min, seat.Max = final, final
		}
		seat.Min, seat.Max = min(seat.Min, final), max(seat.Max, final)
		seat.sum += final
		seat.Mean = mean(seat.sum, s.Games)
		if slices.Contains(r.Winners, seat.Seat) {
			seat.Wins++
		}
	}
}

// mean is rounded in whole numbers, so that it prints alike everywhere.
func mean(sum, n int) float64 { return float64((200*sum+n)/(2*n)) / 100 }
