package db

import (
	"database/sql"

	"angelpost/engine/store"
)

func (t *tx) Plans(game string) (out []store.Plan, err error) {
	err = t.each("SELECT place, player, turn, step, lines, told FROM plans WHERE game = (SELECT number FROM games WHERE id = ?) ORDER BY place", []any{game},
		func(r *sql.Rows) error {
			p := store.Plan{Game: game}
			err := r.Scan(&p.Place, &p.Player, &p.Turn, &p.Step, &p.Lines, &p.Told)
			out = append(out, p)
			return err
		})
	return out, err
}

func (t *tx) SavePlan(p store.Plan) error {
	if p.Lines == "" && p.Told == "" {
		_, err := t.exec("DELETE FROM plans WHERE game = (SELECT number FROM games WHERE id = ?) AND place = ?", p.Game, p.Place)
		return err
	}
	_, err := t.exec("INSERT OR REPLACE INTO plans (game, place, player, turn, step, lines, told) VALUES ((SELECT number FROM games WHERE id = ?), ?, ?, ?, ?, ?, ?)",
		p.Game, p.Place, p.Player, p.Turn, p.Step, p.Lines, p.Told)
	return err
}
