package web

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"angelpost/engine/league"
	"angelpost/templates/words"
)

// adds adds lines to a league of the shelf, as directors write them.
func (l *shelvedLeague) adds(t *testing.T, lines ...league.Line) {
	t.Helper()
	st := l.look.State.Clone()
	for _, x := range lines {
		x.N, x.At = st.Lines+1, st.Last.Add(time.Hour)
		if err := st.Add(x); err != nil {
			t.Fatal(err)
		}
		l.lines = append(l.lines, x)
	}
	l.look.State, l.look.Lines = st, st.Lines
}

// TestStoppedLeague: pages, data and feed of a league say what stops it or a division of it,
// since when and why, until it goes on.
func TestStoppedLeague(t *testing.T) {
	s := newShelf(t, 2, 20)
	shared, looks := *s.leagues[0], *s.leagues[0].look
	l := &shared
	l.look, s.leagues = &looks, []*shelvedLeague{l}
	season := "/l/tin/" + strconv.Itoa(l.look.State.Season().N)
	h := handler(s)
	body := func(path string) string {
		t.Helper()
		_, b := get(t, h, "GET", path)
		return b
	}
	l.adds(t, league.Line{Kind: league.Pause, Division: 2, By: 1, Text: "A storm, says ann@example.org."})
	storm := l.look.State.Last.UTC().Format(time.RFC3339)
	of := func(path string) (stops []stopJSON) {
		var out struct{ Stops []stopJSON }
		if err := json.Unmarshal([]byte(body(path)), &out); err != nil {
			t.Fatal(err)
		}
		return out.Stops
	}
	says := func(path string, want ...string) {
		t.Helper()
		got := body(path)
		if strings.Contains(got, "example.org") {
			t.Errorf("%s names an address", path)
		}
		for _, w := range want {
			if !strings.Contains(got, w) {
				t.Errorf("%s lacks %q", path, w)
			}
		}
	}
	for _, path := range []string{"/l/tin", season, season + "/2"} {
		says(path, "Division 2 is paused", "A storm, says ", storm)
	}
	if strings.Contains(body(season+"/1"), "paused") || of(season+"/1/division.json") != nil {
		t.Error("division 1 is paused")
	}
	for _, path := range []string{"/l/tin/league.json", season + "/2/division.json"} {
		if got := of(path); len(got) != 1 || got[0].Kind != "pause" || got[0].Division != 2 || got[0].Since != storm || got[0].By != 1 || !strings.HasPrefix(got[0].Reason, "A storm") {
			t.Errorf("%s: %+v", path, got)
		}
	}
	says("/l/tin/feed.atom", "Division 2 is paused")

	l.adds(t, league.Line{Kind: league.Pause, Text: "A flood."}, league.Line{Kind: league.Close, Text: "No one has time."})
	for _, path := range []string{"/l/tin", season, season + "/1"} {
		says(path, "The league is paused", "A flood.", "The league ends with this season", "No one has time.", "The host,")
	}
	if !strings.Contains(body("/leagues"), ">paused<") {
		t.Error("the list does not say that it is paused")
	}
	if got := of("/l/tin/league.json"); len(got) != 3 || !slices.ContainsFunc(got, func(x stopJSON) bool { return x.Kind == "close" && x.By == 0 }) {
		t.Errorf("%+v", got)
	}

	l.adds(t, league.Line{Kind: league.Resume, Text: "All is well."})
	for _, path := range []string{"/l/tin", season, season + "/2"} {
		if got := body(path); strings.Contains(got, "paused") || strings.Contains(got, "ends with this season") {
			t.Errorf("%s says that it is stopped", path)
		}
	}
	if of("/l/tin/league.json") != nil {
		t.Error("stops in the data of a league that goes on")
	}
	says("/l/tin/feed.atom", "The league is paused", "The league goes on", "All is well.")
	for _, key := range []string{"leagues.direct-extend", "leagues.direct-start", "leagues.direct-archive", "leagues.direct-close-over", "league.stop-pause", "league.stop-close", "league.stop-archive"} {
		if !words.English().Has(key) {
			t.Errorf("no words for %s", key)
		}
	}
}
