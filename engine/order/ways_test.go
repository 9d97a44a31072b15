package order_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"angelpost/engine"
	"angelpost/engine/order"
)

// ways.tsv has ways of writing a right order, and dictation.tsv what programs make of dictated
// ones, each with the canonical orders meant. Lines that begin like an order and are none mean
// "none". Column issue marks lines that the issue prints.

// below is an order below dictated lines, to see whether they are dropped in silence.
const below = "keep 044"

// outcome is what becomes of a line: "exact", "asked" (or refused), "dropped", or "wrong".
func outcome(lines []string, meant string, legal []engine.Step, ctx order.Context) string {
	asked := false
	var got []string
	for _, it := range order.ReadLetter(lines, "Ann").Items {
		switch {
		case it.Problem != nil && !strings.HasPrefix(it.Problem.Code, "order-"): // told, and keeps nothing
		case it.Doubt != "" || it.Problem != nil || it.Clause == nil:
			asked = true
		default:
			found, p := order.Match(*it.Clause, legal, ctx)
			asked = asked || p != nil
			for _, s := range found {
				got = append(got, order.Print(s))
			}
		}
	}
	switch s := strings.Join(got, "; "); {
	case asked:
		return "asked"
	case s == meant:
		return "exact"
	case s == "" || s == below:
		return "dropped"
	}
	return "wrong"
}

// TestWays measures how right orders are read in the ways in which people write and dictate
// them. The aims: no line is read as another order, and none that begins with an order's verb,
// or a word near one, is dropped. Until they are met the test compares with the recorded
// figures, which -update writes again.
func TestWays(t *testing.T) {
	ways, dictation := readRows(t, "ways.tsv"), readRows(t, "dictation.tsv")
	ctx := order.Context{Names: []string{"Ann", "Bob", "Gamma", "Dora"}}
	legal := steps(t, table)
	for _, r := range slices.Concat(ways, dictation) {
		if r["meant"] == "none" {
			continue
		}
		for _, s := range steps(t, strings.ReplaceAll(r["meant"], ";", "|")) {
			if !slices.Contains(legal, s) {
				legal = append(legal, s)
			}
		}
	}
	kinds := []string{"list", "answer", "polite", "shape", "dictated", "none"}
	outcomes := []string{"exact", "asked", "dropped", "wrong"}
	count := map[string]int{}
	shown := 0
	for i, r := range slices.Concat(ways, dictation) {
		lines, meant := strings.Split(r["line"], " / "), r["meant"]
		switch {
		case r["kind"] == "none":
			lines, meant = append([]string{below, ""}, lines...), below
		case i >= len(ways):
			lines, meant = append(lines, below), meant+"; "+below
		}
		if !slices.Contains(kinds, r["kind"]) {
			t.Fatalf("%q is of kind %q", r["line"], r["kind"])
		}
		got := outcome(lines, meant, legal, ctx)
		count[r["kind"]+" "+got]++
		if got != "exact" {
			if shown++; shown <= *showRemarks {
				t.Logf("%s: %q for %q", got, lines, meant)
			}
		}
	}
	got := fmt.Sprintf("%-10s%7s%7s%9s%7s\n", "", "exact", "asked", "dropped", "wrong")
	for _, k := range kinds {
		got += fmt.Sprintf("%-10s", k)
		for i, o := range outcomes {
			got += fmt.Sprintf("%*d", []int{7, 7, 9, 7}[i], count[k+" "+o])
		}
		got += "\n"
	}
	t.Log("\n" + got)
	const file = "testdata/remarks/ways.txt"
	if *updateFigures {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if want, err := os.ReadFile(file); err != nil || string(want) != got {
		t.Errorf("figures differ from %s: %v\n%s", file, err, got)
	}
}
