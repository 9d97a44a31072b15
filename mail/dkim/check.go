package dkim

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/mail"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/emersion/go-msgauth/dkim"
	"github.com/emersion/go-msgauth/dmarc"
	"github.com/hashicorp/golang-lru/v2/simplelru"
	"golang.org/x/net/publicsuffix"
)

// CheckerID is the name of the server in what a Checker finds, as if it had added it to
// the letter in an Authentication-Results field (RFC 8601).
const CheckerID = "angelpost"

// Bounds of a Checker.
const (
	maxHead       = 64 << 10         // octets of a header: the library takes more than linear time for a long one
	maxSignatures = 5                // of a letter; further ones are not looked at
	maxRecord     = 4096             // octets of a record in DNS
	maxAnswers    = 2000             // of DNS that are kept
	keepAnswer    = time.Hour        // what DNS has
	keepNothing   = 10 * time.Minute // what it does not have
	keysLast      = 72 * time.Hour   // after a letter came: its key may be gone then, or its signature too old
)

// A Checker finds out by DNS whether letters in are signed by the domains of their authors
// (DKIM), and what these domains want done with others (DMARC, RFC 7489). It cannot know
// which machine sent a letter, so SPF counts only where no machine could pass: where the
// letter's return path is in a domain of someone else's. It is safe for concurrent use.
type Checker struct {
	TXT func(ctx context.Context, name string) ([]string, error) // asks DNS for TXT records; names end with a dot
	Now func() time.Time

	mu      sync.Mutex
	answers *simplelru.LRU[string, answer]
}

type answer struct {
	records []string
	until   time.Time
}

var (
	domainName = regexp.MustCompile(`^[a-z0-9_]([a-z0-9_-]*[a-z0-9])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9])?)+$`)
	fromField  = regexp.MustCompile(`(?im)^from[ \t]*:`)
)

// Results returns what it finds of a whole letter from an author's address, which was received
// then, as the value of an Authentication-Results field of CheckerID. What cannot be found out
// now, or not for sure, is no failure.
func (c *Checker) Results(ctx context.Context, letter []byte, author string, received time.Time) string {
	results := []string{CheckerID}
	_, domain, _ := strings.Cut(strings.ToLower(author), "@")
	head, _, _ := bytes.Cut(letter, []byte("\r\n\r\n"))
	head, _, _ = bytes.Cut(bytes.ReplaceAll(head, []byte("\r\n"), []byte("\n")), []byte("\n\n"))
	if len(head) > maxHead || !domainName.MatchString(domain) || len(fromField.FindAll(head, 2)) != 1 {
		return CheckerID + "; none"
	}
	record, inherited, err := c.policy(ctx, domain)
	unknown := err != nil
	passed := false
	var failed []string
	found, err := c.verify(ctx, letter)
	if err != nil && !errors.Is(err, dkim.ErrTooManySignatures) {
		return CheckerID + "; none"
	}
	unknown = unknown || err != nil // there are more signatures
	old := c.Now().Sub(received) > keysLast
	for _, v := range found {
		signer := strings.ToLower(v.Domain)
		switch {
		case !domainName.MatchString(signer):
		case v.Err == nil && signer == domain, v.Err == nil && !unknown && aligned(signer, domain, record):
			passed = true
			results = append(results, "dkim=pass header.d="+signer)
		case v.Err == nil: // another domain answers for the letter, and its author does not
		case dkim.IsTempFail(v.Err), old && dkim.IsPermFail(v.Err):
			unknown = unknown || aligned(signer, domain, record)
		case dkim.IsPermFail(v.Err), strings.Contains(v.Err.Error(), "body length"): // it says nothing for or against the letter
		case aligned(signer, domain, record): // what strangers sign says nothing of the author
			failed = append(failed, "dkim=fail header.d="+signer)
		}
	}
	verdict := "none"
	if passed || unknown {
		failed = nil
	}
	switch {
	case passed && record != nil:
		verdict = "pass"
	case passed:
	case unknown:
		verdict = "temperror"
	case record != nil && wants(record, inherited) && returnsElsewhere(head, domain, record):
		verdict = "fail"
	}
	results = append(results, failed...)
	return strings.Join(append(results, "dmarc="+verdict+" header.from="+domain), "; ")
}

// verify checks the signatures of a letter, one after the other: the library would check
// several in goroutines of its own, whose panics end the program. Each is checked with its
// field moved to the top. That changes nothing for it: signatures that it covers itself stand
// below it, and are counted from below.
func (c *Checker) verify(ctx context.Context, letter []byte) (found []*dkim.Verification, err error) {
	fields := signatures(letter)
	options := &dkim.VerifyOptions{
		MaxVerifications: 1,
		LookupTXT:        func(name string) ([]string, error) { return c.lookup(ctx, name) },
	}
	for _, f := range fields[:min(len(fields), maxSignatures)] {
		first := io.MultiReader(bytes.NewReader(letter[f.from:f.to]), bytes.NewReader(letter[:f.from]), bytes.NewReader(letter[f.to:]))
		v, err := dkim.VerifyWithOptions(first, options)
		if err != nil && !errors.Is(err, dkim.ErrTooManySignatures) {
			return nil, err
		}
		found = append(found, v...)
	}
	if len(fields) > maxSignatures {
		err = dkim.ErrTooManySignatures
	}
	return found, err
}

// A field is a part of a letter: a field of its header with its lines.
type field struct{ from, to int }

// signatures returns the fields of a letter's header that the library takes for signatures.
func signatures(letter []byte) (out []field) {
	signs := false
	for at := 0; at < len(letter); {
		line, _, _ := bytes.Cut(letter[at:], []byte("\n"))
		next := min(at+len(line)+1, len(letter))
		switch {
		case len(bytes.TrimRight(line, "\r")) == 0: // the header's end
			return out
		case at > 0 && (line[0] == ' ' || line[0] == '\t'):
			if signs {
				out[len(out)-1].to = next
			}
		default:
			name, _, _ := bytes.Cut(line, []byte(":"))
			if signs = strings.EqualFold(string(bytes.TrimSpace(name)), "DKIM-Signature"); signs {
				out = append(out, field{at, next})
			}
		}
		at = next
	}
	return out
}

// wants reports whether a domain wants all letters refused that fail; inherited: the record
// is of the domain above it.
func wants(r *dmarc.Record, inherited bool) bool {
	policy := r.Policy
	if inherited && r.SubdomainPolicy != "" {
		policy = r.SubdomainPolicy
	}
	if r.Percent != nil && *r.Percent < 100 {
		return false
	}
	return policy == dmarc.PolicyReject || policy == dmarc.PolicyQuarantine
}

// aligned reports whether a signer may answer for a domain, by its record, nil for none.
func aligned(signer, domain string, r *dmarc.Record) bool {
	if r != nil && r.DKIMAlignment == dmarc.AlignmentStrict {
		return signer == domain
	}
	return Organisation(signer) == Organisation(domain)
}

// Organisation is the domain that its owner has registered.
func Organisation(domain string) string {
	if d, err := publicsuffix.EffectiveTLDPlusOne(domain); err == nil {
		return d
	}
	return domain
}

// returnsElsewhere reports whether the letter's return path, as the server noted it that
// took the letter, is surely not of the author's domain: then SPF cannot pass for it.
func returnsElsewhere(head []byte, domain string, r *dmarc.Record) bool {
	m, err := mail.ReadMessage(bytes.NewReader(append(bytes.Clone(head), "\n\n"...)))
	if err != nil || len(m.Header["Return-Path"]) == 0 {
		return false
	}
	for _, path := range m.Header["Return-Path"] {
		a, err := mail.ParseAddress(path)
		if err != nil {
			return false
		}
		at := strings.ToLower(a.Address[strings.LastIndexByte(a.Address, '@')+1:])
		if at == domain || r.SPFAlignment != dmarc.AlignmentStrict && Organisation(at) == Organisation(domain) {
			return false
		}
	}
	return true
}

// policy is what a domain says about letters in its name, nil if it says nothing; inherited
// if the domain above it says so. An error means that it may say something.
func (c *Checker) policy(ctx context.Context, domain string) (r *dmarc.Record, inherited bool, err error) {
	for _, d := range []string{domain, Organisation(domain)} {
		r, err := dmarc.LookupWithOptions(d, &dmarc.LookupOptions{LookupTXT: func(name string) ([]string, error) { return c.lookup(ctx, name) }})
		if !errors.Is(err, dmarc.ErrNoPolicy) {
			return r, d != domain, err
		}
	}
	return nil, false, nil
}

// lookup asks DNS, or knows. Any error is temporary: where there is nothing it finds nothing.
func (c *Checker) lookup(ctx context.Context, name string) ([]string, error) {
	name = strings.ToLower(name)
	temporary := func(why string) ([]string, error) {
		return nil, &net.DNSError{Err: why, Name: name, IsTemporary: true}
	}
	if !domainName.MatchString(name) || len(name) > 253 {
		return nil, nil
	}
	c.mu.Lock()
	if c.answers == nil {
		c.answers, _ = simplelru.NewLRU[string, answer](maxAnswers, nil) // its only error is a bound below 1
	}
	known, ok := c.answers.Get(name)
	c.mu.Unlock()
	if ok && c.Now().Before(known.until) {
		return known.records, nil
	}
	// Without the dot a resolver also asks for the name within its own domains; what these
	// have, or have not, says nothing of the name.
	records, err := c.TXT(ctx, name+".")
	var dns *net.DNSError
	switch {
	case errors.As(err, &dns) && dns.IsNotFound && ctx.Err() == nil:
		records = nil
	case err != nil:
		return temporary(fmt.Sprint(err))
	}
	until := c.Now().Add(keepAnswer)
	if len(records) == 0 {
		until = c.Now().Add(keepNothing)
	}
	for _, r := range records {
		if len(r) > maxRecord {
			records, until = nil, c.Now().Add(keepNothing)
			break
		}
	}
	c.mu.Lock()
	c.answers.Add(name, answer{records, until})
	c.mu.Unlock()
	return records, nil
}
