package mailhost

import (
	"bytes"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapserver/imapmemserver"
)

const inbox = "INBOX"

// account is one person's mailboxes: on disk, where they last, and in the
// memory server, which answers IMAP from them. mu orders whatever changes both.
type account struct {
	name string
	dir  string
	user *imapmemserver.User

	mu    sync.Mutex
	boxes map[string]*box
	seq   int64         // number of the newest letter file; files sort in order of arrival
	news  chan struct{} // closed, and replaced, when letters came or went
}

// notify wakes who idles. The account is locked.
func (a *account) notify() {
	close(a.news)
	a.news = make(chan struct{})
}

// box is one folder of an account.
type box struct {
	dir     string
	letters map[imap.UID]*letterFile
}

// letterFile is one letter on disk; all but seen is fixed.
type letterFile struct {
	seq  int64
	path string
	date time.Time // INTERNALDATE, to the second
	size int
	odd  bool      // served by this package's Fetch, see isOdd
	head *headline // for the post room's list, read when first asked for
	seen bool      // opened in the post room
}

// openAccount reads what is on disk into a new memory account.
func openAccount(dir, name string) (*account, error) {
	a := &account{
		name:  name,
		dir:   filepath.Join(dir, name),
		user:  imapmemserver.NewUser(name, ""),
		boxes: make(map[string]*box),
		news:  make(chan struct{}),
	}
	if err := makeDir(a.dir); err != nil {
		return nil, err
	}
	entries, err := os.ReadDir(a.dir)
	if err != nil {
		return nil, err
	}
	if err := a.openBox(inbox); err != nil {
		return nil, err
	}
	for _, entry := range entries {
		folder, err := url.PathUnescape(entry.Name())
		if err != nil || !entry.IsDir() || folder == inbox || dirName(folder) != entry.Name() {
			continue
		}
		if err := a.openBox(folder); err != nil {
			return nil, err
		}
	}
	return a, nil
}

func (a *account) openBox(folder string) error {
	b := &box{dir: filepath.Join(a.dir, dirName(folder)), letters: make(map[imap.UID]*letterFile)}
	if err := makeDir(b.dir); err != nil {
		return err
	}
	if err := a.user.Create(folder, nil); err != nil {
		return fmt.Errorf("mailbox %s of %s: %w", folder, a.name, err)
	}
	entries, err := os.ReadDir(b.dir) // sorted by name, hence by arrival
	if err != nil {
		return err
	}
	for _, entry := range entries {
		path := filepath.Join(b.dir, entry.Name())
		if strings.HasPrefix(entry.Name(), tempPrefix) {
			os.Remove(path) // a letter never acknowledged
			continue
		}
		seq, date, ok := parseFileName(entry.Name())
		if !ok {
			continue // not ours
		}
		raw, err := os.ReadFile(path)
		if err != nil {
			return fmt.Errorf("letter of %s: %w", a.name, err)
		}
		a.seq = max(a.seq, seq)
		if _, err := a.adopt(b, folder, &letterFile{seq: seq, path: path, date: date, size: len(raw)}, raw); err != nil {
			return err
		}
	}
	a.boxes[folder] = b
	return nil
}

// adopt shows a letter that is on disk to the memory server.
func (a *account) adopt(b *box, folder string, f *letterFile, raw []byte) (*imap.AppendData, error) {
	data, err := a.user.Append(folder, bytes.NewReader(raw), &imap.AppendOptions{Time: f.date})
	if err != nil {
		return nil, err
	}
	f.odd = isOdd(raw)
	b.letters[data.UID] = f
	return data, nil
}

// append makes raw a letter of the folder; when it returns nil it is on disk.
func (a *account) append(folder string, raw []byte, date time.Time) (*imap.AppendData, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	b := a.boxes[folder]
	if b == nil {
		return nil, errNoSuchBox(imap.ResponseCodeTryCreate)
	}
	f := a.newFile(b, date, len(raw))
	if err := writeDurably(f.path, raw); err != nil {
		return nil, err
	}
	defer a.notify()
	return a.adopt(b, folder, f, raw)
}

func (a *account) newFile(b *box, date time.Time, size int) *letterFile {
	a.seq++
	date = time.Unix(date.Unix(), 0)
	return &letterFile{seq: a.seq, path: filepath.Join(b.dir, fileName(a.seq, date)), date: date, size: size}
}

// place brings the file of one letter into another box as well (link) or
// instead, after the memory server has given it a UID there.
func (a *account) place(from *box, uid imap.UID, to *box, newUID imap.UID, bring func(old, new string) error) error {
	old := from.letters[uid]
	if old == nil {
		return errors.New("a letter without a file")
	}
	f := a.newFile(to, old.date, old.size)
	f.odd, f.head, f.seen = old.odd, old.head, old.seen
	if err := bring(old.path, f.path); err != nil {
		return err
	}
	to.letters[newUID] = f
	return nil
}

// list returns the letters of a folder, the oldest first.
func (a *account) list(folder string) []*letterFile {
	b := a.boxes[folder]
	if b == nil {
		return nil
	}
	var files []*letterFile
	for _, f := range b.letters {
		files = append(files, f)
	}
	slices.SortFunc(files, func(x, y *letterFile) int { return int(x.seq - y.seq) })
	return files
}

const tempPrefix = "tmp-"

func fileName(seq int64, date time.Time) string {
	return fmt.Sprintf("%012d.%d.eml", seq, date.Unix())
}

func parseFileName(name string) (seq int64, date time.Time, ok bool) {
	parts := strings.Split(name, ".")
	if len(parts) != 3 || parts[2] != "eml" {
		return 0, date, false
	}
	seq, err1 := strconv.ParseInt(parts[0], 10, 64)
	unix, err2 := strconv.ParseInt(parts[1], 10, 64)
	return seq, time.Unix(unix, 0), err1 == nil && err2 == nil
}

const maxFolderName = 100 // octets, so that its escaped form is a file name

// dirName is the folder's name as one element of a path.
func dirName(folder string) string {
	return strings.ReplaceAll(url.PathEscape(folder), ".", "%2E")
}

func makeDir(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	return syncDir(filepath.Dir(dir))
}

// writeDurably returns nil when the file is there in full and will be there
// after a crash.
func writeDurably(path string, raw []byte) (err error) {
	dir := filepath.Dir(path)
	f, err := os.CreateTemp(dir, tempPrefix)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			os.Remove(f.Name())
		}
	}()
	_, err = f.Write(raw)
	if err == nil {
		err = f.Sync()
	}
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err == nil {
		err = syncDir(dir)
	}
	return err
}

func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Sync()
}
