package letter

import (
	"reflect"
	"strings"
	"testing"

	"angelpost/engine/incoming"
	"angelpost/engine/order"
)

const report = "Content-Type: multipart/report; report-type=delivery-status; boundary=b"

func dsn(action, status string) string {
	return "--b\n\nYour message could not be delivered.\n" +
		"--b\nContent-Type: message/delivery-status\n\nReporting-MTA: dns; mx.example.org\n\n" +
		"Original-Recipient: rfc822;Bob@Example.org\nFinal-Recipient: rfc822; bob@inner.example.org\nAction: " + action + "\nStatus: " + status + "\n\n" +
		"Final-Recipient: rfc822; carla@example.org\nAction: delivered\nStatus: 2.0.0\n" +
		"--b\nContent-Type: text/rfc822-headers\n\nMessage-ID: <n4@play.example>\nFrom: angelpost@play.example\n--b--\n"
}

// What is not a person's letter gets no answer, whatever its text says.
func TestKinds(t *testing.T) {
	const daemon = "From: Mail Delivery <MAILER-DAEMON@mx.example.org>"
	ics := "--b\n\nAnna has accepted\n--b\nContent-Type: text/calendar; method=REPLY\n\nBEGIN:VCALENDAR\n--b--\n"
	tests := []struct {
		name   string
		kind   incoming.Class
		header []string
		body   string
	}{
		{"person", incoming.Orders, []string{fromAnna}, "status\n"},
		{"Auto-Submitted: no", incoming.Orders, []string{fromAnna, "Auto-Submitted: no"}, "status\n"},
		{"vacation", incoming.Auto, []string{fromAnna, "Auto-Submitted: auto-replied (vacation)"}, "status\n"},
		{"cron", incoming.Auto, []string{fromAnna, "AUTO-SUBMITTED: Auto-Generated; owner-email=a@b"}, "status\n"},
		{"bulk", incoming.Auto, []string{fromAnna, "Precedence: BULK"}, "status\n"},
		{"junk", incoming.Auto, []string{fromAnna, "Precedence: junk"}, "status\n"},
		{"first class", incoming.Orders, []string{fromAnna, "Precedence: first-class"}, "status\n"},
		{"Exchange", incoming.Auto, []string{fromAnna, "X-Auto-Response-Suppress: OOF, AutoReply"}, "status\n"},
		{"Exchange, none", incoming.Orders, []string{fromAnna, "X-Auto-Response-Suppress: None"}, "status\n"},
		{"old autoresponder", incoming.Auto, []string{fromAnna, "X-Autoreply: yes"}, "status\n"},
		{"null return path", incoming.Auto, []string{"Return-Path: <>", fromAnna}, "status\n"},
		{"return path", incoming.Orders, []string{"Return-Path: <anna@example.org>", fromAnna}, "status\n"},
		{"list", incoming.List, []string{fromAnna, "List-Id: Players <players.example.org>"}, "status\n"},
		{"list by post address", incoming.List, []string{fromAnna, "List-Post: <mailto:players@example.org>"}, "status\n"},
		{"list by its program's field", incoming.List, []string{fromAnna, "X-MLServer: fml [fml 4.0.3]"}, "status\n"},
		{"who reads no answers", incoming.Auto, []string{"From: Notices <no-reply@example.org>"}, "{\"type\":\"Bounce\"}\nstatus\n"},
		{"who reads no answers, about a letter", incoming.Bounced, []string{"From: noreply@example.org", "Content-Type: multipart/mixed; boundary=b"}, "--b\n\nCould not be delivered to: <bob@example.org>\n--b\nContent-Type: message/rfc822\n\nTo: bob@example.org\n\nx\n--b--\n"},
		{"whose name begins so", incoming.Orders, []string{"From: noreplyman@example.org"}, "status\n"},
		{"list by precedence", incoming.List, []string{fromAnna, "Precedence: list"}, "status\n"},
		{"our own", incoming.Auto, []string{fromAnna, "X-Angelpost-Kind: turn"}, "status\n"},
		{"from our address", incoming.Auto, []string{"From: angelpost+" + token + "@play.example"}, "status\n"},
		{"from our address without a token", incoming.Auto, []string{"From: Angelpost <ANGELPOST@play.example>"}, "status\n"},
		{"loop", incoming.Auto, []string{fromAnna, strings.TrimSpace(strings.Repeat("Received: from a by b\r\n", 101))}, "status\n"},
		{"bounce", incoming.Bounced, []string{"Return-Path: <>", daemon, report, "Auto-Submitted: auto-replied"}, dsn("failed", "5.1.1")},
		{"bounce without a report", incoming.Bounced, []string{"Return-Path: <>", daemon}, "Sorry, it did not work out.\n"},
		{"bounce as some write it", incoming.Bounced, []string{fromAnna, "X-Failed-Recipients: bob@example.org"}, "Sorry\n"},
		{"delivered", incoming.Receipt, []string{daemon, report}, dsn("delivered", "2.0.0")},
		{"read receipt", incoming.Receipt, []string{fromAnna, "Content-Type: multipart/report; report-type=disposition-notification; boundary=b"}, "--b\n\nstatus\n--b\nContent-Type: message/disposition-notification\n\nDisposition: manual-action/MDN-sent-manually; displayed\n--b--\n"},
		{"read receipt in other clothes", incoming.Receipt, []string{fromAnna, "Content-Type: multipart/mixed; boundary=b"}, "--b\n\nstatus\n--b\nContent-Type: message/disposition-notification\n\nDisposition: x\n--b--\n"},
		{"calendar", incoming.Calendar, []string{fromAnna, "Content-Type: multipart/alternative; boundary=b"}, ics},
		{"calendar, method inside", incoming.Calendar, []string{fromAnna, "Content-Type: text/calendar"}, "BEGIN:VCALENDAR\nMETHOD:REPLY\n"},
		{"calendar attached", incoming.Orders, []string{fromAnna, "Content-Type: multipart/mixed; boundary=b"}, "--b\n\nstatus\n--b\nContent-Type: text/calendar\nContent-Disposition: attachment; filename=x.ics\n\nMETHOD:REPLY\n--b--\n"},
		{"Apple's vacation", incoming.Auto, []string{fromAnna, "X-Apple-Action: VACATION"}, "status\n"},
		{"a challenge", incoming.Auto, []string{fromAnna, "Subject: Your email requires verification verify#abc"}, "status\n"},
		{"a ticket", incoming.Auto, []string{fromAnna, "Subject: [Ticket #12345] Your move"}, "status\n"},
		{"a ticket system's field", incoming.Auto, []string{fromAnna, "X-RT-Loop-Prevention: example.org"}, "status\n"},
		{"an answer to our letter", incoming.Orders, []string{fromAnna, "Subject: Re: Your move by Sat 5 Dec"}, "status\n"},
		{"a person about a bounce", incoming.Orders, []string{fromAnna, "Subject: Re: Undelivered Mail Returned to Sender", "In-Reply-To: <n4@play.example>"}, "status\n"},
		{"abuse report", incoming.Complained, []string{fromAnna, "Content-Type: multipart/report; report-type=feedback-report; boundary=b"}, "--b\n\nstatus\n--b\nContent-Type: message/feedback-report\n\nFeedback-Type: abuse\n--b--\n"},
		{"abuse report without its part", incoming.Complained, []string{fromAnna, "Content-Type: multipart/report; report-type=feedback-report; boundary=b"}, "--b\n\nstatus\n--b--\n"},
		{"report about authentication", incoming.Auto, []string{fromAnna, "Content-Type: multipart/report; report-type=feedback-report; boundary=b"}, "--b\n\nstatus\n--b\nContent-Type: message/feedback-report\n\nFeedback-Type: auth-failure\n--b--\n"},
		{"a daemon without an address", incoming.Bounced, []string{"From: MAILER-DAEMON"}, "status\n"},
		{"a daemon with an empty address", incoming.Bounced, []string{"From: MAILER-DAEMON <>"}, "status\n"},
		{"report without its part", incoming.Bounced, []string{"From: postmaster@mx.example.org", report}, "--b\n\nstatus\n--b--\n"},
		{"report with an empty part", incoming.Bounced, []string{"From: postmaster@mx.example.org", report}, "--b\n\nstatus\n--b\nContent-Type: message/delivery-status\n\n\n--b--\n"},
		{"nothing said", incoming.Empty, []string{fromAnna}, "\n\n-- \nAnna\n"},
		{"no text at all", incoming.Broken, []string{fromAnna, "Content-Type: image/png"}, "x"},
		{"encrypted", incoming.Broken, []string{fromAnna, "Content-Type: multipart/encrypted; boundary=b"}, "--b\nContent-Type: application/pgp-encrypted\n\nVersion: 1\n--b\nContent-Type: application/octet-stream\n\nx\n--b--\n"},
		{"signed", incoming.Orders, []string{fromAnna, "Content-Type: multipart/signed; boundary=b"}, "--b\n\nstatus\n--b\nContent-Type: application/pgp-signature\n\nx\n--b--\n"},
		{"no author", incoming.Broken, []string{"To: x@example.org"}, "status\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			l := Read(mailOf(tt.body, tt.header...), Options{Address: "angelpost+{token}@play.example"})
			if l.Kind != tt.kind {
				t.Fatalf("%s (%s), want %s", l.Kind, l.Reason, tt.kind)
			}
			person := l.From != "" && (l.Kind == incoming.Orders || l.Kind == incoming.Empty || l.Kind == incoming.Broken || l.Kind == incoming.TooLarge)
			if l.Answer != person {
				t.Errorf("answer %v to %s", l.Answer, l.Kind)
			}
			if l.Kind != incoming.Orders && len(l.Orders) > 0 {
				t.Errorf("%s with orders %q", l.Kind, l.Orders)
			}
		})
	}
}

func TestDeliveryReports(t *testing.T) {
	tests := []struct {
		action, status string
		want           incoming.Bounce
	}{
		{"failed", "5.1.1", incoming.Bounce{Address: "bob@example.org", Permanent: true, Status: "5.1.1", MessageID: "n4@play.example"}},
		{"Failed (no such user)", "5.1.1 (bad)", incoming.Bounce{Address: "bob@example.org", Permanent: true, Status: "5.1.1", MessageID: "n4@play.example"}},
		{"failed", "4.4.7", incoming.Bounce{Address: "bob@example.org", Permanent: false, Status: "4.4.7", MessageID: "n4@play.example"}},
		{"delayed", "4.4.1", incoming.Bounce{Address: "bob@example.org", Permanent: false, Status: "4.4.1", MessageID: "n4@play.example"}},
		{"failed", "", incoming.Bounce{Address: "bob@example.org", Permanent: true, Status: "", MessageID: "n4@play.example"}},
	}
	for _, tt := range tests {
		l := Read(mailOf(dsn(tt.action, tt.status), "From: mailer-daemon@x.example", report), Options{})
		if l.Kind != incoming.Bounced || !reflect.DeepEqual(l.Bounces, []incoming.Bounce{tt.want}) {
			t.Errorf("%s %s: %s %+v", tt.action, tt.status, l.Kind, l.Bounces)
		}
	}
	l := Read(mailOf("x\n", "From: mailer-daemon@x.example", "X-Failed-Recipients: Bob@example.org,\r\n carla@example.org", "In-Reply-To: <n4@play.example>"), Options{})
	want := []incoming.Bounce{{Address: "bob@example.org", Permanent: true, Status: "", MessageID: "n4@play.example"}, {Address: "carla@example.org", Permanent: true, Status: "", MessageID: "n4@play.example"}}
	if !reflect.DeepEqual(l.Bounces, want) {
		t.Errorf("X-Failed-Recipients: %+v", l.Bounces)
	}
}

// What out-of-office and bounce letters say in their subjects is known in every language that
// the reader knows; a person's answer that only speaks of it is read.
func TestSubjectsOfMachines(t *testing.T) {
	all := map[string][]string{}
	for _, of := range []map[string][]string{autoSubjects, awaySubjects} {
		for lang, s := range of {
			all[lang] = append(all[lang], s...)
		}
	}
	if len(all) != 25 || len(bounceSubjects) != 25 {
		t.Errorf("%d and %d languages", len(all), len(bounceSubjects))
	}
	for lang, subjects := range all {
		for _, s := range subjects {
			for _, before := range []string{"", "Re: ", "[EXTERNAL] "} {
				l := Read(mailOf("status\n", fromAnna, "Subject: "+before+s+": Your move"), Options{})
				if l.Kind != incoming.Auto {
					t.Errorf("%s: %q is %s", lang, before+s, l.Kind)
				}
			}
		}
	}
	for lang, subjects := range bounceSubjects {
		for _, s := range subjects {
			l := Read(mailOf("We could not reach <bob@example.org>.\n", "Return-Path: <>", fromAnna, "Subject: "+s+" Your move"), Options{})
			if l.Kind != incoming.Bounced || l.Bounces[0].Address != "bob@example.org" {
				t.Errorf("%s: %q is %s %+v", lang, s, l.Kind, l.Bounces)
			}
		}
	}
	for _, s := range []string{"Re: Your move by Sat 5 Dec", "Re: I was out of office", "my orders, automatic reply is off now"} {
		if l := Read(mailOf("status\n", fromAnna, "Subject: "+s), Options{}); l.Kind != incoming.Orders {
			t.Errorf("%q is %s (%s)", s, l.Kind, l.Reason)
		}
	}
}

// A player who is away writes under such a subject, too: their letter is read if it is a new
// one, and if it has orders.
func TestPlayersWhoAreAway(t *testing.T) {
	const answers = "In-Reply-To: <n4@play.example>"
	for _, tt := range []struct {
		header []string
		body   string
		want   incoming.Class
	}{
		{[]string{"Subject: On vacation"}, "vacation 2026-12-01 2026-12-10\n", incoming.Orders},
		{[]string{"Subject: On vacation"}, "I'm away until Friday, sorry.\n", incoming.Orders},
		{[]string{"Subject: Im Urlaub"}, "Bin am Freitag wieder da.\n", incoming.Orders},
		{[]string{"Subject: En vacances"}, "\n", incoming.Empty},
		{[]string{"Subject: On vacation", answers}, "card 013 at row 2\n", incoming.Orders},
		{[]string{"Subject: On vacation soon: my turn"}, "Hi,\n\ncard 013 at row 2\n\nBye\n", incoming.Orders},
		{[]string{"Subject: Out of office: Your move by Sat 5 Dec"}, "I am out of the office until 1 December.\nIn urgent cases call 1234.\n", incoming.Auto},
		{[]string{"Subject: On vacation", answers}, "I'm away until Friday.\n", incoming.Auto},
		{[]string{"Subject: On vacation", answers}, "", incoming.Auto},
		{[]string{"Subject: Automatic reply: Your move"}, "card 013 at row 2\n", incoming.Auto},
		{[]string{"Subject: On vacation", "Auto-Submitted: auto-replied"}, "card 013 at row 2\n", incoming.Auto},
	} {
		l := Read(mailOf(tt.body, append(tt.header, fromAnna)...), Options{Says: order.Says})
		if l.Kind != tt.want || l.Answer != (tt.want != incoming.Auto) || tt.want == incoming.Auto && len(l.Orders) > 0 {
			t.Errorf("%q %q: %s (%s), answer %v", tt.header, tt.body, l.Kind, l.Reason, l.Answer)
		}
	}
}

// Reports name who was not reached, whatever part of them says so, and which letter it was.
func TestReportsNameTheirRecipient(t *testing.T) {
	const daemon = "From: MAILER-DAEMON@mx.example.org"
	returned := "Return-Path: <angelpost@play.example>\nMessage-ID: <n4@play.example>\nTo: bob@example.org\nReply-To: angelpost+" + token + "@play.example\n"
	part := func(status string) string {
		return "--b\n\nIt failed.\n--b\nContent-Type: message/delivery-status\n\nReporting-MTA: dns; mx\n\n" + status + "\n--b\nContent-Type: text/rfc822-headers\n\n" + returned + "--b--\n"
	}
	bob := incoming.Bounce{Address: "bob@example.org", MessageID: "n4@play.example", Permanent: true}
	with := func(status string, permanent bool) incoming.Bounce {
		b := bob
		b.Status, b.Permanent = status, permanent
		return b
	}
	for name, tt := range map[string]struct {
		header []string
		body   string
		want   incoming.Bounce
	}{
		"only a status":        {[]string{daemon, report}, part("Status: 5.1.1"), with("5.1.1", true)},
		"expired":              {[]string{daemon, report}, part("Final-Recipient: rfc822;bob@example.org\nAction: expired\nStatus: 4.4.7"), with("4.4.7", false)},
		"expired for good":     {[]string{daemon, report}, part("Final-Recipient: rfc822;<bob@example.org>\nAction: expired\nStatus: 5.4.7"), with("5.4.7", true)},
		"only a recipient":     {[]string{daemon, report}, part("Final-Recipient: rfc822; bob@example.org"), bob},
		"an empty status part": {[]string{daemon, report}, part(""), bob},
		"the returned letter":  {[]string{daemon, "Content-Type: multipart/mixed; boundary=b"}, "--b\n\nSorry.\n--b\nContent-Type: message/rfc822\n\n" + returned + "\ndone\n--b--\n", bob},
		"the returned text":    {[]string{daemon}, "Sorry. 550 no such user\n\n--- Below this line is a copy of the message.\n\n" + returned + "\ndone\n", bob},
		"the explanation":      {[]string{"Return-Path: <>", "From: postmaster@mx.example.org", "In-Reply-To: <n4@play.example>"}, "Hello <angelpost@play.example>: <bob@example.org>: 5.1.1 unknown\n", with("5.1.1", true)},
		"a line of its own":    {[]string{daemon, "References: <n4@play.example>"}, "The following address failed:\n\n  bob@example.org\n", bob},
		"late":                 {[]string{daemon, "Subject: Warning: message delayed 24 hours", "References: <n4@play.example>"}, "  bob@example.org\n", with("", false)},
		"no address at all":    {[]string{daemon, "References: <n4@play.example>"}, "It failed.\n", incoming.Bounce{MessageID: "n4@play.example", Permanent: true}},
		"X-Failed-Recipients":  {[]string{fromAnna, "X-Failed-Recipients: bob@example.org", "References: <n4@play.example>"}, "Sorry <eve@example.org>\n", bob},
	} {
		l := Read(mailOf(tt.body, append(tt.header, "To: angelpost@play.example")...), Options{Address: "angelpost+{token}@play.example"})
		if l.Kind != incoming.Bounced || len(l.Bounces) != 1 || l.Bounces[0] != tt.want || l.Answer {
			t.Errorf("%s: %s (%s) %+v", name, l.Kind, l.Reason, l.Bounces)
		}
		if strings.Contains(tt.body, token) && l.Token != token {
			t.Errorf("%s: token %q", name, l.Token)
		}
	}
}

// An abuse report names the letter, and who complains where it does not hide them.
func TestAbuseReports(t *testing.T) {
	arf := func(fields, returned string) string {
		return "--b\n\nstatus\n--b\nContent-Type: message/feedback-report\n\n" + fields + "\n--b\nContent-Type: message/rfc822\n\n" + returned + "\ndone\n--b--\n"
	}
	const header = "Content-Type: multipart/report; report-type=feedback-report; boundary=b"
	for body, want := range map[string]incoming.Complaint{
		arf("Feedback-Type: abuse\nOriginal-Rcpt-To: <Bob@example.org>", "Message-ID: <n4@play.example>\nTo: x@example.org\n"): {Address: "bob@example.org", MessageID: "n4@play.example"},
		arf("Feedback-Type: abuse", "Message-ID: <n4@play.example>\nTo: Bob <bob@example.org>\n"):                              {Address: "bob@example.org", MessageID: "n4@play.example"},
		arf("Feedback-Type: abuse", "Message-ID: <n4@play.example>\nTo: redacted\n"):                                           {MessageID: "n4@play.example"},
	} {
		l := Read(mailOf(body, "From: fbl@provider.example", header), Options{})
		if l.Kind != incoming.Complained || l.Complaint == nil || *l.Complaint != want || l.Answer {
			t.Errorf("%s %+v, want %+v", l.Kind, l.Complaint, want)
		}
	}
}
