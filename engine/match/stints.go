package match

import (
	"fmt"
	"strconv"

	"angelpost/engine"
	"angelpost/engine/game"
	"angelpost/engine/store"
)

// nowPlays notes that a seat is from now on its row's player's or bot's: a line
// of the log, and a stint.
func (s *unit) nowPlays(t *table, x *store.Seat, by game.By, why string) {
	text := "replace seat " + strconv.Itoa(x.Seat) + " by player"
	switch {
	case why == game.TenureResigned && by == game.ByPlayer:
		text = "resign"
	case x.Bot != "":
		text = "replace seat " + strconv.Itoa(x.Seat) + " by " + asking(x.Bot)
	}
	t.play.Note(engine.Seat(x.Seat), by, text)
	t.stints = append(t.stints, t.stint(x, why))
}

// stint is one that begins behind the last line of the log.
func (t *table) stint(x *store.Seat, why string) game.Tenure {
	n := game.Tenure{Place: x.Place, Since: t.play.Step(), Player: x.Player, Bot: x.Bot, Name: x.Name, Why: why}
	if n.Bot != "" {
		if n.Player != 0 {
			n.Name = "" // of the player who left
		}
		n.Player = 0
	}
	return n
}

// parts are those of a game in this transaction.
func (s *unit) parts(t *table) ([][]game.Share, error) {
	stored, err := s.tx.Tenures([]string{t.row.ID})
	if err != nil {
		return nil, err
	}
	return t.play.Shares(append(stored[t.row.ID], t.stints...), holders(t.seats)), nil
}

// Parts are, by seat from 1 at [0], who played how much of a game that has
// begun, in the order in which they came to it. Turns that were taken back do
// not count, nor do Hal's.
func (h *Host) Parts(tx store.Tx, game string) ([][]game.Share, error) {
	row, err := tx.Game(game)
	if err != nil {
		return nil, err
	}
	if row.Started.IsZero() {
		return nil, fmt.Errorf("game %s has not begun: %w", game, store.ErrNotFound)
	}
	seats, err := tx.Seats(game)
	if err != nil {
		return nil, err
	}
	stints, err := tx.Tenures([]string{game})
	if err != nil {
		return nil, err
	}
	p, err := h.games.play(tx, row, seats)
	if err != nil {
		return nil, err
	}
	return p.Shares(stints[game], holders(seats)), nil
}

// holders are the seats of a game as Replay's parts want them.
func holders(seats []store.Seat) []game.Holder {
	out := make([]game.Holder, len(seats))
	for i, x := range seats {
		out[i] = game.Holder{Seat: x.Seat, Place: x.Place, Player: x.Player, Name: x.Name}
	}
	return out
}
