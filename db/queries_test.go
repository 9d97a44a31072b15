package db_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

var parameter = regexp.MustCompile(`\?[0-9]*`)

// queriesOf finds the SELECTs, UPDATEs and DELETEs a file makes out of string
// literals and constants, with NULL for each parameter.
func queriesOf(t *testing.T, file string) []string {
	t.Helper()
	set := token.NewFileSet()
	f, err := parser.ParseFile(set, file, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	consts := constants(t)
	var out []string
	var text func(ast.Expr) (string, bool)
	text = func(e ast.Expr) (string, bool) {
		switch e := e.(type) {
		case *ast.BasicLit:
			s, err := strconv.Unquote(e.Value)
			return s, err == nil && e.Kind == token.STRING
		case *ast.Ident:
			s, ok := consts[e.Name]
			return s, ok
		case *ast.BinaryExpr:
			a, ok := text(e.X)
			b, ok2 := text(e.Y)
			return a + b, ok && ok2
		}
		return "", false
	}
	ast.Inspect(f, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		for _, a := range call.Args {
			q, ok := text(a)
			for _, verb := range []string{"SELECT ", "UPDATE ", "DELETE "} {
				if ok && strings.HasPrefix(q, verb) && (strings.Contains(q, " FROM ") || verb == "UPDATE ") {
					if strings.HasSuffix(q, "WHERE ") {
						continue // its condition is the caller's
					}
					out = append(out, parameter.ReplaceAllString(q, "'1'"))
				}
			}
		}
		return true
	})
	return out
}

// constants are the package's string constants.
func constants(t *testing.T) map[string]string {
	t.Helper()
	out := map[string]string{}
	files, err := filepath.Glob("*.go")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, file := range files {
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			g, ok := d.(*ast.GenDecl)
			if !ok || g.Tok != token.CONST {
				continue
			}
			for _, s := range g.Specs {
				v := s.(*ast.ValueSpec)
				for i, name := range v.Names {
					if i >= len(v.Values) {
						continue
					}
					if lit, ok := v.Values[i].(*ast.BasicLit); ok && lit.Kind == token.STRING {
						if s, err := strconv.Unquote(lit.Value); err == nil {
							out[name.Name] = s
						}
					}
				}
			}
		}
	}
	return out
}
