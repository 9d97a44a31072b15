package unit

import (
	"time"

	"angelpost/engine/pace"
	"angelpost/engine/store"
)

// RestAt returns the calendar of a seat's player.
func (u *Unit) RestAt(t *Game, x *store.Seat) pace.Calendar {
	if x.Player == 0 {
		return pace.Calendar{Zone: time.UTC}
	}
	p := u.Player(x.Player)
	return t.Rests(pace.NewCalendar(p.Settings))
}

// Rests returns a player's time off as far as the game allows it.
func (t *Game) Rests(r pace.Calendar) pace.Calendar {
	if t.Row.Options.Present {
		r.Away = nil
	}
	return r
}

// Past reports whether a deadline is over. A row that fell due together with others may be
// about a deadline that was met, or moved, while they were handled.
func (u *Unit) Past(deadline time.Time) bool {
	return !deadline.IsZero() && deadline.Before(u.At.Add(time.Second)) // now is without its fraction
}

// ZoneOf returns the time zone of a player, in which we tell them times.
func (u *Unit) ZoneOf(player int64) *time.Location {
	p := u.Player(player)
	if zone, err := pace.ParseZone(p.Zone); err == nil {
		return zone
	}
	return time.UTC
}

// When formats a time as in letters.
func When(at time.Time, zone *time.Location) string {
	at = at.In(zone)
	return at.Format("2006-01-02 15:04 ") + pace.ZoneName(at)
}

// SayTime is Say with a time in the reader's time zone.
func (u *Unit) SayTime(d *Draft, code string, at time.Time, args ...string) {
	zone := u.ZoneOf(d.Player)
	d.Say(code, append([]string{"time", When(at, zone)}, args...)...)
}

// TellAllTime is TellAll with a time in each reader's time zone.
func (u *Unit) TellAllTime(t *Game, but int64, code string, at time.Time, args ...string) {
	u.TellAll(t, but, func(_ *store.Seat, d *Draft) { u.SayTime(d, code, at, args...) })
}
