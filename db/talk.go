package db

import (
	"database/sql"
	"errors"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"angelpost/engine/store"
)

func (t *tx) AddPress(p *store.Press) error {
	var game int64
	if err := t.one("SELECT number FROM games WHERE id = ?", []any{p.Game}, &game); err != nil {
		return err
	}
	res, err := t.exec("INSERT INTO press (game, place, dest, step, text, at, writer, reader) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
		game, p.Place, p.To, p.Step, p.Text, ms(p.At), p.Writer, p.Reader)
	if err != nil {
		return err
	}
	p.ID, err = res.LastInsertId()
	return err
}

func scanPress(r *sql.Rows, game string) (p store.Press, err error) {
	var when int64
	err = r.Scan(&p.ID, &p.Place, &p.To, &p.Step, &p.Text, &when, &p.Writer, &p.Reader)
	p.Game, p.At = game, at(when)
	return p, err
}

func (t *tx) Press(game string) (out []store.Press, err error) {
	err = t.each("SELECT id, place, dest, step, text, at, writer, reader FROM press WHERE game = (SELECT number FROM games WHERE id = ?) ORDER BY id", []any{game},
		func(r *sql.Rows) error {
			p, err := scanPress(r, game)
			out = append(out, p)
			return err
		})
	return out, err
}

// heard is what of a game's press a player may read, the youngest first.
const heard = `SELECT id, place, dest, step, text, at, writer, reader FROM press INDEXED BY press_game WHERE game = ?1 AND id < ?2
	AND (dest = 0 OR place = ?3 AND writer = ?4 OR dest = ?3 AND reader = ?4)
	AND (?5 OR writer NOT IN (SELECT other FROM ignored WHERE player = ?4)) ORDER BY id DESC`

func (t *tx) Heard(q store.PressQuery) (out []store.Press, err error) {
	var game int64
	if err := t.one("SELECT number FROM games WHERE id = ?", []any{q.Game}, &game); err != nil {
		return nil, err
	}
	before := int64(math.MaxInt64)
	if !q.Before.IsZero() {
		if err := t.one("SELECT coalesce(min(id), ?) FROM press INDEXED BY press_at WHERE game = ? AND at >= ?", []any{before, game, ms(q.Before)}, &before); err != nil {
			return nil, err
		}
	}
	words := folded(q.Words)
	if len(words) == 0 && q.Words != "" {
		return nil, nil
	}
	err = t.each(heard, []any{game, before, q.Place, q.Player, q.Ignored}, func(r *sql.Rows) error {
		p, err := scanPress(r, q.Game)
		if err == nil && hasAll(p.Text, words) {
			out = append(out, p)
			if len(out) == q.Limit {
				return errEnough
			}
		}
		return err
	})
	if errors.Is(err, errEnough) {
		err = nil
	}
	return out, err
}

// errEnough ends a search that has found as much as was asked for.
var errEnough = errors.New("enough")

// folded are the words of a text, without capitals and accents, maxWords at most.
func folded(text string) []string {
	words := wordsIn(text)
	return words[:min(len(words), maxWords)]
}

func wordsIn(text string) []string {
	var b strings.Builder
	for _, r := range norm.NFD.String(text) {
		switch {
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			b.WriteRune(unicode.ToLower(r))
		case !unicode.IsMark(r):
			b.WriteByte(' ')
		}
	}
	return strings.Fields(b.String())
}

// hasAll reports whether a text has a word that begins with each of some; one of a single letter
// stands for itself.
func hasAll(text string, words []string) bool {
	if len(words) == 0 {
		return true
	}
	in := wordsIn(text)
	for _, w := range words {
		if !slices.ContainsFunc(in, func(x string) bool { return x == w || utf8.RuneCountInString(w) > 1 && strings.HasPrefix(x, w) }) {
			return false
		}
	}
	return true
}
