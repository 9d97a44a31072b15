package letter

import (
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// We build the tree of an HTML letter here because parsers that follow the standard are made
// for pages, not for strangers' letters: they copy elements that overlap and collect the
// attributes of every <body>, so that a letter can cost the square of its length. Here each
// token is read once. Elements end at their end tag, or where the standard implies it; elements
// that overlap are nested.

// A node is an element, or text if tag is "".
type node struct {
	tag   string
	text  string
	attrs *attributes
	kids  []*node
	item  bool // its parent is a list's item
	quote bool // there is a blockquote in it
}

// attributes are those that are of use, in lower case; those that only say how text is shown
// are in style.
type attributes struct {
	id, class, style, typ, name, alt string
	checked                          bool
}

// noAttributes are those of most elements.
var noAttributes attributes

// maxNesting bounds how deep elements are nested. What is deeper is in the
// element at the bound.
const maxNesting = 512

// maxAttribute bounds an attribute: longer ones are not there.
const maxAttribute = 4096

func tags(s string) map[string]bool {
	m := map[string]bool{}
	for _, t := range strings.Fields(s) {
		m[t] = true
	}
	return m
}

var (
	// Elements without content.
	voidTags = tags("area base basefont bgsound br col command embed frame hr img input keygen link meta param source track wbr")
	// Tags that say nothing about the place of what is between them.
	framing = tags("html head body frameset")
	// Elements that end a paragraph.
	blockTags = tags("address article aside blockquote center dd details dialog dir div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr li listing main menu nav ol p plaintext pre search section summary table ul xmp")
	// Elements out of which an end tag reaches only if its element is one, too.
	tableTags   = tags("caption colgroup tbody td tfoot th thead tr")
	specialTags = tags("applet button caption iframe marquee noembed noframes noscript object script select style table tbody td template textarea tfoot th thead title tr")
	// Elements out of which no end tag reaches, but that of one around them.
	scopeTags = tags("applet caption marquee object table td template th")
)

func init() {
	for t := range blockTags {
		specialTags[t] = true
	}
}

// implied is which open elements a start tag ends, unless one of within has been
// opened since.
var implied = map[string]struct{ ends, within []string }{
	"li":       {[]string{"li"}, []string{"ul", "ol", "menu", scope}},
	"dt":       {[]string{"dt", "dd"}, []string{"dl", scope}},
	"dd":       {[]string{"dt", "dd"}, []string{"dl", scope}},
	"td":       {[]string{"td", "th", "caption"}, []string{"table"}},
	"th":       {[]string{"td", "th", "caption"}, []string{"table"}},
	"tr":       {[]string{"tr", "td", "th", "caption"}, []string{"table"}},
	"tbody":    {[]string{"tbody", "thead", "tfoot", "tr", "td", "th", "caption"}, []string{"table"}},
	"thead":    {[]string{"tbody", "thead", "tfoot", "tr", "td", "th", "caption"}, []string{"table"}},
	"tfoot":    {[]string{"tbody", "thead", "tfoot", "tr", "td", "th", "caption"}, []string{"table"}},
	"caption":  {[]string{"tbody", "thead", "tfoot", "tr", "td", "th", "caption"}, []string{"table"}},
	"option":   {[]string{"option"}, []string{"select"}},
	"optgroup": {[]string{"option", "optgroup"}, []string{"select"}},
}

// Kinds of elements, among the names under which a tree keeps where they are.
const (
	scope   = "#scope"
	special = "#special"
)

// A tree is under construction. The open elements are numbered from the outermost; where has
// the numbers of those of each name and kind, innermost last, so that no search is necessary.
type tree struct {
	open   []*node
	closed []bool // its end tag was there, but it overlaps
	where  map[string][]int
	beyond map[string]int // elements beyond maxNesting that have no end tag yet
}

// parseHTML builds the tree of an HTML letter, and returns the text of its <style> elements.
// It never fails.
func parseHTML(s string) (root *node, css string) {
	root = &node{tag: "html", attrs: &noAttributes}
	var styles strings.Builder
	t := tree{where: map[string][]int{}, beyond: map[string]int{}}
	t.push(root)
	z := html.NewTokenizer(strings.NewReader(s))
	for {
		typ := z.Next()
		look(len(z.Raw()))
		switch typ {
		case html.ErrorToken:
			return root, styles.String()
		case html.TextToken:
			text := string(z.Text())
			if t.open[len(t.open)-1].tag == "style" {
				styles.WriteString(text)
			}
			t.put(&node{text: text})
		case html.StartTagToken, html.SelfClosingTagToken:
			name, more := z.TagName()
			t.start(atom.String(name), typ == html.SelfClosingTagToken, readAttributes(z, more))
		case html.EndTagToken:
			name, _ := z.TagName()
			t.end(atom.String(name))
		}
	}
}

func readAttributes(z *html.Tokenizer, more bool) (a *attributes) {
	for more {
		var key, val []byte
		if key, val, more = z.TagAttr(); len(val) >= maxAttribute {
			continue
		}
		if a == nil {
			a = &attributes{}
		}
		switch string(key) {
		case "id":
			a.id = strings.ToLower(string(val))
		case "class":
			a.class = strings.ToLower(string(val))
		case "style":
			a.style += strings.ToLower(string(val))
		case "color", "text":
			a.style = "color:" + strings.ToLower(string(val)) + ";" + a.style
		case "bgcolor":
			a.style = "background:" + strings.ToLower(string(val)) + ";" + a.style
		case "hidden":
			a.style = "display:none;" + a.style
		case "checked":
			a.checked = true
		case "type":
			a.typ = strings.ToLower(string(val))
		case "name":
			a.name = strings.ToLower(string(val))
		case "alt":
			a.alt = strings.ToLower(string(val))
		}
	}
	return a
}

// put adds a node to the innermost open element.
func (t *tree) put(n *node) {
	top := t.open[len(t.open)-1]
	n.item = top.tag == "li"
	top.kids = append(top.kids, n)
}

func (t *tree) start(name string, selfClosing bool, a *attributes) {
	if framing[name] {
		if a != nil && t.open[0].attrs == &noAttributes && name == "body" {
			t.open[0].attrs = a
		}
		return
	}
	if blockTags[name] {
		t.imply([]string{"p", "svg", "math"}, []string{scope})
	}
	if i, ok := implied[name]; ok {
		t.imply(i.ends, i.within)
	}
	n := &node{tag: name, attrs: a}
	if a == nil {
		n.attrs = &noAttributes
	}
	t.put(n)
	if name == "blockquote" {
		for i := len(t.open) - 1; i >= 0 && !t.open[i].quote; i-- {
			t.open[i].quote = true
		}
	}
	switch {
	case voidTags[name], selfClosing && (atom.Lookup([]byte(name)) == 0 || t.last("svg") >= 0):
	case len(t.open) == maxNesting:
		t.beyond[name]++
	default:
		t.push(n)
	}
}

func (t *tree) end(name string) {
	switch {
	case name == "br":
		t.put(&node{tag: "br", attrs: &noAttributes})
		return
	case framing[name]:
		return
	case t.beyond[name] > 0:
		t.beyond[name]--
		return
	}
	at := t.last(name)
	switch {
	case at < 0:
	case name == "table":
		t.pop(at)
	case tableTags[name]:
		if at > t.last("table") {
			t.pop(at)
		}
	case scopeTags[name] || specialTags[name]:
		if s := t.last(scope); at >= s {
			t.pop(at)
		}
	case at > t.last(special):
		t.pop(at)
	default: // it overlaps with what ends later
		t.forget(at, name)
		t.closed[at] = true
	}
}

// imply ends the outermost open element of ends that is in no other of within
// than those around it.
func (t *tree) imply(ends, within []string) {
	limit := 0
	for _, w := range within {
		limit = max(limit, t.last(w))
	}
	at := len(t.open)
	for _, e := range ends {
		all := t.where[e]
		if i, _ := slices.BinarySearch(all, limit+1); i < len(all) {
			at = min(at, all[i])
		}
	}
	t.pop(at)
}

// last is the innermost open element of that name or kind, -1 if there is none.
func (t *tree) last(name string) int {
	if all := t.where[name]; len(all) > 0 {
		return all[len(all)-1]
	}
	return -1
}

func (t *tree) push(n *node) {
	at := len(t.open)
	t.open, t.closed = append(t.open, n), append(t.closed, false)
	t.where[n.tag] = append(t.where[n.tag], at)
	if scopeTags[n.tag] {
		t.where[scope] = append(t.where[scope], at)
	}
	if specialTags[n.tag] {
		t.where[special] = append(t.where[special], at)
	}
}

// pop ends the open elements from number at on, and those around them whose end
// tag was there.
func (t *tree) pop(at int) {
	for last := len(t.open) - 1; last >= at || t.closed[last]; last-- {
		tag := t.open[last].tag
		t.forget(last, tag)
		t.forget(last, scope)
		t.forget(last, special)
		t.open, t.closed = t.open[:last], t.closed[:last]
	}
}

// forget takes an element out of those of a name or kind, if it is one.
func (t *tree) forget(at int, name string) {
	if t.last(name) == at {
		t.where[name] = t.where[name][:len(t.where[name])-1]
	}
}
