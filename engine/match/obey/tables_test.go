package obey

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"angelpost/engine/order"
)

// TestEveryQuestionHasARow: for each question that our letters may ask, the table has the
// effect of a yes.
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
	elsewhere := map[order.WordKind]bool{order.NoWord: true, order.InGame: true, order.Undo: true, order.Hint: true, order.Plan: true}
	kinds := 0
	for k := order.NoWord; k <= order.ForgetMe; k++ {
		if known := words[k].do != nil; known == elsewhere[k] {
			t.Errorf("word %d, %q: carried out by the table: %v", k, k, known)
		}
		kinds++
	}
	if kinds != len(words)+len(elsewhere) {
		t.Errorf("%d words, %d rows", kinds, len(words))
	}
}

// TestAWordIsTwoRows counts where a word is named: its row in the language's table, its
// row in the desk's, and the catalogue. Another word of this kind takes no more. Words
// that are named elsewhere too are those that letters are made of, or whose packages
// obey several with one function.
func TestAWordIsTwoRows(t *testing.T) {
	root := "../../.."
	named := map[string][]string{}
	name := regexp.MustCompile(`\border\.([A-Z]\w*)`)
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (strings.HasPrefix(d.Name(), ".") && path != root || d.Name() == "node_modules") {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		b, err := os.ReadFile(path)
		for _, m := range name.FindAllSubmatch(b, -1) {
			if k := string(m[1]); !slices.Contains(named[k], path) {
				named[k] = append(named[k], path)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	more := strings.Fields("Preview InGame Undo Say Note Announce Name Join Refuse NewGame NewLeague Plan Hint Yes No Never " + // what letters are made of
		"Help Games Mute Unmute Always Standings Forget Leagues League LeagueTable JoinLeague LeaveLeague Substitute AmendLeague Direct Back Pause " + // obeyed together
		"Resign Replace Rule") // asked about first
	plain := 0
	for _, k := range constants(t, "../../order/word.go") {
		if k == "NoWord" || slices.Contains(more, k) {
			continue
		}
		plain++
		if where := named[k]; len(where) != 1 || filepath.Base(where[0]) != "words.go" {
			t.Errorf("%s is named in %v", k, where)
		}
	}
	if plain < 25 {
		t.Errorf("only %d plain words", plain)
	}
}

// constants are the names of the constants that a file declares in its first group.
func constants(t *testing.T, path string) (out []string) {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range file.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.CONST {
			continue
		}
		for _, s := range g.Specs {
			for _, id := range s.(*ast.ValueSpec).Names {
				out = append(out, id.Name)
			}
		}
		return out
	}
	t.Fatalf("%s has no constants", path)
	return nil
}
