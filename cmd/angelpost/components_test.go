package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"angelpost/engine/component"
)

// boxed copies the built-in set into a folder of a name, with one text of a
// file replaced by another.
func boxed(t testing.TB, name, file, old, new string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), name)
	if err := os.CopyFS(dir, os.DirFS("../../engine/component/set")); err != nil {
		t.Fatal(err)
	}
	if file == "" {
		return dir
	}
	path := filepath.Join(dir, file)
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(b, []byte(old)) {
		t.Fatalf("%s: no %q", file, old)
	}
	if err := os.WriteFile(path, bytes.ReplaceAll(b, []byte(old), []byte(new)), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

// answered runs a command here and returns what it printed and said.
func answered(t testing.TB, args ...string) (code int, out, talk string) {
	t.Helper()
	var o, e bytes.Buffer
	code = run(args, &o, &e)
	return code, o.String(), e.String()
}

func TestComponentsCheck(t *testing.T) {
	own := component.BuiltIn(component.OldestName).Set.Hash
	code, out, talk := answered(t, "components", "check", boxed(t, "mine", "", "", ""))
	if code != exitYes || out != "ok set=mine hash="+own+"\n" || talk != "" {
		t.Errorf("a copy: %d %q %q", code, out, talk)
	}
	code, out, talk = answered(t, "components", "check", boxed(t, component.OldestName, "", "", ""))
	if code != exitYes || out != "ok set=ours hash="+own+"\n" || talk != "" {
		t.Errorf("a copy of the same name: %d %q %q", code, out, talk)
	}
	code, out, talk = answered(t, "components", "check", boxed(t, component.OldestName, "hal.txt", "ship       | 1", "ship | 2"))
	if code != exitYes || !regexp.MustCompile(`^ok set=ours hash=[0-9a-f]{64}\n$`).MatchString(out) || strings.Contains(out, own) || !strings.Contains(talk, "built-in") {
		t.Errorf("another set of the same name: %d %q %q", code, out, talk)
	}

	dir := boxed(t, "mine", "missions.txt", "013 M13 | 2 VP", "013 M13 | 3 VP")
	b, err := os.ReadFile(filepath.Join(dir, "board.txt"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "board.txt"), bytes.ReplaceAll(b, []byte("seat 1 | nothing            |"), []byte("seat 1 | 9 robots |")), 0o600); err != nil {
		t.Fatal(err)
	}
	code, out, talk = answered(t, "components", "check", dir)
	if want := `board.txt:33: C7: seat 1: "9 robots": want nothing, reserve, up to 5 resources, up to 10 VP ("reserve 1 resource 2 VP", for seat 2 "3/2/1 VP" with 2, 3 and 4 players)
missions.txt:26: C2: mission 013: reward "3 vp": want 1 VP, 2 VP, or one or two goods of ship, resource, robot
`; code != exitNo || out != want || talk != "" {
		t.Errorf("two faults: %d %q\n%s", code, talk, out)
	}
	if err := os.WriteFile(filepath.Join(dir, "strips.txt"), bytes.Repeat([]byte{0, 0xff, '\n'}, 5000), 0o600); err != nil {
		t.Fatal(err)
	}
	if code, out, _ = answered(t, "components", "check", dir); code != exitNo || strings.Count(out, "\n") < 400 || len(out) > 100_000 {
		t.Errorf("a binary file: %d, %d bytes", code, len(out))
	}
	if err := os.Remove(filepath.Join(dir, "hal.txt")); err != nil {
		t.Fatal(err)
	}
	if code, out, talk = answered(t, "components", "check", dir); code != exitUsage || !strings.Contains(talk, "hal.txt") || !strings.Contains(out, "board.txt:33") {
		t.Errorf("a file missing: %d %q", code, talk)
	}
	for _, dir := range []string{t.TempDir(), filepath.Join(dir, "board.txt"), filepath.Join(dir, "nowhere"), filepath.Join(t.TempDir(), "no name")} {
		if code, out, talk := answered(t, "components", "check", dir); code != exitUsage || out != "" || talk == "" {
			t.Errorf("%s: %d %q %q", dir, code, out, talk)
		}
	}
	for _, args := range [][]string{{"components", "check"}, {"components", "diff", "ours"}, {"components", "print"}, {"sim", "-json", "-set"}, {"demo", "-set"}} {
		if code, out, talk := answered(t, append(args, "nowhere")...); code != exitUsage || out != "" || strings.Count(talk, "\n") != 1 || !strings.Contains(talk, component.DefaultName) {
			t.Errorf("%v nowhere: %d %q %q", args, code, out, talk)
		}
	}
	if code, out, talk := answered(t, "components", "check", component.DefaultName); code != exitYes || out != "ok set="+component.DefaultName+" hash="+component.Default().Hash+"\n" || talk != "" {
		t.Errorf("a set that is built in: %d %q %q", code, out, talk)
	}
}

func TestComponentsDiff(t *testing.T) {
	mine := boxed(t, "mine", "missions.txt", "013 M13 | 2 VP               | orange green", "013 M13 | 2 resource | orange")
	code, out, talk := answered(t, "components", "diff", "ours", mine)
	if want := "mission 013 reward: 2 VP -> 2 resources\nmission 013 tiles: orange green -> orange\n"; code != exitNo || out != want || talk != "" {
		t.Errorf("%d %q %q", code, out, talk)
	}
	for _, pair := range [][2]string{{mine, mine}, {"ours", "ours"}, {"ours", boxed(t, "marked", "missions.txt", "| ours", "| known # from the box")}} {
		if code, out, talk := answered(t, "components", "diff", pair[0], pair[1]); code != exitYes || out+talk != "" {
			t.Errorf("%v: %d %q %q", pair, code, out, talk)
		}
	}
	// Alike, but for a plural: the values are the same, the hash is not.
	code, out, talk = answered(t, "components", "diff", "ours", boxed(t, "plural", "board.txt", "seat 2 | 1 resource ", "seat 2 | 1 resources"))
	if code != exitYes || out != "" || !strings.Contains(talk, "another hash") {
		t.Errorf("a plural: %d %q %q", code, out, talk)
	}
	for _, args := range [][]string{{"ours"}, {"ours", "theirs"}, {"ours", "./ours"}, {"ours", "ours", "ours"}, {"ours", boxed(t, "x", "hal.txt", "weight ship", "wait")}} {
		if code, out, talk := answered(t, append([]string{"components", "diff"}, args...)...); code != exitUsage || out != "" || talk == "" {
			t.Errorf("%v: %d %q %q", args, code, out, talk)
		}
	}
}

func TestComponentsPrint(t *testing.T) {
	code, out, talk := answered(t, "components", "print")
	if code != exitYes || talk != "" || !strings.HasPrefix(out, "<!doctype html>") || !strings.Contains(out, "<h1>Component set "+component.DefaultName+"</h1>") {
		t.Fatalf("%d %q %.200q", code, talk, out)
	}
	file := filepath.Join(t.TempDir(), "set.html")
	mine := boxed(t, "mine", "missions.txt", "013 M13 | 2 VP               | orange green  | ours", "013 M13 | 2 resource | orange | known # read by Ann")
	if code, out, talk := answered(t, "components", "print", "-o", file, mine); code != exitYes || out+talk != "" {
		t.Errorf("%d %q %q", code, out, talk)
	}
	b, err := os.ReadFile(file)
	if err != nil || !bytes.Contains(b, []byte("missions.txt, line 26: read by Ann")) || !bytes.Contains(b, []byte("Placing it earns 2 resources.")) {
		t.Errorf("%v, %d bytes", err, len(b))
	}
	for code, args := range map[int][]string{exitUsage: {"-set", "nowhere"}, exitEnvironment: {"-o", filepath.Join(file, "below")}} {
		if got, out, talk := answered(t, append([]string{"components", "print"}, args...)...); got != code || out != "" || talk == "" {
			t.Errorf("%v: %d %q %q", args, got, out, talk)
		}
	}
	for _, args := range [][]string{{}, {"burn"}} {
		if code, out, talk := answered(t, append([]string{"components"}, args...)...); code != exitUsage || out != "" || !strings.Contains(talk, "check") {
			t.Errorf("%v: %d %q %q", args, code, out, talk)
		}
	}
}
