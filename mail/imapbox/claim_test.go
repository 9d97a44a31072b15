package imapbox_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"net"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"angelpost/mail/imapbox"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapclient"
)

const (
	claimFolder  = "Angelpost/Claim"
	claimSubject = "This mailbox belongs to an Angelpost server"
)

// A machine is a place where a server runs, with what it remembers of its database.
type machine struct {
	config   imapbox.Config // of its mailbox
	database string
	was      imapbox.Term
	here     bool // was is of this machine since its last boot
	standby  bool
	look     time.Duration
	at       imapbox.Config // the configuration of the server that start has started
	strays   int            // letters that were delivered by mail into the folder of claims
}

// server returns a machine with its own database.
func (p peer) server(database string) *machine {
	return &machine{config: p.config, database: database, here: true, look: 20 * time.Millisecond}
}

// boot returns the configuration of a server that starts on the machine.
func (m *machine) boot() imapbox.Config {
	c := m.config
	c.IdleFor = 50 * time.Millisecond
	c.Tenure = imapbox.NewTenure(imapbox.Tenant{
		Database: m.database, Key: []byte("the key of " + m.database), Place: "the database of " + m.database, Was: m.was, Here: m.here, Unused: m.was == imapbox.Term{}, Standby: m.standby,
		Look: m.look, Wait: 2 * m.look, Log: slog.New(slog.DiscardHandler),
		Keep:      func(t imapbox.Term) error { m.was = t; return nil },
		Delivered: func(n int) { m.strays += n },
	})
	return c
}

// copied returns another machine with a copy of m's database, but not of its lock file, so it
// does not know m's Term.
func (m *machine) copied() *machine {
	return &machine{config: m.config, database: m.database, look: m.look}
}

func (m *machine) claim(t *testing.T, take bool) error {
	return imapbox.Claim(t.Context(), m.boot(), take)
}

// start starts a server on the machine. Each call of works then looks whether the server's
// claim still counts.
func (m *machine) start(t *testing.T, take bool) {
	m.at = m.boot()
	if err := imapbox.Claim(t.Context(), m.at, take); err != nil && m.at.Tenure.Lost() == nil {
		t.Fatal(err)
	}
}

func (m *machine) works(t *testing.T) bool {
	return m.at.Tenure != nil && m.at.Tenure.Lost() == nil && imapbox.Claim(t.Context(), m.at, false) == nil
}

func (m *machine) check(t *testing.T) error { return imapbox.Check(t.Context(), m.boot()) }

// refuses checks that err says that owner has claimed the mailbox.
func refuses(t *testing.T, what string, err error, owner string) {
	t.Helper()
	claimed := new(imapbox.Claimed)
	if !errors.As(err, &claimed) || claimed.Server != "the database of "+owner || time.Since(claimed.Since).Abs() > time.Hour {
		t.Errorf("%s: %v, want that it belongs to %s", what, err, owner)
	}
}

// erase deletes the letters of a folder; without expunge it only flags them as deleted, as
// mail programs do.
func (p peer) erase(t *testing.T, c *imapclient.Client, folder string, expunge bool) {
	t.Helper()
	p.look(t, c, folder) // selects the folder
	all := imap.SeqSet{}
	all.AddRange(1, 0)
	if err := c.Store(all, &imap.StoreFlags{Op: imap.StoreFlagsAdd, Flags: []imap.Flag{imap.FlagDeleted}}, nil).Close(); err != nil {
		t.Fatal(err)
	}
	if expunge {
		if err := c.Expunge().Close(); err != nil {
			t.Fatal(err)
		}
	}
}

func testClaim(t *testing.T, p peer) {
	c := p.login(t)
	one, two, three := p.server("one"), p.server("two"), p.server("three")
	if err := one.check(t); err != nil {
		t.Error(err)
	}
	if got := p.look(t, c, claimFolder); len(got) == 1 && got[0] == claimSubject {
		t.Error("a check has claimed the mailbox")
	}
	for range 2 {
		if err := one.claim(t, false); err != nil {
			t.Fatal(err)
		}
	}
	p.expect(t, c, claimFolder, claimSubject)
	refuses(t, "claim", two.claim(t, false), "one")
	refuses(t, "check", two.check(t), "one")
	refuses(t, "run", imapbox.Run(t.Context(), two.boot(), nil), "one")
	if err := one.check(t); err != nil {
		t.Error(err)
	}
	p.expect(t, c, claimFolder, claimSubject)

	elsewhere := p.server("two") // the same account, but another folder
	elsewhere.config.Folder = "Angelpost/Done"
	elsewhere.config.Folders.Done = "Angelpost/Done2"
	if err := elsewhere.claim(t, false); err != nil {
		t.Error(err)
	}
	if err := two.claim(t, true); err != nil { // by force
		t.Fatal(err)
	}
	refuses(t, "after it was taken", one.claim(t, false), "two")
	p.expect(t, c, claimFolder, claimSubject, claimSubject) // of two, for INBOX and for the other folder

	p.erase(t, c, claimFolder, false) // as a person would
	if err := three.claim(t, false); err != nil {
		t.Error(err)
	}
	bad := p.server("three")
	bad.config.Folders.Claim = "INBOX"
	if err := bad.claim(t, false); err == nil {
		t.Error("a claim was put into the watched folder")
	}
}

// testClaimCopies starts copies of one database. Each takes the mailbox over, and the server
// before does not take it back, however it restarts, unless it is forced to.
func testClaimCopies(t *testing.T, p peer) {
	c := p.login(t)
	one := p.server("one")
	if err := one.claim(t, false); err != nil {
		t.Fatal(err)
	}
	copied := one.copied()
	rival := new(imapbox.Rival)
	if err := copied.check(t); !errors.As(err, &rival) || rival.Ours {
		t.Errorf("a copy that has not been started yet: %v", err)
	}
	if err := copied.claim(t, false); err != nil {
		t.Fatal(err)
	}
	if one.was.Epoch != 1 || copied.was.Epoch != 2 || one.was.Instance == copied.was.Instance || copied.was.Waited {
		t.Errorf("%+v, then %+v", one.was, copied.was)
	}
	lost := new(imapbox.Claimed)
	if err := one.check(t); !errors.As(err, &lost) || !lost.Copy {
		t.Errorf("check where the mailbox was taken over: %v", err)
	}
	if err := copied.check(t); !errors.As(err, &rival) || !rival.Ours {
		t.Errorf("check of the copy, while the first has not been seen to stop: %v", err)
	}
	for _, here := range []bool{true, false} { // the server restarts, then its machine
		if one.here = here; !errors.As(one.claim(t, false), &lost) || !lost.Copy {
			t.Errorf("the first started again, here %v: %v", here, lost)
		}
	}
	both := one.copied() // a copy of copied that includes its lock file, and so its Term
	both.was = copied.was
	copied.here = true
	copied.was.Waited = true
	if err := copied.claim(t, false); err != nil || copied.was.Epoch != 2 {
		t.Errorf("the copy started again: %v, %+v", err, copied.was)
	}
	p.expect(t, c, claimFolder, claimSubject)
	if err := copied.check(t); err != nil {
		t.Errorf("check of the copy once it was restarted: %v", err)
	}
	if err := both.claim(t, false); err != nil || both.was.Epoch != 3 {
		t.Errorf("a copy of all its files: %v, %+v", err, both.was)
	}
	if err := copied.claim(t, false); !errors.As(err, &lost) {
		t.Errorf("the copied one goes on: %v", err)
	}
	if err := one.claim(t, true); err != nil || one.was.Epoch != 4 {
		t.Errorf("the first by force: %v, %+v", err, one.was)
	}
	p.expect(t, c, claimFolder, claimSubject)
	if err := both.claim(t, false); !errors.As(err, &lost) {
		t.Errorf("after that: %v", err)
	}
}

// testClaimDies lets a server die just before and just after it puts its claim into the
// mailbox. After a restart it recognises its own claim, and waits, because it has not waited
// before.
func testClaimDies(t *testing.T, p peer) {
	one := p.server("one")
	if err := one.claim(t, false); err != nil {
		t.Fatal(err)
	}
	for i, at := range []string{"raise", "raised"} {
		m := one.copied()
		m.look = time.Hour
		ctx, die := context.WithCancel(t.Context())
		dying := m.boot()
		dying.Tenure.At = func(point string) {
			if point == at {
				die()
			}
		}
		imapbox.Claim(ctx, dying, false)
		if ctx.Err() == nil {
			t.Fatalf("%s was not passed", at)
		}
		m.here = true
		again := m.boot()
		if err := imapbox.Claim(t.Context(), again, false); err != nil || m.was.Epoch != int64(2+i) || m.was.Waited {
			t.Errorf("died at %q, then: %v, %+v", at, err, m.was)
		}
		if ok, _ := again.Tenure.May(); ok {
			t.Errorf("died at %q: it does not wait", at)
		}
	}
}

// testClaimRace starts several servers at once: exactly one gets the mailbox, and the others
// leave no claims behind.
func testClaimRace(t *testing.T, p peer) {
	c := p.login(t)
	names := strings.Fields("a b c d")
	errs := make([]error, len(names))
	var wait sync.WaitGroup
	for i, name := range names {
		wait.Go(func() { errs[i] = p.server(name).claim(t, false) })
	}
	wait.Wait()
	owners := 0
	for i, err := range errs {
		claimed := new(imapbox.Claimed)
		switch {
		case err == nil:
			owners++
		case !errors.As(err, &claimed):
			t.Errorf("%s: %v", names[i], err)
		}
	}
	if owners != 1 {
		t.Errorf("%d servers own the mailbox: %v", owners, errs)
	}
	p.expect(t, c, claimFolder, claimSubject)
}

// testClaimBetween lets server two find that there is no folder of claims. Then server one
// creates the folder and claims the mailbox, before two looks for it in the list of folders.
func testClaimBetween(t *testing.T, p peer) {
	one, two := p.server("one"), p.server("two")
	asked := false
	w := &wires{onWrite: func(b []byte) error {
		if !asked && bytes.Contains(b, []byte(` LIST "" `)) && bytes.Contains(b, []byte("Claim")) {
			asked = true
			return one.claim(t, false)
		}
		return nil
	}}
	two.config.Dial = w.dial
	err := two.claim(t, false)
	if !asked { // the mail server reports the missing folder by a code, so two lists no folders
		if err != nil {
			t.Fatal(err)
		}
		return
	}
	refuses(t, "claim", err, "one")
	p.expect(t, p.login(t), claimFolder, claimSubject)
}

// watching runs a server on the mailbox until stop is called or the server ends.
func (m *machine) watching(t *testing.T) (handled chan string, ended chan error, stop func()) {
	ctx, cancel := context.WithCancel(t.Context())
	handled, ended = make(chan string, 100), make(chan error, 1)
	c := m.boot()
	go func() {
		ended <- imapbox.Run(ctx, c, imapbox.Each(func(_ context.Context, f imapbox.Fetched) (imapbox.Disposition, error) {
			handled <- subject(f)
			return imapbox.Done, nil
		}))
	}()
	return handled, ended, cancel
}

func testClaimPutBack(t *testing.T, p peer) {
	c := p.login(t)
	one := p.server("one")
	handled, ended, stop := one.watching(t)
	defer stop()
	p.deliver(t, letter("first"))
	<-handled
	for _, expunge := range []bool{true, false} {
		p.expect(t, c, claimFolder, claimSubject)
		p.erase(t, c, claimFolder, expunge)
		if !expunge { // the server does not report the flag, so it is found only at the next connection
			break
		}
	}
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if err := one.claim(t, false); err != nil {
		t.Fatal(err)
	}
	p.expect(t, c, claimFolder, claimSubject, claimSubject+" \\Deleted")
}

func testClaimLost(t *testing.T, p peer) {
	handled, ended, stop := p.server("one").watching(t)
	defer stop()
	p.deliver(t, letter("first"))
	<-handled
	if err := p.server("two").claim(t, true); err != nil {
		t.Fatal(err)
	}
	select {
	case err := <-ended:
		refuses(t, "the server whose claim was taken", err, "two")
	case <-time.After(20 * time.Second):
		t.Fatal("the server whose claim was taken goes on")
	}
}

// testClaimFenced starts a copy while a server is at work, and delivers letters all the time.
// One of the two handles each letter, and the first server stops.
func testClaimFenced(t *testing.T, p peer) {
	one := p.server("one")
	one.look = 500 * time.Millisecond
	first, ended, stop := one.watching(t)
	defer stop()
	p.deliver(t, letter("before"))
	<-first
	p.expect(t, p.login(t), "INBOX")
	second, ended2, stop2 := one.copied().watching(t)
	var names []string
	for i := range 10 {
		names = append(names, "letter"+string(rune('a'+i)))
		p.deliver(t, letter(names[i]))
	}
	select {
	case err := <-ended:
		if lost := new(imapbox.Claimed); !errors.As(err, &lost) || !lost.Copy {
			t.Errorf("the first ended with %v", err)
		}
	case <-time.After(20 * time.Second):
		t.Fatal("the first one goes on")
	}
	p.deliver(t, letter("after"))
	var got []string
	for len(got) < len(names)+1 {
		select {
		case name := <-first:
			got = append(got, name)
		case name := <-second:
			got = append(got, name)
		case <-time.After(20 * time.Second):
			t.Fatalf("handled: %q", got)
		}
	}
	slices.Sort(got)
	if want := append([]string{"after"}, names...); !slices.Equal(got, want) {
		t.Errorf("handled %q, want each once: %q", got, want)
	}
	stop2()
	if err := <-ended2; err != nil {
		t.Error(err)
	}
}

// testClaimAway makes the mail server unreachable and reachable again. Meanwhile a server may
// send letters only if no standby can take over.
func testClaimAway(t *testing.T, p peer) {
	for _, standby := range []bool{false, true} {
		m := p.server("one")
		m.standby = standby
		c := m.boot()
		c.Backoff = time.Millisecond
		var up atomic.Bool
		up.Store(true)
		var tries atomic.Int64
		var open sync.Map
		c.Dial = func(ctx context.Context, network, addr string) (net.Conn, error) {
			if tries.Add(1); !up.Load() {
				return nil, errors.New("the mail server is away")
			}
			conn, err := new(net.Dialer).DialContext(ctx, network, addr)
			if err == nil {
				open.Store(conn, true)
			}
			return conn, err
		}
		ctx, stop := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- imapbox.Run(ctx, c, nil) }()
		until := func(what string, want bool) {
			t.Helper()
			for deadline := time.Now().Add(20 * time.Second); ; time.Sleep(time.Millisecond) {
				if ok, _ := c.Tenure.May(); ok == want {
					return
				}
				if time.Now().After(deadline) {
					t.Fatalf("standby %v, %s: never %v", standby, what, want)
				}
			}
		}
		until("at first", true)
		up.Store(false)
		open.Range(func(conn, _ any) bool { conn.(net.Conn).Close(); return true })
		if standby {
			until("away", false)
		}
		for n := tries.Load(); tries.Load() < n+3; time.Sleep(time.Millisecond) {
		}
		if ok, _ := c.Tenure.May(); ok == standby {
			t.Errorf("standby %v, away: %v", standby, ok)
		}
		up.Store(true)
		until("back", true)
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}
}

// testClaimMeanwhile lets a copy of the server take the mailbox over while the server handles
// a letter. The letter stays in the inbox, where the copy will find it.
func testClaimMeanwhile(t *testing.T, p peer) {
	c := p.login(t)
	one := p.server("one")
	copied := one.copied()
	p.deliver(t, letter("slow"))
	err := imapbox.Run(t.Context(), one.boot(), imapbox.Each(func(context.Context, imapbox.Fetched) (imapbox.Disposition, error) {
		if err := copied.claim(t, false); err != nil {
			t.Error(err)
		}
		time.Sleep(2 * one.look)
		return imapbox.Done, nil
	}))
	refuses(t, "the server before", err, "one")
	p.expect(t, c, "INBOX", "slow")
}

const lastEpoch = 1 << 53

// forged returns a claim on INBOX by someone who does not know the key.
func forged(database, instance string, epoch int64) string {
	return "From: x@example.org\r\nSubject: forged\r\nX-Angelpost-Claim: " + database + "\r\nX-Angelpost-Instance: " + instance +
		"\r\nX-Angelpost-Epoch: " + strconv.FormatInt(epoch, 10) + "\r\nX-Angelpost-Folder: INBOX\r\nX-Angelpost-Server: the database of mallory\r\n\r\nx\r\n"
}

// testClaimDelivered puts letters into the folder of claims that have a field that mail
// servers add on delivery. None of them counts as a claim, whether they arrive before the
// server starts or while it is at work.
func testClaimDelivered(t *testing.T, p peer) {
	c := p.login(t)
	one := p.server("one")
	if err := one.claim(t, false); err != nil {
		t.Fatal(err)
	}
	fields := []string{"Received: from a by b; Sat, 21 Nov 2026 08:00:00 +0000", "Return-Path: <>", "delivered-to: angelpost+Angelpost/Claim@example.org"}
	deliver := func() {
		for _, field := range fields {
			p.put(t, c, claimFolder, field+"\r\n"+forged("one", "mallory", lastEpoch), time.Time{})
		}
	}
	deliver()
	if err := p.server("one").copied().check(t); !errors.As(err, new(*imapbox.Rival)) { // a Rival: only the claim of one counts
		t.Errorf("check: %v", err)
	}
	handled, ended, stop := one.watching(t)
	p.expect(t, c, "Angelpost/Failed", "forged", "forged", "forged")
	p.expect(t, c, claimFolder, claimSubject)
	deliver()
	for n := 0; len(p.look(t, c, claimFolder)) > 1; n++ { // the watcher looks at the claims when it has a letter to handle
		p.deliver(t, letter("news"+strconv.Itoa(n)))
		select {
		case <-handled:
		case err := <-ended:
			t.Fatalf("the server ended: %v", err)
		}
	}
	p.expect(t, c, "Angelpost/Failed", "forged", "forged", "forged", "forged", "forged", "forged")
	p.expect(t, c, claimFolder, claimSubject)
	stop()
	if err := <-ended; err != nil || one.strays != 6 || one.was.Epoch != 1 {
		t.Errorf("the server ended: %v; the host hears of %d letters; %+v", err, one.strays, one.was)
	}
}

// testClaimForged lets someone with the mailbox's password write claims, for this database
// and for another. The server stops, as for any other claim, but does not follow the epoch of
// the forged claim.
func testClaimForged(t *testing.T, p peer) {
	c := p.login(t)
	one := p.server("one")
	for i, database := range []string{"one", "mallory", "one"} {
		_, ended, stop := one.watching(t)
		p.expect(t, c, claimFolder, claimSubject)
		p.put(t, c, claimFolder, forged(database, "mallory", lastEpoch), time.Time{})
		p.deliver(t, letter("news"+strconv.Itoa(i)))
		lost := new(imapbox.Claimed)
		select {
		case err := <-ended:
			if !errors.As(err, &lost) || !lost.Unproven || lost.Server != "the database of mallory" {
				t.Fatalf("it ended with %v", err)
			}
		case <-time.After(20 * time.Second):
			t.Fatal("it goes on")
		}
		stop()
		if err := one.claim(t, false); !errors.As(err, &lost) {
			t.Fatalf("started again: %v", err)
		}
		if err := one.copied().claim(t, false); !errors.As(err, &lost) {
			t.Fatalf("a copy of it started: %v", err)
		}
		if err := one.claim(t, true); err != nil || one.was.Epoch != int64(i+2) {
			t.Fatalf("by force: %v, %+v", err, one.was)
		}
		p.expect(t, c, claimFolder, claimSubject)
	}
}

// testClaimBound reaches the last epoch. Servers can then take the mailbox over only by
// force; each gets the last epoch again, and the server before stops. An epoch beyond the
// last, which an older version could remember, counts as none.
func testClaimBound(t *testing.T, p peer) {
	before := p.server("one")
	before.was = imapbox.Term{Instance: "before", Epoch: lastEpoch - 1, Waited: true}
	if err := before.claim(t, false); err != nil || before.was.Epoch != lastEpoch-1 {
		t.Fatalf("%v, %+v", err, before.was)
	}
	for i := range 3 {
		next := before.copied()
		if err := next.claim(t, i > 0); err != nil || next.was.Epoch != lastEpoch {
			t.Fatalf("%v, %+v", err, next.was)
		}
		lost := new(imapbox.Claimed)
		if err := before.claim(t, false); !errors.As(err, &lost) || lost.Unproven {
			t.Errorf("the one before goes on: %v", err)
		}
		if err := next.copied().claim(t, false); i > 0 && !errors.As(err, &lost) {
			t.Errorf("another one goes on: %v", err)
		}
		before = next
		before.here = true
		if err := before.claim(t, false); err != nil || before.was.Epoch != lastEpoch {
			t.Errorf("started again: %v, %+v", err, before.was)
		}
	}
	p.erase(t, p.login(t), claimFolder, true)
	before.was.Epoch = lastEpoch + 1
	if err := before.claim(t, false); err != nil || before.was.Epoch != 1 {
		t.Errorf("an epoch that no claim can have: %v, %+v", err, before.was)
	}
}
