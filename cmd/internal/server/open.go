package server

import (
	"context"
	"errors"

	"angelpost/db"
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

// TakeOver makes s the daemon of its database and, if mailbox is set, of its mailbox, as
// serve does before Run. Free the lock once Run has returned.
func (s *Server) TakeOver(ctx context.Context, mailbox bool) (*db.Lock, error) {
	lock, err := LockDatabase(ctx, s.Conf.Path(s.Conf.Database))
	if err != nil {
		return nil, err
	}
	if mailbox {
		err = s.claim(ctx, lock, false)
	}
	if err == nil {
		err = s.Begin(ctx, lock)
	}
	if err != nil {
		return nil, errors.Join(err, lock.Free())
	}
	return lock, nil
}

// Prod has the clock of a running server look for what is due. It blocks while the clock
// has not taken the last prod.
func (s *Server) Prod() { s.moved <- struct{}{} }
