package db_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"angelpost/db"
	"angelpost/engine/game"
	"angelpost/engine/store"
)

// shelf stores n games with three seats each: every second is listed, every
// third finished, every fifth by the advanced rules; player 1 sits in every
// fourth.
func shelf(tb testing.TB, d *db.DB, n int) {
	tb.Helper()
	for from := 0; from < n; from += 5000 {
		err := d.Update(context.Background(), func(tx store.Tx) error {
			if from == 0 {
				for i := range 40 {
					p := store.Player{Name: fmt.Sprint("P", i), Address: fmt.Sprintf("p%d@x.test", i), Created: then}
					if err := tx.AddPlayer(&p); err != nil {
						return err
					}
				}
			}
			for i := from; i < min(n, from+5000); i++ {
				g := store.Game{ID: fmt.Sprintf("game%06d", i), Name: fmt.Sprintf("Voyage %d", i), State: store.GameRunning, Visibility: store.Private,
					Options: game.Options{Players: 3, Rules: "base", Edition: "revised"}, Seed: strings.Repeat("0f", 32),
					Created: then, Started: then.Add(time.Duration(i) * time.Hour), Changed: then.Add(time.Duration(i) * time.Hour)}
				if i%2 == 0 {
					g.Visibility = store.Listed
				}
				if i%5 == 0 {
					g.Options.Rules = "advanced"
				}
				if i%3 == 0 {
					g.State, g.Ended = store.GameFinished, g.Started.Add(48*time.Hour)
					g.Result = fmt.Sprintf(`{"ending":"spes","scores":[{"seat":1,"final":%d,"by":{}},{"seat":2,"final":9,"by":{}},{"seat":3,"final":8,"by":{}}],"winners":[%d],"log_sha256":""}`, 10+i%30, 1+i%2*2)
				}
				seats := make([]store.Seat, 3)
				for k := range seats {
					who := 1 + (i+k*7)%40
					if k == 0 && i%4 == 0 {
						who = 1
					} else if who == 1 {
						who = 2 + k
					}
					seats[k] = store.Seat{Game: g.ID, Place: k + 1, Seat: k + 1, Player: int64(who), Stage: store.SeatJoined, Name: fmt.Sprintf("Pilot%d Ålesund", who)}
				}
				if err := tx.AddGame(g, seats); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			tb.Fatal(err)
		}
	}
}

func found(tb testing.TB, d *db.DB, q store.Search) (ids []string) {
	tb.Helper()
	err := d.View(context.Background(), func(tx store.Tx) error {
		rows, err := tx.Archive(q)
		for _, r := range rows {
			if r.Visibility != store.Listed || r.Started.IsZero() {
				return fmt.Errorf("%s is %s", r.ID, r.Visibility)
			}
			ids = append(ids, strings.TrimLeft(strings.TrimPrefix(r.ID, "game"), "0"))
		}
		return err
	})
	if err != nil {
		tb.Fatalf("%+v: %v", q, err)
	}
	return ids
}

// The archive finds what is asked for and listed, and nothing else; it is read
// page by page without a gap.
func TestArchiveFinds(t *testing.T) {
	d, _ := fresh(t)
	shelf(t, d, 240)
	count := func(fits func(i int) bool) (ids []string) {
		for i := 239; i > 0; i-- {
			if i%2 == 0 && fits(i) {
				ids = append(ids, fmt.Sprint(i))
			}
		}
		return ids
	}
	all := func(int) bool { return true }
	for what, c := range map[string]struct {
		q    store.Search
		fits func(i int) bool
	}{
		"all":         {store.Search{}, all},
		"finished":    {store.Search{State: store.GameFinished}, func(i int) bool { return i%3 == 0 }},
		"advanced":    {store.Search{Rules: "advanced", State: store.GameRunning}, func(i int) bool { return i%5 == 0 && i%3 != 0 }},
		"spes":        {store.Search{Ending: "spes", Players: 3, Edition: "revised"}, func(i int) bool { return i%3 == 0 }},
		"none":        {store.Search{Players: 4}, func(int) bool { return false }},
		"dates":       {store.Search{From: then.Add(100 * time.Hour), To: then.Add(120 * time.Hour)}, func(i int) bool { return i >= 100 && i < 120 }},
		"player":      {store.Search{Player: 1}, func(i int) bool { return i%4 == 0 }},
		"won":         {store.Search{Player: 1, Won: "won"}, func(i int) bool { return i%12 == 0 }},
		"lost":        {store.Search{Player: 1, Won: "lost"}, func(i int) bool { return false }},
		"name":        {store.Search{Names: "voyage 120"}, func(i int) bool { return i == 120 }},
		"a beginning": {store.Search{Names: "VOY alesu"}, all},
		"two":         {store.Search{Names: "voyage 120", Player: 1}, func(i int) bool { return i == 120 }},
		"of nobody":   {store.Search{Names: "nobody"}, func(int) bool { return false }},
		"signs":       {store.Search{Names: `"120* OR -voyage NEAR ("`}, func(int) bool { return false }},
	} {
		want := count(c.fits)
		var got []string
		for q := c.q; ; {
			q.Limit = 7
			page := found(t, d, q)
			got = append(got, page...)
			if len(page) < 7 {
				break
			}
			q.Before = fmt.Sprintf("game%06s", page[6])
		}
		got = slices.DeleteFunc(got, func(s string) bool { return s == "" }) // game 0
		if !slices.Equal(got, want) {
			t.Errorf("%s: found %q, want %q", what, got, want)
		}
	}
	for _, before := range []string{"none", "game000001"} { // the other one is private
		err := d.View(context.Background(), func(tx store.Tx) error { _, err := tx.Archive(store.Search{Before: before, Limit: 1}); return err })
		if !errors.Is(err, store.ErrNotFound) {
			t.Errorf("a page behind %s: %v", before, err)
		}
	}
}

// Whatever is hidden later is found no more, and what is shown is; so with names.
func TestArchiveFollows(t *testing.T) {
	d, _ := fresh(t)
	shelf(t, d, 20)
	change := func(id string, f func(g *store.Game, s *store.Seat)) {
		update(t, d, func(tx store.Tx) error {
			g, err := tx.Game(id)
			if err != nil {
				return err
			}
			seats, err := tx.Seats(id)
			if err != nil {
				return err
			}
			f(&g, &seats[0])
			if err := tx.SaveSeat(seats[0]); err != nil {
				return err
			}
			return tx.SaveGame(g)
		})
	}
	ask := func(names string, want ...string) {
		t.Helper()
		if got := found(t, d, store.Search{Names: names, Limit: 50}); !slices.Equal(got, want) {
			t.Errorf("%q finds %q, want %q", names, got, want)
		}
	}
	ask("voyage 8", "8")
	change("game000008", func(g *store.Game, _ *store.Seat) { g.Visibility = store.Unlisted })
	ask("voyage 8")
	change("game000007", func(g *store.Game, _ *store.Seat) { g.Visibility = store.Listed })
	ask("voyage 7", "7")
	change("game000007", func(g *store.Game, s *store.Seat) { g.Name, s.Name = "Harvest", "Zoë" })
	ask("voyage 7")
	ask("harvest zoe", "7")
	change("game000010", func(g *store.Game, _ *store.Seat) { g.Started = time.Time{} })
	ask("voyage 10")
}

// The sitemap has every listed game once, in pages.
func TestSitemap(t *testing.T) {
	d, _ := fresh(t)
	shelf(t, d, 41)
	view(t, d, func(tx store.Tx) error {
		pages, err := tx.SitemapPages(5)
		if err != nil || len(pages) != 4 {
			t.Errorf("pages %q, %v", pages, err)
		}
		var got []string
		for _, before := range append([]string{""}, pages...) {
			rows, err := tx.Sitemap(before, 5)
			if err != nil {
				return err
			}
			for _, r := range rows {
				if got = append(got, r.ID); r.Changed.IsZero() {
					t.Errorf("%s has no time", r.ID)
				}
			}
		}
		if len(got) != 21 || got[0] != "game000040" || got[20] != "game000000" || len(slices.Compact(got)) != 21 {
			t.Errorf("games %q", got)
		}
		for _, before := range []string{"none", "game000001"} { // the other one is private
			if _, err := tx.Sitemap(before, 5); !errors.Is(err, store.ErrNotFound) {
				t.Errorf("a page behind %s: %v", before, err)
			}
		}
		return nil
	})
	// A page is there even when the game that it begins behind is listed no more.
	update(t, d, func(tx store.Tx) error {
		g, err := tx.Game("game000030")
		if err != nil {
			return err
		}
		g.Visibility = store.Private
		return tx.SaveGame(g)
	})
	view(t, d, func(tx store.Tx) error {
		rows, err := tx.Sitemap("game000030", 5)
		if err != nil || len(rows) != 5 || rows[0].ID != "game000028" {
			t.Errorf("%v, %v", rows, err)
		}
		return nil
	})
}

// A page of the archive is read off indices, and in their order.
func TestArchiveUsesItsIndex(t *testing.T) {
	d, path := fresh(t)
	shelf(t, d, 50)
	c, err := sql.Open("sqlite3", dsnOf(path))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	for _, q := range db.ArchiveQueries() {
		rows, err := c.Query("EXPLAIN QUERY PLAN " + parameter.ReplaceAllString(q, "'1'"))
		if err != nil {
			t.Fatalf("%s: %v", q, err)
		}
		used := false
		for rows.Next() {
			var id, parent, x int
			var detail string
			if err := rows.Scan(&id, &parent, &x, &detail); err != nil {
				t.Fatal(err)
			}
			used = used || strings.Contains(detail, "INDEX games_archive")
			if strings.Contains(detail, "TEMP B-TREE FOR ORDER") || strings.HasPrefix(detail, "SCAN seats") {
				t.Errorf("%s: %s", q, detail)
			}
		}
		if rows.Close(); !used {
			t.Errorf("%s: the index is not used", q)
		}
	}
}

// BenchmarkArchive asks an archive of 100,000 games for what is hardest to find.
func BenchmarkArchive(b *testing.B) {
	d := benched(b)
	shelf(b, d, 100_000)
	for name, ask := range map[string]func(tx store.Tx) error{
		"sitemap":       func(tx store.Tx) error { _, err := tx.Sitemap("", 2000); return err },
		"sitemap-last":  func(tx store.Tx) error { _, err := tx.Sitemap("game002000", 2000); return err },
		"sitemap-pages": func(tx store.Tx) error { _, err := tx.SitemapPages(2000); return err },
		"uncounted":     func(tx store.Tx) error { _, err := tx.Uncounted("game090000", 50); return err },
		"counted":       func(tx store.Tx) error { _, err := tx.Counted(3, "", 50); return err },
		"last-batch":    func(tx store.Tx) error { _, err := tx.LastBatch(); return err },
		"listed":        func(tx store.Tx) error { _, err := tx.ListedGames(50); return err },
		"figures":       func(tx store.Tx) error { _, err := tx.AllFigures(); return err },
	} {
		b.Run(name, func(b *testing.B) {
			worst(b, func() {
				if err := d.View(b.Context(), ask); err != nil {
					b.Fatal(err)
				}
			})
		})
	}
	for name, q := range map[string]store.Search{
		"first": {}, "last": {Before: "game000040"}, "none": {Players: 4}, "rare": {Rules: "advanced", Ending: "ravagers"}, "player": {Player: 1},
		"player-none": {Player: 1, Won: "lost"}, "name": {Names: "voyage 4711"}, "every-name": {Names: "voy pi al"}, "every-name-none": {Names: "voy pi al", Players: 4},
		"player-name-none": {Player: 1, Names: "voyage", Players: 4},
	} {
		b.Run(name, func(b *testing.B) {
			worst(b, func() {
				q.Limit = 51
				found(b, d, q)
			})
		})
	}
}

func benched(b *testing.B) *db.DB {
	b.Helper()
	d, err := db.Open(b.Context(), filepath.Join(b.TempDir(), "a.db"))
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { d.Close() })
	return d
}

// worst reports how long a query took at most, too.
func worst(b *testing.B, query func()) {
	worst := time.Duration(0)
	for b.Loop() {
		begin := time.Now()
		query()
		worst = max(worst, time.Since(begin))
	}
	b.ReportMetric(float64(worst.Microseconds())/1000, "worst-ms")
}
