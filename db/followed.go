package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
)

// errReadOnly is the error of whatever would write to a followed database.
var errReadOnly = errors.New("this database is a copy that another program keeps up to date; no one else may write to it")

// withoutWAL says in the file's header that it has no WAL, as Litestream does with the first
// change that it applies: a connection that may not write could not open one that has
// (sqlite.org/fileformat.html, section 1.3). No connection of this process may be open: its
// locks would go.
func withoutWAL(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	var versions [2]byte // for writing and for reading
	if _, err := f.ReadAt(versions[:], 18); err != nil {
		return err
	}
	if versions != [2]byte{2, 2} {
		return nil
	}
	_, err = f.WriteAt([]byte{1, 1}, 18)
	return err
}

// OpenFollowed opens a copy that `litestream restore -f` keeps up to date, to be read only:
// no connection of it writes. The copy has no WAL; Litestream locks it while it writes.
func OpenFollowed(ctx context.Context, path string) (*DB, error) {
	if _, err := os.Stat(path); err != nil {
		return nil, fmt.Errorf("open database: %w", err)
	}
	if err := withoutWAL(path); err != nil {
		return nil, fmt.Errorf("open database %s: %w", path, err)
	}
	d := &DB{path: path, wal: path + "-wal"}
	fail := func(err error) (*DB, error) {
		d.Close()
		return nil, fmt.Errorf("open database %s: %w", path, err)
	}
	var err error
	if d.readers, err = sql.Open("sqlite3", d.name()+"?mode=ro&_query_only=1&_busy_timeout=5000&_stmt_cache_size=50"); err != nil {
		return fail(err)
	}
	d.readers.SetMaxOpenConns(8)
	d.readers.SetMaxIdleConns(8)
	var version int
	if err := d.readers.QueryRowContext(ctx, "PRAGMA user_version").Scan(&version); err != nil {
		return fail(err)
	}
	switch {
	case version > Schema():
		return fail(d.newer(version, Schema()))
	case version < Schema():
		return fail(fmt.Errorf("%w: it has schema %d, and this program needs %d. Upgrade the server that it is a copy of", ErrOlder, version, Schema()))
	}
	if d.watch, err = d.readers.Conn(ctx); err != nil {
		return fail(err)
	}
	return d, nil
}
