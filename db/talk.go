package db

import (
	"database/sql"
	"fmt"
	"math"

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
	if p.ID, err = res.LastInsertId(); err != nil {
		return err
	}
	_, err = t.exec("INSERT INTO said (docid, text) VALUES (?, ?)", p.ID, fmt.Sprint(p.Text, " zzg", game))
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

// What of a game's press a player may read, the youngest first, all of it or
// what has certain words.
const (
	heard = `press.id, place, dest, step, press.text, at, writer, reader`
	mine  = ` AND (dest = 0 OR place = ?3 AND writer = ?4 OR dest = ?3 AND reader = ?4)
		AND (?7 OR writer NOT IN (SELECT other FROM ignored WHERE player = ?4))`

	allHeard   = "SELECT " + heard + " FROM press INDEXED BY press_game WHERE game = ?1 AND press.id < ?2" + mine + " ORDER BY press.id DESC LIMIT ?5"
	wordsHeard = "SELECT " + heard + " FROM said CROSS JOIN press ON press.id = said.docid WHERE said.text MATCH ?6 AND said.docid < ?2 AND press.game = ?1" + mine + " ORDER BY said.docid DESC LIMIT ?5"
)

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
	query, args := allHeard, []any{game, before, q.Place, q.Player, q.Limit, "", q.Ignored}
	if q.Words != "" {
		list := wordsOf(q.Words)
		if len(list) == 0 {
			return nil, nil
		}
		query, args[5] = wordsHeard, quoted(append(list, fmt.Sprint("zzg", game)))
	}
	err = t.each(query, args, func(r *sql.Rows) error {
		p, err := scanPress(r, q.Game)
		out = append(out, p)
		return err
	})
	return out, err
}
