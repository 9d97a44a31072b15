package match

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"angelpost/engine/notice"
	"angelpost/engine/order"
	"angelpost/engine/store"
)

// Names tell players apart, so none may be taken for another's: in a game, in a league,
// or for the server's own. Two names are alike if they have a look in common (looks).
// A name that is alike is refused with one that is free, if its player asked for it,
// and otherwise not used.

// Names that are the server's, or mean something else in orders and letters.
var (
	// No name begins with one of these words.
	reservedFirst = []string{"seat", "player", "all", "everybody", "everyone", "bot", "neutral", "nobody", "to", "and", "angelpost"}
	// None is one of these, or one with a number behind it; the last are orders, which
	// their players would give by signing.
	reservedNames = []string{"seat", "player", "bot", "neutral", "Angelpost", "Black Angel", "Hal", "server", "host", "organiser",
		"organizer", "director", "assistant", "moderator", "admin", "administrator", "postmaster", "public", "you", "me",
		"B", "done", "pass", "undo", "yes", "no"}
	// Names to propose where the one wished for cannot be mended.
	crew = []string{"Pilot", "Captain", "Navigator", "Engineer", "Doctor", "Gunner", "Steward", "Ensign"}
)

const (
	maxNameRunes = 32
	notInNames   = "@<>|:;,\"\\#"
)

// A namer knows which names are the server's.
type namer struct {
	skeleton func(string) string
	reserved map[string]bool // looks of whole names
	first    map[string]bool // looks of first words
}

func newNamer(skeleton func(string) string) *namer {
	n := &namer{skeleton, map[string]bool{}, map[string]bool{}}
	for _, x := range []struct {
		looks map[string]bool
		of    []string
	}{{n.reserved, reservedNames}, {n.first, reservedFirst}} {
		for _, name := range x.of {
			for _, look := range n.looks(name) {
				x.looks[look] = true
			}
		}
	}
	return n
}

// looks are the forms in which a name is compared, each without regard to case: as
// orders read it; without blanks, by its skeleton; and by the skeleton of its letters
// and digits without accents. Case is folded before the skeleton is made, and after: I
// looks like l, and is an i.
func (n *namer) looks(name string) (out []string) {
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
		look = strings.Map(seen, look)
		if look != "" && !slices.Contains(out, look) {
			out = append(out, look)
		}
	}
	return out
}

// seen is a character that shows, -1 for a blank one.
func seen(r rune) rune {
	if unicode.IsSpace(r) || r == '\u2800' || r == '\U0001d159' { // Braille and musical blanks
		return -1
	}
	return r
}

// withoutAccents takes general accents off ASCII letters; those of other scripts tell
// letters apart.
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

// accents reports whether a character is of Unicode's blocks of combining diacritical
// marks.
func accents(r rune) bool {
	return r >= 0x300 && r <= 0x36f || r >= 0x1ab0 && r <= 0x1aff || r >= 0x1dc0 && r <= 0x1dff || r >= 0x20d0 && r <= 0x20ff || r >= 0xfe20 && r <= 0xfe2f
}

// alike reports whether two names look the same.
func (n *namer) alike(a, b string) bool {
	looks := n.looks(b)
	return slices.ContainsFunc(n.looks(a), func(look string) bool { return slices.Contains(looks, look) })
}

// ours reports whether a name could be taken for one of the server's, or for an order.
func (n *namer) ours(name string) bool {
	is := func(of map[string]bool, name string) bool {
		return slices.ContainsFunc(n.looks(name), func(look string) bool { return of[look] })
	}
	first, _, _ := strings.Cut(name, " ")
	key, _, _ := strings.Cut(order.Key(name), " ")
	unnumbered := strings.TrimRightFunc(name, func(r rune) bool { return !unicode.IsLetter(r) })
	return is(n.reserved, name) || is(n.reserved, unnumbered) || is(n.first, first) || is(n.first, key)
}

// tidyName is a name as it is shown: normalised, without control or format characters.
func (s *unit) tidyName(name string) string { return unlinked(clean(s.NFC(name), false)) }

// properName is a name as it is shown, if it can be one: at most 32 runes, with something
// to see, no address, no word of the order language and none of the server's names.
func (s *unit) properName(name string) (string, bool) {
	name = s.tidyName(name)
	key := order.Key(name)
	switch {
	case key == "" || utf8.RuneCountInString(name) > maxNameRunes || len(name) > order.MaxName:
		return "", false
	case strings.ContainsAny(name, notInNames):
		return "", false
	case strings.Map(seen, s.Skeleton(name)) == "":
		return "", false
	case len(key) == 1 && key[0] >= '0' && key[0] <= '9':
		return "", false
	case s.cache.Namer.ours(name):
		return "", false
	}
	return name, true
}

// taken reports whether another place bears the name, or one that looks like it.
func (s *unit) taken(t *table, name string, place int) bool {
	return slices.ContainsFunc(t.seats, func(x store.Seat) bool {
		return x.Place != place && x.Name != "" && s.cache.Namer.alike(x.Name, name)
	})
}

// takenIn reports whether another player of a league is called so, or looks it.
func (s *unit) takenIn(c *leagueUnit, name string, player int64) bool {
	s.leagueNames(c)
	return slices.ContainsFunc(s.cache.Namer.looks(name), func(look string) bool {
		of, ok := c.names.looks[look]
		return ok && of != player
	})
}

// takenInLeagues is takenIn of all leagues that a player is in.
func (s *unit) takenInLeagues(name string, player int64) (bool, error) {
	rows, err := s.tx.LeaguesOf(player)
	if err != nil {
		return false, err
	}
	for _, row := range rows {
		if row.Over {
			continue
		}
		c, err := s.league(row.ID)
		if s.cache.without(row.ID, err) {
			continue
		}
		if err != nil {
			return false, err
		}
		if taken := s.takenIn(c, name, player); taken {
			return taken, nil
		}
	}
	return false, nil
}

// badName refuses a name that cannot be one, nameTaken one that is another's; both
// propose one that can be.
func (s *unit) badName(wish string, taken func(string) bool) *notice.Problem {
	return notice.Refuse(notice.ProblemBadName, "word", wish, "name", s.freeName(wish, taken))
}

func (s *unit) nameTaken(wish string, taken func(string) bool) *notice.Problem {
	return notice.Refuse(notice.ProblemName, "word", wish, "name", s.freeName(wish, taken))
}

// freeName is a name like the one wished for that can be had: mended, with a number, or
// else another.
func (s *unit) freeName(wish string, taken func(string) bool) string {
	wish, _, _ = strings.Cut(wish, "@")
	wish = s.tidyName(strings.Map(func(r rune) rune {
		if strings.ContainsRune(notInNames, r) {
			return ' '
		}
		return r
	}, wish))
	const most = 99 // of one name
	for room := len(" 99"); utf8.RuneCountInString(wish) > maxNameRunes-room || len(wish) > order.MaxName-room; {
		_, n := utf8.DecodeLastRuneInString(wish)
		wish = strings.TrimSpace(wish[:len(wish)-n])
	}
	for _, name := range append([]string{wish}, crew...) {
		for n := 1; n <= most; n++ {
			numbered := name
			if n > 1 {
				numbered += " " + strconv.Itoa(n)
			}
			proper, ok := s.properName(numbered)
			if !ok {
				break
			}
			if !taken(proper) {
				return proper
			}
		}
	}
	return crew[0] + " " + strconv.Itoa(most+1)
}
