package db

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

// ErrLocked is returned by Take, wrapped, while another daemon has the database.
var ErrLocked = errors.New("another server works on this database")

// ErrOtherName is returned by Take and Open, wrapped, while a daemon has the
// database by another name: a hard link, say, or a file mounted elsewhere. What
// was committed lately is in a file that is called after the other name. Who
// worked by this one would not see it, and would spoil the database. It is an
// ErrLocked.
var ErrOtherName = fmt.Errorf("%w, by another name of its file", ErrLocked)

// A Lock says that this process is the daemon of a database. It is a file
// beside the database, locked by flock, and a lock on the database file itself,
// which has only one inode whatever it is called: the kernel frees both when the
// process ends, however it ends.
//
// It also remembers how often the daemon's heart had beaten: a database that
// knows of fewer beats is an older one, put back in its place. And it remembers what
// Remember was given.
type Lock struct {
	file  *os.File
	base  *os.File // the database
	where string   // this file on this machine since it was started
	mu    sync.Mutex
	lockFile
}

// A lockFile is what the file of a Lock says, line by line. What it does not say is
// empty: it may have been torn.
type lockFile struct {
	pid        string
	note       string // whose beats, and how many
	ending     bool   // the daemon is ending
	remembered string // where, a space, and what Remember was given
}

// overlap is how long Take waits for a daemon that does not say it is ending: it
// may have been asked to only now, or killed.
const overlap = time.Second

// endingLine is the third line of the file of a daemon that is ending.
const endingLine = "ending"

// Take locks the database at path for this process: path may lead to it over
// symbolic links, and it need not exist yet. It waits a second for another process
// to end, or as long as ctx lets it for one that says it is ending. Then it gives
// ErrLocked, wrapped, with its process id, or ErrOtherName. Commands that work beside
// the daemon take no lock. The database must be closed before the lock is freed.
func Take(ctx context.Context, path string) (l *Lock, err error) {
	if err := touch(path); err != nil {
		return nil, err
	}
	l = new(Lock)
	defer func() {
		if err != nil {
			l.Free()
		}
	}()
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return l, fmt.Errorf("open database: %w", err)
	}
	if l.file, err = os.OpenFile(real+".lock", os.O_RDWR|os.O_CREATE, 0o600); err != nil {
		return l, fmt.Errorf("lock database: %w", err)
	}
	flock := func() (bool, error) { return flock(l.file, syscall.LOCK_EX) }
	if held, err := l.wait(ctx, flock); err != nil {
		return l, fmt.Errorf("lock database: %s: %w", l.file.Name(), err)
	} else if !held {
		return l, fmt.Errorf("%w: %s, process %.10q", ErrLocked, path, readLock(l.file).pid)
	}
	if l.base, err = os.OpenFile(path, os.O_RDWR, 0); err != nil {
		return l, fmt.Errorf("lock database: %w", err)
	}
	if held, err := l.wait(ctx, func() (bool, error) { return lockInode(l.base) }); err != nil {
		return l, fmt.Errorf("lock database: %s: %w", path, err)
	} else if !held {
		return l, fmt.Errorf("%w: %s", ErrOtherName, path)
	}
	l.lockFile = readLock(l.file)
	l.pid, l.ending, l.where = strconv.Itoa(os.Getpid()), false, whereIs(l.base)
	return l, l.write()
}

func flock(f *os.File, how int) (bool, error) {
	err := syscall.Flock(int(f.Fd()), how|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) || errors.Is(err, syscall.EINTR) {
		return false, nil
	}
	return err == nil, err
}

// wait tries again and again to get a lock, until ctx ends or the daemon that has it
// will stay.
func (l *Lock) wait(ctx context.Context, try func() (bool, error)) (held bool, err error) {
	for began := time.Now(); ; {
		if held, err = try(); held || err != nil {
			return held, err
		}
		if !readLock(l.file).ending && time.Since(began) > overlap {
			return false, nil
		}
		select {
		case <-ctx.Done():
			return false, nil
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// otherName holds that no daemon has the database, whose path without symbolic
// links is real, by another name. Only a file with several names is looked at
// closely: it must be opened for that, and not be closed again while SQLite has
// it in this process, whose locks would go with it.
func otherName(real string) error {
	if i, err := os.Stat(real); err != nil || names(i) < 2 {
		return err
	}
	base, err := os.Open(real)
	if err != nil {
		return err
	}
	defer base.Close()
	if !inodeLocked(base) {
		return nil
	}
	file, err := os.Open(real + ".lock")
	if err == nil {
		defer file.Close()
		if free, err := flock(file, syscall.LOCK_SH); err != nil || !free { // its daemon has it
			return err
		}
	}
	return ErrOtherName
}

// names is how many names a file has.
func names(i os.FileInfo) uint64 {
	if s, ok := i.Sys().(*syscall.Stat_t); ok {
		return uint64(s.Nlink)
	}
	return 1
}

// Free lets the next daemon in.
func (l *Lock) Free() error {
	var errs []error
	for _, f := range []*os.File{l.base, l.file} {
		if f != nil {
			errs = append(errs, f.Close())
		}
	}
	return errors.Join(errs...)
}

// Older reports whether the database was served further than d says: the file
// of another time stands in its place.
func (l *Lock) Older(ctx context.Context, d *DB) (bool, error) {
	id, beats, err := d.beats(ctx)
	if err != nil {
		return false, err
	}
	whose, n, _ := strings.Cut(l.note, " ")
	served, err := strconv.ParseInt(n, 10, 64)
	return err == nil && whose == id && served > beats, nil
}

// Ending tells a daemon that waits for the lock that this one is ending.
func (l *Lock) Ending() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.ending = true
	return l.write()
}

// Keep remembers the beats of d.
func (l *Lock) Keep(ctx context.Context, d *DB) error {
	id, beats, err := d.beats(ctx)
	if err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.note = id + " " + strconv.FormatInt(beats, 10)
	return l.write()
}

func (d *DB) beats(ctx context.Context) (id string, n int64, err error) {
	if id, err = d.ID(ctx); err != nil {
		return "", 0, err
	}
	err = d.row(ctx, &n, "SELECT value FROM meta WHERE key = 'beats'")
	return id, n, err
}

// Remember keeps a line of text for Remembered, durably.
func (l *Lock) Remember(what string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.remembered = l.where + " " + what
	if err := l.write(); err != nil {
		return err
	}
	return l.file.Sync()
}

// Remembered returns what Remember was given last, "" if nothing; here reports whether
// that was for this very file on this machine since the machine was started, not for a
// copy of both files.
func (l *Lock) Remembered() (what string, here bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.recall(l.where)
}

// Remembered is Lock.Remembered of the database at path, whose daemon may be at work.
func Remembered(path string) (what string, here bool, err error) {
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return "", false, err
	}
	file, err := os.Open(real + ".lock")
	if errors.Is(err, fs.ErrNotExist) {
		return "", false, nil
	}
	if err != nil {
		return "", false, err
	}
	defer file.Close()
	i, err := os.Stat(real) // not opened: see otherName
	if err != nil {
		return "", false, err
	}
	what, here = readLock(file).recall(placeOf(i))
	return what, here, nil
}

func (f lockFile) recall(where string) (what string, here bool) {
	then, what, _ := strings.Cut(f.remembered, " ")
	return what, then == where && where != ""
}

func whereIs(f *os.File) string {
	i, err := f.Stat()
	if err != nil {
		return ""
	}
	return placeOf(i)
}

// placeOf names a file on this machine since it was started, "" where that cannot be
// told from another's.
func placeOf(i os.FileInfo) string {
	boot, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	s, ok := i.Sys().(*syscall.Stat_t)
	if err != nil || !ok {
		return ""
	}
	return fmt.Sprintf("%s/%d/%d", strings.TrimSpace(string(boot)), s.Dev, s.Ino)
}

func (f lockFile) String() string {
	ending := ""
	if f.ending {
		ending = endingLine
	}
	return f.pid + "\n" + f.note + "\n" + ending + "\n" + f.remembered + "\n"
}

func (l *Lock) write() error {
	s := l.String()
	_, err := l.file.WriteAt([]byte(s), 0)
	if err == nil {
		err = l.file.Truncate(int64(len(s)))
	}
	if err != nil {
		return fmt.Errorf("lock database: %w", err)
	}
	return nil
}

func readLock(file *os.File) lockFile {
	b := make([]byte, 512)
	n, _ := file.ReadAt(b, 0)
	lines := append(strings.Split(string(b[:n]), "\n"), "", "", "", "")
	return lockFile{lines[0], lines[1], lines[2] == endingLine, lines[3]}
}

// touch creates the file at path if it is not there, readable by its owner only.
// One that is there is not opened: see otherName.
func touch(path string) error {
	i, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		var f *os.File
		if f, err = os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600); err == nil {
			err = f.Close()
		}
	case err == nil && !i.Mode().IsRegular():
		err = fmt.Errorf("%s is not a file", path)
	case err == nil && i.Mode().Perm() != 0o600:
		err = os.Chmod(path, 0o600)
	}
	if err != nil {
		return fmt.Errorf("open database: %w", err)
	}
	return nil
}
