package desk_test

import (
	"context"
	"strings"
	"testing"

	"angelpost/engine/incoming"
	"angelpost/engine/match/unit"
	"angelpost/engine/notice"
	"angelpost/engine/store"
)

// TestAbuseReports: a report about a letter that went to another address, about none of our
// letters, about nothing, or by anyone but the reader's own provider mutes no game, is not
// answered and reaches the host.
func TestAbuseReports(t *testing.T) {
	o := newOffice(t, func(c *unit.Config) {
		c.Provider = func(a string) string { _, host, _ := strings.Cut(a, "@"); return strings.TrimPrefix(host, "arf.") }
	})
	id := o.started(1, "ada", "bo")
	ours := o.last("bo")
	reports := func() (all []store.Report) {
		if err := o.db.View(context.Background(), func(tx store.Tx) (err error) {
			all, err = tx.Reports(0, 100)
			return err
		}); err != nil {
			t.Fatal(err)
		}
		return all
	}
	muted := func() int {
		n := 0
		if err := o.db.View(context.Background(), func(tx store.Tx) error {
			seats, err := tx.Seats(id)
			for _, x := range seats {
				if x.MutedBy(x.Player) {
					n++
				}
			}
			return err
		}); err != nil {
			t.Fatal(err)
		}
		return n
	}
	complain := func(from string, authentic bool, c incoming.Complaint) []notice.Message {
		l := o.letter(from, "", "")
		l.Class, l.Complaint, l.Authentic = incoming.Complained, &c, authentic
		_, out := o.send(l)
		return out
	}
	about := func(address, messageID string) incoming.Complaint {
		return incoming.Complaint{Address: address, MessageID: messageID}
	}
	for i, c := range []struct {
		from      string
		authentic bool
		incoming.Complaint
	}{
		{"fbl@home.test", true, about("eve@home.test", ours.MessageID)},
		{"fbl@home.test", true, about(at("bo"), "aaaaaaaaaaaaaaaa@angelpost.test")},
		{"fbl@home.test", true, about(at("bo"), "")},
		{"fbl@home.test", true, about("", "")},
		{"fbl@home.test", false, about(at("bo"), ours.MessageID)},
		{"fbl@provider.example", true, about(at("bo"), ours.MessageID)},
		{"fbl@home.test.example", true, about("", ours.MessageID)},
	} {
		if out := complain(c.from, c.authentic, c.Complaint); len(out) != 0 || muted() != 0 || len(reports()) != i+1 {
			t.Errorf("%+v: %d letters, %d muted, %d reports", c, len(out), muted(), len(reports()))
		}
	}
	if complain("feedback@arf.home.test", true, about(at("bo"), ours.MessageID)); muted() != 1 {
		t.Errorf("a provider's: %d muted", muted())
	}
}

// TestAbuseReportersOfTheHost: reports by addresses that the host names count, if they are authentic
// where letters are checked.
func TestAbuseReportersOfTheHost(t *testing.T) {
	for _, c := range []struct{ checked, authentic, counts bool }{{false, false, true}, {true, false, false}, {true, true, true}} {
		o := newOffice(t, func(conf *unit.Config) { conf.Reporters, conf.Checked = []string{"Staff@provider.example"}, c.checked })
		id := o.started(1, "ada", "bo")
		l := o.letter("staff@provider.example", "", "")
		l.Class, l.Authentic = incoming.Complained, c.authentic
		l.Complaint = &incoming.Complaint{Address: at("bo"), MessageID: o.last("bo").MessageID}
		o.send(l)
		if err := o.db.View(context.Background(), func(tx store.Tx) error {
			seats, err := tx.Seats(id)
			for _, x := range seats {
				if muted := x.MutedBy(x.Player); muted != (c.counts && x.Player == o.player("bo")) {
					t.Errorf("%+v: seat %d muted: %v", c, x.Seat, muted)
				}
			}
			return err
		}); err != nil {
			t.Fatal(err)
		}
	}
}
