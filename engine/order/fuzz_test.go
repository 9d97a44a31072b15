package order_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"angelpost/engine"
	"angelpost/engine/cost"
	"angelpost/engine/order"
)

func FuzzParse(f *testing.F) {
	for _, l := range strings.Split(table, "|") {
		f.Add(strings.TrimSpace(l))
	}
	f.Add("collect with ravager ravager")
	f.Add("card gray at row 2")
	f.Fuzz(func(t *testing.T, line string) {
		s, err := order.Parse(line)
		if err != nil {
			return
		}
		if got := order.Print(s); got != line {
			t.Fatalf("%q is printed as %q", line, got)
		}
		if m := s.Masked(); m != s {
			if back, err := order.Parse(order.Print(m)); err != nil || back != m {
				t.Fatalf("%q masked prints %q, read as %+v, %v", line, order.Print(m), back, err)
			}
		}
	})
}

func FuzzExpand(f *testing.F) {
	for _, l := range strings.Split(table, "|") {
		f.Add(strings.TrimSpace(l))
	}
	for _, l := range []string{
		"card 013 at row 2: 2.1, 2.3 resource", "die gray 0 flip: command; launch to b4; mission 027", "B reserve gray 3 or orange 3",
		"1) buy Zoë O’Neil's gray 2 → 4", "repair 3, g on 2.2 via 1.2 ship", "mission 021 x3 with t12, with 12 30", "| die gray 2",
		"discard ravager 075 and gray 033 #x", "d g 2 f", "\xff\u200b\u202e2.\u00b2 \uff11", "take a 4 t 12, tech 3", "2.1 r; 3.3 from g",
	} {
		f.Add(l)
	}
	legal, ctx := position()
	f.Fuzz(func(t *testing.T, line string) {
		var cs []order.Clause
		cost.Within(t, func() { cs = order.Expand(line) })
		if len(cs) > order.MaxLine {
			t.Fatalf("%d clauses", len(cs))
		}
		if order.Barred(line) && cs != nil {
			t.Fatalf("%q is barred and read", line)
		}
		if again := order.Expand(line); !reflect.DeepEqual(cs, again) {
			t.Fatalf("%q is read twice differently", line)
		}
		for _, c := range cs {
			if len(c.Text) > order.MaxLine || !utf8.ValidString(c.Text) || c.Text == "" {
				t.Fatalf("%q has a clause of text %q", line, c.Text)
			}
			if !c.Readable() && len(cs) > 1 {
				t.Fatalf("%q is read in part", line)
			}
			found, p := order.Match(c, legal, ctx)
			if p == nil && len(found) > 1 || p != nil && (len(found) > 0 || p.Code == "" || len(p.Choices) > order.MaxChoices) {
				t.Fatalf("%q: %s, %+v", c.Text, prints(found), p)
			}
			for _, s := range found {
				if !slices.Contains(legal, s) {
					t.Fatalf("%q is matched to %q, which is not legal", c.Text, order.Print(s))
				}
				if back, p := order.Match(order.Expand(order.Print(s))[0], legal, ctx); p != nil || len(back) != 1 || back[0] != s {
					t.Fatalf("%q is not itself", order.Print(s))
				}
			}
			if p != nil {
				for _, s := range p.Choices {
					if !slices.Contains(legal, s) {
						t.Fatalf("%q offers %q, which is not legal", c.Text, order.Print(s))
					}
				}
				if p.Code == order.NotLegal {
					if s, err := order.Parse(order.Print(p.Step)); err != nil || s != p.Step || slices.Contains(legal, s) {
						t.Fatalf("%q is refused as %+v, %v", c.Text, p.Step, err)
					}
				}
			}
			c.Choose(legal, ctx)
		}
	})
}

// position is what the fuzz targets match lines with.
func position() ([]engine.Step, order.Context) {
	var legal []engine.Step
	for _, l := range strings.Split(table, "|") {
		if s, err := order.Parse(strings.TrimSpace(l)); err == nil {
			legal = append(legal, s)
		}
	}
	return legal, order.Context{Names: []string{"Ann", "Bob", "Zoë O'Neil", "B"}}
}

func FuzzReadLetter(f *testing.F) {
	for _, l := range []string{
		"card 013 at row 2: 2.1\ndie gray 0 flip: command\n\nkeep 031\n", "say to Bob: hello\nB\n\npass", "new game\nplayers: a@b.c,\n bot\nname: x",
		"preview; die gray 2; undo", "| legal\n| die gray 2\n| end", "join Ann, word\ndecline\nno mission\nno", "note\nsay\nname\nremind",
		"replace \u0130 by x@y\nhistory 99999999999\nformat text|html", "say to a and b&c, d : x", "Players : x@y", "never write to me again",
		"void abcdefghijklmn27: a reason that\ngoes on\n\nreplay abcdefghijklmn27: x\nCheers\nZoe", "adjudicate abcdefghijklmn27 Ann 3, Bob -4: x; y\nstatus",
		"die gray 2\nplan: if t12 free\nif t12 then B\nelse\nreserve none; pass\nend plan\nstatus", "plan none\nplan\nelse", "if plan\nelse plan",
		"always reserve gray 3, 2 leaving 1\nnever activate 009; standing\nforget 2\nalways\nnever",
	} {
		f.Add(l)
	}
	legal, ctx := position()
	f.Fuzz(func(t *testing.T, letter string) {
		lines := strings.Split(letter, "\n")
		var l order.Letter
		cost.Within(t, func() {
			l = order.ReadLetter(lines)
			for _, it := range l.Items {
				if it.Clause != nil {
					order.Match(*it.Clause, legal, ctx)
				}
			}
		})
		if !slices.IsSorted(l.Barred) || !slices.IsSorted(l.Passed) {
			t.Fatalf("passed %v, barred %v", l.Passed, l.Barred)
		}
		clauses, last := 0, 0
		for _, it := range l.Items {
			if it.Line < 1 || it.Line > len(lines) || len(it.Text) > order.MaxLine+3 {
				t.Fatalf("line %d of %d, text %q", it.Line, len(lines), it.Text)
			}
			if it.Line < last && it.Problem == nil {
				t.Fatalf("line %d behind line %d", it.Line, last)
			}
			last = it.Line
			word, clause := it.Word.Kind != order.NoWord, it.Clause != nil
			if it.Problem != nil == (word || clause) || word && clause && it.Word.Kind != order.Refuse {
				t.Fatalf("line %d is %+v", it.Line, it)
			}
			if clause {
				clauses++
				if it.Clause.Line != it.Line {
					t.Fatalf("line %d has a clause of line %d", it.Line, it.Clause.Line)
				}
			}
			if order.Barred(lines[it.Line-1]) {
				t.Fatalf("line %d is barred and read: %+v", it.Line, it)
			}
			if n := len(it.Word.Text); n > order.MaxText || it.Word.Kind != order.Say && it.Word.Kind != order.Note && n > 254 ||
				len(it.Word.Name) > order.MaxLine || len(it.Word.To) > order.MaxPlayers || len(it.Word.Game.Players) > order.MaxPlayers {
				t.Fatalf("line %d is too long: %+v", it.Line, it.Word)
			}
			for _, s := range append([]string{it.Word.Text, it.Word.Name, it.Word.Arg, it.Word.Game.Name}, it.Word.To...) {
				if !utf8.ValidString(s) || strings.ContainsAny(s, "\r\x00") {
					t.Fatalf("line %d holds %q", it.Line, s)
				}
			}
		}
		if clauses > order.MaxClauses {
			t.Fatalf("%d clauses", clauses)
		}
	})
}
