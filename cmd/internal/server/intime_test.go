package server

import (
	"fmt"
	"testing"
	"time"

	"angelpost/engine/store"
)

// TestWhenALetterCame: by the mailbox, or by a Received field of a host of the settings; never by
// another field, and never later than by the mailbox.
func TestWhenALetterCame(t *testing.T) {
	s := turnServer(t)
	s.Conf.ReceivedBy = []string{"mx.example.org"}
	arrived := time.Date(2026, 11, 27, 9, 0, 0, 0, time.UTC)
	mx, early := arrived.Add(-3*time.Hour), arrived.Add(-9*time.Hour)
	for n, c := range []struct {
		by   string
		at   time.Time
		want time.Time
	}{
		{"mx.example.org", mx, mx},
		{"other.example.org", mx, arrived},
		{"mx.example.org", arrived.Add(time.Hour), arrived},
	} {
		raw := fmt.Appendf(nil, "Received: from x by %s; %s\r\nReceived: from y by mx.example.org; %s\r\nFrom: ann@example.org\r\nTo: angelpost@example.org\r\nDate: %s\r\nMessage-ID: <%d@x.test>\r\n\r\nhelp\r\n",
			c.by, c.at.Format(time.RFC1123Z), early.Format(time.RFC1123Z), early.Add(time.Duration(n)*time.Minute).Format(time.RFC1123Z), n)
		if h := s.Handle(t.Context(), []Arrival{{Raw: raw, Received: arrived}}); h[0].Err != nil {
			t.Fatal(h[0].Err)
		}
		err := s.DB.View(t.Context(), func(tx store.Tx) error {
			letters, err := tx.SameLetter(fmt.Sprintf("%d@x.test", n))
			if err == nil && (len(letters) != 1 || !letters[0].Received.Equal(c.want)) {
				t.Errorf("%+v: %+v", c, letters)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}
