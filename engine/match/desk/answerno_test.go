package desk_test

import (
	"strings"
	"testing"

	"angelpost/engine/notice"
)

// TestNoBesideOrders: a "no" that answers our question may come with orders, which are played.
// If we asked nothing, or it is too late to answer, it takes back the orders above it. None are
// dropped.
func TestNoBesideOrders(t *testing.T) {
	for _, c := range []struct {
		text   string // ORDERS: a whole turn
		asked  bool   // we asked something
		played bool
	}{
		{"ORDERS\nno", true, true},
		{"ORDERS\n\nno", true, true},
		{"ORDERS\n\nNo.\n\nBest regards", true, true},
		{"no\nORDERS", true, true},
		{"no\n\nORDERS", true, true},
		{"nein\nORDERS", true, true},
		{"ORDERS\n\nnope", true, true},
		{"nein\nORDERS", false, false},
		{"No, let us play on!\n\nORDERS", true, false},
		{"ORDERS\nno", false, false},
		{"ORDERS\n\nno", false, false},
		{"ORDERS\nno\nwait for me", true, false},
		{"no thanks\nORDERS", true, false},
	} {
		o := newOffice(t)
		o.started(1, "ada", "bo")
		mover, other := "ada", "bo"
		if len(o.sheet(o.last(mover)).Legal) == 0 {
			mover, other = other, mover
		}
		turn := o.sheet(o.last(mover)).Example
		if c.asked {
			o.write(other, "abandon")
		}
		o.write(mover, strings.ReplaceAll(c.text, "ORDERS", strings.Join(turn, "\n")))
		a := o.last(mover).Answer
		applied, told := 0, 0
		for _, l := range a.Lines {
			if l.Problem != nil && !strings.Contains(c.text, l.Problem.Args["remark"]) {
				t.Errorf("%q: the answer quotes %q", c.text, l.Problem.Args["remark"])
			}
			switch {
			case l.Status == notice.LineApplied:
				applied++
				fallthrough
			case !strings.Contains(c.text, l.Text): // it is an order
				told++
			}
		}
		if (applied == len(turn)) != c.played || told < len(turn) {
			t.Errorf("%q (asked %v): %s", c.text, c.asked, summary(o.last(mover)))
		}
	}
}
