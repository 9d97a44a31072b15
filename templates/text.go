package templates

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// columns is the width of prose in the text part.
const columns = 72 // what draw.Text has, too

// wrap breaks prose at blanks, further lines indented. A word longer than a
// line stands alone on one.
func wrap(s string, indent int) string {
	var b strings.Builder
	col := 0
	for _, w := range strings.Fields(s) {
		n := utf8.RuneCountInString(w)
		switch {
		case col == 0:
		case col+1+n > columns:
			b.WriteByte('\n')
			b.WriteString(strings.Repeat(" ", indent))
			col = indent
		default:
			b.WriteByte(' ')
			col++
		}
		b.WriteString(w)
		col += n
	}
	return b.String()
}

// text writes the text part.
func (c *content) text() string {
	var b strings.Builder
	if c.site.ReplyTo != "" {
		b.WriteString(c.Marker() + "\n\n")
	}
	var late []piece // long lists of orders stand at the end
	for _, s := range c.sections {
		if s.title != "" {
			title := strings.ToUpper(s.title)
			b.WriteString(wrap(title, 0) + "\n\n")
		}
		pieces := slices.DeleteFunc(slices.Clone(s.pieces), func(p piece) bool { return p.only == onlyHTML })
		for i, p := range pieces {
			if p.kind == legal && long(p) {
				late = append(late, p)
				continue
			}
			writeText(&b, p)
			if !together(pieces, i) {
				b.WriteByte('\n')
			}
		}
	}
	for _, p := range late {
		b.WriteString(strings.ToUpper(c.Say("letter.may-list")) + "\n\n")
		writeText(&b, p)
		b.WriteByte('\n')
	}
	b.WriteString(c.Say("letter.unofficial") + "\n")
	return b.String()
}

func long(p piece) bool {
	n := 0
	for _, g := range p.groups {
		n += len(g.lines)
	}
	return n > maxInPlace
}

// together reports whether no blank line stands after piece i.
func together(pieces []piece, i int) bool {
	if i+1 == len(pieces) {
		return false
	}
	a, b := pieces[i].kind, pieces[i+1].kind
	switch {
	case a == head, a == item && b == item:
		return true
	case a == item && b == orders, a == item && b == link, a == prose && b == orders:
		return true
	}
	return false
}

func writeText(b *strings.Builder, p piece) {
	switch p.kind {
	case prose:
		b.WriteString(wrap(p.text, 0) + "\n")
	case item:
		b.WriteString(wrap("- "+p.text, 2) + "\n")
	case head:
		b.WriteString(wrap(p.text, 0) + "\n")
	case orders:
		for _, l := range p.lines {
			b.WriteString("  | " + l + "\n")
		}
	case sample:
		fence(b, "example", p.lines)
	case legal:
		var all []string
		for _, g := range p.groups {
			all = append(all, g.lines...)
		}
		fence(b, "legal", all)
	case link:
		b.WriteString(p.text + ":\n" + p.url + "\n")
	case said:
		for _, l := range p.lines {
			b.WriteString("    " + strings.ReplaceAll(wrap(l, 0), "\n", "\n    ") + "\n")
		}
	case pre:
		b.WriteString(strings.TrimSuffix(p.text, "\n") + "\n")
	}
}

// fence writes orders between "| name" and "| end", a bar before each
// (web/API.md).
func fence(b *strings.Builder, name string, lines []string) {
	b.WriteString("| " + name + "\n")
	for _, l := range lines {
		b.WriteString("| " + l + "\n")
	}
	b.WriteString("| end\n")
}
