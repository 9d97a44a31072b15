package server

import (
	"context"
	"time"

	"angelpost/db"
	"angelpost/engine/store"
	"angelpost/mail/imapbox"
	"angelpost/mail/letter"
)

// A letter that another server has filed shows a database that does not know it to be an
// older copy. So many of the youngest are looked at, at the start, and those too that came
// a little before it last was at work: mail servers say when in whole seconds.
const (
	filedLook  = 50
	filedEarly = time.Minute
)

// behind reports whether the mailbox holds letters that were read after the database says
// that its server last was at work: then the database is an older copy of the one that was.
// While the mailbox cannot be reached nothing is known; letters that answer lost ones will
// show it later.
func (s *Server) behind(ctx context.Context) (bool, error) {
	if s.tenure == nil {
		return false, nil
	}
	var last time.Time
	err := s.DB.View(ctx, func(tx store.Tx) (err error) {
		last, err = tx.LastHeartbeat()
		return err
	})
	if err != nil || last.IsZero() {
		return false, err
	}
	reach, cancel := context.WithTimeout(ctx, claimWait)
	defer cancel()
	filed, err := imapbox.Newest(reach, s.Box, last.Add(-filedEarly), filedLook)
	if err != nil {
		s.log.Warn("could not look whether the database is an older copy", "err", err)
		return false, nil
	}
	for _, f := range filed {
		if letter.OpenHeader(f.Header, letter.Options{Address: s.Conf.Address, Former: s.Conf.Former}).Token == "" {
			continue // it may be of a server that watches another folder of this account
		}
		if unknown, err := Unknown(ctx, s.DB, f); unknown || err != nil {
			return unknown, err
		}
	}
	return false, nil
}

// Unknown reports whether a database has never read a filed letter; false if nothing can
// tell, and for letters of players who were erased since.
func Unknown(ctx context.Context, d *db.DB, f imapbox.Filed) (bool, error) {
	l := letter.OpenHeader(f.Header, letter.Options{}) // as the letter was read
	if l.MessageID == "" {
		if l.Date.IsZero() || l.From == "" {
			return false, nil
		}
		there, err := d.LetterFrom(ctx, l.From, l.Date)
		if err == nil && !there {
			err = d.View(ctx, func(tx store.Tx) (err error) {
				there, err = tx.WasErased(NormalizeAddress(l.From), f.Arrived)
				return err
			})
		}
		return !there, err
	}
	none := false
	err := d.View(ctx, func(tx store.Tx) error {
		erased, err := tx.WasErased(NormalizeAddress(l.From), f.Arrived)
		if err != nil || erased {
			return err
		}
		same, err := tx.SameLetter(l.MessageID)
		none = len(same) == 0
		return err
	})
	return none, err
}
