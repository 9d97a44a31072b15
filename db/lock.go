package db

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// ErrLocked is returned by Take, wrapped, while another daemon has the database.
var ErrLocked = errors.New("another server works on this database")

// A Lock says that this process is the daemon of a database. It is a file
// beside the database, locked by flock: the kernel frees it when the process
// ends, however it ends.
//
// It also remembers how often the daemon's heart had beaten: a database that
// knows of fewer beats is an older one, put back in its place.
type Lock struct {
	file *os.File
	note string // the second line: whose beats, and how many
}

// Take locks the database at path for this process: path may lead to it over
// symbolic links, and it need not exist yet. It waits as long as ctx lets it
// for another process to end, then gives ErrLocked, wrapped, with its process
// id. Commands that work beside the daemon take no lock.
func Take(ctx context.Context, path string) (*Lock, error) {
	if err := touch(path); err != nil {
		return nil, err
	}
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return nil, fmt.Errorf("open database: %w", err)
	}
	f, err := os.OpenFile(real+".lock", os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("lock database: %w", err)
	}
	for {
		err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if err == nil {
			break
		}
		if !errors.Is(err, syscall.EWOULDBLOCK) && !errors.Is(err, syscall.EINTR) {
			f.Close()
			return nil, fmt.Errorf("lock database: %s: %w", f.Name(), err)
		}
		select {
		case <-ctx.Done():
			pid, _ := (&Lock{file: f}).read()
			f.Close()
			return nil, fmt.Errorf("%w: %s, process %.10q", ErrLocked, path, pid)
		case <-time.After(50 * time.Millisecond):
		}
	}
	l := &Lock{file: f}
	_, l.note = l.read()
	if err := l.write(); err != nil {
		l.Free()
		return nil, err
	}
	return l, nil
}

// Free lets the next daemon in.
func (l *Lock) Free() error { return l.file.Close() }

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

// Keep remembers the beats of d.
func (l *Lock) Keep(ctx context.Context, d *DB) error {
	id, beats, err := d.beats(ctx)
	if err != nil {
		return err
	}
	l.note = id + " " + strconv.FormatInt(beats, 10)
	return l.write()
}

func (d *DB) beats(ctx context.Context) (id string, n int64, err error) {
	if id, err = d.ID(ctx); err != nil {
		return "", 0, err
	}
	err = d.readers.QueryRowContext(ctx, "SELECT value FROM meta WHERE key = 'beats'").Scan(&n)
	return id, n, err
}

func (l *Lock) write() error {
	s := strconv.Itoa(os.Getpid()) + "\n" + l.note + "\n"
	_, err := l.file.WriteAt([]byte(s), 0)
	if err == nil {
		err = l.file.Truncate(int64(len(s)))
	}
	if err != nil {
		return fmt.Errorf("lock database: %w", err)
	}
	return nil
}

// read is what the file says: whose it is, and the note. What it does not say
// is empty: it may have been torn.
func (l *Lock) read() (pid, note string) {
	b := make([]byte, 128)
	n, _ := l.file.ReadAt(b, 0)
	lines := append(strings.Split(string(b[:n]), "\n"), "", "")
	return lines[0], lines[1]
}

// touch creates the file at path if it is not there, readable by its owner only.
func touch(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return fmt.Errorf("open database: %w", err)
	}
	err = f.Chmod(0o600)
	if err = errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("open database: %w", err)
	}
	return nil
}
