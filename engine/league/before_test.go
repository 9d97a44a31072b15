package league

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"testing"
)

// TestBefore: leagues that were played before seasons had versions (Counting) have the
// tables that they had then, and their lines are those that would be made today.
func TestBefore(t *testing.T) {
	b, err := os.ReadFile("testdata/before.json")
	if err != nil {
		t.Fatal(err)
	}
	var leagues map[Kind]struct {
		Seed   int
		File   string
		Lines  []Line
		Tables []string
	}
	if err := json.Unmarshal(b, &leagues); err != nil {
		t.Fatal(err)
	}
	for _, kind := range []Kind{Divisions, Swiss, Knockout, Ladder, Solo} {
		old := leagues[kind]
		r, err := ParseRules(old.File)
		if err != nil {
			t.Fatal(err)
		}
		s, err := Replay(r, [32]byte{byte(old.Seed)}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if others, err := s.Verify(old.Lines); err != nil || others != nil {
			t.Errorf("%s: lines %v would be made otherwise: %v", kind, others, err)
		}
		var tables []string
		for _, x := range s.Seasons {
			for _, d := range x.Divisions {
				for _, row := range s.Standings(x.N, d.N) {
					var ties []string
					for _, f := range row.Ties {
						ties = append(ties, f.Value.String())
					}
					tables = append(tables, fmt.Sprint(x.N, d.N, row.Rank, row.Player, row.Points.Value, ties, row.Played, row.Games, row.Move, row.Left))
				}
			}
		}
		if len(tables) == 0 || !slices.Equal(tables, old.Tables) {
			t.Errorf("%s: the tables are\n%q\nand were\n%q", kind, tables, old.Tables)
		}
	}
}
