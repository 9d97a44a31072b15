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

// noteErased has letters from an address that came before a time deleted in the mailbox, and
// never read again.
func (t *tx) noteErased(address string, before time.Time) error {
	hash, err := t.erasedHash(address)
	if err != nil {
		return err
	}
	if _, err := t.exec("INSERT OR REPLACE INTO erased_hashes (hash, before) VALUES (?, ?)", hash, ms(before)); err != nil {
		return err
	}
	_, err = t.exec("INSERT OR REPLACE INTO erased (address, before) VALUES (?, ?)", address, ms(before))
	return err
}

func (t *tx) erasedHash(address string) ([]byte, error) {
	var secret []byte
	err := t.one("SELECT value FROM meta WHERE key = 'secret'", nil, &secret)
	return keyed(secret, "erased\x00"+address), err
}

func (t *tx) WasErased(address string, arrived time.Time) (yes bool, err error) {
	hash, err := t.erasedHash(address)
	if err == nil {
		err = t.one("SELECT EXISTS (SELECT 1 FROM erased_hashes WHERE hash = ? AND before > ?)", []any{hash, ms(arrived)}, &yes)
	}
	return yes, err
}

func (t *tx) EraseAgain(address string, arrived time.Time) error {
	hash, err := t.erasedHash(address)
	if err != nil {
		return err
	}
	_, err = t.exec("INSERT OR REPLACE INTO erased (address, before) SELECT ?, before FROM erased_hashes WHERE hash = ? AND before > ?", address, hash, ms(arrived))
	return err
}

// ErasedFiled says that the letters of such an address are no more there.
func (d *DB) ErasedFiled(ctx context.Context, e Erasure) error {
	_, err := d.change(ctx, "DELETE FROM erased WHERE address = ? AND before = ?", e.Address, ms(e.Before))
	return err
}
