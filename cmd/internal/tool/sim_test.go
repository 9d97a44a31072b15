package tool

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"angelpost/cmd/internal/cli"
	"angelpost/cmd/internal/program"
	"angelpost/engine/component"
	"angelpost/engine/sim"
)

func simOutput(t *testing.T, args ...string) []byte {
	t.Helper()
	var out, talk bytes.Buffer
	if code := RunSim(append(args, "-json"), &out, &talk); code != cli.ExitYes {
		t.Fatalf("sim %v: exit %d\n%s", args, code, talk.Bytes())
	}
	return out.Bytes()
}

// TestSimPrints holds the form of sim's output, and that any number of workers
// print the same bytes.
// The flag takes the rulebook's word for a level, and data has its own.
func TestSimTakesDifficult(t *testing.T) {
	for _, more := range []string{"-rules base", "-matrix -rules base -edition revised"} {
		args := append(strings.Fields(more), "-players", "1", "-games", "1", "-seed", "form")
		hard := simOutput(t, append(args, "-hal", "hard")...)
		if difficult := simOutput(t, append(args, "-hal", "difficult")...); !bytes.Equal(hard, difficult) || !bytes.Contains(hard, []byte(`"hard"`)) {
			t.Errorf("%s: hard\n%s\ndifficult\n%s", more, hard, difficult)
		}
	}
}

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
		if code, ok, talk := program.Outcome(t, "verify", file); code != cli.ExitYes || !strings.HasPrefix(ok, "ok game=sim-") {
			t.Fatalf("verify %s: exit %d %s%s", file, code, ok, talk)
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
	dir := filepath.Join(t.TempDir(), "mine")
	if err := os.CopyFS(dir, component.Files()); err != nil {
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
	line := bytes.Count(text[:bytes.Index(text, []byte("reserve 1 resource"))], []byte("\n")) + 1
	where := "board.txt:" + strconv.Itoa(line) + ": C7: seat 4"
	var out, talk bytes.Buffer
	if code := RunSim([]string{"-json", "-set", dir}, &out, &talk); code != cli.ExitUsage || !strings.Contains(talk.String(), where) || out.Len() > 0 {
		t.Errorf("exit %d, stdout %q, stderr %s", code, out.Bytes(), talk.Bytes())
	}
}

// TestSimRefuses holds that bad options are refused with exit 2 and no output.
func TestSimRefuses(t *testing.T) {
	for _, args := range [][]string{
		{"-players", "5"}, {"-players", "0"}, {"-players", "-1"}, {"-games", "0"}, {"-workers", "0"}, {"-bot", "clever"},
		{"-bot", "greedy,greedy,greedy", "-players", "2"}, {"-rules", "hard"}, {"-edition", "second"}, {"-hal", "easy"},
		{"-hal", "mild", "-players", "1"}, {"-games", "100000001"}, {"-matrix", "-hal", "easy", "-players", "2"},
		{"-report", "no-such-folder/x", "-page", "no-such-folder/x"}, {"-matrix", "-bot", "greedy,random"}, {"-matrix", "-players", "0"}, {"-matrix", "-rules", "hard"}, {"-matrix", "-records", "no-such-folder"}, {"-set", "no-such-folder"}, {"-unknown"}, {"extra"}, {"-bot", ""},
	} {
		var out, talk bytes.Buffer
		if code := RunSim(append([]string{"-json"}, args...), &out, &talk); code != cli.ExitUsage || out.Len() > 0 || talk.Len() == 0 {
			t.Errorf("sim %v: exit %d, stdout %q, stderr %q", args, code, out.Bytes(), talk.Bytes())
		}
	}
}

// TestSimReports holds that the report is the same for any number of workers,
// in the order of the setups, and about the games that stdout tells.
func TestSimReports(t *testing.T) {
	dir := t.TempDir()
	args := []string{"-matrix", "-edition", "revised", "-games", "2", "-seed", "report", "-bot", "random"}
	var files, pages [2][]byte
	var outs [2][]byte
	for i, workers := range []string{"1", "4"} {
		file := filepath.Join(dir, "report-"+workers+".json")
		outs[i] = simOutput(t, append(args, "-workers", workers, "-report", file, "-page", file+".html")...)
		var err error
		if files[i], err = os.ReadFile(file); err != nil {
			t.Fatal(err)
		}
		if pages[i], err = os.ReadFile(file + ".html"); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(files[0], files[1]) || !bytes.Equal(outs[0], outs[1]) || !bytes.Equal(pages[0], pages[1]) {
		t.Error("four workers write something else than one")
	}
	if !bytes.HasPrefix(pages[0], []byte("<!doctype html>")) || bytes.Count(pages[0], []byte("<section")) != 15 {
		t.Errorf("the page begins %.20q", pages[0])
	}
	var report sim.Report
	if err := json.Unmarshal(files[0], &report); err != nil {
		t.Fatal(err)
	}
	var setups []string
	for _, f := range report.Runs {
		setups = append(setups, strconv.Itoa(f.Players)+" "+f.Rules+" "+f.Edition+" "+f.Hal)
		if f.Games != 2 || f.Wanted != 2 || f.Turns.N != 2 || len(f.Seats) != max(f.Players, 2) || len(f.Uses["missions"]) != 60 {
			t.Errorf("%s: %d of %d games, %d seats, %d Missions", setups[len(setups)-1], f.Games, f.Wanted, len(f.Seats), len(f.Uses["missions"]))
		}
	}
	if got, want := strings.Join(setups, "; "), "2 base revised ; 2 advanced revised ; 3 base revised ; 3 advanced revised ; 4 base revised ; 4 advanced revised ; "+
		"1 base revised easy; 1 base revised standard; 1 base revised hard; 1 base revised extreme; "+
		"1 advanced revised easy; 1 advanced revised standard; 1 advanced revised hard; 1 advanced revised extreme"; got != want {
		t.Errorf("setups %s", got)
	}
	if lines := bytes.Count(outs[0], []byte("\n")); lines != 14*3 || !report.Whole || report.Seed != "report" {
		t.Errorf("%d lines, seed %q, whole %v", lines, report.Seed, report.Whole)
	}
}

// TestSimStopped holds that what was played before an interruption is told and
// written, and said to be a part; without -json stdout stays empty.
func TestSimStopped(t *testing.T) {
	for _, asJSON := range []bool{true, false} {
		file := filepath.Join(t.TempDir(), "report.json")
		ctx, stop := context.WithCancel(t.Context())
		out := &stopper{stop: stop}
		args := []string{"-games", "100000000", "-players", "2", "-bot", "random", "-report", file}
		if asJSON {
			args = append(args, "-json")
		} else {
			stop()
		}
		var talk bytes.Buffer
		if code := simCommand(ctx, args, out, &talk); code != cli.ExitEnvironment || !strings.Contains(talk.String(), "stopped after ") {
			t.Fatalf("exit %d, %s", code, talk.String())
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var report sim.Report
		if err := json.Unmarshal(text, &report); err != nil {
			t.Fatal(err)
		}
		lines := bytes.Count(out.Bytes(), []byte("\n"))
		want := 0
		if asJSON {
			want = report.Runs[0].Games + 1
		}
		if lines != want || report.Whole || report.Runs[0].Wanted != 100_000_000 || asJSON && !bytes.Contains(out.Bytes(), []byte(`{"summary":{"games":`+strconv.Itoa(report.Runs[0].Games))) {
			t.Errorf("%d lines, report: %d of %d games, whole %v", lines, report.Runs[0].Games, report.Runs[0].Wanted, report.Whole)
		}
	}
	var out, talk bytes.Buffer
	file := filepath.Join(t.TempDir(), "no-such-folder", "report.json")
	if code := RunSim([]string{"-json", "-report", file}, &out, &talk); code != cli.ExitEnvironment || out.Len() > 0 {
		t.Errorf("a report that cannot be written: exit %d, stdout %q, stderr %s", code, out.Bytes(), talk.Bytes())
	}
}

// A stopper stops a run with its first write.
type stopper struct {
	bytes.Buffer
	stop context.CancelFunc
}

func (s *stopper) Write(b []byte) (int, error) {
	s.stop()
	return s.Buffer.Write(b)
}

// TestProgress holds what is told of a run, and how often.
func TestProgress(t *testing.T) {
	for _, live := range []bool{true, false} {
		var out bytes.Buffer
		p := newProgress(&out, 100)
		now := p.begun
		p.now, p.live = func() time.Time { return now }, live
		for range 25 {
			now = now.Add(500 * time.Millisecond)
			p.did()
		}
		p.end()
		p.end()
		want := "20 of 100 games, 2.0 a second, about 40s to go\n"
		if live {
			want = "\r\x1b[K2 of 100 games, 2.0 a second, about 49s to go"
			if n := strings.Count(out.String(), "\r"); n != 13 || !strings.HasSuffix(out.String(), "go\r\x1b[K") {
				t.Errorf("%d lines on a terminal: %q", n, out.String())
			}
		} else if out.String() != want {
			t.Errorf("told %q", out.String())
		}
		if !strings.HasPrefix(out.String(), want) {
			t.Errorf("told %q, want %q", out.String(), want)
		}
	}
}
