package tool

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"angelpost/cmd/internal/cli"
	"angelpost/cmd/internal/program"
	"angelpost/engine/component"
	"angelpost/engine/component/settest"
)

func TestComponentsCheck(t *testing.T) {
	own := component.Default().Hash
	code, out, talk := program.Outcome(t, "components", "check", program.Boxed(t, "mine", "", "", ""))
	if code != cli.ExitYes || out != "ok set=mine hash="+own+"\n" || talk != "" {
		t.Errorf("a copy: %d %q %q", code, out, talk)
	}
	code, out, talk = program.Outcome(t, "components", "check", program.Boxed(t, component.DefaultName, "", "", ""))
	if code != cli.ExitYes || out != "ok set=crossing hash="+own+"\n" || talk != "" {
		t.Errorf("a copy of the same name: %d %q %q", code, out, talk)
	}
	code, out, talk = program.Outcome(t, "components", "check", program.Boxed(t, component.DefaultName, "hal.txt", "ship       | 1", "ship | 2"))
	if code != cli.ExitYes || !regexp.MustCompile(`^ok set=crossing hash=[0-9a-f]{64}\n$`).MatchString(out) || strings.Contains(out, own) || !strings.Contains(talk, "built-in") {
		t.Errorf("another set of the same name: %d %q %q", code, out, talk)
	}

	dir := program.Boxed(t, "mine", "missions.txt", "013 M13 | 2 VP", "013 M13 | 3 dice")
	b, err := os.ReadFile(filepath.Join(dir, "board.txt"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "board.txt"), bytes.ReplaceAll(b, []byte("seat 1 | nothing                  |"), []byte("seat 1 | 9 cards |")), 0o600); err != nil {
		t.Fatal(err)
	}
	code, out, talk = program.Outcome(t, "components", "check", dir)
	if want := `board.txt:34: C7: seat 1: "9 cards": want nothing, or reserve, and up to 20 each of ship, resource, robot, debris and VP ("reserve 1 resource 2 VP", for seat 2 "3/2/1 VP" with 2, 3 and 4 players)
missions.txt:26: C2: mission 013: reward "3 dice": want 1 to 9 each of VP, ship, resource, robot ("2 VP", "1 ship 1 robot")
`; code != cli.ExitNo || out != want || talk != "" {
		t.Errorf("two faults: %d %q\n%s", code, talk, out)
	}
	if err := os.WriteFile(filepath.Join(dir, "strips.txt"), bytes.Repeat([]byte{0, 0xff, '\n'}, 5000), 0o600); err != nil {
		t.Fatal(err)
	}
	if code, out, _ = program.Outcome(t, "components", "check", dir); code != cli.ExitNo || strings.Count(out, "\n") < 400 || len(out) > 100_000 {
		t.Errorf("a binary file: %d, %d bytes", code, len(out))
	}
	if err := os.Remove(filepath.Join(dir, "hal.txt")); err != nil {
		t.Fatal(err)
	}
	if code, out, talk = program.Outcome(t, "components", "check", dir); code != cli.ExitUsage || !strings.Contains(talk, "hal.txt") || !strings.Contains(out, "board.txt:34") {
		t.Errorf("a file missing: %d %q", code, talk)
	}
	for _, dir := range []string{t.TempDir(), filepath.Join(dir, "board.txt"), filepath.Join(dir, "nowhere"), filepath.Join(t.TempDir(), "no name")} {
		if code, out, talk := program.Outcome(t, "components", "check", dir); code != cli.ExitUsage || out != "" || talk == "" {
			t.Errorf("%s: %d %q %q", dir, code, out, talk)
		}
	}
	for _, args := range [][]string{{"components", "check"}, {"components", "diff", "crossing"}, {"components", "print"}, {"sim", "-json", "-set"}, {"demo", "-set"}} {
		if code, out, talk := program.Outcome(t, append(args, "nowhere")...); code != cli.ExitUsage || out != "" || strings.Count(talk, "\n") != 1 || !strings.Contains(talk, component.DefaultName) {
			t.Errorf("%v nowhere: %d %q %q", args, code, out, talk)
		}
	}
	if code, out, talk := program.Outcome(t, "components", "check", component.DefaultName); code != cli.ExitYes || out != "ok set="+component.DefaultName+" hash="+component.Default().Hash+"\n" || talk != "" {
		t.Errorf("a set that is built in: %d %q %q", code, out, talk)
	}
}

// TestComponentsWarn checks boxes that are unusual, and plays them: warnings are
// on stderr, and the set is fine all the same.
func TestComponentsWarn(t *testing.T) {
	code, out, talk := program.Outcome(t, "components", "check", program.Boxed(t, "mine", "ravagers.txt", "067 V2 | location 1 | gray ", "067 V2 | location 1 | orange"))
	want := `warning: ravagers.txt:18: C5: ravager 067: the die is orange, which is location 1's own colour
warning: ravagers.txt:22: C5: ravager 071: a third V2 card whose die is orange; usually each colour has two
`
	if code != cli.ExitYes || !regexp.MustCompile(`^ok set=mine hash=[0-9a-f]{64}\n$`).MatchString(out) || talk != want {
		t.Errorf("%d %q %q", code, out, talk)
	}
	for seed := range uint64(3) {
		dir := filepath.Join(t.TempDir(), "odd")
		if err := os.CopyFS(dir, settest.UnusualFiles(seed)); err != nil {
			t.Fatal(err)
		}
		code, out, talk := program.Outcome(t, "components", "check", dir)
		if code != cli.ExitYes || !strings.HasPrefix(out, "ok set=odd ") || strings.Count(talk, "\n") < 50 || strings.Count(talk, "\n") != strings.Count(talk, "warning: ") {
			t.Errorf("%d: %d %q %q", seed, code, out, talk)
		}
		if code, out, talk := program.Outcome(t, "components", "print", dir); code != cli.ExitYes || talk != "" || !strings.Contains(out, "<h1>Component set odd</h1>") {
			t.Errorf("%d: %d %q", seed, code, talk)
		}
		records := t.TempDir()
		for players := 1; players <= 4; players++ {
			for _, rules := range []string{"base", "advanced"} {
				to := filepath.Join(records, fmt.Sprint(players, rules))
				if code, _, talk := program.Outcome(t, "sim", "-players", strconv.Itoa(players), "-rules", rules, "-games", "2", "-seed", "odd", "-bot", "greedy", "-set", dir, "-records", to, "-json"); code != cli.ExitYes {
					t.Fatalf("%d: sim with %d: %d %s", seed, players, code, talk)
				}
				files, err := filepath.Glob(filepath.Join(to, "*"))
				if err != nil || len(files) != 2 {
					t.Fatal(files, err)
				}
				for _, f := range files {
					if code, out, talk := program.Outcome(t, "verify", "-set", dir, f); code != cli.ExitYes {
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
	dir := program.Boxed(t, "short", "board.txt", "display | 2 2 1 1 1 1 ", "display | 2 2 1 ")
	const fault = "board.txt:21: C8: display: want 5 to 8 spaces, got 3"
	if code, out, talk := program.Outcome(t, "components", "check", dir); code != cli.ExitNo || out != fault+"\n" || talk != "" {
		t.Errorf("%d %q %q", code, out, talk)
	}
	for _, args := range [][]string{{"sim", "-json", "-set"}, {"demo", "-set"}, {"components", "print", "-set"}, {"components", "diff", "crossing"}} {
		if code, out, talk := program.Outcome(t, append(args, dir)...); code != cli.ExitUsage || out != "" || !strings.Contains(talk, fault) {
			t.Errorf("%v: %d %q %q", args, code, out, talk)
		}
	}
}

func TestComponentsDiff(t *testing.T) {
	mine := program.Boxed(t, "mine", "missions.txt", "013 M13 | 2 VP               | orange green", "013 M13 | 2 resource | orange")
	code, out, talk := program.Outcome(t, "components", "diff", "crossing", mine)
	if want := "mission 013 reward: 2 VP -> 2 resources\nmission 013 tiles: orange green -> orange\n"; code != cli.ExitNo || out != want || talk != "" {
		t.Errorf("%d %q %q", code, out, talk)
	}
	for _, pair := range [][2]string{{mine, mine}, {"crossing", "crossing"}, {"crossing", program.Boxed(t, "marked", "missions.txt", "| ours", "| known # from the box")}} {
		if code, out, talk := program.Outcome(t, "components", "diff", pair[0], pair[1]); code != cli.ExitYes || out+talk != "" {
			t.Errorf("%v: %d %q %q", pair, code, out, talk)
		}
	}
	// Alike, but for a plural: the values are the same, the hash is not.
	code, out, talk = program.Outcome(t, "components", "diff", "crossing", program.Boxed(t, "plural", "board.txt", "1 resource 3 VP", "1 resources 3 VP"))
	if code != cli.ExitYes || out != "" || !strings.Contains(talk, "changes the hash") {
		t.Errorf("a plural: %d %q %q", code, out, talk)
	}
	for _, args := range [][]string{{"crossing"}, {"crossing", "theirs"}, {"crossing", "./crossing"}, {"crossing", "crossing", "crossing"}, {"crossing", program.Boxed(t, "x", "hal.txt", "weight ship", "wait")}} {
		if code, out, talk := program.Outcome(t, append([]string{"components", "diff"}, args...)...); code != cli.ExitUsage || out != "" || talk == "" {
			t.Errorf("%v: %d %q %q", args, code, out, talk)
		}
	}
}

func TestComponentsPrint(t *testing.T) {
	code, out, talk := program.Outcome(t, "components", "print")
	if code != cli.ExitYes || talk != "" || !strings.HasPrefix(out, "<!doctype html>") || !strings.Contains(out, "<h1>Component set "+component.DefaultName+"</h1>") {
		t.Fatalf("%d %q %.200q", code, talk, out)
	}
	file := filepath.Join(t.TempDir(), "set.html")
	mine := program.Boxed(t, "mine", "missions.txt", "013 M13 | 2 VP               | orange green  | ours", "013 M13 | 2 resource | orange | known # read by Ann")
	if code, out, talk := program.Outcome(t, "components", "print", "-o", file, mine); code != cli.ExitYes || out+talk != "" {
		t.Errorf("%d %q %q", code, out, talk)
	}
	b, err := os.ReadFile(file)
	if err != nil || !bytes.Contains(b, []byte("missions.txt, line 26: read by Ann")) || !bytes.Contains(b, []byte("Placing it earns 2 resources.")) {
		t.Errorf("%v, %d bytes", err, len(b))
	}
	for code, args := range map[int][]string{cli.ExitUsage: {"-set", "nowhere"}, cli.ExitEnvironment: {"-o", filepath.Join(file, "below")}} {
		if got, out, talk := program.Outcome(t, append([]string{"components", "print"}, args...)...); got != code || out != "" || talk == "" {
			t.Errorf("%v: %d %q %q", args, got, out, talk)
		}
	}
	for _, args := range [][]string{{}, {"burn"}} {
		if code, out, talk := program.Outcome(t, append([]string{"components"}, args...)...); code != cli.ExitUsage || out != "" || !strings.Contains(talk, "check") {
			t.Errorf("%v: %d %q %q", args, code, out, talk)
		}
	}
}
