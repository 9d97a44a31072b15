package db

import (
	"database/sql"
	"encoding/hex"
	"fmt"

	"angelpost/engine/store"
)

const leagueColumns = `leagues.id, leagues.name, file, secret, leagues.visibility, over, lines, leagues.created, leagues.changed`

func scanLeague(scan func(...any) error) (l store.League, err error) {
	var secret []byte
	var created, changed int64
	err = scan(&l.ID, &l.Name, &l.File, &secret, &l.Visibility, &l.Over, &l.Lines, &created, &changed)
	l.Secret = hex.EncodeToString(secret)
	l.Created, l.Changed = at(created), at(changed)
	return l, err
}

func (t *tx) League(id string) (store.League, error) {
	return scanLeague(func(into ...any) error {
		return t.one("SELECT "+leagueColumns+" FROM leagues WHERE id = ?", []any{id}, into...)
	})
}

func (t *tx) AddLeague(l store.League) error {
	secret, err := hex.DecodeString(l.Secret)
	if err != nil {
		return fmt.Errorf("secret of league %s: %w", l.ID, err)
	}
	// Letters about a league that was deleted keep its number, which must be no other's.
	_, err = t.exec(`INSERT INTO leagues (number, id, name, file, secret, visibility, over, lines, created, changed)
		SELECT 1 + max((SELECT coalesce(max(number), 0) FROM leagues), (SELECT coalesce(max(league), 0) FROM league_threads)), ?, ?, ?, ?, ?, ?, 0, ?, ?`,
		l.ID, l.Name, l.File, secret, l.Visibility, l.Over, ms(l.Created), ms(l.Changed))
	return err
}

// DeleteLeague leaves the threads of the league's letters, which keep its number from
// being given again.
func (t *tx) DeleteLeague(id string) error {
	for _, query := range []string{
		"DELETE FROM league_log WHERE league = (SELECT number FROM leagues WHERE id = ?)",
		"DELETE FROM league_players WHERE league = (SELECT number FROM leagues WHERE id = ?)",
		"DELETE FROM due WHERE game = ?",
		"DELETE FROM leagues WHERE id = ?",
	} {
		if _, err := t.exec(query, id); err != nil {
			return err
		}
	}
	return nil
}

// SaveLeague writes all that changes; the log's length is AppendLeague's.
func (t *tx) SaveLeague(l store.League) error {
	_, err := t.exec("UPDATE leagues SET name = ?, visibility = ?, over = ?, changed = ? WHERE id = ?", l.Name, l.Visibility, l.Over, ms(l.Changed), l.ID)
	return err
}

func (t *tx) Leagues(after string, limit int) ([]store.League, error) {
	return t.leagues("SELECT "+leagueColumns+" FROM leagues WHERE number > coalesce((SELECT number FROM leagues WHERE id = ?1), iif(?1 = '', 0, 1 << 62)) ORDER BY number LIMIT ?2", after, limit)
}

func (t *tx) ListedLeagues(over bool, before string, limit int) ([]store.League, error) {
	return t.leagues("SELECT "+leagueColumns+` FROM leagues WHERE visibility = 'listed' AND over = ?1
		AND (?2 = '' OR number < (SELECT number FROM leagues WHERE id = ?2)) ORDER BY number DESC LIMIT ?3`, over, before, limit)
}

func (t *tx) LeaguesOf(player int64) ([]store.League, error) {
	return t.leagues("SELECT "+leagueColumns+` FROM league_players AS p JOIN leagues ON leagues.number = p.league
		WHERE p.player = ? ORDER BY leagues.number DESC LIMIT 100`, player)
}

func (t *tx) leagues(query string, args ...any) (out []store.League, err error) {
	err = t.each(query, args, func(r *sql.Rows) error {
		l, err := scanLeague(r.Scan)
		out = append(out, l)
		return err
	})
	return out, err
}

func (t *tx) LeagueLog(league string, after, limit int) (out []store.LeagueLine, err error) {
	err = t.each("SELECT n, at, by, kind, args FROM league_log WHERE league = (SELECT number FROM leagues WHERE id = ?) AND n > ? ORDER BY n LIMIT ?", []any{league, after, limit},
		func(r *sql.Rows) error {
			var l store.LeagueLine
			var when int64
			err := r.Scan(&l.N, &when, &l.By, &l.Kind, &l.Args)
			l.At = at(when)
			out = append(out, l)
			return err
		})
	return out, err
}

// AppendLeague also counts the log's lines. A line whose number is taken is an error.
func (t *tx) AppendLeague(league string, lines []store.LeagueLine) error {
	if len(lines) == 0 {
		return nil
	}
	var id int64
	if err := t.one("SELECT number FROM leagues WHERE id = ?", []any{league}, &id); err != nil {
		return err
	}
	for _, l := range lines {
		if _, err := t.exec("INSERT INTO league_log (league, n, at, by, kind, args) VALUES (?, ?, ?, ?, ?, ?)",
			id, l.N, ms(l.At), l.By, l.Kind, l.Args); err != nil {
			return fmt.Errorf("line %d of league %s: %w", l.N, league, err)
		}
	}
	last := lines[len(lines)-1]
	_, err := t.exec("UPDATE leagues SET lines = ?, changed = ? WHERE number = ?", last.N, ms(last.At), id)
	return err
}

func (t *tx) AddMember(league string, player int64) error {
	_, err := t.exec("INSERT OR IGNORE INTO league_players (player, league) SELECT ?, number FROM leagues WHERE id = ?", player, league)
	return err
}

func (t *tx) LeagueThread(league string, player int64) (l store.LeagueThread, err error) {
	l.Player = player
	err = t.one("SELECT season, head, mute, muted, news, letters FROM league_threads WHERE league = (SELECT number FROM leagues WHERE id = ?) AND player = ?",
		[]any{league, player}, &l.Season, &l.Head, &l.Mute, &l.Muted, &l.News, &l.Letters)
	return l, err
}

func (t *tx) LeagueThreads(league string) (out []store.LeagueThread, err error) {
	err = t.each("SELECT player, season, head, mute, muted, news, letters FROM league_threads WHERE league = (SELECT number FROM leagues WHERE id = ?) ORDER BY player", []any{league},
		func(r *sql.Rows) error {
			var l store.LeagueThread
			err := r.Scan(&l.Player, &l.Season, &l.Head, &l.Mute, &l.Muted, &l.News, &l.Letters)
			out = append(out, l)
			return err
		})
	return out, err
}

func (t *tx) SetLeagueThread(league string, l store.LeagueThread) error {
	_, err := t.exec(`INSERT INTO league_threads (league, player, season, head, mute, muted, news, letters) SELECT number, ?, ?, ?, ?, ?, ?, ? FROM leagues WHERE id = ?
		ON CONFLICT (league, player) DO UPDATE SET season = excluded.season, head = excluded.head, mute = excluded.mute, muted = excluded.muted, news = excluded.news, letters = excluded.letters`,
		l.Player, l.Season, l.Head, l.Mute, l.Muted, l.News, l.Letters, league)
	return err
}

func (t *tx) LeagueGames(league, after string, limit int) (out []store.Game, err error) {
	err = t.each("SELECT "+gameColumns+` FROM games WHERE league = ?1 AND league <> '' AND number > coalesce((SELECT number FROM games WHERE id = ?2), iif(?2 = '', 0, 1 << 62))
		ORDER BY number LIMIT ?3`, []any{league, after, limit}, listed(&out))
	return out, err
}
