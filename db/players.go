package db

import (
	"database/sql"
	"encoding/json"

	"angelpost/engine/store"
)

func (t *tx) Player(id int64) (p store.Player, err error) {
	var created int64
	err = t.one("SELECT id, name, address, registered, text, every, created, zone, days_off, away, reminders, quiet, zone_guessed, subjects, digest, list_id FROM players WHERE id = ?", []any{id},
		&p.ID, &p.Name, &p.Address, &p.Registered, &p.Text, &p.Every, &created, &p.Zone, &p.DaysOff, &p.Away, &p.Reminders, &p.Quiet, &p.Guessed, &p.Subjects, &p.Digest, &p.ListID)
	p.Created = at(created)
	return p, err
}

func (t *tx) Players(ids []int64) (map[int64]store.Player, error) {
	list, err := json.Marshal(ids)
	if err != nil {
		return nil, err
	}
	out := make(map[int64]store.Player, len(ids))
	err = t.each("SELECT id, name, address, registered, text, every, created, zone, days_off, away, reminders, quiet, zone_guessed, subjects, digest, list_id FROM players WHERE id IN (SELECT value FROM json_each(?))", []any{string(list)},
		func(r *sql.Rows) error {
			var p store.Player
			var created int64
			err := r.Scan(&p.ID, &p.Name, &p.Address, &p.Registered, &p.Text, &p.Every, &created, &p.Zone, &p.DaysOff, &p.Away, &p.Reminders, &p.Quiet, &p.Guessed, &p.Subjects, &p.Digest, &p.ListID)
			p.Created = at(created)
			out[p.ID] = p
			return err
		})
	return out, err
}

func (t *tx) AddPlayer(p *store.Player) error {
	res, err := t.exec("INSERT INTO players (name, address, registered, text, every, created, zone, days_off, away, reminders, quiet, zone_guessed, subjects, digest, list_id) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
		p.Name, p.Address, p.Registered, p.Text, p.Every, ms(p.Created), p.Zone, p.DaysOff, p.Away, p.Reminders, p.Quiet, p.Guessed, p.Subjects, p.Digest, p.ListID)
	if err != nil {
		return err
	}
	if p.ID, err = res.LastInsertId(); err != nil {
		return err
	}
	_, err = t.exec(`INSERT INTO addresses (address, player, never, bounced) VALUES (?, ?, 0, 0)
		ON CONFLICT (address) DO UPDATE SET player = excluded.player`, p.Address, p.ID)
	return err
}

func (t *tx) SavePlayer(p store.Player) error {
	_, err := t.exec("UPDATE players SET name = ?, address = ?, registered = ?, text = ?, every = ?, zone = ?, days_off = ?, away = ?, reminders = ?, quiet = ?, zone_guessed = ?, subjects = ?, digest = ?, list_id = ? WHERE id = ?",
		p.Name, p.Address, p.Registered, p.Text, p.Every, p.Zone, p.DaysOff, p.Away, p.Reminders, p.Quiet, p.Guessed, p.Subjects, p.Digest, p.ListID, p.ID)
	return err
}

func (t *tx) Address(address string) (a store.Address, err error) {
	var bounced int64
	err = t.one("SELECT address, player, never, bounced FROM addresses WHERE address = ?", []any{address},
		&a.Address, &a.Player, &a.Never, &bounced)
	a.Bounced = at(bounced)
	return a, err
}

func (t *tx) SaveAddress(a store.Address) error {
	_, err := t.exec(`INSERT INTO addresses (address, player, never, bounced) VALUES (?, ?, ?, ?)
		ON CONFLICT (address) DO UPDATE SET player = excluded.player, never = excluded.never, bounced = excluded.bounced`,
		a.Address, a.Player, a.Never, ms(a.Bounced))
	return err
}

func (t *tx) Addresses(player int64) (out []store.Address, err error) {
	err = t.each("SELECT address, player, never, bounced FROM addresses WHERE player = ? AND player <> 0 ORDER BY address", []any{player},
		func(r *sql.Rows) error {
			var a store.Address
			var bounced int64
			err := r.Scan(&a.Address, &a.Player, &a.Never, &bounced)
			a.Bounced = at(bounced)
			out = append(out, a)
			return err
		})
	return out, err
}

func (t *tx) Unwanted(addresses []string) (map[string]bool, error) {
	out := map[string]bool{}
	list, err := json.Marshal(addresses)
	if err != nil {
		return nil, err
	}
	err = t.each("SELECT address FROM json_each(?) AS j JOIN addresses ON address = j.value WHERE never <> 0", []any{string(list)}, func(r *sql.Rows) error {
		var a string
		err := r.Scan(&a)
		out[a] = true
		return err
	})
	return out, err
}

func (t *tx) Count(key, day string) (n int, err error) {
	err = t.c.QueryRowContext(t.ctx, "SELECT coalesce(max(n), 0) FROM counters WHERE key = ? AND day = ?", key, day).Scan(&n)
	return n, err
}

func (t *tx) Sum(key, from, to string) (n int, err error) {
	err = t.c.QueryRowContext(t.ctx, "SELECT coalesce(sum(n), 0) FROM counters WHERE key = ? AND day BETWEEN ? AND ?", key, from, to).Scan(&n)
	return n, err
}

func (t *tx) Bump(key, day string) (n int, err error) {
	err = t.one(`INSERT INTO counters (key, day, n) VALUES (?, ?, 1)
		ON CONFLICT (key, day) DO UPDATE SET n = n + 1 RETURNING n`, []any{key, day}, &n)
	if err == nil && n == 1 { // a new day's first: old days are of no use
		_, err = t.exec("DELETE FROM counters WHERE day < date(?, '-100 days')", day)
	}
	return n, err
}
