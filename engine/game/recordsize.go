package game

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// ErrTooLarge is wrapped, together with ErrRecord, by errors about files that exceed the
// limits on octets or lines.
var ErrTooLarge = errors.New("too large")

// Bounds of what a record is made of, far beyond any game's. The largest that was
// ever seen has 27 outcomes in a line, 14 values a line, texts of 64 octets and
// objects within one another five deep.
const (
	maxDepth       = 8
	maxText        = 1024     // octets of a string
	maxHeld        = 64 << 10 // octets from the end of one token to that of the next
	maxDigits      = 20       // octets of a number
	valuesPerLine  = 32       // on average
	maxRecordLines = 1 << 15
)

// TakeRecord reads what should be a record, of so many octets and lines at most,
// and returns it as it came. It looks at each part as it arrives and refuses what
// is larger than any record, so that decoding it takes little memory: an octet of
// JSON may become a hundred. Whether it is a record is for ReadRecord to say.
func TakeRecord(r io.Reader, octets, lines int) ([]byte, error) {
	var whole bytes.Buffer
	var d *json.Decoder
	d = json.NewDecoder(readerFunc(func(b []byte) (int, error) {
		switch {
		case whole.Len() > octets:
			return 0, fmt.Errorf("%w: %w: more than %d octets", ErrRecord, ErrTooLarge, octets)
		case int64(whole.Len())-d.InputOffset() > maxHeld: // the decoder holds it all
			return 0, fmt.Errorf("%w: a value of more than %d octets", ErrRecord, maxHeld)
		}
		// Not octet by octet: the decoder scans its whole buffer again after each read.
		n, err := io.ReadFull(r, b[:min(len(b), octets+1-whole.Len())])
		if err == io.ErrUnexpectedEOF {
			err = io.EOF
		}
		whole.Write(b[:n])
		return n, err
	}))
	d.UseNumber()
	var within [maxDepth + 1]int // tokens of the list or object open at each depth
	depth, tokens := 0, 0
	for {
		token, err := d.Token()
		syntax := new(json.SyntaxError)
		switch {
		case err == io.EOF:
			return whole.Bytes(), nil
		case errors.As(err, &syntax), err == io.ErrUnexpectedEOF:
			return nil, fmt.Errorf("%w: %v", ErrRecord, err)
		case errors.Is(err, ErrRecord):
			return nil, err
		case err != nil:
			return nil, fmt.Errorf("read record: %w", err)
		}
		switch t := token.(type) {
		case json.Delim:
			if t == ']' || t == '}' {
				depth--
				continue
			}
		case string:
			if len(t) > maxText {
				return nil, fmt.Errorf("%w: a text of %d octets", ErrRecord, len(t))
			}
		case json.Number:
			if len(t) > maxDigits {
				return nil, fmt.Errorf("%w: a number of %d digits", ErrRecord, len(t))
			}
		}
		tokens++
		within[depth]++
		switch {
		case within[depth] > lines:
			return nil, fmt.Errorf("%w: %w: more than %d lines", ErrRecord, ErrTooLarge, lines)
		case tokens > valuesPerLine*lines:
			return nil, fmt.Errorf("%w: more than %d values", ErrRecord, valuesPerLine*lines)
		}
		if _, opens := token.(json.Delim); opens {
			if depth++; depth > maxDepth {
				return nil, fmt.Errorf("%w: objects within one another more than %d deep", ErrRecord, maxDepth)
			}
			within[depth] = 0
		}
	}
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(b []byte) (int, error) { return f(b) }
