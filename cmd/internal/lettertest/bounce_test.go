package lettertest

import (
	"strings"
	"testing"

	"angelpost/cmd/internal/mailclient"
	"angelpost/cmd/internal/program"
)

// TestBounce brings a letter of ours back: no one gets an answer, the organiser is
// told, and the game goes on.
func TestBounce(t *testing.T) {
	t.Parallel()
	p := program.Start(t, program.DemoArgs(t.TempDir(), "-seats", "human,human", "-seed", strings.Repeat("5a", 32))...)
	all := mailclient.Seated(t, p)
	organiser, guest := all[0], all[1]
	step := mailclient.Latest(t, organiser.Page)
	bounce := func(of mailclient.Received, action, status string) {
		t.Helper()
		guest.Write(mailclient.Post{
			From: "Mail Delivery <MAILER-DAEMON@mx.example.org>", To: p.Values["server"],
			Kind: `multipart/report; report-type=delivery-status; boundary="b"`, Head: []string{"Auto-Submitted: auto-replied"},
			Body: strings.Join([]string{"--b", "", "Sorry.", "--b", "Content-Type: message/delivery-status", "",
				"Reporting-MTA: dns; mx.example.org", "", "Final-Recipient: rfc822; " + guest.Address, "Action: " + action, "Status: " + status, "",
				"--b", "Content-Type: text/rfc822-headers", "", "Message-ID: " + of.Header.Get("Message-Id"), "--b--", ""}, "\r\n"),
		})
	}
	notice := guest.Box[0]
	bounce(notice, "delayed", "4.4.1")
	bounce(organiser.Box[0], "failed", "5.1.1") // not a letter to the one who is said not to be there
	organiser.Settled()
	if n := len(organiser.Box); n != 3 {
		t.Errorf("%d letters after a delay and a false bounce, want 3:\n%s", n, mailclient.Head(organiser.Last.Text, 20))
	}
	bounce(notice, "failed", "5.1.1")
	bounce(notice, "failed", "5.1.1") // the organiser hears of the second
	told := organiser.Wait(3, "info")
	mailclient.Says(t, told, "Letters to Beta bounce", "replace")
	if strings.Contains(told.Text, guest.Address) { // which the organiser did not supply
		t.Errorf("the organiser reads another's address:\n%s", mailclient.Head(told.Text, 20))
	}
	bounce(notice, "failed", "5.1.1")
	organiser.Settled()
	if n := len(organiser.Box); n != 6 {
		t.Errorf("%d letters after the same bounce twice, want 6", n)
	}
	if guest.Read(); len(guest.Box) != 1 {
		t.Errorf("the one who is not there got %d letters more", len(guest.Box)-1)
	}
	if now := mailclient.Latest(t, organiser.Page); now != step {
		t.Errorf("bounces moved the game from %d to %d", step, now)
	}
	mailclient.Filed(t, p, organiser.N+guest.N)
	p.Stop()
}
