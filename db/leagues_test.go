package db_test

import (
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"angelpost/engine/game"
	"angelpost/engine/store"
)

func TestLeaguesAreKept(t *testing.T) {
	d, path := fresh(t)
	l := store.League{ID: "tin", Name: "Tin League", File: "name: Tin League\n", Secret: strings.Repeat("0f", 32), Visibility: store.Listed, Created: then, Changed: then}
	lines := []store.LeagueLine{{N: 1, At: then, By: 1, Kind: "join", Args: `{"a":1}`}, {N: 2, At: then.Add(time.Hour), Kind: "season", Args: "{}"}}
	game := store.Game{ID: "leaguegame", State: store.GameRunning, Visibility: store.Private, Options: game.Options{Players: 1}, Seed: strings.Repeat("01", 32),
		Created: then, League: l.ID, Sealed: true}
	update(t, d, func(tx store.Tx) error {
		if err := fill(tx); err != nil { // a game that is no league's
			return err
		}
		return errors.Join(tx.AddLeague(l), tx.AddLeague(store.League{ID: "brass", Secret: l.Secret, Created: then}),
			tx.AppendLeague(l.ID, lines), tx.AddMember(l.ID, 1), tx.AddMember(l.ID, 1), tx.AddGame(game, nil))
	})
	d.Close()
	d = open(t, path)
	update(t, d, func(tx store.Tx) error {
		if err := tx.AppendLeague(l.ID, lines[1:]); err == nil {
			t.Error("a line was written over")
		}
		return nil
	})
	l.Lines, l.Changed = 2, lines[1].At
	view(t, d, func(tx store.Tx) error {
		if got, err := tx.League(l.ID); err != nil || got != l {
			t.Errorf("league %+v, %v", got, err)
		}
		if _, err := tx.League("none"); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("no league: %v", err)
		}
		if got, err := tx.LeagueLog(l.ID, 0, -1); err != nil || !reflect.DeepEqual(got, lines) {
			t.Errorf("log %+v, %v", got, err)
		}
		if got, err := tx.LeagueLog(l.ID, 1, -1); err != nil || len(got) != 1 {
			t.Errorf("log behind line 1 %+v, %v", got, err)
		}
		if got, err := tx.LeagueLog(l.ID, 0, 1); err != nil || !reflect.DeepEqual(got, lines[:1]) {
			t.Errorf("the first line of the log %+v, %v", got, err)
		}
		if got, err := tx.Leagues("", 10); err != nil || len(got) != 2 || got[0] != l {
			t.Errorf("leagues %+v, %v", got, err)
		}
		if got, err := tx.Leagues(l.ID, 10); err != nil || len(got) != 1 || got[0].ID != "brass" {
			t.Errorf("leagues behind the first %+v, %v", got, err)
		}
		if got, err := tx.LeaguesOf(1); err != nil || len(got) != 1 || got[0] != l {
			t.Errorf("a player's leagues %+v, %v", got, err)
		}
		if got, err := tx.LeaguesOf(2); err != nil || len(got) != 0 {
			t.Errorf("another's leagues %+v, %v", got, err)
		}
		if got, err := tx.LeagueGames(l.ID, "", 10); err != nil || len(got) != 1 || got[0].ID != game.ID || got[0].League != l.ID || !got[0].Sealed {
			t.Errorf("games %+v, %v", got, err)
		}
		if _, err := tx.LeagueThread(l.ID, 1); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("a thread of nothing: %v", err)
		}
		if got, err := tx.LeagueGames(l.ID, game.ID, 10); err != nil || len(got) != 0 {
			t.Errorf("games behind the only one %+v, %v", got, err)
		}
		return nil
	})
	for season := range 2 {
		want := store.LeagueThread{Player: 1, Season: season, Head: "head" + string(rune('0'+season)) + "@angelpost.test", Mute: "key" + string(rune('0'+season)), Muted: season == 1, News: "{}", Letters: season}
		update(t, d, func(tx store.Tx) error { return tx.SetLeagueThread(l.ID, want) })
		view(t, d, func(tx store.Tx) error {
			if got, err := tx.LeagueThread(l.ID, 1); err != nil || got != want {
				t.Errorf("thread %+v, %v, want %+v", got, err, want)
			}
			if got, err := tx.LeagueThreads(l.ID); err != nil || len(got) != 1 || got[0] != want {
				t.Errorf("threads %+v, %v, want %+v", got, err, want)
			}
			if got, err := tx.LeagueThreads("brass"); err != nil || len(got) != 0 {
				t.Errorf("the other league's threads %+v, %v", got, err)
			}
			if _, err := tx.LeagueThread("brass", 1); !errors.Is(err, store.ErrNotFound) {
				t.Errorf("the other league's thread: %v", err)
			}
			return nil
		})
	}
	l.Over, l.Visibility = true, store.Private
	game.Sealed = false
	update(t, d, func(tx store.Tx) error { return errors.Join(tx.SaveLeague(l), tx.SaveGame(game)) })
	view(t, d, func(tx store.Tx) error {
		got, err := tx.League(l.ID)
		if g, err := tx.Game(game.ID); err != nil || g.Sealed || g.League != l.ID {
			t.Errorf("game %+v, %v", g, err)
		}
		if err != nil || got != l {
			t.Errorf("league %+v, %v", got, err)
		}
		return nil
	})
}
