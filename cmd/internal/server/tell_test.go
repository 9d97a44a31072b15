package server

import (
	"strings"
	"testing"

	"angelpost/cmd/internal/mailclient"
	"angelpost/engine/notice"
	"angelpost/templates/words"
)

// TestHostLetter: what a machine that stands by writes to the host is said in the catalogue's words, and its reader
// learns which machine it is and why.
func TestHostLetter(t *testing.T) {
	c, err := LoadConfig(writeConfig(t, t.TempDir(), "angelpost.db", "games.db"))
	if err != nil {
		t.Fatal(err)
	}
	c.Alarms = "host@home.test"
	args := map[string]string{"time": "2026-11-28 02:00 UTC", "until": "2026-11-28 03:00 UTC", "machine": "onyx", "server": "agate", "why": "the moon is full"}
	for code, says := range map[string][]string{
		notice.AlarmFollow:                    {"onyx", "agate", "the moon is full", "02:00"},
		notice.AlarmTakeOver:                  {"onyx", "agate", "the moon is full", "02:00"},
		notice.AlarmFollow + notice.AlarmOver: {"onyx", "03:00"},
	} {
		raw, err := c.hostLetter(code, args)
		if err != nil {
			t.Fatal(err)
		}
		l := mailclient.ReadNotice(t, raw)
		text := strings.Join(strings.Fields(l.Text), " ")
		for _, want := range says {
			if !strings.Contains(text, want) {
				t.Errorf("%s lacks %q:\n%s", code, want, text)
			}
		}
		if subject := words.English().Say("subject." + code); l.Header.Get("Subject") != subject || strings.Contains(text, "{") {
			t.Errorf("%s: %q, want %q\n%s", code, l.Header.Get("Subject"), subject, text)
		}
	}
}
