package look

import (
	"context"
	"time"

	"angelpost/engine/store"
)

// These are the rules on reading messages. No message at a table is public: `say` goes to its
// players, `note` only to its writer. A page's key opens the messages of its own game that its
// holder may read: those to all, even from before they came to the table, and those that they
// themselves wrote, got or noted. What a former player of their seat wrote or got alone stays
// that player's. So a search in many games, like the archive's, covers only names, and a search
// through messages needs a key and stays within one game.

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

// Talk returns the messages of a game that the holder of a key may read, newest first; more
// reports whether there are older ones that fit. words are beginnings of words to search for,
// before bounds the age. A key that does not fit gives ErrNotFound, wrapped.
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
	n := limit // the next page starts by time, so messages of one moment stay together
	for n > 1 && out[n-1].At.Equal(out[n].At) {
		n--
	}
	if out[n-1].At.Equal(out[n].At) {
		n = limit
	}
	return out[:n], true, nil
}
