package dkim

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/mail"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/emersion/go-msgauth/dkim"
	"github.com/emersion/go-msgauth/dmarc"
	"golang.org/x/net/publicsuffix"
)

// CheckerID is the name of the server in what a Checker finds, as if it had added it to
// the letter in an Authentication-Results field (RFC 8601).
const CheckerID = "angelpost"

// Bounds of a Checker.
const (
	maxHead       = 64 << 10       // octets of a header: the library takes more than linear time for a long one
	maxSignatures = 5              // of the author's organisation; further ones are skipped
	keysLast      = 72 * time.Hour // after a letter came: its key may be gone then, or its signature too old
)

// A Checker finds out by DNS whether letters in are signed by the domains of their authors
// (DKIM), and what these domains want done with others (DMARC, RFC 7489). It cannot know
// which machine sent a letter, so SPF counts only if no machine could pass: if the letter's
// return path is in a domain of another organisation. A Checker verifies only signatures that
// could authenticate the author: those of domains of the author's organisation.
//
// Needs lists the DNS names that a letter depends on, Ask queries them, and Results judges by
// the answers in the cache, without waiting. It is safe for concurrent use.
type Checker struct {
	TXT func(ctx context.Context, name string) ([]string, error) // asks DNS for TXT records until ctx ends; names end with a dot
	Now func() time.Time

	mu sync.Mutex
	*lookups
}

var (
	domainName = regexp.MustCompile(`^[a-z0-9_]([a-z0-9_-]*[a-z0-9])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9])?)+$`)
	fromField  = regexp.MustCompile(`(?im)^from[ \t]*:`)
)

// Needs returns the DNS names that Results needs for a letter from an author's address, without
// those whose answers are in the cache.
func (c *Checker) Needs(letter []byte, author string) (names []string) {
	domain, _, ok := authored(letter, author)
	if !ok {
		return nil
	}
	for _, d := range []string{domain, Organisation(domain)} {
		names = append(names, "_dmarc."+d)
	}
	fields := signatures(letter, domain)
	for _, f := range fields[:min(len(fields), maxSignatures)] {
		names = append(names, f.key)
	}
	slices.Sort(names)
	names = slices.Compact(names)
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.DeleteFunc(names, func(name string) bool {
		_, ok := c.known(name)
		return ok || !askable(name)
	})
}

// authored returns the domain of a letter's author, and the letter's header. ok is false if
// a Checker cannot judge the letter: its header is longer than maxHead, it has not exactly one
// From field, or the domain is not valid.
func authored(letter []byte, author string) (domain string, head []byte, ok bool) {
	_, domain, _ = strings.Cut(strings.ToLower(author), "@")
	head, _, _ = bytes.Cut(letter, []byte("\r\n\r\n"))
	head, _, _ = bytes.Cut(bytes.ReplaceAll(head, []byte("\r\n"), []byte("\n")), []byte("\n\n"))
	return domain, head, len(head) <= maxHead && domainName.MatchString(domain) && len(fromField.FindAll(head, 2)) == 1
}

// Results returns what it finds about a whole letter from an author's address, received at that
// time, as the value of an Authentication-Results field of CheckerID. It uses only DNS answers
// from the cache. A missing or failed answer never makes a letter fail.
func (c *Checker) Results(letter []byte, author string, received time.Time) string {
	results := []string{CheckerID}
	domain, head, ok := authored(letter, author)
	if !ok {
		return CheckerID + "; none"
	}
	record, inherited, err := c.policy(domain)
	unknown := err != nil
	passed := false
	var failed []string
	found, err := c.verify(letter, domain)
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

// verify checks the signatures of a letter that the author's organisation made, one after the
// other: the library would check several in its own goroutines, whose panics end the program.
// It moves the field of each to the top. That changes no result: if a signature covers others,
// their fields are further down, and DKIM counts fields from the bottom (RFC 6376, 5.4.2).
func (c *Checker) verify(letter []byte, domain string) (found []*dkim.Verification, err error) {
	fields := signatures(letter, domain)
	options := &dkim.VerifyOptions{MaxVerifications: 1, LookupTXT: c.lookup}
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

// A signature is a field of a letter's header, with its lines.
type signature struct {
	from, to int
	key      string // the DNS name of its key; "" if it can't be valid with any key
}

// signatures returns the fields of a letter's header that the library takes for signatures of a
// domain's organisation: the first maxSignatures+1 of them, at most.
func signatures(letter []byte, domain string) (out []signature) {
	begun := -1 // where the field begins that is being read, if it is a signature
	field := func(end int) {
		if begun >= 0 {
			if s := (signature{from: begun, to: end}); s.read(letter, domain) {
				out = append(out, s)
			}
		}
		begun = -1
	}
	for at := 0; at < len(letter) && len(out) <= maxSignatures; {
		line, _, _ := bytes.Cut(letter[at:], []byte("\n"))
		next := min(at+len(line)+1, len(letter))
		switch {
		case len(bytes.TrimRight(line, "\r")) == 0: // the header's end
			field(at)
			return out
		case at > 0 && (line[0] == ' ' || line[0] == '\t'):
		default:
			field(at)
			name, _, _ := bytes.Cut(line, []byte(":"))
			if strings.EqualFold(string(bytes.TrimSpace(name)), "DKIM-Signature") {
				begun = at
			}
		}
		at = next
	}
	field(len(letter))
	return out
}

// read reads a signature as the library does, and reports whether it is one of a domain's
// organisation.
func (s *signature) read(letter []byte, domain string) bool {
	alone := io.MultiReader(bytes.NewReader(letter[s.from:s.to]), strings.NewReader("\r\n\r\n"))
	found, err := dkim.VerifyWithOptions(alone, &dkim.VerifyOptions{LookupTXT: func(name string) ([]string, error) {
		s.key = strings.ToLower(name)
		return nil, &net.DNSError{Name: name, IsTemporary: true}
	}})
	return err == nil && len(found) == 1 && aligned(strings.ToLower(found[0].Domain), domain, nil)
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

// returnsElsewhere reports whether each return path that the receiving server recorded is outside
// the author's domain. Then SPF cannot pass for the author.
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
func (c *Checker) policy(domain string) (r *dmarc.Record, inherited bool, err error) {
	for _, d := range []string{domain, Organisation(domain)} {
		r, err := dmarc.LookupWithOptions(d, &dmarc.LookupOptions{LookupTXT: c.lookup})
		if !errors.Is(err, dmarc.ErrNoPolicy) {
			return r, d != domain, err
		}
	}
	return nil, false, nil
}
