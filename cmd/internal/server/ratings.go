package server

import (
	"context"
	"time"

	"angelpost/engine/rated"
)

// Ratings are the server's.
func (s *Server) Ratings() rated.Book { return rated.Book{Host: s.Desk.Host()} }

// rateEvery is how often the daemon looks for games that are over and not yet
// rated. To find none costs three looks into indices.
const rateEvery = 10 * time.Second

// rate keeps the ratings until ctx is done.
func (s *Server) rate(ctx context.Context) error {
	return s.tend(ctx, rateEvery, "finished games rated", func() (int, error) {
		return s.Ratings().Rate(ctx, func(x rated.LeftOut) { s.log.Warn("a game cannot be rated", "game", x.Game, "err", x.Why) })
	})
}
