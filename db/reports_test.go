package db_test

import (
	"reflect"
	"testing"
	"time"

	"angelpost/engine/store"
)

// Players whom a player ignores and reports come back as they were stored.
func TestIgnoresAndReports(t *testing.T) {
	d, _ := fresh(t)
	at := time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)
	want := store.Report{At: at, Game: "g", Reporter: 1, Player: 2, Name: "Bo", Reason: "rude",
		Messages: []store.Press{{At: at, Step: 3, Text: "You!", To: 1}, {At: at, Step: 4, Text: "Yes, you!"}}}
	update(t, d, func(tx store.Tx) error {
		for _, i := range []store.Ignored{{Player: 1, Other: 3, Name: "Cy"}, {Player: 1, Other: 2, Name: "Bob"}, {Player: 1, Other: 2, Name: "Bo"}, {Player: 2, Other: 1, Name: "Ada"}} {
			if err := tx.Ignore(i); err != nil {
				return err
			}
		}
		if err := tx.AddReport(&want); err != nil {
			return err
		}
		return tx.AddReport(&store.Report{At: at, Game: "h", Reporter: 2, Player: 1})
	})
	update(t, d, func(tx store.Tx) error {
		if got, err := tx.Ignores(1); err != nil || !reflect.DeepEqual(got, []store.Ignored{{Player: 1, Other: 2, Name: "Bo"}, {Player: 1, Other: 3, Name: "Cy"}}) {
			t.Errorf("ignored %+v, %v", got, err)
		}
		if err := tx.Unignore(1, 2); err != nil {
			return err
		}
		if got, err := tx.Ignores(1); err != nil || len(got) != 1 || got[0].Other != 3 {
			t.Errorf("ignored after unignore: %+v, %v", got, err)
		}
		if got, err := tx.Reports(0, 1); err != nil || !reflect.DeepEqual(got, []store.Report{want}) {
			t.Errorf("reports %+v, %v", got, err)
		}
		got, err := tx.Reports(want.ID, 10)
		if err != nil || len(got) != 1 || got[0].Game != "h" {
			t.Errorf("later reports %+v, %v", got, err)
		}
		return nil
	})
}
