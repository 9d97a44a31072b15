package desk

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
	"strings"
	"testing"
)

// TestEveryKindOfDueRowIsDone: whatever a row that falls due can be, the table knows what
// to do.
func TestEveryKindOfDueRowIsDone(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "../../store/store.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok || len(spec.Values) != 1 || !strings.HasPrefix(spec.Names[0].Name, "Due") {
			return true
		}
		value, ok := spec.Values[0].(*ast.BasicLit)
		if !ok {
			return true
		}
		found++
		if kind, _ := strconv.Unquote(value.Value); dues[kind] == nil {
			t.Errorf("nothing is done when %s falls due", spec.Names[0].Name)
		}
		return true
	})
	if found != len(dues) || found < 10 {
		t.Errorf("store has %d kinds, the table %d", found, len(dues))
	}
}
