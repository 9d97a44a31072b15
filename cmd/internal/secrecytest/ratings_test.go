package secrecytest

import (
	"bytes"
	"context"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"angelpost/cmd/internal/program"
	"angelpost/engine/rated"
	"angelpost/engine/store"
)

// The command rates what is over, prints what the page's data say, and says the
// same to the last byte however often it runs, from the stored games alone, too.
// A game that is not listed any more counts no more.
func TestRatingsCommand(t *testing.T) {
	g, _ := recordedGameOf(t, 0, 0)
	x := newServer(t, g, g.real(0))
	addFinished(t, x.s.DB, 0, 7) // of which two are listed
	config := filepath.Join(x.dir, "angelpost.toml")
	first, code := program.Output(t, "ratings", "-config", config)
	var r rated.Report
	if err := json.Unmarshal([]byte(first), &r); code != program.ExitYes || err != nil || len(r.Kinds) != 1 || len(r.Kinds[0].Bots) != 1 || r.Kinds[0].Bots[0].Games != 2 {
		t.Fatalf("exit %d, %v: %s", code, err, first)
	}
	for _, args := range [][]string{{"-anew"}, {}} {
		if again, code := program.Output(t, append([]string{"ratings", "-config", config}, args...)...); code != program.ExitYes || again != first {
			t.Errorf("%v: exit %d, prints\n%s\nand first\n%s", args, code, again, first)
		}
	}
	if _, page, _ := bytes.Cut(x.get(x.s.Pages(), "/ratings.json"), []byte("\r\n\r\n")); string(page) != first {
		t.Errorf("the page's data are\n%s\nthe command's\n%s", page, first)
	}
	if table, code := program.Output(t, "ratings", "-config", config, "-table"); code != program.ExitYes || !strings.Contains(table, "2-base") || !strings.Contains(table, "(random)") {
		t.Errorf("exit %d: %s", code, table)
	}
	err := x.s.DB.Update(context.Background(), func(tx store.Tx) error {
		row, err := tx.Game("finished2")
		if err != nil {
			return err
		}
		row.Visibility = store.Private
		return tx.SaveGame(row)
	})
	if err != nil {
		t.Fatal(err)
	}
	if again, code := program.Output(t, "ratings", "-config", config); code != program.ExitYes || json.Unmarshal([]byte(again), &r) != nil || r.Kinds[0].Bots[0].Games != 1 {
		t.Errorf("exit %d: %s", code, again)
	}
}
