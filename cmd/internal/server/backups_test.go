package server

import (
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"angelpost/cmd/internal/program"
	"angelpost/db"
)

// TestDailyBackups makes backups for ten weeks, looking every few hours as a server does:
// seven daily and four weekly ones stay, and nothing else in the folder is touched.
func TestDailyBackups(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	c, err := LoadConfig(writeConfig(t, dir))
	if err != nil {
		t.Fatal(err)
	}
	d, err := db.Open(t.Context(), filepath.Join(dir, "angelpost.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	b := c.Backups()
	if err := os.Mkdir(b.Folder, 0o700); err != nil {
		t.Fatal(err)
	}
	foreign := []string{"angelpost-2020-01-01.db.old", "angelpost-2020-1-1.db", "angelpost-before-move.db", "other-2020-01-01.db"}
	for _, name := range append([]string{"angelpost-2026-11-01.db.123.part", "angelpost-2026-11-01.db.123.part-journal"}, foreign...) {
		if err := os.WriteFile(filepath.Join(b.Folder, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	start := time.Date(2026, 11, 4, 3, 0, 0, 0, time.FixedZone("", 3*3600)) // a Wednesday, 00:00 UTC
	const weeks = 10
	end := start.Add(weeks * 7 * 24 * time.Hour)
	count := 0
	for now := start; now.Before(end); now = now.Add(11 * time.Hour) {
		made, err := b.make(t.Context(), d, now)
		if err != nil {
			t.Fatal(err)
		}
		if made != "" {
			count++
		}
		if err := b.Trouble(now); err != nil {
			t.Errorf("%s: %v", now, err)
		}
	}
	if count != weeks*7 {
		t.Errorf("%d backups in %d days", count, weeks*7)
	}
	var names []string
	entries, err := os.ReadDir(b.Folder)
	for _, e := range entries {
		if !slices.Contains(foreign, e.Name()) {
			names = append(names, e.Name())
		} else {
			foreign = slices.DeleteFunc(foreign, func(f string) bool { return f == e.Name() })
		}
	}
	if err != nil || len(foreign) > 0 {
		t.Errorf("files of others are gone: %v, %v", foreign, err)
	}
	var want []string
	for _, day := range []string{
		"2026-12-14", "2026-12-21", "2026-12-28", "2027-01-04", // Mondays
		"2027-01-06", "2027-01-07", "2027-01-08", "2027-01-09", "2027-01-10", "2027-01-11", "2027-01-12",
	} {
		want = append(want, "angelpost-"+day+".db")
	}
	if !slices.Equal(names, want) {
		t.Fatalf("there are %v, want %v", names, want)
	}
	last := filepath.Join(b.Folder, names[len(names)-1])
	if i, err := os.Stat(last); err != nil || i.Mode().Perm() != 0o600 {
		t.Errorf("a backup holds hidden cards: mode %v, %v", i.Mode(), err)
	}
	kept, err := db.OpenAsIs(t.Context(), last)
	if err != nil {
		t.Fatal(err)
	}
	defer kept.Close()
	if err := kept.Check(t.Context()); err != nil {
		t.Error(err)
	}

	// The clock goes back by years: today's backup is the oldest, and stays all the same.
	if made, err := b.make(t.Context(), d, start.AddDate(-3, 0, 0)); err != nil || made == "" {
		t.Fatalf("made %q, %v", made, err)
	} else if _, err := os.Stat(made); err != nil {
		t.Error(err)
	}
	if err := b.Trouble(end.Add(24 * time.Hour)); err == nil || !strings.Contains(err.Error(), "2027-01-12") {
		t.Errorf("an overdue backup: %v", err)
	}
}

// TestBackupFails damages the database: no backup is made or removed, and the host hears of it.
func TestBackupFails(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	config := writeConfig(t, dir)
	path := filepath.Join(dir, "angelpost.db")
	program.Output(t, "new", "-config", config, "-started", "-player", "ann@example.org", "-player", "bob@example.org")
	c, err := LoadConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	var log strings.Builder
	s, err := Open(t.Context(), c, slog.New(slog.NewTextHandler(&log, nil)))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	yesterday := s.time.now().AddDate(0, 0, -1)
	if _, err := s.backups.make(t.Context(), s.DB, yesterday); err != nil {
		t.Fatal(err)
	}
	if s.backUpDue(t.Context()); s.backups.Trouble(s.time.now()) != nil || !strings.Contains(log.String(), "made and checked") {
		t.Fatal(log.String())
	}
	today := s.backups.path(s.time.now().UTC())
	if err := os.Remove(today); err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	i, err := f.Stat()
	if err == nil {
		_, err = f.WriteAt(make([]byte, i.Size()-4096), 4096) // all pages but the first
	}
	if err := errors.Join(err, f.Close()); err != nil {
		t.Fatal(err)
	}
	wait := s.backUpDue(t.Context())
	if err := s.backups.Trouble(s.time.now()); !db.Damaged(err) || wait != backupRetry {
		t.Errorf("trouble %v, again in %v", err, wait)
	}
	if !strings.Contains(log.String(), "level=ERROR") || !strings.Contains(log.String(), "newest backup") {
		t.Errorf("the log says %s", log.String())
	}
	entries, err := os.ReadDir(s.backups.Folder)
	if err != nil || len(entries) != 1 || entries[0].Name() != filepath.Base(s.backups.path(yesterday.UTC())) {
		t.Errorf("the folder has %v, %v", entries, err)
	}
}

// TestServeBacksUp finds the day's backup in the folder of a server that has just started.
func TestServeBacksUp(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "copies")
	p := program.ServeOn(t, "backup.folder = "+strconv.Quote(folder), func(string) {})
	_, file, _ := strings.Cut(p.Says(regexp.MustCompile(`backup is made and checked" file=\S+`)), "file=")
	kept, err := db.OpenAsIs(t.Context(), file)
	if err != nil || filepath.Dir(file) != folder {
		t.Fatal(file, err)
	}
	defer kept.Close()
	if err := kept.Check(t.Context()); err != nil {
		t.Error(err)
	}
}
