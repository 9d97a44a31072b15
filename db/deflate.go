package db

import (
	"bytes"
	"errors"
	"sync"

	"github.com/klauspost/compress/flate"
)

// level is the lowest at which an answer is stored in as few bytes as at the best.
const level = 7

var deflaters = sync.Pool{New: func() any {
	w, _ := flate.NewWriterDict(nil, level, nil) // its only error is a level that does not exist
	return w
}}

// pack returns text compressed by DEFLATE (RFC 1951), with references to dict and
// without the tail.
func pack(text, dict []byte) ([]byte, error) {
	var b bytes.Buffer
	w := deflaters.Get().(*flate.Writer)
	defer deflaters.Put(w)
	w.ResetDict(&b, dict)
	_, err := w.Write(text)
	if err = errors.Join(err, w.Flush()); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte(tail)), nil
}
