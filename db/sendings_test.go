package db_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"angelpost/db"
	"angelpost/engine/notice"
	"angelpost/engine/store"
)

// TestSendings holds that letters sent are counted for a day, over restarts, and that
// urgent letters are handed out before the others.
func TestSendings(t *testing.T) {
	d, path := fresh(t)
	ctx := context.Background()
	kinds := []notice.Kind{notice.KindInfo, notice.KindTurn, notice.KindEnd, notice.KindAnswer}
	update(t, d, func(tx store.Tx) error {
		for i, kind := range kinds {
			r := notice.Message{Kind: kind, Version: 1, To: "ada@home.test", Player: 1, Token: fmt.Sprint("token", i), Date: then.Add(time.Duration(i)), MessageID: fmt.Sprintf("out-%d@angelpost.test", i)}
			if err := tx.AddMessage(&r, store.Token{}, store.OutQueued); err != nil {
				return err
			}
		}
		return nil
	})
	update(t, d, func(tx store.Tx) error { // an alarm, which is to the host's address
		r := notice.Message{Kind: notice.KindInfo, Version: 1, To: "host@home.test", Date: then.Add(time.Minute), MessageID: "alarm@angelpost.test"}
		return tx.AddMessage(&r, store.Token{}, store.OutQueued)
	})
	waiting, _, err := d.WaitingUrgentFirst(ctx, then.Add(time.Hour), 10, nil, nil)
	var got []bool
	var ids []int64
	for _, w := range waiting {
		got, ids = append(got, w.Urgent), append(ids, w.ID)
	}
	if err != nil || !slices.Equal(got, []bool{true, true, true, false, false}) || ids[0] > ids[1] || ids[3] > ids[4] {
		t.Errorf("%v %v %v", got, ids, err)
	}
	now := time.Unix(1_800_000_000, 0) // the start of a minute
	sent := func(at time.Time, n int) {
		t.Helper()
		if err := d.SentAt(ctx, at, ids[:n]...); err != nil {
			t.Fatal(err)
		}
	}
	sent(now.Add(-25*time.Hour), 4)
	sent(now.Add(-2*time.Minute), 2)
	sent(now.Add(-2*time.Minute+time.Second), 1)
	sent(now.Add(10*time.Second), 3)
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	d = open(t, path)
	defer d.Close()
	all, err := d.Sendings(ctx, now.Add(20*time.Second))
	want := []db.Sending{{At: now.Add(-time.Minute), Letters: 3}, {At: now.Add(20 * time.Second), Letters: 3}}
	if err != nil || !slices.EqualFunc(all, want, func(a, b db.Sending) bool { return a.At.Equal(b.At) && a.Letters == b.Letters }) {
		t.Errorf("%v %v, want %v", all, err, want)
	}
	// The clock is set back: what is in the future counts no more once something is sent.
	sent(now.Add(-time.Hour), 1)
	if all, err = d.Sendings(ctx, now); err != nil || len(all) != 1 {
		t.Errorf("%v %v", all, err)
	}
}
