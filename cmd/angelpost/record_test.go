package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// checkRecord verifies an exported record, and that each kind of change is
// found where it was made (CONTRACT.md, verify).
func checkRecord(t *testing.T, record string) {
	t.Helper()
	verify := func(rec string) (string, int) {
		file := filepath.Join(t.TempDir(), "record.json")
		if err := os.WriteFile(file, []byte(rec), 0o600); err != nil {
			t.Fatal(err)
		}
		return output(t, "verify", file)
	}
	out, code := verify(record)
	if code != exitYes || !strings.HasPrefix(out, "ok game=") {
		t.Fatalf("verify: %d %q", code, out)
	}
	change := func(what string, f func(rec map[string]any) (line int), field string) {
		t.Helper()
		var rec map[string]any
		if err := json.Unmarshal([]byte(record), &rec); err != nil {
			t.Fatal(err)
		}
		line := f(rec)
		b, err := json.Marshal(rec)
		if err != nil {
			t.Fatal(err)
		}
		out, code := verify(string(b))
		if want := fmt.Sprintf("differs line=%d field=%s ", line, field); code != exitNo || line >= 0 && !strings.HasPrefix(out, want) || line < 0 && !strings.Contains(out, " field="+field+" ") {
			t.Errorf("%s: exit %d, %q, want %q", what, code, out, want)
		}
	}
	log := func(rec map[string]any) []any { return rec["log"].([]any) }
	find := func(rec map[string]any, pred func(line map[string]any) bool) map[string]any {
		lines := log(rec)
		for i := len(lines) / 2; i < len(lines); i++ {
			if l := lines[i].(map[string]any); pred(l) {
				return l
			}
		}
		t.Fatal("no such line in the second half of the record")
		return nil
	}
	number := func(l map[string]any) int { return int(l["n"].(float64)) }

	change("a roll", func(rec map[string]any) int {
		l := find(rec, func(l map[string]any) bool {
			told, _ := l["told"].([]any)
			for _, s := range told {
				if strings.Contains(s.(string), " die ") {
					return true
				}
			}
			return false
		})
		told := l["told"].([]any)
		for i, s := range told {
			if s := s.(string); strings.Contains(s, " die ") {
				digit := s[len(s)-1:]
				told[i] = s[:len(s)-1] + map[string]string{"0": "1", "1": "2", "2": "3", "3": "0"}[digit]
				break
			}
		}
		return number(l)
	}, "told")
	change("an order", func(rec map[string]any) int {
		l := find(rec, func(l map[string]any) bool { return strings.HasPrefix(l["order"].(string), "die ") })
		l["order"] = "B"
		return number(l)
	}, "order")
	change("a score", func(rec map[string]any) int {
		score := rec["result"].(map[string]any)["scores"].([]any)[0].(map[string]any)
		score["final"] = score["final"].(float64) + 1
		return len(log(rec))
	}, "result")
	change("a digit of the seed", func(rec map[string]any) int {
		seed := rec["seed"].(string)
		rec["seed"] = map[bool]string{true: "1", false: "0"}[seed[0] == '0'] + seed[1:]
		return 0
	}, "seed")
}
