package db

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"strings"

	"angelpost/engine/game"
	"angelpost/engine/store"
)

func (t *tx) Uncounted(after string, limit int) (out []store.Game, err error) {
	err = t.each("SELECT "+gameColumns+` FROM games INDEXED BY games_counted WHERE state = 'finished' AND counted = 0
		AND number > coalesce((SELECT number FROM games WHERE id = ?1), iif(?1 = '', 0, 1 << 62)) ORDER BY number LIMIT ?2`, []any{after, limit}, listed(&out))
	return out, err
}

func (t *tx) Counted(batch int, after string, limit int) (out []store.Game, err error) {
	err = t.each("SELECT "+gameColumns+` FROM games INDEXED BY games_counted WHERE state = 'finished' AND counted > 0
		AND (counted, number) > (?1, coalesce((SELECT number FROM games WHERE id = ?2), iif(?2 = '', 0, 1 << 62))) ORDER BY counted, number LIMIT ?3`, []any{batch, after, limit}, listed(&out))
	return out, err
}

func (t *tx) LogsOf(games []string) (map[string][]game.Line, error) {
	out := make(map[string][]game.Line, len(games))
	list, err := json.Marshal(games)
	if err != nil {
		return nil, err
	}
	err = t.each(`SELECT games.id, n, seat, by, line, told FROM json_each(?) AS j JOIN games ON games.id = j.value
		JOIN log ON log.game = games.number ORDER BY log.game, n`, []any{string(list)}, func(r *sql.Rows) error {
		var id, told string
		var l game.Line
		err := r.Scan(&id, &l.N, &l.Seat, word(writers, &l.By), &l.Order, &told)
		l.By, l.Bot = whichBot(l.By)
		if told != "" {
			l.Told = strings.Split(told, "; ")
		}
		out[id] = append(out[id], l)
		return err
	})
	return out, err
}

func (t *tx) SetBatch(games []string, from, batch int) (n int, err error) {
	list, err := json.Marshal(games)
	if err != nil {
		return 0, err
	}
	res, err := t.exec("UPDATE games SET counted = ? WHERE id IN (SELECT value FROM json_each(?)) AND counted = ?", batch, string(list), from)
	if err != nil {
		return 0, err
	}
	changed, err := res.RowsAffected()
	return int(changed), err
}

func (t *tx) RetryUncountable() error {
	_, err := t.exec("UPDATE games INDEXED BY games_counted SET counted = 0 WHERE state = 'finished' AND counted = -1")
	return err
}

func (t *tx) CountedVoid() (out []store.Game, err error) {
	err = t.each("SELECT "+gameColumns+" FROM games INDEXED BY games_voided WHERE state = 'void' AND counted > 0", nil, listed(&out))
	return out, err
}

func (t *tx) UncountVoid() error {
	_, err := t.exec("UPDATE games INDEXED BY games_voided SET counted = 0 WHERE state = 'void' AND counted > 0")
	return err
}

func (t *tx) LastBatch() (n int, err error) {
	err = t.one("SELECT coalesce(max(counted), 0) FROM games INDEXED BY games_counted WHERE state = 'finished' AND counted > 0", nil, &n)
	return n, err
}

func scanFigures(scan func(...any) error) (f store.Figures, err error) {
	var options string
	if err := scan(&f.Kind, &options, &f.Games, &f.Series); err != nil {
		return f, err
	}
	if err := json.Unmarshal([]byte(options), &f.Options); err != nil {
		return f, fmt.Errorf("options of %s: %w", f.Kind, err)
	}
	return f, nil
}

func (t *tx) Figures(kind string) (store.Figures, error) {
	return scanFigures(func(into ...any) error {
		return t.one("SELECT kind, options, games, series FROM statistics WHERE kind = ?", []any{kind}, into...)
	})
}

func (t *tx) AllFigures() (out []store.Figures, err error) {
	err = t.each("SELECT kind, options, games, series FROM statistics WHERE kind > '' ORDER BY kind", nil, func(r *sql.Rows) error {
		f, err := scanFigures(r.Scan)
		out = append(out, f)
		return err
	})
	return out, err
}

func (t *tx) SaveFigures(f store.Figures) error {
	options, err := json.Marshal(f.Options)
	if err != nil {
		return err
	}
	_, err = t.exec("INSERT OR REPLACE INTO statistics (kind, options, games, series) VALUES (?, ?, ?, ?)", f.Kind, string(options), f.Games, string(f.Series))
	return err
}

func (t *tx) DropFigures() error {
	_, err := t.exec("DELETE FROM statistics WHERE kind > ''")
	return err
}
