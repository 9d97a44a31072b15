package db

import (
	"context"
	"database/sql"
)

// Erased lists the addresses of erased players whose letters are still in the mailbox.
func (d *DB) Erased(ctx context.Context) (out []string, err error) {
	err = d.read(ctx, func(t *tx) error {
		return t.each("SELECT address FROM erased WHERE address > '' ORDER BY address", nil, func(r *sql.Rows) error {
			var address string
			err := r.Scan(&address)
			out = append(out, address)
			return err
		})
	})
	return out, err
}

// ErasedFiled says that the letters of such an address are no more there.
func (d *DB) ErasedFiled(ctx context.Context, address string) error {
	_, err := d.change(ctx, "DELETE FROM erased WHERE address = ?", address)
	return err
}
