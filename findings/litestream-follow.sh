#!/bin/sh
# A connection that SQLite keeps open on a copy that `litestream restore -f` keeps up to date goes
# on reading old rows, though Litestream's own help says to open the copy for reading meanwhile.
#
# Seen on 27 November 2026 with Litestream 0.5.18 and SQLite 3.40.1 (the module of Python 3.11 in
# Debian 12). Where the database has a WAL, a transaction that only changes rows does not write the
# first page, so neither does Litestream when it applies the transaction to the copy. SQLite compares
# the counter in the first page, bytes 24 to 27, to learn whether the pages that it keeps are still
# true; it finds the old number, and reads them. A connection opened after the change reads the
# new row. When the first page is part of a change, Litestream gives the counter a new value and the
# old connection reads anew: so the fault shows now and then, and longest for small changes.
#
# Prints what an old and a new connection read after one change; ends with 1 if the old one reads
# the new row, or the new one does not.
set -eu
dir=$(mktemp -d)
trap 'kill $(cat "$dir"/*.pid) 2>/dev/null || :; wait 2>/dev/null || :; chmod -R u+w "$dir"; rm -rf "$dir"' EXIT
cd "$dir"
GOBIN=$dir GOFLAGS=-mod=mod go install github.com/benbjohnson/litestream/cmd/litestream@v0.5.18
"$dir/litestream" version
python3 - <<'END'
import sqlite3
db = sqlite3.connect("server.db", isolation_level=None)
db.execute("PRAGMA journal_mode = WAL")
db.execute("CREATE TABLE move (id INTEGER PRIMARY KEY, text TEXT)")
db.executemany("INSERT INTO move VALUES (?, ?)", [(n, "first" + "." * 500) for n in range(200)])
END
./litestream replicate server.db "file://$dir/replica" >replicate.log 2>&1 &
echo $! >replicate.pid
for _ in $(seq 100); do [ -d replica/ltx ] || [ -d replica/0 ] && break; sleep 0.1; done
sleep 3
./litestream restore -f -follow-interval 200ms -o copy.db "file://$dir/replica" >follow.log 2>&1 &
echo $! >follow.pid
for _ in $(seq 300); do [ -f copy.db-txid ] && break; sleep 0.1; done
python3 - <<'END'
import sqlite3, sys, time
def write(text):
    db = sqlite3.connect("server.db", isolation_level=None)
    db.execute("UPDATE move SET text = ? WHERE id = 100", (text,))
    db.close()
def read(db):
    return db.execute("SELECT text FROM move WHERE id = 100").fetchall()[0][0].rstrip(".")
def new():
    db = sqlite3.connect("file:copy.db?mode=ro", uri=True, isolation_level=None)
    try:
        return read(db)
    finally:
        db.close()
def wait(text):
    for _ in range(300):
        try:
            if new() == text:
                return
        except sqlite3.Error:
            pass
        time.sleep(0.1)
# With the first change that holds the first page Litestream writes that the copy has no WAL. Until
# then a connection to it, idle or not, keeps Litestream from applying anything.
db = sqlite3.connect("server.db", isolation_level=None)
db.execute("CREATE TABLE more (id)")
db.close()
write("second")
wait("second")
old = sqlite3.connect("file:copy.db?mode=ro", uri=True, isolation_level=None)
print("SQLite", sqlite3.sqlite_version)
print("before the change: old connection", read(old))
write("third")
wait("third")
time.sleep(2)
print("after the change: old connection", read(old), "| new connection", new())
sys.exit(not (read(old) == "second" and new() == "third"))
END
