package server

import (
	"context"
	"sync"
)

// A boxState is what the watcher of the mailbox has found that `status` tells: another process,
// so it is noted in the database. It is safe for concurrent use.
type boxState struct {
	mu    sync.Mutex
	is    map[string]int64 // by key of db.DB.Note
	noted map[string]int64
}

// The keys.
const (
	noteIdleLate = "idle_late"    // 1: the mail server does not tell of letters by IDLE
	noteUsed     = "mailbox_used" // percent of its quota, and 1; 0: not known
	noteJunk     = "junk_left"    // letters in the folder of spam that may be players'
)

func (b *boxState) set(key string, value int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.is == nil {
		b.is, b.noted = map[string]int64{}, map[string]int64{}
	}
	b.is[key] = value
}

// get returns 0 for what was not set.
func (b *boxState) get(key string) int64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.is[key]
}

// noteBox notes in the database what has changed.
func (s *Server) noteBox(ctx context.Context) error {
	s.box.mu.Lock()
	defer s.box.mu.Unlock()
	for key, value := range s.box.is {
		if was, ok := s.box.noted[key]; ok && was == value {
			continue
		}
		if err := s.DB.Note(ctx, key, value); err != nil {
			return err
		}
		s.box.noted[key] = value
	}
	return nil
}

// idleLate notes whether the mail server fails to tell of letters by IDLE.
func (s *Server) idleLate(late bool) {
	s.health.IdleLate(late)
	s.box.set(noteIdleLate, map[bool]int64{true: 1}[late])
}

// mailboxUsed notes how much of its quota the mailbox uses, in percent.
func (s *Server) mailboxUsed(percent int) { s.box.set(noteUsed, int64(percent)+1) }

// junkLeft notes how many letters in the folder of spam answer one of ours and are not proven.
func (s *Server) junkLeft(n int) { s.box.set(noteJunk, int64(n)) }
