package db

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"strings"
)

// What is kept of one player, to export and to erase it.

// personal are the tables of an export besides the player's row: its name there, and the
// query, with the player's number as ?1 and their addresses as a JSON array ?2.
var personal = []struct{ name, query string }{
	{"addresses", "SELECT address, never, bounced FROM addresses WHERE player = ?1 AND player <> 0 ORDER BY address"},
	{"games", `SELECT games.id AS game, games.name, games.state, seats.name AS called, seats.place, games.started, games.ended FROM seats JOIN games ON games.number = seats.game
		WHERE seats.player = ?1 AND seats.player <> 0 ORDER BY games.number`},
	{"past_seats", `SELECT games.id AS game, stints.name AS called, stints.place, stints.since FROM stints JOIN games ON games.number = stints.game
		WHERE stints.player = ?1 AND stints.player <> 0 ORDER BY games.number, since`},
	{"leagues", "SELECT leagues.id, leagues.name FROM league_players AS p JOIN leagues ON leagues.number = p.league WHERE p.player = ?1 ORDER BY leagues.number"},
	{"messages", "SELECT games.id AS game, press.at, CASE dest WHEN -1 THEN 'note' WHEN 0 THEN 'all' ELSE 'player ' || dest END AS \"to\", press.text FROM press JOIN games ON games.number = press.game WHERE press.id > 0 AND writer = ?1 ORDER BY press.id"},
	{"plans", "SELECT games.id AS game, turn, lines FROM plans JOIN games ON games.number = plans.game WHERE plans.game > 0 AND player = ?1 ORDER BY games.number"},
	{"standing_orders", "SELECT games.id AS game, orders FROM standing JOIN games ON games.number = standing.game WHERE standing.game > 0 AND player = ?1 ORDER BY games.number"},
	{"ratings", "SELECT kind, games, mu, sigma FROM ratings WHERE player = ?1 AND player > 0 ORDER BY kind"},
	{"ignored", "SELECT name FROM ignored WHERE player = ?1 ORDER BY name"},
	{"reports_made", "SELECT at, game, name AS about, reason FROM reports WHERE id > 0 AND reporter = ?1 ORDER BY id"},
	{"letters_in", "SELECT letters.id, received, class AS kind FROM letters JOIN texts ON texts.id = letters.sender JOIN json_each(?2) AS j ON j.value = texts.text WHERE letters.id > 0 ORDER BY letters.id"},
	{"letters_out", "SELECT out.id, date, texts.text AS \"to\" FROM out JOIN texts ON texts.id = out.address WHERE player = ?1 AND player <> 0 ORDER BY out.id"},
}

func (t *tx) addressList(player int64) (list string, all []string, err error) {
	rows, err := t.Addresses(player)
	for _, a := range rows {
		all = append(all, a.Address)
	}
	b, _ := json.Marshal(all) // texts can be written
	return string(b), all, err
}

func (t *tx) Person(player int64) (map[string]any, error) {
	p, err := t.Player(player)
	if err != nil {
		return nil, err
	}
	list, _, err := t.addressList(player)
	if err != nil {
		return nil, err
	}
	out := map[string]any{"schema": 1, "player": map[string]any{
		"id": p.ID, "name": p.Name, "address": p.Address, "created": p.Created.UTC(), "registered": p.Registered, "text": p.Text, "every": p.Every,
		"zone": p.Zone, "days_off": p.DaysOff, "vacation": p.Away, "reminders": p.Reminders, "quiet": p.Quiet, "subjects": p.Subjects, "digest": p.Digest,
	}}
	for _, table := range personal {
		rows := []map[string]any{}
		err := t.each(table.query, []any{player, list}, func(r *sql.Rows) error {
			names, err := r.Columns()
			if err != nil {
				return err
			}
			values, into := make([]any, len(names)), make([]any, len(names))
			for i := range values {
				into[i] = &values[i]
			}
			if err := r.Scan(into...); err != nil {
				return err
			}
			row := map[string]any{}
			for i, name := range names {
				switch v := values[i].(type) {
				case int64:
					switch name {
					case "at", "started", "ended", "received", "date", "bounced":
						row[name] = nil
						if v != 0 {
							row[name] = at(v).UTC()
						}
						continue
					case "kind": // of a letter
						if int(v) < len(classes) {
							row[name] = classes[v]
						}
						continue
					}
					row[name] = v
				default:
					row[name] = v
				}
			}
			rows = append(rows, row)
			return nil
		})
		if err != nil {
			return nil, fmt.Errorf("%s: %w", table.name, err)
		}
		out[table.name] = rows
	}
	return out, nil
}

func (t *tx) Erase(player int64, pseudonym string) error {
	list, addresses, err := t.addressList(player)
	if err != nil {
		return err
	}
	former := strings.ToLower(strings.ReplaceAll(pseudonym, " ", "-")) + "@angelpost.invalid"
	for _, a := range addresses {
		if err := t.eraseAddress(a, former); err != nil {
			return err
		}
	}
	if err := t.eraseLast(player, list, former); err != nil {
		return err
	}
	for _, query := range []string{
		// The word that they added to the dice stays: without it their games could not be replayed.
		"UPDATE seats SET name = ?3, thread = '', muted = 0 WHERE player = ?1 AND player <> 0",
		"UPDATE stints SET name = ?3 WHERE player = ?1 AND player <> 0 AND name <> ''",
		"UPDATE ratings SET name = ?3 WHERE player = ?1 AND player > 0",
		"UPDATE rated SET name = ?3 WHERE finish > 0 AND player = ?1",
		"UPDATE ignored SET name = ?3 WHERE player > 0 AND other = ?1",
		"UPDATE reports SET name = ?3, messages = '[]' WHERE id > 0 AND player = ?1",
		"UPDATE reports SET reason = '' WHERE id > 0 AND reporter = ?1",
		"UPDATE rulings SET who = ?3 WHERE game > 0 AND by = ?1 AND by <> 0",
		"DELETE FROM said WHERE docid IN (SELECT id FROM press WHERE id > 0 AND writer = ?1)",
		"DELETE FROM press WHERE id > 0 AND writer = ?1",
		"DELETE FROM keys WHERE id > 0 AND player = ?1",
		"DELETE FROM homes WHERE player = ?1",
		"DELETE FROM plans WHERE game > 0 AND player = ?1",
		"DELETE FROM standing WHERE game > 0 AND player = ?1",
		"DELETE FROM ignored WHERE player = ?1",
		"DELETE FROM league_threads WHERE league > 0 AND player = ?1",
		"DELETE FROM due WHERE id > 0 AND (kind = 'collect' AND ref = ?1 || '' OR kind = 'digest' AND place = ?1)",
		"DELETE FROM confirms WHERE id > 0 AND (player = ?1 OR address IN (SELECT value FROM json_each(?2)))",
		"DELETE FROM unfiled WHERE letter IN (SELECT letters.id FROM letters JOIN texts ON texts.id = letters.sender JOIN json_each(?2) AS j ON j.value = texts.text WHERE letters.id > 0)",
		"DELETE FROM raw WHERE letter IN (SELECT letters.id FROM letters JOIN texts ON texts.id = letters.sender JOIN json_each(?2) AS j ON j.value = texts.text WHERE letters.id > 0)",
		"DELETE FROM letters WHERE id > 0 AND sender IN (SELECT texts.id FROM texts JOIN json_each(?2) AS j ON j.value = texts.text)",
		"DELETE FROM out WHERE id > 0 AND (player = ?1 OR address IN (SELECT texts.id FROM texts JOIN json_each(?2) AS j ON j.value = texts.text))",
		`DELETE FROM texts WHERE text IN (SELECT value FROM json_each(?2)) AND NOT EXISTS (SELECT 1 FROM letters WHERE letters.id > 0 AND letters.host = texts.id)
			AND NOT EXISTS (SELECT 1 FROM out WHERE out.id > 0 AND out.host = texts.id)`,
		"DELETE FROM addresses WHERE player = ?1 AND player <> 0",
		`UPDATE players SET name = ?3, address = '', registered = 0, text = 0, every = 0, zone = '', zone_guessed = 0, days_off = '', away = '', reminders = '', quiet = '', subjects = '', digest = ''
			WHERE id = ?1`,
	} {
		// Each names all three, so that all can be given.
		if _, err := t.exec(query+erased(query), player, list, pseudonym); err != nil {
			return fmt.Errorf("%.40s: %w", query, err)
		}
	}
	return nil
}

// eraseAddress replaces an address in leagues' files and logs, where it stands alone and not
// within a longer one, and deletes what counts its letters.
func (t *tx) eraseAddress(address, former string) error {
	for _, q := range []struct{ find, save string }{
		{"SELECT number, 0, file FROM leagues WHERE number > 0 AND instr(file, ?) > 0", "UPDATE leagues SET file = ?3 WHERE number = ?1 AND ?2 = 0"},
		{"SELECT league, n, args FROM league_log WHERE league > 0 AND instr(args, ?) > 0", "UPDATE league_log SET args = ?3 WHERE league = ?1 AND n = ?2"},
	} {
		type row struct {
			league, n int64
			text      string
		}
		var rows []row
		err := t.each(q.find, []any{address}, func(r *sql.Rows) error {
			var x row
			err := r.Scan(&x.league, &x.n, &x.text)
			rows = append(rows, x)
			return err
		})
		if err != nil {
			return err
		}
		for _, x := range rows {
			if _, err := t.exec(q.save, x.league, x.n, replaceAddress(x.text, address, former)); err != nil {
				return err
			}
		}
	}
	_, err := t.exec("DELETE FROM counters WHERE key > '' AND (key LIKE '%/' || ?1 OR instr(key, '/' || ?1 || '/') > 0)", address)
	return err
}

// replaceAddress replaces an address in a text, but not where it is part of another one.
func replaceAddress(text, address, former string) string {
	within := func(c byte) bool {
		return c >= 0x80 || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || strings.IndexByte("!#$%&*+-/=?^_{|}~", c) >= 0
	}
	var b strings.Builder
	for done := 0; ; {
		i := strings.Index(text[done:], address)
		if i < 0 {
			return b.String() + text[done:]
		}
		i += done
		end := i + len(address)
		switch {
		case i > 0 && (within(text[i-1]) || text[i-1] == '.'), end < len(text) && within(text[end]), end+1 < len(text) && text[end] == '.' && within(text[end+1]):
			b.WriteString(text[done:end])
		default:
			b.WriteString(text[done:i] + former)
		}
		done = end
	}
}

// eraseLast takes the newest letter in and the newest letter out from the player, if they are the
// player's: their numbers must not be given again.
func (t *tx) eraseLast(player int64, list, former string) error {
	none, err := t.text(former)
	if err != nil {
		return err
	}
	empty, err := deflate([]byte("{}"), nil)
	if err != nil {
		return err
	}
	if _, err := t.exec(`UPDATE letters SET sender = ?1, host = ?1, message_id = id || '', token = '', body_hash = x'', why = '' WHERE id = (SELECT max(id) FROM letters)
		AND sender IN (SELECT texts.id FROM texts JOIN json_each(?2) AS j ON j.value = texts.text)`, none, list); err != nil {
		return err
	}
	_, err = t.exec(`UPDATE out SET address = ?1, player = 0, game = 0, league = 0, place = 0, seat = 0, confirm = 0, key = 0, thread = 0, reply = 0, answer = ?2, error = '' WHERE id = (SELECT max(id) FROM out)
		AND (player = ?3 OR address IN (SELECT texts.id FROM texts JOIN json_each(?4) AS j ON j.value = texts.text))`, none, empty, player, list)
	return err
}

// erased is a condition that holds and names what a query of Erase does not.
func erased(query string) (more string) {
	for _, p := range []string{"?1", "?2", "?3"} {
		if !strings.Contains(query, p) {
			more += " AND " + p + " IS NOT NULL"
		}
	}
	return more
}
