package db_test

import (
	"database/sql"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

var (
	parameter = regexp.MustCompile(`\?[0-9]*`)
	statement = regexp.MustCompile(`^(SELECT|INSERT|UPDATE|DELETE|REPLACE|WITH) `)
	inTrigger = regexp.MustCompile(`(?s)\bBEGIN\s(.*);\s*END$`)
	ofTheRow  = regexp.MustCompile(`\b(new|old)\.\w+`)
)

// dsnOf is how database/sql finds the file at path.
func dsnOf(path string) string {
	return "file:" + strings.NewReplacer("%", "%25", "?", "%3f", "#", "%23", " ", "%20").Replace(path)
}

// A source is the package's code, in which statements are constant expressions.
type source struct {
	t      *testing.T
	consts map[string]ast.Expr
	found  map[string]string // statement: where
}

// statements are the SQL statements of the package, wherever they stand, and those of the
// schema's triggers. One that is not a constant expression is an error: no test could read it.
func statements(t *testing.T, c *sql.DB) map[string]string {
	t.Helper()
	names, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	s := source{t, map[string]ast.Expr{}, map[string]string{}}
	set := token.NewFileSet()
	var files []*ast.File
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(set, name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
		ast.Inspect(f, func(n ast.Node) bool {
			if g, ok := n.(*ast.GenDecl); ok && g.Tok == token.CONST {
				for _, spec := range g.Specs {
					v := spec.(*ast.ValueSpec)
					for i := range v.Values {
						s.consts[v.Names[i].Name] = v.Values[i]
					}
				}
			}
			return true
		})
	}
	for _, f := range files {
		ast.Inspect(f, func(n ast.Node) bool {
			if g, ok := n.(*ast.GenDecl); ok && g.Tok == token.CONST {
				return false // pieces of statements, read where they are used
			}
			e, ok := n.(ast.Expr)
			if !ok {
				return true
			}
			if text, ok := s.text(e); ok {
				if statement.MatchString(text) {
					s.found[text] = set.Position(e.Pos()).String()
				}
				return false
			}
			if b, ok := e.(*ast.BinaryExpr); ok && b.Op == token.ADD {
				if head, _ := s.text(first(b)); statement.MatchString(head) {
					t.Errorf("%s: write the statement %q as a constant, so that its plan can be read", set.Position(e.Pos()), head)
				}
				return false
			}
			return true
		})
	}
	triggers, err := c.Query("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'")
	if err != nil {
		t.Fatal(err)
	}
	defer triggers.Close()
	for triggers.Next() {
		var name, text string
		if err := triggers.Scan(&name, &text); err != nil {
			t.Fatal(err)
		}
		body := inTrigger.FindStringSubmatch(text)
		if body == nil {
			t.Fatalf("trigger %s: no statement found in %s", name, text)
		}
		for q := range strings.SplitSeq(body[1], ";\n") {
			s.found[ofTheRow.ReplaceAllString(strings.TrimSpace(q), "?")] = "trigger " + name
		}
	}
	return s.found
}

// text is the value of a constant string expression.
func (s *source) text(e ast.Expr) (string, bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		text, err := strconv.Unquote(e.Value)
		return text, err == nil && e.Kind == token.STRING
	case *ast.Ident:
		if c, ok := s.consts[e.Name]; ok {
			return s.text(c)
		}
	case *ast.ParenExpr:
		return s.text(e.X)
	case *ast.BinaryExpr:
		a, ok := s.text(e.X)
		b, ok2 := s.text(e.Y)
		return a + b, ok && ok2 && e.Op == token.ADD
	}
	return "", false
}

// first is the expression that a sum begins with.
func first(e ast.Expr) ast.Expr {
	if b, ok := e.(*ast.BinaryExpr); ok {
		return first(b.X)
	}
	return e
}

// scans are parts of statements that may read all of a table or an index, by the reason why they
// may.
var scans = map[string][]string{
	"a table that stays small": {
		"FROM alarms WHERE kind > ''", "FROM blocked WHERE", "FROM erased WHERE", "FROM statistics WHERE kind > ''", "FROM token_keys WHERE n", "FROM sendings WHERE minute",
		"UPDATE unreached SET", "DELETE FROM zeros", "FROM held_time WHERE year > 0",
	},
	"what players have reported, seldom asked for": {
		"UPDATE reports SET name = ? WHERE player", "UPDATE reports SET name = ?3", "UPDATE reports SET reason", "FROM reports WHERE id > 0 AND reporter",
	},
	"an index of the few rows it is for, all of which are meant": {
		"FROM out WHERE state = 1", "UPDATE out SET due = due + ?1", "UPDATE out SET due = min(due", "UPDATE out SET entered = max(", "UPDATE out SET unsure = 2 WHERE state = 1", // the queue
		"WHERE out.state = 2 ORDER BY", "WHERE out.state = 6 ORDER BY", "INDEXED BY games_voided", "WHERE kind = 'unread'", "AS a JOIN games ON games.number = a.game WHERE a.kind = 'appeal'",
	},
	"an index read in its order up to a LIMIT": {
		"WHERE out.state = 1 ORDER BY out.due", "FROM games WHERE visibility = 'listed' AND started > 0 ORDER BY changed DESC LIMIT",
	},
	"the first row, or the last, is all that is read": {
		"(SELECT received FROM letters ORDER BY id DESC LIMIT 1)", "NOT EXISTS (SELECT 1 FROM letters)", "max(finish), 0) FROM games", "min(kind), '') FROM ratings", "max(counted), 0) FROM games",
		"min(due), 0) FROM out",
	},
	"all that waits moves when the clock jumps": {
		"UPDATE due SET at = at + ? WHERE at > 0", "UPDATE seats SET deadline", "UPDATE confirms SET expires",
	},
	"a few rows at the end, limited by what it is called with": {
		"DELETE FROM ratings WHERE finish > ?", "DELETE FROM rated WHERE finish > ?", "FROM ratings WHERE finish > ?", "DELETE FROM counters WHERE day <",
	},
	"leagues are few, and a player is seldom erased": {
		"FROM leagues WHERE number > 0 AND instr", "FROM league_log WHERE league > 0 AND instr",
	},
	"limits of the last hundred days, and a player is seldom erased":                            {"DELETE FROM counters WHERE key > ''"},
	"the query needs no column that the archive's index lacks, so SQLite reads the index alone": {"INDEXED BY games_archive WHERE number < ?1"},
	"a letter to every active player asks for it":                                               {"FROM players JOIN addresses ON addresses.address = players.address"},
}

// TestPlans: every statement finds its rows by an index. None reads a whole table, or a whole
// index, but those of scans.
func TestPlans(t *testing.T) {
	_, path := fresh(t)
	c, err := sql.Open("sqlite3", dsnOf(path))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	all := statements(t, c)
	if len(all) < 200 {
		t.Errorf("only %d statements were found", len(all))
	}
	used := map[string]bool{}
	for q, where := range all {
		rows, err := c.Query("EXPLAIN QUERY PLAN " + parameter.ReplaceAllString(q, "'1'"))
		if err != nil {
			t.Errorf("%s: %s: %v", where, q, err)
			continue
		}
		for rows.Next() {
			var id, parent, x int
			var detail string
			if err := rows.Scan(&id, &parent, &x, &detail); err != nil {
				t.Fatal(err)
			}
			if !full(detail, q) {
				continue
			}
			known := false
			for _, parts := range scans {
				for _, part := range parts {
					if strings.Contains(strings.Join(strings.Fields(q), " "), part) {
						known, used[part] = true, true
					}
				}
			}
			if !known {
				t.Errorf("%s: %s: %s", where, q, detail)
			}
		}
		if err := errors.Join(rows.Err(), rows.Close()); err != nil {
			t.Fatal(err)
		}
	}
	for _, parts := range scans {
		for _, part := range parts {
			if !used[part] {
				t.Errorf("%q reads no whole table: take it out of the list", part)
			}
		}
	}
}

// openEnded is a search that has only one bound, as for what is larger than 0.
var openEnded = regexp.MustCompile(`\(\w+[<>]\?\)$`)

// chosen is a condition that an empty parameter switches off: it keeps a LIMIT from ending the
// search where few rows fit.
var chosen = regexp.MustCompile(`\?\d+ = '' OR `)

// full reports whether a line of a plan says that all of a table or an index is read, or may be:
// the statement has a bound on one side of the key and none on the number of rows.
func full(detail, q string) bool {
	if strings.HasPrefix(detail, "SEARCH ") && openEnded.MatchString(detail) && (!strings.Contains(q, " LIMIT ") || chosen.MatchString(q)) {
		return true
	}
	what, ok := strings.CutPrefix(detail, "SCAN ")
	if !ok || what == "CONSTANT ROW" {
		return false
	}
	name, how, _ := strings.Cut(what, " ")
	switch {
	case strings.HasPrefix(name, "("): // a subquery, whose own lines say how it reads
		return false
	case (name == "j" || name == "json_each") && strings.HasPrefix(how, "VIRTUAL"): // a list that is given
		return false
	case strings.HasPrefix(how, "VIRTUAL TABLE INDEX "): // a full-text index; 0 is none, and 1 a row by its number
		return strings.HasPrefix(how, "VIRTUAL TABLE INDEX 0:")
	}
	return true
}
