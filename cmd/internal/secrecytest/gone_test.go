package secrecytest

import (
	"bytes"
	"context"
	"testing"

	"angelpost/engine/store"
)

// A game that could be seen once and is private now is gone; one that never
// could, and a key that is none any more, are as if they had never been.
func TestGone(t *testing.T) {
	g, _ := recordedGameOf(t, 0, 0)
	x, _ := newSecrecyHarness(t, g, g.real(0), 0)
	h := x.s.Pages()
	status := func(path string) string {
		b := x.get(h, path)
		return string(b[:bytes.IndexByte(b, '\n')])
	}
	set := func(game, visibility string) {
		t.Helper()
		err := x.s.DB.Update(context.Background(), func(tx store.Tx) error {
			row, err := tx.Game(game)
			if err != nil {
				return err
			}
			row.Visibility = visibility
			return tx.SaveGame(row)
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	addFinished(t, x.s.DB, 0, 1) // private from the beginning
	all := []string{"", "/view.json", "/history", "/history.json", "/record.json", "/feed.atom", "?at=0"}
	want := func(game, status200 string) {
		t.Helper()
		for _, path := range all {
			if got := status("/g/" + game + path); got != status200 {
				t.Errorf("%s%s: %s, want %s", game, path, got, status200)
			}
		}
	}
	want(x.game, "200")
	want("finished0", "404")
	set(x.game, store.Private)
	want(x.game, "410")
	if got := status("/g/" + x.game + "/" + x.keys[1]); got != "200" {
		t.Errorf("If you play in it %s", got)
	}
	if got := status("/g/" + x.game + "/" + x.keys[1] + "x"); got != "404" {
		t.Errorf("a wrong key finds %s", got)
	}
	for range 60 { // no guesses: the address was known before
		status("/g/" + x.game)
	}
	want(x.game, "410")
	set(x.game, store.Unlisted)
	want(x.game, "200")
	set("finished0", store.Unlisted)
	set("finished0", store.Private)
	want("finished0", "410")
	err := x.s.DB.Update(context.Background(), func(tx store.Tx) error {
		k, err := tx.KeyOf(x.game, 1)
		if err != nil {
			return err
		}
		k.Key = "another"
		return tx.SetKey(k)
	})
	if err != nil {
		t.Fatal(err)
	}
	if got, never := x.get(h, "/g/"+x.game+"/"+x.keys[1]), x.get(h, "/g/"+x.game+"/never"); !bytes.Equal(got, never) {
		t.Errorf("a revoked key is told from one that never was:\n%s\n%s", got, never)
	}
}
