package db

import (
	"database/sql"

	"angelpost/engine/store"
)

func (t *tx) Standing(game string) (out []store.Standing, err error) {
	err = t.each("SELECT place, player, orders FROM standing WHERE game = (SELECT number FROM games WHERE id = ?) ORDER BY place", []any{game},
		func(r *sql.Rows) error {
			row := store.Standing{Game: game}
			err := r.Scan(&row.Place, &row.Player, &row.Orders)
			out = append(out, row)
			return err
		})
	return out, err
}

func (t *tx) SaveStanding(row store.Standing) (err error) {
	if row.Orders == "" {
		_, err = t.exec("DELETE FROM standing WHERE game = (SELECT number FROM games WHERE id = ?) AND place = ?", row.Game, row.Place)
		return err
	}
	_, err = t.exec("INSERT OR REPLACE INTO standing (game, place, player, orders) SELECT number, ?, ?, ? FROM games WHERE id = ?", row.Place, row.Player, row.Orders, row.Game)
	return err
}
