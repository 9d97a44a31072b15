package licences

import (
	"debug/buildinfo"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write licences.txt")

const (
	root    = "../../.."
	command = "./cmd/angelpost"
)

var licence = regexp.MustCompile(`(?i)^(un)?(licen[cs]e|copying|copyright|notice|patents)([.-].*)?$`)

func run(t *testing.T, name string, args ...string) string {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Stderr = root, os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s %v: %v", name, args, err)
	}
	return string(out)
}

// notices returns the licence files of folders, each under its path in its module.
func notices(t *testing.T, top string, folders map[string]bool) (text string) {
	t.Helper()
	for _, folder := range slices.Sorted(maps.Keys(folders)) {
		entries, err := os.ReadDir(folder)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			if e.IsDir() || !licence.MatchString(e.Name()) || strings.HasSuffix(e.Name(), ".go") {
				continue
			}
			b, err := os.ReadFile(filepath.Join(folder, e.Name()))
			if err != nil {
				t.Fatal(err)
			}
			in, err := filepath.Rel(top, filepath.Join(folder, e.Name()))
			if err != nil {
				t.Fatal(err)
			}
			text += fmt.Sprintf("--- %s\n\n%s\n\n", filepath.ToSlash(in), strings.TrimSpace(strings.ReplaceAll(string(b), "\r\n", "\n")))
		}
	}
	return text
}

// TestLicences compares licences.txt with what the modules of the command say, and its
// list of modules with that of the binary.
func TestLicences(t *testing.T) {
	type module struct{ name, version, dir string }
	folders := map[module]map[string]bool{}
	for line := range strings.Lines(run(t, "go", "list", "-deps", "-f", "{{with .Module}}{{.Path}}\t{{.Version}}\t{{.Dir}}\t{{$.Dir}}{{end}}", command)) {
		f := strings.Split(strings.TrimSpace(line), "\t")
		if len(f) != 4 {
			continue // of the standard library
		}
		m := module{f[0], f[1], f[2]}
		if folders[m] == nil {
			folders[m] = map[string]bool{}
		}
		for folder := f[3]; ; folder = filepath.Dir(folder) { // some packages have a licence of their own
			folders[m][folder] = true
			if folder == m.dir || len(folder) < len(m.dir) {
				break
			}
		}
	}
	goroot := strings.TrimSpace(run(t, "go", "env", "GOROOT"))
	musl, err := os.ReadFile("musl.txt")
	if err != nil {
		t.Fatal(err)
	}
	section := func(name, notices string) string {
		if strings.TrimSpace(notices) == "" {
			t.Errorf("%s is in the binary and has no licence", name)
		}
		return fmt.Sprintf("=== %s\n\n%s\n\n", name, strings.TrimSpace(notices))
	}
	var own, others string
	listed := map[string]bool{}
	for _, m := range slices.SortedFunc(maps.Keys(folders), func(a, b module) int { return strings.Compare(a.name, b.name) }) {
		if m.version == "" {
			own += section("angelpost", notices(t, m.dir, map[string]bool{m.dir: true}))
			continue
		}
		listed[m.name+" "+m.version] = true
		others += section(m.name+" "+m.version, notices(t, m.dir, folders[m]))
	}
	want := own + others +
		section("The Go standard library", notices(t, goroot, map[string]bool{goroot: true})) +
		section("musl, the C library of released binaries", string(musl))
	want = strings.TrimSpace(want) + "\n"
	if *update && !t.Failed() {
		if err := os.WriteFile("licences.txt", []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if Text != want {
		t.Error("licences.txt is not what the modules say; run: make generate")
	}

	binary := filepath.Join(t.TempDir(), "angelpost")
	run(t, "go", "build", "-o", binary, command)
	info, err := buildinfo.ReadFile(binary)
	if err != nil {
		t.Fatal(err)
	}
	if len(info.Deps) < 10 {
		t.Errorf("the binary lists only %d modules", len(info.Deps))
	}
	for _, d := range info.Deps {
		if !listed[d.Path+" "+d.Version] {
			t.Errorf("the binary contains %s %s, whose licence is missing", d.Path, d.Version)
		}
	}
}
