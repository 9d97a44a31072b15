package look

import (
	"context"
	"time"

	"angelpost/engine/store"
)

// Who may read what was said. Nothing said at a table is public: `say` goes to its
// players, `note` to its writer alone. A page's key opens the talk of its own game, as
// its holder may read it: what was said to all, whenever they came to the table, and
// what they themselves said, were told or noted; what a former player of their seat
// wrote or was told alone stays that player's. So a search in many games, as the
// archive's, looks through names only, and a search through what was said needs a key
// and stays within one game.

// A Said is one message or note.
type Said struct {
	At   time.Time
	Step int      // lines the log had
	From string   // name; "" if its writer has left the seat
	Seat string   // name of its player now
	To   []string // names; none: to all
	Note bool     // for the reader alone, who wrote it
	Text string
}

// Talk is what the holder of a key may read of what was said in a game, the
// youngest first; more tells that there is older talk that fits. words are
// beginnings of words to look for, before bounds the age. A key that does not fit
// gives ErrNotFound, wrapped.
func (h *Host) Talk(ctx context.Context, id, key, words string, before time.Time, limit int) (out []Said, more bool, err error) {
	var rows []store.Press
	var seats []store.Seat
	var me *store.Seat
	err = h.Store.View(ctx, func(tx store.Tx) (err error) {
		if _, err = tx.Game(id); err != nil {
			return err
		}
		if seats, err = tx.Seats(id); err != nil {
			return err
		}
		if me, err = holder(tx, seats, id, key); err != nil {
			return err
		}
		rows, err = tx.Heard(store.PressQuery{Game: id, Place: me.Place, Player: me.Player, Words: words, Before: before, Limit: (limit + 1) * len(seats)})
		return err
	})
	if err != nil {
		return nil, false, err
	}
	for i, r := range rows {
		if i > 0 && r.To > 0 && rows[i-1].To > 0 && r.Place == rows[i-1].Place && r.At.Equal(rows[i-1].At) && r.Text == rows[i-1].Text { // to several
			last := &out[len(out)-1]
			last.To = append([]string{seats[r.To-1].Name}, last.To...)
			continue
		}
		if len(out) > limit {
			break
		}
		s := Said{At: r.At, Step: r.Step, Seat: seats[r.Place-1].Name, Note: r.To < 0, Text: r.Text}
		if r.Writer == seats[r.Place-1].Player {
			s.From = s.Seat
		}
		if r.To > 0 {
			s.To = []string{seats[r.To-1].Name}
		}
		out = append(out, s)
	}
	if len(out) <= limit {
		return out, false, nil
	}
	n := limit // older ones are asked for by time: what was said at once stays together
	for n > 1 && out[n-1].At.Equal(out[n].At) {
		n--
	}
	if out[n-1].At.Equal(out[n].At) {
		n = limit
	}
	return out[:n], true, nil
}
