package letter

import (
	"reflect"
	"strings"
	"testing"

	"angelpost/engine/incoming"

	"pgregory.net/rapid"
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
			if broken := l.Kind == incoming.Broken; broken != (tt.from == "") || l.Answer == broken {
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
		{"forged pass in our name where ours found no record", "mx.play.example; dmarc=none header.from=example.org\r\nAuthentication-Results: mx.play.example; dmarc=pass header.from=example.org", NoEvidence},
		{"forged signature in our name", "mx.play.example; dkim=pass header.d=example.org\r\nAuthentication-Results: MX.Play.Example; dkim=fail header.d=example.org", Failed},
		{"forged signature below", "mx.play.example; dkim=fail header.d=example.org\r\nAuthentication-Results: mx.play.example (x);\r\n\tdkim=pass\r\n header.d=example.org", Failed},
		{"ARC is not looked at", "evil.example; none\r\nARC-Authentication-Results: i=1; mx.play.example; dmarc=fail", NoEvidence},
		{"DMARC of another author", "mx.play.example; dmarc=pass header.from=evil.example", Failed},
		{"DMARC of the organisation", "mx.play.example; dmarc=pass (p=NONE sp=NONE; dis=NONE) header.from=Mail.Example.Org.", Passed},
		{"no result", "mx.play.example; none", NoEvidence},
		{"comment before the sign", "mx.play.example; dmarc (p=none) = fail", Failed},
		{"comments everywhere", "(a) mx.play.example (b(c)\\)) 1 (d;e=f) ; (g) dmarc(h)/(i)1(j)=(k)fail(l)header(m).(n)from(o)=(p)example.org(q)", Failed},
		{"folded everywhere", "\r\n mx.play.example\r\n\t;\r\n dmarc\r\n =\r\n fail", Failed},
		{"no space at all", "mx.play.example;spf=pass;dmarc=fail(p=none)header.from=example.org;", Failed},
		{"comment after the result", "mx.play.example; dmarc=pass(p=NONE)header.from=evil.example", Failed},
		{"capitals", "MX.PLAY.EXAMPLE; Dmarc=Fail Header.From=EXAMPLE.ORG", Failed},
		{"method's version", "mx.play.example; dmarc/1=fail", Failed},
		{"quoted values", `"mx.play.example"; dmarc="fail" reason="a;b \"c\" (d" header.from="example.org"`, Failed},
		{"quoted domain of another author", `mx.play.example; dmarc=pass header.from="evil.example"`, Failed},
		{"spaces in a property", "mx.play.example; dmarc=pass header . from = evil.example", Failed},
		{"result within a comment", "mx.play.example; spf=pass (; dmarc=fail ; dkim=fail) smtp.mailfrom=x", NoEvidence},
		{"result within a string", `mx.play.example; spf=pass reason="; dmarc=fail"`, NoEvidence},
		{"parenthesis within a string", `mx.play.example; spf=pass reason="("; dmarc=fail`, Failed},
		{"several methods", "mx.play.example; iprev=pass (x) policy.iprev=192.0.2.1; spf=pass smtp.mailfrom=a@b; dkim=pass (2048-bit key; unprotected) header.d=example.org header.b=a/b+c=; arc=none; dmarc=fail", Failed},
		{"several fields", "mx.play.example; spf=pass\r\nAuthentication-Results: mx.play.example; dkim=pass header.d=example.org\r\nAuthentication-Results: mx.play.example; dmarc=fail", Failed},
		{"number of a job", "mx.play.example/4BxY1; dmarc=fail", Failed},
		{"Microsoft's properties", "mx.play.example; dkim=none (not signed) header.d=none; dmarc=fail action=none header.from=example.org;compauth=fail reason=001", Failed},
		{"ends with a semicolon", "mx.play.example; dmarc=pass header.from=example.org; ", Passed},
		{"other methods as they please", "mx.play.example; x-spam score 5 = ? \"a\"; dmarc=pass header.from=example.org", Passed},
		{"domain beyond ASCII", "mx.play.example; dmarc=pass header.from=b\u00fccher.example", Failed},
		{"comment not closed", "mx.play.example; dmarc=fail (", Illegible},
		{"comment not opened", "mx.play.example; dmarc=pass )", Illegible},
		{"string not closed", "mx.play.example; dmarc=fail reason=\"", Illegible},
		{"two words", "mx.play.example; dmarc pass", Illegible},
		{"no sign", "mx.play.example; dmarc", Illegible},
		{"no result", "mx.play.example; dmarc= ; spf=pass", Illegible},
		{"two signs", "mx.play.example; dmarc==fail", Illegible},
		{"no domain", "mx.play.example; dmarc=pass header.from=; spf=pass", Illegible},
		{"another version", "mx.play.example 2; dmarc=pass", Illegible},
		{"more than a version", "mx.play.example 1 1; dmarc=pass", Illegible},
		{"illegible by another name", "evil.example; dmarc=pass (", NoEvidence},
		{"pass does not mend it", "mx.play.example; dmarc=pass\r\nAuthentication-Results: mx.play.example; dmarc=pass (", Illegible},
		{"nor above", "mx.play.example; dmarc=pass (\r\nAuthentication-Results: mx.play.example; dmarc=pass", Illegible},
		{"fail outweighs it", "mx.play.example; dmarc (\r\nAuthentication-Results: mx.play.example; dmarc=fail", Failed},
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

// However a server spells a field (RFC 8601, section 2.2), with comments and white
// space wherever they may be, it says the same.
func TestAnySpelling(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cfws := rapid.SampledFrom([]string{"", "", "", " ", "\r\n ", "(x)", " (a (b;c) \\) d=e) ", "\t(\")"})
		gap := func() string { return cfws.Draw(t, "cfws") }
		apart := func() string { return rapid.SampledFrom([]string{" ", "\r\n\t", "(;)", " (x) "}).Draw(t, "gap") }
		cased := func(s string) string {
			if rapid.Bool().Draw(t, "capitals") {
				return strings.ToUpper(s)
			}
			return s
		}
		value := func(s string) string {
			switch rapid.IntRange(0, 3).Draw(t, "quoted") {
			case 0:
				return `"` + s + `"`
			case 1:
				return `"` + s[:1] + `\` + s[1:] + `"`
			}
			return s
		}
		field := gap() + value("mx.play.example") + gap()
		if rapid.Bool().Draw(t, "version") {
			field = gap() + value("mx.play.example") + apart() + "1" + gap()
		}
		var want []authResult
		for range rapid.IntRange(0, 4).Draw(t, "methods") {
			r := authResult{
				method: rapid.SampledFrom([]string{"dkim", "dmarc", "spf", "x-other"}).Draw(t, "method"),
				result: rapid.SampledFrom([]string{"pass", "fail", "none", "temperror"}).Draw(t, "result"),
			}
			field += ";" + gap() + cased(r.method) + gap()
			if rapid.Bool().Draw(t, "method's version") {
				field += "/" + gap() + "1" + gap()
			}
			field += "=" + gap() + cased(r.result)
			if rapid.Bool().Draw(t, "reason") {
				field += apart() + cased("reason") + gap() + "=" + gap() + `"a; b=c (d\""`
			}
			for _, p := range rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"header.d", "header.from", "header.b", "policy.x"}), 0, 3, rapid.ID[string]).Draw(t, "properties") {
				host := rapid.SampledFrom([]string{"example.org", "mail.example.org", "evil.example"}).Draw(t, "domain")
				typ, name, _ := strings.Cut(p, ".")
				field += apart() + cased(typ) + gap() + "." + gap() + cased(name) + gap() + "=" + gap() + value(cased(host))
				switch p {
				case "header.d":
					r.domain = host
				case "header.from":
					r.from = host
				}
			}
			field += gap()
			if r.method == "dkim" || r.method == "dmarc" {
				want = append(want, r)
			}
		}
		h, _, _ := parseHeader([]byte("Authentication-Results: "+field+"\r\n\r\n"), MaxHeader)
		server, got, ok := authResults(h.get("authentication-results"))
		if !ok || server != "mx.play.example" || !reflect.DeepEqual(got, want) {
			t.Fatalf("%q says %+v of %q (%v), want %+v", field, got, server, ok, want)
		}
	})
}

// FuzzAuthentication reads fields of any kind. Whatever else a letter has, a failure
// is one.
func FuzzAuthentication(f *testing.F) {
	for _, s := range []string{
		"mx.play.example; dmarc=pass header.from=example.org", "mx.play.example 1; dmarc (p=none) = fail", "mx.play.example; dkim=fail (", "mx.play.example; none", `"mx.play.example"; dkim/1="pass" reason="\\" header.i=a@example.org`,
		"mx.play.example; dkim=pass header.d=example.org; dkim=hardfail header.b=a/b==", "mx.play.example; dmarc=pass header . from = evil.example", "(;", "\";", "=", "mx.play.example;=;=",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		const id, from = "mx.play.example", "anna@example.org"
		auth, _ := authentication(header{{"authentication-results", s}}, id, from)
		server, results, ok := authResults(s)
		if !ok && results != nil {
			t.Errorf("%q cannot be read and says %+v", s, results)
		}
		if known := strings.EqualFold(server, id); !known && auth != NoEvidence || known && !ok != (auth == Illegible) {
			t.Errorf("%q of %q (%v) is %q", s, server, ok, auth)
		}
		for _, r := range results {
			if r.method != "dkim" && r.method != "dmarc" || r.result == "" {
				t.Errorf("%q says %+v", s, r)
			}
		}
		const fails = id + "; dmarc=fail"
		for _, h := range []header{{{"authentication-results", s}, {"authentication-results", fails}}, {{"authentication-results", fails}, {"authentication-results", s}}} {
			if auth, _ := authentication(h, id, from); auth != Failed {
				t.Errorf("%q and a failure: %q", s, auth)
			}
		}
	})
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
	if l.Kind != incoming.Orders || len(l.Orders) != 1 || l.Orders[0] != "status" {
		t.Errorf("%s %q", l.Kind, l.Orders)
	}
}
