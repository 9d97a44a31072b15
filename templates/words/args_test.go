package words

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// names are the arguments that a message may ask for.
func (m message) names() (out []string) {
	for _, p := range m {
		if p.arg != "" {
			out = append(out, p.arg)
		}
		for _, o := range p.options {
			out = append(out, o.text.names()...)
		}
	}
	return out
}

// TestEveryArgumentIsGiven reads the program: where it names a message and writes out its
// arguments, those that the message asks for are among them.
func TestEveryArgumentIsGiven(t *testing.T) {
	checked := 0
	for _, pkg := range []string{"templates", "templates/words", "templates/leaguepage", "templates/draw", "web", "cmd/angelpost", "cmd/internal/*"} {
		parsed(t, pkg, func(set *token.FileSet, n ast.Node) {
			call, ok := n.(*ast.CallExpr)
			if !ok || len(call.Args) == 0 || call.Ellipsis != token.NoPos {
				return
			}
			if f, ok := call.Fun.(*ast.SelectorExpr); !ok || f.Sel.Name != "Say" {
				return
			}
			key, _ := literal(call.Args[0])
			m, ok := English().messages[key]
			if !ok {
				return
			}
			var given []string
			for i := 1; i < len(call.Args); i += 2 {
				name, ok := literal(call.Args[i])
				if !ok {
					return
				}
				given = append(given, name)
			}
			checked++
			for _, name := range m.names() {
				if !slices.Contains(given, name) {
					t.Errorf("%s: %s is not given {%s}", set.Position(call.Pos()), key, name)
				}
			}
		})
	}
	if checked < 500 {
		t.Errorf("only %d calls were checked", checked)
	}
}

// TestEveryCodeHasItsArguments reads the desk: where it writes out the arguments of a remark
// or a refusal, those that the message asks for are among them.
func TestEveryCodeHasItsArguments(t *testing.T) {
	codes := map[string]string{}
	parsed(t, "engine/notice", func(_ *token.FileSet, n ast.Node) {
		if s, ok := n.(*ast.ValueSpec); ok {
			for i, name := range s.Names {
				if i < len(s.Values) {
					if code, ok := literal(s.Values[i]); ok {
						codes[name.Name] = code
					}
				}
			}
		}
	})
	remarks, problems := 0, 0
	parsed(t, "engine/match/*", func(set *token.FileSet, n ast.Node) {
		call, ok := n.(*ast.CallExpr)
		if !ok || len(call.Args) == 0 || call.Ellipsis != token.NoPos {
			return
		}
		f, ok := call.Fun.(*ast.SelectorExpr)
		if !ok {
			return
		}
		name, ok := call.Args[0].(*ast.SelectorExpr)
		if !ok || codes[name.Sel.Name] == "" {
			return
		}
		table, count := "", &remarks
		switch f.Sel.Name {
		case "Say":
			table = "remark."
		case "Refuse":
			table, count = "problem.", &problems
		default:
			return
		}
		m, ok := English().messages[table+codes[name.Sel.Name]]
		if !ok {
			return // said in other words each time
		}
		given := []string{"list", "quoted", "count"} // of Remark.List
		for i := 1; i < len(call.Args); i += 2 {
			arg, ok := literal(call.Args[i])
			if !ok {
				return
			}
			given = append(given, arg)
		}
		*count++
		for _, arg := range m.names() {
			if !slices.Contains(given, arg) {
				t.Errorf("%s: %s is not given {%s}", set.Position(call.Pos()), codes[name.Sel.Name], arg)
			}
		}
	})
	if remarks < 120 || problems < 100 {
		t.Errorf("only %d remarks and %d problems were checked", remarks, problems)
	}
}

// parsed visits what the program has in a folder of the module.
func parsed(t *testing.T, pkg string, visit func(*token.FileSet, ast.Node)) {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join("..", "..", filepath.FromSlash(pkg), "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, path, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			visit(set, n)
			return true
		})
	}
}

// literal is the value of a string that is written out.
func literal(e ast.Expr) (string, bool) {
	b, ok := e.(*ast.BasicLit)
	if !ok || b.Kind != token.STRING {
		return "", false
	}
	s, err := strconv.Unquote(b.Value)
	return s, err == nil
}

// A moment has the letters of its zone, or the place for which the zone is named.
func TestMomentsNameTheirZone(t *testing.T) {
	for stored, want := range map[string]string{
		"2027-03-15 20:00 AEDT": "Mon 15 Mar, 20:00 AEDT", "2027-03-15 20:00 Sao Paulo": "Mon 15 Mar, 20:00 Sao Paulo time", "2027-03-15 20:00 ChST": "Mon 15 Mar, 20:00 ChST",
		"2027-03-15 20:00 UTC+05:45": "Mon 15 Mar, 20:00 UTC+05:45", "2027-03-15 20:00": "2027-03-15 20:00", "soon": "soon", "": "",
	} {
		if got := English().Moment(stored); got != want {
			t.Errorf("%q is told as %q, want %q", stored, got, want)
		}
	}
}
