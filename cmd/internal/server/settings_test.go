package server

import (
	"net/mail"
	"strings"
	"testing"
	"time"

	"angelpost/cmd/internal/cli"
	"angelpost/cmd/internal/mailclient"
	"angelpost/cmd/internal/program"
)

// TestZoneFromDate: the zone of a letter's Date arrives, through the mailbox and the desk,
// in the answer's words and settings.
func TestZoneFromDate(t *testing.T) {
	t.Parallel()
	p := program.ServeOn(t, "", func(config string) {
		if out, code := program.Output(t, "new", "-config", config, "-started", "-seed", strings.Repeat("5a", 32),
			"-player", "alpha@"+program.Domain, "-player", "beta@"+program.Domain); code != cli.ExitYes {
			t.Fatalf("new: %d %s", code, out)
		}
	})
	alpha := mailclient.Stranger(t, p, "alpha")
	start := alpha.Until("the start", func(mailclient.Received) bool { return true })
	to, err := mail.ParseAddress(start.Header.Get("Reply-To"))
	if err != nil {
		t.Fatal(err)
	}
	date := time.Now().In(time.FixedZone("", 5*3600+1800)).Format(time.RFC1123Z)
	alpha.Write(mailclient.Post{To: to.Address, Subject: "Re: game", Date: date, Body: "settings\r\n"})
	n := alpha.Until("the settings", func(n mailclient.Received) bool { return strings.Contains(n.Text, "YOUR SETTINGS") })
	mailclient.Says(t, n, "Times are in UTC+05:30, from your mail program.", "Time zone: UTC+05:30, from your mail program.")
	if subject := n.Header.Get("Subject"); subject != "Re: "+strings.TrimPrefix(start.Header.Get("Subject"), "Re: ") {
		t.Errorf("subject %q, the start's %q", subject, start.Header.Get("Subject"))
	}
}
