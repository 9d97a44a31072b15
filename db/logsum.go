package db

import (
	"context"
	"database/sql"
	"fmt"
	"hash/crc64"
	"strings"
)

// A game is its seed, its options and its log, which only grows. Its row has a CRC-64 over all
// of that, which AppendLog carries on: SQLite has no checksums, and a few bytes that a disk
// changes inside a row may make another game that replays.

var ecma = crc64.MakeTable(crc64.ECMA)

// gameSum is the checksum of a game whose log is empty.
func gameSum(id, options string, seed []byte) int64 {
	return int64(crc64.Checksum(fmt.Appendf(nil, "%s\x00%s\x00%x\x00", id, options, seed), ecma))
}

// lineSum carries a checksum on over a line of the log as it is stored.
func lineSum(sum int64, n, seat int, by any, line, told string) int64 {
	return int64(crc64.Update(uint64(sum), ecma, fmt.Appendf(nil, "%d\x00%d\x00%v\x00%s\x00%s\x00", n, seat, by, line, told)))
}

// summedSchema is the first schema with checksums.
const summedSchema = 22

// sumsTogether is how many games are read in one transaction.
const sumsTogether = 100

// A summed is a game's checksum as stored and as its rows have it.
type summed struct {
	number      int64
	id          string
	stored, now sql.NullInt64
}

// sums reads games and their logs, from after one on, and computes their checksums.
func (t *tx) sums(after int64) (out []summed, err error) {
	at := map[int64]int{}
	err = t.each("SELECT number, id, options, seed, log_sum FROM games WHERE number > ? ORDER BY number LIMIT ?", []any{after, sumsTogether}, func(r *sql.Rows) error {
		var s summed
		var options string
		var seed []byte
		err := r.Scan(&s.number, &s.id, &options, &seed, &s.stored)
		s.now = sql.NullInt64{Int64: gameSum(s.id, options, seed), Valid: true}
		at[s.number] = len(out)
		out = append(out, s)
		return err
	})
	if err != nil || len(out) == 0 {
		return nil, err
	}
	err = t.each("SELECT game, n, seat, by, line, told FROM log WHERE game BETWEEN ? AND ? ORDER BY game, n", []any{out[0].number, out[len(out)-1].number}, func(r *sql.Rows) error {
		var game int64
		var n, seat int
		var by any
		var line, told string
		if err := r.Scan(&game, &n, &seat, &by, &line, &told); err != nil {
			return err
		}
		if i, ok := at[game]; ok {
			out[i].now.Int64 = lineSum(out[i].now.Int64, n, seat, by, line, told)
		}
		return nil
	})
	return out, err
}

// checkLogs compares the checksum of each game with its log. Its error is ErrDamaged, wrapped, if
// they differ.
func checkLogs(ctx context.Context, path string) error {
	c, err := sql.Open("sqlite3", dsn(path)+"?mode=ro&_busy_timeout=5000")
	if err != nil {
		return fmt.Errorf("check database: %w", err)
	}
	defer c.Close()
	var version int
	if err := c.QueryRowContext(ctx, "PRAGMA user_version").Scan(&version); err != nil || version < summedSchema {
		return checked(ctx, err)
	}
	var bad []string
	for after := int64(0); ; {
		var games []summed
		err := inTx(ctx, c, reading, func(t *tx) (err error) {
			games, err = t.sums(after)
			return err
		})
		if err != nil {
			return checked(ctx, err)
		}
		for _, g := range games {
			if g.stored.Valid && g.stored != g.now {
				bad = append(bad, g.id)
			}
		}
		if len(games) < sumsTogether {
			break
		}
		after = games[len(games)-1].number
	}
	if len(bad) > 0 {
		return fmt.Errorf("%w: rows of %d games differ from their checksums: %s", ErrDamaged, len(bad), clip(strings.Join(bad, ", ")))
	}
	return nil
}

// sumLogs gives games their checksums that were stored before there were any.
func (d *DB) sumLogs(ctx context.Context) error {
	for after := int64(0); ; {
		var games []summed
		err := d.write(ctx, synced, func(t *tx) (err error) {
			if games, err = t.sums(after); err != nil {
				return err
			}
			for _, g := range games {
				if _, err := t.exec("UPDATE games SET log_sum = ? WHERE number = ? AND log_sum IS NULL", g.now, g.number); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil || len(games) < sumsTogether {
			return err
		}
		after = games[len(games)-1].number
	}
}
