package db

import (
	"context"
	"errors"
	"fmt"
	"io"
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
type Lock struct{ file *os.File }

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
			err := fmt.Errorf("%w: %s, process %s", ErrLocked, path, holder(f))
			f.Close()
			return nil, err
		case <-time.After(50 * time.Millisecond):
		}
	}
	l := &Lock{f}
	if err := l.write(strconv.Itoa(os.Getpid()) + "\n"); err != nil {
		l.Free()
		return nil, err
	}
	return l, nil
}

// Free lets the next daemon in.
func (l *Lock) Free() error { return l.file.Close() }

func (l *Lock) write(s string) error {
	_, err := l.file.WriteAt([]byte(s), 0)
	if err == nil {
		err = l.file.Truncate(int64(len(s)))
	}
	if err != nil {
		return fmt.Errorf("lock database: %w", err)
	}
	return nil
}

// holder is the process id in a lock file.
func holder(f *os.File) string {
	b, _ := io.ReadAll(io.NewSectionReader(f, 0, 64))
	pid, _, _ := strings.Cut(string(b), "\n")
	if _, err := strconv.Atoi(pid); err != nil {
		return "unknown"
	}
	return pid
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
