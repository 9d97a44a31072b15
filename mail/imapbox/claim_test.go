package imapbox_test

import (
	"context"
	"errors"
	"strings"
	"sync"
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

// server is the configuration of a server with a name of its own.
func (p peer) server(id string) imapbox.Config {
	c := p.config
	c.Claim, c.ClaimedBy, c.Reclaim, c.IdleFor = id, "the database of "+id, 10*time.Millisecond, 50*time.Millisecond
	return c
}

// refuses expects the error of a mailbox that owner has claimed.
func refuses(t *testing.T, what string, err error, owner string) {
	t.Helper()
	claimed := new(imapbox.Claimed)
	if !errors.As(err, &claimed) || claimed.Server != "the database of "+owner || time.Since(claimed.Since).Abs() > time.Hour {
		t.Errorf("%s: %v, want that it belongs to %s", what, err, owner)
	}
}

// erase deletes the letters of a folder, or only marks them as mail programs do.
func (p peer) erase(t *testing.T, c *imapclient.Client, folder string, expunge bool) {
	t.Helper()
	p.look(t, c, folder) // selects it
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
	ctx := t.Context()
	if err := imapbox.Check(ctx, p.server("one")); err != nil {
		t.Error(err)
	}
	if got := p.look(t, c, claimFolder); len(got) == 1 && got[0] == claimSubject {
		t.Error("a check has claimed the mailbox")
	}
	for range 2 { // by itself or by another machine with the same database
		if err := imapbox.Claim(ctx, p.server("one"), false); err != nil {
			t.Fatal(err)
		}
	}
	p.expect(t, c, claimFolder, claimSubject)
	refuses(t, "claim", imapbox.Claim(ctx, p.server("two"), false), "one")
	refuses(t, "check", imapbox.Check(ctx, p.server("two")), "one")
	refuses(t, "run", imapbox.Run(ctx, p.server("two"), nil), "one")
	if err := imapbox.Check(ctx, p.server("one")); err != nil {
		t.Error(err)
	}
	p.expect(t, c, claimFolder, claimSubject)

	elsewhere := p.server("two") // the same account, another folder
	elsewhere.Folder = "Angelpost/Done"
	elsewhere.Folders.Done = "Angelpost/Done2"
	if err := imapbox.Claim(ctx, elsewhere, false); err != nil {
		t.Error(err)
	}
	if err := imapbox.Claim(ctx, p.server("two"), true); err != nil { // by force
		t.Fatal(err)
	}
	refuses(t, "after it was taken", imapbox.Claim(ctx, p.server("one"), false), "two")
	p.expect(t, c, claimFolder, claimSubject, claimSubject) // two's, and two's elsewhere

	p.erase(t, c, claimFolder, false) // by a person
	if err := imapbox.Claim(ctx, p.server("three"), false); err != nil {
		t.Error(err)
	}
	bad := p.server("three")
	bad.Folders.Claim = "INBOX"
	if err := imapbox.Claim(ctx, bad, false); err == nil {
		t.Error("a claim was put into the watched folder")
	}
}

// Of servers that start at once just one gets the mailbox, and the others leave
// nothing behind.
func testClaimRace(t *testing.T, p peer) {
	c := p.login(t)
	names := strings.Fields("a b c d")
	errs := make([]error, len(names))
	var wait sync.WaitGroup
	for i, name := range names {
		wait.Go(func() { errs[i] = imapbox.Claim(t.Context(), p.server(name), false) })
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

// watching runs a server on the mailbox until stop, or until it ends by itself.
func (p peer) watching(t *testing.T, id string) (handled chan string, ended chan error, stop func()) {
	ctx, cancel := context.WithCancel(t.Context())
	handled, ended = make(chan string, 100), make(chan error, 1)
	go func() {
		ended <- imapbox.Run(ctx, p.server(id), imapbox.Each(func(_ context.Context, f imapbox.Fetched) (imapbox.Disposition, error) {
			handled <- subject(f)
			return imapbox.Done, nil
		}))
	}()
	return handled, ended, cancel
}

func testClaimPutBack(t *testing.T, p peer) {
	c := p.login(t)
	handled, ended, stop := p.watching(t, "one")
	defer stop()
	p.deliver(t, letter("first"))
	<-handled
	for _, expunge := range []bool{true, false} {
		p.expect(t, c, claimFolder, claimSubject)
		p.erase(t, c, claimFolder, expunge)
		if !expunge { // nobody is told of a mark: it is found at the next connection
			break
		}
	}
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if err := imapbox.Claim(t.Context(), p.server("one"), false); err != nil {
		t.Fatal(err)
	}
	p.expect(t, c, claimFolder, claimSubject, claimSubject+" \\Deleted")
}

func testClaimLost(t *testing.T, p peer) {
	handled, ended, stop := p.watching(t, "one")
	defer stop()
	p.deliver(t, letter("first"))
	<-handled
	if err := imapbox.Claim(t.Context(), p.server("two"), true); err != nil {
		t.Fatal(err)
	}
	select {
	case err := <-ended:
		refuses(t, "the server whose claim was taken", err, "two")
	case <-time.After(20 * time.Second):
		t.Fatal("the server whose claim was taken goes on")
	}
}
