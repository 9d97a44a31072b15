package db

import (
	"crypto/sha256"
	"database/sql"
	"time"

	"angelpost/engine/store"
)

const tokenColumns = "token, player, coalesce((SELECT id FROM games WHERE number = game), ''), place, turn, step, confirm, date"

func (t *tx) oneToken(query string, args ...any) (k store.Token, err error) {
	var created int64
	err = t.one(query, args,
		text(&k.Token), &k.Player, &k.Game, &k.Place, &k.Turn, &k.Step, &k.Confirm, &created)
	k.Created = at(created)
	return k, err
}

func (t *tx) Token(token string) (store.Token, error) {
	return t.oneToken("SELECT "+tokenColumns+" FROM out WHERE "+byToken, packed(token))
}

func (t *tx) LastToken(game string, place int, player int64) (store.Token, error) {
	return t.oneToken("SELECT "+tokenColumns+` FROM out WHERE game = (SELECT number FROM games WHERE id = ?) AND game <> 0 AND place = ? AND player = ? AND confirm = 0
		ORDER BY id DESC LIMIT 1`, game, place, player)
}

func (t *tx) NextMessage() (id int64, err error) {
	err = t.one("SELECT coalesce(max(id), 0) + 1 FROM out", nil, &id)
	return id, err
}

func (t *tx) TokenKeys() (keys []store.TokenKey, err error) {
	err = t.each("SELECT n, key, since FROM token_keys WHERE n > 0 ORDER BY n DESC", nil, func(r *sql.Rows) error {
		var k store.TokenKey
		var key []byte
		var since int64
		if err := r.Scan(&k.N, &key, &since); err != nil {
			return err
		}
		copy(k.Key.Key[:], key)
		k.Since = at(since)
		keys = append(keys, k)
		return nil
	})
	return keys, err
}

func (t *tx) AddTokenKey(k store.TokenKey) error {
	_, err := t.exec("INSERT INTO token_keys (n, key, since) VALUES (?, ?, ?)", k.N, k.Key.Key[:], ms(k.Since))
	return err
}

func (t *tx) DropTokenKeys(below int64) error {
	_, err := t.exec("DELETE FROM token_keys WHERE n < ?", below)
	return err
}

func (t *tx) KeyOf(game string, place int) (k store.Key, err error) {
	err = t.one("SELECT place, player, key, mute FROM keys WHERE game = (SELECT number FROM games WHERE id = ?) AND place = ? ORDER BY id DESC LIMIT 1",
		[]any{game, place}, &k.Place, &k.Player, &k.Key, &k.Mute)
	k.Game = game
	return k, err
}

func (t *tx) Keys(game string) (out []store.Key, err error) {
	err = t.each(`SELECT place, player, key, mute FROM keys WHERE game = (SELECT number FROM games WHERE id = ?1)
		AND id IN (SELECT max(id) FROM keys WHERE game = (SELECT number FROM games WHERE id = ?1) GROUP BY place) ORDER BY place`, []any{game},
		func(r *sql.Rows) error {
			k := store.Key{Game: game}
			err := r.Scan(&k.Place, &k.Player, &k.Key, &k.Mute)
			out = append(out, k)
			return err
		})
	return out, err
}

func (t *tx) OldKeys(game string) (out []store.Key, err error) {
	err = t.each("SELECT place, player, key, mute FROM keys WHERE game = (SELECT number FROM games WHERE id = ?) ORDER BY id", []any{game},
		func(r *sql.Rows) error {
			k := store.Key{Game: game}
			err := r.Scan(&k.Place, &k.Player, &k.Key, &k.Mute)
			out = append(out, k)
			return err
		})
	return out, err
}

func (t *tx) SetKey(k store.Key) error {
	_, err := t.exec("INSERT INTO keys (game, place, player, key, mute) VALUES ((SELECT number FROM games WHERE id = ?), ?, ?, ?, ?)",
		k.Game, k.Place, k.Player, k.Key, k.Mute)
	return err
}

func (t *tx) HomeKey(player int64) (key string, err error) {
	err = t.one("SELECT key FROM homes WHERE player = ?", []any{player}, &key)
	return key, err
}

func (t *tx) HomeOf(key string) (player int64, err error) {
	hash := sha256.Sum256([]byte(key))
	err = t.one("SELECT player FROM homes WHERE hash = ?", []any{hash[:]}, &player)
	return player, err
}

func (t *tx) SetHomeKey(player int64, key string) error {
	hash := sha256.Sum256([]byte(key))
	_, err := t.exec("INSERT OR REPLACE INTO homes (player, key, hash) VALUES (?, ?, ?)", player, key, hash[:])
	return err
}

const confirmColumns = "id, kind, player, address, game, letter, lines, twin, said, open, expires, created"

func scanConfirm(scan func(...any) error) (c store.Confirm, err error) {
	var expires, created int64
	err = scan(&c.ID, &c.Kind, &c.Player, &c.Address, &c.Game, &c.Letter, &c.Lines, &c.Twin, &c.Said, &c.Open, &expires, &created)
	c.Expires, c.Created = at(expires), at(created)
	return c, err
}

func (t *tx) Confirm(id int64) (store.Confirm, error) {
	return scanConfirm(func(into ...any) error {
		return t.one("SELECT "+confirmColumns+" FROM confirms WHERE id = ?", []any{id}, into...)
	})
}

func (t *tx) AddConfirm(c *store.Confirm) error {
	res, err := t.exec(`INSERT INTO confirms (kind, player, address, game, letter, lines, twin, said, open, expires, created)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		c.Kind, c.Player, c.Address, c.Game, c.Letter, c.Lines, c.Twin, c.Said, c.Open, ms(c.Expires), ms(c.Created))
	if err != nil {
		return err
	}
	c.ID, err = res.LastInsertId()
	return err
}

func (t *tx) SaveConfirm(c store.Confirm) error {
	_, err := t.exec("UPDATE confirms SET letter = ?, lines = ?, twin = ?, said = ?, open = ? WHERE id = ?",
		c.Letter, c.Lines, c.Twin, c.Said, c.Open, c.ID)
	return err
}

func (t *tx) OpenConfirms(kind, address string) (out []store.Confirm, err error) {
	err = t.each("SELECT "+confirmColumns+" FROM confirms WHERE kind = ? AND address = ? AND open <> 0 ORDER BY id", []any{kind, address},
		func(r *sql.Rows) error {
			c, err := scanConfirm(r.Scan)
			out = append(out, c)
			return err
		})
	return out, err
}

func (t *tx) AddDue(d *store.Due) error {
	res, err := t.exec("INSERT INTO due (at, kind, game, place, step, ref) VALUES (?, ?, ?, ?, ?, ?)",
		ms(d.At), d.Kind, d.Game, d.Place, d.Step, d.Ref)
	if err != nil {
		return err
	}
	d.ID, err = res.LastInsertId()
	return err
}

func (t *tx) DropDue(id int64) error {
	_, err := t.exec("DELETE FROM due WHERE id = ?", id)
	return err
}

func (t *tx) ClearDue(kind, game string, place int) error {
	_, err := t.exec("DELETE FROM due WHERE game = ? AND kind = ? AND place = ?", game, kind, place)
	return err
}

func (t *tx) ShiftTimersOf(game string, by time.Duration) error {
	if _, err := t.exec("UPDATE due SET at = at + ? WHERE game = ? AND kind <> ?", by.Milliseconds(), game, store.DueUnread); err != nil {
		return err
	}
	_, err := t.exec("UPDATE seats SET deadline = deadline + ?, revised = revised + 1000 WHERE game = (SELECT number FROM games WHERE id = ?) AND deadline > 0", by.Milliseconds(), game)
	return err
}

func (t *tx) DuesOf(kind, game string) ([]store.Due, error) {
	return t.dues("SELECT id, at, kind, game, place, step, ref FROM due WHERE game = ? AND kind = ? ORDER BY at, id", game, kind)
}

func (t *tx) DueBefore(now time.Time, limit int) ([]store.Due, error) {
	return t.dues("SELECT id, at, kind, game, place, step, ref FROM due WHERE at <= ? ORDER BY at, id LIMIT ?", ms(now), limit)
}

func (t *tx) dues(query string, args ...any) (out []store.Due, err error) {
	err = t.each(query, args, func(r *sql.Rows) error {
		var d store.Due
		var when int64
		err := r.Scan(&d.ID, &when, &d.Kind, &d.Game, &d.Place, &d.Step, &d.Ref)
		d.At = at(when)
		out = append(out, d)
		return err
	})
	return out, err
}

func (t *tx) NextDue() (time.Time, error) {
	var when int64
	err := t.c.QueryRowContext(t.ctx, "SELECT coalesce(min(at), 0) FROM due").Scan(&when)
	return at(when), err
}
