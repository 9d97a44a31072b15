package letter

import (
	"fmt"
	"slices"
	"strings"
)

// condensedFields are the fields of a header that say who wrote what, when, and to which
// addresses. The others, such as servers' traces and signatures, have no use after a letter was
// judged.
var condensedFields = []string{"from", "sender", "reply-to", "to", "cc", "date", "subject", "message-id", "in-reply-to", "references", "auto-submitted", "list-id"}

// Bounds of what is kept: octets of a field, and how many fields and attachments.
const (
	maxCondensedField = 1000
	maxCondensedRows  = 30
)

// Condense returns what is worth keeping of a raw letter that was dealt with, for people to
// read: the fields of its header that matter, and its text in UTF-8, once (of several forms the
// one that Read takes). For text that repeats the notice n, which is our letter called name, it
// keeps only the number of lines; of attachments only what they are. n may be nil. Condense
// returns nil for a letter whose text cannot be read.
func Condense(raw []byte, n *Notice, name string) []byte {
	h, body, _ := parseHeader(raw[:min(len(raw), MaxBytes)], MaxHeader)
	top := parse(h, body)
	text, trouble := readText(top)
	if trouble != "" && len(body) > 0 {
		return nil
	}
	var b strings.Builder
	kept := 0
	for _, f := range h {
		if kept < maxCondensedRows && slices.Contains(condensedFields, f.name) {
			kept++
			value := clean(strings.Join(strings.Fields(f.value), " "))
			fmt.Fprintf(&b, "%s: %s\n", strings.ToUpper(f.name[:1])+f.name[1:], strings.ToValidUTF8(value[:min(len(value), maxCondensedField)], ""))
		}
	}
	b.WriteByte('\n')
	found, ok := n.repeats(text)
	if !ok {
		found = make([]match, len(text))
	}
	quoted, blank := 0, 0
	flush := func() {
		if quoted > 0 {
			fmt.Fprintf(&b, "[%d lines of our letter %s]\n", quoted, name)
		}
		b.WriteString(strings.Repeat("\n", min(blank, 1)))
		quoted, blank = 0, 0
	}
	for i, l := range text {
		switch {
		case found[i] == repeats || found[i] == maybe && l.depth > 0:
			if quoted == 0 && blank > 0 {
				b.WriteByte('\n')
			}
			quoted, blank = quoted+1, 0
		case strings.TrimSpace(l.text) == "":
			blank++
		default:
			flush()
			text := l.text
			if l.struck { // it is read so again
				text = strings.TrimSpace(l.left + " ~~" + l.text + "~~")
			}
			b.WriteString(strings.Repeat("> ", min(l.depth, 5)) + text + "\n")
		}
	}
	flush()
	files := 0
	top.leaves(func(p *part) {
		if p.attached() || !strings.HasPrefix(p.typ, "text/") {
			if files++; files <= maxCondensedRows {
				fmt.Fprintf(&b, "[attachment: %.100s, %d octets]\n", clean(p.typ), len(p.body))
			}
		}
	})
	return []byte(b.String())
}
