package letter

import (
	"strings"
	"testing"
)

// mailOf is a letter with the given header lines and a body.
func mailOf(body string, header ...string) []byte {
	return []byte(strings.Join(header, "\r\n") + "\r\n\r\n" + strings.ReplaceAll(body, "\n", "\r\n"))
}

const fromAnna = "From: Anna <anna@example.org>"

func TestTokenPlaces(t *testing.T) {
	const plus = "angelpost+{token}@play.example"
	tests := []struct{ name, pattern, header, want string }{
		{"To", plus, "To: Angelpost <angelpost+" + token + "@play.example>", token},
		{"upper case", plus, "To: ANGELPOST+" + strings.ToUpper(token) + "@PLAY.EXAMPLE", token},
		{"among others", plus, "To: bob@x.org, \"Berg, Anna\" <anna@example.org>, <angelpost+" + token + "@play.example>", token},
		{"Cc", plus, "Cc: angelpost+" + token + "@play.example", token},
		{"Delivered-To", plus, "Delivered-To: angelpost+" + token + "@play.example", token},
		{"X-Original-To", plus, "X-Original-To: angelpost+" + token + "@play.example", token},
		{"Envelope-To", plus, "Envelope-To: angelpost+" + token + "@play.example", token},
		{"envelope before To", plus, "To: angelpost+aaaaaaaaaaaaaaaaaaaaaaaa@play.example\r\nDelivered-To: angelpost+" + token + "@play.example", token},
		{"host renamed on the way", plus, "To: angelpost+" + token + "@mx1.play.example", token},
		{"list illegible but for the address", plus, "To: ;;,<<angelpost+" + token + "@play.example>", token},
		{"folded", plus, "To: Angelpost\r\n <angelpost+" + token + "@play.example>", token},
		{"catch-all", "{token}@play.example", "To: " + token + "@play.example", token},
		{"catch-all leaves names alone", "{token}@play.example", "To: anna@play.example", ""},
		{"token in the domain", "game@{token}.play.example", "To: game@" + token + ".play.example", token},
		{"other mailbox", plus, "To: sales+" + token + "@play.example", ""},
		{"below 100 bits", plus, "To: angelpost+k7q2m4n6p3r5s7tbucv@play.example", ""},
		{"not base32", plus, "To: angelpost+k7q2m4n6p3r5s7tbucvdwex1@play.example", ""},
		{"no pattern", "", "To: someone+" + token + "@elsewhere.example", token},
		{"no pattern, whole local part", "", "To: " + token + "@elsewhere.example", token},
		{"subject tag", plus, "To: angelpost@play.example\r\nSubject: AW: your turn [Angelpost " + token + "]", token},
		{"subject tag, bare", plus, "Subject: [" + strings.ToUpper(token) + "]", token},
		{"subject tag, folded", plus, "Subject: Re: your turn [k7q2m4n6p3r5\r\n s7tbucvdwexf]", token},
		{"subject tag, encoded", plus, "Subject: =?utf-8?q?Gr=C3=BC=C3=9Fe_[" + token + "]?=", token},
		{"address before subject", plus, "To: angelpost+" + token + "@play.example\r\nSubject: [aaaaaaaaaaaaaaaaaaaaaaaa]", token},
		{"nowhere", plus, "Subject: [important] hello", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			l := Read(mailOf("status\n", fromAnna, tt.header), Options{Address: tt.pattern})
			if l.Token != tt.want {
				t.Errorf("token %q, want %q", l.Token, tt.want)
			}
		})
	}
}

func TestAuthor(t *testing.T) {
	tests := []struct{ name, header, from, display string }{
		{"plain", "From: anna@example.org", "anna@example.org", ""},
		{"name", "From: Anna Berg <Anna.Berg@Example.ORG>", "anna.berg@example.org", "Anna Berg"},
		{"encoded name", "From: =?iso-8859-1?q?J=F6rg?= <j@example.org>", "j@example.org", "Jörg"},
		{"unknown charset in name", "From: =?x-martian?q?Zork?= <z@example.org>", "z@example.org", "Zork"},
		{"bare comma in name", "From: Berg, Anna <anna@example.org>", "anna@example.org", "Berg, Anna"},
		{"address as name", `From: "bob@example.org" <anna@example.org>`, "anna@example.org", "bob@example.org"},
		{"comment", "From: anna@example.org (bob@example.org)", "anna@example.org", "bob@example.org"},
		{"Sender and Reply-To play no part", "From: anna@example.org\r\nSender: bob@example.org\r\nReply-To: bob@example.org", "anna@example.org", ""},
		{"final dot", "From: anna@example.org.", "", ""},
		{"international domain", "From: anna@Bücher.example", "anna@xn--bcher-kva.example", ""},
		{"two authors", "From: anna@example.org, bob@example.org", "", ""},
		{"two fields", "From: anna@example.org\r\nFrom: bob@example.org", "", ""},
		{"two fields, other case", "From: anna@example.org\r\nFROM : bob@example.org", "", ""},
		{"group", "From: players: anna@example.org, bob@example.org;", "", ""},
		{"empty group", "From: undisclosed-recipients:;", "", ""},
		{"none", "To: x@example.org", "", ""},
		{"empty", "From:", "", ""},
		{"unquoted address in name", "From: bob@example.org <anna@example.org>", "", ""},
		{"two angles", "From: Anna, <bob@example.org> <anna@example.org>", "", ""},
		{"source route", "From: <@bob.example:anna@example.org>", "", ""},
		{"quoted local part", `From: "anna berg"@example.org`, "", ""},
		{"Kelvin sign", "From: \u212Aate@example.org", "", ""},
		{"zero-width", "From: an\u200bna@example.org", "", ""},
		{"Kelvin sign in the domain", "From: anna@b_\u212A.example", "", ""},
		{"encoded address", "From: =?utf-8?q?anna=40example.org?=", "", ""},
		{"encoded address as name", "From: =?utf-8?q?anna=40example.org?= <bob@example.org>", "bob@example.org", "anna@example.org"},
		{"bare CR", "From: anna@example.org\rFrom: bob@example.org", "", ""},
		{"NUL", "From: anna@example.org\x00", "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			l := Read(mailOf("status\n", tt.header), Options{})
			if l.From != tt.from || l.FromName != tt.display {
				t.Errorf("From %q %q, want %q %q", l.From, l.FromName, tt.from, tt.display)
			}
			if broken := l.Kind == Broken; broken != (tt.from == "") || l.Answer == broken {
				t.Errorf("kind %s (%s), answer %v", l.Kind, l.Reason, l.Answer)
			}
		})
	}
}

func TestAuthenticationResults(t *testing.T) {
	tests := []struct {
		name, fields string
		want         Auth
	}{
		{"none", "", NoEvidence},
		{"DMARC passed", "mx.play.example; dmarc=pass header.from=example.org", Passed},
		{"DMARC failed", "mx.play.example; dkim=pass header.d=example.org; dmarc=fail (p=none) header.from=example.org", Failed},
		{"DKIM failed", "mx.play.example; dkim=fail reason=\"bad; signature\" header.d=example.org", Failed},
		{"DKIM failed, DMARC by SPF", "mx.play.example; dkim=fail header.d=example.org; dmarc=pass", Failed},
		{"one signature of two failed", "mx.play.example; dkim=fail header.d=relay.example; dkim=pass header.d=example.org", Passed},
		{"a stranger's signature does not help", "mx.play.example; dkim=fail header.d=example.org; dkim=pass header.d=evil.example", Failed},
		{"signed by the organisation", "mx.play.example; dkim=pass header.i=@mail.example.org", Passed},
		{"signed by a stranger", "mx.play.example; dkim=pass header.d=evil.example", NoEvidence},
		{"signed by half a name", "mx.play.example; dkim=pass header.d=org", NoEvidence},
		{"version and spaces", "MX.play.example 1; DMARC = FAIL", Failed},
		{"semicolon within a comment", "mx.play.example; spf=pass (sender said: a;b (c)) smtp.mailfrom=x; dmarc=fail", Failed},
		{"forged by another name", "evil.example; dmarc=fail", NoEvidence},
		{"forged pass by another name", "evil.example; dmarc=pass\r\nAuthentication-Results: mx.play.example; dmarc=fail", Failed},
		{"forged pass in our name below ours", "mx.play.example; dmarc=fail\r\nAuthentication-Results: mx.play.example; dmarc=pass", Failed},
		{"forged pass in our name above ours", "mx.play.example; dmarc=pass\r\nAuthentication-Results: mx.play.example; dmarc=fail", Failed},
		{"forged signature in our name", "mx.play.example; dkim=pass header.d=example.org\r\nAuthentication-Results: MX.Play.Example; dkim=fail header.d=example.org", Failed},
		{"forged signature below", "mx.play.example; dkim=fail header.d=example.org\r\nAuthentication-Results: mx.play.example (x);\r\n\tdkim=pass\r\n header.d=example.org", Failed},
		{"ARC is not looked at", "evil.example; none\r\nARC-Authentication-Results: i=1; mx.play.example; dmarc=fail", NoEvidence},
		{"DMARC of another author", "mx.play.example; dmarc=pass header.from=evil.example", Failed},
		{"DMARC of the organisation", "mx.play.example; dmarc=pass (p=NONE sp=NONE; dis=NONE) header.from=Mail.Example.Org.", Passed},
		{"no result", "mx.play.example; none", NoEvidence},
		{"comment not closed", "mx.play.example; dmarc=fail (", NoEvidence},
		{"string not closed", "mx.play.example; dmarc=fail reason=\"", NoEvidence},
		{"neither passed nor failed", "mx.play.example; dkim=temperror header.d=example.org; dmarc=none", NoEvidence},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			header := []string{fromAnna}
			if tt.fields != "" {
				header = append(header, "Authentication-Results: "+tt.fields)
			}
			raw := mailOf("status\n", header...)
			if l := Read(raw, Options{AuthservID: "mx.play.example"}); l.Auth != tt.want {
				t.Errorf("%q (%s), want %q", l.Auth, l.AuthReason, tt.want)
			}
			if l := Read(raw, Options{}); l.Auth != NoEvidence {
				t.Errorf("%q without an authserv-id configured", l.Auth)
			}
		})
	}
}

// The hash tells letters apart by what was written, not by how it travelled.
func TestBodyHash(t *testing.T) {
	ct := "Content-Type: text/plain; charset="
	same := map[string][]byte{
		"8bit":             mailOf("say: Grüße\n", fromAnna, ct+"utf-8", "Content-Transfer-Encoding: 8bit"),
		"other Received":   mailOf("say: Grüße\n", "Received: from a by b", fromAnna, ct+"utf-8", "X-Spam: no"),
		"quoted-printable": mailOf("say: Gr=C3=BC=\n=C3=9Fe\n", fromAnna, ct+"utf-8", "Content-Transfer-Encoding: quoted-printable"),
		"base64":           mailOf("c2F5OiBHcsO8w59lDQo=\n", fromAnna, ct+"utf-8", "Content-Transfer-Encoding: BASE64"),
		"latin1":           mailOf("say: Gr\xfc\xdfe\n", fromAnna, ct+"iso-8859-1"),
		"trailing spaces":  mailOf("say: Grüße  \n\n", fromAnna, ct+"utf-8"),
	}
	want := Read(same["8bit"], Options{}).BodyHash
	if len(want) != 64 {
		t.Fatalf("hash %q", want)
	}
	for name, raw := range same {
		if got := Read(raw, Options{}).BodyHash; got != want {
			t.Errorf("%s: another hash", name)
		}
	}
	if got := Read(mailOf("say: Grüsse\n", fromAnna, ct+"utf-8"), Options{}).BodyHash; got == want {
		t.Error("another body, the same hash")
	}
	lf := []byte(strings.ReplaceAll(string(same["8bit"]), "\r\n", "\n"))
	if got := Read(lf, Options{}).BodyHash; got != want {
		t.Error("LF: another hash")
	}
	multi := func(boundary string) []byte {
		return mailOf("--"+boundary+"\n\nstatus\n--"+boundary+"\nContent-Type: text/html\n\n<p>status</p>\n--"+boundary+"--\n",
			fromAnna, "Content-Type: multipart/alternative; boundary="+boundary)
	}
	if Read(multi("aaaa"), Options{}).BodyHash != Read(multi("bbbb"), Options{}).BodyHash {
		t.Error("the hash depends on the boundary")
	}
}

func TestHeader(t *testing.T) {
	l := Read(mailOf("status\n", "From anna@example.org Sat Nov 21 09:30:00 2026", fromAnna, "Message-ID:\r\n <a1@example.org>",
		"In-Reply-To: <n4@play.example> <x@y>", "Date: Sat, 21 Nov 2026 09:30:00 +0100 (CET)", "Subject: =?utf-8?b?R3LDvMOfZQ==?=", "garbage without colon"), Options{})
	if l.MessageID != "a1@example.org" || l.InReplyTo != "n4@play.example" || l.Subject != "Grüße" || l.Date.UTC().Format("2006-01-02T15:04") != "2026-11-21T08:30" {
		t.Errorf("read %q %q %q %v", l.MessageID, l.InReplyTo, l.Subject, l.Date)
	}
	if l.Kind != Orders || len(l.Orders) != 1 || l.Orders[0] != "status" {
		t.Errorf("%s %q", l.Kind, l.Orders)
	}
}
