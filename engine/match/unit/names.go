package unit

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"angelpost/engine/match/naming"
	"angelpost/engine/notice"
	"angelpost/engine/order"
	"angelpost/engine/store"
)

// tidyName returns a name as we show it: normalised, without control or format characters.
func (u *Unit) tidyName(name string) string { return naming.Unlinked(naming.Clean(u.NFC(name), false)) }

// ProperName returns a name as we show it, and whether it is allowed: at most 32 runes, at
// least one of them visible, not an address, not a word of the order language and not one of
// the server's names.
func (u *Unit) ProperName(name string) (string, bool) {
	name = u.tidyName(name)
	key := order.Key(name)
	switch {
	case key == "" || utf8.RuneCountInString(name) > naming.MaxNameRunes || len(name) > order.MaxName:
		return "", false
	case strings.ContainsAny(name, naming.NotInNames):
		return "", false
	case strings.Map(naming.Seen, u.Skeleton(name)) == "":
		return "", false
	case len(key) == 1 && key[0] >= '0' && key[0] <= '9':
		return "", false
	case u.Replays.Namer.Ours(name):
		return "", false
	}
	return name, true
}

// Taken reports whether another place has the name, or one that looks like it.
func (u *Unit) Taken(t *Game, name string, place int) bool {
	return slices.ContainsFunc(t.Seats, func(x store.Seat) bool {
		return x.Place != place && x.Name != "" && u.Replays.Namer.Alike(x.Name, name)
	})
}

// TakenIn reports whether another player of a league has the name, or one that looks like it.
func (u *Unit) TakenIn(c *League, name string, player int64) bool {
	u.LeagueNames(c)
	return slices.ContainsFunc(u.Replays.Namer.Looks(name), func(look string) bool {
		of, ok := c.names.Looks[look]
		return ok && of != player
	})
}

// MemberNamed returns the player of a league with a name or an address, 0 if none.
func (u *Unit) MemberNamed(c *League, name string) int64 {
	name = strings.Trim(name, "\"'“”„‘’ ")
	if a := u.Address(name); a != "" {
		if row := u.AddressOf(a); c.State.Player(row.Player) != nil {
			return row.Player
		}
	}
	for id, called := range u.LeagueNames(c) {
		if order.Key(called) == order.Key(name) {
			return id
		}
	}
	for _, look := range u.Replays.Namer.Looks(name) {
		if id, ok := c.names.Looks[look]; ok {
			return id
		}
	}
	return 0
}

// TakenInLeagues is TakenIn for all leagues that a player is in.
func (u *Unit) TakenInLeagues(name string, player int64) (bool, error) {
	rows, err := u.Tx.LeaguesOf(player)
	if err != nil {
		return false, err
	}
	for _, row := range rows {
		if row.Over {
			continue
		}
		c, err := u.League(row.ID)
		if u.Replays.Without(row.ID, err) {
			continue
		}
		if err != nil {
			return false, err
		}
		if taken := u.TakenIn(c, name, player); taken {
			return taken, nil
		}
	}
	return false, nil
}

// BadName refuses a name that is not allowed, and proposes one that is.
func (u *Unit) BadName(wish string, taken func(string) bool) *notice.Problem {
	return notice.Refuse(notice.ProblemBadName, "word", wish, "name", u.FreeName(wish, taken))
}

// NameTaken refuses a name that another player has; see BadName.
func (u *Unit) NameTaken(wish string, taken func(string) bool) *notice.Problem {
	return notice.Refuse(notice.ProblemName, "word", wish, "name", u.FreeName(wish, taken))
}

// FreeName returns a free name like the one wished for: tidied, with a number, or else another.
func (u *Unit) FreeName(wish string, taken func(string) bool) string {
	wish, _, _ = strings.Cut(wish, "@")
	wish = u.tidyName(strings.Map(func(r rune) rune {
		if strings.ContainsRune(naming.NotInNames, r) {
			return ' '
		}
		return r
	}, wish))
	const most = 99 // of one name
	for room := len(" 99"); utf8.RuneCountInString(wish) > naming.MaxNameRunes-room || len(wish) > order.MaxName-room; {
		_, n := utf8.DecodeLastRuneInString(wish)
		wish = strings.TrimSpace(wish[:len(wish)-n])
	}
	for _, name := range append([]string{wish}, store.Crew...) {
		for n := 1; n <= most; n++ {
			numbered := name
			if n > 1 {
				numbered += " " + strconv.Itoa(n)
			}
			proper, ok := u.ProperName(numbered)
			if !ok {
				break
			}
			if !taken(proper) {
				return proper
			}
		}
	}
	return store.Crew[0] + " " + strconv.Itoa(most+1)
}
