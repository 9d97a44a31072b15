package imapbox

import (
	"log/slog"
	"testing"
	"testing/synctest"
	"time"
)

// TestMay checks the times of a Tenure, in virtual time: a look counts for ten seconds, and a
// server that has replaced another waits for twenty.
func TestMay(t *testing.T) {
	for _, standby := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			x := NewTenure(Tenant{Database: "one", Place: "here", Standby: standby, Log: slog.New(slog.DiscardHandler)})
			may := func(what string, want bool) {
				t.Helper()
				if ok, _ := x.May(); ok != want {
					t.Errorf("standby %v, %s: %v", standby, what, ok)
				}
			}
			may("before the first look", false)
			if err := x.start(Term{Instance: "a", Epoch: 2}); err != nil {
				t.Fatal(err)
			}
			x.saw(time.Now())
			time.Sleep(19 * time.Second)
			x.saw(time.Now())
			may("before the wait is over", false)
			_, changed := x.May()
			<-changed // closes once the wait is over
			may("after it", true)
			time.Sleep(8 * time.Second)
			may("a look nine seconds ago", true)
			time.Sleep(time.Second)
			may("a look ten seconds ago", false)
			select {
			case <-x.ask:
			default:
				t.Error("no one asks for another look")
			}
			x.update(func() { x.away = true })
			may("the mailbox is away", !standby)
			x.update(func() { x.doubt = true })
			may("and the claims had changed before", false)
			x.saw(time.Now())
			may("it is back", true)
			x.update(func() { x.lost = &Claimed{} })
			may("another has it", false)
			x.update(func() { x.away = true })
			may("and the mailbox is away", false)
		})
	}
}

// TestHears: Hears returns true while the last look at the claims is not older than Look.
// Then it requests another look, and returns false until that has succeeded.
func TestHears(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		x := NewTenure(Tenant{Database: "one", Look: 5 * time.Second})
		asked := func() bool {
			select {
			case <-x.ask:
				return true
			default:
				return false
			}
		}
		if x.Hears() || !asked() {
			t.Error("before the first look")
		}
		x.saw(time.Now())
		time.Sleep(4 * time.Second)
		if !x.Hears() || asked() {
			t.Error("a look four seconds ago")
		}
		time.Sleep(time.Second)
		if x.Hears() || !asked() {
			t.Error("a look five seconds ago")
		}
		x.saw(time.Now())
		x.update(func() { x.away = true })
		if x.Hears() {
			t.Error("the mailbox is away")
		}
		if !(*Tenure)(nil).Hears() {
			t.Error("a mailbox without other servers")
		}
	})
}

// TestMayWhileAway: while the mailbox is unreachable, only a server that had it may send
// letters. A server that never claimed it, a copy, and a server that another has replaced may
// not, even after a restart.
func TestMayWhileAway(t *testing.T) {
	had := Term{Instance: "a", Epoch: 2, Waited: true}
	for name, c := range map[string]struct {
		tenant Tenant
		want   bool
	}{
		"it had the mailbox":            {Tenant{Was: had, Here: true}, true},
		"it is a copy":                  {Tenant{Was: had}, false},
		"it has never had it":           {Tenant{Here: true}, false},
		"it had yet to wait":            {Tenant{Was: Term{Instance: "a", Epoch: 2}, Here: true}, false},
		"and another machine stands by": {Tenant{Was: had, Here: true, Standby: true}, false},
	} {
		x := NewTenure(c.tenant)
		x.update(func() { x.away = true })
		if ok, _ := x.May(); ok != c.want {
			t.Errorf("%s: may: %v", name, ok)
		}
	}
	var kept Term
	x := NewTenure(Tenant{Was: had, Here: true, Keep: func(term Term) error { kept = term; return nil }})
	if err := x.yield(&Claimed{Copy: true}, had); err == nil || kept.Waited || kept.Instance != "a" {
		t.Fatalf("%v, kept %+v", err, kept)
	}
	again := NewTenure(Tenant{Was: kept, Here: true})
	again.update(func() { again.away = true })
	if ok, _ := again.May(); ok {
		t.Error("a server that was replaced sends after a restart")
	}
}
