package obey

import (
	"errors"
	"strconv"
	"time"

	"angelpost/engine/match/compete"
	"angelpost/engine/match/replays"
	"angelpost/engine/match/seating"
	"angelpost/engine/match/unit"
	"angelpost/engine/notice"
	"angelpost/engine/store"
)

// eraseAfter is how long a player who is to be forgotten is still known: their last letter
// must go out.
const eraseAfter = time.Hour

// ForgetPlayer takes a player out of all games and leagues that go on, says so in d, the
// last letter to them, and has everything about them erased within the hour but their
// games, which stay under a pseudonym.
func ForgetPlayer(u *unit.Unit, player int64, d *unit.Draft) error {
	rows, err := u.Tx.GamesOf(player, true)
	if err != nil {
		return err
	}
	for _, row := range rows {
		t, err := u.Game(row.ID)
		if errors.Is(err, replays.ErrUnreadable) {
			continue
		}
		if err != nil {
			return err
		}
		if err := seating.LeaveGame(u, t, player); err != nil {
			return err
		}
	}
	if err := compete.LeaveAll(u, player); err != nil {
		return err
	}
	d.Say(notice.SayForgotten)
	return u.Tx.AddDue(&store.Due{At: u.At.Add(eraseAfter), Kind: store.DueErase, Place: int(player)})
}

// EraseDue erases a player who is to be forgotten.
func EraseDue(u *unit.Unit, row store.Due) error {
	id := int64(row.Place)
	return u.Tx.Erase(id, "Former player "+strconv.FormatInt(id, 10))
}
