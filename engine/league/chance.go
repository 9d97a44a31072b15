package league

import (
	"crypto/sha256"
	"encoding/binary"
	"slices"
)

// numbersFrom are numbers drawn from a key: the same on every machine
// (splitmix64, whose state begins as the first eight bytes of the key's
// SHA-256, big-endian).
type numbersFrom struct{ state uint64 }

func drawing(key []byte) *numbersFrom {
	sum := sha256.Sum256(key)
	return &numbersFrom{binary.BigEndian.Uint64(sum[:])}
}

func (d *numbersFrom) next() uint64 {
	d.state += 0x9e3779b97f4a7c15
	z := d.state
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// below returns a number from 0 to n-1. Some are likelier by n in 2^64, which is
// negligible.
func (d *numbersFrom) below(n int) int { return int(d.next() % uint64(n)) }

// shuffled returns items in an order drawn from a key.
func shuffled[T any](items []T, key [32]byte) []T {
	items, d := slices.Clone(items), drawing(key[:])
	for i := len(items) - 1; i > 0; i-- {
		j := d.below(i + 1)
		items[i], items[j] = items[j], items[i]
	}
	return items
}
