package pair

import (
	"context"
	"errors"
	"os"
	"time"

	"angelpost/cmd/internal/server"
	"angelpost/engine/notice"
	"angelpost/mail/imapbox"
)

// An illness is the reason why a machine cannot stand by, for as long as it lasts.
type illness struct {
	code  string // the last alarm to the host; "" while all is well
	since time.Time
	found time.Time            // when the trouble was first seen, before the host learns of it
	told  map[string]time.Time // by code: when the last letter about it went out
}

// How soon the host learns that there is nothing to follow, and how often.
const (
	// A server that has just started has copied nothing yet, and the network may be away for
	// a moment.
	illPatience = 10 * time.Second
	illEvery    = 24 * time.Hour
)

// cannot reports, in the log and in a letter to the host, that this machine cannot follow the
// server or cannot take over from it. It waits for illPatience before it writes, but reports
// lost copies at once.
func (s *standby) cannot(ctx context.Context, code string, holder imapbox.Holder, why error) {
	now := time.Now()
	if s.ill.found.IsZero() {
		s.ill.found = now
		s.log.Warn("standby: the replica", "url", s.c.ReplicaAt(holder.Epoch), "err", why)
	}
	if s.ill.code == code || code == notice.AlarmFollow && s.ill.code != "" || !errors.Is(why, errGone) && now.Sub(s.ill.found) < illPatience {
		return
	}
	if s.ill.code == "" {
		s.ill.since = now
	}
	s.ill.code = code
	s.log.Error("standby: this machine can't follow, or take over", "server", holder.Server, "url", s.c.ReplicaAt(holder.Epoch), "err", why)
	s.tell(ctx, code, map[string]string{"time": moment(now), "server": holder.Server, "why": why.Error()})
}

// rest waits before another try, and longer once a letter to the host has reported the
// trouble.
func (s *standby) rest(ctx context.Context) {
	pause := server.StandbyBeat
	if s.ill.code != "" {
		pause = standbyTell
	}
	server.SleepFor(ctx, pause)
}

// can reports that the trouble is over, if cannot has reported it.
func (s *standby) can(ctx context.Context) {
	code := s.ill.code
	s.ill.code, s.ill.found = "", time.Time{}
	if code == "" {
		return
	}
	s.log.Info("standby: this machine stands by again, or serves")
	if !s.ill.told[code].Before(s.ill.since) {
		s.tell(ctx, notice.AlarmFollow+notice.AlarmOver, map[string]string{"until": moment(time.Now())})
	}
}

// tell writes to the host, about the same trouble at most once a day.
func (s *standby) tell(ctx context.Context, code string, args map[string]string) {
	now := time.Now()
	if now.Sub(s.ill.told[code]) < illEvery {
		return
	}
	if s.ill.told == nil {
		s.ill.told = map[string]time.Time{}
	}
	s.ill.told[code] = now
	args["machine"], _ = os.Hostname()
	go func() { // don't wait for a mail server
		ctx, cancel := context.WithTimeout(ctx, time.Minute)
		defer cancel()
		if err := s.c.TellHost(ctx, code, args); err != nil {
			s.log.Error("standby: no letter to the host", "err", err)
		}
	}()
}

func moment(t time.Time) string { return t.UTC().Format("2006-01-02 15:04 UTC") }
