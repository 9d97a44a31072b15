package setup

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"angelpost/cmd/internal/cli"
	"angelpost/cmd/internal/server"
)

// zone is a DNS zone for tests: records by their type and name.
type zone map[string][]string

func (z zone) get(ctx context.Context, kind, name string) ([]string, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	out := z[kind+" "+strings.TrimSuffix(name, ".")]
	switch {
	case len(out) == 0:
		return nil, &net.DNSError{Name: name, Err: "no such host", IsNotFound: true}
	case out[0] == "timeout":
		return nil, &net.DNSError{Name: name, Err: "timeout", IsTimeout: true}
	}
	return out, nil
}

func (z zone) LookupTXT(ctx context.Context, name string) ([]string, error) {
	return z.get(ctx, "TXT", name)
}
func (z zone) LookupHost(ctx context.Context, name string) ([]string, error) {
	return z.get(ctx, "A", name)
}
func (z zone) LookupAddr(ctx context.Context, addr string) ([]string, error) {
	return z.get(ctx, "PTR", addr)
}
func (z zone) LookupMX(ctx context.Context, name string) (out []*net.MX, err error) {
	all, err := z.get(ctx, "MX", name)
	for _, host := range all {
		out = append(out, &net.MX{Host: host, Pref: 10})
	}
	return out, err
}

// dnsConfig returns a configuration for play.angelpost.org, whose host runs the mail server.
func dnsConfig(t *testing.T, change ...string) *server.Config {
	t.Helper()
	c, err := server.LoadConfig(writeSettings(t, t.TempDir(), append(change, "angelpost+{token}@example.org", "angelpost+{token}@play.angelpost.org")...))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestDNS: for each record that helps letters to arrive, doctor says that it is there, or
// what to enter where.
func TestDNS(t *testing.T) {
	full := func(change ...string) zone {
		z := zone{
			"MX play.angelpost.org": {"mail.angelpost.org."}, "A mail.angelpost.org": {"192.0.2.1"}, "PTR 192.0.2.1": {"mail.angelpost.org."},
			"TXT play.angelpost.org":                 {"google-site-verification=x", "v=spf1 mx -all"},
			"TXT _dmarc.angelpost.org":               {"v=DMARC1; p=none"},
			"TXT post._domainkey.play.angelpost.org": {"v=DKIM1; k=rsa; p=AAAA"},
		}
		for _, c := range change {
			key, value, found := strings.Cut(c, " = ")
			if delete(z, key); found {
				z[key] = strings.Split(value, " + ")
			}
		}
		return z
	}
	signed := []byte("DKIM-Signature: v=1; a=rsa-sha256; d=play.angelpost.org;\r\n s=post; bh=x; b=y\r\nFrom: a@b.org\r\n\r\nHello\r\n")
	for _, c := range []struct {
		zone   zone
		letter []byte
		check  string
		want   string // "ok", or a level and words that doctor prints
	}{
		{full(), signed, "", "ok"},
		{full("MX play.angelpost.org"), signed, "mx", "fail cannot arrive play.angelpost.org. MX 10"},
		{full("MX play.angelpost.org", "A play.angelpost.org = 192.0.2.1"), signed, "mx", "ok"},
		{full("MX play.angelpost.org = ."), signed, "mx", "fail takes no letters"},
		{full("A mail.angelpost.org"), signed, "mx", "fail no address mail.angelpost.org"},
		{full("MX play.angelpost.org = timeout"), signed, "mx", "warn does not answer"},
		{full("TXT play.angelpost.org"), signed, "spf", `warn no SPF TXT "v=spf1 mx -all"`},
		{full("TXT play.angelpost.org = v=spf1 mx -all + V=SPF1 a"), signed, "spf", "warn 2 SPF"},
		{full("TXT play.angelpost.org = v=spf1 +all"), signed, "spf", "warn anyone"},
		{full(), nil, "dkim", "warn no DKIM signature angelpost dkim"},
		{full("TXT post._domainkey.play.angelpost.org"), signed, "dkim", "warn post._domainkey.play.angelpost.org"},
		{full("TXT post._domainkey.play.angelpost.org = v=DKIM1; p="), signed, "dkim", "warn no key"},
		{full(), bytes.Replace(signed, []byte("d=play."), []byte("d=evil."), 1), "dkim", "warn no DKIM signature"},
		{full("TXT _dmarc.angelpost.org"), signed, "dmarc", `warn _dmarc.play.angelpost.org. TXT "v=DMARC1; p=none"`},
		{full("TXT _dmarc.angelpost.org", "TXT _dmarc.play.angelpost.org = v=DMARC1; p=reject"), signed, "dmarc", "ok"},
		{full("PTR 192.0.2.1"), signed, "ptr", "warn 192.0.2.1 mail.angelpost.org"},
		{full("PTR 192.0.2.1 = host-1.provider.net."), signed, "ptr", "warn lead back mail.angelpost.org"},
		{full("PTR 192.0.2.1 = timeout"), signed, "ptr", "warn does not answer"},
	} {
		seen := map[string]string{}
		checkDNS(t.Context(), dnsConfig(t), c.zone, c.letter, func(name, found string, wrong *complaint) {
			switch {
			case wrong == nil:
				seen[name] = "ok " + found
			case wrong.warn:
				seen[name] = fmt.Sprintf("warn %v. %s", wrong.err, wrong.mend)
			default:
				seen[name] = fmt.Sprintf("fail %v. %s", wrong.err, wrong.mend)
			}
		})
		if len(seen) != 5 {
			t.Fatalf("%v", seen)
		}
		for name, said := range seen {
			switch {
			case c.check == "" || name == c.check && c.want == "ok":
				if !strings.HasPrefix(said, "ok ") {
					t.Errorf("%s: %s", name, said)
				}
			case name == c.check:
				level, words, _ := strings.Cut(c.want, " ")
				for _, w := range append(strings.Fields(words), level) {
					if !strings.Contains(said, w) {
						t.Errorf("%s: %s; want %s", name, said, c.want)
						break
					}
				}
			}
		}
	}
	// If a provider's server sends the letters, doctor knows what to include, and does not
	// check the server's names.
	checkDNS(t.Context(), dnsConfig(t, "smtp.example.org:587", "smtp.gmail.com:587"), full("TXT play.angelpost.org", "PTR 192.0.2.1"), signed, func(name, found string, wrong *complaint) {
		if name == "spf" && !strings.Contains(wrong.mend, "include:_spf.google.com") || name == "ptr" && wrong != nil {
			t.Errorf("%s: %v", name, wrong)
		}
	})
	// Domains of this machine are not in DNS, so doctor checks none of their records.
	c := dnsConfig(t)
	c.Address = "angelpost+{token}@demo.localhost"
	checkDNS(t.Context(), c, full(), signed, func(name, _ string, _ *complaint) { t.Errorf("%s was looked at", name) })
	// The checks end with their context.
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	n := 0
	checkDNS(ended, dnsConfig(t), full(), signed, func(_, _ string, wrong *complaint) {
		if n++; wrong == nil {
			t.Error("an answer, although no one may ask")
		}
	})
}

// TestDKIM: `angelpost dkim` makes a key and prints its DNS record, and doctor finds that
// record or says what is wrong with it.
func TestDKIM(t *testing.T) {
	dir := t.TempDir()
	path := writeSettings(t, dir, "angelpost+{token}@example.org", "angelpost+{token}@play.angelpost.org", `selector = ""`, `selector = "angel"`)
	var out, errs bytes.Buffer
	if code := RunDKIM([]string{"-config", path}, &out, &errs); code != cli.ExitYes || !strings.HasPrefix(out.String(), "angel._domainkey.play.angelpost.org. IN TXT ( \"v=DKIM1; k=rsa; p=") {
		t.Fatalf("%d %s%s", code, &out, &errs)
	}
	first := out.String()
	out.Reset()
	if RunDKIM([]string{"-config", path}, &out, &errs); out.String() != first {
		t.Error("it made another key")
	}
	if info, err := os.Stat(filepath.Join(dir, "dkim.pem")); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v %v", info, err)
	}
	c, err := server.LoadConfig(path)
	if err != nil {
		t.Fatal(err)
	}
	s, err := c.Signer()
	if err != nil {
		t.Fatal(err)
	}
	for record, want := range map[string]string{s.Record(): "", "v=DKIM1; p=AAAA": "another key", "": "no record"} {
		z := zone{}
		if record != "" {
			z["TXT angel._domainkey.play.angelpost.org"] = []string{record}
		}
		checkDNS(t.Context(), c, z, nil, func(name, _ string, wrong *complaint) {
			if name == "dkim" && ((want == "") != (wrong == nil) || wrong != nil && (wrong.warn || !strings.Contains(wrong.err.Error(), want) || !strings.Contains(wrong.mend, s.Record()))) {
				t.Errorf("%q: %v", record, wrong)
			}
		})
	}
}

// TestDoctorOnSenders: doctor says whether anyone verifies the authors of letters, and what
// to set.
func TestDoctorOnSenders(t *testing.T) {
	for _, c := range []struct {
		change []string
		dns    zone
		good   string
		wrong  string
	}{
		{nil, zone{}, "", "no one checks"},
		{[]string{`authserv_id = ""`, `authserv_id = "mx.example.net"`}, zone{}, "mx.example.net", ""},
		{[]string{"check_senders = false", "check_senders = true"}, zone{"TXT _dmarc.gmail.com": {"v=DMARC1; p=none"}}, "by DNS", ""},
		{[]string{"check_senders = false", "check_senders = true"}, zone{"TXT _dmarc.gmail.com": {"timeout"}}, "", "does not answer"},
	} {
		good, wrong := checkSenders(t.Context(), dnsConfig(t, c.change...), c.dns)
		if !strings.Contains(good, c.good) || (wrong != nil) != (c.wrong != "") || wrong != nil && (!wrong.warn || !strings.Contains(wrong.err.Error(), c.wrong)) {
			t.Errorf("%v: %q %+v", c.change, good, wrong)
		}
	}
	if _, err := server.LoadConfig(writeSettings(t, t.TempDir(), "check_senders = false", "check_senders = true", `authserv_id = ""`, `authserv_id = "mx.example.net"`)); err == nil {
		t.Error("both at once")
	}
}

// writeSettings writes a configuration whose mail and web servers don't exist, and returns
// its path. It starts from the sample and replaces text by pairs of old and new.
func writeSettings(t *testing.T, dir string, change ...string) string {
	t.Helper()
	path := filepath.Join(dir, "angelpost.toml")
	change = append(change, "%[1]s", path, "imap.example.org:993", "127.0.0.1:1", "smtp.example.org:587", "127.0.0.1:1", "https://play.example.org", "http://127.0.0.1:1")
	if err := os.WriteFile(path, []byte(strings.NewReplacer(change...).Replace(server.ConfigTemplate)), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestLongAddress: doctor warns if an address has no room for whole tokens.
func TestLongAddress(t *testing.T) {
	for address, warned := range map[string]bool{"angelpost+{token}@example.org": false, "black-angel-games+{token}@example.org": true} {
		p := checkTokens(&server.Config{Address: address})
		if (p != nil) != warned || p != nil && !p.warn {
			t.Errorf("%s: %+v", address, p)
		}
	}
}
