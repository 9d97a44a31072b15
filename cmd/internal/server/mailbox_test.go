package server

import (
	"io"
	"net/http/httptest"
	"strings"
	"testing"
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
