package program

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"angelpost/engine/game"
)

// CheckRecord verifies an exported record, and that each kind of change is
// found where it was made (web/API.md, verify).
func CheckRecord(t *testing.T, record string) {
	t.Helper()
	verify := func(rec string) (string, int) {
		file := filepath.Join(t.TempDir(), "record.json")
		if err := os.WriteFile(file, []byte(rec), 0o600); err != nil {
			t.Fatal(err)
		}
		return Output(t, "verify", file)
	}
	out, code := verify(record)
	if code != ExitYes || !strings.HasPrefix(out, "ok game=") {
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
		if want := fmt.Sprintf("differs line=%d field=%s ", line, field); code != ExitNo || line >= 0 && !strings.HasPrefix(out, want) || line < 0 && !strings.Contains(out, " field="+field+" ") {
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
	middle := func(rec map[string]any) map[string]any {
		return find(rec, func(map[string]any) bool { return true })
	}
	change("the game", func(rec map[string]any) int { rec["game"] = rec["game"].(string) + "x"; return 0 }, "checksum")
	change("the viewer", func(rec map[string]any) int { rec["viewer"] = 1 - rec["viewer"].(float64); return 0 }, "viewer")
	change("the rules", func(rec map[string]any) int {
		o := rec["options"].(map[string]any)
		o["rules"] = map[bool]string{true: "advanced", false: "base"}[o["rules"] == "base"]
		return 0
	}, "options")
	change("who wrote a line", func(rec map[string]any) int { l := middle(rec); l["by"] = "director"; return number(l) }, "by")
	change("a sum", func(rec map[string]any) int { l := middle(rec); l["sum"] = "0123456789abcdef"; return number(l) }, "sum")
	change("who took how many turns", func(rec map[string]any) int {
		part := rec["result"].(map[string]any)["parts"].([]any)[0].([]any)[0].(map[string]any)
		part["turns"] = part["turns"].(float64) + 1
		return len(log(rec))
	}, "result")
	for what, f := range map[string]func(rec map[string]any){
		"a sum emptied":     func(rec map[string]any) { middle(rec)["sum"] = "" },
		"a sum left out":    func(rec map[string]any) { delete(middle(rec), "sum") },
		"no checksum":       func(rec map[string]any) { delete(rec, "checksum") },
		"an empty checksum": func(rec map[string]any) { rec["checksum"] = "" },
		"a key more":        func(rec map[string]any) { middle(rec)["more"] = 1 },
		"a key less":        func(rec map[string]any) { delete(rec, "viewer") },
		"another schema":    func(rec map[string]any) { rec["schema"] = 1 },
	} {
		var rec map[string]any
		if err := json.Unmarshal([]byte(record), &rec); err != nil {
			t.Fatal(err)
		}
		f(rec)
		b, err := json.Marshal(rec)
		if err != nil {
			t.Fatal(err)
		}
		if out, code := verify(string(b)); code != ExitUsage || out != "" {
			t.Errorf("%s: exit %d, %q", what, code, out)
		}
	}
	if out, code := verify(strings.Replace(record, `"viewer":0`, `"viewer":0,"viewer":0`, 1)); code != ExitUsage || out != "" {
		t.Errorf("a key twice: exit %d, %q", code, out)
	}
}

// Record is the record of a stored game.
func Record(t *testing.T, config, game string) (rec game.Record) {
	t.Helper()
	text, code := Output(t, "export", "-config", config, game)
	if err := json.Unmarshal([]byte(text), &rec); err != nil || code != ExitYes {
		t.Fatalf("export: %d %v", code, err)
	}
	return rec
}
