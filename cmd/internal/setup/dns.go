package setup

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"net/mail"
	"slices"
	"strings"
	"time"

	"angelpost/cmd/internal/server"
	"angelpost/mail/dkim"
)

// A resolver looks up DNS records.
type resolver interface {
	LookupTXT(ctx context.Context, name string) ([]string, error)
	LookupMX(ctx context.Context, name string) ([]*net.MX, error)
	LookupHost(ctx context.Context, host string) ([]string, error)
	LookupAddr(ctx context.Context, addr string) ([]string, error)
}

var _ resolver = (*net.Resolver)(nil)

// dnsWait is how long all DNS lookups together may take.
const dnsWait = 15 * time.Second

// A dnsCheck checks one kind of record of a domain. Its look returns what it found, or what
// is wrong.
type dnsCheck struct {
	name string
	look func(d *dnsLook, ctx context.Context) (found string, wrong *complaint)
}

// dnsLook is what the checks have in common.
type dnsLook struct {
	resolver
	c      *server.Config
	domain string
	letter []byte // the letter that doctor wrote to itself, as it arrived; nil if it did not
	mx     string // the first host that receives letters, once it is known
}

var dnsChecks = []dnsCheck{{"mx", (*dnsLook).lookMX}, {"spf", (*dnsLook).lookSPF}, {"dkim", (*dnsLook).lookDKIM}, {"dmarc", (*dnsLook).lookDMARC}, {"ptr", (*dnsLook).lookPTR}}

// private reports whether a domain is not in the public DNS.
func private(domain string) bool {
	for _, end := range []string{"localhost", "test", "example", "invalid", "local", "internal", "example.org", "example.com", "example.net"} {
		if domain == end || strings.HasSuffix(domain, "."+end) {
			return true
		}
	}
	return !strings.Contains(domain, ".")
}

// ask turns the error of a lookup into a complaint; missing is the one to return if the
// record does not exist.
func ask(err error, missing *complaint) *complaint {
	notThere := new(net.DNSError)
	switch {
	case err == nil:
		return nil
	case errors.As(err, &notThere) && notThere.IsNotFound:
		return missing
	}
	return &complaint{fmt.Errorf("DNS does not answer: %w", err), "Try again later.", true}
}

// records returns the TXT records of a name that begin with a tag.
func (d *dnsLook) records(ctx context.Context, name, tag string) (out []string, err error) {
	all, err := d.LookupTXT(ctx, name)
	for _, r := range all {
		if head, _, _ := strings.Cut(strings.ToLower(r), ";"); tag == "" || strings.HasPrefix(strings.TrimSpace(head), tag) {
			out = append(out, r)
		}
	}
	if err == nil && len(out) == 0 {
		err = &net.DNSError{Name: name, Err: "no such record", IsNotFound: true}
	}
	return out, err
}

func (d *dnsLook) lookMX(ctx context.Context) (string, *complaint) {
	all, err := d.LookupMX(ctx, d.domain)
	if err == nil && len(all) > 0 && strings.Trim(all[0].Host, ".") == "" {
		return "", &complaint{fmt.Errorf("%s says that it takes no letters (MX 0 .)", d.domain), "Enter the host of your mail server instead.", false}
	}
	if err == nil && len(all) > 0 {
		d.mx = strings.TrimSuffix(all[0].Host, ".")
		if _, err := d.LookupHost(ctx, d.mx); err != nil {
			return "", ask(err, &complaint{fmt.Errorf("the mail server of %s, %s, has no address", d.domain, d.mx), fmt.Sprintf("Enter an A or AAAA record for %s.", d.mx), false})
		}
		return d.mx, nil
	}
	if addrs, e := d.LookupHost(ctx, d.domain); e == nil && len(addrs) > 0 { // mail servers then deliver to the address
		d.mx = d.domain
		return d.domain + " has no MX record, but an address", nil
	}
	return "", ask(err, &complaint{fmt.Errorf("%s has no MX record: players' letters cannot arrive", d.domain), fmt.Sprintf("Enter at your DNS provider: %s. MX 10 and the host of your mail server.", d.domain), false})
}

// providers lists what a domain's SPF record must include if letters go out through a
// provider's server.
var providers = []struct{ smtp, include string }{
	{"gmail.com", "_spf.google.com"}, {"office365.com", "spf.protection.outlook.com"}, {"fastmail.com", "spf.messagingengine.com"},
}

// ours reports whether the host's own mail server sends the letters.
func (d *dnsLook) ours() bool {
	host, _, _ := net.SplitHostPort(d.c.SMTP.Addr)
	ip := net.ParseIP(host)
	return host == "localhost" || ip.IsLoopback() || host == d.mx || host == d.domain || strings.HasSuffix(host, "."+d.domain)
}

func (d *dnsLook) lookSPF(ctx context.Context) (string, *complaint) {
	want := "v=spf1 include:(your provider's name) -all"
	if d.ours() {
		want = "v=spf1 mx -all"
	}
	for _, p := range providers {
		if host, _, _ := net.SplitHostPort(d.c.SMTP.Addr); strings.HasSuffix(host, p.smtp) {
			want = "v=spf1 include:" + p.include + " -all"
		}
	}
	enter := fmt.Sprintf("Enter at your DNS provider: %s. TXT %q.", d.domain, want)
	all, err := d.records(ctx, d.domain, "v=spf1")
	switch {
	case err != nil:
		return "", ask(err, &complaint{fmt.Errorf("%s has no SPF record: letters may be taken for spam", d.domain), enter, true})
	case len(all) > 1:
		return "", &complaint{fmt.Errorf("%s has %d SPF records, so none counts", d.domain, len(all)), "Delete all but one.", true}
	case slices.Contains(strings.Fields(strings.ToLower(all[0])), "+all"):
		return "", &complaint{fmt.Errorf("%s lets anyone send letters in its name (+all)", d.domain), enter, true}
	}
	return all[0], nil
}

func (d *dnsLook) lookDKIM(ctx context.Context) (string, *complaint) {
	s, err := d.c.Signer()
	if err != nil {
		return "", complain(err, "`angelpost dkim` makes a key if there is none.")
	}
	if s != nil {
		enter := fmt.Sprintf("Enter at your DNS provider: %s. TXT %q.", s.Name(), s.Record())
		all, err := d.records(ctx, s.Name(), "")
		switch {
		case err != nil:
			return "", ask(err, &complaint{fmt.Errorf("there is no record for the key at %s", s.Name()), enter, false})
		case !slices.ContainsFunc(all, s.Published):
			return "", &complaint{fmt.Errorf("the record at %s has another key: letters fail the check", s.Name()), enter, false}
		}
		return s.Name(), nil
	}
	name := signature(d.letter, d.domain)
	if name == "" {
		return "", &complaint{fmt.Errorf("the letter that doctor wrote to itself has no DKIM signature of %s", d.domain), "Some servers sign only letters to others. Have your mail server sign, or set [dkim]; `angelpost dkim` prints what to enter.", true}
	}
	all, err := d.records(ctx, name, "")
	if err == nil && !slices.ContainsFunc(all, func(r string) bool { key, _ := dkim.Key(r); return key != "" }) {
		err = &net.DNSError{Name: name, IsNotFound: true}
	}
	if err != nil {
		return "", ask(err, &complaint{fmt.Errorf("your mail server signs, but there is no key at %s", name), "Enter the TXT record that your mail server's key belongs to.", true})
	}
	return name, nil
}

// signature returns the DNS name of the key for a letter's DKIM signature, by the domain or a
// parent domain; "" if there is no such signature.
func signature(letter []byte, domain string) string {
	m, err := mail.ReadMessage(bytes.NewReader(letter))
	if err != nil {
		return ""
	}
	for _, v := range m.Header["Dkim-Signature"] {
		tags := map[string]string{}
		for tag := range strings.SplitSeq(v, ";") {
			name, value, _ := strings.Cut(tag, "=")
			tags[strings.TrimSpace(name)] = strings.TrimSpace(value)
		}
		by := strings.ToLower(tags["d"])
		if server.DNSName.MatchString(by) && server.DNSName.MatchString(tags["s"]) && (by == domain || strings.HasSuffix(domain, "."+by)) {
			return tags["s"] + "._domainkey." + by
		}
	}
	return ""
}

func (d *dnsLook) lookDMARC(ctx context.Context) (string, *complaint) {
	names := []string{d.domain}
	if org := server.Registrable(d.domain); org != "" && org != d.domain {
		names = append(names, org)
	}
	var err error
	for _, name := range names {
		var all []string
		if all, err = d.records(ctx, "_dmarc."+name, "v=dmarc1"); err == nil {
			return all[0], nil
		}
	}
	return "", ask(err, &complaint{fmt.Errorf("%s has no DMARC record: large providers want one", d.domain), fmt.Sprintf("Enter at your DNS provider: _dmarc.%s. TXT %q.", d.domain, "v=DMARC1; p=none"), true})
}

func (d *dnsLook) lookPTR(ctx context.Context) (string, *complaint) {
	switch {
	case d.ours() && d.mx == "":
		return "", &complaint{errors.New("the host of your mail server is not known"), "See mx.", true}
	case !d.ours():
		return "your provider's servers send the letters", nil
	}
	addrs, err := d.LookupHost(ctx, d.mx)
	if err != nil {
		return "", ask(err, &complaint{fmt.Errorf("%s has no address", d.mx), "See mx.", true})
	}
	for _, addr := range addrs[:min(len(addrs), 8)] {
		mend := fmt.Sprintf("Have the provider of your machine's network set the reverse name of %s to %s.", addr, d.mx)
		names, err := d.LookupAddr(ctx, addr)
		if p := ask(err, &complaint{fmt.Errorf("%s has no name: many servers refuse letters from it", addr), mend, true}); p != nil {
			return "", p
		}
		if !slices.ContainsFunc(names[:min(len(names), 8)], func(name string) bool {
			back, err := d.LookupHost(ctx, strings.TrimSuffix(name, "."))
			return err == nil && slices.Contains(back, addr)
		}) {
			return "", &complaint{fmt.Errorf("the name of %s does not lead back to it: many servers refuse letters from it", addr), mend, true}
		}
	}
	return strings.Join(addrs, ", "), nil
}

// checkDNS calls tell with the result of each DNS check of the domain that letters are sent
// from.
func checkDNS(ctx context.Context, c *server.Config, r resolver, letter []byte, tell func(name, found string, wrong *complaint)) {
	domain := strings.ToLower(c.Host())
	if private(domain) {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, dnsWait)
	defer cancel()
	d := &dnsLook{resolver: r, c: c, domain: domain, letter: letter}
	for _, k := range dnsChecks {
		found, wrong := k.look(d, ctx)
		tell(k.name, found, wrong)
	}
}

// checkSenders finds out whether anyone verifies the authors of letters.
func checkSenders(ctx context.Context, c *server.Config, dns resolver) (good string, wrong *complaint) {
	switch {
	case c.AuthservID != "":
		return "what " + c.AuthservID + " finds of DKIM and DMARC counts", nil
	case len(c.DomainsUnchecked()) > 0:
		return "", &complaint{fmt.Errorf("no one checks who wrote a letter, so %s in friends counts for nothing", strings.Join(c.DomainsUnchecked(), ", ")),
			"Name addresses there, or have letters checked: if your mail server adds Authentication-Results headers, set authserv_id to the name in them; if it adds none, set check_senders = true.", true}
	case !c.CheckSenders:
		return "", &complaint{errors.New("no one checks who wrote a letter"),
			"If your mail server adds Authentication-Results headers, set authserv_id to the name in them; if it adds none, set check_senders = true.", true}
	}
	const known = "_dmarc.gmail.com"
	if _, err := dns.LookupTXT(ctx, known); err != nil {
		return "", &complaint{fmt.Errorf("check_senders needs DNS, which does not answer: %w", err), "Letters count as unproven meanwhile. Look at /etc/resolv.conf.", true}
	}
	return "Angelpost checks DKIM and DMARC by DNS", nil
}
