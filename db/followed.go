package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"sync"
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

// A position is how far a copy has come. SQLite knows of no change that Litestream makes: the counter
// by which it tells whether what it keeps of the file is still true stays as it was with a WAL.
type position struct {
	changed int64 // when the file was last written to, in nanoseconds
	size    int64
	txid    string // Litestream's count
}

// followed is a copy that another program writes to. Its connections are opened anew whenever its
// position has moved.
type followed struct {
	path string

	mu   sync.Mutex
	pool *sql.DB
	file os.FileInfo // that pool has open
	at   position    // from before pool had a connection
	gen  int64       // counts pools
}

// position returns where the copy is. In a transaction it stays: Litestream waits until no one
// reads.
func (c *followed) position() (position, os.FileInfo, error) {
	info, err := os.Stat(c.path)
	if err != nil {
		return position{}, nil, err
	}
	txid, err := os.ReadFile(c.path + "-txid")
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return position{}, nil, err
	}
	return position{info.ModTime().UnixNano(), info.Size(), string(txid)}, info, nil
}

// current returns connections none of which has read anything older than a position, that position,
// and a number that changes with them.
func (c *followed) current() (*sql.DB, position, int64, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	now, info, err := c.position()
	if err != nil || c.pool != nil && now == c.at {
		return c.pool, c.at, c.gen, err
	}
	if c.file == nil || !os.SameFile(c.file, info) {
		if err := withoutWAL(c.path); err != nil {
			return nil, position{}, 0, err
		}
		if now, info, err = c.position(); err != nil {
			return nil, position{}, 0, err
		}
	}
	pool, err := sql.Open("sqlite3", dsn(c.path)+"?mode=ro&_query_only=1&_busy_timeout=5000&_stmt_cache_size=50")
	if err != nil {
		return nil, position{}, 0, err
	}
	pool.SetMaxOpenConns(8)
	pool.SetMaxIdleConns(8)
	if c.pool != nil {
		c.pool.Close() // what still reads goes on to its end
	}
	c.pool, c.at, c.file = pool, now, info
	c.gen++
	return pool, now, c.gen, nil
}

// maxMoves is how often in a row the copy may move before a transaction begins.
const maxMoves = 100

// read runs f in a transaction whose connection has read nothing older than the copy is now.
func (c *followed) read(ctx context.Context, f func(*tx) error) error {
	for range maxMoves {
		pool, at, _, err := c.current()
		if err != nil {
			return fmt.Errorf("begin: %w", err)
		}
		moved := false
		err = inTx(ctx, pool, reading+"; SELECT 1 FROM sqlite_schema LIMIT 1", func(t *tx) error { // which locks it
			now, _, err := c.position()
			if moved = now != at; moved || err != nil {
				return err
			}
			return f(t)
		})
		if !moved && !isClosed(err) {
			return err
		}
	}
	return errors.New("begin: the copy moves all the time")
}

// isClosed reports whether a pool was closed before a transaction began.
func isClosed(err error) bool {
	return err != nil && strings.HasSuffix(err.Error(), "sql: database is closed")
}

// FollowedIdentity returns the ID and the ClaimKey of such a copy, whatever its schema; key is nil
// if it has none yet.
func FollowedIdentity(ctx context.Context, path string) (id string, key []byte, err error) {
	d := &DB{path: path, wal: path + "-wal", followed: &followed{path: path}}
	defer func() { err = errors.Join(err, d.Close()) }()
	if id, err = d.ID(ctx); err != nil {
		return "", nil, err
	}
	key, err = d.ClaimKey(ctx)
	if errors.Is(err, sql.ErrNoRows) {
		err = nil
	}
	return id, key, err
}

// OpenFollowed opens a copy that `litestream restore -f` keeps up to date, to be read only:
// no connection of it writes. The copy has no WAL; Litestream locks it while it writes.
func OpenFollowed(ctx context.Context, path string) (*DB, error) {
	d := &DB{path: path, wal: path + "-wal", followed: &followed{path: path}}
	fail := func(err error) (*DB, error) {
		d.Close()
		return nil, fmt.Errorf("open database %s: %w", path, err)
	}
	var version int
	if err := d.row(ctx, &version, "PRAGMA user_version"); err != nil {
		return fail(err)
	}
	switch {
	case version > Schema():
		return fail(d.newer(version, Schema()))
	case version < Schema():
		return fail(fmt.Errorf("%w: it has schema %d, and this program needs %d. Upgrade the server that it is a copy of", ErrOlder, version, Schema()))
	}
	return d, nil
}
