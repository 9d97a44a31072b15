package imapbox_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"angelpost/mail/imapbox"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapclient"
	"github.com/emersion/go-imap/v2/imapserver"
)

// judging is a Junk that judges letters by To and Subject, and records what the watcher
// passes to it.
type judging struct {
	mu    sync.Mutex
	asked []string // subjects of the headers passed to Ours
	read  []string // subjects of the letters passed to Judge
	left  int
	looks int
	err   error
}

func (j *judging) junk(folder string) *imapbox.Junk {
	return &imapbox.Junk{
		Folder: folder, Every: time.Millisecond,
		Ours: func(_ context.Context, header []byte) (bool, error) {
			j.mu.Lock()
			defer j.mu.Unlock()
			j.asked = append(j.asked, subject(imapbox.Fetched{Raw: header}))
			return bytes.Contains(header, []byte("+token@")), nil
		},
		Judge: func(_ context.Context, letters []imapbox.Fetched) ([]imapbox.Finding, error) {
			j.mu.Lock()
			defer j.mu.Unlock()
			out := make([]imapbox.Finding, len(letters))
			for i, l := range letters {
				name := subject(l)
				j.read = append(j.read, name)
				switch {
				case strings.HasPrefix(name, "good") && (l.HeaderOnly || bytes.Contains(l.Raw, []byte("This is "+name))):
					out[i] = imapbox.Good
				case strings.HasPrefix(name, "unproven"):
					out[i] = imapbox.Unproven
				}
			}
			return out, j.err
		},
		Left: func(n int) {
			j.mu.Lock()
			defer j.mu.Unlock()
			j.left = n
			j.looks++
		},
	}
}

func (j *judging) wait(t *testing.T, what string, is func() bool) {
	t.Helper()
	for end := time.Now().Add(30 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		j.mu.Lock()
		ok := is()
		j.mu.Unlock()
		if ok {
			return
		}
		if time.Now().After(end) {
			j.mu.Lock()
			defer j.mu.Unlock()
			t.Fatalf("%s: %d left, asked about %q, read %q", what, j.left, j.asked, j.read)
		}
	}
}

func spam(name, to string) string {
	return strings.Replace(letter(name), "From:", "To: "+to+"\r\nFrom:", 1)
}

// put puts a letter into a folder with a time of arrival; the zero time means now.
func (p peer) put(t *testing.T, c *imapclient.Client, folder, text string, arrived time.Time) {
	t.Helper()
	if p.sep != "" {
		folder = strings.ReplaceAll(folder, "/", p.sep)
	}
	cmd := c.Append(folder, int64(len(text)), &imap.AppendOptions{Time: arrived})
	_, err := cmd.Write([]byte(text))
	if err = errors.Join(err, cmd.Close()); err != nil {
		t.Fatal(err)
	}
	if _, err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
}

// testJunk: the watcher moves the good letters from the spam folder to the inbox, with their
// date, and handles them. The others stay, and the watcher reports how many are left. It
// reads only letters that may be for this server, and each once.
func testJunk(t *testing.T, p peer) {
	c := p.login(t)
	if err := c.Create("Spam", nil).Wait(); err != nil {
		t.Fatal(err)
	}
	arrived := time.Now().Add(-50 * time.Hour).Truncate(time.Second)
	for _, name := range []string{"foreign", "good one", "unproven", "neither", "good and large"} {
		to := "angelpost+token@example.org"
		if name == "foreign" {
			to = "angelpost@example.org"
		}
		text := spam(name, to)
		if name == "good and large" {
			text = strings.Replace(text, "This is", strings.Repeat(strings.Repeat("x", 76)+"\r\n", 2000), 1)
		}
		p.put(t, c, "Spam", text, arrived)
	}
	j := &judging{}
	p.config.Junk, p.config.IdleFor, p.config.MaxLetter = j.junk(""), 100*time.Millisecond, 100_000
	letters, _ := watch(t, p.config, done)
	for _, name := range []string{"good one", "good and large"} {
		if f := receive(t, letters); subject(f) != name || !f.InternalDate.Equal(arrived) {
			t.Errorf("%q of %v is handled, want %q of %v", subject(f), f.InternalDate, name, arrived)
		}
	}
	p.expect(t, c, "Angelpost/Done", "good one", "good and large")
	p.expect(t, c, "Spam", "foreign", "unproven", "neither")
	j.wait(t, "one is left", func() bool { return j.left == 1 })

	p.put(t, c, "Spam", spam("good two", "angelpost+token@example.org"), arrived)
	p.put(t, c, "Spam", spam("foreign two", "x@example.org"), arrived)
	if f := receive(t, letters); subject(f) != "good two" {
		t.Errorf("%q is handled", subject(f))
	}
	p.expect(t, c, "Spam", "foreign", "unproven", "neither", "foreign two")
	p.remove(t, c, "Spam", "unproven")
	j.wait(t, "none is left", func() bool { return j.left == 0 && slices.Contains(j.asked, "foreign two") })
	j.mu.Lock()
	defer j.mu.Unlock()
	slices.Sort(j.asked)
	slices.Sort(j.read)
	if want := []string{"foreign", "foreign two", "good and large", "good one", "good two", "neither", "unproven"}; !slices.Equal(j.asked, want) {
		t.Errorf("asked about %q, want %q", j.asked, want)
	}
	if want := []string{"good and large", "good one", "good two", "neither", "unproven"}; !slices.Equal(j.read, want) {
		t.Errorf("read are %q, want %q", j.read, want)
	}
}

// remove deletes the letters with a subject.
func (p peer) remove(t *testing.T, c *imapclient.Client, folder, name string) {
	t.Helper()
	if _, err := c.Select(folder, nil).Wait(); err != nil {
		t.Fatal(err)
	}
	found, err := c.Search(&imap.SearchCriteria{Header: []imap.SearchCriteriaHeaderField{{Key: "Subject", Value: name}}}, nil).Wait()
	if err != nil {
		t.Fatal(err)
	}
	err = c.Store(imap.SeqSetNum(found.AllSeqNums()...), &imap.StoreFlags{Op: imap.StoreFlagsAdd, Flags: []imap.Flag{imap.FlagDeleted}}, nil).Close()
	if err = errors.Join(err, c.Expunge().Close()); err != nil {
		t.Fatal(err)
	}
}

// marking is a session that marks one of its folders for spam, if the client requests such
// marks.
type marking struct {
	imapserver.Session
	folders []string
	marked  string
}

func (m marking) List(w *imapserver.ListWriter, ref string, patterns []string, options *imap.ListOptions) error {
	if !slices.Equal(patterns, []string{"*"}) {
		return m.Session.List(w, ref, patterns, options)
	}
	for _, folder := range m.folders {
		data := &imap.ListData{Mailbox: folder, Delim: '/'}
		if folder == m.marked && options.ReturnSpecialUse {
			data.Attrs = []imap.MailboxAttr{imap.MailboxAttrJunk}
		}
		if err := w.WriteList(data); err != nil {
			return err
		}
	}
	return nil
}

// TestJunkFolder: the setting comes first, then the server's mark, then a usual name at the
// top level or in INBOX. The watcher's own folders never count.
func TestJunkFolder(t *testing.T) {
	for _, c := range []struct {
		folders   []string
		marked    string
		set, want string
	}{
		{folders: []string{"Work", "Spam", "Werbung"}, marked: "Werbung", want: "Werbung"},
		{folders: []string{"Spam", "Junk"}, want: "Junk"},
		{folders: []string{"INBOX/Junk E-mail"}, want: "INBOX/Junk E-mail"},
		{folders: []string{"Courrier indésirable"}, want: "Courrier indésirable"},
		{folders: []string{"Old/Junk", "Junkyard"}},
		{folders: []string{"Junk", "Other"}, set: "Other", want: "Other"},
		{folders: []string{"Angelpost/Done"}, marked: "Angelpost/Done"},
	} {
		t.Run(fmt.Sprint(c.folders), func(t *testing.T) {
			m := startMemory(t, imap.CapSpecialUse, imap.CapListExtended)
			m.wrap = func(s imapserver.Session) imapserver.Session { return marking{s, c.folders, c.marked} }
			u, name := m.user(t, "p")
			for _, folder := range c.folders {
				if err := u.Create(folder, nil); err != nil {
					t.Fatal(err)
				}
				put(t, u, folder, spam("good in "+folder, "angelpost+token@example.org"))
			}
			j := &judging{}
			conf := m.config(t, name, "p")
			conf.Junk = j.junk(c.set)
			if f, err := imapbox.Survey(t.Context(), conf); err != nil || f.Junk != c.want {
				t.Errorf("the survey finds %q, %v, want %q", f.Junk, err, c.want)
			}
			letters, _ := watch(t, conf, done)
			j.wait(t, "looks", func() bool { return j.looks > 2 })
			var want []string
			if c.want != "" {
				want = []string{"good in " + c.want}
				if got := subject(receive(t, letters)); got != want[0] {
					t.Errorf("%q is handled", got)
				}
			}
			j.mu.Lock()
			defer j.mu.Unlock()
			if !slices.Equal(j.read, want) {
				t.Errorf("read are %q, want %q", j.read, want)
			}
		})
	}
}

// TestJunkIsLeftAlone: letters that cannot be judged now wait for a later look. A spam folder
// that the server refuses to select stops nothing else. The watcher's own folders are refused
// as spam folders.
func TestJunkIsLeftAlone(t *testing.T) {
	m := startMemory(t)
	u, name := m.user(t, "p")
	if err := u.Create("Junk", nil); err != nil {
		t.Fatal(err)
	}
	put(t, u, "Junk", spam("good one", "angelpost+token@example.org"))
	j := &judging{err: errors.New("the disk is full")}
	conf := m.config(t, name, "p")
	conf.Junk = j.junk("")
	letters, stop := watch(t, conf, done)
	j.wait(t, "looks", func() bool { return len(j.read) > 2 })
	put(t, u, "INBOX", letter("another"))
	if got := subject(receive(t, letters)); got != "another" {
		t.Errorf("%q is handled", got)
	}
	j.mu.Lock()
	j.err = nil
	j.mu.Unlock()
	if got := subject(receive(t, letters)); got != "good one" {
		t.Errorf("%q is handled", got)
	}
	j.wait(t, "both are filed", func() bool { return count(t, u, "Angelpost/Done") == 2 && count(t, u, "INBOX") == 0 })
	stop()

	conf.Junk = j.junk("Not there")
	if f, err := imapbox.Survey(t.Context(), conf); err != nil || f.Junk != "" {
		t.Errorf("the survey finds %q, %v", f.Junk, err)
	}
	looks := make(chan struct{}, 1000)
	conf.Round = func(error) { looks <- struct{}{} }
	letters, _ = watch(t, conf, done)
	for range 5 {
		<-looks
	}
	put(t, u, "INBOX", letter("a third"))
	if got := subject(receive(t, letters)); got != "a third" {
		t.Errorf("%q is handled", got)
	}
	for _, folder := range []string{"INBOX", "Angelpost/Done", "Angelpost/Claim"} {
		conf.Junk = j.junk(folder)
		if err := imapbox.Run(t.Context(), conf, nil); err == nil {
			t.Errorf("%s is taken for a folder of spam", folder)
		}
	}
}

// TestJunkWithoutJudge: a watcher that nobody told how to judge letters leaves spam alone.
func TestJunkWithoutJudge(t *testing.T) {
	m := startMemory(t)
	u, name := m.user(t, "p")
	if err := u.Create("Junk", nil); err != nil {
		t.Fatal(err)
	}
	put(t, u, "Junk", spam("good one", "angelpost+token@example.org"))
	conf := m.config(t, name, "p")
	conf.Junk = &imapbox.Junk{Every: time.Millisecond}
	looks := make(chan struct{}, 1000)
	conf.Round = func(error) { looks <- struct{}{} }
	letters, _ := watch(t, conf, done)
	for range 5 {
		<-looks
	}
	put(t, u, "INBOX", letter("another"))
	if got := subject(receive(t, letters)); got != "another" || count(t, u, "Junk") != 1 {
		t.Errorf("%q is handled; Junk has %d letters", got, count(t, u, "Junk"))
	}
}

// TestJunkIsNoLateIdle: letters that the watcher itself moved to the inbox do not count
// against IDLE.
func TestJunkIsNoLateIdle(t *testing.T) {
	s := &script{prompt: true, junk: []string{}, dates: map[int]time.Time{}}
	j := &judging{}
	scripted(t, s, func(c *imapbox.Config) {
		c.Junk = j.junk("")
		c.IdleLate = func(late bool) {
			if late {
				t.Error("IDLE is taken for late")
			}
		}
	}, func(func() string) {
		for n := 1; n <= 3; n++ {
			time.Sleep(10 * time.Minute)
			s.mu.Lock()
			s.junk = append(s.junk, spam(fmt.Sprintf("good %d", n), "angelpost+token@example.org"))
			s.mu.Unlock()
			time.Sleep(5 * time.Minute)
			if _, _, done := s.counts(); done != n {
				t.Errorf("%d letters are filed, want %d", done, n)
			}
		}
	})
}
