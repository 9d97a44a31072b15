package rated

import (
	"cmp"
	"context"
	"slices"
	"time"

	"angelpost/engine"
	"angelpost/engine/notice"
	"angelpost/engine/rating"
	"angelpost/engine/store"
)

const (
	// SoloGames is the largest number of a player's solo games that a Solo counts, the
	// newest first.
	SoloGames = 300
	// SoloIdle is how long a solo game may lie without a move before it counts as lost,
	// until its player goes on with it.
	SoloIdle = 60 * 24 * time.Hour
)

// A Solo is what a player's solo games at one of Hal's levels came to.
type Solo = notice.Solo

// SoloHal is Hal's rating in a Solo, at every level.
func SoloHal() rating.Rating {
	m := rating.Default()
	return rating.Rating{Mu: m.Start.Mu, Sigma: m.Tau}
}

// Solo is what a player's solo games came to, by level: for that player alone.
func (b Book) Solo(ctx context.Context, player int64, now time.Time) (out []Solo, err error) {
	err = b.Host.Store.View(ctx, func(tx store.Tx) error {
		out, err = SoloOf(tx, player, now)
		return err
	})
	return out, err
}

// A soloEnd is how one solo game ended for a player, and when.
type soloEnd struct {
	at      time.Time
	row     *store.Game
	seats   []rating.Seat // the player's, Hal's
	won     bool
	left    bool
	vp, hal int
}

// SoloOf is Book.Solo in a transaction.
func SoloOf(tx store.Tx, player int64, now time.Time) ([]Solo, error) {
	rows, err := tx.SoloGames(player, SoloGames)
	if err != nil || len(rows) == 0 {
		return nil, err
	}
	seats, err := tx.SeatsOf(ids(rows))
	if err != nil {
		return nil, err
	}
	rulings, err := tx.RulingsOf(ids(rows))
	if err != nil {
		return nil, err
	}
	var ends []soloEnd
	for i := range rows {
		r := &rows[i]
		if len(seats[r.ID]) != 1 || r.Started.IsZero() || r.Steps == 0 { // or no turn of it was begun
			continue
		}
		e := soloEnd{row: r}
		counts := false
		switch gone := seats[r.ID][0].Player != player; {
		case r.State == store.GameFinished:
			counts = e.finished(player, ratedGame{row: *r}, rulings[r.ID])
		case r.State == store.GameAbandoned:
			counts, e.at = true, r.Ended
		case r.State == store.GameRunning && gone:
			counts, e.at = true, r.Changed
		case r.State == store.GameRunning && now.Sub(r.Changed) >= SoloIdle:
			counts, e.at = true, r.Changed.Add(SoloIdle)
		}
		if !counts {
			continue
		}
		if e.seats == nil {
			e.left = true
			e.seats = []rating.Seat{{Place: 2, Parts: []rating.Part{{Who: rating.Who{Player: player}, Turns: 1, Held: 1, Left: rating.Walked}}},
				{Place: 1, Parts: []rating.Part{{Who: rating.Who{Bot: HalBot(r.Options.Hal)}, Turns: 1, Held: 1}}}}
		}
		ends = append(ends, e)
	}
	slices.SortStableFunc(ends, func(a, b soloEnd) int { return cmp.Or(a.at.Compare(b.at), cmp.Compare(a.row.ID, b.row.ID)) })
	return soloTable(player, ends), nil
}

// finished reads how a finished game ended for a player. It does not count if its result
// was given, which says nothing of Hal, or if someone else gave the seat to another.
func (e *soloEnd) finished(player int64, g ratedGame, rulings []notice.Ruling) bool {
	if g.read(rulings, nil) != nil {
		return false
	}
	parts := g.seats[0].Parts
	i := slices.IndexFunc(parts, func(p rating.Part) bool { return p.Player == player && p.Bot == "" })
	if i < 0 {
		return false
	}
	me := &parts[i]
	if me.Left == rating.Replaced {
		if me.By.Player != player {
			return false
		}
		me.Left, me.By = rating.Walked, rating.Who{} // voluntarily
	}
	e.at, e.seats, e.left = g.row.Ended, g.seats, me.Left != rating.Stayed
	e.won = !e.left && g.seats[0].Place == 1
	e.vp, e.hal = g.final[0], g.final[engine.Hal-1]
	return true
}

// soloTable rates games in the order in which they ended, each level separately.
func soloTable(player int64, ends []soloEnd) []Solo {
	type key struct{ rules, hal string }
	m := rating.Default()
	all := map[key]*Solo{}
	for _, e := range ends {
		k := key{e.row.Options.Rules, e.row.Options.Hal}
		s := all[k]
		if s == nil {
			s = &Solo{Rules: k.rules, Hal: k.hal, Mu: m.Start.Mu, Sigma: m.Start.Sigma}
			all[k] = s
		}
		changes := m.Seats(e.seats, func(w rating.Who) rating.Rating {
			switch {
			case w.Player == player && w.Bot == "":
				return rating.Rating{Mu: s.Mu, Sigma: s.Sigma}
			case w.Bot == HalBot(k.hal):
				return SoloHal()
			}
			return m.Start
		})
		for _, c := range changes {
			if c.Player == player && c.Bot == "" {
				s.Mu, s.Sigma = c.After.Mu, c.After.Sigma
			}
		}
		if s.Games++; e.won {
			s.Won++
		}
		if e.left {
			s.Left++
			continue
		}
		s.Played++
		s.Best = max(s.Best, e.vp)
		s.VP += float64(e.vp)
		s.HalVP += float64(e.hal)
	}
	out := []Solo{}
	for _, rules := range []string{"base", "advanced"} {
		for l := engine.Easy; l <= engine.Extreme; l++ {
			s := all[key{rules, l.String()}]
			if s == nil {
				continue
			}
			if n := float64(s.Played); n > 0 {
				s.VP, s.HalVP = s.VP/n, s.HalVP/n
			}
			s.Margin = rating.Rating{Sigma: s.Sigma}.Margin()
			s.Provisional = s.Games < Few
			out = append(out, *s)
		}
	}
	return out
}
