package server

import (
	"context"
	"runtime/debug"
	"time"

	"angelpost/cmd/internal/hook"
	"angelpost/db"
	"angelpost/engine/store"
	"angelpost/mail/imapbox"
	"angelpost/mail/letter"
)

const (
	forgetEvery = 24 * time.Hour   // letters whose time is over are deleted in the mailbox
	forgetTicks = 300              // of the clock (hook.Tick: 10 minutes) pass between two looks for what is to be deleted
	forgetLeast = time.Second      // at least, where the clock ticks faster
	forgetWait  = 10 * time.Minute // for the mail server to do it
	wipeLook    = time.Minute      // between looks whether something was erased
)

// forgetFiled deletes letters in the mailbox's folders until ctx ends: those whose time is
// over once a day, those of erased players soon after.
func (s *Server) forgetFiled(ctx context.Context) error {
	var next time.Time
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(max(forgetTicks*hook.Tick(), forgetLeast)):
		}
		s.forgetErased(ctx)
		if s.time.now().Before(next) {
			continue
		}
		if err := db.DropCopies(s.Conf.Path(s.Conf.Database), s.time.now().AddDate(0, 0, -s.Conf.ownCopies())); err != nil {
			s.log.Warn("old copies from before upgrades were not removed", "err", err)
		}
		n, err := s.forgetOld(ctx)
		wait := forgetEvery
		if err != nil && ctx.Err() == nil {
			wait = time.Hour
			s.log.Warn("letters in the mailbox whose time is over were not deleted", "again_in", wait, "err", err)
		} else if n > 0 {
			s.log.Info("letters in the mailbox whose time was over are deleted", "letters", n)
		}
		next = s.time.now().Add(wait)
	}
}

// forgetOld deletes letters in the mailbox whose time is over (keep_days), and returns how many.
func (s *Server) forgetOld(ctx context.Context) (int, error) {
	within, cancel := context.WithTimeout(ctx, forgetWait)
	defer cancel()
	return imapbox.Forget(within, s.Box, s.time.now().Add(-s.Desk.Keeps()))
}

// wipe overwrites what erasures leave in the database's files, until ctx ends, and says when
// nothing is left.
func (s *Server) wipe(ctx context.Context) error {
	copied := s.Conf.Copied()
	for under := false; ; {
		again, err := s.DB.Wipe(ctx, copied)
		switch {
		case err != nil && ctx.Err() == nil:
			s.log.Warn("what was erased is not overwritten in the database's files yet", "again_in", wipeLook, "err", err)
			again = wipeLook
		case again > 0:
			under = true
		default:
			if under {
				s.log.Info("nothing of what was erased is left in the database's files")
			}
			under, again = false, wipeLook
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(again):
		}
	}
}

// forgetErased deletes the letters of erased players in the mailbox.
func (s *Server) forgetErased(ctx context.Context) {
	all, err := s.DB.Erased(ctx)
	within, cancel := context.WithTimeout(ctx, forgetWait)
	defer cancel()
	author := func(header []byte) string {
		return NormalizeAddress(letter.OpenHeader(header, letter.Options{}).From)
	}
	for _, e := range all {
		if _, err = imapbox.ForgetFrom(within, s.Box, e.Address, e.Before, author); err == nil {
			err = s.DB.ErasedFiled(ctx, e)
		}
		if err != nil {
			break
		}
	}
	if err != nil && ctx.Err() == nil {
		s.log.Warn("an erased player's letters in the mailbox were not deleted yet", "err", err)
	}
}

// quotes is from how many octets on a letter may quote one of ours.
const quotes = 1000

// condense returns what to keep of a letter that was dealt with: without what it quotes of
// the letter that it answers, which `letter show` can show. Nil: all of it.
func (s *Server) condense(l store.Letter) (text []byte) {
	defer func() {
		if p := recover(); p != nil {
			s.log.Error("a letter cannot be condensed and is kept whole", "letter", store.InID(l.ID), "panic", p, "stack", string(debug.Stack()))
			text = nil
		}
	}()
	var notice *letter.Notice
	name := ""
	if l.Token != "" && len(l.Raw) >= quotes {
		ctx := context.Background()
		n, err := s.noticeOf(ctx, l.Token)
		if err == nil && n != nil {
			r, err := s.DB.MessageByToken(ctx, l.Token)
			if err == nil {
				notice, name = n, store.OutID(r.ID)
			}
		}
	}
	return letter.Condense(l.Raw, notice, name)
}
