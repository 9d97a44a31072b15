package leagues

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"angelpost/engine/league"
	"angelpost/engine/match/unit"
	"angelpost/engine/order"
	"angelpost/engine/store"
)

// maxID bounds a league's id.
const maxID = 40

// ID returns the id of a league with that name: its letters and digits, without accents as far
// as order.Key removes them; "" if nothing is left.
func ID(name string) string {
	var b strings.Builder
	for _, r := range order.Key(name) {
		switch {
		case r < unicode.MaxASCII && (unicode.IsLetter(r) || unicode.IsDigit(r)):
			b.WriteRune(r)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
		if b.Len() >= maxID {
			break
		}
	}
	return strings.Trim(b.String(), "-")
}

// Called reports whether a league has that id, or a name of that id.
func Called(l store.League, id string) bool { return l.ID == id || ID(l.Name) == id }

// maxNamed is above the number of leagues that a server can have.
const maxNamed = 1000

// Names reports whether the file of a league names an address: as a director's, or as that of a
// player who may join.
func Names(u *unit.Unit, address string) (bool, error) {
	rows, err := u.Tx.Leagues("", maxNamed)
	if err != nil {
		return false, err
	}
	local, _, _ := strings.Cut(address, "@")
	for _, row := range rows {
		if !strings.Contains(strings.ToLower(row.File), local) {
			continue
		}
		r, err := league.ParseRules(row.File)
		if err != nil { // of a later version
			continue
		}
		if slices.ContainsFunc(slices.Concat(r.Directors, r.Admitted), func(a string) bool { return a != "" && u.Address(a) == address }) {
			return true, nil
		}
	}
	return false, nil
}

// Row returns a league by its id or its name, ignoring case; store.ErrNotFound, wrapped, if
// there is none.
func Row(tx store.Tx, name string) (store.League, error) {
	id := ID(name)
	row, err := tx.League(id)
	if !errors.Is(err, store.ErrNotFound) {
		return row, err
	}
	rows, others := tx.Leagues("", maxNamed)
	if others != nil {
		return row, others
	}
	if i := slices.IndexFunc(rows, func(l store.League) bool { return Called(l, id) }); i >= 0 && id != "" {
		return rows[i], nil
	}
	return row, err
}

// Meant is Row for names that people type: it accepts a part of the name that fits no other
// league.
func Meant(tx store.Tx, name string) (store.League, error) {
	row, err := Row(tx, name)
	if id := ID(name); errors.Is(err, store.ErrNotFound) && id != "" {
		rows, others := tx.Leagues("", maxNamed)
		if others != nil {
			return row, others
		}
		rows = slices.DeleteFunc(rows, func(l store.League) bool { return !HasPart(l.ID, id) && !HasPart(ID(l.Name), id) })
		if len(rows) == 1 {
			return rows[0], nil
		}
	}
	return row, err
}

// HasPart reports whether a league's id begins with a part, or has it as whole words.
func HasPart(id, part string) bool {
	return strings.HasPrefix(id, part) || strings.Contains("-"+id+"-", "-"+part+"-")
}

// Number is the number of a league's game: its season, its division or round, and which
// of its games.
func Number(s *league.State, f *league.Fixture) string {
	of, n := f.Round, f.Table
	if s.Rules.Kind == league.Divisions {
		of = f.Division
		d := s.Seasons[f.Season-1].Divisions[f.Division-1]
		n = slices.IndexFunc(d.Fixtures, func(g *league.Fixture) bool { return g.ID == f.ID }) + 1
	}
	return fmt.Sprintf("%d.%d.%d", f.Season, of, n)
}

// GameNamed returns the id of the game that has a name: "Iron League 1.1.3" or the league's id
// and the number for a game of a league, or the only game with that name. An id is returned as
// it is; "" means that no game has the name.
func GameNamed(tx store.Tx, name string, open func(id string) (*league.State, error)) (string, error) {
	name = strings.Trim(strings.Join(strings.Fields(name), " "), "\"'`“”„‘’«»")
	if id := strings.ToLower(name); order.IsGameID(id) {
		return id, nil
	}
	i := strings.LastIndexByte(name, ' ')
	if i < 0 || !order.IsGameNumber(name[i+1:]) {
		all, err := tx.GamesCalled(name, 2)
		if err != nil || len(all) != 1 {
			return "", err
		}
		return all[0].ID, nil
	}
	row, err := Row(tx, name[:i])
	if errors.Is(err, store.ErrNotFound) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	s, err := open(row.ID)
	if err != nil {
		return "", err
	}
	for _, f := range s.Fixtures {
		if f.Game != "" && Number(s, f) == name[i+1:] {
			return f.Game, nil
		}
	}
	return "", nil
}

// GameID is GameNamed for a unit of work; a name that no game has stays as it is.
func GameID(u *unit.Unit, name string) (string, error) {
	id, err := GameNamed(u.Tx, name, func(id string) (*league.State, error) {
		c, err := u.League(id)
		if err != nil {
			return nil, err
		}
		return c.State, nil
	})
	if id == "" {
		id = name
	}
	return id, err
}
