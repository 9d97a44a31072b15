package letter

import (
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"angelpost/engine/incoming"
	"angelpost/engine/order"
)

// programsOrders are the orders that were typed into each reply of testdata/programs.
var programsOrders = []string{"card 089 at row 1", "activate 1.1 robot", "die orange 1 from seat 4"}

// programsReply is a reply as it arrives.
func programsReply(t *testing.T, file string) string {
	raw := readFile(t, file)
	if !strings.Contains(raw, "\nFrom: ") && !strings.HasPrefix(raw, "From: ") { // its sendmail adds it
		raw = "From: ann@example.org\n" + raw
	}
	return raw
}

// TestPrograms reads a reply of each mail program in mail/PROGRAMS.md, made by the program
// itself: three orders, typed where it puts the cursor, with the program's own quotation.
func TestPrograms(t *testing.T) {
	const (
		address = "angelpost+eeaaaab6d3xambiamksx7rulyanjnsr4lzpjluqwz4bju6nl@play.example.org"
		dir     = "testdata/programs/"
	)
	want := programsOrders
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
		raw := programsReply(t, file)
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

// TestProgramsWithoutNotice reads the same replies without the notice at hand, so that only its form
// tells what is quoted: the orders are the same. In the reply of Gnus, which puts the cursor between
// the attribution and a quotation without marks, each order is one to ask about. Without the typed
// lines nothing is an order: no quotation is played.
func TestProgramsWithoutNotice(t *testing.T) {
	files, err := filepath.Glob("testdata/programs/*.eml")
	if err != nil || len(files) < 20 {
		t.Fatalf("%d replies, %v", len(files), err)
	}
	read := func(raw string) (sure, doubted []string) {
		l := Read([]byte(raw), Options{Address: "angelpost+{token}@play.example.org", Says: order.Says})
		for _, it := range order.ReadLetter(l.Text, l.FromName).Items {
			switch {
			case it.Doubt != "" || it.Beside != "":
				doubted = append(doubted, it.Text)
			case it.Problem == nil:
				sure = append(sure, it.Text)
			}
		}
		return sure, doubted
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".eml")
		if name == "notice" {
			continue
		}
		raw := programsReply(t, file)
		sure, doubted := read(raw)
		wantSure, wantDoubted := programsOrders, []string(nil)
		if name == "gnus" {
			wantSure, wantDoubted = nil, programsOrders
		}
		if !slices.Equal(sure, wantSure) || !slices.Equal(doubted, wantDoubted) {
			t.Errorf("%s: orders %q, to ask about %q; want %q and %q", name, sure, doubted, wantSure, wantDoubted)
		}
		typed := 0
		untyped := slices.DeleteFunc(strings.SplitAfter(raw, "\n"), func(line string) bool {
			is := slices.Contains(programsOrders, strings.TrimSpace(line))
			if is {
				typed++
			}
			return is
		})
		if sure, _ := read(strings.Join(untyped, "")); typed < len(programsOrders) || len(sure) > 0 {
			t.Errorf("%s: %d lines were typed; without them %q of the quotation are orders", name, typed, sure)
		}
	}
}
