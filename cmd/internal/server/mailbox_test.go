package server

import (
	"fmt"
	"io"
	"net/http/httptest"
	"strings"
	"testing"

	"angelpost/mail/imapbox"
)

// TestLateIdleIsTold: status and metrics say that the mail server does not tell of letters,
// until it does.
func TestLateIdleIsTold(t *testing.T) {
	s, _, _ := boxed(t)
	for _, late := range []bool{false, true, false} {
		s.Box.IdleLate(late)
		if err := s.lookForTrouble(t.Context()); err != nil {
			t.Fatal(err)
		}
		r, err := s.Status(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if said := strings.Contains(strings.Join(r.Lines(), "\n"), "IMAP_ENHANCEDIDLE"); said != late || r.IdleLate != late {
			t.Errorf("late %v: status says so: %v, %v", late, said, r.IdleLate)
		}
		w := httptest.NewRecorder()
		s.health.Handler().ServeHTTP(w, httptest.NewRequest("GET", "/metrics", nil))
		text, _ := io.ReadAll(w.Result().Body)
		if want := map[bool]string{true: "1", false: "0"}[late]; !strings.Contains(string(text), "\nangelpost_mailbox_idle_late "+want+"\n") {
			t.Errorf("late %v: the metric does not say %s", late, want)
		}
	}
}

// TestMailboxUsedIsTold: status says how full the mailbox is, if that is known.
func TestMailboxUsedIsTold(t *testing.T) {
	s, _, _ := boxed(t)
	for _, used := range []int{imapbox.Unknown, 0, 42} {
		s.Box.Quota(used)
		if err := s.lookForTrouble(t.Context()); err != nil {
			t.Fatal(err)
		}
		r, err := s.Status(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		said := strings.Contains(strings.Join(r.Lines(), "\n"), fmt.Sprintf("mailbox: %d %% of its quota", used))
		if known := used != imapbox.Unknown; said != known || known != (r.Used != nil) || known && *r.Used != int64(used) {
			t.Errorf("%d: %v, %v", used, said, r.Used)
		}
	}
}
