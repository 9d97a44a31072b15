package server

import (
	"cmp"
	"context"
	"slices"
	"time"

	"angelpost/engine/incoming"
	"angelpost/mail/imapbox"
	"angelpost/mail/letter"
)

// junkWait is how long DNS is waited for: letters in the inbox wait meanwhile. The next look finds
// what it answers later.
const junkWait = time.Second

// What imap.junk may be besides a folder's name.
const (
	junkAuto = "auto" // the watcher finds it
	junkOff  = "off"  // letters there stay
)

// junk names the folder of spam in which letters for this server are looked for; nil: nowhere.
func (c *Config) junk() *imapbox.Junk {
	switch c.IMAP.Junk {
	case junkOff:
		return nil
	case junkAuto:
		return &imapbox.Junk{}
	}
	return &imapbox.Junk{Folder: c.IMAP.Junk}
}

// Checks reports whether anyone checks who wrote letters in.
func (c *Config) Checks() bool { return c.AuthservID != "" || c.CheckSenders }

// mayBeOurs reports whether a letter with a header answers one of ours.
func (s *Server) mayBeOurs(ctx context.Context, header []byte) (bool, error) {
	l, err := s.read(ctx, Arrival{Raw: header, HeaderOnly: true})
	if err != nil || l.Token == "" {
		return false, err
	}
	return s.Desk.Made(ctx, l.Token)
}

// judgeJunk says which letters in the folder of spam the inbox should have: those of people that
// answer ours, and whose authentication passed. Those that nothing proves are logged.
func (s *Server) judgeJunk(ctx context.Context, letters []imapbox.Fetched) ([]imapbox.Finding, error) {
	in := make([]Arrival, len(letters))
	read := make([]*letter.Letter, len(letters))
	var needed []string
	for i, f := range letters {
		in[i] = Arrival{Raw: f.Raw, HeaderOnly: f.HeaderOnly, Received: f.InternalDate}
		l, err := s.read(ctx, in[i])
		if err != nil {
			return nil, err
		}
		read[i], needed = l, append(needed, s.needs(l, in[i])...)
	}
	within, cancel := context.WithTimeout(ctx, junkWait)
	s.lookUp(within, needed, false)
	cancel()
	out := make([]imapbox.Finding, len(letters))
	for i, l := range read {
		s.judge(l, in[i])
		var err error
		ours := l.Token != "" && slices.Contains(rescued, l.Kind)
		if ours {
			if ours, err = s.Desk.Made(ctx, l.Token); err != nil {
				return nil, err
			}
		}
		switch {
		case !ours:
		case l.Auth == letter.Passed:
			out[i] = imapbox.Good
		default:
			out[i] = imapbox.Unproven
			s.log.Warn("a letter in the folder of spam answers our letter, and stays there: nothing proves who wrote it",
				"message_id", l.MessageID, "received", in[i].Received, "authentication", cmp.Or(l.AuthReason, "unknown"))
		}
	}
	return out, nil
}

// rescued are the classes of letters that are moved out of the folder of spam.
var rescued = []incoming.Class{incoming.Orders, incoming.Empty, incoming.Reaction, incoming.TooLarge}
