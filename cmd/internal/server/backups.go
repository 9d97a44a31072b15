package server

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"angelpost/db"
)

// backups are the copies of its database that the server makes on its own, one a day
// (UTC). What has been made is read from the folder, so nothing else needs to be kept.
type backups struct {
	Folder        string // "": none are made
	name          string // of each copy, before its day
	daily, weekly int    // how many stay

	mu     sync.Mutex
	failed error // why the last one was not made
}

const (
	backupDay   = "2006-01-02"
	backupLook  = time.Minute    // how often the server looks whether a copy is due
	backupRetry = time.Hour      // until one that failed is tried again
	backupLate  = 36 * time.Hour // from the beginning of the last copy's day
	maxBackups  = 1000           // days or weeks
)

func (c *Config) Backups() *backups {
	base := filepath.Base(c.Database)
	return &backups{
		Folder: c.Path(c.Backup.Folder), name: strings.TrimSuffix(base, filepath.Ext(base)) + "-",
		daily: c.Backup.Daily, weekly: c.Backup.Weekly,
	}
}

func (b *backups) path(day time.Time) string {
	return filepath.Join(b.Folder, b.name+day.Format(backupDay)+".db")
}

// days returns the days that have copies, the newest first, and the files that a server
// left which was killed while it made one.
func (b *backups) days() (days []time.Time, left []string, err error) {
	entries, err := os.ReadDir(b.Folder)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, nil, err
	}
	for _, e := range entries {
		name, _ := strings.CutPrefix(e.Name(), b.name)
		name, rest, _ := strings.Cut(name, ".db")
		day, err := time.Parse(backupDay, name)
		file := filepath.Join(b.Folder, e.Name())
		switch {
		case err != nil: // not ours
		case file == b.path(day):
			days = append(days, day)
		case strings.HasPrefix(file, b.path(day)) && strings.Contains(rest, ".part"):
			left = append(left, file)
		}
	}
	slices.SortFunc(days, func(a, b time.Time) int { return b.Compare(a) })
	return days, left, nil
}

// make makes the copy of today unless it is there, and removes those whose time is
// over. It returns the path of a copy that it has made.
func (b *backups) make(ctx context.Context, d *db.DB, now time.Time) (made string, err error) {
	path := b.path(now.UTC())
	if _, err := os.Lstat(path); err == nil {
		return "", nil
	}
	if err := os.MkdirAll(b.Folder, 0o700); err != nil {
		return "", err
	}
	_, left, err := b.days()
	for _, file := range left {
		err = errors.Join(err, os.Remove(file))
	}
	if err != nil {
		return "", err
	}
	if err := d.Backup(ctx, path, now); err != nil { // it checks the copy
		return "", err
	}
	days, _, err := b.days()
	if err != nil {
		return path, err
	}
	for _, day := range b.over(days) {
		if old := b.path(day); old != path {
			err = errors.Join(err, os.Remove(old))
		}
	}
	return path, err
}

// over returns those of days, the newest first, whose copies are no longer needed: all
// but the last few days and, of the weeks before, the first copy of each.
func (b *backups) over(days []time.Time) (over []time.Time) {
	type week struct{ year, week int }
	first := map[week]time.Time{}
	older := days[min(b.daily, len(days)):]
	for _, day := range older {
		y, w := day.ISOWeek()
		first[week{y, w}] = day
	}
	weeks := 0
	for _, day := range older {
		y, w := day.ISOWeek()
		if first[week{y, w}] == day && weeks < b.weekly {
			weeks++
		} else {
			over = append(over, day)
		}
	}
	return over
}

// Trouble says why the host has no recent copy: the last one failed, or is overdue. It
// returns nil if all is well, or none are to be made.
func (b *backups) Trouble(now time.Time) error {
	if b.Folder == "" {
		return nil
	}
	b.mu.Lock()
	failed := b.failed
	b.mu.Unlock()
	if failed != nil {
		return failed
	}
	days, _, err := b.days()
	if err == nil && len(days) > 0 && now.Sub(days[0]) > backupLate {
		err = fmt.Errorf("the last backup in %s is from %s", b.Folder, days[0].Format(backupDay))
	}
	return err
}

// backUp makes the day's copy once a day until ctx ends.
func (s *Server) backUp(ctx context.Context) error {
	for {
		wait := s.backUpDue(ctx)
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(wait):
		}
	}
}

// backUpDue makes the day's copy if it is due, and says how long to wait until the next look.
func (s *Server) backUpDue(ctx context.Context) time.Duration {
	b := s.backups
	if b.Folder == "" {
		return backupRetry
	}
	made, err := b.make(ctx, s.DB, s.time.now())
	if ctx.Err() != nil {
		return 0
	}
	b.mu.Lock()
	b.failed = err
	b.mu.Unlock()
	if made != "" {
		s.log.Info("the day's backup is made and checked", "file", made)
	}
	if err := b.Trouble(s.time.now()); err != nil {
		s.log.Error("the day's backup failed", "again_in", backupRetry, "err", err, "do", s.Conf.MendBackup(err))
		return backupRetry
	}
	return backupLook
}

// MendBackup says what to do about a backup that failed.
func (c *Config) MendBackup(err error) string {
	if db.Damaged(err) {
		return c.MendDatabase()
	}
	return "backup.folder must be writable by this user, and its disk needs room for a copy of the database."
}

// MendDatabase says what to do about a damaged database.
func (c *Config) MendDatabase() string {
	return fmt.Sprintf("Stop the server. Move %s and the files %[1]s-wal and %[1]s-shm to another folder and keep them. Copy your newest backup to %[1]s and start the server.", c.Path(c.Database))
}
