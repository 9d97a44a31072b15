package letter

import (
	"regexp"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// htmlLines turns an HTML letter into lines, the quoted, signed and forwarded
// blocks of the usual clients marked as such. HTML that cannot be parsed
// (x/net/html refuses to nest deeper than 512) is read as bare text.
func htmlLines(s string) []line { return htmlText(s, false) }

// htmlText is htmlLines, with everything that is not shown as text if all is
// set.
func htmlText(s string, all bool) []line {
	doc, err := html.Parse(strings.NewReader(s))
	if err != nil {
		return plainLines(bareText(s), false, false)
	}
	w := walker{all: all}
	w.walk(doc, within{})
	w.flush()
	return w.lines
}

// bareText returns the character data of HTML, a line per tag.
func bareText(s string) string {
	var b strings.Builder
	z := html.NewTokenizer(strings.NewReader(s))
	for {
		switch z.Next() {
		case html.ErrorToken:
			return b.String()
		case html.TextToken:
			b.Write(z.Text())
			b.WriteByte('\n')
		}
	}
}

// within is what the elements around a node make of its text.
type within struct {
	depth int
	why   Why
	intro bool
	pre   bool
}

type walker struct {
	lines []line
	cur   strings.Builder
	at    within // of what is in cur
	soft  bool   // the next line begins quotation whose end is not marked

	all    bool // keep what is not shown: title, hidden elements, alternative texts
	quotes int  // Gmail containers seen; more than a few are not searched
}

// flush ends the current line, if there is one.
func (w *walker) flush() {
	if w.cur.Len() == 0 {
		return
	}
	text := w.cur.String()
	w.cur.Reset()
	w.add(text, w.at)
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

func (w *walker) text(s string, in within) {
	if w.cur.Len() == 0 {
		w.at = in
	}
	if !in.pre {
		if w.cur.Len() == 0 {
			s = strings.TrimLeft(s, " \t\r\n\f")
		}
		w.cur.WriteString(strings.NewReplacer("\n", " ", "\r", " ").Replace(s))
		return
	}
	for {
		ln, rest, more := strings.Cut(s, "\n")
		w.cur.WriteString(strings.TrimSuffix(ln, "\r"))
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

func (w *walker) walk(n *html.Node, in within) {
	switch n.Type {
	case html.TextNode:
		if w.cur.Len() > 0 && (w.at.depth != in.depth || w.at.why != in.why || w.at.intro != in.intro) {
			w.flush()
		}
		if n.Data != "" && (w.cur.Len() > 0 || in.pre || strings.TrimLeft(n.Data, " \t\r\n\f") != "") {
			w.text(n.Data, in)
		}
		return
	case html.ElementNode:
	case html.DocumentNode:
		w.kids(n, in)
		return
	default:
		return
	}
	if w.all {
		switch n.DataAtom {
		case atom.Head, atom.Title:
			w.flush()
			w.kids(n, in)
			w.flush()
			return
		case atom.Img:
			w.text(" "+attr(n, "alt")+" ", in)
			return
		}
	}
	switch n.DataAtom {
	case atom.Script, atom.Style, atom.Head, atom.Title, atom.Template, atom.Noscript, atom.Img, atom.Svg, atom.Object, atom.Iframe, atom.Select:
		return
	case atom.Textarea:
		in.pre = true
	case atom.Br:
		w.newline(in)
		return
	case atom.Hr:
		w.flush()
		w.soft = w.soft || attr(n, "id") == "stopspelling"
		return
	case atom.Td, atom.Th:
		if w.cur.Len() > 0 {
			w.cur.WriteString("  ")
		}
		w.kids(n, w.mark(n, in))
		return
	}
	style := attr(n, "style")
	if hidden := strings.Contains(style, "display:none") || strings.Contains(style, "display: none"); hidden && !w.all {
		return
	}
	inner := w.mark(n, in)
	if n.DataAtom == atom.Pre || strings.Contains(style, "white-space:pre") || strings.Contains(style, "white-space: pre") {
		inner.pre = true
	}
	switch {
	case n.DataAtom == atom.P && !tight(n, style), n.DataAtom == atom.H1, n.DataAtom == atom.H2, n.DataAtom == atom.H3, n.DataAtom == atom.H4:
		w.blank(in)
		w.kids(n, inner)
		w.blank(inner)
	case blocks[n.DataAtom] || inner.depth != in.depth || inner.why != in.why:
		w.flush()
		w.kids(n, inner)
		w.flush()
	default:
		w.kids(n, inner)
	}
}

func (w *walker) kids(n *html.Node, in within) {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		w.walk(c, in)
	}
}

var blocks = map[atom.Atom]bool{
	atom.Address: true, atom.Article: true, atom.Aside: true, atom.Blockquote: true, atom.Body: true,
	atom.Center: true, atom.Dd: true, atom.Div: true, atom.Dl: true, atom.Dt: true, atom.Fieldset: true,
	atom.Footer: true, atom.Form: true, atom.H5: true, atom.H6: true, atom.Header: true, atom.Html: true,
	atom.Li: true, atom.Main: true, atom.Nav: true, atom.Ol: true, atom.P: true, atom.Pre: true,
	atom.Section: true, atom.Table: true, atom.Tbody: true, atom.Tfoot: true, atom.Thead: true,
	atom.Tr: true, atom.Ul: true,
}

var zeroMargin = regexp.MustCompile(`margin(-bottom)?:\s*0`)

// tight reports whether a paragraph is drawn without an empty line after it,
// as Outlook's are: then it is just a line.
func tight(n *html.Node, style string) bool {
	return strings.Contains(attr(n, "class"), "mso") || zeroMargin.MatchString(style) || n.Parent != nil && n.Parent.DataAtom == atom.Li
}

// mark tells what an element makes of its text, by the marks of the clients:
// Gmail, Outlook (desktop, web, mobile), Apple Mail, Thunderbird, Yahoo,
// Proton, Tuta, GMX and those that copy them.
func (w *walker) mark(n *html.Node, in within) within {
	if len(n.Attr) == 0 && n.DataAtom != atom.Blockquote {
		return in
	}
	id := strings.TrimPrefix(attr(n, "id"), "x_")
	class := " " + strings.ReplaceAll(attr(n, "class"), " x_", " ") + " "
	style := attr(n, "style")
	is := func(name string) bool {
		return strings.Contains(class, " "+name+" ") || strings.Contains(class, " x_"+name+" ")
	}
	switch {
	case n.DataAtom == atom.Blockquote:
		// The indent button of editors makes blockquotes, too: without a rule.
		indent := strings.Contains(style, "border:none") || strings.Contains(style, "border: none") || strings.Contains(style, "margin:0 0 0 40px") || strings.Contains(style, "margin: 0 0 0 40px")
		if attr(n, "type") == "cite" || strings.Contains(class, "quote") || !indent {
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
		if w.quotes++; w.quotes > 20 || !hasBlockquote(n) {
			w.begin()
		}
	case id == "divrplyfwdmsg", id == "appendonsend", id == "mail-editor-reference-message-container", id == "olk_src_body_section",
		strings.Contains(id, "yahoo_quoted"), strings.Contains(class, "yahoo_quoted"), is("outlookmessageheader"),
		is("protonmail_quote"), is("tutanota_quote"), is("zmail_extra"), attr(n, "name") == "quote",
		n.DataAtom == atom.Div && strings.Contains(style, "border-top:solid") && strings.Contains(style, "border:none"):
		w.begin()
	}
	return in
}

// begin says that from here on the text is quotation whose end is not marked:
// people write between its paragraphs.
func (w *walker) begin() {
	w.flush()
	w.soft = true
}

func hasBlockquote(n *html.Node) bool {
	for d := range n.Descendants() {
		if d.DataAtom == atom.Blockquote {
			return true
		}
	}
	return false
}

func firstText(n *html.Node) string {
	for d := range n.Descendants() {
		if d.Type == html.TextNode && strings.TrimSpace(d.Data) != "" {
			return clean(d.Data[:min(len(d.Data), 200)])
		}
	}
	return ""
}

// attr returns an attribute in lower case.
func attr(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name && len(a.Val) < 4096 {
			return strings.ToLower(a.Val)
		}
	}
	return ""
}
