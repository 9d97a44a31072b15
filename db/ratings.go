package db

import (
	"database/sql"
	"encoding/json"
	"fmt"

	"angelpost/engine/store"
)

func (t *tx) Rated() (finish int, err error) {
	err = t.one("SELECT value FROM meta WHERE key = 'rated'", nil, &finish)
	return finish, err
}

func (t *tx) setRated(finish int) error {
	_, err := t.exec("UPDATE meta SET value = ? WHERE key = 'rated'", finish)
	return err
}

func (t *tx) LastRated() (finish int, err error) {
	err = t.one("SELECT coalesce(max(finish), 0) FROM rated", nil, &finish)
	return finish, err
}

func (t *tx) RateAnew() error { return t.setRated(0) }

func (t *tx) ToRate(after, limit int) (out []store.Game, err error) {
	err = t.each("SELECT "+gameColumns+" FROM games INDEXED BY games_finish WHERE finish > ? AND finish > 0 ORDER BY finish LIMIT ?", []any{after, limit}, listed(&out))
	return out, err
}

const ratingColumns = `kind, player, bot, name, games, mu, sigma, finish`

func scanRating(r *sql.Rows) (x store.Rating, err error) {
	err = r.Scan(&x.Kind, &x.Player, &x.Bot, &x.Name, &x.Games, &x.Mu, &x.Sigma, &x.Finish)
	return x, err
}

func (t *tx) Unrate(limit int) (more bool, err error) {
	to, err := t.Rated()
	if err != nil {
		return false, err
	}
	last, err := t.LastRated()
	if err != nil {
		return false, err
	}
	back := max(to, last-limit)
	if last <= back {
		return false, nil
	}
	var gone []store.Rating
	err = t.each("SELECT "+ratingColumns+" FROM ratings WHERE finish > ?", []any{back}, func(r *sql.Rows) error {
		x, err := scanRating(r)
		gone = append(gone, x)
		return err
	})
	if err != nil {
		return false, err
	}
	for _, q := range []string{"DELETE FROM ratings WHERE finish > ?", "DELETE FROM rated WHERE finish > ?"} {
		if _, err := t.exec(q, back); err != nil {
			return false, err
		}
	}
	again, err := t.c.PrepareContext(t.ctx, "INSERT INTO ratings ("+ratingColumns+") SELECT "+ratingColumns+` FROM rated
		WHERE kind = ? AND player = ? AND bot = ? ORDER BY finish DESC LIMIT 1`)
	if err != nil {
		return false, wrap("insert into ratings", err)
	}
	defer again.Close()
	for _, x := range gone {
		if _, err := again.ExecContext(t.ctx, x.Kind, x.Player, x.Bot); err != nil {
			return false, wrap("insert into ratings", err)
		}
	}
	return back > to, nil
}

func (t *tx) SaveRated(finish int, rows []store.Rated) error {
	one, err := t.c.PrepareContext(t.ctx, `INSERT INTO rated (finish, kind, player, bot, name, games, mu, sigma, place, seats, turns, of, parted)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`)
	if err != nil {
		return wrap("insert into rated", err)
	}
	defer one.Close()
	last := map[store.Rating]store.Rating{} // by kind and who
	for _, x := range rows {
		if _, err := one.ExecContext(t.ctx, x.Finish, x.Kind, x.Player, x.Bot, x.Name, x.Games, x.Mu, x.Sigma, x.Place, x.Seats, x.Turns, x.Of, x.Left); err != nil {
			return fmt.Errorf("rating after finish %d: %w", x.Finish, err)
		}
		last[store.Rating{Kind: x.Kind, Player: x.Player, Bot: x.Bot}] = x.Rating
	}
	now, err := t.c.PrepareContext(t.ctx, "INSERT OR REPLACE INTO ratings ("+ratingColumns+") VALUES (?, ?, ?, ?, ?, ?, ?, ?)")
	if err != nil {
		return wrap("insert into ratings", err)
	}
	defer now.Close()
	for _, x := range last {
		if _, err := now.ExecContext(t.ctx, x.Kind, x.Player, x.Bot, x.Name, x.Games, x.Mu, x.Sigma, x.Finish); err != nil {
			return wrap("insert into ratings", err)
		}
	}
	return t.setRated(finish)
}

func (t *tx) RatingsFor(of []store.Rating) ([]store.Rating, error) {
	keys := make([][3]any, len(of))
	for i, x := range of {
		keys[i] = [3]any{x.Kind, x.Player, x.Bot}
	}
	list, err := json.Marshal(keys)
	if err != nil {
		return nil, err
	}
	return t.ratings("SELECT "+ratingColumns+` FROM json_each(?) AS j JOIN ratings ON kind = json_extract(j.value, '$[0]')
		AND player = json_extract(j.value, '$[1]') AND bot = json_extract(j.value, '$[2]')`, string(list))
}

func (t *tx) RatingKinds() (out []string, err error) {
	// One look into the index for each kind: SQLite does not skip by itself.
	for kind := ""; ; {
		if err := t.one("SELECT coalesce(min(kind), '') FROM ratings WHERE kind > ?", []any{kind}, &kind); err != nil || kind == "" {
			return out, err
		}
		out = append(out, kind)
	}
}

func (t *tx) Ratings(kind string, bots bool, skip, limit int) ([]store.Rating, error) {
	return t.ratings("SELECT "+ratingColumns+` FROM ratings INDEXED BY ratings_order WHERE kind = ? AND (player = 0) = ?
		ORDER BY low DESC, player, bot LIMIT ? OFFSET ?`, kind, bots, limit, skip)
}

func (t *tx) RatingsNamed(name string, limit int) ([]store.Rating, error) {
	return t.ratings("SELECT "+ratingColumns+` FROM ratings INDEXED BY ratings_name
		WHERE player > 0 AND name >= ?1 COLLATE NOCASE AND name < ?1 || char(1114111) COLLATE NOCASE ORDER BY name COLLATE NOCASE, player LIMIT ?2`, name, limit)
}

// The product is rounded before the difference, as SQLite does it for low.
func (t *tx) RatingPlace(r store.Rating) (place, of int, err error) {
	err = t.one(`SELECT count(*) FROM ratings INDEXED BY ratings_order WHERE kind = ?1 AND (player = 0) = 0 AND low >= ?2 AND (low > ?2 OR player <= ?3)`,
		[]any{r.Kind, r.Mu - float64(2*r.Sigma), r.Player}, &place)
	if err != nil {
		return 0, 0, err
	}
	err = t.one(`SELECT count(*) FROM ratings INDEXED BY ratings_order WHERE kind = ? AND (player = 0) = 0`, []any{r.Kind}, &of)
	return place, of, err
}

func (t *tx) RatingsOf(player int64) ([]store.Rating, error) {
	return t.ratings("SELECT "+ratingColumns+" FROM ratings WHERE player = ? AND player > 0 ORDER BY kind", player)
}

func (t *tx) Rating(kind string, player int64, bot string) (store.Rating, error) {
	rows, err := t.ratings("SELECT "+ratingColumns+" FROM ratings WHERE kind = ? AND player = ? AND bot = ?", kind, player, bot)
	if err == nil && len(rows) == 0 {
		err = fmt.Errorf("rating: %w", store.ErrNotFound)
	}
	if err != nil {
		return store.Rating{}, err
	}
	return rows[0], nil
}

func (t *tx) ratings(query string, args ...any) (out []store.Rating, err error) {
	err = t.each(query, args, func(r *sql.Rows) error {
		x, err := scanRating(r)
		out = append(out, x)
		return err
	})
	return out, err
}

func (t *tx) RatedGames(kind string, player int64, bot string, limit int) (out []store.Rated, err error) {
	err = t.each(`SELECT kind, player, bot, rated.name, games, mu, sigma, rated.finish, CASE visibility WHEN 'listed' THEN games.id ELSE '' END, games.name, games.ended, place, seats, turns, of, parted
		FROM rated JOIN games ON games.finish = rated.finish AND games.finish > 0
		WHERE kind = ? AND player = ? AND bot = ? ORDER BY rated.finish DESC LIMIT ?`, []any{kind, player, bot, limit}, func(r *sql.Rows) error {
		var x store.Rated
		var ended int64
		err := r.Scan(&x.Kind, &x.Player, &x.Bot, &x.Name, &x.Games, &x.Mu, &x.Sigma, &x.Finish, &x.Game, &x.Title, &ended, &x.Place, &x.Seats, &x.Turns, &x.Of, &x.Left)
		x.Ended = at(ended)
		out = append(out, x)
		return err
	})
	return out, err
}

func (t *tx) SoloGames(player int64, limit int) (out []store.Game, err error) {
	err = t.each("SELECT "+gameColumns+` FROM games WHERE number IN (SELECT game FROM seats WHERE player = ?1 AND player <> 0
		UNION SELECT number FROM games INDEXED BY games_solo WHERE organiser = ?1 AND organiser <> 0 AND players = 1
		AND EXISTS (SELECT 1 FROM stints WHERE game = number AND player = ?1) AND (SELECT max(since) FROM stints WHERE game = number AND player NOT IN (0, ?1)) > 0)
		AND players = 1 ORDER BY number DESC LIMIT ?2`, []any{player, limit}, listed(&out))
	return out, err
}
