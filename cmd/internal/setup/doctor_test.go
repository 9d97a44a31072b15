package setup

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"testing"

	"angelpost/mail/imapbox"
)

// TestNotArrived: doctor tells the reasons apart why the letter that it wrote to itself did
// not arrive.
func TestNotArrived(t *testing.T) {
	late := context.DeadlineExceeded
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			fmt.Fprint(c, "421 not now\r\n")
			c.Close()
		}
	}()
	closed, open := []string{`addr = ""

[http]`, `addr = "127.0.0.1:1"

[http]`}, []string{`addr = ""

[http]`, fmt.Sprintf("addr = %q\n\n[http]", l.Addr())}
	for _, c := range []struct {
		change []string
		err    error
		used   int
		want   string
		warn   bool
	}{
		{closed, late, 100, "only while it runs", true},
		{open, late, 3, "did not arrive in the mailbox", false},
		{nil, fmt.Errorf("no letter: %w: %w: cut", late, imapbox.ErrBrokeOff), 3, "broke off", false},
		{nil, late, 100, "full (100 %", false},
		{nil, late, 99, "did not arrive in the mailbox", false},
		{nil, late, imapbox.Unknown, "did not arrive in the mailbox", false},
		{nil, errors.New("login refused"), 100, "login refused", false},
	} {
		got := notArrived(t.Context(), dnsConfig(t, c.change...), c.err, func() int { return c.used })
		if !strings.Contains(got.err.Error(), c.want) || got.warn != c.warn || got.mend == "" {
			t.Errorf("%v, %d %%: %+v, want %q", c.err, c.used, got, c.want)
		}
	}
}

// TestFacts: doctor warns about servers that cannot delete single letters, and about full
// mailboxes.
func TestFacts(t *testing.T) {
	for _, c := range []struct {
		facts               imapbox.Facts
		deleting, full, bad bool
	}{
		{imapbox.Facts{UIDPlus: true, Used: 89}, false, false, false},
		{imapbox.Facts{UIDPlus: false, Used: 90}, true, true, false},
		{imapbox.Facts{UIDPlus: true, Used: 100}, false, true, true},
	} {
		if p := checkDeleting(c.facts, nil); (p != nil) != c.deleting || p != nil && !p.warn {
			t.Errorf("%+v: of deleting it says %+v", c.facts, p)
		}
		if p := checkQuota(c.facts); (p != nil) != c.full || p != nil && p.warn == c.bad {
			t.Errorf("%+v: of the quota it says %+v", c.facts, p)
		}
	}
}

// TestJunkIsTold: doctor says what happens to letters that the mail server takes for spam.
func TestJunkIsTold(t *testing.T) {
	named, checked := []string{`junk = "auto"`, `junk = "Werbung"`}, []string{"check_senders = false", "check_senders = true"}
	for _, c := range []struct {
		change []string
		folder string
		good   string
		warns  bool
	}{
		{nil, "Spam", "moves none", false},
		{checked, "Spam", "moves letters from Spam", false},
		{checked, "", "finds no folder of spam", false},
		{named, "", "", true},
		{append(named, checked...), "Werbung", "moves letters from Werbung", false},
	} {
		good, wrong := checkJunk(dnsConfig(t, c.change...), imapbox.Facts{Junk: c.folder})
		if (wrong != nil) != c.warns || wrong != nil && (!wrong.warn || !strings.Contains(wrong.err.Error(), "Werbung")) || !strings.Contains(good, c.good) {
			t.Errorf("%q, %q: %q, %+v", c.change, c.folder, good, wrong)
		}
	}
}
