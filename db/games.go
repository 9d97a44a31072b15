package db

import (
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"angelpost/engine/game"
	"angelpost/engine/store"
)

const gameColumns = `id, state, name, options, visibility, wanted, organiser, seed, mixed, steps, result, created, started, changed, ended, set_hash, counted, paused, shown, league, sealed, finish, rematch_of, revealed`

func scanGame(scan func(...any) error) (g store.Game, err error) {
	var options string
	var seed []byte
	var created, started, changed, ended, paused int64
	if err := scan(&g.ID, &g.State, &g.Name, &options, &g.Visibility, &g.Raise, &g.Organiser, &seed, &g.Mixed,
		&g.Steps, &g.Result, &created, &started, &changed, &ended, &g.SetHash, &g.Batch, &paused, &g.Shown, &g.League, &g.Sealed, &g.Finish, &g.RematchOf, &g.Revealed); err != nil {
		return g, err
	}
	g.Seed = hex.EncodeToString(seed)
	g.Created, g.Started, g.Changed, g.Ended, g.Paused = at(created), at(started), at(changed), at(ended), at(paused)
	if err := json.Unmarshal([]byte(options), &g.Options); err != nil {
		return g, fmt.Errorf("options of game %s: %w", g.ID, err)
	}
	return g, nil
}

// listed reads a game of several into out. One whose row makes no sense is left
// out; Game and AllGames tell of it.
func listed(out *[]store.Game) func(*sql.Rows) error {
	return func(r *sql.Rows) error {
		if g, err := scanGame(r.Scan); err == nil {
			*out = append(*out, g)
		}
		return nil
	}
}

func (t *tx) Game(id string) (store.Game, error) {
	return scanGame(func(into ...any) error {
		return t.one("SELECT "+gameColumns+" FROM games WHERE id = ?", []any{id}, into...)
	})
}

func (t *tx) AddGame(g store.Game, seats []store.Seat) error {
	options, err := json.Marshal(g.Options)
	if err != nil {
		return err
	}
	seed, err := hex.DecodeString(g.Seed)
	if err != nil {
		return fmt.Errorf("seed of game %s: %w", g.ID, err)
	}
	res, err := t.exec("INSERT INTO games ("+gameColumns+", log_sum) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
		g.ID, g.State, g.Name, string(options), g.Visibility, g.Raise, g.Organiser, seed, g.Mixed, g.Steps, g.Result,
		ms(g.Created), ms(g.Started), ms(g.Changed), ms(g.Ended), g.SetHash, g.Batch, ms(g.Paused), g.Shown, g.League, g.Sealed, g.Finish, g.RematchOf, g.Revealed, gameSum(g.ID, string(options), seed))
	if err != nil {
		return err
	}
	number, err := res.LastInsertId()
	if err != nil {
		return err
	}
	for _, s := range seats {
		if _, err := t.exec(`INSERT INTO seats (game, place, seat, player, heir, bot, stage, name, entropy, seen, thread, agreed, muted, deadline, bank, missed, left, revised)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
			number, s.Place, s.Seat, s.Player, s.Heir, s.Bot, s.Stage, s.Name, s.Entropy, s.Seen, s.Thread, s.Agreed, s.Muted,
			ms(s.Deadline), s.Bank.Milliseconds(), s.Missed, s.Left.Milliseconds(), ms(s.Revised)); err != nil {
			return err
		}
	}
	return nil
}

// SaveGame writes all that changes; the log's length is AppendLog's.
func (t *tx) SaveGame(g store.Game) error {
	_, err := t.exec(`UPDATE games SET state = ?, name = ?, visibility = ?, wanted = ?, organiser = ?, mixed = ?, result = ?,
		started = ?, changed = ?, ended = ?, set_hash = ?, paused = ?, sealed = ?, revealed = ? WHERE id = ?`,
		g.State, g.Name, g.Visibility, g.Raise, g.Organiser, g.Mixed, g.Result, ms(g.Started), ms(g.Changed), ms(g.Ended), g.SetHash, ms(g.Paused), g.Sealed, g.Revealed, g.ID)
	return err
}

const seatColumns = `place, seat, player, heir, bot, stage, seats.name, entropy, seen, thread, agreed, muted, deadline, bank, missed, left, revised`

func scanSeat(r *sql.Rows, more ...any) (s store.Seat, err error) {
	var deadline, bank, left, revised int64
	err = r.Scan(append([]any{&s.Place, &s.Seat, &s.Player, &s.Heir, &s.Bot, &s.Stage, &s.Name, &s.Entropy, &s.Seen, &s.Thread, &s.Agreed, &s.Muted,
		&deadline, &bank, &s.Missed, &left, &revised}, more...)...)
	s.Deadline, s.Bank, s.Left, s.Revised = at(deadline), time.Duration(bank)*time.Millisecond, time.Duration(left)*time.Millisecond, at(revised)
	return s, err
}

func (t *tx) Seats(game string) (out []store.Seat, err error) {
	err = t.each("SELECT "+seatColumns+" FROM seats WHERE game = (SELECT number FROM games WHERE id = ?) ORDER BY place", []any{game},
		func(r *sql.Rows) error {
			s, err := scanSeat(r)
			s.Game = game
			out = append(out, s)
			return err
		})
	return out, err
}

func (t *tx) RematchOf(id string) (store.Game, error) {
	return scanGame(func(into ...any) error {
		return t.one("SELECT "+gameColumns+" FROM games WHERE rematch_of = ? AND rematch_of <> '' ORDER BY number DESC LIMIT 1", []any{id}, into...)
	})
}

func (t *tx) Games(ids []string) (out []store.Game, err error) {
	list, err := json.Marshal(ids)
	if err != nil {
		return nil, err
	}
	err = t.each("SELECT "+gameColumns+" FROM games WHERE id IN (SELECT value FROM json_each(?))", []any{string(list)},
		listed(&out))
	return out, err
}

func (t *tx) SeatsOf(games []string) (map[string][]store.Seat, error) {
	out := make(map[string][]store.Seat, len(games))
	list, err := json.Marshal(games)
	if err != nil {
		return nil, err
	}
	err = t.each("SELECT "+seatColumns+`, games.id FROM json_each(?) AS j JOIN games ON games.id = j.value
		JOIN seats ON seats.game = games.number ORDER BY games.number, place`, []any{string(list)},
		func(r *sql.Rows) error {
			var id string
			s, err := scanSeat(r, &id)
			s.Game = id
			out[id] = append(out[id], s)
			return err
		})
	return out, err
}

func (t *tx) SaveSeat(s store.Seat) error {
	_, err := t.exec(`UPDATE seats SET seat = ?, player = ?, heir = ?, bot = ?, stage = ?, name = ?, entropy = ?, seen = ?, thread = ?, agreed = ?, muted = ?,
		deadline = ?, bank = ?, missed = ?, left = ?, revised = ? WHERE game = (SELECT number FROM games WHERE id = ?) AND place = ?`,
		s.Seat, s.Player, s.Heir, s.Bot, s.Stage, s.Name, s.Entropy, s.Seen, s.Thread, s.Agreed, s.Muted,
		ms(s.Deadline), s.Bank.Milliseconds(), s.Missed, s.Left.Milliseconds(), ms(s.Revised), s.Game, s.Place)
	return err
}

func (t *tx) GamesOf(player int64, open bool) (out []store.Game, err error) {
	query := "SELECT " + gameColumns + ` FROM games WHERE number IN (SELECT game FROM seats WHERE player = ?1 AND player <> 0
		UNION SELECT game FROM seats WHERE heir = ?1 AND heir <> 0)`
	limit := " LIMIT 100"
	if open {
		query += " AND state IN ('invited', 'running')"
		limit = "" // what leaves them, or names one, means any of them
	}
	err = t.each(query+" ORDER BY number DESC"+limit, []any{player}, listed(&out))
	return out, err
}

// AllGames also returns rows that make no sense, with Err.
func (t *tx) AllGames(state string, after string, limit int) (out []store.Game, err error) {
	behind := int64(0)
	if after != "" { // not to be found by its index it would be the first again
		if err := t.one("SELECT number FROM games WHERE id = ?", []any{after}, &behind); err != nil {
			return nil, fmt.Errorf("game %s, which was there: %v", after, err)
		}
	}
	query := "SELECT " + gameColumns + " FROM games WHERE number > ?1 AND ?2 = '' ORDER BY number LIMIT ?3"
	if state != "" {
		query = "SELECT " + gameColumns + " FROM games WHERE number > ?1 AND state = ?2 ORDER BY number LIMIT ?3"
	}
	err = t.each(query, []any{behind, state, limit}, func(r *sql.Rows) error {
		if g, err := scanGame(r.Scan); g.ID != "" { // one without an id Check finds
			g.Err = err
			out = append(out, g)
		}
		return nil
	})
	return out, err
}

func (t *tx) GamesCalled(name string, limit int) (out []store.Game, err error) {
	err = t.each("SELECT "+gameColumns+" FROM games WHERE name = ? COLLATE NOCASE ORDER BY number DESC LIMIT ?", []any{name, limit}, listed(&out))
	return out, err
}

func (t *tx) OpenGames(limit int) (out []store.Game, err error) {
	err = t.each("SELECT "+gameColumns+` FROM games INDEXED BY games_state WHERE state = 'invited' AND visibility = 'listed'
		AND EXISTS (SELECT 1 FROM seats WHERE seats.game = games.number AND stage = 'open') ORDER BY changed DESC, number DESC LIMIT ?`, []any{limit}, listed(&out))
	return out, err
}

func (t *tx) ListedGames(limit int) (out []store.Game, err error) {
	err = t.each("SELECT "+gameColumns+" FROM games WHERE visibility = 'listed' AND started > 0 ORDER BY changed DESC LIMIT ?", []any{limit}, listed(&out))
	return out, err
}

func (t *tx) Log(gameID string, after int) (out []game.Line, err error) {
	err = t.each("SELECT n, seat, by, line, told FROM log WHERE game = (SELECT number FROM games WHERE id = ?) AND n > ? ORDER BY n", []any{gameID, after},
		func(r *sql.Rows) error {
			var l game.Line
			var told string
			err := r.Scan(&l.N, &l.Seat, word(writers, &l.By), &l.Order, &told)
			l.By, l.Bot = whichBot(l.By)
			if told != "" {
				l.Told = strings.Split(told, "; ")
			}
			out = append(out, l)
			return err
		})
	return out, err
}

// A bot's line is stored as by "bot:NAME"; as by "bot" alone for the one that
// was the only one once.
func byWhich(l game.Line) game.By {
	if l.Bot == "" || l.Bot == store.ResignBot {
		return l.By
	}
	return l.By + game.By(":"+l.Bot)
}

func whichBot(by game.By) (game.By, string) {
	if by == game.ByBot {
		return by, store.ResignBot
	}
	if name, ok := strings.CutPrefix(string(by), string(game.ByBot)+":"); ok {
		return game.ByBot, name
	}
	return by, ""
}

// AppendLog also counts the game's steps and carries its checksum on. A line whose number is taken is an error.
func (t *tx) AppendLog(game string, lines []game.Line) error {
	if len(lines) == 0 {
		return nil
	}
	var id int64
	var sum sql.NullInt64
	if err := t.one("SELECT number, log_sum FROM games WHERE id = ?", []any{game}, &id, &sum); err != nil {
		return err
	}
	insert, err := t.c.PrepareContext(t.ctx, "INSERT INTO log (game, n, seat, by, line, told) VALUES (?, ?, ?, ?, ?, ?)")
	if err != nil {
		return wrap("insert into log", err)
	}
	defer insert.Close()
	for _, l := range lines {
		by, told := number(writers, byWhich(l)), strings.Join(l.Told, "; ")
		if _, err := insert.ExecContext(t.ctx, id, l.N, l.Seat, by, l.Order, told); err != nil {
			return fmt.Errorf("line %d of game %s: %w", l.N, game, err)
		}
		sum.Int64 = lineSum(sum.Int64, l.N, l.Seat, by, l.Order, told)
	}
	_, err = t.exec("UPDATE games SET steps = ?, log_sum = ? WHERE number = ?", lines[len(lines)-1].N, sum, id)
	return err
}
