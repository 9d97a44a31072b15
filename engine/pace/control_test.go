package pace_test

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"angelpost/engine/pace"
)

func TestParse(t *testing.T) {
	for text, want := range map[string]string{
		"3 days":                              "3d grace 1d",
		"3 days a turn, bank of 10 days":      "3d bank 10d grace 1d",
		"36H":                                 "36h grace 18h",
		"1 week":                              "7d grace 1d",
		"2d bank 5d +12h max 10d grace 1d":    "2d bank 5d +12h max 10d grace 1d",
		"2d, +12h, bank 5d":                   "2d bank 5d +12h grace 1d",
		"grace 0 h 1 hour":                    "",
		"1 hour grace 0h":                     "1h grace 0d",
		"90 minutes":                          "90m grace 45m",
		"2d +12h max 10d":                     "2d bank 0d +12h max 10d grace 1d",
		"none":                                "none",
		"no":                                  "none",
		"":                                    "",
		"3":                                   "",
		"days":                                "",
		"3 fortnights":                        "",
		"3d 4d":                               "",
		"bank 3d":                             "",
		"3d bank":                             "",
		"30 minutes":                          "", // less than an hour
		"61d":                                 "",
		"3d bank 366d":                        "",
		"3d bank 10d max 5d":                  "",
		"3d +4d":                              "",
		"3d grace 31d":                        "",
		"-3d":                                 "",
		"3d; resign":                          "",
		"99999999999999999999d":               "",
		"3d\x00":                              "",
		"30501 weeks":                         "", // three days more than 64 bits hold
		"3d bank 10d bank 11d":                "",
		strings.Repeat("3d ", 40):             "",
		"3 days per turn and 1 day of grace?": "",
	} {
		p, err := pace.Parse(text)
		if got := p.String(); err == nil && got != want || (err == nil) != (want != "") {
			t.Errorf("%q: %q, %v, want %q", text, got, err, want)
		}
	}
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 1000 { // what is printed reads the same
		unit := []time.Duration{time.Minute, time.Hour, 24 * time.Hour}[rnd.IntN(3)]
		some := func(limit time.Duration) time.Duration { return time.Duration(rnd.Int64N(int64(limit/unit)+1)) * unit }
		p := pace.Control{Turn: max(some(60*24*time.Hour), time.Hour), Most: some(365 * 24 * time.Hour), Grace: some(30 * 24 * time.Hour)}
		p.Bank, p.Increment = some(p.Most), some(p.Turn)
		if rnd.IntN(3) == 0 {
			p.Bank, p.Increment, p.Most = 0, 0, 0
		}
		if got, err := pace.Parse(p.String()); err != nil || got != p {
			t.Fatalf("%q reads as %+v, %v, want %+v", p, got, err, p)
		}
	}
}
