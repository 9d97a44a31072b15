// Package token makes the tokens of letters. A token says which letter it belongs to and
// what that letter is about, and has a MAC. So a database that does not know the letter,
// because it is an older copy of the one that sent it, still knows that the letter was ours
// and which turn it asked for.
package token

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base32"
	"encoding/binary"
)

// A Slip is what a token says. Numbers too large for their room are as large as that.
type Slip struct {
	Letter int64  // number of the letter out; 32 bits
	Game   uint32 // Game of the game's id, 0: none; 24 bits
	Place  int    // 0: none; 4 bits
	Turn   int    // turns the seat had completed; 8 bits
	Step   int    // length of the log; 16 bits
	Seen   uint32 // fingerprint of the log as the letter's reader knows it
	Salt   uint16 // random: two databases that were one hardly ever make the same token
}

// A Key makes tokens, and knows those it made.
type Key struct {
	N   int64 // from 1; the largest is in use
	Key [32]byte
}

// Size is how many characters a token has. They are 240 bits, of which 104 are the MAC.
const Size = 48

const (
	macSize  = 13
	slipSize = Size*5/8 - macSize
)

// Coding writes tokens and keys of pages: base32 in one case survives mail programs that
// change it.
var Coding = base32.NewEncoding("abcdefghijklmnopqrstuvwxyz234567").WithPadding(base32.NoPadding)

// Game is a game's id as a Slip names it.
func Game(id string) uint32 {
	if id == "" {
		return 0
	}
	sum := sha256.Sum256([]byte(id))
	return max(1, uint32(sum[0])<<16|uint32(sum[1])<<8|uint32(sum[2]))
}

// Seal makes the token of a slip.
func (k Key) Seal(s Slip) string {
	b := make([]byte, slipSize, slipSize+macSize)
	b[0] = byte(k.N&15)<<4 | byte(min(max(s.Place, 0), 15))
	binary.BigEndian.PutUint32(b[1:], uint32(min(max(s.Letter, 0), 1<<32-1)))
	b[5], b[6], b[7] = byte(s.Game>>16), byte(s.Game>>8), byte(s.Game)
	b[8] = byte(min(max(s.Turn, 0), 255))
	binary.BigEndian.PutUint16(b[9:], uint16(min(max(s.Step, 0), 1<<16-1)))
	binary.BigEndian.PutUint32(b[11:], s.Seen)
	binary.BigEndian.PutUint16(b[15:], s.Salt)
	return Coding.EncodeToString(k.mac(b))
}

// mac appends the MAC of a slip to it.
func (k Key) mac(b []byte) []byte {
	h := hmac.New(sha256.New, k.Key[:])
	h.Write([]byte("token\n"))
	h.Write(b[:slipSize])
	return append(b[:slipSize:slipSize], h.Sum(nil)[:macSize]...)
}

// Open returns what a token says, and the key that made it; false: none of them did. It
// takes the same time whatever is wrong with the MAC.
func Open(token string, keys []Key) (s Slip, by Key, ok bool) {
	b, err := Coding.DecodeString(token)
	if err != nil || len(token) != Size || len(b) != slipSize+macSize { // the decoder skips line ends
		return Slip{}, Key{}, false
	}
	for _, k := range keys {
		if byte(k.N&15) == b[0]>>4 && hmac.Equal(k.mac(b), b) {
			by, ok = k, true
		}
	}
	if !ok {
		return Slip{}, Key{}, false
	}
	return Slip{
		Place: int(b[0] & 15), Letter: int64(binary.BigEndian.Uint32(b[1:])), Game: uint32(b[5])<<16 | uint32(b[6])<<8 | uint32(b[7]),
		Turn: int(b[8]), Step: int(binary.BigEndian.Uint16(b[9:])), Seen: binary.BigEndian.Uint32(b[11:]), Salt: binary.BigEndian.Uint16(b[15:]),
	}, by, true
}
