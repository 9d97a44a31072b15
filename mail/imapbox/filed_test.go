package imapbox_test

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"angelpost/mail/imapbox"

	"github.com/emersion/go-imap/v2"
)

// owing is a list of letters that the watcher still has to file.
type owing struct {
	mu   sync.Mutex
	list []imapbox.Owed
}

func (o *owing) owed(_ context.Context, most int) ([]imapbox.Owed, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return slices.Clone(o.list[:min(most, len(o.list))]), nil
}

func (o *owing) paid(_ context.Context, ids []int64) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.list = slices.DeleteFunc(o.list, func(x imapbox.Owed) bool { return slices.Contains(ids, x.ID) })
	return nil
}

// testOwed files letters that came another way than through the mailbox. The watcher stops
// between filing a letter and reporting that: the letter may then be filed twice, and none is
// missing.
func testOwed(t *testing.T, p peer) {
	c := p.login(t)
	arrived := time.Date(2026, 11, 20, 8, 0, 0, 0, time.UTC)
	o := &owing{}
	var names []string
	for i := range 60 { // more than the watcher files in one step
		name := "lmtp" + string(rune('a'+i/26)) + string(rune('a'+i%26))
		names = append(names, name)
		o.list = append(o.list, imapbox.Owed{ID: int64(i + 1), Raw: []byte(letter(name)), Arrived: arrived.Add(time.Duration(i) * time.Minute)})
	}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	conf := p.config
	conf.Owed, conf.Paid = o.owed, o.paid
	conf.At = func(point string) {
		if point == "owed" {
			stop()
		}
	}
	if err := imapbox.Run(ctx, conf, nil); err != nil {
		t.Fatal(err)
	}
	conf.At = nil
	letters, end := watch(t, conf, func(imapbox.Fetched) (imapbox.Disposition, error) { return imapbox.Done, nil })
	for deadline := time.Now().Add(30 * time.Second); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		if list, _ := o.owed(ctx, 1); len(list) == 0 { // all are filed
			break
		}
	}
	p.deliver(t, letter("new"))
	receive(t, letters)
	p.expect(t, c, "INBOX")
	end()
	filed := p.look(t, c, "Angelpost/Done")
	for _, name := range append(names, "new") {
		if n := len(slices.DeleteFunc(slices.Clone(filed), func(s string) bool { return s != name })); n < 1 || n > 2 {
			t.Errorf("%s is filed %d times", name, n)
		}
	}

	// The filed letters can be listed and moved back.
	newest, err := imapbox.Newest(t.Context(), p.config, arrived.Add(30*time.Minute), 5)
	if err != nil || len(newest) != 5 || !strings.Contains(string(newest[4].Header), "<new@example.org>") || time.Since(newest[4].Arrived).Abs() > time.Hour {
		t.Errorf("newest: %v, %v", newest, err)
	}
	var asked []string
	n, err := imapbox.Unfile(t.Context(), p.config, arrived.Add(50*time.Minute+time.Second), func(f imapbox.Filed) (bool, error) {
		asked = append(asked, strings.TrimSpace(string(f.Header)))
		return !strings.Contains(string(f.Header), "<new@"), nil
	})
	if err != nil || n != 9 || len(asked) != 10 {
		t.Errorf("moved back %d of %q: %v", n, asked, err)
	}
	p.expect(t, c, "INBOX", names[51:]...)
	if n, err := imapbox.Unfile(t.Context(), p.config, arrived.AddDate(1, 0, 0), nil); n != 0 || err != nil {
		t.Errorf("of a year later: %d, %v", n, err)
	}
}

// testNothingFiled: a missing folder Done counts as empty.
func testNothingFiled(t *testing.T, p peer) {
	for _, since := range []time.Time{{}, time.Now()} {
		if list, err := imapbox.Newest(t.Context(), p.config, since, 5); len(list) > 0 || err != nil {
			t.Errorf("newest: %v, %v", list, err)
		}
		if n, err := imapbox.Unfile(t.Context(), p.config, since, nil); n != 0 || err != nil {
			t.Errorf("moved back %d, %v", n, err)
		}
	}
}

// TestUnfileInOrder: letters go back in the order in which they arrived, although they were
// filed in another.
func TestUnfileInOrder(t *testing.T) {
	p := hostPeer(t)
	c := p.login(t)
	const done = "Angelpost/Done"
	if err := c.Create(done, nil).Wait(); err != nil {
		t.Fatal(err)
	}
	first := time.Now().Add(-time.Hour)
	for _, l := range []struct {
		name string
		at   int
	}{{"b", 1}, {"d", 3}, {"a", 0}, {"c", 2}, {"e", 4}} {
		raw := letter(l.name)
		cmd := c.Append(done, int64(len(raw)), &imap.AppendOptions{Time: first.Add(time.Duration(l.at) * time.Minute)})
		if _, err := cmd.Write([]byte(raw)); err != nil {
			t.Fatal(err)
		}
		if err := cmd.Close(); err != nil {
			t.Fatal(err)
		}
		if _, err := cmd.Wait(); err != nil {
			t.Fatal(err)
		}
	}
	n, err := imapbox.Unfile(t.Context(), p.config, first.Add(-time.Minute), func(imapbox.Filed) (bool, error) { return true, nil })
	if got := p.look(t, c, "INBOX"); err != nil || n != 5 || strings.Join(got, "") != "abcde" {
		t.Errorf("%d letters, %v: %v", n, got, err)
	}
}
