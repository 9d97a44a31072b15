package db

import (
	"context"
	"database/sql"
	"time"
)

// An Erasure is an address of an erased player whose letters are still in the mailbox.
type Erasure struct {
	Address string
	Before  time.Time // later letters are not the erased player's
}

// Erased lists the addresses of erased players whose letters are still in the mailbox.
func (d *DB) Erased(ctx context.Context) (out []Erasure, err error) {
	err = d.read(ctx, func(t *tx) error {
		return t.each("SELECT address, before FROM erased WHERE address > '' ORDER BY address", nil, func(r *sql.Rows) error {
			var e Erasure
			var before int64
			err := r.Scan(&e.Address, &before)
			e.Before = at(before)
			out = append(out, e)
			return err
		})
	})
	return out, err
}

// ErasedFiled says that the letters of such an address are no more there.
func (d *DB) ErasedFiled(ctx context.Context, e Erasure) error {
	_, err := d.change(ctx, "DELETE FROM erased WHERE address = ? AND before = ?", e.Address, ms(e.Before))
	return err
}
