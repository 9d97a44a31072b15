package mailhost

import (
	"bytes"
	"encoding/base64"
	"errors"
	"io"
	"mime"
	"net/mail"
	"net/url"
	"strings"
	"time"

	"github.com/emersion/go-message"
	"github.com/emersion/go-message/charset"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// headline is what the list of letters shows of one.
type headline struct {
	From, To, Subject string
	Preview           string // how the letter begins, as mail programs show it next to the subject
	Date              time.Time
}

// openLetter is a letter as the post room shows it.
type openLetter struct {
	headline
	ReplyTo    string // bare address an answer goes to; empty if there is none
	MessageID  string // with angle brackets, as are the References
	References string
	Text       string // the first text/plain part, or what the HTML says
	HTML       string // the first text/html part, as sent
	pictures   map[string]string
}

// Bounds of what is shown; the file itself stays whole.
const (
	maxDepth    = 8
	maxParts    = 60
	maxShown    = 1 << 20 // octets of a text part
	maxPictures = 8 << 20 // octets of all pictures together
)

var wordDecoder = mime.WordDecoder{CharsetReader: charset.Reader}

func decodeHeader(s string) string {
	if decoded, err := wordDecoder.DecodeHeader(s); err == nil {
		s = decoded
	}
	return oneLine(strings.ToValidUTF8(s, "\uFFFD"))
}

var addressParser = mail.AddressParser{WordDecoder: &wordDecoder}

// maxPreview bounds a preview, in runes.
const maxPreview = 140

// previewOf is how a letter begins: the first line of its HTML, hidden or not, or else of
// its text.
func previewOf(l *openLetter) string {
	text := l.Text
	if l.HTML != "" {
		text = textOf(l.HTML)
	}
	for line := range strings.Lines(text) {
		if line = oneLine(strings.TrimSpace(line)); line != "" {
			if r := []rune(line); len(r) > maxPreview {
				line = string(r[:maxPreview-1]) + "…"
			}
			return line
		}
	}
	return ""
}

// people shows an address field as a reader wants it, without quotes.
func people(field string) string {
	list, err := addressParser.ParseList(field)
	if err != nil {
		return decodeHeader(field)
	}
	var shown []string
	for _, a := range list {
		if a.Name == "" {
			shown = append(shown, a.Address)
		} else {
			shown = append(shown, oneLine(a.Name)+" <"+a.Address+">")
		}
	}
	return strings.Join(shown, ", ")
}

// shortName is who a list says a letter is from or to.
func shortName(people string) string {
	if name, _, ok := strings.Cut(people, " <"); ok {
		return name
	}
	return people
}

func readHeadline(h message.Header) headline {
	date, _ := mail.ParseDate(h.Get("Date"))
	return headline{
		From:    people(h.Get("From")),
		To:      people(h.Get("To")),
		Subject: decodeHeader(h.Get("Subject")),
		Date:    date,
	}
}

// readLetter reads what it can; a broken letter shows as far as it goes.
func readLetter(raw []byte) openLetter {
	l := openLetter{pictures: make(map[string]string)}
	entity, err := message.Read(bytes.NewReader(raw))
	if entity == nil {
		l.Text = "We can't read this letter: " + err.Error()
		return l
	}
	h := entity.Header
	l.headline = readHeadline(h)
	l.MessageID = oneLine(strings.TrimSpace(h.Get("Message-Id")))
	l.References = oneLine(strings.TrimSpace(h.Get("References")))
	l.ReplyTo = firstAddress(h.Get("Reply-To"), h.Get("From"))
	budget := readBudget{parts: maxParts, pictures: maxPictures}
	l.collect(entity, &budget, 0)
	if l.Text == "" && l.HTML != "" {
		l.Text = textOf(l.HTML)
	}
	return l
}

// firstAddress returns the first address of the first field that has one.
func firstAddress(fields ...string) string {
	for _, field := range fields {
		if list, err := addressParser.ParseList(field); err == nil && len(list) > 0 {
			return list[0].Address
		}
	}
	return ""
}

type readBudget struct{ parts, pictures int }

func (l *openLetter) collect(e *message.Entity, budget *readBudget, depth int) {
	if budget.parts--; budget.parts < 0 || depth > maxDepth {
		return
	}
	if r := e.MultipartReader(); r != nil {
		for {
			part, err := r.NextPart()
			if part == nil || err != nil && !message.IsUnknownCharset(err) && !message.IsUnknownEncoding(err) {
				return // io.EOF, or broken from here on
			}
			l.collect(part, budget, depth+1)
		}
	}
	mediaType, _, err := e.Header.ContentType()
	if err != nil {
		mediaType = "text/plain"
	}
	switch {
	case mediaType == "text/plain" && l.Text == "":
		l.Text = shown(e.Body)
	case mediaType == "text/html" && l.HTML == "":
		l.HTML = shown(e.Body)
	case isPicture(mediaType):
		id := strings.Trim(e.Header.Get("Content-Id"), "<> \t")
		data, err := io.ReadAll(io.LimitReader(e.Body, int64(budget.pictures)+1))
		if id == "" || err != nil || len(data) > budget.pictures {
			return
		}
		budget.pictures -= len(data)
		l.pictures[id] = "data:" + mediaType + ";base64," + base64.StdEncoding.EncodeToString(data)
	}
}

// isPicture leaves out SVG, which is a document that can do things.
func isPicture(mediaType string) bool {
	switch mediaType {
	case "image/png", "image/jpeg", "image/gif", "image/webp":
		return true
	}
	return false
}

func shown(r io.Reader) string {
	raw, err := io.ReadAll(io.LimitReader(r, maxShown))
	if err != nil && !errors.Is(err, io.EOF) && len(raw) == 0 {
		return "We can't read this part: " + err.Error()
	}
	text := strings.ReplaceAll(string(raw), "\r\n", "\n")
	return strings.ToValidUTF8(strings.ReplaceAll(text, "\x00", ""), "\uFFFD")
}

// textOf is a plain reading of HTML, for letters without a text part.
func textOf(source string) string {
	var out strings.Builder
	z := html.NewTokenizer(strings.NewReader(source))
	hidden := 0
	for {
		switch z.Next() {
		case html.ErrorToken:
			return strings.TrimSpace(out.String())
		case html.TextToken:
			if hidden == 0 {
				out.WriteString(strings.Join(strings.Fields(string(z.Text())), " ") + " ")
			}
		case html.StartTagToken, html.SelfClosingTagToken:
			switch name, _ := z.TagName(); atom.Lookup(name) {
			case atom.Style, atom.Script, atom.Title:
				hidden++
			case atom.Br, atom.P, atom.Div, atom.Tr, atom.Li, atom.H1, atom.H2, atom.H3:
				out.WriteString("\n")
			}
		case html.EndTagToken:
			switch name, _ := z.TagName(); atom.Lookup(name) {
			case atom.Style, atom.Script, atom.Title:
				hidden = max(0, hidden-1)
			}
		}
	}
}

// framed is the HTML part made fit for its frame: pictures of the letter in
// place of their cid: addresses, links open a new tab, mailto: links open the
// compose page (compose turns one into its address), and what has no place in a
// letter is left out. The frame's sandbox and policy are the wall; this is
// what makes the letter look and work as in a mail client.
func (l *openLetter) framed(compose func(mailto string) string) (string, error) {
	doc, err := html.Parse(strings.NewReader(l.HTML))
	if err != nil {
		return "", err
	}
	l.fit(doc, compose)
	var out strings.Builder
	err = html.Render(&out, doc)
	return out.String(), err
}

func (l *openLetter) fit(n *html.Node, compose func(string) string) {
	for child := n.FirstChild; child != nil; {
		next := child.NextSibling
		if child.Type == html.ElementNode && unwelcome(child.DataAtom) {
			n.RemoveChild(child)
		} else {
			l.fit(child, compose)
		}
		child = next
	}
	if n.Type != html.ElementNode {
		return
	}
	kept := n.Attr[:0]
	target := ""
	for _, attr := range n.Attr {
		switch name := strings.ToLower(attr.Key); {
		case strings.HasPrefix(name, "on"), name == "target", name == "ping", name == "srcset":
			continue
		case name == "src", name == "background":
			if id, ok := strings.CutPrefix(attr.Val, "cid:"); ok {
				if unescaped, err := url.PathUnescape(id); err == nil {
					id = unescaped
				}
				attr.Val = l.pictures[id]
			}
		case name == "href":
			link, err := url.Parse(strings.TrimSpace(attr.Val))
			switch {
			case err != nil:
				continue
			case link.Scheme == "mailto":
				attr.Val, target = compose(link.String()), "_top"
			case link.Scheme == "http", link.Scheme == "https":
				target = "_blank"
			default:
				continue
			}
		}
		kept = append(kept, attr)
	}
	n.Attr = kept
	if target != "" {
		n.Attr = append(n.Attr, html.Attribute{Key: "target", Val: target}, html.Attribute{Key: "rel", Val: "noopener noreferrer"})
	}
}

func unwelcome(a atom.Atom) bool {
	switch a {
	case atom.Script, atom.Iframe, atom.Frame, atom.Frameset, atom.Object, atom.Embed, atom.Applet,
		atom.Base, atom.Meta, atom.Link, atom.Form, atom.Svg, atom.Math, atom.Template, atom.Noscript:
		return true
	}
	return false
}

// A block is lines of a letter's text: prose, or a map drawn of slashes, whose lines must not be
// broken.
type block struct {
	text  string
	drawn bool
}

func blocks(text string) (out []block) {
	begin, end := 0, 0 // of the last block
	for line := range strings.Lines(text) {
		bare := strings.TrimLeft(line, " ")
		drawn := strings.HasPrefix(bare, "/") || strings.HasPrefix(bare, "\\")
		drawn = drawn && strings.Count(line, "/")+strings.Count(line, "\\") >= 4
		if n := len(out); n == 0 || out[n-1].drawn != drawn {
			begin, out = end, append(out, block{drawn: drawn})
		}
		end += len(line)
		out[len(out)-1].text = text[begin:end]
	}
	return out
}
