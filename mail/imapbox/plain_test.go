package imapbox_test

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"angelpost/mail/imapbox"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapclient"
	"github.com/emersion/go-imap/v2/imapserver"
)

// config returns a configuration for a mailbox of the in-memory server.
func (m *memory) config(t *testing.T, user, password string) imapbox.Config {
	t.Helper()
	return imapbox.Config{
		Addr: "127.0.0.1:143", TLS: "none", User: user, PasswordFile: secret(t, password+"\n"), Log: slog.New(slog.DiscardHandler),
		Backoff: time.Millisecond, Retry: time.Millisecond, IdleFor: 5 * time.Millisecond,
		Dial: func(context.Context, string, string) (net.Conn, error) {
			client, server := net.Pipe()
			m.pipes.dialled <- server
			return client, nil
		},
	}
}

// TestRemoveWithoutUIDPLUS: on a server without UIDPLUS, deleted letters are gone and not
// only flagged.
func TestRemoveWithoutUIDPLUS(t *testing.T) {
	m := startMemory(t)
	u, name := m.user(t, "p")
	if err := u.Create("Angelpost/Done", nil); err != nil {
		t.Fatal(err)
	}
	put(t, u, "Angelpost/Done", letter("one"))
	if n, err := imapbox.Forget(t.Context(), m.config(t, name, "p"), time.Now().AddDate(0, 0, 2)); n != 1 || err != nil {
		t.Errorf("%d letters, %v", n, err)
	}
	if n := count(t, u, "Angelpost/Done"); n != 0 {
		t.Errorf("%d letters are still there", n)
	}
}

// refusing is a session that refuses COPY while full is set.
type refusing struct {
	imapserver.Session
	full *atomic.Bool
}

func (r refusing) Copy(set imap.NumSet, dest string) (*imap.CopyData, error) {
	if r.full.Load() {
		return nil, &imap.Error{Type: imap.StatusResponseTypeNo, Code: imap.ResponseCodeOverQuota, Text: "the mailbox is full"}
	}
	return r.Session.Copy(set, dest)
}

// TestRefusedCopy: on a server without MOVE, a letter stays in the inbox if the server
// refuses to copy it.
func TestRefusedCopy(t *testing.T) {
	var full atomic.Bool
	full.Store(true)
	m := startMemory(t)
	m.wrap = func(s imapserver.Session) imapserver.Session { return refusing{s, &full} }
	u, name := m.user(t, "p")
	put(t, u, "INBOX", letter("one"))
	conf := m.config(t, name, "p")
	rounds := make(chan struct{}, 100)
	conf.Round = func(error) {
		select {
		case rounds <- struct{}{}:
		default:
		}
	}
	letters, _ := watch(t, conf, done)
	receive(t, letters)
	for range 3 {
		<-rounds
	}
	if n := count(t, u, "INBOX"); n != 1 {
		t.Fatalf("%d letters are in the inbox, and no copy was made", n)
	}
	full.Store(false)
	for end := time.Now().Add(20 * time.Second); count(t, u, "Angelpost/Done") != 1 || count(t, u, "INBOX") != 0; time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("there is room, and the letter is not filed")
		}
	}
}

// particular is a session that refuses to move letters if one of them is gone, as mox and
// maddy do.
type particular struct{ imapserver.Session }

func (p particular) Move(w *imapserver.MoveWriter, set imap.NumSet, dest string) error {
	found, err := p.Search(imapserver.NumKindUID, &imap.SearchCriteria{UID: []imap.UIDSet{set.(imap.UIDSet)}}, &imap.SearchOptions{})
	if err != nil {
		return err
	}
	asked, _ := set.(imap.UIDSet).Nums()
	if there := (&imap.SearchData{All: found.All}).AllUIDs(); len(there) < len(asked) {
		return &imap.Error{Type: imap.StatusResponseTypeNo, Text: "no such message"}
	}
	return p.Session.(imapserver.SessionMove).Move(w, set, dest)
}

// TestMoveOfOneThatIsGone: if one of several letters is gone, the watcher moves the others at
// once, and logs no error.
func TestMoveOfOneThatIsGone(t *testing.T) {
	m := startMemory(t, imap.CapMove, imap.CapUIDPlus)
	m.wrap = func(s imapserver.Session) imapserver.Session { return particular{s} }
	for _, all := range []bool{false, true} {
		u, name := m.user(t, "p")
		for _, l := range []string{"one", "two", "three"} {
			put(t, u, "INBOX", letter(l))
		}
		conf := m.config(t, name, "p")
		var log synced
		conf.Log = slog.New(slog.NewTextHandler(&log, nil))
		var once sync.Once
		conf.At = func(point string) {
			if point == "file" {
				once.Do(func() { m.remove(t, name, "p", all) })
			}
		}
		letters, stop := watch(t, conf, done)
		for range 3 {
			receive(t, letters)
		}
		want := uint32(2)
		if all {
			want = 0
		}
		for end := time.Now().Add(20 * time.Second); count(t, u, "INBOX") != 0 || count(t, u, "Angelpost/Done") != want; time.Sleep(time.Millisecond) {
			if time.Now().After(end) {
				t.Fatalf("all %v: %d letters are filed, %d are in the inbox", all, count(t, u, "Angelpost/Done"), count(t, u, "INBOX"))
			}
		}
		stop()
		if said := log.String(); strings.Contains(said, "ERROR") || strings.Contains(said, "WARN") {
			t.Errorf("all %v: the log says\n%s", all, said)
		}
	}
}

// remove deletes the first of three letters in the inbox, or all of them.
func (m *memory) remove(t *testing.T, user, password string, all bool) {
	client, server := net.Pipe()
	m.pipes.dialled <- server
	c := imapclient.New(client, nil)
	defer c.Close()
	if err := c.Login(user, password).Wait(); err != nil {
		t.Error(err)
		return
	}
	if _, err := c.Select("INBOX", nil).Wait(); err != nil {
		t.Error(err)
	}
	set := imap.SeqSetNum(1)
	if all {
		set = imap.SeqSetNum(1, 2, 3)
	}
	if err := c.Store(set, &imap.StoreFlags{Op: imap.StoreFlagsAdd, Flags: []imap.Flag{imap.FlagDeleted}}, nil).Close(); err != nil {
		t.Error(err)
	}
	if err := c.Expunge().Close(); err != nil {
		t.Error(err)
	}
}

// breaking makes the first connections of a configuration break off after a number of bytes.
func (m *memory) breaking(c imapbox.Config, times int, after int64) imapbox.Config {
	dial := c.Dial
	c.Dial = func(ctx context.Context, network, addr string) (net.Conn, error) {
		conn, err := dial(ctx, network, addr)
		if times--; times >= 0 {
			return &cut{Conn: conn, down: after}, err
		}
		return conn, err
	}
	return c
}

// TestBrokenOffWhileItLooked: Await and Check try again if the connection breaks off. If
// every connection does, the error of Await says so.
func TestBrokenOffWhileItLooked(t *testing.T) {
	m := startMemory(t)
	u, name := m.user(t, "p")
	put(t, u, "INBOX", letter("one"))
	conf := m.config(t, name, "p")
	for _, after := range []int64{650, 750} {
		if _, err := imapbox.Await(t.Context(), m.breaking(conf, 2, after), "one@example.org"); err != nil {
			t.Errorf("cut after %d: %v", after, err)
		}
		if err := imapbox.Check(t.Context(), m.breaking(conf, 1, after)); err != nil {
			t.Errorf("cut after %d, Check: %v", after, err)
		}
	}
	ctx, stop := context.WithTimeout(t.Context(), 3*time.Second)
	defer stop()
	_, err := imapbox.Await(ctx, m.breaking(conf, 1000, 700), "never@example.org")
	if !errors.Is(err, imapbox.ErrBrokeOff) || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("it broke off each time, and says: %v", err)
	}
}

// TestSurvey: Survey returns whether a mail server has UIDPLUS and how full the mailbox is,
// and the watcher reports the latter every hour.
func TestSurvey(t *testing.T) {
	for _, c := range []struct {
		lacks, quota string
		want         imapbox.Facts
	}{
		{"UIDPLUS", "", imapbox.Facts{Used: imapbox.Unknown}},
		{"", `"" (STORAGE 91 100 MESSAGE 5 1000)`, imapbox.Facts{UIDPlus: true, Used: 91}},
		{"", `"" (STORAGE 200 0)`, imapbox.Facts{UIDPlus: true, Used: imapbox.Unknown}},
		{"", `"" ()`, imapbox.Facts{UIDPlus: true, Used: imapbox.Unknown}},
		{"", "NO", imapbox.Facts{UIDPlus: true, Used: imapbox.Unknown}},
	} {
		s := &script{lacks: c.lacks, quota: c.quota}
		var told []int
		scripted(t, s, func(c *imapbox.Config) { c.Quota = func(percent int) { told = append(told, percent) } }, func(func() string) {
			conf := imapbox.Config{Addr: "imap.example.org:143", TLS: "none", User: "u", PasswordFile: secret(t, "p"), Dial: s.dial}
			if f, err := imapbox.Survey(context.Background(), conf); err != nil || f != c.want {
				t.Errorf("%s: %+v, %v", c.quota, f, err)
			}
			time.Sleep(150 * time.Minute)
		})
		if want := []int{c.want.Used, c.want.Used, c.want.Used}; !slices.Equal(told, want) {
			t.Errorf("%s: the watcher reports %v, want %v", c.quota, told, want)
		}
	}
}

// TestQuotaThatEndsTheConnection: if the answer to a request for the quota ends the
// connection, the watcher never sends that request again.
func TestQuotaThatEndsTheConnection(t *testing.T) {
	s := &script{quota: "nonsense"}
	scripted(t, s, func(c *imapbox.Config) { c.Quota = func(int) { t.Error("a quota without an answer") } }, func(func() string) {
		time.Sleep(3 * time.Hour)
		if conns, _, _ := s.counts(); conns != 2 {
			t.Errorf("%d connections", conns)
		}
	})
}
