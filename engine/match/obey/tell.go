package obey

import (
	"errors"
	"slices"
	"strings"
	"time"

	"angelpost/engine"
	"angelpost/engine/game"
	"angelpost/engine/match/replays"
	"angelpost/engine/match/seating"
	"angelpost/engine/match/unit"
	"angelpost/engine/notice"
	"angelpost/engine/order"
	"angelpost/engine/store"
)

// tell answers the words that decide nothing.
func tell(u *unit.Unit, c *unit.Call) error {
	w := c.Sender
	a := &w.Answer.Answer
	switch c.Word.Kind {
	case order.Help, order.Rules:
		if word := c.Word.Kind.String(); !u.Knows(word, c.Word.Text) {
			return notice.Refuse(notice.ProblemTopic, "word", word, "topic", c.Word.Text)
		}
		a.Sections = append(a.Sections, notice.Section{Kind: c.Word.Kind.String(), Topic: c.Word.Text})
	case order.Board, order.History:
		if w.Game == nil || w.Game.Replay == nil || w.Seat == nil || w.Seat.Player != w.ID {
			return notice.Refuse(notice.ProblemNoGame)
		}
		from := c.Word.N
		if c.Word.Kind == order.History && from == 0 {
			from = max(w.Seat.Seen, 0) + 1
		}
		a.Sections = append(a.Sections, notice.Section{Kind: c.Word.Kind.String(), From: from})
	case order.Status, order.Legal:
		games, err := games(u, w, c.Word.Kind == order.Legal && w.Words)
		if err != nil {
			return err
		}
		a.Sections = append(a.Sections, notice.Section{Kind: c.Word.Kind.String(), Games: games})
	case order.Games:
		tables, err := seating.OpenTables(u.Tx)
		if err != nil {
			return err
		}
		a.Sections = append(a.Sections, notice.Section{Kind: "tables", Games: tables})
	case order.Link:
		return link(u, c)
	}
	return nil
}

// games says how the writer's games stand. With legal it lists the steps they may take,
// for a letter that bears no token.
func games(u *unit.Unit, w *unit.Sender, legal bool) ([]notice.GameState, error) {
	rows, err := u.Tx.GamesOf(w.ID, true)
	if err != nil {
		return nil, err
	}
	ids := make([]string, len(rows))
	for i, r := range rows {
		ids[i] = r.ID
	}
	seats, err := u.Tx.SeatsOf(ids)
	if err != nil {
		return nil, err
	}
	rulings, err := u.Tx.RulingsOf(ids)
	if err != nil {
		return nil, err
	}
	var out []notice.GameState
	for _, row := range rows[:min(len(rows), 20)] {
		t := &unit.Game{Row: row, Seats: seats[row.ID]}
		for _, known := range u.Games {
			if known.Row.ID == row.ID {
				t = known
			}
		}
		x := t.Of(w.ID)
		g := notice.GameState{Game: t.Row.ID, Name: t.Row.Name, State: t.Row.State, Options: t.Row.Options, Muted: x != nil && x.MutedBy(w.ID)}
		if t.Row.State == store.GameInvited {
			g.Waiting = split(t.WaitingFor())
			out = append(out, g)
			continue
		}
		if t.Replay == nil {
			if t.Replay, err = u.Replays.Replay(u.Tx, t.Row, t.Seats); errors.Is(err, replays.ErrUnreadable) {
				w.Answer.Say(notice.SayUnreadable, "game", row.ID)
				continue
			}
			if err != nil {
				return nil, err
			}
		}
		v := t.Replay.State.Project(0)
		g.Round = v.Round
		if all := rulings[row.ID]; len(all) > 0 {
			g.Ruling = &all[len(all)-1]
		}
		g.ToAct = split(t.NamesOf(v.ToAct))
		if x != nil && x.Player == w.ID {
			g.You = slices.Contains(v.ToAct, engine.Seat(x.Seat)) && x.Bot == ""
			if legal && g.You {
				g.Legal = game.LegalOrders(t.Replay.State.Project(engine.Seat(x.Seat)))
			}
		}
		var first time.Time
		for _, y := range t.Seats {
			if !y.Deadline.IsZero() && (first.IsZero() || y.Deadline.Before(first)) {
				first = y.Deadline
			}
		}
		if !first.IsZero() {
			zone := u.ZoneOf(w.ID)
			g.Until = unit.When(first, zone)
		}
		if !t.Row.Changed.IsZero() {
			g.Days = max(0, int(u.At.Sub(t.Row.Changed)/(24*time.Hour))) // the clock may have been set back
		}
		out = append(out, g)
	}
	return out, nil
}

func split(names string) []string {
	if names == "" {
		return nil
	}
	return strings.Split(names, ", ")
}

// link mails the address of the writer's page anew; the old one dies, unless the
// answer must wait.
func link(u *unit.Unit, c *unit.Call) error {
	w := c.Sender
	if w.Game != nil && w.Seat != nil && w.Seat.Player == w.ID {
		w.Answer.Fresh = true
		w.Answer.Say(notice.SayLink)
		c.Done()
		return nil
	}
	rows, err := u.Tx.GamesOf(w.ID, true)
	if err != nil {
		return err
	}
	sec, fresh := notice.Section{Kind: "link"}, !w.Late
	for _, row := range rows[:min(len(rows), 20)] {
		t, err := u.Game(row.ID)
		if err != nil && !errors.Is(err, replays.ErrUnreadable) {
			return err
		}
		x := t.Of(w.ID)
		if x == nil || x.Player != w.ID {
			continue
		}
		key, err := u.PageKey(t, x, fresh)
		if err != nil {
			return err
		}
		sec.Games = append(sec.Games, notice.GameState{Game: row.ID, Name: row.Name, State: row.State, PageKey: key.Key})
	}
	if len(sec.Games) == 0 {
		return notice.Refuse(notice.ProblemNoGame)
	}
	c.Done()
	if fresh {
		w.Answer.Say(notice.SayLink)
	}
	w.Answer.Answer.Sections = append(w.Answer.Answer.Sections, sec)
	return nil
}
