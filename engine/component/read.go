package component

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Bounds of a data file. The set of the box needs a tenth of them.
const (
	maxFile = 64 << 10 // bytes
	maxLine = 400      // bytes
)

// An entry is one line of a data file: its key, its fields, its mark.
type entry struct {
	line   int
	key    []string   // words of the first field, in lower case
	fields [][]string // words of the fields between key and mark, in lower case
	mark   Mark
	note   string // the comment at the line's end
}

// text is the entry without comment, spacing and mark: what the set's hash is
// made of, so that correcting those does not make another set of it.
func (e entry) text() string {
	parts := []string{strings.Join(e.key, " ")}
	for _, f := range e.fields {
		parts = append(parts, strings.Join(f, " "))
	}
	return strings.Join(parts, " | ")
}

// A table is one data file being read. Its methods report faults and warnings
// under the table's rule number.
type table struct {
	file string
	rule string
	rows []entry
	last int // number of lines
	ps   *Problems
	ws   *Problems

	origins Origins
}

func (t *table) fault(line int, format string, args ...any) {
	t.ps.add(t.file, line, t.rule, format, args...)
}

// warn reports something that the rules allow and that is probably mistyped.
func (t *table) warn(line int, format string, args ...any) {
	t.ws.add(t.file, line, t.rule, format, args...)
}

// missing reports something that stands nowhere in the file.
func (t *table) missing(format string, args ...any) { t.fault(max(t.last, 1), format, args...) }

// readTable reads a data file and splits it into entries. Only a file that
// cannot be read at all is an error; bad lines are faults.
func readTable(fsys fs.FS, file, rule string, r *Report) (*table, error) {
	data, err := readBounded(fsys, file)
	if err != nil {
		return nil, fmt.Errorf("component file %s: %w", file, err)
	}
	t := &table{file: file, rule: rule, ps: &r.Faults, ws: &r.Warnings, origins: r.Origins}
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	data = bytes.TrimSuffix(data, []byte("\n"))
	for line := range bytes.SplitSeq(data, []byte("\n")) {
		t.last++
		switch {
		case len(line) > maxLine:
			t.fault(t.last, "longer than %d bytes", maxLine)
		case !utf8.Valid(line):
			t.fault(t.last, "not UTF-8 text")
		default:
			t.row(string(line))
		}
	}
	return t, nil
}

func readBounded(fsys fs.FS, file string) ([]byte, error) {
	info, err := fs.Stat(fsys, file)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, errors.New("not a file")
	}
	f, err := fsys.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err != nil {
		return nil, err
	}
	if len(data) > maxFile {
		return nil, fmt.Errorf("larger than %d bytes", maxFile)
	}
	return data, nil
}

func (t *table) row(line string) {
	line, note, _ := strings.Cut(line, "#")
	if strings.TrimSpace(line) == "" {
		return
	}
	parts := strings.Split(strings.ToLower(line), "|")
	words := make([][]string, len(parts))
	for i, p := range parts {
		words[i] = strings.Fields(p)
	}
	end := len(words) - 1
	if end < 1 || len(words[end]) != 1 || !slices.Contains(marks, Mark(words[end][0])) {
		t.fault(t.last, "the line must end in | and a mark: known, inferred or ours")
		return
	}
	if len(words[0]) == 0 {
		t.fault(t.last, "the line must begin with what it is about")
		return
	}
	t.rows = append(t.rows, entry{line: t.last, key: words[0], fields: words[1:end], mark: Mark(words[end][0]), note: strings.TrimSpace(note)})
}

// want checks that a line has n fields between its name and its mark.
func (t *table) want(e entry, n int, what string) bool {
	if len(e.fields) == n {
		return true
	}
	t.fault(e.line, "%s: want %d fields between name and mark (%s), got %d", quote(e.key), n, what, len(e.fields))
	return false
}

// A tally notes which numbers of a table stand where.
type tally struct {
	t     *table
	name  func(int) string
	lines map[int]int
}

func (t *table) tally(name func(int) string) *tally {
	return &tally{t, name, map[int]int{}}
}

// once reports whether number n, of the line e, comes for the first time.
func (y *tally) once(e entry, n int) bool {
	if first, twice := y.lines[n]; twice {
		y.t.fault(e.line, "%s stands already on line %d", y.name(n), first)
		return false
	}
	y.lines[n] = e.line
	y.t.origins[y.name(n)] = Origin{y.t.file, e.line, e.mark, e.note}
	return true
}

// all reports the numbers from first to last that do not occur.
func (y *tally) all(first, last int) bool {
	ok := true
	for n := first; n <= last; n++ {
		if y.lines[n] == 0 {
			y.t.missing("%s is missing", y.name(n))
			ok = false
		}
	}
	return ok
}

// number reads a number from 0 to most written in plain digits behind a
// prefix; it is 0 if it is none.
func number(word, prefix string, most int) (int, bool) {
	digits, ok := strings.CutPrefix(word, prefix)
	if !ok || digits == "" || len(digits) > 4 || strings.Trim(digits, "0123456789") != "" {
		return 0, false
	}
	n, err := strconv.Atoi(digits)
	if err != nil || n > most {
		return 0, false
	}
	return n, true
}

func colorOf(word string) (Color, bool) {
	for _, c := range Colors {
		if word == colorNames[c] {
			return c, true
		}
	}
	return None, false
}

func actionOf(word string) (Action, bool) {
	for a := Discover; a <= Command; a++ {
		if word == actionNames[a] {
			return a, true
		}
	}
	return NoAction, false
}

// own is the colour's action other than Command (R5).
func own(c Color) Action { return [...]Action{Discover, Repair, Destroy}[c] }

// colorOfAction is the colour whose own action a is.
func colorOfAction(a Action) Color { return Color(a - Discover) }

// quote shows words of a hostile file within bounds.
func quote(words []string) string {
	s := strings.Join(words, " ")
	if len(s) > 60 {
		s = s[:60]
	}
	return strconv.Quote(s)
}
