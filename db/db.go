// Package db keeps games, leagues, players, letters, ratings and statistics in one
// SQLite file and implements store.DB and the outbox's queue.
//
// There is one writer: Update runs one transaction at a time, begun as a
// writing one, and a commit is on disk when it returns (WAL, synchronous FULL).
// What need not be on disk at once is committed with synchronous NORMAL: in WAL
// mode that commit survives the end of the process, whatever ends it, and a power
// loss may take it back, but never without all that was committed after it, and
// never in part (sqlite.org/pragma.html#pragma_synchronous, sqlite.org/wal.html).
// The next FULL commit, or Sync, puts it on disk, for both sync the whole WAL.
// Readers see unchanging snapshots beside it. A second process may write to the
// same file; Version tells when it has. The file holds seeds, hidden cards and
// tokens as they are, so it is readable by its owner only.
package db

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/mattn/go-sqlite3"

	"angelpost/engine/store"
)

//go:embed schema/*.sql
var schemas embed.FS

// ErrNewer is returned by Open for a file written by a later program.
var ErrNewer = errors.New("the database was written by a newer version of this program")

// DB is an open database. It is safe for concurrent use.
type DB struct {
	path    string
	wal     string // the file in which SQLite keeps what was committed lately
	writer  *sql.DB
	readers *sql.DB
	watch   *sql.Conn // Version's own: data_version is counted per connection

	followed *followed // instead of these; nil: no one else writes to it

	wipedFrom []byte // the salts of the WAL when Wipe began to wait for another; nil: it does not wait

	temporary string // directory of a copy, which Close removes; "" none

	mu      sync.Mutex // guards watch and version
	version int64      // as Version last told
	moved   atomic.Uint64
}

var _ store.DB = (*DB)(nil)

// writing is the driver of writers. They overwrite what they delete. SQLite begins the WAL again
// from its start once no reader needs what it has, and cuts the file to walKept then: one that
// grew while someone read for long does not stay so large.
const writing = "angelpost-writer"

// walKept is how many bytes of the WAL's file stay, twice what it has before SQLite moves
// its content to the database file.
const walKept = 8 << 20

func init() {
	sql.Register(writing, &sqlite3.SQLiteDriver{ConnectHook: func(c *sqlite3.SQLiteConn) error {
		_, err := c.Exec("PRAGMA secure_delete = ON; PRAGMA journal_size_limit = "+strconv.Itoa(walKept), nil)
		return err
	}})
}

// Open opens the file at path and creates it if need be (mode 0600). A newer schema
// gives ErrNewer, wrapped, an older one ErrOlder (see Migrate and OpenToRead), and a
// database that is served by another name of its file ErrOtherName.
func Open(ctx context.Context, path string) (*DB, error) {
	return open(ctx, path, func(d *DB) error { return d.create(ctx) })
}

// open opens the file at path; fit brings its schema up to date, or accepts it.
func open(ctx context.Context, path string, fit func(*DB) error) (*DB, error) {
	if err := touch(path); err != nil {
		return nil, err
	}
	real, err := filepath.EvalSymlinks(path) // as SQLite does
	if err == nil {
		err = otherName(real)
	}
	if err != nil {
		return nil, fmt.Errorf("open database: %w", err)
	}
	if err := temporaryNextTo(real); err != nil {
		return nil, fmt.Errorf("open database: %w", err)
	}
	d := &DB{path: path, wal: real + "-wal"}
	if err := d.open(ctx, fit); err != nil {
		d.Close()
		return nil, fmt.Errorf("open database %s: %w", path, err)
	}
	return d, nil
}

// temporaryNextTo has SQLite put temporary files next to the database, unless the host says where:
// a container may have no other folder, and a /tmp in memory no room for a large index. SQLite
// reads the variable when the first database is opened.
func temporaryNextTo(database string) error {
	const name = "SQLITE_TMPDIR"
	if os.Getenv(name) != "" || os.Getenv("TMPDIR") != "" {
		return nil
	}
	dir, err := filepath.Abs(filepath.Dir(database))
	if err != nil {
		return err
	}
	return os.Setenv(name, dir)
}

func (d *DB) open(ctx context.Context, fit func(*DB) error) (err error) {
	name := d.name()
	d.writer, err = sql.Open(writing, name+"?_journal_mode=WAL&_foreign_keys=1&_busy_timeout=5000&_stmt_cache_size=100")
	if err != nil {
		return err
	}
	d.writer.SetMaxOpenConns(1)
	if err := fit(d); err != nil {
		return err
	}
	d.readers, err = sql.Open("sqlite3", name+"?mode=ro&_query_only=1&_busy_timeout=5000&_stmt_cache_size=50")
	if err != nil {
		return err
	}
	d.readers.SetMaxOpenConns(8)
	d.readers.SetMaxIdleConns(8)
	d.watch, err = d.readers.Conn(ctx)
	return err
}

func (d *DB) name() string { return dsn(d.path) }

func dsn(path string) string { return "file:" + (&url.URL{Path: path}).EscapedPath() }

// Close closes all connections. Statements under way finish first.
func (d *DB) Close() error {
	var errs []error
	if d.watch != nil {
		errs = append(errs, d.watch.Close())
	}
	pools := []*sql.DB{d.readers, d.writer}
	if d.followed != nil {
		pools = append(pools, d.followed.pool)
	}
	for _, p := range pools {
		if p != nil {
			errs = append(errs, p.Close())
		}
	}
	if d.temporary != "" {
		errs = append(errs, os.RemoveAll(d.temporary))
	}
	return errors.Join(errs...)
}

// migrate brings the database's user_version to the number of files in
// schema/*.sql, 0001.sql being the first, each file in a transaction of its own. A
// file that fails leaves the version before it.
func (d *DB) migrate(ctx context.Context, from fs.FS) error {
	files, err := fs.Glob(from, "schema/*.sql")
	if err != nil {
		return err
	}
	version, err := d.schema(ctx)
	if err != nil {
		return err
	}
	if version > len(files) {
		return d.newer(version, len(files))
	}
	for i := version; i < len(files); i++ {
		text, err := fs.ReadFile(from, files[i])
		if err != nil {
			return err
		}
		err = d.write(ctx, synced, func(t *tx) error {
			if err := t.forMigrations(); err != nil {
				return err
			}
			if _, err := t.c.ExecContext(ctx, string(text)); err != nil {
				return err
			}
			_, err := t.c.ExecContext(ctx, "PRAGMA user_version = "+strconv.Itoa(i+1))
			return err
		})
		if err != nil {
			return fmt.Errorf("migrate to schema %d: %w", i+1, err)
		}
	}
	return nil
}

// Update implements store.DB.
func (d *DB) Update(ctx context.Context, f func(store.Tx) error) error {
	err := d.write(ctx, synced, func(t *tx) error { return f(t) })
	d.moved.Add(1) // even if it failed: no one knows how far it came
	return err
}

// UpdateUnsynced implements store.DB.
func (d *DB) UpdateUnsynced(ctx context.Context, f func(store.Tx) error) error {
	err := d.write(ctx, unsynced, func(t *tx) error { return f(t) })
	d.moved.Add(1)
	return err
}

// Sync implements store.DB. SQLite holds no lock by the file it opens here
// (its locks are on the database and its -shm), so closing it frees none.
func (d *DB) Sync() error {
	wal, err := os.Open(d.wal)
	if errors.Is(err, fs.ErrNotExist) {
		return nil // no WAL is to be had on this disk, and without one NORMAL syncs each commit
	}
	if err != nil {
		return fmt.Errorf("sync: %w", err)
	}
	if err := errors.Join(wal.Sync(), wal.Close()); err != nil {
		return fmt.Errorf("sync: %w", err)
	}
	return nil
}

// Moved is a number that grows with every Update, and when Version finds that
// anyone else has committed.
func (d *DB) Moved() uint64 { return d.moved.Load() }

// View implements store.DB.
func (d *DB) View(ctx context.Context, f func(store.Tx) error) error {
	return d.read(ctx, func(t *tx) error { return f(t) })
}

// How transactions begin. The level is a connection's own and is set each time;
// within a transaction it cannot be.
const (
	reading  = "BEGIN"
	synced   = "PRAGMA synchronous = FULL; BEGIN IMMEDIATE"
	unsynced = "PRAGMA synchronous = NORMAL; BEGIN IMMEDIATE"
)

// read runs f in a transaction of a reader.
func (d *DB) read(ctx context.Context, f func(*tx) error) error {
	if d.followed != nil {
		return d.followed.read(ctx, f)
	}
	return inTx(ctx, d.readers, reading, f)
}

// row reads the only value of a query's only row.
func (d *DB) row(ctx context.Context, value any, query string, args ...any) error {
	return d.read(ctx, func(t *tx) error { return t.c.QueryRowContext(t.ctx, query, args...).Scan(value) })
}

// write runs f in a transaction of the writer, synced or unsynced.
func (d *DB) write(ctx context.Context, begin string, f func(*tx) error) error {
	if d.writer == nil {
		return errReadOnly
	}
	return inTx(ctx, d.writer, begin, f)
}

// inTx runs f in a transaction, which ctx keeps from beginning but does not
// break off: they are short, and to be ready for it database/sql and its driver
// run goroutines for each statement, which takes longer than most of these.
// That is also why no sql.Tx is used.
func inTx(ctx context.Context, pool *sql.DB, begin string, f func(*tx) error) error {
	c, err := pool.Conn(ctx)
	if err != nil {
		return fmt.Errorf("begin: %w", err)
	}
	defer c.Close()
	t := &tx{context.WithoutCancel(ctx), c}
	if _, err := c.ExecContext(t.ctx, begin); err != nil {
		return fmt.Errorf("begin: %w", err)
	}
	done := false
	defer func() { // f failed or panicked
		if !done {
			t.rollback()
		}
	}()
	if err := f(t); err != nil {
		return err
	}
	if _, err := c.ExecContext(t.ctx, "COMMIT"); err != nil {
		return fmt.Errorf("commit: %w", err)
	}
	done = true
	return nil
}

// Version is a number that changes when anyone, another process included, has
// committed since the last call.
func (d *DB) Version(ctx context.Context) (v int64, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.followed != nil {
		_, _, v, err = d.followed.current()
	} else {
		err = d.watch.QueryRowContext(ctx, "PRAGMA data_version").Scan(&v)
	}
	if err != nil {
		return 0, fmt.Errorf("data version: %w", err)
	}
	if v != d.version {
		d.version = v
		d.moved.Add(1)
	}
	return v, nil
}

// Backup copies the database as it is now to a new file, while it is in use.
// The copy bears the time, so that a daemon that opens it knows (Tx.Copied). It
// gets its name only once both it and the database have passed Check: SQLite copies
// what it can read of a damaged file without a word.
func (d *DB) Backup(ctx context.Context, file string, now time.Time) (err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("backup: %w", err)
		}
	}()
	if _, err := os.Lstat(file); err == nil {
		return &fs.PathError{Op: "create", Path: file, Err: fs.ErrExist}
	}
	f, err := os.CreateTemp(filepath.Dir(file), filepath.Base(file)+".*.part") // its mode is 0600
	if err != nil {
		return err
	}
	part := f.Name()
	defer os.Remove(part)
	if err := f.Close(); err != nil {
		return err
	}
	if err := d.Check(ctx); err != nil {
		return err
	}
	// The readers' connections may not write even another file. VACUUM INTO
	// fills an empty file that exists, which keeps its mode.
	c, err := sql.Open("sqlite3", d.name()+"?mode=ro&_busy_timeout=5000")
	if err != nil {
		return err
	}
	defer c.Close()
	if _, err = c.ExecContext(ctx, "VACUUM INTO ?", part); err != nil {
		return err
	}
	if err := markCopy(ctx, part, now); err != nil {
		return err
	}
	if err := check(ctx, part); err != nil {
		return fmt.Errorf("the copy: %w", err)
	}
	if err := os.Link(part, file); err != nil { // unlike Rename it replaces nothing
		if errors.Is(err, fs.ErrExist) {
			return err
		}
		return os.Rename(part, file) // this file system knows no links
	}
	return nil
}

// tx is one transaction; it implements store.Tx.
type tx struct {
	ctx context.Context // which never ends
	c   *sql.Conn
}

// rollback takes back what was done. A connection that cannot do that, or has
// done it by itself for want of room, is not used again.
func (t *tx) rollback() {
	if _, err := t.c.ExecContext(t.ctx, "ROLLBACK"); err != nil {
		t.c.Raw(func(any) error { return driver.ErrBadConn })
	}
}

func (t *tx) Part(f func() error) (err error) {
	if _, err := t.exec("SAVEPOINT part"); err != nil {
		return err
	}
	done := false
	defer func() { // f failed or panicked
		if !done {
			_, undone := t.exec("ROLLBACK TO part")
			_, left := t.exec("RELEASE part")
			err = errors.Join(err, undone, left)
		}
	}()
	if err := f(); err != nil {
		return err
	}
	_, err = t.exec("RELEASE part")
	done = err == nil
	return err
}

func (t *tx) exec(query string, args ...any) (sql.Result, error) {
	if Watch != nil {
		defer watched(query, time.Now())
	}
	res, err := t.c.ExecContext(t.ctx, query, args...)
	if err != nil {
		return nil, wrap(query, err)
	}
	return res, nil
}

// one scans a single row; none gives store.ErrNotFound, wrapped.
func (t *tx) one(query string, args []any, into ...any) error {
	if Watch != nil {
		defer watched(query, time.Now())
	}
	err := t.c.QueryRowContext(t.ctx, query, args...).Scan(into...)
	if errors.Is(err, sql.ErrNoRows) {
		return fmt.Errorf("%s: %w", about(query), store.ErrNotFound)
	}
	if err != nil {
		return wrap(query, err)
	}
	return nil
}

// each calls scan for every row.
func (t *tx) each(query string, args []any, scan func(*sql.Rows) error) error {
	if Watch != nil {
		defer watched(query, time.Now())
	}
	rows, err := t.c.QueryContext(t.ctx, query, args...)
	if err != nil {
		return wrap(query, err)
	}
	defer rows.Close()
	for rows.Next() {
		if err := scan(rows); err != nil {
			return wrap(query, err)
		}
	}
	if err := rows.Err(); err != nil {
		return wrap(query, err)
	}
	return nil
}

// Watch, where it is set before a database is opened, is told of every statement
// how long it took, with what was done with its rows: for measurements.
var Watch func(query string, took time.Duration)

func watched(query string, began time.Time) { Watch(query, time.Since(began)) }

func wrap(query string, err error) error { return fmt.Errorf("%s: %w", about(query), err) }

// about is the head of a query, enough to find it; arguments never enter errors.
func about(query string) string {
	query = strings.Join(strings.Fields(query), " ")
	if len(query) > 60 {
		query = query[:60] + "…"
	}
	return query
}

// StorageDown reports whether an error is the machine's: the disk is full or cannot
// be written, memory is short, someone else holds the file. It may pass, and
// says nothing about what was to be stored.
func StorageDown(err error) bool {
	if errors.As(err, new(*fs.PathError)) { // Sync's
		return true
	}
	var e sqlite3.Error
	if !errors.As(err, &e) {
		return false
	}
	switch e.Code {
	case sqlite3.ErrFull, sqlite3.ErrIoErr, sqlite3.ErrCantOpen, sqlite3.ErrReadonly, sqlite3.ErrPerm, sqlite3.ErrNomem,
		sqlite3.ErrBusy, sqlite3.ErrLocked, sqlite3.ErrProtocol:
		return true
	}
	return false
}

// Full reports whether an error is one of those StorageDown knows that a server that
// starts can wait for: there is no room on the disk, or someone else writes for
// long. Others, as when the file cannot be opened, are for its host to mend.
func Full(err error) bool {
	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) {
		return true
	}
	var e sqlite3.Error
	if !errors.As(err, &e) {
		return false
	}
	return e.Code == sqlite3.ErrFull || e.Code == sqlite3.ErrBusy || e.SystemErrno == syscall.ENOSPC || e.SystemErrno == syscall.EDQUOT
}

// ms is a time as stored; at its reverse. The zero time is 0.
func ms(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMilli()
}

func at(ms int64) time.Time {
	if ms == 0 {
		return time.Time{}
	}
	return time.UnixMilli(ms).UTC()
}
