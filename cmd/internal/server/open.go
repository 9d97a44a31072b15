package server

import (
	"context"

	"angelpost/engine/match/desk"
	"angelpost/engine/match/unit"
	"angelpost/mail/outbox"
)

// What tests with a server in their own process (cmd/internal/inprocess) need of it
// that the program itself has no use for.

// Rebuild makes the desk anew, of what edit changes of its configuration: its clock, its
// randomness, the database it writes to.
func (s *Server) Rebuild(edit func(*unit.Config)) error {
	c := s.Desk.Config
	edit(&c)
	d, err := desk.New(c)
	if err != nil {
		return err
	}
	s.Desk = d
	return nil
}

// Queued returns the bytes of a queued letter, as the outbox sends it.
func (s *Server) Queued(ctx context.Context, id int64) ([]byte, error) {
	return queue{s}.render(ctx, outbox.Letter{ID: id})
}
