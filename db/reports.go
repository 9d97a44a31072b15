package db

import (
	"database/sql"
	"encoding/json"
	"fmt"

	"angelpost/engine/store"
)

func (t *tx) Ignores(player int64) (out []store.Ignored, err error) {
	err = t.each("SELECT player, other, name FROM ignored WHERE player = ? ORDER BY name, other", []any{player}, func(r *sql.Rows) error {
		var i store.Ignored
		err := r.Scan(&i.Player, &i.Other, &i.Name)
		out = append(out, i)
		return err
	})
	return out, err
}

func (t *tx) Ignore(i store.Ignored) error {
	_, err := t.exec("INSERT OR REPLACE INTO ignored (player, other, name) VALUES (?, ?, ?)", i.Player, i.Other, i.Name)
	return err
}

func (t *tx) Unignore(player, other int64) error {
	_, err := t.exec("DELETE FROM ignored WHERE player = ? AND other = ?", player, other)
	return err
}

func (t *tx) AddReport(r *store.Report) error {
	messages, err := json.Marshal(r.Messages)
	if err != nil {
		return fmt.Errorf("report: %w", err)
	}
	res, err := t.exec("INSERT INTO reports (at, game, reporter, player, name, reason, messages) VALUES (?, ?, ?, ?, ?, ?, ?)",
		ms(r.At), r.Game, r.Reporter, r.Player, r.Name, r.Reason, string(messages))
	if err != nil {
		return err
	}
	r.ID, err = res.LastInsertId()
	return err
}

func (t *tx) Reports(after int64, limit int) (out []store.Report, err error) {
	err = t.each("SELECT id, at, game, reporter, player, name, reason, messages FROM reports WHERE id > ? ORDER BY id LIMIT ?", []any{after, limit},
		func(r *sql.Rows) error {
			var x store.Report
			var when int64
			var messages string
			if err := r.Scan(&x.ID, &when, &x.Game, &x.Reporter, &x.Player, &x.Name, &x.Reason, &messages); err != nil {
				return err
			}
			x.At = at(when)
			out = append(out, x)
			return json.Unmarshal([]byte(messages), &out[len(out)-1].Messages)
		})
	return out, err
}
