package match

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
	"strings"
	"testing"

	"angelpost/engine/order"
)

// TestEveryKindHasARow: whatever a row that falls due or a question can be, the desk's
// tables know what to do.
func TestEveryKindHasARow(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "../store/store.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]int{}
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok || len(spec.Values) != 1 {
			return true
		}
		value, ok := spec.Values[0].(*ast.BasicLit)
		if !ok {
			return true
		}
		kind, _ := strconv.Unquote(value.Value)
		switch name := spec.Names[0].Name; {
		case strings.HasPrefix(name, "Due"):
			found["due"]++
			if dues[kind] == nil {
				t.Errorf("nothing is done when %s falls due", name)
			}
		case strings.HasPrefix(name, "Confirm"):
			found["confirm"]++
			if questions[kind].yes == nil {
				t.Errorf("nothing is done after a yes to %s", name)
			}
		}
		return true
	})
	if found["due"] != len(dues) || found["confirm"] != len(questions) || len(dues) < 10 || len(questions) < 14 {
		t.Errorf("store has %v, the tables %d and %d", found, len(dues), len(questions))
	}
}

// TestEveryWordIsCarriedOut: each word of the order language has its row, or is one of
// those that depend on the letter's orders.
func TestEveryWordIsCarriedOut(t *testing.T) {
	elsewhere := map[order.WordKind]bool{order.NoWord: true, order.Undo: true, order.Hint: true, order.Plan: true}
	words := 0
	for k := order.NoWord; k <= order.Never; k++ {
		if known := mailWords[k].do != nil; known == elsewhere[k] {
			t.Errorf("word %d, %q: carried out by the table: %v", k, k, known)
		}
		words++
	}
	if words != len(mailWords)+len(elsewhere) {
		t.Errorf("%d words, %d rows", words, len(mailWords))
	}
}
