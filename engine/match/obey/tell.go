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
	"angelpost/engine/store"
)

// section adds a section of the word's name to the answer.
func section(c *unit.Call, s notice.Section) {
	if s.Kind == "" {
		s.Kind = c.Word.Kind.String()
	}
	a := &c.Sender.Answer.Answer
	a.Sections = append(a.Sections, s)
}

// topic answers rules and help.
func topic(u *unit.Unit, c *unit.Call) error {
	if word := c.Word.Kind.String(); !u.Knows(word, c.Word.Text) {
		return notice.Refuse(notice.ProblemTopic, "word", word, "topic", c.Word.Text)
	}
	section(c, notice.Section{Topic: c.Word.Text})
	return nil
}

// board shows the position.
func board(_ *unit.Unit, c *unit.Call) error { return past(c, 0) }

// history tells what happened since a line of the log, or since the writer's last letter; of
// a game that is over, all of it.
func history(_ *unit.Unit, c *unit.Call) error {
	from := c.Word.N
	if w := c.Sender; from == 0 && w.Seat != nil {
		if from = max(w.Seat.Seen, 0) + 1; w.Game != nil && w.Game.Row.State == store.GameFinished {
			from = 1
		}
	}
	return past(c, from)
}

// past shows a player an earlier position of their game, as far as they could see it.
func past(c *unit.Call, from int) error {
	w := c.Sender
	if w.Game == nil || w.Game.Replay == nil || w.Seat == nil || w.Seat.Player != w.ID {
		return notice.Refuse(notice.ProblemNoGame)
	}
	section(c, notice.Section{From: from})
	return nil
}

// status tells the writer the state of their games.
func status(u *unit.Unit, c *unit.Call) error {
	games, err := games(u, c.Sender, false)
	section(c, notice.Section{Games: games})
	return err
}

// legal lists the writer's legal orders.
func legal(u *unit.Unit, c *unit.Call) error {
	games, err := games(u, c.Sender, c.Sender.Words)
	section(c, notice.Section{Games: games})
	return err
}

// freeSeats lists the games with free seats.
func freeSeats(u *unit.Unit, c *unit.Call) error {
	tables, err := seating.OpenTables(u.Tx)
	section(c, notice.Section{Kind: "tables", Games: tables})
	return err
}

// maxGames bounds the games that an answer lists.
const maxGames = 100

// games returns the state of the writer's games. With legal it lists the steps that they may
// take, for a letter without a token.
func games(u *unit.Unit, w *unit.Sender, legal bool) ([]notice.GameState, error) {
	rows, err := u.Tx.GamesOf(w.ID, true)
	if err != nil {
		return nil, err
	}
	rows = rows[:min(len(rows), maxGames)]
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
		g := notice.GameState{Game: t.Row.ID, Name: t.Row.Name, State: t.Row.State, Options: t.Row.Options, Muted: x != nil && x.MutedBy(w.ID), Private: t.Row.Visibility == store.Private}
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
		if all := notice.Decided(rulings[row.ID]); len(all) > 0 {
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

// link mails new links to the writer's game page and start page. The old links stop working,
// unless the answer must wait.
func link(u *unit.Unit, c *unit.Call) error {
	w := c.Sender
	var err error
	if w.Answer.Answer.Home, err = u.HomeKey(w.ID, !w.Late); err != nil {
		return err
	}
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
	c.Done()
	if fresh {
		w.Answer.Say(notice.SayLink)
	}
	w.Answer.Answer.Sections = append(w.Answer.Answer.Sections, sec)
	return nil
}
