package templates

import (
	"regexp"
	"strings"
	"sync"

	"github.com/a-h/templ"

	"angelpost/engine"
	"angelpost/engine/component"
	"angelpost/templates/draw"
	"angelpost/templates/markup"
	"angelpost/templates/table"
	"angelpost/templates/words"
)

// RuleHref is the address of a rule by its number, "R5.4".
func RuleHref(n string) string { return "/rules#" + n }

// CardHref is the address of a card or tile by the number that is printed on it.
func CardHref(n string) string { return PiecesHref(partOf(n)) + "#" + n }

// PiecesHref is the address of a part of the pieces.
func PiecesHref(part string) string { return "/cards/" + part }

// Parts are the pages that draw the pieces: all of them on one page are too heavy.
var Parts = []string{partMissions, partTiles, partBoards}

// PartTitle is the message that heads a part of the pieces; "" is all of them.
func PartTitle(part string) string { return partTitles[part] }

var partTitles = map[string]string{"": "book.part-all", partMissions: "book.part-missions", partTiles: "book.part-tiles", partBoards: "book.part-boards"}

const (
	partMissions = "missions"
	partTiles    = "tiles"
	partBoards   = "boards"
)

// partOf is where the card or tile of a number is drawn.
func partOf(n string) string {
	switch {
	case n[0] > '9':
		return partTiles
	case n <= engine.Card(component.Missions).String():
		return partMissions
	}
	return partBoards
}

// A Book is a page that explains, whole or as far as a search finds it.
type Book struct {
	Frame
	Voice    *words.Voice // of the built-in set
	Search   string       // "" everything
	Found    int
	Chapters []words.Chapter   // of the rules
	Groups   []words.HelpGroup // of the words of letters
	Pieces   []chapter         // of the component set
	Part     string            // of the pieces; "" all
	Drawn    bool              // the pieces are drawn, and not only listed
	Signs    []int             // icons
	Abouts   []draw.About      // kinds of things on the table
}

// NewRules is the page of the rules.
func NewRules(f Frame, search string) *Book {
	b := newBook(f, search)
	for _, c := range f.RuleBook() {
		if search != "" {
			var fit []words.Rule
			for _, r := range c.Rules {
				if words.Fits(search, append(r.Text, r.N)...) {
					fit = append(fit, r)
				}
			}
			c.Rules = fit
		}
		if b.Found += len(c.Rules); len(c.Rules) > 0 {
			b.Chapters = append(b.Chapters, c)
		}
	}
	return b
}

// NewHelp is the page of the words of letters.
func NewHelp(f Frame, search string) *Book {
	b := newBook(f, search)
	for _, g := range f.HelpBook() {
		if search != "" {
			var fit []words.HelpWord
			for _, w := range g.Words {
				if words.Fits(search, w.Name, w.Title, w.Text, strings.Join(w.Also, " ")) {
					fit = append(fit, w)
				}
			}
			g.Words = fit
		}
		if b.Found += len(g.Words); len(g.Words) > 0 {
			b.Groups = append(b.Groups, g)
		}
	}
	return b
}

// maxDrawn bounds the pieces that a search shows as drawings.
const maxDrawn = 60

// NewCards is the page of a part of the cards, tiles and boards, drawn; or, without a
// part, what lists all of them, and the icons.
func NewCards(f Frame, part, search string) *Book {
	b := newBook(f, search)
	b.Part = part
	fits := func(texts ...string) bool { return search == "" || words.Fits(search, texts...) }
	p := newComponents(b.Voice, component.Default(), nil)
	for _, c := range p.chapters() {
		if c.part == "" || part != "" && c.part != part {
			continue
		}
		var fit []thing
		for _, x := range c.things {
			if fits(append(x.lines, x.name)...) {
				fit = append(fit, x)
			}
		}
		if c.things = fit; len(fit) > 0 {
			b.Pieces = append(b.Pieces, c)
			b.Found += len(fit)
		}
	}
	b.Drawn = part != "" || search != "" && b.Found <= maxDrawn
	if part != "" {
		return b
	}
	for n, x := range draw.Explained {
		if fits(f.Say("sign." + x.Key)) {
			b.Signs = append(b.Signs, n)
			b.Found++
		}
	}
	for a := range draw.About(draw.Abouts) {
		if fits(f.Say("thing."+a.Key()), b.Voice.About(a)) {
			b.Abouts = append(b.Abouts, a)
			b.Found++
		}
	}
	return b
}

func newBook(f Frame, search string) *Book {
	return &Book{Frame: f, Voice: f.For(component.Default(), 0, nil), Search: search}
}

// A passage is a part of a text, and where it leads: "" nowhere.
type passage struct{ text, href string }

// named is what a text names, at its beginning: a rule, a card or a tile.
var named = regexp.MustCompile(`^(?:[RQ]\d+(?:\.\d+)?[a-h]?|[CE]\d+|0[0-9]{2}|[ats]\d{1,2})\b`)

// passages parts a text where it names a rule that there is, and with pieces also a card or
// a tile.
func passages(text string, pieces bool) (out []passage) {
	from := 0
	for i := 0; i+1 < len(text); i++ {
		// Most texts name nothing: the pattern is tried where a name can begin.
		if c := text[i+1]; c < '0' || c > '9' || strings.IndexByte("RQCE0ats", text[i]) < 0 || i > 0 && wordly(text[i-1]) {
			continue
		}
		n := named.FindString(text[i:])
		href := ""
		switch {
		case n == "":
			continue
		case strings.IndexByte("RQCE", n[0]) >= 0 && words.English().Has("rule."+n): // every language has the same
			href = RuleHref(n)
		case pieces && onCards()[n]:
			href = CardHref(n)
		default:
			continue
		}
		out = append(out, passage{text: text[from:i]}, passage{n, href})
		from = i + len(n)
		i = from - 1
	}
	return append(out, passage{text: text[from:]})
}

// linked writes passages, those that lead somewhere as links.
func linked(parts []passage) templ.Component {
	return markup.Component(func(b []byte) []byte { return appendLinked(b, parts) })
}

func appendLinked(b []byte, parts []passage) []byte {
	for _, p := range parts {
		if p.href == "" {
			b = markup.Text(b, p.text)
			continue
		}
		b = append(markup.Text(append(b, `<a href="`...), string(templ.URL(p.href))), `">`...)
		b = append(markup.Text(b, p.text), `</a>`...)
	}
	return b
}

// wordly reports whether a byte belongs to a word, as \b has it.
func wordly(c byte) bool {
	return c == '_' || '0' <= c && c <= '9' || 'A' <= c && c <= 'Z' || 'a' <= c && c <= 'z'
}

// onCards are the numbers of the cards and tiles that have an explanation.
var onCards = sync.OnceValue(func() map[string]bool {
	out := map[string]bool{}
	for c := engine.Card(1); c <= component.LastRaider; c++ {
		out[c.String()] = true
	}
	for t := engine.Tile(1); t < engine.FirstAdvanced+component.Advanced; t++ {
		out[t.String()] = true
	}
	return out
})

// chapterPictures are what is drawn next to a chapter of the rules.
func (b *Book) chapterPictures(n string) (out []templ.Component) {
	t := table.Printed(b.Voice, component.Default())
	add := func(x templ.Component) { out = append(out, x) }
	switch n {
	case "2":
		for side, key := range [2]string{"set.front", "set.back"} {
			add(table.Strip(t, 0, side, b.Say("set.strip", "n", 1, "side", b.Say(key))))
		}
	case "4":
		add(table.Start(t, b.Say("set.start")))
	case "5":
		for _, at := range []int{1, 3, 5, 2} {
			add(table.Room(t, at))
		}
		add(table.Display(t, b.Say("set.display")))
	case "8":
		for x := engine.FirstAdvanced; x < engine.FirstAdvanced+4; x++ {
			add(table.Tile(t, x, false))
		}
	case "10":
		for _, c := range []engine.Card{1, 21, 41} {
			add(table.Stamp(t, c))
		}
	case "11":
		for c := engine.Card(component.FirstRaider); c <= component.LastRaider; c += 6 {
			add(table.Raider(t, c))
		}
	case "12", "14":
		for _, x := range []engine.Tile{1, 17, 33} {
			add(table.Tile(t, x, n == "14"))
		}
	case "15":
		for i := range 3 {
			add(table.HalCard(t, i, b.Say("set.hal-card", "n", i+1)))
		}
	}
	return out
}

// helpID is the anchor of a word of letters.
func helpID(name string) string { return strings.ReplaceAll(name, " ", "-") }

// helpLines are the paragraphs of an entry of help, and its items.
func helpLines(text string) (paragraphs, items []string) {
	for _, line := range strings.Split(text, "\n") {
		if item, is := strings.CutPrefix(line, "- "); is {
			items = append(items, item)
		} else if line != "" {
			paragraphs = append(paragraphs, line)
		}
	}
	return paragraphs, items
}
