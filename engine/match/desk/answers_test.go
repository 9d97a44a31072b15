package desk_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"angelpost/engine/notice"
)

// A naturalAnswer is a row of testdata/answers.tsv: what someone types in answer to a
// letter, and what they mean.
type naturalAnswer struct {
	kind   string   // of letter
	letter []string // codes of notice that head such letters
	whom   string
	answer []string // its lines
	meant  string
	today  string // the result when the row was written
}

// naturalAnswers reads testdata/answers.tsv, whose head says what the columns hold.
func naturalAnswers(t *testing.T) (out []naturalAnswer) {
	t.Helper()
	text, err := os.ReadFile("testdata/answers.tsv")
	if err != nil {
		t.Fatal(err)
	}
	headed := false
	for n, line := range strings.Split(strings.TrimSuffix(string(text), "\n"), "\n") {
		if strings.HasPrefix(line, "#") {
			continue
		}
		f := strings.Split(line, "\t")
		if len(f) != 6 || slices.ContainsFunc(f, func(s string) bool { return s == "" || strings.TrimSpace(s) != s }) {
			t.Fatalf("line %d has no six columns: %q", n+1, line)
		}
		if !headed {
			if headed = slices.Equal(f, []string{"kind", "letter", "whom", "answer", "meant", "today"}); !headed {
				t.Fatalf("line %d is not the head of the columns: %q", n+1, line)
			}
			continue
		}
		out = append(out, naturalAnswer{f[0], strings.Fields(f[1]), f[2], strings.Split(f[3], " / "), f[4], f[5]})
	}
	return out
}

// TestAnswersFile: every code that can head a letter has a kind with five answers or more.
func TestAnswersFile(t *testing.T) {
	known := noticeCodes(t)
	whom := []string{"player", "stranger", "organiser", "director", "host", "substitute"}
	first := map[string]naturalAnswer{}
	count, said, named := map[string]int{}, map[string]bool{}, map[string]bool{}
	last := ""
	for _, a := range naturalAnswers(t) {
		if count[a.kind]++; count[a.kind] == 1 {
			first[a.kind] = a
		} else if a.kind != last || !slices.Equal(a.letter, first[a.kind].letter) || a.whom != first[a.kind].whom {
			t.Errorf("%s: its rows do not stand together, or are to other readers of other letters", a.kind)
		}
		last = a.kind
		if !slices.Contains(whom, a.whom) {
			t.Errorf("%s: to whom is %q", a.kind, a.whom)
		}
		for _, code := range a.letter {
			if named[code] = true; !known[code] {
				t.Errorf("%s: notice has no code %q", a.kind, code)
			}
		}
		key := a.kind + ": " + strings.Join(a.answer, "\n")
		if said[key] {
			t.Errorf("twice: %s", key)
		}
		said[key] = true
		if names, ok := strings.CutPrefix(a.meant, "names"); ok && strings.TrimSpace(names) == "" {
			t.Errorf("%s: names nothing", key)
		}
	}
	for kind, n := range count {
		if n < 5 {
			t.Errorf("%s has %d answers", kind, n)
		}
	}
	for _, code := range notice.Remarks {
		if !named[code] {
			t.Errorf("no kind of letter is headed by %s", code)
		}
	}
	for code := range known {
		if strings.HasPrefix(code, "alarm-") && !named[code] {
			t.Errorf("no kind of letter is headed by %s", code)
		}
	}
	for _, kind := range []notice.Kind{notice.KindInvitation, notice.KindStart, notice.KindTurn, notice.KindAnswer, notice.KindInfo, notice.KindEnd} {
		if !named[string(kind)] {
			t.Errorf("no answers to a letter of kind %s", kind)
		}
	}
}

// noticeCodes are the values of the constants of package notice.
func noticeCodes(t *testing.T) map[string]bool {
	t.Helper()
	files, err := filepath.Glob("../../notice/*.go")
	if err != nil || len(files) == 0 {
		t.Fatal("no sources of notice", err)
	}
	out := map[string]bool{}
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if d, ok := n.(*ast.GenDecl); ok && d.Tok == token.CONST {
				for _, s := range d.Specs {
					for _, v := range s.(*ast.ValueSpec).Values {
						if lit, ok := v.(*ast.BasicLit); ok && lit.Kind == token.STRING {
							if s, err := strconv.Unquote(lit.Value); err == nil {
								out[s] = true
							}
						}
					}
				}
			}
			return true
		})
	}
	return out
}
