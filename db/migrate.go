package db

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// ErrOlder is returned by Open, wrapped, for a file whose schema is older than this
// program's. Only Migrate changes it.
var ErrOlder = errors.New("the database was written by an older version of this program")

// Schema is the number of the schema that this program works with.
func Schema() int {
	files, _ := fs.Glob(schemas, "schema/*.sql") // the pattern is good
	return len(files)
}

func (d *DB) schema(ctx context.Context) (version int, err error) {
	if err := d.writer.QueryRowContext(ctx, "PRAGMA user_version").Scan(&version); err != nil {
		return 0, fmt.Errorf("read schema version: %w", err)
	}
	return version, nil
}

func (d *DB) newer(version, known int) error {
	return fmt.Errorf("%w: it has schema %d, and this program knows %d. Install the newer version again; or put back a copy from before the upgrade (%s.schema...), which loses what was played since",
		ErrNewer, version, known, d.path)
}

// create gives an empty file its schema, and refuses one of another version.
func (d *DB) create(ctx context.Context) error {
	version, err := d.schema(ctx)
	if err == nil && version > 0 && version < Schema() {
		return fmt.Errorf("%w: it has schema %d, and this program needs %d. `angelpost serve` upgrades it, and so does `angelpost migrate`", ErrOlder, version, Schema())
	}
	if err != nil {
		return err
	}
	return d.migrate(ctx, schemas)
}

// OpenAsIs opens the file at path, which must exist, for what reads any schema: ID,
// Check and Backup.
func OpenAsIs(ctx context.Context, path string) (*DB, error) {
	if _, err := os.Stat(path); err != nil {
		return nil, fmt.Errorf("open database: %w", err)
	}
	return open(ctx, path, func(d *DB) error {
		_, err := d.schema(ctx) // the writer connects: on closing, readers alone would leave the -wal file behind
		return err
	})
}

// OpenToRead opens the file at path to be read. One with an older schema stays as it
// is: a temporary copy is upgraded and read, which Close removes.
func OpenToRead(ctx context.Context, path string) (*DB, error) {
	d, err := Open(ctx, path)
	if !errors.Is(err, ErrOlder) {
		return d, err
	}
	old, err := OpenAsIs(ctx, path)
	if err != nil {
		return nil, err
	}
	defer old.Close()
	dir, err := os.MkdirTemp("", "angelpost")
	if err != nil {
		return nil, fmt.Errorf("open database: %w", err)
	}
	copied := filepath.Join(dir, "copy.db")
	if err = old.Backup(ctx, copied, time.Now()); err == nil {
		d, err = open(ctx, copied, func(d *DB) error { return d.migrate(ctx, schemas) })
	}
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	d.temporary = dir
	return d, nil
}

// keptCopies is how many copies from before a migration Migrate keeps.
const keptCopies = 3

// Migrate brings the schema of the file at path up to date; it creates the file if
// there is none. Before it changes an older one it makes a copy beside it, whose name
// it returns ("": there was nothing to change), and removes all but the last three
// such copies. A migration that fails before it changes anything leaves no copy: it is tried
// again and again. The caller holds the Lock.
func Migrate(ctx context.Context, path string, now time.Time) (copied string, err error) {
	return migrateTo(ctx, path, now, schemas)
}

// dropParts removes copies from before a migration that were never finished, with the journals
// of their own.
func dropParts(path string) error {
	entries, err := os.ReadDir(filepath.Dir(path))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, e := range entries {
		if name := e.Name(); strings.HasPrefix(name, filepath.Base(path)+".schema") && strings.Contains(name, ".part") {
			err = errors.Join(err, os.Remove(filepath.Join(filepath.Dir(path), name)))
		}
	}
	return err
}

func migrateTo(ctx context.Context, path string, now time.Time, to fs.FS) (copied string, err error) {
	files, err := fs.Glob(to, "schema/*.sql")
	if err != nil {
		return "", err
	}
	if err := dropParts(path); err != nil {
		return "", err
	}
	unchanged := false // by a migration that failed
	d, err := open(ctx, path, func(d *DB) error {
		version, err := d.schema(ctx)
		if err != nil {
			return err
		}
		if version > 0 && version < len(files) {
			copied = fmt.Sprintf("%s.schema%04d-%s", path, version, now.UTC().Format(copyTime))
			if err := d.Backup(ctx, copied, now); err != nil {
				return fmt.Errorf("the copy from before the upgrade: %w", err)
			}
		}
		err = d.migrate(ctx, to)
		if err == nil && len(files) >= summedSchema {
			err = d.sumLogs(ctx)
		}
		if err == nil && version > 0 && version < wipedSchema && wipedSchema <= len(files) {
			err = d.rewrite(ctx)
		}
		if err != nil {
			now, again := d.schema(ctx)
			unchanged = again == nil && now == version
			return err
		}
		return nil
	})
	if unchanged && copied != "" {
		err = errors.Join(err, os.Remove(copied))
	}
	if err != nil {
		return "", err
	}
	err = d.Close()
	if copied == "" || err != nil {
		return copied, err
	}
	copies, err := copiesOf(path)
	for _, old := range copies[:max(0, len(copies)-keptCopies)] {
		err = errors.Join(err, os.Remove(old))
	}
	return copied, err
}

// copiesOf lists the copies from before migrations, the oldest schema first.
func copiesOf(path string) (copies []string, err error) {
	entries, err := os.ReadDir(filepath.Dir(path))
	for _, e := range entries {
		name, ours := strings.CutPrefix(e.Name(), filepath.Base(path)+".schema")
		if whole, _ := filepath.Match("????-????????T??????.???", name); ours && whole {
			copies = append(copies, filepath.Join(filepath.Dir(path), e.Name()))
		}
	}
	slices.Sort(copies)
	return copies, err
}

// DropCopies removes copies of the database at path that Migrate made before a time: they have
// what was erased since.
func DropCopies(path string, before time.Time) error {
	copies, err := copiesOf(path)
	for _, name := range copies {
		made, bad := time.Parse(copyTime, name[len(name)-len(copyTime):])
		if bad == nil && made.Before(before) {
			err = errors.Join(err, os.Remove(name))
		}
	}
	return err
}

// copyTime is how the names of such copies say when they were made, in UTC.
const copyTime = "20060102T150405.000"
