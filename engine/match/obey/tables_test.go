package obey

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
	"strings"
	"testing"

	"angelpost/engine/order"
)

// TestEveryQuestionHasARow: whatever a letter of ours may ask, the table knows what a yes
// does.
func TestEveryQuestionHasARow(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "../../store/store.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok || len(spec.Values) != 1 || !strings.HasPrefix(spec.Names[0].Name, "Confirm") {
			return true
		}
		value, ok := spec.Values[0].(*ast.BasicLit)
		if !ok {
			return true
		}
		found++
		if kind, _ := strconv.Unquote(value.Value); questions[kind].yes == nil {
			t.Errorf("nothing is done after a yes to %s", spec.Names[0].Name)
		}
		return true
	})
	if found != len(questions) || found < 14 {
		t.Errorf("store has %d questions, the table %d", found, len(questions))
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
