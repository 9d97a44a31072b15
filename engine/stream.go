package engine

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"hash"
	"strconv"
)

// Stream is a named stream of chance (web/API.md, Chance; RULINGS.md lists them with their
// names).
type Stream uint8

// The streams, in the order of Q2.1. Where a stream exists per colour or per
// seat the others follow it.
const (
	StreamSeats Stream = iota // seats over the players in invitation order
	StreamStrips
	StreamSides
	StreamTileOrange // Technology stacks
	StreamTileGray
	StreamTileGreen
	StreamDisplay
	StreamAdvanced
	StreamMissionOrange
	StreamMissionGray
	StreamMissionGreen
	StreamRavager
	StreamStart1 // starting tiles of seats 1-4
	StreamStart2
	StreamStart3
	StreamStart4
	StreamDieOrange
	StreamDieGray
	StreamDieGreen
	StreamHal // Hal's cards
	streams
)

var streamNames = [streams]string{
	"seats", "strips", "sides", "tiles/orange", "tiles/gray", "tiles/green", "display", "advanced",
	"missions/orange", "missions/gray", "missions/green", "ravagers",
	"start/1", "start/2", "start/3", "start/4", "die/orange", "die/gray", "die/green", "hal",
}

// String is the stream's name as it enters the HMAC.
func (s Stream) String() string { return streamNames[s] }

// Random is where chance comes from: draw k (from 0) of a stream, always the
// same for the same Random, stream and k.
type Random interface {
	Draw(s Stream, k uint32) uint64
}

// Chance is the Random of web/API.md: a secret seed and the players'
// entropies. It is not safe for concurrent use.
type Chance struct {
	mac hash.Hash
	buf []byte
}

// NewChance derives K = HMAC-SHA256(seed, message). The message is the
// entropies in invitation order joined by "\n", or empty for games started
// without invitations.
func NewChance(seed [32]byte, message string) *Chance {
	m := hmac.New(sha256.New, seed[:])
	m.Write([]byte(message))
	return &Chance{mac: hmac.New(sha256.New, m.Sum(nil)), buf: make([]byte, 0, 64)}
}

// Draw is the first 8 bytes, big-endian, of HMAC-SHA256(K, s ":" k in decimal).
func (c *Chance) Draw(s Stream, k uint32) uint64 {
	c.mac.Reset()
	b := append(c.buf[:0], streamNames[s]...)
	b = append(b, ':')
	b = strconv.AppendUint(b, uint64(k), 10)
	c.mac.Write(b)
	c.buf = c.mac.Sum(b[:0])
	return binary.BigEndian.Uint64(c.buf)
}

// Commitment is the hex SHA-256 of the seed, published before the players'
// entropy is known.
func Commitment(seed [32]byte) string {
	h := sha256.Sum256(seed[:])
	const digits = "0123456789abcdef"
	out := make([]byte, 0, 64)
	for _, b := range h {
		out = append(out, digits[b>>4], digits[b&15])
	}
	return string(out)
}

// below draws a number below m from the stream, rejecting the incomplete last
// stretch of 2^64 (web/API.md). k is advanced past every draw.
func below(src Random, s Stream, k *uint32, m uint64) uint64 {
	limit := -(-m % m) // 2^64 - 2^64 mod m; 0 means 2^64
	for {
		v := src.Draw(s, *k)
		*k++
		if limit == 0 || v < limit {
			return v % m
		}
	}
}

// shuffle is Fisher-Yates from the last place down; the last place is the top.
func shuffle[T any](src Random, s Stream, k *uint32, items []T) {
	for i := len(items) - 1; i > 0; i-- {
		j := below(src, s, k, uint64(i+1))
		items[i], items[j] = items[j], items[i]
	}
}

var dieFaces = [6]uint8{0, 1, 1, 2, 3, 3} // R1.2
