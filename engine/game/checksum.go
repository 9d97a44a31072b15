package game

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"

	"angelpost/engine/jcs"
)

// Seal gives a record its checksum, and the lines of a finished game's their sums.
func (r *Record) Seal() {
	if r.whole() {
		last := ""
		for i := range r.Log {
			last = chain(last, r.Log[i])
			r.Log[i].Sum = last
		}
	}
	r.Checksum = r.checksum(logForm(r.Log))
}

// chain is the sum of a line behind one with the sum last: the first 16 digits of
// SHA-256 over that and the line's canonical form without its sum.
func chain(last string, l Line) string {
	l.Sum = ""
	sum := sha256.Sum256(append([]byte(last), form(l)...))
	return hex.EncodeToString(sum[:8])
}

// checksum is the hexadecimal SHA-256 of the record's canonical form (RFC 8785)
// without the checksum itself. log is the canonical form of its log, which is
// long, and the same for all records that Verify tries.
func (r *Record) checksum(log []byte) string {
	head := *r
	head.Log, head.Checksum = []Line{}, ""
	// Nowhere else in a canonical form is there a key "log".
	sum := sha256.Sum256(bytes.Replace(form(head), []byte(`"log":[]`), append([]byte(`"log":`), log...), 1))
	return hex.EncodeToString(sum[:])
}

// Intact reports whether the record has the checksum it should have.
func (r *Record) Intact() bool { return r.checksum(logForm(r.Log)) == r.Checksum }

func logForm(log []Line) []byte {
	b := []byte("[")
	for i, l := range log {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, form(l)...)
	}
	return append(b, ']')
}

// form returns the canonical form of a record or a line. It returns nil, which no line has,
// if a number in it is beyond bounds.
func form(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		return nil
	}
	if b, err = jcs.Transform(b); err != nil {
		return nil
	}
	return b
}
