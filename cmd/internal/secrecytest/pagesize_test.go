package secrecytest

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"testing"

	"angelpost/engine"
	"angelpost/engine/component"
	"angelpost/engine/game"
	"angelpost/engine/rated"
	"angelpost/engine/sim"
	"angelpost/engine/statistics"
)

// What a page may weigh, in bytes, as it is and compressed.
const (
	heavyPage   = 150_000
	heavyZipped = 30_000
)

// TestPageSizes weighs pages of games of four by the advanced rules, of random
// players and of bots, at their ends and at random before, as every viewer gets
// them; and the pages around the games.
func TestPageSizes(t *testing.T) {
	type weighed struct {
		kind, path    string
		plain, zipped int
	}
	var all []weighed
	for n := range 6 {
		rnd := rand.New(rand.NewPCG(9, uint64(n)))
		o := game.Options{Players: 4, Rules: "advanced", Edition: []string{"revised", "first"}[n%2], RulesVersion: game.RulesVersion, Set: component.DefaultName}
		head := game.Header{Options: o, Seed: sim.Seed("size", n), Names: stageNames}
		g := &recordedGame{set: component.Default(), head: head}
		if n < 3 {
			g = newRecordedGame(t, head, habits[n], 0, rnd)
		} else {
			g.lines = byBots(t, head, func(*game.Game) bool { return false }).Log()
		}
		x := newServer(t, g, &alternative{})
		x.newGame(true, stageNames)
		x.findKeys()
		h := x.s.Pages()
		weigh := func(kind, path string) string {
			t.Helper()
			r := httptest.NewRequest("GET", path, nil)
			r.Header.Set("Accept-Encoding", "gzip")
			w := httptest.NewRecorder()
			h.ServeHTTP(w, r)
			if w.Code == http.StatusSeeOther && kind == "plan" { // nothing to decide
				return ""
			}
			if w.Code != http.StatusOK {
				t.Fatalf("%s: %d", path, w.Code)
			}
			zipped := w.Body.Len()
			var page []byte
			z, err := gzip.NewReader(w.Body)
			if err == nil {
				page, err = io.ReadAll(z)
			}
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, weighed{kind, path, len(page), zipped})
			return string(bytes.TrimSpace(page))
		}
		positions := []int{len(g.lines), len(g.lines) - 1}
		for range 4 {
			positions = append(positions, len(g.lines)/2+rnd.IntN(len(g.lines)/2))
		}
		for _, at := range positions {
			x.write(g.lines[:at])
			base := "/g/" + x.game
			for viewer := engine.Seat(0); viewer <= 4; viewer++ {
				path := base
				if viewer > 0 {
					path += "/" + x.keys[viewer]
				}
				weigh("page", path)
				weigh("past", fmt.Sprintf("%s?at=%d&since=%d", path, at-1, max(0, at-40)))
				weigh("history", path+"/history")
				if viewer > 0 && at < len(g.lines) {
					if m := choice.FindStringSubmatch(weigh("plan", path+"/plan/")); m != nil {
						weigh("plan", path+"/plan/"+m[1]+"/")
					}
				}
			}
		}
		if n == 0 {
			addFinished(t, x.s.DB, 0, 5*statistics.Together)
			if _, err := x.s.Ratings().Rate(t.Context(), func(l rated.LeftOut) { t.Error(l) }); err != nil {
				t.Fatal(err)
			}
			if _, err := x.s.Book().Count(t.Context(), func(l statistics.LeftOut) { t.Error(l) }); err != nil {
				t.Fatal(err)
			}
			fillLeague(t, x.s, "tin", "name: Tin\ndivision: 14\nat once: 2\nclock: 3d\nleast: 14\n", 140, 60)
		}
		for _, path := range []string{"/", "/games", "/cards", "/cards?q=a", "/cards?q=045", "/cards/missions", "/cards/tiles", "/cards/boards", "/rules", "/rules?q=die", "/help", "/privacy", "/leagues/run", "/letter",
			"/me/" + x.homes[1], "/statistics", "/statistics/2-base-revised-" + component.DefaultName, "/ratings", "/ratings/2-base", "/leagues", "/l/tin", "/l/tin/1", "/l/tin/1/1", "/players/1", "/g/" + x.game + "/" + x.keys[1] + "/talk"} {
			if n == 0 { // they are around all games
				weigh("around", path)
			}
		}
	}
	for _, kind := range []string{"page", "past", "plan", "history", "around"} {
		of := slices.DeleteFunc(slices.Clone(all), func(w weighed) bool { return w.kind != kind })
		heaviest := slices.MaxFunc(of, func(a, b weighed) int { return cmp.Compare(a.plain, b.plain) })
		zipped := slices.MaxFunc(of, func(a, b weighed) int { return cmp.Compare(a.zipped, b.zipped) })
		t.Logf("%s: %d pages, at most %d bytes, %d compressed", kind, len(of), heaviest.plain, zipped.zipped)
		if heaviest.plain >= heavyPage {
			t.Errorf("%s has %d bytes", heaviest.path, heaviest.plain)
		}
		if zipped.zipped >= heavyZipped {
			t.Errorf("%s has %d bytes compressed", zipped.path, zipped.zipped)
		}
	}
}

var choice = regexp.MustCompile(`class="choices"><li[^>]*><a href="([^"#]*)/#told"`)
