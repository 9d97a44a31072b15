package server

import (
	"context"
	"net"
	"runtime/debug"
	"strings"
	"sync"
	"time"

	"angelpost/mail/dkim"
	"angelpost/mail/letter"
)

// Bounds of checking letters in: for how long DNS is waited for, and how many are checked
// at a time.
const (
	sendersWait = 10 * time.Second
	checkers    = 8
)

// checking checks letters in by DNS, if the configuration wants that.
func (c *Config) checking(now func() time.Time) *dkim.Checker {
	if !c.CheckSenders {
		return nil
	}
	return &dkim.Checker{TXT: net.DefaultResolver.LookupTXT, Now: now}
}

// provider is the domain that its owner registered, of an address.
func provider(address string) string {
	return dkim.Organisation(address[strings.LastIndexByte(address, '@')+1:])
}

// checked returns for each letter what checking found, "" if it was not checked. One of
// which only the header was taken cannot be.
func (s *Server) checked(ctx context.Context, letters []Arrival) []string {
	found := make([]string, len(letters))
	if s.checker == nil {
		return found
	}
	ctx, cancel := context.WithTimeout(ctx, sendersWait)
	defer cancel()
	slots := make(chan struct{}, checkers)
	var all sync.WaitGroup
	for i, in := range letters {
		if in.HeaderOnly {
			continue
		}
		all.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			defer func() {
				if p := recover(); p != nil { // it would come again with the letter after each start
					s.log.Error("who wrote a letter cannot be checked", "message_id", s.unreadable(in.Raw).MessageID, "panic", p, "stack", string(debug.Stack()))
				}
			}()
			if from := letter.OpenHeader(in.Raw, letter.Options{}).From; from != "" {
				found[i] = s.checker.Results(ctx, in.Raw, from, in.Received)
			}
		})
	}
	all.Wait()
	return found
}
