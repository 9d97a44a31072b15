package db

import (
	"database/sql"
	"encoding/json"
	"fmt"

	"angelpost/engine/game"
)

func (t *tx) AddTenures(game string, tenures []game.Tenure) error {
	for _, s := range tenures {
		if _, err := t.exec(`INSERT INTO stints (game, place, since, player, bot, name, why)
			VALUES ((SELECT number FROM games WHERE id = ?), ?, ?, ?, ?, ?, ?)`, game, s.Place, s.Since, s.Player, s.Bot, s.Name, s.Why); err != nil {
			return fmt.Errorf("tenure at place %d of game %s: %w", s.Place, game, err)
		}
	}
	return nil
}

func (t *tx) Tenures(games []string) (map[string][]game.Tenure, error) {
	out := make(map[string][]game.Tenure, len(games))
	list, err := json.Marshal(games)
	if err != nil {
		return nil, err
	}
	err = t.each(`SELECT games.id, place, since, player, bot, stints.name, why FROM json_each(?) AS j JOIN games ON games.id = j.value
		JOIN stints ON stints.game = games.number ORDER BY games.number, since, place`, []any{string(list)}, func(r *sql.Rows) error {
		var id string
		var s game.Tenure
		err := r.Scan(&id, &s.Place, &s.Since, &s.Player, &s.Bot, &s.Name, &s.Why)
		out[id] = append(out[id], s)
		return err
	})
	return out, err
}
