package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

func simOutput(t *testing.T, args ...string) []byte {
	t.Helper()
	var out, talk bytes.Buffer
	if code := runSim(append(args, "-json"), &out, &talk); code != exitYes {
		t.Fatalf("sim %v: exit %d\n%s", args, code, talk.Bytes())
	}
	return out.Bytes()
}

// TestSimPrints holds the form of sim's output, and that any number of workers
// print the same bytes.
func TestSimPrints(t *testing.T) {
	args := []string{"-players", "3", "-games", "12", "-seed", "form", "-bot", "greedy,random"}
	one := simOutput(t, args...)
	if many := simOutput(t, append(args, "-workers", "5")...); !bytes.Equal(one, many) {
		t.Error("five workers print something else than one")
	}
	lines := strings.Split(strings.TrimSuffix(string(one), "\n"), "\n")
	if len(lines) != 13 {
		t.Fatalf("%d lines for 12 games and a summary", len(lines))
	}
	for i, line := range lines[:12] {
		var r map[string]any
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatal(err)
		}
		for _, key := range []string{"schema", "game", "seed", "players", "rounds", "turns", "decisions", "ending", "scores", "winners", "log_sha256"} {
			if r[key] == nil {
				t.Errorf("game %d has no %s: %s", i+1, key, line)
			}
		}
		if r["game"] != float64(i+1) || r["players"] != 3.0 || len(r["scores"].([]any)) != 3 {
			t.Errorf("line %d: %s", i+1, line)
		}
	}
	var last struct {
		Summary struct {
			Games int
			Bots  []string
			Seats []struct{ Wins int }
		}
	}
	if err := json.Unmarshal([]byte(lines[12]), &last); err != nil {
		t.Fatal(err)
	}
	if s := last.Summary; s.Games != 12 || strings.Join(s.Bots, " ") != "greedy random greedy" || s.Seats[0].Wins+s.Seats[1].Wins+s.Seats[2].Wins < 12 {
		t.Errorf("summary: %s", lines[12])
	}
}

// TestSimRecords holds that verify accepts the records, with the hash that sim
// printed.
func TestSimRecords(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "records")
	out := simOutput(t, "-players", "2", "-games", "3", "-seed", "records", "-records", dir, "-workers", "2")
	lines := strings.Split(string(out), "\n")
	for i := 1; i <= 3; i++ {
		file := filepath.Join(dir, "sim-"+strconv.Itoa(i)+".json")
		var ok, talk bytes.Buffer
		if code := runVerify([]string{file}, &ok, &talk); code != exitYes || !strings.HasPrefix(ok.String(), "ok game=sim-") {
			t.Fatalf("verify %s: exit %d %s%s", file, code, ok.Bytes(), talk.Bytes())
		}
		rec, err := readRecord(file)
		if err != nil {
			t.Fatal(err)
		}
		if want := `"log_sha256":"` + rec.Result.LogHash + `"`; !strings.Contains(lines[i-1], want) {
			t.Errorf("record %d has %s, sim printed %s", i, want, lines[i-1])
		}
		if want := `"seed":"` + rec.Seed + `"`; !strings.Contains(lines[i-1], want) {
			t.Errorf("record %d has %s, sim printed %s", i, want, lines[i-1])
		}
	}
}

// TestSimSet plays with a set from a directory, and refuses a broken one with
// file and line.
func TestSimSet(t *testing.T) {
	from := filepath.Join("..", "..", "engine", "component", "set")
	dir := filepath.Join(t.TempDir(), "mine")
	if err := os.CopyFS(dir, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
	if out := simOutput(t, "-games", "1", "-set", dir); !bytes.Contains(out, []byte(`"set":"mine"`)) {
		t.Errorf("the set's name is not in the summary:\n%s", out)
	}
	file := filepath.Join(dir, "board.txt")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, bytes.Replace(text, []byte("reserve 1 resource"), []byte("1 resource"), 1), 0o600); err != nil {
		t.Fatal(err)
	}
	var out, talk bytes.Buffer
	if code := runSim([]string{"-json", "-set", dir}, &out, &talk); code != exitUsage || !strings.Contains(talk.String(), "board.txt:33: C7: seat 4") || out.Len() > 0 {
		t.Errorf("exit %d, stdout %q, stderr %s", code, out.Bytes(), talk.Bytes())
	}
}

// TestSimRefuses holds that bad options are refused with exit 2 and no output.
func TestSimRefuses(t *testing.T) {
	for _, args := range [][]string{
		{"-players", "5"}, {"-players", "0"}, {"-players", "-1"}, {"-games", "0"}, {"-workers", "0"}, {"-bot", "clever"},
		{"-bot", "greedy,greedy,greedy", "-players", "2"}, {"-rules", "hard"}, {"-edition", "second"}, {"-hal", "easy"},
		{"-hal", "mild", "-players", "1"}, {"-set", "no-such-folder"}, {"-unknown"}, {"extra"}, {"-bot", ""},
	} {
		var out, talk bytes.Buffer
		if code := runSim(append([]string{"-json"}, args...), &out, &talk); code != exitUsage || out.Len() > 0 || talk.Len() == 0 {
			t.Errorf("sim %v: exit %d, stdout %q, stderr %q", args, code, out.Bytes(), talk.Bytes())
		}
	}
}
