package db

import (
	"database/sql"

	"angelpost/engine/store"
)

func (t *tx) numbers(query string, args ...any) (out []int64, err error) {
	err = t.each(query, args, func(r *sql.Rows) error {
		var id int64
		err := r.Scan(&id)
		out = append(out, id)
		return err
	})
	return out, err
}

func (t *tx) PlayersNamed(name string) ([]int64, error) {
	return t.numbers("SELECT id FROM players WHERE name = ? ORDER BY id", name)
}

func (t *tx) ActivePlayers() ([]int64, error) {
	return t.numbers(`SELECT id FROM players JOIN addresses ON addresses.address = players.address AND addresses.player = players.id
		WHERE players.id > 0 AND registered <> 0 AND never = 0 AND bounced = 0 AND (
			EXISTS (SELECT 1 FROM seats JOIN games ON games.number = seats.game WHERE seats.player = players.id AND seats.player <> 0
				AND games.state IN (?, ?) AND seats.stage NOT IN (?, ?, ?))
			OR EXISTS (SELECT 1 FROM league_players AS p JOIN leagues ON leagues.number = p.league WHERE p.player = players.id AND over = 0))
		ORDER BY id`, store.GameRunning, store.GameInvited, store.SeatDeclined, store.SeatBounced, store.SeatExpired)
}

func (t *tx) GamesPlayed(player int64) (out []string, err error) {
	err = t.each(`SELECT id FROM games WHERE number IN (SELECT game FROM seats WHERE player = ?1 AND player <> 0 UNION SELECT game FROM stints WHERE player = ?1 AND player <> 0)
		ORDER BY number`, []any{player}, func(r *sql.Rows) error {
		var id string
		err := r.Scan(&id)
		out = append(out, id)
		return err
	})
	return out, err
}

func (t *tx) NameIn(game string, player int64, name string) error {
	for _, query := range []string{
		"UPDATE seats SET name = ? WHERE game = (SELECT number FROM games WHERE id = ?) AND player = ? AND player <> 0 AND name <> ''",
		"UPDATE stints SET name = ? WHERE game = (SELECT number FROM games WHERE id = ?) AND player = ? AND player <> 0 AND name <> ''",
	} {
		if _, err := t.exec(query, name, game, player); err != nil {
			return err
		}
	}
	return nil
}

func (t *tx) NameAround(player int64, name string) error {
	for _, query := range []string{
		"UPDATE ratings SET name = ? WHERE player = ? AND player > 0",
		"UPDATE rated SET name = ?1 WHERE player = ?2 AND kind IN (SELECT kind FROM ratings WHERE player = ?2 AND player > 0)",
		"UPDATE ignored SET name = ? WHERE other = ?",
		"UPDATE reports SET name = ? WHERE player = ? AND player <> 0",
	} {
		if _, err := t.exec(query, name, player); err != nil {
			return err
		}
	}
	return nil
}

func (t *tx) Readdress(player int64, address string) error {
	id, err := t.text(address)
	if err != nil {
		return err
	}
	_, err = t.exec("UPDATE out SET address = ? WHERE player = ? AND player <> 0 AND state IN ("+queued+", "+collected+", "+digest+")", id, player)
	return err
}
