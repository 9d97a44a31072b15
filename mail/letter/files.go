package letter

import (
	"mime"
	"slices"
	"strings"
)

// What a letter brings besides its text: files, and links to elsewhere.

const (
	maxFiles    = 10 // files that are named
	maxFileName = 80 // characters of a file's name
)

// byPrograms are the types of parts that mail programs add by themselves: signatures, keys,
// business cards, calendars. No one expects them to be read as orders.
var byPrograms = []string{"application/pgp-signature", "application/pkcs7-signature", "application/x-pkcs7-signature", "application/pgp-keys", "application/pgp-encrypted",
	"text/vcard", "text/x-vcard", "text/directory", "text/calendar", "application/ics", "text/x-amp-html", "application/ms-tnef", "application/vnd.ms-tnef"}

// files names the attached files of a letter, which we do not read, some of them if there are
// many. A picture within the text does not count.
func files(top *part) (names []string) {
	top.leaves(func(p *part) {
		disposition := strings.ToLower(p.head.get("content-disposition"))
		text := p.typ == "text/plain" || p.typ == "text/html" || p.typ == "text/markdown"
		switch {
		case len(names) >= maxFiles, slices.Contains(byPrograms, p.typ), p == top && text, text && !p.attached():
			return
		case strings.HasPrefix(p.typ, "image/") && !strings.HasPrefix(disposition, "attachment") && (p.head.has("content-id") || strings.HasPrefix(disposition, "inline")):
			return
		}
		if name := p.fileName(); !slices.Contains(names, name) {
			names = append(names, name)
		}
	})
	return names
}

// fileName is the name of a part that is a file; its type if it has none.
func (p *part) fileName() string {
	name := p.params["name"]
	if _, params, err := mime.ParseMediaType(p.head.get("content-disposition")); err == nil && params["filename"] != "" {
		name = params["filename"]
	}
	name = decodeWords(first(name, maxField))
	if name == "" {
		name = clean(first(p.typ, maxField))
	}
	if r := []rune(name); len(r) > maxFileName {
		name = string(r[:maxFileName-1]) + "…"
	}
	return name
}

var (
	textLink = compile(`(?i)https?:|\bwww\.|://`)
	htmlLink = compile(`(?i)\b(href|src|action|background)\s*=\s*["']?\s*(https?:|ftp:|www\.|//)`)
)

// linked reports whether a letter leads elsewhere: by an address of the web in its text, or
// by one behind its HTML.
func linked(top *part, text []line) bool {
	if slices.ContainsFunc(text, func(l line) bool { return textLink.in(l.text) }) {
		return true
	}
	found := false
	top.leaves(func(p *part) {
		found = found || p.typ == "text/html" && !p.attached() && htmlLink.in(string(p.decoded()))
	})
	return found
}

// writtenTo reports whether a letter's author wrote it to an address of the pattern, in To or
// Cc, with a token or without.
func writtenTo(h header, patterns []string) bool {
	return slices.ContainsFunc(addressesIn(h, addresseeFields), func(a string) bool { return ours(strings.ToLower(a), patterns) })
}
