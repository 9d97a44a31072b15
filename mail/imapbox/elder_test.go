package imapbox_test

import (
	"cmp"
	"errors"
	"fmt"
	"net/mail"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"angelpost/mail/imapbox"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapclient"
)

// An elder imitates how a server of the version before claims had a MAC handles claims: it
// writes and judges them by the rules of that version. TestPreviousVersion
// (cmd/internal/killtest) runs the real program of that version, if the Git history has it.
type elder struct {
	peer
	c    *imapclient.Client
	was  imapbox.Term // what it remembers
	here bool
	term imapbox.Term // the zero Term until it has a claim
	over bool         // it has stopped
}

type elderClaim struct {
	uid          imap.UID
	id, instance string
	epoch        int64
	mac          string // which the elder ignores
}

// list returns the claims, the one that counts first.
func (e *elder) list(t *testing.T) (list []elderClaim) {
	t.Helper()
	data, err := e.c.Select(e.folder(), nil).Wait()
	if err != nil || data.NumMessages == 0 {
		return nil
	}
	section := &imap.FetchItemBodySection{Specifier: imap.PartSpecifierHeader, Peek: true}
	letters, err := e.c.Fetch(imap.UIDSet{imap.UIDRange{Start: 1}}, &imap.FetchOptions{UID: true, BodySection: []*imap.FetchItemBodySection{section}}).Collect()
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range letters {
		msg, err := mail.ReadMessage(strings.NewReader(string(l.FindBodySection(section)) + "\r\n"))
		if err != nil {
			t.Fatal(err)
		}
		epoch, err := strconv.ParseInt(msg.Header.Get("X-Angelpost-Epoch"), 10, 64)
		if err != nil || epoch > lastEpoch {
			epoch = 0
		}
		list = append(list, elderClaim{l.UID, msg.Header.Get("X-Angelpost-Claim"), msg.Header.Get("X-Angelpost-Instance"), epoch, msg.Header.Get("X-Angelpost-MAC")})
	}
	slices.SortStableFunc(list, func(a, b elderClaim) int {
		return cmp.Or(cmp.Compare(b.epoch, a.epoch), cmp.Compare(a.uid, b.uid))
	})
	return list
}

func (e *elder) folder() string {
	if e.sep != "" {
		return strings.ReplaceAll(claimFolder, "/", e.sep)
	}
	return claimFolder
}

func (e *elder) ours(l elderClaim) bool { return l.id == "one" && l.instance == e.term.Instance }

func (e *elder) put(t *testing.T) []elderClaim {
	t.Helper()
	if list := e.list(t); slices.ContainsFunc(list, e.ours) {
		return list
	}
	e.c.Create(e.folder(), nil).Wait() // the folder may exist already
	e.peer.put(t, e.c, claimFolder, fmt.Sprintf("Subject: %s\r\nX-Angelpost-Claim: one\r\nX-Angelpost-Instance: %s\r\nX-Angelpost-Epoch: %d\r\nX-Angelpost-Folder: INBOX\r\nX-Angelpost-Server: the elder\r\n\r\nx\r\n",
		claimSubject, e.term.Instance, e.term.Epoch), time.Time{})
	return e.list(t)
}

func (e *elder) remove(t *testing.T, l elderClaim) {
	t.Helper()
	e.list(t) // selects the folder
	err := e.c.Store(imap.UIDSetNum(l.uid), &imap.StoreFlags{Op: imap.StoreFlagsAdd, Flags: []imap.Flag{imap.FlagDeleted}}, nil).Close()
	if err == nil {
		err = e.c.Expunge().Close()
	}
	if err != nil {
		t.Fatal(err)
	}
}

// claim makes the elder's claim, or looks whether it still counts. It reports whether it
// counts.
func (e *elder) claim(t *testing.T, take bool) bool {
	t.Helper()
	if e.over {
		return false
	}
	list := e.list(t)
	if e.term.Instance == "" {
		epoch, known, goOn := e.was.Epoch, e.was.Instance != "", false
		if len(list) > 0 {
			first := list[0]
			epoch = max(epoch, first.epoch)
			same := known && first.id == "one" && first.instance == e.was.Instance
			switch {
			case same && e.here:
				goOn = true
			case take:
				known = false
			case first.id != "one", known && !same && first.epoch >= e.was.Epoch:
				e.over = true
				return false
			}
		}
		if goOn || known && e.here {
			e.term = e.was
		} else {
			e.term = imapbox.Term{Instance: "elder" + strconv.FormatInt(epoch+1, 10), Epoch: epoch + 1}
		}
		before := list
		e.put(t)
		for _, l := range before {
			own := l.id == "one" && (l.instance == e.was.Instance || l.instance == "")
			if !e.ours(l) && (take || own || e.term == e.was && l.epoch < e.term.Epoch) {
				e.remove(t, l)
			}
		}
		e.was, e.here = e.term, true
		list = e.list(t)
	}
	if !slices.ContainsFunc(list, e.ours) && (len(list) == 0 || list[0].epoch < e.term.Epoch) {
		list = e.put(t)
	}
	if e.ours(list[0]) {
		return true
	}
	for _, l := range list {
		if e.ours(l) {
			e.remove(t, l)
		}
	}
	e.over = true
	return false
}

// stop ends the elder; its next claim is that of another start.
func (e *elder) stop() { e.term, e.over = imapbox.Term{}, false }

// testClaimElder lets a server of this version and one of the version before share a mailbox,
// in each order in which a host could upgrade two machines. Once each has read the claims, at
// most one of them works. Both read them between a claim that replaces another and its first
// letter (TestMay).
func testClaimElder(t *testing.T, p peer) {
	c := p.login(t)
	for name, play := range map[string]func(m *machine, e *elder, look func(want string)){
		"upgraded in place": func(m *machine, e *elder, look func(string)) {
			e.claim(t, false)
			look("elder")
			m.was, m.here = e.was, true
			m.was.Waited = true
			e.stop()
			m.start(t, false)
			look("new")
			if now := e.list(t); m.was.Epoch != 1 || len(now) != 1 || now[0].mac == "" {
				t.Errorf("%+v, claims %v", m.was, e.list(t))
			}
		},
		"upgraded in place, after a restart of the machine": func(m *machine, e *elder, look func(string)) {
			e.claim(t, false)
			m.was = e.was
			e.stop()
			m.start(t, false)
			look("new")
			if m.was.Epoch != 2 || len(e.list(t)) != 1 {
				t.Errorf("%+v, claims %v", m.was, e.list(t))
			}
		},
		"a copy of it starts": func(m *machine, e *elder, look func(string)) {
			e.claim(t, false)
			if err := m.check(t); !errors.As(err, new(*imapbox.Claimed)) {
				t.Errorf("check: %v", err)
			}
			m.start(t, false)
			look("elder")
			if m.was != (imapbox.Term{}) {
				t.Errorf("it remembers %+v", m.was)
			}
		},
		"a copy of it starts by force": func(m *machine, e *elder, look func(string)) {
			e.was = imapbox.Term{Epoch: 6}
			e.claim(t, false)
			m.start(t, true)
			look("elder") // the elder renews its claim, with its higher epoch
			m.start(t, true)
			e.stop()
			look("new")
			e.claim(t, false)
			look("elder")
		},
		"a standby takes over": func(m *machine, e *elder, look func(string)) {
			e.was = imapbox.Term{Epoch: 6}
			e.claim(t, false)
			m.was = imapbox.Term{Epoch: 7} // it has followed the replica of that epoch
			m.start(t, true)
			look("new")
			e.stop()
			e.claim(t, false)
			look("new")
			if m.was.Epoch != 8 {
				t.Errorf("%+v", m.was)
			}
		},
		"the elder starts on a copy": func(m *machine, e *elder, look func(string)) {
			m.start(t, false)
			look("new")
			e.claim(t, false)
			look("elder")
			m.start(t, false)
			look("elder")
			m.start(t, true)
			look("new")
			e.stop()
			e.claim(t, false)
			look("new")
			e.stop()
			e.claim(t, true)
			look("elder")
		},
	} {
		t.Run(name, func(t *testing.T) {
			if p.look(t, c, claimFolder); len((&elder{peer: p, c: c}).list(t)) > 0 {
				p.erase(t, c, claimFolder, true)
			}
			m, e := p.server("one").copied(), &elder{peer: p, c: c}
			play(m, e, func(want string) {
				t.Helper()
				var works []string
				for range 3 { // they look in turn
					works = nil
					if m.works(t) {
						works = append(works, "new")
					}
					if e.term.Instance != "" && e.claim(t, false) {
						works = append(works, "elder")
					}
				}
				if strings.Join(works, " ") != want {
					t.Errorf("%v at work, want %s", works, want)
				}
			})
		})
	}
}
