package letter

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"angelpost/engine/incoming"
)

// TestPrograms reads a reply of each mail program in mail/PROGRAMS.md, made by the program
// itself: three orders, typed where it puts the cursor, with the program's own quotation.
func TestPrograms(t *testing.T) {
	const (
		address = "angelpost+eeaaaab6d3xambiamksx7rulyanjnsr4lzpjluqwz4bju6nl@play.example.org"
		dir     = "testdata/programs/"
	)
	want := []string{"card 089 at row 1", "activate 1.1 robot", "die orange 1 from seat 4"}
	table := readFile(t, "../PROGRAMS.md")
	files, err := filepath.Glob(dir + "*.eml")
	if rows := strings.Count(table, ".eml` |"); err != nil || rows < 24 {
		t.Fatalf("%d programs, %v", rows, err)
	}
	notice := ParseNotice([]byte(readFile(t, dir+"notice.eml")))
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".eml")
		if name == "notice" {
			continue
		}
		if !strings.Contains(table, "`"+name+".eml`") {
			t.Errorf("mail/PROGRAMS.md has no row with `%s.eml`", name)
		}
		raw := readFile(t, file)
		if !strings.Contains(raw, "\nFrom: ") && !strings.HasPrefix(raw, "From: ") { // its sendmail adds it
			raw = "From: ann@example.org\n" + raw
		}
		l := Read([]byte(raw), Options{Address: "angelpost+{token}@play.example.org", Notice: notice})
		if l.Kind != incoming.Orders || !reflect.DeepEqual(l.Orders, want) || len(l.Press) > 0 || len(l.QuotedChoices) > 0 {
			t.Errorf("%s: %s %q, messages %q, quoted %q, not read: %v", name, l.Kind, l.Orders, l.Press, l.QuotedChoices, l.Dropped)
		}
		if l.From != "ann@example.org" || !strings.Contains(address, "+"+l.Token+"@") || l.Token == "" || l.InReplyTo != "2m2clqj4k3hpk6m2@play.example.org" {
			t.Errorf("%s: From %q, token %q, In-Reply-To %q", name, l.From, l.Token, l.InReplyTo)
		}
	}
	for _, cell := range strings.Split(table, "`") {
		file := dir + cell
		if strings.Contains(cell, "/") {
			file = "testdata/" + strings.TrimPrefix(cell, "letter/testdata/")
		}
		if _, err := os.Stat(file); strings.HasSuffix(cell, ".eml") && err != nil {
			t.Errorf("mail/PROGRAMS.md names %s: %v", cell, err)
		}
	}
}
