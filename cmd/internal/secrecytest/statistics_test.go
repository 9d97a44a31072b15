package secrecytest

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"path/filepath"
	"testing"

	"angelpost/cmd/internal/program"
	"angelpost/db"
	"angelpost/engine/bot"
	"angelpost/engine/component"
	"angelpost/engine/game"
	"angelpost/engine/sim"
	"angelpost/engine/statistics"
	"angelpost/engine/store"
)

// addFinished stores finished games of two bots, of every visibility.
func addFinished(t *testing.T, d *db.DB, from, to int) {
	t.Helper()
	for n := from; n < to; n++ {
		su := sim.Setup{Set: component.Default(), Bots: []string{bot.Random, bot.Random},
			Options: game.Options{Players: 2, Rules: "base", Edition: "revised", RulesVersion: game.RulesVersion, Set: component.DefaultName}}
		seed := sim.Seed("finished", n)
		_, lines, err := su.Play(n, seed)
		if err != nil {
			t.Fatal(err)
		}
		rec, err := su.Record(n, seed, lines)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"Eve", "Flo"} {
			rec.Result.Parts = append(rec.Result.Parts, []game.Share{{Bot: bot.Random, Name: name, Turns: 9, Held: 9}})
		}
		result, err := json.Marshal(rec.Result)
		if err != nil {
			t.Fatal(err)
		}
		row := store.Game{ID: fmt.Sprint("finished", n), Name: fmt.Sprint("Voyage ", n), State: store.GameFinished, Options: su.Options, Seed: hex.EncodeToString(seed[:]), SetHash: su.Set.Hash,
			Visibility: []string{store.Private, store.Unlisted, store.Listed}[n%3], Result: string(result), Created: stageTime, Started: stageTime, Changed: stageTime, Ended: stageTime}
		seats := []store.Seat{{Place: 1, Seat: 1, Bot: bot.Random, Name: "Eve"}, {Place: 2, Seat: 2, Bot: bot.Random, Name: "Flo"}}
		err = d.Update(context.Background(), func(tx store.Tx) error {
			if err := tx.AddGame(row, seats); err != nil {
				return err
			}
			if err := tx.AddTenures(row.ID, []game.Tenure{{Place: 1, Bot: bot.Random, Name: "Eve", Why: game.TenureStart}, {Place: 2, Bot: bot.Random, Name: "Flo", Why: game.TenureStart}}); err != nil {
				return err
			}
			return tx.AppendLog(row.ID, lines)
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// The command counts what is over, prints what the page's data say, and says
// the same to the last byte however often it runs, from the logs alone, too.
func TestStatisticsCommand(t *testing.T) {
	g, _ := recordedGameOf(t, 0, 0)
	x := newServer(t, g, g.real(0))
	addFinished(t, x.s.DB, 0, 7)
	config := filepath.Join(x.dir, "angelpost.toml")
	first, code := program.Output(t, "statistics", "-config", config)
	var r statistics.Report
	if err := json.Unmarshal([]byte(first), &r); code != program.ExitYes || err != nil || len(r.Kinds) != 1 || r.Kinds[0].Figures.Games != 5 {
		t.Fatalf("exit %d, %v: %s", code, err, first)
	}
	for _, args := range [][]string{{"-anew"}, {}} {
		if again, code := program.Output(t, append([]string{"statistics", "-config", config}, args...)...); code != program.ExitYes || again != first {
			t.Errorf("%v: exit %d, prints\n%s\nand first\n%s", args, code, again, first)
		}
	}
	if _, page, _ := bytes.Cut(x.get(x.s.Pages(), "/statistics.json"), []byte("\r\n\r\n")); string(page) != first {
		t.Errorf("the page's data are\n%s\nthe command's\n%s", page, first)
	}
}
