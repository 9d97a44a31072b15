package pace

import (
	"archive/zip"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestParseZone(t *testing.T) {
	at := time.Date(2027, 7, 1, 12, 0, 0, 0, time.UTC)
	for name, want := range map[string]string{
		"": "12:00 UTC", "UTC": "12:00 UTC", "Europe/Berlin": "14:00 CEST",
		"UTC+01:00": "13:00 UTC+01:00", "utc+1": "13:00 UTC+01:00", "+0545": "17:45 UTC+05:45", "GMT-3:30": "08:30 UTC-03:30",
		"europe/berlin": "14:00 CEST", "Berlin": "14:00 CEST", "EUROPE / BERLIN": "14:00 CEST", "new york": "08:00 EDT", "New_York": "08:00 EDT", "america/new york": "08:00 EDT",
		"são paulo": "09:00 -03", "Zürich": "14:00 CEST", "los angeles": "05:00 PDT", "louisville": "08:00 EDT", "port-au-prince": "08:00 EDT", "utc": "12:00 UTC", "cet": "14:00 CEST",
		"UTC−5": "07:00 UTC-05:00", "UTC+0": "12:00 UTC", "+14": "02:00 UTC+14:00",
	} {
		zone, err := ParseZone(name)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got := at.In(zone).Format("15:04 MST"); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
		if again, err := ParseZone(zone.String()); err != nil || at.In(again).Format("15:04 MST") != want {
			t.Errorf("%s is stored as %s, which is read as %v, %v", name, zone, again, err)
		}
	}
	for _, name := range []string{"Local", "local", "central", "west", "Europe", "Berlin Berlin", "UTC+15", "UTC-13", "+1:75", "UTC+", "Mars/Base", "+999", "../etc/passwd"} {
		if zone, err := ParseZone(name); err == nil {
			t.Errorf("%s: %v", name, zone)
		}
	}
}

// TestZoneNames: they are Go's, and each is found by itself in small letters. When it fails after
// an upgrade of Go, take the names over.
func TestZoneNames(t *testing.T) {
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	zip, err := zip.OpenReader(filepath.Join(strings.TrimSpace(string(root)), "lib/time/zoneinfo.zip"))
	if err != nil {
		t.Fatal(err)
	}
	defer zip.Close()
	var names []string
	for _, f := range zip.File {
		if name := f.Name; !strings.HasSuffix(name, "/") && name != "Factory" {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	if want := strings.Join(names, "\n") + "\n"; zoneNames != want {
		t.Errorf("zones.txt has %d names, Go %d others", strings.Count(zoneNames, "\n"), len(names))
	}
	for _, name := range names {
		if zone, err := ParseZone(strings.ToLower(name)); err != nil || !strings.EqualFold(zone.String(), name) && offset.FindString(name) == "" {
			t.Errorf("%s is read as %v, %v", strings.ToLower(name), zone, err)
		}
	}
}

func TestGuessZone(t *testing.T) {
	in := func(seconds int) time.Time { return time.Date(2027, 1, 1, 0, 0, 0, 0, time.FixedZone("", seconds)) }
	for _, c := range []struct {
		date time.Time
		want string
	}{
		{in(3600), "UTC+01:00"}, {in(-3*3600 - 1800), "UTC-03:30"}, {in(5*3600 + 2700), "UTC+05:45"},
		{in(0), ""}, {time.Time{}, ""}, {in(61), ""}, {in(15 * 3600), ""}, {in(-99 * 3600), ""},
	} {
		if got := GuessZone(c.date); got != c.want {
			t.Errorf("%v: %q, want %q", c.date, got, c.want)
		}
	}
}

func TestNextAt(t *testing.T) {
	const layout = "2006-01-02 15:04"
	for _, c := range []struct{ zone, at, hour, want string }{ // at and want in UTC
		{"", "2027-01-01 12:00", "18:00", "2027-01-01 18:00"},
		{"", "2027-01-01 18:00", "18:00", "2027-01-02 18:00"},
		{"UTC+01:00", "2027-01-01 17:30", "18:00", "2027-01-02 17:00"},
		{"Asia/Tokyo", "2027-12-31 16:00", "00:00", "2028-01-01 15:00"},
		{"Europe/Berlin", "2027-03-27 12:00", "02:30", "2027-03-28 01:30"}, // 2:30 does not come
		{"Europe/Berlin", "2027-10-30 20:00", "02:30", "2027-10-31 01:30"}, // it comes twice, the letter once
		{"Europe/Berlin", "2027-10-31 01:30", "02:30", "2027-11-01 01:30"},
	} {
		at, err := time.Parse(layout, c.at)
		if err != nil {
			t.Fatal(err)
		}
		minute := ParseMinute(c.hour)
		if got := NewCalendar(Settings{Zone: c.zone}).NextAt(at, minute).Format(layout); got != c.want || FormatMinute(minute) != c.hour {
			t.Errorf("%+v: %s, %s", c, got, FormatMinute(minute))
		}
	}
}

// TestZoneName: every zone is called by letters or by its place, at both ends of a year.
func TestZoneName(t *testing.T) {
	for name, want := range map[string]string{
		"Europe/Berlin": "CET", "America/Sao_Paulo": "Sao Paulo", "Australia/Lord_Howe": "Lord Howe", "Australia/Sydney": "AEDT", "Pacific/Guam": "ChST",
		"America/Argentina/Buenos_Aires": "Buenos Aires", "Etc/GMT+5": "UTC-05:00", "UTC+05:45": "UTC+05:45", "": "UTC",
	} {
		zone, err := ParseZone(name)
		if err != nil {
			t.Fatal(err)
		}
		if got := ZoneName(time.Date(2027, 1, 15, 12, 0, 0, 0, zone)); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	for _, name := range zones() {
		zone, err := ParseZone(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, month := range []time.Month{1, 7} {
			at := time.Date(2027, month, 15, 12, 0, 0, 0, zone)
			got := ZoneName(at)
			place, last := got != at.Format("MST") && !strings.HasPrefix(got, "UTC"), got[len(got)-1]
			if name == "Australia/LHI" { // by which Lord Howe is known, too
				place = false
			}
			if got[0] == '+' || got[0] == '-' || place != (last >= 'a' && last <= 'z') || len(got) > 20 {
				t.Errorf("%s is %q in %v", name, got, month)
			}
		}
	}
}
