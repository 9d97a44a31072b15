package pace

import (
	"fmt"
	"regexp"
	"strconv"
	"time"
)

// offset is a zone that is always so many hours and minutes from UTC.
var offset = regexp.MustCompile(`^(?i:UTC|GMT)?([+\-−])(\d{1,2})(?::?([0-5]\d))?$`)

// Bounds of an offset from UTC, in seconds.
const (
	minOffset = -12 * 3600
	maxOffset = 14 * 3600
)

// ParseZone returns the time zone with an IANA name such as Europe/Berlin, or with an
// offset such as UTC+01:00, which has no daylight saving time. "" is UTC.
func ParseZone(name string) (*time.Location, error) {
	if m := offset.FindStringSubmatch(name); m != nil {
		hours, _ := strconv.Atoi(m[2])
		minutes, _ := strconv.Atoi(m[3]) // "" is 0
		seconds := hours*3600 + minutes*60
		if m[1] != "+" {
			seconds = -seconds
		}
		if seconds < minOffset || seconds > maxOffset {
			return nil, fmt.Errorf("%q is too far from UTC", name)
		}
		return fixed(seconds), nil
	}
	if name == "Local" { // the server's own
		return nil, fmt.Errorf("%q is not a time zone", name)
	}
	return time.LoadLocation(name)
}

// fixed is the zone with an offset in seconds.
func fixed(seconds int) *time.Location {
	sign, n := '+', seconds
	if n < 0 {
		sign, n = '-', -n
	}
	if n == 0 {
		return time.UTC
	}
	return time.FixedZone(fmt.Sprintf("UTC%c%02d:%02d", sign, n/3600, n/60%60), seconds)
}

// GuessZone returns the name of the zone in which a letter was written, by its Date; ""
// if that does not tell: many programs write UTC wherever they are.
func GuessZone(date time.Time) string {
	_, seconds := date.Zone()
	if date.IsZero() || seconds == 0 || seconds%900 != 0 || seconds < minOffset || seconds > maxOffset {
		return ""
	}
	return fixed(seconds).String()
}
