package letter

import "strings"

// htmlLines turns an HTML letter into lines, the quoted, signed and forwarded
// blocks of the usual clients marked as such.
func htmlLines(s string) []line { return htmlText(s, false).lines }

// htmlText is htmlLines, with everything that is not shown as text if all is
// set.
func htmlText(s string, all bool) *walker {
	root, css := parseHTML(s)
	w := &walker{all: all, rules: readRules(css)}
	body := w.rules.of(root)
	w.kids(root, within{shown: shown{}.within(declared{struck: body.struck, ink: body.ink, ground: body.ground})})
	w.flush()
	return w
}

// within is what the elements around a node make of its text.
type within struct {
	depth int
	why   Why
	intro bool
	pre   bool
	shown shown
}

type walker struct {
	lines []line
	cur   strings.Builder
	at    within // of what is in cur
	soft  bool   // the next line begins quotation whose end is not marked
	rules rules

	left          strings.Builder // of cur, what is not struck through, if anything is
	struck, faint bool            // something in cur is

	quoting bool // quotation whose end is not marked has begun
	telling bool // how the author's own text is shown says more than its words

	all bool // keep what is not shown: title, hidden elements, alternative texts
}

// put writes text to the current line.
func (w *walker) put(s string, in within) {
	if w.all {
		w.cur.WriteString(s)
		return
	}
	if in.shown.struck && !w.struck && hasWord(s) {
		w.struck = true
		w.left.WriteString(w.cur.String())
	}
	if w.struck && !in.shown.struck {
		w.left.WriteString(s)
	}
	w.faint = w.faint || in.shown.faint() && hasWord(s)
	w.cur.WriteString(s)
	w.tells(in, w.struck || w.faint)
}

// tells notes that how something is shown says more than its words, if it is the author's.
func (w *walker) tells(in within, it bool) {
	w.telling = w.telling || it && in.depth == 0 && in.why == "" && !w.quoting
}

// flush ends the current line, if there is one.
func (w *walker) flush() {
	if w.cur.Len() == 0 {
		return
	}
	text := w.cur.String()
	w.cur.Reset()
	n := len(w.lines)
	w.add(text, w.at)
	if n < len(w.lines) && (w.struck || w.faint) {
		l := &w.lines[n]
		if l.faint = w.faint; w.struck {
			l.struck, l.left = true, newLine(w.left.String(), 0).text
		}
	}
	w.struck, w.faint = false, false
	w.left.Reset()
}

func (w *walker) add(raw string, in within) {
	if len(w.lines) > MaxLines {
		return
	}
	l := newLine(raw, in.depth)
	l.why, l.soft = in.why, w.soft
	if in.intro && l.why == "" && strings.HasSuffix(l.text, ":") {
		l.why = Quote
	}
	w.lines = append(w.lines, l)
	w.soft = false
}

// blank ends the current line and leaves one empty line.
func (w *walker) blank(in within) {
	w.flush()
	if n := len(w.lines); n > 0 && w.lines[n-1].text != "" {
		w.add("", in)
	}
}

var oneLine = strings.NewReplacer("\n", " ", "\r", " ")

func (w *walker) text(s string, in within) {
	if w.cur.Len() == 0 {
		w.at = in
	}
	look(len(s))
	if !in.pre {
		if w.cur.Len() == 0 {
			s = strings.TrimLeft(s, " \t\r\n\f")
		}
		w.put(oneLine.Replace(s), in)
		return
	}
	for {
		ln, rest, more := strings.Cut(s, "\n")
		w.put(strings.TrimSuffix(ln, "\r"), in)
		if !more {
			return
		}
		w.newline(in)
		s, w.at = rest, in
	}
}

// newline ends the current line, even an empty one.
func (w *walker) newline(in within) {
	if w.cur.Len() == 0 {
		w.add("", in)
	}
	w.flush()
}

func (w *walker) walk(n *node, in within) {
	look(1)
	if n.tag == "" {
		if !w.all && (in.shown.unseen || in.shown.tiny) {
			w.tells(in, hasWord(n.text))
			return
		}
		if w.cur.Len() > 0 && (w.at.depth != in.depth || w.at.why != in.why || w.at.intro != in.intro) {
			w.flush()
		}
		if n.text != "" && (w.cur.Len() > 0 || in.pre || strings.TrimLeft(n.text, " \t\r\n\f") != "") {
			w.text(n.text, in)
		}
		return
	}
	if w.all {
		switch n.tag {
		case "title":
			w.flush()
			w.kids(n, in)
			w.flush()
			return
		case "img":
			w.text(" "+n.attrs.alt+" ", in)
			return
		}
	}
	switch n.tag {
	case "script", "style", "title", "template", "noscript", "img", "svg", "object", "iframe", "select":
		return
	case "textarea":
		in.pre = true
	case "br":
		w.newline(in)
		return
	case "hr":
		w.flush()
		w.soft = w.soft || n.attrs.id == "stopspelling"
		return
	case "input":
		if box := n.attrs.typ == "checkbox" || n.attrs.typ == "radio"; box && !w.all {
			w.tells(in, true)
			w.text(map[bool]string{false: " ☐ ", true: " ☑ "}[n.attrs.checked], in)
		}
		return
	}
	style := n.attrs.style
	says := w.rules.of(n)
	if hidden := says.gone > 0 || says.hidden > 0; hidden && !w.all {
		w.tells(in, firstText(n) != "")
		return
	}
	inner := w.mark(n, in)
	inner.shown = in.shown.within(says)
	if n.tag == "td" || n.tag == "th" {
		if w.cur.Len() > 0 {
			w.put("  ", within{depth: in.depth, why: in.why})
		}
		w.kids(n, inner)
		return
	}
	if n.tag == "pre" || strings.Contains(style, "white-space:pre") || strings.Contains(style, "white-space: pre") {
		inner.pre = true
	}
	switch {
	case n.tag == "p" && !tight(n), n.tag == "h1", n.tag == "h2", n.tag == "h3", n.tag == "h4":
		w.blank(in)
		w.kids(n, inner)
		w.blank(inner)
	case lineTags[n.tag] || inner.depth != in.depth || inner.why != in.why:
		w.flush()
		w.kids(n, inner)
		w.flush()
	default:
		w.kids(n, inner)
	}
}

func (w *walker) kids(n *node, in within) {
	for _, k := range n.kids {
		w.walk(k, in)
	}
}

// lineTags are the elements that get lines of their own.
var lineTags = tags("address article aside blockquote center dd div dl dt fieldset footer form h5 h6 header li main nav ol p pre section table tbody tfoot thead tr ul")

var zeroMargin = compile(`margin(-bottom)?:\s*0`)

// tight reports whether a paragraph is drawn without an empty line after it,
// as Outlook's are: then it is just a line.
func tight(n *node) bool {
	return strings.Contains(n.attrs.class, "mso") || zeroMargin.in(n.attrs.style) || n.item
}

// mark tells what an element makes of its text, by the marks of the clients:
// Gmail, Outlook (desktop, web, mobile), Apple Mail, Thunderbird, Yahoo,
// Proton, Tuta, GMX and those that copy them.
func (w *walker) mark(n *node, in within) within {
	if n.attrs == &noAttributes && n.tag != "blockquote" {
		return in
	}
	id := strings.TrimPrefix(n.attrs.id, "x_")
	class := " " + strings.ReplaceAll(n.attrs.class, " x_", " ") + " "
	style := n.attrs.style
	is := func(name string) bool {
		return strings.Contains(class, " "+name+" ") || strings.Contains(class, " x_"+name+" ")
	}
	switch {
	case n.tag == "blockquote":
		// The indent button of editors makes blockquotes, too: without a rule.
		indent := strings.Contains(style, "border:none") || strings.Contains(style, "border: none") || strings.Contains(style, "margin:0 0 0 40px") || strings.Contains(style, "margin: 0 0 0 40px")
		if n.attrs.typ == "cite" || strings.Contains(class, "quote") || !indent {
			in.depth++
		}
	case is("gmail_attr"), is("moz-cite-prefix"), is("protonmail_quote_header"):
		// Editors copy the class to what is typed above it (Thunderbird does):
		// only a line that ends like an attribution is one.
		in.intro = true
		if forwards(firstText(n)) {
			in.why = Forward
		}
	case is("moz-forward-container"):
		in.why = Forward
	case is("gmail_signature"), is("gmail_signature_prefix"), is("moz-signature"), is("protonmail_signature_block"), is("tutanota_signature"),
		id == "signature", id == "applemailsignature", strings.HasPrefix(id, "ms-outlook-mobile-signature"), strings.HasPrefix(id, "ms-outlook-mobile-body-separator"), strings.Contains(class, "signature "):
		if in.why == "" && in.depth == 0 {
			in.why = Signature
		}
	case is("gmail_quote"), is("gmail_quote_container"):
		if !n.quote {
			w.begin()
		}
	case id == "divrplyfwdmsg", id == "appendonsend", id == "mail-editor-reference-message-container", id == "olk_src_body_section",
		strings.Contains(id, "yahoo_quoted"), strings.Contains(class, "yahoo_quoted"), is("outlookmessageheader"),
		is("protonmail_quote"), is("tutanota_quote"), is("zmail_extra"), n.attrs.name == "quote",
		n.tag == "div" && strings.Contains(style, "border-top:solid") && strings.Contains(style, "border:none"):
		w.begin()
	}
	return in
}

// begin says that from here on the text is quotation whose end is not marked:
// people write between its paragraphs.
func (w *walker) begin() {
	w.flush()
	w.soft, w.quoting = true, true
}

// firstText is the beginning of an element's first text, as far as it is not
// behind much else.
func firstText(n *node) string {
	text, left := "", 8
	var search func(n *node)
	search = func(n *node) {
		for _, k := range n.kids {
			if left--; text != "" || left < 0 {
				return
			}
			if strings.TrimSpace(k.text) != "" {
				text = clean(first(k.text, 200))
				return
			}
			search(k)
		}
	}
	search(n)
	return text
}
