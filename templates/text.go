package templates

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"angelpost/engine/order"
)

// columns is the width of prose in the text part.
const columns = 72 // what draw.Text has, too

// maxMailTo bounds a mailto: line of the text part, in letters.
const maxMailTo = 222

// wrap breaks prose at blanks, further lines indented. A word longer than a line gets its own
// line.
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

// maxLines bounds the text part of a turn notice, without the list of orders: what is
// longer leaves out its spare pieces, so that none has more than 100.
const maxLines = 97

// text writes the text part.
func (c *content) text() string {
	text := c.written(true)
	before, _, _ := strings.Cut(text, "\n"+strings.ToUpper(c.Say("letter.may-list"))+"\n")
	if head, rest, ok := strings.Cut(before, "\n| legal\n"); ok { // a short list right after its announcement
		_, rest, _ = strings.Cut(rest, "\n| end\n")
		before = head + rest
	}
	if strings.Count(before, "\n") > maxLines {
		return c.written(false)
	}
	return text
}

func (c *content) written(spare bool) string {
	var b strings.Builder
	c.headText(&b)
	for _, s := range c.sections {
		pieces := slices.DeleteFunc(slices.Clone(s.pieces), func(p piece) bool { return p.only == onlyHTML || p.spare && !spare })
		if len(pieces) == 0 && (s.title == "" || len(s.pieces) > 0) { // the HTML alone has it
			continue
		}
		if s.title != "" {
			b.WriteString(wrap(strings.ToUpper(s.title), 0) + "\n")
		}
		for i, p := range pieces {
			writeText(&b, p)
			if !together(pieces, i) {
				b.WriteByte('\n')
			}
		}
	}
	b.WriteString(c.Say("letter.unofficial") + "\n")
	return b.String()
}

// headText writes the top of a letter.
func (c *content) headText(b *strings.Builder) {
	h := &c.head
	// First of all: titles such as "Done" and "Help" would read as orders, and the news has
	// names that other players chose.
	if c.site.ReplyTo != "" {
		b.WriteString(c.Marker() + "\n\n")
	}
	empty := b.Len()
	if h.label != "" {
		b.WriteString(wrap(h.label, 0) + "\n")
	}
	if h.title != "" {
		title := h.title
		if !strings.HasSuffix(title, ".") { // a sentence stays one: it may have names
			title = strings.ToUpper(title)
		}
		if h.news != "" && !strings.ContainsAny(title[len(title)-1:], ".?!") {
			title += "."
		}
		b.WriteString(wrap(title+" "+h.news, 0) + "\n")
	}
	if len(h.facts) > 0 {
		var facts []string
		for _, f := range h.facts {
			facts = append(facts, strings.TrimSuffix(f, "."))
		}
		b.WriteString(wrap(strings.Join(facts, ". ")+".", 0) + "\n")
	}
	if len(h.scores) > 0 {
		var list []string
		for _, s := range h.scores {
			number := strconv.Itoa(s.seat) + " "
			if s.place > 0 {
				number = c.Say("head.place", "n", s.place) + " "
			}
			list = append(list, number+s.name+" "+strconv.Itoa(s.vp)+" VP")
		}
		b.WriteString(wrap(strings.Join(list, ", ")+".", 0) + "\n")
	}
	for _, l := range h.links {
		if l.only != onlyHTML && !(strings.HasPrefix(l.url, "mailto:") && len(l.url) > maxMailTo) {
			b.WriteString(l.text + ":\n" + l.url + "\n")
		}
	}
	if b.Len() > empty {
		b.WriteByte('\n')
	}
}

// together reports whether no blank line stands after piece i.
func together(pieces []piece, i int) bool {
	if i+1 == len(pieces) {
		return false
	}
	a, b := pieces[i].kind, pieces[i+1].kind
	switch {
	case a == head, a == item && b == item, a == sample && b == prose, b == sample:
		return true
	case a == item && b == orders, a == item && b == link, a == prose && b == orders:
		return true
	case (a == list || a == prose || a == pre) && (b == list || b == prose):
		return pieces[i].dense && pieces[i+1].dense
	}
	return false
}

func writeText(b *strings.Builder, p piece) {
	switch p.kind {
	case prose:
		if p.strong+p.text == "" {
			return
		}
		b.WriteString(wrap(strings.TrimSpace(p.strong+" "+p.text), 0) + "\n")
	case item:
		b.WriteString(wrap("- "+p.text, 2) + "\n")
	case list:
		for _, l := range p.lines {
			b.WriteString(wrap("- "+l, 2) + "\n")
		}
	case head:
		b.WriteString(wrap(p.text, 0) + "\n")
	case orders:
		for _, l := range p.lines {
			b.WriteString("  | " + l + "\n")
		}
	case sample:
		fence(b, "example", p.lines, 0)
	case legal:
		for _, g := range p.groups {
			b.WriteString(wrap(g.count()+":", 0) + "\n")
			for _, l := range g.listed {
				b.WriteString("  | " + l + "\n")
			}
		}
	case program:
		some := p.lines
		if !p.whole {
			some = choice(some)
		}
		fence(b, "legal", some, len(p.lines)-len(some))
	case link:
		if strings.HasPrefix(p.url, "mailto:") && len(p.url) > maxMailTo {
			return
		}
		b.WriteString(p.text + ":\n" + p.url + "\n")
	case said:
		for _, l := range p.lines {
			b.WriteString("    " + strings.ReplaceAll(wrap(l, 0), "\n", "\n    ") + "\n")
		}
	case pre:
		b.WriteString(strings.TrimSuffix(p.text, "\n") + "\n")
	}
}

// fence writes orders between "| name" and "| end", a bar before each, and before the
// end how many more there are (web/API.md).
func fence(b *strings.Builder, name string, lines []string, more int) {
	b.WriteString("| " + name + "\n")
	for _, l := range lines {
		b.WriteString("| " + l + "\n")
	}
	if more > 0 {
		b.WriteString("| more " + strconv.Itoa(more) + "\n")
	}
	b.WriteString("| end\n")
}

// choice is at most maxListed of a list of orders, in its order: of each kind as many as
// can be, so that a program that sends any of them plays its game to the end.
func choice(lines []string) []string {
	if len(lines) <= maxListed {
		return lines
	}
	kinds := map[string][]int{}
	var names []string
	for i, l := range lines {
		name := ""
		if s, err := order.Parse(l); err == nil {
			name = strconv.Itoa(int(s.Kind))
		}
		if kinds[name] == nil {
			names = append(names, name)
		}
		kinds[name] = append(kinds[name], i)
	}
	taken := make([]bool, len(lines))
	for n, round := 0, 0; n < maxListed; round++ {
		for _, name := range names {
			if of := kinds[name]; round < len(of) && n < maxListed {
				taken[of[round]] = true
				n++
			}
		}
	}
	var out []string
	for i, l := range lines {
		if taken[i] {
			out = append(out, l)
		}
	}
	return out
}
