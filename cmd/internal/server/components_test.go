package server

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"angelpost/engine/component"
	"angelpost/engine/component/settest"
)

// boxed copies the built-in set into a folder of a name, with one text of a
// file replaced by another.
func boxed(t testing.TB, name, file, old, new string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), name)
	if err := os.CopyFS(dir, component.Files()); err != nil {
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
	code = Run(args, &o, &e)
	return code, o.String(), e.String()
}

func TestComponentsCheck(t *testing.T) {
	own := component.Default().Hash
	code, out, talk := answered(t, "components", "check", boxed(t, "mine", "", "", ""))
	if code != exitYes || out != "ok set=mine hash="+own+"\n" || talk != "" {
		t.Errorf("a copy: %d %q %q", code, out, talk)
	}
	code, out, talk = answered(t, "components", "check", boxed(t, component.DefaultName, "", "", ""))
	if code != exitYes || out != "ok set=crossing hash="+own+"\n" || talk != "" {
		t.Errorf("a copy of the same name: %d %q %q", code, out, talk)
	}
	code, out, talk = answered(t, "components", "check", boxed(t, component.DefaultName, "hal.txt", "ship       | 1", "ship | 2"))
	if code != exitYes || !regexp.MustCompile(`^ok set=crossing hash=[0-9a-f]{64}\n$`).MatchString(out) || strings.Contains(out, own) || !strings.Contains(talk, "built-in") {
		t.Errorf("another set of the same name: %d %q %q", code, out, talk)
	}

	dir := boxed(t, "mine", "missions.txt", "013 M13 | 2 VP", "013 M13 | 3 dice")
	b, err := os.ReadFile(filepath.Join(dir, "board.txt"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "board.txt"), bytes.ReplaceAll(b, []byte("seat 1 | nothing                  |"), []byte("seat 1 | 9 cards |")), 0o600); err != nil {
		t.Fatal(err)
	}
	code, out, talk = answered(t, "components", "check", dir)
	if want := `board.txt:34: C7: seat 1: "9 cards": want nothing, or reserve, and up to 20 each of ship, resource, robot, debris and VP ("reserve 1 resource 2 VP", for seat 2 "3/2/1 VP" with 2, 3 and 4 players)
missions.txt:26: C2: mission 013: reward "3 dice": want 1 to 9 each of VP, ship, resource, robot ("2 VP", "1 ship 1 robot")
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
	if code, out, talk = answered(t, "components", "check", dir); code != exitUsage || !strings.Contains(talk, "hal.txt") || !strings.Contains(out, "board.txt:34") {
		t.Errorf("a file missing: %d %q", code, talk)
	}
	for _, dir := range []string{t.TempDir(), filepath.Join(dir, "board.txt"), filepath.Join(dir, "nowhere"), filepath.Join(t.TempDir(), "no name")} {
		if code, out, talk := answered(t, "components", "check", dir); code != exitUsage || out != "" || talk == "" {
			t.Errorf("%s: %d %q %q", dir, code, out, talk)
		}
	}
	for _, args := range [][]string{{"components", "check"}, {"components", "diff", "crossing"}, {"components", "print"}, {"sim", "-json", "-set"}, {"demo", "-set"}} {
		if code, out, talk := answered(t, append(args, "nowhere")...); code != exitUsage || out != "" || strings.Count(talk, "\n") != 1 || !strings.Contains(talk, component.DefaultName) {
			t.Errorf("%v nowhere: %d %q %q", args, code, out, talk)
		}
	}
	if code, out, talk := answered(t, "components", "check", component.DefaultName); code != exitYes || out != "ok set="+component.DefaultName+" hash="+component.Default().Hash+"\n" || talk != "" {
		t.Errorf("a set that is built in: %d %q %q", code, out, talk)
	}
}

// TestComponentsWarn checks boxes that are unusual, and plays them: warnings are
// on stderr, and the set is fine all the same.
func TestComponentsWarn(t *testing.T) {
	code, out, talk := answered(t, "components", "check", boxed(t, "mine", "ravagers.txt", "067 V2 | location 1 | gray ", "067 V2 | location 1 | orange"))
	want := `warning: ravagers.txt:18: C5: ravager 067: the die is orange, which is location 1's own colour
warning: ravagers.txt:22: C5: ravager 071: a third V2 card whose die is orange; usually each colour has two
`
	if code != exitYes || !regexp.MustCompile(`^ok set=mine hash=[0-9a-f]{64}\n$`).MatchString(out) || talk != want {
		t.Errorf("%d %q %q", code, out, talk)
	}
	for seed := range uint64(3) {
		dir := filepath.Join(t.TempDir(), "odd")
		if err := os.CopyFS(dir, settest.UnusualFiles(seed)); err != nil {
			t.Fatal(err)
		}
		code, out, talk := answered(t, "components", "check", dir)
		if code != exitYes || !strings.HasPrefix(out, "ok set=odd ") || strings.Count(talk, "\n") < 50 || strings.Count(talk, "\n") != strings.Count(talk, "warning: ") {
			t.Errorf("%d: %d %q %q", seed, code, out, talk)
		}
		if code, out, talk := answered(t, "components", "print", dir); code != exitYes || talk != "" || !strings.Contains(out, "<h1>Component set odd</h1>") {
			t.Errorf("%d: %d %q", seed, code, talk)
		}
		records := t.TempDir()
		for players := 1; players <= 4; players++ {
			for _, rules := range []string{"base", "advanced"} {
				to := filepath.Join(records, fmt.Sprint(players, rules))
				if code, _, talk := answered(t, "sim", "-players", strconv.Itoa(players), "-rules", rules, "-games", "2", "-seed", "odd", "-bot", "greedy", "-set", dir, "-records", to, "-json"); code != exitYes {
					t.Fatalf("%d: sim with %d: %d %s", seed, players, code, talk)
				}
				files, err := filepath.Glob(filepath.Join(to, "*"))
				if err != nil || len(files) != 2 {
					t.Fatal(files, err)
				}
				for _, f := range files {
					if code, out, talk := answered(t, "verify", "-set", dir, f); code != exitYes {
						t.Errorf("%d: %s: %d %q %q", seed, f, code, out, talk)
					}
				}
			}
		}
	}
}

// TestComponentsRefuse holds that a display of three spaces is no set for any
// command.
func TestComponentsRefuse(t *testing.T) {
	dir := boxed(t, "short", "board.txt", "display | 2 2 1 1 1 1 ", "display | 2 2 1 ")
	const fault = "board.txt:21: C8: display: want 5 to 8 spaces, got 3"
	if code, out, talk := answered(t, "components", "check", dir); code != exitNo || out != fault+"\n" || talk != "" {
		t.Errorf("%d %q %q", code, out, talk)
	}
	for _, args := range [][]string{{"sim", "-json", "-set"}, {"demo", "-set"}, {"components", "print", "-set"}, {"components", "diff", "crossing"}} {
		if code, out, talk := answered(t, append(args, dir)...); code != exitUsage || out != "" || !strings.Contains(talk, fault) {
			t.Errorf("%v: %d %q %q", args, code, out, talk)
		}
	}
}

func TestComponentsDiff(t *testing.T) {
	mine := boxed(t, "mine", "missions.txt", "013 M13 | 2 VP               | orange green", "013 M13 | 2 resource | orange")
	code, out, talk := answered(t, "components", "diff", "crossing", mine)
	if want := "mission 013 reward: 2 VP -> 2 resources\nmission 013 tiles: orange green -> orange\n"; code != exitNo || out != want || talk != "" {
		t.Errorf("%d %q %q", code, out, talk)
	}
	for _, pair := range [][2]string{{mine, mine}, {"crossing", "crossing"}, {"crossing", boxed(t, "marked", "missions.txt", "| ours", "| known # from the box")}} {
		if code, out, talk := answered(t, "components", "diff", pair[0], pair[1]); code != exitYes || out+talk != "" {
			t.Errorf("%v: %d %q %q", pair, code, out, talk)
		}
	}
	// Alike, but for a plural: the values are the same, the hash is not.
	code, out, talk = answered(t, "components", "diff", "crossing", boxed(t, "plural", "board.txt", "1 resource 3 VP", "1 resources 3 VP"))
	if code != exitYes || out != "" || !strings.Contains(talk, "changes the hash") {
		t.Errorf("a plural: %d %q %q", code, out, talk)
	}
	for _, args := range [][]string{{"crossing"}, {"crossing", "theirs"}, {"crossing", "./crossing"}, {"crossing", "crossing", "crossing"}, {"crossing", boxed(t, "x", "hal.txt", "weight ship", "wait")}} {
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
