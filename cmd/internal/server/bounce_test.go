package server

import (
	"strings"
	"testing"
)

// TestBounce brings a letter of ours back: no one gets an answer, the organiser is
// told, and the game goes on.
func TestBounce(t *testing.T) {
	p := start(t, demoArgs(t.TempDir(), "-seats", "human,human", "-seed", strings.Repeat("5a", 32))...)
	all := seated(t, p)
	organiser, guest := all[0], all[1]
	step := latest(t, organiser.page)
	bounce := func(of received, action, status string) {
		t.Helper()
		guest.write(post{
			from: "Mail Delivery <MAILER-DAEMON@mx.example.org>", to: p.values["server"],
			kind: `multipart/report; report-type=delivery-status; boundary="b"`, head: []string{"Auto-Submitted: auto-replied"},
			body: strings.Join([]string{"--b", "", "Sorry.", "--b", "Content-Type: message/delivery-status", "",
				"Reporting-MTA: dns; mx.example.org", "", "Final-Recipient: rfc822; " + guest.address, "Action: " + action, "Status: " + status, "",
				"--b", "Content-Type: text/rfc822-headers", "", "Message-ID: " + of.header.Get("Message-Id"), "--b--", ""}, "\r\n"),
		})
	}
	notice := guest.box[0]
	bounce(notice, "delayed", "4.4.1")
	bounce(organiser.box[0], "failed", "5.1.1") // not a letter to the one who is said not to be there
	organiser.settled()
	if n := len(organiser.box); n != 3 {
		t.Errorf("%d letters after a delay and a false bounce, want 3:\n%s", n, head(organiser.last.text, 20))
	}
	bounce(notice, "failed", "5.1.1")
	told := organiser.wait(3, "info")
	says(t, told, "Letters to Beta come back undelivered", "replace")
	if strings.Contains(told.text, guest.address) { // which the organiser did not supply
		t.Errorf("the organiser reads another's address:\n%s", head(told.text, 20))
	}
	bounce(notice, "failed", "5.1.1")
	organiser.settled()
	if n := len(organiser.box); n != 6 {
		t.Errorf("%d letters after the same bounce twice, want 6", n)
	}
	if guest.read(); len(guest.box) != 1 {
		t.Errorf("the one who is not there got %d letters more", len(guest.box)-1)
	}
	if now := latest(t, organiser.page); now != step {
		t.Errorf("bounces moved the game from %d to %d", step, now)
	}
	filed(t, p, organiser.n+guest.n)
	p.stop()
}
