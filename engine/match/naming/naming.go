// Package naming keeps players from having names that look alike, and cleans text from people
// before others see it. It is pure.
package naming

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"angelpost/engine/order"
	"angelpost/engine/store"
)

// Names tell players apart, so none may look like another player's in a game or a league, or
// like the server's own. Two names are alike if they have a look in common (Looks). If a player
// asks for a name that is alike, we refuse it and suggest a free one; otherwise we don't use
// it.

// Names that are the server's, or mean something else in orders and letters.
var (
	// No name begins with one of these words.
	reservedFirst = []string{"seat", "player", "all", "everybody", "everyone", "bot", "neutral", "nobody", "to", "and", "angelpost"}
	// None is one of these or a stand-in, or one with a number behind it; the last are orders,
	// which their players would give by signing.
	reservedNames = []string{"seat", "player", "bot", "neutral", "Angelpost", "Black Angel", "Hal", "server", "host", "organiser",
		"organizer", "director", "assistant", "moderator", "admin", "administrator", "postmaster", "public", "you", "me",
		"B", "done", "pass", "undo", "yes", "no"}
)

const (
	MaxNameRunes = 32             // of a name, in characters
	NotInNames   = "@<>|:;,\"\\#" // characters that no name has
)

// A Namer knows which names are the server's.
type Namer struct {
	skeleton func(string) string
	reserved map[string]bool // looks of whole names
	first    map[string]bool // looks of first words
}

// New returns a Namer; skeleton makes names that look alike equal (Unicode TS 39).
func New(skeleton func(string) string) *Namer {
	n := &Namer{skeleton, map[string]bool{}, map[string]bool{}}
	for _, x := range []struct {
		looks map[string]bool
		of    []string
	}{{n.reserved, slices.Concat(reservedNames, store.StandIns())}, {n.first, reservedFirst}} {
		for _, name := range x.of {
			for _, look := range n.Looks(name) {
				x.looks[look] = true
			}
		}
	}
	return n
}

// Looks returns the forms in which a name is compared, each ignoring case: as orders read it;
// without blanks, by its skeleton; and by the skeleton of its letters and digits without
// accents. Case is folded before the skeleton is made, and after: I looks like l, and is an i.
func (n *Namer) Looks(name string) (out []string) {
	bare := strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) {
			return r
		}
		return -1
	}, name)
	out = []string{order.Key(name)}
	for _, look := range []string{
		n.skeleton(strings.ToLower(n.skeleton(name))),
		n.skeleton(strings.ToLower(name)),
		withoutAccents(n.skeleton(strings.ToLower(n.skeleton(bare)))),
		withoutAccents(n.skeleton(strings.ToLower(bare))),
	} {
		look = strings.Map(Seen, look)
		if look != "" && !slices.Contains(out, look) {
			out = append(out, look)
		}
	}
	return out
}

// Seen returns a visible character as it is, -1 for a blank one.
func Seen(r rune) rune {
	if unicode.IsSpace(r) || r == '\u2800' || r == '\U0001d159' { // Braille and musical blanks
		return -1
	}
	return r
}

// withoutAccents removes general accents from ASCII letters; in other scripts they distinguish
// letters.
func withoutAccents(s string) string {
	plain := false
	return strings.Map(func(r rune) rune {
		if plain && accents(r) {
			return -1
		}
		plain = r < utf8.RuneSelf
		return r
	}, s)
}

// accents reports whether a character is in one of Unicode's blocks of combining diacritical
// marks.
func accents(r rune) bool {
	return r >= 0x300 && r <= 0x36f || r >= 0x1ab0 && r <= 0x1aff || r >= 0x1dc0 && r <= 0x1dff || r >= 0x20d0 && r <= 0x20ff || r >= 0xfe20 && r <= 0xfe2f
}

// Alike reports whether two names look the same.
func (n *Namer) Alike(a, b string) bool {
	looks := n.Looks(b)
	return slices.ContainsFunc(n.Looks(a), func(look string) bool { return slices.Contains(looks, look) })
}

// Ours reports whether a name could be taken for one of the server's, or for an order.
func (n *Namer) Ours(name string) bool {
	is := func(of map[string]bool, name string) bool {
		return slices.ContainsFunc(n.Looks(name), func(look string) bool { return of[look] })
	}
	first, _, _ := strings.Cut(name, " ")
	key, _, _ := strings.Cut(order.Key(name), " ")
	unnumbered := strings.TrimRightFunc(name, func(r rune) bool { return !unicode.IsLetter(r) })
	return is(n.reserved, name) || is(n.reserved, unnumbered) || is(n.first, first) || is(n.first, key)
}
