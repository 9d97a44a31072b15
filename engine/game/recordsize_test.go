package game

import (
	"bytes"
	"errors"
	"io"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
)

// TestTakeRecord: what is as large as a record may be comes through as it is,
// however it arrives; what is larger in any way does not.
func TestTakeRecord(t *testing.T) {
	const octets, lines = 1 << 20, 100
	list := func(unit string, n int) string {
		return `{"log":[` + strings.Join(slices.Repeat([]string{unit}, n), ",") + `]}`
	}
	for _, c := range []struct {
		name, text string
		large, bad bool
	}{
		{"lines", list("{}", lines), false, false},
		{"too many lines", list("{}", lines+1), true, true},
		{"lists for lines", list("[]", lines+1), true, true},
		{"numbers for lines", list("1", lines+1), true, true},
		{"too many lines within another", list("["+strings.Repeat("1,", lines)+"1]", 1), true, true},
		{"too many keys", "{" + strings.Repeat(`"a":1,`, lines) + `"b":1}`, true, true},
		{"values", list("["+strings.Repeat("1,", valuesPerLine-3)+"1]", lines), false, false},
		{"too many values", list("["+strings.Repeat("1,", valuesPerLine)+"1]", lines), false, true},
		{"depth", strings.Repeat("[", maxDepth) + strings.Repeat("]", maxDepth), false, false},
		{"too deep", strings.Repeat("[", maxDepth+1) + strings.Repeat("]", maxDepth+1), false, true},
		{"too deep and wide", strings.Repeat(`{"a":`, octets/5), false, true},
		{"a text", `["` + strings.Repeat("x", maxText) + `"]`, false, false},
		{"a long text", `["` + strings.Repeat("x", maxText+1) + `"]`, false, true},
		{"a very long text", `["` + strings.Repeat("x", octets-4) + `"]`, false, true},
		{"a long key", `{"` + strings.Repeat("x", maxText+1) + `":1}`, false, true},
		{"a number", "[" + strings.Repeat("1", maxDigits) + "]", false, false},
		{"a long number", "[" + strings.Repeat("1", maxDigits+1) + "]", false, true},
		{"a very long number", "[" + strings.Repeat("1", octets-2) + "]", false, true},
		{"an exponent", "[1e" + strings.Repeat("9", maxDigits) + "]", false, true},
		{"blanks", strings.Repeat(" ", maxHeld/2) + "{}" + strings.Repeat(" ", maxHeld/2), false, false},
		{"many blanks", "{" + strings.Repeat(" ", octets/2) + "}", false, true},
		{"too many octets", strings.Repeat(strings.Repeat(" ", maxHeld/2)+"1", 2*octets/maxHeld+1), true, true},
		{"many values one after the other", strings.Repeat("{}", lines+1), true, true},
		{"no JSON", "{,}", false, true},
		{"broken off", `{"log":[`, false, false}, // ReadRecord says so
		{"nothing", "", false, false},
	} {
		for name, r := range map[string]io.Reader{"at once": strings.NewReader(c.text), "by octets": iotest.OneByteReader(strings.NewReader(c.text)), "with its end": iotest.DataErrReader(strings.NewReader(c.text))} {
			got, err := TakeRecord(r, octets, lines)
			if (err != nil) != c.bad || errors.Is(err, ErrTooLarge) != c.large || c.bad && !errors.Is(err, ErrRecord) {
				t.Errorf("%s, %s: %v", c.name, name, err)
			}
			if !c.bad && string(got) != c.text {
				t.Errorf("%s, %s: %d octets came through, want %d", c.name, name, len(got), len(c.text))
			}
		}
	}
	broken := errors.New("the line is cut")
	if _, err := TakeRecord(iotest.ErrReader(broken), octets, lines); !errors.Is(err, broken) || errors.Is(err, ErrRecord) {
		t.Errorf("a reader that fails: %v", err)
	}
}

// TestTakeRecordKeepsMemory: whatever arrives, taking it costs no more memory than
// a few times what is read of it before it is refused, and decoding the largest
// that is taken is bounded.
func TestTakeRecordKeepsMemory(t *testing.T) {
	const octets, lines = 2 << 20, 4000
	allocated := func(f func()) int {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		f()
		runtime.ReadMemStats(&after)
		return int(after.TotalAlloc - before.TotalAlloc)
	}
	for _, unit := range []string{"{},", "[],", "1,", `"",`, `{"told":["",""]},`, "[[[[[]]]]],", " ", `\u0001`, "9", `"a":1,`, `{"a":`} {
		for _, head := range []string{"", `{"log":[`, `{"names":["`, `{"schema":`, `{"result":{"parts":[`, `{"log":[{"told":[`} {
			file := []byte(head + strings.Repeat(unit, (octets-len(head))/len(unit)))
			if n := allocated(func() { TakeRecord(bytes.NewReader(file), octets, lines) }); n > 32<<20 {
				t.Errorf("%q and much of %q: %d MB to take it", head, unit, n>>20)
			}
		}
	}
	for _, line := range []string{"{}", `{"told":[` + strings.Repeat(`"",`, valuesPerLine-5) + `""]}`, `{"n":1,"seat":1,"by":"player","order":"` + strings.Repeat("x", octets/lines-50) + `"}`, "{" + strings.Repeat(`"n":1,`, valuesPerLine/2-2) + `"n":1}`} {
		file := `{"schema":2,"log":[` + strings.Repeat(line+",", lines-1) + line + "]}"
		b, err := TakeRecord(strings.NewReader(file), octets, lines)
		if err != nil {
			t.Fatalf("lines like %.40s: %v", line, err)
		}
		n := allocated(func() {
			if _, err := ReadRecord(bytes.NewReader(b)); err == nil {
				t.Errorf("lines like %.40s are a record", line)
			}
		})
		if n > 64<<20 {
			t.Errorf("lines like %.40s: %d MB to decode them", line, n>>20)
		}
	}
}
