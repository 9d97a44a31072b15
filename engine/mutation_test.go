//go:build mutation

package engine_test

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var only = flag.String("only", "", "numbers of the mutations to try, with commas; all if empty")

// TestMutations shows once for each rule that its test bites: it copies the
// engine, breaks the rule there and wants the subtest of that number, run
// alone, to fail.
func TestMutations(t *testing.T) {
	muts := readMutations(t)
	files, err := filepath.Glob("testdata/rules/*.txt")
	if err != nil {
		t.Fatal(err)
	}
	for n := range rulesInGo {
		files = append(files, n+".txt")
	}
	for _, f := range files {
		n := strings.TrimSuffix(filepath.Base(f), ".txt")
		if !slices.ContainsFunc(muts, func(m mutation) bool { return m.number == n }) {
			t.Errorf("%s has no mutation", n)
		}
	}
	jobs := make(chan mutation)
	for w := range 2 {
		dir := copyEngine(t)
		t.Run(fmt.Sprintf("worker %d", w+1), func(t *testing.T) {
			t.Parallel()
			if out, err := goTest(dir, "./engine", "^TestRules$"); err != nil {
				t.Errorf("the tests fail before anything is changed:\n%s", out)
				for range jobs {
					continue
				}
				return
			}
			for m := range jobs {
				m.bites(t, dir)
			}
		})
	}
	go func() {
		defer close(jobs)
		for _, m := range muts {
			if *only == "" || slices.Contains(strings.Split(*only, ","), m.number) {
				jobs <- m
			}
		}
	}()
}

// bites applies the mutation to the copy at dir and takes it back afterwards.
func (m mutation) bites(t *testing.T, dir string) {
	name := filepath.Join(dir, "engine", m.file)
	src, err := os.ReadFile(name)
	if err != nil {
		t.Errorf("%s: %v", m.number, err)
		return
	}
	if n := strings.Count(string(src), m.old); n != 1 {
		t.Errorf("%s: the old text stands %d times in %s", m.number, n, m.file)
		return
	}
	defer os.WriteFile(name, src, 0o600)
	if err := os.WriteFile(name, []byte(strings.Replace(string(src), m.old, m.new, 1)), 0o600); err != nil {
		t.Errorf("%s: %v", m.number, err)
		return
	}
	pkg, run := "./engine", "^TestRules$/^"+regexp.QuoteMeta(m.number)+"$"
	if sub := filepath.Dir(m.file); sub != "." {
		pkg, run = "./engine/"+sub, "/^"+regexp.QuoteMeta(m.number)+"$"
	}
	out, err := goTest(dir, pkg, run)
	switch {
	case err == nil:
		t.Errorf("%s: the mutation of %s passes unnoticed", m.number, m.file)
	case !regexp.MustCompile(`(?m)^\s*--- FAIL: \w+/` + regexp.QuoteMeta(m.number) + ` `).MatchString(out):
		t.Errorf("%s: the run fails, but not by the subtest:\n%s", m.number, out)
	default:
		t.Logf("%s bites", m.number)
	}
}

func goTest(dir, pkg, run string) (string, error) {
	cmd := exec.Command("go", "test", "-count=1", "-vet=off", "-timeout=5m", "-run", run, pkg)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// copyEngine copies what the engine's tests need: it imports nothing but itself.
func copyEngine(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(filepath.Join(dir, "engine"), os.DirFS(".")); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"go.mod", "go.sum"} {
		b, err := os.ReadFile(filepath.Join("..", name))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}
