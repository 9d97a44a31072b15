package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestLaws holds what ARCHITECTURE.md says: who may import whom, who
// may hold a State, and that games draw from nothing but their seeds.
func TestLaws(t *testing.T) {
	root := "../.."
	files := 0
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "node_modules" || d.Name() == ".git" || d.Name() == "testdata") {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			return err
		}
		files++
		rel, _ := filepath.Rel(root, path)
		room := filepath.ToSlash(filepath.Dir(rel))
		for _, imp := range file.Imports {
			if to := strings.Trim(imp.Path.Value, `"`); !mayImport(room, to) {
				t.Errorf("%s imports %s", rel, to)
			}
		}
		if !in(room, "engine") {
			ast.Inspect(file, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.SelectorExpr:
					x, _ := n.X.(*ast.Ident)
					of := x != nil && x.Name == "engine"
					if of && n.Sel.Name == "State" {
						t.Errorf("%s holds an engine.State", rel)
					}
					if !of && n.Sel.Name == "Chance" {
						t.Errorf("%s sets a Chance", rel)
					}
				case *ast.KeyValueExpr:
					if key, ok := n.Key.(*ast.Ident); ok && key.Name == "Chance" {
						t.Errorf("%s sets a Chance", rel)
					}
				}
				return true
			})
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if files < 50 {
		t.Fatalf("only %d files read: the walk is wrong", files)
	}
}

// TestNoCloud: Litestream reaches S3 as a program of its own, so the program holds none of what that
// takes.
func TestNoCloud(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", ".").Output()
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(out), "angelpost/cmd/internal/pair\n") {
		t.Fatalf("the list lacks what the program is made of:\n%s", out)
	}
	for pkg := range strings.FieldsSeq(string(out)) {
		for _, no := range []string{"github.com/aws/", "github.com/benbjohnson/litestream", "gofakes3"} {
			if strings.Contains(pkg, no) {
				t.Errorf("the program imports %s", pkg)
			}
		}
	}
}

func in(room, top string) bool { return room == top || strings.HasPrefix(room, top+"/") }

const matchDir = "engine/match"

// matchImports says which packages of engine/match each of them may import. Imported
// packages come first in the list, so there is no cycle.
var matchImports = map[string][]string{
	"naming":     {},
	"replays":    {"naming"},
	"unit":       {"naming", "replays"},
	"gate":       {"replays", "unit"},
	"leagues":    {"unit"},
	"press":      {"naming", "unit"},
	"turns":      {"gate", "naming", "unit"},
	"seating":    {"leagues", "gate", "naming", "replays", "turns", "unit"},
	"clock":      {"leagues", "gate", "replays", "seating", "turns", "unit"},
	"agreements": {"clock", "leagues", "gate", "naming", "seating", "turns", "unit"},
	"rulings":    {"clock", "leagues", "naming", "seating", "turns", "unit"},
	"compete":    {"clock", "leagues", "gate", "naming", "press", "replays", "rulings", "seating", "turns", "unit"},
	"look":       {"compete", "replays", "seating", "turns", "unit"},
	"obey":       {"agreements", "clock", "compete", "leagues", "gate", "naming", "press", "replays", "rulings", "seating", "turns", "unit"},
	"desk":       {"clock", "compete", "leagues", "gate", "look", "naming", "obey", "replays", "rulings", "seating", "unit"},
}

const cmdDir = "cmd/internal"

// cmdImports says the same of the packages that the program is made of, in cmd/internal.
var cmdImports = map[string][]string{
	"cli":      {},
	"tool":     {"cli"},
	"server":   {"cli"},
	"pair":     {"cli", "server"},
	"demo":     {"cli", "server", "tool"},
	"host":     {"cli", "server", "tool"},
	"setup":    {"cli", "server"},
	"commands": {"cli", "server", "pair", "demo", "host", "setup", "tool"},
}

// commanding reports whether a package is one of cmdImports.
func commanding(to string) bool {
	_, is := cmdImports[strings.TrimPrefix(to, cmdDir+"/")]
	return is && in(to, cmdDir)
}

func mayImport(room, imp string) bool {
	own := strings.HasPrefix(imp, "angelpost/")
	to := strings.TrimPrefix(imp, "angelpost/")
	switch {
	case in(room, "cmd"):
		lower, known := cmdImports[strings.TrimPrefix(room, cmdDir+"/")]
		return !known || !commanding(to) || slices.Contains(lower, strings.TrimPrefix(to, cmdDir+"/"))
	case own && in(to, "cmd"):
		return false
	case in(room, "internal"):
		return !own
	case in(room, matchDir):
		lower, known := matchImports[strings.TrimPrefix(room, matchDir+"/")]
		if known && own && in(to, matchDir) {
			return slices.Contains(lower, strings.TrimPrefix(to, matchDir+"/"))
		}
		return known && mayImport("engine", imp)
	case in(room, "engine"):
		return own && in(to, "engine") || !own && !strings.Contains(strings.SplitN(to, "/", 2)[0], ".")
	case in(room, "mail"):
		return !own || in(to, "mail") || in(to, "templates") || to == "engine/incoming"
	case in(room, "web"):
		return !own || !in(to, "mail") && !in(to, "db") && !writes(to)
	case in(room, "db"):
		return !own || in(to, "db") || slices.Contains([]string{"engine/store", "engine/game", "engine/notice", "engine/incoming"}, to)
	case in(room, "templates"):
		return !own || !in(to, "mail") && !in(to, "db") && !in(to, "web") && !writes(to)
	}
	return false
}

// writes reports whether a package changes games: pages only look.
func writes(pkg string) bool {
	return slices.Contains([]string{matchDir + "/desk", matchDir + "/obey", matchDir + "/unit"}, pkg)
}

// TestLawsBite shows that the table refuses what it should.
func TestLawsBite(t *testing.T) {
	for _, c := range [][2]string{
		{"engine", "github.com/x/y"}, {"engine/match/desk", "angelpost/db"}, {"mail/letter", "angelpost/db"},
		{"mail/outbox", "angelpost/web"}, {"web", "angelpost/mail/letter"}, {"web", "angelpost/db"}, {"web", "angelpost/engine/match/desk"},
		{"db", "angelpost/engine"}, {"db", "angelpost/engine/match/look"}, {"mail/letter", "angelpost/engine/match/desk"},
		{"engine/match/unit", "angelpost/engine/match/turns"}, {"engine/match/look", "angelpost/engine/match/desk"}, {"engine/match/desk", "github.com/x/y"}, {"templates", "angelpost/db"}, {"engine", "angelpost/cmd/angelpost"},
		{"cmd/internal/server", "angelpost/cmd/internal/commands"}, {"cmd/internal/server", "angelpost/cmd/internal/host"}, {"cmd/internal/pair", "angelpost/cmd/internal/host"}, {"cmd/internal/tool", "angelpost/cmd/internal/server"},
	} {
		if mayImport(c[0], c[1]) {
			t.Errorf("%s may import %s", c[0], c[1])
		}
	}
}

// TestDocumentsNameTests: each test that a document names is there; "TestWork...", "TestWork…" and "TestWork*"
// name all that begin so.
func TestDocumentsNameTests(t *testing.T) {
	root := "../.."
	var tests []string
	documents := map[string]string{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "node_modules" || d.Name() == ".git" || d.Name() == "testdata"):
			return filepath.SkipDir
		case strings.HasSuffix(path, "_test.go"), strings.HasSuffix(path, ".md"):
			b, err := os.ReadFile(path)
			if strings.HasSuffix(path, ".md") {
				documents[path] = string(b)
			}
			for _, m := range regexp.MustCompile(`(?m)^func ((?:Test|Benchmark|Fuzz)\w+)\(`).FindAllStringSubmatch(string(b), -1) {
				tests = append(tests, m[1])
			}
			return err
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	names := 0
	for path, text := range documents {
		for _, m := range regexp.MustCompile(`\b((?:Test|Benchmark|Fuzz)[A-Z]\w*)(\.\.\.|…|\*)?`).FindAllStringSubmatch(text, -1) {
			names++
			if !slices.ContainsFunc(tests, func(s string) bool { return s == m[1] || m[2] != "" && strings.HasPrefix(s, m[1]) }) {
				t.Errorf("%s names %s, which is not there", path, m[0])
			}
		}
	}
	if names < 60 {
		t.Errorf("the documents name only %d tests", names)
	}
}
