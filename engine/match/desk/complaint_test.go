package desk_test

import (
	"context"
	"testing"

	"angelpost/engine/incoming"
	"angelpost/engine/notice"
	"angelpost/engine/store"
)

// TestAbuseReports: a report about a letter that went to another address, about none of our
// letters, or about nothing, silences no one, is not answered and reaches the host.
func TestAbuseReports(t *testing.T) {
	o := newOffice(t)
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
	complain := func(c incoming.Complaint) []notice.Message {
		l := o.letter("fbl@provider.example", "", "")
		l.Class, l.Complaint = incoming.Complained, &c
		_, out := o.send(l)
		return out
	}
	for i, c := range []incoming.Complaint{
		{Address: "eve@home.test", MessageID: ours.MessageID}, {Address: at("bo"), MessageID: "aaaaaaaaaaaaaaaa@angelpost.test"}, {Address: at("bo")}, {},
	} {
		if out := complain(c); len(out) != 0 || muted() != 0 || len(reports()) != i+1 {
			t.Errorf("%+v: %d letters, %d muted, %d reports", c, len(out), muted(), len(reports()))
		}
	}
	if complain(incoming.Complaint{Address: at("bo"), MessageID: ours.MessageID}); muted() != 1 || len(reports()) != 5 {
		t.Errorf("a true one: %d muted, %d reports", muted(), len(reports()))
	}
}
