package db

import (
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"angelpost/engine/store"
)

// What is kept of one player, to export and to erase it.

// Letters in and out by a player's addresses (?2, spans as JSON). Out are those whose row names no
// player.
const (
	lettersIn  = "SELECT letters.id FROM json_each(?2) AS j JOIN texts ON texts.text = j.value ->> 'address' JOIN letters ON letters.sender = texts.id WHERE letters.id > j.value ->> 'after_in' AND letters.id <= j.value ->> 'in'"
	lettersOut = "SELECT out.id FROM json_each(?2) AS j JOIN texts ON texts.text = j.value ->> 'address' JOIN out ON out.address = texts.id AND out.player = 0 WHERE out.id > j.value ->> 'after_out' AND out.id <= j.value ->> 'out'"
	// All letters out, those whose row names the player, too.
	lettersToThem = "SELECT id FROM out WHERE player = ?1 AND player <> 0 UNION " + lettersOut

	addresses = "SELECT j.value ->> 'address' FROM json_each(?2) AS j WHERE j.value ->> 'only'"
)

// personal are the tables of an export besides the player's row: its name there, and the
// query, with the player's number as ?1 and their addresses as ?2.
var personal = []struct{ name, query string }{
	{"addresses", "SELECT address, never, bounced FROM addresses WHERE player = ?1 AND player <> 0 ORDER BY address"},
	{"former_addresses", "SELECT address FROM former WHERE player = ?1 ORDER BY address"},
	{"games", `SELECT games.id AS game, games.name, games.state, seats.name AS called, seats.place, games.started, games.ended FROM seats JOIN games ON games.number = seats.game
		WHERE seats.player = ?1 AND seats.player <> 0 ORDER BY games.number`},
	{"past_seats", `SELECT games.id AS game, stints.name AS called, stints.place, stints.since FROM stints JOIN games ON games.number = stints.game
		WHERE stints.player = ?1 AND stints.player <> 0 ORDER BY games.number, since`},
	{"leagues", "SELECT leagues.id, leagues.name FROM league_players AS p JOIN leagues ON leagues.number = p.league WHERE p.player = ?1 ORDER BY leagues.number"},
	{"messages", "SELECT games.id AS game, press.at, CASE dest WHEN -1 THEN 'note' WHEN 0 THEN 'all' ELSE 'player ' || dest END AS \"to\", press.text FROM press JOIN games ON games.number = press.game WHERE writer = ?1 ORDER BY press.id"},
	{"plans", "SELECT games.id AS game, turn, lines FROM plans JOIN games ON games.number = plans.game WHERE player = ?1 ORDER BY games.number"},
	{"standing_orders", "SELECT games.id AS game, orders FROM standing JOIN games ON games.number = standing.game WHERE player = ?1 ORDER BY games.number"},
	{"ratings", "SELECT kind, games, mu, sigma FROM ratings WHERE player = ?1 AND player > 0 ORDER BY kind"},
	{"ignored", "SELECT name FROM ignored WHERE player = ?1 ORDER BY name"},
	{"reports_made", "SELECT at, game, name AS about, reason FROM reports WHERE id > 0 AND reporter = ?1 ORDER BY id"},
	{"letters_in", "SELECT id, received, class AS kind FROM letters WHERE id IN (" + lettersIn + ") ORDER BY id"},
	{"letters_out", "SELECT out.id, date, texts.text AS \"to\" FROM out JOIN texts ON texts.id = out.address WHERE out.id IN (" + lettersToThem + ") ORDER BY out.id"},
}

// A span is an address that is a player's or was, and the numbers of the letters in and
// out that are about them by it: none from before the first or after the last.
type span struct {
	Address  string `json:"address"`
	AfterIn  int64  `json:"after_in"`
	In       int64  `json:"in"`
	AfterOut int64  `json:"after_out"`
	Out      int64  `json:"out"`
	Only     bool   `json:"only"` // no other player has it now
	Shared   bool   `json:"-"`    // another player had it, before or after
}

// spans lists a player's addresses, former ones too, also as JSON.
func (t *tx) spans(player int64) (list string, all []span, err error) {
	own, err := t.Addresses(player)
	if err != nil {
		return "", nil, err
	}
	for _, a := range own {
		all = append(all, span{Address: a.Address, In: math.MaxInt64, Out: math.MaxInt64, Only: true})
	}
	err = t.each("SELECT address, letter, sent FROM former WHERE player = ?", []any{player}, func(r *sql.Rows) error {
		s := span{Only: true}
		err := r.Scan(&s.Address, &s.In, &s.Out)
		if !slices.ContainsFunc(all, func(x span) bool { return x.Address == s.Address }) { // it is theirs again
			all = append(all, s)
		}
		return err
	})
	if err != nil {
		return "", nil, err
	}
	for i := range all {
		s := &all[i]
		err := t.each("SELECT letter, sent FROM former WHERE address = ? AND player <> ?", []any{s.Address, player}, func(r *sql.Rows) error {
			var in, out int64
			err := r.Scan(&in, &out)
			s.Shared = true
			if in <= s.In && out <= s.Out { // they had it before
				s.AfterIn, s.AfterOut = max(s.AfterIn, in), max(s.AfterOut, out)
			}
			return err
		})
		if err != nil {
			return "", nil, err
		}
		if a, err := t.Address(s.Address); err == nil {
			s.Only = a.Player == 0 || a.Player == player
		} else if !errors.Is(err, store.ErrNotFound) {
			return "", nil, err
		}
	}
	b, _ := json.Marshal(all) // texts and numbers can be written
	return string(b), all, err
}

func (t *tx) Person(player int64) (map[string]any, error) {
	p, err := t.Player(player)
	if err != nil {
		return nil, err
	}
	list, _, err := t.spans(player)
	if err != nil {
		return nil, err
	}
	out := map[string]any{"schema": 1, "player": map[string]any{
		"id": p.ID, "name": p.Name, "address": p.Address, "created": p.Created.UTC(), "registered": p.Registered, "text": p.Text, "every": p.Every,
		"zone": p.Zone, "days_off": p.DaysOff, "vacation": p.Away, "reminders": p.Reminders, "quiet": p.Quiet, "subjects": p.Subjects, "digest": p.Digest, "list_id": p.ListID,
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

func (t *tx) Erase(player int64, at time.Time, pseudonym string, mailbox func(address string) string) error {
	list, all, err := t.spans(player)
	if err != nil {
		return err
	}
	// Guests whose only address became the player's are the same person.
	guests, err := t.numbers(`SELECT players.id FROM json_each(?) AS j JOIN players ON players.address = j.value ->> 'address' AND players.address <> ''
		WHERE players.id <> ? AND NOT EXISTS (SELECT 1 FROM addresses WHERE addresses.player = players.id AND addresses.player <> 0)`, list, player)
	if err != nil {
		return err
	}
	former := strings.ToLower(strings.ReplaceAll(pseudonym, " ", "-")) + "@angelpost.invalid"
	for _, a := range all {
		if !a.Only {
			continue
		}
		if err := t.eraseAddress(a.Address, former); err != nil {
			return err
		}
		if !a.Shared { // the mailbox does not tell whose letters they are
			if err := t.noteErased(a.Address, at); err != nil {
				return err
			}
		}
		for _, key := range []string{a.Address, mailbox(a.Address)} {
			if _, err := t.exec("DELETE FROM counters WHERE key > '' AND (substr(key, -1 - length(?1)) = '/' || ?1 OR instr(key, '/' || ?1 || '/') > 0)", key); err != nil {
				return err
			}
		}
	}
	if _, err := t.exec("UPDATE meta SET value = ? WHERE key = 'wipe'", wipeIndex); err != nil {
		return err
	}
	for _, id := range append(guests, player) {
		if err := errors.Join(t.eraseLast(id, list, former), t.eraseNames(id, pseudonym), t.erase(id, list, pseudonym)); err != nil {
			return err
		}
	}
	return nil
}

// erase changes and deletes a player's rows.
func (t *tx) erase(player int64, list, pseudonym string) error {
	for _, query := range []string{
		// The word that they added to the dice stays: without it their games could not be replayed.
		"UPDATE seats SET name = ?3, thread = '', muted = 0 WHERE player = ?1 AND player <> 0",
		"UPDATE stints SET name = ?3 WHERE player = ?1 AND player <> 0 AND name <> ''",
		"UPDATE ratings SET name = ?3 WHERE player = ?1 AND player > 0",
		"UPDATE rated SET name = ?3 WHERE player = ?1 AND kind IN (SELECT kind FROM ratings WHERE player = ?1 AND player > 0)",
		"UPDATE ignored SET name = ?3 WHERE other = ?1",
		"UPDATE reports SET name = ?3, messages = '[]' WHERE id > 0 AND player = ?1",
		"UPDATE reports SET reason = '' WHERE id > 0 AND reporter = ?1",
		"UPDATE rulings SET who = ?3 WHERE by = ?1 AND by <> 0",
		"DELETE FROM press WHERE writer = ?1",
		"DELETE FROM keys WHERE player = ?1",
		"DELETE FROM homes WHERE player = ?1",
		"DELETE FROM unreached WHERE player = ?1",
		"DELETE FROM held_time WHERE year > 0 AND player = ?1",
		"DELETE FROM plans WHERE player = ?1",
		"DELETE FROM standing WHERE player = ?1",
		"DELETE FROM ignored WHERE player = ?1",
		"DELETE FROM league_threads WHERE player = ?1",
		"DELETE FROM due WHERE game = '' AND (kind = 'collect' AND ref = ?1 || '' OR kind IN ('digest', 'held') AND place = ?1)",
		"DELETE FROM confirms WHERE player = ?1 OR address IN (" + addresses + ")",
		"DELETE FROM unfiled WHERE letter IN (" + lettersIn + ")",
		"DELETE FROM raw WHERE letter IN (" + lettersIn + ")",
		"DELETE FROM letters WHERE id IN (" + lettersIn + ")",
		"DELETE FROM out WHERE id IN (" + lettersToThem + ")",
		// The row of an address stays, for to delete it SQLite would look through all letters that may name it.
		`UPDATE texts SET text = 'erased-' || id WHERE text IN (SELECT j.value ->> 'address' FROM json_each(?2) AS j)
			AND NOT EXISTS (SELECT 1 FROM letters WHERE sender = texts.id) AND NOT EXISTS (SELECT 1 FROM out WHERE address = texts.id AND player = 0)
			AND NOT EXISTS (SELECT 1 FROM former WHERE former.address = texts.text AND former.player <> ?1)
			AND NOT EXISTS (SELECT 1 FROM addresses WHERE addresses.address = texts.text AND addresses.player NOT IN (0, ?1))`,
		"DELETE FROM addresses WHERE player = ?1 AND player <> 0 OR player = 0 AND address IN (" + addresses + ")",
		"DELETE FROM former WHERE player = ?1",
		`UPDATE players SET name = ?3, address = '', registered = 0, text = 0, every = 0, zone = '', zone_guessed = 0, days_off = '', away = '', reminders = '', quiet = '', subjects = '', digest = '', list_id = ''
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
// within a longer one.
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
	return nil
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
	for _, query := range []string{
		"DELETE FROM raw WHERE letter = (SELECT max(id) FROM letters) AND letter IN (" + lettersIn + ") AND ?1 IS NOT NULL",
		"DELETE FROM unfiled WHERE letter = (SELECT max(id) FROM letters) AND letter IN (" + lettersIn + ") AND ?1 IS NOT NULL",
	} {
		if _, err := t.exec(query, none, list); err != nil {
			return err
		}
	}
	if _, err := t.exec(`UPDATE letters SET sender = ?1, host = ?1, message_id = id || '', token = '', body_hash = x'', why = '' WHERE id = (SELECT max(id) FROM letters)
		AND id IN (`+lettersIn+")", none, list); err != nil {
		return err
	}
	_, err = t.exec(`UPDATE out SET address = ?1, player = 0, game = 0, league = 0, place = 0, seat = 0, confirm = 0, key = 0, thread = 0, reply = 0, answer = ?3, error = '' WHERE id = (SELECT max(id) FROM out)
		AND id IN (SELECT id FROM out WHERE player = ?4 AND player <> 0 UNION `+lettersOut+")", none, list, empty, player)
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
