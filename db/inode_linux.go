package db

import (
	"errors"
	"io"
	"os"
	"syscall"
)

// Locks of an open file description (fcntl(2)): unlike the locks of a process,
// which SQLite takes, they last as long as their own descriptor.
const (
	getOFDLock = 36
	setOFDLock = 37
)

// inodeByte is the byte of a database file that its daemon locks: far behind its
// end, and not one of those that SQLite locks.
const inodeByte = 1 << 62

// lockInode locks a database file whatever it is called: false, someone else
// has locked it. Where there are no such locks there is nothing to hold it by.
func lockInode(f *os.File) (bool, error) {
	l := syscall.Flock_t{Type: syscall.F_WRLCK, Whence: io.SeekStart, Start: inodeByte, Len: 1}
	err := syscall.FcntlFlock(f.Fd(), setOFDLock, &l)
	switch {
	case errors.Is(err, syscall.EAGAIN), errors.Is(err, syscall.EACCES):
		return false, nil
	case errors.Is(err, syscall.EINVAL):
		return true, nil
	}
	return err == nil, err
}

// inodeLocked reports whether a daemon has locked a database file.
func inodeLocked(f *os.File) bool {
	l := syscall.Flock_t{Type: syscall.F_WRLCK, Whence: io.SeekStart, Start: inodeByte, Len: 1}
	err := syscall.FcntlFlock(f.Fd(), getOFDLock, &l)
	return err == nil && l.Type != syscall.F_UNLCK
}
