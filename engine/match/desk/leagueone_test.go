package desk_test

import (
	"context"
	"strings"
	"testing"

	"angelpost/engine/notice"
)

// A mailbox has one seat in a league, however its address is spelled: a member or a
// substitute does not join again, and a member's friend does.
func TestOnePersonOneSeat(t *testing.T) {
	o := newOffice(t)
	id := o.made(tin + "substitutes: yes\n")
	o.joins("tin", "ada", "bo")
	if err := o.desk.JoinLeague(context.Background(), id, "cy.lo@googlemail.com", "Cy"); err != nil {
		t.Fatal(err)
	}
	if err := o.desk.JoinLeague(context.Background(), id, "di_ne@protonmail.com", "Di"); err != nil {
		t.Fatal(err)
	}
	o.deliver()
	for _, c := range []struct {
		from, line string
		refused    bool
	}{
		{"ada+two@home.test", "join league tin", true},
		{"ada+two@home.test", "substitute tin", true},
		{"cylo@gmail.com", "join league tin", true},
		{"c.ylo+x@gmail.com", "join league tin", true},
		{"di.n-e+x@proton.me", "join league tin", true},
		{"dine@pm.me", "substitute tin", true},
		{"cy-lo@gmail.com", "join league tin", false}, // hyphens are Proton's
		{"ad.a@home.test", "join league tin", false},  // dots are theirs
		{"ada@away.test", "join league tin", false},
	} {
		_, out := o.send(o.letter(c.from, "", c.line))
		if len(out) != 1 {
			t.Fatalf("%s: %v", c.from, summaries(out))
		}
		if got := strings.Contains(summary(out[0]), notice.ProblemSecondSeat); got != c.refused {
			t.Errorf("%s, %s: refused %v\n%s", c.from, c.line, got, summary(out[0]))
		}
	}
}

// New leagues begin their seasons early unless their file says otherwise, and an amendment
// that does not say leaves that as it is.
func TestNewLeaguesBeginEarly(t *testing.T) {
	o := newOffice(t)
	id := o.made(tin)
	if _, err := o.desk.AmendLeague(context.Background(), id, tin+"missed: 5\n", true); err != nil {
		t.Fatal(err)
	}
	if r := o.league(id).State.Rules; !r.Early || r.Missed != 5 {
		t.Errorf("early %v, missed %d", r.Early, r.Missed)
	}
	if _, err := o.desk.AmendLeague(context.Background(), id, tin+"early: no\n", true); err != nil {
		t.Fatal(err)
	}
	if o.league(id).State.Rules.Early {
		t.Error("an amendment does not end it")
	}
}
