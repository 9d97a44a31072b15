package order

import (
	"slices"
	"strings"
)

// Marks begin lines of a letter's text whose orders are in doubt, wherever they are.
const (
	Perhaps = "?> " // it may be quotation
	Unseen  = "?~ " // its text has the colour of its background
	Behind  = "?| " // it came after a |
)

var doubtMarks = map[string]Doubt{Perhaps: DoubtQuoted, Unseen: DoubtUnseen, Behind: DoubtBar}

// Unmarked returns a line of a letter's text without its doubt mark, and the doubt; "" if
// the line has no mark.
func Unmarked(line string) (string, Doubt) {
	if len(line) >= len(Perhaps) {
		if d := doubtMarks[line[:len(Perhaps)]]; d != "" {
			return line[len(Perhaps):], d
		}
	}
	return line, ""
}

// Marked reports whether a line is in doubt because it has a mark.
func (d Doubt) Marked() bool { return d == DoubtQuoted || d == DoubtUnseen || d == DoubtBar }

// isMarked reports whether a line has a mark.
func isMarked(line string) bool {
	_, d := Unmarked(line)
	return d != ""
}

// maxDoubted bounds the items of lines with a mark.
const maxDoubted = 40

// unsure reads a line with a mark: an order in it is in doubt. It reports whether line n
// has a mark. A line that does not begin with an order is prose, and so is possible
// quotation that is too short to mean anything definite.
func (r *letterReader) unsure(n int, line string) bool {
	line, doubt := Unmarked(line)
	if doubt == "" {
		return false
	}
	into := &r.doubted
	if doubt == DoubtBar {
		into, r.gap = &r.behind, true
		r.Barred = append(r.Barred, n)
	}
	items := readLine(n, line)
	if len(*into) >= maxDoubted || !readable(items) {
		return true
	}
	p := passage{items: items}
	if p.judge(line); items[0].Word.Kind == InGame {
	} else if p.what > deciding || doubt == DoubtQuoted && (!p.sure || items[0].Clause != nil && !items[0].Clause.sure) {
		return true
	}
	for _, it := range items {
		it.Doubt = doubt
		*into = append(*into, it)
	}
	return true
}

// askDoubted adds the items of marked lines to the letter's items. It adds those after a |
// only if the letter has nothing else to play.
func (r *letterReader) askDoubted() {
	if !slices.ContainsFunc(r.Items, func(it Item) bool {
		return it.Problem != nil || it.Clause != nil || it.Word.Kind == Undo || it.Word.Kind == Plan
	}) {
		r.doubted = append(r.doubted, r.behind...)
	}
	if r.doubted != nil {
		r.Items = append(r.Items, r.doubted...)
		slices.SortStableFunc(r.Items, func(a, b Item) int { return a.Line - b.Line })
	}
}

// A box is a check box at the beginning or end of a line of a to-do list.
type box uint8

const (
	noBox box = iota
	unticked
	ticked
)

// A boxForm is one way to write a box.
type boxForm struct {
	text string
	box  box
}

// boxes are the forms. A cross in a box ticks it; a cross alone does not.
var boxes = []boxForm{
	{"[ ]", unticked}, {"[]", unticked}, {"[_]", unticked}, {"[-]", unticked}, {"( )", unticked}, {"☐", unticked}, {"□", unticked}, {"▢", unticked}, {"⬜", unticked}, {"◻", unticked}, {"❏", unticked}, {"❑", unticked},
	{"❌", unticked}, {"❎", unticked}, {"✗", unticked}, {"✘", unticked}, {"✖", unticked}, {"🚫", unticked}, {"⛔", unticked},
	{"[x]", ticked}, {"[X]", ticked}, {"(x)", ticked}, {"(X)", ticked}, {"[*]", ticked}, {"[✓]", ticked}, {"[✔]", ticked}, {"[✅]", ticked},
	{"☑", ticked}, {"☒", ticked}, {"✅", ticked}, {"✔", ticked}, {"✓", ticked}, {"🗹", ticked}, {"🗸", ticked}, {"🗷", ticked},
}

// maxBoxes bounds the boxes of one line.
const maxBoxes = 3

// boxed cuts off the boxes at the beginning of a line, after a bullet or a number, or at
// its end. If one of several is not ticked, the line counts as not ticked. Boxes at the end
// of a message belong to the message.
func boxed(line string) (rest string, found box) {
	if len(line) > MaxLine {
		return line, noBox
	}
	look(len(line))
	rest = line
	for range maxBoxes {
		before, after := trimBox(rest[bullets(rest):]), strings.TrimRight(trimBox(rest), ".,;")
		at := slices.IndexFunc(boxes, func(b boxForm) bool { return strings.HasPrefix(before, b.text) })
		switch {
		case at >= 0:
			rest = trimBox(before[len(boxes[at].text):])
		case !begins(line):
			if at = slices.IndexFunc(boxes, func(b boxForm) bool { return len(b.text) > 2 && strings.HasSuffix(after, b.text) }); at >= 0 {
				if _, _, word := ReadWord(rest); word && boxes[at].box == ticked {
					at = -1
					break
				}
				rest = trimBox(strings.TrimSuffix(after, boxes[at].text))
			}
		}
		if at < 0 {
			break
		}
		if found = boxes[at].box; found == unticked {
			break
		}
	}
	if trim(rest) == "" {
		return line, noBox
	}
	return rest, found
}

// unticks reports whether line i has a box that is not ticked, and records it. It removes
// ticked boxes.
func (r *letterReader) unticks(i int) bool {
	rest, box := boxed(r.lines[i])
	switch box {
	case unticked:
		r.Unticked = append(r.Unticked, Item{Line: i + 1, Text: clip(rest, MaxLine)})
	case ticked:
		r.reads(i, rest)
	}
	return box == unticked
}

// trimBox trims a line and removes the variation selectors that turn a character into an
// emoji.
func trimBox(s string) string { return strings.TrimSpace(strings.Trim(s, "\uFE0F\uFE0E ")) }

// bullets returns the index after the bullets and the number at the beginning of a line.
func bullets(line string) int {
	i := len(line) - len(strings.TrimLeft(line, " \t-*+•·‣–—"))
	j := i
	for j < len(line) && j < i+2 && line[j] >= '0' && line[j] <= '9' {
		j++
	}
	if j > i && j < len(line) && (line[j] == '.' || line[j] == ')') {
		return j + 1
	}
	return i
}
