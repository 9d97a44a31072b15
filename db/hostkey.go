package db

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"errors"

	"angelpost/engine/store"
)

// The key of the host's page is kept as its hash, in meta under "host".

// SetHostKey makes key the one that opens the host's page; "" for none.
func (d *DB) SetHostKey(ctx context.Context, key string) error {
	if key == "" {
		_, err := d.change(ctx, "DELETE FROM meta WHERE key = 'host'")
		return err
	}
	hash := sha256.Sum256([]byte(key))
	_, err := d.change(ctx, "INSERT OR REPLACE INTO meta (key, value) VALUES ('host', ?)", hash[:])
	return err
}

// IsHostKey reports whether a key opens the host's page.
func (d *DB) IsHostKey(ctx context.Context, key string) (is bool, err error) {
	err = d.read(ctx, func(t *tx) error {
		var hash []byte
		err := t.one("SELECT value FROM meta WHERE key = 'host'", nil, &hash)
		if errors.Is(err, store.ErrNotFound) {
			return nil
		}
		asked := sha256.Sum256([]byte(key))
		is = subtle.ConstantTimeCompare(hash, asked[:]) == 1
		return err
	})
	return is, err
}
