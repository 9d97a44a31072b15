package pace

import (
	_ "embed"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"
)

// offset is a zone that is always so many hours and minutes from UTC.
var offset = regexp.MustCompile(`^(?i:UTC|GMT)?([+\-−])(\d{1,2})(?::?([0-5]\d))?$`)

// Bounds of an offset from UTC, in seconds.
const (
	minOffset = -12 * 3600
	maxOffset = 14 * 3600
)

// zoneNames are the names of all time zones, one a line: those of Go's zoneinfo.zip.
//
//go:embed zones.txt
var zoneNames string

// zones maps the name of a time zone, or its place alone, to the zone's name; keys are as
// in zoneKey. A place of two zones finds the one with the shorter name. Directions do not
// count as places.
var zones = sync.OnceValue(func() map[string]string {
	all := map[string]string{}
	for name := range strings.FieldsSeq(zoneNames) {
		region, _, _ := strings.Cut(name, "/")
		place := zoneKey(name[strings.LastIndexByte(name, '/')+1:])
		switch {
		case region == "Etc" || region == "US" || region == "Canada" || region == "Brazil" || region == "Mexico" || region == "Chile":
		case place == "north" || place == "south" || place == "west":
		case all[place] == "" || len(name) < len(all[place]):
			all[place] = name
		}
	}
	for name := range strings.FieldsSeq(zoneNames) {
		all[zoneKey(name)] = name
	}
	return all
})

// zoneKey is what a name has in common with the same one in other capitals, or with blanks or
// accents.
func zoneKey(name string) string {
	return unaccented.Replace(strings.ToLower(strings.Join(strings.FieldsFunc(name, func(r rune) bool { return r == ' ' || r == '_' }), "_")))
}

var unaccented = strings.NewReplacer("á", "a", "ã", "a", "é", "e", "í", "i", "ó", "o", "ú", "u", "ü", "u", "ç", "c", "ñ", "n", "_/_", "/", "_/", "/", "/_", "/", "-", "_")

// ParseZone returns the time zone with an IANA name such as Europe/Berlin, which may be written
// in small letters or by its place alone ("new york"), or with an offset such as UTC+01:00, which
// has no daylight saving time. "" is UTC.
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
	if known, ok := zones()[zoneKey(name)]; ok {
		name = known
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

// ZoneName returns what people call the zone of a time: CET, or the place whose time it is where
// the database of zones has digits alone ("Sao Paulo" for -03).
func ZoneName(at time.Time) string {
	name, seconds := at.Zone()
	if name != "" && name[0] != '+' && name[0] != '-' { // a letter's Date has an offset alone
		return name
	}
	zone := at.Location().String()
	if i := strings.LastIndexByte(zone, '/'); i >= 0 && !strings.HasPrefix(zone, "Etc/") {
		return strings.ReplaceAll(zone[i+1:], "_", " ")
	}
	return fixed(seconds).String()
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
