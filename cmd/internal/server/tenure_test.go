package server

import (
	"context"
	"errors"
	"log/slog"
	"testing"
	"time"

	"angelpost/mail/imapbox"
	"angelpost/mail/lmtp"
)

// TestDoorWaits: a server that may not take letters yet takes none by LMTP either.
func TestDoorWaits(t *testing.T) {
	s := &Server{tenure: imapbox.NewTenure(imapbox.Tenant{Database: "one", Place: "here", Log: slog.New(slog.DiscardHandler)})}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	for _, err := range s.delivered(ctx, make([]lmtp.Letter, 2)) { // it has no desk that could take them
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("a letter was taken: %v", err)
		}
	}
}

func TestTermLine(t *testing.T) {
	for _, term := range []imapbox.Term{{Instance: "abc", Epoch: 1, Waited: true}, {Instance: "x2", Epoch: 12}} {
		if got := ReadTerm(TermLine(term)); got != term {
			t.Errorf("%+v, then %+v", term, got)
		}
	}
	for _, torn := range []string{"", "abc", "abc 1", "abc 0 true", "abc -1 true", "abc x true"} {
		if got := ReadTerm(torn); got != (imapbox.Term{}) {
			t.Errorf("%q: %+v", torn, got)
		}
	}
}
