package dkim_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"angelpost/mail/dkim"
	"angelpost/mail/letter"
)

// zone is DNS as a test wants it: its records, names whose queries fail, and how
// often each was queried. A name without a dot at its end is taken for one of another
// domain, as a resolver does.
type zone struct {
	mu      sync.Mutex
	records map[string]string
	away    map[string]bool
	asked   map[string]int
}

func (z *zone) TXT(_ context.Context, name string) ([]string, error) {
	name, whole := strings.CutSuffix(name, ".")
	if !whole {
		name += ".example.org"
	}
	z.mu.Lock()
	defer z.mu.Unlock()
	z.asked[name]++
	if z.away[name] {
		return nil, &net.DNSError{Err: "server misbehaving", Name: name, IsTemporary: true}
	}
	if r, ok := z.records[name]; ok {
		return []string{r}, nil
	}
	return nil, &net.DNSError{Err: "no such host", Name: name, IsNotFound: true}
}

// results asks DNS what a letter needs and judges the letter.
func results(ctx context.Context, c *dkim.Checker, letter []byte, author string, received time.Time) string {
	c.Ask(ctx, c.Needs(letter, author), false)
	return c.Results(letter, author, received)
}

// TestCheck: what a Checker finds is for the desk what a mail server's
// Authentication-Results would be.
func TestCheck(t *testing.T) {
	dir := t.TempDir()
	z := &zone{records: map[string]string{}, away: map[string]bool{}, asked: map[string]int{}}
	signers := map[string]*dkim.Signer{}
	for i, domain := range []string{"home.test", "mail.home.test", "post.home.test", "evil.test"} {
		file := filepath.Join(dir, fmt.Sprint(i))
		if err := dkim.Create(file); err != nil {
			t.Fatal(err)
		}
		s, err := dkim.Load(domain, "post", file)
		if err != nil {
			t.Fatal(err)
		}
		signers[domain], z.records[s.Name()] = s, s.Record()
	}
	const plain = "From: Ada <ada@home.test>\r\nTo: angelpost@play.test\r\nSubject: Re: game\r\nDate: Wed, 25 Nov 2026 12:00:00 +0000\r\nMessage-ID: <1@home.test>\r\n\r\ntake 2.1\r\n"
	sign := func(raw string, by ...string) string {
		t.Helper()
		for _, domain := range by {
			b, err := signers[domain].Sign([]byte(raw))
			if err != nil {
				t.Fatal(err)
			}
			raw = string(b)
		}
		return raw
	}
	changed := func(raw string) string { return strings.Replace(raw, "take 2.1", "resign", 1) }
	from := func(who string) string { return strings.Replace(plain, "ada@home.test", who, 1) }
	returned := func(path, raw string) string { return "Return-Path: <" + path + ">\r\n" + raw }
	length := strings.Replace(sign(plain, "home.test"), "s=post;", "l=0; s=post;", 1)
	for _, c := range []struct {
		name, letter, policy string // the DMARC record of home.test
		away                 string // a name that cannot be asked for
		want                 letter.Auth
		reason               string
	}{
		{"signed", sign(plain, "home.test"), "", "", letter.Passed, "dkim=pass"},
		{"signed, with a policy", sign(plain, "home.test"), "v=DMARC1; p=none", "", letter.Passed, "dmarc=pass"},
		{"unsigned", plain, "", "", letter.NoEvidence, ""},
		{"unsigned, no return path", plain, "v=DMARC1; p=reject", "", letter.NoEvidence, ""},
		{"unsigned, return path of the author's", returned("bounce@mail.home.test", plain), "v=DMARC1; p=reject", "", letter.NoEvidence, ""},
		{"unsigned, strict for SPF", returned("bounce@mail.home.test", plain), "v=DMARC1; p=reject; aspf=s", "", letter.Failed, "dmarc=fail"},
		{"forged", returned("x@evil.test", sign(plain, "evil.test")), "v=DMARC1; p=reject", "", letter.Failed, "dmarc=fail"},
		{"forged, quarantine", returned("x@evil.test", plain), "v=DMARC1; p=quarantine", "", letter.Failed, "dmarc=fail"},
		{"forged, the domain wants nothing", returned("x@evil.test", sign(plain, "evil.test")), "v=DMARC1; p=none", "", letter.NoEvidence, ""},
		{"forged, of some nothing is wanted", returned("x@evil.test", plain), "v=DMARC1; p=reject; pct=99", "", letter.NoEvidence, ""},
		{"forged, all are to be refused", returned("x@evil.test", plain), "v=DMARC1; p=reject; pct=100", "", letter.Failed, "dmarc=fail"},
		{"forged, no policy", returned("x@evil.test", sign(plain, "evil.test")), "", "", letter.NoEvidence, ""},
		{"forged, a subdomain", returned("x@evil.test", from("ada@mail.home.test")), "v=DMARC1; p=reject", "", letter.Failed, "dmarc=fail"},
		{"forged, a subdomain of which nothing is wanted", returned("x@evil.test", from("ada@mail.home.test")), "v=DMARC1; p=reject; sp=none", "", letter.NoEvidence, ""},
		{"altered", changed(sign(plain, "home.test")), "", "", letter.Failed, "dkim=fail"},
		{"altered, another of the author's passes", sign(changed(sign(plain, "evil.test")), "home.test"), "", "", letter.Passed, "dkim=pass"},
		{"altered, another stranger's passes", sign(changed(sign(plain, "home.test")), "evil.test"), "", "", letter.Failed, "dkim=fail"},
		{"altered, only a stranger's fails", changed(sign(plain, "evil.test")), "v=DMARC1; p=reject", "", letter.NoEvidence, ""},
		{"altered, a stranger's fails, the author's passes", sign(changed(sign(from("ada@mail.home.test"), "evil.test")), "home.test"), "v=DMARC1; p=reject", "", letter.Passed, "dmarc=pass"},
		{"altered, one of the author's fails, one beside it passes", sign(changed(sign(from("ada@mail.home.test"), "mail.home.test")), "post.home.test"), "v=DMARC1; p=reject", "", letter.Passed, "dmarc=pass"},
		{"altered, signed below, strict", changed(sign(plain, "mail.home.test")), "v=DMARC1; p=reject; adkim=s", "", letter.NoEvidence, ""},
		{"signed above, relaxed", sign(from("ada@mail.home.test"), "home.test"), "v=DMARC1; p=reject", "", letter.Passed, "dmarc=pass"},
		{"signed below, relaxed", sign(plain, "mail.home.test"), "v=DMARC1; p=reject; adkim=r", "", letter.Passed, "dmarc=pass"},
		{"signed below, strict", returned("x@mail.home.test", sign(plain, "mail.home.test")), "v=DMARC1; p=reject; adkim=s", "", letter.NoEvidence, ""},
		{"signed below, strict, forged", returned("x@evil.test", sign(plain, "mail.home.test")), "v=DMARC1; p=reject; adkim=s", "", letter.Failed, "dmarc=fail"},
		{"signed, strict", sign(plain, "home.test"), "v=DMARC1; p=reject; adkim=s", "", letter.Passed, "dmarc=pass"},
		{"the key cannot be asked for", returned("x@evil.test", sign(plain, "home.test")), "v=DMARC1; p=reject", "post._domainkey.home.test", letter.NoEvidence, ""},
		{"the policy cannot be asked for", sign(plain, "home.test"), "v=DMARC1; p=reject", "_dmarc.home.test", letter.Passed, "dkim=pass"},
		{"the policy cannot be asked for, relaxed", sign(plain, "mail.home.test"), "v=DMARC1; p=reject", "_dmarc.home.test", letter.NoEvidence, ""},
		{"the policy cannot be asked for, altered", changed(sign(plain, "home.test")), "v=DMARC1; p=reject", "_dmarc.home.test", letter.NoEvidence, ""},
		{"no key any more", strings.ReplaceAll(sign(plain, "home.test"), "s=post", "s=gone"), "", "", letter.NoEvidence, ""},
		{"a length", length, "", "", letter.NoEvidence, ""},
		{"altered, many strangers' pass", sign(changed(sign(plain, "home.test")), "evil.test", "evil.test", "evil.test", "evil.test", "evil.test"), "", "", letter.Failed, "dkim=fail"},
		{"altered, too many signatures", changed(sign(plain, "home.test", "home.test", "home.test", "home.test", "home.test", "home.test")), "", "", letter.NoEvidence, ""},
		{"two authors", "From: x@evil.test\r\n" + sign(plain, "home.test"), "", "", letter.NoEvidence, ""},
		{"two authors, one hidden", "From : x@evil.test\r\n" + sign(plain, "home.test"), "", "", letter.NoEvidence, ""},
		{"a signer's name that says more", strings.ReplaceAll(sign(plain, "evil.test"), "d=evil.test", `d="dmarc=pass(header.from=home.test`), "", "", letter.NoEvidence, ""},
		{"no letter", "Hello", "", "", letter.NoEvidence, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			delete(z.records, "_dmarc.home.test")
			if c.policy != "" {
				z.records["_dmarc.home.test"] = c.policy
			}
			clear(z.asked)
			clear(z.away)
			z.away[c.away] = true
			check := &dkim.Checker{TXT: z.TXT, Now: time.Now}
			for range 2 {
				l := letter.Open([]byte(c.letter), letter.Options{})
				found := results(t.Context(), check, []byte(c.letter), l.From, time.Now())
				if l.Judge(dkim.CheckerID, found); l.Auth != c.want || l.AuthReason != c.reason {
					t.Errorf("%q %q, not %q %q: %s", l.Auth, l.AuthReason, c.want, c.reason, found)
				}
			}
			for name, n := range z.asked {
				if n > 1 {
					t.Errorf("%d queries for %s, want one", n, name)
				}
				if strings.HasSuffix(name, "evil.test") {
					t.Errorf("there was a query for %s, which does not speak for the author", name)
				}
			}
		})
	}
}

// TestCheckOldLetter: a letter that came long ago, or has more signatures than are looked at,
// does not fail for want of a key: it may have had one.
func TestCheckOldLetter(t *testing.T) {
	z := &zone{records: map[string]string{"_dmarc.home.test": "v=DMARC1; p=reject"}, away: map[string]bool{}, asked: map[string]int{}}
	check := &dkim.Checker{TXT: z.TXT, Now: time.Now}
	const (
		own      = "DKIM-Signature: v=1; a=rsa-sha256; d=home.test; s=gone; h=from; bh=AAAA; b=AAAA\r\n"
		expired  = "DKIM-Signature: v=1; a=rsa-sha256; d=home.test; s=gone; h=from; x=1; bh=AAAA; b=AAAA\r\n"
		stranger = "DKIM-Signature: v=1; a=rsa-sha256; d=evil.test; s=gone; h=from; bh=AAAA; b=AAAA\r\n"
		day      = 24 * time.Hour
	)
	for _, c := range []struct {
		signatures string
		age        time.Duration
		want       string
	}{
		{own, day, "dmarc=fail"}, {own, 4 * day, "dmarc=temperror"}, {expired, day, "dmarc=fail"}, {expired, 4 * day, "dmarc=temperror"},
		{stranger, 4 * day, "dmarc=fail"}, {"", 4 * day, "dmarc=fail"},
		{strings.Repeat(own, 5), day, "dmarc=fail"}, {strings.Repeat(own, 6), day, "dmarc=temperror"},
		{strings.Repeat(stranger, 6), day, "dmarc=fail"}, {strings.Repeat(stranger, 20) + strings.Repeat(own, 6), day, "dmarc=temperror"},
	} {
		raw := "Return-Path: <x@evil.test>\r\n" + c.signatures + "From: ada@home.test\r\n\r\nHello\r\n"
		if got := results(t.Context(), check, []byte(raw), "ada@home.test", time.Now().Add(-c.age)); !strings.Contains(got, c.want) {
			t.Errorf("%s, not %s: %v old, with\n%s", got, c.want, c.age, c.signatures)
		}
	}
}

// TestCheckerRemembers: the checker sends one query for each name until the answer is old, and
// repeats a query without an answer a minute later. No letter waits longer than its time.
func TestCheckerRemembers(t *testing.T) {
	z := &zone{records: map[string]string{"_dmarc.home.test": "v=DMARC1; p=reject"}, away: map[string]bool{}, asked: map[string]int{}}
	now := time.Now()
	check := &dkim.Checker{TXT: z.TXT, Now: func() time.Time { return now }}
	raw := []byte("Return-Path: <x@evil.test>\r\nFrom: ada@home.test\r\n\r\nHello\r\n")
	ask := func(want string, asked int) {
		t.Helper()
		if got := results(t.Context(), check, raw, "ada@home.test", time.Now()); !strings.Contains(got, want) || z.asked["_dmarc.home.test"] != asked {
			t.Errorf("%s, asked %d times, not %d", got, z.asked["_dmarc.home.test"], asked)
		}
	}
	z.away["_dmarc.home.test"] = true
	ask("dmarc=temperror", 1)
	clear(z.away)
	ask("dmarc=temperror", 1)
	now = now.Add(time.Minute)
	ask("dmarc=fail", 2)
	ask("dmarc=fail", 2)
	now = now.Add(2 * time.Hour)
	delete(z.records, "_dmarc.home.test")
	ask("dmarc=none", 3)
	ask("dmarc=none", 3)
	now = now.Add(time.Hour)
	z.records["_dmarc.home.test"] = "v=DMARC1; p=reject; x=" + strings.Repeat("x", 5000) // no record is so long
	ask("dmarc=none", 4)
	hanging := &dkim.Checker{Now: time.Now, TXT: func(ctx context.Context, _ string) ([]string, error) {
		<-ctx.Done()
		return nil, errors.New("gone")
	}}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if got := results(ctx, hanging, raw, "ada@home.test", time.Now()); !strings.Contains(got, "dmarc=temperror") {
		t.Errorf("%s", got)
	}
}

// TestCheckLongHeader: no time is spent on a header that no mail program writes.
func TestCheckLongHeader(t *testing.T) {
	asked := false
	c := &dkim.Checker{Now: time.Now, TXT: func(context.Context, string) ([]string, error) { asked = true; return nil, nil }}
	letter := "From: ada@example.org\r\nSubject: x" + strings.Repeat("\r\n x", 32<<10) + "\r\n\r\nhello\r\n"
	if got := results(t.Context(), c, []byte(letter), "ada@example.org", time.Now()); got != dkim.CheckerID+"; none" || asked {
		t.Errorf("%s, asked %t", got, asked)
	}
}

// TestCheckPanics: if the library fails as it checks one of several signatures, the caller can
// go on; all of them are checked.
func TestCheckPanics(t *testing.T) {
	dir := t.TempDir()
	z := &zone{records: map[string]string{}, away: map[string]bool{}, asked: map[string]int{}}
	raw := []byte("From: Ada <ada@home.test>\nSubject: Re: game\n\ntake 2.1\n")
	for i, domain := range []string{"home.test", "mail.home.test", "post.home.test"} {
		file := filepath.Join(dir, fmt.Sprint(i))
		err := dkim.Create(file)
		if err != nil {
			t.Fatal(err)
		}
		s, err := dkim.Load(domain, "post", file)
		if err == nil {
			raw, err = s.Sign(raw)
		}
		if err != nil {
			t.Fatal(err)
		}
		z.records[s.Name()] = s.Record()
	}
	check := func(panics int) (found string, panicked any) {
		defer func() { panicked = recover() }()
		n := -1 // how often the time was asked for: the library has it asked for with each key
		c := &dkim.Checker{TXT: z.TXT, Now: func() time.Time {
			if n >= 0 {
				n++
			}
			if n == panics {
				panic(n)
			}
			return time.Now()
		}}
		c.Ask(t.Context(), c.Needs(raw, "ada@home.test"), false)
		n = 0
		return c.Results(raw, "ada@home.test", time.Now()), nil
	}
	if found, _ := check(0); !strings.Contains(found, "dkim=pass header.d=home.test") || len(z.asked) != 4 {
		t.Errorf("%s; asked for %v", found, z.asked)
	}
	for n := 1; n <= 1+3; n++ { // for the policy, and for three keys
		if _, panicked := check(n); panicked != n {
			t.Errorf("%d: %v", n, panicked)
		}
	}
}

// TestOnlyWhatSpeaksForTheAuthor: the checker looks up only names of the author's organisation,
// however many signatures others have added.
func TestOnlyWhatSpeaksForTheAuthor(t *testing.T) {
	c := &dkim.Checker{Now: time.Now}
	raw := "From: ada@mail.home.test\r\n"
	for i := range 200 {
		raw += fmt.Sprintf("DKIM-Signature: v=1; a=rsa-sha256; d=evil%d.test; s=s; h=from; bh=AAAA; b=AAAA\r\n", i)
	}
	raw += "DKIM-Signature: v=1; a=rsa-sha256; d=home.test;\r\n s=Post; h=from; bh=AAAA;\r\n b=AAAA\r\n\r\nHello\r\n"
	want := []string{"_dmarc.home.test", "_dmarc.mail.home.test", "post._domainkey.home.test"}
	if got := c.Needs([]byte(raw), "ada@mail.home.test"); !slices.Equal(got, want) {
		t.Errorf("%q, not %q", got, want)
	}
}

// TestStrangersQuestions: for strangers' letters the checker runs a bounded number of queries at a
// time, one for each organisation, even if none gets an answer; those for a known writer's letter
// begin at once. A query that runs out of time ends for all letters that wait for it.
func TestStrangersQuestions(t *testing.T) {
	var mu sync.Mutex
	asked := map[string]int{} // now, by organisation
	most, of := 0, 0
	hang := make(chan struct{})
	c := &dkim.Checker{Now: time.Now, TXT: func(ctx context.Context, name string) ([]string, error) {
		name = strings.TrimSuffix(name, ".")
		if strings.HasSuffix(name, "home.test") {
			return nil, &net.DNSError{Name: name, IsNotFound: true}
		}
		org := dkim.Organisation(name)
		mu.Lock()
		asked[org]++
		n := 0
		for _, k := range asked {
			n += k
		}
		most, of = max(most, n), max(of, asked[org])
		mu.Unlock()
		defer func() {
			mu.Lock()
			asked[org]--
			mu.Unlock()
		}()
		select {
		case <-hang:
		case <-ctx.Done():
		}
		return nil, &net.DNSError{Name: name, IsTimeout: true}
	}}
	letterOf := func(domain string) []byte { return []byte("From: x@" + domain + "\r\n\r\nHello\r\n") }
	var strangers sync.WaitGroup
	for i := range 200 {
		domain := fmt.Sprintf("mail.evil%d.test", i)
		strangers.Go(func() { c.Ask(t.Context(), c.Needs(letterOf(domain), "x@"+domain), false) })
	}
	for busy := 0; busy < 32; time.Sleep(time.Millisecond) {
		mu.Lock()
		busy = most
		mu.Unlock()
	}
	ada := letterOf("home.test")
	c.Ask(t.Context(), c.Needs(ada, "x@home.test"), true)
	if left := c.Needs(ada, "x@home.test"); len(left) > 0 {
		t.Errorf("not answered: %q", left)
	}
	close(hang)
	strangers.Wait()
	if most != 32 || of != 1 {
		t.Errorf("%d queries run at a time, %d for one organisation", most, of)
	}
}
