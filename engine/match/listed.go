package match

import "context"

// maxListed bounds the list of games for everybody.
const maxListed = 50

// A Listing is a game that anybody may find.
type Listing struct {
	ID, Name, State string
	Round           int // 0 unless it is running
	Names           []string
}

// Listed are the games that all their players want to be found, the last moved
// first, at most 50.
func (h *Host) Listed(ctx context.Context) (out []Listing, err error) {
	err = h.Store.View(ctx, func(tx Tx) error {
		rows, err := tx.ListedGames(maxListed)
		if err != nil {
			return err
		}
		ids := make([]string, len(rows))
		for i, r := range rows {
			ids[i] = r.ID
		}
		seats, err := tx.SeatsOf(ids)
		if err != nil {
			return err
		}
		out = make([]Listing, len(rows))
		for i, r := range rows {
			t := table{row: r, seats: seats[r.ID]}
			out[i] = Listing{ID: r.ID, Name: r.Name, State: r.State, Names: t.names()}
			if r.State != GameRunning {
				continue
			}
			p, err := h.play(tx, r, seats[r.ID])
			if err != nil {
				return err
			}
			h.keep(r.ID, p)
			out[i].Round = p.state.Project(0).Round
		}
		return nil
	})
	return out, err
}
