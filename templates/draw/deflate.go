package draw

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/adler32"

	"github.com/klauspost/compress/flate"
)

// A band is rows of pixels, compressed: DEFLATE blocks (RFC 1951) that end on a
// byte boundary and refer to no row of another band, so that bands can be joined
// in any order.
type band struct {
	blocks []byte
	sum    uint32 // Adler-32 of the rows
	size   int    // of the rows, bytes
}

// A deflater compresses bands one after the other.
type deflater struct {
	out bytes.Buffer
	zip *flate.Writer
}

// level is the lowest at which a letter's picture stays below 38 KiB.
const level = 6

// compress makes a band of rows.
func (d *deflater) compress(rows []byte) *band {
	d.out.Reset()
	if d.zip == nil {
		d.zip, _ = flate.NewWriter(&d.out, level) // its only error is a level that does not exist
	} else {
		d.zip.Reset(&d.out)
	}
	_, err := d.zip.Write(rows)
	if err = errors.Join(err, d.zip.Flush()); err != nil {
		panic(err) // a bytes.Buffer takes everything
	}
	return &band{blocks: bytes.Clone(d.out.Bytes()), sum: adler32.Checksum(rows), size: len(rows)}
}

// appendZlib appends bands to out as a zlib stream (RFC 1950).
func appendZlib(out []byte, bands []*band) []byte {
	out = append(out, 0x78, 0x5e)
	sum := uint32(1)
	for _, b := range bands {
		out = append(out, b.blocks...)
		sum = joined(sum, b.sum, b.size)
	}
	out = append(out, 0x03, 0x00) // the last block, an empty one
	return binary.BigEndian.AppendUint32(out, sum)
}

// joined returns the Adler-32 of a text whose checksum is a, followed by n bytes
// whose checksum is b.
func joined(a, b uint32, n int) uint32 {
	const mod = 65521
	low := (a&0xffff + b&0xffff + mod - 1) % mod
	high := (uint64(a>>16) + uint64(b>>16) + uint64(a&0xffff+mod-1)*uint64(n%mod)) % mod
	return uint32(high)<<16 | low
}
