package db

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"slices"

	"angelpost/engine/notice"
	"angelpost/engine/store"
)

func (t *tx) AddRuling(game string, r *notice.Ruling) error {
	args, err := json.Marshal(r.RulingArgs)
	if err != nil {
		return err
	}
	var id int64
	if err := t.one("SELECT number, (SELECT coalesce(max(n), 0) + 1 FROM rulings WHERE game = number) FROM games WHERE id = ?", []any{game}, &id, &r.N); err != nil {
		return err
	}
	_, err = t.exec("INSERT INTO rulings (game, n, at, by, who, kind, args, reason, step) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
		id, r.N, ms(r.At), r.By, r.Who, string(r.Kind), string(args), r.Reason, r.Step)
	return err
}

func (t *tx) Rulings(game string) ([]notice.Ruling, error) {
	all, err := t.RulingsOf([]string{game})
	return all[game], err
}

func (t *tx) RulingsOf(games []string) (map[string][]notice.Ruling, error) {
	out := make(map[string][]notice.Ruling, len(games))
	list, err := json.Marshal(games)
	if err != nil {
		return nil, err
	}
	err = t.each(`SELECT games.id, n, at, by, who, kind, args, reason, step FROM json_each(?) AS j JOIN games ON games.id = j.value
		JOIN rulings ON rulings.game = games.number ORDER BY games.number, n`, []any{string(list)}, func(r *sql.Rows) error {
		var id, args string
		var when int64
		var u notice.Ruling
		if err := r.Scan(&id, &u.N, &when, &u.By, &u.Who, &u.Kind, &args, &u.Reason, &u.Step); err != nil {
			return err
		}
		u.At = at(when)
		if err := json.Unmarshal([]byte(args), &u.RulingArgs); err != nil {
			return fmt.Errorf("ruling %d of game %s: %w", u.N, id, err)
		}
		out[id] = append(out[id], u)
		return nil
	})
	return out, err
}

func (t *tx) OpenAppeals() ([]store.Appeal, error) {
	var games []string
	err := t.each(`SELECT DISTINCT games.id FROM rulings AS a JOIN games ON games.number = a.game WHERE a.kind = 'appeal'
		AND NOT EXISTS (SELECT 1 FROM rulings AS r WHERE r.game = a.game AND r.n > a.n AND r.kind <> 'appeal')`, nil, func(r *sql.Rows) error {
		games = append(games, "")
		return r.Scan(&games[len(games)-1])
	})
	if err != nil {
		return nil, err
	}
	all, err := t.RulingsOf(games)
	if err != nil {
		return nil, err
	}
	var out []store.Appeal
	for id, rulings := range all {
		for i := len(rulings) - 1; i >= 0 && rulings[i].Kind == "appeal"; i-- {
			out = append(out, store.Appeal{Game: id, Ruling: rulings[i], Against: rulings[max(rulings[i].Of, 1)-1]})
		}
	}
	slices.SortFunc(out, func(a, b store.Appeal) int { return a.At.Compare(b.At) })
	return out, nil
}
